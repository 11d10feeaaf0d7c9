// Friction as a scene writes it: laws { ... } and coefficients { ... } become userdata.
//   coulomb { mu = 0.3 }      elliptic { mu1 = 0.3, mu2 = 0.6 }      contensou { mu, radius }
//   contensou { mu, hertz = { R, E, load } }
//   rolling { mu, length }    frictionless {}      section { polygon = { ... }, mu = 1 }
// and mu may be a number, a function of speed and slip, or
//   static_kinetic { mu_s, mu_k }   stribeck { mu_s, mu_k, v_c }   slip_weakening { mu_s, mu_k,
//   distance }   tabulated { speed = { ... }, mu = { ... } }
#include "scene_data.h"

#include <lauxlib.h>

static const char TYPE_NAME[] = "friction";
static const double HUGE_MU = 1e12;

// --- Userdata ---

static int give(lua_State *L, const stc_friction *friction) {
  return stc_handle_give(L, TYPE_NAME, friction, sizeof *friction);
}

static stc_friction with_law(stc_law law) {
  return (stc_friction){.law = law, .function = {LUA_NOREF, 0}};
}

// Checks with the dimension a law of its own has, or that of space.
static void check_friction(lua_State *L, const stc_friction *friction) {
  stc_law law = friction->law;
  if (law.dim == 0) law.dim = 3;
  if (stc_law_check(&law) != STC_OK) luaL_error(L, "%s", stc_error_detail());
}

// --- Coefficients ---

static stc_friction coefficient(lua_State *L, stc_coefficient c) {
  if (stc_coefficient_check(&c) != STC_OK) luaL_error(L, "%s", stc_error_detail());
  stc_friction friction = with_law(stc_law_coulomb(0, c.mu_s));
  friction.varies = true;
  friction.coefficient = c;
  return friction;
}

static int static_kinetic(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "static_kinetic", "mu_s", "mu_k", "v_c");
  stc_friction friction = coefficient(
      L, stc_coefficient_static_kinetic(
             stc_field_number(&f, "mu_s", 0, HUGE_MU), stc_field_number(&f, "mu_k", 0, HUGE_MU),
             stc_field_number_or(&f, "v_c", STC_STATIC_KINETIC_V_C, 0, HUGE_MU)));
  return give(L, &friction);
}

static int stribeck(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "stribeck", "mu_s", "mu_k", "v_c", "exponent");
  stc_friction friction = coefficient(
      L, stc_coefficient_stribeck(
             stc_field_number(&f, "mu_s", 0, HUGE_MU), stc_field_number(&f, "mu_k", 0, HUGE_MU),
             stc_field_number(&f, "v_c", 0, HUGE_MU),
             stc_field_number_or(&f, "exponent", STC_STRIBECK_EXPONENT, 0, 100)));
  return give(L, &friction);
}

static int slip_weakening(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "slip_weakening", "mu_s", "mu_k", "distance");
  stc_friction friction =
      coefficient(L, stc_coefficient_slip_weakening(stc_field_number(&f, "mu_s", 0, HUGE_MU),
                                                    stc_field_number(&f, "mu_k", 0, HUGE_MU),
                                                    stc_field_number(&f, "distance", 0, HUGE_MU)));
  return give(L, &friction);
}

static int tabulated(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "tabulated", "speed", "mu");
  int points = stc_field_list(&f, "speed", "a list of speeds", 1, 1000000);
  double *speed = stc_scene_numbers(L, (size_t)points), *mu = stc_scene_numbers(L, (size_t)points);
  stc_take_vector(L, -1, f.what, "speed", speed, points);
  stc_field(&f, "mu");
  if (lua_istable(L, -1) && lua_rawlen(L, -1) != (lua_Unsigned)points)
    luaL_error(L, "tabulated: %I coefficients for %d speeds", (LUAI_UACINT)lua_rawlen(L, -1),
               points);
  stc_take_vector(L, -1, f.what, "mu", mu, points);
  stc_friction friction = coefficient(L, stc_coefficient_table(points, speed, mu));
  return give(L, &friction);
}

// --- Laws ---

// The field mu: a number, a function, or a coefficient.
static void take_mu(const stc_fields *f, stc_friction *friction) {
  lua_State *L = f->L;
  int type = stc_field(f, "mu");
  if (type == LUA_TNIL) luaL_error(L, "%s needs an entry 'mu'", f->what);
  stc_friction given = stc_friction_take(L, -1, f->what);
  if (given.law.kind != STC_LAW_COULOMB)
    luaL_error(L, "%s: mu is a law; give a number, a function or a coefficient", f->what);
  friction->law.mu[0] = friction->law.mu[1] = given.law.mu[0];
  friction->varies = given.varies;
  friction->coefficient = given.coefficient;
  friction->function = given.function;
  lua_pop(L, 1);
}

static int frictionless(lua_State *L) {
  static const char *const names[] = {NULL};
  stc_fields_open(L, 1, "frictionless", names);
  stc_friction friction = with_law(stc_law_frictionless(0));
  return give(L, &friction);
}

static int coulomb(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "coulomb", "mu");
  stc_friction friction = with_law(stc_law_coulomb(0, 0));
  take_mu(&f, &friction);
  return give(L, &friction);
}

static int elliptic(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "elliptic", "mu1", "mu2", "mu");
  stc_friction friction = with_law(stc_law_elliptic(1, 1));
  if (stc_field_is_there(&f, "mu")) take_mu(&f, &friction);
  friction.law.mu[0] = stc_field_number(&f, "mu1", 0, HUGE_MU);
  friction.law.mu[1] = stc_field_number(&f, "mu2", 0, HUGE_MU);
  check_friction(L, &friction);
  return give(L, &friction);
}

// The field hertz: { R, E, load }; R = 0 is a point.
static stc_hertz_patch take_patch(const stc_fields *outer) {
  lua_State *L = outer->L;
  stc_field(outer, "hertz");
  stc_fields f = STC_FIELDS(L, lua_gettop(L), "hertz", "R", "E", "load");
  stc_hertz_patch patch = {.R = stc_field_number(&f, "R", 0, HUGE_MU),
                           .stiffness = stc_field_number(&f, "E", 1e-12, 1e18),
                           .load = stc_field_number_or(&f, "load", 0, 0, HUGE_MU)};
  lua_pop(L, 1);
  return patch;
}

static int contensou(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "contensou", "mu", "radius", "hertz");
  stc_friction friction = with_law(stc_law_contensou(0, 0));
  if (stc_field_is_there(&f, "hertz") && stc_field_is_there(&f, "radius"))
    return luaL_error(L, "contensou: give a radius, or hertz, which makes it; not both");
  if (stc_field_is_there(&f, "hertz"))
    friction.patch = take_patch(&f);
  else
    friction.law.radius = stc_field_number(&f, "radius", 0, HUGE_MU);
  take_mu(&f, &friction);
  check_friction(L, &friction);
  return give(L, &friction);
}

static int rolling(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "rolling", "mu", "length");
  stc_friction friction =
      with_law(stc_law_rolling(3, 0, stc_field_number(&f, "length", 0, HUGE_MU)));
  take_mu(&f, &friction);
  check_friction(L, &friction);
  friction.law.dim = 0;  // 3 in the plane, 5 in space
  return give(L, &friction);
}

static int section(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "section", "polygon", "curve", "superellipse", "support", "back",
                            "forth", "mu");
  stc_friction friction = with_law(stc_scene_section_law(&f));
  if (stc_field_is_there(&f, "mu")) take_mu(&f, &friction);
  check_friction(L, &friction);
  return give(L, &friction);
}

// --- Interface ---

stc_friction stc_friction_take(lua_State *L, int index, const char *what) {
  const stc_friction *given = luaL_testudata(L, index, TYPE_NAME);
  if (given) return *given;
  if (lua_isnil(L, index)) return with_law(stc_law_frictionless(0));
  if (lua_isfunction(L, index)) {
    stc_friction friction = with_law(stc_law_coulomb(0, 0));
    lua_pushvalue(L, index);
    friction.function = stc_callback_take(L);
    friction.varies = true;
    return friction;
  }
  if (lua_type(L, index) != LUA_TNUMBER)
    stc_refuse(L, index, what, "friction", "a law such as coulomb { mu = 0.3 }");
  double mu = stc_take_number(L, index, what, "mu");
  if (mu < 0) luaL_error(L, "%s: mu = %f; give a number >= 0", what, mu);
  return with_law(stc_law_coulomb(0, mu));
}

int stc_scene_open_friction(lua_State *L) {
  stc_handle_open(L, TYPE_NAME);
  stc_sandbox_register(L, "frictionless", frictionless, "coulomb", coulomb, "elliptic", elliptic,
                       "contensou", contensou, "rolling", rolling, "section", section,
                       "static_kinetic", static_kinetic, "stribeck", stribeck, "slip_weakening",
                       slip_weakening, "tabulated", tabulated, NULL);
  return 0;
}
