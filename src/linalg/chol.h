// Sparse Cholesky factorisation of a symmetric positive (semi-)definite matrix, by CHOLMOD.
#ifndef STC_LINALG_CHOL_H
#define STC_LINALG_CHOL_H

#include "csr.h"

typedef struct stc_chol stc_chol;

/// Factorises A (its lower triangle is read). `shift` >= 0 is added to the diagonal, relative to
/// the largest diagonal entry; solves are then refined against A itself, which is exact for
/// consistent systems with a singular A. STC_ERR_NUMERIC names the first bad pivot.
stc_error stc_chol_create(const stc_csr *A, const char *name, double shift, stc_chol **chol);

/// The same for a part of a larger matrix: sentences call row i number[i]; NULL: i.
stc_error stc_chol_create_part(const stc_csr *A, const char *name, const int *number, double shift,
                               stc_chol **chol);

/// Whether A (its lower triangle is read) has a factor in floating point. Where it has one,
/// A + *error diag(A) is positive semi-definite beyond doubt: the factor is that of a matrix within
/// *error of A, entry by entry against sqrt(a_ii a_jj) [Demmel 1989; Rump 2006]. Quicker than a
/// factor to be kept.
stc_error stc_chol_test(const stc_csr *A, const char *name, bool *positive, double *error);

/// x = A^-1 b; may be the same array. Allocates.
stc_error stc_chol_solve(stc_chol *chol, const double *b, double *x);
void stc_chol_free(stc_chol **chol);

#endif
