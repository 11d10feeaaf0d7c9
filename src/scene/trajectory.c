// Reads the table of a run file.
#include <stiction/scene.h>

#include "../base/memory.h"
#include "../base/number.h"
#include "store_file.h"

#include <limits.h>
#include <string.h>

// What a trajectory is made of, and the memory it lies in.
typedef struct held_trajectory {
  stc_trajectory public;
  stc_arena arena;
} held_trajectory;

// The places of rigid bodies are read by stc_replay.
static stc_error find_rigid(stc_h5 *h5, held_trajectory *held) {
  stc_trajectory *t = &held->public;
  const char **names = NULL;
  int count = 0;
  STC_TRY(stc_run_file_texts(h5, STC_RUN_BLOCKS, &held->arena, &names, &count));
  t->rigid = count == 1 && !strcmp(names[0], STC_RUN_PLACES);
  if (t->rigid) t->blocks = 0;
  return STC_OK;
}

static stc_error read_table(stc_h5 *h5, held_trajectory *held, bool values_too) {
  stc_trajectory *t = &held->public;
  stc_h5_object table;
  const char **names = NULL;
  STC_TRY(stc_run_file_texts(h5, STC_RUN_COLUMNS, &held->arena, &names, &t->columns));
  STC_TRY(stc_run_file_table(h5, &table, &t->blocks));
  bool fits =
      t->blocks ? table.extent[1] > (uint64_t)t->columns : table.extent[1] == (uint64_t)t->columns;
  if (t->columns < 1 || !fits || table.extent[0] > LONG_MAX)
    return stc_fail(STC_ERR_FORMAT, "the table has other columns than the list of their names");
  t->rows = (long)table.extent[0];
  t->name = names;
  if (!values_too) return STC_OK;
  size_t columns = (size_t)t->columns;
  double *values = STC_TAKE_RAW(&held->arena, double, (size_t)t->rows *columns);
  STC_TRY(stc_arena_check(&held->arena));
  t->value = values;
  if (t->blocks == 0) return stc_h5_doubles(h5, &table, table.count, values);
  for (long i = 0; i < t->rows; i++) {
    stc_h5_object row = stc_run_file_row(&table, i);
    STC_TRY(stc_h5_doubles(h5, &row, columns, values + (size_t)i * columns));
  }
  return STC_OK;
}

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

static stc_error read_observed(stc_h5 *h5, held_trajectory *held, stc_observed *observed) {
  stc_trajectory *t = &held->public;
  stc_h5_object object;
  const char **texts = NULL;
  int count = 0;
  double *values = STC_TAKE(&held->arena, double, t->observables);
  STC_TRY(stc_run_file_find(h5, STC_RUN_OBSERVED, STC_H5_REAL, &object));
  STC_TRY(stc_run_file_texts(h5, STC_RUN_OBSERVED_AS, &held->arena, &texts, &count));
  if (object.count != (uint64_t)t->observables || count != t->observables)
    return stc_fail(STC_ERR_FORMAT, "%s and %s differ in length", STC_RUN_OBSERVABLES,
                    STC_RUN_OBSERVED);
  STC_TRY(stc_arena_check(&held->arena));
  STC_TRY(stc_h5_doubles(h5, &object, object.count, values));
  for (int k = 0; k < count; k++) {
    observed[k].number = values[k];
    parse_text(&held->arena, texts[k], &observed[k]);
  }
  return stc_arena_check(&held->arena);
}

static stc_error read_observables(stc_h5 *h5, held_trajectory *held) {
  stc_trajectory *t = &held->public;
  const char **names = NULL;
  STC_TRY(stc_run_file_texts(h5, STC_RUN_OBSERVABLES, &held->arena, &names, &t->observables));
  stc_observed *observed = STC_TAKE(&held->arena, stc_observed, t->observables + 1);
  STC_TRY(stc_arena_check(&held->arena));
  t->observable = names;
  t->observed = observed;
  return t->observables ? read_observed(h5, held, observed) : STC_OK;
}

static stc_error read_trajectory(stc_h5 *h5, held_trajectory *held, bool values_too) {
  stc_trajectory *t = &held->public;
  stc_h5_object series;
  const char **parameters = NULL;
  STC_TRY(read_table(h5, held, values_too));
  STC_TRY(find_rigid(h5, held));
  STC_TRY(read_observables(h5, held));
  STC_TRY(stc_run_file_text(h5, STC_RUN_SCENE, &held->arena, &t->scene));
  STC_TRY(stc_run_file_texts(h5, STC_RUN_PARAMETERS, &held->arena, &parameters, &t->parameters));
  t->parameter = parameters;
  STC_TRY(stc_run_file_find(h5, STC_RUN_SERIES, STC_H5_INTEGER, &series));
  if (series.count != 1) return stc_fail(STC_ERR_FORMAT, "%s is not one number", STC_RUN_SERIES);
  STC_TRY(stc_h5_ints(h5, &series, 1, &t->series));
  if (t->series >= 1 && t->series <= t->columns) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s = %d for %d columns", STC_RUN_SERIES, t->series, t->columns);
}

static stc_error read_file(const char *path, bool values_too, stc_trajectory **trajectory) {
  stc_h5 h5 = {.fd = -1};
  if (trajectory) *trajectory = NULL;
  if (!path || !trajectory)
    return stc_fail(STC_ERR_ARGUMENT, "stc_trajectory_read needs a path and an address");
  held_trajectory *held = stc_calloc(1, sizeof *held);
  if (!held) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", path);
  stc_error error = stc_run_file_open(&h5, path);
  if (!error) error = read_trajectory(&h5, held, values_too);
  stc_h5_close(&h5);
  *trajectory = &held->public;
  if (error) stc_trajectory_free(trajectory);
  return error ? stc_fail_in(error, path) : STC_OK;
}

stc_error stc_trajectory_read(const char *path, stc_trajectory **trajectory) {
  return read_file(path, true, trajectory);
}

stc_error stc_trajectory_read_head(const char *path, stc_trajectory **trajectory) {
  return read_file(path, false, trajectory);
}

void stc_trajectory_free(stc_trajectory **trajectory) {
  if (!trajectory || !*trajectory) return;
  held_trajectory *held = (held_trajectory *)*trajectory;  // its first member
  stc_arena_free(&held->arena);
  stc_release(&held);
  *trajectory = NULL;
}
