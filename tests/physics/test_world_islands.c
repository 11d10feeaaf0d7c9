// Islands that sleep: they are no part of the steps of others, keep their contacts and events, wake
// as a whole by what meets them and by edits, and the bits do not depend on threads, on when which
// island fell asleep, on snapshots or restarts.
#include "physics/yard.h"

#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>
#include <time.h>

enum { HIGH = 4, FLOOR = 0 };

/// A floor, two towers of boxes at x = 0 and x = 5, and a ball that rolls along y at x = 20.
typedef struct place {
  stc_world *world;
  stc_body_id tower[2][HIGH], ball;
} place;

static place towers(int threads, bool with_ball) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 2e-3, settings.exact = true;
  settings.threads = threads;
  place p = {.world = yard_create(&settings)};
  stc_part box = yard_box(0.2, 0.2, 0.1), ball = yard_ball(0.1);
  yard_floor(p.world, 0);
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < HIGH; k++) {
      stc_rigid_body body = yard_body(&box, 5 * t, 0, 0.1 + 0.2 * k);
      expect_ok(stc_world_add_body(p.world, &body, &p.tower[t][k]));
    }
  stc_rigid_body body = yard_body(&ball, 20, 0, 0.1);
  body.velocity[1] = 1, body.omega[0] = -10;
  if (with_ball) expect_ok(stc_world_add_body(p.world, &body, &p.ball));
  yard_start(p.world);
  return p;
}

static int sleepers(const place *p, int tower) {
  int count = 0;
  for (int k = 0; k < HIGH; k++) count += stc_world_sleeps(p->world, p->tower[tower][k]);
  return count;
}

static void expect_same_bits(const stc_world *a, const stc_world *b) {
  double places[2][16 * STC_PLACE_NUMBERS];
  assert_true(stc_world_body_slots(a) == stc_world_body_slots(b) && stc_world_body_slots(a) <= 16);
  stc_world_places(a, places[0]), stc_world_places(b, places[1]);
  assert_memory_equal(places[0], places[1],
                      (size_t)stc_world_body_slots(a) * STC_PLACE_NUMBERS * sizeof(double));
}

static int contacts_of_problem(const stc_world *world) {
  const stc_problem *problem = stc_world_problem(world, NULL);
  return problem ? stc_problem_contacts(problem) : 0;
}

static void test_towers_sleep(void **state) {
  // the ball's contact alone is solved; 2 x 4 x 4 contacts of the towers stay, with their loads:
  // each tower presses on the floor with its weight; the events persist
  place p = towers(1, true);
  const stc_world_event *event;
  yard_run(p.world, 10);
  assert_true(sleepers(&p, 0) == HIGH && sleepers(&p, 1) == HIGH);
  assert_false(stc_world_sleeps(p.world, p.ball));
  stc_world_report report = yard_step(p.world);
  assert_int_equal(report.contacts, 33);
  assert_int_equal(stc_world_contacts(p.world), 33);
  assert_int_equal(contacts_of_problem(p.world), 1);
  double pressed = 0;
  for (int c = 0; c < 33; c++) {
    stc_world_contact contact;
    stc_world_contact_at(p.world, c, &contact);
    if (contact.body[0].index == FLOOR && contact.body[1].index == p.tower[0][0].index)
      pressed += contact.r[0];
  }
  double mass = 1000 * 0.4 * 0.4 * 0.2;
  expect_near(pressed, HIGH * mass * 9.81 * 2e-3, 1e-6 * mass);
  int events = stc_world_events(p.world, &event);
  assert_int_equal(events, 2 * HIGH + 1);
  for (int k = 0; k < events; k++) {
    stc_world_contact contact;
    assert_int_equal(event[k].kind, STC_EVENT_PERSIST);
    stc_world_contact_at(p.world, event[k].first, &contact);
    assert_true(contact.body[0].index == event[k].body[0].index &&
                contact.body[1].index == event[k].body[1].index);
  }
  stc_world_free(&p.world);
}

static void test_what_moves_is_alone(void **state) {
  // with towers that sleep a ball moves as in a world without them, to the last bit
  place p = towers(1, false);
  stc_part part = yard_ball(0.1);
  stc_rigid_body body = yard_body(&part, 20, 0, 0.5);
  body.velocity[0] = 1;
  yard_run(p.world, 10);
  expect_ok(stc_world_add_body(p.world, &body, &p.ball));
  yard_run(p.world, 3);  // the towers sleep, the ball falls
  assert_true(sleepers(&p, 0) == HIGH);
  stc_world_settings settings = *stc_world_given(p.world);
  stc_world *bare = yard_create(&settings);
  yard_floor(bare, 0);
  stc_body_id other;
  expect_ok(stc_world_add_body(bare, &body, &other));
  yard_start(bare);
  yard_run(bare, 3);
  for (int k = 0; k < 300; k++) {
    stc_body_state a, b;
    yard_step(p.world), yard_step(bare);
    expect_ok(stc_world_body(p.world, p.ball, &a));
    expect_ok(stc_world_body(bare, other, &b));
    assert_memory_equal(&a, &b, sizeof a);
  }
  stc_world_free(&p.world), stc_world_free(&bare);
}

/// Lets the towers sleep, does something, takes a step; how many boxes of each are awake then.
static void wake_by(place *p, void (*what)(place *p), int awake[2]) {
  yard_run(p->world, 10);
  assert_true(sleepers(p, 0) == HIGH && sleepers(p, 1) == HIGH);
  what(p);
  for (int t = 0; t < 2; t++) awake[t] = HIGH - sleepers(p, t);
}

static void push_top(place *p) {
  stc_body_load load = stc_default_load();
  load.force[0] = 1;
  expect_ok(stc_world_push(p->world, p->tower[0][HIGH - 1], &load));
}
static void move_middle(place *p) {
  const double still[3] = {0};
  expect_ok(stc_world_move_body(p->world, p->tower[0][1], NULL, still, NULL));
}
static void remove_lowest(place *p) { expect_ok(stc_world_remove_body(p->world, p->tower[0][0])); }
static void remove_floor(place *p) {
  expect_ok(stc_world_remove_body(p->world, stc_world_body_at(p->world, FLOOR)));
}
static void tilt(place *p) {
  expect_ok(stc_world_set_gravity(p->world, (const double[]){0.1, 0, -9.81}));
}
static void wax(place *p) {
  stc_surface_pair pair = {.mu = 0.2};
  expect_ok(stc_world_set_surface_pair(p->world, 0, 0, &pair));
}
static void hang(place *p) {
  stc_joint joint = stc_default_joint();
  joint.body[0] = p->tower[0][HIGH - 1];
  joint.anchor[2] = 0.7;
  expect_ok(stc_world_add_joint(p->world, &joint, NULL));
}

static void test_edits_wake(void **state) {
  static const struct {
    void (*what)(place *p);
    int awake[2];  // a removed one does not sleep
  } cases[] = {{push_top, {HIGH, 0}},      {move_middle, {HIGH, 0}},
               {remove_lowest, {HIGH, 0}}, {remove_floor, {HIGH, HIGH}},
               {tilt, {HIGH, HIGH}},       {wax, {HIGH, HIGH}},
               {hang, {HIGH, 0}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    place p = towers(1, true);
    int awake[2];
    wake_by(&p, cases[k].what, awake);
    assert_int_equal(awake[0], cases[k].awake[0]);
    assert_int_equal(awake[1], cases[k].awake[1]);
    yard_run(p.world, 3);
    stc_world_free(&p.world);
  }
}

static void test_what_falls(void **state) {
  // without its lowest box a tower that slept falls, g t^2 / 2 in 20 steps; the other stays asleep
  place p = towers(1, true);
  yard_run(p.world, 10);
  remove_lowest(&p);
  yard_run(p.world, 20);
  double fall = 0.3 - yard_body_at(p.world, p.tower[0][1].index).pose.x[2];
  expect_near(fall, 9.81 * 0.04 * 0.04 / 2, 1e-10);
  assert_true(sleepers(&p, 1) == HIGH && sleepers(&p, 0) == 0);
  stc_world_free(&p.world);
}

static void test_a_hit_wakes(void **state) {
  // a ball flies into the second tower at 5 m/s and wakes it before it arrives; the first sleeps on
  place p = towers(1, true);
  stc_part part = yard_ball(0.1);
  stc_rigid_body body = yard_body(&part, 7, 0, 1);
  body.velocity[0] = -5;
  yard_run(p.world, 10);
  expect_ok(stc_world_add_body(p.world, &body, NULL));
  int met = 0;
  for (int k = 0; k < 400; k++) {
    yard_step(p.world);
    if (met == 0 && sleepers(&p, 1) < HIGH) met = k;
    assert_int_equal(sleepers(&p, 0), HIGH);
  }
  assert_in_range(met, 150, 175);  // 1.7 m at 5 m/s is 170 steps, seen a little before
  assert_true(fabs(yard_body_at(p.world, p.tower[1][2].index).pose.x[0] - 5) > 1e-3);
  stc_world_free(&p.world);
}

static bool moving_floor(void *user, double t, double velocity[3], double omega[3]) {
  velocity[0] = 1;
  return true;
}

static void test_a_driven_body_wakes(void **state) {
  // a driven block comes from the side and pushes the top of a tower: it wakes what it meets
  place p = towers(1, false);
  stc_part plate = yard_box(0.05, 0.1, 0.05);
  stc_rigid_body body = yard_body(&plate, -0.35, 0, 0.7);
  body.mobility = STC_MOBILITY_DRIVEN, body.drive = moving_floor;
  expect_ok(stc_world_add_body(p.world, &body, NULL));
  yard_run(p.world, 10);
  assert_true(sleepers(&p, 0) == HIGH && sleepers(&p, 1) == HIGH);
  yard_run(p.world, 40);  // 0.1 m at 1 m/s are 50 steps
  assert_true(sleepers(&p, 0) == 0 && sleepers(&p, 1) == HIGH);
  stc_world_free(&p.world);
}

/// The world after steps in which the towers are woken at different times.
static stc_world *woken(int threads, const int when[2]) {
  place p = towers(threads, true);
  const double still[3] = {0};
  for (int k = 0; k < 60; k++) {
    for (int t = 0; t < 2; t++)
      if (when[t] == k) expect_ok(stc_world_move_body(p.world, p.tower[t][1], NULL, still, NULL));
    yard_step(p.world);
  }
  assert_true(sleepers(&p, 0) == HIGH && sleepers(&p, 1) == HIGH);
  return p.world;
}

static void test_order_and_threads(void **state) {
  static const int when[4][2] = {{20, 30}, {30, 20}, {25, 25}, {-1, -1}};
  stc_world *first = woken(1, when[0]);
  for (int k = 0; k < 12; k++) {
    stc_world *other = woken(1 + k % 3, when[k / 3]);
    expect_same_bits(first, other);
    stc_world_free(&other);
  }
  stc_world_free(&first);
}

static void test_restarts(void **state) {
  // sleep is a part of snapshots and states: the same bits follow
  place p = towers(1, true);
  stc_world_snapshot *snapshot = NULL;
  stc_world *branch = NULL;
  yard_run(p.world, 10);
  size_t size = stc_world_state_size(p.world);
  double *numbers = malloc(size * sizeof *numbers);
  stc_world_save(p.world, numbers);
  expect_ok(stc_world_snapshot_take(p.world, &snapshot));
  expect_ok(stc_world_snapshot_branch(snapshot, &branch));
  assert_true(stc_world_sleeps(branch, p.tower[1][0]));
  yard_run(p.world, 50), yard_run(branch, 50);
  expect_same_bits(p.world, branch);
  place fresh = towers(1, true);
  expect_ok(stc_world_restore(fresh.world, numbers, size));
  assert_true(stc_world_sleeps(fresh.world, p.tower[1][0]));
  yard_run(fresh.world, 50);
  expect_same_bits(p.world, fresh.world);
  assert_int_equal(contacts_of_problem(fresh.world), 1);
  numbers[10 + 10 * STC_PLACE_NUMBERS] = 77;  // an island that there is not
  expect_failure(stc_world_restore(fresh.world, numbers, size), STC_ERR_VALUE, "island");
  free(numbers);
  stc_world_snapshot_free(&snapshot);
  stc_world_free(&p.world), stc_world_free(&branch), stc_world_free(&fresh.world);
}

static void test_many_sleepers(void **state) {
  // 2500 boxes sleep while a ball rolls: a step solves one contact, and costs a small part of one
  // in which all are awake
  enum { SIDE = 50 };
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part box = yard_box(0.2, 0.2, 0.1), ball = yard_ball(0.1);
  yard_floor(world, 0);
  for (int k = 0; k < SIDE * SIDE; k++) {
    stc_rigid_body body = yard_body(&box, k % SIDE, k / SIDE, 0.1);
    yard_add(world, &body);
  }
  stc_rigid_body body = yard_body(&ball, -5, 0, 0.1);
  body.velocity[1] = 1, body.omega[0] = -10;
  yard_add(world, &body);
  yard_start(world);
  clock_t began = clock();
  yard_run(world, 2);
  double awake = (double)(clock() - began) / 2;
  yard_run(world, 8);
  assert_int_equal(contacts_of_problem(world), 1);
  began = clock();
  yard_run(world, 50);
  double asleep = (double)(clock() - began) / 50;
  printf("  a step with %d boxes: %.2f ms awake, %.3f ms asleep\n", SIDE * SIDE,
         1e3 * awake / CLOCKS_PER_SEC, 1e3 * asleep / CLOCKS_PER_SEC);
  assert_true(asleep < awake / 10);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_towers_sleep),      cmocka_unit_test(test_what_moves_is_alone),
      cmocka_unit_test(test_edits_wake),        cmocka_unit_test(test_what_falls),
      cmocka_unit_test(test_a_hit_wakes),       cmocka_unit_test(test_a_driven_body_wakes),
      cmocka_unit_test(test_order_and_threads), cmocka_unit_test(test_restarts),
      cmocka_unit_test(test_many_sleepers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
