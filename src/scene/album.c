// Reads the pictures of a run file: what the scene asked for once, filled with the columns and
// blocks of its rows.
#include <stiction/scene.h>

#include "../base/memory.h"
#include "store_file.h"

#include <limits.h>
#include <string.h>

enum { PARTS = 3 };  // texts behind the first one of a name

typedef struct held_album {
  stc_album public;
  stc_arena arena;
  stc_trajectory *run;
  stc_h5 h5;
  stc_h5_object table;
  // blocks of a row
  int blocks;
  const char **block;
  int *block_count;
  // constants
  int constants;
  const char **name;
  int *count;
  double *numbers;
} held_album;

// --- What the file has ---

// Lengths that go with a list of names, none negative; their sum.
static stc_error read_counts(held_album *h, const char *path, int count, int **counts,
                             uint64_t *sum) {
  stc_h5_object object;
  STC_TRY(stc_run_file_find(&h->h5, path, STC_H5_INTEGER, &object));
  if (object.count != (uint64_t)count)
    return stc_fail(STC_ERR_FORMAT, "%s has another length than its names", path);
  *counts = STC_TAKE(&h->arena, int, count);
  STC_TRY(stc_arena_check(&h->arena));
  STC_TRY(stc_h5_ints(&h->h5, &object, object.count, *counts));
  for (int k = 0; k < count; k++) {
    if ((*counts)[k] < 0) return stc_fail(STC_ERR_FORMAT, "%s is negative", path);
    *sum += (uint64_t)(*counts)[k];
  }
  return STC_OK;
}

static stc_error read_blocks(held_album *h) {
  uint64_t width = (uint64_t)h->run->columns;
  int ignored;
  STC_TRY(stc_run_file_table(&h->h5, &h->table, &ignored));
  STC_TRY(stc_run_file_texts(&h->h5, STC_RUN_BLOCKS, &h->arena, &h->block, &h->blocks));
  if (h->blocks > 0)
    STC_TRY(read_counts(h, STC_RUN_BLOCK_SIZES, h->blocks, &h->block_count, &width));
  if (width == h->table.extent[1]) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "the rows of the table have another length than their blocks");
}

static stc_error read_constants(held_album *h) {
  stc_h5_object object;
  uint64_t sum = 1;
  STC_TRY(stc_run_file_texts(&h->h5, STC_RUN_CONSTANTS, &h->arena, &h->name, &h->constants));
  if (h->constants == 0) return STC_OK;
  STC_TRY(read_counts(h, STC_RUN_CONSTANT_OF, h->constants, &h->count, &sum));
  STC_TRY(stc_run_file_find(&h->h5, STC_RUN_CONSTANT, STC_H5_REAL, &object));
  if (object.count != sum)
    return stc_fail(STC_ERR_FORMAT, "%s has %llu numbers, not %llu", STC_RUN_CONSTANT,
                    (unsigned long long)object.count, (unsigned long long)sum);
  h->numbers = STC_TAKE(&h->arena, double, sum);
  STC_TRY(stc_arena_check(&h->arena));
  return stc_h5_doubles(&h->h5, &object, sum, h->numbers);
}

// --- Pictures ---

// "line|LABEL|X|Y" in its texts, cut in place; those that are not there are empty.
static char *split_name(held_album *h, const char *name, const char *part[PARTS]) {
  char *at = STC_TAKE(&h->arena, char, strlen(name) + 1), *first = at;
  if (!at) return NULL;
  memcpy(at, name, strlen(name) + 1);
  for (int k = 0; k < PARTS; k++) {
    char *bar = strchr(at, '|');
    part[k] = bar ? bar + 1 : "";
    if (!bar) continue;
    *bar = 0;
    at = bar + 1;
  }
  return first;
}

static int column_of(const stc_trajectory *run, const char *name) {
  for (int k = 0; k < run->columns; k++)
    if (!strcmp(run->name[k], name)) return k;
  return -1;
}

static void keep_line(stc_picture *p, stc_picture_line **room, stc_picture_line line) {
  *(*room)++ = line;
  p->lines++;
}

static stc_error add_line(held_album *h, stc_picture *p, const char *const part[PARTS],
                          stc_picture_line **room) {
  int x = column_of(h->run, part[1]), y = column_of(h->run, part[2]);
  if (x < 0 || y < 0)
    return stc_fail(STC_ERR_FORMAT, "picture '%.60s': the run has no column '%.60s'", p->title,
                    part[x < 0 ? 1 : 2]);
  keep_line(p, room,
            (stc_picture_line){part[0], h->run->rows, h->run->columns, h->run->value + x,
                               h->run->value + y});
  return STC_OK;
}

// The block "rate|NAME" of all rows.
static stc_error add_map(held_album *h, stc_picture *p, const char *name, int count,
                         const double *place) {
  uint64_t at = (uint64_t)h->run->columns;
  int k = 0;
  for (; k < h->blocks && strcmp(h->block[k], name) != 0; k++) at += (uint64_t)h->block_count[k];
  if (k == h->blocks || h->block_count[k] != count || count == 0)
    return stc_fail(STC_ERR_FORMAT, "picture '%.60s': the run has no field '%.60s'", p->title,
                    name);
  size_t rows = (size_t)h->run->rows, width = (size_t)count;
  double *map = STC_TAKE(&h->arena, double, rows *width);
  STC_TRY(stc_arena_check(&h->arena));
  for (size_t i = 0; i < rows; i++) {
    stc_h5_object row = stc_run_file_row(&h->table, (long)i);
    row.start += at * row.width;
    row.count = width;
    STC_TRY(stc_h5_doubles(&h->h5, &row, width, map + i * width));
  }
  p->places = count;
  p->place = place;
  p->times = h->run->rows;
  p->stride = h->run->columns;
  p->time = h->run->value;
  p->map = map;
  return STC_OK;
}

// One constant: a picture begins, or the last one gets what is in it.
static stc_error add_constant(held_album *h, int k, const double *numbers, stc_picture *picture,
                              stc_picture_line **room) {
  const char *part[PARTS];
  const char *what = split_name(h, h->name[k], part);
  STC_TRY(stc_arena_check(&h->arena));
  if (!strcmp(what, "picture")) {
    picture[h->public.pictures++] =
        (stc_picture){.title = part[0], .x_label = part[1], .line = *room};
    return STC_OK;
  }
  if (h->public.pictures == 0)
    return stc_fail(STC_ERR_FORMAT, "'%.60s' belongs to no picture", h->name[k]);
  stc_picture *p = &picture[h->public.pictures - 1];
  if (!strcmp(what, "line")) return add_line(h, p, part, room);
  if (!strcmp(what, "map")) return add_map(h, p, h->name[k] + 4, h->count[k], numbers);
  if (strcmp(what, "curve") != 0)
    return stc_fail(STC_ERR_FORMAT, "there is an unknown constant '%.60s'", h->name[k]);
  long points = h->count[k] / 2;
  keep_line(p, room, (stc_picture_line){part[0], points, 1, numbers, numbers + points});
  return STC_OK;
}

// --- Opening ---

static stc_error open_album(held_album *h, const char *path) {
  STC_TRY(stc_run_file_open(&h->h5, path));
  STC_TRY(read_constants(h));
  if (h->constants == 0) return STC_OK;
  STC_TRY(stc_trajectory_read(path, &h->run));
  STC_TRY(read_blocks(h));
  stc_picture *picture = STC_TAKE(&h->arena, stc_picture, h->constants + 1);
  stc_picture_line *room = STC_TAKE(&h->arena, stc_picture_line, h->constants + 1);
  const double *at = h->numbers;
  STC_TRY(stc_arena_check(&h->arena));
  h->public.picture = picture;
  for (int k = 0; k < h->constants; k++) {
    STC_TRY(add_constant(h, k, at, picture, &room));
    at += h->count[k];
  }
  return STC_OK;
}

stc_error stc_album_read(const char *path, stc_album **album) {
  if (album) *album = NULL;
  if (!path || !album)
    return stc_fail(STC_ERR_ARGUMENT, "stc_album_read needs a path and an address");
  held_album *h = stc_calloc(1, sizeof *h);
  if (!h) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", path);
  h->h5.fd = -1;
  stc_error error = open_album(h, path);
  stc_h5_close(&h->h5);
  *album = &h->public;
  if (error) stc_album_free(album);
  return error ? stc_fail_in(error, path) : STC_OK;
}

void stc_album_free(stc_album **album) {
  if (!album || !*album) return;
  held_album *h = (held_album *)*album;  // its first member
  stc_trajectory_free(&h->run);
  stc_arena_free(&h->arena);
  stc_release(&h);
  *album = NULL;
}
