// Cholesky factors of matrices that stay: hand answers, the row of a bad pivot, refinement for
// singular matrices.
#include "expect.h"

#include "linalg/sparse_solver.h"

enum { N = 60 };

/// The chain of springs (-1, 2, -1), first and last entry as given: with 2 at both ends it is
/// clamped and definite, with 1 at both ends it is free and its kernel is (1, ..., 1).
static stc_csr chain_matrix(stc_arena *arena, double first, double last) {
  stc_csr A = {N, N, STC_TAKE(arena, int, N + 1), STC_TAKE(arena, int, 3 * N),
               STC_TAKE(arena, double, 3 * N)};
  int k = 0;
  for (int i = 0; i < N; i++) {
    if (i > 0) A.col[k] = i - 1, A.val[k++] = -1;
    A.col[k] = i, A.val[k++] = i == 0 ? first : i == N - 1 ? last : 2;
    if (i < N - 1) A.col[k] = i + 1, A.val[k++] = -1;
    A.ptr[i + 1] = k;
  }
  return A;
}

static void a_clamped_chain_is_solved(void **state) {
  // x_i = (i + 1)(N - i): the second difference of a parabola, A x = 2.
  stc_arena arena = {0};
  stc_csr A = chain_matrix(&arena, 2, 2);
  stc_sparse_solver *factor = NULL;
  assert_int_equal(stc_sparse_factor(&A, "A", NULL, 0, &factor), STC_OK);
  double x[N];
  for (int i = 0; i < N; i++) x[i] = 2;
  assert_int_equal(stc_sparse_solve(factor, 1, x, x, INFINITY, NULL), STC_OK);  // in place
  for (int i = 0; i < N; i++) expect_near(x[i], (i + 1.0) * (N - i), 1e-9);
  stc_sparse_free(&factor);
  assert_null(factor);
  stc_sparse_free(&factor);
  stc_arena_free(&arena);
}

static void only_the_lower_triangle_is_read(void **state) {
  // [4 9; 2 3] read as [4 2; 2 3]: A (1, 1) = (6, 5).
  int ptr[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
  double val[] = {4, 9, 2, 3}, x[2];
  stc_csr A = {2, 2, ptr, col, val};
  stc_sparse_solver *factor = NULL;
  assert_int_equal(stc_sparse_factor(&A, "A", NULL, 0, &factor), STC_OK);
  assert_int_equal(stc_sparse_solve(factor, 1, (const double[]){6, 5}, x, 0, NULL), STC_OK);
  expect_near(x[0], 1, 1e-15);
  expect_near(x[1], 1, 1e-15);
  stc_sparse_free(&factor);
}

static void expect_bad_row(const stc_csr *A, const char *words) {
  stc_sparse_solver *factor = NULL;
  expect_failure(stc_sparse_factor(A, "mass", NULL, 0, &factor), STC_ERR_NUMERIC, words);
  assert_null(factor);
}

static void a_bad_pivot_is_named(void **state) {
  int ptr[] = {0, 1, 2, 3}, col[] = {0, 1, 2};
  double negative[] = {1, 1, -1}, zero[] = {1, 0, 1};
  expect_bad_row(&(stc_csr){3, 3, ptr, col, negative},
                 "mass is not positive definite: the pivot of row 2");
  expect_bad_row(&(stc_csr){3, 3, ptr, col, zero}, "row 1");
  // An empty row, and [1 3; 3 1]: eigenvalues 4 and -2.
  int gap[] = {0, 1, 1, 2}, gap_col[] = {0, 2};
  expect_bad_row(&(stc_csr){3, 3, gap, gap_col, negative}, "row 1");
  int full[] = {0, 2, 4}, full_col[] = {0, 1, 0, 1};
  double indefinite[] = {1, 3, 3, 1};
  expect_bad_row(&(stc_csr){2, 2, full, full_col, indefinite}, "row");
}

static void a_singular_chain_is_refused_without_a_shift(void **state) {
  // Its last pivot is 0; rounding makes of it a small number of either sign, after the stiffness.
  for (int k = 1; k <= 20; k++) {
    stc_arena arena = {0};
    stc_csr A = chain_matrix(&arena, 1, 1);
    for (int e = 0; e < A.ptr[N]; e++) A.val[e] /= k;
    expect_bad_row(&A, "pivot");
    stc_arena_free(&arena);
  }
}

// A chain free at both ends, with a shift that makes it definite.
static stc_sparse_solver *free_chain(stc_arena *arena, stc_csr *A) {
  stc_sparse_solver *factor = NULL;
  *A = chain_matrix(arena, 1, 1);
  assert_int_equal(stc_sparse_factor(A, "A", NULL, 1e-8, &factor), STC_OK);
  return factor;
}

static void a_singular_chain_is_solved_with_a_shift(void **state) {
  // A pull of 1 at both ends stretches every link by 1: x_i = i + constant. The system is
  // consistent, so refinement must remove the error of order 1e-8 N^2 the shift makes.
  stc_arena arena = {0};
  stc_csr A;
  stc_sparse_solver *factor = free_chain(&arena, &A);
  double b[N] = {0}, x[N];
  b[0] = -1, b[N - 1] = 1;
  assert_int_equal(stc_sparse_solve(factor, 1, b, x, 0, NULL), STC_OK);
  for (int i = 1; i < N; i++) expect_near(x[i] - x[i - 1], 1, 1e-12);
  stc_sparse_free(&factor);
  stc_arena_free(&arena);
}

static void an_inconsistent_system_stays_finite(void **state) {
  stc_arena arena = {0};
  stc_csr A;
  stc_sparse_solver *factor = free_chain(&arena, &A);
  double b[N], x[N];
  for (int i = 0; i < N; i++) b[i] = 1;  // the kernel itself
  assert_int_equal(stc_sparse_solve(factor, 1, b, x, 0, NULL), STC_OK);
  for (int i = 0; i < N; i++) assert_true(isfinite(x[i]) && fabs(x[i]) < 1e9);
  stc_sparse_free(&factor);
  stc_arena_free(&arena);
}

static void nothing_is_solved_for_no_unknowns(void **state) {
  int ptr[] = {0};
  stc_csr A = {.ptr = ptr};
  stc_sparse_solver *factor = NULL;
  assert_int_equal(stc_sparse_factor(&A, "A", NULL, 0, &factor), STC_OK);
  assert_int_equal(stc_sparse_solve(factor, 1, NULL, NULL, 0, NULL), STC_OK);
  stc_sparse_free(&factor);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_clamped_chain_is_solved),
      cmocka_unit_test(only_the_lower_triangle_is_read),
      cmocka_unit_test(a_bad_pivot_is_named),
      cmocka_unit_test(a_singular_chain_is_refused_without_a_shift),
      cmocka_unit_test(a_singular_chain_is_solved_with_a_shift),
      cmocka_unit_test(an_inconsistent_system_stays_finite),
      cmocka_unit_test(nothing_is_solved_for_no_unknowns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
