// Roots of quartics on [-1, 1] against the factors they are made of.
#include "expect.h"

#include "base/random.h"
#include "law/quartic.h"

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
  double root[STC_QUARTIC_MAX];
  const double p[] = {3.0 / 32.0, 5.0 / 32.0, -15.0 / 16.0, 0.0, 1.0};
  expect_roots(p, (double[]){-1.0, -0.25, 0.5, 0.75}, 4, 1e-15);
  assert_int_equal(stc_quartic_roots(p, root), 4);
}

// z^2 + 1 has none; 2 z - 1 (of degree 1) has one; (z - 1/3)^2 (z^2 + 1) has a double root, known
// to the square root of rounding; p = 0 does not break.
static void special_quartics(void **unused) {
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(four_roots),
                                     cmocka_unit_test(special_quartics),
                                     cmocka_unit_test(random_quartics)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
