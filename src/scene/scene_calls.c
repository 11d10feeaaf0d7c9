// Every call from the library into a scene goes through here.
#include "scene_calls.h"
#include "../base/number.h"

#include <lauxlib.h>

// --- Failures ---

bool stc_scene_keep_failure(stc_scene *scene, stc_error error) {
  if (error && !scene->failed)
    stc_snprintf(scene->why, sizeof scene->why, "%s", stc_error_detail());
  scene->failed = scene->failed || error;
  return !error;
}

stc_error stc_scene_error(stc_scene *scene, stc_error error) {
  if (scene->failed) {
    scene->failed = false;
    return stc_fail(STC_ERR_FORMAT, "%s", scene->why);
  }
  if (!error) return STC_OK;
  return stc_fail(error, "%s:%d: %s", scene->path, scene->line, stc_error_detail());
}

// --- Calls ---

static void set_number(lua_State *L, const char *name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

static void set_list(lua_State *L, const char *name, const double *x, int count) {
  lua_createtable(L, count, 0);
  stc_give_vector(L, -1, x, count);
  lua_setfield(L, -2, name);
}

// { t, place, u, force, pressure, age, at }, u from N on.
static void push_past(lua_State *L, const stc_call_past *call) {
  const stc_contact_past *past = call->past;
  lua_createtable(L, 0, 7);
  set_number(L, "t", past->t);
  set_number(L, "force", past->force);
  set_number(L, "pressure", past->pressure);
  set_number(L, "age", past->age);
  set_list(L, "place", past->place, 3);
  set_list(L, "u", past->u, call->dim);
  if (!call->at) return;
  lua_createtable(L, 2, 0);
  for (int k = 0; k < 2; k++) {
    lua_createtable(L, 3, 0);
    stc_give_vector(L, -1, call->at[k], 3);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "at");
}

static int call_function(lua_State *L) {
  const stc_call *c = lua_touserdata(L, 1);
  stc_callback_push(L, c->function);
  for (int k = 0; k < c->numbers; k++) lua_pushnumber(L, c->number[k]);
  for (int k = 0; k < c->lists; k++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->scene->args[k]);
    stc_give_vector(L, -1, c->list[k], c->length);
  }
  if (c->past) push_past(L, c->past);
  bool one = c->read && c->count != LUA_MULTRET;
  lua_call(L, c->numbers + c->lists + (c->past != NULL), one ? 1 : c->count);
  if (c->read) {
    c->read(L, c);
    return 0;
  }
  for (int k = 0; k < c->count; k++)
    c->answer[k] = stc_take_number(L, k - c->count, c->what, c->name);
  return 0;
}

bool stc_call_scene(const stc_call *c) {
  stc_error error = stc_sandbox_call(&c->scene->box, call_function, (void *)c, c->function->line);
  return stc_scene_keep_failure(c->scene, error);
}

// --- Friction ---

void stc_friction_follow_load(const stc_friction *friction, const stc_contact_past *past,
                              stc_law *law) {
  if (friction->patch.R > 0) law->radius = stc_hertz_patch_radius(&friction->patch, past);
}

// A call that answers with a law, or with a coefficient alone.
typedef struct call_law {
  stc_call call;
  stc_law *law;
  double *mu;
} call_law;

// A number is mu; a law is the law of this step.
static void read_law(lua_State *L, const stc_call *c) {
  const call_law *call = (const call_law *)c;
  if (call->mu || lua_type(L, -1) == LUA_TNUMBER) {
    double mu = stc_take_number(L, -1, c->what, "mu");
    if (mu < 0)
      luaL_error(L, "%s: mu = %f at speed %f; give a number >= 0", c->what, mu, c->number[0]);
    if (call->mu)
      *call->mu = mu;
    else
      *call->law = stc_law_with_mu(call->law, mu);
    return;
  }
  stc_friction given = stc_friction_take(L, -1, c->what);
  if (given.varies)
    luaL_error(L, "%s: the law of a step has a coefficient that varies; give a number", c->what);
  *call->law = given.law;
  if (given.law.dim == 0) call->law->dim = c->past->dim;
  stc_friction_follow_load(&given, c->past->past, call->law);
}

static bool ask_friction(call_law *c, stc_scene *scene, const stc_callback *function,
                         const char *what, const stc_call_past *past) {
  c->call = (stc_call){.scene = scene,
                       .function = function,
                       .what = what,
                       .name = "friction",
                       .numbers = 2,
                       .number = {past->past->speed, past->past->slip},
                       .past = past,
                       .read = read_law};
  return stc_call_scene(&c->call);
}

bool stc_call_friction(stc_scene *scene, const stc_callback *function, const char *what,
                       const stc_call_past *past, stc_law *law) {
  return ask_friction(&(call_law){.law = law}, scene, function, what, past);
}

bool stc_call_mu(stc_scene *scene, const stc_callback *function, const char *what,
                 const stc_call_past *past, double *mu) {
  return ask_friction(&(call_law){.mu = mu}, scene, function, what, past);
}

void stc_read_list(lua_State *L, const stc_call *c) {
  stc_take_vector(L, -1, c->what, c->name, c->answer, c->count);
}

// --- Numbers that may be functions ---

stc_scene_given stc_scene_given_take(const stc_fields *f, const char *name, const char *wanted) {
  lua_State *L = f->L;
  stc_scene_given given = {
      .scene = stc_scene_of(L), .what = f->what, .name = name, .function = {LUA_NOREF, 0}};
  if (lua_isfunction(L, -1)) {
    given.function = stc_callback_take(L);
    return given;
  }
  if (lua_type(L, -1) != LUA_TNUMBER) stc_refuse(L, -1, f->what, name, wanted);
  given.value = stc_take_number(L, -1, f->what, name);
  lua_pop(L, 1);
  return given;
}

bool stc_scene_given_value(void *user, double t, const double *x, double *value) {
  const stc_scene_given *g = user;
  *value = g->value;
  if (!stc_callback_is_there(&g->function)) return true;
  return stc_call_scene(&(stc_call){.scene = g->scene,
                                    .function = &g->function,
                                    .what = g->what,
                                    .name = g->name,
                                    .numbers = 1,
                                    .number = {t},
                                    .lists = g->dim > 0,
                                    .list = {x},
                                    .length = g->dim,
                                    .answer = value,
                                    .count = 1});
}

stc_given stc_scene_given_of(stc_scene_given *given, int dim) {
  given->dim = dim;
  if (stc_callback_is_there(&given->function))
    return (stc_given){.function = stc_scene_given_value, .user = given};
  return (stc_given){.value = given->value};
}
