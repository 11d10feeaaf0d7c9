// Union-find where the root of a tree is its least node   [Galler and Fischer 1964]; neighbours by
// marks.
#include "graph.h"

#include "../base/fail.h"

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

void stc_graph_list_members(int n, const int *of, int count, int *start, int *member) {
  for (int i = 0; i < n; i++)
    if (of[i] >= 0) start[of[i] + 2]++;
  for (int k = 0; k < count; k++) start[k + 2] += start[k + 1];
  for (int i = 0; i < n; i++)  // start[k + 1] moves from the first of set k to its last
    if (of[i] >= 0) member[start[of[i] + 1]++] = i;
}

/// Neighbours of node a in no order, to `list` where it is not NULL; returns how many. mark [nodes]
/// holds numbers of other nodes + 1.
static int list_around(const stc_incidence *in, int a, int *mark, int *list) {
  int count = 0;
  for (int k = in->set_ptr[a]; k < in->set_ptr[a + 1]; k++) {
    int c = in->set[k];
    for (int l = in->member_ptr[c]; l < in->member_ptr[c + 1]; l++) {
      int b = in->node_of ? in->node_of[in->member[l]] : in->member[l];
      if (mark[b] == a + 1) continue;
      mark[b] = a + 1;
      if (list) list[count] = b;
      count++;
    }
  }
  return count;
}

/// The relation is symmetric: its transpose has the same lists, rising.
static void transpose_lists(int nodes, const int *ptr, const int *unsorted, int *next, int *adj) {
  for (int a = 0; a < nodes; a++) next[a] = ptr[a];
  for (int a = 0; a < nodes; a++)
    for (int e = ptr[a]; e < ptr[a + 1]; e++) adj[next[unsorted[e]]++] = a;
}

static stc_error list_neighbours(stc_arena *arena, stc_arena *scratch, const stc_incidence *in,
                                 long long most, int **ptr, int **adj) {
  int *mark = STC_TAKE(scratch, int, in->nodes);
  *ptr = STC_TAKE(arena, int, (size_t)in->nodes + 1);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_arena_check(arena));
  long long total = 0;
  for (int a = 0; a < in->nodes; a++) {
    total += list_around(in, a, mark, NULL);
    if (total > most)
      return stc_fail(STC_ERR_DIMENSION,
                      "%d nodes have more than %lld pairs of neighbours: too many for one matrix",
                      in->nodes, most);
    (*ptr)[a + 1] = (int)total;
  }
  int *unsorted = STC_TAKE_RAW(scratch, int, total);
  *adj = STC_TAKE_RAW(arena, int, total);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_arena_check(arena));
  for (int a = 0; a < in->nodes; a++) mark[a] = 0;
  for (int a = 0; a < in->nodes; a++) list_around(in, a, mark, unsorted + (*ptr)[a]);
  transpose_lists(in->nodes, *ptr, unsorted, mark, *adj);
  return STC_OK;
}

stc_error stc_graph_neighbours(stc_arena *arena, const stc_incidence *in, long long most, int **ptr,
                               int **adj) {
  stc_arena scratch = {0};
  stc_error error = list_neighbours(arena, &scratch, in, most, ptr, adj);
  stc_arena_free(&scratch);
  return error;
}
