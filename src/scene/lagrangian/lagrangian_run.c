// The motion of a system by the scheme its scene asks for: Moreau's steps of length h, or the same
// steps extrapolated to h = 0; and the table s: q, u, before, energy, contacts.
#include "../view.h"
#include "extrapolate.h"

#include <string.h>

// A step that ends within this part of h after t_end is the last one: t_end / h need not be whole
// in binary.
static const double LAST_STEP = 1e-6;

// What a checkpoint begins with: the beginning of the last step, which the scene sees.
enum { BEFORE_T, CONTACTS, BEFORE_Q };

typedef struct motion {
  stc_moving run;
  stc_simulation *simulation;       // Moreau's scheme
  stc_extrapolation extrapolation;  // the other one
  double *q, *u;                    // [dofs]
} motion;

static bool extrapolates(const motion *m) {
  return m->run.scene->scheme == STC_SCHEME_EXTRAPOLATED;
}

// --- Making ---

static void read_motion(motion *m) {
  const stc_extrapolation *e = &m->extrapolation;
  const stc_simulation *s = m->simulation;
  size_t n = (size_t)m->run.scene->dofs;
  m->run.t = s ? stc_simulation_time(s) : e->t;
  m->run.step = s ? stc_simulation_steps(s) : e->steps;
  memcpy(m->q, s ? stc_simulation_q(s) : e->y, n * sizeof *m->q);
  memcpy(m->u, s ? stc_simulation_u(s) : e->y + n, n * sizeof *m->u);
}

static void remember_before(motion *m) {
  size_t n = (size_t)m->run.scene->dofs;
  m->run.kept[BEFORE_T] = m->run.t;
  memcpy(m->run.kept + BEFORE_Q, m->q, n * sizeof *m->q);
  memcpy(m->run.kept + BEFORE_Q + n, m->u, n * sizeof *m->u);
}

static stc_error open_scheme(motion *m) {
  const stc_scene *scene = m->run.scene;
  stc_system system = stc_scene_system(m->run.scene);
  if (extrapolates(m)) return stc_extrapolation_open(&m->extrapolation, scene, system);
  STC_TRY(stc_simulation_create(&system, &scene->stepping, &m->simulation));
  return stc_simulation_place(m->simulation, scene->t_start, scene->q, scene->u);
}

static void list_coordinates(motion *m, char letter, const double *x) {
  for (int k = 0; k < m->run.scene->dofs; k++)
    stc_show(&m->run, &m->run.columns, &x[k], "%c%d", letter, k + 1);
}

static stc_error open_motion(void *moving, const stc_run_settings *settings) {
  (void)settings;
  motion *m = moving;
  stc_moving *run = &m->run;
  const stc_scene *scene = run->scene;
  STC_TRY(stc_scene_error(run->scene, open_scheme(m)));
  run->kept_count = BEFORE_Q + 2 * (size_t)scene->dofs;
  run->kept = STC_TAKE(&run->arena, double, run->kept_count);
  run->q = m->q = STC_TAKE(&run->arena, double, scene->dofs);
  run->u = m->u = STC_TAKE(&run->arena, double, scene->dofs);
  STC_TRY(stc_arena_check(&run->arena));
  run->slack = extrapolates(m) ? 0 : LAST_STEP * scene->stepping.h;
  list_coordinates(m, 'q', m->q);
  list_coordinates(m, 'u', m->u);
  stc_show(run, &run->columns, &run->kept[CONTACTS], "contacts");
  stc_show_ledger(run,
                  m->simulation ? stc_simulation_ledger(m->simulation) : &m->extrapolation.ledger);
  read_motion(m);
  remember_before(m);
  return STC_OK;
}

static void close_motion(void *moving) {
  motion *m = moving;
  stc_simulation_free(&m->simulation);
  stc_extrapolation_close(&m->extrapolation);
}

// --- Stepping ---

static stc_error step_motion(void *moving, double t_end, stc_step_report *report) {
  motion *m = moving;
  remember_before(m);
  stc_error error = extrapolates(m) ? stc_extrapolation_step(&m->extrapolation, t_end, report)
                                    : stc_simulation_step(m->simulation, report);
  if (!error && report->accepted) m->run.kept[CONTACTS] = report->contacts;
  if (!error) read_motion(m);
  return stc_scene_error(m->run.scene, error);
}

static const stc_problem *problem_of_motion(void *moving, const double **guess) {
  const motion *m = moving;
  const stc_simulation *s = extrapolates(m) ? m->extrapolation.failed : m->simulation;
  return s ? stc_simulation_problem(s, guess) : NULL;
}

// --- The table s ---

static bool look_at_wall(const motion *m, int wall, double *r, double *u) {
  const stc_extrapolation *e = &m->extrapolation;
  size_t bytes = (size_t)m->run.scene->dim * sizeof *r;
  if (m->simulation) return stc_simulation_contact(m->simulation, wall, r, u);
  memcpy(r, stc_extrapolation_impulse(e, wall), bytes);
  memcpy(u, stc_extrapolation_relative(e, wall), bytes);
  return e->touched[wall];
}

static void show_walls(lua_State *L, const motion *m) {
  const stc_scene *scene = m->run.scene;
  double r[STC_MAX_DIM], u[STC_MAX_DIM];
  stc_view_open_table(L, "contacts");
  for (int k = 0; k < scene->walls; k++) {
    stc_view_open_table(L, scene->wall[k].name);
    lua_pushboolean(L, look_at_wall(m, k, r, u));
    stc_put_field(L, "touching");
    stc_view_set_list(L, "r", r, scene->dim);
    stc_view_set_list(L, "u", u, scene->dim);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void show_motion(lua_State *L, void *moving) {
  const motion *m = moving;
  const double *before = m->run.kept;
  int n = m->run.scene->dofs;
  stc_view_set_number(L, "h", m->run.t - before[BEFORE_T]);
  stc_view_set_list(L, "q", m->q, n);
  stc_view_set_list(L, "u", m->u, n);
  stc_view_open_table(L, "before");
  stc_view_set_number(L, "t", before[BEFORE_T]);
  stc_view_set_list(L, "q", before + BEFORE_Q, n);
  stc_view_set_list(L, "u", before + BEFORE_Q + n, n);
  lua_pop(L, 1);
  stc_view_set_shown(L, "energy", &m->run.energy);
  show_walls(L, m);
}

// --- Checkpoints ---

static size_t motion_size(const void *moving) {
  const motion *m = moving;
  return extrapolates(m) ? stc_extrapolation_state_size(&m->extrapolation)
                         : stc_simulation_state_size(m->simulation);
}

static void save_motion(const void *moving, double *state) {
  const motion *m = moving;
  if (extrapolates(m))
    stc_extrapolation_save(&m->extrapolation, state);
  else
    stc_simulation_save(m->simulation, state);
}

static stc_error restore_motion(void *moving, const double *state) {
  motion *m = moving;
  if (extrapolates(m))
    stc_extrapolation_restore(&m->extrapolation, state);
  else
    STC_TRY(stc_simulation_restore(m->simulation, state, motion_size(m)));
  read_motion(m);
  return STC_OK;
}

// --- The functions of the scene ---

static const stc_callback *function_of_motion(const stc_scene *scene, int k) {
  enum { FIRST = 3, PER_WALL = 5 };
  const stc_callback *first[FIRST] = {&scene->mass.function, &scene->force.function,
                                      &scene->potential};
  if (k < FIRST) return first[k];
  k -= FIRST;
  if (k >= PER_WALL * scene->walls) return NULL;
  const stc_scene_wall_data *wall = &scene->wall[k / PER_WALL];
  const stc_callback *own[PER_WALL] = {&wall->f, &wall->gradient.function, &wall->tangents.function,
                                       &wall->velocity.function, &wall->friction.function};
  return own[k % PER_WALL];
}

STC_KIND(lagrangian, "a system", motion, motion, stc_scene_check_system, show_motion,
         .problem = problem_of_motion)
