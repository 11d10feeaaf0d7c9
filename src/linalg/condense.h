// The matrix A M^-1 A^T of the rows of A: through an M made of blocks at once, or column by column
// through any sparse solver.
#ifndef STC_LINALG_CONDENSE_H
#define STC_LINALG_CONDENSE_H

#include "blocks.h"

/// S = A M^-1 A^T, with an entry wherever two rows of A touch one block of M; symmetric bit for bit
/// where M is symmetric. STC_ERR_MEMORY says how large it would be where it does not fit.
stc_error stc_condense(stc_arena *arena, const stc_blocks *M, const stc_csr *A, stc_csr *S);

/// Columns of M^-1 A^T for the rows row[0] .. row[count-1] of A (NULL: 0 .. count-1), some at a
/// time: `take` is called once for any `group` of them, with the number of the first and x
/// [group][cols], its columns. `count` is a multiple of `group`.
typedef struct stc_columns {
  stc_sparse_solver *solver;  ///< M is factorised in it
  const stc_csr *A;
  const int *row;
  int count, group;
  double tol;  ///< relative residual of the solves
  stc_error (*take)(void *user, int first, const double *x);
  void *user;
  bool (*progress)(void *user, const char *stage, double done);  ///< or NULL
  void *progress_user;
} stc_columns;

stc_error stc_condense_columns(const stc_columns *columns);

/// x = M^-1 f; both [dofs].
stc_error stc_condense_solve(const stc_blocks *M, const double *f, double *x);

#endif
