// M as independent blocks: the connected components of its graph, each with its factor.
#ifndef STC_LINALG_BLOCKS_H
#define STC_LINALG_BLOCKS_H

#include "envelope.h"
#include "sparse_solver.h"

/// Blocks are ordered by their first degree of freedom; inside a block the order is that of M.
typedef struct stc_blocks {
  stc_arena arena;
  int count;
  int *ptr;             ///< [count+1] positions of block b: ptr[b] .. ptr[b+1]
  int *dof;             ///< [dofs] degree of freedom at each position
  int *block;           ///< [dofs] block of each degree of freedom
  int *position;        ///< [dofs] position of each degree of freedom
  bool symmetric;       ///< every block is, but for rounding
  stc_envelope *dense;  ///< [count] factor of a block of up to STC_ENVELOPE_MAX rows; n = 0: none
  stc_sparse_solver **sparse;  ///< [count] factor of a large block, or NULL
} stc_blocks;

/// Fails with STC_ERR_NUMERIC where M (its symmetric part) is not positive definite, naming the
/// row, and with STC_ERR_UNSUPPORTED for a block of more than 64 rows that is not symmetric.
stc_error stc_blocks_create(const stc_csr *M, stc_blocks **blocks);
void stc_blocks_free(stc_blocks **blocks);

/// x = M_b^-1 x; x [n_b].
stc_error stc_blocks_solve(const stc_blocks *blocks, int b, double *x);

/// The same for STC_LANES vectors side by side, x [n_b][STC_LANES], of which the first `lanes` are
/// asked for, and of those the rows from `first` on; rows before are 0. column [n_b] is work space.
stc_error stc_blocks_solve_lanes(const stc_blocks *blocks, int b, int lanes, int first,
                                 double *column, double *x);

#endif
