// Joints between bodies of a world: equations g(q) = 0 that hold at the end of every step, and what
// acts along the coordinates they leave free: limits, springs, motors, dry friction. Units are SI.
#ifndef STICTION_JOINTS_H
#define STICTION_JOINTS_H

#include <stiction/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The coordinates that are left free, in their order, are those of the first body against the
/// second. In the plane ball, hinge and universal are pins with one angle, a cylindrical joint is a
/// prismatic one, and a planar joint holds nothing.
typedef enum stc_joint_kind {
  STC_JOINT_BALL,
  STC_JOINT_HINGE,      ///< angle about the axis
  STC_JOINT_PRISMATIC,  ///< shift along the axis
  STC_JOINT_FIXED,
  STC_JOINT_UNIVERSAL,    ///< angles about the first body's axis and about the second's axis2
  STC_JOINT_CYLINDRICAL,  ///< shift along the axis and angle about it
  STC_JOINT_PLANAR,       ///< two shifts across the axis, the first one along axis2, and the angle
                          ///< about it
  STC_JOINT_DISTANCE,     ///< distance of two points: a rod, unless something acts along it
  STC_JOINT_GEAR,         ///< angles of two bodies, about axes that stay in space: the first one's
                          ///< plus ratio times the second one's stays the same; no coordinate
} stc_joint_kind;

enum { STC_JOINT_COORDINATES = 3 };  ///< most of a joint

STC_API const char *stc_joint_name(int kind);  ///< "ball", ...; NULL past the last

/// Whether a joint of that kind takes an axis, in the plane or in space; how many coordinates it
/// has, and whether one is an angle, rad, or a length, m.
STC_API bool stc_joint_has_axis(int kind, bool plane);
STC_API int stc_joint_coordinates(int kind, bool plane);
STC_API bool stc_joint_is_angle(int kind, bool plane, int coordinate);

typedef enum stc_motor_kind {
  STC_MOTOR_NONE,
  STC_MOTOR_VELOCITY,  ///< drives the rate of the coordinate to the target
  STC_MOTOR_POSITION   ///< a spring and a damper to the target
} stc_motor_kind;

/// What acts along one coordinate x of a joint. Forces are in N, or N m for an angle.
/// FIELD(type, name, default, least, greatest, meaning)
#define STC_JOINT_COORDINATE_FIELDS(FIELD)                                                         \
  FIELD(double, start, 0, -1e12, 1e12, "x where the joint is added; of a distance it is known")    \
  FIELD(double, least, -INFINITY, -INFINITY, INFINITY, "x is never less")                          \
  FIELD(double, greatest, INFINITY, -INFINITY, INFINITY, "x is never more")                        \
  FIELD(double, restitution, 0, 0, 1, "Newton's e at these limits")                                \
  FIELD(double, stiffness, 0, 0, 1e15, "of a spring, N/m or N m/rad")                              \
  FIELD(double, damping, 0, 0, 1e15, "of a damper, N s/m or N m s/rad")                            \
  FIELD(double, rest, 0, -1e12, 1e12, "x where the spring is at rest")                             \
  FIELD(double, target, 0, -1e12, 1e12, "of the motor: m/s or rad/s, or m or rad")                 \
  FIELD(double, motor_force, INFINITY, 0, INFINITY, "most that the motor exerts")                  \
  FIELD(double, motor_stiffness, 0, 0, 1e15, "of a position motor")                                \
  FIELD(double, motor_damping, 0, 0, 1e15, "of a position motor")                                  \
  FIELD(double, friction, 0, 0, 1e15, "bound of dry friction")                                     \
  FIELD(double, friction_ratio, 0, 0, 1e6,                                                         \
        "more of it for each N that the joint carried in the "                                     \
        "last step; about an axis: a length, m")

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_joint_coordinate {
  stc_motor_kind motor;
  STC_JOINT_COORDINATE_FIELDS(STC_FIELD_DECLARE)
} stc_joint_coordinate;
#undef STC_FIELD_DECLARE

/// Begin with stc_default_joint(), which sets the cookie: a description without it is refused.
typedef struct stc_joint {
  int cookie;
  stc_joint_kind kind;
  stc_body_id body[2];  ///< zeros: the world
  double anchor[3];     ///< in the world at the start
  double axis[3];
  double anchor2[3];  ///< on the second body, of a distance
  double axis2[3];    ///< of the second body; zeros: some direction across the axis, of a gear
                      ///< that of the axis
  double ratio;       ///< of a gear
  stc_joint_coordinate coordinate[STC_JOINT_COORDINATES];
  double break_force;   ///< N: a joint that carried more in a step holds no longer
  double break_torque;  ///< N m, about the anchor
} stc_joint;

/// A ball joint of nothing, at the origin, along whose coordinates nothing acts.
STC_API stc_joint stc_default_joint(void);

/// Bodies that are joined never touch each other.
STC_API stc_error stc_world_add_joint(stc_world *world, const stc_joint *joint, stc_joint_id *id);

/// What acts along a coordinate; and another action from the next step on.
STC_API stc_error stc_world_joint_coordinate(const stc_world *world, stc_joint_id id,
                                             int coordinate, stc_joint_coordinate *action);
STC_API stc_error stc_world_set_joint_coordinate(stc_world *world, stc_joint_id id, int coordinate,
                                                 const stc_joint_coordinate *action);

/// A joint as the last step left it. Forces are means over that step.
typedef struct stc_joint_state {
  stc_joint_kind kind;
  stc_body_id body[2];
  bool broken;
  int coordinates;
  double value[STC_JOINT_COORDINATES];  ///< m or rad; angles continue past a whole rotation
  double rate[STC_JOINT_COORDINATES];
  double force[3], torque[3];  ///< on the first body, in the world's axes, about the anchor:
                               ///< of the joint, not of what acts along its coordinates
  double limit[STC_JOINT_COORDINATES];   ///< forces along the coordinates, on the first body:
  double spring[STC_JOINT_COORDINATES];  ///< of limits, of spring and damper, of the motor, of
  double motor[STC_JOINT_COORDINATES];   ///< dry friction
  double friction[STC_JOINT_COORDINATES];
} stc_joint_state;
STC_API stc_error stc_world_joint(const stc_world *world, stc_joint_id id, stc_joint_state *state);

#ifdef __cplusplus
}
#endif
#endif
