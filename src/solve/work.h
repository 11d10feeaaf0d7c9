// Counted work: what an iteration of a method is predicted to take, from the counted blocks of W
// and the operations of a factorisation. Budgets are spent in it, never in time.
#ifndef STC_SOLVE_WORK_H
#define STC_SOLVE_WORK_H

#include "method.h"

/// Seconds of a unit of settings.work.
#define STC_WORK_UNIT 1e-6  // [maths]

/// Predicted seconds of a sweep.
double stc_work_sweep(const stc_solver *solver);
/// Of a factorisation; without the operations where nothing has been analysed yet.
double stc_work_factorisation(const stc_solver *solver);
/// Of an iteration of a method on the solver's problem, in its units of work.
double stc_work_iteration(const stc_solver *solver, const stc_method *method);

/// Iterations of a method that this much work is worth; of settings.work, 0 is no limit.
long stc_work_affords(const stc_solver *solver, const stc_method *method, double work);

#endif
