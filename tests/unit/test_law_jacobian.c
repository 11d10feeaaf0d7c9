// The Alart–Curnier function and its Jacobian: by hand, and against finite differences.
#include "expect.h"

#include "base/random.h"

#include <stiction/law.h>

typedef struct evaluation {
  stc_contact_state state;
  double F[3], A[9], B[9];
} evaluation;

static const double rho_N = 0.5, rho_T = 0.25;

static evaluation evaluate(const stc_law *law, const double *r, const double *u) {
  evaluation e = {.state = STC_CONTACT_VIOLATED};
  e.state = stc_law_jacobian(law, rho_N, rho_T, r, u, e.F, e.A, e.B);
  return e;
}

static void expect_array(const double *found, const double *expected, int n) {
  for (int k = 0; k < n; k++) expect_near(found[k], expected[k], 1e-15);
}

static const double zero[9] = {0.0}, identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

// x_N = 1 - 0.5 * 4 = -1 <= 0: F = r, A = I, B = 0.
static void open(void **unused) {
  stc_law law = stc_law_coulomb(3, 0.5);
  const double r[] = {1.0, 0.2, 0.3};
  evaluation e = evaluate(&law, r, (double[]){4.0, 1.0, 1.0});
  assert_int_equal(e.state, STC_CONTACT_OPEN);
  expect_array(e.F, r, 3);
  expect_array(e.A, identity, 9);
  expect_array(e.B, zero, 9);
}

// x = (4, 0.1, 0.2) is inside the cone: F = (rho_N u_N, rho_T u_T), A = 0, B = diag(rho).
static void stick(void **unused) {
  stc_law law = stc_law_coulomb(3, 0.5);
  evaluation e = evaluate(&law, (double[]){3.0, 0.0, 0.0}, (double[]){-2.0, -0.4, -0.8});
  assert_int_equal(e.state, STC_CONTACT_STICK);
  expect_array(e.F, (double[]){-1.0, -0.1, -0.2}, 3);
  expect_array(e.A, zero, 9);
  expect_array(e.B, (double[]){0.5, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.25}, 9);
}

// r = (2, 0, 0), u = (0, -12, -16): x = (2, 3, 4), t = (0.6, 0.8), R = 0.5 * 2 = 1, so
// F_T = -t, A_TN = -mu t, I - P with P = (1/5)(I - t t^T), B_TN = mu rho_N t, B_TT = rho_T P.
static void slip(void **unused) {
  stc_law law = stc_law_coulomb(3, 0.5);
  evaluation e = evaluate(&law, (double[]){2.0, 0.0, 0.0}, (double[]){0.0, -12.0, -16.0});
  const double P11 = 0.2 * 0.64, P12 = -0.2 * 0.48, P22 = 0.2 * 0.36;
  assert_int_equal(e.state, STC_CONTACT_SLIP);
  expect_array(e.F, (double[]){0.0, -0.6, -0.8}, 3);
  expect_array(e.A, (double[]){0.0, -0.3, -0.4, 0.0, 1.0 - P11, -P12, 0.0, -P12, 1.0 - P22}, 9);
  expect_array(e.B, (double[]){0.5, 0.15, 0.2, 0.0, P11 / 4, P12 / 4, 0.0, P12 / 4, P22 / 4}, 9);
}

// In 2D slip the section is a segment: P = 0.
static void slip_2d(void **unused) {
  stc_law law = stc_law_coulomb(2, 0.5);
  evaluation e = evaluate(&law, (double[]){2.0, 0.0}, (double[]){0.0, -12.0});
  assert_int_equal(e.state, STC_CONTACT_SLIP);
  expect_array(e.F, (double[]){0.0, -1.0}, 2);
  expect_array(e.A, (double[]){0.0, -0.5, 0.0, 1.0}, 4);
  expect_array(e.B, (double[]){0.5, 0.25, 0.0, 0.0}, 4);
}

// mu = 0: the tangential rows read F_T = r_T, A = 1, B = 0, whatever u_T is.
static void no_friction(void **unused) {
  stc_law laws[] = {stc_law_frictionless(3), stc_law_coulomb(3, 0.0), stc_law_elliptic(0.0, 0.0)};
  for (int k = 0; k < 3; k++) {
    evaluation e = evaluate(&laws[k], (double[]){2.0, 0.1, 0.0}, (double[]){-2.0, 5.0, 0.0});
    assert_int_equal(e.state, STC_CONTACT_SLIP);
    expect_array(e.F, (double[]){-1.0, 0.1, 0.0}, 3);
    expect_array(e.A, (double[]){0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, 9);
    expect_array(e.B, (double[]){0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, 9);
    e = evaluate(&laws[k], (double[]){2.0, 0.0, 0.0}, zero);
    assert_int_equal(e.state, STC_CONTACT_STICK);
    expect_array(e.A + 3, (double[]){0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, 6);
  }
}

// mu1 = 0 only: T1 as without friction, T2 as in 2D.
static void friction_along_one_tangent(void **unused) {
  stc_law law = stc_law_elliptic(0.0, 0.5);
  evaluation e = evaluate(&law, (double[]){2.0, 0.1, 0.0}, (double[]){0.0, 3.0, -12.0});
  assert_int_equal(e.state, STC_CONTACT_SLIP);
  expect_array(e.F, (double[]){0.0, 0.1, -1.0}, 3);
  expect_array(e.A, (double[]){0.0, 0.0, -0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, 9);
  expect_array(e.B, (double[]){0.5, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, 9);
}

// On the ellipse mu = (0.5, 2), R = 2: y = R (mu1 0.6, mu2 0.8) = (0.6, 3.2), normal y_i / mu_i^2 =
// (2.4, 0.8); r_T = y + normal, u = 0 projects on y.
static void slip_on_the_ellipse(void **unused) {
  stc_law law = stc_law_elliptic(0.5, 2.0);
  evaluation e = evaluate(&law, (double[]){2.0, 3.0, 4.0}, zero);
  assert_int_equal(e.state, STC_CONTACT_SLIP);
  expect_array(e.F, (double[]){0.0, 2.4, 0.8}, 3);
}

// Central differences of F along each component of r and u.
static void expect_derivatives(const stc_law *law, const double *r, const double *u) {
  const double step = 1e-6, tolerance = 1e-7;
  evaluation e = evaluate(law, r, u);
  for (int j = 0; j < 2 * law->dim; j++) {
    double plus[2][3], minus[2][3];
    int side = j / law->dim, k = j % law->dim;
    memcpy(plus[0], r, sizeof plus[0]), memcpy(plus[1], u, sizeof plus[1]);
    memcpy(minus, plus, sizeof minus);
    plus[side][k] += step, minus[side][k] -= step;
    evaluation high = evaluate(law, plus[0], plus[1]), low = evaluate(law, minus[0], minus[1]);
    if (high.state != e.state || low.state != e.state) return;  // a kink in between
    const double *column = (side == 0 ? e.A : e.B) + law->dim * k;
    for (int i = 0; i < law->dim; i++)
      expect_near(column[i], (high.F[i] - low.F[i]) / (2.0 * step), tolerance);
  }
}

static void finite_differences(void **unused) {
  stc_law laws[] = {
      stc_law_frictionless(2),     stc_law_frictionless(3),    stc_law_coulomb(2, 0.7),
      stc_law_coulomb(3, 0.3),     stc_law_coulomb(3, 2.0),    stc_law_elliptic(0.3, 0.8),
      stc_law_elliptic(2.0, 0.05), stc_law_elliptic(0.0, 0.6), stc_law_elliptic(0.6, 0.0)};
  stc_random random = stc_random_seed(3);
  int seen[3] = {0};
  for (int trial = 0; trial < 4000; trial++) {
    double r[3], u[3];
    for (int k = 0; k < 3; k++) {
      r[k] = stc_random_normal(&random) + (k == 0 ? 1.0 : 0.0);
      u[k] = stc_random_normal(&random);
    }
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
      expect_derivatives(&laws[k], r, u);
      seen[evaluate(&laws[k], r, u).state]++;
    }
  }
  for (int state = 0; state < 3; state++) assert_true(seen[state] > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open),
      cmocka_unit_test(stick),
      cmocka_unit_test(slip),
      cmocka_unit_test(slip_2d),
      cmocka_unit_test(no_friction),
      cmocka_unit_test(friction_along_one_tangent),
      cmocka_unit_test(slip_on_the_ellipse),
      cmocka_unit_test(finite_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
