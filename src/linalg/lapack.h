// What is taken from LAPACK, for dense matrices by columns. The bits may depend on the machine's
// BLAS: measures of a problem, never a part of its answer.
#ifndef STC_LINALG_LAPACK_H
#define STC_LINALG_LAPACK_H

#include "../base/memory.h"

/// A = Q diag(value) Q^T of a symmetric A [n*n], values rising; Q replaces A. Work space comes from
/// the arena.
stc_error stc_lapack_eigen(stc_arena *arena, int n, double *A, double *value);

/// Singular values of A [n*n], largest first; A is destroyed.
stc_error stc_lapack_singular_values(stc_arena *arena, int n, double *A, double *value);

#endif
