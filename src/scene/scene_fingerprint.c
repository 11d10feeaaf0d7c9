// A hash for any variable that a function of the scene sees from outside (its upvalues; the
// globals are one of them), taken through tables and functions.
#include "scene_fingerprint.h"
#include "kind.h"

#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

enum {
  DEEPEST = 50,        // tables and functions inside each other; what is below is not looked at
  MOST_NODES = 200000  // values looked at for one variable
};

struct stc_fingerprint {
  int count, room;
  uint64_t *hash;
  bool checks;  // compare instead of noting
  int at;       // the next one to compare
};

typedef struct walk {
  int seen;  // index of the table of what was visited
  int nodes;
} walk;

// --- Hashing ---

static uint64_t mix_value(uint64_t hash, uint64_t value) {  // the finaliser of splitmix64
  uint64_t z = (hash ^ value) + UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static uint64_t hash_value(lua_State *L, walk *w, int depth);

// The order of the entries does not matter.
static uint64_t hash_table(lua_State *L, walk *w, int depth) {
  uint64_t sum = 3;
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    uint64_t value = hash_value(L, w, depth + 1);
    lua_pop(L, 1);
    sum += mix_value(hash_value(L, w, depth + 1), value);
  }
  return sum;
}

static uint64_t hash_function(lua_State *L, walk *w, int depth) {
  uint64_t hash = 4;
  if (lua_iscfunction(L, -1)) return hash;
  for (int k = 1; lua_getupvalue(L, -1, k); k++) {
    hash = mix_value(hash, hash_value(L, w, depth + 1));
    lua_pop(L, 1);
  }
  return hash;
}

// True the first time the table or function on top of the stack is met.
static bool is_new(lua_State *L, const walk *w) {
  lua_pushvalue(L, -1);
  bool known = lua_rawget(L, w->seen) != LUA_TNIL;
  lua_pop(L, 1);
  if (known) return false;
  lua_pushvalue(L, -1);
  lua_pushboolean(L, true);
  lua_rawset(L, w->seen);
  return true;
}

// The value on top of the stack, which stays there.
static uint64_t hash_value(lua_State *L, walk *w, int depth) {
  size_t length = 0;
  int type = lua_type(L, -1);
  if (type == LUA_TNUMBER) {
    double x = lua_tonumber(L, -1);
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return mix_value(1, bits);
  }
  if (type == LUA_TBOOLEAN) return lua_toboolean(L, -1) ? 5 : 6;
  if (type == LUA_TSTRING) {
    const char *text = lua_tolstring(L, -1, &length);
    uint64_t hash = 2;
    for (size_t k = 0; k < length; k++) hash = mix_value(hash, (unsigned char)text[k]);
    return hash;
  }
  bool deep = type == LUA_TTABLE || type == LUA_TFUNCTION;
  if (!deep || depth > DEEPEST || ++w->nodes > MOST_NODES) return (uint64_t)type + 100;
  luaL_checkstack(L, 8, NULL);
  if (!is_new(L, w)) return 7;
  return type == LUA_TTABLE ? hash_table(L, w, depth) : hash_function(L, w, depth);
}

// --- Every function of the scene ---

// Function k; NULL past the last.
static const stc_callback *function_at(const stc_scene *scene, int k) {
  if (k == 0) return &scene->after_step;
  k -= 1;
  if (k < scene->series) return &scene->serie[k].function;
  k -= scene->series;
  if (k < scene->observables) return &scene->observable[k].function;
  return scene->kind->function(scene, k - scene->observables);
}

static void note(lua_State *L, stc_fingerprint *f, uint64_t hash) {
  if (f->count == f->room) {
    int room = f->room ? 2 * f->room : 32;
    uint64_t *grown = stc_calloc((size_t)room, sizeof *grown);
    if (!grown) luaL_error(L, "out of memory");
    if (f->count) memcpy(grown, f->hash, (size_t)f->count * sizeof *grown);
    stc_release(&f->hash);
    f->hash = grown;
    f->room = room;
  }
  f->hash[f->count++] = hash;
}

static void compare_hash(lua_State *L, stc_fingerprint *f, uint64_t hash, const char *name) {
  if (f->at < f->count && f->hash[f->at++] == hash) return;
  bool global = !strcmp(name, "_ENV");
  luaL_error(
      L,
      "this function sees %s%s%s change while the scene runs, and a restart would lose that; "
      "keep numbers in memory { }",
      global ? "a global variable" : "the local '", global ? "" : name, global ? "" : "'");
}

// Every variable of the function on top of the stack.
static void visit_variables(lua_State *L, stc_fingerprint *f) {
  const char *name;
  for (int k = 1; (name = lua_getupvalue(L, -1, k)); k++) {
    lua_newtable(L);
    lua_insert(L, -2);
    walk w = {.seen = lua_gettop(L) - 1};
    uint64_t hash = hash_value(L, &w, 0);
    if (f->checks)
      compare_hash(L, f, hash, name);
    else
      note(L, f, hash);
    lua_pop(L, 2);
  }
}

static int visit_all(lua_State *L) {
  stc_fingerprint *f = lua_touserdata(L, 1);
  const stc_scene *scene = stc_scene_of(L);
  const stc_callback *function;
  for (int k = 0; (function = function_at(scene, k)); k++) {
    if (!stc_callback_is_there(function)) continue;
    stc_sandbox_of(L)->line = function->line;
    stc_callback_push(L, function);
    visit_variables(L, f);
    lua_pop(L, 1);
  }
  return 0;
}

// --- Interface ---

stc_error stc_fingerprint_take(stc_scene *scene, stc_fingerprint **fingerprint) {
  stc_fingerprint *f = *fingerprint = stc_calloc(1, sizeof *f);
  if (!f) return stc_fail(STC_ERR_MEMORY, "out of memory");
  stc_error error = stc_sandbox_call(&scene->box, visit_all, f, 1);
  if (error) stc_fingerprint_free(fingerprint);
  return error;
}

stc_error stc_fingerprint_check(stc_scene *scene, stc_fingerprint *fingerprint) {
  fingerprint->checks = true;
  fingerprint->at = 0;
  return stc_sandbox_call(&scene->box, visit_all, fingerprint, 1);
}

void stc_fingerprint_free(stc_fingerprint **fingerprint) {
  if (!*fingerprint) return;
  stc_release(&(*fingerprint)->hash);
  stc_release(fingerprint);
}
