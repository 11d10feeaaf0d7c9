// Rules of rigid bodies with answers in closed form: spinning friction, joints in the plane and on
// driven bodies, impacts without loss and whether they have a solution, rest, piles in a hurry.
#include "yard.h"

#include <stdlib.h>

static const double G = 9.81;

static void test_spinning_friction(void **state) {
  // a ball that spins about the vertical is slowed by the moment L r_N: omega falls at the rate
  // L m g / J = L g / (0.4 R^2) and then stays 0
  double R = 0.1, L = 1e-3, rate = L * G / (0.4 * R * R), omega = 2;
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_surface_pair surface_pair = stc_default_surface_pair();
  surface_pair.mu = 0.5, surface_pair.spinning = L;
  assert_int_equal(stc_world_set_surface_pair(world, 0, 0, &surface_pair), STC_OK);
  stc_part ball = yard_ball(R);
  stc_rigid_body body = yard_body(&ball, 0, 0, R);
  body.omega[2] = omega;
  yard_floor(world, 0);
  int spins = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 500);
  expect_near(yard_body_at(world, spins).omega[2], omega - 0.5 * rate, 1e-6);
  yard_run(world, (long)(1000 * omega / rate) - 400);
  expect_near(yard_body_at(world, spins).omega[2], 0, 1e-9);
  expect_near(yard_body_at(world, spins).centre[0], 0, 1e-9);
  stc_world_free(&world);
}

static void test_prismatic_in_the_plane(void **state) {
  // a square on a rail of slope a slides s = g sin(a) t^2 / 2 along it and does not turn, though
  // the rail passes beside its centre
  double a = 0.4, t = 0.5;
  stc_world *world = yard_plane();
  stc_part box = yard_box(0.1, 0.1, 1);
  stc_rigid_body body = yard_body(&box, 0, 0, 0);
  int slides = yard_add(world, &body);
  stc_joint joint = yard_joint(world,
                               (stc_joint){.kind = STC_JOINT_PRISMATIC,
                                           .anchor = {0.3, 0.2, 0},
                                           .axis = {cos(a), -sin(a), 0}},
                               slides, -1);
  assert_int_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
  yard_start(world);
  yard_run(world, 500);
  stc_body_state last = yard_body_at(world, slides);
  double s = G * sin(a) * t * t / 2;
  expect_near(last.centre[0], s * cos(a), 1e-9);
  expect_near(last.centre[1], -s * sin(a), 1e-9);
  expect_near(last.omega[2], 0, 1e-9);
  expect_near(last.pose.rotation[3], 0, 1e-9);
  stc_world_free(&world);
}

static bool whirl(void *user, double t, double velocity[3], double omega[3]) {
  omega[2] = *(const double *)user;
  return true;
}

static void test_joint_on_a_driven_body(void **state) {
  // a bob hinged to a wheel that turns at the rate w: the first step gives it the speed w R, and
  // the drive does m (w R)^2 / 2 and as much again into the shock; then it goes round on the
  // circle. The hinge is on the bob's centre: nothing turns it.
  double w = 2, R = 0.5, m = 8;
  stc_world_settings settings = stc_default_world_settings();
  memset(settings.gravity, 0, sizeof settings.gravity);
  stc_world *world = yard_create(&settings);
  stc_part hub = yard_ball(0.01), bob = yard_box(0.1, 0.1, 0.1);
  stc_rigid_body wheel = yard_body(&hub, 0, 0, 0), body = yard_body(&bob, R, 0, 0);
  wheel.mobility = STC_MOBILITY_DRIVEN;
  wheel.drive = whirl;
  wheel.user = &w;
  int driven = yard_add(world, &wheel), goes = yard_add(world, &body);
  stc_joint joint = yard_joint(
      world, (stc_joint){.kind = STC_JOINT_HINGE, .anchor = {R, 0, 0}, .axis = {0, 0, 1}}, driven,
      goes);
  assert_int_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
  yard_start(world);
  yard_step(world);
  stc_body_state first = yard_body_at(world, goes);
  expect_near(hypot(first.velocity[0], first.velocity[1]), w * R, 1e-3 * w * R);
  const stc_ledger *ledger = stc_world_ledger(world);
  expect_near(ledger->kinetic, m * w * w * R * R / 2, 1e-2 * m);
  expect_near(ledger->drive, m * w * w * R * R, 1e-2 * m);
  yard_run(world, 999);
  stc_body_state last = yard_body_at(world, goes);
  expect_near(hypot(last.centre[0], last.centre[1]), R, 1e-8);
  expect_near(atan2(last.centre[1], last.centre[0]), w * 1.0, 2e-3);
  expect_near(last.omega[2], 0, 1e-9);
  expect_near(stc_world_ledger(world)->error, 0, 1e-9 * m);
  stc_world_free(&world);
}

// --- Impacts without loss ---

/// Runs for `steps` and asks in each that no energy is gained; returns the impacts with a proof of
/// existence, and in *bounces those that were asked about at all.
static int never_gains(stc_world *world, int steps, int *bounces) {
  double most = yard_energy(world), scale = fabs(most) + 1;
  int proved = 0;
  *bounces = 0;
  for (int n = 0; n < steps; n++) {
    double speed = stc_world_ledger(world)->kinetic, shock = stc_world_ledger(world)->shock;
    stc_world_report report = yard_step(world);
    assert_true(yard_energy(world) <= most + 1e-9 * scale);
    most = fmin(most, yard_energy(world));
    proved += report.existence == STC_VERDICT_EXISTS;
    *bounces += stc_world_ledger(world)->shock != shock || speed == 0;
  }
  expect_near(stc_world_ledger(world)->error, 0, 1e-9 * scale);
  return proved;
}

static void test_ball_without_loss(void **state) {
  // each impact turns a velocity -c back to c; -4 times the velocity before it is a witness, for
  // u_N = 4 c - c > 0 and u_T = 0
  stc_world_settings settings = stc_default_world_settings();
  settings.tol = 1e-12, settings.accept = 1e-10;
  stc_world *world = yard_create(&settings);
  stc_part ball = yard_ball(0.1);
  stc_rigid_body body = yard_body(&ball, 0, 0, 0.6);
  yard_floor(world, 0);
  yard_surfaces(world, 0.5, 1);
  int bounces, jumps = yard_add(world, &body);
  yard_start(world);
  double start = yard_energy(world);
  int proved = never_gains(world, 5000, &bounces);
  assert_true(proved >= 5);  // a bounce takes 2 sqrt(2 h / g) = 0.64 s
  expect_near(yard_energy(world), start, 1e-3 * start);
  assert_true(yard_body_at(world, jumps).centre[2] > 0.1 - 1e-6);
  stc_world_free(&world);
}

static void test_balls_and_boxes_without_loss(void **state) {
  // three balls above each other, and a box that tumbles, all with e = 1 and friction
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part ball = yard_ball(0.1), box = yard_box(0.1, 0.15, 0.2);
  yard_floor(world, 0);
  yard_surfaces(world, 0.5, 1);
  for (int k = 0; k < 3; k++) {
    stc_rigid_body body = yard_body(&ball, 0.01 * k, 0, 0.4 + 0.3 * k);
    yard_add(world, &body);
  }
  stc_rigid_body body = yard_body(&box, 1, 0, 0.8);
  body.omega[0] = 3, body.omega[1] = 2;
  yard_add(world, &body);
  yard_start(world);
  int bounces;
  never_gains(world, 2000, &bounces);
  assert_true(bounces > 5);
  stc_world_free(&world);
}

static void test_wedge_has_no_witness(void **state) {
  // a disc thrown into a wedge of half angle a: to leave it with speed v, u_N = v sin(a) and one of
  // u_T is at least v cos(a), so that with mu > tan(a) no velocity has u inside K*; nothing proves
  // that the impact has a solution, and the step is taken without gaining energy
  double a = 0.2, R = 0.1;
  stc_world *world = yard_plane();
  yard_surfaces(world, 0.5, 1);
  for (int k = 0; k < 2; k++) {
    double side = k ? 1 : -1, n[2] = {-side * cos(a), sin(a)};
    stc_part wall = yard_box(0.1, 5, 1);
    stc_rigid_body body = yard_body(&wall, -n[0] * 0.1, -n[1] * 0.1, 0);
    body.pose.rotation[0] = cos(a / 2), body.pose.rotation[3] = -side * sin(a / 2);
    body.mobility = STC_MOBILITY_FIXED;
    yard_add(world, &body);
  }
  stc_part disc = yard_ball(R);
  stc_rigid_body body = yard_body(&disc, 0, R / sin(a) + 0.005, 0);
  body.velocity[1] = -2;
  yard_add(world, &body);
  yard_start(world);
  double energy = yard_energy(world);
  bool asked = false;
  for (int n = 0; n < 20; n++) {
    double shock = stc_world_ledger(world)->shock;
    stc_world_report report = yard_step(world);
    bool first = !asked && stc_world_ledger(world)->shock != shock;
    if (first) assert_int_equal(report.existence, STC_VERDICT_UNDECIDED);
    if (first) assert_int_equal(report.contacts, 2);
    asked = asked || first;
    assert_true(yard_energy(world) <= energy + 1e-9 * fabs(energy));
  }
  assert_true(asked);
  stc_world_free(&world);
}

// --- Rest ---

static bool wander(void *user, double t, double velocity[3], double omega[3]) {
  velocity[0] = 1;
  return true;
}

/// A stack of five boxes; far away a ball that is driven or lies still.
static stc_world *stack(bool driven) {
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part box = yard_box(0.2, 0.2, 0.1), ball = yard_ball(0.1);
  yard_floor(world, 0);
  for (int k = 0; k < 5; k++) {
    stc_rigid_body body = yard_body(&box, 0.02 * k, 0, 0.1 + 0.2 * k + 0.001 * (k + 1));
    yard_add(world, &body);
  }
  stc_rigid_body far = yard_body(&ball, 100, 100, 100);
  far.mobility = driven ? STC_MOBILITY_DRIVEN : STC_MOBILITY_FIXED;
  far.drive = driven ? wander : NULL;
  yard_add(world, &far);
  yard_start(world);
  return world;
}

static void test_a_world_at_rest_repeats_its_step(void **state) {
  // what comes to rest is not computed again, and is where it is in a world that never rests
  stc_world *rests = stack(false), *never = stack(true);
  stc_world_report report;
  for (int k = 0; k < 600; k++) {
    report = yard_step(rests);
    yard_step(never);
  }
  assert_true(report.collide_seconds == 0 && report.solve_seconds == 0);
  assert_true(report.broad_seconds == 0 && report.integrate_seconds == 0);
  assert_true(report.contacts > 0 && report.eta <= 1e-8);
  assert_non_null(stc_world_problem(rests, NULL));
  for (int b = 0; b < 6; b++) {
    stc_body_state one = yard_body_at(rests, b), other = yard_body_at(never, b);
    assert_memory_equal(&one, &other, sizeof one);
  }
  assert_int_equal(stc_world_steps(rests), 600);
  expect_near(stc_world_time(rests), 0.6, 1e-12);
  stc_world_free(&rests);
  stc_world_free(&never);
}

// --- Walls ---

static bool count_calls(void *user, const stc_progress *progress) {
  ++*(long *)user;
  return true;
}

/// Iterations that the composite method takes from nothing on the step's problem.
static long calls_from_nothing(const stc_world *world, int contacts) {
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  long calls = 0;
  double *r = calloc((size_t)(3 * contacts), sizeof *r);
  assert_non_null(r);
  settings.regions = 1, settings.progress = count_calls, settings.user = &calls;
  assert_int_equal(stc_solver_setup(&solver, stc_world_problem(world, NULL), &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  stc_solver_free(&solver);
  free(r);
  return calls;
}

static void test_wall_that_is_hit(void **state) {
  // a ball meets a wall of 10 x 10 bricks at rest: the impulses remembered are of no use, and the
  // step takes no more than the composite method from nothing and the few sweeps that show it
  long calls = 0, last = 0;
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 5e-3, settings.exact = true, settings.solver.progress = count_calls,
  settings.solver.user = &calls;
  stc_world *world = yard_create(&settings);
  stc_part brick = yard_box(0.1, 0.05, 0.05), half = yard_box(0.05, 0.05, 0.05),
           part = yard_ball(0.15);
  yard_floor(world, 0);
  for (int k = 0; k < 105; k++) {
    int row = k / 21 * 2 + (k % 21 >= 10), place = k % 21 - (k % 21 >= 10 ? 10 : 0);
    bool cut = row % 2 == 1 && (place == 0 || place == 10);
    double x = row % 2 == 0 ? 0.2 * place + 0.1 : cut ? 0.05 + 0.19 * place : 0.2 * place;
    stc_rigid_body body = yard_body(cut ? &half : &brick, x, 0, 0.05 + 0.1 * row);
    yard_add(world, &body);
  }
  stc_rigid_body ball = yard_body(&part, 1.03, -0.5, 0.5);
  ball.velocity[1] = 10;
  yard_add(world, &ball);
  yard_start(world);
  stc_world_report report;
  for (int n = 0; n < 6; n++) {
    last = calls;
    report = yard_step(world);
  }
  assert_true(calls - last > 0 && report.status == STC_STATUS_SOLVED);
  printf("  wall: %ld iterations, from nothing %ld\n", calls - last,
         calls_from_nothing(world, report.contacts));
  assert_true(calls - last <= calls_from_nothing(world, report.contacts) + 400);
  stc_world_free(&world);
}

// --- Piles ---

static stc_world *pile(int threads) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 5e-3, settings.tol = settings.accept = 1e-6, settings.budget = 0,
  settings.threads = threads;
  stc_world *world = yard_create(&settings);
  stc_part ball = yard_ball(0.05), wall = yard_box(0.1, 1, 2);
  yard_floor(world, 0);
  yard_surfaces(world, 0.7, 0);
  for (int k = 0; k < 4; k++) {
    stc_rigid_body body =
        yard_body(&wall, k < 2 ? (k ? 0.39 : -0.39) : 0, k < 2 ? 0 : (k == 2 ? 0.39 : -0.39), 2);
    body.pose.rotation[0] = cos(k < 2 ? 0 : acos(-1) / 4),
    body.pose.rotation[3] = k < 2 ? 0 : sqrt(0.5);
    body.mobility = STC_MOBILITY_FIXED;
    yard_add(world, &body);
  }
  for (int k = 0; k < 125; k++) {
    double shift = 0.001 * (k % 7 - 3);
    stc_rigid_body body = yard_body(&ball, 0.108 * (k % 5 - 2) + shift,
                                    0.108 * (k / 5 % 5 - 2) - shift, 0.06 + 0.11 * (k / 25));
    body.velocity[0] = 0.1 * (k % 3 - 1), body.velocity[2] = -1;
    yard_add(world, &body);
  }
  yard_start(world);
  return world;
}

static void test_pile_in_a_hurry(void **state) {
  // large steps and much friction: each is solved to the tolerance, and threads change no bit
  stc_world *world[3];
  for (int k = 0; k < 3; k++) world[k] = pile(1 << k);
  for (int n = 0; n < 60; n++)
    for (int k = 0; k < 3; k++) assert_true(yard_step(world[k]).eta <= 1e-6);
  for (int b = 5; b < 130; b++) {
    stc_body_state one = yard_body_at(world[0], b);
    assert_true(one.centre[2] > 0.04);
    for (int k = 1; k < 3; k++) {
      stc_body_state other = yard_body_at(world[k], b);
      assert_memory_equal(&one, &other, sizeof one);
    }
  }
  for (int k = 0; k < 3; k++) stc_world_free(&world[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spinning_friction),
      cmocka_unit_test(test_prismatic_in_the_plane),
      cmocka_unit_test(test_joint_on_a_driven_body),
      cmocka_unit_test(test_ball_without_loss),
      cmocka_unit_test(test_balls_and_boxes_without_loss),
      cmocka_unit_test(test_wedge_has_no_witness),
      cmocka_unit_test(test_a_world_at_rest_repeats_its_step),
      cmocka_unit_test(test_wall_that_is_hit),
      cmocka_unit_test(test_pile_in_a_hurry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
