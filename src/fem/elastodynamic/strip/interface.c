// The contact surface: its law node by node, as a residual that vanishes where the law holds,
//   g_N = f_N - [f_N + r_N (xi - eta f_N/a)] cut to [0, a cap]
//   g_T = f_T - F s/|s|                          sliding: |s| > F + r eta,   s = f_T + r w
//       = (eta f_T - F w) / (eta + F/r)          stuck                F = f_N mu(|w|)
// with the derivatives that Newton's method takes.
#include "interface.h"

#include <string.h>

#include "../../../base/fail.h"

/// Slip rates below this part of the one over which mu changes are rounding.
static const double STILL = 1e-9;

stc_error stc_interface_create(int nodes, int dim, const stc_interface_law *law,
                               stc_interface *surface) {
  *surface = (stc_interface){.nodes = nodes, .dim = dim, .size = nodes * dim, .law = *law};
  stc_arena *arena = &surface->arena;
  size_t blocks = (size_t)nodes * (size_t)(dim * dim), size = (size_t)surface->size;
  double **const by_node[] = {&surface->area, &surface->height, &surface->r_n, &surface->r_t};
  double **const by_component[] = {&surface->v_free,   &surface->f,    &surface->v,
                                   &surface->g,        &surface->best, &surface->kept,
                                   &surface->w_before, &surface->tau};
  double **const by_block[] = {&surface->Jf, &surface->Jv};
  STC_TAKE_ZEROS(arena, nodes, by_node);
  STC_TAKE_ZEROS(arena, size, by_component);
  STC_TAKE_ZEROS(arena, blocks, by_block);
  surface->held = STC_TAKE(arena, bool, size);
  surface->W = (stc_bsr){.rows = nodes, .dim = dim};
  surface->W.ptr = STC_TAKE(arena, int, (size_t)nodes + 1);
  surface->W.diag = STC_TAKE(arena, int, nodes);
  return stc_arena_check(arena);
}

void stc_interface_free(stc_interface *surface) {
  stc_sparse_free(&surface->solver);
  stc_release(&surface->W.col);
  stc_release(&surface->W.val);
  stc_arena_free(&surface->arena);
}

void stc_interface_move(stc_interface *s) {
  memcpy(s->v, s->v_free, (size_t)s->size * sizeof *s->v);
  stc_bsr_multiply(&s->W, s->f, 1, s->v);
}

// --- The law of a node ---

/// One node while its law is looked at.
typedef struct stc_interface_point {
  int tangents;
  double f_n, mu, slope;  ///< slope = mu'
  double F, r, eta;
  double w[2], along[2];  ///< along = w/|w|
  const double *f;        ///< [tangents]
  double s[2], length;    ///< trial and |s|
} stc_interface_point;

static bool normal(const stc_interface *s, int i, double *g, double *Jf, double *Jv) {
  const stc_interface_law *law = &s->law;
  double f = s->f[i * s->dim], a = s->area[i], r = s->r_n[i];
  double xi = -(s->height[i] + law->lever * s->v[i * s->dim]);
  double trial = f + r * (xi - law->eta_n * f / a);
  // Under the law itself a node that no force moves has no pressure of its own: it is 0.
  bool open = !(trial > 0) || (s->held[i * s->dim] && s->law.eta_n == 0),
       capped = trial > a * law->cap;
  *g = open ? f : capped ? f - a * law->cap : r * (law->eta_n * f / a - xi);
  if (Jf) {
    *Jf = open || capped ? 1 : r * law->eta_n / a;
    *Jv = open || capped ? 0 : r * law->lever;
  }
  return !open;
}

static stc_interface_point point_of(const stc_interface *s, int i) {
  stc_interface_point p = {.tangents = s->dim - 1, .f = s->f + i * s->dim + 1};
  stc_interface_slip(s, i, p.w);
  double speed = stc_interface_norm(p.tangents, p.w);
  p.f_n = fmax(p.f[-1], 0);
  p.mu = stc_interface_mu(&s->law, speed);
  p.slope = stc_interface_slope(&s->law, speed);
  p.F = p.f_n * p.mu;
  p.r = s->r_t[i];
  p.eta = s->law.eta_t;
  for (int k = 0; k < p.tangents; k++) p.s[k] = p.f[k] + p.r * p.w[k];
  p.length = stc_interface_norm(p.tangents, p.s);
  for (int k = 0; k < p.tangents; k++)
    p.along[k] = speed > 0 ? p.w[k] / speed : p.length > 0 ? p.s[k] / p.length : 0;
  return p;
}

// Rows of the tangents in the blocks of the node; J has dim columns, the normal first.
static void stuck_node(const stc_interface_point *p, double *g, double *Jf, double *Jv) {
  double D = p->eta + p->F / p->r;
  int dim = p->tangents + 1;
  for (int k = 0; k < p->tangents; k++) {
    g[k] = D > 0 ? (p->eta * p->f[k] - p->F * p->w[k]) / D : p->f[k];
    if (!Jf) continue;
    Jf[k * dim + k + 1] = D > 0 ? p->eta / D : 1;
    if (!(D > 0)) continue;
    if (p->f_n > 0) Jf[k * dim] = -p->mu * p->w[k] / D;
    Jv[k * dim + k + 1] = p->F / D;
    for (int l = 0; l < p->tangents; l++)
      Jv[k * dim + l + 1] += p->slope * p->f_n * p->w[k] * p->along[l] / D;
  }
}

static void sliding(const stc_interface_point *p, double *g, double *Jf, double *Jv) {
  int dim = p->tangents + 1;
  double d[2] = {0}, stiffness = p->F / p->length;
  for (int k = 0; k < p->tangents; k++) d[k] = p->s[k] / p->length;
  for (int k = 0; k < p->tangents; k++) {
    g[k] = p->f[k] - p->F * d[k];
    if (!Jf) continue;
    if (p->f_n > 0) Jf[k * dim] = -p->mu * d[k];
    for (int l = 0; l < p->tangents; l++) {
      double across = stiffness * ((k == l) - d[k] * d[l]);
      Jf[k * dim + l + 1] = (k == l) - across;
      Jv[k * dim + l + 1] = p->r * across + p->slope * p->f_n * d[k] * p->along[l];
    }
  }
}

// A component that no force moves slides where the support moves along it.
static bool is_dragged(const stc_interface *s, int i, const stc_interface_point *p) {
  for (int k = 0; k < p->tangents; k++)
    if (s->held[i * s->dim + k + 1] && fabs(p->w[k]) > STILL * stc_interface_speed(&s->law))
      return true;
  return false;
}

static bool tangential(const stc_interface *s, int i, double *g, double *Jf, double *Jv) {
  stc_interface_point p = point_of(s, i);
  bool exact = p.eta == 0;
  bool slides = p.length > p.F + p.r * p.eta || (exact && p.length > 0 && is_dragged(s, i, &p));
  if (slides)
    sliding(&p, g, Jf, Jv);
  else
    stuck_node(&p, g, Jf, Jv);
  // Under the law itself a component that no force moves leaves its friction open while the node
  // sticks: it is 0.
  if (!slides && exact) {
    int dim = s->dim;
    for (int k = 0; k < p.tangents; k++) {
      if (!s->held[i * dim + k + 1]) continue;
      g[k] = p.f[k];
      if (!Jf) continue;
      for (int l = 0; l < dim; l++) Jf[k * dim + l] = l == k + 1, Jv[k * dim + l] = 0;
    }
  }
  return slides;
}

stc_interface_status stc_interface_node(const stc_interface *s, int i, double *g, double *Jf,
                                        double *Jv) {
  size_t bytes = (size_t)(s->dim * s->dim) * sizeof *Jf;
  if (Jf) memset(Jf, 0, bytes), memset(Jv, 0, bytes);
  bool closed = normal(s, i, g, Jf, Jv), slides = false;
  if (s->dim > 1)
    slides = tangential(s, i, g + 1, Jf ? Jf + s->dim : NULL, Jv ? Jv + s->dim : NULL);
  if (!closed) return STC_INTERFACE_OPEN;
  return slides ? STC_INTERFACE_SLIDING : STC_INTERFACE_STUCK;
}

// --- All nodes ---

// What residuals are compared with: the greatest force, or what would stop the fastest node.
static double force_scale(const stc_interface *s) {
  double force = 0, stop = 0;
  for (int i = 0; i < s->nodes; i++) {
    const double *v = s->v_free + i * s->dim;
    force = fmax(force, stc_interface_norm(s->dim, s->f + i * s->dim));
    stop = fmax(stop, s->r_n[i] * s->law.lever * fabs(v[0]));
    for (int k = 1; k < s->dim; k++) stop = fmax(stop, s->r_t[i] * fabs(v[k]));
  }
  return force > 0 ? force : stop;
}

double stc_interface_residual(const stc_interface *s) {
  double worst = 0, scale = force_scale(s), g[STC_INTERFACE_MAX];
  for (int i = 0; i < s->nodes; i++) {
    stc_interface_node(s, i, g, NULL, NULL);
    double size = stc_interface_norm(s->dim, g);
    if (!isfinite(size)) return INFINITY;
    worst = fmax(worst, size);
  }
  return scale > 0 ? worst / scale : worst;
}

double stc_interface_pressure(const stc_interface *s) {
  double p = 0;
  for (int i = 0; i < s->nodes; i++) p = fmax(p, s->f[i * s->dim] / s->area[i]);
  return p;
}

double stc_interface_steepness(const stc_interface *s) {
  double most = 0;
  for (int i = 0; i < s->nodes; i++) most = fmax(most, s->f[i * s->dim] / s->r_t[i]);
  return most * stc_interface_steepest(&s->law);
}
