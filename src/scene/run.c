// A run: steps a scene, shows it the state, keeps the file.
#include <stiction/scene.h>

#include "../base/clock.h"
#include "fingerprint.h"
#include "motion.h"
#include "scene_data.h"
#include "store.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double USUAL_FLUSH = 2;  // s between two checkpoints

// Columns of the table besides t, q, u and the series.
static const char *const fixed_columns[] = {"contacts", "kinetic", "potential",  "work", "drive",
                                            "friction", "shock",   "correction", "error"};
enum { FIXED = sizeof fixed_columns / sizeof *fixed_columns };

enum { NAME_ROOM = 16 };  // of "q1000"

struct stc_run {
  stc_arena arena;
  stc_scene *scene;
  stc_motion *motion;
  stc_fingerprint *fingerprint;
  double t_end;
  // the step that was taken last
  double t_before;
  double *q_before, *u_before;  // [dofs]
  bool *touching;               // [walls]
  double *impulse, *relative;   // [walls*dim]
  int contacts;
  bool shown;  // the scene sees this moment
  // the file
  stc_store *store;
  int columns;
  double *row;      // [columns]
  double *payload;  // [payload_size]
  int payload_size;
  double flush_seconds, last_flush, safe_time;
  long resumed;
  bool broken;  // what is in memory is no state to go on from
};

// --- The moment ---

static void look_at_contacts(stc_run *run) {
  const stc_scene *scene = run->scene;
  for (int j = 0; j < scene->walls; j++)
    run->touching[j] = stc_motion_contact(run->motion, j, run->impulse + j * scene->dim,
                                          run->relative + j * scene->dim);
}

// Shows the scene where the motion is, once per step.
static stc_error show(stc_run *run) {
  if (run->shown) return STC_OK;
  look_at_contacts(run);
  stc_moment moment = {.t = stc_motion_time(run->motion),
                       .q = stc_motion_q(run->motion),
                       .u = stc_motion_u(run->motion),
                       .t_before = run->t_before,
                       .q_before = run->q_before,
                       .u_before = run->u_before,
                       .step = stc_motion_steps(run->motion),
                       .contacts = run->contacts,
                       .ledger = stc_motion_ledger(run->motion),
                       .touching = run->touching,
                       .impulse = run->impulse,
                       .relative = run->relative};
  STC_TRY(stc_view_show(run->scene, &moment));
  run->shown = true;
  return STC_OK;
}

static void remember_before(stc_run *run) {
  size_t bytes = (size_t)run->scene->dofs * sizeof(double);
  run->t_before = stc_motion_time(run->motion);
  memcpy(run->q_before, stc_motion_q(run->motion), bytes);
  memcpy(run->u_before, stc_motion_u(run->motion), bytes);
}

// --- Rows and checkpoints ---

static stc_error fill_row(stc_run *run) {
  const stc_scene *scene = run->scene;
  const stc_ledger *l = stc_motion_ledger(run->motion);
  const double fixed[FIXED] = {run->contacts, l->kinetic, l->potential,  l->work, l->drive,
                               l->friction,   l->shock,   l->correction, l->error};
  size_t n = (size_t)scene->dofs;
  double *row = run->row;
  row[0] = stc_motion_time(run->motion);
  memcpy(row + 1, stc_motion_q(run->motion), n * sizeof *row);
  memcpy(row + 1 + n, stc_motion_u(run->motion), n * sizeof *row);
  memcpy(row + 1 + 2 * n, fixed, sizeof fixed);
  if (scene->series == 0) return STC_OK;
  STC_TRY(show(run));
  return stc_view_series(run->scene, row + 1 + 2 * n + FIXED);
}

static stc_error store_row(stc_run *run) {
  if (!run->store || stc_motion_steps(run->motion) % run->scene->store_every != 0) return STC_OK;
  STC_TRY(fill_row(run));
  stc_store_add(run->store, run->row);
  return STC_OK;
}

// A checkpoint: what the scene saw last, what it keeps, the state of the motion.
static stc_error fill_payload(stc_run *run) {
  size_t n = (size_t)run->scene->dofs;
  double *at = run->payload;
  *at++ = run->t_before;
  *at++ = run->contacts;
  memcpy(at, run->q_before, n * sizeof *at);
  memcpy(at + n, run->u_before, n * sizeof *at);
  at += 2 * n;
  STC_TRY(stc_view_get_memory(run->scene, at));
  stc_motion_save(run->motion, at + run->scene->kept);
  return STC_OK;
}

static stc_error take_payload(stc_run *run) {
  size_t n = (size_t)run->scene->dofs;
  const double *at = run->payload;
  run->t_before = *at++;
  run->contacts = (int)*at++;
  memcpy(run->q_before, at, n * sizeof *at);
  memcpy(run->u_before, at + n, n * sizeof *at);
  at += 2 * n;
  STC_TRY(stc_view_set_memory(run->scene, at));
  STC_TRY(stc_motion_restore(run->motion, at + run->scene->kept));
  run->resumed = stc_motion_steps(run->motion);
  return STC_OK;
}

static stc_error explain_loss(const stc_run *run, stc_error error) {
  if (error != STC_ERR_FILE) return error;
  return stc_fail(error,
                  "%s; nothing that was written is lost: the file holds %ld rows, up to t = %g; "
                  "make room and go on with --resume",
                  stc_error_detail(), stc_store_rows_safe(run->store), run->safe_time);
}

static stc_error flush(stc_run *run) {
  stc_error error = stc_fingerprint_check(run->scene, run->fingerprint);
  if (!error) error = fill_payload(run);
  if (!error) error = explain_loss(run, stc_store_flush(run->store, run->payload));
  if (error) {
    run->broken = true;
    return error;
  }
  run->last_flush = stc_clock();
  run->safe_time = stc_motion_time(run->motion);
  return STC_OK;
}

stc_error stc_run_flush(stc_run *run) {
  if (!run) return stc_fail(STC_ERR_ARGUMENT, "stc_run_flush needs a run");
  if (!run->store || run->broken) return STC_OK;
  return flush(run);
}

static bool flush_is_due(const stc_run *run) {
  if (!run->store) return false;
  bool first = stc_motion_steps(run->motion) == 1;  // a scene with variables is refused early
  return first || stc_store_is_full(run->store) ||
         stc_clock() - run->last_flush >= run->flush_seconds;
}

// --- The file ---

static const char **column_names(stc_run *run) {
  const stc_scene *scene = run->scene;
  int n = scene->dofs;
  const char **names = STC_TAKE(&run->arena, const char *, run->columns + 1);
  char *numbered = STC_TAKE(&run->arena, char, 2 * n * NAME_ROOM);
  if (!names || !numbered) return NULL;
  names[0] = "t";
  for (int k = 0; k < 2 * n; k++) {
    char *name = numbered + k * NAME_ROOM;
    snprintf(name, NAME_ROOM, "%c%d", k < n ? 'q' : 'u', k % n + 1);
    names[1 + k] = name;
  }
  for (int k = 0; k < FIXED; k++) names[1 + 2 * n + k] = fixed_columns[k];
  for (int k = 0; k < scene->series; k++) names[1 + 2 * n + FIXED + k] = scene->serie[k].name;
  return names;
}

static stc_error check_names(const stc_run *run, const char *const *names) {
  int first = run->columns - run->scene->series;
  for (int k = first; k < run->columns; k++)
    for (int i = 0; i < first; i++)
      if (!strcmp(names[k], names[i]))
        return stc_fail(STC_ERR_FORMAT, "%s:%d: a series cannot be called '%s': every run has it",
                        run->scene->path, run->scene->serie[k - first].function.line, names[k]);
  return STC_OK;
}

static const char **parameter_texts(stc_run *run) {
  const stc_scene *scene = run->scene;
  const char **texts = STC_TAKE(&run->arena, const char *, scene->parameters + 1);
  for (int k = 0; texts && k < scene->parameters; k++) {
    const stc_parameter *p = &scene->parameter[k];
    size_t room = strlen(p->name) + strlen(p->value) + 2;
    char *text = STC_TAKE(&run->arena, char, room);
    if (text) snprintf(text, room, "%s=%s", p->name, p->value);
    texts[k] = text;
  }
  return texts;
}

static const char **observable_names(stc_run *run) {
  const stc_scene *scene = run->scene;
  const char **names = STC_TAKE(&run->arena, const char *, scene->observables + 1);
  for (int k = 0; names && k < scene->observables; k++) names[k] = scene->observable[k].name;
  return names;
}

static stc_error make_head(stc_run *run, stc_store_head *head) {
  const stc_scene *scene = run->scene;
  *head = (stc_store_head){.scene = scene->path,
                           .text = scene->text,
                           .parameters = parameter_texts(run),
                           .columns = column_names(run),
                           .observables = observable_names(run),
                           .columns_count = run->columns,
                           .observables_count = scene->observables,
                           .first_series = run->columns - scene->series,
                           .payload = run->payload_size};
  STC_TRY(stc_arena_check(&run->arena));
  return check_names(run, head->columns);
}

static stc_error begin_file(stc_run *run, const char *path, const stc_store_head *head) {
  STC_TRY(stc_store_create(path, head, &run->store));
  STC_TRY(store_row(run));
  return flush(run);
}

static stc_error resume_file(stc_run *run, const char *path, const stc_store_head *head) {
  bool found = false;
  STC_TRY(stc_store_open(path, head, run->payload, &found, &run->store));
  if (!found) {
    stc_store_close(&run->store);
    return begin_file(run, path, head);
  }
  STC_TRY(take_payload(run));
  run->last_flush = stc_clock();
  run->safe_time = stc_motion_time(run->motion);
  return STC_OK;
}

static stc_error open_file(stc_run *run, const stc_run_settings *settings) {
  stc_store_head head;
  STC_TRY(make_head(run, &head));
  if (!settings->output) return STC_OK;
  STC_TRY(stc_fingerprint_take(run->scene, &run->fingerprint));
  bool is_there = access(settings->output, F_OK) == 0;
  if (settings->resume && is_there) return resume_file(run, settings->output, &head);
  return begin_file(run, settings->output, &head);
}

// --- Opening and closing ---

static stc_error allocate(stc_run *run) {
  const stc_scene *scene = run->scene;
  size_t size = (size_t)scene->walls * (size_t)scene->dim;
  run->columns = 1 + 2 * scene->dofs + FIXED + scene->series;
  run->payload_size = 2 + 2 * scene->dofs + scene->kept + (int)stc_motion_state_size(run->motion);
  run->q_before = STC_TAKE(&run->arena, double, scene->dofs);
  run->u_before = STC_TAKE(&run->arena, double, scene->dofs);
  run->touching = STC_TAKE(&run->arena, bool, scene->walls);
  run->impulse = STC_TAKE(&run->arena, double, size);
  run->relative = STC_TAKE(&run->arena, double, size);
  run->row = STC_TAKE(&run->arena, double, run->columns);
  run->payload = STC_TAKE(&run->arena, double, run->payload_size);
  return stc_arena_check(&run->arena);
}

static stc_error open(stc_run *run, const stc_run_settings *settings) {
  run->t_end = settings->until_given ? settings->until : run->scene->t_end;
  run->flush_seconds = settings->flush_seconds > 0 ? settings->flush_seconds : USUAL_FLUSH;
  STC_TRY(stc_motion_create(run->scene, &run->motion));
  STC_TRY(allocate(run));
  STC_TRY(stc_view_open(run->scene));
  remember_before(run);
  return open_file(run, settings);
}

static void release(stc_run **run) {
  stc_store_close(&(*run)->store);
  stc_fingerprint_free(&(*run)->fingerprint);
  stc_motion_free(&(*run)->motion);
  stc_arena_free(&(*run)->arena);
  stc_release(run);
}

stc_error stc_run_create(stc_scene *scene, const stc_run_settings *settings, stc_run **run) {
  static const stc_run_settings usual = {0};
  if (run) *run = NULL;
  if (!scene || !run) return stc_fail(STC_ERR_ARGUMENT, "stc_run_create needs a scene");
  if (!settings) settings = &usual;
  if (settings->resume && !settings->output)
    return stc_fail(STC_ERR_ARGUMENT, "a run resumes from a file; name its output");
  if (settings->until_given && !isfinite(settings->until))
    return stc_fail(STC_ERR_VALUE, "until = %g; give a finite time", settings->until);
  stc_run *made = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "out of memory for a run");
  made->scene = scene;
  stc_error error = open(made, settings);
  if (error)
    release(&made);
  else
    *run = made;
  return error;
}

// At the end the observables go into the file too.
static stc_error finish(stc_run *run) {
  double *values = STC_TAKE(&run->arena, double, run->scene->observables + 1);
  STC_TRY(stc_arena_check(&run->arena));
  STC_TRY(flush(run));
  if (!stc_run_done(run)) return STC_OK;
  for (int k = 0; k < run->scene->observables; k++) STC_TRY(stc_run_observable(run, k, &values[k]));
  return explain_loss(run, stc_store_observe(run->store, values));
}

stc_error stc_run_close(stc_run **run) {
  if (!run || !*run) return STC_OK;
  stc_error error = (*run)->store && !(*run)->broken ? finish(*run) : STC_OK;
  release(run);
  return error;
}

// --- Stepping ---

static stc_error after_step(stc_run *run, const stc_step_report *report) {
  run->shown = false;
  run->contacts = report->contacts;
  if (stc_callback_is_there(&run->scene->after_step)) {
    STC_TRY(show(run));
    STC_TRY(stc_view_step(run->scene));
  }
  STC_TRY(store_row(run));
  return flush_is_due(run) ? flush(run) : STC_OK;
}

// After a failure the rows are still good, but the scene may have been told half of the step: the
// last checkpoint stands.
static stc_error break_off(stc_run *run, stc_error error) {
  if (run->store && !run->broken) {
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s", stc_error_detail());
    if (stc_store_flush(run->store, NULL) == STC_OK) stc_fail(error, "%s", sentence);
  }
  run->broken = true;
  return error;
}

stc_error stc_run_step(stc_run *run, stc_step_report *report) {
  stc_step_report own;
  if (!run) return stc_fail(STC_ERR_ARGUMENT, "stc_run_step needs a run");
  if (run->broken) return stc_fail(STC_ERR_ARGUMENT, "the run failed; it cannot go on");
  if (!report) report = &own;
  remember_before(run);
  stc_error error = stc_motion_step(run->motion, run->t_end, report);
  if (!error && !report->accepted) return STC_OK;
  if (!error) error = after_step(run, report);
  return error ? break_off(run, error) : STC_OK;
}

bool stc_run_done(const stc_run *run) { return stc_motion_reached(run->motion, run->t_end); }
double stc_run_time(const stc_run *run) { return stc_motion_time(run->motion); }
double stc_run_end(const stc_run *run) { return run->t_end; }
long stc_run_steps(const stc_run *run) { return stc_motion_steps(run->motion); }
const char *stc_run_replay(const stc_run *run) { return run->scene->replay; }
long stc_run_resumed(const stc_run *run) { return run->resumed; }
const stc_ledger *stc_run_ledger(const stc_run *run) { return stc_motion_ledger(run->motion); }
const double *stc_run_q(const stc_run *run) { return stc_motion_q(run->motion); }
const double *stc_run_u(const stc_run *run) { return stc_motion_u(run->motion); }

stc_error stc_run_observable(stc_run *run, int k, double *value) {
  if (!run || !value || k < 0 || k >= run->scene->observables)
    return stc_fail(STC_ERR_ARGUMENT, "stc_run_observable: there is no observable %d", k);
  STC_TRY(show(run));
  return stc_view_observable(run->scene, k, value);
}

// --- A step that was not accepted ---

static void describe_capsule(const stc_run *run, char *text, size_t room) {
  const stc_stepping *s = &run->scene->stepping;
  snprintf(text, room,
           "a step that stiction run did not accept: scene %s, step %ld from t = %.17g, h = %.17g, "
           "accept = %g; repeat it with stiction solve %s",
           run->scene->path, stc_run_steps(run) + 1, stc_run_time(run), s->h, s->accept,
           run->scene->replay);
}

stc_error stc_run_capsule(const stc_run *run, const char *path) {
  const double *guess = NULL;
  char text[2000];
  if (!run || !path) return stc_fail(STC_ERR_ARGUMENT, "stc_run_capsule needs a run and a path");
  const stc_problem *problem = stc_motion_problem(run->motion, &guess);
  if (!problem)
    return stc_fail(STC_ERR_ARGUMENT, "the last step was accepted: there is no capsule");
  describe_capsule(run, text, sizeof text);
  stc_problem *copy = NULL;
  stc_error error = stc_problem_write(problem, NULL, path);
  if (!error) error = stc_problem_read(path, &copy);
  if (!error) error = stc_problem_set_text(copy, &(stc_problem_text){.description = text});
  if (!error) error = stc_problem_write(copy, NULL, path);
  if (!error) error = stc_guesses_write(path, copy, &(stc_solution){.r = (double *)guess}, 1);
  stc_problem_free(&copy);
  return error;
}
