// The graph of nodes from the pattern of their unknowns.
#include "quotient.h"

#include "../../base/fail.h"
#include "../graph.h"

#include <limits.h>

static stc_error number_nodes(stc_arena *arena, stc_quotient *q, int n, const int *node) {
  int largest = 0;
  for (int i = 0; node && i < n; i++) largest = node[i] > largest ? node[i] : largest;
  int *number = STC_TAKE(arena, int, node ? (size_t)largest + 1 : 1);
  q->node = STC_TAKE_RAW(arena, int, n);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < n; i++) {
    if (node && number[node[i]] == 0) number[node[i]] = ++q->nodes;
    q->node[i] = node ? number[node[i]] - 1 : q->nodes++;
  }
  return STC_OK;
}

stc_error stc_quotient_make(stc_arena *arena, const stc_csr *A, const int *node, stc_quotient *q) {
  *q = (stc_quotient){0};
  STC_TRY(number_nodes(arena, q, A->rows, node));
  int n = A->rows;
  q->start = STC_TAKE(arena, int, (size_t)q->nodes + 2);
  q->member = STC_TAKE_RAW(arena, int, n);
  STC_TRY(stc_arena_check(arena));
  stc_graph_list_members(n, q->node, q->nodes, q->start, q->member);
  const stc_incidence rows = {q->nodes, q->start, q->member, A->ptr, A->col, q->node};
  return stc_graph_neighbours(arena, &rows, INT_MAX, &q->ptr, &q->adj);
}

// --- Layers ---

/// Visits what is connected with `start`; mark[k] = visit. The widest layer, and the node that was
/// reached last.
static int walk(const stc_quotient *q, int start, int visit, int *mark, int *queue, int *last) {
  int head = 0, tail = 0, end = 1, widest = 1;
  queue[tail++] = start;
  mark[start] = visit;
  while (head < tail) {
    int k = *last = queue[head++];
    for (int e = q->ptr[k]; e < q->ptr[k + 1]; e++)
      if (mark[q->adj[e]] != visit) {
        mark[q->adj[e]] = visit;
        queue[tail++] = q->adj[e];
      }
    if (head < end) continue;
    widest = tail - end > widest ? tail - end : widest;
    end = tail;
  }
  return widest;
}

stc_error stc_quotient_width(const stc_quotient *q, int *width) {
  stc_arena scratch = {0};
  int *mark = STC_TAKE(&scratch, int, q->nodes), *queue = STC_TAKE_RAW(&scratch, int, q->nodes);
  stc_error error = stc_arena_check(&scratch);
  *width = 0;
  for (int k = 0; !error && k < q->nodes; k++) {
    if (mark[k]) continue;
    int last, widest;
    walk(q, k, 1, mark, queue, &last);
    widest = walk(q, last, 2, mark, queue, &last);
    *width = widest > *width ? widest : *width;
  }
  stc_arena_free(&scratch);
  return error;
}
