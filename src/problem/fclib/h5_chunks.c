// Elements of a dataset that is not in one piece: every chunk that was written is decoded and put
// in its place; what was not written is the fill value.
#include "h5_parts.h"

#include <string.h>

typedef struct gathering {
  stc_h5 *h5;
  const stc_h5_object *object;
  uint64_t grid[2];  // chunks
  uint8_t *seen;     // [grid] chunks found so far
  uint64_t found;
  uint8_t *bytes;  // of the dataset; NULL: chunks are counted only
  uint8_t *plain;  // one chunk
} gathering;

// --- Fill value ---

static stc_error fill_h5_chunks(stc_h5 *h5, const stc_h5_object *object, uint8_t *bytes) {
  if (object->count == 0 || object->fill_at == 0) return STC_OK;  // zeros
  size_t width = (size_t)object->width, all = (size_t)(object->count * object->width);
  STC_TRY(stc_h5_load(h5, object->fill_at, width, bytes));
  for (size_t done = width, step; done < all; done += step) {
    step = done < all - done ? done : all - done;
    memcpy(bytes + done, bytes, step);
  }
  return STC_OK;
}

// --- Chunks ---

static stc_error load_chunk(gathering *g, const stc_h5_chunk *chunk) {
  const stc_h5_chunking *chunks = &g->object->chunks;
  if (chunk->address > g->h5->size || chunk->bytes > g->h5->size - chunk->address)
    return stc_h5_damaged(chunk->address, "a chunk past the end of the file");
  if (chunks->filters == 0) {
    if (chunk->bytes != chunks->bytes) return stc_h5_damaged(chunk->address, "size of a chunk");
    return stc_h5_load(g->h5, chunk->address, (size_t)chunk->bytes, g->plain);
  }
  STC_ARENA arena = {0};
  uint8_t *stored = STC_TAKE(&arena, uint8_t, chunk->bytes);
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_h5_load(g->h5, chunk->address, (size_t)chunk->bytes, stored));
  return stc_h5_unfilter(g->object, chunk, g->plain, stored);
}

// Each place is taken once: no index makes the same chunk be decoded again and again.
static stc_error take_chunk(void *user, const stc_h5_chunk *chunk) {
  gathering *g = user;
  uint8_t *seen = &g->seen[chunk->at[0] * g->grid[1] + chunk->at[1]];
  if (*seen) return stc_h5_damaged(chunk->address, "two chunks at the same place");
  *seen = 1;
  g->found++;
  if (!g->bytes) return STC_OK;
  STC_TRY(load_chunk(g, chunk));
  // Rows of the chunk that lie within the dataset, as far as they do.
  const stc_h5_object *object = g->object;
  const uint64_t *extent = object->chunks.extent;
  uint64_t row = chunk->at[0] * extent[0], col = chunk->at[1] * extent[1], width = object->width;
  uint64_t rows = object->extent[0] - row, cols = object->extent[1] - col;
  if (rows > extent[0]) rows = extent[0];
  if (cols > extent[1]) cols = extent[1];
  for (uint64_t k = 0; k < rows; k++)
    memcpy(g->bytes + ((row + k) * object->extent[1] + col) * width,
           g->plain + k * extent[1] * width, (size_t)(cols * width));
  return STC_OK;
}

// The bytes of a search end with it, those of the index included.
static stc_error each_chunk(gathering *g) {
  const stc_h5_object *object = g->object;
  for (int k = 0; k < 2; k++) g->grid[k] = (object->extent[k] - 1) / object->chunks.extent[k] + 1;
  g->seen = stc_calloc((size_t)(g->grid[0] * g->grid[1]), 1);
  if (!g->seen) return stc_fail(STC_ERR_MEMORY, "out of memory for a table of chunks");
  g->h5->visited = 0;
  stc_error error = stc_h5_each_chunk(g->h5, object, take_chunk, g);
  stc_arena_free(&g->h5->arena);
  stc_release(&g->seen);
  return error;
}

stc_error stc_h5_gather(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena,
                        uint8_t **bytes) {
  STC_ARENA own = {0};
  bool chunked = object->storage == STC_H5_CHUNKED;
  gathering g = {.h5 = h5, .object = object};
  g.bytes = *bytes = STC_TAKE(arena, uint8_t, object->count * object->width);
  g.plain = STC_TAKE(&own, uint8_t, chunked ? object->chunks.bytes : 0);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(stc_arena_check(&own));
  if (object->has_fill) STC_TRY(fill_h5_chunks(h5, object, *bytes));
  if (chunked) STC_TRY(each_chunk(&g));
  if (object->has_fill || (chunked && g.found == g.grid[0] * g.grid[1])) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "it was not written, or not all of it, and has no fill value");
}

stc_error stc_h5_is_written(stc_h5 *h5, const stc_h5_object *object, bool *is_written) {
  *is_written = object->storage == STC_H5_PLAIN;
  if (object->storage != STC_H5_CHUNKED) return STC_OK;
  gathering g = {.h5 = h5, .object = object};
  STC_TRY(each_chunk(&g));
  *is_written = g.found == g.grid[0] * g.grid[1];
  return STC_OK;
}
