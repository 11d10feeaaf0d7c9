// The rows of the strategy, and the guards they stand under.
#include "strategy_table.h"

// --- Guards ---

static bool always(const stc_facts *f) { return f != NULL; }

static bool is_hurried(const stc_facts *f) { return f->hurried; }
static bool hurries_on(const stc_facts *f) { return f->hurried && f->follows && f->begun; }

// Steps that follow others. Where several components of contacts hold one degree of freedom, sweeps
// from far away gain little: a few of them show whether the start was near.
static bool follows_stack(const stc_facts *f) { return f->follows && f->statically_over; }
static bool follows_few(const stc_facts *f) {
  return f->follows && !f->statically_over && f->small;
}
static bool follows_few_round(const stc_facts *f) { return follows_few(f) && f->round; }
static bool flows(const stc_facts *f) { return f->follows && !f->statically_over && !f->small; }
static bool follows(const stc_facts *f) { return f->follows; }

// Of the ways that an interior point may go round the folds of a packing each meets others.
static bool is_moderate_packing(const stc_facts *f) {
  return f->packing && f->moderate && f->round;
}

static bool is_many(const stc_facts *f) { return !f->few; }

// Sweeps come first where contacts are not redundant; where they are, projected gradients in
// packings, then alternating directions or the interior point.
static bool is_first(const stc_facts *f) { return f->interior_first; }
static bool is_not_first(const stc_facts *f) { return !f->interior_first; }
static bool is_light(const stc_facts *f) { return f->light && f->round && !f->interior_first; }
static bool is_loose(const stc_facts *f) { return is_light(f) || !f->redundant; }
static bool is_redundant(const stc_facts *f) { return !is_loose(f) && !f->interior_first; }
static bool is_packing(const stc_facts *f) { return f->packing && is_redundant(f); }
static bool is_packed(const stc_facts *f) { return f->packing; }
static bool is_light_packing(const stc_facts *f) { return f->packing && is_light(f); }

// In light packings nothing tells whether sweeps or gradients are quicker; with few contacts the
// bodies that gradients solve by themselves cost more than they do.
static bool is_race(const stc_facts *f) { return is_light_packing(f) && f->whole && !f->few; }
static bool is_loose_else(const stc_facts *f) { return is_loose(f) && !is_race(f); }

static bool is_warm_and_stands(const stc_facts *f) { return f->stands && f->warm && f->round; }
static bool is_warm_and_loose(const stc_facts *f) { return !f->redundant && f->warm; }

// --- Rows ---

#define ROW(guard, method, most)                                                                   \
  { .when = guard, .member = STC_MEMBER_##method, .budget = STC_BUDGET_##most }
#define ROW_WITH(guard, method, most, ...)                                                         \
  { .when = guard, .member = STC_MEMBER_##method, .budget = STC_BUDGET_##most, __VA_ARGS__ }
#define STEP(guard, step)                                                                          \
  { .when = guard, .member = STC_ROW_##step }

// A flow, by sweeps and clusters; Newton steps end it where little is left and are given up where
// they gain little. Gradients reach a few times the tolerance in half the time they take to the
// end, and Newton steps mostly end it from there; where not, they are not a good start for
// gradients.
#define FLOW_ROWS(guard)                                                                           \
  ROW(guard, SCHWARZ, OWN), ROW_WITH(guard, NEWTON, STEPS, .patience = 1, .whole = true),          \
      ROW_WITH(guard, APGD, SWEEPS, .loose = true),                                                \
      ROW_WITH(guard, NEWTON, STEPS, .patience = 1, .whole = true), ROW(guard, APGD, SWEEPS),      \
      ROW_WITH(guard, NEWTON, STEPS, .patience = 1, .whole = true), ROW(guard, NSGS, SWEEPS),      \
      ROW_WITH(guard, NEWTON, STEPS, .patience = 1)

// An interior point by another way, and Newton's method from where it ends: eta there says little
// of how many statuses are right.
#define WAY(guard, law, near_factor, blocked_factor)                                               \
  ROW_WITH(guard, IPM, OWN, .way = {law, near_factor, blocked_factor}),                            \
      ROW_WITH(guard, NEWTON, STEPS, .patience = 1, .after = true)

const stc_strategy_row stc_strategy[] = {
    // Where the work at hand is worth few factorisations.
    ROW(hurries_on, NSGS, OWN),
    ROW(is_hurried, NSGS, GLANCE),
    ROW(is_hurried, APGD, OWN),
    ROW(is_hurried, NSGS, OWN),

    // From the answer of the step before.
    ROW(follows_stack, NSGS, LOOK),
    ROW(follows_few, NSGS, LOOK),
    ROW(follows_few_round, IPM, OWN),
    FLOW_ROWS(flows),
    STEP(flows, ACCEPT),
    STEP(follows, RESTART),

    // From nothing, or from a start of unknown worth.
    STEP(always, COMPONENTS),
    ROW_WITH(is_warm_and_stands, NEWTON, STEPS, .patience = 1, .whole = true),
    ROW(is_first, IPM, OWN),
    ROW_WITH(is_race, NSGS, WHILE_IT_PAYS, .rival = STC_MEMBER_APGD),
    ROW(is_loose_else, NSGS, WHILE_IT_PAYS),
    ROW_WITH(is_light, NEWTON, STEPS, .patience = 1, .whole = true),
    ROW(is_packing, APGD, AS_INTERIOR),
    ROW(is_redundant, ADMM, HALF_INTERIOR),
    ROW_WITH(is_warm_and_loose, NEWTON, STEPS, .patience = 1),
    ROW(is_not_first, IPM, OWN),
    ROW_WITH(always, NEWTON, STEPS_ON, .patience = 2, .after = true),
    ROW_WITH(is_light_packing, APGD, SWEEPS, .patience = 50),
    WAY(is_moderate_packing, 2, 2.0 / 3, 1),
    WAY(is_moderate_packing, 1, 1, 2),
    ROW(is_packed, SCHWARZ, OWN),
    ROW(always, PATH, OWN),
    WAY(is_moderate_packing, 0, 8.0 / 9, 1),
    WAY(is_moderate_packing, 1, 2.0 / 3, 1),
    WAY(is_moderate_packing, 0, 1, 0.5),
    WAY(is_moderate_packing, 0, 2.0 / 3, 1),
    ROW(always, NSGS, SWEEPS),
    ROW(always, NEWTON, STEPS),
    ROW(always, ADMM, OWN),
    ROW(always, NEWTON, STEPS),
    ROW(always, FIXED_POINT, OWN),
    ROW(always, NEWTON, MANY_STEPS),
    ROW(is_many, NSGS, OWN),
    ROW(is_many, NEWTON, MANY_STEPS),

    // A step that would not be accepted.
    STEP(follows, BEST),
    STEP(follows, ACCEPT),
    FLOW_ROWS(follows),
    STEP(follows, ACCEPT),
    ROW(follows, NSGS, OWN),
};

const int stc_strategy_rows = sizeof stc_strategy / sizeof *stc_strategy;
