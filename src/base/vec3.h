// Vectors of three, 3x3 matrices by rows, unit quaternions (w, x, y, z), and vectors of any length.
#ifndef STC_BASE_VEC3_H
#define STC_BASE_VEC3_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

// --- Vectors of three ---

static inline double stc_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double stc_norm3(const double a[3]) { return sqrt(stc_dot3(a, a)); }

static inline void stc_cross3(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void stc_copy3(const double a[3], double b[3]) { memcpy(b, a, 3 * sizeof *b); }

/// y += s x.
static inline void stc_add3(double y[3], double s, const double x[3]) {
  for (int i = 0; i < 3; i++) y[i] += s * x[i];
}

/// c = a - b; any of the arrays may be the same.
static inline void stc_sub3(const double a[3], const double b[3], double c[3]) {
  for (int i = 0; i < 3; i++) c[i] = a[i] - b[i];
}

/// c = a + s b; any of the arrays may be the same.
static inline void stc_combine3(const double a[3], double s, const double b[3], double c[3]) {
  for (int i = 0; i < 3; i++) c[i] = a[i] + s * b[i];
}

/// b = s a; may be the same array.
static inline void stc_scale3(double s, const double a[3], double b[3]) {
  for (int i = 0; i < 3; i++) b[i] = s * a[i];
}

static inline double stc_distance3(const double a[3], const double b[3]) {
  double d[3];
  stc_sub3(a, b, d);
  return stc_norm3(d);
}

/// Scales a to length 1 and returns the length it had; where a is zero or not finite, 0 and the
/// unit vector along z. Neither overflows nor underflows in the square.
static inline double stc_unit3(double a[3]) {
  double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
  bool valid = most > 0 && isfinite(most);
  if (valid) stc_scale3(1 / most, a, a);
  if (!valid || !isfinite(stc_dot3(a, a))) {
    a[0] = a[1] = 0, a[2] = 1;
    return 0;
  }
  double length = stc_norm3(a);
  for (int i = 0; i < 3; i++) a[i] /= length;
  return most * length;
}

/// Two unit vectors that make a right-handed frame with the unit vector n, the same for the same n.
static inline void stc_frame3(const double n[3], double t1[3], double t2[3]) {
  int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
  if (fabs(n[2]) < fabs(n[least])) least = 2;
  double e[3] = {0, 0, 0};
  e[least] = 1;
  stc_cross3(n, e, t1);
  double norm = stc_norm3(t1);
  for (int i = 0; i < 3; i++) t1[i] /= norm;
  stc_cross3(n, t1, t2);
}

// --- Matrices ---

/// y = A x; may be the same array.
static inline void stc_mul3(const double A[9], const double x[3], double y[3]) {
  double c[3] = {stc_dot3(A, x), stc_dot3(A + 3, x), stc_dot3(A + 6, x)};
  stc_copy3(c, y);
}

/// y = A^T x; may be the same array.
static inline void stc_mul3_transposed(const double A[9], const double x[3], double y[3]) {
  double c[3];
  for (int i = 0; i < 3; i++) c[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
  stc_copy3(c, y);
}

/// C = A B; neither of them.
static inline void stc_mul33(const double A[9], const double B[9], double C[9]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      C[3 * i + k] = A[3 * i] * B[k] + A[3 * i + 1] * B[3 + k] + A[3 * i + 2] * B[6 + k];
}

/// C = A B^T; neither of them.
static inline void stc_mul33_transposed(const double A[9], const double B[9], double C[9]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) C[3 * i + k] = stc_dot3(A + 3 * i, B + 3 * k);
}

/// Column k of A; of a rotation matrix: the local axis k in the world.
static inline void stc_column3(const double A[9], int k, double column[3]) {
  for (int i = 0; i < 3; i++) column[i] = A[3 * i + k];
}

/// The cofactors c = det(A) A^-T; returns det(A).
static inline double stc_cofactors3(const double A[9], double c[9]) {
  stc_cross3(A + 3, A + 6, c);
  stc_cross3(A + 6, A, c + 3);
  stc_cross3(A, A + 3, c + 6);
  return stc_dot3(A, c);
}

/// inverse = A^-1, symmetric bit for bit where A is; returns det(A).
static inline double stc_invert3(const double A[9], double inverse[9]) {
  double c[9], det = stc_cofactors3(A, c);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) inverse[3 * i + k] = c[3 * k + i] / det;
  return det;
}

/// x = A^-1 b by Cramer's rule; false where A is singular.
static inline bool stc_solve3(const double A[9], const double b[3], double x[3]) {
  double c[9], det = stc_cofactors3(A, c);
  if (!(fabs(det) > 0)) return false;
  stc_mul3_transposed(c, b, x);
  for (int i = 0; i < 3; i++) x[i] /= det;
  return true;
}

// --- Rotations ---

/// Rotation matrix of s/2 |q|^2 = 1: from the frame of q to that of the world.
static inline void stc_rotation_scaled(const double q[4], double s, double R[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double m[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                 s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                 s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  memcpy(R, m, sizeof m);
}

/// Rotation matrix of a unit quaternion.
static inline void stc_rotation_matrix(const double q[4], double R[9]) {
  stc_rotation_scaled(q, 2, R);
}

/// Rotation matrix of a quaternion of any length.
static inline void stc_rotation_of(const double q[4], double R[9]) {
  stc_rotation_scaled(q, 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), R);
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

/// Rotates q by the vector a, given in the frame of q (`inside`) or in that of the world, by
/// Cayley's map: (1, a/2) / |(1, a/2)|, which is exp(a) up to |a|^3 / 12.
static inline void stc_rotation_by(double q[4], const double a[3], bool inside) {
  double step[4] = {1, a[0] / 2, a[1] / 2, a[2] / 2}, old[4];
  stc_rotation_normalise(step);
  memcpy(old, q, sizeof old);
  if (inside)
    stc_rotation_multiply(old, step, q);
  else
    stc_rotation_multiply(step, old, q);
  stc_rotation_normalise(q);
}

// --- Vectors of any length ---

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
