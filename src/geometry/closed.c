// Pairs in closed form: a point against point, segment, box and cylinder; segment against segment.
#include "pairs.h"

// Sine below which two segments count as parallel, and below which the ends of their common part
// are points of contact as well.
static const double PARALLEL = 1e-6, NEARLY = 0.1;

static double from_segment(const stc_convex *c, const double local[3], double normal[3]) {
  stc_copy3(local, normal);
  normal[2] -= fmin(c->half[2], fmax(-c->half[2], local[2]));
  if (stc_dot3(normal, normal) > 0) return stc_unit3(normal);
  normal[0] = 1, normal[1] = normal[2] = 0;  // on the axis: across it
  return 0;
}

// Inside, the nearest face; outside, the nearest point of the box.
static double from_box(const stc_convex *c, const double local[3], double normal[3]) {
  int nearest = 0;
  bool outside = false;
  for (int k = 0; k < 3; k++) {
    double beyond = fabs(local[k]) - c->half[k];
    if (beyond > fabs(local[nearest]) - c->half[nearest]) nearest = k;
    normal[k] = beyond > 0 ? copysign(beyond, local[k]) : 0;
    outside |= beyond > 0;
  }
  if (outside) return stc_unit3(normal);
  normal[nearest] = copysign(1, local[nearest]);
  return fabs(local[nearest]) - c->half[nearest];
}

static double from_cylinder(const stc_convex *c, const double local[3], double normal[3]) {
  double across = hypot(local[0], local[1]);
  double side = across - c->tube, end = fabs(local[2]) - c->half[2];
  double out[2] = {1, 0};
  if (across > 0) out[0] = local[0] / across, out[1] = local[1] / across;
  if (side > 0 && end > 0) {  // the rim
    for (int k = 0; k < 2; k++) normal[k] = side * out[k];
    normal[2] = copysign(end, local[2]);
    return stc_unit3(normal);
  }
  bool by_side = side > end;
  normal[0] = by_side ? out[0] : 0, normal[1] = by_side ? out[1] : 0;
  normal[2] = by_side ? 0 : copysign(1, local[2]);
  return fmax(side, end);
}

bool stc_point_is_closed(stc_core core) {
  return core == STC_CORE_POINT || core == STC_CORE_SEGMENT || core == STC_CORE_BOX ||
         core == STC_CORE_CYLINDER;
}

double stc_point_distance(const stc_convex *c, const double p[3], double normal[3]) {
  double local[3], distance;
  stc_sub3(p, c->x, local);
  if (c->core == STC_CORE_POINT) {
    stc_copy3(local, normal);
    return stc_unit3(normal);
  }
  stc_mul3_transposed(c->R, local, local);
  if (c->core == STC_CORE_SEGMENT)
    distance = from_segment(c, local, normal);
  else if (c->core == STC_CORE_BOX)
    distance = from_box(c, local, normal);
  else
    distance = from_cylinder(c, local, normal);
  stc_mul3(c->R, normal, normal);
  stc_unit3(normal);
  return distance;
}

void stc_collide_point(const stc_convex *point, const stc_convex *b, stc_manifold *m) {
  double n[3], q[3];
  double distance = stc_point_distance(b, point->x, n);
  stc_combine3(point->x, -distance, n, q);
  stc_manifold_add(m, point, b, n, point->x, q, 0);
}

static double clamp(double x, double most) { return fmin(most, fmax(-most, x)); }

// The point of b nearest to the point at s on a.
static void add_at(const stc_convex *a, const stc_convex *b, const double u[3], double s,
                   uint64_t id, stc_manifold *m) {
  double p[3], q[3], n[3];
  stc_combine3(a->x, s, u, p);
  double distance = stc_point_distance(b, p, n);
  stc_combine3(p, -distance, n, q);
  stc_manifold_add(m, a, b, n, p, q, id);
}

// Places s on a and t on b of the nearest points of two segments that are not parallel.
static void cross_segments(const stc_convex *a, const stc_convex *b, const double u[3],
                           const double w[3], double *s, double *t) {
  double d[3];
  stc_sub3(b->x, a->x, d);
  double c = stc_dot3(u, w), du = stc_dot3(d, u), dw = stc_dot3(d, w);
  *s = clamp((du - c * dw) / (1 - c * c), a->half[2]);
  *t = clamp(*s * c - dw, b->half[2]);
  *s = clamp(*t * c + du, a->half[2]);
}

// Lines that meet leave no direction but that across both.
static void add_crossing(const stc_convex *a, const stc_convex *b, const double u[3],
                         const double w[3], stc_manifold *m) {
  double s, t, p[3], q[3], n[3], d[3];
  cross_segments(a, b, u, w, &s, &t);
  stc_combine3(a->x, s, u, p);
  stc_combine3(b->x, t, w, q);
  stc_sub3(p, q, n);
  if (!(stc_norm3(n) > 1e-12 * (a->size + b->size))) {
    stc_cross3(u, w, n);
    stc_sub3(a->x, b->x, d);
    if (stc_dot3(n, d) < 0) stc_scale3(-1, n, n);
  }
  stc_unit3(n);
  stc_manifold_add(m, a, b, n, p, q, 0);
}

// The nearest points, and where the segments are nearly parallel the ends of their common part.
void stc_collide_segments(const stc_convex *a, const stc_convex *b, stc_manifold *m) {
  double u[3], w[3], c[3], d[3];
  stc_column3(a->R, 2, u);
  stc_column3(b->R, 2, w);
  stc_cross3(u, w, c);
  double sine = stc_norm3(c), low, high;
  stc_sub3(b->x, a->x, d);
  double middle = stc_dot3(d, u), half = b->half[2] * fabs(stc_dot3(u, w));
  low = clamp(middle - half, a->half[2]), high = clamp(middle + half, a->half[2]);
  if (sine > PARALLEL) add_crossing(a, b, u, w, m);
  if (sine > NEARLY) return;
  add_at(a, b, u, low, 1, m);
  if (high > low) add_at(a, b, u, high, 2, m);
}
