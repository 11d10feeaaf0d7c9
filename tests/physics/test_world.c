// Rigid bodies whose motion is known: flight, tops, pendulums, boxes that slide, stick and bounce.
#include "physics/yard.h"

static const double G = 9.81, PI = 3.14159265358979323846;

static stc_rigid_body top(double spin) {
  stc_rigid_body body = yard_body(NULL, 0, 0, 0);
  body.mass = 2;
  memcpy(body.inertia, (double[]){0.02, 0.03, 0.045, 0.002, -0.001, 0.003}, sizeof body.inertia);
  memcpy(body.omega, (double[]){0.1 * spin, spin, -0.05 * spin}, sizeof body.omega);
  return body;
}

static void test_free_fall(void **state) {
  // x = v t, z = -g t^2 / 2, exactly: the scheme is exact for a constant force
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part part = yard_ball(0.1);
  stc_rigid_body body = yard_body(&part, 0, 0, 0);
  body.velocity[0] = 3;
  yard_add(world, &body);
  yard_start(world);
  yard_run(world, 1000);
  stc_body_state s = yard_body_at(world, 0);
  expect_near(s.mass, 1000 * 4 * PI * 1e-3 / 3, 1e-12);
  expect_near(s.centre[0], 3, 1e-12);
  expect_near(s.centre[2], -G / 2, 1e-12);
  expect_near(s.velocity[2], -G, 1e-12);
  expect_near(stc_world_ledger(world)->error, 0, 1e-10);
  stc_world_free(&world);
  stc_world_free(&world);
}

static void test_top(void **state) {
  // a free asymmetric top turning about its middle axis tumbles; its energy and its angular
  // momentum in space stay to rounding, its attitude converges with order 2
  double end[3][4], error[2];
  for (int k = 0; k < 3; k++) {
    stc_world_settings settings = stc_default_world_settings();
    settings.h = 2e-3 / (1 << k);
    settings.gravity[2] = 0;
    stc_world *world = yard_create(&settings);
    stc_rigid_body body = top(10);
    yard_add(world, &body);
    yard_start(world);
    stc_body_state first = yard_body_at(world, 0), last;
    double energy = yard_energy(world);
    yard_run(world, 1000 << k);
    last = yard_body_at(world, 0);
    expect_near(yard_energy(world), energy, 1e-12 * energy);
    for (int i = 0; i < 3; i++) expect_near(last.spin[i], first.spin[i], 1e-12);
    double turned = 0;
    for (int i = 0; i < 3; i++) turned = fmax(turned, fabs(last.omega[i] - first.omega[i]));
    assert_true(turned > 1);  // it did tumble
    memcpy(end[k], last.pose.rotation, sizeof end[k]);
    stc_world_free(&world);
  }
  for (int k = 0; k < 2; k++) {
    error[k] = 0;
    for (int i = 0; i < 4; i++) error[k] = hypot(error[k], end[k][i] - end[k + 1][i]);
  }
  printf("  top: %.2e %.2e, order %.2f\n", error[0], error[1], log2(error[0] / error[1]));
  expect_near(log2(error[0] / error[1]), 2, 0.1);
}

static void test_pendulum(void **state) {
  // a ball hung at distance l: T = 2 pi sqrt((l^2 + 2 r^2 / 5) / (g l)) (1 + a^2/16 + 11 a^4/3072)
  double l = 1, r = 0.1, a = 0.3, h = 1e-3;
  for (int kind = 0; kind < 2; kind++) {
    stc_world_settings settings = stc_default_world_settings();
    settings.h = h;
    stc_world *world = yard_create(&settings);
    stc_part part = yard_ball(r);
    stc_rigid_body body = yard_body(&part, l * sin(a), 0, -l * cos(a));
    yard_add(world, &body);
    stc_joint joint =
        yard_joint(world, (stc_joint){.kind = kind ? STC_JOINT_HINGE : STC_JOINT_BALL}, 0, -1);
    joint.axis[1] = 1;
    assert_int_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
    yard_start(world);
    double energy = yard_energy(world), crossing[2] = {0, 0}, last = l * sin(a);
    for (int n = 0; n < 2;) {
      yard_step(world);
      stc_body_state s = yard_body_at(world, 0);
      double x = s.centre[0];
      if (x < 0 && last >= 0) crossing[n++] = stc_world_time(world) - h * x / (x - last);
      last = x;
      expect_near(hypot(hypot(s.centre[0], s.centre[1]), s.centre[2]), l, 1e-13);
    }
    double period = 2 * PI * sqrt((l * l + 0.4 * r * r) / (G * l)) *
                    (1 + a * a / 16 + 11 * a * a * a * a / 3072);
    expect_near(crossing[1] - crossing[0], period, 1e-5);
    double swing = 1000 * 4 * PI * r * r * r / 3 * G * l * (1 - cos(a));
    const stc_ledger *ledger = stc_world_ledger(world);
    expect_near(yard_energy(world), energy, 1e-5 * swing);  // h^2 g / l
    expect_near(ledger->error, yard_energy(world) - energy, 1e-12 * swing);
    assert_true(ledger->shock == 0 && ledger->friction == 0 && ledger->correction == 0);
    stc_world_free(&world);
  }
}

static void test_joint_stops_what_it_forbids(void **state) {
  // a ball hung below its pivot and thrown away from it stops at once: its m v^2 / 2 is shock
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part part = yard_ball(0.1);
  stc_rigid_body body = yard_body(&part, 0, 0, -1);
  body.velocity[2] = -1;
  yard_add(world, &body);
  stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_BALL}, 0, -1);
  assert_int_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
  yard_start(world);
  double mass = yard_body_at(world, 0).mass;
  yard_run(world, 5);
  expect_near(yard_body_at(world, 0).velocity[2], 0, 1e-12);
  expect_near(stc_world_ledger(world)->shock, -mass / 2, 1e-12 * mass);
  expect_near(stc_world_ledger(world)->error, 0, 1e-12 * mass);
  stc_world_free(&world);
}

static void test_joints_do_not_drift(void **state) {
  // a chain of four boxes with a ball, a hinge, a prismatic and a fixed joint swings for 5 s: the
  // fixed pair keeps its distance, the prismatic one its turn
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part part = yard_box(0.2, 0.05, 0.05);
  for (int k = 0; k < 4; k++) {
    stc_rigid_body body = yard_body(&part, 0.25 + 0.5 * k, 0, 0);
    yard_add(world, &body);
  }
  const stc_joint_kind kinds[4] = {STC_JOINT_BALL, STC_JOINT_HINGE, STC_JOINT_FIXED,
                                   STC_JOINT_PRISMATIC};
  for (int k = 0; k < 4; k++) {
    stc_joint joint =
        yard_joint(world, (stc_joint){.kind = kinds[k], .anchor = {0.5 * k, 0, 0}}, k, k - 1);
    joint.axis[k == 3 ? 0 : 1] = 1;
    assert_int_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
  }
  yard_start(world);
  double energy = yard_energy(world);
  for (int n = 0; n < 2000; n++) {
    yard_step(world);
    stc_body_state a = yard_body_at(world, 1), b = yard_body_at(world, 2),
                   c = yard_body_at(world, 3);
    double distance = 0, rotation = 0;
    for (int i = 0; i < 3; i++) distance = hypot(distance, a.centre[i] - b.centre[i]);
    for (int i = 0; i < 4; i++)
      rotation = fmax(rotation, fabs(b.pose.rotation[i] - c.pose.rotation[i]));
    expect_near(distance, 0.5, 1e-13);
    expect_near(rotation, 0, 1e-13);
  }
  const stc_ledger *ledger = stc_world_ledger(world);
  printf("  chain: energy %.6g -> %.6g, shock %.2e, correction %.2e, error %.2e\n", energy,
         yard_energy(world), ledger->shock, ledger->correction, ledger->error);
  expect_near(ledger->error, 0, 1e-5 * 4000 * 0.002 * G);
  assert_true(ledger->shock == 0 && ledger->friction == 0);
  stc_world_free(&world);
}

static stc_world *slope(double angle, double mu, double speed, int *box) {
  stc_world_settings settings = stc_default_world_settings();
  settings.exact = true;
  stc_world *world = yard_create(&settings);
  stc_part part = yard_box(0.2, 0.3, 0.1);
  yard_floor(world, angle);
  yard_surfaces(world, mu, 0);
  stc_rigid_body body = yard_body(&part, 0.1 * sin(angle), 0, 0.1 * cos(angle));
  body.pose.rotation[0] = cos(angle / 2), body.pose.rotation[2] = sin(angle / 2);
  body.velocity[0] = speed * cos(angle), body.velocity[2] = -speed * sin(angle);
  *box = yard_add(world, &body);
  yard_start(world);
  return world;
}

static void test_box_slides_and_stops(void **state) {
  // v0^2 / (2 mu g), to the second order of the step
  double mu = 0.4, v0 = 2;
  int box;
  stc_world *world = slope(0, mu, v0, &box);
  yard_run(world, 800);
  stc_body_state s = yard_body_at(world, box);
  printf("  slide: %.9f, formula %.9f\n", s.centre[0], v0 * v0 / (2 * mu * G));
  expect_near(s.centre[0], v0 * v0 / (2 * mu * G), 2e-6);
  assert_true(s.velocity[0] == 0 && s.omega[1] == 0);
  expect_near(s.centre[2], 0.1, 1e-9);
  const stc_ledger *ledger = stc_world_ledger(world);
  expect_near(ledger->friction, -24 * v0 * v0 / 2 * 2, 24 * v0 * v0 * 1e-6);
  expect_near(ledger->error, 0, 1e-9 * 48);
  stc_world_free(&world);
}

static void test_box_sticks(void **state) {
  // below the angle of friction it does not move at all; above it slides with g (sin - mu cos)
  double mu = 0.5;
  int box;
  stc_world *world = slope(atan(mu) * 0.999, mu, 0, &box);
  stc_body_state first = yard_body_at(world, box), last;
  yard_run(world, 3000);
  last = yard_body_at(world, box);
  for (int i = 0; i < 3; i++) expect_near(last.centre[i], first.centre[i], 1e-12);
  stc_world_free(&world);
  double angle = 0.6, a = G * (sin(angle) - mu * cos(angle));
  world = slope(angle, mu, 0, &box);
  yard_run(world, 1000);
  last = yard_body_at(world, box);
  expect_near(hypot(last.velocity[0], last.velocity[2]), a, 1e-6 * a);
  stc_world_free(&world);
}

static void test_ball_bounces(void **state) {
  // e = 1: the energy never rises above its first value, and stays; e = 0.5: each impact keeps a
  // quarter, and in the end the ball rests
  for (int k = 0; k < 2; k++) {
    stc_world_settings settings = stc_default_world_settings();
    stc_world *world = yard_create(&settings);
    stc_part part = yard_ball(0.1);
    stc_rigid_body body = yard_body(&part, 0, 0, 1.1);
    body.velocity[0] = 0.2;
    yard_floor(world, 0);
    yard_surfaces(world, 0, k ? 0.5 : 1);
    int ball = yard_add(world, &body);
    yard_start(world);
    double energy = yard_energy(world);
    for (int n = 0; n < 6000; n++) {
      yard_step(world);
      assert_true(yard_energy(world) <= energy * (1 + 1e-12));
      assert_true(yard_body_at(world, ball).centre[2] > 0.1 - 1e-9);
    }
    stc_body_state s = yard_body_at(world, ball);
    if (k == 0) expect_near(yard_energy(world), energy, 1e-11 * energy);
    if (k == 1) expect_near(s.centre[2], 0.1, 1e-6);
    if (k == 1) expect_near(s.velocity[2], 0, 1e-12);
    stc_world_free(&world);
  }
}

static void test_ball_rolls(void **state) {
  // a ball that slides at first rolls in the end at 5/7 of its speed
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part part = yard_ball(0.1);
  stc_rigid_body body = yard_body(&part, 0, 0, 0.1);
  body.velocity[0] = 2;
  yard_floor(world, 0);
  yard_surfaces(world, 0.3, 0);
  int ball = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 1000);
  stc_body_state s = yard_body_at(world, ball);
  expect_near(s.velocity[0], 2 * 5.0 / 7, 1e-7);
  expect_near(s.omega[1], 2 * 5.0 / 7 / 0.1, 1e-6);
  stc_world_free(&world);
}

static void test_rolling_friction(void **state) {
  // with a length d of rolling friction a rolling ball loses (5/7) g d / r of its speed per second
  // (to first order in d / r: exactly, the force F at the contact obeys F r + d m g = -J omega')
  double d = 1e-3, r = 0.1, v = 1, t = 0.5;
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part part = yard_ball(r);
  stc_rigid_body body = yard_body(&part, 0, 0, r);
  stc_surface_pair surface_pair = {.mu = 0.5, .rolling = d};
  body.velocity[0] = v;
  body.omega[1] = v / r;
  yard_floor(world, 0);
  assert_int_equal(stc_world_set_surface_pair(world, 0, 0, &surface_pair), STC_OK);
  int ball = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 500);
  expect_near(yard_body_at(world, ball).velocity[0], v - 5.0 / 7 * G * d / r * t, 1e-6);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_free_fall),
      cmocka_unit_test(test_top),
      cmocka_unit_test(test_pendulum),
      cmocka_unit_test(test_joint_stops_what_it_forbids),
      cmocka_unit_test(test_joints_do_not_drift),
      cmocka_unit_test(test_box_slides_and_stops),
      cmocka_unit_test(test_box_sticks),
      cmocka_unit_test(test_ball_bounces),
      cmocka_unit_test(test_ball_rolls),
      cmocka_unit_test(test_rolling_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
