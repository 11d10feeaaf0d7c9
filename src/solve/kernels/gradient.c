// The steps of accelerated projected gradients for any problem:
//   y = r + beta (r - old),   next = P_K(y - (W y + q + s e_N) / (L k)).
#include "gradient.h"

#include <math.h>
#include <string.h>

stc_error stc_apgd_take(stc_solver *s, stc_apgd *a) {
  double **vectors[] = {&a->old, &a->y, &a->next, &a->Wr, &a->Wold, &a->Wy, &a->Wnext, &a->k};
  STC_TAKE_VECTORS(s->arena, s->problem->size, vectors);
  a->s = STC_TAKE_RAW(s->arena, double, s->problem->contacts);
  a->stretch = STC_TAKE_RAW(s->arena, double, s->problem->contacts);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_active_take(s, &a->active));
  return stc_rigid_take(s, &a->rigid);
}

// ---- the metric ----

// Laws with spin or rolling keep one unit for all of their components.
void stc_apgd_set_metric(const stc_reduced *p, stc_apgd *a) {
  int d = p->dim;
  for (int c = 0; c < p->contacts; c++) {
    const double *W = p->diagonal + (ptrdiff_t)c * d * d;
    double N = W[0], T = 0;
    for (int k = 1; k < d; k++) T += W[k * (d + 1)] / (d - 1);
    bool round = p->any_law || !(N > 0) || !(T > 0);
    for (int k = 0; k < d; k++) a->k[c * d + k] = round ? p->kappa[c] : k == 0 ? N : T;
    a->stretch[c] = round ? 1 : sqrt(T / N);
  }
  stc_rigid_start(p, a->k, &a->rigid);
}

// ---- one step ----

// Fills y, Wy and next; returns sum k (y - next).(next - r), which is positive where the momentum
// points uphill.
static double project_step(const stc_reduced *p, stc_apgd *a, const double *r, double beta) {
  int d = p->dim;
  double uphill = 0;
  for (int c = 0; c < p->contacts; c++) {
    double x[STC_MAX_DIM];
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      a->y[at] = r[at] + beta * (r[at] - a->old[at]);
      a->Wy[at] = a->Wr[at] + beta * (a->Wr[at] - a->Wold[at]);
      x[k] = a->y[at] - (a->Wy[at] + p->q[at] + (k == 0 ? a->s[c] : 0)) / (a->L * a->k[at]);
    }
    // y = P_K(x) in the metric: in stretched lengths, in which the metric is round. x is
    // overwritten.
    double *y = a->next + c * d;
    stc_law law = p->law[c];
    double stretch = a->stretch[c];
    law.mu[0] *= stretch;
    law.mu[1] *= stretch;
    for (int k = 1; k < p->dim; k++) x[k] *= stretch;
    stc_law_project(&law, x, y);
    for (int k = 1; k < p->dim; k++) y[k] /= stretch;
    for (int k = c * d; k < (c + 1) * d; k++)
      uphill += a->k[k] * (a->y[k] - a->next[k]) * (a->next[k] - r[k]);
  }
  return uphill;
}

static void step(stc_solver *s, stc_apgd *a) {
  const stc_reduced *p = s->problem;
  double uphill = project_step(p, a, s->r, (a->t - 1) / stc_apgd_grow(a->t));
  if (uphill > 0 && a->t > 1) {
    a->t = 1;
    project_step(p, a, s->r, 0);
  }
  stc_reduced_multiply(p, a->next, s->work, a->Wnext);
  // d.W d / d.K d for d = next - y; 0 where nothing moved.
  double dWd = 0, dKd = 0;
  for (int k = 0; k < p->size; k++) {
    double d = a->next[k] - a->y[k];
    dWd += d * (a->Wnext[k] - a->Wy[k]);
    dKd += d * d * a->k[k];
  }
  double seen = dKd > 0 ? dWd / dKd : 0;
  if (seen > a->L) {  // too long a step: again from r, without momentum
    a->L = s->settings.apgd.margin * seen;
    a->t = 1;
    return;
  }
  a->t = fmin(a->bound, stc_apgd_grow(a->t));
  // old <- r <- next, with their products.
  double *product = a->Wold;
  stc_apgd_rotate(s, a);
  a->Wold = a->Wr;
  a->Wr = a->Wnext;
  a->Wnext = product;
}

void stc_apgd_advance(stc_solver *s, stc_apgd *a, long count) {
  if (a->rigid.usable)
    stc_rigid_advance(s, a, count);
  else
    for (long k = 0; k < count && !stc_solver_due(s); k++) step(s, a);
}
