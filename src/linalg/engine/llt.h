// Supernodal Cholesky factorisation of a sparse symmetric positive definite matrix,
//   P A P^T = L L^T,
// with the structure of L from CHOLMOD and the numbers from our own dense kernels: the bits do not
// depend on the number of threads, nor on the BLAS of the machine.
#ifndef STC_LINALG_LLT_H
#define STC_LINALG_LLT_H

#include "../csr.h"
#include "bmat.h"

typedef struct stc_llt stc_llt;

/// Orders and analyses the pattern of A, which must outlive the result. Unknowns with one number in
/// `node` [rows] (NULL: each alone) stay together in the order. STC_ERR_MEMORY where the factor has
/// more entries than an int counts.
stc_error stc_llt_create(const stc_csr *A, const int *node, const stc_crew *crew, stc_llt **llt);
void stc_llt_free(stc_llt **llt);

size_t stc_llt_rows(const stc_llt *llt);
double stc_llt_entries(const stc_llt *llt);  ///< of L
double stc_llt_flops(const stc_llt *llt);    ///< of one factorisation

/// The factor of A with the values val [entries of A]; its memory is taken the first time.
/// STC_ERR_NUMERIC where A is not positive definite; *bad is then the row, otherwise -1.
stc_error stc_llt_factorise(stc_llt *llt, const double *val, int *bad);

/// X = A^-1 X for `count` right-hand sides by columns, each [rows]. Allocates the first time, and
/// where more right-hand sides are given than before.
stc_error stc_llt_solve(stc_llt *llt, int count, double *X);

#endif
