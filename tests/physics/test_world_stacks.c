// Bodies that hold each other: stacks that stand, walls, a capsule that friction alone carries,
// obstacles that move, and the plane.
#include "physics/yard.h"

static const double G = 9.81;

static double farthest(const stc_world *world, const stc_body_state *first) {
  double most = 0;
  for (int b = 0; b < stc_world_bodies(world); b++) {
    stc_body_state now = yard_body_at(world, b);
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(now.centre[i] - first[b].centre[i]));
  }
  return most;
}

static stc_body_state *all_states(const stc_world *world) {
  stc_body_state *state = malloc((size_t)stc_world_bodies(world) * sizeof *state);
  assert_non_null(state);
  for (int b = 0; b < stc_world_bodies(world); b++) state[b] = yard_body_at(world, b);
  return state;
}

static void test_heavy_on_light(void **state) {
  // a box a hundred times as heavy on two light ones: the floor carries all three, nothing moves
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  yard_floor(world, 0);
  stc_part light = yard_box(0.1, 0.1, 0.1), heavy = light;
  heavy.density = 1e5;
  for (int k = 0; k < 3; k++) {
    stc_rigid_body body = yard_body(k == 2 ? &heavy : &light, 0, 0, 0.1 + 0.2 * k);
    yard_add(world, &body);
  }
  yard_start(world);
  stc_body_state *first = all_states(world);
  yard_run(world, 2000);
  expect_near(farthest(world, first), 0, 1e-12);
  double weight = 0, carried = 0;
  for (int b = 1; b < 4; b++) weight += first[b].mass * G * settings.h;
  for (int k = 0; k < stc_world_contacts(world); k++) {
    stc_world_contact contact;
    stc_world_contact_at(world, k, &contact);
    if (contact.body[0].index == 0) carried += contact.r[0];
    assert_int_equal(contact.state == STC_CONTACT_SLIP, 0);
  }
  expect_near(carried, weight, 1e-6 * weight);
  free(first);
  stc_world_free(&world);
}

static void test_wall_does_not_creep(void **state) {
  // six courses of bricks in bond, and the ledger: nothing moves, no energy comes or goes
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part brick = yard_box(0.1, 0.05, 0.05), half = yard_box(0.05, 0.05, 0.05);
  yard_floor(world, 0);
  for (int i = 0; i < 6; i++) {
    double x = 0;
    for (int j = 0; j < 6 + i % 2; j++) {
      bool cut = i % 2 == 1 && (j == 0 || j == 6);
      double length = cut ? 0.1 : 0.2;
      stc_rigid_body body = yard_body(cut ? &half : &brick, x + length / 2, 0, 0.05 + 0.1 * i);
      yard_add(world, &body);
      x += length;
    }
  }
  yard_start(world);
  stc_body_state *first = all_states(world);
  yard_run(world, 500);
  expect_near(farthest(world, first), 0, 1e-12);
  expect_near(stc_world_ledger(world)->error, 0, 1e-9 * yard_energy(world));
  free(first);
  stc_world_free(&world);
}

/// A capsule across between two upright plates, the left one fixed, the right one pushed against it
/// by its weight on a slope of 45 degrees: gravity (-g, 0, -g) / sqrt 2 in the plates' frame.
static void test_pinched_capsule(void **state) {
  // the plate of mass M on rails presses with M g sin 45; friction at both sides carries the
  // capsule: mu (N + N') >= m g cos 45 holds with room, so that it does not slip at all
  stc_world_settings settings = stc_default_world_settings();
  settings.gravity[0] = settings.gravity[2] = -G / sqrt(2);
  settings.h = 5e-3;
  stc_world *world = yard_create(&settings);
  yard_surfaces(world, 0.6, 0);
  stc_part plate = yard_box(0.05, 0.5, 0.5), capsule = {.pose = stc_pose_identity()};
  capsule.shape = (stc_shape){.kind = STC_SHAPE_CAPSULE, .radius = 0.1, .half = {0, 0, 0.2}};
  capsule.density = 1000;
  capsule.pose.rotation[0] = capsule.pose.rotation[1] = sqrt(0.5);  // its axis along y
  stc_rigid_body wall = yard_body(&plate, -0.15, 0, 0), press = yard_body(&plate, 0.15, 0, 0),
                 held = yard_body(&capsule, 0, 0, 0);
  wall.mobility = STC_MOBILITY_FIXED;
  yard_add(world, &wall);
  int right = yard_add(world, &press), middle = yard_add(world, &held);
  stc_joint rail = yard_joint(
      world, (stc_joint){.kind = STC_JOINT_PRISMATIC, .anchor = {0.15, 0, 0}}, right, -1);
  rail.axis[0] = 1;
  assert_int_equal(stc_world_add_joint(world, &rail, NULL), STC_OK);
  yard_start(world);
  stc_body_state first = yard_body_at(world, middle), last;
  yard_run(world, 4000);
  last = yard_body_at(world, middle);
  for (int i = 0; i < 3; i++) expect_near(last.centre[i], first.centre[i], 1e-11);
  for (int i = 0; i < 4; i++) expect_near(last.pose.rotation[i], first.pose.rotation[i], 1e-11);
  stc_world_free(&world);
}

static bool belt(void *user, double t, double velocity[3], double omega[3]) {
  velocity[0] = *(double *)user;
  return true;
}

static void test_belt(void **state) {
  // a box laid on a belt of speed V slides for V / (mu g), then moves with it; the belt does work
  // m V^2: half becomes kinetic energy, half is rubbed away
  double V = 1, mu = 0.5, m = 8;
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  yard_surfaces(world, mu, 0);
  stc_part plate = yard_box(5, 5, 0.5), box = yard_box(0.1, 0.1, 0.1);
  stc_rigid_body moving = yard_body(&plate, 0, 0, -0.5), body = yard_body(&box, 0, 0, 0.1);
  moving.mobility = STC_MOBILITY_DRIVEN;
  moving.drive = belt;
  moving.user = &V;
  int driven = yard_add(world, &moving), rides = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 100);
  expect_near(yard_body_at(world, rides).velocity[0], mu * G * 0.1, 1e-6);
  yard_run(world, 400);
  expect_near(yard_body_at(world, rides).velocity[0], V, 1e-7);
  expect_near(yard_body_at(world, driven).centre[0], V * 0.5, 1e-12);
  const stc_ledger *ledger = stc_world_ledger(world);
  expect_near(ledger->drive, m * V * V, 1e-3 * m);
  expect_near(ledger->friction, -m * V * V / 2, 1e-3 * m);
  expect_near(ledger->error, 0, 1e-9 * m);
  stc_world_free(&world);
}

static void test_plane(void **state) {
  // in the plane z = 0 a square slides down a slope of angle a with g (sin a - mu cos a), on two
  // contacts of two components
  double a = 0.5, mu = 0.3, acceleration = G * (sin(a) - mu * cos(a));
  stc_world_settings settings = stc_default_world_settings();
  settings.plane = true;
  settings.gravity[1] = -G, settings.gravity[2] = 0;
  stc_world *world = yard_create(&settings);
  yard_surfaces(world, mu, 0);
  stc_part ground = yard_box(50, 0.5, 1), box = yard_box(0.2, 0.1, 1);
  stc_rigid_body slope = yard_body(&ground, -0.5 * sin(a), -0.5 * cos(a), 0);
  slope.pose.rotation[0] = cos(a / 2), slope.pose.rotation[3] = -sin(a / 2);
  slope.mobility = STC_MOBILITY_FIXED;
  stc_rigid_body body = yard_body(&box, 0.1 * sin(a), 0.1 * cos(a), 0);
  memcpy(body.pose.rotation, slope.pose.rotation, sizeof body.pose.rotation);
  yard_add(world, &slope);
  int slides = yard_add(world, &body);
  yard_start(world);
  stc_world_report report = yard_step(world);
  assert_int_equal(report.contacts, 2);
  yard_run(world, 499);
  stc_body_state last = yard_body_at(world, slides);
  expect_near(hypot(last.velocity[0], last.velocity[1]), acceleration / 2, 1e-6);
  expect_near(last.centre[2], 0, 0);
  stc_world_free(&world);
}

/// Mass and inertia about the centre of one body in the plane, of density 500 and depth 0.2.
static stc_body_state in_the_plane(stc_part *part, int parts, double *inertia) {
  stc_world_settings settings = stc_default_world_settings();
  settings.plane = true, settings.depth = 0.2;
  settings.gravity[1] = -G, settings.gravity[2] = 0;
  stc_world *world = yard_create(&settings);
  for (int k = 0; k < parts; k++) part[k].density = 500;
  stc_rigid_body body = yard_body(part, 0, 0, 0);
  body.parts = parts, body.omega[2] = 1;
  int number = yard_add(world, &body);
  yard_start(world);
  stc_body_state state = yard_body_at(world, number);
  *inertia = state.spin[2];  // J omega with omega = 1
  stc_world_free(&world);
  return state;
}

static void expect_prism(stc_part *part, int parts, double area, double moment, double x) {
  double inertia;
  stc_body_state state = in_the_plane(part, parts, &inertia);
  expect_near(state.mass, 500 * 0.2 * area, 1e-12 * 100 * area);
  expect_near(inertia, 500 * 0.2 * moment, 1e-12 * 100 * moment);
  expect_near(state.centre[0], x, 1e-14);
  expect_near(state.centre[1], 0, 1e-14);
}

static void test_depth_in_the_plane(void **state) {
  // prisms of depth 0.2 whatever the shape: m = density A depth, J = density I depth
  double pi = acos(-1), r = 0.1, a = 0.3, b = 0.2;
  stc_part disc = yard_ball(r), box = yard_box(a, b, 0.7), round = yard_ball(r);
  expect_prism(&disc, 1, pi * r * r, pi * r * r * r * r / 2, 0);
  expect_prism(&box, 1, 4 * a * b, 4 * a * b * (a * a + b * b) / 3, 0);
  round.shape.kind = STC_SHAPE_CYLINDER, round.shape.half[2] = a;  // across, then along x
  expect_prism(&round, 1, pi * r * r, pi * r * r * r * r / 2, 0);
  round.pose.rotation[0] = round.pose.rotation[2] = sqrt(0.5);
  expect_prism(&round, 1, 4 * a * r, 4 * a * r * (a * a + r * r) / 3, 0);
  // a capsule is a rectangle and two half discs, whose own moment about the centre of the disc is
  // pi r^4 / 4 and whose centre is 4 r / (3 pi) from the straight side
  double half = pi * r * r / 2, c = 4 * r / (3 * pi);
  double own = pi * r * r * r * r / 4 - half * c * c;
  round.shape.kind = STC_SHAPE_CAPSULE;
  expect_prism(&round, 1, 4 * a * r + 2 * half,
               4 * a * r * (a * a + r * r) / 3 + 2 * (own + half * (a + c) * (a + c)), 0);
  // a triangle with corners (0, -b), (a, 0), (0, b): A = a b, x = a / 3, I about the centre is
  // A (sum of the squares of the sides) / 36 = a b (4 b^2 + 2 (a^2 + b^2)) / 36
  double corner[18] = {0, -b, -0.1, a, 0, -0.1, 0, b, -0.1, 0, -b, 0.3, a, 0, 0.3, 0, b, 0.3};
  stc_part prism = {.shape = {.kind = STC_SHAPE_HULL}, .pose = stc_pose_identity()};
  stc_hull *hull = NULL;
  assert_int_equal(stc_hull_create(6, corner, &hull), STC_OK);
  prism.shape.hull = hull;
  expect_prism(&prism, 1, a * b, a * b * (4 * b * b + 2 * (a * a + b * b)) / 36, a / 3);
  stc_hull_free(&hull);
  // a disc at x = 1 and one at x = -1 with half its radius: the centre is where 4 : 1 puts it
  stc_part pair[2] = {yard_ball(r), yard_ball(r / 2)};
  pair[0].pose.x[0] = 1, pair[1].pose.x[0] = -1;
  double A = pi * r * r, x = (A - A / 4) / (A + A / 4);
  expect_prism(pair, 2, A * 5 / 4,
               A * r * r / 2 * (1 + 1.0 / 16) + A * (1 - x) * (1 - x) + A / 4 * (1 + x) * (1 + x),
               x);
}

static void test_restitution_gains_nothing(void **state) {
  // a rod that falls on its end with e = 1 and friction: Newton's rule alone may gain energy
  // (Kane's paradox), so that less of e is kept; the energy never rises
  double least = 1;
  for (int k = 0; k < 8; k++) {
    stc_world_settings settings = stc_default_world_settings();
    stc_world *world = yard_create(&settings);
    stc_part rod = yard_box(0.5, 0.02, 0.02);
    double angle = 0.2 + 0.15 * k;
    stc_rigid_body body = yard_body(&rod, 0, 0, 0.55);
    body.pose.rotation[0] = cos(angle / 2), body.pose.rotation[2] = sin(angle / 2);
    body.velocity[0] = k % 2 ? 0.4 : -0.4, body.velocity[2] = -2;
    yard_floor(world, 0);
    yard_surfaces(world, 0.8, 1);
    yard_add(world, &body);
    yard_start(world);
    double energy = yard_energy(world);
    for (int n = 0; n < 600; n++) {
      least = fmin(least, yard_step(world).restitution);
      assert_true(yard_energy(world) <= energy * (1 + 1e-6));
    }
    stc_world_free(&world);
  }
  assert_true(least < 0.99);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_heavy_on_light),
      cmocka_unit_test(test_wall_does_not_creep),
      cmocka_unit_test(test_pinched_capsule),
      cmocka_unit_test(test_belt),
      cmocka_unit_test(test_depth_in_the_plane),
      cmocka_unit_test(test_plane),
      cmocka_unit_test(test_restitution_gains_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
