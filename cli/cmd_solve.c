// stiction solve: solves a problem file, reports the residual, writes the answer.
#include <math.h>
#include <string.h>

#include "cli.h"

// What the progress callback needs.
typedef struct watcher {
  FILE *table;       // one line per iteration; or NULL
  bool line;         // a progress line on the terminal
  double last_line;  // when it was last written, s
  stc_progress row;  // the last one of the table
  bool quiet;
} watcher;

// A call of microseconds is timed as the fastest of several: the first one pays for the memory and
// the code that a fresh process touches. At least TIMED_CALLS, and more for as long as a short
// call.
static const double SHORT_CALL = 1e-3;  // s
enum { TIMED_CALLS = 5, MOST_CALLS = 100 };

// One solve and all that it holds.
typedef struct solve_job {
  cli_args args;
  stc_settings settings;
  const char *output;
  bool guess, cold, contacts, prove;
  const char *start;  // "cold", "guess", "solution"
  watcher watch;
  stc_solution solution;
  stc_solver *solver;
  stc_info info;
  double limit;  // s, from the start of the program on
  int calls;     // of the library; the times are those of the fastest
  cli_existence existence;
  bool examined;
} solve_job;

static const double LINE_INTERVAL = 0.1;  // s between progress lines: readable and cheap

// A long iteration is reported more than once.
static bool is_new(const watcher *w, const stc_progress *progress) {
  return isfinite(progress->eta) &&
         (progress->method != w->row.method || progress->iterations != w->row.iterations ||
          progress->eta != w->row.eta);
}

static void print_line(watcher *watch, const stc_progress *progress) {
  char line[100];
  if (progress->seconds - watch->last_line < LINE_INTERVAL) return;
  watch->last_line = progress->seconds;
  snprintf(line, sizeof line, "%s: iteration %ld, eta %.1e (best %.1e), %.1f s", progress->method,
           progress->iterations, progress->eta, progress->best_eta, progress->seconds);
  cli_progress(line);
}

static bool on_iteration(void *user, const stc_progress *progress) {
  watcher *w = user;
  if (w->table && is_new(w, progress)) {
    fprintf(w->table, "%9ld  %-12s  %9.3e  %9.3e  %9.3f\n", progress->iterations, progress->method,
            progress->eta, progress->fclib_error, progress->seconds);
    w->row = *progress;
  }
  if (w->line) print_line(w, progress);
  bool table_lost = w->table && ferror(w->table);
  return !cli_interrupted() && !table_lost;
}

static void on_log(void *user, stc_log_level level, const char *message) {
  const watcher *w = user;
  if (level == STC_LOG_WARNING && !w->quiet) cli_note("%s", message);
  if (level == STC_LOG_INFO) cli_detail("%s", message);
}

#define JOB solve_job
static const cli_option options[] = {
    OPTION_TEXT('m', "method", "NAME", "method; see 'stiction list methods'", settings.method),
    OPTION_SETTING('t', "tol", "T", "eta and fclib_error to reach", settings, "tol"),
    OPTION_SETTING(0, "max-iter", "N", "most iterations", settings, "max_iterations"),
    OPTION_SETTING(0, "time-limit", "S", "most seconds", settings, "time_limit"),
    OPTION_SETTING('j', "threads", "N", "threads; the answer does not depend on them", settings,
                   "threads"),
    OPTION_ASSIGN(settings),
    OPTION_FLAG(0, "guess", "start from the guess, else the solution, in FILE", guess),
    OPTION_FLAG(0, "cold", "start from zero (the default)", cold),
    OPTION_FLAG(0, "contacts", "report contact by contact", contacts),
    OPTION_FLAG(0, "prove", "prove existence also where a solution is found", prove),
    OPTION_TEXT('o', "output", "OUT", "write problem and answer as an FCLIB file", output)};

// The start: zeros, or with --guess the first guess of the file, else its solution.
static int make_start(solve_job *job, stc_solution *solution) {
  const cli_file *file = &job->args.file;
  CLI_TRY(cli_solution_make(file->problem, solution));
  job->start = "cold";
  if (!job->guess) return CLI_DONE;
  bool has_guess = file->guess_count > 0 && file->guesses[0].r;
  const double *r = has_guess ? file->guesses[0].r : file->solution.r;
  if (!r)
    return cli_complain("%s: holds no guess and no solution; solve without --guess", file->path);
  job->start = has_guess ? "guess" : "solution";
  memcpy(solution->r, r, (size_t)stc_problem_size(file->problem) * sizeof *r);
  return CLI_DONE;
}

static void start_watching(solve_job *job) {
  watcher *w = &job->watch;
  w->quiet = job->args.quiet;
  if (job->args.verbose) w->table = job->args.json ? stderr : stdout;
  w->line = !w->quiet && !w->table && cli_has_progress();
  job->settings.progress = on_iteration;
  job->settings.log = on_log;
  job->settings.log_level = job->args.verbose ? STC_LOG_DEBUG : STC_LOG_WARNING;
  job->settings.user = w;
  if (w->table) {
    setvbuf(w->table, NULL, _IOLBF, 0);  // a table in a pipe is read while it grows
    fprintf(w->table, "%9s  %-12s  %9s  %9s  %9s\n", "iteration", "method", "eta", "fclib", "s");
  }
  cli_catch_interrupts(w->quiet ? NULL : "stopping with the best iterate");
}

static stc_error call(const solve_job *job, stc_solver **solver, stc_solution *solution,
                      stc_info *info) {
  stc_error error = stc_solver_setup(solver, job->args.file.problem, &job->settings);
  return error ? error : stc_solver_solve(*solver, solution, info);
}

// The same call again, for its time only: the answer has the same bits.
static double time_again(solve_job *job) {
  stc_solver *solver = NULL;
  stc_solution solution = {0};
  stc_info info = {0}, *best = &job->info;
  bool done = !make_start(job, &solution) && !call(job, &solver, &solution, &info);
  if (done && info.setup_seconds + info.solve_seconds < best->setup_seconds + best->solve_seconds) {
    best->setup_seconds = info.setup_seconds;
    best->solve_seconds = info.solve_seconds;
  }
  stc_solver_free(&solver);
  cli_solution_drop(&solution);
  return info.setup_seconds + info.solve_seconds;
}

static int solve_problem(solve_job *job) {
  const stc_info *info = &job->info;
  start_watching(job);
  job->limit = job->settings.time_limit;
  job->settings.time_limit = cli_seconds_left(job->limit);
  stc_error error = call(job, &job->solver, &job->solution, &job->info);
  cli_progress_clear();
  if (job->watch.table) fputc('\n', job->watch.table);
  CLI_TRY(cli_check(error));
  double spent = info->setup_seconds + info->solve_seconds;
  bool is_short = spent < SHORT_CALL && !job->watch.table;
  int most = is_short ? MOST_CALLS : 1;
  for (job->calls = 1; job->calls < most; job->calls++) {
    if (job->calls >= TIMED_CALLS && spent > SHORT_CALL) break;
    spent += time_again(job);
  }
  return CLI_DONE;
}

// Where a solve was stopped the judge, which sets the problem up again, may take longer than it
// did.
static bool has_no_time_for_judge(const stc_info *info) {
  static const double QUICK = 0.05;  // s
  bool stopped = info->status == STC_STATUS_TIME_LIMIT || info->status == STC_STATUS_INTERRUPTED;
  return stopped && (info->setup_seconds > QUICK || !isfinite(info->residual.eta));
}

// The numbers of the report are those of the judge, who sees r, u, v and l as they are written; he
// has the last word on "solved". Without him they are the solver's, which knows r and u only.
static int judge_answer(solve_job *job) {
  stc_info *info = &job->info;
  if (has_no_time_for_judge(info)) {
    info->residual.dynamics = info->residual.equality = NAN;
    job->contacts = false;
    return CLI_DONE;
  }
  CLI_TRY(cli_check(stc_problem_residual(job->args.file.problem, &job->solution, &info->residual)));
  bool solved = info->status == STC_STATUS_SOLVED;
  if (solved && !cli_within(&info->residual, job->settings.tol)) info->status = STC_STATUS_STALLED;
  return CLI_DONE;
}

// A solve that failed is decided where the problem is small, and explained where a proof is near at
// hand.
static void examine(solve_job *job) {
  stc_info *info = &job->info;
  bool solved = info->status == STC_STATUS_SOLVED;
  if ((solved && !job->prove) || info->status == STC_STATUS_INTERRUPTED) return;
  if (info->status == STC_STATUS_NO_SOLUTION) {  // immovable bodies that approach each other
    job->existence = (cli_existence){.verdict = STC_VERDICT_NO_SOLUTION};
    snprintf(job->existence.reason, sizeof job->existence.reason, "%s", info->reason);
    job->examined = true;
    return;
  }
  stc_settings rest = job->settings;
  rest.time_limit = cli_seconds_left(job->limit);
  if (rest.time_limit == 0) return;
  cli_decide(job->args.file.problem, &rest, &job->solution, info, &job->existence);
  job->examined = true;
}

static int report_solve(const solve_job *job) {
  cli_report report = {.stored = &job->args.file,
                       .start = job->start,
                       .output = job->output,
                       .existence = job->examined ? &job->existence : NULL,
                       .tol = job->settings.tol,
                       .info = job->info,
                       .calls = job->calls};
  return cli_report_show(&job->args, &report, job->solution.r, job->contacts);
}

static void begin_solve(void *user) {
  solve_job *job = user;
  job->settings = stc_default_settings();
  job->settings.regions = 1;
}

// A failed write is the end in JSON, where it was reported; in text what was found is still shown.
static int run_solve(void *user) {
  solve_job *job = user;
  cli_file *file = &job->args.file;
  const char *method = job->settings.method;
  if (job->guess && job->cold)
    return cli_misuse(&job->args, "options --guess and --cold exclude each other");
  if (method && !cli_known("method", method, stc_method_name)) return CLI_WRONG;
  if (job->output) CLI_TRY(cli_check_format(job->output, ".hdf5"));
  cli_alarm(job->settings.time_limit, CLI_NOT_CONVERGED,
            "the time limit was reached while the file was read");
  int status = cli_file_open(job->args.word[0], job->args.quiet, file);
  cli_alarm_off();
  CLI_TRY(status);
  CLI_TRY(make_start(job, &job->solution));
  CLI_TRY(solve_problem(job));
  CLI_TRY(judge_answer(job));
  examine(job);
  int written = job->output ? cli_write(file->problem, &job->solution, file->guesses,
                                        file->guess_count, job->output)
                            : CLI_DONE;
  if (written && job->args.json) return written;
  if (written) job->output = NULL;
  CLI_TRY(report_solve(job));
  return written ? written : cli_exit_status(job->info.status);
}

static void end_solve(void *user) {
  solve_job *job = user;
  stc_solver_free(&job->solver);
  cli_solution_drop(&job->solution);
}

COMMAND(solve, "FILE", 1, 1, "solve a problem and report the residual of the answer",
        "Solves the problem in FILE and reports how good the answer is. With -v, a table of\n"
        "the residual per iteration. Ctrl-C stops with the best iterate so far. If no solution\n"
        "is found, a short search tells whether there is one: see 'stiction certify'.",
        run_solve, begin_solve, end_solve, OPTIONS(options));
