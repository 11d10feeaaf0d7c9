// Vectors of three, matrices 3x3 by rows, and unit quaternions (w, x, y, z).
#ifndef STC_DYNAMICS_ALGEBRA_H
#define STC_DYNAMICS_ALGEBRA_H

#include <math.h>
#include <string.h>

static inline double stc_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double stc_norm3(const double a[3]) { return sqrt(stc_dot3(a, a)); }

static inline void stc_cross3(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/// y += s x.
static inline void stc_add3(double y[3], double s, const double x[3]) {
  for (int i = 0; i < 3; i++) y[i] += s * x[i];
}

static inline void stc_sub3(const double a[3], const double b[3], double c[3]) {
  for (int i = 0; i < 3; i++) c[i] = a[i] - b[i];
}

/// y = A x.
static inline void stc_mul3(const double A[9], const double x[3], double y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

/// y = A^T x.
static inline void stc_mul3_transposed(const double A[9], const double x[3], double y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/// The matrix that turns from the frame of q into that of the world.
static inline void stc_rotation_matrix(const double q[4], double R[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
  R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
  R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
}

/// c = a b; c is neither of them.
static inline void stc_rotation_multiply(const double a[4], const double b[4], double c[4]) {
  c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static inline void stc_rotation_normalise(double q[4]) {
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) q[i] /= norm;
}

/// Cayley's turn by the vector a: (1, a/2) / |(1, a/2)|, which is exp(a) up to |a|^3 / 12.
static inline void stc_rotation_cayley(const double a[3], double q[4]) {
  q[0] = 1;
  for (int i = 0; i < 3; i++) q[i + 1] = a[i] / 2;
  stc_rotation_normalise(q);
}

/// q turned by the vector a, which is given in the frame of q (`inside`) or in that of the world.
static inline void stc_rotation_by(double q[4], const double a[3], int inside) {
  double step[4], old[4];
  stc_rotation_cayley(a, step);
  memcpy(old, q, sizeof old);
  if (inside)
    stc_rotation_multiply(old, step, q);
  else
    stc_rotation_multiply(step, old, q);
  stc_rotation_normalise(q);
}

/// x = A^-1 b by Cramer's rule; false where A is singular.
static inline int stc_solve3(const double A[9], const double b[3], double x[3]) {
  double c[9];
  stc_cross3(A + 3, A + 6, c);
  stc_cross3(A + 6, A, c + 3);
  stc_cross3(A, A + 3, c + 6);
  double det = stc_dot3(A, c);
  if (!(fabs(det) > 0)) return 0;
  stc_mul3_transposed(c, b, x);
  for (int i = 0; i < 3; i++) x[i] /= det;
  return 1;
}

/// Two unit vectors across the unit vector n, the same for the same n.
static inline void stc_across(const double n[3], double t1[3], double t2[3]) {
  int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
  if (fabs(n[2]) < fabs(n[least])) least = 2;
  double e[3] = {0, 0, 0};
  e[least] = 1;
  stc_cross3(n, e, t1);
  double norm = stc_norm3(t1);
  for (int i = 0; i < 3; i++) t1[i] /= norm;
  stc_cross3(n, t1, t2);
}

#endif
