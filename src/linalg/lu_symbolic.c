// Analysis for the sparse LU: AMD order, elimination tree, supernodes with relaxed merging.
// A part of the nodes under the restricted order fills in no more than the whole does, so that
// every array sized for the whole serves for any part   [Rose, Tarjan and Lueker 1976, fill paths].
#include "lu_data.h"

#include "../base/stop.h"
#include "order.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Merging a chain of supernodes may store this share of zeros; small ones are dominated by
// overhead.
static const double ZEROS_SMALL = 0.4, ZEROS_LARGE = 0.12;
// Factorisations dearer than this are worth the search for a better order.
static const double DISSECTION_FLOPS = 1e8;
enum { SMALL_COLUMNS = 24, SHORT_LIST = 48 };
// Operations per entry of a list that is gathered and sorted.
static const double SORTING = 20;
// And per entry of a pattern whose factors are counted.
static const double COUNTING = 20;

static int node_size(const stc_lu *lu, int step) { return lu->pattern.size[lu->node[step]]; }

// Restores the heap order below `root`.
static void sift(int *x, int root, int n) {
  for (int largest; 2 * root + 1 < n; root = largest) {
    largest = 2 * root + 1;
    if (largest + 1 < n && x[largest + 1] > x[largest]) largest++;
    if (x[root] >= x[largest]) return;
    int t = x[root];
    x[root] = x[largest];
    x[largest] = t;
  }
}

static void heap_sort(int *x, int n) {
  for (int root = n / 2 - 1; root >= 0; root--) sift(x, root, n);
  for (int last = n - 1; last > 0; last--) {
    int t = x[0];
    x[0] = x[last];
    x[last] = t;
    sift(x, 0, last);
  }
}

// In place and without allocation, which the C library's sort does not promise.
static void sort_steps(int *x, int n) {
  if (n > SHORT_LIST) {
    heap_sort(x, n);
    return;
  }
  for (int i = 1; i < n; i++) {
    int v = x[i], j = i;
    for (; j > 0 && x[j - 1] > v; j--) x[j] = x[j - 1];
    x[j] = v;
  }
}

static void number_steps(stc_lu *lu, const bool *active) {
  lu->steps = 0;
  for (int k = 0; k < lu->pattern.nodes; k++) {
    int i = lu->order[k];
    bool selected = !active || active[i];
    lu->step[i] = selected ? lu->steps : -1;
    if (selected) lu->node[lu->steps++] = i;
  }
}

// Adds to the list of step k what is later than k and not yet marked.
static int gather_rows(stc_lu *lu, int k, const int *steps, int count, int fill) {
  for (int e = 0; e < count; e++) {
    int j = steps[e];
    if (j <= k || lu->mark[j] == k) continue;
    lu->mark[j] = k;
    lu->list[fill++] = j;
  }
  return fill;
}

static int gather_row(stc_lu *lu, int k, int fill) {
  int i = lu->node[k];
  for (int e = lu->pattern.ptr[i]; e < lu->pattern.ptr[i + 1]; e++)
    fill = gather_rows(lu, k, &lu->step[lu->pattern.adj[e]], 1, fill);
  return fill;
}

static int sum_rows(const stc_lu *lu, const int *steps, int count) {
  int rows = 0;
  for (int e = 0; e < count; e++) rows += node_size(lu, steps[e]);
  return rows;
}

// struct(k) = later neighbours of k and of its children. False if it was stopped.
static bool list_below(stc_lu *lu) {
  for (int k = 0; k < lu->steps; k++) lu->mark[k] = lu->child[k] = -1;
  lu->list_ptr[0] = 0;
  for (int k = 0; k < lu->steps; k++) {
    int begin = lu->list_ptr[k], fill = gather_row(lu, k, begin);
    if (stc_stop_due(fill - begin)) return false;
    for (int c = lu->child[k]; c >= 0; c = lu->sibling[c])
      fill = gather_rows(lu, k, lu->list + lu->list_ptr[c], lu->list_ptr[c + 1] - lu->list_ptr[c],
                         fill);
    sort_steps(lu->list + begin, fill - begin);
    lu->list_ptr[k + 1] = fill;
    lu->rows[k] = sum_rows(lu, lu->list + begin, fill - begin);
    int parent = lu->parent[k] = fill > begin ? lu->list[begin] : -1;
    if (parent >= 0) {
      lu->sibling[k] = lu->child[parent];
      lu->child[parent] = k;
    }
    if (stc_stop_due(SORTING * (fill - begin))) return false;
  }
  return true;
}

// Runs of steps, each the parent of the one before. With `relaxed`, a run may store some zeros.
static void form_supernodes(stc_lu *lu, bool relaxed) {
  int s = -1, cols = 0;
  double used = 0, squares = 0;  // entries of the run's lower part by structure; sum of size^2
  for (int k = 0; k < lu->steps; k++) {
    int size = node_size(lu, k), below = lu->rows[k];
    double own = (double)size * (size + below), c = cols + size;
    double full = c * below + 0.5 * (c * c + squares + (double)size * size);
    double share = 1 - (used + own) / full;
    double allowed = !relaxed ? 1e-12 : cols + size <= SMALL_COLUMNS ? ZEROS_SMALL : ZEROS_LARGE;
    bool joins = k > 0 && lu->parent[k - 1] == k && share <= allowed;
    if (!joins) {
      lu->first[++s] = k;
      cols = 0;
      used = squares = 0;
    }
    lu->owner[k] = s;
    used += own;
    squares += (double)size * size;
    cols += size;
    lu->cols[s] = cols;
    lu->below[s] = below;
  }
  lu->supernodes = s + 1;
  lu->first[lu->supernodes] = lu->steps;
}

// Places of the factors; the number of doubles they take.
static size_t lay_out(stc_lu *lu) {
  size_t total = 0;
  int rows = 0;
  lu->flops = lu->entries = 0;
  for (int s = 0; s < lu->supernodes; s++) {
    size_t c = (size_t)lu->cols[s], b = (size_t)lu->below[s];
    lu->value_ptr[s] = total;
    lu->pivot_ptr[s] = rows;
    total += c * (c + 2 * b);
    rows += lu->cols[s];
    double x = (double)c, y = (double)b;
    lu->flops += x * x * x / 1.5 + 2 * x * x * y + 2 * x * y * y;
  }
  lu->value_ptr[lu->supernodes] = total;
  lu->entries = (double)total;
  lu->sized = true;
  return total;
}

// Most rows below any step, merged or not: no part of the nodes has more.
static int most_rows_below(const stc_lu *lu) {
  int most = 0;
  for (int k = 0; k < lu->steps; k++)
    if (lu->rows[k] > most) most = lu->rows[k];
  return most;
}

static void find_mirrors(stc_lu *lu) {
  const stc_pattern *p = &lu->pattern;
  for (int i = 0; i < p->nodes; i++) lu->mark[i] = p->ptr[i];
  for (int i = 0; i < p->nodes; i++)  // rows in order meet the columns of row j in order
    for (int e = p->ptr[i]; e < p->ptr[i + 1]; e++) lu->mirror[e] = lu->mark[p->adj[e]]++;
}

enum { ANALYSIS_ARRAYS = 16 };

static void take_analysis(stc_lu *lu) {
  int n = lu->pattern.nodes;
  int **arrays[] = {&lu->order,    &lu->node,    &lu->step,      &lu->parent,
                    &lu->child,    &lu->sibling, &lu->mark,      &lu->owner,
                    &lu->cols,     &lu->below,   &lu->local,     &lu->first,
                    &lu->list_ptr, &lu->offset,  &lu->pivot_ptr, &lu->rows};
  static_assert(sizeof arrays / sizeof *arrays == ANALYSIS_ARRAYS, "stc_lu_room counts them");
  for (size_t k = 0; k < ANALYSIS_ARRAYS; k++) *arrays[k] = STC_TAKE_RAW(&lu->arena, int, n + 1);
  lu->mirror = STC_TAKE_RAW(&lu->arena, int, lu->pattern.ptr[n]);
  lu->value_ptr = STC_TAKE_RAW(&lu->arena, size_t, n + 1);
  lu->order_work = STC_TAKE_RAW(&lu->arena, int, stc_order_work(n, lu->pattern.ptr[n]));
}

// Order and mirrors: what does not depend on the selected part.
static void order_nodes(stc_lu *lu) {
  const stc_pattern *p = &lu->pattern;
  find_mirrors(lu);
  stc_order_minimum_degree(p->nodes, p->ptr, p->adj, lu->order_work, lu->order);
  lu->ordered = true;
}

bool stc_lu_select(stc_lu *lu, const bool *active) {
  if (!lu->ordered) order_nodes(lu);
  lu->sized = lu->factorised = false;
  number_steps(lu, active);
  lu->listed = list_below(lu);
  if (!lu->listed) return false;
  form_supernodes(lu, true);
  if (lay_out(lu) > lu->capacity) {
    form_supernodes(lu, false);
    lay_out(lu);
  }
  return true;
}

void stc_lu_analyse(stc_lu *lu) {
  if (!lu->sized) stc_lu_select(lu, NULL);
}

// Sizes of all that the whole pattern needs; its lists wait for the first factorisation.
static stc_error analyse_whole(stc_lu *lu, double memory_limit) {
  STC_TRY(stc_stop_try(COUNTING * lu->pattern.ptr[lu->pattern.nodes]));
  number_steps(lu, NULL);
  double entries = stc_lu_count(lu);
  if (entries > INT_MAX || entries * sizeof(int) > memory_limit)
    return stc_fail(STC_ERR_MEMORY, "the factors of %d nodes need more than %g bytes",
                    lu->pattern.nodes, memory_limit);
  lu->list_capacity = (int)entries;
  form_supernodes(lu, true);
  lu->capacity = lay_out(lu);
  return STC_OK;
}

// Nested dissection instead of minimum degree, where it saves operations.
static stc_error try_dissection(stc_lu *lu, double memory_limit) {
  int n = lu->pattern.nodes;
  double flops = lu->flops;
  int *kept = STC_TAKE(&lu->arena, int, n);
  STC_TRY(stc_arena_check(&lu->arena));
  memcpy(kept, lu->order, (size_t)n * sizeof *kept);
  if (!stc_order_dissection(n, lu->pattern.ptr, lu->pattern.adj, lu->order)) return STC_OK;
  STC_TRY(analyse_whole(lu, memory_limit));
  if (lu->flops < flops) return STC_OK;
  memcpy(lu->order, kept, (size_t)n * sizeof *kept);
  return analyse_whole(lu, memory_limit);
}

static stc_error take_factors(stc_lu *lu, size_t widest, double memory_limit) {
  int rows = lu->offset[lu->pattern.nodes];
  double bytes = 8.0 * ((double)lu->capacity + (double)widest * (double)widest);
  if (bytes > memory_limit)
    return stc_fail(STC_ERR_MEMORY, "the factors take %.3g bytes, more than the limit of %.3g",
                    bytes, memory_limit);
  lu->list = STC_TAKE_RAW(&lu->arena, int, lu->list_capacity);
  lu->value = STC_TAKE_RAW(&lu->arena, double, lu->capacity);
  lu->update = STC_TAKE_RAW(&lu->arena, double, widest *widest);
  lu->work = STC_TAKE_RAW(&lu->arena, double, widest);
  lu->own = STC_TAKE_RAW(&lu->arena, double, rows);
  lu->pivot = STC_TAKE_RAW(&lu->arena, int, rows);
  return stc_arena_check(&lu->arena);
}

// A small matrix gets room for full factors, and its analysis waits until it is needed.
static stc_error take_full(stc_lu *lu, double memory_limit) {
  int n = lu->pattern.nodes;
  size_t rows = (size_t)lu->offset[n];
  lu->capacity = rows * rows;
  lu->list_capacity = n * n;
  return take_factors(lu, rows, memory_limit);
}

static stc_error prepare_lu(stc_lu *lu, double memory_limit) {
  const stc_pattern *p = &lu->pattern;
  take_analysis(lu);
  STC_TRY(stc_arena_check(&lu->arena));
  lu->offset[0] = 0;
  for (int i = 0; i < p->nodes; i++) lu->offset[i + 1] = lu->offset[i] + p->size[i];
  if (lu->offset[p->nodes] <= STC_LU_SMALL) return take_full(lu, memory_limit);
  order_nodes(lu);
  STC_TRY(analyse_whole(lu, memory_limit));
  if (lu->flops > DISSECTION_FLOPS) STC_TRY(try_dissection(lu, memory_limit));
  return take_factors(lu, (size_t)most_rows_below(lu), memory_limit);
}

stc_error stc_lu_create(const stc_pattern *pattern, double memory_limit, stc_lu **lu) {
  *lu = stc_calloc(1, sizeof **lu);
  if (!*lu) return stc_fail(STC_ERR_MEMORY, "out of memory");
  (*lu)->pattern = *pattern;
  (*lu)->dense = stc_dense_kernels();
  stc_error error = prepare_lu(*lu, memory_limit);
  if (error) stc_lu_free(lu);
  return error;
}

size_t stc_lu_room(int nodes, int entries, int rows) {
  size_t n = (size_t)nodes, e = (size_t)entries, r = (size_t)rows;
  return stc_arena_cost(1, sizeof(stc_lu)) + ANALYSIS_ARRAYS * stc_arena_cost(n + 1, sizeof(int)) +
         stc_arena_cost(e, sizeof(int)) + stc_arena_cost(n + 1, sizeof(size_t)) +
         stc_arena_cost(stc_order_work(nodes, entries), sizeof(int)) +
         stc_arena_cost(n * n, sizeof(int)) + 2 * stc_arena_cost(r * r, sizeof(double)) +
         2 * stc_arena_cost(r, sizeof(double)) + stc_arena_cost(r, sizeof(int));
}

stc_error stc_lu_create_within(stc_arena *room, const stc_pattern *pattern, stc_lu **lu) {
  *lu = STC_TAKE(room, stc_lu, 1);
  STC_TRY(stc_arena_check(room));
  **lu = (stc_lu){.pattern = *pattern, .dense = stc_dense_kernels(), .arena = *room};
  stc_error error = prepare_lu(*lu, INFINITY);
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
