// How the impulses of a step are found: sweeps from the impulses remembered, and where these do not
// end it the composite method from nothing; in large packings, before that, clusters of contacts by
// themselves and sweeps by turns and, where these crawl, projected gradients and a few Newton
// steps.
#include "step_solver.h"

#include <limits.h>

// Sweeps before anything else where packings are small, all that those at rest need.
enum { SWEEPS = 200 };

// Newton's steps, or sweeps, that bring bodies near rest from a loose tolerance to a sharp one.
enum { NEWTON_STEPS = 30 };

// Turns are given up when more than (contacts / AHEAD_UNIT)^2 would follow at their pace. In
// packings that jam they gain a fifth each, and less later. What follows them takes as long as a
// few turns with 500 contacts, as many with 2000 and more.
static const double AHEAD_UNIT = 140, LEAST_AHEAD = 3, MOST_AHEAD = 100;

// What follows them, each from where the others stopped: to so many times the tolerance, in so many
// iterations. Newton's steps end it where little was left, and are given up where six of them gain
// little. Gradients come near in half the time they take to the end, and Newton's steps from there
// mostly end it; where not, gradients do not get on from where these lead.
typedef struct stage {
  const char *method;
  double aim;
  long most;
  long patience;  ///< so many iterations are to bring eta down to `gain` of it; 0: need not
  double gain;
  bool whole;  ///< taken only where it solves the problem
} stage;

static const stage after_turns[] = {
    {"newton", 1, 60, 6, 0.4, true}, {"apgd", 3, 20000, 0, 0, false},
    {"newton", 1, 24, 0, 0, true},   {"apgd", 1, 20000, 0, 0, false},
    {"newton", 1, 6, 0, 0, true},    {"nsgs", 1, 4000, 0, 0, false},
    {"newton", 1, 6, 0, 0, false},
};
enum { STAGES = sizeof after_turns / sizeof *after_turns };

// Bytes per contact that factors may take there, and beyond that: those of deep packings take more,
// and longer than the gradients do.
static const double FACTORS = 8e3, FACTORS_ANYWAY = 2e7;

// Sweeps for as long as a step may take are the last resort before the composite method, which is
// at its best elsewhere.
enum { LAST = 40000 };

// The interior point solves most small packings that settle, in a time that sweeps and clusters do
// not reach; with more contacts than this it costs more than they do, and it fails in dense flows.
enum { SMALL = 400, INTERIOR_STEPS = 60 };

// With more components of contacts than this per degree of freedom, as in masonry, sweeps from far
// away gain little: a few of them show whether the start was near.
static const double REDUNDANT = 3;
enum { FEW_SWEEPS = 100 };

void stc_solvers_free(stc_solvers *s) {
  stc_solver_free(&s->quick);
  stc_solver_free(&s->interior);
  stc_solver_free(&s->turns);
  stc_solver_free(&s->full);
}

stc_error stc_solvers_update(stc_solvers *s, const double *w) {
  stc_update update = {.w = w};
  if (s->quick) STC_TRY(stc_solver_update(s->quick, &update));
  if (s->interior) STC_TRY(stc_solver_update(s->interior, &update));
  if (s->turns) STC_TRY(stc_solver_update(s->turns, &update));
  return s->full ? stc_solver_update(s->full, &update) : STC_OK;
}

// --- Setup ---

static bool is_slow(stc_watch *w, const stc_progress *progress) {
  bool first = progress->iterations == 0;
  if (w->patience == 0 || (!first && progress->iterations - w->since < w->patience)) return false;
  bool slow = !first && !(progress->best_eta < w->gain * w->eta);
  w->since = progress->iterations;
  w->eta = progress->best_eta;
  return slow;
}

static bool look(void *user, const stc_progress *progress) {
  stc_watch *w = user;
  if (w->caller->progress) w->stopped = !w->caller->progress(w->caller->user, progress);
  return !w->stopped && progress->iterations < w->most && !is_slow(w, progress);
}

static void pass_on(void *user, stc_log_level level, const char *text) {
  const stc_watch *w = user;
  w->caller->log(w->caller->user, level, text);
}

static stc_settings settings_of(const stc_world *world) {
  stc_settings settings = world->settings.solver;
  settings.tol = world->settings.tol;
  settings.threads = world->settings.threads;
  settings.regions = 1;  // a step allocates as it grows
  return settings;
}

/// The settings of a method under the watch, which is as new.
static stc_settings settings_under(const stc_world *world, stc_watch *watch) {
  stc_settings settings = settings_of(world);
  *watch = (stc_watch){.caller = &world->settings.solver, .most = LONG_MAX};
  settings.progress = look;
  settings.log = settings.log ? pass_on : NULL;
  settings.user = watch;
  return settings;
}

static stc_error setup_quick(const stc_world *world, stc_solvers *s) {
  if (s->quick) return STC_OK;
  stc_settings settings = settings_under(world, &s->watch);
  settings.method = "nsgs";
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

/// The same under the watch: the status says whether more may help.
static stc_error run_under(stc_world *world, const stc_watch *watch, stc_solver *solver,
                           stc_world_report *report) {
  STC_TRY(run(world, solver, report));
  if (report->status == STC_STATUS_INTERRUPTED && !watch->stopped)
    report->status = STC_STATUS_MAX_ITERATIONS;
  return STC_OK;
}

/// At most about so many sweeps.
static stc_error sweep(stc_world *world, stc_solvers *s, long most, stc_world_report *report) {
  s->watch.most = most;
  return run_under(world, &s->watch, s->quick, report);
}

static bool is_over(const stc_world_report *report) {
  return report->status != STC_STATUS_MAX_ITERATIONS && report->status != STC_STATUS_STALLED;
}

static size_t bytes_of(const stc_world *world) {
  return (size_t)world->count * (size_t)world->dim * sizeof(double);
}

/// Keeps the impulses aside, or takes them back.
static stc_error keep(stc_world *world) {
  STC_TRY(stc_pool_grow(&world->kept_r, bytes_of(world), 1, 0));
  memcpy(world->kept_r.data, STC_ROW(world, STC_ROW_R), bytes_of(world));
  return STC_OK;
}

static void take_back(stc_world *world) {
  memcpy(STC_ROW(world, STC_ROW_R), world->kept_r.data, bytes_of(world));
}

/// The same around several methods: the better ones of two are kept, with the u and l they have.
static stc_error keep_best(stc_world *world) {
  STC_TRY(stc_pool_grow(&world->best_r, bytes_of(world), 1, 0));
  memcpy(world->best_r.data, STC_ROW(world, STC_ROW_R), bytes_of(world));
  return STC_OK;
}

static stc_error keep_better(stc_world *world, const stc_world_report *before,
                             stc_world_report *report) {
  if (report->status == STC_STATUS_SOLVED || report->eta <= before->eta) return STC_OK;
  memcpy(STC_ROW(world, STC_ROW_R), world->best_r.data, bytes_of(world));
  *report = *before;
  return stc_problem_complete(
      world->problem, &(stc_solution){.r = STC_ROW(world, STC_ROW_R),
                                      .u = STC_ROW(world, STC_ROW_AFTER),
                                      .l = world->equalities ? world->multiplier.data : NULL});
}

static int turns_ahead(const stc_world *world) {
  double size = world->count / AHEAD_UNIT;
  return (int)fmin(fmax(size * size, LEAST_AHEAD), MOST_AHEAD);
}

/// Takes what sweeps and clusters of contacts by turns find.
static stc_error try_turns(stc_world *world, stc_solvers *s, stc_world_report *report) {
  stc_settings settings = settings_of(world);
  settings.method = "schwarz";
  settings.schwarz.ahead = turns_ahead(world);
  if (!s->turns) STC_TRY(stc_solver_setup(&s->turns, world->problem, &settings));
  return run(world, s->turns, report);
}

/// Runs the method of a stage, unless it does not serve the laws or finds no memory; the status is
/// solved where the tolerance of the step is met.
static stc_error run_stage(stc_world *world, const stage *now, stc_world_report *report) {
  stc_watch watch;
  stc_settings settings = settings_under(world, &watch);
  stc_solver *solver = NULL;
  watch.patience = now->patience;
  watch.gain = now->gain;
  settings.method = now->method;
  settings.tol *= now->aim;
  settings.max_iterations = now->most;
  settings.newton.memory_limit =
      fmin(settings.newton.memory_limit, FACTORS * world->count + FACTORS_ANYWAY);
  stc_error error = stc_solver_setup(&solver, world->problem, &settings);
  if (error == STC_ERR_UNSUPPORTED || error == STC_ERR_MEMORY) return STC_OK;
  if (!error) error = run_under(world, &watch, solver, report);
  stc_solver_free(&solver);
  bool met = fmax(report->eta, report->fclib_error) <= world->settings.tol;
  if (report->status == STC_STATUS_SOLVED && !met) report->status = STC_STATUS_STALLED;
  return error;
}

/// Whether no stage need follow: in a large flow eta is to meet `tol`, not fclib_error.
static bool is_done(const stc_world *world, const stc_world_report *report) {
  bool large = world->count > SMALL && report->accepted;
  return is_over(report) || (large && report->eta <= world->settings.tol);
}

static stc_error try_stage(stc_world *world, const stage *now, stc_world_report *report) {
  stc_world_report before = *report;
  STC_TRY(keep(world));
  STC_TRY(run_stage(world, now, report));
  if (!now->whole || is_done(world, report)) return STC_OK;
  take_back(world);
  *report = before;
  return STC_OK;
}

/// Whether the laws are cones that the interior point knows.
static bool has_interior(const stc_world *world) {
  return world->dim <= 3 && !(world->settings.plane && world->dim == 3);
}

/// The composite method from nothing; what it finds is taken where it is better.
static stc_error try_full(stc_world *world, stc_solvers *s, stc_world_report *report) {
  stc_world_report before = *report;
  STC_TRY(setup_full(world, s));
  STC_TRY(keep_best(world));
  memset(STC_ROW(world, STC_ROW_R), 0, bytes_of(world));
  STC_TRY(run(world, s->full, report));
  return report->status == STC_STATUS_INTERRUPTED ? STC_OK : keep_better(world, &before, report);
}

/// Sweeps and clusters by turns, and what follows them.
static stc_error try_packing(stc_world *world, stc_solvers *s, stc_world_report *report) {
  STC_TRY(try_turns(world, s, report));
  for (int k = 0; k < STAGES && !is_done(world, report); k++)
    STC_TRY(try_stage(world, &after_turns[k], report));
  return STC_OK;
}

/// What the composite method left is tried as a packing, and by sweeps for as long as it takes.
static stc_error try_again(stc_world *world, stc_solvers *s, stc_world_report *report) {
  stc_world_report before = *report;
  STC_TRY(keep_best(world));
  STC_TRY(try_packing(world, s, report));
  if (!is_over(report) && !report->accepted) {
    STC_TRY(setup_quick(world, s));
    STC_TRY(sweep(world, s, LAST, report));
  }
  return report->status == STC_STATUS_INTERRUPTED ? STC_OK : keep_better(world, &before, report);
}

static bool is_redundant(const stc_world *world) {
  return (double)world->count * world->dim > REDUNDANT * world->dofs;
}

/// Takes what the interior point finds where that is better.
static stc_error try_interior(stc_world *world, stc_solvers *s, stc_world_report *report) {
  stc_settings settings = settings_of(world);
  stc_world_report before = *report;
  settings.method = "ipm";
  settings.max_iterations = INTERIOR_STEPS;
  if (!s->interior) STC_TRY(stc_solver_setup(&s->interior, world->problem, &settings));
  STC_TRY(keep_best(world));
  STC_TRY(run(world, s->interior, report));
  return report->status == STC_STATUS_INTERRUPTED ? STC_OK : keep_better(world, &before, report);
}

/// Sweeps from the impulses remembered; in small packings then the interior point.
static stc_error sweep_first(stc_world *world, stc_solvers *s, stc_world_report *report) {
  STC_TRY(setup_quick(world, s));
  STC_TRY(sweep(world, s, is_redundant(world) ? FEW_SWEEPS : SWEEPS, report));
  bool over = is_over(report) || is_redundant(world) || !has_interior(world);
  return over || world->count > SMALL ? STC_OK : try_interior(world, s, report);
}

/// What is near the last step takes some sweeps; else the composite method begins from nothing, so
/// that a step never does worse than it. Large packings are solved by what suits them before, and
/// taken as they are where the step would be accepted.
stc_error stc_solvers_run(stc_world *world, stc_solvers *s, stc_world_report *report) {
  const char *method = world->settings.solver.method;
  if (world->count == 0 || (method && strcmp(method, "auto") != 0)) {
    STC_TRY(setup_full(world, s));
    return run(world, s->full, report);
  }
  bool large = world->count > SMALL && !is_redundant(world);
  report->status = STC_STATUS_STALLED;
  STC_TRY(large ? try_packing(world, s, report) : sweep_first(world, s, report));
  if (is_over(report) || (large && report->accepted)) return STC_OK;
  STC_TRY(try_full(world, s, report));
  return is_over(report) || report->accepted ? STC_OK : try_again(world, s, report);
}

stc_error stc_solvers_sharpen(stc_world *world, stc_world_report *report) {
  bool newton = world->count <= SMALL && has_interior(world);
  stc_watch watch;
  stc_settings settings = settings_under(world, &watch);
  stc_world_report before = *report;
  stc_solver *solver = NULL;
  watch.most = newton ? NEWTON_STEPS : SWEEPS;
  settings.method = newton ? "newton" : "nsgs";
  settings.tol = STC_SHARP;
  STC_TRY(keep(world));
  STC_TRY(stc_solver_setup(&solver, world->problem, &settings));
  stc_error error = run_under(world, &watch, solver, report);
  stc_solver_free(&solver);
  if (!(report->eta < before.eta)) {
    take_back(world);
    report->eta = before.eta;
    report->fclib_error = before.fclib_error;
  }
  report->accepted = before.accepted;
  if (!watch.stopped) report->status = before.status;
  return error;
}
