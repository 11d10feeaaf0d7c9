// What a world refuses and how it says so, and that the same bits follow: restart, threads.
#include "physics/yard.h"

static stc_world *empty(void) {
  stc_world_settings settings = stc_default_world_settings();
  return yard_create(&settings);
}

static void test_settings_are_checked(void **state) {
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = NULL;
  settings.h = -1;
  expect_failure(stc_world_create(&settings, &world), STC_ERR_VALUE, "h = -1");
  settings = stc_default_world_settings();
  settings.tol = 1e-2;
  expect_failure(stc_world_create(&settings, &world), STC_ERR_VALUE,
                 "tol = 0.01 is above accept = 0.001");
  assert_null(world);
  settings = stc_default_world_settings();
  settings.plane = true;
  expect_failure(stc_world_create(&settings, &world), STC_ERR_VALUE, "leaves the plane");
  settings = stc_default_world_settings();
  settings.gravity[1] = NAN;
  expect_failure(stc_world_create(&settings, &world), STC_ERR_VALUE, "gravity[1]");
  settings = stc_default_world_settings();
  settings.solver.method = "pgs";
  expect_failure(stc_world_create(&settings, &world), STC_ERR_ARGUMENT, "no method 'pgs'");
}

static void test_bodies_are_refused_by_name(void **state) {
  stc_world *world = empty();
  stc_part box = yard_box(1, 1, 1), plane = {.shape = {.kind = STC_SHAPE_PLANE}};
  plane.pose = stc_pose_identity();
  stc_rigid_body body = yard_body(&box, 0, 0, 0);
  body.name = "brick";
  box.density = 0;
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_VALUE, "body 'brick': part 0");
  box.density = 1000;
  body.mass = -1;
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_VALUE, "mass = -1");
  body.mass = 1;  // without an inertia
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_VALUE, "not positive definite");
  body.inertia[0] = body.inertia[1] = 1, body.inertia[2] = 3;  // 3 > 1 + 1
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_VALUE, "belongs to no body");
  body.mass = 0;
  body.velocity[1] = NAN;
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_VALUE, "velocity[1]");
  body.velocity[1] = 0;
  body.pose.rotation[0] = 2;
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_VALUE, "unit quaternion");
  body.pose.rotation[0] = 1;
  body.part = &plane;
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_ARGUMENT, "has no mass");
  body.part = NULL;
  body.parts = 0;
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_VALUE, "no mass");
  body.mobility = STC_MOBILITY_DRIVEN;
  expect_failure(stc_world_add_body(world, &body, NULL), STC_ERR_ARGUMENT, "no drive");
  assert_int_equal(stc_world_bodies(world), 0);
  expect_failure(stc_world_start(world, 0), STC_ERR_ARGUMENT, "empty");
  stc_world_free(&world);
}

static void test_handles_are_checked(void **state) {
  // nothing, an index that is not there, another generation, a description without its default
  stc_world *world = empty();
  stc_part ball = yard_ball(0.1);
  stc_rigid_body body = yard_body(&ball, 0, 0, 0), zeros = {.parts = 1, .part = &ball};
  stc_body_id id = {0}, other;
  stc_body_state at;
  expect_failure(stc_world_add_body(world, &zeros, &id), STC_ERR_ARGUMENT, "stc_default_body()");
  expect_failure(stc_world_body(world, id, &at), STC_ERR_ARGUMENT, "that of no body");
  assert_int_equal(stc_world_add_body(world, &body, &id), STC_OK);
  assert_true(stc_world_has_body(world, id) && id.index == 0 && id.generation > 0);
  assert_int_equal(stc_world_body(world, id, &at), STC_OK);
  other = (stc_body_id){1, id.generation};
  assert_false(stc_world_has_body(world, other));
  expect_failure(stc_world_body(world, other, &at), STC_ERR_ARGUMENT, "no body 1");
  other = (stc_body_id){0, id.generation + 1};
  assert_false(stc_world_has_body(world, other));
  expect_failure(stc_world_body(world, other, &at), STC_ERR_ARGUMENT, "stale");
  stc_joint joint = {.body = {id}};
  expect_failure(stc_world_add_joint(world, &joint, NULL), STC_ERR_ARGUMENT, "stc_default_joint()");
  joint = stc_default_joint();
  joint.body[0] = other;
  expect_failure(stc_world_add_joint(world, &joint, NULL), STC_ERR_ARGUMENT, "stale");
  stc_world_free(&world);
}

static void test_overlap_is_refused(void **state) {
  // two balls of radius 0.1 at 0.19: they overlap by 0.01 m, a tenth of their size
  stc_world *world = empty();
  stc_part ball = yard_ball(0.1);
  stc_rigid_body body = yard_body(&ball, 0, 0, 0);
  body.name = "a";
  yard_add(world, &body);
  body.pose.x[0] = 0.19;
  body.name = "b";
  yard_add(world, &body);
  expect_failure(stc_world_start(world, 0), STC_ERR_VALUE, "bodies 'a' and 'b' overlap by 0.01");
  assert_int_equal(
      stc_world_ignore(world, stc_world_body_at(world, 0), stc_world_body_at(world, 1)), STC_OK);
  yard_start(world);
  stc_world_free(&world);
}

static void test_joints_are_refused(void **state) {
  stc_world *world = empty();
  int fixed = yard_floor(world, 0);
  stc_part ball = yard_ball(0.1);
  stc_rigid_body body = yard_body(&ball, 0, 0, 1);
  int free = yard_add(world, &body);
  stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_BALL}, fixed, -1);
  expect_failure(stc_world_add_joint(world, &joint, NULL), STC_ERR_ARGUMENT, "nothing that moves");
  joint.body[1] = (stc_body_id){7, 1};
  expect_failure(stc_world_add_joint(world, &joint, NULL), STC_ERR_ARGUMENT, "no body 7");
  joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_HINGE}, free, -1);
  expect_failure(stc_world_add_joint(world, &joint, NULL), STC_ERR_VALUE, "axis");
  stc_world_free(&world);
}

static void test_mixing(void **state) {
  // surfaces 1 (mu = 0.9) and 2 (mu = 0.4): mu = 0.6, seen by the stopping distance of a box
  stc_world *world = empty();
  stc_surface_pair rough = {.mu = 0.9}, smooth = {.mu = 0.4};
  assert_int_equal(stc_world_set_surface_pair(world, 1, 1, &rough), STC_OK);
  assert_int_equal(stc_world_set_surface_pair(world, 2, 2, &smooth), STC_OK);
  stc_part plane = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
  stc_rigid_body floor = yard_body(&plane, 0, 0, 0);
  floor.mobility = STC_MOBILITY_FIXED;
  floor.surface = 1;
  yard_add(world, &floor);
  stc_part box = yard_box(0.2, 0.2, 0.05);
  stc_rigid_body body = yard_body(&box, 0, 0, 0.05);
  body.surface = 2;
  body.velocity[0] = 1;
  int number = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 300);
  expect_near(yard_body_at(world, number).centre[0], 1 / (2 * 0.6 * 9.81), 1e-6);
  stc_surface_pair bad = {.mu = -1};
  expect_failure(stc_world_set_surface_pair(world, 0, 0, &bad), STC_ERR_VALUE, "mu = -1");
  stc_world_free(&world);
}

// --- The same bits ---

/// Twelve boxes and balls thrown on a heap, one pair joined.
static stc_world *heap(int threads) {
  stc_world_settings settings = stc_default_world_settings();
  settings.threads = threads;
  settings.h = 2e-3;
  stc_world *world = yard_create(&settings);
  stc_part box = yard_box(0.1, 0.08, 0.05), ball = yard_ball(0.07);
  yard_floor(world, 0);
  yard_surfaces(world, 0.4, 0.3);
  for (int k = 0; k < 12; k++) {
    stc_rigid_body body =
        yard_body(k % 3 == 2 ? &ball : &box, 0.03 * (k % 4), 0.02 * (k % 3), 0.12 + 0.2 * k);
    body.velocity[2] = -1;
    body.omega[0] = k - 5;
    yard_add(world, &body);
  }
  stc_joint joint =
      yard_joint(world, (stc_joint){.kind = STC_JOINT_BALL, .anchor = {0.07, 0.02, 0.62}}, 3, 4);
  assert_int_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
  yard_start(world);
  return world;
}

static void expect_same(const stc_world *a, const stc_world *b) {
  size_t size = stc_world_state_size(a);
  assert_int_equal(size, stc_world_state_size(b));
  double *x = malloc(2 * size * sizeof *x);
  assert_non_null(x);
  stc_world_save(a, x);
  stc_world_save(b, x + size);
  assert_memory_equal(x, x + size, size * sizeof *x);
  free(x);
}

static void test_restart(void **state) {
  stc_world *a = heap(1), *b = heap(1);
  yard_run(a, 200);
  size_t size = stc_world_state_size(a);
  double *saved = malloc(size * sizeof *saved);
  assert_non_null(saved);
  stc_world_save(a, saved);
  assert_int_equal(stc_world_restore(b, saved, size), STC_OK);
  assert_true(stc_world_contacts(b) > 5 && stc_world_contacts(b) == stc_world_contacts(a));
  expect_same(a, b);
  yard_run(a, 100);
  yard_run(b, 100);
  expect_same(a, b);
  expect_near(stc_world_time(b), 0.6, 1e-12);
  stc_world_contact first, second;
  stc_world_contact_at(a, 0, &first);
  stc_world_contact_at(b, 0, &second);
  assert_memory_equal(&first, &second, offsetof(stc_world_contact, state));
  assert_int_equal(first.state, second.state);
  saved[0] = 1;
  expect_failure(stc_world_restore(b, saved, size), STC_ERR_VALUE, "mark");
  stc_world_save(a, saved);
  expect_failure(stc_world_restore(b, saved, 12), STC_ERR_DIMENSION, "numbers");
  free(saved);
  stc_world_free(&a);
  stc_world_free(&b);
}

static void test_damaged_state(void **state) {
  // every number replaced in turn by one that makes no sense: refused or taken, never a crash
  stc_world *world = heap(1);
  yard_run(world, 150);
  size_t size = stc_world_state_size(world);
  double *saved = malloc(size * sizeof *saved);
  assert_non_null(saved);
  stc_world_save(world, saved);
  for (size_t k = 0; k < size; k++) {
    double kept = saved[k];
    saved[k] = NAN;
    assert_int_equal(stc_world_restore(world, saved, size), STC_ERR_VALUE);
    saved[k] = -1e30;
    stc_world_restore(world, saved, size);
    saved[k] = kept;
  }
  assert_int_equal(stc_world_restore(world, saved, size), STC_OK);
  yard_run(world, 10);
  free(saved);
  stc_world_free(&world);
}

/// A block of balls that touch on a floor, pushed: more than 10 000 contacts, which threads share.
static stc_world *block(int threads) {
  enum { EDGE = 16 };
  stc_world_settings settings = stc_default_world_settings();
  settings.threads = threads;
  settings.h = 2e-3;
  settings.tol = settings.accept = 1e-4;
  stc_world *world = yard_create(&settings);
  stc_part ball = yard_ball(0.1);
  yard_floor(world, 0);
  yard_surfaces(world, 0.3, 0);
  for (int k = 0; k < EDGE * EDGE * EDGE; k++) {
    int x = k % EDGE, y = k / EDGE % EDGE, z = k / (EDGE * EDGE);
    stc_rigid_body body = yard_body(&ball, 0.2 * x, 0.2 * y, 0.1 + 0.2 * z);
    body.velocity[0] = 0.01 * ((x + 2 * y + 3 * z) % 7);
    yard_add(world, &body);
  }
  yard_start(world);
  return world;
}

// The same bits with 1, 2 and 4 threads after `steps` steps.
static void expect_threads_alike(stc_world *(*make)(int threads), long steps) {
  stc_world *one = make(1);
  yard_run(one, steps);
  for (int threads = 2; threads <= 4; threads += 2) {
    stc_world *more = make(threads);
    yard_run(more, steps);
    expect_same(one, more);
    stc_world_free(&more);
  }
  stc_world_free(&one);
}

static void test_threads(void **state) { expect_threads_alike(heap, 250); }

static void test_threads_share_a_step(void **state) { expect_threads_alike(block, 2); }

// --- A step that is not taken ---

static bool press(void *user, double t, double velocity[3], double omega[3]) {
  velocity[2] = -0.1;
  return true;
}

static void test_squeezed_body(void **state) {
  // a driven plate comes down on a ball that lies on the floor: nothing can give way
  stc_world *world = empty();
  yard_floor(world, 0);
  stc_part ball = yard_ball(0.1), plate = yard_box(1, 1, 0.05);
  stc_rigid_body body = yard_body(&ball, 0, 0, 0.1), press_body = yard_body(&plate, 0, 0, 0.2505);
  body.name = "ball";
  press_body.mobility = STC_MOBILITY_DRIVEN;
  press_body.drive = press;
  press_body.name = "plate";
  int number = yard_add(world, &body);
  yard_add(world, &press_body);
  yard_start(world);
  stc_world_report report;
  long taken = 0;
  for (int k = 0; k < 20; k++) {
    assert_int_equal(stc_world_step(world, &report), STC_OK);
    if (!report.accepted) break;
    taken++;
  }
  assert_false(report.accepted);
  assert_int_equal(stc_world_steps(world), taken);
  assert_non_null(strstr(report.reason, "'ball'"));
  assert_non_null(strstr(report.reason, "'plate'"));
  assert_non_null(stc_world_problem(world, NULL));
  stc_body_state before = yard_body_at(world, number), after;
  assert_int_equal(stc_world_step(world, &report), STC_OK);
  after = yard_body_at(world, number);
  assert_false(report.accepted);
  assert_memory_equal(&before, &after, sizeof before);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_settings_are_checked),
      cmocka_unit_test(test_bodies_are_refused_by_name),
      cmocka_unit_test(test_overlap_is_refused),
      cmocka_unit_test(test_handles_are_checked),
      cmocka_unit_test(test_joints_are_refused),
      cmocka_unit_test(test_mixing),
      cmocka_unit_test(test_restart),
      cmocka_unit_test(test_damaged_state),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_threads_share_a_step),
      cmocka_unit_test(test_squeezed_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
