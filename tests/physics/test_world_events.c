// Events: contacts begin, persist and end with the impulses they carry; sensors see what is inside
// and touch nothing; groups and masks keep parts apart; arrays are what the calls return.
#include "physics/yard.h"

#include <stiction/edit.h>
#include <stiction/stiction.h>
#include <string.h>

static const double G = 9.81;

static stc_world *bare_world(double h) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h;
  return yard_create(&settings);
}

static stc_body_id add(stc_world *world, const stc_part *part, double x, double z) {
  stc_rigid_body body = yard_body(part, x, 0, z);
  return stc_world_body_at(world, yard_add(world, &body));
}

/// The only event of the last step, which has this kind.
static stc_world_event only_event(const stc_world *world, stc_event_kind kind) {
  const stc_world_event *event;
  int count = stc_world_events(world, &event);
  assert_int_equal(count, 1);
  assert_string_equal(stc_event_name(event->kind), stc_event_name(kind));
  return *event;
}

static void test_a_ball_lands(void **state) {
  // a ball of mass m falls 0.1 m in t = 0.1428 s and stays: the step in which it arrives has an
  // impulse of m times the speed of approach and m g h, each later one m g h; it is then removed
  const double h = 1e-3, mass = 1000 * 4.0 / 3 * 3.14159265358979323846 * 1e-3;
  stc_world *world = bare_world(h);
  stc_part ball = yard_ball(0.1);
  const stc_world_event *event;
  yard_floor(world, 0);
  stc_body_id id = add(world, &ball, 0, 0.2);
  yard_start(world);
  int steps = 0;
  double before = 0;
  for (; stc_world_events(world, &event) == 0; steps++) {
    before = yard_body_at(world, 1).velocity[2];
    yard_step(world);
  }
  assert_in_range(steps, 140, 145);
  stc_world_event e = only_event(world, STC_EVENT_BEGIN);
  assert_true(e.body[0].index == 0 && e.body[1].index == id.index && !e.sensor);
  assert_true(e.contacts == 1 && e.first == 0 && e.part[0] == 0 && e.part[1] == 0);
  // the last bit of the way is left to the next step, where the ball arrives
  assert_true(e.impulse[2] < 0 && fabs(e.speed + before) < 1e-12);
  yard_step(world), yard_step(world);
  e = only_event(world, STC_EVENT_PERSIST);
  assert_true(fabs(e.impulse[2] + mass * G * h) < 1e-9 * mass);
  yard_run(world, 5);  // it sleeps
  only_event(world, STC_EVENT_PERSIST);
  assert_int_equal(stc_world_remove_body(world, id), STC_OK);
  yard_step(world);
  e = only_event(world, STC_EVENT_END);
  assert_false(stc_world_has_body(world, e.body[1]));
  assert_true(e.impulse[2] == 0 && e.contacts == 0);
  yard_step(world);
  assert_int_equal(stc_world_events(world, &event), 0);
  stc_world_free(&world);
}

static void test_a_ball_bounces(void **state) {
  // with e = 1 each impact begins and ends: as many ends as beginnings, none that persists
  stc_world *world = bare_world(1e-3);
  stc_part ball = yard_ball(0.1);
  int count[3] = {0};
  yard_floor(world, 0);
  yard_surfaces(world, 0.3, 1);
  add(world, &ball, 0, 0.3);
  yard_start(world);
  for (int k = 0; k < 1500; k++) {
    const stc_world_event *event;
    yard_step(world);
    for (int n = stc_world_events(world, &event); n > 0; n--) count[event[n - 1].kind]++;
  }
  // 2 sqrt(2 * 0.2 / g) = 0.404 s between impacts, the first after 0.202 s
  assert_int_equal(count[STC_EVENT_BEGIN], 4);
  assert_int_equal(count[STC_EVENT_END], 4);
  assert_int_equal(count[STC_EVENT_PERSIST], 0);
  stc_world_free(&world);
}

static void test_groups(void **state) {
  // two balls above each other: of groups that do not meet they fall into one place, and the floor,
  // which is in the usual group, carries both
  const uint64_t masks[2] = {~UINT64_C(4), 0};
  for (int apart = 0; apart < 2; apart++) {
    stc_world *world = bare_world(2e-3);
    stc_part low = yard_ball(0.1), high = yard_ball(0.1);
    low.group = 2, high.group = 4;
    low.mask = masks[apart];
    yard_floor(world, 0);
    add(world, &low, 0, 0.1), add(world, &high, 0, 0.4);
    yard_start(world);
    yard_run(world, 300);
    assert_true(fabs(yard_body_at(world, 1).pose.x[2] - 0.1) < 1e-6);
    assert_true(fabs(yard_body_at(world, 2).pose.x[2] - (apart ? 0.3 : 0.1)) < 1e-6);
    stc_world_free(&world);
  }
}

static void fall_through(stc_world *world, int *begin, int *end) {
  *begin = *end = -1;
  for (int k = 1; k <= 400; k++) {
    const stc_world_event *event;
    yard_step(world);
    if (stc_world_events(world, &event) == 0) continue;
    assert_true(event->sensor && event->contacts == 0 && event->body[0].index == 0);
    if (event->kind == STC_EVENT_BEGIN) *begin = k;
    if (event->kind == STC_EVENT_END) *end = k;
  }
}

static void test_sensors(void **state) {
  // a ball of radius 0.1 falls from z = 1 through a sensor between z = 0.4 and 0.6: it is inside
  // while 0.3 < z < 0.7, from sqrt(0.6 / g) = 0.2473 s to sqrt(1.4 / g) = 0.3778 s, and falls as
  // without it
  stc_world *world = bare_world(1e-3), *bare = bare_world(1e-3);
  stc_part gate = yard_box(1, 1, 0.1), ball = yard_ball(0.1);
  stc_rigid_body body = yard_body(&gate, 0, 0, 0.5);
  int begin, end;
  gate.sensor = true;
  body.mobility = STC_MOBILITY_FIXED;
  yard_add(world, &body);
  add(world, &ball, 0, 1), add(bare, &ball, 0, 1);
  yard_start(world), yard_start(bare);
  fall_through(world, &begin, &end);
  assert_in_range(begin, 247, 249);
  assert_in_range(end, 378, 380);
  yard_run(bare, 400);
  stc_body_state a = yard_body_at(world, 1), b = yard_body_at(bare, 0);
  assert_memory_equal(a.centre, b.centre, sizeof a.centre);
  // a sensor adds no mass
  stc_part parts[2] = {ball, gate};
  body = yard_body(parts, 5, 0, 0);
  body.parts = 2;
  assert_true(yard_body_at(world, yard_add(world, &body)).mass == a.mass);
  stc_world_free(&world), stc_world_free(&bare);
}

static void test_sensors_and_masks(void **state) {
  // a sensor sees what its mask has, driven bodies too, and no other sensor
  stc_world *world = bare_world(1e-3);
  stc_part gate = yard_box(1, 1, 1), ball = yard_ball(0.1), other = yard_ball(0.1);
  const stc_world_event *event;
  gate.sensor = true, gate.mask = 2;
  other.group = 2;
  stc_rigid_body body = yard_body(&gate, 0, 0, 0);
  body.mobility = STC_MOBILITY_FIXED;
  yard_add(world, &body);
  yard_add(world, &body);
  add(world, &ball, -0.5, 0), add(world, &other, 0.5, 0);
  yard_start(world);
  yard_step(world);
  assert_int_equal(stc_world_events(world, &event), 2);
  assert_true(event[0].body[1].index == 3 && event[1].body[1].index == 3);
  stc_world_free(&world);
}

static void test_arrays(void **state) {
  stc_world *world = bare_world(2e-3);
  stc_part box = yard_box(0.1, 0.1, 0.1);
  yard_floor(world, 0);
  for (int k = 0; k < 3; k++) add(world, &box, 0, 0.1 + 0.2 * k);
  yard_start(world);
  yard_run(world, 3);
  stc_world_arrays a = stc_world_arrays_of(world);
  double places[4 * STC_PLACE_NUMBERS];
  assert_true(a.contacts == stc_world_contacts(world) && a.contacts == 12 && a.bodies == 4);
  stc_world_places(world, places);
  assert_memory_equal(a.place, places, sizeof places);
  for (int k = 0; k < a.contacts; k++) {
    stc_world_contact c;
    size_t at = (size_t)k * a.stride, row = (size_t)k * (size_t)a.dim;
    stc_world_contact_at(world, k, &c);
    assert_memory_equal((const char *)a.point + at, &c.point, sizeof c.point);
    assert_memory_equal((const char *)a.tangent + at, c.tangent, sizeof c.tangent);
    assert_memory_equal(a.r + row, c.r, (size_t)a.dim * sizeof(double));
    assert_memory_equal(a.u + row, c.u, (size_t)a.dim * sizeof(double));
    assert_int_equal(*(const int *)(const void *)((const char *)a.body + at), c.body[0].index);
    assert_int_equal(*(const stc_contact_state *)(const void *)((const char *)a.state + at),
                     c.state);
  }
  stc_world_free(&world);
}

static void test_user_data(void **state) {
  stc_world *world = bare_world(1e-3);
  stc_part ball = yard_ball(0.1);
  int mark[3];
  const stc_part *part;
  int parts;
  ball.user = &mark[2];
  stc_body_id id = add(world, &ball, 0, 1);
  stc_joint joint = yard_joint(world, (stc_joint){.anchor = {0, 0, 2}}, 0, -1);
  stc_joint_id hold;
  assert_int_equal(stc_world_add_joint(world, &joint, &hold), STC_OK);
  assert_int_equal(stc_world_set_body_user(world, id, &mark[0]), STC_OK);
  assert_int_equal(stc_world_set_joint_user(world, hold, &mark[1]), STC_OK);
  assert_int_equal(stc_world_set_surface_user(world, 3, &mark[1]), STC_OK);
  yard_start(world);
  yard_step(world);
  assert_true(stc_world_body_user(world, id) == &mark[0]);
  assert_true(stc_world_joint_user(world, hold) == &mark[1]);
  assert_true(stc_world_surface_user(world, 3) == &mark[1]);
  assert_null(stc_world_surface_user(world, 2));
  assert_null(stc_world_surface_user(world, 4));
  assert_int_equal(stc_world_parts(world, id, &parts, &part), STC_OK);
  assert_true(part->user == &mark[2]);
  assert_int_equal(stc_world_remove_body(world, id), STC_OK);
  assert_null(stc_world_body_user(world, id));
  assert_null(stc_world_joint_user(world, hold));
  expect_failure(stc_world_set_body_user(world, id, mark), STC_ERR_ARGUMENT, "stale");
  expect_failure(stc_world_set_joint_user(world, hold, mark), STC_ERR_ARGUMENT, "stale");
  expect_failure(stc_world_set_surface_user(world, -1, mark), STC_ERR_ARGUMENT, "surface");
  stc_world_free(&world);
}

static void test_events_come_back(void **state) {
  // a snapshot brings the events back; a restored state has contacts that persist
  stc_world *world = bare_world(1e-3);
  stc_part ball = yard_ball(0.1);
  stc_world_snapshot *snapshot = NULL;
  yard_floor(world, 0);
  stc_body_id id = add(world, &ball, 0, 0.1);
  yard_start(world);
  yard_step(world);
  stc_world_event first = only_event(world, STC_EVENT_BEGIN);
  assert_int_equal(stc_world_snapshot_take(world, &snapshot), STC_OK);
  double *numbers = malloc(stc_world_state_size(world) * sizeof *numbers);
  assert_non_null(numbers);
  stc_world_save(world, numbers);
  const double up[3] = {0, 0, 1};
  assert_int_equal(stc_world_move_body(world, id, NULL, up, NULL), STC_OK);
  yard_step(world), yard_step(world);
  assert_int_equal(stc_world_restore(world, numbers, stc_world_state_size(world)), STC_OK);
  stc_world_event e = only_event(world, STC_EVENT_PERSIST);
  assert_memory_equal(e.impulse, first.impulse, sizeof e.impulse);
  assert_int_equal(stc_world_snapshot_restore(snapshot, world), STC_OK);
  only_event(world, STC_EVENT_BEGIN);
  yard_step(world);
  only_event(world, STC_EVENT_PERSIST);
  free(numbers);
  stc_world_snapshot_free(&snapshot);
  stc_world_free(&world);
}

/// What a filter lets through, and what it was asked.
typedef struct gate {
  int shut;  ///< the body that passes through all others; -1: none
  int part;  ///< the part of it that does; -1: all
  long asked;
} gate;

static bool lets_through(void *user, stc_body_id a, int part_a, stc_body_id b, int part_b) {
  gate *g = user;
  g->asked++;
  assert_true(a.index < b.index && part_a == 0);
  return b.index != g->shut || (g->part >= 0 && part_b != g->part);
}

static void test_a_filter_says_who_touches(void **state) {
  // of three balls that lie on the floor the second falls through it once the filter says so, and
  // the third with its lower part only; a branch of a snapshot asks the same filter
  stc_world *world = bare_world(2e-3), *branch = NULL;
  stc_world_snapshot *snapshot = NULL;
  stc_part ball = yard_ball(0.1), two[2] = {yard_ball(0.1), yard_ball(0.05)};
  gate g = {.shut = -1, .part = -1};
  yard_floor(world, 0);
  add(world, &ball, 0, 0.1);
  stc_body_id second = add(world, &ball, 1, 0.1);
  two[1].pose.x[2] = 0.2;
  stc_rigid_body body = yard_body(two, 2, 0, 0.1);
  body.parts = 2;
  int third = yard_add(world, &body);
  yard_start(world);
  yard_run(world, 50);
  expect_ok(stc_world_set_pair_filter(world, lets_through, &g));
  yard_run(world, 50);  // it lets all touch
  assert_true(g.asked > 0 && fabs(yard_body_at(world, 2).centre[2] - 0.1) < 1e-6);
  g.shut = second.index;
  expect_ok(stc_world_set_pair_filter(world, lets_through, &g));
  expect_ok(stc_world_snapshot_take(world, &snapshot));
  expect_ok(stc_world_snapshot_branch(snapshot, &branch));
  yard_run(world, 100);
  yard_run(branch, 100);
  expect_near(yard_body_at(world, 2).centre[2], 0.1 - G * 0.04 / 2, 0.03);
  assert_true(yard_body_at(world, 2).centre[2] == yard_body_at(branch, 2).centre[2]);
  assert_true(fabs(yard_body_at(world, 1).centre[2] - 0.1) < 1e-6);
  g.shut = third, g.part = 0;
  expect_ok(stc_world_set_pair_filter(world, lets_through, &g));  // the third one sleeps
  yard_run(world, 400);
  stc_body_state rests = yard_body_at(world, third);
  assert_true(rests.pose.x[2] > -0.2 && rests.pose.x[2] < 0.09);
  expect_ok(stc_world_set_pair_filter(world, NULL, NULL));
  expect_failure(stc_world_set_pair_filter(NULL, NULL, NULL), STC_ERR_ARGUMENT, "needs a world");
  stc_world_snapshot_free(&snapshot);
  stc_world_free(&branch);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_ball_lands),
                                     cmocka_unit_test(test_a_ball_bounces),
                                     cmocka_unit_test(test_groups),
                                     cmocka_unit_test(test_sensors),
                                     cmocka_unit_test(test_sensors_and_masks),
                                     cmocka_unit_test(test_arrays),
                                     cmocka_unit_test(test_user_data),
                                     cmocka_unit_test(test_events_come_back),
                                     cmocka_unit_test(test_a_filter_says_who_touches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
