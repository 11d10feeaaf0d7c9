// Small operations on vectors.
#ifndef STC_DYNAMICS_VECTOR_H
#define STC_DYNAMICS_VECTOR_H

#include <math.h>

static inline double stc_vector_dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/// |x|, without overflow.
static inline double stc_vector_norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum = hypot(sum, x[i]);
  return sum;
}

/// max |x_i|; 0 without entries.
static inline double stc_vector_largest(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

#endif
