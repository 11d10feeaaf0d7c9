// A robot arm of two links, held by position motors, sweeps a box along a table; events tell when
// the hand meets it and with what impulse.
#include <stdio.h>

#include <stiction/stiction.h>

static int fail(void) {
  fprintf(stderr, "%s\n", stc_error_detail());
  return 1;
}

/// A link of length 0.4 m along x from a joint about z, held at an angle.
static stc_error add_link(stc_world *world, double x, stc_body_id on, stc_body_id *link,
                          stc_joint_id *joint) {
  stc_part part = {.shape = {.kind = STC_SHAPE_BOX, .half = {0.2, 0.02, 0.03}}, .density = 2000};
  stc_rigid_body body = stc_default_body();
  stc_joint hinge = stc_default_joint();
  part.pose = stc_pose_identity();
  body.parts = 1, body.part = &part, body.pose.x[0] = x + 0.2, body.pose.x[2] = 0.1;
  stc_error error = stc_world_add_body(world, &body, link);
  hinge.kind = STC_JOINT_HINGE, hinge.axis[2] = 1, hinge.body[0] = *link, hinge.body[1] = on;
  hinge.anchor[0] = x, hinge.anchor[2] = 0.1;
  stc_joint_coordinate *c = &hinge.coordinate[0];
  c->motor = STC_MOTOR_POSITION, c->motor_stiffness = 400, c->motor_damping = 40;
  c->motor_force = 60, c->least = -2, c->greatest = 2;
  return error ? error : stc_world_add_joint(world, &hinge, joint);
}

static stc_error aim(stc_world *world, stc_joint_id joint, double angle) {
  stc_joint_coordinate c;
  stc_error error = stc_world_joint_coordinate(world, joint, 0, &c);
  c.target = angle;
  return error ? error : stc_world_set_joint_coordinate(world, joint, 0, &c);
}

int main(void) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part table = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
  stc_part box = {.shape = {.kind = STC_SHAPE_BOX, .half = {0.1, 0.1, 0.1}}, .density = 500};
  stc_rigid_body body = stc_default_body();
  stc_body_id link[2], crate, ground = {0};
  stc_body_state state;
  stc_joint_id joint[2];
  stc_world_report report;
  stc_world *world = NULL;
  settings.h = 2e-3, settings.tol = 1e-6, settings.accept = 1e-4;
  box.pose = table.pose;
  body.mobility = STC_MOBILITY_FIXED, body.parts = 1, body.part = &table, body.name = "table";
  if (stc_world_create(&settings, &world) || stc_world_add_body(world, &body, NULL)) return fail();
  body.mobility = STC_MOBILITY_FREE, body.part = &box, body.name = "box";
  body.pose.x[0] = 0.5, body.pose.x[1] = 0.35, body.pose.x[2] = 0.1;
  if (stc_world_add_body(world, &body, &crate)) return fail();
  if (add_link(world, 0, ground, &link[0], &joint[0])) return fail();
  if (add_link(world, 0.4, link[0], &link[1], &joint[1])) return fail();
  if (stc_world_start(world, 0)) return fail();
  for (int k = 0; k < 1500; k++) {
    double t = stc_world_time(world), angle = t < 2 ? 0.6 * t : 1.2;
    const stc_world_event *e;
    if (aim(world, joint[0], angle) || aim(world, joint[1], 0.2)) return fail();
    if (stc_world_step(world, &report)) return fail();
    if (!report.accepted) return fprintf(stderr, "%s\n", report.reason), 1;
    for (int n = stc_world_events(world, &e); n > 0; n--, e++)
      if (e->kind == STC_EVENT_BEGIN && e->body[1].index == link[1].index)
        printf("t = %.3f s: the hand meets the box at %.2f m/s\n", stc_world_time(world), e->speed);
    if (k % 300 || stc_world_body(world, crate, &state)) continue;
    printf("t = %.3f s: the box is at (%.3f, %.3f) m\n", t, state.centre[0], state.centre[1]);
  }
  stc_world_free(&world);
  return 0;
}
