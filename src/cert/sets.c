// Polyhedra of solutions where every cone is polyhedral. The modes of a combination are conditions
// on r, linear equations and inequalities a.r + b = 0 or >= 0. One linear program has a row for
// each, a slack t in [0, 1] for each inequality, a.r + b x - t >= 0, and a factor x >= 1.
// An inner point times a large x has all slacks at 1 that can be positive at all. So where their
// sum is greatest a slack that is 0 belongs to an inequality that is an equation, the point over x
// is an inner point, and the rank of all equations gives the dimension.
#include "sets.h"

#include "../base/stop.h"

#include <math.h>
#include <string.h>

stc_error stc_sets_create(const stc_exact *exact, stc_sets **sets) {
  STC_NEW(sets, "solution sets");
  (*sets)->exact = exact;
  return STC_OK;
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
  stc_release(sets);
}

// --- What modes ask for ---

/// Rows a.r + b = 0, or >= 0, of combinations of modes.
typedef struct conditions {
  const stc_exact *exact;
  int count, inequalities;
  stc_rationals row;  // [room*(size+1)] a, then b
  bool *equation;     // [room]
  stc_rationals w;    // [dim] weights of the next row
  stc_arena arena;
} conditions;

static void free_conditions(conditions *a) {
  stc_rationals_free(&a->row);
  stc_rationals_free(&a->w);
  stc_arena_free(&a->arena);
}

static stc_q *row_of(const conditions *a, int i) {
  return &a->row.at[(ptrdiff_t)i * (a->exact->size + 1)];
}

/// Adds the row w.u or w.r of contact c and forgets w.
static void ask(conditions *a, int c, bool velocity, bool equation) {
  const stc_exact *e = a->exact;
  stc_q *row = row_of(a, a->count);
  a->equation[a->count++] = equation;
  a->inequalities += !equation;
  for (int l = 0; l < e->dim; l++) {
    int i = c * e->dim + l;
    stc_q_srcptr w = a->w.at[l];
    if (!velocity) stc_q_set(row[i], w);
    for (int j = 0; velocity && stc_q_sgn(w) && j < e->size; j++)
      stc_rational_fma(row[j], w, e->W.at[(ptrdiff_t)i * e->size + j]);
    if (velocity) stc_rational_fma(row[e->size], w, e->q.at[i]);
  }
  for (int l = 0; l < e->dim; l++) stc_q_set_i(a->w.at[l], 0);
}

/// Component l of u or r, times a sign.
static void ask_component(conditions *a, int c, int l, int sign, bool velocity, bool equation) {
  stc_q_set_i(a->w.at[l], sign);
  ask(a, c, velocity, equation);
}

/// sign e_k.u_T in space.
static void ask_along(conditions *a, int c, int k, int sign, bool equation) {
  stc_polygon_edge(&a->exact->polygon[c], k, a->w.at[1], a->w.at[2]);
  for (int l = 1; sign < 0 && l < 3; l++) stc_q_neg(a->w.at[l], a->w.at[l]);
  ask(a, c, true, equation);
}

/// sign d.(r_T - r_N p_k); the weights of r_T hold d.
static void ask_from_corner(conditions *a, int c, int k, int sign, bool equation) {
  const stc_polygon *polygon = &a->exact->polygon[c];
  stc_q_ptr normal = a->w.at[0];
  for (int l = 1; l < a->exact->dim; l++)
    stc_rational_fma(normal, a->w.at[l], polygon->p.at[2 * stc_polygon_wrap(polygon, k) + l - 1]);
  stc_q_neg(normal, normal);
  for (int l = 0; sign < 0 && l < a->exact->dim; l++) stc_q_neg(a->w.at[l], a->w.at[l]);
  ask(a, c, false, equation);
}

/// r on the inner side of edge k, or on it, in space.
static void ask_side(conditions *a, int c, int k, bool equation) {
  stc_polygon_edge(&a->exact->polygon[c], k, a->w.at[2], a->w.at[1]);
  stc_q_neg(a->w.at[1], a->w.at[1]);  // d = (-e_y, e_x), the inward normal
  ask_from_corner(a, c, k, 1, equation);
}

/// r along the ray of corner k.
static void ask_ray(conditions *a, int c, int k) {
  for (int l = 1; l < a->exact->dim; l++) {
    stc_q_set_i(a->w.at[l], 1);
    ask_from_corner(a, c, k, 1, true);
  }
  ask_component(a, c, 0, 1, false, false);
}

static void ask_rest(conditions *a, int c) {
  int corners = a->exact->polygon[c].corners, d = a->exact->dim;
  for (int l = 1; corners > 1 && l < d; l++) ask_component(a, c, l, 1, true, true);
  if (corners == 1) ask_ray(a, c, 0);
  for (int k = 0; corners > 1 && d == 2 && k < 2; k++) {
    stc_q_set_i(a->w.at[1], 1);
    ask_from_corner(a, c, k, k ? -1 : 1, false);
  }
  for (int k = 0; d == 3 && corners > 1 && k < corners; k++) ask_side(a, c, k, false);
}

static void ask_slip_along(conditions *a, int c, int k) {
  const stc_polygon *polygon = &a->exact->polygon[c];
  ask_along(a, c, k, 1, true);
  ask_along(a, c, k - 1, -1, false);
  ask_side(a, c, k, true);
  for (int end = 0; end < 2; end++) {
    stc_polygon_edge(polygon, k, a->w.at[1], a->w.at[2]);
    ask_from_corner(a, c, k + end, end ? -1 : 1, false);
  }
}

/// What a contact in a mode obeys, exactly.
static void ask_mode(conditions *a, int c, const stc_mode *mode) {
  bool open = mode->kind == STC_MODE_OPEN;
  ask_component(a, c, 0, 1, true, !open);
  for (int l = 0; open && l < a->exact->dim; l++) ask_component(a, c, l, 1, false, true);
  switch (mode->kind) {
  case STC_MODE_STICK:
    ask_rest(a, c);
    break;
  case STC_MODE_PLUS:
  case STC_MODE_MINUS:
    ask_component(a, c, 1, mode->kind == STC_MODE_PLUS ? 1 : -1, true, false);
    ask_ray(a, c, mode->kind == STC_MODE_MINUS);
    break;
  case STC_MODE_CORNERS:
    ask_along(a, c, mode->first - 1, -1, false);
    ask_along(a, c, mode->first, 1, false);
    ask_ray(a, c, mode->first);
    break;
  case STC_MODE_EDGE:
    ask_slip_along(a, c, mode->first);
    break;
  default:
    break;
  }
}

/// The conditions of two pieces together, or of one.
static stc_error gather_conditions(const stc_exact *e, const stc_mode *const mode[2],
                                   conditions *a) {
  size_t room = 0;
  a->exact = e;
  // Rows of u, of the sides of the cone or of a ray, of what is open: at most so many.
  for (int c = 0; c < e->contacts; c++)
    room += (size_t)(mode[1] ? 2 : 1) * (size_t)(2 * e->dim + e->polygon[c].corners);
  a->equation = STC_TAKE(&a->arena, bool, room);
  STC_TRY(stc_arena_check(&a->arena));
  STC_TRY(stc_rationals_create(&a->w, 3));
  STC_TRY(stc_rationals_create(&a->row, room * ((size_t)e->size + 1)));
  for (int piece = 0; piece < 2 && mode[piece]; piece++)
    for (int c = 0; c < e->contacts; c++) ask_mode(a, c, &mode[piece][c]);
  return STC_OK;
}

// --- Their program ---

/// Columns: r, slacks, the factor x.
static stc_error make_program(const conditions *a, stc_lp **lp) {
  int size = a->exact->size, slack = size, last = size + a->inequalities;
  STC_TRY(stc_lp_create(a->count, last + 1, lp));
  for (int i = 0; i < a->count; i++) {
    for (int j = 0; j <= size; j++)
      stc_q_set(stc_lp_entry(*lp, i, j < size ? j : last), row_of(a, i)[j]);
    if (!a->equation[i]) stc_q_set_i(stc_lp_entry(*lp, i, slack++), -1);
    stc_lp_bound_row(*lp, i, 0, a->equation[i] ? 0 : INFINITY);
  }
  stc_lp_load(*lp);
  return STC_OK;
}

/// Bounds of the slacks and of the factor; costs -1 for each slack, or for each r_N, or none.
typedef enum aim { INNER_POINT, RECESSION, ANY_POINT } aim;

static stc_lp_status solve_sets(const conditions *a, stc_lp *lp, aim wanted) {
  const stc_exact *e = a->exact;
  int last = e->size + a->inequalities;
  for (int j = 0; j < last; j++) {
    bool slack = j >= e->size, normal = !slack && j % e->dim == 0;
    bool counts = wanted == INNER_POINT ? slack : wanted == RECESSION && normal;
    if (slack) stc_lp_bound_col(lp, j, 0, wanted == INNER_POINT);
    if (normal && wanted == RECESSION) stc_lp_bound_col(lp, j, 0, 1);
    stc_q_set_i(stc_lp_cost(lp, j), counts ? -1 : 0);
    stc_lp_load_cost(lp, j);
  }
  stc_lp_bound_col(lp, last, wanted != RECESSION,
                   wanted == INNER_POINT ? INFINITY
                   : wanted == ANY_POINT ? 1
                                         : 0);
  stc_lp_solve(lp);
  return stc_lp_solve_exact(lp);
}

// --- One piece ---

/// The rank of what is an equation on all of the polyhedron whose inner point is in the program,
/// and where asked for of all rows of u; -1: the deadline passed.
static stc_error rank_of(const conditions *a, const stc_lp *lp, bool velocities, int *rank) {
  const stc_exact *e = a->exact;
  size_t size = (size_t)e->size;
  int rows = 0, slack = e->size;
  STC_RATIONALS E = {0};
  STC_TRY(stc_rationals_create(&E, ((size_t)a->count + size) * size));
  for (int i = 0; i < a->count; i++) {
    bool equation = a->equation[i] || stc_q_sgn(lp->point.at[slack]) == 0;
    slack += !a->equation[i];
    for (int j = 0; equation && j < e->size; j++)
      stc_q_set(E.at[(size_t)rows * size + (size_t)j], row_of(a, i)[j]);
    rows += equation;
  }
  for (size_t k = 0; velocities && k < size * size; k++)
    stc_q_set(E.at[(size_t)rows * size + k], e->W.at[k]);
  if (velocities) rows += e->size;
  *rank = stc_rational_eliminate(&E, rows, e->size, NULL, 0, NULL);
  return STC_OK;
}

/// The inner point over its factor.
static stc_error read_point(const conditions *a, const stc_lp *lp, stc_rationals *r) {
  STC_TRY(stc_rationals_create(r, (size_t)a->exact->size));
  for (int k = 0; k < a->exact->size; k++)
    stc_q_div(r->at[k], lp->point.at[k], lp->point.at[a->exact->size + a->inequalities]);
  return STC_OK;
}

/// *measured stays false without a point, in late answers, and beyond the rounding of W.
static stc_error measure_program(const conditions *a, stc_lp *lp, stc_set *of, bool *measured) {
  int equations = 0, with_velocities = 0;
  if (solve_sets(a, lp, INNER_POINT) != STC_LP_OPTIMAL) return STC_OK;
  STC_TRY(read_point(a, lp, &of->r));
  if (stc_exact_beyond(a->exact, &of->r, 1)) return STC_OK;
  STC_TRY(stc_exact_velocity(a->exact, &of->r, &of->u));
  STC_TRY(rank_of(a, lp, false, &equations));
  STC_TRY(rank_of(a, lp, true, &with_velocities));
  if (equations < 0 || with_velocities < 0) return STC_OK;
  of->dimension = a->exact->size - equations;
  of->velocity_dimension = with_velocities - equations;
  // Bounded: no direction of the recession cone has r_N > 0.
  *measured = solve_sets(a, lp, RECESSION) == STC_LP_OPTIMAL;
  of->bounded = *measured && stc_q_sgn(lp->best.at[0]) == 0;
  return STC_OK;
}

static stc_error measure_sets(stc_sets *s, stc_piece *piece, bool *measured) {
  STC_RELEASED_BY(stc_lp_free) stc_lp *lp = NULL;
  STC_RELEASED_BY(free_conditions) conditions a = {0};
  *measured = false;
  STC_TRY(gather_conditions(s->exact, (const stc_mode *const[2]){piece->mode}, &a));
  STC_TRY(make_program(&a, &lp));
  return measure_program(&a, lp, &piece->of, measured);
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
  memcpy(p->mode, mode, (size_t)s->exact->contacts * sizeof *p->mode);
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
static stc_error meet_sets(stc_sets *s, int i, int j, bool *meet) {
  const stc_set *x = &s->piece[i].of, *y = &s->piece[j].of;
  STC_RELEASED_BY(stc_lp_free) stc_lp *lp = NULL;
  STC_RELEASED_BY(free_conditions) conditions a = {0};
  *meet = false;
  if (!x->velocity_dimension && !y->velocity_dimension && !stc_rationals_equal(&x->u, &y->u))
    return STC_OK;
  STC_TRY(gather_conditions(s->exact,
                            (const stc_mode *const[2]){s->piece[i].mode, s->piece[j].mode}, &a));
  STC_TRY(make_program(&a, &lp));
  *meet = solve_sets(&a, lp, ANY_POINT) == STC_LP_OPTIMAL;
  return STC_OK;
}

/// *whole is false if the deadline passed before all pairs were looked at.
static stc_error join_pieces(stc_sets *s, bool *whole) {
  for (int a = 0; a < s->pieces; a++)
    for (int b = 0; b < a; b++) {
      int i = root_of(s, a), j = root_of(s, b);
      bool meet = false;
      if (i != j) STC_TRY(meet_sets(s, a, b, &meet));
      if (meet) s->piece[i > j ? i : j].joined = i > j ? j : i;
      *whole = !stc_stop_look();
      if (!*whole) return STC_OK;
    }
  return STC_OK;
}

stc_error stc_sets_merge(stc_sets *s, bool *whole) {
  *whole = true;
  STC_TRY(join_pieces(s, whole));
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
