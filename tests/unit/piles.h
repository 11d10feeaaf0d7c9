// Problems of the gallery, solved and judged.
#ifndef STC_TEST_PILES_H
#define STC_TEST_PILES_H

#include "gallery.h"

#include <stiction/solve.h>

static inline stc_problem *pile(const char *kind, int n, unsigned long seed) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.seed = seed;
  return generate_problem(&options);
}

// Solves from r and leaves the answer there; the residual is the judge's.
static inline stc_residual solve(const stc_problem *problem, const stc_settings *settings,
                                 double *r, stc_info *info) {
  stc_solver *solver = NULL;
  stc_residual residual;
  assert_int_equal(stc_solver_setup(&solver, problem, settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, info), STC_OK);
  assert_int_equal(stc_problem_residual(problem, &(stc_solution){.r = r}, &residual), STC_OK);
  stc_solver_free(&solver);
  return residual;
}

#endif
