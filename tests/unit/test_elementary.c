// Elementary functions of src/base/elementary.c against the C library's, in units of the last
// place.
#include "unit/expect.h"

#include "base/elementary.h"
#include "base/random.h"

#include <math.h>

enum { TRIALS = 20000 };
static const double ULPS = 4.5;  // 4 of ours, half of the library's

static void near(double value, double right, double scale) {
  double ulp = nextafter(fmax(fabs(right), scale), INFINITY) - fmax(fabs(right), scale);
  if (fabs(value - right) > ULPS * ulp) fail_msg("%.17g instead of %.17g", value, right);
}

static void angles(void **state) {
  stc_random random = stc_random_seed(1);
  for (int k = 0; k < TRIALS; k++) {
    double x = 200 * (stc_random_uniform(&random) - 0.5);
    near(stc_sin(x), sin(x), 1e-3);  // near a multiple of pi/2 the reduction costs digits
    near(stc_cos(x), cos(x), 1e-3);
    double y = 3 * stc_random_normal(&random);
    near(stc_atan2(y, x), atan2(y, x), 0);
    double c = 2 * stc_random_uniform(&random) - 1;
    near(stc_acos(c), acos(c), 0);
  }
}

static void powers(void **state) {
  stc_random random = stc_random_seed(2);
  for (int k = 0; k < TRIALS; k++) {
    double x = ldexp(0.5 + stc_random_uniform(&random), (int)(k % 200) - 100);
    near(stc_log(x), log(x), 0);
    near(stc_cbrt(x), cbrt(x), 0);
    near(stc_length2(x, 1.5), hypot(x, 1.5), 0);
  }
}

// Where the functions have a closed value.
static void special_values(void **state) {
  const double pi = 3.141592653589793;
  assert_true(stc_sin(0) == 0 && stc_cos(0) == 1 && stc_log(1) == 0 && stc_cbrt(0) == 0);
  assert_true(stc_cbrt(27) == 3 && stc_cbrt(0.125) == 0.5 && stc_length2(3, -4) == 5);
  assert_true(stc_atan2(0, 1) == 0 && stc_atan2(0, -1) == pi && stc_atan2(2, 0) == pi / 2);
  assert_true(stc_atan2(-2, 0) == -pi / 2 && stc_acos(1) == 0 && stc_acos(-1) == pi);
  assert_true(fabs(stc_sin(1e300)) <= 1 && fabs(stc_cos(-1e300)) <= 1);
}

TEST_PROGRAM(cmocka_unit_test(angles), cmocka_unit_test(powers), cmocka_unit_test(special_values))
