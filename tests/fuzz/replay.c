// Runs a fuzz target without a fuzzer over the files given, or over those of directories: each file
// as it is, cut short at many places, and with a few bytes changed at random from a fixed seed.
#include "base/random.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
  MOST_BYTES = 1 << 24,  // of a file
  CUTS = 40,             // per file
  DAMAGED = 400,         // copies per file
  MOST_CHANGES = 4,      // bytes changed in one copy
  SEED = 1
};

static uint8_t bytes[MOST_BYTES];

static void stop(const char *what, const char *path) {
  fprintf(stderr, "replay: %s %s\n", what, path);
  exit(1);
}

static size_t load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) stop("cannot open", path);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return size;
}

// A copy of its own size, so that a read past its end is seen.
static uint8_t *copy_of(size_t size) {
  uint8_t *copy = malloc(size + !size);
  if (!copy) stop("out of memory", "");
  memcpy(copy, bytes, size);
  return copy;
}

static void run(size_t size, stc_random *random, int changes) {
  uint8_t *copy = copy_of(size);
  for (int k = 0; k < changes && size; k++) {
    size_t at = (size_t)(stc_random_bits(random) % size);
    uint64_t bits = stc_random_bits(random);
    unsigned flipped = copy[at] ^ 1u << (bits >> 1) % 8, any = (unsigned)(bits >> 8) & 0xff;
    copy[at] = (uint8_t)(bits & 1 ? flipped : any);
  }
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

static void replay_file(const char *path) {
  size_t size = load(path);
  stc_random random = stc_random_seed(SEED);
  run(size, &random, 0);
  for (size_t k = 0; k < CUTS; k++) run(size * k / CUTS, &random, 0);
  for (int k = 0; k < DAMAGED; k++)
    run(size, &random, 1 + (int)(stc_random_bits(&random) % MOST_CHANGES));
  printf("%s: %zu bytes\n", path, size);
}

static int replay_directory(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) return 0;
  char file[4096];
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    replay_file(file);
  }
  closedir(directory);
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 2) stop("usage: give files or directories to", argv[0]);
  for (int k = 1; k < argc; k++)
    if (!replay_directory(argv[k])) replay_file(argv[k]);
  return 0;
}
