// The unit of mass of a step, and the sentence of a step that is not taken.
#include "step_rows.h"

#include "../base/number.h"

#include <math.h>

double stc_unit_of_mass(int rows, double kappa) {
  int exponent = 0;
  if (kappa > 0) frexp(rows / kappa, &exponent);
  return ldexp(1, exponent);
}

void stc_step_explain(const stc_refusal *why, char *reason, size_t size) {
  int at = stc_snprintf(reason, size, "step %ld at t = %g is not taken: ", why->step, why->time);
  if (why->status == STC_STATUS_INTERRUPTED)
    stc_snprintf(reason + at, size - (size_t)at, "the progress callback asked to stop");
  else
    stc_snprintf(reason + at, size - (size_t)at,
                 "the impulses %s were not found (%s, eta = %.1e)%s%s; %s", why->where,
                 stc_status_name(why->status), why->eta, why->proof[0] ? "; " : "", why->proof,
                 why->remedy);
}
