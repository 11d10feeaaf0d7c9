// Elliptic patches: a circle against the closed forms, ellipses against sums over the patch, force
// and moment as the gradient of the power, what the axes make of pure motions.
#include "unit/expect.h"

#include <stiction/law.h>

static const double PI = 3.14159265358979323846;

static void a_circle_is_the_closed_form(void **unused) {
  const double radius = 0.3, axes[2] = {radius, radius};
  (void)unused;
  for (double k = 1e-3; k < 1e6; k *= 1.37)
    for (int turn = 0; turn < 8; turn++) {
      double angle = 0.3 + turn * PI / 4, omega = turn % 2 ? -2 : 2, speed = k * radius * 2;
      double v[2] = {speed * cos(angle), speed * sin(angle)}, F[2], M, known[2];
      double D = stc_contensou_ellipse(axes, v, omega, F, &M);
      stc_contensou(k, &known[0], &known[1]);
      expect_near(F[0], known[0] * cos(angle), 1e-13);
      expect_near(F[1], known[0] * sin(angle), 1e-13);
      expect_near(M, copysign(radius * known[1], omega), 1e-13);
      expect_near(D / stc_contensou_potential(speed, radius * omega), 1, 1e-13);
    }
}

// Smooth where the centre of rotation is outside. Rings of equal steps in t = sqrt(1 - rho^2), the
// pressure (3/2 pi) t rho drho = (3/2 pi) t^2 dt.
static double power_over_the_patch(const double axes[2], const double v[2], double omega) {
  enum { RINGS = 1000, SECTORS = 400 };
  double sum = 0;
  for (int i = 0; i <= RINGS; i++) {
    double t = (double)i / RINGS, rho = sqrt(1 - t * t);
    double simpson = (i == 0 || i == RINGS ? 1 : i % 2 ? 4 : 2) / (3.0 * RINGS);
    for (int j = 0; j < SECTORS; j++) {
      double angle = 2 * PI * (j + 0.5) / SECTORS;
      double x = axes[0] * rho * cos(angle), y = axes[1] * rho * sin(angle);
      sum += simpson * 3 * t * t / SECTORS * hypot(v[0] - omega * y, v[1] + omega * x);
    }
  }
  return sum;
}

static const double motions[][3] = {{1, 0.5, 0.7},  {0.2, 0.1, 3},   {0, 0.3, -1}, {0.5, 0, 2},
                                    {-0.4, 1, 1.1}, {0.01, 0.02, 5}, {0, 0, 1},    {3, 1, 1e-3}};
enum { MOTIONS = sizeof motions / sizeof *motions };

static void an_ellipse_is_the_sum_over_the_patch(void **unused) {
  const double axes[][2] = {{0.6, 0.3}, {0.1, 0.9}, {1, 0.99}};
  (void)unused;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < MOTIONS; j++) {
      const double *v = motions[j];
      double F[2], M, D = stc_contensou_ellipse(axes[i], v, v[2], F, &M);
      bool outside = hypot(v[0] / axes[i][1], v[1] / axes[i][0]) > 1.2 * fabs(v[2]);
      expect_near(D, power_over_the_patch(axes[i], v, v[2]), (outside ? 1e-9 : 2e-5) * (1 + D));
    }
}

// The centre of rotation crosses the rim among these, at |(v2/a, v1/b)| = |omega|.
static void force_and_moment_are_the_gradient(void **unused) {
  const double axes[2] = {0.2, 0.7}, step = 1e-5;
  (void)unused;
  for (int j = 0; j < 60; j++) {
    double at[3] = {0.1 + 0.01 * j, -0.05 - 0.002 * j, j % 2 ? 0.7 : -0.7}, F[3], ignore[3];
    stc_contensou_ellipse(axes, at, at[2], F, &F[2]);
    for (int k = 0; k < 3; k++) {
      double up[3] = {at[0], at[1], at[2]}, down[3] = {at[0], at[1], at[2]};
      up[k] += step, down[k] -= step;
      double slope = stc_contensou_ellipse(axes, up, up[2], ignore, &ignore[2]) -
                     stc_contensou_ellipse(axes, down, down[2], ignore, &ignore[2]);
      expect_near(F[k], slope / (2 * step), 1e-8);
    }
  }
}

// Sliding: F = v/|v|. Spinning: M is the mean distance, 3 pi/16 of an elliptic mean of the axes,
// and a needle of length 2 a has 3 a/8. Axes that change places change x and y. Rest: nothing.
static void pure_motions(void **unused) {
  double F[2], M, G[2], N;
  (void)unused;
  expect_near(stc_contensou_ellipse((double[]){0.6, 0.3}, (double[]){3, 4}, 0, F, &M), 5, 1e-15);
  assert_true(F[0] == 0.6 && F[1] == 0.8 && M == 0);
  stc_contensou_ellipse((double[]){1, 1e-3}, (double[]){0, 0}, 1, F, &M);
  expect_near(M, 0.375, 1e-5);
  assert_true(fabs(F[0]) < 1e-15 && fabs(F[1]) < 1e-15);
  stc_contensou_ellipse((double[]){0.6, 0.3}, (double[]){0.2, 0.5}, 1, F, &M);
  stc_contensou_ellipse((double[]){0.3, 0.6}, (double[]){0.5, 0.2}, -1, G, &N);
  expect_near(F[0], G[1], 1e-14);
  expect_near(F[1], G[0], 1e-14);
  expect_near(M, -N, 1e-14);
  assert_true(stc_contensou_ellipse((double[]){1, 2}, (double[]){0, 0}, 0, F, &M) == 0 && M == 0);
}

TEST_PROGRAM(cmocka_unit_test(a_circle_is_the_closed_form),
             cmocka_unit_test(an_ellipse_is_the_sum_over_the_patch),
             cmocka_unit_test(force_and_moment_are_the_gradient), cmocka_unit_test(pure_motions))
