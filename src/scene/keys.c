// Keys of a table, checked and sorted.
#include "keys.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

bool stc_name_is_plain(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char others[] = "0123456789.";
  if (!*name || !strchr(letters, *name)) return false;
  for (; *name; name++)
    if (!strchr(letters, *name) && !strchr(others, *name)) return false;
  return true;
}

static int count_keys(lua_State *L, const char *what) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; count++) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "%s takes named entries only: %s { name = ... }", what, what);
    const char *name = lua_tostring(L, -1);
    size_t length = lua_rawlen(L, -1);
    if (length >= STC_SCENE_NAME || strlen(name) != length || !stc_name_is_plain(name))
      luaL_error(L, "%s: '%s' is no name; use letters, digits and _, at most %d", what, name,
                 STC_SCENE_NAME - 1);
    if (count >= STC_SCENE_NAMES)
      luaL_error(L, "%s has more than %d entries", what, STC_SCENE_NAMES);
  }
  return count;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **stc_names_take(lua_State *L, const char *what, int *count) {
  if (!lua_istable(L, 1)) luaL_error(L, "%s needs a table: %s { name = ... }", what, what);
  *count = count_keys(L, what);
  const char **names = STC_TAKE(&stc_scene_of(L)->arena, const char *, *count + 1);
  if (!names) luaL_error(L, "out of memory for %d names", *count);
  int k = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; k++) {
    lua_pop(L, 1);
    names[k] = stc_scene_copy(L, lua_tostring(L, -1));
  }
  qsort(names, (size_t)*count, sizeof *names, compare_names);
  return names;
}
