// Questions to a world: casts, overlaps and nearest points are those of a search through all parts
// with the same functions of shapes, in random worlds that are edited and stepped; group masks,
// sensors and exceptions are left out; 1e5 bodies are searched in microseconds.
// STICTION_TRIALS sets the number of questions.
#include "physics/yard.h"

#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>
#include <time.h>

enum { QUESTIONS = 6000, WORLDS = 20, BODIES = 60, MOST = 5 };

static uint64_t seed = 11;

static double draw(void) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(seed >> 11) * 0x1p-53;
}

static double between(double a, double b) { return a + (b - a) * draw(); }
static int pick(int count) { return (int)(draw() * count); }

static stc_hull *hull;
static stc_terrain *terrain;

static void make_shapes(void) {
  double point[12 * 3];
  const double ground[12] = {-6, -6, -1, 6, -6, -1.5, 6, 6, -1, -6, 6, -2};
  const int triangle[6] = {0, 1, 2, 0, 2, 3};
  for (int k = 0; k < 36; k++) point[k] = between(-0.4, 0.4);
  assert_int_equal(stc_hull_create(12, point, &hull), STC_OK);
  assert_int_equal(stc_terrain_create(4, ground, 2, triangle, &terrain), STC_OK);
}

static stc_shape random_shape(void) {
  stc_shape s = {.radius = between(0.05, 0.3), .half = {0.1, between(0.05, 0.3), 0.2}};
  s.kind = (stc_shape_kind)pick(5);
  s.hull = hull;
  return s;
}

static stc_pose random_pose(double size) {
  stc_pose pose = {.x = {between(-size, size), between(-size, size), between(-0.5, size)}};
  double norm = 0;
  for (int k = 0; k < 4; k++) pose.rotation[k] = between(-1, 1);
  for (int k = 0; k < 4; k++) norm += pose.rotation[k] * pose.rotation[k];
  for (int k = 0; k < 4; k++) pose.rotation[k] /= sqrt(norm);
  return pose;
}

static void add_random(stc_world *world, bool fixed) {
  stc_part part[2];
  stc_rigid_body body = stc_default_body();
  for (int k = 0; k < 2; k++) {
    part[k] = (stc_part){.shape = random_shape(), .pose = random_pose(0.3), .density = 1000};
    part[k].group = UINT64_C(1) << pick(3);
    part[k].sensor = pick(6) == 0;
    part[k].mask = 8;  // nothing touches
  }
  body.parts = 1 + pick(2), body.part = part;
  body.pose = random_pose(4);
  body.mobility = fixed ? STC_MOBILITY_FIXED : STC_MOBILITY_FREE;
  if (part[0].sensor) body.mobility = STC_MOBILITY_FIXED;
  for (int i = 0; i < 3; i++) body.velocity[i] = between(-20, 20);
  if (body.mobility != STC_MOBILITY_FREE) memset(body.velocity, 0, sizeof body.velocity);
  yard_add(world, &body);
}

static stc_world *random_world(void) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 1e-2;
  stc_world *world = yard_create(&settings);
  stc_part ground = {.pose = stc_pose_identity(), .mask = 8};
  stc_rigid_body body = yard_body(&ground, 0, 0, -2);
  body.mobility = STC_MOBILITY_FIXED;
  ground.shape.kind = STC_SHAPE_PLANE;
  yard_add(world, &body);
  ground.shape.kind = STC_SHAPE_TERRAIN, ground.shape.terrain = terrain;
  yard_add(world, &body);
  for (int k = 0; k < BODIES; k++) add_random(world, pick(2));
  return world;
}

// --- By all parts ---

/// A part of the world where it is; false: there is no such part, or it is not seen.
static bool part_of(const stc_world *world, const stc_query *query, int b, int k, stc_part *part,
                    stc_pose *pose) {
  stc_body_id id = stc_world_body_at(world, b);
  stc_body_state state;
  const stc_part *list;
  int parts;
  if (!stc_world_has_body(world, id) || !stc_world_is_enabled(world, id)) return false;
  if (b == query->except.index && query->except.generation) return false;
  assert_int_equal(stc_world_parts(world, id, &parts, &list), STC_OK);
  if (k >= parts || (list[k].sensor && !query->sensors)) return false;
  if (query->mask && !(query->mask & (list[k].group ? list[k].group : 1))) return false;
  assert_int_equal(stc_world_body(world, id, &state), STC_OK);
  *part = list[k];
  *pose = stc_pose_compose(&state.pose, &list[k].pose);
  return true;
}

typedef struct asked {
  const stc_shape *shape;
  stc_pose pose;
  double way[3];
} asked;

/// Hits on the way, sorted; how many there are, of which MOST are kept.
static int all_hits(const stc_world *world, const stc_query *query, const asked *a,
                    stc_world_hit hit[MOST]) {
  int count = 0;
  for (int b = 0; b < stc_world_body_slots(world); b++)
    for (int k = 0; k < 2; k++) {
      stc_part part;
      stc_pose pose;
      stc_world_hit own = {.body = stc_world_body_at(world, b), .part = k};
      if (!part_of(world, query, b, k, &part, &pose)) continue;
      if (a->shape ? !stc_shape_cast(a->shape, &a->pose, a->way, &part.shape, &pose, &own.cast)
                   : !stc_shape_cast_ray(&part.shape, &pose, a->pose.x, a->way, &own.cast))
        continue;
      int at = count < MOST ? count : MOST;
      while (at > 0 && own.cast.fraction < hit[at - 1].cast.fraction) at--;
      for (int i = count < MOST ? count : MOST - 1; i > at; i--) hit[i] = hit[i - 1];
      if (at < MOST) hit[at] = own;
      count++;
    }
  return count;
}

static void expect_same_hit(const stc_world_hit *a, const stc_world_hit *b) {
  assert_true(a->body.index == b->body.index && a->body.generation == b->body.generation);
  assert_int_equal(a->part, b->part);
  assert_true(a->cast.fraction == b->cast.fraction && a->cast.triangle == b->cast.triangle);
  assert_memory_equal(a->cast.normal, b->cast.normal, sizeof a->cast.normal);
}

static int ask_casts(stc_world *world, const stc_query *query, const asked *a) {
  stc_world_hit want[MOST], got[MOST];
  int hits = all_hits(world, query, a, want), count;
  if (a->shape)
    expect_ok(stc_world_cast_shape(world, a->shape, &a->pose, a->way, query, &got[0]));
  else
    expect_ok(stc_world_cast_ray(world, a->pose.x, a->way, query, &got[0]));
  if (hits == 0) assert_true(got[0].body.generation == 0);
  if (hits > 0) expect_same_hit(&got[0], &want[0]);
  if (a->shape) return hits > 0;
  expect_ok(stc_world_cast_ray_through(world, a->pose.x, a->way, query, MOST, got, &count));
  assert_int_equal(count, hits < MOST ? hits : MOST);
  for (int k = 0; k < count; k++) expect_same_hit(&got[k], &want[k]);
  return hits > 0;
}

static void ask_near(stc_world *world, const stc_query *query, const asked *a) {
  stc_world_nearest got;
  stc_world_part part[MOST];
  double reach = pick(2) ? INFINITY : 1, best = INFINITY;
  int count, overlaps = 0, first = -1, nearest = -1;
  for (int b = 0; b < stc_world_body_slots(world); b++)
    for (int k = 0; k < 2; k++) {
      stc_part own;
      stc_pose pose;
      stc_closest closest;
      if (!part_of(world, query, b, k, &own, &pose)) continue;
      if (stc_shape_overlap(a->shape, &a->pose, &own.shape, &pose)) {
        first = overlaps++ == 0 ? b : first;
      }
      if (!stc_shape_closest(a->shape, &a->pose, &own.shape, &pose, &closest)) continue;
      if (closest.distance < best) best = closest.distance, nearest = b;
    }
  expect_ok(stc_world_overlap(world, a->shape, &a->pose, query, MOST, part, &count));
  assert_int_equal(count, overlaps);
  if (count > 0) assert_int_equal(part[0].body.index, first);
  expect_ok(stc_world_closest(world, a->shape, &a->pose, reach, query, &got));
  if (best > reach)
    assert_true(got.body.generation == 0);
  else
    assert_true(got.body.index == nearest && got.closest.distance == best);
}

static int ask(stc_world *world, int k) {
  stc_shape shape = random_shape();
  stc_query query = {.mask = pick(2) ? 0 : 3, .sensors = pick(2)};
  asked a = {.shape = k % 4 == 3 ? &shape : NULL, .pose = random_pose(5)};
  for (int i = 0; i < 3; i++) a.way[i] = pick(8) ? between(-6, 6) : 0;
  if (pick(3) == 0) query.except = stc_world_body_at(world, pick(BODIES));
  int hit = ask_casts(world, &query, &a);
  if (a.shape) ask_near(world, &query, &a);
  return hit;
}

static void edit_some(stc_world *world) {
  stc_body_id id = stc_world_body_at(world, 2 + pick(BODIES));
  stc_pose pose = random_pose(4);
  if (!stc_world_has_body(world, id)) return;
  int what = pick(4);
  if (what == 0) {
    expect_ok(stc_world_remove_body(world, id));
    add_random(world, true);
  }
  if (what == 1) expect_ok(stc_world_move_body(world, id, &pose, NULL, NULL));
  if (what == 2) expect_ok(stc_world_enable_body(world, id, pick(2)));
  if (what == 3) yard_step(world);
}

static void test_against_all_parts(void **state) {
  const char *given = getenv("STICTION_TRIALS");
  int questions = given ? atoi(given) : QUESTIONS, hits = 0;
  make_shapes();
  for (int w = 0; w < WORLDS; w++) {
    stc_world *world = random_world();
    ask(world, 3);  // before the start
    yard_start(world);
    for (int k = 0; k < questions / WORLDS; k++) {
      if (k % 20 == 0) edit_some(world);
      hits += ask(world, k);
    }
    stc_world_free(&world);
  }
  printf("  %d questions, %d of them met something\n", questions, hits);
  assert_in_range(hits, questions / 8, questions);
  stc_hull_free(&hull);
  stc_terrain_free(&terrain);
}

// --- What is refused ---

static bool only_second(void *user, stc_body_id body, int part) {
  return body.index == 1 && part == 0;
}

static void test_answers(void **state) {
  // two balls of radius 1 at x = 5 and x = 10: the ray along x meets the first after 4 m; asked for
  // the second alone, after 9 m; the balls are 3 m apart, the nearest points at x = 6 and x = 9
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part ball = yard_ball(1);
  stc_rigid_body body = yard_body(&ball, 5, 0, 0);
  stc_body_id a, b;
  expect_ok(stc_world_add_body(world, &body, &a));
  body.pose.x[0] = 10;
  expect_ok(stc_world_add_body(world, &body, &b));
  const double from[3] = {0}, way[3] = {100, 0, 0}, wrong[3] = {NAN, 0, 0};
  stc_world_hit hit, hits[3];
  stc_closest closest;
  int count;
  expect_ok(stc_world_cast_ray(world, from, way, NULL, &hit));
  assert_true(hit.body.index == a.index && hit.part == 0 && hit.body.generation == a.generation);
  expect_near(hit.cast.fraction, 0.04, 1e-15);
  expect_ok(stc_world_cast_ray(world, from, way, &(stc_query){.sees = only_second}, &hit));
  expect_near(hit.cast.fraction, 0.09, 1e-15);
  expect_ok(stc_world_cast_ray_through(world, from, way, NULL, 3, hits, &count));
  assert_true(count == 2 && hits[1].body.index == b.index);
  expect_ok(stc_world_distance(world, a, b, &closest));
  expect_near(closest.distance, 3, 1e-12);
  expect_near(closest.x[0][0], 6, 1e-12);
  expect_failure(stc_world_cast_ray(world, wrong, way, NULL, &hit), STC_ERR_VALUE, "finite");
  const stc_shape plane = {.kind = STC_SHAPE_PLANE};
  const stc_pose here = stc_pose_identity();
  expect_failure(stc_world_cast_shape(world, &plane, &here, way, NULL, &hit), STC_ERR_ARGUMENT,
                 "neither plane nor terrain");
  expect_failure(stc_world_closest(world, &ball.shape, &here, -1, NULL, &(stc_world_nearest){0}),
                 STC_ERR_VALUE, "reach");
  expect_ok(stc_world_remove_body(world, b));
  expect_failure(stc_world_distance(world, a, b, &closest), STC_ERR_ARGUMENT, "stale");
  expect_ok(stc_world_cast_ray_through(world, from, way, NULL, 3, hits, &count));
  assert_int_equal(count, 1);
  stc_world_free(&world);
}

// --- Many bodies ---

static void test_many_bodies(void **state) {
  enum { SIDE = 47, CASTS = 20000 };  // 47^3 = 103823 balls, a third of the room filled
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part ball = yard_ball(0.4);
  int met = 0;
  for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
    stc_rigid_body body = yard_body(&ball, k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE));
    for (int i = 0; i < 3; i++) body.pose.x[i] += between(-0.1, 0.1);
    body.mobility = STC_MOBILITY_FIXED;
    yard_add(world, &body);
  }
  clock_t began = clock();
  const double from[3] = {-1, -1, -1}, way[3] = {1, 0, 0};
  stc_world_hit hit;
  expect_ok(stc_world_cast_ray(world, from, way, NULL, &hit));
  double built = (double)(clock() - began) / CLOCKS_PER_SEC;
  began = clock();
  for (int k = 0; k < CASTS; k++) {
    const double at[3] = {between(0, SIDE), between(0, SIDE), between(0, SIDE)};
    const double along[3] = {between(-50, 50), between(-50, 50), between(-50, 50)};
    expect_ok(stc_world_cast_ray(world, at, along, NULL, &hit));
    met += hit.body.generation > 0;
  }
  double each = (double)(clock() - began) / CLOCKS_PER_SEC / CASTS;
  printf("  %d bodies: tree %.0f ms, a cast %.2f us\n", SIDE * SIDE * SIDE, 1e3 * built,
         1e6 * each);
  assert_in_range(met, CASTS * 3 / 4, CASTS);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_all_parts),
                                     cmocka_unit_test(test_answers),
                                     cmocka_unit_test(test_many_bodies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
