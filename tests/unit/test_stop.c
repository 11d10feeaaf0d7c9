// Stopping. Scopes by themselves, with deadlines that never come or have passed; then every look at
// the clock that a solve or a proof makes is, one after another, the one that says stop.
#include "generate_support.h"

#include "base/stop.h"
#include "base/team.h"

#include <stiction/cert.h>
#include <stiction/solve.h>

#include <stdlib.h>

// ---- scopes ----

typedef struct counter {
  long looks;  // so far
  long last;   // the look that says stop; 0: none
} counter;

static bool count(void *user) {
  counter *c = user;
  return ++c->looks != c->last;
}

/// A scope that is asked at every look, of which there is one per operation.
static void open_counted(stc_stop *stop, counter *c) {
  stc_stop_open(stop, INFINITY, count, c);
  stop->grain = 1;
  stop->every = stop->next = 0;
}

static void nothing_stops_without_a_scope(void **state) {
  assert_false(stc_stop_due(1e30));
  assert_int_equal(stc_stop_look(), STC_STOP_NOT);
  stc_stop stop;
  stc_stop_open(&stop, INFINITY, NULL, NULL);
  assert_false(stc_stop_due(1e30));
  assert_int_equal(stc_stop_close(&stop), STC_STOP_NOT);
}

static void a_deadline_that_passed_is_seen_after_a_grain_of_work(void **state) {
  stc_stop stop;
  stc_stop_open(&stop, -INFINITY, NULL, NULL);
  assert_false(stc_stop_due(0));
  assert_false(stc_stop_due(stop.grain / 2));
  assert_true(stc_stop_due(stop.grain / 2));
  assert_true(stc_stop_due(0));  // kept
  assert_int_equal(stc_stop_try(0), STC_ERR_CALLBACK);
  assert_string_equal(stc_error_detail(), "the time limit was reached");
  assert_int_equal(stc_stop_close(&stop), STC_STOP_TIME);
  assert_false(stc_stop_due(1e30));
}

static void what_ends_the_outer_scope_ends_the_inner_one(void **state) {
  stc_stop outer, inner;
  counter c = {.last = 1};
  open_counted(&outer, &c);
  stc_stop_open(&inner, INFINITY, NULL, NULL);
  assert_int_equal(stc_stop_look(), STC_STOP_CALLER);
  assert_int_equal(stc_stop_close(&inner), STC_STOP_CALLER);
  assert_int_equal(stc_stop_close(&outer), STC_STOP_CALLER);
  // The other way round the outer one goes on.
  c = (counter){0};
  open_counted(&outer, &c);
  stc_stop_open(&inner, -INFINITY, NULL, NULL);
  assert_int_equal(stc_stop_look(), STC_STOP_TIME);
  assert_int_equal(stc_stop_close(&inner), STC_STOP_TIME);
  assert_int_equal(stc_stop_look(), STC_STOP_NOT);
  assert_int_equal(stc_stop_close(&outer), STC_STOP_NOT);
}

static void work_on(void *argument, int k) {
  bool *seen = argument;
  seen[k] = stc_stop_due(1e30);
}

/// Helpers know the scope of the thread they work for, but only that thread asks the caller.
static void a_team_stops_with_its_caller(void **state) {
  enum { PIECES = 64 };
  bool seen[PIECES] = {false};
  stc_team *team = NULL;
  stc_stop stop;
  assert_int_equal(stc_team_create(4, &team), STC_OK);
  stc_stop_open(&stop, -INFINITY, NULL, NULL);
  stc_team_run(team, work_on, seen, PIECES);
  assert_int_equal(stc_stop_close(&stop), STC_STOP_TIME);
  for (int k = 0; k < PIECES; k++) assert_true(seen[k]);
  stc_team_run(team, work_on, seen, PIECES);
  for (int k = 0; k < PIECES; k++) assert_false(seen[k]);
  stc_team_free(&team);
}

// ---- every look of a solve ----

typedef struct trial {
  stc_problem *problem;
  stc_settings settings;
  int size;
  double *r, *answer;  // [size]
  stc_info info;
} trial;

/// From zero, in the scope of the caller.
static void solve_in(trial *t, stc_solver **solver) {
  memset(t->r, 0, (size_t)t->size * sizeof *t->r);
  if (!*solver) assert_int_equal(stc_solver_setup(solver, t->problem, &t->settings), STC_OK);
  assert_int_equal(stc_solver_solve(*solver, &(stc_solution){.r = t->r}, &t->info), STC_OK);
}

/// The numbers that a stopped solve reports are those of the reactions it leaves.
static void expect_honest(const trial *t) {
  stc_residual own;
  for (int k = 0; k < t->size; k++) assert_true(isfinite(t->r[k]));
  if (isinf(t->info.residual.eta)) return;  // stopped in setup
  assert_int_equal(stc_problem_residual(t->problem, &(stc_solution){.r = t->r}, &own), STC_OK);
  assert_true(fabs(own.eta - t->info.residual.eta) <= 1e-6 * own.eta + 1e-14);
}

/// Stops at look `at`, then solves again with the same solver: the bits are those of a solve that
/// nobody disturbed. False: the solve was over before that look.
static bool stop_at(trial *t, long at) {
  stc_stop stop;
  stc_solver *solver = NULL;
  counter c = {.last = at};
  open_counted(&stop, &c);
  solve_in(t, &solver);
  bool stopped = stc_stop_close(&stop) == STC_STOP_CALLER;
  expect_honest(t);
  if (stopped && t->info.status != STC_STATUS_SOLVED) {
    assert_int_equal(t->info.status, STC_STATUS_INTERRUPTED);
    solve_in(t, &solver);
    assert_memory_equal(t->r, t->answer, (size_t)t->size * sizeof *t->r);
  }
  stc_solver_free(&solver);
  return stopped;
}

/// Every look, or about `most` of them: the first ones, then further and further apart.
static void stop_everywhere(trial *t, int most) {
  stc_stop stop;
  stc_solver *solver = NULL;
  counter c = {0};
  open_counted(&stop, &c);
  solve_in(t, &solver);
  stc_stop_close(&stop);
  stc_solver_free(&solver);
  assert_true(c.looks > 0);
  memcpy(t->answer, t->r, (size_t)t->size * sizeof *t->r);
  for (long at = 1; at <= c.looks; at += 1 + at * 6 / most) assert_true(stop_at(t, at));
  assert_false(stop_at(t, c.looks + 1));
}

static int trials_of_stop(void) {
  const char *text = getenv("STICTION_TRIALS");
  return text ? atoi(text) : 20;
}

static void try_form(const char *method, int condensed, const char *kind, int n, int n2) {
  stc_generator options = regular(kind, n, n2);
  options.disorder = 1;
  trial t = {.problem = generate_problem(&options), .settings = stc_default_settings()};
  t.size = stc_problem_size(t.problem);
  t.r = calloc((size_t)t.size, sizeof *t.r);
  t.answer = calloc((size_t)t.size, sizeof *t.answer);
  t.settings.method = method;
  t.settings.newton.condensed = condensed;
  t.settings.regions = 1;
  t.settings.time_limit = 1e9;
  t.settings.max_iterations = 60;
  stop_everywhere(&t, trials_of_stop());
  free(t.r);
  free(t.answer);
  stc_problem_free(&t.problem);
}

static void try_method(const char *method, const char *kind, int n, int n2) {
  try_form(method, -1, kind, n, n2);
}

static void every_method_stops_at_every_look(void **state) {
  for (int k = 0; stc_method_name(k); k++) {
    try_method(stc_method_name(k), "wall", 4, 3);
    try_method(stc_method_name(k), "discs", 30, 0);
    try_method(stc_method_name(k), "chain", 6, 1);  // joints are eliminated
  }
  try_method("auto", "wall", 12, 8);  // factors that are analysed in setup
  try_method("newton", "wall", 12, 8);
  try_form("newton", 0, "discs", 200, 0);  // W is assembled in setup
}

typedef struct audience {
  counter looks;
  int late;  // iterations told of after the stop
} audience;

static bool hear(void *user, const stc_progress *progress) {
  audience *a = user;
  if (a->looks.last && a->looks.looks >= a->looks.last) a->late++;
  return true;
}

/// A step of ipm that is stopped is left at once: it is neither finished nor judged, and nobody is
/// told of it.
static void a_stopped_step_is_left_at_once(void **state) {
  stc_generator options = regular("wall", 4, 3);
  stc_problem *problem = generate_problem(&options);
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  stc_settings settings = stc_default_settings();
  settings.method = "ipm";
  settings.time_limit = 1e9;
  settings.progress = hear;
  bool stopped = true;
  for (long at = 1; stopped; at += 1 + at / 4) {
    audience a = {.looks.last = at};
    stc_solver *solver = NULL;
    stc_info info;
    stc_stop stop;
    settings.user = &a;
    memset(r, 0, (size_t)stc_problem_size(problem) * sizeof *r);
    open_counted(&stop, &a.looks);
    assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
    assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
    stopped = stc_stop_close(&stop) == STC_STOP_CALLER;
    assert_int_equal(a.late, 0);
    stc_solver_free(&solver);
  }
  stc_problem_free(&problem);
  free(r);
}

// ---- every look of a proof ----

static stc_verdict certify_at(const stc_problem *problem, bool cheap, counter *c) {
  stc_stop stop;
  stc_certificate *certificate = NULL;
  stc_certify_settings settings = stc_default_certify_settings();
  settings.time_limit = 1e9;
  settings.max_nodes = 100;
  settings.cheap = cheap;
  open_counted(&stop, c);
  assert_int_equal(stc_certify(problem, &settings, &certificate), STC_OK);
  stc_stop_close(&stop);
  stc_verdict verdict = stc_certificate_verdict(certificate);
  assert_true(strlen(stc_certificate_reason(certificate)) > 0);
  stc_certificate_free(&certificate);
  return verdict;
}

/// A proof that is stopped is the whole proof or none.
static void a_proof_stops_at_every_look(void **state) {
  const struct {
    const char *kind;
    int n, n2;
    bool cheap;
  } problems[] = {{"wedge", 0, 0, false},
                  {"painleve", 1, 0, false},
                  {"wedge3d", 0, 0, false},
                  {"wall", 3, 2, true}};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    stc_generator options = stc_default_generator(problems[p].kind);
    options.n = problems[p].n;
    options.n2 = problems[p].n2;
    stc_problem *problem = generate_problem(&options);
    counter all = {0};
    stc_verdict whole = certify_at(problem, problems[p].cheap, &all);
    int most = trials_of_stop();
    for (long at = 1; at <= all.looks; at += 1 + at * 6 / most) {
      counter c = {.last = at};
      stc_verdict verdict = certify_at(problem, problems[p].cheap, &c);
      if (verdict != STC_VERDICT_UNDECIDED) assert_int_equal(verdict, whole);
    }
    stc_problem_free(&problem);
  }
}

// ---- limits of a solver ----

/// A limit that has passed before setup begins: no error, nothing made up, and the next solve sets
/// up and solves.
static void a_setup_that_is_stopped_is_taken_up_again(void **state) {
  stc_generator options = regular("wall", 30, 20);  // setup looks at the clock
  stc_problem *problem = generate_problem(&options);
  int size = stc_problem_size(problem);
  double *r = calloc((size_t)size, sizeof *r), *u = calloc((size_t)size, sizeof *u);
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  stc_stop stop;
  counter c = {.last = 1};
  u[0] = NAN;
  open_counted(&stop, &c);
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_stop_close(&stop), STC_STOP_CALLER);
  assert_non_null(solver);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r, .u = u}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_INTERRUPTED);
  assert_true(isinf(info.residual.eta));
  assert_true(u[0] == 0);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r, .u = u}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
  free(r);
  free(u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_stops_without_a_scope),
      cmocka_unit_test(a_deadline_that_passed_is_seen_after_a_grain_of_work),
      cmocka_unit_test(what_ends_the_outer_scope_ends_the_inner_one),
      cmocka_unit_test(a_team_stops_with_its_caller),
      cmocka_unit_test(every_method_stops_at_every_look),
      cmocka_unit_test(a_stopped_step_is_left_at_once),
      cmocka_unit_test(a_proof_stops_at_every_look),
      cmocka_unit_test(a_setup_that_is_stopped_is_taken_up_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
