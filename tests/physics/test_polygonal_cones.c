// Cones over regular polygons inside and around the circles of friction: as sides grow, the
// velocities of a wall and of a pile that slide come to those with round cones. A slip between the
// normals of two sides has the reaction of the corner, up to pi / n off its direction, so that
// velocities differ by O(1/n). A wall that slides has several solutions: the one with round cones
// is looked for from the reactions of the finest polygons.
#include <stiction/generate.h>
#include <stiction/solve.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FEWEST_SIDES = 12, MOST_SIDES = 768 };

static const double TURN = 6.283185307179586;

static stc_cone_section *regular_polygon(int sides, bool around) {
  double corner[2 * MOST_SIDES], radius = around ? 1.0 / cos(TURN / 2 / sides) : 1.0;
  stc_cone_section *section = NULL;
  for (int k = 0; k < sides; k++) {
    corner[2 * k] = radius * cos(TURN * k / sides);
    corner[2 * k + 1] = radius * sin(TURN * k / sides);
  }
  assert_int_equal(stc_cone_section_polygon(sides, corner, &section), STC_OK);
  return section;
}

// The same problem, its circles replaced.
static stc_problem *with_section(const stc_problem *round, const stc_cone_section *section) {
  int contacts = stc_problem_contacts(round);
  stc_law *law = calloc((size_t)contacts, sizeof *law);
  stc_problem *problem = NULL;
  for (int c = 0; c < contacts; c++) {
    law[c] = stc_law_section(section);
    law[c].mu[0] = law[c].mu[1] = stc_problem_law(round, c)->mu[0];
  }
  stc_global_data data = stc_problem_global_data(round);
  data.law = law;
  if (stc_problem_create_global(&data, &problem)) fail_msg("%s", stc_error_detail());
  free(law);
  return problem;
}

// The velocities, from the reactions r [size], which become those of the answer.
static double *velocities(const stc_problem *problem, double *r) {
  double *v = calloc((size_t)stc_problem_dofs(problem), sizeof *v);
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  settings.tol = 1e-10;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r, .v = v}, &info), STC_OK);
  if (info.status != STC_STATUS_SOLVED)
    fail_msg("%s, eta = %g", stc_status_name(info.status), info.residual.eta);
  stc_solver_free(&solver);
  return v;
}

static double *with_sides(const stc_problem *round, int sides, bool around, double *r) {
  stc_cone_section *section = regular_polygon(sides, around);
  stc_problem *problem = with_section(round, section);
  double *v = velocities(problem, r);
  stc_problem_free(&problem);
  stc_cone_section_free(&section);
  return v;
}

// |v - v0| / |v0|.
static double distance_of(int dofs, const double *v, const double *v0) {
  double difference = 0.0, size = 0.0;
  for (int k = 0; k < dofs; k++) {
    difference = hypot(difference, v[k] - v0[k]);
    size = hypot(size, v0[k]);
  }
  return difference / size;
}

static void converges(stc_generator generator, double coarse) {
  stc_problem *given = NULL, *round = NULL;
  double away[2] = {0.0, 0.0};
  assert_int_equal(stc_generate(&generator, &given), STC_OK);
  assert_int_equal(stc_problem_to_global(given, &round), STC_OK);
  int dofs = stc_problem_dofs(round);
  size_t size = (size_t)stc_problem_size(round);
  double *r = calloc(size, sizeof *r), *finest = with_sides(round, MOST_SIDES, false, r);
  double *v0 = velocities(round, r);
  print_message("%s, %d contacts\n", generator.kind, stc_problem_contacts(round));
  for (int sides = FEWEST_SIDES; sides <= MOST_SIDES; sides *= 4) {
    for (int around = 0; around < 2; around++) {
      memset(r, 0, size * sizeof *r);
      double *v = with_sides(round, sides, around, r);
      away[around] = distance_of(dofs, v, v0);
      free(v);
      assert_true(away[around] < coarse * FEWEST_SIDES / sides);
    }
    print_message("%3d sides: %.2e inside, %.2e around\n", sides, away[0], away[1]);
  }
  free(finest);
  free(r);
  free(v0);
  stc_problem_free(&round);
  stc_problem_free(&given);
}

static void a_wall_converges(void **state) {
  stc_generator wall = stc_default_generator("wall");
  wall.n = wall.n2 = 3;
  wall.param = 0.7;
  wall.disorder = 1.0;
  converges(wall, 0.2);
}

static void a_pile_converges(void **state) {
  stc_generator pile = stc_default_generator("spheres");
  pile.n = 30;
  pile.param = 0.5;
  pile.disorder = 1.0;
  converges(pile, 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_wall_converges),
                                     cmocka_unit_test(a_pile_converges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
