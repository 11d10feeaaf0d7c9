// One run of a scene: what was asked, what it holds, how it went.
#ifndef STC_CLI_RUN_JOB_H
#define STC_CLI_RUN_JOB_H

#include "../cli.h"

enum { MAX_PATH = 1100, MAX_QUOTED = 1800, MAX_COMMAND = 2000 };
enum { WARNED_WAVES = 100 };  // columns, bars and strips that are watched

typedef struct run_job {
  cli_args args;
  const char *output;
  bool resume, list;
  double until, checkpoint, memory;
  double limit;  // s, from the start of the program on
  int threads;
  cli_list set;
  char scene_room[MAX_PATH];
  const char *path;       // of the scene
  stc_trajectory *begun;  // head of the file that is resumed; or NULL
  stc_scene *scene;
  int remarks;  // that were said
  stc_run *run;
  stc_observed *observed;  // [observables]
  int observables;
  // how it went
  stc_step_report report;
  bool stuck;  // a step was not accepted
  bool interrupted;
  bool late;        // by the time limit
  double patience;  // until when observables may continue after that
  char capsule[MAX_PATH];
  char replay[MAX_COMMAND];
  cli_existence existence;  // of a solution of the step that was not accepted
  double began, last_line, seconds;
  char stage[60];  // of a long step
  double t_began;  // simulated time and steps when the clock started
  long steps_began;
  bool warned[WARNED_WAVES];  // that steps may have several answers
} run_job;

/// Whether bodies deform more than small strain allows: the end is reached, the answer is not
/// known.
bool run_is_large(const run_job *job);

/// The value of a parameter as a member of the object.
void run_write_value(cli_json *json, const stc_parameter *p, const char *name);

/// The report on stdout, at the end of the run.
void run_show_report(const run_job *job);

#endif
