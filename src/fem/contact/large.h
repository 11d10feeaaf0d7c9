// A linear step whose K is too large for a factor: statuses by a primal-dual active set, closed
// contacts eliminated, multigrid on what is left.
#ifndef STC_FEM_LARGE_H
#define STC_FEM_LARGE_H

#include "linear_step.h"

/// Statuses and the hierarchy of the last step, kept for the next.
typedef struct stc_large stc_large;

stc_error stc_large_create(stc_large **large);
void stc_large_free(stc_large **large);

/// Forgets the hierarchy: K or H is another one.
void stc_large_reset(stc_large *large);

/// r [count*dim] and du [free] hold the start and receive the answer; v [count*dim] receives gaps
/// and slips. `solves` is raised by the linear solves, `settled` says whether the statuses came to
/// rest.
stc_error stc_large_solve(stc_large *large, const stc_linear_step *step, double *r, double *du,
                          double *v, int *solves, bool *settled);

double stc_large_bytes(const stc_large *large);          ///< held by the hierarchy
int stc_large_setups(const stc_large *large);            ///< hierarchies made so far
double stc_large_setup_seconds(const stc_large *large);  ///< and the time they took

#endif
