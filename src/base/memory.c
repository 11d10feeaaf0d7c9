// Arrays and arenas. Large blocks come straight from the system, so untouched pages cost nothing.
#include "memory.h"

#include "fail.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };  // a cache line

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

void *stc_arena_take(stc_arena *arena, size_t count, size_t size) {
  if (arena->failed) return NULL;
  bool overflow = size && count > (SIZE_MAX - 3 * ALIGN) / size;
  size_t bytes = overflow ? 0 : count * size;
  struct stc_block *block = overflow ? NULL : stc_calloc(bytes + 2 * ALIGN, 1);
  if (!block) {
    arena->failed = true;
    return NULL;
  }
  block->next = arena->blocks;
  arena->blocks = block;
  arena->bytes += bytes;
  uintptr_t start = (uintptr_t)(block + 1);
  return (void *)((start + ALIGN - 1) / ALIGN * ALIGN);
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
