// Compressed sparse rows that own their arrays.
#ifndef STC_LINALG_CSR_H
#define STC_LINALG_CSR_H

#include "../base/memory.h"

#include <stiction/linalg.h>

/// Rows of (column, value) pairs, columns strictly increasing in each row.
typedef struct stc_csr {
  int rows;
  int cols;
  int *ptr;     ///< [rows+1]
  int *col;     ///< [entries]
  double *val;  ///< [entries]
} stc_csr;

/// Copies any storage into CSR with sorted rows. Refuses, naming the first bad entry by `name`:
/// sizes other than rows x cols, pointers that decrease, indices out of range, unsorted or
/// duplicate indices, values that are not finite.
stc_error stc_csr_from_matrix(stc_arena *arena, const char *name, const stc_matrix *matrix,
                              int rows, int cols, stc_csr *csr);
stc_error stc_csr_transpose(stc_arena *arena, const stc_csr *A, stc_csr *At);
stc_matrix stc_csr_view(const stc_csr *A);
int stc_csr_entries(const stc_csr *A);

/// y = beta y + A x, and y = beta y + A^T x; beta is 0 or 1.
void stc_csr_multiply(const stc_csr *A, const double *x, double beta, double *y);
void stc_csr_multiply_transposed(const stc_csr *A, const double *x, double beta, double *y);

/// Largest |A_ij - A_ji| and its position; 0 for a symmetric matrix.
double stc_csr_asymmetry(const stc_csr *A, int *row, int *col);

#endif
