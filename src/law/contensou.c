// Coulomb–Contensou: K = { (r_T, r_S / radius) in mu r_N C }, shift s(u) = mu D(|u_T|, radius u_S),
// for the sliding u_T and the spin u_S of a Hertz patch; C and D in contensou_curve.h. Everything
// depends on |x_T| and |x_S| only, so that the projections live in the plane of C. A radius 0 is a
// point: Coulomb's law, and r_S = 0.
#include "contensou_curve.h"
#include "law_ops.h"

#include <string.h>

// M of C at rest, 3 pi / 16: with (0, M) and (1, 0) the segment between them belongs to C.
static const double AT_REST = 0.58904862254808623;

// The section at R is { R (scale[0] F, scale[1] M) }.
typedef struct extent {
  double scale[2];
  bool point;  // no moment, or no friction at all
} extent;

static extent extent_of(const stc_law *law) {
  double mu = stc_law_mu(law, 0), radius = stc_law_moderate(law->radius);
  return (extent){.scale = {mu, mu * radius}, .point = mu == 0.0 || radius == 0.0};
}

// x_T, x_S as lengths and directions.
typedef struct plane {
  double x[2];  // |x_T|, |x_S|
  double e[2];  // x_T / |x_T|
  double sign;  // of x_S
} plane;

static plane plane_of(const double *x) {
  double t = hypot(x[0], x[1]);
  plane p = {.x = {t, fabs(x[2])}, .e = {1.0, 0.0}, .sign = copysign(1.0, x[2])};
  if (t > 0.0) p.e[0] = x[0] / t, p.e[1] = x[1] / t;
  return p;
}

static bool clearly_inside(const extent *c, double R, const double x[2]) {
  return x[0] / c->scale[0] + x[1] / (c->scale[1] * AT_REST) <= R;
}

static void project_scaled(const extent *c, const double *x, double *y) {
  plane p = plane_of(x + 1);
  bool polar = stc_contensou_potential(c->scale[0] * p.x[0], c->scale[1] * p.x[1]) <= -x[0];
  bool inside = !polar && clearly_inside(c, x[0], p.x);
  stc_contensou_foot f = {.depth = 0.0};
  if (!polar && !inside) f = stc_contensou_cone(c->scale, x[0], p.x);
  if (inside || f.depth < 0.0) {
    memcpy(y, x, 4 * sizeof *y);
    return;
  }
  y[0] = fmax(f.y_N, 0.0);
  for (int k = 0; k < 2; k++) y[k + 1] = y[0] > 0.0 ? p.e[k] * f.y[0] : 0.0;
  y[3] = y[0] > 0.0 ? p.sign * f.y[1] : 0.0;
}

static void project_contensou(const stc_law *law, const double *x, double *y) {
  extent c = extent_of(law);
  if (c.point) {
    stc_circular_project(3, c.scale[0], x, y);
    y[3] = 0.0;
    return;
  }
  double unit = stc_law_unit(x, 4), scaled[4];
  for (int k = 0; k < 4; k++) scaled[k] = x[k] / unit;
  project_scaled(&c, scaled, y);
  for (int k = 0; k < 4; k++) y[k] *= unit;
}

static double shift_contensou(const stc_law *law, const double *u, double *slope) {
  extent c = extent_of(law);
  plane p = plane_of(u + 1);
  if (slope) {
    double F = 0.0, M = 0.0, v = c.scale[0] * p.x[0], w = c.scale[1] * p.x[1];
    if (v > 0.0 || w > 0.0) stc_contensou(w > 0.0 ? v / w : INFINITY, &F, &M);
    for (int k = 0; k < 2; k++) slope[k] = c.scale[0] * F * p.e[k];
    slope[2] = c.scale[1] * M * p.sign;
  }
  return stc_contensou_potential(c.scale[0] * hypot(u[1], u[2]), c.scale[1] * u[3]);
}

// With the normal n, the tangent t, the radius of curvature rho and the depth d of x:
//   dy/dx = rho / (rho + d) t t^T,    dy/dR = (g . n) n + d / (rho + d) (g . t) t,    g = y / R.
static void on_curve(const plane *p, double R, const stc_contensou_foot *f, stc_section *s) {
  const double *n = f->normal, t[2] = {n[1], -n[0]};
  double bent = f->bend / (f->bend + f->depth), flat = f->depth / (f->bend + f->depth);
  double gn = (f->y[0] * n[0] + f->y[1] * n[1]) / R, gt = (f->y[0] * t[0] + f->y[1] * t[1]) / R;
  double J[4], dR[2];
  for (int k = 0; k < 4; k++) J[k] = bent * t[k % 2] * t[k / 2];
  for (int k = 0; k < 2; k++) dR[k] = gn * n[k] + flat * gt * t[k];
  // From the plane to T1, T2, spin: with J and dR in the plane, e = x_T / |x_T|, and the ratio
  // |y_T| / |x_T| across e.
  double across = p->x[0] > 0.0 ? f->y[0] / p->x[0] : J[0];
  for (int i = 0; i < 2; i++) {
    s->y[i] = p->e[i] * f->y[0];
    s->dR[i] = p->e[i] * dR[0];
    for (int j = 0; j < 2; j++)
      s->dx[i + STC_TANGENTS * j] = (i == j ? across : 0.0) + (J[0] - across) * p->e[i] * p->e[j];
    s->dx[i + STC_TANGENTS * 2] = p->e[i] * J[2] * p->sign;
    s->dx[2 + STC_TANGENTS * i] = p->sign * J[1] * p->e[i];
  }
  s->y[2] = p->sign * f->y[1];
  s->dR[2] = p->sign * dR[1];
  s->dx[2 + STC_TANGENTS * 2] = J[3];
}

static void curve_section(const extent *c, double R, const double *x, stc_section *s) {
  plane p = plane_of(x);
  s->inside = clearly_inside(c, R, p.x);
  stc_contensou_foot f = {.depth = 0.0};
  if (!s->inside) {
    f = stc_contensou_section(c->scale, R, p.x);
    s->inside = f.depth <= 0.0;
  }
  if (!s->inside) {
    on_curve(&p, R, &f, s);
    return;
  }
  memcpy(s->y, x, 3 * sizeof *x);
  for (int k = 0; k < 3; k++) s->dx[(1 + STC_TANGENTS) * k] = 1.0;
}

// x and R are divided by a power of two near |x|; derivatives do not feel it.
static void section_contensou(const stc_law *law, double R, const double *x, stc_section *s) {
  extent c = extent_of(law);
  *s = (stc_section){.inside = false};
  if (c.point) {
    stc_circular_section(3, c.scale[0], R, x, s);
    s->inside = s->inside && x[2] == 0.0;
    return;
  }
  double unit = stc_law_unit(x, 3), scaled[3] = {x[0] / unit, x[1] / unit, x[2] / unit};
  curve_section(&c, R / unit, scaled, s);
  for (int k = 0; k < 3; k++) s->y[k] *= unit;
}

static stc_error check_contensou(const stc_law *law) {
  return stc_law_check_one_mu(law, "give one coefficient");
}

STC_LAW_OPS(contensou, 4, 4, check_contensou, stc_section_law_solve,
            "coupled sliding and spinning of a Hertz patch: (r_T, r_S/radius) in mu r_N C")
