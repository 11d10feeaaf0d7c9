// The driver: owns the loop, the judge, the clock, the limits, the best iterate and the verdict.
#include "method.h"

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/number.h"
#include "append.h"
#include "settings.h"
#include "work.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static const char *const status_names[] = {[STC_STATUS_SOLVED] = "solved",
                                           [STC_STATUS_MAX_ITERATIONS] = "max_iterations",
                                           [STC_STATUS_TIME_LIMIT] = "time_limit",
                                           [STC_STATUS_STALLED] = "stalled",
                                           [STC_STATUS_NO_SOLUTION] = "no_solution",
                                           [STC_STATUS_INTERRUPTED] = "interrupted",
                                           [STC_STATUS_SOLVED_TO_TOLERANCE] = "solved_to_tolerance",
                                           [STC_STATUS_RELAXED] = "relaxed"};

const char *stc_status_name(stc_status status) {
  bool known = (int)status >= 0 && status <= STC_STATUS_RELAXED;
  return known ? status_names[status] : "unknown";
}

void stc_solver_log(const stc_solver *solver, stc_log_level level, const char *format, ...) {
  if (!solver->settings.log || level < solver->settings.log_level) return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  stc_vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  solver->settings.log(solver->settings.user, level, text);
}

void stc_solver_judge(stc_solver *s) {
  if (!s->adopted) stc_reduced_residual(s->problem, s->r, s->work, s->u, &s->residual);
  s->adopted = false;
  s->merit = fmax(s->residual.eta, s->residual.fclib_error);
  s->improved = s->merit < s->best_merit;
  if (!s->improved) return;
  s->best_merit = s->merit;
  s->best_residual = s->residual;
  stc_team_copy(s->problem->team, s->best, s->r, s->problem->size);
}

// ---- the loop ----

static stc_solver *top_of(stc_solver *s) {
  while (s->parent) s = s->parent;
  return s;
}

// The members that work on one problem share what they make of it.
static stc_solver *owner_of(stc_solver *s) {
  while (!s->owns_problem) s = s->parent;
  return s;
}

// Of this solver and of those it works for, which count theirs when they are done.
static long all_iterations(const stc_solver *s) {
  long sum = s->iterations;
  for (s = s->parent; s; s = s->parent) sum += s->iterations + s->done;
  return sum;
}

// One refusal of the progress callback stops the solver and every member of it.
static bool told_to_stop(stc_solver *s) {
  stc_solver *top = top_of(s);
  if (!s->settings.progress || top->interrupted) return top->interrupted;
  bool same = s->problem == top->problem;  // the residual of a part is not that of the whole
  const stc_residual *now = same ? &s->residual : &top->residual;
  double best = top->best_residual.eta;
  stc_progress progress = {.method = s->method->name,
                           .iterations = all_iterations(s),
                           .eta = now->eta,
                           .best_eta = same ? fmin(s->best_residual.eta, best) : best,
                           .fclib_error = now->fclib_error,
                           .seconds = stc_clock() - top->began};
  top->told = progress;
  top->interrupted = !s->settings.progress(s->settings.user, &progress);
  return top->interrupted;
}

// Stages that take long ask as well, and say again what the caller knows, but for the time.
static bool goes_on(void *user) {
  stc_solver *top = user;
  top->told.seconds = stc_clock() - top->began;
  if (!top->settings.progress(top->settings.user, &top->told)) top->interrupted = true;
  return !top->interrupted;
}

static void open_scope(stc_solver *s, double deadline, stc_stop *stop) {
  stc_stop_open(stop, deadline, s->settings.progress ? goes_on : NULL, s);
}

// The clock, and whatever ends this solve from outside.
static bool out_of_time(stc_solver *s) {
  stc_stop_reason reason = stc_stop_look();
  s->status = reason == STC_STOP_CALLER ? STC_STATUS_INTERRUPTED : STC_STATUS_TIME_LIMIT;
  return reason != STC_STOP_NOT;
}

// True when the loop must end; sets the status.
static bool finished(stc_solver *s) {
  if (s->best_merit <= fmax(s->settings.rule.aim * s->settings.tol, owner_of(s)->goal))
    s->status = STC_STATUS_SOLVED;
  else if (told_to_stop(s))
    s->status = STC_STATUS_INTERRUPTED;
  else if (s->iterations >= s->limit && !stc_stop_due(0))
    s->status = STC_STATUS_MAX_ITERATIONS;
  else
    return out_of_time(s);
  return true;
}

// Looks back every `patience.iterations`: at the iteration `since` the best merit was `merit`.
static bool too_slow(const stc_solver *s, long *since, double *merit) {
  if (s->patience.iterations == 0 || s->iterations - *since < s->patience.iterations) return false;
  bool slow = !(s->best_merit < s->patience.gain * *merit);
  *since = s->iterations;
  *merit = s->best_merit;
  return slow;
}

static void use_best(stc_solver *s) {
  memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
  s->residual = s->best_residual;
  s->merit = s->best_merit;
  if (s->best_merit <= s->settings.tol) s->status = STC_STATUS_SOLVED;
}

void stc_solver_adopt(const stc_solver *from, stc_solver *to) {
  size_t bytes = (size_t)from->problem->size * sizeof *from->r;
  memcpy(to->r, from->best, bytes);
  to->adopted = from->improved;
  if (!from->improved) return;
  memcpy(to->u, from->u, bytes);
  to->residual = from->best_residual;
}

// Iterates to the end, from the method's start or from where it is.
static void loop(stc_solver *s, bool from_start) {
  long since = s->iterations;
  double merit = s->best_merit;
  bool over = finished(s);
  if (!over && from_start) {
    s->method->start(s, s->state);
    over = stc_stop_due(0) && out_of_time(s);
  }
  while (!over) {
    stc_step step = s->method->iterate(s, s->state);
    if (step == STC_STEP_CUT) {
      s->done = 0;
      out_of_time(s);
      break;
    }
    s->iterations += s->done;
    if (step != STC_STEP_STALLED || s->done > 0) stc_solver_judge(s);  // else r is what it was
    over = finished(s);
    if (!over && (step == STC_STEP_STALLED || too_slow(s, &since, &merit))) {
      s->status = STC_STATUS_STALLED;
      over = true;
    }
  }
  use_best(s);
}

// A start that is not judged: the first iterate that is takes its place, whatever it is.
static void trust_start(stc_solver *s) {
  s->residual = s->best_residual;
  s->merit = INFINITY;
  s->improved = s->adopted = s->blind = false;
  stc_team_copy(s->problem->team, s->best, s->r, s->problem->size);
}

void stc_solver_drive(stc_solver *s, long limit) {
  s->iterations = s->done = 0;
  s->limit = limit;
  s->best_merit = INFINITY;
  s->best_residual = (stc_residual){.eta = INFINITY, .fclib_error = INFINITY, .worst_contact = -1};
  if (s->blind)
    trust_start(s);
  else
    stc_solver_judge(s);
  s->goal = isfinite(s->merit) ? s->gain * s->merit : 0;
  loop(s, true);
}

static long least(long a, long b) { return a < b ? a : b; }

void stc_solver_drive_member(stc_solver *s, stc_solver *m, const double *start, long limit) {
  if (start) {
    memcpy(m->r, start, (size_t)s->problem->size * sizeof *m->r);
    m->adopted = false;
  } else {
    stc_solver_adopt(s, m);
  }
  stc_solver_drive(m, least(limit, stc_solver_left(s)));
  stc_solver_adopt(m, s);
  s->done = m->iterations;
}

void stc_solver_resume_member(stc_solver *s, stc_solver *m, long limit) {
  long before = m->iterations;
  m->limit = before + least(limit, stc_solver_left(s));
  loop(m, false);
  stc_solver_adopt(m, s);
  s->done = m->iterations - before;
}

// ---- public ----

static stc_error allocate(stc_solver *s) {
  const stc_reduced *p = s->problem;
  double **vectors[] = {&s->r, &s->u, &s->best};
  STC_TAKE_VECTORS(s->arena, p->size, vectors);
  s->work = STC_TAKE_RAW(s->arena, double, p->scratch);
  return stc_arena_check(s->arena);
}

stc_error stc_solver_share_team(stc_solver *s, stc_team **team) {
  stc_solver *top = top_of(s);
  if (!top->team) STC_TRY(stc_team_create(top->settings.threads, &top->team));
  *team = top->team;
  return STC_OK;
}

stc_error stc_solver_share_jacobian(stc_solver *s, stc_jacobian **jacobian) {
  stc_solver *owner = owner_of(s);
  if (!owner->jacobian) {
    stc_jacobian *made = STC_TAKE(s->arena, stc_jacobian, 1);
    STC_TRY(stc_arena_check(s->arena));
    STC_TRY(stc_jacobian_create(s->arena, s->problem, s->settings.newton.condensed,
                                s->settings.newton.memory_limit, made));
    owner->jacobian = made;
    if (s->settings.threads > 1) {
      stc_team *team = NULL;
      STC_TRY(stc_solver_share_team(s, &team));
      stc_jacobian_set_team(made, team);
    }
  }
  *jacobian = owner->jacobian;
  return STC_OK;
}

stc_error stc_solver_share_sweep(stc_solver *s, stc_sweep **sweep) {
  stc_solver *owner = owner_of(s);
  if (!owner->sweep) {
    stc_sweep *made = STC_TAKE(s->arena, stc_sweep, 1);
    STC_TRY(stc_arena_check(s->arena));
    STC_TRY(stc_sweep_create(s->arena, s->problem, s->settings.nsgs.matrix_free, made));
    made->omega = s->settings.nsgs.omega;
    owner->sweep = made;
  }
  *sweep = owner->sweep;
  return STC_OK;
}

// The settings were checked: there is such a method.
static void choose_method(stc_solver *s) {
  if (!s->method) s->method = stc_method_find(s->settings.method ? s->settings.method : "auto");
}

// Methods that work in hat variables know cones { |D^-1 r_T| <= r_N } only.
static stc_error check_laws(const stc_solver *s) {
  if (!s->problem->any_law || s->method->any_law) return STC_OK;
  return stc_fail(STC_ERR_UNSUPPORTED,
                  "method '%s' serves the laws frictionless, coulomb and elliptic; with others use "
                  "auto, nsgs, newton, admm, apgd or schwarz",
                  s->method->name);
}

// The problem that the solver owns, with the team where it is one to cut into pieces.
static stc_error take_problem(stc_solver *s, const stc_problem *problem) {
  int contacts = s->problem ? s->problem->contacts : stc_problem_contacts(problem);
  bool large = stc_pieces_of(contacts, STC_PIECE_CONTACTS).count > 1;
  stc_team *team = NULL;
  if (large && s->settings.threads > 1) STC_TRY(stc_solver_share_team(s, &team));
  if (!s->problem) return stc_reduced_create_shared(problem, team, &s->problem);
  s->problem->team = team;
  return STC_OK;
}

static stc_error prepare_driver(stc_solver *s, const stc_problem *problem) {
  if (!s->parent) STC_TRY(stc_settings_check(&s->settings));
  choose_method(s);
  if (s->owns_problem) STC_TRY(take_problem(s, problem));
  STC_TRY(check_laws(s));
  STC_TRY(allocate(s));
  return s->method->setup(s, &s->state);
}

// `s` is full of zeros.
static void begin_solver(stc_solver *s, stc_solver *parent, stc_reduced *problem,
                         const stc_settings *settings) {
  s->settings = *settings;
  s->parent = parent;
  s->problem = problem;
  s->arena = parent ? parent->arena : &s->memory;
  s->owns_problem = !parent || parent->problem != problem;
}

// A member is part of its parent's arena, the outermost solver a block of its own.
static stc_solver *take_solver(stc_solver *parent, stc_reduced *problem,
                               const stc_settings *settings) {
  stc_solver *s = parent ? STC_TAKE(parent->arena, stc_solver, 1) : stc_calloc(1, sizeof *s);
  if (s) begin_solver(s, parent, problem, settings);
  return s;
}

static void release(stc_solver *s) {
  if (s->method && s->state && s->method->free) s->method->free(&s->state);
  if (s->owns_problem) {
    if (s->jacobian) stc_jacobian_free(s->jacobian);
    if (!s->borrows) stc_reduced_free(&s->problem);
  }
  if (s->parent) return;
  if (!s->borrows) stc_team_free(&s->team);
  stc_arena_free(&s->memory);
}

static stc_error setup_driver(stc_solver *s, const stc_problem *problem, stc_solver **solver) {
  *solver = s;
  if (!s) return stc_fail(STC_ERR_MEMORY, "out of memory for a solver");
  stc_error error = prepare_driver(s, problem);
  if (error) stc_solver_free(solver);
  return error;
}

// What a solver was given is all that a setup that was stopped leaves of it.
static void put_off(stc_solver *s, stc_stop_reason reason) {
  const stc_problem *problem = s->pending;
  stc_settings settings = s->settings;
  stc_progress told = s->told;
  release(s);
  memset(s, 0, sizeof *s);
  begin_solver(s, NULL, NULL, &settings);
  s->pending = problem;
  s->told = told;
  s->stopped = reason;
}

// Sets a solver up within its time limit. A stop is not an error: the next solve reports it.
static stc_error complete_setup(stc_solver *s) {
  stc_stop stop;
  double began = s->began = stc_clock();
  s->told = (stc_progress){.method = s->settings.method ? s->settings.method : "auto",
                           .eta = INFINITY,
                           .best_eta = INFINITY,
                           .fclib_error = INFINITY};
  open_scope(s, began + s->settings.time_limit, &stop);
  stc_error error = prepare_driver(s, s->pending);
  stc_stop_reason reason = stc_stop_close(&stop);
  if (reason) {
    put_off(s, reason);
    error = STC_OK;
  } else if (!error) {
    s->pending = NULL;
  }
  s->setup_seconds = s->charge = stc_clock() - began;
  return error;
}

stc_error stc_solver_setup(stc_solver **solver, const stc_problem *problem,
                           const stc_settings *settings) {
  if (!solver || !problem || !settings)
    return stc_fail(STC_ERR_ARGUMENT, "stc_solver_setup needs a solver, a problem and settings");
  stc_solver *s = *solver = take_solver(NULL, NULL, settings);
  if (!s) return stc_fail(STC_ERR_MEMORY, "out of memory");
  s->pending = problem;
  stc_error error = complete_setup(s);
  if (error) stc_solver_free(solver);
  return error;
}

// Vectors of a large problem for which the judge and the report need memory.
enum { SPARE_VECTORS = 24, LARGE_SPARE = 1 << 24 };  // [size]

static stc_error check_spare(const stc_solver *s) {
  size_t bytes = SPARE_VECTORS * (size_t)s->problem->size * sizeof(double);
  if (bytes < LARGE_SPARE || stc_memory_left(bytes)) return STC_OK;
  return stc_fail(STC_ERR_MEMORY,
                  "out of memory: less than the %zu MB that %d contacts need besides would be left",
                  bytes / 1000000, s->problem->contacts);
}

stc_error stc_solver_setup_member(stc_solver *parent, const stc_method *method,
                                  stc_solver **member) {
  stc_solver *owner = owner_of(parent);
  stc_arena before = *parent->arena;
  stc_jacobian *jacobian = owner->jacobian;
  stc_sweep *sweep = owner->sweep;
  stc_solver *s = take_solver(parent, parent->problem, &parent->settings);
  if (s) s->method = method;
  stc_error error = setup_driver(s, NULL, member);
  if (!error) {
    error = check_spare(parent);
    if (error) stc_solver_free(member);
  }
  if (!error) return STC_OK;
  if (owner->jacobian != jacobian) stc_jacobian_free(owner->jacobian);
  owner->jacobian = jacobian;
  owner->sweep = sweep;
  stc_arena_rewind(parent->arena, &before);  // what was taken before is good, and others may fit
  return error;
}

stc_error stc_solver_setup_part(stc_solver *parent, stc_reduced *part, const stc_settings *settings,
                                stc_solver **solver) {
  stc_solver *s = take_solver(parent, part, settings);
  if (!s) stc_reduced_free(&part);
  if (s) s->settings.follows = 0;
  return setup_driver(s, NULL, solver);
}

stc_error stc_solver_setup_apart(stc_reduced *part, const char *method,
                                 const stc_settings *of_whole, stc_solver **solver) {
  stc_settings settings = *of_whole;
  settings.method = method;
  settings.threads = 1;
  settings.follows = 0;
  settings.log = NULL;
  settings.progress = NULL;  // the scope of the solve that it works for asks the caller
  stc_solver *s = take_solver(NULL, part, &settings);
  if (s)
    s->apart = true;
  else
    stc_reduced_free(&part);
  return setup_driver(s, NULL, solver);
}

stc_error stc_solver_setup_lent(stc_reduced *problem, stc_sweep *sweep, stc_team *team,
                                const stc_settings *settings, stc_solver **solver) {
  STC_TRY(stc_reduced_count_blocks(problem));
  stc_solver *s = take_solver(NULL, problem, settings);
  if (s) s->borrows = true;
  if (s) s->team = team;
  if (s) s->sweep = sweep;
  return setup_driver(s, NULL, solver);
}

void stc_solver_allow(stc_solver *solver, double work) { solver->settings.work = work; }

void stc_solver_trust(stc_solver *s) { s->blind = true; }

void stc_solver_take_judgement(stc_solver *s, const double *u, const stc_residual *residual) {
  memcpy(s->u, u, (size_t)s->problem->size * sizeof *u);
  s->residual = *residual;
  s->adopted = true;
}

void stc_solver_free(stc_solver **solver) {
  if (!solver || !*solver) return;
  stc_solver *s = *solver;
  *solver = NULL;
  release(s);
  if (!s->parent) stc_release(&s);
}

// A contact that never moves keeps u_N = q_N whatever r: with q_N < 0 nothing can be a solution.
// The row of the problem itself is zero, not one that rounding leaves of what joints hold. Returns
// such a contact, or -1.
static int unsolvable_contact(const stc_reduced *p) {
  for (int c = 0; c < p->contacts; c++)
    if (p->immovable[c] && p->q[c * p->dim] < 0 && stc_problem_row_is_zero(p->problem, c * p->dim))
      return c;
  return -1;
}

static int size_of(const stc_solver *s) {
  return s->pending ? stc_problem_size(s->pending) : s->problem->size;
}

static stc_error take_start(stc_solver *s, const double *r) {
  for (int k = 0; k < s->problem->size; k++)
    if (!isfinite(r[k]))
      return stc_fail(STC_ERR_VALUE,
                      "the start r[%d] (contact %d) is not finite; use 0 for a cold start", k,
                      k / s->problem->dim);
  stc_reduced_scale_r(s->problem, r, s->r);
  return STC_OK;
}

static stc_error give_answer(stc_solver *s, const stc_solution *solution) {
  const stc_reduced *p = s->problem;
  if (!s->improved) stc_reduced_velocity(p, s->r, s->work, s->u);
  stc_reduced_unscale_r(p, s->r, solution->r);
  if (solution->u) stc_reduced_unscale_u(p, s->u, solution->u);
  if (!solution->v && !solution->l) return STC_OK;
  return stc_reduced_recover(p, solution->r, solution->v, solution->l);
}

static void report(const stc_solver *s, int unsolvable, stc_info *info) {
  *info = (stc_info){.status = s->status,
                     .iterations = s->iterations,
                     .residual = s->best_residual,
                     .setup_seconds = s->setup_seconds,
                     .solve_seconds = stc_clock() - s->began};
  if (s->method->describe && s->iterations > 0) {
    s->method->describe(s, s->state, info);
  } else {
    stc_words_add(info->method, sizeof info->method, s->method->name);
    if (s->iterations > 0)  // a method with factors analyses them for this
      info->work = (double)s->iterations * stc_work_iteration(s, s->method);
  }
  if (unsolvable < 0) return;
  stc_snprintf(info->reason, sizeof info->reason,
               "contact %d is between immovable bodies that approach each other (u_N = %g)",
               unsolvable, s->problem->q[unsolvable * s->problem->dim] * s->problem->scale_u);
}

static void zero(double *x, int count) {
  if (x && count > 0) memset(x, 0, (size_t)count * sizeof *x);
}

// Nothing is known of a problem whose setup was stopped: the start stays what it is.
static stc_error answer_late(stc_solver *s, const stc_solution *solution, stc_info *info) {
  bool asked = s->stopped == STC_STOP_CALLER;
  s->stopped = STC_STOP_NOT;
  zero(solution->u, stc_problem_size(s->pending));
  zero(solution->v, stc_problem_dofs(s->pending));
  zero(solution->l, stc_problem_equalities(s->pending));
  if (!info) return STC_OK;
  *info = (stc_info){.status = asked ? STC_STATUS_INTERRUPTED : STC_STATUS_TIME_LIMIT,
                     .residual = {.eta = INFINITY, .fclib_error = INFINITY, .worst_contact = -1},
                     .setup_seconds = s->setup_seconds,
                     .solve_seconds = stc_clock() - s->began};
  stc_words_add(info->method, sizeof info->method, s->told.method);
  stc_words_add(info->reason, sizeof info->reason, "stopped before the first iteration");
  return STC_OK;
}

// The time that setup took is part of the first solve's.
static double deadline_of(stc_solver *s) {
  double charge = s->charge;
  s->charge = 0;
  return stc_clock() + s->settings.time_limit - charge;
}

long stc_solver_affords(const stc_solver *s) {
  bool counts = s->settings.work > 0 && s->method != &stc_method_auto;
  long worth = counts ? stc_work_affords(s, s->method, s->settings.work) : LONG_MAX;
  return least(worth, s->settings.max_iterations);
}

stc_error stc_solver_solve(stc_solver *s, const stc_solution *solution, stc_info *info) {
  if (!s || !solution || (!solution->r && size_of(s)))
    return stc_fail(STC_ERR_ARGUMENT, "stc_solver_solve needs a solver and solution->r");
  s->interrupted = false;
  if (s->pending && !s->stopped) STC_TRY(complete_setup(s));
  s->began = stc_clock();
  if (s->pending) return answer_late(s, solution, info);
  STC_TRY(take_start(s, solution->r));
  int unsolvable = unsolvable_contact(s->problem);
  stc_stop stop;
  open_scope(s, deadline_of(s), &stop);
  stc_solver_drive(s, unsolvable >= 0 ? 0 : stc_solver_affords(s));
  stc_stop_close(&stop);
  if (unsolvable >= 0) s->status = STC_STATUS_NO_SOLUTION;
  STC_TRY(give_answer(s, solution));
  if (info) report(s, unsolvable, info);
  return STC_OK;
}

stc_error stc_solver_update(stc_solver *s, const stc_update *update) {
  if (!s || !update)
    return stc_fail(STC_ERR_ARGUMENT, "stc_solver_update needs a solver and numbers");
  if (s->pending) STC_TRY(complete_setup(s));
  if (s->pending)
    return stc_fail(STC_ERR_CALLBACK, "the setup was stopped again: the numbers are not taken");
  STC_TRY(stc_reduced_update(s->problem, update));
  if (s->sweep) stc_sweep_refresh(s->sweep);
  return s->method->update ? s->method->update(s, s->state) : STC_OK;
}
