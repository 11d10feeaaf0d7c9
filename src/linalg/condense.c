// S = A M^-1 A^T column by column: x = M^-1 a_i over the blocks that row a_i touches, S_ji = a_j .
// x for the rows j that touch them too; only j <= i, and S_ij = S_ji, where M is symmetric.
#include "condense.h"

#include "../base/fail.h"

#include <limits.h>
#include <stdlib.h>

typedef struct work {
  const stc_blocks *M;
  const stc_csr *A;
  stc_csr At;
  stc_csr touch;  ///< [rows x blocks] 1 where row i touches block b
  stc_csr on;     ///< its transpose
  int *seen;      ///< [rows] the last row + 1 that listed this one
  int *partners;  ///< [rows] rows j, up to last(i), that share a block with row i
  double *x;      ///< [dofs] M^-1 a_i by position; 0 between rows
  double *sum;    ///< [rows] S_ji; 0 between rows
} work;

/// Which blocks each row touches.
static stc_error find_touches(stc_arena *arena, work *k) {
  const stc_csr *A = k->A;
  int entries = stc_csr_entries(A), count = 0;
  int *seen_by = STC_TAKE(arena, int, k->M->count);
  k->touch = (stc_csr){.rows = A->rows, .cols = k->M->count};
  k->touch.ptr = STC_TAKE(arena, int, (size_t)A->rows + 1);
  k->touch.col = STC_TAKE(arena, int, entries);
  k->touch.val = STC_TAKE(arena, double, entries);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < A->rows; i++) {
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) {
      int b = k->M->block[A->col[e]];
      if (A->val[e] == 0 || seen_by[b] == i + 1) continue;
      seen_by[b] = i + 1;
      k->touch.val[count] = 1;
      k->touch.col[count++] = b;
    }
    k->touch.ptr[i + 1] = count;
  }
  return stc_csr_transpose(arena, &k->touch, &k->on);
}

static stc_error prepare(stc_arena *arena, work *k) {
  STC_TRY(find_touches(arena, k));
  STC_TRY(stc_csr_transpose(arena, k->A, &k->At));
  k->seen = STC_TAKE(arena, int, k->A->rows);
  k->partners = STC_TAKE(arena, int, k->A->rows);
  k->x = STC_TAKE(arena, double, k->A->cols);
  k->sum = STC_TAKE(arena, double, k->A->rows);
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

/// Entries of each row of S at ptr[row + 1], and of all; gives up once they exceed an int.
static size_t count_entries(work *k, int *ptr) {
  size_t entries = 0;
  for (int i = 0; i < k->A->rows && entries <= INT_MAX; i++) {
    int count = find_partners(k, i);
    ptr[i + 1] += count;
    for (int p = 0; p < count; p++)
      if (k->M->symmetric && k->partners[p] < i) ptr[k->partners[p] + 1]++;
    entries += (k->M->symmetric ? 2 : 1) * (size_t)count;
  }
  for (int i = 0; i < k->A->rows; i++) k->seen[i] = 0;
  return entries;
}

/// sum = a_j . M^-1 a_i for every j up to last(i).
static stc_error respond(work *k, int i) {
  const stc_csr *A = k->A, *At = &k->At;
  int final = last(k, i);
  for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) k->x[k->M->position[A->col[e]]] = A->val[e];
  for (int t = k->touch.ptr[i]; t < k->touch.ptr[i + 1]; t++) {
    int b = k->touch.col[t], end = k->M->ptr[b + 1];
    STC_TRY(stc_blocks_solve(k->M, b, k->x + k->M->ptr[b]));
    for (int p = k->M->ptr[b]; p < end; p++) {
      int dof = k->M->dof[p];
      for (int e = At->ptr[dof]; e < At->ptr[dof + 1] && At->col[e] <= final; e++)
        k->sum[At->col[e]] += At->val[e] * k->x[p];
      k->x[p] = 0;
    }
  }
  return STC_OK;
}

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/// Appends what is computed of column i of S to row i of S^T; where M is symmetric, that is row i
/// of S up to the diagonal, and its mirror image goes to the rows above. `next`: where each row
/// ends so far; columns come in increasing order.
static stc_error append_row(work *k, int i, int *next, stc_csr *S) {
  int count = find_partners(k, i);
  STC_TRY(respond(k, i));
  qsort(k->partners, (size_t)count, sizeof(int), compare);
  for (int p = 0; p < count; p++) {
    int j = k->partners[p];
    S->col[next[i]] = j;
    S->val[next[i]++] = k->sum[j];
    if (k->M->symmetric && j < i) {
      S->col[next[j]] = i;
      S->val[next[j]++] = k->sum[j];
    }
    k->sum[j] = 0;
  }
  return STC_OK;
}

static stc_error take(stc_arena *arena, work *k, stc_csr *S) {
  int rows = k->A->rows;
  *S = (stc_csr){.rows = rows, .cols = rows};
  S->ptr = STC_TAKE(arena, int, (size_t)rows + 1);
  STC_TRY(stc_arena_check(arena));
  size_t entries = count_entries(k, S->ptr);
  if (entries > INT_MAX)
    return stc_fail(
        STC_ERR_MEMORY,
        "the local form of %d rows would have more than %d entries; keep the problem in "
        "its global form",
        rows, INT_MAX);
  for (int i = 0; i < rows; i++) S->ptr[i + 1] += S->ptr[i];
  S->col = STC_TAKE(arena, int, S->ptr[rows]);
  S->val = STC_TAKE(arena, double, S->ptr[rows]);
  if (stc_arena_check(arena))
    return stc_fail(STC_ERR_MEMORY,
                    "out of memory for the %d entries of the local form; keep the problem in its "
                    "global form",
                    S->ptr[rows]);
  return STC_OK;
}

static stc_error fill(stc_arena *scratch, work *k, stc_csr *S) {
  int *next = STC_TAKE(scratch, int, S->rows);
  STC_TRY(stc_arena_check(scratch));
  for (int i = 0; i < S->rows; i++) next[i] = S->ptr[i];
  for (int i = 0; i < S->rows; i++) STC_TRY(append_row(k, i, next, S));
  return STC_OK;
}

stc_error stc_condense(stc_arena *arena, const stc_blocks *M, const stc_csr *A, stc_csr *S) {
  stc_arena scratch = {0};
  work k = {.M = M, .A = A};
  stc_error error = prepare(&scratch, &k);
  stc_csr St;
  stc_csr *target = M->symmetric ? S : &St;
  if (!error) error = take(M->symmetric ? arena : &scratch, &k, target);
  if (!error) error = fill(&scratch, &k, target);
  if (!error && !M->symmetric) error = stc_csr_transpose(arena, &St, S);
  stc_arena_free(&scratch);
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
