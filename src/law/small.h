// Small dense numerics for one contact: systems and eigenvectors up to 5 x 5, roots of quartics.
#ifndef STC_LAW_SMALL_H
#define STC_LAW_SMALL_H

#include <stdbool.h>

enum { STC_DENSE_MAX = 5 };

/// Solves A x = b for A [n*n] by columns, n <= 5: rows scaled, partial pivoting. false: singular.
bool stc_dense_solve(int n, const double *A, const double *b, double *x);

/// Eigenvalues `value` [n] in increasing order and orthonormal eigenvectors `vector` [n*n], one per
/// column, of the symmetric A [n*n], by Jacobi's rotations.
void stc_dense_eigen(int n, const double *A, double *value, double *vector);

enum { STC_QUARTIC_DEGREE = 4, STC_QUARTIC_MAX = 20 };

/// Roots of p(z) = p[0] + p[1] z + ... + p[4] z^4 on [-1, 1] in increasing order, then the points
/// where p nearly touches zero. At most STC_QUARTIC_MAX; returns how many.
int stc_quartic_roots(const double p[STC_QUARTIC_DEGREE + 1], double *root);

#endif
