// What the tests of shapes share: random shapes and poses, and an independent measure of distance.
//   gap(n) = min_a n.x - max_b n.x;  the distance of convex a and b, or minus their overlap, is its
//   greatest value over unit n.
#ifndef STC_TEST_COLLIDE_SUPPORT_H
#define STC_TEST_COLLIDE_SUPPORT_H

#include <stiction/geometry.h>

#include "base/random.h"
#include "expect.h"

static inline double between(stc_random *random, double low, double high) {
  return low + (high - low) * stc_random_uniform(random);
}

static inline double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void random_direction(stc_random *random, double n[3]) {
  for (int k = 0; k < 3; k++) n[k] = stc_random_normal(random);
  double length = sqrt(dot(n, n));
  for (int k = 0; k < 3; k++) n[k] /= length;
}

static inline stc_pose random_pose(stc_random *random, double spread) {
  stc_pose pose;
  double length = 0;
  for (int k = 0; k < 3; k++) pose.x[k] = between(random, -spread, spread);
  for (int k = 0; k < 4; k++) pose.rotation[k] = stc_random_normal(random);
  for (int k = 0; k < 4; k++) length = hypot(length, pose.rotation[k]);
  for (int k = 0; k < 4; k++) pose.rotation[k] /= length;
  return pose;
}

/// A hull of points on a sphere.
static inline stc_hull *random_hull(stc_random *random, int points) {
  double *p = malloc((size_t)points * 3 * sizeof *p);
  stc_hull *hull = NULL;
  for (int i = 0; i < points; i++) random_direction(random, p + 3 * i);
  assert_int_equal(stc_hull_create(points, p, &hull), STC_OK);
  free(p);
  return hull;
}

static inline stc_shape random_shape(stc_random *random, stc_shape_kind kind,
                                     const stc_hull *hull) {
  stc_shape shape = {.kind = kind, .radius = between(random, 0.3, 1)};
  for (int k = 0; k < 3; k++) shape.half[k] = between(random, 0.3, 1);
  if (kind == STC_SHAPE_HULL) shape.hull = hull;
  return shape;
}

static inline void farthest_of_hull(const stc_hull *hull, const double d[3], double p[3]) {
  const double *point;
  int count = stc_hull_points(hull, &point), best = 0;
  for (int i = 1; i < count; i++)
    if (dot(point + 3 * i, d) > dot(point + 3 * best, d)) best = i;
  memcpy(p, point + 3 * best, 3 * sizeof *p);
}

/// Point of a shape farthest along the unit vector d, both in its own frame.
static inline void farthest(const stc_shape *s, const double d[3], double p[3]) {
  double across = hypot(d[0], d[1]);
  memset(p, 0, 3 * sizeof *p);
  switch (s->kind) {
  case STC_SHAPE_BOX:
    for (int k = 0; k < 3; k++) p[k] = copysign(s->half[k], d[k]);
    break;
  case STC_SHAPE_CYLINDER:
    for (int k = 0; k < 2; k++) p[k] = across > 0 ? s->radius * d[k] / across : 0;
    p[2] = copysign(s->half[2], d[2]);
    break;
  case STC_SHAPE_HULL:
    farthest_of_hull(s->hull, d, p);
    break;
  default:
    for (int k = 0; k < 3; k++) p[k] = s->radius * d[k];
    if (s->kind == STC_SHAPE_CAPSULE) p[2] += copysign(s->half[2], d[2]);
  }
}

static inline double reach_along(const stc_shape *s, const stc_pose *pose, const double n[3]) {
  stc_pose back = {
      .rotation = {pose->rotation[0], -pose->rotation[1], -pose->rotation[2], -pose->rotation[3]}};
  double d[3], p[3];
  stc_pose_direction(&back, n, d);
  farthest(s, d, p);
  return dot(pose->x, n) + dot(p, d);
}

typedef struct couple {
  stc_shape a, b;
  stc_pose pose_a, pose_b;
} couple;

static inline double gap_along(const couple *c, const double n[3]) {
  double back[3] = {-n[0], -n[1], -n[2]};
  return -reach_along(&c->a, &c->pose_a, back) - reach_along(&c->b, &c->pose_b, n);
}

/// Random ascent of gap(n) from the best of random directions.
static inline double searched_gap(const couple *c, stc_random *random) {
  double best[3], most = -INFINITY;
  for (int i = 0; i < 300; i++) {
    double n[3];
    random_direction(random, n);
    double gap = gap_along(c, n);
    if (gap > most) most = gap, memcpy(best, n, sizeof n);
  }
  for (double step = 0.2; step > 1e-7; step *= 0.7)
    for (int i = 0; i < 12; i++) {
      double n[3], length = 0;
      random_direction(random, n);
      for (int k = 0; k < 3; k++) n[k] = best[k] + step * n[k], length = hypot(length, n[k]);
      for (int k = 0; k < 3; k++) n[k] /= length;
      double gap = gap_along(c, n);
      if (gap > most) most = gap, memcpy(best, n, sizeof n);
    }
  return most;
}

static inline int touch_couple(const couple *c, double reach,
                               stc_contact_point point[STC_MANIFOLD]) {
  return stc_collide(&c->a, &c->pose_a, &c->b, &c->pose_b, reach, point);
}

/// The point of least gap.
static inline const stc_contact_point *nearest_point(int count, const stc_contact_point *point) {
  const stc_contact_point *best = point;
  for (int k = 1; k < count; k++)
    if (point[k].gap < best->gap) best = &point[k];
  return best;
}

static inline void expect_sound(int count, const stc_contact_point *point, double reach) {
  assert_in_range(count, 0, STC_MANIFOLD);
  for (int k = 0; k < count; k++) {
    expect_near(sqrt(dot(point[k].normal, point[k].normal)), 1, 1e-15);
    assert_true(point[k].gap <= reach && point[k].gap > -INFINITY);
    for (int i = 0; i < 3; i++) assert_true(isfinite(point[k].x[i]));
  }
}

#endif
