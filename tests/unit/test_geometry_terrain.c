// Shapes on terrain: flat triangles are a floor, ridges are edges, hollows are two floors.
#include "geometry_support.h"

enum { SIDE = 20, CORNERS = (SIDE + 1) * (SIDE + 1) };
static const stc_pose at_origin = {.rotation = {1, 0, 0, 0}};

// A square of 4 m with cells of 0.2 m, whose height above (x, y) is slope |x|.
static stc_terrain *make_terrain(double slope) {
  double point[3 * CORNERS];
  int triangle[6 * SIDE * SIDE], n = 0;
  stc_terrain *terrain = NULL;
  for (int i = 0; i < CORNERS; i++) {
    double x = (i % (SIDE + 1) - SIDE / 2) * 0.2, y = (i / (SIDE + 1) - SIDE / 2) * 0.2;
    point[3 * i] = x, point[3 * i + 1] = y, point[3 * i + 2] = slope * fabs(x);
  }
  for (int i = 0; i < SIDE * SIDE; i++) {
    int a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + 1, c = a + SIDE + 1, d = c + 1;
    int corner[6] = {a, b, d, a, d, c};
    for (int k = 0; k < 6; k++) triangle[n++] = corner[k];
  }
  assert_int_equal(stc_terrain_create(CORNERS, point, 2 * SIDE * SIDE, triangle, &terrain), STC_OK);
  return terrain;
}

// A ball anywhere over flat triangles, over their edges and corners too: one point, straight up.
static void a_ball_feels_a_flat_floor(void **state) {
  stc_random random = stc_random_seed(6);
  stc_terrain *terrain = make_terrain(0);
  stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 0.15};
  stc_shape ground = {.kind = STC_SHAPE_TERRAIN, .terrain = terrain};
  stc_contact_point point[STC_MANIFOLD];
  for (int t = 0; t < 2000; t++) {
    stc_pose pose = at_origin;
    for (int k = 0; k < 2; k++) {
      pose.x[k] = between(&random, -1.5, 1.5);
      if (t % (5 * (k + 1)) == 0) pose.x[k] = round(5 * pose.x[k]) / 5;  // on the lines
    }
    double gap = between(&random, -0.05, 0.02);
    pose.x[2] = 0.15 + gap;
    assert_int_equal(stc_collide(&ball, &pose, &ground, &at_origin, 0.03, point), 1);
    expect_near(point[0].gap, gap, 1e-14);
    expect_near(point[0].normal[2], 1, 1e-15);
    expect_near(point[0].x[0], pose.x[0], 1e-14);
    expect_near(point[0].x[2], gap / 2, 1e-14);
  }
  stc_terrain_free(&terrain);
}

// Boxes, capsules, cylinders and hulls on flat triangles: their gaps and normals are those of a
// plane, and the points span what they span on it.
static void flat_triangles_are_a_plane(void **state) {
  stc_random random = stc_random_seed(7);
  stc_terrain *terrain = make_terrain(0);
  stc_hull *hull = random_hull(&random, 14);
  stc_shape ground = {.kind = STC_SHAPE_TERRAIN, .terrain = terrain};
  stc_shape plane = {.kind = STC_SHAPE_PLANE};
  stc_contact_point point[STC_MANIFOLD], expected[STC_MANIFOLD];
  for (int t = 0; t < 400; t++) {
    stc_shape s = random_shape(&random, (stc_shape_kind)(1 + t % 4), hull);
    stc_pose pose = random_pose(&random, 0.7);
    if (t % 8 < 4) pose.rotation[0] = 1, pose.rotation[1] = pose.rotation[2] = pose.rotation[3] = 0;
    pose.x[2] = 0;
    pose.x[2] = reach_along(&s, &pose, (double[3]){0, 0, -1}) + between(&random, -0.02, 0.01);
    int count = stc_collide(&s, &pose, &ground, &at_origin, 0.02, point);
    int on_plane = stc_collide(&s, &pose, &plane, &at_origin, 0.02, expected);
    assert_true(count > 0 && on_plane > 0);
    expect_near(nearest_point(count, point)->gap, nearest_point(on_plane, expected)->gap, 1e-6);
    double wide = 0, wide_on_plane = 0;
    for (int k = 0; k < count; k++) {
      expect_near(point[k].normal[2], 1, 1e-12);
      wide = fmax(wide, point[k].x[0]);
    }
    for (int k = 0; k < on_plane; k++) wide_on_plane = fmax(wide_on_plane, expected[k].x[0]);
    if (t % 8 < 4 && s.kind == STC_SHAPE_BOX) expect_near(wide, wide_on_plane, 1e-6);
  }
  stc_hull_free(&hull);
  stc_terrain_free(&terrain);
}

// Slopes of 45 degrees down from the line x = 0: a ball on the ridge is pushed straight up by it,
// one beside it across the slope.
static void a_ridge_is_an_edge(void **state) {
  stc_terrain *terrain = make_terrain(-1);
  stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 0.5};
  stc_shape ground = {.kind = STC_SHAPE_TERRAIN, .terrain = terrain};
  stc_pose pose = {{0, 0.07, 0.49}, {1, 0, 0, 0}};
  stc_contact_point point[STC_MANIFOLD];
  assert_int_equal(stc_collide(&ball, &pose, &ground, &at_origin, 0.01, point), 1);
  expect_near(point[0].gap, -0.01, 1e-12);
  expect_near(point[0].normal[2], 1, 1e-12);
  pose.x[0] = 0.75, pose.x[2] = -0.75 + sqrt(2) * 0.5;
  assert_int_equal(stc_collide(&ball, &pose, &ground, &at_origin, 0.01, point), 1);
  expect_near(point[0].gap, 0, 1e-12);
  expect_near(point[0].normal[0], sqrt(0.5), 1e-12);
  stc_terrain_free(&terrain);
}

// Slopes of 45 degrees up from the line x = 0: a ball of radius r in the hollow rests on both sides
// at height r sqrt 2, and on nothing else.
static void a_hollow_has_two_sides(void **state) {
  stc_terrain *terrain = make_terrain(1);
  stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 0.35};
  stc_shape ground = {.kind = STC_SHAPE_TERRAIN, .terrain = terrain};
  stc_pose pose = {{0, 0.033, 0.35 * sqrt(2)}, {1, 0, 0, 0}};
  stc_contact_point point[STC_MANIFOLD];
  assert_int_equal(stc_collide(&ball, &pose, &ground, &at_origin, 0.2, point), 2);
  for (int k = 0; k < 2; k++) {
    expect_near(point[k].gap, 0, 1e-12);
    expect_near(fabs(point[k].normal[0]), sqrt(0.5), 1e-12);
    expect_near(point[k].normal[2], sqrt(0.5), 1e-12);
  }
  expect_near(point[0].normal[0] + point[1].normal[0], 0, 1e-12);
  stc_terrain_free(&terrain);
}

// Seen from behind, triangles are not there.
static void terrain_has_one_side(void **state) {
  stc_terrain *terrain = make_terrain(0);
  stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 0.5};
  stc_shape ground = {.kind = STC_SHAPE_TERRAIN, .terrain = terrain};
  stc_pose pose = {{0, 0, -0.49}, {1, 0, 0, 0}};
  stc_contact_point point[STC_MANIFOLD];
  assert_int_equal(stc_collide(&ball, &pose, &ground, &at_origin, 0.1, point), 0);
  stc_terrain_free(&terrain);
  stc_terrain_free(&terrain);
  assert_null(terrain);
}

// Terrain and shape moved together: the same gap, the normal turned.
static void terrain_moves_with_its_pose(void **state) {
  stc_random random = stc_random_seed(9);
  stc_terrain *terrain = make_terrain(0);
  stc_shape box = {.kind = STC_SHAPE_BOX, .half = {0.3, 0.4, 0.5}};
  stc_shape ground = {.kind = STC_SHAPE_TERRAIN, .terrain = terrain};
  stc_pose motion = random_pose(&random, 5), pose = {{0.1, 0.2, 0.495}, {1, 0, 0, 0}};
  stc_pose moved = stc_pose_compose(&motion, &pose);
  stc_contact_point point[STC_MANIFOLD];
  double up[3];
  stc_pose_direction(&motion, (double[3]){0, 0, 1}, up);
  int count = stc_collide(&ground, &motion, &box, &moved, 0.01, point);
  assert_true(count >= 4);
  for (int k = 0; k < count; k++) {
    expect_near(point[k].gap, -0.005, 1e-13);
    for (int i = 0; i < 3; i++) expect_near(point[k].normal[i], -up[i], 1e-13);
  }
  stc_terrain_free(&terrain);
}

static void wrong_terrain_is_refused(void **state) {
  double point[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0};
  stc_terrain *terrain = NULL;
  expect_failure(stc_terrain_create(4, point, 1, (int[3]){0, 1, 4}, &terrain), STC_ERR_VALUE,
                 "triangle 0 has corner 4");
  expect_failure(stc_terrain_create(4, point, 2, (int[6]){0, 1, 2, 0, 1, 3}, &terrain),
                 STC_ERR_VALUE, "triangle 1 has no area");
  expect_failure(stc_terrain_create(4, point, 0, NULL, &terrain), STC_ERR_VALUE, "0 triangles");
  point[4] = INFINITY;
  expect_failure(stc_terrain_create(4, point, 1, (int[3]){0, 1, 2}, &terrain), STC_ERR_VALUE,
                 "point 1 has a coordinate");
  assert_null(terrain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_feels_a_flat_floor), cmocka_unit_test(flat_triangles_are_a_plane),
      cmocka_unit_test(a_ridge_is_an_edge),        cmocka_unit_test(a_hollow_has_two_sides),
      cmocka_unit_test(terrain_has_one_side),      cmocka_unit_test(terrain_moves_with_its_pose),
      cmocka_unit_test(wrong_terrain_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
