// The system of a scene as the stepping asks for it: each callback calls a function of the scene,
// or copies what is constant.
#include "../scene_calls.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

// --- Calls ---

// A call of function(t, q[, u]) with an answer of `count` numbers.
static stc_call call_at(stc_scene *scene, double t, const double *q, const double *u) {
  return (stc_call){.scene = scene,
                    .what = "system",
                    .numbers = 1,
                    .number = {t},
                    .lists = u ? 2 : 1,
                    .list = {q, u},
                    .length = scene->dofs,
                    .count = 1};
}

static void read_mass(lua_State *L, const stc_call *c) {
  stc_mass_take(L, -1, c->scene->dofs, false, c->answer);
}

// c->count vectors.
static void read_tangents(lua_State *L, const stc_call *c) {
  int dofs = c->scene->dofs;
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (lua_Unsigned)c->count)
    luaL_error(L, "%s: tangents must give %d vectors", c->what, c->count);
  for (int k = 0; k < c->count; k++) {
    lua_rawgeti(L, -1, k + 1);
    stc_take_vector(L, -1, c->what, "a vector of tangents", c->answer + k * dofs, dofs);
    lua_pop(L, 1);
  }
}

// Fills `x` from a constant, or from a function; what is neither stays.
static bool fill_vector(stc_call *c, const stc_scene_vector *v, const char *name, double *x) {
  if (v->constant) {
    memcpy(x, v->constant, (size_t)v->rows * (size_t)c->scene->dofs * sizeof *x);
    return true;
  }
  c->function = &v->function;
  c->name = name;
  c->answer = x;
  return !stc_callback_is_there(&v->function) || stc_call_scene(c);
}

// --- Mass, force, potential ---

bool stc_mass_is_matrix(lua_State *L, int index) {
  if (!lua_istable(L, index)) return false;
  bool is_matrix = lua_rawgeti(L, index, 1) == LUA_TTABLE;
  lua_pop(L, 1);
  return is_matrix;
}

void stc_mass_take(lua_State *L, int index, int n, bool diagonal, double *M) {
  int stride = diagonal ? 1 : n + 1;
  if (!diagonal && stc_mass_is_matrix(L, index)) {
    stc_take_matrix(L, index, "system", "mass", M, n);
    return;
  }
  if (lua_type(L, index) == LUA_TNUMBER) {
    double m = stc_take_number(L, index, "system", "mass");
    for (int k = 0; k < n; k++) M[k * stride] = m;
  } else if (lua_istable(L, index)) {
    stc_take_vector(L, index, "system", "mass", M, n);
    for (int k = n - 1; k > 0 && !diagonal; k--) {
      M[k * stride] = M[k];
      M[k] = 0;
    }
  } else {
    stc_refuse(L, index, "system", "mass", "a number, a list or a matrix");
  }
}

static bool mass_at(void *user, double t, const double *q, double *M) {
  stc_scene *scene = user;
  stc_call c = call_at(scene, t, q, NULL);
  c.read = read_mass;
  return fill_vector(&c, &scene->mass, "mass", M);
}

static bool force_at(void *user, double t, const double *q, const double *u, double *Q) {
  stc_scene *scene = user;
  stc_call c = call_at(scene, t, q, u);
  c.count = scene->dofs;
  c.read = stc_read_list;
  memset(Q, 0, (size_t)scene->dofs * sizeof *Q);
  return fill_vector(&c, &scene->force, "force", Q);
}

// The scene's own, or -Q . q of a constant force.
static bool potential_at(void *user, double t, const double *q, double *V) {
  stc_scene *scene = user;
  stc_call c = call_at(scene, t, q, NULL);
  *V = 0;
  if (stc_callback_is_there(&scene->potential))
    return fill_vector(&c, &(stc_scene_vector){.function = scene->potential}, "potential", V);
  for (int k = 0; k < scene->dofs; k++) *V -= scene->force.constant[k] * q[k];
  return true;
}

// --- Walls ---

static bool law_of_wall(void *user, int j, const stc_contact_past *past, stc_law *law) {
  stc_scene *scene = user;
  const stc_scene_wall_data *wall = &scene->wall[j];
  stc_friction_follow_load(&wall->friction, past, law);
  if (!stc_callback_is_there(&wall->friction.function)) return true;
  return stc_call_friction(scene, &wall->friction.function, wall->what,
                           &(stc_call_past){past, scene->dim, NULL}, law);
}

static bool fill_law(stc_scene_wall_data *from, stc_call *c, stc_wall *wall) {
  const stc_friction *friction = &from->friction;
  bool has_tangents = from->tangents.constant || stc_callback_is_there(&from->tangents.function);
  wall->tangents = has_tangents ? from->scene->dim - 1 : 0;
  c->count = wall->tangents;
  c->read = read_tangents;
  if (!fill_vector(c, &from->tangents, "tangents", wall->tangent)) return false;
  wall->law = friction->law;
  if (friction->varies && !stc_callback_is_there(&friction->function))
    wall->coefficient = friction->coefficient;
  wall->restitution = from->restitution;
  return true;
}

static bool wall_at(void *user, int j, double t, const double *q, stc_wall_part part, stc_wall *w) {
  stc_scene *scene = user;
  stc_scene_wall_data *from = &scene->wall[j];
  stc_call number = call_at(scene, t, q, NULL), list = number;
  number.what = list.what = from->what;
  list.count = scene->dofs;
  list.read = stc_read_list;
  if (part == STC_WALL_VELOCITY)
    return fill_vector(&list, &from->velocity, "velocity", w->velocity);
  if (!fill_vector(&number, &(stc_scene_vector){.function = from->f}, "f", &w->f)) return false;
  if (!fill_vector(&list, &from->gradient, "gradient", w->gradient)) return false;
  return part != STC_WALL_ALL || fill_law(from, &list, w);
}

stc_system stc_scene_system(stc_scene *scene) {
  bool has_potential = stc_callback_is_there(&scene->potential) || scene->force.constant;
  bool varies = false;
  for (int j = 0; j < scene->walls; j++)
    varies = varies || stc_callback_is_there(&scene->wall[j].friction.function) ||
             scene->wall[j].friction.patch.R > 0;
  return (stc_system){.dofs = scene->dofs,
                      .walls = scene->walls,
                      .dim = scene->dim,
                      .diagonal = scene->diagonal,
                      .user = scene,
                      .mass = mass_at,
                      .force = force_at,
                      .potential = has_potential ? potential_at : NULL,
                      .wall = scene->walls ? wall_at : NULL,
                      .law = varies ? law_of_wall : NULL};
}
