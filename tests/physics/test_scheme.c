// The extrapolated scheme on a punch that slides and spins (Coulomb–Contensou), whatever the ratio
// of slip and spin: with w = radius omega, dv/dt = -mu g F(v/w), dw/dt = -kappa mu g M(v/w). The
// run ends, the punch stops, the lost energy is booked as friction, and where one of the two is
// zero the other stops at v0 / (mu g) or w0 / (kappa mu g 3 pi/16).
#include "unit/scene_support.h"

#include <stdint.h>
#include <stdio.h>

static const double MU = 0.3, G = 9.81, KAPPA = 2.5, M0 = 0.58904862254808623;

enum { MOST_STEPS = 3000, TRIALS = 60 };

static const char scene_text[] =
    "local p = parameters { u0 = 0, w0 = 0, r = 0.01, h = 1, t_end = 1, tol = 1e-10 }\n"
    "local r, mu, g = p.r, 0.3, 9.81\n"
    "system { mass = { 1, 1, 1, r ^ 2 / 2.5 }, q = { 0, 0, 0, 0 }, u = { p.u0, 0, 0, p.w0 / r },\n"
    "         force = { 0, 0, -g, 0 } }\n"
    "wall { f = function(t, q) return -q[3] end, gradient = { 0, 0, -1, 0 },\n"
    "       tangents = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } },\n"
    "       friction = contensou { mu = mu, radius = r } }\n"
    "run { h = p.h, t_end = p.t_end, scheme = 'extrapolated', scheme_tol = p.tol, tol = 1e-14 }\n"
    "memory { slid = 0, spun = 0 }\n"
    "step(function(s, m)\n"
    "  local rest = 1e-14 * (math.abs(p.u0) + math.abs(p.w0))\n"
    "  if math.abs(s.u[1]) > rest then m.slid = s.t end\n"
    "  if r * math.abs(s.u[4]) > rest then m.spun = s.t end\n"
    "end)\n"
    "observables { slid = function(s, m) return m.slid end,\n"
    "              spun = function(s, m) return m.spun end }\n";

static double bound_of_stop(double u0, double w0) {
  return (fabs(u0) + fabs(w0) / (KAPPA * M0)) / (MU * G);
}

static void set(char *text, size_t room, const char *name, double value) {
  snprintf(text, room, "%s=%.17g", name, value);
}

// Steps to the end and leaves the run there.
static stc_run *run_smooth(const char *text, const stc_scene_options *options, stc_scene **scene) {
  stc_run *run = NULL;
  if (stc_scene_read_text("scheme.lua", text, strlen(text), options, scene) != STC_OK)
    print_error("%s\n", stc_error_detail());
  assert_non_null(*scene);
  assert_int_equal(stc_run_create(*scene, &(stc_run_settings){0}, &run), STC_OK);
  stc_step_report report;
  while (!stc_run_done(run) && stc_run_steps(run) < MOST_STEPS) {
    stc_error error = stc_run_step(run, &report);
    if (error) print_error("%s\n", stc_error_detail());
    assert_int_equal(error, STC_OK);
    if (!report.accepted) print_error("%s\n", report.reason);
    assert_true(report.accepted);
  }
  assert_true(stc_run_done(run));
  return run;
}

static stc_run *run_punch(double radius, double u0, double w0, stc_scene **scene) {
  char text[5][64];
  double t_end = 1.1 * bound_of_stop(u0, w0) + 1e-3;
  set(text[0], sizeof text[0], "u0", u0);
  set(text[1], sizeof text[1], "w0", w0);
  set(text[2], sizeof text[2], "t_end", t_end);
  set(text[3], sizeof text[3], "h", t_end / 50);
  set(text[4], sizeof text[4], "r", radius);
  const char *const list[] = {text[0], text[1], text[2], text[3], text[4]};
  stc_scene_options options = {.sets = 5, .set = list};
  return run_smooth(scene_text, &options, scene);
}

static void check_end(const stc_run *run, double radius, double u0, double w0) {
  const stc_ledger *l = stc_run_ledger(run);
  const double *u = stc_run_u(run);
  double fastest = fmax(fabs(u0), fabs(w0)), start = (u0 * u0 + w0 * w0 / KAPPA) / 2;
  assert_true(fabs(u[0]) <= 1e-9 * fastest && fabs(u[3]) * radius <= 1e-9 * fastest);
  expect_near(l->start, start, 1e-14 * start);
  expect_near(l->friction, -start, 1e-7 * start);
  assert_true(l->shock <= 0 && l->friction <= 0);
}

static void check_patch(double radius, double u0, double w0) {
  stc_scene *scene = NULL;
  stc_run *run = run_punch(radius, u0, w0, &scene);
  check_end(run, radius, u0, w0);
  double slid = observe(run, 0), spun = observe(run, 1), bound = bound_of_stop(u0, w0);
  double step = 1e-5 * bound + 1e-4;  // how closely a stop is found, and the steps beside it
  if (w0 == 0) expect_near(slid, fabs(u0) / (MU * G), step);
  if (u0 == 0) expect_near(spun, fabs(w0) / (KAPPA * MU * G * M0), step);
  assert_true(slid <= bound + step && spun <= bound + step);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

static void check_punch(double u0, double w0) { check_patch(0.01, u0, w0); }

static void test_one_of_the_two(void **state) {
  const double speed[] = {1e-9, 1e-3, 0.5, 30, 1e6};
  for (size_t k = 0; k < sizeof speed / sizeof *speed; k++) {
    check_punch(speed[k], 0);
    check_punch(-speed[k], 0);
    check_punch(0, speed[k]);
    check_punch(0, -speed[k]);
  }
  check_punch(0, 0);
}

static void test_ratios(void **state) {
  for (int exponent = -14; exponent <= 14; exponent += 2) {
    check_punch(0.5 * pow(10, exponent < 0 ? exponent : 0),
                0.5 * pow(10, exponent > 0 ? -exponent : 0));
    check_punch(-3e-4 * pow(10, -fabs((double)exponent)), 3e-4);
  }
}

static double uniform_step(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

static double random_speed(uint64_t *state) {
  double kind = uniform_step(state), size = pow(10, 14 * uniform_step(state) - 12);
  if (kind < 0.1) return 0;
  return kind < 0.55 ? size : -size;
}

static void test_random(void **state) {
  uint64_t seed = 20260;
  for (int k = 0; k < TRIALS; k++) {
    double u0 = random_speed(&seed), w0 = random_speed(&seed);
    check_punch(u0, w0);
  }
}

// The size of the patch changes nothing in units of it: moments are judged by its length.
static void test_small_patches(void **state) {
  for (int exponent = -9; exponent <= 1; exponent++) {
    check_patch(pow(10, exponent), -1, -3e-7);
    check_patch(pow(10, exponent), 0.5, 0.5);
  }
}

// A ball that slides ends in rolling at 5/7 of its speed. The step in which it stops is so short
// that the rounding of v - R omega counts beside g h; it is taken.
static void test_ball_stops_sliding(void **state) {
  stc_scene *scene = NULL;
  stc_run *run = run_smooth(
      "local R, I = 10, 40\n"
      "system { mass = { 1, 1, 1, I, I, I }, q = { 0, 0, 0, 0, 0, 0 },\n"
      "         u = { 100, 0, 0, 0, 0, 1e-6 }, force = { 0, 0, -9.81, 0, 0, 0 } }\n"
      "wall { f = function(t, q) return -q[3] end, gradient = { 0, 0, -1, 0, 0, 0 },\n"
      "  tangents = { { 1, 0, 0, 0, -R, 0 }, { 0, 1, 0, R, 0, 0 }, { 0, 0, 0, 0, 0, 1 } },\n"
      "  friction = contensou { mu = 0.2, radius = 1e-3 } }\n"
      "run { h = 1, t_end = 15, scheme = 'extrapolated', scheme_tol = 1e-10, tol = 1e-14 }\n",
      NULL, &scene);
  expect_near(stc_run_u(run)[0], 500.0 / 7, 1e-7);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// A force that jumps at every step of whatever length leaves no smooth motion: the run says so
// instead of going on for ever. The error of u stays of the order of the jump.
static void test_no_step_is_short_enough(void **state) {
  stc_scene *scene = need_scene("local calls = 0\n"
                                "system { mass = 1, q = { 0, 0 }, force = function(t, q, u)\n"
                                "  calls = calls + 1\n"
                                "  return { (calls * 7919 % 1009) * 1e18, 0 }\n"
                                "end }\n"
                                "run { h = 1, t_end = 1, scheme = 'extrapolated' }\n");
  stc_run *run = NULL;
  stc_step_report report;
  stc_error error = stc_run_create(scene, &(stc_run_settings){0}, &run);
  while (!error && stc_run_steps(run) < 5000) error = stc_run_step(run, &report);
  assert_int_equal(error, STC_ERR_VALUE);
  assert_non_null(strstr(stc_error_detail(), "no step is short enough for scheme_tol"));
  stc_run_close(&run);
  stc_scene_free(&scene);
}

TEST_PROGRAM(cmocka_unit_test(test_one_of_the_two), cmocka_unit_test(test_ratios),
             cmocka_unit_test(test_random), cmocka_unit_test(test_small_patches),
             cmocka_unit_test(test_ball_stops_sliding),
             cmocka_unit_test(test_no_step_is_short_enough))
