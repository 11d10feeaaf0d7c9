// Certificates made by hand, with the problems they are about: what the tests of the checker share.
#ifndef STICTION_TESTS_CERTIFICATES_H
#define STICTION_TESTS_CERTIFICATES_H

#include "certify/certificate_check.h"
#include "gallery.h"

#include <stdio.h>

// ---- texts

enum { ROOM = 20000 };

// The word that the checker's refusal ends with: the fingerprint or the seal it expects.
static inline void expected_word(const stc_problem *problem, const char *text, char *word) {
  check_result result = check_certificate(problem, text, strlen(text));
  const char *blank = strrchr(result.why, ' ');
  if (!blank) fail_msg("the checker says '%s'", result.why);
  snprintf(word, 40, "%s", blank + 1);
}

static inline void assemble(const stc_problem *problem, const char *body, const char *print,
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
static inline void certificate(const stc_problem *problem, const char *body, char *text) {
  char print[40] = "?", seal[40] = "?";
  assemble(problem, body, print, seal, text);
  expected_word(problem, text, seal);
  assemble(problem, body, print, seal, text);
  expected_word(problem, text, print);
  assemble(problem, body, print, seal, text);
  expected_word(problem, text, seal);
  assemble(problem, body, print, seal, text);
}

static inline check_result check(const stc_problem *problem, const char *body) {
  static char text[ROOM];
  certificate(problem, body, text);
  return check_certificate(problem, text, strlen(text));
}

static inline void expect_valid(const stc_problem *problem, const char *body) {
  check_result result = check(problem, body);
  if (!result.valid) fail_msg("refused: %s", result.why);
}

// The body with one piece replaced is refused with these words.
static inline void expect_refused(const stc_problem *problem, const char *body, const char *piece,
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

// One degree of freedom, M = 1, two components per contact or three.
static inline stc_problem *one_body(int dim, int contacts, const double *H, const double *w,
                                    double f) {
  static const int zero = 0, cols[6] = {0};
  static const int rows[6] = {0, 1, 2, 3, 4, 5};
  static const double one = 1, mu[] = {1, 1};
  stc_global_data data = {.dim = dim, .contacts = contacts, .dofs = 1, .f = &f, .w = w, .mu = mu};
  stc_problem *problem = NULL;
  data.M = (stc_matrix){1, 1, 1, STC_STORAGE_TRIPLET, &zero, &zero, &one};
  data.H = (stc_matrix){dim * contacts, 1, dim * contacts, STC_STORAGE_TRIPLET, cols, rows, H};
  if (stc_problem_create_global(&data, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// A W of one contact in the plane, or of the normals of two without friction.
static inline stc_problem *local(int contacts, const double *W, const double *q, double mu) {
  int size = 2 * contacts, i[16], j[16];
  const double coefficients[] = {mu, mu};
  stc_local_data data = {.dim = 2, .contacts = contacts, .q = q, .mu = coefficients};
  stc_problem *problem = NULL;
  for (int k = 0; k < size * size; k++) i[k] = k / size, j[k] = k % size;
  data.W = (stc_matrix){size, size, size * size, STC_STORAGE_TRIPLET, j, i, W};
  if (stc_problem_create_local(&data, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// A wall on either side: H_N = (1; -1), w_N = (push; push). With push = -1 y = (1, 1) adds to
// -2 >= 0; with push = 0 v = 0 has u = 0, on the edge of K*.
static inline stc_problem *squeezed(double push) {
  static const int i[] = {0, 2}, j[] = {0, 0}, zero = 0;
  static const double x[] = {1, -1}, one = 1, f = 0, mu[] = {0.5, 0.5};
  const double w[] = {push, 0, push, 0};
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

// ---- proofs of existence

// Painlevé with w_T = -1: v = 1/2 gives u = (1/2, 0), margin 1/2.
static const char *const STRICT_MARGIN =
    "\"verdict\": \"exists\", \"proof\": \"strict_margin\", \"margin\": \"1/2\",\n"
    "\"parts\": [{\"contacts\": [0], \"proof\": \"strict_margin\", \"margin\": \"0x1p-1\",\n"
    "\"v\": [[0, \"0x1p-1\"]]}]";

static const char *const WEAK =
    "\"verdict\": \"exists\", \"proof\": \"weak_2d\", \"margin\": \"0x0p+0\",\n"
    "\"parts\": [{\"contacts\": [0, 1], \"proof\": \"weak_2d\", \"margin\": \"0x0p+0\", \"v\": "
    "[]}]";

// The second contact keeps v >= 1, so that u_N = v of the first is u_N of the second plus 1;
// without the first, v = 2 has margin 1.
static const char *const NEVER_CLOSING =
    "\"verdict\": \"exists\", \"proof\": \"strict_margin\", \"margin\": \"1\",\n"
    "\"parts\": [{\"contacts\": [0, 1], \"proof\": \"strict_margin\", \"margin\": \"1\",\n"
    "\"v\": [[0, \"2\"]], \"never_closing\": [{\"contact\": 0, \"y\": [[1, \"1\"]]}]}]";

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

// ---- boxes

// Slip in 3D, delta = 2: u' = (1, 2), r_N = N = 1 / (1 - 2/sqrt 5), p = N (1, 2)/sqrt 5, lambda =
// sqrt 5 / N, v = 0. Unknowns v, r_N, p1, p2, lambda.
static inline void jacobian(const double *x, double J[5][5]) {
  const double rows[5][5] = {{1, -1, 2, 0, 0},  // v + f - H^T r, r = (r_N, -p1, -p2)
                             {1, 0, 0, 0, 0},   // u_N = v
                             {2, 0, -x[4], 0, -x[2]},
                             {0, 0, 0, -x[4], -x[3]},
                             {0, -2 * x[1], 2 * x[2], 2 * x[3], 0}};
  memcpy(J, rows, sizeof rows);
}

static inline void invert(double A[5][5], double Y[5][5]) {
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

static inline void vector(char *text, const double *x) {
  int n = 0;
  for (int k = 0; k < 5; k++)
    n += snprintf(text + n, 400 - (size_t)n, "%s[%d, \"%a\"]", k ? ", " : "", k, x[k]);
}

// With side = -1 friction acts along u' instead of against it: p = -N u'/|u'|, lambda < 0.
typedef struct slip {
  double delta, side, shift, radius;
  const char *status;
} slip;

static const slip RIGHT = {2.0, 1.0, 0.0, 0x1p-20, "slip"};

static inline void box_of(slip s, char *body) {
  double speed = hypot(1.0, s.delta), N = 1.0 / (1.0 - 2.0 * s.side / speed), J[5][5], Y[5][5];
  double p = s.side * N / speed, radii[5];
  double x[5] = {0.0, N + s.shift, p, s.delta * p, s.side * speed / N};
  char text[7][400];
  jacobian(x, J);
  invert(J, Y);
  for (int k = 0; k < 5; k++) radii[k] = s.radius, vector(text[k], Y[k]);
  vector(text[5], x);
  vector(text[6], radii);
  snprintf(
      body, ROOM,
      "\"verdict\": \"exists\", \"proof\": \"verified_solution\", \"margin\": null,\n"
      "\"parts\": [{\"contacts\": [0], \"proof\": \"verified_solution\", \"status\": [\"%s\"],\n"
      "\"x\": [%s], \"radius\": [%s],\n\"inverse\": [[%s], [%s], [%s], [%s], [%s]]}]",
      s.status, text[5], text[6], text[0], text[1], text[2], text[3], text[4]);
}

#endif
