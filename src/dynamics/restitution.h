// Newton's rule of restitution where friction couples contacts: how much of e a step can keep, and
// whether it has a solution at all.
#ifndef STC_DYNAMICS_RESTITUTION_H
#define STC_DYNAMICS_RESTITUTION_H

#include "step_rows.h"

#include <stiction/cert.h>

/// Whether the contacts did positive work r.(U + U+)/2 beyond the bound r.(U_free - U)/2 that the
/// forces of the step explain, which counts at all contacts or only at those that do not bounce.
/// `rounding` is relative to the terms of the work.
bool stc_gains_energy(const stc_step_rows *rows, bool all, double rounding);

/// Solves the step with `part` of every restitution; *sound where the answer is accepted and gains
/// no energy.
typedef stc_error stc_restitution_attempt(void *step, double part, bool *sound);

/// *kept: the largest part of e that is sound, by bisection between 0 and 1 to 2^-halvings.
stc_error stc_restitution_limit(stc_restitution_attempt *attempt, void *step, int halvings,
                                double *kept);

/// The existence criterion of a step, without a search; *certificate is NULL for laws with spin or
/// rolling, which have none.
stc_error stc_step_certify(const stc_problem *problem, stc_certificate **certificate);

#endif
