// stc_collide: the table of pairs. The lower kind comes first; the other order reverses the
// normals.
#include "axis.h"
#include "pairs.h"

#include <stiction/geometry.h>

// Pairs of convex shapes by faces and edges, and against a half space.

// Part of the sizes below which the direction between nearest points is rounding.
static const double CLEAR = 1e-6;
// Part of the sizes by which no point of a face may be farther than the nearest ones; the part of
// an overlap that is enough of it.
static const double BESIDE = 1e-6, MOST_OF = 0.9;

static void add_witness(const stc_convex *a, const stc_convex *b, const double n[3],
                        const stc_nearest *w, stc_manifold *m) {
  stc_manifold_add(m, a, b, n, w->pa, w->pb, STC_ALONE);
}

// Adds the features along an axis; false where none of them is as near as the axis says, because
// the nearest points lie beside the face.
static bool add_features(const stc_convex *a, const stc_convex *b, const stc_axis *axis,
                         stc_manifold *m) {
  double gap = axis->gap - a->radius - b->radius, least = INFINITY;
  if (!stc_manifold_features(m, a, b, axis->normal)) return false;
  for (int k = 0; k < m->count; k++) least = fmin(least, m->point[k].gap);
  return least <= gap + BESIDE * (a->size + b->size) || least < MOST_OF * gap;
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

static void collide_convex(const stc_convex *a, const stc_convex *b, stc_manifold *m) {
  double reach = m->reach + a->radius + b->radius;
  bool round = a->radius > 0 || b->radius > 0;
  stc_axis axis;
  if (round && collide_apart(a, b, reach, m)) return;
  if (stc_axis_is_listed(a, b))
    collide_listed(a, b, reach, m);
  else if (stc_axis_general(a, b, reach, &axis))
    add_along(a, b, &axis, m);
}

// GENERAL where the table says nothing: the support function is all that it needs.
typedef enum method { GENERAL, CLOSED, CLIP, NONE } method;

// Sphere, box, capsule, cylinder, hull, plane, terrain. The general method serves as well where
// hulls have too many faces and edges to be tried one by one.
static const unsigned char table[STC_SHAPE_KINDS][STC_SHAPE_KINDS] = {
    [STC_SHAPE_SPHERE] = {CLOSED, CLOSED, CLOSED, CLOSED, CLIP, CLOSED, CLIP},
    [STC_SHAPE_BOX] = {CLOSED, CLIP, CLIP, GENERAL, CLIP, CLOSED, CLIP},
    [STC_SHAPE_CAPSULE] = {CLOSED, CLIP, CLOSED, GENERAL, CLIP, CLOSED, CLIP},
    [STC_SHAPE_CYLINDER] = {CLOSED, GENERAL, GENERAL, GENERAL, GENERAL, CLOSED, GENERAL},
    [STC_SHAPE_HULL] = {CLIP, CLIP, CLIP, GENERAL, CLIP, CLOSED, CLIP},
    [STC_SHAPE_PLANE] = {CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, NONE, NONE},
    [STC_SHAPE_TERRAIN] = {CLIP, CLIP, CLIP, GENERAL, CLIP, NONE, NONE}};

const char *stc_collide_method(stc_shape_kind a, stc_shape_kind b) {
  static const char *const name[] = {"general", "closed form", "clipping", "none"};
  if ((unsigned)a >= STC_SHAPE_KINDS || (unsigned)b >= STC_SHAPE_KINDS) return NULL;
  return name[table[a][b]];
}

// Points nearer than this part of the sizes are one.
static const double NEAR = 1e-6;

static void with_plane(const stc_convex *a, const stc_pose *plane, const double origin[3],
                       stc_manifold *m) {
  double R[9], n[3], x[3];
  stc_rotation_of(plane->rotation, R);
  stc_column3(R, 2, n);
  stc_unit3(n);
  stc_sub3(plane->x, origin, x);
  // With the half space behind point x with normal n.
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

static void with_convex(const stc_convex *a, const stc_convex *b, stc_manifold *m) {
  double far = a->size + b->size + a->radius + b->radius + m->reach;
  if (stc_distance3(a->x, b->x) > far) return;
  if (a->core == STC_CORE_POINT && stc_point_is_closed(b->core))
    stc_collide_point(a, b, m);
  else if (a->core == STC_CORE_SEGMENT && b->core == STC_CORE_SEGMENT)
    stc_collide_segments(a, b, m);
  else
    collide_convex(a, b, m);
}

// Plane or convex, with the middle of a as the origin.
static void with_other(const stc_shape *a, const stc_pose *pose_a, const stc_shape *b,
                       const stc_pose *pose_b, stc_manifold *m) {
  stc_convex first, second;
  stc_convex_place(a, pose_a, pose_a->x, &first);
  m->near = NEAR * (first.size + first.radius);
  if (b->kind == STC_SHAPE_PLANE) {
    with_plane(&first, pose_b, pose_a->x, m);
    return;
  }
  stc_convex_place(b, pose_b, pose_a->x, &second);
  m->near = fmin(m->near, NEAR * (second.size + second.radius));
  with_convex(&first, &second, m);
}

static void with_terrain(const stc_shape *shape, const stc_pose *pose, const stc_terrain *terrain,
                         const stc_pose *ground, stc_manifold *m) {
  stc_convex a;
  double R[9];
  stc_pose local = stc_pose_seen_from(pose, ground);
  stc_convex_place(shape, &local, (double[3]){0}, &a);
  m->near = NEAR * (a.size + a.radius);
  stc_collide_terrain(&a, terrain, m);
  stc_rotation_of(ground->rotation, R);
  for (int k = 0; k < m->count; k++) {
    stc_mul3(R, m->point[k].x, m->point[k].x);
    stc_mul3(R, m->point[k].normal, m->point[k].normal);
    stc_unit3(m->point[k].normal);
  }
}

/// A plane or terrain comes second, otherwise the lower kind first.
static bool is_reversed(stc_shape_kind a, stc_shape_kind b) {
  bool endless = stc_shape_is_endless(a);
  return endless != stc_shape_is_endless(b) ? endless : a > b;
}

int stc_collide(const stc_shape *a, const stc_pose *pose_a, const stc_shape *b,
                const stc_pose *pose_b, double reach, stc_contact_point point[STC_MANIFOLD]) {
  if (is_reversed(a->kind, b->kind)) {
    int count = stc_collide(b, pose_b, a, pose_a, reach, point);
    for (int k = 0; k < count; k++) stc_scale3(-1, point[k].normal, point[k].normal);
    return count;
  }
  if (stc_shape_is_endless(a->kind) || !stc_pose_is_finite(pose_a) || !stc_pose_is_finite(pose_b))
    return 0;
  stc_manifold m;
  m.reach = reach, m.near = 0, m.family = 0, m.count = 0;
  const double *origin = pose_a->x;
  if (b->kind == STC_SHAPE_TERRAIN) {
    with_terrain(a, pose_a, b->terrain, pose_b, &m);
    origin = pose_b->x;
  } else {
    with_other(a, pose_a, b, pose_b, &m);
  }
  int count = stc_manifold_thin(&m);
  for (int k = 0; k < count; k++) {
    point[k] = m.point[k];
    stc_combine3(point[k].x, 1, origin, point[k].x);
  }
  return count;
}
