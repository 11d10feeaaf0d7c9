// Shapes alone: what is refused, volumes and inertias, boxes around them, convex hulls, poses.
#include "geometry_support.h"

static const double pi = 3.14159265358979323846;

static void sizes_that_are_none_are_refused_by_name(void **state) {
  stc_shape shape = {.kind = STC_SHAPE_SPHERE, .radius = -1};
  expect_failure(stc_shape_check(&shape), STC_ERR_VALUE, "sphere: radius is -1");
  shape = (stc_shape){.kind = STC_SHAPE_BOX, .half = {1, NAN, 1}};
  expect_failure(stc_shape_check(&shape), STC_ERR_VALUE, "box: half[1]");
  shape = (stc_shape){.kind = STC_SHAPE_CAPSULE, .radius = 1};
  expect_failure(stc_shape_check(&shape), STC_ERR_VALUE, "capsule: half[2]");
  shape = (stc_shape){.kind = STC_SHAPE_CYLINDER, .radius = INFINITY, .half = {0, 0, 1}};
  expect_failure(stc_shape_check(&shape), STC_ERR_VALUE, "cylinder: radius");
  shape = (stc_shape){.kind = STC_SHAPE_HULL};
  expect_failure(stc_shape_check(&shape), STC_ERR_ARGUMENT, "stc_hull_create");
  shape = (stc_shape){.kind = STC_SHAPE_TERRAIN};
  expect_failure(stc_shape_check(&shape), STC_ERR_ARGUMENT, "stc_terrain_create");
  shape = (stc_shape){.kind = STC_SHAPE_KINDS};
  expect_failure(stc_shape_check(&shape), STC_ERR_ARGUMENT, "no shape of kind 7");
  assert_string_equal(stc_shape_name(STC_SHAPE_TERRAIN), "terrain");
  assert_null(stc_shape_name(STC_SHAPE_KINDS));
}

static bool is_inside(const stc_shape *s, const double x[3]) {
  double across = hypot(x[0], x[1]);
  switch (s->kind) {
  case STC_SHAPE_SPHERE:
    return hypot(across, x[2]) < s->radius;
  case STC_SHAPE_CYLINDER:
    return across < s->radius && fabs(x[2]) < s->half[2];
  case STC_SHAPE_CAPSULE:
    return hypot(across, fdim(fabs(x[2]), s->half[2])) < s->radius;
  default:
    return fabs(x[0]) < s->half[0] && fabs(x[1]) < s->half[1] && fabs(x[2]) < s->half[2];
  }
}

// Sums over the cells of a fine grid; 1e-2 is what 100 cells across leave.
static void masses_are_those_of_small_cells(void **state) {
  enum { CELLS = 100 };
  for (int kind = STC_SHAPE_SPHERE; kind <= STC_SHAPE_CYLINDER; kind++) {
    stc_shape s = {.kind = (stc_shape_kind)kind, .radius = 0.5, .half = {0.3, 0.5, 0.4}};
    double volume, centre[3], inertia[6], cell = 2.0 / CELLS, sum[4] = {0};
    assert_int_equal(stc_shape_mass(&s, &volume, centre, inertia), STC_OK);
    for (int n = 0; n < CELLS * CELLS * CELLS; n++) {
      double x[3] = {(n % CELLS + 0.5) * cell - 1, (n / CELLS % CELLS + 0.5) * cell - 1,
                     (n / CELLS / CELLS + 0.5) * cell - 1};
      if (!is_inside(&s, x)) continue;
      sum[3] += cell * cell * cell;
      for (int k = 0; k < 3; k++) sum[k] += cell * cell * cell * (dot(x, x) - x[k] * x[k]);
    }
    expect_near(volume, sum[3], 1e-2 * volume);
    for (int k = 0; k < 3; k++) {
      expect_near(inertia[k], sum[k], 2e-2 * sum[k]);
      expect_near(inertia[3 + k], 0, 0);
      expect_near(centre[k], 0, 0);
    }
  }
}

// A ball weighs 4 pi/3 r^3 and turns with 2/5 m r^2; a capsule with an axis of length 0 would too.
static void masses_have_their_closed_forms(void **state) {
  stc_shape s = {.kind = STC_SHAPE_SPHERE, .radius = 2, .half = {0, 0, 1e-12}};
  double volume, centre[3], inertia[6];
  for (int kind = 0; kind < 2; kind++) {
    s.kind = kind ? STC_SHAPE_CAPSULE : STC_SHAPE_SPHERE;
    assert_int_equal(stc_shape_mass(&s, &volume, centre, inertia), STC_OK);
    expect_near(volume, 32 * pi / 3, 1e-10);
    for (int k = 0; k < 3; k++) expect_near(inertia[k], 0.4 * 32 * pi / 3 * 4, 1e-9);
  }
  s.kind = STC_SHAPE_PLANE;
  expect_failure(stc_shape_mass(&s, &volume, centre, inertia), STC_ERR_ARGUMENT, "has no mass");
}

// The corner tetrahedron: volume 1/6, centre 1/4, xx moment 1/80 and xy product 1/480 about the
// centre. (With the integrals of x^2 and x y over it, 1/60 and 1/120.)
static void a_tetrahedron_has_its_mass(void **state) {
  const double point[12] = {5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1};
  stc_shape s = {.kind = STC_SHAPE_HULL};
  stc_hull *hull = NULL;
  double volume, centre[3], inertia[6];
  assert_int_equal(stc_hull_create(4, point, &hull), STC_OK);
  s.hull = hull;
  assert_int_equal(stc_shape_mass(&s, &volume, centre, inertia), STC_OK);
  expect_near(volume, 1.0 / 6, 1e-14);
  for (int k = 0; k < 3; k++) {
    expect_near(centre[k], k ? 0.25 : 5.25, 1e-14);
    expect_near(inertia[k], 2 * (1.0 / 60 - 1.0 / 96), 1e-14);
    expect_near(inertia[3 + k], -(1.0 / 120 - 1.0 / 96), 1e-14);
  }
  stc_hull_free(&hull);
  stc_hull_free(&hull);
  assert_null(hull);
}

// Whatever points lie inside or on the faces of a box, its hull has 8 corners and weighs as much.
static void points_inside_and_on_faces_change_nothing(void **state) {
  enum { SIDE = 6 };
  double point[SIDE * SIDE * SIDE * 3], volume, centre[3], inertia[6], expected[6];
  const double half[3] = {0.5, 1, 1.5};
  const double *corner;
  const int *triangle;
  stc_hull *hull = NULL;
  for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
    int at[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
    for (int k = 0; k < 3; k++) point[3 * n + k] = half[k] * (2.0 * at[k] / (SIDE - 1) - 1);
  }
  assert_int_equal(stc_hull_create(SIDE * SIDE * SIDE, point, &hull), STC_OK);
  assert_int_equal(stc_hull_points(hull, &corner), 8);
  assert_int_equal(stc_hull_triangles(hull, &triangle), 12);
  stc_shape s = {.kind = STC_SHAPE_HULL, .hull = hull};
  assert_int_equal(stc_shape_mass(&s, &volume, centre, inertia), STC_OK);
  s = (stc_shape){.kind = STC_SHAPE_BOX, .half = {half[0], half[1], half[2]}};
  assert_int_equal(stc_shape_mass(&s, &volume, centre, expected), STC_OK);
  expect_near(volume, 6, 1e-13);
  for (int k = 0; k < 6; k++) expect_near(inertia[k], expected[k], 1e-13);
  stc_hull_free(&hull);
}

// No point lies outside a triangle, each edge has two sides, and F = 2 V - 4 (Euler).
static void expect_convex(int count, const double *point, const stc_hull *hull) {
  const double *corner;
  const int *triangle;
  int corners = stc_hull_points(hull, &corner), triangles = stc_hull_triangles(hull, &triangle);
  assert_int_equal(triangles, 2 * corners - 4);
  for (int t = 0; t < triangles; t++) {
    const double *p = corner + 3 * triangle[3 * t], *q = corner + 3 * triangle[3 * t + 1],
                 *r = corner + 3 * triangle[3 * t + 2];
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) u[k] = q[k] - p[k], v[k] = r[k] - p[k];
    for (int k = 0; k < 3; k++)
      n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    for (int i = 0; i < count; i++) {
      double d[3];
      for (int k = 0; k < 3; k++) d[k] = point[3 * i + k] - p[k];
      assert_true(dot(d, n) <= 1e-10 * sqrt(dot(n, n)));
    }
  }
}

static void hulls_are_convex_and_closed(void **state) {
  enum { MOST = 300 };
  double point[3 * MOST];
  stc_random random = stc_random_seed(11);
  for (int t = 0; t < 60; t++) {
    int count = 4 + (int)between(&random, 0, MOST - 4);
    double lattice = t % 3 == 2 ? 4 : 0;  // many points in common planes
    for (int i = 0; i < 3 * count; i++) {
      point[i] = t % 3 ? between(&random, -1, 1) : stc_random_normal(&random);
      if (lattice > 0) point[i] = floor(lattice * point[i]) / lattice;
    }
    if (lattice > 0 && count < 60) continue;
    stc_hull *hull = NULL;
    assert_int_equal(stc_hull_create(count, point, &hull), STC_OK);
    expect_convex(count, point, hull);
    stc_hull_free(&hull);
  }
}

static void degenerate_hulls_are_refused(void **state) {
  double point[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.5, 1e-13};
  stc_hull *hull = NULL;
  expect_failure(stc_hull_create(3, point, &hull), STC_ERR_VALUE, "at least 4");
  expect_failure(stc_hull_create(5, point, &hull), STC_ERR_VALUE, "in a plane");
  for (int i = 0; i < 5; i++) point[3 * i] = i, point[3 * i + 1] = point[3 * i + 2] = 0;
  expect_failure(stc_hull_create(5, point, &hull), STC_ERR_VALUE, "on a line");
  memset(point, 0, sizeof point);
  expect_failure(stc_hull_create(5, point, &hull), STC_ERR_VALUE, "too little");
  point[7] = NAN;
  expect_failure(stc_hull_create(5, point, &hull), STC_ERR_VALUE, "point 2 has a coordinate");
  assert_null(hull);
}

// The box around a shape reaches as far along each axis as the shape.
static void bounds_are_tight(void **state) {
  stc_random random = stc_random_seed(2);
  stc_hull *hull = random_hull(&random, 20);
  for (int t = 0; t < 100; t++) {
    stc_shape s = random_shape(&random, (stc_shape_kind)(t % 5), hull);
    stc_pose pose = random_pose(&random, 3);
    double low[3], high[3];
    stc_shape_bounds(&s, &pose, low, high);
    for (int k = 0; k < 3; k++) {
      double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
      expect_near(high[k], reach_along(&s, &pose, up), 1e-13);
      expect_near(low[k], -reach_along(&s, &pose, down), 1e-13);
    }
  }
  stc_hull_free(&hull);
  stc_shape plane = {.kind = STC_SHAPE_PLANE};
  stc_pose pose = stc_pose_identity();
  double low[3], high[3];
  stc_shape_bounds(&plane, &pose, low, high);
  for (int k = 0; k < 3; k++) assert_true(isinf(low[k]) && isinf(high[k]));
}

// A quarter turn about z takes x to y; composing is doing one after the other.
static void poses_turn_and_compose(void **state) {
  stc_random random = stc_random_seed(3);
  stc_pose quarter = {{1, 2, 3}, {sqrt(0.5), 0, 0, sqrt(0.5)}};
  double p[3], q[3], r[3];
  stc_pose_point(&quarter, (double[3]){1, 0, 0}, p);
  expect_near(p[0], 1, 1e-15);
  expect_near(p[1], 3, 1e-15);
  for (int t = 0; t < 20; t++) {
    stc_pose a = random_pose(&random, 2), b = random_pose(&random, 2);
    stc_pose c = stc_pose_compose(&a, &b);
    random_direction(&random, p);
    stc_pose_point(&b, p, q);
    stc_pose_point(&a, q, r);
    stc_pose_point(&c, p, q);
    for (int k = 0; k < 3; k++) expect_near(q[k], r[k], 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_that_are_none_are_refused_by_name),
                                     cmocka_unit_test(masses_are_those_of_small_cells),
                                     cmocka_unit_test(masses_have_their_closed_forms),
                                     cmocka_unit_test(a_tetrahedron_has_its_mass),
                                     cmocka_unit_test(points_inside_and_on_faces_change_nothing),
                                     cmocka_unit_test(hulls_are_convex_and_closed),
                                     cmocka_unit_test(degenerate_hulls_are_refused),
                                     cmocka_unit_test(bounds_are_tight),
                                     cmocka_unit_test(poses_turn_and_compose)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
