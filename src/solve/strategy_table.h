// The strategy of `auto` as one table: rows are walked from the top, each runs one method from the
// best start so far while its guard holds, within its budget and as long as it makes progress.
#ifndef STC_SOLVE_STRATEGY_TABLE_H
#define STC_SOLVE_STRATEGY_TABLE_H

#include "method.h"

/// What is known of a problem. All but the last five are measured once per structure.
typedef struct stc_facts {
  int contacts;
  double row;            ///< blocks of W per row
  bool redundant;        ///< contacts share the load of few bodies, more than loosely coupled
  bool packing;          ///< redundant, with fewer blocks per row than masonry has
  bool statically_over;  ///< several components of contacts per degree of freedom, as in masonry
  bool small;            ///< an interior-point solve costs less than clusters
  bool moderate;         ///< so few contacts that several interior-point solves are worth a try
  bool few;              ///< strategy.look sweeps per contact are fewer than rule.sweeps
  bool whole;            ///< no part of another problem: parts end by counted iterations
  bool round;            ///< every cone is round after scaling: no spin, no rolling
  bool begun;            ///< the start is not 0
  bool hurried;          ///< settings.work ends before an interior-point solve would
  bool follows;          ///< the start is the answer of the step before (settings.follows)
  double sweep_work;     ///< predicted seconds of a sweep
  bool warm;             ///< the start is worth more than r = 0
  bool light;            ///< a factorisation takes few operations per contact
  bool stands;           ///< redundant, light and, glued, a structure at rest
  bool interior_first;   ///< the interior point replaces alternating directions
  bool from_nothing;     ///< the rows that start from nothing have begun
} stc_facts;

typedef bool (*stc_guard)(const stc_facts *facts);

/// What a row runs: a method, or one of the steps of the strategy itself.
typedef enum stc_member {
  STC_MEMBER_NSGS,
  STC_MEMBER_APGD,
  STC_MEMBER_ADMM,
  STC_MEMBER_IPM,
  STC_MEMBER_NEWTON,
  STC_MEMBER_PATH,
  STC_MEMBER_FIXED_POINT,
  STC_MEMBER_SCHWARZ,
  STC_MEMBERS,
  STC_ROW_ACCEPT,     ///< ends the solve where eta <= settings.accept
  STC_ROW_RESTART,    ///< the rows below begin at r = 0
  STC_ROW_BEST,       ///< the rows below begin at the best iterate of all
  STC_ROW_COMPONENTS  ///< each component by itself, where there are several
} stc_member;

/// An interior point that goes another way than the first: parts of its settings.
typedef struct stc_other_way {
  int associated;        ///< ipm.associated
  double near, blocked;  ///< factors of ipm.near and ipm.blocked; 0: the row is of another kind
} stc_other_way;

/// How many iterations a row may take.
typedef enum stc_row_budget {
  STC_BUDGET_OWN,            ///< as long as the method makes progress
  STC_BUDGET_LOOK,           ///< strategy.look
  STC_BUDGET_GLANCE,         ///< a third of it
  STC_BUDGET_STEPS,          ///< strategy.steps
  STC_BUDGET_MANY_STEPS,     ///< rule.steps times strategy.steps
  STC_BUDGET_STEPS_ON,       ///< strategy.steps again and again, while as many will do at that rate
  STC_BUDGET_SWEEPS,         ///< 4 times rule.sweeps; strategy.look per contact where these are few
  STC_BUDGET_WHILE_IT_PAYS,  ///< half of strategy.look again and again, while that ends before
                             ///< factorising; of a race, twice as much in each round
  STC_BUDGET_AS_INTERIOR,    ///< as long as an interior-point solve is predicted to take
  STC_BUDGET_HALF_INTERIOR   ///< about half of it in packings
} stc_row_budget;

typedef struct stc_strategy_row {
  stc_guard when;
  stc_member member;
  stc_row_budget budget;
  int patience;  ///< times rule.steps iterations that halve the merit, or it is given up; 0: any
  bool loose;    ///< the method's tolerance is tol / part.tol
  bool whole;    ///< a start for the next rows only where it solves the problem
  bool after;    ///< begins where the interior point ended, whatever the lead is
  stc_other_way way;
  stc_member rival;  ///< takes turns with the method while it pays; 0: none
} stc_strategy_row;

/// The rows, in order.
extern const stc_strategy_row stc_strategy[];
extern const int stc_strategy_rows;

#endif
