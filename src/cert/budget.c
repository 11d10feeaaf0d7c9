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

bool stc_budget_goes_on(void *budget) {
  stc_budget *b = budget;
  double now = stc_clock();
  if (b->stopped || !b->settings->progress || now < b->next) return !b->stopped;
  b->next = now + REPORT_EVERY;
  stc_certify_progress progress = {.stage = b->stage, .nodes = b->nodes, .seconds = now - b->began};
  b->stopped = !b->settings->progress(b->settings->user, &progress);
  return !b->stopped;
}

bool stc_budget_left(stc_budget *b, const char *stage) {
  b->stage = stage;
  return b->nodes < b->limit && !stc_stop_look() && !stc_fault_seen();
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
