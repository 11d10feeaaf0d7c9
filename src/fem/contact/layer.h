// A compliant layer between surfaces: its depth d >= 0 under a pressure p >= 0, convex p(d),
//   power        p = pressure (d / length)^exponent
//   exponential  p = p_r (exp(d / length) - 1),   p_r = pressure exp(-reach / length)
#ifndef STC_FEM_LAYER_H
#define STC_FEM_LAYER_H

#include <stiction/fem.h>

/// Refuses numbers without meaning, for contact pair `index`.
stc_error stc_layer_check(const stc_layer *layer, int index);

/// Gap at which it begins to carry.
double stc_layer_reach(const stc_layer *layer);

double stc_layer_pressure(const stc_layer *layer, double depth);

/// The depth at p, and *slope = d(depth)/dp, finite.
double stc_layer_depth(const stc_layer *layer, double p, double *slope);

/// Where to put the next tangent, after the one at `before` led to pressure p and depth d: on the
/// way up at p, on the way down at d, so that the steps of Newton's method stay small.
double stc_layer_next(const stc_layer *layer, double before, double p, double d);

/// The pressure p with p = load - eps depth(p), 0 where load <= 0.
double stc_layer_balance(const stc_layer *layer, double load, double eps);

#endif
