// The sandbox: an allocator that counts, a hook that counts, and sentences. Work is counted, so
// that the same scene is stopped at the same place everywhere; the clock is the last guard, for
// work inside one instruction that nothing counts.
#include "sandbox.h"
#include "../../base/clock.h"
#include "../../base/number.h"
#include "../../base/stop.h"

#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Instructions between two looks at the count and the clock: rare enough to cost little, often
// enough that long work inside single instructions is stopped within a fraction of a second.
enum { HOOK_PERIOD = 200 };

static const double INSTRUCTION = 10;  // ns, about

enum { LONGEST_TEXT = 1 << 20 };  // bytes: comparing two takes as long as copying one
enum { BYTES_OF_WORK = 64 };      // that are allocated, or copied, in the time of an instruction
enum { OPENING = 1000000 };       // work of opening the libraries
enum { ALLOCATIONS_OF_A_LOOK = 512 };  // a text that is compiled meets no hook

enum { MOST_GLOBALS = 200 };  // looked through for a name that is near

static const double MEGABYTE = 1 << 20;

stc_sandbox *stc_sandbox_of(lua_State *L) { return *(stc_sandbox **)lua_getextraspace(L); }

// --- Limits ---

size_t stc_sandbox_used(const stc_sandbox *box) {
  return box->used + box->outside + (box->beside ? *box->beside : 0);
}

size_t stc_sandbox_room(lua_State *L) {
  const stc_sandbox *box = stc_sandbox_of(L);
  size_t used = stc_sandbox_used(box);
  return used < box->most ? box->most - used : 0;
}

// Whether the call has taken its time, of the processor and not of the wall: that clock is slow to
// ask, so that the first look sets it and the wall's clock says when it is worth a second one.
static bool is_late(stc_sandbox *box) {
  if (isnan(box->cpu_began)) {
    box->cpu_began = stc_cpu_clock();
    return false;
  }
  return stc_clock() - box->began > box->seconds && stc_cpu_clock() - box->cpu_began > box->seconds;
}

// Why memory is refused; the sentence waits until Lua has given up.
static const char *refusal(stc_sandbox *box, const void *block, size_t old, size_t more,
                           size_t wanted) {
  if (!block && old == LUA_TSTRING && wanted > LONGEST_TEXT) return "a text has more than 1 MB";
  if (more > box->most || stc_sandbox_used(box) > box->most - more) return "";
  // Lua collects garbage and asks once more: what is late stays so.
  if (!box->late && ++box->allocations % ALLOCATIONS_OF_A_LOOK == 0) box->late = is_late(box);
  return box->late ? STC_SANDBOX_LATE : NULL;
}

static void *allocate_counted(void *user, void *block, size_t old, size_t wanted) {
  stc_sandbox *box = user;
  size_t had = block ? old : 0;  // Lua tells the kind of object where there is no block
  if (wanted == 0) {
    free(block);
    box->used -= had;
    return NULL;
  }
  if (wanted > had) {
    const char *why = refusal(box, block, old, wanted - had, wanted);
    if (why) box->refused = why;
    if (why) return NULL;
    box->left -= (long)(wanted / BYTES_OF_WORK);
  }
  void *grown = realloc(block, wanted);
  if (!grown) box->dry = true;
  if (grown) box->used = box->used - had + wanted;
  return grown;
}

static void push_place(lua_State *L);

static int stop(lua_State *L, const char *why) {
  push_place(L);
  lua_pushstring(L, why);
  lua_concat(L, 2);
  return lua_error(L);
}

static int stop_work(lua_State *L) {
  long most = stc_sandbox_of(L)->instructions, million = 1000000;
  bool many = most >= million;
  lua_pushfstring(L, "more than %I%s instructions; is there a loop without an end?",
                  (LUAI_UACINT)(many ? most / million : most), many ? " million" : "");
  return stop(L, lua_tostring(L, -1));
}

void stc_sandbox_charge(lua_State *L, double work) {
  stc_sandbox *box = stc_sandbox_of(L);
  box->left = work < (double)box->left ? box->left - (long)work : -1;
  if (box->left < 0) stop_work(L);
}

static void look_at_limits(lua_State *L) {
  stc_sandbox *box = stc_sandbox_of(L);
  if (box->left < 0) stop_work(L);
  if (is_late(box)) stop(L, STC_SANDBOX_LATE);
  if (box->stoppable && stc_stop_due(INSTRUCTION * HOOK_PERIOD)) stop(L, STC_SANDBOX_STOPPED);
}

static void on_hook(lua_State *L, lua_Debug *at) {
  stc_sandbox *box = stc_sandbox_of(L);
  if (at->event == LUA_HOOKCOUNT) {
    box->left -= HOOK_PERIOD;
    look_at_limits(L);
    return;
  }
  lua_getinfo(L, "l", at);
  if (at->currentline > 0) box->line = at->currentline;
}

static int stop_memory(lua_State *L) {
  lua_pushfstring(L, "the scene needs more than the %I MB it may use",
                  (LUAI_UACINT)(stc_sandbox_of(L)->most / (1 << 20)));
  return stop(L, lua_tostring(L, -1));
}

void stc_sandbox_account(lua_State *L, size_t bytes) {
  if (bytes > stc_sandbox_room(L)) stop_memory(L);
  stc_sandbox_of(L)->outside += bytes;
  stc_sandbox_charge(L, (double)bytes / BYTES_OF_WORK);
}

void stc_sandbox_excuse(lua_State *L, double wall, double cpu) {
  stc_sandbox *box = stc_sandbox_of(L);
  box->began += stc_clock() - wall;
  box->cpu_began += stc_cpu_clock() - cpu;
}

// A function of C that the scene calls; what it took in memory and time is looked at behind it.
static int call_guarded(lua_State *L) {
  stc_sandbox *box = stc_sandbox_of(L);
  size_t before = stc_sandbox_used(box);
  int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
  size_t used = stc_sandbox_used(box);
  if (used > box->most) stop_memory(L);
  if (used > before) stc_sandbox_charge(L, (double)(used - before) / BYTES_OF_WORK);
  look_at_limits(L);
  return results;
}

void stc_sandbox_register(lua_State *L, ...) {
  va_list args;
  va_start(args, L);
  for (const char *name; (name = va_arg(args, const char *));) {
    lua_pushcfunction(L, va_arg(args, lua_CFunction));
    lua_pushcclosure(L, call_guarded, 1);
    lua_setglobal(L, name);
  }
  va_end(args);
}

// --- Globals ---

// The names of the globals, for "did you mean".
typedef struct global_names {
  const char *name[MOST_GLOBALS + 1];
} global_names;

static const char *global_name(const void *user, int k) {
  return ((const global_names *)user)->name[k];
}

// A global that is not defined: index 1 are the globals, index 2 its name.
static int refuse_global(lua_State *L) {
  global_names names = {{NULL}};
  const char *word = lua_tostring(L, 2), *nearest = NULL;
  const stc_sandbox *box = stc_sandbox_of(L);
  int count = 0;
  if (box->renamed && box->renamed(L, word)) return 1;
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

stc_error stc_sandbox_open(stc_sandbox *box) {
  box->used = 0;
  box->L = lua_newstate(allocate_counted, box);
  if (!box->L) return stc_fail(STC_ERR_MEMORY, "%s: out of memory for Lua", box->path);
  *(stc_sandbox **)lua_getextraspace(box->L) = box;
  box->instructions = OPENING;
  return stc_sandbox_call(box, stc_sandbox_open_libraries, NULL, 1);
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
static stc_error report_status(stc_sandbox *box, int status) {
  const char *name = base_name(box->path), *message = lua_tostring(box->L, -1);
  int directory = (int)(name - box->path);
  stc_error error = STC_ERR_FORMAT;
  if (status == LUA_ERRMEM && box->dry)
    error = stc_fail(STC_ERR_MEMORY, "%s:%d: out of memory for the scene, which has %.3g MB",
                     box->path, box->line, (double)stc_sandbox_used(box) / MEGABYTE);
  else if (status == LUA_ERRMEM && box->refused && box->refused[0])
    stc_fail(error, "%s:%d: %s", box->path, box->line, box->refused);
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
  box->refused = NULL;
  box->late = false;
  box->began = stc_clock();
  box->cpu_began = NAN;
  lua_settop(L, 0);
  lua_pushcfunction(L, on_error);
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, argument);
  stc_c_locale locale = stc_c_locale_enter();  // Lua prints, reads and compares by the locale
  int status = lua_pcall(L, 1, 0, 1);
  stc_c_locale_leave(&locale);
  if (status != LUA_OK) return report_status(box, status);
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
  static const char utf8[] = "\xEF\xBB\xBF", utf16[] = "\xFF\xFE", other[] = "\xFE\xFF";
  static const char hdf5[] = "\x89HDF";
  long usual = box->instructions;
  if (length >= 2 && (!memcmp(text, utf16, 2) || !memcmp(text, other, 2)))
    return stc_fail(STC_ERR_FORMAT, "%s:1: this is UTF-16; save the scene as UTF-8", box->path);
  if (length >= 4 && !memcmp(text, hdf5, 4))
    return stc_fail(STC_ERR_FORMAT,
                    "%s: this is an HDF5 file, a problem or a run; a scene is Lua text", box->path);
  if (length >= 3 && !memcmp(text, utf8, 3)) {  // the mark that some editors begin with
    text += 3;
    length -= 3;
  }
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
