// The table of shapes, and the box around one in a pose.
#include "../base/fail.h"
#include "hull.h"
#include "shape_row.h"
#include "terrain.h"

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

bool stc_pose_is_finite(const stc_pose *p) {
  return isfinite(p->x[0] + p->x[1] + p->x[2]) &&
         isfinite(p->rotation[0] + p->rotation[1] + p->rotation[2] + p->rotation[3]);
}

stc_pose stc_pose_seen_from(const stc_pose *a, const stc_pose *b) {
  stc_pose back = {.rotation = {b->rotation[0], -b->rotation[1], -b->rotation[2], -b->rotation[3]}};
  stc_pose at = {.rotation = {a->rotation[0], a->rotation[1], a->rotation[2], a->rotation[3]}};
  stc_sub3(a->x, b->x, at.x);
  return stc_pose_compose(&back, &at);
}

// --- The table ---

#define ROW(kind, name) [STC_SHAPE_##kind] = &stc_##name##_row,
static const stc_shape_row *const shapes[STC_SHAPE_KINDS] = {STC_SHAPES(ROW)};
#undef ROW

const stc_shape_row *stc_shape_of(stc_shape_kind kind) { return shapes[kind]; }

const char *stc_shape_name(stc_shape_kind kind) {
  return (unsigned)kind < STC_SHAPE_KINDS ? shapes[kind]->name : NULL;
}

bool stc_shape_is_endless(stc_shape_kind kind) {
  return (unsigned)kind < STC_SHAPE_KINDS && !shapes[kind]->place;
}

stc_error stc_check_size(const stc_shape *shape, const char *what, double size) {
  if (isfinite(size) && size > 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s: %s is %g, but must be positive and finite",
                  stc_shape_name(shape->kind), what, size);
}

stc_error stc_shape_check(const stc_shape *shape) {
  if ((unsigned)shape->kind >= STC_SHAPE_KINDS)
    return stc_fail(STC_ERR_ARGUMENT, "there is no shape of kind %d", (int)shape->kind);
  const stc_shape_row *row = shapes[shape->kind];
  return row->check ? row->check(shape) : STC_OK;
}

stc_error stc_shape_mass(const stc_shape *shape, double *volume, double centre[3],
                         double inertia[6]) {
  STC_TRY(stc_shape_check(shape));
  memset(centre, 0, 3 * sizeof *centre);
  memset(inertia, 0, 6 * sizeof *inertia);
  const stc_shape_row *row = shapes[shape->kind];
  if (!row->mass)
    return stc_fail(STC_ERR_ARGUMENT, "a %s has no mass: its body must be fixed or driven",
                    row->name);
  *volume = row->mass(shape, centre, inertia);
  return STC_OK;
}

void stc_shape_support(const stc_shape *shape, const double d[3], double p[3]) {
  stc_convex c;
  double n[3];
  stc_pose here = stc_pose_identity();
  stc_convex_place(shape, &here, here.x, &c);
  stc_convex_support(&c, d, p);
  stc_copy3(d, n);
  stc_unit3(n);
  stc_combine3(p, c.radius, n, p);
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

void stc_shape_bounds(const stc_shape *shape, const stc_pose *pose, double low[3], double high[3]) {
  double R[9], half[3];
  stc_rotation_of(pose->rotation, R);
  if (shape->kind == STC_SHAPE_HULL) {
    bounds_of_points(shape->hull->points, shape->hull->point, pose->x, R, low, high);
  } else if (shape->kind == STC_SHAPE_TERRAIN) {
    bounds_of_points(shape->terrain->points, shape->terrain->point, pose->x, R, low, high);
  } else {
    shapes[shape->kind]->bounds(shape, R, half);
    for (int k = 0; k < 3; k++) low[k] = pose->x[k] - half[k], high[k] = pose->x[k] + half[k];
  }
}
