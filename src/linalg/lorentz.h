// The algebra of the Lorentz cone L = { x_0 >= |x_T| } in up to three components, for the
// interior-point method: product x o y = (x.y, x_0 y_T + y_0 x_T), Nesterov–Todd scaling, steps.
#ifndef STC_LINALG_LORENTZ_H
#define STC_LINALG_LORENTZ_H

#include <math.h>

/// Nesterov–Todd scaling of a pair (z, y) inside L: N symmetric, N z = N^-1 y = lambda, S = N^2.
typedef struct stc_scaling {
  double N[9], inverse[9];  ///< by columns
  double lambda[3];
} stc_scaling;

/// |x_T|. Points of the path are scaled and their products are formed too: squares are in range.
static inline double stc_lorentz_tail(const double *x) { return sqrt(x[1] * x[1] + x[2] * x[2]); }

/// (x_0 - |x_T|)(x_0 + |x_T|): positive inside, without the cancellation of x_0^2 - |x_T|^2.
static inline double stc_lorentz_det(const double *x) {
  double t = stc_lorentz_tail(x);
  return (x[0] - t) * (x[0] + t);
}

/// p = x o y.
static inline void stc_lorentz_product(const double *x, const double *y, double *p) {
  double p0 = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  double p1 = x[0] * y[1] + y[0] * x[1], p2 = x[0] * y[2] + y[0] * x[2];
  p[0] = p0;
  p[1] = p1;
  p[2] = p2;
}

/// x with a o x = b, a inside L.
void stc_lorentz_divide(const double *a, const double *b, double *x);

/// The scaling of z and y, both inside L.
void stc_lorentz_scale(const double *z, const double *y, stc_scaling *scaling);

/// y = X x for a 3 x 3 matrix by columns.
static inline void stc_lorentz_apply(const double *X, const double *x, double *y) {
  for (int k = 0; k < 3; k++) y[k] = X[k] * x[0] + X[k + 3] * x[1] + X[k + 6] * x[2];
}

/// Largest t with x + t d in L; INFINITY if all are.
double stc_lorentz_reach(const double *x, const double *d);

#endif
