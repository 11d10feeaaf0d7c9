// 200 random mechanisms with fixed seeds: chains, trees and closed loops, in space and in the
// plane, hung, free, or falling on a floor, with all kinds of joints. Joints hold to rounding in
// every step; what touches nothing loses no energy, and what is free keeps its momentum; halving h
// quarters the error. With springs, motors, friction and limits along their coordinates, all kinds
// of joints: no limit is left by more than 1e-8. STICTION_TRIALS sets another number of mechanisms.
#include "yard.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 200, MOST_BODIES = 8, STEPS = 40 };
static const double H = 5e-3, G = 9.81;

typedef enum shape { CHAIN, TREE, LOOP, SHAPES } shape;
typedef enum place { HUNG, FREE, LANDING, PLACES } place;

typedef struct plan {
  bool acts;  ///< all kinds, with springs, motors, friction and limits along their coordinates
  shape shape;
  place place;
  bool plane;
  int bodies;
  uint64_t seed;
} plan;

/// xorshift64*: a number in [0, 1).
static double draw_number(uint64_t *seed) {
  *seed ^= *seed >> 12, *seed ^= *seed << 25, *seed ^= *seed >> 27;
  return (double)((*seed * 2685821657736338717u) >> 11) / 9007199254740992.0;
}

static plan plan_of(int trial) {
  plan p = {.seed = 88172645463325252u + 7919u * (uint64_t)trial};
  for (int k = 0; k < 10; k++) draw_number(&p.seed);
  p.shape = (shape)(trial % SHAPES);
  p.place = (place)(trial / SHAPES % PLACES);
  p.plane = trial / (SHAPES * PLACES) % 2;
  p.bodies = 2 + (int)(draw_number(&p.seed) * (MOST_BODIES - 1));
  if (p.shape == LOOP && p.bodies < 3) p.bodies = 3;
  return p;
}

static void choose_kind(const plan *p, uint64_t *seed, stc_joint *joint) {
  static const stc_joint_kind kinds[] = {STC_JOINT_UNIVERSAL, STC_JOINT_CYLINDRICAL,
                                         STC_JOINT_DISTANCE, STC_JOINT_PLANAR};
  int pick = (int)(draw_number(seed) * 6);
  if (p->shape != LOOP && pick < (p->plane ? 3 : 4)) joint->kind = kinds[pick];
}

/// Everything that can act, in turn, over ranges that random mechanisms reach.
static void choose_actions(const plan *p, uint64_t *seed, stc_joint *joint) {
  for (int k = 0; k < stc_joint_coordinates((int)joint->kind, p->plane); k++) {
    stc_joint_coordinate *c = &joint->coordinate[k];
    bool distance = joint->kind == STC_JOINT_DISTANCE;
    int pick = (int)(draw_number(seed) * 6);
    double size = pow(10, 4 * draw_number(seed) - 2), share = draw_number(seed);
    c->rest = distance ? 0.2 * sqrt(p->plane ? 2 : 3) : 0;
    if (pick == 0 || distance) c->stiffness = (distance ? 100 : 1) * size, c->damping = share / 10;
    if (pick == 1) c->motor = STC_MOTOR_VELOCITY, c->target = 2, c->motor_force = 0.1 * size;
    if (pick == 2) c->motor = STC_MOTOR_POSITION, c->target = c->rest, c->motor_force = 0.1 * size;
    if (pick == 2) c->motor_stiffness = size, c->motor_damping = share / 10;
    if (pick == 3 || pick == 5) c->friction = 0.01 * size, c->friction_ratio = 0.01;
    if (pick >= 4) c->least = c->rest - 0.01 * (1 + share), c->greatest = c->rest + 0.02;
    if (pick == 4) c->restitution = share;
  }
}

static void join(stc_world *world, const plan *p, uint64_t *seed, int a, int b, const double x[3]) {
  double pick = draw_number(seed);
  stc_joint joint = yard_joint(world, (stc_joint){.kind = STC_JOINT_BALL}, a, b);
  memcpy(joint.anchor, x, sizeof joint.anchor);
  if (p->shape != LOOP && pick > 0.5) joint.kind = STC_JOINT_HINGE;
  if (p->shape != LOOP && pick > 0.75) joint.kind = STC_JOINT_PRISMATIC;
  if (p->shape != LOOP && pick > 0.9) joint.kind = STC_JOINT_FIXED;
  for (int i = 0; i < 3; i++) joint.axis[i] = draw_number(seed) - 0.5;
  for (int i = 0; i < 3; i++) joint.anchor2[i] = x[i] + 0.2;
  if (p->plane) joint.axis[2] = joint.anchor2[2] = 0;
  if (p->acts) choose_kind(p, seed, &joint);
  if (p->acts) choose_actions(p, seed, &joint);
  stc_error error = stc_world_add_joint(world, &joint, NULL);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
}

/// Body k of the mechanism; centres lie on a circle, so that chains can be closed.
static void centre_of(const plan *p, int k, double x[3]) {
  double angle = 2 * acos(-1) * k / (p->bodies + 1), radius = 0.08 * p->bodies;
  x[0] = radius * cos(angle);
  x[1] = radius * sin(angle) + (p->plane ? 1.2 : 0);
  x[2] = p->plane ? 0 : 0.6 + 0.05 * (k % 3);
}

static void middle(const double a[3], const double b[3], double x[3]) {
  for (int i = 0; i < 3; i++) x[i] = (a[i] + b[i]) / 2;
}

static void add_joints(stc_world *world, const plan *p, uint64_t *seed, int first) {
  double here[3], there[3], x[3];
  for (int k = 1; k < p->bodies; k++) {
    int to = p->shape == TREE ? (int)(draw_number(seed) * k) : k - 1;
    centre_of(p, k, here);
    centre_of(p, to, there);
    middle(here, there, x);
    join(world, p, seed, first + k, first + to, x);
  }
  centre_of(p, 0, here);
  centre_of(p, p->bodies - 1, there);
  middle(here, there, x);
  if (p->shape == LOOP) join(world, p, seed, first, first + p->bodies - 1, x);
  if (p->place == HUNG) join(world, p, seed, first, -1, here);
}

static stc_world *build(const plan *p, double h) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  settings.plane = p->plane;
  memset(settings.gravity, 0, sizeof settings.gravity);
  if (p->place != FREE) settings.gravity[p->plane ? 1 : 2] = -G;
  stc_world *world = yard_create(&settings);
  uint64_t seed = p->seed;
  if (p->place == LANDING) {
    stc_part plane = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
    stc_rigid_body floor = yard_body(&plane, 0, 0, 0);
    floor.mobility = STC_MOBILITY_FIXED;
    if (p->plane) floor.pose.rotation[0] = sqrt(0.5), floor.pose.rotation[1] = -sqrt(0.5);
    yard_add(world, &floor);
  }
  int first = stc_world_bodies(world);
  for (int k = 0; k < p->bodies; k++) {
    double x[3], size = 0.02 + 0.02 * draw_number(&seed);
    stc_part part =
        yard_box(size, size * (0.5 + draw_number(&seed)), size * (0.5 + draw_number(&seed)));
    centre_of(p, k, x);
    stc_rigid_body body = yard_body(&part, x[0], x[1], x[2]);
    for (int i = 0; i < 3; i++) {
      double v = draw_number(&seed) - 0.5, w = 6 * (draw_number(&seed) - 0.5);
      body.velocity[i] = p->plane && i == 2 ? 0 : v;
      body.omega[i] = p->plane && i != 2 ? 0 : w;
    }
    yard_add(world, &body);
  }
  add_joints(world, p, &seed, first);
  for (int a = first; a < first + p->bodies; a++)  // only the floor is touched
    for (int b = first; b < a; b++)
      assert_int_equal(
          stc_world_ignore(world, stc_world_body_at(world, a), stc_world_body_at(world, b)),
          STC_OK);
  yard_start(world);
  return world;
}

/// Momentum, and angular momentum about the origin, [6], with a size to compare with.
static double momenta(const stc_world *world, double m[6]) {
  double size = 0;
  memset(m, 0, 6 * sizeof *m);
  for (int b = 0; b < stc_world_bodies(world); b++) {
    stc_body_state s = yard_body_at(world, b);
    const double *x = s.centre, *v = s.velocity;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      m[i] += s.mass * v[i];
      m[3 + i] += s.mass * (x[j] * v[k] - x[k] * v[j]) + s.spin[i];
      size += s.mass * fabs(v[i]) + fabs(s.spin[i]);
    }
  }
  return size;
}

/// The energy that speeds are measured by.
static double unit_of(const stc_world *world) {
  double unit = stc_world_ledger(world)->kinetic;
  for (int b = 0; b < stc_world_bodies(world); b++) unit += yard_body_at(world, b).mass * G * 0.1;
  return unit;
}

typedef struct tally {
  int runs, landed, refused, gained;
  double gap, energy, momentum, beyond;
} tally;

static void try_one(int trial, tally *sum) {
  plan p = plan_of(trial);
  stc_world *world = build(&p, H);
  stc_world_report report = {.accepted = true};
  double before[6], after[6], start = 0, shock = 0, unit = unit_of(world), size = 1;
  int steps = p.place == LANDING ? 4 * STEPS : STEPS;
  for (int k = 0; k < steps && report.accepted; k++) {
    assert_int_equal(stc_world_step(world, &report), STC_OK);
    if (k == 0) {  // stops what the joints do not allow
      start = yard_energy(world), shock = stc_world_ledger(world)->shock;
      size = momenta(world, before);
    }
    sum->gap = fmax(sum->gap, report.joint_gap);
    if (!(report.joint_gap <= 1e-12)) print_error("trial %d: gap %g\n", trial, report.joint_gap);
    assert_true(report.joint_gap <= 1e-12);
  }
  const stc_ledger *l = stc_world_ledger(world);
  if (!report.accepted) print_message("  trial %d: %s\n", trial, report.reason);
  sum->refused += !report.accepted;
  sum->runs++;
  assert_true(report.accepted || p.place == LANDING);
  assert_true(shock <= 0);
  if (p.place == LANDING) {
    sum->landed += l->shock < shock;
    assert_true(l->shock <= 1e-9 * unit);
  } else {
    assert_true(l->friction == 0 && l->shock == shock && l->correction == 0);
    double off = fabs(yard_energy(world) - start) / unit;
    sum->energy = fmax(sum->energy, off);
    if (!(off <= (p.place == FREE ? 1e-11 : 1e-2))) print_error("trial %d: %g\n", trial, off);
    assert_true(off <= (p.place == FREE ? 1e-11 : 1e-2));
  }
  if (p.place == FREE) {
    momenta(world, after);
    for (int i = 0; i < 6; i++) {
      sum->momentum = fmax(sum->momentum, fabs(after[i] - before[i]) / size);
      expect_near(after[i], before[i], 1e-11 * size);
    }
  }
  stc_world_free(&world);
}

static int trials(void) {
  const char *given = getenv("STICTION_TRIALS");
  return given ? atoi(given) : TRIALS;
}

static void test_random_mechanisms(void **state) {
  tally sum = {0};
  for (int k = 0; k < trials(); k++) try_one(k, &sum);
  printf("  %d mechanisms, %d landed, %d refused: gap %.1e m, energy %.1e, momentum %.1e\n",
         sum.runs, sum.landed, sum.refused, sum.gap, sum.energy, sum.momentum);
  assert_true(sum.landed > 0 && sum.refused <= sum.runs / 50);
}

/// The largest distance beyond a limit.
static double beyond_limits(const stc_world *world) {
  double most = 0;
  for (int j = 0; j < stc_world_joint_slots(world); j++) {
    stc_joint_id id = stc_world_joint_at(world, j);
    stc_joint_coordinate c;
    stc_joint_state at;
    assert_int_equal(stc_world_joint(world, id, &at), STC_OK);
    for (int k = 0; k < at.coordinates; k++) {
      assert_int_equal(stc_world_joint_coordinate(world, id, k, &c), STC_OK);
      most = fmax(most, fmax(c.least - at.value[k], at.value[k] - c.greatest));
    }
  }
  return most;
}

static void try_acting(int trial, tally *sum) {
  plan p = plan_of(trial);
  p.acts = true;
  stc_world *world = build(&p, H);
  stc_world_report report = {.accepted = true};
  double unit = unit_of(world), top = 0, start = 0;
  for (int k = 0; k < 2 * STEPS && report.accepted; k++) {
    stc_error error = stc_world_step(world, &report);
    if (error) print_error("trial %d: %s\n", trial, stc_error_detail());
    assert_int_equal(error, STC_OK);
    const stc_ledger *l = stc_world_ledger(world);
    assert_true(fabs(l->correction) < 1e3 * unit);  // limits that contradict each other are refused
    if (k == 0) start = top = yard_energy(world) - l->drive - l->correction;
    top = fmax(top, yard_energy(world) - l->drive - l->correction);
    unit = fmax(unit, l->kinetic + fabs(l->drive));
    sum->gap = fmax(sum->gap, report.joint_gap);
    sum->beyond = fmax(sum->beyond, beyond_limits(world));
    if (!(report.joint_gap <= 1e-11 && beyond_limits(world) <= 1e-8))
      print_error("trial %d: step %d, gap %g, beyond %g\n", trial, k, report.joint_gap,
                  beyond_limits(world));
    assert_true(report.joint_gap <= 1e-11 && beyond_limits(world) <= 1e-8);
  }
  if (!report.accepted) print_message("  trial %d: %s\n", trial, report.reason);
  sum->refused += !report.accepted;
  sum->runs++;
  sum->gained += !(top <= start + 0.02 * unit);
  stc_world_free(&world);
}

static void test_random_actions(void **state) {
  tally sum = {0};
  for (int k = 0; k < trials(); k++) try_acting(k, &sum);
  printf("  %d acting mechanisms, %d refused, %d gained: gap %.1e m, beyond limits %.1e\n",
         sum.runs, sum.refused, sum.gained, sum.gap, sum.beyond);
  assert_true(sum.refused <= sum.runs / 25 && sum.gained <= 1 + sum.runs / 200);
}

/// Places of all bodies after 0.1 s.
static void end_of(const plan *p, double h, double *x) {
  stc_world *world = build(p, h);
  for (long k = lround(0.1 / h); k > 0; k--) yard_step(world);
  for (int b = 0; b < p->bodies; b++)
    memcpy(x + 3 * b, yard_body_at(world, b).centre, 3 * sizeof *x);
  stc_world_free(&world);
}

static void test_order_of_random_mechanisms(void **state) {
  // second order: the differences of three steps, each half of the one before, fall to a quarter
  for (int trial = 0; trial < trials(); trial += 5) {
    plan p = plan_of(trial);
    double x[3][3 * MOST_BODIES], error[2] = {0};
    if (p.place == LANDING) continue;
    for (int k = 0; k < 3; k++) end_of(&p, 2e-3 / (1 << k), x[k]);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3 * p.bodies; i++) error[k] = hypot(error[k], x[k][i] - x[k + 1][i]);
    double ratio = error[0] / error[1];
    if (error[0] > 1e-11 && !(ratio > 3.6 && ratio < 4.4))
      print_error("trial %d: %g, ratio %g\n", trial, error[0], ratio);
    assert_true(error[0] <= 1e-11 || (ratio > 3.6 && ratio < 4.4));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_mechanisms),
      cmocka_unit_test(test_random_actions),
      cmocka_unit_test(test_order_of_random_mechanisms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
