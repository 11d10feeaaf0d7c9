// Determinism: twenty warm-started steps of a wall under changing loads give the same bits in every
// run and with any number of threads. Runs of one build are compared with each other; no number is
// stored, because compilers may order sums differently.
#include "unit/expect.h"

#include <stiction/generate.h>
#include <stiction/solve.h>

#include <stdio.h>

enum { STEPS = 20 };

// FNV-1a over the bytes of x, continuing `hash`.
static uint64_t hash_numbers(uint64_t hash, const double *x, int n) {
  const unsigned char *bytes = (const unsigned char *)x;
  for (size_t k = 0; k < (size_t)n * sizeof *x; k++) hash = (hash ^ bytes[k]) * 1099511628211u;
  return hash;
}

static stc_problem *wall(void) {
  stc_generator options = stc_default_generator("wall");
  options.n = 3;
  options.n2 = 3;
  stc_problem *problem = NULL;
  assert_int_equal(stc_generate(&options, &problem), STC_OK);
  return problem;
}

// The load of step k: the weight, plus a push that grows and turns.
static void load(const stc_problem *problem, int k, double push, double *f) {
  stc_global_data data = stc_problem_global_data(problem);
  for (int i = 0; i < data.dofs; i++)
    f[i] = data.f[i] * (1 + push * 0.02 * ((k + i) % 7)) - push * 0.01 * k * (i % 6 == 0);
}

/// The hash of all reactions of the run; `solved` counts the steps that were.
static uint64_t golden_run(const char *method, int threads, double push, int *solved) {
  stc_problem *problem = wall();
  stc_settings settings = stc_default_settings();
  settings.method = method;
  settings.threads = threads;
  settings.max_iterations = 3000;
  settings.regions = 1;
  stc_solver *solver = NULL;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  int size = stc_problem_size(problem);
  double *r = calloc((size_t)size, sizeof *r);
  double *f = calloc((size_t)stc_problem_dofs(problem), sizeof *f);
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < STEPS; k++) {
    stc_info info;
    load(problem, k, push, f);
    assert_int_equal(stc_solver_update(solver, &(stc_update){.f = f}), STC_OK);
    assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
    *solved += info.status == STC_STATUS_SOLVED;
    hash = hash_numbers(hash, r, size);
  }
  free(r);
  free(f);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
  return hash;
}

static void runs_are_equal(void **state) {
  for (int m = 0; stc_method_name(m); m++) {
    const char *method = stc_method_name(m);
    const int threads[] = {1, 1, 2, 4};
    uint64_t first = 0;
    for (int k = 0; k < 4; k++) {
      int solved = 0;
      uint64_t hash = golden_run(method, threads[k], 1, &solved);
      if (k == 0) {
        first = hash;
        print_message("%s: %016llx, %d of %d steps solved\n", method, (unsigned long long)hash,
                      solved, STEPS);
        if (strcmp(method, "auto") == 0) assert_int_equal(solved, STEPS);
      }
      assert_true(hash == first);
    }
  }
}

// The hash sees the last bit of a load.
static void another_load_is_another_hash(void **state) {
  int solved = 0;
  assert_true(golden_run("nsgs", 1, 1, &solved) != golden_run("nsgs", 1, 1 + 1e-14, &solved));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_are_equal),
      cmocka_unit_test(another_load_is_another_hash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
