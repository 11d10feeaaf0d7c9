// A four-bar linkage whose crank a motor turns at 2 rad/s: the rocker swings, and the joints tell
// what they carry.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static int fail(void) {
  fprintf(stderr, "%s\n", stc_error_detail());
  return 1;
}

/// A bar between two points of the plane.
static stc_error add_bar(stc_world *world, const double from[2], const double to[2],
                         stc_body_id *id) {
  double dx = to[0] - from[0], dy = to[1] - from[1], angle = atan2(dy, dx);
  stc_part part = {.shape = {.kind = STC_SHAPE_BOX, .half = {hypot(dx, dy) / 2, 0.02, 0.02}},
                   .pose = stc_pose_identity(),
                   .density = 1000,
                   .mask = 2};  // bars cross each other: none is in the second group
  stc_rigid_body body = stc_default_body();
  body.parts = 1, body.part = &part;
  body.pose.x[0] = (from[0] + to[0]) / 2, body.pose.x[1] = (from[1] + to[1]) / 2;
  body.pose.rotation[0] = cos(angle / 2), body.pose.rotation[3] = sin(angle / 2);
  return stc_world_add_body(world, &body, id);
}

/// A pin at a point; body b may be nothing, that is the world.
static stc_error add_pin(stc_world *world, stc_body_id a, stc_body_id b, const double at[2],
                         double speed, stc_joint_id *id) {
  stc_joint joint = stc_default_joint();
  joint.kind = STC_JOINT_HINGE, joint.body[0] = a, joint.body[1] = b;
  joint.anchor[0] = at[0], joint.anchor[1] = at[1];
  if (speed != 0) {
    joint.coordinate[0].motor = STC_MOTOR_VELOCITY;
    joint.coordinate[0].target = speed, joint.coordinate[0].motor_force = 100;
  }
  return stc_world_add_joint(world, &joint, id);
}

int main(void) {
  const double pin[4][2] = {{0, 0}, {0, 0.2}, {0.7, 0.5}, {0.7, 0}};
  const stc_body_id ground = {0};
  stc_world_settings settings = stc_default_world_settings();
  stc_world_report report;
  stc_world *world = NULL;
  stc_body_id bar[3];
  stc_joint_id joint[4];
  settings.plane = true, settings.depth = 0.04, settings.h = 2e-3;
  settings.gravity[1] = -9.81, settings.gravity[2] = 0;
  if (stc_world_create(&settings, &world)) return fail();
  for (int k = 0; k < 3; k++)
    if (add_bar(world, pin[k], pin[k + 1], &bar[k])) return fail();
  for (int k = 0; k < 4; k++) {
    stc_body_id a = k < 3 ? bar[k] : bar[2], b = k == 0 || k == 3 ? ground : bar[k - 1];
    if (add_pin(world, a, b, pin[k], k == 0 ? 2 : 0, &joint[k])) return fail();
  }
  if (stc_world_start(world, 0)) return fail();
  double least = 1e9, most = -1e9;
  for (int k = 0; k < 2000; k++) {
    stc_joint_state crank, rocker;
    if (stc_world_step(world, &report)) return fail();
    if (!report.accepted) return fprintf(stderr, "%s\n", report.reason), 1;
    if (stc_world_joint(world, joint[0], &crank) || stc_world_joint(world, joint[3], &rocker))
      return fail();
    least = fmin(least, rocker.value[0]), most = fmax(most, rocker.value[0]);
    if (k % 400 == 399)
      printf("t = %.1f s: crank at %6.3f rad, motor %6.2f N m, rocker's pin carries %6.2f N\n",
             stc_world_time(world), crank.value[0], crank.motor[0],
             hypot(rocker.force[0], rocker.force[1]));
  }
  printf("the rocker swings from %.3f to %.3f rad\n", least, most);
  stc_world_free(&world);
  return 0;
}
