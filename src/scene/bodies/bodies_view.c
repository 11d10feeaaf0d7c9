// Rigid bodies as their scene sees them: s.t, s.h, s.step, s.bodies, s.energy, s.report, and what
// is looked up when it is asked for: s.body(k), s.contacts(), s.equilibrium(mu).
#include "context.h"

#include "../../base/clock.h"

#include "../lagrangian/lagrangian_run.h"
#include "../view.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static stc_bodies_motion *motion_of(lua_State *L) {
  stc_bodies_motion *m = stc_scene_of(L)->context->motion;
  if (!m) luaL_error(L, "the run is over");
  return m;
}

static void push_vector(lua_State *L, const char *name, const double *x, int count) {
  lua_createtable(L, count, 0);
  stc_give_vector(L, -1, x, count);
  lua_setfield(L, -2, name);
}

// --- s.body(k) ---

static double kinetic_of(const stc_body_state *b) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += b->mass * b->velocity[k] * b->velocity[k] + b->spin[k] * b->omega[k];
  return sum / 2;
}

static int look_at_body(lua_State *L) {
  const stc_bodies_motion *m = motion_of(L);
  stc_body_state b;
  int k = stc_bodies_find_body(L, 1, m->context, "s.body");
  stc_world_body(m->world, k, &b);
  lua_createtable(L, 0, 10);
  lua_pushstring(L, m->context->body[k].name);
  lua_setfield(L, -2, "name");
  push_vector(L, "x", b.centre, 3);
  push_vector(L, "at", b.pose.x, 3);
  push_vector(L, "rotation", b.pose.rotation, 4);
  push_vector(L, "velocity", b.velocity, 3);
  push_vector(L, "omega", b.omega, 3);
  push_vector(L, "spin", b.spin, 3);
  stc_view_set_number(L, "mass", b.mass);
  stc_view_set_number(L, "energy", kinetic_of(&b));
  if (m->context->settings.plane)
    stc_view_set_number(L, "angle", 2 * atan2(b.pose.rotation[3], b.pose.rotation[0]));
  stc_old_entries(L);
  return 1;
}

// --- s.contacts() ---

static void push_contact(lua_State *L, const stc_world_contact *c, int dim) {
  lua_createtable(L, 0, 9);
  lua_pushinteger(L, c->body[0] + 1);
  lua_setfield(L, -2, "a");
  lua_pushinteger(L, c->body[1] + 1);
  lua_setfield(L, -2, "b");
  push_vector(L, "point", c->touch.point, 3);
  push_vector(L, "normal", c->touch.normal, 3);
  stc_view_set_number(L, "gap", c->touch.gap);
  push_vector(L, "r", c->r, dim);
  push_vector(L, "u", c->u, dim);
  lua_pushstring(L, stc_contact_state_name(c->state));
  lua_setfield(L, -2, "state");
}

static int look_at_contacts(lua_State *L) {
  const stc_bodies_motion *m = motion_of(L);
  int count = stc_world_contacts(m->world), dim = stc_world_dim(m->world);
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    stc_world_contact contact;
    stc_world_contact_at(m->world, k, &contact);
    push_contact(L, &contact, dim);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

// --- s.equilibrium(mu), s.equilibrium(mu, "start") ---

static int ask_equilibrium(lua_State *L) {
  stc_bodies_motion *m = motion_of(L);
  double mu = stc_take_number(L, 1, "s.equilibrium", "mu");
  bool stands = false, at_start = !lua_isnoneornil(L, 2);
  if (mu < 0) luaL_error(L, "s.equilibrium: mu = %f; give a number >= 0", mu);
  if (at_start && (lua_type(L, 2) != LUA_TSTRING || strcmp(lua_tostring(L, 2), "start") != 0))
    luaL_error(L, "s.equilibrium: the second argument can be \"start\" only");
  double wall = stc_clock(), cpu = stc_cpu_clock();
  if (stc_bodies_stands(m, at_start, mu, &stands) != STC_OK)
    luaL_error(L, "%s", stc_error_detail());
  stc_sandbox_excuse(L, wall, cpu);
  lua_pushboolean(L, stands);
  return 1;
}

// --- The table ---

static void add_function(lua_State *L, const char *name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
}

void stc_bodies_open_view(lua_State *L, const stc_scene *scene) {
  lua_pushinteger(L, scene->context->bodies.count);
  lua_setfield(L, -2, "bodies");
  add_function(L, "body", look_at_body);
  add_function(L, "contacts", look_at_contacts);
  add_function(L, "equilibrium", ask_equilibrium);
  stc_view_add_list(L, "energy");
  stc_view_add_list(L, "report");
}

static void show_report(lua_State *L, const stc_bodies_motion *m) {
  stc_view_open_table(L, "report");
  lua_pushinteger(L, m->report.contacts);
  lua_setfield(L, -2, "contacts");
  lua_pushinteger(L, m->report.joints);
  lua_setfield(L, -2, "joints");
  stc_view_set_number(L, "eta", m->report.eta);
  stc_view_set_number(L, "overlap", m->report.overlap);
  stc_view_set_number(L, "joint_gap", m->report.joint_gap);
  stc_view_set_number(L, "restitution", m->report.restitution);
  stc_view_set_number(L, "largest_eta", m->sum.eta);
  stc_view_set_number(L, "largest_overlap", m->sum.overlap);
  stc_view_set_number(L, "largest_joint_gap", m->sum.joint_gap);
  lua_pop(L, 1);
}

void stc_bodies_show(lua_State *L, void *moving) {
  const stc_bodies_motion *m = moving;
  stc_view_set_number(L, "t", stc_world_time(m->world));
  stc_view_set_number(L, "h", m->context->settings.h);
  lua_pushinteger(L, stc_world_steps(m->world));
  lua_setfield(L, -2, "step");
  stc_motion_show_energy(L, stc_world_ledger(m->world));
  show_report(L, m);
}
