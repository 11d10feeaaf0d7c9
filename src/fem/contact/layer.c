// Layers of asperities: power and exponential laws.
#include "layer.h"
#include "../../base/fail.h"

#include <math.h>

// exp(-14) is about 1e-6: what an exponential layer carries beyond its reach is left out.
#define USUAL_REACH 14

// The slope of the depth is that at this part of the pressure at least: at 0 a power law has none.
#define LEAST_PRESSURE 1e-12

enum { MAX_STEPS = 200 };

stc_error stc_layer_check(const stc_layer *l, int index) {
  if ((unsigned)l->law > STC_LAYER_EXPONENTIAL)
    return stc_fail(STC_ERR_VALUE, "contact %d: there is no law %d of a layer", index, (int)l->law);
  if (l->law == STC_LAYER_NONE) return STC_OK;
  if (!(l->pressure > 0) || !isfinite(l->pressure) || !(l->length > 0) || !isfinite(l->length))
    return stc_fail(STC_ERR_VALUE,
                    "contact %d: the layer has pressure = %g and length = %g; both must be > 0",
                    index, l->pressure, l->length);
  if (l->law == STC_LAYER_POWER && !(l->exponent >= 1 && l->exponent <= 100))
    return stc_fail(STC_ERR_VALUE,
                    "contact %d: the exponent of the layer is %g; give a number from 1 to 100",
                    index, l->exponent);
  if (!(l->reach >= 0) || !(l->reach <= 600 * l->length))
    return stc_fail(STC_ERR_VALUE,
                    "contact %d: the reach of the layer is %g; give a number from 0 to 600 lengths",
                    index, l->reach);
  return STC_OK;
}

double stc_layer_reach(const stc_layer *l) {
  if (l->law != STC_LAYER_EXPONENTIAL) return 0;
  return l->reach > 0 ? l->reach : USUAL_REACH * l->length;
}

static double residual_pressure(const stc_layer *l) {
  return l->pressure * exp(-stc_layer_reach(l) / l->length);
}

double stc_layer_pressure(const stc_layer *l, double depth) {
  if (!(depth > 0)) return 0;
  if (l->law == STC_LAYER_POWER) return l->pressure * pow(depth / l->length, l->exponent);
  return residual_pressure(l) * expm1(depth / l->length);
}

double stc_layer_depth(const stc_layer *l, double p, double *slope) {
  double at = fmax(p, 0), floor = fmax(p, LEAST_PRESSURE * l->pressure);
  if (l->law == STC_LAYER_POWER) {
    *slope = l->length * pow(floor / l->pressure, 1 / l->exponent) / (l->exponent * floor);
    return l->length * pow(at / l->pressure, 1 / l->exponent);
  }
  double p_r = residual_pressure(l);
  *slope = l->length / (p_r + at);
  return l->length * log1p(at / p_r);
}

double stc_layer_next(const stc_layer *l, double before, double p, double d) {
  if (p > before) return p;
  double next = stc_layer_pressure(l, d);
  return isfinite(next) ? fmin(next, fmax(before, p)) : p;
}

// The sum of both rises and is concave: from below Newton's method rises to the root.
double stc_layer_balance(const stc_layer *l, double load, double eps) {
  double p = 0, slope;
  for (int i = 0; load > 0 && i < MAX_STEPS; i++) {
    double left = load - p - eps * stc_layer_depth(l, p, &slope),
           next = p + left / (1 + eps * slope);
    if (!(next > p)) break;
    p = next;
  }
  return fmin(p, fmax(load, 0));
}
