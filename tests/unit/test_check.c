// Every kind of bad data is refused with a sentence that names the entry, and leaves no problem.
#include "samples.h"

#include <limits.h>

/// A sound global problem in 2D: two contacts, two degrees of freedom, one joint; and a sound local
/// one of the same sizes. Each test spoils one field.
typedef struct sound {
  dense_matrix M_store, H_store, G_store, W_store, V_store, R_store;
  double f[2], w[4], b[1], mu[2], mu2[2], frame[8];
  stc_global_data global;
  stc_local_data local;
} sound;

static const double identity[] = {1, 0, 0, 1};
static const double four_rows[] = {1, 0, 0, 1, 0, 1, 1, 0};
static const double four_by_four[] = {2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2};

static void make_sound(sound *s) {
  *s = (sound){.f = {1, 1}, .mu = {0.5, 0.5}, .frame = {1, 0, 0, 1, 0, 1, -1, 0}};
  s->global = (stc_global_data){.dim = 2,
                                .contacts = 2,
                                .dofs = 2,
                                .equalities = 1,
                                .M = dense_view(&s->M_store, 2, 2, identity),
                                .H = dense_view(&s->H_store, 4, 2, four_rows),
                                .G = dense_view(&s->G_store, 1, 2, (const double[]){1, -1}),
                                .f = s->f,
                                .w = s->w,
                                .b = s->b,
                                .mu = s->mu};
  s->local = (stc_local_data){.dim = 2,
                              .contacts = 2,
                              .equalities = 1,
                              .W = dense_view(&s->W_store, 4, 4, four_by_four),
                              .V = dense_view(&s->V_store, 4, 1, (const double[]){1, 0, 0, 1}),
                              .R = dense_view(&s->R_store, 1, 1, (const double[]){1}),
                              .q = s->w,
                              .s = s->b,
                              .mu = s->mu};
}

static void refuse_global(const sound *s, stc_error code, const char *words) {
  stc_problem *problem = (stc_problem *)&code;  // must become NULL
  expect_failure(stc_problem_create_global(&s->global, &problem), code, words);
  assert_null(problem);
}

static void refuse_local(const sound *s, stc_error code, const char *words) {
  stc_problem *problem = (stc_problem *)&code;
  expect_failure(stc_problem_create_local(&s->local, &problem), code, words);
  assert_null(problem);
}

static void sound_data_is_accepted(void **state) {
  sound s;
  make_sound(&s);
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_global(&s.global, &problem), STC_OK);
  stc_problem_free(&problem);
  s.global.frame = s.frame;
  assert_int_equal(stc_problem_create_global(&s.global, &problem), STC_OK);
  stc_problem_free(&problem);
  assert_int_equal(stc_problem_create_local(&s.local, &problem), STC_OK);
  stc_problem_free(&problem);
}

static void missing_arguments(void **state) {
  sound s;
  make_sound(&s);
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_local(NULL, &problem), STC_ERR_ARGUMENT);
  assert_int_equal(stc_problem_create_global(NULL, &problem), STC_ERR_ARGUMENT);
  assert_int_equal(stc_problem_create_local(&s.local, NULL), STC_ERR_ARGUMENT);
  assert_int_equal(stc_problem_create_global(&s.global, NULL), STC_ERR_ARGUMENT);
  s.global.f = NULL;
  refuse_global(&s, STC_ERR_ARGUMENT, "f is NULL; give an array of 2 numbers");
  make_sound(&s), s.global.w = NULL;
  refuse_global(&s, STC_ERR_ARGUMENT, "w is NULL; give an array of 4");
  make_sound(&s), s.global.mu = NULL;
  refuse_global(&s, STC_ERR_ARGUMENT, "mu is NULL");
  make_sound(&s), s.local.q = NULL;
  refuse_local(&s, STC_ERR_ARGUMENT, "q is NULL");
  make_sound(&s), s.local.s = NULL;
  refuse_local(&s, STC_ERR_ARGUMENT, "s is NULL");
  make_sound(&s), s.global.b = NULL;
  refuse_global(&s, STC_ERR_ARGUMENT, "b is NULL");
}

static void wrong_sizes(void **state) {
  sound s;
  make_sound(&s), s.global.dim = 4;
  refuse_global(&s, STC_ERR_DIMENSION, "dim = 4");
  make_sound(&s), s.local.dim = 1;
  refuse_local(&s, STC_ERR_DIMENSION, "dim = 1");
  make_sound(&s), s.global.contacts = -1;
  refuse_global(&s, STC_ERR_DIMENSION, "contacts = -1");
  make_sound(&s), s.global.dofs = -2;
  refuse_global(&s, STC_ERR_DIMENSION, "dofs = -2");
  make_sound(&s), s.local.equalities = -3;
  refuse_local(&s, STC_ERR_DIMENSION, "equalities = -3");
  make_sound(&s), s.global.contacts = INT_MAX / 2 + 1;
  refuse_global(&s, STC_ERR_DIMENSION, "exceed the range of int");
  make_sound(&s), s.local.contacts = INT_MAX / 2, s.local.equalities = INT_MAX;
  refuse_local(&s, STC_ERR_DIMENSION, "exceed the range of int");
  make_sound(&s), s.global.H.rows = 3;
  refuse_global(&s, STC_ERR_DIMENSION, "H is 3 x 2, expected 4 x 2");
  make_sound(&s), s.global.M = (stc_matrix){0};
  refuse_global(&s, STC_ERR_DIMENSION, "M is 0 x 0, expected 2 x 2");
  make_sound(&s), s.global.equalities = 0;
  refuse_global(&s, STC_ERR_DIMENSION, "G is 1 x 2, expected 0 x 2");
  make_sound(&s), s.local.R.cols = 2;
  refuse_local(&s, STC_ERR_DIMENSION, "R is 1 x 2, expected 1 x 1");
  make_sound(&s), s.local.V = (stc_matrix){0};
  refuse_local(&s, STC_ERR_DIMENSION, "V is 0 x 0, expected 4 x 1");
}

static void numbers_that_are_not_finite(void **state) {
  sound s;
  make_sound(&s), s.w[3] = NAN;
  refuse_global(&s, STC_ERR_VALUE, "w[3] = ");
  refuse_global(&s, STC_ERR_VALUE, "contact 1, component T1");
  refuse_local(&s, STC_ERR_VALUE, "q[3] = ");
  make_sound(&s), s.w[2] = INFINITY;
  refuse_local(&s, STC_ERR_VALUE, "contact 1, component N");
  make_sound(&s), s.f[1] = -INFINITY;
  refuse_global(&s, STC_ERR_VALUE, "f[1] = -inf");
  make_sound(&s), s.b[0] = NAN;
  refuse_global(&s, STC_ERR_VALUE, "b[0] = ");
  refuse_local(&s, STC_ERR_VALUE, "s[0] = ");
  make_sound(&s), s.H_store.x[2] = NAN;
  refuse_global(&s, STC_ERR_VALUE, "H(2, 1) = ");
  make_sound(&s), s.W_store.x[0] = INFINITY;
  refuse_local(&s, STC_ERR_VALUE, "W(0, 0) = inf");
}

static void bad_friction(void **state) {
  sound s;
  make_sound(&s), s.mu[1] = -0.1;
  refuse_global(&s, STC_ERR_VALUE, "mu[1] = -0.1");
  make_sound(&s), s.mu[0] = NAN;
  refuse_local(&s, STC_ERR_VALUE, "mu[0] = ");
  make_sound(&s), s.global.mu2 = s.mu2;
  refuse_global(&s, STC_ERR_ARGUMENT, "mu2 is given in 2D");
}

static void matrices_that_cannot_be_what_they_should(void **state) {
  sound s;
  make_sound(&s);
  s.global.M = dense_view(&s.M_store, 2, 2, (const double[]){1, 0.5, 0, 1});
  refuse_global(&s, STC_ERR_VALUE, "M(0, 1) = 0.5 but M(1, 0) = 0; M must be symmetric");
  s.global.M = dense_view(&s.M_store, 2, 2, (const double[]){1, 0, 0, -1});
  refuse_global(&s, STC_ERR_VALUE, "M(1, 1) = -1");
  s.global.M = dense_view(&s.M_store, 2, 2, (const double[]){1, 0, 0, 0});
  refuse_global(&s, STC_ERR_VALUE, "give degree of freedom 1 a mass");
  make_sound(&s), s.R_store.x[0] = -1;
  refuse_local(&s, STC_ERR_VALUE, "R(0, 0) = -1");
  make_sound(&s), s.W_store.x[2] = -2;
  refuse_local(&s, STC_ERR_VALUE, "W(1, 1) = -2");
}

static void accept_mass(sound *s, const double *M) {
  stc_problem *problem = NULL;
  s->global.M = dense_view(&s->M_store, 2, 2, M);
  assert_int_equal(stc_problem_create_global(&s->global, &problem), STC_OK);
  stc_problem_free(&problem);
}

static void symmetry_is_asked_up_to_rounding(void **state) {
  // With joints the border is 1e-10 sqrt(100 . 1) = 1e-9; R has 1e-10 of its largest entry.
  sound s;
  make_sound(&s);
  accept_mass(&s, (const double[]){100, 1 + 0.9e-9, 1, 1});
  s.global.M = dense_view(&s.M_store, 2, 2, (const double[]){100, 1 + 1.1e-9, 1, 1});
  refuse_global(&s, STC_ERR_VALUE, "M must be symmetric where there are joints");
  s.local.equalities = 2;
  s.local.V = dense_view(&s.V_store, 4, 2, (const double[]){1, 0, 0, 0, 0, 1, 0, 0});
  s.local.R = dense_view(&s.R_store, 2, 2, (const double[]){100, 1 + 1.1e-8, 1, 1});
  s.local.s = s.f;
  refuse_local(&s, STC_ERR_VALUE, "R must be symmetric, both triangles given");
}

static void gyroscopic_terms_pass_without_joints(void **state) {
  // |M_01 - M_10| against 0.1 sqrt(4 . 1) = 0.2.
  sound s;
  make_sound(&s);
  s.global.equalities = 0;
  s.global.G = (stc_matrix){0};
  accept_mass(&s, (const double[]){4, 0.09, -0.09, 1});
  s.global.M = dense_view(&s.M_store, 2, 2, (const double[]){4, 0.11, -0.11, 1});
  refuse_global(&s, STC_ERR_VALUE, "only gyroscopic terms");
}

static void duplicate_entries(void **state) {
  sound s;
  make_sound(&s), s.M_store.p[1] = 0, s.M_store.i[1] = 0;
  refuse_global(&s, STC_ERR_VALUE, "M(0, 0) is given twice");
}

static void skew_frames(void **state) {
  sound s;
  make_sound(&s), s.global.frame = s.frame, s.frame[6] = -0.9;
  refuse_global(&s, STC_ERR_VALUE, "frame of contact 1 is not orthonormal");
  refuse_global(&s, STC_ERR_VALUE, "rows T1 and T1 is 0.81");
  make_sound(&s), s.global.frame = s.frame, s.frame[2] = 1e-6;
  refuse_global(&s, STC_ERR_VALUE, "rows N and T1");
  make_sound(&s), s.global.frame = s.frame, s.frame[3] = NAN;
  refuse_global(&s, STC_ERR_VALUE, "frame of contact 0, row T1, entry 1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sound_data_is_accepted),
      cmocka_unit_test(missing_arguments),
      cmocka_unit_test(wrong_sizes),
      cmocka_unit_test(numbers_that_are_not_finite),
      cmocka_unit_test(bad_friction),
      cmocka_unit_test(matrices_that_cannot_be_what_they_should),
      cmocka_unit_test(symmetry_is_asked_up_to_rounding),
      cmocka_unit_test(gyroscopic_terms_pass_without_joints),
      cmocka_unit_test(duplicate_entries),
      cmocka_unit_test(skew_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
