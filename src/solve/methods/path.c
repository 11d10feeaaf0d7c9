// Continuation of the central path by arc length. The Coulomb problem is not monotone: as tau falls
// the path may fold, and only a method that lets tau rise again gets round the fold. Unknowns are
// (z, y, T = log tau), and along a step tau changes as z and y do, linearly; the homotopy carries
// the first residual along,
//   F1(z, y) = tau p0,   z o y = tau e,      p0 = F1(z0, y0) / tau0,
// so that any centred point is a start. The direction along the path is -sign det(W + D^-1 G S
// D^-1): the determinant is positive for large tau, and it changes sign exactly at the folds. A
// step uses one factorisation: Newton correction, tangent and second-order term. At every decade of
// tau a few proximal Newton steps try to reach the solution at once.
#include "central.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A step takes tau to between these parts of itself, and Newton's method is tried as often.
static const double DECADE = 10;  // [maths]

typedef struct step {
  double *z, *y;
  double T;
} step;

typedef struct path {
  stc_central at;
  const stc_settings *set;
  stc_solver *newton;       // crossover
  const stc_solver *ipm;    // begin at its early point; NULL: cold
  bool cold;                // this run began cold
  double *p0;               // [3*contacts]
  double *base_z, *base_y;  // last point a predictor left from
  double *try_z, *try_y, *try_F1;
  step a, t, b, c;  // correction, tangent, derivative in T, second order
  double T, base_T, T_start, cross_T;
  double h;
  int corrections;  // in a row
  double least_T;
  int since_low;  // steps
  int steps;      // since it began
} path;

// ---- creation ----

static stc_error setup_path(stc_solver *s, void **state) {
  size_t wide = 3 * (size_t)s->problem->contacts;
  path *p = *state = STC_TAKE(s->arena, path, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_central_create(s, s->arena, &p->at));
  p->set = &s->settings;
  // The loaded contacts of a pyramid have less than 1e-10 of mean_W in G S from tau = 1e-8 on: the
  // ridge of the interior point would take 6 % of F1 away from a Newton correction.
  p->at.ridge = s->settings.ipm.ridge * s->settings.rule.inner;
  p->at.accuracy = s->settings.ipm.ridge;
  double **vectors[] = {&p->p0,  &p->base_z, &p->base_y, &p->try_z, &p->try_y, &p->try_F1, &p->a.z,
                        &p->a.y, &p->t.z,    &p->t.y,    &p->b.z,   &p->b.y,   &p->c.z,    &p->c.y};
  STC_TAKE_VECTORS(s->arena, wide, vectors);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_solver_setup_member(s, &stc_method_newton, &p->newton));
  stc_newton_finish(p->newton);
  return STC_OK;
}

// ---- points ----

static int wide(const path *p) { return 3 * p->at.problem->contacts; }

// F1 - tau p0 at (z, y).
static void residual_at(const path *p, stc_solver *s, const double *z, const double *y, double tau,
                        double *F1) {
  stc_central_reactions(&p->at, z, s->r);
  stc_reduced_velocity(s->problem, s->r, s->work, s->u);
  stc_central_residual(&p->at, y, s->u, F1);
  for (int k = 0; k < wide(p); k++) F1[k] -= tau * p->p0[k];
}

// How far (z, y) with residual F1 is from the path at tau: centrality and feasibility.
static void distance(const path *p, const double *z, const double *y, const double *F1, double tau,
                     double *centrality, double *infeasibility) {
  *centrality = *infeasibility = 0;
  for (int c = 0; c < p->at.problem->contacts; c++) {
    *centrality = fmax(*centrality, stc_central_off(z + 3 * c, y + 3 * c, tau));
    if (!isfinite(*centrality)) return;
    stc_scaling scaling;
    double f[3];
    stc_lorentz_scale(z + 3 * c, y + 3 * c, &scaling);
    stc_lorentz_apply(scaling.inverse, F1 + 3 * c, f);
    *infeasibility = fmax(*infeasibility, sqrt((f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / tau));
  }
}

// Cold start: y = (1, q_T / 3 |q_T|), z = y^-1, in units of the data: y_T is not 0, where its
// length has no derivative.
static void start_point(path *p, const stc_reduced *problem, double tau) {
  for (int c = 0; c < problem->contacts; c++) {
    double *z = p->at.z + 3 * c, *y = p->at.y + 3 * c;
    const double *D = p->at.D + 3 * c;
    double t[3] = {0};
    for (int k = 1; k < problem->dim; k++) t[k] = D[k] * problem->q[c * problem->dim + k];
    double norm = stc_lorentz_tail(t);
    if (norm == 0) t[1] = D[1] > 0, t[2] = D[1] > 0 ? 0 : D[2] > 0;
    norm = stc_lorentz_tail(t);
    y[0] = p->at.mean_q;
    for (int k = 1; k < 3; k++) y[k] = norm > 0 ? p->at.mean_q * t[k] / (3 * norm) : 0;
    double det = stc_lorentz_det(y);
    for (int k = 0; k < 3; k++) z[k] = (k == 0 ? tau : -tau) * y[k] / det;
  }
}

// From z, y at tau, centred but for a few corrections; T counts from the cold start.
static void begin_path(path *p, stc_solver *s, double tau) {
  size_t bytes = (size_t)wide(p) * sizeof(double);
  memset(p->p0, 0, bytes);
  residual_at(p, s, p->at.z, p->at.y, tau, p->at.F1);
  for (int k = 0; k < wide(p); k++) p->p0[k] = p->at.F1[k] / tau;
  p->T = p->base_T = log(tau);
  p->cross_T = p->T_start + log(s->settings.path.cross);
  p->h = 0.1 * sqrt((double)s->problem->contacts);
  p->least_T = INFINITY;
  p->corrections = p->since_low = p->steps = 0;
  memcpy(p->base_z, p->at.z, bytes);
  memcpy(p->base_y, p->at.y, bytes);
}

static void begin_cold(path *p, stc_solver *s) {
  p->cold = true;
  start_point(p, s->problem, exp(p->T_start));
  begin_path(p, s, exp(p->T_start));
}

void stc_path_begin_early(stc_solver *s, const stc_solver *ipm) { ((path *)s->state)->ipm = ipm; }

static void start_path(stc_solver *s, void *state) {
  path *p = state;
  stc_central_refresh(&p->at);
  p->T_start = log(p->at.mean_q * p->at.mean_q / p->at.mean_W);
  double tau = p->ipm ? stc_ipm_early(p->ipm, p->at.z, p->at.y) : 0;
  p->cold = tau == 0;
  if (p->cold)
    begin_cold(p, s);
  else
    begin_path(p, s, tau);
}

// ---- directions ----

// <x, x'> = (N dz . N dz' + N^-1 dy . N^-1 dy') / tau + n T T'.
static double inner(const path *p, const step *x, const step *w, double tau) {
  double sum = 0;
  for (int c = 0; c < p->at.problem->contacts; c++) {
    const stc_scaling *s = &p->at.scaling[c];
    double a[3], b[3];
    stc_lorentz_apply(s->N, x->z + 3 * c, a);
    stc_lorentz_apply(s->N, w->z + 3 * c, b);
    sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    stc_lorentz_apply(s->inverse, x->y + 3 * c, a);
    stc_lorentz_apply(s->inverse, w->y + 3 * c, b);
    sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  return sum / tau + p->at.problem->contacts * x->T * w->T;
}

// x += factor w
static void add_path(const path *p, step *x, double factor, const step *w) {
  for (int k = 0; k < wide(p); k++) {
    x->z[k] += factor * w->z[k];
    x->y[k] += factor * w->y[k];
  }
  x->T += factor * w->T;
}

// Takes from x the part along the derivative b that is not orthogonal to the tangent.
static void make_orthogonal(const path *p, step *x, double tau, double most) {
  double factor = -inner(p, &p->t, x, tau) / inner(p, &p->t, &p->b, tau);
  add_path(p, x, fmax(-most, fmin(most, factor)), &p->b);
}

// Newton correction at fixed tau: (-F1, tau e - lambda o lambda).
static void correction(path *p, double tau) {
  for (int c = 0; c < p->at.problem->contacts; c++) {
    double *x = p->at.x + 3 * c, *lambda = p->at.scaling[c].lambda;
    stc_lorentz_product(lambda, lambda, x);
    for (int k = 0; k < 3; k++) x[k] = (k == 0 ? tau : 0) - x[k];
  }
  for (int k = 0; k < wide(p); k++) p->at.rho[k] = -p->at.F1[k];
  stc_central_solve(&p->at, p->a.z, p->a.y);
  p->a.T = 0;
}

// d(z, y)/dT: (tau p0, tau e), and the unit tangent in the direction that goes on.
static void tangent(path *p, double tau) {
  for (int k = 0; k < wide(p); k++) {
    p->at.rho[k] = tau * p->p0[k];
    p->at.x[k] = k % 3 == 0 ? tau : 0;
  }
  stc_central_solve(&p->at, p->b.z, p->b.y);
  p->b.T = 1;
  double length = sqrt(inner(p, &p->b, &p->b, tau));
  double scale = -stc_jacobian_sign(p->at.jacobian) / length;
  for (int k = 0; k < wide(p); k++) {
    p->t.z[k] = scale * p->b.z[k];
    p->t.y[k] = scale * p->b.y[k];
  }
  p->t.T = scale;
}

// Second derivative along the path where tau changes linearly: where y follows tau and z stays, as
// on the smooth parts of the path, there is none.
static void curvature(path *p) {
  for (int c = 0; c < p->at.problem->contacts; c++) {
    const stc_scaling *s = &p->at.scaling[c];
    const double *y = p->at.y + 3 * c, *dy = p->t.y + 3 * c;
    double a[3], b[3], *x = p->at.x + 3 * c, *rho = p->at.rho + 3 * c;
    double tail = stc_lorentz_tail(y),
           along = (y[1] * dy[1] + y[2] * dy[2]) / (tail > 0 ? tail : 1);
    double bend = tail > 0 ? (dy[1] * dy[1] + dy[2] * dy[2] - along * along) / tail : 0;
    stc_lorentz_apply(s->N, p->t.z + 3 * c, a);
    stc_lorentz_apply(s->inverse, dy, b);
    stc_lorentz_product(a, b, x);
    for (int k = 0; k < 3; k++) {
      x[k] *= -2;
      rho[k] = k == 0 ? bend : 0;
    }
  }
  stc_central_solve(&p->at, p->c.z, p->c.y);
  p->c.T = 0;
}

// ---- steps ----

// A point is near the path within path.centred and this, and is corrected first beyond half of
// them.
static double feasible(const path *p) { return 0.1 * p->set->path.centred; }

// Tries x + a + h t + h^2/2 c; true if it lies near the path.
static bool attempt(path *p, stc_solver *s, double h, double *T) {
  double centrality, infeasibility;
  double share = 1 + p->a.T + h * p->t.T + 0.5 * h * h * p->c.T;
  if (!(share >= 1 / DECADE && share <= DECADE)) return false;
  *T = p->T + log(share);
  for (int k = 0; k < wide(p); k++) {
    p->try_z[k] = p->at.z[k] + p->a.z[k] + h * p->t.z[k] + 0.5 * h * h * p->c.z[k];
    p->try_y[k] = p->at.y[k] + p->a.y[k] + h * p->t.y[k] + 0.5 * h * h * p->c.y[k];
  }
  for (int c = 0; c < s->problem->contacts; c++)
    if (!(stc_central_off(p->try_z + 3 * c, p->try_y + 3 * c, exp(*T)) < p->set->path.centred))
      return false;
  residual_at(p, s, p->try_z, p->try_y, exp(*T), p->try_F1);
  distance(p, p->try_z, p->try_y, p->try_F1, exp(*T), &centrality, &infeasibility);
  return centrality < p->set->path.centred && infeasibility < feasible(p);
}

static void accept(path *p, double T) {
  size_t bytes = (size_t)wide(p) * sizeof(double);
  memcpy(p->at.z, p->try_z, bytes);
  memcpy(p->at.y, p->try_y, bytes);
  p->T = T;
}

static bool predict(path *p, stc_solver *s) {
  size_t bytes = (size_t)wide(p) * sizeof(double);
  double h = 2 * p->h, T;
  for (int k = 0; k < STC_HALVINGS && !stc_solver_due(s); k++, h *= 2.0 / 3) {
    if (!attempt(p, s, h, &T)) continue;
    memcpy(p->base_z, p->at.z, bytes);
    memcpy(p->base_y, p->at.y, bytes);
    p->base_T = p->T;
    accept(p, T);
    p->h = h;
    p->corrections = 0;
    return true;
  }
  return false;
}

// The correction alone, halved until the point stays inside the cones.
static bool correct(path *p) {
  double t = 1;
  for (int k = 0; k < STC_HALVINGS; k++, t *= 0.5) {
    bool inside = true;
    double T = p->T + log(fmax(1 / DECADE, 1 + t * p->a.T));
    for (int i = 0; i < wide(p); i++) {
      p->try_z[i] = p->at.z[i] + t * p->a.z[i];
      p->try_y[i] = p->at.y[i] + t * p->a.y[i];
    }
    for (int c = 0; inside && c < p->at.problem->contacts; c++)
      inside = isfinite(stc_central_off(p->try_z + 3 * c, p->try_y + 3 * c, exp(T)));
    if (!inside) continue;
    accept(p, T);
    return true;
  }
  return false;
}

// Back to the last point a predictor left from, with a shorter step.
static void retreat(path *p) {
  size_t bytes = (size_t)wide(p) * sizeof(double);
  memcpy(p->at.z, p->base_z, bytes);
  memcpy(p->at.y, p->base_y, bytes);
  p->T = p->base_T;
  p->h *= 0.25;
  p->corrections = 0;
}

// False if it was stopped before the point moved.
static bool advance(path *p, stc_solver *s) {
  double tau = exp(p->T), centrality, infeasibility;
  residual_at(p, s, p->at.z, p->at.y, tau, p->at.F1);
  stc_central_factorise(&p->at);
  if (stc_solver_due(s)) return false;
  correction(p, tau);
  if (stc_solver_due(s)) return false;
  tangent(p, tau);
  if (stc_solver_due(s)) return false;
  make_orthogonal(p, &p->a, tau, 1);
  distance(p, p->at.z, p->at.y, p->at.F1, tau, &centrality, &infeasibility);
  bool near = 2 * centrality <= p->set->path.centred && 2 * infeasibility <= feasible(p);
  if (near) {
    curvature(p);
    make_orthogonal(p, &p->c, tau, INFINITY);
  }
  if (stc_solver_due(s)) return false;
  if (near && predict(p, s)) return true;
  if (++p->corrections > p->set->rule.steps || !correct(p)) retreat(p);
  return true;
}

// A few proximal Newton steps from the reactions of the path; true if they solved the problem.
// Their proximal term begins at tau, below the resonances that the path has just gone round, but
// not far below path.cross: from less Newton's method is lost at every point of every pyramid.
static bool cross_over(path *p, stc_solver *s) {
  size_t bytes = (size_t)s->problem->size * sizeof *s->r;
  long most = stc_solver_left(s) - s->done, steps = p->set->strategy.steps;
  if (p->T > p->cross_T || most <= 0) return false;
  p->cross_T = p->T - log(DECADE);
  p->newton->settings.newton.alpha = fmax(p->set->path.cross / DECADE, exp(p->T - p->T_start));
  memcpy(p->newton->r, s->r, bytes);
  stc_solver_drive(p->newton, most < steps ? most : steps);
  s->done += p->newton->iterations;
  if (p->newton->status == STC_STATUS_SOLVED) memcpy(s->r, p->newton->r, bytes);
  memset(p->at.jacobian->prox, 0, (size_t)s->problem->contacts * sizeof(double));
  return p->newton->status == STC_STATUS_SOLVED;
}

// As long as sweeps are tried, or where contacts are few strategy.look steps for each of them.
static long most_steps(const path *p) {
  double few = (double)p->set->strategy.look * p->at.problem->contacts;
  return lround(fmin(few, p->set->rule.sweeps));
}

// tau rose by three decades, fell to nothing, or has had no new low for too long; or steps creep,
// or each new low is a little below the last for too long.
static bool lost(path *p) {
  if (p->T < p->least_T) p->least_T = p->T, p->since_low = 0;
  return !isfinite(p->T) || p->T > p->T_start + 3 * log(DECADE) ||
         p->T < p->T_start + log(DBL_EPSILON) ||
         p->since_low++ > p->set->rule.steps * p->set->strategy.steps ||
         p->steps++ > most_steps(p) || p->h < sqrt(DBL_EPSILON * p->at.problem->contacts);
}

static stc_step iterate_path(stc_solver *s, void *state) {
  path *p = state;
  s->done = 1;
  memset(p->at.jacobian->prox, 0, (size_t)s->problem->contacts * sizeof(double));
  if (!advance(p, s)) return STC_STEP_CUT;
  stc_central_reactions(&p->at, p->at.z, s->r);
  if (cross_over(p, s)) return STC_STEP_ON;
  if (!lost(p)) return STC_STEP_ON;
  if (p->cold) return STC_STEP_STALLED;
  begin_cold(p, s);
  return STC_STEP_ON;
}

STC_METHOD_IS(
    path, .name = "path",
    .summary = "arc-length continuation of the central path; follows folds, the last resort",
    .setup = setup_path, .start = start_path, .iterate = iterate_path);
