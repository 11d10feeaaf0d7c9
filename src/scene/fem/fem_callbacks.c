// Obstacles of a scene as the library asks for them: a function of the scene, or what is known.
//   plane  g = (x - d - p) . n        ball  g = |x - d - c| - R, hollow R - |x - d - c|
// where d(t) is the displacement of the obstacle.
#include "fem_scene.h"

#include <math.h>

// The numbers that distance(t, x) or motion(t, x) returns: [gap,] one for each direction.
static bool call_obstacle(const stc_scene_obstacle *o, double t, const double *x, double *gap,
                          double *vector) {
  double answer[4];
  int dim = o->scene->dim, first = gap ? 1 : 0;
  stc_call c = {.scene = o->scene,
                .function = gap ? &o->distance : &o->motion,
                .what = "obstacle",
                .name = gap ? "the distance or the normal behind it" : "its displacement",
                .numbers = 1,
                .number = {t},
                .lists = 1,
                .list = {x},
                .length = dim,
                .answer = answer,
                .count = first + dim};
  if (!stc_call_scene(&c)) return false;
  if (gap) *gap = answer[0];
  for (int k = 0; k < dim; k++) vector[k] = answer[first + k];
  return true;
}

static bool displacement_at(void *user, double t, const double *x, double *d) {
  return call_obstacle(user, t, x, NULL, d);
}

// x in the place where the obstacle began.
static bool come_back(const stc_scene_obstacle *o, double t, const double *x, double *y) {
  double d[3] = {0};
  if (stc_callback_is_there(&o->motion) && !call_obstacle(o, t, x, NULL, d)) return false;
  for (int k = 0; k < o->dim; k++) y[k] = x[k] - d[k] - o->centre[k];
  return true;
}

// Distance and normal of y, measured from the centre or the axis.
static void measure_gap(const stc_scene_obstacle *o, const double *y, double *gap, double *normal) {
  double along = 0, length = 0;
  for (int k = 0; k < 3; k++) along += y[k] * o->axis[k];
  if (o->shape == STC_OBSTACLE_PLANE) {
    for (int k = 0; k < o->dim; k++) normal[k] = o->axis[k];
    *gap = along;
    return;
  }
  double across[3];
  for (int k = 0; k < 3; k++) {
    across[k] = y[k] - (o->shape == STC_OBSTACLE_ROD ? along * o->axis[k] : 0);
    length = hypot(length, across[k]);
  }
  double sign = o->hollow ? -1 : 1;
  for (int k = 0; k < o->dim; k++) normal[k] = length > 0 ? sign * across[k] / length : k == 0;
  *gap = sign * (length - o->radius);
}

static bool distance_at(void *user, double t, const double *x, double *gap, double *normal) {
  const stc_scene_obstacle *o = user;
  double y[3] = {0};
  if (o->shape == STC_OBSTACLE_FUNCTION) return call_obstacle(o, t, x, gap, normal);
  if (!come_back(o, t, x, y)) return false;
  measure_gap(o, y, gap, normal);
  return true;
}

stc_obstacle stc_deform_obstacle(stc_scene_obstacle *o) {
  bool moves = stc_callback_is_there(&o->motion);
  return (stc_obstacle){
      .distance = distance_at, .motion = moves ? displacement_at : NULL, .user = o};
}
