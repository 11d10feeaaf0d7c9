// W = B A^-1 B^T of the contact surface, some columns at a time; entries below rounding, which are
// most of them where a wave crosses few cells in a step, are left out.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"

enum { TOGETHER = 32 };  // columns solved at once, at least one node's

/// Beside the largest entry of the diagonal of a row: a thousand of these stay below rounding.
static const double NEGLIGIBLE = 1e-18;

/// Bytes a response may take beside an iterative solver.
static const double ITERATIVE_BYTES = 1e9;

static const double SOLVE_TOLERANCE = 1e-14;

/// W while it grows.
typedef struct growing {
  stc_strip *strip;
  stc_interface *surface;
  size_t room;    ///< entries
  double *b, *x;  ///< [free*columns]
  bool keep;      ///< the response
} growing;

static stc_error make_room(growing *w, size_t wanted) {
  if (wanted <= w->room) return STC_OK;
  size_t room = wanted + wanted / 2, d = (size_t)w->surface->dim;
  size_t used = (size_t)w->surface->W.ptr[w->surface->nodes];
  int *node = stc_calloc(room, sizeof *node);
  double *block = stc_calloc(room * d * d, sizeof *block);
  if (!node || !block || room > 0x7fffffff) {
    stc_release(&node);
    stc_release(&block);
    return stc_fail(STC_ERR_MEMORY, "out of memory for the compliance of %d contact nodes",
                    w->surface->nodes);
  }
  stc_compliance *W = &w->surface->W;
  if (used) memcpy(node, W->node, used * sizeof *node);
  if (used) memcpy(block, W->block, used * d * d * sizeof *block);
  stc_release(&W->node);
  stc_release(&W->block);
  W->node = node;
  W->block = block;
  w->room = room;
  return STC_OK;
}

// Row i of W from its columns x [free*dim]; by symmetry they are its rows.
static void add_row(growing *w, int i, const double *x) {
  stc_interface *f = w->surface;
  const stc_strip *s = w->strip;
  int d = f->dim, count = f->W.ptr[f->nodes];
  double most = 0;
  for (int k = 0; k < d; k++) {
    int own = s->equation[stc_strip_component(s, i, k)];
    if (own >= 0) most = fmax(most, x[(size_t)k * (size_t)s->free + (size_t)own]);
  }
  f->W.ptr[i] = count;
  for (int j = 0; j < f->nodes; j++) {
    double *block = f->W.block + (size_t)count * (size_t)(d * d), size = 0;
    for (int l = 0; l < d; l++) {
      int at = s->equation[stc_strip_component(s, j, l)];
      for (int k = 0; k < d; k++) {
        block[k * d + l] = at < 0 ? 0 : x[(size_t)k * (size_t)s->free + (size_t)at];
        size = fmax(size, fabs(block[k * d + l]));
      }
    }
    if (size > NEGLIGIBLE * most || j == i) f->W.node[count++] = j;
  }
  f->W.ptr[f->nodes] = count;
}

// --- Rows of B A^-1 ---

// What one more back-substitution would read; a response that reads more is not kept.
static double bytes_of_solve(const stc_strip *s) {
  return stc_sparse_is_direct(s->spd) ? 2 * stc_sparse_bytes(s->spd) : ITERATIVE_BYTES;
}

static void drop_response(stc_response_rows *r) {
  stc_release(&r->ptr);
  stc_release(&r->col);
  stc_release(&r->val);
}

static stc_error make_response_room(stc_response_rows *r, size_t used, size_t wanted) {
  if (wanted <= r->room) return STC_OK;
  size_t room = 2 * wanted;
  int *col = stc_calloc(room, sizeof *col);
  double *val = stc_calloc(room, sizeof *val);
  if (!col || !val) {
    stc_release(&col);
    stc_release(&val);
    return stc_fail(STC_ERR_MEMORY, "out of memory for the response of the contact surface");
  }
  if (used) memcpy(col, r->col, used * sizeof *col);
  if (used) memcpy(val, r->val, used * sizeof *val);
  stc_release(&r->col);
  stc_release(&r->val);
  r->col = col;
  r->val = val;
  r->room = room;
  return STC_OK;
}

static stc_error add_response(growing *w, int row, const double *x) {
  stc_response_rows *r = &w->strip->response;
  size_t used = r->ptr[row], count = 0;
  double most = 0;
  int n = w->strip->free;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  for (int i = 0; i < n; i++) count += fabs(x[i]) > NEGLIGIBLE * most;
  double bytes = (double)(used + count) * (double)(sizeof *r->col + sizeof *r->val);
  if (bytes > bytes_of_solve(w->strip)) {
    drop_response(r);
    return STC_OK;
  }
  STC_TRY(make_response_room(r, used, used + count));
  for (int i = 0; i < n; i++) {
    if (!(fabs(x[i]) > NEGLIGIBLE * most)) continue;
    r->col[used] = i;
    r->val[used++] = x[i];
  }
  r->ptr[row + 1] = used;
  return STC_OK;
}

// --- Columns ---

static stc_error solve_columns(growing *w, int first, int last) {
  const stc_strip *s = w->strip;
  size_t free = (size_t)s->free, d = (size_t)w->surface->dim, columns = (size_t)(last - first) * d;
  memset(w->b, 0, free * columns * sizeof *w->b);
  memset(w->x, 0, free * columns * sizeof *w->x);
  for (int i = first; i < last; i++)
    for (int k = 0; k < (int)d; k++) {
      int at = s->equation[stc_strip_component(s, i, k)];
      w->surface->held[i * (int)d + k] = at < 0;
      if (at >= 0) w->b[((size_t)(i - first) * d + (size_t)k) * free + (size_t)at] = 1;
    }
  return stc_sparse_solve(s->spd, (int)columns, w->b, w->x, SOLVE_TOLERANCE, NULL);
}

static stc_error add_rows(growing *w, int step) {
  const stc_strip *s = w->strip;
  stc_interface *f = w->surface;
  size_t column = (size_t)s->free * (size_t)f->dim;
  for (int first = 0; first < f->nodes; first += step) {
    int last = first + step < f->nodes ? first + step : f->nodes;
    if (s->settings.progress &&
        !s->settings.progress(s->settings.progress_user, "condensing contacts",
                              (double)first / f->nodes))
      return stc_fail(STC_ERR_CALLBACK, "the progress callback stopped the run");
    STC_TRY(solve_columns(w, first, last));
    for (int i = first; i < last; i++) {
      STC_TRY(make_room(w, (size_t)f->W.ptr[f->nodes] + (size_t)f->nodes + 1));
      const double *x = w->x + (size_t)(i - first) * column;
      add_row(w, i, x);
      for (int k = 0; k < f->dim && s->response.ptr && w->keep; k++)
        STC_TRY(add_response(w, i * f->dim + k, x + (size_t)k * (size_t)s->free));
    }
  }
  return STC_OK;
}

stc_error stc_strip_condense(stc_strip *strip, stc_interface *surface, bool response) {
  int step = TOGETHER / surface->dim;
  size_t numbers = (size_t)strip->free * (size_t)(step * surface->dim);
  growing w = {.strip = strip, .surface = surface, .keep = response};
  if (response) strip->response.ptr = stc_calloc((size_t)surface->size + 1, sizeof(size_t));
  if (response && !strip->response.ptr)
    return stc_fail(STC_ERR_MEMORY, "out of memory for %d contact nodes", surface->nodes);
  w.b = stc_calloc(numbers, sizeof *w.b);
  w.x = stc_calloc(numbers, sizeof *w.x);
  stc_error error = w.b && w.x
                        ? add_rows(&w, step)
                        : stc_fail(STC_ERR_MEMORY, "out of memory for %d unknowns", strip->free);
  stc_release(&w.b);
  stc_release(&w.x);
  return error ? error : stc_interface_prepare(surface);
}
