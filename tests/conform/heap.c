// The heap functions of the program, in front of those of glibc.
#define _GNU_SOURCE
#include "heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define FOREIGN_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FOREIGN_HEAP 1
#endif
#endif

static volatile long allocations, alive, fail_at;  // the compiler knows malloc too well
static volatile bool unmoved;

bool heap_is_counted(void) {
  long before = allocations;
  free(calloc(7, 1));
  return allocations != before;
}

void heap_begin(void) {
  allocations = 0;
  alive = 0;
  fail_at = 0;
  unmoved = false;
}
long heap_allocations(void) { return allocations; }
long heap_alive(void) { return alive; }
void heap_fail_at(long number) { fail_at = number; }
bool heap_failed_to_move_for_glpk(void) { return unmoved; }

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

static bool is_glpk(const void *caller) {
  Dl_info where;
  return dladdr(caller, &where) && where.dli_fname && strstr(where.dli_fname, "libglpk");
}

VISIBLE void *realloc(void *block, size_t size) {
  if (refused()) {
    unmoved = block && is_glpk(__builtin_return_address(0));
    return NULL;
  }
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
