// Arrays that grow, and matrices by rows made of them.
#include "world_data.h"

#include <stdlib.h>

stc_error stc_pool_grow(stc_pool *stock, size_t count, size_t size, size_t kept) {
  if (stock->data && count <= stock->capacity) return STC_OK;
  size_t capacity = count + count / 2 + 1;  // grows seldom, and is never NULL
  void *data = stc_calloc(capacity, size);
  if (!data) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu entries of a world", capacity);
  if (kept) memcpy(data, stock->data, kept * size);
  stc_release(&stock->data);
  *stock = (stc_pool){.data = data, .capacity = capacity};
  return STC_OK;
}

stc_matrix stc_rows_view(const stc_rows *A, int cols) {
  const int *ptr = A->ptr.data;
  return (stc_matrix){.rows = A->rows,
                      .cols = cols,
                      .entries = A->rows ? ptr[A->rows] : 0,
                      .storage = STC_STORAGE_CSR,
                      .p = ptr,
                      .i = A->col.data,
                      .x = A->val.data};
}

void stc_rows_add_transposed(const stc_rows *A, const double *x, double *y) {
  const int *ptr = A->ptr.data, *col = A->col.data;
  const double *val = A->val.data;
  for (int i = 0; i < A->rows; i++)
    for (int e = ptr[i]; e < ptr[i + 1]; e++) y[col[e]] += val[e] * x[i];
}

void stc_rows_multiply(const stc_rows *A, const double *x, double *y) {
  const int *ptr = A->ptr.data, *col = A->col.data;
  const double *val = A->val.data;
  for (int i = 0; i < A->rows; i++) {
    double sum = 0;
    for (int e = ptr[i]; e < ptr[i + 1]; e++) sum += val[e] * x[col[e]];
    y[i] = sum;
  }
}
