// Contact with penalties and multipliers, tractions per area, s the slip since the step began:
//   t_n = < lam_n + Eval - eps_n v_N >,   t_t = lam_t - eps_t s, cut to mu t_n
#ifndef STC_FEM_PENALTY_LAW_H
#define STC_FEM_PENALTY_LAW_H

#include "contact_method.h"

/// Tractions and status of every record at v [count*dim]; r [count*dim] follows, but numbers that
/// differ from it by less than rounding of v explains stay.
void stc_penalty_apply(stc_contact_solver *m, const double *v, double *r);

/// Conditions of the set for the statuses of the records, which stay; one linear solve.
stc_error stc_penalty_solve_once(stc_contact_solver *m, const stc_condensed *set, double *rw);

/// The same until the statuses agree with their own answer.
stc_error stc_penalty_solve_nested(stc_contact_solver *m, const stc_condensed *set, double *rw);

/// Largest |g| / limit of the contacts that press.
double stc_penalty_worst(const stc_contact_solver *m);

/// Slip of contact k that is not taken by friction: (lam_t - t_t) / eps_t.
double stc_penalty_reversible(const stc_contact_solver *m, int k);

#endif
