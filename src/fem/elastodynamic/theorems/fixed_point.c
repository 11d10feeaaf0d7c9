// Theorem 2: w = G(w), where G takes a motion to the forces of its contact, F = p mu Dir with
// p = J(xi), and these to the motion they drive, over a window of steps. Both laws are rounded, so
// that F is a function of the motion. What an iteration changes obeys the linear equation of w
// driven by the change of F: it is stepped by itself, and its energy norm is the change.
#include "../strip/strip_data.h"

#include <string.h>

#include "../../../base/fail.h"

/// Iterations over which the last rate is taken.
enum { LAST = 5 };

/// Powers of G that are tried for the theorem's bound.
static const double MOST_POWERS = 1e15;

/// A window of steps: at every one, [steps*size of the surface] or [steps*nodes].
typedef struct window {
  stc_strip *strip;
  int steps;
  double *v, *height;  ///< velocity and height of the surface, without F and then with it
  double *f, *change;  ///< forces, and what an iteration changes of them
  double *tau;         ///< [steps*nodes*(dim-1)]
  double *w, *w_t;     ///< [size of the strip] of the change
  double *measure;     ///< [limit] greatest energy norm of each iteration
  double *start;       ///< the state of the strip
  double pressure;     ///< the greatest
} window;

static stc_error open_window(stc_strip *s, int steps, int limit, stc_arena *work, window *w) {
  size_t size = (size_t)s->surface.size * (size_t)steps;
  size_t nodes = (size_t)s->contacts * (size_t)steps, state = stc_strip_state_size(s);
  *w = (window){.strip = s, .steps = steps};
  w->v = STC_TAKE(work, double, size);
  w->f = STC_TAKE(work, double, size);
  w->change = STC_TAKE(work, double, size);
  w->height = STC_TAKE(work, double, nodes);
  w->tau = STC_TAKE(work, double, nodes *(size_t)(s->dim - 1));
  w->w = STC_TAKE(work, double, s->size);
  w->w_t = STC_TAKE(work, double, s->size);
  w->measure = STC_TAKE(work, double, limit + 1);
  w->start = STC_TAKE(work, double, state);
  STC_TRY(stc_arena_check(work));
  stc_strip_save(s, w->start);
  return STC_OK;
}

// --- The motion without contact forces ---

// Steps of the strip with F = 0; what the surface does.
static stc_error free_motion(window *w) {
  stc_strip *s = w->strip;
  for (int n = 0; n < w->steps; n++) {
    double *v = w->v + (size_t)n * (size_t)s->surface.size;
    for (int i = 0; i < s->contacts; i++)
      w->height[n * s->contacts + i] = s->gap[i] + stc_strip_component(s, i, 0, s->u);
    STC_TRY(stc_strip_free_step(s));
    for (int i = 0; i < s->surface.size; i++)
      v[i] = stc_strip_component(s, i / s->dim, i % s->dim, s->mid);
    size_t tangents = (size_t)(s->contacts * (s->dim - 1));
    memcpy(w->tau + (size_t)n * tangents, s->surface.tau, tangents * sizeof *w->tau);
  }
  return STC_OK;
}

// --- F of a motion ---

// The forces of node i: contact, then friction, both rounded.
static void force_of(const window *w, int n, int i, double *f) {
  const stc_strip *s = w->strip;
  const stc_interface_law *law = &s->surface.law;
  const double *v = w->v + (size_t)n * (size_t)s->surface.size + i * s->dim;
  const double *tau = w->tau + (size_t)(n * s->contacts + i) * (size_t)(s->dim - 1);
  double slip[2] = {0}, xi = -(w->height[n * s->contacts + i] + law->lever * v[0]);
  for (int k = 1; k < s->dim; k++) slip[k - 1] = tau[k - 1] - v[k];
  double speed = stc_interface_norm(s->dim - 1, slip);
  f[0] = s->surface.area[i] * fmin(fmax(xi, 0) / law->eta_n, law->cap);
  double over = fmax(speed, law->eta_t), mu = stc_interface_mu(law, speed);
  for (int k = 1; k < s->dim; k++) f[k] = f[0] * mu * slip[k - 1] / over;
}

// F of the motion at hand; what it changes.
static void take_forces(window *w) {
  const stc_strip *s = w->strip;
  for (int n = 0; n < w->steps; n++)
    for (int i = 0; i < s->contacts; i++) {
      size_t at = (size_t)n * (size_t)s->surface.size + (size_t)(i * s->dim);
      double f[STC_INTERFACE_MAX];
      force_of(w, n, i, f);
      w->pressure = fmax(w->pressure, f[0] / s->surface.area[i]);
      for (int k = 0; k < s->dim; k++) {
        w->change[at + (size_t)k] = f[k] - w->f[at + (size_t)k];
        w->f[at + (size_t)k] = f[k];
      }
    }
}

// --- E: the motion of a change of F ---

static double energy_norm(window *w) {
  stc_strip *s = w->strip;
  double sum = 0, *Kw = s->load, *Mw = s->pull;
  stc_csr_multiply(&s->K, w->w, 0, Kw);
  stc_csr_multiply(&s->M, w->w_t, 0, Mw);
  for (int i = 0; i < s->size; i++) sum += w->w[i] * Kw[i] + w->w_t[i] * Mw[i];
  return sqrt(fmax(sum, 0));
}

static stc_error step_change(window *w, int n) {
  stc_strip *s = w->strip;
  for (int i = 0; i < s->contacts; i++)
    w->height[n * s->contacts + i] += stc_strip_component(s, i, 0, w->w);
  stc_strip_pull(s, s->dim, w->change + (size_t)n * (size_t)s->surface.size, s->pull);
  STC_TRY(stc_driven_step(s, w->w, w->w_t));
  double *v = w->v + (size_t)n * (size_t)s->surface.size;
  for (int i = 0; i < s->surface.size; i++)
    v[i] += stc_strip_component(s, i / s->dim, i % s->dim, s->mid);
  return STC_OK;
}

// One iteration; the greatest energy norm of what it changes.
static stc_error iterate(window *w, double *change) {
  size_t bytes = (size_t)w->strip->size * sizeof *w->w;
  take_forces(w);
  memset(w->w, 0, bytes);
  memset(w->w_t, 0, bytes);
  *change = 0;
  for (int n = 0; n < w->steps; n++) {
    STC_TRY(step_change(w, n));
    *change = fmax(*change, energy_norm(w));
  }
  return STC_OK;
}

// --- Factors ---

// The least p for which every |change k + p| is below |change k|, and the greatest ratio, of
// changes above `least`.
static void find_power(const double *measure, int count, double least, stc_fixed_point *r) {
  while (count > 0 && !(measure[count - 1] > least)) count--;
  for (int p = 1; p < count && r->p == 0; p++) {
    double worst = 0;
    for (int k = 0; k + p < count; k++) worst = fmax(worst, measure[k + p] / measure[k]);
    if (worst < 1) r->p = p, r->factor = worst;
  }
  int last = count - 1 < LAST ? count - 1 : LAST;
  if (last > 0) r->rate = pow(measure[count - 1] / measure[count - 1 - last], 1. / last);
}

// ln of the bound of |G^p w' - G^p w|/|w' - w|: half of ln (X^p/p!).
static double log_bound(double x, double p) { return (p * log(x) - lgamma(p + 1)) / 2; }

// Theorem 1 p times, with the Lipschitz constant of F: X = trace/(alpha_0 eps) exp(alpha T) Lip^2
// T.
static void bound_power(const window *w, stc_fixed_point *r) {
  const stc_strip *s = w->strip;
  const stc_interface_law *law = &s->surface.law;
  const stc_strip_estimate *e = &s->followed.estimate;
  if (!s->followed.on) return;
  double mu = stc_interface_greatest(law), T = w->steps * s->settings.dt;
  double direction = mu / law->eta_t + stc_interface_steepest(law);
  double normal = sqrt(1 + mu * mu) / law->eta_n;
  double trace = e->trace / s->settings.eps;
  double lipschitz =
      2 * trace * (normal * normal * e->mass + w->pressure * w->pressure * direction * direction);
  double X = trace / e->alpha_0 * exp(e->alpha * T) * lipschitz * T, low = 1, high = 2;
  while (high < MOST_POWERS && log_bound(X, high) >= 0) low = high, high *= 2;
  while (high - low > 1) {
    double middle = floor((low + high) / 2);
    *(log_bound(X, middle) < 0 ? &high : &low) = middle;
  }
  r->bound_p = log_bound(X, 1) < 0 ? 1 : high;
  r->bound = exp(log_bound(X, r->bound_p));
}

// --- The steps themselves ---

static stc_error compare_steps(window *w, stc_fixed_point *r) {
  stc_strip *s = w->strip;
  double most = 0, largest = 0;
  STC_TRY(stc_strip_restore(s, w->start, stc_strip_state_size(s)));
  for (int n = 0; n < w->steps; n++) {
    stc_strip_report report;
    STC_TRY(stc_strip_step(s, &report));
    const double *f = w->f + (size_t)n * (size_t)s->surface.size;
    for (int i = 0; i < s->surface.size; i++) {
      most = fmax(most, fabs(f[i] - s->surface.f[i]));
      largest = fmax(largest, fabs(s->surface.f[i]));
    }
  }
  r->difference = largest > 0 ? most / largest : most;
  return STC_OK;
}

static stc_error check_iteration(const stc_strip *s, int steps, double tol, int limit) {
  if (!(s->settings.eta_n > 0) || !(s->settings.eta_t > 0))
    return stc_fail(STC_ERR_VALUE,
                    "eta_n = %g, eta_t = %g: the theorem rounds both laws; give both",
                    s->settings.eta_n, s->settings.eta_t);
  if (steps < 1 || limit < 1)
    return stc_fail(STC_ERR_VALUE, "%d steps, %d iterations; give 1 or more", steps, limit);
  if (tol > 0 && isfinite(tol)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "tol = %g; give a positive number", tol);
}

static stc_error iterate_window(window *w, double tol, int limit, stc_fixed_point *r) {
  const stc_strip *s = w->strip;
  double largest = 0;
  STC_TRY(free_motion(w));
  for (int k = 0; k < limit && !r->converged; k++) {
    double *change = &w->measure[k];
    STC_TRY(iterate(w, change));
    r->iterations++;
    largest = fmax(largest, *change);
    r->change = largest > 0 ? *change / largest : 0;
    r->converged = r->change <= tol;
    if (!isfinite(*change)) break;
  }
  r->instant =
      s->surface.b * w->pressure * stc_interface_greatest(&s->surface.law) / s->settings.eta_t;
  find_power(w->measure, r->iterations, tol * largest, r);
  bound_power(w, r);
  return compare_steps(w, r);
}

stc_error stc_strip_iterate(stc_strip *strip, int steps, double tol, int limit,
                            stc_fixed_point *result) {
  if (!strip || !result)
    return stc_fail(STC_ERR_ARGUMENT, "stc_strip_iterate needs a strip and a result");
  *result = (stc_fixed_point){0};
  STC_TRY(check_iteration(strip, steps, tol, limit));
  STC_ARENA work = {0};
  window w;
  STC_TRY(open_window(strip, steps, limit, &work, &w));
  return iterate_window(&w, tol, limit, result);
}
