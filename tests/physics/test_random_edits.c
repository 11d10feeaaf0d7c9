// Random edits: bodies, joints, pairs and surfaces come, go, move and change between the steps of a
// world, with handles that are stale among them; snapshots are taken, restored and branched. No
// crash, no stale handle accepted, a ledger that balances, and the same bits from every snapshot
// and for every number of threads. STICTION_TRIALS=EDITS or SEED:EDITS sets others.
#include "physics/yard.h"

#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>

enum { EDITS = 3000, BODIES = 24, STALE = 64, REPLAY = 3 };

/// A world under edits, and what is known of it.
typedef struct play {
  uint64_t seed;
  stc_world *world;
  stc_body_id stale[STALE];
  stc_joint_id stale_joint[STALE];
  int stales, stale_joints;
  double drive;
  long steps, taken, contacts, refused, overlaps, restored, asked, events, asleep;
} play;

static double draw(play *p) {
  p->seed = p->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(p->seed >> 11) * 0x1p-53;
}

static int pick(play *p, int count) { return (int)(draw(p) * count); }

static void need_step(stc_error error) {
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
}

/// Some body of the world; zeros: there is none.
static stc_body_id some_body(play *p) {
  int slots = stc_world_body_slots(p->world);
  if (slots == 0) return (stc_body_id){0};
  return stc_world_body_at(p->world, pick(p, slots));
}

static stc_part random_part(play *p) {
  double a = 0.05 + 0.1 * draw(p), b = 0.05 + 0.1 * draw(p), c = 0.05 + 0.1 * draw(p);
  stc_part part = yard_box(a, b, c);
  int kind = pick(p, 3);
  if (kind == 0) part = yard_ball(a);
  if (kind == 1) {
    part.shape.kind = STC_SHAPE_CAPSULE;
    part.shape.radius = a, part.shape.half[2] = b;
  }
  part.group = pick(p, 6) ? 0 : 2;
  part.mask = pick(p, 6) ? 0 : 3;
  return part;
}

/// A place above the floor, seldom in another body.
static void random_place(play *p, double x[3]) {
  x[0] = 1.5 * draw(p), x[1] = 1.5 * draw(p), x[2] = 0.25 + 0.8 * draw(p);
}

static bool sway(void *user, double t, double velocity[3], double omega[3]) {
  velocity[0] = 0.2 * cos(3 * t);
  return true;
}

// --- Edits ---

static void forget_body(play *p, stc_body_id id) { p->stale[p->stales++ % STALE] = id; }

static void add_body(play *p) {
  stc_part part[2] = {random_part(p), random_part(p)};
  double x[3];
  part[1].pose.x[0] = 0.1;
  random_place(p, x);
  stc_rigid_body body = yard_body(part, x[0], x[1], x[2]);
  body.parts = 1 + pick(p, 2);
  part[1].sensor = pick(p, 3) == 0;
  body.surface = pick(p, 3);
  body.mobility = pick(p, 8) == 0 ? STC_MOBILITY_DRIVEN : STC_MOBILITY_FREE;
  body.drive = sway;
  body.velocity[0] = draw(p) - 0.5;
  if (stc_world_bodies(p->world) < BODIES) need_step(stc_world_add_body(p->world, &body, NULL));
}

static void remove_body(play *p) {
  stc_body_id id = some_body(p);
  if (!stc_world_has_body(p->world, id) || id.index == 0) return;  // the floor stays
  for (int j = 0; j < stc_world_joint_slots(p->world); j++)
    p->stale_joint[p->stale_joints++ % STALE] = stc_world_joint_at(p->world, j);
  need_step(stc_world_remove_body(p->world, id));
  int kept = 0;
  for (int k = 0; k < STALE; k++)  // those of other bodies are not stale
    if (!stc_world_has_joint(p->world, p->stale_joint[k]))
      p->stale_joint[kept++] = p->stale_joint[k];
  p->stale_joints = kept;
  for (; kept < STALE; kept++) p->stale_joint[kept] = (stc_joint_id){0};
  forget_body(p, id);
}

static void move_body(play *p) {
  stc_body_id id = some_body(p);
  stc_pose pose = stc_pose_identity();
  stc_rigid_body body;
  const double still[3] = {0, 0, 0};
  random_place(p, pose.x);
  if (!stc_world_has_body(p->world, id) || id.index == 0) return;
  need_step(stc_world_describe_body(p->world, id, &body));
  need_step(stc_world_move_body(p->world, id, &pose,
                                body.mobility == STC_MOBILITY_FREE ? still : NULL, NULL));
}

/// Another size, or another mobility.
static void change_body(play *p) {
  stc_body_id id = some_body(p);
  stc_rigid_body body;
  if (!stc_world_has_body(p->world, id) || id.index == 0) return;
  need_step(stc_world_describe_body(p->world, id, &body));
  stc_part part = random_part(p);
  if (pick(p, 2)) body.parts = 1, body.part = &part;
  body.mobility = (stc_mobility)pick(p, 3);
  body.drive = sway;
  if (stc_world_replace_body(p->world, id, &body)) p->refused++;
}

static void switch_body(play *p) {
  stc_body_id id = some_body(p);
  if (stc_world_has_body(p->world, id) && stc_world_enable_body(p->world, id, pick(p, 3) > 0))
    p->refused++;
}

static void add_joint(play *p) {
  stc_joint joint = stc_default_joint();
  stc_joint_id id;
  stc_body_state at;
  joint.body[0] = some_body(p), joint.body[1] = pick(p, 2) ? some_body(p) : (stc_body_id){0};
  joint.axis[1] = 1;
  joint.kind = pick(p, 2) ? STC_JOINT_BALL : STC_JOINT_HINGE;
  if (stc_world_body(p->world, joint.body[0], &at)) return;
  memcpy(joint.anchor, at.centre, sizeof joint.anchor);
  bool far = stc_world_has_body(p->world, joint.body[1]);  // it would tear them together
  if (far || stc_world_add_joint(p->world, &joint, &id)) p->refused++;
}

static void remove_joint(play *p) {
  int slots = stc_world_joint_slots(p->world);
  stc_joint_id id = stc_world_joint_at(p->world, slots ? pick(p, slots) : 0);
  if (!stc_world_has_joint(p->world, id)) return;
  need_step(stc_world_remove_joint(p->world, id));
  p->stale_joint[p->stale_joints++ % STALE] = id;
}

static void change_pairs(play *p) {
  stc_surface_pair pair = stc_default_surface_pair();
  stc_body_id a = some_body(p), b = some_body(p);
  pair.mu = draw(p);
  if (pick(p, 3) == 0) pair.compliance = 1e-6 + 1e-5 * draw(p), pair.damping = 100;
  if (pick(p, 4) == 0)
    need_step(stc_world_set_surface_pair(p->world, pick(p, 3), pick(p, 3), &pair));
  if (!stc_world_has_body(p->world, a) || !stc_world_has_body(p->world, b)) return;
  need_step(pick(p, 2) ? stc_world_ignore(p->world, a, b) : stc_world_unignore(p->world, a, b));
}

/// Casts and overlaps name what is there.
static void ask(play *p) {
  stc_world_hit hit;
  stc_world_part found[4];
  stc_query query = {.mask = pick(p, 2) ? 0 : 1, .sensors = pick(p, 2), .except = some_body(p)};
  stc_part part = random_part(p);
  stc_pose pose = stc_pose_identity();
  int count;
  random_place(p, pose.x);
  if (query.except.index == 0) query.except.generation = 0;  // the floor is met at least
  const double way[3] = {draw(p) - 0.5, draw(p) - 0.5, -2};
  need_step(stc_world_cast_ray(p->world, pose.x, way, &query, &hit));
  bool floor = stc_world_is_enabled(p->world, stc_world_body_at(p->world, 0));
  assert_true(!floor || stc_world_has_body(p->world, hit.body));
  need_step(stc_world_cast_shape(p->world, &part.shape, &pose, way, &query, &hit));
  assert_true(!floor || (stc_world_has_body(p->world, hit.body) && hit.cast.fraction <= 1));
  need_step(stc_world_overlap(p->world, &part.shape, &pose, &query, 4, found, &count));
  for (int k = 0; k < count && k < 4; k++) assert_true(stc_world_has_body(p->world, found[k].body));
  p->asked++;
}

/// Everything that takes a handle refuses one that is stale.
static void use_stale(play *p) {
  stc_body_id id = p->stale[pick(p, STALE)];
  stc_joint_id joint = p->stale_joint[pick(p, STALE)];
  stc_rigid_body body;
  stc_body_state state;
  stc_world *world = p->world;
  assert_int_equal(stc_world_body(world, id, &state), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_remove_body(world, id), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_describe_body(world, id, &body), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_move_body(world, id, NULL, NULL, NULL), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_enable_body(world, id, true), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_ignore(world, id, stc_world_body_at(world, 0)), STC_ERR_ARGUMENT);
  assert_int_equal(stc_world_remove_joint(world, joint), STC_ERR_ARGUMENT);
}

static void edit(play *p) {
  static void (*const edits[])(play *) = {
      add_body,  add_body,     remove_body,  move_body,    move_body, change_body, switch_body,
      add_joint, remove_joint, remove_joint, change_pairs, use_stale, ask,         ask};
  edits[pick(p, sizeof edits / sizeof *edits)](p);
}

// --- Steps ---

/// Takes the body out that the sentence of an overlap names.
static void take_out(play *p) {
  const char *text = strstr(stc_error_detail(), " and ");
  int b = -1;
  if (!text || sscanf(text, " and %d overlap", &b) != 1) fail_msg("%s", stc_error_detail());
  stc_body_id id = stc_world_body_at(p->world, b);
  need_step(stc_world_remove_body(p->world, id));
  forget_body(p, id);
  p->overlaps++;
}

/// Events are sorted, name contacts of their bodies, and only ends may be of bodies that are gone.
static void check_events(play *p, bool taken) {
  const stc_world_event *e;
  int count = stc_world_events(p->world, &e);
  for (int k = 0; k < count; k++, e++) {
    bool there =
        stc_world_has_body(p->world, e->body[0]) && stc_world_has_body(p->world, e->body[1]);
    assert_true(!taken || there || e->kind == STC_EVENT_END);
    assert_true(!taken || e->contacts > 0 || e->sensor || e->kind == STC_EVENT_END);
    for (int c = e->first; c < e->first + e->contacts; c++) {
      stc_world_contact contact;
      assert_true(c < stc_world_contacts(p->world));
      stc_world_contact_at(p->world, c, &contact);
      assert_true(contact.body[0].index == e->body[0].index &&
                  contact.body[1].index == e->body[1].index);
    }
  }
  p->events += count;
}

static void step(play *p) {
  stc_world_report report;
  while (stc_world_step(p->world, &report) != STC_OK) take_out(p);
  p->steps++;
  p->taken += report.accepted;
  p->contacts += report.contacts;
  check_events(p, report.accepted);
  for (int b = 0; b < stc_world_body_slots(p->world); b++)
    p->asleep += stc_world_sleeps(p->world, stc_world_body_at(p->world, b));
  const stc_ledger *l = stc_world_ledger(p->world);
  double sums = l->start + l->work + l->drive + l->friction + l->shock + l->correction + l->error;
  double size = fabs(l->kinetic) + fabs(l->potential) + fabs(l->work) + fabs(l->start) +
                fabs(l->drive) + fabs(l->friction) + fabs(l->shock);
  assert_true(fabs(l->kinetic + l->potential - sums) <= 1e-10 * size);
  // 50 kg between bodies that are driven at 0.2 m/s: what wedges them without an answer is refused,
  // where it drove 1e13 J in a step
  assert_true(fabs(l->drive - p->drive) < 1e9);
  p->drive = l->drive;
}

static void expect_same_places(const stc_world *a, const stc_world *b) {
  double places[2][(BODIES + 1) * STC_PLACE_NUMBERS];
  int slots = stc_world_body_slots(a);
  assert_true(slots == stc_world_body_slots(b) && slots <= BODIES + 1);
  stc_world_places(a, places[0]);
  stc_world_places(b, places[1]);
  assert_memory_equal(places[0], places[1], (size_t)slots * STC_PLACE_NUMBERS * sizeof(double));
}

/// A few steps, the same steps after a restore, and in a branch.
static void replay(play *p, stc_world_snapshot **snapshot) {
  stc_world *branch = NULL;
  stc_world_report report[2];
  stc_error error[2] = {STC_OK, STC_OK};
  step(p);
  need_step(stc_world_snapshot_take(p->world, snapshot));
  need_step(stc_world_snapshot_branch(*snapshot, &branch));
  for (int k = 0; k < REPLAY; k++) error[0] = stc_world_step(p->world, &report[0]);
  need_step(stc_world_snapshot_restore(*snapshot, p->world));
  for (int k = 0; k < REPLAY; k++) error[1] = stc_world_step(p->world, &report[1]);
  for (int k = 0; k < REPLAY; k++) error[1] = stc_world_step(branch, &report[1]);
  assert_int_equal(error[0], error[1]);
  expect_same_places(p->world, branch);
  stc_world_free(&branch);
  p->restored++;
}

static int edits_wanted(uint64_t *seed) {
  const char *given = getenv("STICTION_TRIALS"), *colon = given ? strchr(given, ':') : NULL;
  *seed = colon ? strtoull(given, NULL, 10) : 7;
  return given ? atoi(colon ? colon + 1 : given) : EDITS;
}

static play play_through(uint64_t seed, int threads, int edits) {
  stc_world_settings settings = stc_default_world_settings();
  stc_world_snapshot *snapshot = NULL;
  settings.h = 5e-3;
  settings.tol = 1e-5, settings.accept = 1e-2;
  settings.threads = threads;
  play p = {.seed = seed, .world = yard_create(&settings)};
  yard_floor(p.world, 0);
  for (int k = 0; k < edits; k++) {
    while (k == 100 && stc_world_start(p.world, 0) != STC_OK) take_out(&p);
    edit(&p);
    for (int n = pick(&p, 8); k > 100 && n > 0; n--) step(&p);
    if (k > 100 && pick(&p, 50) == 0) replay(&p, &snapshot);
  }
  stc_world_snapshot_free(&snapshot);
  return p;
}

static void test_random_edits(void **state) {
  uint64_t seed;
  int edits = edits_wanted(&seed);
  play a = play_through(seed, 1, edits);
  printf("  %d edits, %ld refused, %ld overlaps; %ld of %ld steps, %.1f contacts, %ld snapshots\n",
         edits, a.refused, a.overlaps, a.taken, a.steps, (double)a.contacts / (double)a.steps,
         a.restored);
  printf("  %ld questions, %.1f events a step, %.1f bodies asleep\n", a.asked,
         (double)a.events / (double)a.steps, (double)a.asleep / (double)a.steps);
  assert_true(a.taken > a.steps * 9 / 10);
  play b = play_through(seed, 2, edits < EDITS ? edits : EDITS);
  if (edits <= EDITS) expect_same_places(a.world, b.world);
  stc_world_free(&a.world);
  stc_world_free(&b.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_edits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
