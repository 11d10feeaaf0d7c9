// The shapes of the library: sizes, boxes, masses with density 1, cores. A hull is the sum of the
// tetrahedra between its centre and its triangles: with e_i the edges from the centre and det their
// volume times 6,
//   integral of x x^T = det/120 (sum_i e_i e_i^T + (sum_i e_i)(sum_i e_i)^T).
#include "shape_row.h"

#include "../base/fail.h"
#include "hull.h"

static const double pi = 3.14159265358979323846;

static void symmetric_about_z(double across, double along, double inertia[6]) {
  inertia[0] = inertia[1] = across;
  inertia[2] = along;
}

static double ball(double r, double inertia[6]) {
  double volume = 4 * pi / 3 * r * r * r;
  symmetric_about_z(0.4 * volume * r * r, 0.4 * volume * r * r, inertia);
  return volume;
}

static double mass_of_box(const stc_shape *s, double centre[3], double inertia[6]) {
  (void)centre;
  const double *half = s->half;
  double volume = 8 * half[0] * half[1] * half[2];
  double square[3] = {half[0] * half[0], half[1] * half[1], half[2] * half[2]};
  for (int k = 0; k < 3; k++) inertia[k] = volume / 3 * (square[(k + 1) % 3] + square[(k + 2) % 3]);
  return volume;
}

static double rod(double r, double half, double inertia[6]) {
  double volume = 2 * pi * r * r * half;
  symmetric_about_z(volume * (r * r / 4 + half * half / 3), volume * r * r / 2, inertia);
  return volume;
}

// A cylinder and two half balls; the centre of a half ball is 3r/8 from its flat side.
static double mass_of_capsule(const stc_shape *s, double centre[3], double inertia[6]) {
  (void)centre;
  double r = s->radius, half = s->half[2], middle[6] = {0}, ends[6] = {0};
  double v_rod = rod(r, half, middle), v_ball = ball(r, ends);
  double apart = half * half + 0.75 * half * r;
  symmetric_about_z(middle[0] + ends[0] + v_ball * apart, middle[2] + ends[2], inertia);
  return v_rod + v_ball;
}

// Adds the moments of one tetrahedron: zeroth, first, and second (xx, yy, zz, xy, yz, zx).
static void add_tetrahedron(double e[3][3], double moment[10]) {
  double normal[3], sum[3];
  stc_cross3(e[1], e[2], normal);
  double det = stc_dot3(e[0], normal);
  for (int k = 0; k < 3; k++) sum[k] = e[0][k] + e[1][k] + e[2][k];
  moment[0] += det / 6;
  for (int k = 0; k < 3; k++) moment[1 + k] += det / 24 * sum[k];
  static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int m = 0; m < 6; m++) {
    int i = row[m], j = column[m];
    double product = sum[i] * sum[j];
    for (int v = 0; v < 3; v++) product += e[v][i] * e[v][j];
    moment[4 + m] += det / 120 * product;
  }
}

static double mass_of_hull(const stc_shape *s, double centre[3], double inertia[6]) {
  const stc_hull *hull = s->hull;
  double moment[10] = {0};
  for (int t = 0; t < hull->triangles; t++) {
    double e[3][3];
    for (int v = 0; v < 3; v++)
      stc_sub3(hull->point + 3 * hull->triangle[3 * t + v], hull->centre, e[v]);
    add_tetrahedron(e, moment);
  }
  double volume = moment[0], c[3];
  stc_scale3(1 / volume, moment + 1, c);
  stc_combine3(hull->centre, 1, c, centre);
  double second[3] = {moment[4] - volume * c[0] * c[0], moment[5] - volume * c[1] * c[1],
                      moment[6] - volume * c[2] * c[2]};
  for (int k = 0; k < 3; k++) {
    inertia[k] = second[(k + 1) % 3] + second[(k + 2) % 3];
    inertia[3 + k] = -(moment[7 + k] - volume * c[k] * c[(k + 1) % 3]);
  }
  return volume;
}

static double mass_of_sphere(const stc_shape *s, double centre[3], double inertia[6]) {
  (void)centre;
  return ball(s->radius, inertia);
}

static double mass_of_cylinder(const stc_shape *s, double centre[3], double inertia[6]) {
  (void)centre;
  return rod(s->radius, s->half[2], inertia);
}

// --- Sizes ---

static stc_error check_box(const stc_shape *shape) {
  static const char *const name[3] = {"half[0]", "half[1]", "half[2]"};
  for (int k = 0; k < 3; k++) STC_TRY(stc_check_size(shape, name[k], shape->half[k]));
  return STC_OK;
}

static stc_error check_round(const stc_shape *shape) {
  STC_TRY(stc_check_size(shape, "radius", shape->radius));
  if (shape->kind == STC_SHAPE_SPHERE) return STC_OK;
  return stc_check_size(shape, "half[2] (half the length of the axis)", shape->half[2]);
}

static stc_error check_hull(const stc_shape *shape) {
  if (shape->hull) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "hull: no hull is given; make one with stc_hull_create");
}

static stc_error check_terrain(const stc_shape *shape) {
  if (shape->terrain) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT,
                  "terrain: no terrain is given; make one with stc_terrain_create");
}

// --- Boxes around shapes ---

static void bounds_of_sphere(const stc_shape *s, const double R[9], double half[3]) {
  (void)R;
  for (int k = 0; k < 3; k++) half[k] = s->radius;
}

static void bounds_of_box(const stc_shape *s, const double R[9], double half[3]) {
  for (int k = 0; k < 3; k++)
    half[k] = fabs(R[3 * k]) * s->half[0] + fabs(R[3 * k + 1]) * s->half[1] +
              fabs(R[3 * k + 2]) * s->half[2];
}

static void bounds_of_capsule(const stc_shape *s, const double R[9], double half[3]) {
  for (int k = 0; k < 3; k++) half[k] = s->radius + fabs(R[3 * k + 2]) * s->half[2];
}

static void bounds_of_cylinder(const stc_shape *s, const double R[9], double half[3]) {
  for (int k = 0; k < 3; k++)
    half[k] = s->radius * hypot(R[3 * k], R[3 * k + 1]) + fabs(R[3 * k + 2]) * s->half[2];
}

static void bounds_of_plane(const stc_shape *s, const double R[9], double half[3]) {
  (void)s, (void)R;
  for (int k = 0; k < 3; k++) half[k] = INFINITY;
}

// --- Cores ---

static void place_sphere(const stc_shape *s, stc_convex *c) {
  c->core = STC_CORE_POINT, c->radius = s->radius;
}

static void place_capsule(const stc_shape *s, stc_convex *c) {
  c->core = STC_CORE_SEGMENT, c->radius = s->radius, c->size = s->half[2];
}

static void place_cylinder(const stc_shape *s, stc_convex *c) {
  c->core = STC_CORE_CYLINDER, c->tube = s->radius, c->size = hypot(s->radius, s->half[2]);
}

static void place_box(const stc_shape *s, stc_convex *c) {
  c->core = STC_CORE_BOX, c->size = stc_norm3(s->half);
}

static void place_hull(const stc_shape *s, stc_convex *c) {
  double middle[3];
  c->core = STC_CORE_HULL;
  stc_mul3(c->R, s->hull->centre, middle);
  stc_combine3(c->x, 1, middle, c->centre);
  c->size = s->hull->extent + stc_norm3(s->hull->centre);
}

// --- Rows ---

STC_SHAPE_IS(sphere, .name = "sphere", .check = check_round, .bounds = bounds_of_sphere,
             .mass = mass_of_sphere, .place = place_sphere, .ray = stc_ray_sphere);
STC_SHAPE_IS(box, .name = "box", .check = check_box, .bounds = bounds_of_box, .mass = mass_of_box,
             .place = place_box, .ray = stc_ray_box);
STC_SHAPE_IS(capsule, .name = "capsule", .check = check_round, .bounds = bounds_of_capsule,
             .mass = mass_of_capsule, .place = place_capsule, .ray = stc_ray_capsule);
STC_SHAPE_IS(cylinder, .name = "cylinder", .check = check_round, .bounds = bounds_of_cylinder,
             .mass = mass_of_cylinder, .place = place_cylinder, .ray = stc_ray_cylinder);
STC_SHAPE_IS(hull, .name = "hull", .check = check_hull, .mass = mass_of_hull, .place = place_hull,
             .ray = stc_ray_hull);
STC_SHAPE_IS(plane, .name = "plane", .bounds = bounds_of_plane, .ray = stc_ray_plane);
STC_SHAPE_IS(terrain, .name = "terrain", .check = check_terrain, .ray = stc_ray_terrain);
