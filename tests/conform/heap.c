// The heap functions of the program, in front of those of glibc.
#include "heap.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define FOREIGN_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FOREIGN_HEAP 1
#endif
#endif

static volatile long allocations, alive, fail_at;  // the compiler knows malloc too well

bool heap_is_counted(void) {
  long before = allocations;
  free(calloc(7, 1));
  return allocations != before;
}

void heap_begin(void) {
  allocations = 0;
  alive = 0;
  fail_at = 0;
}
long heap_allocations(void) { return allocations; }
long heap_alive(void) { return alive; }
void heap_fail_at(long number) { fail_at = number; }

#if !defined(FOREIGN_HEAP) && defined(__GLIBC__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

#define VISIBLE __attribute__((visibility("default")))

static bool refused(void) {
  allocations = allocations + 1;
  if (allocations != fail_at) return false;
  errno = ENOMEM;
  return true;
}

static void *given(void *block) {
  if (block) alive = alive + 1;
  return block;
}

VISIBLE void *malloc(size_t size) { return refused() ? NULL : given(__libc_malloc(size)); }

VISIBLE void *calloc(size_t count, size_t size) {
  return refused() ? NULL : given(__libc_calloc(count, size));
}

VISIBLE void *realloc(void *block, size_t size) {
  if (refused()) return NULL;
  void *moved = __libc_realloc(block, size);
  return block ? moved : given(moved);
}

VISIBLE void *aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : given(__libc_memalign(alignment, size));
}

VISIBLE void *memalign(size_t alignment, size_t size);
VISIBLE void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

VISIBLE int posix_memalign(void **block, size_t alignment, size_t size) {
  void *found = aligned_alloc(alignment, size);
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}

VISIBLE void free(void *block) {
  if (block) alive = alive - 1;
  __libc_free(block);
}

#endif
