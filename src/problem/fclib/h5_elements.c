// Elements of a dataset as int, double and text: read in blocks, put in order byte by byte, widened
// or narrowed with a check.
#include "h5_parts.h"

#include <limits.h>
#include <math.h>
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

// binary16: sign, 5 bits of exponent, 10 of mantissa.
static double half_precision(uint64_t bits) {
  int exponent = (int)(bits >> 10 & 31);
  double mantissa = (double)(bits & 1023), sign = bits >> 15 & 1 ? -1 : 1;
  if (exponent == 31) return mantissa > 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

static double real(uint64_t bits, const stc_h5_object *object) {
  if (object->width == 2) return half_precision(bits);
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

// Where elements come from: the file, block by block, or memory.
typedef struct source {
  const stc_h5 *h5;
  const stc_h5_object *object;
  stc_arena arena;
  uint8_t *bytes;  ///< of the elements; NULL: in the file
  uint8_t block[BLOCK];
} source;

static stc_error open_source(source *s, stc_h5 *h5, const stc_h5_object *object) {
  s->h5 = h5;
  s->object = object;
  s->arena = (stc_arena){0};
  s->bytes = NULL;
  return object->storage == STC_H5_PLAIN ? STC_OK : stc_h5_gather(h5, object, &s->arena, &s->bytes);
}

// The elements from number `first` on; *count of them, at most up to `end`.
static stc_error next_block(source *s, uint64_t first, uint64_t end, const uint8_t **at,
                            uint64_t *count) {
  uint64_t width = s->object->width, most = s->bytes ? end : BLOCK / width;
  *count = end - first < most ? end - first : most;
  *at = s->bytes ? s->bytes + first * width : s->block;
  if (s->bytes) return STC_OK;
  return stc_h5_load(s->h5, s->object->start + first * width, (size_t)(*count * width), s->block);
}

// Whether the elements stand in the file as they do in memory.
static bool is_native(const stc_h5_object *object, stc_h5_class class, size_t width) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  bool signs = class != STC_H5_INTEGER || object->is_signed;
  return object->class == class && object->width == width && signs &&
         object->is_big_endian == (first == 0);
}

static stc_error copy_elements(const source *s, uint64_t count, void *values) {
  size_t bytes = (size_t)(count * s->object->width);
  if (!s->bytes) return stc_h5_load(s->h5, s->object->start, bytes, values);
  if (bytes) memcpy(values, s->bytes, bytes);
  return STC_OK;
}

// An integer, or a real that is one: MATLAB stores every number as a real.
static stc_error whole_number(uint64_t bits, const stc_h5_object *object, uint64_t place,
                              int *value) {
  if (object->class == STC_H5_REAL) {
    double x = real(bits, object);
    *value = x >= INT_MIN && x <= INT_MAX ? (int)x : 0;
    if ((double)*value == x) return STC_OK;
    return stc_fail(STC_ERR_FORMAT, "element %llu, %g, should be an integer of 32 bits",
                    (unsigned long long)place, x);
  }
  long long x = integer(bits, object);
  *value = x >= INT_MIN && x <= INT_MAX ? (int)x : 0;
  if (*value == x) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "element %llu, %lld, does not fit 32 bits",
                  (unsigned long long)place, x);
}

static stc_error take_ints(source *s, uint64_t count, int *values) {
  uint64_t got = 0;
  if (is_native(s->object, STC_H5_INTEGER, sizeof *values)) return copy_elements(s, count, values);
  for (uint64_t first = 0; first < count; first += got) {
    const uint8_t *at = NULL;
    STC_TRY(next_block(s, first, count, &at, &got));
    for (uint64_t k = 0; k < got; k++)
      STC_TRY(whole_number(bits_of(at + k * s->object->width, s->object), s->object, first + k,
                           &values[first + k]));
  }
  return STC_OK;
}

static stc_error take_doubles(source *s, uint64_t count, double *values) {
  uint64_t got = 0;
  if (is_native(s->object, STC_H5_REAL, sizeof *values)) return copy_elements(s, count, values);
  for (uint64_t first = 0; first < count; first += got) {
    const uint8_t *at = NULL;
    STC_TRY(next_block(s, first, count, &at, &got));
    for (uint64_t k = 0; k < got; k++)
      values[first + k] = number(bits_of(at + k * s->object->width, s->object), s->object);
  }
  return STC_OK;
}

stc_error stc_h5_ints(stc_h5 *h5, const stc_h5_object *object, uint64_t count, int *values) {
  source s;
  stc_error error = open_source(&s, h5, object);
  if (!error) error = take_ints(&s, count, values);
  stc_arena_free(&s.arena);
  return error;
}

stc_error stc_h5_doubles(stc_h5 *h5, const stc_h5_object *object, uint64_t count, double *values) {
  source s;
  stc_error error = open_source(&s, h5, object);
  if (!error) error = take_doubles(&s, count, values);
  stc_arena_free(&s.arena);
  return error;
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
static stc_error long_text(stc_h5 *h5, stc_cursor c, stc_arena *arena, char **text) {
  uint64_t start = 0, room = 0;
  uint64_t length = stc_cursor_take(&c, 4), address = stc_cursor_take(&c, STC_H5_WORD);
  uint64_t index = stc_cursor_take(&c, 4);
  if (length == 0 || index == 0) return load_text(h5, 0, 0, arena, text);
  STC_TRY(heap_object(h5, address, index, &start, &room));
  return load_text(h5, start, length < room ? length : room, arena, text);
}

// The first element, whatever its kind, in the arena of the search.
static stc_error first_element(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena,
                               stc_cursor *c) {
  if (object->storage == STC_H5_PLAIN) return stc_h5_bytes(h5, object->start, object->width, c);
  uint8_t *bytes = NULL;
  STC_TRY(stc_h5_gather(h5, object, arena, &bytes));
  *c = (stc_cursor){.at = bytes, .left = (size_t)object->width, .address = object->start};
  return STC_OK;
}

static stc_error take_text(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena, char **text) {
  stc_cursor c;
  STC_TRY(first_element(h5, object, arena, &c));
  if (object->class == STC_H5_LONG_TEXT) {
    if (object->width != LONG_TEXT_WIDTH) return stc_h5_damaged(object->start, "kind of a text");
    return long_text(h5, c, arena, text);
  }
  *text = STC_TAKE(arena, char, c.left + 1);
  STC_TRY(stc_arena_check(arena));
  memcpy(*text, c.at, c.left);
  return STC_OK;
}

stc_error stc_h5_text(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena, char **text) {
  h5->visited = 0;
  stc_error error = take_text(h5, object, arena, text);
  stc_arena_free(&h5->arena);
  return error;
}
