// Facts about a problem against hand counts.
#include "samples.h"

enum { LIMIT = 100 };

static stc_stats stats_of(const stc_problem *p, int rank_limit) {
  stc_stats stats;
  assert_int_equal(stc_problem_stats(p, rank_limit, &stats), STC_OK);
  return stats;
}

static void stats_of_painleve(void **state) {
  // W = h h^T with h = (1, 2): rank 1, its one singular value is 5.
  stc_problem *p = sample_painleve(0, 1, 1);
  stc_stats s = stats_of(p, LIMIT);
  assert_int_equal(s.bodies, 1);
  assert_int_equal(s.components, 1);
  assert_int_equal(s.largest_component, 1);
  assert_int_equal(s.immovable, 0);
  expect_near(s.blocks_per_row, 1, 0);
  expect_near(s.mu_min, 1, 0);
  expect_near(s.mu_max, 1, 0);
  expect_near(s.asymmetry, 0, 0);
  assert_int_equal(s.rank, 1);
  expect_near(s.condition, 1, 1e-14);
  expect_near(s.diagonal_ratio, 1, 0);
  stc_problem_free(&p);
}

static void two_boxes(void **state) {
  // M is diagonal: every degree of freedom is a block. Each contact is coupled to the four of its
  // box; W has the rank of the 2 x 6 degrees of freedom.
  stc_problem *p = sample_boxes(2);
  stc_stats s = stats_of(p, LIMIT);
  assert_int_equal(s.bodies, 12);
  assert_int_equal(s.components, 2);
  assert_int_equal(s.largest_component, 4);
  expect_near(s.blocks_per_row, 4, 0);
  assert_int_equal(s.rank, 12);
  // W has the eigenvalues of M^-1/2 H^T H M^-1/2. v_z: 4/2 = 2, omega_z: 8/4 = 2; v_x meets omega_y
  // and v_y omega_x in [4/2, 4/sqrt 8; 4/sqrt 8, 8/4] up to the sign, with eigenvalues 2 +- sqrt 2.
  expect_near(s.condition, 3 + 2 * sqrt(2), 1e-12);
  stc_problem_free(&p);
}

static void joints_are_eliminated(void **state) {
  // The bar adds the mass 2 to the tangential motion of mass 1: W = diag(1, 1/3), condition 3.
  stc_problem *p = sample_bar();
  stc_stats s = stats_of(p, LIMIT);
  assert_int_equal(s.rank, 2);
  expect_near(s.condition, 3, 1e-14);
  stc_problem_free(&p);
}

/// W = diag(1, 1), V = (0, 1) twice, R as given.
static stc_stats with_two_joints(const double *R) {
  const double W[] = {1, 0, 0, 1}, V[] = {0, 0, 1, 1}, q[] = {0, 0}, s[] = {0, 0}, mu[] = {0.5};
  dense_local d = {.dim = 2, .contacts = 1, .equalities = 2, .W = W, .V = V, .R = R};
  d.q = q, d.s = s, d.mu = mu;
  stc_problem *p = make_local(&d);
  stc_stats stats = stats_of(p, LIMIT);
  stc_problem_free(&p);
  return stats;
}

static void a_joint_that_blocks_the_contact_takes_rank(void **state) {
  // One joint with R = 1 leaves W - V R^-1 V^T = diag(1, 0). A second, equal one makes R singular
  // and changes nothing; nor does one whose row of R is empty, for R^+ is 0 there.
  stc_stats s = with_two_joints((const double[]){1, 1, 1, 1});
  assert_int_equal(s.rank, 1);
  expect_near(s.condition, 1, 1e-14);
  s = with_two_joints((const double[]){1, 0, 0, 0});
  assert_int_equal(s.rank, 1);
}

static void stored_zeros_couple_nothing(void **state) {
  // Two contacts with W = I and a zero stored between them.
  stc_problem *p = sample_zero_stored();
  stc_stats s = stats_of(p, LIMIT);
  expect_near(s.blocks_per_row, 1, 0);
  assert_int_equal(s.components, 2);
  stc_problem_free(&p);
}

static void asymmetry_and_immovable_contacts(void **state) {
  // Contact 0: [4 1; 0 2], contact 1: nothing, contact 2: diag(1, 0). kappa = 3, -, 1/2.
  double W[36] = {0};
  W[0] = 4, W[1] = 1, W[7] = 2, W[28] = 1;
  stc_problem *p = sample_local(3, W);
  stc_stats s = stats_of(p, LIMIT);
  expect_near(s.asymmetry, 0.25, 0);
  assert_int_equal(s.immovable, 1);
  expect_near(s.diagonal_ratio, 6, 1e-15);
  assert_int_equal(s.bodies, 0);
  assert_int_equal(s.rank, 3);
  stc_problem_free(&p);
}

static void dear_numbers_are_left_out(void **state) {
  stc_problem *p = sample_painleve(0, 1, 1);
  stc_stats s = stats_of(p, 1);  // two rows
  assert_int_equal(s.rank, -1);
  assert_true(isnan(s.condition));
  s = stats_of(p, 2);
  assert_int_equal(s.rank, 1);
  stc_problem_free(&p);
}

static void the_empty_problem(void **state) {
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_global(&(stc_global_data){.dim = 3}, &p), STC_OK);
  stc_stats s = stats_of(p, LIMIT);
  assert_int_equal(s.components, 0);
  assert_int_equal(s.rank, 0);
  assert_true(isnan(s.condition) && isnan(s.mu_min) && isnan(s.diagonal_ratio));
  expect_near(s.blocks_per_row, 0, 0);
  stc_problem_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stats_of_painleve),
      cmocka_unit_test(two_boxes),
      cmocka_unit_test(joints_are_eliminated),
      cmocka_unit_test(a_joint_that_blocks_the_contact_takes_rank),
      cmocka_unit_test(stored_zeros_couple_nothing),
      cmocka_unit_test(asymmetry_and_immovable_contacts),
      cmocka_unit_test(dear_numbers_are_left_out),
      cmocka_unit_test(the_empty_problem),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
