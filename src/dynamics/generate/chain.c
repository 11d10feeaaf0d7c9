// A chain of rods on a plane: neighbours share a ball joint at their ends, each rod touches the
// plane at two points. The first joint ties the chain to the ground where n2 = 1.
#include "../../base/vec3.h"
#include "body_assembly.h"
#include "generators.h"

#include "../../base/elementary.h"

static const double LENGTH = 0.1;   // of a rod, m
static const double RADIUS = 0.01;  // of a rod, m
static const double PI = 3.141592653589793;

// Contacts lie this part of the length from the centre.
static const double FOOT = 0.35;

// At disorder 1 rods rotate away from +x by up to this angle: the chain never folds back.
static const double DEVIATION = 1.0;

// A solid cylinder along `axis`: inertia m r^2/2 along it, m (r^2/4 + l^2/12) across.
static stc_assembly_body make_rod(const double centre[3], const double axis[3]) {
  double mass = STC_DENSITY * PI * RADIUS * RADIUS * LENGTH;
  double along = 0.5 * mass * RADIUS * RADIUS;
  double across = mass * (0.25 * RADIUS * RADIUS + LENGTH * LENGTH / 12.0);
  stc_assembly_body body = {.x = {centre[0], centre[1], centre[2]}, .mass = mass};
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      body.inertia[k][l] = (k == l ? across : 0.0) + (along - across) * (axis[k] * axis[l]);
  return body;
}

stc_error stc_generate_chain(const stc_generator *options, stc_problem **problem) {
  stc_random random = stc_random_seed(options->seed);
  stc_assembly assembly = {.dim = 3};
  stc_assembly_joint joint = {.x = {0.0, 0.0, RADIUS}};
  for (int k = 0; k < options->n; k++) {
    double angle = DEVIATION * options->disorder * (2.0 * stc_random_uniform(&random) - 1.0);
    double axis[3] = {stc_cos(angle), stc_sin(angle), 0.0}, centre[3];
    stc_combine3(joint.x, 0.5 * LENGTH, axis, centre);
    stc_assembly_body body = make_rod(centre, axis);
    stc_assembly_add_body(&assembly, &body);
    for (int side = -1; side <= 1; side += 2) {
      stc_assembly_contact contact = {.body = {k, STC_GROUND}, .normal = {0, 0, 1}};
      stc_combine3(centre, side * FOOT * LENGTH, axis, contact.x);
      contact.x[2] = 0.0;
      stc_assembly_add_contact(&assembly, &contact);
    }
    joint.body[0] = k;
    joint.body[1] = k - 1;  // body -1 is the ground
    if (k > 0 || options->n2 == 1) stc_assembly_add_joint(&assembly, &joint);
    stc_combine3(joint.x, LENGTH, axis, joint.x);
  }
  return stc_assembly_finish(&assembly, options, &random, problem);
}
