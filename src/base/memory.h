// Memory: arrays with checked sizes, and arenas that free everything at once.
#ifndef STC_BASE_MEMORY_H
#define STC_BASE_MEMORY_H

#include <stiction/base.h>

#include <stdint.h>

/// count * size bytes, zeroed; count 0 gives a valid pointer. NULL if out of memory or too large.
void *stc_calloc(size_t count, size_t size);

/// Frees *pointer and sets it to NULL. The argument is the address of any object pointer.
void stc_release(void *address_of_pointer);

/// Room for `room` things of `size` bytes in the array at *address_of_pointer (or NULL), of which
/// the first `used` are kept. False where there is no memory: the array is as it was.
bool stc_grow(void *address_of_pointer, size_t used, size_t room, size_t size);

/// FNV-1a: continues the hash with these bytes; the first call begins with STC_MIX_START.
#define STC_MIX_START UINT64_C(0xcbf29ce484222325)
uint64_t stc_mix_bytes(uint64_t hash, const void *bytes, size_t count);

/// What is left of a slab that small requests come from.
typedef struct stc_slab {
  char *at;
  size_t left;
} stc_slab;

/// An arena owns blocks of memory that are freed together. Zero-initialise it. Zeroed requests and
/// the others come from different slabs, so that pages that are not written to stay untouched.
typedef struct stc_arena {
  struct stc_block *blocks;
  stc_slab clean, raw;
  size_t next;      ///< bytes of the next slab
  size_t bytes;     ///< handed out so far
  bool closed;      ///< never asks the system: see stc_arena_within
  bool failed;      ///< some request could not be met
  size_t short_of;  ///< bytes of that request
} stc_arena;

/// count * size zeroed bytes that live as long as the arena, aligned for vector loads. After a
/// failure the arena answers NULL to everything: ask once at the end with stc_arena_check.
void *stc_arena_take(stc_arena *arena, size_t count, size_t size);
#define STC_TAKE(arena, type, count)                                                               \
  ((type *)stc_arena_take((arena), (size_t)(count), sizeof(type)))

/// The same without the zeros, for work space that is written before it is read.
void *stc_arena_take_raw(stc_arena *arena, size_t count, size_t size);
#define STC_TAKE_RAW(arena, type, count)                                                           \
  ((type *)stc_arena_take_raw((arena), (size_t)(count), sizeof(type)))

/// Room for one more behind `count` entries of `size` bytes, of which *room have memory: the array,
/// moved to twice the memory where there is none left; NULL where the arena has none.
void *stc_arena_more(stc_arena *arena, void *entries, int count, int *room, size_t size);

/// `count` raw vectors of `size` doubles each at the addresses `vector`, in one request.
void stc_arena_take_vectors(stc_arena *arena, size_t size, double **const *vector, size_t count);
#define STC_TAKE_VECTORS(arena, size, list)                                                        \
  stc_arena_take_vectors((arena), (size_t)(size), (list), sizeof(list) / sizeof *(list))

/// The same with zeros, one request each.
#define STC_TAKE_ZEROS(arena, size, list)                                                          \
  for (size_t stc_k = 0; stc_k < sizeof(list) / sizeof *(list); stc_k++)                           \
  *(list)[stc_k] = STC_TAKE((arena), double, (size))

/// Raw requests of about `bytes` bytes will follow: they share one block, untouched until used.
/// Where there is no such block each request asks for its own.
void stc_arena_expect(stc_arena *arena, size_t bytes);

/// Where raw requests stand; to return there gives their memory to others, as often as wanted.
static inline stc_slab stc_arena_mark(const stc_arena *arena) { return arena->raw; }
static inline void stc_arena_return(stc_arena *arena, stc_slab mark) { arena->raw = mark; }

/// Frees what was taken since `before`, a copy of the arena.
void stc_arena_rewind(stc_arena *arena, const stc_arena *before);

/// Whether the system has this many bytes more.
bool stc_memory_left(size_t bytes);

/// An arena inside `room`, which it never outgrows: for what is made without allocating.
stc_arena stc_arena_within(void *room, size_t bytes);

/// Bytes of room that one request takes.
size_t stc_arena_cost(size_t count, size_t size);

/// STC_ERR_MEMORY with a sentence if some request failed: what was asked for and what is in use.
stc_error stc_arena_check(const stc_arena *arena);
void stc_arena_free(stc_arena *arena);

/// *address is a new object full of zeros, for stc_release; otherwise the enclosing function
/// ends with STC_ERR_MEMORY and *address is NULL.
#define STC_NEW(address, what)                                                                     \
  do {                                                                                             \
    *(address) = stc_calloc(1, sizeof **(address));                                                \
    if (!*(address)) return stc_fail(STC_ERR_MEMORY, "out of memory for " what);                   \
  } while (0)

/// Before a declaration: what is declared is released when its scope ends, however it is left.
#define STC_RELEASED_BY(release) __attribute__((cleanup(release)))
/// Arenas of a scope: `STC_ARENA arena = {0};`
#define STC_ARENA STC_RELEASED_BY(stc_arena_free) stc_arena

#endif
