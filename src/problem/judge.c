// The judge: what a reaction r implies for a problem, recomputed from the problem's own matrices,
//   v = M^-1 (H^T r + G^T l - f),  u = H v + w;   local   u = W r + V l + q
// and how far (u, r) is from obeying the laws.
#include "reduced/reduced_parts.h"

#include <math.h>
#include <string.h>

/// A problem with what r implies, in physical units.
typedef struct judgement {
  stc_arena arena;
  const stc_problem *problem;
  stc_reduced *reduced;
  bool finite;              ///< r is; if not, u, v, l are 0
  double *u, *v, *l;        ///< [size], [dofs], [equalities]
  double *scaled_r;         ///< [size] r in the units of the reduced problem
  double *scaled_u;         ///< [size] u in the units of the reduced problem
  double *term;             ///< [contacts] work space
  double *dynamics[4];      ///< [dofs] M v, f, H^T r, G^T l
  double *equality, *size;  ///< [equalities] residual of the joints, and the size of its parts
} judgement;

// --- What r implies ---

static bool all_finite(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static void relative_velocity(const stc_problem *p, const double *r, const double *v,
                              const double *l, double *u) {
  bool moves = stc_problem_moves(p);
  memcpy(u, moves ? p->w : p->q, (size_t)p->size * sizeof *u);
  if (moves) {
    stc_problem_add_velocity(p, v, u);
  } else {
    stc_csr_multiply(&p->W, r, 1, u);
    if (p->equalities > 0) stc_csr_multiply(&p->V, l, 1, u);
  }
}

static stc_error take_judge(judgement *h) {
  const stc_problem *p = h->problem;
  double **const contact[] = {&h->u, &h->scaled_r, &h->scaled_u};
  double **const motion[] = {&h->v, &h->dynamics[0], &h->dynamics[1], &h->dynamics[2],
                             &h->dynamics[3]};
  double **const joint[] = {&h->l, &h->equality, &h->size};
  STC_TAKE_ZEROS(&h->arena, p->size, contact);
  STC_TAKE_ZEROS(&h->arena, p->dofs, motion);
  STC_TAKE_ZEROS(&h->arena, p->equalities, joint);
  h->term = STC_TAKE(&h->arena, double, p->contacts);
  return stc_arena_check(&h->arena);
}

static stc_error fill_judge(judgement *h, const double *r) {
  const stc_problem *p = h->problem;
  STC_TRY(take_judge(h));
  STC_TRY(stc_reduced_create(p, &h->reduced));
  h->finite = all_finite(r, p->size);
  if (h->finite) {
    STC_TRY(stc_reduced_recover(h->reduced, r, h->v, h->l));
    relative_velocity(p, r, h->v, h->l, h->u);
  }
  stc_reduced_scale_r(h->reduced, r, h->scaled_r);
  stc_reduced_scale_u(h->reduced, h->u, h->scaled_u);
  return STC_OK;
}

static void close_judgement(judgement *h) {
  stc_reduced_free(&h->reduced);
  stc_arena_free(&h->arena);
}

static stc_error open_judgement(const stc_problem *problem, const double *r, judgement *h) {
  *h = (judgement){.problem = problem};
  if (!problem || !r)
    return stc_fail(STC_ERR_ARGUMENT, "the judge needs a problem and the reactions r");
  stc_error error = fill_judge(h, r);
  if (error) close_judgement(h);
  return error;
}

// --- Dynamics, joints, kinematics ---

static double norm(const double *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/// part / whole; 0 where both vanish, infinite where a number is not finite.
static double share(double part, double whole) {
  if (!isfinite(part) || !isfinite(whole)) return INFINITY;
  return whole > 0 ? part / whole : 0;
}

/// |M v + f - H^T r - G^T l| / (|M v| + |f| + |H^T r| + |G^T l|).
static double dynamics(const judgement *h, const double *r, const double *v, const double *l) {
  const stc_problem *p = h->problem;
  double *Mv = h->dynamics[0], *f = h->dynamics[1], *Hr = h->dynamics[2], *Gl = h->dynamics[3];
  stc_problem_momentum(p, v, Mv);
  memcpy(f, p->f, (size_t)p->dofs * sizeof *f);
  stc_problem_add_impulse(p, r, Hr);
  if (p->equalities > 0) stc_csr_multiply_transposed(&p->G, l, 0, Gl);
  double whole = norm(Mv, p->dofs) + norm(f, p->dofs) + norm(Hr, p->dofs) + norm(Gl, p->dofs);
  for (int i = 0; i < p->dofs; i++) Mv[i] += f[i] - Hr[i] - Gl[i];
  return share(norm(Mv, p->dofs), whole);
}

/// sum += A x and size += |A| |x|, or A^T for A.
static void add_product_judge(const stc_csr *A, bool transposed, const double *x, double *sum,
                              double *size) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      int to = transposed ? A->col[k] : i, from = transposed ? i : A->col[k];
      sum[to] += A->val[k] * x[from];
      size[to] += fabs(A->val[k] * x[from]);
    }
}

/// |G v + b| over the sizes of its parts, or |V^T r + R l + s| in the local form.
static double equality(const judgement *h, const double *r, const double *v, const double *l) {
  const stc_problem *p = h->problem;
  bool moves = stc_problem_moves(p);
  for (int k = 0; k < p->equalities; k++) {
    h->equality[k] = moves ? p->b[k] : p->s[k];
    h->size[k] = fabs(h->equality[k]);
  }
  if (moves) {
    add_product_judge(&p->G, false, v, h->equality, h->size);
  } else {
    add_product_judge(&p->V, true, r, h->equality, h->size);
    add_product_judge(&p->R, false, l, h->equality, h->size);
  }
  return share(norm(h->equality, p->equalities), norm(h->size, p->equalities));
}

static double kinematics(judgement *h, const double *u) {
  double *given = h->scaled_r;  // r is judged already
  if (!h->finite) return INFINITY;
  stc_reduced_scale_u(h->reduced, u, given);
  return stc_reduced_distance(h->reduced, h->scaled_u, given);
}

// --- Public ---

stc_error stc_problem_residual(const stc_problem *problem, const stc_solution *solution,
                               stc_residual *residual) {
  if (!solution || !residual)
    return stc_fail(STC_ERR_ARGUMENT, "the judge needs a solution and a place for its residual");
  judgement h;
  STC_TRY(open_judgement(problem, solution->r, &h));
  const stc_problem *p = h.problem;
  const double *v = solution->v ? solution->v : h.v, *l = solution->l ? solution->l : h.l;
  stc_reduced_measure(h.reduced, h.scaled_r, h.scaled_u, h.term, residual);
  if (stc_problem_moves(p)) residual->dynamics = dynamics(&h, solution->r, v, l);
  if (p->equalities > 0) residual->equality = h.finite ? equality(&h, solution->r, v, l) : INFINITY;
  if (solution->u) residual->kinematics = kinematics(&h, solution->u);
  close_judgement(&h);
  return STC_OK;
}

static stc_error refuse_r(const stc_problem *problem, const double *r) {
  int i = 0;
  while (i < problem->size - 1 && isfinite(r[i])) i++;
  return stc_fail(STC_ERR_VALUE, "r[%d] = %g (contact %d); reactions must be finite", i, r[i],
                  i / problem->dim);
}

static void copy(double *to, const double *from, int count) {
  if (to && count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

stc_error stc_problem_complete(const stc_problem *problem, const stc_solution *solution) {
  if (!solution) return stc_fail(STC_ERR_ARGUMENT, "there is no solution to complete");
  judgement h;
  STC_TRY(open_judgement(problem, solution->r, &h));
  stc_error error = h.finite ? STC_OK : refuse_r(problem, solution->r);
  if (!error) {
    copy(solution->u, h.u, problem->size);
    copy(solution->v, h.v, problem->dofs);
    copy(solution->l, h.l, problem->equalities);
  }
  close_judgement(&h);
  return error;
}

stc_error stc_problem_classify(const stc_problem *problem, const double *r, double tol,
                               stc_contact_state *state, double *term) {
  if (!(tol >= 0) || !isfinite(tol))
    return stc_fail(STC_ERR_ARGUMENT, "tol = %g; give a finite number >= 0", tol);
  judgement h;
  STC_TRY(open_judgement(problem, r, &h));
  if (state) stc_reduced_classify(h.reduced, h.scaled_r, h.scaled_u, tol, h.term, state);
  if (term) stc_reduced_terms(h.reduced, h.scaled_r, h.scaled_u, term);
  close_judgement(&h);
  return STC_OK;
}
