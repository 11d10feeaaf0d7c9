// The table of laws, and what follows for any law from its projection and its shift:
//   residual  F = r - P_K( r - (u + s(u) e_N) / kappa )                 [De Saxcé and Feng 1998]
//   Jacobian  of  (r_N - max(x_N, 0), r_T - P_section(x_T))             [Alart and Curnier 1991]
#include "../base/fail.h"
#include "cone_robust.h"
#include "law_ops.h"
#include "scale.h"

#include <assert.h>
#include <string.h>

// The scaling of the laws whose cone is an ellipse over a plane.

bool stc_law_scale(const stc_law *law, double *D) {
  bool round = (law->kind == STC_LAW_FRICTIONLESS || law->kind == STC_LAW_COULOMB ||
                law->kind == STC_LAW_ELLIPTIC) &&
               law->dilatancy == 0.0;
  D[0] = 1.0;
  for (int k = 1; k < law->dim; k++)
    D[k] = !round ? 1.0 : law->kind == STC_LAW_FRICTIONLESS ? 0.0 : stc_law_mu(law, k - 1);
  return round;
}

#define ROW(kind, name) [STC_LAW_##kind] = &stc_##name##_ops,
static const stc_law_ops *const laws[] = {STC_LAWS(ROW)};
#undef ROW

enum { LAWS = sizeof laws / sizeof *laws };

static bool known_law(int kind) { return kind >= 0 && kind < LAWS; }

static const stc_law_ops *ops(const stc_law *law) {
  assert(known_law((int)law->kind));
  return laws[law->kind];
}

stc_law stc_law_frictionless(int dim) {
  return (stc_law){.kind = STC_LAW_FRICTIONLESS, .dim = dim};
}

stc_law stc_law_coulomb(int dim, double mu) {
  return (stc_law){.kind = STC_LAW_COULOMB, .dim = dim, .mu = {mu, mu}};
}

stc_law stc_law_elliptic(double mu1, double mu2) {
  return (stc_law){.kind = STC_LAW_ELLIPTIC, .dim = 3, .mu = {mu1, mu2}};
}

stc_law stc_law_contensou(double mu, double radius) {
  return (stc_law){.kind = STC_LAW_CONTENSOU, .dim = 4, .mu = {mu, mu}, .radius = radius};
}

stc_law stc_law_rolling(int dim, double mu, double length) {
  return (stc_law){.kind = STC_LAW_ROLLING, .dim = dim, .mu = {mu, mu}, .length = length};
}

stc_law stc_law_with_mu(const stc_law *law, double mu) {
  stc_law changed = *law;
  if (law->kind == STC_LAW_FRICTIONLESS) return changed;
  bool only_second = law->kind == STC_LAW_ELLIPTIC && law->mu[0] == 0.0;
  double ratio = law->kind == STC_LAW_ELLIPTIC && !only_second ? law->mu[1] / law->mu[0] : 1.0;
  changed.mu[0] = only_second ? 0.0 : mu;
  changed.mu[1] = mu * ratio;
  return changed;
}

static stc_error check_dim(const stc_law *law) {
  const int *dims = ops(law)->dims;
  if (law->dim == dims[0] || law->dim == dims[1]) return STC_OK;
  if (dims[0] == dims[1])
    return stc_fail(STC_ERR_DIMENSION, "%s law in dimension %d: it has dimension %d only",
                    ops(law)->name, law->dim, dims[0]);
  return stc_fail(STC_ERR_DIMENSION, "%s law in dimension %d: it has dimension %d or %d",
                  ops(law)->name, law->dim, dims[0], dims[1]);
}

static stc_error check_length(const stc_law *law, const char *name, double value) {
  if (isfinite(value) && value >= 0.0) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s law: %s = %g m, give a finite number >= 0", ops(law)->name,
                  name, value);
}

static stc_error check_dilatancy(const stc_law *law) {
  if (!(law->dilatancy >= 0.0 && law->dilatancy <= 1.0))
    return stc_fail(STC_ERR_VALUE, "%s law: dilatancy = %g, give a number from 0 to 1",
                    ops(law)->name, law->dilatancy);
  if (law->dilatancy == 0.0 || stc_law_first_rotation(law) == law->dim) return STC_OK;
  return stc_fail(STC_ERR_UNSUPPORTED,
                  "%s law with a dilatancy: give the coulomb, elliptic or section law",
                  ops(law)->name);
}

stc_error stc_law_check(const stc_law *law) {
  if (!known_law((int)law->kind))
    return stc_fail(STC_ERR_ARGUMENT, "law kind %d: there are kinds 0 to %d", (int)law->kind,
                    LAWS - 1);
  STC_TRY(check_dim(law));
  for (int k = 0; k < 2 && k < law->dim - 1; k++)
    if (!isfinite(law->mu[k]) || law->mu[k] < 0.0)
      return stc_fail(STC_ERR_VALUE, "%s law: mu[%d] = %g, give a finite number >= 0",
                      ops(law)->name, k, law->mu[k]);
  STC_TRY(check_length(law, "radius", law->radius));
  STC_TRY(check_length(law, "length", law->length));
  STC_TRY(check_dilatancy(law));
  return ops(law)->check ? ops(law)->check(law) : STC_OK;
}

stc_error stc_law_check_one_mu(const stc_law *law, const char *remedy) {
  if (law->mu[0] == law->mu[1]) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s law with mu = %g and %g: %s", ops(law)->name, law->mu[0],
                  law->mu[1], remedy);
}

int stc_law_first_rotation(const stc_law *law) {
  if (law->kind != STC_LAW_CONTENSOU && law->kind != STC_LAW_ROLLING) return law->dim;
  return law->dim == 3 ? 2 : 3;
}

stc_law stc_law_in_units(const stc_law *law, double unit, double *length) {
  stc_law changed = *law;
  for (int k = 0; k < law->dim; k++) length[k] = k < stc_law_first_rotation(law) ? 1.0 : unit;
  changed.radius /= unit;
  changed.length /= unit;
  return changed;
}

double stc_law_length_unit(const stc_law *law) {
  double length = stc_law_moderate(fmax(law->radius, law->length));
  return stc_law_unit(&length, 1);
}

const char *stc_law_name(int kind) { return known_law(kind) ? laws[kind]->name : NULL; }

const char *stc_law_summary(int kind) { return known_law(kind) ? laws[kind]->summary : NULL; }

const char *stc_contact_state_name(stc_contact_state state) {
  static const char *const names[] = {
      [STC_CONTACT_OPEN] = "open",
      [STC_CONTACT_STICK] = "stick",
      [STC_CONTACT_SLIP] = "slip",
      [STC_CONTACT_VIOLATED] = "violated",
  };
  bool in_range = (int)state >= 0 && state <= STC_CONTACT_VIOLATED;
  return in_range ? names[state] : "unknown";
}

void stc_law_project(const stc_law *law, const double *x, double *y) {
  ops(law)->project(law, x, y);
}

double stc_law_shift(const stc_law *law, const double *u) {
  return (1.0 - law->dilatancy) * ops(law)->shift(law, u, NULL);
}

void stc_law_residual(const stc_law *law, double kappa, const double *r, const double *u,
                      double *F) {
  double x[STC_MAX_DIM], y[STC_MAX_DIM];
  for (int k = 0; k < law->dim; k++) x[k] = r[k] - u[k] / kappa;
  x[0] = r[0] - (u[0] + stc_law_shift(law, u)) / kappa;
  stc_law_project(law, x, y);
  for (int k = 0; k < law->dim; k++) F[k] = r[k] - y[k];
}

// x_N > 0: F = (rho_N u_N, r_T - y(x_T, x_N)) and the chain rule; u_N without what the law parts.
static void closed_jacobian(int dim, const stc_section *s, const double *x_T, const double rho[2],
                            const double *r, const double *u, const double *parting, double *F,
                            double *A, double *B) {
  F[0] = rho[0] * (u[0] - parting[0]);
  B[0] = rho[0];
  for (int j = 1; j < dim; j++) B[dim * j] = -rho[0] * parting[j];
  for (int i = 1; i < dim; i++) {
    bool kept = s->y[i - 1] == x_T[i - 1];  // the difference would cancel
    F[i] = kept ? rho[1] * u[i] : r[i] - s->y[i - 1];
    A[i] = -s->dR[i - 1];
    B[i] = rho[0] * s->dR[i - 1];
    for (int j = 1; j < dim; j++) {
      double dx = s->dx[(i - 1) + STC_TANGENTS * (j - 1)];
      A[i + dim * j] = (i == j ? 1.0 : 0.0) - dx;
      B[i + dim * j] = rho[1] * dx - rho[0] * s->dR[i - 1] * parting[j];
    }
  }
}

stc_contact_state stc_law_jacobian(const stc_law *law, double rho_N, double rho_T, const double *r,
                                   const double *u, double *F, double *A, double *B) {
  int dim = law->dim;
  for (int k = 0; k < dim * dim; k++) A[k] = B[k] = 0.0;
  double parting[STC_MAX_DIM] = {0.0};  // dilatancy times the support function, its derivatives
  if (law->dilatancy > 0.0) parting[0] = ops(law)->shift(law, u, parting + 1);
  for (int k = 0; k < dim; k++) parting[k] *= law->dilatancy;
  double x_N = r[0] - rho_N * (u[0] - parting[0]);
  if (x_N <= 0.0) {
    // x_N <= 0: F = r.
    for (int k = 0; k < dim; k++) {
      F[k] = r[k];
      A[k + dim * k] = 1.0;
    }
    return STC_CONTACT_OPEN;
  }
  double x_T[STC_TANGENTS] = {0.0};
  for (int k = 1; k < dim; k++) x_T[k - 1] = r[k] - rho_T * u[k];
  stc_section section = {.inside = false};
  // The section of a law at R > 0.
  ops(law)->section(law, x_N, x_T, &section);
  closed_jacobian(dim, &section, x_T, (double[]){rho_N, rho_T}, r, u, parting, F, A, B);
  return section.inside ? STC_CONTACT_STICK : STC_CONTACT_SLIP;
}

static bool all_finite(const double *x, int n) {
  for (int k = 0; k < n; k++)
    if (!isfinite(x[k])) return false;
  return true;
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

stc_contact_state stc_law_solve_safely(stc_law_solver *solve, const stc_law *law, const double *W,
                                       const double *q, double *r) {
  int dim = law->dim;
  bool usable = all_finite(W, dim * dim) && all_finite(q, dim);
  if (!usable || !all_finite(r, dim)) memset(r, 0, (size_t)dim * sizeof *r);
  bool solved = usable && solve(law, W, q, r);
  if (!all_finite(r, dim)) {  // the answer lies beyond the largest number
    solved = false;
    memset(r, 0, (size_t)dim * sizeof *r);
  }
  if (!solved) return STC_CONTACT_VIOLATED;
  if (r[0] == 0.0) return STC_CONTACT_OPEN;
  return sticks(dim, W, q, r) ? STC_CONTACT_STICK : STC_CONTACT_SLIP;
}

stc_contact_state stc_law_solve(const stc_law *law, const double *W, const double *q, double *r) {
  if (law->dilatancy > 0.0) return stc_section_law_solve(law, W, q, r);
  return ops(law)->solve(law, W, q, r);
}

static double norm_of_contact(const double *x, int dim) {
  const double least = 1e-200, most = 1e200;  // squares neither vanish nor overflow
  double length = fabs(x[0]), square = 0.0;
  for (int k = 0; k < dim; k++) square += x[k] * x[k];
  if (square > least && square < most) return sqrt(square);
  for (int k = 1; k < dim; k++) length = hypot(length, x[k]);
  return length;
}

stc_contact_state stc_law_classify(const stc_law *law, double kappa, double tol, const double *u,
                                   const double *r) {
  double F[STC_MAX_DIM];
  stc_law_residual(law, kappa, r, u, F);
  if (!(kappa * norm_of_contact(F, law->dim) <= tol))
    return STC_CONTACT_VIOLATED;  // also if not a number
  if (kappa * norm_of_contact(r, law->dim) <= tol) return STC_CONTACT_OPEN;
  return norm_of_contact(u, law->dim) <= tol ? STC_CONTACT_STICK : STC_CONTACT_SLIP;
}
