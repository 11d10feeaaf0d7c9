// Runs of scenes: what the functions of a scene are shown, laws as a scene writes them, the
// extrapolated scheme, resuming with the same bits.
#include "scene_support.h"

#include <stdio.h>
#include <unistd.h>

static char path[64];

static const char *file(void) {
  snprintf(path, sizeof path, "/tmp/stiction-test-%ld.h5", (long)getpid());
  return path;
}

static stc_run *need_run(stc_scene *scene, const stc_run_settings *settings) {
  stc_run *run = NULL;
  if (stc_run_create(scene, settings, &run) != STC_OK) print_error("%s\n", stc_error_detail());
  assert_non_null(run);
  return run;
}

// All observables of a scene run to its end.
static void answers_of(const char *text, double *values, int count) {
  stc_scene *scene = need_scene(text);
  stc_run *run = need_run(scene, NULL);
  run_to_end(run);
  for (int k = 0; k < count; k++) values[k] = observe(run, k);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// Sliding to rest from 2 m/s with mu g = 5: u falls by 0.5 in each of the steps of 0.1 s and is
// zero after four; x = 0.4. The impulse of a sliding step is (1, -0.5): m g h, and mu times it.
static void a_scene_sees_the_step(void **state) {
  double v[6];
  answers_of(BLOCK "run { h = 0.1, t_end = 0.2 }\n"
                   "memory { calls = 0, h = 0 }\n"
                   "step(function(s, m) m.calls = m.calls + 1; m.h = s.h end)\n"
                   "observables { a = function(s) return s.u[1] end,\n"
                   "  b = function(s) return s.before.u[1] end,\n"
                   "  c = function(s) return s.contacts.floor.r[1] end,\n"
                   "  d = function(s) return math.abs(s.contacts.floor.r[2]) end,\n"
                   "  e = function(s, m) return m.calls + s.step / 10 end,\n"
                   "  f = function(s) return s.energy.friction end }",
             v, 6);
  const double expected[] = {1, 1.5, 1, 0.5, 2.2, -1.5};
  for (int k = 0; k < 6; k++) expect_near(v[k], expected[k], 1e-14);
}

static void an_answer_may_be_nothing_or_yes(void **state) {
  double v[3];
  answers_of(BLOCK "run { h = 0.1, t_end = 0.1 }\n"
                   "observables { a = function() end, b = function(s) return s.contacts.floor."
                   "touching end, c = function() return false end }",
             v, 3);
  assert_true(isnan(v[0]));
  expect_near(v[1], 1, 0);
  expect_near(v[2], 0, 0);
}

// A block with unit normal force, pushed with P for one step of 1 s: it moves by P - mu.
static double pushed(const char *friction, double push) {
  char text[600];
  double u;
  snprintf(text, sizeof text,
           "system { mass = 1, q = { 0, 0 }, u = { 1, 0 }, force = { %g, -1 } }\n"
           "wall { f = function(t, q) return -q[2] end, gradient = { 0, -1 }, friction = %s }\n"
           "run { h = 1, t_end = 1 }\n"
           "observables { u = function(s) return s.u[1] end }",
           push, friction);
  answers_of(text, &u, 1);
  return u - 1 - push;  // what friction took
}

// The speed before the step is 1 m/s, the slip so far 0.
static void every_friction_is_understood(void **state) {
  expect_near(pushed("nil", 1), 0, 1e-14);
  expect_near(pushed("frictionless {}", 1), 0, 1e-14);
  expect_near(pushed("0.25", 1), -0.25, 1e-14);
  expect_near(pushed("coulomb { mu = 0.25 }", 1), -0.25, 1e-14);
  expect_near(pushed("static_kinetic { mu_s = 0.5, mu_k = 0.25 }", 1), -0.25, 1e-14);
  expect_near(pushed("stribeck { mu_s = 0.5, mu_k = 0.25, v_c = 1 }", 1), -(0.25 + 0.25 * exp(-1)),
              1e-14);
  expect_near(pushed("slip_weakening { mu_s = 0.5, mu_k = 0.25, distance = 1 }", 1), -0.5, 1e-14);
  expect_near(pushed("tabulated { speed = { 0, 2 }, mu = { 0.2, 0.4 } }", 1), -0.3, 1e-14);
  expect_near(pushed("function(speed, slip) return speed / 8 + slip end", 1), -0.125, 1e-14);
  expect_near(pushed("coulomb { mu = function(speed) return speed / 4 end }", 1), -0.25, 1e-14);
  expect_near(pushed("coulomb { mu = static_kinetic { mu_s = 0.5, mu_k = 0.25 } }", 1), -0.25,
              1e-14);
  // 0.25 against the way forwards, 0.5 against that backwards, times mu
  expect_near(pushed("section { back = 0.25, forth = 0.5 }", 1), -0.25, 1e-14);
  expect_near(pushed("section { back = 0.25, forth = 0.5 }", -3), 0.5, 1e-14);
  expect_near(pushed("section { back = 0.25, forth = 0.5, mu = 2 }", 1), -0.5, 1e-14);
  expect_near(pushed("section { back = 0.25, mu = function(speed) return speed / 2 end }", 1),
              -0.125, 1e-14);
}

// A block in space that slides along x with 1 m/s, pressed by 1 N: the force of one step of 1 s.
static void dragged(const char *friction, double force[2]) {
  char text[700];
  snprintf(text, sizeof text,
           "local own = %s\n"
           "system { mass = 1, q = { 0, 0, 0 }, u = { 9, 0, 0 }, force = { 0, 0, -1 } }\n"
           "wall { f = function(t, q) return -q[3] end, gradient = { 0, 0, -1 },\n"
           "  tangents = { { 1, 0, 0 }, { 0, 1, 0 } }, friction = own }\n"
           "run { h = 1, t_end = 1 }\n"
           "observables { u = function(s) return s.u[1] - 9 end,\n"
           "  v = function(s) return s.u[2] end }",
           friction);
  answers_of(text, force, 2);
}

// The reaction is the point of the section farthest along -x; of a disc of radius 0.5 around
// (0.1, 0) it is (-0.4, 0), of the triangle the corner (-0.5, -0.25).
static void every_section_is_understood(void **state) {
  static const char *const discs[] = {
      "section { superellipse = { a = 0.5, b = 0.5, centre = { 0.1, 0 } } }",
      "section { support = function(x, y) return 0.5 * math.sqrt(x * x + y * y) + 0.1 * x end }",
      "section { curve = { { 0.6, 0 }, { 0.1, 0.5 }, { -0.4, 0 }, { 0.1, -0.5 } } }"};
  double force[2];
  for (size_t k = 0; k < sizeof discs / sizeof *discs; k++) {
    dragged(discs[k], force);
    expect_near(force[0], -0.4, 1e-9);
    expect_near(force[1], 0.0, 1e-4);
  }
  dragged("section { polygon = { { 1, 0 }, { 0, 1 }, { -1, -0.5 } }, mu = 0.5 }", force);
  expect_near(force[0], -0.5, 1e-14);
  expect_near(force[1], -0.25, 1e-14);
}

// A mass given as a number, a list, a matrix and a function of t and q is the same mass.
static void every_mass_is_understood(void **state) {
  static const char *const masses[] = {"2",
                                       "{ 2, 2 }",
                                       "{ { 2, 0 }, { 0, 2 } }",
                                       "function(t, q) return 2 end",
                                       "function(t, q) return { 2, 2 } end",
                                       "function(t, q) return { { 2, 0 }, { 0, 2 } } end"};
  for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
    char text[300];
    double u;
    snprintf(text, sizeof text,
             "system { mass = %s, q = { 0, 0 }, force = { 1, 0 } }\nrun { h = 0.5, t_end = 1 }\n"
             "observables { u = function(s) return s.u[1] end }",
             masses[k]);
    answers_of(text, &u, 1);
    expect_near(u, 0.5, 1e-15);
  }
}

// --- The extrapolated scheme ---

// A point mass falling in a fluid, u' = -g - c u: the force is taken at the beginning of each step,
// so Moreau's scheme is of first order; extrapolated it has six. u(1) = -(g/c) (1 - exp(-c)).
static void smooth_motion_is_extrapolated(void **state) {
  static const char text[] =
      "system { mass = 1, q = { 0, 0 }, force = function(t, q, u) return { -2 * u[1] - 10, 0 } end "
      "}\n"
      "run { h = 0.5, t_end = 1, scheme = '%s', scheme_tol = 1e-11 }\n"
      "observables { t = function(s) return s.t end, u = function(s) return s.u[1] end,\n"
      "  x = function(s) return s.q[1] end }";
  double u = -5 * (1 - exp(-2)), x = -5 + 2.5 * (1 - exp(-2)), v[3];
  char scene[600];
  snprintf(scene, sizeof scene, text, "moreau");
  answers_of(scene, v, 3);
  assert_true(fabs(v[1] - u) > 0.1);
  snprintf(scene, sizeof scene, text, "extrapolated");
  answers_of(scene, v, 3);
  expect_near(v[0], 1, 0);
  expect_near(v[1], u, 1e-9);
  expect_near(v[2], x, 1e-9);
}

// Sliding to rest: no step is short enough at the stop, and yet the run goes on and is right. The
// stop is at 0.4 s, between no nodes of the scheme.
static void a_stop_is_found(void **state) {
  double v[3];
  answers_of(BLOCK
             "run { h = 0.3, t_end = 1, scheme = 'extrapolated' }\n"
             "memory { stop = -1 }\n"
             "step(function(s, m) if m.stop < 0 and s.u[1] == 0 then m.stop = s.t end end)\n"
             "observables { a = function(s, m) return m.stop end,\n"
             "  b = function(s) return s.q[1] end, c = function(s) return s.energy.error end }",
             v, 3);
  expect_near(v[0], 0.4, 1e-6);
  expect_near(v[1], 0.4, 1e-9);
  expect_near(v[2], 0, 1e-9);
}

static void stops_are_kept(void **state) {
  stc_scene *scene =
      need_scene("system { mass = 1, q = { 0 } }\n"
                 "run { h = 10, t_end = 1, scheme = 'extrapolated', stops = { 0.125, 0.7 } }\n"
                 "memory { hits = 0 }\n"
                 "step(function(s, m) if s.t == 0.125 or s.t == 0.7 or s.t == 1 then m.hits = "
                 "m.hits + 1 end end)\n"
                 "observables { hits = function(s, m) return m.hits end }");
  stc_run *run = need_run(scene, NULL);
  run_to_end(run);
  expect_near(observe(run, 0), 3, 0);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// --- Files ---

static const char SPRING[] =
    "local p = parameters { k = 100 }\n"
    "system { mass = 1, q = { 0, 0 }, u = { 0.1, 0 },\n"
    "  force = function(t, q, u) return { -p.k * q[1], -10 } end }\n"
    "wall { name = 'belt', f = function(t, q) return -q[2] end, gradient = { 0, -1 },\n"
    "  velocity = { 0.1, 0 }, friction = static_kinetic { mu_s = 0.6, mu_k = 0.4 } }\n"
    "run { h = 1e-3, t_end = 2, store_every = 7%s }\n"
    "memory { path = 0 }\n"
    "step(function(s, m) m.path = m.path + math.abs(s.q[1] - s.before.q[1]) end)\n"
    "series { x = function(s) return s.q[1] end, path = function(s, m) return m.path end }\n"
    "observables { path = function(s, m) return m.path end, h = function(s) return s.h end,\n"
    "  moved = function(s) return s.q[1] - s.before.q[1] end }\n";

// Runs to `until`, interrupted in between at the times given; the trajectory and the ledger.
static stc_trajectory *run_in_parts(const char *text, const double *until, int parts,
                                    stc_ledger *ledger) {
  stc_trajectory *trajectory = NULL;
  unlink(file());
  for (int k = 0; k < parts; k++) {
    stc_scene *scene = need_scene(text);
    stc_run_settings settings = {
        .output = file(), .resume = k > 0, .until_given = true, .until = until[k]};
    stc_run *run = need_run(scene, &settings);
    run_to_end(run);
    *ledger = *stc_run_ledger(run);
    assert_int_equal(stc_run_close(&run), STC_OK);
    stc_scene_free(&scene);
  }
  assert_int_equal(stc_trajectory_read(file(), &trajectory), STC_OK);
  unlink(file());
  return trajectory;
}

static void expect_same_bits(const char *text) {
  const double whole[] = {2}, parts[] = {0.003, 0.5, 0.5, 1.234, 2, 2};
  stc_ledger a_ledger, b_ledger;
  stc_trajectory *a = run_in_parts(text, whole, 1, &a_ledger);
  stc_trajectory *b = run_in_parts(text, parts, 6, &b_ledger);
  size_t bytes = (size_t)a->rows * (size_t)a->columns * sizeof(double);
  assert_true(a->rows > 20);
  assert_int_equal(a->rows, b->rows);
  assert_memory_equal(a->value, b->value, bytes);
  assert_memory_equal(&a_ledger, &b_ledger, sizeof a_ledger);
  for (int k = 0; k < a->observables; k++)
    assert_memory_equal(&a->observed[k].number, &b->observed[k].number, sizeof(double));
  assert_true(a->observed[2].number > 0.1);  // it moved
  stc_trajectory_free(&a);
  stc_trajectory_free(&b);
}

static void a_resumed_run_has_the_same_bits(void **state) {
  char text[1500];
  snprintf(text, sizeof text, SPRING, "");
  expect_same_bits(text);
}

static void the_trajectory_holds_what_was_run(void **state) {
  char text[1500];
  const double until = 0.7;
  stc_ledger ledger;
  snprintf(text, sizeof text, SPRING, "");
  stc_trajectory *t = run_in_parts(text, &until, 1, &ledger);
  static const char *const names[] = {
      "t",    "q1",    "q2",       "u1",    "u2",         "contacts", "kinetic", "potential",
      "work", "drive", "friction", "shock", "correction", "error",    "path",    "x"};
  assert_int_equal(t->columns, 16);
  for (int k = 0; k < 16; k++) assert_string_equal(t->name[k], names[k]);
  assert_int_equal(t->series, 14);
  assert_int_equal(t->rows, 101);  // steps 0, 7, ..., 700
  const double *last = t->value + 100 * 16;
  expect_near(last[0], 0.7, 1e-15);
  expect_near(last[15], last[1], 0);  // the series x is q1
  expect_near(last[6], ledger.kinetic, 0);
  assert_string_equal(t->scene, "dir/test.lua");
  assert_string_equal(t->parameter[0], "k=100");
  stc_trajectory_free(&t);
  stc_trajectory_free(&t);
}

static void expect_resume_refused(const char *text, const char *set, const char *words) {
  stc_scene_options options = {.sets = set ? 1 : 0, .set = &set};
  stc_scene *scene = NULL;
  stc_run *run = NULL;
  stc_run_settings settings = {.output = file(), .resume = true};
  assert_int_equal(stc_scene_read_text("dir/test.lua", text, strlen(text), &options, &scene),
                   STC_OK);
  stc_error error = stc_run_create(scene, &settings, &run);
  assert_true(error != STC_OK);
  assert_null(run);
  if (!strstr(stc_error_detail(), words)) print_error("'%s'\n", stc_error_detail());
  assert_non_null(strstr(stc_error_detail(), words));
  stc_scene_free(&scene);
}

static void another_scene_cannot_resume(void **state) {
  char text[1500];
  snprintf(text, sizeof text, SPRING, "");
  stc_scene *scene = need_scene(text);
  stc_run_settings settings = {.output = file(), .until_given = true, .until = 0.1};
  unlink(file());
  stc_run *run = need_run(scene, &settings);
  run_to_end(run);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
  expect_resume_refused(text, "k=50", "begun with parameter k=100, not k=50");
  strcat(text, "\n");
  expect_resume_refused(text, NULL, "begun with another text");
  unlink(file());
}

// A local that a function changes, or an entry it adds to what it is given, would be lost by a
// restart: refused, a local as soon as there is a file.
static void variables_are_refused(void **state) {
  static const char *const cases[][2] = {
      {"local n = 0\nstep(function() n = n + 1 end)",
       "test.lua:6: this function sees the local 'n'"},
      {"count = 0\nstep(function() count = count + 1 end)", "a global variable"},
      {"local t = { 0 }\nstep(function() t[1] = t[1] + 1 end)", "the local 't'"},
      {"step(function(s) s.n = (s.n or 0) + 1 end)", "test.lua:5: n: the program fills this table"},
      {"step(function(s) s.contacts.floor.n = 1 end)", "n: the program fills this table"},
      {"step(function(s) s.q.n = 1 end)", "n: the program fills this table"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[1000];
    stc_step_report report;
    snprintf(text, sizeof text, BLOCK "run { h = 0.1, t_end = 1 }\n%s", cases[k][0]);
    stc_scene *scene = need_scene(text);
    stc_run *run = need_run(scene, &(stc_run_settings){.output = file()});
    stc_error error = stc_run_step(run, &report);
    assert_true(error != STC_OK);
    if (!strstr(stc_error_detail(), cases[k][1])) print_error("'%s'\n", stc_error_detail());
    assert_non_null(strstr(stc_error_detail(), cases[k][1]));
    stc_run_close(&run);
    stc_scene_free(&scene);
  }
  unlink(file());
}

static void misuse_is_refused(void **state) {
  stc_scene *scene = need_scene(BLOCK "run { h = 0.1, t_end = 1 }\n");
  stc_run *run = NULL;
  stc_run_settings settings = {.resume = true};
  expect_failure(stc_run_create(scene, &settings, &run), STC_ERR_ARGUMENT, "name its output");
  settings = (stc_run_settings){.until_given = true, .until = NAN};
  expect_failure(stc_run_create(scene, &settings, &run), STC_ERR_VALUE, "finite");
  expect_failure(stc_run_create(NULL, NULL, &run), STC_ERR_ARGUMENT, "scene");
  run = need_run(scene, NULL);
  double value;
  expect_failure(stc_run_observable(run, 0, &value), STC_ERR_ARGUMENT, "no observable");
  expect_failure(stc_run_capsule(run, "x.hdf5"), STC_ERR_UNSUPPORTED, "no capsule");
  assert_int_equal(stc_run_close(&run), STC_OK);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// A ball between a wall and one that comes closer: no velocity satisfies both. The capsule holds
// the two contacts and what a solve needs to repeat the step.
static void a_step_without_an_answer_leaves_a_capsule(void **state) {
  stc_scene *scene = need_scene(
      "system { mass = 1, q = { 0, 0 } }\n"
      "wall { f = function(t, q) return -q[1] end, gradient = { -1, 0 }, friction = 0.3 }\n"
      "wall { f = function(t, q) return q[1] - 0.15 + t end, gradient = { 1, 0 },\n"
      "  velocity = { -1, 0 }, friction = 0.3 }\n"
      "run { h = 0.1, t_end = 1, solver = { method = 'nsgs', [\"nsgs.omega\"] = 1.5 } }\n");
  stc_run *run = need_run(scene, NULL);
  stc_step_report report = {.accepted = true};
  while (report.accepted && !stc_run_done(run))
    assert_int_equal(stc_run_step(run, &report), STC_OK);
  assert_false(report.accepted);
  double t = stc_run_time(run);
  assert_true(t > 0.05 && t < 0.25);
  assert_string_equal(strstr(stc_run_replay(run), "--guess"), stc_run_replay(run));
  assert_non_null(strstr(stc_run_replay(run), "--method nsgs"));
  assert_non_null(strstr(stc_run_replay(run), "--set nsgs.omega=1.5"));
  stc_problem *problem = NULL;
  stc_solution *guesses = NULL;
  int count = 0;
  assert_int_equal(stc_run_capsule(run, file()), STC_OK);
  assert_int_equal(stc_problem_read(file(), &problem), STC_OK);
  assert_int_equal(stc_problem_contacts(problem), 2);
  assert_non_null(strstr(stc_problem_get_text(problem).description, "dir/test.lua"));
  assert_int_equal(stc_guesses_read(file(), problem, &guesses, &count), STC_OK);
  assert_int_equal(count, 1);
  stc_guesses_free(&guesses, count);
  stc_problem_free(&problem);
  stc_run_close(&run);
  stc_scene_free(&scene);
  unlink(file());
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_scene_sees_the_step),
                                     cmocka_unit_test(an_answer_may_be_nothing_or_yes),
                                     cmocka_unit_test(every_friction_is_understood),
                                     cmocka_unit_test(every_section_is_understood),
                                     cmocka_unit_test(every_mass_is_understood),
                                     cmocka_unit_test(smooth_motion_is_extrapolated),
                                     cmocka_unit_test(a_stop_is_found),
                                     cmocka_unit_test(stops_are_kept),
                                     cmocka_unit_test(a_resumed_run_has_the_same_bits),
                                     cmocka_unit_test(the_trajectory_holds_what_was_run),
                                     cmocka_unit_test(another_scene_cannot_resume),
                                     cmocka_unit_test(variables_are_refused),
                                     cmocka_unit_test(misuse_is_refused),
                                     cmocka_unit_test(a_step_without_an_answer_leaves_a_capsule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
