// Names that functions and keys of a scene had in the version before: they work in this version,
// each with one remark that names file and line.
#ifndef STC_SCENE_OLD_NAMES_H
#define STC_SCENE_OLD_NAMES_H

#include <lua.h>

#include <stdbool.h>

enum { STC_OLD_NAMES = 3 };  ///< remarks that a scene can have

/// Pushes the global that `name` is now; false, and nothing is pushed, where it is no earlier name.
bool stc_old_global(lua_State *L, const char *name);

/// From now on the table on top of the stack answers to earlier names too.
void stc_old_entries(lua_State *L);

#endif
