// The steps of the simplex method: prices, the variable that enters, the exchange.
#include "simplex_data.h"

#include "../../base/fail.h"
#include "../../base/stop.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A pivot smaller than this part of its column is taken with a fresh factor only.
static const double UNSURE = 1e-7;

// What rounding makes of a price that vanishes, relative to the largest cost in the basis.
static const double NOISE = 1e-11;

// Variables are priced cyclically, a section at a time.
enum { SECTIONS = 8, LEAST_SECTION = 256 };

// Passes that find the units, and the largest power of two by which a unit differs from 1: entries
// of 1e-300 are not brought to the size of others.
enum { SCALINGS = 3, MOST_EXPONENT = 60 };

// --- Creation ---

stc_error stc_simplex_create(int rows, int cols, stc_simplex **simplex) {
  stc_simplex *s = *simplex = stc_calloc(1, sizeof *s);
  if (!s) return stc_fail(STC_ERR_MEMORY, "out of memory for a linear program");
  int all = s->all = rows + cols;
  s->rows = rows, s->cols = cols;
  double **by_variable[] = {&s->unit, &s->given_lo, &s->given_hi, &s->given_cost, &s->lo,
                            &s->hi,   &s->cost,     &s->x,        &s->price,      &s->weight};
  double **by_row[] = {&s->alpha, &s->pi, &s->work};
  STC_TAKE_ZEROS(&s->arena, all, by_variable);
  STC_TAKE_ZEROS(&s->arena, rows, by_row);
  s->ptr = STC_TAKE(&s->arena, int, all + 1);
  s->head = STC_TAKE(&s->arena, int, rows);
  s->place = STC_TAKE(&s->arena, stc_simplex_place, all);
  s->breaks = STC_TAKE(&s->arena, stc_break, 2 * rows);
  stc_error error = stc_arena_check(&s->arena);
  if (!error) error = stc_basis_create(rows, &s->basis);
  if (!error) error = stc_simplex_load(s, &(stc_sparse_columns){.rows = rows});
  if (error) return stc_simplex_free(simplex), error;
  for (int v = 0; v < all; v++) stc_simplex_set_bounds(s, v, -INFINITY, INFINITY);
  stc_simplex_reset(s);
  return STC_OK;
}

void stc_simplex_free(stc_simplex **simplex) {
  stc_simplex *s = *simplex;
  if (!s) return;
  stc_basis_free(&s->basis);
  stc_release(&s->row);
  stc_release(&s->val);
  stc_arena_free(&s->arena);
  stc_release(simplex);
}

void stc_simplex_reset(stc_simplex *s) {
  for (int v = 0; v < s->all; v++) s->place[v] = v < s->rows ? STC_PLACE_BASIC : STC_PLACE_LOW;
  for (int i = 0; i < s->rows; i++) s->head[i] = i;
  s->factored = false;
}

void stc_simplex_set_cost(stc_simplex *s, int column, double cost) {
  s->given_cost[s->rows + column] = cost;
}

void stc_simplex_set_bounds(stc_simplex *s, int variable, double lo, double hi) {
  s->given_lo[variable] = lo;
  s->given_hi[variable] = hi;
}

// --- Entries ---

/// A power of two near 1 / sqrt(least largest).
static double unit_of(double least, double largest) {
  if (!(largest > 0) || !isfinite(largest)) return 1;
  double exponent = round(0.5 * (log2(least) + log2(largest)));
  return exp2(-fmax(-MOST_EXPONENT, fmin(exponent, MOST_EXPONENT)));
}

/// Rows and columns in turn by the geometric mean of their least and largest entries.
static void choose_units(stc_simplex *s, bool of_rows) {
  double *least = s->lo, *largest = s->hi, *unit = s->unit;
  int from = of_rows ? 0 : s->rows, to = of_rows ? s->rows : s->all;
  for (int v = from; v < to; v++) least[v] = INFINITY, largest[v] = 0;
  for (int v = s->rows; v < s->all; v++)
    for (int k = s->ptr[v]; k < s->ptr[v + 1]; k++) {
      int line = of_rows ? s->row[k] : v;
      double size = fabs(s->val[k]) * (of_rows ? unit[v] : 1 / unit[s->row[k]]);
      least[line] = fmin(least[line], size);
      largest[line] = fmax(largest[line], size);
    }
  for (int v = from; v < to; v++)
    unit[v] = of_rows ? 1 / unit_of(least[v], largest[v]) : unit_of(least[v], largest[v]);
}

static void scale_entries(stc_simplex *s) {
  for (int v = 0; v < s->all; v++) s->unit[v] = 1;
  for (int k = 0; k < SCALINGS; k++) choose_units(s, true), choose_units(s, false);
  for (int v = s->rows; v < s->all; v++)
    for (int k = s->ptr[v]; k < s->ptr[v + 1]; k++) s->val[k] *= s->unit[v] / s->unit[s->row[k]];
  s->finite = true;
  for (int v = 0; v < s->all; v++) {
    s->weight[v] = 1;
    for (int k = s->ptr[v]; k < s->ptr[v + 1]; k++) s->weight[v] += s->val[k] * s->val[k];
    if (!isfinite(s->weight[v])) s->finite = false;
  }
}

stc_error stc_simplex_load(stc_simplex *s, const stc_sparse_columns *A) {
  int m = s->rows, given = A->ptr ? A->ptr[s->cols] : 0;
  size_t room = (size_t)m + (size_t)given;
  if (!stc_grow(&s->row, 0, room, sizeof *s->row) || !stc_grow(&s->val, 0, room, sizeof *s->val))
    return stc_fail(STC_ERR_MEMORY, "out of memory for a linear program");
  for (int i = 0; i < m; i++) s->ptr[i] = i, s->row[i] = i, s->val[i] = -1;
  int entries = s->ptr[m] = m;
  for (int j = 0; j < s->cols; j++) {
    for (int k = given ? A->ptr[j] : 0; given && k < A->ptr[j + 1]; k++) {
      if (A->val[k] == 0) continue;
      s->row[entries] = A->row[k];
      s->val[entries++] = A->val[k];
    }
    s->ptr[m + j + 1] = entries;
  }
  scale_entries(s);
  s->factored = false;
  return STC_OK;
}

// --- Where variables stand ---

/// A variable outside the basis stands at a bound that it has.
static void stand_at_bound(stc_simplex *s, int v) {
  bool low = isfinite(s->lo[v]), high = isfinite(s->hi[v]);
  if (!low && !high)
    s->place[v] = STC_PLACE_FREE;
  else if (!low || (high && s->place[v] == STC_PLACE_HIGH))
    s->place[v] = STC_PLACE_HIGH;
  else
    s->place[v] = STC_PLACE_LOW;
  s->x[v] = s->place[v] == STC_PLACE_FREE ? 0 : s->place[v] == STC_PLACE_LOW ? s->lo[v] : s->hi[v];
}

/// False if the bounds of a variable contradict each other.
static bool take_bounds(stc_simplex *s) {
  for (int v = 0; v < s->all; v++) {
    s->lo[v] = s->given_lo[v] / s->unit[v];
    s->hi[v] = s->given_hi[v] / s->unit[v];
    s->cost[v] = s->given_cost[v] * s->unit[v];
    if (s->lo[v] > s->hi[v]) return false;
    if (s->place[v] != STC_PLACE_BASIC) stand_at_bound(s, v);
  }
  return true;
}

/// x of the basic variables, from B x_B = - N x_N.
static void compute_basic(stc_simplex *s) {
  memset(s->work, 0, (size_t)s->rows * sizeof *s->work);
  for (int v = 0; v < s->all; v++) {
    if (s->place[v] == STC_PLACE_BASIC || s->x[v] == 0) continue;
    for (int k = s->ptr[v]; k < s->ptr[v + 1]; k++) s->work[s->row[k]] -= s->val[k] * s->x[v];
  }
  stc_basis_solve(s->basis, s->work, s->alpha);
  for (int p = 0; p < s->rows; p++) s->x[s->head[p]] = s->alpha[p];
}

static stc_error factorise_basis(stc_simplex *s) {
  stc_sparse_columns columns = {s->rows, s->ptr, s->row, s->val};
  s->factored = false;
  STC_TRY(stc_basis_factorise(s->basis, &columns, s->head));
  s->factored = true;
  for (int v = 0; v < s->all; v++)
    if (s->place[v] == STC_PLACE_BASIC) s->place[v] = STC_PLACE_LOW, s->x[v] = NAN;
  for (int p = 0; p < s->rows; p++) s->place[s->head[p]] = STC_PLACE_BASIC;
  for (int v = 0; v < s->all; v++)
    if (s->place[v] != STC_PLACE_BASIC && isnan(s->x[v])) stand_at_bound(s, v);
  compute_basic(s);
  return STC_OK;
}

// --- Prices ---

/// The prices of the phase are cost - y.a for the multipliers y of the basis.
static void find_multipliers(stc_simplex *s) {
  double most = 0;
  for (int p = 0; p < s->rows; p++) {
    // The cost of basic variable v in this phase: in the first one what its excess grows by.
    int v = s->head[p];
    double excess = s->first_phase ? stc_simplex_excess(s, v) : 0;
    s->work[p] = s->first_phase ? (excess > 0) - (excess < 0) : s->cost[v];
    most = fmax(most, fabs(s->work[p]));
  }
  s->noise = NOISE * most;
  stc_basis_solve_transposed(s->basis, s->work, s->pi);
}

/// *size: of the terms it is made of.
static double find_price(stc_simplex *s, int v, double *size) {
  double price = s->first_phase ? 0 : s->cost[v];
  *size = fabs(price);
  for (int k = s->ptr[v]; k < s->ptr[v + 1]; k++) {
    double term = s->val[k] * s->pi[s->row[k]];
    price -= term;
    *size += fabs(term);
  }
  return s->price[v] = price;
}

static bool is_infeasible(const stc_simplex *s) {
  for (int p = 0; p < s->rows; p++)
    if (stc_simplex_excess(s, s->head[p]) != 0) return true;
  return false;
}

/// Whether it pays to move variable v: up (1), down (-1), or not at all.
static int pays(stc_simplex *s, int v) {
  if (s->place[v] == STC_PLACE_BASIC || s->lo[v] == s->hi[v]) return 0;
  double size, price = find_price(s, v, &size);
  if (!(fabs(price) > STC_SIMPLEX_TOLERANCE * size) || !(fabs(price) > s->noise)) return 0;
  if (price < 0) return s->place[v] != STC_PLACE_HIGH ? 1 : 0;
  return s->place[v] != STC_PLACE_LOW ? -1 : 0;
}

/// The variable with the best price for its column among the next ones that are looked at, which
/// are all if none of fewer pays; -1: none pays.
static int choose_entering(stc_simplex *s) {
  double best = 0;
  int enters = -1, section = s->all / SECTIONS > LEAST_SECTION ? s->all / SECTIONS : LEAST_SECTION;
  for (int k = 0; k < s->all && (enters < 0 || k % section); k++) {
    int v = s->next = s->next + 1 < s->all ? s->next + 1 : 0;
    if (!pays(s, v)) continue;
    double merit = s->price[v] * s->price[v] / s->weight[v];
    if (merit > best) best = merit, enters = v;
  }
  return enters;
}

// --- Steps ---

/// Moves variable `enters` as far as it goes. *again: a fresh factor is to decide.
static stc_error take_step(stc_simplex *s, int enters, bool *again, stc_simplex_status *status) {
  int sign = s->price[enters] < 0 ? 1 : -1;
  memset(s->work, 0, (size_t)s->rows * sizeof *s->work);
  for (int k = s->ptr[enters]; k < s->ptr[enters + 1]; k++) s->work[s->row[k]] = s->val[k];
  stc_basis_solve(s->basis, s->work, s->alpha);
  stc_leave leave = stc_simplex_leave(s, enters, sign);
  *again = stc_basis_exchanges(s->basis) > 0;
  if (leave.place == NOTHING_STOPS && !*again)
    *status = s->first_phase ? STC_SIMPLEX_LOST : STC_SIMPLEX_UNBOUNDED;
  bool unsure = leave.place >= 0 && fabs(s->alpha[leave.place]) < UNSURE * leave.fastest;
  if (leave.place == NOTHING_STOPS || (*again && unsure)) return STC_OK;
  *again = false;
  double step = leave.step;
  for (int p = 0; p < s->rows; p++) s->x[s->head[p]] -= sign * step * s->alpha[p];
  s->x[enters] += sign * step;
  if (leave.place >= 0) {
    int left = s->head[leave.place];
    s->place[left] = leave.high ? STC_PLACE_HIGH : STC_PLACE_LOW;
    s->x[left] = leave.high ? s->hi[left] : s->lo[left];
    s->head[leave.place] = enters;
    s->place[enters] = STC_PLACE_BASIC;
    return stc_basis_exchange(s->basis, leave.place, s->alpha);
  }
  s->place[enters] = sign > 0 ? STC_PLACE_HIGH : STC_PLACE_LOW;
  s->x[enters] = sign > 0 ? s->hi[enters] : s->lo[enters];
  return STC_OK;
}

/// How far variable v is beyond its bounds, and its price on the wrong side of zero, both relative
/// to the terms they are made of.
static double variable_error(stc_simplex *s, int v) {
  double size, price = find_price(s, v, &size);
  double excess = fmax(s->lo[v] - s->x[v], s->x[v] - s->hi[v]) / (1 + fabs(s->x[v]));
  if (s->place[v] == STC_PLACE_BASIC) s->price[v] = 0;
  if (s->lo[v] == s->hi[v] || !(fabs(price) > s->noise)) return excess;
  double wrong = s->place[v] == STC_PLACE_LOW    ? -price
                 : s->place[v] == STC_PLACE_HIGH ? price
                                                 : fabs(price);
  return fmax(excess, wrong / size);
}

/// No variable pays, by prices from a fresh factor.
static stc_simplex_status finish_solve(stc_simplex *s) {
  if (s->first_phase) return STC_SIMPLEX_INFEASIBLE;
  s->value = 0;
  for (int v = 0; v < s->all; v++) s->value += s->cost[v] * s->x[v];
  // The largest error of an optimum, of equations, bounds and prices.
  double error = 0, *sum = s->work, *size = s->alpha;
  memset(sum, 0, (size_t)s->rows * sizeof *sum);
  memset(size, 0, (size_t)s->rows * sizeof *size);
  for (int v = 0; v < s->all; v++) {
    error = fmax(error, variable_error(s, v));
    for (int k = s->ptr[v]; k < s->ptr[v + 1]; k++) {
      sum[s->row[k]] += s->val[k] * s->x[v];
      size[s->row[k]] += fabs(s->val[k] * s->x[v]);
    }
  }
  for (int i = 0; i < s->rows; i++) error = fmax(error, fabs(sum[i]) / (1 + size[i]));
  s->error = error;
  return STC_SIMPLEX_OPTIMAL;
}

stc_error stc_simplex_solve(stc_simplex *s, int most, stc_simplex_status *status) {
  bool anew = !s->factored;
  *status = s->finite ? STC_SIMPLEX_INFEASIBLE : STC_SIMPLEX_LOST;
  if (!s->finite || !take_bounds(s)) return STC_OK;
  if (!anew) compute_basic(s);
  *status = STC_SIMPLEX_GOES_ON;
  for (int step = 0; step < most && *status == STC_SIMPLEX_GOES_ON; step++) {
    STC_TRY(stc_stop_try(4.0 * s->ptr[s->all] + 20.0 * s->rows));
    if (anew || stc_basis_is_worn(s->basis)) STC_TRY(factorise_basis(s));
    s->first_phase = is_infeasible(s);
    find_multipliers(s);
    int enters = choose_entering(s);
    anew = enters < 0;
    if (anew && stc_basis_exchanges(s->basis) == 0)
      *status = finish_solve(s);
    else if (!anew)
      STC_TRY(take_step(s, enters, &anew, status));
  }
  if (*status == STC_SIMPLEX_GOES_ON) *status = STC_SIMPLEX_LOST;
  return STC_OK;
}

// --- Answers ---

double stc_simplex_value(const stc_simplex *s) { return s->value; }

double stc_simplex_point(const stc_simplex *s, int variable) {
  return s->unit[variable] * s->x[variable];
}

double stc_simplex_price(const stc_simplex *s, int variable) {
  return s->place[variable] == STC_PLACE_BASIC ? 0 : s->price[variable] / s->unit[variable];
}

stc_simplex_place stc_simplex_place_of(const stc_simplex *s, int variable) {
  return s->place[variable];
}

double stc_simplex_error(const stc_simplex *s) { return s->error; }
