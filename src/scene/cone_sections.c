// section { ... }: the law of any convex cone, by its section.
//   section { back = 0.2, forth = 0.6 }           in the plane
//   section { polygon = { { x, y }, ... } }       section { curve = { { x, y }, ... } }
//   section { superellipse = { a =, b =, exponent =, angle =, centre = { x, y } } }
//   section { support = function(x, y) ... end }  and mu, what it is multiplied by
// Sections belong to the scene: they are described where it is read and freed with it.
#include "scene_data.h"

#include "../base/number.h"

#include <lauxlib.h>
#include <math.h>

enum { MOST_POINTS = 100000 };

static const double WIDEST = 1e12;
static const size_t PER_ARC = 9 * sizeof(double);  // bytes that an arc or a corner takes
static const size_t MOST_ARCS = 8192;              // of what is neither corners nor points

/// What a scene has made.
struct stc_scene_section {
  stc_cone_section *section;
  struct stc_scene_section *before;
};

void stc_scene_free_sections(stc_scene *scene) {
  for (stc_scene_section *s = scene->section; s; s = s->before) stc_cone_section_free(&s->section);
  scene->section = NULL;
}

/// A place for a section; its memory counts as memory of the scene.
static stc_cone_section **add_section(lua_State *L, size_t arcs) {
  stc_scene *scene = stc_scene_of(L);
  if (!scene->options)
    luaL_error(L, "section: describe it where the scene is read, not while it runs: a function "
                  "may return one that is there");
  stc_sandbox_account(L, arcs * PER_ARC);
  stc_scene_section *own = STC_TAKE(&scene->arena, stc_scene_section, 1);
  if (!own) luaL_error(L, "out of memory for a section");
  *own = (stc_scene_section){.before = scene->section};
  scene->section = own;
  return &own->section;
}

static const stc_cone_section *made(lua_State *L, stc_error error,
                                    stc_cone_section *const *section) {
  if (error) luaL_error(L, "%s", stc_error_detail());
  return *section;
}

// --- Each kind ---

/// The list of points on top of the stack.
static const stc_cone_section *from_points(const stc_fields *f, const char *name) {
  lua_State *L = f->L;
  int points = stc_field_list(f, name, "a list of points { x, y }", 3, MOST_POINTS);
  double *x = stc_scene_numbers(L, 2 * (size_t)points);
  for (int k = 0; k < points; k++) {
    lua_rawgeti(L, -1, k + 1);
    stc_take_vector(L, -1, f->what, name, x + 2 * (size_t)k, 2);
    lua_pop(L, 1);
  }
  bool round = name[0] == 'c';
  stc_cone_section **section = add_section(L, 2 * (size_t)points);
  return made(L, (round ? stc_cone_section_curve : stc_cone_section_polygon)(points, x, section),
              section);
}

static const stc_cone_section *from_interval(const stc_fields *f) {
  double back = stc_field_number_or(f, "back", 0, 0, WIDEST);
  double forth = stc_field_number_or(f, "forth", 0, 0, WIDEST);
  stc_cone_section **section = add_section(f->L, 1);
  return made(f->L, stc_cone_section_interval(back, forth, section), section);
}

static const stc_cone_section *from_superellipse(const stc_fields *from) {
  lua_State *L = from->L;
  stc_field(from, "superellipse");
  if (!lua_istable(L, -1))
    stc_refuse(L, -1, from->what, "superellipse", "a table { a = ..., b = ..., exponent = ... }");
  stc_fields f = STC_FIELDS(L, lua_gettop(L), "section: superellipse", "a", "b", "exponent",
                            "angle", "centre");
  stc_superellipse e = {.a = stc_field_number(&f, "a", 0, WIDEST),
                        .b = stc_field_number(&f, "b", 0, WIDEST),
                        .exponent = stc_field_number_or(&f, "exponent", 2, 1, WIDEST),
                        .angle = stc_field_number_or(&f, "angle", 0, -100, 100)};
  stc_field(&f, "centre");
  if (!lua_isnil(L, -1)) stc_take_vector(L, -1, f.what, "centre", e.centre, 2);
  stc_cone_section **section = add_section(L, MOST_ARCS);
  return made(L, stc_cone_section_superellipse(&e, section), section);
}

/// A support function of Lua: its first error is kept on the stack and ends the questions.
typedef struct support_call {
  lua_State *L;
  int function;  // its place on the stack
  bool failed;
} support_call;

static double ask_support(void *user, double x, double y) {
  support_call *call = user;
  lua_State *L = call->L;
  double h = NAN;
  if (call->failed) return h;
  lua_pushvalue(L, call->function);
  lua_pushnumber(L, x);
  lua_pushnumber(L, y);
  call->failed = lua_pcall(L, 2, 1, 0) != LUA_OK;
  if (call->failed) return h;
  if (lua_type(L, -1) == LUA_TNUMBER) h = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return h;
}

static const stc_cone_section *from_support(const stc_fields *f) {
  lua_State *L = f->L;
  if (stc_field(f, "support") != LUA_TFUNCTION)
    stc_refuse(L, -1, f->what, "support", "a function of x and y, the largest p . (x, y)");
  support_call call = {.L = L, .function = lua_gettop(L)};
  stc_cone_section **section = add_section(L, MOST_ARCS);
  luaL_checkstack(L, 4, "support function");
  stc_error error = stc_cone_section_support(ask_support, &call, section);
  if (call.failed) lua_error(L);
  return made(L, error, section);
}

// --- The law ---

static const char *const KINDS[] = {"polygon", "curve", "superellipse", "support", "back or forth"};
enum { POLYGON, CURVE, SUPERELLIPSE, SUPPORT, INTERVAL, SECTION_KINDS };

/// Which of the kinds is given, the one and only.
static int kind_of_section(const stc_fields *f) {
  int kind = -1;
  for (int k = 0; k < SECTION_KINDS; k++) {
    bool there = k == INTERVAL ? stc_field_is_there(f, "back") || stc_field_is_there(f, "forth")
                               : stc_field_is_there(f, KINDS[k]);
    if (there && kind >= 0)
      luaL_error(f->L, "section: %s and %s; give one of them", KINDS[kind], KINDS[k]);
    if (there) kind = k;
  }
  if (kind < 0)
    luaL_error(f->L, "section needs polygon, curve, superellipse, support, or back and forth");
  return kind;
}

stc_law stc_scene_section_law(const stc_fields *f) {
  int kind = kind_of_section(f);
  const stc_cone_section *section = kind == INTERVAL       ? from_interval(f)
                                    : kind == SUPPORT      ? from_support(f)
                                    : kind == SUPERELLIPSE ? from_superellipse(f)
                                                           : from_points(f, KINDS[kind]);
  return stc_law_section(section);
}
