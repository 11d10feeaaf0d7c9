// The contact problems of pyramids of boxes that land: few contacts decide, most are redundant and
// nearly at rest, and whatever path leads to a solution has folds.
#include "yard.h"

#include <stiction/solve.h>

enum { ROWS = 9, BOXES = ROWS * (ROWS + 1) / 2, STEPS = 32, FIRST = 4 };
static const double SIDE = 0.5, GAP = 0.01;

/// Rows of boxes, one fewer in each, every box over the gap of two; all fall at once.
static stc_world *pyramid(double mu, double h) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h, settings.tol = 1e-8, settings.accept = 1, settings.budget = 0;
  stc_world *world = yard_create(&settings);
  yard_floor(world, 0);
  yard_surfaces(world, mu, 0);
  stc_part part = yard_box(SIDE / 2, SIDE / 2, SIDE / 2);
  for (int row = 0; row < ROWS; row++)
    for (int k = 0; k < ROWS - row; k++) {
      double x = 1.1 * SIDE * (k + 0.5 * row), z = SIDE * (row + 0.5) + GAP * (row + 1);
      stc_rigid_body body = yard_body(&part, x, 0, z);
      yard_add(world, &body);
    }
  yard_start(world);
  return world;
}

/// Iterations of auto from zero; it is to solve the problem.
static long solve_cold(const stc_problem *problem, double tol) {
  stc_settings settings = stc_default_settings();
  double *r = calloc((size_t)stc_problem_size(problem) + 1, sizeof *r);
  stc_solver *solver = NULL;
  stc_info info;
  settings.tol = tol;
  assert_non_null(r);
  expect_ok(stc_solver_setup(&solver, problem, &settings));
  expect_ok(stc_solver_solve(solver, &(stc_solution){.r = r}, &info));
  if (info.status != STC_STATUS_SOLVED) print_error("%s: eta %g\n", info.method, info.residual.eta);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  stc_solver_free(&solver);
  free(r);
  return info.iterations;
}

static void expect_steps(double mu, double h, double tol, long most) {
  stc_world *world = pyramid(mu, h);
  long sum = 0, worst = 0;
  for (int k = 0; k < STEPS; k++) {
    yard_step(world);
    const stc_problem *problem = stc_world_problem(world, NULL);
    if (k < FIRST || !problem || stc_problem_contacts(problem) == 0) continue;
    long steps = solve_cold(problem, tol);
    sum += steps;
    worst = steps > worst ? steps : worst;
  }
  printf("  %d boxes, mu = %g, h = %g: %ld iterations, %ld for a step\n", BOXES, mu, h, sum, worst);
  stc_world_free(&world);
  assert_true(sum <= most);
}

static void landing_takes_few_iterations(void **state) {
  // 2246 with a proximal term that falls tenfold each time and problems that are lost after 8 steps
  expect_steps(0.7, 0.016, 1e-5, 1700);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landing_takes_few_iterations),
  };
  return cmocka_run_group_tests_name("pyramid_solves", tests, NULL, NULL);
}
