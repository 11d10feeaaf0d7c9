// The Coulomb problem with its De Saxcé term frozen: (D_s), the convex problem
//   K ∋ r ⟂ u + s e_N ∈ K*,   s given; s = shift(u) makes it Coulomb's   [Cadoux 2009].
#ifndef STC_SOLVE_LAG_H
#define STC_SOLVE_LAG_H

#include "method.h"

/// shift[c] = s(u_c), [contacts].
void stc_lag_shifts(const stc_reduced *problem, const double *u, double *shift);

/// |natural map of (D_s)| / |natural map of the exact problem|, in the metric of kappa: how well
/// the frozen problem is solved; 0 at a solution.
double stc_lag_share(const stc_reduced *problem, const double *shift, const double *r,
                     const double *u);

#endif
