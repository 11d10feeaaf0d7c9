// Indices of chunks: which chunk of the grid lies where. Trees of version 1 and 2 name the place of
// each chunk; arrays number them by rows of the greatest extent, an extensible one by its unlimited
// dimension first.
#include "h5_parts.h"

enum {
  TREE_OF_CHUNKS = 1,  // type of its nodes
  RECORD_PLAIN = 10,   // types of records of version 2
  RECORD_FILTERED = 11,
  MASK = 4,     // bytes of a mask of filters
  PREFIX = 14,  // of a block of an array: signature, version, client, address of the header
  FIXED_HEADER = 28,
  EXTENSIBLE_HEADER = 72,
  MAX_BITS = 48  // of the number of elements
};

typedef struct indexing {
  stc_h5 *h5;
  const stc_h5_object *object;
  stc_h5_visit_chunk visit;
  void *user;
} indexing;

// Passes a chunk on if it lies within the dataset. Chunks over its end may be left as they are.
static stc_error hand_over(const indexing *x, stc_h5_chunk chunk) {
  const stc_h5_object *object = x->object;
  const stc_h5_chunking *chunks = &object->chunks;
  bool over = false;
  for (int k = 0; k < 2; k++) {
    uint64_t count = stc_h5_pieces(object->extent[k], chunks->extent[k]);
    if (chunk.at[k] >= count) return STC_OK;
    over = over || (chunk.at[k] + 1) * chunks->extent[k] > object->extent[k];
  }
  if (over && chunks->edges_unfiltered) chunk.mask = UINT32_MAX;
  return chunk.address == STC_H5_UNDEFINED ? STC_OK : x->visit(x->user, &chunk);
}

// --- Trees ---

// A key: bytes, mask, where the chunk begins in elements, one number more than the rank.
static stc_error take_entry(void *user, stc_cursor key, uint64_t address, bool *over) {
  const indexing *x = user;
  stc_h5_chunk chunk = {.bytes = stc_cursor_take(&key, 4), .address = address};
  chunk.mask = (uint32_t)stc_cursor_take(&key, MASK);
  for (int k = 0; k < x->object->rank; k++)
    chunk.at[k] = stc_cursor_take(&key, STC_H5_WORD) / x->object->chunks.extent[k];
  *over = false;
  return hand_over(x, chunk);
}

// A record: address, if filtered bytes and mask, place in the grid.
static stc_error take_record(void *user, stc_cursor c) {
  const indexing *x = user;
  const stc_h5_chunking *chunks = &x->object->chunks;
  size_t rank = (size_t)x->object->rank, rest = c.left - STC_H5_WORD * (1 + rank);
  stc_h5_chunk chunk = {.address = stc_cursor_take(&c, STC_H5_WORD), .bytes = chunks->bytes};
  if (chunks->filters) {
    if (rest <= MASK || rest > MASK + STC_H5_WORD)
      return stc_h5_damaged(c.address, "tree of chunks");
    chunk.bytes = stc_cursor_take(&c, rest - MASK);
    chunk.mask = (uint32_t)stc_cursor_take(&c, MASK);
  }
  for (size_t k = 0; k < rank; k++) chunk.at[k] = stc_cursor_take(&c, STC_H5_WORD);
  return c.bad ? stc_h5_damaged(c.address, "tree of chunks") : hand_over(x, chunk);
}

// --- Arrays ---

// An array: bytes of an element, elements of a page, and the dimension that varies slowest.
typedef struct array {
  const indexing *x;
  uint64_t element, page;
  int slow;
  uint64_t across;  // chunks along the other dimension
} array;

static array array_of(const indexing *x, uint64_t element, uint64_t page_bits) {
  const stc_h5_object *object = x->object;
  array a = {.x = x, .element = element, .page = UINT64_C(1) << page_bits};
  bool extensible = object->chunks.index == STC_H5_INDEX_EXTENSIBLE;
  a.slow = extensible && object->rank == 2 && object->most[1] == UINT64_MAX;
  a.across = stc_h5_pieces(object->most[!a.slow], object->chunks.extent[!a.slow]);
  if (a.across == 0) a.across = 1;
  return a;
}

static stc_error hand_over_number(const array *a, uint64_t number, stc_h5_chunk chunk) {
  chunk.at[a->slow] = number / a->across;
  chunk.at[!a->slow] = number % a->across;
  return hand_over(a->x, chunk);
}

// Elements: address, if filtered bytes and mask.
static stc_error take_elements(const array *a, stc_cursor *c, uint64_t first, uint64_t count) {
  for (uint64_t k = 0; k < count; k++) {
    stc_h5_chunk chunk = {.address = stc_cursor_take(c, STC_H5_WORD),
                          .bytes = a->x->object->chunks.bytes};
    if (a->x->object->chunks.filters) {
      chunk.bytes = stc_cursor_take(c, (size_t)a->element - STC_H5_WORD - MASK);
      chunk.mask = (uint32_t)stc_cursor_take(c, MASK);
    }
    if (c->bad) return stc_h5_damaged(c->address, "array of chunks");
    STC_TRY(hand_over_number(a, first + k, chunk));
  }
  return STC_OK;
}

static bool sound_element(const indexing *x, uint64_t client, uint64_t element) {
  if (x->object->chunks.filters == 0) return client == 0 && element == STC_H5_WORD;
  return client == 1 && element > STC_H5_WORD + MASK && element <= 2 * STC_H5_WORD + MASK;
}

static bool has_bit(const uint8_t *bits, uint64_t k) { return bits[k / 8] & 0x80 >> k % 8; }

// A page of elements with its checksum.
static stc_error take_page(const array *a, uint64_t address, uint64_t first, uint64_t count) {
  stc_cursor c;
  STC_TRY(stc_h5_checked(a->x->h5, address, count * a->element + STC_H5_CHECKSUM, "", &c));
  return take_elements(a, &c, first, count);
}

// --- Fixed array ---

// Pages that were never written are not marked in `marks`.
static stc_error fixed_pages(const array *a, uint64_t address, const uint8_t *marks,
                             uint64_t count) {
  for (uint64_t first = 0; first < count; first += a->page) {
    uint64_t held = count - first < a->page ? count - first : a->page;
    if (has_bit(marks, first / a->page)) STC_TRY(take_page(a, address, first, held));
    address += a->page * a->element + STC_H5_CHECKSUM;
  }
  return STC_OK;
}

static stc_error fixed_array(const indexing *x) {
  stc_cursor c;
  STC_TRY(stc_h5_checked(x->h5, x->object->chunks.index_at, FIXED_HEADER, "FAHD", &c));
  uint64_t version = stc_cursor_take(&c, 1), client = stc_cursor_take(&c, 1);
  uint64_t element = stc_cursor_take(&c, 1), page_bits = stc_cursor_take(&c, 1);
  uint64_t count = stc_cursor_take(&c, STC_H5_WORD), block = stc_cursor_take(&c, STC_H5_WORD);
  if (c.bad || version || !sound_element(x, client, element) || page_bits > 32 ||
      count > x->h5->size)
    return stc_h5_damaged(x->object->chunks.index_at, "array of chunks");
  if (block == STC_H5_UNDEFINED) return STC_OK;
  array a = array_of(x, element, page_bits);
  bool paged = count > a.page;
  uint64_t marks = paged ? (stc_h5_pieces(count, a.page) + 7) / 8 : 0;
  uint64_t length = PREFIX + marks + (paged ? 0 : count * element) + STC_H5_CHECKSUM;
  STC_TRY(stc_h5_checked(x->h5, block, length, "FADB", &c));
  stc_cursor_skip(&c, PREFIX - 4);
  if (!paged) return take_elements(&a, &c, 0, count);
  return fixed_pages(&a, block + length, stc_cursor_skip(&c, (size_t)marks), count);
}

// --- Extensible array ---

// The index block holds some elements, the addresses of the first blocks of elements, and those of
// secondary blocks, which hold addresses of blocks. Group u of blocks has 2^(u/2) blocks of
// 2^((u+1)/2) times `least` elements.
typedef struct extensible {
  array a;
  uint64_t inside, least, pointers;  // elements in the index block, of a block, blocks in it
  uint64_t offset_width;             // bytes of an offset among elements
  uint64_t groups, direct;           // groups of blocks, those in the index block
} extensible;

static int log_of(uint64_t x) {
  int log = 0;
  while (x >> (log + 1)) log++;
  return log;
}

static uint64_t blocks_of(uint64_t group) { return UINT64_C(1) << group / 2; }
static uint64_t elements_of(const extensible *e, uint64_t group) {
  return (UINT64_C(1) << (group + 1) / 2) * e->least;
}

// A block of elements, in pages if it is large; marks tell the pages that were written.
static stc_error take_block(const extensible *e, uint64_t address, uint64_t first, uint64_t count,
                            const uint8_t *marks, uint64_t mark) {
  uint64_t prefix = PREFIX + e->offset_width;
  stc_cursor c;
  if (address == STC_H5_UNDEFINED) return STC_OK;
  bool paged = count > e->a.page;
  if (paged && !marks) return stc_h5_damaged(address, "array of chunks");
  uint64_t length = prefix + (paged ? 0 : count * e->a.element) + STC_H5_CHECKSUM;
  STC_TRY(stc_h5_checked(e->a.x->h5, address, length, "EADB", &c));
  stc_cursor_skip(&c, (size_t)prefix - 4);
  if (!paged) return take_elements(&e->a, &c, first, count);
  address += length;
  for (uint64_t done = 0; done < count; done += e->a.page, mark++) {
    if (has_bit(marks, mark)) STC_TRY(take_page(&e->a, address, first + done, e->a.page));
    address += e->a.page * e->a.element + STC_H5_CHECKSUM;
  }
  return STC_OK;
}

// A secondary block: marks of pages, if blocks are paged, and addresses of blocks.
static stc_error take_secondary(const extensible *e, uint64_t address, uint64_t group,
                                uint64_t first) {
  uint64_t blocks = blocks_of(group), count = elements_of(e, group);
  uint64_t pages = count > e->a.page ? count / e->a.page : 0;
  uint64_t marks = blocks * ((pages + 7) / 8);
  stc_cursor c;
  if (address == STC_H5_UNDEFINED) return STC_OK;
  STC_TRY(stc_h5_checked(e->a.x->h5, address,
                         PREFIX + e->offset_width + marks + blocks * STC_H5_WORD + STC_H5_CHECKSUM,
                         "EASB", &c));
  stc_cursor_skip(&c, PREFIX - 4 + (size_t)e->offset_width);
  const uint8_t *bits = stc_cursor_skip(&c, (size_t)marks);
  for (uint64_t k = 0; k < blocks; k++, first += count)
    STC_TRY(take_block(e, stc_cursor_take(&c, STC_H5_WORD), first, count, bits, k * pages));
  return STC_OK;
}

static stc_error take_index_block(const extensible *e, uint64_t address) {
  uint64_t direct = 2 * (e->pointers - 1), secondary = e->groups - e->direct;
  uint64_t length =
      PREFIX + e->inside * e->a.element + (direct + secondary) * STC_H5_WORD + STC_H5_CHECKSUM;
  stc_cursor c;
  STC_TRY(stc_h5_checked(e->a.x->h5, address, length, "EAIB", &c));
  stc_cursor_skip(&c, PREFIX - 4);
  STC_TRY(take_elements(&e->a, &c, 0, e->inside));
  uint64_t first = e->inside;
  for (uint64_t u = 0; u < e->groups; u++) {
    uint64_t count = elements_of(e, u);
    if (u >= e->direct) STC_TRY(take_secondary(e, stc_cursor_take(&c, STC_H5_WORD), u, first));
    for (uint64_t k = 0; k < blocks_of(u) && u < e->direct; k++)
      STC_TRY(take_block(e, stc_cursor_take(&c, STC_H5_WORD), first + k * count, count, NULL, 0));
    first += blocks_of(u) * count;
  }
  return STC_OK;
}

static stc_error extensible_array(const indexing *x) {
  stc_cursor c;
  uint64_t at = x->object->chunks.index_at, field[8];
  STC_TRY(stc_h5_checked(x->h5, at, EXTENSIBLE_HEADER, "EAHD", &c));
  // Version, client, bytes of an element, bits of their number, elements in the index block, least
  // elements of a block, least blocks of a secondary block, bits of the elements of a page.
  for (int k = 0; k < 8; k++) field[k] = stc_cursor_take(&c, 1);
  stc_cursor_skip(&c, 6 * STC_H5_WORD);  // counts
  uint64_t block = stc_cursor_take(&c, STC_H5_WORD);
  bool good = !c.bad && field[0] == 0 && sound_element(x, field[1], field[2]) &&
              field[3] <= MAX_BITS && stc_h5_is_power(field[5]) && stc_h5_is_power(field[6]) &&
              field[7] <= 32 && field[3] >= (uint64_t)log_of(field[5]);
  if (!good) return stc_h5_damaged(at, "array of chunks");
  extensible e = {.a = array_of(x, field[2], field[7]),
                  .inside = field[4],
                  .least = field[5],
                  .pointers = field[6],
                  .offset_width = (field[3] + 7) / 8,
                  .groups = 1 + field[3] - (uint64_t)log_of(field[5]),
                  .direct = 2 * (uint64_t)log_of(field[6])};
  if (e.direct > e.groups) return stc_h5_damaged(at, "array of chunks");
  return block == STC_H5_UNDEFINED ? STC_OK : take_index_block(&e, block);
}

// --- Without an index ---

static stc_error implicit(const indexing *x) {
  const stc_h5_object *object = x->object;
  array a = array_of(x, STC_H5_WORD, 0);
  uint64_t rows = stc_h5_pieces(object->extent[0], object->chunks.extent[0]);
  uint64_t cols = stc_h5_pieces(object->extent[1], object->chunks.extent[1]);
  if (a.across > (x->h5->size / object->chunks.bytes + 1) / rows)
    return stc_h5_damaged(object->chunks.index_at, "chunks past the end of the file");
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t j = 0; j < cols; j++) {
      stc_h5_chunk chunk = {.bytes = object->chunks.bytes, .address = object->chunks.index_at};
      chunk.address += (i * a.across + j) * chunk.bytes;
      STC_TRY(hand_over_number(&a, i * a.across + j, chunk));
    }
  return STC_OK;
}

stc_error stc_h5_each_chunk(stc_h5 *h5, const stc_h5_object *object, stc_h5_visit_chunk visit,
                            void *user) {
  const stc_h5_chunking *chunks = &object->chunks;
  indexing x = {h5, object, visit, user};
  switch (chunks->index) {
  case STC_H5_INDEX_TREE:
    return stc_h5_walk_tree1(h5, chunks->index_at, TREE_OF_CHUNKS,
                             8 + STC_H5_WORD * ((size_t)object->rank + 1), take_entry, &x);
  case STC_H5_INDEX_SINGLE:
    return hand_over(&x, (stc_h5_chunk){.address = chunks->index_at,
                                        .bytes = chunks->single,
                                        .mask = chunks->single_mask});
  case STC_H5_INDEX_IMPLICIT:
    return implicit(&x);
  case STC_H5_INDEX_FIXED:
    return fixed_array(&x);
  case STC_H5_INDEX_EXTENSIBLE:
    return extensible_array(&x);
  case STC_H5_INDEX_TREE2:
    return stc_h5_walk_tree2(
        h5, chunks->index_at,
        &(stc_h5_walk){.type = chunks->filters > 0 ? RECORD_FILTERED : RECORD_PLAIN,
                       .least = STC_H5_WORD * (1 + (uint64_t)object->rank),
                       .visit = take_record,
                       .user = &x});
  }
  return stc_h5_damaged(chunks->index_at, "kind of index");
}
