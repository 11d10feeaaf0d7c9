// Alternating directions in the metric of kinetic energy with Anderson acceleration on xi. One
// factorisation of W + rho K serves all iterations:
//   z = P_K(xi),  y = xi - z,  s = shift(-rho K y),
//   (W + rho K) r = rho K (z - y) - q - s e_N,   xi <- r + y.
// At a fixed point r = z and u + s e_N = -rho K y.  [Douglas and Rachford 1956; Gabay and Mercier
// 1976.] In steady form s starts at 0 and is renewed only when the convex problem it defines is
// solved well enough: slower near a solution, and steady where s would chase its own transients.
#include "../method.h"
#include "anderson.h"
#include "lag.h"

#include <math.h>
#include <string.h>

typedef struct admm {
  stc_jacobian *jacobian;
  stc_anderson anderson;
  double *weight;  // [size] kappa
  double *xi, *image;
  double *F, *y;
  double *s;    // [contacts] the De Saxcé term where it waits
  bool steady;  // it waits for its convex problem; else s follows at once
  double rho;
  int rung;
  long since;  // iterations since progress was weighed
  double chunk_merit;
} admm;

static void set_numbers(admm *a, const stc_solver *s) {
  const stc_reduced *p = s->problem;
  for (int k = 0; k < p->size; k++) a->weight[k] = p->kappa[k / p->dim];
}

static stc_error setup_admm(stc_solver *s, void **state) {
  const stc_reduced *p = s->problem;
  admm *a = *state = STC_TAKE(s->arena, admm, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_solver_share_jacobian(s, &a->jacobian));
  double **vectors[] = {&a->weight, &a->xi, &a->image, &a->F, &a->y};
  STC_TAKE_VECTORS(s->arena, p->size, vectors);
  a->s = STC_TAKE_RAW(s->arena, double, p->contacts);
  return stc_anderson_create(s->arena, p->size, s->settings.admm.anderson, a->weight, &a->anderson);
}

// W + rho K: A = 0, B = I, prox = rho kappa.
static void factorise(admm *a, const stc_reduced *p) {
  int d = p->dim;
  memset(a->jacobian->A, 0, (size_t)(p->size * d) * sizeof(double));
  memset(a->jacobian->B, 0, (size_t)(p->size * d) * sizeof(double));
  for (int c = 0; c < p->contacts; c++) {
    a->jacobian->prox[c] = a->rho * p->kappa[c];
    for (int k = 0; k < d; k++) a->jacobian->B[(ptrdiff_t)c * d * d + k * (d + 1)] = 1;
  }
  stc_jacobian_factorise(a->jacobian);
}

// xi = r - (u + s e_N) / (rho kappa): the fixed point if r is a solution.
static void enter(admm *a, const stc_solver *s, double rho) {
  const stc_reduced *p = s->problem;
  int d = p->dim;
  a->rho = rho;
  for (int c = 0; c < p->contacts; c++) {
    double shift = a->steady ? a->s[c] : stc_law_shift(&p->law[c], s->u + c * d);
    for (int k = c * d; k < (c + 1) * d; k++)
      a->xi[k] = s->r[k] - (s->u[k] + (k == c * d ? shift : 0)) / (rho * p->kappa[c]);
  }
  factorise(a, p);
  stc_anderson_reset(&a->anderson);
  a->since = 0;
  a->chunk_merit = s->best_merit;
}

static void start_admm(stc_solver *s, void *state) {
  admm *a = state;
  set_numbers(a, s);
  a->rung = 0;
  a->steady = s->settings.admm.steady;
  memset(a->s, 0, (size_t)s->problem->contacts * sizeof *a->s);
  enter(a, s, s->settings.admm.rho);
}

// image = the next xi; z is left in r.
static void step(admm *a, const stc_reduced *p, double *z) {
  int d = p->dim;
  for (int c = 0; c < p->contacts; c++) {
    double weight = a->rho * p->kappa[c], u[STC_MAX_DIM];
    stc_law_project(&p->law[c], a->xi + c * d, z + c * d);
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      a->y[at] = a->xi[at] - z[at];
      u[k] = -weight * a->y[at];
      a->F[at] = p->q[at] - weight * (z[at] - a->y[at]);
    }
    a->F[c * d] += a->steady ? a->s[c] : stc_law_shift(&p->law[c], u);
  }
  stc_jacobian_apply(a->jacobian, a->F, a->image);
  for (int k = 0; k < p->size; k++) a->image[k] += a->y[k];
}

// s = shift(u) once its convex problem is solved well enough; xi moves with it.
static void renew_shift(admm *a, stc_solver *s) {
  const stc_reduced *p = s->problem;
  stc_reduced_velocity(p, s->r, s->work, s->u);
  if (stc_lag_share(p, a->s, s->r, s->u) > s->settings.rule.lag) return;
  for (int c = 0; c < p->contacts; c++) {
    double fresh = stc_law_shift(&p->law[c], s->u + c * p->dim);
    a->xi[c * p->dim] -= (fresh - a->s[c]) / (a->rho * p->kappa[c]);
    a->s[c] = fresh;
  }
  stc_anderson_reset(&a->anderson);
}

// A chunk must gain a factor of ten, a steady one ten times as long of them half of that, or the
// next penalty is tried: packings want the first; tall stacks, long elastic chains, want the last.
static bool next_rung(admm *a, stc_solver *s) {
  if (a->since < s->settings.admm.chunk * (a->steady ? 10 : 1)) return true;
  if (s->best_merit < (a->steady ? 0.5 : 0.1) * a->chunk_merit) {
    a->since = 0;
    a->chunk_merit = s->best_merit;
    return true;
  }
  if (++a->rung > s->settings.admm.ladder) return false;
  memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
  stc_reduced_velocity(s->problem, s->r, s->work, s->u);
  enter(a, s, a->rho / 100);
  return true;
}

static stc_step iterate_admm(stc_solver *s, void *state) {
  admm *a = state;
  s->done = 0;
  if (!next_rung(a, s)) return STC_STEP_STALLED;
  long left = stc_solver_left(s), batch = (s->settings.rule.judge + 1) / 2;
  if (batch > left) batch = left;
  for (; s->done < batch && !stc_solver_due(s); s->done++) {
    step(a, s->problem, s->r);
    stc_anderson_step(&a->anderson, a->xi, a->image);
  }
  for (int c = 0; c < s->problem->contacts; c++)
    stc_law_project(&s->problem->law[c], a->xi + c * s->problem->dim, s->r + c * s->problem->dim);
  a->since += s->done;
  if (a->steady) renew_shift(a, s);
  return STC_STEP_ON;
}

STC_METHOD_IS(admm, .name = "admm",
              .summary = "alternating directions with Anderson acceleration; walls, towers, stacks",
              .setup = setup_admm, .start = start_admm, .iterate = iterate_admm, .any_law = true);
