// Convex cores: how far they reach, and which of their faces looks where.
#include "convex.h"
#include "hull.h"
#include "shape_row.h"

// Part of the axis direction in a normal above which a cylinder shows its end: 45 degrees.
static const double END_ON = 0.70710678118654752;
// Tilt below which the polygon of an end is fixed in the cylinder, so that it does not rotate with
// rounding; above, its first corner is the deepest point.
static const double UPRIGHT = 1e-6;

void stc_convex_place(const stc_shape *shape, const stc_pose *pose, const double origin[3],
                      stc_convex *c) {
  c->shape = shape;
  c->hull = shape->hull;
  c->tube = c->radius = c->size = 0;
  stc_sub3(pose->x, origin, c->x);
  stc_rotation_of(pose->rotation, c->R);
  stc_copy3(shape->half, c->half);
  stc_copy3(c->x, c->centre);
  stc_shape_of(shape->kind)->place(shape, c);
}

void stc_convex_triangle(double corner[3][3], stc_convex *c) {
  double u[3], v[3];
  c->core = STC_CORE_TRIANGLE;
  c->tube = c->radius = c->size = 0;
  stc_rotation_of((double[4]){1, 0, 0, 0}, c->R);
  memcpy(c->corner, corner, sizeof c->corner);
  for (int k = 0; k < 3; k++) c->x[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3;
  for (int i = 0; i < 3; i++) c->size = fmax(c->size, stc_distance3(corner[i], c->x));
  stc_copy3(c->x, c->centre);
  stc_sub3(corner[1], corner[0], u);
  stc_sub3(corner[2], corner[0], v);
  stc_cross3(u, v, c->normal);
  stc_unit3(c->normal);
}

static int triangle_support(const stc_convex *c, const double d[3]) {
  double h[3];
  for (int i = 0; i < 3; i++) h[i] = stc_dot3(c->corner[i], d);
  return h[0] >= h[1] ? (h[0] >= h[2] ? 0 : 2) : (h[1] >= h[2] ? 1 : 2);
}

void stc_convex_support(const stc_convex *c, const double d[3], double p[3]) {
  double e[3], local[3] = {0};
  if (c->core == STC_CORE_TRIANGLE) {
    stc_copy3(c->corner[triangle_support(c, d)], p);
    return;
  }
  stc_mul3_transposed(c->R, d, e);
  if (c->core == STC_CORE_BOX)
    for (int k = 0; k < 3; k++) local[k] = copysign(c->half[k], e[k]);
  else if (c->core == STC_CORE_SEGMENT)
    local[2] = copysign(c->half[2], e[2]);
  else if (c->core == STC_CORE_CYLINDER) {
    // Local support of a cylinder; along its axis alone, the middle of its end.
    double across = hypot(e[0], e[1]);
    double scale = across > 0 ? c->tube / across : 0;
    local[0] = scale * e[0], local[1] = scale * e[1];
    local[2] = copysign(c->half[2], e[2]);
  } else if (c->core == STC_CORE_HULL)
    stc_copy3(c->hull->point + 3 * stc_hull_support(c->hull, e), local);
  else if (c->core == STC_CORE_SMOOTH)
    stc_shape_of(c->shape->kind)->support(c->shape, e, local);
  stc_mul3(c->R, local, local);
  stc_combine3(c->x, 1, local, p);
}

double stc_convex_reach(const stc_convex *c, const double d[3]) {
  double p[3], e[3];
  if (c->core == STC_CORE_POINT) return stc_dot3(c->x, d);
  if (c->core == STC_CORE_BOX) {
    stc_mul3_transposed(c->R, d, e);
    return stc_dot3(c->x, d) + fabs(e[0]) * c->half[0] + fabs(e[1]) * c->half[1] +
           fabs(e[2]) * c->half[2];
  }
  stc_convex_support(c, d, p);
  return stc_dot3(p, d);
}

void stc_convex_bounds(const stc_convex *c, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
    high[k] = stc_convex_reach(c, up) + c->radius;
    low[k] = -stc_convex_reach(c, down) - c->radius;
  }
}

int stc_convex_faces(const stc_convex *c) {
  static const int faces[STC_CORES] = {
      [STC_CORE_TRIANGLE] = 2, [STC_CORE_CYLINDER] = 2, [STC_CORE_BOX] = 6};
  return c->core == STC_CORE_HULL ? c->hull->faces : faces[c->core];
}

void stc_convex_face(const stc_convex *c, int k, double normal[3]) {
  if (c->core == STC_CORE_HULL) {
    stc_mul3(c->R, c->hull->normal + 3 * k, normal);
    return;
  }
  if (c->core == STC_CORE_TRIANGLE)
    stc_copy3(c->normal, normal);
  else
    stc_column3(c->R, c->core == STC_CORE_BOX ? k / 2 : 2, normal);
  if (k % 2) stc_scale3(-1, normal, normal);
}

int stc_convex_edges(const stc_convex *c) {
  static const int edges[STC_CORES] = {
      [STC_CORE_SEGMENT] = 1, [STC_CORE_CYLINDER] = 1, [STC_CORE_TRIANGLE] = 3, [STC_CORE_BOX] = 3};
  return c->core == STC_CORE_HULL ? c->hull->edges : edges[c->core];
}

void stc_convex_edge(const stc_convex *c, int k, double along[3]) {
  if (c->core == STC_CORE_TRIANGLE)
    stc_sub3(c->corner[(k + 1) % 3], c->corner[k], along), stc_unit3(along);
  else if (c->core == STC_CORE_HULL)
    stc_mul3(c->R, c->hull->edge + 3 * k, along);
  else
    stc_column3(c->R, c->core == STC_CORE_BOX ? k : 2, along);
}

static void add_corner(const stc_convex *c, const double local[3], int id, stc_feature *f) {
  double rotated[3];
  stc_mul3(c->R, local, rotated);
  stc_combine3(c->x, 1, rotated, f->p[f->count]);
  f->id[f->count++] = id;
}

// The two ends of a line along the axis of the shape, `away` from it.
static void line_feature(const stc_convex *c, const double away[2], stc_feature *f) {
  for (int k = 0; k < 2; k++)
    add_corner(c, (double[3]){away[0], away[1], k ? c->half[2] : -c->half[2]}, k, f);
}

static void box_feature(const stc_convex *c, const double d[3], stc_feature *f) {
  static const double rotation[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(d[k]) > fabs(d[axis])) axis = k;
  bool back = d[axis] < 0;
  f->face = 2 * axis + back;
  stc_convex_face(c, f->face, f->normal);
  for (int i = 0; i < 4; i++) {
    int k = back ? 3 - i : i, u = (axis + 1) % 3, v = (axis + 2) % 3;
    double local[3];
    local[axis] = back ? -c->half[axis] : c->half[axis];
    local[u] = rotation[k][0] * c->half[u], local[v] = rotation[k][1] * c->half[v];
    add_corner(c, local, (local[0] > 0) + 2 * (local[1] > 0) + 4 * (local[2] > 0), f);
  }
}

static void hull_feature(const stc_convex *c, const double d[3], stc_feature *f) {
  const stc_hull *h = c->hull;
  int i = stc_hull_support(h, d), best = h->around[h->around_start[i]];
  double most = -INFINITY;
  for (int k = h->around_start[i]; k < h->around_start[i + 1]; k++) {
    double along = stc_dot3(h->normal + 3 * h->around[k], d);
    if (along > most) most = along, best = h->around[k];
  }
  f->face = best;
  stc_convex_face(c, best, f->normal);
  int first = h->face_start[best], corners = h->face_start[best + 1] - first;
  int keep = corners < STC_FEATURE ? corners : STC_FEATURE;
  for (int k = 0; k < keep; k++) {
    int corner = h->face_corner[first + (int)((long)k * corners / keep)];
    add_corner(c, h->point + 3 * corner, corner, f);
  }
}

static void cylinder_feature(const stc_convex *c, const double d[3], stc_feature *f) {
  double across = hypot(d[0], d[1]);
  if (fabs(d[2]) < END_ON * hypot(across, d[2])) {
    line_feature(c, (double[2]){c->tube * d[0] / across, c->tube * d[1] / across}, f);
    return;
  }
  bool back = d[2]<0, tilted = across> UPRIGHT * fabs(d[2]);
  double cosine = tilted ? d[0] / across : 1, sine = tilted ? d[1] / across : 0;
  f->face = back;
  stc_convex_face(c, back, f->normal);
  for (int k = 0; k < STC_RIM; k++) {
    double angle = 2 * 3.14159265358979323846 * (back ? -k : k) / STC_RIM;
    double x = c->tube * cos(angle), y = c->tube * sin(angle);
    double local[3] = {x * cosine - y * sine, x * sine + y * cosine,
                       back ? -c->half[2] : c->half[2]};
    add_corner(c, local, k, f);
  }
}

static void triangle_feature(const stc_convex *c, const double d[3], stc_feature *f) {
  bool back = stc_dot3(c->normal, d) < 0;
  f->face = back;
  stc_convex_face(c, back, f->normal);
  for (int k = 0; k < 3; k++) {
    int i = back ? 2 - k : k;
    stc_copy3(c->corner[i], f->p[f->count]);
    f->id[f->count++] = i;
  }
}

void stc_convex_feature(const stc_convex *c, const double d[3], stc_feature *f) {
  double e[3];
  f->count = 0;
  f->face = -1;
  stc_mul3_transposed(c->R, d, e);
  if (c->core == STC_CORE_POINT)
    add_corner(c, (double[3]){0}, 0, f);
  else if (c->core == STC_CORE_SMOOTH) {
    double local[3];
    stc_shape_of(c->shape->kind)->support(c->shape, e, local);
    add_corner(c, local, 0, f);
  } else if (c->core == STC_CORE_SEGMENT)
    line_feature(c, (double[2]){0}, f);
  else if (c->core == STC_CORE_TRIANGLE)
    triangle_feature(c, d, f);
  else if (c->core == STC_CORE_BOX)
    box_feature(c, e, f);
  else if (c->core == STC_CORE_HULL)
    hull_feature(c, e, f);
  else
    cylinder_feature(c, e, f);
}
