// The column with a falling coefficient: curve, jumps with maximal delay, the layer, P1 elements.
#include "expect.h"

#include <stiction/elastodynamic.h>

// mu_s = 0.6, mu_d = 0.2, v_c = 0.1, Z = S = 1: S max|mu'| = 4 > Z, so h has a fold.
static const stc_curve curve = {.impedance = 1, .load = 1, .law = {0.6, 0.2, 0.1}};

// h' = 1 - 4 exp(-w/0.1) = 0 at w = 0.1 ln 4, where h = w + 0.2 + 0.1.
static void fold_is_where_h_is_flat(void **state) {
  double w, q;
  assert_true(stc_curve_fold(&curve, &w, &q));
  expect_near(w, 0.1 * log(4.0), 1e-15);
  expect_near(q, 0.1 * log(4.0) + 0.3, 1e-15);
  expect_near(stc_curve_stick_limit(&curve), 0.6, 1e-15);
  const stc_curve heavy = {.impedance = 4.1, .load = 1, .law = {0.6, 0.2, 0.1}};
  assert_false(stc_curve_fold(&heavy, &w, &q));
  assert_true(w == 0);
  expect_near(q, 0.6, 1e-15);
}

static void expect_roots(const stc_curve *c, double q, int count) {
  double w[STC_CURVE_ROOTS];
  assert_int_equal(stc_curve_roots(c, q, w), count);
  for (int k = 0; k < count; k++) {
    if (w[k] == 0) {
      assert_true(fabs(q) <= stc_curve_stick_limit(c));
    } else {
      double h = c->impedance * w[k] + copysign(c->load * stc_rate_mu(&c->law, w[k]), w[k]);
      expect_near(h, q, 1e-15);
    }
    if (k > 0) assert_true(fabs(w[k]) > fabs(w[k - 1]));
  }
}

// Below the fold stick only; between fold and limit stick and two slips; above it one slip.
static void roots_are_on_the_curve(void **state) {
  for (int sign = -1; sign <= 1; sign += 2) {
    expect_roots(&curve, sign * 0.2, 1);
    expect_roots(&curve, sign * 0.438, 1);
    expect_roots(&curve, sign * 0.45, 3);
    expect_roots(&curve, sign * 0.5, 3);
    expect_roots(&curve, sign * 0.599, 3);
    expect_roots(&curve, sign * 0.6, 2);  // the falling branch has met stick
    expect_roots(&curve, sign * 0.61, 1);
    expect_roots(&curve, sign * 1e6, 1);
  }
  double w[STC_CURVE_ROOTS];
  stc_curve_roots(&curve, 0.5, w);
  expect_near(w[1], 0.0450330694462, 1e-12);
  expect_near(w[2], 0.274231613466, 1e-12);
}

// A curve that rises everywhere has one root for every q.
static void steep_curve_is_unique(void **state) {
  const stc_curve heavy = {.impedance = 5, .load = 1, .law = {0.6, 0.2, 0.1}};
  for (double q = -2; q <= 2; q += 0.01) expect_roots(&heavy, q, 1);
}

static void rules_choose(void **state) {
  double w[STC_CURVE_ROOTS];
  int roots;
  stc_curve_roots(&curve, 0.5, w);
  assert_true(stc_curve_follow(&curve, 0.5, 0, STC_ROOT_DELAY, &roots) == 0);
  assert_int_equal(roots, 3);
  assert_true(stc_curve_follow(&curve, 0.5, 0.3, STC_ROOT_DELAY, NULL) == w[2]);
  assert_true(stc_curve_follow(&curve, 0.5, 0.05, STC_ROOT_DELAY, NULL) == w[1]);
  assert_true(stc_curve_follow(&curve, 0.5, -0.3, STC_ROOT_DELAY, NULL) == 0);
  assert_true(stc_curve_follow(&curve, 0.5, 0.3, STC_ROOT_MIN, NULL) == 0);
  assert_true(stc_curve_follow(&curve, 0.5, 0, STC_ROOT_MAX, NULL) == w[2]);
  assert_true(stc_curve_follow(&curve, 0.43, 0.14, STC_ROOT_DELAY, NULL) == 0);  // past the fold
}

static stc_column_events events_of(const stc_curve *c, double layer) {
  const stc_column column = {
      .curve = *c, .ramp = {0.1, 8}, .layer = layer, .threshold = 0.2, .t_end = 16};
  stc_column_events events;
  assert_int_equal(stc_column_run(&column, NULL, NULL, &events), STC_OK);
  return events;
}

// q = 0.1 t reaches 0.6 at t = 6; on the way back 1.6 - 0.1 t reaches q_fold.
static void bare_column_jumps_late(void **state) {
  stc_column_events events = events_of(&curve, 0);
  expect_near(events.jump_up, 6, 1e-12);
  expect_near(events.jump_down, 16 - 10 * (0.1 * log(4.0) + 0.3), 1e-12);
}

// Reference times of an independent integration, nine decimals.
static void layer_delays(void **state) {
  static const double reference[][3] = {{0.1, 6.128666240, 12.023445073},
                                        {0.03, 6.052594923, 11.823362115},
                                        {0.01, 6.021487195, 11.723311688},
                                        {0.001, 6.002935708, 11.639979617},
                                        {1e-4, 6.000370635, 11.619685073}};
  for (int k = 0; k < 5; k++) {
    stc_column_events events = events_of(&curve, reference[k][0]);
    expect_near(events.jump_up, reference[k][1], 2e-9);
    expect_near(events.jump_down, reference[k][2], 2e-9);
  }
}

// The delay behind maximal delay falls with eps with an exponent that tends to 2/3.
static void delay_scales(void **state) {
  double down = events_of(&curve, 0).jump_down, last = 0, exponent = 0;
  for (double eps = 1e-4; eps > 1e-9; eps /= 10) {
    double delay = events_of(&curve, eps).jump_down - down;
    assert_true(delay > 0);
    if (last > 0) exponent = log10(last / delay);
    last = delay;
  }
  expect_near(exponent, 2.0 / 3, 2e-3);
}

static void column_is_checked(void **state) {
  stc_column_events events;
  stc_column column = {.curve = curve, .ramp = {0.1, 8}, .threshold = 0.2, .t_end = 16};
  column.curve.law.v_c = 0;
  assert_int_equal(stc_column_run(&column, NULL, NULL, &events), STC_ERR_VALUE);
  column.curve.law.v_c = NAN;
  assert_int_equal(stc_column_run(&column, NULL, NULL, &events), STC_ERR_VALUE);
  column.curve = curve;
  column.ramp.rate = INFINITY;
  assert_int_equal(stc_column_run(&column, NULL, NULL, &events), STC_ERR_VALUE);
  for (int layer = 0; layer < 2; layer++) {  // a support at rest moves nothing
    column.ramp.rate = 0;
    column.layer = 0.01 * layer;
    assert_int_equal(stc_column_run(&column, NULL, NULL, &events), STC_OK);
    assert_true(isnan(events.jump_up) && isnan(events.jump_down));
  }
}

// Never fast enough to slip: neither event.
static void slow_support_never_slips(void **state) {
  const stc_column column = {
      .curve = curve, .ramp = {0.1, 3}, .layer = 0.01, .threshold = 0.2, .t_end = 6};
  stc_column_events events;
  assert_int_equal(stc_column_run(&column, NULL, NULL, &events), STC_OK);
  assert_true(isnan(events.jump_up) && isnan(events.jump_down));
}

// Stress builds up by 2 V a window: 0.05, 0.15, ... until it passes 0.6 in window 6.
static void reflections_load_the_surface(void **state) {
  double w[16];
  assert_int_equal(stc_column_windows(&curve, 0.05, 16, w), STC_OK);
  for (int n = 0; n < 16; n++) {
    double known = n == 6 ? 0.445344645 : n == 15 ? 0.455087526 : 0;
    expect_near(w[n], known, 1e-9);
  }
}

static double ramp_up_and_down(void *user, double t) { return t < 8 ? 0.1 * t : 1.6 - 0.1 * t; }

static stc_bar *bar_of(double layer, int elements, double dt, stc_root_rule rule) {
  stc_bar_settings settings = {.density = 1, .speed = 1, .load = 1, .depth = 8, .layer = layer};
  settings.elements = elements, settings.dt = dt, settings.rule = rule;
  settings.law = curve.law, settings.tau = ramp_up_and_down;
  stc_bar *bar = NULL;
  assert_int_equal(stc_bar_create(&settings, &bar), STC_OK);
  return bar;
}

// The time at which w passes 0.2, between the middles of two steps, and the worst energy error.
static double passage(stc_bar *bar, double dt, double t_end, double *energy_error, int *several) {
  double found = NAN, last = 0;
  stc_bar_report report;
  *energy_error = 0;
  *several = 0;
  while (stc_bar_time(bar) < t_end - dt / 2) {
    assert_int_equal(stc_bar_step(bar, &report), STC_OK);
    double middle = report.t - dt / 2;
    if (isnan(found) && report.w >= 0.2) found = middle - dt * (report.w - 0.2) / (report.w - last);
    last = report.w;
    *energy_error = fmax(*energy_error, report.energy_error);
    *several += report.roots > 1;
  }
  return found;
}

// P1 elements come close to the ordinary equation of the layer: 6.128666 for eps = 0.1.
static void bar_follows_the_column(void **state) {
  double error, time[2];
  int several;
  for (int k = 0; k < 2; k++) {
    double dt = k == 0 ? 0.01 : 0.005;
    stc_bar *bar = bar_of(0.1, k == 0 ? 400 : 800, dt, STC_ROOT_DELAY);
    assert_true(stc_bar_uniqueness(bar) < 1);
    time[k] = passage(bar, dt, 7, &error, &several);
    assert_int_equal(several, 0);
    assert_true(error < 1e-12);
    stc_bar_free(&bar);
  }
  expect_near(time[1], 6.128666240, 1e-4);
  assert_true(fabs(time[1] - 6.128666240) < 0.5 * fabs(time[0] - 6.128666240));
}

// Without a layer b S max|mu'| = 2 sqrt(3), whatever the mesh: several roots, and the rule decides.
static void bare_bar_depends_on_the_rule(void **state) {
  double error, late, early;
  int several;
  stc_bar *bar = bar_of(0, 400, 0.02, STC_ROOT_DELAY);
  expect_near(stc_bar_uniqueness(bar), 3.4641, 1e-4);
  late = passage(bar, 0.02, 8, &error, &several);
  assert_true(several > 0);
  stc_bar_free(&bar);
  bar = bar_of(0, 400, 0.02, STC_ROOT_MAX);
  early = passage(bar, 0.02, 8, &error, &several);
  stc_bar_free(&bar);
  expect_near(late, 6, 0.02);
  expect_near(early, 4.6, 0.05);
}

static void bar_restarts_with_the_same_bits(void **state) {
  stc_bar *bar = bar_of(0.05, 100, 0.02, STC_ROOT_DELAY), *other;
  stc_bar_report a, b;
  double kept[300];
  for (int k = 0; k < 320; k++) assert_int_equal(stc_bar_step(bar, &a), STC_OK);
  assert_true(stc_bar_state_size(bar) <= 300);
  stc_bar_save(bar, kept);
  other = bar_of(0.05, 100, 0.02, STC_ROOT_DELAY);
  assert_int_equal(stc_bar_restore(other, kept, stc_bar_state_size(bar)), STC_OK);
  for (int k = 0; k < 50; k++) {
    assert_int_equal(stc_bar_step(bar, &a), STC_OK);
    assert_int_equal(stc_bar_step(other, &b), STC_OK);
    assert_true(a.t == b.t && a.w == b.w && a.energy == b.energy);
  }
  assert_int_equal(stc_bar_restore(other, kept, 7), STC_ERR_ARGUMENT);
  stc_bar_free(&bar);
  stc_bar_free(&other);
  stc_bar_free(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fold_is_where_h_is_flat),
                                     cmocka_unit_test(roots_are_on_the_curve),
                                     cmocka_unit_test(steep_curve_is_unique),
                                     cmocka_unit_test(rules_choose),
                                     cmocka_unit_test(bare_column_jumps_late),
                                     cmocka_unit_test(layer_delays),
                                     cmocka_unit_test(delay_scales),
                                     cmocka_unit_test(column_is_checked),
                                     cmocka_unit_test(slow_support_never_slips),
                                     cmocka_unit_test(reflections_load_the_surface),
                                     cmocka_unit_test(bar_follows_the_column),
                                     cmocka_unit_test(bare_bar_depends_on_the_rule),
                                     cmocka_unit_test(bar_restarts_with_the_same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
