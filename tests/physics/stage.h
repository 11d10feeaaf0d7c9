// A stage for the tests of motion: a point of mass m in the plane or in space, under a constant
// force and a spring along x, between plane walls that may move along a direction d:
//   f(q, t) = -n.(q - p(t)) <= 0,   p(t) = place n + d (A sin(omega t) + V t).
#ifndef STC_TEST_STAGE_H
#define STC_TEST_STAGE_H

#include "unit/motion_support.h"

#include <stdio.h>

enum { MOST_PLANES = 4 };

typedef struct plane {
  double normal[3];  // of length 1, into the admissible side
  double place;
  double direction[3];
  double A, omega, V;
  stc_law law;
  bool varies;  // the coefficient below chooses mu
  stc_coefficient coefficient;
  double restitution;
} plane;

typedef struct stage {
  int dim;
  double mass;
  double force[3];
  double spring;
  int planes;
  plane wall[MOST_PLANES];
} stage;

static inline bool stage_mass(void *user, double t, const double *q, double *M) {
  const stage *s = user;
  for (int i = 0; i < s->dim; i++) M[i] = s->mass;
  return true;
}

static inline bool stage_force(void *user, double t, const double *q, const double *u, double *Q) {
  const stage *s = user;
  for (int i = 0; i < s->dim; i++) Q[i] = s->force[i];
  Q[0] -= s->spring * q[0];
  return true;
}

static inline bool stage_potential(void *user, double t, const double *q, double *V) {
  const stage *s = user;
  *V = s->spring * q[0] * q[0] / 2;
  for (int i = 0; i < s->dim; i++) *V -= s->force[i] * q[i];
  return true;
}

static inline bool stage_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                              stc_wall *wall) {
  const stage *s = user;
  const plane *p = &s->wall[j];
  double shift = p->A * sin(p->omega * t) + p->V * t;
  double speed = p->A * p->omega * cos(p->omega * t) + p->V;
  wall->f = p->place;
  for (int i = 0; i < s->dim; i++) {
    wall->f -= p->normal[i] * (q[i] - p->direction[i] * shift);
    wall->gradient[i] = -p->normal[i];
    if (part == STC_WALL_VELOCITY) wall->velocity[i] = p->direction[i] * speed;
  }
  wall->law = p->law;
  if (p->varies) wall->coefficient = p->coefficient;
  wall->restitution = p->restitution;
  return true;
}

static inline stc_system stage_system(stage *s) {
  stc_system system = plain_system(s->dim, s->planes, s->dim, s);
  system.mass = stage_mass, system.force = stage_force;
  system.potential = stage_potential, system.wall = stage_wall;
  return system;
}

/// A simulation of the stage at q, u and time 0; `rest` 0 keeps the default.
static inline stc_simulation *stage_begin(stage *s, double h, double rest, const double *q,
                                          const double *u) {
  stc_system system = stage_system(s);
  stc_stepping stepping = stc_default_stepping();
  stepping.h = h;
  if (rest > 0) stepping.rest = rest;
  return begin_with(&system, &stepping, q, u);
}

/// Steps until `time`, to the nearest step.
static inline void stage_run(stc_simulation *simulation, double h, double time) {
  long last = lround(time / h);
  while (stc_simulation_steps(simulation) < last) stage_step(simulation);
}

/// Largest of the ledger's terms: what rounding is measured against.
static inline double stage_turnover(const stc_ledger *l) {
  return fabs(l->kinetic) + fabs(l->potential) + fabs(l->start) + fabs(l->work) + fabs(l->drive) +
         fabs(l->friction) + fabs(l->shock) + fabs(l->correction);
}

/// The books balance to rounding.
#define expect_balance(simulation)                                                                 \
  expect_near(stc_simulation_ledger(simulation)->error, 0,                                         \
              1e-12 * (1e-3 + stage_turnover(stc_simulation_ledger(simulation))))

/// Prints errors at h, h/2, h/4, ... and the orders between them; returns the mean order.
static inline double stage_order(const char *name, const double *error, int count) {
  printf("  %-34s", name);
  for (int k = 0; k < count; k++) printf(" %.2e", error[k]);
  double order = log2(error[0] / error[count - 1]) / (count - 1);
  printf("   order %.2f\n", order);
  return order;
}

/// A floor y >= 0 (z >= 0 in space) with Coulomb friction.
static inline plane stage_floor(int dim, double mu) {
  plane p = {.law = stc_law_coulomb(dim, mu)};
  p.normal[dim - 1] = 1;
  p.direction[0] = 1;
  return p;
}

#endif
