// stiction bench: methods x problems, each solve in a process of its own; a CSV table of all, a
// summary, a performance profile.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/bench.h"
#include "render/plot.h"

static const double DEFAULT_TIME_LIMIT = 60;  // s: a bench must end

enum { DEFAULT_REPEAT = 3, GREATEST_REPEAT = 1000, GREATEST_JOBS = 256 };

#define JOB bench_job
static const cli_option options[] = {
    OPTION_TEXT('m', "methods", "A,B,...", "methods to compare; none; default: all", method_list),
    OPTION(CLI_LIST, 0, "external", "NAME=COMMAND", "a program that reads {in} and writes {out}",
           external_list, 0, 0, NULL),
    OPTION_SETTING('t', "tol", "T", "eta and fclib_error to reach", settings, "tol"),
    OPTION_SETTING(0, "time-limit", "S", "most seconds for one solve, setup included; default 60",
                   settings, "time_limit"),
    OPTION_SETTING(0, "max-iter", "N", "most iterations", settings, "max_iterations"),
    OPTION_INT(0, "repeat", "K", "runs of a solve shorter than 0.1 s, the least counts; default 3",
               repeat, 1, GREATEST_REPEAT),
    OPTION_ASSIGN(settings),
    OPTION_TEXT('o', "output", "OUT", "write the table to OUT; default: standard output", output),
    OPTION_TEXT(0, "profile", "PICTURE", "write the performance profile as SVG or PDF", profile),
    OPTION_TEXT(0, "history", "OUT", "write how each solve converged, as CSV or .json", history),
    OPTION_FLAG(0, "processor-time", "count processor time, for a machine that others use",
                processor),
    OPTION_FLAG(0, "resume", "go on where OUT stopped, with the same settings", resume),
    OPTION_INT('j', "jobs", "N", "solves at once; default 1, as others disturb the times", jobs, 1,
               GREATEST_JOBS)};

static int make_results(bench_job *job) {
  if (job->problems.count > INT_MAX / job->methods.count)
    return cli_complain("%d problems with %d methods are too many", job->problems.count,
                        job->methods.count);
  job->result = calloc((size_t)bench_total(job), sizeof *job->result);
  if (!job->result) return cli_complain("out of memory for %d results", bench_total(job));
  for (int k = 0; k < bench_total(job); k++) job->result[k] = bench_blank();
  if (!job->history) return CLI_DONE;
  job->history_of = calloc((size_t)bench_total(job), sizeof *job->history_of);
  return job->history_of ? CLI_DONE : cli_complain("out of memory for the histories");
}

static bool draw_profile(FILE *out, const void *user) {
  return profile_draw(out, user) || render_fails("out of memory for the profile");
}

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && !strcasecmp(path + length - tail, ending);
}

static const char *profile_ending(const bench_job *job) {
  return has_ending(job->profile, ".pdf") ? ".pdf" : ".svg";
}

static bool draw_profile_pdf(FILE *out, const void *user) {
  return plot_save_pdf(out, draw_profile, user);
}

static int save_profile(const bench_job *job) {
  int problems = job->problems.count;
  char title[100];
  double *seconds = calloc((size_t)bench_total(job), sizeof *seconds);
  if (!seconds) return cli_complain("out of memory for a profile of %d problems", problems);
  for (int k = 0; k < bench_total(job); k++)
    seconds[k] = bench_seconds(job, k / job->methods.count, k % job->methods.count);
  snprintf(title, sizeof title, "Performance profile: %d problem%s, tolerance %g", problems,
           cli_s(problems), job->settings.tol);
  profile p = {title, problems, job->methods.count, (const char *const *)job->methods.name,
               seconds};
  int status = cli_save(job->profile,
                        has_ending(job->profile, ".pdf") ? draw_profile_pdf : draw_profile, &p);
  free(seconds);
  return status;
}

// A whole bench, or the part that was done before an interruption.
static int report_bench(const bench_job *job, bool whole) {
  bench_summary summary;
  int status = bench_summarise(job, &summary);
  if (!status && whole && job->profile) status = save_profile(job);
  if (!status && job->args.json) bench_print_json(job, &summary);
  if (!status && whole && !job->args.json && !job->args.quiet)
    bench_print(job, &summary, job->output ? stdout : stderr);
  bench_summary_drop(&summary);
  return status;
}

// A file that is not a problem does not stop the comparison of the others, and is a failure.
static int complain_of_unreadable(const bench_job *job) {
  int count = 0, first = -1;
  for (int k = job->problems.count - 1; k >= 0; k--) {
    const bench_result *result = bench_at(job, k, 0);
    if (result->outcome != BENCH_REFUSED || result->form >= 0) continue;
    count++;
    first = k;
  }
  if (count == 0) return CLI_DONE;
  cli_note("%d of %d files could not be read; the first: %s", count, job->problems.count,
           bench_at(job, first, 0)->note);
  return CLI_WRONG;
}

static int stop_early(const bench_job *job) {
  int status = report_bench(job, false);
  if (job->args.quiet) return CLI_NOT_CONVERGED;
  if (job->output)
    cli_note("interrupted: %d of %d solves are in %s; the same command with --resume goes on",
             job->done, bench_total(job), job->output);
  else
    cli_note("interrupted after %d of %d solves; with -o OUT a bench can be resumed", job->done,
             bench_total(job));
  return status ? status : CLI_NOT_CONVERGED;
}

static void begin_bench(void *user) {
  bench_job *job = user;
  job->settings = stc_default_settings();
  job->settings.regions = 1;
  job->settings.time_limit = DEFAULT_TIME_LIMIT;
  job->repeat = DEFAULT_REPEAT;
  job->jobs = 1;
}

static int check_bench(bench_job *job) {
  if (job->output && !strcmp(job->output, "-")) job->output = NULL;
  if (job->resume && !job->output)
    return cli_misuse(&job->args, "option --resume needs the file to go on with: -o OUT");
  if (job->output && job->profile && !strcmp(job->output, job->profile))
    return cli_misuse(&job->args, "options -o and --profile name the same file");
  if (job->output) CLI_TRY(cli_check_format(job->output, ".csv"));
  if (job->history)
    CLI_TRY(cli_check_format(job->history, has_ending(job->history, ".json") ? ".json" : ".csv"));
  if (job->profile) CLI_TRY(cli_check_format(job->profile, profile_ending(job)));
  CLI_TRY(bench_list_methods(job->method_list, &job->methods));
  CLI_TRY(bench_list_externals(&job->external_list, job));
  if (job->methods.count == 0)
    return cli_misuse(&job->args, "there is no method to run: name one, or an --external");
  return bench_list_problems(job->args.word, job->args.words, &job->problems);
}

static int run_bench(void *user) {
  bench_job *job = user;
  CLI_TRY(check_bench(job));
  CLI_TRY(make_results(job));
  // Everything that times depend on, but for the machine.
  const stc_settings *s = &job->settings;
  snprintf(job->head, sizeof job->head,
           "stiction %s bench tol=%.9g time_limit=%.9g max_iterations=%ld threads=%d repeat=%d "
           "jobs=%d%s%s",
           stc_version(), s->tol, s->time_limit, s->max_iterations, s->threads, job->repeat,
           job->jobs, job->processor ? " clock=processor" : "", job->args.set);
  CLI_TRY(bench_store_open(job));
  if (job->done > 0)
    cli_detail("%s: %d of %d solves are there", job->output, job->done, bench_total(job));
  cli_catch_interrupts(NULL);
  CLI_TRY(bench_run(job));
  CLI_TRY(bench_store_finish(job));
  if (job->history) CLI_TRY(bench_history_save(job));
  if (job->done < bench_total(job)) return stop_early(job);
  CLI_TRY(report_bench(job, true));
  return complain_of_unreadable(job);
}

static void end_bench(void *user) {
  bench_job *job = user;
  bench_store_drop(&job->store);
  for (int k = 0; job->history_of && k < bench_total(job); k++)
    bench_history_drop(&job->history_of[k]);
  free(job->history_of);
  free(job->result);
  bench_names_drop(&job->problems);
  bench_names_drop(&job->methods);
  bench_externals_drop(job);
}

COMMAND(bench, "DIR|FILES...", 1, INT_MAX,
        "compare methods on many problems: table, summary, performance profile",
        "Runs each method on each problem: the files named, and the .hdf5 and .h5 files of the\n"
        "directories named. Every solve has a process of its own, which is killed a little after\n"
        "the time limit. The table goes to OUT as CSV, a summary to standard output. Ctrl-C keeps\n"
        "what is done; the same command with --resume goes on.",
        run_bench, begin_bench, end_bench, OPTIONS(options));
