// The frozen De Saxcé term: its convex problem, and the methods that pass through it to solve piles
// at rest.
#include "piles.h"

#include "solve/methods/lag.h"

#include <stdlib.h>

// One sliding contact: mu = 0.5, W = I, q = (-1, 2) has r = (1, -0.5), u = (0, 1.5), s(u) = 0.75;
// frozen at that value the convex problem has the same solution. Off the solution the share is 1
// where s is the point's own, and by hand for another s.
static void shares_by_hand(void **state) {
  stc_law law = stc_law_coulomb(2, 0.5);
  double kappa = 1, right = 0.75, r[] = {1, -0.5}, u[] = {0, 1.5}, shift;
  stc_reduced p = {.dim = 2, .contacts = 1, .size = 2, .law = &law, .kappa = &kappa};
  stc_lag_shifts(&p, u, &shift);
  expect_near(shift, right, 1e-15);
  expect_near(stc_lag_share(&p, &right, r, u), 0, 1e-15);
  double off_r[] = {1, -0.4}, off_u[] = {0, 1.6}, F[2], exact, own;
  stc_lag_shifts(&p, off_u, &own);
  expect_near(stc_lag_share(&p, &own, off_r, off_u), 1, 1e-15);
  stc_law_residual(&law, kappa, off_r, off_u, F);
  exact = hypot(F[0], F[1]);
  // s = 0.3: y = r - u - s e_N = (0.7, -2), projected on |r_T| <= r_N / 2: N = (0.7 + 1) / 1.25.
  double frozen = hypot(1 - 1.36, -0.4 + 0.68), lag = 0.3;
  expect_near(stc_lag_share(&p, &lag, off_r, off_u), frozen / exact, 1e-14);
}

// What is left of a pile at rest; a residual that is solved has its status.
static double eta_at_rest(const stc_settings *settings) {
  stc_problem *problem = pile("discs", 300, 1);
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  stc_info info;
  double eta = solve(problem, settings, r, &info).eta;
  if (eta <= settings->tol) assert_int_equal(info.status, STC_STATUS_SOLVED);
  free(r);
  stc_problem_free(&problem);
  return eta;
}

// A pile at rest: with the De Saxcé term implicit from the start the interior point is lost on the
// way (measured: eta 0.19); through the associated law it arrives.
static void the_associated_law_leads_to_a_pile_at_rest(void **state) {
  stc_settings settings = stc_default_settings();
  settings.method = "ipm";
  settings.tol = 1e-6;  // below, rounding decides how far it gets
  settings.ipm.associated = 0;
  assert_true(eta_at_rest(&settings) > 1e-3);
  settings.ipm.associated = 1;
  assert_true(eta_at_rest(&settings) <= settings.tol);
}

// A pile that flows, with nearly half of its contacts sliding: the central path folds at one ball,
// and with the De Saxcé term in every row of the Newton matrix the steps end there (measured: eta
// 8e-3). Where the contacts that block lag behind, they go on.
static bool flows_to_the_end(unsigned long seed) {
  stc_generator options = stc_default_generator("spheres");
  options.n = 100;
  options.seed = seed;
  options.mu = 0.2;
  stc_problem *problem = generate_problem(&options);
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  stc_settings settings = stc_default_settings();
  settings.method = "ipm";
  settings.ipm.associated = 0;
  settings.tol = 1e-6;
  stc_info info;
  bool solved = solve(problem, &settings, r, &info).eta <= settings.tol && info.iterations < 60;
  free(r);
  stc_problem_free(&problem);
  return solved;
}

// At the fold of one of six piles rounding decides.
static void contacts_that_block_lag_behind(void **state) {
  int solved = 0;
  for (unsigned long seed = 1; seed <= 6; seed++) solved += flows_to_the_end(seed);
  assert_true(solved >= 5);
}

// The pile at rest by alternating directions: s that follows at once chases its own transients.
static void a_lag_steadies_alternating_directions(void **state) {
  stc_settings settings = stc_default_settings();
  settings.method = "admm";
  assert_true(eta_at_rest(&settings) > settings.tol);
  settings.admm.steady = 1;
  assert_true(eta_at_rest(&settings) <= settings.tol);
}

TEST_PROGRAM(cmocka_unit_test(shares_by_hand),
             cmocka_unit_test(the_associated_law_leads_to_a_pile_at_rest),
             cmocka_unit_test(contacts_that_block_lag_behind),
             cmocka_unit_test(a_lag_steadies_alternating_directions))
