// Convergence histories of a bench as data: --history OUT.csv or OUT.json. A solve keeps its
// iterations in memory while it runs, every one up to a hundred and then those that are a
// hundredth further, and its process hands them to the parent through a file without a name.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { ALL = 100, GROWTH = 2 };  // iterations that are all kept, and points are then 1 in ALL apart

// ---- in the child

void bench_history_add(bench_history *h, const bench_point *point) {
  if (h->count > 0 && point->iterations < h->next) return;
  if (h->count == h->room) {
    long room = GROWTH * (h->room + ALL);
    bench_point *grown = realloc(h->point, (size_t)room * sizeof *grown);
    if (!grown) return;
    h->point = grown;
    h->room = room;
  }
  h->point[h->count++] = *point;
  h->next = point->iterations + 1 + point->iterations / ALL;
}

void bench_history_end(bench_history *h, const bench_point *point) {
  if (h->count > 0 && h->point[h->count - 1].iterations >= point->iterations) h->count--;
  h->next = 0;
  bench_history_add(h, point);
}

void bench_history_drop(bench_history *h) {
  free(h->point);
  *h = (bench_history){0};
}

void bench_history_send(const bench_history *h, int fd) {
  const char *bytes = (const char *)h->point;
  size_t left = (size_t)h->count * sizeof *h->point;
  while (left > 0) {
    ssize_t n = write(fd, bytes, left);
    if (n < 0 && errno != EINTR) return;
    if (n <= 0) continue;
    bytes += n;
    left -= (size_t)n;
  }
}

// ---- in the parent

void bench_history_receive(FILE *in, bench_history *h) {
  if (!in) return;
  bench_history_drop(h);
  long end = fseek(in, 0, SEEK_END) ? 0 : ftell(in);
  rewind(in);
  h->room = end > 0 ? end / (long)sizeof *h->point : 0;
  h->point = h->room > 0 ? malloc((size_t)h->room * sizeof *h->point) : NULL;
  if (h->point) h->count = (long)fread(h->point, sizeof *h->point, (size_t)h->room, in);
}

static const char *file_of(const bench_job *job, int place) {
  return job->problems.name[place / job->methods.count];
}

static const char *method_of(const bench_job *job, int place) {
  return job->methods.name[place % job->methods.count];
}

// What was measured at a point, in the order of `columns`.
enum { COLUMNS = 4 };
static const char *const columns[COLUMNS] = {"iteration", "seconds", "eta", "fclib_error"};

static double value_of(const bench_point *p, int column) {
  const double value[COLUMNS] = {p->iterations < 0 ? NAN : (double)p->iterations, p->seconds,
                                 p->eta, p->fclib_error};
  return value[column];
}

static void put_csv(csv *row, const bench_job *job, int place) {
  const bench_history *h = &job->history_of[place];
  for (long k = 0; k < h->count; k++) {
    csv_text(row, file_of(job, place));
    csv_text(row, method_of(job, place));
    for (int c = 0; c < COLUMNS; c++) {
      double value = value_of(&h->point[k], c);
      if (isfinite(value)) csv_reals(row, &value, 1);
      if (!isfinite(value)) csv_text(row, "");
    }
    csv_end(row);
  }
}

static bool write_csv(FILE *out, const void *user) {
  const bench_job *job = user;
  csv row = {.out = out};
  fprintf(out, "# %s\nfile,method", job->head);
  for (int c = 0; c < COLUMNS; c++) fprintf(out, ",%s", columns[c]);
  fputc('\n', out);
  for (int k = 0; k < bench_total(job); k++) put_csv(&row, job, k);
  return true;
}

static void put_json(cli_json *json, const bench_job *job, int place, double *column) {
  const bench_history *h = &job->history_of[place];
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "file", file_of(job, place));
  cli_json_text(json, "method", method_of(job, place));
  cli_json_text(json, "status", bench_outcome_name(job->result[place].outcome));
  for (int c = 0; c < COLUMNS; c++) {
    for (long k = 0; k < h->count; k++) column[k] = value_of(&h->point[k], c);
    cli_json_reals(json, columns[c], column, (int)h->count);
  }
  cli_json_close(json, '}');
}

static bool write_json(FILE *out, const void *user) {
  const bench_job *job = user;
  long most = 1;
  for (int k = 0; k < bench_total(job); k++)
    if (job->history_of[k].count > most) most = job->history_of[k].count;
  double *column = calloc((size_t)most, sizeof(double));
  if (!column) return render_fails("out of memory for the histories");
  cli_json json = cli_json_begin(out);
  cli_json_text(&json, "settings", job->head);
  cli_json_open(&json, "histories", '[');
  for (int k = 0; k < bench_total(job); k++)
    if (job->history_of[k].count > 0) put_json(&json, job, k, column);
  cli_json_close(&json, ']');
  cli_json_end(&json);
  free(column);
  return true;
}

static bool is_json(const char *path) {
  size_t length = strlen(path);
  return length > 5 && !strcmp(path + length - 5, ".json");
}

int bench_history_save(const bench_job *job) {
  return cli_save(job->history, is_json(job->history) ? write_json : write_csv, job);
}
