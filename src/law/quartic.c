// Real roots of a quartic on [-1, 1] by isolation between the roots of the derivatives.
#include "quartic.h"

#include <math.h>
#include <string.h>

static double evaluate_polynomial(const double *p, int degree, double z) {
  double value = p[degree];
  for (int k = degree - 1; k >= 0; k--) value = value * z + p[k];
  return value;
}

// The root between a and b, where p has opposite signs: Newton's method kept inside a bracket.
static double root_between(const double *p, const double *dp, int degree, double a, double b) {
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
      root[found++] = root_between(p, dp, degree, a, b);
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
