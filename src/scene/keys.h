// Names that a scene gives to things, sorted, so that the same scene gives the same order.
#ifndef STC_SCENE_KEYS_H
#define STC_SCENE_KEYS_H

#include "scene_data.h"

/// The keys of the table at index 1 in the order of the alphabet, in the arena of the scene.
const char **stc_names_take(lua_State *L, const char *what, int *count);

/// Whether the C identifier rules hold: letters, digits, _; what a column or --set can be called.
bool stc_name_is_plain(const char *name);

#endif
