// Loads: a force F over a step and an impulse P change the velocity of a body at the middle by
//   M dv = h F + P,   damping by   dv = (exp(-h d) - 1) v,
// and do the work M dv.(v + v+)/2 there, v+ being the velocity after all impulses of the step.
#include "body_loads.h"

stc_body_load stc_default_load(void) { return (stc_body_load){.cookie = STC_COOKIE}; }

// --- What is given ---

static stc_error find_free_body(stc_world *world, stc_body_id id, int *body) {
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "a load needs a world");
  STC_TRY(stc_world_find_body(world, id, body));
  if (STC_NODES(world)[*body].mobility == STC_MOBILITY_FREE) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "body %s does not move freely; loads act on bodies that do",
                  STC_NODES(world)[*body].name);
}

static stc_error check_load(const stc_world *world, int body, const stc_body_load *load) {
  const char *name = STC_NODES(world)[body].name;
  bool plane = world->settings.plane;
  STC_TRY(stc_cookie_check(load->cookie, "stc_default_load"));
  for (int i = 0; i < 3; i++) {
    double sum = load->force[i] + load->torque[i] + load->impulse[i];
    if (!isfinite(sum) || (load->at_point && !isfinite(load->point[i])))
      return stc_fail(STC_ERR_VALUE, "the load on body %s is not finite in component %d", name, i);
    bool leaves = i < 2 ? load->torque[i] != 0 : load->force[2] != 0 || load->impulse[2] != 0;
    if (plane && leaves)
      return stc_fail(STC_ERR_VALUE,
                      "the load on body %s leaves the plane z = 0; give forces in it and torques "
                      "about z",
                      name);
  }
  return STC_OK;
}

stc_error stc_world_push(stc_world *world, stc_body_id id, const stc_body_load *load) {
  int body;
  STC_TRY(find_free_body(world, id, &body));
  if (!load) return stc_fail(STC_ERR_ARGUMENT, "push needs a load");
  STC_TRY(check_load(world, body, load));
  stc_loads *loads = &world->loads;
  size_t count = (size_t)loads->pushes;
  STC_TRY(stc_pool_grow(&loads->push, count + 1, sizeof(stc_push), count));
  ((stc_push *)loads->push.data)[count] = (stc_push){body, *load};
  loads->pushes++;
  stc_world_stir(world);
  stc_islands_wake(world, body);
  return STC_OK;
}

/// The lasting loads of the bodies, made when the first one is given.
static stc_error lasting_loads(stc_world *world, int body, stc_lasting_load **lasting) {
  stc_loads *loads = &world->loads;
  size_t bodies = (size_t)world->bodies, known = (size_t)loads->lasting_count;
  STC_TRY(stc_pool_grow(&loads->lasting, bodies, sizeof(stc_lasting_load), known));
  *lasting = loads->lasting.data;
  for (size_t b = known; b < bodies; b++) (*lasting)[b] = (stc_lasting_load){0};
  if (loads->lasting_count < world->bodies) loads->lasting_count = world->bodies;
  stc_world_stir(world);
  stc_islands_wake(world, body);
  return STC_OK;
}

stc_error stc_world_set_load(stc_world *world, stc_body_id id, stc_load_callback *load,
                             void *user) {
  int body;
  stc_lasting_load *lasting;
  STC_TRY(find_free_body(world, id, &body));
  STC_TRY(lasting_loads(world, body, &lasting));
  lasting[body].load = load;
  lasting[body].user = user;
  return STC_OK;
}

stc_error stc_world_set_damping(stc_world *world, stc_body_id id, double linear, double angular) {
  int body;
  stc_lasting_load *lasting;
  STC_TRY(find_free_body(world, id, &body));
  if (!(linear >= 0 && angular >= 0 && isfinite(linear + angular)))
    return stc_fail(STC_ERR_VALUE, "damping of body %s: %g and %g 1/s; give finite numbers >= 0",
                    STC_NODES(world)[body].name, linear, angular);
  STC_TRY(lasting_loads(world, body, &lasting));
  lasting[body].linear = linear;
  lasting[body].angular = angular;
  return STC_OK;
}

stc_error stc_world_set_gravity(stc_world *world, const double gravity[3]) {
  if (!world || !gravity)
    return stc_fail(STC_ERR_ARGUMENT, "set_gravity needs a world and three "
                                      "numbers");
  for (int i = 0; i < 3; i++)
    if (!isfinite(gravity[i]) || (world->settings.plane && i == 2 && gravity[2] != 0))
      return stc_fail(STC_ERR_VALUE, "gravity[%d] = %g; give finite numbers, 0 across a plane", i,
                      gravity[i]);
  double kinetic, potential, before = 0;
  if (world->started)
    before = stc_world_ledger_energy(world, STC_PLACES(world), &kinetic, &potential);
  memcpy(world->settings.gravity, gravity, sizeof world->settings.gravity);
  stc_world_stir(world);
  stc_islands_wake_all(world);
  if (!world->started) return STC_OK;
  double after = stc_world_ledger_energy(world, STC_PLACES(world), &kinetic, &potential);
  stc_account_add(&world->account, STC_ENTRY_DRIVE, after - before);
  stc_account_close(&world->account, kinetic, potential);
  return STC_OK;
}

void stc_loads_forget(stc_world *world, int body) {
  stc_loads *loads = &world->loads;
  stc_push *push = loads->push.data;
  int kept = 0;
  for (int k = 0; k < loads->pushes; k++)
    if (push[k].body != body) push[kept++] = push[k];
  loads->pushes = kept;
  if (body < loads->lasting_count)
    ((stc_lasting_load *)loads->lasting.data)[body] = (stc_lasting_load){0};
}

// --- What it changes ---

/// Velocity of the centre and angular velocity in the body's axes.
typedef struct change {
  double v[3], omega[3];
} change;

enum { NUMBERS = sizeof(change) / sizeof(double) };  // [size]

static change *pushed(const stc_world *world) { return world->loads.kick.data; }
static change *damped(const stc_world *world) { return pushed(world) + world->bodies; }

/// Force and impulse over the step in the world's axes, and their lever about the centre.
static void resolve(const stc_world *world, int body, const stc_body_load *load, double P[3],
                    double moment[3]) {
  const stc_place *place = &STC_NEXT(world)[body];
  double given[3], lever[3] = {0, 0, 0}, R[9], rotated[3];
  stc_rotation_matrix(place->rotation, R);
  stc_scale3(world->settings.h, load->force, given);
  stc_add3(given, 1, load->impulse);
  stc_scale3(world->settings.h, load->torque, moment);
  if (load->at_point)
    stc_sub3(load->point, load->in_body ? STC_NODES(world)[body].centre : place->x, lever);
  stc_cross3(lever, given, rotated);
  stc_add3(moment, 1, rotated);
  memcpy(P, given, 3 * sizeof *P);
  if (!load->in_body) return;
  stc_mul3(R, given, P);
  stc_mul3(R, moment, rotated);
  memcpy(moment, rotated, sizeof rotated);
}

static void add_load(const stc_world *world, int body, const stc_body_load *load) {
  const stc_body_data *node = &STC_NODES(world)[body];
  change *kick = &pushed(world)[body];
  double P[3], moment[3], R[9], local[3], answer[3] = {0, 0, 0};
  resolve(world, body, load, P, moment);
  stc_add3(kick->v, 1 / node->mass, P);
  if (world->settings.plane) {
    answer[2] = moment[2] / node->inertia[8];
  } else {
    stc_rotation_matrix(STC_NEXT(world)[body].rotation, R);
    stc_mul3_transposed(R, moment, local);
    stc_mul3(node->inverse, local, answer);
  }
  stc_add3(kick->omega, 1, answer);
}

static stc_error call_load(stc_world *world, int body, const stc_lasting_load *lasting) {
  double t = stc_world_time(world) + world->settings.h / 2;
  stc_body_load load = stc_default_load();
  stc_body_state state;
  stc_world_state_of(world, body, &STC_NEXT(world)[body], &state);
  if (!lasting->load(lasting->user, t, &state, &load)) {
    if (stc_error_detail()[0] != '\0') return STC_ERR_CALLBACK;
    return stc_fail(STC_ERR_CALLBACK, "the load of body %s stopped the run at t = %g",
                    STC_NODES(world)[body].name, t);
  }
  STC_TRY(check_load(world, body, &load));
  add_load(world, body, &load);
  return STC_OK;
}

static void add_damping(const stc_world *world, int body, const stc_lasting_load *lasting) {
  const stc_place *place = &STC_NEXT(world)[body];
  double h = world->settings.h;
  stc_scale3(expm1(-h * lasting->linear), place->v, damped(world)[body].v);
  stc_scale3(expm1(-h * lasting->angular), place->omega, damped(world)[body].omega);
}

stc_error stc_loads_begin(stc_world *world) {
  stc_loads *loads = &world->loads;
  const stc_lasting_load *lasting = loads->lasting.data;
  size_t bodies = (size_t)world->bodies;
  loads->active = loads->pushes > 0;
  for (int b = 0; b < loads->lasting_count; b++)
    loads->active = loads->active || lasting[b].load || lasting[b].linear + lasting[b].angular > 0;
  if (!loads->active) return STC_OK;
  STC_TRY(stc_pool_grow(&loads->kick, 2 * bodies, sizeof(change), 0));
  memset(loads->kick.data, 0, 2 * bodies * sizeof(change));
  for (int k = 0; k < loads->pushes; k++) {
    const stc_push *push = (const stc_push *)loads->push.data + k;
    add_load(world, push->body, &push->load);
  }
  for (int b = 0; b < loads->lasting_count; b++) {
    if (!stc_body_is_free(&STC_NODES(world)[b])) continue;
    if (lasting[b].load) STC_TRY(call_load(world, b, &lasting[b]));
    if (lasting[b].linear + lasting[b].angular > 0) add_damping(world, b, &lasting[b]);
  }
  return STC_OK;
}

/// The change of one body by degrees of freedom.
static int changed_dofs(const stc_world *world, const change *kick, double dv[NUMBERS]) {
  if (world->settings.plane) {
    memcpy(dv, (double[]){kick->v[0], kick->v[1], kick->omega[2]}, 3 * sizeof *dv);
  } else {
    memcpy(dv, kick->v, sizeof kick->v);
    memcpy(dv + 3, kick->omega, sizeof kick->omega);
  }
  return stc_body_dofs(world);
}

void stc_loads_add(const stc_world *world, double *speed) {
  for (int b = 0; world->loads.active && b < world->bodies; b++) {
    int dof = STC_NODES(world)[b].dof;
    double dv[NUMBERS];
    for (int part = 0; part < 2 && dof >= 0; part++) {
      int count = changed_dofs(world, &(part ? damped(world) : pushed(world))[b], dv);
      for (int i = 0; i < count; i++) speed[dof + i] += dv[i];
    }
  }
}

void stc_loads_rate(const stc_world *world, int body, const double point[3], double v[3]) {
  memset(v, 0, 3 * sizeof *v);
  if (!world->loads.active || STC_NODES(world)[body].dof < 0) return;
  const stc_place *place = &STC_NEXT(world)[body];
  double R[9], lever[3], omega[3], rotated[3];
  stc_rotation_matrix(place->rotation, R);
  stc_sub3(point, place->x, lever);
  for (int part = 0; part < 2; part++) {
    const change *kick = &(part ? damped(world) : pushed(world))[body];
    stc_mul3(R, kick->omega, omega);
    stc_cross3(omega, lever, rotated);
    stc_add3(v, 1, kick->v);
    stc_add3(v, 1, rotated);
  }
}

/// M dv.(v + v+)/2 of one body.
static double work_of(const stc_world *world, const stc_body_data *node, const change *kick,
                      const double *before, const double *after) {
  double dv[NUMBERS], momentum[3], work = 0;
  int count = changed_dofs(world, kick, dv), linear = count == 3 ? 2 : 3;
  for (int i = 0; i < linear; i++) work += node->mass * dv[i] * (before[i] + after[i]) / 2;
  if (linear == 2) return work + node->inertia[8] * dv[2] * (before[2] + after[2]) / 2;
  stc_mul3(node->inertia, dv + 3, momentum);
  for (int i = 0; i < 3; i++) work += momentum[i] * (before[3 + i] + after[3 + i]) / 2;
  return work;
}

void stc_loads_book(stc_world *world, const double *before, const double *after) {
  for (int b = 0; world->loads.active && b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    const double *v = before + node->dof, *next = after + node->dof;
    if (node->dof < 0) continue;
    stc_account_add(&world->trial, STC_ENTRY_WORK,
                    work_of(world, node, &pushed(world)[b], v, next));
    stc_account_add(&world->trial, STC_ENTRY_FRICTION,
                    work_of(world, node, &damped(world)[b], v, next));
  }
}

void stc_loads_end(stc_world *world) { world->loads.pushes = 0; }
