// A simulation: created from callbacks, placed at a state, asked for what it knows.
#include "simulation.h"
#include "../../base/fail.h"
#include "../../solve/settings.h"

#include <limits.h>
#include <math.h>
#include <string.h>

stc_stepping stc_default_stepping(void) {
  stc_stepping stepping = {
#define DEFAULT(type, name, initial, least, greatest, meaning) .name = initial,
      STC_STEPPING_FIELDS(DEFAULT)
#undef DEFAULT
  };
  stepping.solver = stc_default_settings();
  return stepping;
}

// --- Creation ---

static stc_error check_range(const char *name, double value, double least, double greatest) {
  if (value >= least && value <= greatest) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "stepping.%s = %g; give a number from %g to %g", name, value,
                  least, greatest);
}

static stc_error check_stepping(const stc_stepping *stepping) {
#define CHECK(type, name, initial, least, greatest, meaning)                                       \
  STC_TRY(check_range(#name, stepping->name, least, greatest));
  STC_STEPPING_FIELDS(CHECK)
#undef CHECK
  if (stepping->tol > stepping->accept)
    return stc_fail(STC_ERR_VALUE,
                    "stepping.tol = %g is above accept = %g: no step would be taken; raise both",
                    stepping->tol, stepping->accept);
  return stc_settings_check(&stepping->solver);
}

static stc_error check_system(const stc_system *system) {
  if (system->dofs < 1)
    return stc_fail(STC_ERR_DIMENSION, "dofs = %d; a system has at least one coordinate",
                    system->dofs);
  if (system->walls < 0 || system->walls > INT_MAX / STC_MAX_DIM)
    return stc_fail(STC_ERR_DIMENSION, "walls = %d; give a number from 0 to %d", system->walls,
                    INT_MAX / STC_MAX_DIM);
  if (system->dim < 2 || system->dim > STC_MAX_DIM)
    return stc_fail(STC_ERR_DIMENSION, "dim = %d; a contact has 2 to %d components", system->dim,
                    STC_MAX_DIM);
  if (!system->mass || !system->force)
    return stc_fail(STC_ERR_ARGUMENT, "the system needs the callbacks mass and force");
  if (system->walls && !system->wall)
    return stc_fail(STC_ERR_ARGUMENT, "the system has %d walls and no callback for them",
                    system->walls);
  return STC_OK;
}

static stc_error allocate_contacts(stc_simulation *s) {
  stc_contacts *c = &s->contacts;
  size_t walls = (size_t)s->system.walls, size = walls * (size_t)s->system.dim;
  c->wall = STC_TAKE(&s->arena, int, walls);
  c->law = STC_TAKE(&s->arena, stc_law, walls);
  c->restitution = STC_TAKE(&s->arena, double, walls);
  c->H.cols = s->system.dofs;
  c->H.ptr = STC_TAKE(&s->arena, int, size + 1);
  double **arrays[] = {&c->row.drive, &c->row.before, &c->row.free,  &c->row.after, &c->row.w,
                       &c->q,         &c->row.r,      &c->row.guess, &c->terms};
  c->row.dim = s->system.dim;
  STC_TAKE_ZEROS(&s->arena, size, arrays);
  return stc_arena_check(&s->arena);
}

static stc_error allocate_simulation(stc_simulation *s) {
  size_t dofs = (size_t)s->system.dofs, walls = (size_t)s->system.walls;
  double **arrays[] = {&s->q,
                       &s->u,
                       &s->q_M,
                       &s->Q,
                       &s->u_L,
                       &s->u_F,
                       &s->q_F,
                       &s->scratch,
                       &s->u_terms,
                       &s->wall.gradient,
                       &s->wall.velocity};
  STC_TAKE_ZEROS(&s->arena, dofs, arrays);
  s->wall.tangent = STC_TAKE(&s->arena, double, (STC_MAX_DIM - 1) * dofs);
  s->memory = STC_TAKE(&s->arena, stc_memory, walls);
  s->impulse = STC_TAKE(&s->arena, double, walls *(size_t)s->system.dim);
  s->relative = STC_TAKE(&s->arena, double, walls *(size_t)s->system.dim);
  s->terms = STC_TAKE(&s->arena, double, walls *(size_t)s->system.dim);
  STC_TRY(allocate_contacts(s));
  return stc_mass_create(&s->arena, s->system.dofs, s->system.diagonal, &s->mass);
}

stc_error stc_simulation_create(const stc_system *system, const stc_stepping *stepping,
                                stc_simulation **simulation) {
  if (simulation) *simulation = NULL;
  if (!system || !stepping || !simulation)
    return stc_fail(STC_ERR_ARGUMENT,
                    "stc_simulation_create needs a system, a stepping and an address");
  STC_TRY(check_system(system));
  STC_TRY(check_stepping(stepping));
  STC_NEW(simulation, "a simulation");
  stc_simulation *s = *simulation;
  s->system = *system;
  s->stepping = *stepping;
  s->stepping.solver.tol = stepping->tol;
  stc_error error = allocate_simulation(s);
  if (error) stc_simulation_free(simulation);
  return error;
}

void stc_simulation_free(stc_simulation **simulation) {
  if (!simulation || !*simulation) return;
  stc_simulation *s = *simulation;
  stc_problem_free(&s->problem);
  stc_mass_free(&s->mass);
  stc_release(&s->contacts.H.col);
  stc_release(&s->contacts.H.val);
  stc_arena_free(&s->arena);
  stc_release(simulation);
}

// --- Placing ---

static stc_error check_finite(const char *name, const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return stc_fail(STC_ERR_VALUE, "%s[%d] = %g; every entry must be finite", name, i, x[i]);
  return STC_OK;
}

stc_error stc_simulation_place(stc_simulation *s, double t, const double *q, const double *u) {
  if (!s || !q || !u)
    return stc_fail(STC_ERR_ARGUMENT, "stc_simulation_place needs a simulation, q and u");
  STC_TRY(check_finite("t", &t, 1));
  STC_TRY(check_finite("q", q, s->system.dofs));
  STC_TRY(check_finite("u", u, s->system.dofs));
  size_t bytes = (size_t)s->system.dofs * sizeof *q;
  size_t walls = (size_t)s->system.walls, size = walls * (size_t)s->system.dim;
  s->placed = false;
  s->start_time = t;
  s->steps = 0;
  memcpy(s->q, q, bytes);
  memcpy(s->u, u, bytes);
  if (walls) {
    memset(s->memory, 0, walls * sizeof *s->memory);
    memset(s->impulse, 0, size * sizeof *s->impulse);
    memset(s->relative, 0, size * sizeof *s->relative);
  }
  stc_problem_free(&s->problem);
  stc_fail(STC_OK, "%s", "");  // a callback that stops the run may leave its own sentence
  STC_TRY(stc_ledger_open(s));
  if (!isfinite(s->account.ledger.start))
    return stc_fail(STC_ERR_VALUE, "the energy of this place is %g; give smaller numbers",
                    s->account.ledger.start);
  s->placed = true;
  return STC_OK;
}

// --- Asking ---

double stc_simulation_time(const stc_simulation *s) {
  return s->start_time + (double)s->steps * s->stepping.h;
}

long stc_simulation_steps(const stc_simulation *s) { return s->steps; }
const double *stc_simulation_q(const stc_simulation *s) { return s->q; }
const double *stc_simulation_u(const stc_simulation *s) { return s->u; }
const stc_ledger *stc_simulation_ledger(const stc_simulation *s) { return &s->account.ledger; }

bool stc_simulation_contact(const stc_simulation *s, int wall, double *r, double *u) {
  int dim = s->system.dim;
  bool known = wall >= 0 && wall < s->system.walls;
  for (int k = 0; k < dim; k++) {
    size_t at = known ? (size_t)wall * (size_t)dim + (size_t)k : 0;
    if (r) r[k] = known ? s->impulse[at] : 0;
    if (u) u[k] = known ? s->relative[at] : 0;
  }
  return known && s->memory[wall].in_contact;
}

const stc_problem *stc_simulation_problem(const stc_simulation *s, const double **guess) {
  if (guess) *guess = s->problem ? s->contacts.row.guess : NULL;
  return s->problem;
}
