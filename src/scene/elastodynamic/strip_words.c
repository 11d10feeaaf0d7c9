// strip { }: an elastic body on a moving support as a scene describes it, a cylinder or a mesh,
// checked as it is said.
#include "../fem/fem_scene.h"
#include "elastodynamic_scene.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const double HUGE_NUMBER = 1e300;
static const double TINY = 1e-300;

// --- The shape ---

static int take_list(const stc_fields *f, const char *name, double *x, double least) {
  lua_State *L = f->L;
  int length = stc_field_list(f, name, "a list of numbers, 2 in the plane, 3 in space", 2, 3);
  stc_take_vector(L, -1, f->what, name, x, length);
  for (int k = 0; k < length; k++)
    if (!(x[k] >= least)) luaL_error(L, "%s: %s has an entry %f", f->what, name, x[k]);
  lua_pop(L, 1);
  return length;
}

static void take_cylinder(const stc_fields *f, stc_strip_settings *s) {
  double cells[3];
  s->dim = take_list(f, "size", s->size, TINY);
  if (take_list(f, "cells", cells, 1) != s->dim)
    luaL_error(f->L, "%s: size and cells have different lengths", f->what);
  double nodes = 1;
  for (int k = 0; k < s->dim; k++) nodes *= cells[k] + 1;
  stc_deform_charge_nodes(f->L, f->what, nodes);
  for (int k = 0; k < s->dim; k++) s->cells[k] = (int)cells[k];
  s->periodic = stc_field_flag(f, "periodic");
}

// A body from a mesh has neither size nor cells.
static void take_mesh(const stc_fields *f, stc_strip_settings *s) {
  static const char *const other[] = {"size", "cells", "periodic"};
  for (int k = 0; k < 3; k++)
    if (stc_field_is_there(f, other[k]))
      luaL_error(f->L, "%s: %s is for a cylinder; a mesh has its own", f->what, other[k]);
  stc_field(f, "mesh");
  s->mesh = stc_deform_take_mesh(f->L, -1);
  if (!s->mesh) stc_refuse(f->L, -1, f->what, "mesh", "what grid { } or gmsh { } returned");
  lua_pop(f->L, 1);
  s->dim = s->mesh->dim;
  s->contact = stc_deform_text(f, "contact");
}

static void take_shape(const stc_fields *f, stc_strip_settings *s) {
  if (stc_field_is_there(f, "mesh"))
    take_mesh(f, s);
  else
    take_cylinder(f, s);
  s->pressed = stc_field_flag(f, "pressed");
  if (stc_field_is_there(f, "force") && take_list(f, "force", s->force, -HUGE_NUMBER) != s->dim)
    luaL_error(f->L, "%s: force needs %d entries", f->what, s->dim);
}

// --- Numbers and functions of t and x ---

static void note_function(lua_State *L, stc_wave_member *m, const stc_callback *function) {
  m->function_at = stc_arena_more(&m->scene->arena, m->function_at, m->functions, &m->function_room,
                                  sizeof *m->function_at);
  if (!m->function_at) luaL_error(L, "out of memory");
  m->function_at[m->functions++] = function;
}

// What is on top of the stack.
static stc_given take_given(const stc_fields *f, stc_wave_member *m, const char *name) {
  stc_scene_given *given = STC_TAKE(&m->scene->arena, stc_scene_given, 1);
  if (!given) luaL_error(f->L, "out of memory");
  *given = stc_scene_given_take(f, name, "a number or a function of t and x");
  note_function(f->L, m, &given->function);
  return stc_scene_given_of(given, m->strip.dim);
}

static stc_given take_given_field(const stc_fields *f, stc_wave_member *m, const char *name,
                                  double fallback) {
  if (stc_field(f, name) != LUA_TNIL) return take_given(f, m, name);
  lua_pop(f->L, 1);
  return (stc_given){.value = fallback};
}

// A list of components; those that are missing, or all of it, stay 0.
static void take_components(const stc_fields *f, stc_wave_member *m, const char *name,
                            stc_given *given) {
  lua_State *L = f->L;
  int type = stc_field(f, name);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    stc_refuse(L, -1, f->what, name, "a list of numbers or functions of t and x");
  if (type == LUA_TTABLE && lua_rawlen(L, -1) > (lua_Unsigned)m->strip.dim)
    luaL_error(L, "%s: %s has %I entries in %d dimensions", f->what, name,
               (LUAI_UACINT)lua_rawlen(L, -1), m->strip.dim);
  for (int k = 0; k < m->strip.dim && type == LUA_TTABLE; k++) {
    if (lua_rawgeti(L, -1, k + 1) == LUA_TNIL)
      lua_pop(L, 1);
    else
      given[k] = take_given(f, m, name);
  }
  lua_pop(L, 1);
}

// --- The coefficient ---

static double mu_of_scene(void *user, double speed) {
  stc_wave_member *m = user;
  double mu = 0;
  bool good = stc_call_scene(&(stc_call){.scene = m->scene,
                                         .function = &m->mu,
                                         .what = "strip",
                                         .name = "mu",
                                         .numbers = 1,
                                         .number = {speed},
                                         .answer = &mu,
                                         .count = 1});
  return good ? mu : NAN;
}

static void take_table(const stc_fields *f, stc_wave_member *m) {
  lua_State *L = f->L;
  stc_fields own = STC_FIELDS(L, lua_gettop(L), f->what, "speed", "mu");
  int points = stc_field_list(&own, "speed", "a list of speeds", 1, 100000);
  double *speed = stc_scene_numbers(L, (size_t)points), *mu = stc_scene_numbers(L, (size_t)points);
  stc_take_vector(L, -1, f->what, "speed", speed, points);
  stc_field(&own, "mu");
  stc_take_vector(L, -1, f->what, "mu", mu, points);
  lua_pop(L, 2);
  m->mu_curve = (stc_rate_curve){.points = points, .speed = speed, .mu = mu};
}

// A number, a table { speed = ..., mu = ... } or a function of the slip rate, instead of mu_s, mu_d
// and v_c.
static void take_coefficient(const stc_fields *f, stc_wave_member *m) {
  static const char *const other[] = {"mu_s", "mu_d", "v_c"};
  static const double rest = 0;
  lua_State *L = f->L;
  int type = stc_field(f, "mu");
  for (int k = 0; k < 3 && type != LUA_TNIL; k++)
    if (stc_field_is_there(f, other[k]))
      luaL_error(L, "%s: mu and %s are two coefficients; give one of them", f->what, other[k]);
  if (type == LUA_TNIL) {
    m->strip.law = stc_wave_take_law(f);
  } else if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, -1);
    m->mu = stc_callback_take(L);
    note_function(L, m, &m->mu);
    m->mu_curve = (stc_rate_curve){.function = mu_of_scene,
                                   .user = m,
                                   .steepest = stc_field_number(f, "steepest", 0, HUGE_NUMBER),
                                   .greatest = stc_field_number(f, "greatest", 0, HUGE_NUMBER)};
  } else if (type == LUA_TTABLE) {
    take_table(f, m);
  } else {
    double *mu = stc_scene_numbers(L, 1);
    *mu = stc_take_number(L, -1, f->what, "mu");
    m->mu_curve = (stc_rate_curve){.points = 1, .speed = &rest, .mu = mu};
  }
  if (type != LUA_TNIL) m->strip.mu = &m->mu_curve;
  lua_pop(L, 1);
}

// --- Regions ---

static void take_stiffness(const stc_fields *f, stc_wave_member *m, stc_elastic_region *r) {
  int n = m->strip.dim == 2 ? 3 : 6;
  if (stc_field(f, "stiffness") == LUA_TNIL) {
    r->lambda = stc_field_number(f, "lambda", 0, HUGE_NUMBER);
    r->shear = stc_field_number(f, "shear", TINY, HUGE_NUMBER);
  } else {
    double *C = stc_scene_numbers(f->L, (size_t)(n * n));
    stc_take_matrix(f->L, -1, f->what, "stiffness", C, n);
    r->stiffness = C;
  }
  lua_pop(f->L, 1);
}

static void take_region(const stc_fields *f, stc_wave_member *m, stc_elastic_region *r) {
  stc_fields own = STC_FIELDS(f->L, lua_gettop(f->L), f->what, "group", "lambda", "shear",
                              "stiffness", "scale", "density", "force");
  r->group = stc_deform_text(&own, "group");
  own.what = stc_scene_copy(f->L, lua_pushfstring(f->L, "%s, region '%s'", f->what, r->group));
  lua_pop(f->L, 1);
  take_stiffness(&own, m, r);
  r->scale = take_given_field(&own, m, "scale", 0);
  r->density = take_given_field(&own, m, "density", m->strip.density);
  take_components(&own, m, "force", r->force);
}

static void take_regions(const stc_fields *f, stc_wave_member *m) {
  lua_State *L = f->L;
  if (!stc_field_is_there(f, "regions")) return;
  int count = stc_field_list(f, "regions", "a list of tables", 1, STC_DEFORM_ENTRIES);
  stc_elastic_region *region = STC_TAKE(&m->scene->arena, stc_elastic_region, count);
  if (!region) luaL_error(L, "out of memory");
  for (int k = 0; k < count; k++) {
    if (lua_rawgeti(L, -1, k + 1) != LUA_TTABLE)
      luaL_error(L, "%s: regions takes a list of tables", f->what);
    take_region(f, m, &region[k]);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  m->strip.regions = count;
  m->strip.region = region;
}

// --- Supports and tractions ---

static int take_component(const stc_fields *f, int dim, bool normal) {
  static const char *const names[] = {"x", "y", "z", "normal", NULL};
  const char *word = stc_field_text(f, "component");
  int k = word ? 0 : -1;
  while (k >= 0 && names[k] && strcmp(word, names[k]) != 0) k++;
  if (k >= 0 && !names[k]) k = -1;
  if (k < 0 || (k >= dim && k != 3) || (k == 3 && !normal))
    luaL_error(f->L, "%s needs an entry 'component': x, y%s%s", f->what, dim == 3 ? ", z" : "",
               normal ? ", or normal for a pressure" : "");
  return k == 3 ? -1 : k;
}

static stc_scene_load *take_sides(const stc_fields *f, stc_wave_member *m, const char *name,
                                  bool normal, int *count) {
  lua_State *L = f->L;
  int type = stc_field(f, name);
  if (type != LUA_TTABLE && type != LUA_TNIL)
    stc_refuse(L, -1, f->what, name,
               "a list: { { side = \"top\", component = \"y\", value = 0 } }");
  *count = type == LUA_TNIL ? 0 : (int)fmin((double)lua_rawlen(L, -1), STC_DEFORM_ENTRIES);
  stc_scene_load *given = STC_TAKE(&m->scene->arena, stc_scene_load, *count + 1);
  if (!given) luaL_error(L, "out of memory");
  for (int k = 0; k < *count; k++) {
    if (lua_rawgeti(L, -1, k + 1) != LUA_TTABLE)
      luaL_error(L, "%s: %s takes a list of tables", f->what, name);
    // One entry of supports or tractions, on top of the stack.
    stc_fields own =
        STC_FIELDS(f->L, lua_gettop(f->L), f->what, "side", "group", "component", "value");
    bool group = stc_field_is_there(&own, "group");
    given[k] = (stc_scene_load){.line = m->line,
                                .group = stc_deform_text(&own, group ? "group" : "side"),
                                .component = take_component(&own, m->strip.dim, normal),
                                .given = stc_deform_take_given(&own)};
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return given;
}

// The speed of the support: along the tangents of a cylinder, of a plane mesh, or a list of
// components in space.
static void take_speed(const stc_fields *f, stc_wave_member *m) {
  bool list = stc_field(f, "tau") == LUA_TTABLE;
  lua_pop(f->L, 1);
  if (m->strip.mesh && m->strip.dim == 3 && !list)
    luaL_error(f->L, "%s: tau on a mesh in space is a list of 3 numbers or functions of t and x",
               f->what);
  if (m->strip.mesh && list)
    take_components(f, m, "tau", m->strip.speed);
  else
    stc_wave_take_tau(f, m, m->strip.dim - 1);
}

int stc_wave_describe_strip(lua_State *L) {
  static const char *const names[] = {
      "name",     "size",        "cells",     "periodic",
      "mesh",     "contact",     "regions",   "pressed",
      "force",    "u0",          "u1",        "gap",
      "mu_s",     "mu_d",        "v_c",       "mu",
      "steepest", "greatest",    "rule",      "tau",
      "pressure", "supports",    "tractions", "threshold",
      "estimate", "certificate", "window",    STC_STRIP_FIELDS(STC_KEY_NAME) NULL};
  stc_fields f;
  stc_wave_member *m = stc_wave_open_member(L, &stc_wave_strip, names, &f);
  if (stc_field_is_there(&f, "dt")) luaL_error(L, "%s: dt stands in elastodynamic { }", f.what);
  m->strip = stc_default_strip_settings();
  stc_strip_settings *keys = &m->strip;
  STC_STRIP_FIELDS(STC_KEY_TAKE)
  take_shape(&f, &m->strip);
  m->ops = m->strip.mesh       ? m->strip.dim == 3 ? &stc_wave_body3 : &stc_wave_body2
           : m->strip.dim == 3 ? &stc_wave_block
                               : &stc_wave_strip;
  take_coefficient(&f, m);
  m->strip.rule = stc_wave_take_rule(&f, m);
  m->pressure = stc_field_number_or(&f, "pressure", 0, 0, HUGE_NUMBER);
  m->threshold = stc_field_number_or(&f, "threshold", 0, 0, HUGE_NUMBER);
  take_speed(&f, m);
  take_regions(&f, m);
  take_components(&f, m, "u0", m->strip.u0);
  take_components(&f, m, "u1", m->strip.u1);
  m->strip.gap = take_given_field(&f, m, "gap", 0);
  m->alpha = stc_field_number_or(&f, "estimate", 0, TINY, HUGE_NUMBER);
  m->certificates = stc_field_flag(&f, "certificate");
  m->fixed_window = stc_field_number_or(&f, "window", 0, 0, HUGE_NUMBER);
  m->support = take_sides(&f, m, "supports", false, &m->supports);
  m->traction = take_sides(&f, m, "tractions", true, &m->tractions);
  return 0;
}
