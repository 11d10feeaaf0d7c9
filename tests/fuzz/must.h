// What a fuzz target or a program that writes its seeds holds to: otherwise it aborts with a
// sentence.
#ifndef STC_TESTS_FUZZ_MUST_H
#define STC_TESTS_FUZZ_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define must(condition, what) must_at(__FILE__, (condition) != 0, what)

static inline void must_at(const char *file, int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", file, what);
  abort();
}

#endif
