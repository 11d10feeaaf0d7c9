// The motions of Moreau 1986 that have closed forms: incline, slide to rest, drop on a wall, tables
// that shake, and the oscillator on a belt. Each test states the answer first; orders are printed.
#include "stage.h"

static const double PI = 3.14159265358979323846;

// --- T1 incline: u = g (sin a - mu cos a) t along the slope, or rest if mu > tan a ---

static stage incline(double degrees, double mu, double g) {
  double a = degrees * PI / 180;
  stage s = {.dim = 2, .mass = 2.5, .force = {0, -2.5 * g}, .planes = 1};
  s.wall[0] = (plane){.normal = {sin(a), cos(a)}, .law = stc_law_coulomb(2, mu)};
  return s;
}

static void check_incline(double degrees, double mu, double g, double h) {
  double a = degrees * PI / 180, slope[2] = {cos(a), -sin(a)};
  double rate = fmax(0, g * (sin(a) - mu * cos(a)));
  stage s = incline(degrees, mu, g);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){0, 0});
  for (int k = 1; k <= lround(1 / h); k++) {
    stc_step_report report = stage_step(sim);
    const double *q = stc_simulation_q(sim), *u = stc_simulation_u(sim);
    double t = stc_simulation_time(sim);
    assert_int_equal(report.contacts, 1);
    assert_int_equal(report.status, STC_STATUS_SOLVED);
    expect_near(u[0] * slope[0] + u[1] * slope[1], rate * t, 2e-14 * (1 + rate));
    expect_near(q[0] * slope[0] + q[1] * slope[1], rate * t * t / 2, 2e-14 * (1 + rate));
  }
  expect_balance(sim);
  stc_simulation_free(&sim);
}

static void test_incline(void **state) {
  // 30 degrees, mu = 0.3, g = 9.81: u(1) = 2.3562872, x(1) = 1.1781436
  expect_near(9.81 * (sin(PI / 6) - 0.3 * cos(PI / 6)), 2.3562872, 5e-8);
  check_incline(30, 0.3, 9.81, 1e-3);
  check_incline(30, 0.7, 9.81, 1e-3);  // tan 30 = 0.577 < mu: rest
  check_incline(12, 0.1, 1.62, 1.0 / 64);
  check_incline(75, 1.5, 9.81, 1.0 / 50);
  check_incline(40, 0, 9.81, 1.0 / 128);
}

// --- T2 slide to rest: t = u0/(mu g), x = u0^2/(2 mu g), to mu g h^2/8 ---

static stage slide(double mu, double g) {
  return (stage){
      .dim = 2, .mass = 0.7, .force = {0, -0.7 * g}, .planes = 1, .wall = {stage_floor(2, mu)}};
}

/// Slides until it rests, at step *steps; returns the distance.
static double slide_to_rest(double u0, double mu, double g, double h, long *steps) {
  stage s = slide(mu, g);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){u0, 0});
  const double *u = stc_simulation_u(sim);
  *steps = 0;
  while (u[0] > 1e-12 * u0) {
    stage_step(sim);
    ++*steps;
  }
  double distance = stc_simulation_q(sim)[0];
  for (int k = 0; k < 100; k++) stage_step(sim);  // and stays
  expect_near(stc_simulation_q(sim)[0], distance, 1e-14);
  expect_near(stc_simulation_ledger(sim)->friction, -0.7 * u0 * u0 / 2, 1e-12);
  expect_balance(sim);
  stc_simulation_free(&sim);
  return distance;
}

static void test_slide_to_rest(void **state) {
  long steps;
  // u0 = 2, mu = 0.5, g = 10: t = 0.4, x = 0.4, exact where h divides t
  expect_near(slide_to_rest(2, 0.5, 10, 0.01, &steps), 0.4, 1e-14);
  assert_int_equal(steps, 40);
  // h = 0.007: rests at the node 0.406, x = 0.400015 within mu g h^2 / 8 = 3.06e-5
  expect_near(slide_to_rest(2, 0.5, 10, 0.007, &steps), 0.400015, 1e-9);
  assert_int_equal(steps, 58);
  double worst[4] = {0};
  for (int k = 0; k < 4; k++) {
    double h = 0.02 / (1 << k);
    for (double u0 = 1; u0 < 1.2; u0 += 0.0137) {
      double error = slide_to_rest(u0, 0.3, 9.81, h, &steps) - u0 * u0 / (2 * 0.3 * 9.81);
      assert_true(error >= -1e-13 && error <= 0.3 * 9.81 * h * h / 8 * (1 + 1e-9));
      assert_int_equal(steps, (long)ceil(u0 / (0.3 * 9.81 * h) - 1e-9));
      worst[k] = fmax(worst[k], error);
    }
  }
  assert_true(fabs(stage_order("stopping distance, m", worst, 4) - 2) < 0.2);
}

// --- T3 drop on a wall at 45 degrees ---

static stage drop(double mu, double angle) {
  stage s = {.dim = 2, .mass = 1.3, .force = {0, -13}, .planes = 1};
  s.wall[0] = (plane){.normal = {-sin(angle), cos(angle)}, .law = stc_law_coulomb(2, mu)};
  return s;
}

typedef struct landing {
  double time;       // end of the step of the shock
  double after;      // speed along the wall after it
  double later;      // the same at t = 0.7
  double violation;  // largest
} landing;

/// Falls 1.25 m with g = 10 on a wall that rises at `angle`; downhill is (-cos, -sin).
static landing fall(double mu, double angle, double h) {
  stage s = drop(mu, angle);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 1.25}, (double[]){0, 0});
  const double *u = stc_simulation_u(sim);
  landing found = {0};
  while (stc_simulation_steps(sim) < lround(0.7 / h)) {
    stc_step_report report = stage_step(sim);
    found.later = -cos(angle) * u[0] - sin(angle) * u[1];
    found.violation = fmax(found.violation, report.violation);
    if (report.contacts && found.time == 0) {
      found.time = stc_simulation_time(sim);
      found.after = found.later;
    }
  }
  expect_balance(sim);
  assert_true(stc_simulation_ledger(sim)->shock < 0);
  stc_simulation_free(&sim);
  return found;
}

static void test_drop_on_wall(void **state) {
  // impact at t = 0.5 with 5 m/s; u_T after = 5 (sin 45 - mu cos 45); then g (sin - mu cos) more
  double error[4], depth[4], angle = PI / 4;
  for (int k = 0; k < 4; k++) {
    double h = 1e-3 / (1 << k);
    landing found = fall(0.5, angle, h);
    expect_near(found.time, 0.5, 2 * h);
    error[k] = fabs(found.after - 1.7677670) + 1e-9;
    depth[k] = found.violation;
    expect_near(found.later, 2.4748737, 20 * h);
  }
  expect_near(depth[0], 1.77e-3, 1e-4);
  assert_true(fabs(stage_order("drop: penetration, m", depth, 4) - 1) < 0.1);
  assert_true(stage_order("drop: speed after the shock, m/s", error, 4) > 0.8);
  landing stuck = fall(1.2, angle, 1e-3);  // mu > tan 45: rests at once
  expect_near(stuck.after, 0, 1e-13);
  expect_near(stuck.later, 0, 1e-13);
  angle = 65 * PI / 180;
  expect_near(fall(0.4, angle, 1e-4).after, 5 * (sin(angle) - 0.4 * cos(angle)), 5e-3);
}

// --- T4 table x = A sin(omega t) under a block ---

static stage table(double A, double omega, double mu, double g) {
  stage s = slide(mu, g);
  s.wall[0].A = A;
  s.wall[0].omega = omega;
  return s;
}

static void test_table_carries(void **state) {
  // sticks iff A omega^2 <= mu g: the block moves with the table
  for (int k = 0; k < 2; k++) {
    double omega = 20, mu = 0.25, g = 9.81, A = (k ? 1.01 : 0.99) * mu * g / (omega * omega);
    stage s = table(A, omega, mu, g);
    double h = 1e-4, slip = 0;
    stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){A * omega, 0});
    for (int i = 0; i < 5000; i++) {
      stage_step(sim);
      double wall = A * omega * cos(omega * stc_simulation_time(sim));
      slip = fmax(slip, fabs(stc_simulation_u(sim)[0] - wall));
    }
    if (k)
      assert_true(slip > 1e-4 * A * omega);
    else
      expect_near(slip, 0, 1e-13);
    expect_balance(sim);
    stc_simulation_free(&sim);
  }
}

static void test_table_holds_by_static_friction(void **state) {
  // mu_k g < A omega^2 < mu_s g: a block that sticks goes on sticking, though rounding leaves it a
  // velocity and u_I differs from the velocity the table will have; rest is v = 0 exactly
  double omega = 20, A = 0.4 * 9.81 / (omega * omega), h = 1e-3;
  stage s = table(A, omega, 0, 9.81);
  s.wall[0].varies = true;
  s.wall[0].coefficient = stc_coefficient_static_kinetic(0.45, 0.2, 0);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){A * omega, 0});
  for (int i = 0; i < 2000; i++) {
    stage_step(sim);
    double wall = A * omega * cos(omega * stc_simulation_time(sim));
    expect_near(stc_simulation_u(sim)[0], wall, 1e-13);
  }
  stc_simulation_free(&sim);
}

/// Half the peak-to-peak velocity between the times `from` and `to`.
static double amplitude(double A, double omega, double mu, double g, double h, double from,
                        double to) {
  stage s = table(A, omega, mu, g);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){0, 0});
  double least = INFINITY, most = -INFINITY;
  while (stc_simulation_time(sim) < to) {
    stage_step(sim);
    if (stc_simulation_time(sim) < from) continue;
    least = fmin(least, stc_simulation_u(sim)[0]);
    most = fmax(most, stc_simulation_u(sim)[0]);
  }
  expect_balance(sim);
  stc_simulation_free(&sim);
  return (most - least) / 2;
}

static void test_table_slips(void **state) {
  // A omega^2/(mu g) >= sqrt(1 + pi^2/4): never sticks, triangle wave of amplitude pi mu g/(2
  // omega)
  double omega = 20 * PI;
  assert_true(0.01 * omega * omega / (0.2 * 10) > sqrt(1 + PI * PI / 4));
  expect_near(PI * 0.2 * 10 / (2 * omega), 0.05, 1e-15);
  expect_near(amplitude(0.01, omega, 0.2, 10, 1e-4, 0.6, 1), 0.05, 2e-4);
  expect_near(amplitude(0.02, 30, 0.15, 9.81, 1e-4, 6, 8), PI * 0.15 * 9.81 / 60, 5e-4);
}

// --- T4b table y = A sin(omega t): lifts off at sin(phi) = 1/Gamma, flies, lands ---

static void flight(double gamma, double omega, double h, double *lift, double *land) {
  double g = 9.81, A = gamma * g / (omega * omega);
  stage s = slide(0.3, g);
  s.wall[0].A = A;
  s.wall[0].omega = omega;
  s.wall[0].direction[0] = 0;
  s.wall[0].direction[1] = 1;
  // the trapezoidal rule leaves a carried block within g h^2 of its table
  stc_simulation *sim = stage_begin(&s, h, g * h * h, (double[]){0, 0}, (double[]){0, A * omega});
  double r[2];
  *lift = *land = 0;
  while (*land == 0 && stc_simulation_time(sim) < 1) {
    double begin = stc_simulation_time(sim);
    stage_step(sim);
    bool carried = stc_simulation_contact(sim, 0, r, NULL) && r[0] > 0;
    if (*lift == 0 && !carried) *lift = begin;
    if (*lift > 0 && carried) *land = stc_simulation_time(sim);
  }
  expect_balance(sim);
  stc_simulation_free(&sim);
}

/// Time of landing of a flight that begins at the phase asin(1/gamma), by bisection.
static double landing_time(double gamma, double omega) {
  double g = 9.81, A = gamma * g / (omega * omega), t0 = asin(1 / gamma) / omega;
  double y0 = A * sin(omega * t0), v0 = A * omega * cos(omega * t0);
  double low = t0 + 0.2 / omega, high = t0 + 2 * v0 / g + 2 * PI / omega;
  for (int k = 0; k < 200; k++) {
    double t = (low + high) / 2, tau = t - t0;
    bool above = y0 + v0 * tau - g * tau * tau / 2 > A * sin(omega * t);
    if (above)
      low = t;
    else
      high = t;
  }
  return low;
}

static void test_table_throws(void **state) {
  // Gamma = 1.5, omega = 20 pi, g = 9.81: lift-off 0.01161398, landing 0.06837208
  double omega = 20 * PI, lift, land;
  expect_near(asin(1 / 1.5) / omega, 0.01161398, 5e-9);
  expect_near(landing_time(1.5, omega), 0.06837208, 5e-9);
  for (int k = 0; k < 3; k++) {
    double h = 4e-5 / (1 << (2 * k));
    flight(1.5, omega, h, &lift, &land);
    expect_near(lift, 0.01161398, 2 * h);
    expect_near(land, 0.06837208, 4 * h);
  }
  flight(1.2, 50, 1e-5, &lift, &land);
  expect_near(lift, asin(1 / 1.2) / 50, 2e-5);
  expect_near(land, landing_time(1.2, 50), 4e-5);
}

// --- T5 oscillator on a belt ---

typedef struct cycle {
  double period, least, most;
} cycle;

typedef struct oscillator {
  double m, k, N, mu_s, mu_k, V;
} oscillator;

/// Period 2 D/V + (2/w)(pi - atan(w D/V)), D = (mu_s - mu_k) N/k, x in x_k -+ sqrt(D^2 + V^2/w^2).
static cycle expected_cycle(const oscillator *o) {
  double w = sqrt(o->k / o->m), D = (o->mu_s - o->mu_k) * o->N / o->k, x = o->mu_k * o->N / o->k;
  double reach = hypot(D, o->V / w);
  return (cycle){2 * D / o->V + 2 / w * (PI - atan(w * D / o->V)), x - reach, x + reach};
}

/// The third cycle from a start on the belt: between two moments at which slip begins.
static cycle chatter(const oscillator *o, double h) {
  stage s = {.dim = 2, .mass = o->m, .force = {0, -o->N}, .spring = o->k, .planes = 1};
  s.wall[0] = stage_floor(2, 0);
  s.wall[0].V = o->V;
  s.wall[0].varies = true;
  s.wall[0].coefficient = stc_coefficient_static_kinetic(o->mu_s, o->mu_k, 1e-12);
  stc_simulation *sim = stage_begin(&s, h, 0, (double[]){0, 0}, (double[]){o->V, 0});
  cycle found = {0, INFINITY, -INFINITY};
  double begin = 0, u[2];
  bool stuck = false;
  for (int starts = 0; starts < 4;) {
    stage_step(sim);
    assert_true(stc_simulation_time(sim) < 10 * expected_cycle(o).period);
    stc_simulation_contact(sim, 0, NULL, u);
    bool sticks = fabs(u[1]) < 1e-12;
    if (stuck && !sticks && ++starts == 3) begin = stc_simulation_time(sim);
    stuck = sticks;
    if (starts == 4) found.period = stc_simulation_time(sim) - begin;
    if (starts != 3) continue;
    found.least = fmin(found.least, stc_simulation_q(sim)[0]);
    found.most = fmax(found.most, stc_simulation_q(sim)[0]);
  }
  stc_simulation_free(&sim);
  return found;
}

static void test_chatter(void **state) {
  oscillator o = {.m = 1, .k = 100, .N = 10, .mu_s = 0.6, .mu_k = 0.4, .V = 0.1};
  cycle answer = expected_cycle(&o), found;
  expect_near(answer.period, 0.80688879, 5e-9);
  expect_near(answer.least, 0.01763932, 5e-9);
  expect_near(answer.most, 0.06236068, 5e-9);
  double error[3];
  for (int k = 0; k < 3; k++) {
    double h = 8e-5 / (1 << k);
    found = chatter(&o, h);
    error[k] = fabs(found.most - answer.most) + fabs(found.least - answer.least);
    expect_near(found.period, answer.period, 4 * h);
  }
  expect_near(found.period, answer.period, 1e-4);
  assert_true(stage_order("chatter: ends of the motion, m", error, 3) > 0.8);
  o = (oscillator){.m = 2, .k = 500, .N = 30, .mu_s = 0.5, .mu_k = 0.2, .V = 0.3};
  answer = expected_cycle(&o);
  found = chatter(&o, 2e-5);
  expect_near(found.period, answer.period, 1e-4);
  expect_near(found.least, answer.least, 2e-5);
  expect_near(found.most, answer.most, 2e-5);
}

// --- Free motion: the scheme is of second order ---

static void test_free_oscillator(void **state) {
  // x = cos(w t), w = 2, no wall
  double error[4];
  for (int k = 0; k < 4; k++) {
    double h = 0.02 / (1 << k);
    stage s = {.dim = 2, .mass = 1, .spring = 4};
    stc_simulation *sim = stage_begin(&s, h, 0, (double[]){1, 0}, (double[]){0, 0});
    stage_run(sim, h, 3);
    error[k] =
        fabs(stc_simulation_q(sim)[0] - cos(6)) + fabs(stc_simulation_u(sim)[0] + 2 * sin(6));
    stc_simulation_free(&sim);
  }
  assert_true(fabs(stage_order("free oscillator at t = 3", error, 4) - 2) < 0.1);
}

static bool push_in_time(void *user, double t, const double *q, const double *u, double *Q) {
  Q[0] = cos(3 * t);
  return true;
}

static void test_force_in_time(void **state) {
  // u = sin(3 t)/3 from the force cos(3 t) at the middle of each step: second order
  double error[4];
  for (int k = 0; k < 4; k++) {
    double h = 0.02 / (1 << k);
    stage s = {.dim = 2, .mass = 1};
    stc_system system = stage_system(&s);
    system.force = push_in_time;
    stc_stepping stepping = stc_default_stepping();
    stepping.h = h;
    stc_simulation *sim = NULL;
    assert_int_equal(stc_simulation_create(&system, &stepping, &sim), STC_OK);
    assert_int_equal(stc_simulation_place(sim, 0, (double[]){0, 0}, (double[]){0, 0}), STC_OK);
    stage_run(sim, h, 2);
    error[k] = fabs(stc_simulation_u(sim)[0] - sin(6) / 3);
    stc_simulation_free(&sim);
  }
  assert_true(fabs(stage_order("force in time: u at t = 2, m/s", error, 4) - 2) < 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_incline),
      cmocka_unit_test(test_slide_to_rest),
      cmocka_unit_test(test_drop_on_wall),
      cmocka_unit_test(test_table_carries),
      cmocka_unit_test(test_table_holds_by_static_friction),
      cmocka_unit_test(test_table_slips),
      cmocka_unit_test(test_table_throws),
      cmocka_unit_test(test_chatter),
      cmocka_unit_test(test_free_oscillator),
      cmocka_unit_test(test_force_in_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
