// The driver: owns the loop, the judge, the clock, the limits, the best iterate and the verdict.
#include "method.h"

#include "../base/clock.h"
#include "../base/fail.h"
#include "settings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The loop aims a little below the tolerance, so that another judge's rounding does not disagree.
static const double AIM = 0.8;

static const char *const status_names[] = {
    [STC_STATUS_SOLVED] = "solved",           [STC_STATUS_MAX_ITERATIONS] = "max_iterations",
    [STC_STATUS_TIME_LIMIT] = "time_limit",   [STC_STATUS_STALLED] = "stalled",
    [STC_STATUS_NO_SOLUTION] = "no_solution", [STC_STATUS_INTERRUPTED] = "interrupted"};

const char *stc_status_name(stc_status status) {
  bool known = (int)status >= 0 && status <= STC_STATUS_INTERRUPTED;
  return known ? status_names[status] : "unknown";
}

void stc_solver_log(const stc_solver *solver, stc_log_level level, const char *format, ...) {
  if (!solver->settings.log) return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  solver->settings.log(solver->settings.user, level, text);
}

void stc_solver_judge(stc_solver *s) {
  stc_reduced_residual(s->problem, s->r, s->work, s->u, &s->residual);
  s->merit = fmax(s->residual.eta, s->residual.fclib_error);
  if (!(s->merit < s->best_merit)) return;
  s->best_merit = s->merit;
  s->best_residual = s->residual;
  memcpy(s->best, s->r, (size_t)s->problem->size * sizeof *s->r);
}

// ---- the loop ----

static stc_solver *top_of(stc_solver *s) {
  while (s->parent) s = s->parent;
  return s;
}

// One refusal of the progress callback stops the solver and every member of it.
static bool told_to_stop(stc_solver *s) {
  stc_solver *top = top_of(s);
  if (!s->settings.progress || top->interrupted) return top->interrupted;
  stc_progress progress = {.method = s->method->name,
                           .iterations = top == s ? s->iterations : top->iterations + s->iterations,
                           .eta = s->residual.eta,
                           .best_eta = fmin(s->best_residual.eta, top->best_residual.eta),
                           .fclib_error = s->residual.fclib_error,
                           .seconds = stc_clock() - top->began};
  top->interrupted = !s->settings.progress(s->settings.user, &progress);
  return top->interrupted;
}

// True when the loop must end; sets the status.
static bool finished(stc_solver *s) {
  if (s->best_merit <= AIM * s->settings.tol)
    s->status = STC_STATUS_SOLVED;
  else if (told_to_stop(s))
    s->status = STC_STATUS_INTERRUPTED;
  else if (s->iterations >= s->limit)
    s->status = STC_STATUS_MAX_ITERATIONS;
  else if (stc_clock() >= s->deadline)
    s->status = STC_STATUS_TIME_LIMIT;
  else
    return false;
  return true;
}

static void use_best(stc_solver *s) {
  memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
  s->residual = s->best_residual;
  s->merit = s->best_merit;
  if (s->best_merit <= s->settings.tol) s->status = STC_STATUS_SOLVED;
}

void stc_solver_drive(stc_solver *s, long limit, double deadline) {
  s->iterations = s->done = 0;
  s->limit = limit;
  s->deadline = deadline;
  s->best_merit = INFINITY;
  s->best_residual = (stc_residual){.eta = INFINITY, .fclib_error = INFINITY, .worst_contact = -1};
  stc_solver_judge(s);
  bool over = finished(s);
  if (!over) s->method->start(s, s->state);
  while (!over) {
    stc_step step = s->method->iterate(s, s->state);
    s->iterations += s->done;
    stc_solver_judge(s);
    over = finished(s);
    if (!over && step == STC_STEP_STALLED) {
      s->status = STC_STATUS_STALLED;
      over = true;
    }
  }
  use_best(s);
}

// ---- public ----

static stc_error allocate(stc_solver *s) {
  const stc_reduced *p = s->problem;
  s->r = STC_TAKE_RAW(&s->arena, double, p->size);
  s->u = STC_TAKE_RAW(&s->arena, double, p->size);
  s->best = STC_TAKE_RAW(&s->arena, double, p->size);
  s->work = STC_TAKE_RAW(&s->arena, double, p->scratch);
  return stc_arena_check(&s->arena);
}

stc_error stc_solver_share_jacobian(stc_solver *s, stc_jacobian **jacobian) {
  stc_solver *top = top_of(s);
  if (!top->jacobian) {
    stc_jacobian *made = STC_TAKE(&top->arena, stc_jacobian, 1);
    STC_TRY(stc_arena_check(&top->arena));
    STC_TRY(stc_jacobian_create(&top->arena, s->problem, s->settings.newton.condensed,
                                s->settings.newton.memory_limit, made));
    top->jacobian = made;
    if (s->settings.threads > 1) STC_TRY(stc_team_create(s->settings.threads, &top->team));
    stc_lu_set_team(made->lu, top->team);
  }
  *jacobian = top->jacobian;
  return STC_OK;
}

stc_error stc_solver_share_sweep(stc_solver *s, stc_sweep **sweep) {
  stc_solver *top = top_of(s);
  if (!top->sweep) {
    stc_sweep *made = STC_TAKE(&top->arena, stc_sweep, 1);
    STC_TRY(stc_arena_check(&top->arena));
    STC_TRY(stc_sweep_create(&top->arena, s->problem, s->settings.nsgs.matrix_free, made));
    made->omega = s->settings.nsgs.omega;
    top->sweep = made;
  }
  *sweep = top->sweep;
  return STC_OK;
}

static stc_error choose_method(stc_solver *s) {
  const char *name = s->settings.method ? s->settings.method : "auto";
  s->method = stc_method_find(name);
  if (s->method) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "there is no method '%s'; `stiction list methods` shows all",
                  name);
}

static stc_error prepare(stc_solver *s, const stc_problem *problem) {
  STC_TRY(stc_settings_check(&s->settings));
  STC_TRY(choose_method(s));
  if (!s->problem) STC_TRY(stc_reduced_create(problem, &s->problem));
  STC_TRY(allocate(s));
  return s->method->setup(s, &s->state);
}

static stc_error setup(stc_solver **solver, const stc_problem *problem, stc_solver *parent,
                       const stc_settings *settings) {
  double began = stc_clock();
  *solver = stc_calloc(1, sizeof **solver);
  if (!*solver) return stc_fail(STC_ERR_MEMORY, "out of memory");
  (*solver)->settings = *settings;
  (*solver)->parent = parent;
  (*solver)->problem = parent ? parent->problem : NULL;
  (*solver)->owns_problem = !parent;
  stc_error error = prepare(*solver, problem);
  (*solver)->setup_seconds = stc_clock() - began;
  if (error) stc_solver_free(solver);
  return error;
}

stc_error stc_solver_setup(stc_solver **solver, const stc_problem *problem,
                           const stc_settings *settings) {
  if (!solver || !problem || !settings)
    return stc_fail(STC_ERR_ARGUMENT, "stc_solver_setup needs a solver, a problem and settings");
  return setup(solver, problem, NULL, settings);
}

stc_error stc_solver_setup_member(stc_solver *parent, const char *method, stc_solver **member) {
  stc_settings settings = parent->settings;
  settings.method = method;
  return setup(member, NULL, parent, &settings);
}

void stc_solver_free(stc_solver **solver) {
  if (!solver || !*solver) return;
  stc_solver *s = *solver;
  if (s->method && s->state) s->method->free(&s->state);
  if (s->jacobian) stc_jacobian_free(s->jacobian);
  stc_team_free(&s->team);
  if (s->owns_problem) stc_reduced_free(&s->problem);
  stc_arena_free(&s->arena);
  stc_release(solver);
}

// A contact whose row of W is zero keeps u = q whatever r: with q_N < 0 nothing can be a solution.
static bool proved_unsolvable(stc_solver *s) {
  const stc_reduced *p = s->problem;
  for (int c = 0; c < p->contacts; c++) {
    if (!p->immovable[c] || !(p->q[c * p->dim] < 0)) continue;
    snprintf(s->reason, sizeof s->reason,
             "contact %d is between immovable bodies that approach each other (u_N = %g)", c,
             p->q[c * p->dim] * p->scale_u);
    return true;
  }
  return false;
}

static stc_error take_start(stc_solver *s, const double *r) {
  for (int k = 0; k < s->problem->size; k++) {
    if (!isfinite(r[k]))
      return stc_fail(STC_ERR_VALUE,
                      "the start r[%d] (contact %d) is not finite; use 0 for a cold start", k,
                      k / s->problem->dim);
    s->r[k] = r[k] / s->problem->scale_r;
  }
  return STC_OK;
}

static stc_error give_answer(stc_solver *s, const stc_solution *solution) {
  const stc_reduced *p = s->problem;
  stc_reduced_velocity(p, s->r, s->work, s->u);
  for (int k = 0; k < p->size; k++) solution->r[k] = s->r[k] * p->scale_r;
  for (int k = 0; solution->u && k < p->size; k++) solution->u[k] = s->u[k] * p->scale_u;
  if (!solution->v && !solution->l) return STC_OK;
  return stc_reduced_recover(p, solution->r, solution->v, solution->l);
}

static void report(const stc_solver *s, stc_info *info) {
  *info = (stc_info){.status = s->status,
                     .iterations = s->iterations,
                     .residual = s->best_residual,
                     .setup_seconds = s->setup_seconds,
                     .solve_seconds = stc_clock() - s->began};
  snprintf(info->method, sizeof info->method, "%s", s->trail[0] ? s->trail : s->method->name);
  snprintf(info->reason, sizeof info->reason, "%s", s->reason);
}

stc_error stc_solver_solve(stc_solver *s, const stc_solution *solution, stc_info *info) {
  if (!s || !solution || (!solution->r && s->problem->size))
    return stc_fail(STC_ERR_ARGUMENT, "stc_solver_solve needs a solver and solution->r");
  s->began = stc_clock();
  s->trail[0] = s->reason[0] = '\0';
  s->interrupted = false;
  STC_TRY(take_start(s, solution->r));
  bool unsolvable = proved_unsolvable(s);
  stc_solver_drive(s, unsolvable ? 0 : s->settings.max_iterations,
                   s->began + s->settings.time_limit);
  if (unsolvable) s->status = STC_STATUS_NO_SOLUTION;
  STC_TRY(give_answer(s, solution));
  if (info) report(s, info);
  return STC_OK;
}

stc_error stc_solver_update(stc_solver *s, const stc_update *update) {
  if (!s || !update)
    return stc_fail(STC_ERR_ARGUMENT, "stc_solver_update needs a solver and numbers");
  STC_TRY(stc_reduced_update(s->problem, update));
  if (s->sweep) stc_sweep_refresh(s->sweep);
  return s->method->update(s, s->state);
}
