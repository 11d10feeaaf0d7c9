// Numbers, vectors and fields out of Lua tables.
#include "values.h"
#include "../base/number.h"
#include "keys.h"
#include "old_names.h"
#include "sandbox/sandbox.h"
#include "scene_data.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <stiction/base.h>
#include <string.h>

// One table of earlier names, one way to remark on them.

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

// Moves entries of the table at `index` to the names they have now, where `names` has those.
static void take_old_keys(lua_State *L, int index, const char *const *names) {
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

/// The table on top of the stack gets a metatable of that name, which scenes do not see: `handler`
/// answers the event.
static void set_metatable(lua_State *L, const char *name, const char *event,
                          lua_CFunction handler) {
  if (luaL_newmetatable(L, name)) {
    lua_pushcfunction(L, handler);
    lua_setfield(L, -2, event);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
}

void stc_old_entries(lua_State *L) { set_metatable(L, "old names", "__index", look_up_old); }

const char *stc_scene_remark(const stc_scene *scene, int k) {
  return k >= 0 && k < scene->remarks ? scene->remark[k] : NULL;
}

// Keys of a table, checked and sorted.

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

// --- Fields ---

const char *stc_listed_name(const void *user, int k) { return ((const char *const *)user)[k]; }

stc_hint stc_hint_for(const char *word, stc_name_fn name, const void *user) {
  stc_hint hint = {""};
  const char *nearest = stc_nearest_name(word, name, user);
  if (nearest) stc_snprintf(hint.text, sizeof hint.text, "; did you mean '%.64s'?", nearest);
  return hint;
}

static bool is_listed(lua_State *L, int index, const char *const *names) {
  if (lua_type(L, index) != LUA_TSTRING) return false;
  for (; *names; names++) {
    lua_pushstring(L, *names);
    bool same = lua_rawequal(L, -1, index);
    lua_pop(L, 1);
    if (same) return true;
  }
  return false;
}

// Raises "what: there is no KIND 'word'; did you mean ...?", or which there are.
static int refuse_word(lua_State *L, const char *what, const char *kind, const char *word,
                       const char *const *names) {
  stc_hint hint = stc_hint_for(word, stc_listed_name, names);
  return luaL_error(L, "%s: there is no %s '%s'%s%s", what, kind, word,
                    hint.text[0] ? hint.text : "; there are: ",
                    hint.text[0] ? "" : stc_push_names(L, names, ", "));
}

void stc_say_once(lua_State *L, bool *said, const char *word) {
  if (*said) luaL_error(L, "%s is described a second time; describe it once", word);
  *said = true;
}

stc_fields stc_fields_open(lua_State *L, int index, const char *what, const char *const *names) {
  if (!lua_istable(L, index)) luaL_error(L, "%s needs a table: %s { ... }", what, what);
  index = lua_absindex(L, index);
  take_old_keys(L, index, names);
  for (lua_pushnil(L); lua_next(L, index) != 0;) {
    lua_pop(L, 1);
    if (is_listed(L, lua_absindex(L, -1), names)) continue;
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "%s takes named entries only: %s", what, stc_push_names(L, names, ", "));
    const char *key = lua_tostring(L, -1);
    stc_hint hint = stc_hint_for(key, stc_listed_name, names);
    luaL_error(L, "%s has no entry '%s'%s%s", what, key, hint.text[0] ? hint.text : "; it has: ",
               hint.text[0] ? "" : stc_push_names(L, names, ", "));
  }
  return (stc_fields){L, index, what};
}

int stc_field(const stc_fields *fields, const char *name) {
  lua_pushstring(fields->L, name);
  return lua_rawget(fields->L, fields->table);
}

bool stc_field_is_there(const stc_fields *fields, const char *name) {
  bool there = stc_field(fields, name) != LUA_TNIL;
  lua_pop(fields->L, 1);
  return there;
}

double stc_field_number(const stc_fields *fields, const char *name, double least, double greatest) {
  lua_State *L = fields->L;
  if (stc_field(fields, name) == LUA_TNIL)
    return luaL_error(L, "%s needs an entry '%s'", fields->what, name);
  double x = stc_take_number(L, -1, fields->what, name);
  if (!(x >= least && x <= greatest)) {
    char sentence[200];  // Lua's own format has too few digits
    stc_snprintf(sentence, sizeof sentence, "%s = %.9g; give a number from %g to %g", name, x,
                 least, greatest);
    return luaL_error(L, "%s: %s", fields->what, sentence);
  }
  lua_pop(L, 1);
  return x;
}

double stc_field_number_or(const stc_fields *fields, const char *name, double fallback,
                           double least, double greatest) {
  if (!stc_field_is_there(fields, name)) return fallback;
  return stc_field_number(fields, name, least, greatest);
}

bool stc_field_flag(const stc_fields *fields, const char *name) {
  int type = stc_field(fields, name);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    stc_refuse(fields->L, -1, fields->what, name, "true or false");
  bool flag = lua_toboolean(fields->L, -1);
  lua_pop(fields->L, 1);
  return flag;
}

const char *stc_field_text(const stc_fields *fields, const char *name) {
  int type = stc_field(fields, name);
  if (type != LUA_TNIL && type != LUA_TSTRING)
    stc_refuse(fields->L, -1, fields->what, name, "a text in quotes");
  const char *text = type == LUA_TNIL ? NULL : lua_tostring(fields->L, -1);
  lua_pop(fields->L, 1);
  return text;
}

int stc_field_list(const stc_fields *f, const char *name, const char *wanted, int least,
                   int greatest) {
  if (stc_field(f, name) != LUA_TTABLE) stc_refuse(f->L, -1, f->what, name, wanted);
  lua_Unsigned length = lua_rawlen(f->L, -1);
  if (length < (lua_Unsigned)least || length > (lua_Unsigned)greatest)
    luaL_error(f->L, "%s: %s has %I entries; give %d to %d: %s", f->what, name, (LUAI_UACINT)length,
               least, greatest, wanted);
  return (int)length;
}

int stc_field_choice(const stc_fields *f, const char *name, const char *kind,
                     const char *const *names, int fallback) {
  const char *word = stc_field_text(f, name);
  if (!word && fallback < 0)
    luaL_error(f->L, "%s needs an entry '%s': %s", f->what, name,
               stc_push_names(f->L, names, ", "));
  for (int k = 0; word && names[k]; k++)
    if (!strcmp(word, names[k])) return k;
  return word ? refuse_word(f->L, f->what, kind, word, names) : fallback;
}

void stc_handle_open(lua_State *L, const char *type) {
  luaL_newmetatable(L, type);
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

int stc_handle_give(lua_State *L, const char *type, const void *content, size_t size) {
  memcpy(lua_newuserdatauv(L, size, 0), content, size);
  luaL_setmetatable(L, type);
  return 1;
}

// --- Functions ---

bool stc_callback_is_there(const stc_callback *callback) { return callback->ref != LUA_NOREF; }

void stc_callback_push(lua_State *L, const stc_callback *callback) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, callback->ref);
}

stc_callback stc_callback_take(lua_State *L) {
  int line = stc_sandbox_line(L, -1);
  return (stc_callback){luaL_ref(L, LUA_REGISTRYINDEX), line};
}

stc_callback stc_field_function(const stc_fields *fields, const char *name) {
  int type = stc_field(fields, name);
  if (type == LUA_TFUNCTION) return stc_callback_take(fields->L);
  if (type != LUA_TNIL) stc_refuse(fields->L, -1, fields->what, name, "a function");
  lua_pop(fields->L, 1);
  return (stc_callback){LUA_NOREF, 0};
}

// --- Values ---

int stc_refuse(lua_State *L, int index, const char *what, const char *name, const char *wanted) {
  const char *type = luaL_typename(L, index);
  return luaL_error(L, "%s: %s is %s%s; give %s", what, name, lua_isnil(L, index) ? "" : "a ", type,
                    wanted);
}

double stc_take_number(lua_State *L, int index, const char *what, const char *name) {
  if (lua_type(L, index) != LUA_TNUMBER) stc_refuse(L, index, what, name, "a number");
  double x = lua_tonumber(L, index);
  if (!isfinite(x))
    luaL_error(L, "%s: %s is %s; give a finite number", what, name,
               isnan(x) ? "not a number (nan)" : "infinite");
  return x;
}

void stc_take_vector(lua_State *L, int index, const char *what, const char *name, double *x,
                     int count) {
  char entry[120];
  if (!lua_istable(L, index)) stc_refuse(L, index, what, name, "a list of numbers");
  lua_Unsigned length = lua_rawlen(L, index);
  if (length != (lua_Unsigned)count)
    luaL_error(L, "%s: %s has %I entries; give one for each of the %d coordinates", what, name,
               (LUAI_UACINT)length, count);
  index = lua_absindex(L, index);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, index, k + 1);
    if (lua_type(L, -1) == LUA_TNUMBER && isfinite(x[k] = lua_tonumber(L, -1))) {
      lua_pop(L, 1);
      continue;
    }
    stc_snprintf(entry, sizeof entry, "entry %d of %s", k + 1, name);
    stc_take_number(L, -1, what, entry);
  }
}

void stc_take_matrix(lua_State *L, int index, const char *what, const char *name, double *A,
                     int count) {
  char row[120];
  if (!lua_istable(L, index)) stc_refuse(L, index, what, name, "a list of rows");
  if (lua_rawlen(L, index) != (lua_Unsigned)count)
    luaL_error(L, "%s: %s has %I rows; give %d", what, name, (LUAI_UACINT)lua_rawlen(L, index),
               count);
  index = lua_absindex(L, index);
  for (int k = 0; k < count; k++) {
    stc_snprintf(row, sizeof row, "row %d of %s", k + 1, name);
    lua_rawgeti(L, index, k + 1);
    stc_take_vector(L, -1, what, row, A + (size_t)k * (size_t)count, count);
    lua_pop(L, 1);
  }
}

// --- Tables that the program fills ---

// __newindex of a table that the program fills.
static int refuse_entry(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "a list entry";
  return luaL_error(L,
                    "%s: the program fills this table, and a restart would lose what is added; "
                    "keep numbers in memory { }",
                    key);
}

void stc_guard_table(lua_State *L) {
  set_metatable(L, "filled by the program", "__newindex", refuse_entry);
}

void stc_put_field(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  lua_insert(L, -2);
  lua_rawset(L, -3);
}

// The list may have been longer: of a strip in space before one in the plane.
void stc_give_vector(lua_State *L, int index, const double *x, int count) {
  index = lua_absindex(L, index);
  for (int k = (int)lua_rawlen(L, index); k > count; k--) {
    lua_pushnil(L);
    lua_rawseti(L, index, k);
  }
  for (int k = 0; k < count; k++) {
    lua_pushnumber(L, x[k]);
    lua_rawseti(L, index, k + 1);
  }
}
