// The set of contacts as a discrete Coulomb problem in the local form, given to the solvers for it.
//   u = W r + (q - W r0)
#include "../../base/fail.h"
#include "contact_method.h"

#include <stiction/solve.h>

#include <string.h>

// Far below what statuses need to be told apart; the active set finishes the digits.
#define COULOMB_TOL 1e-11

// Row of component a of contact k in the set; -1 where that component cannot move.
static int row_of(const stc_condensed *set, int dim, int k, int a) {
  for (int i = set->offset[k]; i < set->offset[k + 1]; i++)
    if (set->row[i] % dim == a) return i;
  return -1;
}

typedef struct local {
  int size;
  int *row;  // [size] row of the set, -1: none
  double *W, *q, *r, *mu;
  int *p, *i;
} local;

// W with 1 on the diagonal of components that cannot move: they carry nothing.
static void fill_column(const stc_condensed *set, local *l, int j, double scale) {
  for (int i = 0; i < l->size; i++) {
    bool there = l->row[i] >= 0 && l->row[j] >= 0;
    double w = there ? set->W[l->row[i] + (ptrdiff_t)l->row[j] * set->ld] : 0;
    l->W[i + (ptrdiff_t)j * l->size] = i == j && !there ? scale : w;
    l->i[i + (ptrdiff_t)j * l->size] = i;
  }
  l->p[j + 1] = (j + 1) * l->size;
}

static stc_error fill_condition(stc_arena *arena, const stc_condensed *set, int dim,
                                const double *rw, local *l) {
  size_t n = (size_t)(l->size = dim * set->contacts);
  l->row = STC_TAKE(arena, int, n);
  l->q = STC_TAKE(arena, double, n);
  l->r = STC_TAKE(arena, double, n);
  l->mu = STC_TAKE(arena, double, set->contacts);
  l->p = STC_TAKE(arena, int, n + 1);
  l->W = STC_TAKE_RAW(arena, double, n *n);
  l->i = STC_TAKE_RAW(arena, int, n *n);
  double *zero = STC_TAKE(arena, double, n), *v = STC_TAKE(arena, double, n);
  STC_TRY(stc_arena_check(arena));
  stc_condensed_apply(set, zero, v);
  double scale = set->contacts ? set->W[0] : 1;
  for (int k = 0; k < set->contacts; k++) {
    bool free_to_slip = row_of(set, dim, k, 1) >= 0 || (dim > 2 && row_of(set, dim, k, 2) >= 0);
    l->mu[k] = free_to_slip ? set->mu[set->candidate[k]] : 0;
    for (int a = 0; a < dim; a++) {
      int i = k * dim + a, row = l->row[i] = row_of(set, dim, k, a);
      l->q[i] = row < 0 ? 0 : v[row];
      l->r[i] = row < 0 ? 0 : rw[row];
    }
  }
  for (int j = 0; j < l->size; j++) fill_column(set, l, j, scale);
  return STC_OK;
}

static stc_error make_problem(stc_arena *arena, const stc_condensed *set, int dim, const double *rw,
                              local *l, stc_problem **problem) {
  STC_TRY(fill_condition(arena, set, dim, rw, l));
  stc_matrix W = {.rows = l->size,
                  .cols = l->size,
                  .entries = l->p[l->size],
                  .storage = STC_STORAGE_CSC,
                  .p = l->p,
                  .i = l->i,
                  .x = l->W};
  return stc_problem_create_local(
      &(stc_local_data){.dim = dim, .contacts = set->contacts, .W = W, .q = l->q, .mu = l->mu},
      problem);
}

stc_error stc_condensed_coulomb(const stc_condensed *set, int dim, double *rw, bool *solved) {
  stc_arena arena = {0};
  local l = {0};
  stc_problem *problem = NULL;
  stc_solver *solver = NULL;
  stc_settings settings = stc_default_settings();
  stc_info info = {0};
  settings.tol = COULOMB_TOL;
  settings.time_limit = 60;
  *solved = false;
  stc_error error = make_problem(&arena, set, dim, rw, &l, &problem);
  if (!error) error = stc_solver_setup(&solver, problem, &settings);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = l.r}, &info);
  if (!error) {
    *solved = info.residual.eta <= 1e3 * COULOMB_TOL;
    for (int i = 0; *solved && i < l.size; i++)
      if (l.row[i] >= 0) rw[l.row[i]] = l.r[i];
  }
  stc_solver_free(&solver);
  stc_problem_free(&problem);
  stc_arena_free(&arena);
  return error;
}

stc_error stc_condensed_eta(const stc_condensed *set, int dim, const double *rw, double *eta) {
  stc_arena arena = {0};
  local l = {0};
  stc_problem *problem = NULL;
  stc_residual residual = {0};
  *eta = 0;
  if (!set->contacts) return STC_OK;
  stc_error error = make_problem(&arena, set, dim, rw, &l, &problem);
  if (!error) error = stc_problem_residual(problem, &(stc_solution){.r = l.r}, &residual);
  if (!error) *eta = residual.eta;
  stc_problem_free(&problem);
  stc_arena_free(&arena);
  return error;
}
