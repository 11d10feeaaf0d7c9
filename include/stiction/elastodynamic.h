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

// --- Cylinders omega x ]0, D[ as finite elements: a strip in the plane, a block in space ---
//   p = J_N(xi), xi the penetration of the support at depth 0,   friction = p mu(|w|) Dir_T(w),
// w = tau - v. eta > 0 rounds J_N (xi/eta, in space at most 1/eta^2) and Dir_T (w/eta below eta);
// 0 is the law itself. In the layer ]0, eps[ fields are polynomials of degree m across it.

typedef struct stc_strip stc_strip;

/// FIELD(type, name, default, least, greatest, meaning)
#define STC_STRIP_FIELDS(FIELD)                                                                    \
  FIELD(double, lambda, 1, 0, 1e300, "Lame constant, Pa")                                          \
  FIELD(double, shear, 1, 1e-300, 1e300, "Lame constant G, Pa")                                    \
  FIELD(double, density, 1, 1e-300, 1e300, "kg/m^3")                                               \
  FIELD(double, eps, 0, 0, 1e300, "thickness of the layer, m; 0: none")                            \
  FIELD(int, degree, 0, 0, 2, "m: of the fields across the layer")                                 \
  FIELD(double, eta_n, 0, 0, 1e300, "rounds contact, m/Pa; 0: the law itself")                     \
  FIELD(double, eta_t, 0, 0, 1e300, "rounds friction, m/s; 0: the law itself")                     \
  FIELD(double, dt, 0.01, 1e-300, 1e300, "time step, s")                                           \
  FIELD(double, tol, 1e-10, 1e-14, 1e-3, "of the contact law in a step, relative to the forces")   \
  FIELD(int, max_iterations, 40, 1, 100000, "of Newton's method in a step")                        \
  FIELD(int, max_sweeps, 400, 0, 1000000,                                                          \
        "of Gauss-Seidel where Newton fails or roots abound; 0: none")                             \
  FIELD(int, threads, 1, 1, 1024, "threads")

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_strip_settings {
  int dim;         ///< 2: plane strain; 3
  double size[3];  ///< m: along x, (y,) and the depth D, the layer's part of it
  int cells[3];    ///< in the same order; across the depth those above the layer
  bool periodic;   ///< along x
  bool pressed;    ///< begins in static equilibrium without friction; otherwise stress-free
  stc_rate_law law;
  stc_root_rule rule;  ///< where a step has several answers
  STC_STRIP_FIELDS(STC_FIELD_DECLARE)
  /// Gamma_D and Gamma_N: the sides are "left", "right", in space "front", "back", and "top";
  /// the last component of a place is its height above the support.
  int supports;
  const stc_support *support;
  int tractions;
  const stc_traction *traction;
  double force[3];           ///< per volume
  stc_support_speed tau[2];  ///< along x and, in space, y; NULL: at rest
  void *user;
  /// Called while a strip is created, with the stage in words; false stops. May be NULL.
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_strip_settings;
#undef STC_FIELD_DECLARE

STC_API stc_strip_settings stc_default_strip_settings(void);
STC_API stc_error stc_strip_create(const stc_strip_settings *settings, stc_strip **strip);
STC_API void stc_strip_free(stc_strip **strip);

/// What can be said of a step before it is made, for a pressure that acts somewhere.
typedef struct stc_strip_resolution {
  double uniqueness;  ///< b p max|mu'|: below 1 a step with given pressures has one answer
  double mass_ratio;  ///< inertia that the cells add to the layer's, rho h/3 over rho eps
  double nucleation;  ///< 4 pi rho eps G/(p max|mu'|)^2, m: shorter disturbances only ring;
                      ///< infinite where sliding is stable: p max|mu'| <= rho c
  double cell;        ///< of the contact surface, m, the longest side
  char warning[400];  ///< what mesh and time step do not resolve, with numbers; empty: nothing
} stc_strip_resolution;

STC_API void stc_strip_resolve(const stc_strip *strip, double pressure,
                               stc_strip_resolution *resolution);

typedef struct stc_strip_report {
  double t;                  ///< at the end of the step; slip and forces are those of its middle
  bool converged;            ///< otherwise the step was made with the best that was found
  int iterations, sweeps;    ///< of Newton's method, of Gauss-Seidel
  double residual;           ///< of the contact law, recomputed from the fields
  double normal_force;       ///< N (N/m in the plane)
  double friction[2];        ///< on the body
  double slip[2];            ///< mean of w
  double largest_slip;       ///< |w|
  int open, stuck, sliding;  ///< contact nodes
  double pressure;           ///< the greatest
  double uniqueness;         ///< for that pressure
  int roots;                 ///< the most that one node has while the others keep theirs
  int several;               ///< nodes with more than one, where the rule chose
  bool ruled;                ///< they all have the answer of the rule
  double energy;             ///< kinetic + elastic
  double energy_error;       ///< |E+ - E - dt r.v_mid| over the largest term
} stc_strip_report;

/// One step of the implicit midpoint rule. Allocates nothing but what the sparse solver does.
STC_API stc_error stc_strip_step(stc_strip *strip, stc_strip_report *report);
STC_API double stc_strip_time(const stc_strip *strip);
STC_API double stc_strip_energy(const stc_strip *strip);
STC_API int stc_strip_dofs(const stc_strip *strip);  ///< unknowns, supports not counted

/// Contact nodes by rising x (and y): place, and at the middle of the last step p, friction per
/// area, w; all [contacts*(dim-1)] but the pressure.
STC_API int stc_strip_contacts(const stc_strip *strip);
STC_API const double *stc_strip_place(const stc_strip *strip);
STC_API const double *stc_strip_pressure(const stc_strip *strip);
STC_API const double *stc_strip_traction(const stc_strip *strip);
STC_API const double *stc_strip_slip(const stc_strip *strip);

/// The mesh, and displacement or velocity of its nodes now, [nodes*dim].
STC_API const stc_mesh *stc_strip_mesh(const stc_strip *strip);
STC_API void stc_strip_displacement(const stc_strip *strip, double *u);
STC_API void stc_strip_velocity(const stc_strip *strip, double *v);

/// Everything later steps depend on: the same bits follow after a restore.
STC_API size_t stc_strip_state_size(const stc_strip *strip);
STC_API void stc_strip_save(const stc_strip *strip, double *state);
STC_API stc_error stc_strip_restore(stc_strip *strip, const double *state, size_t count);

#ifdef __cplusplus
}
#endif
#endif
