// Taylor series after a reduction of the argument. Compiled without contraction into fused
// multiply-adds, so that every processor rounds each operation alike.
#include "elementary.h"

#include <math.h>

// pi/2 in three parts, the first two of 33 bits: k times them is exact for k < 2^20.
static const double HALF_PI = 0x1.921fb54400000p+0;
static const double HALF_PI_MIDDLE = 0x1.0b4611a600000p-34;
static const double HALF_PI_REST = 0x1.3198a2e037073p-69;
static const double PI = 0x1.921fb54442d18p+1;
static const double PI_REST = 0x1.1a62633145c07p-53;
static const double FAR = 1e5;  // below, k stays far from 2^20

// sin x for |x| <= pi/4: the term of x^19 is below 1e-19.
static double sine_series(double x) {
  double square = x * x, sum = 0;
  for (int k = 17; k >= 3; k -= 2) sum = square / (k * (k - 1)) * (1 - sum);
  return x - x * sum;
}

// cos x for |x| <= pi/4: the term of x^20 is below 1e-20.
static double cosine_series(double x) {
  double square = x * x, sum = 0;
  for (int k = 18; k >= 2; k -= 2) sum = square / (k * (k - 1)) * (1 - sum);
  return 1 - sum;
}

// x - k pi/2 with the nearest k.
static double reduce(double x, long *k) {
  if (fabs(x) > FAR) x = fmod(x, 2 * PI);
  double nearest = floor(x / HALF_PI + 0.5);
  *k = (long)nearest;
  return ((x - nearest * HALF_PI) - nearest * HALF_PI_MIDDLE) - nearest * HALF_PI_REST;
}

// sin(x + quarters pi/2).
static double shifted_sine(double x, int quarters) {
  long k;
  double rest = reduce(x, &k);
  int quadrant = (int)((k + quarters) & 3);
  double value = quadrant & 1 ? cosine_series(rest) : sine_series(rest);
  return quadrant & 2 ? -value : value;
}

double stc_sin(double x) { return shifted_sine(x, 0); }

double stc_cos(double x) { return shifted_sine(x, 1); }

// atan t for 0 <= t <= 1: twice reduced by atan t = 2 atan(t / (1 + sqrt(1 + t^2))), which leaves
// t <= tan(pi/16) = 0.199; the term of t^27 is below 1e-20.
static double arc_tangent(double t) {
  for (int k = 0; k < 2; k++) t = t / (1 + sqrt(1 + t * t));
  double square = t * t, sum = 0;
  for (int k = 25; k >= 3; k -= 2) sum = square * (1.0 / k - sum);
  return 4 * (t - t * sum);
}

double stc_atan2(double y, double x) {
  double across = fabs(y), along = fabs(x);
  double angle = across <= along ? arc_tangent(across / along)
                                 : PI / 2 - (arc_tangent(along / across) - PI_REST / 2);
  if (x < 0) angle = PI - (angle - PI_REST);
  return copysign(angle, y);
}

double stc_acos(double x) { return stc_atan2(sqrt((1 - x) * (1 + x)), x); }

// x = m 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh s, s = (m - 1) / (m + 1) <= 0.172: the
// term of s^25 is below 1e-20.
double stc_log(double x) {
  const double log2_high = 0x1.62e42fee00000p-1, log2_rest = 0x1.a39ef35793c76p-33;
  int e;
  double m = frexp(x, &e);
  if (m < 0.7071067811865476) m *= 2, e--;
  double s = (m - 1) / (m + 1), square = s * s, sum = 0;
  for (int k = 23; k >= 3; k -= 2) sum = square * (1.0 / k + sum);
  return e * log2_high + (2 * s + (2 * s * sum + e * log2_rest));
}

// Newton's method from within a factor 1.6: each step squares the error.
double stc_cbrt(double x) {
  if (x == 0) return x;
  int e;
  double m = frexp(x, &e), y = 1;
  for (; e % 3 != 0; e--) m *= 2;  // m in [1/2, 4)
  for (int k = 0; k < 7; k++) y -= (y - m / (y * y)) / 3;
  return ldexp(y, e / 3);
}

double stc_length2(double x, double y) { return sqrt(x * x + y * y); }
