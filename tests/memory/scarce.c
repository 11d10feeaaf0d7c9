// A heap that runs dry, put in front of glibc's with LD_PRELOAD: allocation FAIL_AT (from 1) of the
// process fails, and with FAIL_ON every later one. FAIL_COUNT names a file that receives how many
// there were, FAIL_SITES one that receives the places they came from: per line a hash of the call
// stack and the numbers of its first, second and last allocation (second = 0: there was one only).
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
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
static const char *count, *places;

// ---- where allocations come from

enum { DEPTH = 64, PLACES = 1 << 16 };

typedef struct site {
  uint64_t stack;
  long first, second, last;
} site;

static site table[PLACES];
static atomic_flag busy = ATOMIC_FLAG_INIT;
static _Thread_local bool walking;  // an allocation of the walk itself is none of the program's

static uint64_t hash_stack(void) {
  void *frame[DEPTH];
  uint64_t hash = 0xcbf29ce484222325u;
  int frames = backtrace(frame, DEPTH);
  for (int k = 0; k < frames; k++) hash = (hash ^ (uint64_t)(uintptr_t)frame[k]) * 0x100000001b3u;
  return hash | 1;
}

/// The entry of a stack; where the table is full, that of some other.
static site *find_site(uint64_t stack) {
  for (uint64_t k = 0; k < PLACES; k++) {
    site *s = &table[(stack + k) % PLACES];
    if (!s->stack) s->stack = stack;
    if (s->stack == stack) return s;
  }
  return &table[stack % PLACES];
}

static void note_site(long number) {
  walking = true;
  uint64_t stack = hash_stack();
  while (atomic_flag_test_and_set(&busy)) continue;
  site *s = find_site(stack);
  if (!s->first)
    s->first = number;
  else if (!s->second)
    s->second = number;
  s->last = number;
  atomic_flag_clear(&busy);
  walking = false;
}

static void write_sites(void) {
  walking = true;
  FILE *file = fopen(places, "w");
  for (int k = 0; file && k < PLACES; k++)
    if (table[k].stack)
      fprintf(file, "%llx %ld %ld %ld\n", (unsigned long long)table[k].stack, table[k].first,
              table[k].second, table[k].last);
  if (file && fclose(file) != 0) _exit(99);
}

// ---- counting

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAIL_AT");
  walking = true;
  hash_stack();  // loads what walks the stack, always, so that the numbers are the same
  walking = false;
  places = getenv("FAIL_SITES");
  fail_at = at ? atol(at) : 0;
  fail_on = getenv("FAIL_ON") != NULL;
  count = getenv("FAIL_COUNT");
  atomic_store(&allocations, 0);
}

__attribute__((destructor)) static void end(void) {
  char text[24];
  int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&allocations));
  if (places) write_sites();
  int file = count ? open(count, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file < 0) return;
  if (write(file, text, (size_t)length) != length) _exit(99);
  close(file);
}

static bool refused(void) {
  if (walking) return false;
  long number = atomic_fetch_add(&allocations, 1) + 1;
  if (places) note_site(number);
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
