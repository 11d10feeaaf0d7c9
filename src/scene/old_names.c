// One table of earlier names, one way to remark on them.
#include "old_names.h"
#include "scene_data.h"

#include <lauxlib.h>
#include <string.h>

static const struct {
  bool function;  // of a scene; else a key, or an entry of what a scene sees
  const char *old, *now;
} old_names[STC_OLD_NAMES] = {
    {true, "rub", "surface_pair"}, {true, "march", "elastodynamic"}, {false, "turn", "rotation"}};

static void remark_on(lua_State *L, int k) {
  stc_scene *scene = stc_scene_of(L);
  for (int i = 0; i < scene->remarks; i++)
    if (scene->remarked[i] == k) return;
  lua_pushfstring(L, "%s:%d: `%s` is now `%s`; the old name works in this version only",
                  scene->path, stc_scene_line(L), old_names[k].old, old_names[k].now);
  scene->remarked[scene->remarks] = k;
  scene->remark[scene->remarks] = stc_scene_copy(L, lua_tostring(L, -1));
  scene->remarks++;
  lua_pop(L, 1);
}

static int find_old(const char *name, bool function) {
  for (int k = 0; name && k < STC_OLD_NAMES; k++)
    if (old_names[k].function == function && !strcmp(name, old_names[k].old)) return k;
  return -1;
}

bool stc_old_global(lua_State *L, const char *name) {
  int k = find_old(name, true);
  if (k < 0) return false;
  remark_on(L, k);
  lua_getglobal(L, old_names[k].now);
  return true;
}

static bool has_name(const char *const *names, const char *name) {
  while (*names && strcmp(*names, name) != 0) names++;
  return *names;
}

void stc_old_keys(lua_State *L, int index, const char *const *names) {
  index = lua_absindex(L, index);
  for (int k = 0; k < STC_OLD_NAMES; k++) {
    const char *old = old_names[k].old, *now = old_names[k].now;
    if (old_names[k].function || has_name(names, old) || !has_name(names, now)) continue;
    lua_pushstring(L, now);
    lua_pushstring(L, old);
    if (lua_rawget(L, index) == LUA_TNIL) {
      lua_pop(L, 2);
      continue;
    }
    lua_pushvalue(L, -2);
    if (lua_rawget(L, index) != LUA_TNIL)
      luaL_error(L, "`%s` is the old name of `%s`; give one of them", old, now);
    lua_pop(L, 1);
    lua_rawset(L, index);
    lua_pushstring(L, old);
    lua_pushnil(L);
    lua_rawset(L, index);
    remark_on(L, k);
  }
}

// __index of a table that a scene sees.
static int look_up_old(lua_State *L) {
  int k = lua_type(L, 2) == LUA_TSTRING ? find_old(lua_tostring(L, 2), false) : -1;
  if (k < 0) return 0;
  lua_pushstring(L, old_names[k].now);
  if (lua_rawget(L, 1) == LUA_TNIL) return 0;
  remark_on(L, k);
  return 1;
}

void stc_old_entries(lua_State *L) {
  if (luaL_newmetatable(L, "old names")) {
    lua_pushcfunction(L, look_up_old);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
}

const char *stc_scene_remark(const stc_scene *scene, int k) {
  return k >= 0 && k < scene->remarks ? scene->remark[k] : NULL;
}
