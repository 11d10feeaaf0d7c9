// Arrays of an FCLIB file by name, with sentences that name the dataset.
#include "file.h"

// What is read as it stands in the file may take this many bytes in memory for each byte of the
// file. Elements widen by 8 at most (a byte read as a double); more means that names share their
// data to fill the memory. What is decompressed or filled in is counted twice, as it is gathered
// and as the numbers it becomes.
enum { BUDGET_FACTOR = 8, BUDGET_EXTRA = 1 << 16, EXPANDED_FACTOR = 4 };

stc_error stc_fclib_open(stc_fclib_file *file, const char *path) {
  *file = (stc_fclib_file){0};
  STC_TRY(stc_h5_open(&file->h5, path));
  file->budget = BUDGET_FACTOR * file->h5.size + BUDGET_EXTRA;
  file->expanded = EXPANDED_FACTOR * stc_h5_limit(file->h5.size);
  return STC_OK;
}

void stc_fclib_close(stc_fclib_file *file) {
  stc_h5_close(&file->h5);
  stc_arena_free(&file->arena);
}

// MATLAB stores a vector as a matrix of one row.
static stc_error find(stc_fclib_file *file, const char *name, stc_h5_object *object) {
  stc_error error = stc_h5_find(&file->h5, name, object);
  bool is_matrix = object->extent[0] != 1 && object->extent[1] != 1;
  if (!error && object->kind == STC_H5_DATASET && is_matrix)
    error = stc_fail(STC_ERR_FORMAT, "it is a matrix where a vector is expected");
  return error ? stc_fail_in(error, name) : STC_OK;
}

stc_error stc_fclib_has_group(stc_fclib_file *file, const char *name, bool *has) {
  stc_h5_object object;
  STC_TRY(find(file, name, &object));
  if (object.kind == STC_H5_DATASET)
    return stc_fail(STC_ERR_FORMAT, "%s is a dataset; FCLIB has a group there", name);
  *has = object.kind == STC_H5_GROUP;
  return STC_OK;
}

// The dataset of numbers called `name`; kind STC_H5_NOTHING if it is not there.
static stc_error find_numbers(stc_fclib_file *file, const char *name, stc_h5_object *object) {
  STC_TRY(find(file, name, object));
  if (object->kind == STC_H5_GROUP)
    return stc_fail(STC_ERR_FORMAT, "%s is a group; FCLIB has a dataset there", name);
  if (object->kind == STC_H5_DATASET && object->class > STC_H5_REAL)
    return stc_fail(STC_ERR_FORMAT, "%s is text; it should hold numbers", name);
  return STC_OK;
}

static stc_error need_numbers(stc_fclib_file *file, const char *name, stc_h5_object *object) {
  STC_TRY(find_numbers(file, name, object));
  if (object->kind != STC_H5_NOTHING) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "the dataset %s is missing; FCLIB requires it", name);
}

stc_error stc_fclib_length(stc_fclib_file *file, const char *name, long long *length) {
  stc_h5_object object;
  STC_TRY(find_numbers(file, name, &object));
  *length = object.kind == STC_H5_NOTHING ? -1 : (long long)object.count;
  return STC_OK;
}

stc_error stc_fclib_need_length(stc_fclib_file *file, const char *name, long long *length) {
  stc_h5_object object;
  STC_TRY(need_numbers(file, name, &object));
  *length = (long long)object.count;
  return STC_OK;
}

stc_error stc_fclib_is_written(stc_fclib_file *file, const char *name, bool *is_written) {
  stc_h5_object object;
  STC_TRY(need_numbers(file, name, &object));
  stc_error error = stc_h5_is_written(&file->h5, &object, is_written);
  return error ? stc_fail_in(error, name) : STC_OK;
}

static stc_error spend_expanded(stc_fclib_file *file, const char *name, uint64_t bytes) {
  if (bytes > file->expanded)
    return stc_fail(STC_ERR_FORMAT,
                    "%s: what is decompressed or filled in so far takes more than %llu MB, too "
                    "much for a file of this size",
                    name, (unsigned long long)(stc_h5_limit(file->h5.size) >> 20));
  file->expanded -= bytes;
  return STC_OK;
}

// `bytes` is what the elements become.
static stc_error spend(stc_fclib_file *file, const char *name, const stc_h5_object *object,
                       uint64_t bytes) {
  if (object->storage != STC_H5_PLAIN)
    return spend_expanded(file, name, bytes + stc_h5_cost(object));
  if (bytes > file->budget)
    return stc_fail(STC_ERR_FORMAT,
                    "%s: what is read so far takes %d times the size of the file; names share "
                    "their data",
                    name, BUDGET_FACTOR);
  file->budget -= bytes;
  return STC_OK;
}

static stc_error wrong_length(const char *name, const stc_h5_object *object, long long count) {
  return stc_fail(STC_ERR_FORMAT, "%s has %llu elements; it should have %lld", name,
                  (unsigned long long)object->count, count);
}

// Room for `count` numbers of `size` bytes of the dataset `name`, which must be at least that many.
static stc_error make_room(stc_fclib_file *file, const char *name, long long count, size_t size,
                           stc_h5_object *object, void **room) {
  STC_TRY(need_numbers(file, name, object));
  if (count > (long long)object->count) return wrong_length(name, object, count);
  STC_TRY(spend(file, name, object, (uint64_t)count * size));
  *room = stc_arena_take(&file->arena, (size_t)count, size);
  return stc_arena_check(&file->arena);
}

stc_error stc_fclib_ints(stc_fclib_file *file, const char *name, long long count, int **values) {
  stc_h5_object object;
  void *room = NULL;
  STC_TRY(make_room(file, name, count, sizeof **values, &object, &room));
  stc_error error = stc_h5_ints(&file->h5, &object, (uint64_t)count, *values = room);
  return error ? stc_fail_in(error, name) : STC_OK;
}

// At least, or exactly, `count` of them.
static stc_error take_doubles(stc_fclib_file *file, const char *name, long long count, bool exactly,
                              double **values) {
  stc_h5_object object;
  void *room = NULL;
  STC_TRY(make_room(file, name, count, sizeof **values, &object, &room));
  if (exactly && (long long)object.count > count) return wrong_length(name, &object, count);
  stc_error error = stc_h5_doubles(&file->h5, &object, (uint64_t)count, *values = room);
  return error ? stc_fail_in(error, name) : STC_OK;
}

stc_error stc_fclib_doubles(stc_fclib_file *file, const char *name, long long count,
                            double **values) {
  return take_doubles(file, name, count, false, values);
}

stc_error stc_fclib_vector(stc_fclib_file *file, const char *name, long long count,
                           const double **values) {
  double *taken = NULL;
  STC_TRY(take_doubles(file, name, count, true, &taken));
  *values = taken;
  return STC_OK;
}

stc_error stc_fclib_int(stc_fclib_file *file, const char *name, int *value) {
  stc_h5_object object;
  int *values = NULL;
  STC_TRY(need_numbers(file, name, &object));
  if (object.count != 1) return wrong_length(name, &object, 1);
  STC_TRY(stc_fclib_ints(file, name, 1, &values));
  *value = values[0];
  return STC_OK;
}

// --- Text ---

// A character in UTF-8; returns its bytes.
static size_t put_character(uint32_t c, char *text) {
  if (c < 0x80) return text[0] = (char)c, 1;
  size_t bytes = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t k = bytes - 1; k > 0; k--, c >>= 6) text[k] = (char)(0x80 | (c & 0x3f));
  text[0] = (char)((0xf0 << (4 - bytes) & 0xff) | c);
  return bytes;
}

stc_error stc_fclib_text(stc_fclib_file *file, const char *name, char **text) {
  stc_h5_object object;
  *text = NULL;
  STC_TRY(find(file, name, &object));
  if (object.kind == STC_H5_NOTHING || (object.kind == STC_H5_DATASET && object.count == 0))
    return STC_OK;
  bool is_wide = object.class == STC_H5_INTEGER && object.width == 2 && !object.is_signed;
  if (object.kind == STC_H5_DATASET && is_wide) {
    // MATLAB stores text as a vector of UTF-16 units; units that have no partner become '?'.
    uint64_t count = object.count, size = 0;
    int *unit = NULL;
    STC_TRY(stc_fclib_ints(file, name, (long long)count, &unit));
    *text = STC_TAKE(&file->arena, char, 3 * count + 1);
    STC_TRY(stc_arena_check(&file->arena));
    for (uint64_t k = 0; k < count; k++) {
      uint32_t c = (uint32_t)unit[k], next = k + 1 < count ? (uint32_t)unit[k + 1] : 0;
      bool pair = c >> 10 == 0x36 && next >> 10 == 0x37;
      if (pair) c = 0x10000 + ((c & 0x3ff) << 10) + (next & 0x3ff), k++;
      size += put_character(!pair && c >> 11 == 0x1b ? '?' : c, *text + size);
    }
    return STC_OK;
  }
  if (object.kind != STC_H5_DATASET || object.class < STC_H5_TEXT || object.count != 1)
    return stc_fail(STC_ERR_FORMAT, "%s should be one text", name);
  STC_TRY(spend(file, name, &object, object.width));
  stc_error error = stc_h5_text(&file->h5, &object, &file->arena, text);
  return error ? stc_fail_in(error, name) : STC_OK;
}
