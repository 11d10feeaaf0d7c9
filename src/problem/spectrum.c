// Singular values of W - V R^+ V^T, with R^+ = Q D^+ Q^T from the eigenvalues of R.
#include "spectrum.h"

#include "../linalg/lapack.h"

#include <math.h>

// Against the largest value, rounding leaves some 1e-16 of an exact zero (1e-15 for a thousand
// rows), while honest values of contact problems go down to about 1e-10.
static const double ZERO = 1e-12;

/// A by columns.
static void spread(const stc_csr *A, double *dense) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      dense[(size_t)A->col[k] * (size_t)A->rows + (size_t)i] = A->val[k];
}

static stc_error eliminate_joints(stc_arena *arena, const stc_problem *p, double *W) {
  int e = p->equalities;
  size_t n = (size_t)p->size;
  double *Q = STC_TAKE(arena, double, (size_t)e *(size_t)e);
  double *value = STC_TAKE(arena, double, e);
  double *y = STC_TAKE(arena, double, n);
  STC_TRY(stc_arena_check(arena));
  spread(&p->R, Q);
  STC_TRY(stc_lapack_eigen(arena, e, Q, value));
  double largest = fmax(fabs(value[0]), fabs(value[e - 1]));
  for (int k = 0; k < e; k++) {
    if (!(value[k] > ZERO * largest)) continue;
    stc_csr_multiply(&p->V, Q + (size_t)k * (size_t)e, 0, y);
    // W = W - y y^T / d.
    double d = value[k];
    for (size_t j = 0; j < n; j++) {
      if (y[j] == 0) continue;
      for (size_t i = 0; i < n; i++) W[j * n + i] -= y[i] * y[j] / d;
    }
  }
  return STC_OK;
}

static stc_error measure_spectrum(stc_arena *arena, const stc_problem *p, int *rank,
                                  double *condition) {
  size_t n = (size_t)p->size;
  double *W = STC_TAKE(arena, double, n *n);
  double *value = STC_TAKE(arena, double, n);
  STC_TRY(stc_arena_check(arena));
  spread(&p->W, W);
  if (p->equalities) STC_TRY(eliminate_joints(arena, p, W));
  STC_TRY(stc_lapack_singular_values(arena, p->size, W, value));
  double scale = fmax(value[0], stc_csr_largest(&p->W));  // W may cancel against the joints
  while (*rank < p->size && value[*rank] > ZERO * scale) ++*rank;
  *condition = *rank ? value[0] / value[*rank - 1] : NAN;
  return STC_OK;
}

stc_error stc_spectrum(const stc_problem *local, int *rank, double *condition) {
  *rank = 0;
  *condition = NAN;
  if (local->size == 0) return STC_OK;
  stc_arena arena = {0};
  stc_error error = measure_spectrum(&arena, local, rank, condition);
  stc_arena_free(&arena);
  return error;
}
