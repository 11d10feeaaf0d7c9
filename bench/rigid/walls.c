// A wall of bricks stands: steps per second, and how far a brick drifts.
//   walls [rows [columns [seconds [h [threads [awake]]]]]]
// With `awake` = 1 a ball that is driven far away keeps the world from resting: every step is
// computed.
#include "wall.h"

#include <stiction/stiction.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double TOL = 1e-8;

/// Processor seconds: the machine may be busy with other things.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static stc_error add(stc_world *world, const stc_part *part, const double x[3], bool fixed) {
  stc_rigid_body body = stc_default_body();
  body.parts = 1, body.part = part;
  memcpy(body.pose.x, x, sizeof body.pose.x);
  body.mobility = fixed ? STC_MOBILITY_FIXED : STC_MOBILITY_FREE;
  return stc_world_add_body(world, &body, NULL);
}

static bool wander(void *user, double t, double velocity[3], double omega[3]) {
  (void)user, (void)t, (void)omega;
  velocity[0] = 1;
  return true;
}

static stc_error add_wanderer(stc_world *world) {
  stc_part part = {.shape = {.kind = STC_SHAPE_SPHERE, .radius = 1},
                   .pose = {.rotation = {1, 0, 0, 0}},
                   .density = 1};
  stc_rigid_body body = stc_default_body();
  body.parts = 1, body.part = &part, body.mobility = STC_MOBILITY_DRIVEN;
  body.pose.x[2] = 1000;
  body.drive = wander;
  return stc_world_add_body(world, &body, NULL);
}

static stc_error make_wall_world(int bricks, const brick *list, double h, int threads, bool awake,
                                 stc_world **world) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part part = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = {.rotation = {1, 0, 0, 0}}};
  stc_surface_pair pair = stc_default_surface_pair();
  settings.h = h;
  settings.tol = TOL;
  settings.threads = threads;
  pair.mu = BRICK_MU;
  stc_error error = stc_world_create(&settings, world);
  if (!error) error = stc_world_set_surface_pair(*world, 0, 0, &pair);
  if (!error) error = add(*world, &part, (double[]){0, 0, 0}, true);
  part.shape.kind = STC_SHAPE_BOX;
  part.density = BRICK_DENSITY;
  for (int k = 0; k < bricks && !error; k++) {
    memcpy(part.shape.half, list[k].half, sizeof part.shape.half);
    error = add(*world, &part, list[k].x, false);
  }
  if (!error && awake) error = add_wanderer(*world);
  return error ? error : stc_world_start(*world, 0);
}

/// Largest distance of a brick from where it was set.
static double drift(const stc_world *world, int bricks, const brick *list) {
  double most = 0;
  for (int k = 0; k < bricks; k++) {
    stc_body_state state;
    if (stc_world_body(world, stc_world_body_at(world, k + 1), &state)) return NAN;
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = state.centre[i] - list[k].x[i];
    most = fmax(most, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  }
  return most;
}

static stc_error run_wall(stc_world *world, int bricks, const brick *list, long steps, double h) {
  stc_world_report report;
  double began = now(), eta = 0, first = 0;
  for (long n = 0; n < steps; n++) {
    stc_error error = stc_world_step(world, &report);
    if (error) return error;
    if (!report.accepted) {
      fprintf(stderr, "%s\n", report.reason);
      return STC_ERR_VALUE;
    }
    if (n == 0) first = now() - began;
    eta = fmax(eta, report.eta);
  }
  double took = now() - began;
  const stc_ledger *l = stc_world_ledger(world);
  printf("%d,%g,%g,%d,%.1f,%.3f,%.3e,%.1e,%.1e,%.1e\n", bricks, h, (double)steps * h,
         report.contacts, (double)steps / took, first, drift(world, bricks, list), eta, l->error,
         fabs(l->potential));
  return STC_OK;
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 24, columns = argc > 2 ? atoi(argv[2]) : 24;
  double seconds = argc > 3 ? atof(argv[3]) : 10, h = argc > 4 ? atof(argv[4]) : 5e-3;
  int bricks = wall_bricks(rows, columns), threads = argc > 5 ? atoi(argv[5]) : 1;
  brick *list = calloc((size_t)bricks, sizeof *list);
  stc_world *world = NULL;
  if (!list) return 1;
  wall_place(rows, columns, list);
  printf(
      "bricks,h,seconds,contacts,steps_per_s,first_step_s,drift_m,eta,ledger_error_j,energy_j\n");
  stc_error error = make_wall_world(bricks, list, h, threads, argc > 6 && atoi(argv[6]), &world);
  if (!error) error = run_wall(world, bricks, list, lround(seconds / h), h);
  if (error) fprintf(stderr, "%s\n", stc_error_detail());
  stc_world_free(&world);
  free(list);
  return error != STC_OK;
}
