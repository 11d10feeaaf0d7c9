// What a bench says of each method: how many problems it solved, how often it was the fastest, and
// sum and geometric mean of its times on the problems that all methods solved. The virtual best
// takes the fastest method on every problem.
#include <math.h>
#include <stdlib.h>

#include "bench.h"

// A clock that did not move would make a geometric mean 0 and a ratio infinite.
static const double LEAST_SECONDS = 1e-9;

bool bench_solved(const bench_job *job, int problem, int method) {
  return bench_at(job, problem, method)->outcome == STC_STATUS_SOLVED;
}

double bench_seconds(const bench_job *job, int problem, int method) {
  if (!bench_solved(job, problem, method)) return INFINITY;
  return fmax(bench_at(job, problem, method)->seconds, LEAST_SECONDS);
}

double bench_best(const bench_job *job, int problem) {
  double best = INFINITY;
  for (int m = 0; m < job->methods.count; m++) best = fmin(best, bench_seconds(job, problem, m));
  return best;
}

// Adds a time to a score; the mean is kept as a sum of logarithms.
static void add_time(bench_score *score, double seconds, double best, bool common) {
  if (!isfinite(seconds)) return;
  score->solved++;
  if (seconds <= best) score->fastest++;
  if (!common) return;
  score->common_sum += seconds;
  score->common_mean += log(seconds);
}

static void add_problem(const bench_job *job, int problem, bench_summary *summary) {
  int methods = job->methods.count;
  double best = bench_best(job, problem);
  bool common = true;  // solved by all
  for (int m = 0; m < methods; m++) common = common && bench_solved(job, problem, m);
  for (int m = 0; m < methods; m++)
    add_time(&summary->score[m], bench_seconds(job, problem, m), best, common);
  add_time(&summary->score[methods], best, best, common);
  summary->common += common;
}

int bench_summarise(const bench_job *job, bench_summary *summary) {
  int methods = job->methods.count;
  summary->common = 0;
  summary->score = calloc((size_t)methods + 1, sizeof *summary->score);
  if (!summary->score) return cli_complain("out of memory for a table of %d methods", methods);
  for (int m = 0; m < methods; m++) summary->score[m].name = job->methods.name[m];
  summary->score[methods].name = "virtual best";
  for (int p = 0; p < job->problems.count; p++) add_problem(job, p, summary);
  for (int m = 0; m <= methods; m++) {
    bench_score *score = &summary->score[m];
    score->common_mean = summary->common > 0 ? exp(score->common_mean / summary->common) : NAN;
    if (summary->common == 0) score->common_sum = NAN;
  }
  return CLI_DONE;
}

void bench_summary_drop(bench_summary *summary) {
  free(summary->score);
  summary->score = NULL;
}

static double fraction_of(const bench_job *job, const bench_score *score) {
  return (double)score->solved / job->problems.count;
}

// ---- text

static void print_score(const bench_job *job, const bench_score *score, FILE *out) {
  fprintf(out, "%-14s  %6d  %6.1f  %7d", score->name, score->solved, 100 * fraction_of(job, score),
          score->fastest);
  if (isnan(score->common_sum)) {
    fprintf(out, "  %11s  %13s\n", "-", "-");
  } else {
    fprintf(out, "  %11.4g  %13.4g\n", score->common_sum, score->common_mean);
  }
}

static void print_rule(FILE *out) {
  for (int k = 0; k < 67; k++) fputc('-', out);  // the width of the table
  fputc('\n', out);
}

// Rows whose note says why are worth a look.
static void print_troubles(const bench_job *job, FILE *out) {
  for (int outcome = BENCH_TIMEOUT; outcome < BENCH_OUTCOMES; outcome++) {
    int count = 0;
    for (int p = 0; p < job->problems.count; p++) {
      bool any = false;
      for (int m = 0; m < job->methods.count; m++) any |= bench_at(job, p, m)->outcome == outcome;
      count += any;
    }
    if (count > 0) {
      fprintf(out, "%s on %d problem%s: see the column note\n", bench_outcome_name(outcome), count,
              cli_s(count));
    }
  }
}

void bench_print(const bench_job *job, const bench_summary *summary, FILE *out) {
  int problems = job->problems.count, methods = job->methods.count;
  fprintf(out, "%d problem%s, tolerance %g, time limit %g s\n\n", problems, cli_s(problems),
          job->settings.tol, job->settings.time_limit);
  fprintf(out, "%-14s  %6s  %6s  %7s  %11s  %13s\n", "method", "solved", "%", "fastest", "sum (s)",
          "geo. mean (s)");
  print_rule(out);
  for (int m = 0; m < methods; m++) print_score(job, &summary->score[m], out);
  print_rule(out);
  print_score(job, &summary->score[methods], out);
  fprintf(out, "\nsum and mean: setup and solve, on the %d problem%s solved by every method\n",
          summary->common, cli_s(summary->common));
  print_troubles(job, out);
}

// ---- JSON

static void write_score(cli_json *json, const char *name, const bench_job *job,
                        const bench_score *score) {
  cli_json_open(json, name, '{');
  cli_json_text(json, "name", score->name);
  cli_json_int(json, "solved", score->solved);
  cli_json_real(json, "fraction", fraction_of(job, score));
  cli_json_int(json, "fastest", score->fastest);
  cli_json_real(json, "common_sum", score->common_sum);
  cli_json_real(json, "common_mean", score->common_mean);
  cli_json_close(json, '}');
}

static void write_rows(cli_json *json, const bench_job *job) {
  cli_json_open(json, "rows", '[');
  for (int p = 0; p < job->problems.count; p++) {
    for (int m = 0; m < job->methods.count; m++) {
      const bench_result *result = bench_at(job, p, m);
      if (result->outcome == BENCH_PENDING) continue;
      bench_json_row(json, job->problems.name[p], job->methods.name[m], result);
    }
  }
  cli_json_close(json, ']');
}

static void write_externals(cli_json *json, const bench_job *job) {
  cli_json_open(json, "externals", '[');
  for (int k = 0; k < job->externals; k++) {
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", job->external[k].name);
    cli_json_text(json, "command", job->external[k].command);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

void bench_print_json(const bench_job *job, const bench_summary *summary) {
  cli_json json = cli_json_begin(stdout);
  cli_json_int(&json, "problems", job->problems.count);
  cli_json_int(&json, "solves", bench_total(job));
  cli_json_int(&json, "done", job->done);
  cli_json_bool(&json, "interrupted", job->done < bench_total(job));
  cli_json_real(&json, "tol", job->settings.tol);
  cli_json_real(&json, "time_limit", job->settings.time_limit);
  cli_json_int(&json, "max_iterations", job->settings.max_iterations);
  cli_json_int(&json, "repeat", job->repeat);
  cli_json_int(&json, "jobs", job->jobs);
  cli_json_text(&json, "output", job->output);
  cli_json_text(&json, "profile", job->profile);
  cli_json_text(&json, "history", job->history);
  write_externals(&json, job);
  int methods = job->methods.count;
  cli_json_int(&json, "common", summary->common);
  cli_json_open(&json, "methods", '[');
  for (int m = 0; m < methods; m++) write_score(&json, NULL, job, &summary->score[m]);
  cli_json_close(&json, ']');
  write_score(&json, "virtual_best", job, &summary->score[methods]);
  write_rows(&json, job);
  cli_json_end(&json);
}
