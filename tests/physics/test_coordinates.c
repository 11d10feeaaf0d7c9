// Other coordinates, the same motion: a mass matrix that is full, one that changes with q, contacts
// that spin.
#include "stage.h"

// --- x = A q with a full A: M = m A^T A, Q = A^T F, rows n^T A ---

typedef struct skew {
  stage s;
  double A[4];  // by rows
} skew;

static void to_space(const skew *k, const double *q, double *x) {
  for (int i = 0; i < 2; i++) x[i] = k->A[2 * i] * q[0] + k->A[2 * i + 1] * q[1];
}

static void from_space(const skew *k, const double *x, double *q) {
  double det = k->A[0] * k->A[3] - k->A[1] * k->A[2];
  q[0] = (k->A[3] * x[0] - k->A[1] * x[1]) / det;
  q[1] = (k->A[0] * x[1] - k->A[2] * x[0]) / det;
}

/// y = A^T x
static void pull(const skew *k, const double *x, double *y) {
  for (int i = 0; i < 2; i++) y[i] = k->A[i] * x[0] + k->A[2 + i] * x[1];
}

static bool skew_mass(void *user, double t, const double *q, double *M) {
  const skew *k = user;
  for (int i = 0; i < 4; i++)
    M[i] = k->s.mass * (k->A[i % 2] * k->A[i / 2] + k->A[2 + i % 2] * k->A[2 + i / 2]);
  return true;
}

static bool skew_force(void *user, double t, const double *q, const double *u, double *Q) {
  const skew *k = user;
  pull(k, k->s.force, Q);
  return true;
}

static bool skew_potential(void *user, double t, const double *q, double *V) {
  skew *k = user;
  double x[2];
  to_space(k, q, x);
  return stage_potential(&k->s, t, x, V);
}

static bool skew_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                      stc_wall *wall) {
  skew *k = user;
  double x[2], gradient[2], velocity[2] = {0, 0};
  stc_wall plain = {.gradient = gradient, .velocity = velocity};
  to_space(k, q, x);
  stage_wall(&k->s, j, t, x, part, &plain);
  wall->f = plain.f;
  pull(k, gradient, wall->gradient);
  wall->tangents = 1;
  pull(k, (double[]){-gradient[1], gradient[0]}, wall->tangent);  // (n_y, -n_x)
  from_space(k, velocity, wall->velocity);
  wall->law = plain.law;
  wall->restitution = plain.restitution;
  return true;
}

static stc_simulation *skew_begin(skew *k, double h, const double *x, const double *v) {
  stc_system system = plain_system(2, k->s.planes, 2, k);
  double q[2], u[2];
  system.diagonal = false;
  system.mass = skew_mass, system.force = skew_force;
  system.potential = skew_potential, system.wall = skew_wall;
  from_space(k, x, q);
  from_space(k, v, u);
  return begin_at(&system, h, q, u);
}

static void test_skew_coordinates(void **state) {
  // a point that falls into a wedge, one of whose walls moves: equal to the motion in x, y
  skew k = {.s = {.dim = 2, .mass = 3, .force = {4, -30}, .planes = 2}, .A = {1, 0.5, -0.3, 1.2}};
  for (int j = 0; j < 2; j++)
    k.s.wall[j] = (plane){.normal = {j ? -0.6 : 0.6, 0.8},
                          .direction = {0, 1},
                          .V = j ? 0.2 : 0,
                          .law = stc_law_coulomb(2, 0.3),
                          .restitution = 0.2};
  const double start[2] = {0.1, 0.6}, speed[2] = {0.5, -1};
  double h = 1e-3, x[2], v[2];
  stc_simulation *plain = stage_begin(&k.s, h, 0, start, speed);
  stc_simulation *other = skew_begin(&k, h, start, speed);
  int touched = 0;
  for (int i = 0; i < 1500; i++) {
    touched += stage_step(plain).contacts == 2;
    stage_step(other);
    to_space(&k, stc_simulation_q(other), x);
    to_space(&k, stc_simulation_u(other), v);
    for (int c = 0; c < 2; c++) {
      expect_near(x[c], stc_simulation_q(plain)[c], 1e-9);
      expect_near(v[c], stc_simulation_u(plain)[c], 1e-9);
    }
  }
  assert_true(touched > 100);
  expect_near(stc_simulation_ledger(other)->friction, stc_simulation_ledger(plain)->friction, 1e-9);
  expect_near(stc_simulation_ledger(other)->drive, stc_simulation_ledger(plain)->drive, 1e-9);
  expect_balance(plain);
  expect_balance(other);
  stc_simulation_free(&plain);
  stc_simulation_free(&other);
}

// --- Polar coordinates (r, a): M = diag(1, r^2), a straight line that meets the wall x = 1 ---

static bool polar_mass(void *user, double t, const double *q, double *M) {
  M[0] = 1;
  M[1] = q[0] * q[0];
  return true;
}

static bool polar_force(void *user, double t, const double *q, const double *u, double *Q) {
  Q[0] = q[0] * u[1] * u[1];
  Q[1] = -2 * q[0] * u[0] * u[1];
  return true;
}

static bool polar_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                       stc_wall *wall) {
  wall->f = q[0] * cos(q[1]) - 1;
  wall->gradient[0] = cos(q[1]);
  wall->gradient[1] = -q[0] * sin(q[1]);
  wall->tangents = 1;
  wall->tangent[0] = sin(q[1]);
  wall->tangent[1] = q[0] * cos(q[1]);
  wall->law = stc_law_coulomb(2, 0.5);
  return true;
}

static void test_polar_coordinates(void **state) {
  // from (0.4, -0.5) with (0.8, 1): at x = 1, t = 0.75 the wall takes 0.8 and friction 0.4 of 1;
  // then y = 0.25 + 0.6 (t - 0.75) along the wall, without load and so without friction
  double error[4], balance[4];
  for (int k = 0; k < 4; k++) {
    double h = 2e-3 / (1 << k), x = 0.4, y = -0.5, r = hypot(x, y);
    stc_system system = plain_system(2, 1, 2, NULL);
    system.mass = polar_mass, system.force = polar_force, system.wall = polar_wall;
    double q[2] = {r, atan2(y, x)}, u[2] = {(0.8 * x + y) / r, (x - 0.8 * y) / (r * r)};
    stc_simulation *sim = begin_at(&system, h, q, u);
    stage_run(sim, h, 1);
    const double *at = stc_simulation_q(sim);
    error[k] = hypot(at[0] * cos(at[1]) - 1, at[0] * sin(at[1]) - 0.4);
    balance[k] = fabs(stc_simulation_ledger(sim)->error);
    stc_simulation_free(&sim);
  }
  assert_true(stage_order("polar coordinates: place at t = 1", error, 4) > 0.8);
  assert_true(stage_order("polar coordinates: balance, J", balance, 4) > 0.8);
}

// --- A punch that slides and spins over a patch of radius eps ---

enum { X, Y, Z, SPIN };

typedef struct punch {
  double f, g, eps;
} punch;

static bool punch_mass(void *user, double t, const double *q, double *M) {
  const punch *p = user;
  M[X] = M[Y] = M[Z] = 1;
  M[SPIN] = 0.4 * p->eps * p->eps;
  return true;
}

static bool punch_force(void *user, double t, const double *q, const double *u, double *Q) {
  Q[Z] = -((const punch *)user)->g;
  return true;
}

static bool punch_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                       stc_wall *wall) {
  const punch *p = user;
  wall->f = -q[Z];
  wall->gradient[Z] = -1;
  wall->tangents = 3;
  wall->tangent[0 * 4 + X] = 1;
  wall->tangent[1 * 4 + Y] = 1;
  wall->tangent[2 * 4 + SPIN] = 1;
  wall->law = stc_law_contensou(p->f, p->eps);
  return true;
}

/// When it stops, from speed v and spin w/eps; *v_half, *w_half at half that time.
static double punch_stop(double v, double w, double h, double T, double *v_half, double *w_half) {
  punch p = {.f = 0.3, .g = 9.81, .eps = 0.02};
  stc_system system = plain_system(4, 1, 4, &p);
  system.mass = punch_mass, system.force = punch_force, system.wall = punch_wall;
  double q[4] = {0}, u0[4] = {0.6 * v, 0.8 * v, 0, w / p.eps};
  stc_simulation *sim = begin_at(&system, h, q, u0);
  const double *u = stc_simulation_u(sim);
  double stop = 0;
  while (stop == 0 && stc_simulation_time(sim) < 2 * T) {
    stage_step(sim);
    bool slides = hypot(u[X], u[Y]) > 1e-9, spins = fabs(u[SPIN]) * p.eps > 1e-9;
    assert_true(slides == spins);  // both stop in the same step
    if (!slides) stop = stc_simulation_time(sim);
    if (stc_simulation_time(sim) > 0.5 * T + h / 2) continue;
    *v_half = hypot(u[X], u[Y]);
    *w_half = u[SPIN] * p.eps;
  }
  expect_balance(sim);
  stc_simulation_free(&sim);
  return stop;
}

static void test_punch(void **state) {
  // v = w = 0.5: stops at T = 0.2189161760, halfway v = 0.2293884998, w = 0.2898511884
  double v, w, T = 0.2189161760, error[3];
  for (int k = 0; k < 3; k++) {
    double h = T / (400 << k);
    expect_near(punch_stop(0.5, 0.5, h, T, &v, &w), T, 2 * h);
    error[k] = fabs(v - 0.2293884998) + fabs(w - 0.2898511884);
  }
  assert_true(stage_order("punch: v and w at T/2, m/s", error, 3) > 0.8);
  assert_true(error[2] < 1e-3);
  T = 0.3422291925;
  expect_near(punch_stop(1, 0.1, T / 1600, T, &v, &w), T, T / 800);
  T = 0.2344726230;
  expect_near(punch_stop(0.1, 1, T / 1600, T, &v, &w), T, T / 800);
}

// --- The same under a load that grows: the radius follows it, as Hertz says ---

enum { V, W };

typedef struct pressed {
  punch punch;  // first: the callbacks of the wall and the mass know nothing else
  double rate;  // N = g (1 + rate t)
  stc_hertz_patch patch;
} pressed;

static bool pressed_force(void *user, double t, const double *q, const double *u, double *Q) {
  const pressed *p = user;
  Q[Z] = -p->punch.g * (1 + p->rate * t);
  return true;
}

static bool pressed_law(void *user, int j, const stc_contact_past *past, stc_law *law) {
  law->radius = stc_hertz_patch_radius(&((const pressed *)user)->patch, past);
  return true;
}

// dv/dt = -f N F(k), dW/dt = -f N eps M(k) / I with eps(N) and k = v / (eps W).
static void quasi_static_rates(const pressed *p, double t, const double *y, double *rate) {
  double N = p->punch.g * (1 + p->rate * t), F, M;
  double eps = cbrt(0.75 * N * p->patch.R / p->patch.stiffness);
  stc_contensou(y[V] / (eps * y[W]), &F, &M);
  rate[V] = -p->punch.f * N * F;
  rate[W] = -p->punch.f * N * eps * M / (0.4 * p->punch.eps * p->punch.eps);
}

static void quasi_static_motion(const pressed *p, double T, double *y) {
  enum { STEPS = 2000 };
  for (int step = 0; step < STEPS; step++) {
    double slope[4][2], z[2] = {y[V], y[W]}, h = T / STEPS;
    for (int k = 0; k < 4; k++) {
      double reach = k < 2 ? h / 2 : h;
      quasi_static_rates(p, step * h + (k == 0 ? 0 : k < 3 ? h / 2 : h), z, slope[k]);
      for (int i = 0; i < 2; i++) z[i] = y[i] + reach * slope[k][i];
    }
    for (int i = 0; i < 2; i++)
      y[i] += h / 6 * (slope[0][i] + 2 * slope[1][i] + 2 * slope[2][i] + slope[3][i]);
  }
}

// What the law of each step leaves of v = 0.5 m/s, 25 rad/s at T.
static void pressed_motion(pressed *p, bool follows, double h, double T, double *y) {
  stc_system system = plain_system(4, 1, 4, p);
  system.mass = punch_mass, system.force = pressed_force, system.wall = punch_wall;
  if (follows) system.law = pressed_law;
  double q[4] = {0}, u0[4] = {0.3, 0.4, 0, 25};
  stc_simulation *sim = begin_at(&system, h, q, u0);
  while (stc_simulation_time(sim) < T - h / 2) stage_step(sim);
  y[V] = hypot(stc_simulation_u(sim)[X], stc_simulation_u(sim)[Y]);
  y[W] = stc_simulation_u(sim)[SPIN];
  stc_simulation_free(&sim);
}

static void test_pressed_punch(void **state) {
  // eps = 0.02 at the start, 0.0252 at T, where the load has doubled
  const double T = 0.12, stiffness = 0.75 * 9.81 * 0.5 / 8e-6;
  pressed p = {{.f = 0.3, .g = 9.81, .eps = 0.02}, 1 / T, {0.5, stiffness, 9.81}};
  double known[2] = {0.5, 25}, y[2], fixed[2], error[3];
  quasi_static_motion(&p, T, known);
  assert_true(known[V] > 0.05 && known[W] > 1);  // both go on
  for (int k = 0; k < 3; k++) {
    pressed_motion(&p, true, T / (300 << k), T, y);
    error[k] = fabs(y[V] - known[V]) + p.punch.eps * fabs(y[W] - known[W]);
  }
  assert_true(stage_order("pressed punch: v and w, m/s", error, 3) > 0.9);
  assert_true(error[2] < 1e-3);
  // a load that stays: the run with the fixed radius
  p.rate = 0;
  pressed_motion(&p, true, T / 300, T, y);
  pressed_motion(&p, false, T / 300, T, fixed);
  expect_near(y[V], fixed[V], 1e-13);
  expect_near(y[W], fixed[W], 1e-11);
}

TEST_PROGRAM(cmocka_unit_test(test_pressed_punch), cmocka_unit_test(test_skew_coordinates),
             cmocka_unit_test(test_polar_coordinates), cmocka_unit_test(test_punch))
