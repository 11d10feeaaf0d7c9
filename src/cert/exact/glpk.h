// GLPK inside a library: it keeps one environment per thread and ends the process where memory runs
// out, unless a hook jumps away; the environment is then only good to be freed.
#ifndef STC_CERT_GLPK_H
#define STC_CERT_GLPK_H

#include "../../base/fail.h"

#include <glpk.h>

/// Returns work(argument), run where GLPK's environment belongs to nobody else: on this thread, or
/// on one of its own where the host uses GLPK on this one. No problem of GLPK outlives it.
stc_error stc_glpk_own(stc_error (*work)(void *argument), void *argument);

/// Runs task(argument), which calls GLPK and takes nothing that a jump out of it would lose. False
/// where GLPK gave up: the problems it worked on must not be touched again. Then STC_FAULT_MEMORY
/// is set, or STC_FAULT_VALUE where numbers of too many magnitudes broke one of its assertions.
bool stc_glpk_try(void (*task)(void *argument), void *argument);

/// glp_simplex in rounds of a fixed number of steps, from the basis where the last one ended, with
/// a look at the clock between them; after `most` steps GLP_EITLIM, for it may cycle for ever. The
/// number of steps in a round depends on the size alone.
int stc_glpk_simplex(glp_prob *lp, glp_smcp *options, int most);

#endif
