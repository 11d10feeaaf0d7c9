// The table s of a system: coordinates, velocities, contacts, energy.
#include "lagrangian_run.h"

#include "../view.h"

// --- Making ---

static void add_contacts(lua_State *L, const stc_scene *scene) {
  lua_newtable(L);
  for (int k = 0; k < scene->walls; k++) {
    lua_newtable(L);
    stc_view_add_list(L, "r");
    stc_view_add_list(L, "u");
    lua_setfield(L, -2, scene->wall[k].name);
  }
  lua_setfield(L, -2, "contacts");
}

void stc_motion_open_view(lua_State *L, const stc_scene *scene) {
  stc_view_add_list(L, "q");
  stc_view_add_list(L, "u");
  lua_newtable(L);
  stc_view_add_list(L, "q");
  stc_view_add_list(L, "u");
  lua_setfield(L, -2, "before");
  stc_view_add_list(L, "energy");
  add_contacts(L, scene);
}

// --- Filling ---

static bool look_at_contact(const stc_motion *m, int wall, double *r, double *u) {
  const stc_extrapolation *e = &m->extrapolation;
  int dim = m->scene->dim;
  if (m->simulation) return stc_simulation_contact(m->simulation, wall, r, u);
  for (int k = 0; k < dim; k++) {
    r[k] = stc_extrapolation_impulse(e, wall)[k];
    u[k] = stc_extrapolation_relative(e, wall)[k];
  }
  return e->touched[wall];
}

static void show_contacts(lua_State *L, stc_motion *m) {
  const stc_scene *scene = m->scene;
  stc_view_open_table(L, "contacts");
  for (int k = 0; k < scene->walls; k++) {
    double *r = m->impulse + k * scene->dim, *u = m->relative + k * scene->dim;
    m->touching[k] = look_at_contact(m, k, r, u);
    stc_view_open_table(L, scene->wall[k].name);
    lua_pushboolean(L, m->touching[k]);
    lua_setfield(L, -2, "touching");
    stc_view_set_list(L, "r", r, scene->dim);
    stc_view_set_list(L, "u", u, scene->dim);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void stc_motion_show_energy(lua_State *L, const stc_ledger *e) {
  stc_view_open_table(L, "energy");
  stc_view_set_number(L, "kinetic", e->kinetic);
  stc_view_set_number(L, "potential", e->potential);
  stc_view_set_number(L, "start", e->start);
  stc_view_set_number(L, "work", e->work);
  stc_view_set_number(L, "drive", e->drive);
  stc_view_set_number(L, "friction", e->friction);
  stc_view_set_number(L, "shock", e->shock);
  stc_view_set_number(L, "correction", e->correction);
  stc_view_set_number(L, "error", e->error);
  lua_pop(L, 1);
}

void stc_motion_show(lua_State *L, void *motion) {
  stc_motion *m = motion;
  int dofs = m->scene->dofs;
  stc_view_set_number(L, "t", stc_motion_time(m));
  stc_view_set_number(L, "h", stc_motion_time(m) - m->t_before);
  lua_pushinteger(L, stc_motion_steps(m));
  lua_setfield(L, -2, "step");
  stc_view_set_list(L, "q", stc_motion_q(m), dofs);
  stc_view_set_list(L, "u", stc_motion_u(m), dofs);
  stc_view_open_table(L, "before");
  stc_view_set_number(L, "t", m->t_before);
  stc_view_set_list(L, "q", m->q_before, dofs);
  stc_view_set_list(L, "u", m->u_before, dofs);
  lua_pop(L, 1);
  stc_motion_show_energy(L, stc_motion_ledger(m));
  show_contacts(L, m);
}
