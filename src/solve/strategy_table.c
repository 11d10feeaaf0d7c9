// The rows of the strategy, and the guards they stand under.
#include "strategy_table.h"

#include <limits.h>

// --- Guards ---

static bool always(const stc_facts *f) { return f != NULL; }

// Steps that follow others. Where several components of contacts hold one degree of freedom, sweeps
// from far away gain little: a few of them show whether the start was near.
static bool follows_stack(const stc_facts *f) { return f->follows && f->statically_over; }
static bool follows_few(const stc_facts *f) {
  return f->follows && !f->statically_over && f->small;
}
static bool follows_few_round(const stc_facts *f) { return follows_few(f) && f->round; }
static bool flows(const stc_facts *f) { return f->follows && !f->statically_over && !f->small; }
static bool follows(const stc_facts *f) { return f->follows; }

// Sweeps come first where contacts are not redundant; where they are, projected gradients in
// packings, then alternating directions or the interior point.
static bool is_loose(const stc_facts *f) { return !f->redundant; }
static bool is_warm_and_loose(const stc_facts *f) { return !f->redundant && f->warm; }
static bool is_packing(const stc_facts *f) { return f->packing && !f->interior_first; }
static bool is_masonry(const stc_facts *f) { return f->redundant && !f->packing; }
static bool is_no_masonry(const stc_facts *f) { return !is_masonry(f); }
static bool is_redundant(const stc_facts *f) { return f->redundant && !f->interior_first; }

// --- Rows ---

#define ROW(guard, method, most)                                                                   \
  { .when = guard, .member = STC_MEMBER_##method, .limit = most }
#define ROW_WITH(guard, method, most, ...)                                                         \
  { .when = guard, .member = STC_MEMBER_##method, .limit = most, __VA_ARGS__ }
#define STEP(guard, step)                                                                          \
  { .when = guard, .member = STC_ROW_##step }

// A flow, by sweeps and clusters; Newton steps end it where little is left and are given up where
// six of them gain little. Gradients reach three times the tolerance in half the time they take to
// the end, and Newton steps mostly end it from there; where not, they are no start for gradients.
#define FLOW_ROWS(guard)                                                                           \
  ROW(guard, SCHWARZ, LONG_MAX), ROW_WITH(guard, NEWTON, 60, .patience = {6, 0.4}, .whole = true), \
      ROW_WITH(guard, APGD, 20000, .aim = 3), ROW_WITH(guard, NEWTON, 24, .whole = true),          \
      ROW(guard, APGD, 20000), ROW_WITH(guard, NEWTON, 6, .whole = true), ROW(guard, NSGS, 4000),  \
      ROW(guard, NEWTON, 6)

const stc_strategy_row stc_strategy[] = {
    // From the answer of the step before.
    ROW(follows_stack, NSGS, 100),
    ROW(follows_few, NSGS, 200),
    ROW(follows_few_round, IPM, 60),
    FLOW_ROWS(flows),
    STEP(flows, ACCEPT),
    STEP(follows, RESTART),

    // From nothing, or from a start of unknown worth.
    STEP(always, COMPONENTS),
    ROW_WITH(is_loose, NSGS, 50, .budget = STC_BUDGET_WHILE_IT_PAYS),
    ROW_WITH(is_packing, APGD, 100000, .budget = STC_BUDGET_AS_INTERIOR, .patience = {5000, 0.9}),
    ROW_WITH(is_redundant, ADMM, 400, .budget = STC_BUDGET_HALF_INTERIOR),
    ROW_WITH(is_warm_and_loose, NEWTON, 30, .patience = {4, 0.2}),
    ROW_WITH(is_masonry, IPM, 240, .patience = {6, 0.5}),
    ROW_WITH(is_masonry, NEWTON, 24, .patience = {4, 0.5}),
    ROW(is_masonry, PATH, 1500),
    ROW(always, IPM, 240),
    ROW(always, NEWTON, 60),
    ROW(is_no_masonry, PATH, 1500),
    ROW(always, NSGS, 10000),
    ROW(always, NEWTON, 60),
    ROW(always, ADMM, 3000),
    ROW(always, NEWTON, 60),
    ROW(always, PATH, 5000),
    ROW(always, FIXED_POINT, 800),
    ROW(always, NEWTON, 400),
    ROW(always, NSGS, 200000),
    ROW(always, NEWTON, 400),

    // A step that would not be accepted.
    STEP(follows, BEST),
    STEP(follows, ACCEPT),
    FLOW_ROWS(follows),
    STEP(follows, ACCEPT),
    ROW(follows, NSGS, 40000),
};

const int stc_strategy_rows = sizeof stc_strategy / sizeof *stc_strategy;
