// The checker of certificates on a tree over the corners and edges of a triangular cone, made by
// hand. One body, H = (1, 2, 0), w = (0, 1, 0), f = 1, M = 1: u_N = r_N + 2 r_1 - 1 and u_1 = 2 u_N
// + 1, so that a closed contact slides forward with u_1 = 1, r = r_N (1, -1, 0) at the corner
// (-1, 0), u_N = -r_N - 1 < 0: there is no solution. With the tip of the triangle at (1/4, 0) there
// is no friction to speak of, and there is one.
#include "certificates.h"

#include <stiction/cert.h>

// Corners (tip, 0), (tip + 3/2, -1), (tip + 3/2, 1); edges from each to the next.
static stc_problem *triangle(double tip, stc_cone_section **section) {
  const double corner[6] = {tip, 0.0, tip + 1.5, -1.0, tip + 1.5, 1.0};
  const double one = 1.0, H[3] = {1.0, 2.0, 0.0}, w[3] = {0.0, 1.0, 0.0};
  const int zero[3] = {0, 0, 0}, row[3] = {0, 1, 2};
  stc_problem *problem = NULL;
  assert_int_equal(stc_cone_section_polygon(3, corner, section), STC_OK);
  stc_law law = stc_law_section(*section);
  stc_global_data data = {.dim = 3, .contacts = 1, .dofs = 1, .f = &one, .w = w, .law = &law};
  data.M = (stc_matrix){1, 1, 1, STC_STORAGE_TRIPLET, zero, zero, &one};
  data.H = (stc_matrix){3, 1, 3, STC_STORAGE_TRIPLET, zero, row, H};
  assert_int_equal(stc_problem_create_global(&data, &problem), STC_OK);
  return problem;
}

// y = (2, -1, c) has H^T y = 0 and y.w = -1; y = (1, 0, 0) has g = (1, 2, 0).
#define BALANCED(c)       "{\"y\": [[0, \"2\"], [1, \"-1\"], [2, \"" c "\"]], \"lambda\": []}"
#define PRESSED           "{\"y\": [[0, \"1\"]], \"lambda\": [[0, \"1\"]]}"
#define CHILD(mode, node) "{\"mode\": " mode ", \"node\": " node "}"
#define TREE                                                                                                                                           \
  "\"verdict\": \"no_solution\", \"proof\": \"mode_tree\", \"margin\": \"1/2\",\n"                                                                     \
  "\"tree\": {\"contact\": 0, \"children\": [" CHILD("\"open\"", PRESSED) ",\n" CHILD("\"stick\"", BALANCED("0")) ",\n" CHILD(                         \
      "\"slip\", \"corners\": [0, 0]",                                                                                                                 \
      PRESSED) ",\n" CHILD("\"slip\", \"edge\": 0",                                                                                                    \
                           BALANCED(                                                                                                                   \
                               "1")) ",\n" CHILD("\"slip\", \"corners\": [1, 2]",                                                                      \
                                                 "{\"contact\": 0, \"children\": [" CHILD(                                                             \
                                                     "\"slip\", \"corners\": [1, 1]",                                                                  \
                                                     BALANCED(                                                                                         \
                                                         "1")) ",\n" CHILD("\"slip\", \"edge\": "                                                      \
                                                                           "1",                                                                        \
                                                                           BALANCED(                                                                   \
                                                                               "0")) ",\n" CHILD("\"slip\", \"corners\": [2, 2]",                      \
                                                                                                 BALANCED(                                             \
                                                                                                     "-1")) "]}") ",\n" CHILD("\"slip\", \"edge\": 2", \
                                                                                                                              BALANCED(                \
                                                                                                                                  "-1")) "]}"

static void a_tree_of_faces(void **state) {
  stc_cone_section *section = NULL;
  stc_problem *p = triangle(-1.0, &section);
  expect_valid(p, TREE);
  // a corner, an edge, and the edge within a run that is divided are left out
  expect_refused(p, TREE, "\"corners\": [0, 0]", "\"corners\": [1, 1]", "may do");
  expect_refused(p, TREE, "\"edge\": 0", "\"edge\": 2", "may do");
  expect_refused(p, TREE, "\"edge\": 1", "\"edge\": 0", "may do");
  expect_refused(p, TREE, "\"corners\": [2, 2]", "\"corners\": [1, 1]", "may do");
  expect_refused(p, TREE, "\"corners\": [1, 2]", "\"corners\": [2, 1]", "may do");
  expect_refused(p, TREE, "\"corners\": [1, 2]", "\"corners\": [1, 3]", "may do");
  expect_refused(p, TREE, "\"edge\": 2", "\"edge\": 3", "may do");
  expect_refused(p, TREE, "\"mode\": \"stick\"", "\"mode\": \"open\"", "may do");
  // at corner 1 the velocities reach from (1, 3/2) to (-2, 0): c >= 2/3
  expect_refused(p, TREE, CHILD("\"slip\", \"corners\": [1, 1]", BALANCED("1")),
                 CHILD("\"slip\", \"corners\": [1, 1]", BALANCED("1/2")), "exclude its mode");
  expect_refused(p, TREE, CHILD("\"slip\", \"edge\": 2", BALANCED("-1")),
                 CHILD("\"slip\", \"edge\": 2", BALANCED("1")), "exclude its mode");
  // along edge 0 the reaction may be that of corner 1, with g.r = 2
  expect_refused(p, TREE, CHILD("\"slip\", \"edge\": 0", BALANCED("1")),
                 CHILD("\"slip\", \"edge\": 0", PRESSED), "exclude its mode");
  stc_problem_free(&p);
  stc_cone_section_free(&section);
}

// The tip at -1/4: u_N = r_N / 2 - 1 vanishes at r_N = 2.
static void a_tree_holds_for_its_cone_only(void **state) {
  stc_cone_section *section = NULL;
  stc_problem *p = triangle(-0.25, &section);
  assert_false(check(p, TREE).valid);
  expect_valid(p, "\"verdict\": \"exists\", \"proof\": \"verified_solution\", \"margin\": null,\n"
                  "\"parts\": [{\"contacts\": [0], \"proof\": \"verified_solution\", "
                  "\"v\": [], \"r\": [[0, \"2\"], [1, \"-1/2\"]]}]");
  expect_refused(p,
                 "\"verdict\": \"exists\", \"proof\": \"verified_solution\", \"margin\": null,\n"
                 "\"parts\": [{\"contacts\": [0], \"proof\": \"verified_solution\", "
                 "\"v\": [], \"r\": [[0, \"2\"], [1, \"-1/2\"]]}]",
                 "[[0, \"2\"], [1, \"-1/2\"]]", "[[0, \"4\"], [1, \"-3/2\"]]", "breaks its law");
  stc_problem_free(&p);
  stc_cone_section_free(&section);
}

// A round section has neither a certificate nor a checker, and both say so.
static void round_sections_are_refused(void **state) {
  stc_cone_section *section = NULL;
  stc_superellipse shape = {.a = 0.5, .b = 0.25, .exponent = 3.0};
  stc_certificate *certificate = NULL;
  stc_problem *p = triangle(-1.0, &section), *round = NULL;
  stc_cone_section_free(&section);
  assert_int_equal(stc_cone_section_superellipse(&shape, &section), STC_OK);
  stc_law law = stc_law_section(section);
  stc_global_data data = stc_problem_global_data(p);
  data.law = &law;
  assert_int_equal(stc_problem_create_global(&data, &round), STC_OK);
  assert_int_equal(stc_certify(round, NULL, &certificate), STC_ERR_UNSUPPORTED);
  assert_non_null(strstr(stc_error_detail(), "the section of its cone is round"));
  check_result result = check_certificate(round, "{}", 2);
  assert_non_null(strstr(result.why, "round sections"));
  stc_problem_free(&round);
  // and so have laws that dilate
  law = stc_law_coulomb(3, 0.5);
  law.dilatancy = 0.5;
  assert_int_equal(stc_problem_create_global(&data, &round), STC_OK);
  assert_int_equal(stc_certify(round, NULL, &certificate), STC_ERR_UNSUPPORTED);
  assert_non_null(strstr(stc_error_detail(), "dilates"));
  assert_non_null(strstr(check_certificate(round, "{}", 2).why, "dilatancy"));
  stc_problem_free(&round);
  stc_problem_free(&p);
  stc_cone_section_free(&section);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_tree_of_faces),
                                     cmocka_unit_test(a_tree_holds_for_its_cone_only),
                                     cmocka_unit_test(round_sections_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
