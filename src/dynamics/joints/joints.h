// Joints: equations g(q) = 0 between two bodies, products of vectors that are fixed in them, and
// their rows. Between two placements q0 and q1 a chord of k seconds away from each other, a row
// taken with the means of these vectors is the exact difference,
//   g(q1) - g(q0) = k (force.(v_a - v_b) + moment_a.omega_a + moment_b.omega_b),
// where v and omega are the velocities that lead from q0 to q1, by Cayley's map for the rotation.
#ifndef STC_DYNAMICS_JOINTS_H
#define STC_DYNAMICS_JOINTS_H

#include "../bodies/world_data.h"

enum { STC_JOINT_ROWS = 6 };  // [size]

typedef struct stc_joint_row {
  double force[3];      ///< on the first body; the second has the opposite
  double moment[2][3];  ///< about the centre of each, in the world's axes
} stc_joint_row;

/// Whether a kind takes an axis, and how many equations and coordinates it has.
typedef struct stc_joint_size {
  bool axis;
  int rows, coordinates;
} stc_joint_size;
stc_joint_size stc_joint_size_of(int kind, bool plane);

/// A side of a joint: the body's centre, its lever to the anchor and its axes, in the world.
typedef struct stc_joint_side {
  double x[3], lever[3], axis[9];
} stc_joint_side;

/// Side k of a joint whose body is at x with the rotation matrix R.
void stc_joint_side_at(const stc_link *link, int k, const double x[3], const double R[9],
                       stc_joint_side *s);

/// The first equations of a joint that say that points meet, along the axes of the world.
int stc_joint_meets(const stc_world *world, const stc_link *link);

/// As stc_joint_errors and stc_joint_rows, from both sides; rows from `begin` on. `first` and
/// `last` may be the same array.
void stc_joint_errors_of(const stc_world *world, const stc_link *link, const stc_joint_side s[2],
                         double *g);
void stc_joint_rows_of(const stc_world *world, const stc_link *link, int begin,
                       const stc_joint_side first[2], const stc_joint_side last[2],
                       stc_joint_row *row);

/// Rows of a joint between two placements [bodies] of all bodies; the derivative of g where they
/// are the same.
void stc_joint_rows(const stc_world *world, const stc_link *link, const stc_place *from,
                    const stc_place *to, stc_joint_row *row);

/// g [rows] of a joint, m, or sines of angles.
void stc_joint_errors(const stc_world *world, const stc_link *link, const stc_place *places,
                      double *g);

/// How far a joint is off, m: points by their distance, angles times the joint's reach.
double stc_joint_violation(const stc_world *world, const stc_link *link, const stc_place *places);
double stc_joint_violation_of(const stc_world *world, const stc_link *link,
                              const stc_joint_side s[2]);

/// Coordinate k, m or rad, angles as near as can be to the value that is kept; and its rate as a
/// row.
double stc_joint_value(const stc_world *world, const stc_link *link, int k,
                       const stc_place *places);
void stc_joint_value_row(const stc_world *world, const stc_link *link, int k,
                         const stc_place *places, stc_joint_row *row);
/// The values that are kept from now on.
void stc_joint_keep_values(const stc_world *world, stc_link *link, const stc_place *places);

/// The length that angles of the joint are multiplied by: the largest of sizes, levers and radii of
/// gyration of its free bodies.
double stc_joint_reach(const stc_world *world, const stc_link *link);

/// Velocities of the body at side k; zero where there is none.
void stc_joint_side_rate(const stc_world *world, const stc_link *link, int k,
                         const stc_place *places, double v[3], double omega[3]);

/// Velocity of a row by what its bodies do; only of driven ones where `driven`.
double stc_joint_rate(const stc_world *world, const stc_link *link, const stc_joint_row *row,
                      const stc_place *places, bool driven);

/// Mean angular velocity of a driven body in a flight, from what was given.
void stc_joint_driven_rate(const stc_world *world, const double given[3], double omega[3]);

/// Row `row` of G or of what acts along a coordinate, into row `at` of A.
void stc_joint_put_row(const stc_world *world, const stc_link *link, const stc_joint_row *row,
                       stc_rows *A, int at);

/// Name, kind and bodies of a joint, for sentences.
void stc_joint_describe(const stc_world *world, int joint, char *text, size_t size);

#endif
