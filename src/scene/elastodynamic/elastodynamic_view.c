// An elastodynamic run as its scene sees it: s.t, s.step, and for each member s.NAME with the
// numbers of its row, its events, what is known of its uniqueness, and of a strip nodes().
#include "elastodynamic_scene.h"

#include "../view.h"

#include <lauxlib.h>
#include <math.h>

// --- nodes() of a strip ---

static void push_vector(lua_State *L, const char *name, const double *x, int count) {
  lua_createtable(L, count, 0);
  stc_give_vector(L, -1, x, count);
  lua_setfield(L, -2, name);
}

static const stc_strip *strip_of(lua_State *L, int *dim) {
  const stc_wave *wave = stc_scene_of(L)->wave;
  const stc_wave_member *m = wave->member[lua_tointeger(L, lua_upvalueindex(1))];
  if (!wave->run) luaL_error(L, "the run is over");
  *dim = m->strip.dim;
  return m->running_strip;
}

static int look_at_nodes(lua_State *L) {
  int dim;
  const stc_strip *strip = strip_of(L, &dim);
  int contacts = stc_strip_contacts(strip), tangents = dim - 1;
  lua_createtable(L, contacts, 0);
  for (int k = 0; k < contacts; k++) {
    lua_createtable(L, 0, 4);
    push_vector(L, "x", stc_strip_place(strip) + k * tangents, tangents);
    push_vector(L, "w", stc_strip_slip(strip) + k * tangents, tangents);
    push_vector(L, "friction", stc_strip_traction(strip) + k * tangents, tangents);
    stc_view_set_number(L, "pressure", stc_strip_pressure(strip)[k]);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

// --- The table ---

void stc_wave_run_open_view(lua_State *L, const stc_scene *scene) {
  for (int k = 0; k < scene->wave->members; k++) {
    const stc_wave_member *m = scene->wave->member[k];
    stc_view_open_table(L, m->name);
    if (m->ops == &stc_wave_strip || m->ops == &stc_wave_block) {
      lua_pushinteger(L, k);
      lua_pushcclosure(L, look_at_nodes, 1);
      lua_setfield(L, -2, "nodes");
    }
    lua_pop(L, 1);
  }
}

// A time that is not known yet is nil.
static void set_time(lua_State *L, const char *name, double t) {
  if (isnan(t))
    lua_pushnil(L);
  else
    lua_pushnumber(L, t);
  lua_setfield(L, -2, name);
}

static void show_member(lua_State *L, const stc_wave_member *m) {
  const stc_wave_state *s = &m->state;
  stc_view_open_table(L, m->name);
  for (const stc_wave_entry *e = m->ops->entry; e->name; e++)
    stc_view_set_number(L, e->name, *(const double *)(const void *)((const char *)s + e->at));
  set_time(L, "jump_up", s->jump_up);
  set_time(L, "jump_down", s->jump_down);
  stc_view_set_number(L, "uniqueness", s->uniqueness);
  stc_view_set_number(L, "several", s->several);
  stc_view_set_number(L, "most_roots", s->most_roots);
  stc_view_set_number(L, "unconverged", s->unconverged);
  stc_view_set_number(L, "energy_error", s->energy_error);
  lua_pushstring(L, m->warning);
  lua_setfield(L, -2, "warning");
  if (m->running_strip) {
    lua_pushinteger(L, stc_strip_dofs(m->running_strip));
    lua_setfield(L, -2, "dofs");
  }
  lua_pop(L, 1);
}

void stc_wave_run_show(lua_State *L, void *moving) {
  const stc_wave_run *run = moving;
  stc_view_set_number(L, "t", (double)run->step * run->wave->dt);
  lua_pushinteger(L, run->step);
  lua_setfield(L, -2, "step");
  for (int k = 0; k < run->wave->members; k++) show_member(L, run->wave->member[k]);
}
