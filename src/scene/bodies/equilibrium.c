// Whether bodies could stand where they are: forces in the cones of friction mu that balance the
// weights. At rest the step with the associated law,
//   min 1/2 |v|_M^2   over   M v = h M g + H^T r,   r in K_mu,
// is convex, and v = 0 is its answer exactly where such forces exist; then v = 0, r solve the
// Coulomb problem too.
#include "context.h"

#include <stiction/solve.h>

#include <math.h>
#include <string.h>

// Bodies nearer than this part of the smallest one's size touch.
static const double TOUCHING = 1e-5;

// A velocity below this part of what gravity gives in the step is rest: far above what the
// tolerance leaves.
static const double REST = 1e-8, TOLERANCE = 1e-12;

// Gravity acts this many times longer than a body takes to fall through the reach: every contact
// within it may close.
static const double LONG = 10;

// Up to this mu the interior-point method is sure to find the answer; beyond the other nothing
// changes any more.
static const double EASY = 1, LARGE = 1e6;

enum { MOST_ITERATIONS = 500 };

static double size_of_part(const stc_part *part) {
  double low[3], high[3], size = 0;
  stc_pose pose = stc_pose_identity();
  stc_shape_bounds(&part->shape, &pose, low, high);
  for (int k = 0; k < 3; k++) size = fmax(size, high[k] - low[k]);
  return size;
}

static double smallest_size(const stc_context *context) {
  double least = INFINITY;
  for (int k = 0; k < context->bodies.count; k++) {
    const stc_rigid_body *b = &context->body[k].body;
    double size = 0;
    for (int i = 0; i < b->parts; i++) size = fmax(size, size_of_part(&b->part[i]));
    if (b->mobility == STC_MOBILITY_FREE) least = fmin(least, size);
  }
  return least;
}

// The same bodies in one long step, whose impulses are not used.
static stc_error open_still(stc_bodies_motion *m) {
  stc_world_settings own = m->context->settings;
  own.reach = fmin(TOUCHING * smallest_size(m->context), 1);
  const double *g = own.gravity;
  double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  own.h = size > 0 ? fmin(fmax(LONG * sqrt(own.reach / size), 1e-9), 10) : own.h;
  own.accept = 1;
  own.correction = 0;
  own.threads = 1;
  own.solver = stc_default_settings();
  own.solver.method = "nsgs";
  own.solver.max_iterations = 1;
  STC_TRY(stc_bodies_build(m->run.scene, &own, &m->still));
  if (stc_world_dim(m->still) <= 3 - own.plane) return STC_OK;
  return stc_fail(STC_ERR_UNSUPPORTED,
                  "s.equilibrium knows friction only; leave rolling and spinning lengths out");
}

// Where the bodies are, at rest.
static stc_error place_still(stc_bodies_motion *m, const double *from) {
  size_t count = (size_t)m->context->bodies.count * STC_PLACE_NUMBERS;
  double *places = stc_calloc(count, sizeof *places);
  if (!places) return stc_fail(STC_ERR_MEMORY, "out of memory for %zu numbers", count);
  memcpy(places, from, count * sizeof *places);
  for (size_t k = 0; k < count; k++)
    if (k % STC_PLACE_NUMBERS >= 7) places[k] = 0;
  stc_error error = stc_world_set_places(m->still, 0, places);
  stc_release(&places);
  return error;
}

// --- The convex problem ---

// |x|_M of the velocities x.
static double mass_norm(const stc_bodies_data *d, const double *x) {
  const double *M = d->M;
  double sum = 0;
  for (int b = 0; b < d->bodies; b++, x += d->width)
    for (int i = 0; i < d->width; i++)
      for (int j = 0; j < d->width; j++) sum += x[i] * *M++ * x[j];
  return sqrt(fmax(sum, 0));
}

// The problem of the step with all contacts closed and one mu.
static stc_error close_contacts(const stc_problem *step, double mu, stc_problem **problem) {
  stc_bodies_data data = stc_problem_bodies_data(step);
  stc_arena arena = {0};
  double *w = STC_TAKE(&arena, double, data.dim *data.contacts);
  double *all = STC_TAKE(&arena, double, data.contacts);
  stc_error error = stc_arena_check(&arena);
  for (int k = 0; !error && k < data.contacts; k++) all[k] = mu;
  data.w = w;
  data.mu = all;
  data.law = NULL;
  data.frame = NULL;
  if (!error) error = stc_problem_create_bodies(&data, problem);
  stc_arena_free(&arena);
  return error;
}

static stc_error solve_associated(const stc_problem *problem, const stc_solution *solution) {
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  settings.method = "ipm";
  settings.ipm.associated = 2;
  settings.tol = TOLERANCE;
  settings.max_iterations = MOST_ITERATIONS;
  STC_TRY(stc_solver_setup(&solver, problem, &settings));
  stc_error error = stc_solver_solve(solver, solution, &info);
  stc_solver_free(&solver);
  return error;
}

// Whether the velocities that remain are nothing against those of free fall.
static stc_error compare_with_fall(const stc_problem *problem, bool *stands) {
  stc_bodies_data data = stc_problem_bodies_data(problem);
  size_t dofs = (size_t)stc_problem_dofs(problem);
  stc_arena arena = {0};
  stc_solution solution = {.r = STC_TAKE(&arena, double, data.dim *data.contacts),
                           .v = STC_TAKE(&arena, double, dofs),
                           .l = STC_TAKE(&arena, double, data.equalities + 1)};
  double *none = STC_TAKE(&arena, double, data.dim *data.contacts);
  double *fall = STC_TAKE(&arena, double, dofs);
  stc_error error = stc_arena_check(&arena);
  if (!error) error = stc_problem_complete(problem, &(stc_solution){.r = none, .v = fall});
  if (!error) error = solve_associated(problem, &solution);
  if (!error) *stands = mass_norm(&data, solution.v) <= REST * mass_norm(&data, fall);
  stc_arena_free(&arena);
  return error;
}

// Wide cones hold narrower ones: what stands with less stands with mu, and is found more surely.
static stc_error try_up_to(const stc_problem *step, double mu, bool *stands) {
  double trial = fmin(mu, EASY);
  for (;;) {
    stc_problem *problem = NULL;
    STC_TRY(close_contacts(step, trial, &problem));
    stc_error error = compare_with_fall(problem, stands);
    stc_problem_free(&problem);
    STC_TRY(error);
    if (*stands || trial == mu) return STC_OK;
    trial = fmin(2 * trial, mu);
  }
}

stc_error stc_bodies_stands(stc_bodies_motion *m, bool at_start, double mu, bool *stands) {
  stc_world_report report;
  *stands = false;
  if (!m->still) STC_TRY(open_still(m));
  STC_TRY(place_still(m, at_start ? m->start : m->places));
  STC_TRY(stc_scene_error(m->run.scene, stc_world_step(m->still, &report)));
  const stc_problem *step = stc_world_problem(m->still, NULL);
  return step ? try_up_to(step, fmin(mu, LARGE), stands) : STC_OK;  // else nothing holds them
}
