// Small dense numerics: systems, inverses, factors, eigenvectors, each against what defines them.
#include "expect.h"

#include "base/random.h"
#include "linalg/small.h"

enum { N = STC_SMALL_MAX };

// Rows of sizes 1e-200 and 1e200 are no reason to lose digits: x = (1, 2, 3).
static void solves_badly_scaled_rows(void **unused) {
  const double A[] = {2e-200, 0.0, 1e200, 1e-200, 1.0, 0.0, 0.0, 1.0, 1e200};
  const double b[] = {4e-200, 5.0, 4e200};
  double x[3];
  assert_true(stc_small_solve(3, A, b, x));
  for (int k = 0; k < 3; k++) expect_near(x[k], k + 1.0, 1e-15 * 4.0);
}

// The first pivot vanishes: rows are exchanged. A = [0 1; 2 0], b = (3, 4) gives x = (2, 3).
static void exchanges_rows(void **unused) {
  double x[2];
  assert_true(stc_small_solve(2, (double[]){0.0, 2.0, 1.0, 0.0}, (double[]){3.0, 4.0}, x));
  expect_near(x[0], 2.0, 0.0);
  expect_near(x[1], 3.0, 0.0);
}

static void refuses_singular(void **unused) {
  double x[2];
  assert_false(stc_small_solve(2, (double[]){1.0, 2.0, 2.0, 4.0}, (double[]){1.0, 1.0}, x));
  assert_false(stc_small_solve(2, (double[]){0.0, 1.0, 0.0, 1.0}, (double[]){1.0, 1.0}, x));
}

// A v = lambda v, v orthonormal, lambda increasing, for random symmetric A.
static void eigenvectors(void **unused) {
  stc_random random = stc_random_seed(5);
  for (int trial = 0; trial < 1000; trial++) {
    int n = 1 + trial % N;
    double A[N * N], value[N], v[N * N];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) A[i + n * j] = A[j + n * i] = stc_random_normal(&random);
    stc_small_eigen(n, A, value, v);
    for (int k = 0; k < n; k++) {
      if (k > 0) assert_true(value[k - 1] <= value[k]);
      for (int i = 0; i < n; i++) {
        double Av = 0.0, dot = 0.0;
        for (int j = 0; j < n; j++) Av += A[i + n * j] * v[j + n * k];
        for (int j = 0; j < n; j++) dot += v[j + n * i] * v[j + n * k];
        expect_near(Av, value[k] * v[i + n * k], 4e-14);
        expect_near(dot, i == k ? 1.0 : 0.0, 1e-14);
      }
    }
  }
}

// A = [0 1; 2 0] by rows: A^-1 = [0 1/2; 1 0], det A = -2.
static void inverts(void **unused) {
  double inverse[4];
  assert_int_equal(stc_small_invert(2, (double[]){0, 1, 2, 0}, 0, inverse), -1);
  assert_memory_equal(inverse, ((const double[]){0, 0.5, 1, 0}), sizeof inverse);
}

// A A^-1 = 1 and the sign is that of the product of the eigenvalues of a symmetric A.
static void inverts_random(void **unused) {
  stc_random random = stc_random_seed(7);
  for (int trial = 0; trial < 1000; trial++) {
    int n = 1 + trial % N, sign = 1;
    double A[N * N], copy[N * N], inverse[N * N], value[N], vector[N * N];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) A[i + n * j] = A[j + n * i] = stc_random_normal(&random);
    memcpy(copy, A, sizeof A);
    stc_small_eigen(n, A, value, vector);
    for (int k = 0; k < n; k++) sign *= value[k] < 0 ? -1 : 1;
    assert_int_equal(stc_small_invert(n, copy, 0, inverse), sign);
    for (int k = 0; k < n * n; k++) {
      double sum = 0, size = 0;
      for (int j = 0; j < n; j++) {
        sum += A[k / n * n + j] * inverse[j * n + k % n];
        size += fabs(A[k / n * n + j] * inverse[j * n + k % n]);
      }
      expect_near(sum, k / n == k % n, 1e-10 * (1 + size));
    }
  }
}

// [1 1; 1 1]: the second pivot vanishes. Replaced by 1/4 it is that of [1 1; 1 5/4], whose inverse
// is [5 -4; -4 4].
static void replaces_a_pivot(void **unused) {
  double inverse[4];
  assert_int_equal(stc_small_invert(2, (double[]){1, 1, 1, 1}, 0, inverse), 0);
  assert_int_equal(stc_small_invert(2, (double[]){1, 1, 1, 1}, 0.25, inverse), 1);
  assert_memory_equal(inverse, ((const double[]){5, -4, -4, 4}), sizeof inverse);
}

// [4 2 0; 2 5 2; 0 2 5] = L L^T with L = [2; 1 2; 0 1 2]; b = A (1, 2, 3) = (8, 18, 19).
static void factorises_by_cholesky(void **unused) {
  double A[] = {4, 2, 0, 2, 5, 2, 0, 2, 5}, x[] = {8, 18, 19};
  assert_int_equal(stc_small_cholesky(3, A, 0), -1);
  const double L[] = {2, 1, 2, 0, 1, 2};
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) expect_near(A[3 * i + j], L[k++], 0);
  stc_small_cholesky_solve(3, A, x);
  for (int k = 0; k < 3; k++) expect_near(x[k], k + 1, 1e-15);
}

// [1 2; 2 4] is singular: its second pivot is 0. [1 1; 1 2] has the pivots 1 and 1. NaN is no
// pivot.
static void names_the_bad_pivot(void **unused) {
  assert_int_equal(stc_small_cholesky(2, (double[]){1, 2, 2, 4}, 0), 1);
  assert_int_equal(stc_small_cholesky(2, (double[]){1, 1, 1, 2}, 0.999), -1);
  assert_int_equal(stc_small_cholesky(2, (double[]){1, 1, 1, 2}, 1), 0);
  assert_int_equal(stc_small_cholesky(1, (double[]){NAN}, 0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_badly_scaled_rows),
      cmocka_unit_test(exchanges_rows),
      cmocka_unit_test(refuses_singular),
      cmocka_unit_test(inverts),
      cmocka_unit_test(inverts_random),
      cmocka_unit_test(replaces_a_pivot),
      cmocka_unit_test(factorises_by_cholesky),
      cmocka_unit_test(names_the_bad_pivot),
      cmocka_unit_test(eigenvectors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
