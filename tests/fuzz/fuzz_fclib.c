// Feeds arbitrary bytes to the FCLIB reader: problem, solution, guesses. Whatever the bytes are,
// every call returns, a failure leaves a sentence that names the file, and no file stays open.
#include "one_file.h"

#include <stiction/problem.h>

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
  if (!path[0]) choose_path("fuzz_fclib");
  int number = next_number();
  store(data, size);
  stc_problem *problem = NULL;
  if (succeeded(stc_problem_read(path, &problem))) read_rest(problem);
  stc_problem_free(&problem);
  must(next_number() == number, "a file was left open");
  return 0;
}
