// What each new member does, seen from outside: an ellipsoid comes to rest on its short axis, a
// guide lets a box fall along its plane, a method and a law give the answer
// that is known by hand.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stiction/stiction.h>

static int failed;

static void expect_near(const char *what, double x, double expected, double tolerance) {
  if (fabs(x - expected) <= tolerance) return;
  printf("%s: %.15g, expected %.15g\n", what, x, expected);
  failed = 1;
}

static stc_world *world_with(const stc_shape *shape, double z, stc_body_id *body) {
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = NULL;
  stc_part part = {.shape = *shape, .pose = stc_pose_identity(), .density = 1000};
  stc_rigid_body b = stc_default_body();
  b.parts = 1, b.part = &part;
  settings.h = 1e-3;
  b.pose.x[2] = z;
  if (stc_world_create(&settings, &world) || stc_world_add_body(world, &b, body)) failed = 1;
  return world;
}

static void run_steps(stc_world *world, int steps) {
  stc_world_report report;
  for (int k = 0; k < steps && !failed; k++)
    failed |= stc_world_step(world, &report) != STC_OK || !report.accepted;
  if (failed) printf("%s\n", stc_error_detail());
}

// Dropped from 1 cm above: it lies at the height of its short half axis.
static void ellipsoid_rests(void) {
  stc_body_id body;
  const stc_shape shape = {.kind = STC_SHAPE_ELLIPSOID, .half = {0.3, 0.2, 0.1}};
  stc_world *world = world_with(&shape, 0.11, &body);
  stc_part plane = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
  stc_rigid_body ground = stc_default_body();
  ground.mobility = STC_MOBILITY_FIXED, ground.parts = 1, ground.part = &plane;
  stc_body_state state;
  if (stc_world_add_body(world, &ground, NULL) || stc_world_start(world, 0)) failed = 1;
  run_steps(world, 500);
  stc_world_body(world, body, &state);
  expect_near("height of an ellipsoid at rest", state.pose.x[2], 0.1, 1e-5);
  expect_near("its mass", state.mass, 1000 * 4 * acos(-1.0) / 3 * 0.006, 1e-9);
  stc_world_free(&world);
}

// On a vertical plane nothing holds the box: z = -g t^2 / 2, to the order of h.
static void joint_slides(void) {
  stc_body_id body;
  const stc_shape shape = {.kind = STC_SHAPE_BOX, .half = {0.1, 0.1, 0.1}};
  stc_world *world = world_with(&shape, 0, &body);
  stc_joint joint = stc_default_joint();
  joint.kind = STC_JOINT_GUIDE, joint.body[0] = body, joint.axis[0] = 1;
  stc_body_state state;
  if (stc_world_add_joint(world, &joint, NULL) || stc_world_start(world, 0)) failed = 1;
  run_steps(world, 200);
  stc_world_body(world, body, &state);
  expect_near("fall along a guide", state.pose.x[2], -9.81 * 0.2 * 0.2 / 2, 2e-3);
  expect_near("way across it", hypot(state.pose.x[0], state.pose.x[1]), 0, 1e-12);
  stc_world_free(&world);
}

// Slip: q = (-1, 2), mu = 0.5 and W = 1: r = (1, -0.5), u = (0, 1.5).
static void law_slips(void) {
  const stc_law law = {.kind = STC_LAW_DRY, .dim = 2, .mu = {0.5, 0.5}};
  const double W[] = {1, 0, 0, 1}, q[] = {-1, 2};
  double r[2] = {0};
  if (stc_law_solve(&law, W, q, r) != STC_CONTACT_SLIP) failed = 1;
  expect_near("r_N", r[0], 1, 1e-12);
  expect_near("r_T", r[1], -0.5, 1e-12);
}

static void method_solves(void) {
  stc_generator options = stc_default_generator("wall2d");
  stc_settings settings = stc_default_settings();
  stc_problem *problem = NULL;
  stc_solver *solver = NULL;
  stc_info info = {0};
  double r[4096] = {0};
  options.n = 5;
  settings.method = "seidel";
  settings.tol = 1e-10;
  failed |= stc_generate(&options, &problem) || stc_problem_size(problem) > 4096 ||
            stc_solver_setup(&solver, problem, &settings) ||
            stc_solver_solve(solver, &(stc_solution){.r = r}, &info);
  expect_near("eta of a wall", info.residual.eta, 0, 1e-10);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

int main(void) {
  ellipsoid_rests();
  joint_slides();
  law_slips();
  method_solves();
  return failed;
}
