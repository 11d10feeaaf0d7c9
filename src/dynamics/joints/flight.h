// A flight of a mechanism in the making: its bodies as they begin and end, the wrenches of its
// joints on them, and both sides of every joint.
#ifndef STC_DYNAMICS_FLIGHT_H
#define STC_DYNAMICS_FLIGHT_H

#include "mechanism.h"

/// A body of a mechanism; obstacles and the world have no answers to wrenches.
struct stc_mover {
  double lightness, J[9], inverse[9];  ///< 1 / mass; J and J^-1 in the body's axes
  double R[2][9];                      ///< at the beginning and at the end
  stc_wrench push, pull, stop;   ///< of alpha at the beginning, of lambda, of alpha at the end
  double omega[3];               ///< after the push, in the body's axes
  double x[4];                   ///< centre at the end, padded
  double column[2][12];          ///< of R, padded, where all joints are points
  double pushed[3], stopped[3];  ///< J^-1 push and J^-1 stop, in its axes
  double mean[3], K[9];  ///< mean angular velocity, and the inverse of its equation's matrix
  double v[4], rate[4];  ///< velocities at the end, in the world's axes, padded
  double moved[3], turned[3], v_shift[3], rate_shift[3];  ///< what an iteration changes there
};

typedef struct stc_flight {
  stc_world *world;
  stc_mechanism *m;
  double k;
  const stc_place *from;
  stc_place *to;
  double reach, speed;  ///< that rounding is measured by
  double kinetic;       ///< energy where a quick flight begins
  double part;          ///< 1/s
  bool straight;        ///< the factors are those of a tree
  double late;          ///< the last change of a mean angular velocity
} stc_flight;

/// What rounding leaves, against how far the bodies are, and how fast they are or would be if they
/// came from the origin in the flight.
#define STC_FLIGHT_ROUNDING (16 * DBL_EPSILON)  // [rounding]

/// Flies without lambda (quick_flight.c), where it may. False where that does not serve.
bool stc_flight_may_be_quick(const stc_flight *f);
bool stc_flight_is_quick(stc_flight *f);

/// Where the flight begins; no multipliers.
void stc_flight_begin(stc_flight *f);

/// Where the multipliers lead: places and velocities at the end, and m->off, the residuals g/k and
/// G1 v1 + b1. Returns how large they are in units of rounding.
double stc_flight_evaluate(stc_flight *f, bool anew);

/// Whether residuals of this size, in units of rounding, leave nothing astray.
bool stc_flight_is_clean(const stc_flight *f, double off);

/// The matrices of the iteration, at the end that was evaluated.
stc_error stc_flight_factorise(stc_flight *f);

/// x = A^-1 b with the matrix of the places or that of the rates.
stc_error stc_flight_solve(const stc_flight *f, bool rates, const double *b, double *x);

/// The residuals of the rates where y changes by dy.
void stc_flight_predict(stc_flight *f, const double *dy, double *rate);

/// What lambda does to the residuals of the places while y stays.
void stc_flight_shift(stc_flight *f, const double *lambda, double *g);

/// The mean rows that follow once y changes by dy, after stc_flight_shift.
void stc_flight_expect(stc_flight *f, const double *dy);

/// Takes what rounding leaves of the rates from the velocities at the end, and notes what joints
/// did.
stc_error stc_flight_finish(stc_flight *f);

#endif
