// parameters { ... } of a scene.
#ifndef STC_SCENE_PARAMETERS_H
#define STC_SCENE_PARAMETERS_H

#include "scene_data.h"

/// parameters { mu = 0.3, ... } returns the table with the values that hold.
int stc_scene_parameters(lua_State *L);

/// limits(p, { mu = { 0, 1e3 }, ... }) raises with the name of the first parameter outside.
int stc_scene_limits(lua_State *L);

/// Refuses values that were set where the scene has no parameters at all.
stc_error stc_scene_check_sets(const stc_scene *scene);

#endif
