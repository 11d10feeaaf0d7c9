// The table s of deformable bodies: numbers of the load steps, and functions that look at contacts,
// forces, nodes and cells.
#include "../view.h"
#include "fem_run.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

const stc_loading *stc_loading_of(lua_State *L) {
  const stc_scene *scene = stc_scene_of(L);
  if (!scene->deform->loading) luaL_error(L, "the run is over");
  return scene->deform->loading;
}

// --- s.contact("name"): list of points ---

// The pair called so; without a name the only one.
int stc_loading_pair(lua_State *L, const stc_loading *l) {
  const stc_deform *d = l->deform;
  if (lua_isnoneornil(L, 1) && d->pairs.count == 1) return 0;
  const char *name = luaL_checkstring(L, 1);
  for (int k = 0; k < d->pairs.count; k++)
    if (!strcmp(d->pair[k].pair.name, name)) return k;
  return luaL_error(L, "there is no contact '%s'%s", name,
                    stc_hint_for(name, stc_deform_pair_name, d).text);
}

// Along the tangent in the plane a number, in space two.
static void set_tangential(lua_State *L, const char *name, const double *x, int dim) {
  if (dim == 2)
    stc_view_set_number(L, name, x[0]);
  else
    stc_view_set_vector(L, name, x, 2);
}

static int look_at_contact(lua_State *L) {
  const stc_loading *l = stc_loading_of(L);
  stc_fem_contact_point point;
  int pair = stc_loading_pair(L, l), count = stc_fem_contacts(l->fem, pair);
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    stc_fem_contact(l->fem, pair, k, &point);
    int dim = l->deform->used->dim;
    lua_createtable(L, 0, 10);
    stc_view_set_integer(L, "node", point.node + 1);
    stc_view_set_text(L, "state", stc_contact_state_name(point.state));
    stc_view_set_vector(L, "x", point.x, dim);
    stc_view_set_vector(L, "at", l->deform->used->x + (size_t)point.node * (size_t)dim, dim);
    stc_view_set_vector(L, "normal", point.normal, dim);
    stc_view_set_number(L, "gap", point.gap);
    stc_view_set_number(L, "area", point.area);
    stc_view_set_number(L, "pressure", point.pressure);
    set_tangential(L, "shear", point.shear, dim);
    set_tangential(L, "slip", point.slip, dim);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

// --- s.force("group") ---

const stc_group *stc_loading_group(lua_State *L, const stc_loading *l) {
  const stc_mesh *mesh = l->deform->used;
  const char *name = luaL_checkstring(L, 1);
  int k = stc_mesh_find(mesh, name);
  if (k >= 0) return &mesh->group[k];
  luaL_error(L, "the mesh has no group '%s'%s", name,
             stc_hint_for(name, stc_deform_group_name, mesh).text);
  return NULL;
}

static int look_at_force(lua_State *L) {
  const stc_loading *l = stc_loading_of(L);
  double force[3] = {0};
  const stc_group *group = stc_loading_group(L, l);
  if (stc_fem_group_force(l->fem, group->name, force) != STC_OK)
    luaL_error(L, "%s", stc_error_detail());
  for (int k = 0; k < l->run.scene->dim; k++) lua_pushnumber(L, force[k]);
  return l->run.scene->dim;
}

// --- s.displacement(node) or (x, y[, z]) ---

static int nearest_node(lua_State *L, const stc_mesh *mesh) {
  double at[3] = {0}, best = INFINITY;
  int nearest = 0;
  for (int k = 0; k < mesh->dim; k++) at[k] = luaL_checknumber(L, k + 1);
  for (int n = 0; n < mesh->nodes; n++) {
    double distance = 0;
    for (int k = 0; k < mesh->dim; k++)
      distance = hypot(distance, mesh->x[(size_t)n * (size_t)mesh->dim + (size_t)k] - at[k]);
    if (distance < best) nearest = n;
    if (distance < best) best = distance;
  }
  return nearest;
}

int stc_loading_node(lua_State *L, const stc_loading *l) {
  const stc_mesh *mesh = l->deform->used;
  lua_Number node = lua_gettop(L) == 1 ? luaL_checknumber(L, 1) - 1 : 0;
  if (!(node >= 0 && node < mesh->nodes))
    luaL_error(L, "there is no node %f; there are %d", node + 1, mesh->nodes);
  return lua_gettop(L) == 1 ? (int)node : nearest_node(L, mesh);
}

static int look_at_displacement(lua_State *L) {
  const stc_loading *l = stc_loading_of(L);
  int dim = l->deform->used->dim;
  const double *u = stc_fem_displacement(l->fem) + (size_t)stc_loading_node(L, l) * (size_t)dim;
  for (int k = 0; k < dim; k++) lua_pushnumber(L, u[k]);
  return dim;
}

// --- s.nodes("group") and s.cells("group") ---

static int look_at_nodes(lua_State *L) {
  const stc_loading *l = stc_loading_of(L);
  const stc_mesh *mesh = l->deform->used;
  const stc_group *group = stc_loading_group(L, l);
  bool *seen = lua_newuserdatauv(L, (size_t)mesh->nodes * sizeof *seen, 0);
  memset(seen, 0, (size_t)mesh->nodes * sizeof *seen);
  lua_newtable(L);
  lua_Integer count = 0;
  for (int c = 0; c < group->cells; c++)
    for (int k = mesh->ptr[group->cell[c]]; k < mesh->ptr[group->cell[c] + 1]; k++) {
      if (seen[mesh->node[k]]) continue;
      seen[mesh->node[k]] = true;
      int dim = l->run.scene->dim;
      size_t at = (size_t)mesh->node[k] * (size_t)dim;
      lua_createtable(L, 0, 4);
      stc_view_set_integer(L, "node", mesh->node[k] + 1);
      stc_view_set_vector(L, "x", l->deform->used->x + at, dim);
      stc_view_set_vector(L, "u", stc_fem_displacement(l->fem) + at, dim);
      stc_view_set_vector(L, "force", stc_fem_reaction(l->fem) + at, dim);
      lua_rawseti(L, -2, ++count);
    }
  return 1;
}

static void push_cell(lua_State *L, const stc_loading *l, int c) {
  static const char *const names[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
  const stc_mesh *mesh = l->deform->used;
  double stress[6], alpha, x[3] = {0};
  int nodes = mesh->ptr[c + 1] - mesh->ptr[c];
  stc_fem_stress(l->fem, c, stress, &alpha);
  for (int k = mesh->ptr[c]; k < mesh->ptr[c + 1]; k++)
    for (int i = 0; i < mesh->dim; i++)
      x[i] += mesh->x[(size_t)mesh->node[k] * (size_t)mesh->dim + (size_t)i] / nodes;
  lua_createtable(L, 0, 8);
  for (int k = 0; k < 6; k++) stc_view_set_number(L, names[k], stress[k]);
  stc_view_set_number(L, "alpha", alpha);
  stc_view_set_vector(L, "x", x, mesh->dim);
}

static int look_at_cells(lua_State *L) {
  const stc_loading *l = stc_loading_of(L);
  const stc_group *group = stc_loading_group(L, l);
  if (group->dim != l->run.scene->dim) luaL_error(L, "'%s' is a surface; name a body", group->name);
  lua_createtable(L, group->cells, 0);
  for (int k = 0; k < group->cells; k++) {
    push_cell(L, l, group->cell[k]);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

// --- The table ---

void stc_loading_open_view(lua_State *L, const stc_scene *scene) {
  static const luaL_Reg words[] = {{"contact", look_at_contact},
                                   {"force", look_at_force},
                                   {"displacement", look_at_displacement},
                                   {"nodes", look_at_nodes},
                                   {"cells", look_at_cells},
                                   {NULL, NULL}};
  (void)scene;
  luaL_setfuncs(L, words, 0);
  stc_loading_open_heat(L);
}

// A list with an entry for each step that was taken.
static void set_counts(lua_State *L, const char *name, const stc_loading *l, int which) {
  lua_createtable(L, (int)l->run.step, 0);
  for (int k = 0; k < l->run.step; k++) {
    lua_pushinteger(L, (lua_Integer)l->count[k * STC_COUNTS + which]);
    lua_rawseti(L, -2, k + 1);
  }
  stc_put_field(L, name);
}

#define OF_STEPS(name) STC_NUMBER(stc_fem_numbers, name)

void stc_loading_show(lua_State *L, void *moving) {
  static const stc_number table[] = {OF_STEPS(residual), OF_STEPS(penetration), OF_STEPS(eta),
                                     OF_STEPS(strain),   OF_STEPS(rotation),    {NULL, 0}};
  static const stc_number largest[] = {
      OF_STEPS(largest_strain), OF_STEPS(largest_rotation), {NULL, 0}};
  const stc_loading *l = moving;
  stc_view_set_integer(L, "dofs", stc_fem_dofs(l->fem));
  set_counts(L, "iterations", l, STC_ITERATIONS);
  set_counts(L, "factorisations", l, STC_FACTORISATIONS);
  set_counts(L, "cuts", l, STC_CUTS);
  set_counts(L, "augmentations", l, STC_AUGMENTATIONS);
  stc_view_set_integer(L, "closed", (long)l->numbers->closed);
  stc_view_set_integer(L, "slipping", (long)l->numbers->slipping);
  stc_view_set_numbers(L, l->numbers, table);
  stc_view_set_shown(L, "energy", &l->run.energy);
  stc_loading_show_heat(L, l);
  stc_view_open_table(L, "report");
  stc_view_set_numbers(L, l->numbers, table);
  stc_view_set_numbers(L, l->numbers, largest);
  lua_pop(L, 1);
}
