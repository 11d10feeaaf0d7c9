// Elastodynamic friction with a coefficient that falls with the slip rate, and the surface inertia
// that restores uniqueness   [Paumier and Renard 2000].
//   column:    rho u_tt = rho c^2 u_xx,  at x = 0 friction against a support of speed tau
//   boundary:  q = Z (tau - alpha) in h(w) = Z w + S mu(|w|) Sgn(w),  w = tau - u_t,  Z = rho c,
// alpha the wave that comes in. Without inertia at the surface several w answer one q where
// S max|mu'| > Z; with it w' follows, and as the layer thins the jump is delayed as long as
// possible.
#ifndef STICTION_ELASTODYNAMIC_H
#define STICTION_ELASTODYNAMIC_H

#include <stiction/fem.h>

#ifdef __cplusplus
extern "C" {
#endif

/// mu(w) = mu_d + (mu_s - mu_d) exp(-|w|/v_c).
typedef struct stc_rate_law {
  double mu_s, mu_d;  ///< at rest, and in fast slip; mu_s >= mu_d >= 0
  double v_c;         ///< m/s
} stc_rate_law;

STC_API double stc_rate_mu(const stc_rate_law *law, double w);
STC_API double stc_rate_slope(const stc_rate_law *law, double w);  ///< d mu/d|w|, s/m
STC_API double stc_rate_steepest(const stc_rate_law *law);         ///< max |mu'|

/// The S-shaped curve h.
typedef struct stc_curve {
  double impedance;  ///< Z = rho c, Pa s/m
  double load;       ///< S, Pa
  stc_rate_law law;
} stc_curve;

STC_API stc_error stc_curve_check(const stc_curve *curve);
STC_API double stc_curve_stick_limit(const stc_curve *curve);  ///< S mu_s

/// Least q > 0 that can slide, and its w; false, and 0 and the stick limit, where h rises
/// everywhere.
STC_API bool stc_curve_fold(const stc_curve *curve, double *w, double *q);

enum { STC_CURVE_ROOTS = 3 };

/// All w with q in h(w), by rising |w|; how many.
STC_API int stc_curve_roots(const stc_curve *curve, double q, double w[STC_CURVE_ROOTS]);

/// Which root is taken where there are several.
typedef enum stc_root_rule {
  STC_ROOT_DELAY,  ///< the branch that w is on, as long as it is there: maximal delay
  STC_ROOT_MIN,    ///< the least |w|
  STC_ROOT_MAX     ///< the greatest |w|
} stc_root_rule;

STC_API const char *stc_root_rule_name(stc_root_rule rule);  ///< "delay", "min", "max"

/// The root of q that the rule takes after w.
STC_API double stc_curve_follow(const stc_curve *curve, double q, double w, stc_root_rule rule,
                                int *roots);

// --- The column without reflections: the support starts, reverses ---

/// tau = rate t up to t_turn, then back at the same rate.
typedef struct stc_ramp {
  double rate;    ///< m/s^2
  double t_turn;  ///< s; 0: never
} stc_ramp;

STC_API double stc_ramp_speed(const stc_ramp *ramp, double t);  ///< tau
STC_API double stc_ramp_slope(const stc_ramp *ramp, double t);  ///< tau', from the right

/// An infinite column under a ramp; layer = rho eps, mass per area at the surface.
typedef struct stc_column {
  stc_curve curve;
  stc_ramp ramp;
  double layer;      ///< kg/m^2; 0: none, jumps with maximal delay
  double threshold;  ///< slip rate whose first passage is the upward jump, with a layer
  double t_end;
  double sample_dt;  ///< s between samples, from t = 0; 0: as it integrates
} stc_column;

/// Times are NaN where the event does not happen before t_end.
typedef struct stc_column_events {
  double jump_up;    ///< slip begins (no layer), or passes the threshold
  double jump_down;  ///< back to stick
} stc_column_events;

/// Integrates to t_end; times to 1e-10 relative or better. `sample` is called with rising t, or
/// NULL.
STC_API stc_error stc_column_run(const stc_column *column,
                                 void (*sample)(void *user, double t, double q, double w),
                                 void *user, stc_column_events *events);

/// Slip rates of a finite column of depth D, clamped at its top, over a support at constant speed
/// V, with maximal delay: one value for each window of length 2 D/c.
STC_API stc_error stc_column_windows(const stc_curve *curve, double V, int count, double *w);

// --- The same column as P1 finite elements ---

typedef struct stc_bar stc_bar;

/// tau of a support at time t.
typedef double (*stc_support_speed)(void *user, double t);

typedef struct stc_bar_settings {
  stc_rate_law law;
  double density, speed;  ///< rho, c
  double load;            ///< S
  double depth;           ///< D
  double layer;           ///< thickness eps: mass rho eps more at the surface
  int elements;
  double dt;
  bool clamped;  ///< the far end; otherwise it absorbs nothing and is free
  stc_root_rule rule;
  stc_support_speed tau;
  void *user;
} stc_bar_settings;

STC_API stc_error stc_bar_create(const stc_bar_settings *settings, stc_bar **bar);
STC_API void stc_bar_free(stc_bar **bar);

typedef struct stc_bar_report {
  double t, w;          ///< at the end of the step; w the slip rate at its middle
  double friction;      ///< stress
  int roots;            ///< of the step
  double energy;        ///< kinetic + elastic, per area
  double energy_error;  ///< |E+ - E - dt r v_mid| over the largest term
} stc_bar_report;

/// b S max|mu'|, which decides whether a step has one answer: it has where this is below 1.
STC_API double stc_bar_uniqueness(const stc_bar *bar);
STC_API stc_error stc_bar_step(stc_bar *bar, stc_bar_report *report);
STC_API double stc_bar_time(const stc_bar *bar);
STC_API size_t stc_bar_state_size(const stc_bar *bar);
STC_API void stc_bar_save(const stc_bar *bar, double *state);
STC_API stc_error stc_bar_restore(stc_bar *bar, const double *state, size_t count);

#ifdef __cplusplus
}
#endif

#include <stiction/elastodynamic_strip.h>
#endif
