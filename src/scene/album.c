// Reads the pictures of a run file: what the scene asked for once, filled with the columns and
// blocks of its rows.
#include <stiction/scene.h>

#include "../base/memory.h"
#include "../base/number.h"
#include "store_file.h"

#include <math.h>
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

// Where the block of that name begins in a row; refuses one with another length.
static stc_error find_block(const held_album *h, const stc_picture *p, const char *name, int count,
                            size_t *at) {
  const stc_run_reader *f = &h->file;
  int k = 0;
  *at = (size_t)f->columns;
  for (; k < f->blocks && strcmp(f->block[k], name) != 0; k++) *at += (size_t)f->block_count[k];
  if (k < f->blocks && f->block_count[k] == count && count > 0) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "picture '%.60s': the run has no field '%.60s'", p->title, name);
}

// The block "rate|NAME" of all rows.
static stc_error add_map(held_album *h, stc_picture *p, const char *name, int count,
                         const double *place) {
  stc_run_reader *f = &h->file;
  size_t at, width = (size_t)count;
  STC_TRY(find_block(h, p, name, count, &at));
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

// --- Arrows ---

enum { ARROW = 6 };  // points of one: shaft, gap, head, gap ends it with the next

/// Of the extent of the surface: the longest arrow; of an arrow: its head.
static const double LONGEST = 0.2, HEAD = 0.25, HALF_WIDTH = 0.1;

static double extent_of(int count, const double *x) {
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < count; k++) low = fmin(low, x[k]), high = fmax(high, x[k]);
  return count ? high - low : 0;
}

// Two lines with a gap behind each: along (dx, dy) from (x, y), and the head, from side to side.
static void draw_arrow(double x, double y, double dx, double dy, double *at_x, double *at_y) {
  double tip_x = x + dx, tip_y = y + dy;
  double back_x = tip_x - HEAD * dx, back_y = tip_y - HEAD * dy;
  const double xs[] = {x, tip_x, back_x - HALF_WIDTH * dy, back_x + HALF_WIDTH * dy, tip_x, NAN};
  const double ys[] = {y, tip_y, back_y + HALF_WIDTH * dx, back_y - HALF_WIDTH * dx, tip_y, NAN};
  memcpy(at_x, xs, sizeof xs);
  memcpy(at_y, ys, sizeof ys);
}

// The vectors "rate_x|NAME", "rate_y|NAME" of the last row at their places.
static stc_error add_arrows(held_album *h, stc_picture *p, const char *member, int count,
                            const double *place, stc_picture_line *line) {
  stc_run_reader *f = &h->file;
  const size_t width = (size_t)count, points = ARROW * width;
  double *w = STC_TAKE(&f->arena, double, 2 * width + 2 * points), *x = w + 2 * width, longest = 0;
  char *label = STC_TAKE(&f->arena, char, 60);
  STC_TRY(stc_arena_check(&f->arena));
  for (int k = 0; k < 2 && f->rows > 0; k++) {
    char name[200];
    size_t at;
    stc_snprintf(name, sizeof name, "rate_%c|%.180s", "xy"[k], member);
    STC_TRY(find_block(h, p, name, count, &at));
    STC_TRY(stc_run_reader_row(f, f->rows - 1, at, width, w + (size_t)k * width));
  }
  for (int k = 0; k < count; k++) longest = fmax(longest, hypot(w[k], w[count + k]));
  double size = hypot(extent_of(count, place), extent_of(count, place + count));
  double scale = longest > 0 ? LONGEST * size / longest : 0;
  for (int k = 0; k < count; k++)
    draw_arrow(place[k], place[count + k], scale * w[k], scale * w[count + k], x + ARROW * k,
               x + points + ARROW * k);
  stc_snprintf(label, 60, "longest: %.3g", longest);
  *line = (stc_picture_line){label, (long)points, 1, x, x + points};
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
  } else if (!strcmp(what, "arrows")) {
    STC_TRY(add_arrows(h, p, part[1], h->count[k] / 2, numbers, *room));
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
