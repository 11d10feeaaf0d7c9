// Exact numbers on GMP: products, elimination, rank.
#include "rational.h"

#include "../../base/clock.h"

stc_error stc_rationals_create(stc_rationals *x, size_t count) {
  *x = (stc_rationals){.at = stc_calloc(count, sizeof *x->at)};
  if (!x->at) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu exact numbers", count);
  x->count = count;
  for (size_t k = 0; k < count; k++) mpq_init(x->at[k]);
  return STC_OK;
}

void stc_rationals_free(stc_rationals *x) {
  for (size_t k = 0; k < x->count; k++) mpq_clear(x->at[k]);
  stc_release(&x->at);
  x->count = 0;
}

stc_error stc_rationals_copy(const stc_rationals *from, stc_rationals *to) {
  STC_TRY(stc_rationals_create(to, from->count));
  for (size_t k = 0; k < from->count; k++) mpq_set(to->at[k], from->at[k]);
  return STC_OK;
}

stc_error stc_integers_create(stc_integers *x, size_t count) {
  *x = (stc_integers){.at = stc_calloc(count, sizeof *x->at)};
  if (!x->at) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu exact numbers", count);
  x->count = count;
  for (size_t k = 0; k < count; k++) mpz_init(x->at[k]);
  return STC_OK;
}

void stc_integers_free(stc_integers *x) {
  for (size_t k = 0; k < x->count; k++) mpz_clear(x->at[k]);
  stc_release(&x->at);
  x->count = 0;
}

void stc_rational_clear(const mpq_t *x, int n, mpz_t factor, mpz_t *integers) {
  mpz_set_ui(factor, 1);
  for (int k = 0; k < n; k++) mpz_lcm(factor, factor, mpq_denref(x[k]));
  for (int k = 0; k < n; k++) {
    mpz_divexact(integers[k], factor, mpq_denref(x[k]));
    mpz_mul(integers[k], integers[k], mpq_numref(x[k]));
  }
}

stc_error stc_rationals_from(stc_rationals *x, size_t count, const double *from, const int *index,
                             size_t entries) {
  STC_TRY(stc_rationals_create(x, count));
  for (size_t k = 0; k < entries; k++) mpq_set_d(x->at[index ? (size_t)index[k] : k], from[k]);
  return STC_OK;
}

void stc_rational_fma(mpq_t sum, const mpq_t a, const mpq_t b) {
  if (!mpq_sgn(a) || !mpq_sgn(b)) return;
  mpq_t product;
  mpq_init(product);
  mpq_mul(product, a, b);
  mpq_add(sum, sum, product);
  mpq_clear(product);
}

void stc_rational_fma_d(mpq_t sum, double a, const mpq_t b) {
  if (a == 0 || !mpq_sgn(b)) return;
  mpq_t exact;
  mpq_init(exact);
  mpq_set_d(exact, a);
  stc_rational_fma(sum, exact, b);
  mpq_clear(exact);
}

void stc_rational_shift(mpq_t x, int exponent) {
  if (exponent >= 0)
    mpq_mul_2exp(x, x, (mp_bitcnt_t)exponent);
  else
    mpq_div_2exp(x, x, (mp_bitcnt_t)-exponent);
}

/// A matrix by rows and where its elimination has got to.
typedef struct elimination {
  mpq_t *K, *B;  // [n*n], [n*cols]; B may be NULL
  int rows, n, cols;
} elimination;

static void swap_rows(mpq_t *A, int cols, int i, int j) {
  for (int k = 0; i != j && k < cols; k++)
    mpq_swap(A[(ptrdiff_t)i * cols + k], A[(ptrdiff_t)j * cols + k]);
}

/// Row `to` of A minus factor times row `from`, from column `first` on.
static void subtract_row(mpq_t *A, int cols, int first, int to, int from, const mpq_t factor) {
  for (int k = first; k < cols; k++)
    stc_rational_fma(A[(ptrdiff_t)to * cols + k], factor, A[(ptrdiff_t)from * cols + k]);
}

static void divide_row(mpq_t *A, int cols, int row, const mpq_t pivot) {
  for (int k = 0; k < cols; k++) {
    mpq_t *a = &A[(ptrdiff_t)row * cols + k];
    if (mpq_sgn(*a)) mpq_div(*a, *a, pivot);
  }
}

/// Bits of an entry: short pivots keep the numbers short.
static size_t length(const mpq_t a) {
  return mpz_sizeinbase(mpq_numref(a), 2) + mpz_sizeinbase(mpq_denref(a), 2);
}

/// The row >= `row` with the shortest entry that is not zero in column `col`; -1: none.
static int find_pivot(const elimination *e, int row, int col) {
  int best = -1;
  size_t shortest = 0;
  for (int i = row; i < e->rows; i++) {
    mpq_t *a = &e->K[(ptrdiff_t)i * e->n + col];
    if (!mpq_sgn(*a) || (best >= 0 && length(*a) >= shortest)) continue;
    best = i;
    shortest = length(*a);
  }
  return best;
}

/// Clears column `col` but for a 1 in row `row`; false if it holds no pivot.
static bool eliminate(const elimination *e, int row, int col, int first_row) {
  int at = find_pivot(e, row, col);
  if (at < 0) return false;
  swap_rows(e->K, e->n, row, at);
  if (e->B) swap_rows(e->B, e->cols, row, at);
  mpq_t pivot;
  mpq_init(pivot);
  mpq_set(pivot, e->K[(ptrdiff_t)row * e->n + col]);
  divide_row(e->K, e->n, row, pivot);
  if (e->B) divide_row(e->B, e->cols, row, pivot);
  for (int i = first_row; i < e->rows; i++) {
    mpq_t *a = &e->K[(ptrdiff_t)i * e->n + col];
    if (i == row || !mpq_sgn(*a)) continue;
    mpq_neg(pivot, *a);
    subtract_row(e->K, e->n, col, i, row, pivot);
    if (e->B) subtract_row(e->B, e->cols, 0, i, row, pivot);
  }
  mpq_clear(pivot);
  return true;
}

stc_error stc_rational_solve(stc_rationals *K, stc_rationals *B, int n, int cols, double deadline,
                             int *rank) {
  elimination e = {.K = K->at, .B = B->at, .rows = n, .n = n, .cols = cols};
  for (*rank = 0; *rank < n; ++*rank) {
    if (stc_clock() > deadline) {
      *rank = -1;
      return STC_OK;
    }
    if (!eliminate(&e, *rank, *rank, 0)) return STC_OK;
  }
  return STC_OK;
}

int stc_rational_rank(stc_rationals *A, int rows, int cols, double deadline) {
  elimination e = {.K = A->at, .rows = rows, .n = cols};
  int rank = 0;
  for (int col = 0; col < cols && rank < rows; col++) {
    if (stc_clock() > deadline) return -1;
    if (eliminate(&e, rank, col, rank + 1)) rank++;
  }
  return rank;
}
