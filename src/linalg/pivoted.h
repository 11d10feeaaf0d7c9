// Dense Cholesky with diagonal pivoting for positive semi-definite matrices of moderate size.
#ifndef STC_LINALG_PIVOTED_H
#define STC_LINALG_PIVOTED_H

#include "csr.h"

/// A = L L^T, L [rows x rank] by columns, taken from the arena. A is symmetric; one that is not
/// positive semi-definite, or has more than 3000 rows, is refused.
stc_error stc_pivoted_cholesky(stc_arena *arena, const char *name, const stc_csr *A, int *rank,
                               double **L);

#endif
