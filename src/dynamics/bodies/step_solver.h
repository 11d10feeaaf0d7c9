// How the impulses of a step are found.
#ifndef STC_DYNAMICS_STEP_SOLVER_H
#define STC_DYNAMICS_STEP_SOLVER_H

#include "world_data.h"

/// Solves the step's problem from STC_ROW_R, which receives the answer; fills status, eta,
/// fclib_error and accepted of the report. Overwrites STC_ROW_AFTER. *solver is set up at the first
/// call and serves the problem with other w as well; the caller frees it.
stc_error stc_step_solve(stc_world *world, stc_solver **solver, stc_world_report *report);

/// Brings the impulses in STC_ROW_R from the tolerance of the step towards STC_SHARP by a bounded
/// number of iterations; the report follows. Overwrites STC_ROW_AFTER.
stc_error stc_step_sharpen(stc_world *world, stc_world_report *report);

#endif
