// Lorentz cone: division, Nesterov–Todd scaling, length of a step   [Alizadeh and Goldfarb 2003].
#include "lorentz.h"

#include <string.h>

void stc_lorentz_divide(const double *a, const double *b, double *x) {
  double det = stc_lorentz_det(a);
  double x0 = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / det;
  for (int k = 1; k < 3; k++) x[k] = (b[k] - x0 * a[k]) / a[0];
  x[0] = x0;
}

// X = scale (2 v v^T - J) and its inverse (2 Jv Jv^T - J) / scale, J = diag(1, -1, -1), det v = 1.
static void reflection(double scale, const double *v, double *X, double *inverse) {
  static const double J[3] = {1, -1, -1};
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++) {
      double square = 2 * v[k] * v[l], jump = k == l ? J[k] : 0;
      X[k + 3 * l] = scale * (square - jump);
      inverse[k + 3 * l] = (J[k] * square * J[l] - jump) / scale;
    }
}

void stc_lorentz_scale(const double *z, const double *y, stc_scaling *s) {
  double rz = sqrt(stc_lorentz_det(z)), ry = sqrt(stc_lorentz_det(y)), w[3], v[3], dot = 0;
  for (int k = 0; k < 3; k++) dot += (z[k] / rz) * (y[k] / ry);
  double g = sqrt(0.5 * (1 + dot));
  for (int k = 0; k < 3; k++) w[k] = (y[k] / ry + (k == 0 ? 1 : -1) * z[k] / rz) / (2 * g);
  double root = sqrt(2 * (w[0] + 1));
  for (int k = 0; k < 3; k++) v[k] = (w[k] + (k == 0)) / root;
  reflection(sqrt(ry / rz), v, s->N, s->inverse);
  stc_lorentz_apply(s->N, z, s->lambda);
}

double stc_lorentz_reach(const double *x, const double *d) {
  // det(x + t d) = a t^2 + 2 b t + c, c > 0: the first positive root, if any
  double a = stc_lorentz_det(d), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2],
         c = stc_lorentz_det(x);
  if (a >= 0 && b >= 0) return INFINITY;
  double root = sqrt(fmax(0, b * b - a * c));  // below 0 by rounding, on a ray through the apex
  if (b < 0) return c / (root - b);
  return a < 0 ? -(b + root) / a : INFINITY;
}
