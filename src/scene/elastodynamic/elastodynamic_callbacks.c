// Speeds of supports as the library asks for them; and the curve h that a scene may ask about:
// curve { mu_s, mu_d, v_c, impedance, load }.
#include "../view.h"
#include "elastodynamic_scene.h"

#include <lauxlib.h>
#include <math.h>

// --- tau ---

static double tau_at(stc_wave_member *m, int direction, double t) {
  double tau;
  return stc_scene_given_value(&m->tau[direction], t, NULL, &tau) ? tau : NAN;
}

double stc_wave_tau_x(void *user, double t) { return tau_at(user, 0, t); }
double stc_wave_tau_y(void *user, double t) { return tau_at(user, 1, t); }

// --- curve { } ---

// The curve lies in a block of memory that the functions of the table share.
static const stc_curve *curve_of(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static int roots_of(lua_State *L) {
  double w[STC_CURVE_ROOTS];
  int count = stc_curve_roots(curve_of(L), luaL_checknumber(L, 1), w);
  lua_createtable(L, count, 0);
  stc_give_vector(L, -1, w, count);
  return 1;
}

// h(w); at w = 0 its upper end.
static int height_of(lua_State *L) {
  const stc_curve *curve = curve_of(L);
  double w = luaL_checknumber(L, 1);
  lua_pushnumber(L, curve->impedance * w + copysign(curve->load * stc_rate_mu(&curve->law, w), w));
  return 1;
}

static void set_function(lua_State *L, const char *name, lua_CFunction function) {
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -3, name);
}

int stc_wave_curve(lua_State *L) {
  static const char *const names[] = {"impedance", "load", "mu_s", "mu_d", "v_c", NULL};
  stc_fields f = stc_fields_open(L, 1, "curve", names);
  stc_curve curve = {.impedance = stc_field_number_or(&f, "impedance", 1, 1e-300, 1e300),
                     .load = stc_field_number_or(&f, "load", 1, 0, 1e300),
                     .law = stc_wave_take_law(&f)};
  double w_fold, q_fold;
  stc_curve_fold(&curve, &w_fold, &q_fold);
  lua_newtable(L);
  stc_view_set_number(L, "w_fold", w_fold);
  stc_view_set_number(L, "q_fold", q_fold);
  stc_view_set_number(L, "stick_limit", stc_curve_stick_limit(&curve));
  stc_view_set_number(L, "steepness", curve.load * stc_rate_steepest(&curve.law) / curve.impedance);
  *(stc_curve *)lua_newuserdatauv(L, sizeof curve, 0) = curve;
  set_function(L, "roots", roots_of);
  set_function(L, "h", height_of);
  lua_pop(L, 1);
  return 1;
}
