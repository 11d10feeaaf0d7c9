// Block sparse rows: the dim x dim blocks of a CSR matrix, each block contiguous.
#include "bsr.h"

#include "../base/fail.h"

#include <assert.h>
#include <limits.h>

/// Reads the dim rows of one block row side by side, block column after block column. All of it
/// is inlined with the usual dimensions as constants: the quotients by them are most of the work.
typedef struct cursor {
  const stc_csr *A;
  int row;              ///< block row
  int at[STC_BSR_MAX];  ///< next entry of each row
  bool diagonal_ahead;  ///< the diagonal block was not met yet
} cursor;

static inline cursor start_row(const stc_csr *A, int dim, int row) {
  cursor c = {.A = A, .row = row, .diagonal_ahead = true};
  for (int k = 0; k < dim; k++) c.at[k] = A->ptr[row * dim + k];
  return c;
}

/// Least block column not read yet, the diagonal one counted; -1 at the end of the row.
static inline int next_column(cursor *c, int dim) {
  int least = c->diagonal_ahead ? c->row * dim : INT_MAX;
  for (int k = 0; k < dim; k++) {
    if (c->at[k] == c->A->ptr[c->row * dim + k + 1]) continue;
    int col = c->A->col[c->at[k]];
    if (col < least) least = col;
  }
  if (least == INT_MAX) return -1;
  if (least / dim == c->row) c->diagonal_ahead = false;
  return least / dim;
}

/// Moves past block column `col`, adding its entries to block [dim*dim] unless that is NULL.
static inline void read_block(cursor *c, int dim, int col, double *block) {
  for (int k = 0; k < dim; k++) {
    int end = c->A->ptr[c->row * dim + k + 1], at = c->at[k], first = col * dim;
    for (; at < end && c->A->col[at] < first + dim; at++)
      if (block) block[(c->A->col[at] - first) * dim + k] = c->A->val[at];
    c->at[k] = at;
  }
}

static inline size_t count_in(const stc_csr *A, int dim) {
  size_t blocks = 0;
  for (int row = 0; row < A->rows / dim; row++) {
    cursor c = start_row(A, dim, row);
    for (int col = next_column(&c, dim); col >= 0; col = next_column(&c, dim), blocks++)
      read_block(&c, dim, col, NULL);
  }
  return blocks;
}

static inline void fill_in(const stc_csr *A, int dim, stc_bsr *B) {
  int at = 0;
  B->ptr[0] = 0;
  for (int row = 0; row < B->rows; row++) {
    cursor c = start_row(A, dim, row);
    for (int col = next_column(&c, dim); col >= 0; col = next_column(&c, dim), at++) {
      double *block = B->val + (size_t)at * (size_t)(dim * dim);
      if (col == row) B->diag[row] = at;
      B->col[at] = col;
      for (int k = 0; k < dim * dim; k++) block[k] = 0;
      read_block(&c, dim, col, block);
    }
    B->ptr[row + 1] = at;
  }
}

static size_t count_blocks(const stc_csr *A, int dim) {
  return dim == 2 ? count_in(A, 2) : dim == 3 ? count_in(A, 3) : count_in(A, dim);
}

static void fill(const stc_csr *A, stc_bsr *B) {
  if (B->dim == 2)
    fill_in(A, 2, B);
  else if (B->dim == 3)
    fill_in(A, 3, B);
  else
    fill_in(A, B->dim, B);
}

stc_error stc_bsr_from_csr(stc_arena *arena, const stc_csr *A, int dim, stc_bsr *B) {
  assert(dim >= 2 && dim <= STC_BSR_MAX);
  assert(A->rows == A->cols && A->rows % dim == 0);
  size_t blocks = count_blocks(A, dim);
  if (blocks > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "the matrix has %zu blocks, more than %d", blocks, INT_MAX);
  *B = (stc_bsr){.rows = A->rows / dim, .dim = dim};
  B->ptr = STC_TAKE_RAW(arena, int, (size_t)B->rows + 1);
  B->col = STC_TAKE_RAW(arena, int, blocks);
  B->diag = STC_TAKE_RAW(arena, int, B->rows);
  B->val = STC_TAKE_RAW(arena, double, blocks *(size_t)(dim * dim));
  STC_TRY(stc_arena_check(arena));
  fill(A, B);
  return STC_OK;
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
