// How the impulses of a step are found: sweeps from the impulses remembered; where they do not get
// on, patches of contacts by themselves and sweeps by turns; then the composite method.
#include "solvers.h"

#include "../base/clock.h"

// Sweeps before anything else, all that packings at rest need. With more contacts than LARGE
// patches over all of them come next: their cost per contact does not grow with the number of
// contacts. With more than VAST they would take too much memory, 20 KB per contact.
enum { SWEEPS = 200, SWEEPS_OF_LARGE = 30, LARGE = 3000, VAST = 100000 };

// After a turn that did not gain the patches have another size, for those of one size may lead each
// other round in circles; after the largest come the smallest again, with twice as many sweeps.
static const stc_patch_size SIZES[] = {{3, 100}, {4, 200}, {6, 400}, {9, STC_LARGEST_PATCH}};
enum { SECOND_ROUND = 2, LARGEST = sizeof SIZES / sizeof *SIZES - 1 };
enum { TURNS = 12, FEWEST = 40, MOST = 320 };
static const double GAIN = 0.5;

// Rounds of turns, each followed by sweeps as long as so many of them gain; the later rounds begin
// with large patches. Sweeps for as long as a step may take are the last resort before the
// composite method, which is at its best elsewhere.
enum { ROUNDS = 3, LONG = 1000, LONGEST = 20, LAST = 40000 };
static const double GAIN_OF_SWEEPS = 0.6;

// The interior point solves most small packings that settle, in a time that sweeps and patches do
// not reach; with more contacts than this it costs more than they do, and it fails in dense flows.
enum { SMALL = 400, INTERIOR_STEPS = 60 };

// With more components of contacts than this per degree of freedom, as in masonry, sweeps from far
// away gain little: a few of them show whether the start was near.
static const double REDUNDANT = 3;
enum { FEW_SWEEPS = 100 };

void stc_solvers_free(stc_solvers *s) {
  stc_solver_free(&s->quick);
  stc_solver_free(&s->interior);
  stc_solver_free(&s->cover);
  stc_solver_free(&s->full);
}

stc_error stc_solvers_update(stc_solvers *s, const double *w) {
  stc_update update = {.w = w};
  if (s->quick) STC_TRY(stc_solver_update(s->quick, &update));
  if (s->interior) STC_TRY(stc_solver_update(s->interior, &update));
  if (s->cover) STC_TRY(stc_solver_update(s->cover, &update));
  return s->full ? stc_solver_update(s->full, &update) : STC_OK;
}

// --- Setup ---

static bool look(void *user, const stc_progress *progress) {
  stc_watch *w = user;
  if (w->caller->progress) w->stopped = !w->caller->progress(w->caller->user, progress);
  return !w->stopped && progress->iterations < w->most;
}

static void pass_on(void *user, stc_log_level level, const char *text) {
  const stc_watch *w = user;
  w->caller->log(w->caller->user, level, text);
}

static stc_settings settings_of(const stc_world *world) {
  stc_settings settings = world->settings.solver;
  settings.tol = world->settings.tol;
  settings.threads = world->settings.threads;
  return settings;
}

static stc_error setup_quick(const stc_world *world, stc_solvers *s) {
  stc_settings settings = settings_of(world);
  if (s->quick) return STC_OK;
  s->watch = (stc_watch){.caller = &world->settings.solver};
  settings.method = "nsgs";
  settings.progress = look;
  settings.log = settings.log ? pass_on : NULL;
  settings.user = &s->watch;
  return stc_solver_setup(&s->quick, world->problem, &settings);
}

static stc_error setup_full(const stc_world *world, stc_solvers *s) {
  stc_settings settings = settings_of(world);
  return s->full ? STC_OK : stc_solver_setup(&s->full, world->problem, &settings);
}

// --- Runs ---

static stc_error run(stc_world *world, stc_solver *solver, stc_world_report *report) {
  stc_info info;
  STC_TRY(stc_solver_solve(solver,
                           &(stc_solution){.r = STC_ROW(world, STC_ROW_R),
                                           .u = STC_ROW(world, STC_ROW_AFTER),
                                           .l = world->equalities ? world->multiplier.data : NULL},
                           &info));
  report->status = info.status;
  report->eta = info.residual.eta;
  report->fclib_error = info.residual.fclib_error;
  report->accepted = report->eta <= world->settings.accept;
  return STC_OK;
}

/// At most about so many sweeps; the status says whether more may help.
static stc_error sweep(stc_world *world, stc_solvers *s, long most, stc_world_report *report) {
  s->watch.most = most;
  STC_TRY(run(world, s->quick, report));
  if (report->status == STC_STATUS_INTERRUPTED && !s->watch.stopped)
    report->status = STC_STATUS_MAX_ITERATIONS;
  return STC_OK;
}

static bool is_over(const stc_world_report *report) {
  return report->status != STC_STATUS_MAX_ITERATIONS && report->status != STC_STATUS_STALLED;
}

/// Takes what the interior point finds where that is better.
static stc_error try_interior(stc_world *world, stc_solvers *s, stc_world_report *report) {
  stc_settings settings = settings_of(world);
  size_t bytes = (size_t)world->count * (size_t)world->dim * sizeof(double);
  stc_world_report before = *report;
  settings.method = "ipm";
  settings.max_iterations = INTERIOR_STEPS;
  if (!s->interior) STC_TRY(stc_solver_setup(&s->interior, world->problem, &settings));
  STC_TRY(stc_stock_grow(&world->kept_r, bytes, 1, 0));
  memcpy(world->kept_r.data, STC_ROW(world, STC_ROW_R), bytes);
  STC_TRY(run(world, s->interior, report));
  if (report->eta < before.eta || report->status == STC_STATUS_INTERRUPTED) return STC_OK;
  memcpy(STC_ROW(world, STC_ROW_R), world->kept_r.data, bytes);
  *report = before;
  return sweep(world, s, 1, report);
}

static bool is_large(const stc_world *world) {
  return world->count > LARGE && world->count <= VAST;
}

/// Takes what patches over all contacts find.
static stc_error try_cover(stc_world *world, stc_solvers *s, stc_world_report *report) {
  stc_settings settings = settings_of(world);
  settings.method = "schwarz";
  if (!s->cover) STC_TRY(stc_solver_setup(&s->cover, world->problem, &settings));
  return run(world, s->cover, report);
}

/// Whether the laws are cones that the interior point knows.
static bool has_interior(const stc_world *world) {
  return world->dim <= 3 && !(world->settings.plane && world->dim == 3);
}

/// Patches and sweeps by turns, from patches of size `size`.
static stc_error patch(stc_world *world, stc_solvers *s, int size, double deadline,
                       stc_world_report *report) {
  long sweeps = FEWEST;
  for (int k = 0; k < TURNS && !is_over(report); k++) {
    double before = report->eta;
    STC_TRY(stc_world_patch(world, SIZES[size], before, deadline, STC_ROW(world, STC_ROW_R),
                            STC_ROW(world, STC_ROW_AFTER)));
    STC_TRY(sweep(world, s, sweeps, report));
    if (is_over(report)) return STC_OK;
    if (stc_clock() > deadline) report->status = STC_STATUS_TIME_LIMIT;
    if (report->eta < GAIN * before) {
      sweeps = FEWEST;
    } else if (size++ == LARGEST) {
      size = 0;
      sweeps = sweeps < MOST ? 2 * sweeps : MOST;
    }
  }
  return STC_OK;
}

static stc_error sweep_on(stc_world *world, stc_solvers *s, stc_world_report *report) {
  double before = INFINITY;
  for (int k = 0; k < LONGEST && !is_over(report) && report->eta <= GAIN_OF_SWEEPS * before; k++) {
    before = report->eta;
    STC_TRY(sweep(world, s, LONG, report));
  }
  return STC_OK;
}

/// A large flow is taken as it is where the step would be accepted; stacks and small packings,
/// which are to rest, are brought to the tolerance.
static bool is_good_enough(const stc_world *world, const stc_world_report *report) {
  return report->accepted && world->count > SMALL;
}

/// Rounds of patches and sweeps, no longer than a solver may take.
static stc_error refine(stc_world *world, stc_solvers *s, stc_world_report *report) {
  double deadline = stc_clock() + world->settings.solver.time_limit;
  if (!is_over(report) && world->count <= SMALL && has_interior(world))
    STC_TRY(try_interior(world, s, report));
  if (!is_over(report) && is_large(world)) STC_TRY(try_cover(world, s, report));
  for (int round = 0; round < ROUNDS && !is_over(report); round++) {
    STC_TRY(patch(world, s, round > 0 ? SECOND_ROUND : 0, deadline, report));
    STC_TRY(sweep_on(world, s, report));
  }
  return is_over(report) || is_good_enough(world, report) ? STC_OK : sweep(world, s, LAST, report);
}

static long first_sweeps(const stc_world *world, bool redundant) {
  if (redundant) return FEW_SWEEPS;
  return is_large(world) ? SWEEPS_OF_LARGE : SWEEPS;
}

/// Sweeps and patches first, unless another method was asked for.
stc_error stc_solvers_run(stc_world *world, stc_solvers *s, stc_world_report *report) {
  const char *method = world->settings.solver.method;
  double size = (double)world->count * world->dim;
  bool redundant = size > REDUNDANT * world->dofs, refined = !redundant && world->equalities == 0;
  if (world->count > 0 && (!method || strcmp(method, "auto") == 0)) {
    STC_TRY(setup_quick(world, s));
    STC_TRY(sweep(world, s, first_sweeps(world, redundant), report));
    if (refined) STC_TRY(refine(world, s, report));
    if (is_over(report) || (refined && is_good_enough(world, report))) return STC_OK;
  }
  STC_TRY(setup_full(world, s));
  return run(world, s->full, report);
}
