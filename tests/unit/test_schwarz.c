// Sweeps and clusters alternately: what clusters promise, and the method.
#include "piles.h"

#include "solve/subproblem/clusters.h"
#include "solve/subproblem/cut.h"

#include <stdlib.h>
#include <string.h>

enum { SEEDS = 12, RINGS = 2, MOST = 60 };

static stc_problem *in_local_form(stc_problem *global) {
  stc_problem *local = NULL;
  assert_int_equal(stc_problem_to_local(global, &local), STC_OK);
  stc_problem_free(&global);
  return local;
}

// --- Clusters ---

// A solver whose r is what a few sweeps leave, judged.
static stc_solver *swept(const stc_problem *problem) {
  stc_settings settings = stc_default_settings();
  stc_solver *s = NULL;
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  settings.method = "nsgs";
  settings.max_iterations = 40;
  assert_int_equal(stc_solver_setup(&s, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(s, &(stc_solution){.r = r}, NULL), STC_OK);
  free(r);
  s->adopted = false;
  stc_solver_judge(s);
  return s;
}

// In increasing order, no more than allowed, and in one cluster at most.
static void expect_in_order(const stc_clusters *k, int contacts) {
  int *times = calloc((size_t)contacts, sizeof *times);
  assert_int_equal(k->ptr[0], 0);
  for (int n = 0; n < k->count; n++) {
    assert_in_range(k->ptr[n + 1] - k->ptr[n], 1, MOST);
    for (int e = k->ptr[n]; e < k->ptr[n + 1]; e++) {
      assert_int_equal(times[k->contact[e]]++, 0);
      if (e > k->ptr[n]) assert_true(k->contact[e] > k->contact[e - 1]);
    }
  }
  free(times);
}

// Moving one cluster leaves the velocities of the others as they are.
static void expect_apart(const stc_clusters *k, stc_solver *s) {
  const stc_reduced *p = s->problem;
  double *x = calloc((size_t)p->size, sizeof *x), *y = calloc((size_t)p->size, sizeof *y);
  for (int e = k->ptr[0]; e < k->ptr[1]; e++)
    for (int d = 0; d < 3; d++) x[3 * k->contact[e] + d] = 1;
  stc_reduced_multiply(p, x, s->work, y);
  for (int e = k->ptr[1]; e < k->ptr[k->count]; e++)
    for (int d = 0; d < 3; d++) assert_true(y[3 * k->contact[e] + d] == 0);
  free(x);
  free(y);
}

// The worst contact is the first seed, so its cluster is the first, and two rings around it are
// there, unless the cluster is full.
static void expect_rings(const stc_clusters *k) {
  int worst = k->grade[0].contact;
  assert_int_equal(k->ring[worst], 0);
  assert_int_equal(k->owner[worst], 1);
  assert_true(k->ptr[1] > 5);
  for (int e = 0; e < k->ptr[k->count]; e++) assert_in_range(k->ring[k->contact[e]], 0, RINGS);
}

static int decreasing(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x > y ? -1 : x < y;
}

// How many of the largest terms hold `share` of the sum of squares.
static int holders(const double *term, int contacts, double share) {
  double *sorted = calloc((size_t)contacts, sizeof *sorted), whole = 0, held = 0;
  int count = 0;
  memcpy(sorted, term, (size_t)contacts * sizeof *sorted);
  qsort(sorted, (size_t)contacts, sizeof *sorted, decreasing);
  for (int c = 0; c < contacts; c++) whole += sorted[c] * sorted[c];
  for (; held < share * whole; count++) held += sorted[count] * sorted[count];
  free(sorted);
  return count;
}

// Seeds are what lies in ring 0: as many as asked for, and no other contact is worse.
static void seeds_are_the_worst_contacts(void **state) {
  stc_problem *problem = pile("spheres", 340, 1);
  stc_solver *s = swept(problem);
  stc_arena arena = {0};
  stc_clusters k;
  int contacts = s->problem->contacts;
  assert_int_equal(stc_clusters_create(&arena, s->problem, &k), STC_OK);
  for (double share = 0.1; share < 1; share += 0.2) {
    stc_clusters_find(&k, s->problem, s->r, s->u,
                      &(stc_cluster_size){share, .seeds = contacts, .rings = 1, .most = MOST});
    double least = 1e300, other = 0;
    int seeds = 0;
    for (int c = 0; c < contacts; c++) {
      seeds += k.ring[c] == 0;
      if (k.ring[c] == 0 && k.term[c] < least) least = k.term[c];
      if (k.ring[c] != 0 && k.term[c] > other) other = k.term[c];
    }
    assert_int_equal(seeds, holders(k.term, contacts, share));
    assert_true(least >= other);
  }
  stc_arena_free(&arena);
  stc_solver_free(&s);
  stc_problem_free(&problem);
}

static void clusters_do_not_move_one_another(void **state) {
  const stc_cluster_size size = {.share = 0.9, .seeds = SEEDS, .rings = RINGS, .most = MOST};
  stc_problem *problem = pile("spheres", 340, 1);
  for (int form = 0; form < 2; form++) {
    stc_solver *s = swept(problem);
    stc_arena arena = {0};
    stc_clusters k;
    assert_int_equal(stc_clusters_create(&arena, s->problem, &k), STC_OK);
    for (int twice = 0; twice < 2; twice++) {
      stc_clusters_find(&k, s->problem, s->r, s->u, &size);
      assert_in_range(k.count, 2, SEEDS);
      expect_in_order(&k, s->problem->contacts);
      expect_apart(&k, s);
      expect_rings(&k);
    }
    stc_arena_free(&arena);
    stc_solver_free(&s);
    problem = in_local_form(problem);
  }
  stc_problem_free(&problem);
}

// With the reactions around it held and its own as they are, a part moves as it does in the whole.
static void a_part_feels_what_is_around_it(void **state) {
  enum { CONTACTS = 50 };
  stc_problem *problem = pile("spheres", 340, 1);
  for (int form = 0; form < 2; form++) {
    stc_solver *s = swept(problem);
    stc_arena arena = {0};
    stc_reduced *part = NULL;
    int *place = NULL, contact[CONTACTS];
    double r[3 * CONTACTS], u[3 * CONTACTS], was[3 * CONTACTS];
    for (int c = 0; c < CONTACTS; c++) contact[c] = 100 + 2 * c;
    assert_int_equal(stc_cut_places(&arena, s->problem, &place), STC_OK);
    assert_int_equal(
        stc_cut_held(s, contact, CONTACTS, place, stc_reduced_magnitude(s->problem), r, &part),
        STC_OK);
    stc_cut_read(contact, CONTACTS, 3, s->r, was);
    assert_memory_equal(r, was, sizeof r);
    stc_reduced_velocity(part, r, s->work, u);
    stc_cut_read(contact, CONTACTS, 3, s->u, was);
    for (int k = 0; k < 3 * CONTACTS; k++) expect_near(u[k], was[k], 1e-12);
    stc_reduced_free(&part);
    stc_arena_free(&arena);
    stc_solver_free(&s);
    problem = in_local_form(problem);
  }
  stc_problem_free(&problem);
}

// --- The method ---

static stc_settings by_turns(int threads) {
  stc_settings settings = stc_default_settings();
  settings.method = "schwarz";
  settings.regions = 1;
  settings.threads = threads;
  settings.tol = 1e-6;
  return settings;
}

static double *solve_pile(const stc_problem *problem, int threads, stc_info *info) {
  stc_settings settings = by_turns(threads);
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  stc_residual residual = solve(problem, &settings, r, info);
  assert_int_equal(info->status, STC_STATUS_SOLVED);
  assert_true(residual.eta <= 1e-6 && residual.fclib_error <= 1e-6);
  return r;
}

static void piles_are_solved_in_both_forms(void **state) {
  for (unsigned long seed = 3; seed <= 4; seed++) {
    stc_problem *problem = pile("spheres", 340, seed);
    for (int form = 0; form < 2; form++) {
      stc_info info;
      free(solve_pile(problem, 1, &info));
      problem = in_local_form(problem);
    }
    stc_problem_free(&problem);
  }
}

static void threads_do_not_change_a_bit(void **state) {
  stc_problem *problem = pile("spheres", 340, 3);
  stc_info info[2];
  double *alone = solve_pile(problem, 1, &info[0]), *together = solve_pile(problem, 3, &info[1]);
  assert_int_equal(info[0].iterations, info[1].iterations);
  assert_memory_equal(alone, together, (size_t)stc_problem_size(problem) * sizeof *alone);
  free(alone);
  free(together);
  stc_problem_free(&problem);
}

// A pile from zero reactions: the load builds up slowly, at a pace at which hundreds of cycles
// would follow. Whoever allows 3 gives up first, whoever allows 20 no sooner, whoever allows all
// solves it.
static void turns_that_crawl_are_given_up(void **state) {
  stc_problem *problem = pile("spheres", 340, 1);
  const int ahead[] = {3, 20, 0};
  stc_info info[3];
  for (int k = 0; k < 3; k++) {
    stc_settings settings = by_turns(1);
    double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
    settings.schwarz.ahead = ahead[k];
    solve(problem, &settings, r, &info[k]);
    free(r);
  }
  assert_int_equal(info[0].status, STC_STATUS_STALLED);
  assert_int_equal(info[2].status, STC_STATUS_SOLVED);
  assert_true(info[0].iterations <= info[1].iterations);
  assert_true(2 * info[0].iterations < info[2].iterations);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seeds_are_the_worst_contacts),
      cmocka_unit_test(clusters_do_not_move_one_another),
      cmocka_unit_test(a_part_feels_what_is_around_it),
      cmocka_unit_test(piles_are_solved_in_both_forms),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test(turns_that_crawl_are_given_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
