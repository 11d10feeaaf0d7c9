// Contacts that yield: sinking, oscillation, the bounce of a spring with a damper, friction on soft
// ground, the rigid limit, and a ledger that knows what is stored.
#include "physics/yard.h"

#include <stiction/stiction.h>
#include <string.h>

static const double G = 9.81, PI = 3.14159265358979323846;

static void yields(stc_world *world, double mu, double compliance, double damping) {
  stc_surface_pair pair = stc_default_surface_pair();
  pair.mu = mu, pair.compliance = compliance, pair.damping = damping;
  expect_ok(stc_world_set_surface_pair(world, 0, 0, &pair));
}

/// A ball of 1 kg, radius 0.1 m, whose lowest point is at `height` above the floor.
static stc_world *ball_world(double h, double gravity, double height, double speed) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part part = yard_ball(0.1);
  settings.h = h, settings.gravity[2] = -gravity;
  stc_world *world = yard_create(&settings);
  yard_floor(world, 0);
  part.density = 1 / (4 * PI / 3 * 1e-3);
  stc_rigid_body ball = yard_body(&part, 0, 0, 0.1 + height);
  ball.velocity[2] = speed;
  yard_add(world, &ball);
  return world;
}

static double height_of(const stc_world *world) { return yard_body_at(world, 1).centre[2] - 0.1; }

/// A weight sinks by m g c; with a damper it comes to rest, to the last bit.
static void test_sinks(void **state) {
  stc_world *world = ball_world(1e-3, G, 0, 0);
  yields(world, 0.5, 1e-4, 150);  // m g c = 9.81e-4 m, three quarters of critical
  yard_start(world);
  yard_run(world, 2000);
  expect_near(height_of(world), -G * 1e-4, 1e-9);
  double before = height_of(world);
  const stc_ledger *l = stc_world_ledger(world);
  expect_near(l->potential, G * (0.1 + before) + before * before / 2e-4, 1e-10);
  assert_true(fabs(l->error) < 1e-12);
  yard_run(world, 100);
  assert_true(height_of(world) == before);
  stc_world_free(&world);
}

/// The springs of a box are those of its four corners.
static void test_four_corners(void **state) {
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part part = yard_box(0.2, 0.1, 0.1);
  stc_rigid_body box = yard_body(&part, 0, 0, 0.1);
  yard_floor(world, 0);
  int b = yard_add(world, &box);
  yields(world, 0.5, 1e-5, 600);
  yard_start(world);
  yard_run(world, 3000);
  double m = yard_body_at(world, b).mass;
  expect_near(yard_body_at(world, b).centre[2], 0.1 - m * G * 1e-5 / 4, 1e-8);
  stc_world_free(&world);
}

/// Time of the last of `count` rises through the level where it would rest.
static double time_of_rises(stc_world *world, double level, int count) {
  double old = height_of(world), h = stc_world_given(world)->h;
  while (true) {
    yard_step(world);
    double now = height_of(world);
    if (old < level && now >= level && --count == 0)
      return stc_world_time(world) - h * (now - level) / (now - old);
    old = now;
  }
}

/// Without a damper it oscillates with the period 2 pi sqrt(m c), to h^2, and keeps its energy.
static void test_oscillates(void **state) {
  double error[2], exact = 2 * PI * sqrt(1e-3);  // 0.2 s; sinks by 1 cm, from 4 mm to 16 mm
  for (int k = 0; k < 2; k++) {
    stc_world *world = ball_world(k ? 2e-3 : 4e-3, G, -4e-3, 0);
    yields(world, 0.5, 1e-3, 0);
    yard_start(world);
    double first = time_of_rises(world, -G * 1e-3, 1);
    double start = stc_world_ledger(world)->start;
    error[k] = fabs((time_of_rises(world, -G * 1e-3, 10) - first) / 10 / exact - 1);
    assert_true(fabs(yard_energy(world) - start) < (k ? 2e-6 : 5e-5));
    assert_true(fabs(stc_world_ledger(world)->error) < 1e-12);
    stc_world_free(&world);
  }
  assert_true(error[0] < 2e-3 && error[1] < error[0] / 3);
}

/// Speed with which the ball leaves the floor that it meets with 1 m/s, without gravity.
static double bounce(double h, double compliance, double damping) {
  stc_world *world = ball_world(h, 0, 1.3e-3, -1);
  yields(world, 0.5, compliance, damping);
  yard_start(world);
  double bottom = 0;
  for (int k = 0; k < 1000000 && (k == 0 || height_of(world) < 2e-3); k++) {
    double before = yard_energy(world);
    yard_step(world);
    bottom = fmin(bottom, height_of(world));
    assert_true(yard_energy(world) <= before + 1e-8);
  }
  assert_true(bottom < 0);
  double speed = yard_body_at(world, 1).velocity[2];
  stc_world_free(&world);
  return speed;
}

/// Schwager and Poeschel 2007: a contact that does not pull, of damping ratio z < 1/sqrt 2, leaves
/// with exp(-z/w (pi - atan(2 z w / (w^2 - z^2)))) of its speed, w = sqrt(1 - z^2).
static void test_bounces(void **state) {
  double c = 1e-4, omega = 100, z = 0.3, w = sqrt(1 - z * z);
  double e = exp(-z / w * (PI - atan(2 * z * w / (w * w - z * z))));
  expect_near(bounce(1e-5, c, 2 * z * omega), e, 3e-3);
  expect_near(bounce(1e-4, c, 2 * z * omega), e, 3e-2);
  expect_near(bounce(1e-4, c, 0), 1, 1e-3);
  expect_near(bounce(1e-3, c, 0), 1, 3e-2);
}

/// Springs that the step does not resolve are as rigid contacts are: nothing bounces.
static void test_rigid_limit(void **state) {
  stc_world *world[2];
  for (int k = 0; k < 2; k++) {
    world[k] = ball_world(1e-3, G, 0.05, 0);
    yields(world[k], 0.5, k ? 1e-13 : 0, k ? 1 : 0);
    yard_start(world[k]);
    yard_run(world[k], 500);
  }
  expect_near(height_of(world[1]), height_of(world[0]), 1e-7);
  assert_true(fabs(yard_body_at(world[1], 1).velocity[2]) < 1e-9);
  stc_world_free(&world[0]);
  stc_world_free(&world[1]);
}

/// A box on a soft slope: it stays to the last bit where mu holds it, and slides as on a hard one.
static void test_friction(void **state) {
  for (int k = 0; k < 2; k++) {
    stc_world_settings settings = stc_default_world_settings();
    stc_world *world = yard_create(&settings);
    double angle = 0.3, mu = k ? 0.2 : 0.4;  // tan 0.3 = 0.309
    stc_part part = yard_box(0.2, 0.2, 0.05);
    stc_rigid_body box = yard_body(&part, 0.05 * sin(angle), 0, 0.05 * cos(angle));
    yard_floor(world, angle);
    box.pose.rotation[0] = cos(angle / 2), box.pose.rotation[2] = sin(angle / 2);
    int b = yard_add(world, &box);
    yields(world, mu, 1e-6, 2000);
    yard_start(world);
    yard_run(world, 1000);
    stc_body_state at = yard_body_at(world, b);
    yard_run(world, 500);
    stc_body_state end = yard_body_at(world, b);
    double gained = hypot(end.velocity[0], end.velocity[2]) - hypot(at.velocity[0], at.velocity[2]);
    if (k == 0) assert_memory_equal(&at.pose, &end.pose, sizeof at.pose);
    if (k == 1) expect_near(gained, 0.5 * G * (sin(angle) - mu * cos(angle)), 1e-3);
    stc_world_free(&world);
  }
}

/// Two soft surfaces are springs in a row: compliances add, and so do the losses of the dampers.
static void test_mixes(void **state) {
  stc_world *world = ball_world(1e-3, G, 0, 0);
  stc_surface_pair pair = stc_default_surface_pair();
  stc_rigid_body ball;
  stc_body_id id = stc_world_body_at(world, 1);
  pair.compliance = 1e-4, pair.damping = 300;
  expect_ok(stc_world_set_surface_pair(world, 0, 0, &pair));
  pair.compliance = 3e-4, pair.damping = 100;
  expect_ok(stc_world_set_surface_pair(world, 1, 1, &pair));
  expect_ok(stc_world_describe_body(world, id, &ball));
  ball.surface = 1;
  expect_ok(stc_world_replace_body(world, id, &ball));
  yard_start(world);
  yard_run(world, 3000);
  expect_near(height_of(world), -G * 4e-4, 1e-8);
  stc_world_free(&world);
}

static double draw(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-53;
}

/// Eight bodies above soft ground, and on each other.
static stc_world *soft_heap(uint64_t seed) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 5e-3, settings.exact = seed % 3 == 0;
  stc_world *world = yard_create(&settings);
  double damping = seed % 2 ? 0 : 300;
  yard_floor(world, 0);
  for (int k = 0; k < 8; k++) {
    stc_part part = k % 2 ? yard_ball(0.1) : yard_box(0.1, 0.08, 0.06);
    stc_rigid_body body = yard_body(&part, 0.12 * draw(&seed), 0.12 * draw(&seed), 0.15 + 0.25 * k);
    yard_add(world, &body);
  }
  yields(world, draw(&seed), pow(10, -5 - 4 * draw(&seed)), damping * draw(&seed));
  yard_start(world);
  return world;
}

static void expect_same_places(const stc_world *a, const double *places) {
  double own[9 * STC_PLACE_NUMBERS];
  stc_world_places(a, own);
  assert_memory_equal(own, places, sizeof own);
}

/// Soft heaps: what is stored is in the ledger, and the same bits follow from a snapshot and from a
/// saved state.
static void test_heap(void **state) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    stc_world *world = soft_heap(seed), *branch = NULL;
    stc_world_snapshot *snapshot = NULL;
    yard_run(world, 300);
    const stc_ledger *l = stc_world_ledger(world);
    assert_true(l->shock < 0 && l->friction < 0 && fabs(l->correction) < 0.1 * l->start);
    assert_true(fabs(l->error) < 1e-11 * l->start && yard_energy(world) < l->start);
    size_t size = stc_world_state_size(world);
    double *saved = malloc(size * sizeof *saved), places[9 * STC_PLACE_NUMBERS];
    stc_world_save(world, saved);
    expect_ok(stc_world_snapshot_take(world, &snapshot));
    expect_ok(stc_world_snapshot_branch(snapshot, &branch));
    yard_run(world, 20);
    yard_run(branch, 20);
    stc_world_places(world, places);
    double energy = yard_energy(world);
    expect_same_places(branch, places);
    expect_ok(stc_world_restore(world, saved, size));
    yard_run(world, 20);
    expect_same_places(world, places);
    assert_true(yard_energy(world) == energy);
    free(saved);
    stc_world_snapshot_free(&snapshot);
    stc_world_free(&branch);
    stc_world_free(&world);
  }
}

/// A soft contact beside a limit and a motor with a bound, which have slack bodies too: a plate on
/// a slide is pressed into the floor by 10 N, and sinks by 10 N times the compliance.
static void test_beside_joints(void **state) {
  stc_world *world = ball_world(1e-3, 0, 0, 0);
  stc_joint joint = stc_default_joint();
  joint.kind = STC_JOINT_PRISMATIC;
  joint.body[0] = stc_world_body_at(world, 1);
  joint.axis[2] = 1;
  joint.coordinate[0].least = -1;
  joint.coordinate[0].motor = STC_MOTOR_VELOCITY;
  joint.coordinate[0].target = -1, joint.coordinate[0].motor_force = 10;
  yields(world, 0.5, 1e-4, 150);
  expect_ok(stc_world_add_joint(world, &joint, NULL));
  yard_start(world);
  yard_run(world, 1000);
  expect_near(height_of(world), -1e-3, 1e-9);
  stc_world_free(&world);
}

TEST_PROGRAM(cmocka_unit_test(test_sinks), cmocka_unit_test(test_four_corners),
             cmocka_unit_test(test_oscillates), cmocka_unit_test(test_bounces),
             cmocka_unit_test(test_rigid_limit), cmocka_unit_test(test_friction),
             cmocka_unit_test(test_mixes), cmocka_unit_test(test_heap),
             cmocka_unit_test(test_beside_joints))
