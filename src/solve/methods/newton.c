// Proximal point with an Alart–Curnier semismooth Newton method for each proximal problem
//   u = W r + q + alpha K (r - r_k),  K = diag(kappa),  (u_i, r_i) obeying the law,
// in the metric of kinetic energy. At r = r_k the exact problem is solved, for any alpha.
// [Alart and Curnier 1991; Rockafellar 1976.]
#include "../method.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Rounding of |F|, against the data.
static const double FLOOR = 8 * DBL_EPSILON;
// The search is Armijo's, not monotone over this many steps.
enum { MEMORY = 3 };  // [maths]
// Where alpha is not far above the rounding of W the matrix is as singular as W.
static const double LEAST_ALPHA = 1e3 * DBL_EPSILON;

// What is done with a Newton step. Far from a solution whole steps are mended by sweeps, or
// searched along. Near one they are taken as they are: the statuses that are wrong belong to
// redundant contacts whose reactions have far to go while u hardly changes (r moves by u / alpha),
// and sweeps and line searches both prevent that.
typedef enum globalisation { SWEPT, SEARCHED, WHOLE } globalisation;

typedef struct newton {
  stc_jacobian *jacobian;
  stc_sweep *sweep;
  double *centre;  // r_k
  double *F, *dr, *trial, *u;
  double *rho;  // [2*contacts] rho_N, rho_T without the proximal part: W_NN, lambda_max(W_TT)
  double *work;
  double alpha;
  double centre_merit;  // merit of the exact problem at r_k
  bool finishing;       // near a solution whatever the merit, and over where whole steps are lost
  globalisation steps;
  double near;    // merit below which steps are whole
  int step;       // Newton steps on this proximal problem
  int failures;   // proximal problems lost in a row
  double first;   // |F| at the first step
  double second;  // |F| after it
  stc_patience patience;
  double past[MEMORY];
  double size_of_data;  // sqrt(sum |q|^2 / kappa)
} newton;

// ---- creation ----

static double frobenius(const double *W, int d) {
  double sum = 0;
  for (int i = 1; i < d; i++)
    for (int j = 1; j < d; j++) sum += W[i + d * j] * W[i + d * j];
  return sqrt(sum);
}

// Largest eigenvalue of the symmetric part of the tangential block; a bound on it for d > 3.
static double largest_tangential(const double *W, int d) {
  if (d == 2) return W[3];
  if (d > 3) return frobenius(W, d);
  double a = W[4], b = W[8], c = 0.5 * (W[5] + W[7]);
  return 0.5 * (a + b) + hypot(0.5 * (a - b), c);
}

static void set_numbers(newton *n, const stc_reduced *p) {
  double sum = 0;
  for (int c = 0; c < p->contacts; c++) {
    const double *W = p->diagonal + (ptrdiff_t)c * p->dim * p->dim;
    n->rho[2 * c] = fmax(W[0], 0);
    n->rho[2 * c + 1] = fmax(largest_tangential(W, p->dim), 0);
    for (int k = 0; k < p->dim; k++) {
      double q = p->q[c * p->dim + k];
      sum += q * q / p->kappa[c];
    }
  }
  n->size_of_data = sqrt(sum);
}

static stc_error setup_newton(stc_solver *s, void **state) {
  const stc_reduced *p = s->problem;
  newton *n = *state = STC_TAKE(s->arena, newton, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_solver_share_jacobian(s, &n->jacobian));
  STC_TRY(stc_solver_share_sweep(s, &n->sweep));
  double **vectors[] = {&n->centre, &n->F, &n->dr, &n->trial, &n->u};
  STC_TAKE_VECTORS(s->arena, p->size, vectors);
  n->rho = STC_TAKE_RAW(s->arena, double, 2 * p->contacts);
  n->work = STC_TAKE_RAW(s->arena, double, p->scratch);
  return stc_arena_check(s->arena);
}

// ---- one proximal problem ----

// F at r with velocity u = W r + q, in n->F, and the blocks A, B; returns sqrt(sum kappa |F|^2).
static double evaluate(newton *n, const stc_reduced *p, const double *r, const double *u) {
  int d = p->dim;
  double sum = 0;
  for (int c = 0; c < p->contacts; c++) {
    double weight = n->alpha * p->kappa[c], ubar[STC_MAX_DIM];
    n->jacobian->prox[c] = weight;
    for (int k = c * d; k < (c + 1) * d; k++)
      ubar[k - c * d] = u[k] + weight * (r[k] - n->centre[k]);
    ptrdiff_t at = (ptrdiff_t)c * d * d;
    stc_law_jacobian(&p->law[c], 1 / (n->rho[2 * c] + weight), 1 / (n->rho[2 * c + 1] + weight),
                     r + c * d, ubar, n->F + c * d, n->jacobian->A + at, n->jacobian->B + at);
    for (int k = 0; k < d; k++) sum += p->kappa[c] * n->F[c * d + k] * n->F[c * d + k];
  }
  return sqrt(sum);
}

static void begin_newton(newton *n, stc_solver *s) {
  if (n->finishing || s->merit < n->near) {
    n->steps = WHOLE;
    // The merit hardly changes until the last status is right.
    if (s->merit < s->settings.rule.inner * s->settings.rule.near) s->patience.iterations = 0;
  }
  n->step = 0;
  n->centre_merit = s->merit;
  memcpy(n->centre, s->r, (size_t)s->problem->size * sizeof *n->centre);
}

static void return_to_centre(newton *n, stc_solver *s) {
  memcpy(s->r, n->centre, (size_t)s->problem->size * sizeof *n->centre);
  stc_reduced_velocity(s->problem, s->r, n->work, s->u);
  n->step = 0;
}

void stc_newton_finish(stc_solver *s) { ((newton *)s->state)->finishing = true; }

// Near a solution alpha falls by the root of newton.shrink, where the problem was hard by the root
// of that: just above the alpha at which Newton's method is lost a problem takes twice the steps.
static double shrink_near(const newton *n, const stc_settings *set) {
  double root = sqrt(set->newton.shrink);
  return n->failures > 0 || n->step > set->rule.steps / 2 ? sqrt(root) : root;
}

// The proximal problem is solved: its solution is the next centre. alpha falls, twice as far where
// that gained less than a factor 2, and three times after two failures.
static void succeed(newton *n, stc_solver *s) {
  double shrink = s->settings.newton.shrink, factor = shrink;
  if (n->steps == WHOLE)
    factor = shrink_near(n, &s->settings);
  else if (!(s->merit < 0.5 * n->centre_merit))
    factor = shrink * shrink;
  n->alpha = fmax(n->alpha * factor, LEAST_ALPHA);
  n->failures = 0;
  if (n->steps == SEARCHED) n->steps = SWEPT;
  begin_newton(n, s);
}

static void begin_far(newton *n, stc_solver *s) {
  n->steps = SWEPT;
  n->alpha = s->settings.newton.alpha;
  n->failures = 0;
  s->patience = n->patience;
}

// The proximal problem is lost: line search next, then a much smaller alpha below the resonance.
static bool fail_far(newton *n, const stc_settings *set) {
  n->failures++;
  n->steps = SEARCHED;
  if (n->failures == 2) n->alpha = fmax(n->alpha * pow(set->newton.shrink, 3), LEAST_ALPHA);
  return n->failures <= 2;
}

// Near a solution alpha rises: where it is too small, statuses run in a cycle.
static bool fail_near(newton *n, stc_solver *s) {
  n->alpha /= s->settings.newton.shrink;
  if (++n->failures <= s->settings.rule.steps / 2) return true;
  n->near = s->settings.rule.inner * n->centre_merit;
  if (!n->finishing) begin_far(n, s);
  return !n->finishing;
}

static bool fail(newton *n, stc_solver *s) {
  bool goes_on = n->steps == WHOLE ? fail_near(n, s) : fail_far(n, &s->settings);
  if (goes_on) return_to_centre(n, s);
  return goes_on;
}

static void start_newton(stc_solver *s, void *state) {
  newton *n = state;
  set_numbers(n, s->problem);
  n->patience = s->patience;
  begin_far(n, s);
  n->near = s->settings.rule.near;
  stc_sweep_reset(n->sweep);
  begin_newton(n, s);
}

// ---- one Newton step ----

static void add_newton(const double *x, double t, const double *d, double *y, int n) {
  for (int k = 0; k < n; k++) y[k] = x[k] + t * d[k];
}

static double reference(const newton *n) {
  double most = 0;
  for (int k = 0; k < MEMORY && k < n->step; k++) most = fmax(most, n->past[k]);
  return most;
}

static void line_search(newton *n, stc_solver *s, double f) {
  const stc_reduced *p = s->problem;
  double t = 1;
  n->past[n->step % MEMORY] = f;
  n->step++;
  double most = reference(n);
  for (int k = 0;; k++, t *= 0.5) {
    add_newton(s->r, t, n->dr, n->trial, p->size);
    stc_reduced_velocity(p, n->trial, n->work, n->u);
    double g = evaluate(n, p, n->trial, n->u);
    if (g <= (1 - STC_ARMIJO * t) * most || k == STC_HALVINGS || stc_solver_due(s)) break;
  }
  memcpy(s->r, n->trial, (size_t)p->size * sizeof *s->r);
}

// Two sweeps of the proximal problem.
static void sweep_after(newton *n, stc_solver *s) {
  stc_sweep_proximal(n->sweep, n->alpha, n->centre);
  stc_sweep_load(n->sweep, s->r);
  for (int k = 0; k < 2 && !stc_solver_due(s); k++) stc_sweep_forward(n->sweep);
  stc_sweep_store(n->sweep, s->r);
}

// Whole steps raise |F| a thousandfold at first, as reactions go where statuses have not followed
// yet, and lower it from there; where it has not fallen after a few, it does not.
static bool lost(const newton *n, const stc_solver *s, double f) {
  int steps = s->settings.rule.steps;
  if (!isfinite(f)) return true;
  if (n->steps == WHOLE) return n->step >= 2 * steps || (n->step >= steps / 2 && f > 3 * n->second);
  return n->step >= (n->steps == SEARCHED ? s->settings.newton.inner : steps);
}

// |F| to which the proximal problem is solved. Near a solution what is left of it is less than what
// alpha leaves of the exact problem.
static double goal(const newton *n, const stc_settings *set) {
  double share = n->steps == WHOLE ? set->rule.lag : set->rule.inner;
  return fmax(share * n->first, FLOOR * n->size_of_data);
}

static void apply_step(newton *n, stc_solver *s, double f) {
  if (n->steps == SEARCHED) {
    line_search(n, s, f);
    return;
  }
  add_newton(s->r, 1, n->dr, s->r, s->problem->size);
  if (n->steps == SWEPT) sweep_after(n, s);
  n->step++;
}

static stc_step iterate_newton(stc_solver *s, void *state) {
  newton *n = state;
  const stc_reduced *p = s->problem;
  double f = evaluate(n, p, s->r, s->u);
  if (n->step == 0)
    n->first = f;
  else if (f <= goal(n, &s->settings)) {
    succeed(n, s);
    f = n->first = evaluate(n, p, s->r, s->u);
  }
  if (n->step == 1) n->second = f;
  if (lost(n, s, f)) {
    if (!fail(n, s)) {
      s->done = 0;
      return STC_STEP_STALLED;
    }
    f = n->first = evaluate(n, p, s->r, s->u);
  }
  stc_jacobian_factorise(n->jacobian);
  stc_jacobian_solve(n->jacobian, n->F, STC_JACOBIAN_EXACT, n->dr);
  if (stc_solver_due(s)) return STC_STEP_CUT;
  apply_step(n, s, f);
  s->done = 1;
  return STC_STEP_ON;
}

STC_METHOD_IS(
    newton, .name = "newton",
    .summary =
        "proximal point with Alart-Curnier semismooth Newton; hyperstatic problems, high accuracy",
    .setup = setup_newton, .start = start_newton, .iterate = iterate_newton, .any_law = true);
