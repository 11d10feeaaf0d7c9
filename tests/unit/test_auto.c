// auto: components that are solved each by themselves, and starts that are nearly right or quite
// wrong.
#include "gallery.h"
#include "glue.h"
#include "samples.h"

#include "base/random.h"
#include "problem/reduced.h"
#include "solve/method.h"

#include <stiction/solve.h>

static stc_problem *local_of(stc_problem *global) { return glue(&global, 1); }

static double *array(int n) { return calloc((size_t)n + 1, sizeof(double)); }

static double *solve(const stc_problem *problem, const stc_settings *settings, const double *start,
                     stc_info *info) {
  stc_solver *solver = NULL;
  int size = stc_problem_size(problem);
  double *r = array(size);
  if (start) memcpy(r, start, (size_t)size * sizeof *r);
  assert_int_equal(stc_solver_setup(&solver, problem, settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, info), STC_OK);
  stc_solver_free(&solver);
  return r;
}

static void expect_words(const char *text, const char *words) {
  if (strstr(text, words)) return;
  print_error("'%s' wanted in '%s'\n", words, text);
  fail();
}

// ---- components ----

/// Three walls of 2D bricks and, last, the problem of Painlevé that has no solution.
static stc_problem *walls_and_a_trap(void) {
  stc_problem *list[] = {irregular("wall2d", 4, 3), irregular("wall2d", 3, 4),
                         irregular("wall2d", 5, 3), sample_painleve(0, 1, 1)};
  return glue(list, 4);
}

/// The largest term of eta over all contacts but the last.
static double worst_of_walls(const stc_problem *problem, const double *physical) {
  stc_reduced *p = NULL;
  assert_int_equal(stc_reduced_create(problem, &p), STC_OK);
  double *r = array(p->size), *u = array(p->size), *work = array(p->scratch);
  double *term = array(p->contacts), worst = 0;
  stc_reduced_scale_r(p, physical, r);
  stc_reduced_velocity(p, r, work, u);
  stc_reduced_terms(p, r, u, term);
  for (int c = 0; c + 1 < p->contacts; c++) worst = fmax(worst, term[c]);
  free(r), free(u), free(work), free(term);
  stc_reduced_free(&p);
  return worst;
}

// The trap cannot be solved; the walls are, as if it were not there.
static void a_hard_component_leaves_the_others_alone(void **state) {
  stc_problem *problem = walls_and_a_trap();
  stc_settings settings = stc_default_settings();
  stc_info info;
  settings.max_iterations = 100000;
  double *r = solve(problem, &settings, NULL, &info);
  assert_int_not_equal(info.status, STC_STATUS_SOLVED);
  expect_words(info.method, "auto: 4 components:");
  expect_words(info.reason, "3 of 4 parts solved");
  assert_true(worst_of_walls(problem, r) <= 1e-7);
  free(r);
  stc_problem_free(&problem);
}

static void count_single_contacts(void *user, stc_log_level level, const char *text) {
  (void)level;
  *(int *)user += strstr(text, "part ") && strstr(text, ", 1 contacts");
}

// The trap shares a part with three small walls. Where the solve may allocate, a part that was not
// solved is taken apart: the trap is tried alone, and the walls end as if it were not there.
static void a_group_that_is_not_solved_is_taken_apart(void **state) {
  stc_problem *list[] = {irregular("wall2d", 5, 3), irregular("wall2d", 1, 1),
                         irregular("wall2d", 1, 1), irregular("wall2d", 1, 1),
                         sample_painleve(0, 1, 1)};
  stc_problem *problem = glue(list, 5);
  for (int regions = 0; regions < 2; regions++) {
    stc_settings settings = stc_default_settings();
    stc_info info;
    int seen = 0;
    settings.tol = 1e-12;
    settings.max_iterations = 100000;
    settings.regions = regions;
    settings.log = count_single_contacts;
    settings.user = &seen;
    double *r = solve(problem, &settings, NULL, &info);
    assert_int_not_equal(info.status, STC_STATUS_SOLVED);
    expect_words(info.method, "auto: 5 components:");
    expect_words(info.reason, "1 of 2 parts solved");
    assert_int_equal(seen, regions);
    if (regions) assert_true(worst_of_walls(problem, r) <= 1e-11);
    free(r);
  }
  stc_problem_free(&problem);
}

// Forty boxes are forty components in a few groups; each box gets what it gets alone.
static void many_small_components_are_grouped(void **state) {
  enum { BOXES = 40 };
  stc_problem *list[BOXES], *one = local_of(irregular("box", 1, 0));
  for (int k = 0; k < BOXES; k++) list[k] = irregular("box", 1, 0);
  stc_problem *problem = glue(list, BOXES);
  stc_settings settings = stc_default_settings();
  settings.tol = 1e-10;
  stc_info info;
  double *alone = solve(one, &settings, NULL, &info), *r = solve(problem, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_words(info.method, "auto: 40 components:");
  int n = stc_problem_size(one);
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(alone[k]));
  for (int k = 0; k < BOXES * n; k++) expect_near(r[k], alone[k % n], 1e-6 * most);
  free(r), free(alone);
  stc_problem_free(&problem);
  stc_problem_free(&one);
}

static void connected_contacts_stay_together(void **state) {
  stc_problem *wall = irregular("wall2d", 6, 6);
  stc_settings settings = stc_default_settings();
  stc_info info;
  assert_true(stc_problem_contacts(wall) > 64);
  double *r = solve(wall, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_null(strstr(info.method, "components"));
  free(r);
  stc_problem_free(&wall);
}

// With three times the velocities the reactions of the wall are three times as large, and the pile
// does not notice: the parts follow the whole.
static void parts_follow_an_update(void **state) {
  stc_problem *list[] = {irregular("wall2d", 4, 3), irregular("discs", 25, 0)};
  int first = stc_problem_size(list[0]);
  stc_problem *problem = glue(list, 2);
  int size = stc_problem_size(problem);
  double *r = array(size), *changed = array(size), *q = array(size), most = 0;
  stc_settings settings = stc_default_settings();
  settings.tol = 1e-11;
  stc_solver *solver = NULL;
  stc_info info;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  for (int k = 0; k < size; k++) q[k] = (k < first ? 3 : 1) * stc_problem_local_data(problem).q[k];
  assert_int_equal(stc_solver_update(solver, &(stc_update){.q = q}), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = changed}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  for (int k = 0; k < size; k++) most = fmax(most, fabs(r[k]));
  for (int k = 0; k < size; k++) expect_near(changed[k], (k < first ? 3 : 1) * r[k], 1e-6 * most);
  stc_solver_free(&solver);
  free(r), free(changed), free(q);
  stc_problem_free(&problem);
}

// Small parts work in the same memory, one after another: what one leaves there does not reach the
// next, and a second solve is the first again.
static void parts_may_share_memory(void **state) {
  stc_problem *list[] = {irregular("discs", 60, 0), irregular("wall2d", 4, 4),
                         irregular("discs", 60, 0), irregular("discs", 60, 0)};
  stc_problem *problem = glue(list, 4);
  size_t bytes = (size_t)stc_problem_size(problem) * sizeof(double);
  double *first = array(stc_problem_size(problem)), *second = array(stc_problem_size(problem));
  stc_settings settings = stc_default_settings();
  settings.tol = 1e-11;
  stc_solver *solver = NULL;
  stc_info info;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = first}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_words(info.method, "4 components:");
  expect_words(info.method, "ipm");  // the piles made factors
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = second}, &info), STC_OK);
  assert_memory_equal(first, second, bytes);
  stc_solver_free(&solver);
  free(first), free(second);
  stc_problem_free(&problem);
}

// New coefficients reach the parts too: the answer is that of a problem that always had them.
static void parts_follow_new_coefficients(void **state) {
  stc_problem *list[] = {irregular("discs", 30, 0), irregular("discs", 25, 0)};
  stc_problem *problem = glue(list, 2), *slippery = NULL;
  int size = stc_problem_size(problem), contacts = stc_problem_contacts(problem);
  double *r = array(size), *mu = array(contacts), most = 0;
  stc_local_data data = stc_problem_local_data(problem);
  for (int c = 0; c < contacts; c++) mu[c] = 0.3 * data.mu[c];
  data.mu = mu;
  assert_int_equal(stc_problem_create_local(&data, &slippery), STC_OK);
  stc_settings settings = stc_default_settings();
  stc_info info;
  double *expected = solve(slippery, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  stc_solver *solver = NULL;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(stc_solver_update(solver, &(stc_update){.mu = mu}), STC_OK);
  memset(r, 0, (size_t)size * sizeof *r);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  for (int k = 0; k < size; k++) most = fmax(most, fabs(expected[k]));
  for (int k = 0; k < size; k++) expect_near(r[k], expected[k], 1e-10 * most);
  stc_solver_free(&solver);
  free(r), free(mu), free(expected);
  stc_problem_free(&problem);
  stc_problem_free(&slippery);
}

static void limits_and_threads_hold_for_parts(void **state) {
  stc_problem *problem = walls_and_a_trap();
  stc_settings settings = stc_default_settings();
  stc_info info;
  for (long limit = 0; limit < 40; limit += 13) {
    settings.max_iterations = limit;
    double *r = solve(problem, &settings, NULL, &info);
    assert_true(info.iterations <= limit);
    assert_int_equal(info.status, STC_STATUS_MAX_ITERATIONS);
    free(r);
  }
  settings.max_iterations = 3000;
  double *one = solve(problem, &settings, NULL, &info);
  settings.threads = 4;
  double *four = solve(problem, &settings, NULL, &info);
  assert_memory_equal(one, four, (size_t)stc_problem_size(problem) * sizeof *one);
  free(one), free(four);
  stc_problem_free(&problem);
}

// ---- rows ----

static stc_settings following(void) {
  stc_settings settings = stc_default_settings();
  settings.regions = settings.follows = 1;
  return settings;
}

// The answer of the step before solves the step: sweeps confirm it, nothing else runs.
static void a_step_that_follows_begins_with_sweeps(void **state) {
  stc_problem *wall = irregular("wall", 4, 3);
  stc_settings settings = following();
  stc_info info;
  double *answer = solve(wall, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  settings.tol = 1e-7;
  double *again = solve(wall, &settings, answer, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_true(info.iterations <= 1);
  free(answer), free(again);
  stc_problem_free(&wall);
}

// A start that misleads costs the rows of steps that follow, 100 sweeps in a wall; then r = 0 is
// the start, and the rows are those of a solve from nothing.
static void a_step_that_follows_nothing_begins_anew(void **state) {
  stc_problem *wall = irregular("wall", 5, 4);
  int size = stc_problem_size(wall);
  double *wrong = array(size);
  for (int k = 0; k < size; k++) wrong[k] = k % 3 == 0 ? 1e3 : -4e2;
  stc_settings settings = following();
  stc_info cold, info;
  double *r = solve(wall, &settings, wrong, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  settings.follows = 0;
  double *from_nothing = solve(wall, &settings, NULL, &cold);
  assert_int_equal(cold.status, STC_STATUS_SOLVED);
  assert_int_equal(info.iterations, 100 + cold.iterations);
  assert_memory_equal(r, from_nothing, (size_t)size * sizeof *r);
  free(wrong), free(r), free(from_nothing);
  stc_problem_free(&wall);
}

// Where the solve may allocate, methods that no row reaches are never set up: no Newton system is
// made for a problem that the first sweeps solve.
static void methods_are_made_when_they_are_reached(void **state) {
  stc_problem *box = irregular("box", 1, 0);
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  double r[12] = {0};
  stc_info info;
  settings.regions = 1;
  assert_int_equal(stc_problem_size(box), 12);
  assert_int_equal(stc_solver_setup(&solver, box, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_words(info.method, "auto: nsgs");
  assert_null(solver->jacobian);
  stc_solver_free(&solver);
  stc_problem_free(&box);
}

// With `accept` a flow ends before the rows from nothing; without it they follow.
static void enough_is_said_by_the_caller(void **state) {
  stc_problem *pile = irregular("spheres", 200, 0);
  stc_settings settings = following();
  stc_info info;
  settings.tol = 1e-18;
  settings.accept = 1;
  assert_true(stc_problem_contacts(pile) > settings.part.most);
  double *r = solve(pile, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_STALLED);
  assert_null(strstr(info.method, "ipm"));
  free(r);
  stc_problem_free(&pile);
}

// ---- starts ----

enum { STEPS = 20 };

/// q + W (1 % of r, at random): what a small change of the forces does.
static void disturb(const stc_problem *problem, const double *r, stc_random *random, double *q) {
  stc_local_data data = stc_problem_local_data(problem);
  double *change = array(data.W.rows);
  for (int k = 0; k < data.W.rows; k++)
    change[k] = 0.01 * (2 * stc_random_uniform(random) - 1) * r[k];
  for (int i = 0; i < data.W.rows; i++) {
    q[i] = data.q[i];
    for (int k = data.W.p[i]; k < data.W.p[i + 1]; k++) q[i] += data.W.x[k] * change[data.W.i[k]];
  }
  free(change);
}

/// Iterations of STEPS disturbed problems, each from the answer before it, or from zero.
static long sequence(const stc_problem *problem, const double *answer, bool warm) {
  int size = stc_problem_size(problem);
  double *r = array(size), *q = array(size);
  stc_random random = stc_random_seed(11);
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  long sum = 0;
  memcpy(r, answer, (size_t)size * sizeof *r);
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  for (int k = 0; k < STEPS; k++) {
    stc_info info;
    disturb(problem, answer, &random, q);
    if (!warm) memset(r, 0, (size_t)size * sizeof *r);
    assert_int_equal(stc_solver_update(solver, &(stc_update){.q = q}), STC_OK);
    assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
    assert_int_equal(info.status, STC_STATUS_SOLVED);
    sum += info.iterations;
  }
  stc_solver_free(&solver);
  free(r), free(q);
  return sum;
}

// Iterations of one method can be compared: the wall is heavy enough for alternating directions.
static void a_good_start_pays(void **state) {
  stc_problem *list[] = {local_of(irregular("spheres", 30, 0)), local_of(irregular("wall", 5, 5)),
                         local_of(irregular("discs", 40, 0)), local_of(irregular("tower", 3, 3))};
  for (int k = 0; k < 4; k++) {
    stc_settings settings = stc_default_settings();
    stc_info info;
    double *answer = solve(list[k], &settings, NULL, &info);
    assert_int_equal(info.status, STC_STATUS_SOLVED);
    long cold = sequence(list[k], answer, false), warm = sequence(list[k], answer, true);
    print_message("%d contacts: %ld iterations cold, %ld warm\n", stc_problem_contacts(list[k]),
                  cold, warm);
    assert_true(warm < cold);
    free(answer);
    stc_problem_free(&list[k]);
  }
}

// A structure with light factors whose load changes by a hundredth: Newton's method goes on from
// the answer before, in fewer steps than the interior point takes from nothing.
static void a_structure_goes_on_by_newton(void **state) {
  stc_problem *wall = irregular("wall", 5, 5);
  stc_global_data data = stc_problem_global_data(wall);
  stc_settings settings = stc_default_settings();
  stc_info cold, warm;
  double *r = solve(wall, &settings, NULL, &cold), *f = array(data.dofs);
  for (int k = 0; k < data.dofs; k++) f[k] = data.f[k] * (k % 2 ? 1.01 : 0.99);
  stc_solver *solver = NULL;
  assert_int_equal(stc_solver_setup(&solver, wall, &settings), STC_OK);
  assert_int_equal(stc_solver_update(solver, &(stc_update){.f = f}), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &warm), STC_OK);
  assert_int_equal(warm.status, STC_STATUS_SOLVED);
  expect_words(warm.method, "auto: newton");
  assert_true(warm.iterations < cold.iterations);
  stc_solver_free(&solver);
  stc_problem_free(&wall);
  free(r), free(f);
}

// A start that is worse than nothing is put aside: the answer is that of a cold start, bit by bit.
static void a_bad_start_costs_nothing(void **state) {
  stc_problem *problem = irregular("wall", 3, 3);
  int size = stc_problem_size(problem);
  stc_random random = stc_random_seed(2);
  stc_settings settings = stc_default_settings();
  stc_info cold, bad;
  double *r = solve(problem, &settings, NULL, &cold), *start = array(size), most = 0;
  for (int k = 0; k < size; k++) most = fmax(most, fabs(r[k]));
  for (int k = 0; k < size; k++) start[k] = 100 * most * (2 * stc_random_uniform(&random) - 1);
  double *again = solve(problem, &settings, start, &bad);
  assert_int_equal(bad.iterations, cold.iterations);
  assert_string_equal(bad.method, cold.method);
  assert_memory_equal(again, r, (size_t)size * sizeof *r);
  free(r), free(start), free(again);
  stc_problem_free(&problem);
}

// In a wall whose bodies make light factors the interior point comes first, and sweeps and Newton's
// method where there is a good start to go on from.
static void a_light_wall_is_not_left_to_alternating_directions(void **state) {
  stc_problem *wall = irregular("wall", 8, 8), *other = NULL;
  stc_settings settings = stc_default_settings();
  stc_info cold, warm;
  double *r = solve(wall, &settings, NULL, &cold);
  expect_words(cold.method, "auto: ipm");
  int size = stc_problem_size(wall);
  for (int k = 0; k < size; k++) r[k] *= 1.001;
  double *again = solve(wall, &settings, r, &warm);
  expect_words(warm.method, "auto: newton");
  // Its local form has heavy ones.
  other = local_of(wall);
  double *heavy = solve(other, &settings, NULL, &cold);
  expect_words(cold.method, "auto: admm");
  free(r), free(again), free(heavy);
  stc_problem_free(&other);
}

// What does not stand, but has several components of contacts for each degree of freedom, begins
// with the interior point too.
static void a_stack_that_falls_begins_with_the_interior_point(void **state) {
  stc_problem *tower = gallery("tower", 3, 0.6);
  stc_settings settings = stc_default_settings();
  stc_info info;
  double *r = solve(tower, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_words(info.method, "auto: ipm");
  free(r);
  stc_problem_free(&tower);
}

// One contact without a solution: no method runs for longer than one contact may need, and none
// twice from where it stalled.
static void few_contacts_are_given_up_early(void **state) {
  stc_problem *trap = sample_local(1, (const double[]){1, 2, 2, 4});
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  double r[2] = {0};
  stc_info info;
  const double q[] = {-1, 1}, mu[] = {1};
  expect_ok(stc_solver_setup(&solver, trap, &settings));
  expect_ok(stc_solver_update(solver, &(stc_update){.q = q, .mu = mu}));
  expect_ok(stc_solver_solve(solver, &(stc_solution){.r = r}, &info));
  assert_int_equal(info.status, STC_STATUS_STALLED);
  assert_true(info.iterations < 4000);  // 1800 of them alternating directions
  const char *path = strstr(info.method, "path");
  assert_non_null(path);
  assert_null(strstr(path + 1, "path"));
  stc_solver_free(&solver);
  stc_problem_free(&trap);
}

// Bricks in the plane touch at two points each: as few as balls do, but what holds them when glued
// lies in the cones. What holds discs does not: a look of sweeps comes first.
static void a_wall_in_the_plane_is_no_packing(void **state) {
  stc_problem *wall = irregular("wall2d", 12, 12), *discs = irregular("discs", 300, 0);
  stc_settings settings = stc_default_settings();
  settings.tol = 1e-6;
  stc_info info;
  double *r = solve(wall, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  expect_words(info.method, "auto: ipm");
  double *other = solve(discs, &settings, NULL, &info);
  expect_words(info.method, "auto: nsgs");
  free(r), free(other);
  stc_problem_free(&wall);
  stc_problem_free(&discs);
}

// With its contacts glued a wall is held by reactions inside their cones, and the interior point
// begins there: a tall one takes 5 iterations; from equal reactions everywhere the load builds up
// course by course, in 12.
static void a_wall_begins_at_the_reactions_that_hold_it(void **state) {
  stc_problem *wall = irregular("wall", 24, 6);
  stc_settings settings = stc_default_settings();
  settings.method = "ipm";
  settings.tol = 1e-6;
  stc_info info;
  double *r = solve(wall, &settings, NULL, &info);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_in_range(info.iterations, 1, 8);
  free(r);
  stc_problem_free(&wall);
}

// Before the central path, in packings that nothing else helped, where parts may be cut. A slider
// that is jammed between eight points has no solution.
static void clusters_come_before_the_path(void **state) {
  for (int regions = 0; regions < 2; regions++) {
    stc_problem *problem = gallery("jammed", 8, 0.5);
    stc_settings settings = stc_default_settings();
    stc_info info = {0};
    settings.regions = regions;
    free(solve(problem, &settings, NULL, &info));
    const char *clusters = strstr(info.method, "schwarz"), *path = strstr(info.method, "path");
    assert_non_null(path);
    assert_true(regions ? clusters && clusters < path : !clusters);
    stc_problem_free(&problem);
  }
}

// A pile of light factors that gradients solve in an eighth of the time of an interior point, and
// sweeps do not: they take turns, and what the sweeps cost is no more than what the gradients do.
static void sweeps_and_gradients_race(void **state) {
  (void)state;
  stc_generator options = stc_default_generator("spheres");
  options.n = 55;
  options.mu = 0.469;
  options.seed = 970002;
  stc_problem *problem = NULL;
  assert_int_equal(stc_generate(&options, &problem), STC_OK);
  stc_settings settings = stc_default_settings();
  stc_info info[2];
  free(solve(problem, &settings, NULL, &info[0]));
  settings.method = "apgd";
  free(solve(problem, &settings, NULL, &info[1]));
  assert_int_equal(info[0].status, STC_STATUS_SOLVED);
  expect_words(info[0].method, "nsgs 50, apgd 100, nsgs 100, apgd");
  assert_null(strstr(info[0].method, "ipm"));
  assert_true(info[0].work < 2.5 * info[1].work);
  stc_problem_free(&problem);
}

// A pile that flows, with a solution (certify proves a strict margin). The gradients end at eta
// 6e-4, the interior point at 1e-3; yet all but a few statuses are right there, and Newton's method
// takes six steps from it, where it stalls from the gradients.
static void newton_goes_on_where_an_interior_point_ends(void **state) {
  (void)state;
  stc_generator options = stc_default_generator("spheres");
  options.n = 199;
  options.mu = 0.3;
  options.seed = 830007;
  stc_problem *problem = NULL;
  assert_int_equal(stc_generate(&options, &problem), STC_OK);
  stc_settings settings = stc_default_settings();
  settings.regions = 1;
  settings.max_iterations = 5000;
  stc_info info;
  free(solve(problem, &settings, NULL, &info));
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  stc_problem_free(&problem);
}

// One contact in space that has no solution: `path` goes on by ever smaller steps, each a new low.
static void what_has_no_solution_is_given_up(void **state) {
  stc_problem *problem = gallery("painleve3d", 0, 0);
  stc_settings settings = stc_default_settings();
  stc_info info = {0};
  free(solve(problem, &settings, NULL, &info));
  assert_int_equal(info.status, STC_STATUS_STALLED);
  assert_true(info.iterations < 60000);  // half a million
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hard_component_leaves_the_others_alone),
      cmocka_unit_test(a_group_that_is_not_solved_is_taken_apart),
      cmocka_unit_test(many_small_components_are_grouped),
      cmocka_unit_test(connected_contacts_stay_together),
      cmocka_unit_test(parts_follow_an_update),
      cmocka_unit_test(parts_may_share_memory),
      cmocka_unit_test(parts_follow_new_coefficients),
      cmocka_unit_test(limits_and_threads_hold_for_parts),
      cmocka_unit_test(a_step_that_follows_begins_with_sweeps),
      cmocka_unit_test(a_step_that_follows_nothing_begins_anew),
      cmocka_unit_test(methods_are_made_when_they_are_reached),
      cmocka_unit_test(enough_is_said_by_the_caller),
      cmocka_unit_test(a_good_start_pays),
      cmocka_unit_test(a_structure_goes_on_by_newton),
      cmocka_unit_test(a_bad_start_costs_nothing),
      cmocka_unit_test(a_light_wall_is_not_left_to_alternating_directions),
      cmocka_unit_test(a_stack_that_falls_begins_with_the_interior_point),
      cmocka_unit_test(few_contacts_are_given_up_early),
      cmocka_unit_test(a_wall_in_the_plane_is_no_packing),
      cmocka_unit_test(a_wall_begins_at_the_reactions_that_hold_it),
      cmocka_unit_test(clusters_come_before_the_path),
      cmocka_unit_test(sweeps_and_gradients_race),
      cmocka_unit_test(newton_goes_on_where_an_interior_point_ends),
      cmocka_unit_test(what_has_no_solution_is_given_up),
  };
  return cmocka_run_group_tests_name("auto", tests, NULL, NULL);
}
