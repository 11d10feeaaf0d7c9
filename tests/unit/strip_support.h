// What the tests of strips share: creating and stepping them, and how the support speeds up.
#ifndef STC_TEST_STRIP_SUPPORT_H
#define STC_TEST_STRIP_SUPPORT_H

#include "expect.h"

#include <stiction/stiction.h>

static inline stc_strip *strip_of(const stc_strip_settings *settings) {
  stc_strip *strip = NULL;
  expect_ok(stc_strip_create(settings, &strip));
  return strip;
}

static inline void step(stc_strip *strip, stc_strip_report *report) {
  expect_ok(stc_strip_step(strip, report));
  assert_true(report->energy_error < 1e-12);
}

static inline double slow_ramp(void *user, double t) { return 0.05 * fmin(t, 6); }

static inline double up_and_down(void *user, double t) {
  return t < 8 ? 0.1 * t : 0.8 - 0.1 * (t - 8);
}

#endif
