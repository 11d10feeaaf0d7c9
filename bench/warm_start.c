// What a warm start is worth: a sequence of STEPS problems whose forces differ by one per cent from
// those of the file, each solved from zero and from the answer before it. Local form: q + W (1 % of
// r); global form: f by 1 %.
//   warm_start FILE...     prints CSV: file, contacts, cold_ms, warm_ms, ratio, cold_iterations,
//                          warm_iterations, solved (of 2 STEPS), method
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>

enum { STEPS = 20 };
static const double CHANGE = 0.01, LIMIT = 2;  // seconds a solve may take

typedef struct sequence {
  const stc_problem *problem;
  stc_solver *solver;
  int size;
  double *answer, *r;        // [size] of the undisturbed problem, current
  double *numbers, *change;  // q or f of a step, disturbance
  double ms;
  long iterations;
  int solved;
  stc_info info;
} sequence;

static stc_update disturb(sequence *s, unsigned long long *random) {
  if (stc_problem_form(s->problem) != STC_FORM_LOCAL) {
    stc_global_data data = stc_problem_global_data(s->problem);
    for (int k = 0; k < data.dofs; k++) s->numbers[k] = data.f[k] * (1 + CHANGE * draw(random));
    return (stc_update){.f = s->numbers};
  }
  stc_local_data data = stc_problem_local_data(s->problem);
  for (int k = 0; k < s->size; k++) s->change[k] = CHANGE * draw(random) * s->answer[k];
  for (int i = 0; i < s->size; i++) {
    s->numbers[i] = data.q[i];
    for (int k = data.W.p[i]; k < data.W.p[i + 1]; k++)
      s->numbers[i] += data.W.x[k] * s->change[data.W.i[k]];
  }
  return (stc_update){.q = s->numbers};
}

static stc_error solve_again(sequence *s, bool warm) {
  unsigned long long random = 1;
  s->ms = 0, s->iterations = 0;
  memcpy(s->r, s->answer, (size_t)s->size * sizeof *s->r);
  for (int k = 0; k < STEPS; k++) {
    stc_update update = disturb(s, &random);
    stc_error error = stc_solver_update(s->solver, &update);
    if (!warm) memset(s->r, 0, (size_t)s->size * sizeof *s->r);
    double start = processor_seconds();
    if (!error) error = stc_solver_solve(s->solver, &(stc_solution){.r = s->r}, &s->info);
    if (error) return error;
    s->ms += 1e3 * (processor_seconds() - start);
    s->iterations += s->info.iterations;
    s->solved += s->info.status == STC_STATUS_SOLVED;
  }
  return STC_OK;
}

static stc_error measure_sequence(const char *path, sequence *s) {
  stc_error error = stc_solver_solve(s->solver, &(stc_solution){.r = s->answer}, NULL);
  if (!error) error = solve_again(s, false);
  if (error) return error;
  double cold_ms = s->ms;
  long cold = s->iterations;
  error = solve_again(s, true);
  const char *name = strrchr(path, '/');
  printf("%s,%d,%.2f,%.2f,%.2f,%ld,%ld,%d,\"%s\"\n", name ? name + 1 : path,
         stc_problem_contacts(s->problem), cold_ms, s->ms, s->ms / cold_ms, cold, s->iterations,
         s->solved, s->info.method);
  return error;
}

static stc_error sequence_of(const char *path, const stc_problem *problem) {
  stc_settings settings = stc_default_settings();
  settings.time_limit = LIMIT;
  int size = stc_problem_size(problem), dofs = stc_problem_dofs(problem);
  size_t most = (size_t)(size > dofs ? size : dofs) + 1;
  double *block = calloc(4 * most, sizeof *block);
  if (!block) return STC_ERR_MEMORY;
  sequence s = {.problem = problem,
                .size = size,
                .answer = block,
                .r = block + most,
                .numbers = block + 2 * most,
                .change = block + 3 * most};
  stc_error error = stc_solver_setup(&s.solver, problem, &settings);
  if (!error) error = measure_sequence(path, &s);
  stc_solver_free(&s.solver);
  free(block);
  return error;
}

int main(int argc, char **argv) {
  printf("file,contacts,cold_ms,warm_ms,ratio,cold_iterations,warm_iterations,solved,method\n");
  measure_files(argc - 1, argv + 1, sequence_of);
  return 0;
}
