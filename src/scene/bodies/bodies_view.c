// Rigid bodies as their scene sees them: s.t, s.h, s.step, s.bodies, s.energy, s.report, and what
// is looked up when it is asked for: s.body(k), s.contacts(), s.joint(k), s.events(),
// s.equilibrium(mu).
#include "../../base/clock.h"
#include "../view.h"
#include "context.h"

#include <lauxlib.h>
#include <math.h>
#include <stiction/events.h>
#include <string.h>

static stc_bodies_motion *motion_of(lua_State *L) {
  stc_bodies_motion *m = stc_scene_of(L)->context->motion;
  if (!m) luaL_error(L, "the run is over");
  return m;
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
  if (stc_world_body(m->world, stc_world_body_at(m->world, k), &b))
    luaL_error(L, "s.body: %s", stc_error_detail());
  lua_createtable(L, 0, 10);
  stc_view_set_text(L, "name", m->context->body[k].name);
  stc_view_set_vector(L, "x", b.centre, 3);
  stc_view_set_vector(L, "at", b.pose.x, 3);
  stc_view_set_vector(L, "rotation", b.pose.rotation, 4);
  stc_view_set_vector(L, "velocity", b.velocity, 3);
  stc_view_set_vector(L, "omega", b.omega, 3);
  stc_view_set_vector(L, "spin", b.spin, 3);
  stc_view_set_number(L, "mass", b.mass);
  stc_view_set_number(L, "energy", kinetic_of(&b));
  if (m->context->settings.plane)
    stc_view_set_number(L, "angle", 2 * atan2(b.pose.rotation[3], b.pose.rotation[0]));
  stc_old_entries(L);
  return 1;
}

// --- s.contacts() ---

static int look_at_contacts(lua_State *L) {
  const stc_bodies_motion *m = motion_of(L);
  int count = stc_world_contacts(m->world), dim = stc_world_dim(m->world);
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    stc_world_contact contact;
    stc_world_contact_at(m->world, k, &contact);
    lua_createtable(L, 0, 9);
    stc_view_set_integer(L, "a", contact.body[0].index + 1);
    stc_view_set_integer(L, "b", contact.body[1].index + 1);
    stc_view_set_vector(L, "point", contact.point.x, 3);
    stc_view_set_vector(L, "normal", contact.point.normal, 3);
    stc_view_set_number(L, "gap", contact.point.gap);
    stc_view_set_vector(L, "r", contact.r, dim);
    stc_view_set_vector(L, "u", contact.u, dim);
    stc_view_set_text(L, "state", stc_contact_state_name(contact.state));
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

// --- s.joint(k) ---

static int look_at_joint(lua_State *L) {
  const stc_bodies_motion *m = motion_of(L);
  double k = stc_take_number(L, 1, "s.joint", "number");
  int count = stc_world_joint_slots(m->world);
  stc_joint_state j;
  if (!(k >= 1 && k <= count) || k != floor(k))
    luaL_error(L, "s.joint: there is no joint %f; there are %d", k, count);
  if (stc_world_joint(m->world, stc_world_joint_at(m->world, (int)k - 1), &j))
    luaL_error(L, "s.joint: %s", stc_error_detail());
  lua_createtable(L, 0, 10);
  stc_view_set_text(L, "kind", stc_joint_name((int)j.kind));
  lua_pushboolean(L, j.broken);
  lua_setfield(L, -2, "broken");
  stc_view_set_vector(L, "value", j.value, j.coordinates);
  stc_view_set_vector(L, "rate", j.rate, j.coordinates);
  stc_view_set_vector(L, "force", j.force, 3);
  stc_view_set_vector(L, "torque", j.torque, 3);
  stc_view_set_vector(L, "limit", j.limit, j.coordinates);
  stc_view_set_vector(L, "spring", j.spring, j.coordinates);
  stc_view_set_vector(L, "motor", j.motor, j.coordinates);
  stc_view_set_vector(L, "friction", j.friction, j.coordinates);
  return 1;
}

// --- s.events() ---

static int look_at_events(lua_State *L) {
  static const char *const names[2][2] = {{"a", "b"}, {"part_a", "part_b"}};
  const stc_world_event *event;
  int count = stc_world_events(motion_of(L)->world, &event);
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    const stc_world_event *e = &event[k];
    lua_createtable(L, 0, 9);
    stc_view_set_text(L, "kind", stc_event_name(e->kind));
    for (int i = 0; i < 2; i++) {
      stc_view_set_integer(L, names[0][i], e->body[i].index + 1);
      stc_view_set_integer(L, names[1][i], e->part[i] + 1);
    }
    lua_pushboolean(L, e->sensor);
    lua_setfield(L, -2, "sensor");
    stc_view_set_integer(L, "contacts", e->contacts);
    stc_view_set_vector(L, "impulse", e->impulse, 3);
    stc_view_set_number(L, "speed", e->speed);
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

void stc_bodies_open_view(lua_State *L, const stc_scene *scene) {
  static const luaL_Reg words[] = {{"body", look_at_body},           {"contacts", look_at_contacts},
                                   {"joint", look_at_joint},         {"events", look_at_events},
                                   {"equilibrium", ask_equilibrium}, {NULL, NULL}};
  stc_view_set_integer(L, "bodies", scene->context->bodies.count);
  luaL_setfuncs(L, words, 0);
}

#define OF_STEPS(name) STC_NUMBER(stc_bodies_numbers, name)

void stc_bodies_show(lua_State *L, void *moving) {
  static const stc_number table[] = {OF_STEPS(eta),
                                     OF_STEPS(overlap),
                                     OF_STEPS(joint_gap),
                                     OF_STEPS(restitution),
                                     OF_STEPS(largest_eta),
                                     OF_STEPS(largest_overlap),
                                     OF_STEPS(largest_joint_gap),
                                     OF_STEPS(relaxed),
                                     {NULL, 0}};
  const stc_bodies_motion *m = moving;
  stc_view_set_number(L, "h", m->context->settings.h);
  stc_view_set_shown(L, "energy", &m->run.energy);
  stc_view_open_table(L, "report");
  stc_view_set_integer(L, "contacts", (long)m->numbers.contacts);
  stc_view_set_integer(L, "joints", (long)m->numbers.joints);
  stc_view_set_numbers(L, &m->numbers, table);
  lua_pop(L, 1);
}
