// The nearest points of two shapes. Convex cores that are apart: Gilbert, Johnson and Keerthi's;
// a point inside a core of closed form: the nearest face; other overlaps: the axis of least depth.
#include "axis.h"
#include "cast.h"
#include "pairs.h"
#include "shape_row.h"

// Part of the sizes below which the direction between nearest points is rounding.
static const double CLEAR_OF = 1e-8;
// Part of the sizes up to which the distance of nearest points is proved by the slab between them.
static const double SURE = 1e-11;

// From nearest points of the cores to those of the rounded surfaces.
static void to_surface(const stc_convex *a, const stc_convex *b, double gap, const double n[3],
                       const double pa[3], stc_closest *closest) {
  closest->distance = gap - a->radius - b->radius;
  stc_copy3(n, closest->normal);
  stc_combine3(pa, -a->radius, n, closest->x[0]);
  stc_combine3(closest->x[0], -closest->distance, n, closest->x[1]);
}

static void closest_overlapping(const stc_convex *a, const stc_convex *b, stc_closest *closest) {
  stc_axis axis;
  stc_nearest w;
  if (stc_axis_is_listed(a, b))
    stc_axis_listed(a, b, INFINITY, &axis);
  else
    stc_axis_general(a, b, INFINITY, &axis);
  stc_axis_witness(a, b, &axis, &w);
  to_surface(a, b, axis.gap, axis.normal, w.pa, closest);
}

void stc_closest_convex(const stc_convex *a, const stc_convex *b, stc_closest *closest) {
  stc_nearest w;
  double n[3];
  if (a->core == STC_CORE_POINT && stc_point_is_closed(b->core)) {
    double gap = stc_point_distance(b, a->x, n);
    to_surface(a, b, gap, n, a->x, closest);
    return;
  }
  double scale = a->size + b->size;
  stc_gjk(a, b, (double[3]){0}, &w);
  stc_axis axis = {.gap = stc_axis_gap(a, b, w.normal)};
  if (!(w.distance > CLEAR_OF * scale)) {
    closest_overlapping(a, b, closest);
    return;
  }
  if (fabs(w.distance - axis.gap) > SURE * scale) {  // no such slab fits between them
    stc_copy3(w.normal, axis.normal);
    stc_axis_climb(a, b, &axis);
    stc_axis_witness(a, b, &axis, &w);
    w.distance = axis.gap;
    stc_copy3(axis.normal, w.normal);
  }
  to_surface(a, b, w.distance, w.normal, w.pa, closest);
}

// With the half space z <= 0.
static void closest_to_plane(const stc_convex *a, stc_closest *closest) {
  static const double down[3] = {0, 0, -1}, up[3] = {0, 0, 1};
  double p[3];
  stc_convex_support(a, down, p);
  const stc_convex plane = {0};
  to_surface(a, &plane, p[2], up, p, closest);
}

// --- Terrain ---

typedef struct terrain_closest {
  const stc_terrain *terrain;
  const stc_convex *shape;
  double low[3], high[3], limit;
  stc_closest *closest;
} terrain_closest;

// No point of the box is nearer.
static double closest_bound(const void *user, const double low[3], const double high[3]) {
  const terrain_closest *c = user;
  return stc_box_distance(low, high, c->low, c->high);
}

static void closest_bounds(const void *user, const stc_box_tree_node *node, double *bound) {
  stc_box_tree_bound_each(node, closest_bound, user, bound);
}

static void meet_closest(void *user, int triangle) {
  terrain_closest *c = user;
  stc_convex flat = {0};
  stc_closest own;
  stc_terrain_corners(c->terrain, triangle, &flat);
  stc_closest_convex(c->shape, &flat, &own);
  if (!(own.distance < c->limit)) return;
  c->limit = own.distance;
  *c->closest = own;
}

// --- Any shapes ---

static void closest_local(const stc_shape *shape, const stc_pose *pose, const stc_shape *other,
                          stc_closest *closest) {
  stc_convex a, b;
  stc_pose here = stc_pose_identity();
  stc_convex_place(shape, pose, here.x, &a);
  if (other->kind == STC_SHAPE_PLANE) {
    closest_to_plane(&a, closest);
  } else if (other->kind == STC_SHAPE_TERRAIN) {
    const stc_terrain *terrain = other->terrain;
    terrain_closest c = {.terrain = terrain, .shape = &a, .limit = INFINITY, .closest = closest};
    stc_convex_bounds(&a, c.low, c.high);
    stc_box_tree_find(&terrain->tree,
                      &(stc_box_tree_search){closest_bounds, meet_closest, &c, &c.limit});
  } else {
    stc_convex_place(other, &here, here.x, &b);
    stc_closest_convex(&a, &b, closest);
  }
}

static void reverse(stc_closest *c) {
  double first[3];
  stc_copy3(c->x[0], first);
  stc_copy3(c->x[1], c->x[0]);
  stc_copy3(first, c->x[1]);
  stc_scale3(-1, c->normal, c->normal);
}

bool stc_shape_closest(const stc_shape *a, const stc_pose *pose_a, const stc_shape *b,
                       const stc_pose *pose_b, stc_closest *closest) {
  bool swap =
      stc_shape_is_endless(a->kind) || (b->kind < a->kind && !stc_shape_is_endless(b->kind));
  const stc_shape *first = swap ? b : a, *second = swap ? a : b;
  const stc_pose *from = swap ? pose_b : pose_a, *at = swap ? pose_a : pose_b;
  if (stc_shape_is_endless(first->kind)) return false;
  if (!stc_pose_is_finite(from) || !stc_pose_is_finite(at)) return false;
  stc_pose seen = stc_pose_seen_from(from, at);
  closest_local(first, &seen, second, closest);
  stc_pose_direction(at, closest->normal, closest->normal);
  stc_unit3(closest->normal);
  for (int k = 0; k < 2; k++) stc_pose_point(at, closest->x[k], closest->x[k]);
  if (swap) reverse(closest);
  return true;
}

bool stc_shape_overlap(const stc_shape *a, const stc_pose *pose_a, const stc_shape *b,
                       const stc_pose *pose_b) {
  stc_closest closest;
  if (stc_shape_is_endless(a->kind) || stc_shape_is_endless(b->kind))
    return stc_shape_closest(a, pose_a, b, pose_b, &closest) && closest.distance <= 0;
  if (!stc_pose_is_finite(pose_a) || !stc_pose_is_finite(pose_b)) return false;
  stc_convex first, second;
  stc_nearest w;
  stc_convex_place(a, pose_a, pose_b->x, &first);
  stc_convex_place(b, pose_b, pose_b->x, &second);
  stc_gjk(&first, &second, (double[3]){0}, &w);
  return w.distance <= first.radius + second.radius;
}
