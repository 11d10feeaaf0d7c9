// Arrays and arenas. Large blocks come straight from the system, so untouched pages cost nothing.
#include "memory.h"

#include "fail.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };  // a cache line
// Requests up to SMALL come out of slabs; larger ones are blocks of their own. Slabs grow from
// FIRST_SLAB to LAST_SLAB: small problems touch few pages, large ones ask the system rarely.
enum { FIRST_SLAB = 1 << 12, LAST_SLAB = 1 << 16, SMALL = 1 << 13 };

struct stc_block {
  struct stc_block *next;
};

void *stc_calloc(size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  return calloc(count ? count : 1, size ? size : 1);
}

void stc_release(void *address_of_pointer) {
  void *pointer = NULL;
  memcpy(&pointer, address_of_pointer, sizeof pointer);
  free(pointer);
  pointer = NULL;
  memcpy(address_of_pointer, &pointer, sizeof pointer);
}

static char *aligned(void *place) {
  return (char *)(((uintptr_t)place + ALIGN - 1) / ALIGN * ALIGN);
}

// A block from the system with room for `bytes` aligned ones.
static char *new_block(stc_arena *arena, size_t bytes, bool zeroed) {
  struct stc_block *block = zeroed ? calloc(bytes + 2 * ALIGN, 1) : malloc(bytes + 2 * ALIGN);
  if (!block) {
    arena->failed = true;
    return NULL;
  }
  block->next = arena->blocks;
  arena->blocks = block;
  return aligned(block + 1);
}

static char *carve(stc_slab *slab, size_t bytes) {
  if (bytes > slab->left) return NULL;
  char *place = slab->at;
  slab->at += bytes;
  slab->left -= bytes;
  return place;
}

static void new_slab(stc_arena *arena, stc_slab *slab, size_t size) {
  char *at = new_block(arena, size, false);
  if (at) *slab = (stc_slab){.at = at, .left = size};
}

static void refill(stc_arena *arena, stc_slab *slab, size_t bytes) {
  size_t size = arena->next > FIRST_SLAB ? arena->next : FIRST_SLAB;
  while (size < 2 * bytes) size *= 2;
  arena->next = 2 * size < LAST_SLAB ? 2 * size : LAST_SLAB;
  new_slab(arena, slab, size);
}

static char *from_slab(stc_arena *arena, stc_slab *slab, size_t bytes) {
  char *place = carve(slab, bytes);
  if (place) return place;
  if (arena->closed) {
    arena->failed = true;
    return NULL;
  }
  refill(arena, slab, bytes);
  return carve(slab, bytes);
}

static bool overflows(size_t count, size_t size) {
  return size && count > (SIZE_MAX - 4 * ALIGN) / size;
}

size_t stc_arena_cost(size_t count, size_t size) {
  if (overflows(count, size)) return SIZE_MAX;
  size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
  return bytes > 0 ? bytes : ALIGN;
}

static void *take(stc_arena *arena, size_t count, size_t size, bool zeroed) {
  if (arena->failed) return NULL;
  if (overflows(count, size)) {
    arena->failed = true;
    return NULL;
  }
  size_t bytes = stc_arena_cost(count, size);
  bool fits = zeroed ? bytes <= SMALL : bytes <= SMALL || bytes <= arena->raw.left;
  arena->bytes += bytes;
  if (!fits && !arena->closed) return new_block(arena, bytes, zeroed);
  char *place = from_slab(arena, zeroed && !arena->closed ? &arena->clean : &arena->raw, bytes);
  if (place && zeroed) memset(place, 0, bytes);
  return place;
}

void *stc_arena_take(stc_arena *arena, size_t count, size_t size) {
  return take(arena, count, size, true);
}

void *stc_arena_take_raw(stc_arena *arena, size_t count, size_t size) {
  return take(arena, count, size, false);
}

void stc_arena_take_vectors(stc_arena *arena, size_t size, double **const *vector, size_t count) {
  size_t stride = stc_arena_cost(size, sizeof(double));
  char *place = stc_arena_take_raw(arena, count, stride);
  for (size_t k = 0; k < count; k++) *vector[k] = place ? (double *)(place + k * stride) : NULL;
}

void stc_arena_expect(stc_arena *arena, size_t bytes) {
  if (!arena->failed && !arena->closed && arena->raw.left < bytes)
    new_slab(arena, &arena->raw, bytes);
}

stc_arena stc_arena_within(void *room, size_t bytes) {
  return (stc_arena){.raw = {.at = room, .left = bytes}, .closed = true};
}

stc_error stc_arena_check(const stc_arena *arena) {
  if (!arena->failed) return STC_OK;
  return stc_fail(STC_ERR_MEMORY, "out of memory after %zu bytes", arena->bytes);
}

void stc_arena_free(stc_arena *arena) {
  struct stc_block *block = arena->blocks;
  while (block) {
    struct stc_block *next = block->next;
    free(block);
    block = next;
  }
  *arena = (stc_arena){0};
}
