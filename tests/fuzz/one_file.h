// Targets that read files: the input is stored in one file, in memory where there is such a place.
#ifndef STC_FUZZ_ONE_FILE_H
#define STC_FUZZ_ONE_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64];

static void remove_file(void) { unlink(path); }

static void choose_path(const char *name) {
  snprintf(path, sizeof path, "%s/%s.%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
           name, (long)getpid());
  atexit(remove_file);
}

static void store(const uint8_t *data, size_t size) {
  FILE *file = fopen(path, "wb");
  must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "cannot store the input");
}

#endif
