// Checks that the settings come from the default, lie in their ranges and name a method.
#ifndef STC_SOLVE_SETTINGS_H
#define STC_SOLVE_SETTINGS_H

#include <stiction/solve.h>

stc_error stc_settings_check(const stc_settings *settings);

/// Limits the counted work of the solves that follow; 0: no limit.
void stc_solver_allow(stc_solver *solver, double work);

/// The next solve need not judge its start, which is not the answer; or has its judgement already,
/// u [size] and residual, from the caller. Of solvers that are set up.
void stc_solver_trust(stc_solver *solver);
void stc_solver_take_judgement(stc_solver *solver, const double *u, const stc_residual *residual);

/// Iterations of the outermost solver's method that its work and max_iterations allow; of auto,
/// which keeps account itself, max_iterations.
long stc_solver_affords(const stc_solver *solver);

#endif
