// One step of both fields by Newton's method, with contacts as they are; and what is kept of it.
#include "../../base/fail.h"
#include "thermal_fields.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_SOLVES = 50, MAX_HALVINGS = 10 };

// A residual that a step does not halve any more, and that is this small, is rounding.
#define ROUNDED 1e-9

void stc_thermal_warm(stc_thermal *h, const double *T) {
  for (int n = 0; n < h->nodes; n++) h->warmth[n] = T[n] - h->reference;
}

stc_error stc_thermal_assemble(stc_thermal *h, const stc_surface *surface, stc_span span,
                               const stc_coupled_rows *coupled, stc_equations *e,
                               stc_heat_balance *rate) {
  *rate = (stc_heat_balance){0};
  STC_TRY(stc_thermal_add_cells(h, span.t1 - span.t0, e, rate));
  STC_TRY(stc_thermal_add_passages(h, span, e, rate));
  return stc_thermal_add_junctions(h, surface, span, coupled, e, rate);
}

// What rounding of a field of the size `most` makes of the flows, with entries up to `largest`.
static double rounding_of(const stc_equations *e, int first, int end, double most) {
  double largest = 0;
  for (int k = 0; k < e->entries; k++)
    if (e->row[k] >= first && e->row[k] < end && e->row[k] == e->col[k])
      largest = fmax(largest, fabs(e->val[k]));
  return 16 * DBL_EPSILON * largest * most;
}

static double largest_of(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

double stc_thermal_residual(const stc_thermal *h, const stc_equations *e) {
  int n = h->nodes;
  double T = rounding_of(e, 0, n, largest_of(h->T1, n));
  double phi = rounding_of(e, n, 2 * n, largest_of(h->phi, n));
  return fmax(stc_equations_residual(e, 0, n, T / h->tol),
              stc_equations_residual(e, n, 2 * n, phi / h->tol));
}

// T1 and phi move by the part a of the step.
static void take_fields_step(stc_thermal *h, const stc_equations *e, double a) {
  for (int n = 0; n < h->nodes; n++) {
    if (!e->given[n]) h->T1[n] += a * e->step[n];
    int at = stc_at_potential(&e->n, n);
    if (!e->given[at]) h->phi[n] += a * e->step[at];
  }
}

// Halves the step while there is no answer at its end, as with a resistivity below zero, or a worse
// one; the residual at its end is in *left.
static stc_error search_fields(stc_thermal *h, const stc_surface *surface, stc_span span,
                               double before, double *left) {
  stc_equations *e = &h->fields;
  stc_heat_balance rate;
  double taken = 0;
  for (int i = 0; i <= MAX_HALVINGS; i++) {
    double a = ldexp(1, -i);
    take_fields_step(h, e, a - taken);
    taken = a;
    stc_equations_clear(e, true);
    stc_error error = stc_thermal_assemble(h, surface, span, NULL, e, &rate);
    if (error && error != STC_ERR_NUMERIC) return error;
    *left = error ? INFINITY : stc_thermal_residual(h, e);
    if (*left <= fmax(before, ROUNDED)) break;
  }
  return isfinite(*left) ? STC_OK : STC_ERR_NUMERIC;
}

// The potential at the temperatures as they are: a start whose Joule heat is that of a solution.
static stc_error begin_potential(stc_thermal *h, const stc_surface *surface, stc_span span) {
  stc_equations *e = &h->fields;
  stc_heat_balance rate;
  bool any = false;
  STC_TRY(stc_thermal_given(h, span, e));
  for (int n = 0; n < h->nodes; n++) {
    any = any || !e->given[stc_at_potential(&e->n, n)];
    e->given[n] = true;
  }
  if (any) {
    stc_equations_clear(e, true);
    STC_TRY(stc_thermal_assemble(h, surface, span, NULL, e, &rate));
    STC_TRY(stc_equations_solve(e, h->memory));
    take_fields_step(h, e, 1);
    h->solves++;
  }
  return stc_thermal_given(h, span, e);
}

stc_error stc_thermal_solve(stc_thermal *h, const stc_surface *surface, stc_span span) {
  stc_equations *e = &h->fields;
  stc_heat_balance rate;
  double left, before = INFINITY;
  STC_TRY(begin_potential(h, surface, span));
  stc_equations_clear(e, true);
  STC_TRY(stc_thermal_assemble(h, surface, span, NULL, e, &rate));
  left = stc_thermal_residual(h, e);
  for (int i = 0; i <= MAX_SOLVES; i++) {
    // One solve more than the tolerance asks for: the balance of heat is exact to rounding.
    if (left == 0 || before <= h->tol || (left <= ROUNDED && left > before / 2)) return STC_OK;
    before = left;
    STC_TRY(stc_equations_solve(e, h->memory));
    h->solves++;
    STC_TRY(search_fields(h, surface, span, before, &left));
  }
  return stc_fail(STC_ERR_NUMERIC,
                  "no balance of heat and current after %d iterations (residual %.2g); a body "
                  "without a given temperature or potential cannot take what flows into it",
                  MAX_SOLVES, left);
}

static void add_up(stc_heat_balance *sum, const stc_heat_balance *rate, double dt) {
  sum->stored += dt * rate->stored;
  sum->given += dt * rate->given;
  sum->surface += dt * rate->surface;
  sum->source += dt * rate->source;
  sum->joule += dt * rate->joule;
  sum->contact += dt * rate->contact;
  sum->friction += dt * rate->friction;
  sum->obstacle += dt * rate->obstacle;
  sum->error += dt * rate->error;
}

stc_error stc_thermal_keep(stc_thermal *h, const stc_surface *surface, stc_span span) {
  stc_equations *e = &h->fields;
  stc_heat_balance *rate = &h->rate;
  stc_equations_clear(e, false);
  STC_TRY(stc_thermal_given(h, span, e));
  STC_TRY(stc_thermal_assemble(h, surface, span, NULL, e, rate));
  for (int n = 0; n < h->nodes; n++) {
    h->heat[n] = e->given[n] ? e->R[n] : 0;
    h->current[n] = e->given[n + h->nodes] && h->conducts[n] ? e->R[n + h->nodes] : 0;
    rate->given += h->heat[n];
  }
  rate->error = rate->stored - (rate->given + rate->surface + rate->source + rate->joule +
                                rate->contact + rate->friction + rate->obstacle);
  add_up(&h->sum, rate, span.t1 - span.t0);
  STC_TRY(stc_thermal_take_flows(h, surface, span));
  memcpy(h->T, h->T1, (size_t)h->nodes * sizeof *h->T);
  return STC_OK;
}

void stc_thermal_pass(stc_tape *tape, stc_thermal *h) {
  size_t nodes = (size_t)h->nodes;
  stc_tape_pass(tape, h->T, nodes);
  stc_tape_pass(tape, h->phi, nodes);
  stc_tape_pass(tape, h->heat, nodes);
  stc_tape_pass(tape, h->current, nodes);
  size_t flow = sizeof *h->flow / sizeof h->flow->jump;
  if (h->contacts) stc_tape_pass(tape, &h->flow->jump, flow * (size_t)h->contacts);
  stc_tape_pass(tape, &h->rate.stored, sizeof h->rate / sizeof h->rate.stored);
  stc_tape_pass(tape, &h->sum.stored, sizeof h->sum / sizeof h->sum.stored);
}
