// The checker of certificates on proofs made by hand: right ones pass, wrong ones are refused with
// the sentence that names the step, and no text whatever harms it.
#include "certify/check.h"
#include "certify/checker.h"
#include "expect.h"

#include <stdio.h>

#include <stiction/gallery.h>

static stc_problem *gallery(const char *kind, int n, double param) {
  stc_gallery options = stc_default_gallery(kind);
  stc_problem *problem = NULL;
  options.n = n;
  options.param = param;
  if (stc_gallery_generate(&options, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// ---- texts

enum { ROOM = 20000 };

// The word that the checker's refusal ends with: the fingerprint or the seal it expects.
static void expected_word(const stc_problem *problem, const char *text, char *word) {
  check_result result = check_certificate(problem, text, strlen(text));
  const char *blank = strrchr(result.why, ' ');
  if (!blank) fail_msg("the checker says '%s'", result.why);
  snprintf(word, 40, "%s", blank + 1);
}

static void assemble(const stc_problem *problem, const char *body, const char *print,
                     const char *seal, char *text) {
  int n = snprintf(text, ROOM,
                   "{\"format\": \"stiction-certificate\", \"version\": 1,\n"
                   "\"problem\": {\"form\": \"%s\", \"dim\": %d, \"contacts\": %d, \"dofs\": %d, "
                   "\"equalities\": %d, \"fingerprint\": \"%s\"},\n%s,\n\"seal\": \"%s\"}\n",
                   stc_problem_form(problem) == STC_FORM_LOCAL ? "local" : "global",
                   stc_problem_dim(problem), stc_problem_contacts(problem),
                   stc_problem_dofs(problem), stc_problem_equalities(problem), print, body, seal);
  assert_in_range(n, 1, ROOM - 1);
}

// A whole certificate around its proof.
static void certificate(const stc_problem *problem, const char *body, char *text) {
  char print[40] = "?", seal[40] = "?";
  assemble(problem, body, print, seal, text);
  expected_word(problem, text, seal);
  assemble(problem, body, print, seal, text);
  expected_word(problem, text, print);
  assemble(problem, body, print, seal, text);
  expected_word(problem, text, seal);
  assemble(problem, body, print, seal, text);
}

static check_result check(const stc_problem *problem, const char *body) {
  static char text[ROOM];
  certificate(problem, body, text);
  return check_certificate(problem, text, strlen(text));
}

static void expect_valid(const stc_problem *problem, const char *body) {
  check_result result = check(problem, body);
  if (!result.valid) fail_msg("refused: %s", result.why);
}

// The body with one piece replaced is refused with these words.
static void expect_refused(const stc_problem *problem, const char *body, const char *piece,
                           const char *other, const char *words) {
  char changed[ROOM];
  const char *at = strstr(body, piece);
  if (!at) fail_msg("'%s' is not in the proof", piece);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - body), body, other, at + strlen(piece));
  check_result result = check(problem, changed);
  if (result.valid || !strstr(result.why, words))
    fail_msg("'%s' for '%s': '%s' instead of '%s'", other, piece, result.why, words);
}

// ---- proofs that there is no solution

// Painlevé, M = 1, H = (1, 2), w = (0, 1), f = 1, mu = 1: lambda = y_N + 2 y_T, g = lambda (1, 2),
// depth = lambda - y_T. y = (1, 0): lambda = 1, g = (1, 2), depth 1, excludes open and slip
// forward (g_N - g' = -1). y = (2, -1): lambda = 0, g = 0, depth 1, excludes stick and slip back.
static const char *const PAINLEVE =
    "\"verdict\": \"no_solution\", \"proof\": \"mode_tree\", \"margin\": \"1/2\", \"nodes\": 5,\n"
    "\"tree\": {\"contact\": 0, \"children\": [\n"
    " {\"mode\": \"open\", \"node\": {\"y\": [[0, \"0x1p+0\"]], \"lambda\": [[0, \"1\"]]}},\n"
    " {\"mode\": \"stick\", \"node\": {\"y\": [[0, \"2\"], [1, \"-1\"]], \"lambda\": []}},\n"
    " {\"mode\": \"slip\", \"sign\": 1, \"node\": {\"y\": [[0, \"7/7\"]], \"lambda\": [[0, "
    "\"1\"]]}},\n"
    " {\"mode\": \"slip\", \"sign\": -1, \"node\": {\"y\": [[0, \"2\"], [1, \"-1\"]]}}]}";

static void a_tree_of_modes(void **state) {
  (void)state;
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
  (void)state;
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

// Every digit of the text, one after another, replaced by another digit: refused each time.
static void one_altered_digit_is_seen(void **state) {
  (void)state;
  stc_problem *p = gallery("painleve", 0, 2.0);
  char text[ROOM];
  int digits = 0;
  certificate(p, PAINLEVE, text);
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

// In 3D with w = (0, 1, 0): slip near u' = (1, 0) is excluded like slip forward above, as 3/5 of g'
// is more than g_N; the other sectors by y = (2, -1, y_2), lambda = 0, where z.a >= 0 and z.b >= 0.
#define LEAF3(y2) "\"node\": {\"y\": [[0, \"2\"], [1, \"-1\"], [2, \"" y2 "\"]]}"
static const char *const SECTORS =
    "\"verdict\": \"no_solution\", \"proof\": \"sector_tree\", \"margin\": \"1/2\",\n"
    "\"tree\": {\"contact\": 0, \"children\": [\n"
    " {\"mode\": \"open\", \"node\": {\"y\": [[0, \"1\"]], \"lambda\": [[0, \"1\"]]}},\n"
    " {\"mode\": \"stick\", " LEAF3(
        "0") "},\n"
             " {\"mode\": \"slip\", \"from\": [\"3/5\", \"-4/5\"], \"to\": [\"3/5\", \"4/5\"], "
             "\"node\":\n"
             "  {\"contact\": 0, \"children\": [\n"
             "   {\"mode\": \"slip\", \"from\": [\"3/5\", \"-4/5\"], \"to\": [\"1\", \"0\"],\n"
             "    \"node\": {\"y\": [[0, \"1\"]], \"lambda\": [[0, \"1\"]]}},\n"
             "   {\"mode\": \"slip\", \"from\": [\"1\", \"0\"], \"to\": [\"3/5\", \"4/5\"],\n"
             "    \"node\": {\"y\": [[0, \"1\"]], \"lambda\": [[0, \"1\"]]}}]}},\n"
             " {\"mode\": \"slip\", \"from\": [\"3/5\", \"4/5\"], \"to\": [\"-3/5\", "
             "\"4/5\"], " LEAF3("1") "},\n"
                                     " {\"mode\": \"slip\", \"from\": [\"-3/5\", \"4/5\"], \"to\": "
                                     "[\"-3/5\", \"-4/5\"], " LEAF3(
                                         "0") "},\n"
                                              " {\"mode\": \"slip\", \"from\": [\"-3/5\", "
                                              "\"-4/5\"], \"to\": [\"3/5\", \"-4/5\"], " LEAF3(
                                                  "-1") "}]}";

static void a_tree_of_sectors(void **state) {
  (void)state;
  stc_problem *p = gallery("painleve3d", 0, 0.0);
  expect_valid(p, SECTORS);
  // a gap, a sector that begins elsewhere, a direction that is not of length 1
  expect_refused(p, SECTORS, "\"to\": [\"1\", \"0\"]", "\"to\": [\"4/5\", \"-3/5\"]", "may do");
  expect_refused(p, SECTORS, "\"from\": [\"-3/5\", \"4/5\"]", "\"from\": [\"-4/5\", \"3/5\"]",
                 "may do");
  expect_refused(p, SECTORS, "\"to\": [\"1\", \"0\"]", "\"to\": [\"2\", \"0\"]", "may do");
  expect_refused(p, SECTORS, "\"to\": [\"1\", \"0\"]", "\"to\": [\"1\"]", "may do");
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

// A wall on either side that both push: H_N = (1; -1), w_N = (-1; -1): y = (1, 1) adds to -2 >= 0.
static stc_problem *squeezed(void) {
  static const int i[] = {0, 2}, j[] = {0, 0}, zero = 0;
  static const double x[] = {1, -1}, one = 1, f = 0, w[] = {-1, 0, -1, 0}, mu[] = {0.5, 0.5};
  stc_global_data data = {.dim = 2, .contacts = 2, .dofs = 1};
  stc_problem *problem = NULL;
  data.M = (stc_matrix){1, 1, 1, STC_STORAGE_TRIPLET, &zero, &zero, &one};
  data.H = (stc_matrix){4, 1, 2, STC_STORAGE_TRIPLET, j, i, x};
  data.f = &f;
  data.w = w;
  data.mu = mu;
  assert_int_equal(stc_problem_create_global(&data, &problem), STC_OK);
  return problem;
}

static const char *const SQUEEZED =
    "\"verdict\": \"no_solution\", \"proof\": \"kinematic\", \"margin\": \"2\",\n"
    "\"leaf\": {\"y\": [[0, \"1\"], [2, \"1\"]]}";

static void a_kinematic_proof(void **state) {
  (void)state;
  stc_problem *p = squeezed();
  expect_valid(p, SQUEEZED);
  expect_refused(p, SQUEEZED, "[2, \"1\"]", "[2, \"2\"]", "do not cancel");
  expect_refused(p, SQUEEZED, "[0, \"1\"], [2, \"1\"]", "[0, \"-1\"], [2, \"-1\"]", "depth");
  expect_refused(p, SQUEEZED, "\"kinematic\"", "\"sector_tree\"", "no known proof");
  stc_problem_free(&p);
}

// ---- proofs of existence

// Painlevé with w_T = -1: v = 1/2 gives u = (1/2, 0), margin 1/2.
static const char *const STRICT_MARGIN =
    "\"verdict\": \"exists\", \"proof\": \"strict_margin\", \"margin\": \"1/2\",\n"
    "\"parts\": [{\"contacts\": [0], \"proof\": \"strict_margin\", \"margin\": \"0x1p-1\",\n"
    "\"v\": [[0, \"0x1p-1\"]]}]";

static void a_strict_margin(void **state) {
  (void)state;
  stc_problem *p = gallery("painleve", 2, 2.0);
  expect_valid(p, STRICT_MARGIN);
  expect_refused(p, STRICT_MARGIN, "[[0, \"0x1p-1\"]]", "[[0, \"0x1p-2\"]]", "margin of its part");
  expect_refused(p, STRICT_MARGIN, "\"0x1p-1\",", "\"0x1.0000000000001p-1\",",
                 "margin of its part");
  expect_refused(p, STRICT_MARGIN, "\"0x1p-1\",", "\"-1/2\",", "cannot have");
  expect_refused(p, STRICT_MARGIN, "\"margin\": \"1/2\"", "\"margin\": \"3/4\"",
                 "not that of the proof");
  expect_refused(p, STRICT_MARGIN, "\"contacts\": [0]", "\"contacts\": []", "in no part");
  expect_refused(p, STRICT_MARGIN, "\"contacts\": [0]", "\"contacts\": [0, 0]", "wrong contact");
  expect_refused(p, STRICT_MARGIN, "\"proof\": \"strict_margin\", \"margin\": \"1/2\"",
                 "\"proof\": \"weak_2d\", \"margin\": \"1/2\"", "the proof is");
  stc_problem_free(&p);
}

// The second contact keeps v >= 1, so that u_N = v of the first is u_N of the second plus 1;
// without the first, v = 2 has margin 1.
static const char *const NEVER_CLOSING =
    "\"verdict\": \"exists\", \"proof\": \"strict_margin\", \"margin\": \"1\",\n"
    "\"parts\": [{\"contacts\": [0, 1], \"proof\": \"strict_margin\", \"margin\": \"1\",\n"
    "\"v\": [[0, \"2\"]], \"never_closing\": [{\"contact\": 0, \"y\": [[1, \"1\"]]}]}]";

static void a_contact_that_never_closes(void **state) {
  (void)state;
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

// Painlevé with f = -1: slip v = 0, r = (1, -1), and take-off v = 1, r = 0; all 4 modes decided.
static const char *const TWO_SOLUTIONS =
    "\"verdict\": \"exists\", \"proof\": \"verified_solution\", \"margin\": null,\n"
    "\"parts\": [{\"contacts\": [0], \"proof\": \"verified_solution\",\n"
    "\"r\": [[0, \"1\"], [1, \"-1\"]], \"v\": []}],\n"
    "\"enumeration\": [{\"contacts\": [0], \"sets\": [{\"r\": [], \"v\": [[0, \"1\"]]},\n"
    "{\"r\": [[0, \"1\"], [1, \"-1\"]], \"v\": []}], \"tree\": {\"contact\": 0, \"children\": [\n"
    "{\"mode\": \"open\", \"node\": {\"set\": 0}},\n"
    "{\"mode\": \"stick\", \"node\": {\"y\": [[0, \"2\"], [1, \"-1\"]]}},\n"
    "{\"mode\": \"slip\", \"sign\": 1, \"node\": {\"set\": 1}},\n"
    "{\"mode\": \"slip\", \"sign\": -1, \"node\": {\"y\": [[0, \"2\"], [1, \"-1\"]]}}]}}]";

static void solutions_in_the_plane(void **state) {
  (void)state;
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

// ---- boxes

// Slip in 3D, delta = 2: u' = (1, 2), r_N = N = 1 / (1 - 2/sqrt 5), p = N (1, 2)/sqrt 5, lambda =
// sqrt 5 / N, v = 0. Unknowns v, r_N, p1, p2, lambda.
static void jacobian(const double *x, double J[5][5]) {
  const double rows[5][5] = {{1, -1, 2, 0, 0},  // v + f - H^T r, r = (r_N, -p1, -p2)
                             {1, 0, 0, 0, 0},   // u_N = v
                             {2, 0, -x[4], 0, -x[2]},
                             {0, 0, 0, -x[4], -x[3]},
                             {0, -2 * x[1], 2 * x[2], 2 * x[3], 0}};
  memcpy(J, rows, sizeof rows);
}

static void invert(double A[5][5], double Y[5][5]) {
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) Y[i][j] = i == j;
  for (int k = 0; k < 5; k++) {
    int p = k;
    for (int i = k; i < 5; i++) p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
    for (int j = 0; j < 5; j++) {
      double a = A[k][j], y = Y[k][j];
      A[k][j] = A[p][j], A[p][j] = a, Y[k][j] = Y[p][j], Y[p][j] = y;
    }
    for (int i = 0; i < 5; i++) {
      double factor = A[i][k] / A[k][k];
      for (int j = 0; i != k && j < 5; j++)
        A[i][j] -= factor * A[k][j], Y[i][j] -= factor * Y[k][j];
    }
    for (int j = 4; j >= 0; j--) Y[k][j] /= A[k][k];
    for (int j = 4; j >= 0; j--) A[k][j] /= j == k ? 1.0 : A[k][k];
    A[k][k] = 1.0;
  }
}

static void vector(char *text, const double *x) {
  int n = 0;
  for (int k = 0; k < 5; k++)
    n += snprintf(text + n, 400 - (size_t)n, "%s[%d, \"%a\"]", k ? ", " : "", k, x[k]);
}

static void box_of(double shift, double radius, const char *status, char *body) {
  double N = 1.0 / (1.0 - 2.0 / sqrt(5.0)), J[5][5], Y[5][5], radii[5];
  double x[5] = {0.0, N + shift, N / sqrt(5.0), 2.0 * N / sqrt(5.0), sqrt(5.0) / N};
  char text[7][400];
  jacobian(x, J);
  invert(J, Y);
  for (int k = 0; k < 5; k++) radii[k] = radius, vector(text[k], Y[k]);
  vector(text[5], x);
  vector(text[6], radii);
  snprintf(
      body, ROOM,
      "\"verdict\": \"exists\", \"proof\": \"verified_solution\", \"margin\": null,\n"
      "\"parts\": [{\"contacts\": [0], \"proof\": \"verified_solution\", \"status\": [\"%s\"],\n"
      "\"x\": [%s], \"radius\": [%s],\n\"inverse\": [[%s], [%s], [%s], [%s], [%s]]}]",
      status, text[5], text[6], text[0], text[1], text[2], text[3], text[4]);
}

static void a_box_around_a_slip(void **state) {
  (void)state;
  char body[ROOM];
  stc_problem *p = gallery("painleve3d", 0, 2.0);
  box_of(0.0, 1e-6, "slip", body);
  expect_valid(p, body);
  expect_refused(p, body, "\"slip\"", "\"stick\"", "bad entry");
  expect_refused(p, body, "\"slip\"", "\"open\"", "bad entry");
  expect_refused(p, body, "[\"slip\"]", "[\"slip\", \"slip\"]", "do not fit");
  expect_refused(p, body, "\"inverse\": [[", "\"inverse\": [[], [", "row 0");
  box_of(1e-3, 1e-6, "slip", body);  // the centre is off by more than the radius
  assert_non_null(strstr(check(p, body).why, "not shown to hold"));
  box_of(0.0, 1.0, "slip", body);  // so large that the quadratic part decides
  assert_false(check(p, body).valid);
  stc_problem_free(&p);
  p = gallery("painleve3d", 0, 1.5);  // no solution there
  box_of(0.0, 1e-6, "slip", body);
  assert_false(check(p, body).valid);
  stc_problem_free(&p);
}

// ---- other texts

// FNV-1a of nothing is its start; of "a" it is af63dc4c8601ec8c   [Noll's test vectors].
static void the_hash_is_fnv(void **state) {
  (void)state;
  assert_true(hash_bytes(0xcbf29ce484222325u, "a", 1) == 0xaf63dc4c8601ec8cu);
  assert_true(hash_bytes(0xcbf29ce484222325u, "foobar", 6) == 0x85944171f73967e8u);
}

static void undecided_proves_nothing(void **state) {
  (void)state;
  stc_problem *p = gallery("painleve", 0, 2.0);
  check_result result = check(p, "\"verdict\": \"undecided\", \"proof\": null");
  assert_true(result.undecided && !result.valid);
  assert_string_equal(result.verdict, "undecided");
  stc_problem_free(&p);
}

// Half a text, a text cut anywhere, brackets without end, nothing: refused, never harmful.
static void broken_texts_are_refused(void **state) {
  (void)state;
  static char deep[100000];
  char text[ROOM];
  stc_problem *p = gallery("painleve", 0, 2.0);
  certificate(p, PAINLEVE, text);
  for (size_t size = 0; size + 2 < strlen(text); size++)
    assert_false(check_certificate(p, text, size).valid);
  memset(deep, '[', sizeof deep);
  assert_false(check_certificate(p, deep, sizeof deep).valid);
  static const char *const texts[] = {
      "",   "{}", "[]", "null", "{\"seal\": 1}", "{\"a\" 1}", "{,}", "\"\\", "{\"format\": {}}",
      "1 2"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    assert_false(check_certificate(p, texts[k], strlen(texts[k])).valid);
  stc_problem_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hash_is_fnv),
      cmocka_unit_test(a_tree_of_modes),
      cmocka_unit_test(a_proof_holds_for_its_problem_only),
      cmocka_unit_test(one_altered_digit_is_seen),
      cmocka_unit_test(a_tree_of_sectors),
      cmocka_unit_test(a_kinematic_proof),
      cmocka_unit_test(a_strict_margin),
      cmocka_unit_test(a_contact_that_never_closes),
      cmocka_unit_test(solutions_in_the_plane),
      cmocka_unit_test(a_box_around_a_slip),
      cmocka_unit_test(undecided_proves_nothing),
      cmocka_unit_test(broken_texts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
