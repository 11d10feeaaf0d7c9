// Strips and blocks at the edges of what they can be asked: nothing left to find, supports that
// contradict the contact.
#include "expect.h"

#include <stiction/stiction.h>

static double constant_speed(void *user, double t) {
  (void)user, (void)t;
  return 0.1;
}

static stc_strip *strip_of(const stc_strip_settings *settings) {
  stc_strip *strip = NULL;
  if (stc_strip_create(settings, &strip) != STC_OK) fail_msg("%s", stc_error_detail());
  return strip;
}

static void step(stc_strip *strip, stc_strip_report *report) {
  if (stc_strip_step(strip, report) != STC_OK) fail_msg("%s", stc_error_detail());
  assert_true(report->energy_error < 1e-12);
}

// --- No free unknown ---

// One cell whose sides and top are held, `down` below its rest, over a support that moves at 0.1:
// with rounded contact p = down/eta_n and the friction mu(0.1) p = (0.2 + 0.4/e) p on the length 1;
// with the law itself nothing is pressed at down = 0, and nothing can answer down > 0.
static stc_strip_settings held_cell(stc_support side[6], double down) {
  static const char *const name[] = {"left", "right", "top"};
  stc_strip_settings s = stc_default_strip_settings();
  s.cells[0] = s.cells[1] = 1;
  for (int k = 0; k < 6; k++) {
    side[k] = (stc_support){.group = name[k / 2], .component = k % 2};
    side[k].displacement.value = k % 2 ? -down : 0;
  }
  s.supports = 6;
  s.support = side;
  s.tau[0] = constant_speed;
  return s;
}

static void strip_without_unknowns(void **state) {
  (void)state;
  stc_support side[6];
  stc_strip_report r;
  for (int degree = -1; degree <= 2; degree++)
    for (int pressed = 0; pressed < 2; pressed++)
      for (int rounded = 0; rounded < 2; rounded++) {
        stc_strip_settings s = held_cell(side, rounded ? 0.1 : 0);
        s.eps = degree < 0 ? 0 : 0.2;
        s.degree = degree < 0 ? 0 : degree;
        s.pressed = pressed;
        s.eta_n = rounded ? 0.01 : 0;
        stc_strip *strip = strip_of(&s);
        assert_int_equal(stc_strip_dofs(strip), 0);
        step(strip, &r);
        assert_true(r.converged);
        expect_near(r.normal_force, rounded ? 10 : 0, 1e-12);
        expect_near(r.friction[0], rounded ? 10 * (0.2 + 0.4 * exp(-1)) : 0, 1e-12);
        expect_near(r.slip[0], 0.1, 1e-15);
        stc_strip_free(&strip);
      }
}

static void supports_that_penetrate_are_refused(void **state) {
  (void)state;
  stc_support side[6];
  stc_strip_report r;
  stc_strip_settings s = held_cell(side, 0.1);
  stc_strip *strip = strip_of(&s);
  expect_failure(stc_strip_step(strip, &r), STC_ERR_VALUE, "no force can lift it");
  stc_strip_free(&strip);
  s.pressed = true;
  expect_failure(stc_strip_create(&s, &strip), STC_ERR_VALUE, "no force can lift it");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strip_without_unknowns),
      cmocka_unit_test(supports_that_penetrate_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
