// Coefficients of deformable bodies that depend on what a contact did: chosen for every slave node
// before a load step, from its place, its slip and rate of slip, force, pressure and age so far;
// kept during it, so that the step obeys Coulomb's law.
#include "../base/fail.h"
#include "fem_data.h"

#include <math.h>
#include <string.h>

stc_error stc_fem_make_past(stc_fem *f, const stc_fem_description *d) {
  bool any = false;
  for (int p = 0; p < d->pairs; p++) any = any || d->pair[p].coefficient;
  if (!any) return STC_OK;
  size_t contacts = (size_t)f->contacts;
  f->coefficient = STC_TAKE(&f->arena, stc_coefficient, d->pairs);
  f->path = STC_TAKE(&f->arena, double, contacts);
  f->age = STC_TAKE(&f->arena, double, contacts);
  f->rate = STC_TAKE(&f->arena, double, contacts *(size_t)f->dim);
  STC_TRY(stc_arena_check(&f->arena));
  for (int p = 0; p < d->pairs; p++)
    f->coefficient[p] =
        d->pair[p].coefficient ? *d->pair[p].coefficient : stc_coefficient_constant(d->pair[p].mu);
  return STC_OK;
}

static stc_contact_past recall_node(const stc_fem *f, int k) {
  const stc_candidate *c = &stc_surface_candidates(f->surface)[k];
  double force = f->r[(ptrdiff_t)k * f->dim];
  stc_contact_past past = {.slip = f->path[k], .t = f->time, .force = force, .age = f->age[k]};
  past.pressure = c->area > 0 ? force / c->area : 0;
  for (int i = 0; i < f->dim; i++) {
    ptrdiff_t at = (ptrdiff_t)c->node * f->dim + i;
    past.place[i] = f->mesh->x[at] + f->u0[at];
    if (i > 0) past.u[i] = f->rate[(ptrdiff_t)k * f->dim + i];
    past.speed = hypot(past.speed, past.u[i]);
  }
  return past;
}

stc_error stc_fem_choose_mu(stc_fem *f) {
  if (!f->coefficient) return STC_OK;
  stc_fail(STC_OK, "%s", "");  // a function that stops the run may leave its own sentence
  for (int k = 0; k < f->contacts; k++) {
    const stc_candidate *c = &stc_surface_candidates(f->surface)[k];
    stc_contact_past past = recall_node(f, k);
    double mu = f->mu[k] = stc_coefficient_mu(&f->coefficient[c->pair], &past);
    if (isfinite(mu) && mu >= 0) continue;
    if (stc_error_detail()[0] != '\0') return STC_ERR_CALLBACK;
    return stc_fail(STC_ERR_VALUE, "contact %d: mu = %g at node %d, t = %g; give a number >= 0",
                    c->pair, mu, c->node, f->time);
  }
  return STC_OK;
}

// What sticks has no rate, whatever rounding left.
static void keep_node(stc_fem *f, int k, double dt) {
  const double *v = f->v + (ptrdiff_t)k * f->dim;
  double *rate = f->rate + (ptrdiff_t)k * f->dim, path = 0;
  bool slips = stc_fem_status(f, k) == STC_CONTACT_SLIP;
  for (int a = 1; a < f->dim; a++) {
    rate[a] = slips ? v[a] / dt : 0;
    path = hypot(path, v[a]);
  }
  if (slips) f->path[k] += path;
  f->age[k] = f->r[(ptrdiff_t)k * f->dim] > 0 ? f->age[k] + dt : 0;
}

void stc_fem_keep_past(stc_fem *f, double dt) {
  for (int k = 0; f->coefficient && k < f->contacts; k++) keep_node(f, k, dt);
}

void stc_fem_pass_past(stc_tape *tape, stc_fem *f) {
  size_t contacts = (size_t)f->contacts;
  stc_tape_pass(tape, f->mu, contacts);
  stc_tape_pass(tape, f->path, contacts);
  stc_tape_pass(tape, f->age, contacts);
  stc_tape_pass(tape, f->rate, contacts * (size_t)f->dim);
}
