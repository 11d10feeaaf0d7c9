// Where the rows of a bench go. Each is added to a journal, OUT.part, as soon as it is known; at
// the end all rows are written in order and renamed to OUT. Whatever ends the program, whole rows
// are in the one or the other, and --resume takes up both.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { MOST_TEXT = 1 << 28 };  // bytes; no table is longer

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
  for (; here[k] && here[k] == there[k]; k++)
    if (here[k] == ' ') word = k + 1;
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
  if (strncmp(text, mark, sizeof mark - 1) != 0)
    return cli_complain("%s: is no table of stiction bench; name another file with -o", path);
  return strncmp(text, head, strlen(head)) ? refuse_head(path, text, head) : CLI_DONE;
}

// A row that this job does not ask for stays in the file; once.
static int keep_other(bench_store *store, const char *text, size_t length) {
  if (store->others && strstr(store->others, text)) return CLI_DONE;
  char *grown = realloc(store->others, store->others_length + length + 1);
  if (!grown) return cli_complain("out of memory for the rows of %s", store->path);
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

static int take_row(bench_job *job, const char *path, const char *text, size_t length) {
  bench_row row;
  char *whole = strndup(text, length), *parts = strndup(text, length);
  int status = CLI_DONE;
  if (!whole || !parts)
    status = cli_complain("out of memory for the rows of %s", path);
  else if (!bench_csv_read(parts, &row))
    status = cli_complain("%s: this is no row of a bench: %.*s", path, (int)length - 1, text);
  else if (!place_row(job, &row))
    status = keep_other(&job->store, whole, length);
  free(whole);
  free(parts);
  return status;
}

// Takes the rows of a file that was written to its end; *used: length of what is whole. A text that
// ends within the head holds nothing.
static int take_text(bench_job *job, const char *path, const char *text, size_t *used) {
  char *head = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&head, &length);
  *used = 0;
  if (out) bench_csv_head(out, job->head);
  if (!out || fclose(out)) return cli_complain("out of memory for the rows of %s", path);
  bool begun = strncmp(text, head, strlen(text)) != 0;
  int status = begun ? check_head(path, text, head) : CLI_DONE;
  free(head);
  if (status || !begun) return status;
  for (*used = length; !status && (length = bench_csv_length(text + *used)); *used += length)
    status = take_row(job, path, text + *used, length);
  return status;
}

static int take_output(bench_job *job) {
  FILE *in = fopen(job->output, "r");
  if (!in && errno == ENOENT) return CLI_DONE;
  size_t used;
  char *text = in ? cli_read_text(in, MOST_TEXT, &used) : NULL;
  int status = text ? take_text(job, job->output, text, &used)
                    : cli_complain("%s: cannot be read: %s", job->output, strerror(errno));
  if (in) fclose(in);
  free(text);
  return status;
}

// ---- the journal

// One bench at a time writes it, where the file system has locks.
static int open_journal(bench_store *store) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int fd = open(store->path, O_RDWR | O_CREAT, 0666);
  store->rows = fd >= 0 ? fdopen(fd, "r+") : NULL;
  if (!store->rows) {
    int why = errno;
    if (fd >= 0) close(fd);
    return cli_complain("%s: cannot be written: %s", store->path, strerror(why));
  }
  if (fcntl(fd, F_SETLK, &lock) && (errno == EACCES || errno == EAGAIN))
    return cli_complain("%s: another bench is writing it", store->path);
  return CLI_DONE;
}

// Cuts off an incomplete row and continues behind it.
static int continue_journal(const bench_job *job, size_t used) {
  FILE *rows = job->store.rows;
  fseek(rows, 0, SEEK_SET);
  bool good = ftruncate(fileno(rows), (off_t)used) == 0 && fseek(rows, 0, SEEK_END) == 0;
  if (good && used == 0) {
    bench_csv_head(rows, job->head);
    good = fflush(rows) == 0;
  }
  return good ? CLI_DONE
              : cli_complain("%s: cannot be written: %s", job->store.path, strerror(errno));
}

static int take_journal(bench_job *job) {
  const char *path = job->store.path;
  size_t length, used = 0;
  char *text = cli_read_text(job->store.rows, MOST_TEXT, &length);
  int status = CLI_DONE;
  if (!text) {
    status = cli_complain("%s: cannot be read: %s", path, strerror(errno));
  } else if (*text && !job->resume) {
    status = cli_complain("%s holds the rows of a bench that was cut short: go on with --resume, "
                          "or delete it",
                          path);
  } else if (job->resume) {
    status = take_output(job);
    if (!status) status = take_text(job, path, text, &used);
  }
  if (status && text && !*text) unlink(path);
  free(text);
  return status ? status : continue_journal(job, used);
}

int bench_store_open(bench_job *job) {
  bench_store *store = &job->store;
  if (!job->output) {
    store->rows = job->args.json ? NULL : stdout;
    if (store->rows) bench_csv_head(store->rows, job->head);
    return CLI_DONE;
  }
  size_t room = strlen(job->output) + sizeof ".part";
  store->path = malloc(room);
  if (!store->path) return cli_complain("%s: out of memory", job->output);
  snprintf(store->path, room, "%s.part", job->output);
  CLI_TRY(open_journal(store));
  return take_journal(job);
}

static void put_row(const bench_job *job, FILE *out, int problem, int method) {
  bench_csv_row(out, job->problems.name[problem], job->methods.name[method],
                bench_at(job, problem, method));
}

int bench_store_row(const bench_job *job, int problem, int method) {
  FILE *rows = job->store.rows;
  if (!rows) return CLI_DONE;
  put_row(job, rows, problem, method);
  if (rows == stdout) return cli_terminal_flush() ? CLI_DONE : CLI_WRONG;
  if (fflush(rows) == 0) return CLI_DONE;
  return cli_complain("%s: cannot be written: %s; when there is room, go on with --resume",
                      job->store.path, strerror(errno));
}

static bool write_all(FILE *out, const void *user) {
  const bench_job *job = user;
  bench_csv_head(out, job->head);
  for (int p = 0; p < job->problems.count; p++)
    for (int m = 0; m < job->methods.count; m++)
      if (bench_at(job, p, m)->outcome != BENCH_PENDING) put_row(job, out, p, m);
  if (job->store.others) fputs(job->store.others, out);
  return true;
}

int bench_store_finish(const bench_job *job) {
  const char *path = job->store.path;
  if (!path) return CLI_DONE;
  int status = cli_save(job->output, write_all, job);
  if (!status)
    unlink(path);
  else
    cli_note("the rows are kept in %s; when there is room, go on with --resume", path);
  return status;
}

void bench_store_drop(bench_store *store) {
  if (store->rows && store->rows != stdout) fclose(store->rows);
  free(store->path);
  free(store->others);
  *store = (bench_store){0};
}
