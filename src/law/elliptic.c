// Anisotropic Coulomb: K = { |D^-1 r_T| <= r_N }, D = diag(mu1, mu2), shift s(u) = |D u_T|.
// Both projections follow from S(nu) = |( x_i mu_i / (mu_i^2 + nu) )|, which decreases:
//   on the cone     y_i = x_i mu_i^2 / (mu_i^2 + nu),  y_N = S,  with (1 - nu) S(nu) = x_N
//   on the section  the same y_i,                                with S(nu) = R.
// Both left-hand sides decrease on nu > 0, so each equation has one root.
#include "law_ops.h"

#include <float.h>

typedef enum secular_kind { ON_CONE, ON_SECTION } secular_kind;

// f(nu) = (1 - nu) S(nu) - x_N  or  S(nu) - R, and its derivative.
static double secular(secular_kind kind, const double mu[2], const double x[2], double target,
                      double nu, double *slope) {
  double e0 = mu[0] * mu[0] + nu, e1 = mu[1] * mu[1] + nu;
  double z0 = x[0] * mu[0] / e0, z1 = x[1] * mu[1] / e1;
  double S = hypot(z0, z1);
  double dS = S > 0.0 ? -((z0 / S) * (z0 / e0) + (z1 / S) * (z1 / e1)) : 0.0;
  double weight = kind == ON_CONE ? 1.0 - nu : 1.0;
  *slope = weight * dS - (kind == ON_CONE ? S : 0.0);
  return weight * S - target;
}

// A point inside (low, high) where Newton's step has left it: outward in steps that square
// (16, 256, ...) as long as one side is open, else the geometric mean.
static double inside(double low, double high, double *stride) {
  if (low > 0.0 && isfinite(high)) return sqrt(low) * sqrt(high);
  *stride = fmin(*stride * *stride, 0x1p512);
  return isfinite(high) ? high / *stride : low * *stride;
}

// The root of the secular equation: Newton's method kept inside a bracket.
static double secular_root(secular_kind kind, const double mu[2], const double x[2],
                           double target) {
  const int most_steps = 200;  // bisection of exponents and digits alone takes fewer than 80
  double low = 0.0, high = INFINITY, stride = 4.0, nu = 1.0;
  for (int step = 0; step < most_steps; step++) {
    double slope, f = secular(kind, mu, x, target, nu, &slope);
    if (f == 0.0) break;
    *(f > 0.0 ? &low : &high) = nu;
    double next = nu - f / slope;
    if (!(next > low && next < high)) next = inside(low, high, &stride);
    bool done = fabs(next - nu) <= DBL_EPSILON * nu || high <= low * (1.0 + 2.0 * DBL_EPSILON);
    nu = next;
    if (done || nu < DBL_MIN) break;
  }
  return nu;
}

// Projection for mu1, mu2 > 0 and max |x| near 1.
static void project_scaled(const double mu[2], const double *x, double *y) {
  bool in_cone = hypot(x[1] / mu[0], x[2] / mu[1]) <= x[0];
  bool in_polar = hypot(x[1] * mu[0], x[2] * mu[1]) <= -x[0];
  for (int k = 0; k < 3; k++) y[k] = in_cone ? x[k] : 0.0;
  if (in_cone || in_polar) return;
  double nu = secular_root(ON_CONE, mu, x + 1, x[0]);
  for (int k = 0; k < 2; k++) y[k + 1] = x[k + 1] / (1.0 + nu / mu[k] / mu[k]);
  y[0] = hypot(y[1] / mu[0], y[2] / mu[1]);
}

static void project_elliptic(const stc_law *law, const double *x, double *y) {
  double mu[2] = {stc_law_mu(law, 0), stc_law_mu(law, 1)};
  if (mu[0] == mu[1]) {
    stc_circular_project(3, mu[0], x, y);
  } else if (mu[0] == 0.0 || mu[1] == 0.0) {
    // A coefficient 0 leaves the plane cone of the other tangent.
    int tangent = mu[0] > 0.0 ? 1 : 2;
    double plane[2] = {x[0], x[tangent]};
    stc_circular_project(2, fmax(mu[0], mu[1]), plane, plane);
    y[0] = plane[0];
    y[tangent] = plane[1];
    y[3 - tangent] = 0.0;
  } else {
    double unit = stc_law_unit(x, 3);
    double scaled[3] = {x[0] / unit, x[1] / unit, x[2] / unit};
    project_scaled(mu, scaled, y);
    for (int k = 0; k < 3; k++) y[k] *= unit;
  }
}

static double shift_elliptic(const stc_law *law, const double *u, double *slope) {
  const double mu[2] = {stc_law_mu(law, 0), stc_law_mu(law, 1)};
  const double scaled[2] = {mu[0] * u[1], mu[1] * u[2]};
  double shift = stc_law_norm(1.0, 2, scaled, slope);
  for (int k = 0; slope && k < 2; k++) slope[k] *= mu[k];
  return shift;
}

// On the ellipse, with w_i = mu_i^2 / (mu_i^2 + nu) and the normal n_i = y_i / mu_i^2, the relation
// sum n_i dy_i = R dR gives  dy = diag(w) dx - (w n)(dnu),  dnu = (sum w_i n_i dx_i - R dR) /
// sigma, sigma = sum w_i n_i^2.
static void on_ellipse(const double mu[2], double R, const double *x, stc_section *s) {
  double nu = secular_root(ON_SECTION, mu, x, R);
  double w[2], wn[2], sigma = 0.0;
  for (int i = 0; i < 2; i++) {
    w[i] = 1.0 / (1.0 + nu / mu[i] / mu[i]);
    s->y[i] = w[i] * x[i];
    double n = s->y[i] / mu[i] / mu[i];
    wn[i] = w[i] * n;
    sigma += wn[i] * n;
  }
  for (int i = 0; i < 2; i++) {
    s->dR[i] = wn[i] * (R / sigma);
    for (int j = 0; j < 2; j++)
      s->dx[i + STC_TANGENTS * j] = (i == j ? w[i] : 0.0) - wn[i] * (wn[j] / sigma);
  }
}

// Section of the ellipse with x and R divided by a power of two near |x|.
static void ellipse_section(const double mu[2], double R, const double *x, stc_section *s) {
  double unit = stc_law_unit(x, 2);
  double scaled[2] = {x[0] / unit, x[1] / unit};
  s->inside = hypot(scaled[0] / mu[0], scaled[1] / mu[1]) <= R / unit;
  if (s->inside) {
    s->y[0] = x[0], s->y[1] = x[1];
    s->dx[0] = s->dx[1 + STC_TANGENTS] = 1.0;
    return;
  }
  on_ellipse(mu, R / unit, scaled, s);
  s->y[0] *= unit, s->y[1] *= unit;
}

// A coefficient 0 leaves the segment along tangent k.
static void segment_section(double mu, int k, double R, const double *x, stc_section *s) {
  stc_section segment;
  stc_circular_section(2, mu, R, x + k, &segment);
  s->inside = segment.inside && x[1 - k] == 0.0;
  s->y[k] = segment.y[0];
  s->dx[(1 + STC_TANGENTS) * k] = segment.dx[0];
  s->dR[k] = segment.dR[0];
}

static void section_elliptic(const stc_law *law, double R, const double *x, stc_section *s) {
  double mu[2] = {stc_law_mu(law, 0), stc_law_mu(law, 1)};
  *s = (stc_section){.inside = false};
  if (mu[0] == mu[1])
    stc_circular_section(3, mu[0], R, x, s);
  else if (mu[0] == 0.0 || mu[1] == 0.0)
    segment_section(fmax(mu[0], mu[1]), mu[0] > 0.0 ? 0 : 1, R, x, s);
  else
    ellipse_section(mu, R, x, s);
}

STC_LAW_OPS(elliptic, 3, 3, NULL, stc_cone_law_solve,
            "dry friction with one coefficient per tangent: |(r_T1/mu1, r_T2/mu2)| <= r_N")
