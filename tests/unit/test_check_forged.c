// The checker against forgers: altered digits, trees with holes, parts taken for the whole, numbers
// that are none, broken texts. Nothing false passes and nothing does harm.
#include "certificates.h"

// ---- altered digits

// Every digit of the text, one after another, replaced by another digit: refused each time.
static void expect_digits_matter(stc_problem *p, const char *body) {
  static char text[ROOM];
  int digits = 0;
  certificate(p, body, text);
  for (size_t k = 0; text[k]; k++) {
    char old = text[k];
    if (!strchr("0123456789abcdef", old)) continue;
    text[k] = old == '9' ? '0' : (char)(old + 1);
    if (check_certificate(p, text, strlen(text)).valid) fail_msg("digit at %zu: accepted", k);
    text[k] = old;
    digits++;
  }
  assert_true(digits > 60);
  assert_true(check_certificate(p, text, strlen(text)).valid);
  stc_problem_free(&p);
}

static void one_altered_digit_is_seen(void **state) {
  char body[ROOM];
  box_of(RIGHT, body);
  expect_digits_matter(gallery("painleve", 0, 2.0), PAINLEVE);
  expect_digits_matter(gallery("painleve3d", 0, 0.0), SECTORS);
  expect_digits_matter(squeezed(-1.0), SQUEEZED);
  expect_digits_matter(gallery("painleve", 2, 2.0), STRICT_MARGIN);
  expect_digits_matter(gallery("painleve", 4, 2.0), NEVER_CLOSING);
  expect_digits_matter(squeezed(0.0), WEAK);
  expect_digits_matter(gallery("painleve", 1, 2.0), TWO_SOLUTIONS);
  expect_digits_matter(gallery("painleve3d", 0, 2.0), body);
}

// Who alters a digit and seals the text anew gets no proof of the contrary: every digit of a proof
// that there is no solution, for the problem that has one, and the other way round.
static void expect_no_false_proof(stc_problem *p, const char *body) {
  static char altered[ROOM];
  snprintf(altered, sizeof altered, "%s", body);
  for (size_t k = 0; altered[k]; k++) {
    char old = altered[k];
    if (!strchr("0123456789", old)) continue;
    for (int step = 1; step < 10; step += 4) {
      altered[k] = (char)('0' + (old - '0' + step) % 10);
      if (check(p, altered).valid) fail_msg("digit %c for %c at %zu: accepted", altered[k], old, k);
    }
    altered[k] = old;
  }
  stc_problem_free(&p);
}

static void sealed_anew_it_is_no_false_proof(void **state) {
  char body[ROOM];
  expect_no_false_proof(gallery("painleve", 1, 2.0), PAINLEVE);
  expect_no_false_proof(gallery("painleve", 2, 2.0), PAINLEVE);
  expect_no_false_proof(gallery("painleve", 0, 2.0), TWO_SOLUTIONS);
  expect_no_false_proof(gallery("painleve", 0, 2.0), STRICT_MARGIN);
  expect_no_false_proof(gallery("painleve3d", 0, 2.0), SECTORS);
  expect_no_false_proof(squeezed(0.0), SQUEEZED);
  expect_no_false_proof(squeezed(-1.0), WEAK);
  box_of(RIGHT, body);
  expect_no_false_proof(gallery("painleve3d", 0, 1.5), strstr(body, "\"verdict"));
}

// ---- forgeries

// Trees that prove anything if their shape is not looked at.
static void hollow_trees_are_refused(void **state) {
  static const char *const trees[][2] = {
      {"{}", "depth"},
      {"[]", "depth"},
      {"null", "depth"},
      {"{\"set\": 0}", "depth"},
      {"{\"y\": []}", "depth"},
      {"{\"contact\": 0, \"children\": []}", "may do"},
      {"{\"contact\": 0, \"children\": {}}", "may do"},
      {"{\"contact\": 0, \"children\": null}", "may do"},
      {"{\"contact\": 0, \"children\": [{}]}", "may do"},
      {"{\"contact\": 0, \"children\": [{\"mode\": \"none\", \"node\": {}}]}", "may do"},
      {"{\"contact\": \"0\", \"children\": []}", "names no contact"},
      {"{\"contact\": -1, \"children\": []}", "names no contact"},
      {"{\"contact\": 4294967296, \"children\": []}", "names no contact"}};
  stc_problem *p = gallery("painleve", 0, 2.0);
  for (size_t k = 0; k < sizeof trees / sizeof *trees; k++) {
    char body[ROOM];
    snprintf(body, sizeof body,
             "\"verdict\": \"no_solution\", \"proof\": \"mode_tree\", \"margin\": null, "
             "\"tree\": %s",
             trees[k][0]);
    check_result result = check(p, body);
    if (result.valid || !strstr(result.why, trees[k][1]))
      fail_msg("%s: '%s'", trees[k][0], result.why);
  }
  // children that say the same twice, or nothing, instead of what they leave out
  expect_refused(p, PAINLEVE, "\"sign\": -1", "\"sign\": 1", "may do");
  expect_refused(p, PAINLEVE, "\"mode\": \"stick\"", "\"mode\": \"open\"", "may do");
  expect_refused(p, PAINLEVE, "\"sign\": -1", "\"sign\": 0", "may do");
  expect_refused(p, PAINLEVE, "\"node\": {\"y\": [[0, \"7/7\"]], \"lambda\": [[0, \"1\"]]}",
                 "\"node\": {\"contact\": 0, \"children\": [{\"mode\": \"slip\", \"sign\": 1, "
                 "\"node\": {\"y\": [[0, \"1\"]], \"lambda\": [[0, \"1\"]]}}]}",
                 "may do");
  // a second branching on the same contact: its leaves would speak of the wrong mode
  expect_refused(p, PAINLEVE, "\"node\": {\"y\": [[0, \"7/7\"]], \"lambda\": [[0, \"1\"]]}",
                 "\"node\": {\"contact\": 0, \"children\": [{\"mode\": \"open\", \"node\": {}}]}",
                 "may do");
  stc_problem_free(&p);
}

// Sectors that go round the wrong way, or that are half a turn each, cover no direction for sure.
static void crooked_sectors_are_refused(void **state) {
  stc_problem *p = gallery("painleve3d", 0, 0.0);
  static const char *const sectors[] = {
      "{\"mode\": \"slip\", \"from\": [\"1\", \"0\"], \"to\": [\"1\", \"0\"]}",
      "{\"mode\": \"slip\", \"from\": [\"1\", \"0\"], \"to\": [\"-1\", \"0\"]}, "
      "{\"mode\": \"slip\", \"from\": [\"-1\", \"0\"], \"to\": [\"1\", \"0\"]}",
      "{\"mode\": \"slip\", \"from\": [\"1\", \"0\"], \"to\": [\"0\", \"1\"]}, "
      "{\"mode\": \"slip\", \"from\": [\"0\", \"1\"], \"to\": [\"1\", \"0\"]}",
      "{\"mode\": \"slip\", \"from\": [\"1\", \"0\"], \"to\": [\"0\", \"1\"]}",
      "{\"mode\": \"slip\", \"sign\": 1}, {\"mode\": \"slip\", \"sign\": -1}",
      "{\"mode\": \"slip\", \"from\": [\"0\", \"0\"], \"to\": [\"0\", \"0\"]}"};
  for (size_t k = 0; k < sizeof sectors / sizeof *sectors; k++) {
    char body[ROOM];
    snprintf(body, sizeof body,
             "\"verdict\": \"no_solution\", \"proof\": \"sector_tree\", \"margin\": null, "
             "\"tree\": {\"contact\": 0, \"children\": [{\"mode\": \"open\"}, "
             "{\"mode\": \"stick\"}, %s]}",
             sectors[k]);
    check_result result = check(p, body);
    if (result.valid || !strstr(result.why, "may do")) fail_msg("%s: %s", sectors[k], result.why);
  }
  stc_problem_free(&p);
}

// H = (1, 2, 0), f = -1: y = -e_N has lambda = -1, g = (-1, -2, 0), depth 1, and excludes slip in
// the directions d with -1 + 2 d_1 <= 0. A sector may have both ends among them and (1, 0) between.
#define SLIP(from, to) "{\"mode\": \"slip\", \"from\": [" from "], \"to\": [" to "]"
static void a_leaf_excludes_all_of_its_sector(void **state) {
  static const double H[] = {1, 2, 0}, w[] = {0, 1, 0};
  static const char *const children[] = {
      SLIP("\"5/13\", \"-12/13\"", "\"5/13\", \"12/13\"") ", LEAF}, " SLIP(
          "\"5/13\", \"12/13\"", "\"-1\", \"0\"") "}, " SLIP("\"-1\", \"0\"",
                                                             "\"5/13\", \"-12/13\"") "}",
      SLIP("\"0\", \"-1\"", "\"1\", \"0\"") ", LEAF}, " SLIP(
          "\"1\", \"0\"",
          "\"0\", \"1\"") "}, " SLIP("\"0\", \"1\"",
                                     "\"-1\", \"0\"") "}, " SLIP("\"-1\", \"0\"",
                                                                 "\"0\", \"-1\"") "}",
      SLIP("\"1\", \"0\"", "\"0\", \"1\"") ", LEAF}, " SLIP(
          "\"0\", \"1\"",
          "\"-1\", \"0\"") "}, " SLIP("\"-1\", \"0\"",
                                      "\"0\", \"-1\"") "}, " SLIP("\"0\", \"-1\"",
                                                                  "\"1\", \"0\"") "}"};
  stc_problem *p = one_body(3, 1, H, w, -1.0);
  for (size_t k = 0; k < sizeof children / sizeof *children; k++) {
    char body[ROOM];
    snprintf(body, sizeof body,
             "\"verdict\": \"no_solution\", \"proof\": \"sector_tree\", \"margin\": null, "
             "\"tree\": {\"contact\": 0, \"children\": [%s, {\"mode\": \"open\"}, "
             "{\"mode\": \"stick\"}]}",
             children[k]);
    expect_refused(p, body, "LEAF", "\"node\": {\"y\": [[0, \"-1\"]], \"lambda\": [[0, \"-1\"]]}",
                   "exclude its mode");
  }
  stc_problem_free(&p);
}

// A part of a problem may have no solution where the whole has one: the second contact of case 4
// keeps the first from closing. A proof about the first alone is none.
static void a_part_is_not_the_whole(void **state) {
  stc_problem *p = gallery("painleve", 4, 2.0);
  check_result result = check(p, PAINLEVE);
  assert_false(result.valid);
  assert_non_null(strstr(result.why, "exclude its mode at contact 1"));
  // each contact alone has a margin; they share a body, so that this proves nothing
  expect_refused(p,
                 "\"verdict\": \"exists\", \"proof\": \"strict_margin\", \"margin\": null, "
                 "\"parts\": [{\"contacts\": [0], \"proof\": \"strict_margin\", \"margin\": \"1\", "
                 "\"v\": []}, {\"contacts\": [1], \"proof\": \"strict_margin\", \"margin\": \"1\", "
                 "\"v\": [[0, \"2\"]]}]",
                 "\"v\": []", "\"v\": [[0, \"1\"]]", "cut off");
  // two contacts that keep each other from closing: neither is shown to
  expect_refused(p, NEVER_CLOSING, "{\"contact\": 0, \"y\": [[1, \"1\"]]}",
                 "{\"contact\": 0, \"y\": [[1, \"1\"]]}, {\"contact\": 1, \"y\": [[0, \"1\"]]}",
                 "never closes");
  expect_refused(p, NEVER_CLOSING, "{\"contact\": 0, \"y\": [[1, \"1\"]]}",
                 "{\"contact\": 0, \"y\": [[1, \"-1\"]]}", "never closes");
  expect_refused(p, NEVER_CLOSING, "\"contacts\": [0, 1]", "\"contacts\": [0, 1, 2]",
                 "wrong contact");
  // u_N of the second is that of the first minus 1: it may close
  expect_refused(p, NEVER_CLOSING, "{\"contact\": 0, \"y\": [[1, \"1\"]]}",
                 "{\"contact\": 1, \"y\": [[0, \"1\"]]}", "never closes");
  stc_problem_free(&p);
}

// Two contacts at the same place have the same u_N: neither can be left out because of the other
// when both are. And u_N = 2 - u_N(other) says nothing.
static void contacts_close_for_each_other(void **state) {
  static const double twins[] = {1, 2, 1, 2}, w[] = {0, 1, 0, 1}, walls[] = {1, 0, -1, 0},
                      apart[] = {1, 0, 1, 0};
  stc_problem *p = one_body(2, 2, twins, w, 1.0);
  expect_refused(p, NEVER_CLOSING, "{\"contact\": 0, \"y\": [[1, \"1\"]]}",
                 "{\"contact\": 0, \"y\": [[1, \"1\"]]}, {\"contact\": 1, \"y\": [[0, \"1\"]]}",
                 "never closes");
  stc_problem_free(&p);
  p = one_body(2, 2, walls, apart, 0.0);
  expect_refused(p, NEVER_CLOSING, "[[1, \"1\"]]", "[[1, \"-1\"]]", "never closes");
  stc_problem_free(&p);
}

// Other friction is another problem: with mu kappa < 1 Painlevé's problem has one solution.
static void other_friction_is_another_problem(void **state) {
  stc_generator options = stc_default_generator("painleve");
  stc_problem *p = gallery("painleve", 0, 2.0), *slippery = NULL;
  char text[ROOM];
  options.n = 0;
  options.param = 2.0;
  options.mu = 0.25;
  assert_int_equal(stc_generate(&options, &slippery), STC_OK);
  certificate(p, PAINLEVE, text);
  assert_non_null(strstr(check_certificate(slippery, text, strlen(text)).why, "another problem"));
  assert_false(check(slippery, PAINLEVE).valid);
  stc_problem_free(&slippery);
  stc_problem_free(&p);
}

// Without friction there is no slip apart from the others to be excluded, and no tangential force:
// W = I, q = (-1, 0) has r = (1, 0) only, not r = (1, 1).
static void a_smooth_contact_has_no_friction(void **state) {
  static const double W[] = {1, 0, 0, 1}, q[] = {-1, 0};
  static const char *const body =
      "\"verdict\": \"exists\", \"proof\": \"verified_solution\", \"margin\": null, "
      "\"parts\": [{\"contacts\": [0], \"proof\": \"verified_solution\", \"r\": [[0, \"1\"]]}]";
  stc_problem *p = local(1, W, q, 0.0);
  expect_valid(p, body);
  expect_refused(p, body, "[[0, \"1\"]]", "[[0, \"1\"], [1, \"1\"]]", "breaks its law");
  assert_non_null(strstr(check(p, PAINLEVE).why, "may do"));
  stc_problem_free(&p);
}

// W = (1 2; 2 4 + 2^-50) is regular only by its last bit, and then r = (1 + 2^51, -2^50) holds the
// contact that Painlevé's W lets nobody hold.
static void rounding_holds_no_contact(void **state) {
  static const double W[] = {1, 2, 2, 4 + 0x1p-50}, q[] = {-1, -1};
  stc_problem *p = local(1, W, q, 1.0);
  check_result result =
      check(p, "\"verdict\": \"exists\", \"proof\": \"verified_solution\", \"margin\": null, "
               "\"parts\": [{\"contacts\": [0], \"proof\": \"verified_solution\", "
               "\"r\": [[0, \"2251799813685249\"], [1, \"-1125899906842624\"]]}]");
  assert_false(result.valid);
  assert_non_null(strstr(result.why, "rounding of W"));
  stc_problem_free(&p);
}

// W_NN = (1 -2; -2 1) comes from no mass: y = (1, 1) has g_N = (-1, -1), a contradiction that
// forces take part in. As a proof without forces it is refused.
static void a_kinematic_proof_has_no_forces(void **state) {
  static const double W[] = {1, 0, -2, 0, 0, 1, 0, 0, -2, 0, 1, 0, 0, 0, 0, 1},
                      q[] = {-1, 0, -1, 0};
  static const char *const body =
      "\"verdict\": \"no_solution\", \"proof\": \"kinematic\", \"margin\": null, "
      "\"leaf\": {\"y\": [[0, \"1\"], [2, \"1\"]]}";
  stc_problem *p = local(2, W, q, 0.0);
  expect_refused(p, body, "null", "\"2\"", "uses forces");
  expect_valid(p, "\"verdict\": \"no_solution\", \"proof\": \"mode_tree\", \"margin\": \"2\", "
                  "\"tree\": {\"y\": [[0, \"1\"], [2, \"1\"]]}");
  stc_problem_free(&p);
}

// In the plane with rolling a contact has three components too, which are no friction in space.
static void rolling_is_refused(void **state) {
  static const int at[] = {0}, i[] = {0, 1, 2}, j[] = {0, 0, 0};
  static const double one[] = {1}, x[] = {1, 0, 0}, f[] = {-1}, w[] = {0, 0, 0};
  stc_law law = stc_law_rolling(3, 0.5, 0.1);
  stc_global_data data = {.dim = 3, .contacts = 1, .dofs = 1, .f = f, .w = w, .law = &law};
  stc_problem *p = NULL;
  data.M = (stc_matrix){1, 1, 1, STC_STORAGE_TRIPLET, at, at, one};
  data.H = (stc_matrix){3, 1, 3, STC_STORAGE_TRIPLET, j, i, x};
  if (stc_problem_create_global(&data, &p)) fail_msg("%s", stc_error_detail());
  check_result result = check_certificate(p, "{}", 2);
  assert_false(result.valid);
  assert_non_null(strstr(result.why, "rolling"));
  stc_problem_free(&p);
}

// The existence theorem asks that M is positive definite, or W semi-definite: it is checked and
// said.
static void the_premise_is_said(void **state) {
  stc_problem *p = gallery("painleve", 2, 2.0);
  assert_string_equal(check(p, STRICT_MARGIN).premise, "M is positive definite");
  stc_problem_free(&p);
  p = gallery("painleve", 0, 2.0);
  assert_string_equal(check(p, PAINLEVE).premise, "");
  stc_problem_free(&p);
}

// W = (1 2.1; 2.1 4.4099998) has the eigenvalue -3.7e-8 and q = (-1, -1) no solution, although u is
// inside K* for some r: the theorem does not apply. A slack of 1/1000 makes W semi-definite, but
// the margin does not pay for it.
static void a_premise_that_fails_is_no_proof(void **state) {
  static const double W[] = {1, 2.1, 2.1, 4.4099998}, q[] = {-1, -1};
  static const char *const body =
      "\"verdict\": \"exists\", \"proof\": \"strict_margin\", \"margin\": \"1/100\", "
      "\"slack\": \"0\", \"parts\": [{\"contacts\": [0], \"proof\": \"strict_margin\", "
      "\"margin\": \"1/100\", \"r\": [[0, \"-33599998\"], [1, \"16000000\"]]}]";
  stc_problem *p = local(1, W, q, 1.0);
  check_result result = check(p, body);
  assert_false(result.valid);
  assert_non_null(strstr(result.why, "W is not semi-definite"));
  expect_refused(p, body, "\"slack\": \"0\"", "\"slack\": \"1/1000\"", "does not pay");
  stc_problem_free(&p);
}

// ---- other texts

// Numbers that are none, that no double holds, or that would take hours: refused at once.
static void hostile_numbers_are_refused(void **state) {
  static const char *const numbers[] = {
      "nan",     "inf",      "-inf",  "0x",    "0xnan", "0x1p99999",        "1e999999999",
      "1/-1",    "1//1",     "--1",   "1/0",   "",      "0x1p+0\\u0000",    "1 ",
      "0x1p+0,", "infinity", "0x.p0", "1/2/3", "-",     "0x1p-99999999999x"};
  static char body[600000], text[700000];
  stc_problem *p = gallery("painleve", 0, 2.0);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    expect_refused(p, PAINLEVE, "7/7", numbers[k], "bad entry");
  int n = snprintf(body, sizeof body, "{\"format\": \"stiction-certificate\", \"x\": \"");
  memset(body + n, '7', 500000);
  snprintf(text, sizeof text, "%s\"}", body);
  assert_false(check_certificate(p, text, strlen(text)).valid);
  stc_problem_free(&p);
}

static void expect_cut_refused(const stc_problem *p, const char *text, size_t size) {
  char *part = strndup(text, size);  // its own memory: what is read past its end is seen
  assert_non_null(part);
  if (check_certificate(p, part, size).valid) fail_msg("the first %zu bytes pass", size);
  free(part);
}

// Half a text, a text cut anywhere, brackets without end, nothing: refused, never harmful.
static void broken_texts_are_refused(void **state) {
  static char deep[1000001];
  static const char *const texts[] = {"",
                                      "{}",
                                      "[]",
                                      "null",
                                      "{\"seal\": 1}",
                                      "{\"a\" 1}",
                                      "{,}",
                                      "\"\\",
                                      "{\"format\": {}}",
                                      "1 2",
                                      "[1,]",
                                      "{\"a\": }",
                                      "\"a",
                                      "{\"a\": 1",
                                      "\"\n\""};
  char text[ROOM];
  stc_problem *p = gallery("painleve", 0, 2.0);
  certificate(p, PAINLEVE, text);
  for (size_t cut = 0; cut + 2 < strlen(text); cut++) expect_cut_refused(p, text, cut);
  memset(deep, '[', sizeof deep - 1);
  assert_false(check_certificate(p, deep, sizeof deep - 1).valid);
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    expect_cut_refused(p, texts[k], strlen(texts[k]));
  size_t size = strlen(text);
  snprintf(text + size + 1, sizeof text - size - 1, "and more");  // after a zero
  assert_true(check_certificate(p, text, size).valid);
  assert_false(check_certificate(p, text, size + 9).valid);
  text[20] = 0;  // a zero inside
  assert_false(check_certificate(p, text, size).valid);
  stc_problem_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_altered_digit_is_seen),
      cmocka_unit_test(sealed_anew_it_is_no_false_proof),
      cmocka_unit_test(hollow_trees_are_refused),
      cmocka_unit_test(crooked_sectors_are_refused),
      cmocka_unit_test(a_leaf_excludes_all_of_its_sector),
      cmocka_unit_test(a_part_is_not_the_whole),
      cmocka_unit_test(contacts_close_for_each_other),
      cmocka_unit_test(a_smooth_contact_has_no_friction),
      cmocka_unit_test(rounding_holds_no_contact),
      cmocka_unit_test(a_kinematic_proof_has_no_forces),
      cmocka_unit_test(other_friction_is_another_problem),
      cmocka_unit_test(rolling_is_refused),
      cmocka_unit_test(the_premise_is_said),
      cmocka_unit_test(a_premise_that_fails_is_no_proof),
      cmocka_unit_test(hostile_numbers_are_refused),
      cmocka_unit_test(broken_texts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
