// stiction convert: between the global form (M, f, H, w) and the local form (W, q).
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct convert_job {
  cli_args args;
  const char *to;  // form, or NULL
} convert_job;

// What a converted file holds. Reactions are the same in both forms; u, v, l are made anew.
typedef struct converted {
  stc_problem *problem;
  stc_solution solution;
  stc_solution *guesses;
} converted;

static int carry(const stc_problem *problem, const double *r, stc_solution *solution) {
  if (!r) return CLI_DONE;
  int status = cli_solution_make(problem, solution);
  if (status) return status;
  memcpy(solution->r, r, (size_t)stc_problem_size(problem) * sizeof *r);
  stc_error error = stc_problem_complete(problem, solution);
  return error ? cli_complain_library(error) : CLI_DONE;
}

static int change_form(const cli_file *file, stc_form form, converted *to) {
  stc_error error = form == STC_FORM_LOCAL ? stc_problem_to_local(file->problem, &to->problem)
                                           : stc_problem_to_global(file->problem, &to->problem);
  if (error) return cli_complain_library(error);
  int status = carry(to->problem, file->solution.r, &to->solution);
  to->guesses = calloc((size_t)file->guess_count + 1, sizeof *to->guesses);
  if (!to->guesses) return cli_complain("out of memory for %d guesses", file->guess_count);
  for (int k = 0; !status && k < file->guess_count; k++) {
    status = carry(to->problem, file->guesses[k].r, &to->guesses[k]);
  }
  return status;
}

static void drop(converted *to, int guess_count) {
  for (int k = 0; to->guesses && k < guess_count; k++) cli_solution_drop(&to->guesses[k]);
  free(to->guesses);
  cli_solution_drop(&to->solution);
  stc_problem_free(&to->problem);
}

static void show_converted(const cli_args *args, const cli_file *from, const stc_problem *to) {
  cli_json json = cli_json_begin(args->json ? stdout : NULL);
  cli_json_text(&json, "file", args->word[0]);
  cli_json_text(&json, "output", args->word[1]);
  cli_json_text(&json, "from", cli_form_name(stc_problem_form(from->problem)));
  cli_write_sizes(&json, to);
  cli_json_bool(&json, "solution", from->solution.r != NULL);
  cli_json_int(&json, "guesses", from->guess_count);
  cli_write_remarks(&json, from);
  cli_json_end(&json);
  char text[CLI_SIZES_ROOM];
  if (!args->json && !args->quiet) printf("%s: %s\n", args->word[1], cli_sizes(to, text));
}

// The form asked for, or the one the problem does not have.
static stc_form target_form(const char *to, const stc_problem *problem) {
  if (to) return !strcmp(to, "local") ? STC_FORM_LOCAL : STC_FORM_GLOBAL;
  return stc_problem_form(problem) == STC_FORM_LOCAL ? STC_FORM_GLOBAL : STC_FORM_LOCAL;
}

static int convert(const cli_args *args, const char *to) {
  cli_file file;
  converted made = {0};
  const char *path = args->word[1];
  int status = cli_file_open(args->word[0], args->quiet, &file);
  if (!status && target_form(to, file.problem) == stc_problem_form(file.problem)) {
    status = cli_write(file.problem, &file.solution, file.guesses, file.guess_count, path);
    if (!status) show_converted(args, &file, file.problem);
  } else if (!status) {
    status = change_form(&file, target_form(to, file.problem), &made);
    if (!status) {
      status = cli_write(made.problem, &made.solution, made.guesses, file.guess_count, path);
    }
    if (!status) show_converted(args, &file, made.problem);
  }
  drop(&made, file.guess_count);
  cli_file_close(&file);
  return status;
}

static const char *form_name(int k) {
  return k == 0 ? cli_form_name(STC_FORM_LOCAL) : k == 1 ? cli_form_name(STC_FORM_GLOBAL) : NULL;
}

#define JOB convert_job
static const cli_option options[] = {
    OPTION_TEXT(0, "to", "FORM", "local or global; default: the other one", to)};

static int run_convert(const cli_command *command, int argc, char **argv) {
  convert_job job = {.to = NULL};
  int status;
  if (!cli_parse(command, argc, argv, &job, &status)) return status;
  if (job.to && !cli_known("form", job.to, form_name)) return CLI_WRONG;
  status = cli_check_output(job.args.word[1]);
  return status ? status : convert(&job.args, job.to);
}

const cli_command cmd_convert = {
    .name = "convert",
    .usage = "FILE OUT",
    .summary = "change between the local and the global form",
    .description =
        "Writes the problem in FILE to OUT in the other form: the local form (W, q) from the\n"
        "global one (M, f, H, w), or a global form with unit masses from a local one. A stored\n"
        "solution keeps its reactions; the velocities that belong to them are made anew.",
    .least_words = 2,
    .most_words = 2,
    OPTIONS(options),
    .run = run_convert};
