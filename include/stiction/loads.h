// Loads on the bodies of a world: forces, torques and impulses for one step or as functions of time
// and state, damping, gravity that changes. Units are SI.
#ifndef STICTION_LOADS_H
#define STICTION_LOADS_H

#include <stiction/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What acts on one body during one step. Begin with stc_default_load(), which sets the cookie.
typedef struct stc_body_load {
  int cookie;
  double force[3];    ///< N, all through the step
  double torque[3];   ///< N m, all through the step; the force's moment comes on top
  double impulse[3];  ///< N s, at the middle of the step, at the same point as the force
  double point[3];    ///< where force and impulse act
  bool at_point;      ///< otherwise they act at the centre of mass, and `point` is not read
  bool in_body;       ///< vectors and point are given in the body's frame, else in the world's
} stc_body_load;

STC_API stc_body_load stc_default_load(void);  ///< nothing, at the centre of mass, in the world

/// Adds a load for the next step only; several add up. A step that is not taken keeps them. Refuses
/// bodies that do not move freely, numbers that are not finite, forces that leave the plane.
STC_API stc_error stc_world_push(stc_world *world, stc_body_id body, const stc_body_load *load);

/// The load of a body at time t in the middle of a step, whose `state` is given as it is there
/// before the impulses of the step; false stops the run. `load` begins as stc_default_load().
typedef bool stc_load_callback(void *user, double t, const stc_body_state *state,
                               stc_body_load *load);

/// Called once in every step from now on; NULL ends that. A world with such loads never sleeps.
STC_API stc_error stc_world_set_load(stc_world *world, stc_body_id body, stc_load_callback *load,
                                     void *user);

/// Velocities fall as exp(-linear t) and exp(-angular t) by themselves; 1/s, at least 0.
STC_API stc_error stc_world_set_damping(stc_world *world, stc_body_id body, double linear,
                                        double angular);

/// Gravity from the next step on, m/s^2; the change of the potential is booked as drive.
STC_API stc_error stc_world_set_gravity(stc_world *world, const double gravity[3]);

#ifdef __cplusplus
}
#endif
#endif
