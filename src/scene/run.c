// A run: steps a scene, shows it the state, keeps the file.
#include <stiction/scene.h>

#include "../base/clock.h"
#include "../base/number.h"
#include "../base/stop.h"
#include "kind.h"
#include "scene_data.h"
#include "scene_fingerprint.h"
#include "store.h"
#include "store_file.h"
#include "view.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const double USUAL_FLUSH = 2;   // s between two checkpoints,
static const double FLUSH_SHARE = 20;  // or this multiple of what the last one took
enum { MOST_PAYLOAD = 2000000000 };    // numbers in a checkpoint

struct stc_run {
  stc_arena arena;
  stc_scene *scene;
  const stc_kind *kind;
  stc_moving *moving;  // what is stepped
  stc_fingerprint *fingerprint;
  double t_end;
  bool shown;         // the scene sees this moment
  stc_arena *answer;  // [observables] lists and texts
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
  // the file
  stc_store *store;
  int columns;      // of the table, the series among them
  double *row;      // columns, then blocks
  double *payload;  // [payload_size]
  int payload_size;
  double flush_seconds, last_flush, flush_took, safe_time;
  bool dirty;  // stepped since the last checkpoint
  long resumed;
  bool broken;  // the state in memory is not one to continue from
};

// --- Rows and checkpoints ---

// Shows the scene what moves, once per step.
static stc_error show_moment(stc_run *run) {
  if (run->shown) return STC_OK;
  STC_TRY(stc_view_show(run->moving));
  run->shown = true;
  return STC_OK;
}

static stc_error fill_run_row(stc_run *run) {
  int first = run->columns - run->scene->series;
  run->row[0] = stc_run_time(run);
  for (int k = 1; k < first; k++) run->row[k] = *run->moving->columns.entry[k - 1].at;
  if (run->scene->series > 0 || run->kind->fill_blocks) STC_TRY(show_moment(run));
  STC_TRY(stc_view_series(run->scene, run->row + first));
  return run->kind->fill_blocks ? run->kind->fill_blocks(run->moving, run->row + run->columns)
                                : STC_OK;
}

static stc_error store_row(stc_run *run) {
  if (!run->store || stc_run_steps(run) % run->scene->store_every != 0) return STC_OK;
  STC_TRY(fill_run_row(run));
  stc_store_add(run->store, run->row);
  return STC_OK;
}

// A checkpoint: what the scene keeps, what moves.
static stc_error fill_payload(stc_run *run) {
  STC_TRY(stc_view_get_memory(run->scene, run->payload));
  double *kept = run->payload + run->scene->kept;
  if (run->moving->kept_count)
    memcpy(kept, run->moving->kept, run->moving->kept_count * sizeof *kept);
  run->kind->save(run->moving, kept + run->moving->kept_count);
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
  double began = stc_clock();
  stc_error error = stc_fingerprint_check(run->scene, run->fingerprint);
  if (!error) error = fill_payload(run);
  if (!error) error = explain_loss(run, stc_store_flush(run->store, run->payload));
  if (error) {
    run->broken = true;
    return error;
  }
  run->last_flush = stc_clock();
  run->flush_took = run->last_flush - began;
  run->safe_time = stc_run_time(run);
  run->dirty = false;
  return STC_OK;
}

stc_error stc_run_flush(stc_run *run) {
  if (!run) return stc_fail(STC_ERR_ARGUMENT, "stc_run_flush needs a run");
  if (!run->store || run->broken) return STC_OK;
  return flush(run);
}

static bool flush_is_due(const stc_run *run) {
  if (!run->store) return false;
  bool first = stc_run_steps(run) == 1;  // a scene with variables is refused early
  double wait = fmax(run->flush_seconds, FLUSH_SHARE * run->flush_took);
  return first || stc_clock() - run->last_flush >= wait;
}

// Rows that fill their room go to the file; the last checkpoint stands.
static stc_error flush_full_rows(stc_run *run) {
  if (!run->store || !stc_store_is_full(run->store)) return STC_OK;
  stc_error error = explain_loss(run, stc_store_flush(run->store, NULL));
  run->broken = run->broken || error;
  return error;
}

// --- The file ---

static const char **column_names(stc_run *run) {
  const stc_scene *scene = run->scene;
  int own = run->columns - scene->series - 1;
  const char **names = STC_TAKE(&run->arena, const char *, run->columns + 1);
  if (!names) return NULL;
  names[0] = "t";
  for (int k = 0; k < own; k++) names[1 + k] = run->moving->columns.entry[k].name;
  for (int k = 0; k < scene->series; k++) names[1 + own + k] = scene->serie[k].name;
  return names;
}

static const char **parameter_texts(stc_run *run) {
  const stc_scene *scene = run->scene;
  const char **texts = STC_TAKE(&run->arena, const char *, scene->parameters + 1);
  for (int k = 0; texts && k < scene->parameters; k++) {
    const stc_parameter *p = &scene->parameter[k];
    size_t room = strlen(p->name) + strlen(p->value) + 2;
    char *text = STC_TAKE(&run->arena, char, room);
    if (text) stc_snprintf(text, room, "%s=%s", p->name, p->value);
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
                           .payload = run->payload_size,
                           .blocks = run->moving->blocks,
                           .block = run->moving->block,
                           .mesh = run->moving->mesh,
                           .constants = run->moving->constants,
                           .constant = run->moving->constant};
  STC_TRY(stc_arena_check(&run->arena));
  int first = run->columns - run->scene->series;
  for (int k = first; k < run->columns; k++)
    for (int i = 0; i < first; i++)
      if (!strcmp(head->columns[k], head->columns[i]))
        return stc_fail(STC_ERR_FORMAT, "%s:%d: a series cannot be called '%s': every run has it",
                        run->scene->path, run->scene->serie[k - first].function.line,
                        head->columns[k]);
  return STC_OK;
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
  STC_TRY(stc_view_set_memory(run->scene, run->payload));
  const double *kept = run->payload + run->scene->kept;
  if (run->moving->kept_count)
    memcpy(run->moving->kept, kept, run->moving->kept_count * sizeof *kept);
  STC_TRY(run->kind->restore(run->moving, kept + run->moving->kept_count));
  run->resumed = stc_run_steps(run);
  run->last_flush = stc_clock();
  run->safe_time = stc_run_time(run);
  return STC_OK;
}

// --- Opening and closing ---

// Numbers in the blocks of a row.
static size_t size_of_blocks(const stc_moving *m) {
  size_t size = 0;
  for (int k = 0; k < m->blocks; k++) size += (size_t)m->block[k].count;
  return size;
}

static stc_error allocate_run(stc_run *run) {
  const stc_scene *scene = run->scene;
  size_t payload =
      (size_t)scene->kept + run->moving->kept_count + run->kind->state_size(run->moving);
  if (payload > MOST_PAYLOAD)
    return stc_fail(STC_ERR_UNSUPPORTED, "%s:%d: a state of %zu numbers; the largest has %d",
                    scene->path, scene->line, payload, MOST_PAYLOAD);
  run->columns = 1 + run->moving->columns.count + scene->series;
  run->payload_size = (int)payload;
  run->answer = STC_TAKE(&run->arena, stc_arena, scene->observables + 1);
  run->row = STC_TAKE(&run->arena, double, (size_t)run->columns + size_of_blocks(run->moving));
  run->payload = STC_TAKE(&run->arena, double, run->payload_size);
  return stc_arena_check(&run->arena);
}

static stc_error open(stc_run *run, const stc_run_settings *settings) {
  run->t_end = settings->until_given ? settings->until : run->scene->t_end;
  run->flush_seconds = settings->flush_seconds > 0 ? settings->flush_seconds : USUAL_FLUSH;
  run->moving = stc_calloc(1, run->kind->size);
  if (!run->moving) return stc_fail(STC_ERR_MEMORY, "out of memory for a run");
  run->moving->scene = run->scene;
  run->moving->t_last = INFINITY;
  STC_TRY(run->kind->open(run->moving, settings));
  STC_TRY(stc_arena_check(&run->moving->arena));
  STC_TRY(allocate_run(run));
  STC_TRY(stc_view_open(run->scene));
  stc_store_head head;
  STC_TRY(make_head(run, &head));
  if (!settings->output) return STC_OK;
  STC_TRY(stc_fingerprint_take(run->scene, &run->fingerprint));
  bool is_there = access(settings->output, F_OK) == 0;
  if (settings->resume && is_there) return resume_file(run, settings->output, &head);
  return begin_file(run, settings->output, &head);
}

static void release(stc_run **run) {
  stc_store_close(&(*run)->store);
  stc_fingerprint_free(&(*run)->fingerprint);
  if ((*run)->moving) {
    (*run)->kind->close((*run)->moving);
    stc_arena_free(&(*run)->moving->arena);
    stc_release(&(*run)->moving);
  }
  for (int k = 0; (*run)->answer && k < (*run)->scene->observables; k++)
    stc_arena_free(&(*run)->answer[k]);
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
  made->kind = scene->kind;
  made->progress = settings->progress;
  made->progress_user = settings->progress_user;
  stc_error error = open(made, settings);
  if (error)
    release(&made);
  else
    *run = made;
  return error;
}

// At the end the observables go into the file too.
static stc_error finish_file(stc_run *run) {
  stc_observed *values = STC_TAKE(&run->arena, stc_observed, run->scene->observables + 1);
  STC_TRY(stc_arena_check(&run->arena));
  if (run->dirty) STC_TRY(flush(run));
  if (!stc_run_done(run)) return STC_OK;
  for (int k = 0; k < run->scene->observables; k++) {
    stc_error error = stc_run_observe(run, k, &values[k]);
    if (error) return error == STC_ERR_CALLBACK ? STC_OK : error;  // a resumed run asks again
  }
  return explain_loss(run, stc_store_observe(run->store, values));
}

stc_error stc_run_close(stc_run **run) {
  if (!run || !*run) return STC_OK;
  stc_error error = (*run)->store && !(*run)->broken ? finish_file(*run) : STC_OK;
  release(run);
  return error;
}

// --- Stepping ---

static stc_error after_step(stc_run *run) {
  run->shown = false;
  if (stc_callback_is_there(&run->scene->after_step)) {
    STC_TRY(show_moment(run));
    STC_TRY(stc_view_step(run->scene));
  }
  STC_TRY(store_row(run));
  return flush_is_due(run) ? flush(run) : flush_full_rows(run);
}

// After a failure the rows are still good, but the scene may have been told half of the step: the
// last checkpoint stands.
static stc_error break_off(stc_run *run, stc_error error) {
  if (run->store && !run->broken) {
    char sentence[1024];
    stc_snprintf(sentence, sizeof sentence, "%s", stc_error_detail());
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
  stc_error error = run->kind->step(run->moving, run->t_end, report);
  if (!error && !report->accepted) return STC_OK;
  run->dirty = true;
  if (!error) error = after_step(run);
  return error ? break_off(run, error) : STC_OK;
}

// --- Asking ---

bool stc_run_done(const stc_run *run) {
  const stc_moving *m = run->moving;
  if (run->kind->reached) return run->kind->reached(m, run->t_end);
  return m->t >= fmin(run->t_end, m->t_last) - m->slack;
}

double stc_run_time(const stc_run *run) { return run->moving->t; }
double stc_run_end(const stc_run *run) { return run->t_end; }
long stc_run_steps(const stc_run *run) { return run->moving->step; }
const char *stc_run_replay(const stc_run *run) { return run->scene->replay; }
long stc_run_resumed(const stc_run *run) { return run->resumed; }
const double *stc_run_q(const stc_run *run) { return run->moving->q; }
const double *stc_run_u(const stc_run *run) { return run->moving->u; }
const stc_ledger *stc_run_ledger(const stc_run *run) { return run->moving->ledger; }
const stc_world_report *stc_run_world(const stc_run *run) { return run->moving->world; }
stc_world *stc_run_bodies(const stc_run *run) { return run->moving->bodies; }
const stc_fem_report *stc_run_fem(const stc_run *run) { return run->moving->fem; }

bool stc_run_elastodynamic(const stc_run *run, int k, stc_elastodynamic_report *report) {
  return run->kind->wave && run->kind->wave(run->moving, k, report);
}

bool stc_run_energy(const stc_run *run, int k, const char **name, double *value) {
  const stc_shown_list *energy = &run->moving->energy;
  if (k < 0 || k >= energy->count) return false;
  *name = energy->entry[k].name;
  *value = *energy->entry[k].at;
  return true;
}

static bool may_observe(void *user) {
  stc_run *run = user;
  return run->progress(run->progress_user, "", 0);
}

stc_error stc_run_observe(stc_run *run, int k, stc_observed *observed) {
  if (!run || !observed || k < 0 || k >= run->scene->observables)
    return stc_fail(STC_ERR_ARGUMENT, "stc_run_observe: there is no observable %d", k);
  stc_stop scope;
  stc_stop_open(&scope, INFINITY, run->progress ? may_observe : NULL, run);
  run->scene->box.stoppable = true;
  stc_error error = show_moment(run);
  stc_arena_free(&run->answer[k]);
  if (!error) error = stc_view_observable(run->scene, k, &run->answer[k], observed);
  run->scene->box.stoppable = false;
  if (!stc_stop_close(&scope)) return error;
  return stc_fail(STC_ERR_CALLBACK, "observable '%s': the progress callback stopped it",
                  run->scene->observable[k].name);
}

stc_error stc_run_observable(stc_run *run, int k, double *value) {
  stc_observed observed;
  if (!value) return stc_fail(STC_ERR_ARGUMENT, "stc_run_observable needs a place for the number");
  STC_TRY(stc_run_observe(run, k, &observed));
  if (observed.kind != STC_OBSERVED_NUMBER)
    return stc_fail(STC_ERR_VALUE, "%s:%d: observable '%s' is no number; ask stc_run_observe",
                    run->scene->path, run->scene->observable[k].function.line,
                    run->scene->observable[k].name);
  *value = observed.number;
  return STC_OK;
}

// --- A step that was not accepted ---

stc_error stc_run_capsule(const stc_run *run, const char *path) {
  const double *guess = NULL;
  char text[2000];
  if (!run || !path) return stc_fail(STC_ERR_ARGUMENT, "stc_run_capsule needs a run and a path");
  const stc_problem *problem = run->kind->problem ? run->kind->problem(run->moving, &guess) : NULL;
  if (!problem)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "the last step has no contact problem: there is no capsule");
  const stc_scene *scene = run->scene;
  char stepping[100] = "";
  if (run->kind == &stc_kind_lagrangian || run->kind == &stc_kind_bodies)
    stc_snprintf(stepping, sizeof stepping, ", h = %.17g, accept = %g", scene->stepping.h,
                 scene->stepping.accept);
  stc_snprintf(
      text, sizeof text,
      "a step that stiction run did not accept: scene %s, step %ld from t = %.17g%s; repeat "
      "it with stiction solve %s",
      scene->path, stc_run_steps(run) + 1, stc_run_time(run), stepping, scene->replay);
  return stc_run_file_problem(problem, guess, text, path);
}
