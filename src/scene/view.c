// s and m: filled by C, read by the scene.
#include "view.h"

#include <math.h>
#include <string.h>

// --- Tables ---

void stc_view_set_number(lua_State *L, const char *name, double x) {
  lua_pushnumber(L, x);
  stc_put_field(L, name);
}

void stc_view_set_integer(lua_State *L, const char *name, long x) {
  lua_pushinteger(L, x);
  stc_put_field(L, name);
}

void stc_view_set_text(lua_State *L, const char *name, const char *text) {
  lua_pushstring(L, text);
  stc_put_field(L, name);
}

void stc_view_set_vector(lua_State *L, const char *name, const double *x, int count) {
  lua_createtable(L, count, 0);
  stc_give_vector(L, -1, x, count);
  stc_put_field(L, name);
}

void stc_view_set_numbers(lua_State *L, const void *base, const stc_number *table) {
  for (; table->name; table++) stc_view_set_number(L, table->name, *stc_number_at(base, table));
}

void stc_view_set_shown(lua_State *L, const char *name, const stc_shown_list *list) {
  stc_view_open_table(L, name);
  for (int k = 0; k < list->count; k++)
    stc_view_set_number(L, list->entry[k].name, *list->entry[k].at);
  lua_pop(L, 1);
}

void stc_view_open_table(lua_State *L, const char *name) {
  if (lua_getfield(L, -1, name) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  stc_guard_table(L);
  lua_pushstring(L, name);
  lua_pushvalue(L, -2);
  lua_rawset(L, -4);
}

void stc_view_set_list(lua_State *L, const char *name, const double *x, int count) {
  stc_view_open_table(L, name);
  stc_give_vector(L, -1, x, count);
  lua_pop(L, 1);
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
  if (scene->kind->open_view) scene->kind->open_view(L, scene);
  stc_guard_table(L);
  scene->view = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  fill_memory(L, scene, NULL);
  scene->memory = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

stc_error stc_view_open(stc_scene *scene) {
  return stc_sandbox_call(&scene->box, open_view, NULL, 1);
}

static int show_state(lua_State *L) {
  stc_moving *moving = lua_touserdata(L, 1);
  const stc_scene *scene = moving->scene;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->view);
  stc_view_set_number(L, "t", moving->t);
  stc_view_set_integer(L, "step", moving->step);
  scene->kind->show(L, moving);
  return 0;
}

stc_error stc_view_show(stc_moving *moving) {
  return stc_sandbox_call(&moving->scene->box, show_state, moving, 1);
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

static int call_step(lua_State *L) {
  const stc_scene *scene = stc_scene_of(L);
  stc_callback_push(L, &scene->after_step);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->memory);
  lua_call(L, 2, 0);
  check_memory(L, scene);
  return 0;
}

stc_error stc_view_step(stc_scene *scene) {
  const stc_callback *function = &scene->after_step;
  if (!stc_callback_is_there(function)) return STC_OK;
  return stc_sandbox_call(&scene->box, call_step, NULL, function->line);
}

// --- Questions ---

typedef struct question {
  const stc_answer *answer;
  const char *what;
  stc_arena *arena;  // for lists and texts; NULL: only numbers will do
  stc_observed observed;
} question;

static void take_list(lua_State *L, question *q) {
  lua_Unsigned count = lua_rawlen(L, -1);
  if (count > STC_SCENE_LIST)
    luaL_error(L, "%s: %s is a list of %I numbers; the longest has %d", q->what, q->answer->name,
               (LUAI_UACINT)count, STC_SCENE_LIST);
  double *list = STC_TAKE(q->arena, double, count);
  if (!list) luaL_error(L, "out of memory for a list");
  stc_take_vector(L, -1, q->what, q->answer->name, list, (int)count);
  q->observed = (stc_observed){STC_OBSERVED_LIST, NAN, (int)count, list, NULL};
}

static int ask(lua_State *L) {
  question *q = lua_touserdata(L, 1);
  const stc_scene *scene = stc_scene_of(L);
  stc_callback_push(L, &q->answer->function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->memory);
  lua_call(L, 2, 1);
  int type = lua_type(L, -1);
  q->observed = (stc_observed){STC_OBSERVED_NUMBER, NAN, 0, NULL, NULL};
  if (type == LUA_TNUMBER)
    q->observed.number = lua_tonumber(L, -1);
  else if (type == LUA_TBOOLEAN)
    q->observed.number = lua_toboolean(L, -1);
  else if (type == LUA_TTABLE && q->arena)
    take_list(L, q);
  else if (type == LUA_TSTRING && q->arena) {
    size_t length = 0;
    const char *text = lua_tolstring(L, -1, &length);
    char *copy = STC_TAKE(q->arena, char, length + 1);
    if (!copy) luaL_error(L, "out of memory for a text");
    memcpy(copy, text, length);
    q->observed = (stc_observed){STC_OBSERVED_TEXT, NAN, 0, NULL, copy};
  } else if (type != LUA_TNIL)
    stc_refuse(L, -1, q->what, q->answer->name,
               q->arena ? "a number, a list of numbers or a text" : "a number");
  check_memory(L, scene);
  return 0;
}

static stc_error ask_one(stc_scene *scene, question *q) {
  return stc_sandbox_call(&scene->box, ask, q, q->answer->function.line);
}

stc_error stc_view_series(stc_scene *scene, double *values) {
  for (int k = 0; k < scene->series; k++) {
    question q = {.answer = &scene->serie[k], .what = "series"};
    STC_TRY(ask_one(scene, &q));
    values[k] = q.observed.number;
  }
  return STC_OK;
}

stc_error stc_view_observable(stc_scene *scene, int k, stc_arena *arena, stc_observed *observed) {
  question q = {.answer = &scene->observable[k], .what = "observables", .arena = arena};
  STC_TRY(ask_one(scene, &q));
  *observed = q.observed;
  return STC_OK;
}

// --- Curves ---

typedef struct curve_call {
  const stc_callback *function;
  const char *name;
  const double *x;
  int count;
  double *y;
} curve_call;

static int ask_curve(lua_State *L) {
  const curve_call *c = lua_touserdata(L, 1);
  for (int k = 0; k < c->count; k++) {
    stc_callback_push(L, c->function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, stc_scene_of(L)->view);
    lua_pushnumber(L, c->x[k]);
    lua_call(L, 2, 1);
    if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TNUMBER)
      stc_refuse(L, -1, "plot", c->name, "a number for each x, or nil");
    c->y[k] = lua_isnil(L, -1) ? NAN : lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return 0;
}

stc_error stc_view_curve(stc_scene *scene, const stc_callback *function, const char *name,
                         const double *x, int count, double *y) {
  curve_call c = {function, name, x, count, y};
  return stc_sandbox_call(&scene->box, ask_curve, &c, function->line);
}
