// Every convex shape of the table, as large as radius 0.4 and half sizes 0.5, 0.3, 0.7 make it: its
// box, mass and contacts belong to the body that its support function describes,
//   K = { x : d.x <= h(d) for every d },   h(d) = max d.x.
#include "unit/geometry_support.h"

enum { DIRECTIONS = 400, PLANES = 3000, CELLS = 24 };

static stc_hull *hull;

static stc_shape sample(int kind) {
  return (stc_shape){
      .kind = (stc_shape_kind)kind, .radius = 0.4, .half = {0.5, 0.3, 0.7}, .hull = hull};
}

static void each(void (*fact)(const stc_shape *shape, stc_random *random)) {
  stc_random random = stc_random_seed(3);
  for (int kind = 0; kind < STC_SHAPE_KINDS; kind++) {
    stc_shape shape = sample(kind);
    if (!stc_shape_is_endless(shape.kind)) fact(&shape, &random);
  }
}

static int make_hull(void **state) {
  stc_random random = stc_random_seed(2);
  hull = random_hull(&random, 40);
  return hull ? 0 : -1;
}

static int free_hull(void **state) {
  stc_hull_free(&hull);
  return 0;
}

static double reach(const stc_shape *shape, const double d[3]) {
  double p[3];
  stc_shape_support(shape, d, p);
  return dot(d, p);
}

static void has_a_name_and_sound_sizes(const stc_shape *shape, stc_random *random) {
  assert_non_null(stc_shape_name(shape->kind));
  assert_int_equal(stc_shape_check(shape), STC_OK);
  assert_int_not_equal(stc_shape_check(&(stc_shape){.kind = shape->kind}), STC_OK);
}

// No point of the shape is farther along d than p(d).
static void support_is_farthest(const stc_shape *shape, stc_random *random) {
  for (int trial = 0; trial < DIRECTIONS; trial++) {
    double d[3], e[3], p[3];
    random_direction(random, d);
    random_direction(random, e);
    stc_shape_support(shape, e, p);
    assert_true(dot(d, p) <= reach(shape, d) + 1e-14);
  }
}

// high_k - x_k = h(R^T e_k), and the same below.
static void box_touches(const stc_shape *shape, stc_random *random) {
  for (int trial = 0; trial < DIRECTIONS / 10; trial++) {
    stc_pose pose = random_pose(random, 1);
    stc_pose back = {
        .rotation = {pose.rotation[0], -pose.rotation[1], -pose.rotation[2], -pose.rotation[3]}};
    double low[3], high[3];
    stc_shape_bounds(shape, &pose, low, high);
    for (int k = 0; k < 3; k++) {
      double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
      stc_pose_direction(&back, up, up);
      stc_pose_direction(&back, down, down);
      expect_near(high[k] - pose.x[k], reach(shape, up), 1e-14);
      expect_near(pose.x[k] - low[k], reach(shape, down), 1e-14);
    }
  }
}

typedef struct half_spaces {
  double d[PLANES][3], h[PLANES];
} half_spaces;

static bool is_inside(const half_spaces *s, const double x[3]) {
  for (int k = 0; k < PLANES; k++)
    if (dot(s->d[k], x) > s->h[k]) return false;
  return true;
}

// Volume, first and second moments (xx, yy, zz) of K on a grid; 3000 half spaces and 24^3 points
// are good for some percent.
static void measure_moments(const stc_shape *shape, stc_random *random, double moment[7]) {
  static half_spaces s;
  double low[3], high[3], cell = 1;
  stc_pose here = stc_pose_identity();
  for (int k = 0; k < PLANES; k++) {
    random_direction(random, s.d[k]);
    s.h[k] = reach(shape, s.d[k]);
  }
  stc_shape_bounds(shape, &here, low, high);
  for (int k = 0; k < 3; k++) cell *= (high[k] - low[k]) / CELLS;
  for (int k = 0; k < 7; k++) moment[k] = 0;
  for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
    const int at[3] = {i % CELLS, i / CELLS % CELLS, i / CELLS / CELLS};
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = low[k] + (high[k] - low[k]) * (at[k] + 0.5) / CELLS;
    if (!is_inside(&s, x)) continue;
    moment[0] += cell;
    for (int k = 0; k < 3; k++) moment[1 + k] += cell * x[k], moment[4 + k] += cell * x[k] * x[k];
  }
}

static void mass_is_that_of_the_body(const stc_shape *shape, stc_random *random) {
  double moment[7], volume, centre[3], inertia[6];
  measure_moments(shape, random, moment);
  assert_int_equal(stc_shape_mass(shape, &volume, centre, inertia), STC_OK);
  expect_near(moment[0] / volume, 1, 0.06);
  for (int k = 0; k < 3; k++) expect_near(moment[1 + k] / volume, centre[k], 0.02);
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    double central =
        moment[4 + a] + moment[4 + b] - volume * (centre[a] * centre[a] + centre[b] * centre[b]);
    expect_near(central / inertia[k], 1, 0.12);
  }
}

// At any orientation the lowest point over the plane z = 0 has the gap x_z - h(-e_z).
static void meets_a_plane(const stc_shape *shape, stc_random *random) {
  const stc_shape plane = {.kind = STC_SHAPE_PLANE};
  const stc_pose ground = stc_pose_identity();
  for (int trial = 0; trial < DIRECTIONS; trial++) {
    stc_contact_point point[STC_MANIFOLD];
    stc_pose pose = random_pose(random, 0.5);
    double low[3], high[3], least = INFINITY;
    stc_shape_bounds(shape, &pose, low, high);
    int count = stc_collide(shape, &pose, &plane, &ground, fabs(low[2]) + 1, point);
    assert_true(count > 0);
    for (int k = 0; k < count; k++) {
      expect_near(point[k].normal[2], 1, 1e-14);
      least = fmin(least, point[k].gap);
    }
    // the end of a cylinder stands for its rim by eight corners
    expect_near(least, low[2], shape->kind == STC_SHAPE_CYLINDER ? 0.05 : 1e-13);
  }
}

// A ball that touches at p(d) with the normal d is as far as it is moved: gap t, normal -d.
static void meets_a_ball(const stc_shape *shape, stc_random *random) {
  const stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 0.2};
  const stc_pose here = stc_pose_identity();
  for (int trial = 0; trial < DIRECTIONS; trial++) {
    stc_contact_point point[STC_MANIFOLD], other[STC_MANIFOLD];
    double d[3], p[3], gap = between(random, 0.01, 0.1);
    random_direction(random, d);
    stc_shape_support(shape, d, p);
    stc_pose pose = here;
    for (int k = 0; k < 3; k++) pose.x[k] = p[k] + (0.2 + gap) * d[k];
    assert_int_equal(stc_collide(shape, &here, &ball, &pose, 1, point), 1);
    assert_int_equal(stc_collide(&ball, &pose, shape, &here, 1, other), 1);
    // what has a support function only is found by iteration
    double near = shape->kind > STC_SHAPE_TERRAIN ? 1e-4 : 1e-6;
    expect_near(point[0].gap, gap, near);
    expect_near(dot(point[0].normal, d), -1, 10 * near);
    expect_near(other[0].gap, point[0].gap, near);
    expect_near(dot(other[0].normal, point[0].normal), -1, 10 * near);
  }
}

#define FACT(name)                                                                                 \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    each(name);                                                                                    \
  }
FACT(has_a_name_and_sound_sizes)
FACT(support_is_farthest)
FACT(box_touches)
FACT(mass_is_that_of_the_body)
FACT(meets_a_plane)
FACT(meets_a_ball)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_has_a_name_and_sound_sizes),
      cmocka_unit_test(test_support_is_farthest),
      cmocka_unit_test(test_box_touches),
      cmocka_unit_test(test_mass_is_that_of_the_body),
      cmocka_unit_test(test_meets_a_plane),
      cmocka_unit_test(test_meets_a_ball),
  };
  return cmocka_run_group_tests(tests, make_hull, free_hull);
}
