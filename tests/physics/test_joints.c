// Joints with answers in closed form: what they keep (places, energy, momentum, rest), how fast the
// error of a step vanishes, and what they refuse.
#include "yard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

static void join(stc_world *world, stc_joint_kind kind, int a, int b, double x, double y,
                 double z) {
  stc_joint joint =
      yard_joint(world, (stc_joint){.kind = kind, .anchor = {x, y, z}, .axis = {0, 1, 0}}, a, b);
  if (stc_world_given(world)->plane) joint.axis[0] = 0, joint.axis[1] = 0, joint.axis[2] = 1;
  stc_error error = stc_world_add_joint(world, &joint, NULL);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
}

static void expect_nothing_booked(const stc_world *world) {
  const stc_ledger *l = stc_world_ledger(world);
  assert_true(l->friction == 0 && l->shock == 0 && l->correction == 0 && l->drive == 0);
}

// --- Chains and pendulums ---

/// n rods of the length 0.4 from (0, 0, 10) along x, hung by ball joints.
static stc_world *chain_within(double joint_tol, int n, double h, bool floor) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  settings.joint_tol = joint_tol;
  stc_world *world = yard_create(&settings);
  stc_part rod = {.shape = {.kind = STC_SHAPE_CAPSULE, .radius = 0.04, .half = {0, 0, 0.1}},
                  .pose = {{0, 0, 0}, {sqrt(0.5), 0, sqrt(0.5), 0}},
                  .density = 1000};
  if (floor) yard_floor(world, 0);
  for (int k = 0; k < n; k++) {
    stc_rigid_body body = yard_body(&rod, 0.25 + 0.4 * k, 0, floor ? 0.5 : 10);
    int number = yard_add(world, &body);
    if (k > 0 || !floor)
      join(world, STC_JOINT_BALL, number, k > 0 ? number - 1 : -1, 0.05 + 0.4 * k, 0,
           floor ? 0.5 : 10);
  }
  yard_start(world);
  return world;
}

static stc_world *chain_of_balls(int n, double h, bool floor) {
  return chain_within(stc_default_world_settings().joint_tol, n, h, floor);
}

static void test_chain_keeps_its_joints(void **state) {
  // 20 rods fall from the horizontal and whip about, where a step of 1/60 s turns links by a
  // radian: every joint is kept to 1e-8 of its length; the energy of the joints stays, so that what
  // the links lose is friction and shocks among themselves
  stc_world *world = chain_of_balls(20, 1.0 / 60, false);
  const char *trials = getenv("STICTION_TRIALS");
  double start = yard_energy(world), gap = 0, error = 0;
  for (int k = 0; k < (trials ? 3600 : 240); k++) {
    stc_world_report report = yard_step(world);
    gap = fmax(gap, report.joint_gap);
    error = fmax(error, fabs(stc_world_ledger(world)->error));
  }
  printf("  chain: gap %.1e m, error %.1e of %.4g J\n", gap, error, start);
  assert_true(gap <= 1e-8 * 0.4 && gap > 0);
  assert_true(error <= 0.02 * start);
  stc_world_free(&world);
}

static void test_chain_lands(void **state) {
  // eight rods fall on the floor and come to rest lying on it: the sum of all losses is the energy
  // they had
  stc_world *world = chain_of_balls(8, 2e-3, true);
  double start = yard_energy(world), gap = 0;
  for (int k = 0; k < 1500; k++) gap = fmax(gap, yard_step(world).joint_gap);
  const stc_ledger *l = stc_world_ledger(world);
  double low = 0;
  for (int k = 1; k <= 8; k++) low += yard_body_at(world, k).mass * G * 0.04;
  printf("  landing: %.6g J to %.6g J (%.6g lying), gap %.1e m, error %.1e J\n", start,
         yard_energy(world), low, gap, l->error);
  assert_true(gap <= 1e-12);
  expect_near(yard_energy(world), low, 1e-3 * start);
  expect_near(l->kinetic, 0, 1e-12 * start);
  assert_true(l->shock < 0 && l->friction <= 1e-12 * start);
  expect_near(l->error, 0, 1e-3 * start);
  stc_world_free(&world);
}

/// n rods of the length 0.4, free, in a line that rises at `tilt` from (0, 0, height) and turns.
static stc_world *tumbling_chain(int n, double tilt, double height) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 1e-2, settings.exact = true;
  stc_world *world = yard_create(&settings);
  double half = acos(-1) / 4 - tilt / 2, c = cos(tilt), s = sin(tilt), omega = 1;
  stc_part rod = {.shape = {.kind = STC_SHAPE_CAPSULE, .radius = 0.04, .half = {0, 0, 0.1}},
                  .pose = {{0, 0, 0}, {cos(half), 0, sin(half), 0}},
                  .density = 1000};
  yard_floor(world, 0);
  for (int k = 0; k < n; k++) {
    double at = 0.4 * k + 0.2, joint = 0.4 * k;
    stc_rigid_body body = yard_body(&rod, c * at, 0.01 * at, height + s * at);
    body.omega[1] = omega;
    body.velocity[0] = 1 + omega * s * at, body.velocity[2] = -omega * c * at;
    int number = yard_add(world, &body);
    if (k > 0)
      join(world, STC_JOINT_BALL, number, number - 1, c * joint, 0.01 * joint, height + s * joint);
  }
  yard_start(world);
  return world;
}

static void test_chain_tumbles(void **state) {
  // 16 rods that fall on their end and fold: an impact goes along the joints from contact to
  // contact, and every step has a solution, for some velocity opens all contacts
  stc_world *world = tumbling_chain(16, 1.0, 6);
  double eta = 0;
  for (int k = 0; k < 300; k++) eta = fmax(eta, yard_step(world).eta);
  printf("  tumbling: largest eta %.1e\n", eta);
  assert_true(eta <= stc_world_given(world)->tol);
  stc_world_free(&world);
}

/// Two rods of 1 m in the plane, let go at the horizontal.
static stc_world *double_pendulum(double h) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  settings.plane = true;
  settings.gravity[1] = -G, settings.gravity[2] = 0;
  stc_world *world = yard_create(&settings);
  stc_part rod = yard_box(0.5, 0.025, 0.5);
  for (int k = 0; k < 2; k++) {
    stc_rigid_body body = yard_body(&rod, k + 0.5, 0, 0);
    join(world, STC_JOINT_HINGE, yard_add(world, &body), k - 1, k, 0, 0);
  }
  yard_start(world);
  return world;
}

/// Largest |E - E_0| over `time`, in units of the energy it can lose; the end in x [4].
static double swing(double h, double time, double x[4]) {
  stc_world *world = double_pendulum(h);
  double mass = yard_body_at(world, 0).mass, unit = 2 * mass * G, most = 0;
  for (long k = lround(time / h); k > 0; k--) {
    yard_step(world);
    most = fmax(most, fabs(yard_energy(world)) / unit);
  }
  expect_nothing_booked(world);
  for (int k = 0; k < 4; k++) x[k] = yard_body_at(world, k / 2).centre[k % 2];
  stc_world_free(&world);
  return most;
}

static void test_double_pendulum(void **state) {
  // no drift in 60 s, and twice the steps make a quarter of the error while it is not chaotic
  double x[4][4], error[3] = {0}, energy[3], long_run = swing(1.0 / 60, 60, x[0]);
  printf("  double pendulum: energy within %.2e for 60 s\n", long_run);
  assert_true(long_run <= 0.01);
  for (int k = 0; k < 4; k++) {
    double most = swing(1.0 / (100 << k), 1, x[k]);
    if (k < 3) energy[k] = most;
  }
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4; i++) error[k] = hypot(error[k], x[k][i] - x[k + 1][i]);
  printf("  order: places %.2f %.2f, energy %.2f %.2f\n", log2(error[0] / error[1]),
         log2(error[1] / error[2]), log2(energy[0] / energy[1]), log2(energy[1] / energy[2]));
  expect_near(log2(error[1] / error[2]), 2, 0.1);
  expect_near(log2(energy[1] / energy[2]), 2, 0.1);
}

static void test_steps_are_reversible(void **state) {
  // 100 steps, all velocities turned back, 100 steps: everybody is where it began
  stc_world *world = double_pendulum(1.0 / 60);
  double begin[2][3], places[2 * STC_PLACE_NUMBERS];
  for (int b = 0; b < 2; b++) memcpy(begin[b], yard_body_at(world, b).centre, sizeof begin[b]);
  yard_run(world, 100);
  stc_world_places(world, places);
  for (int b = 0; b < 2; b++)
    for (int k = 7; k < STC_PLACE_NUMBERS; k++) places[b * STC_PLACE_NUMBERS + k] *= -1;
  assert_int_equal(stc_world_set_places(world, 100, places), STC_OK);
  yard_run(world, 100);
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 3; i++) expect_near(yard_body_at(world, b).centre[i], begin[b][i], 1e-9);
  stc_world_free(&world);
}

// --- Momentum ---

static void momentum(const stc_world *world, double p[3], double L[3]) {
  memset(p, 0, 3 * sizeof *p);
  memset(L, 0, 3 * sizeof *L);
  for (int b = 0; b < stc_world_bodies(world); b++) {
    stc_body_state s = yard_body_at(world, b);
    const double *x = s.centre, *v = s.velocity;
    double moment[3] = {x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2],
                        x[0] * v[1] - x[1] * v[0]};
    for (int i = 0; i < 3; i++) {
      p[i] += s.mass * v[i];
      L[i] += s.mass * moment[i] + s.spin[i];
    }
  }
}

static void test_free_mechanism_keeps_momentum(void **state) {
  // three boxes on a ball and a hinge tumble without gravity: energy, momentum and angular momentum
  // are those of the beginning to rounding, whatever the step
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 0.02;
  settings.gravity[2] = 0;
  stc_world *world = yard_create(&settings);
  stc_part part = yard_box(0.2, 0.05, 0.1);
  for (int k = 0; k < 3; k++) {
    stc_rigid_body body = yard_body(&part, 0.5 * k, 0, 0);
    body.omega[k] = 3, body.omega[1] += 2, body.velocity[k] = 1;
    int number = yard_add(world, &body);
    if (k > 0)
      join(world, k == 1 ? STC_JOINT_BALL : STC_JOINT_HINGE, number, number - 1, 0.5 * k - 0.25, 0,
           0);
  }
  yard_start(world);
  yard_step(world);  // stops the velocities that the joints do not allow
  double p[2][3], L[2][3], energy = yard_energy(world), shock = stc_world_ledger(world)->shock;
  assert_true(shock < 0);
  momentum(world, p[0], L[0]);
  yard_run(world, 500);
  momentum(world, p[1], L[1]);
  for (int i = 0; i < 3; i++) {
    expect_near(p[1][i], p[0][i], 1e-11 * 8);
    expect_near(L[1][i], L[0][i], 1e-11 * 8);
  }
  expect_near(yard_energy(world), energy, 1e-11 * energy);
  expect_near(stc_world_ledger(world)->shock, shock, 0);
  stc_world_free(&world);
}

// --- Loops ---

/// A parallelogram of two cranks of the length 1 and a bar of 2 m that hinges join, 20 equations
/// for 18 degrees of freedom: at the angle a from the vertical.
static stc_world *four_bar(double h, double a) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  stc_world *world = yard_create(&settings);
  stc_part crank = yard_box(0.02, 0.02, 0.5), bar = yard_box(1, 0.02, 0.02);
  double s = sin(a), c = cos(a);
  int number[3];
  for (int k = 0; k < 3; k++) {
    stc_rigid_body body =
        k < 2 ? yard_body(&crank, 2 * k + s / 2, 0, -c / 2) : yard_body(&bar, 1 + s, 0, -c);
    if (k < 2) body.pose.rotation[0] = cos(a / 2), body.pose.rotation[2] = -sin(a / 2);
    number[k] = yard_add(world, &body);
  }
  for (int k = 0; k < 2; k++) {
    join(world, STC_JOINT_HINGE, number[k], -1, 2 * k, 0, 0);
    join(world, STC_JOINT_HINGE, number[2], number[k], 2 * k + s, 0, -c);
  }
  yard_start(world);
  return world;
}

/// A brick of 0.6 x 0.2 x 0.1 m on a hinge at `at` that turns about `axis`, without gravity.
static stc_world *brick_on_hinge(bool plane, bool first, const double axis[3], double rate,
                                 stc_joint_id *id) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 1.0 / 60, settings.plane = plane;
  memset(settings.gravity, 0, sizeof settings.gravity);
  stc_world *world = yard_create(&settings);
  stc_part part = {.shape = {.kind = STC_SHAPE_BOX, .half = {0.3, 0.1, 0.05}},
                   .pose = stc_pose_identity(),
                   .density = 1000};
  stc_rigid_body body = yard_body(&part, 0.3, 0, 0);
  for (int i = 0; i < 3; i++) body.omega[i] = rate * axis[i];
  body.velocity[1] = rate * axis[2] * 0.3, body.velocity[2] = -rate * axis[1] * 0.3;
  stc_body_id brick;
  stc_joint joint = stc_default_joint();
  assert_int_equal(stc_world_add_body(world, &body, &brick), STC_OK);
  joint.kind = STC_JOINT_HINGE, joint.body[first ? 0 : 1] = brick;
  memcpy(joint.axis, axis, sizeof joint.axis);
  assert_int_equal(stc_world_add_joint(world, &joint, id), STC_OK);
  yard_start(world);
  return world;
}

static void test_hinge_turns_evenly(void **state) {
  // without gravity a brick turns about a fixed axis a at omega = 4 rad/s for ever: each half step
  // by 2 atan(h omega / 4), its angle and the ledger to rounding. The hinge pulls its centre, which
  // is r off the axis, with m omega^2 r but for h omega, for it is the mean of a step; about an
  // axis that is not one of inertia it gives the torque d(J omega)/dt = omega x J omega, less the
  // moment of its force
  (void)state;
  const double oblique[3] = {0.36, 0.48, 0.8}, upright[3] = {0, 0, 1}, h = 1.0 / 60, rate = 4;
  for (int k = 0; k < 4; k++) {
    bool plane = k > 1, first = k % 2;
    const double *axis = plane ? upright : oblique;
    stc_joint_id id;
    stc_world *world = brick_on_hinge(plane, first, axis, rate, &id);
    double energy = yard_energy(world), sign = first ? 1 : -1;
    stc_joint_state joint;
    for (int n = 0; n < 600; n++) assert_true(yard_step(world).joint_gap <= 1e-14);
    stc_world_joint(world, id, &joint);
    stc_body_state body = yard_body_at(world, 0);
    expect_near(yard_energy(world), energy, 1e-12 * energy);
    expect_near(sign * joint.value[0], 600 * 4 * atan(h * rate / 4), 1e-10);
    expect_near(sign * joint.rate[0], rate, 1e-12);
    double off[3], along = 0, torque[3], spin[3], moment[3];
    for (int i = 0; i < 3; i++) along += body.centre[i] * axis[i];
    for (int i = 0; i < 3; i++) off[i] = body.centre[i] - along * axis[i];
    for (int i = 0; i < 3; i++)
      expect_near(sign * joint.force[i], -body.mass * rate * rate * off[i],
                  h * rate * body.mass * rate * rate * 0.3);
    if (!plane) {
      const double J[3] = {body.mass * 0.05 / 12, body.mass * 0.37 / 12, body.mass * 0.4 / 12};
      double omega[3], local[3] = {J[0], J[1], J[2]}, pull[3];
      stc_pose turn = body.pose, back = body.pose;
      for (int i = 1; i < 4; i++) back.rotation[i] = -turn.rotation[i];
      for (int i = 0; i < 3; i++) omega[i] = rate * axis[i], pull[i] = sign * joint.force[i];
      stc_pose_direction(&back, omega, spin);
      for (int i = 0; i < 3; i++) spin[i] *= local[i];
      stc_pose_direction(&turn, spin, spin);
      for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        torque[i] = omega[j] * spin[l] - omega[l] * spin[j];
        moment[i] = -(body.centre[j] * pull[l] - body.centre[l] * pull[j]);
      }
      double size = body.mass * rate * rate * 0.09;
      for (int i = 0; i < 3; i++)
        expect_near(sign * joint.torque[i], torque[i] - moment[i], h * rate * size);
    }
    stc_world_free(&world);
  }
}

static void test_four_bar(void **state) {
  // the bar moves without turning: a pendulum of one degree of freedom,
  //   T = 2 pi sqrt((2 J + M) / (g (m + M))) (1 + a^2/16),   J = m/3 + m w^2/12 of a crank
  double a = 0.1, h = 1e-3, crossing[2], last = 1;
  stc_world *world = four_bar(h, a);
  double m = yard_body_at(world, 0).mass, M = yard_body_at(world, 2).mass;
  double J = m / 3 + m * 0.04 * 0.04 / 12, energy = yard_energy(world);
  for (int n = 0; n < 2;) {
    stc_world_report report = yard_step(world);
    stc_body_state s = yard_body_at(world, 2);
    double x = s.centre[0] - 1;
    if (x < 0 && last >= 0) crossing[n++] = stc_world_time(world) - h * x / (x - last);
    last = x;
    assert_true(report.joint_gap <= 1e-13);
    expect_near(s.pose.rotation[0], 1, 1e-14);
  }
  double period = 2 * acos(-1) * sqrt((2 * J + M) / (G * (m + M))) * (1 + a * a / 16);
  printf("  four-bar: period %.8f s, formula %.8f s\n", crossing[1] - crossing[0], period);
  expect_near(crossing[1] - crossing[0], period, 2e-6 * period);
  expect_near(yard_energy(world), energy, 1e-5 * M * G * a * a);
  expect_nothing_booked(world);
  stc_world_free(&world);
}

static void test_rest_keeps_its_bits(void **state) {
  // what hangs at rest, on one joint or on more than it needs, does not move by a bit
  for (int kind = 0; kind < 2; kind++) {
    stc_world *world = kind ? four_bar(0.01, 0) : double_pendulum(0.01);
    double places[2][3 * STC_PLACE_NUMBERS] = {0};
    int bodies = stc_world_bodies(world);
    if (kind == 0) {  // turned down
      stc_world_places(world, places[0]);
      for (int b = 0; b < 2; b++) {
        double *p = places[0] + b * STC_PLACE_NUMBERS;
        p[0] = 0, p[1] = -0.5 - b, p[3] = sqrt(0.5), p[6] = -sqrt(0.5);
      }
      assert_int_equal(stc_world_set_places(world, 0, places[0]), STC_OK);
      yard_run(world, 1);  // rounds the joints
    }
    stc_world_places(world, places[0]);
    yard_run(world, 500);
    stc_world_places(world, places[1]);
    for (int k = 0; k < bodies * STC_PLACE_NUMBERS; k++) assert_true(places[0][k] == places[1][k]);
    expect_near(stc_world_ledger(world)->error, 0, 1e-11);
    stc_world_free(&world);
  }
}

// --- Driven bodies ---

static bool turn_evenly(void *user, double t, double v[3], double omega[3]) {
  v[0] = v[1] = v[2] = omega[0] = omega[1] = 0;
  omega[2] = *(const double *)user;
  return true;
}

static void test_slider_crank(void **state) {
  // a crank of the length r turned at 10 rad/s, a rod of the length l and a slider on a rail: with
  // the crank at the angle a the slider is at r cos(a) + sqrt(l^2 - r^2 sin^2(a))
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 0.01;
  settings.plane = true;
  settings.gravity[2] = 0;
  stc_world *world = yard_create(&settings);
  double r = 0.3, l = 1, rate = 10;
  stc_part part = yard_box(0.05, 0.05, 0.05);
  stc_rigid_body crank = yard_body(&part, 0, 0, 0), rod = yard_body(&part, r + l / 2, 0, 0),
                 slider = yard_body(&part, r + l, 0, 0);
  crank.mobility = STC_MOBILITY_DRIVEN, crank.drive = turn_evenly, crank.user = &rate;
  rod.velocity[1] = rate * r / 2, rod.omega[2] = -rate * r / l;
  int a = yard_add(world, &crank), b = yard_add(world, &rod), c = yard_add(world, &slider);
  join(world, STC_JOINT_HINGE, b, a, r, 0, 0);
  join(world, STC_JOINT_HINGE, c, b, r + l, 0, 0);
  stc_joint rail =
      yard_joint(world, (stc_joint){.kind = STC_JOINT_PRISMATIC, .axis = {1, 0, 0}}, c, -1);
  assert_int_equal(stc_world_add_joint(world, &rail, NULL), STC_OK);
  yard_start(world);
  for (int k = 0; k < 300; k++) {
    yard_step(world);
    const double *q = yard_body_at(world, a).pose.rotation;
    double angle = 2 * atan2(q[3], q[0]), y = r * sin(angle);
    expect_near(yard_body_at(world, c).centre[0], r * cos(angle) + sqrt(l * l - y * y), 1e-12);
  }
  const stc_ledger *ledger = stc_world_ledger(world);
  expect_near(ledger->error, 0, 1e-9 * fabs(ledger->kinetic));
  assert_true(ledger->friction == 0);
  expect_near(ledger->shock, 0, 1e-3 * ledger->kinetic);  // the crank's rate is Cayley's
  stc_world_free(&world);
}

static bool pull(void *user, double t, double v[3], double omega[3]) {
  memset(v, 0, 3 * sizeof *v);
  memset(omega, 0, 3 * sizeof *omega);
  v[0] = 1;
  return true;
}

static void test_what_cannot_be_kept_is_refused(void **state) {
  // a rod of 1 m between the world and a body that is pulled away: when it is taut no step follows,
  // and the sentence names the joint
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 0.01;
  stc_world *world = yard_create(&settings);
  stc_part part = yard_box(0.1, 0.05, 0.05);
  stc_rigid_body rod = yard_body(&part, 0.3, 0, -0.4), tug = yard_body(&part, 0.6, 0, -0.8);
  rod.name = "rod", tug.name = "tug";
  tug.mobility = STC_MOBILITY_DRIVEN, tug.drive = pull;
  int a = yard_add(world, &rod), b = yard_add(world, &tug);
  join(world, STC_JOINT_BALL, a, -1, 0, 0, 0);
  join(world, STC_JOINT_BALL, a, b, 0.6, 0, -0.8);
  yard_start(world);
  stc_world_report report = {.accepted = true};
  for (int k = 0; k < 100 && report.accepted; k++)
    assert_int_equal(stc_world_step(world, &report), STC_OK);
  print_message("  %s\n", report.reason);
  assert_false(report.accepted);
  assert_non_null(strstr(report.reason, "'rod'"));
  assert_non_null(strstr(report.reason, "joint"));
  expect_near(yard_body_at(world, 1).centre[0], 0.6, 0.02);
  stc_world_free(&world);
}

static void test_the_bound_of_joints_is_kept(void **state) {
  // rounding leaves joints 10 m above the ground off by some 1e-15 m; the whipping chain reaches
  // more than 1e-13 of its links within seconds: such a step is not taken, and says by how much
  stc_world *world = chain_within(1e-13, 20, 1.0 / 60, false);
  stc_world_report report = {.accepted = true};
  long taken = 0;
  for (; taken < 600 && report.accepted; taken++)
    assert_int_equal(stc_world_step(world, &report), STC_OK);
  print_message("  %s\n", report.reason);
  assert_false(report.accepted);
  assert_non_null(strstr(report.reason, "more than 1.0e-13 of its reach"));
  assert_int_equal(stc_world_steps(world), taken - 1);
  stc_world_free(&world);
}

static void test_slider_that_carries_all(void **state) {
  // a box on a rail touches the floor, which carries nothing: it slides on at its speed, and after
  // it was stopped rests; nothing is measured by what rounding leaves of the weight
  for (int stopped = 0; stopped < 2; stopped++) {
    stc_world_settings settings = stc_default_world_settings();
    settings.h = 0.01;
    stc_world *world = yard_create(&settings);
    stc_part part = yard_box(0.1, 0.1, 0.1);
    yard_floor(world, 0);
    yard_surfaces(world, 0.3, 0.5);
    stc_rigid_body box = yard_body(&part, 0, 0, 0.1);
    box.velocity[0] = stopped ? 0 : 1;
    stc_joint rail = yard_joint(
        world, (stc_joint){.kind = STC_JOINT_PRISMATIC, .anchor = {0, 0, 0.1}, .axis = {1, 0, 0}},
        yard_add(world, &box), -1);
    assert_int_equal(stc_world_add_joint(world, &rail, NULL), STC_OK);
    yard_start(world);
    yard_run(world, 100);
    expect_near(yard_body_at(world, 1).centre[0], stopped ? 0 : 1, 1e-12);
    stc_world_free(&world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain_keeps_its_joints),
      cmocka_unit_test(test_chain_lands),
      cmocka_unit_test(test_chain_tumbles),
      cmocka_unit_test(test_double_pendulum),
      cmocka_unit_test(test_steps_are_reversible),
      cmocka_unit_test(test_free_mechanism_keeps_momentum),
      cmocka_unit_test(test_hinge_turns_evenly),
      cmocka_unit_test(test_four_bar),
      cmocka_unit_test(test_rest_keeps_its_bits),
      cmocka_unit_test(test_slider_crank),
      cmocka_unit_test(test_what_cannot_be_kept_is_refused),
      cmocka_unit_test(test_the_bound_of_joints_is_kept),
      cmocka_unit_test(test_slider_that_carries_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
