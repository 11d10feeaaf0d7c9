// A world that is edited between steps: what is removed is gone with its joints and its handle,
// what changes behaves as if it had been made so, the ledger keeps its balance, and snapshots give
// the same bits.
#include "physics/yard.h"

#include <stiction/edit.h>
#include <string.h>

static const double G = 9.81;

static stc_world *empty(void) {
  stc_world_settings settings = stc_default_world_settings();
  return yard_create(&settings);
}

static stc_body_id add(stc_world *world, const stc_part *part, double x, double z) {
  stc_rigid_body body = yard_body(part, x, 0, z);
  return stc_world_body_at(world, yard_add(world, &body));
}

static stc_body_state state_of(const stc_world *world, stc_body_id id) {
  stc_body_state state;
  assert_int_equal(stc_world_body(world, id, &state), STC_OK);
  return state;
}

/// The ledger's balance, against the energy at hand.
static void expect_balance(const stc_world *world) {
  const stc_ledger *l = stc_world_ledger(world);
  double size = fabs(l->start) + fabs(l->work) + fabs(l->kinetic) + fabs(l->potential);
  double sums = l->start + l->work + l->drive + l->friction + l->shock + l->correction;
  assert_true(fabs(l->kinetic + l->potential - sums) <= 1e-12 * size);
  assert_true(fabs(l->error) <= 1e-12 * size);
}

static void expect_same_places(const stc_world *a, const stc_world *b) {
  double places[2][16 * STC_PLACE_NUMBERS];
  int slots = stc_world_body_slots(a);
  assert_true(slots == stc_world_body_slots(b) && slots <= 16);
  stc_world_places(a, places[0]);
  stc_world_places(b, places[1]);
  assert_memory_equal(places[0], places[1], (size_t)slots * STC_PLACE_NUMBERS * sizeof(double));
}

static void test_handles_go_stale(void **state) {
  // a removed body's handle and those of its joints are refused; its place is taken anew, and the
  // old handle is refused still
  stc_world *world = empty();
  stc_part ball = yard_ball(0.1);
  stc_body_id a = add(world, &ball, 0, 1), b = add(world, &ball, 1, 1), c;
  stc_joint joint = yard_joint(world, (stc_joint){.anchor = {0.5, 0, 1}}, 0, 1);
  stc_joint_id hold, other;
  assert_int_equal(stc_world_add_joint(world, &joint, &hold), STC_OK);
  yard_start(world);
  yard_step(world);
  assert_int_equal(stc_world_remove_body(world, a), STC_OK);
  assert_false(stc_world_has_body(world, a) || stc_world_has_joint(world, hold));
  assert_true(stc_world_has_body(world, b) && stc_world_bodies(world) == 1);
  assert_true(stc_world_body_at(world, 0).generation == 0);
  expect_failure(stc_world_remove_body(world, a), STC_ERR_ARGUMENT, "stale");
  expect_failure(stc_world_remove_joint(world, hold), STC_ERR_ARGUMENT, "stale");
  yard_step(world);
  c = add(world, &ball, 3, 1);
  assert_true(c.index == a.index && c.generation != a.generation);
  expect_failure(stc_world_move_body(world, a, NULL, NULL, NULL), STC_ERR_ARGUMENT, "stale");
  joint = yard_joint(world, (stc_joint){.anchor = {1, 0, 1}}, 1, -1);
  assert_int_equal(stc_world_add_joint(world, &joint, &other), STC_OK);
  assert_true(other.index == hold.index && stc_world_has_joint(world, other));
  expect_failure(stc_world_remove_joint(world, hold), STC_ERR_ARGUMENT, "stale");
  yard_step(world);
  expect_balance(world);
  stc_world_free(&world);
}

static void test_what_carried_is_gone(void **state) {
  // a box rests on a plank that is taken away after 50 steps: it falls g t^2 / 2, and the plank's
  // energy leaves the ledger as work, -m g z
  stc_world *world = empty();
  stc_part plank = yard_box(0.5, 0.5, 0.05), box = yard_box(0.1, 0.1, 0.1);
  yard_floor(world, 0);
  stc_body_id carries = add(world, &plank, 0, 0.05), falls = add(world, &box, 0, 0.2);
  yard_start(world);
  yard_run(world, 50);
  expect_near(state_of(world, falls).centre[2], 0.2, 1e-12);
  double m = state_of(world, carries).mass;
  assert_int_equal(stc_world_remove_body(world, carries), STC_OK);
  expect_near(stc_world_ledger(world)->work, -m * G * 0.05, 1e-9);
  assert_int_equal(stc_world_contacts(world), 0);
  yard_run(world, 100);
  expect_near(state_of(world, falls).centre[2], 0.2 - G * 0.01 / 2, 1e-3 * 0.1);
  yard_run(world, 200);  // lands on the floor
  expect_near(state_of(world, falls).centre[2], 0.1, 1e-5);
  expect_balance(world);
  stc_world_free(&world);
}

static void test_replaced_bodies(void **state) {
  // a ball of 0.1 m grows to 0.2 m while it falls: eight times the mass; made fixed it stays, made
  // free again it falls with no velocity
  stc_world *world = empty();
  stc_part ball = yard_ball(0.1);
  stc_body_id id = add(world, &ball, 0, 10);
  stc_rigid_body body;
  yard_start(world);
  yard_run(world, 100);
  double v = state_of(world, id).velocity[2], m = state_of(world, id).mass;
  assert_int_equal(stc_world_describe_body(world, id, &body), STC_OK);
  stc_part grown = body.part[0];
  grown.shape.radius = 0.2;
  body.part = &grown;
  assert_int_equal(stc_world_replace_body(world, id, &body), STC_OK);
  expect_near(state_of(world, id).mass, 8 * m, 1e-9 * m);
  assert_true(state_of(world, id).velocity[2] == v);
  yard_step(world);
  body.mobility = STC_MOBILITY_FIXED;
  assert_int_equal(stc_world_replace_body(world, id, &body), STC_OK);
  yard_run(world, 10);
  assert_true(state_of(world, id).velocity[2] == 0 && stc_world_ledger(world)->kinetic == 0);
  double z = state_of(world, id).pose.x[2];
  assert_int_equal(stc_world_describe_body(world, id, &body), STC_OK);
  body.mobility = STC_MOBILITY_FREE;
  assert_int_equal(stc_world_replace_body(world, id, &body), STC_OK);
  yard_run(world, 100);
  expect_near(state_of(world, id).pose.x[2], z - G * 0.01 / 2, 1e-4);
  expect_balance(world);
  body.mass = -1;
  expect_failure(stc_world_replace_body(world, id, &body), STC_ERR_VALUE, "mass = -1");
  stc_world_free(&world);
}

static void test_joints_stay_where_they_are(void **state) {
  // a rod on a pin grows on one side: its centre moves, the pin does not; it cannot become fixed
  // while the pin would hold nothing that moves, nor be disabled
  stc_world *world = empty();
  stc_part rod[2] = {yard_box(0.5, 0.05, 0.05), yard_box(0.5, 0.05, 0.05)};
  rod[1].pose.x[0] = 1;
  stc_body_id id = add(world, rod, 0.5, 0);
  stc_joint joint =
      yard_joint(world, (stc_joint){.kind = STC_JOINT_HINGE, .axis = {0, 1, 0}}, 0, -1);
  stc_joint_id pin;
  stc_rigid_body body;
  assert_int_equal(stc_world_add_joint(world, &joint, &pin), STC_OK);
  yard_start(world);
  yard_run(world, 20);
  assert_int_equal(stc_world_describe_body(world, id, &body), STC_OK);
  body.parts = 2, body.part = rod;
  assert_int_equal(stc_world_replace_body(world, id, &body), STC_OK);
  for (int k = 0; k < 50; k++) assert_true(yard_step(world).joint_gap <= 1e-12);
  stc_body_state now = state_of(world, id);
  expect_near(hypot(now.centre[0], now.centre[2]), 1, 1e-12);
  body.mobility = STC_MOBILITY_FIXED;
  expect_failure(stc_world_replace_body(world, id, &body), STC_ERR_ARGUMENT, "nothing that moves");
  expect_failure(stc_world_enable_body(world, id, false), STC_ERR_ARGUMENT, "remove joint 0");
  assert_int_equal(stc_world_remove_joint(world, pin), STC_OK);
  assert_int_equal(stc_world_replace_body(world, id, &body), STC_OK);
  yard_step(world);
  stc_world_free(&world);
}

static void test_surfaces_change(void **state) {
  // a box slides at 1 m/s with mu = 0.5 for 0.1 s, then on ice: what is left of its speed stays
  stc_world *world = empty();
  stc_part box = yard_box(0.2, 0.2, 0.05);
  yard_floor(world, 0);
  yard_surfaces(world, 0.5, 0);
  stc_rigid_body body = yard_body(&box, 0, 0, 0.05);
  body.velocity[0] = 1;
  int number = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 100);
  expect_near(yard_body_at(world, number).velocity[0], 1 - 0.5 * G * 0.1, 1e-6);
  yard_surfaces(world, 0, 0);
  yard_run(world, 100);
  expect_near(yard_body_at(world, number).velocity[0], 1 - 0.5 * G * 0.1, 1e-6);
  expect_balance(world);
  stc_world_free(&world);
}

static void test_moved_and_disabled(void **state) {
  // moved 1 m up at 2 m/s: m g + 2 m of work; disabled, it is not there for a ball that falls
  // through it; into another body it is refused by name, at the next step
  stc_world *world = empty();
  stc_part box = yard_box(0.1, 0.1, 0.1), ball = yard_ball(0.05);
  yard_floor(world, 0);
  stc_body_id a = add(world, &box, 0, 0.1), b = add(world, &ball, 0, 0.5);
  stc_world_report report;
  yard_start(world);
  yard_step(world);
  stc_pose pose = {.x = {0, 0, 1.1}, .rotation = {1, 0, 0, 0}};
  const double up[3] = {0, 0, 2};
  double m = state_of(world, a).mass;
  assert_int_equal(stc_world_move_body(world, a, &pose, up, NULL), STC_OK);
  expect_near(stc_world_ledger(world)->work, m * G + 2 * m, 1e-9 * m);
  assert_int_equal(stc_world_enable_body(world, a, false), STC_OK);
  assert_false(stc_world_is_enabled(world, a));
  yard_run(world, 500);
  expect_near(state_of(world, b).centre[2], 0.05, 1e-5);
  assert_true(state_of(world, a).centre[2] == 1.1);
  pose.x[2] = 0.12;  // the ball, at 0.05 m, is inside
  assert_int_equal(stc_world_move_body(world, a, &pose, NULL, NULL), STC_OK);
  assert_int_equal(stc_world_enable_body(world, a, true), STC_OK);
  long steps = stc_world_steps(world);
  expect_failure(stc_world_step(world, &report), STC_ERR_VALUE, "bodies 1 and 2 overlap");
  pose.x[2] = 0.21;
  assert_int_equal(stc_world_move_body(world, a, &pose, NULL, NULL), STC_OK);
  assert_true(stc_world_steps(world) == steps);
  yard_step(world);
  expect_balance(world);
  stc_world_free(&world);
}

static void test_the_same_bits_as_built_so(void **state) {
  // one world is built in its final state; the other gets there by detours, before and after its
  // start: after 300 steps they have the same bits
  stc_part box = yard_box(0.1, 0.08, 0.06), ball = yard_ball(0.07);
  stc_world *plain = empty(), *edited = empty();
  stc_body_id id[6];
  yard_floor(plain, 0);
  for (int k = 0; k < 6; k++) add(plain, k % 2 ? &ball : &box, 0.05 * k, 0.1 + 0.16 * k);
  stc_joint joint = yard_joint(plain, (stc_joint){.anchor = {0.025, 0, 0.18}}, 1, 2);
  assert_int_equal(stc_world_add_joint(plain, &joint, NULL), STC_OK);
  yard_start(plain);
  yard_floor(edited, 0);
  for (int k = 0; k < 6; k++) id[k] = add(edited, k % 2 ? &box : &ball, 0.05 * k, 0.1 + 0.16 * k);
  joint = yard_joint(edited, (stc_joint){.anchor = {0.3, 0, 1}}, 4, 5);
  assert_int_equal(stc_world_add_joint(edited, &joint, NULL), STC_OK);
  assert_int_equal(stc_world_remove_body(edited, id[4]), STC_OK);
  yard_start(edited);
  for (int k = 3; k >= 0; k--) assert_int_equal(stc_world_remove_body(edited, id[k]), STC_OK);
  for (int k = 0; k < 5; k++) {
    id[k] = add(edited, k % 2 ? &ball : &box, 0.05 * k, 0.1 + 0.16 * k);
    assert_int_equal(id[k].index, k + 1);
  }
  stc_rigid_body body;
  assert_int_equal(stc_world_describe_body(edited, id[5], &body), STC_OK);
  body.part = &ball;
  assert_int_equal(stc_world_replace_body(edited, id[5], &body), STC_OK);
  joint = yard_joint(edited, (stc_joint){.anchor = {0.025, 0, 0.18}}, 1, 2);
  assert_int_equal(stc_world_add_joint(edited, &joint, NULL), STC_OK);
  yard_run(plain, 300);
  yard_run(edited, 300);
  expect_same_places(plain, edited);
  stc_world_free(&plain);
  stc_world_free(&edited);
}

static void test_snapshots_give_the_same_bits(void **state) {
  // 100 steps twice from one snapshot, and in a branch; between them the world is edited, steps and
  // is given new bodies, whose handles are refused afterwards
  stc_part box = yard_box(0.1, 0.08, 0.06), ball = yard_ball(0.07);
  stc_world *world = empty(), *branch = NULL;
  stc_world_snapshot *snapshot = NULL;
  yard_floor(world, 0);
  for (int k = 0; k < 6; k++) add(world, k % 2 ? &ball : &box, 0.03 * k, 0.1 + 0.17 * k);
  yard_start(world);
  yard_run(world, 150);
  assert_int_equal(stc_world_remove_body(world, stc_world_body_at(world, 3)), STC_OK);
  assert_int_equal(stc_world_snapshot_take(world, &snapshot), STC_OK);
  assert_int_equal(stc_world_snapshot_branch(snapshot, &branch), STC_OK);
  stc_body_id kept = stc_world_body_at(world, 2);
  yard_run(branch, 100);
  yard_run(world, 30);
  assert_int_equal(stc_world_remove_body(world, kept), STC_OK);
  stc_body_id extra = add(world, &box, 2, 0.2), more = add(world, &box, 3, 0.2);
  yard_run(world, 5);
  assert_int_equal(stc_world_snapshot_restore(snapshot, world), STC_OK);
  assert_true(stc_world_has_body(world, kept));
  assert_false(stc_world_has_body(world, extra) || stc_world_has_body(world, more));
  yard_run(world, 100);
  expect_same_places(world, branch);
  assert_memory_equal(stc_world_ledger(world), stc_world_ledger(branch), sizeof(stc_ledger));
  stc_body_id again = add(world, &box, 2, 0.2);
  assert_false(stc_world_has_body(world, extra) || stc_world_has_body(world, more));
  assert_true(stc_world_has_body(world, again));
  stc_world_snapshot_free(&snapshot);
  stc_world_snapshot_free(&snapshot);
  stc_world_free(&world);
  stc_world_free(&branch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_handles_go_stale),
      cmocka_unit_test(test_what_carried_is_gone),
      cmocka_unit_test(test_replaced_bodies),
      cmocka_unit_test(test_joints_stay_where_they_are),
      cmocka_unit_test(test_surfaces_change),
      cmocka_unit_test(test_moved_and_disabled),
      cmocka_unit_test(test_the_same_bits_as_built_so),
      cmocka_unit_test(test_snapshots_give_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
