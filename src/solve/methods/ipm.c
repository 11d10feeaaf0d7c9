// Interior-point method with the De Saxcé term implicit   [Acary, Armand, Nguyen and Shpakovych
// 2023]: Newton steps towards the central path (central.h) with Nesterov–Todd scaling and
// Mehrotra's predictor and corrector. Where the steps stay short, the weight theta of the De Saxcé
// term drops to 0 (the associated law, a convex problem) and rises again with every good step: a
// pile at rest has s = 0 at its solution, and only the way there folds. Where that leads nowhere
// the method begins again without it, and where a few contacts block the steps, for the path folds
// there, the De Saxcé term is left out of the Newton matrix at these contacts only: it lags behind
// until the way is free. With the associated law alone theta stays 0. Structures at rest begin at
// the reactions that would hold them with all contacts glued: from z = e the load of a wall builds
// up course by course.
#include "central.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct ipm {
  stc_central path;
  const stc_settings *set;
  double *dz, *dy, *az, *ay;  // [3*contacts] step, affine step
  int tiny_steps, since_gain, short_steps, drops;
  int most_drops;  // 0: theta stays 1
  bool lagging;    // contacts that block lag
  double least_gap, least_infeasibility, least_merit;
  int resting;                // iterations since `least_merit`
  bool begun;                 // solver->r is an iterate of this run
  double *early_z, *early_y;  // last centred point above path.early, for the path
  double early_tau;           // 0: there is none
} ipm;

static stc_error setup_ipm(stc_solver *s, void **state) {
  size_t wide = 3 * (size_t)s->problem->contacts;
  ipm *m = *state = STC_TAKE(s->arena, ipm, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_central_create(s, s->arena, &m->path));
  m->set = &s->settings;
  m->path.ridge = s->settings.ipm.ridge;
  m->path.accuracy = s->settings.ipm.ridge;  // what a step leaves of F is in the next one's
  double **vectors[] = {&m->dz, &m->dy, &m->az, &m->ay, &m->early_z, &m->early_y};
  STC_TAKE_VECTORS(s->arena, wide, vectors);
  return stc_arena_check(s->arena);
}

static bool stays_convex(const stc_solver *s) { return s->settings.ipm.associated == 2; }

// z = y = e in units of the data.
static void begin_ipm(stc_solver *s, ipm *m, int most_drops) {
  stc_central *p = &m->path;
  int n = s->problem->contacts;
  stc_central_refresh(p);
  memset(p->z, 0, 3 * (size_t)n * sizeof *p->z);
  memset(p->y, 0, 3 * (size_t)n * sizeof *p->y);
  for (int c = 0; c < n; c++) {
    p->z[3 * c] = p->mean_q / p->mean_W;
    p->y[3 * c] = p->mean_q;
  }
  memset(p->jacobian->prox, 0, (size_t)n * sizeof(double));
  p->theta = stays_convex(s) ? 0 : 1;
  m->tiny_steps = m->since_gain = m->short_steps = m->drops = 0;
  m->least_gap = m->least_infeasibility = m->least_merit = INFINITY;
  m->resting = 0;
  m->begun = false;
  m->most_drops = most_drops;
  m->lagging = most_drops == 0 && !stays_convex(s);
}

// path.x = D^-1 r for the reactions r that hold all contacts, glued and a little soft:
// (W + soft K) r = -q.
static void hold_all(const stc_solver *s, stc_central *p) {
  const stc_reduced *q = s->problem;
  double soft = s->settings.rule.near * s->settings.rule.near;
  stc_jacobian *J = p->jacobian;
  int d = q->dim;
  size_t blocks = (size_t)q->size * (size_t)d * sizeof(double);
  memset(J->A, 0, blocks);
  memset(J->B, 0, blocks);
  for (int c = 0; c < q->contacts; c++) {
    J->prox[c] = soft * q->kappa[c];
    for (int k = 0; k < d; k++) J->B[(ptrdiff_t)c * d * d + k * (d + 1)] = 1;
  }
  stc_jacobian_factorise(J);
  stc_jacobian_apply(J, q->q, p->dr);  // 0 where the solve was stopped
  memset(J->prox, 0, (size_t)q->contacts * sizeof *J->prox);
  memset(p->x, 0, 3 * (size_t)q->contacts * sizeof *p->x);
  for (int c = 0; c < q->contacts; c++)
    for (int k = 0; k < d; k++)
      if (p->D[3 * c + k] > 0) p->x[3 * c + k] = p->dr[c * d + k] / p->D[3 * c + k];
}

// The mean of the normal components, and whether no more than `share` of x lies outside the cones.
static bool nearly_inside(const double *x, int n, double share, double *mean) {
  double outside = 0, all = 0;
  *mean = 0;
  for (int c = 0; c < n; c++) {
    double N = x[3 * c], T = stc_lorentz_tail(x + 3 * c), out = fmax(0, T - N);
    outside += out * out;
    all += N * N + T * T;
    *mean += fmax(0, N) / n;
  }
  return outside < share * share * all;
}

bool stc_ipm_holds(stc_solver *s) {
  stc_central *p = &((ipm *)s->state)->path;
  double mean;
  stc_central_refresh(p);
  hold_all(s, p);
  return nearly_inside(p->x, s->problem->contacts, s->settings.ipm.outside, &mean);
}

// A structure at rest begins at the reactions that hold it, raised to a share of their mean and
// tilted no more than half way to the boundary, with y on the central path.
static void begin_held(stc_solver *s, stc_central *p) {
  double mean, share = s->settings.ipm.outside;
  int n = s->problem->contacts;
  hold_all(s, p);
  if (!nearly_inside(p->x, n, share, &mean)) return;
  for (int c = 0; c < n; c++) {
    const double *x = p->x + 3 * c;
    double *z = p->z + 3 * c, *y = p->y + 3 * c, T = stc_lorentz_tail(x);
    z[0] = fmax(x[0], share * mean);
    double tilt = 2 * T > z[0] ? z[0] / (2 * T) : 1;
    double square = z[0] * z[0], tau = s->settings.ipm.blocked * p->mean_q * mean;
    for (int k = 1; k < 3; k++) {
      z[k] = tilt * x[k];
      square -= z[k] * z[k];
    }
    for (int k = 0; k < 3; k++) y[k] = (k == 0 ? z[k] : -z[k]) * tau / square;
  }
}

static void start_ipm(stc_solver *s, void *state) {
  ipm *m = state;
  m->early_tau = 0;
  begin_ipm(s, m, s->settings.ipm.associated == 1 ? s->settings.rule.steps : 0);
  begin_held(s, &m->path);
}

static double reach_of(const ipm *m, int c, const double *dz, const double *dy) {
  return fmin(stc_lorentz_reach(m->path.z + 3 * c, dz + 3 * c),
              stc_lorentz_reach(m->path.y + 3 * c, dy + 3 * c));
}

static double reach(const ipm *m, int n, const double *dz, const double *dy) {
  double least = INFINITY;
  for (int c = 0; c < n; c++) least = fmin(least, reach_of(m, c, dz, dy));
  return least;
}

// Before a step that may go `far`: the contacts that block it, those that may go no further than
// twice as far, lose their share of the derivative of the De Saxcé term from the next one on; those
// that may go near the boundary regain it.
static void let_lag(ipm *m, int n, double far) {
  double *share = m->path.share, blocked = m->set->ipm.blocked;
  for (int c = 0; c < n; c++) {
    double own = reach_of(m, c, m->dz, m->dy);
    if (far < blocked && own < 2 * far)
      share[c] = 0;
    else if (own > m->set->ipm.near)
      share[c] = fmin(1, share[c] + 3 * blocked);
  }
}

static double gap_after(const ipm *m, int n, const double *dz, const double *dy, double t) {
  double sum = 0;
  for (int k = 0; k < 3 * n; k++) sum += (m->path.z[k] + t * dz[k]) * (m->path.y[k] + t * dy[k]);
  return sum / n;
}

// x = target e - lambda o lambda, minus (N^-1 dy_a) o (N dz_a) if second.
static void aim(ipm *m, int n, double target, bool second) {
  for (int c = 0; c < n; c++) {
    const stc_scaling *s = &m->path.scaling[c];
    double *x = m->path.x + 3 * c, a[3], b[3], ab[3] = {0};
    stc_lorentz_product(s->lambda, s->lambda, x);
    if (second) {
      stc_lorentz_apply(s->inverse, m->ay + 3 * c, a);
      stc_lorentz_apply(s->N, m->az + 3 * c, b);
      stc_lorentz_product(a, b, ab);
    }
    for (int k = 0; k < 3; k++) x[k] = (k == 0 ? target : 0) - x[k] - ab[k];
  }
}

// Predictor, corrector, and where that is blocked again without the second-order term and aimed at
// half of tau or more; returns how far it may go.
static double direction(ipm *m, int n, double tau) {
  aim(m, n, 0, false);
  stc_central_solve(&m->path, m->az, m->ay);
  if (stc_stop_due(0)) return 0;
  double far = fmin(1, reach(m, n, m->az, m->ay));
  double sigma = pow(gap_after(m, n, m->az, m->ay, far) / tau, 3);
  aim(m, n, sigma * tau, true);
  stc_central_solve(&m->path, m->dz, m->dy);
  far = reach(m, n, m->dz, m->dy);
  if (far >= m->set->ipm.blocked || stc_stop_due(0)) return far;
  aim(m, n, fmax(sigma, 0.5) * tau, false);
  stc_central_solve(&m->path, m->dz, m->dy);
  return reach(m, n, m->dz, m->dy);
}

// Progress is a smaller gap or a smaller F1: the gap grows while the reactions still build up. A
// fold takes more steps than a stall does.
static bool stuck_ipm(ipm *m, double step, double gap, double infeasibility) {
  const double share = m->set->rule.gain, blocked = m->set->ipm.blocked;
  const int steps = m->set->rule.steps, few = m->lagging ? 2 * steps : (steps + 1) / 3;
  bool gained = gap < share * m->least_gap || infeasibility < share * m->least_infeasibility;
  m->tiny_steps = step < blocked * blocked ? m->tiny_steps + 1 : 0;
  m->since_gain = gained ? 0 : m->since_gain + 1;
  m->least_gap = fmin(m->least_gap, gap);
  m->least_infeasibility = fmin(m->least_infeasibility, infeasibility);
  return m->tiny_steps >= few || m->since_gain >= (m->lagging ? 2 * steps : steps) ||
         !isfinite(gap) || gap < DBL_EPSILON / 2 * m->path.mean_q * m->path.mean_q / m->path.mean_W;
}

// theta drops after a few steps below twice `blocked`, and rises with each one above three times.
static void set_theta(ipm *m, double step) {
  const double blocked = m->set->ipm.blocked;
  if (step < 2 * blocked) m->short_steps++;
  if (step > 3 * blocked) {
    m->path.theta = fmin(1, m->path.theta + blocked);
    m->short_steps = 0;
  }
  if (m->short_steps < (m->set->rule.steps + 1) / 3 || m->drops == m->most_drops) return;
  m->path.theta = m->short_steps = m->tiny_steps = m->since_gain = 0;
  m->drops++;
}

// The part of the way to the boundary that a step takes, nearer the longer it is.
static double share_of(const stc_settings *set, double far) {
  double near = set->ipm.near, most = (1 - set->rule.inner) * (1 - near);
  return near + most * pow(fmin(1, far), 2);
}

// Near the answer, where Newton's method may take over, an iterate that is not half as far off as
// before is to come soon. A part that is content with a gain is not handed over: with it three of
// twenty piles of 340 spheres stall in schwarz.
static bool rests_near(ipm *m, const stc_solver *s) {
  if (s->parent && s->parent->gain > 0) return false;
  bool gained = s->merit < 0.5 * m->least_merit;
  m->resting = gained ? 0 : m->resting + 1;
  if (gained) m->least_merit = s->merit;
  int most = m->lagging ? 2 * s->settings.rule.steps : s->settings.rule.steps / 2;
  return s->best_merit < s->settings.rule.near && m->resting > most;
}

static double norm(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

// Keeps the point for the path while it is early and on the way of theta = 1.
static void keep_early(ipm *m, const stc_solver *s) {
  const stc_central *p = &m->path;
  size_t bytes = 3 * (size_t)s->problem->contacts * sizeof(double);
  double tau = stc_central_gap(p), first = p->mean_q * p->mean_q / p->mean_W;
  if (p->theta < 1 || m->lagging || tau < sqrt(s->settings.path.cross) * first) return;
  if (!(stc_central_spread(p, tau) < 2 * s->settings.path.centred)) return;
  memcpy(m->early_z, p->z, bytes);
  memcpy(m->early_y, p->y, bytes);
  m->early_tau = tau;
}

double stc_ipm_early(const stc_solver *s, double *z, double *y) {
  const ipm *m = s->state;
  size_t bytes = 3 * (size_t)s->problem->contacts * sizeof(double);
  if (m->early_tau == 0) return 0;
  memcpy(z, m->early_z, bytes);
  memcpy(y, m->early_y, bytes);
  return m->early_tau;
}

static stc_step iterate_ipm(stc_solver *s, void *state) {
  ipm *m = state;
  stc_central *p = &m->path;
  int n = s->problem->contacts;
  s->done = 0;
  if (m->begun && rests_near(m, s)) return STC_STEP_STALLED;
  m->begun = true;
  s->done = 1;
  stc_central_reactions(p, p->z, s->r);
  stc_reduced_velocity(s->problem, s->r, s->work, s->u);
  stc_central_residual(p, p->y, s->u, p->F1);
  for (int k = 0; k < 3 * n; k++) p->rho[k] = -p->F1[k];
  keep_early(m, s);
  stc_central_factorise(p);
  if (stc_solver_due(s)) return STC_STEP_CUT;
  double far = direction(m, n, stc_central_gap(p));
  if (stc_solver_due(s)) return STC_STEP_CUT;
  if (m->lagging) let_lag(m, n, far);
  double step = fmin(1, share_of(m->set, far) * far);
  for (int k = 0; k < 3 * n; k++) {
    p->z[k] += step * m->dz[k];
    p->y[k] += step * m->dy[k];
  }
  stc_central_reactions(p, p->z, s->r);
  if (!stays_convex(s)) set_theta(m, step);
  bool over = stuck_ipm(m, step, stc_central_gap(p), norm(p->F1, 3 * n));
  if (!over) return STC_STEP_ON;
  if (m->drops == 0) return STC_STEP_STALLED;
  begin_ipm(s, m, 0);
  return STC_STEP_ON;
}

STC_METHOD_IS(
    ipm, .name = "ipm",
    .summary = "interior point with the De Saxce term implicit; hard problems, then crossover",
    .setup = setup_ipm, .start = start_ipm, .iterate = iterate_ipm);
