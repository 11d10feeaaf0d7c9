// Values and obstacles of a scene as the library asks for them: each callback calls a function of
// the scene, or computes what is known.
//   plane  g = (x - d - p) . n        ball  g = |x - d - c| - R, hollow R - |x - d - c|
// where d(t) is the displacement of the obstacle.
#include "fem_scene.h"

#include <lauxlib.h>
#include <math.h>

// --- Values ---

typedef struct value_call {
  const stc_scene_given *given;
  double t;
  const double *x;
  double *value;
} value_call;

static void push_place(lua_State *L, const stc_scene *scene, const double *x) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->args[0]);
  stc_give_vector(L, -1, x, scene->deform->used->dim);
}

static int ask_value(lua_State *L) {
  const value_call *c = lua_touserdata(L, 1);
  stc_callback_push(L, &c->given->function);
  lua_pushnumber(L, c->t);
  push_place(L, c->given->scene, c->x);
  lua_call(L, 2, 1);
  *c->value = stc_take_number(L, -1, c->given->what, "value");
  return 0;
}

static bool value_at(void *user, double t, const double *x, double *value) {
  const stc_scene_given *given = user;
  value_call call = {given, t, x, value};
  stc_error error = stc_sandbox_call(&given->scene->box, ask_value, &call, given->function.line);
  return stc_scene_keep_failure(given->scene, error);
}

stc_given stc_deform_given(stc_scene_given *given) {
  if (stc_callback_is_there(&given->function))
    return (stc_given){.function = value_at, .user = given};
  return (stc_given){.value = given->value};
}

// --- Obstacles ---

typedef struct obstacle_call {
  const stc_scene_obstacle *obstacle;
  double t;
  const double *x;
  double *gap, *vector;  // where the answer goes; gap may be NULL
} obstacle_call;

// The numbers that distance(t, x) or motion(t, x) returns: [gap,] one for each direction.
static int ask_obstacle(lua_State *L) {
  const obstacle_call *c = lua_touserdata(L, 1);
  const stc_scene *scene = c->obstacle->scene;
  int dim = scene->deform->used->dim, gap = c->gap ? 1 : 0;
  stc_callback_push(L, c->gap ? &c->obstacle->distance : &c->obstacle->motion);
  lua_pushnumber(L, c->t);
  push_place(L, scene, c->x);
  lua_call(L, 2, gap + dim);
  if (c->gap) *c->gap = stc_take_number(L, -gap - dim, "obstacle", "the distance");
  for (int k = 0; k < dim; k++)
    c->vector[k] = stc_take_number(L, k - dim, "obstacle",
                                   gap ? "the normal behind the distance" : "its displacement");
  return 0;
}

static bool call_obstacle(const stc_scene_obstacle *o, double t, const double *x, double *gap,
                          double *vector) {
  obstacle_call call = {o, t, x, gap, vector};
  int line = gap ? o->distance.line : o->motion.line;
  stc_error error = stc_sandbox_call(&o->scene->box, ask_obstacle, &call, line);
  return stc_scene_keep_failure(o->scene, error);
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
static void measure(const stc_scene_obstacle *o, const double *y, double *gap, double *normal) {
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
  measure(o, y, gap, normal);
  return true;
}

stc_obstacle stc_deform_obstacle(stc_scene_obstacle *o) {
  bool moves = stc_callback_is_there(&o->motion);
  return (stc_obstacle){
      .distance = distance_at, .motion = moves ? displacement_at : NULL, .user = o};
}
