// Linear programs in floating point by GLPK, and points of theirs checked exactly.
#include "lp.h"

#include "glpk.h"

#include "../../base/stop.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// How far inside its bounds a point is asked for, in units of the row: far above the rounding of a
// simplex method that works to 1e-9 or better after scaling, far below any margin worth having.
static const double INSIDE = 1e-7;

// Simplex steps before a floating-point solve counts as failed.
enum { MAX_STEPS = 20000 };

static void make_problem(void *argument) {
  stc_lp *lp = argument;
  lp->glp = glp_create_prob();
  if (lp->rows) glp_add_rows(lp->glp, lp->rows);
  if (lp->cols) glp_add_cols(lp->glp, lp->cols);
  for (int i = 0; i < lp->rows; i++) stc_lp_bound_row(lp, i, -INFINITY, INFINITY);
  for (int j = 0; j < lp->cols; j++) stc_lp_bound_col(lp, j, -INFINITY, INFINITY);
}

static stc_error take_program(stc_lp *p) {
  size_t rows = (size_t)p->rows, cols = (size_t)p->cols;
  double *numbers = STC_TAKE(&p->arena, double, rows *cols + 3 * rows + 4 * cols);
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
  if (stc_glpk_try(make_problem, p)) return STC_OK;
  p->glp = NULL;  // lost with GLPK's environment
  return stc_fail(STC_ERR_MEMORY, "out of memory for a linear program");
}

stc_error stc_lp_create(int rows, int cols, stc_lp **lp) {
  stc_lp *p = *lp = stc_calloc(1, sizeof *p);
  if (!p) return stc_fail(STC_ERR_MEMORY, "out of memory for a linear program");
  p->rows = rows;
  p->cols = cols;
  stc_error error = take_program(p);
  if (error) stc_lp_free(lp);
  return error;
}

void stc_lp_free(stc_lp **lp) {
  stc_lp *p = *lp;
  if (!p) return;
  if (p->glp) glp_delete_prob(p->glp);
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

/// One row as GLPK takes it, counted from 1.
typedef struct row {
  stc_lp *lp;
  int i, entries, *index;
  double *value;
} row;

static void hand_over(void *argument) {
  const row *r = argument;
  glp_set_mat_row(r->lp->glp, r->i + 1, r->entries, r->index, r->value);
}

stc_error stc_lp_load_row(stc_lp *lp, int i) {
  ptrdiff_t start = (ptrdiff_t)i * lp->cols;
  stc_q_clear_denominators((const stc_q *)&lp->A.at[start], lp->cols, lp->factor.at[i],
                           &lp->Z.at[start]);
  STC_ARENA arena = {0};
  row r = {.lp = lp, .i = i};
  r.index = STC_TAKE(&arena, int, lp->cols + 1);
  r.value = STC_TAKE(&arena, double, lp->cols + 1);
  STC_TRY(stc_arena_check(&arena));
  lp->weight[i] = 0;
  for (int j = 0; j < lp->cols; j++) {
    double a = lp->rounded[start + j] = stc_q_get_d(stc_lp_entry(lp, i, j));
    if (a == 0) continue;
    if (!isfinite(a)) stc_fault_set(STC_FAULT_VALUE);
    r.index[++r.entries] = j + 1;
    r.value[r.entries] = a;
    lp->weight[i] = fmax(lp->weight[i], fabs(a));
  }
  if (!lp->glp || stc_fault_seen() || stc_glpk_try(hand_over, &r)) return STC_OK;
  lp->glp = NULL;
  return stc_fault_check();
}

void stc_lp_load_cost(stc_lp *lp, int j) {
  lp->cost[j] = stc_q_get_d(stc_lp_cost(lp, j));
  if (lp->glp) glp_set_obj_coef(lp->glp, j + 1, lp->cost[j]);
}

stc_error stc_lp_load(stc_lp *lp) {
  for (int i = 0; i < lp->rows; i++) STC_TRY(stc_lp_load_row(lp, i));
  for (int j = 0; j < lp->cols; j++) stc_lp_load_cost(lp, j);
  return STC_OK;
}

/// GLPK's name for a pair of bounds.
static int kind(double lo, double hi) {
  if (isinf(lo)) return isinf(hi) ? GLP_FR : GLP_UP;
  if (isinf(hi)) return GLP_LO;
  return lo < hi ? GLP_DB : GLP_FX;
}

void stc_lp_bound_row(stc_lp *lp, int i, double lo, double hi) {
  lp->lo[i] = lo;
  lp->hi[i] = hi;
  if (lp->glp) glp_set_row_bnds(lp->glp, i + 1, kind(lo, hi), lo, hi);
}

void stc_lp_bound_col(stc_lp *lp, int j, double lo, double hi) {
  lp->lo[lp->rows + j] = lo;
  lp->hi[lp->rows + j] = hi;
  if (lp->glp) glp_set_col_bnds(lp->glp, j + 1, kind(lo, hi), lo, hi);
}

static stc_lp_status status_of(const stc_lp *lp) {
  switch (glp_get_status(lp->glp)) {
  case GLP_OPT:
    return STC_LP_OPTIMAL;
  case GLP_NOFEAS:
    return STC_LP_INFEASIBLE;
  case GLP_UNBND:
    return STC_LP_UNBOUNDED;
  default:
    return STC_LP_FAILED;
  }
}

/// One call of the simplex method and what came of it.
typedef struct attempt {
  stc_lp *lp;
  double left;  // seconds
  stc_lp_status status;
} attempt;

static void run_simplex(void *argument) {
  attempt *a = argument;
  stc_lp *lp = a->lp;
  double left = a->left;
  glp_smcp options;
  glp_init_smcp(&options);
  if (left < INT_MAX / 1000) options.tm_lim = (int)(1000 * left) + 1;
  options.msg_lev = GLP_MSG_OFF;
  options.meth = GLP_DUALP;  // bounds change, costs do not; the primal method may cycle for long
  options.tol_bnd = options.tol_dj = 1e-9;
  int failure = stc_glpk_simplex(lp->glp, &options, MAX_STEPS);
  if ((failure || status_of(lp) == STC_LP_FAILED) && !stc_stop_look()) {
    glp_std_basis(lp->glp);  // the basis that was there may be singular
    options.meth = GLP_PRIMAL;
    failure = stc_glpk_simplex(lp->glp, &options, MAX_STEPS);
  }
  if (failure) return;
  lp->value = glp_get_obj_val(lp->glp);
  a->status = status_of(lp);
}

stc_lp_status stc_lp_solve(stc_lp *lp) {
  attempt a = {.lp = lp, .left = stc_stop_left(), .status = STC_LP_FAILED};
  if (!lp->glp || stc_fault_seen() || a.left <= 0) return STC_LP_FAILED;
  if (!stc_glpk_try(run_simplex, &a)) lp->glp = NULL;
  return lp->glp ? a.status : STC_LP_FAILED;
}

double stc_lp_x(const stc_lp *lp, int j) { return lp->glp ? glp_get_col_prim(lp->glp, j + 1) : 0; }

double stc_lp_row_dual(const stc_lp *lp, int i) {
  return lp->glp ? glp_get_row_dual(lp->glp, i + 1) : 0;
}

double stc_lp_col_dual(const stc_lp *lp, int j) {
  return lp->glp ? glp_get_col_dual(lp->glp, j + 1) : 0;
}

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

bool stc_lp_row_holds(const stc_lp *lp, int i) {
  STC_Q sum = {0}, bound = {0};
  product((const stc_q *)&lp->A.at[(ptrdiff_t)i * lp->cols], lp, sum);
  bool inside = true;
  if (isfinite(lp->lo[i])) {
    stc_q_set_d(bound, lp->lo[i]);
    inside = stc_q_cmp(sum, bound) >= 0;
  }
  if (inside && isfinite(lp->hi[i])) {
    stc_q_set_d(bound, lp->hi[i]);
    inside = stc_q_cmp(sum, bound) <= 0;
  }
  return inside;
}

/// Whether lp->point, which is lp->x, satisfies the bounds of all rows: where rounding leaves a
/// doubt it is settled exactly.
static bool rows_hold(const stc_lp *lp) {
  for (int i = 0; i < lp->rows; i++) {
    double error, sum;
    if (isinf(lp->lo[i]) && isinf(lp->hi[i])) continue;
    sum = sum_of(lp->rounded + (ptrdiff_t)i * lp->cols, lp->x, lp->cols, &error);
    bool surely = sum - error >= lp->lo[i] && sum + error <= lp->hi[i];
    if (!surely && !stc_lp_row_holds(lp, i)) return false;
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

/// The bounds of the rows in GLPK moved inwards by `share` of their unit; 0: as they are.
static void tighten(stc_lp *lp, double share) {
  for (int i = 0; lp->glp && i < lp->rows; i++) {
    double by = share * lp->weight[i], lo = lp->lo[i] + by, hi = lp->hi[i] - by;
    if (lo > hi) lo = hi = (lp->lo[i] + lp->hi[i]) / 2;
    glp_set_row_bnds(lp->glp, i + 1, kind(lo, hi), lo, hi);
  }
}

bool stc_lp_confirm(stc_lp *lp) {
  tighten(lp, INSIDE);
  bool found = stc_lp_solve(lp) == STC_LP_OPTIMAL && lp->value < 0;
  for (int j = 0; found && j < lp->cols; j++) {
    lp->x[j] = fmax(fmin(stc_lp_x(lp, j), lp->hi[lp->rows + j]), lp->lo[lp->rows + j]);
    stc_q_set_d(lp->point.at[j], lp->x[j]);
  }
  tighten(lp, 0);
  return found && rows_hold(lp) && value_is_negative(lp);
}
