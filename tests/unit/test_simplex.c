// Linear programs in floating point: answers by hand, and random programs whose optimum is judged
// by what optimality means: bounds and equations hold, and no price asks for a move.
#include "expect.h"

#include "base/random.h"
#include "base/stop.h"
#include "linalg/simplex/basis.h"
#include "linalg/simplex/simplex.h"

#include <math.h>

enum { MOST = 60, STEPS = 10000 };

// A dense program, handed over by columns.
typedef struct program {
  int rows, cols;
  double A[MOST][MOST], c[MOST], lo[2 * MOST], hi[2 * MOST];
  stc_simplex *simplex;
} program;

static void load_program(program *p) {
  static int ptr[MOST + 1], row[MOST * MOST];
  static double val[MOST * MOST];
  int entries = 0;
  for (int j = 0; j < p->cols; j++) {
    for (int i = 0; i < p->rows; i++)
      if (p->A[i][j] != 0) row[entries] = i, val[entries++] = p->A[i][j];
    ptr[j + 1] = entries;
    stc_simplex_set_cost(p->simplex, j, p->c[j]);
  }
  assert_int_equal(stc_simplex_load(p->simplex, &(stc_sparse_columns){p->rows, ptr, row, val}),
                   STC_OK);
}

static void bound_program(program *p) {
  for (int v = 0; v < p->rows + p->cols; v++)
    stc_simplex_set_bounds(p->simplex, v, p->lo[v], p->hi[v]);
}

static stc_simplex_status solve_program(program *p) {
  stc_simplex_status status;
  if (!p->simplex) {
    assert_int_equal(stc_simplex_create(p->rows, p->cols, &p->simplex), STC_OK);
    load_program(p);
  }
  bound_program(p);
  assert_int_equal(stc_simplex_solve(p->simplex, STEPS, &status), STC_OK);
  return status;
}

static double largest_cost(const program *p) {
  double largest = 1;
  for (int j = 0; j < p->cols; j++) largest = fmax(largest, fabs(p->c[j]));
  return largest;
}

// What could still be gained by moving variable v as its price asks for.
static double gain(const program *p, int v) {
  double x = stc_simplex_point(p->simplex, v), z = stc_simplex_price(p->simplex, v);
  double bound = z > 0 ? p->lo[v] : p->hi[v];
  return fabs(z) * (isfinite(bound) ? fabs(x - bound) : 1 + fabs(x));
}

// c.x = c.x* + sum of z (x - x*) for every x, with the prices z of all variables where
// c - A^T z_rows = z_cols: no x within the bounds is better by more than the sum of the gains.
static void expect_optimum(const program *p, double tol) {
  const stc_simplex *s = p->simplex;
  double value = 0, terms = 1, gains = 0;
  for (int i = 0; i < p->rows; i++) {
    double sum = 0, size = 1;
    for (int j = 0; j < p->cols; j++) {
      sum += p->A[i][j] * stc_simplex_point(s, p->rows + j);
      size += fabs(p->A[i][j] * stc_simplex_point(s, p->rows + j));
    }
    assert_true(fabs(sum - stc_simplex_point(s, i)) <= tol * size);
  }
  for (int j = 0; j < p->cols; j++) {
    double z = p->c[j], size = largest_cost(p), x = stc_simplex_point(s, p->rows + j);
    for (int i = 0; i < p->rows; i++) {
      z -= p->A[i][j] * stc_simplex_price(s, i);
      size += fabs(p->A[i][j] * stc_simplex_price(s, i));
    }
    assert_true(fabs(z - stc_simplex_price(s, p->rows + j)) <= tol * size);
    value += p->c[j] * x;
    terms += size * fabs(x);
  }
  for (int v = 0; v < p->rows + p->cols; v++) {
    double x = stc_simplex_point(s, v);
    assert_true(x >= p->lo[v] - tol * (1 + fabs(x)) && x <= p->hi[v] + tol * (1 + fabs(x)));
    gains += gain(p, v);
  }
  assert_true(gains <= tol * terms);
  assert_true(fabs(value - stc_simplex_value(s)) <= tol * terms);
  assert_true(stc_simplex_error(s) <= tol);
}

static void free_program(program *p) { stc_simplex_free(&p->simplex); }

static void unbound_program(program *p) {
  for (int v = 0; v < p->rows + p->cols; v++) p->lo[v] = -INFINITY, p->hi[v] = INFINITY;
}

// max x + y with x + 2 y <= 4, 3 x + y <= 6: both are tight, x = 8/5, y = 6/5; a unit more in the
// first bound is worth 2/5, in the second one 1/5.
static void a_corner_by_hand(void **state) {
  program p = {.rows = 2, .cols = 2, .A = {{1, 2}, {3, 1}}, .c = {-1, -1}};
  unbound_program(&p);
  p.hi[0] = 4, p.hi[1] = 6;
  assert_int_equal(solve_program(&p), STC_SIMPLEX_OPTIMAL);
  assert_true(fabs(stc_simplex_point(p.simplex, 2) - 1.6) < 1e-12);
  assert_true(fabs(stc_simplex_point(p.simplex, 3) - 1.2) < 1e-12);
  assert_true(fabs(stc_simplex_price(p.simplex, 0) + 0.4) < 1e-12);
  assert_true(fabs(stc_simplex_price(p.simplex, 1) + 0.2) < 1e-12);
  expect_optimum(&p, 1e-12);
  p.lo[0] = 5, p.hi[0] = 5, p.lo[1] = 4, p.hi[1] = 6;  // from the basis that is there
  assert_int_equal(solve_program(&p), STC_SIMPLEX_OPTIMAL);
  expect_optimum(&p, 1e-12);
  free_program(&p);
}

// x + y >= 1 and x + y <= -1; then y >= 0 alone with the cost -y; then bounds that cross.
static void no_answer_and_no_end(void **state) {
  program p = {.rows = 2, .cols = 2, .A = {{1, 1}, {1, 1}}, .c = {0, -1}};
  unbound_program(&p);
  p.lo[0] = 1, p.hi[1] = -1;
  assert_int_equal(solve_program(&p), STC_SIMPLEX_INFEASIBLE);
  p.hi[1] = INFINITY;
  assert_int_equal(solve_program(&p), STC_SIMPLEX_UNBOUNDED);
  p.lo[3] = 1, p.hi[3] = 0;
  assert_int_equal(solve_program(&p), STC_SIMPLEX_INFEASIBLE);
  free_program(&p);
}

// Beale's program, on which the rule of the best price cycles from the corner 0 [Beale 1955]:
// the optimum is -1/20 at x = (1/25, 0, 1, 0).
static void a_cycle_ends(void **state) {
  program p = {.rows = 3,
               .cols = 4,
               .A = {{0.25, -60, -1.0 / 25, 9}, {0.5, -90, -1.0 / 50, 3}, {0, 0, 1, 0}},
               .c = {-0.75, 150, -1.0 / 50, 6}};
  unbound_program(&p);
  p.hi[0] = 0, p.hi[1] = 0, p.hi[2] = 1;
  for (int j = 0; j < 4; j++) p.lo[3 + j] = 0;
  assert_int_equal(solve_program(&p), STC_SIMPLEX_OPTIMAL);
  assert_true(fabs(stc_simplex_value(p.simplex) + 0.05) < 1e-12);
  expect_optimum(&p, 1e-12);
  free_program(&p);
}

// Entries from 1e-3 to 1e3; small integers with many ties; or plain ones. Bounds around a point
// that is known, of which some are equations, some are missing, many are tight. The tolerance of
// prices is relative to the largest cost, so that what is left to gain is more where costs differ
// by 1e12.
static double random_entry(stc_random *random, int kind) {
  if (stc_random_uniform(random) < 0.4) return 0;
  double x = stc_random_normal(random);
  if (kind == 0) return round(2 * x);
  return kind == 1 ? x * pow(10, 6 * stc_random_uniform(random) - 3) : x;
}

static void random_bounds(stc_random *random, double x, double *lo, double *hi) {
  double shape = stc_random_uniform(random), room = fabs(x) + 1;
  *lo = shape < 0.3 ? -INFINITY : shape < 0.6 ? x : x - room * stc_random_uniform(random);
  *hi = shape > 0.8 ? INFINITY : shape > 0.5 ? x : x + room * stc_random_uniform(random);
}

static void random_program(stc_random *random, int kind, program *p) {
  double x[MOST];
  *p = (program){.rows = 1 + (int)(stc_random_bits(random) % (MOST - 1)),
                 .cols = 1 + (int)(stc_random_bits(random) % (MOST - 1))};
  for (int j = 0; j < p->cols; j++) {
    x[j] = kind == 0 ? round(3 * stc_random_normal(random)) : stc_random_normal(random);
    p->c[j] = random_entry(random, kind);
    random_bounds(random, x[j], &p->lo[p->rows + j], &p->hi[p->rows + j]);
  }
  for (int i = 0; i < p->rows; i++) {
    double sum = 0;
    for (int j = 0; j < p->cols; j++) sum += (p->A[i][j] = random_entry(random, kind)) * x[j];
    random_bounds(random, sum, &p->lo[i], &p->hi[i]);
  }
}

/// Other costs, and after the second solve bounds for every column.
static void change_program(stc_random *random, int kind, bool hold, program *p) {
  for (int j = 0; j < p->cols; j++) {
    p->c[j] = random_entry(random, kind);
    stc_simplex_set_cost(p->simplex, j, p->c[j]);
  }
  for (int v = p->rows; hold && v < p->rows + p->cols; v++) {
    if (isinf(p->lo[v])) p->lo[v] = fmin(p->hi[v], 0) - 1e3;
    if (isinf(p->hi[v])) p->hi[v] = fmax(p->lo[v], 0) + 1e3;
  }
}

// They have a point, so that infeasible is false; three solves each, the later ones from the basis
// of the one before. Where entries differ by 1e6, a few may be lost to rounding.
static void random_programs_end_at_an_optimum(void **state) {
  stc_random random = stc_random_seed(7);
  int optima = 0, lost = 0;
  for (int k = 0; k < 600; k++) {
    program p;
    random_program(&random, k % 3, &p);
    for (int solve = 0; solve < 3; solve++) {
      stc_simplex_status status = solve_program(&p);
      assert_true(status != STC_SIMPLEX_INFEASIBLE);
      assert_true(status != STC_SIMPLEX_UNBOUNDED || solve < 2);
      if (status == STC_SIMPLEX_LOST) assert_int_equal(k % 3, 1), lost++;
      if (status == STC_SIMPLEX_OPTIMAL) expect_optimum(&p, 1e-7), optima++;
      change_program(&random, k % 3, solve == 1, &p);
    }
    free_program(&p);
  }
  assert_true(optima > 1000 && lost < 6);
}

// The last row is a sum of others, each at least 1, and at most half of what they add up to.
static void random_programs_without_a_point(void **state) {
  stc_random random = stc_random_seed(11);
  for (int k = 0; k < 200; k++) {
    program p;
    random_program(&random, 2, &p);
    int last = p.rows - 1, n = last < 3 ? last : 3;
    if (n < 1) continue;
    for (int j = 0; j < p.cols; j++) {
      p.A[last][j] = 0;
      for (int i = 0; i < n; i++) p.A[last][j] += p.A[i][j];
    }
    for (int i = 0; i < n; i++) p.lo[i] = 1, p.hi[i] = INFINITY;
    p.lo[last] = -INFINITY, p.hi[last] = 0.5 * n;
    assert_int_equal(solve_program(&p), STC_SIMPLEX_INFEASIBLE);
    free_program(&p);
  }
}

// --- The basis ---

enum { ROWS = 30, COLUMNS = ROWS + 60 };

// Columns 0 to ROWS - 1 are those of -1, which a basis may fall back on; every fifth of the others
// is twice the one before.
typedef struct columns {
  int ptr[COLUMNS + 1], row[COLUMNS * ROWS];
  double val[COLUMNS * ROWS];
  stc_sparse_columns view;
} columns;

static void fill_columns(stc_random *random, columns *A) {
  int at = 0;
  for (int j = 0; j < COLUMNS; j++) {
    int from = A->ptr[j > 0 ? j - 1 : 0], last = at - from;
    bool copy = j > ROWS && j % 5 == 0;
    for (int k = 0; copy && k < last; k++, at++)
      A->row[at] = A->row[from + k], A->val[at] = 2 * A->val[from + k];
    for (int i = 0; !copy && i < ROWS; i++) {
      bool there = j < ROWS ? i == j : stc_random_uniform(random) < 0.2;
      if (there) A->row[at] = i, A->val[at++] = j < ROWS ? -1 : stc_random_normal(random);
    }
    A->ptr[j + 1] = at;
  }
  A->view = (stc_sparse_columns){ROWS, A->ptr, A->row, A->val};
}

// B x = b and B^T y = c for the columns in the head, by products.
static void expect_basis(const stc_basis *b, const columns *A, const int *head) {
  double x[ROWS], y[ROWS], ones[ROWS], sum[ROWS] = {0};
  for (int i = 0; i < ROWS; i++) ones[i] = 1;
  stc_basis_solve(b, ones, x);
  for (int p = 0; p < ROWS; p++)
    for (int k = A->ptr[head[p]]; k < A->ptr[head[p] + 1]; k++) sum[A->row[k]] += A->val[k] * x[p];
  for (int i = 0; i < ROWS; i++) expect_near(sum[i], 1, 1e-7);
  for (int i = 0; i < ROWS; i++) ones[i] = 1;
  stc_basis_solve_transposed(b, ones, y);
  for (int p = 0; p < ROWS; p++) {
    double product = 0;
    for (int k = A->ptr[head[p]]; k < A->ptr[head[p] + 1]; k++) product += A->val[k] * y[A->row[k]];
    expect_near(product, 1, 1e-7);
  }
}

// Of ROWS columns in a row about six depend on others: as many unit columns take their places, and
// the factor is that of the head as it is then. Columns that are exchanged keep it so.
static void dependent_columns_are_replaced(void **state) {
  stc_random random = stc_random_seed(17);
  static columns A;
  for (int trial = 0; trial < 50; trial++) {
    stc_basis *b = NULL;
    int head[ROWS], units = 0;
    fill_columns(&random, &A);
    for (int p = 0; p < ROWS; p++) head[p] = ROWS + 10 + p;
    expect_ok(stc_basis_create(ROWS, &b));
    expect_ok(stc_basis_factorise(b, &A.view, head));
    for (int p = 0; p < ROWS; p++) units += head[p] < ROWS;
    assert_true(units >= 5);
    expect_basis(b, &A, head);
    for (int p = 0; p < 10 && !stc_basis_is_worn(b); p++) {
      double column[ROWS] = {0}, x[ROWS];
      int enters = ROWS + 41 + p;
      for (int k = A.ptr[enters]; k < A.ptr[enters + 1]; k++) column[A.row[k]] = A.val[k];
      stc_basis_solve(b, column, x);
      if (fabs(x[p]) < 0.05) continue;
      expect_ok(stc_basis_exchange(b, p, x));
      head[p] = enters;
      expect_basis(b, &A, head);
    }
    stc_basis_free(&b);
  }
}

// Numbers beyond doubles, and none at all, have no answer.
static void what_is_not_finite_is_lost(void **state) {
  program p = {.rows = 1, .cols = 2, .A = {{1, NAN}}, .c = {1, 1}, .hi = {1, 1, 1}};
  assert_int_equal(solve_program(&p), STC_SIMPLEX_LOST);
  p.A[0][1] = 2;
  load_program(&p);
  assert_int_equal(solve_program(&p), STC_SIMPLEX_OPTIMAL);
  p.A[0][1] = INFINITY;
  load_program(&p);
  assert_int_equal(solve_program(&p), STC_SIMPLEX_LOST);
  free_program(&p);
}

static void a_scope_that_ended_ends_it(void **state) {
  stc_random random = stc_random_seed(3);
  program p;
  do random_program(&random, 2, &p);
  while (p.rows < MOST - 10 || p.cols < MOST - 10);
  assert_int_equal(stc_simplex_create(p.rows, p.cols, &p.simplex), STC_OK);
  load_program(&p);
  bound_program(&p);
  stc_simplex_status status;
  stc_stop stop;
  stc_stop_open(&stop, 0, NULL, NULL);
  stc_stop_look();
  assert_int_equal(stc_simplex_solve(p.simplex, STEPS, &status), STC_ERR_CALLBACK);
  stc_stop_close(&stop);
  assert_int_equal(stc_simplex_solve(p.simplex, 1, &status), STC_OK);
  assert_int_equal(status, STC_SIMPLEX_LOST);
  stc_simplex_free(&p.simplex);
  stc_simplex_free(&p.simplex);
}

TEST_PROGRAM(cmocka_unit_test(a_corner_by_hand), cmocka_unit_test(no_answer_and_no_end),
             cmocka_unit_test(a_cycle_ends), cmocka_unit_test(random_programs_end_at_an_optimum),
             cmocka_unit_test(random_programs_without_a_point),
             cmocka_unit_test(dependent_columns_are_replaced),
             cmocka_unit_test(what_is_not_finite_is_lost),
             cmocka_unit_test(a_scope_that_ended_ends_it))
