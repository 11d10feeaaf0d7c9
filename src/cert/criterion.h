// The existence criterion: some velocity has u in the interior of K* at every contact.
//   max t   u_N - t >= s(u) at every contact,  t <= T,   u in q + Im W
// with s(u) = |D u_T|, of a section mu max { -p . u_T : p in S }.
// t > 0 proves that a solution exists, whatever the forces. Where t <= 0 the multipliers tend to
// rho in K with W rho = 0 and q.rho = t: the reactions by which the contacts jam.
#ifndef STC_CERT_CRITERION_H
#define STC_CERT_CRITERION_H

#include "budget.h"
#include "exact/exact.h"
#include "exact/lp.h"

#include "../problem/reduced.h"

/// What the interior-point iteration found, in floating point; vectors in physical units.
typedef struct stc_criterion {
  double t;     ///< least u_N - s(u) at r, m/s
  double gap;   ///< no velocity has more than t + gap, up to rounding
  double *r;    ///< [size] u = W r + q
  double *rho;  ///< [size] multipliers, normal parts summing to 1
} stc_criterion;

/// Vectors from `arena`. skip: [contacts] or NULL, contacts left out. Ends early with a positive t.
stc_error stc_criterion_solve(stc_reduced *problem, const bool *skip, stc_budget *budget,
                              stc_arena *arena, stc_criterion *criterion);

/// Polyhedral cones, exactly: the greatest t <= 1 in the units of the component and reactions r
/// [size] that reach it. *found is false where the deadline passed.
stc_error stc_criterion_exact(const stc_exact *exact, const bool *skip, bool *found, stc_q t,
                              stc_rationals *r);

/// A lower bound, safe against rounding, of the least u_N - s(u) over the contacts with
/// `wanted`, at the velocity v [dofs] (global) or the reactions r [size] (local). No joints.
double stc_margin_lower(const stc_problem *problem, const double *point, const bool *wanted);

/// Whether u_N - t >= s(u) holds exactly at the contacts with `wanted`; v [dofs] (global) or r
/// [size] and l [equalities] (local).
bool stc_margin_holds(const stc_problem *problem, const stc_rationals *point,
                      const stc_rationals *l, const bool *wanted, double t);

/// Moves the rounded v (global), or finds l for r (local), so that the joints hold exactly. *met is
/// false where they are redundant, too many, or the deadline passed.
stc_error stc_margin_meet_joints(const stc_problem *problem, stc_rationals *point, stc_rationals *l,
                                 bool *met);

#endif
