// Arrays and arenas. Large blocks come straight from the system, so untouched pages cost nothing.
#include "memory.h"

#include "fail.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };  // a cache line
// Requests up to SMALL come out of shared slabs; larger ones are blocks of their own.
enum { SLAB = 1 << 16, SMALL = 1 << 13 };

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

static char *from_slab(stc_arena *arena, size_t bytes) {
  if (bytes > arena->left) {
    arena->slab = new_block(arena, SLAB, false);
    arena->left = arena->slab ? SLAB : 0;
    if (!arena->slab) return NULL;
  }
  char *place = arena->slab;
  arena->slab += bytes;
  arena->left -= bytes;
  return place;
}

static void *take(stc_arena *arena, size_t count, size_t size, bool zeroed) {
  if (arena->failed) return NULL;
  if (size && count > (SIZE_MAX - 4 * ALIGN) / size) {
    arena->failed = true;
    return NULL;
  }
  size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
  if (bytes == 0) bytes = ALIGN;
  arena->bytes += bytes;
  if (bytes > SMALL) return new_block(arena, bytes, zeroed);
  char *place = from_slab(arena, bytes);
  if (place && zeroed) memset(place, 0, bytes);
  return place;
}

void *stc_arena_take(stc_arena *arena, size_t count, size_t size) {
  return take(arena, count, size, true);
}

void *stc_arena_take_raw(stc_arena *arena, size_t count, size_t size) {
  return take(arena, count, size, false);
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
