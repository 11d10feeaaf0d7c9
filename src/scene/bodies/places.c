// Places, directions and rotations as a scene writes them, in space or in the plane.
#include "../../base/vec3.h"
#include "context.h"

#include <lauxlib.h>

void stc_bodies_take_vector(lua_State *L, int index, const stc_context *context, const char *what,
                            const char *name, double x[3]) {
  bool flat = context->settings.plane && lua_istable(L, index) && lua_rawlen(L, index) == 2;
  x[2] = 0;
  stc_take_vector(L, index, what, name, x, flat ? 2 : 3);
}

bool stc_bodies_vector(const stc_fields *fields, const stc_context *context, const char *name,
                       double x[3]) {
  bool there = stc_field(fields, name) != LUA_TNIL;
  if (there) stc_bodies_take_vector(fields->L, -1, context, fields->what, name, x);
  lua_pop(fields->L, 1);
  return there;
}

// --- Rotations ---

static void about(const double axis[3], double angle, double rotation[4]) {
  double norm = stc_norm3(axis);
  rotation[0] = cos(angle / 2);
  for (int k = 0; k < 3; k++) rotation[k + 1] = sin(angle / 2) * axis[k] / norm;
}

void stc_bodies_rotation_to(const double d[3], double rotation[4]) {
  const double z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
  double axis[3], norm = stc_norm3(d), pi = acos(-1);
  stc_cross3(z, d, axis);
  double sine = stc_norm3(axis) / norm, cosine = d[2] / norm;
  if (sine == 0)
    about(x, cosine > 0 ? 0 : pi, rotation);
  else
    about(axis, atan2(sine, cosine), rotation);
}

// { axis = { x, y, z }, angle = rad } on top of the stack.
static void take_axis(const stc_fields *f, const stc_context *context, const char *name,
                      double rotation[4]) {
  lua_State *L = f->L;
  double axis[3] = {0, 0, 0};
  const char *what = lua_pushfstring(L, "%s: %s", f->what, name);
  stc_fields own = STC_FIELDS(L, -2, what, "axis", "angle");
  if (!stc_bodies_vector(&own, context, "axis", axis) && context->settings.plane) axis[2] = 1;
  if (stc_norm3(axis) == 0) luaL_error(L, "%s needs an entry 'axis' of some length", what);
  about(axis, stc_field_number(&own, "angle", -1e9, 1e9), rotation);
  lua_pop(L, 1);
}

void stc_bodies_rotation(const stc_fields *f, const stc_context *context, const char *name,
                         double rotation[4]) {
  static const double z[3] = {0, 0, 1};
  const char *wanted = context->settings.plane
                           ? "an angle in rad"
                           : "{ axis = { x, y, z }, angle = rad } or a quaternion { w, x, y, z }";
  lua_State *L = f->L;
  int type = stc_field(f, name);
  memcpy(rotation, (double[]){1, 0, 0, 0}, 4 * sizeof *rotation);
  if (type == LUA_TNUMBER && context->settings.plane)
    about(z, stc_take_number(L, -1, f->what, name), rotation);
  else if (type == LUA_TTABLE && lua_rawlen(L, -1) > 0)
    stc_take_vector(L, -1, f->what, name, rotation, 4);
  else if (type == LUA_TTABLE)
    take_axis(f, context, name, rotation);
  else if (type != LUA_TNIL)
    stc_refuse(L, -1, f->what, name, wanted);
  lua_pop(L, 1);
}
