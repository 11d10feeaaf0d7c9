// Unknowns gathered into nodes, and which nodes touch in a matrix.
#ifndef STC_LINALG_QUOTIENT_H
#define STC_LINALG_QUOTIENT_H

#include "../csr.h"

typedef struct stc_quotient {
  int nodes;
  int *node;    ///< [rows] of each unknown, from 0 in order of appearance
  int *start;   ///< [nodes+1] into member
  int *member;  ///< [rows] unknowns by node, rising
  int *ptr;     ///< [nodes+1] into adj
  int *adj;     ///< neighbours, rising, the node itself among them
} stc_quotient;

/// `node` [rows]: unknowns with one number >= 0 form a node; NULL: each alone. A's pattern is
/// symmetric with a full diagonal.
stc_error stc_quotient_make(stc_arena *arena, const stc_csr *A, const int *node, stc_quotient *q);

/// Position in adj of node j, a neighbour of node i.
static inline int stc_quotient_entry(const stc_quotient *q, int i, int j) {
  return stc_csr_find(q->adj, q->ptr[i], q->ptr[i + 1], j);
}

/// Nodes of the widest layer of a breadth-first search that starts far out: the graph is cut in two
/// by about half as many.
stc_error stc_quotient_width(const stc_quotient *q, int *width);

#endif
