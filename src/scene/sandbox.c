// The sandbox: an allocator that counts, a hook that counts, and the harmless part of the library.
#include "sandbox.h"

#include "../base/number.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

// Instructions between two looks at the count: rare enough to cost little, often enough that a loop
// is stopped within a millisecond.
enum { HOOK_PERIOD = 1000 };

enum { MOST_GLOBALS = 200 };  // looked through for a name that is near

static const double MEGABYTE = 1 << 20;

stc_sandbox *stc_sandbox_of(lua_State *L) { return *(stc_sandbox **)lua_getextraspace(L); }

// --- Limits ---

static void *allocate(void *user, void *block, size_t old, size_t wanted) {
  stc_sandbox *box = user;
  if (!block) old = 0;  // Lua tells the kind of object there
  if (wanted == 0) {
    free(block);
    box->used -= old;
    return NULL;
  }
  if (wanted > old && wanted - old > box->most - box->used) return NULL;
  void *grown = realloc(block, wanted);
  if (!grown) box->dry = true;
  if (grown) box->used = box->used - old + wanted;
  return grown;
}

static void on_hook(lua_State *L, lua_Debug *at) {
  stc_sandbox *box = stc_sandbox_of(L);
  lua_getinfo(L, "Sl", at);
  if (at->currentline > 0) box->line = at->currentline;
  if (at->event != LUA_HOOKCOUNT) return;
  box->left -= HOOK_PERIOD;
  if (box->left >= 0) return;
  lua_pushfstring(L, "%s:%d: more than %d million instructions; is there a loop without an end?",
                  at->short_src, box->line, (int)((double)box->instructions / 1e6));
  lua_error(L);
}

// --- The library ---

static int key_is_less(lua_State *L) {
  int left = lua_type(L, 1), right = lua_type(L, 2);
  lua_pushboolean(L, left == right ? lua_compare(L, 1, 2, LUA_OPLT) : left == LUA_TNUMBER);
  return 1;
}

// The keys of the table at index 1 as a list, on top of the stack.
static void list_keys(lua_State *L) {
  lua_Integer count = 0;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1) != 0;) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TNUMBER && lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "pairs goes through keys that are numbers or strings, not a %s",
                 luaL_typename(L, -1));
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, ++count);
  }
}

static void sort_list(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, -2);
  lua_pushcfunction(L, key_is_less);
  lua_call(L, 2, 0);
}

// Upvalues: the table, its keys, how many were visited. Keys that were removed meanwhile are passed
// over.
static int next_pair(lua_State *L) {
  lua_Integer k = lua_tointeger(L, lua_upvalueindex(3));
  int type = LUA_TNIL;
  while (type == LUA_TNIL) {
    if (lua_rawgeti(L, lua_upvalueindex(2), ++k) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    type = lua_rawget(L, lua_upvalueindex(1));
    if (type == LUA_TNIL) lua_pop(L, 2);
  }
  lua_pushinteger(L, k);
  lua_replace(L, lua_upvalueindex(3));
  return 2;
}

// pairs(t): numbers first, then texts, each in rising order. Lua's own order of texts changes from
// process to process, and with it the rounding of a sum.
static int sorted_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  list_keys(L);
  sort_list(L);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

// The names of the globals, for "did you mean".
typedef struct global_names {
  const char *name[MOST_GLOBALS + 1];
} global_names;

static const char *global_name(const void *user, int k) {
  return ((const global_names *)user)->name[k];
}

// A global that nobody defined: index 1 are the globals, index 2 its name.
static int refuse_global(lua_State *L) {
  global_names names = {{NULL}};
  const char *word = lua_tostring(L, 2), *nearest = NULL;
  int count = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0;) {
    lua_pop(L, 1);
    if (count < MOST_GLOBALS && lua_type(L, -1) == LUA_TSTRING)
      names.name[count++] = lua_tostring(L, -1);
  }
  if (word) nearest = stc_nearest_name(word, global_name, &names);
  if (!nearest) return luaL_error(L, "a scene has no '%s'", word ? word : "such global");
  return luaL_error(L, "a scene has no '%s'; did you mean '%s'?", word, nearest);
}

int stc_sandbox_seal(lua_State *L) {
  lua_pushglobaltable(L);
  lua_newtable(L);
  lua_pushcfunction(L, refuse_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  return 0;
}

// What stays of the libraries. Left out is what reads or runs (dofile, load, require), what catches
// the limits (pcall, coroutine), what changes from process to process (random, next), and what can
// work for hours inside one call (patterns, rep, move).
static const char *const global_functions[] = {"assert",   "error",    "ipairs", "select",
                                               "tonumber", "tostring", "type",   NULL};
static const char *const math_functions[] = {
    "abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
    "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
    "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult",        NULL};
static const char *const string_functions[] = {"byte",    "char", "format", "len", "lower",
                                               "reverse", "sub",  "upper",  NULL};
static const char *const table_functions[] = {"concat", "insert", "pack", "remove",
                                              "sort",   "unpack", NULL};

// Fields of the table at index -1 that are not on the list go away.
static bool is_listed(const char *name, const char *const *names) {
  for (; *names; names++)
    if (!strcmp(name, *names)) return true;
  return false;
}

static void keep_only(lua_State *L, const char *const *names) {
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING && is_listed(lua_tostring(L, -1), names)) continue;
    lua_pushvalue(L, -1);  // lua_next goes on from a key whose value was removed
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
}

static void open_library(lua_State *L, const char *name, lua_CFunction open,
                         const char *const *names) {
  luaL_requiref(L, name, open, 1);
  keep_only(L, names);
  lua_pop(L, 1);
}

static int open_libraries(lua_State *L) {
  open_library(L, LUA_GNAME, luaopen_base, global_functions);
  open_library(L, LUA_MATHLIBNAME, luaopen_math, math_functions);
  open_library(L, LUA_STRLIBNAME, luaopen_string, string_functions);
  open_library(L, LUA_TABLIBNAME, luaopen_table, table_functions);
  lua_getglobal(L, LUA_TABLIBNAME);
  lua_getfield(L, -1, "sort");
  lua_pushcclosure(L, sorted_pairs, 1);
  lua_setglobal(L, "pairs");
  return 0;
}

stc_error stc_sandbox_open(stc_sandbox *box) {
  box->used = 0;
  box->L = lua_newstate(allocate, box);
  if (!box->L) return stc_fail(STC_ERR_MEMORY, "%s: out of memory for Lua", box->path);
  *(stc_sandbox **)lua_getextraspace(box->L) = box;
  box->instructions = HOOK_PERIOD;
  return stc_sandbox_call(box, open_libraries, NULL, 1);
}

void stc_sandbox_close(stc_sandbox *box) {
  if (box->L) lua_close(box->L);
  box->L = NULL;
}

// --- Sentences ---

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// "scene.lua:12: " of the innermost line of the scene; of the last one seen if there is none.
static void push_place(lua_State *L) {
  const stc_sandbox *box = stc_sandbox_of(L);
  lua_Debug at;
  for (int level = 0; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline <= 0) continue;
    lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
    return;
  }
  lua_pushfstring(L, "%s:%d: ", base_name(box->path), box->line);
}

static bool has_place(lua_State *L, const char *message) {
  const char *name = base_name(stc_sandbox_of(L)->path);
  size_t length = strlen(name);
  bool cut = !strncmp(message, "...", 3);  // Lua shortens long names at their beginning
  return cut || (!strncmp(message, name, length) && message[length] == ':');
}

// Every message becomes a text with a place.
static int on_error(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING) {
    push_place(L);
    lua_pushfstring(L, "error was called with a %s; give it a sentence", luaL_typename(L, 1));
    lua_concat(L, 2);
  } else if (!has_place(L, lua_tostring(L, 1))) {
    push_place(L);
    lua_pushvalue(L, 1);
    lua_concat(L, 2);
  }
  return 1;
}

// Moves the message on top of the stack into the error of this thread, with the directory that Lua
// does not know.
static stc_error report(stc_sandbox *box, int status) {
  const char *name = base_name(box->path), *message = lua_tostring(box->L, -1);
  int directory = (int)(name - box->path);
  stc_error error = STC_ERR_FORMAT;
  if (status == LUA_ERRMEM && box->dry)
    error = stc_fail(STC_ERR_MEMORY, "%s:%d: out of memory for the scene, which has %.3g MB",
                     box->path, box->line, (double)box->used / MEGABYTE);
  else if (status == LUA_ERRMEM)
    stc_fail(error, "%s:%d: the scene needs more than the %g MB it may use", box->path, box->line,
             (double)box->most / MEGABYTE);
  else if (status == LUA_ERRERR || !message)
    stc_fail(error, "%s:%d: %s", box->path, box->line,
             message ? message : "an error that cannot be told");
  else
    stc_fail(error, "%.*s%s", directory, box->path, message);
  lua_settop(box->L, 0);
  return error;
}

// --- Calls ---

static void start_counting(stc_sandbox *box, long instructions, int mask) {
  box->left = box->instructions = instructions;
  lua_sethook(box->L, on_hook, mask, HOOK_PERIOD);
}

stc_error stc_sandbox_call(stc_sandbox *box, lua_CFunction body, void *argument, int line) {
  lua_State *L = box->L;
  box->line = line;
  box->left = box->instructions;
  lua_settop(L, 0);
  lua_pushcfunction(L, on_error);
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, argument);
  stc_c_locale locale = stc_c_locale_enter();  // Lua prints, reads and compares by the locale
  int status = lua_pcall(L, 1, 0, 1);
  stc_c_locale_leave(&locale);
  if (status != LUA_OK) return report(box, status);
  lua_settop(L, 0);
  return STC_OK;
}

typedef struct chunk {
  const char *text;
  size_t length;
} chunk;

// Compiles and runs; "@name" makes Lua say name:line.
static int run_chunk(lua_State *L) {
  const chunk *c = lua_touserdata(L, 1);
  lua_pushfstring(L, "@%s", base_name(stc_sandbox_of(L)->path));
  if (luaL_loadbufferx(L, c->text, c->length, lua_tostring(L, -1), "t") != LUA_OK) lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

// While the text runs every line is noted, so that a full memory can be blamed on one.
stc_error stc_sandbox_run(stc_sandbox *box, const char *text, size_t length, long instructions) {
  long usual = box->instructions;
  if (length > 0 && text[0] == LUA_SIGNATURE[0])
    return stc_fail(STC_ERR_FORMAT, "%s:1: this is compiled Lua; a scene is Lua text", box->path);
  start_counting(box, instructions, LUA_MASKCOUNT | LUA_MASKLINE);
  stc_error error = stc_sandbox_call(box, run_chunk, &(chunk){text, length}, 1);
  start_counting(box, usual, LUA_MASKCOUNT);
  return error;
}

int stc_sandbox_line(lua_State *L, int index) {
  lua_Debug at;
  lua_pushvalue(L, index);
  if (!lua_isfunction(L, -1)) {
    lua_pop(L, 1);
    return 0;
  }
  lua_getinfo(L, ">S", &at);
  return at.linedefined > 0 ? at.linedefined : 0;
}
