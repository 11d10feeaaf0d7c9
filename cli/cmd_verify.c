// stiction verify: judges the solution stored in a file, whoever computed it.
#include "cli.h"

typedef struct verify_job {
  cli_args args;
  stc_settings settings;
  bool table;  // contact by contact
} verify_job;

static int judge_stored(const cli_file *file, const stc_solution *solution, cli_report *report) {
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

static int verify(const verify_job *job) {
  const cli_args *args = &job->args;
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
                       .tol = job->settings.tol};
  if (!status) status = judge_stored(&file, solution, &report);
  if (!status) status = cli_report_show(args, &report, solution->r, job->table || args->verbose);
  stc_solution_free(&other);
  cli_file_close(&file);
  return status ? status : cli_exit_status(report.status);
}

#define JOB verify_job
static const cli_option options[] = {
    OPTION_SETTING('t', "tol", "T", "eta and fclib_error a solution must reach", settings, "tol"),
    OPTION_FLAG(0, "contacts", "report contact by contact; so does -v", table)};

static int run_verify(const cli_command *command, int argc, char **argv) {
  verify_job job = {.settings = stc_default_settings()};
  int status;
  return cli_parse(command, argc, argv, &job, &status) ? verify(&job) : status;
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
    OPTIONS(options),
    .run = run_verify};
