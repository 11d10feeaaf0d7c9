// Small factors A = L D U inside an envelope. Its reach never decreases from column to column, so
// that eliminating one column fills nothing outside: a chain of elements keeps its band.
#include "envelope.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A pivot this small against its diagonal entry is what rounding leaves of an exact zero.
static const double PIVOT_FLOOR = 10 * DBL_EPSILON;

static bool is_pivot(double pivot, double diagonal) {
  return pivot > PIVOT_FLOOR * diagonal && isfinite(pivot);
}

/// A = L D L^T from the lower triangle; returns the first bad row or -1.
static int factorise_symmetric(int n, const int *reach, double *A) {
  double diagonal[STC_ENVELOPE_MAX];
  for (int k = 0; k < n; k++) diagonal[k] = A[k * n + k];
  for (int k = 0; k < n; k++) {
    double *column = A + k * n;
    if (!is_pivot(column[k], diagonal[k])) return k;
    column[k] = 1 / column[k];
    for (int j = k + 1; j <= reach[k]; j++) {
      double l = column[j] * column[k];
      for (int i = j; i <= reach[k]; i++) A[j * n + i] -= l * column[i];
    }
    for (int i = k + 1; i <= reach[k]; i++) column[i] *= column[k];
  }
  return -1;
}

/// A = L D U.
static void factorise_skew(int n, const int *reach, double *A) {
  for (int k = 0; k < n; k++) {
    double *column = A + k * n;
    column[k] = 1 / column[k];
    for (int i = k + 1; i <= reach[k]; i++) column[i] *= column[k];
    for (int j = k + 1; j <= reach[k]; j++) {
      for (int i = k + 1; i <= reach[k]; i++) A[j * n + i] -= column[i] * A[j * n + k];
      A[j * n + k] *= column[k];
    }
  }
}

int stc_envelope_factorise(stc_envelope *e) {
  for (int k = 0, furthest = 0; k < e->n; k++) {
    if (furthest < k) furthest = k;
    if (furthest < e->reach[k]) furthest = e->reach[k];
    e->reach[k] = furthest;
  }
  if (!e->skew) return factorise_symmetric(e->n, e->reach, e->A);
  // The first bad row of the symmetric part of A.
  int n = e->n;
  double part[STC_ENVELOPE_MAX * STC_ENVELOPE_MAX];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) part[j * n + i] = (e->A[j * n + i] + e->A[i * n + j]) / 2;
  int row = factorise_symmetric(n, e->reach, part);
  if (row < 0) factorise_skew(e->n, e->reach, e->A);
  return row;
}

/// The solves, over `lanes` vectors side by side; inlined with a constant. Zeros above the row
/// `first` of x stay what they are on the way down.
static inline void descend(const stc_envelope *e, int first, int lanes, double *x) {
  int n = e->n;
  for (int j = first; j < n; j++) {
    const double *column = e->A + j * n;
    for (int i = j + 1; i <= e->reach[j]; i++)
      for (int l = 0; l < lanes; l++) x[i * lanes + l] -= column[i] * x[j * lanes + l];
  }
}

/// On the way up, down to row `last`: x_j = x_j / D_j - sum of U_ji x_i, i > j.
static inline void ascend(const stc_envelope *e, int last, int lanes, double *x) {
  int n = e->n, along = e->skew ? n : 1, across = e->skew ? 1 : n;
  for (int j = n - 1; j >= last; j--) {
    const double *row = e->A + j * across;
    double *sum = x + j * lanes, pivot = e->A[j * n + j];
    for (int l = 0; l < lanes; l++) sum[l] *= pivot;
    for (int i = j + 1; i <= e->reach[j]; i++)
      for (int l = 0; l < lanes; l++) sum[l] -= row[i * along] * x[i * lanes + l];
  }
}

void stc_envelope_solve(const stc_envelope *e, double *x) {
  descend(e, 0, 1, x);
  ascend(e, 0, 1, x);
}

static bool all_zero(const double *x) {
  for (int l = 0; l < STC_LANES; l++)
    if (x[l] != 0) return false;
  return true;
}

void stc_envelope_solve_lanes(const stc_envelope *e, int first, double *x) {
  int start = first;
  while (start < e->n && all_zero(x + start * STC_LANES)) start++;
  descend(e, start, STC_LANES, x);
  ascend(e, first, STC_LANES, x);
}

static void invert_symmetric(const stc_envelope *e, double *inverse) {
  int n = e->n;
  double x[STC_ENVELOPE_MAX];
  for (int i = 0; i < n; i++) {
    for (int k = i; k < n; k++) x[k] = k == i;
    descend(e, i, 1, x);
    ascend(e, i, 1, x);
    for (int j = i; j < n; j++) inverse[i * n + j] = inverse[j * n + i] = x[j];
  }
}

void stc_envelope_invert(const stc_envelope *e, double *inverse) {
  size_t n = (size_t)e->n;
  if (!e->skew) {
    invert_symmetric(e, inverse);
    return;
  }
  memset(inverse, 0, n * n * sizeof *inverse);
  for (int i = 0; i < e->n; i++) {
    inverse[i * e->n + i] = 1;
    stc_envelope_solve(e, inverse + i * e->n);
  }
}
