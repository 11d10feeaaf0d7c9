// Connected components of the contacts, in both forms, with joints and with immovable contacts.
#include "samples.h"

static void expect_components(const stc_problem *p, int count, const int *expected) {
  int found[16], number = -1;
  assert_int_equal(stc_problem_components(p, found, &number), STC_OK);
  assert_int_equal(number, count);
  for (int c = 0; c < stc_problem_contacts(p); c++) assert_int_equal(found[c], expected[c]);
  assert_int_equal(stc_problem_components(p, NULL, &number), STC_OK);
  assert_int_equal(number, count);
}

static void boxes_are_apart(void **state) {
  stc_problem *boxes = sample_boxes(2), *local = NULL;
  const int expected[] = {0, 0, 0, 0, 1, 1, 1, 1};
  expect_components(boxes, 2, expected);
  assert_int_equal(stc_problem_to_local(boxes, &local), STC_OK);
  expect_components(local, 2, expected);
  stc_problem_free(&local);
  stc_problem_free(&boxes);
}

static void local_blocks_connect(void **state) {
  // Contacts 0 and 2 share W(1, 4), contact 1 is alone, contact 3 has no entry at all.
  double W[64] = {0};
  for (int i = 0; i < 6; i++) W[i * 8 + i] = 1;
  W[1 * 8 + 4] = W[4 * 8 + 1] = 0.5;
  stc_problem *p = sample_local(4, W);
  expect_components(p, 3, (const int[]){0, 1, 0, 2});
  stc_problem_free(&p);
}

static void stored_zeros_do_not_connect(void **state) {
  stc_problem *p = sample_zero_stored();
  expect_components(p, 2, (const int[]){0, 1});
  stc_problem_free(&p);
}

/// Two particles on a floor, (x1, y1, x2, y2); a contact each, and a third contact between two
/// immovable bodies. `joint`: the row of a joint, or NULL.
static stc_problem *particles(const double *joint) {
  const double M[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, zero[6] = {0};
  const double H[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0};
  dense_global d = {.dim = 2, .contacts = 3, .dofs = 4, .M = M, .H = H, .f = zero, .w = zero};
  d.mu = zero;
  if (joint) d.equalities = 1, d.G = joint, d.b = zero;
  return make_global(&d);
}

static void joints_connect_in_both_forms(void **state) {
  // Without the joint: the particles and the immovable contact are apart. A bar x1' = x2' joins the
  // particles; a joint on y2 alone does not.
  stc_problem *apart = particles(NULL), *joined = particles((const double[]){1, 0, -1, 0});
  stc_problem *held = particles((const double[]){0, 0, 0, 1}), *local = NULL;
  expect_components(apart, 3, (const int[]){0, 1, 2});
  expect_components(held, 3, (const int[]){0, 1, 2});
  expect_components(joined, 2, (const int[]){0, 1, 0});
  assert_int_equal(stc_problem_to_local(joined, &local), STC_OK);
  expect_components(local, 2, (const int[]){0, 1, 0});
  stc_problem_free(&local);
  stc_problem_free(&apart);
  stc_problem_free(&joined);
  stc_problem_free(&held);
}

static void the_empty_problem_has_none(void **state) {
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_local(&(stc_local_data){.dim = 3}, &p), STC_OK);
  expect_components(p, 0, NULL);
  stc_problem_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_are_apart),
      cmocka_unit_test(local_blocks_connect),
      cmocka_unit_test(stored_zeros_do_not_connect),
      cmocka_unit_test(joints_connect_in_both_forms),
      cmocka_unit_test(the_empty_problem_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
