// Mechanisms: bodies that joints connect, with the matrix A = G M^-1 G^T of their joints, sparse
// and factorised with an order that is found once.
#ifndef STC_DYNAMICS_MECHANISM_H
#define STC_DYNAMICS_MECHANISM_H

#include "../../linalg/sparse_solver.h"
#include "joints.h"

/// Force and moment on a body, times time; padded to four numbers.
typedef struct stc_wrench {
  double force[4], moment[4];  ///< in the world's axes
} stc_wrench;

typedef struct stc_mover stc_mover;            ///< a body in a flight (flight.h)
typedef struct stc_four stc_four;              ///< four of them side by side (flight_lanes.h)
typedef struct stc_joint_tree stc_joint_tree;  ///< factors of a tree (tree_factor.h)

struct stc_mechanism {
  stc_arena arena;
  int bodies, links, rows;
  int obstacles;         ///< fixed and driven bodies that joints hold to
  int *body;             ///< [bodies + obstacles] the free ones first
  int *link;             ///< [links]
  int *first;            ///< [links+1] first row of each joint
  int *near_ptr, *near;  ///< joints of the mechanism that share a free body, each among its own
  int *offset;           ///< of the block of each neighbour inside the rows of A
  stc_csr A;
  stc_sparse_solver *spd;
  stc_joint_row *begin, *mean, *end;  ///< [rows] of a flight; `end` also of the places at hand
  double *y, *lambda, *alpha;         ///< [rows] multipliers of a flight
  double *off, *step;                 ///< [2*rows] residuals and what they ask for
  bool *held;          ///< [rows] equations, and coordinates that are held: rate + compliance
  double *compliance;  ///< total + bias = 0, total [rows] being the impulse along them
  double *bias, *total;
  double *flown;             ///< [links*6] what joints do in a flight
  stc_place *kept;           ///< [bodies + obstacles]
  stc_place *arrived;        ///< [obstacles] at the end of a flight
  stc_mover *mover;          ///< [bodies + obstacles + 1] the last one is the world
  stc_four *four;            ///< [bodies / 4, rounded up]
  int *mover_of;             ///< [links*2]
  int *equations, *meets;    ///< [links] those that are not held coordinates; where points meet
  stc_joint_side *side[2];   ///< [links*2] at both ends of a flight
  double *whole;             ///< [rows] change of y in an iteration
  double *lightness, *turn;  ///< [bodies], [bodies*9 + 1] answers to a force and to a moment
  stc_joint_tree *tree;      ///< NULL: the joints make loops
  bool straight;             ///< the factor at hand is the tree's
  bool known;                ///< `end` and the factor are those of the places known_at
  stc_place *known_at;       ///< [bodies + obstacles]
  bool clean;                ///< the last flight left nothing that a step would put right
  int hinge_side;            ///< of the body, where it is all there is and hangs on a hinge; or -1
};

stc_error stc_mechanisms_create(stc_world *world);
void stc_mechanisms_free(stc_world *world);

/// Rotation matrices of all bodies, and both sides of joint j or of all joints, at one end of a
/// flight (0, 1).
void stc_mechanism_side(const stc_world *world, const stc_mechanism *m, int j, int end,
                        const stc_place *places);
void stc_mechanism_sides(const stc_world *world, const stc_mechanism *m, int end,
                         const stc_place *places);

/// Rows of all joints between two placements, and the sides there.
void stc_mechanism_rows(const stc_world *world, const stc_mechanism *m, const stc_place *from,
                        const stc_place *to, stc_joint_row *row);

/// Lets go of all coordinates, true where one was held; holds that of row i.
bool stc_mechanism_release(const stc_world *world, stc_mechanism *m);
void stc_mechanism_hold(stc_mechanism *m, int i, double compliance, double bias);

/// Adds `factor` times what the multipliers x [rows] do to the first body of each joint to
/// reaction [links*6]: an impulse, and a moment about the anchor.
void stc_mechanism_react(const stc_world *world, const stc_mechanism *m, const stc_joint_row *row,
                         double factor, const double *x, double *reaction);

/// Adds what the joints of the mechanism did to the reactions of the step.
void stc_mechanism_note(stc_world *world, const stc_mechanism *m);

/// Factorises A with these rows, where the bodies are at `places`.
stc_error stc_mechanism_factorise(stc_world *world, stc_mechanism *m, const stc_joint_row *row,
                                  const stc_place *places);

/// T = R inverse R^T.
void stc_turn_answer(const double inverse[9], const double R[9], double T[9]);

/// x = A^-1 b for `count` right-hand sides by columns; nearly, where rows repeat each other: to
/// repeat it with what is left brings a consistent system to its solution.
stc_error stc_mechanism_solve(stc_mechanism *m, int count, const double *b, double *x);

/// The wrenches of all bodies of the mechanism that the multipliers x [rows] make.
void stc_mechanism_wrench(const stc_world *world, const stc_mechanism *m, const stc_joint_row *row,
                          const double *x, stc_wrench *wrench);

/// Velocities of the mechanism's bodies, changed by `factor` times their wrenches.
void stc_mechanism_push(const stc_world *world, const stc_mechanism *m, double factor,
                        const stc_wrench *wrench, stc_place *places);

/// Twice the energy of wrenches on bodies at rest at `places`.
double stc_mechanism_square(const stc_world *world, const stc_mechanism *m,
                            const stc_wrench *wrench, const stc_place *places);

/// x + M^-1 times minus the wrenches of world->wrench, the rotation by Cayley's map.
void stc_mechanism_displace(const stc_world *world, const stc_mechanism *m, stc_place *places);

/// A Newton step for the places: the least displacement in the norm of M whose rows are m->off.
stc_error stc_mechanism_close(stc_world *world, stc_mechanism *m, stc_place *places);

/// rate [rows] = velocities of the rows, and what compliance and bias add.
void stc_mechanism_rates(const stc_world *world, const stc_mechanism *m, const stc_joint_row *row,
                         const stc_place *places, double *rate);

/// A length and a speed that rounding is measured by: how far away the bodies are, how fast.
double stc_mechanism_reach(const stc_world *world, const stc_mechanism *m, const stc_place *places);
double stc_mechanism_speed(const stc_world *world, const stc_mechanism *m, const stc_place *places);

double stc_mechanism_kinetic(const stc_world *world, const stc_mechanism *m,
                             const stc_place *places);

/// Whether neither the bodies nor the obstacles move.
bool stc_mechanism_rests(const stc_mechanism *m, const stc_place *places);

/// Whether an obstacle is driven.
bool stc_mechanism_is_driven(const stc_world *world, const stc_mechanism *m);

/// Velocities that the joints allow: adds what is needed to l [equalities] and to the velocities.
/// The rows are those of the last stc_mechanism_factorise; `speed` is what velocities were before
/// impulses cancelled them. False in *met: they were not found.
stc_error stc_mechanism_project(stc_world *world, stc_mechanism *m, double speed, stc_place *places,
                                double *l, bool *met);

/// The side of a joint that holds the one body of a mechanism as a hinge; -1: something else.
int stc_hinge_side(const stc_world *world, const stc_mechanism *m);

/// Its flight in closed form; false where what holds it moves.
bool stc_hinge_fly(const stc_world *world, stc_mechanism *m, double k, const stc_place *places,
                   stc_place *to);

/// Places and velocities at the beginning of a step that are off by more than this part were given
/// so: they are brought back before the step, positions as a correction, velocities as a shock.
#define STC_STRAY 1e-10  // [rounding]

/// A flight of the mechanism over k seconds from world->origin to `to`, where obstacles are
/// already. False in *met: it was not found.
stc_error stc_mechanism_fly(stc_world *world, stc_mechanism *m, double k, stc_place *to, bool *met);

#endif
