// Time, nodes and progress of a certification.
#include "budget.h"

#include "exact/exact_number.h"

#include "../base/clock.h"
#include "../base/stop.h"

// Seconds between two calls of the progress function.
static const double REPORT_EVERY = 0.05;

stc_budget stc_budget_start(const stc_certify_settings *settings) {
  stc_budget b = {.settings = settings, .began = stc_clock(), .stage = "setup"};
  b.deadline = b.began + settings->time_limit;
  b.limit = settings->max_nodes;
  return b;
}

static void report(stc_budget *b, const char *stage, double now) {
  if (!b->settings->progress || now < b->next) return;
  b->next = now + REPORT_EVERY;
  stc_certify_progress progress = {.stage = stage, .nodes = b->nodes, .seconds = now - b->began};
  if (!b->settings->progress(b->settings->user, &progress)) b->stopped = true;
}

bool stc_budget_goes_on(void *budget) {
  stc_budget *b = budget;
  if (!b->stopped) report(b, b->stage, stc_clock());
  return !b->stopped;
}

bool stc_budget_left(stc_budget *b, const char *stage) {
  double now = stc_clock();
  b->stage = stage;
  if (!b->stopped) report(b, stage, now);
  bool spent = b->stopped || now >= b->deadline || b->nodes >= b->limit;
  return !spent && !stc_stop_look() && !stc_fault_seen();
}

bool stc_budget_spend(stc_budget *b, const char *stage) {
  if (!stc_budget_left(b, stage)) return false;
  b->nodes++;
  return true;
}

const char *stc_budget_word(const stc_budget *b) {
  if (b->stopped) return "interrupted";
  return b->nodes >= b->limit ? "the limit of nodes was reached" : "the time limit was reached";
}
