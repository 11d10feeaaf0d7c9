// The ball that slides and spins: stopping times against an independent integration of high order,
// what stays along a motion, both motions end at the same moment.
#include "unit/expect.h"

#include "base/random.h"

#include <stiction/law.h>

// R = 0.1 m, mu g = 0.3 * 9.81, v0 = 0.5 m/s, omega0 = 40 rad/s; seconds.
static void stopping_times(void **unused) {
  const struct {
    double ratio, exact, pade;
  } known[] = {{0.2, 4.627370715863, 4.704472629540},
               {0.5, 1.851265064065, 1.948405833959},
               {1.0, 0.926077987907, 1.031646170972}};
  (void)unused;
  for (int k = 0; k < 3; k++) {
    double exact = stc_contensou_ball_stop(known[k].ratio, false, 4, 0.5) / (0.3 * 9.81);
    double pade = stc_contensou_ball_stop(known[k].ratio, true, 4, 0.5) / (0.3 * 9.81);
    expect_near(exact, known[k].exact, 5e-12);
    expect_near(pade, known[k].pade, 5e-12);
  }
  expect_near(stc_contensou_ball_stop(0.5, false, 0, 0.7), 0.2, 1e-15);  // slides only: v / (7/2)
  double spins = 0.7 / (2.5 * 0.5 * 3 * acos(-1.0) / 16);
  expect_near(stc_contensou_ball_stop(0.5, true, 0.7, 0), spins, 1e-14);
}

// Runge and Kutta's classical step of length h.
static void classical_step(double ratio, bool pade, double h, double *y) {
  double k[4][2], z[2] = {y[0], y[1]};
  for (int stage = 0; stage < 4; stage++) {
    stc_contensou_ball(ratio, pade, z[0], z[1], &k[stage][0], &k[stage][1]);
    double reach = stage < 2 ? 0.5 * h : h;
    for (int i = 0; i < 2; i++) z[i] = y[i] + reach * k[stage][i];
  }
  for (int i = 0; i < 2; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// After part of the time the rest of it is left, while both motions go on: they end together.
static void both_motions_end_together(void **unused) {
  stc_random random = stc_random_seed(7);
  (void)unused;
  for (int trial = 0; trial < 100; trial++) {
    double ratio = 0.4 + 1.2 * stc_random_uniform(&random);
    double y[2] = {0.05 + stc_random_uniform(&random), 0.05 + stc_random_uniform(&random)};
    bool pade = trial % 2;
    double stop = stc_contensou_ball_stop(ratio, pade, y[0], y[1]), part = 0.9;
    const int steps = 4000;
    for (int k = 0; k < steps; k++) classical_step(ratio, pade, part * stop / steps, y);
    assert_true(y[0] > 0 && y[1] > 0);
    expect_near(stc_contensou_ball_stop(ratio, pade, y[0], y[1]), 0.1 * stop, 1e-9 * stop);
  }
}

static void the_first_integral_stays(void **unused) {
  double y[2] = {0.4, 0.7}, before = stc_contensou_ball_integral(0.6, y[0], y[1]);
  (void)unused;
  for (int k = 0; k < 1000; k++) classical_step(0.6, true, 1e-4, y);
  expect_near(stc_contensou_ball_integral(0.6, y[0], y[1]), before, 1e-12);
  assert_true(y[1] < 0.6);
}

// (2.9), (2.10) are (2.7), (2.8) with v' = 3 pi v, w' = 8 eps omega.
static void scaled_fractions(void **unused) {
  const double pi = acos(-1.0), v = 0.3, spin = 0.2;
  double F, M, f, m;
  (void)unused;
  stc_contensou_pade(v / spin, &F, &M);
  stc_contensou_scaled(3 * pi * v, 8 * spin, &f, &m);
  expect_near(f, F, 1e-15);
  expect_near(m, M / (3 * pi / 16), 1e-15);
  stc_contensou_scaled(0, 0, &f, &m);
  assert_true(f == 0 && m == 0);
  expect_near(stc_contensou_radius(1.6677, 0.02625, 6.105834e9), 1.751947783656e-4, 1e-11);
}

TEST_PROGRAM(cmocka_unit_test(stopping_times), cmocka_unit_test(both_motions_end_together),
             cmocka_unit_test(the_first_integral_stays), cmocka_unit_test(scaled_fractions))
