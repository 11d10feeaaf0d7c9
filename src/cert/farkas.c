// The linear program of the modes. K is replaced by a polygon around it with rational corners, the
// arc of a sector by the four corners of a polygon around it: what is proved for these holds for K.
// 2D needs two corners, p = 1 and p = -1, and they are exact.
#include "farkas.h"

#include "exact/balance.h"

#include <math.h>

enum {
  PER_QUARTER = 8,            // corners of the polygon around K in each quarter
  CORNERS = 4 * PER_QUARTER,  // it exceeds K by less than 0.5 %
  ARC = 4,                    // corners around a sector
  SIDES = 2,                  // rows for the velocities of a sector
  SLOTS_3D = CORNERS + ARC + SIDES,
  SLOTS_2D = 2
};

// A value of the program above -CLEAR counts as zero: |q| and |y| are at most 1, and the simplex
// method works to 1e-9.
static const double CLEAR = 1e-8;

void stc_direction(int quarter, double t, stc_q x, stc_q y) {
  STC_Q s = {0}, one = {0};
  stc_q_set_d(s, t);
  stc_q_add(y, s, s);
  stc_q_mul(s, s, s);
  stc_q_set_i(one, 1);
  stc_q_sub(x, one, s);
  stc_q_add(s, s, one);
  stc_q_div(x, x, s);
  stc_q_div(y, y, s);
  for (int k = 0; k < quarter; k++) {
    stc_q_swap(x, y);
    stc_q_neg(x, x);
  }
}

/// Corner between the tangents at the directions a and b of one quarter: (a + b) / (1 + a.b).
static void corner(int quarter, double a, double b, stc_q x, stc_q y) {
  STC_Q bx = {0}, by = {0}, s = {0};
  stc_direction(quarter, a, x, y);
  stc_direction(quarter, b, bx, by);
  stc_q_set_i(s, 1);
  stc_rational_fma(s, x, bx);
  stc_rational_fma(s, y, by);
  stc_q_add(x, x, bx);
  stc_q_add(y, y, by);
  stc_q_div(x, x, s);
  stc_q_div(y, y, s);
}

/// Row: r.W^T y for the reaction (1, -D p) of contact c; p = (x, y), y may be NULL in 2D.
static void fill_farkas_row(stc_farkas *f, int row, int c, stc_q_srcptr x, stc_q_srcptr y) {
  const stc_exact *e = f->exact;
  STC_Q first = {0}, second = {0};
  stc_q_ptr weight[] = {NULL, first, second};
  for (int k = 1; k < e->dim; k++) {
    stc_q_set_d(weight[k], -e->D[c * e->dim + k]);
    stc_q_mul(weight[k], weight[k], k == 1 ? x : y);
  }
  for (int j = 0; j < e->size; j++) {
    stc_q_ptr a = stc_lp_entry(f->lp, row, j);
    const stc_q *W = (const stc_q *)&e->W.at[(ptrdiff_t)j * e->size + c * e->dim];
    stc_q_set(a, W[0]);
    for (int k = 1; k < e->dim; k++) stc_rational_fma(a, W[k], weight[k]);
  }
}

/// p of a row of contact c: a corner of the polygon around K, or of that around the sector of its
/// mode, between its ends and the tangent in the middle. A corner of equal directions is on the
/// circle.
static void slot_corner(const stc_farkas *f, int c, int k, stc_q x, stc_q y) {
  const stc_mode *mode = &f->mode[c];
  double a = mode->from, b = mode->to, m = (a + b) / 2;
  double from[ARC] = {a, a, m, b}, to[ARC] = {a, m, b, b};
  double t = (double)(k % PER_QUARTER) / PER_QUARTER;
  if (f->exact->dim == 2)
    stc_q_set_i(x, k ? -1 : 1);
  else if (k < CORNERS)
    corner(k / PER_QUARTER, t, t + 1.0 / PER_QUARTER, x, y);
  else
    corner(mode->quarter, from[k - CORNERS], to[k - CORNERS], x, y);
}

stc_error stc_farkas_create(const stc_exact *exact, stc_farkas **farkas) {
  STC_NEW(farkas, "a linear program");
  stc_farkas *f = *farkas;
  f->exact = exact;
  f->slots = exact->dim == 2 ? SLOTS_2D : SLOTS_3D;
  f->mode = STC_TAKE(&f->arena, stc_mode, exact->contacts);
  f->held = STC_TAKE(&f->arena, bool, exact->size);
  stc_error error = stc_arena_check(&f->arena);
  if (!error) error = stc_lp_create(f->slots * exact->contacts, exact->size, &f->lp);
  if (!error) {
    for (int c = 0; c < exact->contacts; c++) {
      // The rows that never change: the corners around K.
      STC_Q x = {0}, y = {0};
      for (int k = 0; k < (f->exact->dim == 2 ? SLOTS_2D : CORNERS); k++) {
        slot_corner(f, c, k, x, y);
        fill_farkas_row(f, c * f->slots + k, c, x, y);
      }
    }
    for (int j = 0; j < exact->size; j++) stc_q_set(stc_lp_cost(f->lp, j), exact->q.at[j]);
    stc_lp_load(f->lp);
  }
  for (int c = 0; !error && c < exact->contacts; c++)
    error = stc_farkas_set(f, c, (stc_mode){STC_MODE_NONE, 0, 0, 0});
  if (error) stc_farkas_free(farkas);
  return error;
}

void stc_farkas_free(stc_farkas **farkas) {
  if (!*farkas) return;
  stc_lp_free(&(*farkas)->lp);
  stc_arena_free(&(*farkas)->arena);
  stc_release(farkas);
}

// --- Modes ---

/// Rows of the polygon around the arc.
static stc_error set_arc(stc_farkas *f, int c) {
  STC_Q x = {0}, y = {0};
  for (int k = CORNERS; k < CORNERS + ARC; k++) {
    int row = c * f->slots + k;
    slot_corner(f, c, k, x, y);
    fill_farkas_row(f, row, c, x, y);
    stc_lp_bound_row(f->lp, row, -INFINITY, 0);
    stc_lp_load_row(f->lp, row);
  }
  return STC_OK;
}

static void bound_velocity(stc_farkas *f, int c, stc_mode_kind kind) {
  const stc_exact *e = f->exact;
  bool closed = kind > STC_MODE_OPEN;
  stc_lp_bound_col(f->lp, c * e->dim, closed ? -1 : 0, 1);
  for (int k = 1; k < e->dim; k++) {
    bool free = closed && e->D[c * e->dim + k] > 0;
    stc_lp_bound_col(f->lp, c * e->dim + k, !free || kind == STC_MODE_PLUS ? 0 : -1,
                     !free || kind == STC_MODE_MINUS ? 0 : 1);
  }
}

stc_error stc_farkas_set(stc_farkas *f, int c, stc_mode mode) {
  bool cone = mode.kind == STC_MODE_NONE || mode.kind == STC_MODE_STICK;
  int fixed = f->exact->dim == 2 ? SLOTS_2D : CORNERS;
  f->mode[c] = mode;
  bound_velocity(f, c, mode.kind);
  for (int k = 0; k < f->slots; k++) {
    bool one = mode.kind == (k == 0 ? STC_MODE_PLUS : STC_MODE_MINUS) && k < SLOTS_2D;
    bool holds = (cone && k < fixed) || one;
    stc_lp_bound_row(f->lp, c * f->slots + k, -INFINITY, holds ? 0 : INFINITY);
  }
  if (mode.kind != STC_MODE_SECTOR) return STC_OK;
  STC_TRY(set_arc(f, c));
  // Rows z.d >= 0 for the ends d of a sector, z = (mu2 y_T1, mu1 y_T2).
  const double *D = f->exact->D + c * 3;
  STC_Q x = {0}, y = {0}, mu = {0};
  for (int side = 0; side < SIDES; side++) {
    int row = c * f->slots + CORNERS + ARC + side;
    stc_direction(mode.quarter, side ? mode.to : mode.from, x, y);
    for (int k = 0; k < 2; k++) {
      stc_q_set_d(mu, D[2 - k]);
      stc_q_mul(stc_lp_entry(f->lp, row, 3 * c + 1 + k), k ? y : x, mu);
    }
    stc_lp_bound_row(f->lp, row, 0, INFINITY);
    stc_lp_load_row(f->lp, row);
  }
  return STC_OK;
}

// --- Answers ---

bool stc_farkas_contradicts(stc_farkas *f, double *value) {
  bool solved = stc_lp_solve(f->lp) == STC_LP_OPTIMAL;
  *value = solved ? f->lp->value : 0;
  return *value < -CLEAR;
}

/// Whether W y vanishes but for rounding at the point of the floating-point solve, put into x.
static bool is_kinematic(const stc_farkas *f, double *x) {
  static const double SMALL = 1e-7;  // largest |W| and |y| are near 1
  const stc_exact *e = f->exact;
  for (int j = 0; j < e->size; j++) x[j] = stc_lp_x(f->lp, j);
  for (int i = 0; e->balances && i < e->size; i++) {
    double sum = 0;
    for (int j = 0; j < e->size; j++) sum += e->W_float[(ptrdiff_t)i * e->size + j] * x[j];
    if (!(fabs(sum) < SMALL)) return false;
  }
  return e->balances > 0;
}

/// Whether y has the signs of its modes. Its size does not matter, and rows of W y are zero.
static bool signs_hold(const stc_farkas *f) {
  const stc_lp *lp = f->lp;
  for (int j = 0; j < lp->cols; j++) {
    int sign = stc_q_sgn(lp->point.at[j]);
    if ((lp->lo[lp->rows + j] == 0 && sign < 0) || (lp->hi[lp->rows + j] == 0 && sign > 0))
      return false;
  }
  for (int c = 0; f->exact->dim == 3 && c < f->exact->contacts; c++)
    for (int side = 0; side < SIDES; side++)
      if (!stc_lp_row_holds(lp, c * f->slots + CORNERS + ARC + side)) return false;
  return true;
}

/// A contradiction of the velocities alone: y with W y = 0 exactly, of which doubles know nothing.
static bool prove_kinematic(stc_farkas *f) {
  static const double ZERO = 1e-9;
  stc_lp *lp = f->lp;
  if (!is_kinematic(f, lp->x)) return false;
  for (int j = 0; j < lp->cols; j++) {
    bool bounded = lp->lo[lp->rows + j] == 0 || lp->hi[lp->rows + j] == 0;
    f->held[j] = bounded && fabs(lp->x[j]) < ZERO;
    if (f->held[j]) lp->x[j] = 0;
  }
  if (!stc_balance(f->exact, lp->x, f->held, &lp->point) || !signs_hold(f)) return false;
  stc_q_set_i(lp->best.at[0], 0);
  for (int j = 0; j < lp->cols; j++) stc_rational_fma(lp->best.at[0], lp->c.at[j], lp->point.at[j]);
  return stc_q_sgn(lp->best.at[0]) < 0;
}

bool stc_farkas_prove(stc_farkas *f) {
  if (stc_lp_confirm(f->lp)) return true;
  stc_lp_solve(f->lp);  // confirming left the basis of another program
  if (prove_kinematic(f)) return true;
  return stc_lp_solve_exact(f->lp) == STC_LP_OPTIMAL && stc_q_sgn(f->lp->best.at[0]) < 0;
}

double stc_farkas_depth(const stc_q value, const stc_rationals *y) {
  STC_Q most = {0}, size = {0};
  for (size_t k = 0; k < y->count; k++) {
    stc_q_abs(size, y->at[k]);
    if (stc_q_cmp(size, most) > 0) stc_q_set(most, size);
  }
  stc_q_div(size, value, most);
  return -stc_q_get_d(size);
}

void stc_farkas_point(const stc_farkas *f, double *r, double *u) {
  const stc_exact *e = f->exact;
  int d = e->dim, reactions = d == 2 ? SLOTS_2D : CORNERS + ARC;
  STC_Q x = {0}, y = {0};
  for (int j = 0; j < e->size; j++) r[j] = 0;
  for (int c = 0; c < e->contacts; c++)
    for (int k = 0; k < reactions; k++) {
      double weight = -stc_lp_row_dual(f->lp, c * f->slots + k);
      if (weight == 0) continue;
      slot_corner(f, c, k, x, y);
      r[c * d] += weight;
      for (int l = 1; l < d; l++)
        r[c * d + l] -= weight * e->D[c * d + l] * stc_q_get_d(l == 1 ? x : y);
    }
  for (int i = 0; i < e->size; i++) {
    u[i] = e->q_float[i];
    for (int j = 0; j < e->size; j++) u[i] += e->W_float[(ptrdiff_t)i * e->size + j] * r[j];
  }
}
