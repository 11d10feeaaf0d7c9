// Arrays and arenas. Large blocks come straight from the system, so untouched pages cost nothing.
#if defined(__linux__)
#define _DEFAULT_SOURCE  // madvise
#include <sys/mman.h>
#endif

#include "memory.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

enum { ALIGN = 64 };  // a cache line
// Requests up to SMALL come out of slabs; larger ones are blocks of their own. Slabs grow from
// FIRST_SLAB to LAST_SLAB: small problems touch few pages, large ones ask the system rarely.
enum { FIRST_SLAB = 1 << 12, LAST_SLAB = 1 << 16, SMALL = 1 << 13 };
enum { LARGE_BLOCK = 1 << 26 };  // from here on pages of 2 MB leave little of a block untouched

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

bool stc_grow(void *address_of_pointer, size_t used, size_t room, size_t size) {
  void *old = NULL, *grown = stc_calloc(room, size);
  if (!grown) return false;
  memcpy(&old, address_of_pointer, sizeof old);
  if (used) memcpy(grown, old, used * size);
  free(old);
  memcpy(address_of_pointer, &grown, sizeof grown);
  return true;
}

uint64_t stc_mix_bytes(uint64_t hash, const void *bytes, size_t count) {
  const uint8_t *byte = bytes;
  for (size_t k = 0; k < count; k++) hash = (hash ^ byte[k]) * UINT64_C(0x100000001b3);
  return hash;
}

// A block from the system with room for `bytes` aligned ones; NULL: there is none. Large ones ask
// for large pages, which the system gives and takes back several times faster. Most requests need
// none: it is kept out of the function they run through.
__attribute__((noinline)) static char *new_block(stc_arena *arena, size_t bytes, bool zeroed) {
  struct stc_block *block = zeroed ? calloc(bytes + 2 * ALIGN, 1) : malloc(bytes + 2 * ALIGN);
  if (!block) return NULL;
#if defined(MADV_HUGEPAGE)
  const size_t page = 4096;
  size_t skipped = (page - (uintptr_t)block % page) % page;
  if (bytes >= LARGE_BLOCK)
    madvise((char *)block + skipped, (bytes - skipped) / page * page, MADV_HUGEPAGE);  // a wish
#endif
  block->next = arena->blocks;
  arena->blocks = block;
  void *place = block + 1;
  return (char *)(((uintptr_t)place + ALIGN - 1) / ALIGN * ALIGN);
}

size_t stc_arena_cost(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - 4 * ALIGN) return SIZE_MAX;
  bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  return bytes > 0 ? bytes : ALIGN;
}

static void *take_memory(stc_arena *arena, size_t count, size_t size, bool zeroed) {
  if (arena->failed) return NULL;
  size_t bytes = stc_arena_cost(count, size), room = arena->next;
  stc_slab *slab = zeroed && !arena->closed ? &arena->clean : &arena->raw;
  bool alone = bytes > SMALL && !arena->closed && (zeroed || bytes > slab->left);
  char *place = NULL;
  if (alone) {
    if (bytes != SIZE_MAX) place = new_block(arena, bytes, zeroed);
  } else if (bytes > slab->left && !arena->closed) {
    if (room < FIRST_SLAB) room = FIRST_SLAB;
    while (room < 2 * bytes) room *= 2;
    arena->next = 2 * room < LAST_SLAB ? 2 * room : LAST_SLAB;
    char *at = new_block(arena, room, false);
    if (at) *slab = (stc_slab){.at = at, .left = room};
  }
  if (!alone && bytes <= slab->left) {
    place = slab->at;
    *slab = (stc_slab){.at = slab->at + bytes, .left = slab->left - bytes};
    if (zeroed) memset(place, 0, bytes);
  }
  if (place) arena->bytes += bytes;
  if (!place) arena->failed = true, arena->short_of = bytes;
  return place;
}

void *stc_arena_take(stc_arena *arena, size_t count, size_t size) {
  return take_memory(arena, count, size, true);
}

void *stc_arena_take_raw(stc_arena *arena, size_t count, size_t size) {
  return take_memory(arena, count, size, false);
}

void *stc_arena_more(stc_arena *arena, void *entries, int count, int *room, size_t size) {
  if (count < *room) return entries;
  int more = *room ? 2 * *room : 4;
  void *moved = stc_arena_take(arena, (size_t)more, size);
  if (moved && count) memcpy(moved, entries, (size_t)count * size);
  if (moved) *room = more;
  return moved;
}

void stc_arena_take_vectors(stc_arena *arena, size_t size, double **const *vector, size_t count) {
  size_t stride = stc_arena_cost(size, sizeof(double));
  char *place = stc_arena_take_raw(arena, count, stride);
  for (size_t k = 0; k < count; k++) *vector[k] = place ? (double *)(place + k * stride) : NULL;
}

void stc_arena_expect(stc_arena *arena, size_t bytes) {
  if (arena->failed || arena->closed || arena->raw.left >= bytes) return;
  char *at = new_block(arena, bytes, false);
  if (at) arena->raw = (stc_slab){.at = at, .left = bytes};
}

stc_arena stc_arena_within(void *room, size_t bytes) {
  return (stc_arena){.raw = {.at = room, .left = bytes}, .closed = true};
}

// Bytes that the program has from the heap; those of the arena where the heap is not counted.
static size_t in_use(const stc_arena *arena) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  (void)arena;
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
#else
  return arena->bytes;
#endif
}

// Brings bytes to four digits; their unit.
static const char *shorten(size_t *bytes) {
  static const char *const UNITS[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; *bytes >= 10000 && unit < 5; unit++) *bytes /= 1000;
  return UNITS[unit];
}

stc_error stc_arena_check(const stc_arena *arena) {
  if (!arena->failed) return STC_OK;
  size_t wanted = arena->short_of, used = in_use(arena);
  if (wanted == SIZE_MAX)
    return stc_fail(STC_ERR_MEMORY, "out of memory: more is asked for than can be addressed");
  const char *unit = shorten(&wanted), *unit_used = shorten(&used);
  return stc_fail(STC_ERR_MEMORY, "out of memory: %zu %s asked for, %zu %s in use", wanted, unit,
                  used, unit_used);
}

void stc_arena_rewind(stc_arena *arena, const stc_arena *before) {
  while (arena->blocks != before->blocks) {
    struct stc_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
  *arena = *before;
}

bool stc_memory_left(size_t bytes) {
  void *volatile block = malloc(bytes);  // volatile: the pair must not be optimised away
  free(block);
  return block != NULL;
}

void stc_arena_free(stc_arena *arena) { stc_arena_rewind(arena, &(stc_arena){0}); }
