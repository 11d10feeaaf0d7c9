// Rigid bodies, their contact points and the ball joints between them, as one time step of length h
// under gravity g:
//   M v + f = H^T r + G^T l,   f = -M (v^- + h g),   u = H v + w,   w_N = gap / h.
#ifndef STC_DYNAMICS_BODY_ASSEMBLY_H
#define STC_DYNAMICS_BODY_ASSEMBLY_H

#include "../step_rows.h"

#include "../../base/memory.h"
#include "../../base/random.h"

#include <stiction/generate.h>

enum { STC_GROUND = -1 };  ///< the body that never moves

/// Points and vectors have three components, z up; a 2D problem is the plane y = 0.
typedef struct stc_assembly_body {
  double x[3];           ///< centre of mass, m
  double mass;           ///< kg
  double inertia[3][3];  ///< about the centre of mass, world axes, kg m^2; 2D uses [1][1]
  double velocity[6];    ///< v^-: linear m/s, then angular rad/s; 2D uses x, z and -y
} stc_assembly_body;

typedef struct stc_assembly_contact {
  int body[2];       ///< or STC_GROUND
  double x[3];       ///< the point, m
  double normal[3];  ///< unit length, from the second body to the first
  double gap;        ///< >= 0, m
} stc_assembly_contact;

/// A ball joint (a hinge in 2D): both bodies have the same velocity at x.
typedef struct stc_assembly_joint {
  int body[2];  ///< or STC_GROUND
  double x[3];
} stc_assembly_joint;

typedef struct stc_assembly {
  stc_arena arena;
  int dim;
  int bodies, contacts, joints;
  int body_room, contact_room, joint_room;
  stc_assembly_body *body;
  stc_assembly_contact *contact;
  stc_assembly_joint *joint;
} stc_assembly;

/// Add one of each; a body gets the number that is returned, from 0. Running out of memory is
/// reported by stc_assembly_problem.
int stc_assembly_add_body(stc_assembly *assembly, const stc_assembly_body *body);
void stc_assembly_add_contact(stc_assembly *assembly, const stc_assembly_contact *contact);
void stc_assembly_add_joint(stc_assembly *assembly, const stc_assembly_joint *joint);

/// A homogeneous box with edges size[3] along the axes.
stc_assembly_body stc_body_box(const double centre[3], const double size[3]);

/// Gives every body a random velocity before the step, in proportion to options->disorder, makes
/// the problem and frees the assembly.
stc_error stc_assembly_finish(stc_assembly *assembly, const stc_generator *options,
                              stc_random *random, stc_problem **problem);

/// Gravity is tilted by options->param towards +x.
stc_error stc_assembly_problem(stc_assembly *assembly, const stc_generator *options,
                               stc_problem **problem);
void stc_assembly_free(stc_assembly *assembly);

/// Density of every body, kg/m^3 (stone, glass).
#define STC_DENSITY 2500.0

/// Acceleration of gravity, m/s^2.
#define STC_GRAVITY 9.81

#endif
