// A step that ends in time: within its budget of work, with an answer that says how good it is,
// that gains no energy, and that leaves at rest what rests.
#include "../../src/base/vec3.h"
#include "yard.h"

enum { ROWS = 6, COLUMNS = 6 };

static double limit_of(const stc_world *world, const stc_world_report *report) {
  return stc_world_given(world)->budget * (500 + report->contacts);
}

/// Bricks without mortar, rows shifted by half a brick, from the body at index 1 on.
static int add_wall(stc_world *world, double gap) {
  stc_part brick = yard_box(0.1, 0.05, 0.05), half = yard_box(0.05, 0.05, 0.05);
  int last = 0;
  for (int row = 0; row < ROWS; row++)
    for (int k = 0; k < COLUMNS + row % 2; k++) {
      bool cut = row % 2 == 1 && (k == 0 || k == COLUMNS);
      double x = row % 2 == 0 ? 0.2 * k + 0.1 : cut ? (k ? 0.2 * COLUMNS - 0.05 : 0.05) : 0.2 * k;
      stc_rigid_body body = yard_body(cut ? &half : &brick, x, 0, 0.05 + gap + (0.1 + gap) * row);
      last = yard_add(world, &body);
    }
  return last;
}

static stc_world *wall(int threads, double gap, int *last) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 5e-3, settings.threads = threads;
  stc_world *world = yard_create(&settings);
  yard_floor(world, 0);
  yard_surfaces(world, 0.6, 0);
  *last = add_wall(world, gap);
  return world;
}

static void test_wall_is_hit_in_time(void **state) {
  // balls of 2 to 60 kg at 4 to 14 m/s: every step is taken within its work; with gravity as the
  // only source the energy never grows
  const double mass[] = {2, 15, 60}, speed[] = {14, 7, 4};
  int relaxed = 0;
  for (int n = 0; n < 3; n++) {
    int last;
    stc_part part = yard_ball(0.12);
    stc_world *world = wall(1, 0, &last);
    part.density = mass[n] / (4 * acos(-1) / 3 * 0.12 * 0.12 * 0.12);
    stc_rigid_body ball = yard_body(&part, 0.63, -0.2, 0.33);
    ball.velocity[1] = speed[n];
    yard_add(world, &ball);
    yard_start(world);
    double most = yard_energy(world), scale = fabs(most) + 1;
    for (int k = 0; k < 120; k++) {
      stc_world_report report = yard_step(world);
      double work = limit_of(world, &report);
      assert_true(report.accepted && report.work <= 1.25 * work + report.contacts);
      assert_true(report.relaxed == (report.status == STC_STATUS_RELAXED));
      assert_true((report.reason[0] != '\0') == (report.eta > 1e-3));
      assert_true(yard_energy(world) - stc_world_ledger(world)->correction <= most + 1e-9 * scale);
      relaxed += report.relaxed;
    }
    stc_world_free(&world);
  }
  printf("  hit: %d of 360 steps relaxed\n", relaxed);
  assert_true(relaxed > 0);
}

static void test_threads_change_no_bit(void **state) {
  stc_world *world[2];
  stc_part part = yard_ball(0.12);
  int last = 0;
  for (int k = 0; k < 2; k++) {
    world[k] = wall(1 + 2 * k, 1e-3, &last);
    stc_rigid_body ball = yard_body(&part, 0.63, -0.2, 0.33);
    ball.velocity[1] = 9;
    last = yard_add(world[k], &ball);
    yard_start(world[k]);
    yard_run(world[k], 60);
  }
  for (int b = 1; b <= last; b++) {
    stc_body_state one = yard_body_at(world[0], b), other = yard_body_at(world[1], b);
    assert_memory_equal(&one, &other, sizeof one);
  }
  for (int k = 0; k < 2; k++) stc_world_free(&world[k]);
}

static void test_wall_at_rest_keeps_its_bits(void **state) {
  int last;
  stc_world *world = wall(1, 0, &last);
  yard_start(world);
  for (int k = 0; k < 400; k++) assert_true(yard_step(world).accepted);
  for (int b = 1; b <= last; b++) {
    stc_body_state s = yard_body_at(world, b);
    assert_true(stc_norm3(s.velocity) == 0 && stc_norm3(s.omega) == 0);
    assert_true(s.centre[1] == 0);
  }
  stc_world_free(&world);
}

static void test_pyramid_comes_to_rest(void **state) {
  // 36 boxes that fall by 1 cm each: no step takes more than its work, and in the end nothing moves
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 1.0 / 60;
  stc_world *world = yard_create(&settings);
  stc_part box = yard_box(0.25, 0.25, 0.25);
  int last = 0;
  yard_floor(world, 0);
  for (int l = 0; l < 8; l++)
    for (int k = 0; k < 8 - l; k++) {
      stc_rigid_body body = yard_body(&box, (k + 0.5 * l) * 0.55, 0, 0.26 + 0.51 * l);
      last = yard_add(world, &body);
    }
  yard_start(world);
  for (int k = 0; k < 240; k++) {
    stc_world_report report = yard_step(world);
    assert_true(report.accepted && report.work <= 1.25 * limit_of(world, &report) + 500);
  }
  for (int b = 1; b <= last; b++) {
    stc_body_state s = yard_body_at(world, b);
    assert_true(stc_norm3(s.velocity) == 0 && stc_norm3(s.omega) == 0);
  }
  assert_true(yard_body_at(world, last).centre[2] > 0.25 + 7 * 0.5 - 0.01);
  stc_world_free(&world);
}

static void test_stack_of_unequal_masses(void **state) {
  // 100:1, let go 1 mm above the floor: it comes to rest without overlap and stays, to the bit
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 5e-3;
  stc_world *world = yard_create(&settings);
  stc_part light = yard_box(0.25, 0.25, 0.25), heavy = light;
  heavy.density = 100 * light.density;
  yard_floor(world, 0);
  stc_rigid_body below = yard_body(&light, 0, 0, 0.251), above = yard_body(&heavy, 0, 0, 0.752);
  yard_add(world, &below);
  int top = yard_add(world, &above);
  yard_start(world);
  yard_run(world, 200);
  stc_body_state one = yard_body_at(world, top);
  yard_run(world, 400);
  stc_body_state other = yard_body_at(world, top);
  assert_memory_equal(&one, &other, sizeof one);
  assert_true(stc_norm3(one.velocity) == 0 && fabs(one.centre[2] - 0.75) < 1e-3);
  stc_world_free(&world);
}

static bool squeeze(void *user, double t, double velocity[3], double omega[3]) {
  (void)t;
  velocity[0] = *(double *)user;
  velocity[1] = velocity[2] = omega[0] = omega[1] = omega[2] = 0;
  return true;
}

static void test_no_answer_is_not_taken(void **state) {
  // two driven walls that approach each other, a box between them: no budget makes a step of it
  stc_world_settings settings = stc_default_world_settings();
  double towards[2] = {0.1, -0.1};
  stc_world *world = yard_create(&settings);
  stc_part box = yard_box(0.1, 0.1, 0.1);
  for (int k = 0; k < 2; k++) {
    stc_rigid_body jaw = yard_body(&box, k ? 0.2 : -0.2, 0, 0);
    jaw.mobility = STC_MOBILITY_DRIVEN, jaw.drive = squeeze, jaw.user = &towards[k];
    yard_add(world, &jaw);
  }
  stc_rigid_body body = yard_body(&box, 0, 0, 0);
  yard_add(world, &body);
  yard_start(world);
  stc_world_report report;
  assert_int_equal(stc_world_step(world, &report), STC_OK);
  assert_false(report.accepted);
  stc_world_free(&world);
}

static void test_exact_is_exact(void **state) {
  stc_world_settings settings = stc_default_world_settings();
  settings.exact = true, settings.h = 5e-3;
  stc_world *world = yard_create(&settings);
  int last = 0;
  yard_floor(world, 0);
  last = add_wall(world, 1e-3);
  yard_start(world);
  for (int k = 0; k < 12; k++) assert_true(yard_step(world).eta <= 1e-6);
  assert_true(yard_body_at(world, last).centre[2] > 0);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wall_is_hit_in_time),
      cmocka_unit_test(test_threads_change_no_bit),
      cmocka_unit_test(test_wall_at_rest_keeps_its_bits),
      cmocka_unit_test(test_pyramid_comes_to_rest),
      cmocka_unit_test(test_stack_of_unequal_masses),
      cmocka_unit_test(test_no_answer_is_not_taken),
      cmocka_unit_test(test_exact_is_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
