// Loads of a scene: force, torque and damping of a rigid { }, gravity as a function of time.
#include "context.h"

#include <lauxlib.h>
#include <string.h>

static const double HUGE_NUMBER = 1e300;

// --- As they are said ---

// A list of numbers, one number in the plane where it is about z, or a function.
static stc_callback take_given(const stc_fields *f, const stc_context *context, const char *name,
                               bool about_z, double value[3]) {
  stc_callback function = {LUA_NOREF, 0};
  int type = stc_field(f, name);
  if (type == LUA_TFUNCTION) return stc_callback_take(f->L);
  if (type == LUA_TNUMBER && about_z)
    value[2] = stc_take_number(f->L, -1, f->what, name);
  else if (type != LUA_TNIL)
    stc_bodies_take_vector(f->L, -1, context, f->what, name, value);
  lua_pop(f->L, 1);
  return function;
}

void stc_bodies_take_loads(const stc_fields *f, const stc_context *context, stc_bodies_body *b) {
  b->force = take_given(f, context, "force", false, b->given_force);
  b->torque = take_given(f, context, "torque", context->settings.plane, b->given_torque);
  b->damping[0] = stc_field_number_or(f, "linear_damping", 0, 0, HUGE_NUMBER);
  b->damping[1] = stc_field_number_or(f, "angular_damping", 0, 0, HUGE_NUMBER);
  b->loaded = stc_field_is_there(f, "force") || stc_field_is_there(f, "torque");
  bool damped = b->damping[0] + b->damping[1] > 0;
  if ((b->loaded || damped) && b->body.mobility != STC_MOBILITY_FREE)
    luaL_error(f->L, "%s does not move freely; force, torque and damping are for bodies that do",
               f->what);
}

void stc_bodies_take_gravity(const stc_fields *f, stc_context *context) {
  context->fall = take_given(f, context, "gravity", false, context->settings.gravity);
}

// --- As they act ---

// A function of t and `lists` lists of `length` numbers; its results fill answer [count].
static bool call_given(const stc_bodies_body *b, const stc_callback *function, const char *name,
                       const stc_call *arguments, double *answer, int count) {
  stc_call call = *arguments;
  call.scene = b->scene;
  call.function = function;
  call.what = name;
  call.name = b->name;
  call.answer = answer;
  call.count = count;
  return stc_call_scene(&call);
}

static bool load_at(void *user, double t, const stc_body_state *state, stc_body_load *load) {
  const stc_bodies_body *b = user;
  bool plane = b->scene->context->settings.plane;
  memcpy(load->force, b->given_force, sizeof load->force);
  memcpy(load->torque, b->given_torque, sizeof load->torque);
  stc_call call = {.numbers = 1, .number = {t}, .length = plane ? 2 : 3};
  if (stc_callback_is_there(&b->force)) {
    call.lists = 2, call.list[0] = state->centre, call.list[1] = state->velocity;
    if (!call_given(b, &b->force, "force of rigid", &call, load->force, call.length)) return false;
  }
  if (!stc_callback_is_there(&b->torque)) return true;
  if (plane) {
    call.lists = 0, call.numbers = 2, call.number[1] = state->omega[2];
    return call_given(b, &b->torque, "torque of rigid", &call, load->torque + 2, 1);
  }
  call.lists = 1, call.list[0] = state->omega;
  return call_given(b, &b->torque, "torque of rigid", &call, load->torque, 3);
}

stc_error stc_bodies_set_loads(const stc_bodies_body *b, stc_world *world, stc_body_id id) {
  if (b->damping[0] + b->damping[1] > 0)
    STC_TRY(stc_world_set_damping(world, id, b->damping[0], b->damping[1]));
  return b->loaded ? stc_world_set_load(world, id, load_at, (void *)b) : STC_OK;
}

stc_error stc_bodies_turn_gravity(stc_scene *scene, stc_world *world) {
  const stc_context *context = scene->context;
  double gravity[3] = {0, 0, 0};
  if (!stc_callback_is_there(&context->fall)) return STC_OK;
  stc_call call = {.scene = scene,
                   .function = &context->fall,
                   .what = "world",
                   .name = "gravity",
                   .numbers = 1,
                   .number = {stc_world_time(world) + context->settings.h / 2},
                   .answer = gravity,
                   .count = context->settings.plane ? 2 : 3};
  if (!stc_call_scene(&call)) return STC_ERR_CALLBACK;
  if (!memcmp(gravity, stc_world_given(world)->gravity, sizeof gravity)) return STC_OK;
  return stc_world_set_gravity(world, gravity);
}
