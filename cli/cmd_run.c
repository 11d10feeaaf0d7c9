// stiction run: steps a scene to its end, keeps the trajectory, reports what the scene is about.
#if defined(__linux__)
#include <malloc.h>
#endif
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "run/run_job.h"

enum { NAMED_WALLS = 10 };  // walls named after a failure

static const double LINE_INTERVAL = 0.1;  // s between progress lines

// ---- arguments

#define JOB run_job
static const cli_option options[] = {
    OPTION_TEXT('o', "output", "OUT", "write the trajectory, with checkpoints", output),
    OPTION_FLAG(0, "resume", "go on from the last checkpoint in OUT", resume),
    OPTION_REAL(0, "until", "T", "stop at this time instead of the scene's t_end", until, -CLI_HUGE,
                CLI_HUGE),
    OPTION_REAL(0, "time-limit", "S", "most seconds; then as after Ctrl-C", limit, 0, CLI_HUGE),
    OPTION(CLI_LIST, 0, "set", "NAME=VALUE", "a parameter of the scene; see --list", set, 0, 0,
           NULL),
    OPTION_REAL(0, "checkpoint", "S", "seconds between checkpoints; default 2", checkpoint, 1e-3,
                1e9),
    OPTION_REAL(0, "memory", "MB", "that the scene may use; default 256", memory, 1, 1e6),
    OPTION_INT('j', "threads", "N", "of rigid bodies; same bits for any number", threads, 1, 256),
    OPTION_FLAG(0, "list", "show parameters, observables and series", list)};

// ---- the scene

// Names of an earlier version, each said once.
static void say_remarks(run_job *job) {
  const char *remark;
  while (job->scene && (remark = stc_scene_remark(job->scene, job->remarks))) {
    if (!job->args.quiet) cli_note("%s", remark);
    job->remarks++;
  }
}

// A run that is resumed has the parameters it was begun with; what is set again must agree.
static int read_scene(run_job *job) {
  stc_scene_options given = {.memory = (size_t)(job->memory * (1 << 20))};
  bool there = job->resume && access(job->output, R_OK) == 0;
  if (there) CLI_TRY(cli_check(stc_trajectory_read_head(job->output, &job->begun)));
  if (job->resume && !there && !job->args.quiet)
    cli_note("%s is not there: the run begins at its start", job->output);
  int begun = job->begun ? job->begun->parameters : 0;
  const char **set = calloc((size_t)begun + CLI_MAX_LIST, sizeof *set);
  if (!set) return cli_complain("out of memory for the parameters");
  for (int k = 0; k < begun; k++) set[given.sets++] = job->begun->parameter[k];
  for (int k = 0; k < job->set.count; k++) set[given.sets++] = job->set.item[k];
  given.set = set;
  stc_error error = stc_scene_read(job->path, &given, &job->scene);
  free(set);
  int status = cli_check(error);
  say_remarks(job);
  return status;
}

// ---- --list

// As a list, and as one text.
static void write_names(cli_json *json, const char *what, const stc_scene *scene,
                        const char *(*name)(const stc_scene *, int)) {
  char text[2000] = "";
  size_t used = 0;
  cli_json_open(json, what, '[');
  for (int k = 0; name(scene, k); k++) {
    cli_json_text(json, NULL, name(scene, k));
    if (used < sizeof text)
      used +=
          (size_t)snprintf(text + used, sizeof text - used, "%s%s", k ? ", " : "", name(scene, k));
  }
  cli_json_close(json, ']');
  if (*text) cli_json_note(json, what, "%s", text);
}

static const cli_line list_lines[] = {{"observables", "{observables}"},
                                      {"series", "{series}"},
                                      {"walls", "{walls}"},
                                      {"contacts", "{contacts}"}};

static void show_list(const run_job *job) {
  stc_parameter p;
  bool text = !job->args.json && !job->args.quiet;
  cli_json json = cli_json_begin(job->args.json ? stdout : NULL);
  cli_json_text(&json, "scene", job->path);
  if (text) printf("%-15s %s\n", "scene", job->path);
  cli_json_open(&json, "parameters", '[');
  for (int k = 0; stc_scene_parameter(job->scene, k, &p); k++) {
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "name", p.name);
    cli_json_text(&json, "type", p.type);
    run_write_value(&json, &p, "value");
    cli_json_close(&json, '}');
    if (text && strcmp(p.type, "number") != 0)
      printf("%-15s %-12s  %s\n", "parameter", p.name, p.value);
    else if (text)
      printf("%-15s %-12s  %.9g\n", "parameter", p.name, strtod(p.value, NULL));
  }
  cli_json_close(&json, ']');
  write_names(&json, "observables", job->scene, stc_scene_observable);
  write_names(&json, "series", job->scene, stc_scene_series);
  write_names(&json, "walls", job->scene, stc_scene_wall);
  write_names(&json, "contacts", job->scene, stc_scene_pair);
  cli_json_end(&json);
  if (text) cli_print_lines(&json, list_lines, CLI_COUNT(list_lines));
}

// ---- stepping

// An interruption, or the end of the time limit.
static bool must_stop(run_job *job) {
  bool interrupted = cli_interrupted();
  if (!interrupted && cli_seconds_left(job->limit) == 0) job->late = true;
  return interrupted || job->late;
}

// Called inside long steps; false stops.
static bool on_stage(void *user, const char *stage, double done) {
  run_job *job = user;
  char line[200];
  int used = 0;
  double now = cli_seconds();
  // Before there is a run the alarm and the signal end it; its observables are given a moment.
  if (job->run && must_stop(job) && now >= job->patience) return false;
  if (!*stage || job->args.quiet || !cli_has_progress()) return true;
  bool same = !strcmp(stage, job->stage);
  if (same && now - job->last_line < LINE_INTERVAL) return true;
  snprintf(job->stage, sizeof job->stage, "%s", stage);
  job->last_line = now;
  if (job->run)  // bodies: the load step
    used = snprintf(line, sizeof line, "step %ld, t = %.4g of %.4g, ", stc_run_steps(job->run) + 1,
                    stc_run_time(job->run), stc_run_end(job->run));
  used += snprintf(line + used, sizeof line - (size_t)used, "%s %.0f %%", stage, 100 * done);
  if (job->run) snprintf(line + used, sizeof line - (size_t)used, ", %.0f s", now - job->began);
  cli_progress(line);
  return true;
}

static void show_progress(run_job *job) {
  char line[160], left[CLI_CLOCK];
  double now = cli_seconds(), spent = now - job->began;
  if (now - job->last_line < LINE_INTERVAL) return;
  job->last_line = now;
  double t = stc_run_time(job->run), end = stc_run_end(job->run), way = t - job->t_began;
  long steps = stc_run_steps(job->run) - job->steps_began;
  snprintf(line, sizeof line,
           "t = %.4g of %.4g s, %d contact%s, residual %.0e, %.0f steps/s, %s left", t, end,
           job->report.contacts, cli_s(job->report.contacts), job->report.eta,
           spent > 0 ? (double)steps / spent : 0,
           cli_clock(way > 0 ? spent * (end - t) / way : 0, left));
  cli_progress(line);
}

// ---- waves: whether steps have one answer

// Before the first step.
static void warn_of_waves(run_job *job) {
  stc_elastodynamic_report r;
  for (int k = 0; !job->args.quiet && stc_run_elastodynamic(job->run, k, &r); k++) {
    bool several = r.uniqueness >= 1;
    if (k < WARNED_WAVES) job->warned[k] = several;
    if (r.warning[0]) cli_note("%s '%s': %s", r.kind, r.name, r.warning);
    if (several && !r.warning[0])
      cli_note("%s '%s': b p max|mu'| = %.4g is not below 1: a step may have several answers; rule "
               "'%s' chooses",
               r.kind, r.name, r.uniqueness, r.rule);
    if (!several && r.uniqueness > 0)
      cli_detail("%s '%s': b p max|mu'| = %.4g is below 1: every step has one answer", r.kind,
                 r.name, r.uniqueness);
  }
}

// When it is over with uniqueness on the way: the pressure has risen.
static void watch_waves(run_job *job) {
  stc_elastodynamic_report r;
  for (int k = 0; k < WARNED_WAVES && !job->args.quiet && stc_run_elastodynamic(job->run, k, &r);
       k++) {
    if (r.uniqueness < 1 || job->warned[k]) continue;
    job->warned[k] = true;
    cli_note("%s '%s': at t = %.6g b p max|mu'| = %.4g is not below 1 any more: a step may have "
             "several answers; rule '%s' chooses",
             r.kind, r.name, stc_run_time(job->run), r.uniqueness, r.rule);
  }
}

static int step_on(run_job *job) {
  bool line = !job->args.quiet && cli_has_progress();
  while (!stc_run_done(job->run)) {
    if (must_stop(job)) {
      job->interrupted = true;
      return CLI_DONE;
    }
    CLI_TRY(cli_check(stc_run_step(job->run, &job->report)));
    if (!job->report.accepted) {
      job->interrupted = job->report.status == STC_STATUS_INTERRUPTED;
      job->stuck = !job->interrupted;
      return CLI_DONE;
    }
    watch_waves(job);
    if (line && !stc_run_fem(job->run)) show_progress(job);
  }
  return CLI_DONE;
}

// ---- a step that was not accepted

// Load steps without contact have no problem to write: then there is no capsule.
static int write_capsule(run_job *job) {
  char quoted[MAX_QUOTED];
  // run.h5 -> run.capsule.hdf5; without a file, after the scene, here.
  const char *stem = job->output;
  if (!stem) {
    const char *slash = strrchr(job->path, '/');
    stem = slash ? slash + 1 : job->path;
  }
  const char *dot = strrchr(stem, '.'), *slash = strrchr(stem, '/');
  size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - stem) : strlen(stem);
  snprintf(job->capsule, sizeof job->capsule, "%.*s.capsule.hdf5",
           (int)(length < 1000 ? length : 1000), stem);
  if (!job->args.quiet) cli_note("%s", job->report.reason);
  stc_error error = stc_run_capsule(job->run, job->capsule);
  if (error) job->capsule[0] = 0;
  if (error == STC_ERR_UNSUPPORTED) {
    if (!job->args.quiet) cli_note("%s", stc_error_detail());
    return CLI_DONE;
  }
  CLI_TRY(cli_check(error));
  cli_quote(job->capsule, quoted, sizeof quoted);
  snprintf(job->replay, sizeof job->replay, "stiction solve %s %s", quoted,
           stc_run_replay(job->run));
  if (!job->args.quiet) {
    for (int k = 0; k < NAMED_WALLS && stc_scene_wall(job->scene, k); k++)
      cli_note("wall %d is '%s'", k, stc_scene_wall(job->scene, k));
    cli_note("its problem and guess are in %s; replay it with\n  %s", job->capsule, job->replay);
  }
  return CLI_DONE;
}

// A step whose problem is proved to have no solution failed for that reason, whatever stopped the
// solver.
static int examine_capsule(run_job *job) {
  cli_file file;
  stc_solution solution = {0};
  stc_settings settings = stc_default_settings();
  stc_info info = {.status = STC_STATUS_STALLED};
  int status = cli_file_open(job->capsule, job->args.quiet, &file);
  if (!status) status = cli_solution_make(file.problem, &solution);
  if (!status) cli_decide(file.problem, &settings, &solution, &info, &job->existence);
  cli_solution_drop(&solution);
  cli_file_close(&file);
  if (status) return status;
  if (job->existence.verdict == STC_VERDICT_NO_SOLUTION)
    job->report.status = STC_STATUS_NO_SOLUTION;
  if (!job->args.quiet && job->existence.verdict != STC_VERDICT_UNDECIDED)
    cli_note("%s", job->existence.reason);
  return CLI_DONE;
}

static void say_how_to_resume(const run_job *job) {
  if (job->args.quiet) return;
  if (job->output) {
    cli_note("stopped at t = %.9g; go on with\n  stiction run %s -o %s --resume",
             stc_run_time(job->run), job->path, job->output);
  } else {
    cli_note("stopped at t = %.9g; with -o FILE a run can be resumed", stc_run_time(job->run));
  }
}

// ---- observables

// An interrupted run is not followed by long observables: not with many coordinates (a
// third of a second where it looks at the stresses of 3e5 of them), and a moment at most for all
// observables. Those that would take longer are left out.
static int observe(run_job *job) {
  enum { MANY = 50000 };
  const double moment = 0.05;  // s
  job->patience = cli_seconds() + moment;
  if (job->interrupted && stc_scene_dofs(job->scene) > MANY) {
    cli_detail("stopped: the observables of %d coordinates are left out",
               stc_scene_dofs(job->scene));
    return CLI_DONE;
  }
  while (stc_scene_observable(job->scene, job->observables)) job->observables++;
  job->observed = calloc((size_t)job->observables + 1, sizeof *job->observed);
  if (!job->observed) return cli_complain("out of memory for the observables");
  for (int k = 0; k < job->observables; k++) {
    stc_error error = stc_run_observe(job->run, k, &job->observed[k]);
    if (error == STC_ERR_CALLBACK) {
      if (!job->args.quiet)
        cli_note("stopped: observable '%s' and those behind it are left out",
                 stc_scene_observable(job->scene, k));
      job->observables = k;
      job->interrupted = true;
      return CLI_DONE;
    }
    CLI_TRY(cli_check(error));
  }
  return CLI_DONE;
}

// ---- the verb

static int make_run(run_job *job) {
  struct stat out, scene;
  if (job->output && stat(job->output, &out) == 0 && stat(job->path, &scene) == 0 &&
      out.st_dev == scene.st_dev && out.st_ino == scene.st_ino)
    return cli_complain("%s is the scene; name another file for the trajectory", job->output);
  stc_run_settings settings = {.output = job->output,
                               .resume = job->resume,
                               .until_given = !isnan(job->until),
                               .until = job->until,
                               .flush_seconds = job->checkpoint,
                               .threads = job->threads,
                               .progress = on_stage,
                               .progress_user = job};
  CLI_TRY(cli_check(stc_run_create(job->scene, &settings, &job->run)));
  cli_alarm_off();
  job->began = cli_seconds();
  job->t_began = stc_run_time(job->run);
  job->steps_began = stc_run_steps(job->run);
  if (job->steps_began > 0) cli_detail("resumed at t = %.9g", job->t_began);
  warn_of_waves(job);
  cli_catch_interrupts(job->args.quiet ? NULL : "stopping with a checkpoint");
  return CLI_DONE;
}

// A step asks for as much memory as the last one gave back: what the program has it keeps, else the
// system clears the same pages in every step.
static void keep_memory(void) {
#if defined(__GLIBC__)
  enum { LARGEST_KEPT = 32 << 20 };  // bytes of one array; more is not allowed
  mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

// The file is whole before the report: what it says about the file is true.
static int step_scene(run_job *job) {
  CLI_TRY(make_run(job));
  int status = step_on(job);
  cli_progress_clear();
  job->seconds = cli_seconds() - job->began;
  CLI_TRY(status);
  if (job->stuck) CLI_TRY(write_capsule(job));
  if (job->capsule[0]) CLI_TRY(examine_capsule(job));
  CLI_TRY(observe(job));
  CLI_TRY(cli_check(stc_run_flush(job->run)));
  if (job->interrupted) say_how_to_resume(job);
  run_show_report(job);
  if (!job->interrupted && !job->stuck) return run_is_large(job) ? CLI_UNDECIDED : CLI_DONE;
  status = job->stuck ? cli_exit_status(job->report.status) : CLI_DONE;
  return status == CLI_DONE ? CLI_NOT_CONVERGED : status;
}

static void begin_run(void *user) {
  run_job *job = user;
  job->until = NAN;
  job->limit = INFINITY;
}

static int run_run(void *user) {
  run_job *job = user;
  const cli_args *args = &job->args;
  keep_memory();
  if (job->resume && !job->output)
    return cli_misuse(args, "option --resume needs -o OUT, the file to go on with");
  if (job->output && !job->list) CLI_TRY(cli_check_format(job->output, ".hdf5"));
  CLI_TRY(cli_scene_path(args->word[0], job->scene_room, sizeof job->scene_room, &job->path));
  cli_alarm(job->limit, CLI_NOT_CONVERGED, "the time limit was reached before the first step");
  CLI_TRY(read_scene(job));
  if (job->list) {
    show_list(job);
    return CLI_DONE;
  }
  int status = step_scene(job);
  stc_error error = stc_run_close(&job->run);
  if (!error || status == CLI_WRONG) return status;
  cli_note("%s", stc_error_detail());  // the report is out: no second object on stdout
  return CLI_WRONG;
}

static void end_run(void *user) {
  run_job *job = user;
  stc_run_close(&job->run);
  say_remarks(job);
  stc_scene_free(&job->scene);
  stc_trajectory_free(&job->begun);
  free(job->observed);
}

COMMAND(run, "SCENE", 1, 1, "simulate a scene written in Lua",
        "Steps the scene to its end: a system and rigid bodies by Moreau's scheme, deformable\n"
        "bodies in load steps, elastodynamic friction in time steps; and reports its observables\n"
        "and where the energy went. With -o the trajectory\n"
        "and checkpoints go to an HDF5 file that survives a crash; --resume goes on from it with\n"
        "the same bits. Ctrl-C and --time-limit stop with a checkpoint. SCENE is a file, or a name "
        "of\n"
        "'stiction list scenes'.",
        run_run, begin_run, end_run, OPTIONS(options));
