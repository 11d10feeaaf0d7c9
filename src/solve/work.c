// Counted work, in units of about 1 us:
//   sweep          sweep_contact * contacts + sweep_block * blocks of W
//   factorisation  operation * its operations + overhead * contacts
#include "work.h"

#include <limits.h>
#include <math.h>

double stc_work_sweep(const stc_solver *solver) {
  const stc_reduced *p = solver->problem;
  double blocks = (double)stc_reduced_blocks(p);
  // Without W a row of H takes as long as two blocks.
  double rows = p->bodies.count ? 2.0 * p->bodies.touch_ptr[p->contacts] : blocks;
  return solver->settings.strategy.sweep_contact * p->contacts +
         solver->settings.strategy.sweep_block * fmin(rows, blocks);
}

double stc_work_factorisation(const stc_solver *solver) {
  double flops = solver->jacobian ? stc_jacobian_flops(solver->jacobian) : 0;
  return solver->settings.strategy.operation * flops +
         solver->settings.strategy.overhead * solver->problem->contacts;
}

double stc_work_iteration(const stc_solver *solver, const stc_method *method) {
  double sweep = stc_work_sweep(solver) / STC_WORK_UNIT;
  if (method == &stc_method_nsgs) return sweep;
  if (method == &stc_method_apgd) return sweep / 2;  // it reads as much, and solves no contact
  if (method == &stc_method_admm) return 2 * sweep;
  if (method == &stc_method_schwarz)  // the clusters take twice as long as the sweeps
    return 3 * solver->settings.schwarz.sweeps * sweep;
  return stc_work_factorisation(solver) / STC_WORK_UNIT;
}

long stc_work_affords(const stc_solver *solver, const stc_method *method, double work) {
  double each = stc_work_iteration(solver, method);
  return work <= 0 ? 0 : each > 0 ? lround(fmin(1e9, ceil(work / each))) : LONG_MAX;
}
