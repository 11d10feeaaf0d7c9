// The exact parts behind certificates: linear programs, weights that balance, margins, components.
#include "cert_support.h"

#include "base/clock.h"
#include "base/stop.h"
#include "cert/criterion.h"
#include "cert/exact/balance.h"
#include "cert/exact/lp.h"
#include "cert/kinematic.h"

// ---- linear programs

static stc_lp *program(int rows, int cols, const double *A, const double *c) {
  stc_lp *lp = NULL;
  if (stc_lp_create(rows, cols, &lp)) fail_msg("%s", stc_error_detail());
  for (int k = 0; k < rows * cols; k++) stc_q_set_d(stc_lp_entry(lp, k / cols, k % cols), A[k]);
  for (int j = 0; j < cols; j++) stc_q_set_d(stc_lp_cost(lp, j), c[j]);
  stc_lp_load(lp);
  return lp;
}

// Sign of x - above/below.
static int compare_fraction(const stc_q x, long above, long below) {
  STC_Q a = {0}, b = {0};
  stc_q_set_i(a, above);
  stc_q_set_i(b, below);
  stc_q_div(a, a, b);
  return stc_q_cmp(x, a);
}

static void expect_fraction(const stc_q x, long above, long below) {
  if (compare_fraction(x, above, below) != 0)
    fail_msg("%.17g instead of %ld/%ld", stc_q_get_d(x), above, below);
}

// max x + y with x + 2 y <= 4, 3 x + y <= 6: both are tight, x = 8/5, y = 6/5.
static void the_exact_optimum_is_a_fraction(void **state) {
  stc_lp *lp = program(2, 2, (double[4]){1, 2, 3, 1}, (double[2]){-1, -1});
  stc_lp_bound_row(lp, 0, -INFINITY, 4);
  stc_lp_bound_row(lp, 1, -INFINITY, 6);
  assert_int_equal(stc_lp_solve(lp), STC_LP_OPTIMAL);
  assert_int_equal(stc_lp_solve_exact(lp), STC_LP_OPTIMAL);
  expect_fraction(lp->point.at[0], 8, 5);
  expect_fraction(lp->point.at[1], 6, 5);
  expect_fraction(lp->best.at[0], -14, 5);
  stc_lp_free(&lp);
}

// From a basis that is not the optimal one: nothing was solved in floating point.
static void the_exact_method_needs_no_start(void **state) {
  stc_lp *lp = program(2, 2, (double[4]){1, 2, 3, 1}, (double[2]){-1, -1});
  stc_lp_bound_row(lp, 0, -INFINITY, 4);
  stc_lp_bound_row(lp, 1, 1, 6);
  for (int j = 0; j < 2; j++) stc_lp_bound_col(lp, j, 0, INFINITY);
  assert_int_equal(stc_lp_solve_exact(lp), STC_LP_OPTIMAL);
  expect_fraction(lp->best.at[0], -14, 5);
  stc_lp_free(&lp);
}

// x + y >= 1 and x + y <= -1; then y >= 0 alone with the cost -y.
static void infeasible_and_unbounded_are_told_apart(void **state) {
  stc_lp *lp = program(2, 2, (double[4]){1, 1, 1, 1}, (double[2]){0, -1});
  stc_lp_bound_row(lp, 0, 1, INFINITY);
  stc_lp_bound_row(lp, 1, -INFINITY, -1);
  assert_int_equal(stc_lp_solve(lp), STC_LP_INFEASIBLE);
  assert_int_equal(stc_lp_solve_exact(lp), STC_LP_INFEASIBLE);
  stc_lp_bound_row(lp, 1, -INFINITY, INFINITY);
  assert_int_equal(stc_lp_solve(lp), STC_LP_UNBOUNDED);
  assert_int_equal(stc_lp_solve_exact(lp), STC_LP_UNBOUNDED);
  stc_lp_free(&lp);
}

// min -x with 3 x <= 1: the confirmed point is a double a little below 1/3, its value negative.
static void a_rounded_point_is_confirmed_inside(void **state) {
  stc_lp *lp = program(1, 1, (double[1]){3}, (double[1]){-1});
  stc_lp_bound_row(lp, 0, -INFINITY, 1);
  assert_true(stc_lp_confirm(lp));
  assert_true(compare_fraction(lp->point.at[0], 1, 3) < 0 && stc_q_get_d(lp->point.at[0]) > 0.333);
  assert_true(stc_q_sgn(lp->best.at[0]) < 0 && stc_q_get_d(lp->best.at[0]) >= -1.0 / 3.0);
  stc_lp_free(&lp);
}

// 0.1 x = 0.3 y with x, y >= 0 and the cost -x: the doubles 0.1 and 0.3 are not in the ratio 1 : 3,
// so that no small doubles solve it; x + y <= 2. Exactly x = 2 b / (a + b), a = 0.1, b = 0.3.
static void an_equation_is_left_to_exact_numbers(void **state) {
  stc_lp *lp = program(2, 2, (double[4]){0.1, -0.3, 1, 1}, (double[2]){-1, 0});
  STC_Q a = {0}, b = {0}, x = {0};
  stc_lp_bound_row(lp, 0, 0, 0);
  stc_lp_bound_row(lp, 1, -INFINITY, 2);
  for (int j = 0; j < 2; j++) stc_lp_bound_col(lp, j, 0, INFINITY);
  assert_false(stc_lp_confirm(lp));
  stc_lp_solve(lp);
  assert_int_equal(stc_lp_solve_exact(lp), STC_LP_OPTIMAL);
  stc_q_set_d(a, 0.1);
  stc_q_set_d(b, 0.3);
  stc_q_add(a, a, b);
  stc_q_div(x, b, a);
  stc_q_add(x, x, x);
  assert_true(stc_q_equal(x, lp->point.at[0]));
  stc_lp_free(&lp);
}

static void a_deadline_that_passed_is_a_failure(void **state) {
  stc_lp *lp = program(1, 1, (double[1]){3}, (double[1]){-1});
  stc_lp_bound_row(lp, 0, -INFINITY, 1);
  stc_stop stop;
  stc_stop_open(&stop, stc_clock() - 1.0, NULL, NULL);
  assert_int_equal(stc_lp_solve(lp), STC_LP_FAILED);
  assert_int_equal(stc_lp_solve_exact(lp), STC_LP_FAILED);
  assert_false(stc_lp_confirm(lp));
  stc_stop_close(&stop);
  stc_lp_free(&lp);
}

// ---- components in exact numbers

static stc_exact *exact_of(const stc_problem *problem) {
  stc_parts parts;
  stc_exact *exact = NULL;
  stc_exact_status status;
  assert_int_equal(stc_parts_create(problem, &parts), STC_OK);
  if (stc_exact_create(problem, &parts, 0, &status, &exact)) fail_msg("%s", stc_error_detail());
  assert_int_equal(status, STC_EXACT_DONE);
  stc_parts_free(&parts);
  return exact;
}

// M = 1, H = (1, k): y_N + k y_T = 0. With y_T held at 0.7 y_N = -0.7 k exactly, which is no
// double.
static void weights_balance_exactly(void **state) {
  double h[2] = {1.0, 0.1}, w[2] = {0.0, 1.0}, mu = 1.0, y[2] = {-0.07, 0.7};
  bool held[2] = {false, true};
  stc_problem *problem = one_dof(1, h, w, 1.0, &mu);
  stc_exact *exact = exact_of(problem);
  stc_rationals found = {0};
  STC_Q expected = {0}, k = {0};
  stc_q_set_d(k, -0.1);
  stc_q_set_d(expected, 0.7);
  stc_q_mul(expected, expected, k);
  assert_int_equal(stc_rationals_create(&found, 2), STC_OK);
  assert_true(stc_balance(exact, y, held, &found));
  assert_true(stc_q_equal(found.at[0], expected));
  assert_true(stc_q_get_d(found.at[1]) == 0.7);
  held[0] = true;  // nothing is left to solve for, and the rounded numbers do not balance
  assert_false(stc_balance(exact, y, held, &found));
  stc_rationals_free(&found);
  stc_exact_free(&exact);
  stc_problem_free(&problem);
}

// A wall that pushes both ways: u_N = v - 1 and u_N = -v - 1 are never both >= 0; their sum is -2.
static void velocities_may_contradict_each_other(void **state) {
  double h[4] = {1, 0, -1, 0}, w[4] = {-1, 0, -1, 0}, mu[2] = {0, 0};
  stc_problem *problem = one_dof(2, h, w, 0.0, mu);
  stc_exact *exact = exact_of(problem);
  stc_rationals y = {0};
  bool found = false;
  assert_int_equal(stc_kinematic_contradiction(exact, &found, &y), STC_OK);
  assert_true(found);
  assert_true(stc_q_equal(y.at[0], y.at[2]) && stc_q_sgn(y.at[0]) > 0);
  stc_rationals_free(&y);
  stc_certificate *certificate = certify(problem);
  expect_verdict(certificate, STC_VERDICT_NO_SOLUTION);
  assert_int_equal(stc_certificate_proof(certificate), STC_PROOF_KINEMATIC);
  assert_true(stc_certificate_margin(certificate) == 2.0);
  stc_certificate_free(&certificate);
  stc_exact_free(&exact);
  stc_problem_free(&problem);
}

// u_N = v + 1 >= 0 follows from v >= 0, not the other way round.
static void one_contact_may_keep_another_open(void **state) {
  double h[4] = {1, 0, 1, 0}, w[4] = {1, 0, 0, 0}, mu[2] = {1, 1};
  bool open[2] = {false, false};
  stc_problem *problem = one_dof(2, h, w, 0.0, mu);
  stc_exact *exact = exact_of(problem);
  for (int j = 0; j < 2; j++) {
    stc_rationals y = {0};
    bool found = false;
    assert_int_equal(stc_kinematic_never_closes(exact, open, j, &found, &y), STC_OK);
    assert_int_equal(found, j == 0);
    if (found) expect_fraction(y.at[2], 1, 1);
    stc_rationals_free(&y);
  }
  stc_exact_free(&exact);
  stc_problem_free(&problem);
}

// ---- margins

// At v = 1: u_N = h_N, u_T = 1, mu = 1, so that the margin is h_N - 1 exactly.
static void check_margin(double h_N, double t, bool holds, bool surely) {
  double h[2] = {h_N, 1.0}, w[2] = {0, 0}, mu = 1.0, v = 1.0;
  bool wanted = true, held = false;
  stc_problem *problem = one_dof(1, h, w, 0.0, &mu);
  stc_rationals point = {0}, l = {0};
  assert_int_equal(stc_rationals_from(&point, 1, &v, NULL, 1), STC_OK);
  held = stc_margin_holds(problem, &point, &l, &wanted, t);
  assert_int_equal(held, holds);
  double lower = stc_margin_lower(problem, &v, &wanted);
  assert_true(lower <= h_N - 1.0);
  assert_int_equal(lower > 0.0, surely);
  stc_rationals_free(&point);
  stc_problem_free(&problem);
}

static void margins_are_exact_or_below(void **state) {
  check_margin(1.0 + 0x1p-52, 0x1p-52, true, false);
  check_margin(1.0 + 0x1p-52, 0x1p-51, false, false);
  check_margin(1.0, 0.0, true, false);
  check_margin(1.0, 0x1p-1074, false, false);
  check_margin(1.0 - 0x1p-53, 0.0, false, false);
  check_margin(1.0 + 0x1p-40, 0x1p-40, true, true);
  check_margin(1.5, 0.5, true, true);
  check_margin(-1.5, 0.0, false, false);
}

// At v = (1, 1, 1): u_N = 1e16 + 1.5 - 1e16 = 1.5, which sums of doubles make 2; u_T = 1.75, mu
// = 1. The margin is -1/4, and no rounding may make it +1/4.
static void rounding_makes_no_margin(void **state) {
  double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, H[6] = {1e16, 1.5, -1e16, 0, 1.75, 0};
  double f[3] = {0}, w[2] = {0}, mu = 1.0, v[3] = {1, 1, 1};
  bool wanted = true, held = true;
  dense_global d = {.dim = 2, .contacts = 1, .dofs = 3, .M = M, .H = H, .f = f, .w = w, .mu = &mu};
  stc_problem *problem = NULL;
  stc_rationals point = {0}, l = {0};
  if (create_dense_global(&d, &problem)) fail_msg("%s", stc_error_detail());
  assert_int_equal(stc_rationals_from(&point, 3, v, NULL, 3), STC_OK);
  assert_true(stc_margin_lower(problem, v, &wanted) <= -0.25);
  held = stc_margin_holds(problem, &point, &l, &wanted, -0.25);
  assert_true(held);
  held = stc_margin_holds(problem, &point, &l, &wanted, -0.2);
  assert_false(held);
  stc_rationals_free(&point);
  stc_problem_free(&problem);
}

// ---- sets of solutions

// n coupled rods have two solutions each: 2^n points, none touching another.
static void isolated_solutions_are_not_joined(void **state) {
  for (int n = 1; n <= 4; n++) {
    stc_problem *problem = gallery("multiple", n, 0.1);
    stc_certificate *certificate = certify(problem);
    assert_int_equal(stc_certificate_sets(certificate), 1 << n);
    assert_true(stc_certificate_complete(certificate));
    for (int k = 0; k < 1 << n; k++) {
      stc_solution_set set;
      assert_true(stc_certificate_set(certificate, k, &set));
      assert_true(set.dimension == 0 && set.bounded);
    }
    stc_certificate_free(&certificate);
    stc_problem_free(&problem);
  }
}

// M = 1, u = (v, 0), f = 1: at v = 0 the reactions (1, p), |p| <= mu, of stick and of both slips
// are one segment, as u_T vanishes whatever the mode.
static void modes_that_touch_are_joined(void **state) {
  double h[2] = {1, 0}, w[2] = {0, 0}, mu = 0.5;
  stc_problem *problem = one_dof(1, h, w, 1.0, &mu);
  stc_certificate *certificate = certify(problem);
  stc_solution_set set;
  assert_int_equal(stc_certificate_sets(certificate), 1);
  assert_true(stc_certificate_set(certificate, 0, &set));
  assert_true(set.dimension == 1 && set.velocity_dimension == 0 && set.bounded);
  assert_true(set.r[0] == 1.0 && fabs(set.r[1]) <= 0.5);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// ---- magnitudes

// certify() checks what is claimed; the verdict is one of two.
static void expect_one_of(stc_problem *problem, stc_verdict one, stc_verdict other) {
  stc_certificate *certificate = certify(problem);
  stc_verdict verdict = stc_certificate_verdict(certificate);
  if (verdict != one) assert_int_equal(verdict, other);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// Free velocities of 1e608 m/s. u = (v/2 - 1, v), mu > 1/2: without reactions v is negative, slip
// at v = 2 is pushed back by (1/2 - mu) r_N, and u = 0 asks for v = 2 and v = 0.
static void velocities_beyond_doubles_prove_nothing_false(void **state) {
  double mass = 1e-300, H[] = {0.5, 1}, f = 1.7e308, w[] = {-1, 0}, mu = 1.8;
  dense_global d = {.dim = 2, .contacts = 1, .dofs = 1, .M = &mass, .H = H};
  d.f = &f, d.w = w, d.mu = &mu;
  expect_one_of(make_global(&d), STC_VERDICT_NO_SOLUTION, STC_VERDICT_UNDECIDED);
}

// u_N = v - 1 at contact 0 and 1.1 v + 1 at contact 1, on 5e-324 kg: contact 0 may close, by 1.9
// m/s beside free velocities of 2e323.
static void what_may_close_by_little_may_close(void **state) {
  double mass[] = {0x1p-1074, 0, 0, 1e-300}, H[] = {1, 0, 0, 1, 1.1, 0, 0, 1.1};
  double f[] = {1, 0}, w[] = {-1, 0, 1, 0}, mu[] = {1, 0};
  dense_global d = {.dim = 2, .contacts = 2, .dofs = 2, .M = mass, .H = H};
  d.f = f, d.w = w, d.mu = mu;
  expect_one_of(make_global(&d), STC_VERDICT_EXISTS, STC_VERDICT_UNDECIDED);
}

// Margins of more than the greatest double, in the plane and in space.
static void margins_are_doubles(void **state) {
  double M[] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, f[] = {2, 1e308, 1e308}, w[4] = {0};
  double H[] = {-1, -1, -1, 1, 1, 0.5, 1, 2, 0.5, 1, 1, 0}, mu[] = {50, 0.3};
  dense_global plane = {.dim = 2, .contacts = 2, .dofs = 3, .M = M, .H = H};
  plane.f = f, plane.w = w, plane.mu = mu;
  expect_one_of(make_global(&plane), STC_VERDICT_EXISTS, STC_VERDICT_EXISTS);
  double mass = 2, row[] = {1, 1e308, 0.5}, force = 0.5, none[3] = {0}, smooth = 0;
  dense_global space = {.dim = 3, .contacts = 1, .dofs = 1, .M = &mass, .H = row};
  space.f = &force, space.w = none, space.mu = &smooth;
  expect_one_of(make_global(&space), STC_VERDICT_EXISTS, STC_VERDICT_EXISTS);
}

// W of 1e320, and a mass of 5e-324 kg, of which there is no half: linear programs get numbers that
// are doubles, and the checker halves nothing.
static void products_beyond_doubles_are_no_lack_of_memory(void **state) {
  double M[] = {2, 0, 0, 1}, H[] = {1e160, 1, 0, 1e160}, f[] = {2, 1e160}, w[2] = {0}, mu = 0;
  dense_global large = {.dim = 2, .contacts = 1, .dofs = 2, .M = M, .H = H};
  large.f = f, large.w = w, large.mu = &mu;
  expect_one_of(make_global(&large), STC_VERDICT_EXISTS, STC_VERDICT_EXISTS);
  double mass[] = {0x1p-1074, 0, 0, 1}, rows[] = {1, 1, 0, 0, 2, 1, -1, 0}, force[] = {0, 2};
  double velocity[4] = {0}, friction[] = {1, 0.9};
  dense_global light = {.dim = 2, .contacts = 2, .dofs = 2, .M = mass, .H = rows};
  light.f = force, light.w = velocity, light.mu = friction;
  expect_one_of(make_global(&light), STC_VERDICT_EXISTS, STC_VERDICT_UNDECIDED);
}

// In space, W of 5e-321: what is needed for rest is no double, and the search goes on without it.
static void reactions_beyond_doubles_end_no_search(void **state) {
  double W[36] = {0}, q[] = {0, 0, -1, 0, -1, 0}, mu[] = {0, 5};
  W[7] = 5e-321, W[10] = W[25] = 5.5e-321, W[28] = 6.05e-321;
  dense_local d = {.dim = 3, .contacts = 2, .W = W, .q = q, .mu = mu};
  stc_problem *problem = NULL;
  expect_ok(create_dense_local(&d, &problem));
  expect_one_of(problem, STC_VERDICT_EXISTS, STC_VERDICT_UNDECIDED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_exact_optimum_is_a_fraction),
      cmocka_unit_test(the_exact_method_needs_no_start),
      cmocka_unit_test(infeasible_and_unbounded_are_told_apart),
      cmocka_unit_test(a_rounded_point_is_confirmed_inside),
      cmocka_unit_test(an_equation_is_left_to_exact_numbers),
      cmocka_unit_test(a_deadline_that_passed_is_a_failure),
      cmocka_unit_test(weights_balance_exactly),
      cmocka_unit_test(velocities_may_contradict_each_other),
      cmocka_unit_test(one_contact_may_keep_another_open),
      cmocka_unit_test(margins_are_exact_or_below),
      cmocka_unit_test(rounding_makes_no_margin),
      cmocka_unit_test(isolated_solutions_are_not_joined),
      cmocka_unit_test(modes_that_touch_are_joined),
      cmocka_unit_test(velocities_beyond_doubles_prove_nothing_false),
      cmocka_unit_test(what_may_close_by_little_may_close),
      cmocka_unit_test(margins_are_doubles),
      cmocka_unit_test(products_beyond_doubles_are_no_lack_of_memory),
      cmocka_unit_test(reactions_beyond_doubles_end_no_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
