// The ledger of a step. With u the mean of u_I and u_F, and U_I, U_F the relative velocities,
//   T(u_F) - T(u_I) = h Q.u + r.(U_I + U_F)/2 + r.H V_w
// exactly: work of the forces, of the contacts (normal: shock, the rest: friction) and of the
// moving walls. What a potential gives and what a varying M takes is taken out of the work by
// differences around q_M.
#include "../../base/fail.h"
#include "simulation.h"

#include <math.h>

// The magnitude of what velocities are summed from: u_F = u_L + M^-1 H^T r and U = H (u_F - V_w).
// A sum that cancels keeps the rounding of its terms, about 1e-16 of
//   |u_I| + |u_L| + M^-1 |H|^T rho,   and |H| of it + |H V_w|,
// where rho are the greatest impulses that the law allows beside r_N: an impulse that is zero but
// for rounding has the rounding of those.

/// The greatest impulse of component k beside r_N.
static double greatest_impulse(const stc_law *law, const double *r, int k) {
  double normal = fabs(r[0]);
  if (k == 0) return normal;
  if (k <= stc_law_sliding(law)) return fmax(fabs(r[k]), fmax(law->mu[0], law->mu[1]) * normal);
  double arm = law->kind == STC_LAW_CONTENSOU ? law->mu[0] * law->radius : law->length;
  return fmax(fabs(r[k]), arm * normal);
}

/// y += |H|^T rho
static void spread_impulses(const stc_simulation *s, double *y) {
  const stc_contacts *c = &s->contacts;
  int dim = s->system.dim;
  for (int row = 0; row < c->H.rows; row++) {
    int contact = row / dim;
    double rho =
        greatest_impulse(&c->law[contact], c->row.r + (size_t)contact * (size_t)dim, row % dim);
    for (int e = c->H.ptr[row]; e < c->H.ptr[row + 1]; e++)
      y[c->H.col[e]] += fabs(c->H.val[e]) * rho;
  }
}

stc_error stc_contacts_terms(stc_simulation *s) {
  stc_contacts *c = &s->contacts;
  for (int i = 0; i < s->system.dofs; i++) s->u_terms[i] = 0;
  spread_impulses(s, s->u_terms);
  if (c->row.count) STC_TRY(stc_mass_solve(&s->mass, s->u_terms));
  for (int i = 0; i < s->system.dofs; i++)
    s->u_terms[i] = fabs(s->u_terms[i]) + fabs(s->u[i]) + fabs(s->u_L[i]);
  for (int row = 0; row < c->H.rows; row++) {
    c->terms[row] = fabs(c->row.drive[row]);
    for (int e = c->H.ptr[row]; e < c->H.ptr[row + 1]; e++)
      c->terms[row] += fabs(c->H.val[e]) * s->u_terms[c->H.col[e]];
  }
  return STC_OK;
}

const double *stc_simulation_u_terms(const stc_simulation *s) { return s->u_terms; }

const double *stc_simulation_wall_terms(const stc_simulation *s, int wall) {
  return s->terms + (size_t)wall * (size_t)s->system.dim;
}

/// Energy at (t, q, u), into the step in the making.
static stc_error measure_energy(stc_simulation *s, double t, const double *q, const double *u) {
  STC_TRY(stc_ask_mass(s, t, q));
  STC_TRY(stc_ask_potential(s, t, q, &s->potential));
  s->kinetic = stc_mass_kinetic(&s->mass, u);
  return STC_OK;
}

stc_error stc_ledger_open(stc_simulation *s) {
  STC_TRY(measure_energy(s, s->start_time, s->q, s->u));
  STC_TRY(stc_mass_use(&s->mass));
  stc_account_open(&s->account, s->kinetic, s->potential);
  return STC_OK;
}

/// q_M + part h u, u the mean velocity.
static const double *beside(stc_simulation *s, double part) {
  double half = part * s->stepping.h / 2;
  for (int i = 0; i < s->system.dofs; i++) s->scratch[i] = s->q_M[i] + half * (s->u[i] + s->u_F[i]);
  return s->scratch;
}

/// h Q.u less what the potential gives along the path: V(t + h, q_M + d/2) - V(t, q_M - d/2) with
/// d = h u, exact for potentials up to the second degree.
static stc_error work_of_forces(stc_simulation *s, double t) {
  double h = s->stepping.h, work = 0, before, after;
  for (int i = 0; i < s->system.dofs; i++) work += h * s->Q[i] * (s->u[i] + s->u_F[i]) / 2;
  stc_account_add(&s->trial, STC_ENTRY_WORK, work);
  if (!s->system.potential) return STC_OK;
  STC_TRY(stc_ask_potential(s, t, beside(s, -0.5), &before));
  STC_TRY(stc_ask_potential(s, t + h, beside(s, 0.5), &after));
  stc_account_add(&s->trial, STC_ENTRY_WORK, after - before);
  return STC_OK;
}

/// u.(M(t + h, q_M + d/2) - M(t, q_M - d/2)).u/2: what the inertial forces that a varying M puts
/// into Q take, the motion keeps.
static stc_error work_of_inertia(stc_simulation *s, double t) {
  if (stc_mass_is_used(&s->mass)) return STC_OK;
  double *mean = s->u_L;  // not needed any more
  for (int i = 0; i < s->system.dofs; i++) mean[i] = (s->u[i] + s->u_F[i]) / 2;
  STC_TRY(stc_ask_mass(s, t, beside(s, -0.5)));
  stc_account_add(&s->trial, STC_ENTRY_WORK, -stc_mass_kinetic(&s->mass, mean));
  STC_TRY(stc_ask_mass(s, t + s->stepping.h, beside(s, 0.5)));
  stc_account_add(&s->trial, STC_ENTRY_WORK, stc_mass_kinetic(&s->mass, mean));
  return STC_OK;
}

stc_error stc_ledger_move(stc_simulation *s) {
  double t = stc_simulation_time(s);
  s->trial = s->account;
  STC_TRY(measure_energy(s, t + s->stepping.h, s->q_F, s->u_F));
  STC_TRY(work_of_inertia(s, t));
  STC_TRY(work_of_forces(s, t));
  stc_account_contacts(&s->trial, &s->contacts.row);
  return STC_OK;
}

stc_error stc_ledger_close(stc_simulation *s) {
  double before = s->kinetic + s->potential;
  if (s->stepping.correction > 0) {
    STC_TRY(measure_energy(s, stc_simulation_time(s) + s->stepping.h, s->q_F, s->u_F));
    stc_account_add(&s->trial, STC_ENTRY_CORRECTION, s->kinetic + s->potential - before);
  }
  stc_account_close(&s->trial, s->kinetic, s->potential);
  return STC_OK;
}
