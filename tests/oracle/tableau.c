// Rational matrices and the simplex method.
#include "tableau.h"

#include <stdlib.h>

matrix make_matrix(int rows, int cols) {
  matrix A = {rows, cols, malloc((size_t)(rows * cols + 1) * sizeof *A.at)};
  for (int k = 0; k < rows * cols; k++) mpq_init(A.at[k]);
  return A;
}

void drop_matrix(matrix *A) {
  for (int k = 0; k < A->rows * A->cols; k++) mpq_clear(A->at[k]);
  free(A->at);
}

mpq_t *exact_entry(const matrix *A, int i, int j) { return &A->at[i * A->cols + j]; }

void put_number(const matrix *A, int i, int j, double x) { mpq_set_d(*exact_entry(A, i, j), x); }

void add_product(mpq_t sum, const mpq_t a, const mpq_t b) {
  mpq_t product;
  if (!mpq_sgn(a) || !mpq_sgn(b)) return;
  mpq_init(product);
  mpq_mul(product, a, b);
  mpq_add(sum, sum, product);
  mpq_clear(product);
}

void pivot_on(matrix *A, int row, int col) {
  mpq_t factor;
  mpq_init(factor);
  mpq_set(factor, *exact_entry(A, row, col));
  for (int j = 0; j < A->cols; j++)
    if (mpq_sgn(*exact_entry(A, row, j)))
      mpq_div(*exact_entry(A, row, j), *exact_entry(A, row, j), factor);
  for (int i = 0; i < A->rows; i++) {
    if (i == row || !mpq_sgn(*exact_entry(A, i, col))) continue;
    mpq_neg(factor, *exact_entry(A, i, col));
    for (int j = 0; j < A->cols; j++)
      add_product(*exact_entry(A, i, j), factor, *exact_entry(A, row, j));
  }
  mpq_clear(factor);
}

// ---- the simplex method

tableau make_tableau(int rows, int cols) {
  tableau t = {.rows = rows, .cols = cols, .T = make_matrix(rows + 1, cols + rows + 1)};
  t.basis = calloc((size_t)rows + 1, sizeof *t.basis);
  return t;
}

void drop_tableau(tableau *t) {
  drop_matrix(&t->T);
  free(t->basis);
}

mpq_t *right_side(const tableau *t, int i) { return exact_entry(&t->T, i, t->T.cols - 1); }

static int entering(const tableau *t) {
  for (int j = 0; j < t->cols; j++)
    if (mpq_sgn(*exact_entry(&t->T, t->rows, j)) < 0) return j;
  return -1;
}

static int leaving(const tableau *t, int col) {
  int best = -1;
  mpq_t ratio, least;
  mpq_inits(ratio, least, NULL);
  for (int i = 0; i < t->rows; i++) {
    if (mpq_sgn(*exact_entry(&t->T, i, col)) <= 0) continue;
    mpq_div(ratio, *right_side(t, i), *exact_entry(&t->T, i, col));
    int order = best < 0 ? -1 : mpq_cmp(ratio, least);
    if (order > 0 || (order == 0 && t->basis[i] > t->basis[best])) continue;
    best = i;
    mpq_set(least, ratio);
  }
  mpq_clears(ratio, least, NULL);
  return best;
}

// False where the objective has no bound.
static bool minimise(tableau *t) {
  for (int col = entering(t); col >= 0; col = entering(t)) {
    int row = leaving(t, col);
    if (row < 0) return false;
    pivot_on(&t->T, row, col);
    t->basis[row] = col;
  }
  return true;
}

// Right-hand sides >= 0, an artificial for each row, their sum as the objective.
static void start_phase(tableau *t) {
  for (int i = 0; i < t->rows; i++) {
    bool negative = mpq_sgn(*right_side(t, i)) < 0;
    for (int j = 0; negative && j < t->T.cols; j++)
      mpq_neg(*exact_entry(&t->T, i, j), *exact_entry(&t->T, i, j));
    for (int j = 0; j < t->T.cols; j++)
      mpq_sub(*exact_entry(&t->T, t->rows, j), *exact_entry(&t->T, t->rows, j),
              *exact_entry(&t->T, i, j));
    mpq_set_si(*exact_entry(&t->T, i, t->cols + i), 1, 1);
    t->basis[i] = t->cols + i;
  }
}

bool tableau_feasible(tableau *t) {
  start_phase(t);
  minimise(t);
  return mpq_sgn(*right_side(t, t->rows)) == 0;
}

void drop_artificials(tableau *t) {
  for (int i = 0; i < t->rows; i++)
    for (int j = 0; t->basis[i] >= t->cols && j < t->cols; j++)
      if (mpq_sgn(*exact_entry(&t->T, i, j))) {
        pivot_on(&t->T, i, j);
        t->basis[i] = j;
      }
}

bool tableau_least(tableau *t, mpq_t *cost, mpq_t least) {
  mpq_t price;
  mpq_init(price);
  for (int j = 0; j < t->T.cols; j++) {
    mpq_t *to = exact_entry(&t->T, t->rows, j);
    if (j < t->cols)
      mpq_set(*to, cost[j]);
    else
      mpq_set_si(*to, 0, 1);
  }
  for (int i = 0; i < t->rows; i++) {  // in terms of what is not basic
    if (t->basis[i] >= t->cols) continue;
    mpq_neg(price, *exact_entry(&t->T, t->rows, t->basis[i]));
    for (int j = 0; j < t->T.cols; j++)
      add_product(*exact_entry(&t->T, t->rows, j), price, *exact_entry(&t->T, i, j));
  }
  mpq_clear(price);
  bool bounded = minimise(t);
  mpq_neg(least, *right_side(t, t->rows));
  return bounded;
}
