// The checker of certificates on proofs made by hand: right ones of every kind pass, and with one
// step wrong they are refused with the sentence that names it.
#include "certificates.h"

static void a_tree_of_modes(void **state) {
  stc_problem *p = gallery("painleve", 0, 2.0);
  expect_valid(p, PAINLEVE);
  expect_refused(p, PAINLEVE, "\"lambda\": [[0, \"1\"]]", "\"lambda\": []", "do not cancel");
  expect_refused(p, PAINLEVE, "[1, \"-1\"]", "[1, \"1\"]", "do not cancel");
  expect_refused(p, PAINLEVE, "\"0x1p+0\"]], \"lambda\": [[0, \"1\"",
                 "\"-1\"]], \"lambda\": [[0, \"-1\"", "depth of a leaf");
  expect_refused(p, PAINLEVE, "\"sign\": 1", "\"sign\": -1", "may do");
  expect_refused(p, PAINLEVE, "\"mode\": \"open\"", "\"mode\": \"stick\"", "may do");
  expect_refused(p, PAINLEVE, "{\"mode\": \"open\", \"node\"", "{\"mode\": \"ajar\", \"node\"",
                 "may do");
  expect_refused(
      p, PAINLEVE,
      "{\"mode\": \"stick\", \"node\": {\"y\": [[0, \"2\"], [1, \"-1\"]], \"lambda\": []}",
      "{\"mode\": \"stick\", \"node\": {\"y\": [[0, \"1\"]], \"lambda\": [[0, \"1\"]]}",
      "exclude its mode");
  expect_refused(p, PAINLEVE, "\"1/2\"", "\"2/3\"", "margin");
  expect_refused(p, PAINLEVE, "\"contact\": 0", "\"contact\": 1", "names no contact");
  expect_refused(p, PAINLEVE, "\"no_solution\"", "\"exists\"", "no parts");
  expect_refused(p, PAINLEVE, "\"0x1p+0\"", "\"0x1p+0 \"", "bad entry");
  expect_refused(p, PAINLEVE, "\"7/7\"", "\"7/0\"", "bad entry");
  expect_refused(p, PAINLEVE, "\"7/7\"", "\"1.0\"", "bad entry");
  expect_refused(p, PAINLEVE, "[[0, \"7/7\"]]", "[[0, \"1\"], [0, \"1\"]]", "bad entry");
  expect_refused(p, PAINLEVE, "[[0, \"7/7\"]]", "[[2, \"1\"]]", "bad entry");
  expect_refused(p, PAINLEVE, "[[0, \"7/7\"]]", "[[0]]", "bad entry");
  stc_problem_free(&p);
}

// f = -1 has two solutions: the same tree proves nothing there, nor about another kappa.
static void a_proof_holds_for_its_problem_only(void **state) {
  stc_problem *p = gallery("painleve", 0, 2.0), *other = gallery("painleve", 0, 2.5);
  char text[ROOM];
  certificate(p, PAINLEVE, text);
  assert_true(check_certificate(p, text, strlen(text)).valid);
  check_result result = check_certificate(other, text, strlen(text));
  assert_false(result.valid);
  assert_non_null(strstr(result.why, "another problem"));
  stc_problem_free(&other);
  other = gallery("painleve", 1, 2.0);
  assert_false(check(other, PAINLEVE).valid);
  stc_problem_free(&other);
  stc_problem_free(&p);
}

static void a_tree_of_sectors(void **state) {
  stc_problem *p = gallery("painleve3d", 0, 0.0);
  expect_valid(p, SECTORS);
  // a gap, a sector that begins elsewhere, a direction that is not of length 1
  expect_refused(p, SECTORS, "\"to\": [\"1\", \"0\"]", "\"to\": [\"4/5\", \"-3/5\"]", "may do");
  expect_refused(p, SECTORS, "\"from\": [\"-3/5\", \"4/5\"]", "\"from\": [\"-4/5\", \"3/5\"]",
                 "may do");
  expect_refused(p, SECTORS, "\"to\": [\"1\", \"0\"]", "\"to\": [\"2\", \"0\"]", "may do");
  expect_refused(p, SECTORS, "\"to\": [\"1\", \"0\"]", "\"to\": [\"1\"]", "may do");
  // a sector divided into parts that do not reach its end
  expect_refused(p, SECTORS, "\"from\": [\"1\", \"0\"], \"to\": [\"3/5\", \"4/5\"]",
                 "\"from\": [\"1\", \"0\"], \"to\": [\"4/5\", \"3/5\"]", "may do");
  // half a turn and more in one sector
  expect_refused(p, SECTORS, "\"to\": [\"-3/5\", \"4/5\"]", "\"to\": [\"-3/5\", \"-4/5\"]",
                 "may do");
  // the leaf of the sector around (0, 1) needs y_2 > 0
  expect_refused(p, SECTORS, LEAF3("1"), LEAF3("-1"), "exclude its mode");
  // not all solutions: slip is left out
  expect_refused(p, SECTORS, "\"mode\": \"slip\", \"from\": [\"-3/5\", \"-4/5\"]",
                 "\"mode\": \"open\", \"from\": [\"-3/5\", \"-4/5\"]", "may do");
  stc_problem_free(&p);
  // delta = 2 has a solution, and the sectors around it keep theirs
  p = gallery("painleve3d", 0, 2.0);
  assert_false(check(p, SECTORS).valid);
  stc_problem_free(&p);
}

static void a_kinematic_proof(void **state) {
  stc_problem *p = squeezed(-1.0);
  expect_valid(p, SQUEEZED);
  expect_refused(p, SQUEEZED, "[2, \"1\"]", "[2, \"2\"]", "do not cancel");
  expect_refused(p, SQUEEZED, "[0, \"1\"], [2, \"1\"]", "[0, \"-1\"], [2, \"-1\"]", "depth");
  expect_refused(p, SQUEEZED, "\"kinematic\"", "\"sector_tree\"", "no known proof");
  stc_problem_free(&p);
}

static void a_strict_margin(void **state) {
  stc_problem *p = gallery("painleve", 2, 2.0);
  expect_valid(p, STRICT_MARGIN);
  expect_refused(p, STRICT_MARGIN, "[[0, \"0x1p-1\"]]", "[[0, \"0x1p-2\"]]", "margin of its part");
  expect_refused(p, STRICT_MARGIN, "\"0x1p-1\",", "\"0x1.0000000000001p-1\",",
                 "margin of its part");
  expect_refused(p, STRICT_MARGIN, "\"0x1p-1\",", "\"-1/2\",", "cannot have");
  expect_refused(p, STRICT_MARGIN, "\"margin\": \"1/2\"", "\"margin\": \"3/4\"", "cannot have");
  expect_refused(p, STRICT_MARGIN, "\"contacts\": [0]", "\"contacts\": []", "in no part");
  expect_refused(p, STRICT_MARGIN, "\"contacts\": [0]", "\"contacts\": [0, 0]", "wrong contact");
  expect_refused(p, STRICT_MARGIN, "\"proof\": \"strict_margin\", \"margin\": \"1/2\"",
                 "\"proof\": \"weak_2d\", \"margin\": \"1/2\"", "the proof is");
  stc_problem_free(&p);
}

static void a_weak_criterion(void **state) {
  stc_problem *p = squeezed(0.0);
  expect_valid(p, WEAK);
  expect_refused(p, WEAK, "\"v\": []", "\"v\": [[0, \"0x1p-1074\"]]", "margin of its part");
  expect_refused(p, WEAK, "\"proof\": \"weak_2d\", \"margin\": \"0x0p+0\", \"v\"",
                 "\"proof\": \"strict_margin\", \"margin\": \"0x0p+0\", \"v\"", "cannot have");
  expect_refused(p, WEAK, "\"margin\": \"0x0p+0\"", "\"margin\": \"-1\"", "number >= 0");
  expect_refused(p, WEAK, "\"margin\": \"0x0p+0\"", "\"margin\": \"0x1p-9\"", "cannot have");
  expect_refused(p, WEAK, "\"parts\": [", "\"other\": [", "no parts");
  expect_refused(p, WEAK, "\"contacts\": [0, 1]", "\"contacts\": [1]", "contact 0 is in no part");
  stc_problem_free(&p);
}

static void a_contact_that_never_closes(void **state) {
  stc_problem *p = gallery("painleve", 4, 2.0);
  expect_valid(p, NEVER_CLOSING);
  expect_refused(p, NEVER_CLOSING, "[[1, \"1\"]]", "[[1, \"2\"]]", "never closes");
  expect_refused(p, NEVER_CLOSING, "[[1, \"1\"]]", "[[0, \"1\"]]", "never closes");
  expect_refused(p, NEVER_CLOSING, "{\"contact\": 0, \"y\": [[1, \"1\"]]}", "",
                 "margin of its part");
  expect_refused(p, NEVER_CLOSING, "{\"contact\": 0", "{\"contact\": 1", "never closes");
  expect_refused(p, NEVER_CLOSING, "\"contacts\": [0, 1]", "\"contacts\": [0]", "in no part");
  stc_problem_free(&p);
}

static void solutions_in_the_plane(void **state) {
  stc_problem *p = gallery("painleve", 1, 2.0);
  expect_valid(p, TWO_SOLUTIONS);
  expect_refused(p, TWO_SOLUTIONS, "[1, \"-1\"]], \"v\": []}],\n\"enum",
                 "[1, \"1\"]], \"v\": []}],\n\"enum", "equation 0");
  expect_refused(p, TWO_SOLUTIONS, "\"r\": [], \"v\": [[0, \"1\"]]",
                 "\"r\": [[0, \"1\"]], \"v\": [[0, \"2\"]]", "breaks its law");
  expect_refused(p, TWO_SOLUTIONS, "{\"set\": 1}", "{\"set\": 2}", "depth");
  expect_refused(p, TWO_SOLUTIONS, "\"mode\": \"open\"", "\"mode\": \"stick\"", "may do");
  stc_problem_free(&p);
}

static void a_box_around_a_slip(void **state) {
  char body[ROOM];
  stc_problem *p = gallery("painleve3d", 0, 2.0);
  slip off = RIGHT, large = RIGHT;
  box_of(RIGHT, body);
  expect_valid(p, body);
  expect_refused(p, body, "\"slip\"", "\"stick\"", "bad entry");
  expect_refused(p, body, "\"slip\"", "\"open\"", "bad entry");
  expect_refused(p, body, "[\"slip\"]", "[\"slip\", \"slip\"]", "do not fit");
  expect_refused(p, body, "[\"slip\"]", "[]", "do not fit");
  expect_refused(p, body, "\"inverse\": [[", "\"inverse\": [[], [", "row 0");
  expect_refused(p, body, "[4, \"0x1p-20\"]]", "[4, \"-0x1p-20\"]]", "no size in direction 4");
  expect_refused(p, body, "[4, \"0x1p-20\"]]", "[4, \"0x0p+0\"]]", "no size in direction 4");
  expect_refused(p, body, "[4, \"0x1p-20\"]]", "[3, \"0x1p-20\"]]", "bad entry");
  off.shift = 1e-3;  // the centre is off by more than the radius
  box_of(off, body);
  assert_non_null(strstr(check(p, body).why, "not shown to hold"));
  large.radius = 1.0;  // so large that the quadratic part decides
  box_of(large, body);
  assert_false(check(p, body).valid);
  stc_problem_free(&p);
}

// Zeros of the equations that break an inequality: no solution for delta < sqrt 3, but F = 0 with
// r_N < 0 for delta = 1.5, and with friction along the slip for any delta.
static void a_box_needs_the_inequalities(void **state) {
  char body[ROOM];
  stc_problem *p = gallery("painleve3d", 0, 1.5);
  box_of((slip){1.5, 1.0, 0.0, 0x1p-20, "slip"}, body);
  assert_non_null(strstr(check(p, body).why, "may break its law"));
  box_of((slip){1.5, -1.0, 0.0, 0x1p-20, "slip"}, body);
  assert_non_null(strstr(check(p, body).why, "may break its law"));
  box_of(RIGHT, body);  // the solution of another delta
  assert_non_null(strstr(check(p, body).why, "not shown to hold"));
  stc_problem_free(&p);
}

static void undecided_proves_nothing(void **state) {
  stc_problem *p = gallery("painleve", 0, 2.0);
  check_result result = check(p, "\"verdict\": \"undecided\", \"proof\": null");
  assert_true(result.undecided && !result.valid);
  assert_string_equal(result.verdict, "undecided");
  stc_problem_free(&p);
}

// W = (1 2; 2 4), q = (-1, -1), mu = 1, of Painleve. With W_TT = 4 + 2^-40 no y has W y = 0, and
// the tree of the singular W leaves reactions beyond 2^30 aside: g of y = (2, -1) is (0, -2^-40).
static void a_reach_of_a_rounded_tree(void **state) {
  static const char tree[] =
      "\"verdict\": \"no_solution\", \"proof\": \"mode_tree\", \"margin\": \"1/2\", \"reach\": "
      "\"0x1p+30\",\n\"tree\": {\"contact\": 0, \"children\": [\n"
      " {\"mode\": \"open\", \"node\": {\"y\": [[0, \"1\"]]}},\n"
      " {\"mode\": \"stick\", \"node\": {\"y\": [[0, \"2\"], [1, \"-1\"]]}},\n"
      " {\"mode\": \"slip\", \"sign\": 1, \"node\": {\"y\": [[0, \"1\"]]}},\n"
      " {\"mode\": \"slip\", \"sign\": -1, \"node\": {\"y\": [[0, \"2\"], [1, \"-1\"]]}}]}";
  const double W[] = {1.0, 2.0, 2.0, 4.0 + 0x1p-40}, q[] = {-1.0, -1.0}, mu = 1.0;
  const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1};
  stc_problem *problem = NULL;
  stc_local_data d = {.dim = 2, .contacts = 1, .W = {2, 2, 4, STC_STORAGE_CSR, p, i, W}};
  d.q = q;
  d.mu = &mu;
  assert_int_equal(stc_problem_create_local(&d, &problem), STC_OK);
  expect_valid(problem, tree);
  // 2^41 is too far, and so is everything, what is not a number, and a kinematic proof
  expect_refused(problem, tree, "0x1p+30", "0x1p+41", "exclude its mode");
  expect_refused(problem, tree, "\"reach\": \"0x1p+30\",", "", "exclude its mode");
  expect_refused(problem, tree, "0x1p+30", "0x1p+25", "the reach is too small");
  expect_refused(problem, tree, "0x1p+30", "-1", "the reach is not a number");
  expect_refused(problem, tree, "0x1p+30", "0", "the reach is not a number");
  stc_problem_free(&problem);
  problem = gallery("painleve", 0, 2.0);
  expect_refused(problem, PAINLEVE, "\"margin\": \"1/2\"", "\"margin\": \"1/2\", \"reach\": \"1\"",
                 "of the local form");
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tree_of_modes),
      cmocka_unit_test(a_reach_of_a_rounded_tree),
      cmocka_unit_test(a_proof_holds_for_its_problem_only),
      cmocka_unit_test(a_tree_of_sectors),
      cmocka_unit_test(a_kinematic_proof),
      cmocka_unit_test(a_strict_margin),
      cmocka_unit_test(a_weak_criterion),
      cmocka_unit_test(a_contact_that_never_closes),
      cmocka_unit_test(solutions_in_the_plane),
      cmocka_unit_test(a_box_around_a_slip),
      cmocka_unit_test(a_box_needs_the_inequalities),
      cmocka_unit_test(undecided_proves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
