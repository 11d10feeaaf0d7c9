// How unique the reactions of a solution are: least and greatest r_N of each contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cli.h"

static bool make_ranges(const stc_problem *problem, cli_ranges *ranges) {
  size_t contacts = (size_t)stc_problem_contacts(problem) + 1;  // one more: never 0 bytes
  size_t size = (size_t)stc_problem_size(problem) + 1;
  ranges->range.low = calloc(contacts, sizeof(double));
  ranges->range.high = calloc(contacts, sizeof(double));
  ranges->range.least_norm = calloc(size, sizeof(double));
  ranges->r = calloc(size, sizeof(double));
  return ranges->range.low && ranges->range.high && ranges->range.least_norm && ranges->r;
}

// The reactions stored in the file, or those a solve with the default settings finds.
static int find_reactions(const cli_file *file, cli_ranges *ranges) {
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  size_t bytes = (size_t)stc_problem_size(file->problem) * sizeof(double);
  ranges->stored = file->solution.r != NULL;
  if (ranges->stored) {
    memcpy(ranges->r, file->solution.r, bytes);
    return CLI_DONE;
  }
  stc_error error = stc_solver_setup(&solver, file->problem, &settings);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = ranges->r}, &info);
  stc_solver_free(&solver);
  CLI_TRY(cli_check(error));
  if (info.status == STC_STATUS_SOLVED) return CLI_DONE;
  return cli_complain("%s: no solution is stored and none was found (%s): ranges of forces need "
                      "one, see 'stiction solve'",
                      file->path, stc_status_name(info.status));
}

int cli_ranges_find(const cli_file *file, cli_ranges *ranges) {
  *ranges = (cli_ranges){.stored = false};
  if (!make_ranges(file->problem, ranges))
    return cli_complain("out of memory for ranges of forces");
  CLI_TRY(find_reactions(file, ranges));
  double tol = stc_default_settings().tol;
  return cli_check(stc_problem_force_range(file->problem, ranges->r, tol, &ranges->range));
}

void cli_ranges_drop(cli_ranges *ranges) {
  free(ranges->range.low);
  free(ranges->range.high);
  free(ranges->range.least_norm);
  free(ranges->r);
  *ranges = (cli_ranges){.stored = false};
}

// A number, or that the linear program of it has no answer that holds.
static void print_bound(double x) {
  if (isnan(x))
    printf("  %11s", "unknown");
  else
    printf("  %11.4e", x);
}

static void write_bound(cli_json *json, const char *name, double x) {
  if (isnan(x))
    cli_json_text(json, name, "unknown");
  else
    cli_json_real(json, name, x);
}

void cli_ranges_print(const stc_problem *problem, const cli_ranges *ranges) {
  int dim = stc_problem_dim(problem);
  printf("\nforces          of the solution %s; least and greatest r_N with the same velocities\n",
         ranges->stored ? "stored" : "found");
  printf("%8s  %11s  %11s  %11s  %11s\n", "contact", "r_N", "least", "greatest", "least norm");
  for (int c = 0; c < stc_problem_contacts(problem); c++) {
    printf("%8d  %11.4e", c, ranges->r[dim * c]);
    print_bound(ranges->range.low[c]);
    print_bound(ranges->range.high[c]);
    printf("  %11.4e\n", ranges->range.least_norm[dim * c]);
  }
}

void cli_ranges_write(cli_json *json, const stc_problem *problem, const cli_ranges *ranges) {
  int dim = stc_problem_dim(problem);
  cli_json_open(json, "force_range", '[');
  for (int c = 0; c < stc_problem_contacts(problem); c++) {
    cli_json_open(json, NULL, '{');
    cli_json_int(json, "contact", c);
    cli_json_real(json, "r_N", ranges->r[dim * c]);
    write_bound(json, "low", ranges->range.low[c]);
    write_bound(json, "high", ranges->range.high[c]);
    cli_json_open(json, "least_norm", '[');
    for (int k = 0; k < dim; k++) cli_json_real(json, NULL, ranges->range.least_norm[dim * c + k]);
    cli_json_close(json, ']');
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}
