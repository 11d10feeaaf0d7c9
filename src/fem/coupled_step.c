// A load step with heat and current. Staggered: fields with the contacts as they are, then
// displacements with the fields as they are, from the beginning of the step, until the balance of
// heat and current holds with the contacts that follow. Monolithic: Newton's method from one pass.
#include "../base/fail.h"
#include "../base/number.h"
#include "fem_data.h"

#include <math.h>
#include <string.h>

void stc_fem_meet(stc_fem *f, const double *v, double dt) {
  const stc_candidate *c = stc_surface_candidates(f->surface);
  for (int k = 0; k < f->contacts; k++) {
    const double *r = f->r + (ptrdiff_t)k * f->dim, *slip = v + (ptrdiff_t)k * f->dim;
    stc_meeting *m = &f->thermal->meeting[k];
    *m = (stc_meeting){0};
    if (!c[k].opposite) continue;
    m->pressure = fmax(0, r[0]) / c[k].area;
    m->gap = fmax(0, c[k].gap);
    for (int a = 1; a < f->dim; a++) m->friction -= r[a] * slip[a] / dt;
  }
}

// The contacts as the step finds them, with the friction of the step before.
static void meet_first(stc_fem *f) {
  stc_thermal *h = f->thermal;
  stc_fem_meet(f, f->v, INFINITY);
  for (int k = 0; k < f->contacts; k++) h->meeting[k].friction = h->flow[k].friction;
}

// Back to the beginning of the step, with the fields as they are.
static stc_error begin_again(stc_fem *f) {
  stc_thermal *h = f->thermal;
  size_t bytes = (size_t)h->nodes * sizeof *h->phi;
  double *phi = stc_calloc((size_t)h->nodes, sizeof *phi);
  if (!phi) return stc_fail(STC_ERR_MEMORY, "out of memory for the potential");
  memcpy(phi, h->phi, bytes);
  stc_error error = stc_fem_restore(f, f->begun, stc_fem_state_size(f));
  memcpy(h->phi, phi, bytes);
  stc_release(&phi);
  return error;
}

// What is left of the balance of heat and current with the contacts that follow.
static stc_error measure_fields(stc_fem *f, stc_span span, double *left) {
  stc_thermal *h = f->thermal;
  stc_heat_balance rate;
  stc_fem_meet(f, f->v, span.t1 - span.t0);
  stc_equations_clear(&h->fields, true);
  STC_TRY(stc_thermal_given(h, span, &h->fields));
  STC_TRY(stc_thermal_assemble(h, f->surface, span, NULL, &h->fields, &rate));
  *left = stc_thermal_residual(h, &h->fields);
  return STC_OK;
}

// Residuals below this are rounding.
#define BALANCED 1e-14

// The fields once more with the contacts that were found: the balance of heat holds to rounding,
// the displacements are off by the tolerance.
static stc_error settle_fields(stc_fem *f, stc_span span, double left) {
  return left > BALANCED ? stc_thermal_solve(f->thermal, f->surface, span) : STC_OK;
}

static bool any_presses(const stc_thermal *h) {
  for (int k = 0; k < h->contacts; k++)
    if (h->meeting[k].pressure > 0) return true;
  return h->contacts == 0;
}

// The contacts at span.t1 with the fields of span.t0: where none pressed before, or the fields have
// no solution with those that did.
static stc_error predict_contacts(stc_fem *f, stc_span span, stc_fem_report *report,
                                  stc_try *outcome) {
  stc_thermal *h = f->thermal;
  memcpy(h->T1, h->T, (size_t)h->nodes * sizeof *h->T);
  STC_TRY(stc_fem_step(f, span.t1, report, outcome));
  if (*outcome != STC_TRY_CONVERGED) return STC_OK;
  stc_fem_meet(f, f->v, span.t1 - span.t0);
  return stc_thermal_solve(h, f->surface, span);
}

// The fields with the contacts of the pass before; *moved: the displacements are not those of the
// beginning of the step.
static stc_error find_fields(stc_fem *f, stc_span span, stc_fem_report *report, stc_try *outcome,
                             bool *moved) {
  stc_thermal *h = f->thermal;
  *outcome = STC_TRY_CONVERGED;
  *moved = h->passes_done > 0;
  stc_error error = STC_ERR_NUMERIC;
  if (*moved || any_presses(h)) error = stc_thermal_solve(h, f->surface, span);
  if (error != STC_ERR_NUMERIC || *moved) return error;
  *moved = true;
  return predict_contacts(f, span, report, outcome);
}

// One pass; the displacements are at span.t1 where it converged.
static stc_error pass(stc_fem *f, stc_span span, stc_fem_report *report, stc_try *outcome) {
  stc_thermal *h = f->thermal;
  bool moved;
  STC_TRY(find_fields(f, span, report, outcome, &moved));
  if (*outcome != STC_TRY_CONVERGED) return STC_OK;
  if (moved) STC_TRY(begin_again(f));
  stc_thermal_warm(h, h->T1);
  h->passes_done++;
  return stc_fem_step(f, span.t1, report, outcome);
}

static stc_error stagger(stc_fem *f, stc_span span, stc_fem_report *report, stc_try *outcome) {
  stc_thermal *h = f->thermal;
  double left = INFINITY;
  for (;;) {
    STC_TRY(pass(f, span, report, outcome));
    if (*outcome != STC_TRY_CONVERGED) return STC_OK;
    if (h->passes == 1) return STC_OK;  // the weak coupling takes what it has
    STC_TRY(measure_fields(f, span, &left));
    if (left <= h->tol) return settle_fields(f, span, left);
    if (h->passes_done == h->passes) break;
  }
  return stc_fail(STC_ERR_NUMERIC,
                  "fields and displacements do not agree after %d passes (residual %.2g); the "
                  "monolithic coupling may",
                  h->passes, left);
}

// The iterate of one pass, then all unknowns at once.
static stc_error join_unknowns(stc_fem *f, stc_span span, stc_fem_report *report,
                               stc_try *outcome) {
  size_t u = (size_t)f->size, r = (size_t)f->contacts * (size_t)f->dim;
  STC_TRY(pass(f, span, report, outcome));
  if (*outcome != STC_TRY_CONVERGED) return STC_OK;
  double *keep = stc_calloc(u + r, sizeof *keep);
  if (!keep) return stc_fail(STC_ERR_MEMORY, "out of memory for the monolithic step");
  memcpy(keep, f->u, u * sizeof *keep);
  memcpy(keep + u, f->r, r * sizeof *keep);
  stc_error error = begin_again(f);
  memcpy(f->u0, f->u, u * sizeof *keep);
  if (!error) error = stc_fem_choose_mu(f);
  memcpy(f->u, keep, u * sizeof *keep);
  memcpy(f->r, keep + u, r * sizeof *keep);
  stc_release(&keep);
  STC_TRY(error ? error : stc_fem_monolithic(f, span, report));
  return settle_fields(f, span, INFINITY);
}

stc_error stc_fem_coupled_step(stc_fem *f, double t, stc_fem_report *report, stc_try *outcome) {
  stc_thermal *h = f->thermal;
  stc_span span = {f->time, t};
  stc_fem_save(f, f->begun);
  memcpy(h->T1, h->T, (size_t)h->nodes * sizeof *h->T);
  h->solves = h->passes_done = 0;
  meet_first(f);
  *outcome = STC_TRY_FAILED;
  stc_error error =
      h->monolithic ? join_unknowns(f, span, report, outcome) : stagger(f, span, report, outcome);
  if (!error && *outcome == STC_TRY_CONVERGED) {
    STC_TRY(stc_thermal_keep(h, f->surface, span));
    return stc_fem_refresh(f);  // reactions go with the fields that were kept
  }
  if (error == STC_ERR_NUMERIC)
    stc_snprintf(report->reason, sizeof report->reason, "%s", stc_error_detail());
  if (error && error != STC_ERR_NUMERIC) return error;
  if (*outcome == STC_TRY_CONVERGED) *outcome = STC_TRY_FAILED;
  return stc_fem_restore(f, f->begun, stc_fem_state_size(f));
}
