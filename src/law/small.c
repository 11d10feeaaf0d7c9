// Small dense numerics for one contact: Gaussian elimination, Jacobi's eigenvectors, quartics by
// isolation between the roots of the derivatives.
#include "small.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = STC_DENSE_MAX };

// Copies the rows of (A | b), each divided by its largest coefficient.
static bool scaled_rows(int n, const double *A, const double *b, double M[N][N + 1]) {
  for (int i = 0; i < n; i++) {
    double size = 0.0;
    for (int j = 0; j < n; j++) size = fmax(size, fabs(A[i + n * j]));
    if (!(size > 0.0 && isfinite(size))) return false;
    for (int j = 0; j < n; j++) M[i][j] = A[i + n * j] / size;
    M[i][n] = b[i] / size;
  }
  return true;
}

static void swap_rows(double *x, double *y, int n) {
  double keep[N + 1];
  memcpy(keep, x, (size_t)n * sizeof *x);
  memcpy(x, y, (size_t)n * sizeof *x);
  memcpy(y, keep, (size_t)n * sizeof *x);
}

static bool eliminate_column(int n, int k, double M[N][N + 1]) {
  int pivot = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(M[i][k]) > fabs(M[pivot][k])) pivot = i;
  if (M[pivot][k] == 0.0) return false;
  if (pivot != k) swap_rows(M[pivot], M[k], n + 1);
  for (int i = k + 1; i < n; i++) {
    double factor = M[i][k] / M[k][k];
    for (int j = k; j <= n; j++) M[i][j] -= factor * M[k][j];
  }
  return true;
}

bool stc_dense_solve(int n, const double *A, const double *b, double *x) {
  double M[N][N + 1];
  if (!scaled_rows(n, A, b, M)) return false;
  for (int k = 0; k < n; k++)
    if (!eliminate_column(n, k, M)) return false;
  for (int i = n - 1; i >= 0; i--) {
    x[i] = M[i][n];
    for (int j = i + 1; j < n; j++) x[i] -= M[i][j] * x[j];
    x[i] /= M[i][i];
  }
  return true;
}

// The rotation in the plane (i, j) that makes S_ij = 0   [Golub and Van Loan, symmetric Schur].
static void rotate_plane(int n, int i, int j, double S[N][N], double V[N][N]) {
  if (fabs(S[i][j]) <= 1e-18 * (fabs(S[i][i]) + fabs(S[j][j]))) return;  // far below rounding
  double tau = (S[j][j] - S[i][i]) / (2.0 * S[i][j]);
  double t = copysign(1.0, tau) / (fabs(tau) + sqrt(1.0 + tau * tau));
  double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
  for (int k = 0; k < n; k++) {  // columns
    double a = S[k][i], b = S[k][j];
    S[k][i] = c * a - s * b, S[k][j] = s * a + c * b;
    a = V[k][i], b = V[k][j];
    V[k][i] = c * a - s * b, V[k][j] = s * a + c * b;
  }
  for (int k = 0; k < n; k++) {  // rows
    double a = S[i][k], b = S[j][k];
    S[i][k] = c * a - s * b, S[j][k] = s * a + c * b;
  }
  S[i][j] = S[j][i] = 0.0;
}

// order[] sorts the diagonal of S.
static void sort_diagonal(int n, double S[N][N], int order[N]) {
  for (int k = 0; k < n; k++) {
    int place = k;
    for (; place > 0 && S[order[place - 1]][order[place - 1]] > S[k][k]; place--)
      order[place] = order[place - 1];
    order[place] = k;
  }
}

void stc_dense_eigen(int n, const double *A, double *value, double *vector) {
  const int sweeps = 12;  // convergence is quadratic: 3 x 3 is done after 4 or 5
  double S[N][N], V[N][N] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  int order[N] = {0};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) S[i][j] = A[i + n * j];
  for (int sweep = 0; sweep < sweeps; sweep++)
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) rotate_plane(n, i, j, S, V);
  sort_diagonal(n, S, order);
  for (int k = 0; k < n; k++) {
    value[k] = S[order[k]][order[k]];
    for (int i = 0; i < n; i++) vector[i + n * k] = V[i][order[k]];
  }
}

static double evaluate_polynomial(const double *p, int degree, double z) {
  double value = p[degree];
  for (int k = degree - 1; k >= 0; k--) value = value * z + p[k];
  return value;
}

// The root between a and b, where p has opposite signs: Newton's method kept inside a bracket.
static double between(const double *p, const double *dp, int degree, double a, double b) {
  const int most_steps = 60;
  double rising = evaluate_polynomial(p, degree, b) > 0.0 ? 1.0 : -1.0, z = 0.5 * (a + b);
  for (int step = 0; step < most_steps; step++) {
    double f = evaluate_polynomial(p, degree, z);
    *(rising * f > 0.0 ? &b : &a) = z;
    double next = z - f / evaluate_polynomial(dp, degree - 1, z);
    if (!(next > a && next < b)) next = 0.5 * (a + b);
    if (next == z || next == a || next == b) break;
    z = next;
  }
  return z;
}

// Roots on [-1, 1] of p, monotone between consecutive `knots` (the roots of its derivative dp).
static int roots_between(const double *p, const double *dp, int degree, const double *knots,
                         int count, double *root) {
  int found = 0;
  double a = -1.0, f_a = evaluate_polynomial(p, degree, a);
  for (int k = 0; k <= count; k++) {
    double b = k < count ? knots[k] : 1.0, f_b = evaluate_polynomial(p, degree, b);
    if (f_a == 0.0) root[found++] = a;
    if ((f_a < 0.0 && f_b > 0.0) || (f_a > 0.0 && f_b < 0.0))
      root[found++] = between(p, dp, degree, a, b);
    a = b, f_a = f_b;
  }
  if (f_a == 0.0) root[found++] = a;
  return found;
}

int stc_quartic_roots(const double p[STC_QUARTIC_DEGREE + 1], double *root) {
  enum { D = STC_QUARTIC_DEGREE };
  const double touch = 1e-8;  // relative to the coefficients: a double root split by rounding
  double d[D + 1][D + 1], size = 0.0, knots[STC_QUARTIC_MAX];
  memcpy(d[0], p, sizeof d[0]);
  for (int k = 0; k <= D; k++) size = fmax(size, fabs(p[k]));
  for (int m = 1; m <= D; m++)  // d[m] = m-th derivative
    for (int k = 0; k <= D - m; k++) d[m][k] = (k + 1) * d[m - 1][k + 1];
  int found = 0, count = 0;
  for (int m = D - 1; m >= 0; m--) {
    memcpy(knots, root, (size_t)found * sizeof *knots);
    count = found;
    found = roots_between(d[m], d[m + 1], D - m, knots, count, root);
  }
  for (int k = 0; k < count; k++)
    if (fabs(evaluate_polynomial(p, D, knots[k])) <= touch * size) root[found++] = knots[k];
  return found;
}
