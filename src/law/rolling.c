// Sliding and rolling resistance side by side: K = { |r_T| <= mu r_N, |r_R| <= length r_N }, shift
// s(u) = mu |u_T| + length |u_R|. T and R have two components each, or one each in the plane.
#include "law_ops.h"

static int tangents(const stc_law *law) { return (law->dim - 1) / 2; }

static double size(const double *x, int n) { return n == 2 ? hypot(x[0], x[1]) : fabs(x[0]); }

static void project_rolling(const stc_law *law, const double *x, double *y) {
  int n = tangents(law);
  double unit = stc_law_unit(x, law->dim), scaled[STC_MAX_DIM];
  for (int k = 0; k < law->dim; k++) scaled[k] = x[k] / unit;
  const double c[2] = {stc_law_mu(law, 0), stc_law_moderate(law->length)};
  const double t[2] = {size(scaled + 1, n), size(scaled + 1 + n, n)};
  // y_N of the projection: the least of (y_N - x_N)^2 + sum max(0, t_k - c_k y_N)^2 for y_N >= 0.
  // Bounds become active as y_N falls below t_k / c_k, the larger one first.
  double x_N = scaled[0];
  int first = t[0] * c[1] >= t[1] * c[0] ? 0 : 1;
  double above = x_N, below = 1.0;
  for (int k = first, count = 0; count < 2; k = 1 - k, count++) {
    if (c[k] * above >= t[k] * below) continue;
    above += c[k] * t[k];
    below += c[k] * c[k];
  }
  double y_N = fmax(above / below, 0.0);
  y[0] = unit * y_N;
  for (int k = 0; k < 2 * n; k++) {
    int part = k / n;
    double ratio = t[part] <= c[part] * y_N ? 1.0 : c[part] * y_N / t[part];
    y[k + 1] = unit * (ratio * scaled[k + 1]);
  }
}

static double shift_rolling(const stc_law *law, const double *u, double *slope) {
  int n = tangents(law);
  return stc_law_norm(stc_law_mu(law, 0), n, u + 1, slope) +
         stc_law_norm(stc_law_moderate(law->length), n, u + 1 + n, slope ? slope + n : NULL);
}

static void section_rolling(const stc_law *law, double R, const double *x, stc_section *s) {
  int n = tangents(law);
  const double c[2] = {stc_law_mu(law, 0), stc_law_moderate(law->length)};
  *s = (stc_section){.inside = true};
  for (int part = 0; part < 2; part++) {
    stc_section disc;
    int at = part * n;
    stc_circular_section(n + 1, c[part], R, x + at, &disc);
    s->inside = s->inside && disc.inside;
    for (int i = 0; i < n; i++) {
      s->y[at + i] = disc.y[i];
      s->dR[at + i] = disc.dR[i];
      for (int j = 0; j < n; j++)
        s->dx[at + i + STC_TANGENTS * (at + j)] = disc.dx[i + STC_TANGENTS * j];
    }
  }
}

static stc_error check_rolling(const stc_law *law) {
  return stc_law_check_one_mu(law, "give one coefficient");
}

STC_LAW_OPS(rolling, 3, 5, check_rolling, stc_section_law_solve,
            "dry friction and rolling resistance: |r_T| <= mu r_N, |r_R| <= length r_N")
