// W = B A^-1 B^T of the contact surface, some columns at a time; entries below rounding, which are
// most of them where a wave crosses few cells in a step, are left out.
#include "strip_data.h"

#include <limits.h>
#include <string.h>

#include "../../../base/fail.h"
#include "../../../linalg/condense.h"

/// Beside the largest entry of the diagonal of a row: a thousand of these stay below rounding.
static const double NEGLIGIBLE = 1e-18;

/// An axis is one of the coordinates' where its other components are at most this.
static const double ALIGNED = 1e-14;

/// Bytes a response may take beside an iterative solver.
static const double ITERATIVE_BYTES = 1e9;

static const double SOLVE_TOLERANCE = 1e-14;

/// W while it grows.
typedef struct growing {
  stc_strip *strip;
  stc_interface *surface;
  size_t blocks, entries;  ///< room of W and of the response
  double *row;             ///< [nodes*dim*dim] blocks of a row of W
  bool keep;               ///< the response
} growing;

// --- Rows of W ---

/// Component k of contact node i of a vector of the free unknowns [free].
static double at_surface(const stc_strip *s, int i, int k, const double *x) {
  const double *axis = stc_strip_axis(s, i, k);
  const int *at = s->equation + s->contact[i] * s->dim;
  double sum = 0;
  for (int j = 0; j < s->dim; j++)
    if (at[j] >= 0) sum += axis[j] * x[at[j]];
  return sum;
}

/// Blocks of row i from its columns x [free*dim], by columns; by symmetry they are its rows. The
/// largest entry of its diagonal.
static double read_blocks(const growing *w, int i, const double *x) {
  const stc_strip *s = w->strip;
  int d = w->surface->dim;
  size_t n = (size_t)s->free;
  double most = 0;
  for (int k = 0; k < d; k++) most = fmax(most, at_surface(s, i, k, x + (size_t)k * n));
  for (int j = 0; j < w->surface->nodes; j++)
    for (int l = 0; l < d; l++) {
      double *column = w->row + (size_t)(j * d + l) * (size_t)d;
      for (int k = 0; k < d; k++) column[k] = at_surface(s, j, l, x + (size_t)k * n);
    }
  return most;
}

static stc_error grow_blocks(growing *w, size_t used, size_t wanted) {
  stc_bsr *W = &w->surface->W;
  size_t room = wanted + wanted / 2, block = (size_t)(W->dim * W->dim);
  if (wanted <= w->blocks) return STC_OK;
  if (room > INT_MAX || !stc_grow(&W->col, used, room, sizeof *W->col) ||
      !stc_grow(&W->val, used * block, room * block + STC_BSR_PAD, sizeof *W->val))
    return stc_fail(STC_ERR_MEMORY, "out of memory for the compliance of %d contact nodes",
                    W->rows);
  w->blocks = room;
  return STC_OK;
}

static stc_error append_blocks(growing *w, int i, const double *x) {
  stc_bsr *W = &w->surface->W;
  size_t block = (size_t)(W->dim * W->dim);
  int count = W->ptr[i];
  double most = read_blocks(w, i, x);
  STC_TRY(grow_blocks(w, (size_t)count, (size_t)count + (size_t)W->rows + 1));
  for (int j = 0; j < W->rows; j++) {
    const double *from = w->row + (size_t)j * block;
    double size = 0;
    for (size_t k = 0; k < block; k++) size = fmax(size, fabs(from[k]));
    if (!(size > NEGLIGIBLE * most) && j != i) continue;
    if (j == i) W->diag[i] = count;
    memcpy(W->val + (size_t)count * block, from, block * sizeof *from);
    W->col[count++] = j;
  }
  W->ptr[i + 1] = count;
  return STC_OK;
}

// --- Rows of B A^-1 ---

// What one more back-substitution would read; a response that reads more is not kept.
static double bytes_of_solve(const stc_strip *s) {
  return stc_sparse_is_direct(s->spd) ? 2 * stc_sparse_bytes(s->spd) : ITERATIVE_BYTES;
}

static stc_error append_response(growing *w, int row, const double *x) {
  stc_csr *r = &w->strip->response;
  size_t used = (size_t)r->ptr[row], count = 0;
  double most = 0;
  int n = w->strip->free;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  for (int i = 0; i < n; i++) count += fabs(x[i]) > NEGLIGIBLE * most;
  double bytes = (double)(used + count) * (double)(sizeof *r->col + sizeof *r->val);
  if (bytes > bytes_of_solve(w->strip) || used + count > INT_MAX) {
    stc_csr_release(&w->strip->response);
    return STC_OK;
  }
  if (used + count > w->entries) {
    w->entries = 2 * (used + count);
    if (!stc_grow(&r->col, used, w->entries, sizeof *r->col) ||
        !stc_grow(&r->val, used, w->entries, sizeof *r->val))
      return stc_fail(STC_ERR_MEMORY, "out of memory for the response of the contact surface");
  }
  for (int i = 0; i < n; i++) {
    if (!(fabs(x[i]) > NEGLIGIBLE * most)) continue;
    r->col[used] = i;
    r->val[used++] = x[i];
  }
  r->ptr[row + 1] = (int)used;
  return STC_OK;
}

// --- Columns ---

static stc_error take_node(void *user, int first, const double *x) {
  growing *w = user;
  STC_TRY(append_blocks(w, first / w->surface->dim, x));
  for (int k = 0; k < w->surface->dim && w->strip->response.ptr && w->keep; k++)
    STC_TRY(append_response(w, first + k, x + (size_t)k * (size_t)w->strip->free));
  return STC_OK;
}

// A support that gives a part of both axes leaves one motion for two forces, which the laws
// themselves cannot tell apart.
static stc_error check_inclined(const stc_strip *s, int i) {
  const int *at = s->equation + s->contact[i] * s->dim;
  const double *n = stc_strip_axis(s, i, 0), *x = s->point + i * s->dim;
  bool given = false, free = false;
  for (int j = 0; j < s->dim; j++) {
    given = given || (at[j] < 0 && fabs(n[j]) > ALIGNED);
    free = free || (at[j] >= 0 && fabs(n[j]) > ALIGNED);
  }
  if (!given || !free || s->settings.eta_n > 0 || s->settings.eta_t > 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE,
                  "a support holds the contact node at (%g, %g, %g) across an inclined contact "
                  "surface: take it out of one of them, or round the laws with eta_n and eta_t",
                  x[0], x[1], s->dim == 3 ? x[2] : 0);
}

// B: each component of the surface by the free unknowns; a row without entries where none moves it.
static stc_error fill_rows(const stc_strip *s, stc_interface *f, stc_csr *B) {
  for (int i = 0; i < s->contacts; i++) STC_TRY(check_inclined(s, i));
  for (int row = 0; row < f->size; row++) {
    int i = row / f->dim, count = B->ptr[row];
    const double *axis = stc_strip_axis(s, i, row % f->dim);
    const int *at = s->equation + s->contact[i] * s->dim;
    for (int j = 0; j < s->dim; j++) {
      if (at[j] < 0 || fabs(axis[j]) <= ALIGNED) continue;
      B->col[count] = at[j];
      B->val[count++] = axis[j];
    }
    f->held[row] = count == B->ptr[row];
    B->ptr[row + 1] = count;
  }
  return STC_OK;
}

static stc_error condense_surface(growing *w, stc_arena *scratch) {
  const stc_strip *s = w->strip;
  stc_interface *f = w->surface;
  stc_csr B;
  w->row = STC_TAKE(scratch, double, (size_t)f->size *(size_t)f->dim);
  STC_TRY(stc_csr_take(scratch, f->size, s->free, (size_t)(f->size * s->dim), &B));
  STC_TRY(fill_rows(s, f, &B));
  const stc_columns columns = {.solver = s->spd,
                               .A = &B,
                               .count = f->size,
                               .group = f->dim,
                               .tol = SOLVE_TOLERANCE,
                               .take = take_node,
                               .user = w,
                               .progress = s->settings.progress,
                               .progress_user = s->settings.progress_user};
  return stc_condense_columns(&columns);
}

stc_error stc_strip_condense(stc_strip *strip, stc_interface *surface, bool response) {
  growing w = {.strip = strip, .surface = surface, .keep = response};
  if (response) strip->response = (stc_csr){.rows = surface->size, .cols = strip->free};
  if (response && !stc_grow(&strip->response.ptr, 0, (size_t)surface->size + 1, sizeof(int)))
    return stc_fail(STC_ERR_MEMORY, "out of memory for %d contact nodes", surface->nodes);
  stc_arena scratch = {0};
  stc_error error = condense_surface(&w, &scratch);
  stc_arena_free(&scratch);
  return error ? error : stc_interface_prepare(surface);
}
