// Cost of one plain Gauss–Seidel sweep per contact, with W assembled and matrix-free, through the
// public interface:   (seconds of LONG sweeps - seconds of SHORT sweeps) / (LONG - SHORT) /
// contacts. The judge runs after every ten sweeps and costs about one: its share, near a tenth, is
// included. Prints CSV: kind, contacts, form, ns_per_contact_sweep, bytes (heap that setup took).
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>
#include <time.h>

// Each size is run in rounds and the least time counts; it is processor time. So other programs
// that share the machine only matter through the caches.
enum { ROUNDS = 7 };
// Contacts visited in a long run, about: long enough for the clock, short enough for patience.
static const double VISITS = 4e6;

static size_t heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static stc_error sweep_seconds(const stc_problem *problem, int matrix_free, long sweeps, double *r,
                               double *seconds, size_t *bytes) {
  stc_settings settings = stc_default_settings();
  settings.method = "nsgs";
  settings.tol = 0;
  settings.max_iterations = sweeps;
  settings.nsgs.anderson = 0;
  settings.nsgs.matrix_free = matrix_free;
  stc_solver *solver = NULL;
  size_t before = heap_bytes();
  stc_error error = stc_solver_setup(&solver, problem, &settings);
  *bytes = heap_bytes() - before;
  for (int k = 0; k < stc_problem_size(problem); k++) r[k] = 0;
  double began = processor_seconds();
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r}, NULL);
  *seconds = processor_seconds() - began;
  stc_solver_free(&solver);
  return error;
}

static stc_error measure_sweeps(const stc_problem *problem, const char *kind, int matrix_free,
                                double *r) {
  int contacts = stc_problem_contacts(problem);
  long brief = 20, lasting = brief + 10 * (long)(VISITS / contacts / 10 + 2);
  double least = 1e300;
  size_t bytes = 0;
  for (int k = 0; k < ROUNDS; k++) {
    double some, many;
    stc_error error = sweep_seconds(problem, matrix_free, brief, r, &some, &bytes);
    if (!error) error = sweep_seconds(problem, matrix_free, lasting, r, &many, &bytes);
    if (error) return error;
    double cost = (many - some) / (double)(lasting - brief) / contacts;
    if (cost < least) least = cost;
  }
  printf("%s,%d,%s,%.1f,%zu\n", kind, contacts, matrix_free ? "matrix_free" : "assembled",
         1e9 * least, bytes);
  fflush(stdout);
  return STC_OK;
}

static stc_error measure_both(const char *kind, int n, int n2) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.n2 = n2;
  stc_problem *problem = NULL;
  stc_error error = stc_generate(&options, &problem);
  double *r = error ? NULL : calloc((size_t)stc_problem_size(problem), sizeof *r);
  for (int matrix_free = 0; !error && matrix_free < 2; matrix_free++)
    error = measure_sweeps(problem, kind, matrix_free, r);
  free(r);
  stc_problem_free(&problem);
  return error;
}

int main(void) {
  const struct {
    const char *kind;
    int n, n2;
  } sizes[] = {{"spheres", 350, 0}, {"spheres", 3400, 0}, {"spheres", 34000, 0},
               {"wall", 12, 12},    {"wall", 36, 36},     {"wall", 112, 112}};
  puts("kind,contacts,form,ns_per_contact_sweep,bytes");
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    stc_error error = measure_both(sizes[k].kind, sizes[k].n, sizes[k].n2);
    if (!error) continue;
    fprintf(stderr, "%s: %s\n", stc_error_text(error), stc_error_detail());
    return 1;
  }
  return 0;
}
