// How the impulses of a step are found: by the strategy of `auto`, which is told that the start is
// the answer of the step before and which eta the step accepts.
#include "step_solver.h"

#include "../../solve/method.h"
#include "../../solve/settings.h"
#include "../joints/joint_acts.h"
#include "../step/step_problem.h"

static stc_settings settings_of(const stc_world *world) {
  stc_settings settings = world->settings.solver;
  settings.tol = world->settings.tol;
  settings.accept = world->settings.accept;
  settings.threads = world->settings.threads;
  settings.regions = 1;  // a step allocates as it grows
  settings.follows = 1;
  return settings;
}

static stc_error setup_step(stc_world *world, const stc_settings *settings, stc_solver **solver) {
  stc_sweep *sweep = world->sweeps ? world->sweep : NULL;
  if (world->direct)
    return stc_solver_setup_lent(&world->reduced, sweep, world->team, settings, solver);
  return stc_solver_setup(solver, world->problem, settings);
}

/// Solves the step's problem from STC_ROW_R and reports.
static stc_error solve_step(stc_world *world, stc_solver *solver, stc_world_report *report) {
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
  world->work += info.work;
  return STC_OK;
}

/// Whether something moves contacts or joints from outside, bodies bounce, or limits of joints are
/// near. Else w lies in the dual cones and velocity 0 keeps all contacts apart: nothing speaks
/// against an answer.
static bool is_forced(const stc_world *world) {
  const double *drive = STC_ROW(world, STC_ROW_DRIVE), *w = STC_ROW(world, STC_ROW_W),
               *driven = world->driven.data;
  for (int k = 0; k < world->count * world->dim; k++)
    if (drive[k] != 0 || w[k] < 0) return true;
  for (int k = 0; k < world->equalities; k++)
    if (driven[k] != 0) return true;
  return world->acts.pressed > 0;
}

// Impulses beyond this many times the momenta of a step are what a search for an answer that does
// not exist ends with: stacks a thousand high have less.
static const double OUT_OF_PROPORTION = 1e4;  // [bound]

/// Whether the impulses are larger than anything that moves explains; both in units of mass.
static bool is_out_of_proportion(const stc_world *world) {
  const double *r = STC_ROW(world, STC_ROW_R), *f = world->f.data;
  const double *drive = STC_ROW(world, STC_ROW_DRIVE);
  int width = stc_body_dofs(world), linear = world->settings.plane ? 2 : 3;
  double sum, loads, momentum = 0, mass = 0, fastest = stc_world_slow(world);
  stc_acts_compare(world, r + world->count * world->dim, &sum, &loads);
  for (int k = 0; k < world->count * world->dim; k++) fastest = fmax(fastest, fabs(drive[k]));
  for (int c = 0; c < world->count; c++) sum += r[c * world->dim];
  for (int b = 0; b < world->dofs / width; b++) {
    mass += ((const double *)world->mass.data)[b * width * width];
    for (int k = 0; k < linear; k++) momentum += fabs(f[b * width + k]);
  }
  return sum > OUT_OF_PROPORTION * (momentum + loads + mass * fastest);
}

/// Whether a step that ended at this eta is taken. Where bodies are forced, and eta tells nothing
/// any more or impulses are beyond all proportion, the criterion of existence decides; such
/// impulses are not taken above what a step accepts.
static bool is_taken(stc_world *world, double eta) {
  bool large = eta > world->settings.tol && is_out_of_proportion(world);
  if (!(large || eta > STC_MOST_RELAXED) || !is_forced(world)) return true;
  if (large && eta > world->settings.accept) return false;
  return stc_world_existence(world) == STC_VERDICT_EXISTS;
}

/// A step whose budget ended is taken as it is, unless it may have no answer.
static void relax(stc_world *world, stc_world_report *report) {
  bool ended = report->status == STC_STATUS_STALLED || report->status == STC_STATUS_MAX_ITERATIONS;
  if (!ended || world->settings.budget == 0 || !isfinite(report->eta)) return;
  report->accepted = is_taken(world, report->eta);
  if (report->accepted) report->status = STC_STATUS_RELAXED;
}

/// Three quarters of what is left, and a share for each of several attempts.
static double work_at_hand(const stc_world *world) {
  enum { ATTEMPTS = 16 };  // [bound]
  double left = world->work_limit - world->work;
  return isinf(left) ? 0 : fmax(0.75 * left, world->work_limit / ATTEMPTS);
}

/// Whether the start is the answer: nothing is set up then.
static stc_error judge_start(stc_world *world, stc_world_report *report, stc_residual *residual,
                             bool *solved) {
  const stc_settings *s = &world->settings.solver;
  STC_TRY(stc_step_judge(world, STC_ROW(world, STC_ROW_R), residual));
  *solved = fmax(residual->eta, residual->fclib_error) <= s->rule.aim * world->settings.tol;
  if (!*solved) return STC_OK;
  report->status = STC_STATUS_SOLVED;
  report->eta = residual->eta;
  report->fclib_error = residual->fclib_error;
  report->accepted = true;
  return STC_OK;
}

stc_error stc_step_solve(stc_world *world, stc_solver **solver, stc_world_report *report) {
  stc_settings settings = settings_of(world);
  bool solved = false, judged = world->direct && !world->cut_short;
  stc_residual residual;
  if (judged) STC_TRY(judge_start(world, report, &residual, &solved));
  if (solved) return STC_OK;
  if (world->direct) stc_solver_free(solver);  // its numbers are lent, and may have changed
  if (!*solver) STC_TRY(setup_step(world, &settings, solver));
  if (judged) stc_solver_take_judgement(*solver, stc_step_judged(world), &residual);
  if (world->direct && world->cut_short) stc_solver_trust(*solver);
  stc_solver_allow(*solver, work_at_hand(world));
  STC_TRY(solve_step(world, *solver, report));
  relax(world, report);
  return STC_OK;
}

/// Solves on from STC_ROW_R; what is not better, or out of all proportion, is taken back.
static stc_error sharpen_from(stc_world *world, stc_solver *solver, stc_world_report *report) {
  size_t bytes = (size_t)(world->count + world->acts.pressed) * (size_t)world->dim * sizeof(double);
  stc_world_report before = *report;
  STC_TRY(stc_pool_grow(&world->kept_r, bytes, 1, 0));
  memcpy(world->kept_r.data, STC_ROW(world, STC_ROW_R), bytes);
  stc_error error = solve_step(world, solver, report);
  bool sound = report->eta <= world->settings.tol || !is_out_of_proportion(world);
  if (!(report->eta < before.eta && sound)) {
    memcpy(STC_ROW(world, STC_ROW_R), world->kept_r.data, bytes);
    report->eta = before.eta;
    report->fclib_error = before.fclib_error;
  }
  report->accepted = before.accepted;
  if (report->status != STC_STATUS_INTERRUPTED) report->status = before.status;
  return error;
}

stc_error stc_step_sharpen(stc_world *world, stc_world_report *report) {
  // round cones are what Newton's method and the interior point serve
  bool newton = world->count <= world->settings.solver.part.most && stc_step_is_round(world);
  double left = world->work_limit - world->work;
  stc_settings settings = settings_of(world);
  stc_solver *solver = NULL;
  if (left <= 0) return STC_OK;
  settings.method = newton ? "newton" : "nsgs";
  settings.max_iterations = newton ? settings.strategy.steps : settings.strategy.look;
  settings.tol = STC_SHARP;
  settings.work = isinf(left) ? 0 : left;
  STC_TRY(setup_step(world, &settings, &solver));
  bool pays = stc_solver_affords(solver) >= settings.rule.steps;  // fewer lead nowhere
  stc_error error = pays ? sharpen_from(world, solver, report) : STC_OK;
  stc_solver_free(&solver);
  return error;
}
