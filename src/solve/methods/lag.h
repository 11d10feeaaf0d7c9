// The Coulomb problem with its De Saxcé term frozen: (D_s), the convex problem
//   K ∋ r ⟂ u + s e_N ∈ K*,   s given; s = shift(u) makes it Coulomb's   [Cadoux 2009].
#ifndef STC_SOLVE_LAG_H
#define STC_SOLVE_LAG_H

#include "../method.h"

#include <math.h>

/// shift[c] = s(u_c), [contacts].
static inline void stc_lag_shifts(const stc_reduced *p, const double *u, double *shift) {
  for (int c = 0; c < p->contacts; c++) shift[c] = stc_law_shift(&p->law[c], u + c * p->dim);
}

/// Sum of the squares of the natural map of (D_s) in the metric of kappa; shift NULL: of the exact
/// problem.
static inline double stc_lag_square(const stc_reduced *p, const double *shift, const double *r,
                                    const double *u) {
  double sum = 0;
  for (int c = 0; c < p->contacts; c++) {
    double y[STC_MAX_DIM];
    const double *rc = r + c * p->dim, *uc = u + c * p->dim;
    double s = shift ? shift[c] : stc_law_shift(&p->law[c], uc);
    for (int k = 0; k < p->dim; k++) y[k] = rc[k] - (uc[k] + (k == 0 ? s : 0)) / p->kappa[c];
    stc_law_project(&p->law[c], y, y);
    for (int k = 0; k < p->dim; k++) sum += p->kappa[c] * (rc[k] - y[k]) * (rc[k] - y[k]);
  }
  return sum;
}

/// |natural map of (D_s)| / |natural map of the exact problem|: how well the frozen problem is
/// solved; 0 at a solution.
static inline double stc_lag_share(const stc_reduced *p, const double *shift, const double *r,
                                   const double *u) {
  double exact = stc_lag_square(p, NULL, r, u);
  return exact > 0 ? sqrt(stc_lag_square(p, shift, r, u) / exact) : 0;
}

#endif
