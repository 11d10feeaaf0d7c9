// The problem of the bodies that move, all others at rest,
//   u_c = H_c (v of active bodies) + w_c,
// by a few sweeps of Gauss–Seidel from the reactions at hand. Allocates nothing.
#include "../../law/cone_kernel.h"
#include "../kernels/gradient.h"

#include <string.h>

static void list_contacts(const stc_reduced *p, stc_active_bodies *m) {
  const stc_bodies *b = &p->bodies;
  memset(m->listed, 0, (size_t)p->contacts * sizeof *m->listed);
  m->contacts = 0;
  for (int k = 0; k < m->count; k++)
    for (int e = b->on_ptr[m->body[k]]; e < b->on_ptr[m->body[k] + 1]; e++) {
      int c = b->touch_contact[b->on_touch[e]];
      if (!m->listed[c]) m->contact[m->contacts++] = c;
      m->listed[c] = true;
    }
}

// The problem at contact number l of the list.
static void prepare_active_sweep(const stc_reduced *p, stc_active_bodies *m, int l, const double *r,
                                 const double *u) {
  const stc_bodies *b = &p->bodies;
  int c = m->contact[l], d = p->dim;
  size_t bytes = (size_t)d * sizeof *r;
  memcpy(m->r + l * d, r + c * d, bytes);
  memcpy(m->rest + l * d, u + c * d, bytes);
  memset(m->W + l * d * d, 0, (size_t)d * bytes);
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    stc_bodies_add_motion(b, t, m->v, -1, m->rest + l * d);
    if (m->moves[b->touch_body[t]]) stc_bodies_add_block(b, t, t, m->W + l * d * d);
  }
  m->lambda[l] = 0;
  if (d == 3) {
    double D[3], W[9];
    stc_active_scales(&p->law[m->contact[l]], D);
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++) W[3 * j + i] = D[i] * m->W[9 * l + 3 * j + i] * D[j];
    m->cone[l] = stc_cone3_prepare(W);
  }
}

// u of contact number l as the active bodies move.
static void find_velocity(const stc_reduced *p, const stc_active_bodies *m, int l, double *u) {
  const stc_bodies *b = &p->bodies;
  int c = m->contact[l];
  memcpy(u, m->rest + l * p->dim, (size_t)p->dim * sizeof *u);
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++)
    if (m->moves[b->touch_body[t]]) stc_bodies_add_motion(b, t, m->v, 1, u);
}

static void solve_contact(const stc_reduced *p, stc_active_bodies *m, int l, const double *q,
                          double *r) {
  const stc_law *law = &p->law[m->contact[l]];
  const double *W = m->W + l * p->dim * p->dim;
  double D[STC_MAX_DIM], c[STC_MAX_DIM], x[3];
  stc_active_scales(law, D);
  for (int k = 0; k < p->dim; k++) c[k] = D[k] * q[k];
  const double flat[] = {W[0], D[1] * W[1], D[1] * W[2], D[1] * W[3] * D[1]};
  bool solved = p->dim == 3 ? stc_cone3_solve(&m->cone[l], c, x, &m->lambda[l])
                            : p->dim == 2 && stc_cone_solve2(flat, c, x);
  for (int k = 0; solved && k < p->dim; k++) r[k] = D[k] * x[k];
  if (!solved) stc_law_solve(law, W, q, r);
}

// Settles contact number l by itself; returns kappa |dr|^2.
static double settle(const stc_reduced *p, stc_active_bodies *m, int l) {
  int c = m->contact[l], d = p->dim;
  double q[STC_MAX_DIM], dr[STC_MAX_DIM], change = 0;
  double *r = m->r + l * d;
  const double *W = m->W + l * d * d;
  find_velocity(p, m, l, q);
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) q[i] -= W[j * d + i] * r[j];
  memcpy(dr, r, (size_t)d * sizeof *r);
  solve_contact(p, m, l, q, r);
  for (int k = 0; k < d; k++) {
    dr[k] = r[k] - dr[k];
    change += p->kappa[c] * dr[k] * dr[k];
  }
  // v += Y_t dr for the bodies of contact c that move.
  const stc_bodies *b = &p->bodies;
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    int body = b->touch_body[t], n = b->ptr[body + 1] - b->ptr[body];
    const double *Y = b->Y + b->val_ptr[t];
    double *v = m->v + b->ptr[body];
    for (int j = 0; m->moves[body] && j < p->dim; j++)
      for (int k = 0; k < n; k++) v[k] += Y[j * n + k] * dr[j];
  }
  return change;
}

static void read_shift(const stc_reduced *p, const stc_active_bodies *m, double *shift) {
  memcpy(shift, m->idle, (size_t)p->contacts * sizeof *shift);
  for (int l = 0; l < m->contacts; l++) {
    double u[STC_MAX_DIM];
    find_velocity(p, m, l, u);
    shift[m->contact[l]] = stc_active_shift(&p->law[m->contact[l]], m->r + l * p->dim, u);
  }
}

void stc_active_sweep(const stc_reduced *p, stc_active_bodies *m, const double *r, const double *u,
                      double residual, double inner, double *shift) {
  list_contacts(p, m);
  for (int l = 0; l < m->contacts; l++) prepare_active_sweep(p, m, l, r, u);
  // The sweeps end where they change less than a part `inner` of the residual.
  double change = residual;
  for (int k = 0; k < 32 && change > inner * inner * residual; k++) {
    change = 0;
    for (int l = 0; l < m->contacts; l++) change += settle(p, m, l);
  }
  read_shift(p, m, shift);
}
