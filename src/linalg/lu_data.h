// What the parts of the sparse LU share. Nodes are numbered by elimination order ("steps"); a
// supernode is a run of steps eliminated together, with one list of steps below it.
#ifndef STC_LINALG_LU_DATA_H
#define STC_LINALG_LU_DATA_H

#include "dense.h"
#include "lu.h"

struct stc_lu {
  stc_arena arena;
  bool guest;  ///< in memory of the caller, who frees it
  stc_pattern pattern;
  int *offset;   ///< [nodes+1] first row of each node in vectors
  int *order;    ///< [nodes] node eliminated k-th when all are active
  bool ordered;  ///< order and mirror are made
  int *order_work;
  int *mirror;  ///< [entries] pattern entry (j, i) of entry (i, j)
  // analysis of the selected part
  int steps;             ///< selected nodes
  int *node;             ///< [nodes] node of each step
  int *step;             ///< [nodes] step of each node, -1 if not selected
  int *parent;           ///< [nodes] first step of the list below, -1 at a root
  int *child, *sibling;  ///< [nodes] children of a step
  int *mark;             ///< [nodes]
  int *list_ptr;         ///< [nodes+1] steps below each step
  int *list;             ///< [list_capacity]
  bool listed;           ///< the lists are made
  bool sized;            ///< flops and entries are known
  int *rows;             ///< [nodes] scalar rows below each step
  int list_capacity;
  int supernodes;
  int *first;  ///< [nodes+1] first step of each supernode
  int *owner;  ///< [nodes] supernode of each step
  int *cols;   ///< [nodes] scalar columns of each supernode
  int *below;  ///< [nodes] scalar rows below each supernode
  int *local;  ///< [nodes] scalar position of a step in the supernode being updated
  size_t
      *value_ptr;  ///< [nodes+1] factors of each supernode: L (cols+below x cols), U (cols x below)
  size_t capacity;  ///< doubles in `value`
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

/// parent and rows of the selected part; returns how long its lists are. Overwrites what
/// stc_lu_select makes later.
double stc_lu_count(stc_lu *lu);

/// Steps below supernode s: those below its last step.
static inline const int *stc_lu_rows(const stc_lu *lu, int s, int *count) {
  int last = lu->first[s + 1] - 1;
  *count = lu->list_ptr[last + 1] - lu->list_ptr[last];
  return lu->list + lu->list_ptr[last];
}

#endif
