// One interface over the two schemes.
#include "lagrangian_run.h"

#include "../../base/number.h"

#include "../kind.h"

#include <math.h>
#include <string.h>

// A step that ends within this part of h after t_end is the last one: t_end / h need not be whole
// in binary.
static const double LAST_STEP = 1e-6;

// Columns of the table besides q and u, after the entries of the ledger.
static const char *const fixed_columns[] = {"contacts", "kinetic", "potential",  "work", "drive",
                                            "friction", "shock",   "correction", "error"};
enum { FIXED = sizeof fixed_columns / sizeof *fixed_columns };

static bool extrapolates(const stc_motion *m) {
  return m->scene->scheme == STC_SCHEME_EXTRAPOLATED;
}

// --- Making ---

static stc_error open_scheme(stc_motion *m) {
  const stc_scene *scene = m->scene;
  stc_system system = stc_scene_system(m->scene);
  if (extrapolates(m)) return stc_extrapolation_open(&m->extrapolation, scene, system);
  STC_TRY(stc_simulation_create(&system, &scene->stepping, &m->simulation));
  return stc_simulation_place(m->simulation, scene->t_start, scene->q, scene->u);
}

static stc_error allocate(stc_motion *m) {
  const stc_scene *scene = m->scene;
  size_t size = (size_t)scene->walls * (size_t)scene->dim;
  m->q_before = STC_TAKE(&m->arena, double, scene->dofs);
  m->u_before = STC_TAKE(&m->arena, double, scene->dofs);
  m->touching = STC_TAKE(&m->arena, bool, scene->walls);
  m->impulse = STC_TAKE(&m->arena, double, size);
  m->relative = STC_TAKE(&m->arena, double, size);
  return stc_arena_check(&m->arena);
}

static void remember_before(stc_motion *m) {
  size_t bytes = (size_t)m->scene->dofs * sizeof(double);
  m->t_before = stc_motion_time(m);
  memcpy(m->q_before, stc_motion_q(m), bytes);
  memcpy(m->u_before, stc_motion_u(m), bytes);
}

static void free_motion(void **moving) {
  stc_motion *m = *moving;
  if (!m) return;
  stc_simulation_free(&m->simulation);
  stc_extrapolation_close(&m->extrapolation);
  stc_arena_free(&m->arena);
  stc_release(moving);
}

static stc_error create(stc_scene *scene, const stc_run_settings *settings, void **moving) {
  (void)settings;
  stc_motion *m = *moving = stc_calloc(1, sizeof *m);
  if (!m) return stc_fail(STC_ERR_MEMORY, "out of memory for a motion");
  m->scene = scene;
  stc_error error = stc_scene_error(scene, open_scheme(m));
  if (!error) error = allocate(m);
  if (error)
    free_motion(moving);
  else
    remember_before(m);
  return error;
}

// --- Stepping ---

static stc_error step(void *moving, double t_end, stc_step_report *report) {
  stc_motion *m = moving;
  remember_before(m);
  stc_error error = extrapolates(m) ? stc_extrapolation_step(&m->extrapolation, t_end, report)
                                    : stc_simulation_step(m->simulation, report);
  if (!error && report->accepted) m->contacts = report->contacts;
  return stc_scene_error(m->scene, error);
}

static bool reached(const void *moving, double t_end) {
  const stc_motion *m = moving;
  double slack = extrapolates(m) ? 0 : LAST_STEP * m->scene->stepping.h;
  return stc_motion_time(m) >= t_end - slack;
}

double stc_motion_time(const void *motion) {
  const stc_motion *m = motion;
  return extrapolates(m) ? m->extrapolation.t : stc_simulation_time(m->simulation);
}

long stc_motion_steps(const void *motion) {
  const stc_motion *m = motion;
  return extrapolates(m) ? m->extrapolation.steps : stc_simulation_steps(m->simulation);
}

const double *stc_motion_q(const void *motion) {
  const stc_motion *m = motion;
  return extrapolates(m) ? m->extrapolation.y : stc_simulation_q(m->simulation);
}

const double *stc_motion_u(const void *motion) {
  const stc_motion *m = motion;
  return extrapolates(m) ? m->extrapolation.y + m->scene->dofs : stc_simulation_u(m->simulation);
}

const stc_ledger *stc_motion_ledger(const void *motion) {
  const stc_motion *m = motion;
  return extrapolates(m) ? &m->extrapolation.ledger : stc_simulation_ledger(m->simulation);
}

static const stc_problem *problem(void *moving, const double **guess) {
  const stc_motion *m = moving;
  const stc_simulation *s = extrapolates(m) ? m->extrapolation.failed : m->simulation;
  return s ? stc_simulation_problem(s, guess) : NULL;
}

bool stc_motion_energy(const stc_ledger *l, int k, const char **name, double *value) {
  const struct {
    const char *name;
    double value;
  } entry[] = {{"kinetic", l->kinetic}, {"potential", l->potential},   {"start", l->start},
               {"work", l->work},       {"drive", l->drive},           {"friction", l->friction},
               {"shock", l->shock},     {"correction", l->correction}, {"error", l->error}};
  if (k < 0 || k >= (int)(sizeof entry / sizeof *entry)) return false;
  *name = entry[k].name;
  *value = entry[k].value;
  return true;
}

static bool energy(const void *moving, int k, const char **name, double *value) {
  return stc_motion_energy(stc_motion_ledger(moving), k, name, value);
}

// --- Rows ---

static int columns(const void *moving) {
  const stc_motion *m = moving;
  return 2 * m->scene->dofs + FIXED;
}

static void column_name(const void *moving, int k, char name[STC_COLUMN_NAME]) {
  const stc_motion *m = moving;
  int n = m->scene->dofs;
  if (k < 2 * n)
    stc_snprintf(name, STC_COLUMN_NAME, "%c%d", k < n ? 'q' : 'u', k % n + 1);
  else
    stc_snprintf(name, STC_COLUMN_NAME, "%s", fixed_columns[k - 2 * n]);
}

static void row(const void *moving, double *numbers) {
  const stc_motion *m = moving;
  const stc_ledger *l = stc_motion_ledger(m);
  const double fixed[FIXED] = {m->contacts, l->kinetic, l->potential,  l->work, l->drive,
                               l->friction, l->shock,   l->correction, l->error};
  size_t n = (size_t)m->scene->dofs;
  memcpy(numbers, stc_motion_q(m), n * sizeof *numbers);
  memcpy(numbers + n, stc_motion_u(m), n * sizeof *numbers);
  memcpy(numbers + 2 * n, fixed, sizeof fixed);
}

// --- Checkpoints: what the scene saw last, then the state of the scheme ---

static size_t before_size(const stc_motion *m) { return 2 + 2 * (size_t)m->scene->dofs; }

static size_t state_size(const void *moving) {
  const stc_motion *m = moving;
  return before_size(m) + (extrapolates(m) ? stc_extrapolation_state_size(&m->extrapolation)
                                           : stc_simulation_state_size(m->simulation));
}

static void save(const void *moving, double *state) {
  const stc_motion *m = moving;
  size_t n = (size_t)m->scene->dofs;
  state[0] = m->t_before;
  state[1] = m->contacts;
  memcpy(state + 2, m->q_before, n * sizeof *state);
  memcpy(state + 2 + n, m->u_before, n * sizeof *state);
  state += before_size(m);
  if (extrapolates(m))
    stc_extrapolation_save(&m->extrapolation, state);
  else
    stc_simulation_save(m->simulation, state);
}

static stc_error restore(void *moving, const double *state) {
  stc_motion *m = moving;
  size_t n = (size_t)m->scene->dofs, rest = state_size(m) - before_size(m);
  m->t_before = state[0];
  m->contacts = (int)state[1];
  memcpy(m->q_before, state + 2, n * sizeof *state);
  memcpy(m->u_before, state + 2 + n, n * sizeof *state);
  state += before_size(m);
  if (!extrapolates(m)) return stc_simulation_restore(m->simulation, state, rest);
  stc_extrapolation_restore(&m->extrapolation, state);
  return STC_OK;
}

// --- The functions of the scene ---

static const stc_callback *of_wall(const stc_scene_wall_data *wall, int k) {
  const stc_callback *all[] = {&wall->f, &wall->gradient.function, &wall->tangents.function,
                               &wall->velocity.function, &wall->friction.function};
  return all[k];
}

static const stc_callback *function(const stc_scene *scene, int k) {
  enum { FIRST = 3, PER_WALL = 5 };
  const stc_callback *first[FIRST] = {&scene->mass.function, &scene->force.function,
                                      &scene->potential};
  if (k < FIRST) return first[k];
  k -= FIRST;
  return k < PER_WALL * scene->walls ? of_wall(&scene->wall[k / PER_WALL], k % PER_WALL) : NULL;
}

const stc_kind stc_kind_motion = {.name = "system",
                                  .check = stc_scene_check_system,
                                  .function = function,
                                  .create = create,
                                  .free = free_motion,
                                  .step = step,
                                  .reached = reached,
                                  .time = stc_motion_time,
                                  .steps = stc_motion_steps,
                                  .q = stc_motion_q,
                                  .u = stc_motion_u,
                                  .ledger = stc_motion_ledger,
                                  .energy = energy,
                                  .columns = columns,
                                  .column_name = column_name,
                                  .row = row,
                                  .open_view = stc_motion_open_view,
                                  .show = stc_motion_show,
                                  .state_size = state_size,
                                  .save = save,
                                  .restore = restore,
                                  .problem = problem};
