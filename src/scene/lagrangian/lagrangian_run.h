// The motion of a scene by the scheme it asks for: Moreau's steps of length h, or the same steps
// extrapolated to h = 0; and what the scene is shown of it.
#ifndef STC_SCENE_LAGRANGIAN_RUN_H
#define STC_SCENE_LAGRANGIAN_RUN_H

#include "extrapolate.h"

typedef struct stc_motion {
  stc_arena arena;
  stc_scene *scene;
  stc_simulation *simulation;       ///< Moreau's scheme
  stc_extrapolation extrapolation;  ///< the other one
  // the step that was taken last
  double t_before;
  double *q_before, *u_before;  ///< [dofs]
  bool *touching;               ///< [walls]
  double *impulse, *relative;   ///< [walls*dim]
  int contacts;
} stc_motion;

double stc_motion_time(const void *motion);
long stc_motion_steps(const void *motion);
const double *stc_motion_q(const void *motion);
const double *stc_motion_u(const void *motion);
const stc_ledger *stc_motion_ledger(const void *motion);

/// Entry k of a ledger; false past the last.
bool stc_motion_energy(const stc_ledger *ledger, int k, const char **name, double *value);

/// The table s of a system: made, and filled.
void stc_motion_open_view(lua_State *L, const stc_scene *scene);
void stc_motion_show(lua_State *L, void *motion);
/// s.energy of a ledger.
void stc_motion_show_energy(lua_State *L, const stc_ledger *ledger);

#endif
