// stiction info: what a problem file holds.
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
  stc_stats stats;
  int rank_limit, existence_limit;
  bool force_range;
  bool examined;
  cli_existence existence;
  cli_ranges ranges;
} info_job;

static const cli_line info_lines[] = {
    {"file", "{file}"},
    {"title", "{title}"},
    {"description", "{description}"},
    {"notes", "{math_info}"},
    {"problem", "{sizes}"},
    {"laws", "{kinds}"},
    {"mu", "{mu_min|%g} to {mu_max|%g}"},
    {"M", "{mass}"},
    {"contact graph", "{components} component{components|s}, the largest with {largest_component} "
                      "contact{largest_component|s}; {blocks_per_row|%.3g} blocks per row"},
    {"immovable", "{immovable} contact{immovable|s} with W_ii = 0"},
    {"W", "rank {rank} of {size}, condition {condition|%.3g}"},
    {"W", "{size} rows; rank not computed, see --rank-limit{unranked}"},
    {"", "asymmetry {asymmetry|%.3g}, diagonal ratio {diagonal_ratio|%.3g}"},
    {"existence", "{existence}{by}"},
    {"", "{existence_reason}"},
    CLI_BOUNDS_LINE,
    {"stored", "{stored}, {guesses} guess{es}"}};

// "coulomb 12, elliptic 3"
static void write_laws(cli_json *json, const stc_problem *problem) {
  char text[400] = "";
  size_t used = 0;
  cli_json_open(json, "laws", '{');
  for (int kind = 0; stc_law_name(kind); kind++) {
    int count = 0;
    for (int c = 0; c < stc_problem_contacts(problem); c++)
      count += (int)stc_problem_law(problem, c)->kind == kind;
    cli_json_int(json, stc_law_name(kind), count);
    if (count > 0 && used < sizeof text)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %d", used ? ", " : "",
                               stc_law_name(kind), count);
  }
  cli_json_close(json, '}');
  cli_json_note(json, "kinds", "%s", text);
}

#define STATS(kind, field) CLI_FIELD(stc_stats, kind, field)
static const cli_field stats_fields[] = {STATS(REAL, mu_min),
                                         STATS(REAL, mu_max),
                                         CLI_FIELD_AS(stc_stats, INT, bodies, "mass_blocks"),
                                         STATS(INT, components),
                                         STATS(INT, largest_component),
                                         STATS(REAL, blocks_per_row),
                                         STATS(INT, immovable),
                                         STATS(REAL, condition),
                                         STATS(REAL, asymmetry),
                                         STATS(REAL, diagonal_ratio)};

static void write_stats(cli_json *json, const stc_problem *problem, const stc_stats *stats) {
  cli_json_fields(json, stats_fields, CLI_COUNT(stats_fields), stats);
  cli_json_real(json, "rank", stats->rank < 0 ? (double)NAN : (double)stats->rank);
  if (stats->rank < 0) cli_json_note(json, "unranked", "%s", "");
  if (stc_problem_form(problem) != STC_FORM_GLOBAL) return;
  if (stats->bodies > 0)
    cli_json_note(json, "mass", "block-diagonal, %d block%s", stats->bodies, cli_s(stats->bodies));
  else
    cli_json_note(json, "mass", "not block-diagonal");
}

static void write_existence(cli_json *json, const info_job *job) {
  const cli_existence *e = &job->existence;
  bool margin = e->proof && e->verdict == STC_VERDICT_EXISTS && e->margin > 0;
  char by[60] = "";
  cli_json_text(json, "existence", job->examined ? cli_existence_name(e->verdict) : NULL);
  cli_json_text(json, "proof", job->examined ? e->proof : NULL);
  cli_json_real(json, "margin", job->examined && e->proof ? e->margin : NAN);
  cli_json_text(json, "existence_reason", job->examined ? e->reason : NULL);
  cli_write_bounds(json, job->examined && e->bounded ? &e->bounds : NULL);
  if (margin) snprintf(by, sizeof by, ", margin %.3g m/s", e->margin);
  cli_json_note(json, "by", "%s%s%s", e->proof ? " by " : "", e->proof ? e->proof : "", by);
}

static void show_info(const info_job *job) {
  const cli_args *args = &job->args;
  const cli_file *file = &job->args.file;
  stc_problem_text text = stc_problem_get_text(file->problem);
  cli_json json = cli_json_begin(args->json ? stdout : NULL);
  cli_json_text(&json, "file", file->path);
  cli_write_sizes(&json, file->problem);
  cli_json_int(&json, "size", stc_problem_size(file->problem));
  cli_json_bool(&json, "solution", file->solution.r != NULL);
  cli_json_int(&json, "guesses", file->guess_count);
  cli_json_note(&json, "stored", "%s", file->solution.r ? "a solution" : "no solution");
  cli_json_note(&json, "es", "%s", file->guess_count == 1 ? "" : "es");
  cli_write_remarks(&json, file);
  cli_json_text(&json, "title", text.title);
  cli_json_text(&json, "description", text.description);
  cli_json_text(&json, "math_info", text.math_info);
  write_laws(&json, file->problem);
  write_stats(&json, file->problem, &job->stats);
  write_existence(&json, job);
  if (job->force_range) cli_ranges_write(&json, file->problem, &job->ranges);
  cli_json_end(&json);
  if (args->json || args->quiet) return;
  cli_print_lines(&json, info_lines, CLI_COUNT(info_lines));
  if (job->force_range) cli_ranges_print(file->problem, &job->ranges);
}

#define JOB info_job
static const cli_option options[] = {
    OPTION_INT(0, "rank-limit", "ROWS", "compute rank and condition up to this many rows (1500)",
               rank_limit, 0, GREATEST_RANK_LIMIT),
    OPTION_INT(0, "existence-limit", "N", "test existence up to this many contacts (2000)",
               existence_limit, 0, INT_MAX),
    OPTION_FLAG(0, "force-range", "least and greatest normal force of each contact", force_range)};

static void begin_info(void *user) {
  info_job *job = user;
  job->rank_limit = DEFAULT_RANK_LIMIT;
  job->existence_limit = DEFAULT_EXISTENCE_LIMIT;
}

static int run_info(void *user) {
  info_job *job = user;
  cli_file *file = &job->args.file;
  CLI_TRY(cli_file_open(job->args.word[0], job->args.quiet, file));
  CLI_TRY(cli_check(stc_problem_stats(file->problem, job->rank_limit, &job->stats)));
  job->examined =
      job->existence_limit > 0 && stc_problem_contacts(file->problem) <= job->existence_limit;
  if (job->examined) cli_examine(file->problem, file->solution.r, &job->existence);
  if (job->force_range) CLI_TRY(cli_ranges_find(file, &job->ranges));
  show_info(job);
  return CLI_DONE;
}

static void end_info(void *user) { cli_ranges_drop(&((info_job *)user)->ranges); }

COMMAND(info, "FILE", 1, 1, "what a problem file holds: sizes, friction, contact graph, rank",
        "Shows the sizes of the problem in FILE, its friction coefficients, the graph of\n"
        "its contacts, the rank and conditioning of W where it is small, whether a solution is\n"
        "proved to exist, and what is stored with it.",
        run_info, begin_info, end_info, OPTIONS(options));
