// Six boxes fall on a floor one after the other, each added while the others lie there; then the
// lowest one is pulled out from under them.
#include <stdio.h>

#include <stiction/stiction.h>

enum { BOXES = 6 };

static int fail(void) {
  fprintf(stderr, "%s\n", stc_error_detail());
  return 1;
}

/// Runs the world; nonzero where a step fails.
static int run(stc_world *world, int steps) {
  stc_world_report report;
  for (int k = 0; k < steps; k++) {
    if (stc_world_step(world, &report) != STC_OK) return fail();
    if (report.accepted) continue;
    fprintf(stderr, "step %ld: %s\n", stc_world_steps(world) + 1, report.reason);
    return 1;
  }
  return 0;
}

int main(void) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part ground = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
  stc_part part = {.shape = {.kind = STC_SHAPE_BOX, .half = {0.2, 0.2, 0.1}},
                   .pose = stc_pose_identity(),
                   .density = 500};
  stc_rigid_body body = stc_default_body();
  stc_body_id box[BOXES];
  stc_body_state state;
  stc_world *world = NULL;
  settings.h = 5e-3;
  settings.tol = 1e-6;
  body.mobility = STC_MOBILITY_FIXED, body.parts = 1, body.part = &ground;
  if (stc_world_create(&settings, &world) || stc_world_add_body(world, &body, NULL)) return fail();
  body.mobility = STC_MOBILITY_FREE, body.part = &part;
  for (int k = 0; k < BOXES; k++) {
    body.pose.x[2] = 0.1 + 0.2 * k + 0.05;
    if (stc_world_add_body(world, &body, &box[k])) return fail();
    if (k == 0 && stc_world_start(world, 0)) return fail();
    if (run(world, 60)) return 1;
  }
  printf("%d boxes, %d contacts\n", BOXES, stc_world_contacts(world));
  if (stc_world_remove_body(world, box[0]) || run(world, 200)) return fail();
  for (int k = 1; k < BOXES; k++) {
    if (stc_world_body(world, box[k], &state)) return fail();
    printf("box %d at %.5f m\n", k, state.pose.x[2]);
  }
  const stc_ledger *ledger = stc_world_ledger(world);
  printf("energy that is not accounted for: %.0e J\n", ledger->error);
  stc_world_free(&world);
  return 0;
}
