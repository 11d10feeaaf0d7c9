// J2 plasticity in plane stress: the return mapping in the space of stresses without zz [Simo and
// Taylor 1986],
//   sigma = (C^-1 + dg P)^-1 C^-1 sigma_trial,   dalpha = (2/3) q dg,   q = sqrt(3/2 sigma.P
//   sigma),
// where q(dg) (1 - (2/3) H dg) = sigma_y(alpha) gives dg. P and C have the same axes: the mean of
// xx and yy, half their difference, and xy.
#include "element.h"

#include <float.h>
#include <math.h>

/// The equation for dg: a and b are the parts of q_trial along the mean and across it.
typedef struct flow {
  double a, b;  ///< q^2 = (a / (1 + u dg))^2 + (b / (1 + v dg))^2
  double u, v;
  double c;       ///< (2/3) H
  double radius;  ///< sigma_y of the alpha before
} flow;

/// phi(dg) = q (1 - c dg) - radius and its derivative. phi is convex and falls, so that Newton's
/// method from 0 rises to the root without passing it.
static double phi(const flow *f, double dg, double *slope) {
  double p = 1 / (1 + f->u * dg), s = 1 / (1 + f->v * dg);
  double a = f->a * p, b = f->b * s, q = hypot(a, b);
  double dq = -(a / q * a * f->u * p + b / q * b * f->v * s);  // no squares: they overflow
  *slope = dq * (1 - f->c * dg) - f->c * q;
  return q * (1 - f->c * dg) - f->radius;
}

/// The root; each step at least halves a large excess, so that this many suffice for any double.
#define MAX_STEPS 2100

static bool find_flow(const flow *f, double *dg) {
  *dg = 0;
  for (int k = 0; k < MAX_STEPS; k++) {
    double slope, value = phi(f, *dg, &slope), next = *dg - value / slope;
    if (!isfinite(next)) return false;
    if (!(next > *dg) || value <= 2 * DBL_EPSILON * f->radius) return true;
    *dg = next;
  }
  return false;
}

/// D = X - n n^T / (sigma.P n + beta), X = (C^-1 + dg P)^-1, n = X P sigma,
/// beta = 2 xi H / (3 - 2 H dg), xi = sigma.P sigma = (2/3) q^2.
static void plane_tangent(const stc_response *r, const flow *f, double dg, const double *stress,
                          double (*D)[STC_VOIGT]) {
  double mean = r->young / (1 - r->poisson) / (1 + f->u * dg);  // X on (1, 1)
  double half = 2 * r->shear / (1 + f->v * dg);                 // X on (1, -1)
  double X[3][3] = {{(mean + half) / 2, (mean - half) / 2, 0},
                    {(mean - half) / 2, (mean + half) / 2, 0},
                    {0, 0, half / 2}};
  const double P[3] = {(2 * stress[0] - stress[1]) / 3, (2 * stress[1] - stress[0]) / 3,
                       2 * stress[3]};
  double n[3], work = 0, xi = stress[0] * P[0] + stress[1] * P[1] + stress[3] * P[2];
  for (int i = 0; i < 3; i++) {
    n[i] = X[i][0] * P[0] + X[i][1] * P[1] + X[i][2] * P[2];
    work += n[i] * P[i];
  }
  work += 2 * xi * r->hardening / (3 - 2 * r->hardening * dg);
  static const int at[3] = {0, 1, 3};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D[at[i]][at[j]] = X[i][j] - n[i] * n[j] / work;
}

bool stc_plane_stress_return(const stc_response *r, double *history, double *stress,
                             double (*D)[STC_VOIGT]) {
  double mean = (stress[0] + stress[1]) / 2, half = (stress[0] - stress[1]) / 2;
  flow f = {.a = mean, .b = sqrt(3) * hypot(half, stress[3])};
  f.u = r->young / (3 * (1 - r->poisson)), f.v = 2 * r->shear;
  f.c = 2 * r->hardening / 3, f.radius = r->yield + r->hardening * history[4];
  if (!(hypot(f.a, f.b) > f.radius)) return true;
  double dg, q;
  if (!find_flow(&f, &dg)) return false;
  mean /= 1 + f.u * dg, half /= 1 + f.v * dg;
  stress[0] = mean + half, stress[1] = mean - half, stress[3] /= 1 + f.v * dg;
  q = hypot(f.a / (1 + f.u * dg), f.b / (1 + f.v * dg));
  double d[2] = {dg * (2 * stress[0] - stress[1]) / 3, dg * (2 * stress[1] - stress[0]) / 3};
  history[0] += d[0], history[1] += d[1], history[2] -= d[0] + d[1];
  history[3] += 2 * dg * stress[3];
  history[4] += 2 * q * dg / 3;
  if (D) plane_tangent(r, &f, dg, stress, D);
  return true;
}
