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

// { t, place, u, force, age }, u from N on.
static void push_past(lua_State *L, const stc_contact_past *past, int dim) {
  lua_createtable(L, 0, 5);
  set_number(L, "t", past->t);
  set_number(L, "force", past->force);
  set_number(L, "age", past->age);
  lua_createtable(L, 3, 0);
  stc_give_vector(L, -1, past->place, 3);
  lua_setfield(L, -2, "place");
  lua_createtable(L, dim, 0);
  stc_give_vector(L, -1, past->u, dim);
  lua_setfield(L, -2, "u");
}

static int call_function(lua_State *L) {
  const stc_call *c = lua_touserdata(L, 1);
  stc_callback_push(L, c->function);
  for (int k = 0; k < c->numbers; k++) lua_pushnumber(L, c->number[k]);
  for (int k = 0; k < c->lists; k++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->scene->args[k]);
    stc_give_vector(L, -1, c->list[k], c->length);
  }
  if (c->past) push_past(L, c->past, c->scene->dim);
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
