// Casts. While a moves along a way w, its distance d(t) from b is a convex function, with slope n.w
// for the normal n of the nearest points: Newton's method from t = 0 goes forward, never past the
// first contact, and converges quadratically where the shapes do not graze.
#include "cast.h"

#include <float.h>

#include "axis.h"
#include "pairs.h"
#include "shape_row.h"

// Parts of the sizes: shapes nearer than this touch; nearest points of sharp cores nearer than this
// tell no normal.
static const double TOUCH = 1e-13, BLURRED = 1e-5;
// A grazing way halves its distance from the contact in each step: 2^-40 of it is rounding.
enum { MOST_STEPS = 64, MOST_SETTLING = 8 };

double stc_way_reaches(const double from[3], const double way[3], const double low[3],
                       const double high[3]) {
  double in = 0, out = INFINITY;
  for (int k = 0; k < 3; k++) {
    if (way[k] == 0) {
      if (from[k] < low[k] || from[k] > high[k]) return INFINITY;
      continue;
    }
    double s = (low[k] - from[k]) / way[k], t = (high[k] - from[k]) / way[k];
    in = fmax(in, fmin(s, t));
    out = fmin(out, fmax(s, t));
  }
  return in <= out * (1 + 4 * DBL_EPSILON) ? in * (1 - 4 * DBL_EPSILON) : INFINITY;
}

static void move_convex(const stc_convex *a, double t, const double way[3], stc_convex *moved) {
  *moved = *a;
  stc_add3(moved->x, t, way);
  stc_add3(moved->centre, t, way);
}

// From t on, by the direction of greatest gap: that of sharp cores can be found while they touch.
static void settle(const stc_convex *a, const stc_convex *b, const double way[3],
                   stc_cast_hit *hit) {
  double scale = a->size + b->size;
  stc_convex moved;
  stc_nearest w;
  stc_axis axis;
  for (int step = 0; step < MOST_SETTLING; step++) {
    move_convex(a, hit->fraction, way, &moved);
    stc_copy3(hit->normal, axis.normal);
    axis.gap = stc_axis_gap(&moved, b, axis.normal);
    stc_axis_climb(&moved, b, &axis);
    double speed = -stc_dot3(axis.normal, way);
    if (!(speed > 0)) break;
    stc_copy3(axis.normal, hit->normal);
    hit->fraction = fmax(0, hit->fraction + axis.gap / speed);
    if (fabs(axis.gap) <= TOUCH * scale) break;
  }
  stc_copy3(hit->normal, axis.normal);
  axis.gap = stc_axis_gap(&moved, b, axis.normal);
  stc_axis_witness(&moved, b, &axis, &w);
  if (w.distance > 0) stc_copy3(w.pb, hit->x);
}

bool stc_cast_convex(const stc_convex *a, const stc_convex *b, const double way[3], double limit,
                     stc_cast_hit *hit) {
  double t = 0, radius = a->radius + b->radius, scale = a->size + b->size + radius;
  double near = radius > 0 ? TOUCH * scale : BLURRED * scale;
  stc_nearest w;
  stc_gjk(a, b, (double[3]){0}, &w);
  hit->fraction = 0;
  stc_copy3(b->centre, hit->x);
  if (w.distance <= radius) return true;
  for (int step = 0; step < MOST_STEPS; step++) {
    double shift[3], gap = w.distance - radius, speed = -stc_dot3(w.normal, way);
    if (w.distance > 0) stc_copy3(w.normal, hit->normal);
    if (gap <= near) break;
    double next = t + gap / speed;
    if (!(speed > 0 && next <= limit)) return false;
    if (next == t) break;
    t = next;
    stc_scale3(t, way, shift);
    stc_gjk(a, b, shift, &w);
  }
  hit->fraction = t;
  stc_combine3(w.pb, b->radius, hit->normal, hit->x);
  if (radius == 0) settle(a, b, way, hit);
  return hit->fraction <= limit;
}

// --- Terrain ---

typedef struct terrain_cast {
  const stc_terrain *terrain;
  const stc_convex *moving;
  const double *way;
  double against[3];          // the way
  double middle[3], half[3];  // of the box around it
  double limit;
  bool met;
  stc_cast_hit *hit;
} terrain_cast;

static double cast_bound(const void *user, const double low[3], const double high[3]) {
  const terrain_cast *c = user;
  double wide_low[3], wide_high[3];
  stc_sub3(low, c->half, wide_low);
  stc_combine3(high, 1, c->half, wide_high);
  return stc_way_reaches(c->middle, c->way, wide_low, wide_high);
}

static void cast_bounds(const void *user, const stc_box_tree_node *node, double *bound) {
  stc_box_tree_bound_each(node, cast_bound, user, bound);
}

static void meet_cast(void *user, int triangle) {
  terrain_cast *c = user;
  stc_convex flat = {0};
  stc_cast_hit hit = {.triangle = triangle};
  double d[3];
  stc_terrain_corners(c->terrain, triangle, &flat);
  stc_sub3(c->moving->centre, flat.corner[0], d);
  if (stc_dot3(d, flat.normal) < 0) return;
  stc_copy3(c->against, hit.normal);
  if (!stc_cast_convex(c->moving, &flat, c->way, c->limit, &hit)) return;
  if (c->met && !(hit.fraction < c->limit)) return;
  c->met = true;
  c->limit = hit.fraction;
  *c->hit = hit;
}

static bool cast_at_terrain(const stc_convex *a, const stc_terrain *terrain, const double way[3],
                            stc_cast_hit *hit) {
  terrain_cast c = {.terrain = terrain, .moving = a, .way = way, .limit = 1, .hit = hit};
  stc_copy3(hit->normal, c.against);
  stc_convex_bounds(a, c.middle, c.half);
  for (int k = 0; k < 3; k++) {
    double low = c.middle[k], high = c.half[k];
    c.middle[k] = (low + high) / 2;
    c.half[k] = (high - low) / 2;
  }
  stc_box_tree_find(&terrain->tree, &(stc_box_tree_search){cast_bounds, meet_cast, &c, &c.limit});
  return c.met;
}

// --- Any shapes ---

static void against_way(const double way[3], stc_cast_hit *hit) {
  *hit = (stc_cast_hit){.triangle = -1};
  stc_scale3(-1, way, hit->normal);
  stc_unit3(hit->normal);
}

// Everything in the axes of `at`: way and hit are local.
static bool cast_local(const stc_shape *moving, const stc_pose *pose, const double way[3],
                       const stc_shape *other, stc_cast_hit *hit) {
  stc_convex a, b;
  stc_pose here = stc_pose_identity();
  stc_convex_place(moving, pose, here.x, &a);
  if (other->kind == STC_SHAPE_PLANE) {
    // With the half space z <= 0.
    static const double down[3] = {0, 0, -1}, up[3] = {0, 0, 1};
    double height = -stc_convex_reach(&a, down) - a.radius;
    stc_convex_support(&a, down, hit->x);
    stc_combine3(hit->x, a.radius, down, hit->x);
    if (height <= 0) return true;
    if (!(way[2] < 0 && -height / way[2] <= 1)) return false;
    hit->fraction = -height / way[2];
    stc_copy3(up, hit->normal);
    stc_add3(hit->x, hit->fraction, way);
    return true;
  }
  if (other->kind == STC_SHAPE_TERRAIN) return cast_at_terrain(&a, other->terrain, way, hit);
  stc_convex_place(other, &here, here.x, &b);
  return stc_cast_convex(&a, &b, way, 1, hit);
}

bool stc_shape_cast(const stc_shape *moving, const stc_pose *pose, const double way[3],
                    const stc_shape *other, const stc_pose *at, stc_cast_hit *hit) {
  double R[9], local[3];
  if (stc_shape_is_endless(moving->kind)) return false;
  if (!stc_pose_is_finite(pose) || !stc_pose_is_finite(at) || !isfinite(stc_norm3(way)))
    return false;
  stc_rotation_of(at->rotation, R);
  stc_mul3_transposed(R, way, local);
  against_way(local, hit);
  stc_pose seen = stc_pose_seen_from(pose, at);
  if (!cast_local(moving, &seen, local, other, hit)) return false;
  stc_pose_direction(at, hit->normal, hit->normal);
  stc_unit3(hit->normal);
  stc_pose_point(at, hit->x, hit->x);
  return true;
}

// --- Rays ---

// A shape known by its support function alone: the ray is a point that moves.
static bool cast_point(const stc_shape *shape, const double from[3], const double way[3],
                       stc_cast_hit *hit) {
  stc_pose here = stc_pose_identity();
  stc_convex point = {.core = STC_CORE_POINT}, b;
  stc_copy3(from, point.x);
  stc_copy3(from, point.centre);
  stc_convex_place(shape, &here, here.x, &b);
  return stc_cast_convex(&point, &b, way, 1, hit);
}

bool stc_shape_cast_ray(const stc_shape *shape, const stc_pose *pose, const double from[3],
                        const double way[3], stc_cast_hit *hit) {
  double R[9], start[3], along[3];
  if (!stc_pose_is_finite(pose) || !isfinite(stc_norm3(from)) || !isfinite(stc_norm3(way)))
    return false;
  const stc_shape_row *row = stc_shape_of(shape->kind);
  stc_rotation_of(pose->rotation, R);
  stc_sub3(from, pose->x, start);
  stc_mul3_transposed(R, start, start);
  stc_mul3_transposed(R, way, along);
  against_way(along, hit);
  if (row->ray ? !row->ray(shape, start, along, hit) : !cast_point(shape, start, along, hit))
    return false;
  if (!(hit->fraction <= 1)) return false;
  stc_mul3(R, hit->normal, hit->normal);
  stc_unit3(hit->normal);
  stc_combine3(from, hit->fraction, way, hit->x);
  return true;
}
