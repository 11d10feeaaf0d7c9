// S = A M^-1 A^T column by column: x = M^-1 a_i over the blocks that row a_i touches, S_ji = a_j .
// x for the rows j that touch them too; only j <= i, and S_ij = S_ji, where M is symmetric. Rows in
// a row that touch the same blocks, as those of a contact do, go side by side.
#include "condense.h"

#include "../base/stop.h"

#include <limits.h>
#include <string.h>

// Operations of a row that is counted, and of one that is computed, about.
static const double COUNTED = 500, ROW = 5000;

typedef struct work {
  const stc_blocks *M;
  const stc_csr *A;
  stc_csr At;
  stc_csr touch;   ///< [rows x blocks] 1 where row i touches block b
  stc_csr on;      ///< its transpose
  int *first;      ///< [blocks] least row of each block that A touches
  int *seen;       ///< [rows] the last row + 1 that listed this one
  int *partners;   ///< [rows] rows j, up to last(i), that share a block with row i
  double *x;       ///< [dofs][STC_LANES] M^-1 a_i by position; 0 between groups of rows
  double *column;  ///< [dofs] work space
  double *sum;     ///< [rows][STC_LANES] S_ji; 0 between groups
} work;

/// Which blocks each row touches.
static stc_error find_touches(stc_arena *arena, work *k) {
  const stc_csr *A = k->A;
  int entries = stc_csr_entries(A), count = 0;
  int *seen_by = STC_TAKE(arena, int, k->M->count);
  k->first = STC_TAKE_RAW(arena, int, k->M->count);
  STC_TRY(stc_csr_take(arena, A->rows, k->M->count, (size_t)entries, &k->touch));
  for (int b = 0; b < k->M->count; b++) k->first[b] = k->M->ptr[b + 1] - k->M->ptr[b];
  for (int i = 0; i < A->rows; i++) {
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) {
      int b = k->M->block[A->col[e]], row = k->M->position[A->col[e]] - k->M->ptr[b];
      if (row < k->first[b]) k->first[b] = row;
      if (A->val[e] == 0 || seen_by[b] == i + 1) continue;
      seen_by[b] = i + 1;
      k->touch.val[count] = 1;
      k->touch.col[count++] = b;
    }
    k->touch.ptr[i + 1] = count;
  }
  return stc_csr_transpose(arena, &k->touch, &k->on);
}

static stc_error prepare_condensation(stc_arena *arena, work *k) {
  STC_TRY(find_touches(arena, k));
  STC_TRY(stc_csr_transpose(arena, k->A, &k->At));
  k->seen = STC_TAKE(arena, int, k->A->rows);
  k->partners = STC_TAKE_RAW(arena, int, k->A->rows);
  k->x = STC_TAKE(arena, double, (size_t)k->A->cols *STC_LANES);
  k->column = STC_TAKE_RAW(arena, double, k->A->cols);
  k->sum = STC_TAKE(arena, double, (size_t)k->A->rows *STC_LANES);
  return stc_arena_check(arena);
}

/// The last row j for which S_ji is computed.
static int last(const work *k, int i) { return k->M->symmetric ? i : k->A->rows - 1; }

/// Lists the partners of row i, in any order.
static int find_partners(work *k, int i) {
  int count = 0, end = last(k, i);
  for (int t = k->touch.ptr[i]; t < k->touch.ptr[i + 1]; t++) {
    int b = k->touch.col[t];
    for (int e = k->on.ptr[b]; e < k->on.ptr[b + 1] && k->on.col[e] <= end; e++) {
      int j = k->on.col[e];
      if (k->seen[j] == i + 1) continue;
      k->seen[j] = i + 1;
      k->partners[count++] = j;
    }
  }
  return count;
}

/// Whether rows i and j touch the same blocks.
static bool alike(const work *k, int i, int j) {
  const int *ptr = k->touch.ptr, count = ptr[i + 1] - ptr[i];
  return ptr[j + 1] - ptr[j] == count &&
         (count == 0 || memcmp(k->touch.col + ptr[i], k->touch.col + ptr[j],
                               (size_t)count * sizeof *k->touch.col) == 0);
}

/// How many rows from i on go side by side.
static int count_alike(const work *k, int i) {
  int lanes = 1;
  while (lanes < STC_LANES && i + lanes < k->A->rows && alike(k, i, i + lanes)) lanes++;
  return lanes;
}

/// Counts the entries of a group of rows, and of their mirror images, at ptr[row + 1].
static size_t count_group(work *k, int i, int lanes, int *ptr) {
  size_t entries = 0;
  int count = find_partners(k, i + lanes - 1);
  for (int p = 0; p < count; p++)
    for (int l = 0, j = k->partners[p]; l < lanes; l++) {
      if (j > last(k, i + l)) continue;
      bool mirrored = k->M->symmetric && j < i + l;
      ptr[i + l + 1]++;
      if (mirrored) ptr[j + 1]++;
      entries += mirrored ? 2 : 1;
    }
  return entries;
}

/// Entries of S; gives up once they exceed an int.
static size_t count_entries(work *k, int *ptr) {
  size_t entries = 0;
  for (int i = 0, lanes; i < k->A->rows && entries <= INT_MAX; i += lanes) {
    lanes = count_alike(k, i);
    entries += count_group(k, i, lanes, ptr);
    if (stc_stop_due(COUNTED * lanes)) break;
  }
  for (int i = 0; i < k->A->rows; i++) k->seen[i] = 0;
  return entries;
}

/// sum = a_j . M^-1 a_i for the rows i of a group and every j up to the last one's last.
static stc_error respond(work *k, int i, int lanes) {
  const stc_csr *A = k->A;
  for (int l = 0; l < lanes; l++)
    for (int e = A->ptr[i + l]; e < A->ptr[i + l + 1]; e++)
      k->x[(size_t)k->M->position[A->col[e]] * STC_LANES + (size_t)l] = A->val[e];
  for (int t = k->touch.ptr[i]; t < k->touch.ptr[i + 1]; t++) {
    int b = k->touch.col[t];
    STC_TRY(stc_blocks_solve_lanes(k->M, b, lanes, k->first[b], k->column,
                                   k->x + (size_t)k->M->ptr[b] * STC_LANES));
    // sum += a_j . x over the block b for any j up to `final`; clears x.
    int final = last(k, i + lanes - 1);
    const stc_csr *At = &k->At;
    for (int p = k->M->ptr[b] + k->first[b]; p < k->M->ptr[b + 1]; p++) {
      int dof = k->M->dof[p];
      double x[STC_LANES];
      memcpy(x, k->x + (size_t)p * STC_LANES, sizeof x);
      memset(k->x + (size_t)p * STC_LANES, 0, sizeof x);
      for (int e = At->ptr[dof]; e < At->ptr[dof + 1] && At->col[e] <= final; e++) {
        double *sum = k->sum + (size_t)At->col[e] * STC_LANES;
        for (int l = 0; l < STC_LANES; l++) sum[l] += At->val[e] * x[l];
      }
    }
  }
  return STC_OK;
}

/// Appends what is computed of column i of S to row i of S^T; where M is symmetric, that is row i
/// of S up to the diagonal, and its mirror image goes to the rows above. `next`: where each row
/// ends so far; columns come in increasing order. Sums of row i are at sum[j][lane].
static void append_row(work *k, int i, int lane, int count, int *next, stc_csr *S) {
  for (int p = 0; p < count && k->partners[p] <= last(k, i); p++) {
    int j = k->partners[p];
    double value = k->sum[(size_t)j * STC_LANES + (size_t)lane];
    S->col[next[i]] = j;
    S->val[next[i]++] = value;
    if (k->M->symmetric && j < i) {
      S->col[next[j]] = i;
      S->val[next[j]++] = value;
    }
  }
}

static stc_error take_condensed(stc_arena *arena, work *k, stc_csr *S) {
  int rows = k->A->rows;
  *S = (stc_csr){.rows = rows, .cols = rows};
  S->ptr = STC_TAKE(arena, int, (size_t)rows + 1);
  STC_TRY(stc_arena_check(arena));
  size_t entries = count_entries(k, S->ptr);
  STC_TRY(stc_stop_try(0));
  if (entries > INT_MAX)
    return stc_fail(
        STC_ERR_MEMORY,
        "the local form of %d rows would have more than %d entries; keep the problem in "
        "its global form",
        rows, INT_MAX);
  for (int i = 0; i < rows; i++) S->ptr[i + 1] += S->ptr[i];
  S->col = STC_TAKE_RAW(arena, int, S->ptr[rows]);
  S->val = STC_TAKE_RAW(arena, double, S->ptr[rows]);
  if (stc_arena_check(arena))
    return stc_fail(STC_ERR_MEMORY,
                    "out of memory for the %d entries of the local form; keep the problem in its "
                    "global form",
                    S->ptr[rows]);
  return STC_OK;
}

static stc_error fill_condensed(stc_arena *scratch, work *k, stc_csr *S) {
  int *next = STC_TAKE_RAW(scratch, int, S->rows);
  STC_TRY(stc_arena_check(scratch));
  for (int i = 0; i < S->rows; i++) next[i] = S->ptr[i];
  for (int i = 0, lanes; i < S->rows; i += lanes) {
    lanes = count_alike(k, i);
    int count = find_partners(k, i + lanes - 1);
    STC_TRY(respond(k, i, lanes));
    stc_csr_sort(k->partners, count);
    for (int l = 0; l < lanes; l++) append_row(k, i + l, l, count, next, S);
    for (int p = 0; p < count; p++)
      for (int l = 0; l < STC_LANES; l++)
        k->sum[(size_t)k->partners[p] * STC_LANES + (size_t)l] = 0;
    STC_TRY(stc_stop_try(ROW * lanes));
  }
  return STC_OK;
}

stc_error stc_condense(stc_arena *arena, const stc_blocks *M, const stc_csr *A, stc_csr *S) {
  stc_arena scratch = {0};
  work k = {.M = M, .A = A};
  stc_error error = prepare_condensation(&scratch, &k);
  stc_csr St;
  stc_csr *target = M->symmetric ? S : &St;
  if (!error) error = take_condensed(M->symmetric ? arena : &scratch, &k, target);
  if (!error) error = fill_condensed(&scratch, &k, target);
  if (!error && !M->symmetric) error = stc_csr_transpose(arena, &St, S);
  stc_arena_free(&scratch);
  return error;
}

// --- Column by column ---

enum { TOGETHER = 32 };  // columns solved at once

/// Columns first .. end - 1; b and x [TOGETHER][cols].
static stc_error solve_columns(const stc_columns *c, int first, int end, double *b, double *x) {
  const stc_csr *A = c->A;
  size_t n = (size_t)A->cols;
  memset(b, 0, n * (size_t)(end - first) * sizeof *b);
  memset(x, 0, n * (size_t)(end - first) * sizeof *x);
  for (int k = first; k < end; k++) {
    int row = c->row ? c->row[k] : k;
    for (int e = A->ptr[row]; e < A->ptr[row + 1]; e++)
      b[(size_t)(k - first) * n + (size_t)A->col[e]] = A->val[e];
  }
  STC_TRY(stc_sparse_solve(c->solver, end - first, b, x, c->tol, NULL));
  for (int k = first; k < end; k += c->group)
    STC_TRY(c->take(c->user, k, x + (size_t)(k - first) * n));
  return STC_OK;
}

stc_error stc_condense_columns(const stc_columns *c) {
  int step = TOGETHER / c->group * c->group;
  size_t room = (size_t)c->A->cols * (size_t)step;
  double *b = stc_calloc(room, sizeof *b), *x = stc_calloc(room, sizeof *x);
  stc_error error =
      b && x ? STC_OK : stc_fail(STC_ERR_MEMORY, "out of memory for %d unknowns", c->A->cols);
  for (int first = 0; first < c->count && !error; first += step) {
    int end = first + step < c->count ? first + step : c->count;
    if (c->progress &&
        !c->progress(c->progress_user, "condensing contacts", (double)first / c->count))
      error = stc_fail(STC_ERR_CALLBACK, "the progress callback stopped the run");
    else
      error = solve_columns(c, first, end, b, x);
  }
  stc_release(&b);
  stc_release(&x);
  return error;
}

stc_error stc_condense_solve(const stc_blocks *M, const double *f, double *x) {
  int dofs = M->ptr[M->count];
  double *y = stc_calloc((size_t)dofs, sizeof *y);
  if (!y) return stc_fail(STC_ERR_MEMORY, "out of memory for %d velocities", dofs);
  stc_error error = STC_OK;
  for (int p = 0; p < dofs; p++) y[p] = f[M->dof[p]];
  for (int b = 0; b < M->count && !error; b++) error = stc_blocks_solve(M, b, y + M->ptr[b]);
  for (int p = 0; p < dofs; p++) x[M->dof[p]] = y[p];
  stc_release(&y);
  return error;
}
