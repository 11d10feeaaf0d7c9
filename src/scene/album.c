// Reads the pictures of a run file: what the scene asked for once, filled with the columns and
// blocks of its rows.
#include <stiction/scene.h>

#include "../base/memory.h"
#include "store_file.h"

#include <stddef.h>
#include <string.h>

enum { PARTS = 3 };  // texts behind the first one of a name

typedef struct held_album {
  stc_album public;
  stc_run_reader file;
  const double *value;  // [rows*columns]
  int constants;
  const char **name;
  int *count;
  double *numbers;
} held_album;

// --- What the file has ---

static stc_error read_constants(held_album *h) {
  stc_run_reader *f = &h->file;
  stc_h5_object object;
  uint64_t sum = 1;
  STC_TRY(stc_run_file_texts(&f->h5, STC_RUN_CONSTANTS, &f->arena, &h->name, &h->constants));
  if (h->constants == 0) return STC_OK;
  STC_TRY(stc_run_reader_counts(f, STC_RUN_CONSTANT_OF, h->constants, &h->count, &sum));
  STC_TRY(stc_run_file_find(&f->h5, STC_RUN_CONSTANT, STC_H5_REAL, &object));
  if (object.count != sum)
    return stc_fail(STC_ERR_FORMAT, "%s has %llu numbers, not %llu", STC_RUN_CONSTANT,
                    (unsigned long long)object.count, (unsigned long long)sum);
  h->numbers = STC_TAKE(&f->arena, double, sum);
  STC_TRY(stc_arena_check(&f->arena));
  return stc_h5_doubles(&f->h5, &object, sum, h->numbers);
}

// --- Pictures ---

// "line|LABEL|X|Y" in its texts, cut in place; those that are not there are empty.
static char *split_name(held_album *h, const char *name, const char *part[PARTS]) {
  char *at = STC_TAKE(&h->file.arena, char, strlen(name) + 1), *first = at;
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

static int column_of(const stc_run_reader *f, const char *name) {
  for (int k = 0; k < f->columns; k++)
    if (!strcmp(f->column[k], name)) return k;
  return -1;
}

static stc_error add_line(held_album *h, stc_picture *p, const char *const part[PARTS],
                          stc_picture_line *line) {
  int x = column_of(&h->file, part[1]), y = column_of(&h->file, part[2]);
  if (x < 0 || y < 0)
    return stc_fail(STC_ERR_FORMAT, "picture '%.60s': the run has no column '%.60s'", p->title,
                    part[x < 0 ? 1 : 2]);
  *line = (stc_picture_line){part[0], h->file.rows, h->file.columns, h->value + x, h->value + y};
  return STC_OK;
}

// The block "rate|NAME" of all rows.
static stc_error add_map(held_album *h, stc_picture *p, const char *name, int count,
                         const double *place) {
  stc_run_reader *f = &h->file;
  size_t at = (size_t)f->columns, width = (size_t)count;
  int k = 0;
  for (; k < f->blocks && strcmp(f->block[k], name) != 0; k++) at += (size_t)f->block_count[k];
  if (k == f->blocks || f->block_count[k] != count || count == 0)
    return stc_fail(STC_ERR_FORMAT, "picture '%.60s': the run has no field '%.60s'", p->title,
                    name);
  double *map = STC_TAKE(&f->arena, double, (size_t)f->rows *width);
  STC_TRY(stc_arena_check(&f->arena));
  for (long i = 0; i < f->rows; i++)
    STC_TRY(stc_run_reader_row(f, i, at, width, map + (size_t)i * width));
  p->places = count;
  p->place = place;
  p->times = f->rows;
  p->stride = f->columns;
  p->time = h->value;
  p->map = map;
  return STC_OK;
}

// One constant: a picture begins, or the last one gets what is in it.
static stc_error add_constant(held_album *h, int k, const double *numbers, stc_picture *picture,
                              stc_picture_line **room) {
  const char *part[PARTS];
  const char *what = split_name(h, h->name[k], part);
  STC_TRY(stc_arena_check(&h->file.arena));
  if (!strcmp(what, "picture")) {
    picture[h->public.pictures++] =
        (stc_picture){.title = part[0], .x_label = part[1], .line = *room};
    return STC_OK;
  }
  if (h->public.pictures == 0)
    return stc_fail(STC_ERR_FORMAT, "'%.60s' belongs to no picture", h->name[k]);
  stc_picture *p = &picture[h->public.pictures - 1];
  if (!strcmp(what, "map")) return add_map(h, p, h->name[k] + 4, h->count[k], numbers);
  if (!strcmp(what, "line")) {
    STC_TRY(add_line(h, p, part, *room));
  } else if (!strcmp(what, "curve")) {
    long points = h->count[k] / 2;
    **room = (stc_picture_line){part[0], points, 1, numbers, numbers + points};
  } else {
    return stc_fail(STC_ERR_FORMAT, "there is an unknown constant '%.60s'", h->name[k]);
  }
  p->lines++;
  (*room)++;
  return STC_OK;
}

// --- Opening ---

static stc_error fill_album(void *object) {
  held_album *h = object;
  STC_TRY(read_constants(h));
  if (h->constants == 0) return STC_OK;
  STC_TRY(stc_run_reader_values(&h->file, &h->value));
  stc_picture *picture = STC_TAKE(&h->file.arena, stc_picture, h->constants + 1);
  stc_picture_line *room = STC_TAKE(&h->file.arena, stc_picture_line, h->constants + 1);
  const double *at = h->numbers;
  STC_TRY(stc_arena_check(&h->file.arena));
  h->public.picture = picture;
  for (int k = 0; k < h->constants; k++) {
    STC_TRY(add_constant(h, k, at, picture, &room));
    at += h->count[k];
  }
  return STC_OK;
}

stc_error stc_album_read(const char *path, stc_album **album) {
  return stc_run_read(path, "stc_album_read", sizeof(held_album), offsetof(held_album, file),
                      fill_album, album);
}

void stc_album_free(stc_album **album) {
  if (album) stc_run_free(album, offsetof(held_album, file));  // the public part comes first
}
