// The scaling of a law and the projection of four contacts: hand answers, and the scalar law.
#include "expect.h"

#include "law/project_lanes.h"
#include "law/scale.h"

static void the_cone_is_round_in_scaled_variables(void **state) {
  // r = (2, 1, 0) lies on mu1 = 0.5, r = (2, 0, 3) on mu2 = 1.5: both become |z_T| = z_N = 2.
  double D[3], z[3];
  stc_law law = stc_law_elliptic(0.5, 1.5);
  assert_true(stc_law_scale(&law, D));
  stc_law_scale_reaction(3, D, (const double[]){2, 1, 0}, z);
  assert_true(z[0] == 2 && z[1] == 2 && z[2] == 0);
  stc_law_scale_reaction(3, D, (const double[]){2, 0, 3}, z);
  assert_true(z[0] == 2 && z[1] == 0 && z[2] == 2);
  stc_law_unscale_reaction(3, D, z, z);
  assert_true(z[0] == 2 && z[1] == 0 && z[2] == 3);
}

static void the_shift_is_that_of_the_round_cone(void **state) {
  // s(u) = |D u_T|: with u_T = (2, 4) and D = (0.5, 0.5) it is |(1, 2)|.
  double D[3], u[] = {7, 2, 4};
  stc_law law = stc_law_coulomb(3, 0.5);
  assert_true(stc_law_scale(&law, D));
  expect_near(stc_law_shift(&law, u), hypot(D[1] * u[1], D[2] * u[2]), 1e-15);
}

static void a_tangent_without_friction_drops_out(void **state) {
  // D = (1, 0): z_T = 0 whatever r_T, and D W D keeps W_NN alone.
  double D[2], z[2], W[] = {3, 4, 5, 6};
  stc_law law = stc_law_frictionless(2);
  assert_true(stc_law_scale(&law, D));
  stc_law_scale_reaction(2, D, (const double[]){1, 9}, z);
  assert_true(z[0] == 1 && z[1] == 0);
  stc_law_scale_block(2, D, W, W);
  assert_true(W[0] == 3 && W[1] == 0 && W[2] == 0 && W[3] == 0);
}

static void a_law_with_spin_has_no_scaling(void **state) {
  double D[4];
  stc_law law = stc_law_contensou(0.3, 0.01);
  assert_false(stc_law_scale(&law, D));
  for (int k = 0; k < 4; k++) assert_true(D[k] == 1);
}

// mu = 0.5: inside, in the polar cone, outside, on the axis below. (1, 2, 0) projects on the ray
// (1, 0.5) / sqrt(1.25): y_N = (1 + 0.5 * 2) / 1.25 = 1.6, y_T = 0.8.
static void four_contacts_are_projected_as_each_alone(void **state) {
  const double x[4][3] = {{2, 0.6, -0.7}, {-3, 1, 1}, {1, 2, 0}, {-1, 0, 0}};
  for (int dim = 2; dim <= 3; dim++) {
    stc_law_vec lane[3] = {{0}}, none = {0}, mu = none + 0.5, euclidean = none + 1;
    stc_law law = stc_law_coulomb(dim, 0.5);
    for (int l = 0; l < 4; l++)
      for (int k = 0; k < dim; k++) lane[k][l] = x[l][k];
    stc_law_project_lanes(dim, &mu, &euclidean, lane);
    for (int l = 0; l < 4; l++) {
      double y[3];
      stc_law_project(&law, x[l], y);
      for (int k = 0; k < dim; k++) expect_near(lane[k][l], y[k], 1e-15);
    }
    expect_near(lane[0][2], 1.6, 1e-15);
    expect_near(lane[1][2], 0.8, 1e-15);
  }
}

// In the metric diag(k_N, k_T) the projection is the Euclidean one of a cone with mu sqrt(k_T/k_N):
// stretch 4 and mu 0.5, x = (1, 2): in (x_N, 2 x_T) = (1, 4) the cone has slope 1, the answer is
// (2.5, 2.5), that is (2.5, 1.25).
static void another_metric_stretches_the_cone(void **state) {
  stc_law_vec none = {0}, mu = none + 0.5, stretch = none + 4, x[] = {none + 1, none + 2};
  stc_law_project_lanes(2, &mu, &stretch, x);
  for (int l = 0; l < 4; l++) {
    expect_near(x[0][l], 2.5, 1e-15);
    expect_near(x[1][l], 1.25, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cone_is_round_in_scaled_variables),
      cmocka_unit_test(the_shift_is_that_of_the_round_cone),
      cmocka_unit_test(a_tangent_without_friction_drops_out),
      cmocka_unit_test(a_law_with_spin_has_no_scaling),
      cmocka_unit_test(four_contacts_are_projected_as_each_alone),
      cmocka_unit_test(another_metric_stretches_the_cone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
