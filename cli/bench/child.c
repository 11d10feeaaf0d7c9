// One solve in a process of its own: read, set up, solve, judge; the record goes through a pipe. A
// short run is repeated with a fresh solver and the least time counts.
#define _DEFAULT_SOURCE  // getrusage
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

static const double SHORT_RUN = 0.1;  // s; below it the clock and a cold cache are felt

typedef struct trial {
  const bench_task *task;
  const stc_settings *settings;
  stc_problem *problem;
  stc_solution solution;
  bench_result facts;  // of the problem; every run begins with them
  bench_result result;
  bench_history history, kept;  // of this run; of the one that counts
  double began;
  int runs;
} trial;

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static double children_seconds(void) {
  struct rusage usage = {0};
  getrusage(RUSAGE_CHILDREN, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

double bench_clock(bool processor) {
  struct timespec own = {0};
  if (!processor) return cli_seconds();
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  return (double)own.tv_sec + 1e-9 * (double)own.tv_nsec + children_seconds();
}

static double clock_of(const trial *t) { return bench_clock(t->task->processor); }

static void send_result(const trial *t) {
  const char *bytes = (const char *)&t->result;
  size_t left = sizeof t->result;
  while (left > 0) {
    ssize_t n = write(t->task->out, bytes, left);
    if (n < 0 && errno != EINTR) return;
    if (n <= 0) continue;
    bytes += n;
    left -= (size_t)n;
  }
}

_Noreturn static void finish_child(const trial *t) {
  if (t->task->history >= 0) bench_history_send(&t->kept, t->task->history);
  send_result(t);
  _exit(0);
}

_Noreturn static void refuse_problem(trial *t, const char *sentence) {
  t->result.outcome = BENCH_REFUSED;
  snprintf(t->result.note, sizeof t->result.note, "%s", sentence);
  finish_child(t);
}

_Noreturn static void refuse_error(trial *t, stc_error error) {
  const char *detail = stc_error_detail();
  refuse_problem(t, detail && *detail ? detail : stc_error_text(error));
}

static void describe_problem(trial *t) {
  t->result.form = (int)stc_problem_form(t->problem);
  t->result.dimension = stc_problem_dim(t->problem);
  t->result.contacts = stc_problem_contacts(t->problem);
  t->result.dofs = stc_problem_dofs(t->problem);
  const stc_problem *problem = t->problem;
  double greatest = 0;
  for (int c = 0; c < stc_problem_contacts(problem); c++) {
    const stc_law *law = stc_problem_law(problem, c);
    greatest = fmax(greatest, fmax(law->mu[0], law->dim == 3 ? law->mu[1] : 0));
  }
  t->result.mu_max = greatest;
  t->facts = t->result;
}

// The judge has the last word on "solved", and so has the limit: setup counts too.
static int outcome_of(const stc_info *info, const bench_result *run, const stc_settings *settings) {
  stc_residual judged = {.eta = run->eta, .fclib_error = run->fclib_error};
  if (info->status != STC_STATUS_SOLVED) return (int)info->status;
  if (!cli_within(&judged, settings->tol)) return STC_STATUS_STALLED;
  return run->seconds > settings->time_limit ? STC_STATUS_TIME_LIMIT : STC_STATUS_SOLVED;
}

static stc_error judge_answer(const trial *t, const stc_solution *answer, bench_result *run) {
  stc_residual residual;
  stc_error error = stc_problem_residual(t->problem, answer, &residual);
  if (error) return error;
  run->eta = residual.eta;
  run->eta_max = residual.eta_max;
  run->fclib_error = residual.fclib_error;
  return STC_OK;
}

static stc_error judge_run(trial *t, const stc_info *info, bench_result *run) {
  stc_error error = judge_answer(t, &t->solution, run);
  if (error) return error;
  run->iterations = info->iterations;
  run->seconds = run->setup_seconds + run->solve_seconds;
  run->outcome = outcome_of(info, run, t->settings);
  // What `auto` ran, and why it ended.
  const char *method = t->settings->method;
  bool other = strcmp(info->method, method) != 0;
  bool both = other && *info->reason;
  snprintf(run->note, sizeof run->note, "%s%s%s", other ? info->method : "", both ? "; " : "",
           info->reason);
  return STC_OK;
}

// ---- history

static bool note_progress(void *user, const stc_progress *progress) {
  trial *t = user;
  bench_history_add(&t->history, &(bench_point){.iterations = progress->iterations,
                                                .seconds = clock_of(t) - t->began,
                                                .eta = progress->eta,
                                                .fclib_error = progress->fclib_error});
  return true;
}

static void begin_history(trial *t, stc_settings *settings) {
  t->history.count = 0;
  t->history.next = 0;
  t->began = clock_of(t);
  if (t->task->history < 0) return;
  settings->progress = note_progress;
  settings->user = t;
}

static void end_history(trial *t, const bench_result *run) {
  if (t->task->history < 0 || isnan(run->eta)) return;
  bench_history_end(&t->history, &(bench_point){.iterations = run->iterations,
                                                .seconds = run->seconds,
                                                .eta = run->eta,
                                                .fclib_error = run->fclib_error});
}

// The run counts, and so does its history.
static void keep_run(trial *t, const bench_result *run) {
  bench_history last = t->kept;
  t->result = *run;
  t->kept = t->history;
  t->history = last;
}

// One run from zero with a fresh solver.
static stc_error run_once(trial *t, bench_result *run) {
  stc_solver *solver = NULL;
  stc_info info;
  stc_settings settings = *t->settings;
  memset(t->solution.r, 0, (size_t)stc_problem_size(t->problem) * sizeof(double));
  *run = t->facts;
  begin_history(t, &settings);
  stc_error error = stc_solver_setup(&solver, t->problem, &settings);
  double ready = clock_of(t);
  if (!error) error = stc_solver_solve(solver, &t->solution, &info);
  run->setup_seconds = ready - t->began;
  run->solve_seconds = clock_of(t) - ready;
  stc_solver_free(&solver);
  return error ? error : judge_run(t, &info, run);
}

// ---- externals

static stc_error run_external(trial *t, bench_result *run) {
  char out[BENCH_PATH];
  *run = t->facts;
  t->history.count = 0;
  t->began = clock_of(t);
  bench_external_run(t->task->external, t->task->directory, t->runs, t->settings, out, run);
  run->seconds = clock_of(t) - t->began;
  if (run->outcome == BENCH_PENDING) {
    // What an external wrote is a file like any other: it may hold anything. Of an answer the
    // reactions count alone.
    stc_solution answer = {0};
    stc_error error = stc_solution_read(out, t->problem, &answer);
    if (!error && answer.r) error = judge_answer(t, &(stc_solution){.r = answer.r}, run);
    stc_residual judged = {.eta = run->eta, .fclib_error = run->fclib_error};
    run->outcome = error || !answer.r                       ? BENCH_REFUSED
                   : !cli_within(&judged, t->settings->tol) ? BENCH_INACCURATE
                   : run->seconds > t->settings->time_limit ? (int)STC_STATUS_TIME_LIMIT
                                                            : (int)STC_STATUS_SOLVED;
    if (error) snprintf(run->note, sizeof run->note, "its answer: %s", stc_error_detail());
    if (!error && !answer.r) snprintf(run->note, sizeof run->note, "it wrote a file without r");
    stc_solution_free(&answer);
  }
  return STC_OK;
}

// ---- repeated runs

// Repeated runs together take no longer than one may. An external that fails once has failed.
static void measure_runs(trial *t, int repeat) {
  double spent = 0;
  for (int k = 0; k < repeat; k++) {
    bench_result run;
    t->runs = k;
    stc_error error = t->task->external ? run_external(t, &run) : run_once(t, &run);
    if (error) refuse_error(t, error);
    bool failed = t->task->external && run.outcome != STC_STATUS_SOLVED;
    end_history(t, &run);
    if (k == 0 || failed || run.seconds < t->result.seconds) keep_run(t, &run);
    spent += run.seconds;
    if (failed || run.seconds >= SHORT_RUN || spent >= t->settings->time_limit) return;
  }
}

void bench_child(const bench_task *task) {
  trial t = {.task = task, .settings = task->settings, .result = bench_blank()};
  stc_error error = stc_problem_read(task->path, &t.problem);
  if (error) refuse_error(&t, error);
  describe_problem(&t);
  if (task->external) error = bench_external_prepare(t.problem, task->directory);
  if (error) refuse_error(&t, error);
  send_result(&t);
  size_t size = (size_t)stc_problem_size(t.problem) + 1;  // one more: never 0 bytes
  t.solution.r = calloc(size, sizeof(double));
  t.solution.u = calloc(size, sizeof(double));
  if (!t.solution.r || !t.solution.u) refuse_problem(&t, "out of memory for the solution");
  measure_runs(&t, task->repeat);
  finish_child(&t);
}
