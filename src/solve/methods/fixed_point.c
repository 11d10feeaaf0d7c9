// Cadoux's fixed point   [Acary, Cadoux, Lemaréchal and Malick 2011]: with s frozen the problem
//   min over r in K of  1/2 r.W r + (q + s e_N).r                                          (D_s)
// is convex; s <- F(s) = shift of the velocity it gives, with Anderson acceleration. D_s is solved
// by proximal points, each by a semismooth Newton method on z = P(z) in hat variables z = D^-1 r:
//   F(z) = z - P_L( z_k - (D (W D z + q + s e_N)) / (alpha kappa') ),
// which minimises 1/2 z.W'z + 1/2 alpha sum kappa' |P|^2 along its steps.
#include "../../law/scale.h"
#include "../method.h"
#include "anderson.h"
#include "lag.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Rounding of |F|, and of the merit function, which is a sum.
static const double FLOOR = 4 * DBL_EPSILON, ROUNDING = 64 * DBL_EPSILON;

typedef struct fixed_point {
  stc_jacobian *jacobian;
  stc_anderson anderson;
  double *D;              // [size]
  double *kappa;          // [contacts] alpha times the mean diagonal of D W D
  double *weight;         // [contacts] of the norm of s
  double *shift, *image;  // [contacts] s and F(s)
  double *centre;         // [size] r_k
  double *P, *F, *dr, *trial, *u, *work;
  int proximal;  // proximal problems for this s
  stc_watch watch;
} fixed_point;

// ---- creation ----

static void set_numbers(fixed_point *x, const stc_solver *s) {
  const stc_reduced *p = s->problem;
  int d = p->dim;
  for (int c = 0; c < p->contacts; c++) {
    const double *W = p->diagonal + (ptrdiff_t)c * d * d;
    double sum = 0;
    double *D = x->D + c * d;
    stc_law_scale(&p->law[c], D);
    for (int k = 0; k < d; k++) sum += D[k] * W[k + k * d] * D[k];
    x->kappa[c] = s->settings.fixed_point.alpha * (sum > 0 ? sum / d : p->kappa[c]);
    x->weight[c] = 1 / p->kappa[c];
  }
}

static stc_error setup_fixed_point(stc_solver *s, void **state) {
  const stc_reduced *p = s->problem;
  fixed_point *x = *state = STC_TAKE(s->arena, fixed_point, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_solver_share_jacobian(s, &x->jacobian));
  double **vectors[] = {&x->D, &x->centre, &x->P, &x->F, &x->dr, &x->trial, &x->u};
  STC_TAKE_VECTORS(s->arena, p->size, vectors);
  double **scalars[] = {&x->kappa, &x->weight, &x->shift, &x->image};
  STC_TAKE_VECTORS(s->arena, p->contacts, scalars);
  x->work = STC_TAKE_RAW(s->arena, double, p->scratch);
  return stc_anderson_create(s->arena, p->contacts, s->settings.fixed_point.anderson, x->weight,
                             &x->anderson);
}

// ---- the convex problem ----

// P = projection of x on the Lorentz cone and its derivative J, by columns.
static void lorentz(int d, const double *x, double *P, double *J) {
  double t = d == 3 ? hypot(x[1], x[2]) : fabs(x[1]), a = 0.5 * (x[0] + t);
  memset(J, 0, (size_t)(d * d) * sizeof *J);
  for (int k = 0; k < d; k++) P[k] = t <= x[0] ? x[k] : 0;
  for (int k = 0; t <= x[0] && k < d; k++) J[k * (d + 1)] = 1;
  if (t <= x[0] || t <= -x[0]) return;
  P[0] = a;
  J[0] = 0.5;
  for (int k = 1; k < d; k++) {
    double n = x[k] / t;
    P[k] = a * n;
    J[k] = J[k * d] = 0.5 * n;
    for (int l = 1; l < d; l++)
      J[k + l * d] = (k == l ? a / t : 0) + (0.5 - a / t) * n * (x[l] / t);
  }
}

// At r with velocity u: P, F = r - D P, the blocks A = I, B = D J D / (alpha kappa'); the merit
// function 1/2 r.W r + 1/2 alpha sum kappa' |P|^2, and |F| in the norm of eta.
static double evaluate(fixed_point *x, const stc_reduced *p, const double *r, const double *u,
                       double *merit) {
  int d = p->dim;
  double square = 0, energy = 0;
  for (int c = 0; c < p->contacts; c++) {
    double arg[STC_MAX_DIM] = {0}, P[STC_MAX_DIM], J[STC_MAX_DIM * STC_MAX_DIM];
    const double *D = x->D + c * d;
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      double push = u[at] + (k == 0 ? x->shift[c] : 0);
      arg[k] = (D[k] > 0 ? x->centre[at] / D[k] : 0) - D[k] * push / x->kappa[c];
    }
    lorentz(d, arg, P, J);
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      double F = x->F[at] = r[at] - D[k] * P[k];
      square += p->kappa[c] * F * F;
      energy += r[at] * (u[at] - p->q[at]) + x->kappa[c] * P[k] * P[k];
      for (int l = 0; l < d; l++) {
        ptrdiff_t e = (ptrdiff_t)c * d * d + k + l * d;
        x->jacobian->A[e] = k == l;
        x->jacobian->B[e] = D[k] * J[k + l * d] * D[l] / x->kappa[c];
      }
    }
    memcpy(x->P + c * d, P, (size_t)d * sizeof *P);
  }
  *merit = 0.5 * energy;
  return sqrt(square);
}

static void project(const fixed_point *x, const stc_reduced *p, double *r) {
  for (int k = 0; k < p->size; k++) r[k] = x->D[k] * x->P[k];
}

// One damped Newton step from r; leaves the new r, its u, its merit and |F| there. False if it was
// stopped before.
static bool newton_step(fixed_point *x, const stc_solver *s, double *r, double *u, double *merit,
                        double *f) {
  const stc_reduced *p = s->problem;
  double slope = 0, trial_merit, t = 1;
  stc_jacobian_factorise(x->jacobian);
  stc_jacobian_solve(x->jacobian, x->F, STC_JACOBIAN_EXACT, x->dr);
  if (stc_solver_due(s)) return false;
  stc_reduced_multiply(p, x->F, x->work, x->u);
  for (int k = 0; k < p->size; k++) slope += x->u[k] * x->dr[k];
  for (int k = 0;; k++, t *= 0.5) {
    for (int i = 0; i < p->size; i++) x->trial[i] = r[i] + t * x->dr[i];
    stc_reduced_velocity(p, x->trial, x->work, x->u);
    *f = evaluate(x, p, x->trial, x->u, &trial_merit);
    if (trial_merit <= *merit + STC_ARMIJO * t * slope + ROUNDING * fabs(*merit)) break;
    if (k == STC_HALVINGS) break;
    if (stc_solver_due(s)) break;
  }
  memcpy(r, x->trial, (size_t)p->size * sizeof *r);
  memcpy(u, x->u, (size_t)p->size * sizeof *u);
  *merit = trial_merit;
  return true;
}

// min over K of (D_s) + alpha/2 |z - z_k|^2 from the centre; leaves the minimiser in r. Returns the
// Newton steps it took; 0: it was stopped before the first one.
static long proximal_step(fixed_point *x, stc_solver *s) {
  const stc_reduced *p = s->problem;
  double merit, first, goal;
  memcpy(x->centre, s->r, (size_t)p->size * sizeof *s->r);
  double f = first = evaluate(x, p, s->r, s->u, &merit);
  goal = fmax(s->settings.rule.inner * s->settings.rule.inner * first, FLOOR);
  long steps = 0, most = s->settings.newton.inner;
  if (most > stc_solver_left(s)) most = stc_solver_left(s);
  while (f > goal && steps < most && newton_step(x, s, s->r, s->u, &merit, &f)) steps++;
  project(x, p, s->r);
  return steps > 0 || stc_stop_due(0) ? steps : 1;
}

// ---- the fixed point ----

static void start_fixed_point(stc_solver *s, void *state) {
  fixed_point *x = state;
  set_numbers(x, s);
  stc_anderson_reset(&x->anderson);
  memset(x->jacobian->prox, 0, (size_t)s->problem->contacts * sizeof(double));
  stc_lag_shifts(s->problem, s->u, x->shift);
  for (int c = 0; c < s->problem->contacts; c++)
    stc_law_project(&s->problem->law[c], s->r + c * s->problem->dim, s->r + c * s->problem->dim);
  stc_reduced_velocity(s->problem, s->r, x->work, s->u);
  x->proximal = 0;
  x->watch = (stc_watch){.least = s->merit};
}

static void next_shift(fixed_point *x, const stc_solver *s) {
  stc_lag_shifts(s->problem, s->u, x->image);
  stc_anderson_step(&x->anderson, x->shift, x->image);
  for (int c = 0; c < s->problem->contacts; c++) x->shift[c] = fmax(x->shift[c], 0);
  x->proximal = 0;
}

static stc_step iterate_fixed_point(stc_solver *s, void *state) {
  fixed_point *x = state;
  s->done = proximal_step(x, s);
  if (s->done == 0) return STC_STEP_CUT;
  stc_reduced_velocity(s->problem, s->r, x->work, s->u);
  x->proximal++;
  bool solved = stc_lag_share(s->problem, x->shift, s->r, s->u) <= s->settings.rule.lag;
  if (!solved && x->proximal < s->settings.rule.steps) return STC_STEP_ON;
  next_shift(x, s);
  long idle = stc_watch_look(&x->watch, s, s->best_merit, 1);
  return idle > 5 * s->settings.rule.steps ? STC_STEP_STALLED : STC_STEP_ON;
}

STC_METHOD_IS(
    fixed_point, .name = "fixed-point",
    .summary = "Cadoux's fixed point on convex cone problems; slow, steady far from a solution",
    .setup = setup_fixed_point, .start = start_fixed_point, .iterate = iterate_fixed_point);
