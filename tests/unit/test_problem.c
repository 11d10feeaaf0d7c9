// The problem object: what goes in comes out, frames, text, the empty problem, freeing.
#include "samples.h"

static void a_global_problem_is_read_back(void **state) {
  stc_problem *p = sample_painleve(0, 1, -1);
  assert_int_equal(stc_problem_form(p), STC_FORM_GLOBAL);
  assert_int_equal(stc_problem_dim(p), 2);
  assert_int_equal(stc_problem_contacts(p), 1);
  assert_int_equal(stc_problem_size(p), 2);
  assert_int_equal(stc_problem_dofs(p), 1);
  assert_int_equal(stc_problem_equalities(p), 0);
  stc_global_data data = stc_problem_global_data(p);
  expect_near(sample_entry(&data.M, 0, 0), 1, 0);
  expect_near(sample_entry(&data.H, 1, 0), 2, 0);
  expect_near(data.f[0], -1, 0);
  expect_near(data.w[1], 1, 0);
  expect_near(data.mu[0], 1, 0);
  assert_null(data.mu2);
  assert_null(data.frame);
  stc_local_data other = stc_problem_local_data(p);
  assert_null(other.W.p);
  assert_null(other.q);
  stc_problem_free(&p);
}

static void a_local_problem_with_joints_is_read_back(void **state) {
  dense_matrix W, V, R;
  const double q[] = {1, 2}, s[] = {3}, mu[] = {0.1};
  stc_local_data data = {.dim = 2,
                         .contacts = 1,
                         .equalities = 1,
                         .W = dense_view(&W, 2, 2, (const double[]){2, 1, 0, 2}),  // asymmetric
                         .V = dense_view(&V, 2, 1, (const double[]){0, 5}),
                         .R = dense_view(&R, 1, 1, (const double[]){7}),
                         .q = q,
                         .s = s,
                         .mu = mu};
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_local(&data, &p), STC_OK);
  assert_int_equal(stc_problem_form(p), STC_FORM_LOCAL);
  assert_int_equal(stc_problem_dofs(p), 0);
  assert_int_equal(stc_problem_equalities(p), 1);
  stc_local_data back = stc_problem_local_data(p);
  expect_near(sample_entry(&back.W, 0, 1), 1, 0);
  expect_near(sample_entry(&back.V, 1, 0), 5, 0);
  expect_near(sample_entry(&back.R, 0, 0), 7, 0);
  expect_near(back.q[1], 2, 0);
  expect_near(back.s[0], 3, 0);
  stc_problem_free(&p);
}

static void the_arrays_are_copied(void **state) {
  dense_matrix W;
  double q[] = {1, 2}, mu[] = {0.5};
  stc_local_data data = {.dim = 2,
                         .contacts = 1,
                         .W = dense_view(&W, 2, 2, (const double[]){1, 0, 0, 1}),
                         .q = q,
                         .mu = mu};
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_local(&data, &p), STC_OK);
  q[0] = mu[0] = W.x[0] = 9;
  W.p[0] = 1;
  stc_local_data back = stc_problem_local_data(p);
  expect_near(back.q[0], 1, 0);
  expect_near(back.mu[0], 0.5, 0);
  expect_near(sample_entry(&back.W, 0, 0), 1, 0);
  stc_problem_free(&p);
}

static void each_contact_has_its_law(void **state) {
  // mu2 differs from mu at contact 1 only: contact 0 is isotropic.
  const double q[6] = {0}, mu[] = {0.5, 0.5}, mu2[] = {0.5, 0.2};
  dense_matrix W;
  double zero[36] = {0};
  stc_local_data data = {
      .dim = 3, .contacts = 2, .W = dense_view(&W, 6, 6, zero), .q = q, .mu = mu, .mu2 = mu2};
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_local(&data, &p), STC_OK);
  assert_int_equal(stc_problem_law(p, 0)->kind, STC_LAW_COULOMB);
  assert_int_equal(stc_problem_law(p, 1)->kind, STC_LAW_ELLIPTIC);
  expect_near(stc_problem_law(p, 1)->mu[1], 0.2, 0);
  assert_null(stc_problem_law(p, 2));
  assert_null(stc_problem_law(p, -1));
  stc_problem_free(&p);
}

static void frames_turn_rows_and_velocities(void **state) {
  // A particle (x, y) on a slope of 3-4-5: normal e = (0.6, 0.8), tangent t = (-0.8, 0.6).
  // In space axes H = I and w = (10, 5); in the frame H = [e; t], w = (6 + 4, -8 + 3).
  // The second contact sees x only: in its frame (e = y, t = -x) both rows carry column 0.
  dense_matrix M, H;
  const double frame[] = {0.6, 0.8, -0.8, 0.6, 0, 1, -1, 0};
  const double rows[] = {1, 0, 0, 1, 3, 0, 0, 0}, w[] = {10, 5, 1, 2}, f[] = {0, 0}, mu[] = {1, 1};
  stc_global_data data = {.dim = 2, .contacts = 2, .dofs = 2, .f = f, .w = w, .mu = mu};
  data.M = dense_view(&M, 2, 2, (const double[]){1, 0, 0, 1});
  data.H = dense_view(&H, 4, 2, rows);
  data.frame = frame;
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_global(&data, &p), STC_OK);
  stc_global_data back = stc_problem_global_data(p);
  const double turned[] = {0.6, 0.8, -0.8, 0.6, 0, 0, -3, 0}, turned_w[] = {10, -5, 2, -1};
  for (int k = 0; k < 8; k++) expect_near(sample_entry(&back.H, k / 2, k % 2), turned[k], 1e-15);
  for (int k = 0; k < 4; k++) expect_near(back.w[k], turned_w[k], 1e-14);
  assert_int_equal(back.H.entries, 6);  // two full rows of two, two merged rows of one
  stc_problem_free(&p);
}

static void text_is_kept_and_replaced(void **state) {
  stc_problem *p = sample_painleve(0, 0, 0);
  assert_string_equal(stc_problem_get_text(p).title, "");
  stc_problem_text text = {.title = "rod", .description = "one contact"};
  assert_int_equal(stc_problem_set_text(p, &text), STC_OK);
  assert_int_equal(stc_problem_set_text(p, &(stc_problem_text){.title = "chalk"}), STC_OK);
  assert_string_equal(stc_problem_get_text(p).title, "chalk");
  assert_string_equal(stc_problem_get_text(p).description, "one contact");
  assert_string_equal(stc_problem_get_text(p).math_info, "");
  // What was read may be handed back.
  text = stc_problem_get_text(p);
  assert_int_equal(stc_problem_set_text(p, &text), STC_OK);
  assert_string_equal(stc_problem_get_text(p).title, "chalk");
  stc_problem_free(&p);
}

static void the_empty_problem_is_legal(void **state) {
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_local(&(stc_local_data){.dim = 3}, &p), STC_OK);
  assert_int_equal(stc_problem_size(p), 0);
  stc_problem_free(&p);
  assert_int_equal(stc_problem_create_global(&(stc_global_data){.dim = 2}, &p), STC_OK);
  assert_int_equal(stc_problem_dofs(p), 0);
  stc_problem_free(&p);
  // A body that nothing touches.
  dense_matrix M;
  const double f[] = {1};
  stc_global_data alone = {
      .dim = 2, .dofs = 1, .M = dense_view(&M, 1, 1, (const double[]){1}), .f = f};
  assert_int_equal(stc_problem_create_global(&alone, &p), STC_OK);
  stc_problem_free(&p);
}

static void freeing_twice_is_safe(void **state) {
  stc_problem *p = sample_painleve(0, 0, 0);
  stc_problem_free(&p);
  assert_null(p);
  stc_problem_free(&p);
  stc_problem_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_global_problem_is_read_back),
      cmocka_unit_test(a_local_problem_with_joints_is_read_back),
      cmocka_unit_test(the_arrays_are_copied),
      cmocka_unit_test(each_contact_has_its_law),
      cmocka_unit_test(frames_turn_rows_and_velocities),
      cmocka_unit_test(text_is_kept_and_replaced),
      cmocka_unit_test(the_empty_problem_is_legal),
      cmocka_unit_test(freeing_twice_is_safe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
