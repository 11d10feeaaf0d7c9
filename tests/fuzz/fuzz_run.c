// Feeds arbitrary bytes to the reader of run files. Whatever the bytes are, every call returns, and
// a failure leaves a sentence that names the file.
#include <stiction/scene.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64];
static volatile double sink;  // what is read must be read

static void remove_file(void) { unlink(path); }

static void choose_path(void) {
  snprintf(path, sizeof path, "%s/fuzz_run.%ld",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
  atexit(remove_file);
}

static void must(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "fuzz_run: %s\n", what);
  abort();
}

static void store(const uint8_t *data, size_t size) {
  FILE *file = fopen(path, "wb");
  must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "cannot store the input");
}

// Everything that is promised can be touched.
static void touch(const stc_trajectory *t) {
  double sum = 0;
  size_t letters = strlen(t->scene);
  for (long k = 0; k < t->rows * t->columns; k++) sum += t->value[k];
  for (int k = 0; k < t->columns; k++) letters += strlen(t->name[k]);
  for (int k = 0; k < t->parameters; k++) letters += strlen(t->parameter[k]);
  for (int k = 0; k < t->observables; k++)
    letters += strlen(t->observable[k]) + (t->observed[k] > 0);
  sink = sum + (double)letters;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!path[0]) choose_path();
  store(data, size);
  stc_trajectory *trajectory = NULL;
  stc_error error = stc_trajectory_read(path, &trajectory);
  must(!error || strstr(stc_error_detail(), path), "a failure without the name of the file");
  if (!error) touch(trajectory);
  stc_trajectory_free(&trajectory);
  return 0;
}
