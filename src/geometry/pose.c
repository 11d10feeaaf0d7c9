// Poses: world = x + R(rotation) local.
#include <stiction/geometry.h>

#include "../base/vec3.h"

stc_pose stc_pose_identity(void) { return (stc_pose){.rotation = {1, 0, 0, 0}}; }

void stc_pose_direction(const stc_pose *pose, const double local[3], double world[3]) {
  double R[9];
  stc_rotation_of(pose->rotation, R);
  stc_mul3(R, local, world);
}

void stc_pose_point(const stc_pose *pose, const double local[3], double world[3]) {
  double rotated[3];
  stc_pose_direction(pose, local, rotated);
  stc_combine3(pose->x, 1, rotated, world);
}

stc_pose stc_pose_compose(const stc_pose *outer, const stc_pose *inner) {
  stc_pose pose;
  stc_rotation_multiply(outer->rotation, inner->rotation, pose.rotation);
  stc_pose_point(outer, inner->x, pose.x);
  return pose;
}
