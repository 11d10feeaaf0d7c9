// Where the elements of a dataset are: the messages of layout, filters and fill value.
#include "h5_parts.h"

enum {
  LAYOUT_COMPACT = 0,  // in the header
  LAYOUT_CONTIGUOUS = 1,
  LAYOUT_CHUNKED = 2,
  OLDEST_WITHOUT_RANK = 3,  // version of layout messages
  INDEX_SINGLE = 1,         // kinds of index, version 4
  INDEX_TREE2 = 5,
  SINGLE_IS_FILTERED = 0x02,  // flags of chunked layouts, version 4
  EDGES_UNFILTERED = 0x01,
  NAMED_FILTER = 256,  // filters from here on have a name
  FILL_NEVER = 1       // time to write fill values
};

// What a file may expand to in memory. gzip makes at most 1032 bytes of one, so that nothing is
// refused up to EXPANDED_FREELY; beyond, files that are RATIO times smaller than what they hold
// are.
enum { DEFLATE_RATIO = 1100, RATIO = 64, EXTRA = 1 << 20 };
#define EXPANDED_FREELY (UINT64_C(1) << 28)

uint64_t stc_h5_limit(uint64_t size) {
  if (size > UINT64_MAX / DEFLATE_RATIO / 2) return UINT64_MAX / 2;
  uint64_t freely = DEFLATE_RATIO * size, always = RATIO * size;
  if (freely > EXPANDED_FREELY) freely = EXPANDED_FREELY;
  return (freely > always ? freely : always) + EXTRA;
}

static uint64_t grid_bytes(const stc_h5_object *object) {
  const stc_h5_chunking *chunks = &object->chunks;
  return stc_h5_pieces(object->extent[0], chunks->extent[0]) *
         stc_h5_pieces(object->extent[1], chunks->extent[1]) * chunks->bytes;
}

uint64_t stc_h5_cost(const stc_h5_object *object) {
  if (object->storage == STC_H5_PLAIN) return 0;
  uint64_t bytes = object->count * object->width;
  return object->storage == STC_H5_CHUNKED ? bytes + grid_bytes(object) : bytes;
}

static stc_error too_large(const stc_h5_object *object) {
  return stc_fail(STC_ERR_FORMAT, "it claims %llu elements, more than the file can hold",
                  (unsigned long long)object->count);
}

// --- One piece ---

// Elements that have no place are the fill value.
static stc_error place_contiguous(const stc_h5 *h5, uint64_t address, uint64_t start,
                                  stc_h5_object *object) {
  object->start = start;
  if (object->count == 0) return STC_OK;
  if (start != STC_H5_UNDEFINED) {
    if (object->count > h5->size / object->width) return too_large(object);
    bool inside = start <= h5->size && object->count * object->width <= h5->size - start;
    return inside ? STC_OK : stc_h5_damaged(address, "a dataset past the end of the file");
  }
  object->storage = STC_H5_UNWRITTEN;
  if (object->count > stc_h5_limit(h5->size) / object->width) return too_large(object);
  return STC_OK;
}

static stc_error place_compact(const stc_h5 *h5, uint64_t address, stc_cursor *c, size_t width,
                               stc_h5_object *object) {
  uint64_t length = stc_cursor_take(c, width);
  object->start = c->address;
  if (object->count > h5->size / object->width) return too_large(object);
  if (c->bad || length > c->left || length < object->count * object->width)
    return stc_h5_damaged(address, "storage of a dataset");
  return STC_OK;
}

// --- Chunks ---

static bool take_chunk_extent(stc_cursor *c, size_t width, stc_h5_object *object) {
  stc_h5_chunking *chunks = &object->chunks;
  chunks->extent[0] = chunks->extent[1] = 1;
  for (int k = 0; k < object->rank; k++) chunks->extent[k] = stc_cursor_take(c, width);
  uint64_t rows = chunks->extent[0], cols = chunks->extent[1];
  if (c->bad || !rows || !cols || rows > UINT32_MAX || cols > UINT32_MAX) return false;
  if (rows * cols > UINT64_MAX / object->width) return false;
  chunks->bytes = rows * cols * object->width;
  return true;
}

// All chunks, whole, within what a file of this size may expand to.
static stc_error check_grid(const stc_h5 *h5, const stc_h5_object *object) {
  const stc_h5_chunking *chunks = &object->chunks;
  uint64_t limit = stc_h5_limit(h5->size), n[2];
  for (int k = 0; k < 2; k++) n[k] = stc_h5_pieces(object->extent[k], chunks->extent[k]);
  if (object->count > limit / object->width || chunks->bytes > limit) return too_large(object);
  if (n[0] && n[1] > limit / chunks->bytes / n[0]) return too_large(object);
  return STC_OK;
}

static stc_error end_of_chunked(const stc_h5 *h5, stc_h5_object *object) {
  bool empty = object->count == 0;
  bool unwritten = object->chunks.index_at == STC_H5_UNDEFINED;
  object->storage = empty ? STC_H5_PLAIN : unwritten ? STC_H5_UNWRITTEN : STC_H5_CHUNKED;
  return empty ? STC_OK : check_grid(h5, object);
}

// Up to version 3: rank and one, tree, extents in 4 bytes each, the last one that of an element.
static stc_error place_chunks(const stc_h5 *h5, uint64_t address, stc_cursor *c, uint64_t rank,
                              uint64_t tree, stc_h5_object *object) {
  object->chunks.index = STC_H5_INDEX_TREE;
  object->chunks.index_at = tree;
  bool good = rank == (uint64_t)object->rank + 1 && take_chunk_extent(c, 4, object);
  if (!good || stc_cursor_take(c, 4) != object->width)
    return stc_h5_damaged(address, "chunks of a dataset");
  return end_of_chunked(h5, object);
}

// Version 4: flags, rank and one, bytes of an extent, extents, kind of index, what it needs.
static stc_error place_new_chunks(const stc_h5 *h5, uint64_t address, stc_cursor *c,
                                  stc_h5_object *object) {
  static const size_t needs[INDEX_TREE2 + 1] = {0, 0, 0, 1, 5, 6};
  stc_h5_chunking *chunks = &object->chunks;
  uint64_t flags = stc_cursor_take(c, 1), rank = stc_cursor_take(c, 1);
  size_t width = (size_t)stc_cursor_take(c, 1);
  bool good = rank == (uint64_t)object->rank + 1 && width >= 1 && width <= 8 &&
              take_chunk_extent(c, width, object) && stc_cursor_take(c, width) == object->width;
  uint64_t kind = stc_cursor_take(c, 1);
  if (!good || kind < INDEX_SINGLE || kind > INDEX_TREE2)
    return stc_h5_damaged(address, "chunks of a dataset");
  chunks->index = (stc_h5_index)(STC_H5_INDEX_SINGLE + (kind - INDEX_SINGLE));
  chunks->edges_unfiltered = flags & EDGES_UNFILTERED;
  chunks->single = chunks->bytes;
  if (kind == INDEX_SINGLE && flags & SINGLE_IS_FILTERED) {
    chunks->single = stc_cursor_take(c, STC_H5_WORD);
    chunks->single_mask = (uint32_t)stc_cursor_take(c, 4);
  }
  stc_cursor_skip(c, needs[kind]);
  chunks->index_at = stc_cursor_take(c, STC_H5_WORD);
  if (c->bad) return stc_h5_damaged(address, "chunks of a dataset");
  return end_of_chunked(h5, object);
}

// --- Layouts ---

static stc_error place_new(const stc_h5 *h5, uint64_t address, stc_cursor *c, uint64_t version,
                           stc_h5_object *object) {
  uint64_t class = stc_cursor_take(c, 1);
  if (class == LAYOUT_COMPACT) return place_compact(h5, address, c, 2, object);
  if (class == LAYOUT_CHUNKED && version == OLDEST_WITHOUT_RANK) {
    uint64_t rank = stc_cursor_take(c, 1), tree = stc_cursor_take(c, STC_H5_WORD);
    return place_chunks(h5, address, c, rank, tree, object);
  }
  if (class == LAYOUT_CHUNKED) return place_new_chunks(h5, address, c, object);
  if (class != LAYOUT_CONTIGUOUS) return stc_h5_refuse("a virtual dataset");
  object->place_at = c->address;
  uint64_t start = stc_cursor_take(c, STC_H5_WORD), length = stc_cursor_take(c, STC_H5_WORD);
  STC_TRY(place_contiguous(h5, address, start, object));
  if (c->bad || (object->storage == STC_H5_PLAIN && length < object->count * object->width))
    return stc_h5_damaged(address, "storage of a dataset");
  return STC_OK;
}

// --- Filters ---

static stc_error take_filter(stc_cursor *c, bool old, stc_h5_chunking *chunks) {
  uint64_t id = stc_cursor_take(c, 2);
  uint64_t name = old || id >= NAMED_FILTER ? stc_cursor_take(c, 2) : 0;
  stc_cursor_skip(c, 2);  // flags: an optional filter that was left out is in the mask
  uint64_t values = stc_cursor_take(c, 2);
  stc_cursor_skip(c, (size_t)(old ? (name + 7) / 8 * 8 : name));
  uint64_t first = values ? stc_cursor_take(c, 4) : 0;
  for (uint64_t k = 1; k < values; k++) stc_cursor_take(c, 4);
  if (old && values % 2) stc_cursor_skip(c, 4);
  if (c->bad) return stc_h5_damaged(c->address, "filters of a dataset");
  chunks->shuffled[chunks->filters] = (uint32_t)first;
  chunks->filter[chunks->filters++] = (uint16_t)id;
  return STC_OK;
}

static stc_error take_filters(stc_cursor c, stc_h5_chunking *chunks) {
  uint64_t version = stc_cursor_take(&c, 1), count = stc_cursor_take(&c, 1);
  bool old = version == 1;
  stc_cursor_skip(&c, old ? 6 : 0);
  if (c.bad || version < 1 || version > 2) return stc_h5_damaged(c.address, "filters of a dataset");
  if (count > STC_H5_MOST_FILTERS) return stc_h5_refuse("a dataset with more than eight filters");
  for (uint64_t k = 0; k < count; k++) STC_TRY(take_filter(&c, old, chunks));
  return STC_OK;
}

// --- Fill values ---

// A value of another width than the elements is damage; none, or one without bytes, is zero.
static stc_error take_value(stc_cursor *c, stc_h5_object *object) {
  uint64_t length = stc_cursor_take(c, 4);
  bool whole = length == object->width && length <= c->left;
  if (c->bad || (length && !whole && length != UINT32_MAX))
    return stc_h5_damaged(c->address, "fill value of a dataset");
  object->fill_at = whole ? c->address : 0;
  object->has_fill = length != UINT32_MAX;
  return STC_OK;
}

// Version 3 packs times and whether there is a value into one byte.
static stc_error take_fill(stc_cursor c, stc_h5_object *object) {
  uint64_t version = stc_cursor_take(&c, 1), flags = stc_cursor_take(&c, 1), when, defined;
  if (version == 3) {
    when = flags >> 2 & 3;
    defined = flags >> 5 & 1;
    object->has_fill = !(flags >> 4 & 1);
  } else {
    when = stc_cursor_take(&c, 1);
    defined = stc_cursor_take(&c, 1);
    object->has_fill = version == 1 || defined;
  }
  if (c.bad || version < 1 || version > 3)
    return stc_h5_damaged(c.address, "fill value of a dataset");
  if (version == 1 || defined) STC_TRY(take_value(&c, object));
  object->has_fill = object->has_fill && when != FILL_NEVER;
  return STC_OK;
}

static stc_error fill_value(const stc_message *messages, stc_h5_object *object) {
  const stc_message *fill = stc_message_find(messages, STC_MESSAGE_FILL);
  const stc_message *old = stc_message_find(messages, STC_MESSAGE_OLD_FILL);
  object->has_fill = true;
  if (fill)
    return fill->is_shared ? stc_h5_refuse("a shared fill value") : take_fill(fill->body, object);
  stc_cursor c = old ? old->body : (stc_cursor){0};
  return old && !old->is_shared ? take_value(&c, object) : STC_OK;
}

stc_error stc_h5_place(const stc_h5 *h5, uint64_t address, const stc_message *messages,
                       stc_h5_object *object) {
  const stc_message *layout = stc_message_find(messages, STC_MESSAGE_LAYOUT);
  const stc_message *filters = stc_message_find(messages, STC_MESSAGE_FILTERS);
  if (layout->is_shared || (filters && filters->is_shared))
    return stc_h5_refuse("shared header messages");
  stc_cursor c = layout->body;
  uint64_t version = stc_cursor_take(&c, 1);
  if (filters) STC_TRY(take_filters(filters->body, &object->chunks));
  STC_TRY(fill_value(messages, object));
  if (version == 1 || version == 2) {
    // Version 1 and 2: rank (and one for chunks), class, address, extents in 4 bytes each; compact
    // elements have a length in 4 bytes.
    uint64_t rank = stc_cursor_take(&c, 1), class = stc_cursor_take(&c, 1);
    stc_cursor_skip(&c, 5);
    if (rank > 3) return stc_h5_damaged(address, "storage of a dataset");
    uint64_t start = class == LAYOUT_COMPACT ? 0 : stc_cursor_take(&c, STC_H5_WORD);
    if (class == LAYOUT_CHUNKED) return place_chunks(h5, address, &c, rank, start, object);
    stc_cursor_skip(&c, 4 * (size_t)rank);
    if (class == LAYOUT_COMPACT) return place_compact(h5, address, &c, 4, object);
    if (c.bad) return stc_h5_damaged(address, "storage of a dataset");
    return place_contiguous(h5, address, start, object);
  }
  if (version == 3 || version == 4) return place_new(h5, address, &c, version, object);
  return stc_h5_refuse("a storage layout of a later version");
}
