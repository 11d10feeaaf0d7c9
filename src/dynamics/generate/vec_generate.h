// Vectors of three numbers.
#ifndef STC_DYNAMICS_VEC_GENERATE_H
#define STC_DYNAMICS_VEC_GENERATE_H

#include <math.h>

static inline double stc_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double stc_norm(const double a[3]) { return sqrt(stc_dot(a, a)); }

static inline void stc_cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/// c = a + s b; any of the arrays may be the same.
static inline void stc_combine(const double a[3], double s, const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++) c[k] = a[k] + s * b[k];
}

/// b = s a; may be the same array.
static inline void stc_scale(double s, const double a[3], double b[3]) {
  for (int k = 0; k < 3; k++) b[k] = s * a[k];
}

#endif
