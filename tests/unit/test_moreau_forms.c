// The formulas of Moreau's note of 1986, by their numbers: the law in the forms (2) to (4), the
// proximal point that solves (6), the three steps of the algorithm as they are printed.
#include "unit/expect.h"

#include "base/random.h"

#include <stiction/lagrangian.h>
#include <stiction/law.h>

enum { DIM = 3 };

static double triple_dot(const double *x, const double *y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void random_vector(stc_random *random, double *x) {
  for (int k = 0; k < DIM; k++) x[k] = stc_random_normal(random);
}

static stc_cone_section *triangle(void) {
  stc_cone_section *section = NULL;
  expect_ok(stc_cone_section_polygon(3, (double[]){0.6, 0.1, -0.3, 0.5, -0.2, -0.4}, &section));
  return section;
}

// W = A A^T / 3 + 1, q of any sign.
static void random_contact(stc_random *random, double *W, double *q) {
  double A[DIM][DIM];
  for (int i = 0; i < DIM; i++) random_vector(random, A[i]);
  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) W[i + DIM * j] = triple_dot(A[i], A[j]) / 3 + (i == j);
  random_vector(random, q);
}

// (2): -V is the part along T of an outward normal (c, -V) of C at R; its part along the normal is
// any c, and c = -s(V) where friction takes s(V) for each unit of R_N. (3) is the same: V, (-c, 0)
// from the normals of T and (c, -V) add up to 0. (4) with theta = |V_T|^2/2 + V_N^2/(2 d): the
// normal is (-V_N / d, -V_T).
static void obeys_the_forms(const stc_law *law, stc_random *random) {
  double W[DIM * DIM], q[DIM], r[DIM] = {0}, V[DIM], worst = 0;
  random_contact(random, W, q);
  stc_contact_state state = stc_law_solve(law, W, q, r);
  assert_true(state != STC_CONTACT_VIOLATED);
  for (int i = 0; i < DIM; i++)
    V[i] = q[i] + W[i] * r[0] + W[i + DIM] * r[1] + W[i + 2 * DIM] * r[2];
  if (state == STC_CONTACT_OPEN) return;  // away from the wall: the convention (6)
  double along = law->dilatancy > 0 ? V[0] / law->dilatancy : stc_law_shift(law, V);
  double normal[DIM] = {-along, -V[1], -V[2]};
  if (!(law->dilatancy > 0)) expect_near(V[0], 0, 1e-10);
  for (int sample = 0; sample < 200; sample++) {
    double other[DIM], apart[DIM];
    random_vector(random, other);
    stc_law_project(law, other, other);
    for (int k = 0; k < DIM; k++) apart[k] = other[k] - r[k];
    worst = fmax(worst, triple_dot(normal, apart));
  }
  expect_near(worst, 0, 1e-9);
  expect_near(triple_dot(normal, r), 0, 1e-9);
}

static void the_law_in_three_forms(void **unused) {
  stc_random random = stc_random_seed(3);
  stc_cone_section *section = triangle();
  stc_law laws[5] = {stc_law_coulomb(3, 0.4), stc_law_elliptic(0.2, 0.7), stc_law_section(section),
                     stc_law_coulomb(3, 0.5), stc_law_section(section)};
  (void)unused;
  laws[3].dilatancy = 0.6;
  laws[4].dilatancy = 1;  // associated
  for (int trial = 0; trial < 500; trial++) obeys_the_forms(&laws[trial % 5], &random);
  stc_cone_section_free(&section);
}

// u_F is the point of T and C + u_L nearest to the origin: no other point of that set is, and the
// angle between u_F and what leads to it is not obtuse. The factor m/h, here `unit`, cancels.
static void nearest_to_the_origin(const stc_law *law, double unit, stc_random *random) {
  double u_L[DIM], u_F[DIM], r[DIM] = {0}, W[DIM * DIM] = {unit, 0, 0, 0, unit, 0, 0, 0, unit};
  random_vector(random, u_L);
  u_L[0] = -0.1 - fabs(u_L[0]);
  assert_true(stc_law_solve(law, W, u_L, r) != STC_CONTACT_VIOLATED);
  for (int k = 0; k < DIM; k++) u_F[k] = u_L[k] + unit * r[k];
  expect_near(u_F[0], 0, 1e-14);
  for (int sample = 0; sample < 200; sample++) {
    double other[DIM], apart[DIM];
    random_vector(random, other);
    stc_law_project(law, other, other);
    if (!(other[0] > 0)) continue;
    for (int k = 0; k < DIM; k++) apart[k] = u_L[k] - u_L[0] / other[0] * other[k] - u_F[k];
    assert_true(triple_dot(u_F, apart) >= -1e-12);
  }
  if (law->kind != STC_LAW_COULOMB) return;
  double c = hypot(u_L[1], u_L[2]), left = fmax(0, 1 + law->mu[0] * u_L[0] / c);  // the disc
  for (int k = 1; k < DIM; k++) expect_near(u_F[k], left * u_L[k], 1e-14);
}

static void the_proximal_point(void **unused) {
  stc_random random = stc_random_seed(4);
  stc_cone_section *section = triangle();
  const stc_law laws[3] = {stc_law_coulomb(3, 0.4), stc_law_elliptic(0.2, 0.7),
                           stc_law_section(section)};
  (void)unused;
  for (int trial = 0; trial < 300; trial++)
    nearest_to_the_origin(&laws[trial % 3], trial % 2 ? 1 : 1e-3, &random);
  stc_cone_section_free(&section);
}

// A point of mass 2 in a bowl f = (x^2 + y^2)/2 - z <= 0, under a force of place, speed and time.
static const double MASS = 2, MU = 0.3;

static bool mass(void *user, double t, const double *q, double *M) {
  (void)user, (void)t, (void)q;
  for (int k = 0; k < DIM; k++) M[k] = MASS;
  return true;
}

static bool force(void *user, double t, const double *q, const double *u, double *Q) {
  (void)user;
  Q[0] = -q[0] - 0.1 * u[0] + sin(5 * t);
  Q[1] = 0.5 * u[0] - 0.2 * u[1];
  Q[2] = -10 * MASS + 30 * sin(3 * t);
  return true;
}

static bool bowl(void *user, int j, double t, const double *q, stc_wall_part part, stc_wall *wall) {
  (void)user, (void)j, (void)t, (void)part;
  wall->f = (q[0] * q[0] + q[1] * q[1]) / 2 - q[2];
  wall->gradient[0] = q[0], wall->gradient[1] = q[1], wall->gradient[2] = -1;
  wall->law = stc_law_coulomb(3, MU);
  return true;
}

// The three steps as printed; returns whether the second one met the wall.
static bool printed_step(double t, double h, double *q, double *u) {
  double Q[DIM], gradient[DIM], u_L[DIM], c[DIM];
  stc_wall wall = {.gradient = gradient};
  for (int k = 0; k < DIM; k++) q[k] += h / 2 * u[k];  // 1: q_M, Q_M, u_L
  force(NULL, t + h / 2, q, u, Q);
  for (int k = 0; k < DIM; k++) u_L[k] = u[k] + h / MASS * Q[k];
  bowl(NULL, 0, t, q, STC_WALL_ALL, &wall);
  bool meets =
      wall.f >= -1e-12 && triple_dot(u_L, gradient) > 0;  // 2: the disc about c, of radius mu a
  double size = sqrt(triple_dot(gradient, gradient)), a = triple_dot(u_L, gradient) / size;
  for (int k = 0; k < DIM; k++) c[k] = u_L[k] - a / size * gradient[k];
  double left = fmax(0, 1 - MU * a / sqrt(triple_dot(c, c)));
  for (int k = 0; k < DIM; k++) u[k] = meets ? left * c[k] : u_L[k];
  for (int k = 0; k < DIM; k++) q[k] += h / 2 * u[k];  // 3: q_F
  return meets;
}

static void the_algorithm_as_printed(void **unused) {
  const stc_system system = {.dofs = DIM,
                             .walls = 1,
                             .dim = DIM,
                             .diagonal = true,
                             .mass = mass,
                             .force = force,
                             .wall = bowl};
  stc_stepping stepping = stc_default_stepping();
  stc_simulation *sim = NULL;
  stc_step_report report;
  double q[DIM] = {0.5, -0.2, 0.3}, u[DIM] = {1, 0.7, 0.5};
  int met = 0;
  (void)unused;
  stepping.h = 2e-3;
  expect_ok(stc_simulation_create(&system, &stepping, &sim));
  expect_ok(stc_simulation_place(sim, 0, q, u));
  for (int step = 0; step < 1000; step++) {
    met += printed_step(step * stepping.h, stepping.h, q, u);
    expect_ok(stc_simulation_step(sim, &report));
    for (int k = 0; k < DIM; k++) {
      expect_near(stc_simulation_q(sim)[k], q[k], 1e-11);
      expect_near(stc_simulation_u(sim)[k], u[k], 1e-11);
    }
  }
  assert_true(met > 100 && met < 900);  // in flight, in shocks and along the wall
  stc_simulation_free(&sim);
}

TEST_PROGRAM(cmocka_unit_test(the_law_in_three_forms), cmocka_unit_test(the_proximal_point),
             cmocka_unit_test(the_algorithm_as_printed))
