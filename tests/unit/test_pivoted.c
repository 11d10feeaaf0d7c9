// Pivoted Cholesky: L L^T = A, the rank, and the refusal of an indefinite matrix.
#include "expect.h"

#include "base/random.h"
#include "linalg/pivoted.h"

enum { N = 12, RANK = 5 };

static stc_csr full(int n, int *ptr, int *col, double *val) {
  for (int k = 0; k < n * n; k++) col[k] = k % n;
  for (int i = 0; i <= n; i++) ptr[i] = i * n;
  return (stc_csr){n, n, ptr, col, val};
}

static void a_product_is_factorised_with_its_rank(void **state) {
  // A = B B^T with a random B of 5 columns: rank 5.
  stc_random random = stc_random_seed(3);
  double B[N * RANK], A[N * N] = {0};
  for (int k = 0; k < N * RANK; k++) B[k] = stc_random_normal(&random);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < RANK; k++) A[i * N + j] += B[i * RANK + k] * B[j * RANK + k];
  int ptr[N + 1], col[N * N], rank = -1;
  stc_csr view = full(N, ptr, col, A);
  stc_arena arena = {0};
  double *L = NULL;
  assert_int_equal(stc_pivoted_cholesky(&arena, "A", &view, &rank, &L), STC_OK);
  assert_int_equal(rank, RANK);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += L[k * N + i] * L[k * N + j];
      expect_near(sum, A[i * N + j], 1e-13);
    }
  stc_arena_free(&arena);
}

static void expect_indefinite(double a, double b, double c) {
  double A[] = {a, b, b, c}, *L = NULL;
  int ptr[3], col[4], rank = -1;
  stc_csr view = full(2, ptr, col, A);
  stc_arena arena = {0};
  expect_failure(stc_pivoted_cholesky(&arena, "A", &view, &rank, &L), STC_ERR_NUMERIC,
                 "A is not positive semi-definite");
  stc_arena_free(&arena);
}

static void indefinite_matrices_are_refused(void **state) {
  expect_indefinite(0, 1, 0);   // nothing on the diagonal, something beside it
  expect_indefinite(1, 2, 1);   // eigenvalues 3 and -1
  expect_indefinite(0, 0, -1);  // a negative diagonal entry
}

static void the_zero_matrix_has_rank_zero(void **state) {
  double A[4] = {0}, *L = NULL;
  int ptr[3], col[4], rank = -1;
  stc_csr view = full(2, ptr, col, A);
  stc_arena arena = {0};
  assert_int_equal(stc_pivoted_cholesky(&arena, "A", &view, &rank, &L), STC_OK);
  assert_int_equal(rank, 0);
  stc_arena_free(&arena);
}

TEST_PROGRAM(cmocka_unit_test(a_product_is_factorised_with_its_rank),
             cmocka_unit_test(indefinite_matrices_are_refused),
             cmocka_unit_test(the_zero_matrix_has_rank_zero))
