// What acts along coordinates of joints, with answers in closed form: springs, dampers, motors, dry
// friction, limits, loads at which joints break.
#include "yard.h"

#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <stiction/edit.h>
#include <string.h>

static const double G = 9.81;

/// A world without floor; gravity along -z in space, -y in the plane.
static stc_world *world_of(bool plane, double h, double weight) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  settings.plane = plane;
  memset(settings.gravity, 0, sizeof settings.gravity);
  settings.gravity[plane ? 1 : 2] = -weight;
  return yard_create(&settings);
}

/// A box of mass m with the inertia of a ball of m kg m^2.
static int add_mass(stc_world *world, double m, double x, double y, double z) {
  stc_part part = yard_box(0.1, 0.1, 0.1);
  stc_rigid_body body = yard_body(&part, x, y, z);
  body.mass = m;
  for (int i = 0; i < 3; i++) body.inertia[i] = m;
  return yard_add(world, &body);
}

static stc_joint_id add(stc_world *world, const stc_joint *joint) {
  stc_joint_id id = {0};
  stc_error error = stc_world_add_joint(world, joint, &id);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
  return id;
}

/// A joint of the body at its centre to the world, along or about the axis d (0, 1, 2).
static stc_joint joint_to_world(const stc_world *world, stc_joint_kind kind, int body, int d) {
  stc_joint joint = yard_joint(world, (stc_joint){.kind = kind}, body, -1);
  memcpy(joint.anchor, yard_body_at(world, body).centre, sizeof joint.anchor);
  joint.axis[d] = 1;
  return joint;
}

static stc_joint_state joint_at(const stc_world *world, stc_joint_id id) {
  stc_joint_state state;
  assert_int_equal(stc_world_joint(world, id, &state), STC_OK);
  return state;
}

// --- Springs ---

/// Place after 1 s of a mass of 2 kg on a spring of 50 N/m that hangs on a slider, from 0.1 m.
static double oscillator(double h, double damping, double *energy) {
  stc_world *world = world_of(false, h, 0);
  int body = add_mass(world, 2, 0, 0, 0);
  stc_joint joint = joint_to_world(world, STC_JOINT_PRISMATIC, body, 0);
  joint.coordinate[0].start = 0.1;
  joint.coordinate[0].stiffness = 50;
  joint.coordinate[0].damping = damping;
  stc_joint_id id = add(world, &joint);
  yard_start(world);
  double most = 0, start = yard_energy(world);
  for (long k = lround(1 / h); k > 0; k--) {
    yard_step(world);
    most = fmax(most, fabs(stc_world_ledger(world)->error));
  }
  expect_near(start, 50 * 0.01 / 2, 1e-12);
  *energy = most;
  double x = joint_at(world, id).value[0];
  stc_world_free(&world);
  return x;
}

static void test_spring_is_of_second_order_and_keeps_its_energy(void **state) {
  // x = 0.1 exp(-d t) cos(w t) + ..., w0 = 5 rad/s
  const double damping[] = {0, 3};
  for (int n = 0; n < 2; n++) {
    double d = damping[n] / 4, w = sqrt(25 - d * d), energy;
    double exact = 0.1 * exp(-d) * (cos(w) + d / w * sin(w)), error[2];
    for (int k = 0; k < 2; k++) {
      error[k] = fabs(oscillator(0.02 / (1 << k), damping[n], &energy) - exact);
      assert_true(energy < 1e-12);
    }
    if (!(error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4))
      print_error("errors %g %g\n", error[0], error[1]);
    assert_true(error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4);
  }
}

static void test_stiff_spring_carries_a_weight(void **state) {
  // 1e9 N/m, 1 kg, h = 1/60 s: the exact motion stays within 2 m g / k of the start, and so does
  // this one, without energy from nowhere; with a damper it comes to rest at m g / k
  for (int n = 0; n < 2; n++) {
    stc_world *world = world_of(false, 1.0 / 60, G);
    int body = add_mass(world, 1, 0, 0, 0);
    stc_joint joint = joint_to_world(world, STC_JOINT_PRISMATIC, body, 2);
    joint.coordinate[0].stiffness = 1e9;
    joint.coordinate[0].damping = n ? 1e6 : 0;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    double most = 0;
    for (int k = 0; k < 600; k++) {
      yard_step(world);
      most = fmax(most, fabs(joint_at(world, id).value[0]));
    }
    assert_true(most <= 2 * G / 1e9 * (1 + 1e-6));
    assert_true(fabs(stc_world_ledger(world)->error) < 1e-9);
    if (n) expect_near(joint_at(world, id).value[0], -G / 1e9, 1e-12);
    if (n) expect_near(joint_at(world, id).spring[0], G, 1e-6);
    stc_world_free(&world);
  }
}

/// Place of a mass on a spring of 200 N/m and 1 m that swings from the horizontal, after 1 s.
static void spring_pendulum(double h, double x[3], double *off) {
  stc_world *world = world_of(false, h, G);
  int body = add_mass(world, 1, 1, 0, 0);
  stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_DISTANCE}, body, -1);
  joint.anchor[0] = 1;
  joint.coordinate[0].stiffness = 200, joint.coordinate[0].rest = 1;
  add(world, &joint);
  yard_start(world);
  *off = 0;
  for (long k = lround(1 / h); k > 0; k--) {
    yard_step(world);
    *off = fmax(*off, fabs(stc_world_ledger(world)->error));
  }
  memcpy(x, yard_body_at(world, body).centre, 3 * sizeof *x);
  stc_world_free(&world);
}

static void test_spring_pendulum(void **state) {
  // Richardson: the differences of three steps fall to a quarter, so does what the energy misses
  double x[3][3], off[3];
  for (int k = 0; k < 3; k++) spring_pendulum(2e-3 / (1 << k), x[k], &off[k]);
  double ratio = stc_distance3(x[0], x[1]) / stc_distance3(x[1], x[2]);
  assert_true(ratio > 3.6 && ratio < 4.4);
  assert_true(off[0] / off[1] > 3.3 && off[0] < 1e-3);
}

static void test_stiff_spring_swings(void **state) {
  // 1e9 N/m, 1 kg, 1 m, let go at the horizontal, h = 1/60 s: a pendulum, whose energy of 9.81 J
  // stays within 2 % and whose length within 2e-5 m for 20 s
  stc_world *world = world_of(false, 1.0 / 60, G);
  int body = add_mass(world, 1, 1, 0, 0);
  stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_DISTANCE}, body, -1);
  joint.anchor[0] = 1;
  joint.coordinate[0].stiffness = 1e9, joint.coordinate[0].rest = 1;
  stc_joint_id id = add(world, &joint);
  yard_start(world);
  for (int k = 0; k < 1200; k++) {
    yard_step(world);
    assert_true(fabs(yard_energy(world)) < 0.02 * G);
    assert_true(fabs(joint_at(world, id).value[0] - 1) < 2e-5);
  }
  stc_world_free(&world);
}

// --- Dry friction ---

static void test_hinge_with_dry_friction_stops(void **state) {
  // J = 2 kg m^2, M = 0.5 N m: omega falls by 0.25 rad/s^2, from 1 rad/s to 0 in 4 s after 2 rad;
  // in space between the world and a body, in the plane between two free bodies, whose relative
  // rate falls by M (1/J + 1/J)
  for (int plane = 0; plane < 2; plane++) {
    stc_world *world = world_of(plane, 0.01, 0);
    int body = add_mass(world, 2, 0, 0, 0), other = plane ? add_mass(world, 2, 0, 0, 0) : -1;
    const double rate[3] = {0, 0, 1};
    stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_HINGE}, body, other);
    joint.axis[2] = 1;
    joint.coordinate[0].friction = 0.5;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    assert_int_equal(stc_world_move_body(world, stc_world_body_at(world, body), NULL, NULL, rate),
                     STC_OK);
    double until = plane ? 2 : 4;
    for (long k = lround(until / 0.01) - 1; k > 0; k--) yard_step(world);
    stc_joint_state before = joint_at(world, id);
    expect_near(before.rate[0], 0.01 / until, 1e-6);
    expect_near(before.friction[0], -0.5, 1e-6);
    for (int k = 0; k < 20; k++) yard_step(world);
    stc_joint_state at = joint_at(world, id);
    expect_near(at.value[0], until / 2, 1e-4);
    if (!plane) assert_true(at.rate[0] == 0);
    expect_near(at.rate[0], 0, 1e-15);
    expect_near(stc_world_ledger(world)->friction, plane ? -0.5 : -1, 1e-4);
    assert_true(fabs(stc_world_ledger(world)->error) < 1e-12);
    stc_world_free(&world);
  }
}

static void test_friction_holds_exactly(void **state) {
  // 1 kg on a vertical slider: friction of 10 N holds the weight of 9.81 N and not a bit moves; 9 N
  // let it fall with 0.81 m/s^2
  for (int n = 0; n < 2; n++) {
    stc_world *world = world_of(false, 0.01, G);
    int body = add_mass(world, 1, 0, 0, 0);
    stc_joint joint = joint_to_world(world, STC_JOINT_PRISMATIC, body, 2);
    joint.coordinate[0].friction = n ? 9 : 10;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    yard_run(world, 100);
    stc_joint_state at = joint_at(world, id);
    if (n == 0) assert_true(at.value[0] == 0 && at.rate[0] == 0);
    if (n == 1) expect_near(at.rate[0], -0.81, 1e-6);
    if (n == 0) expect_near(at.friction[0], G, 1e-9);
    stc_world_free(&world);
  }
}

static void test_friction_of_the_reaction(void **state) {
  // a slider along x carries the weight of 2 kg: 0.1 of it slows the mass by 0.981 m/s^2
  stc_world *world = world_of(false, 0.001, G);
  int body = add_mass(world, 2, 0, 0, 0);
  const double v[3] = {1, 0, 0};
  stc_joint joint = joint_to_world(world, STC_JOINT_PRISMATIC, body, 0);
  joint.coordinate[0].friction_ratio = 0.1;
  stc_joint_id id = add(world, &joint);
  yard_start(world);
  assert_int_equal(stc_world_move_body(world, stc_world_body_at(world, body), NULL, v, NULL),
                   STC_OK);
  yard_run(world, 500);
  stc_joint_state at = joint_at(world, id);
  expect_near(at.force[2], 2 * G, 1e-9);
  expect_near(at.rate[0], 1 - 0.981 * 0.499, 1e-6);  // the first step knew no reaction
  stc_world_free(&world);
}

// --- Motors and limits ---

static void test_motor_against_a_limit(void **state) {
  // 10 N drive 2 kg towards 3 m/s: 5 m/s^2; at the limit of 2 m the motor presses with 10 N, and
  // the place is never beyond it
  for (int e = 0; e < 2; e++) {
    stc_world *world = world_of(true, 0.01, 0);
    int body = add_mass(world, 2, 0, 0, 0);
    stc_joint joint = joint_to_world(world, STC_JOINT_PRISMATIC, body, 0);
    stc_joint_coordinate *c = &joint.coordinate[0];
    c->motor = STC_MOTOR_VELOCITY, c->target = 3, c->motor_force = 10;
    c->greatest = 2, c->restitution = e ? 0.5 : 0;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    yard_run(world, 40);
    expect_near(joint_at(world, id).rate[0], 2, 1e-9);
    double most = 0, back = 0;
    for (int k = 0; k < 400; k++) {
      yard_step(world);
      most = fmax(most, joint_at(world, id).value[0]);
      back = fmin(back, joint_at(world, id).rate[0]);
    }
    stc_joint_state at = joint_at(world, id);
    assert_true(most <= 2 + 1e-8 && most > 2 - 1e-3);
    if (e == 0) assert_true(back > -1e-9);
    if (e == 1) expect_near(back, -1.5, 0.06);
    expect_near(at.limit[0], -10, 1e-6);
    expect_near(at.motor[0], 10, 1e-6);
    assert_true(fabs(stc_world_ledger(world)->error) < 1e-10);
    stc_world_free(&world);
  }
}

static void test_double_pendulum_within_limits(void **state) {
  // two links that swing from the horizontal, the second one between -0.5 and 0.7 rad: it never
  // leaves them by more than 1e-8, and nothing is gained
  stc_world *world = world_of(false, 1.0 / 60, G);
  int a = add_mass(world, 1, 0.5, 0, 0), b = add_mass(world, 1, 1.5, 0, 0);
  stc_joint joint =
      yard_joint(world, (stc_joint){.kind = STC_JOINT_HINGE, .axis = {0, 1, 0}}, a, -1);
  add(world, &joint);
  joint = yard_joint(
      world, (stc_joint){.kind = STC_JOINT_HINGE, .axis = {0, 1, 0}, .anchor = {1, 0, 0}}, b, a);
  joint.coordinate[0].least = -0.5, joint.coordinate[0].greatest = 0.7;
  stc_joint_id id = add(world, &joint);
  yard_start(world);
  double low = 0, high = 0, top = yard_energy(world);
  for (int k = 0; k < 1200; k++) {
    yard_step(world);
    low = fmin(low, joint_at(world, id).value[0]);
    high = fmax(high, joint_at(world, id).value[0]);
    assert_true(yard_energy(world) <= top + 1e-2);
  }
  assert_true(low >= -0.5 - 1e-8 && high <= 0.7 + 1e-8);
  assert_true(low < -0.49 || high > 0.69);
  stc_world_free(&world);
}

static void test_position_motor_holds_an_arm(void **state) {
  // an arm of 1 kg at 0.5 m from a hinge, 20 N m/rad and 10 N m s/rad towards 0.3 rad: it comes to
  // rest where 20 (0.3 - x) = m g 0.5 cos x; with at most 2 N m it falls
  for (int weak = 0; weak < 2; weak++) {
    stc_world *world = world_of(false, 0.01, G);
    int body = add_mass(world, 1, 0.5, 0, 0);
    stc_joint joint =
        yard_joint(world, (stc_joint){.kind = STC_JOINT_HINGE, .axis = {0, -1, 0}}, body, -1);
    stc_joint_coordinate *c = &joint.coordinate[0];
    c->motor = STC_MOTOR_POSITION, c->target = 0.3;
    c->motor_stiffness = 20, c->motor_damping = 10, c->motor_force = weak ? 2 : 50;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    yard_run(world, 2000);
    stc_joint_state at = joint_at(world, id);
    double x = at.value[0];
    if (!weak) expect_near(20 * (0.3 - x), G * 0.5 * cos(x), 1e-6);
    if (!weak) expect_near(at.motor[0], G * 0.5 * cos(x), 1e-6);
    if (weak) assert_true(fabs(at.motor[0]) <= 2 + 1e-9 && x < -0.5);
    stc_world_free(&world);
  }
}

// A crank of r = 0.2 m that a motor without bound turns at w = 3 rad/s drives a slider by a rod of
// l = 0.5 m: x = r cos a + sqrt(l^2 - r^2 sin^2 a), a = w t, to the second order of h.
static double slider_crank(double h) {
  stc_world *world = world_of(true, h, G);
  int crank = add_mass(world, 1, 0.1, 0, 0), slider = add_mass(world, 1, 0.7, 0, 0);
  stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_HINGE}, crank, -1);
  joint.coordinate[0].motor = STC_MOTOR_VELOCITY, joint.coordinate[0].target = 3;
  add(world, &joint);
  joint = joint_to_world(world, STC_JOINT_PRISMATIC, slider, 0);
  add(world, &joint);
  joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_DISTANCE}, crank, slider);
  joint.anchor[0] = 0.2, joint.anchor2[0] = 0.7;
  add(world, &joint);
  yard_start(world);
  const double v[3] = {0, 0.3, 0}, rate[3] = {0, 0, 3};
  assert_int_equal(stc_world_move_body(world, stc_world_body_at(world, crank), NULL, v, rate),
                   STC_OK);
  yard_run(world, lround(1 / h));
  double x = yard_body_at(world, slider).centre[0];
  stc_world_free(&world);
  return x;
}

static void test_slider_crank(void **state) {
  double exact = 0.2 * cos(3) + sqrt(0.25 - 0.04 * sin(3) * sin(3)), error[2];
  for (int k = 0; k < 2; k++) error[k] = fabs(slider_crank(0.01 / (1 << k)) - exact);
  if (!(error[0] < 1e-3 && error[1] < error[0] / 3)) print_error("%g %g\n", error[0], error[1]);
  assert_true(error[0] < 1e-3 && error[1] < error[0] / 3);
}

// --- Wheels ---

static void test_motor_keeps_its_rate(void **state) {
  // a wheel that a motor of any strength turns at 100 rad/s, h = 1/60 s: Cayley's map rotates it by
  // 4 atan(h 100 / 4) per step, which is no change of its rate, so that the motor has nothing to do
  for (int plane = 0; plane < 2; plane++) {
    stc_world *world = world_of(plane, 1.0 / 60, 0);
    int wheel = add_mass(world, 2, 0, 0, 0);
    stc_joint joint = joint_to_world(world, STC_JOINT_HINGE, wheel, 2);
    joint.coordinate[0].motor = STC_MOTOR_VELOCITY, joint.coordinate[0].target = 100;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    yard_run(world, 50);
    double before = joint_at(world, id).value[0];
    yard_run(world, 50);
    expect_near(joint_at(world, id).rate[0], 100, 1e-10);
    expect_near(joint_at(world, id).motor[0], 0, 1e-7);
    expect_near(joint_at(world, id).value[0] - before, 50 * 4 * atan(100.0 / 240), 1e-8);
    stc_world_free(&world);
  }
}

static void test_planar_joint_in_the_plane(void **state) {
  // the first shift is along axis2: a mass of 2 kg at 1 m/s along it is braked by 3 N, to 0.85 m/s
  // after 0.1 s; across it keeps its velocity
  for (int k = 0; k < 2; k++) {
    stc_world *world = world_of(true, 1e-3, 0);
    int body = add_mass(world, 2, 0, 0, 0);
    const double velocity[3] = {0.6, 0.8, 0}, along = k == 0 ? 0.85 : 0;
    stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_PLANAR}, body, -1);
    joint.axis2[0] = k == 0 ? 0.6 : -0.8, joint.axis2[1] = k == 0 ? 0.8 : 0.6;
    joint.coordinate[0].friction = 3;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    expect_ok(stc_world_move_body(world, stc_world_body_at(world, body), NULL, velocity, NULL));
    yard_run(world, 100);
    expect_near(joint_at(world, id).rate[0], along, 1e-9);
    expect_near(joint_at(world, id).rate[1], k == 0 ? 0 : -1, 1e-9);
    stc_world_free(&world);
  }
}

// --- Gears ---

static void test_gear_train(void **state) {
  // three wheels on bearings, J = 1, 2, 4, the second turning twice as fast as the first, backwards
  // (w1 + w2 / 2 = 0), the third half as fast as the second: a moment of 3 N m on the first gives
  // 3 / (1 + 2 * 4 + 4 * 1) rad/s^2
  stc_world *world = world_of(false, 0.01, 0);
  int wheel[3];
  const double J[] = {1, 2, 4}, ratio[] = {0.5, 2};
  for (int k = 0; k < 3; k++) {
    wheel[k] = add_mass(world, J[k], k, 0, 0);
    stc_joint joint = joint_to_world(world, STC_JOINT_HINGE, wheel[k], 2);
    if (k == 0) joint.coordinate[0].motor = STC_MOTOR_VELOCITY, joint.coordinate[0].target = 1e6;
    if (k == 0) joint.coordinate[0].motor_force = 3;
    add(world, &joint);
  }
  for (int k = 0; k < 2; k++) {
    stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_GEAR, .axis = {0, 0, 1}},
                                 wheel[k], wheel[k + 1]);
    joint.ratio = ratio[k];
    add(world, &joint);
  }
  yard_start(world);
  for (int k = 0; k < 1000; k++) assert_true(yard_step(world).joint_gap < 1e-11);
  double rate = 3.0 / 13 * 10;
  expect_near(yard_body_at(world, wheel[0]).omega[2], rate, 1e-8);
  expect_near(yard_body_at(world, wheel[1]).omega[2], -2 * rate, 1e-8);
  expect_near(yard_body_at(world, wheel[2]).omega[2], rate, 1e-8);
  assert_true(fabs(stc_world_ledger(world)->error) < 1e-8);
  stc_world_free(&world);
}

// --- Breaking ---

static void test_joint_breaks_at_its_load(void **state) {
  // a pendulum of 1 kg let go at the horizontal carries 3 m g at the bottom: a bound of 2 m g ends
  // it where 3 sin a = 2; one of 3.1 m g never
  for (int strong = 0; strong < 2; strong++) {
    stc_world *world = world_of(false, 1e-3, G);
    int body = add_mass(world, 1, 1, 0, 0);
    stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_DISTANCE}, body, -1);
    joint.anchor[0] = 1;
    joint.break_force = (strong ? 3.1 : 2) * G;
    stc_joint_id id = add(world, &joint);
    yard_start(world);
    double most = 0, down = 0;
    for (int k = 0; k < 1000 && !joint_at(world, id).broken; k++) {
      yard_step(world);
      most = fmax(most, stc_norm3(joint_at(world, id).force));
      down = -yard_body_at(world, body).centre[2];
    }
    assert_true(joint_at(world, id).broken != strong);
    if (strong) expect_near(most, 3 * G, 1e-3);
    if (!strong) expect_near(down, 2.0 / 3, 5e-3);
    yard_run(world, 10);
    stc_world_free(&world);
  }
}

// --- What is refused ---

static void expect_joint_refused(stc_world *world, const stc_joint *joint, const char *words) {
  assert_int_not_equal(stc_world_add_joint(world, joint, NULL), STC_OK);
  if (!strstr(stc_error_detail(), words)) print_error("%s\n", stc_error_detail());
  assert_non_null(strstr(stc_error_detail(), words));
}

static void test_what_cannot_act(void **state) {
  (void)state;
  stc_world *world = world_of(false, 0.01, G);
  int body = add_mass(world, 1, 0, 0, 0);
  const stc_joint slider = joint_to_world(world, STC_JOINT_PRISMATIC, body, 0);
  stc_joint joint = slider;
  joint.coordinate[0].least = 1, joint.coordinate[0].greatest = 0.5;
  expect_joint_refused(world, &joint, "the first must be less");
  joint.coordinate[0].greatest = 2;
  expect_joint_refused(world, &joint, "outside its limits");
  joint = slider, joint.coordinate[0].stiffness = -1;
  expect_joint_refused(world, &joint, "stiffness = -1");
  joint = slider, joint.coordinate[0].friction = NAN;
  expect_joint_refused(world, &joint, "friction = ");
  joint = slider, joint.coordinate[0].motor = STC_MOTOR_POSITION;
  expect_joint_refused(world, &joint, "needs a motor_stiffness");
  joint = slider, joint.break_force = 0;
  expect_joint_refused(world, &joint, "breaks at 0 N");
  joint = slider, joint.kind = STC_JOINT_GEAR;
  expect_joint_refused(world, &joint, "between two bodies");
  joint = slider, joint.kind = STC_JOINT_DISTANCE;
  expect_joint_refused(world, &joint, "the same point");
  joint = slider, joint.kind = STC_JOINT_UNIVERSAL, joint.axis2[0] = 1;
  expect_joint_refused(world, &joint, "right angle");
  stc_world_free(&world);
  world = world_of(true, 0.01, G);
  body = add_mass(world, 1, 0, 0, 0);
  joint = joint_to_world(world, STC_JOINT_PLANAR, body, 0);
  expect_joint_refused(world, &joint, "holds nothing");
  stc_world_free(&world);
}

// --- What is kept ---

/// Two links with all that acts, on a floor.
static stc_world *acting_arm(void) {
  stc_world *world = world_of(false, 0.01, G);
  int a = add_mass(world, 1, 0.5, 0, 1), b = add_mass(world, 1, 1.5, 0, 1);
  yard_floor(world, 0);
  stc_joint joint =
      yard_joint(world, (stc_joint){.kind = STC_JOINT_HINGE, .axis = {0, -1, 0}}, a, -1);
  joint.anchor[2] = 1;
  joint.coordinate[0].motor = STC_MOTOR_VELOCITY, joint.coordinate[0].target = 1;
  joint.coordinate[0].motor_force = 3, joint.coordinate[0].greatest = 2;
  add(world, &joint);
  joint = yard_joint(
      world, (stc_joint){.kind = STC_JOINT_UNIVERSAL, .axis = {0, 1, 0}, .anchor = {1, 0, 1}}, b,
      a);
  joint.coordinate[0].friction_ratio = 0.1, joint.coordinate[1].stiffness = 20;
  joint.coordinate[1].damping = 0.1, joint.coordinate[0].least = -0.3;
  joint.break_force = 1e4;
  add(world, &joint);
  return world;
}

static void test_saved_states_and_snapshots_give_the_same_bits(void **state) {
  (void)state;
  stc_world *world = acting_arm(), *branch = NULL;
  stc_world_snapshot *snapshot = NULL;
  double places[4][3 * STC_PLACE_NUMBERS];
  yard_start(world);
  yard_run(world, 40);
  size_t size = stc_world_state_size(world);
  double *kept = malloc(size * sizeof *kept);
  stc_world_save(world, kept);
  assert_int_equal(stc_world_snapshot_take(world, &snapshot), STC_OK);
  assert_int_equal(stc_world_snapshot_branch(snapshot, &branch), STC_OK);
  yard_run(world, 60);
  stc_world_places(world, places[0]);
  yard_run(branch, 60);
  stc_world_places(branch, places[1]);
  assert_int_equal(stc_world_restore(world, kept, size), STC_OK);
  yard_run(world, 60);
  stc_world_places(world, places[2]);
  for (int k = 1; k < 3; k++) assert_memory_equal(places[0], places[k], sizeof places[0]);
  stc_joint_coordinate c;
  stc_joint_id id = stc_world_joint_at(world, 0);
  assert_int_equal(stc_world_joint_coordinate(world, id, 0, &c), STC_OK);
  c.greatest = -1;
  assert_int_equal(stc_world_set_joint_coordinate(world, id, 0, &c), STC_ERR_VALUE);
  c.greatest = 2, c.target = -1;
  assert_int_equal(stc_world_set_joint_coordinate(world, id, 0, &c), STC_OK);
  yard_run(world, 60);
  stc_world_places(world, places[3]);
  assert_memory_not_equal(places[0], places[3], sizeof places[0]);
  free(kept);
  stc_world_snapshot_free(&snapshot);
  stc_world_free(&branch);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spring_is_of_second_order_and_keeps_its_energy),
      cmocka_unit_test(test_stiff_spring_carries_a_weight),
      cmocka_unit_test(test_spring_pendulum),
      cmocka_unit_test(test_stiff_spring_swings),
      cmocka_unit_test(test_slider_crank),
      cmocka_unit_test(test_hinge_with_dry_friction_stops),
      cmocka_unit_test(test_friction_holds_exactly),
      cmocka_unit_test(test_friction_of_the_reaction),
      cmocka_unit_test(test_motor_against_a_limit),
      cmocka_unit_test(test_double_pendulum_within_limits),
      cmocka_unit_test(test_position_motor_holds_an_arm),
      cmocka_unit_test(test_gear_train),
      cmocka_unit_test(test_motor_keeps_its_rate),
      cmocka_unit_test(test_planar_joint_in_the_plane),
      cmocka_unit_test(test_joint_breaks_at_its_load),
      cmocka_unit_test(test_what_cannot_act),
      cmocka_unit_test(test_saved_states_and_snapshots_give_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
