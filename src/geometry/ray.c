// Rays: a convex shape is an intersection of half spaces and round sides, each of which a ray is
// inside of for one span of t; the ray enters at the latest of their entries. A capsule is the
// union of a cylinder and two balls.
#include "../base/vec3.h"
#include "cast.h"
#include "hull.h"
#include "shape_row.h"
#include "terrain.h"

// The part of the ray inside all sides seen so far.
typedef struct span {
  double in, out;
  double normal[3];  // of the side where it enters
} span;

static span whole_ray(void) { return (span){.in = -INFINITY, .out = INFINITY}; }

// Side n.x <= offset.
static void cut_flat(span *s, const double n[3], double offset, const double from[3],
                     const double way[3]) {
  double height = stc_dot3(n, from) - offset, speed = stc_dot3(n, way);
  if (speed == 0) {
    if (height > 0) s->out = -INFINITY;
    return;
  }
  double t = -height / speed;
  if (speed > 0) {
    s->out = fmin(s->out, t);
  } else if (t > s->in) {
    s->in = t;
    stc_copy3(n, s->normal);
  }
}

// Side |x| <= radius in the first `dim` coordinates: from the point of the ray nearest to the
// middle, half a chord each way. The entry is c / (-b + root), which does not cancel.
static void cut_round(span *s, int dim, double radius, const double from[3], const double way[3]) {
  double a = 0, b = 0, c = -radius * radius, apart = 0;
  for (int k = 0; k < dim; k++) a += way[k] * way[k], b += from[k] * way[k], c += from[k] * from[k];
  if (!(a > 0)) {
    if (c > 0) s->out = -INFINITY;
    return;
  }
  for (int k = 0; k < dim; k++) apart += (from[k] - b / a * way[k]) * (from[k] - b / a * way[k]);
  double square = a * (radius * radius - apart);
  if (square < 0) {
    s->out = -INFINITY;
    return;
  }
  double root = sqrt(square);
  double in = b < 0 ? c / (-b + root) : -(b + root) / a, out = (root - b) / a;
  s->out = fmin(s->out, out);
  if (!(in > s->in)) return;
  s->in = in;
  for (int k = 0; k < 3; k++) s->normal[k] = k < dim ? from[k] + in * way[k] : 0;
  stc_unit3(s->normal);
}

static bool enters(const span *s, stc_cast_hit *hit) {
  if (!(s->in <= s->out && s->out >= 0)) return false;
  if (s->in < 0) return true;
  hit->fraction = s->in;
  stc_copy3(s->normal, hit->normal);
  return true;
}

bool stc_ray_sphere(const stc_shape *shape, const double from[3], const double way[3],
                    stc_cast_hit *hit) {
  span s = whole_ray();
  cut_round(&s, 3, shape->radius, from, way);
  return enters(&s, hit);
}

static void cut_slab(span *s, int axis, double half, const double from[3], const double way[3]) {
  for (int side = -1; side <= 1; side += 2) {
    double n[3] = {0};
    n[axis] = side;
    cut_flat(s, n, half, from, way);
  }
}

bool stc_ray_box(const stc_shape *shape, const double from[3], const double way[3],
                 stc_cast_hit *hit) {
  span s = whole_ray();
  for (int k = 0; k < 3; k++) cut_slab(&s, k, shape->half[k], from, way);
  return enters(&s, hit);
}

bool stc_ray_cylinder(const stc_shape *shape, const double from[3], const double way[3],
                      stc_cast_hit *hit) {
  span s = whole_ray();
  cut_slab(&s, 2, shape->half[2], from, way);
  cut_round(&s, 2, shape->radius, from, way);
  return enters(&s, hit);
}

bool stc_ray_capsule(const stc_shape *shape, const double from[3], const double way[3],
                     stc_cast_hit *hit) {
  stc_cast_hit best = {.fraction = INFINITY};
  for (int part = -1; part <= 1; part++) {
    stc_cast_hit own = {0};
    double seen[3] = {from[0], from[1], from[2] - part * shape->half[2]};
    bool met =
        part ? stc_ray_sphere(shape, seen, way, &own) : stc_ray_cylinder(shape, seen, way, &own);
    if (!met || !(own.fraction < best.fraction)) continue;
    best = own;
  }
  if (!(best.fraction < INFINITY)) return false;
  if (best.fraction > 0 || stc_norm3(best.normal) > 0) {
    hit->fraction = best.fraction;
    stc_copy3(best.normal, hit->normal);
  }
  return true;
}

bool stc_ray_hull(const stc_shape *shape, const double from[3], const double way[3],
                  stc_cast_hit *hit) {
  const stc_hull *h = shape->hull;
  span s = whole_ray();
  for (int f = 0; f < h->faces && s.in <= s.out; f++) {
    const double *n = h->normal + 3 * f, *corner = h->point + 3 * h->face_corner[h->face_start[f]];
    cut_flat(&s, n, stc_dot3(n, corner), from, way);
  }
  return enters(&s, hit);
}

bool stc_ray_plane(const stc_shape *shape, const double from[3], const double way[3],
                   stc_cast_hit *hit) {
  (void)shape;
  span s = whole_ray();
  cut_flat(&s, (const double[3]){0, 0, 1}, 0, from, way);
  return enters(&s, hit);
}

// --- Terrain ---

typedef struct terrain_ray {
  const stc_terrain *terrain;
  const double *from, *way;
  double limit;  // the earliest so far
  stc_cast_hit *hit;
} terrain_ray;

static double ray_bound(const void *user, const double low[3], const double high[3]) {
  const terrain_ray *r = user;
  return stc_way_reaches(r->from, r->way, low, high);
}

static void ray_bounds(const void *user, const stc_box_tree_node *node, double *bound) {
  stc_box_tree_bound_each(node, ray_bound, user, bound);
}

// The ray passes inside where it runs around all edges in the same sense: for the edge from p to q,
// seen from its beginning, the sign of way.(p x q), which the neighbour computes with the same
// roundings reversed.
static void meet_ray(void *user, int triangle) {
  terrain_ray *r = user;
  const stc_terrain *t = r->terrain;
  const double *n = t->normal + 3 * triangle;
  double corner[3][3], c[3], speed = stc_dot3(n, r->way);
  if (!(speed < 0)) return;
  for (int v = 0; v < 3; v++)
    stc_sub3(t->point + 3 * t->triangle[3 * triangle + v], r->from, corner[v]);
  for (int v = 0; v < 3; v++) {
    stc_cross3(corner[v], corner[(v + 1) % 3], c);
    if (stc_dot3(r->way, c) > 0) return;
  }
  double fraction = stc_dot3(n, corner[0]) / speed;
  if (!(fraction >= 0 && fraction < r->limit)) return;
  r->limit = r->hit->fraction = fraction;
  stc_copy3(n, r->hit->normal);
  r->hit->triangle = triangle;
}

bool stc_ray_terrain(const stc_shape *shape, const double from[3], const double way[3],
                     stc_cast_hit *hit) {
  terrain_ray r = {shape->terrain, from, way, INFINITY, hit};
  stc_box_tree_find(&shape->terrain->tree,
                    &(stc_box_tree_search){ray_bounds, meet_ray, &r, &r.limit});
  return r.limit < INFINITY;
}
