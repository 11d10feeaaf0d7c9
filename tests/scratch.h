// A name for a file that a test writes and removes: one per process, where temporary files go.
#ifndef STC_TEST_SCRATCH_H
#define STC_TEST_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline const char *scratch_directory(void) {
  const char *asked = getenv("TMPDIR");
  return asked ? asked : "/tmp";
}

static inline void scratch_path(char *path, size_t room, const char *name) {
  snprintf(path, room, "%s/%ld.%s", scratch_directory(), (long)getpid(), name);
}

#endif
