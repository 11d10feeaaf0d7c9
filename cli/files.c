// Files: reading all that a problem file holds, refusing early where nothing can be written, and
// writing texts whole or not at all.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

// What does not fit the problem is not a reason not to solve it; a file that cannot be read is one.
static stc_error pass_over(stc_error error, char *why) {
  if (error != STC_ERR_FORMAT) return error;
  snprintf(why, CLI_REMARK_ROOM, "%s", stc_error_detail());
  return STC_OK;
}

static stc_error read_all(cli_file *file) {
  stc_error error = stc_problem_read(file->path, &file->problem);
  if (error) return error;
  error = stc_solution_read(file->path, file->problem, &file->solution);
  error = pass_over(error, file->bad_solution);
  if (error) return error;
  error = stc_guesses_read(file->path, file->problem, &file->guesses, &file->guess_count);
  return pass_over(error, file->bad_guesses);
}

// A sentence for each thing that was passed over; false past the last one.
static bool remark(const cli_file *file, int k, char *text, size_t size) {
  const char *const why[] = {file->bad_solution, file->bad_guesses};
  const char *const what[] = {"the stored solution is passed over",
                              "the stored guesses are passed over"};
  if (k >= 2) return false;
  text[0] = 0;
  if (*why[k]) snprintf(text, size, "%s: %s", what[k], why[k]);
  return true;
}

int cli_file_open(const char *path, bool quiet, cli_file *file) {
  *file = (cli_file){.path = path};
  if (!strcmp(path, "-"))
    return cli_complain("problems cannot be read from standard input: name a file");
  double start = cli_seconds();
  stc_error error = read_all(file);
  if (!error) cli_detail("%s: read in %.3f s", path, cli_seconds() - start);
  char text[2 * CLI_REMARK_ROOM];
  for (int k = 0; !error && !quiet && remark(file, k, text, sizeof text); k++)
    if (*text) cli_note("%s", text);
  return cli_check(error);
}

void cli_write_remarks(cli_json *json, const cli_file *file) {
  cli_json_open(json, "remarks", '[');
  char text[2 * CLI_REMARK_ROOM];
  for (int k = 0; file && remark(file, k, text, sizeof text); k++)
    if (*text) cli_json_text(json, NULL, text);
  cli_json_close(json, ']');
}

void cli_file_close(cli_file *file) {
  stc_guesses_free(&file->guesses, file->guess_count);
  stc_solution_free(&file->solution);
  stc_problem_free(&file->problem);
}

char *cli_read_text(FILE *in, size_t most, size_t *length) {
  char *text = NULL;
  size_t room = 0, n = 1;
  *length = 0;
  errno = 0;
  while (n > 0 && *length <= most) {
    if (*length + 1 >= room) {
      room = room ? 2 * room : 1 << 16;
      char *grown = realloc(text, room);
      if (!grown) break;
      text = grown;
    }
    n = fread(text + *length, 1, room - *length - 1, in);
    *length += n;
  }
  if (*length > most) errno = EFBIG;
  if (n > 0 || ferror(in)) {
    free(text);
    return NULL;
  }
  text[*length] = 0;
  return text;
}

void cli_quote(const char *path, char *to, size_t room) {
  bool plain = path[0] != '-';
  for (const char *c = path; *c; c++)
    plain = plain && (isalnum((unsigned char)*c) || strchr("./_-", *c));
  size_t at = 0;
  if (!plain) to[at++] = '\'';
  for (const char *c = path; *c && at + 6 < room; c++) {
    if (*c == '\'') {
      memcpy(to + at, "'\\''", 4);
      at += 4;
    } else {
      to[at++] = *c;
    }
  }
  if (!plain) to[at++] = '\'';
  to[at] = 0;
}

// ".pdf" of "a/b.pdf", "" where there is none; ".h5" is another ".hdf5".
static const char *ending_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  if (!dot || (slash && dot < slash)) return "";
  return strcasecmp(dot, ".h5") ? dot : ".hdf5";
}

int cli_check_format(const char *path, const char *ending) {
  static const char *const formats[] = {".svg", ".png",  ".pdf", ".ps",   ".eps",
                                        ".jpg", ".gif",  ".bmp", ".tif",  ".webp",
                                        ".csv", ".json", ".lua", ".hdf5", ".vtu"};
  const char *has = ending_of(path);
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
    if (strcasecmp(has, formats[k]) != 0 || strcasecmp(has, ending) == 0) continue;
    return cli_complain("%s: it is written as %s; name it so", path, ending + 1);
  }
  return cli_check_output(path);
}

int cli_check_output(const char *path) {
  char directory[4096];
  struct stat found;
  if (!strcmp(path, "-") || !*path)
    return cli_complain("'%s' cannot be written: problems go to files, name one", path);
  if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
    return cli_complain("%s: cannot be written, it is a directory; name a file in it", path);
  if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
    return cli_complain("%s: cannot be replaced, it is not a regular file", path);
  const char *slash = strrchr(path, '/');  // the directory is everything before it
  size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
  if (length >= sizeof directory) return cli_complain("%s: the path is too long", path);
  snprintf(directory, sizeof directory, "%.*s", (int)length, slash ? path : ".");
  if (access(directory, W_OK | X_OK))
    return cli_complain("%s: cannot be written, directory %s: %s", path, directory,
                        strerror(errno));
  return CLI_DONE;
}

int cli_write(const stc_problem *problem, const stc_solution *solution, const stc_solution *guesses,
              int guess_count, const char *path) {
  double start = cli_seconds();
  bool replaces = access(path, F_OK) == 0;
  stc_error error = stc_problem_write(problem, solution->r ? solution : NULL, path);
  if (!error && guess_count > 0) {
    error = stc_guesses_write(path, problem, guesses, guess_count);
    if (error && !replaces) unlink(path);  // without its guesses it is not what was asked for
  }
  if (!error) cli_detail("%s: written in %.3f s", path, cli_seconds() - start);
  return cli_check(error);
}

int cli_solution_make(const stc_problem *problem, stc_solution *solution) {
  size_t size = (size_t)stc_problem_size(problem) + 1;  // one more: never 0 bytes
  solution->r = calloc(size, sizeof(double));
  solution->u = calloc(size, sizeof(double));
  solution->v = calloc((size_t)stc_problem_dofs(problem) + 1, sizeof(double));
  solution->l = calloc((size_t)stc_problem_equalities(problem) + 1, sizeof(double));
  bool whole = solution->r && solution->u && solution->v && solution->l;
  return whole ? CLI_DONE : cli_complain("out of memory for a solution of %zu numbers", size - 1);
}

void cli_solution_drop(stc_solution *solution) {
  free(solution->r);
  free(solution->u);
  free(solution->v);
  free(solution->l);
  *solution = (stc_solution){0};
}

int cli_save(const char *path, render_write write, const void *user) {
  return cli_rendered(render_save(path, write, user));
}

int cli_rendered(bool good) { return good ? CLI_DONE : cli_complain("%s", render_reason()); }
