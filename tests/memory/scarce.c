// A heap that runs dry, put in front of glibc's with LD_PRELOAD: allocation FAIL_AT (from 1) of the
// process fails, and with FAIL_ON every later one. FAIL_COUNT names a file that receives how many
// there were.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long allocations;
static long fail_at;
static bool fail_on;
static const char *count;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAIL_AT");
  fail_at = at ? atol(at) : 0;
  fail_on = getenv("FAIL_ON") != NULL;
  count = getenv("FAIL_COUNT");
  atomic_store(&allocations, 0);
}

__attribute__((destructor)) static void end(void) {
  char text[24];
  int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&allocations));
  int file = count ? open(count, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file < 0) return;
  if (write(file, text, (size_t)length) != length) _exit(99);
  close(file);
}

static bool refused(void) {
  long number = atomic_fetch_add(&allocations, 1) + 1;
  if (!fail_at || number < fail_at || (number > fail_at && !fail_on)) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }

void *calloc(size_t number, size_t size) { return refused() ? NULL : __libc_calloc(number, size); }

void *realloc(void *block, size_t size) { return refused() ? NULL : __libc_realloc(block, size); }

void *aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *found = aligned_alloc(alignment, size);
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}
