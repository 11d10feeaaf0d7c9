// The judge against answers known by hand: Painlevé's problem, the jamming wedge, a pendulum.
#include "dense_data.h"

static stc_residual judge(const stc_problem *problem, double *r) {
  stc_residual residual;
  assert_int_equal(stc_problem_residual(problem, &(stc_solution){.r = r}, &residual), STC_OK);
  return residual;
}

/// Painlevé's problem P1: M = 1, H = (1, 2), mu = 1; masses times `mass`, velocities times `speed`.
static stc_problem *painleve_in_units(double f, double w_T, double mass, double speed) {
  const double M[] = {mass}, H[] = {1, 2}, w[] = {0, w_T * speed}, mu[] = {1};
  return make_global(&(dense_global){.dim = 2,
                                     .contacts = 1,
                                     .dofs = 1,
                                     .M = M,
                                     .H = H,
                                     .f = (double[]){f * mass * speed},
                                     .w = w,
                                     .mu = mu});
}

static stc_problem *painleve(double f, double w_T) { return painleve_in_units(f, w_T, 1, 1); }

// --- Exact answers ---

static void expect_painleve(double f, double w_T, double r_N, double r_T, int open, int slip) {
  stc_problem *problem = painleve(f, w_T);
  stc_residual residual = judge(problem, (double[]){r_N, r_T});
  expect_near(residual.eta, 0, 2e-16);
  expect_near(residual.fclib_error, 0, 2e-16);
  assert_int_equal(residual.open, open);
  assert_int_equal(residual.slip, slip);
  assert_int_equal(residual.violated, 0);
  assert_true(residual.dissipation <= 0);
  stc_problem_free(&problem);
}

static void painleve_solutions(void **state) {
  expect_painleve(-1, 1, 0, 0, 1, 0);            // take-off: u = (1, 3)
  expect_painleve(-1, 1, 1, -1, 0, 1);           // slide with the same data: u = (0, 1)
  expect_painleve(1, -1, 1. / 3, 1. / 3, 0, 1);  // slide: u = (0, -1)
  expect_painleve(-1, -1, 0, 0, 1, 0);           // take-off: u = (1, 1)
}

// w = (0, 1), f = 1 has no solution (theory: f > w_N and mu kappa > 1), so every r must be refused:
// q = (-1, -1), u = (r_N + 2 r_T) (1, 2) - (1, 1).
static void painleve_without_solution(void **state) {
  stc_problem *problem = painleve(1, 1);
  for (double size = 1e-6; size < 1e12; size *= 1.7)
    for (int k = -10; k <= 10; k++) {
      stc_residual residual = judge(problem, (double[]){size, 0.1 * k * size});
      assert_true(residual.eta > 0.05);
    }
  stc_problem_free(&problem);
}

// Frictionless, apart: r = 0, u = q = (1, 0). A projection that takes the ray x_N < 0, x_T = 0 for
// a part of K = { x_N >= 0, x_T = 0 } would report eta = 1.
static void frictionless_apart(void **state) {
  const double W[] = {1, 0, 0, 1}, q[] = {1, 0}, mu = 0;
  stc_problem *problem =
      make_local(&(dense_local){.dim = 2, .contacts = 1, .W = W, .q = q, .mu = &mu});
  stc_residual residual = judge(problem, (double[]){0, 0});
  assert_true(residual.eta == 0 && residual.fclib_error == 0);
  assert_int_equal(residual.open, 1);
  stc_problem_free(&problem);
}

// Frictionless sliding under load: r = (1, 0, 0), u = (0, 2, 0) obeys the law for mu = 0.
static void frictionless_slide(void **state) {
  stc_problem *problem = make_local(&(dense_local){.dim = 3,
                                                   .contacts = 1,
                                                   .W = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                                                   .q = (double[]){-1, 2, 0},
                                                   .mu = (double[]){0}});
  stc_residual residual = judge(problem, (double[]){1, 0, 0});
  assert_true(residual.eta == 0);
  assert_int_equal(residual.slip, 1);
  stc_problem_free(&problem);
}

// Elliptic slip: the reaction of most dissipation against u_T is r_T = -r_N D^2 u_T / |D u_T|. With
// D = (0.5, 0.25), u_T = (1, 1), r_N = 1: r_T = -(0.25, 0.0625) / sqrt(0.3125). Opposed to u_T
// instead, with |D^-1 r_T| = r_N, it is wrong.
static void elliptic_slip(void **state) {
  double size = sqrt(0.3125), along = -1 / sqrt(4 + 16);
  double right[] = {1, -0.25 / size, -0.0625 / size}, wrong[] = {1, along, along};
  double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < 2; k++) {
    double *r = k == 0 ? right : wrong;
    const double q[] = {-r[0], 1 - r[1], 1 - r[2]}, mu[] = {0.5}, mu2[] = {0.25};
    stc_problem *problem =
        make_local(&(dense_local){.dim = 3, .contacts = 1, .W = W, .q = q, .mu = mu, .mu2 = mu2});
    stc_residual residual = judge(problem, r);
    if (k == 0) expect_near(residual.eta, 0, 4e-16);
    if (k == 1) assert_true(residual.eta > 0.01);
    expect_near(residual.cone_violation, 0, 4e-16);
    stc_problem_free(&problem);
  }
}

// --- False convergence ---

/// W1-3D: a wedge of half-angle a = 0.3 that jams for mu = 0.5; restitution e = 0.5, v- = (1, 0,
/// 0.4). Proved to have no solution.
enum { WEDGE_SIZE = 6 };

static stc_problem *jamming_wedge(void) {
  double s = sin(0.3), c = cos(0.3);
  double H[] = {-s, c, 0, c, s, 0, 0, 0, 1, -s, -c, 0, c, -s, 0, 0, 0, 1};
  const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, f[] = {-1, 0, -0.4},
               w[] = {-0.5 * s, 0, 0, -0.5 * s, 0, 0}, mu[] = {0.5, 0.5};
  return make_global(&(dense_global){
      .dim = 3, .contacts = 2, .dofs = 3, .M = M, .H = H, .f = f, .w = w, .mu = mu});
}

/// r = r0 + size rho / |rho| with rho = (1, tan a, 0) at both contacts, a self-equilibrated push,
/// and r0 such that v = (-0.0437, 0, 0): the point to which a method that trusts |r| converges.
static void jam(double size, double *r) {
  double s = sin(0.3), c = cos(0.3), v_x = -0.0437, gain = size * c / sqrt(2);
  double push = (v_x - 1) / 2;
  for (int k = 0; k < 2; k++) {
    r[3 * k] = -s * push + gain;
    r[3 * k + 1] = c * push + gain * tan(0.3);
    r[3 * k + 2] = -0.2;
  }
}

// There u = (-0.1349, -0.0417, 0) at both contacts, uh = (-0.1140, -0.0417, 0), |uh| = 0.1214, and
// q = (-0.4433, 0.9553, 0.4), |q| = 1.1271 with kappa = 1: eta = fclib_error = 0.1077, however
// large r is. Over |r| the same point would read 1e-13.
static void false_convergence(void **state) {
  stc_problem *problem = jamming_wedge();
  const double sizes[] = {3.9e3, 6.1e7, 1.9e11};
  for (int k = 0; k < 3; k++) {
    double r[WEDGE_SIZE];
    jam(sizes[k], r);
    stc_residual residual = judge(problem, r);
    expect_near(residual.norm_r, sizes[k], 1e-3 * sizes[k]);
    expect_near(residual.eta, 0.1077, 5e-4);
    expect_near(residual.fclib_error, 0.1077, 5e-4);
    expect_near(residual.interpenetration, 0.1349, 5e-4);
    assert_int_equal(residual.violated, 2);
    assert_true(residual.eta * 1.1271 * sqrt(2) / residual.norm_r < 1e-4);
  }
  stc_problem_free(&problem);
}

// --- Units, size of the error ---

// The same r in units with masses times 1e6, then velocities times 1e3 (a clock that runs in
// milliseconds): eta does not change; fclib_error, which adds velocities to impulses, does.
static void eta_has_no_units(void **state) {
  const double mass[] = {1, 1e6, 1, 1e6}, speed[] = {1, 1, 1e3, 1e3};
  double eta = 0, fclib = 0;
  for (int k = 0; k < 4; k++) {
    double unit = mass[k] * speed[k];
    stc_problem *problem = painleve_in_units(1, -1, mass[k], speed[k]);
    stc_residual residual = judge(problem, (double[]){0.4 * unit, 0.3 * unit});
    if (k == 0) eta = residual.eta, fclib = residual.fclib_error;
    assert_true(eta > 0.01);
    expect_near(residual.eta, eta, 1e-14);
    if (k == 1) assert_true(fabs(residual.fclib_error - fclib) > 0.01 * fclib);
    stc_problem_free(&problem);
  }
}

// Near the solution r = (1/3, 1/3), u = (0, -1) a step d in r makes a residual proportional to |d|.
static void eta_follows_the_error(void **state) {
  stc_problem *problem = painleve(1, -1);
  stc_residual last = judge(problem, (double[]){1. / 3 + 1e-2, 1. / 3});
  for (double step = 1e-3; step > 1e-10; step /= 10) {
    stc_residual residual = judge(problem, (double[]){1. / 3 + step, 1. / 3});
    expect_near(residual.eta / last.eta, 0.1, 0.01);
    last = residual;
  }
  stc_problem_free(&problem);
}

// --- Numbers that are not finite ---

static void expect_judge_refuses(const stc_problem *problem, double r_N, double r_T) {
  stc_residual residual = judge(problem, (double[]){r_N, r_T});
  assert_true(residual.eta == INFINITY && residual.eta_max == INFINITY);
  assert_true(residual.fclib_error == INFINITY);
  assert_int_equal(residual.violated, 1);
  assert_int_equal(residual.worst_contact, 0);
  assert_false(isnan(residual.dissipation) || isnan(residual.norm_r) || isnan(residual.dynamics));
  stc_contact_state contact = STC_CONTACT_OPEN;
  double term = 0;
  assert_int_equal(stc_problem_classify(problem, (double[]){r_N, r_T}, 1e-8, &contact, &term),
                   STC_OK);
  assert_int_equal(contact, STC_CONTACT_VIOLATED);
  assert_true(term == INFINITY);
}

static void not_finite(void **state) {
  stc_problem *problem = painleve(-1, 1);
  expect_judge_refuses(problem, NAN, 0);
  expect_judge_refuses(problem, 0, INFINITY);
  expect_judge_refuses(problem, 1e300, -1e300);
  double u[2], r[] = {0, NAN};
  expect_failure(stc_problem_complete(problem, &(stc_solution){.r = r, .u = u}), STC_ERR_VALUE,
                 "r[1]");
  stc_problem_free(&problem);
}

static void wrong_arguments(void **state) {
  stc_problem *problem = painleve(-1, 1);
  stc_residual residual;
  double r[] = {0, 0};
  expect_failure(stc_problem_residual(problem, &(stc_solution){0}, &residual), STC_ERR_ARGUMENT,
                 "reactions");
  expect_failure(stc_problem_residual(NULL, &(stc_solution){.r = r}, &residual), STC_ERR_ARGUMENT,
                 "problem");
  expect_failure(stc_problem_residual(problem, NULL, &residual), STC_ERR_ARGUMENT, "solution");
  expect_failure(stc_problem_classify(problem, r, NAN, NULL, NULL), STC_ERR_ARGUMENT, "tol");
  stc_problem_free(&problem);
}

// --- Contact by contact ---

enum { MANY = 13, MANY_SIZE = 3 * MANY };

/// Contacts of unit mass on their own, W = I: c % 3 = 0 apart (q_N = 1), 1 stick (q = -(1, 0.1,
/// 0)), 2 slip (q = (-1, 2, 0)); mu = 0.5. r is the exact answer.
static stc_problem *many(double *r) {
  static double W[MANY_SIZE * MANY_SIZE];
  double q[MANY_SIZE] = {0}, mu[MANY];
  for (int i = 0; i < MANY_SIZE; i++) W[i * MANY_SIZE + i] = 1, r[i] = 0;
  for (int c = 0; c < MANY; c++) {
    double *qc = q + 3 * c, *rc = r + 3 * c;
    mu[c] = 0.5;
    if (c % 3 == 0) qc[0] = 1;
    if (c % 3 == 1) qc[0] = -1, qc[1] = -0.1, rc[0] = 1, rc[1] = 0.1;
    if (c % 3 == 2) qc[0] = -1, qc[1] = 2, rc[0] = 1, rc[1] = -0.5;
  }
  return make_local(&(dense_local){.dim = 3, .contacts = MANY, .W = W, .q = q, .mu = mu});
}

static void states(void **state) {
  double r[MANY_SIZE], term[MANY];
  stc_contact_state contact[MANY];
  stc_problem *problem = many(r);
  assert_int_equal(stc_problem_classify(problem, r, 1e-8, contact, term), STC_OK);
  const stc_contact_state expected[] = {STC_CONTACT_OPEN, STC_CONTACT_STICK, STC_CONTACT_SLIP};
  for (int c = 0; c < MANY; c++) {
    assert_int_equal(contact[c], expected[c % 3]);
    expect_near(term[c], 0, 1e-16);
  }
  stc_residual residual = judge(problem, r);
  assert_int_equal(residual.open, 5);
  assert_int_equal(residual.stick, 4);
  assert_int_equal(residual.slip, 4);
  expect_near(residual.dissipation, 4 * -0.5 * 1.5, 1e-15);  // slip: r_T u_T = -0.5 * 1.5 each
  stc_problem_free(&problem);
}

// One wrong contact, the last: r_N too small by 0.25, so u_N = -0.25, F = (-0.25, 0, 0). The
// denominator is |q|: 5 contacts of 1, 4 of sqrt(1.01), 4 of sqrt(5), kappa = 1.
static void one_wrong_contact(void **state) {
  double r[MANY_SIZE], term[MANY], sum = 0;
  stc_contact_state contact[MANY];
  stc_problem *problem = many(r);
  r[3 * 10] -= 0.25;  // contact 10 sticks: K is left, and u_N < 0
  stc_residual residual = judge(problem, r);
  double below = sqrt(5 + 4 * 1.01 + 4 * 5);
  expect_near(residual.eta, 0.25 / below, 1e-15);
  expect_near(residual.eta_max, 0.25 * sqrt(MANY) / below, 1e-15);
  expect_near(residual.fclib_error, 0.25 / below, 1e-15);
  expect_near(residual.interpenetration, 0.25, 1e-15);
  assert_int_equal(residual.worst_contact, 10);
  assert_int_equal(residual.violated, 1);
  assert_int_equal(stc_problem_classify(problem, r, 1e-8, contact, term), STC_OK);
  for (int c = 0; c < MANY; c++) {
    assert_int_equal(contact[c] == STC_CONTACT_VIOLATED, c == 10);
    sum += term[c] * term[c];
  }
  expect_near(sqrt(sum / MANY), residual.eta, 1e-15);
  expect_near(term[10], residual.eta_max, 1e-15);
  // relative to the denominator: 0.25 / below = 0.046 is within 0.05 of it and not within 0.04
  assert_int_equal(stc_problem_classify(problem, r, 0.05, contact, NULL), STC_OK);
  assert_int_equal(contact[10], STC_CONTACT_STICK);  // |u| = 0.25 counts as none
  assert_int_equal(stc_problem_classify(problem, r, 0.04, contact, NULL), STC_OK);
  assert_int_equal(contact[10], STC_CONTACT_VIOLATED);
  stc_problem_free(&problem);
}

// r = (1, 0.8, 0) with mu = 0.5 leaves K by |r_T|/mu - r_N = 0.6; r = (-0.3, 0, 0) by 0.3; without
// friction r = (1, 0.2, 0) by |r_T| = 0.2; with mu = (0.5, 0.25), r = (1, 0.6, 0.4) by |(1.2, 1.6)|
// - 1 = 1; with mu = (0, 0.25), r = (1, 0.7, 0.25) by |r_T1| = 0.7.
static void cone_violation(void **state) {
  const double mu[][2] = {{0.5, 0.5}, {0.5, 0.5}, {0, 0}, {0.5, 0.25}, {0, 0.25}};
  double r[][3] = {{1, 0.8, 0}, {-0.3, 0, 0}, {1, 0.2, 0}, {1, 0.6, 0.4}, {1, 0.7, 0.25}};
  const double expected[] = {0.6, 0.3, 0.2, 1, 0.7};
  for (int k = 0; k < 5; k++) {
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {1, 0, 0};
    stc_problem *problem = make_local(
        &(dense_local){.dim = 3, .contacts = 1, .W = W, .q = q, .mu = &mu[k][0], .mu2 = &mu[k][1]});
    expect_near(judge(problem, r[k]).cone_violation, expected[k], 1e-15);
    stc_problem_free(&problem);
  }
}

// W = 4 I, q = (-31, 0), r = (8, 0): u = (1, 0), and r - u stays in K, so F_nat = u and fclib_error
// is 1/31 with r in N s and u in m/s, whatever the units inside are.
static void fclib_error_is_physical(void **state) {
  const double W[] = {4, 0, 0, 4}, q[] = {-31, 0}, mu = 0.5;
  stc_problem *problem =
      make_local(&(dense_local){.dim = 2, .contacts = 1, .W = W, .q = q, .mu = &mu});
  stc_residual residual = judge(problem, (double[]){8, 0});
  expect_near(residual.fclib_error, 1. / 31, 1e-16);
  expect_near(residual.norm_r, 8, 0);
  expect_near(residual.norm_q, 31, 0);
  expect_near(residual.dissipation, 8, 0);
  stc_problem_free(&problem);
}

// --- What is given besides r ---

/// A mass of 2 kg on a rod along (0.6, 0.8) from a pivot: G = (0.6, 0.8), b = 0; a contact with
/// N = x, T = y. The free direction is t = (-0.8, 0.6). f = (0, 2): v_f = (0, -1).
static stc_problem *pendulum(int copies) {
  double G[] = {0.6, 0.8, 0.6, 0.8};
  const double M[] = {2, 0, 0, 2}, H[] = {1, 0, 0, 1}, f[] = {0, 2}, w[] = {0, 0}, b[] = {0, 0},
               mu[] = {0.5};
  dense_global d = {.dim = 2, .contacts = 1, .dofs = 2, .M = M, .H = H, .f = f, .w = w, .mu = mu};
  d.equalities = copies, d.G = G, d.b = b;
  return make_global(&d);
}

// r = (1, 0): M v = t (t . (r - f)) = t (-0.8 - 1.2) = -2 t, so v = u = (0.8, -0.6), and the rod
// pulls with l = -(0.6, 0.8) . (r - f) = -(0.6 - 1.6) = 1. A second, identical joint shares it.
static void complete_pendulum(void **state) {
  for (int copies = 1; copies <= 2; copies++) {
    stc_problem *problem = pendulum(copies);
    double r[] = {1, 0}, u[2], v[2], l[2] = {0, 0};
    stc_solution solution = {.r = r, .u = u, .v = v, .l = l};
    assert_int_equal(stc_problem_complete(problem, &solution), STC_OK);
    expect_near(v[0], 0.8, 1e-14);
    expect_near(v[1], -0.6, 1e-14);
    expect_near(u[0], 0.8, 1e-14);
    expect_near(u[1], -0.6, 1e-14);
    expect_near(l[0] + l[1], 1, 1e-14);
    stc_residual residual;
    assert_int_equal(stc_problem_residual(problem, &solution, &residual), STC_OK);
    expect_near(residual.dynamics, 0, 1e-15);
    expect_near(residual.equality, 0, 1e-15);
    expect_near(residual.kinematics, 0, 1e-15);
    stc_problem_free(&problem);
  }
}

// v off by (0, 1e-3): M v is off by 2e-3 over |M v| + |f| + |r| + |l| = 2 + 2 + 1 + 1, and G v =
// 8e-4 over |G| |v| = 0.48 + 0.48. u off by (3e-3, 4e-3): 5e-3 over |u| = 1, whatever kappa is.
static void wrong_velocities(void **state) {
  stc_problem *problem = pendulum(1);
  double r[] = {1, 0}, v[] = {0.8, -0.6 + 1e-3}, u[] = {0.803, -0.596}, l[] = {1};
  stc_residual residual;
  stc_solution solution = {.r = r, .u = u, .v = v, .l = l};
  assert_int_equal(stc_problem_residual(problem, &solution, &residual), STC_OK);
  expect_near(residual.dynamics, 2e-3 / 6, 1e-6);
  expect_near(residual.equality, 8e-4 / 0.96, 1e-6);
  expect_near(residual.kinematics, 5e-3, 1e-12);
  stc_residual of_r = judge(problem, r);
  assert_true(residual.eta == of_r.eta);  // the verdict is on r alone
  u[0] = NAN;
  assert_int_equal(stc_problem_residual(problem, &solution, &residual), STC_OK);
  assert_true(residual.kinematics == INFINITY);
  stc_problem_free(&problem);
}

// The pendulum in the local form, W = I/2, V = G^T/2, R = 1/2, s = G v_f = -0.8, q = v_f: a wrong
// l = 1.5 leaves V^T r + R l + s = 0.3 + 0.75 - 0.8 = 0.25 over 0.3 + 0.75 + 0.8.
static void local_joints(void **state) {
  const double W[] = {0.5, 0, 0, 0.5}, V[] = {0.3, 0.4}, R[] = {0.5}, q[] = {0, -1}, s[] = {-0.8},
               mu[] = {0.5};
  stc_problem *problem = make_local(&(dense_local){
      .dim = 2, .contacts = 1, .equalities = 1, .W = W, .V = V, .R = R, .q = q, .s = s, .mu = mu});
  double r[] = {1, 0}, u[2], l[1];
  assert_int_equal(stc_problem_complete(problem, &(stc_solution){.r = r, .u = u, .l = l}), STC_OK);
  expect_near(u[0], 0.8, 1e-14);
  expect_near(u[1], -0.6, 1e-14);
  expect_near(l[0], 1, 1e-14);
  l[0] = 1.5;
  stc_residual residual;
  assert_int_equal(stc_problem_residual(problem, &(stc_solution){.r = r, .l = l}, &residual),
                   STC_OK);
  expect_near(residual.equality, 0.25 / 1.85, 1e-14);
  assert_true(residual.dynamics == 0);
  stc_problem_free(&problem);
}

static void no_contacts(void **state) {
  const double M[] = {2}, H[] = {0}, f[] = {1}, w[] = {0}, mu[] = {0};
  stc_problem *problem =
      make_global(&(dense_global){.dim = 3, .dofs = 1, .M = M, .H = H, .f = f, .w = w, .mu = mu});
  double r[1] = {0}, v[1] = {0};
  stc_residual residual;
  stc_solution solution = {.r = r, .v = v};
  assert_int_equal(stc_problem_complete(problem, &solution), STC_OK);
  expect_near(v[0], -0.5, 1e-15);
  assert_int_equal(stc_problem_residual(problem, &solution, &residual), STC_OK);
  assert_true(residual.eta == 0 && residual.dynamics < 1e-15);
  assert_int_equal(residual.worst_contact, -1);
  stc_problem_free(&problem);
}

// W = [1 -1; -1 1], q = (-1, 1), mu = 2: every r = (a + 1, a) with a >= 0 sticks, u = 0. With a =
// 2^10 that is a solution; with a = 2^52 the parts of u are 4e15 times q, and what is left of u
// says nothing: eta is at least eps sqrt(kappa) |r| / (|q| / sqrt(kappa)) = 1.2e-16 * sqrt(2) 2^52
// / sqrt(2).
static void residuals_lost_in_rounding_do_not_count(void **state) {
  stc_problem *problem = make_local(&(dense_local){.dim = 2,
                                                   .contacts = 1,
                                                   .W = (double[]){1, -1, -1, 1},
                                                   .q = (double[]){-1, 1},
                                                   .mu = (double[]){2}});
  stc_residual residual = judge(problem, (double[]){0x1p10 + 1, 0x1p10});
  assert_true(residual.eta == 0 && residual.stick == 1);
  residual = judge(problem, (double[]){0x1p52 + 1, 0x1p52});
  expect_near(residual.eta, 1.2e-16 * 0x1p52, 1e-12);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(painleve_solutions),
      cmocka_unit_test(painleve_without_solution),
      cmocka_unit_test(frictionless_apart),
      cmocka_unit_test(frictionless_slide),
      cmocka_unit_test(elliptic_slip),
      cmocka_unit_test(false_convergence),
      cmocka_unit_test(eta_has_no_units),
      cmocka_unit_test(eta_follows_the_error),
      cmocka_unit_test(not_finite),
      cmocka_unit_test(wrong_arguments),
      cmocka_unit_test(states),
      cmocka_unit_test(one_wrong_contact),
      cmocka_unit_test(cone_violation),
      cmocka_unit_test(fclib_error_is_physical),
      cmocka_unit_test(complete_pendulum),
      cmocka_unit_test(wrong_velocities),
      cmocka_unit_test(local_joints),
      cmocka_unit_test(no_contacts),
      cmocka_unit_test(residuals_lost_in_rounding_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
