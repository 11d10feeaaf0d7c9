// The reduced problem u = W r + q over contacts, in units where the largest |q| and the largest
// kappa lie in [1, 2): set up from any form, scaled, changed.
#include "reduced_parts.h"

#include "../../base/stop.h"

#include <math.h>
#include <string.h>

// Bytes by which the arrays of a small problem are rounded up, and a short pattern of W.
enum { BLOCK_SLACK = 2048 };
// --- Units ---

static double largest(const double *x, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static void scale(double *x, size_t count, double factor) {
  for (size_t i = 0; i < count; i++) x[i] *= factor;
}

/// From 1/kg to the unit 2^k of kappa: everything that comes from W. The unit stays the same for
/// the life of the reduced problem.
static void scale_matrices(stc_reduced *p, double unit) {
  size_t area = (size_t)(p->dim * p->dim), contacts = (size_t)p->contacts;
  scale(p->kappa, contacts, 1 / unit);
  scale(p->diagonal, contacts * area, 1 / unit);
  scale(p->W.val, (size_t)p->W.ptr[p->contacts] * area, 1 / unit);
}

void stc_reduced_scale_velocities(stc_reduced *p, double kappa_unit) {
  p->scale_u = stc_unit_of(largest(p->q, p->size));
  p->scale_r = p->scale_u / kappa_unit;
  scale(p->q, (size_t)p->size, 1 / p->scale_u);
  if (p->bodies.count > 0) scale(p->bodies.free, (size_t)p->bodies.dofs, 1 / p->scale_u);
}

// --- W_ii, kappa ---

static bool all_zero(const double *x, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (x[i] != 0) return false;
  return true;
}

/// W_cc, kappa and immovable from W: row c of it vanishes.
static void fill_diagonal(stc_reduced *p) {
  int dim = p->dim;
  size_t area = (size_t)(dim * dim);
  for (int c = 0; c < p->contacts; c++) {
    double *block = p->diagonal + (size_t)c * area, trace = 0;
    size_t first = (size_t)p->W.ptr[c], last = (size_t)p->W.ptr[c + 1];
    memcpy(block, p->W.val + (size_t)p->W.diag[c] * area, area * sizeof *block);
    for (int k = 0; k < dim; k++) trace += block[k * dim + k];
    p->kappa[c] = trace / dim;
    p->immovable[c] = all_zero(p->W.val + first * area, (last - first) * area);
  }
  stc_fill_kappa(p->contacts, p->kappa);
}

// --- Setting up ---

/// q = w + H v_f in physical units; the inverses of the bodies are in units of 1/kg.
static void settle_bodies(stc_reduced *p) {
  const struct stc_elimination *e = p->elimination;
  stc_bodies_settle(&p->bodies, e->f, p->bodies.free);
  scale(p->bodies.free, (size_t)p->bodies.dofs, p->bodies.unit);
  if (p->size) memcpy(p->q, e->w, (size_t)p->size * sizeof *p->q);
  stc_bodies_add_velocity(p, p->bodies.free, p->q);
}

/// The bodies of the problem as they are; the free velocity is the reduced problem's own.
static stc_error share_bodies(stc_reduced *p) {
  p->bodies = p->problem->bodies;
  p->bodies.free = STC_TAKE_RAW(&p->arena, double, p->bodies.dofs);
  STC_TRY(stc_arena_check(&p->arena));
  p->kappa = p->bodies.kappa;
  p->diagonal = p->bodies.diagonal;
  p->immovable = p->bodies.immovable;
  p->blocks = p->bodies.blocks;
  settle_bodies(p);
  stc_reduced_scale_velocities(p, p->bodies.unit);
  return STC_OK;
}

/// W, joints eliminated.
static stc_error make_matrix(stc_reduced *p) {
  size_t area = (size_t)(p->dim * p->dim), contacts = (size_t)p->contacts;
  p->kappa = STC_TAKE_RAW(&p->arena, double, contacts);
  p->diagonal = stc_bsr_take_values(&p->arena, contacts * area, false);
  p->immovable = STC_TAKE_RAW(&p->arena, bool, contacts);
  STC_TRY(stc_arena_check(&p->arena));
  STC_TRY(stc_elimination_condense(p));
  STC_TRY(stc_stop_try(0));
  fill_diagonal(p);
  p->blocks = (size_t)p->W.ptr[p->contacts];
  double unit = stc_unit_of(largest(p->kappa, p->contacts));
  scale_matrices(p, unit);
  stc_reduced_scale_velocities(p, unit);
  return STC_OK;
}

static stc_error fill_reduced_create(stc_reduced *p) {
  if (p->any_law) STC_TRY(stc_lengths_create(p));
  const stc_problem *problem = p->problem;
  if (p->contacts) memcpy(p->law, problem->law, (size_t)p->contacts * sizeof *p->law);
  STC_TRY(stc_elimination_start(p));
  bool made_of_bodies = problem->bodies.count > 0 && problem->equalities == 0;
  STC_TRY(made_of_bodies ? share_bodies(p) : make_matrix(p));
  p->scratch = p->bodies.dofs + p->contacts;
  return STC_OK;
}

static stc_error take_reduced_create(const stc_problem *problem, stc_reduced *p) {
  size_t area = (size_t)(problem->dim * problem->dim);
  *p = (stc_reduced){.problem = problem,
                     .any_law = problem->any_law,
                     .dim = problem->dim,
                     .contacts = problem->contacts,
                     .size = problem->size};
  // The numbers of contacts and, in the local form, the pattern of W: a block for all.
  size_t contacts = (size_t)p->contacts, each = sizeof(stc_law) + (3 + area) * sizeof(double);
  stc_arena_expect(&p->arena, contacts * each + (size_t)p->size * sizeof *p->q + BLOCK_SLACK);
  p->law = STC_TAKE_RAW(&p->arena, stc_law, p->contacts);
  p->q = STC_TAKE_RAW(&p->arena, double, p->size);
  return stc_arena_check(&p->arena);
}

stc_error stc_reduced_create(const stc_problem *problem, stc_reduced **reduced) {
  return stc_reduced_create_shared(problem, NULL, reduced);
}

stc_error stc_reduced_create_shared(const stc_problem *problem, stc_team *team,
                                    stc_reduced **reduced) {
  STC_NEW(reduced, "a reduced problem");
  stc_error error = take_reduced_create(problem, *reduced);
  (*reduced)->team = team;
  if (!error) error = fill_reduced_create(*reduced);
  if (error) stc_reduced_free(reduced);
  return error;
}

void stc_reduced_free(stc_reduced **reduced) {
  if (!reduced || !*reduced) return;
  stc_elimination_free((*reduced)->elimination);
  stc_problem_free(&(*reduced)->own);
  stc_arena_free(&(*reduced)->arena);
  stc_release(reduced);
}

// --- New numbers ---

static stc_error check_numbers(const char *name, const double *x, int count) {
  for (int i = 0; x && i < count; i++)
    if (!isfinite(x[i]))
      return stc_fail(STC_ERR_VALUE, "%s[%d] = %g; every entry must be finite", name, i, x[i]);
  return STC_OK;
}

static stc_error check_update(const stc_reduced *p, const stc_update *update) {
  bool global = stc_problem_moves(p->problem);
  if (global && update->q)
    return stc_fail(STC_ERR_ARGUMENT, "q belongs to the local form; this problem takes f and w");
  if (!global && (update->f || update->w))
    return stc_fail(STC_ERR_ARGUMENT, "f and w belong to the global form; this problem takes q");
  STC_TRY(check_numbers("q", update->q, p->size));
  STC_TRY(check_numbers("f", update->f, p->problem->dofs));
  STC_TRY(check_numbers("w", update->w, p->size));
  STC_TRY(check_numbers("mu", update->mu, p->contacts));
  for (int c = 0; update->mu && c < p->contacts; c++)
    if (update->mu[c] < 0)
      return stc_fail(STC_ERR_VALUE, "mu[%d] = %g; give a number >= 0", c, update->mu[c]);
  return STC_OK;
}

static stc_error update_velocities(stc_reduced *p, const stc_update *update) {
  double unit = p->scale_u / p->scale_r;
  struct stc_elimination *e = p->elimination;
  if (p->bodies.count > 0) {
    if (update->f) memcpy(e->f, update->f, (size_t)p->bodies.dofs * sizeof *e->f);
    const double *w = stc_lengths_velocity(p, update->w);
    if (w) memcpy(e->w, w, (size_t)p->size * sizeof *e->w);
    settle_bodies(p);
  } else {
    stc_update measured = *update;
    if (update->q) measured.q = stc_lengths_velocity(p, update->q);
    if (update->w) measured.w = stc_lengths_velocity(p, update->w);
    STC_TRY(stc_elimination_update(p, &measured, p->q));
  }
  stc_reduced_scale_velocities(p, unit);
  return STC_OK;
}

stc_error stc_reduced_update(stc_reduced *reduced, const stc_update *update) {
  STC_TRY(check_update(reduced, update));
  if (update->q || update->f || update->w) STC_TRY(update_velocities(reduced, update));
  for (int c = 0; update->mu && c < reduced->contacts; c++)
    reduced->law[c] = stc_law_with_mu(&reduced->problem->law[c], update->mu[c]);
  return STC_OK;
}

// --- v and l ---

stc_error stc_reduced_recover(const stc_reduced *reduced, const double *r, double *v, double *l) {
  const double *impulse = stc_lengths_impulse(reduced, r);
  if (reduced->bodies.count == 0) return stc_elimination_recover(reduced, impulse, v, l);
  if (v) stc_bodies_recover(reduced, reduced->elimination->f, impulse, v);
  return STC_OK;
}
