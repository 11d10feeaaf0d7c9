// Structure of the factors of a symmetric pattern: elimination tree, counts, supernodes and the
// rows below them. Cholesky and LU share it. Nodes are numbered by elimination ("steps"); a
// supernode is a run of steps eliminated together, with one list of steps below it. A part of the
// nodes can be selected; it fills in no more than the whole does   [Rose, Tarjan and Lueker 1976].
#ifndef STC_LINALG_SYMBOLIC_H
#define STC_LINALG_SYMBOLIC_H

#include "../base/memory.h"

/// Pattern of a square block matrix. Node i has size[i] rows and columns; its blocks stand in
/// columns adj[ptr[i]] .. adj[ptr[i+1]-1], strictly increasing, the diagonal among them; the
/// pattern is symmetric.
typedef struct stc_pattern {
  int nodes;
  const int *size;
  const int *ptr;
  const int *adj;
} stc_pattern;

typedef struct stc_symbolic {
  stc_pattern pattern;
  int steps;     ///< selected nodes
  int *node;     ///< [steps] node of each step, children before parents, subtrees together
  int *step;     ///< [nodes] step of each node, -1 if not selected
  int *parent;   ///< [steps] first step below, -1 at a root
  int *rows;     ///< [steps] scalar rows below each step
  int *under;    ///< [steps] steps below each step
  double total;  ///< sum of them
  double flops;  ///< multiplications of a Cholesky factorisation by columns
  int supernodes;
  int *first;     ///< [supernodes+1] first step of each supernode
  int *owner;     ///< [steps] supernode of each step
  int *cols;      ///< [supernodes] scalar columns
  int *below;     ///< [supernodes] scalar rows below
  int *list_ptr;  ///< [supernodes+1] steps below each supernode, rising
  int *list;      ///< given by the caller, [list_ptr[supernodes]]
  int *child, *sibling, *mark;
} stc_symbolic;

enum { STC_SYMBOLIC_ARRAYS = 13 };  ///< of nodes + 1 integers each

/// Arrays for the pattern, which must outlive them. The caller asks the arena whether it had them.
void stc_symbolic_take(stc_arena *arena, const stc_pattern *pattern, stc_symbolic *S);

/// Selects the nodes with active[i] (all if NULL) in the given order [nodes], renumbered so that
/// subtrees stand together, and counts what their elimination leaves. False where it was stopped.
bool stc_symbolic_count(stc_symbolic *S, const int *order, const bool *active);

/// Which supernodes are merged: up to cols[k] columns where this share of zeros is stored.
typedef struct stc_relaxation {
  int cols[3];
  double zeros[4];  ///< the last one without limit of columns
} stc_relaxation;

/// What is fastest: narrow supernodes are dominated by overhead.
extern const stc_relaxation stc_symbolic_relaxed;

/// Supernodes and places of their lists; nothing else is stored than the factor where `relax` is
/// NULL. Not to be called where the total is more than an int counts.
void stc_symbolic_merge(stc_symbolic *S, const stc_relaxation *relax);

/// The lists. False where it was stopped.
bool stc_symbolic_list(stc_symbolic *S);

/// An order of the whole pattern for which it has been counted: minimum degree, or nested
/// dissection where that takes fewer operations. STC_ERR_CALLBACK where it was stopped.
stc_error stc_symbolic_order(stc_symbolic *S, int *order);

#endif
