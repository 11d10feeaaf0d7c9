// The simplex method in integer arithmetic on a dense dictionary  den x_B = T x_N,  from the basis
// the floating-point solve ended with: most often no step is left to do. A pivot divides exactly by
// the one before [Edmonds 1967], so that no common factors have to be looked for. Bland's rule: it
// always ends.
#include "lp.h"

#include "../../base/stop.h"

#include <math.h>

/// Where a variable outside the basis stands.
typedef enum place { AT_LOW, AT_HIGH, AT_ZERO } place;

/// A row of the program enters as its factor times its activity, so that T starts with integers.
typedef struct table {
  stc_lp *lp;
  stc_arena arena;
  int m, n;        // basic variables (rows without bounds are left out) and others (columns that
                   // are fixed at zero are left out)
  stc_integers T;  // [(m + 1) * n], the last row is the cost
  stc_integers b;  // [m] den times the values of the basic variables
  stc_integers d;  // [n] gradient of what is minimised now
  stc_integers s;  // [SCRATCH]
  stc_z den;       // > 0
  int *basic;      // [m] variable numbers
  int *other;      // [n]
  place *at;       // [n]
} table;

enum { BOUND, PRODUCT, STEP, STEP_OVER, CANDIDATE, CANDIDATE_OVER, SCRATCH };

static stc_z *entry_lp_exact(const table *t, int i, int j) {
  return &t->T.at[(ptrdiff_t)i * t->n + j];
}

/// A bound of a variable, times its factor.
static void scaled_bound(const table *t, int variable, double bound, stc_z value) {
  stc_z_set_d(value, bound);
  if (variable < t->lp->rows) stc_z_mul(value, value, t->lp->factor.at[variable]);
}

/// The bound a variable outside the basis stands at.
static double stand(const table *t, int j) {
  int k = t->other[j];
  return t->at[j] == AT_LOW ? t->lp->lo[k] : t->at[j] == AT_HIGH ? t->lp->hi[k] : 0;
}

/// A place that the bounds of the variable have, `wish` if they do.
static place place_for(const stc_lp *lp, int variable, place wish) {
  bool low = isfinite(lp->lo[variable]), high = isfinite(lp->hi[variable]);
  if (wish == AT_HIGH && high) return AT_HIGH;
  return low ? AT_LOW : high ? AT_HIGH : AT_ZERO;
}

// --- One exchange ---

// Operations of an entry of the table, about: numbers grow to hundreds of digits.
static const double ENTRY = 300;

/// Row i's variable leaves the basis, column j's enters.
static void pivot(table *t, int i, int j) {
  for (int k = 0; k <= t->m; k++)
    if (k != i && !stc_stop_due(ENTRY * t->n)) {
      // Row k of the table after row i and column j are exchanged: (T_kl T_ij - T_kj T_il) / den.
      stc_z *pivot = entry_lp_exact(t, i, j), *across = entry_lp_exact(t, k, j);
      for (int l = 0; l < t->n; l++) {
        stc_z *a = entry_lp_exact(t, k, l);
        if (l == j) continue;
        stc_z_cross(*a, *pivot, *across, *entry_lp_exact(t, i, l), t->den);
      }
    }
  for (int l = 0; l < t->n; l++)
    if (l != j) stc_z_neg(*entry_lp_exact(t, i, l), *entry_lp_exact(t, i, l));
  stc_z_swap(*entry_lp_exact(t, i, j), t->den);
  if (stc_z_sgn(t->den) < 0) {
    stc_z_neg(t->den, t->den);
    for (size_t k = 0; k < t->T.count; k++) stc_z_neg(t->T.at[k], t->T.at[k]);
  }
  int leaves = t->basic[i];
  t->basic[i] = t->other[j];
  t->other[j] = leaves;
}

// --- The rule ---

/// Sign of basic variable i minus a finite bound of it.
static int compare(table *t, int i, double bound) {
  stc_z_ptr value = t->s.at[BOUND];
  if (bound == 0) return stc_z_sgn(t->b.at[i]);
  scaled_bound(t, t->basic[i], bound, value);
  stc_z_mul(value, value, t->den);
  return stc_z_cmp(t->b.at[i], value);
}

/// -1 below its bounds, 1 above, 0 within.
static int excess(table *t, int i) {
  double lo = t->lp->lo[t->basic[i]], hi = t->lp->hi[t->basic[i]];
  if (isfinite(lo) && compare(t, i, lo) < 0) return -1;
  return isfinite(hi) && compare(t, i, hi) > 0 ? 1 : 0;
}

/// d = gradient of the sum of the excesses; false if there are none, d is the cost's then.
static bool gradient(table *t) {
  bool infeasible = false;
  for (int j = 0; j < t->n; j++) stc_z_set_i(t->d.at[j], 0);
  for (int i = 0; i < t->m; i++) {
    int sign = excess(t, i);
    if (sign) infeasible = true;
    for (int j = 0; sign && j < t->n; j++)
      (sign > 0 ? stc_z_add : stc_z_sub)(t->d.at[j], t->d.at[j], *entry_lp_exact(t, i, j));
  }
  for (int j = 0; !infeasible && j < t->n; j++) stc_z_set(t->d.at[j], *entry_lp_exact(t, t->m, j));
  return infeasible;
}

/// The direction in which column j goes downhill; 0 if it cannot move that way.
static int downhill(const table *t, int j) {
  int k = t->other[j], sign = stc_z_sgn(t->d.at[j]);
  if (!sign || t->lp->lo[k] == t->lp->hi[k]) return 0;
  if (sign < 0) return t->at[j] != AT_HIGH ? 1 : 0;
  return t->at[j] != AT_LOW ? -1 : 0;
}

/// The variable of least number that goes downhill; -1: none.
static int entering(const table *t) {
  int best = -1;
  for (int j = 0; j < t->n; j++)
    if (downhill(t, j) && (best < 0 || t->other[j] < t->other[best])) best = j;
  return best;
}

/// The bound at which basic variable i stops when it moves in direction `sign`: its far bound, or
/// the one it violates on the way in. Infinite: none.
static double stop(table *t, int i, int sign) {
  int k = t->basic[i], out = excess(t, i);
  if (sign > 0) return out < 0 ? t->lp->lo[k] : out > 0 ? INFINITY : t->lp->hi[k];
  return out > 0 ? t->lp->hi[k] : out < 0 ? INFINITY : t->lp->lo[k];
}

/// The basic variable that stops column j first: its row; -1 if none does, *bound its place. The
/// step is left in the scratch.
static int leaving(table *t, int j, int direction, double *bound) {
  int best = -1;
  stc_z_ptr step = t->s.at[STEP], over = t->s.at[STEP_OVER];
  stc_z_ptr candidate = t->s.at[CANDIDATE], candidate_over = t->s.at[CANDIDATE_OVER];
  for (int i = 0; i < t->m; i++) {
    int sign = direction * stc_z_sgn(*entry_lp_exact(t, i, j));
    double at = sign ? stop(t, i, sign) : INFINITY;
    if (isinf(at)) continue;
    // The step at which basic variable i reaches `bound` as column j moves, as a fraction.
    scaled_bound(t, t->basic[i], at, candidate);
    stc_z_mul(candidate, candidate, t->den);
    stc_z_sub(candidate, candidate, t->b.at[i]);
    stc_z_abs(candidate, candidate);
    stc_z_abs(candidate_over, *entry_lp_exact(t, i, j));
    stc_z_mul(t->s.at[BOUND], candidate, over);
    stc_z_mul(t->s.at[PRODUCT], step, candidate_over);
    int order = best < 0 ? -1 : stc_z_cmp(t->s.at[BOUND], t->s.at[PRODUCT]);
    if (order > 0 || (order == 0 && t->basic[i] > t->basic[best])) continue;
    stc_z_set(step, candidate);
    stc_z_set(over, candidate_over);
    best = i;
    *bound = at;
  }
  return best;
}

/// Whether column j reaches its own other bound before the row that stops it.
static bool flips(table *t, int j, bool stopped) {
  int k = t->other[j];
  stc_z_ptr range = t->s.at[CANDIDATE];
  if (isinf(t->lp->lo[k]) || isinf(t->lp->hi[k])) return false;
  if (!stopped) return true;
  scaled_bound(t, k, t->lp->hi[k] - t->lp->lo[k], range);
  stc_z_mul(range, range, t->s.at[STEP_OVER]);
  return stc_z_cmp(range, t->s.at[STEP]) <= 0;
}

/// One step; false if column j is not stopped by anything.
static bool move(table *t, int j) {
  int direction = downhill(t, j);
  double bound = 0;
  int i = leaving(t, j, direction, &bound);
  if (flips(t, j, i >= 0)) {
    t->at[j] = direction > 0 ? AT_HIGH : AT_LOW;
    return true;
  }
  if (i < 0) return false;
  int variable = t->basic[i];
  pivot(t, i, j);
  t->at[j] = bound == t->lp->hi[variable] && bound != t->lp->lo[variable] ? AT_HIGH : AT_LOW;
  return true;
}

static stc_lp_status run_simplex(table *t) {
  for (;;) {
    if (stc_stop_look() || stc_fault_seen()) return STC_LP_FAILED;
    stc_z_ptr value = t->s.at[BOUND];
    for (int i = 0; i < t->m; i++) stc_z_set_i(t->b.at[i], 0);
    for (int j = 0; j < t->n; j++) {
      if (stand(t, j) == 0) continue;
      scaled_bound(t, t->other[j], stand(t, j), value);
      for (int i = 0; i < t->m; i++) stc_z_addmul(t->b.at[i], *entry_lp_exact(t, i, j), value);
    }
    bool infeasible = gradient(t);
    int j = entering(t);
    if (j < 0) return infeasible ? STC_LP_INFEASIBLE : STC_LP_OPTIMAL;
    if (!move(t, j)) return STC_LP_UNBOUNDED;
  }
}

// --- Start and end ---

/// Column j enters for some row that the floating-point solve has outside its basis, if there is
/// one.
static void bring_in(table *t, int j) {
  for (int i = 0; i < t->m; i++) {
    int row = t->basic[i];
    if (row >= t->lp->rows || !stc_z_sgn(*entry_lp_exact(t, i, j))) continue;
    stc_simplex_place stands = stc_simplex_place_of(t->lp->simplex, row);
    if (stands == STC_PLACE_BASIC) continue;
    pivot(t, i, j);
    t->at[j] = place_for(t->lp, row, stands == STC_PLACE_HIGH ? AT_HIGH : AT_LOW);
    return;
  }
}

/// False if the deadline passed.
static bool adopt_basis(table *t) {
  for (int j = 0; j < t->n; j++) {
    stc_simplex_place stands = stc_simplex_place_of(t->lp->simplex, t->other[j]);
    t->at[j] = place_for(t->lp, t->other[j], stands == STC_PLACE_HIGH ? AT_HIGH : AT_LOW);
    if (stc_stop_look()) return false;
    if (stands == STC_PLACE_BASIC) bring_in(t, j);
  }
  return true;
}

/// T = rows of the program, and the costs times a positive factor.
static stc_error fill_lp_exact(table *t) {
  const stc_lp *lp = t->lp;
  STC_INTEGERS costs = {0};
  STC_Z factor = {0};
  STC_TRY(stc_integers_create(&costs, (size_t)lp->cols));
  stc_q_clear_denominators((const stc_q *)lp->c.at, lp->cols, factor, costs.at);
  for (int j = 0; j < t->n; j++) {
    int col = t->other[j] - lp->rows;
    for (int i = 0; i < t->m; i++)
      stc_z_set(*entry_lp_exact(t, i, j), lp->Z.at[(ptrdiff_t)t->basic[i] * lp->cols + col]);
    stc_z_set(*entry_lp_exact(t, t->m, j), costs.at[col]);
  }
  return STC_OK;
}

static stc_error prepare_lp_exact(table *t) {
  stc_lp *lp = t->lp;
  stc_arena *arena = &t->arena;
  t->basic = STC_TAKE(arena, int, lp->rows);
  t->other = STC_TAKE(arena, int, lp->cols);
  t->at = STC_TAKE(arena, place, lp->cols);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < lp->rows; i++)
    if (isfinite(lp->lo[i]) || isfinite(lp->hi[i])) t->basic[t->m++] = i;
  for (int k = lp->rows; k < lp->rows + lp->cols; k++)
    if (lp->lo[k] != 0 || lp->hi[k] != 0) t->other[t->n++] = k;
  STC_TRY(stc_integers_create(&t->T, (size_t)(t->m + 1) * (size_t)t->n));
  STC_TRY(stc_integers_create(&t->b, (size_t)t->m));
  STC_TRY(stc_integers_create(&t->d, (size_t)t->n));
  STC_TRY(stc_integers_create(&t->s, SCRATCH));
  return fill_lp_exact(t);
}

static void read_point(const table *t) {
  stc_lp *lp = t->lp;
  for (int j = 0; j < lp->cols; j++) stc_q_set_i(lp->point.at[j], 0);
  for (int j = 0; j < t->n; j++)
    if (t->other[j] >= lp->rows) stc_q_set_d(lp->point.at[t->other[j] - lp->rows], stand(t, j));
  for (int i = 0; i < t->m; i++) {
    if (t->basic[i] < lp->rows) continue;
    stc_q_ptr x = lp->point.at[t->basic[i] - lp->rows];
    stc_q_set_ratio(x, t->b.at[i], t->den);
  }
  stc_q_set_i(lp->best.at[0], 0);
  for (int j = 0; j < lp->cols; j++) stc_rational_fma(lp->best.at[0], lp->c.at[j], lp->point.at[j]);
}

static void free_table(table *t) {
  stc_integers *all[] = {&t->T, &t->b, &t->d, &t->s};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) stc_integers_free(all[k]);
  stc_z_clear(t->den);
  stc_arena_free(&t->arena);
}

stc_lp_status stc_lp_solve_exact(stc_lp *lp) {
  STC_RELEASED_BY(free_table) table t = {.lp = lp};
  stc_lp_status status = STC_LP_FAILED;
  stc_z_set_i(t.den, 1);
  stc_error error = prepare_lp_exact(&t);
  if (error) stc_fault_set(STC_FAULT_MEMORY);
  if (!error && adopt_basis(&t)) status = run_simplex(&t);
  if (status == STC_LP_OPTIMAL) read_point(&t);
  return stc_fault_seen() ? STC_LP_FAILED : status;
}
