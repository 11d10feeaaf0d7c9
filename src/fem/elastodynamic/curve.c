// The S-shaped curve q in h(w) = Z w + S mu(|w|) Sgn(w), its fold and its roots.
#include "../../base/fail.h"

#include <math.h>

#include <stiction/elastodynamic.h>

enum { MOST_STEPS = 200 };  // halvings of an interval of doubles end long before

double stc_rate_mu(const stc_rate_law *law, double w) {
  return law->mu_d + (law->mu_s - law->mu_d) * exp(-fabs(w) / law->v_c);
}

double stc_rate_slope(const stc_rate_law *law, double w) {
  return -(law->mu_s - law->mu_d) / law->v_c * exp(-fabs(w) / law->v_c);
}

double stc_rate_steepest(const stc_rate_law *law) { return (law->mu_s - law->mu_d) / law->v_c; }

static stc_error refuse_rate(const char *name, double value, const char *wanted) {
  return stc_fail(STC_ERR_VALUE, "%s = %g; give %s", name, value, wanted);
}

stc_error stc_curve_check(const stc_curve *curve) {
  const stc_rate_law *law = &curve->law;
  if (!(curve->impedance > 0) || !isfinite(curve->impedance))
    return refuse_rate("impedance", curve->impedance, "a positive number");
  if (!(curve->load >= 0) || !isfinite(curve->load))
    return refuse_rate("load", curve->load, "a number that is not negative");
  if (!(law->mu_d >= 0) || !isfinite(law->mu_d)) return refuse_rate("mu_d", law->mu_d, "0 or more");
  if (!(law->mu_s >= law->mu_d) || !isfinite(law->mu_s))
    return refuse_rate("mu_s", law->mu_s, "mu_d or more: the coefficient falls with the slip rate");
  if (!(law->v_c > 0) || !isfinite(law->v_c))
    return refuse_rate("v_c", law->v_c, "a positive speed");
  return STC_OK;
}

double stc_curve_stick_limit(const stc_curve *curve) { return curve->load * curve->law.mu_s; }

static double slide(const stc_curve *curve, double w) {
  return curve->impedance * w + curve->load * stc_rate_mu(&curve->law, w);
}

// h'(w) = Z + S mu'(w) = 0 at w = v_c ln(S max|mu'| / Z).
bool stc_curve_fold(const stc_curve *curve, double *w, double *q) {
  double steepness = curve->load * stc_rate_steepest(&curve->law) / curve->impedance;
  *w = steepness > 1 ? curve->law.v_c * log(steepness) : 0;
  *q = slide(curve, *w);
  return steepness > 1;
}

// The zero of slide(w) - q between two places where the signs differ, to the last bit.
static double bisect(const stc_curve *curve, double q, double low, double high) {
  bool rising = slide(curve, high) > slide(curve, low);
  for (int k = 0; k < MOST_STEPS; k++) {
    double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if ((slide(curve, middle) > q) == rising)
      high = middle;
    else
      low = middle;
  }
  return low + (high - low) / 2;
}

// For q > 0: stick up to the limit; slip on the falling branch between fold and limit, and on the
// rising one above the fold. Slip the other way would need q < 0.
static int positive_roots(const stc_curve *curve, double q, double *w) {
  double w_fold, q_fold, limit = stc_curve_stick_limit(curve);
  int count = 0;
  stc_curve_fold(curve, &w_fold, &q_fold);
  if (q <= limit) w[count++] = 0;
  if (q < q_fold || (q == q_fold && w_fold == 0)) return count;
  if (q < limit && w_fold > 0 && q > q_fold) w[count++] = bisect(curve, q, 0, w_fold);
  w[count++] = q == q_fold ? w_fold : bisect(curve, q, w_fold, q / curve->impedance + w_fold);
  return count;
}

int stc_curve_roots(const stc_curve *curve, double q, double w[STC_CURVE_ROOTS]) {
  int count = positive_roots(curve, fabs(q), w);
  for (int k = 0; k < count; k++) w[k] = copysign(w[k], q);
  return count;
}

const char *stc_root_rule_name(stc_root_rule rule) {
  static const char *const names[] = {"delay", "min", "max"};
  return rule >= STC_ROOT_DELAY && rule <= STC_ROOT_MAX ? names[rule] : "?";
}

double stc_curve_follow(const stc_curve *curve, double q, double w, stc_root_rule rule,
                        int *roots) {
  double root[STC_CURVE_ROOTS];
  int count = stc_curve_roots(curve, q, root);
  if (roots) *roots = count;
  if (rule == STC_ROOT_MIN) return root[0];
  if (rule == STC_ROOT_MAX) return root[count - 1];
  // The branch of w: stick, falling, rising; the root of q on it, else the only way out of it.
  double w_fold, q_fold;
  stc_curve_fold(curve, &w_fold, &q_fold);
  bool slides = w != 0 && (w > 0) == (q > 0);
  if (!slides) return root[0];
  bool rising = fabs(w) >= w_fold;
  if (rising && fabs(q) >= q_fold) return root[count - 1];
  return !rising && count == STC_CURVE_ROOTS ? root[1] : root[0];
}
