// Analysis for the Cholesky factorisation, of the graph of unknowns that have the same neighbours:
// in that of displacements these are the unknowns of a node.
#include "llt_data.h"

#include "../../base/fail.h"
#include "../../base/stop.h"
#include "../order/order.h"
#include "../symbolic.h"
#include "quotient.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

// Operations per entry of the matrix whose unknowns are gathered.
static const double GATHERING = 10;

// --- Unknowns with the same neighbours ---

static stc_error find_structure(stc_arena *arena, const stc_quotient *q, stc_symbolic *S) {
  int *size = STC_TAKE_RAW(arena, int, q->nodes), *order = STC_TAKE_RAW(arena, int, q->nodes);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < q->nodes; k++) size[k] = q->start[k + 1] - q->start[k];
  const stc_pattern pattern = {q->nodes, size, q->ptr, q->adj};
  stc_symbolic_take(arena, &pattern, S);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(stc_symbolic_order(S, order));
  if (S->total > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "the factor of a matrix of %d rows has more than 2^31 entries",
                    q->start[q->nodes]);
  stc_symbolic_merge(S, &stc_symbolic_relaxed);
  S->list = STC_TAKE_RAW(arena, int, S->list_ptr[S->supernodes]);
  STC_TRY(stc_arena_check(arena));
  return stc_symbolic_list(S) ? STC_OK : stc_stop_try(0);
}

// --- From nodes to unknowns ---

/// Lists of unknowns are those of nodes, each with all its members. at [steps]: the first one.
static stc_error take_structure(stc_llt *llt, const stc_symbolic *S) {
  double entries = 0;
  for (int s = 0; s < S->supernodes; s++) entries += (double)S->cols[s] + S->below[s];
  if (entries > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "the factor of a matrix of %d rows has more than 2^31 entries",
                    llt->n);
  size_t supers = (size_t)S->supernodes;
  llt->supers = S->supernodes;
  llt->order = STC_TAKE_RAW(&llt->arena, int, llt->n);
  llt->first = STC_TAKE_RAW(&llt->arena, int, supers + 1);
  llt->list_ptr = STC_TAKE_RAW(&llt->arena, int, supers + 1);
  llt->list = STC_TAKE_RAW(&llt->arena, int, entries);
  llt->step = STC_TAKE_RAW(&llt->arena, int, llt->n);
  llt->owner = STC_TAKE_RAW(&llt->arena, int, llt->n);
  llt->value_ptr = STC_TAKE(&llt->arena, size_t, supers + 1);
  return stc_arena_check(&llt->arena);
}

static int *list_unknowns(int *list, int first, int count) {
  for (int k = 0; k < count; k++) *list++ = first + k;
  return list;
}

static stc_error expand(stc_arena *arena, stc_llt *llt, const stc_quotient *q,
                        const stc_symbolic *S) {
  int *at = STC_TAKE_RAW(arena, int, (size_t)S->steps + 1), count = 0;
  STC_TRY(stc_arena_check(arena));
  STC_TRY(take_structure(llt, S));
  for (int k = 0; k < S->steps; k++) {
    at[k] = count;
    for (int m = q->start[S->node[k]]; m < q->start[S->node[k] + 1]; m++)
      llt->order[count++] = q->member[m];
  }
  at[S->steps] = count;
  // at [steps+1]: the first unknown of each step.
  int *list = llt->list;
  for (int s = 0; s < S->supernodes; s++) {
    llt->first[s] = at[S->first[s]];
    llt->list_ptr[s] = (int)(list - llt->list);
    list = list_unknowns(list, llt->first[s], S->cols[s]);
    for (int e = S->list_ptr[s]; e < S->list_ptr[s + 1]; e++)
      list = list_unknowns(list, at[S->list[e]], at[S->list[e] + 1] - at[S->list[e]]);
    STC_TRY(stc_stop_try((double)S->cols[s] + S->below[s]));
  }
  llt->first[llt->supers] = llt->n;
  llt->list_ptr[llt->supers] = (int)(list - llt->list);
  return STC_OK;
}

static void measure_panels(stc_llt *llt) {
  for (int k = 0; k < llt->n; k++) llt->step[llt->order[k]] = k;
  for (int s = 0; s < llt->supers; s++) {
    stc_llt_panel p = stc_llt_panel_of(llt, s);
    for (int k = 0; k < p.cols; k++) llt->owner[p.first + k] = s;
    for (int k = 0; k < p.cols; k++) llt->flops += (double)(p.lead - k) * (p.lead - k);
    llt->value_ptr[s + 1] = llt->value_ptr[s] + (size_t)p.lead * (size_t)p.cols;
    if (p.lead > llt->most_rows) llt->most_rows = p.lead;
    if (p.cols > llt->most_cols) llt->most_cols = p.cols;
  }
}

static stc_error build_factor(stc_arena *scratch, stc_llt *llt, const stc_csr *A) {
  stc_quotient q;
  stc_symbolic S;
  int n = A->rows, *group = STC_TAKE_RAW(scratch, int, n);
  int *work = STC_TAKE_RAW(scratch, int, 4 * (size_t)n);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_stop_try(GATHERING * A->ptr[n]));
  stc_order_twins(n, A->ptr, A->col, work, group);
  STC_TRY(stc_stop_try(GATHERING * A->ptr[n]));
  STC_TRY(stc_quotient_make(scratch, A, group, &q));
  STC_TRY(find_structure(scratch, &q, &S));
  STC_TRY(expand(scratch, llt, &q, &S));
  measure_panels(llt);
  return STC_OK;
}

stc_error stc_llt_create(const stc_csr *A, const stc_crew *crew, stc_llt **llt) {
  assert(A->rows == A->cols && crew->threads >= 1);
  STC_NEW(llt, "a factor");
  stc_llt *l = *llt;
  l->n = A->rows;
  l->ptr = A->ptr;
  l->col = A->col;
  l->crew = *crew;
  l->dense = stc_dense_kernels();
  stc_arena scratch = {0};
  stc_error error = A->rows > 0 ? build_factor(&scratch, l, A) : STC_OK;
  stc_arena_free(&scratch);
  if (error) stc_llt_free(llt);
  return error;
}

void stc_llt_free(stc_llt **llt) {
  stc_llt *l = *llt;
  if (!l) return;
  stc_release(&l->value);
  stc_release(&l->solving);
  stc_arena_free(&l->arena);
  stc_release(llt);
}

double stc_llt_entries(const stc_llt *llt) {
  return llt->supers ? (double)llt->value_ptr[llt->supers] : 0;
}

// (L L^T)_ij - a_ij <= gamma sqrt(a_ii a_jj), gamma = (k + 1) eps for columns of k entries,
// whatever the order of the sums, and the matrix of these has the norm of its pattern at most,
// which is below its Frobenius norm. Twice that covers the roundings of this estimate and of the
// symmetric part that A may be.
double stc_llt_rounding(const stc_llt *llt) {
  double entries = 0;
  for (int s = 0; s < llt->supers; s++) {
    stc_llt_panel p = stc_llt_panel_of(llt, s);
    entries += (p.lead - 0.5 * (p.cols - 1)) * p.cols;
  }
  return 2 * DBL_EPSILON * (llt->most_rows + 8) * fmin(llt->n, sqrt(2 * entries));
}

double stc_llt_flops(const stc_llt *llt) { return llt->flops; }
