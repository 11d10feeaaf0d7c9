// The gallery's small problems against the closed forms of the theory.
#include "generate_support.h"

static void compare(const stc_global_data *g, int size, int dofs, const double *H, const double *f,
                    const double *w) {
  assert_int_equal(g->dim * g->contacts, size);
  assert_int_equal(g->dofs, dofs);
  for (int i = 0; i < dofs; i++) {
    double row[3];
    row_of(&g->M, i, dofs, 0, row);
    for (int j = 0; j < dofs; j++) assert_true(row[j] == (i == j ? 1.0 : 0.0));
    assert_true(near(g->f[i], f[i]));
  }
  for (int i = 0; i < size; i++) {
    double row[3];
    row_of(&g->H, i, dofs, 0, row);
    for (int j = 0; j < dofs; j++) assert_true(near(row[j], H[i * dofs + j]));
    assert_true(near(g->w[i], w[i]));
  }
}

// M = 1, H = (1, 2), mu = 1; cases 0 and 1 have w_T = 1, cases 2 and 3 w_T = -1, f = +1 and -1 in
// turn.
static void painleve_data_are_those_of_the_theory(void **state) {
  static const double H[2] = {1, 2}, f[4] = {1, -1, 1, -1},
                      w[4][2] = {{0, 1}, {0, 1}, {0, -1}, {0, -1}};
  for (int n = 0; n < 4; n++) {
    stc_generator options = stc_default_generator("painleve");
    options.n = n;
    stc_problem *problem = generate_problem(&options);
    stc_global_data g = stc_problem_global_data(problem);
    compare(&g, 2, 1, H, &f[n], w[n]);
    assert_true(g.mu[0] == 1.0);
    stc_problem_free(&problem);
  }
  stc_generator options = stc_default_generator("painleve");
  options.n = 4;
  stc_problem *problem = generate_problem(&options);
  stc_global_data g = stc_problem_global_data(problem);
  compare(&g, 4, 1, (double[4]){1, 2, 1, 0}, (double[1]){10}, (double[4]){0, 1, -1, 0});
  assert_true(g.mu[0] == 1.0 && g.mu[1] == 0.5);
  stc_problem_free(&problem);
  options = stc_default_generator("painleve3d");
  options.param = 1.74;
  problem = generate_problem(&options);
  g = stc_problem_global_data(problem);
  compare(&g, 3, 1, (double[3]){1, 2, 0}, (double[1]){1}, (double[3]){0, 1, 1.74});
  stc_problem_free(&problem);
}

// n1 = (-sin a, cos a), t1 = (cos a, sin a), n2 = (-sin a, -cos a), t2 = (cos a, -sin a), f = -v^-,
// w_N = -e V sin a.
static void wedge_data_are_those_of_the_theory(void **state) {
  static const double angle[4] = {0.3, 0.3, 0.6, 0.6}, e[4] = {0.5, 0.0, 0.5, 0.0};
  for (int n = 0; n < 4; n++) {
    stc_generator options = stc_default_generator("wedge");
    options.n = n;
    stc_problem *problem = generate_problem(&options);
    stc_global_data g = stc_problem_global_data(problem);
    double c = cos(angle[n]), s = sin(angle[n]);
    compare(&g, 4, 2, (double[8]){-s, c, c, s, -s, -c, c, -s}, (double[2]){-1, 0},
            (double[4]){-e[n] * s, 0, -e[n] * s, 0});
    assert_true(g.mu[0] == 0.5 && g.mu[1] == 0.5);
    stc_problem_free(&problem);
  }
  stc_generator options = stc_default_generator("wedge3d");
  options.param = 6.0525;
  stc_problem *problem = generate_problem(&options);
  stc_global_data g = stc_problem_global_data(problem);
  double c = cos(0.3), s = sin(0.3);
  compare(&g, 6, 3, (double[18]){-s, c, 0, c, s, 0, 0, 0, 1, -s, -c, 0, c, -s, 0, 0, 0, 1},
          (double[3]){-1, 0, -6.0525}, (double[6]){-0.5 * s, 0, 0, -0.5 * s, 0, 0});
  stc_problem_free(&problem);
}

// The judge finds nothing wrong with r, and r moves the bodies with velocity v.
static void assert_solves(const stc_generator *options, double *r, const double *v) {
  stc_problem *problem = generate_problem(options);
  double *computed = numbers(stc_problem_dofs(problem));
  stc_residual residual;
  assert_int_equal(stc_problem_residual(problem, &(stc_solution){.r = r}, &residual), STC_OK);
  expect_near(residual.eta, 0.0, 1e-13);
  assert_int_equal(stc_problem_complete(problem, &(stc_solution){.r = r, .v = computed}), STC_OK);
  for (int i = 0; i < stc_problem_dofs(problem); i++) expect_near(computed[i], v[i], 1e-13);
  free(computed);
  stc_problem_free(&problem);
}

// The solutions printed in the table of each problem. The wedge that opens wide enough throws the
// point back: v = (-e, 0), r_N = (1 + e) / (2 (sin a - mu cos a)), r_T = mu r_N.
static void theory_problems_have_their_known_solutions(void **state) {
  static double none[4] = {0};
  stc_generator options = stc_default_generator("painleve");
  options.n = 1;
  assert_solves(&options, none, (double[]){1});
  assert_solves(&options, (double[]){1, -1}, (double[]){0});
  options.n = 2;
  assert_solves(&options, (double[]){1.0 / 3, 1.0 / 3}, (double[]){0});
  options.n = 3;
  assert_solves(&options, none, (double[]){1});
  options.n = 4;
  assert_solves(&options, (double[]){0, 0, 11, 5.5}, (double[]){1});
  options = stc_default_generator("painleve3d");
  options.param = 2.0;
  double N = 1.0 / (1.0 - 2.0 / sqrt(5.0)), slip = N / sqrt(5.0);
  assert_solves(&options, (double[]){N, -slip, -2.0 * slip}, (double[]){0});
  options = stc_default_generator("wedge");
  options.n = 2;
  N = 1.5 / (2.0 * (sin(0.6) - 0.5 * cos(0.6)));
  expect_near(N, 4.935, 5e-4);
  assert_solves(&options, (double[]){N, 0.5 * N, N, 0.5 * N}, (double[]){-0.5, 0});
  options.n = 1;
  N = 1.0 / (2.0 * sin(0.3));
  assert_solves(&options, (double[]){N, 0, N, 0}, (double[]){0, 0});
}

// A cube on a slope with tan(alpha) > mu slides: v_x = h g (sin(alpha) - mu cos(alpha)), friction
// mu r_N at each corner; its moment moves the part mu of the normal load to the lower corners.
static void box_slides_down_a_slope(void **state) {
  stc_generator options = regular("box", 1, 0);
  options.param = 0.6;
  options.mu = 0.3;
  stc_problem *problem = generate_problem(&options);
  stc_global_data g = stc_problem_global_data(problem);
  double weight = 2500.0 * 0.125 * 9.81 * options.step, r[12] = {0};
  for (int c = 0; c < 4; c++) {
    double side = side_of_corner(&g, c);
    r[3 * c] = weight / 4.0 * cos(0.6) * (1.0 + side * options.mu);
    r[3 * c + 1] = -options.mu * r[3 * c];
  }
  stc_problem_free(&problem);
  double v = options.step * 9.81 * (sin(0.6) - options.mu * cos(0.6));
  assert_solves(&options, r, (double[6]){v});
}

// The points of a groove share the load of a wedge with two points. mu = 0.2 < tan 0.3: the slider
// comes back with v = (-e, 0), and each wall carries N = (1 + e) / (2 (sin a - mu cos a)) in all.
static void a_wide_groove_throws_the_slider_back(void **state) {
  stc_generator options = stc_default_generator("jammed");
  options.n = 5;
  options.mu = 0.2;
  double N = 1.5 / (2.0 * (sin(0.3) - 0.2 * cos(0.3))), r[10];
  for (int k = 0; k < 5; k++) {
    r[2 * k] = N / (k % 2 == 0 ? 3.0 : 2.0);
    r[2 * k + 1] = 0.2 * r[2 * k];
  }
  assert_solves(&options, r, (double[]){-0.5, 0});
}

// mu = 0.5 > tan 0.3, e = 0: the slider stops, and walls that press evenly balance the push.
static void a_jammed_groove_without_restitution_holds(void **state) {
  stc_generator options = stc_default_generator("jammed");
  options.param = 0.0;
  double N = 1.0 / (4.0 * sin(0.3));
  assert_solves(&options, (double[]){N, 0, N, 0, N, 0, N, 0}, (double[]){0, 0});
}

// Two coupled rods, M = (1 c; c 1): both slide with r_N = 1; one flies with v = 1 and the other
// slides with r_N = 1 - c; both fly with v = 1 / (1 + c).
static void coupled_rods_have_four_solutions(void **state) {
  stc_generator options = stc_default_generator("multiple");
  options.n = 2;
  assert_solves(&options, (double[]){1, -1, 1, -1}, (double[]){0, 0});
  assert_solves(&options, (double[]){0, 0, 0.75, -0.75}, (double[]){1, 0});
  assert_solves(&options, (double[]){0.75, -0.75, 0, 0}, (double[]){0, 1});
  assert_solves(&options, (double[]){0, 0, 0, 0}, (double[]){0.8, 0.8});
  options.param = 0.5;
  stc_problem *problem = NULL;
  expect_failure(stc_generate(&options, &problem), STC_ERR_VALUE, "between -0.5 and 0.5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(painleve_data_are_those_of_the_theory),
      cmocka_unit_test(wedge_data_are_those_of_the_theory),
      cmocka_unit_test(theory_problems_have_their_known_solutions),
      cmocka_unit_test(box_slides_down_a_slope),
      cmocka_unit_test(a_wide_groove_throws_the_slider_back),
      cmocka_unit_test(a_jammed_groove_without_restitution_holds),
      cmocka_unit_test(coupled_rods_have_four_solutions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
