// Lua with limits: a scene can compute and describe, and do nothing else. No files, no clock, no
// random numbers, no code from text; memory and instructions are counted, so that whatever a scene
// does, control comes back with a sentence that names the file and the line.
#ifndef STC_SCENE_SANDBOX_H
#define STC_SCENE_SANDBOX_H

#include <lua.h>

#include "../base/fail.h"

typedef struct stc_sandbox {
  lua_State *L;
  const char *path;   ///< of the scene, as sentences name it; borrowed
  size_t used;        ///< bytes
  bool dry;           ///< the system had no more memory
  size_t most;        ///< bytes it may use
  long left;          ///< instructions the running call may still take
  long instructions;  ///< that one call may take
  int line;           ///< last line seen
  void *user;         ///< whose sandbox it is
} stc_sandbox;

/// An empty sandbox; `most` and `path` are set by the caller. Close it in any case.
stc_error stc_sandbox_open(stc_sandbox *box);
void stc_sandbox_close(stc_sandbox *box);

/// The sandbox a function of C is called in.
stc_sandbox *stc_sandbox_of(lua_State *L);

/// Compiles and runs a text within so many instructions.
stc_error stc_sandbox_run(stc_sandbox *box, const char *text, size_t length, long instructions);

/// Calls body(L) with `argument` as light userdata at index 1. What it raises becomes the error;
/// `line` is where the scene is if nothing better is known.
stc_error stc_sandbox_call(stc_sandbox *box, lua_CFunction body, void *argument, int line);

/// From now on a global that is not there is refused by name.
int stc_sandbox_seal(lua_State *L);

/// Line on which the function at `index` is defined; 0 if it is not one of the scene.
int stc_sandbox_line(lua_State *L, int index);

#endif
