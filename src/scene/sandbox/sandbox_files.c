// Files of a scene: meshes, hulls and terrains, next to it or below it and nowhere else.
#include "../../base/load.h"
#include "sandbox.h"

#include <lauxlib.h>
#include <string.h>

// What is made of a file takes about as many bytes again.
enum { COPIES = 2 };

static bool ends_with(const char *text, const char *ending) {
  size_t n = strlen(text), m = strlen(ending);
  return n > m && !strcmp(text + n - m, ending);
}

static bool is_allowed(const char *file, const char *const *endings) {
  bool up = !strncmp(file, "../", 3) || strstr(file, "/../");
  bool known = false;
  for (; *endings; endings++) known = known || ends_with(file, *endings);
  return known && file[0] != '/' && !up;
}

const char *stc_push_names(lua_State *L, const char *const *names, const char *between) {
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (int k = 0; names[k]; k++) {
    if (k) luaL_addstring(&text, between);
    luaL_addstring(&text, names[k]);
  }
  luaL_pushresult(&text);
  return lua_tostring(L, -1);
}

char *stc_sandbox_load(lua_State *L, const char *what, const char *file, const char *const *endings,
                       size_t *length) {
  const char *scene = stc_sandbox_of(L)->path, *slash = strrchr(scene, '/');
  size_t most = stc_sandbox_room(L) / (1 + COPIES);
  char *bytes = NULL;
  if (!is_allowed(file, endings))
    luaL_error(L, "%s: '%s' is not allowed; name a %s file next to the scene or below", what, file,
               stc_push_names(L, endings, " or "));
  lua_pushlstring(L, scene, slash ? (size_t)(slash - scene) + 1 : 0);
  const char *directory = lua_tostring(L, -1);
  stc_error error = stc_load_below(directory, file, "a file", most, &bytes, length);
  if (error == STC_ERR_FORMAT)
    luaL_error(L, "%s: %s%s is too large for the memory the scene may use", what, directory, file);
  if (error) luaL_error(L, "%s: %s%s", what, directory, stc_error_detail());
  stc_sandbox *box = stc_sandbox_of(L);
  box->outside += COPIES * *length;  // there is room: the file was not longer than that
  lua_pushfstring(L, "%s%s", directory, file);
  lua_remove(L, -2);
  return bytes;
}
