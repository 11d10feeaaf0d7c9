// Shapes: their names, what is a sound one, and the box around one in a pose.
#include "../base/fail.h"
#include "../base/vec3.h"
#include "hull.h"
#include "terrain.h"

#include <stiction/geometry.h>

// Poses: world = x + R(rotation) local.

stc_pose stc_pose_identity(void) { return (stc_pose){.rotation = {1, 0, 0, 0}}; }

void stc_pose_direction(const stc_pose *pose, const double local[3], double world[3]) {
  double R[9];
  stc_rotation_of(pose->rotation, R);
  stc_mul3(R, local, world);
}

void stc_pose_point(const stc_pose *pose, const double local[3], double world[3]) {
  double rotated[3];
  stc_pose_direction(pose, local, rotated);
  stc_combine3(pose->x, 1, rotated, world);
}

stc_pose stc_pose_compose(const stc_pose *outer, const stc_pose *inner) {
  stc_pose pose;
  stc_rotation_multiply(outer->rotation, inner->rotation, pose.rotation);
  stc_pose_point(outer, inner->x, pose.x);
  return pose;
}

// Volume, centre and inertia of shapes with density 1. A hull is the sum of the tetrahedra between
// its centre and its triangles: with e_i the edges from the centre and det their volume times 6,
//   integral of x x^T = det/120 (sum_i e_i e_i^T + (sum_i e_i)(sum_i e_i)^T).

static const double pi = 3.14159265358979323846;

static void symmetric_about_z(double across, double along, double inertia[6]) {
  inertia[0] = inertia[1] = across;
  inertia[2] = along;
}

static double sphere_mass(double r, double inertia[6]) {
  double volume = 4 * pi / 3 * r * r * r;
  symmetric_about_z(0.4 * volume * r * r, 0.4 * volume * r * r, inertia);
  return volume;
}

static double box_mass(const double half[3], double inertia[6]) {
  double volume = 8 * half[0] * half[1] * half[2];
  double square[3] = {half[0] * half[0], half[1] * half[1], half[2] * half[2]};
  for (int k = 0; k < 3; k++) inertia[k] = volume / 3 * (square[(k + 1) % 3] + square[(k + 2) % 3]);
  return volume;
}

static double cylinder_mass(double r, double half, double inertia[6]) {
  double volume = 2 * pi * r * r * half;
  symmetric_about_z(volume * (r * r / 4 + half * half / 3), volume * r * r / 2, inertia);
  return volume;
}

// A cylinder and two half balls; the centre of a half ball is 3r/8 from its flat side.
static double capsule_mass(double r, double half, double inertia[6]) {
  double rod[6] = {0}, ball[6] = {0};
  double v_rod = cylinder_mass(r, half, rod), v_ball = sphere_mass(r, ball);
  double apart = half * half + 0.75 * half * r;
  symmetric_about_z(rod[0] + ball[0] + v_ball * apart, rod[2] + ball[2], inertia);
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

static double hull_mass(const stc_hull *hull, double centre[3], double inertia[6]) {
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

stc_error stc_shape_mass(const stc_shape *shape, double *volume, double centre[3],
                         double inertia[6]) {
  STC_TRY(stc_shape_check(shape));
  memset(centre, 0, 3 * sizeof *centre);
  memset(inertia, 0, 6 * sizeof *inertia);
  switch (shape->kind) {
  case STC_SHAPE_SPHERE:
    *volume = sphere_mass(shape->radius, inertia);
    break;
  case STC_SHAPE_BOX:
    *volume = box_mass(shape->half, inertia);
    break;
  case STC_SHAPE_CAPSULE:
    *volume = capsule_mass(shape->radius, shape->half[2], inertia);
    break;
  case STC_SHAPE_CYLINDER:
    *volume = cylinder_mass(shape->radius, shape->half[2], inertia);
    break;
  case STC_SHAPE_HULL:
    *volume = hull_mass(shape->hull, centre, inertia);
    break;
  default:
    return stc_fail(STC_ERR_ARGUMENT, "a %s has no mass: its body must be fixed or driven",
                    stc_shape_name(shape->kind));
  }
  return STC_OK;
}

const char *stc_shape_name(stc_shape_kind kind) {
  static const char *const name[STC_SHAPE_KINDS] = {"sphere", "box",   "capsule", "cylinder",
                                                    "hull",   "plane", "terrain"};
  return (unsigned)kind < STC_SHAPE_KINDS ? name[kind] : NULL;
}

static stc_error check_size(stc_shape_kind kind, const char *what, double size) {
  if (isfinite(size) && size > 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s: %s is %g, but must be positive and finite",
                  stc_shape_name(kind), what, size);
}

static stc_error check_box(const stc_shape *shape) {
  static const char *const name[3] = {"half[0]", "half[1]", "half[2]"};
  for (int k = 0; k < 3; k++) STC_TRY(check_size(shape->kind, name[k], shape->half[k]));
  return STC_OK;
}

static stc_error check_round(const stc_shape *shape) {
  STC_TRY(check_size(shape->kind, "radius", shape->radius));
  if (shape->kind == STC_SHAPE_SPHERE) return STC_OK;
  return check_size(shape->kind, "half[2] (half the length of the axis)", shape->half[2]);
}

stc_error stc_shape_check(const stc_shape *shape) {
  switch (shape->kind) {
  case STC_SHAPE_SPHERE:
  case STC_SHAPE_CAPSULE:
  case STC_SHAPE_CYLINDER:
    return check_round(shape);
  case STC_SHAPE_BOX:
    return check_box(shape);
  case STC_SHAPE_HULL:
    if (shape->hull) return STC_OK;
    return stc_fail(STC_ERR_ARGUMENT, "hull: no hull is given; make one with stc_hull_create");
  case STC_SHAPE_TERRAIN:
    if (shape->terrain) return STC_OK;
    return stc_fail(STC_ERR_ARGUMENT,
                    "terrain: no terrain is given; make one with stc_terrain_create");
  case STC_SHAPE_PLANE:
    return STC_OK;
  case STC_SHAPE_KINDS:
    break;
  }
  return stc_fail(STC_ERR_ARGUMENT, "there is no shape of kind %d", (int)shape->kind);
}

static void bounds_of_points(int count, const double *point, const double x[3], const double R[9],
                             double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < count; i++) {
    double p[3];
    stc_mul3(R, point + 3 * i, p);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], x[k] + p[k]);
      high[k] = fmax(high[k], x[k] + p[k]);
    }
  }
}

// Half sizes of the box around a centrally symmetric shape.
static void half_bounds(const stc_shape *s, const double R[9], double half[3]) {
  for (int k = 0; k < 3; k++) {
    const double *row = R + 3 * k;
    double along = fabs(row[2]) * s->half[2];
    switch (s->kind) {
    case STC_SHAPE_SPHERE:
      half[k] = s->radius;
      break;
    case STC_SHAPE_BOX:
      half[k] = fabs(row[0]) * s->half[0] + fabs(row[1]) * s->half[1] + along;
      break;
    case STC_SHAPE_CAPSULE:
      half[k] = s->radius + along;
      break;
    case STC_SHAPE_CYLINDER:
      half[k] = s->radius * hypot(row[0], row[1]) + along;
      break;
    default:
      half[k] = INFINITY;
    }
  }
}

void stc_shape_bounds(const stc_shape *shape, const stc_pose *pose, double low[3], double high[3]) {
  double R[9], half[3];
  stc_rotation_of(pose->rotation, R);
  if (shape->kind == STC_SHAPE_HULL) {
    bounds_of_points(shape->hull->points, shape->hull->point, pose->x, R, low, high);
  } else if (shape->kind == STC_SHAPE_TERRAIN) {
    bounds_of_points(shape->terrain->points, shape->terrain->point, pose->x, R, low, high);
  } else {
    half_bounds(shape, R, half);
    for (int k = 0; k < 3; k++) low[k] = pose->x[k] - half[k], high[k] = pose->x[k] + half[k];
  }
}
