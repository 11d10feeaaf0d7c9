// Load steps: one try, and halves of it where that does not converge.
#include "../base/number.h"
#include "../base/stop.h"
#include "fem_data.h"

#include <math.h>
#include <string.h>

// Why it stopped, and what the caller can do.
static void explain_step(const stc_fem *f, double t0, double t, double h, stc_fem_report *report) {
  char cause[sizeof report->reason];
  memcpy(cause, report->reason, sizeof cause);
  if (report->contradictory) {
    stc_snprintf(report->reason, sizeof report->reason, "the load step from t = %g to %g: %.400s",
                 t0, t, cause);
    return;
  }
  stc_snprintf(
      report->reason, sizeof report->reason,
      "the load step from t = %g to %g stopped at t = %g with parts of %g (%d cuts): %.330s; "
      "smaller load steps, more supports or more max_cuts may help",
      t0, t, f->time, h, report->cuts, cause);
}

// Parts of a step: each try that fails halves the part, each that converges doubles it again.
static stc_error walk(stc_fem *f, double t, stc_fem_report *report, stc_try *outcome) {
  double t0 = f->time, h = t - t0;
  int halvings = 0;
  *outcome = STC_TRY_CONVERGED;
  while (f->time < t) {
    double to = halvings == 0 || f->time + h * (1 + 1e-9) >= t ? t : f->time + h;
    STC_TRY(f->thermal ? stc_fem_coupled_step(f, to, report, outcome)
                       : stc_fem_step(f, to, report, outcome));
    if (*outcome == STC_TRY_INTERRUPTED) return STC_OK;
    if (*outcome == STC_TRY_CONVERGED) {
      if (halvings > 0 && f->time < t) {
        halvings--;
        h *= 2;
      }
      continue;
    }
    if (halvings == f->settings.max_cuts || report->contradictory) {
      explain_step(f, t0, t, h, report);
      return STC_OK;
    }
    halvings++;
    report->cuts++;
    h /= 2;
  }
  return STC_OK;
}

// Stages that tell nothing by themselves ask all the same.
static bool goes_on(void *fem) { return stc_fem_tell(fem, "solving", 0); }

stc_error stc_fem_advance(stc_fem *fem, double t, stc_fem_report *report) {
  stc_fem_report own, *rep = report ? report : &own;
  stc_try outcome = STC_TRY_FAILED;
  *rep = (stc_fem_report){.strain_cell = -1, .rotation_cell = -1};
  if (!(t > fem->time) || !isfinite(t))
    return stc_fail(STC_ERR_VALUE, "t = %g; the model is at t = %g and only goes forward", t,
                    fem->time);
  fem->stopped = false;
  stc_fem_save(fem, fem->saved);
  stc_stop stop;
  stc_stop_open(&stop, INFINITY, fem->settings.progress ? goes_on : NULL, fem);
  stc_error error = walk(fem, t, rep, &outcome);
  stc_stop_close(&stop);
  rep->accepted = !error && outcome == STC_TRY_CONVERGED;
  rep->interrupted = outcome == STC_TRY_INTERRUPTED;
  if (rep->accepted) {
    rep->reason[0] = '\0';
    return STC_OK;
  }
  char detail[sizeof rep->reason];
  stc_snprintf(detail, sizeof detail, "%s", stc_error_detail());
  stc_error back = stc_fem_restore(fem, fem->saved, stc_fem_state_size(fem));
  if (error) return stc_fail(error, "%s", detail);
  return back;
}
