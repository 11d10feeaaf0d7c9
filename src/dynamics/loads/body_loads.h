// Loads on bodies as the step takes them: changes of velocity, evaluated once at its middle.
#ifndef STC_DYNAMICS_BODY_LOADS_H
#define STC_DYNAMICS_BODY_LOADS_H

#include "../bodies/world_data.h"

/// Evaluates the loads of the step at the places `next`.
stc_error stc_loads_begin(stc_world *world);
/// speed [dofs] += what loads and damping change.
void stc_loads_add(const stc_world *world, double *speed);
/// Velocity that they give to a body's point.
void stc_loads_rate(const stc_world *world, int body, const double point[3], double v[3]);
/// Adds their work to the ledger between the velocities before and after.
void stc_loads_book(stc_world *world, const double *before, const double *after);
/// The step was taken: what was for this one ends.
void stc_loads_end(stc_world *world);
/// A body leaves the world.
void stc_loads_forget(stc_world *world, int body);

#endif
