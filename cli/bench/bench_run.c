// Runs what is pending, each solve in a child process with a limit on its life, and collects what
// the children send. A child that hangs is killed, one that dies is noted; neither spoils the rest.
#define _DEFAULT_SOURCE  // wait4
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "bench.h"

// A solver looks at the clock between iterations, and its answer has to be judged: so much longer
// than the limit a child may live, s and relative to the limit.
static const double GRACE = 2, GRACE_PART = 0.1;
static const double TICK = 0.2;           // s between looks at the clock and at signals
static const double LINE_INTERVAL = 0.1;  // s between progress lines: readable and cheap

enum { RECORDS = 2 };  // what a child sends at most: the facts, the result

typedef struct worker {
  pid_t pid;  // 0: idle
  int in;     // the end of the pipe to read
  int problem, method;
  double started, deadline;  // s
  bool killed;
  char *directory;  // of an external, which has a group of processes; or NULL
  FILE *history;    // without a name; or NULL
  size_t got;       // bytes of `sent`
  bench_result sent[RECORDS];
} worker;

typedef struct bench_runner {
  bench_job *job;
  worker *workers;  // [job->jobs]
  struct pollfd *polled;
  int next;  // place of the next one to look at
  double began;
  double last_line;  // when the progress was last shown
  double *seconds;   // [methods] what solves of this run took
  int *count;        // [methods] and how many they were
  bool show;
} bench_runner;

// What could steer a terminal, or break a line.
static void blank_controls(char *text, char blank) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text)) *text = blank;
}

// ---- one child

static double life(const bench_job *job) {
  return job->settings.time_limit * (1 + GRACE_PART) + GRACE;
}

// The terminal sends an interruption to all; the parent decides. A child does not outlive it.
static void become_child(pid_t parent) {
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(1);
}

_Noreturn static void run_child(const bench_job *job, const worker *w, pid_t parent, int out) {
  stc_settings settings = job->settings;
  bench_task task = {.path = job->problems.name[w->problem],
                     .settings = &settings,
                     .repeat = job->repeat,
                     .external = bench_external_of(job, w->method),
                     .directory = w->directory,
                     .out = out,
                     .history = w->history ? fileno(w->history) : -1,
                     .processor = job->processor};
  settings.method = job->methods.name[w->method];
  if (task.external) setpgid(0, 0);
  become_child(parent);
  bench_child(&task);
}

static int fork_worker(const bench_job *job, worker *w) {
  int ends[2];
  pid_t parent = getpid();
  if (pipe(ends)) return cli_complain("cannot open a pipe: %s", strerror(errno));
  pid_t pid = fork();
  if (pid == 0) run_child(job, w, parent, ends[1]);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return cli_complain("cannot start a process: %s", strerror(errno));
  }
  if (w->directory) setpgid(pid, pid);  // parent or child, whichever is first
  w->pid = pid;
  w->in = ends[0];
  w->started = cli_seconds();
  w->deadline = w->started + life(job);
  return CLI_DONE;
}

static int start_worker(const bench_job *job, worker *w, int place) {
  *w = (worker){.problem = place / job->methods.count, .method = place % job->methods.count};
  if (bench_external_of(job, w->method)) CLI_TRY(bench_directory_make(&w->directory));
  if (job->history_of) w->history = tmpfile();
  if (job->history_of && !w->history)
    return cli_complain("no file for a history can be made: %s", strerror(errno));
  return fork_worker(job, w);
}

static void drop_files(worker *w) {
  bench_directory_remove(&w->directory);
  if (w->history) fclose(w->history);
  w->history = NULL;
}

// With all that an external has started.
static void kill_worker(const worker *w) {
  if (w->directory) kill(-w->pid, SIGKILL);
  kill(w->pid, SIGKILL);
}

// False at the end. The clock of the solve starts when the problem has been read.
static bool receive(const bench_runner *run, worker *w) {
  size_t room = sizeof w->sent - w->got;
  ssize_t n = read(w->in, (char *)w->sent + w->got, room ? room : 1);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  bool had_facts = w->got >= sizeof *w->sent;
  w->got += room ? (size_t)n : 0;
  if (!had_facts && w->got >= sizeof *w->sent) w->deadline = cli_seconds() + life(run->job);
  return true;
}

// In place of a result that did not come.
static void explain_missing(const worker *w, int end, bench_result *result) {
  result->seconds = cli_seconds() - w->started;
  result->outcome = w->killed ? BENCH_TIMEOUT : BENCH_CRASH;
  if (w->killed) {
    snprintf(result->note, sizeof result->note, "killed after %.1f s", result->seconds);
  } else if (WIFSIGNALED(end)) {
    snprintf(result->note, sizeof result->note, "signal %d: %s", WTERMSIG(end),
             strsignal(WTERMSIG(end)));
  } else {
    snprintf(result->note, sizeof result->note, "ended with exit status %d and no answer",
             WEXITSTATUS(end));
  }
}

static long peak_of(const struct rusage *usage) {
#ifdef __APPLE__
  return usage->ru_maxrss;
#else
  return usage->ru_maxrss * 1024;  // kilobytes
#endif
}

// What an external left running ends with it: until it is waited for, its group is its own.
static void reap(worker *w, int *end, struct rusage *usage) {
  if (w->directory) kill(-w->pid, SIGKILL);
  close(w->in);
  while (wait4(w->pid, end, 0, usage) < 0 && errno == EINTR) {}
  w->pid = 0;
}

static int collect_result(bench_runner *run, worker *w) {
  bench_job *job = run->job;
  int end = 0;
  struct rusage usage = {0};
  reap(w, &end, &usage);
  int records = (int)(w->got / sizeof *w->sent);
  bench_result result = records > 0 ? w->sent[records - 1] : bench_blank();
  if (result.outcome == BENCH_PENDING) explain_missing(w, end, &result);
  result.peak_bytes = peak_of(&usage);
  blank_controls(result.note, ' ');
  *bench_at(job, w->problem, w->method) = result;
  if (w->history)
    bench_history_receive(w->history,
                          &job->history_of[w->problem * job->methods.count + w->method]);
  drop_files(w);
  job->done++;
  run->seconds[w->method] += cli_seconds() - w->started;
  run->count[w->method]++;
  cli_detail("%s: %s %s, %.3g s", job->problems.name[w->problem], job->methods.name[w->method],
             bench_outcome_name(result.outcome), result.seconds);
  return bench_store_row(job, w->problem, w->method);
}

// ---- progress

// What is left takes as long as the solves of the same method took; of a method not yet tried, as
// long as all did. Negative: nothing is known.
static double time_left(const bench_runner *run) {
  const bench_job *job = run->job;
  double all = 0, left = 0;
  int count = 0;
  for (int m = 0; m < job->methods.count; m++) {
    all += run->seconds[m];
    count += run->count[m];
  }
  if (count == 0) return -1;
  for (int m = 0; m < job->methods.count; m++) {
    double mean = run->count[m] ? run->seconds[m] / run->count[m] : all / count;
    for (int p = 0; p < job->problems.count; p++)
      if (bench_at(job, p, m)->outcome == BENCH_PENDING) left += mean;
  }
  return left / job->jobs;
}

// The last `width` characters of a name without its directories; what could steer a terminal is a
// question mark.
static void put_name(char *text, int width, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  int length = (int)strlen(name);
  snprintf(text, (size_t)width + 1, "%s%s", length > width ? "..." : "",
           length > width ? name + length - width + 3 : name);
  blank_controls(text, '?');
}

enum { BAR = 16, NAME = 22, LINE = 79 };  // together they fit a terminal of 80 columns

// The child that has been running longest; one without a process where none runs.
static const worker *oldest(const bench_runner *run) {
  const worker *found = run->workers;
  for (int k = 1; k < run->job->jobs; k++) {
    const worker *w = &run->workers[k];
    if (!found->pid || (w->pid && w->started < found->started)) found = w;
  }
  return found;
}

static void show_progress(bench_runner *run) {
  const bench_job *job = run->job;
  const worker *w = oldest(run);
  if (!run->show || !w->pid || cli_seconds() - run->last_line < LINE_INTERVAL) return;
  run->last_line = cli_seconds();
  char bar[BAR + 1] = {0}, name[NAME + 1], gone[CLI_CLOCK], left[CLI_CLOCK], line[LINE + 1];
  int total = bench_total(job);
  int full = (int)((long)BAR * job->done / total);
  for (int k = 0; k < BAR; k++) bar[k] = k < full ? '#' : '-';
  put_name(name, NAME, job->problems.name[w->problem]);
  snprintf(line, sizeof line, "[%s] %d/%d %s, %s left: %s %s", bar, job->done, total,
           cli_clock(cli_seconds() - run->began, gone), cli_clock(time_left(run), left), name,
           job->methods.name[w->method]);
  cli_progress(line);
}

// ---- all of them

static int fill_workers(bench_runner *run) {
  const bench_job *job = run->job;
  int total = bench_total(job);
  for (int k = 0; k < job->jobs; k++) {
    if (run->workers[k].pid) continue;
    while (run->next < total && job->result[run->next].outcome != BENCH_PENDING) run->next++;
    if (run->next == total) return CLI_DONE;
    CLI_TRY(start_worker(job, &run->workers[k], run->next++));
  }
  return CLI_DONE;
}

// Waits until a child has something to say, or for a moment.
static void wait_for_news(bench_runner *run) {
  double until = cli_seconds() + TICK;
  for (int k = 0; k < run->job->jobs; k++) {
    const worker *w = &run->workers[k];
    run->polled[k] = (struct pollfd){.fd = w->pid ? w->in : -1, .events = POLLIN};
    if (w->pid && !w->killed) until = fmin(until, w->deadline);
  }
  double seconds = fmax(until - cli_seconds(), 0);
  if (poll(run->polled, (nfds_t)run->job->jobs, (int)ceil(1000 * seconds)) > 0) return;
  for (int k = 0; k < run->job->jobs; k++) run->polled[k].revents = 0;
}

static int look_after(bench_runner *run) {
  int status = CLI_DONE;
  wait_for_news(run);
  for (int k = 0; !status && k < run->job->jobs; k++) {
    worker *w = &run->workers[k];
    if (run->polled[k].revents && !receive(run, w)) {
      status = collect_result(run, w);
    } else if (w->pid && !w->killed && cli_seconds() >= w->deadline) {
      w->killed = true;
      kill_worker(w);
    }
  }
  return status;
}

static void stop_all(bench_runner *run) {
  for (int k = 0; k < run->job->jobs; k++) {
    worker *w = &run->workers[k];
    int end;
    struct rusage usage;
    if (w->pid) kill_worker(w);
    if (w->pid) reap(w, &end, &usage);
    drop_files(w);
  }
}

static int run_all(bench_runner *run) {
  int status = fill_workers(run);
  while (!status && oldest(run)->pid && !cli_interrupted()) {
    show_progress(run);
    status = look_after(run);
    if (!status && !cli_interrupted()) status = fill_workers(run);
  }
  stop_all(run);
  cli_progress_clear();
  return status;
}

int bench_run(bench_job *job) {
  size_t workers = (size_t)job->jobs, methods = (size_t)job->methods.count;
  bench_runner run = {.job = job,
                      .workers = calloc(workers, sizeof *run.workers),
                      .polled = calloc(workers, sizeof *run.polled),
                      .seconds = calloc(methods, sizeof *run.seconds),
                      .count = calloc(methods, sizeof *run.count),
                      .began = cli_seconds(),
                      .show = !job->args.quiet && cli_has_progress()};
  bool room = run.workers && run.polled && run.seconds && run.count;
  int status = room ? run_all(&run) : cli_complain("out of memory for %d processes", job->jobs);
  free(run.workers);
  free(run.polled);
  free(run.seconds);
  free(run.count);
  return status;
}
