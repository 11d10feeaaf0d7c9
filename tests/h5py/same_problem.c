// Says whether FCLIB files hold the same problem, solution and guesses to the last bit:
//   same_problem FILE DIRECTORY    FILE and every file of DIRECTORY
// Each is read and written again; the same content gives the same bytes.
#include <stiction/problem.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct content {
  char *bytes;
  size_t count;
} content;

static char scratch[4096];

static stc_error write_again(const char *path) {
  stc_problem *problem = NULL;
  stc_solution solution = {0}, *guesses = NULL;
  int count = 0;
  stc_error error = stc_problem_read(path, &problem);
  if (!error) error = stc_solution_read(path, problem, &solution);
  if (!error) error = stc_guesses_read(path, problem, &guesses, &count);
  if (!error) error = stc_problem_write(problem, solution.r ? &solution : NULL, scratch);
  if (!error && count) error = stc_guesses_write(scratch, problem, guesses, count);
  stc_guesses_free(&guesses, count);
  stc_solution_free(&solution);
  stc_problem_free(&problem);
  return error;
}

// Two calls of the same file end here; the program ends where a file cannot be read.
static content content_of(const char *path) {
  content c = {0};
  if (write_again(path)) {
    fprintf(stderr, "%s\n", stc_error_detail());
    return c;
  }
  FILE *file = fopen(scratch, "rb");
  if (!file || fseek(file, 0, SEEK_END)) exit(1);
  c.count = (size_t)ftell(file);
  rewind(file);
  c.bytes = malloc(c.count + 1);
  if (!c.bytes || fread(c.bytes, 1, c.count, file) != c.count) exit(1);
  fclose(file);
  return c;
}

static int differs(const content *expected, const char *path) {
  content c = content_of(path);
  int different =
      !c.bytes || c.count != expected->count || memcmp(c.bytes, expected->bytes, c.count) != 0;
  if (different) printf("%s: %s\n", path, c.bytes ? "another problem" : "not read");
  free(c.bytes);
  return different;
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: same_problem FILE DIRECTORY\n"), 1;
  snprintf(scratch, sizeof scratch, "%s.again", argv[1]);
  content expected = content_of(argv[1]);
  DIR *directory = opendir(argv[2]);
  if (!directory || !expected.bytes) return 1;
  int files = 0, bad = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    char path[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", argv[2], entry->d_name);
    bad += differs(&expected, path);
    files++;
  }
  closedir(directory);
  unlink(scratch);
  free(expected.bytes);
  printf("%d files, %d of them with another problem or not read\n", files, bad);
  return files < 24 || bad > 0;
}
