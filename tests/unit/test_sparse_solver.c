// The table of sparse solvers: known answers, refactorisation, rows that are not
// positive definite, the same bits for any number of threads, memory that runs out.
#include "elastic.h"

#include "conform/heap.h"
#include "linalg/engine/llt.h"

static elastic cube(int cells) {
  return make_elastic(
      &(stc_grid){.type = STC_CELL_H8, .count = {cells + 1, cells + 1, cells + 1}, .body = "b"},
      0.3);
}

static stc_sparse_solver *make(const elastic *e, stc_sparse_kind kind, int threads) {
  stc_sparse_solver *spd = NULL;
  stc_sparse_hints hints = elastic_hints(e, kind, threads);
  expect_ok(stc_sparse_create(&e->K, &hints, &spd));
  return spd;
}

static double largest_difference(size_t n, const double *x, const double *y) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

/// b = K x is made by hand, so that x is the answer; for several right-hand sides at once.
static void expect_answers(stc_sparse_solver *spd, const stc_csr *K, int count, double tolerance) {
  size_t n = (size_t)K->rows, size = n * (size_t)count;
  double *x = scattered(size), *b = calloc(size, sizeof *b), *y = calloc(size, sizeof *y);
  for (size_t c = 0; c < (size_t)count; c++) stc_csr_multiply(K, x + c * n, 0, b + c * n);
  stc_sparse_report report;
  expect_ok(stc_sparse_solve(spd, count, b, y, 1e-13, &report));
  assert_true(report.residual <= 1e-12);
  expect_near(largest_difference(size, x, y), 0, tolerance);
  free(x), free(b), free(y);
}

static void every_engine_gives_the_answer(void **state) {
  // Condition about 1e3 to 1e4: rounding leaves twelve digits.
  elastic e = cube(7);
  for (stc_sparse_kind kind = STC_SPARSE_CHOLESKY; kind <= STC_SPARSE_AMG; kind++) {
    stc_sparse_solver *spd = make(&e, kind, 1);
    expect_ok(stc_sparse_factorise(spd, e.K.val));
    assert_int_equal(stc_sparse_is_direct(spd), kind != STC_SPARSE_AMG);
    assert_true(stc_sparse_bytes(spd) > 0 && stc_sparse_work(spd) > 0);
    expect_answers(spd, &e.K, 1, 1e-9);
    expect_answers(spd, &e.K, 37, 1e-9);  // more than one block of right-hand sides
    stc_sparse_free(&spd);
    assert_null(spd);
    stc_sparse_free(&spd);
  }
  free_elastic(&e);
}

// Nothing to find: nothing is asked, and the answer is there.
static void a_matrix_without_rows_is_solved(void **state) {
  int ptr[] = {0}, col[] = {0};
  double val[] = {0}, b[] = {1}, x[] = {2};
  const stc_csr A = {.ptr = ptr, .col = col, .val = val};
  for (stc_sparse_kind kind = STC_SPARSE_AUTO; kind <= STC_SPARSE_AMG; kind++)
    for (int threads = 1; threads <= 2; threads++) {
      const stc_sparse_hints hints = {.kind = kind, .threads = threads};
      stc_sparse_report report = {.residual = 1};
      stc_sparse_solver *spd = NULL;
      expect_ok(stc_sparse_create(&A, &hints, &spd));
      expect_ok(stc_sparse_factorise(spd, val));
      expect_ok(stc_sparse_refresh(spd, val));
      expect_ok(stc_sparse_solve(spd, 1, b, x, 1e-14, &report));
      assert_true(report.residual == 0 && x[0] == 2 && stc_sparse_bytes(spd) == 0);
      assert_int_equal(stc_sparse_bad_row(spd), -1);
      stc_sparse_free(&spd);
    }
}

static void right_hand_sides_together_are_solved_as_each_alone(void **state) {
  // Both ways are backward stable: without refinement they differ by rounding times the condition.
  enum { COUNT = 37 };
  elastic e = cube(8);
  size_t n = (size_t)e.n;
  double *together = scattered(n * COUNT), *alone = scattered(n * COUNT), largest = 0;
  stc_llt *llt = NULL;
  int bad;
  expect_ok(stc_llt_create(&e.K, &(stc_crew){.threads = 1}, &llt));
  expect_ok(stc_llt_factorise(llt, e.K.val, 0, STC_LLT_FLOOR, &bad));
  assert_int_equal(bad, -1);
  expect_ok(stc_llt_solve(llt, COUNT, together));
  for (size_t c = 0; c < COUNT; c++) expect_ok(stc_llt_solve(llt, 1, alone + c * n));
  for (size_t i = 0; i < n * COUNT; i++) largest = fmax(largest, fabs(alone[i]));
  expect_near(largest_difference(n * COUNT, together, alone), 0, 1e-11 * largest);
  stc_llt_free(&llt);
  free(together), free(alone);
  free_elastic(&e);
}

static void new_values_replace_the_old(void **state) {
  // 3 K has a third of K's answer.
  elastic e = cube(5);
  size_t n = (size_t)e.n, entries = (size_t)e.K.ptr[e.n];
  double *triple = calloc(entries, sizeof *triple), *b = scattered(n);
  double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  for (size_t k = 0; k < entries; k++) triple[k] = 3 * e.K.val[k];
  for (stc_sparse_kind kind = STC_SPARSE_CHOLESKY; kind <= STC_SPARSE_AMG; kind++) {
    stc_sparse_solver *spd = make(&e, kind, 1);
    expect_ok(stc_sparse_factorise(spd, e.K.val));
    expect_ok(stc_sparse_solve(spd, 1, b, x, 1e-13, NULL));
    expect_ok(stc_sparse_factorise(spd, triple));
    expect_ok(stc_sparse_solve(spd, 1, b, y, 1e-13, NULL));
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    for (size_t i = 0; i < n; i++) expect_near(3 * y[i], x[i], 1e-10 * largest);
    stc_sparse_free(&spd);
  }
  free(triple), free(b), free(x), free(y);
  free_elastic(&e);
}

static void a_bad_row_is_named(void **state) {
  // A negative diagonal entry spoils its own row, first of all.
  elastic e = cube(4);
  int row = e.n / 2;
  for (int k = e.K.ptr[row]; k < e.K.ptr[row + 1]; k++)
    if (e.K.col[k] == row) e.K.val[k] = -1;
  stc_sparse_solver *spd = make(&e, STC_SPARSE_CHOLESKY, 1);
  expect_failure(stc_sparse_factorise(spd, e.K.val), STC_ERR_NUMERIC, "not positive definite");
  assert_int_equal(e.node[stc_sparse_bad_row(spd)], e.node[row]);
  stc_sparse_free(&spd);
  spd = make(&e, STC_SPARSE_AMG, 1);
  expect_failure(stc_sparse_factorise(spd, e.K.val), STC_ERR_NUMERIC, "not positive definite");
  assert_int_equal(e.node[stc_sparse_bad_row(spd)], e.node[row]);
  stc_sparse_free(&spd);
  free_elastic(&e);
}

static void a_free_body_is_refused(void **state) {
  // The chain 1 -1; -1 2 -1; ...; -1 1 is singular: nothing holds it.
  enum { N = 30 };
  int ptr[N + 1] = {0}, col[3 * N], used = 0;
  double val[3 * N];
  for (int i = 0; i < N; i++) {
    if (i > 0) col[used] = i - 1, val[used++] = -1;
    col[used] = i, val[used++] = i == 0 || i == N - 1 ? 1 : 2;
    if (i < N - 1) col[used] = i + 1, val[used++] = -1;
    ptr[i + 1] = used;
  }
  stc_csr A = {N, N, ptr, col, val};
  stc_sparse_solver *spd = NULL;
  expect_ok(stc_sparse_create(&A, &(stc_sparse_hints){.kind = STC_SPARSE_CHOLESKY}, &spd));
  expect_failure(stc_sparse_factorise(spd, val), STC_ERR_NUMERIC, "the pivot of row");
  assert_true(stc_sparse_bad_row(spd) >= 0);
  stc_sparse_free(&spd);
}

// Rows 0 and 2 belong to one node, row 1 to another: [1 2 3; 0 4 0; 5 0 6] (1, 2, 3) = (14, 8, 23).
// Its first pivot is smaller than the entry below: LU swaps rows inside the block of the node.
static void lu_takes_what_is_not_symmetric(void **state) {
  int ptr[] = {0, 3, 5, 7}, col[] = {0, 1, 2, 0, 1, 0, 2}, node[] = {7, 2, 7};
  double val[] = {1, 2, 3, 0, 4, 5, 6}, b[] = {14, 8, 23};
  stc_csr A = {3, 3, ptr, col, val};
  stc_sparse_solver *solver = NULL;
  const stc_sparse_hints hints = {.kind = STC_SPARSE_LU, .node = node};
  expect_ok(stc_sparse_create(&A, &hints, &solver));
  expect_ok(stc_sparse_factorise(solver, val));
  expect_ok(stc_sparse_solve(solver, 1, b, b, INFINITY, NULL));  // in place
  for (int i = 0; i < 3; i++) expect_near(b[i], i + 1, 1e-14);
  stc_sparse_free(&solver);
}

static void nothing_is_solved_too(void **state) {
  int ptr[] = {0};
  stc_csr A = {0, 0, ptr, NULL, NULL};
  for (stc_sparse_kind kind = STC_SPARSE_AUTO; kind <= STC_SPARSE_AMG; kind++) {
    stc_sparse_solver *spd = NULL;
    expect_ok(stc_sparse_create(&A, &(stc_sparse_hints){.kind = kind}, &spd));
    expect_ok(stc_sparse_factorise(spd, NULL));
    expect_ok(stc_sparse_solve(spd, 1, NULL, NULL, 1e-10, NULL));
    stc_sparse_free(&spd);
  }
}

static void threads_change_no_bit(void **state) {
  elastic e = cube(14);  // supernodes and levels large enough to be shared
  size_t n = (size_t)e.n;
  double *b = scattered(2 * n), *x = calloc(2 * n, sizeof *x), *first = calloc(2 * n, sizeof *x);
  for (stc_sparse_kind kind = STC_SPARSE_CHOLESKY; kind <= STC_SPARSE_AMG; kind++)
    for (int threads = 1; threads <= 4; threads *= 2) {
      stc_sparse_solver *spd = make(&e, kind, threads);
      memset(x, 0, 2 * n * sizeof *x);
      expect_ok(stc_sparse_factorise(spd, e.K.val));
      expect_ok(stc_sparse_solve(spd, 2, b, x, 1e-8, NULL));
      if (threads == 1) memcpy(first, x, 2 * n * sizeof *x);
      assert_memory_equal(x, first, 2 * n * sizeof *x);
      stc_sparse_free(&spd);
    }
  free(b), free(x), free(first);
  free_elastic(&e);
}

static void auto_chooses_by_the_memory(void **state) {
  elastic e = cube(6);
  stc_sparse_hints hints = elastic_hints(&e, STC_SPARSE_AUTO, 1);
  stc_sparse_solver *spd = NULL;
  expect_ok(stc_sparse_create(&e.K, &hints, &spd));
  assert_true(stc_sparse_is_direct(spd));
  hints.memory = stc_sparse_bytes(spd) / 2;
  stc_sparse_free(&spd);
  expect_ok(stc_sparse_create(&e.K, &hints, &spd));
  assert_false(stc_sparse_is_direct(spd));
  stc_sparse_free(&spd);
  free_elastic(&e);
}

static bool stop_at(void *user, const char *stage, double done) { return --*(int *)user > 0; }

static void the_callback_stops_it(void **state) {
  elastic e = cube(11);  // two levels
  size_t n = (size_t)e.n;
  double *b = scattered(n), *x = calloc(n, sizeof *x);
  stc_sparse_hints hints = elastic_hints(&e, STC_SPARSE_AMG, 1);
  int calls = 5;
  hints.progress = stop_at;
  hints.progress_user = &calls;
  stc_sparse_solver *spd = NULL;
  expect_ok(stc_sparse_create(&e.K, &hints, &spd));
  stc_error error = stc_sparse_factorise(spd, e.K.val);
  if (!error) error = stc_sparse_solve(spd, 1, b, x, 1e-12, NULL);
  assert_int_equal(error, STC_ERR_CALLBACK);
  stc_sparse_free(&spd);
  free(b), free(x);
  free_elastic(&e);
}

static stc_error whole_life(const elastic *e, stc_sparse_kind kind, const double *b, double *x) {
  stc_sparse_hints hints = elastic_hints(e, kind, 2);
  stc_sparse_solver *spd = NULL;
  stc_error error = stc_sparse_create(&e->K, &hints, &spd);
  if (!error) error = stc_sparse_factorise(spd, e->K.val);
  if (!error) error = stc_sparse_solve(spd, 2, b, x, 1e-8, NULL);
  stc_sparse_free(&spd);
  return error;
}

static void memory_that_runs_out_leaks_nothing(void **state) {
  if (!heap_is_counted()) return;
  for (stc_sparse_kind kind = STC_SPARSE_AUTO; kind <= STC_SPARSE_AMG; kind++) {
    elastic e = cube(kind == STC_SPARSE_AMG ? 11 : 6);  // a hierarchy of two levels
    size_t n = (size_t)e.n;
    double *b = scattered(2 * n), *x = calloc(2 * n, sizeof *x);
    heap_begin();
    expect_ok(whole_life(&e, kind, b, x));
    long allocations = heap_allocations();
    assert_int_equal(heap_alive(), 0);
    for (long k = 1; k <= allocations; k++) {
      heap_begin();
      heap_fail_at(k);
      whole_life(&e, kind, b, x);  // may succeed where a thread is done without
      heap_fail_at(0);
      assert_int_equal(heap_alive(), 0);
    }
    free(b), free(x);
    free_elastic(&e);
  }
}

TEST_PROGRAM(cmocka_unit_test(every_engine_gives_the_answer),
             cmocka_unit_test(a_matrix_without_rows_is_solved),
             cmocka_unit_test(right_hand_sides_together_are_solved_as_each_alone),
             cmocka_unit_test(new_values_replace_the_old), cmocka_unit_test(a_bad_row_is_named),
             cmocka_unit_test(a_free_body_is_refused),
             cmocka_unit_test(lu_takes_what_is_not_symmetric),
             cmocka_unit_test(nothing_is_solved_too), cmocka_unit_test(threads_change_no_bit),
             cmocka_unit_test(auto_chooses_by_the_memory), cmocka_unit_test(the_callback_stops_it),
             cmocka_unit_test(memory_that_runs_out_leaks_nothing))
