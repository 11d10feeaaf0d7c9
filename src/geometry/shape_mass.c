// Volume, centre and inertia of shapes with density 1. A hull is the sum of the tetrahedra between
// its centre and its triangles: with e_i the edges from the centre and det their volume times 6,
//   integral of x x^T = det/120 (sum_i e_i e_i^T + (sum_i e_i)(sum_i e_i)^T).
#include <stiction/geometry.h>

#include "../base/fail.h"
#include "../base/vec3.h"
#include "hull.h"

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
