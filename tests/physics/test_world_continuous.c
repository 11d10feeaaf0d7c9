// Continuous bodies: a bullet of 1000 m/s does not pass a wall of 1 cm, from wherever it comes and
// for any time step; it passes beside what it does not meet, bounces with its speed, hands on its
// momentum, and the ledger balances.
#include "physics/yard.h"

static const double steps[] = {1e-4, 1e-3, 1.0 / 60};

static stc_world *bare_world(double h) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  settings.tol = 1e-8;
  return yard_create(&settings);
}

static stc_rigid_body bullet(const stc_part *ball, double x, double y, double z) {
  stc_rigid_body body = yard_body(ball, x, y, z);
  body.continuous = true;
  return body;
}

/// Where a bullet that is shot from x at (0, y, 0), with vy across, is after 0.05 s.
static stc_body_state shoot(double h, double x, double y, double vy) {
  stc_world *world = bare_world(h);
  stc_part wall = yard_box(0.005, 1, 1), ball = yard_ball(0.005);
  stc_rigid_body body = yard_body(&wall, 0, 0, 0);
  body.mobility = STC_MOBILITY_FIXED;
  yard_add(world, &body);
  body = bullet(&ball, x, y + vy * x / 1000, 0);
  body.velocity[0] = 1000, body.velocity[1] = vy;
  int id = yard_add(world, &body);
  yard_start(world);
  yard_run(world, (long)(0.05 / h) + 1);
  stc_body_state state = yard_body_at(world, id);
  stc_world_free(&world);
  return state;
}

static void test_bullets_stop_or_pass(void **state) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < (i == 0 ? 40 : 200); k++) {
      double x = -1 - 0.0371 * k;
      stc_body_state hit = shoot(steps[i], x, (k % 7 - 3) * 0.2, (k % 5 - 2) * 20.0);
      assert_true(hit.centre[0] < 0 && fabs(hit.velocity[0]) < 1);
      stc_body_state past = shoot(steps[i], x, 1.01 + 0.002 * k, 0);
      assert_true(past.velocity[0] == 1000 && past.centre[0] > 0);
    }
}

static void test_a_bullet_bounces(void **state) {
  // e = 1 in a box of four walls: the speed stays, the ledger balances to rounding of its terms
  stc_world *world = bare_world(1e-3);
  stc_part wall = yard_box(0.005, 1, 1), floor = yard_box(1, 0.005, 1), ball = yard_ball(0.01);
  yard_surfaces(world, 0, 1);
  for (int side = -1; side <= 1; side += 2) {
    stc_rigid_body body = yard_body(&wall, side, 0, 0);
    body.mobility = STC_MOBILITY_FIXED;
    yard_add(world, &body);
    body = yard_body(&floor, 0, side, 0);
    body.mobility = STC_MOBILITY_FIXED;
    yard_add(world, &body);
  }
  stc_rigid_body body = bullet(&ball, 0, 0, 0);
  body.velocity[0] = 731, body.velocity[1] = 443;
  int id = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 300);
  stc_body_state end = yard_body_at(world, id);
  const stc_ledger *l = stc_world_ledger(world);
  assert_true(fabs(end.centre[0]) < 1 && fabs(end.centre[1]) < 1);
  expect_near(hypot(end.velocity[0], end.velocity[1]), hypot(731, 443), 1e-6);
  assert_true(fabs(l->error) <= 1e-9 * l->start);
  stc_world_free(&world);
}

static void test_momentum_is_handed_on(void **state) {
  // a bullet of mass m hits a thin free plate of mass M with e = 0: both go on with m v / (m + M)
  stc_world *world = bare_world(1.0 / 60);
  stc_part plate = yard_box(0.005, 0.2, 0.2), ball = yard_ball(0.02);
  stc_rigid_body body = yard_body(&plate, 0, 0, 0);
  int plate_id = yard_add(world, &body);
  body = bullet(&ball, -3.3, 0, 0);
  body.velocity[0] = 1000;
  int id = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 3);
  stc_body_state a = yard_body_at(world, id), b = yard_body_at(world, plate_id);
  double common = a.mass * 1000 / (a.mass + b.mass);
  expect_near(a.velocity[0], common, 1e-3);
  expect_near(b.velocity[0], common, 1e-3);
  assert_true(a.centre[0] < b.centre[0]);
  stc_world_free(&world);
}

static bool advance(void *user, double t, double velocity[3], double omega[3]) {
  velocity[0] = -500;
  return true;
}

static void test_walls_move(void **state) {
  // against a wall that comes with 500 m/s: the bullet is on its near side, and moves with it
  stc_world *world = bare_world(1.0 / 60);
  stc_part wall = yard_box(0.005, 1, 1), ball = yard_ball(0.005);
  stc_rigid_body body = yard_body(&wall, 40, 0, 0);
  body.mobility = STC_MOBILITY_DRIVEN, body.drive = advance;
  int wall_id = yard_add(world, &body);
  body = bullet(&ball, 0, 0, 0);
  body.velocity[0] = 1000;
  int id = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 6);
  stc_body_state a = yard_body_at(world, id), b = yard_body_at(world, wall_id);
  assert_true(a.centre[0] < b.centre[0]);
  expect_near(a.velocity[0], -500, 1e-3);
  stc_world_free(&world);
}

static void test_rest_is_rest(void **state) {
  // a ball that rolls and one that lies are what they are without the option, to the last bit
  stc_world *worlds[2];
  for (int k = 0; k < 2; k++) {
    worlds[k] = bare_world(1e-3);
    stc_part ball = yard_ball(0.1);
    yard_floor(worlds[k], 0);
    for (int i = 0; i < 2; i++) {
      stc_rigid_body body = yard_body(&ball, i, 0, 0.1);
      body.velocity[1] = i;
      body.continuous = k == 1;
      yard_add(worlds[k], &body);
    }
    yard_start(worlds[k]);
    yard_run(worlds[k], 300);
  }
  for (int i = 1; i < 3; i++) {
    stc_body_state a = yard_body_at(worlds[0], i), b = yard_body_at(worlds[1], i);
    assert_memory_equal(&a, &b, sizeof a);
  }
  stc_world_free(&worlds[0]), stc_world_free(&worlds[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bullets_stop_or_pass), cmocka_unit_test(test_a_bullet_bounces),
      cmocka_unit_test(test_momentum_is_handed_on), cmocka_unit_test(test_walls_move),
      cmocka_unit_test(test_rest_is_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
