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

static double real(uint64_t bits, const stc_h5_object *object) {
  if (object->width == 2) {
    // binary16: sign, 5 bits of exponent, 10 of mantissa.
    int exponent = (int)(bits >> 10 & 31);
    double mantissa = (double)(bits & 1023), sign = bits >> 15 & 1 ? -1 : 1;
    if (exponent == 31) return mantissa > 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
  }
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

// An integer, or a real that is one: MATLAB stores every number as a real.
static stc_error to_int(const stc_h5_object *object, uint64_t bits, uint64_t place, void *to) {
  int *value = (int *)to + place;
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

static stc_error to_double(const stc_h5_object *object, uint64_t bits, uint64_t place, void *to) {
  bool integer_class = object->class == STC_H5_INTEGER;
  ((double *)to)[place] = !integer_class      ? real(bits, object)
                          : object->is_signed ? (double)integer(bits, object)
                                              : (double)bits;
  return STC_OK;
}

// What elements become: a class and width of numbers in memory, and how one that is another is
// turned into number `place` of `to`.
typedef struct conversion {
  stc_h5_class class;
  size_t width;
  stc_error (*convert)(const stc_h5_object *object, uint64_t bits, uint64_t place, void *to);
} conversion;

// Elements that stand in the file as they do in memory are read at once, others block by block.
static stc_error take_numbers(stc_h5 *h5, const stc_h5_object *object, uint64_t count,
                              const conversion *as, void *values) {
  STC_ARENA arena = {0};
  uint8_t block[BLOCK], *bytes = NULL;
  uint64_t width = object->width, most = BLOCK / width, got;
  if (object->storage != STC_H5_PLAIN) STC_TRY(stc_h5_gather(h5, object, &arena, &bytes));
  bool native = object->class == as->class && width == as->width &&
                (as->class != STC_H5_INTEGER || object->is_signed) &&
                object->is_big_endian == stc_h5_is_big_endian();
  if (native && !bytes) return stc_h5_load(h5, object->start, (size_t)(count * width), values);
  if (native && count) memcpy(values, bytes, (size_t)(count * width));
  for (uint64_t first = 0; first < count && !native; first += got) {
    const uint8_t *at = bytes ? bytes + first * width : block;
    got = count - first < most ? count - first : most;
    if (!bytes)
      STC_TRY(stc_h5_load(h5, object->start + first * width, (size_t)(got * width), block));
    for (uint64_t k = 0; k < got; k++, at += width)
      STC_TRY(as->convert(object, bits_of(at, object), first + k, values));
  }
  return STC_OK;
}

stc_error stc_h5_ints(stc_h5 *h5, const stc_h5_object *object, uint64_t count, int *values) {
  return take_numbers(h5, object, count, &(conversion){STC_H5_INTEGER, sizeof(int), to_int},
                      values);
}

stc_error stc_h5_doubles(stc_h5 *h5, const stc_h5_object *object, uint64_t count, double *values) {
  return take_numbers(h5, object, count, &(conversion){STC_H5_REAL, sizeof(double), to_double},
                      values);
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
