// Joints, seen from the contacts: V^T r + R l + s = 0 gives l = -R^+ (V^T r + s).
// R is singular where joints are redundant; R^+ is a shifted Cholesky factor with refinement, exact
// on the range of R, and what lies off that range is refused.
#ifndef STC_PROBLEM_REDUCED_JOINTS_H
#define STC_PROBLEM_REDUCED_JOINTS_H

#include "../../linalg/bsr.h"
#include "../../linalg/sparse_solver.h"

/// R and V with row and column k multiplied by d[k], so that the diagonal of R lies in [1/2, 2).
typedef struct stc_joints {
  int count;        ///< joint equations
  stc_csr V;        ///< [size x count]
  stc_csr R;        ///< [count x count]
  double *d;        ///< [count] powers of two; 1 where R_kk = 0
  double *b, *gap;  ///< [count] work space
  stc_sparse_solver *factor;
} stc_joints;

stc_error stc_joints_create(stc_arena *arena, const stc_csr *V, const stc_csr *R,
                            stc_joints *joints);
void stc_joints_free(stc_joints *joints);

/// The scaled size of s, max |d_k s_k|.
double stc_joints_size(const stc_joints *joints, const double *s);

/// l = -R^+ s. Refuses an s further off the range of R than rounding explains for data of the size
/// `energy`, naming the joint equation.
stc_error stc_joints_settle(const stc_joints *joints, const double *s, double energy, double *l);

/// l = -R^+ s for an s known to be in the range of R.
stc_error stc_joints_solve(const stc_joints *joints, const double *s, double *l);

/// B = W - V R^+ V^T, symmetric bit for bit if W is. Refuses a contact whose row of V is off the
/// range of R.
stc_error stc_joints_eliminate(const stc_joints *joints, const stc_bsr *W, stc_arena *arena,
                               stc_bsr *B);

#endif
