// Casts and nearest points against definitions. A convex shape is { phi <= 0 } for a convex
// function phi that is written down here again; along a ray it falls to its least value and rises,
// so that a search for the minimum and halving find the entry. Two shapes touch first at fraction t
// where
//   a point lies in both,   a plane through it has them on its two sides,   a moves against it:
// before, the plane separated them. The distance is d where two points of the shapes are d apart
// and a slab of that width fits between.
#include "geometry_support.h"

static stc_hull *hull[2];
static long casts, met;
static double worst;

static long trials(long usual) {
  const char *wanted = getenv("STICTION_TRIALS");
  return wanted ? atol(wanted) : usual;
}

static int make_hulls(void **state) {
  stc_random random = stc_random_seed(11);
  hull[0] = random_hull(&random, 8);
  hull[1] = random_hull(&random, 40);
  return 0;
}

static int free_hulls(void **state) {
  stc_hull_free(&hull[0]);
  stc_hull_free(&hull[1]);
  return 0;
}

// --- phi ---

static double beyond_hull(const stc_hull *h, const double p[3]) {
  const double *x;
  const int *t;
  double most = -INFINITY;
  stc_hull_points(h, &x);
  int count = stc_hull_triangles(h, &t);
  for (int k = 0; k < count; k++) {
    const double *a = x + 3 * t[3 * k], *b = x + 3 * t[3 * k + 1], *c = x + 3 * t[3 * k + 2];
    double u[3], v[3], d[3];
    for (int i = 0; i < 3; i++) u[i] = b[i] - a[i], v[i] = c[i] - a[i], d[i] = p[i] - a[i];
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    most = fmax(most, dot(n, d) / sqrt(dot(n, n)));
  }
  return most;
}

static double beyond(const stc_shape *s, const double p[3]) {
  double z = fmax(fabs(p[2]) - s->half[2], 0);
  switch (s->kind) {
  case STC_SHAPE_SPHERE:
    return sqrt(dot(p, p)) - s->radius;
  case STC_SHAPE_BOX:
    return fmax(fmax(fabs(p[0]) - s->half[0], fabs(p[1]) - s->half[1]), fabs(p[2]) - s->half[2]);
  case STC_SHAPE_CAPSULE:
    return hypot(hypot(p[0], p[1]), z) - s->radius;
  case STC_SHAPE_CYLINDER:
    return fmax(hypot(p[0], p[1]) - s->radius, fabs(p[2]) - s->half[2]);
  case STC_SHAPE_HULL:
    return beyond_hull(s->hull, p);
  default:
    return p[2];  // a plane
  }
}

static double beyond_at(const stc_shape *s, const stc_pose *pose, const double x[3]) {
  stc_pose back = {
      .rotation = {pose->rotation[0], -pose->rotation[1], -pose->rotation[2], -pose->rotation[3]}};
  double d[3] = {x[0] - pose->x[0], x[1] - pose->x[1], x[2] - pose->x[2]}, p[3];
  stc_pose_direction(&back, d, p);
  return beyond(s, p);
}

// --- Rays ---

typedef struct ray {
  const stc_shape *shape;
  const stc_pose *pose;
  double from[3], way[3];
} ray;

static double phi_along(const ray *r, double t) {
  double x[3];
  for (int k = 0; k < 3; k++) x[k] = r->from[k] + t * r->way[k];
  return beyond_at(r->shape, r->pose, x);
}

static double least_along(const ray *r, double *at) {
  double low = 0, high = 1;
  for (int step = 0; step < 90; step++) {
    double third = (high - low) / 3, s = low + third, t = high - third;
    if (phi_along(r, s) <= phi_along(r, t))
      high = t;
    else
      low = s;
  }
  *at = (low + high) / 2;
  return phi_along(r, *at);
}

static double entry_along(const ray *r, double inside) {
  double low = 0;
  for (int step = 0; step < 60; step++) {
    double middle = (low + inside) / 2;
    if (phi_along(r, middle) > 0)
      low = middle;
    else
      inside = middle;
  }
  return inside;
}

static void see_ray(const ray *r) {
  stc_cast_hit hit;
  double at, least = least_along(r, &at), length = sqrt(dot(r->way, r->way));
  bool found = stc_shape_cast_ray(r->shape, r->pose, r->from, r->way, &hit);
  casts++;
  if (fabs(least) < 1e-9) return;  // it grazes
  assert_int_equal(found, least < 0);
  if (!found) return;
  met++;
  assert_int_equal(hit.triangle, -1);
  expect_near(dot(hit.normal, hit.normal), 1, 1e-14);
  if (phi_along(r, 0) <= 0) {
    assert_true(hit.fraction == 0);
    return;
  }
  double off = fabs(beyond_at(r->shape, r->pose, hit.x));
  worst = fmax(worst, off);
  assert_true(off < 1e-12 * (1 + length));
  assert_true(dot(hit.normal, r->way) <= 1e-9 * length);
  if (dot(hit.normal, r->way) < -1e-3 * length)  // steep enough for the halving to be sharp
    expect_near(hit.fraction, entry_along(r, at), 1e-11);
}

// From places around a shape of size 1 towards places around it.
static ray random_ray(stc_random *random, const stc_shape *shape, const stc_pose *pose) {
  ray r = {.shape = shape, .pose = pose};
  double away = stc_random_uniform(random) < 0.1 ? 100 : 3;
  for (int k = 0; k < 3; k++) {
    r.from[k] = pose->x[k] + between(random, -away, away);
    r.way[k] = pose->x[k] + between(random, -2, 2) - r.from[k];
  }
  if (stc_random_uniform(random) < 0.1) r.way[random->state % 3] = 0;
  return r;
}

static void rays_meet_where_a_search_finds_them(void **state) {
  stc_random random = stc_random_seed(12);
  casts = met = 0, worst = 0;
  for (long t = 0; t < trials(30000); t++) {
    stc_shape shape =
        random_shape(&random, (stc_shape_kind)(t % (STC_SHAPE_PLANE + 1)), hull[t % 2]);
    stc_pose pose = random_pose(&random, 5);
    ray r = random_ray(&random, &shape, &pose);
    see_ray(&r);
  }
  assert_true(met > casts / 4);
  print_message("%ld rays, %ld met, off the surface by %.1e at most\n", casts, met, worst);
}

// --- Moving shapes ---

static bool is_in(const stc_shape *s, const stc_pose *pose, const double x[3], double slack) {
  double off = beyond_at(s, pose, x);
  worst = fmax(worst, off);
  return off <= slack;
}

static void see_contact(const couple *c, const double way[3], const stc_cast_hit *hit) {
  couple there = *c;
  double into = -dot(hit->normal, way), steep = into / sqrt(dot(way, way));
  for (int k = 0; k < 3; k++) there.pose_a.x[k] += hit->fraction * way[k];
  expect_near(dot(hit->normal, hit->normal), 1, 1e-14);
  assert_true(into > 0);
  double slack = steep > 1e-3 ? 1e-9 : 1e-6;
  assert_true(beyond_at(&there.a, &there.pose_a, hit->x) < 1e-6);
  assert_true(beyond_at(&there.b, &there.pose_b, hit->x) < 1e-6);
  double gap = gap_along(&there, hit->normal);
  worst = fmax(worst, -gap);
  assert_true(gap > -slack);
}

// Whether they come within `slack` of each other: the distance along the way is convex.
static double least_distance(const couple *c, const double way[3]) {
  double low = 0, high = 1, distance[2] = {0};
  for (int step = 0; step < 60; step++) {
    double t[2] = {low + (high - low) / 3, high - (high - low) / 3};
    for (int s = 0; s < 2; s++) {
      stc_closest closest;
      stc_pose there = c->pose_a;
      for (int k = 0; k < 3; k++) there.x[k] += t[s] * way[k];
      assert_true(stc_shape_closest(&c->a, &there, &c->b, &c->pose_b, &closest));
      distance[s] = closest.distance;
    }
    if (distance[0] <= 0 || distance[1] <= 0) return fmin(distance[0], distance[1]);
    if (distance[0] <= distance[1])
      high = t[1];
    else
      low = t[0];
  }
  return distance[0];
}

static couple random_couple(stc_random *random, long t) {
  int first = (int)(t % STC_SHAPE_PLANE), second = (int)(t / STC_SHAPE_PLANE % STC_SHAPE_PLANE);
  couple c = {.a = random_shape(random, (stc_shape_kind)first, hull[t % 2]),
              .b = random_shape(random, (stc_shape_kind)second, hull[0]),
              .pose_a = random_pose(random, 3),
              .pose_b = random_pose(random, 1)};
  return c;
}

static void shapes_meet_where_a_plane_still_separates_them(void **state) {
  stc_random random = stc_random_seed(13);
  long overlaps = 0, misses = 0;
  casts = met = 0, worst = 0;
  for (long t = 0; t < trials(20000); t++) {
    couple c = random_couple(&random, t);
    stc_cast_hit hit;
    double way[3];
    for (int k = 0; k < 3; k++)
      way[k] = 2 * (c.pose_b.x[k] - c.pose_a.x[k] + between(&random, -2.5, 2.5));
    bool found = stc_shape_cast(&c.a, &c.pose_a, way, &c.b, &c.pose_b, &hit);
    bool overlap = stc_shape_overlap(&c.a, &c.pose_a, &c.b, &c.pose_b);
    casts++, met += found, overlaps += overlap;
    if (overlap)
      assert_true(found && hit.fraction == 0);
    else if (found)
      see_contact(&c, way, &hit);
    else if (misses++ % 4 == 0)
      assert_true(least_distance(&c, way) > -1e-9);
  }
  assert_true(met > casts / 4 && met - overlaps > casts / 8 && misses > casts / 20);
  print_message("%ld shapes cast, %ld met (%ld at once), off by %.1e at most\n", casts, met,
                overlaps, worst);
}

// A ball of radius r meets a box where its middle meets the box rounded by r.
static void see_ball(const couple *c, const double way[3]) {
  stc_cast_hit hit;
  double q[3];
  bool found = stc_shape_cast(&c->a, &c->pose_a, way, &c->b, &c->pose_b, &hit);
  if (!found || hit.fraction == 0) return;
  for (int k = 0; k < 3; k++) q[k] = c->pose_a.x[k] + hit.fraction * way[k] - c->pose_b.x[k];
  double square = 0;
  for (int k = 0; k < 3; k++) square += pow(fmax(fabs(q[k]) - c->b.half[k], 0), 2);
  expect_near(sqrt(square), c->a.radius, 1e-11);
}

static void a_ball_meets_a_box_where_its_middle_is_a_radius_away(void **state) {
  stc_random random = stc_random_seed(14);
  for (long t = 0; t < trials(10000); t++) {
    couple c = {.a = random_shape(&random, STC_SHAPE_SPHERE, NULL),
                .b = random_shape(&random, STC_SHAPE_BOX, NULL),
                .pose_a = random_pose(&random, 4),
                .pose_b = {.x = {1, 2, 3}, .rotation = {1, 0, 0, 0}}};
    double way[3];
    for (int k = 0; k < 3; k++)
      way[k] = c.pose_b.x[k] - c.pose_a.x[k] + between(&random, -1.5, 1.5);
    see_ball(&c, way);
  }
}

// --- Nearest points ---

static void see_closest(const couple *c, const stc_closest *closest) {
  bool thin = c->a.kind == STC_SHAPE_CYLINDER || c->b.kind == STC_SHAPE_CYLINDER;
  double d[3], slack = thin ? 1e-6 : 1e-10;
  for (int k = 0; k < 3; k++) d[k] = closest->x[0][k] - closest->x[1][k];
  for (int k = 0; k < 3; k++) expect_near(d[k], closest->distance * closest->normal[k], 1e-13);
  expect_near(dot(closest->normal, closest->normal), 1, 1e-14);
  if (closest->distance < 0) {
    expect_near(gap_along(c, closest->normal), closest->distance, 1e-6);
    return;
  }
  assert_true(is_in(&c->a, &c->pose_a, closest->x[0], slack));
  assert_true(is_in(&c->b, &c->pose_b, closest->x[1], slack));
  double gap = gap_along(c, closest->normal);
  worst = fmax(worst, fabs(gap - closest->distance));
  expect_near(gap, closest->distance, 1e-9);
}

static void nearest_points_leave_room_for_a_slab(void **state) {
  stc_random random = stc_random_seed(15);
  long apart = 0, count = trials(100000);
  worst = 0;
  for (long t = 0; t < count; t++) {
    couple c = random_couple(&random, t);
    stc_closest closest, back;
    assert_true(stc_shape_closest(&c.a, &c.pose_a, &c.b, &c.pose_b, &closest));
    see_closest(&c, &closest);
    apart += closest.distance > 0;
    assert_int_equal(stc_shape_overlap(&c.a, &c.pose_a, &c.b, &c.pose_b), closest.distance <= 0);
    assert_true(stc_shape_closest(&c.b, &c.pose_b, &c.a, &c.pose_a, &back));
    if (closest.distance > 0) expect_near(back.distance, closest.distance, 1e-8);
  }
  assert_true(apart > count / 4 && apart < count - count / 20);
  print_message("%ld pairs, %ld apart, off by %.1e at most\n", count, apart, worst);
}

// With a plane the distance is the height of the lowest point.
static void a_plane_is_as_far_as_the_lowest_point(void **state) {
  stc_random random = stc_random_seed(16);
  const stc_shape plane = {.kind = STC_SHAPE_PLANE};
  for (long t = 0; t < trials(10000); t++) {
    stc_shape shape = random_shape(&random, (stc_shape_kind)(t % STC_SHAPE_PLANE), hull[1]);
    stc_pose pose = random_pose(&random, 2), at = random_pose(&random, 2);
    double up[3], down[3], way[3];
    stc_pose_direction(&at, (double[]){0, 0, 1}, up);
    for (int k = 0; k < 3; k++) down[k] = -up[k], way[k] = between(&random, -4, 4);
    double height = -reach_along(&shape, &pose, down) - dot(at.x, up), speed = dot(way, up);
    stc_closest closest;
    stc_cast_hit hit;
    assert_true(stc_shape_closest(&plane, &at, &shape, &pose, &closest));
    expect_near(closest.distance, height, 1e-12);
    expect_near(dot(closest.normal, up), -1, 1e-12);
    bool found = stc_shape_cast(&shape, &pose, way, &plane, &at, &hit);
    bool expected = height <= 0 || (speed < 0 && height <= -speed);
    assert_int_equal(found, expected);
    if (found && height > 0) expect_near(hit.fraction, -height / speed, 1e-10);
  }
}

// --- Terrain ---

enum { SIDE = 12, CORNERS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

typedef struct hills {
  double point[3 * CORNERS];
  int triangle[3 * TRIANGLES];
  stc_terrain *terrain;
} hills;

static void grow_hills(stc_random *random, hills *h) {
  int at = 0;
  for (int k = 0; k < CORNERS; k++) {
    h->point[3 * k] = k % (SIDE + 1), h->point[3 * k + 1] = k / (SIDE + 1);
    h->point[3 * k + 2] = between(random, 0, 1);
  }
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      int c = j * (SIDE + 1) + i;
      int corner[6] = {c, c + 1, c + SIDE + 1, c + 1, c + SIDE + 2, c + SIDE + 1};
      memcpy(h->triangle + at, corner, sizeof corner);
      at += 6;
    }
  assert_int_equal(stc_terrain_create(CORNERS, h->point, TRIANGLES, h->triangle, &h->terrain),
                   STC_OK);
}

static double height_of(const hills *h, double x, double y) {
  int i = x >= SIDE ? SIDE - 1 : (int)x, j = y >= SIDE ? SIDE - 1 : (int)y;
  double u = x - i, v = y - j;
  const double *z = h->point + 3 * (j * (SIDE + 1) + i);
  double z00 = z[2], z10 = z[5], z01 = z[3 * (SIDE + 1) + 2], z11 = z[3 * (SIDE + 1) + 5];
  return u + v <= 1 ? z00 + u * (z10 - z00) + v * (z01 - z00)
                    : z11 + (1 - u) * (z01 - z11) + (1 - v) * (z10 - z11);
}

// Straight down from above every ray meets the surface at its height: on edges and corners too.
static void no_ray_slips_between_triangles(void **state) {
  stc_random random = stc_random_seed(17);
  hills h;
  grow_hills(&random, &h);
  stc_shape shape = {.kind = STC_SHAPE_TERRAIN, .terrain = h.terrain};
  stc_pose pose = stc_pose_identity();
  for (long t = 0; t < trials(20000); t++) {
    double x = between(&random, 0, SIDE), y = between(&random, 0, SIDE);
    if (t % 3 == 1) x = floor(x);
    if (t % 3 == 2) x = floor(x), y = floor(y);
    stc_cast_hit hit;
    double down[3] = {0, 0, -5}, from[3] = {x, y, 3}, up[3] = {0, 0, 5}, below[3] = {x, y, -1};
    assert_true(stc_shape_cast_ray(&shape, &pose, from, down, &hit));
    expect_near(hit.x[2], height_of(&h, x, y), 1e-12);
    assert_in_range(hit.triangle, 0, TRIANGLES - 1);
    assert_false(stc_shape_cast_ray(&shape, &pose, below, up, &hit));
  }
  stc_terrain_free(&h.terrain);
}

// Each triangle alone is a terrain: what is met first, or is nearest, is so among them.
static void the_tree_leaves_no_triangle_out(void **state) {
  stc_random random = stc_random_seed(18);
  hills h;
  stc_shape one[TRIANGLES], all = {.kind = STC_SHAPE_TERRAIN};
  grow_hills(&random, &h);
  all.terrain = h.terrain;
  for (int k = 0; k < TRIANGLES; k++) {
    stc_terrain *single;
    assert_int_equal(stc_terrain_create(CORNERS, h.point, 1, h.triangle + 3 * k, &single), STC_OK);
    one[k] = (stc_shape){.kind = STC_SHAPE_TERRAIN, .terrain = single};
  }
  long hits = 0;
  for (long t = 0; t < trials(20000) / 100; t++) {
    stc_shape shape = random_shape(&random, (stc_shape_kind)(t % STC_SHAPE_PLANE), hull[0]);
    stc_pose at = random_pose(&random, 4), pose = random_pose(&random, 3);
    double way[3], first = INFINITY, ray_first = INFINITY, nearest = INFINITY;
    pose.x[0] += SIDE / 2, pose.x[1] += SIDE / 2, pose.x[2] += 2;
    pose = stc_pose_compose(&at, &pose);
    for (int k = 0; k < 3; k++) way[k] = between(&random, -6, 6);
    stc_cast_hit hit;
    stc_closest closest;
    for (int k = 0; k < TRIANGLES; k++) {
      if (stc_shape_cast(&shape, &pose, way, &one[k], &at, &hit)) first = fmin(first, hit.fraction);
      if (stc_shape_cast_ray(&one[k], &at, pose.x, way, &hit))
        ray_first = fmin(ray_first, hit.fraction);
      assert_true(stc_shape_closest(&shape, &pose, &one[k], &at, &closest));
      nearest = fmin(nearest, closest.distance);
    }
    assert_int_equal(stc_shape_cast_ray(&all, &at, pose.x, way, &hit), ray_first < INFINITY);
    if (ray_first < INFINITY) expect_near(hit.fraction, ray_first, 1e-13);
    assert_int_equal(stc_shape_cast(&shape, &pose, way, &all, &at, &hit), first < INFINITY);
    if (first < INFINITY) hits++, expect_near(hit.fraction, first, 1e-9);
    assert_true(stc_shape_closest(&shape, &pose, &all, &at, &closest));
    expect_near(closest.distance, nearest, 1e-13);
  }
  assert_true(hits > 20);
  for (int k = 0; k < TRIANGLES; k++) stc_terrain_free((stc_terrain **)(void *)&one[k].terrain);
  stc_terrain_free(&h.terrain);
}

static void what_is_not_finite_meets_nothing(void **state) {
  stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 1}, plane = {.kind = STC_SHAPE_PLANE};
  stc_pose here = stc_pose_identity(), lost = {.x = {NAN, 0, 0}, .rotation = {1, 0, 0, 0}};
  double from[3] = {0, 0, 5}, way[3] = {0, 0, -10}, endless[3] = {0, 0, -INFINITY};
  stc_cast_hit hit;
  stc_closest closest;
  assert_true(stc_shape_cast_ray(&ball, &here, from, way, &hit));
  assert_false(stc_shape_cast_ray(&ball, &lost, from, way, &hit));
  assert_false(stc_shape_cast_ray(&ball, &here, from, endless, &hit));
  assert_false(stc_shape_cast(&ball, &lost, way, &ball, &here, &hit));
  assert_false(stc_shape_cast(&plane, &here, way, &ball, &here, &hit));
  assert_false(stc_shape_closest(&plane, &here, &plane, &here, &closest));
  assert_false(stc_shape_overlap(&plane, &here, &plane, &here));
  assert_false(stc_shape_overlap(&ball, &lost, &ball, &here));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_meet_where_a_search_finds_them),
      cmocka_unit_test(shapes_meet_where_a_plane_still_separates_them),
      cmocka_unit_test(a_ball_meets_a_box_where_its_middle_is_a_radius_away),
      cmocka_unit_test(nearest_points_leave_room_for_a_slab),
      cmocka_unit_test(a_plane_is_as_far_as_the_lowest_point),
      cmocka_unit_test(no_ray_slips_between_triangles),
      cmocka_unit_test(the_tree_leaves_no_triangle_out),
      cmocka_unit_test(what_is_not_finite_meets_nothing),
  };
  return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
