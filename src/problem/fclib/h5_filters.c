// Filters of chunks, undone: gzip (by zlib), lzf, shuffle, and the checksum of Fletcher.
#include "h5_parts.h"

#include <string.h>
#include <zlib.h>

enum {
  FILTER_GZIP = 1,
  FILTER_SHUFFLE = 2,
  FILTER_FLETCHER = 3,
  FILTER_LZF = 32000,
  FLETCHER_STEPS = 360  // words until the sums may not fit 32 bits
};

// Bytes on their way from the file to the elements: `at` is what one filter left to the next.
typedef struct stage {
  uint8_t *at, *other;  ///< two buffers of `room` bytes that take turns
  size_t count, room;
} stage;

static stc_error broken(const char *filter) {
  return stc_fail(STC_ERR_FORMAT, "a chunk is damaged (%s); get the file again from its source",
                  filter);
}

static void turn_over(stage *s, size_t count) {
  uint8_t *left = s->at;
  s->at = s->other;
  s->other = left;
  s->count = count;
}

static stc_error undo_gzip(stage *s) {
  z_stream z = {.next_in = s->at,
                .avail_in = (uInt)s->count,
                .next_out = s->other,
                .avail_out = (uInt)s->room};
  if (s->count > UINT32_MAX || s->room > UINT32_MAX) return broken("gzip");
  if (inflateInit(&z) != Z_OK) return stc_fail(STC_ERR_MEMORY, "out of memory for zlib");
  int result = inflate(&z, Z_FINISH);
  size_t count = s->room - z.avail_out;
  inflateEnd(&z);
  if (result == Z_MEM_ERROR) return stc_fail(STC_ERR_MEMORY, "out of memory for zlib");
  if (result != Z_STREAM_END) return broken("gzip");
  turn_over(s, count);
  return STC_OK;
}

// A byte n below 32: n + 1 bytes as they are. Otherwise three bits of length (seven: a
// length byte follows) and thirteen of distance: a copy of what was written before.
// [liblzf by Marc Lehmann; registered filter 32000 of h5py]
static stc_error undo_lzf(stage *s) {
  stc_cursor c = {.at = s->at, .left = s->count};
  size_t done = 0;
  while (c.left > 0 && !c.bad) {
    size_t first = (size_t)stc_cursor_take(&c, 1), length = first >> 5;
    bool is_copy = length > 0;
    if (length == 7) length += (size_t)stc_cursor_take(&c, 1);
    size_t distance = is_copy ? ((first & 31) << 8 | (size_t)stc_cursor_take(&c, 1)) + 1 : 0;
    length = is_copy ? length + 2 : first + 1;
    const uint8_t *literal = is_copy ? NULL : stc_cursor_skip(&c, length);
    if (c.bad || distance > done || length > s->room - done) return broken("lzf");
    for (size_t k = 0; k < length; k++, done++)
      s->other[done] = is_copy ? s->other[done - distance] : literal[k];
  }
  if (c.bad) return broken("lzf");
  turn_over(s, done);
  return STC_OK;
}

// First bytes of all elements, second bytes, ...; what is left over comes at the end.
static stc_error undo_shuffle(stage *s, size_t width) {
  if (width < 2 || s->count < 2 * width) return STC_OK;
  size_t elements = s->count / width, whole = elements * width;
  for (size_t j = 0; j < width; j++)
    for (size_t k = 0; k < elements; k++) s->other[k * width + j] = s->at[j * elements + k];
  memcpy(s->other + whole, s->at + whole, s->count - whole);
  turn_over(s, s->count);
  return STC_OK;
}

static uint32_t folded(uint32_t sum) { return (sum & 0xffff) + (sum >> 16); }

static uint32_t fletcher(const uint8_t *bytes, size_t count) {
  uint32_t a = 0, b = 0;
  for (size_t k = 0; k < count; k += 2) {
    a += (uint32_t)bytes[k] << 8 | (k + 1 < count ? bytes[k + 1] : 0u);
    b += a;
    if (k / 2 % FLETCHER_STEPS == FLETCHER_STEPS - 1 || k + 2 >= count)
      a = folded(a), b = folded(b);
  }
  return folded(b) << 16 | folded(a);
}

static stc_error undo_fletcher(stage *s) {
  if (s->count < STC_H5_CHECKSUM) return broken("fletcher32");
  s->count -= STC_H5_CHECKSUM;
  stc_cursor c = {.at = s->at + s->count, .left = STC_H5_CHECKSUM};
  return stc_cursor_take(&c, STC_H5_CHECKSUM) == fletcher(s->at, s->count) ? STC_OK
                                                                           : broken("fletcher32");
}

static stc_error undo(stage *s, uint16_t filter, uint32_t shuffled) {
  switch (filter) {
  case FILTER_GZIP:
    return undo_gzip(s);
  case FILTER_SHUFFLE:
    return undo_shuffle(s, shuffled);
  case FILTER_FLETCHER:
    return undo_fletcher(s);
  case FILTER_LZF:
    return undo_lzf(s);
  default:
    return stc_fail(STC_ERR_FORMAT,
                    "it is compressed by filter %d, which is not read (gzip, lzf, shuffle and "
                    "fletcher32 are); rewrite it with 'h5repack -f GZIP=1 OLD NEW'",
                    filter);
  }
}

stc_error stc_h5_unfilter(const stc_h5_object *object, const stc_h5_chunk *chunk, uint8_t *plain,
                          const uint8_t *stored) {
  // What one compressor leaves to the next one may be a little longer than the chunk.
  const stc_h5_chunking *chunks = &object->chunks;
  size_t room = (size_t)chunks->bytes, most = room + room / 8 + 1024;
  STC_ARENA arena = {0};
  if (chunk->bytes > most) return broken("its length");
  uint8_t *buffers = STC_TAKE(&arena, uint8_t, 2 * most);
  STC_TRY(stc_arena_check(&arena));
  stage s = {.at = buffers, .other = buffers + most, .count = (size_t)chunk->bytes, .room = most};
  memcpy(s.at, stored, s.count);
  for (int k = chunks->filters; k-- > 0;)
    if (!(chunk->mask >> k & 1)) STC_TRY(undo(&s, chunks->filter[k], chunks->shuffled[k]));
  if (s.count != chunks->bytes) return broken("its length");
  memcpy(plain, s.at, room);
  return STC_OK;
}
