// What can be proved quickly about a problem: after a solve that failed, and for `info`.
#include <stdio.h>

#include "../cli.h"

// A solve that failed took longer than this, mostly; a search this small ends well before.
enum { SEARCH_CONTACTS = 12, SEARCH_NODES = 5000 };
static const double SEARCH_SECONDS = 5.0;

// Bounds that a solution breaks by no more than its residual allows.
static const double BOUND_TOL = 1e-6;

static bool breaks(const stc_bounds *bounds, const stc_problem *problem, const double *r) {
  bool hold = true;
  return r && !stc_bounds_check(bounds, problem, r, BOUND_TOL, &hold) && !hold;
}

static bool on_progress(void *user, const stc_certify_progress *progress) {
  (void)user;
  (void)progress;
  return !cli_interrupted();
}

bool cli_examine(const stc_problem *problem, const double *r, bool search, cli_existence *found) {
  stc_certificate *certificate = NULL;
  stc_certify_settings settings = stc_default_certify_settings();
  settings.cheap = !search || stc_problem_contacts(problem) > SEARCH_CONTACTS;
  settings.max_nodes = SEARCH_NODES;
  settings.time_limit = SEARCH_SECONDS;
  settings.all = false;
  settings.r = r;
  settings.progress = on_progress;
  *found = (cli_existence){.verdict = STC_VERDICT_UNDECIDED};
  if (stc_certify(problem, &settings, &certificate)) {
    snprintf(found->reason, sizeof found->reason, "%s", stc_error_detail());
    return false;
  }
  found->verdict = stc_certificate_verdict(certificate);
  found->proof = stc_proof_name(stc_certificate_proof(certificate));
  found->margin = stc_certificate_margin(certificate);
  found->bounded = stc_certificate_bounds(certificate, &found->bounds);
  found->outside = found->bounded && breaks(&found->bounds, problem, r);
  found->bounds.v = found->bounds.r = NULL;  // they live in the certificate
  snprintf(found->reason, sizeof found->reason, "%s", stc_certificate_reason(certificate));
  stc_certificate_free(&certificate);
  return true;
}

const char *cli_existence_name(stc_verdict verdict) {
  static const char *const names[] = {[STC_VERDICT_EXISTS] = "proved",
                                      [STC_VERDICT_NO_SOLUTION] = "disproved",
                                      [STC_VERDICT_UNDECIDED] = "unknown"};
  return names[verdict];
}
