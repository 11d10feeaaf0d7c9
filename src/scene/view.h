// The state as a scene sees it: the table s and the numbers m it keeps, handed to step, series and
// observables.
#ifndef STC_SCENE_VIEW_H
#define STC_SCENE_VIEW_H

#include "kind.h"

#include <lauxlib.h>

/// Makes the tables; m holds what memory { } says.
stc_error stc_view_open(stc_scene *scene);

/// Shows what moves as it is now.
stc_error stc_view_show(stc_moving *moving);

/// Calls the scene's step(s, m), if it has one.
stc_error stc_view_step(stc_scene *scene);

/// The scene's series now, [series]. NaN where it answers nil.
stc_error stc_view_series(stc_scene *scene, double *values);

/// Its observable k now: numbers of a list and letters of a text lie in the arena.
stc_error stc_view_observable(stc_scene *scene, int k, stc_arena *arena, stc_observed *observed);

/// f(s, x) for `count` numbers x, of a function of the scene.
stc_error stc_view_curve(stc_scene *scene, const stc_callback *function, const char *name,
                         const double *x, int count, double *y);

/// The numbers in m, [kept].
stc_error stc_view_get_memory(stc_scene *scene, double *values);
stc_error stc_view_set_memory(stc_scene *scene, const double *values);

// For those who fill s: entries of the table on top of the stack.

void stc_view_set_number(lua_State *L, const char *name, double x);
void stc_view_set_integer(lua_State *L, const char *name, long x);
void stc_view_set_text(lua_State *L, const char *name, const char *text);

/// A new list; or the existing list, filled again.
void stc_view_set_vector(lua_State *L, const char *name, const double *x, int count);
void stc_view_set_list(lua_State *L, const char *name, const double *x, int count);

/// Numbers of the struct at `base`; and a table `name` of numbers that the run shows.
void stc_view_set_numbers(lua_State *L, const void *base, const stc_number *table);
void stc_view_set_shown(lua_State *L, const char *name, const stc_shown_list *list);

/// Pushes the table `name`.
void stc_view_open_table(lua_State *L, const char *name);

#endif
