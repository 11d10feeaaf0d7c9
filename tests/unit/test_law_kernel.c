// The Gauss–Seidel kernel in hat variables (mu = 1) against the textbook law and the robust
// routine.
#include "expect.h"

#include "base/random.h"
#include "law/cone_kernel.h"
#include "oracle/textbook.h"

static const double one[] = {1.0, 1.0};

static double distance(int dim, const double *W, const double *c, const double *r) {
  textbook_mode mode;
  return textbook_contact(dim, one, W, c, r, &mode);
}

// The fast path finds r; its multiplier.
static double expect_reaction(const double *W, const double *c, const double *expected) {
  double r[3], lambda = 0.0;
  assert_true(stc_cone_solve3(W, c, r, &lambda));
  for (int k = 0; k < 3; k++) expect_near(r[k], expected[k], 1e-15);
  return lambda;
}

// W = I: r_T = -c_T / |c_T| in slip, u_T = c_T + r_T = 4 (0.6, 0.8), so lambda = |u_T| / r_N = 4.
static void slip_with_identity(void **unused) {
  const double W[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, c[] = {-1.0, 3.0, 4.0};
  expect_near(expect_reaction(W, c, (double[]){1.0, -0.6, -0.8}), 4.0, 1e-14);
}

// W = G G^T + I / 10 and any c, tangents a few times the normal: all three modes occur.
static void draw_block(stc_random *random, int dim, double *W, double *c) {
  double G[9];
  for (int k = 0; k < dim * dim; k++) G[k] = stc_random_normal(random);
  for (int i = 0; i < dim; i++) {
    c[i] = stc_random_normal(random);
    for (int j = 0; j < dim; j++) {
      W[i + dim * j] = i == j ? 0.1 : 0.0;
      for (int k = 0; k < dim; k++) W[i + dim * j] += G[i + dim * k] * G[j + dim * k];
    }
  }
}

// From a cold start or from any other multiplier. Only contacts between stick and slip up to
// rounding may stay undecided: they are fewer than one in ten thousand.
static void regular_contacts(void **unused) {
  stc_random random = stc_random_seed(11);
  double W[9], c[3], r[3], worst = 0.0;
  int undecided_contacts = 0, trials = 100000;
  for (int trial = 0; trial < trials; trial++) {
    double lambda = trial % 2 ? pow(10.0, 4.0 * stc_random_normal(&random)) : 0.0;
    draw_block(&random, 3, W, c);
    if (stc_cone_solve3(W, c, r, &lambda))
      worst = fmax(worst, distance(3, W, c, r));
    else
      undecided_contacts++;
    draw_block(&random, 2, W, c);
    assert_true(stc_cone_solve2(W, c, r));
    worst = fmax(worst, distance(2, W, c, r));
  }
  assert_true(worst <= 1e-11);
  assert_true(undecided_contacts <= trials / 10000);
}

// From its own multiplier an answer comes back unchanged, whatever the start was.
static void warm_start(void **unused) {
  stc_random random = stc_random_seed(12);
  double W[9], c[3], cold[3], warm[3];
  for (int trial = 0; trial < 1000; trial++) {
    double lambda = 0.0;
    draw_block(&random, 3, W, c);
    stc_cone3 prepared = stc_cone3_prepare(W);
    assert_true(stc_cone3_solve(&prepared, c, cold, &lambda));
    assert_true(stc_cone3_solve(&prepared, c, warm, &lambda));
    for (int k = 0; k < 3; k++) expect_near(warm[k], cold[k], 1e-12 * (1.0 + cold[0]));
  }
}

// The hat form of mu = 0 has zero rows and c_T = 0: r = (-c_N / a, 0, 0) at once.
static void no_friction(void **unused) {
  const double W3[9] = {2.0}, W2[4] = {2.0}, c[3] = {-1.0, 0.0, 0.0};
  double r[3], lambda = 0.0;
  assert_true(stc_cone_solve3(W3, c, r, &lambda));
  expect_near(r[0], 0.5, 0.0);
  expect_near(hypot(r[1], r[2]), 0.0, 0.0);
  assert_true(stc_cone_solve2(W2, c, r));
  expect_near(r[0], 0.5, 0.0);
  expect_near(r[1], 0.0, 0.0);
}

// mu2 = 0 only: the plane problem (N, T1) with W = I slips with r = (1, -1).
static void friction_along_one_tangent(void **unused) {
  const double W[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0}, c[] = {-1.0, 3.0, 0.0};
  expect_reaction(W, c, (double[]){1.0, -1.0, 0.0});
}

// A tangent that cannot be moved but has friction: u_T2 = c_T2, r_T2 = -r_N. Not to be mistaken for
// mu = 0.
static void immovable_tangent(void **unused) {
  const double W3[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0}, c3[] = {-1.0, 0.0, 0.5};
  const double W2[] = {1.0, 0.0, 0.0, 0.0}, c2[] = {-1.0, 0.5};
  double r[3] = {0.0}, lambda = 0.0;
  if (!stc_cone_solve3(W3, c3, r, &lambda)) assert_true(stc_cone_solve_robust(3, W3, c3, r));
  expect_near(r[0], 1.0, 1e-14);
  expect_near(r[2], -1.0, 1e-14);
  assert_true(stc_cone_solve2(W2, c2, r));
  expect_near(r[1], -1.0, 1e-14);
}

// No answer (Painlevé), W_NN = 0, and numbers that are none: never decided by the fast path.
static void undecided(void **unused) {
  const double W2[] = {1.0, 2.0, 2.0, 4.0}, c2[] = {-1.0, -1.0}, none[9] = {0.0};
  const double W3[] = {1.0, 2.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 0.0}, c3[] = {-1.0, -1.0, 0.0};
  const double nan[] = {(double)NAN, 0.0, 0.0};
  double r[3], lambda = 0.0;
  assert_false(stc_cone_solve2(W2, c2, r));
  assert_false(stc_cone_solve3(W3, c3, r, &lambda));
  assert_false(stc_cone_solve2(none, c2, r));
  lambda = 0.0;
  assert_false(stc_cone_solve3(none, c3, r, &lambda));
  lambda = 0.0;
  assert_false(stc_cone_solve3(W3, nan, r, &lambda));
  assert_false(stc_cone_solve2(W2, nan, r));
}

// W = G G^T of rank 1 and 2, and c = u - W r with (u, r) in stick or slip: where the fast path
// decides it is right, where it does not the robust routine is.
static void singular_contacts(void **unused) {
  stc_random random = stc_random_seed(13);
  int fast = 0, trials = 20000;
  for (int trial = 0; trial < trials; trial++) {
    double g[2][3], W[9], c[3], angle = 6.28 * stc_random_uniform(&random), lambda = 0.0;
    double use = trial % 2 ? 1.0 : stc_random_uniform(&random), slide = trial % 2 ? 2.0 : 0.0;
    double r[3] = {1.0, use * cos(angle), use * sin(angle)};
    for (int k = 0; k < 6; k++) g[k / 3][k % 3] = stc_random_normal(&random) * (trial % 3 || k < 3);
    for (int k = 0; k < 9; k++) W[k] = g[0][k % 3] * g[0][k / 3] + g[1][k % 3] * g[1][k / 3];
    for (int i = 0; i < 3; i++) {
      c[i] = i == 0 ? 0.0 : -slide * r[i];
      for (int j = 0; j < 3; j++) c[i] -= W[i + 3 * j] * r[j];
    }
    bool decided = stc_cone_solve3(W, c, r, &lambda);
    fast += decided;
    if (!decided) assert_true(stc_cone_solve_robust(3, W, c, r));
    assert_true(distance(3, W, c, r) <= 1e-8);
  }
  assert_true(fast > trials / 4 && fast < trials);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_with_identity),
      cmocka_unit_test(regular_contacts),
      cmocka_unit_test(warm_start),
      cmocka_unit_test(no_friction),
      cmocka_unit_test(friction_along_one_tangent),
      cmocka_unit_test(immovable_tangent),
      cmocka_unit_test(undecided),
      cmocka_unit_test(singular_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
