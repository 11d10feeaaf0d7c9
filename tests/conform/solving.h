// A solve from start to end whose answer is never believed: the judge is asked again, the textbook
// is asked, and the status must fit what they say.
#ifndef STC_CONFORM_SOLVING_H
#define STC_CONFORM_SOLVING_H

#include "independent.h"
#include "unit/samples.h"

#include <stiction/generate.h>
#include <stiction/solve.h>

/// A problem within tol in the norm of eta has contacts that are this close to the textbook: one
/// that slips at the part a of the top speed is off by tol from stick or by tol / a from slip, at
/// worst by sqrt(tol), times ten for the sum over some hundred contacts.
static const double TEXTBOOK_TOL = 1e-3;

typedef struct answer {
  double *r, *u, *v, *l;
  stc_info info;
} answer;

static inline double *answer_array(int n) {
  double *x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static inline answer answer_create(const stc_problem *problem) {
  int size = stc_problem_size(problem), dofs = stc_problem_dofs(problem);
  return (answer){.r = answer_array(size),
                  .u = answer_array(size),
                  .v = answer_array(dofs),
                  .l = answer_array(stc_problem_equalities(problem))};
}

static inline void answer_free(answer *a) {
  free(a->r);
  free(a->u);
  free(a->v);
  free(a->l);
  *a = (answer){0};
}

static inline stc_solution answer_view(const answer *a) {
  return (stc_solution){.r = a->r, .u = a->u, .v = a->v, .l = a->l};
}

/// Methods that cannot do without memory while they solve.
static inline bool cuts_parts(const char *method) { return !strcmp(method, "schwarz"); }

/// Settings of a method that leave it little time: every problem of the suites is small.
static inline stc_settings settings_of(const char *method) {
  stc_settings settings = stc_default_settings();
  settings.method = method;
  settings.time_limit = 20;
  settings.max_iterations = 200000;
  settings.regions = cuts_parts(method);
  return settings;
}

/// Equal up to the rounding of W r + q, whose terms may be a thousand times the sum.
static inline void expect_same_number(double found, double expected) {
  expect_near(found, expected, 1e-9 * fabs(expected) + 1e-12);
}

/// info is what the judge finds when it is asked again, and the velocities belong to r.
static inline void expect_honest_info(const stc_problem *problem, const answer *a) {
  stc_residual again;
  stc_solution solution = answer_view(a);
  if (stc_problem_form(problem) == STC_FORM_LOCAL) solution.v = NULL;
  assert_int_equal(stc_problem_residual(problem, &solution, &again), STC_OK);
  const stc_residual *told = &a->info.residual;
  expect_same_number(told->eta, again.eta);
  expect_same_number(told->eta_max, again.eta_max);
  expect_same_number(told->fclib_error, again.fclib_error);
  assert_int_equal(told->open + told->stick + told->slip + told->violated,
                   stc_problem_contacts(problem));
  assert_true(again.kinematics <= 1e-12);
  if (a->info.status != STC_STATUS_SOLVED) return;  // a runaway r drowns f and b in its rounding
  assert_true(again.dynamics <= 1e-12);
  assert_true(again.equality <= 1e-10);
}

/// "Solved" is said exactly when the judge's numbers allow it, and then the textbook agrees.
static inline void expect_honest_status(const stc_problem *problem, const answer *a, double tol) {
  const stc_residual *told = &a->info.residual;
  bool within = told->eta <= tol && told->fclib_error <= tol;
  if (a->info.status == STC_STATUS_NO_SOLUTION) return;
  assert_int_equal(a->info.status == STC_STATUS_SOLVED, within);
  if (within) assert_true(independent_distance(problem, a->r, TEXTBOOK_TOL) <= TEXTBOOK_TOL);
}

/// Solves from the r that `a` holds, and checks that nobody lies.
static inline void solve_once(stc_solver *solver, const stc_problem *problem, double tol,
                              answer *a) {
  stc_solution solution = answer_view(a);
  if (stc_problem_form(problem) == STC_FORM_LOCAL) solution.v = NULL;
  assert_int_equal(stc_solver_solve(solver, &solution, &a->info), STC_OK);
  expect_honest_info(problem, a);
  expect_honest_status(problem, a, tol);
}

static inline answer solve_from(const stc_problem *problem, const stc_settings *settings,
                                const double *start) {
  answer a = answer_create(problem);
  stc_solver *solver = NULL;
  for (int k = 0; start && k < stc_problem_size(problem); k++) a.r[k] = start[k];
  assert_int_equal(stc_solver_setup(&solver, problem, settings), STC_OK);
  solve_once(solver, problem, settings->tol, &a);
  stc_solver_free(&solver);
  assert_null(solver);
  return a;
}

static inline answer solve_cold(const stc_problem *problem, const char *method) {
  stc_settings settings = settings_of(method);
  return solve_from(problem, &settings, NULL);
}

static inline void expect_status(const answer *a, stc_status status) {
  if (a->info.status == status) return;
  print_error("%s: %s instead of %s, eta %.2e, fclib_error %.2e; %s\n", a->info.method,
              stc_status_name(a->info.status), stc_status_name(status), a->info.residual.eta,
              a->info.residual.fclib_error, a->info.reason);
  fail();
}

static inline void expect_vector(const double *found, const double *expected, int n,
                                 double tolerance) {
  for (int k = 0; k < n; k++) expect_near(found[k], expected[k], tolerance);
}

/// A generated problem; `set` may change the defaults of the kind.
static inline stc_problem *generate(stc_generator options) {
  stc_problem *problem = NULL;
  stc_error error = stc_generate(&options, &problem);
  if (error) print_error("%s: %s\n", options.kind, stc_error_detail());
  assert_int_equal(error, STC_OK);
  return problem;
}

static inline stc_problem *generate_kind(const char *kind, int n, int n2, double param) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.n2 = n2;
  options.param = param;
  return generate(options);
}

/// Is `word` one of the words of the list?
static inline bool named(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; at && (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
  return false;
}

#endif
