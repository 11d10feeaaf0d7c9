// Vectors of three numbers and turns.
#ifndef STC_GEOMETRY_VEC_H
#define STC_GEOMETRY_VEC_H

#include <math.h>
#include <string.h>

static inline double stc_v3_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double stc_v3_norm(const double a[3]) { return sqrt(stc_v3_dot(a, a)); }

static inline void stc_v3_cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void stc_v3_copy(const double a[3], double b[3]) { memcpy(b, a, 3 * sizeof *b); }

/// c = a - b; any of the arrays may be the same.
static inline void stc_v3_sub(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++) c[k] = a[k] - b[k];
}

/// c = a + s b; any of the arrays may be the same.
static inline void stc_v3_add(const double a[3], double s, const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++) c[k] = a[k] + s * b[k];
}

/// b = s a; may be the same array.
static inline void stc_v3_scale(double s, const double a[3], double b[3]) {
  for (int k = 0; k < 3; k++) b[k] = s * a[k];
}

static inline double stc_v3_distance(const double a[3], const double b[3]) {
  double d[3];
  stc_v3_sub(a, b, d);
  return stc_v3_norm(d);
}

/// Scales a to length 1, and returns the length it had; 0 and a unit vector along z where a is
/// nothing.
static inline double stc_v3_unit(double a[3]) {
  double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
  if (!(most > 0) || !isfinite(most)) {
    a[0] = a[1] = 0, a[2] = 1;
    return 0;
  }
  stc_v3_scale(1 / most, a, a);  // neither overflow nor underflow in the square
  if (!isfinite(stc_v3_dot(a, a))) {
    a[0] = a[1] = 0, a[2] = 1;
    return 0;
  }
  double length = stc_v3_norm(a);
  for (int k = 0; k < 3; k++) a[k] /= length;
  return most * length;
}

/// Two unit vectors that make a right-handed frame with the unit vector n.
static inline void stc_v3_frame(const double n[3], double t[3], double s[3]) {
  int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
  if (fabs(n[2]) < fabs(n[least])) least = 2;
  double e[3] = {0};
  e[least] = 1;
  stc_v3_cross(n, e, t);
  stc_v3_unit(t);
  stc_v3_cross(n, t, s);
}

/// Rows of the matrix that takes local to world directions; q need not be quite unit.
static inline void stc_rotation_matrix(const double q[4], double R[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / (w * w + x * x + y * y + z * z);
  double m[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                 s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                 s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  memcpy(R, m, sizeof m);
}

/// b = R a.
static inline void stc_rotate(const double R[9], const double a[3], double b[3]) {
  double c[3] = {stc_v3_dot(R, a), stc_v3_dot(R + 3, a), stc_v3_dot(R + 6, a)};
  stc_v3_copy(c, b);
}

/// b = R^T a.
static inline void stc_rotate_back(const double R[9], const double a[3], double b[3]) {
  double c[3] = {R[0] * a[0] + R[3] * a[1] + R[6] * a[2], R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
                 R[2] * a[0] + R[5] * a[1] + R[8] * a[2]};
  stc_v3_copy(c, b);
}

/// Column k of R: the local axis k in the world.
static inline void stc_rotation_axis(const double R[9], int k, double axis[3]) {
  for (int i = 0; i < 3; i++) axis[i] = R[3 * i + k];
}

#endif
