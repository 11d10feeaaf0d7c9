// Where the rows of a bench go. Each is added to a journal, OUT.part, as soon as it is known; at
// the end all rows are written in order and renamed to OUT. Whatever ends the program, whole rows
// are in the one or the other, and --resume takes up both.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

// ---- files

static char *with_ending(const char *path, const char *ending) {
  size_t length = strlen(path) + strlen(ending) + 1;
  char *text = malloc(length);
  if (text) snprintf(text, length, "%s%s", path, ending);
  return text;
}

// All of a stream, closed by a 0; NULL if it cannot be read.
static char *read_text(FILE *in) {
  enum { MOST = 1 << 28 };  // bytes; no table is longer
  char *text = NULL;
  size_t length = 0, room = 0, n = 1;
  while (n > 0) {
    if (length > MOST) {
      errno = EFBIG;
      break;
    }
    if (length + 1 >= room) {
      room = room ? 2 * room : 1 << 16;
      char *grown = realloc(text, room);
      if (!grown) break;
      text = grown;
    }
    n = fread(text + length, 1, room - length - 1, in);
    length += n;
  }
  if (n > 0 || ferror(in)) {
    free(text);
    return NULL;
  }
  text[length] = 0;
  return text;
}

// ---- rows that are there

// The word at `text`, or "nothing" at the end of the line.
static int word_length(const char **text) {
  int length = (int)strcspn(*text, " \n");
  if (length > 0) return length;
  *text = "nothing";
  return (int)strlen(*text);
}

// Names the first of the settings in which two heads differ.
static int refuse_head(const char *path, const char *there, const char *here) {
  size_t k = 0, word = 0;
  for (; here[k] && here[k] == there[k]; k++) {
    if (here[k] == ' ') word = k + 1;
  }
  bool one_more = here[k] && there[k] && strchr(" \n", here[k]) && strchr(" \n", there[k]);
  if (one_more) word = k;
  there += word + (one_more && there[word] == ' ');
  here += word + (one_more && here[word] == ' ');
  int old = word_length(&there), new = word_length(&here);
  return cli_complain("%s was made with other settings: there %.*s, here %.*s; resume with the "
                      "same ones, or name another file with -o",
                      path, old, there, new, here);
}

static int check_head(const char *path, const char *text, const char *head) {
  static const char mark[] = "# stiction ";
  if (strncmp(text, mark, sizeof mark - 1) != 0) {
    return cli_complain("%s: is no table of stiction bench; name another file with -o", path);
  }
  return strncmp(text, head, strlen(head)) ? refuse_head(path, text, head) : CLI_DONE;
}

// A row that this job does not ask for stays in the file; once.
static int keep_other(bench_store *store, const char *text, size_t length) {
  if (store->others && strstr(store->others, text)) return CLI_DONE;
  char *grown = realloc(store->others, store->others_length + length + 1);
  if (!grown) return cli_complain("out of memory for the rows of %s", store->job->output);
  memcpy(grown + store->others_length, text, length + 1);
  store->others = grown;
  store->others_length += length;
  return CLI_DONE;
}

static bool place_row(bench_job *job, const bench_row *row) {
  int problem = bench_names_find(&job->problems, row->file);
  int method = bench_names_find(&job->methods, row->method);
  if (problem < 0 || method < 0) return false;
  bench_result *result = bench_at(job, problem, method);
  if (result->outcome == BENCH_PENDING) job->done++;
  *result = row->result;
  return true;
}

static int take_row(bench_store *store, bench_job *job, const char *path, const char *text,
                    size_t length) {
  bench_row row;
  char *whole = strndup(text, length), *parts = strndup(text, length);
  int status = CLI_DONE;
  if (!whole || !parts) {
    status = cli_complain("out of memory for the rows of %s", path);
  } else if (!bench_csv_read(parts, &row)) {
    status = cli_complain("%s: this is no row of a bench: %.*s", path, (int)length - 1, text);
  } else if (!place_row(job, &row)) {
    status = keep_other(store, whole, length);
  }
  free(whole);
  free(parts);
  return status;
}

// Takes the whole rows of a text; *used: where they end.
static int take_whole_rows(bench_store *store, bench_job *job, const char *path, const char *text,
                           size_t *used) {
  size_t length;
  int status = CLI_DONE;
  while (!status && (length = bench_csv_length(text + *used))) {
    status = take_row(store, job, path, text + *used, length);
    *used += length;
  }
  return status;
}

static char *head_of(const bench_job *job) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  bench_csv_head(out, job->head);
  fclose(out);
  return text;
}

// Takes the rows of a file that was written to its end; *used: length of what is whole. A text that
// ends within the head holds nothing.
static int take_text(bench_store *store, bench_job *job, const char *path, const char *text,
                     size_t *used) {
  char *head = head_of(job);
  if (!head) return cli_complain("out of memory for the rows of %s", path);
  int status = CLI_DONE;
  *used = 0;
  if (strncmp(text, head, strlen(text)) != 0) {
    status = check_head(path, text, head);
    *used = strlen(head);
  }
  free(head);
  return status || *used == 0 ? status : take_whole_rows(store, job, path, text, used);
}

static int take_output(bench_store *store, bench_job *job) {
  FILE *in = fopen(job->output, "r");
  if (!in && errno == ENOENT) return CLI_DONE;
  char *text = in ? read_text(in) : NULL;
  size_t used;
  int status = text ? take_text(store, job, job->output, text, &used)
                    : cli_complain("%s: cannot be read: %s", job->output, strerror(errno));
  if (in) fclose(in);
  free(text);
  return status;
}

// ---- the journal

// One bench at a time writes it. A file system without locks has to do without.
static bool locked_by_other(int fd) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_SETLK, &lock) && (errno == EACCES || errno == EAGAIN);
}

static int open_journal(bench_store *store) {
  int fd = open(store->path, O_RDWR | O_CREAT, 0666);
  store->rows = fd >= 0 ? fdopen(fd, "r+") : NULL;
  if (!store->rows) {
    int why = errno;
    if (fd >= 0) close(fd);
    return cli_complain("%s: cannot be written: %s", store->path, strerror(why));
  }
  if (locked_by_other(fd)) return cli_complain("%s: another bench is writing it", store->path);
  return CLI_DONE;
}

// Cuts off what is not a whole row and goes on behind it.
static int continue_journal(bench_store *store, size_t used) {
  fseek(store->rows, 0, SEEK_SET);
  bool good = ftruncate(fileno(store->rows), (off_t)used) == 0;
  if (good && fseek(store->rows, 0, SEEK_END)) good = false;
  if (good && used == 0) {
    bench_csv_head(store->rows, store->job->head);
    good = fflush(store->rows) == 0;
  }
  return good ? CLI_DONE : cli_complain("%s: cannot be written: %s", store->path, strerror(errno));
}

static int take_journal(bench_store *store, bench_job *job) {
  char *text = read_text(store->rows);
  size_t used = 0;
  int status = CLI_DONE;
  if (!text) {
    status = cli_complain("%s: cannot be read: %s", store->path, strerror(errno));
  } else if (*text && !job->resume) {
    status =
        cli_complain("%s holds the rows of a bench that was cut short: go on with --resume, or "
                     "delete it",
                     store->path);
  } else if (job->resume) {
    status = take_output(store, job);
    if (!status) status = take_text(store, job, store->path, text, &used);
  }
  if (status && text && !*text) unlink(store->path);
  free(text);
  return status ? status : continue_journal(store, used);
}

int bench_store_open(bench_store *store, bench_job *job) {
  *store = (bench_store){.job = job};
  if (!job->output) {
    store->rows = job->args.json ? NULL : stdout;
    if (store->rows) bench_csv_head(store->rows, job->head);
    return CLI_DONE;
  }
  store->path = with_ending(job->output, ".part");
  if (!store->path) return cli_complain("%s: out of memory", job->output);
  int status = open_journal(store);
  return status ? status : take_journal(store, job);
}

int bench_store_row(bench_store *store, int problem, int method) {
  const bench_job *job = store->job;
  if (!store->rows) return CLI_DONE;
  bench_csv_row(store->rows, job->problems.name[problem], job->methods.name[method],
                bench_at(job, problem, method));
  if (store->rows == stdout) return cli_terminal_flush() ? CLI_DONE : CLI_WRONG;
  if (fflush(store->rows) == 0) return CLI_DONE;
  return cli_complain("%s: cannot be written: %s; when there is room, go on with --resume",
                      store->path, strerror(errno));
}

static bool write_all(FILE *out, const void *user) {
  const bench_store *store = user;
  const bench_job *job = store->job;
  bench_csv_head(out, job->head);
  for (int p = 0; p < job->problems.count; p++) {
    for (int m = 0; m < job->methods.count; m++) {
      const bench_result *result = bench_at(job, p, m);
      if (result->outcome == BENCH_PENDING) continue;
      bench_csv_row(out, job->problems.name[p], job->methods.name[m], result);
    }
  }
  if (store->others) fputs(store->others, out);
  return true;
}

int bench_store_finish(bench_store *store) {
  if (!store->path) return CLI_DONE;
  int status = cli_save(store->job->output, write_all, store);
  if (!status) {
    unlink(store->path);
  } else {
    cli_note("the rows are kept in %s; when there is room, go on with --resume", store->path);
  }
  return status;
}

void bench_store_drop(bench_store *store) {
  if (store->rows && store->rows != stdout) fclose(store->rows);
  free(store->path);
  free(store->others);
  *store = (bench_store){0};
}
