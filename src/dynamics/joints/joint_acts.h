// What acts along the coordinates of joints in a step: springs, dampers, motors, dry friction and
// limits, as rows of the step's problem. With u+ the rate of a coordinate after the step and p the
// impulse along it,
//   spring, damper, motor      u+ + compliance p + bias = 0,  |p| <= bound
//   dry friction               the same with compliance 0
//   limit                      u+ + w >= 0, p >= 0, p (u+ + w) = 0,  w = gap / h or e u-
// What has no bound is an equation of the problem, the rest are contacts. A compliance and a bound
// are made by a slack body of each row: its first velocity is pressed on its floor by the bound,
// r_N = bound, so that Coulomb's law with mu = 1 bounds |r_T|; its second one, of mass
// 1 / compliance, is added to u_T.
#ifndef STC_DYNAMICS_JOINT_ACTS_H
#define STC_DYNAMICS_JOINT_ACTS_H

#include "mechanism.h"

typedef struct stc_act {
  int link, coordinate;
  stc_act_kind kind;
  int contact;                 ///< of the problem, behind those of the bodies; -1: none
  bool held;                   ///< the mechanism finds p; otherwise it is a load
  double scale;                ///< what makes the rate a speed: 1, or the joint's reach
  double before, free, after;  ///< rates, those of driven bodies included
  double driven;               ///< the part of these
  double middle, bend;         ///< value at the middle; what half a flight adds to a straight line
  double gain;                 ///< of the rate in half a flight
  double mobility;             ///< of the row
  double elastic[2], viscous[2];  ///< p = -(elastic + viscous), each [0] + [1] u+
  double rigid;                   ///< bias where nothing yields
  double bound;                   ///< INFINITY: an equation
  double sign, gap, w;            ///< of a limit
  double p;
} stc_act;

/// An equation of the problem: all that has no bound along a coordinate.
typedef struct stc_tie {
  int act;  ///< the first one
  double compliance, bias;
} stc_tie;

#define STC_ACT(world, k) (&((stc_act *)(world)->acts.act.data)[k])

/// A M^-1 A^T of one row.
double stc_row_mobility(const stc_world *world, const stc_body_matrix *A, int row);

/// theta of a damper that takes z = h c mobility of a velocity in a step.
double stc_damper_part(double z);

void stc_acts_free(stc_acts *acts);

/// Lists what acts in the step; velocities before and free are known.
stc_error stc_acts_begin(stc_world *world);

/// Adds rows and slack bodies to the data of the problem.
stc_error stc_acts_extend(stc_world *world, stc_bodies_data *data);

/// Sums of the diagonal of W over the rows that are contacts, and how many there are.
double stc_acts_kappa(const stc_world *world);

/// The guess behind that of the contacts; and the impulses from what was found there, N s.
void stc_acts_guess(const stc_world *world, double *r);
void stc_acts_take(stc_world *world, const double *r);

/// Sums of the impulses of the limits, from what was found there, and of those that springs, motors
/// and friction may have, N s.
void stc_acts_compare(const stc_world *world, const double *r, double *limits, double *loads);

/// Adds the impulses that are not held to the momenta of the bodies.
void stc_acts_push(stc_world *world, double *momentum);

/// Chooses what the mechanisms hold: what has no bound, and in the end all that sticks or is
/// closed, whose velocity is then exact.
stc_error stc_acts_hold(stc_world *world, bool sticking);

/// Impulses of what was held, from the velocities after the step; false where one of them leaves
/// its bound.
bool stc_acts_settle(stc_world *world);

/// Takes limits into the problem that the step would cross; how many.
int stc_acts_cross(stc_world *world);

/// Work between the velocities before and after.
void stc_acts_book(stc_world *world);
/// The step was taken: impulses are remembered. False where one is not that of the step before.
bool stc_acts_keep(stc_world *world);

/// Energy of all springs.
double stc_springs_energy(const stc_world *world, const stc_place *places);

/// Moves places that lie beyond limits onto them, and stops what leads further.
stc_error stc_limits_correct(stc_world *world);

#endif
