// Two linear programs over the multipliers y >= 0 of u_N >= 0:
//   min q.y,            sum y W_N = 0,      sum y <= 1    (contradiction where negative)
//   min q.y - q_N(j),   sum y W_N = W_N(j)                (contact j never closes where <= 0)
// For W = H M^-1 H^T the equations hold exactly if they hold for H: the forces drop out.
#include "kinematic.h"

#include "farkas.h"

#include <math.h>

/// Columns: y per contact, then a constant 1 that carries -W_N(j) and -q_N(j); j = -1: zeros.
static stc_error make(const stc_exact *e, const bool *open, int j, stc_lp *lp) {
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
  return stc_lp_load(lp);
}

static stc_error solve_kinematic(const stc_exact *e, const bool *open, int j, double deadline,
                                 stc_lp_status *status, double *value, stc_rationals *y) {
  stc_lp *lp = NULL;
  STC_TRY(stc_lp_create(e->size + 1, e->contacts + 1, &lp));
  lp->deadline = deadline;
  stc_error error = make(e, open, j, lp);
  if (!error) {
    stc_lp_solve(lp);
    *status = stc_lp_solve_exact(lp);
    *value = stc_q_get_d(lp->best.at[0]);
    error = stc_rationals_create(y, (size_t)e->size);
  }
  for (int c = 0; !error && c < e->contacts; c++) stc_q_set(y->at[c * e->dim], lp->point.at[c]);
  stc_lp_free(&lp);
  return error;
}

stc_error stc_kinematic_contradiction(const stc_exact *exact, double deadline, bool *found,
                                      stc_rationals *y) {
  stc_lp_status status = STC_LP_FAILED;
  double value = 0;
  STC_TRY(solve_kinematic(exact, NULL, -1, deadline, &status, &value, y));
  *found = status == STC_LP_OPTIMAL && value <= -STC_LEAST_DEPTH;
  if (!*found) stc_rationals_free(y);
  return STC_OK;
}

stc_error stc_kinematic_never_closes(const stc_exact *exact, const bool *open, int j,
                                     double deadline, bool *found, stc_rationals *y) {
  stc_lp_status status = STC_LP_FAILED;
  double value = 1;
  STC_TRY(solve_kinematic(exact, open, j, deadline, &status, &value, y));
  *found = status == STC_LP_OPTIMAL && value <= 0;  // rounding keeps the sign
  if (!*found) stc_rationals_free(y);
  return STC_OK;
}
