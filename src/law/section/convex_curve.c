// Nearest points of a convex curve made of arcs, edges and corners (convex_curve.h). For x outside,
//   lambda(theta) = n . x - R h(n),  n = (cos theta, sin theta),  h = support function,
// is positive on one interval of angles and has its maximum, the distance, where n is the normal
// of the nearest point. Where the ray from an inner point to x leaves the curve lambda is positive;
// from there the maximum is found by bisection over the arcs.
#include "convex_curve.h"

#include <math.h>

static double dot2(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }

// t . a for t across n, to the left.
static double across(const double *n, const double *a) { return n[0] * a[1] - n[1] * a[0]; }

void stc_curve_arc_start(const stc_cone_section *s, int i, double p[2]) {
  for (int k = 0; k < 2; k++) p[k] = s->centre[2 * i + k] + s->radius[i] * s->normal[2 * i + k];
}

void stc_curve_arc_end(const stc_cone_section *s, int i, double p[2]) {
  for (int k = 0; k < 2; k++) p[k] = s->centre[2 * i + k] + s->radius[i] * s->normal[2 * i + 2 + k];
}

static int wrap(const stc_cone_section *s, int i) {
  return i < 0 ? i + s->arcs : i >= s->arcs ? i - s->arcs : i;
}

// The last k of [0, count) with list[k] <= value; -1 if there is none.
static int last_not_above(const double *list, int count, double value) {
  int low = -1, high = count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    *(list[middle] <= value ? &low : &high) = middle;
  }
  return low;
}

// What leads to the nearest point of R S.
typedef struct curve_search {
  const stc_cone_section *s;
  double R, x[2];
} curve_search;

// x - R p.
static void from_point(const curve_search *q, const double *p, double *d) {
  for (int k = 0; k < 2; k++) d[k] = q->x[k] - q->R * p[k];
}

// At the normal of the edge before arc i, i in [-arcs, 2 arcs): lambda, and its slopes on either
// side, from the first and the second end of the edge.
typedef struct curve_slopes {
  double lambda, before, after;
} curve_slopes;

static curve_slopes slopes_at(const curve_search *q, int i) {
  const stc_cone_section *s = q->s;
  i = wrap(s, i);
  double start[2], end[2], d[2], e[2];
  stc_curve_arc_start(s, i, start);
  stc_curve_arc_end(s, wrap(s, i - 1), end);
  from_point(q, start, d);
  from_point(q, end, e);
  const double *n = s->normal + 2 * i;
  return (curve_slopes){dot2(n, d), across(n, e), across(n, d)};
}

// The maximum lies on the edge before arc i.
static bool on_edge(curve_slopes at) {
  return at.lambda > 0.0 && at.before >= 0.0 && at.after <= 0.0;
}

static stc_curve_point point_of_edge(const curve_search *q, int i) {
  const stc_cone_section *s = q->s;
  double start[2], d[2];
  i = wrap(s, i);
  const double *n = s->normal + 2 * i;
  stc_curve_arc_start(s, i, start);
  from_point(q, start, d);
  stc_curve_point a = {.distance = dot2(n, d), .stretch = 1.0, .normal = {n[0], n[1]}};
  double along = across(n, d);
  a.y[0] = q->R * start[0] - n[1] * along;
  a.y[1] = q->R * start[1] + n[0] * along;
  for (int k = 0; k < 2; k++) a.p[k] = a.y[k] / q->R;
  return a;
}

static stc_curve_point point_of_arc(const curve_search *q, int i) {
  const stc_cone_section *s = q->s;
  i = wrap(s, i);
  double d[2];
  from_point(q, s->centre + 2 * i, d);
  double length = hypot(d[0], d[1]), rho = s->radius[i];
  bool apart = length > 0.0;  // else x is a corner
  stc_curve_point a = {.distance = length - q->R * rho,
                       .stretch = apart ? q->R * rho / length : 0.0};
  for (int k = 0; k < 2; k++) {
    a.normal[k] = apart ? d[k] / length : s->normal[2 * i + k];
    a.p[k] = s->centre[2 * i + k] + rho * a.normal[k];
    a.y[k] = q->R * a.p[k];
  }
  return a;
}

// Where the ray from the inner point to x leaves the curve.
typedef enum ray_end { RAY_INSIDE, RAY_AT_ARC, RAY_AT_START } ray_end;

// The arc that x is nearest to, or the start of one at which lambda is positive.
static ray_end follow_ray(const curve_search *q, int *i) {
  const stc_cone_section *s = q->s;
  const double turn = 2.0 * acos(-1.0);
  double d[2], start[2], end[2], to_end[2], chord[2];
  from_point(q, s->inner, d);
  double angle = atan2(d[1], d[0]);
  if (angle < s->polar[0]) angle += turn;
  int arc = last_not_above(s->polar, s->arcs, angle);
  if (arc < 0) arc = 0;
  stc_curve_arc_start(s, arc, start);
  stc_curve_arc_end(s, arc, end);
  for (int k = 0; k < 2; k++) to_end[k] = end[k] - s->inner[k];
  if (s->radius[arc] == 0.0 || across(to_end, d) > 0.0) {
    *i = wrap(s, arc + 1);
    return slopes_at(q, *i).lambda > 0.0 ? RAY_AT_START : RAY_INSIDE;
  }
  for (int k = 0; k < 2; k++) chord[k] = end[k] - start[k];
  from_point(q, start, d);
  if (across(chord, d) >= 0.0) return RAY_INSIDE;
  from_point(q, s->centre + 2 * arc, d);
  if (hypot(d[0], d[1]) <= q->R * s->radius[arc]) return RAY_INSIDE;
  bool before = across(s->normal + 2 * arc, d) < 0.0;
  bool after = across(d, s->normal + 2 * arc + 2) < 0.0;
  *i = after ? wrap(s, arc + 1) : arc;
  return before || after ? RAY_AT_START : RAY_AT_ARC;
}

// Is the maximum before the start of arc i, seen from an angle below; or after it, from above?
static bool beyond(const curve_search *q, int i, int direction) {
  curve_slopes at = slopes_at(q, i);
  return at.lambda <= 0.0 || (direction > 0 ? at.before <= 0.0 : at.after >= 0.0);
}

// The first start of an arc that lies beyond the maximum, from arc i in a direction in which lambda
// rises. It is less than half a turn away.
static int first_beyond(const curve_search *q, int i, int direction) {
  const double half = acos(-1.0);
  int near = 0, far = q->s->arcs;
  while (far - near > 1) {
    int middle = near + (far - near) / 2, k = wrap(q->s, i + direction * middle);
    double turned = direction * (q->s->angle[k] - q->s->angle[i]);
    if (turned < 0.0) turned += 2.0 * half;
    *(turned >= half || beyond(q, k, direction) ? &far : &near) = middle;
  }
  return i + direction * far;
}

stc_curve_point stc_curve_nearest(const stc_cone_section *s, double R, const double x[2]) {
  curve_search q = {s, R, {x[0], x[1]}};
  int i = 0;
  ray_end end = follow_ray(&q, &i);
  if (end == RAY_INSIDE) return (stc_curve_point){.inside = true};
  if (end == RAY_AT_ARC) return point_of_arc(&q, i);
  curve_slopes at = slopes_at(&q, i);
  if (on_edge(at)) return point_of_edge(&q, i);
  int direction = at.after > 0.0 ? 1 : -1, k = first_beyond(&q, i, direction) - direction;
  if (on_edge(slopes_at(&q, k))) return point_of_edge(&q, k);
  return point_of_arc(&q, direction > 0 ? k : k - 1);
}

double stc_curve_support(const stc_cone_section *s, const double d[2], double p[2]) {
  double angle = atan2(d[1], d[0]), turn = 2.0 * acos(-1.0), length = hypot(d[0], d[1]);
  while (angle < s->angle[0]) angle += turn;
  while (angle >= s->angle[0] + turn) angle -= turn;
  int i = last_not_above(s->angle, s->arcs, angle);
  if (i < 0) i = 0;
  for (int k = 0; k < 2; k++) {
    p[k] = s->centre[2 * i + k];
    if (s->radius[i] > 0.0 && length > 0.0) p[k] += s->radius[i] * (d[k] / length);
  }
  return dot2(d, p);
}
