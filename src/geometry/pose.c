// Poses: world = x + R(turn) local.
#include <stiction/geometry.h>

#include "vec.h"

stc_pose stc_pose_identity(void) { return (stc_pose){.rotation = {1, 0, 0, 0}}; }

void stc_pose_direction(const stc_pose *pose, const double local[3], double world[3]) {
  double R[9];
  stc_rotation_matrix(pose->rotation, R);
  stc_rotate(R, local, world);
}

void stc_pose_point(const stc_pose *pose, const double local[3], double world[3]) {
  double turned[3];
  stc_pose_direction(pose, local, turned);
  stc_v3_add(pose->x, 1, turned, world);
}

stc_pose stc_pose_compose(const stc_pose *outer, const stc_pose *inner) {
  const double *p = outer->rotation, *q = inner->rotation;
  stc_pose pose = {.rotation = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                                p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                                p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                                p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]}};
  stc_pose_point(outer, inner->x, pose.x);
  return pose;
}
