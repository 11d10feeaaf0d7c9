// Cost of one library call on small problems: setup, solve and free in a process that has done it
// before (least of all rounds), and the very first one with the pages it touches.
//   call_cost FILE...     prints CSV: file, contacts, setup_us, solve_us, free_us, first_us,
//                         first_faults, method
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>
#include <sys/resource.h>

enum { ROUNDS = 10000 };
static const double PATIENCE = 2;  // seconds per file

static long faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

typedef struct costs {
  double setup, solve, free;
} costs;

static double least(double a, double b) { return a < b ? a : b; }

static stc_error call(const stc_problem *problem, double *r, stc_info *info, costs *took) {
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  memset(r, 0, (size_t)stc_problem_size(problem) * sizeof *r);
  double start = wall_seconds();
  stc_error error = stc_solver_setup(&solver, problem, &settings);
  double ready = wall_seconds();
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r}, info);
  double done = wall_seconds();
  stc_solver_free(&solver);
  *took = (costs){ready - start, done - ready, wall_seconds() - done};
  return error;
}

static stc_error measure(const char *path, const stc_problem *problem) {
  double *r = calloc((size_t)stc_problem_size(problem) + 1, sizeof *r);
  if (!r) return STC_ERR_MEMORY;
  stc_info info;
  costs first, took, best;
  long before = faults();
  stc_error error = call(problem, r, &info, &first);
  long touched = faults() - before;
  best = first;
  double end = wall_seconds() + PATIENCE;
  for (int k = 0; !error && k < ROUNDS && wall_seconds() < end; k++) {
    error = call(problem, r, &info, &took);
    best = (costs){least(best.setup, took.setup), least(best.solve, took.solve),
                   least(best.free, took.free)};
  }
  const char *name = strrchr(path, '/');
  printf("%s,%d,%.2f,%.2f,%.2f,%.1f,%ld,\"%s\"\n", name ? name + 1 : path,
         stc_problem_contacts(problem), 1e6 * best.setup, 1e6 * best.solve, 1e6 * best.free,
         1e6 * (first.setup + first.solve), touched, info.method);
  free(r);
  return error;
}

int main(int argc, char **argv) {
  printf("file,contacts,setup_us,solve_us,free_us,first_us,first_faults,method\n");
  measure_files(argc - 1, argv + 1, measure);
  return 0;
}
