// The books of a step. With u the mean of u_I and u_F, and U_I, U_F the relative velocities,
//   T(u_F) - T(u_I) = h Q.u + r.(U_I + U_F)/2 + r.H V_w
// exactly: work of the forces, of the contacts (normal: shock, the rest: friction) and of the
// moving walls. What a potential gives and what a varying M takes is taken out of the work by
// differences around q_M.
#include "simulation.h"

#include "../../base/fail.h"

#include <math.h>
#include <string.h>

static void add(stc_sum *sum, double x) {
  double total = sum->value + x;
  bool kept = fabs(sum->value) >= fabs(x);
  sum->rest += kept ? (sum->value - total) + x : (x - total) + sum->value;
  sum->value = total;
}

static double value(const stc_sum *sum) { return sum->value + sum->rest; }

static stc_error take_stock(stc_simulation *s, double t, const double *q, const double *u,
                            stc_ledger *ledger) {
  STC_TRY(stc_ask_mass(s, t, q));
  STC_TRY(stc_ask_potential(s, t, q, &ledger->potential));
  ledger->kinetic = stc_mass_kinetic(&s->mass, u);
  return STC_OK;
}

/// Copies the sums into the ledger and strikes the balance.
static void balance(stc_simulation *s, stc_ledger *ledger) {
  stc_sum *sum = s->trial, error = {0};
  ledger->work = value(&sum[STC_ENTRY_WORK]);
  ledger->drive = value(&sum[STC_ENTRY_DRIVE]);
  ledger->friction = value(&sum[STC_ENTRY_FRICTION]);
  ledger->shock = value(&sum[STC_ENTRY_SHOCK]);
  ledger->correction = value(&sum[STC_ENTRY_CORRECTION]);
  add(&error, ledger->kinetic);
  add(&error, ledger->potential);
  add(&error, -ledger->start);
  for (int k = 0; k < STC_ENTRIES; k++) {
    add(&error, -sum[k].value);
    add(&error, -sum[k].rest);
  }
  ledger->error = value(&error);
}

stc_error stc_ledger_open(stc_simulation *s) {
  memset(s->sum, 0, sizeof s->sum);
  s->ledger = (stc_ledger){0};
  STC_TRY(take_stock(s, s->start_time, s->q, s->u, &s->ledger));
  STC_TRY(stc_mass_use(&s->mass));
  s->ledger.start = s->ledger.kinetic + s->ledger.potential;
  return STC_OK;
}

/// q_M + part h u, u the mean velocity.
static const double *beside(stc_simulation *s, double part) {
  double half = part * s->stepping.h / 2;
  for (int i = 0; i < s->system.dofs; i++) s->scratch[i] = s->q_M[i] + half * (s->u[i] + s->u_F[i]);
  return s->scratch;
}

/// h Q.u less what the potential gives along the way: V(t + h, q_M + d/2) - V(t, q_M - d/2) with
/// d = h u, exact for potentials up to the second degree.
static stc_error work_of_forces(stc_simulation *s, double t) {
  double h = s->stepping.h, work = 0, before, after;
  for (int i = 0; i < s->system.dofs; i++) work += h * s->Q[i] * (s->u[i] + s->u_F[i]) / 2;
  add(&s->trial[STC_ENTRY_WORK], work);
  if (!s->system.potential) return STC_OK;
  STC_TRY(stc_ask_potential(s, t, beside(s, -0.5), &before));
  STC_TRY(stc_ask_potential(s, t + h, beside(s, 0.5), &after));
  add(&s->trial[STC_ENTRY_WORK], after - before);
  return STC_OK;
}

/// u.(M(t + h, q_M + d/2) - M(t, q_M - d/2)).u/2: what the inertial forces that a varying M puts
/// into Q take, the motion keeps.
static stc_error work_of_inertia(stc_simulation *s, double t) {
  if (stc_mass_is_used(&s->mass)) return STC_OK;
  double *mean = s->u_L;  // not needed any more
  for (int i = 0; i < s->system.dofs; i++) mean[i] = (s->u[i] + s->u_F[i]) / 2;
  STC_TRY(stc_ask_mass(s, t, beside(s, -0.5)));
  add(&s->trial[STC_ENTRY_WORK], -stc_mass_kinetic(&s->mass, mean));
  STC_TRY(stc_ask_mass(s, t + s->stepping.h, beside(s, 0.5)));
  add(&s->trial[STC_ENTRY_WORK], stc_mass_kinetic(&s->mass, mean));
  return STC_OK;
}

/// A contact gives no energy. One part of its work may be positive where a shock couples the normal
/// and the tangent: then the other part holds both. Where the frame or the velocity turns within
/// the step even their sum may be, by the order of h: what the time step gives counts as
/// correction.
static void book_contact(stc_simulation *s, double normal, double tangential) {
  double sum = normal + tangential;
  if (sum > 0)
    add(&s->trial[STC_ENTRY_CORRECTION], sum);
  else if (tangential > 0)
    add(&s->trial[STC_ENTRY_SHOCK], sum);
  else if (normal > 0)
    add(&s->trial[STC_ENTRY_FRICTION], sum);
  if (sum > 0 || tangential > 0 || normal > 0) return;
  add(&s->trial[STC_ENTRY_SHOCK], normal);
  add(&s->trial[STC_ENTRY_FRICTION], tangential);
}

static void work_of_contacts(stc_simulation *s) {
  const stc_contacts *c = &s->contacts;
  int dim = s->system.dim;
  for (int first = 0; first < c->count * dim; first += dim) {
    double part[2] = {0};
    for (int k = first; k < first + dim; k++) {
      part[k > first] += c->r[k] * (c->before[k] + c->after[k]) / 2;
      add(&s->trial[STC_ENTRY_DRIVE], c->r[k] * c->drive[k]);
    }
    book_contact(s, part[0], part[1]);
  }
}

stc_error stc_ledger_move(stc_simulation *s) {
  double t = stc_simulation_time(s);
  memcpy(s->trial, s->sum, sizeof s->trial);
  s->trial_ledger = s->ledger;
  STC_TRY(take_stock(s, t + s->stepping.h, s->q_F, s->u_F, &s->trial_ledger));
  s->energy = s->trial_ledger.kinetic + s->trial_ledger.potential;
  STC_TRY(work_of_inertia(s, t));
  STC_TRY(work_of_forces(s, t));
  work_of_contacts(s);
  return STC_OK;
}

stc_error stc_ledger_close(stc_simulation *s) {
  stc_ledger *ledger = &s->trial_ledger;
  if (s->stepping.correction > 0) {
    STC_TRY(take_stock(s, stc_simulation_time(s) + s->stepping.h, s->q_F, s->u_F, ledger));
    add(&s->trial[STC_ENTRY_CORRECTION], ledger->kinetic + ledger->potential - s->energy);
  }
  balance(s, ledger);
  return STC_OK;
}
