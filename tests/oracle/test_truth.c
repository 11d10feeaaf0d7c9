// What the library says about small random problems against the truth in rational arithmetic: not
// one false word of certify, certify --cheap, the checker, solve, and force-range, and no crash.
// STICTION_TRIALS = FIRST:COUNT chooses the problems, FIRST:COUNT:2 those of the plane alone; see
// CONTRIBUTING.md.
#include "check_file.h"
#include "exact2d.h"
#include "sample.h"

#include <stiction/cert.h>
#include <stiction/solve.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 60, RANGES = 2000 };

// What a problem is called where something is wrong with it.
typedef struct trial {
  long number;
  int dim;
  exact2d_data plane;
  exact2d_truth truth;
  stc_problem *problem;
} trial;

typedef struct tally {
  long problems, refused, possible, none;
  long decided[2], undecided[2];   // certify, certify --cheap
  long solved, found, near, open;  // by the solver; after the decision; with no exact one; neither
  long ranges, unknown, exact_ranges;
  long wrong;
} tally;

static tally total;

#define WRONG(t, ...)                                                                              \
  do {                                                                                             \
    print_error("problem %ld in %dD: ", (t)->number, (t)->dim);                                    \
    print_error(__VA_ARGS__);                                                                      \
    print_error("\n");                                                                             \
    total.wrong++;                                                                                 \
  } while (0)

// Joints that contradict each other, or that ask for nothing, are refused with a sentence.
static bool is_refused(const trial *t) {
  return !t->truth.possible || strstr(stc_error_detail(), "R (joints) is not positive definite");
}

// ---- certificates

static void judge_bounds(const trial *t, const stc_certificate *certificate) {
  stc_bounds bounds;
  double sum = 0.0;
  if (!t->truth.exists || !stc_certificate_bounds(certificate, &bounds)) return;
  for (int c = 0; c < t->plane.contacts; c++) sum += t->truth.r[2 * c];
  if (sum > bounds.reaction_sum * (1.0 + 1e-9))
    WRONG(t, "a solution has reactions of %g, but the bound is %g", sum, bounds.reaction_sum);
}

static void judge_file(const trial *t, const stc_certificate *certificate) {
  static char text[1 << 22];
  check_result result = check_text(t->problem, certificate, text, sizeof text);
  bool decided = stc_certificate_verdict(certificate) != STC_VERDICT_UNDECIDED;
  if (decided && !result.valid) WRONG(t, "the checker says: %s", result.why);
}

// Whether the solution that was found is one that a proof of none leaves aside: of the rounding of
// a singular W, with reactions beyond the reach.
static bool is_beyond(const trial *t, const stc_certificate *certificate) {
  double sum = 0.0;
  for (int c = 0; c < t->plane.contacts; c++) sum += t->truth.r[2 * c];
  return sum > stc_certificate_reach(certificate);
}

static void judge_certificate(const trial *t, bool cheap) {
  stc_certify_settings settings = stc_default_certify_settings();
  stc_certificate *certificate = NULL;
  settings.cheap = cheap;
  settings.time_limit = 2.0;
  settings.max_nodes = 500;
  settings.all = t->dim == 2;
  if (stc_certify(t->problem, &settings, &certificate)) {
    if (!is_refused(t)) WRONG(t, "%s", stc_error_detail());
    return;
  }
  stc_verdict verdict = stc_certificate_verdict(certificate);
  bool says = verdict == STC_VERDICT_EXISTS;
  if (verdict == STC_VERDICT_UNDECIDED)
    total.undecided[cheap]++;
  else
    total.decided[cheap]++;
  if (verdict != STC_VERDICT_UNDECIDED && says != t->truth.exists &&
      !(t->truth.exists && is_beyond(t, certificate)))
    WRONG(t, "%s%s by %s, which is false", cheap ? "cheap: " : "", stc_verdict_name(verdict),
          stc_proof_name(stc_certificate_proof(certificate)));
  if (getenv("STICTION_LOUD") && verdict == STC_VERDICT_UNDECIDED && !cheap)
    print_message("%ld in %dD (%s, %s): %s\n", t->number, t->dim,
                  t->plane.local ? "local" : "global", t->truth.exists ? "exists" : "none",
                  stc_certificate_reason(certificate));
  judge_bounds(t, certificate);
  judge_file(t, certificate);
  stc_certificate_free(&certificate);
}

// ---- solutions

// A range has the reactions in it that it was computed from.
static void judge_range(const trial *t, const double *r) {
  double low[EXACT_CONTACTS], high[EXACT_CONTACTS];
  stc_force_range range = {.low = low, .high = high};
  if (stc_problem_force_range(t->problem, r, 1e-8, &range)) return;
  for (int c = 0; c < t->plane.contacts; c++) {
    double here = r[c * t->dim];
    total.unknown += isnan(low[c]) || isnan(high[c]);
    total.ranges++;
    if (low[c] > fmax(here, 0.0) || high[c] < here)
      WRONG(t, "contact %d: r_N = %g outside its range [%g, %g]", c, here, low[c], high[c]);
  }
}

// Whether all entries are small multiples of 1/32. Whatever can be singular is singular then, or
// far from it, and rounding has no say in which reactions balance.
static bool all_round(const double *x, int count) {
  for (int k = 0; k < count; k++)
    if (fabs(x[k]) > 1000.0 || x[k] * 32.0 != floor(x[k] * 32.0)) return false;
  return true;
}

static bool is_round(const exact2d_data *d) {
  int size = 2 * d->contacts;
  if (d->local) return all_round(d->W, size * size) && all_round(d->q, size);
  return all_round(d->H, size * d->dofs) && all_round(d->G, d->joints * d->dofs);
}

static bool is_near(double x, double y, double size) {
  return isinf(y) ? x == y : fabs(x - y) <= 1e-6 * fmax(size, fabs(y));
}

// The range of an exact solution is that of rational arithmetic, to 1e-6 of the largest reaction.
static void judge_exact_range(const trial *t) {
  double low[EXACT_CONTACTS], high[EXACT_CONTACTS], least, most, size = 0.0;
  stc_force_range range = {.low = low, .high = high};
  if (stc_problem_force_range(t->problem, t->truth.r, 1e-8, &range)) return;  // u is all rounding
  for (int k = 0; k < 2 * t->plane.contacts; k++) size = fmax(size, fabs(t->truth.r[k]));
  for (int c = 0; c < t->plane.contacts; c++) {
    exact2d_range(&t->plane, &t->truth, c, &least, &most);
    total.exact_ranges++;
    if (!is_near(low[c], least, size) || !is_near(high[c], most, size))
      WRONG(t, "contact %d: r_N in [%.9g, %.9g] instead of [%.9g, %.9g]", c, low[c], high[c], least,
            most);
  }
}

// The last word of `solve` on its answer.
static void judge_decision(const trial *t, const stc_settings *settings,
                           const stc_solution *solution, stc_info *info) {
  stc_certificate *certificate = NULL;
  stc_residual residual;
  if (stc_decide(t->problem, settings, NULL, solution, info, &certificate) ||
      stc_problem_residual(t->problem, solution, &residual)) {
    WRONG(t, "decide: %s", stc_error_detail());
    return;
  }
  bool within = residual.eta <= settings->tol && residual.fclib_error <= settings->tol;
  bool solved = info->status == STC_STATUS_SOLVED, near = false;
  near = info->status == STC_STATUS_SOLVED_TO_TOLERANCE;
  if ((solved || near) != within)
    WRONG(t, "%s with eta = %g", stc_status_name(info->status), residual.eta);
  if ((near || info->status == STC_STATUS_NO_SOLUTION) && t->truth.exists &&
      !is_beyond(t, certificate))
    WRONG(t, "%s, which is false", stc_status_name(info->status));
  bool proved = stc_certificate_verdict(certificate) == STC_VERDICT_EXISTS;
  if (proved && !t->truth.exists) WRONG(t, "decide: exists, which is false");
  total.found += solved && t->truth.exists;
  total.near += within && !t->truth.exists;
  total.open += !within && info->status != STC_STATUS_NO_SOLUTION;
  if (getenv("STICTION_LOUD") && !within && info->status != STC_STATUS_NO_SOLUTION)
    print_message("%ld in %dD (%s): %s at %g: %s\n", t->number, t->dim,
                  t->truth.exists ? "exists" : "none", stc_status_name(info->status), residual.eta,
                  stc_certificate_reason(certificate));
  stc_certificate_free(&certificate);
}

static void judge_solve(const trial *t) {
  double r[3 * EXACT_CONTACTS] = {0.0}, u[3 * EXACT_CONTACTS];
  double v[EXACT_DOFS], l[EXACT_JOINTS];
  stc_solution solution = {.r = r, .u = u};
  if (!t->plane.local) solution.v = v, solution.l = l;
  stc_settings settings = stc_default_settings();
  stc_info info = {0};
  stc_solver *solver = NULL;
  stc_error error = stc_solver_setup(&solver, t->problem, &settings);
  if (!error) error = stc_solver_solve(solver, &solution, &info);
  stc_solver_free(&solver);
  if (error) {
    if (!is_refused(t)) WRONG(t, "solve: %s", stc_error_detail());
    return;
  }
  total.solved += info.status == STC_STATUS_SOLVED && t->truth.exists;
  judge_decision(t, &settings, &solution, &info);
  if (info.status == STC_STATUS_SOLVED) judge_range(t, r);
}

// ---- trials

static void examine(long number, int dim) {
  sample s = sample_draw((uint64_t)number);
  trial t = {.number = number, .dim = dim, .plane = sample_plane(&s, dim)};
  t.problem = sample_problem(&s, dim);
  total.problems++;
  total.refused += !t.problem;
  if (!t.problem) return;
  t.truth = exact2d(&t.plane);
  total.possible += t.truth.exists;
  total.none += !t.truth.exists;
  judge_certificate(&t, true);
  judge_certificate(&t, false);
  judge_solve(&t);
  stc_problem_free(&t.problem);
}

static void nothing_false(void **unused) {
  long first = 0, count = TRIALS;
  int most = 3;
  const char *range = getenv("STICTION_TRIALS");
  if (range && sscanf(range, "%ld:%ld:%d", &first, &count, &most) < 2)
    fail_msg("STICTION_TRIALS = %s; give FIRST:COUNT or FIRST:COUNT:2", range);
  for (long k = first; k < first + count; k++) {
    if (getenv("STICTION_LOUD")) fprintf(stderr, "%ld\n", k);
    for (int dim = 2; dim <= most; dim++) examine(k, dim);
  }
  print_message("%ld problems, %ld refused, %ld with a solution, %ld without\n", total.problems,
                total.refused, total.possible, total.none);
  print_message("certify %ld decided, %ld not; cheap %ld decided, %ld not\n", total.decided[0],
                total.undecided[0], total.decided[1], total.undecided[1]);
  print_message("solve %ld solved, %ld after the decision, %ld to the tolerance only, %ld open\n",
                total.solved, total.found, total.near, total.open);
  print_message("%ld ranges, %ld not known\n", total.ranges, total.unknown);
  assert_int_equal(total.wrong, 0);
}

// ---- ranges in the plane

static void examine_range(long number) {
  sample s = sample_draw((uint64_t)number);
  trial t = {.number = number, .dim = 2, .plane = s.data};
  t.problem = is_round(&t.plane) ? sample_problem(&s, 2) : NULL;
  if (!t.problem) return;
  t.truth = exact2d(&t.plane);
  if (t.truth.exists) judge_exact_range(&t);
  stc_problem_free(&t.problem);
}

// A third of the problems are round and have a solution, with two contacts on average.
static void ranges_are_exact(void **unused) {
  long wrong = total.wrong;
  for (long k = 0; k < RANGES; k++) examine_range(k);
  print_message("%ld ranges compared with exact ones\n", total.exact_ranges);
  assert_true(total.exact_ranges > RANGES / 2);
  assert_int_equal(total.wrong, wrong);
}

// An asymmetric W of three contacts in space: the primal simplex method cycles for ever. A range
// may be unknown, but not late.
static void ranges_end(void **unused) {
  long wrong = total.wrong, ranges = total.ranges;
  sample s = sample_draw(562);
  trial t = {.number = 562, .dim = 3, .plane = sample_plane(&s, 3)};
  t.problem = sample_problem(&s, 3);
  t.truth = exact2d(&t.plane);
  judge_solve(&t);
  stc_problem_free(&t.problem);
  assert_int_equal(total.ranges, ranges + 3);
  assert_int_equal(total.wrong, wrong);
}

// Masses of 2e-6 and 1e4: the velocity of contact 0 is within the tolerance of rest, but for its
// weight in eta it would be called slip, r_T = 0.2 r_N against mu = 1.5. It sticks, and two degrees
// of freedom leave its reaction no choice.
static void near_rest_is_no_slip(void **unused) {
  sample s = sample_draw(13569);
  stc_problem *problem = sample_problem(&s, 2);
  double low[3], high[3], r[6] = {173525.64578319195, 34706.729173139465};
  stc_contact_state state[3];
  stc_force_range range = {.low = low, .high = high};
  assert_int_equal(stc_problem_classify(problem, r, 1e-8, state, NULL), STC_OK);
  assert_int_equal(state[0], STC_CONTACT_SLIP);
  assert_int_equal(stc_problem_force_range(problem, r, 1e-8, &range), STC_OK);
  assert_true(low[0] <= r[0] && r[0] <= high[0]);
  assert_true(high[0] - low[0] <= 1e-6 * r[0]);
  stc_problem_free(&problem);
}

// ---- problems by name

// What the solver says of a problem in the plane, and what `solve` says in the end.
static void expect_words(uint64_t number, stc_status first, stc_status last) {
  sample s = sample_draw(number);
  stc_problem *problem = sample_problem(&s, 2);
  double r[2 * EXACT_CONTACTS] = {0.0};
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info = {0};
  assert_non_null(problem);
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_string_equal(stc_status_name(info.status), stc_status_name(first));
  assert_int_equal(stc_decide(problem, &settings, NULL, &(stc_solution){.r = r}, &info, NULL),
                   STC_OK);
  assert_string_equal(stc_status_name(info.status), stc_status_name(last));
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

// Three contacts: the methods stall at 0.4, the enumeration has a solution.
static void what_stalls_is_decided(void **unused) {
  expect_words(719, STC_STATUS_STALLED, STC_STATUS_SOLVED);
}

// Three contacts, W in single precision: a point with eta = 2e-9, and no combination of modes.
static void near_a_solution_there_may_be_none(void **unused) {
  expect_words(604, STC_STATUS_SOLVED, STC_STATUS_SOLVED_TO_TOLERANCE);
}

// Two joints hold both degrees of freedom, so that all contacts are at rest: u_N = -9e-16 is
// rounding, no approach of immovable bodies.
static void what_joints_hold_does_not_approach(void **unused) {
  sample s = sample_draw(1365);
  assert_true(exact2d(&s.data).exists);
  stc_problem *problem = sample_problem(&s, 2);
  double r[2 * EXACT_CONTACTS] = {0.0};
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info = {0};
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_not_equal(info.status, STC_STATUS_NO_SOLUTION);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

// Joints that are given twice, one problem without a solution and one with: both are decided.
static void redundant_joints_are_no_obstacle(void **unused) {
  static const uint64_t NUMBER[] = {50, 152};
  for (int k = 0; k < 2; k++) {
    sample s = sample_draw(NUMBER[k]);
    stc_problem *problem = sample_problem(&s, 2);
    stc_certificate *certificate = NULL;
    assert_int_equal(stc_certify(problem, NULL, &certificate), STC_OK);
    assert_int_equal(stc_certificate_verdict(certificate),
                     exact2d(&s.data).exists ? STC_VERDICT_EXISTS : STC_VERDICT_NO_SOLUTION);
    stc_certificate_free(&certificate);
    stc_problem_free(&problem);
  }
}

// Joints that hold both degrees of freedom, of 2e-4 and 1e5 kg: R is singular but for 2e-9, and its
// product with multipliers of 1e9 is off by more than 1e-8. They do not contradict each other.
static void unequal_masses_are_no_contradiction(void **unused) {
  long wrong = total.wrong;
  examine(69240, 2);
  examine(120994, 2);  // 1e4 and 2e14 kg: R is regular by 3e-13 of its largest entry
  assert_int_equal(total.wrong, wrong);
}

// In space with W rounded: 895 programs of modes, 120 rows each, many of them active at one vertex.
// A simplex method that cycles there spends ten seconds on the first 500.
static void searches_do_not_cycle(void **unused) {
  sample s = sample_draw(100011);
  stc_problem *problem = sample_problem(&s, 3);
  stc_certify_settings settings = stc_decision_settings(problem);
  stc_certificate *certificate = NULL;
  assert_int_equal(stc_certify(problem, &settings, &certificate), STC_OK);
  assert_null(strstr(stc_certificate_reason(certificate), "limit"));
  assert_in_range(stc_certificate_nodes(certificate), 1, 2000);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

// Solved, and the criterion proves that there is a solution: nothing is left to search for.
static void what_is_solved_is_not_searched(void **unused) {
  sample s = sample_draw(100142);
  stc_problem *problem = sample_problem(&s, 3);
  double r[3 * EXACT_CONTACTS] = {0.0};
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info = {0};
  stc_certificate *certificate = NULL;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(
      stc_decide(problem, &settings, NULL, &(stc_solution){.r = r}, &info, &certificate), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_int_equal(stc_certificate_verdict(certificate), STC_VERDICT_EXISTS);
  assert_int_equal(stc_certificate_nodes(certificate), 0);
  stc_certificate_free(&certificate);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
}

// Masses of 1e-6 and 2e6 kg behind a joint: the velocity that opens the contacts has an energy that
// rounding loses beside that of the light mass alone, and 2.36 N s are no solution below a bound of
// 0. Such bounds are not given.
static void a_lost_energy_bounds_nothing(void **state) {
  long before = total.wrong;
  examine(78707, 2);
  assert_int_equal(total.wrong, before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_false),
                                     cmocka_unit_test(ranges_are_exact),
                                     cmocka_unit_test(ranges_end),
                                     cmocka_unit_test(near_rest_is_no_slip),
                                     cmocka_unit_test(redundant_joints_are_no_obstacle),
                                     cmocka_unit_test(what_stalls_is_decided),
                                     cmocka_unit_test(near_a_solution_there_may_be_none),
                                     cmocka_unit_test(what_joints_hold_does_not_approach),
                                     cmocka_unit_test(unequal_masses_are_no_contradiction),
                                     cmocka_unit_test(searches_do_not_cycle),
                                     cmocka_unit_test(what_is_solved_is_not_searched),
                                     cmocka_unit_test(a_lost_energy_bounds_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
