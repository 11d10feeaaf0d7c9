// Where pairs of shapes touch: against a search over directions, under exchange and motion, on
// faces, and where no direction is better than another.
#include "geometry_support.h"

static const stc_pose at_origin = {.rotation = {1, 0, 0, 0}};
static const double reach = 0.3;

// Overlaps deeper than this are beyond what the general method promises.
static const double shallow = -0.05;

typedef void (*judge)(const couple *c, stc_random *random);

// Couples of all kinds of convex shapes, about as often apart as in touch.
static void for_all_kinds(int trials, judge see) {
  stc_random random = stc_random_seed(8);
  stc_hull *hull[2] = {random_hull(&random, 8), random_hull(&random, 60)};
  for (int i = 0; i <= STC_SHAPE_HULL; i++)
    for (int j = 0; j <= STC_SHAPE_HULL; j++)
      for (int t = 0; t < trials; t++) {
        couple c = {.a = random_shape(&random, (stc_shape_kind)i, hull[t % 2]),
                    .b = random_shape(&random, (stc_shape_kind)j, hull[t % 2]),
                    .pose_a = random_pose(&random, 1),
                    .pose_b = random_pose(&random, 1)};
        double d[3];
        random_direction(&random, d);
        for (int k = 0; k < 3; k++) c.pose_a.x[k] += d[k];
        see(&c, &random);
      }
  stc_hull_free(&hull[0]);
  stc_hull_free(&hull[1]);
}

// The gap is measured along its normal, and no direction has a greater one.
static void see_distance(const couple *c, stc_random *random) {
  stc_contact_point point[STC_MANIFOLD];
  double found = searched_gap(c, random);
  int count = touch_couple(c, reach, point);
  expect_sound(count, point, reach);
  for (int again = 0; count == 0 && found <= reach && again < 10; again++)
    found = fmax(found, searched_gap(c, random));  // it finds a lower bound
  if (count == 0) assert_true(found > reach);
  if (count == 0 || found < shallow) return;
  const stc_contact_point *least = nearest_point(count, point);
  expect_near(least->gap, gap_along(c, least->normal), 3e-6);
  assert_true(least->gap >= fmin(found, found / 0.9) - 3e-6);  // faces come before edges
}

static void distances_are_those_of_a_search(void **state) { for_all_kinds(60, see_distance); }

// The point is in the middle: half a gap from either surface along the normal at most.
static void see_middle(const couple *c, stc_random *random) {
  stc_contact_point point[STC_MANIFOLD];
  int count = touch_couple(c, reach, point);
  for (int k = 0; k < count; k++) {
    double back[3], *n = point[k].normal, half = fabs(point[k].gap) / 2;
    for (int i = 0; i < 3; i++) back[i] = -n[i];
    double height = dot(point[k].x, n);
    assert_true(height >= -reach_along(&c->a, &c->pose_a, back) - half - 3e-6);
    assert_true(height <= reach_along(&c->b, &c->pose_b, n) + half + 3e-6);
  }
}

static void points_lie_in_the_middle_of_the_gap(void **state) { for_all_kinds(20, see_middle); }

static void see_exchange(const couple *c, stc_random *random) {
  stc_contact_point point[STC_MANIFOLD], turned[STC_MANIFOLD];
  int count = touch_couple(c, reach, point);
  int other = stc_collide(&c->b, &c->pose_b, &c->a, &c->pose_a, reach, turned);
  assert_int_equal(count == 0, other == 0);
  if (count == 0) return;
  const stc_contact_point *s = nearest_point(count, point), *t = nearest_point(other, turned);
  if (s->gap < shallow) return;
  expect_near(s->gap, t->gap, 3e-6);
  for (int k = 0; k < 3; k++) expect_near(s->normal[k], -t->normal[k], 1e-4);
}

static void the_other_order_turns_the_normals(void **state) { for_all_kinds(20, see_exchange); }

static void see_motion(const couple *c, stc_random *random) {
  stc_contact_point point[STC_MANIFOLD], moved[STC_MANIFOLD];
  stc_pose motion = random_pose(random, 10);
  couple d = *c;
  d.pose_a = stc_pose_compose(&motion, &c->pose_a);
  d.pose_b = stc_pose_compose(&motion, &c->pose_b);
  int count = touch_couple(c, reach, point), other = touch_couple(&d, reach, moved);
  if (count == 0 || nearest_point(count, point)->gap < shallow) return;
  assert_int_equal(count == 0, other == 0);
  const stc_contact_point *s = nearest_point(count, point), *t = nearest_point(other, moved);
  double n[3];
  stc_pose_direction(&motion, s->normal, n);
  expect_near(s->gap, t->gap, 1e-8);
  for (int k = 0; k < 3; k++) expect_near(n[k], t->normal[k], 1e-4);
}

static void a_common_motion_moves_the_points_along(void **state) { for_all_kinds(20, see_motion); }

// A distance changes by no more than the shapes move.
static void see_path(const couple *c, stc_random *random) {
  stc_contact_point point[STC_MANIFOLD];
  couple d = *c;
  double n[3], before = NAN, step = 0.01;
  random_direction(random, n);
  for (int i = 0; i < 40; i++) {
    for (int k = 0; k < 3; k++) d.pose_a.x[k] += step * n[k];
    int count = touch_couple(&d, reach, point);
    double gap = count ? nearest_point(count, point)->gap : NAN;
    if (gap > shallow && before > shallow) assert_true(fabs(gap - before) < step + 3e-6);
    before = gap;
  }
}

static void gaps_have_no_jumps(void **state) { for_all_kinds(6, see_path); }

static void expect_level(int count, const stc_contact_point *point, int expected, double gap) {
  assert_int_equal(count, expected);
  for (int k = 0; k < count; k++) {
    expect_near(point[k].gap, gap, 1e-11);
    for (int i = 0; i < 3; i++) expect_near(point[k].normal[i], i == 2, 1e-11);
  }
}

// A cube on a cube: the four corners, however it is turned by rounding, with the same names.
static void a_box_rests_on_four_points(void **state) {
  couple c = {.a = {.kind = STC_SHAPE_BOX, .half = {0.5, 0.5, 0.5}}};
  stc_contact_point point[STC_MANIFOLD], turned[STC_MANIFOLD];
  c.b = c.a;
  c.pose_a = c.pose_b = at_origin;
  c.pose_a.x[2] = 1;
  expect_level(touch_couple(&c, 0.01, point), point, 4, 0);
  for (int k = 0; k < 4; k++) {
    expect_near(fabs(point[k].x[0]), 0.5, 1e-12);
    expect_near(fabs(point[k].x[1]), 0.5, 1e-12);
  }
  for (int n = 0; n < 12; n++) {  // either of them, about any axis, either way
    stc_pose *pose = n < 6 ? &c.pose_a : &c.pose_b, kept = *pose;
    double sign = n % 2 ? 1 : -1;
    pose->rotation[1 + n / 2 % 3] = sign * 1e-12;
    pose->x[0] = sign * 1e-12, pose->x[1] = -sign * 1e-12;
    expect_level(touch_couple(&c, 0.01, turned), turned, 4, 0);
    for (int k = 0; k < 4; k++) {
      assert_true(turned[k].identity == point[k].identity);
      for (int i = 0; i < 3; i++) assert_true(turned[k].normal[i] == turned[0].normal[i]);
    }
    *pose = kept;
  }
}

// Half over the edge: two corners of the upper cube, two where its edges cross that of the lower.
static void an_overhanging_box_touches_where_both_are(void **state) {
  couple c = {.a = {.kind = STC_SHAPE_BOX, .half = {0.5, 0.5, 0.5}}};
  stc_contact_point point[STC_MANIFOLD];
  c.b = c.a;
  c.pose_a = c.pose_b = at_origin;
  c.pose_a.x[0] = 0.5, c.pose_a.x[2] = 1 + 1e-9;
  expect_level(touch_couple(&c, 0.01, point), point, 4, 1e-9);
  int at_zero = 0;
  for (int k = 0; k < 4; k++) at_zero += fabs(point[k].x[0]) < 1e-12;
  assert_int_equal(at_zero, 2);
}

static stc_hull *hull_of_cube(const stc_pose *turned) {
  double corner[24];
  stc_hull *hull = NULL;
  for (int i = 0; i < 8; i++) {
    double local[3] = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
    stc_pose_point(turned, local, corner + 3 * i);
  }
  assert_int_equal(stc_hull_create(8, corner, &hull), STC_OK);
  return hull;
}

// A hull of the corners of a cube is a cube.
static void a_hull_of_a_cube_behaves_like_a_box(void **state) {
  stc_contact_point point[STC_MANIFOLD], of_box[STC_MANIFOLD];
  stc_random random = stc_random_seed(4);
  stc_hull *hull = hull_of_cube(&at_origin);
  stc_shape box = {.kind = STC_SHAPE_BOX, .half = {0.5, 0.5, 0.5}};
  for (int t = 0; t < 200; t++) {
    couple c = {.a = {.kind = STC_SHAPE_HULL, .hull = hull}};
    c.b = c.a;
    c.pose_a = random_pose(&random, 0.9), c.pose_b = random_pose(&random, 0.9);
    int count = touch_couple(&c, 0.2, point);
    c.a = c.b = box;
    int boxes = touch_couple(&c, 0.2, of_box);
    assert_int_equal(count == 0, boxes == 0);
    if (count)
      expect_near(nearest_point(count, point)->gap, nearest_point(boxes, of_box)->gap, 1e-12);
  }
  stc_hull_free(&hull);
}

// The same where rounding has turned the faces of the hull into triangles that are not quite flat.
static void a_turned_hull_rests_on_four_points(void **state) {
  stc_contact_point point[STC_MANIFOLD];
  stc_random random = stc_random_seed(12);
  for (int t = 0; t < 50; t++) {
    stc_pose turned = random_pose(&random, 0);
    stc_hull *hull = hull_of_cube(&turned);
    couple c = {.a = {.kind = STC_SHAPE_HULL, .hull = hull}};
    c.b = c.a;
    for (int k = 1; k < 4; k++) turned.rotation[k] *= -1;  // back to an upright cube
    c.pose_a = c.pose_b = turned;
    c.pose_a.x[2] = 1;
    expect_level(touch_couple(&c, 0.01, point), point, 4, 0);
    stc_hull_free(&hull);
  }
}

// Lying flat, a capsule or cylinder rests on the two ends of a line, on its end on a ring of eight.
static void round_shapes_rest_on_lines_and_rings(void **state) {
  static const stc_shape_kind floors[] = {STC_SHAPE_PLANE, STC_SHAPE_BOX};
  stc_contact_point point[STC_MANIFOLD];
  for (int f = 0; f < 2; f++) {
    couple c = {.a = {.kind = STC_SHAPE_CAPSULE, .radius = 0.3, .half = {0, 0, 0.4}},
                .b = {.kind = floors[f], .half = {1, 1, 1}},
                .pose_a = {{0, 0, 0.3}, {sqrt(0.5), sqrt(0.5), 0, 0}},
                .pose_b = at_origin};
    c.pose_b.x[2] = floors[f] == STC_SHAPE_BOX ? -1 : 0;
    expect_level(touch_couple(&c, 0.01, point), point, 2, 0);
    c.a.kind = STC_SHAPE_CYLINDER;
    expect_level(touch_couple(&c, 0.01, point), point, 2, 0);
    c.pose_a = at_origin, c.pose_a.x[2] = 0.4;
    expect_level(touch_couple(&c, 0.01, point), point, 8, 0);
    for (int k = 0; k < 8; k++) expect_near(hypot(point[k].x[0], point[k].x[1]), 0.3, 1e-12);
  }
}

// Parallel on top of each other: the two ends of the common part, here 0.4 +- 0.3 within +-0.5.
static void parallel_lines_share_their_common_part(void **state) {
  static const stc_shape_kind kinds[] = {STC_SHAPE_CAPSULE, STC_SHAPE_CYLINDER};
  stc_contact_point point[STC_MANIFOLD];
  for (int k = 0; k < 2; k++) {
    couple c = {.a = {.kind = kinds[k], .radius = 0.2, .half = {0, 0, 0.3}},
                .b = {.kind = kinds[k], .radius = 0.3, .half = {0, 0, 0.5}},
                .pose_a = {{0.5, 0, 0.4}, {1, 0, 0, 0}},
                .pose_b = at_origin};
    assert_int_equal(touch_couple(&c, 0.01, point), 2);
    for (int i = 0; i < 2; i++) {
      expect_near(point[i].gap, 0, 1e-12);
      expect_near(point[i].normal[0], 1, 1e-12);
      expect_near(point[i].x[0], 0.3, 1e-12);
    }
    expect_near(point[0].x[2] + point[1].x[2], 0.6, 1e-12);
    expect_near(fabs(point[0].x[2] - point[1].x[2]), 0.4, 1e-12);
  }
}

// Edge across edge: cubes turned by 45 degrees about x and y; their edges meet in one point.
static void crossing_edges_touch_once(void **state) {
  double half = 0.5 * 0.78539816339744831;
  couple c = {.a = {.kind = STC_SHAPE_BOX, .half = {0.5, 0.5, 0.5}},
              .pose_a = {{0.1, 0.2, sqrt(2) - 1e-3}, {cos(half), sin(half), 0, 0}},
              .pose_b = {{0}, {cos(half), 0, sin(half), 0}}};
  stc_contact_point point[STC_MANIFOLD];
  c.b = c.a;
  expect_level(touch_couple(&c, 0.01, point), point, 1, -1e-3);
  expect_near(point[0].x[0], 0, 1e-12);
  expect_near(point[0].x[1], 0.2, 1e-12);
  c.pose_a.x[2] += 2e-3;
  expect_level(touch_couple(&c, 0.01, point), point, 1, 1e-3);
}

// Where nothing tells a direction, there is one all the same; poses on a coarse lattice make
// centres, axes, faces and edges coincide.
// Two bricks that overlap by 2 mm, tilted by up to 0.1: the overlap is often least along a product
// of edges, but hardly less than along a face, whose points keep the bricks from rocking into each
// other. One point of two edges does not.
static void tilted_bricks_rest_on_a_face(void **state) {
  stc_random random = stc_random_seed(3);
  stc_shape brick = {.kind = STC_SHAPE_BOX, .half = {0.1, 0.05, 0.05}};
  for (int n = 0; n < 500; n++) {
    stc_contact_point point[STC_MANIFOLD];
    stc_pose pose = {.x = {0.1, 0, 0.098}, .rotation = {1, 0, 0, 0}};
    double norm = 1;
    for (int k = 1; k < 4; k++) {
      pose.rotation[k] = 0.05 * (2 * stc_random_uniform(&random) - 1);
      norm += pose.rotation[k] * pose.rotation[k];
    }
    for (int k = 0; k < 4; k++) pose.rotation[k] /= sqrt(norm);
    int count = stc_collide(&brick, &pose, &brick, &at_origin, reach, point), deep = 0;
    for (int k = 0; k < count; k++) deep += point[k].gap < 0.02;
    assert_true(count >= 3 && deep >= 2);
  }
}

static void coincident_shapes_have_unit_normals(void **state) {
  stc_random random = stc_random_seed(5);
  stc_hull *hull = random_hull(&random, 12);
  stc_contact_point point[STC_MANIFOLD];
  for (int t = 0; t < 20000; t++) {
    couple c;
    stc_shape *shape[2] = {&c.a, &c.b};
    stc_pose *pose[2] = {&c.pose_a, &c.pose_b};
    for (int s = 0; s < 2; s++) {
      stc_shape_kind kind = (stc_shape_kind)(stc_random_bits(&random) % STC_SHAPE_TERRAIN);
      *shape[s] = (stc_shape){.kind = kind, .radius = 0.5, .half = {0.5, 0.5, 0.5}, .hull = hull};
      for (int k = 0; k < 3; k++) pose[s]->x[k] = floor(between(&random, -1, 2)) / 2;
      for (int k = 0; k < 4; k++) pose[s]->rotation[k] = floor(between(&random, -1, 2));
      if (pose[s]->rotation[1] == 0) pose[s]->rotation[0] = 1;
    }
    int count = touch_couple(&c, 0.1, point);
    expect_sound(count, point, 0.1);
  }
  stc_hull_free(&hull);
}

// Two balls of radius 1 with the same centre overlap by 2.
static void concentric_balls_overlap_by_both_radii(void **state) {
  couple c = {.a = {.kind = STC_SHAPE_SPHERE, .radius = 1}, .pose_a = at_origin};
  stc_contact_point point[STC_MANIFOLD];
  c.b = c.a, c.pose_b = c.pose_a;
  assert_int_equal(touch_couple(&c, 0, point), 1);
  expect_sound(1, point, 0);
  expect_near(point[0].gap, -2, 1e-15);
}

static void obstacles_do_not_touch_each_other(void **state) {
  stc_shape plane = {.kind = STC_SHAPE_PLANE};
  stc_contact_point point[STC_MANIFOLD];
  assert_int_equal(stc_collide(&plane, &at_origin, &plane, &at_origin, 1, point), 0);
  assert_string_equal(stc_collide_method(STC_SHAPE_PLANE, STC_SHAPE_TERRAIN), "none");
  assert_string_equal(stc_collide_method(STC_SHAPE_CYLINDER, STC_SHAPE_HULL), "general");
  for (int i = 0; i < STC_SHAPE_KINDS; i++)
    for (int j = 0; j < STC_SHAPE_KINDS; j++)
      assert_ptr_equal(stc_collide_method((stc_shape_kind)i, (stc_shape_kind)j),
                       stc_collide_method((stc_shape_kind)j, (stc_shape_kind)i));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(distances_are_those_of_a_search),
                                     cmocka_unit_test(points_lie_in_the_middle_of_the_gap),
                                     cmocka_unit_test(the_other_order_turns_the_normals),
                                     cmocka_unit_test(a_common_motion_moves_the_points_along),
                                     cmocka_unit_test(gaps_have_no_jumps),
                                     cmocka_unit_test(a_box_rests_on_four_points),
                                     cmocka_unit_test(an_overhanging_box_touches_where_both_are),
                                     cmocka_unit_test(a_hull_of_a_cube_behaves_like_a_box),
                                     cmocka_unit_test(a_turned_hull_rests_on_four_points),
                                     cmocka_unit_test(round_shapes_rest_on_lines_and_rings),
                                     cmocka_unit_test(parallel_lines_share_their_common_part),
                                     cmocka_unit_test(crossing_edges_touch_once),
                                     cmocka_unit_test(tilted_bricks_rest_on_a_face),
                                     cmocka_unit_test(coincident_shapes_have_unit_normals),
                                     cmocka_unit_test(concentric_balls_overlap_by_both_radii),
                                     cmocka_unit_test(obstacles_do_not_touch_each_other)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
