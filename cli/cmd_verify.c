// stiction verify: judges the solution stored in a file, by whatever program.
#include "cli.h"

typedef struct verify_job {
  cli_args args;
  stc_settings settings;
  bool table;          // contact by contact
  stc_solution other;  // of SOLUTION_FILE
} verify_job;

#define JOB verify_job
static const cli_option options[] = {
    OPTION_SETTING('t', "tol", "T", "eta and fclib_error a solution must reach", settings, "tol"),
    OPTION_FLAG(0, "contacts", "report contact by contact; so does -v", table)};

static void begin_verify(void *user) { ((verify_job *)user)->settings = stc_default_settings(); }

static int run_verify(void *user) {
  verify_job *job = user;
  const cli_args *args = &job->args;
  const cli_file *file = &job->args.file;
  const char *path = args->words > 1 ? args->word[1] : NULL;
  CLI_TRY(cli_file_open(args->word[0], true, &job->args.file));
  if (path) CLI_TRY(cli_check(stc_solution_read(path, file->problem, &job->other)));
  const stc_solution *solution = path ? &job->other : &file->solution;
  if (!solution->r && !path && *file->bad_solution)
    return cli_complain("no valid stored solution: %s; 'stiction solve %s -o OUT' writes one",
                        file->bad_solution, file->path);
  if (!solution->r)
    return cli_complain("%s: holds no solution; 'stiction solve %s -o OUT' writes one",
                        path ? path : file->path, file->path);
  cli_report report = {.solution_file = path,
                       .stored = file,
                       .tol = job->settings.tol,
                       .info = {.method = "stored"}};
  stc_info *info = &report.info;
  double start = cli_seconds();
  CLI_TRY(cli_check(stc_problem_residual(file->problem, solution, &info->residual)));
  info->solve_seconds = cli_seconds() - start;
  bool within = cli_within(&info->residual, report.tol);
  info->status = within ? STC_STATUS_SOLVED : STC_STATUS_STALLED;
  CLI_TRY(cli_report_show(args, &report, solution->r, job->table || args->verbose));
  return cli_exit_status(info->status);
}

static void end_verify(void *user) { stc_solution_free(&((verify_job *)user)->other); }

COMMAND(verify, "FILE [SOLUTION_FILE]", 1, 2,
        "judge the solution stored in a file, whoever computed it",
        "Recomputes the residual of the solution stored in FILE, or in SOLUTION_FILE for the\n"
        "problem in FILE. Exit status 0 if eta and fclib_error are within the tolerance, else 2.",
        run_verify, begin_verify, end_verify, OPTIONS(options));
