// Elements of a dataset as int, double and text: read in blocks, put in order byte by byte, widened
// or narrowed with a check.
#include "h5_parts.h"

#include <limits.h>
#include <string.h>

enum {
  BLOCK = 1 << 16,        // bytes; a multiple of every width
  LONG_TEXT_WIDTH = 16,   // length, address, index
  COLLECTION_PREFIX = 16  // "GCOL", version, length
};

// The bits of an element, whatever the byte order of the file and of this machine.
static uint64_t bits_of(const uint8_t *at, const stc_h5_object *object) {
  uint64_t bits = 0;
  for (uint64_t k = 0; k < object->width; k++)
    bits = bits << 8 | at[object->is_big_endian ? k : object->width - 1 - k];
  return bits;
}

// Two's complement of `width` bytes; what is unsigned and above LLONG_MAX becomes LLONG_MAX.
static long long integer(uint64_t bits, const stc_h5_object *object) {
  if (!object->is_signed) return bits > LLONG_MAX ? LLONG_MAX : (long long)bits;
  uint64_t sign = UINT64_C(1) << (8 * object->width - 1);
  return bits & sign ? -(long long)(sign - (bits & ~sign) - 1) - 1 : (long long)bits;
}

static double real(uint64_t bits, const stc_h5_object *object) {
  if (object->width == 4) {
    uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
  }
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double number(uint64_t bits, const stc_h5_object *object) {
  if (object->class == STC_H5_REAL) return real(bits, object);
  return object->is_signed ? (double)integer(bits, object) : (double)bits;
}

// The block of elements that starts with number `first`; *count of them.
static stc_error load_block(const stc_h5 *h5, const stc_h5_object *object, uint64_t first,
                            uint64_t end, uint8_t *block, uint64_t *count) {
  uint64_t most = BLOCK / object->width;
  *count = end - first < most ? end - first : most;
  return stc_h5_load(h5, object->start + first * object->width, (size_t)(*count * object->width),
                     block);
}

stc_error stc_h5_ints(stc_h5 *h5, const stc_h5_object *object, uint64_t count, int *values) {
  uint8_t block[BLOCK];
  uint64_t got = 0;
  for (uint64_t first = 0; first < count; first += got) {
    STC_TRY(load_block(h5, object, first, count, block, &got));
    for (uint64_t k = 0; k < got; k++) {
      long long value = integer(bits_of(block + k * object->width, object), object);
      if (value < INT_MIN || value > INT_MAX)
        return stc_fail(STC_ERR_FORMAT, "element %llu, %lld, does not fit 32 bits",
                        (unsigned long long)(first + k), value);
      values[first + k] = (int)value;
    }
  }
  return STC_OK;
}

stc_error stc_h5_doubles(stc_h5 *h5, const stc_h5_object *object, uint64_t count, double *values) {
  uint8_t block[BLOCK];
  uint64_t got = 0;
  for (uint64_t first = 0; first < count; first += got) {
    STC_TRY(load_block(h5, object, first, count, block, &got));
    for (uint64_t k = 0; k < got; k++)
      values[first + k] = number(bits_of(block + k * object->width, object), object);
  }
  return STC_OK;
}

// --- Text ---

static stc_error load_text(stc_h5 *h5, uint64_t start, uint64_t length, stc_arena *arena,
                           char **text) {
  *text = STC_TAKE(arena, char, length + 1);
  STC_TRY(stc_arena_check(arena));
  return stc_h5_load(h5, start, (size_t)length, *text);
}

// Object number `index` of a collection of the global heap: where it starts and how long it is.
static stc_error heap_object(stc_h5 *h5, uint64_t address, uint64_t index, uint64_t *start,
                             uint64_t *length) {
  stc_cursor c;
  STC_TRY(stc_h5_bytes(h5, address, COLLECTION_PREFIX, &c));
  if (!stc_cursor_match(&c, "GCOL")) return stc_h5_damaged(address, "collection of texts");
  stc_cursor_skip(&c, 4);  // version
  STC_TRY(stc_h5_bytes(h5, address, stc_cursor_take(&c, STC_H5_WORD), &c));
  stc_cursor_skip(&c, COLLECTION_PREFIX);
  for (;;) {
    uint64_t found = stc_cursor_take(&c, 2);
    stc_cursor_skip(&c, 6);  // references
    *length = stc_cursor_take(&c, STC_H5_WORD);
    *start = c.address;
    if (c.bad || found == 0 || *length > c.left)  // 0: free space, the end
      return stc_h5_damaged(address, "collection of texts");
    if (found == index) return STC_OK;
    stc_cursor_skip(&c, (size_t)(*length + 7) / 8 * 8);
  }
}

// A text of variable length: its length, the collection it lies in and its number there.
static stc_error long_text(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena, char **text) {
  stc_cursor c;
  uint64_t start = 0, room = 0;
  if (object->width != LONG_TEXT_WIDTH) return stc_h5_damaged(object->start, "kind of a text");
  STC_TRY(stc_h5_bytes(h5, object->start, LONG_TEXT_WIDTH, &c));
  uint64_t length = stc_cursor_take(&c, 4), address = stc_cursor_take(&c, STC_H5_WORD);
  uint64_t index = stc_cursor_take(&c, 4);
  if (length == 0) return load_text(h5, 0, 0, arena, text);
  STC_TRY(heap_object(h5, address, index, &start, &room));
  return load_text(h5, start, length < room ? length : room, arena, text);
}

stc_error stc_h5_text(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena, char **text) {
  if (object->class == STC_H5_TEXT) return load_text(h5, object->start, object->width, arena, text);
  h5->visited = 0;
  stc_error error = long_text(h5, object, arena, text);
  stc_arena_free(&h5->arena);
  return error;
}
