// What the answer of the step before is worth as a start: STEPS steps of a run in a row, the
// problem of each solved from zero and from the impulses of the step before, matched by contact.
//   warm_steps [-s KEY=VALUE] RUN.h5:TIME...   prints CSV: run, time, contacts of the last step,
//        cold_ms, warm_ms, ratio, worst (of a step), cold_iterations, warm_iterations,
//        solved (of 2 STEPS), method of the last warm solve
//   warm_steps -w DIRECTORY RUN.h5:TIME...      writes the problems with their guesses besides
// The run has a row for every step. A solve is setup and solve, the least of REPEATS.
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>

enum { STEPS = 20, REPEATS = 3, ROOM = 512 };
static const double LIMIT = 10;  // seconds a solve may take

typedef struct sequence {
  stc_settings settings;
  const char *directory, *name;
  double ms[2], worst;  // from zero, from the step before; largest ratio of a step
  double log_sum;
  long iterations[2];
  int contacts, solved, counted;
  stc_info info;
} sequence;

// Least processor time of setup and solve, in ms.
static stc_error time_solve(sequence *s, const stc_problem *problem, const double *guess, double *r,
                            double *least) {
  size_t bytes = (size_t)stc_problem_size(problem) * sizeof *r;
  *least = INFINITY;
  for (int k = 0; k < REPEATS; k++) {
    stc_solver *solver = NULL;
    memset(r, 0, bytes);
    if (guess) memcpy(r, guess, bytes);
    double start = processor_seconds();
    stc_error error = stc_solver_setup(&solver, problem, &s->settings);
    if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r}, &s->info);
    *least = fmin(*least, 1e3 * (processor_seconds() - start));
    stc_solver_free(&solver);
    if (error) return error;
  }
  s->iterations[guess != NULL] += s->info.iterations;
  s->solved += s->info.status == STC_STATUS_SOLVED;
  return STC_OK;
}

static stc_error write_step(const sequence *s, const stc_problem *problem, const double *guess,
                            int step) {
  char path[ROOM];
  if (!s->directory) return STC_OK;
  snprintf(path, sizeof path, "%s/%s-%02d.hdf5", s->directory, s->name, step);
  stc_error error = stc_problem_write(problem, NULL, path);
  stc_solution start = {.r = (double *)guess};
  return error ? error : stc_guesses_write(path, problem, &start, 1);
}

static stc_error measure_step(sequence *s, const stc_world *world, int step) {
  const double *guess = NULL;
  const stc_problem *problem = stc_world_problem(world, &guess);
  double ms[2];
  if (!problem) return STC_OK;
  double *r = calloc((size_t)stc_problem_size(problem) + 1, sizeof *r);
  if (!r) return STC_ERR_MEMORY;
  stc_error error = write_step(s, problem, guess, step);
  if (!error) error = time_solve(s, problem, NULL, r, &ms[0]);
  if (!error) error = time_solve(s, problem, guess, r, &ms[1]);
  free(r);
  if (error) return error;
  s->contacts = stc_problem_contacts(problem);
  for (int k = 0; k < 2; k++) s->ms[k] += ms[k];
  s->worst = fmax(s->worst, ms[1] / ms[0]);
  s->log_sum += log(ms[1] / ms[0]);
  s->counted++;
  return STC_OK;
}

// The row before the time; one more step makes the impulses that the first one starts from.
static stc_error measure_run(sequence *s, const char *path, double time) {
  stc_replay *replay = NULL;
  stc_world_report report;
  stc_error error = stc_replay_open(path, &replay);
  long row = 0;
  for (; !error && row < stc_replay_rows(replay); row++) {
    error = stc_replay_load(replay, row);
    if (!error && stc_replay_time(replay) >= time) break;
  }
  for (int k = 0; k <= STEPS && !error; k++) {
    error = stc_replay_step(replay, &report);
    if (!error && k > 0) error = measure_step(s, stc_replay_world(replay), k);
  }
  stc_replay_free(&replay);
  return error;
}

static stc_error measure_sequence(sequence s, char *argument) {
  char *colon = strrchr(argument, ':'), name[ROOM];
  double time = colon ? strtod(colon + 1, NULL) : 0;
  if (colon) *colon = '\0';
  const char *slash = strrchr(argument, '/');
  snprintf(name, sizeof name, "%s-%g", slash ? slash + 1 : argument, time);
  s.name = name;
  stc_error error = measure_run(&s, argument, time);
  if (error) return error;
  printf("%s,%g,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%ld,%ld,%d,\"%s\"\n", slash ? slash + 1 : argument,
         time, s.contacts, s.ms[0], s.ms[1], s.ms[1] / s.ms[0], exp(s.log_sum / s.counted), s.worst,
         s.iterations[0], s.iterations[1], s.solved, s.info.method);
  fflush(stdout);
  return STC_OK;
}

int main(int argc, char **argv) {
  sequence s = {.settings = stc_default_settings()};
  s.settings.time_limit = LIMIT;
  s.settings.regions = 1;
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    char *value = strchr(argv[at + 1], '=');
    if (argv[at][1] == 'w') s.directory = argv[at + 1];
    if (argv[at][1] != 's' || !value) continue;
    *value = '\0';
    if (stc_settings_set(&s.settings, argv[at + 1], value + 1))
      fprintf(stderr, "%s\n", stc_error_detail());
  }
  printf(
      "run,time,contacts,cold_ms,warm_ms,ratio,mean,worst,cold_iterations,warm_iterations,solved,"
      "method\n");
  for (; at < argc; at++)
    if (measure_sequence(s, argv[at])) fprintf(stderr, "%s: %s\n", argv[at], stc_error_detail());
  return 0;
}
