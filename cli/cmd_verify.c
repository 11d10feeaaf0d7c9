// stiction verify: judges the solution stored in a file, whoever computed it.
#include "cli.h"

static int judge(const cli_file *file, const stc_solution *solution, cli_report *report) {
  if (!solution->r && solution == &file->solution && *file->bad_solution) {
    return cli_complain("no valid stored solution: %s; 'stiction solve %s -o OUT' writes one",
                        file->bad_solution, file->path);
  }
  if (!solution->r) {
    return cli_complain("%s: holds no solution; 'stiction solve %s -o OUT' writes one",
                        report->solution_file ? report->solution_file : file->path, file->path);
  }
  double start = cli_seconds();
  stc_error error = stc_problem_residual(file->problem, solution, &report->residual);
  report->solve_seconds = cli_seconds() - start;
  if (error) return cli_complain_library(error);
  bool within = cli_within(&report->residual, report->tol);
  report->status = within ? STC_STATUS_SOLVED : STC_STATUS_STALLED;
  return CLI_DONE;
}

static int verify(const cli_args *args, double tol, bool table) {
  cli_file file;
  stc_solution other = {0};
  const char *path = args->words > 1 ? args->word[1] : NULL;
  int status = cli_file_open(args->word[0], true, &file);
  if (!status && path) {
    stc_error error = stc_solution_read(path, file.problem, &other);
    if (error) status = cli_complain_library(error);
  }
  const stc_solution *solution = path ? &other : &file.solution;
  cli_report report = {.file = args->word[0],
                       .solution_file = path,
                       .stored = &file,
                       .problem = file.problem,
                       .method = "stored",
                       .tol = tol};
  if (!status) status = judge(&file, solution, &report);
  if (!status) status = cli_report_show(args, &report, solution->r, table);
  stc_solution_free(&other);
  cli_file_close(&file);
  return status ? status : cli_exit_status(report.status);
}

static int run(const cli_command *command, int argc, char **argv) {
  stc_settings settings = stc_default_settings();
  bool table = false;
  const cli_option options[] = {
      {'t', "tol", "T", "eta and fclib_error a solution must reach", CLI_SETTING, &settings, 0, 0,
       "tol"},
      {0, "contacts", NULL, "report contact by contact; so does -v", CLI_FLAG, &table, 0, 0, NULL}};
  cli_args args;
  int status;
  int count = sizeof options / sizeof *options;
  if (!cli_parse(command, options, count, argc, argv, &args, &status)) return status;
  return verify(&args, settings.tol, table || args.verbose);
}

const cli_command cmd_verify = {
    .name = "verify",
    .usage = "FILE [SOLUTION_FILE]",
    .summary = "judge the solution stored in a file, whoever computed it",
    .description =
        "Recomputes the residual of the solution stored in FILE, or in SOLUTION_FILE for the\n"
        "problem in FILE. Exit status 0 if eta and fclib_error are within the tolerance, else 2.",
    .least_words = 1,
    .most_words = 2,
    .run = run};
