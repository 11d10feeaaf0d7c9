// Every joint of the table, in space and in the plane: a box hangs on the world, and two boxes hang
// together in free flight. A joint is kept, does no work and passes on no more than it takes.
#include "physics/yard.h"

#include <math.h>
#include <string.h>

enum { STEPS = 200 };

static void each_joint(void (*fact)(int kind, bool plane)) {
  int count = 0;
  for (; stc_joint_name(count); count++)
    for (int plane = 0; plane < 2; plane++) fact(count, plane);
  assert_true(count > 0 && !stc_joint_name(-1));
}

static stc_world *empty_world(bool plane, bool weight) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 1e-3;
  settings.plane = plane;
  for (int k = 0; k < 3; k++) settings.gravity[k] = 0;
  if (weight) settings.gravity[plane ? 1 : 2] = -9.81;
  return yard_create(&settings);
}

static int add_box(stc_world *world, double x, double spin) {
  stc_part part = yard_box(0.2, 0.1, 0.15);
  stc_rigid_body body = yard_body(&part, x, 0, 0);
  bool plane = stc_world_given(world)->plane;
  body.velocity[1] = spin;
  body.omega[2] = spin;
  if (!plane) body.omega[0] = 0.7 * spin, body.velocity[2] = -spin;
  return yard_add(world, &body);
}

// The axis leans: (0.6, 0.8, 0) lies in the plane as well.
static stc_error join(stc_world *world, int kind, int a, int b, double x) {
  stc_joint joint =
      yard_joint(world, (stc_joint){.kind = (stc_joint_kind)kind, .anchor = {x, 0.05, 0}}, a, b);
  if (stc_joint_has_axis(kind, stc_world_given(world)->plane))
    joint.axis[0] = 0.6, joint.axis[1] = 0.8;
  for (int k = 0; k < 2; k++) joint.anchor2[k] = joint.anchor[k] + 0.1;
  if (kind == STC_JOINT_PLANAR && stc_world_given(world)->plane)
    joint.coordinate[2].stiffness = 10;  // it holds nothing else
  return stc_world_add_joint(world, &joint, NULL);
}

static void has_a_name_of_its_own(int kind, bool plane) {
  for (int other = 0; other < kind; other++)
    assert_string_not_equal(stc_joint_name(other), stc_joint_name(kind));
}

// A gear is between bodies whose axes stay in space.
static bool holds(int kind, bool plane, bool two) {
  if (kind == STC_JOINT_GEAR) return plane && two;
  return true;
}

// Its weight does work on the box, the joint does none: energy stays to the order of h.
static void hangs_without_work(int kind, bool plane) {
  if (!holds(kind, plane, false)) return;
  stc_world *world = empty_world(plane, true);
  int box = add_box(world, 0.5, 0);
  assert_int_equal(join(world, kind, box, -1, 0.1), STC_OK);
  yard_start(world);
  double start = yard_energy(world), gap = 0, moved = 0;
  for (int k = 0; k < STEPS; k++) {
    gap = fmax(gap, yard_step(world).joint_gap);
    moved = fmax(moved, stc_world_ledger(world)->kinetic);
  }
  double weight = yard_body_at(world, box).mass * 9.81;
  assert_true(gap <= 1e-9);
  expect_near(yard_energy(world), start, 1e-3 * fmax(moved, 1e-6 * weight));
  stc_world_free(&world);
}

// Two boxes of mass 24 kg fly without weight, the first one spinning: momentum stays to rounding,
// energy does not grow beyond the shock that joins them.
static void flies_with_its_momentum(int kind, bool plane) {
  if (!holds(kind, plane, true)) return;
  stc_world *world = empty_world(plane, false);
  int box[2] = {add_box(world, 0, 0.5), add_box(world, 0.6, 0)};
  assert_int_equal(join(world, kind, box[0], box[1], 0.3), STC_OK);
  yard_start(world);
  yard_step(world);  // joined now
  double after = yard_energy(world), gap = 0;
  for (int k = 0; k < STEPS; k++) gap = fmax(gap, yard_step(world).joint_gap);
  stc_body_state a = yard_body_at(world, box[0]), b = yard_body_at(world, box[1]);
  const double v[3] = {0, 0.5, plane ? 0 : -0.5};
  for (int k = 0; k < 3; k++)
    expect_near(a.mass * a.velocity[k] + b.mass * b.velocity[k], a.mass * v[k], 1e-9 * a.mass);
  assert_true(gap <= 1e-9);
  expect_near(yard_energy(world) / after, 1, 1e-3);
  stc_world_free(&world);
}

// No axis where one is needed, and nothing that moves.
static void refuses_what_is_missing(int kind, bool plane) {
  stc_world *world = empty_world(plane, false);
  int box = add_box(world, 0, 0);
  stc_joint joint = yard_joint(world, (stc_joint){.kind = (stc_joint_kind)kind}, box, box);
  joint.anchor2[0] = 1;
  assert_int_not_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
  joint.body[1] = stc_world_body_at(world, kind == STC_JOINT_GEAR ? add_box(world, 1, 0) : -1);
  bool needed = stc_joint_has_axis(kind, plane) || (plane && kind == STC_JOINT_PLANAR);
  assert_int_equal(stc_world_add_joint(world, &joint, NULL) != STC_OK, needed);
  stc_world_free(&world);
}

// A spring, a damper and friction along every coordinate only take energy; limits hold.
static void acts_along_its_coordinates(int kind, bool plane) {
  if (!holds(kind, plane, true)) return;
  stc_world *world = empty_world(plane, true);
  int box[2] = {add_box(world, 0, 2), add_box(world, 0.6, 0)};
  stc_joint joint = yard_joint(
      world, (stc_joint){.kind = (stc_joint_kind)kind, .anchor = {0.3, 0.05, 0}}, box[0], box[1]);
  if (stc_joint_has_axis(kind, plane)) joint.axis[0] = 0.6, joint.axis[1] = 0.8;
  for (int k = 0; k < 2; k++) joint.anchor2[k] = joint.anchor[k] + 0.1;
  int count = stc_joint_coordinates(kind, plane);
  double middle = kind == STC_JOINT_DISTANCE ? 0.1 * sqrt(2) : 0;
  for (int k = 0; k < count; k++) {
    stc_joint_coordinate *c = &joint.coordinate[k];
    c->stiffness = 2000, c->damping = 3, c->rest = middle, c->friction = 1;
    c->least = middle - 0.01, c->greatest = middle + 0.01;
  }
  stc_joint_id id;
  assert_int_equal(stc_world_add_joint(world, &joint, &id), STC_OK);
  yard_start(world);
  yard_step(world);  // joined now
  double top = yard_energy(world), gap = 0, unit = stc_world_ledger(world)->kinetic;
  for (int n = 0; n < STEPS; n++) {
    stc_joint_state at;
    gap = fmax(gap, yard_step(world).joint_gap);
    assert_int_equal(stc_world_joint(world, id, &at), STC_OK);
    assert_int_equal(at.coordinates, count);
    for (int k = 0; k < count; k++) assert_true(fabs(at.value[k] - middle) <= 0.01 + 1e-8);
  }
  assert_true(gap <= 1e-9);
  if (count) assert_true(stc_world_ledger(world)->friction < 0);
  assert_true(yard_energy(world) <= top + 1e-3 * unit);
  stc_world_free(&world);
}

#define FACT(name)                                                                                 \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    each_joint(name);                                                                              \
  }
FACT(has_a_name_of_its_own)
FACT(hangs_without_work)
FACT(flies_with_its_momentum)
FACT(acts_along_its_coordinates)
FACT(refuses_what_is_missing)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_has_a_name_of_its_own),
      cmocka_unit_test(test_hangs_without_work),
      cmocka_unit_test(test_flies_with_its_momentum),
      cmocka_unit_test(test_acts_along_its_coordinates),
      cmocka_unit_test(test_refuses_what_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
