// Supernodal Cholesky factorisation of a sparse symmetric positive definite matrix,
//   P A P^T = L L^T,
// with dense kernels of our own: the bits do not depend on the number of threads, nor on the BLAS
// of the machine.
#ifndef STC_LINALG_LLT_H
#define STC_LINALG_LLT_H

#include "../csr.h"
#include "bmat.h"

#include <float.h>

typedef struct stc_llt stc_llt;

/// Orders and analyses the pattern of A, which must outlive the result. STC_ERR_MEMORY where the
/// factor has more entries than an int counts.
stc_error stc_llt_create(const stc_csr *A, const stc_crew *crew, stc_llt **llt);
void stc_llt_free(stc_llt **llt);

double stc_llt_entries(const stc_llt *llt);  ///< of L
double stc_llt_flops(const stc_llt *llt);    ///< of one factorisation

/// A pivot this small against its diagonal entry is what rounding leaves of an exact zero.
#define STC_LLT_FLOOR (10 * DBL_EPSILON)

/// The factor of A with the values val [entries of A]; its memory is taken the first time. `shift`,
/// relative to the largest diagonal entry, is added to the diagonal. STC_ERR_NUMERIC where a pivot
/// is not above `floor` times its diagonal entry; *bad is then the row, otherwise -1.
stc_error stc_llt_factorise(stc_llt *llt, const double *val, double shift, double floor, int *bad);

/// The computed factor is that of a matrix within this part of A, entry by entry against
/// sqrt(a_ii a_jj) [Demmel 1989; Rump 2006].
double stc_llt_rounding(const stc_llt *llt);

/// X = A^-1 X for `count` right-hand sides by columns, each [rows]. Allocates the first time, and
/// where more right-hand sides are given than before.
stc_error stc_llt_solve(stc_llt *llt, int count, double *X);

#endif
