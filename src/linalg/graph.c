// Union-find where the root of a tree is its least node   [Galler and Fischer 1964].
#include "graph.h"

void stc_graph_start(int *forest, int n) {
  for (int k = 0; k < n; k++) forest[k] = k;
}

/// Root of the tree of `node`; the path to it is halved on the way.
static int root(int *forest, int node) {
  while (forest[node] != node) node = forest[node] = forest[forest[node]];
  return node;
}

void stc_graph_join(int *forest, int a, int b) {
  if (forest[a] == forest[b]) return;  // the common case, and cheap to see
  int root_a = root(forest, a), root_b = root(forest, b);
  if (root_a < root_b)
    forest[root_b] = root_a;
  else
    forest[root_a] = root_b;
}

void stc_graph_join_matrix(int *forest, const stc_csr *A, int row_shift, int col_shift) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      if (A->val[k] != 0) stc_graph_join(forest, i + row_shift, A->col[k] + col_shift);
}

int stc_graph_number(int *forest, int n) {
  int count = 0;
  for (int k = 0; k < n; k++) forest[k] = root(forest, k);
  // A root is the least node of its tree, so it is numbered before the others look at it.
  for (int k = 0; k < n; k++) forest[k] = forest[k] == k ? count++ : forest[forest[k]];
  return count;
}
