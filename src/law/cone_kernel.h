// One contact inside a Gauss–Seidel sweep, in hat variables: with D = diag(1, mu[, mu2]),
//   r = D r',  u' = D u,  W' = D W D,  c' = D c      (c = everything but W_ii r_i)
// every cone law reads  u' = W' r' + c',  r' in { |r_T| <= r_N },  mu = 1. Primes are dropped
// below.
//
// Eliminating r_N from u_N = 0 leaves, with g = W_TN / a, h = W_NT / a, a = W_NN, n = -c_N / a,
//   u_T = T r_T + p,   T = W_TT - W_TN W_NT / a,   p = c_T - g c_N,   r_N = n - h . r_T.
//   open    c_N >= 0:            r = 0
//   stick   u_T = 0:             r_T = -T^-1 p,  accepted if |r_T| <= r_N
//   slip    u_T = -lambda r_T:   r_T = -(T + lambda)^-1 p,  |r_T| = r_N,  lambda > 0
// Times det(T + lambda) the slip equation is sqrt(alpha(lambda)) = beta(lambda) with two
// quadratics, solved by Newton's method on beta / sqrt(alpha), which is nearly linear, inside a
// bracket.
#ifndef STC_LAW_CONE_KERNEL_H
#define STC_LAW_CONE_KERNEL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/// What a contact in 3D keeps between sweeps: made once from W_ii, 14 doubles.
typedef struct stc_cone3 {
  double inverse_a;      ///< 1 / W_NN; 0 if W_NN is not positive
  double g[2], h[2];     ///< W_TN / a, W_NT / a
  double T[4];           ///< Schur complement by columns
  double inverse_T11;    ///< T = L U: 1/T11, T21/T11, T12/T11, 1/(T22 - T21 T12 / T11)
  double lower, upper;   ///< a pivot that vanishes has the inverse 0
  double inverse_pivot;  ///<
  double least;          ///< 0 if both pivots are safely positive; else multipliers below this
                         ///< are left to the robust routine
} stc_cone3;

/// What a contact in 2D keeps between sweeps.
typedef struct stc_cone2 {
  double inverse_a, g, h;
  double T, inverse_T;  ///< inverse_T = 0 if T is not safely positive
} stc_cone2;

/// Solves one contact of dimension dim in hat variables whatever W and c are: singular, badly
/// scaled, slightly unsymmetric. W by columns. r holds the start on entry. false: no answer was
/// found, r is then the best candidate. r is always finite. About a hundred times slower than the
/// fast path.
bool stc_cone_solve_robust(int dim, const double *W, const double *c, double *r);

/// A pivot below this part of what it was formed from has lost too many digits for the formulas
/// here; the robust routine takes over.
#define STC_CONE_PIVOT 1e-6

/// Steps before the fast path gives up; typical counts are 1 to 2 warm and 3 to 4 cold.
#define STC_CONE_STEPS 24

/// A relative step below this is the last: it leaves its cube.
#define STC_CONE_LAST_STEP 1e-5

static inline stc_cone3 stc_cone3_prepare(const double W[9]) {
  stc_cone3 k = {.inverse_a = W[0] > 0.0 ? 1.0 / W[0] : 0.0};
  for (int i = 0; i < 2; i++) {
    k.g[i] = W[i + 1] * k.inverse_a;
    k.h[i] = W[3 * (i + 1)] * k.inverse_a;
  }
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++) k.T[i + 2 * j] = W[(i + 1) + 3 * (j + 1)] - W[i + 1] * k.h[j];
  k.inverse_T11 = k.T[0] > STC_CONE_PIVOT * W[4] ? 1.0 / k.T[0] : 0.0;
  k.lower = k.T[1] * k.inverse_T11;
  k.upper = k.T[2] * k.inverse_T11;
  double pivot = k.T[3] - k.lower * k.T[2];
  k.inverse_pivot = pivot > STC_CONE_PIVOT * W[8] ? 1.0 / pivot : 0.0;
  bool regular = k.inverse_a > 0.0 && k.inverse_T11 > 0.0 && k.inverse_pivot > 0.0;
  k.least = regular ? 0.0 : STC_CONE_PIVOT * (W[4] + W[8]) + DBL_MIN;
  return k;
}

/// A multiplier to start from, exact if T is isotropic and does not couple with the normal.
static inline double stc_cone3_start(double n, double trace, double p_squared) {
  double x = sqrt(p_squared) / n - 0.5 * trace, least = 1e-3 * trace;
  return x > least ? x : least;
}

/// A point of the bracket: its middle, or a step of 16 away from the end that is known.
static inline double stc_cone3_inside(double low, double high) {
  if (!(high < INFINITY)) return 16.0 * low;
  return low > 0.0 ? 0.5 * (low + high) : 0.0625 * high;
}

/// Slip: writes r and the multiplier; false if the iteration does not settle. Chebyshev's step
///   x + d - (f''/2f') d^2,  d = -f/f',   f = beta / sqrt(alpha) - 1,
/// costs one square root and one division side by side, and cubes the error. A step that leaves
/// the bracket (low, high) is replaced by Newton's, then by a point inside.
static inline bool stc_cone3_slip(const stc_cone3 *k, double n, double p1, double p2, double r[3],
                                  double *lambda) {
  const double t11 = k->T[0], t21 = k->T[1], t12 = k->T[2], t22 = k->T[3];
  const double A1 = t22 * p1 - t12 * p2, A2 = t11 * p2 - t21 * p1;  // adj(T) p
  const double trace = t11 + t22, det = t11 * t22 - t12 * t21;
  const double a0 = A1 * A1 + A2 * A2, a1 = 2.0 * (A1 * p1 + A2 * p2), a2 = p1 * p1 + p2 * p2;
  const double b0 = n * det + (k->h[0] * A1 + k->h[1] * A2);
  const double b1 = n * trace + (k->h[0] * p1 + k->h[1] * p2);
  double low = 0.0, high = INFINITY, x = *lambda;
  if (!(x > 0.0)) x = stc_cone3_start(n, trace, a2);
  for (int step = 0; step < STC_CONE_STEPS; step++) {
    double alpha = (a2 * x + a1) * x + a0, dalpha = 2.0 * a2 * x + a1;
    double beta = (n * x + b1) * x + b0, dbeta = 2.0 * n * x + b1;
    double slope = alpha * dbeta - 0.5 * beta * dalpha;  // f' alpha^(3/2)
    double bend = 0.5 * dalpha * dbeta + 2.0 * n * alpha - a2 * beta;
    double gap = sqrt(alpha) - beta, inverse_slope = 1.0 / slope;
    double over = gap * inverse_slope, d = alpha * over;
    double next = x + d - d * over * (0.5 * bend * alpha * inverse_slope - 0.75 * dalpha);
    if (fabs(d) <= STC_CONE_LAST_STEP * x) {
      double inverse = -1.0 / ((next + trace) * next + det);
      r[1] = (A1 + next * p1) * inverse;
      r[2] = (A2 + next * p2) * inverse;
      r[0] = n - (k->h[0] * r[1] + k->h[1] * r[2]);
      *lambda = next;
      return next > k->least && r[0] > 0.0 && r[0] < INFINITY;
    }
    low = gap > 0.0 ? x : low;
    high = gap > 0.0 ? high : x;
    if (!(next > low && next < high)) next = x + d;
    if (!(next > low && next < high)) next = stc_cone3_inside(low, high);
    x = next;
  }
  return false;
}

/// Where a pivot vanished: do the r_T found without it satisfy T r_T + p = 0?
static inline bool stc_cone3_consistent(const stc_cone3 *k, double p1, double p2,
                                        const double r[3]) {
  const double rounding = 1e-14 * (fabs(p1) + fabs(p2));
  double e1 = k->T[0] * r[1] + k->T[2] * r[2] + p1, e2 = k->T[1] * r[1] + k->T[3] * r[2] + p2;
  return k->inverse_a > 0.0 && fabs(e1) <= rounding && fabs(e2) <= rounding;
}

/// One contact in 3D. r is written only; lambda is the slip multiplier kept per contact from sweep
/// to sweep (0 at first). false: undecided, r is not to be used, call stc_cone_solve_robust.
static inline bool stc_cone3_solve(const stc_cone3 *k, const double c[3], double r[3],
                                   double *lambda) {
  if (c[0] >= 0.0) {
    r[0] = r[1] = r[2] = 0.0;
    return true;
  }
  const double n = -c[0] * k->inverse_a;
  const double p1 = c[1] - k->g[0] * c[0], p2 = c[2] - k->g[1] * c[0];
  r[2] = (k->lower * p1 - p2) * k->inverse_pivot;
  r[1] = -p1 * k->inverse_T11 - k->upper * r[2];
  r[0] = n - (k->h[0] * r[1] + k->h[1] * r[2]);
  bool in_cone = r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= r[0] * r[0];
  if (in_cone && (k->least == 0.0 || stc_cone3_consistent(k, p1, p2, r))) return true;
  return stc_cone3_slip(k, n, p1, p2, r, lambda);
}

/// One contact in 3D without preparation.
static inline bool stc_cone_solve3(const double W[9], const double c[3], double r[3],
                                   double *lambda) {
  stc_cone3 k = stc_cone3_prepare(W);
  return stc_cone3_solve(&k, c, r, lambda);
}

static inline stc_cone2 stc_cone2_prepare(const double W[4]) {
  stc_cone2 k = {.inverse_a = W[0] > 0.0 ? 1.0 / W[0] : 0.0};
  k.g = W[1] * k.inverse_a;
  k.h = W[2] * k.inverse_a;
  k.T = W[3] - W[1] * k.h;
  k.inverse_T = k.T > STC_CONE_PIVOT * W[3] ? 1.0 / k.T : 0.0;
  return k;
}

/// One contact in 2D; as in 3D, with r_T = -sign(p) r_N and u_T = p + T r_T in slip.
static inline bool stc_cone2_solve(const stc_cone2 *k, const double c[2], double r[2]) {
  if (c[0] >= 0.0) {
    r[0] = r[1] = 0.0;
    return true;
  }
  const double n = -c[0] * k->inverse_a, p = c[1] - k->g * c[0];
  r[1] = -p * k->inverse_T;
  r[0] = n - k->h * r[1];
  if (fabs(r[1]) <= r[0] && n > 0.0 && (k->inverse_T > 0.0 || p == 0.0)) return true;
  const double sign = copysign(1.0, -p);
  r[0] = n / (1.0 + sign * k->h);
  r[1] = sign * r[0];
  return r[0] > 0.0 && r[0] < INFINITY && k->T * r[0] <= fabs(p);
}

/// One contact in 2D without preparation.
static inline bool stc_cone_solve2(const double W[4], const double c[2], double r[2]) {
  stc_cone2 k = stc_cone2_prepare(W);
  return stc_cone2_solve(&k, c, r);
}

#endif
