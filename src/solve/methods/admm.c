// Alternating directions in the metric of kinetic energy with Anderson acceleration on xi. One
// factorisation of W + rho K serves all iterations:
//   z = P_K(xi),  y = xi - z,  s = shift(-rho K y),
//   (W + rho K) r = rho K (z - y) - q - s e_N,   xi <- r + y.
// At a fixed point r = z and u + s e_N = -rho K y.  [Douglas and Rachford 1956; Gabay and Mercier
// 1976.] With a lag, s starts at 0 and is renewed only when the convex problem it defines is solved
// well enough: slower near a solution, and steady where s would chase its own transients.
#include "../method.h"
#include "anderson.h"
#include "lag.h"

#include <math.h>
#include <string.h>

// Iterations between two judgements, and those after which progress is weighed, without and with a
// lag.
enum { BATCH = 5, CHUNK = 60, LAGGED_CHUNK = 1000 };
// A chunk must gain this factor, or the next rho of the ladder is tried.
static const double CHUNK_GAIN = 0.1, LAGGED_CHUNK_GAIN = 0.4;
// Packings want the first rho; tall stacks, long elastic chains, want the last.
static const double LADDER[] = {1, 1e-2, 1e-4};
enum { RUNGS = sizeof LADDER / sizeof *LADDER };
// First rho in units of kappa: with many redundant contacts, and without.
static const double RHO_REDUNDANT = 0.03, RHO_PLAIN = 0.1;

typedef struct admm {
  stc_jacobian *jacobian;
  stc_anderson anderson;
  double *weight;  // [size] kappa
  double *xi, *image;
  double *F, *y;
  double *s;   // [contacts] the De Saxcé term of a lag
  double lag;  // share of the exact residual the convex one must reach; 0: s follows at once
  double first_rho, rho;
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
  double chosen = s->settings.admm.rho;
  a->first_rho = chosen > 0 ? chosen : stc_reduced_redundant(p) ? RHO_REDUNDANT : RHO_PLAIN;
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
    double shift = a->lag > 0 ? a->s[c] : stc_law_shift(&p->law[c], s->u + c * d);
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
  a->lag = s->settings.admm.lag;
  memset(a->s, 0, (size_t)s->problem->contacts * sizeof *a->s);
  enter(a, s, a->first_rho);
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
    a->F[c * d] += a->lag > 0 ? a->s[c] : stc_law_shift(&p->law[c], u);
  }
  stc_jacobian_apply(a->jacobian, a->F, a->image);
  for (int k = 0; k < p->size; k++) a->image[k] += a->y[k];
}

// s = shift(u) once its convex problem is solved well enough; xi moves with it.
static void renew_shift(admm *a, stc_solver *s) {
  const stc_reduced *p = s->problem;
  stc_reduced_velocity(p, s->r, s->work, s->u);
  if (stc_lag_share(p, a->s, s->r, s->u) > a->lag) return;
  for (int c = 0; c < p->contacts; c++) {
    double fresh = stc_law_shift(&p->law[c], s->u + c * p->dim);
    a->xi[c * p->dim] -= (fresh - a->s[c]) / (a->rho * p->kappa[c]);
    a->s[c] = fresh;
  }
  stc_anderson_reset(&a->anderson);
}

static bool next_rung(admm *a, stc_solver *s) {
  if (a->since < (a->lag > 0 ? LAGGED_CHUNK : CHUNK)) return true;
  if (s->best_merit < (a->lag > 0 ? LAGGED_CHUNK_GAIN : CHUNK_GAIN) * a->chunk_merit) {
    a->since = 0;
    a->chunk_merit = s->best_merit;
    return true;
  }
  if (++a->rung > s->settings.admm.ladder || a->rung >= RUNGS) return false;
  memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
  stc_reduced_velocity(s->problem, s->r, s->work, s->u);
  enter(a, s, a->first_rho * LADDER[a->rung]);
  return true;
}

static stc_step iterate_admm(stc_solver *s, void *state) {
  admm *a = state;
  s->done = 0;
  if (!next_rung(a, s)) return STC_STEP_STALLED;
  long batch = BATCH < stc_solver_left(s) ? BATCH : stc_solver_left(s);
  for (; s->done < batch && !stc_solver_due(s); s->done++) {
    step(a, s->problem, s->r);
    stc_anderson_step(&a->anderson, a->xi, a->image);
  }
  for (int c = 0; c < s->problem->contacts; c++)
    stc_law_project(&s->problem->law[c], a->xi + c * s->problem->dim, s->r + c * s->problem->dim);
  a->since += s->done;
  if (a->lag > 0) renew_shift(a, s);
  return STC_STEP_ON;
}

const stc_method stc_method_admm = {
    .name = "admm",
    .summary = "alternating directions with Anderson acceleration; walls, towers, stacks",
    .setup = setup_admm,
    .start = start_admm,
    .iterate = iterate_admm,
    .any_law = true,
};
