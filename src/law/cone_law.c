// From a law to its hat variables and back: r_T = D r'_T, u'_T = D u_T, W' = D W D, q' = D q turn
// K = { |D^-1 r_T| <= r_N } into { |r'_T| <= r'_N }. Tangents with coefficient 0 drop out.
#include "cone_kernel.h"
#include "cone_robust.h"
#include "law_ops.h"
#include "scale.h"

#include <string.h>

enum { N = 3 };

// The hat problem of one contact, with W and q divided by powers of two.
typedef struct hat_problem {
  int n;             // 1 + tangents with friction
  int component[N];  // of the law, for each of the hat problem
  double D[N];       // 1 and the coefficients
  double W[N * N], c[N];
  int e_W, e_q;  // W = 2^e_W W_scaled, q = 2^e_q q_scaled
} hat_problem;

static hat_problem to_hat(const stc_law *law, const double *W, const double *q) {
  int dim = law->dim;
  double D[N];
  hat_problem p = {.n = 0};
  stc_law_scale(law, D);
  for (int k = 0; k < dim; k++) {
    if (D[k] == 0.0) continue;
    p.component[p.n] = k;
    p.D[p.n++] = D[k];
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

static bool solve_cone(const stc_law *law, const double *W, const double *q, double *r) {
  double full[N] = {0.0};
  memcpy(full, r, (size_t)law->dim * sizeof *r);
  hat_problem p = to_hat(law, W, q);
  bool solved = solve_hat(&p, full);
  memcpy(r, full, (size_t)law->dim * sizeof *r);
  return solved;
}

stc_contact_state stc_cone_law_solve(const stc_law *law, const double *W, const double *q,
                                     double *r) {
  return stc_law_solve_safely(solve_cone, law, W, q, r);
}

bool stc_cone_solve_robust(int dim, const double *W, const double *c, double *r) {
  stc_law law = stc_law_coulomb(dim, 1.0);
  return stc_cone_law_solve(&law, W, c, r) != STC_CONTACT_VIOLATED;
}
