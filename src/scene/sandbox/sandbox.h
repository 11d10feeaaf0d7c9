// Lua with limits: a scene can compute and describe, and do nothing else. No files but those below
// it, no clock, no random numbers, no code from text; memory, in Lua and beside it, and work are
// counted, and a clock runs, so that whatever a scene does, control comes back with a sentence that
// names the file and the line.
#ifndef STC_SCENE_SANDBOX_H
#define STC_SCENE_SANDBOX_H

#include <lua.h>

#include "../../base/fail.h"

typedef struct stc_sandbox {
  lua_State *L;
  const char *path;      ///< of the scene, as sentences name it; borrowed
  size_t used;           ///< bytes of Lua
  bool dry;              ///< the system had no more memory
  const size_t *beside;  ///< bytes of the scene's arena; NULL: none
  size_t outside;        ///< bytes of meshes, hulls and terrains
  size_t most;           ///< bytes all of them may use
  long left;             ///< instructions the running call may still take
  long instructions;     ///< that one call may take
  double seconds;        ///< of the processor that one call may take
  double began;          ///< the running call, on the wall's clock
  double cpu_began;      ///< on the processor's; NaN before the first look
  bool stoppable;        ///< a call ends with the scope of its thread (base/stop.h)
  unsigned allocations;
  bool late;            ///< an allocation was refused for it
  const char *refused;  ///< why memory was refused; "": there was none left
  int line;             ///< last line seen
  void *user;           ///< whose sandbox it is
  /// Pushes what a global that is not there is called now; false: it is not known. NULL: none is.
  bool (*renamed)(lua_State *L, const char *name);
} stc_sandbox;

#define STC_SANDBOX_LATE                                                                           \
  "this takes too long: one call of a scene has a clock besides its count of instructions"

#define STC_SANDBOX_STOPPED "stopped by the caller"

/// An empty sandbox; `most`, `seconds` and `path` are set by the caller. Close it in any case.
stc_error stc_sandbox_open(stc_sandbox *box);
void stc_sandbox_close(stc_sandbox *box);

/// The sandbox a function of C is called in.
stc_sandbox *stc_sandbox_of(lua_State *L);

/// Bytes the scene uses in all, and those it may still use.
size_t stc_sandbox_used(const stc_sandbox *box);
size_t stc_sandbox_room(lua_State *L);

/// Counts work worth `work` instructions; raises where there is none left.
void stc_sandbox_charge(lua_State *L, double work);

/// Counts bytes that live beside Lua and the scene's arena; raises where there is no room.
void stc_sandbox_account(lua_State *L, size_t bytes);

/// What was solved since these moments of stc_clock and stc_cpu_clock does not count as time of the
/// scene.
void stc_sandbox_excuse(lua_State *L, double wall, double cpu);

/// The bytes of a file next to the scene or below it, to be freed with stc_release before anything
/// raises; its name as sentences call it is put on top of the stack. `what` it is for, and the
/// endings it may have, NULL behind the last. Raises where the file cannot be had, or its bytes and
/// what is made of them have no room.
char *stc_sandbox_load(lua_State *L, const char *what, const char *file, const char *const *endings,
                       size_t *length);

/// Global functions of C, whose memory and time are looked at behind each call: names, each with
/// its lua_CFunction, and NULL.
void stc_sandbox_register(lua_State *L, ...);

/// "a, b, c", with `between` instead of the comma, left on top of the stack.
const char *stc_push_names(lua_State *L, const char *const *names, const char *between);

/// The harmless part of Lua's libraries, with counted work.
int stc_sandbox_open_libraries(lua_State *L);

/// Compiles and runs a text within `instructions` instructions.
stc_error stc_sandbox_run(stc_sandbox *box, const char *text, size_t length, long instructions);

/// Calls body(L) with `argument` as light userdata at index 1. What it raises becomes the error;
/// `line` is where the scene is if nothing better is known.
stc_error stc_sandbox_call(stc_sandbox *box, lua_CFunction body, void *argument, int line);

/// From now on a global that is not there is refused by name.
int stc_sandbox_seal(lua_State *L);

/// Line on which the function at `index` is defined; 0 if it is not one of the scene.
int stc_sandbox_line(lua_State *L, int index);

#endif
