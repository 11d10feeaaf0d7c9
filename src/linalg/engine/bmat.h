// Sparse matrices of small dense blocks between nodes, and what multigrid does with them. Work is
// cut into pieces that do not depend on the number of threads: neither do the bits.
#ifndef STC_LINALG_BMAT_H
#define STC_LINALG_BMAT_H

#include "../../base/memory.h"
#include "../../base/team.h"

/// Threads at hand, and whom they tell; team and progress may be NULL.
typedef struct stc_crew {
  stc_team *team;
  int threads;
  bool (*progress)(void *user, const char *stage, double done);
  void *user;
} stc_crew;

/// STC_ERR_CALLBACK where the callback stops it.
stc_error stc_crew_tell(const stc_crew *crew, const char *stage, double done);

enum { STC_BMAT_MOST = 8 };  ///< rows or columns of a block at most

/// Block (k, l) of an entry e is val[e*br*bc + k*bc + l]. Columns of a row are in no order.
typedef struct stc_bmat {
  int rows, cols;  ///< in nodes
  int br, bc;      ///< of a block
  int *ptr;        ///< [rows+1]
  int *col;        ///< [ptr[rows]]
  double *val;     ///< [ptr[rows]*br*bc]
} stc_bmat;

void stc_bmat_free(stc_bmat *A);
double stc_bmat_bytes(const stc_bmat *A);

/// ptr is given; takes col and val.
stc_error stc_bmat_take(stc_bmat *A);

/// Z = X Y; At = A^T, its columns rising.
stc_error stc_bmat_product(const stc_crew *crew, const stc_bmat *X, const stc_bmat *Y, stc_bmat *Z);
stc_error stc_bmat_transpose(const stc_bmat *A, stc_bmat *At);

/// y = beta y + alpha A x; beta is 0 or 1. x [cols*bc] and y [rows*br] are different arrays.
void stc_bmat_multiply(const stc_crew *crew, double alpha, const stc_bmat *A, const double *x,
                       double beta, double *y);

/// Calls task(argument, first, last) on ranges of 0 .. rows-1, shared by the crew where `work`
/// (multiplications in all) is worth it.
void stc_crew_rows(const stc_crew *crew, double work, int rows,
                   void (*task)(void *argument, int first, int last), void *argument);

/// The dot product, summed range by range.
double stc_crew_dot(const stc_crew *crew, size_t n, const double *x, const double *y);

#endif
