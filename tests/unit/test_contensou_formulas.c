// The formulas of [Zhuravlev 1998] by their numbers, each against its definition: integrals about
// the instantaneous centre, expansions, the plane of u and v with its time, bound and quadrature.
#include "unit/expect.h"

#include <stiction/law.h>

static const double PI = 3.14159265358979323846;

// (2.2): about the instantaneous centre, at the distance k from the centre of the patch, with
// q = q_1 .. q_2 and theta up to theta* (both halves): with q = c + b cos s the root is b sin s.
static double force_integral(double k, int power) {
  enum { N = 4000 };
  double sum = 0, reach = k > 1 ? asin(1 / k) : PI;
  for (int i = 0; i < N; i++) {
    // sin theta = sin theta* sin(x) outside: smooth at the end of the range
    double x = (k > 1 ? PI / 2 : PI) * (i + 0.5) / N;
    double theta = k > 1 ? asin(sin(reach) * sin(x)) : x;
    double jacobian = k > 1 ? sin(reach) * cos(x) / cos(theta) : 1;
    double c = k * cos(theta), b = sqrt(fmax(0, 1 - k * k * sin(theta) * sin(theta))), inner = 0;
    double lowest = k > 1 ? -1 : fmax(-1, -c / b), top = acos(lowest);
    for (int j = 0; j < 64; j++) {
      double s = top * (j + 0.5) / 64;
      inner += top / 64 * b * b * sin(s) * sin(s) * (power ? c + b * cos(s) : 1);
    }
    sum += cos(theta) * jacobian * inner * (k > 1 ? PI / 2 : PI) / N;
  }
  return 3 / PI * sum;
}

static void the_force_about_the_instantaneous_centre(void **unused) {
  double F, M;
  (void)unused;
  stc_contensou(1.5, &F, &M);
  expect_near(force_integral(1.5, 1), F, 1e-6);
  expect_near(force_integral(1.5, 0), 2. / 3, 1e-6);  // as printed, without the factor q
  stc_contensou(0.4, &F, &M);
  expect_near(force_integral(0.4, 1), F, 2e-3);
}

// (2.3'), and M at infinity, with the order of what is left: halving the small number leaves 1/8 of
// O(k^3), 1/16 of O(1/k^4).
static void expansions_at_both_ends(void **unused) {
  double left[3][2];
  (void)unused;
  for (int i = 0; i < 2; i++) {
    double F, M, k = i ? 0.01 : 0.02, large = i ? 40 : 20;
    stc_contensou(k, &F, &M);
    left[0][i] = F - 3 * PI / 8 * k;
    stc_contensou(large, &F, &M);
    left[1][i] = F - (1 - 1 / (10 * large * large));
    left[2][i] = M - 1 / (5 * large);
  }
  expect_near(left[0][0] / left[0][1], 8, 0.01);
  expect_near(left[1][0] / left[1][1], 16, 0.1);
  expect_near(left[2][0] / left[2][1], 8, 0.05);
}

// du/d tau, dv/d tau: with 15 pi v in place of the printed 5 pi v. tau = (3 pi / 2) s.
static void rates(double mu, double u, double v, double *du, double *dv) {
  *du = -5 * mu * mu * u / (16 * mu * u + 15 * PI * v);
  *dv = -7 * v / (8 * mu * u + 3 * PI * v);
}

static void the_reduced_equations(void **unused) {
  const double mu = 0.6;
  (void)unused;
  for (double u = 0.1; u < 3; u *= 1.7)
    for (double v = 0.1; v < 3; v *= 1.7) {
      double du, dv, bu, bv;
      rates(mu, u, v, &du, &dv);
      stc_contensou_ball(mu, true, u, v, &bu, &bv);
      expect_near(bu, 3 * PI / 2 * du, 1e-14);
      expect_near(bv, 3 * PI / 2 * dv, 1e-14);
      // dq/dp with q = u/v, p = ln v: the denominator is 7 (16 mu q + 15 pi)
      double q = u / v, dq_dp = v / bv * (bu * v - u * bv) / (v * v);
      double printed = q * (8 * mu * (5 * mu * mu - 14) * q + 15 * PI * (mu * mu - 7)) /
                       (7 * (16 * mu * q + 15 * PI));
      expect_near(dq_dp, printed, 1e-13);
    }
}

// (3.4) in beta with (3.5) for the time: the bound holds on the way, and what tau gains until the
// motion is all but over, with the stop from there, is the moment of the stop.
static void the_bound_and_the_time(void **unused) {
  const double mu = 0.6;
  double u = 0.8, v = 1.2, start = hypot(u, v), beta = 0, tau = 0;
  (void)unused;
  double stop = stc_contensou_ball_stop(mu, true, u, v);
  for (int step = 0; step < 1000000 && hypot(u, v) > 0.01 * start; step++) {
    double d = 2e-5 / hypot(u, v), x[2] = {u, v}, slope[2] = {0}, gain = 0;
    for (int stage = 0; stage < 2; stage++) {  // the midpoint rule
      double a = 16 * mu * x[0] + 15 * PI * x[1], b = 8 * mu * x[0] + 3 * PI * x[1];
      slope[0] = -5 * b * mu * mu * x[0], slope[1] = -7 * x[1] * a, gain = a * b;
      for (int k = 0; k < 2 && stage == 0; k++) x[k] += d / 2 * slope[k];
    }
    u += d * slope[0], v += d * slope[1], beta += d, tau += d * gain;
    assert_true(hypot(u, v) <= start / (1 + 40 * mu * mu * mu * start * beta) * (1 + 1e-6));
  }
  assert_true(hypot(u, v) <= 0.011 * start);
  // tau = (3 pi N f / 2 m) t and s = mu g t: s = 2 tau / (3 pi)
  expect_near(2 * tau / (3 * PI) + stc_contensou_ball_stop(mu, true, u, v), stop, 2e-6 * stop);
}

// A point of contact, eps = 0, is the uncoupled law of before: it spins for ever.
static void a_point_is_uncoupled(void **unused) {
  (void)unused;
  assert_true(stc_contensou_ball_stop(0, false, 1, 1) == INFINITY);
  expect_near(stc_contensou_ball_stop(0, false, 0, 1), 1 / 3.5, 1e-15);
}

TEST_PROGRAM(cmocka_unit_test(the_force_about_the_instantaneous_centre),
             cmocka_unit_test(expansions_at_both_ends), cmocka_unit_test(the_reduced_equations),
             cmocka_unit_test(the_bound_and_the_time), cmocka_unit_test(a_point_is_uncoupled))
