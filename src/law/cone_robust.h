// One contact in hat variables for any W and c, judged in the units of the physical tangents.
#ifndef STC_LAW_CONE_ROBUST_H
#define STC_LAW_CONE_ROBUST_H

#include <float.h>
#include <stdbool.h>

/// A candidate whose violation, relative to the largest velocity, is below this is an answer.
#define STC_CONE_ANSWER 1e-9

/// Rounding of a row of u = W r + c, relative to the sum of the magnitudes of its terms.
#define STC_CONE_ROUNDING (32.0 * DBL_EPSILON)

/// As stc_cone_solve_robust for dim 1, 2 or 3, with the weights D_i [dim] that lead from physical
/// to hat velocities (u'_i = D_i u_i), so that accuracy is asked of u and not of D u. W and c are
/// expected near 1. Where several answers exist the one nearest to r is taken.
bool stc_cone_solve_weighted(int dim, const double *W, const double *c, const double *D, double *r);

#endif
