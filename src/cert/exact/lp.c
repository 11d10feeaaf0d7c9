// Linear programs in floating point, and points of theirs checked exactly.
#include "lp.h"

#include "exact_number.h"

#include "../../base/fail.h"
#include "../../base/stop.h"

#include <float.h>
#include <math.h>
#include <string.h>

// How far inside its bounds a point is asked for, in units of the row: far above the rounding of a
// simplex method that works to 1e-9 or better after scaling, far below any margin worth having.
static const double INSIDE = 1e-7;

// Simplex steps before a floating-point solve counts as failed.
enum { MAX_STEPS = 20000 };

static stc_error take_program(stc_lp *p) {
  size_t rows = (size_t)p->rows, cols = (size_t)p->cols;
  double *numbers = STC_TAKE(&p->arena, double, rows *cols + 3 * rows + 4 * cols);
  p->ptr = STC_TAKE(&p->arena, int, cols + 1);
  p->row = STC_TAKE(&p->arena, int, rows *cols);
  p->val = STC_TAKE(&p->arena, double, rows *cols);
  STC_TRY(stc_arena_check(&p->arena));
  p->rounded = numbers;
  p->lo = p->rounded + rows * cols;
  p->hi = p->lo + rows + cols;
  p->weight = p->hi + rows + cols;
  p->cost = p->weight + rows;
  p->x = p->cost + cols;
  STC_TRY(stc_rationals_create(&p->A, rows * cols));
  STC_TRY(stc_integers_create(&p->Z, rows * cols));
  STC_TRY(stc_integers_create(&p->factor, rows));
  STC_TRY(stc_rationals_create(&p->c, cols));
  STC_TRY(stc_rationals_create(&p->point, cols));
  STC_TRY(stc_rationals_create(&p->best, 1));
  STC_TRY(stc_simplex_create(p->rows, p->cols, &p->simplex));
  for (size_t v = 0; v < rows + cols; v++) p->lo[v] = -INFINITY, p->hi[v] = INFINITY;
  return STC_OK;
}

stc_error stc_lp_create(int rows, int cols, stc_lp **lp) {
  STC_NEW(lp, "a linear program");
  stc_lp *p = *lp;
  p->rows = rows, p->cols = cols;
  stc_error error = take_program(p);
  if (error) stc_lp_free(lp);
  return error;
}

void stc_lp_free(stc_lp **lp) {
  stc_lp *p = *lp;
  if (!p) return;
  stc_simplex_free(&p->simplex);
  stc_rationals_free(&p->A);
  stc_integers_free(&p->Z);
  stc_integers_free(&p->factor);
  stc_rationals_free(&p->c);
  stc_rationals_free(&p->point);
  stc_rationals_free(&p->best);
  stc_arena_free(&p->arena);
  stc_release(lp);
}

stc_q_ptr stc_lp_entry(const stc_lp *lp, int i, int j) {
  return lp->A.at[(ptrdiff_t)i * lp->cols + j];
}

stc_q_ptr stc_lp_cost(const stc_lp *lp, int j) { return lp->c.at[j]; }

void stc_lp_load_row(stc_lp *lp, int i) {
  ptrdiff_t start = (ptrdiff_t)i * lp->cols;
  stc_q_clear_denominators((const stc_q *)&lp->A.at[start], lp->cols, lp->factor.at[i],
                           &lp->Z.at[start]);
  lp->weight[i] = 0;
  for (int j = 0; j < lp->cols; j++) {
    double a = lp->rounded[start + j] = stc_q_get_d(stc_lp_entry(lp, i, j));
    if (!isfinite(a)) stc_fault_set(STC_FAULT_VALUE);
    lp->weight[i] = fmax(lp->weight[i], fabs(a));
  }
  lp->loaded = false;
}

void stc_lp_load_cost(stc_lp *lp, int j) {
  lp->cost[j] = stc_q_get_d(stc_lp_cost(lp, j));
  stc_simplex_set_cost(lp->simplex, j, lp->cost[j]);
}

void stc_lp_load(stc_lp *lp) {
  for (int i = 0; i < lp->rows; i++) stc_lp_load_row(lp, i);
  for (int j = 0; j < lp->cols; j++) stc_lp_load_cost(lp, j);
}

static void bound_variable(stc_lp *lp, int variable, double lo, double hi) {
  lp->lo[variable] = lo;
  lp->hi[variable] = hi;
  stc_simplex_set_bounds(lp->simplex, variable, lo, hi);
}

void stc_lp_bound_row(stc_lp *lp, int i, double lo, double hi) { bound_variable(lp, i, lo, hi); }

void stc_lp_bound_col(stc_lp *lp, int j, double lo, double hi) {
  bound_variable(lp, lp->rows + j, lo, hi);
}

/// From the basis that is there, and once more from the activities: what is there may be singular.
static stc_error solve_simplex(stc_lp *lp, stc_simplex_status *status) {
  if (!lp->loaded) {
    // Hands the rows over by columns.
    int entries = 0;
    for (int j = 0; j < lp->cols; j++) {
      for (int i = 0; i < lp->rows; i++) {
        double a = lp->rounded[(ptrdiff_t)i * lp->cols + j];
        if (a == 0) continue;
        lp->row[entries] = i;
        lp->val[entries++] = a;
      }
      lp->ptr[j + 1] = entries;
    }
    STC_TRY(
        stc_simplex_load(lp->simplex, &(stc_sparse_columns){lp->rows, lp->ptr, lp->row, lp->val}));
  }
  lp->loaded = true;
  STC_TRY(stc_simplex_solve(lp->simplex, MAX_STEPS, status));
  if (*status != STC_SIMPLEX_LOST) return STC_OK;
  stc_simplex_reset(lp->simplex);
  return stc_simplex_solve(lp->simplex, MAX_STEPS, status);
}

stc_lp_status stc_lp_solve(stc_lp *lp) {
  static const stc_lp_status MEANS[] = {[STC_SIMPLEX_OPTIMAL] = STC_LP_OPTIMAL,
                                        [STC_SIMPLEX_INFEASIBLE] = STC_LP_INFEASIBLE,
                                        [STC_SIMPLEX_UNBOUNDED] = STC_LP_UNBOUNDED,
                                        [STC_SIMPLEX_LOST] = STC_LP_FAILED};
  stc_simplex_status status = STC_SIMPLEX_LOST;
  if (stc_fault_seen() || stc_stop_look()) return STC_LP_FAILED;
  stc_error error = solve_simplex(lp, &status);
  if (error == STC_ERR_MEMORY) stc_fault_set(STC_FAULT_MEMORY);
  if (error) return STC_LP_FAILED;
  lp->value = stc_simplex_value(lp->simplex);
  return MEANS[status];
}

double stc_lp_x(const stc_lp *lp, int j) { return stc_simplex_point(lp->simplex, lp->rows + j); }

double stc_lp_row_dual(const stc_lp *lp, int i) { return stc_simplex_price(lp->simplex, i); }

// --- A rounded point, exactly ---

/// a.x for rounded entries a, and a bound on its error: entries are cut off after 53 bits, products
/// and sums rounded, each by at most DBL_EPSILON of the numbers at hand, or DBL_MIN below those.
static double sum_of(const double *a, const double *x, int n, double *error) {
  double sum = 0, size = 0, most = 1;
  for (int j = 0; j < n; j++) {
    sum += a[j] * x[j];
    size += fabs(a[j] * x[j]);
    most = fmax(most, fabs(x[j]));
  }
  *error = (n + 4) * (DBL_EPSILON * size + most * DBL_MIN);
  return sum;
}

static void product(const stc_q *a, const stc_lp *lp, stc_q sum) {
  stc_q_set_i(sum, 0);
  for (int j = 0; j < lp->cols; j++) stc_rational_fma(sum, a[j], lp->point.at[j]);
}

static bool row_holds_within(const stc_lp *lp, int i, double slack) {
  STC_Q sum = {0}, bound = {0};
  product((const stc_q *)&lp->A.at[(ptrdiff_t)i * lp->cols], lp, sum);
  bool inside = true;
  if (isfinite(lp->lo[i])) {
    stc_q_set_d(bound, lp->lo[i]);
    inside = stc_q_cmp(sum, bound) >= 0;
  }
  if (inside && isfinite(lp->hi[i])) {
    stc_q_set_d(bound, lp->hi[i] + slack);
    inside = stc_q_cmp(sum, bound) <= 0;
  }
  return inside;
}

bool stc_lp_row_holds(const stc_lp *lp, int i) { return row_holds_within(lp, i, 0); }

/// Whether lp->point, which is lp->x, satisfies the bounds of all rows: where rounding leaves a
/// doubt it is settled exactly.
static bool rows_hold(const stc_lp *lp, double slack) {
  for (int i = 0; i < lp->rows; i++) {
    double error, sum;
    if (isinf(lp->lo[i]) && isinf(lp->hi[i])) continue;
    sum = sum_of(lp->rounded + (ptrdiff_t)i * lp->cols, lp->x, lp->cols, &error);
    bool surely = sum - error >= lp->lo[i] && sum + error <= lp->hi[i] + slack;
    if (!surely && !row_holds_within(lp, i, slack)) return false;
  }
  return true;
}

/// best = an upper bound of the value at lp->point, which is lp->x; false where it is not negative.
static bool value_is_negative(stc_lp *lp) {
  double error, sum = sum_of(lp->cost, lp->x, lp->cols, &error);
  if (sum + error < 0)
    stc_q_set_d(lp->best.at[0], sum + error);
  else
    product((const stc_q *)lp->c.at, lp, lp->best.at[0]);
  return stc_q_sgn(lp->best.at[0]) < 0;
}

/// The bounds of the rows as they are solved for, moved inwards by `share` of their unit, upper
/// ones outwards by half the slack where there is one.
static void tighten(stc_lp *lp, double share, double slack) {
  for (int i = 0; i < lp->rows; i++) {
    double by = share * lp->weight[i], lo = lp->lo[i] + by;
    double hi = lp->hi[i] - (slack > 0 ? -slack / 2 : by);
    if (lo > hi) lo = hi = (lp->lo[i] + lp->hi[i]) / 2;
    stc_simplex_set_bounds(lp->simplex, i, lo, hi);
  }
}

bool stc_lp_confirm(stc_lp *lp) { return stc_lp_confirm_within(lp, 0); }

bool stc_lp_confirm_within(stc_lp *lp, double slack) {
  tighten(lp, INSIDE, slack);
  bool found = stc_lp_solve(lp) == STC_LP_OPTIMAL && lp->value < 0;
  for (int j = 0; found && j < lp->cols; j++) {
    lp->x[j] = fmax(fmin(stc_lp_x(lp, j), lp->hi[lp->rows + j]), lp->lo[lp->rows + j]);
    stc_q_set_d(lp->point.at[j], lp->x[j]);
  }
  tighten(lp, 0, 0);
  return found && rows_hold(lp, slack) && value_is_negative(lp);
}
