// Isotropic elasticity and J2 plasticity with linear isotropic hardening, integrated by the
// backward Euler rule: the radial return [Simo and Hughes 1998, box 3.2],
//   q_trial = sqrt(3/2) |s_trial|,  dalpha = (q_trial - sigma_y) / (3 G + H),
//   s = (1 - 3 G dalpha / q_trial) s_trial.
#include "../../base/fail.h"
#include "element.h"

#include <float.h>
#include <math.h>
#include <string.h>

// J2 plasticity in plane stress: the return mapping in the space of stresses without zz [Simo and
// Taylor 1986],
//   sigma = (C^-1 + dg P)^-1 C^-1 sigma_trial,   dalpha = (2/3) q dg,   q = sqrt(3/2 sigma.P
//   sigma),
// where q(dg) (1 - (2/3) H dg) = sigma_y(alpha) gives dg. P and C have the same axes: the mean of
// xx and yy, half their difference, and xy.

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

// Plane stress with J2, see plane_stress.c; `stress` holds the trial stress on entry.
static bool plane_stress_return(const stc_response *r, double *history, double *stress,
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

// --- Constants ---

static stc_error check_material(const stc_body *body, int index) {
  const stc_material *m = &body->material;
  if (!(m->young > 0) || !isfinite(m->young))
    return stc_fail(STC_ERR_VALUE, "body %d ('%s'): young = %g; it must be > 0", index, body->group,
                    m->young);
  if (!(m->poisson > -1 && m->poisson < 0.5))
    return stc_fail(STC_ERR_VALUE,
                    "body %d ('%s'): poisson = %g; it must lie in (-1, 0.5); for a material that "
                    "keeps its volume take 0.49",
                    index, body->group, m->poisson);
  if (!(m->yield >= 0) || !isfinite(m->yield))
    return stc_fail(STC_ERR_VALUE, "body %d ('%s'): yield = %g; it must be > 0, or 0 for elastic",
                    index, body->group, m->yield);
  if (!(m->hardening >= 0) || !isfinite(m->hardening))
    return stc_fail(STC_ERR_VALUE,
                    "body %d ('%s'): hardening = %g; it must be >= 0: with softening the answer "
                    "would depend on the mesh",
                    index, body->group, m->hardening);
  if (!(m->density >= 0) || !isfinite(m->density))
    return stc_fail(STC_ERR_VALUE, "body %d ('%s'): density = %g; it must be >= 0", index,
                    body->group, m->density);
  return STC_OK;
}

stc_error stc_response_create(const stc_body *body, int index, stc_kinematics kinematics,
                              stc_response *response) {
  STC_TRY(check_material(body, index));
  const stc_material *m = &body->material;
  *response = (stc_response){.kinematics = kinematics,
                             .components = kinematics == STC_SOLID ? 6 : 4,
                             .young = m->young,
                             .poisson = m->poisson,
                             .shear = m->young / (2 * (1 + m->poisson)),
                             .bulk = m->young / (3 * (1 - 2 * m->poisson)),
                             .yield = m->yield,
                             .hardening = m->hardening};
  if (kinematics == STC_PLANE_STRESS) {
    double nu = response->poisson, E = response->young / (1 - nu * nu);
    response->C[0][0] = response->C[1][1] = E;
    response->C[0][1] = response->C[1][0] = nu * E;
    response->C[3][3] = response->shear;
  } else {
    double lame = response->bulk - 2 * response->shear / 3;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) response->C[i][j] = lame;
      response->C[i][i] += 2 * response->shear;
    }
    for (int i = 3; i < response->components; i++) response->C[i][i] = response->shear;
  }
  return STC_OK;
}

int stc_response_history(const stc_response *response) {
  return response->yield > 0 ? response->components + 1 : 0;
}

// --- Stress ---

static void elastic_part(const stc_response *r, const double *strain, const double *history,
                         double *elastic) {
  for (int i = 0; i < r->components; i++) elastic[i] = strain[i] - (r->yield > 0 ? history[i] : 0);
}

static void elastic_stress(const stc_response *r, const double *strain, double *stress) {
  for (int i = 0; i < r->components; i++) {
    double sum = 0;
    for (int j = 0; j < r->components; j++) sum += r->C[i][j] * strain[j];
    stress[i] = sum;
  }
}

/// D = K 1x1 + 2 G theta I_dev + c n x n; theta scales the deviator, n has norm 1.
static void radial_tangent(const stc_response *r, const double *n, double theta, double c,
                           double (*D)[STC_VOIGT]) {
  double G = r->shear * theta;
  for (int i = 0; i < r->components; i++)
    for (int j = 0; j < r->components; j++) {
      double both = i < 3 && j < 3 ? r->bulk - 2 * G / 3 : 0;
      double same = i == j ? (i < 3 ? 2 * G : G) : 0;
      D[i][j] = both + same + c * n[i] * n[j];
    }
}

/// Brings the trial stress back to the cylinder; true.
static bool radial_return(const stc_response *r, double *history, double *stress,
                          double (*D)[STC_VOIGT]) {
  double mean = (stress[0] + stress[1] + stress[2]) / 3, square = 0, n[STC_VOIGT];
  for (int i = 0; i < r->components; i++) {
    n[i] = i < 3 ? stress[i] - mean : stress[i];
    square += (i < 3 ? 1 : 2) * n[i] * n[i];
  }
  double norm = sqrt(square), q = sqrt(1.5) * norm, G = r->shear;
  double *alpha = &history[r->components], excess = q - (r->yield + r->hardening * *alpha);
  if (!(excess > 0)) return true;
  double dalpha = excess / (3 * G + r->hardening), theta = 1 - 3 * G * dalpha / q;
  for (int i = 0; i < r->components; i++) {
    n[i] /= norm;
    stress[i] = (i < 3 ? mean : 0) + theta * norm * n[i];
    history[i] += sqrt(1.5) * dalpha * (i < 3 ? 1 : 2) * n[i];
  }
  *alpha += dalpha;
  if (D) radial_tangent(r, n, theta, 6 * G * G * (dalpha / q - 1 / (3 * G + r->hardening)), D);
  return true;
}

bool stc_response_stress(const stc_response *r, const double *strain, const double *kept,
                         double *trial, double *stress, double (*D)[STC_VOIGT]) {
  double sum = 0, elastic[STC_VOIGT];
  elastic_part(r, strain, kept, elastic);
  for (int i = 0; i < r->components; i++) sum += elastic[i];
  if (!isfinite(sum)) return false;
  elastic_stress(r, elastic, stress);
  if (D) memcpy(D, r->C, sizeof r->C);
  if (!(r->yield > 0)) return true;
  memcpy(trial, kept, (size_t)(r->components + 1) * sizeof *trial);
  if (r->kinematics == STC_PLANE_STRESS) return plane_stress_return(r, trial, stress, D);
  return radial_return(r, trial, stress, D);
}

void stc_response_recall(const stc_response *r, const double *strain, const double *history,
                         double *stress) {
  double elastic[STC_VOIGT];
  elastic_part(r, strain, history, elastic);
  elastic_stress(r, elastic, stress);
}

void stc_response_energy(const stc_response *r, const double *strain, const double *history,
                         double *stored, double *plastic) {
  double elastic[STC_VOIGT], stress[STC_VOIGT];
  double alpha = r->yield > 0 ? history[r->components] : 0;
  elastic_part(r, strain, history, elastic);
  elastic_stress(r, elastic, stress);
  *stored = r->hardening * alpha * alpha / 2;
  for (int i = 0; i < r->components; i++) *stored += stress[i] * elastic[i] / 2;
  *plastic = r->yield * alpha;
}
