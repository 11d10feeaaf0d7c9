// Analysis for the Cholesky factorisation: nested dissection (METIS) of the graph of nodes, then
// CHOLMOD's elimination tree and supernodes.
#include "llt_data.h"

#include "../../base/fail.h"
#include "../../base/stop.h"
#include "../cholmod_view.h"
#include "../order.h"
#include "quotient.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// Below this number of nodes minimum degree is as good as dissection, and faster.
enum { DISSECTION_NODES = 500 };

// --- Order of the nodes ---

static stc_error order_nodes(stc_arena *arena, const stc_quotient *q, int *order) {
  if (q->nodes > DISSECTION_NODES && stc_order_dissection(q->nodes, q->ptr, q->adj, order))
    return STC_OK;
  int *work = STC_TAKE_RAW(arena, int, stc_order_work(q->nodes, q->ptr[q->nodes]));
  STC_TRY(stc_arena_check(arena));
  stc_order_minimum_degree(q->nodes, q->ptr, q->adj, work, order);
  return STC_OK;
}

static stc_error order_unknowns(stc_arena *arena, const stc_csr *A, const int *node, int **perm) {
  stc_quotient q;
  STC_TRY(stc_quotient_make(arena, A, node, &q));
  int *order = STC_TAKE_RAW(arena, int, q.nodes), at = 0;
  *perm = STC_TAKE_RAW(arena, int, A->rows);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(order_nodes(arena, &q, order));
  for (int k = 0; k < q.nodes; k++)
    for (int m = q.start[order[k]]; m < q.start[order[k] + 1]; m++) (*perm)[at++] = q.member[m];
  return STC_OK;
}

// --- Structure of the factor ---

static void start_cholmod(cholmod_common *common) {
  cholmod_start(common);
  common->print = 0;
  common->error_handler = NULL;
  common->supernodal = CHOLMOD_SUPERNODAL;
  common->nmethods = 1;
  common->method[0].ordering = CHOLMOD_GIVEN;
  common->postorder = 1;
}

static stc_error explain_status(int n, int status) {
  if (status == CHOLMOD_TOO_LARGE)
    return stc_fail(STC_ERR_MEMORY, "the factor of a matrix of %d rows has more than 2^31 entries",
                    n);
  if (status == CHOLMOD_OUT_OF_MEMORY)
    return stc_fail(STC_ERR_MEMORY, "out of memory in the analysis of a matrix of %d rows", n);
  return stc_fail(STC_ERR_NUMERIC, "CHOLMOD cannot analyse a matrix of %d rows (status %d)", n,
                  status);
}

static int *copy_ints(stc_arena *arena, const int *from, size_t count) {
  int *to = STC_TAKE_RAW(arena, int, count);
  if (to && count) memcpy(to, from, count * sizeof *to);
  return to;
}

static stc_error copy_structure(stc_llt *llt, const cholmod_factor *L) {
  size_t supers = L->nsuper;
  llt->supers = (int)supers;
  llt->order = copy_ints(&llt->arena, L->Perm, (size_t)llt->n);
  llt->first = copy_ints(&llt->arena, L->super, supers + 1);
  llt->list_ptr = copy_ints(&llt->arena, L->pi, supers + 1);
  llt->list = copy_ints(&llt->arena, L->s, L->ssize);
  llt->step = STC_TAKE_RAW(&llt->arena, int, llt->n);
  llt->owner = STC_TAKE_RAW(&llt->arena, int, llt->n);
  llt->value_ptr = STC_TAKE(&llt->arena, size_t, supers + 1);
  return stc_arena_check(&llt->arena);
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

static stc_error analyse(stc_llt *llt, const stc_csr *A, int *perm) {
  cholmod_common common;
  start_cholmod(&common);
  cholmod_sparse view = stc_cholmod_view(A, CHOLMOD_PATTERN);
  cholmod_factor *L = cholmod_analyze_p(&view, perm, NULL, 0, &common);
  stc_error error =
      L && L->is_super ? copy_structure(llt, L) : explain_status(A->rows, common.status);
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  if (!error) measure_panels(llt);
  return error;
}

static stc_error build_factor(stc_llt *llt, const stc_csr *A, const int *node) {
  if (A->rows == 0) return STC_OK;
  stc_arena scratch = {0};
  int *perm;
  const double pass = A->ptr[A->rows];  // neither step can be stopped: looks between them
  stc_error error = stc_stop_try(pass);
  if (!error) error = order_unknowns(&scratch, A, node, &perm);
  if (!error) error = stc_stop_try(pass);
  if (!error) error = analyse(llt, A, perm);
  stc_arena_free(&scratch);
  return error;
}

stc_error stc_llt_create(const stc_csr *A, const int *node, const stc_crew *crew, stc_llt **llt) {
  assert(A->rows == A->cols && crew->threads >= 1);
  stc_llt *l = *llt = stc_calloc(1, sizeof *l);
  if (!l) return stc_fail(STC_ERR_MEMORY, "out of memory for a factor");
  l->n = A->rows;
  l->ptr = A->ptr;
  l->col = A->col;
  l->crew = *crew;
  l->dense = stc_dense_kernels();
  stc_error error = build_factor(l, A, node);
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
