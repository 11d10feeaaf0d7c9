// Reads the table of a run file.
#include <stiction/scene.h>

#include "../base/memory.h"
#include "../base/number.h"
#include "store_file.h"

#include <stddef.h>
#include <string.h>

// What a trajectory is made of, and the memory it lies in.
typedef struct held_trajectory {
  stc_trajectory public;
  stc_run_reader file;
} held_trajectory;

// Numbers of a list, "1,2,3".
static void parse_list(stc_arena *arena, const char *text, stc_observed *observed) {
  size_t commas = 0;
  for (const char *at = text; *at; at++) commas += *at == ',';
  double *list = STC_TAKE(arena, double, commas + 1);
  char *end;
  for (int k = 0; list && *text; text = *end ? end + 1 : end) {
    double x = stc_strtod(text, &end);
    if (end == text || (*end && *end != ',')) break;
    list[k++] = x;
    observed->count = k;
  }
  observed->list = list;
}

static void parse_text(stc_arena *arena, const char *text, stc_observed *observed) {
  if (text[0] == 't') {
    observed->kind = STC_OBSERVED_TEXT;
    observed->text = text + 1;
  } else if (text[0] == 'l') {
    observed->kind = STC_OBSERVED_LIST;
    parse_list(arena, text + 1, observed);
  }
}

static stc_error read_observed(held_trajectory *held, stc_observed *observed) {
  stc_trajectory *t = &held->public;
  stc_run_reader *f = &held->file;
  stc_h5_object object;
  const char **texts = NULL;
  int count = 0;
  double *values = STC_TAKE(&f->arena, double, t->observables);
  STC_TRY(stc_run_file_find(&f->h5, STC_RUN_OBSERVED, STC_H5_REAL, &object));
  STC_TRY(stc_run_file_texts(&f->h5, STC_RUN_OBSERVED_AS, &f->arena, &texts, &count));
  if (object.count != (uint64_t)t->observables || count != t->observables)
    return stc_fail(STC_ERR_FORMAT, "%s and %s differ in length", STC_RUN_OBSERVABLES,
                    STC_RUN_OBSERVED);
  STC_TRY(stc_arena_check(&f->arena));
  STC_TRY(stc_h5_doubles(&f->h5, &object, object.count, values));
  for (int k = 0; k < count; k++) {
    observed[k].number = values[k];
    parse_text(&f->arena, texts[k], &observed[k]);
  }
  return stc_arena_check(&f->arena);
}

static stc_error fill_trajectory(void *object) {
  held_trajectory *held = object;
  stc_trajectory *t = &held->public;
  stc_run_reader *f = &held->file;
  stc_h5_object series;
  const char **parameters = NULL, **observables = NULL;
  t->columns = f->columns;
  t->rows = f->rows;
  t->name = f->column;
  t->rigid = f->blocks == 1 && !strcmp(f->block[0], STC_RUN_PLACES);  // read by stc_replay
  t->blocks = t->rigid ? 0 : f->blocks;
  STC_TRY(
      stc_run_file_texts(&f->h5, STC_RUN_OBSERVABLES, &f->arena, &observables, &t->observables));
  stc_observed *observed = STC_TAKE(&f->arena, stc_observed, t->observables + 1);
  STC_TRY(stc_arena_check(&f->arena));
  t->observable = observables;
  t->observed = observed;
  if (t->observables) STC_TRY(read_observed(held, observed));
  STC_TRY(stc_run_file_text(&f->h5, STC_RUN_SCENE, &f->arena, &t->scene));
  STC_TRY(stc_run_file_texts(&f->h5, STC_RUN_PARAMETERS, &f->arena, &parameters, &t->parameters));
  t->parameter = parameters;
  STC_TRY(stc_run_file_find(&f->h5, STC_RUN_SERIES, STC_H5_INTEGER, &series));
  if (series.count != 1) return stc_fail(STC_ERR_FORMAT, "%s is not one number", STC_RUN_SERIES);
  STC_TRY(stc_h5_ints(&f->h5, &series, 1, &t->series));
  if (t->series >= 1 && t->series <= t->columns) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s = %d for %d columns", STC_RUN_SERIES, t->series, t->columns);
}

static stc_error fill_with_values(void *object) {
  held_trajectory *held = object;
  STC_TRY(stc_run_reader_values(&held->file, &held->public.value));
  return fill_trajectory(held);
}

stc_error stc_trajectory_read(const char *path, stc_trajectory **trajectory) {
  return stc_run_read(path, "stc_trajectory_read", sizeof(held_trajectory),
                      offsetof(held_trajectory, file), fill_with_values, trajectory);
}

stc_error stc_trajectory_read_head(const char *path, stc_trajectory **trajectory) {
  return stc_run_read(path, "stc_trajectory_read_head", sizeof(held_trajectory),
                      offsetof(held_trajectory, file), fill_trajectory, trajectory);
}

void stc_trajectory_free(stc_trajectory **trajectory) {
  if (trajectory)
    stc_run_free(trajectory, offsetof(held_trajectory, file));  // the public part comes first
}
