// What the parts of the sparse LU share.
#ifndef STC_LINALG_LU_DATA_H
#define STC_LINALG_LU_DATA_H

#include "dense.h"
#include "lu.h"

struct stc_lu {
  stc_arena arena;
  bool guest;      ///< in memory of the caller, who frees it
  stc_symbolic S;  ///< of the selected part
  int *offset;     ///< [nodes+1] first row of each node in vectors
  int *order;      ///< [nodes] node eliminated k-th when all are active
  bool ordered;    ///< order and mirror are made
  int *order_work;
  int *mirror;  ///< [entries] pattern entry (j, i) of entry (i, j)
  bool listed;  ///< the lists of S are made
  bool sized;   ///< flops and entries are known
  int list_capacity;
  int *local;         ///< [nodes] scalar position of a step in the supernode being updated
  size_t *value_ptr;  ///< [nodes+1] of each supernode: L (cols+below x cols), U (cols x below)
  size_t capacity;    ///< doubles in `value`
  double *value;
  int *pivot;      ///< [total rows] row swaps inside the diagonal blocks
  int *pivot_ptr;  ///< [nodes+1]
  double *update;  ///< [most rows below, squared] product of a panel
  double *work;    ///< [most rows below] right-hand side gathered below a supernode
  double *own;     ///< [total rows] right-hand side of the supernode itself
  double flops, entries;
  int sign;
  bool factorised;  ///< the factors are those of the last matrix
  const stc_dense *dense;
  stc_team *team;
};

/// Steps below supernode s.
static inline const int *stc_lu_rows(const stc_lu *lu, int s, int *count) {
  *count = lu->S.list_ptr[s + 1] - lu->S.list_ptr[s];
  return lu->S.list + lu->S.list_ptr[s];
}

#endif
