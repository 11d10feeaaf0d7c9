// The system of a scene as the stepping asks for it: each callback calls a function of the scene,
// or copies what is constant.
#include "../scene_data.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

// --- Calls ---

// What a function is called with and where its answer goes.
typedef struct call {
  stc_scene *scene;
  const stc_callback *function;
  const char *what;  // "wall 'floor'"
  const char *name;  // "gradient"
  double t;
  const double *q, *u;  // u may be NULL
  double *answer;
  int rows;  // of a list of vectors
} call;

static void push_list(lua_State *L, const call *c, int k, const double *x) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->scene->args[k]);
  stc_give_vector(L, -1, x, c->scene->dofs);
}

// Leaves the answer of function(t, q[, u]) on top of the stack.
static const call *call_function(lua_State *L) {
  const call *c = lua_touserdata(L, 1);
  stc_callback_push(L, c->function);
  lua_pushnumber(L, c->t);
  push_list(L, c, 0, c->q);
  if (c->u) push_list(L, c, 1, c->u);
  lua_call(L, c->u ? 3 : 2, 1);
  return c;
}

static int ask_number(lua_State *L) {
  const call *c = call_function(L);
  *c->answer = stc_take_number(L, -1, c->what, c->name);
  return 0;
}

static int ask_vector(lua_State *L) {
  const call *c = call_function(L);
  stc_take_vector(L, -1, c->what, c->name, c->answer, c->scene->dofs);
  return 0;
}

static int ask_mass(lua_State *L) {
  const call *c = call_function(L);
  stc_mass_take(L, -1, c->scene->dofs, false, c->answer);
  return 0;
}

static int ask_tangents(lua_State *L) {
  const call *c = call_function(L);
  int dofs = c->scene->dofs;
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (lua_Unsigned)c->rows)
    luaL_error(L, "%s: tangents must give %d vectors", c->what, c->rows);
  for (int k = 0; k < c->rows; k++) {
    lua_rawgeti(L, -1, k + 1);
    stc_take_vector(L, -1, c->what, "a vector of tangents", c->answer + k * dofs, dofs);
    lua_pop(L, 1);
  }
  return 0;
}

bool stc_scene_keep_failure(stc_scene *scene, stc_error error) {
  if (!error) return true;
  if (!scene->failed) {
    size_t length = strlen(stc_error_detail());
    if (length >= sizeof scene->why) length = sizeof scene->why - 1;
    memcpy(scene->why, stc_error_detail(), length);
    scene->why[length] = 0;
  }
  scene->failed = true;
  return false;
}

static bool ask(call *c, lua_CFunction body) {
  stc_error error = stc_sandbox_call(&c->scene->box, body, c, c->function->line);
  return stc_scene_keep_failure(c->scene, error);
}

stc_error stc_scene_error(stc_scene *scene, stc_error error) {
  if (scene->failed) {
    scene->failed = false;
    return stc_fail(STC_ERR_FORMAT, "%s", scene->why);
  }
  if (!error) return STC_OK;
  return stc_fail(error, "%s:%d: %s", scene->path, scene->line, stc_error_detail());
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

static bool mass(void *user, double t, const double *q, double *M) {
  stc_scene *scene = user;
  size_t n = (size_t)scene->dofs;
  if (!scene->mass.constant) {
    call c = {scene, &scene->mass.function, "system", "mass", t, q, NULL, M, 0};
    return ask(&c, ask_mass);
  }
  memcpy(M, scene->mass.constant, (scene->diagonal ? n : n * n) * sizeof *M);
  return true;
}

static bool force(void *user, double t, const double *q, const double *u, double *Q) {
  stc_scene *scene = user;
  size_t bytes = (size_t)scene->dofs * sizeof *Q;
  if (stc_callback_is_there(&scene->force.function)) {
    call c = {scene, &scene->force.function, "system", "force", t, q, u, Q, 0};
    return ask(&c, ask_vector);
  }
  if (scene->force.constant)
    memcpy(Q, scene->force.constant, bytes);
  else
    memset(Q, 0, bytes);
  return true;
}

// The scene's own, or -Q . q of a constant force.
static bool potential(void *user, double t, const double *q, double *V) {
  stc_scene *scene = user;
  if (stc_callback_is_there(&scene->potential)) {
    call c = {scene, &scene->potential, "system", "potential", t, q, NULL, V, 0};
    return ask(&c, ask_number);
  }
  *V = 0;
  for (int k = 0; k < scene->dofs; k++) *V -= scene->force.constant[k] * q[k];
  return true;
}

// --- Walls ---

// Fills `x` from a constant, or from a function with the body that reads its answer.
static bool fill(call *c, const stc_scene_vector *v, lua_CFunction body, double *x) {
  if (v->constant) {
    memcpy(x, v->constant, (size_t)v->rows * (size_t)c->scene->dofs * sizeof *x);
    return true;
  }
  c->function = &v->function;
  c->answer = x;
  return !stc_callback_is_there(&v->function) || ask(c, body);
}

typedef struct coefficient_call {
  const stc_callback *function;
  const char *what;
  double speed, slip, mu;
} coefficient_call;

static int ask_mu(lua_State *L) {
  coefficient_call *c = lua_touserdata(L, 1);
  stc_callback_push(L, c->function);
  lua_pushnumber(L, c->speed);
  lua_pushnumber(L, c->slip);
  lua_call(L, 2, 1);
  c->mu = stc_take_number(L, -1, c->what, "mu");
  if (c->mu < 0)
    luaL_error(L, "%s: mu = %f at speed %f; give a number >= 0", c->what, c->mu, c->speed);
  return 0;
}

static double mu_of_scene(void *user, double speed, double slip) {
  const stc_scene_wall_data *wall = user;
  const stc_callback *function = &wall->friction.function;
  coefficient_call c = {function, wall->what, speed, slip, 0};
  stc_error error = stc_sandbox_call(&wall->scene->box, ask_mu, &c, function->line);
  return stc_scene_keep_failure(wall->scene, error) ? c.mu : NAN;
}

static bool fill_law(stc_scene_wall_data *from, call *c, stc_wall *wall) {
  const stc_friction *friction = &from->friction;
  bool has_tangents = from->tangents.constant || stc_callback_is_there(&from->tangents.function);
  wall->tangents = has_tangents ? from->scene->dim - 1 : 0;
  c->name = "tangents";
  c->rows = wall->tangents;
  if (!fill(c, &from->tangents, ask_tangents, wall->tangent)) return false;
  wall->law = friction->law;
  if (stc_callback_is_there(&friction->function))
    wall->coefficient = stc_coefficient_function(mu_of_scene, from);
  else if (friction->varies)
    wall->coefficient = friction->coefficient;
  wall->restitution = from->restitution;
  return true;
}

static bool wall(void *user, int j, double t, const double *q, stc_wall_part part, stc_wall *w) {
  stc_scene *scene = user;
  stc_scene_wall_data *from = &scene->wall[j];
  call c = {.scene = scene, .what = from->what, .t = t, .q = q};
  if (part == STC_WALL_VELOCITY) {
    c.name = "velocity";
    return fill(&c, &from->velocity, ask_vector, w->velocity);
  }
  c.name = "f";
  c.function = &from->f;
  c.answer = &w->f;
  if (!ask(&c, ask_number)) return false;
  c.name = "gradient";
  if (!fill(&c, &from->gradient, ask_vector, w->gradient)) return false;
  return part != STC_WALL_ALL || fill_law(from, &c, w);
}

stc_system stc_scene_system(stc_scene *scene) {
  bool has_potential = stc_callback_is_there(&scene->potential) || scene->force.constant;
  return (stc_system){.dofs = scene->dofs,
                      .walls = scene->walls,
                      .dim = scene->dim,
                      .diagonal = scene->diagonal,
                      .user = scene,
                      .mass = mass,
                      .force = force,
                      .potential = has_potential ? potential : NULL,
                      .wall = scene->walls ? wall : NULL};
}
