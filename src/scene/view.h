// The state as a scene sees it: the table s and the numbers m it keeps, handed to step, series and
// observables.
#ifndef STC_SCENE_VIEW_H
#define STC_SCENE_VIEW_H

#include "scene_data.h"

/// What a scene is shown after a step.
typedef struct stc_moment {
  double t;
  const double *q, *u;  ///< [dofs]
  double t_before;
  const double *q_before, *u_before;  ///< [dofs] at the beginning of the step
  long step;
  int contacts;
  const stc_ledger *ledger;
  const bool *touching;    ///< [walls]
  const double *impulse;   ///< [walls*dim] of the step, N s
  const double *relative;  ///< [walls*dim] velocity after it
} stc_moment;

/// Makes the tables; m holds what memory { } says.
stc_error stc_view_open(stc_scene *scene);

/// Shows the moment.
stc_error stc_view_show(stc_scene *scene, const stc_moment *moment);

/// Calls the scene's step(s, m), if it has one.
stc_error stc_view_step(stc_scene *scene);

/// The scene's series now, [series]; its observable k now. NaN where it answers nil.
stc_error stc_view_series(stc_scene *scene, double *values);
stc_error stc_view_observable(stc_scene *scene, int k, double *value);

/// The numbers in m, [kept].
stc_error stc_view_get_memory(stc_scene *scene, double *values);
stc_error stc_view_set_memory(stc_scene *scene, const double *values);

#endif
