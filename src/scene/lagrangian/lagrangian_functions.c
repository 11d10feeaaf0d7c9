// system { }, wall { }, run { }, memory { }, step(), series { }, observables { }: what a scene
// says, checked as it is said.
#include "../../base/number.h"
#include "../bodies/context.h"
#include "../keys.h"
#include "../kind.h"
#include "../parameters.h"

#include <lauxlib.h>
#include <string.h>

static const double HUGE_TIME = 1e12;  // s

int stc_scene_line(lua_State *L) {
  lua_Debug at;
  if (!lua_getstack(L, 1, &at)) return 1;
  lua_getinfo(L, "l", &at);
  return at.currentline > 0 ? at.currentline : 1;
}

// --- Vectors ---

static stc_scene_vector no_vector(void) { return (stc_scene_vector){.function = {LUA_NOREF, 0}}; }

// A field that is a function or `count` numbers; none if it is not there.
static stc_scene_vector take_vector(const stc_fields *f, const char *name, int count) {
  stc_scene_vector v = no_vector();
  int type = stc_field(f, name);
  if (type == LUA_TFUNCTION) {
    v.function = stc_callback_take(f->L);
    return v;
  }
  if (type != LUA_TNIL) {
    v.constant = stc_scene_numbers(f->L, (size_t)count);
    stc_take_vector(f->L, -1, f->what, name, v.constant, count);
    v.rows = 1;
  }
  lua_pop(f->L, 1);
  return v;
}

// Tangents: a function, or one to STC_MAX_DIM - 1 vectors.
static stc_scene_vector take_tangents(const stc_fields *f, int dofs) {
  stc_scene_vector v = no_vector();
  lua_State *L = f->L;
  int type = stc_field(f, "tangents");
  if (type == LUA_TFUNCTION) {
    v.function = stc_callback_take(L);
    return v;
  }
  if (type != LUA_TNIL) {
    if (type != LUA_TTABLE) stc_refuse(L, -1, f->what, "tangents", "a list of vectors");
    lua_Unsigned rows = lua_rawlen(L, -1);
    if (rows < 1 || rows > STC_MAX_DIM - 1)
      luaL_error(L, "%s: tangents has %I vectors; give 1 to %d", f->what, (LUAI_UACINT)rows,
                 STC_MAX_DIM - 1);
    v.rows = (int)rows;
    v.constant = stc_scene_numbers(L, (size_t)rows * (size_t)dofs);
    for (int k = 0; k < v.rows; k++) {
      lua_rawgeti(L, -1, k + 1);
      stc_take_vector(L, -1, f->what, "a vector of tangents", v.constant + k * dofs, dofs);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return v;
}

// --- The system ---

// A number for all coordinates, a number for each, a matrix, or a function that gives one of them.
static void take_mass(stc_scene *scene, const stc_fields *f) {
  lua_State *L = f->L;
  size_t n = (size_t)scene->dofs;
  int type = stc_field(f, "mass");
  scene->mass = no_vector();
  if (type == LUA_TNIL) luaL_error(L, "system needs an entry 'mass'");
  if (type == LUA_TFUNCTION) {
    scene->mass.function = stc_callback_take(L);
    return;
  }
  scene->diagonal = !stc_mass_is_matrix(L, -1);
  scene->mass.rows = scene->diagonal ? 1 : scene->dofs;
  scene->mass.constant = stc_scene_numbers(L, (size_t)scene->mass.rows * n);
  stc_mass_take(L, -1, scene->dofs, scene->diagonal, scene->mass.constant);
  size_t stride = scene->diagonal ? 1 : n + 1;
  for (size_t k = 0; k < n; k++)
    if (scene->mass.constant[k * stride] <= 0)
      luaL_error(L, "system: the mass of coordinate %d is %f; give a number > 0", (int)k + 1,
                 scene->mass.constant[k * stride]);
  lua_pop(L, 1);
}

static int describe_system(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  stc_kind_choose(L, &stc_kind_lagrangian, "system");
  stc_say_once(L, &(bool){scene->dofs}, "system");
  stc_fields f = STC_FIELDS(L, 1, "system", "mass", "q", "u", "force", "potential", "dim");
  int n = stc_field_list(&f, "q", "a list of 1 to 1000 coordinates", 1, STC_SCENE_DOFS);
  lua_pop(L, 1);
  scene->q = take_vector(&f, "q", n).constant;
  scene->u = take_vector(&f, "u", n).constant;
  if (!scene->u) scene->u = stc_scene_numbers(L, (size_t)n);
  scene->dofs = n;
  scene->line = stc_scene_line(L);
  take_mass(scene, &f);
  scene->force = take_vector(&f, "force", n);
  scene->potential = stc_field_function(&f, "potential");
  if (scene->force.constant && stc_callback_is_there(&scene->potential))
    luaL_error(L, "system: a constant force has the potential -force . q; leave potential out");
  scene->dim = (int)stc_field_number_or(&f, "dim", 0, 2, STC_MAX_DIM);
  return 0;
}

// --- Walls ---

// A free place in the list of walls; arenas do not grow, so the list moves.
static stc_scene_wall_data *add_wall(lua_State *L, stc_scene *scene) {
  if (scene->walls == STC_SCENE_WALLS) luaL_error(L, "more than %d walls", STC_SCENE_WALLS);
  scene->wall = stc_arena_more(&scene->arena, scene->wall, scene->walls, &scene->wall_room,
                               sizeof *scene->wall);
  if (!scene->wall) luaL_error(L, "out of memory for %d walls", 2 * scene->walls);
  return &scene->wall[scene->walls++];
}

// The name given, or "wall 1".
static const char *wall_name(lua_State *L, const stc_scene *scene) {
  lua_pushstring(L, "name");
  int type = lua_rawget(L, 1);
  if (type != LUA_TNIL && type != LUA_TSTRING)
    stc_refuse(L, -1, "wall", "name", "a text in quotes");
  const char *name =
      type == LUA_TNIL ? lua_pushfstring(L, "wall%d", scene->walls + 1) : lua_tostring(L, -1);
  if (strlen(name) >= STC_SCENE_NAME)
    luaL_error(L, "wall: the name has more than %d letters", STC_SCENE_NAME - 1);
  for (int k = 0; k < scene->walls; k++)
    if (!strcmp(scene->wall[k].name, name)) luaL_error(L, "there are two walls '%s'", name);
  return stc_scene_copy(L, name);
}

static void fill_wall(const stc_fields *f, int dofs, stc_scene_wall_data *wall) {
  lua_State *L = f->L;
  wall->f = stc_field_function(f, "f");
  if (!stc_callback_is_there(&wall->f))
    luaL_error(L, "%s needs an entry 'f', a function of t and q that is <= 0 where q may be",
               f->what);
  wall->gradient = take_vector(f, "gradient", dofs);
  if (!wall->gradient.constant && !stc_callback_is_there(&wall->gradient.function))
    luaL_error(L, "%s needs an entry 'gradient', the derivatives of f by the coordinates", f->what);
  wall->tangents = take_tangents(f, dofs);
  wall->velocity = take_vector(f, "velocity", dofs);
  stc_field(f, "friction");
  wall->friction = stc_friction_take(L, -1, f->what);
  lua_pop(L, 1);
  wall->restitution = stc_field_number_or(f, "restitution", 0, 0, 1);
}

static int describe_wall(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  stc_kind_choose(L, &stc_kind_lagrangian, "wall");
  if (!scene->dofs) luaL_error(L, "wall comes before system; describe the system first");
  if (!lua_istable(L, 1)) luaL_error(L, "wall needs a table: wall { f = ..., gradient = ... }");
  stc_scene_wall_data wall = {
      .scene = scene, .name = wall_name(L, scene), .line = stc_scene_line(L)};
  wall.what = stc_scene_copy(L, lua_pushfstring(L, "wall '%s'", wall.name));
  stc_fields f = STC_FIELDS(L, 1, wall.what, "name", "f", "gradient", "tangents", "velocity",
                            "friction", "restitution");
  fill_wall(&f, scene->dofs, &wall);
  *add_wall(L, scene) = wall;
  return 0;
}

// --- The run ---

static const char *method_name(const void *user, int k) {
  (void)user;
  return stc_method_name(k);
}

static const char *take_method(lua_State *L) {
  if (lua_type(L, -1) != LUA_TSTRING) stc_refuse(L, -1, "solver", "method", "a name in quotes");
  const char *name = lua_tostring(L, -1);
  for (int k = 0; stc_method_name(k); k++)
    if (!strcmp(name, stc_method_name(k))) return stc_method_name(k);
  luaL_error(L, "solver: there is no method '%s'%s", name,
             stc_hint_for(name, method_name, NULL).text);
  return NULL;
}

// Adds an option to those that repeat a step.
static void add_replay(lua_State *L, const char *format, const char *name, const char *value) {
  stc_scene *scene = stc_scene_of(L);
  size_t used = strlen(scene->replay), room = sizeof scene->replay - used;
  int n = stc_snprintf(scene->replay + used, room, format, name, value);
  if (n < 0 || (size_t)n >= room) luaL_error(L, "solver has too many settings");
}

// solver = { method = "nsgs", ["nsgs.omega"] = 1.2 }: settings by their names.
void stc_scene_take_solver(const stc_fields *f, stc_settings *settings) {
  lua_State *L = f->L;
  int type = stc_field(f, "solver");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    stc_refuse(L, -1, f->what, "solver", "a table of settings");
  for (lua_pushnil(L); type == LUA_TTABLE && lua_next(L, -2) != 0;) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "solver takes named entries only");
    const char *name = lua_tostring(L, -2);
    if (!strcmp(name, "method")) {
      settings->method = take_method(L);
      add_replay(L, " --%s %s", name, settings->method);
    } else {
      stc_take_number(L, -1, "solver", name);
      lua_pushvalue(L, -1);
      if (stc_settings_set(settings, name, lua_tostring(L, -1)) != STC_OK)
        luaL_error(L, "solver: %s", stc_error_detail());
      add_replay(L, " --set %s=%s", name, lua_tostring(L, -1));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_settop(L, 1);
}

// Times the extrapolated scheme must not step over, in rising order.
static void take_stops(stc_scene *scene, const stc_fields *f) {
  lua_State *L = f->L;
  if (!stc_field_is_there(f, "stops")) return;
  scene->stops = stc_field_list(f, "stops", "a list of times", 0, STC_SCENE_NAMES);
  if (scene->scheme != STC_SCHEME_EXTRAPOLATED)
    luaL_error(L, "run: stops are for scheme = \"extrapolated\"; other steps all have length h");
  scene->stop = stc_scene_numbers(L, (size_t)scene->stops);
  stc_take_vector(L, -1, f->what, "stops", scene->stop, scene->stops);
  for (int k = 1; k < scene->stops; k++)
    if (scene->stop[k] <= scene->stop[k - 1]) luaL_error(L, "run: stops must rise");
  lua_pop(L, 1);
}

static int describe_run(lua_State *L) {
  static const char *const names[] = {STC_STEPPING_FIELDS(STC_KEY_NAME) "t_start",
                                      "t_end",
                                      "store_every",
                                      "scheme",
                                      "scheme_tol",
                                      "stops",
                                      "solver",
                                      NULL};
  static const char *const schemes[] = {"moreau", "extrapolated", NULL};
  stc_scene *scene = stc_scene_of(L);
  if (scene->kind == &stc_kind_bodies) return stc_bodies_run(L);
  stc_kind_choose(L, &stc_kind_lagrangian, "run");
  stc_say_once(L, &scene->has_run, "run");
  stc_fields f = stc_fields_open(L, 1, "run", names);
  stc_stepping *keys = &scene->stepping;
  STC_STEPPING_FIELDS(STC_KEY_TAKE)
  if (!stc_field_is_there(&f, "h")) luaL_error(L, "run needs an entry 'h', the time step in s");
  scene->t_start = stc_field_number_or(&f, "t_start", 0, -HUGE_TIME, HUGE_TIME);
  scene->t_end = stc_field_number(&f, "t_end", scene->t_start, HUGE_TIME);
  scene->store_every = (int)stc_field_number_or(&f, "store_every", 1, 1, 1e9);
  scene->scheme = (stc_scheme)stc_field_choice(&f, "scheme", "scheme", schemes, 0);
  scene->scheme_tol = stc_field_number_or(&f, "scheme_tol", 1e-9, 1e-13, 1e-2);
  take_stops(scene, &f);
  stc_snprintf(scene->replay, sizeof scene->replay, "--guess --tol %g", scene->stepping.tol);
  stc_scene_take_solver(&f, &scene->stepping.solver);
  return 0;
}

// --- What is asked ---

static int describe_memory(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  stc_say_once(L, &scene->has_memory, "memory");
  const char **names = stc_names_take(L, "memory", &scene->kept);
  scene->keep = STC_TAKE(&scene->arena, stc_kept, scene->kept + 1);
  if (!scene->keep) luaL_error(L, "out of memory for %d numbers", scene->kept);
  for (int k = 0; k < scene->kept; k++) {
    lua_pushstring(L, names[k]);
    lua_rawget(L, 1);
    if (lua_type(L, -1) != LUA_TNUMBER) stc_refuse(L, -1, "memory", names[k], "a number");
    scene->keep[k] = (stc_kept){names[k], lua_tonumber(L, -1)};
    lua_pop(L, 1);
  }
  return 0;
}

static int describe_step(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  if (!lua_isfunction(L, 1)) stc_refuse(L, 1, "step", "its argument", "a function of s and m");
  if (stc_callback_is_there(&scene->after_step))
    luaL_error(L, "step is given a second function; give it one");
  lua_settop(L, 1);
  scene->after_step = stc_callback_take(L);
  return 0;
}

static stc_answer *take_answers(lua_State *L, const char *what, int *count) {
  const char **names = stc_names_take(L, what, count);
  stc_answer *answer = STC_TAKE(&stc_scene_of(L)->arena, stc_answer, *count + 1);
  if (!answer) luaL_error(L, "out of memory for %d functions", *count);
  for (int k = 0; k < *count; k++) {
    lua_pushstring(L, names[k]);
    if (lua_rawget(L, 1) != LUA_TFUNCTION)
      stc_refuse(L, -1, what, names[k], "a function of s and m");
    answer[k] = (stc_answer){names[k], stc_callback_take(L)};
  }
  return answer;
}

static int describe_series(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  stc_say_once(L, &scene->has_series, "series");
  scene->serie = take_answers(L, "series", &scene->series);
  return 0;
}

static int describe_observables(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  stc_say_once(L, &scene->has_observables, "observables");
  scene->observable = take_answers(L, "observables", &scene->observables);
  return 0;
}

int stc_scene_open_functions(lua_State *L) {
  stc_sandbox_register(L, "parameters", stc_scene_parameters, "limits", stc_scene_limits, "system",
                       describe_system, "wall", describe_wall, "run", describe_run, "memory",
                       describe_memory, "step", describe_step, "series", describe_series,
                       "observables", describe_observables, NULL);
  return 0;
}
