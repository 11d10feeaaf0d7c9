// Newton's rule with friction may gain energy where W couples normal and tangent, or leave no
// solution (Kane's paradox); without restitution neither happens. The largest part of e that is
// sound is kept.
#include "restitution.h"

#include "../base/fail.h"

#include <math.h>

bool stc_gains_energy(const stc_step_rows *rows, bool all, double rounding) {
  const double *r = rows->r, *before = rows->before, *after = rows->after;
  double work = 0, allowed = 0, terms = 0;
  for (int k = 0; k < stc_step_size(rows); k++) {
    double begin = r[k] * before[k] / 2, end = r[k] * after[k] / 2;
    bool bounces = rows->w[k - k % rows->dim] < 0;
    work += begin + end;
    if (all || !bounces) allowed += r[k] * (rows->free[k] - before[k]) / 2;
    terms += fabs(begin) + fabs(end);
  }
  return work > fabs(allowed) + rounding * terms;
}

stc_error stc_restitution_limit(stc_restitution_attempt *attempt, void *step, int halvings,
                                double *kept) {
  double gaining = 1;
  *kept = 0;
  for (int k = 0; k < halvings; k++) {
    double part = (*kept + gaining) / 2;
    bool sound;
    STC_TRY(attempt(step, part, &sound));
    *(sound ? kept : &gaining) = part;
  }
  return STC_OK;
}

stc_error stc_step_certify(const stc_problem *problem, stc_certificate **certificate) {
  stc_certify_settings settings = stc_default_certify_settings();
  settings.cheap = true;
  *certificate = NULL;
  stc_error error = stc_certify(problem, &settings, certificate);
  return error == STC_ERR_UNSUPPORTED ? STC_OK : error;
}
