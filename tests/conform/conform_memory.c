// What every method owes the heap: only setup allocates, whatever is taken is given back, also
// where setup fails half-way, for a wrong setting or because there is no more memory.
#include "heap.h"
#include "methods.h"
#include "solving.h"
#include "unit/glue.h"

static stc_problem *irregular(const char *kind, int n, int n2) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.n2 = n2;
  options.mu = 0.3;
  options.disorder = 1;
  return generate(options);
}

static stc_problem *local_of(stc_problem *global) {
  stc_problem *local = NULL;
  assert_int_equal(stc_problem_to_local(global, &local), STC_OK);
  stc_problem_free(&global);
  return local;
}

// Free bodies, bodies with joints, no bodies, two structures side by side.
static stc_problem *problem_number(int k) {
  switch (k) {
  case 0:
    return irregular("spheres", 12, 0);
  case 1:
    return irregular("chain", 3, 1);
  case 2:
    return local_of(irregular("wall2d", 3, 2));
  case 3: {  // components, which auto solves one by one
    stc_problem *walls[] = {irregular("wall2d", 4, 3), irregular("wall2d", 3, 4)};
    return glue(walls, 2);
  }
  default:
    return NULL;
  }
}

static bool nothing_to_count(void) {
  if (heap_is_counted()) return false;
  print_message("the heap is not ours to count: passed over\n");
  return true;
}

static void solve_allocates_nothing(void **state) {
  if (nothing_to_count() || cuts_parts(*state)) skip();
  for (int k = 0;; k++) {
    stc_problem *problem = problem_number(k);
    if (!problem) break;
    stc_settings settings = settings_of(*state);
    settings.max_iterations = 2000;
    stc_solver *solver = NULL;
    answer a = answer_create(problem);
    assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
    for (int again = 0; again < 2; again++) {
      stc_solution solution = {.r = a.r, .u = a.u};
      a.r[0] = again;
      heap_begin();
      assert_int_equal(stc_solver_solve(solver, &solution, &a.info), STC_OK);
      assert_int_equal(heap_allocations(), 0);
      assert_true(a.info.iterations > 0);
    }
    stc_solver_free(&solver);
    answer_free(&a);
    stc_problem_free(&problem);
  }
}

// Velocities and multipliers as well, where the bodies are free.
static void recovery_allocates_nothing(void **state) {
  if (nothing_to_count() || cuts_parts(*state)) skip();
  stc_problem *problem = problem_number(0);
  stc_settings settings = settings_of(*state);
  settings.max_iterations = 20;
  stc_solver *solver = NULL;
  answer a = answer_create(problem);
  stc_solution solution = answer_view(&a);
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  heap_begin();
  assert_int_equal(stc_solver_solve(solver, &solution, &a.info), STC_OK);
  assert_int_equal(heap_allocations(), 0);
  stc_solver_free(&solver);
  answer_free(&a);
  stc_problem_free(&problem);
}

static void expect_update_allocates_nothing(const stc_problem *problem,
                                            const stc_settings *settings,
                                            const stc_update *update) {
  stc_solver *solver = NULL;
  assert_int_equal(stc_solver_setup(&solver, problem, settings), STC_OK);
  heap_begin();
  assert_int_equal(stc_solver_update(solver, update), STC_OK);
  assert_int_equal(heap_allocations(), 0);
  stc_solver_free(&solver);
}

// Nor do new numbers, where the bodies are free or the form is local.
static void update_allocates_nothing(void **state) {
  if (nothing_to_count()) skip();
  stc_problem *bodies = problem_number(0), *local = problem_number(2);
  const double *f = stc_problem_global_data(bodies).f, *mu = stc_problem_global_data(bodies).mu;
  const double *q = stc_problem_local_data(local).q;
  stc_settings settings = settings_of(*state);
  expect_update_allocates_nothing(bodies, &settings, &(stc_update){.f = f, .mu = mu});
  expect_update_allocates_nothing(local, &settings, &(stc_update){.q = q});
  stc_problem_free(&bodies);
  stc_problem_free(&local);
}

static void free_gives_everything_back(void **state) {
  if (nothing_to_count()) skip();
  for (int k = 0;; k++) {
    stc_problem *problem = problem_number(k);
    if (!problem) break;
    stc_settings settings = settings_of(*state);
    settings.max_iterations = 100;  // enough for parts to be cut
    stc_solver *solver = NULL;
    answer a = answer_create(problem);
    heap_begin();
    assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
    assert_true(heap_alive() > 0);
    assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = a.r}, NULL), STC_OK);
    stc_solver_free(&solver);
    assert_int_equal(heap_alive(), 0);
    answer_free(&a);
    stc_problem_free(&problem);
  }
}

// ---- failures ----

static void expect_setup_refused(const stc_problem *problem, const stc_settings *settings,
                                 stc_error code, const char *words) {
  stc_solver *solver = NULL;
  heap_begin();
  expect_failure(stc_solver_setup(&solver, problem, settings), code, words);
  assert_null(solver);
  assert_int_equal(heap_alive(), 0);
  stc_solver_free(&solver);
}

static void wrong_settings_leak_nothing(void **state) {
  stc_problem *problem = problem_number(0);
  stc_settings settings = settings_of(*state);
  settings.tol = NAN;
  expect_setup_refused(problem, &settings, STC_ERR_VALUE, "tol");
  settings = settings_of(*state);
  settings.nsgs.omega = 3;
  expect_setup_refused(problem, &settings, STC_ERR_VALUE, "nsgs.omega = 3 is not between");
  settings = settings_of("gauss");
  expect_setup_refused(problem, &settings, STC_ERR_ARGUMENT, "no method 'gauss'");
  settings = (stc_settings){.method = *state, .tol = 1e-8, .max_iterations = 100};
  expect_setup_refused(problem, &settings, STC_ERR_ARGUMENT, "stc_default_settings");
  settings = settings_of(*state);
  stc_solver *solver = NULL;
  expect_failure(stc_solver_setup(&solver, NULL, &settings), STC_ERR_ARGUMENT, "problem");
  expect_failure(stc_solver_setup(&solver, problem, NULL), STC_ERR_ARGUMENT, "settings");
  expect_failure(stc_solver_setup(NULL, problem, &settings), STC_ERR_ARGUMENT, "solver");
  stc_problem_free(&problem);
}

// Memory while it solves is what a caller must allow: setup refuses methods that cannot do without.
static void memory_must_be_allowed(void **state) {
  stc_problem *problem = problem_number(0);
  stc_settings settings = settings_of(*state);
  stc_solver *solver = NULL;
  settings.regions = 0;
  if (cuts_parts(*state))
    expect_setup_refused(problem, &settings, STC_ERR_ARGUMENT, "which allocates: set regions = 1");
  else
    assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  stc_solver_free(&solver);
  settings.regions = 1;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

static void wrong_numbers_change_nothing(void **state) {
  stc_problem *problem = sample_painleve(0, -1, 1);  // r = (1/3, 1/3)
  stc_settings settings = settings_of(*state);
  stc_solver *solver = NULL;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  const double odd[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    double r[2] = {0, odd[k]};
    expect_failure(stc_solver_solve(solver, &(stc_solution){.r = r}, NULL), STC_ERR_VALUE, "r[1]");
    double f[1] = {odd[k]}, mu[1] = {odd[k]};
    assert_int_not_equal(stc_solver_update(solver, &(stc_update){.f = f}), STC_OK);
    assert_int_not_equal(stc_solver_update(solver, &(stc_update){.mu = mu}), STC_OK);
  }
  expect_failure(stc_solver_solve(solver, &(stc_solution){0}, NULL), STC_ERR_ARGUMENT, "r");
  expect_failure(stc_solver_solve(NULL, &(stc_solution){0}, NULL), STC_ERR_ARGUMENT, "solver");
  expect_failure(stc_solver_update(solver, NULL), STC_ERR_ARGUMENT, "numbers");
  assert_int_not_equal(stc_solver_update(solver, &(stc_update){.mu = (double[]){-1}}), STC_OK);
  assert_int_not_equal(stc_solver_update(solver, &(stc_update){.q = (double[]){0, 0}}), STC_OK);
  double r[2] = {0};
  stc_info info;
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_vector(r, (double[]){1.0 / 3, 1.0 / 3}, 2, 1e-7);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

// Each allocation of setup fails once: setup says so, or does without, and gives everything back.
static void setup_survives_an_empty_heap(void **state) {
  if (nothing_to_count()) skip();
  for (int k = 0;; k++) {
    stc_problem *problem = problem_number(k);
    if (!problem) break;
    stc_settings settings = settings_of(*state);
    stc_solver *solver = NULL;
    long failures = 0;
    for (long number = 1, reached = 1; reached >= number - 1; number++) {
      heap_begin();
      heap_fail_at(number);
      stc_error error = stc_solver_setup(&solver, problem, &settings);
      reached = heap_allocations();
      heap_fail_at(0);
      if (error) {
        assert_int_equal(error, STC_ERR_MEMORY);
        assert_null(solver);
        failures++;
      }
      stc_solver_free(&solver);
      assert_int_equal(heap_alive(), 0);
    }
    assert_true(failures > 2);
    stc_problem_free(&problem);
  }
}

static const fact FACTS[] = {
    {"solve allocates nothing", solve_allocates_nothing},
    {"recovery of velocities allocates nothing", recovery_allocates_nothing},
    {"update allocates nothing", update_allocates_nothing},
    {"free gives everything back", free_gives_everything_back},
    {"wrong settings leak nothing", wrong_settings_leak_nothing},
    {"memory must be allowed", memory_must_be_allowed},
    {"wrong numbers change nothing", wrong_numbers_change_nothing},
    {"setup survives an empty heap", setup_survives_an_empty_heap},
};

int main(void) { return check_facts("memory", FACTS, sizeof FACTS / sizeof *FACTS); }
