// joint { }: two bodies, what joins them, and what acts along the coordinates that are left free.
#include "context.h"

#include "../../base/vec3.h"

#include <lauxlib.h>
#include <math.h>

static void take_joined(const stc_fields *f, const stc_context *context, int body[2]) {
  lua_State *L = f->L;
  int count =
      stc_field_list(f, "bodies", "a list of two bodies, or of one that the world holds", 1, 2);
  for (int k = 0; k < 2; k++) {
    body[k] = -1;
    if (k == count) break;
    lua_rawgeti(L, -1, k + 1);
    body[k] = stc_bodies_find_body(L, -1, context, f->what);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// --- What acts along a coordinate ---

#define ACTION_KEYS "start", "limit", "restitution", "spring", "motor", "friction"

static const double LARGEST = 1e15;  // [input]

/// The table of a key, on top of the stack; false, and nothing there, where the key is not.
static bool open_table(const stc_fields *f, const char *name, const char *const *names,
                       stc_fields *table) {
  if (stc_field(f, name) == LUA_TNIL) {
    lua_pop(f->L, 1);
    return false;
  }
  *table = stc_fields_open(f->L, -1, name, names);
  table->table = lua_absindex(f->L, -1);
  return true;
}

/// limit = { least, greatest }; -math.huge and math.huge leave a side open.
static void take_limit(const stc_fields *f, stc_joint_coordinate *c) {
  double *side[2] = {&c->least, &c->greatest};
  lua_State *L = f->L;
  if (!stc_field_is_there(f, "limit")) return;
  stc_field_list(f, "limit", "a list of two numbers, the least and the greatest", 2, 2);
  for (int k = 0; k < 2; k++) {
    lua_rawgeti(L, -1, k + 1);
    if (lua_type(L, -1) != LUA_TNUMBER) stc_refuse(L, -1, f->what, "limit", "two numbers");
    *side[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void take_spring(const stc_fields *f, stc_joint_coordinate *c) {
  static const char *const names[] = {"stiffness", "damping", "rest", NULL};
  stc_fields t;
  if (!open_table(f, "spring", names, &t)) return;
  c->stiffness = stc_field_number_or(&t, "stiffness", 0, 0, LARGEST);
  c->damping = stc_field_number_or(&t, "damping", 0, 0, LARGEST);
  c->rest = stc_field_number_or(&t, "rest", 0, -LARGEST, LARGEST);
  lua_pop(f->L, 1);
}

static void take_motor(const stc_fields *f, stc_joint_coordinate *c) {
  static const char *const names[] = {"velocity",  "position", "force",
                                      "stiffness", "damping",  NULL};
  stc_fields t;
  if (!open_table(f, "motor", names, &t)) return;
  bool velocity = stc_field_is_there(&t, "velocity"), position = stc_field_is_there(&t, "position");
  if (velocity == position)
    luaL_error(f->L, "motor: give a velocity or a position that it drives to");
  c->motor = velocity ? STC_MOTOR_VELOCITY : STC_MOTOR_POSITION;
  c->target = stc_field_number(&t, velocity ? "velocity" : "position", -LARGEST, LARGEST);
  c->motor_force = stc_field_number_or(&t, "force", INFINITY, 0, LARGEST);
  c->motor_stiffness = stc_field_number_or(&t, "stiffness", 0, 0, LARGEST);
  c->motor_damping = stc_field_number_or(&t, "damping", 0, 0, LARGEST);
  lua_pop(f->L, 1);
}

/// key = number, or a table with these names, which is open then: true.
static bool take_number_or_open(const stc_fields *f, const char *key, const char *const *names,
                                double *number, stc_fields *t) {
  int type = stc_field(f, key);
  lua_pop(f->L, 1);
  if (type == LUA_TNUMBER) *number = stc_field_number(f, key, 0, LARGEST);
  return type != LUA_TNUMBER && open_table(f, key, names, t);
}

/// friction = bound, or { bound =, ratio = }.
static void take_friction(const stc_fields *f, stc_joint_coordinate *c) {
  static const char *const names[] = {"bound", "ratio", NULL};
  stc_fields t;
  if (!take_number_or_open(f, "friction", names, &c->friction, &t)) return;
  c->friction = stc_field_number_or(&t, "bound", 0, 0, LARGEST);
  c->friction_ratio = stc_field_number_or(&t, "ratio", 0, 0, LARGEST);
  lua_pop(f->L, 1);
}

static void take_action(const stc_fields *f, stc_joint_coordinate *c) {
  c->start = stc_field_number_or(f, "start", c->start, -LARGEST, LARGEST);
  c->restitution = stc_field_number_or(f, "restitution", 0, 0, 1);
  take_limit(f, c);
  take_spring(f, c);
  take_motor(f, c);
  take_friction(f, c);
}

/// The keys of the joint are those of its first coordinate; `coordinates` has a table for each.
static void take_actions(const stc_fields *f, stc_joint *joint) {
  static const char *const names[] = {ACTION_KEYS, NULL};
  lua_State *L = f->L;
  take_action(f, &joint->coordinate[0]);
  if (!stc_field_is_there(f, "coordinates")) return;
  int count = stc_field_list(f, "coordinates", "a list with a table for each coordinate", 1,
                             STC_JOINT_COORDINATES);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, -1, k + 1);
    stc_fields t = stc_fields_open(L, -1, "coordinates", names);
    t.table = lua_absindex(L, -1);
    take_action(&t, &joint->coordinate[k]);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// --- joint { } ---

/// breaks = force, or { force =, torque = }.
static void take_breaks(const stc_fields *f, stc_joint *joint) {
  static const char *const names[] = {"force", "torque", NULL};
  stc_fields t;
  if (!take_number_or_open(f, "breaks", names, &joint->break_force, &t)) return;
  joint->break_force = stc_field_number_or(&t, "force", INFINITY, 0, LARGEST);
  joint->break_torque = stc_field_number_or(&t, "torque", INFINITY, 0, LARGEST);
  lua_pop(f->L, 1);
}

static void take_place(const stc_fields *f, const stc_context *context, stc_joint *joint) {
  lua_State *L = f->L;
  bool free = joint->kind == STC_JOINT_FIXED || joint->kind == STC_JOINT_GEAR;
  if (!stc_bodies_vector(f, context, "at", joint->anchor) && !free)
    luaL_error(L, "joint needs an entry 'at', a point of the joint");
  if (!stc_bodies_vector(f, context, "at2", joint->anchor2) && joint->kind == STC_JOINT_DISTANCE)
    luaL_error(L, "a distance needs an entry 'at2', its point on the second body");
  bool has_axis = stc_bodies_vector(f, context, "axis", joint->axis);
  stc_bodies_vector(f, context, "axis2", joint->axis2);
  bool needs = stc_joint_has_axis((int)joint->kind, context->settings.plane);
  if (needs && stc_norm3(joint->axis) == 0)
    luaL_error(L, "joint needs an entry 'axis'%s", has_axis ? " of some length" : "");
}

int stc_bodies_joint_function(lua_State *L) {
  enum { KINDS = 16 };  // and the end
  const char *kinds[KINDS] = {NULL};
  for (int k = 0; k < KINDS - 1; k++) kinds[k] = stc_joint_name(k);
  stc_context *context = stc_bodies_of(L, "joint");
  stc_fields f = STC_FIELDS(L, 1, "joint", "kind", "bodies", "at", "axis", "at2", "axis2", "ratio",
                            "breaks", "coordinates", ACTION_KEYS);
  stc_bodies_joint entry = {.line = stc_scene_line(L), .joint = stc_default_joint()};
  stc_joint *joint = &entry.joint;
  joint->kind = (stc_joint_kind)stc_field_choice(&f, "kind", "kind", kinds, -1);
  take_joined(&f, context, entry.body);
  take_place(&f, context, joint);
  joint->ratio = stc_field_number_or(&f, "ratio", 1, -LARGEST, LARGEST);
  take_breaks(&f, joint);
  take_actions(&f, joint);
  *STC_CONTEXT_ADD(L, "joint", &context->joints, context->joint) = entry;
  return 0;
}
