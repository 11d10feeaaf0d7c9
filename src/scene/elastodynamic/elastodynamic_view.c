// An elastodynamic run as its scene sees it: s.t, s.step, and for each member s.NAME with the
// numbers of its row, its events, what is known of its uniqueness, and of a strip nodes().
#include "../view.h"
#include "elastodynamic_scene.h"

#include <lauxlib.h>
#include <math.h>

// --- nodes() of a strip ---

static const stc_strip *strip_of(lua_State *L, int *dim) {
  const stc_wave *wave = stc_scene_of(L)->wave;
  const stc_wave_member *m = wave->member[lua_tointeger(L, lua_upvalueindex(1))];
  if (!wave->run) luaL_error(L, "the run is over");
  *dim = m->strip.dim;
  return m->running_strip;
}

static void set_in_space(lua_State *L, const char *name, const stc_strip *strip, int k,
                         const double *along, int dim) {
  double vector[3];
  stc_strip_in_space(strip, k, along, vector);
  stc_view_set_vector(L, name, vector, dim);
}

static int look_at_nodes(lua_State *L) {
  int dim;
  const stc_strip *strip = strip_of(L, &dim);
  int contacts = stc_strip_contacts(strip), tangents = dim - 1;
  lua_createtable(L, contacts, 0);
  for (int k = 0; k < contacts; k++) {
    lua_createtable(L, 0, 8);
    stc_view_set_vector(L, "x", stc_strip_place(strip) + k * tangents, tangents);
    stc_view_set_vector(L, "w", stc_strip_slip(strip) + k * tangents, tangents);
    stc_view_set_vector(L, "friction", stc_strip_traction(strip) + k * tangents, tangents);
    stc_view_set_number(L, "pressure", stc_strip_pressure(strip)[k]);
    stc_view_set_vector(L, "point", stc_strip_point(strip) + k * dim, dim);
    stc_view_set_vector(L, "normal", stc_strip_frame(strip) + k * dim * dim, dim);
    set_in_space(L, "slip", strip, k, stc_strip_slip(strip) + k * tangents, dim);
    set_in_space(L, "shear", strip, k, stc_strip_traction(strip) + k * tangents, dim);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

// --- The table ---

void stc_wave_run_open_view(lua_State *L, const stc_scene *scene) {
  for (int k = 0; k < scene->wave->members; k++) {
    const stc_wave_member *m = scene->wave->member[k];
    stc_view_open_table(L, m->name);
    if (m->strip.dim) {
      lua_pushinteger(L, k);
      lua_pushcclosure(L, look_at_nodes, 1);
      stc_put_field(L, "nodes");
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
  stc_put_field(L, name);
}

#define OF_STATE(name) STC_NUMBER(stc_wave_state, name)

void stc_wave_run_show(lua_State *L, void *moving) {
  const stc_wave *wave = ((const stc_wave_run *)moving)->wave;
  for (int k = 0; k < wave->members; k++) {
    static const stc_number table[] = {OF_STATE(uniqueness),   OF_STATE(several),
                                       OF_STATE(most_roots),   OF_STATE(unconverged),
                                       OF_STATE(energy_error), {NULL, 0}};
    const stc_wave_state *s = &wave->member[k]->state;
    stc_view_open_table(L, wave->member[k]->name);
    stc_view_set_numbers(L, s, wave->member[k]->ops->entry);
    stc_view_set_numbers(L, s, table);
    stc_wave_show_theorems(L, wave->member[k]);
    set_time(L, "jump_up", s->jump_up);
    set_time(L, "jump_down", s->jump_down);
    stc_view_set_text(L, "warning", wave->member[k]->warning);
    if (wave->member[k]->running_strip)
      stc_view_set_integer(L, "dofs", stc_strip_dofs(wave->member[k]->running_strip));
    lua_pop(L, 1);
  }
}
