// What every method owes its caller besides the answer: the same bits twice, a warm start that
// pays, limits that hold, updates that equal a fresh start, independence of form and of units.
#include "methods.h"
#include "solving.h"

// ---- the problems: small, irregular, with open, sticking and slipping contacts ----

typedef stc_problem *maker(void);

static stc_problem *irregular(const char *kind, int n, int n2, double mu, double param) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.n2 = n2;
  options.mu = mu;
  options.param = param;
  options.disorder = 1;
  return generate(options);
}

static stc_problem *pile(void) { return irregular("spheres", 12, 0, 0.3, 0.3); }
static stc_problem *wall(void) { return irregular("wall2d", 3, 2, 0.3, 0.4); }
static stc_problem *chain(void) { return irregular("chain", 3, 1, 0.2, 0.6); }  // with joints

static maker *const MAKERS[] = {pile, wall, chain};
enum { MAKER_COUNT = sizeof MAKERS / sizeof *MAKERS };

static double largest(const double *x, int n) {
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
  return most;
}

// ---- the same bits ----

// The same bits after as many iterations; both are freed.
static void expect_same_answer(const stc_problem *problem, answer *a, answer *b) {
  size_t bytes = (size_t)stc_problem_size(problem) * sizeof(double);
  assert_memory_equal(a->r, b->r, bytes);
  assert_memory_equal(a->u, b->u, bytes);
  assert_int_equal(a->info.iterations, b->info.iterations);
  answer_free(a);
  answer_free(b);
}

static void same_bits_from_two_solvers(void **state) {
  for (int k = 0; k < MAKER_COUNT; k++) {
    stc_problem *problem = MAKERS[k]();
    answer a = solve_cold(problem, *state), b = solve_cold(problem, *state);
    expect_same_answer(problem, &a, &b);
    stc_problem_free(&problem);
  }
}

// A solve leaves nothing behind in the solver that the next one from the same start would feel.
static void same_bits_from_one_solver(void **state) {
  for (int k = 0; k < MAKER_COUNT; k++) {
    stc_problem *problem = MAKERS[k]();
    stc_settings settings = settings_of(*state);
    stc_solver *solver = NULL;
    answer a = answer_create(problem), b = answer_create(problem);
    assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
    solve_once(solver, problem, settings.tol, &a);
    solve_once(solver, problem, settings.tol, &b);
    stc_solver_free(&solver);
    expect_same_answer(problem, &a, &b);
    stc_problem_free(&problem);
  }
}

static void same_bits_with_threads(void **state) {
  stc_problem *problem = pile();
  stc_settings one = settings_of(*state), four = one;
  four.threads = 4;
  answer a = solve_from(problem, &one, NULL), b = solve_from(problem, &four, NULL);
  assert_memory_equal(a.r, b.r, (size_t)stc_problem_size(problem) * sizeof(double));
  answer_free(&a);
  answer_free(&b);
  stc_problem_free(&problem);
}

// ---- warm start ----

static void warm_start_is_no_slower(void **state) {
  for (int k = 0; k < MAKER_COUNT; k++) {
    stc_problem *problem = MAKERS[k]();
    stc_settings settings = settings_of(*state);
    answer cold = solve_from(problem, &settings, NULL);
    answer warm = solve_from(problem, &settings, cold.r);
    assert_true(warm.info.iterations <= cold.info.iterations);
    if (cold.info.status == STC_STATUS_SOLVED) {
      assert_int_equal(warm.info.iterations, 0);  // the answer is recognised
      expect_status(&warm, STC_STATUS_SOLVED);
    }
    assert_true(warm.info.residual.eta <= 2 * cold.info.residual.eta);
    answer_free(&cold);
    answer_free(&warm);
    stc_problem_free(&problem);
  }
}

// ---- limits ----

static void iteration_limit_holds(void **state) {
  const long limits[] = {0, 1, 2, 5, 13};
  stc_problem *problem = wall();
  for (int k = 0; k < 5; k++) {
    stc_settings settings = settings_of(*state);
    settings.tol = 0;  // never reached
    settings.max_iterations = limits[k];
    answer a = solve_from(problem, &settings, NULL);
    if (a.info.iterations > limits[k])
      print_error("%ld iterations for a limit of %ld\n", a.info.iterations, limits[k]);
    assert_true(a.info.iterations <= limits[k]);
    if (a.info.status != STC_STATUS_STALLED) expect_status(&a, STC_STATUS_MAX_ITERATIONS);
    if (limits[k] == 0) assert_true(largest(a.r, stc_problem_size(problem)) == 0);
    answer_free(&a);
  }
  stc_problem_free(&problem);
}

// Work is spent in whole iterations: by as many as it was given for, or by half of them for half.
static void work_limit_holds(void **state) {
  stc_problem *problem = wall();
  stc_settings settings = settings_of(*state);
  settings.tol = 0;
  settings.max_iterations = 13;
  answer whole = solve_from(problem, &settings, NULL);
  assert_true(whole.info.work > 0);
  settings.max_iterations = 1000000;
  settings.work = whole.info.work;
  answer same = solve_from(problem, &settings, NULL);
  settings.work = whole.info.work / 2;
  answer half = solve_from(problem, &settings, NULL);
  bool composite = strcmp(*state, "auto") == 0;  // the last iterations of a row may be dearer
  assert_true(composite || same.info.iterations <= whole.info.iterations + 1);
  assert_true(composite || half.info.iterations <= (whole.info.iterations + 2) / 2);
  assert_true(half.info.work <= whole.info.work);
  answer_free(&whole);
  answer_free(&same);
  answer_free(&half);
  stc_problem_free(&problem);
}

static void time_limit_holds(void **state) {
  stc_problem *problem = irregular("spheres", 40, 0, 0.3, 0.3);
  stc_settings settings = settings_of(*state);
  settings.tol = 0;
  settings.time_limit = 0;
  answer none = solve_from(problem, &settings, NULL);
  expect_status(&none, STC_STATUS_TIME_LIMIT);
  assert_int_equal(none.info.iterations, 0);
  settings.time_limit = 0.02;
  answer some = solve_from(problem, &settings, NULL);
  if (some.info.status != STC_STATUS_STALLED) expect_status(&some, STC_STATUS_TIME_LIMIT);
  assert_true(some.info.solve_seconds < 5);  // generous: other programs may hold the processor
  assert_true(some.info.residual.eta <= none.info.residual.eta);
  answer_free(&none);
  answer_free(&some);
  stc_problem_free(&problem);
}

typedef struct watcher {
  int calls, stop_at;
  double least_eta, last_seconds;
  long last_iterations;
} watcher;

static bool watch(void *user, const stc_progress *progress) {
  watcher *w = user;
  w->calls++;
  w->least_eta = fmin(w->least_eta, progress->eta);
  assert_true(isfinite(progress->best_eta));
  assert_true(progress->iterations >= w->last_iterations);
  assert_true(progress->seconds >= w->last_seconds);
  assert_non_null(progress->method);
  w->last_iterations = progress->iterations;
  w->last_seconds = progress->seconds;
  return w->calls < w->stop_at;
}

static void interruption_keeps_the_best_iterate(void **state) {
  const int stops[] = {1, 2, 5};
  stc_problem *problem = pile();
  for (int k = 0; k < 3; k++) {
    watcher w = {.stop_at = stops[k], .least_eta = INFINITY};
    stc_settings settings = settings_of(*state);
    settings.tol = 0;
    settings.progress = watch;
    settings.user = &w;
    answer a = solve_from(problem, &settings, NULL);
    expect_status(&a, STC_STATUS_INTERRUPTED);
    assert_int_equal(w.calls, stops[k]);  // nobody is asked again after a no
    // Best is least max(eta, fclib_error), which need not be the least eta; never worse than r = 0.
    assert_true(a.info.residual.eta <= 1.0000001 * fmax(w.least_eta, a.info.residual.fclib_error));
    answer_free(&a);
  }
  stc_problem_free(&problem);
}

// A start is never made worse.
static void the_answer_is_no_worse_than_the_start(void **state) {
  stc_problem *problem = pile();
  answer good = solve_cold(problem, "auto");
  expect_status(&good, STC_STATUS_SOLVED);
  stc_settings settings = settings_of(*state);
  settings.tol = 0;
  settings.max_iterations = 50;
  answer after = solve_from(problem, &settings, good.r);
  double before = fmax(good.info.residual.eta, good.info.residual.fclib_error);
  assert_true(fmax(after.info.residual.eta, after.info.residual.fclib_error) <= before * 1.0000001);
  answer_free(&good);
  answer_free(&after);
  stc_problem_free(&problem);
}

// ---- update ----

// The pile under other loads, with other coefficients: a solver that is updated agrees with one
// that is made for these numbers.
static stc_problem *altered(const stc_problem *problem, double *f, double *w, double *mu) {
  stc_bodies_data data = stc_problem_bodies_data(problem);
  for (int k = 0; k < data.bodies * data.width; k++) f[k] = data.f[k] * (1 + 0.3 * (k % 3));
  for (int k = 0; k < data.dim * data.contacts; k++) w[k] = data.w[k] + 0.001 * (k % 2);
  for (int c = 0; c < data.contacts; c++) mu[c] = 0.2 + 0.01 * (c % 5);
  data.f = f;
  data.w = w;
  data.mu = mu;
  stc_problem *other = NULL;
  assert_int_equal(stc_problem_create_bodies(&data, &other), STC_OK);
  return other;
}

static void update_equals_a_fresh_solver(void **state) {
  stc_problem *problem = pile();
  int size = stc_problem_size(problem);
  double *f = answer_array(stc_problem_dofs(problem)), *w = answer_array(size);
  double *mu = answer_array(stc_problem_contacts(problem));
  stc_problem *other = altered(problem, f, w, mu);
  stc_settings settings = settings_of(*state);
  answer fresh = solve_from(other, &settings, NULL), updated = answer_create(problem);
  stc_solver *solver = NULL;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  solve_once(solver, problem, settings.tol, &updated);
  assert_int_equal(stc_solver_update(solver, &(stc_update){.f = f, .w = w, .mu = mu}), STC_OK);
  for (int k = 0; k < size; k++) updated.r[k] = 0;
  solve_once(solver, other, settings.tol, &updated);
  assert_int_equal(updated.info.status, fresh.info.status);
  if (fresh.info.status == STC_STATUS_SOLVED)
    expect_vector(updated.u, fresh.u, size, 1e-6 * fresh.info.residual.norm_q);
  stc_solver_free(&solver);
  answer_free(&fresh);
  answer_free(&updated);
  stc_problem_free(&other);
  stc_problem_free(&problem);
  free(f);
  free(w);
  free(mu);
}

static void update_of_q_in_the_local_form(void **state) {
  // slip: W = 1, q = (-1, 2), mu = 0.5 -> u = (0, 1.5); then q = (-4, 2): sticks, r = (4, -2).
  stc_problem *problem = sample_local(1, (const double[]){1, 0, 0, 1});
  stc_settings settings = settings_of(*state);
  stc_solver *solver = NULL;
  double r[2] = {0}, u[2];
  stc_solution solution = {.r = r, .u = u};
  stc_info info;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_update(solver, &(stc_update){.q = (double[]){-1, 2}}), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &solution, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_vector(r, (double[]){1, -0.5}, 2, 1e-7);
  expect_vector(u, (double[]){0, 1.5}, 2, 1e-7);
  assert_int_equal(stc_solver_update(solver, &(stc_update){.q = (double[]){-4, 2}}), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &solution, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_vector(r, (double[]){4, -2}, 2, 1e-6);
  // mu = 0.25: slips again, r_T = -1, u_T = 1.
  assert_int_equal(stc_solver_update(solver, &(stc_update){.mu = (double[]){0.25}}), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &solution, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_vector(r, (double[]){4, -1}, 2, 1e-6);
  expect_vector(u, (double[]){0, 1}, 2, 1e-6);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

// ---- form and units ----

// Answers that obey the law to 1e-8 may be some thousand times further apart where many contacts
// share the load: it is the law they are measured by, not their distance.
static void forms_agree(void **state) {
  for (int k = 0; k < MAKER_COUNT; k++) {
    stc_problem *global = MAKERS[k](), *local = NULL;
    assert_int_equal(stc_problem_to_local(global, &local), STC_OK);
    answer a = solve_cold(global, *state), b = solve_cold(local, *state);
    int size = stc_problem_size(global);
    if (a.info.status == STC_STATUS_SOLVED && b.info.status == STC_STATUS_SOLVED)
      expect_vector(a.u, b.u, size, 5e-5 * a.info.residual.norm_q);
    answer_free(&a);
    answer_free(&b);
    stc_problem_free(&local);
    stc_problem_free(&global);
  }
}

// Masses times `mass`, seconds times `time`: M' = mass M, v' = v / time, f' = mass / time f.
static stc_problem *in_other_units(const stc_problem *problem, double mass, double time) {
  stc_bodies_data data = stc_problem_bodies_data(problem);
  int dofs = data.bodies * data.width, masses = dofs * data.width;
  double *M = answer_array(masses), *f = answer_array(dofs);
  double *w = answer_array(data.dim * data.contacts);
  for (int k = 0; k < masses; k++) M[k] = data.M[k] * mass;
  for (int k = 0; k < dofs; k++) f[k] = data.f[k] * mass / time;
  for (int k = 0; k < data.dim * data.contacts; k++) w[k] = data.w[k] / time;
  data.M = M;
  data.f = f;
  data.w = w;
  stc_problem *other = NULL;
  assert_int_equal(stc_problem_create_bodies(&data, &other), STC_OK);
  free(M);
  free(f);
  free(w);
  return other;
}

static void units_do_not_matter(void **state) {
  const double mass = 1e6, time = 1e-3;
  stc_problem *problem = pile(), *other = in_other_units(problem, mass, time);
  int size = stc_problem_size(problem);
  stc_settings settings = settings_of(*state);
  settings.max_iterations = 7;  // a point on the way, so that eta is far from rounding
  answer a = solve_from(problem, &settings, NULL);
  double *scaled = answer_array(size);
  for (int k = 0; k < size; k++) scaled[k] = a.r[k] * mass / time;
  stc_residual judged;
  assert_int_equal(stc_problem_residual(other, &(stc_solution){.r = scaled}, &judged), STC_OK);
  expect_near(judged.eta, a.info.residual.eta, 1e-9 * a.info.residual.eta + 1e-14);
  assert_int_equal(judged.open, a.info.residual.open);
  assert_int_equal(judged.stick, a.info.residual.stick);
  assert_int_equal(judged.slip, a.info.residual.slip);
  answer_free(&a);
  answer solved = solve_cold(problem, *state), elsewhere = solve_cold(other, *state);
  if (solved.info.status == STC_STATUS_SOLVED && elsewhere.info.status == STC_STATUS_SOLVED)
    for (int k = 0; k < size; k++)
      expect_near(elsewhere.u[k] * time, solved.u[k], 1e-6 * solved.info.residual.norm_q);
  // fclib_error does depend on units, so that a method may have further to go; auto gets there.
  if (!strcmp(*state, "auto")) expect_status(&elsewhere, STC_STATUS_SOLVED);
  answer_free(&solved);
  answer_free(&elsewhere);
  free(scaled);
  stc_problem_free(&other);
  stc_problem_free(&problem);
}

// ---- what may be left out ----

static void info_and_velocities_may_be_null(void **state) {
  stc_problem *problem = sample_painleve(0, -1, 1);
  stc_settings settings = settings_of(*state);
  stc_solver *solver = NULL;
  double r[2] = {0};
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, NULL), STC_OK);
  expect_vector(r, (double[]){1.0 / 3, 1.0 / 3}, 2, 1e-7);
  stc_solver_free(&solver);
  stc_solver_free(&solver);  // twice is safe
  stc_solver_free(NULL);
  stc_problem_free(&problem);
}

static void a_start_far_away_is_survived(void **state) {
  // slip: r = (1, -0.5), from starts outside the cone, huge, tiny.
  const double starts[][2] = {{-1e8, 1e8}, {1e-300, 1e300}, {1e12, 0}};
  stc_problem *problem = sample_local(1, (const double[]){1, 0, 0, 1});
  for (int k = 0; k < 3; k++) {
    stc_settings settings = settings_of(*state);
    stc_solver *solver = NULL;
    double r[2] = {starts[k][0], starts[k][1]};
    stc_info info;
    assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
    assert_int_equal(stc_solver_update(solver, &(stc_update){.q = (double[]){-1, 2}}), STC_OK);
    assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
    assert_true(isfinite(r[0]) && isfinite(r[1]));
    if (info.status == STC_STATUS_SOLVED) expect_vector(r, (double[]){1, -0.5}, 2, 1e-6);
    stc_solver_free(&solver);
  }
  stc_problem_free(&problem);
}

static const fact FACTS[] = {
    {"same bits from two solvers", same_bits_from_two_solvers},
    {"same bits from one solver", same_bits_from_one_solver},
    {"same bits with threads", same_bits_with_threads},
    {"warm start is no slower", warm_start_is_no_slower},
    {"iteration limit holds", iteration_limit_holds},
    {"work limit holds", work_limit_holds},
    {"time limit holds", time_limit_holds},
    {"interruption keeps the best iterate", interruption_keeps_the_best_iterate},
    {"no worse than the start", the_answer_is_no_worse_than_the_start},
    {"update equals a fresh solver", update_equals_a_fresh_solver},
    {"update of q in the local form", update_of_q_in_the_local_form},
    {"forms agree", forms_agree},
    {"units do not matter", units_do_not_matter},
    {"info and velocities may be NULL", info_and_velocities_may_be_null},
    {"a start far away is survived", a_start_far_away_is_survived},
};

int main(void) { return check_facts("contract", FACTS, sizeof FACTS / sizeof *FACTS); }
