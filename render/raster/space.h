// Vectors of three numbers.
#ifndef STC_RENDER_SPACE_H
#define STC_RENDER_SPACE_H

#include <math.h>
#include <string.h>

static inline double space_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double space_length(const double a[3]) { return sqrt(space_dot(a, a)); }

static inline void space_cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void space_subtract(const double a[3], const double b[3], double c[3]) {
  for (int i = 0; i < 3; i++) c[i] = a[i] - b[i];
}

/// y += s x.
static inline void space_add(double y[3], double s, const double x[3]) {
  for (int i = 0; i < 3; i++) y[i] += s * x[i];
}

static inline void space_copy(double to[3], const double from[3]) {
  memcpy(to, from, 3 * sizeof *to);
}

/// Makes a unit vector of a; a vector without length stays.
static inline void space_unit(double a[3]) {
  double length = space_length(a);
  for (int i = 0; i < 3 && length > 0; i++) a[i] /= length;
}

static inline double space_distance(const double a[3], const double b[3]) {
  double c[3];
  space_subtract(a, b, c);
  return space_length(c);
}

/// Two unit vectors across the unit vector n: (t1, t2, n) is right-handed.
static inline void space_across(const double n[3], double t1[3], double t2[3]) {
  int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
  if (fabs(n[2]) < fabs(n[least])) least = 2;
  double e[3] = {0, 0, 0};
  e[least] = 1;
  space_cross(e, n, t1);
  space_unit(t1);
  space_cross(n, t1, t2);
}

#endif
