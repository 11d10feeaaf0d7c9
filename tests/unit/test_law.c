// Laws by hand: names, refusals, projection, shift, residual, classification.
#include "expect.h"

#include <stiction/law.h>

static void expect_project(stc_law law, const double *x, const double *expected) {
  double y[3];
  stc_law_project(&law, x, y);
  for (int k = 0; k < law.dim; k++) expect_near(y[k], expected[k], 1e-15 * (1.0 + fabs(x[0])));
}

static void names(void **unused) {
  assert_string_equal(stc_law_name(STC_LAW_FRICTIONLESS), "frictionless");
  assert_string_equal(stc_law_name(STC_LAW_COULOMB), "coulomb");
  assert_string_equal(stc_law_name(STC_LAW_ELLIPTIC), "elliptic");
  assert_string_equal(stc_law_name(STC_LAW_CONTENSOU), "contensou");
  assert_string_equal(stc_law_name(STC_LAW_ROLLING), "rolling");
  assert_null(stc_law_name(STC_LAW_SECTION + 1));
  assert_null(stc_law_name(-1));
  assert_non_null(stc_law_summary(STC_LAW_COULOMB));
  assert_null(stc_law_summary(STC_LAW_SECTION + 1));
  assert_string_equal(stc_contact_state_name(STC_CONTACT_SLIP), "slip");
  assert_string_equal(stc_contact_state_name(STC_CONTACT_VIOLATED), "violated");
}

static void check_accepts(void **unused) {
  stc_law laws[] = {stc_law_frictionless(2),       stc_law_frictionless(3),
                    stc_law_coulomb(2, 0.0),       stc_law_coulomb(3, 10.0),
                    stc_law_elliptic(0.3, 0.0),    stc_law_contensou(0.3, 0.0),
                    stc_law_rolling(3, 0.0, 1e-3), stc_law_rolling(5, 0.3, 0.0)};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
    assert_int_equal(stc_law_check(&laws[k]), STC_OK);
}

static void check_refuses(void **unused) {
  stc_law law = stc_law_coulomb(4, 0.5);
  expect_failure(stc_law_check(&law), STC_ERR_DIMENSION, "dimension 4");
  law = stc_law_coulomb(3, -0.1);
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "mu[0] = -0.1");
  law = stc_law_coulomb(3, INFINITY);
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "mu[0] = inf");
  law = stc_law_elliptic(0.5, (double)NAN);
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "mu[1]");
  law = stc_law_elliptic(0.5, 0.4);
  law.dim = 2;
  expect_failure(stc_law_check(&law), STC_ERR_DIMENSION, "elliptic");
  law = stc_law_coulomb(3, 0.5);
  law.mu[1] = 0.4;
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "elliptic law");
  law = stc_law_frictionless(2);
  law.mu[0] = 0.1;
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "coulomb law");
  law = stc_law_rolling(4, 0.3, 0.1);
  expect_failure(stc_law_check(&law), STC_ERR_DIMENSION, "dimension 3 or 5");
  law = stc_law_contensou(0.3, 0.1);
  law.dim = 3;
  expect_failure(stc_law_check(&law), STC_ERR_DIMENSION, "dimension 4 only");
  law = stc_law_contensou(0.3, INFINITY);
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "radius = inf m");
  law = stc_law_rolling(5, 0.3, -1e-3);
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "length = -0.001 m");
  law = stc_law_rolling(5, 0.3, 0.1);
  law.mu[1] = 0.2;
  expect_failure(stc_law_check(&law), STC_ERR_VALUE, "give one coefficient");
  law = (stc_law){.kind = (stc_law_kind)99, .dim = 3};
  expect_failure(stc_law_check(&law), STC_ERR_ARGUMENT, "kind 99");
}

// mu = 0.75, x = (2, 3, 4): |x_T| = 5 > 1.5, so a = (2 + 0.75 * 5) / (1 + 0.5625) = 3.68 and
// y = a (1, 0.75 * 0.6, 0.75 * 0.8). Inside the cone y = x; in its polar (mu |x_T| <= -x_N) y = 0.
static void project_coulomb(void **unused) {
  stc_law law = stc_law_coulomb(3, 0.75);
  expect_project(law, (double[]){2.0, 3.0, 4.0}, (double[]){3.68, 1.656, 2.208});
  expect_project(law, (double[]){8.0, 3.0, 4.0}, (double[]){8.0, 3.0, 4.0});
  expect_project(law, (double[]){-3.75, 3.0, 4.0}, (double[]){0.0, 0.0, 0.0});
  expect_project(law, (double[]){-1.0, 0.0, 0.0}, (double[]){0.0, 0.0, 0.0});
  expect_project(stc_law_coulomb(2, 0.75), (double[]){2.0, -5.0}, (double[]){3.68, -2.76});
}

// mu = 0 leaves the half-line r_N >= 0.
static void project_without_friction(void **unused) {
  stc_law laws[] = {stc_law_frictionless(3), stc_law_coulomb(3, 0.0), stc_law_elliptic(0.0, 0.0)};
  for (int k = 0; k < 3; k++) {
    expect_project(laws[k], (double[]){2.0, 3.0, 4.0}, (double[]){2.0, 0.0, 0.0});
    expect_project(laws[k], (double[]){-2.0, 3.0, 4.0}, (double[]){0.0, 0.0, 0.0});
    expect_project(laws[k], (double[]){-2.0, 0.0, 0.0}, (double[]){0.0, 0.0, 0.0});
  }
}

// A point of the surface, moved outward along the normal (-1, y_i / mu_i^2 / y_N), projects back.
// mu = (0.5, 2), y = (5, 0.5 * 3, 2 * 4): |(3, 4)| = 5. Normal (-5, 6, 2): x = y + normal / 2
// and y + 2 normal. The normal itself is on the edge of the polar cone and projects to 0.
static void project_elliptic(void **unused) {
  stc_law law = stc_law_elliptic(0.5, 2.0);
  expect_project(law, (double[]){2.5, 4.5, 9.0}, (double[]){5.0, 1.5, 8.0});
  expect_project(law, (double[]){-5.0, 13.5, 12.0}, (double[]){5.0, 1.5, 8.0});
  expect_project(law, (double[]){-5.0, 6.0, 2.0}, (double[]){0.0, 0.0, 0.0});
}

// The section y_T1 = 0 of an ellipse with mu1 = 0 is the plane cone of T2.
static void project_flat(void **unused) {
  expect_project(stc_law_elliptic(0.0, 0.75), (double[]){2.0, 9.0, 5.0},
                 (double[]){3.68, 0.0, 2.76});
  expect_project(stc_law_elliptic(0.75, 0.0), (double[]){2.0, -5.0, 9.0},
                 (double[]){3.68, -2.76, 0.0});
}

// The surface and the normal again, for ratios of coefficients up to 1e8 and sizes 1e-150 to 1e150;
// the error is relative to x.
static void project_elliptic_extremes(void **unused) {
  const double sizes[] = {1e-150, 1.0, 1e150}, cosines[] = {1e-9, 0.6, 1.0 - 1e-12};
  for (int ratio = -8; ratio <= 8; ratio++)
    for (int s = 0; s < 3; s++)
      for (int a = 0; a < 3; a++)
        for (int out = -6; out <= 6; out++) {
          double mu[] = {0.3, 0.3 * pow(10.0, ratio)}, c = cosines[a], sine = sqrt(1.0 - c * c);
          double y[] = {1.0, mu[0] * c, mu[1] * sine}, n[] = {-1.0, c / mu[0], sine / mu[1]};
          double scale = pow(10.0, out) / hypot(1.0, hypot(n[1], n[2])), x[3], size = 0.0;
          for (int k = 0; k < 3; k++) x[k] = sizes[s] * (y[k] + scale * n[k]);
          for (int k = 0; k < 3; k++) size = fmax(size, fabs(x[k]));
          stc_law law = stc_law_elliptic(mu[0], mu[1]);
          stc_law_project(&law, x, x);
          for (int k = 0; k < 3; k++) expect_near(x[k], sizes[s] * y[k], 1e-15 * size);
        }
}

// Equal coefficients: the ellipse is the disc. The general formula is used for mu2 a little larger.
static void elliptic_tends_to_coulomb(void **unused) {
  const double x[] = {0.3, -1.2, 0.7};
  double disc[3], ellipse[3];
  stc_law coulomb = stc_law_coulomb(3, 0.4), elliptic = stc_law_elliptic(0.4, 0.4 * (1.0 + 1e-15));
  stc_law_project(&coulomb, x, disc);
  stc_law_project(&elliptic, x, ellipse);
  for (int k = 0; k < 3; k++) expect_near(ellipse[k], disc[k], 1e-14);
}

// s(u) = |(mu1 u_T1, mu2 u_T2)|: with mu = (4, 2.25) |(12, -9)| = 15.
static void shift(void **unused) {
  const double u[] = {7.0, 3.0, -4.0}, expected[] = {0.0, 2.5, 1.5, 15.0, 12.0};
  stc_law laws[] = {stc_law_frictionless(3), stc_law_coulomb(3, 0.5), stc_law_coulomb(2, 0.5),
                    stc_law_elliptic(4.0, 2.25), stc_law_elliptic(4.0, 0.0)};
  for (int k = 0; k < 5; k++) expect_near(stc_law_shift(&laws[k], u), expected[k], 1e-14);
}

// kappa = 2: r = (1, 0, 0), u = (4, 0, 0) pushes although the contact opens: x = r - u/kappa =
// (-1, 0, 0) projects to 0, so F = r.
static void residual_of_a_wrong_pair(void **unused) {
  stc_law law = stc_law_coulomb(3, 0.5);
  double F[3];
  stc_law_residual(&law, 2.0, (double[]){1.0, 0.0, 0.0}, (double[]){4.0, 0.0, 0.0}, F);
  expect_near(F[0], 1.0, 0.0);
  expect_near(hypot(F[1], F[2]), 0.0, 0.0);
}

static void classify(void **unused) {
  stc_law law = stc_law_coulomb(3, 0.5);
  const double kappa = 2.0, tol = 1e-9, zero[3] = {0.0}, stick[] = {2.0, 0.6, -0.8};
  const double slip[] = {2.0, -0.6, 0.8}, slide[] = {0.0, 3.0, -4.0}, lift[] = {1.0, 3.0, 4.0};
  const double enter[] = {-1e-3, 0.0, 0.0};
  assert_int_equal(stc_law_classify(&law, kappa, tol, lift, zero), STC_CONTACT_OPEN);
  assert_int_equal(stc_law_classify(&law, kappa, tol, zero, zero), STC_CONTACT_OPEN);
  assert_int_equal(stc_law_classify(&law, kappa, tol, zero, stick), STC_CONTACT_STICK);
  assert_int_equal(stc_law_classify(&law, kappa, tol, slide, slip), STC_CONTACT_SLIP);
  assert_int_equal(stc_law_classify(&law, kappa, tol, slide, stick), STC_CONTACT_VIOLATED);
  assert_int_equal(stc_law_classify(&law, kappa, tol, enter, zero), STC_CONTACT_VIOLATED);
  assert_int_equal(stc_law_classify(&law, kappa, 1e-2, enter, zero), STC_CONTACT_OPEN);
  const double nan[] = {(double)NAN, 0.0, 0.0};
  assert_int_equal(stc_law_classify(&law, kappa, tol, nan, stick), STC_CONTACT_VIOLATED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),
      cmocka_unit_test(check_accepts),
      cmocka_unit_test(check_refuses),
      cmocka_unit_test(project_coulomb),
      cmocka_unit_test(project_without_friction),
      cmocka_unit_test(project_elliptic),
      cmocka_unit_test(project_flat),
      cmocka_unit_test(project_elliptic_extremes),
      cmocka_unit_test(elliptic_tends_to_coulomb),
      cmocka_unit_test(shift),
      cmocka_unit_test(residual_of_a_wrong_pair),
      cmocka_unit_test(classify),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
