// Supernodes [Ashcraft and Grimes 1989] and their rows, and which order of a pattern is taken.
#include "symbolic.h"

#include "../base/fail.h"
#include "../base/stop.h"
#include "order/order.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Minimum degree cannot be stopped: it gets graphs with at most this many entries, a tenth of a
// second.
static const double AMD_MOST = 1e6;
// A search for a better order takes about as long as this many operations, and this many for each
// entry of the pattern: dearer factors are worth it.
static const double SEARCH = 5e7, SEARCH_ENTRY = 1000;
// Operations per entry of a list, and per entry that minimum degree orders.
static const double LISTING = 8, ORDERING = 60;

const stc_relaxation stc_symbolic_relaxed = {.cols = {4, 16, 48}, .zeros = {1, 0.8, 0.1, 0.05}};

void stc_symbolic_take(stc_arena *arena, const stc_pattern *pattern, stc_symbolic *S) {
  *S = (stc_symbolic){.pattern = *pattern};
  int **arrays[] = {&S->node, &S->step,  &S->parent, &S->rows,     &S->under, &S->first,  &S->owner,
                    &S->cols, &S->below, &S->mark,   &S->list_ptr, &S->child, &S->sibling};
  static_assert(sizeof arrays / sizeof *arrays == STC_SYMBOLIC_ARRAYS, "callers count them");
  for (size_t k = 0; k < STC_SYMBOLIC_ARRAYS; k++)
    *arrays[k] = STC_TAKE_RAW(arena, int, (size_t)pattern->nodes + 1);
}

// --- Supernodes ---

static int size_of(const stc_symbolic *S, int step) { return S->pattern.size[S->node[step]]; }

/// A run of steps with one list below it, seen from the last step to the first.
typedef struct run {
  int begin, end;  // steps
  int cols, below;
  double zeros;  // entries stored and not in the factor
} run;

/// The run `a` before the run `b` and `b` as one, where the parent of `a` is in `b`; false where
/// that stores too many zeros.
static bool merge_runs(const stc_symbolic *S, const stc_relaxation *relax, const run *a, run *b) {
  int parent = S->parent[a->end - 1], cols = a->cols + b->cols;
  if (parent < 0 || parent >= b->end) return false;
  double zeros = b->zeros + (double)a->cols * ((double)b->cols + b->below - a->below);
  double stored = cols * (0.5 * ((double)cols + 1) + b->below), allowed = relax->zeros[3];
  for (int k = 2; k >= 0; k--)
    if (cols <= relax->cols[k]) allowed = relax->zeros[k];
  if (zeros > allowed * stored) return false;
  b->begin = a->begin;
  b->cols = cols;
  b->zeros = zeros;
  return true;
}

/// From the runs, the last one first, to the arrays.
static void store_run(stc_symbolic *S, int place, const run *r) {
  S->first[place] = r->begin;
  S->cols[place] = r->cols;
  S->below[place] = r->below;
}

static void move_down(int *array, int from, int count) {
  memmove(array, array + from, (size_t)count * sizeof *array);
}

void stc_symbolic_merge(stc_symbolic *S, const stc_relaxation *relax) {
  static const stc_relaxation EXACT = {.zeros = {0}};
  int place = S->steps;
  run last = {0};
  for (int end = S->steps; end > 0;) {
    // The run that ends before step `end` and stores no zeros: each step is the parent of the one
    // before and has all the rest of its rows.
    int k = end - 1;
    run r = {.begin = k, .end = end, .cols = size_of(S, k), .below = S->rows[k]};
    while (k > 0 && S->parent[k - 1] == k && S->rows[k - 1] == S->rows[k] + size_of(S, k))
      r.cols += size_of(S, --k);
    r.begin = k;
    end = r.begin;
    if (!last.end || !merge_runs(S, relax ? relax : &EXACT, &r, &last)) {
      if (last.end) store_run(S, --place, &last);
      last = r;
    }
  }
  if (last.end) store_run(S, --place, &last);
  S->supernodes = S->steps - place;
  move_down(S->first, place, S->supernodes);
  move_down(S->cols, place, S->supernodes);
  move_down(S->below, place, S->supernodes);
  S->first[S->supernodes] = S->steps;
  S->list_ptr[0] = 0;
  for (int s = 0; s < S->supernodes; s++) {
    for (int k = S->first[s]; k < S->first[s + 1]; k++) S->owner[k] = s;
    S->list_ptr[s + 1] = S->list_ptr[s] + S->under[S->first[s + 1] - 1];
  }
}

// --- Lists ---

/// Row i of the factor: every supernode between its neighbours and itself has it in its list.
/// mark: the last row of each supernode; fill: the end of its list.
static int list_row(stc_symbolic *S, int i, int *mark, int *fill) {
  const stc_pattern *p = &S->pattern;
  int own = S->owner[i], node = S->node[i], entries = 0;
  for (int e = p->ptr[node]; e < p->ptr[node + 1]; e++) {
    int j = S->step[p->adj[e]];
    if (j < 0 || j >= i) continue;
    for (int s = S->owner[j]; s != own && mark[s] != i; entries++) {
      mark[s] = i;
      S->list[fill[s]++] = i;
      s = S->owner[S->parent[S->first[s + 1] - 1]];
    }
  }
  return entries + p->ptr[node + 1] - p->ptr[node];
}

bool stc_symbolic_list(stc_symbolic *S) {
  int *mark = S->mark, *fill = S->child;
  for (int s = 0; s < S->supernodes; s++) {
    mark[s] = -1;
    fill[s] = S->list_ptr[s];
  }
  for (int i = 0; i < S->steps; i++)
    if (stc_stop_due(LISTING * list_row(S, i, mark, fill))) return false;
  return true;
}

// --- Order ---

static stc_error count_order(stc_symbolic *S, const int *order) {
  return stc_symbolic_count(S, order, NULL) ? STC_OK : stc_stop_try(0);
}

static stc_error order_by_degree(stc_arena *scratch, stc_symbolic *S, int *order) {
  const stc_pattern *p = &S->pattern;
  int n = p->nodes, *work = STC_TAKE_RAW(scratch, int, stc_order_work(n, p->ptr[n]));
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_stop_try(ORDERING * ((double)p->ptr[n] + n)));
  stc_order_minimum_degree(n, p->ptr, p->adj, work, order);
  return count_order(S, order);
}

/// Takes another order where it is the better one.
static stc_error try_dissection(stc_arena *scratch, stc_symbolic *S, int *order, bool counted) {
  const stc_pattern *p = &S->pattern;
  double flops = S->flops;
  int *other = STC_TAKE_RAW(scratch, int, p->nodes);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_order_dissection(p->nodes, p->ptr, p->adj, p->size, other));
  STC_TRY(count_order(S, other));
  if (counted && S->flops >= flops) return count_order(S, order);
  memcpy(order, other, (size_t)p->nodes * sizeof *order);
  return STC_OK;
}

stc_error stc_symbolic_order(stc_symbolic *S, int *order) {
  double entries = (double)S->pattern.ptr[S->pattern.nodes] + S->pattern.nodes;
  bool counted = entries <= AMD_MOST;
  stc_arena scratch = {0};
  stc_error error = counted ? order_by_degree(&scratch, S, order) : STC_OK;
  if (!error && (!counted || S->flops > fmax(SEARCH, SEARCH_ENTRY * entries)))
    error = try_dissection(&scratch, S, order, counted);
  stc_arena_free(&scratch);
  return error;
}
