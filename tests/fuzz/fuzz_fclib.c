// Feeds arbitrary bytes to the FCLIB reader: problem, solution, guesses. Whatever the bytes are,
// every call returns, a failure leaves a sentence that names the file, and no file stays open.
#include <stiction/problem.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64];

static void remove_file(void) { unlink(path); }

// One file in memory for the whole run.
static void choose_path(void) {
  snprintf(path, sizeof path, "%s/fuzz_fclib.%ld",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
  atexit(remove_file);
}

static void must(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "fuzz_fclib: %s\n", what);
  abort();
}

static void store(const uint8_t *data, size_t size) {
  FILE *file = fopen(path, "wb");
  must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "cannot store the input");
}

// A failure comes with a sentence that names the file.
static int succeeded(stc_error error) {
  must(!error || strstr(stc_error_detail(), path), "a failure without the name of the file");
  return !error;
}

static void read_rest(const stc_problem *problem) {
  stc_solution solution, *guesses = NULL;
  int count = 0;
  succeeded(stc_solution_read(path, problem, &solution));
  stc_solution_free(&solution);
  succeeded(stc_guesses_read(path, problem, &guesses, &count));
  stc_guesses_free(&guesses, count);
}

// The next file to be opened gets this number: it grows where files stay open.
static int next_number(void) {
  int fd = open("/dev/null", O_RDONLY);
  close(fd);
  return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!path[0]) choose_path();
  int number = next_number();
  store(data, size);
  stc_problem *problem = NULL;
  if (succeeded(stc_problem_read(path, &problem))) read_rest(problem);
  stc_problem_free(&problem);
  must(next_number() == number, "a file was left open");
  return 0;
}
