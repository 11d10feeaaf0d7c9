// The driver with methods that misbehave: it keeps the best iterate, the limits and the verdict.
#include "samples.h"

#include "solve/method.h"

#include <stiction/generate.h>

// One contact, W = 1, q = (-1, 2), mu = 0.5: r = (1, -0.5).
static const double ANSWER[2] = {1, -0.5};

typedef struct script {
  const double (*points)[2];  // what iterate puts into r, one after another
  int count, at;
  int starts;
} script;

static void script_start(stc_solver *solver, void *state) {
  script *s = state;
  s->starts++;
  s->at = 0;
}

static stc_step script_iterate(stc_solver *solver, void *state) {
  script *s = state;
  solver->done = 1;
  for (int k = 0; k < 2; k++) solver->r[k] = s->points[s->at][k] / solver->problem->scale_r;
  s->at++;
  return s->at < s->count ? STC_STEP_ON : STC_STEP_STALLED;
}

static const stc_method scripted = {
    .name = "scripted", .start = script_start, .iterate = script_iterate};

typedef struct fixture {
  stc_problem *problem;
  stc_solver *solver;
  const stc_method *method;
  void *state;
} fixture;

static stc_settings nsgs_settings(void) {
  stc_settings settings = stc_default_settings();
  settings.method = "nsgs";
  return settings;
}

// A solver whose method is replaced by the script; NULL: with the settings of nsgs.
static fixture begin(script *s, const stc_settings *settings) {
  fixture f = {.problem = sample_local(1, (const double[]){1, 0, 0, 1})};
  stc_settings usual = nsgs_settings();
  assert_int_equal(stc_solver_setup(&f.solver, f.problem, settings ? settings : &usual), STC_OK);
  assert_int_equal(stc_solver_update(f.solver, &(stc_update){.q = (double[]){-1, 2}}), STC_OK);
  f.method = f.solver->method;
  f.state = f.solver->state;
  f.solver->method = &scripted;
  f.solver->state = s;
  return f;
}

static void end(fixture *f) {
  f->solver->method = f->method;
  f->solver->state = f->state;
  stc_solver_free(&f->solver);
  stc_problem_free(&f->problem);
}

static void the_best_iterate_is_returned(void **state) {
  // Good, nearly there, away again: the second is the best and not good enough for 1e-8.
  const double points[][2] = {{0.9, -0.4}, {1 + 1e-6, -0.5}, {5, 0}};
  script s = {points, 3, 0, 0};
  fixture f = begin(&s, NULL);
  double r[2] = {0}, u[2];
  stc_info info;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r, .u = u}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_STALLED);
  assert_int_equal(info.iterations, 3);
  assert_true(r[0] == 1 + 1e-6 && r[1] == -0.5);
  expect_near(u[0], 1e-6, 1e-15);
  assert_true(info.residual.eta > 1e-8 && info.residual.eta < 1e-5);
  assert_int_equal(s.starts, 1);
  end(&f);
}

static void a_solution_ends_the_loop(void **state) {
  const double points[][2] = {{0.9, -0.4}, {1, -0.5}, {5, 0}};
  script s = {points, 3, 0, 0};
  fixture f = begin(&s, NULL);
  double r[2] = {0};
  stc_info info;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_int_equal(info.iterations, 2);
  assert_memory_equal(r, ANSWER, sizeof r);
  // From the answer nothing has to be done, and the method is not even started.
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.iterations, 0);
  assert_int_equal(s.starts, 1);
  end(&f);
}

static void numbers_that_are_none_are_never_kept(void **state) {
  const double points[][2] = {{NAN, 0}, {INFINITY, -INFINITY}, {1e300, NAN}};
  script s = {points, 3, 0, 0};
  fixture f = begin(&s, NULL);
  double r[2] = {0.5, 0};
  stc_info info;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_STALLED);
  assert_true(r[0] == 0.5 && r[1] == 0);  // the start
  assert_true(isfinite(info.residual.eta) && info.residual.eta > 1e-3);
  end(&f);
}

// Between 0.8 tol and tol the loop goes on, but what it leaves counts as solved.
static void the_loop_aims_below_the_tolerance(void **state) {
  const double points[][2] = {{1 + 1e-3, -0.5}, {5, 0}};
  script s = {points, 2, 0, 0};
  fixture f = begin(&s, NULL);
  double r[2] = {0};
  stc_info info;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  double merit = fmax(info.residual.eta, info.residual.fclib_error);
  assert_int_equal(info.status, STC_STATUS_STALLED);
  f.solver->settings.tol = merit / 0.9;
  r[0] = r[1] = 0;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_int_equal(info.iterations, 2);
  f.solver->settings.tol = merit * 0.99;
  r[0] = r[1] = 0;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_STALLED);
  end(&f);
}

static void limits_are_told_apart(void **state) {
  const double points[][2] = {{2, 0}, {2, 0}, {2, 0}, {2, 0}};
  script s = {points, 4, 0, 0};
  stc_settings settings = nsgs_settings();
  settings.max_iterations = 2;
  fixture f = begin(&s, &settings);
  double r[2] = {0};
  stc_info info;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_MAX_ITERATIONS);
  assert_int_equal(info.iterations, 2);
  f.solver->settings.max_iterations = 100;
  f.solver->settings.time_limit = 0;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_TIME_LIMIT);
  assert_int_equal(info.iterations, 0);
  end(&f);
}

// ---- hooks ----

typedef struct hooks {
  int progress, log;
  double last_eta;
  char last[256];
} hooks;

static bool on_progress(void *user, const stc_progress *progress) {
  hooks *h = user;
  h->progress++;
  h->last_eta = progress->eta;
  return true;
}

static void on_log(void *user, stc_log_level level, const char *message) {
  hooks *h = user;
  h->log++;
  strncpy(h->last, message, sizeof h->last - 1);
}

static void progress_sees_each_judgement(void **state) {
  const double points[][2] = {{2, 0}, {0.9, -0.4}, {1, -0.5}};
  script s = {points, 3, 0, 0};
  hooks h = {0};
  stc_settings settings = nsgs_settings();
  settings.progress = on_progress;
  settings.user = &h;
  fixture f = begin(&s, &settings);
  double r[2] = {0};
  stc_info info;
  assert_int_equal(stc_solver_solve(f.solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_int_equal(h.progress, 3);  // the start and two points; the solution needs no question
  assert_true(h.last_eta > 1e-3);
  end(&f);
}

// What is told is what a history records: it is of the whole problem, so that nothing is better
// than the answer, and the iterations grow to those of the end.
typedef struct told {
  long iterations, backwards;
  double least;
} told;

static bool check_progress(void *user, const stc_progress *progress) {
  told *t = user;
  t->backwards += progress->iterations < t->iterations;
  t->least = fmin(t->least, fmax(progress->eta, progress->fclib_error));
  t->iterations = progress->iterations;
  return true;
}

// A pile of discs is solved component by component by auto, and by apgd with its active bodies by
// themselves.
static void progress_is_of_the_whole_problem(void **state) {
  const char *const methods[] = {"auto", "apgd"};
  for (int k = 0; k < 2; k++) {
    stc_problem *problem = NULL;
    stc_solver *solver = NULL;
    stc_info info;
    told t = {.least = INFINITY};
    stc_generator options = stc_default_generator("discs");
    options.n = 300;
    options.seed = 5;
    options.mu = 0.2;
    assert_int_equal(stc_generate(&options, &problem), STC_OK);
    stc_settings settings = stc_default_settings();
    settings.method = methods[k];
    settings.regions = 1;
    settings.max_iterations = 2000;
    settings.strategy.large = 50;
    settings.progress = check_progress;
    settings.user = &t;
    double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
    assert_non_null(r);
    assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
    assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
    assert_int_equal(t.backwards, 0);
    assert_true(t.least >= fmax(info.residual.eta, info.residual.fclib_error));
    assert_true(t.iterations <= info.iterations);
    free(r);
    stc_solver_free(&solver);
    stc_problem_free(&problem);
  }
}

static void the_log_hook_gets_sentences(void **state) {
  hooks h = {0};
  stc_problem *problem = sample_wedge(0.6, 0.5);
  stc_settings settings = stc_default_settings();
  settings.log = on_log;
  settings.user = &h;
  stc_solver *solver = NULL;
  double r[4] = {0};
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, NULL), STC_OK);
  assert_true(h.log > 0);
  assert_non_null(strstr(h.last, "eta"));
  stc_solver_log(solver, STC_LOG_INFO, "%d %s", 7, "words");
  assert_string_equal(h.last, "7 words");
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

// ---- names and composite methods ----

static void statuses_have_the_names_of_the_contract(void **state) {
  static const char *const names[] = {
      [STC_STATUS_SOLVED] = "solved",           [STC_STATUS_MAX_ITERATIONS] = "max_iterations",
      [STC_STATUS_TIME_LIMIT] = "time_limit",   [STC_STATUS_STALLED] = "stalled",
      [STC_STATUS_NO_SOLUTION] = "no_solution", [STC_STATUS_INTERRUPTED] = "interrupted"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (names[k]) assert_string_equal(stc_status_name((stc_status)k), names[k]);
  assert_string_equal(stc_status_name((stc_status)99), "unknown");
}

static void a_null_method_is_auto(void **state) {
  stc_problem *problem = sample_wedge(0.6, 0.5);
  stc_settings settings = stc_default_settings();
  settings.method = NULL;
  stc_solver *solver = NULL;
  double r[4] = {0};
  stc_info info;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_true(strncmp(info.method, "auto", 4) == 0);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

// Stops once, at the third question; afterwards it would let the solve go on.
static bool stop_once(void *user, const stc_progress *progress) {
  int *calls = user;
  return ++*calls != 3;
}

static void one_no_is_enough_for_a_composite_method(void **state) {
  stc_problem *problem = sample_boxes(2);
  int calls = 0;
  stc_settings settings = stc_default_settings();
  settings.tol = 0;
  settings.progress = stop_once;
  settings.user = &calls;
  stc_solver *solver = NULL;
  double r[24] = {0}, f[12] = {0};
  for (int k = 0; k < 12; k++) f[k] = k % 6 == 2 ? 2 : k % 6 == 0 ? -1.5 : 0.1 * k;
  stc_info info;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_update(solver, &(stc_update){.f = f}), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_INTERRUPTED);
  assert_int_equal(calls, 3);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_iterate_is_returned),
      cmocka_unit_test(a_solution_ends_the_loop),
      cmocka_unit_test(numbers_that_are_none_are_never_kept),
      cmocka_unit_test(the_loop_aims_below_the_tolerance),
      cmocka_unit_test(limits_are_told_apart),
      cmocka_unit_test(progress_sees_each_judgement),
      cmocka_unit_test(progress_is_of_the_whole_problem),
      cmocka_unit_test(the_log_hook_gets_sentences),
      cmocka_unit_test(statuses_have_the_names_of_the_contract),
      cmocka_unit_test(a_null_method_is_auto),
      cmocka_unit_test(one_no_is_enough_for_a_composite_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
