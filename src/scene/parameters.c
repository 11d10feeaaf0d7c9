// parameters { mu = 0.3, ... }: values of a scene that can be set from outside. A value keeps the
// type of its default.
#include "parameters.h"
#include "../base/number.h"
#include "keys.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

enum { NUMBER_ROOM = 32 };  // characters of any double with 17 digits

// The length of the name in "name=value"; 0 if it is not of this form.
static size_t name_length(const char *set) {
  const char *equals = strchr(set, '=');
  return equals ? (size_t)(equals - set) : 0;
}

static bool sets(const char *set, const char *name) {
  return name_length(set) == strlen(name) && !strncmp(set, name, strlen(name));
}

static void check_set(lua_State *L, const char *set, const char **names) {
  for (int k = 0; names[k]; k++)
    if (sets(set, names[k])) return;
  size_t length = name_length(set);
  if (length == 0) luaL_error(L, "'%s' sets nothing; write name=value", set);
  lua_pushlstring(L, set, length);
  const char *word = lua_tostring(L, -1);
  stc_hint hint = stc_hint_for(word, stc_listed_name, names);
  luaL_error(L, "there is no parameter '%s'%s%s: %s", word, hint.text,
             hint.text[0] ? " There are" : "; there are",
             stc_push_names(L, (const char *const *)names, ", "));
}

// --- Values ---

// Pushes the value that was set, read as the type of the default on top of the stack.
static void push_set(lua_State *L, const char *name, const char *text) {
  int type = lua_type(L, -1);
  if (type == LUA_TNUMBER) {
    char *end;
    double x = stc_strtod(text, &end);
    if (end == text || *end || !isfinite(x))
      luaL_error(L, "parameter %s is a number, and '%s' is not", name, text);
    if (lua_isinteger(L, -1) && floor(x) == x && fabs(x) < 1e15)
      lua_pushinteger(L, (lua_Integer)x);
    else
      lua_pushnumber(L, x);
  }
  if (type == LUA_TBOOLEAN) {
    bool yes = !strcmp(text, "true") || !strcmp(text, "1");
    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
      luaL_error(L, "parameter %s is true or false, not '%s'", name, text);
    lua_pushboolean(L, yes);
  }
  if (type == LUA_TSTRING) lua_pushstring(L, text);
}

// The value on top of the stack as text.
static const char *text_of(lua_State *L) {
  char text[NUMBER_ROOM];
  if (lua_type(L, -1) == LUA_TSTRING) return stc_scene_copy(L, lua_tostring(L, -1));
  if (lua_isboolean(L, -1)) return lua_toboolean(L, -1) ? "true" : "false";
  stc_snprintf(text, sizeof text, "%.17g", lua_tonumber(L, -1));
  return stc_scene_copy(L, text);
}

static void settle_parameter(lua_State *L, const char *name, stc_parameter *parameter) {
  const stc_scene_options *options = stc_scene_of(L)->options;
  lua_pushstring(L, name);
  lua_rawget(L, 1);
  int type = lua_type(L, -1);
  if (type == LUA_TNUMBER) stc_take_number(L, -1, "parameters", name);
  if (type != LUA_TNUMBER && type != LUA_TBOOLEAN && type != LUA_TSTRING)
    stc_refuse(L, -1, "parameters", name, "a number, a text, true or false");
  for (int k = 0; k < options->sets; k++) {
    if (!sets(options->set[k], name)) continue;
    push_set(L, name, options->set[k] + strlen(name) + 1);
    lua_replace(L, -2);
  }
  *parameter = (stc_parameter){name, luaL_typename(L, -1), text_of(L)};
  lua_pushstring(L, name);
  lua_insert(L, -2);
  lua_rawset(L, 1);
}

int stc_scene_parameters(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  const char **names = NULL;
  if (scene->has_parameters) luaL_error(L, "parameters is called a second time; call it once");
  scene->has_parameters = true;
  names = stc_names_take(L, "parameters", &scene->parameters);
  scene->parameter = STC_TAKE(&scene->arena, stc_parameter, scene->parameters + 1);
  if (!scene->parameter) luaL_error(L, "out of memory for %d parameters", scene->parameters);
  for (int k = 0; k < scene->options->sets; k++) check_set(L, scene->options->set[k], names);
  for (int k = 0; k < scene->parameters; k++) settle_parameter(L, names[k], &scene->parameter[k]);
  lua_settop(L, 1);
  return 1;
}

// --- limits(p, { mu = { 0, 1e3 }, ... }) ---

static void check_limit(lua_State *L, const char *name) {
  double range[2];
  lua_getfield(L, 1, name);
  // { least, greatest } of the range at the top of the stack; without the second there is no end.
  if (!lua_istable(L, -1)) stc_refuse(L, -1, "limits", name, "a list { least, greatest }");
  for (int k = 0; k < 2; k++) {
    int type = lua_rawgeti(L, -1, k + 1);
    range[k] = type == LUA_TNIL && k == 1 ? INFINITY : stc_take_number(L, -1, "limits", name);
    lua_pop(L, 1);
  }
  if (lua_getfield(L, 2, name) != LUA_TNUMBER)
    luaL_error(L, "limits: there is no parameter '%s' that is a number", name);
  double value = lua_tonumber(L, -1);
  lua_pop(L, 2);
  if (value >= range[0] && value <= range[1]) return;
  char text[3][NUMBER_ROOM];
  stc_snprintf(text[0], sizeof text[0], "%.9g", value);
  stc_snprintf(text[1], sizeof text[1], "%.9g", range[0]);
  stc_snprintf(text[2], sizeof text[2], "to %.9g", range[1]);
  luaL_error(L, "parameter %s = %s; give a number from %s %s", name, text[0], text[1],
             isfinite(range[1]) ? text[2] : "on");
}

int stc_scene_limits(lua_State *L) {
  int count = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  lua_insert(L, 1);  // the limits first: their names, in order
  const char **names = stc_names_take(L, "limits", &count);
  for (int k = 0; k < count; k++) check_limit(L, names[k]);
  return 0;
}

stc_error stc_scene_check_sets(const stc_scene *scene) {
  if (scene->has_parameters || scene->options->sets == 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s:1: the scene has no parameters; '%s' sets none", scene->path,
                  scene->options->set[0]);
}
