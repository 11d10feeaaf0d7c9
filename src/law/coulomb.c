// Coulomb: K = { |r_T| <= mu r_N }, shift s(u) = mu |u_T|   [De Saxcé and Feng 1998].
#include "law_ops.h"

#include <string.h>

// Projection where the squares of x neither overflow nor vanish.
static void project_moderate(int dim, double mu, const double *x, double *y) {
  const double *x_T = x + 1;
  double t = dim == 3 ? sqrt(x_T[0] * x_T[0] + x_T[1] * x_T[1]) : fabs(x_T[0]);
  if (x[0] >= 0.0 && t <= mu * x[0]) {
    memmove(y, x, (size_t)dim * sizeof *y);
    return;
  }
  double y_N = mu * t <= -x[0] ? 0.0 : (x[0] + mu * t) / (1.0 + mu * mu);
  double ratio = y_N > 0.0 && t > 0.0 ? mu * y_N / t : 0.0;
  y[0] = y_N;
  for (int k = 1; k < dim; k++) y[k] = ratio * x[k];
}

void stc_circular_project(int dim, double mu, const double *x, double *y) {
  const double least = 1e-100, most = 1e100;  // squares, and products with mu, are then harmless
  double size = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[dim - 1])));
  if (size >= least && size <= most) {
    project_moderate(dim, mu, x, y);
    return;
  }
  double unit = stc_law_unit(x, dim), scaled[STC_MAX_DIM] = {0.0};
  for (int k = 0; k < dim; k++) scaled[k] = x[k] / unit;
  project_moderate(dim, mu, scaled, y);
  for (int k = 0; k < dim; k++) y[k] *= unit;
}

void stc_circular_section(int dim, double mu, double R, const double *x, stc_section *s) {
  double length = dim == 3 ? hypot(x[0], x[1]) : fabs(x[0]);
  *s = (stc_section){.inside = length <= mu * R};
  if (!s->inside) {
    // With t = x_T / |x_T|:  y = mu R t,  dy/dx = (mu R / |x_T|) (I - t t^T),  dy/dR = mu t.
    double ratio = mu * R / length;
    for (int i = 0; i < dim - 1; i++) {
      double t_i = x[i] / length;
      s->y[i] = mu * R * t_i;
      s->dR[i] = mu * t_i;
      for (int j = 0; j < dim - 1; j++)
        s->dx[i + STC_TANGENTS * j] = ratio * ((i == j ? 1.0 : 0.0) - t_i * (x[j] / length));
    }
  } else if (mu > 0.0) {
    memcpy(s->y, x, (size_t)(dim - 1) * sizeof *x);
    for (int i = 0; i < dim - 1; i++) s->dx[i + STC_TANGENTS * i] = 1.0;
  }
}

static stc_error check_coulomb(const stc_law *law) {
  return law->dim == 3 ? stc_law_check_one_mu(law, "use the elliptic law") : STC_OK;
}

static void project_coulomb(const stc_law *law, const double *x, double *y) {
  stc_circular_project(law->dim, stc_law_mu(law, 0), x, y);
}

static double shift_coulomb(const stc_law *law, const double *u, double *slope) {
  return stc_law_norm(stc_law_mu(law, 0), law->dim - 1, u + 1, slope);
}

static void section_coulomb(const stc_law *law, double R, const double *x, stc_section *s) {
  stc_circular_section(law->dim, stc_law_mu(law, 0), R, x, s);
}

STC_LAW_OPS(coulomb, 2, 3, check_coulomb, stc_cone_law_solve,
            "dry friction with one coefficient: |r_T| <= mu r_N")
