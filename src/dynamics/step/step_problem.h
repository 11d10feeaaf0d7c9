// The one-step problem of a world: M and f of its free bodies, rows H, G, the laws and w. Contacts
// alone are solved as they are (stc_reduced); joints, rolling and spinning go by a stc_problem.
#ifndef STC_DYNAMICS_STEP_PROBLEM_H
#define STC_DYNAMICS_STEP_PROBLEM_H

#include "../bodies/world_data.h"

/// Makes it of the rows of the step in the making, with STC_ROW_W.
stc_error stc_step_build(stc_world *world);

/// Whether its laws are cones of forces that are round in some scaling.
bool stc_step_is_round(const stc_world *world);

/// STC_ROW_W has changed, nothing else; so has the solver of the problem.
stc_error stc_step_follow(stc_world *world, stc_solver *solver);

/// Makes world->problem of what was built last; nothing where nothing was built.
stc_error stc_step_pose(stc_world *world);

/// What the judge says of r, in units of mass.
stc_error stc_step_judge(stc_world *world, double *r, stc_residual *residual);

/// The velocities [size] that it made of r, where the problem is that of contacts alone.
const double *stc_step_judged(const stc_world *world);

#endif
