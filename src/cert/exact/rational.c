// Vectors of exact numbers: products, elimination, rank.
#include "rational.h"

#include "../../base/stop.h"

#include <stdint.h>

// Vectors of either kind of number.
#define VECTOR(vector, number)                                                                     \
  stc_error vector##_create(vector *x, size_t count) {                                             \
    *x = (vector){.at = stc_calloc(count, sizeof *x->at)};                                         \
    if (!x->at) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu exact numbers", count);     \
    x->count = count;                                                                              \
    return STC_OK;                                                                                 \
  }                                                                                                \
  void vector##_free(vector *x) {                                                                  \
    for (size_t k = 0; k < x->count; k++) number##_clear(x->at[k]);                                \
    stc_release(&x->at);                                                                           \
    x->count = 0;                                                                                  \
  }
VECTOR(stc_rationals, stc_q)
VECTOR(stc_integers, stc_z)

stc_error stc_rationals_copy(const stc_rationals *from, stc_rationals *to) {
  STC_TRY(stc_rationals_create(to, from->count));
  for (size_t k = 0; k < from->count; k++) stc_q_set(to->at[k], from->at[k]);
  return STC_OK;
}

bool stc_rationals_equal(const stc_rationals *a, const stc_rationals *b) {
  for (size_t k = 0; k < a->count; k++)
    if (!stc_q_equal(a->at[k], b->at[k])) return false;
  return true;
}

stc_error stc_rationals_from(stc_rationals *x, size_t count, const double *from, const int *index,
                             size_t entries) {
  STC_TRY(stc_rationals_create(x, count));
  for (size_t k = 0; k < entries; k++) stc_q_set_d(x->at[index ? (size_t)index[k] : k], from[k]);
  return STC_OK;
}

void stc_rational_fma(stc_q sum, const stc_q a, const stc_q b) {
  if (!stc_q_sgn(a) || !stc_q_sgn(b)) return;
  STC_Q product = {0};
  stc_q_mul(product, a, b);
  stc_q_add(sum, sum, product);
}

void stc_rational_fma_d(stc_q sum, double a, const stc_q b) {
  if (a == 0 || !stc_q_sgn(b)) return;
  STC_Q exact = {0};
  stc_q_set_d(exact, a);
  stc_rational_fma(sum, exact, b);
}

// Operations of an entry that is eliminated, about: numbers grow to hundreds of digits.
static const double ENTRY = 1000;

/// The matrix [A B] by rows; B may be NULL.
typedef struct elimination {
  stc_q *A, *B;  // [rows*n], [rows*cols]
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

/// The row >= `row` with the shortest entry that is not zero in column `col`, which keeps the
/// numbers short; -1: none.
static int find_pivot(const elimination *e, int row, int col) {
  int best = -1;
  size_t shortest = SIZE_MAX;
  for (int i = row; i < e->rows; i++) {
    stc_q *a = &e->A[(ptrdiff_t)i * e->n + col];
    if (!stc_q_sgn(*a) || stc_q_bits(*a) >= shortest) continue;
    best = i;
    shortest = stc_q_bits(*a);
  }
  return best;
}

/// Clears column `col` but for a 1 in row `row`; false if it holds no pivot. Without B the rows
/// above are done with.
static bool eliminate_rational(const elimination *e, int row, int col) {
  int at = find_pivot(e, row, col);
  if (at < 0) return false;
  swap_rows(e->A, e->n, row, at);
  if (e->B) swap_rows(e->B, e->cols, row, at);
  STC_Q pivot = {0};
  stc_q_set(pivot, e->A[(ptrdiff_t)row * e->n + col]);
  divide_row(e->A, e->n, row, pivot);
  if (e->B) divide_row(e->B, e->cols, row, pivot);
  for (int i = e->B ? 0 : row + 1; i < e->rows; i++) {
    stc_q *a = &e->A[(ptrdiff_t)i * e->n + col];
    if (i == row || !stc_q_sgn(*a) || stc_stop_due(ENTRY * e->n)) continue;
    stc_q_neg(pivot, *a);
    subtract_row(e->A, e->n, col, i, row, pivot);
    if (e->B) subtract_row(e->B, e->cols, 0, i, row, pivot);
  }
  return true;
}

int stc_rational_eliminate(stc_rationals *A, int rows, int n, stc_rationals *B, int cols,
                           bool *is_pivot) {
  elimination e = {.A = A->at, .B = B ? B->at : NULL, .rows = rows, .n = n, .cols = cols};
  int rank = 0;
  for (int col = 0; col < n; col++) {
    if (stc_stop_look()) return -1;
    bool pivot = rank < rows && eliminate_rational(&e, rank, col);
    if (is_pivot) is_pivot[col] = pivot;
    rank += pivot;
  }
  return stc_stop_due(0) ? -1 : rank;
}
