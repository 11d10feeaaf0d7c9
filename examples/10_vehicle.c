// A vehicle with four driven wheels on springs crosses a terrain of hills.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

enum { SIDE = 41 };

static int fail(void) { return fprintf(stderr, "%s\n", stc_error_detail()), 1; }

/// Hills of 8 cm, 1 m apart.
static stc_error make_terrain(stc_terrain **terrain) {
  static double point[SIDE * SIDE * 3];
  static int triangle[(SIDE - 1) * (SIDE - 1) * 6];
  int *t = triangle;
  for (int k = 0; k < SIDE * SIDE; k++) {
    double x = 0.25 * (k % SIDE) - 2, y = 0.25 * (k / SIDE) - 5;
    point[3 * k] = x, point[3 * k + 1] = y;
    point[3 * k + 2] = x > 1 ? 0.04 * (1 - cos(6.2831853 * x)) * cos(1.5 * y) : 0;
  }
  for (int k = 0; k < SIDE * (SIDE - 1); k++) {
    const int corner[6] = {k, k + 1, k + SIDE + 1, k, k + SIDE + 1, k + SIDE};
    for (int i = 0; i < 6 && k % SIDE < SIDE - 1; i++) *t++ = corner[i];
  }
  return stc_terrain_create(SIDE * SIDE, point, (SIDE - 1) * (SIDE - 1) * 2, triangle, terrain);
}

/// A wheel below the chassis: it slides up and down on a spring and turns about y, by a motor.
static stc_error add_wheel(stc_world *world, stc_body_id chassis, double x, double y) {
  stc_part part = {.shape = {.kind = STC_SHAPE_SPHERE, .radius = 0.05}, .density = 8000, .mask = 2};
  stc_rigid_body body = stc_default_body();
  stc_joint slide = stc_default_joint(), axle = slide;
  stc_body_id carrier, wheel = {0};
  part.pose = stc_pose_identity(), body.parts = 1, body.part = &part;
  body.pose.x[0] = slide.anchor[0] = axle.anchor[0] = x;
  body.pose.x[1] = slide.anchor[1] = axle.anchor[1] = y;
  body.pose.x[2] = slide.anchor[2] = axle.anchor[2] = 0.2;
  stc_error error = stc_world_add_body(world, &body, &carrier);
  part.mask = 0, part.shape.radius = 0.2, part.density = 400;
  if (!error) error = stc_world_add_body(world, &body, &wheel);
  if (!error) error = stc_world_ignore(world, wheel, chassis);
  slide.kind = STC_JOINT_PRISMATIC, slide.axis[2] = 1, slide.body[0] = carrier;
  slide.body[1] = chassis, slide.coordinate[0].least = -0.1, slide.coordinate[0].greatest = 0.1;
  slide.coordinate[0].stiffness = 8000, slide.coordinate[0].damping = 400;
  if (!error) error = stc_world_add_joint(world, &slide, NULL);
  axle.kind = STC_JOINT_HINGE, axle.axis[1] = 1, axle.body[0] = wheel, axle.body[1] = carrier;
  axle.coordinate[0].motor = STC_MOTOR_VELOCITY;
  axle.coordinate[0].target = 8, axle.coordinate[0].motor_force = 30;
  return error ? error : stc_world_add_joint(world, &axle, NULL);
}

int main(void) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part ground = {.shape = {.kind = STC_SHAPE_TERRAIN}, .pose = stc_pose_identity()};
  stc_part deck = {.shape = {.kind = STC_SHAPE_BOX, .half = {0.6, 0.3, 0.08}}, .density = 500};
  stc_rigid_body body = stc_default_body();
  stc_terrain *terrain = NULL;
  stc_world *world = NULL;
  stc_world_report report;
  stc_body_id chassis;
  stc_body_state state;
  settings.h = 2e-3, settings.tol = 1e-5, settings.accept = 1e-3, deck.pose = ground.pose;
  if (make_terrain(&terrain) || stc_world_create(&settings, &world)) return fail();
  ground.shape.terrain = terrain;
  body.mobility = STC_MOBILITY_FIXED, body.parts = 1, body.part = &ground;
  if (stc_world_add_body(world, &body, NULL)) return fail();
  body.mobility = STC_MOBILITY_FREE, body.part = &deck, body.pose.x[2] = 0.45;
  if (stc_world_add_body(world, &body, &chassis)) return fail();
  for (int k = 0; k < 4; k++)
    if (add_wheel(world, chassis, k % 2 ? 0.5 : -0.5, k / 2 ? 0.45 : -0.45)) return fail();
  if (stc_world_start(world, 0)) return fail();
  for (int k = 1; k <= 900; k++) {
    if (stc_world_step(world, &report) || !report.accepted) return fail();
    if (k % 150 || stc_world_body(world, chassis, &state)) continue;
    printf("t = %.1f s: at %5.2f m, %5.2f m high, %5.2f m/s, %d contacts\n", stc_world_time(world),
           state.centre[0], state.centre[2], state.velocity[0], report.contacts);
  }
  stc_world_free(&world), stc_terrain_free(&terrain);
  return 0;
}
