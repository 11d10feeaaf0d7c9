// Sections made from what describes them: corners, points of a curve, a superellipse, a support
// function. All become arcs, edges and corners in the order of their normals. Between two points
// with normals the curve is the pair of arcs that meet in the incentre of the triangle of both
// tangents [Meek and Walton 1992]: with the chord d and the angles alpha, beta that it makes with
// the tangents
//   R_1 = d sin(beta/2) / (2 sin(alpha/2) sin((alpha + beta)/2)),   R_2 with alpha and beta
//   swapped.
#include "../../base/fail.h"
#include "convex_curve.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 100000, DIRECTIONS = 720 };

// Turns below this are straight, turns the other way beyond it are not convex, rad.
#define STRAIGHT 1e-9

// Arcs with a larger radius, in sizes of the section, are drawn as edges between corners.
#define FLAT 1e2

// Points nearer than this part of the size are one.
#define NEAR 1e-9

// A section with less area than this part of the square of its size is a line.
#define THIN 1e-10

static const double TURN = 6.283185307179586;

static double dot2(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }

static double cross2(const double *a, const double *b) { return a[0] * b[1] - a[1] * b[0]; }

static double angle_between(const double *a, const double *b) {
  return atan2(cross2(a, b), dot2(a, b));
}

// The outward normal of the way from a to b around the section, counterclockwise; returns |b - a|.
static double chord_normal(const double *a, const double *b, double *n) {
  double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
  n[0] = length > 0.0 ? dy / length : 0.0;
  n[1] = length > 0.0 ? -dx / length : 0.0;
  return length;
}

// --- The curve from its arcs ---

static stc_error take_arcs(stc_cone_section *s, int most) {
  s->dim = 3;
  s->centre = STC_TAKE(&s->arena, double, 2 * most);
  s->radius = STC_TAKE(&s->arena, double, most);
  s->normal = STC_TAKE(&s->arena, double, 2 * (most + 1));
  s->angle = STC_TAKE(&s->arena, double, most + 1);
  s->polar = STC_TAKE(&s->arena, double, most);
  return stc_arena_check(&s->arena);
}

// An arc that starts at p with the normal n.
static void append_arc(stc_cone_section *s, const double *p, const double *n, double radius) {
  int i = s->arcs++;
  s->radius[i] = radius;
  for (int k = 0; k < 2; k++) {
    s->normal[2 * i + k] = n[k];
    s->centre[2 * i + k] = p[k] - radius * n[k];
  }
}

// Normals and starts as increasing angles, once all arcs are there.
static void close_curve(stc_cone_section *s) {
  int m = s->arcs;
  memcpy(s->normal + 2 * m, s->normal, 2 * sizeof *s->normal);
  s->inner[0] = s->inner[1] = 0.0;
  for (int i = 0; i < m; i++) {
    double p[2];
    stc_curve_arc_start(s, i, p);
    for (int k = 0; k < 2; k++) s->inner[k] += p[k] / m;
  }
  double last[2] = {0.0, 0.0};
  for (int i = 0; i < m; i++) {
    double d[2];
    const double *n = s->normal + 2 * i;
    stc_curve_arc_start(s, i, d);
    for (int k = 0; k < 2; k++) d[k] -= s->inner[k];
    s->angle[i] = i ? s->angle[i - 1] + angle_between(n - 2, n) : atan2(n[1], n[0]);
    s->polar[i] = i ? s->polar[i - 1] + angle_between(last, d) : atan2(d[1], d[0]);
    memcpy(last, d, sizeof last);
  }
  s->angle[m] = s->angle[0] + TURN;
}

// Every support line leaves 0 on the inner side.
static stc_error check_holds_origin(const stc_cone_section *s, double size) {
  for (int i = 0; i < s->arcs; i++) {
    double p[2];
    const double *n = s->normal + 2 * i;
    stc_curve_arc_start(s, i, p);
    if (dot2(n, p) < -1e-12 * size)
      return stc_fail(
          STC_ERR_VALUE,
          "section: 0 lies outside, beyond the side with the normal (%g, %g); a cone of "
          "friction holds the normal force: move or widen the section",
          n[0], n[1]);
  }
  return STC_OK;
}

// --- Points in order ---

// Nodes of a curve: points, and normals where the curve is round.
typedef struct node_list {
  int count;
  double *point;   // [2*count]
  double *normal;  // [2*count]
  double size;     // the largest distance of a point from 0
} node_list;

static stc_error check_points(int count, const double *point, const char *what) {
  if (count < 3 || count > MOST_POINTS || !point)
    return stc_fail(STC_ERR_ARGUMENT, "section: %d %ss; give 3 to %d, for a line the elliptic law",
                    count, what, MOST_POINTS);
  for (int k = 0; k < 2 * count; k++)
    if (!(fabs(point[k]) < 1e50))
      return stc_fail(STC_ERR_VALUE,
                      "section: %s %d at (%g, %g) is not bounded; give numbers "
                      "below 1e50",
                      what, k / 2, point[k / 2 * 2], point[k / 2 * 2 + 1]);
  return STC_OK;
}

// The points counterclockwise, without repetitions; normals are left to the caller.
static stc_error take_points(stc_arena *arena, int count, const double *point, const char *what,
                             node_list *list) {
  STC_TRY(check_points(count, point, what));
  *list = (node_list){.point = STC_TAKE(arena, double, 2 * count),
                      .normal = STC_TAKE(arena, double, 2 * count)};
  STC_TRY(stc_arena_check(arena));
  double area = 0.0;
  for (int k = 0; k < count; k++) {
    const double *a = point + 2 * k, *b = point + 2 * ((k + 1) % count);
    list->size = fmax(list->size, hypot(a[0], a[1]));
    area += 0.5 * ((a[0] - point[0]) * (b[1] - point[1]) - (b[0] - point[0]) * (a[1] - point[1]));
  }
  if (!(fabs(area) > THIN * list->size * list->size))
    return stc_fail(STC_ERR_VALUE,
                    "section: the %ss span no area; for friction along a line give "
                    "the elliptic law with one coefficient 0",
                    what);
  for (int k = 0; k < count; k++) {
    const double *p = point + 2 * (area > 0.0 ? k : count - 1 - k);
    const double *last = list->count ? list->point + 2 * (list->count - 1) : NULL;
    if (last && hypot(p[0] - last[0], p[1] - last[1]) <= 1e-14 * list->size) continue;
    memcpy(list->point + 2 * list->count++, p, 2 * sizeof *p);
  }
  double *first = list->point, *last = first + 2 * (list->count - 1);
  if (hypot(first[0] - last[0], first[1] - last[1]) <= 1e-14 * list->size) list->count--;
  return STC_OK;
}

static stc_error not_convex(const char *what, const double *p) {
  return stc_fail(
      STC_ERR_VALUE,
      "section: not convex at the %s (%g, %g); friction of greatest dissipation needs a "
      "convex section: give its convex hull",
      what, p[0], p[1]);
}

// The turns at the points, all to the left and one round in all.
static stc_error check_turns(const node_list *list, const char *what) {
  double sum = 0.0, in[2], out[2];
  for (int k = 0; k < list->count; k++) {
    const double *p = list->point + 2 * k;
    chord_normal(list->point + 2 * ((k + list->count - 1) % list->count), p, in);
    chord_normal(p, list->point + 2 * ((k + 1) % list->count), out);
    double turn = angle_between(in, out);
    if (turn < -STRAIGHT) return not_convex(what, p);
    sum += turn;
    if (sum > TURN + 0.1) return not_convex(what, p);
  }
  return STC_OK;
}

// --- Polygons ---

static stc_error fill_polygon(stc_cone_section *s, const node_list *list) {
  STC_TRY(check_turns(list, "corner"));
  STC_TRY(take_arcs(s, list->count));
  for (int k = 0; k < list->count; k++) {
    const double *p = list->point + 2 * k;
    double in[2], out[2];
    chord_normal(list->point + 2 * ((k + list->count - 1) % list->count), p, in);
    chord_normal(p, list->point + 2 * ((k + 1) % list->count), out);
    if (angle_between(in, out) > STRAIGHT) append_arc(s, p, in, 0.0);
  }
  // A corner that was left out turned by rounding only: edges run from corner to corner.
  for (int i = 0; i < s->arcs; i++)
    chord_normal(s->centre + 2 * ((i + s->arcs - 1) % s->arcs), s->centre + 2 * i,
                 s->normal + 2 * i);
  close_curve(s);
  return check_holds_origin(s, list->size);
}

// --- Round curves ---

// The tangents of circles through three points each.
static void estimate_normals(const node_list *list) {
  for (int k = 0; k < list->count; k++) {
    const double *a = list->point + 2 * ((k + list->count - 1) % list->count);
    const double *p = list->point + 2 * k, *b = list->point + 2 * ((k + 1) % list->count);
    double in[2], out[2], whole[2];
    chord_normal(a, p, in);
    chord_normal(p, b, out);
    chord_normal(a, b, whole);
    double turn = angle_between(whole, out);  // the angle of the triangle at b
    list->normal[2 * k] = in[0] * cos(turn) - in[1] * sin(turn);
    list->normal[2 * k + 1] = in[0] * sin(turn) + in[1] * cos(turn);
  }
}

// From node a to node b: two arcs; two corners where one of them would be flat; one where the nodes
// differ by rounding only.
static stc_error append_pair(stc_cone_section *s, const node_list *list, int a, int b) {
  const double *p = list->point + 2 * a, *q = list->point + 2 * b;
  const double *m = list->normal + 2 * a, *n = list->normal + 2 * b;
  double chord[2], d = chord_normal(p, q, chord);
  double alpha = angle_between(m, chord), beta = angle_between(chord, n);
  double least = fmin(alpha, beta);
  if (d <= NEAR * list->size || (least < 0.0 && -least * d <= NEAR * list->size)) {
    append_arc(s, p, m, 0.0);
    return STC_OK;
  }
  if (least < 0.0 || alpha + beta >= 0.5 * TURN) return not_convex("point", p);
  double base = 0.5 * d / sin(0.5 * fmax(alpha + beta, STRAIGHT));
  double first = base * sin(0.5 * beta) / sin(0.5 * fmax(alpha, STRAIGHT));
  double second = base * sin(0.5 * alpha) / sin(0.5 * fmax(beta, STRAIGHT));
  bool flat = least < STRAIGHT || fmax(first, second) > FLAT * list->size;
  append_arc(s, p, m, flat ? 0.0 : first);
  append_arc(s, q, n, flat ? 0.0 : second);
  if (!flat)
    for (int k = 0; k < 2; k++) s->centre[2 * s->arcs - 2 + k] = q[k] - second * n[k];
  memcpy(s->normal + 2 * (s->arcs - 1), chord, sizeof chord);
  return STC_OK;
}

static stc_error fill_round(stc_cone_section *s, const node_list *list) {
  STC_TRY(take_arcs(s, 2 * list->count));
  for (int k = 0; k < list->count; k++) STC_TRY(append_pair(s, list, k, (k + 1) % list->count));
  close_curve(s);
  return check_holds_origin(s, list->size);
}

// --- Interface ---

static stc_error start_section(stc_cone_section **section) {
  if (!section) return stc_fail(STC_ERR_ARGUMENT, "stc_cone_section: needs an address");
  STC_NEW(section, "a section");
  return STC_OK;
}

static stc_error finish_section(stc_error error, stc_cone_section **section) {
  if (error) stc_cone_section_free(section);
  return error;
}

stc_error stc_cone_section_interval(double back, double forth, stc_cone_section **section) {
  STC_TRY(start_section(section));
  if (!(back >= 0.0 && back < 1e50 && forth >= 0.0 && forth < 1e50)) {
    stc_cone_section_free(section);
    return stc_fail(STC_ERR_VALUE, "section: back = %g, forth = %g; give numbers from 0 to 1e50",
                    back, forth);
  }
  (*section)->dim = 2;
  (*section)->low = -back;
  (*section)->high = forth;
  return STC_OK;
}

stc_error stc_cone_section_polygon(int corners, const double *corner, stc_cone_section **section) {
  STC_ARENA scratch = {0};
  node_list list;
  STC_TRY(start_section(section));
  stc_error error = take_points(&scratch, corners, corner, "corner", &list);
  if (!error) error = fill_polygon(*section, &list);
  return finish_section(error, section);
}

stc_error stc_cone_section_curve(int points, const double *point, stc_cone_section **section) {
  STC_ARENA scratch = {0};
  node_list list;
  STC_TRY(start_section(section));
  stc_error error = take_points(&scratch, points, point, "point", &list);
  if (!error) error = check_turns(&list, "point");
  if (!error) {
    estimate_normals(&list);
    error = fill_round(*section, &list);
  }
  return finish_section(error, section);
}

// A part of a quarter of the superellipse, t in [0, 1], denser towards both axes, where it is flat
// or sharp. Point and normal in units of a and b.
static void quarter_node(double exponent, double t, double *point, double *normal) {
  double share = t * t / (t * t + (1.0 - t) * (1.0 - t)), angle = 0.25 * TURN * share;
  double c = share > 0.5 ? sin(0.25 * TURN - angle) : cos(angle);
  double s = share > 0.5 ? cos(0.25 * TURN - angle) : sin(angle);
  point[0] = pow(c, 2.0 / exponent);
  point[1] = pow(s, 2.0 / exponent);
  normal[0] = pow(c, 2.0 - 2.0 / exponent);
  normal[1] = pow(s, 2.0 - 2.0 / exponent);
}

static void place_node(const stc_superellipse *e, double *point, double *normal) {
  double c = cos(e->angle), s = sin(e->angle);
  double x = e->a * point[0], y = e->b * point[1], nx = normal[0] / e->a, ny = normal[1] / e->b;
  double length = hypot(nx, ny);
  point[0] = e->centre[0] + c * x - s * y;
  point[1] = e->centre[1] + s * x + c * y;
  normal[0] = (c * nx - s * ny) / length;
  normal[1] = (s * nx + c * ny) / length;
}

static stc_error superellipse_nodes(stc_arena *arena, const stc_superellipse *e, node_list *list) {
  enum { QUARTER = 1024 };
  const int signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  list->count = 4 * QUARTER;
  list->point = STC_TAKE(arena, double, 2 * list->count);
  list->normal = STC_TAKE(arena, double, 2 * list->count);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < list->count; k++) {
    int quarter = k / QUARTER, step = k % QUARTER;
    double *point = list->point + 2 * k, *normal = list->normal + 2 * k;
    quarter_node(e->exponent, (quarter % 2 ? QUARTER - step : step) / (double)QUARTER, point,
                 normal);
    for (int j = 0; j < 2; j++) {
      point[j] *= signs[quarter][j];
      normal[j] *= signs[quarter][j];
    }
    place_node(e, point, normal);
    list->size = fmax(list->size, hypot(point[0], point[1]));
  }
  return STC_OK;
}

static stc_error check_superellipse(const stc_superellipse *e) {
  bool sizes = e->a > 0.0 && e->a < 1e50 && e->b > 0.0 && e->b < 1e50;
  if (!sizes || fmax(e->a, e->b) > 1e4 * fmin(e->a, e->b))
    return stc_fail(STC_ERR_VALUE,
                    "superellipse: a = %g, b = %g; give positive numbers of a ratio "
                    "up to 1e4",
                    e->a, e->b);
  if (!(e->exponent >= 1.0))
    return stc_fail(STC_ERR_VALUE, "superellipse: exponent %g is not convex; give 1 or more",
                    e->exponent);
  if (!(fabs(e->angle) <= 100.0) || !(fabs(e->centre[0]) < 1e50) || !(fabs(e->centre[1]) < 1e50))
    return stc_fail(STC_ERR_VALUE, "superellipse: angle %g, centre (%g, %g); give finite numbers",
                    e->angle, e->centre[0], e->centre[1]);
  return STC_OK;
}

stc_error stc_cone_section_superellipse(const stc_superellipse *shape, stc_cone_section **section) {
  const double sharp = 1.02, square = 50.0;  // beyond these a diamond, a rectangle
  const double diamond[8] = {1, 0, 0, 1, -1, 0, 0, -1}, box[8] = {1, 1, -1, 1, -1, -1, 1, -1};
  if (section) *section = NULL;
  if (!shape) return stc_fail(STC_ERR_ARGUMENT, "stc_cone_section_superellipse: needs a shape");
  STC_TRY(check_superellipse(shape));
  if (shape->exponent < sharp || shape->exponent > square) {
    double corner[8], unused[2];
    memcpy(corner, shape->exponent < sharp ? diamond : box, sizeof corner);
    for (int k = 0; k < 4; k++) {
      unused[0] = unused[1] = 1.0;
      place_node(shape, corner + 2 * k, unused);
    }
    return stc_cone_section_polygon(4, corner, section);
  }
  STC_ARENA scratch = {0};
  node_list list = {0};
  STC_TRY(start_section(section));
  stc_error error = superellipse_nodes(&scratch, shape, &list);
  if (!error) error = fill_round(*section, &list);
  return finish_section(error, section);
}

// --- Support functions ---

typedef struct support_function {
  double (*call)(void *user, double x, double y);
  void *user;
} support_function;

static double support_at(const support_function *f, double angle) {
  return f->call(f->user, cos(angle), sin(angle));
}

// p = h n + h' t. The difference is over so little that p is a point of S where h has a kink, too.
static stc_error touch(const support_function *f, double angle, double *p, double *n) {
  const double step = 1e-5;
  double h = support_at(f, angle);
  double slope = (support_at(f, angle + step) - support_at(f, angle - step)) / (2.0 * step);
  n[0] = cos(angle), n[1] = sin(angle);
  if (!(fabs(h) < 1e50) || !(fabs(slope) < 1e50))
    return stc_fail(STC_ERR_VALUE,
                    "section: its support function is %g along (%g, %g); a section "
                    "is bounded: give finite numbers",
                    h, n[0], n[1]);
  p[0] = h * n[0] - slope * n[1];
  p[1] = h * n[1] + slope * n[0];
  return STC_OK;
}

static stc_error support_nodes(stc_arena *arena, const support_function *f, node_list *list) {
  list->point = STC_TAKE(arena, double, 2 * DIRECTIONS);
  list->normal = STC_TAKE(arena, double, 2 * DIRECTIONS);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < DIRECTIONS; k++) {
    double *p = list->point + 2 * k;
    STC_TRY(touch(f, TURN * k / DIRECTIONS, p, list->normal + 2 * k));
    list->size = fmax(list->size, hypot(p[0], p[1]));
  }
  list->count = DIRECTIONS;
  return STC_OK;
}

stc_error stc_cone_section_support(double (*support)(void *user, double x, double y), void *user,
                                   stc_cone_section **section) {
  STC_ARENA scratch = {0};
  support_function f = {support, user};
  node_list list = {0};
  if (section) *section = NULL;
  if (!support) return stc_fail(STC_ERR_ARGUMENT, "stc_cone_section_support: needs a function");
  STC_TRY(start_section(section));
  stc_error error = support_nodes(&scratch, &f, &list);
  if (!error) error = fill_round(*section, &list);
  return finish_section(error, section);
}

// --- Curves that were made before ---

enum { MOST_ARCS = 2 * MOST_POINTS };

// Arcs as they stand are round curves, corners with the normals of the edges before them polygons.
static stc_error take_stored(stc_cone_section *s, int arcs, const double *centre,
                             const double *radius, const double *normal) {
  STC_TRY(take_arcs(s, arcs));
  s->arcs = arcs;
  memcpy(s->centre, centre, 2 * (size_t)arcs * sizeof *centre);
  if (radius) memcpy(s->radius, radius, (size_t)arcs * sizeof *radius);
  if (normal) memcpy(s->normal, normal, 2 * (size_t)arcs * sizeof *normal);
  for (int i = 0; !normal && i < arcs; i++)
    chord_normal(centre + 2 * ((i + arcs - 1) % arcs), centre + 2 * i, s->normal + 2 * i);
  close_curve(s);
  return STC_OK;
}

// Radii are not negative, normals of length 1, and edges go along their normals' tangents.
static stc_error check_arc(const stc_cone_section *s, int i, double size) {
  const double near = 1e-7 * size, *n = s->normal + 2 * i;
  double p[2], end[2];
  bool sound = s->radius[i] >= 0.0 && fabs(hypot(n[0], n[1]) - 1.0) < 1e-9;
  stc_curve_arc_start(s, i, p);
  stc_curve_arc_end(s, (i + s->arcs - 1) % s->arcs, end);
  double step[2] = {p[0] - end[0], p[1] - end[1]};
  sound = sound && fabs(dot2(step, n)) <= near && cross2(n, step) >= -near;
  sound = sound && angle_between(n, n + 2) >= -STRAIGHT;
  if (sound) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "section: arc %d at (%g, %g) is no part of a convex curve", i,
                  p[0], p[1]);
}

static stc_error check_stored(const stc_cone_section *s) {
  double size = 0.0;
  int last = s->arcs - 1;
  for (int k = 0; k < 2 * s->arcs; k++) size = fmax(size, fabs(s->centre[k]) + s->radius[k / 2]);
  for (int i = 0; i < s->arcs; i++) STC_TRY(check_arc(s, i, size));
  double turn = s->angle[last] - s->angle[0] + angle_between(s->normal + 2 * last, s->normal);
  if (!(fabs(turn - TURN) < 1e-6))
    return stc_fail(STC_ERR_VALUE, "section: its normals go round %g times; they go round once",
                    turn / TURN);
  return check_holds_origin(s, size);
}

stc_error stc_curve_create(int arcs, const double *centre, const double *radius,
                           const double *normal, stc_cone_section **section) {
  STC_TRY(start_section(section));
  stc_error error = STC_OK;
  if (arcs < 3 || arcs > MOST_ARCS)
    error =
        stc_fail(STC_ERR_VALUE, "section: %d arcs or corners; there are 3 to %d", arcs, MOST_ARCS);
  for (int k = 0; !error && k < 2 * arcs; k++)
    if (!(fabs(centre[k]) < 1e50) || (radius && !(radius[k / 2] < 1e50)) ||
        (normal && !(fabs(normal[k]) <= 2.0)))
      error = stc_fail(STC_ERR_VALUE, "section: arc or corner %d is not bounded", k / 2);
  if (!error) error = take_stored(*section, arcs, centre, radius, normal);
  if (!error) error = check_stored(*section);
  return finish_section(error, section);
}

stc_error stc_cone_section_copy(const stc_cone_section *from, stc_cone_section **to) {
  STC_TRY(start_section(to));
  (*to)->dim = from->dim;
  (*to)->low = from->low;
  (*to)->high = from->high;
  if (from->dim == 2) return STC_OK;
  return finish_section(take_stored(*to, from->arcs, from->centre, from->radius, from->normal), to);
}

// --- What a section is ---

void stc_cone_section_free(stc_cone_section **section) {
  if (!section || !*section) return;
  stc_arena_free(&(*section)->arena);
  stc_release(section);
}

int stc_cone_section_dim(const stc_cone_section *section) { return section->dim; }

double stc_cone_section_reach(const stc_cone_section *section, const double d[2], double p[2]) {
  double unused[2], *point = p ? p : unused;
  if (section->dim == 3) return stc_curve_support(section, d, point);
  point[0] = d[0] >= 0.0 ? section->high : section->low;
  point[1] = 0.0;
  return d[0] * point[0];
}

int stc_cone_section_corners(const stc_cone_section *section, double *corner) {
  if (section->dim == 2) {
    const double ends[4] = {section->low, 0.0, section->high, 0.0};
    if (corner) memcpy(corner, ends, sizeof ends);
    return 2;
  }
  for (int i = 0; i < section->arcs; i++)
    if (section->radius[i] > 0.0) return 0;
  if (corner) memcpy(corner, section->centre, 2 * (size_t)section->arcs * sizeof *corner);
  return section->arcs;
}
