// Strips under a support that speeds up: reference numbers of an independent program on the same
// meshes, and where the numbers tend to as eta goes to 0. In all: rho = G = lambda = 1,
// mu = 0.2 + 0.4 exp(-|w|/0.1); contact and friction of a step are those of its middle.
#include "unit/strip_support.h"

static void step_converged(stc_strip *strip, stc_strip_report *report) {
  step(strip, report);
  assert_true(report->converged);
}

// --- A finite strip ---

/// What is read of a run.
typedef struct course {
  double N_0, F_2, F_4;  ///< normal force at the beginning, friction at t = 2 and 4
  double onset;          ///< mean slip above 0.05
} course;

static stc_strip_settings finite(int refine, double eta_n, double eta_t, const stc_support *top) {
  stc_strip_settings s = stc_default_strip_settings();
  s.size[0] = 4;
  s.cells[0] = 20 * refine;
  s.cells[1] = 5 * refine;
  s.dt = 0.01 / refine;
  s.eps = 0.1;
  s.eta_n = eta_n;
  s.eta_t = eta_t;
  s.pressed = true;
  s.supports = 2;
  s.support = top;
  s.tau[0] = slow_ramp;
  return s;
}

// Friction at a time between two steps is the mean of both middles.
static course run_finite(int refine, double eta_n, double eta_t, double t_end) {
  const stc_support top[] = {{.group = "top", .component = 0},
                             {.group = "top", .component = 1, .displacement.value = -0.3}};
  stc_strip_settings s = finite(refine, eta_n, eta_t, top);
  stc_strip *strip = strip_of(&s);
  stc_strip_report r;
  course c = {.onset = NAN};
  double before = 0;
  for (int k = 0; k < (int)lround(t_end / s.dt); k++) {
    step_converged(strip, &r);
    assert_true(r.iterations <= 8);
    if (k == 0) c.N_0 = r.normal_force;
    if (k == 200 * refine) c.F_2 = (before + r.friction[0]) / 2;
    if (k == 400 * refine) c.F_4 = (before + r.friction[0]) / 2;
    if (isnan(c.onset) && r.slip[0] > 0.05) c.onset = r.t - s.dt / 2;
    before = r.friction[0];
  }
  stc_strip_free(&strip);
  return c;
}

static void finite_strip(void **state) {
  course coarse = run_finite(1, 1e-2, 1e-4, 4.5), fine = run_finite(2, 1e-2, 1e-4, 4.5);
  expect_near(coarse.N_0, 3.702617, 1e-6);
  expect_near(coarse.F_2, 0.470324, 1e-6);
  expect_near(coarse.F_4, 1.632068, 1e-6);
  expect_near(coarse.onset, 4.225, 1e-9);
  expect_near(fine.N_0, 3.698352, 1e-6);
  expect_near(fine.F_2, 0.462507, 1e-6);
  expect_near(fine.F_4, 1.625555, 1e-6);
  expect_near(fine.onset, 4.242, 1e-3);
}

// The laws themselves are the limit: F(2) comes near them like eta.
static void rounding_vanishes(void **state) {
  double exact_t = run_finite(1, 1e-2, 0, 2.01).F_2, exact_n = run_finite(1, 0, 1e-4, 2.01).F_2;
  double last_t = INFINITY, last_n = INFINITY;
  for (double eta = 1e-3; eta > 1e-6; eta /= 10) {
    double error_t = fabs(run_finite(1, 1e-2, eta, 2.01).F_2 - exact_t);
    double error_n = fabs(run_finite(1, eta, 1e-4, 2.01).F_2 - exact_n);
    assert_true(error_t < 0.15 * last_t && error_t < 2 * eta);
    assert_true(error_n < 0.15 * last_n && error_n < 2 * eta);
    last_t = error_t, last_n = error_n;
  }
}

// --- A periodic strip: the column ---

/// Times of a column of depth 8 under p = 1.
typedef struct jump {
  double up;     ///< mean slip passes 0.2
  double stick;  ///< the last step that slides ends
  double w_7, w_10;
} jump;

static double share_between(double low, double high, double x, double y) {
  return x + (0.2 - low) / (high - low) * (y - x);
}

static jump run_periodic(int degree, int cells, int levels, double dt, double eta_t) {
  double stiff = degree == 0 ? 7.9 : 8;
  const stc_support top[] = {
      {.group = "top", .component = 0},
      {.group = "top", .component = 1, .displacement.value = -(stiff / 3 + 0.01)}};
  stc_strip_settings s = finite(1, 1e-2, eta_t, top);
  s.periodic = true;
  s.degree = degree;
  s.size[0] = 1, s.size[1] = 8;
  s.cells[0] = cells, s.cells[1] = levels;
  s.dt = dt;
  s.tau[0] = up_and_down;
  stc_strip *strip = strip_of(&s);
  stc_strip_report r;
  jump found = {.up = NAN};
  double w = 0, t = 0;
  while (stc_strip_time(strip) < 12.5 - dt / 2) {
    step_converged(strip, &r);
    double middle = r.t - dt / 2;
    if (isnan(found.up) && r.slip[0] >= 0.2) found.up = share_between(w, r.slip[0], t, middle);
    if (r.sliding > 0) found.stick = r.t;
    if (fabs(r.t - dt - 7) < dt / 4) found.w_7 = (w + r.slip[0]) / 2;
    if (fabs(r.t - dt - 10) < dt / 4) found.w_10 = (w + r.slip[0]) / 2;
    w = r.slip[0], t = middle;
  }
  stc_strip_free(&strip);
  return found;
}

static void periodic_strip(void **state) {
  jump rigid = run_periodic(0, 2, 800, 0.005, 1e-6);
  expect_near(rigid.up, 6.128580, 1e-6);
  expect_near(rigid.w_7, 0.49684261, 2e-8);
  expect_near(rigid.w_10, 0.39289378, 2e-8);
  jump elastic = run_periodic(1, 1, 400, 0.01, 1e-6);
  expect_near(elastic.up, 6.049397, 1e-6);
  expect_near(elastic.stick, 11.71, 1e-9);
}

// Rounding friction brings the jump forward: 6.100436 for eta_t = 1e-3; less by eta_t, to the law.
static void rounding_biases_the_onset(void **state) {
  double law = run_periodic(0, 1, 400, 0.01, 0).up;
  expect_near(run_periodic(0, 1, 400, 0.01, 1e-3).up, 6.100436, 1e-6);
  double coarse = law - run_periodic(0, 1, 400, 0.01, 1e-4).up;
  double fine = law - run_periodic(0, 1, 400, 0.01, 1e-5).up;
  assert_true(coarse > 0 && fine > 0 && fine < 0.15 * coarse);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finite_strip), cmocka_unit_test(rounding_vanishes),
      cmocka_unit_test(periodic_strip), cmocka_unit_test(rounding_biases_the_onset)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
