// Arrays that grow, and rows on bodies made of them.
#include "../../linalg/bsr.h"
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

stc_error stc_world_open_rows(const stc_world *world, int count, int dim, stc_rows *A) {
  size_t pairs = 2 * (size_t)count;
  int width = stc_body_dofs(world);
  STC_TRY(stc_pool_grow(&A->body, pairs, sizeof(int), 0));
  size_t entries = pairs * (size_t)(dim * width) + STC_BSR_PAD;
  STC_TRY(stc_pool_grow(&A->block, entries, sizeof(double), 0));
  A->view = stc_body_matrix_of(count, dim, width, (stc_body_rows){A->body.data, A->block.data, 2});
  return STC_OK;
}

void stc_world_put_body(const stc_world *world, stc_rows *A, int row, int side, int body,
                        const double force[3], const double moment[3]) {
  int dim = A->view.dim, width = A->view.width, pair = 2 * (row / dim) + side;
  int dof = body < 0 ? -1 : STC_NODES(world)[body].dof, linear = width / 2 + width % 2;
  double *to = (double *)A->block.data + (ptrdiff_t)pair * dim * width + row % dim;
  double local[3] = {moment[2]};
  ((int *)A->body.data)[pair] = dof < 0 ? -1 : dof / width;
  if (dof < 0) return;
  if (width == 6) stc_mul3_transposed(STC_ROTATION(world, body), moment, local);
  for (int i = 0; i < width; i++) to[i * dim] = i < linear ? force[i] : local[i - linear];
}
