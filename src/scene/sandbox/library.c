// The harmless part of Lua's libraries. What can work for long inside one call counts that work
// first: shifting a list, unpacking it, reading a long text. What allocates is counted where it
// allocates. Sorting is a merge sort: Lua's own takes its pivots from the clock, so that the order
// of entries that compare equal would change from run to run.
#include "sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <string.h>

enum { BYTES_OF_WORK = 64 };  // of a text that are compared in the time of an instruction

// --- Sorting ---

static double work_of_text(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TSTRING ? (double)lua_rawlen(L, index) / BYTES_OF_WORK : 0;
}

// Compares by the function at `order`, or by < where that is 0.
static bool is_less(lua_State *L, int order, int a, int b) {
  stc_sandbox_charge(L, 1 + work_of_text(L, a));
  if (!order) return lua_compare(L, a, b, LUA_OPLT);
  lua_pushvalue(L, order);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  lua_call(L, 2, 1);
  bool less = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return less;
}

// Merges entries first .. middle - 1 and middle .. end - 1 of the table at `from` into that at
// `to`.
static void merge(lua_State *L, int order, int from, int to, lua_Integer first, lua_Integer middle,
                  lua_Integer end) {
  lua_Integer a = first, b = middle;
  for (lua_Integer k = first; k < end; k++) {
    bool second = a >= middle;
    if (a < middle && b < end) {  // of equal entries that of the first half is taken first
      lua_rawgeti(L, from, b);
      lua_rawgeti(L, from, a);
      second = is_less(L, order, lua_gettop(L) - 1, lua_gettop(L));
      lua_pop(L, 2);
    }
    lua_rawgeti(L, from, second ? b++ : a++);
    lua_rawseti(L, to, k);
  }
}

// Sorts entries 1 .. count of the table at `list`, by the function at `order` or by <.
static void merge_sort(lua_State *L, int list, lua_Integer count, int order) {
  luaL_checkstack(L, 10, "no room to sort");
  lua_createtable(L, count < 1000000 ? (int)count : 1000000, 0);
  int spare = lua_gettop(L), from = list, to = spare;
  for (lua_Integer width = 1; width < count; width *= 2) {
    stc_sandbox_charge(L, (double)count);
    for (lua_Integer first = 1; first <= count; first += 2 * width) {
      lua_Integer middle = first + width, end = first + 2 * width, last = count + 1;
      merge(L, order, from, to, first, middle < last ? middle : last, end < last ? end : last);
    }
    int swap = from;
    from = to;
    to = swap;
  }
  for (lua_Integer k = 1; from != list && k <= count; k++) {
    lua_rawgeti(L, from, k);
    lua_rawseti(L, list, k);
  }
  lua_settop(L, spare - 1);
}

// table.sort(list [, order]): stable.
static int sort_table(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  merge_sort(L, 1, (lua_Integer)lua_rawlen(L, 1), lua_isnil(L, 2) ? 0 : 2);
  return 0;
}

// --- pairs ---

static int key_is_less(lua_State *L) {
  int left = lua_type(L, 1), right = lua_type(L, 2);
  lua_pushboolean(L, left == right ? lua_compare(L, 1, 2, LUA_OPLT) : left == LUA_TNUMBER);
  return 1;
}

// Upvalues: the table, its keys, how many were visited. Keys that were removed meanwhile are passed
// over.
static int next_pair(lua_State *L) {
  lua_Integer k = lua_tointeger(L, lua_upvalueindex(3));
  int type = LUA_TNIL;
  while (type == LUA_TNIL) {
    stc_sandbox_charge(L, 1);
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
  // The keys of the table at index 1 as a list, on top of the stack.
  lua_Integer count = 0;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1) != 0;) {
    lua_pop(L, 1);
    stc_sandbox_charge(L, 1);
    if (lua_type(L, -1) != LUA_TNUMBER && lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "pairs goes through keys that are numbers or strings, not a %s",
                 luaL_typename(L, -1));
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, ++count);
  }
  lua_pushcfunction(L, key_is_less);
  merge_sort(L, 2, count, 3);
  lua_settop(L, 2);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

// --- Work that is counted before it is done ---

// table.insert(list, at, x) and table.remove(list, at) shift what lies behind.
static double work_of_shift(lua_State *L) {
  if (!lua_istable(L, 1) || !lua_isnumber(L, 2)) return 1;
  double length = (double)lua_rawlen(L, 1);
  return 1 + fmin(length, fmax(0, length - lua_tonumber(L, 2) + 1));
}

// table.concat(list, between, first, last) and table.unpack(list, first, last): `first` stands
// there.
static double work_of_range(lua_State *L, int first) {
  double length = lua_istable(L, 1) ? (double)lua_rawlen(L, 1) : 0;
  double from = lua_isnumber(L, first) ? lua_tonumber(L, first) : 1;
  double to = lua_isnumber(L, first + 1) ? lua_tonumber(L, first + 1) : length;
  return 1 + fmin(fmax(0, to - from + 1), fmax(length, LUAI_MAXSTACK));
}

static double work_of_concat(lua_State *L) { return work_of_range(L, 3); }
static double work_of_unpack(lua_State *L) { return work_of_range(L, 2); }

// As many values as there are arguments, and the texts among them.
static double work_of_arguments(lua_State *L) {
  double work = lua_gettop(L);
  for (int k = lua_gettop(L); k > 0; k--) work += work_of_text(L, k);
  return work;
}

typedef struct counted {
  const char *library, *name;  // library NULL: a global
  double (*work)(lua_State *L);
} counted;

static const counted counted_functions[] = {{NULL, "assert", work_of_arguments},
                                            {NULL, "select", work_of_arguments},
                                            {NULL, "tonumber", work_of_arguments},
                                            {NULL, "tostring", work_of_arguments},
                                            {LUA_MATHLIBNAME, "max", work_of_arguments},
                                            {LUA_MATHLIBNAME, "min", work_of_arguments},
                                            {LUA_STRLIBNAME, "byte", work_of_arguments},
                                            {LUA_STRLIBNAME, "char", work_of_arguments},
                                            {LUA_STRLIBNAME, "format", work_of_arguments},
                                            {LUA_STRLIBNAME, "lower", work_of_arguments},
                                            {LUA_STRLIBNAME, "reverse", work_of_arguments},
                                            {LUA_STRLIBNAME, "sub", work_of_arguments},
                                            {LUA_STRLIBNAME, "upper", work_of_arguments},
                                            {LUA_TABLIBNAME, "concat", work_of_concat},
                                            {LUA_TABLIBNAME, "insert", work_of_shift},
                                            {LUA_TABLIBNAME, "pack", work_of_arguments},
                                            {LUA_TABLIBNAME, "remove", work_of_shift},
                                            {LUA_TABLIBNAME, "unpack", work_of_unpack}};

static int call_counted(lua_State *L) {
  const counted *c = lua_touserdata(L, lua_upvalueindex(2));
  stc_sandbox_charge(L, c->work(L));
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// --- The libraries ---

// What stays of the libraries. Left out is what reads or runs (dofile, load, require), what catches
// the limits (pcall, coroutine), what changes from process to process (random, next), and what
// scenes do not need and would have to be counted (patterns, rep, move).
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

static void open_library(lua_State *L, const char *name, lua_CFunction open,
                         const char *const *names) {
  luaL_requiref(L, name, open, 1);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING && is_listed(lua_tostring(L, -1), names)) continue;
    lua_pushvalue(L, -1);  // lua_next continues from a key whose value was removed
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
}

int stc_sandbox_open_libraries(lua_State *L) {
  open_library(L, LUA_GNAME, luaopen_base, global_functions);
  open_library(L, LUA_MATHLIBNAME, luaopen_math, math_functions);
  open_library(L, LUA_STRLIBNAME, luaopen_string, string_functions);
  open_library(L, LUA_TABLIBNAME, luaopen_table, table_functions);
  for (size_t k = 0; k < sizeof counted_functions / sizeof *counted_functions; k++) {
    if (counted_functions[k].library)
      lua_getglobal(L, counted_functions[k].library);
    else
      lua_pushglobaltable(L);
    lua_getfield(L, -1, counted_functions[k].name);
    lua_pushlightuserdata(L, (void *)&counted_functions[k]);
    lua_pushcclosure(L, call_counted, 2);
    lua_setfield(L, -2, counted_functions[k].name);
    lua_pop(L, 1);
  }
  lua_getglobal(L, LUA_TABLIBNAME);
  lua_pushcfunction(L, sort_table);
  lua_setfield(L, -2, "sort");
  lua_pop(L, 1);
  lua_pushcfunction(L, sorted_pairs);
  lua_setglobal(L, "pairs");
  return 0;
}
