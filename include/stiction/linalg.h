// Sparse matrices as the caller holds them: a view on plain arrays, nothing owned, nothing copied.
#ifndef STICTION_LINALG_H
#define STICTION_LINALG_H

#include <stiction/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stc_storage {
  STC_STORAGE_CSR,     ///< p[rows+1] row pointers, i[entries] column indices
  STC_STORAGE_CSC,     ///< p[cols+1] column pointers, i[entries] row indices
  STC_STORAGE_TRIPLET  ///< i[entries] row indices, p[entries] column indices
} stc_storage;

/// A sparse matrix. Indices are zero-based. Compressed storage has strictly increasing indices in
/// each row (column); triplets come in any order, each position once. All zero: no matrix.
typedef struct stc_matrix {
  int rows;
  int cols;
  int entries;
  stc_storage storage;
  const int *p;
  const int *i;
  const double *x;  ///< [entries]
} stc_matrix;

#ifdef __cplusplus
}
#endif
#endif
