// M as independent blocks. Small ones have a dense factor inside their envelope, large ones a
// sparse one. A small block may be asymmetric (gyroscopic terms).
#include "blocks.h"

#include "../base/stop.h"
#include "graph.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Operations of a small block, about.
static const double FACTOR = 500;

static int block_size(const stc_blocks *B, int b) { return B->ptr[b + 1] - B->ptr[b]; }

/// Whether every entry has its mirror image, bit for bit; joins the rows that entries above the
/// diagonal couple on the way. next [rows] is work space: where each row waits for the rows above
/// it.
static bool join_mirrored(const stc_csr *A, int *forest, int *next) {
  memcpy(next, A->ptr, (size_t)A->rows * sizeof *next);
  for (int i = 0; i < A->rows; i++) {
    int k = next[i], end = A->ptr[i + 1];
    if (k < end && A->col[k] < i) return false;  // no row above has the image of this one
    for (k += k < end && A->col[k] == i; k < end; k++) {
      int j = A->col[k], image = next[j]++;
      if (image >= A->ptr[j + 1] || A->col[image] != i || A->val[image] != A->val[k]) return false;
      if (forest[i] != forest[j] && A->val[k] != 0) stc_graph_join(forest, i, j);
    }
  }
  return true;
}

static bool is_nearly_symmetric(const stc_csr *A) {
  int row, col;
  return !stc_csr_find_asymmetry(A, STC_SYMMETRY_TOLERANCE, &row, &col);
}

static stc_error extract(stc_arena *arena, const stc_csr *M, const stc_blocks *B, int b,
                         stc_csr *part) {
  int n = block_size(B, b), first = B->ptr[b];
  size_t entries = 0;
  for (int j = 0; j < n; j++)
    entries += (size_t)(M->ptr[B->dof[first + j] + 1] - M->ptr[B->dof[first + j]]);
  STC_TRY(stc_csr_take(arena, n, n, entries, part));
  int at = 0;
  for (int j = 0; j < n; j++) {
    int row = B->dof[first + j];
    for (int k = M->ptr[row]; k < M->ptr[row + 1]; k++) {
      if (M->val[k] == 0) continue;  // a stored zero may lead into another block
      part->col[at] = B->position[M->col[k]] - first;
      part->val[at++] = M->val[k];
    }
    part->ptr[j + 1] = at;
  }
  return STC_OK;
}

static bool is_skew(const stc_envelope *e) {
  const double *A = e->A;
  int n = e->n;
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i <= e->reach[j]; i++) {
      double gap = fabs(A[j * n + i] - A[i * n + j]);
      if (gap > STC_SYMMETRY_TOLERANCE * sqrt(A[i * n + i]) * sqrt(A[j * n + j])) return true;
    }
  return false;
}

static stc_error create_dense(const stc_csr *M, stc_blocks *B, int b) {
  stc_envelope *e = &B->dense[b];
  e->n = block_size(B, b);
  e->reach = STC_TAKE(&B->arena, int, e->n);
  e->A = STC_TAKE(&B->arena, double, e->n * e->n);
  STC_TRY(stc_arena_check(&B->arena));
  // Block b of M as a dense matrix, where M is symmetric up to the diagonal. The order inside a
  // block is that of M: the first and the last entry of each row mark the envelope.
  int start = B->ptr[b];
  for (int i = 0; i < e->n; i++) {
    int row = B->dof[start + i], first = i, last = i;
    for (int k = M->ptr[row]; k < M->ptr[row + 1]; k++) {
      if (B->symmetric && M->col[k] > row) break;
      if (M->val[k] == 0) continue;  // a stored zero may lead into another block
      last = B->position[M->col[k]] - start;
      first = last < first ? last : first;
      e->A[last * e->n + i] = M->val[k];
    }
    stc_envelope_reach(e, i, first);
    stc_envelope_reach(e, i, last);
  }
  e->skew = !B->symmetric && is_skew(e);
  int bad = stc_envelope_factorise(e);
  if (bad < 0) return STC_OK;
  return stc_fail(STC_ERR_NUMERIC,
                  "M is not positive definite: the pivot of row %d vanishes or is negative; "
                  "check the entries of that row",
                  B->dof[B->ptr[b] + bad]);
}

static stc_error create_sparse(const stc_csr *M, stc_blocks *B, int b) {
  const int *dof = B->dof + B->ptr[b];
  stc_csr part;
  stc_arena scratch = {0};
  stc_error error = extract(&scratch, M, B, b, &part);
  if (!error && !B->symmetric && !is_nearly_symmetric(&part))
    error = stc_fail(STC_ERR_UNSUPPORTED,
                     "the block of M with row %d has %d rows and is not symmetric; up to %d rows "
                     "it may be, beyond give a symmetric one",
                     dof[0], block_size(B, b), STC_ENVELOPE_MAX);
  if (!error) error = stc_sparse_factor(&part, "M", dof, 0, &B->sparse[b]);
  stc_arena_free(&scratch);
  return error;
}

static stc_error fill_blocks(const stc_csr *M, stc_blocks *B) {
  B->block = STC_TAKE_RAW(&B->arena, int, M->rows);
  B->position = STC_TAKE_RAW(&B->arena, int, M->rows);
  B->dof = STC_TAKE_RAW(&B->arena, int, M->rows);
  STC_TRY(stc_arena_check(&B->arena));
  // Looks for symmetry and sorts the degrees of freedom by block.
  int n = M->rows;
  stc_graph_start(B->block, n);
  bool mirrored = join_mirrored(M, B->block, B->position);
  B->symmetric = mirrored || is_nearly_symmetric(M);
  if (!mirrored) stc_graph_join_matrix(B->block, M, 0, 0);
  B->count = stc_graph_number(B->block, n);
  B->ptr = STC_TAKE(&B->arena, int, (size_t)B->count + 1);
  STC_TRY(stc_arena_check(&B->arena));
  for (int k = 0; k < n; k++) B->ptr[B->block[k] + 1]++;
  for (int b = 0; b < B->count; b++) B->ptr[b + 1] += B->ptr[b];
  for (int k = 0; k < n; k++) B->dof[B->position[k] = B->ptr[B->block[k]]++] = k;
  for (int b = B->count; b > 0; b--) B->ptr[b] = B->ptr[b - 1];
  B->ptr[0] = 0;
  B->dense = STC_TAKE(&B->arena, stc_envelope, B->count);
  B->sparse = STC_TAKE(&B->arena, stc_sparse_solver *, B->count);
  STC_TRY(stc_arena_check(&B->arena));
  stc_error error = STC_OK;
  for (int b = 0; b < B->count && !error; b++) {
    error = block_size(B, b) <= STC_ENVELOPE_MAX ? create_dense(M, B, b) : create_sparse(M, B, b);
    if (!error) error = stc_stop_try(FACTOR);
  }
  return error;
}

stc_error stc_blocks_create(const stc_csr *M, stc_blocks **blocks) {
  STC_NEW(blocks, "the blocks of M");
  stc_error error = fill_blocks(M, *blocks);
  if (error) stc_blocks_free(blocks);
  return error;
}

void stc_blocks_free(stc_blocks **blocks) {
  if (!*blocks) return;
  for (int b = 0; (*blocks)->sparse && b < (*blocks)->count; b++)
    stc_sparse_free(&(*blocks)->sparse[b]);
  stc_arena_free(&(*blocks)->arena);
  stc_release(blocks);
}

stc_error stc_blocks_solve(const stc_blocks *blocks, int b, double *x) {
  if (blocks->sparse[b]) return stc_sparse_solve(blocks->sparse[b], 1, x, x, INFINITY, NULL);
  stc_envelope_solve(&blocks->dense[b], x);
  return STC_OK;
}

stc_error stc_blocks_solve_lanes(const stc_blocks *blocks, int b, int lanes, int first,
                                 double *column, double *x) {
  int n = block_size(blocks, b);
  if (!blocks->sparse[b]) {
    stc_envelope_solve_lanes(&blocks->dense[b], first, x);
    return STC_OK;
  }
  for (int l = 0; l < lanes; l++) {
    for (int k = 0; k < n; k++) column[k] = x[k * STC_LANES + l];
    STC_TRY(stc_sparse_solve(blocks->sparse[b], 1, column, column, INFINITY, NULL));
    for (int k = first; k < n; k++) x[k * STC_LANES + l] = column[k];
  }
  return STC_OK;
}
