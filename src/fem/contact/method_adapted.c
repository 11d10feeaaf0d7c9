// Adapted augmented Lagrangian: every contact finds its own penalty from the history of its gap
// [Bussetta, Marceau and Ponthot 2009, Algorithms 1 to 3]. Where the print leaves a choice:
// |g| in both tests; the logic of a change of sign only for a contact that pressed before; Eval
// stays until the next change of sign or augmentation; the tangential penalty is set anew after an
// augmentation while the reversible slip is above its limit. The penalties adapt once, up to the
// first augmentation; from there on they stay, statuses are nested, and multipliers take over until
// the final gap holds.
#include "contact_method.h"
#include "layer.h"

#include <math.h>
#include <string.h>

// A penalty beyond this multiple of the bodies' stiffness only adds rounding errors.
#define MOST_STIFF 1e7

// A first penalty above this part of the stiffness makes statuses jump from one linear solve to the
// next in bodies that yield: they are nested from the beginning.
#define STIFF_START 0.05

// Penalties that have not settled after this many iterations chatter: they are frozen as they are.
enum { MAX_ADAPTATIONS = 30 };

// A contact that closes after the adaptation has this penalty at least, in units of the stiffness.
#define LATE_STIFF 10

static void begin_adapted(stc_contact_solver *m, const double *r) {
  m->augmentations = 0;
  m->nested = m->layered;
  m->adaptations = 0;
  for (int k = 0; k < m->count; k++)
    m->nested = m->nested || (m->yields && m->eps0[k] > STIFF_START * m->stiffness[k]);
  for (int k = 0; k < m->count; k++) {
    stc_record *s = &m->record[k];
    const double *rk = r + (ptrdiff_t)k * m->dim;
    *s = (stc_record){.eps_n = m->eps0[k], .eps_t = m->eps0[k], .fresh = true};
    if (!(m->area[k] > 0)) continue;
    s->lam_n = s->t_prev = s->tangent = rk[0] / m->area[k];
    for (int a = 1; a < m->dim; a++) s->lam_t[a - 1] = rk[a] / m->area[k];
  }
}

// Algorithm 2.
static double adapt(double eps, double g, double g_prev, double g_max) {
  double now = fabs(g), before = fabs(g_prev), change = fabs(g - g_prev);
  if (g * g_prev < 0)
    return before > g_max ? eps * before / now * (now + g_max) / change : eps * before / (10 * now);
  if (now <= g_max) return eps;
  double root = sqrt(now / g_max - 1) + 1;
  if (change > fmax(fmax(now, before) / 10, 5 * g_max)) return 2 * eps;
  if (0.99 * before < now && now < 1.01 * before && 1.01 * before < 10 * g_max)
    return eps * root * root;
  if (now > 1.01 * before) return 2 * eps * before / now;
  return eps * root;
}

// Algorithm 1, up to the traction.
static void adapt_normal(stc_contact_solver *m, int k) {
  stc_record *s = &m->record[k];
  bool pressed = s->t_prev > 0, turned = s->g * s->g_prev < 0 && pressed;
  s->nchange = turned ? s->nchange + 1 : 0;
  if (turned) s->eval = s->nchange >= 2 ? 0 : s->eps_n * s->g_prev;
  if (pressed)
    s->eps_n = fmin(adapt(s->eps_n, s->g, s->g_prev, m->limit[k]),
                    fmax(MOST_STIFF * m->stiffness[k], m->eps0[k]));
  else if (s->g >= 0)
    s->eps_n = m->eps0[k];
}

// mu t_n / (10 slip): a tenth of what friction can bear.
static void set_tangential(stc_contact_solver *m, int k, double slip) {
  stc_record *s = &m->record[k];
  s->eps_t = fmin(m->mu[k] * s->t / (10 * fmax(slip, m->limit[k])), MOST_STIFF * m->stiffness[k]);
}

// Algorithm 3 between augmentations.
static void adapt_tangential(stc_contact_solver *m, int k) {
  stc_record *s = &m->record[k];
  if (!(m->mu[k] > 0) || !(s->t > 0)) return;
  if (!(s->t_prev > 0))
    set_tangential(m, k, hypot(s->slip[0], s->slip[1]));
  else if (s->slip[0] * s->slip_prev[0] + s->slip[1] * s->slip_prev[1] < 0)
    s->eps_t /= 2;
}

// The iterate moves on: what was now is before.
static void advance_multiplier(stc_contact_solver *m, int k, const double *v) {
  stc_record *s = &m->record[k];
  double slope;
  s->g_prev = s->g;
  s->g = -v[0];
  if (m->layer[k]) s->g -= stc_layer_depth(m->layer[k], stc_penalty_pressure(m, k, v[0]), &slope);
  memcpy(s->slip_prev, s->slip, sizeof s->slip);
  for (int a = 1; a < m->dim; a++) s->slip[a - 1] = v[a];
  if (s->fresh) return;
  s->t_prev = s->t;
  if (!m->augmentations) adapt_normal(m, k);
}

// Largest penetration and reversible slip, over what they may be in the end.
static double left(const stc_contact_solver *m) {
  double worst = stc_penalty_worst(m);
  for (int k = 0; k < m->count; k++)
    if (m->mu[k] > 0 && m->record[k].t > 0)
      worst = fmax(worst, stc_penalty_reversible(m, k) / m->limit[k]);
  return worst / m->shrink;
}

static void augment_all(stc_contact_solver *m, const double *v, double *r) {
  for (int k = 0; k < m->count; k++) {
    stc_record *s = &m->record[k];
    double back = stc_penalty_reversible(m, k);
    s->lam_n = s->t;
    s->eval = 0;
    memcpy(s->lam_t, s->t_t, sizeof s->lam_t);
    s->eps_n = fmax(s->eps_n, LATE_STIFF * m->stiffness[k]);
    if (!(s->t > 0))
      s->eps_t = LATE_STIFF * m->stiffness[k];
    else if (m->mu[k] > 0 && back >= m->shrink * m->limit[k])
      set_tangential(m, k, back);
  }
  m->augmentations++;
  m->nested = true;
  stc_penalty_apply(m, v, r);
}

static void update_adapted(stc_contact_solver *m, const double *v, double *r, double *error) {
  for (int k = 0; k < m->count; k++)
    if (m->area[k] > 0) advance_multiplier(m, k, v + (ptrdiff_t)k * m->dim);
  stc_penalty_apply(m, v, r);
  for (int k = 0; k < m->count; k++) {
    if (!m->record[k].fresh && m->area[k] > 0 && !m->augmentations) adapt_tangential(m, k);
    m->record[k].fresh = false;
  }
  stc_penalty_apply(m, v, r);
  *error = m->augmentations ? 0 : stc_penalty_worst(m);
  if (!m->augmentations && m->adaptations++ == MAX_ADAPTATIONS) augment_all(m, v, r);
}

static bool proceed(stc_contact_solver *m, const double *v, double *r) {
  if (!m->planned || left(m) <= 1) return false;
  augment_all(m, v, r);
  return true;
}

const stc_method_table *stc_method_adapted(void) {
  static const stc_method_table table = {"adapted", begin_adapted, update_adapted, proceed,
                                         stc_penalty_solve};
  return &table;
}
