// Certificates of the families whose solutions are known in closed form, over their parameters.
#include "cert_support.h"

// ---- Painlevé in the plane: M = 1, H = (1, kappa), kappa > 0, tau = w_T - kappa w_N

// Take-off has v = -f, possible where f < w_N. Slip has v = -w_N, u_T = tau,
// r_N = (f - w_N) / (1 - mu kappa sign tau), possible where that is positive. Stick needs tau = 0.
static int painleve_solutions(double kappa, double mu, const double *w, double f, double *r) {
  double sign = w[1] - kappa * w[0] > 0.0 ? 1.0 : -1.0;
  double normal = (f - w[0]) / (1.0 - mu * kappa * sign);
  int count = 0;
  if (f < w[0]) r[2 * count] = r[2 * count + 1] = 0.0, count++;
  if (normal > 0.0) r[2 * count] = normal, r[2 * count + 1] = -mu * normal * sign, count++;
  return count;
}

// The mirror image (kappa, w_T, r_T) -> (-kappa, -w_T, -r_T) has the mirrored solutions.
static void check_painleve(double kappa, double mu, const double *w, double f, int tally[3]) {
  for (int mirror = 1; mirror >= -1; mirror -= 2) {
    double h[2] = {1.0, mirror * kappa}, v[2] = {w[0], mirror * w[1]}, r[4];
    int count = painleve_solutions(kappa, mu, w, f, r);
    for (int k = 0; k < count; k++) r[2 * k + 1] *= mirror;
    stc_problem *problem = one_dof(1, h, v, f, &mu);
    stc_certificate *certificate = certify(problem);
    expect_solutions(problem, certificate, count, r);
    tally[count]++;
    stc_certificate_free(&certificate);
    stc_problem_free(&problem);
  }
}

static void painleve_has_none_one_or_two(void **state) {
  static const double KAPPA[] = {0.5, 2.0, 3.7}, MU[] = {0.3, 1.0}, F[] = {-1.0, 0.25, 3.0};
  static const double W[][2] = {{0, 1}, {0, -1}, {0.3, 1.5}, {-0.4, -1.5}, {1, 4}, {0.5, 0}};
  int tally[3] = {0};
  for (int k = 0; k < 3; k++)
    for (int m = 0; m < 2; m++)
      for (int j = 0; j < 6; j++)
        for (int i = 0; i < 3; i++) check_painleve(KAPPA[k], MU[m], W[j], F[i], tally);
  // Three of the six pairs have mu kappa > 1; about half of the w have tau > 0.
  assert_true(tally[0] >= 10 && tally[1] >= 100 && tally[2] >= 10);
}

// The criterion holds for all f or for none: t* = w_N - w_T / kappa where mu kappa > 1, attained at
// v = -w_T / kappa. So kappa = 2, w_T = 2 has t* = w_N - 1.
static stc_certificate *certify_margin(double w_N, double f) {
  double h[2] = {1.0, 2.0}, w[2] = {w_N, 2.0}, mu = 1.0;
  stc_problem *problem = one_dof(1, h, w, f, &mu);
  stc_certificate *certificate = certify(problem);
  stc_problem_free(&problem);
  return certificate;
}

static void a_margin_of_one_bit_is_a_margin(void **state) {
  stc_certificate *certificate = certify_margin(1.0 + 0x1p-52, 7.0);
  expect_verdict(certificate, STC_VERDICT_EXISTS);
  assert_int_equal(stc_certificate_proof(certificate), STC_PROOF_STRICT_MARGIN);
  assert_true(stc_certificate_margin(certificate) == 0x1p-52);
  stc_certificate_free(&certificate);
}

static void no_margin_is_the_weak_criterion(void **state) {
  stc_certificate *certificate = certify_margin(1.0, 7.0);
  expect_verdict(certificate, STC_VERDICT_EXISTS);
  assert_int_equal(stc_certificate_proof(certificate), STC_PROOF_WEAK_2D);
  assert_true(stc_certificate_margin(certificate) == 0.0);
  stc_certificate_free(&certificate);
}

// f > w_N: no solution, but by one bit only: not a contradiction that is ever claimed.
static void a_contradiction_of_one_bit_is_none(void **state) {
  stc_certificate *certificate = certify_margin(1.0 - 0x1p-53, 7.0);
  expect_verdict(certificate, STC_VERDICT_UNDECIDED);
  stc_certificate_free(&certificate);
}

static void a_negative_margin_leaves_none_or_two(void **state) {
  stc_certificate *certificate = certify_margin(0.99, 7.0);
  expect_verdict(certificate, STC_VERDICT_NO_SOLUTION);
  stc_certificate_free(&certificate);
  certificate = certify_margin(0.99, -7.0);
  expect_verdict(certificate, STC_VERDICT_EXISTS);
  assert_int_equal(stc_certificate_proof(certificate), STC_PROOF_VERIFIED_SOLUTION);
  assert_int_equal(stc_certificate_sets(certificate), 2);
  stc_certificate_free(&certificate);
}

// ---- a contact that never closes: Painlevé with a second one that keeps v >= 1

// u_N = v >= 1 at the first contact, so that the criterion is asked of the second alone:
// v = max(1, -f), r_N = 1 + f at the second, |r_T| <= mu r_N free as its u_T vanishes.
static void check_blocked(double f) {
  double h[4] = {1, 2, 1, 0}, w[4] = {0, 1, -1, 0}, mu[2] = {1.0, 0.5};
  double v = fmax(1.0, -f);
  stc_problem *problem = one_dof(2, h, w, f, mu);
  stc_certificate *certificate = certify(problem);
  stc_solution_set set;
  size_t size = 0;
  expect_verdict(certificate, STC_VERDICT_EXISTS);
  assert_int_equal(stc_certificate_proof(certificate), STC_PROOF_STRICT_MARGIN);
  assert_int_equal(stc_certificate_sets(certificate), 1);
  assert_true(stc_certificate_complete(certificate) && stc_certificate_set(certificate, 0, &set));
  assert_true(set.u[0] == v && set.u[1] == 2.0 * v + 1.0 && set.u[2] == v - 1.0);
  assert_true(set.r[0] == 0.0 && set.r[1] == 0.0 && set.r[2] == fmax(1.0 + f, 0.0));
  assert_int_equal(set.dimension, f > -1.0 ? 1 : 0);
  assert_int_equal(set.velocity_dimension, 0);
  assert_true(set.bounded);
  char *text = file_of(certificate, &size);
  assert_non_null(
      strstr(text, "\"never_closing\": [\n{\"contact\": 0, \"y\": [[1, \"0x1p+0\"]]}]"));
  free(text);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

static void a_contact_that_never_closes_is_left_out(void **state) {
  static const double F[] = {10.0, 0.5, -0.75, -5.0};
  for (int k = 0; k < 4; k++) check_blocked(F[k]);
}

// ---- one contact in space: H = (1, 2, 0), w = (0, 1, delta), f = 1

// Slip has v = 0, u_T = (1, delta), r_N = 1 / (1 - 2 mu / sqrt(1 + delta^2)) where that is
// positive; v = -1 penetrates, stick needs delta = 0. So none for 1 + delta^2 < 4 mu^2, else one.
static void painleve_in_space_has_a_threshold(void **state) {
  static const double DELTA[] = {0.0, 1.0, 1.2, 1.3, -1.4, 1.7, 1.73, 1.7321, -1.74, 2.0, 40.0};
  static const double MU[] = {0.8, 1.0};
  for (int m = 0; m < 2; m++)
    for (size_t k = 0; k < sizeof DELTA / sizeof *DELTA; k++) {
      stc_generator options = stc_default_generator("painleve3d");
      stc_problem *problem = NULL;
      options.param = DELTA[k];
      options.mu = MU[m];
      if (stc_generate(&options, &problem)) fail_msg("%s", stc_error_detail());
      double length = hypot(1.0, DELTA[k]), N = 1.0 / (1.0 - 2.0 * MU[m] / length);
      double r[3] = {N, -MU[m] * N / length, -MU[m] * N * DELTA[k] / length};
      stc_certificate *certificate = certify(problem);
      expect_solutions(problem, certificate, N > 0.0, r);
      stc_certificate_free(&certificate);
      stc_problem_free(&problem);
    }
}

// ---- the wedge: M = I, walls at angles a and -a, v^- = (1, 0), restitution e on the normals

static stc_problem *wedge(double a, double e, double mu) {
  double c = cos(a), s = sin(a), M[4] = {1, 0, 0, 1}, f[2] = {-1, 0}, friction[2] = {mu, mu};
  double H[8] = {-s, c, c, s, -s, -c, c, -s}, w[4] = {-e * s, 0, -e * s, 0};
  stc_problem *problem = NULL;
  dense_global d = {.dim = 2, .contacts = 2, .dofs = 2, .M = M, .H = H, .f = f, .w = w};
  d.mu = friction;
  if (create_dense_global(&d, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// e > 0: both contacts must close, v = (-e, 0), and slip outwards:
// 2 r_N (sin a - mu cos a) = 1 + e. None where the wedge jams, tan a < mu.
static void a_wedge_rebounds_or_jams(void **state) {
  static const double A[] = {0.3, 0.4, 0.5, 0.6, 0.9}, E[] = {0.25, 0.5, 1.0}, MU[] = {0.45, 0.8};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 3; k++)
      for (int m = 0; m < 2; m++) {
        stc_problem *problem = wedge(A[i], E[k], MU[m]);
        stc_certificate *certificate = certify(problem);
        double N = (1.0 + E[k]) / (2.0 * (sin(A[i]) - MU[m] * cos(A[i])));
        double r[4] = {N, MU[m] * N, N, MU[m] * N};
        bool jams = tan(A[i]) < MU[m];
        expect_solutions(problem, certificate, !jams, r);
        if (!jams) assert_int_equal(stc_certificate_proof(certificate), STC_PROOF_STRICT_MARGIN);
        stc_certificate_free(&certificate);
        stc_problem_free(&problem);
      }
}

// e = 0: v = 0 with a plane of reactions (four numbers, two equations), one connected set; the ray
// of a jam makes it unbounded.
static void a_wedge_at_rest_has_a_continuum(void **state) {
  for (int jams = 0; jams < 2; jams++) {
    stc_problem *problem = wedge(jams ? 0.3 : 0.6, 0.0, 0.5);
    stc_certificate *certificate = certify(problem);
    stc_solution_set set;
    expect_verdict(certificate, STC_VERDICT_EXISTS);
    assert_int_equal(stc_certificate_proof(certificate),
                     jams ? STC_PROOF_WEAK_2D : STC_PROOF_STRICT_MARGIN);
    assert_int_equal(stc_certificate_sets(certificate), 1);
    assert_true(stc_certificate_complete(certificate));
    assert_true(stc_certificate_set(certificate, 0, &set));
    assert_int_equal(set.dimension, 2);
    assert_int_equal(set.velocity_dimension, 0);
    assert_int_equal(set.bounded, !jams);
    for (int k = 0; k < 4; k++) assert_true(set.u[k] == 0.0);
    stc_certificate_free(&certificate);
    stc_problem_free(&problem);
  }
}

// rho = (N, T, N, T) with T = mu N balances only if -N sin a + T cos a = 0; the ray of the
// criterion has T = N tan a, N = 1/2, and w.rho = -e sin a = -0.14776 for a = 0.3, e = 0.5.
static void a_jam_is_named(void **state) {
  stc_problem *problem = wedge(0.3, 0.5, 0.5);
  stc_certificate *certificate = certify(problem);
  const double *rho = stc_certificate_jamming(certificate);
  stc_bounds bounds;
  assert_non_null(rho);
  for (int c = 0; c < 2; c++) {
    assert_true(fabs(rho[2 * c] - 0.5) < 1e-5);
    assert_true(fabs(rho[2 * c + 1] - 0.5 * tan(0.3)) < 1e-5);
  }
  expect_reason(certificate,
                "contacts 0 and 1 jam the bodies they touch (degrees of freedom 0 to 1)");
  expect_reason(certificate, "what is imposed works against them");
  assert_false(stc_certificate_bounds(certificate, &bounds));
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// ---- the wedge in space, a = 0.3, mu = e = 0.5

// Both contacts slip with u_T = (-x, z), x = e cos a, R = |u_T|, r_N = (1 + e) / (2 (sin a - mu cos
// a x / R)), and v_z^- = z + mu (1 + e) z / (R sin a - mu cos a x): at least 5.952499, at z
// = 2.0121.
static double speed_before(double z) {
  double c = cos(0.3), s = sin(0.3), x = 0.5 * c, R = hypot(x, z);
  return z + 0.75 * z / (R * s - 0.5 * c * x);
}

// The z of a solution: v_z = v_z^- + the reactions along z.
static void check_wedge3d(double v_z, int expected) {
  stc_problem *problem = gallery("wedge3d", 0, v_z);
  stc_certificate *certificate = certify(problem);
  bool slow = false, fast = false;
  expect_verdict(certificate, expected ? STC_VERDICT_EXISTS : STC_VERDICT_NO_SOLUTION);
  assert_int_equal(stc_certificate_sets(certificate), expected);
  if (expected) assert_true(stc_certificate_complete(certificate));
  for (int k = 0; k < expected; k++) {
    stc_solution_set set;
    assert_true(stc_certificate_set(certificate, k, &set));
    double z = fabs(v_z + set.r[2] + set.r[5]);
    assert_true(fabs(speed_before(z) - fabs(v_z)) < 1e-9 * fabs(v_z));
    *(z < 2.0121 ? &slow : &fast) = true;
  }
  if (expected) assert_true(slow && fast);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

static void a_wedge_in_space_has_none_or_two(void **state) {
  static const double NONE[] = {0.4, -5.9, 5.94}, TWO[] = {5.96, -6.0, 8.0};
  for (int k = 0; k < 3; k++) check_wedge3d(NONE[k], 0);
  for (int k = 0; k < 3; k++) check_wedge3d(TWO[k], 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(painleve_has_none_one_or_two),
      cmocka_unit_test(a_margin_of_one_bit_is_a_margin),
      cmocka_unit_test(no_margin_is_the_weak_criterion),
      cmocka_unit_test(a_contradiction_of_one_bit_is_none),
      cmocka_unit_test(a_negative_margin_leaves_none_or_two),
      cmocka_unit_test(a_contact_that_never_closes_is_left_out),
      cmocka_unit_test(painleve_in_space_has_a_threshold),
      cmocka_unit_test(a_wedge_rebounds_or_jams),
      cmocka_unit_test(a_wedge_at_rest_has_a_continuum),
      cmocka_unit_test(a_jam_is_named),
      cmocka_unit_test(a_wedge_in_space_has_none_or_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
