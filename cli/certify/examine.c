// What can be proved quickly about a problem: after a solve that failed, and for `info`.
#include <math.h>
#include <stdio.h>

#include "../cli.h"

static const double CHEAP_SECONDS = 5.0;  // for the criterion

// Bounds that a solution breaks by no more than its residual allows.
static const double BOUND_TOL = 1e-6;

static bool breaks(const stc_bounds *bounds, const stc_problem *problem, const double *r) {
  bool hold = true;
  return r && !stc_bounds_check(bounds, problem, r, BOUND_TOL, &hold) && !hold;
}

static bool on_examined(void *user, const stc_certify_progress *progress) {
  (void)user;
  (void)progress;
  return !cli_interrupted();
}

// What the certificate says, then drops it; the problem may have none.
static void read_certificate(const stc_problem *problem, const double *r,
                             stc_certificate *certificate, cli_existence *found) {
  if (!certificate) return;
  found->verdict = stc_certificate_verdict(certificate);
  found->proof = stc_proof_name(stc_certificate_proof(certificate));
  found->margin = stc_certificate_margin(certificate);
  found->bounded = stc_certificate_bounds(certificate, &found->bounds);
  found->outside = found->bounded && breaks(&found->bounds, problem, r);
  found->bounds.v = found->bounds.r = NULL;  // they live in the certificate
  snprintf(found->reason, sizeof found->reason, "%s", stc_certificate_reason(certificate));
  stc_certificate_free(&certificate);
}

void cli_examine(const stc_problem *problem, const double *r, cli_existence *found) {
  stc_certificate *certificate = NULL;
  stc_certify_settings settings = stc_default_certify_settings();
  settings.cheap = true;
  settings.time_limit = CHEAP_SECONDS;
  settings.all = false;
  settings.r = r;
  settings.progress = on_examined;
  *found = (cli_existence){.verdict = STC_VERDICT_UNDECIDED};
  if (stc_certify(problem, &settings, &certificate))
    snprintf(found->reason, sizeof found->reason, "%s", stc_error_detail());
  read_certificate(problem, r, certificate, found);
}

void cli_decide(const stc_problem *problem, const stc_settings *settings,
                const stc_solution *solution, stc_info *info, cli_existence *found) {
  stc_certificate *certificate = NULL;
  stc_certify_settings limits = stc_decision_settings(problem);
  limits.progress = on_examined;
  limits.time_limit = fmin(limits.time_limit, settings->time_limit);
  *found = (cli_existence){.verdict = STC_VERDICT_UNDECIDED,
                           .reason = "Laws with spin or rolling have no certificates."};
  if (stc_decide(problem, settings, &limits, solution, info, &certificate))
    snprintf(found->reason, sizeof found->reason, "%s", stc_error_detail());
  read_certificate(problem, solution->r, certificate, found);
  bool solved = info->status == STC_STATUS_SOLVED;
  if (solved && found->outside) info->status = STC_STATUS_STALLED;
}

const char *cli_existence_name(stc_verdict verdict) {
  static const char *const names[] = {[STC_VERDICT_EXISTS] = "proved",
                                      [STC_VERDICT_NO_SOLUTION] = "disproved",
                                      [STC_VERDICT_UNDECIDED] = "unknown"};
  return names[verdict];
}
