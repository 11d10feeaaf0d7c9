// What a part of a body has in the plane z = 0: area, centre and polar moment about it of
//   a disc,       pi r^2,   pi r^4 / 2;
//   a rectangle,  4 a b,    4 a b (a^2 + b^2) / 3;
//   a stadium,    a rectangle and the two halves of a disc, 4 r / (3 pi) from their straight sides;
//   a polygon,    sums over its edges (Green's theorem), where boxes and hulls meet the plane.
#include "plane_section.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static stc_error is_apart(const stc_part *part) {
  return stc_fail(STC_ERR_VALUE, "the %s does not meet the plane z = 0; move it there",
                  stc_shape_name(part->shape.kind));
}

// --- Round shapes ---

static void take_disc(double square, stc_plane_section *s) {
  s->area = pi * square;
  s->moment = s->area * square / 2;
}

static void take_rectangle(double a, double b, stc_plane_section *s) {
  s->area = 4 * a * b;
  s->moment = s->area * (a * a + b * b) / 3;
}

/// The halves of the disc have the moment pi r^4 / 4 about the middle of their straight sides, at
/// the distance a from the centre: together J_disc + A_disc (a^2 + 8 a r / (3 pi)).
static void take_stadium(double a, double r, stc_plane_section *s) {
  stc_plane_section disc;
  take_rectangle(a, r, s);
  take_disc(r * r, &disc);
  s->area += disc.area;
  s->moment += disc.moment + disc.area * (a * a + 8 * a * r / (3 * pi));
}

/// Of the square of the radius what is left at the distance z from the middle.
static double square_at(double radius, double z) { return radius * radius - z * z; }

static stc_error section_of_sphere(const stc_part *part, stc_plane_section *s) {
  double square = square_at(part->shape.radius, part->pose.x[2]);
  if (!(square > 0)) return is_apart(part);
  take_disc(square, s);
  return STC_OK;
}

/// Capsules and cylinders, their axis in the plane or across.
static stc_error section_of_round(const stc_part *part, stc_plane_section *s) {
  bool capsule = part->shape.kind == STC_SHAPE_CAPSULE;
  double axis[3], half = part->shape.half[2], z = fabs(part->pose.x[2]);
  stc_pose_direction(&part->pose, (double[]){0, 0, 1}, axis);
  bool across = hypot(axis[0], axis[1]) <= STC_SAME, beyond = z > half;
  if (!across && fabs(axis[2]) > STC_SAME)
    return stc_fail(
        STC_ERR_VALUE,
        "the axis of the %s leans out of the plane z = 0; lay it in the plane or across",
        stc_shape_name(part->shape.kind));
  double square = square_at(part->shape.radius, across && beyond ? z - half : across ? 0 : z);
  if (!(square > 0) || (across && beyond && !capsule)) return is_apart(part);
  if (across)
    take_disc(square, s);
  else if (capsule)
    take_stadium(half, sqrt(square), s);
  else
    take_rectangle(half, sqrt(square), s);
  return STC_OK;
}

// --- Polygons ---

typedef struct polygon {
  int count;
  double (*point)[2];
} polygon;

/// Adds where the segment meets the plane; an end that lies in it counts.
static void add_segment(polygon *p, const double a[3], const double b[3]) {
  const double *end[2] = {a, b};
  for (int k = 0; k < 2; k++)
    if (end[k][2] == 0) memcpy(p->point[p->count++], end[k], sizeof *p->point);
  if (!((a[2] < 0 && b[2] > 0) || (a[2] > 0 && b[2] < 0))) return;
  double t = a[2] / (a[2] - b[2]);
  for (int i = 0; i < 2; i++) p->point[p->count][i] = a[i] + t * (b[i] - a[i]);
  p->count++;
}

static int compare_points(const void *a, const void *b) {
  const double *p = a, *q = b;
  for (int k = 0; k < 2; k++)
    if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
  return 0;
}

static double twice_area(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Convex hull of the points, counterclockwise, into `corner` [2*count]   [Andrew 1979].
static int wrap(const polygon *p, double (*corner)[2]) {
  int kept = 0;
  qsort(p->point, (size_t)p->count, sizeof *p->point, compare_points);
  for (int pass = 0; pass < 2; pass++) {
    int floor = kept + 1;
    for (int n = 0; n < p->count; n++) {
      const double *x = p->point[pass == 0 ? n : p->count - 1 - n];
      while (kept > floor && twice_area(corner[kept - 2], corner[kept - 1], x) <= 0) kept--;
      memcpy(corner[kept++], x, sizeof *corner);
    }
    kept--;  // the last one begins the next pass
  }
  return kept;
}

/// Sums over the triangles between the first corner and the edges.
static void integrate(double (*corner)[2], int corners, stc_plane_section *s) {
  double first[2] = {0, 0}, second = 0, area = 0;
  for (int k = 1; k + 1 < corners; k++) {
    double a[2], b[2], weight = twice_area(corner[0], corner[k], corner[k + 1]);
    for (int i = 0; i < 2; i++) {
      a[i] = corner[k][i] - corner[0][i];
      b[i] = corner[k + 1][i] - corner[0][i];
      first[i] += weight * (a[i] + b[i]) / 6;
      second += weight * (a[i] * a[i] + a[i] * b[i] + b[i] * b[i]) / 12;
    }
    area += weight / 2;
  }
  s->area = area;
  for (int i = 0; i < 2; i++) s->centre[i] = corner[0][i] + first[i] / area;
  s->moment = second - (first[0] * first[0] + first[1] * first[1]) / area;
}

static void cut_box(const stc_part *part, polygon *p) {
  double corner[8][3];
  for (int k = 0; k < 8; k++) {
    const double *half = part->shape.half;
    double local[3] = {k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                       k & 4 ? half[2] : -half[2]};
    stc_pose_point(&part->pose, local, corner[k]);
  }
  for (int k = 0; k < 8; k++)
    for (int bit = 1; bit < 8; bit *= 2)
      if (!(k & bit)) add_segment(p, corner[k], corner[k | bit]);
}

static void cut_hull(const stc_part *part, polygon *p) {
  const double *point;
  const int *triangle;
  stc_hull_points(part->shape.hull, &point);
  int triangles = stc_hull_triangles(part->shape.hull, &triangle);
  for (int k = 0; k < 3 * triangles; k++) {
    double a[3], b[3];
    stc_pose_point(&part->pose, point + 3 * triangle[k], a);
    stc_pose_point(&part->pose, point + 3 * triangle[k % 3 == 2 ? k - 2 : k + 1], b);
    add_segment(p, a, b);
  }
}

static stc_error section_of_solid(const stc_part *part, stc_plane_section *s) {
  bool hull = part->shape.kind == STC_SHAPE_HULL;
  const int *triangle;
  size_t segments = hull ? 3 * (size_t)stc_hull_triangles(part->shape.hull, &triangle) : 12;
  polygon p = {.point = stc_calloc(2 * segments, sizeof *p.point)};
  double(*corner)[2] = stc_calloc(4 * segments + 2, sizeof *corner);
  stc_error error = STC_OK;
  if (!p.point || !corner) {
    error = stc_fail(STC_ERR_MEMORY, "out of memory for the section of a %s",
                     stc_shape_name(part->shape.kind));
  } else {
    (hull ? cut_hull : cut_box)(part, &p);
    int corners = p.count > 2 ? wrap(&p, corner) : 0;
    if (corners > 2) integrate(corner, corners, s);
    if (!(s->area > 0)) error = is_apart(part);
  }
  stc_release(&p.point);
  stc_release(&corner);
  return error;
}

stc_error stc_part_section(const stc_part *part, stc_plane_section *section) {
  *section = (stc_plane_section){.centre = {part->pose.x[0], part->pose.x[1]}};
  switch (part->shape.kind) {
  case STC_SHAPE_SPHERE:
    return section_of_sphere(part, section);
  case STC_SHAPE_CAPSULE:
  case STC_SHAPE_CYLINDER:
    return section_of_round(part, section);
  case STC_SHAPE_BOX:
  case STC_SHAPE_HULL:
    return section_of_solid(part, section);
  default:
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "the section of a %s is not known: give the mass and inertia",
                    stc_shape_name(part->shape.kind));
  }
}
