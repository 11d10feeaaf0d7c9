// Walls that Moreau's note only mentions: several at once, curved, anisotropic, with restitution.
#include "stage.h"

static const double PI = 3.14159265358979323846;

// --- A point in a wedge, symmetric walls at the angle a to the horizontal ---

static stage wedge(double a, double mu, double g) {
  stage s = {.dim = 2, .mass = 1.7, .force = {0, -1.7 * g}, .planes = 2};
  s.wall[0] = (plane){.normal = {sin(a), cos(a)}, .law = stc_law_coulomb(2, mu)};
  s.wall[1] = (plane){.normal = {-sin(a), cos(a)}, .law = stc_law_coulomb(2, mu)};
  return s;
}

static void test_wedge_without_friction(void **state) {
  // at rest in the corner each wall carries r_N = m g h / (2 cos a)
  double a = 0.7, h = 1e-2, r[2];
  stage s = wedge(a, 0, 9.81);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){0, 0});
  for (int k = 0; k < 50; k++) {
    stc_step_report report = stage_step(sim);
    assert_int_equal(report.contacts, 2);
    for (int j = 0; j < 2; j++) {
      assert_true(stc_simulation_contact(sim, j, r, NULL));
      expect_near(r[0], 1.7 * 9.81 * h / (2 * cos(a)), 1e-12);
      expect_near(r[1], 0, 1e-15);
    }
  }
  expect_near(stc_simulation_q(sim)[1], 0, 1e-12);
  expect_balance(sim);
  stc_simulation_free(&sim);
}

static void test_wedge_holds(void **state) {
  // a push P to the right: with friction on both walls the point stays in the corner for any small
  // P, and its impulses balance the load: sum of H^T r = -h (P, -m g)
  double a = 0.9, h = 1e-2, P = 3, sum[2] = {0, 0};
  stage s = wedge(a, 0.4, 9.81);
  s.force[0] = P;
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){0, 0});
  for (int k = 0; k < 50; k++) stage_step(sim);
  for (int j = 0; j < 2; j++) {
    double r[2];
    const double *n = s.wall[j].normal;
    stc_simulation_contact(sim, j, r, NULL);
    assert_true(r[0] >= 0 && fabs(r[1]) <= 0.4 * r[0] + 1e-9);
    sum[0] += r[0] * n[0] + r[1] * n[1];  // T = (n_y, -n_x)
    sum[1] += r[0] * n[1] - r[1] * n[0];
  }
  expect_near(sum[0], -h * P, 1e-11);
  expect_near(sum[1], h * 1.7 * 9.81, 1e-11);
  expect_near(stc_simulation_q(sim)[0], 0, 1e-11);
  expect_near(stc_simulation_q(sim)[1], 0, 1e-11);
  expect_balance(sim);
  stc_simulation_free(&sim);
}

static void test_trough(void **state) {
  // a trough along z whose walls move with V along it: each wall carries m g/(2 cos a), so that the
  // point gains mu g/cos a per second until it moves with them; in grams or kilotonnes alike
  double a = 0.6, mu = 0.3, g = 9.81, V = 0.5, h = 1e-3, rate = mu * g / cos(a);
  for (int k = -6; k <= 9; k += 3) {
    double m = pow(10, k);
    stage s = {.dim = 3, .mass = m, .force = {0, -m * g, 0}, .planes = 2};
    for (int j = 0; j < 2; j++)
      s.wall[j] = (plane){.normal = {j ? -sin(a) : sin(a), cos(a), 0},
                          .direction = {0, 0, 1},
                          .V = V,
                          .law = stc_law_coulomb(3, mu)};
    stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0, 0}, (double[]){0, 0, 0});
    for (int i = 0; i < 300; i++) {
      stc_step_report report = stage_step(sim);
      assert_int_equal(report.status, STC_STATUS_SOLVED);
      assert_true(report.eta <= 1e-12 && report.fclib_error <= 1e-12);
      expect_near(stc_simulation_u(sim)[2], fmin(V, rate * stc_simulation_time(sim)), 1e-10);
    }
    assert_true(stc_simulation_ledger(sim)->drive > 0);
    expect_near(stc_simulation_ledger(sim)->error, 0, 1e-12 * m);
    stc_simulation_free(&sim);
  }
}

static void test_wall_that_another_presses_on(void **state) {
  // u = (1, -1) runs into the floor and away from the roof (-0.6, -0.8); along the floor it would
  // run into the roof: both together stop it
  stage s = {.dim = 2, .mass = 1, .planes = 2};
  s.wall[0] = (plane){.normal = {0, 1}, .law = stc_law_frictionless(2)};
  s.wall[1] = (plane){.normal = {-0.6, -0.8}, .law = stc_law_frictionless(2)};
  stc_simulation *sim = stage_begin(&s, 1e-3, 1e-2, (double[]){0, 0}, (double[]){1, -1});
  assert_int_equal(stage_step(sim).contacts, 2);
  for (int i = 0; i < 2; i++) expect_near(stc_simulation_u(sim)[i], 0, 1e-11);
  stc_simulation_free(&sim);
}

static void test_restart_in_the_wedge(void **state) {
  // from a saved state the same bits follow, though the solver starts from the last impulses
  stage s = wedge(0.8, 0.3, 9.81);
  s.force[0] = 2;
  s.wall[1].direction[1] = 1;
  s.wall[1].A = 1e-3;
  s.wall[1].omega = 40;
  const double q[2] = {0, 0}, u[2] = {0, 0};
  stc_simulation *one = stage_begin(&s, 1e-3, 0, q, u), *other = stage_begin(&s, 1e-3, 0, q, u);
  size_t size = stc_simulation_state_size(one);
  double *a = calloc(size, sizeof *a), *b = calloc(size, sizeof *b);
  int several = 0;
  for (int k = 0; k < 600; k++) {
    stc_simulation_save(one, a);
    if (k % 7 == 0) {  // a new process each time
      stc_simulation_free(&other);
      other = stage_begin(&s, 1e-3, 0, q, u);
      assert_int_equal(stc_simulation_restore(other, a, size), STC_OK);
    }
    several += stage_step(one).contacts > 1;
    stage_step(other);
    stc_simulation_save(one, a);
    stc_simulation_save(other, b);
    assert_memory_equal(a, b, size * sizeof *a);
  }
  assert_true(several > 100);
  free(a);
  free(b);
  stc_simulation_free(&one);
  stc_simulation_free(&other);
}

// --- Newton's restitution in a wedge that jams (two walls, no force) ---

typedef struct blow {
  stc_step_report report;
  double u[3];
  double r_N, r_T;  // at wall 0
} blow;

/// Walls n = (-sin a, +-cos a[, 0]); the point comes with `u`.
static blow run_into_wedge(int dim, double a, double mu, double e, const double *u) {
  stage s = {.dim = dim, .mass = 1, .planes = 2};
  for (int j = 0; j < 2; j++)
    s.wall[j] = (plane){.normal = {-sin(a), j ? -cos(a) : cos(a)},
                        .law = stc_law_coulomb(dim, mu),
                        .restitution = e};
  stc_simulation *sim = stage_begin(&s, 1e-3, 0, (double[]){0, 0, 0}, u);
  blow found = {.r_N = 0};
  assert_int_equal(stc_simulation_step(sim, &found.report), STC_OK);
  double r[3];
  stc_simulation_contact(sim, 0, r, NULL);
  found.r_N = r[0];
  found.r_T = r[1];
  memcpy(found.u, stc_simulation_u(sim), (size_t)dim * sizeof *u);
  const double *guess;
  bool kept = stc_simulation_problem(sim, &guess) != NULL;
  assert_true(kept == !found.report.accepted && kept == (guess != NULL));
  assert_int_equal(stc_simulation_steps(sim), found.report.accepted ? 1 : 0);
  stc_simulation_free(&sim);
  return found;
}

static void test_wedge_restitution(void **state) {
  const double u[3] = {1, 0, 0};
  // tan a = 0.309 < mu = 0.5: with e = 0 it stops; with e = 0.5 there is no solution
  blow found = run_into_wedge(2, 0.3, 0.5, 0, u);
  assert_true(found.report.accepted);
  expect_near(found.u[0], 0, 1e-9);
  found = run_into_wedge(2, 0.3, 0.5, 0.5, u);
  assert_false(found.report.accepted);
  assert_true(found.report.status != STC_STATUS_SOLVED);
  assert_non_null(strstr(found.report.reason, "walls 0, 1"));
  assert_non_null(strstr(found.report.reason, "jam"));
  assert_non_null(strstr(found.report.reason, "restitution"));
  expect_near(found.u[0], 1, 0);  // the state is that of the beginning
  // tan a = 0.684 > mu: u = (-e, 0), r_N = (1 + e)/(2 (sin a - mu cos a)) = 4.935, r_T = mu r_N
  found = run_into_wedge(2, 0.6, 0.5, 0.5, u);
  assert_true(found.report.accepted);
  expect_near(found.u[0], -0.5, 1e-9);
  expect_near(found.u[1], 0, 1e-9);
  expect_near(found.r_N, 1.5 / (2 * (sin(0.6) - 0.5 * cos(0.6))), 1e-7);
  expect_near(found.r_N, 4.935, 1e-3);
  expect_near(fabs(found.r_T), 0.5 * found.r_N, 1e-7);
}

static void test_wedge_restitution_in_space(void **state) {
  // a = 0.3, mu = e = 0.5: no solution for |v_z| < 5.952499, solutions above
  for (int k = 0; k < 3; k++) {
    const double u[3] = {1, 0, k * 2.5};
    assert_false(run_into_wedge(3, 0.3, 0.5, 0.5, u).report.accepted);
  }
  blow found = run_into_wedge(3, 0.3, 0.5, 0.5, (double[]){1, 0, 9});
  assert_true(found.report.accepted);
  expect_near(found.u[0], -0.5, 1e-7);  // both walls rebound: v_x = -e
  expect_near(found.u[1], 0, 1e-7);
}

static void test_unsolved_is_not_impossible(void **state) {
  // tan a > mu: a solution exists; a solver that may not iterate does not find it, and says so
  stage s = wedge(0.3, 0.2, 0);
  s.wall[0].restitution = s.wall[1].restitution = 0.5;
  stc_system system = stage_system(&s);
  stc_stepping stepping = stc_default_stepping();
  stepping.solver.max_iterations = 0;
  stc_simulation *sim = NULL;
  stc_step_report report;
  assert_int_equal(stc_simulation_create(&system, &stepping, &sim), STC_OK);
  assert_int_equal(stc_simulation_place(sim, 0, (double[]){0, 0}, (double[]){0, -1}), STC_OK);
  assert_int_equal(stc_simulation_step(sim, &report), STC_OK);
  assert_false(report.accepted);
  assert_int_equal(report.status, STC_STATUS_MAX_ITERATIONS);
  assert_non_null(strstr(report.reason, "a solution exists"));
  assert_int_equal(stc_problem_contacts(stc_simulation_problem(sim, NULL)), 2);
  assert_int_equal(stc_simulation_steps(sim), 0);
  stc_simulation_free(&sim);
}

// --- One coordinate, one wall, tangent 2 times the normal: Newton's rule may have no solution ---

static bool tooth_mass(void *user, double t, const double *q, double *M) {
  M[0] = 1;
  return true;
}

static bool tooth_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                       stc_wall *wall) {
  const double *mu_e = user;
  wall->f = -q[0];
  wall->gradient[0] = -1;
  wall->tangents = 1;
  wall->tangent[0] = 2;
  wall->law = stc_law_coulomb(2, mu_e[0]);
  wall->restitution = mu_e[1];
  return true;
}

static stc_step_report bite(double mu, double e, double *u) {
  double mu_e[2] = {mu, e};
  stc_system system = plain_system(1, 1, 2, mu_e);
  system.mass = tooth_mass, system.wall = tooth_wall;
  stc_stepping stepping = stc_default_stepping();
  stc_simulation *sim = begin_with(&system, &stepping, (double[]){0}, (double[]){-1});
  stc_step_report report;
  assert_int_equal(stc_simulation_step(sim, &report), STC_OK);
  *u = stc_simulation_u(sim)[0];
  stc_simulation_free(&sim);
  return report;
}

static void test_tooth(void **state) {
  double u;
  // 2 mu < 1: rebounds with e; 2 mu > 1 and e = 0: sticks; 2 mu > 1 and e > 0: no solution
  assert_true(bite(0.3, 0.5, &u).accepted);
  expect_near(u, 0.5, 1e-12);
  assert_true(bite(1, 0, &u).accepted);
  expect_near(u, 0, 1e-12);
  stc_step_report report = bite(1, 0.5, &u);
  assert_false(report.accepted);
  assert_non_null(strstr(report.reason, "wall 0"));
  assert_non_null(strstr(report.reason, "jam"));
  expect_near(u, -1, 0);
}

// --- A ball that bounces ---

static stage ball(double e, double mu) {
  stage s = {.dim = 2, .mass = 0.4, .force = {0, -0.4 * 9.81}, .planes = 1};
  s.wall[0] = stage_floor(2, mu);
  s.wall[0].restitution = e;
  return s;
}

static void test_ball_keeps_its_energy(void **state) {
  // e = 1: the energy of every step is that of the start, whatever h
  for (double h = 0.3; h > 1e-4; h /= 7) {
    stage s = ball(1, 0);
    stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0.5}, (double[]){0.3, -1});
    const stc_ledger *l = stc_simulation_ledger(sim);
    for (int k = 0; k < 2000; k++) {
      stage_step(sim);
      expect_near(l->kinetic + l->potential, l->start, 1e-11 * l->start);
    }
    assert_true(l->shock <= 1e-12 * l->start);
    expect_balance(sim);
    stc_simulation_free(&sim);
  }
}

static void test_wedge_gains_nothing(void **state) {
  // e = 1 with friction between two walls: the energy never exceeds that of the start
  for (int k = 0; k < 24; k++) {
    double h = k % 3 ? 1e-3 : 1e-2;
    stage s = wedge(0.2 + 0.2 * (k % 6), 0.1 * (k / 6), 10);
    s.wall[0].restitution = s.wall[1].restitution = 1;
    stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0.1, 1}, (double[]){0.3, 0});
    const stc_ledger *l = stc_simulation_ledger(sim);
    for (int i = 0; i < 2000; i++) {
      stage_step(sim);
      assert_true(l->kinetic + l->potential <= l->start * (1 + 1e-12));
    }
    expect_balance(sim);
    stc_simulation_free(&sim);
  }
}

static void test_ball_comes_to_rest(void **state) {
  // e = 0.5 from 1 m: rebounds with e v; rests after sqrt(2/g) (1 + e)/(1 - e), to O(h)
  double h = 1e-5, rest = sqrt(2 / 9.81) * 1.5 / 0.5, r[2], u[2];
  stage s = ball(0.5, 0.2);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 1}, (double[]){0, 0});
  double arrival = 0, last = 0;
  while (stc_simulation_time(sim) < 1.2 * rest) {
    double before = stc_simulation_u(sim)[1];
    stage_step(sim);
    bool hit = stc_simulation_contact(sim, 0, r, u) && r[0] > 0;
    if (hit) expect_near(u[0], -0.5 * fmin(before, 0), 1e-12);
    if (hit && arrival == 0) arrival = stc_simulation_time(sim);
    if (stc_simulation_u(sim)[1] > 1e-12) last = stc_simulation_time(sim);
  }
  expect_near(arrival, sqrt(2 / 9.81), 2 * h);
  expect_near(last, rest, 100 * h);
  expect_near(stc_simulation_u(sim)[1], 0, 1e-15);
  expect_balance(sim);
  stc_simulation_free(&sim);
}

// --- A rod that strikes the floor with one end: Newton's rule with friction may gain energy ---

typedef struct rod {
  double angle, mu, e;
} rod;

static bool rod_mass(void *user, double t, const double *q, double *M) {
  M[0] = M[1] = 1;
  M[2] = 1.0 / 3;  // half length 1
  return true;
}

static bool rod_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                     stc_wall *wall) {
  const rod *r = user;
  double x = cos(r->angle), y = sin(r->angle);  // its lower end is at q - (x, y)
  wall->f = -q[1];
  wall->gradient[1] = -1;
  wall->gradient[2] = x;
  wall->tangents = 1;
  wall->tangent[0] = 1;
  wall->tangent[2] = y;
  wall->law = stc_law_coulomb(2, r->mu);
  wall->restitution = r->e;
  return true;
}

/// Kinetic energy after one blow, against that before it.
static double strike(const rod *r, const double *u, double *kept) {
  stc_system system = plain_system(3, 1, 2, (void *)r);
  system.mass = rod_mass, system.wall = rod_wall;
  stc_stepping stepping = stc_default_stepping();
  stc_simulation *sim = begin_with(&system, &stepping, (double[]){0, 0, 0}, u);
  stc_step_report report = stage_step(sim);
  const stc_ledger *l = stc_simulation_ledger(sim);
  double part = l->kinetic / l->start;
  *kept = report.restitution;
  expect_balance(sim);
  stc_simulation_free(&sim);
  return part;
}

static void test_rod_gains_nothing(void **state) {
  int limited = 0, whole = 0;
  for (int k = 0; k < 400; k++) {
    rod r = {.angle = 0.1 + 0.0035 * k, .mu = 0.05 * (k % 23), .e = k % 2 ? 1 : 0.8};
    double u[3] = {-2 + 0.4 * (k % 11), -1 - 0.1 * (k % 3), -1 + 0.3 * (k % 7)}, kept;
    double part = strike(&r, u, &kept);
    assert_true(part <= 1 + 1e-12);
    limited += kept < 1;
    whole += kept == 1;
  }
  assert_true(limited > 0 && whole > limited);
}

// --- A point that slides in a bowl of radius R ---

typedef struct bowl {
  double R, mu, g;
} bowl;

static bool bowl_mass(void *user, double t, const double *q, double *M) {
  M[0] = M[1] = 1;
  return true;
}

static bool bowl_force(void *user, double t, const double *q, const double *u, double *Q) {
  Q[1] = -((const bowl *)user)->g;
  return true;
}

static bool bowl_potential(void *user, double t, const double *q, double *V) {
  *V = ((const bowl *)user)->g * q[1];
  return true;
}

static bool bowl_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                      stc_wall *wall) {
  const bowl *b = user;
  double r = hypot(q[0], q[1]);
  wall->f = r - b->R;
  wall->gradient[0] = q[0] / r;
  wall->gradient[1] = q[1] / r;
  wall->law = stc_law_coulomb(2, b->mu);
  return true;
}

/// Angle where the first swing from `start` ends: with w = (d angle/dt)^2,
///   w = C e^(2 mu a) + (2 g/R) ((1 - 2 mu^2) cos a + 3 mu sin a)/(1 + 4 mu^2),  w(start) = 0.
static double swing(const bowl *b, double start) {
  double k = 2 * b->g / b->R / (1 + 4 * b->mu * b->mu), low = -start, high = start / 2;
#define PARTICULAR(a) (k * ((1 - 2 * b->mu * b->mu) * cos(a) + 3 * b->mu * sin(a)))
  double C = -PARTICULAR(start) * exp(-2 * b->mu * start);
  for (int i = 0; i < 200; i++) {
    double a = (low + high) / 2;
    if (C * exp(2 * b->mu * a) + PARTICULAR(a) > 0)
      high = a;
    else
      low = a;
  }
#undef PARTICULAR
  return low;
}

/// Lets it swing from 60 degrees until it turns, then until it rests at *end.
static double simulate_bowl(bowl *b, double h, double correction, double *end, double *deepest) {
  double start = PI / 3, turned = 0;
  stc_system system = plain_system(2, 1, 2, b);
  system.mass = bowl_mass, system.force = bowl_force;
  system.potential = bowl_potential, system.wall = bowl_wall;
  stc_stepping stepping = stc_default_stepping();
  stepping.h = h;
  stepping.correction = correction;
  const double q0[2] = {b->R * sin(start), -b->R * cos(start)};
  stc_simulation *sim = begin_with(&system, &stepping, q0, (double[]){0, 0});
  const double *q = stc_simulation_q(sim), *u = stc_simulation_u(sim);
  *deepest = 0;
  while (stc_simulation_time(sim) < 8) {
    stc_step_report report = stage_step(sim);
    *deepest = fmax(*deepest, report.violation);
    if (turned == 0 && stc_simulation_time(sim) > 0.2 && u[0] >= -1e-12)
      turned = atan2(q[0], -q[1]);
  }
  *end = atan2(q[0], -q[1]);
  expect_near(hypot(u[0], u[1]), 0, 1e-12);
  expect_balance(sim);
  assert_true(correction == 0 || stc_simulation_ledger(sim)->correction != 0);
  stc_simulation_free(&sim);
  return turned;
}

static void test_bowl(void **state) {
  bowl b = {.R = 0.8, .mu = 0.2, .g = 9.81};
  double error[4], deep[4], corrected, end, rotation = swing(&b, PI / 3);
  assert_true(rotation < -0.3 && rotation > -PI / 3);
  for (int k = 0; k < 4; k++) {
    double h = 2e-3 / (1 << k);
    error[k] = fabs(simulate_bowl(&b, h, 0, &end, &deep[k]) - rotation);
    assert_true(fabs(end) <= atan(b.mu) + 1e-6);  // inside the cone of friction
  }
  assert_true(stage_order("bowl: end of the first swing", error, 4) > 0.8);
  assert_true(stage_order("bowl: penetration, m", deep, 4) > 0.8);
  simulate_bowl(&b, 2e-3, 0.5, &end, &corrected);
  assert_true(corrected < deep[0] / 20);
}

// --- An anisotropic plate ---

static stage plate(double mu1, double mu2, double g) {
  stage s = {.dim = 3, .mass = 0.9, .force = {0, 0, -0.9 * g}, .planes = 1};
  s.wall[0] = stage_floor(3, 0);
  s.wall[0].law = stc_law_elliptic(mu1, mu2);
  return s;
}

/// u_F,j = l c_j/(a_j^2 + l), l the root of sum (a_j c_j/(a_j^2 + l))^2 = 1, a_j = mu_j g h; by
/// bisection.
static void one_step_on_plate(const double mu[2], double fall, const double *c, double *u) {
  double alpha[2] = {mu[0] * fall, mu[1] * fall}, low = 0;
  double high = hypot(alpha[0] * c[0], alpha[1] * c[1]);
  for (int k = 0; k < 200; k++) {
    double l = (low + high) / 2, sum = 0;
    for (int j = 0; j < 2; j++) sum += pow(alpha[j] * c[j] / (alpha[j] * alpha[j] + l), 2);
    if (sum > 1)
      low = l;
    else
      high = l;
  }
  for (int j = 0; j < 2; j++) u[j] = low * c[j] / (alpha[j] * alpha[j] + low);
}

static void test_plate(void **state) {
  const double mu[2] = {0.15, 0.45}, g = 9.81, c[3] = {1.1, 0.7, 0};
  double error[3], u[2], h = 0.05;
  stage s = plate(mu[0], mu[1], g);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0, 0}, c);
  stage_step(sim);
  one_step_on_plate(mu, g * h, c, u);
  for (int j = 0; j < 2; j++) expect_near(stc_simulation_u(sim)[j], u[j], 1e-12);
  stc_simulation_free(&sim);
  // dv_j/dt = -g mu_j^2 v_j/|D v|: v_2 = c_2 (v_1/c_1)^((mu_2/mu_1)^2) all the way
  for (int k = 0; k < 3; k++) {
    h = 4e-4 / (1 << k);
    sim = stage_begin(&s, h, 0, (double[]){0, 0, 0}, c);
    stage_run(sim, h, 0.1);
    const double *v = stc_simulation_u(sim);
    error[k] = fabs(v[1] - c[1] * pow(v[0] / c[0], 9));
    expect_balance(sim);
    stc_simulation_free(&sim);
  }
  assert_true(stage_order("plate: path of the velocity, m/s", error, 3) > 0.8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wedge_without_friction),
      cmocka_unit_test(test_wedge_holds),
      cmocka_unit_test(test_trough),
      cmocka_unit_test(test_wall_that_another_presses_on),
      cmocka_unit_test(test_restart_in_the_wedge),
      cmocka_unit_test(test_wedge_restitution),
      cmocka_unit_test(test_wedge_restitution_in_space),
      cmocka_unit_test(test_unsolved_is_not_impossible),
      cmocka_unit_test(test_tooth),
      cmocka_unit_test(test_ball_keeps_its_energy),
      cmocka_unit_test(test_wedge_gains_nothing),
      cmocka_unit_test(test_ball_comes_to_rest),
      cmocka_unit_test(test_rod_gains_nothing),
      cmocka_unit_test(test_bowl),
      cmocka_unit_test(test_plate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
