// Arrays that grow, and matrices by rows made of them.
#include "world_data.h"

#include <stdlib.h>

stc_error stc_pool_grow(stc_pool *pool, size_t count, size_t size, size_t kept) {
  if (pool->data && count <= pool->capacity) return STC_OK;
  size_t capacity = count + count / 2 + 1;  // grows seldom, and is never NULL
  void *data = stc_calloc(capacity, size);
  if (!data) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu entries of a world", capacity);
  if (kept) memcpy(data, pool->data, kept * size);
  stc_release(&pool->data);
  *pool = (stc_pool){.data = data, .capacity = capacity};
  return STC_OK;
}

stc_error stc_rows_open(stc_rows *A, int rows, size_t width, stc_row_list *list) {
  STC_TRY(stc_pool_grow(&A->ptr, (size_t)rows + 1, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&A->col, width * (size_t)rows, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&A->val, width * (size_t)rows, sizeof(double), 0));
  A->rows = rows;
  *list = (stc_row_list){.ptr = A->ptr.data, .col = A->col.data, .val = A->val.data};
  list->ptr[0] = 0;
  return STC_OK;
}

void stc_world_put_body(const stc_world *world, int body, const double *force,
                        const double moment[3], stc_row_list *list) {
  int dof = STC_NODES(world)[body].dof, linear = world->settings.plane ? 2 : 3;
  double local[3];
  for (int i = 0; i < linear && force; i++) stc_row_put(list, dof + i, force[i]);
  if (world->settings.plane) {
    stc_row_put(list, dof + 2, moment[2]);
    return;
  }
  stc_mul3_transposed(STC_ROTATION(world, body), moment, local);
  for (int i = 0; i < 3; i++) stc_row_put(list, dof + 3 + i, local[i]);
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
