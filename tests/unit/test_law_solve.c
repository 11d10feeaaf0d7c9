// One contact alone, by hand: every mode, several answers, no answer, singular W, extreme numbers.
#include "expect.h"

#include <stiction/law.h>

static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

// Solves from r = 0 and compares the state and r, to 1e-14 of the largest component.
static void expect_solution_at(stc_law law, const double *W, const double *q,
                               stc_contact_state state, const double *expected, int line) {
  double r[3] = {0.0}, size = 0.0;
  stc_contact_state found = stc_law_solve(&law, W, q, r);
  for (int k = 0; k < law.dim; k++) size = fmax(size, fabs(expected[k]));
  for (int k = 0; k < law.dim; k++) expect_near_at(r[k], expected[k], 1e-14 * size, __FILE__, line);
  if (found != state) print_error("state %s\n", stc_contact_state_name(found));
  if (found != state) _fail(__FILE__, line);
}
#define expect_solution(law, W, q, state, ...)                                                     \
  expect_solution_at((law), (W), (q), (state), (double[]){__VA_ARGS__}, __LINE__)

// W = I, mu = 0.5. Open: q_N >= 0. Stick: r = -q if |q_T| <= 0.5 |q_N|. Slip: r_N = 1 and
// r_T = -0.5 q_T / |q_T|, leaving u_T = q_T + r_T.
static void modes_with_identity(void **unused) {
  stc_law law = stc_law_coulomb(3, 0.5), plane = stc_law_coulomb(2, 0.5);
  const double *W = identity, W2[] = {1.0, 0.0, 0.0, 1.0};
  expect_solution(law, W, ((double[]){1.0, 3.0, 4.0}), STC_CONTACT_OPEN, 0.0, 0.0, 0.0);
  expect_solution(law, W, ((double[]){0.0, 3.0, 4.0}), STC_CONTACT_OPEN, 0.0, 0.0, 0.0);
  expect_solution(law, W, ((double[]){-1.0, 0.25, -0.25}), STC_CONTACT_STICK, 1.0, -0.25, 0.25);
  expect_solution(law, W, ((double[]){-1.0, 3.0, 4.0}), STC_CONTACT_SLIP, 1.0, -0.3, -0.4);
  expect_solution(plane, W2, ((double[]){-1.0, 2.0}), STC_CONTACT_SLIP, 1.0, -0.5);
  expect_solution(plane, W2, ((double[]){-1.0, -0.5}), STC_CONTACT_STICK, 1.0, 0.5);
}

// mu = (1, 0.25), W = I, slip: u'_T = D u_T is opposed to r'_T = D^-1 r_T = -(0.6, 0.8), so
// r_T = -(0.6, 0.2) for r_N = 1; with |D u_T| = 1, u_T = (0.6, 3.2) and q_T = u_T - r_T.
static void elliptic_slip(void **unused) {
  expect_solution(stc_law_elliptic(1.0, 0.25), identity, ((double[]){-1.0, 1.2, 3.4}),
                  STC_CONTACT_SLIP, 1.0, -0.6, -0.2);
}

// Without friction u_T is whatever it is: slip if it does not vanish.
static void no_friction(void **unused) {
  const double W[] = {2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0};
  expect_solution(stc_law_frictionless(3), W, ((double[]){-1.0, 0.0, 0.0}), STC_CONTACT_SLIP, 0.5,
                  0.0, 0.0);
  expect_solution(stc_law_frictionless(3), W, ((double[]){-1.0, -0.5, 0.0}), STC_CONTACT_STICK, 0.5,
                  0.0, 0.0);
  expect_solution(stc_law_coulomb(2, 0.0), ((double[]){2.0, 1.0, 1.0, 2.0}),
                  ((double[]){-1.0, 0.0}), STC_CONTACT_SLIP, 0.5, 0.0);
}

// mu1 = 0: T1 drops out, (N, T2) is a plane problem. q = (-1, 7, 2), mu2 = 0.5: slip along T2.
static void friction_along_one_tangent(void **unused) {
  expect_solution(stc_law_elliptic(0.0, 0.5), identity, ((double[]){-1.0, 7.0, 2.0}),
                  STC_CONTACT_SLIP, 1.0, 0.0, -0.5);
}

// Painlevé with mu = 1, kappa = 2: W = h h^T, h = (1, 2). For q = w - h f with w = (0, 1), f = -1
// there are two answers, r = 0 and r = (1, -1); the one near the start is taken.
static void two_answers(void **unused) {
  const double W[] = {1.0, 2.0, 2.0, 4.0}, q[] = {1.0, 3.0};
  stc_law law = stc_law_coulomb(2, 1.0);
  double near_zero[] = {0.2, 0.0}, near_slip[] = {0.9, -0.9};
  assert_int_equal(stc_law_solve(&law, W, q, near_zero), STC_CONTACT_OPEN);
  assert_int_equal(stc_law_solve(&law, W, q, near_slip), STC_CONTACT_SLIP);
  expect_near(near_slip[0], 1.0, 1e-15);
  expect_near(near_slip[1], -1.0, 1e-15);
}

// The same with f = 1: no mode is possible. In 3D with w = (0, 1, delta) slip has
// r_N = 1 / (1 - 2 / sqrt(1 + delta^2)): none for delta < sqrt 3, one beyond.
static void no_answer(void **unused) {
  const double W[] = {1.0, 2.0, 2.0, 4.0}, W3[] = {1.0, 2.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 0.0};
  stc_law plane = stc_law_coulomb(2, 1.0), space = stc_law_coulomb(3, 1.0);
  double r[3] = {5.0, -5.0, 0.0};
  assert_int_equal(stc_law_solve(&plane, W, (double[]){-1.0, -1.0}, r), STC_CONTACT_VIOLATED);
  assert_true(isfinite(r[0]) && isfinite(r[1]));
  for (double delta = 0.0; delta < 1.73; delta += 0.1)
    assert_int_equal(stc_law_solve(&space, W3, (double[]){-1.0, -1.0, delta}, r),
                     STC_CONTACT_VIOLATED);
  for (double delta = 1.74; delta < 3.0; delta += 0.1) {
    assert_int_equal(stc_law_solve(&space, W3, (double[]){-1.0, -1.0, delta}, r), STC_CONTACT_SLIP);
    double r_N = 1.0 / (1.0 - 2.0 / sqrt(1.0 + delta * delta));
    expect_near(r[0], r_N, 1e-11 * r_N);
  }
}

// W = h h^T with h = (1, 1, 0), q = -2 h, mu = 0.5: u = 0 on the plane h . r = 2, of which a part
// lies in the cone; the slip equation is void there. u is unique, r is not.
static void singular_stick(void **unused) {
  const double h[] = {1.0, 1.0, 0.0}, q[] = {-2.0, -2.0, 0.0};
  double W[9], r[3] = {0.0};
  for (int i = 0; i < 9; i++) W[i] = h[i % 3] * h[i / 3];
  stc_law law = stc_law_coulomb(3, 0.5);
  assert_int_equal(stc_law_solve(&law, W, q, r), STC_CONTACT_STICK);
  expect_near(r[0] + r[1], 2.0, 1e-14);
  assert_true(hypot(r[1], r[2]) <= 0.5 * r[0] * (1.0 + 1e-14));
}

// W of rank 2 without the direction z = (0, 0, 1): u_T2 = q_T2 cannot be changed. With q_T2 = 0 it
// sticks, otherwise friction opposes it: q = (-1, 0, 1) slips along T2 with r_T2 = -0.5.
static void singular_tangent(void **unused) {
  const double W[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
  stc_law law = stc_law_coulomb(3, 0.5);
  expect_solution(law, W, ((double[]){-1.0, 0.0, 1.0}), STC_CONTACT_SLIP, 1.0, 0.0, -0.5);
  double r[3] = {0.0};
  assert_int_equal(stc_law_solve(&law, W, (double[]){-1.0, 0.25, 0.0}, r), STC_CONTACT_STICK);
  expect_near(r[0], 1.0, 1e-15);
  expect_near(r[1], -0.25, 1e-15);
}

// The same W, stick: r_T2 is free within the cone and stays where it starts.
static void singular_stick_near_the_start(void **unused) {
  const double W[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
  stc_law law = stc_law_coulomb(3, 0.5);
  double r[3] = {0.3, 0.9, 0.125};
  assert_int_equal(stc_law_solve(&law, W, (double[]){-1.0, 0.25, 0.0}, r), STC_CONTACT_STICK);
  expect_near(r[0], 1.0, 1e-15);
  expect_near(r[1], -0.25, 1e-15);
  expect_near(r[2], 0.125, 1e-15);
}

// A contact that nothing can move: u = q.
static void immovable(void **unused) {
  const double W[9] = {0.0};
  stc_law law = stc_law_coulomb(3, 0.5);
  expect_solution(law, W, ((double[]){1.0, 1.0, 0.0}), STC_CONTACT_OPEN, 0.0, 0.0, 0.0);
  expect_solution(law, W, ((double[]){0.0, 0.0, 0.0}), STC_CONTACT_OPEN, 0.0, 0.0, 0.0);
  double r[3] = {1.0, 2.0, 3.0};
  assert_int_equal(stc_law_solve(&law, W, (double[]){-1.0, 0.0, 0.0}, r), STC_CONTACT_VIOLATED);
  assert_true(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]));
}

// (W, q) -> (w W, v q) turns r into (v / w) r: the slip of modes_with_identity in other units.
static void units(void **unused) {
  const double sizes[] = {1e-150, 1e-20, 1.0, 1e20, 1e150};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      double W[9], q[] = {-sizes[j], 3.0 * sizes[j], 4.0 * sizes[j]}, f = sizes[j] / sizes[i];
      for (int k = 0; k < 9; k++) W[k] = sizes[i] * identity[k];
      expect_solution(stc_law_coulomb(3, 0.5), W, q, STC_CONTACT_SLIP, f, -0.3 * f, -0.4 * f);
    }
}

// An answer beyond the largest number, and input that is not finite: a finite r, not accepted.
static void beyond_the_numbers(void **unused) {
  stc_law law = stc_law_coulomb(2, 0.5);
  const double tiny[] = {1e-300, 0.0, 0.0, 1e-300}, infinite[] = {INFINITY, 0.0, 0.0, 1.0};
  double r[] = {1.0, 1.0};
  assert_int_equal(stc_law_solve(&law, tiny, (double[]){-1e100, 0.0}, r), STC_CONTACT_VIOLATED);
  assert_true(isfinite(r[0]) && isfinite(r[1]));
  assert_int_equal(stc_law_solve(&law, infinite, (double[]){-1.0, 0.0}, r), STC_CONTACT_VIOLATED);
  assert_true(isfinite(r[0]) && isfinite(r[1]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes_with_identity),
      cmocka_unit_test(elliptic_slip),
      cmocka_unit_test(no_friction),
      cmocka_unit_test(friction_along_one_tangent),
      cmocka_unit_test(two_answers),
      cmocka_unit_test(no_answer),
      cmocka_unit_test(singular_stick),
      cmocka_unit_test(singular_tangent),
      cmocka_unit_test(singular_stick_near_the_start),
      cmocka_unit_test(immovable),
      cmocka_unit_test(units),
      cmocka_unit_test(beyond_the_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
