// Every sparse solver of the table on an elastic block with one side held: the answer, several at
// once, new values, the same bits for any number of threads, and a predicted cost.
#include "unit/elastic.h"

enum { COUNT = 5 };

static elastic block;

static int make_block(void **state) {
  block = make_elastic(&(stc_grid){.type = STC_CELL_H8, .count = {6, 6, 6}, .body = "b"}, 0.3);
  return 0;
}

static int free_block(void **state) {
  free_elastic(&block);
  return 0;
}

static void each(void (*fact)(stc_sparse_kind kind)) {
  for (int kind = 0; kind < STC_SPARSE_KINDS; kind++) fact((stc_sparse_kind)kind);
}

static stc_sparse_solver *factorised(stc_sparse_kind kind, int threads, const double *val) {
  stc_sparse_solver *solver = NULL;
  stc_sparse_hints hints = elastic_hints(&block, kind, threads);
  expect_ok(stc_sparse_create(&block.K, &hints, &solver));
  expect_ok(stc_sparse_factorise(solver, val));
  assert_int_equal(stc_sparse_bad_row(solver), -1);
  return solver;
}

static void has_a_name_of_its_own(stc_sparse_kind kind) {
  assert_non_null(stc_sparse_name((int)kind));
  for (int other = 0; other < (int)kind; other++)
    assert_string_not_equal(stc_sparse_name(other), stc_sparse_name((int)kind));
  assert_null(stc_sparse_name(STC_SPARSE_KINDS));
}

// b = K x for given x; with a condition near 1e3 nine digits are to be there.
static void gives_the_answer(stc_sparse_kind kind) {
  size_t n = (size_t)block.n;
  double *x = scattered(n * COUNT), *b = calloc(n * COUNT, sizeof *b),
         *y = calloc(n * COUNT, sizeof *y);
  for (size_t c = 0; c < COUNT; c++) stc_csr_multiply(&block.K, x + c * n, 0, b + c * n);
  stc_sparse_solver *solver = factorised(kind, 1, block.K.val);
  stc_sparse_report report;
  expect_ok(stc_sparse_solve(solver, COUNT, b, y, 1e-13, &report));
  assert_true(report.residual <= 1e-12);
  for (size_t k = 0; k < n * COUNT; k++) expect_near(y[k], x[k], 1e-9);
  stc_sparse_free(&solver);
  stc_sparse_free(&solver);  // twice is safe
  free(x), free(b), free(y);
}

// 2 K halves the answer, by a new factorisation and by a refresh.
static void takes_new_values(stc_sparse_kind kind) {
  size_t n = (size_t)block.n, entries = (size_t)block.K.ptr[block.n];
  double *twice = calloc(entries, sizeof *twice), *b = scattered(n);
  double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  for (size_t k = 0; k < entries; k++) twice[k] = 2 * block.K.val[k];
  stc_sparse_solver *solver = factorised(kind, 1, block.K.val);
  expect_ok(stc_sparse_solve(solver, 1, b, x, 1e-13, NULL));
  for (int again = 0; again < 2; again++) {
    expect_ok((again ? stc_sparse_refresh : stc_sparse_factorise)(solver, twice));
    memset(y, 0, n * sizeof *y);
    expect_ok(stc_sparse_solve(solver, 1, b, y, 1e-13, NULL));
    for (size_t k = 0; k < n; k++) expect_near(2 * y[k], x[k], 1e-7);
  }
  stc_sparse_free(&solver);
  free(twice), free(b), free(x), free(y);
}

static void threads_change_no_bit(stc_sparse_kind kind) {
  size_t n = (size_t)block.n;
  double *b = scattered(n), *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  for (int threads = 1; threads <= 3; threads += 2) {
    stc_sparse_solver *solver = factorised(kind, threads, block.K.val);
    expect_ok(stc_sparse_solve(solver, 1, b, threads == 1 ? x : y, 1e-12, NULL));
    stc_sparse_free(&solver);
  }
  assert_memory_equal(x, y, n * sizeof *x);
  free(b), free(x), free(y);
}

static void predicts_its_cost(stc_sparse_kind kind) {
  stc_sparse_solver *solver = factorised(kind, 1, block.K.val);
  assert_true(stc_sparse_work(solver) > block.n && stc_sparse_bytes(solver) > block.n);
  stc_sparse_free(&solver);
}

#define FACT(name)                                                                                 \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    each(name);                                                                                    \
  }
FACT(has_a_name_of_its_own)
FACT(gives_the_answer)
FACT(takes_new_values)
FACT(threads_change_no_bit)
FACT(predicts_its_cost)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_has_a_name_of_its_own), cmocka_unit_test(test_gives_the_answer),
      cmocka_unit_test(test_takes_new_values),      cmocka_unit_test(test_threads_change_no_bit),
      cmocka_unit_test(test_predicts_its_cost),
  };
  return cmocka_run_group_tests(tests, make_block, free_block);
}
