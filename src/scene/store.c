// Writes run files: see store.h for why they survive whatever happens.
#include "store.h"
#include "../base/number.h"
#include "../base/save.h"
#include "../problem/fclib/h5_image.h"
#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum {
  SLOTS = 2,
  BUFFER = 1 << 20,  // bytes of rows kept between two flushes
  VERSION_AT = 8,    // superblock: where its version stands
  END_AT = 40,       // and, in version 0, the end of the file
  ALIGNMENT = 8,
  OBSERVED_NUMBER = 32  // bytes for a number of a list and a comma
};

static const char *const slot_names[SLOTS] = {"checkpoint/a", "checkpoint/b"};

struct stc_store {
  stc_arena arena;
  const char *path;
  int fd;
  size_t width;  // numbers in a row
  size_t row_bytes;
  uint64_t start;      // of the table
  uint64_t extent_at;  // where its extents and its place are declared
  uint64_t place_at;
  long rows;      // kept ones included
  long declared;  // rows the file declares
  double *buffer;
  int buffered, room;
  uint64_t slot_at[SLOTS];
  double *slot;  // one checkpoint in the making
  int slot_length;
  double number;  // of the last checkpoint
  uint64_t observed_at, texts_at;
  int observables;
};

static stc_error failed(const stc_store *s, const char *what) {
  return stc_fail(STC_ERR_FILE, "%s: cannot %s: %s", s->path, what, strerror(errno));
}

// --- Bytes ---

static stc_error put_bytes(const stc_store *s, uint64_t at, const void *bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    ssize_t n = pwrite(s->fd, (const char *)bytes + done, count - done, (off_t)(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed(s, "write");
    done += (size_t)n;
  }
  return STC_OK;
}

// Numbers of the format itself are little-endian on every machine.
static stc_error put_word(const stc_store *s, uint64_t at, uint64_t value) {
  uint8_t bytes[STC_H5_WORD];
  for (int k = 0; k < STC_H5_WORD; k++) bytes[k] = (uint8_t)(value >> 8 * k);
  return put_bytes(s, at, bytes, sizeof bytes);
}

static stc_error sync_data(const stc_store *s) {
  return fdatasync(s->fd) == 0 ? STC_OK : failed(s, "write");
}

static uint64_t end_of(const stc_store *s, long rows) {
  return s->start + (uint64_t)rows * s->row_bytes;
}

// Of the number and all but the checksum; 53 bits, which a double holds.
static double checksum(const double *slot, int length) {
  uint64_t hash = stc_mix_bytes(STC_MIX_START, slot, STC_SLOT_CHECKSUM * sizeof *slot);
  const double *rest = slot + STC_SLOT_CHECKSUM + 1;
  hash = stc_mix_bytes(hash, rest, (size_t)(length - STC_SLOT_CHECKSUM - 1) * sizeof *rest);
  return (double)(hash >> 11);
}

// --- The beginning of a file ---

// A list of texts of equal width; nothing if there are none.
static void put_texts(stc_image *image, stc_arena *arena, const char *name,
                      const char *const *texts) {
  int count = 0;
  while (texts && texts[count]) count++;
  size_t width = 1;
  for (int k = 0; k < count; k++)
    if (strlen(texts[k]) + 1 > width) width = strlen(texts[k]) + 1;
  char *all = STC_TAKE(arena, char, (size_t)count *width);
  if (!all || count == 0) return;
  for (int k = 0; k < count; k++) memcpy(all + (size_t)k * width, texts[k], strlen(texts[k]));
  stc_image_texts(image, "", name, count, width, all);
}

// Numbers in a row: columns, then blocks.
static size_t width_of(const stc_store_head *head) {
  size_t width = (size_t)head->columns_count;
  for (int k = 0; k < head->blocks; k++) width += (size_t)head->block[k].count;
  return width;
}

static void put_blocks(stc_image *image, stc_arena *arena, const stc_store_head *head) {
  const char **names = STC_TAKE(arena, const char *, head->blocks + 1);
  int *counts = STC_TAKE(arena, int, head->blocks + 1);
  if (!names || !counts || head->blocks == 0) return;
  for (int k = 0; k < head->blocks; k++) {
    names[k] = head->block[k].name;
    counts[k] = head->block[k].count;
  }
  put_texts(image, arena, STC_RUN_BLOCKS, names);
  stc_image_ints(image, "", STC_RUN_BLOCK_SIZES, head->blocks, counts);
  stc_mesh_store(image, arena, head->mesh);
}

// Names and lengths, and all numbers contiguously.
static void put_constants(stc_image *image, stc_arena *arena, const stc_store_head *head) {
  const char **names = STC_TAKE(arena, const char *, head->constants + 1);
  int *counts = STC_TAKE(arena, int, head->constants + 1), all = 0;
  for (int k = 0; k < head->constants; k++) all += head->constant[k].count;
  double *numbers = STC_TAKE(arena, double, all + 1), *at = numbers;
  if (!names || !counts || !numbers || head->constants == 0) return;
  for (int k = 0; k < head->constants; k++) {
    const stc_constant *c = &head->constant[k];
    names[k] = c->name;
    counts[k] = c->count;
    if (c->count) memcpy(at, c->numbers, (size_t)c->count * sizeof *at);
    at += c->count;
  }
  put_texts(image, arena, STC_RUN_CONSTANTS, names);
  stc_image_ints(image, "", STC_RUN_CONSTANT_OF, head->constants, counts);
  stc_image_doubles(image, "", STC_RUN_CONSTANT, all + 1, numbers);
}

static void put_observables(stc_image *image, stc_arena *arena, const stc_store_head *head) {
  int count = head->observables_count;
  double *unknown = STC_TAKE(arena, double, count + 1);
  char *texts = STC_TAKE(arena, char, (size_t)count *STC_OBSERVED_ROOM);
  if (!unknown || !texts || count == 0) return;
  for (int k = 0; k < count; k++) unknown[k] = NAN;
  put_texts(image, arena, STC_RUN_OBSERVABLES, head->observables);
  stc_image_doubles(image, "", STC_RUN_OBSERVED, count, unknown);
  stc_image_texts(image, "", STC_RUN_OBSERVED_AS, count, STC_OBSERVED_ROOM, texts);
}

static stc_error build_beginning(stc_image *image, const stc_store_head *head, stc_arena *arena) {
  int slot = STC_SLOT_PAYLOAD + head->payload;
  double *zeros = STC_TAKE(arena, double, slot);
  STC_TRY(stc_arena_check(arena));
  stc_image_text(image, "", STC_RUN_FORMAT_NAME, STC_RUN_FORMAT);
  stc_image_text(image, "", STC_RUN_SCENE, head->scene);
  stc_image_text(image, "", STC_RUN_TEXT, head->text);
  put_texts(image, arena, STC_RUN_PARAMETERS, head->parameters);
  put_texts(image, arena, STC_RUN_COLUMNS, head->columns);
  stc_image_int(image, "", STC_RUN_SERIES, head->first_series);
  put_observables(image, arena, head);
  put_blocks(image, arena, head);
  put_constants(image, arena, head);
  for (int k = 0; k < SLOTS; k++) stc_image_doubles(image, "", slot_names[k], slot, zeros);
  // The table, empty: it gets its place with the first row.
  stc_image_put(image, STC_RUN_STEPS,
                &(stc_image_array){STC_IMAGE_DOUBLE, sizeof(double), 2, {0, width_of(head)}, NULL});
  return stc_arena_check(arena);
}

static stc_error save_beginning(const char *path, const stc_store_head *head) {
  stc_arena arena = {0};
  stc_image image = {0};
  stc_error error = build_beginning(&image, head, &arena);
  if (!error) error = stc_image_save(&image, path);
  stc_image_close(&image);
  stc_arena_free(&arena);
  return error ? stc_fail_in(error, path) : STC_OK;
}

// --- Opening ---

// One run writes a file, not two. Where locks are not supported, nothing is locked.
static stc_error lock(int fd, const char *path) {
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(fd, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN)) return STC_OK;
  return stc_fail(STC_ERR_FILE, "%s: another run is writing it; wait for its end, or name another",
                  path);
}

// Refuses to replace a file that another run is writing.
static stc_error check_unlocked(const char *path) {
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return STC_OK;
  stc_error error = lock(fd, path);
  close(fd);
  return error;
}

// Rows and checkpoints are written as this machine has them in memory.
static bool is_native(const stc_h5_object *object) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return object->width == sizeof(double) && object->is_big_endian == (first == 0);
}

static stc_error locate_observables(stc_h5 *h5, stc_store *s, int count, bool *fits) {
  stc_h5_object observed, texts;
  if (count == 0) return STC_OK;
  STC_TRY(stc_run_file_find(h5, STC_RUN_OBSERVED, STC_H5_REAL, &observed));
  STC_TRY(stc_run_file_find(h5, STC_RUN_OBSERVED_AS, STC_H5_TEXT, &texts));
  *fits = *fits && observed.count == (uint64_t)count && texts.count == (uint64_t)count &&
          texts.width == STC_OBSERVED_ROOM;
  s->observed_at = observed.start;
  s->texts_at = texts.start;
  return STC_OK;
}

static stc_error locate(stc_h5 *h5, stc_store *s, const stc_store_head *head) {
  stc_h5_object table, slot;
  uint8_t version;
  STC_TRY(stc_h5_load(h5, VERSION_AT, 1, &version));
  STC_TRY(stc_run_file_find(h5, STC_RUN_STEPS, STC_H5_REAL, &table));
  s->slot_length = STC_SLOT_PAYLOAD + head->payload;
  bool fits = version == 0 && h5->base == 0 && table.place_at && is_native(&table) &&
              table.extent[1] == (uint64_t)s->width;
  for (int k = 0; k < SLOTS; k++) {
    STC_TRY(stc_run_file_find(h5, slot_names[k], STC_H5_REAL, &slot));
    fits = fits && slot.count == (uint64_t)s->slot_length && is_native(&slot);
    s->slot_at[k] = slot.start;
  }
  STC_TRY(locate_observables(h5, s, head->observables_count, &fits));
  if (!fits) return stc_fail(STC_ERR_FORMAT, "it was written by another version of the scene");
  s->extent_at = table.extent_at;
  s->place_at = table.place_at;
  s->rows = s->declared = (long)table.extent[0];
  s->start = s->rows ? table.start : (h5->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return STC_OK;
}

static stc_error allocate_store(stc_store *s, const char *path, const stc_store_head *head) {
  s->fd = -1;
  s->width = width_of(head);
  s->observables = head->observables_count;
  s->row_bytes = s->width * sizeof(double);
  s->room = s->row_bytes < BUFFER ? (int)(BUFFER / s->row_bytes) : 1;
  s->buffer = STC_TAKE(&s->arena, double, (size_t)s->room * s->width);
  s->slot = STC_TAKE(&s->arena, double, STC_SLOT_PAYLOAD + head->payload);
  char *copy = STC_TAKE(&s->arena, char, strlen(path) + 1);
  STC_TRY(stc_arena_check(&s->arena));
  s->path = memcpy(copy, path, strlen(path) + 1);
  return STC_OK;
}

static stc_error open_for_writing(stc_store *s) {
  s->fd = open(s->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (s->fd < 0) return failed(s, "open for writing");
  return lock(s->fd, s->path);
}

// The two parts of opening that read: where things are, and `more`.
static stc_error open_store(const char *path, const stc_store_head *head,
                            stc_error (*more)(stc_h5 *h5, stc_store *s, const stc_store_head *head),
                            stc_store **store) {
  stc_h5 h5 = {.fd = -1};
  STC_NEW(store, "a run file");
  stc_store *s = *store;
  stc_error error = allocate_store(s, path, head);
  if (!error) {
    error = stc_run_file_open(&h5, path);
    if (!error && more) error = more(&h5, s, head);
    if (!error) error = locate(&h5, s, head);
    stc_h5_close(&h5);
    if (error) stc_fail_in(error, path);
  }
  if (!error) error = open_for_writing(s);
  if (error) stc_store_close(store);
  return error;
}

stc_error stc_store_create(const char *path, const stc_store_head *head, stc_store **store) {
  *store = NULL;
  STC_TRY(check_unlocked(path));
  STC_TRY(save_beginning(path, head));
  return open_store(path, head, NULL, store);
}

void stc_store_close(stc_store **store) {
  if (!*store) return;
  if ((*store)->fd >= 0) close((*store)->fd);
  stc_arena_free(&(*store)->arena);
  stc_release(store);
}

// --- Going on ---

static stc_error same_texts(stc_h5 *h5, const char *name, stc_arena *arena, const char *what,
                            const char *const *wanted) {
  const char **texts = NULL;
  int count = 0;
  STC_TRY(stc_run_file_texts(h5, name, arena, &texts, &count));
  for (int k = 0; k < count || wanted[k]; k++) {
    if (k < count && wanted[k] && !strcmp(texts[k], wanted[k])) continue;
    return stc_fail(STC_ERR_VALUE, "it was begun with %s %s, not %s; begin anew without --resume",
                    what, k < count ? texts[k] : "less", wanted[k] ? wanted[k] : "less");
  }
  return STC_OK;
}

static stc_error same_head(stc_h5 *h5, stc_store *s, const stc_store_head *head) {
  const char *text = NULL;
  STC_TRY(stc_run_file_text(h5, STC_RUN_TEXT, &s->arena, &text));
  if (strcmp(text, head->text) != 0)
    return stc_fail(STC_ERR_VALUE,
                    "it was begun with another text of %s; restore the scene, or begin anew "
                    "without --resume",
                    head->scene);
  STC_TRY(same_texts(h5, STC_RUN_PARAMETERS, &s->arena, "parameter", head->parameters));
  STC_TRY(same_texts(h5, STC_RUN_COLUMNS, &s->arena, "column", head->columns));
  return stc_mesh_same(h5, head->mesh);
}

static bool slot_is_whole(const stc_store *s, const double *slot, off_t size) {
  double rows = slot[STC_SLOT_ROWS];
  if (!(slot[STC_SLOT_NUMBER] >= 1) || !(rows >= 1) || rows > 9e15) return false;
  if (slot[STC_SLOT_CHECKSUM] != checksum(slot, s->slot_length)) return false;
  return end_of(s, (long)rows) <= (uint64_t)size;
}

// The newest whole checkpoint.
static stc_error take_checkpoint(stc_store *s, double *payload, bool *found) {
  off_t size = lseek(s->fd, 0, SEEK_END);
  *found = false;
  for (int k = 0; k < SLOTS; k++) {
    size_t count = (size_t)s->slot_length * sizeof *s->slot;
    size_t done = 0;
    while (done < count) {
      ssize_t n = pread(s->fd, (char *)s->slot + done, count - done, (off_t)(s->slot_at[k] + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return failed(s, "read");
      if (n == 0) return stc_fail(STC_ERR_FILE, "%s: the file shrank while it was read", s->path);
      done += (size_t)n;
    }
    if (!slot_is_whole(s, s->slot, size) || s->slot[STC_SLOT_NUMBER] <= s->number) continue;
    *found = true;
    s->number = s->slot[STC_SLOT_NUMBER];
    s->rows = (long)s->slot[STC_SLOT_ROWS];
    memcpy(payload, s->slot + STC_SLOT_PAYLOAD,
           (size_t)(s->slot_length - STC_SLOT_PAYLOAD) * sizeof *payload);
  }
  if (!*found) s->rows = 0;
  return STC_OK;
}

stc_error stc_store_open(const char *path, const stc_store_head *head, double *payload, bool *found,
                         stc_store **store) {
  *store = NULL;
  STC_TRY(open_store(path, head, same_head, store));
  stc_error error = take_checkpoint(*store, payload, found);
  if (error) stc_store_close(store);
  return error;
}

// --- Writing ---

void stc_store_add(stc_store *s, const double *row) {
  memcpy(s->buffer + (size_t)s->buffered * s->width, row, s->row_bytes);
  s->buffered++;
  s->rows++;
}

bool stc_store_is_full(const stc_store *s) { return s->buffered == s->room; }
long stc_store_rows(const stc_store *s) { return s->rows; }
long stc_store_rows_safe(const stc_store *s) { return s->rows - s->buffered; }

// Rows that did not fit go away again, so that the file ends where it says.
static stc_error put_rows(stc_store *s) {
  long first = s->rows - s->buffered;
  stc_error error = put_bytes(s, end_of(s, first), s->buffer, (size_t)s->buffered * s->row_bytes);
  if (!error) error = sync_data(s);
  if (error) {
    long kept = first > s->declared ? first : s->declared;
    int ignored = ftruncate(s->fd, (off_t)end_of(s, kept));
    (void)ignored;
    return error;
  }
  s->buffered = 0;
  return STC_OK;
}

// The end of the file, the length of the table, its greatest extent, its extent: after each of
// these the file is whole.
static stc_error declare_rows(stc_store *s) {
  uint64_t rows = (uint64_t)s->rows;
  if (s->rows <= s->declared) return STC_OK;
  STC_TRY(put_word(s, END_AT, end_of(s, s->rows)));
  STC_TRY(put_word(s, s->place_at + STC_H5_WORD, rows * s->row_bytes));
  STC_TRY(put_word(s, s->place_at, s->start));
  STC_TRY(put_word(s, s->extent_at + 2 * STC_H5_WORD, rows));
  STC_TRY(put_word(s, s->extent_at, rows));
  s->declared = s->rows;
  return STC_OK;
}

stc_error stc_store_flush(stc_store *s, const double *payload) {
  STC_TRY(put_rows(s));
  STC_TRY(declare_rows(s));
  if (payload) {
    double number = s->number + 1;
    s->slot[STC_SLOT_NUMBER] = number;
    s->slot[STC_SLOT_ROWS] = (double)s->rows;
    memcpy(s->slot + STC_SLOT_PAYLOAD, payload,
           (size_t)(s->slot_length - STC_SLOT_PAYLOAD) * sizeof *payload);
    s->slot[STC_SLOT_CHECKSUM] = checksum(s->slot, s->slot_length);
    int k = (int)fmod(number, SLOTS);
    STC_TRY(put_bytes(s, s->slot_at[k], s->slot, (size_t)s->slot_length * sizeof *s->slot));
    s->number = number;
  }
  return sync_data(s);
}

// What is not a number, as text.
static void write_text(const stc_observed *observed, char *text) {
  size_t used = 1;
  if (observed->kind == STC_OBSERVED_TEXT)
    stc_snprintf(text, STC_OBSERVED_ROOM, "t%s", observed->text);
  if (observed->kind != STC_OBSERVED_LIST) return;
  text[0] = 'l';
  for (int k = 0; k < observed->count && used < STC_OBSERVED_ROOM - OBSERVED_NUMBER; k++)
    used += (size_t)stc_snprintf(text + used, OBSERVED_NUMBER, "%s%.17g", k ? "," : "",
                                 observed->list[k]);
}

static stc_error put_observed(stc_store *s, const stc_observed *observed, double *values,
                              char *texts) {
  size_t count = (size_t)s->observables;
  for (size_t k = 0; k < count; k++) {
    values[k] = observed[k].kind == STC_OBSERVED_NUMBER ? observed[k].number : NAN;
    write_text(&observed[k], texts + k * STC_OBSERVED_ROOM);
  }
  STC_TRY(put_bytes(s, s->observed_at, values, count * sizeof *values));
  STC_TRY(put_bytes(s, s->texts_at, texts, count * STC_OBSERVED_ROOM));
  return sync_data(s);
}

stc_error stc_store_observe(stc_store *s, const stc_observed *observed) {
  if (s->observables == 0) return STC_OK;
  stc_arena arena = {0};
  double *values = STC_TAKE(&arena, double, s->observables);
  char *texts = STC_TAKE(&arena, char, (size_t)s->observables *STC_OBSERVED_ROOM);
  stc_error error = stc_arena_check(&arena);
  if (!error) error = put_observed(s, observed, values, texts);
  stc_arena_free(&arena);
  return error;
}
