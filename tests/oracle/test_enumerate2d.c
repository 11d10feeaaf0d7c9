// The brute-force enumeration on problems whose solutions are known in closed form.
#include "enumerate2d.h"
#include "textbook.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double found, double expected) {
  assert_true(fabs(found - expected) <= 1e-9 * (1.0 + fabs(expected)));
}

// Every contact of the answer obeys the textbook law to 1e-9 of the velocities.
static void assert_textbook(int n, const double *mu, const double *q, const enumerate2d_answer *a) {
  double speed = 0.0;
  textbook_mode mode;
  for (int i = 0; i < 2 * n; i++) speed = fmax(speed, fabs(q[i]));
  for (int c = 0; c < n; c++)
    assert_true(textbook_distance(2, mu + c, speed, a->u + 2 * c, a->r + 2 * c, &mode) <= 1e-9);
}

// Painlevé: M = 1, H = (1, kappa) with kappa = 2, mu = 1, w = (0, w_T), q = w - H f.
static enumerate2d_answer painleve(double w_T, double f) {
  const double W[] = {1.0, 2.0, 2.0, 4.0}, mu = 1.0, q[] = {-f, w_T - 2.0 * f};
  enumerate2d_answer answer = enumerate2d(1, W, q, &mu);
  if (answer.modes > 0) assert_textbook(1, &mu, q, &answer);
  return answer;
}

// mu kappa > 1, w_T > 0, f > 0: stick needs w_T = 0, take-off f <= 0, slip r_N (1 - 2) = f.
static void painleve_without_solution(void **unused) {
  assert_int_equal(painleve(1.0, 1.0).modes, 0);
}

// The same with f = -1: take-off u = (1, 3), and slip r = (1, -1), u = (0, 1).
static void painleve_with_two_solutions(void **unused) {
  enumerate2d_answer answer = painleve(1.0, -1.0);
  assert_int_equal(answer.modes, 2);
  assert_string_equal(answer.mode, "T");
  assert_near(answer.u[0], 1.0);
  assert_near(answer.u[1], 3.0);
}

// w_T = -1 slips backward: f = 1 gives r_N (1 + 2) = 1; f = -1 takes off with u = (1, 1).
static void painleve_with_one_solution(void **unused) {
  enumerate2d_answer slip = painleve(-1.0, 1.0), open = painleve(-1.0, -1.0);
  assert_int_equal(slip.modes, 1);
  assert_string_equal(slip.mode, "-");
  assert_near(slip.r[0], 1.0 / 3.0);
  assert_near(slip.r[1], 1.0 / 3.0);
  assert_int_equal(open.modes, 1);
  assert_string_equal(open.mode, "T");
}

// A mass point runs with v = (1, 0) into a wedge of half angle a with restitution e; M = I,
// H = (n1, t1, n2, t2), w = -e sin a on both normals, mu = 0.5.
static enumerate2d_answer wedge(double a, double e) {
  const double s = sin(a), c = cos(a), mu[] = {0.5, 0.5};
  const double H[4][2] = {{-s, c}, {c, s}, {-s, -c}, {c, -s}};
  double W[16], q[4];
  for (int i = 0; i < 4; i++) {
    q[i] = H[i][0] - (i % 2 == 0 ? e * s : 0.0);
    for (int j = 0; j < 4; j++) W[i + 4 * j] = H[i][0] * H[j][0] + H[i][1] * H[j][1];
  }
  enumerate2d_answer answer = enumerate2d(2, W, q, mu);
  if (answer.modes > 0) assert_textbook(2, mu, q, &answer);
  return answer;
}

// tan 0.3 < mu: the wedge jams. Both contacts closed would need v = (-e, 0), which slides outward
// with friction larger than the push; one contact alone drives the point into the other.
static void jammed_wedge_with_restitution(void **unused) {
  assert_int_equal(wedge(0.3, 0.5).modes, 0);
}

// Without restitution the point stops: u = 0 with a family of reactions.
static void jammed_wedge_without_restitution(void **unused) {
  enumerate2d_answer answer = wedge(0.3, 0.0);
  assert_true(answer.modes > 0);
  for (int i = 0; i < 4; i++) assert_near(answer.u[i], 0.0);
}

// tan 0.6 > mu: the point is thrown back with v = (-1/2, 0), both contacts slip backward, and
// 2 r_N (sin a - mu cos a) = 1 + e.
static void open_wedge(void **unused) {
  enumerate2d_answer answer = wedge(0.6, 0.5);
  double r_N = 1.5 / (2.0 * (sin(0.6) - 0.5 * cos(0.6)));
  assert_int_equal(answer.modes, 1);
  assert_string_equal(answer.mode, "--");
  for (int c = 0; c < 2; c++) {
    assert_near(answer.r[2 * c], r_N);
    assert_near(answer.r[2 * c + 1], 0.5 * r_N);
    assert_near(answer.u[2 * c + 1], -0.5 * cos(0.6));
  }
}

// Four independent contacts W = I: take-off, stick, slip backward, slip without friction.
static void four_contacts(void **unused) {
  const double q[] = {1.0, 5.0, -1.0, 0.25, -1.0, -2.0, -1.0, 3.0}, mu[] = {0.5, 0.5, 0.5, 0.0};
  const double r[] = {0.0, 0.0, 1.0, -0.25, 1.0, 0.5, 1.0, 0.0};
  double W[64] = {0.0};
  for (int i = 0; i < 8; i++) W[9 * i] = 1.0;
  enumerate2d_answer answer = enumerate2d(4, W, q, mu);
  assert_int_equal(answer.modes, 1);
  assert_string_equal(answer.mode, "TS-+");
  for (int i = 0; i < 8; i++) assert_near(answer.r[i], r[i]);
}

// Four Painlevé problems side by side, f = -1: each takes off or slips, 2^4 solutions. A velocity
// of every kind is among them: u = (1, 3) after take-off, (0, 1) in slip.
static void sixteen_parts(void **unused) {
  const double mu[] = {1.0, 1.0, 1.0, 1.0}, block[] = {1.0, 2.0, 2.0, 4.0};
  double W[64] = {0.0}, q[8];
  bool seen[16] = {false};
  for (int c = 0; c < 4; c++)
    for (int k = 0; k < 4; k++) W[2 * c + k % 2 + 8 * (2 * c + k / 2)] = block[k];
  for (int i = 0; i < 8; i++) q[i] = i % 2 == 0 ? 1.0 : 3.0;
  enumerate2d_parts parts = enumerate2d_all(4, W, q, mu);
  assert_int_equal(parts.count, 16);
  for (int k = 0; k < parts.count; k++) {
    int code = 0;
    for (int c = 0; c < 4; c++) {
      code |= parts.u[k][2 * c] > 0.5 ? 1 << c : 0;
      assert_near(parts.u[k][2 * c + 1], 1.0 + 2.0 * parts.u[k][2 * c]);
    }
    assert_false(parts.moves[k] || seen[code]);
    seen[code] = true;
  }
}

// The jammed wedge at rest: a continuum of reactions in several modes, one velocity.
static void one_part_with_many_reactions(void **unused) {
  const double s = sin(0.3), c = cos(0.3), mu[] = {0.5, 0.5};
  const double H[4][2] = {{-s, c}, {c, s}, {-s, -c}, {c, -s}};
  double W[16], q[4];
  for (int i = 0; i < 4; i++) {
    q[i] = H[i][0];
    for (int j = 0; j < 4; j++) W[i + 4 * j] = H[i][0] * H[j][0] + H[i][1] * H[j][1];
  }
  assert_true(enumerate2d(2, W, q, mu).modes > 1);
  enumerate2d_parts parts = enumerate2d_all(2, W, q, mu);
  assert_int_equal(parts.count, 1);
  assert_false(parts.moves[0]);
}

// Both contacts slip forward, q_T = 10 is too fast to stick: u_N = (W_NN - W_NT) r_N - 1 with all
// four numbers 1, so r_N = (s, 1 - s), 0 <= s <= 1, and u_T = 10 + (-2 -1; -1 -2) r_N varies.
static void a_part_whose_velocity_varies(void **unused) {
  const double mu[] = {1.0, 1.0}, q[] = {-1.0, 10.0, -1.0, 10.0};
  const double W[] = {2, 1, 0, -1, 1, 3, -1, 0, 0, -1, 2, 1, -1, 0, 1, 3};
  enumerate2d_parts parts = enumerate2d_all(2, W, q, mu);
  assert_int_equal(parts.count, 1);
  assert_true(parts.moves[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(painleve_without_solution),
      cmocka_unit_test(painleve_with_two_solutions),
      cmocka_unit_test(painleve_with_one_solution),
      cmocka_unit_test(jammed_wedge_with_restitution),
      cmocka_unit_test(jammed_wedge_without_restitution),
      cmocka_unit_test(open_wedge),
      cmocka_unit_test(four_contacts),
      cmocka_unit_test(sixteen_parts),
      cmocka_unit_test(one_part_with_many_reactions),
      cmocka_unit_test(a_part_whose_velocity_varies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
