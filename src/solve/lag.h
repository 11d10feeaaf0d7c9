// The Coulomb problem with its De Saxcé term frozen: (D_s), the convex problem
//   K ∋ r ⟂ u + s e_N ∈ K*,   s given; s = shift(u) makes it Coulomb's   [Cadoux 2009].
#ifndef STC_SOLVE_LAG_H
#define STC_SOLVE_LAG_H

#include "method.h"

#include <math.h>

/// shift[c] = s(u_c), [contacts].
static inline void stc_lag_shifts(const stc_reduced *p, const double *u, double *shift) {
  for (int c = 0; c < p->contacts; c++) shift[c] = stc_law_shift(&p->law[c], u + c * p->dim);
}

/// |natural map of (D_s)| / |natural map of the exact problem|, in the metric of kappa: how well
/// the frozen problem is solved; 0 at a solution.
static inline double stc_lag_share(const stc_reduced *p, const double *shift, const double *r,
                                   const double *u) {
  double frozen = 0, exact = 0;
  for (int c = 0; c < p->contacts; c++) {
    double y[STC_MAX_DIM], F[STC_MAX_DIM];
    const double *rc = r + c * p->dim, *uc = u + c * p->dim;
    for (int k = 0; k < p->dim; k++) y[k] = rc[k] - (uc[k] + (k == 0 ? shift[c] : 0)) / p->kappa[c];
    stc_law_project(&p->law[c], y, y);
    stc_law_residual(&p->law[c], p->kappa[c], rc, uc, F);
    for (int k = 0; k < p->dim; k++) {
      frozen += p->kappa[c] * (rc[k] - y[k]) * (rc[k] - y[k]);
      exact += p->kappa[c] * F[k] * F[k];
    }
  }
  return exact > 0 ? sqrt(frozen / exact) : 0;
}

#endif
