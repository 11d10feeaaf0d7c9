// 3D: a solution in which every contact is open or sticks, by a linear program with the polygon
// inside K whose corners are rational directions d_k:
//   u = W r + q,  r = (r_N, -D p),  n_k.p <= m_k r_N  for the side between d_k and d_k+1.
#include "sets.h"

#include <math.h>

enum { PER_QUARTER = 8, SIDES = 4 * PER_QUARTER, ROWS = 3 + SIDES };

/// n = (y1 - y0, x0 - x1) and m = n.d0 of the side from d0 to d1.
static void side(int k, stc_q nx, stc_q ny, stc_q m) {
  STC_Q x0 = {0}, y0 = {0}, x1 = {0}, y1 = {0};
  double t = (double)(k % PER_QUARTER) / PER_QUARTER;
  stc_direction(k / PER_QUARTER, t, x0, y0);
  stc_direction(k / PER_QUARTER, t + 1.0 / PER_QUARTER, x1, y1);
  stc_q_sub(nx, y1, y0);
  stc_q_sub(ny, x0, x1);
  stc_q_set_i(m, 0);
  stc_rational_fma(m, nx, x0);
  stc_rational_fma(m, ny, y0);
}

static void fill_velocities(const stc_exact *e, stc_lp *lp) {
  for (int i = 0; i < e->size; i++) {
    int row = i / 3 * ROWS + i % 3;
    for (int j = 0; j < e->size; j++) {
      stc_q_ptr a = stc_lp_entry(lp, row, j);
      stc_q_set_d(a, j % 3 ? -e->D[j] : 1);
      stc_q_mul(a, a, e->W.at[(ptrdiff_t)i * e->size + j]);
    }
    stc_q_set(stc_lp_entry(lp, row, e->size), e->q.at[i]);
  }
}

static void fill_sides(const stc_exact *e, stc_lp *lp) {
  for (int c = 0; c < e->contacts; c++)
    for (int k = 0; k < SIDES; k++) {
      int row = c * ROWS + 3 + k;
      side(k, stc_lp_entry(lp, row, 3 * c + 1), stc_lp_entry(lp, row, 3 * c + 2),
           stc_lp_entry(lp, row, 3 * c));
      stc_q_neg(stc_lp_entry(lp, row, 3 * c), stc_lp_entry(lp, row, 3 * c));
      stc_lp_bound_row(lp, row, -INFINITY, 0);
    }
}

static void set_bounds(const stc_exact *e, const stc_mode *mode, stc_lp *lp) {
  for (int c = 0; c < e->contacts; c++) {
    bool open = mode[c].kind == STC_MODE_OPEN;
    for (int k = 0; k < 3; k++) {
      bool free = open || (k > 0 && e->D[3 * c + k] == 0);
      stc_lp_bound_row(lp, c * ROWS + k, free && k > 0 ? -INFINITY : 0, free ? INFINITY : 0);
      bool none = open || e->D[3 * c + k] == 0;
      stc_lp_bound_col(lp, 3 * c + k, none ? 0 : k == 0 ? 0 : -INFINITY, none ? 0 : INFINITY);
    }
    stc_q_set_i(stc_lp_cost(lp, 3 * c), 1);  // the least sum of normal reactions
  }
  stc_lp_bound_col(lp, e->size, 1, 1);
}

static stc_error read_reactions(const stc_exact *e, const stc_lp *lp, stc_rationals *r) {
  STC_TRY(stc_rationals_create(r, (size_t)e->size));
  for (int k = 0; k < e->size; k++) {
    stc_q_set_d(r->at[k], k % 3 ? -e->D[k] : 1);
    stc_q_mul(r->at[k], r->at[k], lp->point.at[k]);
  }
  return STC_OK;
}

stc_error stc_rest_point(const stc_exact *e, const stc_mode *mode, bool *found, stc_rationals *r) {
  STC_RELEASED_BY(stc_lp_free) stc_lp *lp = NULL;
  *found = false;
  STC_TRY(stc_lp_create(ROWS * e->contacts, e->size + 1, &lp));
  fill_velocities(e, lp);
  fill_sides(e, lp);
  set_bounds(e, mode, lp);
  stc_lp_load(lp);
  *found = stc_lp_solve(lp) == STC_LP_OPTIMAL && stc_lp_solve_exact(lp) == STC_LP_OPTIMAL;
  return *found ? read_reactions(e, lp, r) : STC_OK;
}

/// Whether component k of the reactions takes part: it belongs to a contact that sticks and does
/// not vanish by the law.
static bool is_free(const stc_exact *e, const stc_mode *mode, int k) {
  return mode[k / 3].kind == STC_MODE_STICK && e->D[k] > 0;
}

stc_error stc_rest_dimension(const stc_exact *e, const stc_mode *mode, int *dimension) {
  STC_RATIONALS A = {0};
  int n = 0, at = 0;
  for (int k = 0; k < e->size; k++) n += is_free(e, mode, k);
  STC_TRY(stc_rationals_create(&A, (size_t)n * (size_t)n));
  for (int i = 0; i < e->size; i++)
    for (int j = 0; is_free(e, mode, i) && j < e->size; j++)
      if (is_free(e, mode, j)) stc_q_set(A.at[at++], e->W.at[(ptrdiff_t)i * e->size + j]);
  int rank = stc_rational_eliminate(&A, n, n, NULL, 0, NULL);
  *dimension = rank < 0 ? -1 : n - rank;
  return STC_OK;
}
