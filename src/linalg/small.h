// Small dense matrices: systems, factors, inverses, eigenvectors. A is n x n with its entries side
// by side; where the order (rows or columns) matters, the comment of the function gives it.
#ifndef STC_LINALG_SMALL_H
#define STC_LINALG_SMALL_H

#include <stdbool.h>

enum { STC_SMALL_MAX = 6 };  ///< rows of a system and of an eigenproblem at most

/// Solves A x = b for A by columns, n <= STC_SMALL_MAX: rows scaled, partial pivoting. false:
/// singular.
bool stc_small_solve(int n, const double *A, const double *b, double *x);

/// inverse = A^-1 by Gauss and Jordan, both by rows, for any n; A is overwritten. The largest entry
/// of a column is its pivot: rows are to be of one size, columns need not. A pivot that
/// vanishes is replaced by `replacement`. Returns the sign of the determinant, 0 without an inverse
/// where a pivot vanishes and the replacement is 0.
int stc_small_invert(int n, double *A, double replacement, double *inverse);

/// A = L L^T for a symmetric A, for any n: L_ij, i >= j, stands at A[i*n + j]. Returns the first
/// row whose pivot is not above `least`, -1 if there is none.
int stc_small_cholesky(int n, double *A, double least);

/// x = (L L^T)^-1 x.
void stc_small_cholesky_solve(int n, const double *L, double *x);

/// Eigenvalues `value` [n] in increasing order and orthonormal eigenvectors `vector` [n*n], one per
/// column, of the symmetric A, n <= STC_SMALL_MAX, by Jacobi's rotations.
void stc_small_eigen(int n, const double *A, double *value, double *vector);

#endif
