// Regions: what is wrong at one place is mended there, and nothing else changes.
#include "piles.h"

#include "solve/subproblem/region.h"

// A pile of 340 spheres solved to 1e-10, in the solver's units; the reactions at one contact and
// what they do elsewhere are then all that is wrong.
static stc_solver *solved_pile(stc_problem *problem) {
  stc_settings settings = stc_default_settings();
  settings.method = "apgd";
  settings.tol = 1e-10;
  stc_solver *solver = NULL;
  stc_info info;
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  free(r);
  return solver;
}

static void spoil(stc_solver *s, int contact) {
  for (int k = 3 * contact; k < 3 * contact + 3; k++) s->r[k] *= 0.99;
  s->best_merit = INFINITY;
  s->improved = false;
  stc_solver_judge(s);
}

static void a_local_error_is_mended_where_it_is(void **state) {
  (void)state;
  stc_problem *problem = pile("spheres", 340, 2);
  stc_solver *s = solved_pile(problem);
  size_t size = (size_t)s->problem->size;
  double *before = calloc(size, sizeof *before);
  const stc_region region = {.share = 0.99, .most = 0.5, .rings = 2};
  int contacts = -1, changed = 0;
  spoil(s, 100);
  double wrong = s->merit;
  assert_true(wrong > 1e-6);
  memcpy(before, s->r, size * sizeof *before);
  assert_int_equal(stc_region_solve(s, &region, 3000, &contacts), STC_OK);
  assert_in_range(contacts, 10, 500);
  for (size_t c = 0; c < size / 3; c++)
    changed += memcmp(before + 3 * c, s->r + 3 * c, 3 * sizeof *before) != 0;
  assert_in_range(changed, 1, contacts);
  stc_solver_judge(s);
  assert_true(s->merit < 0.1 * wrong);
  free(before);
  stc_solver_free(&s);
  stc_problem_free(&problem);
}

// At the start the contacts that bear on the box are wrong: two rings around them are a third of a
// small pile, too many for a region of a tenth.
static void too_large_a_region_is_none(void **state) {
  (void)state;
  stc_problem *problem = pile("spheres", 100, 1);
  stc_settings settings = stc_default_settings();
  stc_solver *s = NULL;
  assert_int_equal(stc_solver_setup(&s, problem, &settings), STC_OK);
  memset(s->r, 0, (size_t)s->problem->size * sizeof *s->r);
  s->best_merit = INFINITY;
  stc_solver_judge(s);
  const stc_region region = {.share = 0.99, .most = 0.1, .rings = 2};
  int contacts = -1;
  assert_int_equal(stc_region_solve(s, &region, 1000, &contacts), STC_OK);
  assert_int_equal(contacts, 0);
  for (int k = 0; k < s->problem->size; k++) assert_true(s->r[k] == 0);
  stc_solver_free(&s);
  stc_problem_free(&problem);
}

TEST_PROGRAM(cmocka_unit_test(a_local_error_is_mended_where_it_is),
             cmocka_unit_test(too_large_a_region_is_none))
