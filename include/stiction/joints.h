// Joints between bodies of a world: equations g(q) = 0 that hold at the end of every step. Units
// are SI.
#ifndef STICTION_JOINTS_H
#define STICTION_JOINTS_H

#include <stiction/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stc_joint_kind {
  STC_JOINT_BALL,
  STC_JOINT_HINGE,      ///< rotates about the axis
  STC_JOINT_PRISMATIC,  ///< slides along the axis
  STC_JOINT_FIXED,
} stc_joint_kind;

STC_API const char *stc_joint_name(int kind);  ///< "ball", ...; NULL past the last

/// Whether a joint of that kind takes an axis, in the plane or in space.
STC_API bool stc_joint_has_axis(int kind, bool plane);

/// Begin with stc_default_joint(), which sets the cookie: a description without it is refused.
typedef struct stc_joint {
  int cookie;
  stc_joint_kind kind;
  stc_body_id body[2];  ///< zeros: the world
  double anchor[3];     ///< in the world at the start
  double axis[3];
} stc_joint;

/// A ball joint of nothing, at the origin.
STC_API stc_joint stc_default_joint(void);

/// Bodies that are joined never touch each other.
STC_API stc_error stc_world_add_joint(stc_world *world, const stc_joint *joint, stc_joint_id *id);

#ifdef __cplusplus
}
#endif
#endif
