// Any cone: K = { r_T in mu r_N S }, S a closed convex set that holds 0   [Moreau 1986]. Shift
//   s(u) = mu h_S(-u_T),  h_S = support function: what friction takes for each unit of r_N.
// The projection on K is the least of f(R) = (R - x_N)^2 / 2 + lambda(R)^2 / 2 over R >= 0, lambda
// being the distance from x_T to R mu S: f' = R - x_N - lambda n . p increases.
#include "../../base/fail.h"
#include "../law_ops.h"
#include "convex_curve.h"

#include <float.h>

stc_law stc_law_section(const stc_cone_section *section) {
  return (stc_law){.kind = STC_LAW_SECTION,
                   .dim = section ? section->dim : 0,
                   .mu = {1.0, 1.0},
                   .section = section};
}

static stc_error check_section(const stc_law *law) {
  if (!law->section)
    return stc_fail(STC_ERR_ARGUMENT, "section law without a section: make one by "
                                      "stc_cone_section_polygon and the like");
  if (law->section->dim != law->dim)
    return stc_fail(STC_ERR_DIMENSION, "section law in dimension %d with %s", law->dim,
                    law->dim == 3 ? "an interval: give a curve" : "a curve: give an interval");
  return stc_law_check_one_mu(law, "the section says how the directions differ");
}

static stc_curve_point nearest(const stc_cone_section *s, double R, const double *x) {
  if (s->dim == 3) return stc_curve_nearest(s, R, x);
  double end = x[0] > 0.0 ? s->high : s->low, beyond = fabs(x[0]) - fabs(R * end);
  if (beyond <= 0.0) return (stc_curve_point){.inside = true};
  return (stc_curve_point){
      .y = {R * end}, .p = {end}, .normal = {x[0] > 0.0 ? 1.0 : -1.0}, .distance = beyond};
}

static void copy_point(int dim, double N, const double *T, double *y) {
  y[0] = N;
  for (int k = 1; k < dim; k++) y[k] = T[k - 1];
}

// The projection of x, |x| near 1, on the cone over mu S: Newton's method inside a bracket.
static void project_scaled_section(const stc_law *law, const double *x, double *y) {
  const int most_steps = 100;
  const double zero[2] = {0.0, 0.0}, T[2] = {x[1], law->dim == 3 ? x[2] : 0.0};
  const double mu = stc_law_mu(law, 0),
               outward = mu * stc_cone_section_reach(law->section, T, NULL);
  if (outward <= -x[0]) {
    copy_point(law->dim, 0.0, zero, y);
    return;
  }
  double low = fmax(x[0], 0.0), high = x[0] + outward, R = low > 0.0 ? low : high;
  stc_curve_point a = {.inside = mu == 0.0};
  for (int step = 0; step < most_steps && R > 0.0; step++) {
    if (mu > 0.0) a = nearest(law->section, mu * R, T);
    if (a.inside && mu > 0.0 && R <= low) break;
    double along = mu * (a.normal[0] * a.p[0] + a.normal[1] * a.p[1]);
    double side = mu * (a.normal[0] * a.p[1] - a.normal[1] * a.p[0]);
    double f = a.inside ? R - x[0] : R - x[0] - a.distance * along;
    double slope = a.inside ? 1.0 : 1.0 + along * along + side * side * (1.0 - a.stretch);
    *(f > 0.0 ? &high : &low) = R;
    double next = R - f / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (fabs(next - R) <= DBL_EPSILON * R) break;
    R = next;
  }
  copy_point(law->dim, R, a.inside ? (mu > 0.0 ? T : zero) : a.y, y);
}

static void project_section(const stc_law *law, const double *x, double *y) {
  double unit = stc_law_unit(x, law->dim), scaled[3] = {0.0};
  for (int k = 0; k < law->dim; k++) scaled[k] = x[k] / unit;
  project_scaled_section(law, scaled, y);
  for (int k = 0; k < law->dim; k++) y[k] *= unit;
}

static double shift_section(const stc_law *law, const double *u, double *slope) {
  const double mu = stc_law_mu(law, 0), back[2] = {-u[1], law->dim == 3 ? -u[2] : 0.0};
  double p[2], reach = stc_cone_section_reach(law->section, back, p);
  for (int k = 0; slope && k < law->dim - 1; k++) slope[k] = -mu * p[k];
  return mu * reach;
}

static void section_section(const stc_law *law, double R, const double *x, stc_section *s) {
  int n = law->dim - 1;
  double mu = stc_law_mu(law, 0);
  *s = (stc_section){.inside = mu == 0.0 && x[0] == 0.0 && x[n - 1] == 0.0};
  if (mu == 0.0) return;
  stc_curve_point a = nearest(law->section, mu * R, x);
  s->inside = a.inside;
  double t[2] = {-a.normal[1], a.normal[0]};
  for (int i = 0; i < n; i++) {
    s->y[i] = a.inside ? x[i] : a.y[i];
    s->dR[i] = a.inside ? 0.0 : mu * (a.p[i] - a.stretch * (t[0] * a.p[0] + t[1] * a.p[1]) * t[i]);
    for (int j = 0; j < n; j++)
      s->dx[i + STC_TANGENTS * j] = a.inside ? i == j : a.stretch * t[i] * t[j];
  }
}

STC_LAW_OPS(section, 2, 3, check_section, stc_section_law_solve,
            "dry friction with any convex cone: r_T in mu r_N S")
