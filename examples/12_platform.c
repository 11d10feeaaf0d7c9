// A character on a platform that moves: an upright capsule, steered by forces, finds the ground
// with a ray, walks, jumps, and is carried by what it stands on.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static int fail(void) { return fprintf(stderr, "%s\n", stc_error_detail()), 1; }

/// About 1 m to and fro along x in 4 s.
static bool carry(void *user, double t, double velocity[3], double omega[3]) {
  (void)user, (void)omega;
  velocity[0] = 1.57 * cos(1.57 * t);
  return true;
}

/// What the character stands on, by a ray from its middle to 2 cm below its feet; zeros: nothing.
static stc_error find_ground(stc_world *world, stc_body_id self, stc_body_id *ground) {
  const double down[3] = {0, 0, -0.92};
  const stc_query query = {.except = self};
  stc_body_state state;
  stc_world_hit hit = {0};
  stc_error error = stc_world_body(world, self, &state);
  if (!error) error = stc_world_cast_ray(world, state.centre, down, &query, &hit);
  *ground = hit.body;
  return error;
}

/// A force towards the speed wanted over that of the ground.
static stc_error walk(stc_world *world, stc_body_id self, stc_body_id ground, double speed,
                      bool jump) {
  stc_body_state own, under = {0};
  stc_body_load load = stc_default_load();
  stc_error error = stc_world_body(world, self, &own);
  if (!error && ground.generation) error = stc_world_body(world, ground, &under);
  if (error || !ground.generation) return error;
  double wanted = 20 * own.mass * (under.velocity[0] + speed - own.velocity[0]);
  load.force[0] = fmax(-400, fmin(400, wanted));
  if (jump) load.impulse[2] = 3 * own.mass;
  return stc_world_push(world, self, &load);
}

int main(void) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part plate = {.shape = {.kind = STC_SHAPE_BOX, .half = {3, 1, 0.1}}};
  stc_part trunk = {.shape = {.kind = STC_SHAPE_CAPSULE, .radius = 0.3, .half = {0, 0, 0.6}}};
  stc_rigid_body body = stc_default_body();
  stc_world_report report;
  stc_body_id self, platform, ground;
  stc_body_state state, under;
  const stc_surface_pair smooth = {.mu = 0.05};
  stc_world *world = NULL;
  settings.h = 1.0 / 240, settings.tol = 1e-6, settings.accept = 1e-4;
  plate.pose = trunk.pose = stc_pose_identity();
  body.parts = 1, body.part = &plate, body.mobility = STC_MOBILITY_DRIVEN, body.drive = carry;
  body.pose.x[2] = -0.1;
  if (stc_world_create(&settings, &world)) return fail();
  if (stc_world_set_surface_pair(world, 0, 1, &smooth)) return fail();
  if (stc_world_add_body(world, &body, &platform)) return fail();
  body = stc_default_body();
  body.parts = 1, body.part = &trunk, body.mass = 70, body.pose.x[2] = 0.9;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e6;  // it does not fall over
  body.surface = 1;
  if (stc_world_add_body(world, &body, &self) || stc_world_start(world, 0)) return fail();
  for (int k = 0; k < 960; k++) {
    if (find_ground(world, self, &ground)) return fail();
    if (walk(world, self, ground, k < 480 ? 0 : 0.5, k == 600)) return fail();
    if (stc_world_step(world, &report)) return fail();
    if (!report.accepted) return fprintf(stderr, "%s\n", report.reason), 1;
    if (k % 120 || stc_world_body(world, self, &state)) continue;
    if (stc_world_body(world, platform, &under)) return fail();
    printf("t = %.2f s: %s, %6.3f m along the platform, %5.2f m/s over it, feet at %.3f m\n",
           stc_world_time(world), ground.generation ? "stands" : "in the air",
           state.centre[0] - under.centre[0], state.velocity[0] - under.velocity[0],
           state.centre[2] - 0.9);
  }
  stc_world_free(&world);
  return 0;
}
