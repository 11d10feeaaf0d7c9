// Bodies of a mechanism in a quick flight (quick_flight.c), four side by side. Bodies of a last
// four that is not full are there several times.
#ifndef STC_DYNAMICS_FLIGHT_LANES_H
#define STC_DYNAMICS_FLIGHT_LANES_H

#include "flight.h"

enum { STC_FOUR = 4 };  // [machine]
typedef double stc_lanes __attribute__((vector_size(STC_FOUR * sizeof(double))));

struct stc_four {
  stc_lanes lightness, J[9], inverse[9];
  stc_lanes x[3], v[3], omega[3], q[4], R[9];  ///< where the flight begins
  stc_lanes spin[3];                           ///< angular velocity after the push, in the body
  stc_lanes mean[3], K[9];  ///< mean angular velocity, and the inverse of its equation's matrix
  stc_lanes v1[3], omega1[3], q1[4], R1[9];  ///< where it ends; q1 before it is made of length 1
  stc_lanes late;                            ///< the last change of the mean
  stc_lanes push, stop;                      ///< twice the energy of what joints do at both ends
  int body[STC_FOUR];                        ///< of the mechanism
};

/// Numbers of the bodies, which stay.
void stc_four_fill(stc_mechanism *m);

/// Bodies where the flight begins; their rotation matrices there go to the moving bodies.
void stc_four_begin(const stc_flight *f);

/// The end of the flight under the pushes of the moving bodies: x, R[1], v and rate there. `first`:
/// there is no push yet. Returns the last change of a mean angular velocity.
double stc_four_fly(const stc_flight *f, bool first);

/// Takes `stop` of the moving bodies from the velocities at the end. Twice the energy of the pushes
/// where the flight began, if this is the first stop, and of the stop.
void stc_four_stop(const stc_flight *f, double *push, double *stop);

/// Answers to moments, into m->turn: of the places at the end to those at the beginning, by k; or
/// of the rates at the end.
void stc_four_answer(const stc_flight *f, bool rates);

/// Velocities and rotations at the end.
void stc_four_arrive(const stc_flight *f);

#endif
