// Shapes: their names, what is a sound one, and the box around one in a pose.
#include <stiction/geometry.h>

#include "../base/fail.h"
#include "../base/vec3.h"
#include "hull.h"
#include "terrain.h"

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
