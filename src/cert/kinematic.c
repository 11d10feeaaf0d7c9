// Two linear programs over the multipliers y >= 0 of u_N >= 0:
//   min q.y,            sum y W_N = 0,      sum y <= 1    (contradiction where negative)
//   min q.y - q_N(j),   sum y W_N = W_N(j)                (contact j never closes where <= 0)
// For W = H M^-1 H^T the equations hold exactly if they hold for H: the forces drop out.
#include "kinematic.h"

#include "farkas.h"

#include <math.h>

/// Columns: y per contact, then a constant 1 that carries -W_N(j) and -q_N(j); j = -1: zeros.
static stc_error make_kinematic(const stc_exact *e, const bool *open, int j, stc_lp *lp) {
  int n = e->contacts, d = e->dim;
  for (int c = 0; c <= n; c++) {
    int from = c < n ? c : j;
    for (int k = 0; from >= 0 && k < e->size; k++) {
      stc_q_set(stc_lp_entry(lp, k, c), e->W.at[(ptrdiff_t)from * d * e->size + k]);
      if (c == n) stc_q_neg(stc_lp_entry(lp, k, c), stc_lp_entry(lp, k, c));
    }
    if (from >= 0) stc_q_set(stc_lp_cost(lp, c), e->q.at[from * d]);
    if (c == n) stc_q_neg(stc_lp_cost(lp, c), stc_lp_cost(lp, c));
    bool out = c < n && (c == j || (open && open[c]));
    stc_lp_bound_col(lp, c, c < n ? 0 : 1, c == n ? 1 : out ? 0 : INFINITY);
    stc_q_set_i(stc_lp_entry(lp, e->size, c), c < n);
  }
  for (int k = 0; k < e->size; k++) stc_lp_bound_row(lp, k, 0, 0);
  if (j < 0) stc_lp_bound_row(lp, e->size, -INFINITY, 1);
  stc_lp_load(lp);
  return STC_OK;
}

/// y where the value is at most `most`, which is not positive; *found is false where it is not.
static stc_error solve_kinematic(const stc_exact *e, const bool *open, int j, double most,
                                 bool *found, stc_rationals *y) {
  STC_RELEASED_BY(stc_lp_free) stc_lp *lp = NULL;
  STC_TRY(stc_lp_create(e->size + 1, e->contacts + 1, &lp));
  STC_TRY(make_kinematic(e, open, j, lp));
  stc_lp_solve(lp);
  *found = stc_lp_solve_exact(lp) == STC_LP_OPTIMAL && stc_q_sgn(lp->best.at[0]) <= 0 &&
           stc_q_get_d(lp->best.at[0]) <= most;
  if (!*found) return STC_OK;
  STC_TRY(stc_rationals_create(y, (size_t)e->size));
  for (int c = 0; c < e->contacts; c++) stc_q_set(y->at[c * e->dim], lp->point.at[c]);
  return STC_OK;
}

stc_error stc_kinematic_contradiction(const stc_exact *exact, bool *found, stc_rationals *y) {
  return solve_kinematic(exact, NULL, -1, -STC_LEAST_DEPTH, found, y);
}

stc_error stc_kinematic_never_closes(const stc_exact *exact, const bool *open, int j, bool *found,
                                     stc_rationals *y) {
  return solve_kinematic(exact, open, j, 0, found, y);
}
