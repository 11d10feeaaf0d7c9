// decorate FILE: replaces a solved problem file by one without solution that holds a guess, the old
// reactions, and a title with characters that would steer a terminal.
#include <stdio.h>

#include <stiction/stiction.h>

static stc_error decorate(const char *path, stc_problem *problem, const stc_solution *solution) {
  stc_problem_text text = {.title = "a\033[31mb\nc"};
  stc_error error = stc_problem_set_text(problem, &text);
  if (!error) error = stc_problem_write(problem, NULL, path);
  if (!error) error = stc_guesses_write(path, problem, solution, 1);
  return error;
}

int main(int argc, char **argv) {
  stc_problem *problem = NULL;
  stc_solution solution = {0};
  stc_error error = argc == 2 ? stc_problem_read(argv[1], &problem) : STC_ERR_ARGUMENT;
  if (!error) error = stc_solution_read(argv[1], problem, &solution);
  if (!error) error = decorate(argv[1], problem, &solution);
  if (error) fprintf(stderr, "decorate: %s: %s\n", stc_error_text(error), stc_error_detail());
  stc_solution_free(&solution);
  stc_problem_free(&problem);
  return error != STC_OK;
}
