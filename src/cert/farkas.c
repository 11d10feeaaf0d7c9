// The linear program of the modes. A round K is replaced by a polygon around it with rational
// corners, the arc of a sector by the four corners of a polygon around it: what is proved for these
// holds for K. Polyhedral cones are taken as they are.
#include "farkas.h"

#include "exact/balance.h"

#include <math.h>

enum {
  PER_QUARTER = 8,            // corners of the polygon around K in each quarter
  CORNERS = 4 * PER_QUARTER,  // it exceeds K by less than 0.5 %
  ARC = 4,                    // corners around a sector
  SIDES = 2                   // rows for the velocities of a sector
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

// The rows of a contact: its corners, then of a round cone the arc and the sides of its sector, of
// a polygon its edges.

static int corner_rows(const stc_exact *e, int c) {
  int corners = e->polygon[c].corners;
  return corners ? corners : CORNERS;
}

static int arc_rows(const stc_exact *e, int c) { return e->polygon[c].corners ? 0 : ARC; }

static int side_rows(const stc_exact *e, int c) {
  const stc_polygon *polygon = &e->polygon[c];
  if (e->dim == 2 || polygon->corners == 1) return 0;
  return polygon->corners ? polygon->corners : SIDES;
}

/// Row: r.W^T y for the reaction (1, T) of contact c.
static void fill_farkas_row(stc_farkas *f, int row, int c, stc_q_srcptr const T[2]) {
  const stc_exact *e = f->exact;
  for (int j = 0; j < e->size; j++) {
    stc_q_ptr a = stc_lp_entry(f->lp, row, j);
    const stc_q *W = (const stc_q *)&e->W.at[(ptrdiff_t)j * e->size + c * e->dim];
    stc_q_set(a, W[0]);
    for (int k = 1; k < e->dim; k++) stc_rational_fma(a, W[k], T[k - 1]);
  }
}

/// The reaction (1, x, y) of a row of contact c: a corner of its cone, or of the polygon around it,
/// or of that around the sector of its mode, between its ends and the tangent in the middle. A
/// corner of equal directions is on the circle.
static void slot_ray(const stc_farkas *f, int c, int k, stc_q x, stc_q y) {
  const stc_mode *mode = &f->mode[c];
  const stc_polygon *polygon = &f->exact->polygon[c];
  double a = mode->from, b = mode->to, m = (a + b) / 2;
  double from[ARC] = {a, a, m, b}, to[ARC] = {a, m, b, b};
  double t = (double)(k % PER_QUARTER) / PER_QUARTER;
  stc_q_ptr T[2] = {x, y};
  STC_Q D = {0};
  if (polygon->corners) {
    stc_q_set(x, polygon->p.at[2 * k]);
    stc_q_set(y, polygon->p.at[2 * k + 1]);
    return;
  }
  if (k < CORNERS)
    corner(k / PER_QUARTER, t, t + 1.0 / PER_QUARTER, x, y);
  else
    corner(mode->quarter, from[k - CORNERS], to[k - CORNERS], x, y);
  for (int l = 0; l < 2; l++) {
    stc_q_set_d(D, -f->exact->D[3 * c + 1 + l]);
    stc_q_mul(T[l], T[l], D);
  }
}

static void fill_rays(stc_farkas *f, int c, int first, int count) {
  STC_Q x = {0}, y = {0};
  for (int k = first; k < first + count; k++) {
    slot_ray(f, c, k, x, y);
    fill_farkas_row(f, f->row[c] + k, c, (stc_q_srcptr[2]){x, y});
  }
}

/// Rows y.u >= 0 for the velocities u_T = -n of the edges of a polygon, n their normals.
static void fill_edges(stc_farkas *f, int c) {
  const stc_polygon *polygon = &f->exact->polygon[c];
  int at = f->row[c] + corner_rows(f->exact, c);
  for (int k = 0; polygon->corners && k < side_rows(f->exact, c); k++) {
    stc_q_ptr first = stc_lp_entry(f->lp, at + k, 3 * c + 1);
    stc_q_ptr second = stc_lp_entry(f->lp, at + k, 3 * c + 2);
    stc_polygon_edge(polygon, k, second, first);
    stc_q_neg(first, first);
  }
}

static stc_error create_program(stc_farkas *f) {
  const stc_exact *e = f->exact;
  f->mode = STC_TAKE(&f->arena, stc_mode, e->contacts);
  f->row = STC_TAKE(&f->arena, int, e->contacts + 1);
  f->held = STC_TAKE(&f->arena, bool, e->size);
  STC_TRY(stc_arena_check(&f->arena));
  for (int c = 0; c < e->contacts; c++)
    f->row[c + 1] = f->row[c] + corner_rows(e, c) + arc_rows(e, c) + side_rows(e, c);
  STC_TRY(stc_lp_create(f->row[e->contacts], e->size, &f->lp));
  for (int c = 0; c < e->contacts; c++) {
    fill_rays(f, c, 0, corner_rows(e, c));
    fill_edges(f, c);
  }
  for (int j = 0; j < e->size; j++) stc_q_set(stc_lp_cost(f->lp, j), e->q.at[j]);
  stc_lp_load(f->lp);
  for (int c = 0; c < e->contacts; c++)
    STC_TRY(stc_farkas_set(f, c, (stc_mode){.kind = STC_MODE_NONE}));
  return STC_OK;
}

stc_error stc_farkas_create(const stc_exact *exact, stc_farkas **farkas) {
  STC_NEW(farkas, "a linear program");
  (*farkas)->exact = exact;
  stc_error error = create_program(*farkas);
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

/// Whether a mode has reactions along ray k of its cone.
static bool takes_ray(const stc_polygon *polygon, const stc_mode *mode, int k) {
  int last = mode->kind == STC_MODE_EDGE ? mode->first + 1 : mode->last;
  if (mode->kind == STC_MODE_NONE || mode->kind == STC_MODE_STICK) return true;
  if (mode->kind == STC_MODE_PLUS || mode->kind == STC_MODE_MINUS)
    return k == (mode->kind == STC_MODE_MINUS);
  if (mode->kind < STC_MODE_CORNERS) return false;
  return stc_polygon_wrap(polygon, k - mode->first) <= last - mode->first;
}

/// The velocities of corners lie between the normals of the edges before and after them.
static void bound_edges(stc_farkas *f, int c, const stc_mode *mode) {
  const stc_polygon *polygon = &f->exact->polygon[c];
  int at = f->row[c] + corner_rows(f->exact, c), edges = side_rows(f->exact, c);
  for (int k = 0; k < edges; k++) stc_lp_bound_row(f->lp, at + k, -INFINITY, INFINITY);
  if (mode->kind < STC_MODE_CORNERS) return;
  bool corners = mode->kind == STC_MODE_CORNERS;
  int before = stc_polygon_wrap(polygon, corners ? mode->first - 1 : mode->first);
  int after = stc_polygon_wrap(polygon, corners ? mode->last : mode->first);
  stc_lp_bound_row(f->lp, at + before, 0, INFINITY);
  stc_lp_bound_row(f->lp, at + after, 0, INFINITY);
}

/// The rows of a sector: the polygon around its arc, and z.d >= 0 for the ends d of the sector, z =
/// (mu2 y_T1, mu1 y_T2).
static void set_sector(stc_farkas *f, int c, const stc_mode *mode) {
  const double *D = f->exact->D + c * 3;
  int at = f->row[c] + CORNERS;
  STC_Q x = {0}, y = {0}, mu = {0};
  bool cut = mode->kind == STC_MODE_SECTOR;
  for (int k = 0; k < ARC; k++) stc_lp_bound_row(f->lp, at + k, -INFINITY, cut ? 0 : INFINITY);
  for (int k = 0; k < SIDES; k++)
    stc_lp_bound_row(f->lp, at + ARC + k, cut ? 0 : -INFINITY, INFINITY);
  if (!cut) return;
  fill_rays(f, c, CORNERS, ARC);
  for (int side = 0; side < SIDES; side++) {
    stc_direction(mode->quarter, side ? mode->to : mode->from, x, y);
    for (int k = 0; k < 2; k++) {
      stc_q_set_d(mu, D[2 - k]);
      stc_q_mul(stc_lp_entry(f->lp, at + ARC + side, 3 * c + 1 + k), k ? y : x, mu);
    }
  }
  for (int k = 0; k < ARC + SIDES; k++) stc_lp_load_row(f->lp, at + k);
}

stc_error stc_farkas_set(stc_farkas *f, int c, stc_mode mode) {
  const stc_polygon *polygon = &f->exact->polygon[c];
  f->mode[c] = mode;
  bound_velocity(f, c, mode.kind);
  for (int k = 0; k < corner_rows(f->exact, c); k++)
    stc_lp_bound_row(f->lp, f->row[c] + k, -INFINITY, takes_ray(polygon, &mode, k) ? 0 : INFINITY);
  if (polygon->corners)
    bound_edges(f, c, &mode);
  else
    set_sector(f, c, &mode);
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
  for (int c = 0; c < f->exact->contacts; c++)
    for (int row = f->row[c] + corner_rows(f->exact, c) + arc_rows(f->exact, c);
         row < f->row[c + 1]; row++)
      if (!stc_lp_row_holds(lp, row)) return false;
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

/// A contradiction of reactions within the reach; the program is solved as it was afterwards.
static bool prove_within(stc_farkas *f) {
  double slack = -f->lp->value / STC_FARKAS_REACH / 2;
  f->within = f->exact->rounded && slack > 0 && stc_lp_confirm_within(f->lp, slack) &&
              -stc_q_get_d(f->lp->best.at[0]) >= slack * STC_FARKAS_REACH;
  if (f->exact->rounded && !f->within) stc_lp_solve(f->lp);
  return f->within;
}

bool stc_farkas_prove(stc_farkas *f) {
  f->within = false;
  if (stc_lp_confirm(f->lp)) return true;
  stc_lp_solve(f->lp);  // confirming left the basis of another program
  if (prove_kinematic(f) || prove_within(f)) return true;
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
  int d = e->dim;
  STC_Q x = {0}, y = {0};
  for (int j = 0; j < e->size; j++) r[j] = 0;
  for (int c = 0; c < e->contacts; c++)
    for (int k = 0; k < corner_rows(e, c) + arc_rows(e, c); k++) {
      double weight = -stc_lp_row_dual(f->lp, f->row[c] + k);
      if (weight == 0) continue;
      slot_ray(f, c, k, x, y);
      r[c * d] += weight;
      for (int l = 1; l < d; l++) r[c * d + l] += weight * stc_q_get_d(l == 1 ? x : y);
    }
  for (int i = 0; i < e->size; i++) {
    u[i] = e->q_float[i];
    for (int j = 0; j < e->size; j++) u[i] += e->W_float[(ptrdiff_t)i * e->size + j] * r[j];
  }
}
