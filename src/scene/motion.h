// The motion of a scene by the scheme it asks for: Moreau's steps of length h, or the same steps
// extrapolated to h = 0.
#ifndef STC_SCENE_MOTION_H
#define STC_SCENE_MOTION_H

#include "scene_data.h"

typedef struct stc_motion stc_motion;

/// A motion at the start of the scene.
stc_error stc_motion_create(stc_scene *scene, stc_motion **motion);
void stc_motion_free(stc_motion **motion);

/// One step, not over t_end.
stc_error stc_motion_step(stc_motion *motion, double t_end, stc_step_report *report);

/// Whether t_end is reached.
bool stc_motion_reached(const stc_motion *motion, double t_end);

double stc_motion_time(const stc_motion *motion);
long stc_motion_steps(const stc_motion *motion);
const double *stc_motion_q(const stc_motion *motion);
const double *stc_motion_u(const stc_motion *motion);
const stc_ledger *stc_motion_ledger(const stc_motion *motion);
bool stc_motion_contact(const stc_motion *motion, int wall, double *r, double *u);
const stc_problem *stc_motion_problem(const stc_motion *motion, const double **guess);

/// Everything a restart needs.
size_t stc_motion_state_size(const stc_motion *motion);
void stc_motion_save(const stc_motion *motion, double *state);
stc_error stc_motion_restore(stc_motion *motion, const double *state);

#endif
