// M as independent blocks. Small ones have a dense factor M_b = L L^T, large ones a sparse one. A
// small block may be asymmetric (gyroscopic terms): then M_b = L U without pivoting, which is safe
// since every pivot of a matrix with a positive definite symmetric part is positive.
#include "blocks.h"

#include "../base/fail.h"
#include "graph.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// A rigid body has 3 or 6 degrees of freedom; up to here a dense factor beats a sparse one.
enum { LARGEST_DENSE = 64 };

// A pivot this small against its diagonal entry is what rounding leaves of an exact zero.
static const double PIVOT_FLOOR = 10 * DBL_EPSILON;

static int block_size(const stc_blocks *B, int b) { return B->ptr[b + 1] - B->ptr[b]; }

/// Sorts the degrees of freedom by block.
static stc_error partition(const stc_csr *M, stc_blocks *B) {
  int n = M->rows;
  B->block = STC_TAKE(&B->arena, int, n);
  B->position = STC_TAKE(&B->arena, int, n);
  B->dof = STC_TAKE(&B->arena, int, n);
  STC_TRY(stc_arena_check(&B->arena));
  stc_graph_start(B->block, n);
  stc_graph_join_matrix(B->block, M, 0, 0);
  B->count = stc_graph_number(B->block, n);
  B->ptr = STC_TAKE(&B->arena, int, (size_t)B->count + 1);
  STC_TRY(stc_arena_check(&B->arena));
  for (int k = 0; k < n; k++) B->ptr[B->block[k] + 1]++;
  for (int b = 0; b < B->count; b++) B->ptr[b + 1] += B->ptr[b];
  for (int k = 0; k < n; k++) B->dof[B->position[k] = B->ptr[B->block[k]]++] = k;
  for (int b = B->count; b > 0; b--) B->ptr[b] = B->ptr[b - 1];
  B->ptr[0] = 0;
  return STC_OK;
}

/// L by columns from the lower triangle of A, in place.
static stc_error factorise_dense(int n, double *A, const int *dof) {
  for (int j = 0; j < n; j++) {
    double *column = A + (size_t)j * (size_t)n;
    double diagonal = column[j];
    for (int k = 0; k < j; k++) {
      const double *left = A + (size_t)k * (size_t)n;
      for (int i = j; i < n; i++) column[i] -= left[j] * left[i];
    }
    if (!(column[j] > PIVOT_FLOOR * diagonal) || !isfinite(column[j]))
      return stc_fail(STC_ERR_NUMERIC,
                      "M is not positive definite: the pivot of row %d vanishes or is negative; "
                      "check the entries of that row",
                      dof[j]);
    double root = sqrt(column[j]);
    for (int i = j; i < n; i++) column[i] /= root;
  }
  return STC_OK;
}

static stc_error extract(stc_arena *arena, const stc_csr *M, const stc_blocks *B, int b,
                         stc_csr *part) {
  int n = block_size(B, b), first = B->ptr[b];
  size_t entries = 0;
  for (int j = 0; j < n; j++)
    entries += (size_t)(M->ptr[B->dof[first + j] + 1] - M->ptr[B->dof[first + j]]);
  *part = (stc_csr){.rows = n, .cols = n};
  part->ptr = STC_TAKE(arena, int, (size_t)n + 1);
  part->col = STC_TAKE(arena, int, entries);
  part->val = STC_TAKE(arena, double, entries);
  STC_TRY(stc_arena_check(arena));
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

/// The symmetric part of A is positive definite.
static stc_error check_definite(int n, const double *A, const int *dof) {
  double part[LARGEST_DENSE * LARGEST_DENSE];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) part[j * n + i] = (A[j * n + i] + A[i * n + j]) / 2;
  return factorise_dense(n, part, dof);
}

/// A = L U in place, L with ones on its diagonal.
static void factorise_skew(int n, double *A) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) A[k * n + i] /= A[k * n + k];
    for (int j = k + 1; j < n; j++)
      for (int i = k + 1; i < n; i++) A[j * n + i] -= A[k * n + i] * A[j * n + k];
  }
}

static stc_error create_dense(const stc_csr *part, stc_blocks *B, int b) {
  int n = block_size(B, b);
  const int *dof = B->dof + B->ptr[b];
  double *A = B->dense[b] = STC_TAKE(&B->arena, double, n *n);
  STC_TRY(stc_arena_check(&B->arena));
  for (int i = 0; i < n; i++)
    for (int k = part->ptr[i]; k < part->ptr[i + 1]; k++) A[part->col[k] * n + i] = part->val[k];
  if (!B->skew[b]) return factorise_dense(n, A, dof);
  STC_TRY(check_definite(n, A, dof));
  factorise_skew(n, A);
  return STC_OK;
}

static stc_error create_sparse(const stc_csr *part, stc_blocks *B, int b) {
  const int *dof = B->dof + B->ptr[b];
  if (B->skew[b])
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "the block of M with row %d has %d rows and is not symmetric; up to %d rows it "
                    "may be, beyond give a symmetric one",
                    dof[0], block_size(B, b), LARGEST_DENSE);
  return stc_chol_create_part(part, "M", dof, 0, &B->sparse[b]);
}

static bool is_symmetric(const stc_csr *A) {
  int row, col;
  return !stc_csr_find_asymmetry(A, STC_SYMMETRY_TOLERANCE, &row, &col);
}

static stc_error create_block(stc_arena *scratch, const stc_csr *M, stc_blocks *B, int b) {
  stc_csr part;
  STC_TRY(extract(scratch, M, B, b, &part));
  B->skew[b] = !B->symmetric && !is_symmetric(&part);
  bool small = block_size(B, b) <= LARGEST_DENSE;
  return small ? create_dense(&part, B, b) : create_sparse(&part, B, b);
}

static stc_error fill(const stc_csr *M, stc_blocks *B) {
  STC_TRY(partition(M, B));
  B->symmetric = is_symmetric(M);
  B->skew = STC_TAKE(&B->arena, bool, B->count);
  B->dense = STC_TAKE(&B->arena, double *, B->count);
  B->sparse = STC_TAKE(&B->arena, stc_chol *, B->count);
  STC_TRY(stc_arena_check(&B->arena));
  stc_error error = STC_OK;
  for (int b = 0; b < B->count && !error; b++) {
    stc_arena scratch = {0};
    error = create_block(&scratch, M, B, b);
    stc_arena_free(&scratch);
  }
  return error;
}

stc_error stc_blocks_create(const stc_csr *M, stc_blocks **blocks) {
  *blocks = stc_calloc(1, sizeof **blocks);
  if (!*blocks) return stc_fail(STC_ERR_MEMORY, "out of memory for the blocks of M");
  stc_error error = fill(M, *blocks);
  if (error) stc_blocks_free(blocks);
  return error;
}

void stc_blocks_free(stc_blocks **blocks) {
  if (!*blocks) return;
  for (int b = 0; (*blocks)->sparse && b < (*blocks)->count; b++)
    stc_chol_free(&(*blocks)->sparse[b]);
  stc_arena_free(&(*blocks)->arena);
  stc_release(blocks);
}

/// x = (L U)^-1 x.
static void solve_skew(int n, const double *A, double *x) {
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i < n; i++) x[i] -= A[j * n + i] * x[j];
  for (int j = n - 1; j >= 0; j--) {
    x[j] /= A[j * n + j];
    for (int i = 0; i < j; i++) x[i] -= A[j * n + i] * x[j];
  }
}

/// x = (L L^T)^-1 x.
static void solve_symmetric(int n, const double *L, double *x) {
  for (int j = 0; j < n; j++) {
    x[j] /= L[j * n + j];
    for (int i = j + 1; i < n; i++) x[i] -= L[j * n + i] * x[j];
  }
  for (int j = n - 1; j >= 0; j--) {
    for (int i = j + 1; i < n; i++) x[j] -= L[j * n + i] * x[i];
    x[j] /= L[j * n + j];
  }
}

/// The inverse of L L^T: column i from row i on, the rest is its mirror.
static void invert_symmetric(int n, const double *L, double *inverse) {
  double x[LARGEST_DENSE];
  for (int i = 0; i < n; i++) {
    for (int k = i; k < n; k++) x[k] = k == i;
    for (int j = i; j < n; j++) {
      x[j] /= L[j * n + j];
      for (int k = j + 1; k < n; k++) x[k] -= L[j * n + k] * x[j];
    }
    for (int j = n - 1; j >= i; j--) {
      for (int k = j + 1; k < n; k++) x[j] -= L[j * n + k] * x[k];
      x[j] /= L[j * n + j];
      inverse[i * n + j] = inverse[j * n + i] = x[j];
    }
  }
}

void stc_blocks_invert(const stc_blocks *blocks, int b, double *inverse) {
  int n = block_size(blocks, b);
  assert(blocks->dense[b]);
  if (!blocks->skew[b]) {
    invert_symmetric(n, blocks->dense[b], inverse);
    return;
  }
  for (int i = 0; i < n; i++) {
    double *column = inverse + i * n;
    for (int k = 0; k < n; k++) column[k] = k == i;
    solve_skew(n, blocks->dense[b], column);
  }
}

stc_error stc_blocks_solve(const stc_blocks *blocks, int b, double *x) {
  if (blocks->sparse[b]) return stc_chol_solve(blocks->sparse[b], x, x);
  int n = block_size(blocks, b);
  if (blocks->skew[b])
    solve_skew(n, blocks->dense[b], x);
  else
    solve_symmetric(n, blocks->dense[b], x);
  return STC_OK;
}
