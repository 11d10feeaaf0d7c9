// Polyhedra of solutions in 2D. One linear program with fixed rows serves every combination of
// modes; its columns are, per contact, r_N and p with r = (r_N, -mu p), then five slacks t in
// [0, 1], and a factor x >= 1 that carries q. Its rows are, per contact,
//   u_N - t0,   u_T - t1 + t2,   r_N - p - t3,   r_N + p - t4.
// An inner point times a large x has all slacks at 1 that can be positive at all. So where their
// sum is greatest a slack that is 0 belongs to an inequality that is an equation, the point over x
// is an inner point, and the rank of all equations gives the dimension.
#include "sets.h"

#include "../base/stop.h"

#include <math.h>
#include <string.h>

enum { ROWS = 4, COLS = 7, SLACKS = 5, SLACK = 2 };

// The row of a slack and its sign there.
static const int ROW_OF[SLACKS] = {0, 1, 1, 2, 3}, SIGN_OF[SLACKS] = {-1, -1, 1, -1, -1};

static stc_q_ptr entry_sets(const stc_sets *s, int c, int row, int other, int col) {
  return stc_lp_entry(s->lp, c * ROWS + row, other * COLS + col);
}

static int last_column(const stc_sets *s) { return s->exact->contacts * COLS; }

static void fill_matrix(stc_sets *s) {
  const stc_exact *e = s->exact;
  for (int i = 0; i < e->size; i++) {
    int c = i / 2, row = i % 2;
    for (int j = 0; j < e->size; j++) {
      stc_q_ptr a = entry_sets(s, c, row, j / 2, j % 2);
      stc_q_set_d(a, j % 2 ? -e->D[j] : 1);
      stc_q_mul(a, a, e->W.at[(ptrdiff_t)i * e->size + j]);
    }
    stc_q_set(stc_lp_entry(s->lp, c * ROWS + row, last_column(s)), e->q.at[i]);
  }
  for (int c = 0; c < e->contacts; c++) {
    for (int k = 0; k < SLACKS; k++)
      stc_q_set_i(entry_sets(s, c, ROW_OF[k], c, SLACK + k), SIGN_OF[k]);
    for (int sign = 0; sign < 2; sign++) {
      stc_q_set_i(entry_sets(s, c, 2 + sign, c, 0), 1);
      stc_q_set_i(entry_sets(s, c, 2 + sign, c, 1), sign ? 1 : -1);
    }
  }
}

stc_error stc_sets_create(const stc_exact *exact, stc_sets **sets) {
  STC_NEW(sets, "solution sets");
  stc_sets *s = *sets;
  s->exact = exact;
  stc_error error = stc_lp_create(ROWS * exact->contacts, COLS * exact->contacts + 1, &s->lp);
  if (!error) {
    fill_matrix(s);
    stc_lp_load(s->lp);
  }
  if (error) stc_sets_free(sets);
  return error;
}

void stc_set_free(stc_set *set) {
  stc_rationals_free(&set->r);
  stc_rationals_free(&set->u);
  stc_rationals_free(&set->v);
  stc_rationals_free(&set->l);
}

static void free_piece(stc_piece *piece) {
  stc_release(&piece->mode);
  stc_set_free(&piece->of);
}

void stc_sets_free(stc_sets **sets) {
  stc_sets *s = *sets;
  if (!s) return;
  for (int k = 0; k < s->pieces; k++) free_piece(&s->piece[k]);
  for (int k = 0; k < s->count; k++) stc_set_free(&s->set[k]);
  stc_release(&s->piece);
  stc_release(&s->set);
  stc_release(&s->number);
  stc_lp_free(&s->lp);
  stc_release(sets);
}

// --- Bounds of modes ---

/// What a mode asks of one row: lo <= row <= hi with bounds 0 or infinite.
typedef struct range {
  double lo, hi;
} range;

static const range FREE = {-INFINITY, INFINITY}, ZERO = {0, 0}, ABOVE = {0, INFINITY},
                   BELOW = {-INFINITY, 0};

static range range_of(stc_mode_kind mode, int row, bool friction) {
  switch (mode) {
  case STC_MODE_OPEN:
    return row == 0 ? ABOVE : row == 1 ? FREE : ZERO;
  case STC_MODE_STICK:
    return row > 1 ? ABOVE : row == 1 && !friction ? FREE : ZERO;
  case STC_MODE_PLUS:
    return row == 0 || row == 2 ? ZERO : ABOVE;
  case STC_MODE_MINUS:
    return row == 0 || row == 3 ? ZERO : row == 1 ? BELOW : ABOVE;
  default:
    return row == 1 ? FREE : ABOVE;
  }
}

static bool has_friction(const stc_sets *s, int c) { return s->exact->D[2 * c + 1] > 0; }

static range both(range a, range b) { return (range){fmax(a.lo, b.lo), fmin(a.hi, b.hi)}; }

/// Bounds of everything but the slacks for contacts that have the modes a and b at once.
static void set_bounds(stc_sets *s, const stc_mode_kind *a, const stc_mode_kind *b, double factor) {
  for (int c = 0; c < s->exact->contacts; c++) {
    bool friction = has_friction(s, c);
    for (int row = 0; row < ROWS; row++) {
      range r = both(range_of(a[c], row, friction), range_of(b[c], row, friction));
      stc_lp_bound_row(s->lp, c * ROWS + row, r.lo, r.hi);
    }
    stc_lp_bound_col(s->lp, c * COLS, -INFINITY, INFINITY);
    stc_lp_bound_col(s->lp, c * COLS + 1, friction ? -INFINITY : 0, friction ? INFINITY : 0);
    for (int k = 0; k < SLACKS; k++) stc_lp_bound_col(s->lp, c * COLS + SLACK + k, 0, 0);
  }
  stc_lp_bound_col(s->lp, last_column(s), factor, factor);
}

/// Whether slack k measures an inequality of the mode.
static bool is_slack(const stc_sets *s, int c, stc_mode_kind mode, int k) {
  range r = range_of(mode, ROW_OF[k], has_friction(s, c));
  return SIGN_OF[k] < 0 ? r.lo == 0 && r.hi > 0 : r.hi == 0 && r.lo < 0;
}

/// Costs: -1 for each slack, or for each r_N, else 0.
static void set_costs(stc_sets *s, bool slacks) {
  for (int j = 0; j < s->lp->cols; j++) {
    bool counts = j < last_column(s) && (slacks ? j % COLS >= SLACK : j % COLS == 0);
    stc_q_set_i(stc_lp_cost(s->lp, j), counts ? -1 : 0);
    stc_lp_load_cost(s->lp, j);
  }
}

static stc_lp_status solve_sets(stc_sets *s) {
  stc_lp_solve(s->lp);
  return stc_lp_solve_exact(s->lp);
}

// --- One piece ---

/// Whether a row is an equation on all of the polyhedron whose inner point is in the program.
static bool is_equation(const stc_sets *s, int c, stc_mode_kind mode, int row) {
  range r = range_of(mode, row, has_friction(s, c));
  if (r.lo == r.hi) return true;
  for (int k = 0; k < SLACKS; k++)
    if (ROW_OF[k] == row && is_slack(s, c, mode, k))
      return stc_q_sgn(s->lp->point.at[c * COLS + SLACK + k]) == 0;
  return false;
}

/// The equations of the piece, [ROWS + 1 per contact x size], and where asked for all rows of u.
static stc_error gather_equations(const stc_sets *s, const stc_piece *piece, bool velocities,
                                  stc_rationals *E, int *rows) {
  const stc_exact *e = s->exact;
  STC_TRY(stc_rationals_create(E, (size_t)e->contacts * (ROWS + 1) * (size_t)e->size));
  *rows = 0;
  for (int c = 0; c < e->contacts; c++) {
    for (int row = 0; row < ROWS; row++) {
      if (!(velocities && row < 2) && !is_equation(s, c, piece->mode[c], row)) continue;
      stc_q *to = &E->at[(ptrdiff_t)(*rows)++ * e->size];
      for (int j = 0; j < e->size; j++) stc_q_set(to[j], entry_sets(s, c, row, j / 2, j % 2));
    }
    if (!has_friction(s, c)) stc_q_set_i(E->at[(ptrdiff_t)(*rows)++ * e->size + 2 * c + 1], 1);
  }
  return STC_OK;
}

static stc_error rank_of(const stc_sets *s, const stc_piece *piece, bool velocities, int *rank) {
  STC_RATIONALS E = {0};
  int rows = 0;
  STC_TRY(gather_equations(s, piece, velocities, &E, &rows));
  *rank = stc_rational_eliminate(&E, rows, s->exact->size, NULL, 0, NULL);
  return STC_OK;
}

/// Whether no direction of the recession cone has r_N > 0.
static stc_lp_status measure_bounded(stc_sets *s, stc_piece *piece) {
  set_bounds(s, piece->mode, piece->mode, 0);
  for (int c = 0; c < s->exact->contacts; c++) stc_lp_bound_col(s->lp, c * COLS, 0, 1);
  set_costs(s, false);
  stc_lp_status status = solve_sets(s);
  piece->of.bounded = status == STC_LP_OPTIMAL && stc_q_sgn(s->lp->best.at[0]) == 0;
  return status;
}

static stc_lp_status find_inner_point(stc_sets *s, const stc_piece *piece) {
  set_bounds(s, piece->mode, piece->mode, 1);
  for (int c = 0; c < s->exact->contacts; c++)
    for (int k = 0; k < SLACKS; k++)
      if (is_slack(s, c, piece->mode[c], k)) stc_lp_bound_col(s->lp, c * COLS + SLACK + k, 0, 1);
  stc_lp_bound_col(s->lp, last_column(s), 1, INFINITY);
  set_costs(s, true);
  return solve_sets(s);
}

static stc_error measure_sets(stc_sets *s, stc_piece *piece, bool *measured) {
  int equations = 0, with_velocities = 0;
  *measured = false;
  if (find_inner_point(s, piece) != STC_LP_OPTIMAL) return STC_OK;
  // r of the columns r_N, p, over the factor x.
  stc_rationals *r = &piece->of.r;
  const stc_exact *e = s->exact;
  STC_TRY(stc_rationals_create(r, (size_t)e->size));
  for (int k = 0; k < e->size; k++) {
    stc_q_set_d(r->at[k], k % 2 ? -e->D[k] : 1);
    stc_q_mul(r->at[k], r->at[k], s->lp->point.at[k / 2 * COLS + k % 2]);
    stc_q_div(r->at[k], r->at[k], s->lp->point.at[last_column(s)]);
  }
  if (stc_exact_beyond(s->exact, &piece->of.r, 1)) return STC_OK;
  STC_TRY(stc_exact_velocity(s->exact, &piece->of.r, &piece->of.u));
  STC_TRY(rank_of(s, piece, false, &equations));
  STC_TRY(rank_of(s, piece, true, &with_velocities));
  if (equations < 0 || with_velocities < 0) return STC_OK;
  piece->of.dimension = s->exact->size - equations;
  piece->of.velocity_dimension = with_velocities - equations;
  *measured = measure_bounded(s, piece) == STC_LP_OPTIMAL;
  return STC_OK;
}

stc_error stc_sets_add(stc_sets *s, const stc_mode *mode, int *piece) {
  bool measured = false;
  *piece = -1;
  if (s->pieces == s->room) {
    int room = s->room ? 2 * s->room : 16;
    if (!stc_grow(&s->piece, (size_t)s->pieces, (size_t)room, sizeof *s->piece))
      return stc_fail(STC_ERR_MEMORY, "out of memory for %d solution sets", room);
    s->room = room;
  }
  stc_piece *p = &s->piece[s->pieces];
  *p = (stc_piece){.joined = s->pieces};
  p->mode = stc_calloc((size_t)s->exact->contacts, sizeof *p->mode);
  if (!p->mode) return stc_fail(STC_ERR_MEMORY, "out of memory for a solution set");
  s->pieces++;
  for (int c = 0; c < s->exact->contacts; c++) p->mode[c] = mode[c].kind;
  STC_TRY(measure_sets(s, p, &measured));
  if (measured)
    *piece = s->pieces - 1;
  else
    free_piece(&s->piece[--s->pieces]);
  return STC_OK;
}

// --- Connected sets ---

static int root_of(const stc_sets *s, int k) {
  while (s->piece[k].joined != k) k = s->piece[k].joined;
  return k;
}

/// Whether the polyhedra of two pieces meet. Two single velocities that differ need no program.
static bool meet_sets(stc_sets *s, int a, int b) {
  const stc_set *x = &s->piece[a].of, *y = &s->piece[b].of;
  if (!x->velocity_dimension && !y->velocity_dimension && !stc_rationals_equal(&x->u, &y->u))
    return false;
  set_bounds(s, s->piece[a].mode, s->piece[b].mode, 1);
  set_costs(s, true);
  return solve_sets(s) == STC_LP_OPTIMAL;
}

/// False if the deadline passed before all pairs were looked at.
static bool join_pieces(stc_sets *s) {
  for (int a = 0; a < s->pieces; a++)
    for (int b = 0; b < a; b++) {
      int i = root_of(s, a), j = root_of(s, b);
      if (i != j && meet_sets(s, a, b)) s->piece[i > j ? i : j].joined = i > j ? j : i;
      if (stc_stop_look()) return false;
    }
  return true;
}

stc_error stc_sets_merge(stc_sets *s, bool *whole) {
  *whole = join_pieces(s);
  s->set = stc_calloc((size_t)s->pieces, sizeof *s->set);
  s->number = stc_calloc((size_t)s->pieces, sizeof *s->number);
  if (!s->set || !s->number) return stc_fail(STC_ERR_MEMORY, "out of memory for solution sets");
  for (int k = 0; k < s->pieces; k++) {
    const stc_set *of = &s->piece[k].of;
    int root = root_of(s, k);
    if (root == k) s->number[k] = s->count++;
    s->number[k] = s->number[root];
    stc_set *set = &s->set[s->number[k]];
    if (root == k) {
      set->bounded = true;
      STC_TRY(stc_rationals_copy(&of->r, &set->r));
      STC_TRY(stc_rationals_copy(&of->u, &set->u));
    }
    // the union of its pieces: of their largest dimension, bounded if all are
    if (of->dimension > set->dimension) set->dimension = of->dimension;
    if (of->velocity_dimension > set->velocity_dimension)
      set->velocity_dimension = of->velocity_dimension;
    set->bounded = set->bounded && of->bounded;
  }
  return STC_OK;
}
