// Reading the parts of a run file.
#include "store_file.h"
#include "../base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t LONGEST_TEXT = 1 << 25;  // bytes; no scene is longer

stc_error stc_run_file_open(stc_h5 *h5, const char *path) {
  stc_arena arena = {0};
  stc_h5_object object = {0};
  char *format = NULL;
  STC_TRY(stc_h5_open(h5, path));
  STC_TRY(stc_h5_find(h5, STC_RUN_FORMAT_NAME, &object));
  bool is_text = object.kind == STC_H5_DATASET && object.class == STC_H5_TEXT &&
                 object.storage == STC_H5_PLAIN;
  if (!is_text || object.count != 1 || object.width > LONGEST_TEXT) {
    return stc_fail(STC_ERR_FORMAT, "it is no run file; 'stiction run SCENE -o FILE' writes one");
  }
  stc_error error = stc_h5_text(h5, &object, &arena, &format);
  if (!error && strcmp(format, STC_RUN_FORMAT) != 0)
    error = stc_fail(STC_ERR_FORMAT, "a run file of another version ('%.40s'; this is '%s')",
                     format, STC_RUN_FORMAT);
  stc_arena_free(&arena);
  return error;
}

stc_error stc_run_file_find(stc_h5 *h5, const char *name, stc_h5_class class,
                            stc_h5_object *object) {
  STC_TRY(stc_h5_find(h5, name, object));
  if (object->kind != STC_H5_DATASET || object->class != class)
    return stc_fail(STC_ERR_FORMAT, "the dataset %s is missing or of another kind", name);
  if (object->storage == STC_H5_PLAIN) return STC_OK;
  return stc_fail(STC_ERR_FORMAT,
                  "the dataset %s is chunked or was never written; run files are read as stiction "
                  "writes them: rewrite it with 'h5repack -l CONTI -f NONE OLD NEW'",
                  name);
}

stc_error stc_run_file_text(stc_h5 *h5, const char *name, stc_arena *arena, const char **text) {
  stc_h5_object object;
  char *read = NULL;
  STC_TRY(stc_run_file_find(h5, name, STC_H5_TEXT, &object));
  if (object.count != 1 || object.width > LONGEST_TEXT)
    return stc_fail(STC_ERR_FORMAT, "%s should be one text", name);
  STC_TRY(stc_h5_text(h5, &object, arena, &read));
  *text = read;
  return STC_OK;
}

stc_error stc_run_file_texts(stc_h5 *h5, const char *name, stc_arena *arena, const char ***texts,
                             int *count) {
  stc_h5_object object;
  *count = 0;
  STC_TRY(stc_h5_find(h5, name, &object));
  if (object.kind != STC_H5_NOTHING) STC_TRY(stc_run_file_find(h5, name, STC_H5_TEXT, &object));
  if (object.count > INT_MAX || object.width > LONGEST_TEXT)
    return stc_fail(STC_ERR_FORMAT, "%s is too long", name);
  *texts = STC_TAKE(arena, const char *, object.count + 1);
  char *all = STC_TAKE(arena, char, object.count *(object.width + 1) + 1);
  STC_TRY(stc_arena_check(arena));
  for (uint64_t k = 0; k < object.count; k++) {
    char *text = all + k * (object.width + 1);
    STC_TRY(stc_h5_load(h5, object.start + k * object.width, (size_t)object.width, text));
    (*texts)[k] = text;
  }
  *count = (int)object.count;
  return STC_OK;
}

// --- Readers ---

stc_error stc_run_reader_counts(stc_run_reader *r, const char *name, int count, int **counts,
                                uint64_t *sum) {
  stc_h5_object object;
  STC_TRY(stc_run_file_find(&r->h5, name, STC_H5_INTEGER, &object));
  if (object.count != (uint64_t)count)
    return stc_fail(STC_ERR_FORMAT, "%s has another length than its names", name);
  *counts = STC_TAKE(&r->arena, int, count);
  STC_TRY(stc_arena_check(&r->arena));
  STC_TRY(stc_h5_ints(&r->h5, &object, object.count, *counts));
  for (int k = 0; k < count; k++) {
    if ((*counts)[k] < 0) return stc_fail(STC_ERR_FORMAT, "%s is negative", name);
    *sum += (uint64_t)(*counts)[k];
  }
  return STC_OK;
}

static stc_error open_reader(stc_run_reader *r, const char *path) {
  STC_TRY(stc_run_file_open(&r->h5, path));
  char *copy = STC_TAKE(&r->arena, char, strlen(path) + 1);
  STC_TRY(stc_arena_check(&r->arena));
  r->path = memcpy(copy, path, strlen(path));
  STC_TRY(stc_run_file_texts(&r->h5, STC_RUN_COLUMNS, &r->arena, &r->column, &r->columns));
  STC_TRY(stc_run_file_texts(&r->h5, STC_RUN_BLOCKS, &r->arena, &r->block, &r->blocks));
  STC_TRY(stc_run_file_find(&r->h5, STC_RUN_STEPS, STC_H5_REAL, &r->table));
  uint64_t width = (uint64_t)r->columns;
  if (r->blocks)
    STC_TRY(stc_run_reader_counts(r, STC_RUN_BLOCK_SIZES, r->blocks, &r->block_count, &width));
  if (r->columns < 1 || r->table.extent[1] != width || r->table.extent[0] > LONG_MAX)
    return stc_fail(STC_ERR_FORMAT,
                    "the rows of the table have another length than the names of what they hold");
  r->rows = (long)r->table.extent[0];
  return STC_OK;
}

stc_error stc_run_read(const char *path, const char *who, size_t size, size_t at,
                       stc_error (*fill)(void *object), void *address) {
  char *object = NULL;
  if (address) memcpy(address, &object, sizeof object);
  if (!path || !address) return stc_fail(STC_ERR_ARGUMENT, "%s needs a path and an address", who);
  object = stc_calloc(1, size);
  if (!object) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", path);
  stc_run_reader *r = (stc_run_reader *)(void *)(object + at);
  r->h5.fd = -1;
  stc_error error = open_reader(r, path);
  if (!error) error = fill(object);
  if (error) {
    stc_run_reader_close(r);
    stc_release(&object);
    return stc_fail_in(error, path);
  }
  memcpy(address, &object, sizeof object);
  return STC_OK;
}

void stc_run_reader_close(stc_run_reader *r) {
  stc_h5_close(&r->h5);
  stc_arena_free(&r->arena);
}

void stc_run_free(void *address, size_t at) {
  char *object = NULL;
  memcpy(&object, address, sizeof object);
  if (!object) return;
  stc_run_reader_close((stc_run_reader *)(void *)(object + at));
  stc_release(address);
}

stc_error stc_run_reader_row(stc_run_reader *r, long i, size_t first, size_t count,
                             double *numbers) {
  stc_h5_object row = r->table;
  row.start += ((uint64_t)i * row.extent[1] + first) * row.width;
  row.count = count;
  return stc_h5_doubles(&r->h5, &row, count, numbers);
}

stc_error stc_run_reader_values(stc_run_reader *r, const double **values) {
  size_t columns = (size_t)r->columns;
  double *read = STC_TAKE_RAW(&r->arena, double, (size_t)r->rows *columns);
  STC_TRY(stc_arena_check(&r->arena));
  *values = read;
  if (r->blocks == 0) return stc_run_reader_row(r, 0, 0, r->table.count, read);
  for (long i = 0; i < r->rows; i++)
    STC_TRY(stc_run_reader_row(r, i, 0, columns, read + (size_t)i * columns));
  return STC_OK;
}

// --- A problem beside a run ---

static stc_error write_draft(const stc_problem *problem, const double *guess, const char *text,
                             const char *path) {
  stc_problem *copy = NULL;
  stc_error error = stc_problem_write(problem, NULL, path);
  if (!error) error = stc_problem_read(path, &copy);
  if (!error) error = stc_problem_set_text(copy, &(stc_problem_text){.description = text});
  if (!error) error = stc_problem_write(copy, NULL, path);
  if (!error) error = stc_guesses_write(path, copy, &(stc_solution){.r = (double *)guess}, 1);
  stc_problem_free(&copy);
  return error;
}

stc_error stc_run_file_problem(const stc_problem *problem, const double *guess, const char *text,
                               const char *path) {
  stc_text draft = {0};
  stc_text_put(&draft, "%s.new", path);
  if (draft.failed) {
    stc_text_free(&draft);
    return stc_fail(STC_ERR_MEMORY, "%s: out of memory for a name", path);
  }
  stc_error error = write_draft(problem, guess, text, draft.at);
  if (!error && rename(draft.at, path) != 0)
    error = stc_fail(STC_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
  if (error) unlink(draft.at);
  stc_text_free(&draft);
  return error;
}
