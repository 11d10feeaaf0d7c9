// rigid { }: a body of a scene, checked as it is said.
#include "../../base/vec3.h"
#include "context.h"

#include <lauxlib.h>

static const double HUGE_NUMBER = 1e300, TINY = 1e-300;
static const double USUAL_DENSITY = 1000;  // kg/m^3
enum { MOST_PARTS = 100000 };              // of a body

// --- Name and surface ---

static void take_name(const stc_fields *f, stc_context *context, stc_bodies_body *b) {
  lua_State *L = f->L;
  const char *name = stc_field_text(f, "name");
  b->named = name;
  b->name = stc_scene_copy(L, name ? name : lua_pushfstring(L, "%d", context->bodies.count + 1));
  if (!name) return;
  if (!*name || strlen(name) >= STC_CONTEXT_NAME)
    luaL_error(L, "rigid: '%s' is no name; use 1 to %d letters", name, STC_CONTEXT_NAME - 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, context->names);
  if (lua_getfield(L, -1, name) != LUA_TNIL) luaL_error(L, "there are two bodies '%s'", name);
  lua_pushinteger(L, context->bodies.count + 1);
  lua_setfield(L, -3, name);
  lua_pop(L, 2);
}

int stc_bodies_surface(lua_State *L, stc_context *context, const char *what, const char *name) {
  for (int k = 0; k < context->surfaces.count; k++)
    if (!strcmp(context->surface[k], name)) return k;
  if (context->surfaces.count > STC_CONTEXT_SURFACES)
    luaL_error(L, "%s: more than %d surfaces", what, STC_CONTEXT_SURFACES);
  const char *copy = stc_scene_copy(L, name);
  *STC_CONTEXT_ADD(L, "surface", &context->surfaces, context->surface) = copy;
  return context->surfaces.count - 1;
}

// --- Groups ---

// Bits of a number from 1 to 64, or of a list of such numbers; `fallback` where it is not there.
static uint64_t take_groups(const stc_fields *f, const char *name, uint64_t fallback) {
  enum { GROUPS = 64 };
  lua_State *L = f->L;
  uint64_t bits = 0;
  int type = stc_field(f, name), count = type == LUA_TTABLE ? (int)lua_rawlen(L, -1) : 1;
  for (int k = 1; type != LUA_TNIL && k <= count; k++) {
    int top = lua_gettop(L);
    if (type == LUA_TTABLE) lua_rawgeti(L, -1, k);
    lua_Integer number = lua_type(L, -1) == LUA_TNUMBER ? lua_tointeger(L, -1) : 0;
    if (number < 1 || number > GROUPS)
      stc_refuse(L, -1, f->what, name, "a number from 1 to 64, or a list of them");
    bits |= UINT64_C(1) << (number - 1);
    lua_settop(L, top);
  }
  lua_pop(L, 1);
  return type == LUA_TNIL ? fallback : bits;
}

// What holds for all parts that do not say otherwise is in `usual`.
static void take_surface(const stc_fields *f, const stc_part *usual, stc_part *part) {
  part->group = take_groups(f, "group", usual->group);
  part->mask = take_groups(f, "mask", usual->mask);
  part->sensor = stc_field_is_there(f, "sensor") ? stc_field_flag(f, "sensor") : usual->sensor;
}

// --- Parts ---

// One entry of `parts`, on top of the stack.
static void take_part(const stc_fields *f, stc_context *context, int k, const stc_part *usual,
                      stc_part *part) {
  lua_State *L = f->L;
  stc_pose pose = stc_pose_identity();
  const char *what = lua_pushfstring(L, "%s: part %d", f->what, k);
  stc_fields own = STC_FIELDS(L, -2, what, "box", "sphere", "capsule", "cylinder", "hull", "plane",
                              "terrain", "at", "rotation", "density", "group", "mask", "sensor");
  if (!stc_bodies_take_shape(&own, context, part))
    luaL_error(L, "%s needs a shape: box, sphere, capsule, cylinder, hull, plane or terrain", what);
  stc_bodies_vector(&own, context, "at", pose.x);
  stc_bodies_rotation(&own, context, "rotation", pose.rotation);
  part->pose = stc_pose_compose(&pose, &part->pose);
  part->density = stc_field_number_or(&own, "density", 0, TINY, HUGE_NUMBER);
  take_surface(&own, usual, part);
  lua_pop(L, 1);
}

static void take_parts(const stc_fields *f, stc_context *context, stc_rigid_body *body) {
  lua_State *L = f->L;
  stc_part usual = {0};
  take_surface(f, &usual, &usual);
  bool listed = stc_field(f, "parts") != LUA_TNIL;
  if (listed && !lua_istable(L, -1))
    stc_refuse(L, -1, f->what, "parts", "a list of shapes: { { box = ..., at = ... }, ... }");
  lua_Unsigned count = listed ? lua_rawlen(L, -1) : 1;
  if (count < 1 || count > MOST_PARTS)
    luaL_error(L, "%s: parts has %I entries; give 1 to %d", f->what, (LUAI_UACINT)count,
               MOST_PARTS);
  stc_part *part = STC_TAKE(&stc_scene_of(L)->arena, stc_part, count);
  if (!part) luaL_error(L, "out of memory for %I parts", (LUAI_UACINT)count);
  for (int k = 0; listed && k < (int)count; k++) {
    if (lua_rawgeti(L, -1, k + 1) != LUA_TTABLE)
      luaL_error(L, "%s: parts takes a list of tables", f->what);
    take_part(f, context, k + 1, &usual, &part[k]);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  bool single = stc_bodies_take_shape(f, context, listed ? &(stc_part){0} : &part[0]);
  if (single) take_surface(f, &usual, &part[0]);
  bool bare = !listed && stc_field_is_there(f, "mass") && stc_field_is_there(f, "inertia");
  if (single == listed && !bare)
    luaL_error(L,
               "%s needs one shape (box, sphere, capsule, cylinder, hull, plane, terrain) or "
               "'parts', %s",
               f->what, listed ? "not both" : "a list of them; or a mass and an inertia");
  body->parts = single || listed ? (int)count : 0;
  body->part = part;
}

// --- Mass ---

// Densities of the parts so that they weigh `mass` together: their own keep their ratios.
static void spread_mass(const stc_fields *f, const stc_rigid_body *body, double mass) {
  stc_part *part = (stc_part *)body->part;
  double all = 0;
  for (int k = 0; k < body->parts; k++) {
    double volume, centre[3], inertia[6];
    if (part[k].sensor) continue;
    if (stc_shape_mass(&part[k].shape, &volume, centre, inertia) != STC_OK)
      luaL_error(f->L, "%s: %s", f->what, stc_error_detail());
    if (part[k].density == 0) part[k].density = 1;
    all += volume * part[k].density;
  }
  for (int k = 0; k < body->parts; k++) part[k].density *= mass / all;
}

static void take_mass(const stc_fields *f, const stc_context *context, stc_rigid_body *body) {
  stc_part *part = (stc_part *)body->part;
  bool has_mass = stc_field_is_there(f, "mass"), has_inertia = stc_field_is_there(f, "inertia");
  if (has_mass && stc_field_is_there(f, "density"))
    luaL_error(f->L, "%s has a mass and a density; give one", f->what);
  if (has_inertia && !has_mass) luaL_error(f->L, "%s has an inertia, but no mass", f->what);
  if (stc_field_is_there(f, "centre") && !has_inertia)
    luaL_error(f->L, "%s has a centre, which goes with a mass and an inertia", f->what);
  double density = stc_field_number_or(f, "density", USUAL_DENSITY, TINY, HUGE_NUMBER);
  double mass = stc_field_number_or(f, "mass", 0, TINY, HUGE_NUMBER);
  if (has_inertia) {
    body->mass = mass;
    // xx, yy, zz and perhaps xy, yz, zx; in the plane one number.
    lua_State *L = f->L;
    int type = stc_field(f, "inertia");
    if (type == LUA_TNUMBER && context->settings.plane) {
      body->inertia[0] = body->inertia[1] = body->inertia[2] =
          stc_take_number(L, -1, f->what, "inertia");
    } else {
      int count = type == LUA_TTABLE && lua_rawlen(L, -1) == 3 ? 3 : 6;
      stc_take_vector(L, -1, f->what, "inertia", body->inertia, count);
    }
    lua_pop(L, 1);
    stc_bodies_vector(f, context, "centre", body->centre);
  } else if (has_mass && body->mobility == STC_MOBILITY_FREE) {
    spread_mass(f, body, mass);
  }
  for (int k = 0; k < body->parts; k++)
    if (part[k].density == 0) part[k].density = density;
}

// --- Motion ---

static void take_mobility(const stc_fields *f, stc_bodies_body *b) {
  bool fixed = stc_field_flag(f, "fixed");
  b->drive = stc_field_function(f, "drive");
  bool driven = stc_callback_is_there(&b->drive);
  if (fixed && driven) luaL_error(f->L, "%s is fixed and driven; leave one out", f->what);
  b->body.mobility = fixed ? STC_MOBILITY_FIXED : driven ? STC_MOBILITY_DRIVEN : STC_MOBILITY_FREE;
  bool moves = stc_field_is_there(f, "velocity") || stc_field_is_there(f, "omega");
  if (moves && b->body.mobility != STC_MOBILITY_FREE)
    luaL_error(f->L, "%s is %s; velocity and omega are for bodies that move freely", f->what,
               fixed ? "fixed" : "driven");
}

static void take_color(const stc_fields *f, stc_bodies_body *b) {
  b->colored = stc_field(f, "color") != LUA_TNIL;
  if (b->colored) stc_take_vector(f->L, -1, f->what, "color", b->color, 3);
  lua_pop(f->L, 1);
  for (int k = 0; k < 3; k++)
    if (!(b->color[k] >= 0 && b->color[k] <= 1))
      luaL_error(f->L, "%s: color has %f; give red, green and blue from 0 to 1", f->what,
                 b->color[k]);
}

// --- The whole ---

static void take_body(const stc_fields *f, stc_context *context, stc_bodies_body *b) {
  const char *surface = stc_field_text(f, "surface");
  take_mobility(f, b);
  take_parts(f, context, &b->body);
  // Planes and terrains are there to stay.
  for (int k = 0; k < b->body.parts; k++) {
    stc_shape_kind kind = b->body.part[k].shape.kind;
    bool endless = stc_shape_is_endless(kind);
    if (endless && b->body.mobility == STC_MOBILITY_FREE) b->body.mobility = STC_MOBILITY_FIXED;
  }
  take_mass(f, context, &b->body);
  stc_bodies_vector(f, context, "at", b->body.pose.x);
  stc_bodies_rotation(f, context, "rotation", b->body.pose.rotation);
  stc_bodies_vector(f, context, "velocity", b->body.velocity);
  double *omega = b->body.omega;
  int type = stc_field(f, "omega");
  if (type == LUA_TNUMBER && context->settings.plane)
    omega[2] = stc_take_number(f->L, -1, f->what, "omega");
  else if (type != LUA_TNIL)
    stc_take_vector(f->L, -1, f->what, "omega", omega, 3);
  lua_pop(f->L, 1);
  if (surface) b->body.surface = stc_bodies_surface(f->L, context, f->what, surface);
  stc_bodies_take_loads(f, context, b);
  take_color(f, b);
}

int stc_bodies_rigid(lua_State *L) {
  stc_context *context = stc_bodies_of(L, "rigid");
  stc_fields f =
      STC_FIELDS(L, 1, "rigid", "name", "box", "sphere", "capsule", "cylinder", "hull", "plane",
                 "terrain", "parts", "at", "rotation", "velocity", "omega", "density", "mass",
                 "centre", "inertia", "surface", "fixed", "drive", "color", "force", "torque",
                 "linear_damping", "angular_damping", "group", "mask", "sensor", "continuous");
  stc_bodies_body b = {
      .scene = stc_scene_of(L), .line = stc_scene_line(L), .body = stc_default_body()};
  take_name(&f, context, &b);
  f.what = lua_pushfstring(L, b.named ? "rigid '%s'" : "rigid %s", b.name);
  take_body(&f, context, &b);
  b.body.name = b.name;
  b.body.continuous = stc_field_flag(&f, "continuous");
  *STC_CONTEXT_ADD(L, "rigid", &context->bodies, context->body) = b;
  lua_pushinteger(L, context->bodies.count);
  return 1;
}
