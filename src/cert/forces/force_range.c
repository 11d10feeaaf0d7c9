// The range of each normal reaction over all reactions with the same velocities: two linear
// programs per contact. The cone of a contact is spanned by the corners of a polygon around it,
//   r' = sum a_k (1, -D p_k),   a >= 0,   H^T r' + G^T l' = H^T r.
#include "force_range.h"

#include "../exact/exact.h"

#include "../../linalg/simplex/simplex.h"
#include "../../problem/reduced.h"

#include <stiction/cert.h>

#include <limits.h>
#include <math.h>
#include <string.h>

enum { CORNERS = 32 };  // of the polygon around K in 3D: it exceeds K by less than 0.5 %

// --- What each contact may do ---

void stc_freedom_project(const stc_freedom *f, int c, const double *x, double *y) {
  int d = f->problem->dim;
  if (f->state[c] == STC_CONTACT_STICK) {
    stc_law_project(&f->problem->law[c], x, y);
  } else if (f->state[c] == STC_CONTACT_SLIP) {
    double ray[3] = {1, 0, 0};
    for (int k = 1; k < d; k++) ray[k] = -f->D[c * d + k] * f->direction[2 * c + k - 1];
    double product = 0, square = 0;
    for (int k = 0; k < d; k++) {
      product += x[k] * ray[k];
      square += ray[k] * ray[k];
    }
    double along = fmax(product / square, 0);
    for (int k = 0; k < d; k++) y[k] = along * ray[k];
  } else {
    memset(y, 0, (size_t)d * sizeof *y);
  }
}

/// A contact without reaction that does not separate may carry one: it sticks or slips.
static void close_contact(stc_freedom *f, int c, const double *u, double still) {
  double slip = 0;
  for (int k = 1; k < f->problem->dim; k++) slip = hypot(slip, u[k]);
  if (f->state[c] == STC_CONTACT_OPEN && u[0] <= still)
    f->state[c] = slip <= still ? STC_CONTACT_STICK : STC_CONTACT_SLIP;
}

static double square(const double *x, const double *y, int d) {
  double sum = 0;
  for (int k = 0; k < d; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}

/// Near rest a velocity just above the tolerance reads as slip, though the reaction may be well
/// inside K. Of the two cones the one counts for which less has to change, in the unit of eta:
///   slip   kappa |r - ray|^2       stick   kappa |r - K|^2 + |u|^2 / kappa
static void settle_slip(stc_freedom *f, const stc_reduced *scaled, int c, const double *r,
                        const double *u) {
  const double none[3] = {0};
  int d = f->problem->dim;
  double kappa = scaled->kappa[c], ray[3], inside[3];
  if (f->state[c] != STC_CONTACT_SLIP) return;
  stc_freedom_project(f, c, r, ray);
  stc_law_project(&f->problem->law[c], r, inside);
  double forces = (square(r, ray, d) - square(r, inside, d)) / scaled->scale_r / scaled->scale_r;
  double motion = square(u, none, d) / scaled->scale_u / scaled->scale_u;
  if (kappa * forces > motion / kappa) f->state[c] = STC_CONTACT_STICK;
}

/// The largest velocity at the reactions r, or without any.
static stc_error largest_velocity(const stc_problem *p, const double *u, double *scratch,
                                  double *largest) {
  double *none = scratch, *idle = scratch + p->size;
  memset(none, 0, (size_t)p->size * sizeof *none);
  STC_TRY(stc_problem_complete(p, &(stc_solution){.r = none, .u = idle}));
  *largest = 0;
  for (int k = 0; k < p->size; k++) *largest = fmax(*largest, fmax(fabs(u[k]), fabs(idle[k])));
  return STC_OK;
}

static stc_error take_force_range(stc_freedom *f) {
  const stc_problem *p = f->problem;
  f->state = STC_TAKE(&f->arena, stc_contact_state, p->contacts);
  f->direction = STC_TAKE(&f->arena, double, 2 * (size_t)p->contacts);
  f->D = STC_TAKE(&f->arena, double, p->size);
  f->r = STC_TAKE(&f->arena, double, p->size);
  f->b = STC_TAKE(&f->arena, double, p->dofs);
  return stc_arena_check(&f->arena);
}

/// The cone of every contact and the reactions r in it, from the velocities u.
static stc_error choose_cones(stc_freedom *f, const stc_reduced *scaled, const double *r,
                              const double *u, double tol, double speed) {
  const stc_problem *p = f->problem;
  for (int k = 0; k < p->size; k++) f->D[k] = stc_exact_D(p, k / p->dim, k % p->dim);
  for (int c = 0; c < p->contacts; c++) {
    const double *r_c = r + c * p->dim, *u_c = u + c * p->dim;
    if (f->state[c] == STC_CONTACT_VIOLATED)
      return stc_fail(STC_ERR_VALUE,
                      "contact %d neither is open nor sticks nor slips to the tolerance %g; solve "
                      "the problem first, or raise the tolerance",
                      c, tol);
    close_contact(f, c, u_c, tol * speed);
    // Direction of D u_T; without friction every contact that is closed counts as sticking.
    int d = f->problem->dim;
    double size = 0, *to = f->direction + 2 * c;
    for (int k = 1; k < d; k++) {
      to[k - 1] = f->D[c * d + k] * u_c[k];
      size = hypot(size, to[k - 1]);
    }
    for (int k = 0; size > 0 && k < d - 1; k++) to[k] /= size;
    if (size == 0 && f->state[c] == STC_CONTACT_SLIP) f->state[c] = STC_CONTACT_STICK;
    settle_slip(f, scaled, c, r_c, u_c);
    stc_freedom_project(f, c, r_c, f->r + c * p->dim);
  }
  return STC_OK;
}

static stc_error prepare_force_range(stc_freedom *f, const stc_problem *judged, const double *r,
                                     double tol) {
  const stc_problem *p = f->problem;
  double *u = STC_TAKE(&f->arena, double, p->size), speed = 0;
  double *own = STC_TAKE(&f->arena, double, 2 * (size_t)p->size);
  stc_reduced *scaled = NULL;
  STC_TRY(take_force_range(f));
  memcpy(own, r, (size_t)p->size * sizeof *r);
  STC_TRY(stc_problem_complete(judged, &(stc_solution){.r = own, .u = u}));
  STC_TRY(stc_problem_classify(judged, r, tol, f->state, NULL));
  STC_TRY(largest_velocity(judged, u, own, &speed));
  STC_TRY(stc_reduced_create(judged, &scaled));
  stc_error error = choose_cones(f, scaled, r, u, tol, speed);
  stc_reduced_free(&scaled);
  if (!error) stc_csr_multiply_transposed(&p->H, f->r, 0, f->b);
  return error;
}

// --- The linear program ---

/// Columns of contacts, then of joints.
typedef struct program {
  const stc_freedom *f;
  stc_simplex *simplex;
  stc_arena arena;
  int *first;               // [contacts + 1] first column of each contact
  int *ptr, *row, entries;  // H^T times the corners, G^T, by columns
  double *val;
  double *dense;  // [dofs] one column
  double unit;    // of the reactions, a power of two
} program;

static int columns_of(const stc_freedom *f, int c) {
  int d = f->problem->dim;
  bool friction = f->D[c * d + 1] > 0 || (d == 3 && f->D[c * d + 2] > 0);
  if (f->state[c] == STC_CONTACT_OPEN) return 0;
  if (f->state[c] == STC_CONTACT_SLIP || !friction) return 1;
  return d == 2 ? 2 : CORNERS;
}

/// p of column k: the slip direction, or a corner of the polygon around the unit disc.
static void corner(const stc_freedom *f, int c, int k, double p[2]) {
  double angle = 2 * acos(-1.0) * (k + 0.5) / CORNERS, radius = 1 / cos(acos(-1.0) / CORNERS);
  if (f->state[c] == STC_CONTACT_SLIP) {
    memcpy(p, f->direction + 2 * c, 2 * sizeof *p);
  } else if (f->problem->dim == 2) {
    p[0] = k == 0 ? 1 : -1;
  } else {
    p[0] = radius * cos(angle);
    p[1] = radius * sin(angle);
  }
}

/// dense += factor times row i of A.
static void add_row(program *g, const stc_csr *A, int i, double factor) {
  for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) g->dense[A->col[k]] += factor * A->val[k];
}

/// Appends the dense column to A and clears it.
static void store(program *g, int column) {
  for (int j = 0; j < g->f->problem->dofs; j++) {
    if (g->dense[j] == 0) continue;
    g->row[g->entries] = j;
    g->val[g->entries++] = g->dense[j];
    g->dense[j] = 0;
  }
  g->ptr[column + 1] = g->entries;
}

static void fill_force_range(program *g) {
  const stc_freedom *f = g->f;
  const stc_problem *p = f->problem;
  for (int c = 0; c < p->contacts; c++)
    for (int k = g->first[c]; k < g->first[c + 1]; k++) {
      double corner_p[2] = {0};
      corner(f, c, k - g->first[c], corner_p);
      add_row(g, &p->H, c * p->dim, 1);
      for (int l = 1; l < p->dim; l++)
        add_row(g, &p->H, c * p->dim + l, -f->D[c * p->dim + l] * corner_p[l - 1]);
      store(g, k);
    }
  for (int e = 0; e < p->equalities; e++) {
    add_row(g, &p->G, e, 1);
    store(g, g->first[p->contacts] + e);
  }
}

/// Entries of all columns at most.
static size_t most_entries(const program *g) {
  const stc_problem *p = g->f->problem;
  size_t most = p->equalities ? (size_t)p->G.ptr[p->equalities] : 0;
  for (int c = 0; c < p->contacts; c++)
    most += (size_t)(g->first[c + 1] - g->first[c]) *
            (size_t)(p->H.ptr[(c + 1) * p->dim] - p->H.ptr[c * p->dim]);
  return most;
}

static void bound_force_range(program *g) {
  const stc_problem *p = g->f->problem;
  for (int j = 0; j < p->dofs; j++) {
    double b = g->f->b[j] / g->unit;
    stc_simplex_set_bounds(g->simplex, j, b, b);
  }
  for (int k = 0; k < g->first[p->contacts]; k++)
    stc_simplex_set_bounds(g->simplex, p->dofs + k, 0, INFINITY);
}

static double choose_force_unit(const stc_freedom *f) {
  double most = 0;
  for (int k = 0; k < f->problem->size; k++) most = fmax(most, fabs(f->r[k]));
  return most > 0 ? exp2(floor(log2(most))) : 1;
}

static stc_error make_program(program *g) {
  const stc_problem *p = g->f->problem;
  stc_arena *arena = &g->arena;
  g->unit = choose_force_unit(g->f);
  g->first = STC_TAKE(arena, int, p->contacts + 1);
  g->dense = STC_TAKE(arena, double, p->dofs);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < p->contacts; c++) g->first[c + 1] = g->first[c] + columns_of(g->f, c);
  int columns = g->first[p->contacts] + p->equalities;
  size_t most = most_entries(g);
  if (most > INT_MAX)
    return stc_fail(STC_ERR_UNSUPPORTED, "ranges of forces need %zu numbers; %d are the most", most,
                    INT_MAX);
  g->ptr = STC_TAKE(arena, int, columns + 1);
  g->row = STC_TAKE(arena, int, most);
  g->val = STC_TAKE(arena, double, most);
  STC_TRY(stc_arena_check(arena));
  fill_force_range(g);
  STC_TRY(stc_simplex_create(p->dofs, columns, &g->simplex));
  bound_force_range(g);
  return stc_simplex_load(g->simplex, &(stc_sparse_columns){p->dofs, g->ptr, g->row, g->val});
}

static void free_program(program *g) {
  stc_simplex_free(&g->simplex);
  stc_arena_free(&g->arena);
}

static const double EXACTNESS = 1e-7;  // relative, of the conditions of an optimum

/// Steps of the simplex method per row and column: few programs need two.
enum { STEPS_PER_LINE = 50 };

/// sign times the least value of the objective, from the basis that is there; NAN: not known.
static stc_error find_optimum(program *g, int sign, double *value) {
  const stc_problem *p = g->f->problem;
  stc_simplex_status status;
  int most = STEPS_PER_LINE * (p->dofs + g->first[p->contacts] + p->equalities);
  *value = NAN;
  STC_TRY(stc_simplex_solve(g->simplex, most, &status));
  if (status == STC_SIMPLEX_UNBOUNDED && sign < 0) *value = INFINITY;
  if (status == STC_SIMPLEX_OPTIMAL && stc_simplex_error(g->simplex) <= EXACTNESS)
    *value = sign * stc_simplex_value(g->simplex);
  return STC_OK;
}

/// The least (sign = 1) or greatest (sign = -1) r_N of contact c; NAN where the simplex method has
/// no answer that holds, not from the basis at hand nor from that of the rows.
static stc_error find_extreme(program *g, int c, int sign, double *value) {
  for (int k = g->first[c]; k < g->first[c + 1]; k++) stc_simplex_set_cost(g->simplex, k, sign);
  stc_error error = find_optimum(g, sign, value);
  if (!error && isnan(*value)) {
    stc_simplex_reset(g->simplex);
    error = find_optimum(g, sign, value);
  }
  for (int k = g->first[c]; k < g->first[c + 1]; k++) stc_simplex_set_cost(g->simplex, k, 0);
  *value *= g->unit;
  return error;
}

/// The least range that holds both, r_N being attained; an unknown bound stays unknown.
static void enclose(double low, double high, double here, double *least, double *most) {
  *least = isnan(low) ? NAN : fmax(fmin(low, here), 0);
  *most = isnan(high) ? NAN : fmax(high, here);
}

static stc_error find_ranges(const stc_freedom *f, const double *r, const stc_force_range *range) {
  STC_RELEASED_BY(free_program) program g = {.f = f};
  STC_TRY(make_program(&g));
  for (int c = 0; c < f->problem->contacts; c++) {
    double low = 0, high = 0;
    if (g.first[c + 1] > g.first[c]) {
      STC_TRY(find_extreme(&g, c, 1, &low));
      STC_TRY(find_extreme(&g, c, -1, &high));
    }
    enclose(low, high, fmax(r[c * f->problem->dim], 0), &range->low[c], &range->high[c]);
  }
  return STC_OK;
}

/// `judged` says what the contacts do, the H and G of `global` which reactions change no velocity.
static stc_error explore(const stc_problem *global, const stc_problem *judged, const double *r,
                         double tol, const stc_force_range *range) {
  stc_freedom f = {.problem = global};
  stc_error error = prepare_force_range(&f, judged, r, tol);
  if (!error) error = find_ranges(&f, r, range);
  if (!error && range->least_norm) error = stc_freedom_least_norm(&f, range->least_norm);
  stc_arena_free(&f.arena);
  return error;
}

stc_error stc_problem_force_range(const stc_problem *problem, const double *r, double tol,
                                  const stc_force_range *range) {
  stc_problem *global = NULL;
  if (problem->any_law || problem->dim > 3)
    return stc_fail(STC_ERR_UNSUPPORTED, "ranges of forces are for coulomb, elliptic and "
                                         "frictionless laws, not for sections, spin or rolling");
  if (problem->form == STC_FORM_BODIES) {
    STC_TRY(stc_problem_to_global(problem, &global));
    stc_error error = explore(global, global, r, tol, range);
    stc_problem_free(&global);
    return error;
  }
  if (problem->form == STC_FORM_GLOBAL) return explore(problem, problem, r, tol, range);
  double most = stc_csr_largest(&problem->W), gap = stc_csr_asymmetry(&problem->W, NULL, NULL);
  if (gap > STC_SYMMETRY_TOLERANCE * most) {
    // An asymmetric W has no H with W = H H^T: W r' = W r is asked for as it stands, H^T being W.
    stc_problem carrier = *problem;
    STC_ARENA arena = {0};
    if (problem->equalities)
      return stc_fail(STC_ERR_UNSUPPORTED, "ranges of forces need a symmetric W where there are "
                                           "joints in the problem form; give the global form");
    carrier.dofs = problem->size;
    STC_TRY(stc_csr_transpose(&arena, &problem->W, &carrier.H));
    return explore(&carrier, problem, r, tol, range);
  }
  STC_TRY(stc_problem_to_global(problem, &global));
  stc_error error = explore(global, global, r, tol, range);
  stc_problem_free(&global);
  return error;
}
