// Penalty: eps0 as it stands. Uzawa: lam <- t until the penetration is below its limit.
#include "contact_method.h"
#include "layer.h"

#include <math.h>
#include <string.h>

// Tractions of the step before: friction remembers them, Uzawa starts from them.
static void begin_penalty(stc_contact_solver *m, const double *r) {
  m->augmentations = 0;
  m->nested = m->damped || m->layered;
  for (int k = 0; k < m->count; k++) {
    const double *rk = r + (ptrdiff_t)k * m->dim;
    m->record[k] = (stc_record){.eps_n = m->eps0[k], .eps_t = m->eps0[k]};
    if (m->area[k] > 0) m->record[k].tangent = rk[0] / m->area[k];
    for (int a = 1; a < m->dim && m->area[k] > 0; a++)
      m->record[k].lam_t[a - 1] = rk[a] / m->area[k];
  }
}

static void begin_augmented(stc_contact_solver *m, const double *r) {
  begin_penalty(m, r);
  for (int k = 0; k < m->count; k++)
    if (m->area[k] > 0) m->record[k].lam_n = r[(ptrdiff_t)k * m->dim] / m->area[k];
}

static void update_penalty(stc_contact_solver *m, const double *v, double *r, double *error) {
  stc_penalty_apply(m, v, r);
  for (int k = 0; k < m->count; k++) {
    double slope, v_N = v[(ptrdiff_t)k * m->dim];
    m->record[k].g = -v_N;
    if (m->layer[k]) m->record[k].g -= stc_layer_depth(m->layer[k], m->record[k].t, &slope);
    for (int a = 1; a < m->dim; a++) m->record[k].slip[a - 1] = v[(ptrdiff_t)k * m->dim + a];
  }
  *error = 0;
}

static bool stay(stc_contact_solver *m, const double *v, double *r) {
  (void)m, (void)v, (void)r;
  return false;
}

static bool augment(stc_contact_solver *m, const double *v, double *r) {
  (void)v, (void)r;
  double worst = stc_penalty_worst(m);
  for (int k = 0; k < m->count; k++)
    if (m->mu[k] > 0) worst = fmax(worst, stc_penalty_reversible(m, k) / m->limit[k]);
  if (worst <= 1) return false;
  for (int k = 0; k < m->count; k++) {
    stc_record *s = &m->record[k];
    s->lam_n = s->t;
    memcpy(s->lam_t, s->t_t, sizeof s->lam_t);
  }
  m->augmentations++;
  stc_penalty_apply(m, v, r);
  return true;
}

const stc_method_table *stc_method_penalty(void) {
  static const stc_method_table table = {"penalty", begin_penalty, update_penalty, stay,
                                         stc_penalty_solve};
  return &table;
}

const stc_method_table *stc_method_uzawa(void) {
  static const stc_method_table table = {"uzawa", begin_augmented, update_penalty, augment,
                                         stc_penalty_solve};
  return &table;
}
