// Vectors of exact numbers: products, elimination, rank.
#include "rational.h"

#include "../../base/clock.h"
#include "../../base/stop.h"

stc_error stc_rationals_create(stc_rationals *x, size_t count) {
  *x = (stc_rationals){.at = stc_calloc(count, sizeof *x->at)};
  if (!x->at) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu exact numbers", count);
  x->count = count;
  return STC_OK;
}

void stc_rationals_free(stc_rationals *x) {
  for (size_t k = 0; k < x->count; k++) stc_q_clear(x->at[k]);
  stc_release(&x->at);
  x->count = 0;
}

stc_error stc_rationals_copy(const stc_rationals *from, stc_rationals *to) {
  STC_TRY(stc_rationals_create(to, from->count));
  for (size_t k = 0; k < from->count; k++) stc_q_set(to->at[k], from->at[k]);
  return STC_OK;
}

stc_error stc_integers_create(stc_integers *x, size_t count) {
  *x = (stc_integers){.at = stc_calloc(count, sizeof *x->at)};
  if (!x->at) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu exact numbers", count);
  x->count = count;
  return STC_OK;
}

void stc_integers_free(stc_integers *x) {
  for (size_t k = 0; k < x->count; k++) stc_z_clear(x->at[k]);
  stc_release(&x->at);
  x->count = 0;
}

stc_error stc_rationals_from(stc_rationals *x, size_t count, const double *from, const int *index,
                             size_t entries) {
  STC_TRY(stc_rationals_create(x, count));
  for (size_t k = 0; k < entries; k++) stc_q_set_d(x->at[index ? (size_t)index[k] : k], from[k]);
  return STC_OK;
}

void stc_rational_fma(stc_q sum, const stc_q a, const stc_q b) {
  if (!stc_q_sgn(a) || !stc_q_sgn(b)) return;
  stc_q product;
  stc_q_init(product);
  stc_q_mul(product, a, b);
  stc_q_add(sum, sum, product);
  stc_q_clear(product);
}

void stc_rational_fma_d(stc_q sum, double a, const stc_q b) {
  if (a == 0 || !stc_q_sgn(b)) return;
  stc_q exact;
  stc_q_init(exact);
  stc_q_set_d(exact, a);
  stc_rational_fma(sum, exact, b);
  stc_q_clear(exact);
}

// Operations of an entry that is eliminated, about: numbers grow to hundreds of digits.
static const double ENTRY = 1000;

/// A matrix by rows and where its elimination has got to.
typedef struct elimination {
  stc_q *K, *B;  // [n*n], [n*cols]; B may be NULL
  int rows, n, cols;
} elimination;

static void swap_rows(stc_q *A, int cols, int i, int j) {
  for (int k = 0; i != j && k < cols; k++)
    stc_q_swap(A[(ptrdiff_t)i * cols + k], A[(ptrdiff_t)j * cols + k]);
}

/// Row `to` of A minus factor times row `from`, from column `first` on.
static void subtract_row(stc_q *A, int cols, int first, int to, int from, const stc_q factor) {
  for (int k = first; k < cols; k++)
    stc_rational_fma(A[(ptrdiff_t)to * cols + k], factor, A[(ptrdiff_t)from * cols + k]);
}

static void divide_row(stc_q *A, int cols, int row, const stc_q pivot) {
  for (int k = 0; k < cols; k++) {
    stc_q *a = &A[(ptrdiff_t)row * cols + k];
    if (stc_q_sgn(*a)) stc_q_div(*a, *a, pivot);
  }
}

/// Bits of an entry: short pivots keep the numbers short.
static size_t length(const stc_q a) { return stc_q_bits(a); }

/// The row >= `row` with the shortest entry that is not zero in column `col`; -1: none.
static int find_pivot(const elimination *e, int row, int col) {
  int best = -1;
  size_t shortest = 0;
  for (int i = row; i < e->rows; i++) {
    stc_q *a = &e->K[(ptrdiff_t)i * e->n + col];
    if (!stc_q_sgn(*a) || (best >= 0 && length(*a) >= shortest)) continue;
    best = i;
    shortest = length(*a);
  }
  return best;
}

/// Clears column `col` but for a 1 in row `row`; false if it holds no pivot.
static bool eliminate_rational(const elimination *e, int row, int col, int first_row) {
  int at = find_pivot(e, row, col);
  if (at < 0) return false;
  swap_rows(e->K, e->n, row, at);
  if (e->B) swap_rows(e->B, e->cols, row, at);
  stc_q pivot;
  stc_q_init(pivot);
  stc_q_set(pivot, e->K[(ptrdiff_t)row * e->n + col]);
  divide_row(e->K, e->n, row, pivot);
  if (e->B) divide_row(e->B, e->cols, row, pivot);
  for (int i = first_row; i < e->rows; i++) {
    stc_q *a = &e->K[(ptrdiff_t)i * e->n + col];
    if (i == row || !stc_q_sgn(*a) || stc_stop_due(ENTRY * e->n)) continue;
    stc_q_neg(pivot, *a);
    subtract_row(e->K, e->n, col, i, row, pivot);
    if (e->B) subtract_row(e->B, e->cols, 0, i, row, pivot);
  }
  stc_q_clear(pivot);
  return true;
}

stc_error stc_rational_solve(stc_rationals *K, stc_rationals *B, int n, int cols, double deadline,
                             int *rank) {
  elimination e = {.K = K->at, .B = B->at, .rows = n, .n = n, .cols = cols};
  for (*rank = 0; *rank < n; ++*rank) {
    if (stc_clock() > deadline || stc_stop_look()) {
      *rank = -1;
      return STC_OK;
    }
    if (!eliminate_rational(&e, *rank, *rank, 0)) break;
  }
  if (stc_stop_due(0)) *rank = -1;
  return STC_OK;
}

int stc_rational_rank(stc_rationals *A, int rows, int cols, double deadline) {
  elimination e = {.K = A->at, .rows = rows, .n = cols};
  int rank = 0;
  for (int col = 0; col < cols && rank < rows; col++) {
    if (stc_clock() > deadline || stc_stop_look()) return -1;
    if (eliminate_rational(&e, rank, col, rank + 1)) rank++;
  }
  return stc_stop_due(0) ? -1 : rank;
}
