// From a law to its hat variables and back: r_T = D r'_T, u'_T = D u_T, W' = D W D, q' = D q turn
// K = { |D^-1 r_T| <= r_N } into { |r'_T| <= r'_N }. Tangents with coefficient 0 drop out.
#include "cone_kernel.h"
#include "cone_robust.h"
#include "law_ops.h"

#include <string.h>

enum { N = STC_MAX_DIM };

// The hat problem of one contact, with W and q divided by powers of two.
typedef struct hat_problem {
  int n;             // 1 + tangents with friction
  int component[N];  // of the law, for each of the hat problem
  double D[N];       // 1 and the coefficients
  double W[N * N], c[N];
  int e_W, e_q;  // W = 2^e_W W_scaled, q = 2^e_q q_scaled
} hat_problem;

static bool all_finite(const double *x, int n) {
  for (int k = 0; k < n; k++)
    if (!isfinite(x[k])) return false;
  return true;
}

static hat_problem to_hat(const stc_law *law, const double *W, const double *q) {
  int dim = law->dim;
  hat_problem p = {.n = 1, .D = {1.0}};
  for (int k = 1; k < dim; k++) {
    double mu = stc_law_mu(law, k - 1);
    if (mu == 0.0) continue;
    p.component[p.n] = k;
    p.D[p.n++] = mu;
  }
  double unit_W = stc_law_unit(W, dim * dim), unit_q = stc_law_unit(q, dim);
  p.e_W = ilogb(unit_W);
  p.e_q = ilogb(unit_q);
  for (int i = 0; i < p.n; i++) {
    p.c[i] = p.D[i] * (q[p.component[i]] / unit_q);
    for (int j = 0; j < p.n; j++)
      p.W[i + p.n * j] = p.D[i] * p.D[j] * (W[p.component[i] + dim * p.component[j]] / unit_W);
  }
  return p;
}

static bool solve_hat(const hat_problem *p, double *r) {
  double hat[N];
  for (int i = 0; i < p->n; i++) {
    hat[i] = ldexp(r[p->component[i]] / p->D[i], p->e_W - p->e_q);
    if (!isfinite(hat[i])) hat[i] = 0.0;
  }
  bool solved = stc_cone_solve_weighted(p->n, p->W, p->c, p->D, hat);
  memset(r, 0, N * sizeof *r);
  for (int i = 0; i < p->n; i++) r[p->component[i]] = ldexp(p->D[i] * hat[i], p->e_q - p->e_W);
  return solved;
}

// Does u = W r + q vanish, as far as answers are known?
static bool sticks(int dim, const double *W, const double *q, const double *r) {
  double speed = 0.0, worst = 0.0;
  for (int i = 0; i < dim; i++) {
    double u = q[i], terms = 0.0;
    for (int j = 0; j < dim; j++) {
      u += W[i + dim * j] * r[j];
      terms += fabs(W[i + dim * j] * r[j]);
    }
    worst = fmax(worst, fabs(u) - STC_CONE_ROUNDING * terms);
    speed = fmax(speed, fmax(fabs(q[i]), fabs(u)));
  }
  return worst <= STC_CONE_ANSWER * speed;
}

stc_contact_state stc_cone_law_solve(const stc_law *law, const double *W, const double *q,
                                     double *r) {
  int dim = law->dim;
  double full[N] = {0.0};
  bool usable = all_finite(W, dim * dim) && all_finite(q, dim);
  if (usable && all_finite(r, dim)) memcpy(full, r, (size_t)dim * sizeof *r);
  bool solved = false;
  if (usable) {
    hat_problem p = to_hat(law, W, q);
    solved = solve_hat(&p, full);
  }
  if (!all_finite(full, N)) {  // the answer lies beyond the largest number
    solved = false;
    memset(full, 0, sizeof full);
  }
  memcpy(r, full, (size_t)dim * sizeof *r);
  if (!solved) return STC_CONTACT_VIOLATED;
  if (r[0] == 0.0) return STC_CONTACT_OPEN;
  return sticks(dim, W, q, r) ? STC_CONTACT_STICK : STC_CONTACT_SLIP;
}

bool stc_cone_solve_robust(int dim, const double *W, const double *c, double *r) {
  stc_law law = stc_law_coulomb(dim, 1.0);
  return stc_cone_law_solve(&law, W, c, r) != STC_CONTACT_VIOLATED;
}
