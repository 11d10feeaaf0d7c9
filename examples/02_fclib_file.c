// Reads an FCLIB file, solves it, checks the answer by the judge and writes both to another file.
//   02_fclib_file IN.hdf5 [OUT.hdf5]
// Without arguments a small wall is generated first, so that the program shows something at once.
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>

static stc_error make_a_wall(const char *path) {
  stc_generator options = stc_default_generator("wall");
  options.n = options.n2 = 4;
  stc_problem *wall = NULL;
  stc_error error = stc_generate(&options, &wall);
  if (!error) error = stc_problem_write(wall, NULL, path);
  stc_problem_free(&wall);
  return error;
}

static void report(const stc_problem *problem, const stc_info *info, const stc_residual *judged) {
  printf("%d contacts in %dD, %s in %ld iterations and %.3f s by %s\n",
         stc_problem_contacts(problem), stc_problem_dim(problem), stc_status_name(info->status),
         info->iterations, info->setup_seconds + info->solve_seconds, info->method);
  printf("eta %.1e, fclib_error %.1e: %d contacts open, %d stick, %d slip\n", judged->eta,
         judged->fclib_error, judged->open, judged->stick, judged->slip);
  if (info->status != STC_STATUS_SOLVED) printf("not solved: %s\n", info->reason);
}

// r, u, v, l in one block of memory.
static stc_error solve(const stc_problem *problem, const char *out, bool *solved) {
  size_t size = (size_t)stc_problem_size(problem), dofs = (size_t)stc_problem_dofs(problem);
  double *x = calloc(2 * size + dofs + (size_t)stc_problem_equalities(problem) + 1, sizeof *x);
  stc_solution solution = {.r = x, .u = x + size, .l = x + 2 * size + dofs};
  if (dofs) solution.v = x + 2 * size;
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  stc_residual judged;
  stc_error error = stc_solver_setup(&solver, problem, &settings);
  if (!error) error = stc_solver_solve(solver, &solution, &info);
  if (!error) error = stc_problem_residual(problem, &solution, &judged);
  if (!error) report(problem, &info, &judged);
  if (!error && out) error = stc_problem_write(problem, &solution, out);
  if (!error && out) printf("written to %s\n", out);
  *solved = !error && info.status == STC_STATUS_SOLVED;
  stc_solver_free(&solver);
  free(x);
  return error;
}

int main(int argc, char **argv) {
  const char *in = argc > 1 ? argv[1] : "wall.hdf5", *out = argc > 2 ? argv[2] : NULL;
  bool solved = false;
  stc_problem *problem = NULL;
  stc_error error = argc > 1 ? STC_OK : make_a_wall(in);
  if (!error) error = stc_problem_read(in, &problem);
  if (!error) error = solve(problem, out, &solved);
  if (error) fprintf(stderr, "%s: %s\n", stc_error_text(error), stc_error_detail());
  stc_problem_free(&problem);
  return error ? 1 : solved ? 0 : 2;
}
