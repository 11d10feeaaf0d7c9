// The Coulomb–Contensou curve, its potential, its projection: against its definition as an integral
// over the patch, numbers of 80 digits, and published values.
#include "expect.h"

#include "base/random.h"

#include <stiction/law.h>

// F, M of the closed forms evaluated with 80 digits; k as the double it is written as.
static const double table[][3] = {
    {1e-6, 1.1780972450958779e-6, 5.8904862254749718e-1},
    {1e-3, 1.1780969505718612e-3, 5.8904803349968458e-1},
    {0.05, 5.8868046715899371e-2, 5.8757738157442511e-1},
    {0.3, 3.4547701712445256e-1, 5.3782348170974829e-1},
    {0.7, 7.236462328003239e-1, 3.5345126285219732e-1},
    {0.999, 8.8327752623244579e-1, 2.2118849319423252e-1},
    {1, 8.8357293382212935e-1, 2.2089323345553234e-1},
    {1.001, 8.8386661003154601e-1, 2.2059941054768342e-1},
    {1.2, 9.2396097616574698e-1, 1.7695186561865616e-1},
    {1.5, 9.5311838732259165e-1, 1.3813765898976407e-1},
    {1.999, 9.7425205787079297e-1, 1.0196236242859027e-1},
    {2.001, 9.7430505920527181e-1, 1.0185635978725854e-1},
    {3, 9.8875234042328774e-1, 6.7211117466461001e-2},
    {8, 9.9843487278322999e-1, 2.5028011426925966e-2},
    {20, 9.9974993298916501e-1, 1.0001786831415275e-2},
    {50, 9.9995999828552378e-1, 4.0001142971445891e-3},
    {1e3, 9.9999989999998929e-1, 2.0000001428571786e-4},
    {1e5, 9.9999999999e-1, 2.0000000000142857e-6},
    {1e8, 9.9999999999999999e-1, 2.0e-9},
};
enum { ROWS = sizeof table / sizeof *table };

static const double pi = 3.14159265358979323846;

static void curve_has_fourteen_digits(void **unused) {
  for (int k = 0; k < ROWS; k++) {
    double F, M, at = table[k][0];
    stc_contensou(at, &F, &M);
    expect_near(F / table[k][1], 1, 1e-14);
    expect_near(M / table[k][2], 1, 1e-14);
    double D = at * table[k][1] + table[k][2];
    expect_near(stc_contensou_potential(at, 1) / D, 1, 1e-14);
    expect_near(stc_contensou_potential(-2e-3 * at, -2e-3) / D, 2e-3, 1e-16);
  }
}

// k = 0: pure spin, M = 3 pi / 16. k = infinity: pure sliding, F = 1.
static void curve_has_ends(void **unused) {
  double F, M;
  stc_contensou(0, &F, &M);
  assert_true(F == 0);
  expect_near(M, 3 * pi / 16, 1e-16);
  stc_contensou(INFINITY, &F, &M);
  assert_true(F == 1 && M == 0);
  assert_true(stc_contensou_potential(0, 0) == 0 && stc_contensou_potential(3, 0) == 3);
  expect_near(stc_contensou_potential(0, 2), 2 * 3 * pi / 16, 1e-15);
  assert_true(isnan(stc_contensou_potential(NAN, 1)) && isnan(stc_contensou_potential(1, NAN)));
}

typedef struct sums {
  double F, M, D;
} sums;

// A point of the patch, a distance rho from its centre, moves with V = (k - rho sin a, rho cos a)
// under the pressure 3 / (2 pi) sqrt(1 - rho^2). With t = sqrt(1 - rho^2), rho d rho = -t dt.
static sums integrate(double k, int rings, int sectors) {
  sums s = {0};
  for (int i = 0; i <= rings; i++) {
    double t = (double)i / rings, rho = sqrt(1 - t * t);
    double simpson = (i == 0 || i == rings ? 1 : i % 2 ? 4 : 2) / (3.0 * rings);
    double weight = 3 / (2 * pi) * t * t * simpson * 2 * pi / sectors;
    for (int j = 0; j < sectors; j++) {
      double a = 2 * pi * (j + 0.5) / sectors, x = k - rho * sin(a), y = rho * cos(a);
      double V = hypot(x, y);
      s.D += weight * V;
      s.F += weight * x / V;
      s.M += weight * (rho * rho - k * rho * sin(a)) / V;
    }
  }
  return s;
}

// With the centre of rotation outside the patch the integrands are smooth.
static void curve_is_the_integral_over_the_patch(void **unused) {
  const double smooth[] = {1.5, 3, 10};
  for (int k = 0; k < 3; k++) {
    sums s = integrate(smooth[k], 2000, 200);
    double F, M;
    stc_contensou(smooth[k], &F, &M);
    expect_near(F, s.F, 1e-12);
    expect_near(M, s.M, 1e-12);
    expect_near(stc_contensou_potential(smooth[k], 1), s.D, 1e-12);
  }
  expect_near(stc_contensou_potential(0.3, 1), integrate(0.3, 2000, 2000).D, 1e-7);
}

// F = dD/dv and M = dD/dw by central differences, hence dM/dk = -k dF/dk.
static void curve_is_the_gradient_of_the_potential(void **unused) {
  const double h = 1e-5;
  for (double k = 0.01; k < 100; k *= 1.3) {
    double F, M;
    stc_contensou(k, &F, &M);
    double dv = stc_contensou_potential(k + h * k, 1) - stc_contensou_potential(k - h * k, 1);
    double dw = stc_contensou_potential(k, 1 + h) - stc_contensou_potential(k, 1 - h);
    expect_near(dv / (2 * h * k), F, 1e-9);
    expect_near(dw / (2 * h), M, 1e-9);
  }
}

// Values of a brute-force search with 12 digits.
static void projection_has_known_values(void **unused) {
  const double cases[][4] = {{1, .5, .816470476331, .282185466229},
                             {.5, .8, .401414211583, .519605814739},
                             {2, .1, .999305956476, .016663921179},
                             {.1, 2, .045478422888, .588170650667},
                             {.6, .3, .6, .3}};
  const double far[] = {.284826714302, NAN, NAN, NAN, 0};
  for (int k = 0; k < 5; k++)
    for (int signs = 0; signs < 4; signs++) {
      double s0 = signs % 2 ? -1 : 1, s1 = signs / 2 ? -1 : 1, y[2];
      double distance =
          stc_contensou_project((double[]){s0 * cases[k][0], s1 * cases[k][1]}, y, NULL);
      expect_near(y[0], s0 * cases[k][2], 1e-12);
      expect_near(y[1], s1 * cases[k][3], 1e-12);
      if (!isnan(far[k])) expect_near(distance, far[k], 1e-12);
    }
}

// On the axes: (2, 0) -> (1, 0), (0, 5) -> (0, 3 pi / 16).
static void projection_keeps_the_axes(void **unused) {
  double y[2];
  expect_near(stc_contensou_project((double[]){2, 0}, y, NULL), 1, 1e-15);
  assert_true(y[0] == 1 && y[1] == 0);
  expect_near(stc_contensou_project((double[]){0, 5}, y, NULL), 5 - 3 * pi / 16, 1e-15);
  expect_near(y[1], 3 * pi / 16, 1e-15);
  assert_true(y[0] == 0);
}

// y = (F(k), M(k)) moved outward by d along the normal (k, 1) / sqrt(1 + k^2) projects back to y,
// for any d: the projection is known without an iteration.
static void projection_undoes_a_step_along_the_normal(void **unused) {
  for (double k = 1e-6; k < 1e7; k *= 1.7)
    for (double d = 1e-8; d < 1e4; d *= 10) {
      double F, M, y[2], length = hypot(k, 1);
      stc_contensou(k, &F, &M);
      double x[2] = {F + d * k / length, M + d / length};
      expect_near(stc_contensou_project(x, y, NULL), d, 1e-15 * (1 + d) * 4);
      expect_near(y[0], F, 1e-15 * (1 + d) * 4);
      expect_near(y[1], M, 1e-15 * (1 + d) * 4);
    }
}

static void projection_has_its_jacobian(void **unused) {
  stc_random random = stc_random_seed(3);
  const double h = 1e-6;
  for (int trial = 0; trial < 2000; trial++) {
    double x[2], y[2], J[4];
    for (int k = 0; k < 2; k++) x[k] = 2 * stc_random_normal(&random);
    double depth = stc_contensou_project(x, y, J);
    if (depth > 0 && depth < 1e-3) continue;  // the kink at the boundary
    for (int j = 0; j < 2; j++) {
      double up[2] = {x[0], x[1]}, down[2] = {x[0], x[1]};
      up[j] += h, down[j] -= h;
      stc_contensou_project(up, up, NULL);
      stc_contensou_project(down, down, NULL);
      for (int i = 0; i < 2; i++) expect_near(J[i + 2 * j], (up[i] - down[i]) / (2 * h), 1e-8);
    }
  }
}

// F = k / (k + 8 / 3 pi), M = (3 pi / 16) / (1 + 15 pi k / 16): right to first order at both ends,
// M/M0 = 2 (1 - F) / (2 + 3 F), wrong by 0.344 and 0.231 in the middle.
static void pade_is_what_the_paper_prints(void **unused) {
  double F, M, exact_F, exact_M, worst_F = 0, worst_M = 0;
  for (double k = 1e-3; k < 1e3; k *= 1.001) {
    stc_contensou_pade(k, &F, &M);
    stc_contensou(k, &exact_F, &exact_M);
    expect_near(M / (3 * pi / 16), 2 * (1 - F) / (2 + 3 * F), 1e-14);
    worst_F = fmax(worst_F, fabs(F - exact_F));
    worst_M = fmax(worst_M, fabs(M - exact_M));
  }
  expect_near(worst_F, 0.3437, 1e-4);
  expect_near(worst_M, 0.2307, 1e-4);
  stc_contensou_pade(1e-6, &F, &M);
  expect_near(F / 1e-6, 3 * pi / 8, 1e-5);
  stc_contensou_pade(1e6, &F, &M);
  expect_near(M * 1e6, 0.2, 1e-6);
  stc_contensou_pade(INFINITY, &F, &M);
  assert_true(F == 1 && M == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curve_has_fourteen_digits),
      cmocka_unit_test(curve_has_ends),
      cmocka_unit_test(curve_is_the_integral_over_the_patch),
      cmocka_unit_test(curve_is_the_gradient_of_the_potential),
      cmocka_unit_test(projection_has_known_values),
      cmocka_unit_test(projection_keeps_the_axes),
      cmocka_unit_test(projection_undoes_a_step_along_the_normal),
      cmocka_unit_test(projection_has_its_jacobian),
      cmocka_unit_test(pade_is_what_the_paper_prints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
