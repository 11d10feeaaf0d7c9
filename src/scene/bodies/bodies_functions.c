// world { }, surface_pair { }, ignore { }, camera { }, run { }: what a scene says about
// rigid bodies besides the bodies themselves.
#include "../../base/number.h"
#include "../../base/vec3.h"
#include "context.h"

#include <lauxlib.h>

static const double HUGE_TIME = 1e12;  // s

stc_context *stc_bodies_of(lua_State *L, const char *word) {
  stc_scene *scene = stc_scene_of(L);
  if (scene->kind == &stc_kind_lagrangian && scene->has_run && !scene->dofs)
    luaL_error(L, "%s { } comes after run { }; say world { } or rigid { } before it", word);
  stc_kind_choose(L, &stc_kind_bodies, word);
  if (scene->context) return scene->context;
  scene->context = stc_calloc(1, sizeof *scene->context);
  if (!scene->context) luaL_error(L, "out of memory");
  scene->context->settings = stc_default_world_settings();
  scene->context->usual = stc_default_surface_pair();
  scene->context->fall = (stc_callback){LUA_NOREF, 0};
  scene->context->line = stc_scene_line(L);
  *STC_CONTEXT_ADD(L, "surface", &scene->context->surfaces, scene->context->surface) = "usual";
  lua_newtable(L);
  scene->context->names = luaL_ref(L, LUA_REGISTRYINDEX);
  return scene->context;
}

void stc_bodies_free(stc_context **context) {
  if (!*context) return;
  for (int k = 0; k < (*context)->solids.count; k++) {
    stc_hull_free(&(*context)->solid[k].hull);
    stc_terrain_free(&(*context)->solid[k].terrain);
  }
  stc_release(context);
}

// --- world { } ---

static void take_surface_pair(stc_fields f, stc_surface_pair *keys) {
  STC_SURFACE_PAIR_FIELDS(STC_KEY_TAKE)
}

static int describe_world(lua_State *L) {
  static const char *const names[] = {"gravity", "plane", "depth",
                                      STC_SURFACE_PAIR_FIELDS(STC_KEY_NAME) NULL};
  stc_context *context = stc_bodies_of(L, "world");
  stc_say_once(L, &context->has_world, "world");
  if (context->bodies.count) luaL_error(L, "world comes after rigid; describe the world first");
  stc_fields f = stc_fields_open(L, 1, "world", names);
  context->settings.plane = stc_field_flag(&f, "plane");
  if (context->settings.plane)
    memcpy(context->settings.gravity, (double[]){0, -9.81, 0}, sizeof context->settings.gravity);
  context->settings.depth = stc_field_number_or(&f, "depth", context->settings.depth, 1e-9, 1e9);
  if (!context->settings.plane && stc_field_is_there(&f, "depth"))
    luaL_error(L, "world: depth is that of bodies in the plane; set plane = true or leave it out");
  stc_bodies_take_gravity(&f, context);
  take_surface_pair(f, &context->usual);
  return 0;
}

// --- surface_pair { }, ignore { } ---

static const char *body_name(const void *user, int k) {
  const stc_context *context = user;
  while (k < context->bodies.count && !context->body[k].named) k++;  // repeats do no harm
  return k < context->bodies.count ? context->body[k].name : NULL;
}

int stc_bodies_find_body(lua_State *L, int index, const stc_context *context, const char *what) {
  lua_Integer number = 0;
  index = lua_absindex(L, index);
  if (lua_type(L, index) == LUA_TSTRING) {
    const char *name = lua_tostring(L, index);
    lua_rawgeti(L, LUA_REGISTRYINDEX, context->names);
    if (lua_getfield(L, -1, name) == LUA_TNIL)
      luaL_error(L, "%s: there is no body '%s'%s", what, name,
                 stc_hint_for(name, body_name, context).text);
    number = lua_tointeger(L, -1);
    lua_pop(L, 2);
  } else if (lua_type(L, index) == LUA_TNUMBER) {
    number = lua_tointeger(L, index);  // 0 where it is not whole
  } else {
    stc_refuse(L, index, what, "a body", "its name, or its number from 1");
  }
  if (number < 1 || number > context->bodies.count)
    luaL_error(L, "%s: there is no body %I; there are %d", what, (LUAI_UACINT)number,
               context->bodies.count);
  return (int)number - 1;
}

// How many entries the list part of the table at 1 has; its other entries go into a new table at 2.
static int split_list_part(lua_State *L, const char *what, int least) {
  if (!lua_istable(L, 1)) luaL_error(L, "%s needs a table: %s { ... }", what, what);
  lua_settop(L, 1);
  int count = (int)lua_rawlen(L, 1);
  if (count < least || count > 2)
    luaL_error(L, "%s names %d; give %s", what, count, least == 2 ? "two" : "one or two");
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
    if (lua_isinteger(L, -2)) continue;
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 2);
  }
  return count;
}

static void refuse_lengths(lua_State *L, const char *what, const stc_friction *friction) {
  if (friction->law.kind == STC_LAW_CONTENSOU || friction->law.kind == STC_LAW_ROLLING)
    luaL_error(L, "%s: friction = %s { }; give `mu` and `%s`, a length, instead", what,
               stc_law_name((int)friction->law.kind),
               friction->law.kind == STC_LAW_ROLLING ? "rolling" : "spinning");
}

// friction: a law, a coefficient or a function, in the place of mu; along: of its T1.
static void take_surface_law(stc_fields f, stc_bodies_surface_pair *entry) {
  lua_State *L = f.L;
  bool has_direction = stc_field_is_there(&f, "along");
  f.what = entry->what;
  entry->has_law = stc_field_is_there(&f, "friction");
  if (!entry->has_law && has_direction)
    luaL_error(L, "%s: along is the direction of T1 of a law; give `friction` too", f.what);
  if (!entry->has_law) return;
  if (stc_field_is_there(&f, "mu"))
    luaL_error(L, "%s has mu and friction; give one of them", f.what);
  stc_field(&f, "friction");
  entry->friction = stc_friction_take(L, -1, f.what);
  lua_pop(L, 1);
  refuse_lengths(L, f.what, &entry->friction);
  if (has_direction) stc_bodies_vector(&f, stc_bodies_of(L, "surface_pair"), "along", entry->along);
}

// surface_pair { "steel", "ice", mu = 0.02 }; surface_pair { "ice", mu = 0.1 }: with itself.
static int describe_surface_pair(lua_State *L) {
  static const char *const names[] = {STC_SURFACE_PAIR_FIELDS(STC_KEY_NAME) "friction", "along",
                                      NULL};
  stc_context *context = stc_bodies_of(L, "surface_pair");
  int count = split_list_part(L, "surface_pair", 1);
  stc_fields f = stc_fields_open(L, 2, "surface_pair", names);
  stc_bodies_surface_pair entry = {.scene = stc_scene_of(L),
                                   .line = stc_scene_line(L),
                                   .surface_pair = context->usual,
                                   .friction = {.function = {LUA_NOREF, 0}}};
  for (int k = 0; k < 2; k++) {
    if (lua_rawgeti(L, 1, k < count ? k + 1 : 1) != LUA_TSTRING)
      stc_refuse(L, -1, "surface_pair", "a surface", "its name in quotes");
    entry.surface[k] = stc_bodies_surface(L, context, "surface_pair", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  take_surface_pair(f, &entry.surface_pair);
  entry.what = stc_scene_copy(L, lua_pushfstring(L, "surface_pair '%s', '%s'",
                                                 context->surface[entry.surface[0]],
                                                 context->surface[entry.surface[1]]));
  take_surface_law(f, &entry);
  *STC_CONTEXT_ADD(L, "surface_pair", &context->surface_pairs, context->surface_pair) = entry;
  return 0;
}

static int describe_ignore(lua_State *L) {
  static const char *const names[] = {NULL};
  stc_context *context = stc_bodies_of(L, "ignore");
  stc_bodies_ignore pair = {.line = stc_scene_line(L)};
  split_list_part(L, "ignore", 2);
  stc_fields_open(L, 2, "ignore", names);
  for (int k = 0; k < 2; k++) {
    lua_rawgeti(L, 1, k + 1);
    pair.body[k] = stc_bodies_find_body(L, -1, context, "ignore");
    lua_pop(L, 1);
  }
  *STC_CONTEXT_ADD(L, "ignore", &context->ignored, context->ignore) = pair;
  return 0;
}

// --- camera { } ---

static int describe_camera(lua_State *L) {
  stc_context *context = stc_bodies_of(L, "camera");
  stc_say_once(L, &context->has_camera, "camera");
  stc_fields f = STC_FIELDS(L, 1, "camera", "from", "to", "up", "angle", "width");
  stc_camera *c = &context->camera;
  double view[3], across[3];
  *c = (stc_camera){.up = {0, context->settings.plane, !context->settings.plane}};
  bool from = stc_bodies_vector(&f, context, "from", c->from),
       to = stc_bodies_vector(&f, context, "to", c->to);
  if (!from || !to) luaL_error(L, "camera needs entries 'from' and 'to', points");
  stc_bodies_vector(&f, context, "up", c->up);
  bool parallel = stc_field_is_there(&f, "width");
  if (parallel && stc_field_is_there(&f, "angle"))
    luaL_error(L, "camera has an angle and a width; give one: a width makes the view parallel");
  c->angle = parallel ? 0 : stc_field_number_or(&f, "angle", 40, 1, 160);
  if (parallel) c->width = stc_field_number(&f, "width", 1e-9, 1e12);
  stc_sub3(c->to, c->from, view);
  stc_cross3(view, c->up, across);
  if (stc_norm3(across) == 0) luaL_error(L, "camera: 'up' lies along the view; change one of them");
  return 0;
}

// --- run { } ---

int stc_bodies_run(lua_State *L) {
  static const char *const names[] = {
      STC_WORLD_FIELDS(STC_KEY_NAME) "exact", "t_start", "t_end", "store_every", "solver", NULL};
  stc_scene *scene = stc_scene_of(L);
  stc_world_settings *keys = &stc_bodies_of(L, "run")->settings;
  stc_say_once(L, &scene->has_run, "run");
  stc_fields f = stc_fields_open(L, 1, "run", names);
  if (!stc_field_is_there(&f, "h")) luaL_error(L, "run needs an entry 'h', the time step in s");
  STC_WORLD_FIELDS(STC_KEY_TAKE)
  keys->exact = stc_field_flag(&f, "exact");
  scene->t_start = stc_field_number_or(&f, "t_start", 0, -HUGE_TIME, HUGE_TIME);
  scene->t_end = stc_field_number(&f, "t_end", scene->t_start, HUGE_TIME);
  scene->store_every = (int)stc_field_number_or(&f, "store_every", 1, 1, 1e9);
  scene->stepping.h = keys->h;
  scene->stepping.accept = keys->exact ? fmin(keys->accept, STC_EXACT_ACCEPT) : keys->accept;
  stc_snprintf(scene->replay, sizeof scene->replay, "--guess --tol %g",
               keys->exact ? fmin(keys->tol, STC_EXACT_TOL) : keys->tol);
  stc_scene_take_solver(&f, &keys->solver);
  return 0;
}

void stc_bodies_open_functions(lua_State *L) {
  stc_sandbox_register(L, "world", describe_world, "rigid", stc_bodies_rigid, "surface_pair",
                       describe_surface_pair, "joint", stc_bodies_joint_function, "ignore",
                       describe_ignore, "camera", describe_camera, NULL);
}
