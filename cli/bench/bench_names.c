// Which problems and which methods a bench runs.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench.h"

static int no_memory(void) { return cli_complain("out of memory for the list of problems"); }

static int add_name(bench_names *names, const char *text, size_t length) {
  char **grown = realloc(names->name, (size_t)(names->count + 1) * sizeof *grown);
  if (!grown) return no_memory();
  names->name = grown;
  char *copy = calloc(length + 1, 1);
  if (!copy) return no_memory();
  memcpy(copy, text, length);
  names->name[names->count++] = copy;
  return CLI_DONE;
}

int bench_names_add(bench_names *names, const char *name) {
  return add_name(names, name, strlen(name));
}

int bench_names_find(const bench_names *names, const char *name) {
  for (int k = 0; k < names->count; k++)
    if (!strcmp(names->name[k], name)) return k;
  return -1;
}

void bench_names_drop(bench_names *names) {
  for (int k = 0; k < names->count; k++) free(names->name[k]);
  free(names->name);
  *names = (bench_names){0};
}

// ---- problems

// Hidden files are not meant: they are drafts and what other systems leave behind.
static int add_member(bench_names *found, const char *directory, const char *name) {
  char path[4096];
  struct stat status;
  const char *dot = strrchr(name, '.');
  size_t length = strlen(directory);
  bool slash = length > 0 && directory[length - 1] == '/';
  if (name[0] == '.' || !dot || (strcmp(dot, ".hdf5") != 0 && strcmp(dot, ".h5") != 0))
    return CLI_DONE;
  int n = snprintf(path, sizeof path, "%s%s%s", directory, slash ? "" : "/", name);
  if (n < 0 || (size_t)n >= sizeof path)
    return cli_complain("%s/%s: the path is too long", directory, name);
  bool is_file = stat(path, &status) == 0 && S_ISREG(status.st_mode);
  return is_file ? add_name(found, path, (size_t)n) : CLI_DONE;
}

static int by_path(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_directory(const char *path, bench_names *found) {
  DIR *directory = opendir(path);
  if (!directory) return cli_complain("%s: cannot be read: %s", path, strerror(errno));
  int status = CLI_DONE;
  const struct dirent *entry;
  while (!status && (entry = readdir(directory))) status = add_member(found, path, entry->d_name);
  closedir(directory);
  if (!status && found->count == 0)
    return cli_complain("%s: holds no problem: no file with a name in .hdf5 or .h5", path);
  if (found->count > 0) qsort(found->name, (size_t)found->count, sizeof *found->name, by_path);
  return status;
}

// A problem that is named twice is run once.
static int add_new(bench_names *problems, const char *path) {
  return bench_names_find(problems, path) >= 0 ? CLI_DONE : bench_names_add(problems, path);
}

static int add_directory(const char *path, bench_names *problems) {
  bench_names found = {0};
  int status = read_directory(path, &found);
  for (int k = 0; !status && k < found.count; k++) status = add_new(problems, found.name[k]);
  bench_names_drop(&found);
  return status;
}

static int add_path(const char *path, bench_names *problems) {
  struct stat found;
  if (!strcmp(path, "-"))
    return cli_complain("problems cannot be read from standard input: name files or directories");
  if (stat(path, &found)) return cli_complain("%s: cannot be read: %s", path, strerror(errno));
  if (S_ISDIR(found.st_mode)) return add_directory(path, problems);
  if (!S_ISREG(found.st_mode)) return cli_complain("%s: is no file and no directory", path);
  return add_new(problems, path);
}

int bench_list_problems(char **word, int words, bench_names *problems) {
  int status = CLI_DONE;
  for (int k = 0; !status && k < words; k++) status = add_path(word[k], problems);
  return status;
}

// ---- methods

// The name of `length` characters at `text`; one that is named twice counts once.
static int add_method(bench_names *methods, const char *text, size_t length) {
  int status = add_name(methods, text, length);
  if (status) return status;
  char *name = methods->name[methods->count - 1];
  if (!cli_known("method", name, stc_method_name)) return CLI_WRONG;
  if (bench_names_find(methods, name) < methods->count - 1) {
    free(name);
    methods->count--;
  }
  return CLI_DONE;
}

int bench_list_methods(const char *list, bench_names *methods) {
  if (!list) {
    int status = CLI_DONE;
    for (int k = 0; !status && stc_method_name(k); k++)
      status = bench_names_add(methods, stc_method_name(k));
    return status;
  }
  if (!strcmp(list, BENCH_NONE)) return CLI_DONE;
  int status = CLI_DONE;
  for (const char *text = list; !status && text;) {
    const char *comma = strchr(text, ',');
    status = add_method(methods, text, comma ? (size_t)(comma - text) : strlen(text));
    text = comma ? comma + 1 : NULL;
  }
  return status;
}
