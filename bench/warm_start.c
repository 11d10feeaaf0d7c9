// What a warm start is worth: a sequence of STEPS problems whose forces differ by one per cent from
// those of the file, each solved from zero and from the answer before it. Local form: q + W (1 % of
// r); global form: f by 1 %.
//   warm_start FILE...     prints CSV: file, contacts, cold_ms, warm_ms, ratio, cold_iterations,
//                          warm_iterations, solved (of 2 STEPS), method
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>
#include <time.h>

enum { STEPS = 20 };
static const double CHANGE = 0.01, LIMIT = 2;  // seconds a solve may take

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// In [-1, 1], the same on every machine.
static double uniform(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

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
  if (stc_problem_form(s->problem) == STC_FORM_GLOBAL) {
    stc_global_data data = stc_problem_global_data(s->problem);
    for (int k = 0; k < data.dofs; k++) s->numbers[k] = data.f[k] * (1 + CHANGE * uniform(random));
    return (stc_update){.f = s->numbers};
  }
  stc_local_data data = stc_problem_local_data(s->problem);
  for (int k = 0; k < s->size; k++) s->change[k] = CHANGE * uniform(random) * s->answer[k];
  for (int i = 0; i < s->size; i++) {
    s->numbers[i] = data.q[i];
    for (int k = data.W.p[i]; k < data.W.p[i + 1]; k++)
      s->numbers[i] += data.W.x[k] * s->change[data.W.i[k]];
  }
  return (stc_update){.q = s->numbers};
}

static stc_error run(sequence *s, bool warm) {
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

static stc_error measure(const char *path, sequence *s) {
  stc_error error = stc_solver_solve(s->solver, &(stc_solution){.r = s->answer}, NULL);
  if (!error) error = run(s, false);
  if (error) return error;
  double cold_ms = s->ms;
  long cold = s->iterations;
  error = run(s, true);
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
  if (!error) error = measure(path, &s);
  stc_solver_free(&s.solver);
  free(block);
  return error;
}

int main(int argc, char **argv) {
  printf("file,contacts,cold_ms,warm_ms,ratio,cold_iterations,warm_iterations,solved,method\n");
  for (int k = 1; k < argc; k++) {
    stc_problem *problem = NULL;
    stc_error error = stc_problem_read(argv[k], &problem);
    if (!error) error = sequence_of(argv[k], problem);
    if (error) fprintf(stderr, "%s: %s\n", argv[k], stc_error_detail());
    stc_problem_free(&problem);
  }
  return 0;
}
