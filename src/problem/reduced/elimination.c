// M and the joints eliminated by factors, for problems that are not made of free bodies:
//   global   v = M^-1 (H^T r + G^T l - f),  R l = -(G M^-1 (H^T r - f) + b),  R = G M^-1 G^T
//   local    R l = -(V^T r + s)
#include "reduced_parts.h"

#include <math.h>
#include <string.h>

static void copy_numbers(double *to, const double *from, int count) {
  if (count > 0 && from) memcpy(to, from, (size_t)count * sizeof *to);
}

static double *take_copy(stc_arena *arena, const double *from, int count) {
  double *to = STC_TAKE(arena, double, count);
  if (to) copy_numbers(to, from, count);
  return to;
}

/// Largest |x_i| / sqrt(A_ii) for a compliance A: the square root of an energy, which data of any
/// units share.
static double energy(const stc_csr *A, const double *x) {
  double most = 0;
  for (int i = 0; i < A->rows; i++) {
    double root = sqrt(fmax(0, stc_csr_entry(A, i, i)));
    if (root > 0) most = fmax(most, fabs(x[i]) / root);
  }
  return most;
}

/// Largest |v_i| sqrt(M_ii).
static double kinetic(const struct stc_elimination *e, const double *v, int dofs) {
  double most = 0;
  for (int i = 0; i < dofs; i++) most = fmax(most, fabs(v[i]) * e->root[i]);
  return most;
}

/// v = M^-1 x.
static stc_error divide_by_mass(const stc_problem *p, const struct stc_elimination *e,
                                const double *x, double *v) {
  const stc_bodies *b = &p->bodies;
  if (e->M) return stc_condense_solve(e->M, x, v);
  for (int k = 0; k < b->count; k++) {
    int n = stc_body_size(b, k);
    const int *dof = b->dof + b->ptr[k];
    const double *inverse = b->inverse + b->inv_ptr[k];
    for (int i = 0; i < n; i++) v[dof[i]] = 0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) v[dof[i]] += b->unit * inverse[j * n + i] * x[dof[j]];
  }
  return STC_OK;
}

// A velocity whose energy is below this part of what the bodies of its joints had before these
// held them is what rounding leaves of an exact zero: contacts there carry nothing, and to measure
// them by it would compare rounding with rounding.
static const double CANCELLED = 1e-13;

/// The joints hold e->trial, with e->l in e->impulse already.
static stc_error hold(const stc_problem *p, struct stc_elimination *e) {
  const stc_csr *G = &p->G;
  memset(e->before, 0, (size_t)p->dofs * sizeof *e->before);
  for (int k = 0; k < G->rows; k++) {
    double most = 0;
    for (int n = G->ptr[k]; n < G->ptr[k + 1]; n++)
      most = fmax(most, e->root[G->col[n]] * fabs(e->trial[G->col[n]]));
    for (int n = G->ptr[k]; n < G->ptr[k + 1]; n++)
      e->before[G->col[n]] = fmax(e->before[G->col[n]], most);
  }
  STC_TRY(divide_by_mass(p, e, e->impulse, e->trial));
  for (int i = 0; i < p->dofs; i++)
    if (e->root[i] * fabs(e->trial[i]) <= CANCELLED * e->before[i]) e->trial[i] = 0;
  return STC_OK;
}

// --- q ---

/// e->trial = v for r = 0 under the load f, joints held.
static stc_error free_motion(const stc_problem *p, struct stc_elimination *e, const double *f) {
  for (int i = 0; i < p->dofs; i++) e->impulse[i] = -f[i];
  STC_TRY(divide_by_mass(p, e, e->impulse, e->trial));
  if (e->joints.count == 0) return STC_OK;
  memcpy(e->drift, e->b, (size_t)p->equalities * sizeof *e->drift);
  stc_csr_multiply(&p->G, e->trial, 1, e->drift);
  STC_TRY(stc_joints_settle(&e->joints, e->drift, kinetic(e, e->trial, p->dofs), e->l));
  stc_csr_multiply_transposed(&p->G, e->l, 1, e->impulse);
  return hold(p, e);
}

static stc_error update_global(const stc_problem *p, struct stc_elimination *e,
                               const stc_update *update, double *q) {
  if (update->f) {
    STC_TRY(free_motion(p, e, update->f));
    copy_numbers(e->free, e->trial, p->dofs);
    copy_numbers(e->f, update->f, p->dofs);
  }
  copy_numbers(e->w, update->w, p->size);
  memcpy(q, e->w, (size_t)p->size * sizeof *q);
  stc_problem_add_velocity(p, e->free, q);
  return STC_OK;
}

stc_error stc_elimination_update(stc_reduced *reduced, const stc_update *update, double *q) {
  const stc_problem *p = reduced->problem;
  struct stc_elimination *e = reduced->elimination;
  if (stc_problem_moves(p)) return update_global(p, e, update, q);
  for (int i = 0; i < p->size; i++) q[i] = update->q[i] + (e ? e->lift[i] : 0);
  return STC_OK;
}

// --- Setting up ---

/// W into reduced, joints eliminated.
static stc_error take_matrix(stc_reduced *reduced, const stc_condensation *local) {
  if (reduced->problem->equalities == 0)
    return stc_bsr_from_csr(&reduced->arena, &local->W, reduced->dim, &reduced->W);
  struct stc_elimination *e = reduced->elimination;
  STC_TRY(stc_joints_create(&reduced->arena, &local->V, &local->R, &e->joints));
  stc_arena scratch = {0};
  stc_bsr W;
  stc_error error = stc_bsr_from_csr(&scratch, &local->W, reduced->dim, &W);
  if (!error) error = stc_joints_eliminate(&e->joints, &W, &reduced->arena, &reduced->W);
  stc_arena_free(&scratch);
  return error;
}

stc_error stc_elimination_start(stc_reduced *reduced) {
  const stc_problem *p = reduced->problem;
  stc_arena *arena = &reduced->arena;
  bool moves = stc_problem_moves(p);
  if (!moves && p->equalities == 0) return STC_OK;
  struct stc_elimination *e = STC_TAKE(arena, struct stc_elimination, 1);
  STC_TRY(stc_arena_check(arena));
  reduced->elimination = e;
  e->b = take_copy(arena, moves ? p->b : p->s, p->equalities);
  e->drift = STC_TAKE(arena, double, p->equalities);
  e->l = STC_TAKE(arena, double, p->equalities);
  if (moves) {
    e->f = take_copy(arena, p->f, p->dofs);
    e->w = take_copy(arena, p->w, p->size);
  }
  STC_TRY(stc_arena_check(arena));
  return moves && p->bodies.count == 0 ? stc_blocks_create(&p->M, &e->M) : STC_OK;
}

/// Of joints on bodies: W comes from their blocks.
static stc_error condense_bodies(stc_reduced *reduced, stc_arena *scratch) {
  struct stc_elimination *e = reduced->elimination;
  stc_csr V, R;
  stc_reduced whole = {0};
  STC_TRY(stc_joints_condense(scratch, reduced->problem, &V, &R));
  STC_TRY(stc_joints_create(&reduced->arena, &V, &R, &e->joints));
  stc_error error = stc_bodies_matrix(reduced->problem, &whole);
  if (!error) error = stc_joints_eliminate(&e->joints, &whole.W, &reduced->arena, &reduced->W);
  stc_arena_free(&whole.arena);
  return error;
}

static stc_error condense_rows(stc_reduced *reduced, stc_arena *scratch) {
  stc_condensation local;
  STC_TRY(stc_problem_condense(scratch, reduced->problem, reduced->elimination->M, &local));
  return take_matrix(reduced, &local);
}

static stc_error condense_global(stc_reduced *reduced) {
  const stc_problem *p = reduced->problem;
  struct stc_elimination *e = reduced->elimination;
  double **const all[] = {&e->free, &e->impulse, &e->trial, &e->root, &e->before};
  STC_TAKE_ZEROS(&reduced->arena, p->dofs, all);
  STC_TRY(stc_arena_check(&reduced->arena));
  // root = sqrt(M_ii).
  double *root = e->root;
  const stc_bodies *b = &p->bodies;
  for (int i = 0; b->count == 0 && i < p->dofs; i++)
    root[i] = sqrt(fmax(0, stc_csr_entry(&p->M, i, i)));
  for (int k = 0; k < b->count; k++) {
    int n = stc_body_size(b, k);
    for (int i = 0; i < n; i++)
      root[b->dof[b->ptr[k] + i]] = sqrt(b->M[b->inv_ptr[k] + (size_t)(i * (n + 1))] / b->unit);
  }
  stc_arena scratch = {0};
  stc_error error = e->M ? condense_rows(reduced, &scratch) : condense_bodies(reduced, &scratch);
  stc_arena_free(&scratch);
  if (error) return error;
  return stc_elimination_update(reduced, &(stc_update){.f = p->f, .w = p->w}, reduced->q);
}

static stc_error condense_local(stc_reduced *reduced) {
  const stc_problem *p = reduced->problem;
  STC_TRY(take_matrix(reduced, &(stc_condensation){p->W, p->V, p->R}));
  if (p->equalities > 0) {
    struct stc_elimination *e = reduced->elimination;
    e->lift = STC_TAKE(&reduced->arena, double, p->size);
    STC_TRY(stc_arena_check(&reduced->arena));
    STC_TRY(stc_joints_settle(&e->joints, p->s, energy(&p->W, p->q), e->l));
    stc_csr_multiply(&p->V, e->l, 0, e->lift);
  }
  return stc_elimination_update(reduced, &(stc_update){.q = p->q}, reduced->q);
}

stc_error stc_elimination_condense(stc_reduced *reduced) {
  bool local = reduced->problem->form == STC_FORM_LOCAL;
  STC_TRY(local ? condense_local(reduced) : condense_global(reduced));
  reduced->has_W = true;
  return STC_OK;
}

void stc_elimination_free(struct stc_elimination *elimination) {
  if (!elimination) return;
  stc_blocks_free(&elimination->M);
  stc_joints_free(&elimination->joints);
}

// --- v and l ---

static stc_error recover_global(const stc_problem *p, struct stc_elimination *e, const double *r,
                                double *v, double *l) {
  for (int i = 0; i < p->dofs; i++) e->impulse[i] = -e->f[i];
  stc_problem_add_impulse(p, r, e->impulse);
  STC_TRY(divide_by_mass(p, e, e->impulse, e->trial));
  if (e->joints.count > 0) {
    memcpy(e->drift, e->b, (size_t)p->equalities * sizeof *e->drift);
    stc_csr_multiply(&p->G, e->trial, 1, e->drift);
    STC_TRY(stc_joints_solve(&e->joints, e->drift, e->l));
    stc_csr_multiply_transposed(&p->G, e->l, 1, e->impulse);
    STC_TRY(hold(p, e));
  }
  if (v) copy_numbers(v, e->trial, p->dofs);
  if (l) copy_numbers(l, e->l, p->equalities);
  return STC_OK;
}

stc_error stc_elimination_recover(const stc_reduced *reduced, const double *r, double *v,
                                  double *l) {
  const stc_problem *p = reduced->problem;
  struct stc_elimination *e = reduced->elimination;
  if (stc_problem_moves(p)) return recover_global(p, e, r, v, l);
  if (!l || p->equalities == 0) return STC_OK;
  memcpy(e->drift, e->b, (size_t)p->equalities * sizeof *e->drift);
  stc_csr_multiply_transposed(&p->V, r, 1, e->drift);
  return stc_joints_solve(&e->joints, e->drift, l);
}
