// A yard for the tests of rigid bodies: worlds with a floor, bodies added in a line.
#ifndef STC_TEST_YARD_H
#define STC_TEST_YARD_H

#include "unit/expect.h"

#include <stdio.h>
#include <stiction/joints.h>

static inline stc_part yard_box(double x, double y, double z) {
  return (stc_part){.shape = {.kind = STC_SHAPE_BOX, .half = {x, y, z}},
                    .pose = stc_pose_identity(),
                    .density = 1000};
}

static inline stc_part yard_ball(double radius) {
  return (stc_part){.shape = {.kind = STC_SHAPE_SPHERE, .radius = radius},
                    .pose = stc_pose_identity(),
                    .density = 1000};
}

static inline stc_rigid_body yard_body(const stc_part *part, double x, double y, double z) {
  stc_rigid_body body = stc_default_body();
  body.parts = part ? 1 : 0, body.part = part;
  body.pose.x[0] = x, body.pose.x[1] = y, body.pose.x[2] = z;
  return body;
}

static inline stc_world *yard_create(const stc_world_settings *settings) {
  stc_world *world = NULL;
  stc_error error = stc_world_create(settings, &world);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
  return world;
}

static inline int yard_add(stc_world *world, const stc_rigid_body *body) {
  stc_body_id id = {0};
  stc_error error = stc_world_add_body(world, body, &id);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
  return id.index;
}

/// A joint with the kind, anchors and axes of `given` between two bodies by their indices; -1: the
/// world.
static inline stc_joint yard_joint(const stc_world *world, stc_joint given, int a, int b) {
  stc_joint joint = stc_default_joint();
  joint.kind = given.kind;
  joint.body[0] = stc_world_body_at(world, a), joint.body[1] = stc_world_body_at(world, b);
  for (int i = 0; i < 3; i++) {
    joint.anchor[i] = given.anchor[i], joint.axis[i] = given.axis[i];
    joint.anchor2[i] = given.anchor2[i], joint.axis2[i] = given.axis2[i];
  }
  return joint;
}

/// The half space z <= 0, turned about y by `angle`: downhill is +x.
static inline int yard_floor(stc_world *world, double angle) {
  stc_part plane = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
  stc_rigid_body body = yard_body(&plane, 0, 0, 0);
  body.mobility = STC_MOBILITY_FIXED;
  body.name = "floor";
  body.pose.rotation[0] = cos(angle / 2), body.pose.rotation[2] = sin(angle / 2);
  return yard_add(world, &body);
}

static inline void yard_surfaces(stc_world *world, double mu, double e) {
  stc_surface_pair surface_pair = stc_default_surface_pair();
  surface_pair.mu = mu, surface_pair.restitution = e;
  assert_int_equal(stc_world_set_surface_pair(world, 0, 0, &surface_pair), STC_OK);
}

/// A world in the plane with the usual settings; y is up.
static inline stc_world *yard_plane(void) {
  stc_world_settings settings = stc_default_world_settings();
  settings.plane = true;
  settings.gravity[1] = settings.gravity[2], settings.gravity[2] = 0;
  return yard_create(&settings);
}

static inline void yard_start(stc_world *world) {
  stc_error error = stc_world_start(world, 0);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
}

/// One step that must succeed.
static inline stc_world_report yard_step(stc_world *world) {
  stc_world_report report;
  stc_error error = stc_world_step(world, &report);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
  if (!report.accepted) print_error("%s\n", report.reason);
  assert_true(report.accepted);
  return report;
}

static inline void yard_run(stc_world *world, long steps) {
  for (long k = 0; k < steps; k++) yard_step(world);
}

static inline stc_body_state yard_body_at(const stc_world *world, int body) {
  stc_body_state state;
  assert_int_equal(stc_world_body(world, stc_world_body_at(world, body), &state), STC_OK);
  return state;
}

static inline double yard_energy(const stc_world *world) {
  const stc_ledger *l = stc_world_ledger(world);
  return l->kinetic + l->potential;
}

#endif
