// What a certification promises besides its verdict: limits, interruption, premises, bounds that
// every solution obeys, the range of forces.
#include "cert_support.h"

#include "base/clock.h"

// ---- limits

enum { CROWD = 13 };  // contacts of a component: one more than are searched after a solve

// A pile of discs has more solution sets than can be listed in half a second.
static void the_time_limit_is_kept(void **state) {
  stc_problem *problem = gallery("discs", 14, 0.0);
  stc_certify_settings settings = stc_default_certify_settings();
  stc_certificate *certificate = NULL;
  settings.time_limit = 0.5;
  double before = stc_clock();
  assert_int_equal(stc_certify(problem, &settings, &certificate), STC_OK);
  double seconds = stc_clock() - before;
  if (seconds > 1.1 * settings.time_limit + 1.0) fail_msg("%g s with a limit of 0.5 s", seconds);
  expect_verdict(certificate, STC_VERDICT_EXISTS);
  assert_false(stc_certificate_complete(certificate));
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

typedef struct watch {
  int calls;
  long nodes;
  double seconds;
} watch;

static bool stop_at_once(void *user, const stc_certify_progress *progress) {
  watch *w = user;
  assert_non_null(progress->stage);
  w->calls++;
  w->nodes = progress->nodes;
  return false;
}

// No solution, but 20 contacts take longer than the first report.
static void the_caller_may_stop_it(void **state) {
  watch watched = {0};
  stc_problem *problem = gallery("jammed", 20, 0.5);
  stc_certify_settings settings = stc_default_certify_settings();
  settings.progress = stop_at_once;
  settings.user = &watched;
  stc_certificate *certificate = certify_with(problem, &settings);
  expect_verdict(certificate, STC_VERDICT_UNDECIDED);
  assert_int_equal(watched.calls, 1);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

static bool stop_in_the_search(void *user, const stc_certify_progress *progress) {
  watch *w = user;
  w->calls++;
  assert_true(progress->nodes >= w->nodes && progress->seconds >= w->seconds);
  w->nodes = progress->nodes;
  w->seconds = progress->seconds;
  return progress->nodes == 0;
}

// What is said of a problem of the gallery with these settings.
static stc_certificate *search(const char *kind, int n, double param,
                               const stc_certify_settings *settings) {
  stc_problem *problem = gallery(kind, n, param);
  stc_certificate *certificate = certify_with(problem, settings);
  stc_problem_free(&problem);
  return certificate;
}

static void expect_undecided(const stc_certificate *certificate, const char *why) {
  expect_verdict(certificate, STC_VERDICT_UNDECIDED);
  expect_reason(certificate, why);
}

static void an_interrupted_search_says_so(void **state) {
  watch watched = {0};
  stc_certify_settings settings = stc_default_certify_settings();
  settings.progress = stop_in_the_search;
  settings.user = &watched;
  stc_certificate *certificate = search("jammed", 20, 0.5, &settings);
  expect_undecided(certificate, "interrupted");
  assert_true(watched.nodes > 0 && stc_certificate_nodes(certificate) >= watched.nodes);
  stc_certificate_free(&certificate);
}

// Undecided for this reason; how many nodes it took.
static int expect_limit(const stc_certify_settings *settings, int n, const char *why) {
  stc_certificate *certificate = search("jammed", n, 0.5, settings);
  int nodes = (int)stc_certificate_nodes(certificate);
  expect_undecided(certificate, why);
  stc_certificate_free(&certificate);
  return nodes;
}

static void limits_are_kept(void **state) {
  stc_certify_settings settings = stc_default_certify_settings();
  settings.max_nodes = 50;
  assert_true(expect_limit(&settings, 12, "the limit of nodes was reached") <= 50);
  settings.max_contacts = 11;
  expect_limit(&settings, 12, "they are too many for a search");
  settings = stc_default_certify_settings();
  settings.time_limit = 0.0;  // no time is no verdict
  expect_limit(&settings, 4, "the time limit was reached");
}

// Several solutions are kept although the list of all of them is not finished.
static void one_solution_is_enough_to_exist(void **state) {
  stc_certify_settings settings = stc_default_certify_settings();
  settings.max_nodes = 100;
  stc_certificate *certificate = search("multiple", 8, 0.1, &settings);
  expect_verdict(certificate, STC_VERDICT_EXISTS);
  assert_int_equal(stc_certificate_proof(certificate), STC_PROOF_VERIFIED_SOLUTION);
  assert_false(stc_certificate_complete(certificate));
  assert_true(stc_certificate_sets(certificate) > 1);
  stc_certificate_free(&certificate);
}

static void bad_settings_are_refused(void **state) {
  stc_problem *problem = gallery("wedge", 0, 1.0);
  stc_certificate *certificate = NULL;
  stc_certify_settings settings = {0};
  double hint[4] = {0, NAN, 0, 0};
  assert_int_equal(stc_certify(problem, &settings, &certificate), STC_ERR_ARGUMENT);
  settings = stc_default_certify_settings();
  settings.time_limit = NAN;
  assert_int_equal(stc_certify(problem, &settings, &certificate), STC_ERR_VALUE);
  settings = stc_default_certify_settings();
  settings.max_nodes = -1;
  assert_int_equal(stc_certify(problem, &settings, &certificate), STC_ERR_VALUE);
  settings = stc_default_certify_settings();
  settings.r = hint;
  assert_int_equal(stc_certify(problem, &settings, &certificate), STC_ERR_VALUE);
  assert_null(certificate);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// ---- premises

// W_NN = (1 -2; -2 1) has the eigenvalue -1: u_N = -1 + r_1 - 2 r_2 and its mirror image are
// positive at once for no r >= 0, though some r that is not >= 0 makes both positive.
static void an_indefinite_W_has_no_criterion(void **state) {
  double W[16] = {1, 0, -2, 0, 0, 1, 0, 0, -2, 0, 1, 0, 0, 0, 0, 1}, q[4] = {-1, 0, -1, 0};
  double mu[2] = {0, 0};
  dense_matrix store;
  stc_problem *problem = NULL;
  stc_local_data data = {.dim = 2, .contacts = 2, .q = q, .mu = mu};
  stc_bounds bounds;
  data.W = dense_view(&store, 4, 4, W);
  if (stc_problem_create_local(&data, &problem)) fail_msg("%s", stc_error_detail());
  stc_certify_settings settings = stc_default_certify_settings();
  settings.cheap = true;
  stc_certificate *certificate = certify_with(problem, &settings);
  expect_verdict(certificate, STC_VERDICT_UNDECIDED);
  expect_reason(certificate, "W is not positive semi-definite");
  assert_false(stc_certificate_bounds(certificate, &bounds));
  stc_certificate_free(&certificate);
  certificate = certify(problem);
  expect_verdict(certificate, STC_VERDICT_NO_SOLUTION);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// ---- bounds

static double sum_normal(const stc_problem *problem, const double *r) {
  double sum = 0.0;
  for (int c = 0; c < stc_problem_contacts(problem); c++) sum += r[c * stc_problem_dim(problem)];
  return sum;
}

// Solutions obey the bounds; reactions beyond them do not, whatever else they are.
static void check_bounds(const char *kind, int n, double param) {
  stc_problem *problem = gallery(kind, n, param);
  stc_certificate *certificate = certify(problem);
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_bounds bounds;
  stc_info info;
  bool hold = false;
  int size = stc_problem_size(problem);
  double *r = calloc((size_t)size, sizeof *r);
  assert_true(stc_certificate_bounds(certificate, &bounds));
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_true(sum_normal(problem, r) <= bounds.reaction_sum);
  assert_int_equal(stc_bounds_check(&bounds, problem, r, 1e-6, &hold), STC_OK);
  assert_true(hold);
  for (int k = 0; k < size; k++) r[k] *= 1.0 + bounds.reaction_sum / sum_normal(problem, r);
  assert_int_equal(stc_bounds_check(&bounds, problem, r, 1e-6, &hold), STC_OK);
  assert_false(hold);
  free(r);
  stc_solver_free(&solver);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

static void solutions_obey_the_bounds(void **state) {
  check_bounds("painleve", 2, 2.0);
  check_bounds("wedge", 2, 1.0);
  check_bounds("box", 3, 0.2);
  check_bounds("arch", 7, 0.0);
  check_bounds("wall", 3, 0.0);
}

// Painlevé, case 2: H = (1, 2), w = (0, -1), f = 1, mu = 1. v0 = 1/2 has u = (1/2, 0), margin 1/2,
// and v_f = -1: the reactions sum to at most 2.25 / 2, the solution has 1/3. The best margin is
// 1/2.
static void the_bound_is_that_of_the_theory(void **state) {
  stc_problem *problem = gallery("painleve", 2, 2.0);
  stc_certificate *certificate = certify(problem);
  stc_bounds b;
  assert_true(stc_certificate_bounds(certificate, &b));
  double v = b.v[0], u_N = v, u_T = 2.0 * v - 1.0;
  assert_true(b.margin > 0.0 && b.margin <= u_N - fabs(u_T));
  assert_true(fabs(b.diameter - fabs(v + 1.0)) < 1e-8);
  assert_true(fabs(b.reaction_sum - (v + 1.0) * (v + 1.0) / (4.0 * b.margin)) < 1e-8);
  assert_true(b.reaction_sum >= 1.0 / 3.0);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// ---- the range of forces

// A table of the given weight on four legs at (1, 1), (-1, 1), (-1, -1), (1, -1) without friction,
// the load at (x, 0); dofs: lift, and turns about both axes.
static stc_problem *table(double x, double weight) {
  static const double PLACE[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, H[36] = {0}, w[12] = {0}, mu[4] = {0};
  double f[3] = {weight, 0.0, -weight * x};  // the weight turns the table down at its place
  stc_problem *problem = NULL;
  for (int leg = 0; leg < 4; leg++) {
    double *row = H + 9 * leg;
    row[0] = 1.0;
    row[1] = PLACE[leg][1];
    row[2] = -PLACE[leg][0];
  }
  dense_global d = {.dim = 3, .contacts = 4, .dofs = 3, .M = M, .H = H, .f = f, .w = w, .mu = mu};
  if (create_dense_global(&d, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

static void expect_range(const stc_problem *problem, const double *r, const double *low,
                         const double *high, const double *least) {
  double found_low[4], found_high[4], norm[12];
  stc_force_range range = {.low = found_low, .high = found_high, .least_norm = norm};
  int contacts = stc_problem_contacts(problem), dim = stc_problem_dim(problem);
  if (stc_problem_force_range(problem, r, 1e-8, &range)) fail_msg("%s", stc_error_detail());
  for (int c = 0; c < contacts; c++) {
    if (!(fabs(found_low[c] - low[c]) < 1e-7))
      fail_msg("contact %d: at least %g instead of %g", c, found_low[c], low[c]);
    if (isinf(high[c]) ? !isinf(found_high[c]) : !(fabs(found_high[c] - high[c]) < 1e-7))
      fail_msg("contact %d: at most %g instead of %g", c, found_high[c], high[c]);
    if (least && !(fabs(norm[c * dim] - least[c]) < 1e-6))
      fail_msg("contact %d: %g instead of %g", c, norm[c * dim], least[c]);
  }
}

// Balance leaves one number free: r = (1/4 + x/4 + s, 1/4 - x/4 - s, 1/4 - x/4 + s, 1/4 + x/4 - s).
// x = 0: each leg carries between 0 and 1/2, with least norm 1/4 each.
// x = 1/2: |s| <= 1/8, so that the legs near the load carry 1/4 to 1/2, the others 0 to 1/4.
static void a_table_has_a_leg_too_many(void **state) {
  stc_problem *problem = table(0.0, 1.0);
  double r[12] = {0.5, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0};
  expect_range(problem, r, (double[4]){0, 0, 0, 0}, (double[4]){0.5, 0.5, 0.5, 0.5},
               (double[4]){0.25, 0.25, 0.25, 0.25});
  stc_problem_free(&problem);
  problem = table(0.5, 1.0);
  double s[12] = {0.4, 0, 0, 0.1, 0, 0, 0.15, 0, 0, 0.35, 0, 0};
  expect_range(problem, s, (double[4]){0.25, 0, 0, 0.25}, (double[4]){0.5, 0.25, 0.25, 0.5},
               (double[4]){0.375, 0.125, 0.125, 0.375});
  stc_problem_free(&problem);
}

// The unit of force has no say: the load at x = 1/2 as above.
static void a_table_of_any_weight(void **state) {
  static const double LOW[] = {0.25, 0, 0, 0.25}, HIGH[] = {0.5, 0.25, 0.25, 0.5};
  for (double weight = 1e-12; weight < 1e13; weight *= 1e6) {
    double r[12] = {0.4 * weight, 0, 0, 0.1 * weight, 0, 0, 0.15 * weight, 0, 0, 0.35 * weight};
    double low[4], high[4];
    stc_problem *problem = table(0.5, weight);
    stc_force_range range = {.low = low, .high = high};
    assert_int_equal(stc_problem_force_range(problem, r, 1e-8, &range), STC_OK);
    for (int leg = 0; leg < 4; leg++) {
      assert_true(fabs(low[leg] / weight - LOW[leg]) < 1e-7);
      assert_true(fabs(high[leg] / weight - HIGH[leg]) < 1e-7);
    }
    stc_problem_free(&problem);
  }
}

// Two sliding contacts of the wide wedge have one reaction each; the narrow wedge at rest can be
// loaded without end: there r_N >= 0 is bounded from below only.
static void a_wedge_has_one_force_or_any(void **state) {
  double N = 1.5 / (2.0 * (sin(0.6) - 0.5 * cos(0.6))), r[4] = {N, 0.5 * N, N, 0.5 * N};
  stc_problem *problem = gallery("wedge", 2, 1.0);
  expect_range(problem, r, (double[2]){N, N}, (double[2]){N, N}, (double[2]){N, N});
  stc_problem_free(&problem);
  problem = gallery("wedge", 1, 1.0);
  // v = 0 needs 2 (N sin a - T cos a) = 1 with equal walls; T = -N / 2 is the edge of the cone with
  // the least N, 1 / (2 sin a + cos a).
  double least = 1.0 / (2.0 * sin(0.3) + cos(0.3)), at[4] = {least, -least / 2, least, -least / 2};
  double found_low[2], found_high[2];
  stc_force_range range = {.low = found_low, .high = found_high};
  if (stc_problem_force_range(problem, at, 1e-8, &range)) fail_msg("%s", stc_error_detail());
  for (int c = 0; c < 2; c++) assert_true(isinf(found_high[c]) && found_low[c] <= least + 1e-9);
  stc_problem_free(&problem);
}

static stc_problem *full_local(int dim, int contacts, const double *W, const double *q, double mu) {
  int size = dim * contacts, p[13], i[144];
  double all[4] = {mu, mu, mu, mu};
  stc_problem *problem = NULL;
  for (int k = 0; k <= size; k++) p[k] = k * size;
  for (int k = 0; k < size * size; k++) i[k] = k % size;
  stc_local_data data = {.dim = dim, .contacts = contacts, .q = q, .mu = all};
  data.W = (stc_matrix){size, size, size * size, STC_STORAGE_CSR, p, i, W};
  if (stc_problem_create_local(&data, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// Twice the same contact with W_cc = (1 0.1; -0.1 1), gyroscopic: r1 + r2 = (1, 0.1) / 1.01 holds
// it, shared in any way.
static void an_asymmetric_W_has_ranges(void **state) {
  static const double W[] = {1, 0.1, 1, 0.1, -0.1, 1, -0.1, 1, 1, 0.1, 1, 0.1, -0.1, 1, -0.1, 1};
  static const double q[] = {-1, 0, -1, 0}, r[] = {1 / 1.01, 0.1 / 1.01, 0, 0};
  stc_problem *problem = full_local(2, 2, W, q, 1.0);
  expect_range(problem, r, (double[2]){0, 0}, (double[2]){1 / 1.01, 1 / 1.01},
               (double[2]){0.5 / 1.01, 0.5 / 1.01});
  stc_problem_free(&problem);
}

// u_N = q_N = 0 whatever r: the contact never closes, and no contact is left for the criterion.
static void no_contact_left_is_no_infinity(void **state) {
  static const double W[] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {0, 1, 0};
  stc_problem *problem = full_local(3, 1, W, q, 1.0);
  stc_certificate *certificate = NULL;
  assert_int_equal(stc_certify(problem, NULL, &certificate), STC_OK);
  assert_int_equal(stc_certificate_verdict(certificate), STC_VERDICT_EXISTS);
  assert_true(isfinite(stc_certificate_margin(certificate)));
  assert_non_null(strstr(stc_certificate_reason(certificate), "1 of the contacts never closes"));
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// W = (1 2.1; 2.1 4.4099998) has a negative eigenvalue, and q = (-1, -1) no solution, although some
// velocity passes the criterion; W + 1e-5 I is definite, and there is a solution for any q.
static void a_rounded_W_proves_no_solution(void **state) {
  static const double q[] = {-1, -1};
  for (int k = 0; k < 2; k++) {
    double W[] = {1 + k * 1e-5, 2.1, 2.1, 4.4099998 + k * 1e-5};
    stc_problem *problem = full_local(2, 1, W, q, 1.0);
    for (int cheap = 0; cheap < 2; cheap++) {
      stc_certify_settings settings = stc_default_certify_settings();
      stc_certificate *certificate = NULL;
      settings.cheap = cheap;
      assert_int_equal(stc_certify(problem, &settings, &certificate), STC_OK);
      stc_verdict verdict = stc_certificate_verdict(certificate);
      assert_int_equal(verdict, k       ? STC_VERDICT_EXISTS
                                : cheap ? STC_VERDICT_UNDECIDED
                                        : STC_VERDICT_NO_SOLUTION);
      stc_certificate_free(&certificate);
    }
    stc_problem_free(&problem);
  }
}

// Reactions that solve nothing have no range.
static void a_range_needs_a_solution(void **state) {
  double low[4], high[4], r[12] = {1, 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0};
  stc_force_range range = {.low = low, .high = high};
  stc_problem *problem = table(0.0, 1.0);
  assert_int_equal(stc_problem_force_range(problem, r, 1e-8, &range), STC_ERR_VALUE);
  stc_problem_free(&problem);
}

// ---- the last word on an answer

// What `solve` says of a problem whose methods stalled at r = 0.
static void expect_no_solution(stc_problem *problem) {
  double r[2 * CROWD + 2] = {0};
  stc_settings settings = stc_default_settings();
  stc_info info = {.status = STC_STATUS_STALLED};
  stc_solution answer = {.r = r};
  expect_ok(stc_decide(problem, &settings, NULL, &answer, &info, NULL));
  assert_int_equal(info.status, STC_STATUS_NO_SOLUTION);
  stc_problem_free(&problem);
}

// 13 contacts are too many for a search. Half of them ask for v >= 1, half for v <= -1.
static void what_is_squeezed_is_not_searched(void **state) {
  double h[2 * CROWD] = {0}, w[2 * CROWD] = {0}, mu[CROWD];
  for (int c = 0; c < CROWD; c++) h[2 * c] = c % 2 ? 1 : -1, w[2 * c] = -1, mu[c] = 0.5;
  expect_no_solution(one_dof(CROWD, h, w, 0, mu));
}

// A contact without a solution (certificates.md) beside a component of 13 that has one.
static void a_crowd_does_not_hide_a_contact(void **state) {
  enum { SIZE = 2 * CROWD + 2 };
  static double W[SIZE * SIZE];
  double q[SIZE] = {-1, -1}, mu[CROWD + 1] = {1};
  W[0] = 1, W[1] = W[SIZE] = 2.1, W[SIZE + 1] = 4.4099998;
  for (int c = 1; c <= CROWD; c++) {
    q[2 * c] = -1, mu[c] = 0.5;
    for (int d = 1; d <= CROWD; d++) W[2 * c * SIZE + 2 * d] = 1;
  }
  dense_local data = {.dim = 2, .contacts = CROWD + 1, .W = W, .q = q, .mu = mu};
  stc_problem *problem = NULL;
  expect_ok(create_dense_local(&data, &problem));
  expect_no_solution(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_time_limit_is_kept),
      cmocka_unit_test(the_caller_may_stop_it),
      cmocka_unit_test(an_interrupted_search_says_so),
      cmocka_unit_test(limits_are_kept),
      cmocka_unit_test(one_solution_is_enough_to_exist),
      cmocka_unit_test(bad_settings_are_refused),
      cmocka_unit_test(an_indefinite_W_has_no_criterion),
      cmocka_unit_test(solutions_obey_the_bounds),
      cmocka_unit_test(the_bound_is_that_of_the_theory),
      cmocka_unit_test(a_table_has_a_leg_too_many),
      cmocka_unit_test(a_table_of_any_weight),
      cmocka_unit_test(a_wedge_has_one_force_or_any),
      cmocka_unit_test(a_range_needs_a_solution),
      cmocka_unit_test(an_asymmetric_W_has_ranges),
      cmocka_unit_test(no_contact_left_is_no_infinity),
      cmocka_unit_test(a_rounded_W_proves_no_solution),
      cmocka_unit_test(what_is_squeezed_is_not_searched),
      cmocka_unit_test(a_crowd_does_not_hide_a_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
