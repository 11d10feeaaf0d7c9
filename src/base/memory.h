// Memory: arrays with checked sizes, and arenas that free everything at once.
#ifndef STC_BASE_MEMORY_H
#define STC_BASE_MEMORY_H

#include <stiction/base.h>

/// count * size bytes, zeroed; count 0 gives a valid pointer. NULL if out of memory or too large.
void *stc_calloc(size_t count, size_t size);

/// Frees *pointer and sets it to NULL. The argument is the address of any object pointer.
void stc_release(void *address_of_pointer);

/// An arena owns blocks of memory that are freed together. Zero-initialise it.
typedef struct stc_arena {
  struct stc_block *blocks;
  char *slab;  ///< what is left of the slab that small requests come from
  size_t left;
  size_t bytes;  ///< handed out so far
  bool failed;   ///< some request could not be met
} stc_arena;

/// count * size zeroed bytes that live as long as the arena, aligned for vector loads. After a
/// failure the arena answers NULL to everything: ask once at the end with stc_arena_check.
void *stc_arena_take(stc_arena *arena, size_t count, size_t size);
#define STC_TAKE(arena, type, count)                                                               \
  ((type *)stc_arena_take((arena), (size_t)(count), sizeof(type)))

/// The same without the zeros, for large work space that is written before it is read.
void *stc_arena_take_raw(stc_arena *arena, size_t count, size_t size);
#define STC_TAKE_RAW(arena, type, count)                                                           \
  ((type *)stc_arena_take_raw((arena), (size_t)(count), sizeof(type)))

/// STC_ERR_MEMORY with a sentence if some request failed.
stc_error stc_arena_check(const stc_arena *arena);
void stc_arena_free(stc_arena *arena);

#endif
