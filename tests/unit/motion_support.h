// What tests of motions q(t) against walls share: systems by their functions, simulations, steps.
#ifndef STC_TEST_MOTION_SUPPORT_H
#define STC_TEST_MOTION_SUPPORT_H

#include "expect.h"

#include <stiction/lagrangian.h>

static inline bool without_force(void *user, double t, const double *q, const double *u,
                                 double *Q) {
  return true;
}

/// A system with a diagonal mass matrix and no forces; mass and wall are still to be given.
static inline stc_system plain_system(int dofs, int walls, int dim, void *user) {
  stc_system system = {.dofs = dofs, .walls = walls, .dim = dim, .diagonal = true, .user = user};
  system.force = without_force;
  return system;
}

/// A simulation at q, u and time 0.
static inline stc_simulation *begin_with(const stc_system *system, const stc_stepping *stepping,
                                         const double *q, const double *u) {
  stc_simulation *simulation = NULL;
  expect_ok(stc_simulation_create(system, stepping, &simulation));
  expect_ok(stc_simulation_place(simulation, 0, q, u));
  return simulation;
}

static inline stc_simulation *begin_at(const stc_system *system, double h, const double *q,
                                       const double *u) {
  stc_stepping stepping = stc_default_stepping();
  stepping.h = h;
  return begin_with(system, &stepping, q, u);
}

/// One step that must succeed.
static inline stc_step_report stage_step(stc_simulation *simulation) {
  stc_step_report report;
  expect_ok(stc_simulation_step(simulation, &report));
  if (!report.accepted) print_error("%s\n", report.reason);
  assert_true(report.accepted);
  return report;
}

#endif
