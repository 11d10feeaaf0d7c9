// The matrix A M^-1 A^T of the rows of A seen through an M made of blocks.
#ifndef STC_LINALG_CONDENSE_H
#define STC_LINALG_CONDENSE_H

#include "blocks.h"

/// S = A M^-1 A^T, with an entry wherever two rows of A touch one block of M; symmetric bit for bit
/// where M is symmetric. STC_ERR_MEMORY says how large it would be where it does not fit.
stc_error stc_condense(stc_arena *arena, const stc_blocks *M, const stc_csr *A, stc_csr *S);

/// x = M^-1 f; both [dofs].
stc_error stc_condense_solve(const stc_blocks *M, const double *f, double *x);

#endif
