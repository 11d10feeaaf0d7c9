// Small dense matrices: elimination with row pivoting, Cholesky's factor by rows from the left,
// Jacobi's rotations   [Golub and Van Loan].
#include "small.h"

#include <float.h>
#include <math.h>

enum { N = STC_SMALL_MAX };

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
  for (int j = 0; j < n; j++) {
    double keep = x[j];
    x[j] = y[j];
    y[j] = keep;
  }
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

bool stc_small_solve(int n, const double *A, const double *b, double *x) {
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

int stc_small_invert(int n, double *A, double replacement, double *inverse) {
  int sign = 1;
  for (int k = 0; k < n * n; k++) inverse[k] = k / n == k % n;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[p * n + k])) p = i;
    if (p != k) {
      swap_rows(A + k * n, A + p * n, n);
      swap_rows(inverse + k * n, inverse + p * n, n);
      sign = -sign;
    }
    double pivot = A[k * n + k];
    if (!(fabs(pivot) > DBL_MIN)) pivot = replacement;
    if (pivot == 0) return 0;
    if (pivot < 0) sign = -sign;
    for (int j = 0; j < n; j++) A[k * n + j] /= pivot, inverse[k * n + j] /= pivot;
    // Row k, over its pivot, from all the others.
    for (int i = 0; i < n; i++) {
      double factor = A[i * n + k];
      for (int j = 0; i != k && factor != 0 && j < n; j++) {
        A[i * n + j] -= factor * A[k * n + j];
        inverse[i * n + j] -= factor * inverse[k * n + j];
      }
    }
  }
  return sign;
}

int stc_small_cholesky(int n, double *A, double least) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++) A[i * n + j] -= A[i * n + k] * A[j * n + k];
    if (!(A[j * n + j] > least && isfinite(A[j * n + j]))) return j;
    double root = A[j * n + j] = sqrt(A[j * n + j]);
    for (int i = j + 1; i < n; i++) A[i * n + j] /= root;
  }
  return -1;
}

void stc_small_cholesky_solve(int n, const double *L, double *x) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
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

void stc_small_eigen(int n, const double *A, double *value, double *vector) {
  const int sweeps = 12;  // convergence is quadratic: 3 x 3 is done after 4 or 5
  double S[N][N], V[N][N] = {{0.0}};
  int order[N] = {0};
  for (int i = 0; i < n; i++) V[i][i] = 1.0;
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
