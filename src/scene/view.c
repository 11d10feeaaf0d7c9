// s and m: filled by C, read by the scene.
#include "view.h"

#include <lauxlib.h>
#include <math.h>

// --- Tables ---

static void add_list(lua_State *L, const char *name) {
  lua_newtable(L);
  lua_setfield(L, -2, name);
}

static void add_contacts(lua_State *L, const stc_scene *scene) {
  lua_newtable(L);
  for (int k = 0; k < scene->walls; k++) {
    lua_newtable(L);
    add_list(L, "r");
    add_list(L, "u");
    lua_setfield(L, -2, scene->wall[k].name);
  }
  lua_setfield(L, -2, "contacts");
}

// m with its values from an array, or as the scene gave them.
static void fill_memory(lua_State *L, const stc_scene *scene, const double *values) {
  for (int k = 0; k < scene->kept; k++) {
    lua_pushnumber(L, values ? values[k] : scene->keep[k].start);
    lua_setfield(L, -2, scene->keep[k].name);
  }
}

static int open_view(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  lua_newtable(L);
  add_list(L, "q");
  add_list(L, "u");
  lua_newtable(L);
  add_list(L, "q");
  add_list(L, "u");
  lua_setfield(L, -2, "before");
  add_list(L, "energy");
  add_contacts(L, scene);
  scene->view = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  fill_memory(L, scene, NULL);
  scene->memory = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

stc_error stc_view_open(stc_scene *scene) {
  return stc_sandbox_call(&scene->box, open_view, NULL, 1);
}

// --- Filling ---

static void set_number(lua_State *L, const char *name, double x) {
  lua_pushnumber(L, x);
  lua_setfield(L, -2, name);
}

// Fills the list `name` of the table on top of the stack; makes it anew if the scene broke it.
static void set_list(lua_State *L, const char *name, const double *x, int count) {
  if (lua_getfield(L, -1, name) != LUA_TTABLE) {
    lua_pop(L, 1);
    add_list(L, name);
    lua_getfield(L, -1, name);
  }
  stc_give_vector(L, -1, x, count);
  lua_pop(L, 1);
}

// Pushes the table `name` of the table on top of the stack.
static void open_table(lua_State *L, const char *name) {
  if (lua_getfield(L, -1, name) == LUA_TTABLE) return;
  lua_pop(L, 1);
  add_list(L, name);
  lua_getfield(L, -1, name);
}

static void show_contacts(lua_State *L, const stc_scene *scene, const stc_moment *m) {
  open_table(L, "contacts");
  for (int k = 0; k < scene->walls; k++) {
    open_table(L, scene->wall[k].name);
    lua_pushboolean(L, m->touching[k]);
    lua_setfield(L, -2, "touching");
    set_list(L, "r", m->impulse + k * scene->dim, scene->dim);
    set_list(L, "u", m->relative + k * scene->dim, scene->dim);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void show_energy(lua_State *L, const stc_ledger *e) {
  open_table(L, "energy");
  set_number(L, "kinetic", e->kinetic);
  set_number(L, "potential", e->potential);
  set_number(L, "start", e->start);
  set_number(L, "work", e->work);
  set_number(L, "drive", e->drive);
  set_number(L, "friction", e->friction);
  set_number(L, "shock", e->shock);
  set_number(L, "correction", e->correction);
  set_number(L, "error", e->error);
  lua_pop(L, 1);
}

static int show(lua_State *L) {
  const stc_moment *m = lua_touserdata(L, 1);
  const stc_scene *scene = stc_scene_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->view);
  set_number(L, "t", m->t);
  set_number(L, "h", m->t - m->t_before);
  lua_pushinteger(L, m->step);
  lua_setfield(L, -2, "step");
  set_list(L, "q", m->q, scene->dofs);
  set_list(L, "u", m->u, scene->dofs);
  open_table(L, "before");
  set_number(L, "t", m->t_before);
  set_list(L, "q", m->q_before, scene->dofs);
  set_list(L, "u", m->u_before, scene->dofs);
  lua_pop(L, 1);
  show_energy(L, m->ledger);
  show_contacts(L, scene, m);
  return 0;
}

stc_error stc_view_show(stc_scene *scene, const stc_moment *moment) {
  return stc_sandbox_call(&scene->box, show, (void *)moment, 1);
}

// --- Memory ---

static bool is_kept(const stc_scene *scene, lua_State *L) {
  for (int k = 0; k < scene->kept; k++) {
    lua_pushstring(L, scene->keep[k].name);
    bool same = lua_rawequal(L, -1, -3);
    lua_pop(L, 1);
    if (same) return true;
  }
  return false;
}

// What a scene puts into m besides the numbers it announced would be lost at a restart.
static void check_memory(lua_State *L, const stc_scene *scene) {
  int count = 0;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->memory);
  for (lua_pushnil(L); lua_next(L, -2) != 0; count++) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_typename(L, -2);
    if (!is_kept(scene, L))
      luaL_error(L, "m has no number '%s'; announce it: memory { %s = 0 }", key, key);
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "m.%s is a %s; m keeps numbers", key, luaL_typename(L, -1));
    lua_pop(L, 1);
  }
  for (int k = 0; k < scene->kept && count < scene->kept; k++)
    if (lua_getfield(L, -1, scene->keep[k].name) == LUA_TNIL)
      luaL_error(L, "m.%s is nil; m keeps numbers", scene->keep[k].name);
  lua_settop(L, 1);
}

static int get_memory(lua_State *L) {
  double *values = lua_touserdata(L, 1);
  const stc_scene *scene = stc_scene_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->memory);
  for (int k = 0; k < scene->kept; k++) {
    lua_getfield(L, -1, scene->keep[k].name);
    values[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return 0;
}

static int set_memory(lua_State *L) {
  const stc_scene *scene = stc_scene_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->memory);
  fill_memory(L, scene, lua_touserdata(L, 1));
  return 0;
}

stc_error stc_view_get_memory(stc_scene *scene, double *values) {
  return stc_sandbox_call(&scene->box, get_memory, values, 1);
}

stc_error stc_view_set_memory(stc_scene *scene, const double *values) {
  return stc_sandbox_call(&scene->box, set_memory, (void *)values, 1);
}

// --- Calls ---

static void call_with_view(lua_State *L, const stc_scene *scene, const stc_callback *function,
                           int results) {
  stc_callback_push(L, function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->memory);
  lua_call(L, 2, results);
  check_memory(L, scene);
}

static int call_step(lua_State *L) {
  const stc_scene *scene = stc_scene_of(L);
  call_with_view(L, scene, &scene->after_step, 0);
  return 0;
}

stc_error stc_view_step(stc_scene *scene) {
  const stc_callback *function = &scene->after_step;
  if (!stc_callback_is_there(function)) return STC_OK;
  return stc_sandbox_call(&scene->box, call_step, NULL, function->line);
}

typedef struct question {
  const stc_answer *answer;
  const char *what;
  double value;
} question;

static int ask(lua_State *L) {
  question *q = lua_touserdata(L, 1);
  const stc_scene *scene = stc_scene_of(L);
  stc_callback_push(L, &q->answer->function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->memory);
  lua_call(L, 2, 1);
  int type = lua_type(L, -1);
  if (type == LUA_TNUMBER) q->value = lua_tonumber(L, -1);
  if (type == LUA_TBOOLEAN) q->value = lua_toboolean(L, -1);
  if (type == LUA_TNIL) q->value = NAN;
  if (type != LUA_TNUMBER && type != LUA_TBOOLEAN && type != LUA_TNIL)
    stc_refuse(L, -1, q->what, q->answer->name, "a number");
  check_memory(L, scene);
  return 0;
}

static stc_error ask_one(stc_scene *scene, const stc_answer *answer, const char *what,
                         double *value) {
  question q = {answer, what, NAN};
  STC_TRY(stc_sandbox_call(&scene->box, ask, &q, answer->function.line));
  *value = q.value;
  return STC_OK;
}

stc_error stc_view_series(stc_scene *scene, double *values) {
  for (int k = 0; k < scene->series; k++)
    STC_TRY(ask_one(scene, &scene->serie[k], "series", &values[k]));
  return STC_OK;
}

stc_error stc_view_observable(stc_scene *scene, int k, double *value) {
  return ask_one(scene, &scene->observable[k], "observables", value);
}
