// The fractal heap of dense groups: blocks in rows of `width`, those of row 0 and 1 of the same
// size, then each row twice as large as the one before; large rows consist of heaps like this one.
#include "h5_parts.h"

#include <string.h>

enum {
  HEADER = 146,  // bytes, checksum included, without filters
  PREFIX = 13,   // of a block: signature, version, address of the header; an offset follows
  MAX_ROWS = 32,
  ID_MANAGED = 0,     // kinds of identifiers: bits 4 and 5 of the first byte; bits 6 and 7 are 0
  BLOCK_CHECKSUM = 2  // flag: direct blocks have one
};

typedef struct heap {
  stc_h5 *h5;
  uint64_t width, start, most;  // blocks in a row, bytes of the first block and of the largest
  uint64_t offset_width, length_width;  // bytes of an offset in the heap, of a length
  uint64_t root, rows;                  // rows of the root; 0: it is a block
  bool has_checksums;
} heap;

static stc_error open_heap(stc_h5 *h5, uint64_t address, heap *h) {
  stc_cursor c;
  STC_TRY(stc_h5_checked(h5, address, HEADER, "FRHP", &c));
  uint64_t version = stc_cursor_take(&c, 1);
  stc_cursor_skip(&c, 2);  // bytes of an identifier
  uint64_t filters = stc_cursor_take(&c, 2);
  uint64_t flags = stc_cursor_take(&c, 1);
  uint64_t largest = stc_cursor_take(&c, 4);
  stc_cursor_skip(&c, 12 * STC_H5_WORD);  // huge and tiny objects, free space, counts
  *h = (heap){.h5 = h5, .width = stc_cursor_take(&c, 2)};
  h->start = stc_cursor_take(&c, STC_H5_WORD);
  h->most = stc_cursor_take(&c, STC_H5_WORD);
  uint64_t bits = stc_cursor_take(&c, 2);
  stc_cursor_skip(&c, 2);  // rows of a new root
  h->root = stc_cursor_take(&c, STC_H5_WORD);
  h->rows = stc_cursor_take(&c, 2);
  h->has_checksums = flags & BLOCK_CHECKSUM;
  h->offset_width = (bits + 7) / 8;
  h->length_width = stc_h5_width(largest < h->most ? largest : h->most);
  bool good = !c.bad && version == 0 && stc_h5_is_power(h->width) && stc_h5_is_power(h->start) &&
              stc_h5_is_power(h->most) && h->start <= h->most && h->most <= UINT32_MAX &&
              bits <= 64 && h->rows <= MAX_ROWS;
  if (filters) return stc_h5_refuse("a compressed group");
  return good ? STC_OK : stc_h5_damaged(address, "heap of a group");
}

// Bytes of a block in row r.
static uint64_t block_bytes(const heap *h, uint64_t row) {
  return row == 0 ? h->start : h->start << (row - 1);
}

// A block of the heap: where it is, its size, and the place in it that is looked for.
typedef struct block {
  uint64_t address, bytes, offset;
} block;

// Rows of the heap that a block of `bytes` is, if it is larger than blocks may be.
static uint64_t rows_of(const heap *h, uint64_t bytes) {
  uint64_t rows = 1;
  while (rows < MAX_ROWS && h->width * block_bytes(h, rows) < bytes) rows++;
  return bytes <= h->most ? 0 : rows;
}

// The block among `rows` rows that holds the offset.
static stc_error enter(const heap *h, uint64_t rows, block *b) {
  uint64_t row = 0, first = 0, address = b->address;
  while (row + 1 < rows && b->offset - first >= h->width * block_bytes(h, row))
    first += h->width * block_bytes(h, row++);
  uint64_t bytes = block_bytes(h, row), column = (b->offset - first) / bytes;
  if (column >= h->width) return stc_h5_damaged(address, "heap of a group");
  uint64_t length = PREFIX + h->offset_width + rows * h->width * STC_H5_WORD + STC_H5_CHECKSUM;
  stc_cursor c;
  STC_TRY(stc_h5_checked(h->h5, address, length, "FHIB", &c));
  stc_cursor_skip(&c,
                  PREFIX - 4 + (size_t)(h->offset_width + (row * h->width + column) * STC_H5_WORD));
  *b = (block){stc_cursor_take(&c, STC_H5_WORD), bytes, (b->offset - first) % bytes};
  return c.bad ? stc_h5_damaged(address, "heap of a group") : STC_OK;
}

// The checksum of a block stands behind its prefix and counts as zero.
static stc_error check_block(const heap *h, stc_cursor c) {
  size_t prefix = PREFIX + (size_t)h->offset_width;
  stc_cursor start = c;
  uint8_t *copy = STC_TAKE(&h->h5->arena, uint8_t, c.left);
  STC_TRY(stc_arena_check(&h->h5->arena));
  stc_cursor_skip(&c, prefix);
  uint64_t stored = stc_cursor_take(&c, STC_H5_CHECKSUM);
  if (c.bad) return stc_h5_damaged(c.address, "block of a heap");
  memcpy(copy, start.at, start.left);
  memset(copy + prefix, 0, STC_H5_CHECKSUM);
  if (stc_h5_is_checksum(stored, copy, start.left)) return STC_OK;
  return stc_h5_damaged(c.address, "checksum of a block of a heap");
}

stc_error stc_h5_heap_object(stc_h5 *h5, uint64_t address, stc_cursor id, stc_cursor *object) {
  heap h;
  STC_TRY(open_heap(h5, address, &h));
  uint64_t kind = stc_cursor_take(&id, 1) >> 4;
  block b = {h.root, h.start, stc_cursor_take(&id, (size_t)h.offset_width)};
  size_t length = (size_t)stc_cursor_take(&id, (size_t)h.length_width);
  if (id.bad || kind != ID_MANAGED) return stc_h5_damaged(address, "identifier in a heap");
  for (uint64_t rows = h.rows; rows > 0; rows = rows_of(&h, b.bytes)) STC_TRY(enter(&h, rows, &b));
  STC_TRY(stc_h5_bytes(h5, b.address, b.bytes, object));
  if (!stc_cursor_match(object, "FHDB")) return stc_h5_damaged(b.address, "block of a heap");
  *object = (stc_cursor){object->at - 4, object->left + 4, b.address, false};
  if (h.has_checksums) STC_TRY(check_block(&h, *object));
  stc_cursor_skip(object, (size_t)b.offset);
  if (object->bad || length > object->left) return stc_h5_damaged(address, "identifier in a heap");
  object->left = length;
  return STC_OK;
}
