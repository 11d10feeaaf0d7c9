// A hopper: a body on a leg that is a spring in a slide, held upright; while the foot is on the
// ground its spring is drawn tighter, so that it keeps its height. The ledger says where energy
// goes.
#include <stdio.h>

#include <stiction/stiction.h>

static int fail(void) {
  fprintf(stderr, "%s\n", stc_error_detail());
  return 1;
}

/// Its body, the foot below it, and the slide between them.
static stc_error build(stc_world *world, stc_body_id id[3], stc_joint_id *leg) {
  stc_part part[3] = {{.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()},
                      {.shape = {.kind = STC_SHAPE_BOX, .half = {0.15, 0.1, 0.1}},
                       .pose = stc_pose_identity(),
                       .density = 800},
                      {.shape = {.kind = STC_SHAPE_SPHERE, .radius = 0.05},
                       .pose = stc_pose_identity(),
                       .density = 400}};
  const double height[3] = {0, 0.75, 0.25};
  stc_error error = STC_OK;
  for (int k = 0; k < 3 && !error; k++) {
    stc_rigid_body body = stc_default_body();
    body.mobility = k ? STC_MOBILITY_FREE : STC_MOBILITY_FIXED;
    body.parts = 1, body.part = &part[k], body.pose.x[2] = height[k];
    error = stc_world_add_body(world, &body, &id[k]);
  }
  stc_joint joint = stc_default_joint();
  joint.axis[2] = 1, joint.body[0] = id[1];
  joint.kind = STC_JOINT_PRISMATIC, joint.anchor[2] = 0.75;  // upright: it slides in the world
  if (!error) error = stc_world_add_joint(world, &joint, NULL);
  joint.body[1] = id[2], joint.coordinate[0].stiffness = 4000;
  joint.coordinate[0].damping = 5, joint.coordinate[0].least = -0.3;
  joint.coordinate[0].greatest = 0.05;
  return error ? error : stc_world_add_joint(world, &joint, leg);
}

/// Draws the spring tighter by `rest`.
static stc_error draw_spring(stc_world *world, stc_joint_id leg, double rest) {
  stc_joint_coordinate c;
  stc_error error = stc_world_joint_coordinate(world, leg, 0, &c);
  if (error || c.rest == rest) return error;
  c.rest = rest;
  return stc_world_set_joint_coordinate(world, leg, 0, &c);
}

int main(void) {
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = NULL;
  stc_world_report report;
  stc_body_id id[3];
  stc_joint_id leg;
  stc_body_state state;
  int hops = 0;
  bool rises = false;
  settings.h = 1e-3, settings.tol = 1e-6, settings.accept = 1e-4;
  if (stc_world_create(&settings, &world) || build(world, id, &leg)) return fail();
  if (stc_world_start(world, 0)) return fail();
  for (int k = 0; k < 4000; k++) {
    const stc_world_event *event;
    if (stc_world_step(world, &report)) return fail();
    if (!report.accepted) return fprintf(stderr, "%s\n", report.reason), 1;
    if (stc_world_body(world, id[1], &state)) return fail();
    bool stands = stc_world_events(world, &event) > 0 && event->kind != STC_EVENT_END;
    if (draw_spring(world, leg, stands && state.velocity[2] > 0 ? 0.01 : 0)) return fail();
    if (rises && state.velocity[2] <= 0 && !stands && hops++ < 8)
      printf("t = %.3f s: hop %d, %.3f m high\n", stc_world_time(world), hops, state.centre[2]);
    rises = state.velocity[2] > 0;
  }
  const stc_ledger *l = stc_world_ledger(world);
  printf("springs gave %.2f J, impacts and friction took %.2f J, unaccounted %.0e J\n",
         l->work + l->drive, -(l->shock + l->friction), l->error);
  stc_world_free(&world);
  return 0;
}
