// Loads on bodies against closed forms: constant forces, impulses, damping, oscillators, gravity
// that changes, a block on a floor that is pushed.
#include "yard.h"

#include <stiction/loads.h>

static stc_world *weightless(double h) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  settings.gravity[2] = 0;
  return yard_create(&settings);
}

// A cube of 1 m and 1000 kg: J = 1000/6 kg m^2.
static int add_cube(stc_world *world, double z) {
  stc_part part = yard_box(0.5, 0.5, 0.5);
  stc_rigid_body body = yard_body(&part, 0, 0, z);
  return yard_add(world, &body);
}

static void push(stc_world *world, int body, const stc_body_load *load) {
  assert_int_equal(stc_world_push(world, stc_world_body_at(world, body), load), STC_OK);
}

// x = F t^2 / (2 m), v = F t / m: the middle of the step makes both exact.
static void a_constant_force(void **state) {
  stc_world *world = weightless(0.01);
  int cube = add_cube(world, 0);
  yard_start(world);
  stc_body_load load = stc_default_load();
  load.force[0] = 500;
  for (int k = 0; k < 200; k++) {
    push(world, cube, &load);
    yard_step(world);
  }
  stc_body_state now = yard_body_at(world, cube);
  expect_near(now.velocity[0], 1, 1e-12);
  expect_near(now.centre[0], 1, 1e-12);
  expect_near(stc_world_ledger(world)->work, 500, 1e-9);
  expect_near(stc_world_ledger(world)->error, 0, 1e-9);
  yard_run(world, 10);  // a push is for one step
  expect_near(yard_body_at(world, cube).velocity[0], 1, 1e-12);
  stc_world_free(&world);
}

// 100 N s along y at the point (0.5, 0, 0): v = 0.1 m/s, omega = 50 / (1000/6) = 0.3 rad/s.
static void an_impulse_at_a_point(void **state) {
  for (int in_body = 0; in_body < 2; in_body++) {
    stc_world *world = weightless(0.01);
    int cube = add_cube(world, 2);
    yard_start(world);
    stc_body_load load = stc_default_load();
    load.impulse[1] = 100, load.at_point = true, load.in_body = in_body;
    load.point[0] = 0.5, load.point[2] = in_body ? 0 : 2;
    push(world, cube, &load);
    yard_step(world);
    stc_body_state now = yard_body_at(world, cube);
    expect_near(now.velocity[1], 0.1, 1e-15);
    expect_near(now.omega[2], 0.3, 1e-14);
    expect_near(yard_energy(world), stc_world_ledger(world)->work, 1e-12);
    stc_world_free(&world);
  }
}

// A thruster fixed in a body that spins about z at a constant rate w gives the velocity
//   v = F/(m w) (sin wt, 1 - cos wt); the direction is that of the middle of each step.
static void a_force_in_the_frame_of_a_body(void **state) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    stc_world *world = weightless(0.02 / (k + 1));
    stc_part part = yard_box(0.5, 0.5, 0.5);
    stc_rigid_body body = yard_body(&part, 0, 0, 0);
    body.omega[2] = 2;
    int cube = yard_add(world, &body);
    yard_start(world);
    stc_body_load load = stc_default_load();
    load.force[0] = 1000, load.in_body = true;
    for (int n = 0; n < 50 * (k + 1); n++) {
      push(world, cube, &load);
      yard_step(world);
    }
    double *v = yard_body_at(world, cube).velocity;
    error[k] = hypot(v[0] - sin(2) / 2, v[1] - (1 - cos(2)) / 2);
    stc_world_free(&world);
  }
  assert_true(error[0] < 1e-3 && error[0] > 3.5 * error[1]);
}

// v = exp(-0.5 t), omega = exp(-2 t), whatever the step.
static void damping_is_exact(void **state) {
  stc_world *world = weightless(0.25);
  stc_part part = yard_box(0.5, 0.5, 0.5);
  stc_rigid_body body = yard_body(&part, 0, 0, 0);
  body.velocity[0] = body.omega[1] = 1;
  int cube = yard_add(world, &body);
  assert_int_equal(stc_world_set_damping(world, stc_world_body_at(world, cube), 0.5, 2), STC_OK);
  yard_start(world);
  yard_run(world, 8);
  stc_body_state now = yard_body_at(world, cube);
  expect_near(now.velocity[0], exp(-1), 1e-15);
  expect_near(now.omega[1], exp(-4), 1e-15);
  double lost = yard_energy(world) - stc_world_ledger(world)->start;
  expect_near(stc_world_ledger(world)->friction, lost, 1e-12);
  stc_world_free(&world);
}

static bool pull_back(void *user, double t, const stc_body_state *state, stc_body_load *load) {
  for (int i = 0; i < 3; i++) load->force[i] = -*(const double *)user * state->centre[i];
  return true;
}

// x = cos(w t) with w = sqrt(k/m) = 2: order 2.
static void an_oscillator_by_a_callback(void **state) {
  double stiffness = 4000, error[2];
  for (int k = 0; k < 2; k++) {
    stc_world *world = weightless(0.02 / (k + 1));
    stc_part part = yard_box(0.5, 0.5, 0.5);
    stc_rigid_body body = yard_body(&part, 1, 0, 0);
    int cube = yard_add(world, &body);
    stc_body_id id = stc_world_body_at(world, cube);
    assert_int_equal(stc_world_set_load(world, id, pull_back, &stiffness), STC_OK);
    yard_start(world);
    yard_run(world, 100 * (k + 1));
    error[k] = fabs(yard_body_at(world, cube).centre[0] - cos(4));
    stc_world_free(&world);
  }
  assert_true(error[0] < 1e-3 && error[0] > 3.8 * error[1] && error[0] < 4.2 * error[1]);
}

// Gravity turns after 1 s of 2 s: the body is back at rest at z = -9.81; the potential that the
// change makes is booked.
static void gravity_that_changes(void **state) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 0.01;
  stc_world *world = yard_create(&settings);
  int cube = add_cube(world, 0);
  yard_start(world);
  yard_run(world, 100);
  assert_int_equal(stc_world_set_gravity(world, (double[]){0, 0, 9.81}), STC_OK);
  yard_run(world, 100);
  stc_body_state now = yard_body_at(world, cube);
  expect_near(now.velocity[2], 0, 1e-12);
  expect_near(now.centre[2], -9.81, 1e-12);
  expect_near(stc_world_ledger(world)->error, 0, 1e-6);
  expect_near(stc_world_ledger(world)->drive, 2 * 1000 * 9.81 * 9.81 / 2, 1e-6);
  stc_world_free(&world);
}

// mu m g = 4905 N: 4900 N do not move the block by one bit, 5905 N give it 1 m/s^2.
static void a_block_that_is_pushed(void **state) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 0.01;
  stc_world *world = yard_create(&settings);
  yard_floor(world, 0);
  int cube = add_cube(world, 0.5);
  yard_start(world);
  stc_body_load load = stc_default_load();
  load.at_point = load.in_body = true, load.point[2] = -0.5;
  load.force[0] = 4900;
  for (int k = 0; k < 100; k++) {
    push(world, cube, &load);
    yard_step(world);
  }
  assert_true(yard_body_at(world, cube).centre[0] == 0);
  load.force[0] = 5905;
  for (int k = 0; k < 100; k++) {
    push(world, cube, &load);
    yard_step(world);
  }
  expect_near(yard_body_at(world, cube).velocity[0], 1, 1e-6);
  expect_near(yard_body_at(world, cube).centre[0], 0.5, 1e-5);
  yard_run(world, 100);  // without the push it stops after 1/(mu g) s and sleeps
  assert_true(yard_body_at(world, cube).velocity[0] == 0);
  stc_world_free(&world);
}

static void bad_loads_are_refused(void **state) {
  stc_world *world = yard_plane();
  stc_part part = yard_box(0.5, 0.5, 0.5);
  stc_rigid_body body = yard_body(&part, 0, 0, 0);
  stc_body_id cube = stc_world_body_at(world, yard_add(world, &body));
  body.mobility = STC_MOBILITY_FIXED, body.pose.x[0] = 5;
  stc_body_id wall = stc_world_body_at(world, yard_add(world, &body));
  stc_body_load load = stc_default_load();
  assert_int_equal(stc_world_push(world, wall, &load), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_push(world, (stc_body_id){0}, &load), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_push(world, cube, &(stc_body_load){0}), STC_ERR_ARGUMENT);
  load.force[2] = 1;
  assert_int_equal(stc_world_push(world, cube, &load), STC_ERR_VALUE);
  load.force[2] = NAN;
  assert_int_equal(stc_world_push(world, cube, &load), STC_ERR_VALUE);
  assert_int_equal(stc_world_set_damping(world, cube, -1, 0), STC_ERR_VALUE);
  assert_int_equal(stc_world_set_gravity(world, (double[]){0, 0, 1}), STC_ERR_VALUE);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_constant_force),
      cmocka_unit_test(an_impulse_at_a_point),
      cmocka_unit_test(a_force_in_the_frame_of_a_body),
      cmocka_unit_test(damping_is_exact),
      cmocka_unit_test(an_oscillator_by_a_callback),
      cmocka_unit_test(gravity_that_changes),
      cmocka_unit_test(a_block_that_is_pushed),
      cmocka_unit_test(bad_loads_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
