// Block sparse rows: the dim x dim blocks of a CSR matrix, each block contiguous.
#include "bsr.h"

#include "../base/fail.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

// What follows is inlined with the usual dimensions as constants: the quotients by them are most of
// the work. It goes through the entries without branches that depend on them, for those cost more
// than anything else when they are met for the first time.

/// Whether each of the dim rows has all of the block column that begins at `first` from `offset`
/// on.
static inline bool has_whole(const stc_csr *A, int dim, int row, int offset, int first) {
  for (int k = 0; k < dim; k++) {
    const int *col = A->col + A->ptr[row * dim + k] + offset;
    if (col[0] != first || col[dim - 1] != first + dim - 1) return false;
  }
  return true;
}

/// Whether a block row has whole blocks only, the diagonal one among them.
static inline bool is_whole(const stc_csr *A, int dim, int row) {
  const int *ptr = A->ptr + row * dim;
  int entries = ptr[1] - ptr[0];
  bool diagonal = false;
  if (entries % dim != 0) return false;
  for (int k = 1; k < dim; k++)
    if (ptr[k + 1] - ptr[k] != entries) return false;
  for (int at = 0; at < entries; at += dim) {
    int first = A->col[ptr[0] + at];
    if (first % dim != 0 || !has_whole(A, dim, row, at, first)) return false;
    diagonal = diagonal || first == row * dim;
  }
  return diagonal;
}

static inline bool all_whole(const stc_csr *A, int dim) {
  for (int row = 0; row < A->rows / dim; row++)
    if (!is_whole(A, dim, row)) return false;
  return true;
}

static inline void fill_whole(const stc_csr *A, int dim, stc_bsr *B) {
  for (int row = 0, at = 0; row < B->rows; row++) {
    const int *ptr = A->ptr + row * dim;
    for (int m = 0; m < ptr[1] - ptr[0]; m += dim, at++) {
      double *block = B->val + (size_t)at * (size_t)(dim * dim);
      B->col[at] = A->col[ptr[0] + m] / dim;
      if (B->col[at] == row) B->diag[row] = at;
      for (int k = 0; k < dim; k++)
        for (int l = 0; l < dim; l++) block[l * dim + k] = A->val[ptr[k] + m + l];
    }
    B->ptr[row + 1] = at;
  }
}

/// Whether a column belongs to the block whose first column is `base`; most entries do to that of
/// the entry before.
static inline bool is_inside(int col, int base, int dim) {
  return (unsigned)(col - base) < (unsigned)dim;
}

/// The block columns of a block row, its own always among them; seen[c] = row + 1 marks them.
/// Returns how many; one more place of the list may be written.
static inline int list_columns(const stc_csr *A, int dim, int row, int *seen, int *list) {
  int count = 1, base = row * dim;
  list[0] = row;
  seen[row] = row + 1;
  for (int e = A->ptr[row * dim]; e < A->ptr[(row + 1) * dim]; e++) {
    if (is_inside(A->col[e], base, dim)) continue;
    int col = A->col[e] / dim;
    base = col * dim;
    list[count] = col;
    count += seen[col] != row + 1;
    seen[col] = row + 1;
  }
  stc_csr_sort(list, count);
  return count;
}

/// All block columns, row by row; ptr [rows+1] receives where each row begins.
static inline void list_all(const stc_csr *A, int dim, int *seen, size_t *ptr, int *list) {
  ptr[0] = 0;
  for (int row = 0; row < A->rows / dim; row++)
    ptr[row + 1] = ptr[row] + (size_t)list_columns(A, dim, row, seen, list + ptr[row]);
}

/// The entries of the rows, into blocks that are zero; at[c] is the position of block column c.
static inline void fill_partial(const stc_csr *A, int dim, int *at, stc_bsr *B) {
  for (int row = 0; row < B->rows; row++) {
    for (int m = B->ptr[row]; m < B->ptr[row + 1]; m++) at[B->col[m]] = m;
    B->diag[row] = at[row];
    for (int k = 0; k < dim; k++) {
      int base = -dim;
      double *block = NULL;
      for (int e = A->ptr[row * dim + k]; e < A->ptr[row * dim + k + 1]; e++) {
        if (!is_inside(A->col[e], base, dim)) {
          base = A->col[e] / dim * dim;
          block = B->val + (size_t)at[base / dim] * (size_t)(dim * dim) + k;
        }
        block[(A->col[e] - base) * dim] = A->val[e];
      }
    }
  }
}

double *stc_bsr_take_values(stc_arena *arena, size_t count, bool zeroed) {
  size_t room = count + STC_BSR_PAD;
  double *x = zeroed ? STC_TAKE(arena, double, room) : STC_TAKE_RAW(arena, double, room);
  for (size_t k = count; x && k < room; k++) x[k] = 0;
  return x;
}

stc_error stc_bsr_take(stc_arena *arena, int rows, int dim, size_t blocks, bool zeroed,
                       stc_bsr *B) {
  *B = (stc_bsr){.rows = rows, .dim = dim};
  B->ptr = STC_TAKE_RAW(arena, int, (size_t)rows + 1);
  B->col = STC_TAKE_RAW(arena, int, blocks);
  B->diag = STC_TAKE_RAW(arena, int, rows);
  B->val = stc_bsr_take_values(arena, blocks * (size_t)(dim * dim), zeroed);
  STC_TRY(stc_arena_check(arena));
  B->ptr[0] = 0;
  return STC_OK;
}

/// The constants of the usual dimensions, for what is inlined.
#define WITH_CONSTANT(dim, call)                                                                   \
  do {                                                                                             \
    if ((dim) == 2) {                                                                              \
      enum { DIM = 2 };                                                                            \
      call;                                                                                        \
    } else if ((dim) == 3) {                                                                       \
      enum { DIM = 3 };                                                                            \
      call;                                                                                        \
    } else {                                                                                       \
      const int DIM = (dim);                                                                       \
      call;                                                                                        \
    }                                                                                              \
  } while (0)

static stc_error gather_partial(stc_arena *arena, stc_arena *scratch, const stc_csr *A, int dim,
                                stc_bsr *B) {
  int rows = A->rows / dim;
  size_t entries = (size_t)stc_csr_entries(A);
  int *at = STC_TAKE(scratch, int, rows),
      *list = STC_TAKE_RAW(scratch, int, entries + (size_t)rows);
  size_t *ptr = STC_TAKE_RAW(scratch, size_t, (size_t)rows + 1);
  STC_TRY(stc_arena_check(scratch));
  WITH_CONSTANT(dim, list_all(A, DIM, at, ptr, list));
  size_t blocks = ptr[rows];
  if (blocks > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "the matrix has %zu blocks, more than %d", blocks, INT_MAX);
  STC_TRY(stc_bsr_take(arena, rows, dim, blocks, true, B));
  for (int row = 0; row < rows; row++) B->ptr[row + 1] = (int)ptr[row + 1];
  if (blocks > 0) memcpy(B->col, list, blocks * sizeof *list);
  WITH_CONSTANT(dim, fill_partial(A, DIM, at, B));
  return STC_OK;
}

stc_error stc_bsr_from_csr(stc_arena *arena, const stc_csr *A, int dim, stc_bsr *B) {
  assert(dim >= 2 && dim <= STC_BSR_MAX);
  assert(A->rows == A->cols && A->rows % dim == 0);
  bool whole;
  WITH_CONSTANT(dim, whole = all_whole(A, DIM));
  if (whole) {
    size_t blocks = (size_t)stc_csr_entries(A) / (size_t)(dim * dim);
    STC_TRY(stc_bsr_take(arena, A->rows / dim, dim, blocks, false, B));
    WITH_CONSTANT(dim, fill_whole(A, DIM, B));
    return STC_OK;
  }
  stc_arena scratch = {0};
  stc_error error = gather_partial(arena, &scratch, A, dim, B);
  stc_arena_free(&scratch);
  return error;
}

static void multiply_2(const stc_bsr *B, const double *x, double beta, double *y) {
  for (int row = 0; row < B->rows; row++, y += 2) {
    double y0 = beta != 0 ? y[0] : 0, y1 = beta != 0 ? y[1] : 0;
    const double *a = B->val + (size_t)B->ptr[row] * 4;
    for (int k = B->ptr[row]; k < B->ptr[row + 1]; k++, a += 4) {
      const double *z = x + (size_t)B->col[k] * 2;
      y0 += a[0] * z[0] + a[2] * z[1];
      y1 += a[1] * z[0] + a[3] * z[1];
    }
    y[0] = y0, y[1] = y1;
  }
}

static void multiply_3(const stc_bsr *B, const double *x, double beta, double *y) {
  for (int row = 0; row < B->rows; row++, y += 3) {
    double y0 = beta != 0 ? y[0] : 0, y1 = beta != 0 ? y[1] : 0, y2 = beta != 0 ? y[2] : 0;
    const double *a = B->val + (size_t)B->ptr[row] * 9;
    for (int k = B->ptr[row]; k < B->ptr[row + 1]; k++, a += 9) {
      const double *z = x + (size_t)B->col[k] * 3;
      y0 += a[0] * z[0] + a[3] * z[1] + a[6] * z[2];
      y1 += a[1] * z[0] + a[4] * z[1] + a[7] * z[2];
      y2 += a[2] * z[0] + a[5] * z[1] + a[8] * z[2];
    }
    y[0] = y0, y[1] = y1, y[2] = y2;
  }
}

static void multiply_any(const stc_bsr *B, const double *x, double beta, double *y) {
  int dim = B->dim;
  for (int row = 0; row < B->rows; row++, y += dim) {
    double sum[STC_BSR_MAX] = {0};
    for (int k = B->ptr[row]; k < B->ptr[row + 1]; k++) {
      const double *a = B->val + (size_t)k * (size_t)(dim * dim),
                   *z = x + (size_t)B->col[k] * (size_t)dim;
      for (int l = 0; l < dim; l++)
        for (int i = 0; i < dim; i++) sum[i] += a[l * dim + i] * z[l];
    }
    for (int i = 0; i < dim; i++) y[i] = sum[i] + (beta != 0 ? y[i] : 0);
  }
}

void stc_bsr_multiply(const stc_bsr *B, const double *x, double beta, double *y) {
  assert(beta == 0 || beta == 1);
  if (B->dim == 2)
    multiply_2(B, x, beta, y);
  else if (B->dim == 3)
    multiply_3(B, x, beta, y);
  else
    multiply_any(B, x, beta, y);
}
