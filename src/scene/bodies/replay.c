// Rigid bodies out of a run file, row by row: the scene and its parameters are in the file, a row
// holds where the bodies are, and the contacts of the step that begins there are found again.
#include <stiction/scene.h>

#include "../../base/number.h"
#include "../store_file.h"
#include "context.h"

#include <stddef.h>
#include <string.h>

struct stc_replay {
  stc_run_reader file;
  double *row;  // [columns + places]
  long at;
  stc_scene *scene;
  stc_world *world;
};

// --- Opening ---

static stc_error read_scene(stc_replay *replay) {
  const char *path = NULL, *text = NULL, **sets = NULL;
  stc_scene_options options = {.memory = (size_t)4 << 30};  // at least what a run may have had
  stc_run_reader *f = &replay->file;
  STC_TRY(stc_run_file_text(&f->h5, STC_RUN_SCENE, &f->arena, &path));
  STC_TRY(stc_run_file_text(&f->h5, STC_RUN_TEXT, &f->arena, &text));
  STC_TRY(stc_run_file_texts(&f->h5, STC_RUN_PARAMETERS, &f->arena, &sets, &options.sets));
  options.set = sets;
  STC_TRY(stc_scene_read_text(path, text, strlen(text), &options, &replay->scene));
  if (replay->scene->kind == &stc_kind_bodies) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "it is the run of %s, without rigid bodies",
                  replay->scene->kind->name);
}

static stc_error load_row(stc_replay *replay, long row) {
  stc_run_reader *f = &replay->file;
  STC_TRY(stc_run_reader_row(f, row, 0, f->table.extent[1], replay->row));
  STC_TRY(stc_world_set_places(replay->world, row * replay->scene->store_every,
                               replay->row + f->columns));
  replay->at = row;
  return STC_OK;
}

static stc_error open_replay(stc_replay *replay) {
  stc_run_reader *f = &replay->file;
  STC_TRY(read_scene(replay));
  if (f->blocks != 1 || f->block_count[0] != replay->scene->dofs)
    return stc_fail(STC_ERR_FORMAT, "its rows do not hold the bodies of its scene");
  if (f->rows == 0) return stc_fail(STC_ERR_FORMAT, "it has no rows yet");
  replay->row = STC_TAKE(&f->arena, double, f->table.extent[1]);
  STC_TRY(stc_arena_check(&f->arena));
  STC_TRY(stc_bodies_build(replay->scene, &replay->scene->context->settings, &replay->world));
  return load_row(replay, f->rows - 1);
}

static void free_parts(stc_replay *replay) {
  stc_world_free(&replay->world);
  stc_scene_free(&replay->scene);
}

static stc_error fill_replay(void *replay) {
  stc_error error = open_replay(replay);
  if (error) free_parts(replay);
  return error;
}

stc_error stc_replay_open(const char *path, stc_replay **replay) {
  return stc_run_read(path, "stc_replay_open", sizeof **replay, offsetof(stc_replay, file),
                      fill_replay, replay);
}

void stc_replay_free(stc_replay **replay) {
  if (!replay || !*replay) return;
  free_parts(*replay);
  stc_run_reader_close(&(*replay)->file);
  stc_release(replay);
}

// --- Rows ---

stc_error stc_replay_load(stc_replay *replay, long row) {
  if (!replay || row < 0 || row >= replay->file.rows)
    return stc_fail(STC_ERR_ARGUMENT, "there is no row %ld; the run has rows 0 to %ld", row,
                    replay ? replay->file.rows - 1 : 0);
  stc_error error = load_row(replay, row);
  return error ? stc_fail_in(error, replay->file.path) : STC_OK;
}

stc_error stc_replay_step(stc_replay *replay, stc_world_report *report) {
  if (!replay || !report) return stc_fail(STC_ERR_ARGUMENT, "stc_replay_step needs a report");
  STC_TRY(stc_scene_error(replay->scene, stc_bodies_turn_gravity(replay->scene, replay->world)));
  return stc_scene_error(replay->scene, stc_world_step(replay->world, report));
}

long stc_replay_rows(const stc_replay *replay) { return replay->file.rows; }
long stc_replay_row(const stc_replay *replay) { return replay->at; }
double stc_replay_time(const stc_replay *replay) { return stc_world_time(replay->world); }
const stc_world *stc_replay_world(const stc_replay *replay) { return replay->world; }

// --- What the scene says ---

static const stc_bodies_body *body_of(const stc_replay *replay, int body) {
  const stc_context *context = replay->scene->context;
  return body >= 0 && body < context->bodies.count ? &context->body[body] : NULL;
}

const char *stc_replay_name(const stc_replay *replay, int body) {
  const stc_bodies_body *b = body_of(replay, body);
  return b && b->named ? b->name : NULL;
}

bool stc_replay_camera(const stc_replay *replay, stc_camera *camera) {
  const stc_context *context = replay->scene->context;
  if (context->has_camera) *camera = context->camera;
  return context->has_camera;
}

bool stc_replay_color(const stc_replay *replay, int body, double rgb[3]) {
  const stc_bodies_body *b = body_of(replay, body);
  if (!b || !b->colored) return false;
  memcpy(rgb, b->color, sizeof b->color);
  return true;
}

// --- A step as a problem ---

stc_error stc_replay_write_problem(stc_replay *replay, long step, const char *path) {
  stc_world_report report;
  if (!replay || !path) return stc_fail(STC_ERR_ARGUMENT, "a step needs a replay and a path");
  long every = replay->scene->store_every, row = (step - 1) / every;
  if (step < 1 || row >= replay->file.rows)
    return stc_fail(STC_ERR_ARGUMENT, "there is no step %ld; the run has steps 1 to %ld", step,
                    replay->file.rows * every);
  STC_TRY(stc_replay_load(replay, row));
  for (long k = row * every; k < step; k++) {
    STC_TRY(stc_replay_step(replay, &report));
    if (!report.accepted && k + 1 < step) return stc_fail(STC_ERR_VALUE, "%s", report.reason);
  }
  const double *guess = NULL;
  char text[1500];
  const stc_problem *problem = stc_world_problem(replay->world, &guess);
  if (!problem)
    return stc_fail(STC_ERR_ARGUMENT, "step %ld has no contact problem: nothing touches", step);
  stc_snprintf(text, sizeof text,
               "step %ld of %s, to t = %.17g, h = %.17g; solve it with stiction "
               "solve %s",
               step, replay->scene->path, stc_world_time(replay->world), replay->scene->stepping.h,
               replay->scene->replay);
  return stc_run_file_problem(problem, guess, text, path);
}
