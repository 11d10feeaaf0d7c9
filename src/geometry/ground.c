// Any convex shape on a terrain, triangle by triangle. The normal of a contact on an edge lies
// between those of the two triangles that meet there; where it does not, as on edges inside a flat
// or hollow surface, the triangle acts as the plane it lies in, over its own area. So a ball that
// rolls over flat triangles feels a flat floor.
#include "axis.h"
#include "pairs.h"

// Part of the sizes within which a point is on an edge; sine up to which normals are the same.
static const double ON_EDGE = 1e-6, SAME = 1e-6;

typedef struct ground {
  const stc_terrain *terrain;
  const stc_convex *shape;
  stc_manifold *manifold;
} ground;

// Sine of how far the triangle across edge k falls away: > 0 at a ridge, 1 at a rim.
static double falls_away(const stc_terrain *t, int triangle, int k, const double out[3]) {
  int beyond = t->beyond[3 * triangle + k];
  return beyond < 0 ? 1 : stc_dot3(t->normal + 3 * beyond, out);
}

static void outward(const stc_convex *flat, int k, double out[3]) {
  double e[3];
  stc_sub3(flat->corner[(k + 1) % 3], flat->corner[k], e);
  stc_cross3(e, flat->normal, out);
  stc_unit3(out);
}

// Whether the triangle has no edge that could push: no ridge and no rim.
static bool is_level(const stc_terrain *t, int triangle, const stc_convex *flat) {
  for (int k = 0; k < 3; k++) {
    double out[3];
    outward(flat, k, out);
    if (falls_away(t, triangle, k, out) >= SAME) return false;
  }
  return true;
}

// Whether the normal n may act across edge k, on which the point lies: at a rim, every normal on
// the outer side; at a ridge, those up to the neighbour's.
static bool may_cross(const stc_terrain *t, int triangle, int k, const double out[3],
                      const double n[3]) {
  const double *own = t->normal + 3 * triangle;
  int beyond = t->beyond[3 * triangle + k];
  if (stc_dot3(n, out) < -SAME) return false;
  if (beyond < 0) return stc_dot3(n, own) > 0;
  if (falls_away(t, triangle, k, out) < SAME) return false;
  return stc_dot3(n, own) >= stc_dot3(t->normal + 3 * beyond, own) - SAME;
}

static bool may_push(const ground *g, int triangle, const stc_convex *flat, const double n[3],
                     const double p[3]) {
  double slack = ON_EDGE * (g->shape->size + g->shape->radius + flat->size);
  bool on_edge = false;
  for (int k = 0; k < 3; k++) {
    double out[3], d[3];
    outward(flat, k, out);
    stc_sub3(p, flat->corner[k], d);
    if (stc_dot3(d, out) < -slack) continue;
    if (!may_cross(g->terrain, triangle, k, out, n)) return false;
    on_edge = true;
  }
  return on_edge;
}

// The triangle as a plane over its own area.
static void push_by_face(const ground *g, const stc_convex *flat) {
  stc_manifold_features(g->manifold, g->shape, flat, flat->normal);
}

// Axis of a shape that is near or in the triangle.
static bool find_axis(const ground *g, const stc_convex *flat, stc_axis *axis, stc_nearest *w) {
  const stc_convex *a = g->shape;
  double reach = g->manifold->reach + a->radius, scale = a->size + a->radius + flat->size;
  stc_gjk(a, flat, (double[3]){0}, w);
  if (w->distance > reach) return false;
  if (w->distance > ON_EDGE * scale) {
    *axis = (stc_axis){.gap = w->distance};
    stc_copy3(w->normal, axis->normal);
    return true;
  }
  bool near = stc_axis_is_listed(a, flat) ? stc_axis_listed(a, flat, reach, axis)
                                          : stc_axis_general(a, flat, reach, axis);
  if (near) stc_axis_witness(a, flat, axis, w);
  return near;
}

// Whether the triangle looks at the shape: less than half of it is behind the plane.
static bool faces(const ground *g, const stc_convex *flat) {
  const stc_convex *a = g->shape;
  double back[3], plane = stc_dot3(flat->corner[0], flat->normal);
  stc_scale3(-1, flat->normal, back);
  double top = stc_convex_reach(a, flat->normal) + a->radius - plane;
  double bottom = -stc_convex_reach(a, back) - a->radius - plane;
  return bottom <= g->manifold->reach && top + bottom >= 0;
}

void stc_terrain_corners(const stc_terrain *terrain, int triangle, stc_convex *flat) {
  double corner[3][3];
  for (int v = 0; v < 3; v++)
    stc_copy3(terrain->point + 3 * terrain->triangle[3 * triangle + v], corner[v]);
  stc_convex_triangle(corner, flat);
}

static void visit_triangle(void *user, int triangle) {
  const ground *g = user;
  double d[3];
  stc_convex flat = {0};
  stc_axis axis;
  stc_nearest w;
  stc_terrain_corners(g->terrain, triangle, &flat);
  g->manifold->family = (uint64_t)triangle + 1;
  if (!faces(g, &flat)) return;
  if (is_level(g->terrain, triangle, &flat)) {
    push_by_face(g, &flat);
    return;
  }
  if (!find_axis(g, &flat, &axis, &w)) return;
  stc_sub3(axis.normal, flat.normal, d);
  if (stc_norm3(d) < SAME || !may_push(g, triangle, &flat, axis.normal, w.pb))
    push_by_face(g, &flat);
  else if (!stc_manifold_features(g->manifold, g->shape, &flat, axis.normal))
    stc_manifold_add(g->manifold, g->shape, &flat, axis.normal, w.pa, w.pb, 1);
}

void stc_collide_terrain(const stc_convex *a, const stc_terrain *terrain, stc_manifold *m) {
  ground g = {terrain, a, m};
  double low[3], high[3];
  stc_convex_bounds(a, low, high);
  for (int k = 0; k < 3; k++) low[k] -= m->reach, high[k] += m->reach;
  stc_box_tree_query(&terrain->tree, low, high, visit_triangle, &g);
}
