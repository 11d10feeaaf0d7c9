// What a scene sees of heat and current: s.temperature, s.potential, s.heat, s.current, s.flow,
// s.heat_rate, s.heat_sum.
#include "../view.h"
#include "fem_run.h"

#include <lauxlib.h>
#include <math.h>

static const stc_loading *heated(lua_State *L, const char *word) {
  const stc_loading *l = stc_loading_of(L);
  if (!l->deform->heat.described)
    luaL_error(L, "s.%s is for scenes with thermal { }; this one has no heat", word);
  return l;
}

static int look_at_temperature(lua_State *L) {
  const stc_loading *l = heated(L, "temperature");
  lua_pushnumber(L, stc_fem_temperature(l->fem)[stc_loading_node(L, l)]);
  return 1;
}

static int look_at_potential(lua_State *L) {
  const stc_loading *l = heated(L, "potential");
  lua_pushnumber(L, stc_fem_potential(l->fem)[stc_loading_node(L, l)]);
  return 1;
}

static double flow_of(lua_State *L, const char *word, bool current) {
  const stc_loading *l = heated(L, word);
  double flow[2] = {0};
  if (stc_fem_group_flow(l->fem, stc_loading_group(L, l)->name, &flow[0], &flow[1]) != STC_OK)
    luaL_error(L, "%s", stc_error_detail());
  return flow[current];
}

static int look_at_heat(lua_State *L) {
  lua_pushnumber(L, flow_of(L, "heat", false));
  return 1;
}

static int look_at_current(lua_State *L) {
  lua_pushnumber(L, flow_of(L, "current", true));
  return 1;
}

#define OF_FLOW(name) STC_NUMBER(stc_contact_flow, name)
static const stc_number flow_numbers[] = {
    OF_FLOW(jump),           OF_FLOW(conductance), OF_FLOW(heat),
    OF_FLOW(potential_jump), OF_FLOW(electric),    OF_FLOW(current),
    OF_FLOW(friction),       OF_FLOW(joule),       {NULL, 0}};

// s.flow("contact"): the points of a contact as in s.contact, what passes at each.
static int look_at_flow(lua_State *L) {
  const stc_loading *l = heated(L, "flow");
  int pair = stc_loading_pair(L, l), count = stc_fem_contacts(l->fem, pair);
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    stc_contact_flow flow;
    stc_fem_contact_flow(l->fem, pair, k, &flow);
    lua_createtable(L, 0, 8);
    stc_view_set_numbers(L, &flow, flow_numbers);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

void stc_loading_open_heat(lua_State *L) {
  static const luaL_Reg words[] = {{"temperature", look_at_temperature},
                                   {"potential", look_at_potential},
                                   {"heat", look_at_heat},
                                   {"current", look_at_current},
                                   {"flow", look_at_flow},
                                   {NULL, NULL}};
  luaL_setfuncs(L, words, 0);
}

#define OF_HEAT(name) STC_NUMBER(stc_heat_balance, name)
static const stc_number heat_numbers[] = {
    OF_HEAT(stored),  OF_HEAT(given),    OF_HEAT(surface),  OF_HEAT(source), OF_HEAT(joule),
    OF_HEAT(contact), OF_HEAT(friction), OF_HEAT(obstacle), OF_HEAT(error),  {NULL, 0}};

void stc_loading_show_heat(lua_State *L, const stc_loading *l) {
  if (!l->deform->heat.described) return;
  stc_view_open_table(L, "heat_rate");
  stc_view_set_numbers(L, &l->heat_rate, heat_numbers);
  lua_pop(L, 1);
  stc_view_open_table(L, "heat_sum");
  stc_view_set_numbers(L, &l->heat_sum, heat_numbers);
  lua_pop(L, 1);
  int solves, passes;
  stc_fem_thermal_work(l->fem, &solves, &passes);
  stc_view_set_integer(L, "passes", passes);
}

void stc_loading_list_heat(stc_loading *l) {
  static const char *const names[] = {"heat_stored",   "heat_given",    "heat_surface",
                                      "heat_source",   "heat_joule",    "heat_contact",
                                      "heat_friction", "heat_obstacle", "heat_error"};
  if (!l->deform->heat.described) return;
  for (int k = 0; heat_numbers[k].name; k++)
    stc_show(&l->run, &l->run.columns, stc_number_at(&l->heat_sum, &heat_numbers[k]), "%s",
             names[k]);
}
