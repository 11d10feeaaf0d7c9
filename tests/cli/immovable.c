// immovable FILE: writes a problem that is proved to have no solution at once. One contact between
// immovable bodies, W = 0, that approach each other: u = q = (-1, 0, 0) whatever r.
#include <stdio.h>

#include <stiction/stiction.h>

int main(int argc, char **argv) {
  const int ptr[4] = {0};
  const double q[3] = {-1, 0, 0}, mu[1] = {0.5};
  stc_local_data data = {.dim = 3,
                         .contacts = 1,
                         .W = {.rows = 3, .cols = 3, .storage = STC_STORAGE_CSR, .p = ptr},
                         .q = q,
                         .mu = mu};
  stc_problem *problem = NULL;
  stc_error error = argc == 2 ? stc_problem_create_local(&data, &problem) : STC_ERR_ARGUMENT;
  if (!error) error = stc_problem_write(problem, NULL, argv[1]);
  if (error) fprintf(stderr, "immovable: %s: %s\n", stc_error_text(error), stc_error_detail());
  stc_problem_free(&problem);
  return error != STC_OK;
}
