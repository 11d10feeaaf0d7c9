// The fast steps of projected gradients over rigid bodies: the same iterates as over W, and the
// same bits for any number of threads.
#include "piles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// r after at most this many iterations: the best of those that are judged. The shift is 0 all the
// way, for where bodies are known it comes from those that move.
static double *iterate(const stc_problem *problem, long iterations, int threads) {
  stc_settings settings = stc_default_settings();
  settings.method = "apgd";
  settings.tol = 1e-14;
  settings.rule.lag = 0;
  settings.max_iterations = iterations;
  settings.threads = threads;
  stc_info info;
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  solve(problem, &settings, r, &info);
  return r;
}

// The local form knows W alone and takes the general steps: iterates differ by rounding.
static void follows_the_general_steps(const stc_problem *problem, long iterations) {
  stc_problem *local = NULL;
  assert_int_equal(stc_problem_to_local(problem, &local), STC_OK);
  double *fast = iterate(problem, iterations, 1), *general = iterate(local, iterations, 1);
  double most = 0, apart = 0;
  for (int k = 0; k < stc_problem_size(problem); k++) {
    most = fmax(most, fabs(general[k]));
    apart = fmax(apart, fabs(fast[k] - general[k]));
  }
  assert_true(most > 0);
  assert_true(apart <= 1e-9 * most);
  free(fast);
  free(general);
  stc_problem_free(&local);
}

static stc_problem *jumbled(const char *kind, int n, unsigned long seed, double mu) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.seed = seed;
  options.mu = mu;
  options.disorder = 1;
  return generate_problem(&options);
}

// In space and in the plane, with masses that are diagonal and that are not, with friction and
// without; the numbers of contacts have every rest by 4, so that all ways to end a run are taken.
// Some steps are taken back, because L starts at 1, and some lose their momentum.
static void iterates_are_those_over_W(void **state) {
  const char *const kind[] = {"spheres", "arch", "discs", "wall2d"};
  for (int k = 0; k < 4; k++) {
    bool rest[4] = {false};
    for (int n = 2; n < 40; n++) {
      stc_problem *problem = jumbled(kind[k], n, (unsigned long)n, n % 5 == 0 ? 0 : 0.5);
      rest[stc_problem_contacts(problem) % 4] = true;
      for (long most = 17; most <= 77; most += 20) follows_the_general_steps(problem, most);
      stc_problem_free(&problem);
    }
    if (k == 0 || k == 2) assert_true(rest[0] && rest[1] && rest[2] && rest[3]);
  }
}

// A run with its own sums has 2500 contacts at least: this pile has two, its bodies are in both.
static void several_runs_add_up(void **state) {
  stc_problem *problem = pile("spheres", 1750, 1);
  assert_true(stc_problem_contacts(problem) > 5000);
  follows_the_general_steps(problem, 150);
  stc_problem_free(&problem);
}

static void threads_do_not_change_a_bit(void **state) {
  stc_problem *problem = pile("spheres", 1750, 2);
  double *alone = iterate(problem, 65, 1), *together = iterate(problem, 65, 3);
  assert_memory_equal(alone, together, (size_t)stc_problem_size(problem) * sizeof *alone);
  free(alone);
  free(together);
  stc_problem_free(&problem);
}

// A body with a gyroscopic term: M is not symmetric, W neither, and there is no G with W = G G^T.
static void masses_that_are_not_symmetric(void **state) {
  const int M_ptr[] = {0, 2, 4, 5}, M_col[] = {0, 1, 0, 1, 2}, H_ptr[] = {0, 2, 4, 6, 8},
            H_col[] = {0, 2, 1, 2, 0, 2, 1, 2};
  const double M[] = {2, 0.1, -0.1, 2, 1}, H[] = {1, 0.5, 1, -1, 1, -0.5, 1, 1};
  const double f[] = {3, -1, 0.2}, w[4] = {0}, mu[] = {0.4, 0.4};
  stc_global_data data = {.dim = 2, .contacts = 2, .dofs = 3, .f = f, .w = w, .mu = mu};
  data.M = (stc_matrix){3, 3, 5, STC_STORAGE_CSR, M_ptr, M_col, M};
  data.H = (stc_matrix){4, 3, 8, STC_STORAGE_CSR, H_ptr, H_col, H};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_global(&data, &problem), STC_OK);
  follows_the_general_steps(problem, 10);
  stc_problem_free(&problem);
}

TEST_PROGRAM(cmocka_unit_test(iterates_are_those_over_W), cmocka_unit_test(several_runs_add_up),
             cmocka_unit_test(threads_do_not_change_a_bit),
             cmocka_unit_test(masses_that_are_not_symmetric))
