// Pairs of convex shapes by faces and edges, and against a half space.
#include "pairs.h"
#include "axis.h"

// Part of the sizes below which the direction between nearest points is rounding.
static const double CLEAR = 1e-6;
// Part of the sizes by which no point of a face may be farther than the nearest ones.
static const double BESIDE = 1e-6;
enum { ALONE = 1 };  // identity of a point that stands for no corner

static void add_witness(const stc_convex *a, const stc_convex *b, const double n[3],
                        const stc_nearest *w, stc_manifold *m) {
  stc_manifold_add(m, a, b, n, w->pa, w->pb, ALONE);
}

// Adds the features along an axis; false where none of them is as near as the axis says, because
// the nearest points lie beside the face.
static bool add_features(const stc_convex *a, const stc_convex *b, const stc_axis *axis,
                         stc_manifold *m) {
  double gap = axis->gap - a->radius - b->radius, least = INFINITY;
  if (!stc_manifold_features(m, a, b, axis->normal)) return false;
  for (int k = 0; k < m->count; k++) least = fmin(least, m->point[k].gap);
  return least <= gap + BESIDE * (a->size + b->size);
}

static void add_along(const stc_convex *a, const stc_convex *b, const stc_axis *axis,
                      stc_manifold *m) {
  stc_nearest w;
  if (add_features(a, b, axis, m)) return;
  stc_axis_witness(a, b, axis, &w);
  add_witness(a, b, axis->normal, &w, m);
}

// Cores that are clearly apart: the direction of their nearest points. False where they are not.
static bool collide_apart(const stc_convex *a, const stc_convex *b, double reach, stc_manifold *m) {
  stc_nearest w;
  stc_gjk(a, b, (double[3]){0}, &w);
  if (w.distance > reach) return true;
  if (w.distance < CLEAR * (a->size + b->size)) return false;
  stc_axis axis = {.gap = w.distance};
  stc_copy3(w.normal, axis.normal);
  stc_axis_snap(a, b, &axis);
  if (!add_features(a, b, &axis, m)) add_witness(a, b, axis.normal, &w, m);
  return true;
}

// Sharp polyhedra: the axis of faces and edges; between corners that are apart, the nearest points.
static void collide_listed(const stc_convex *a, const stc_convex *b, double reach,
                           stc_manifold *m) {
  stc_axis axis;
  if (!stc_axis_listed(a, b, reach, &axis)) return;
  if (axis.face && add_features(a, b, &axis, m)) return;
  if (axis.gap > 0 && collide_apart(a, b, reach, m)) return;
  add_along(a, b, &axis, m);
}

void stc_collide_convex(const stc_convex *a, const stc_convex *b, stc_manifold *m) {
  double reach = m->reach + a->radius + b->radius;
  bool round = a->radius > 0 || b->radius > 0;
  stc_axis axis;
  if (round && collide_apart(a, b, reach, m)) return;
  if (stc_axis_is_listed(a, b))
    collide_listed(a, b, reach, m);
  else if (stc_axis_general(a, b, reach, &axis))
    add_along(a, b, &axis, m);
}

void stc_collide_plane(const stc_convex *a, const double x[3], const double n[3], stc_manifold *m) {
  static const stc_convex none = {0};
  stc_feature f;
  double back[3], d[3], q[3];
  stc_scale3(-1, n, back);
  stc_convex_feature(a, back, &f);
  for (int i = 0; i < f.count; i++) {
    stc_sub3(f.p[i], x, d);
    stc_combine3(f.p[i], -stc_dot3(d, n), n, q);
    stc_manifold_add(m, a, &none, n, f.p[i], q, (uint64_t)f.id[i]);
  }
}
