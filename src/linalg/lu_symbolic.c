// Analysis for the sparse LU. A part of the nodes under the restricted order fills in no more than
// the whole does, so that every array sized for the whole serves for any part.
#include "lu_data.h"

#include "../base/fail.h"
#include "order/order.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

// Places of the factors; the number of doubles they take.
static size_t lay_out(stc_lu *lu) {
  size_t total = 0;
  int rows = 0;
  lu->flops = lu->entries = 0;
  for (int s = 0; s < lu->S.supernodes; s++) {
    size_t c = (size_t)lu->S.cols[s], b = (size_t)lu->S.below[s];
    lu->value_ptr[s] = total;
    lu->pivot_ptr[s] = rows;
    total += c * (c + 2 * b);
    rows += lu->S.cols[s];
    double x = (double)c, y = (double)b;
    lu->flops += x * x * x / 1.5 + 2 * x * x * y + 2 * x * y * y;
  }
  lu->value_ptr[lu->S.supernodes] = total;
  lu->entries = (double)total;
  lu->sized = true;
  return total;
}

// Most rows below any step, merged or not: no part of the nodes has more.
static int most_rows_below(const stc_lu *lu) {
  int most = 0;
  for (int k = 0; k < lu->S.steps; k++)
    if (lu->S.rows[k] > most) most = lu->S.rows[k];
  return most;
}

static void find_mirrors(stc_lu *lu) {
  const stc_pattern *p = &lu->S.pattern;
  int *next = lu->S.mark;
  for (int i = 0; i < p->nodes; i++) next[i] = p->ptr[i];
  for (int i = 0; i < p->nodes; i++)  // rows in order meet the columns of row j in order
    for (int e = p->ptr[i]; e < p->ptr[i + 1]; e++) lu->mirror[e] = next[p->adj[e]]++;
}

enum { ARRAYS = STC_SYMBOLIC_ARRAYS + 4 };

bool stc_lu_select(stc_lu *lu, const bool *active) {
  if (!lu->ordered) {
    // Order and mirrors of a small matrix, at its first use.
    const stc_pattern *p = &lu->S.pattern;
    find_mirrors(lu);
    stc_order_minimum_degree(p->nodes, p->ptr, p->adj, lu->order_work, lu->order);
    lu->ordered = true;
  }
  lu->listed = lu->sized = lu->factorised = false;
  if (!stc_symbolic_count(&lu->S, lu->order, active)) return false;
  stc_symbolic_merge(&lu->S, &stc_symbolic_relaxed);
  if (lay_out(lu) > lu->capacity) {
    stc_symbolic_merge(&lu->S, NULL);
    lay_out(lu);
  }
  lu->listed = stc_symbolic_list(&lu->S);
  return lu->listed;
}

void stc_lu_analyse(stc_lu *lu) {
  if (!lu->sized) stc_lu_select(lu, NULL);
}

static stc_error take_factors(stc_lu *lu, size_t widest, double memory_limit) {
  int rows = lu->offset[lu->S.pattern.nodes];
  double bytes = 8.0 * ((double)lu->capacity + (double)widest * (double)widest);
  if (bytes > memory_limit)
    return stc_fail(STC_ERR_MEMORY, "the factors take %.3g bytes, more than the limit of %.3g",
                    bytes, memory_limit);
  lu->S.list = STC_TAKE_RAW(&lu->arena, int, lu->list_capacity);
  lu->value = STC_TAKE_RAW(&lu->arena, double, lu->capacity);
  lu->update = STC_TAKE_RAW(&lu->arena, double, widest *widest);
  lu->work = STC_TAKE_RAW(&lu->arena, double, widest);
  lu->own = STC_TAKE_RAW(&lu->arena, double, rows);
  lu->pivot = STC_TAKE_RAW(&lu->arena, int, rows);
  return stc_arena_check(&lu->arena);
}

static stc_error prepare_lu(stc_lu *lu, const stc_pattern *p, double memory_limit) {
  stc_symbolic_take(&lu->arena, p, &lu->S);
  int **arrays[] = {&lu->order, &lu->local, &lu->offset, &lu->pivot_ptr};
  static_assert(sizeof arrays / sizeof *arrays == ARRAYS - STC_SYMBOLIC_ARRAYS, "counted in room");
  for (size_t k = 0; k < ARRAYS - STC_SYMBOLIC_ARRAYS; k++)
    *arrays[k] = STC_TAKE_RAW(&lu->arena, int, (size_t)p->nodes + 1);
  lu->mirror = STC_TAKE_RAW(&lu->arena, int, p->ptr[p->nodes]);
  lu->value_ptr = STC_TAKE_RAW(&lu->arena, size_t, (size_t)p->nodes + 1);
  STC_TRY(stc_arena_check(&lu->arena));
  lu->offset[0] = 0;
  for (int i = 0; i < p->nodes; i++) lu->offset[i + 1] = lu->offset[i] + p->size[i];
  if (lu->offset[p->nodes] <= STC_LU_SMALL) {
    // A small matrix gets room for full factors, and its analysis waits until it is needed.
    int n = lu->S.pattern.nodes;
    size_t rows = (size_t)lu->offset[n];
    lu->capacity = rows * rows;
    lu->list_capacity = n * n;
    lu->order_work = STC_TAKE_RAW(&lu->arena, int, stc_order_work(n, lu->S.pattern.ptr[n]));
    return take_factors(lu, rows, memory_limit);
  }
  find_mirrors(lu);
  // Sizes of all that the whole pattern needs; its lists wait for the first factorisation.
  STC_TRY(stc_symbolic_order(&lu->S, lu->order));
  lu->ordered = true;
  if (lu->S.total > INT_MAX || lu->S.total * sizeof(int) > memory_limit)
    return stc_fail(STC_ERR_MEMORY, "the factors of %d nodes need more than %g bytes",
                    lu->S.pattern.nodes, memory_limit);
  lu->list_capacity = (int)lu->S.total;
  stc_symbolic_merge(&lu->S, &stc_symbolic_relaxed);
  lu->capacity = lay_out(lu);
  return take_factors(lu, (size_t)most_rows_below(lu), memory_limit);
}

stc_error stc_lu_create(const stc_pattern *pattern, double memory_limit, stc_lu **lu) {
  *lu = stc_calloc(1, sizeof **lu);
  if (!*lu) return stc_fail(STC_ERR_MEMORY, "out of memory");
  (*lu)->dense = stc_dense_kernels();
  stc_error error = prepare_lu(*lu, pattern, memory_limit);
  if (error) stc_lu_free(lu);
  return error;
}

size_t stc_lu_room(int nodes, int entries, int rows) {
  size_t n = (size_t)nodes, e = (size_t)entries, r = (size_t)rows;
  return stc_arena_cost(1, sizeof(stc_lu)) + ARRAYS * stc_arena_cost(n + 1, sizeof(int)) +
         stc_arena_cost(e, sizeof(int)) + stc_arena_cost(n + 1, sizeof(size_t)) +
         stc_arena_cost(stc_order_work(nodes, entries), sizeof(int)) +
         stc_arena_cost(n * n, sizeof(int)) + 2 * stc_arena_cost(r * r, sizeof(double)) +
         2 * stc_arena_cost(r, sizeof(double)) + stc_arena_cost(r, sizeof(int));
}

stc_error stc_lu_create_within(stc_arena *room, const stc_pattern *pattern, stc_lu **lu) {
  *lu = STC_TAKE(room, stc_lu, 1);
  STC_TRY(stc_arena_check(room));
  **lu = (stc_lu){.dense = stc_dense_kernels(), .arena = *room};
  stc_error error = prepare_lu(*lu, pattern, INFINITY);
  *room = (*lu)->arena;
  (*lu)->arena = (stc_arena){0};
  (*lu)->guest = true;
  return error;
}

void stc_lu_free(stc_lu **lu) {
  if (!lu || !*lu) return;
  if ((*lu)->guest) {
    *lu = NULL;
    return;
  }
  stc_arena_free(&(*lu)->arena);
  stc_release(lu);
}

void stc_lu_set_team(stc_lu *lu, stc_team *team) { lu->team = team; }
double stc_lu_flops(const stc_lu *lu) { return lu->flops; }
double stc_lu_entries(const stc_lu *lu) { return lu->entries; }
