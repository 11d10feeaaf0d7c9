// What a certification may still spend: time, nodes, the patience of the caller.
#ifndef STC_CERT_BUDGET_H
#define STC_CERT_BUDGET_H

#include <stiction/cert.h>

typedef struct stc_budget {
  const stc_certify_settings *settings;
  double began, deadline;  ///< on stc_clock
  long nodes, limit;       ///< spent so far, and how many there are
  bool stopped;            ///< the caller said stop
  double next;             ///< when progress is to be reported again
  const char *stage;       ///< what is being tried
} stc_budget;

stc_budget stc_budget_start(const stc_certify_settings *settings);

/// Whether there is anything left, in the scope of base/stop.h around it; what is tried next.
bool stc_budget_left(stc_budget *budget, const char *stage);

/// The same, and takes one node.
bool stc_budget_spend(stc_budget *budget, const char *stage);

/// Reports progress to the caller, who may stop: for a scope of base/stop.h around all of it.
bool stc_budget_goes_on(void *budget);

/// Why it ran out, in words.
const char *stc_budget_word(const stc_budget *budget);

#endif
