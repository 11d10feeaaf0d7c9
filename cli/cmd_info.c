// stiction info: what a problem file holds.
#include <ctype.h>
#include <limits.h>
#include <math.h>

#include "cli.h"

// Rows above which rank and condition (a dense singular value decomposition) are not computed: at
// 1500 it takes about a second.
enum { DEFAULT_RANK_LIMIT = 1500, GREATEST_RANK_LIMIT = 20000 };

// Contacts above which existence is not looked into unless asked for: at 2000 it takes a few
// seconds at most.
enum { DEFAULT_EXISTENCE_LIMIT = 2000 };

// What was asked for, and what was found besides the statistics.
typedef struct info_job {
  cli_args args;
  int rank_limit, existence_limit;
  bool force_range;
  bool examined;
  cli_existence existence;
  cli_ranges ranges;
} info_job;

static int contacts_with(const stc_problem *problem, int kind) {
  int count = 0;
  for (int c = 0; c < stc_problem_contacts(problem); c++) {
    count += (int)stc_problem_law(problem, c)->kind == kind;
  }
  return count;
}

// ---- text

static void print_laws(const stc_problem *problem, const stc_stats *stats) {
  const char *separator = "";
  printf("laws            ");
  for (int kind = 0; stc_law_name(kind); kind++) {
    int count = contacts_with(problem, kind);
    if (count == 0) continue;
    printf("%s%s %d", separator, stc_law_name(kind), count);
    separator = ", ";
  }
  printf("\nmu              %g to %g\n", stats->mu_min, stats->mu_max);
}

static void print_graph(const stc_problem *problem, const stc_stats *stats) {
  int largest = stats->largest_component;
  if (stc_problem_form(problem) == STC_FORM_GLOBAL && stats->bodies > 0) {
    printf("M               block-diagonal, %d block%s\n", stats->bodies, cli_s(stats->bodies));
  } else if (stc_problem_form(problem) == STC_FORM_GLOBAL) {
    printf("M               not block-diagonal\n");
  }
  printf("contact graph   %d component%s, the largest with %d contact%s; %.3g blocks per row\n",
         stats->components, cli_s(stats->components), largest, cli_s(largest),
         stats->blocks_per_row);
  printf("immovable       %d contact%s with W_ii = 0\n", stats->immovable, cli_s(stats->immovable));
}

static void print_matrix(const stc_problem *problem, const stc_stats *stats) {
  if (stats->rank >= 0) {
    printf("W               rank %d of %d, condition %.3g\n", stats->rank,
           stc_problem_size(problem), stats->condition);
  } else {
    printf("W               %d rows; rank not computed, see --rank-limit\n",
           stc_problem_size(problem));
  }
  printf("                asymmetry %.3g, diagonal ratio %.3g\n", stats->asymmetry,
         stats->diagonal_ratio);
}

// Text comes from the file: what could steer a terminal is shown as a blank.
static void print_text(const char *label, const char *text) {
  if (!text || !*text) return;
  printf("%-15s ", label);
  for (; *text; text++) putchar(iscntrl((unsigned char)*text) ? ' ' : *text);
  putchar('\n');
}

static void print_existence(const info_job *job) {
  const cli_existence *e = &job->existence;
  if (!job->examined) return;
  printf("existence       %s", cli_existence_name(e->verdict));
  if (e->proof) printf(" by %s", e->proof);
  if (e->proof && e->verdict == STC_VERDICT_EXISTS && e->margin > 0)
    printf(", margin %.3g m/s", e->margin);
  printf("\n                %s\n", e->reason);
  if (e->bounded) cli_print_bounds(&e->bounds);
}

static void print_info(const cli_file *file, const stc_stats *stats, const info_job *job) {
  const stc_problem *problem = file->problem;
  stc_problem_text text = stc_problem_get_text(problem);
  printf("file            %s\n", file->path);
  print_text("title", text.title);
  print_text("description", text.description);
  print_text("notes", text.math_info);
  printf("problem         ");
  cli_print_sizes(problem);
  print_laws(problem, stats);
  print_graph(problem, stats);
  print_matrix(problem, stats);
  print_existence(job);
  printf("stored          %s, %d guess%s\n", file->solution.r ? "a solution" : "no solution",
         file->guess_count, file->guess_count == 1 ? "" : "es");
  if (job->force_range) cli_ranges_print(problem, &job->ranges);
}

// ---- JSON

static void write_sizes(cli_json *json, const cli_file *file) {
  const stc_problem *problem = file->problem;
  cli_json_text(json, "file", file->path);
  cli_json_int(json, "dimension", stc_problem_dim(problem));
  cli_json_text(json, "form", cli_form_name(stc_problem_form(problem)));
  cli_json_int(json, "contacts", stc_problem_contacts(problem));
  cli_json_int(json, "size", stc_problem_size(problem));
  cli_json_int(json, "dofs", stc_problem_dofs(problem));
  cli_json_int(json, "equalities", stc_problem_equalities(problem));
  cli_json_bool(json, "solution", file->solution.r != NULL);
  cli_json_int(json, "guesses", file->guess_count);
  cli_write_remarks(json, file);
}

static void write_laws(cli_json *json, const stc_problem *problem) {
  cli_json_open(json, "laws", '{');
  for (int kind = 0; stc_law_name(kind); kind++) {
    cli_json_int(json, stc_law_name(kind), contacts_with(problem, kind));
  }
  cli_json_close(json, '}');
}

static void write_stats(cli_json *json, const stc_stats *stats) {
  cli_json_real(json, "mu_min", stats->mu_min);
  cli_json_real(json, "mu_max", stats->mu_max);
  cli_json_int(json, "mass_blocks", stats->bodies);
  cli_json_int(json, "components", stats->components);
  cli_json_int(json, "largest_component", stats->largest_component);
  cli_json_real(json, "blocks_per_row", stats->blocks_per_row);
  cli_json_int(json, "immovable", stats->immovable);
  if (stats->rank >= 0) {
    cli_json_int(json, "rank", stats->rank);
  } else {
    cli_json_text(json, "rank", NULL);
  }
  cli_json_real(json, "condition", stats->condition);
  cli_json_real(json, "asymmetry", stats->asymmetry);
  cli_json_real(json, "diagonal_ratio", stats->diagonal_ratio);
}

static void write_existence(cli_json *json, const info_job *job) {
  const cli_existence *e = &job->existence;
  cli_json_text(json, "existence", job->examined ? cli_existence_name(e->verdict) : NULL);
  cli_json_text(json, "proof", job->examined ? e->proof : NULL);
  cli_json_real(json, "margin", job->examined && e->proof ? e->margin : NAN);
  cli_json_text(json, "existence_reason", job->examined ? e->reason : NULL);
  cli_write_bounds(json, job->examined && e->bounded ? &e->bounds : NULL);
}

static void write_info(const cli_file *file, const stc_stats *stats, const info_job *job) {
  stc_problem_text text = stc_problem_get_text(file->problem);
  cli_json json = cli_json_begin(stdout);
  write_sizes(&json, file);
  cli_json_text(&json, "title", text.title);
  cli_json_text(&json, "description", text.description);
  cli_json_text(&json, "math_info", text.math_info);
  write_laws(&json, file->problem);
  write_stats(&json, stats);
  write_existence(&json, job);
  if (job->force_range) cli_ranges_write(&json, file->problem, &job->ranges);
  cli_json_end(&json);
}

static int look_into(const cli_file *file, info_job *job, stc_stats *stats) {
  stc_error error = stc_problem_stats(file->problem, job->rank_limit, stats);
  if (error) return cli_complain_library(error);
  job->examined =
      job->existence_limit > 0 && stc_problem_contacts(file->problem) <= job->existence_limit;
  if (job->examined) cli_examine(file->problem, file->solution.r, &job->existence);
  return job->force_range ? cli_ranges_find(file, &job->ranges) : CLI_DONE;
}

static int show_info(info_job *job) {
  cli_file file;
  stc_stats stats;
  const cli_args *args = &job->args;
  int status = cli_file_open(args->word[0], args->quiet, &file);
  if (!status) status = look_into(&file, job, &stats);
  if (!status && args->json) write_info(&file, &stats, job);
  if (!status && !args->json && !args->quiet) print_info(&file, &stats, job);
  cli_ranges_drop(&job->ranges);
  cli_file_close(&file);
  return status;
}

#define JOB info_job
static const cli_option options[] = {
    OPTION_INT(0, "rank-limit", "ROWS", "compute rank and condition up to this many rows (1500)",
               rank_limit, 0, GREATEST_RANK_LIMIT),
    OPTION_INT(0, "existence-limit", "N", "test existence up to this many contacts (2000)",
               existence_limit, 0, INT_MAX),
    OPTION_FLAG(0, "force-range", "least and greatest normal force of each contact", force_range)};

static int run_info(const cli_command *command, int argc, char **argv) {
  info_job job = {.rank_limit = DEFAULT_RANK_LIMIT, .existence_limit = DEFAULT_EXISTENCE_LIMIT};
  int status;
  return cli_parse(command, argc, argv, &job, &status) ? show_info(&job) : status;
}

const cli_command cmd_info = {
    .name = "info",
    .usage = "FILE",
    .summary = "what a problem file holds: sizes, friction, contact graph, rank",
    .description =
        "Shows the sizes of the problem in FILE, its friction coefficients, the graph of\n"
        "its contacts, the rank and conditioning of W where it is small, whether a solution is\n"
        "proved to exist, and what is stored with it.",
    .least_words = 1,
    .most_words = 1,
    OPTIONS(options),
    .run = run_info};
