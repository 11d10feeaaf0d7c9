// Sparse Cholesky, P A P^T + beta I = L L^T, by CHOLMOD in its simplicial form: it calls no BLAS,
// so the bits of the answer do not depend on the number of threads. Solves with a shifted factor
// are refined: x += (A + beta I)^-1 (b - A x).
#include "chol.h"

#include "../base/stop.h"
#include "cholmod_view.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

// A pivot this small against its diagonal entry is what rounding leaves of an exact zero.
static const double PIVOT_FLOOR = 10 * DBL_EPSILON;

// Refinement multiplies the error along an eigenvector of A by beta / (lambda + beta): with a
// shift far below the spectrum two or three steps reach rounding; the limit is never felt there.
enum { MAX_REFINEMENTS = 20 };

struct stc_chol {
  stc_arena arena;
  stc_csr A;  ///< own copy, kept for refinement only
  int n;
  const int *number;  ///< [n] or NULL: what sentences call the rows, during creation
  bool refine;
  double *b, *x, *r;  ///< [n] right-hand side, best answer, residual
  cholmod_common common;
  cholmod_factor *factor;
  cholmod_dense *X, *Y, *E;  ///< work space of cholmod_solve2, kept between calls
};

static void start(cholmod_common *common) {
  cholmod_start(common);
  common->print = 0;
  common->error_handler = NULL;
  common->quick_return_if_not_posdef = 1;
  common->supernodal = CHOLMOD_SIMPLICIAL;
  common->final_ll = 1;  // a negative pivot is an error, not a sign in D
  common->nmethods = 1;  // AMD alone: METIS draws random numbers
  common->method[0].ordering = CHOLMOD_AMD;
  common->postorder = 1;
}

static double largest_diagonal(const stc_csr *A) {
  double largest = 0;
  for (int i = 0; i < A->rows; i++) largest = fmax(largest, stc_csr_entry(A, i, i));
  return largest;
}

static stc_error explain(const stc_chol *c, const char *name) {
  if (c->common.status == CHOLMOD_OUT_OF_MEMORY)
    return stc_fail(STC_ERR_MEMORY, "out of memory in the factorisation of %s (%d rows)", name,
                    c->n);
  if (c->common.status == CHOLMOD_TOO_LARGE)
    return stc_fail(STC_ERR_MEMORY, "the factor of %s (%d rows) is too large for int indices", name,
                    c->n);
  return stc_fail(STC_ERR_NUMERIC, "CHOLMOD failed on %s with status %d", name, c->common.status);
}

static stc_error bad_pivot(const stc_chol *c, const char *name, size_t column) {
  int row = ((const int *)c->factor->Perm)[column];
  return stc_fail(STC_ERR_NUMERIC,
                  "%s is not positive definite: the pivot of row %d vanishes or is negative; check "
                  "the entries of that row",
                  name, c->number ? c->number[row] : row);
}

/// Every pivot finite, and above the rounding of its diagonal entry where nothing was added to it.
static stc_error check_pivots(const stc_chol *c, const char *name, const stc_csr *A) {
  const int *start_of = c->factor->p, *perm = c->factor->Perm;
  const double *value = c->factor->x;
  for (int k = 0; k < c->n; k++) {
    double pivot = value[start_of[k]] * value[start_of[k]];
    double floor = c->refine ? 0 : PIVOT_FLOOR * stc_csr_entry(A, perm[k], perm[k]);
    if (!isfinite(pivot) || pivot <= floor) return bad_pivot(c, name, (size_t)k);
  }
  return STC_OK;
}

// Operations of a slice of rows, about a millisecond's worth; a whole factorisation by CHOLMOD's
// own kernels, which cannot be stopped, takes a tenth of a second at most.
static const double SLICE = 1e6, AT_ONCE = 2e8;

/// The upper triangle of P A P^T.
static cholmod_sparse *permute(stc_chol *c, cholmod_sparse *A) {
  cholmod_sparse *lower = cholmod_ptranspose(A, 2, c->factor->Perm, NULL, 0, &c->common);
  cholmod_sparse *upper = lower ? cholmod_ptranspose(lower, 2, NULL, NULL, 0, &c->common) : NULL;
  cholmod_free_sparse(&lower, &c->common);
  return upper;
}

/// Rows of L one after the other, as cholmod_factorize does for a simplicial factor, with a look at
/// the clock between them. *done is false where CHOLMOD failed.
static stc_error factorise_rows(stc_chol *c, cholmod_sparse *A, double *beta, bool *done) {
  size_t n = A->nrow, rows = (size_t)fmax(1, fmin((double)n, (double)n * SLICE / c->common.fl));
  cholmod_factor *L = c->factor;
  cholmod_sparse *S = permute(c, A);
  stc_error error = STC_OK;
  L->is_ll = c->common.final_ll;
  *done = S && cholmod_change_factor(CHOLMOD_REAL, L->is_ll, false, true, true, L, &c->common);
  for (size_t k = 0; *done && !error && k < n && L->minor == n; k += rows) {
    size_t end = k + rows < n ? k + rows : n;
    *done = cholmod_rowfac(S, NULL, beta, k, end, L, &c->common);
    error = stc_stop_try(2 * SLICE);
  }
  int status = c->common.status;
  cholmod_free_sparse(&S, &c->common);
  c->common.status = status;  // freeing forgets it
  return error;
}

/// The factor that CHOLMOD chose where that takes little time, else row by row.
static stc_error factorise_any(stc_chol *c, cholmod_sparse *A, double *beta, bool *done) {
  if (c->common.fl <= AT_ONCE) {
    *done = cholmod_factorize_p(A, beta, NULL, 0, c->factor, &c->common);
    return STC_OK;
  }
  if (!cholmod_change_factor(CHOLMOD_PATTERN, true, false, true, true, c->factor, &c->common))
    return STC_OK;
  return factorise_rows(c, A, beta, done);
}

static stc_error factorise(stc_chol *c, const stc_csr *A, const char *name, double shift) {
  cholmod_sparse view = stc_cholmod_view(A, CHOLMOD_REAL);
  double beta[2] = {shift * largest_diagonal(A), 0};
  c->factor = cholmod_analyze(&view, &c->common);
  if (!c->factor) return explain(c, name);
  bool done = true;
  STC_TRY(factorise_rows(c, &view, beta, &done));
  if (done && c->factor->minor < c->factor->n) return bad_pivot(c, name, c->factor->minor);
  if (!done || c->common.status < CHOLMOD_OK) return explain(c, name);
  return check_pivots(c, name, A);
}

static stc_error prepare(stc_chol *c, const stc_csr *A, const char *name, double shift) {
  c->b = STC_TAKE(&c->arena, double, c->n);
  c->x = STC_TAKE(&c->arena, double, c->n);
  c->r = STC_TAKE(&c->arena, double, c->n);
  STC_TRY(stc_arena_check(&c->arena));
  if (c->refine) {
    stc_matrix view = stc_csr_view(A);
    STC_TRY(stc_csr_from_matrix(&c->arena, name, &view, c->n, c->n, &c->A));
  }
  return c->n ? factorise(c, A, name, shift) : STC_OK;
}

stc_error stc_chol_create(const stc_csr *A, const char *name, double shift, stc_chol **chol) {
  return stc_chol_create_part(A, name, NULL, shift, chol);
}

stc_error stc_chol_create_part(const stc_csr *A, const char *name, const int *number, double shift,
                               stc_chol **chol) {
  assert(A->rows == A->cols && shift >= 0);
  *chol = NULL;
  stc_chol *c = stc_calloc(1, sizeof *c);
  if (!c) return stc_fail(STC_ERR_MEMORY, "out of memory in the factorisation of %s", name);
  c->n = A->rows;
  c->number = number;
  c->refine = shift > 0;
  start(&c->common);
  stc_error error = prepare(c, A, name, shift);
  c->number = NULL;
  if (error) stc_chol_free(&c);
  *chol = c;
  return error;
}

/// The computed factor has (L L^T)_ij - a_ij <= gamma sqrt(a_ii a_jj), gamma = (k + 1) eps for
/// columns of k entries, whatever the order of the sums, and the matrix of these has the norm of
/// its pattern at most, which is below its Frobenius norm. Twice that covers the roundings of this
/// estimate and of the symmetric part that A may be.
static double rounding_of(const cholmod_factor *factor) {
  const int *count = factor->ColCount;
  double entries = 0, longest = 0, n = (double)factor->n;
  for (size_t k = 0; k < factor->n; k++) {
    entries += count[k];
    longest = fmax(longest, count[k]);
  }
  return 2 * DBL_EPSILON * (longest + 8) * fmin(n, sqrt(2 * entries));
}

stc_error stc_chol_test(const stc_csr *A, const char *name, bool *positive, double *error) {
  stc_chol c = {.n = A->rows};
  double beta[2] = {0, 0};
  cholmod_sparse view = stc_cholmod_view(A, CHOLMOD_REAL);
  *positive = true;
  *error = 0;
  if (c.n == 0) return STC_OK;
  start(&c.common);
  c.common.supernodal = CHOLMOD_AUTO;  // the last bits of the factor do not matter here
  c.factor = cholmod_analyze(&view, &c.common);
  if (c.factor) *error = rounding_of(c.factor);
  bool done = false;
  stc_error status = c.factor && c.factor->is_super ? stc_memory_for_blas() : STC_OK;
  if (!status && c.factor) status = factorise_any(&c, &view, beta, &done);
  *positive = done && c.factor->minor == c.factor->n;
  bool broken = !done || c.common.status < CHOLMOD_OK;
  if (!status && broken) status = explain(&c, name);
  cholmod_free_factor(&c.factor, &c.common);
  cholmod_finish(&c.common);
  return status;
}

/// x += F^-1 b with the factor F.
static stc_error add_solution(stc_chol *c, double *b, double *x) {
  size_t n = (size_t)c->n;
  cholmod_dense B = {.nrow = n,
                     .ncol = 1,
                     .nzmax = n,
                     .d = n,
                     .x = b,
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  if (!cholmod_solve2(CHOLMOD_A, c->factor, &B, NULL, &c->X, NULL, &c->Y, &c->E, &c->common))
    return stc_fail(STC_ERR_MEMORY, "out of memory in a solve with %d unknowns", c->n);
  const double *step = c->X->x;
  for (int i = 0; i < c->n; i++) x[i] += step[i];
  return STC_OK;
}

/// r = b - A x and its norm.
static double residual(stc_chol *c, const double *x) {
  stc_csr_multiply(&c->A, x, 0, c->r);
  double sum = 0;
  for (int i = 0; i < c->n; i++) {
    c->r[i] = c->b[i] - c->r[i];
    sum += c->r[i] * c->r[i];
  }
  return sqrt(sum);
}

/// Corrects x until the residual no longer halves; c->x keeps the best one.
static stc_error refine(stc_chol *c, double *x) {
  size_t bytes = (size_t)c->n * sizeof *x;
  memcpy(c->x, x, bytes);
  double best = residual(c, x);
  for (int k = 0; k < MAX_REFINEMENTS && best > 0; k++) {
    STC_TRY(add_solution(c, c->r, x));
    double norm = residual(c, x);
    bool slow = !(norm < 0.5 * best);
    if (norm < best) {
      best = norm;
      memcpy(c->x, x, bytes);
    }
    if (slow) break;
  }
  memcpy(x, c->x, bytes);
  return STC_OK;
}

stc_error stc_chol_solve(stc_chol *chol, const double *b, double *x) {
  if (chol->n == 0) return STC_OK;
  memcpy(chol->b, b, (size_t)chol->n * sizeof *b);
  memset(x, 0, (size_t)chol->n * sizeof *x);
  STC_TRY(add_solution(chol, chol->b, x));
  return chol->refine ? refine(chol, x) : STC_OK;
}

void stc_chol_free(stc_chol **chol) {
  stc_chol *c = *chol;
  if (!c) return;
  cholmod_free_dense(&c->X, &c->common);
  cholmod_free_dense(&c->Y, &c->common);
  cholmod_free_dense(&c->E, &c->common);
  cholmod_free_factor(&c->factor, &c->common);
  cholmod_finish(&c->common);
  stc_arena_free(&c->arena);
  stc_release(chol);
}
