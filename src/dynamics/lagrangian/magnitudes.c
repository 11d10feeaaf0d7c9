// The magnitude of what velocities are summed from: u_F = u_L + M^-1 H^T r and U = H (u_F - V_w).
// A sum that cancels keeps the rounding of its terms, about 1e-16 of
//   |u_I| + |u_L| + M^-1 |H|^T rho,   and |H| of it + |H V_w|,
// where rho are the greatest impulses that the law allows beside r_N: an impulse that is zero but
// for rounding has the rounding of those.
#include "../../base/fail.h"
#include "simulation.h"

#include <math.h>

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
