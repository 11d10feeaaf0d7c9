// The central path: its residual, its Newton system, the scales of the data.
#include "central.h"

#include "../../law/scale.h"

#include <math.h>
#include <string.h>

void stc_central_refresh(stc_central *m) {
  const stc_reduced *p = m->problem;
  double W = 0, q = 0;
  int d = p->dim, terms = 0;
  for (int c = 0; c < p->contacts; c++) {
    m->share[c] = 1;
    m->D[3 * c + 2] = 0;
    stc_law_scale(&p->law[c], m->D + 3 * c);
    for (int k = 0; k < d; k++) {
      double D = m->D[3 * c + k];
      if (D == 0) continue;
      W += D * p->diagonal[(ptrdiff_t)c * d * d + k * (d + 1)] * D;
      q += D * p->q[c * d + k] * p->q[c * d + k] * D;
      terms++;
    }
  }
  m->mean_W = W > 0 ? W / terms : 1;
  m->mean_q = q > 0 ? sqrt(q / p->contacts) : 1;
}

stc_error stc_central_create(stc_solver *s, stc_arena *arena, stc_central *m) {
  const stc_reduced *p = s->problem;
  *m = (stc_central){.problem = p, .theta = 1};
  STC_TRY(stc_solver_share_jacobian(s, &m->jacobian));
  m->scaling = STC_TAKE_RAW(arena, stc_scaling, p->contacts);
  double **wide[] = {&m->D, &m->z, &m->y, &m->F1, &m->x, &m->rho};
  STC_TAKE_VECTORS(arena, 3 * (size_t)p->contacts, wide);
  m->share = STC_TAKE_RAW(arena, double, p->contacts);
  double **vectors[] = {&m->F, &m->dr};
  STC_TAKE_VECTORS(arena, p->size, vectors);
  return stc_arena_check(arena);
}

void stc_central_reactions(const stc_central *m, const double *z, double *r) {
  int d = m->problem->dim;
  for (int c = 0; c < m->problem->contacts; c++)
    for (int k = 0; k < d; k++) r[c * d + k] = m->D[3 * c + k] * z[3 * c + k];
}

void stc_central_residual(const stc_central *m, const double *y, const double *u, double *F1) {
  int d = m->problem->dim;
  for (int c = 0; c < m->problem->contacts; c++) {
    for (int k = 0; k < 3; k++) {
      int at = 3 * c + k;
      F1[at] = y[at] - (k < d ? m->D[at] * u[c * d + k] : 0);
    }
    F1[3 * c] -= m->theta * stc_lorentz_tail(y + 3 * c);
  }
}

double stc_central_gap(const stc_central *m) {
  double sum = 0;
  int n = m->problem->contacts;
  for (int k = 0; k < 3 * n; k++) sum += m->z[k] * m->y[k];
  return sum / n;
}

double stc_central_off(const double *z, const double *y, double tau) {
  double dz = stc_lorentz_det(z), dy = stc_lorentz_det(y);
  if (!(z[0] > 0 && y[0] > 0 && dz > 0 && dy > 0)) return INFINITY;
  double sum = z[0] * y[0] + z[1] * y[1] + z[2] * y[2], root = sqrt(dz * dy);
  double spread = sqrt(fmax((sum + root) * (sum - root), 0));
  double least = root * root / (sum + spread);  // sum - spread without cancellation
  return fmax(tau / least, (sum + spread) / tau);
}

double stc_central_spread(const stc_central *m, double tau) {
  double most = 0;
  for (int c = 0; c < m->problem->contacts; c++)
    most = fmax(most, stc_central_off(m->z + 3 * c, m->y + 3 * c, tau));
  return most;
}

// X = G Y: the first row minus t times the others, t = theta y_T / |y_T|.
static void apply_G(double theta, const double *y, const double *Y, int cols, double *X) {
  double tail = stc_lorentz_tail(y), t1 = tail > 0 ? theta * y[1] / tail : 0,
         t2 = tail > 0 ? theta * y[2] / tail : 0;
  for (int l = 0; l < cols; l++) {
    const double *from = Y + 3 * l;
    double *to = X + 3 * l;
    double first = from[0] - t1 * from[1] - t2 * from[2];
    to[1] = from[1];
    to[2] = from[2];
    to[0] = first;
  }
}

// A = D^-1 (G S + ridge) D^-1, B = I; a component with D = 0 keeps dr = 0 (A = 1, B = 0).
static void fill_blocks(const stc_central *m, const stc_reduced *p, int c) {
  int d = p->dim;
  const double *D = m->D + 3 * c, *N = m->scaling[c].N;
  double S[9], GS[9], *A = m->jacobian->A + (ptrdiff_t)c * d * d,
                      *B = m->jacobian->B + (ptrdiff_t)c * d * d;
  for (int l = 0; l < 3; l++) stc_lorentz_apply(N, N + 3 * l, S + 3 * l);
  apply_G(m->theta * m->share[c], m->y + 3 * c, S, 3, GS);
  for (int l = 0; l < d; l++)
    for (int k = 0; k < d; k++) {
      bool there = D[k] > 0 && D[l] > 0, same = k == l;
      double ridge = same ? m->ridge * m->mean_W : 0;
      A[k + l * d] = there ? (GS[k + 3 * l] + ridge) / (D[k] * D[l]) : same;
      B[k + l * d] = same && there;
    }
}

void stc_central_factorise(stc_central *m) {
  const stc_reduced *p = m->problem;
  for (int c = 0; c < p->contacts; c++) {
    stc_lorentz_scale(m->z + 3 * c, m->y + 3 * c, &m->scaling[c]);
    fill_blocks(m, p, c);
  }
  stc_jacobian_factorise(m->jacobian);
}

void stc_central_solve(stc_central *m, double *dz, double *dy) {
  const stc_reduced *p = m->problem;
  int d = p->dim;
  for (int c = 0; c < p->contacts; c++) {
    double Nx[3], *x = m->x + 3 * c;
    stc_lorentz_divide(m->scaling[c].lambda, x, x);
    stc_lorentz_apply(m->scaling[c].N, x, Nx);
    apply_G(m->theta * m->share[c], m->y + 3 * c, Nx, 1, Nx);
    for (int k = 0; k < d; k++) {
      double D = m->D[3 * c + k];
      m->F[c * d + k] = D > 0 ? -(Nx[k] - m->rho[3 * c + k]) / D : 0;
    }
  }
  stc_jacobian_solve(m->jacobian, m->F, m->accuracy, m->dr);
  for (int c = 0; c < p->contacts; c++) {
    double Ndz[3], *z = dz + 3 * c;
    for (int k = 0; k < 3; k++) z[k] = m->D[3 * c + k] > 0 ? m->dr[c * d + k] / m->D[3 * c + k] : 0;
    stc_lorentz_apply(m->scaling[c].N, z, Ndz);
    for (int k = 0; k < 3; k++) Ndz[k] = m->x[3 * c + k] - Ndz[k];
    stc_lorentz_apply(m->scaling[c].N, Ndz, dy + 3 * c);
  }
}
