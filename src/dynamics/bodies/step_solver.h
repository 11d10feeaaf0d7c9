// How the impulses of a step are found.
#ifndef STC_DYNAMICS_STEP_SOLVER_H
#define STC_DYNAMICS_STEP_SOLVER_H

#include "world_data.h"

/// Stops a method that had its share or gets on too slowly, unless the caller's own callback does
/// before.
typedef struct stc_watch {
  const stc_settings *caller;
  long most;      ///< iterations
  long patience;  ///< so many iterations must bring eta down to `gain` of it; 0: need not
  double gain;
  long since;  ///< the iteration at which eta was `eta`
  double eta;
  bool stopped;  ///< by the caller
} stc_watch;

/// The solvers of a step: sweeps, and the others once they were needed.
typedef struct stc_solvers {
  stc_solver *quick, *interior, *turns, *full;
  stc_watch watch;
} stc_solvers;

void stc_solvers_free(stc_solvers *solvers);

/// Takes the new w of the step's problem.
stc_error stc_solvers_update(stc_solvers *solvers, const double *w);

/// Solves the step's problem from STC_ROW_R, which receives the answer; fills status, eta,
/// fclib_error and accepted of the report. Overwrites STC_ROW_AFTER.
stc_error stc_solvers_run(stc_world *world, stc_solvers *solvers, stc_world_report *report);

/// Brings the impulses in STC_ROW_R from the tolerance of the step towards STC_SHARP by a bounded
/// number of sweeps; the report follows. Overwrites STC_ROW_AFTER.
stc_error stc_solvers_sharpen(stc_world *world, stc_world_report *report);

#endif
