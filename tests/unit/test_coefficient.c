// Coefficients of friction: values by hand, ends, refusals.
#include "expect.h"

#include <stiction/law.h>

static double mu(stc_coefficient c, double speed, double slip) {
  assert_int_equal(stc_coefficient_check(&c), STC_OK);
  return stc_coefficient_mu(&c, &(stc_contact_past){.speed = speed, .slip = slip});
}

static void constant_is_constant(void **unused) {
  assert_true(mu(stc_coefficient_constant(0.4), 0, 0) == 0.4);
  assert_true(mu(stc_coefficient_constant(0.4), 1e9, 1e9) == 0.4);
}

// The speed v_c itself still counts as rest; v_c = 0 leaves rest to a speed of exactly 0.
static void static_kinetic_jumps(void **unused) {
  stc_coefficient c = stc_coefficient_static_kinetic(0.6, 0.4, 1e-3);
  assert_true(mu(c, 0, 0) == 0.6 && mu(c, 1e-3, 0) == 0.6 && mu(c, 1.0001e-3, 0) == 0.4);
  c = stc_coefficient_static_kinetic(0.6, 0.4, 0);
  assert_true(mu(c, 0, 0) == 0.6 && mu(c, 1e-300, 0) == 0.4);
}

// mu_k + (mu_s - mu_k) / e at v = v_c whatever the exponent; exp(-4) at 2 v_c with exponent 2.
static void stribeck_falls(void **unused) {
  stc_coefficient c = stc_coefficient_stribeck(0.6, 0.4, 0.1, 2);
  assert_true(mu(c, 0, 0) == 0.6 && mu(c, 1e3, 0) == 0.4);
  expect_near(mu(c, 0.1, 0), 0.4 + 0.2 * exp(-1), 1e-15);
  expect_near(mu(c, 0.2, 0), 0.4 + 0.2 * exp(-4), 1e-15);
  expect_near(mu(stc_coefficient_stribeck(0.6, 0.4, 0.1, 0.5), 0.4, 0), 0.4 + 0.2 * exp(-2), 1e-15);
}

static void slip_weakening_falls_in_a_line(void **unused) {
  stc_coefficient c = stc_coefficient_slip_weakening(0.6, 0.4, 0.02);
  assert_true(mu(c, 5, 0) == 0.6 && mu(c, 5, 0.02) == 0.4 && mu(c, 5, 7) == 0.4);
  expect_near(mu(c, 5, 0.005), 0.55, 1e-15);
}

static void table_is_straight_between_points(void **unused) {
  const double v[] = {0.1, 0.2, 0.6, 1.0}, m[] = {0.5, 0.3, 0.7, 0.2};
  stc_coefficient c = stc_coefficient_table(4, v, m);
  assert_true(mu(c, 0, 0) == 0.5 && mu(c, 0.1, 0) == 0.5 && mu(c, 2, 0) == 0.2);
  expect_near(mu(c, 0.15, 0), 0.4, 1e-15);
  expect_near(mu(c, 0.2, 0), 0.3, 1e-15);
  expect_near(mu(c, 0.5, 0), 0.6, 1e-15);
  expect_near(mu(c, 0.8, 0), 0.45, 1e-15);
  c = stc_coefficient_table(1, v, m);
  assert_true(mu(c, 0, 0) == 0.5 && mu(c, 3, 0) == 0.5);
}

static double scaled_sum(void *user, const stc_contact_past *past) {
  return *(double *)user * (past->speed + 10 * past->slip);
}

static void function_is_called(void **unused) {
  double scale = 0.5;
  assert_true(mu(stc_coefficient_function(scaled_sum, &scale), 2, 3) == 16);
}

static void bad_numbers_are_refused(void **unused) {
  const double down[] = {0.2, 0.1}, fine[] = {0.3, 0.3}, negative[] = {0.3, -0.3};
  const struct {
    stc_coefficient c;
    stc_error code;
    const char *words;
  } cases[] = {
      {stc_coefficient_constant(-1), STC_ERR_VALUE, "constant coefficient: mu_s = -1"},
      {stc_coefficient_constant(NAN), STC_ERR_VALUE, "mu_s = "},
      {stc_coefficient_static_kinetic(1, INFINITY, 0), STC_ERR_VALUE, "mu_k = inf"},
      {stc_coefficient_static_kinetic(1, 1, -1e-3), STC_ERR_VALUE, "v_c = -0.001"},
      {stc_coefficient_stribeck(1, 1, 0, 2), STC_ERR_VALUE, "v_c = 0, give a finite number > 0"},
      {stc_coefficient_stribeck(1, 1, 1, 0), STC_ERR_VALUE, "exponent = 0"},
      {stc_coefficient_slip_weakening(1, 1, 0), STC_ERR_VALUE, "distance = 0"},
      {stc_coefficient_table(0, fine, fine), STC_ERR_ARGUMENT, "0 points"},
      {stc_coefficient_table(2, NULL, fine), STC_ERR_ARGUMENT, "at least one speed"},
      {stc_coefficient_table(2, down, fine), STC_ERR_VALUE, "speed[1] = 0.1 after 0.2"},
      {stc_coefficient_table(2, (double[]){0, 1}, negative), STC_ERR_VALUE, "mu = -0.3"},
      {stc_coefficient_function(NULL, NULL), STC_ERR_ARGUMENT, "the function is NULL"},
      {{.kind = (stc_coefficient_kind)77}, STC_ERR_ARGUMENT, "kind 77"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    expect_failure(stc_coefficient_check(&cases[k].c), cases[k].code, cases[k].words);
}

static void kinds_have_names(void **unused) {
  assert_string_equal(stc_coefficient_name(STC_COEFFICIENT_STRIBECK), "stribeck");
  assert_string_equal(stc_coefficient_name(STC_COEFFICIENT_STATIC_KINETIC), "static-kinetic");
  for (int k = 0; k <= STC_COEFFICIENT_FUNCTION; k++)
    assert_true(stc_coefficient_summary(k)[0] != '\0');
  assert_null(stc_coefficient_name(STC_COEFFICIENT_FUNCTION + 1));
  assert_null(stc_coefficient_summary(-1));
}

// mu along T1; an elliptic law keeps mu1 : mu2, lengths stay.
static void laws_take_a_coefficient(void **unused) {
  stc_law law = stc_law_elliptic(0.2, 0.5), flat = stc_law_elliptic(0, 0.5);
  law = stc_law_with_mu(&law, 0.4);
  assert_true(law.mu[0] == 0.4 && law.mu[1] == 1.0);
  flat = stc_law_with_mu(&flat, 0.4);
  assert_true(flat.mu[0] == 0 && flat.mu[1] == 0.4);
  law = stc_law_contensou(0.2, 0.01);
  law = stc_law_with_mu(&law, 0.3);
  assert_true(law.mu[0] == 0.3 && law.mu[1] == 0.3 && law.radius == 0.01);
  law = stc_law_frictionless(3);
  law = stc_law_with_mu(&law, 0.3);
  assert_true(law.kind == STC_LAW_FRICTIONLESS && law.mu[0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_is_constant),
      cmocka_unit_test(static_kinetic_jumps),
      cmocka_unit_test(stribeck_falls),
      cmocka_unit_test(slip_weakening_falls_in_a_line),
      cmocka_unit_test(table_is_straight_between_points),
      cmocka_unit_test(function_is_called),
      cmocka_unit_test(bad_numbers_are_refused),
      cmocka_unit_test(kinds_have_names),
      cmocka_unit_test(laws_take_a_coefficient),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
