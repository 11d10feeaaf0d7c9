// Small dense numerics: systems, eigenvectors, roots of quartics, each against what defines them.
#include "expect.h"

#include "base/random.h"
#include "law/small.h"

// Rows of sizes 1e-200 and 1e200 are no reason to lose digits: x = (1, 2, 3).
static void solves_badly_scaled_rows(void **unused) {
  (void)unused;
  const double A[] = {2e-200, 0.0, 1e200, 1e-200, 1.0, 0.0, 0.0, 1.0, 1e200};
  const double b[] = {4e-200, 5.0, 4e200};
  double x[3];
  assert_true(stc_dense_solve(3, A, b, x));
  for (int k = 0; k < 3; k++) expect_near(x[k], k + 1.0, 1e-15 * 4.0);
}

// The first pivot vanishes: rows are exchanged. A = [0 1; 2 0], b = (3, 4) gives x = (2, 3).
static void exchanges_rows(void **unused) {
  (void)unused;
  double x[2];
  assert_true(stc_dense_solve(2, (double[]){0.0, 2.0, 1.0, 0.0}, (double[]){3.0, 4.0}, x));
  expect_near(x[0], 2.0, 0.0);
  expect_near(x[1], 3.0, 0.0);
}

static void refuses_singular(void **unused) {
  (void)unused;
  double x[2];
  assert_false(stc_dense_solve(2, (double[]){1.0, 2.0, 2.0, 4.0}, (double[]){1.0, 1.0}, x));
  assert_false(stc_dense_solve(2, (double[]){0.0, 1.0, 0.0, 1.0}, (double[]){1.0, 1.0}, x));
}

// A v = lambda v, v orthonormal, lambda increasing, for random symmetric A.
static void eigenvectors(void **unused) {
  (void)unused;
  stc_random random = stc_random_seed(5);
  for (int trial = 0; trial < 1000; trial++) {
    int n = 1 + trial % 3;
    double A[9], value[3], v[9];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) A[i + n * j] = A[j + n * i] = stc_random_normal(&random);
    stc_dense_eigen(n, A, value, v);
    for (int k = 0; k < n; k++) {
      if (k > 0) assert_true(value[k - 1] <= value[k]);
      for (int i = 0; i < n; i++) {
        double Av = 0.0, dot = 0.0;
        for (int j = 0; j < n; j++) Av += A[i + n * j] * v[j + n * k];
        for (int j = 0; j < n; j++) dot += v[j + n * i] * v[j + n * k];
        expect_near(Av, value[k] * v[i + n * k], 1e-14);
        expect_near(dot, i == k ? 1.0 : 0.0, 1e-14);
      }
    }
  }
}

static void expect_roots(const double *p, const double *expected, int count, double tolerance) {
  double root[STC_QUARTIC_MAX];
  int found = stc_quartic_roots(p, root);
  for (int k = 0; k < count; k++) {
    double nearest = INFINITY;
    for (int j = 0; j < found; j++) nearest = fmin(nearest, fabs(root[j] - expected[k]));
    expect_near(nearest, 0.0, tolerance);
  }
}

// (z - 1/2)(z + 1/4)(z - 3/4)(z + 1) = z^4 - (15/16) z^2 + (5/32) z + 3/32, the last root at the
// end of [-1, 1].
static void four_roots(void **unused) {
  (void)unused;
  double root[STC_QUARTIC_MAX];
  const double p[] = {3.0 / 32.0, 5.0 / 32.0, -15.0 / 16.0, 0.0, 1.0};
  expect_roots(p, (double[]){-1.0, -0.25, 0.5, 0.75}, 4, 1e-15);
  assert_int_equal(stc_quartic_roots(p, root), 4);
}

// z^2 + 1 has none; 2 z - 1 (of degree 1) has one; (z - 1/3)^2 (z^2 + 1) has a double root, known
// to the square root of rounding; p = 0 does not break.
static void special_quartics(void **unused) {
  (void)unused;
  double root[STC_QUARTIC_MAX];
  assert_int_equal(stc_quartic_roots((double[]){1.0, 0.0, 1.0, 0.0, 0.0}, root), 0);
  expect_roots((double[]){-1.0, 2.0, 0.0, 0.0, 0.0}, (double[]){0.5}, 1, 1e-15);
  const double a = 1.0 / 3.0;
  expect_roots((double[]){a * a, -2.0 * a, a * a + 1.0, -2.0 * a, 1.0}, &a, 1, 1e-7);
  const double lifted = a * a + 1e-10;
  expect_roots((double[]){lifted, -2.0 * a, a * a + 1.0, -2.0 * a, 1.0}, &a, 1, 1e-7);
  assert_true(stc_quartic_roots((double[]){0.0, 0.0, 0.0, 0.0, 0.0}, root) <= STC_QUARTIC_MAX);
}

// Random quartics with four known roots in [-1, 1].
static void random_quartics(void **unused) {
  (void)unused;
  stc_random random = stc_random_seed(9);
  for (int trial = 0; trial < 10000; trial++) {
    double p[5] = {1.0}, root[4];
    for (int k = 0; k < 4; k++) {
      root[k] = 2.0 * stc_random_uniform(&random) - 1.0;
      for (int j = k + 1; j > 0; j--) p[j] = p[j - 1] - root[k] * p[j];
      p[0] *= -root[k];
    }
    expect_roots(p, root, 4, 1e-4);  // near-multiple roots are ill conditioned
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_badly_scaled_rows),
      cmocka_unit_test(exchanges_rows),
      cmocka_unit_test(refuses_singular),
      cmocka_unit_test(eigenvectors),
      cmocka_unit_test(four_roots),
      cmocka_unit_test(special_quartics),
      cmocka_unit_test(random_quartics),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
