// One interface over the two schemes.
#include "motion.h"

#include "extrapolate.h"

#include <math.h>
#include <string.h>

// A step that ends within this part of h after t_end is the last one: t_end / h need not be whole
// in binary.
static const double LAST_STEP = 1e-6;

struct stc_motion {
  stc_scene *scene;
  stc_simulation *simulation;       // Moreau's scheme
  stc_extrapolation extrapolation;  // the other one
};

static bool extrapolates(const stc_motion *m) {
  return m->scene->scheme == STC_SCHEME_EXTRAPOLATED;
}

static stc_error open(stc_motion *m) {
  const stc_scene *scene = m->scene;
  stc_system system = stc_scene_system(m->scene);
  if (extrapolates(m)) return stc_extrapolation_open(&m->extrapolation, scene, system);
  STC_TRY(stc_simulation_create(&system, &scene->stepping, &m->simulation));
  return stc_simulation_place(m->simulation, scene->t_start, scene->q, scene->u);
}

stc_error stc_motion_create(stc_scene *scene, stc_motion **motion) {
  stc_motion *m = *motion = stc_calloc(1, sizeof *m);
  if (!m) return stc_fail(STC_ERR_MEMORY, "out of memory for a motion");
  m->scene = scene;
  stc_error error = stc_scene_error(scene, open(m));
  if (error) stc_motion_free(motion);
  return error;
}

void stc_motion_free(stc_motion **motion) {
  if (!*motion) return;
  stc_simulation_free(&(*motion)->simulation);
  stc_extrapolation_close(&(*motion)->extrapolation);
  stc_release(motion);
}

stc_error stc_motion_step(stc_motion *m, double t_end, stc_step_report *report) {
  stc_error error = extrapolates(m) ? stc_extrapolation_step(&m->extrapolation, t_end, report)
                                    : stc_simulation_step(m->simulation, report);
  return stc_scene_error(m->scene, error);
}

bool stc_motion_reached(const stc_motion *m, double t_end) {
  double slack = extrapolates(m) ? 0 : LAST_STEP * m->scene->stepping.h;
  return stc_motion_time(m) >= t_end - slack;
}

double stc_motion_time(const stc_motion *m) {
  return extrapolates(m) ? m->extrapolation.t : stc_simulation_time(m->simulation);
}

long stc_motion_steps(const stc_motion *m) {
  return extrapolates(m) ? m->extrapolation.steps : stc_simulation_steps(m->simulation);
}

const double *stc_motion_q(const stc_motion *m) {
  return extrapolates(m) ? m->extrapolation.y : stc_simulation_q(m->simulation);
}

const double *stc_motion_u(const stc_motion *m) {
  return extrapolates(m) ? m->extrapolation.y + m->scene->dofs : stc_simulation_u(m->simulation);
}

const stc_ledger *stc_motion_ledger(const stc_motion *m) {
  return extrapolates(m) ? &m->extrapolation.ledger : stc_simulation_ledger(m->simulation);
}

bool stc_motion_contact(const stc_motion *m, int wall, double *r, double *u) {
  const stc_extrapolation *e = &m->extrapolation;
  if (!extrapolates(m)) return stc_simulation_contact(m->simulation, wall, r, u);
  size_t bytes = (size_t)m->scene->dim * sizeof *r;
  memcpy(r, stc_extrapolation_impulse(e, wall), bytes);
  memcpy(u, stc_extrapolation_relative(e, wall), bytes);
  return e->touched[wall];
}

const stc_problem *stc_motion_problem(const stc_motion *m, const double **guess) {
  const stc_simulation *s = extrapolates(m) ? m->extrapolation.failed : m->simulation;
  return s ? stc_simulation_problem(s, guess) : NULL;
}

size_t stc_motion_state_size(const stc_motion *m) {
  return extrapolates(m) ? stc_extrapolation_state_size(&m->extrapolation)
                         : stc_simulation_state_size(m->simulation);
}

void stc_motion_save(const stc_motion *m, double *state) {
  if (extrapolates(m))
    stc_extrapolation_save(&m->extrapolation, state);
  else
    stc_simulation_save(m->simulation, state);
}

stc_error stc_motion_restore(stc_motion *m, const double *state) {
  if (!extrapolates(m))
    return stc_simulation_restore(m->simulation, state, stc_motion_state_size(m));
  stc_extrapolation_restore(&m->extrapolation, state);
  return STC_OK;
}
