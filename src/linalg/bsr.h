// Block sparse rows with dim x dim blocks, by columns inside a block: W between contacts.
#ifndef STC_LINALG_BSR_H
#define STC_LINALG_BSR_H

#include "csr.h"

/// The largest block, and the zeros past the last one: vector loads may touch them.
enum { STC_BSR_MAX = 5, STC_BSR_PAD = 2 };

typedef struct stc_bsr {
  int rows;     ///< block rows = block columns
  int dim;      ///< 2 to STC_BSR_MAX
  int *ptr;     ///< [rows+1]
  int *col;     ///< [blocks] strictly increasing in each row; the diagonal block is always there
  int *diag;    ///< [rows] position of the diagonal block
  double *val;  ///< [blocks*dim*dim + STC_BSR_PAD], entry (k, l) of block b at val[b*dim*dim +
                ///< l*dim + k]
} stc_bsr;

/// `count` doubles, zero if asked for, and STC_BSR_PAD zeros past the last one.
double *stc_bsr_take_values(stc_arena *arena, size_t count, bool zeroed);

/// Takes the arrays of at most INT_MAX blocks, which are zero if asked for; ptr[0] = 0.
stc_error stc_bsr_take(stc_arena *arena, int rows, int dim, size_t blocks, bool zeroed, stc_bsr *B);

/// Gathers a square CSR matrix into blocks.
stc_error stc_bsr_from_csr(stc_arena *arena, const stc_csr *A, int dim, stc_bsr *B);

/// y = beta y + B x; beta is 0 or 1.
void stc_bsr_multiply(const stc_bsr *B, const double *x, double beta, double *y);

#endif
