// What the unit tests share: cmocka with what it needs, numbers in double, sentences of errors.
#ifndef STC_TEST_EXPECT_H
#define STC_TEST_EXPECT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stiction/base.h>

/// |found - expected| <= tolerance; false for NaN.
static inline void expect_near_at(double found, double expected, double tolerance, const char *file,
                                  int line) {
  if (fabs(found - expected) <= tolerance) return;
  print_error("%.17g instead of %.17g\n", found, expected);
  _fail(file, line);
}
#define expect_near(found, expected, tolerance)                                                    \
  expect_near_at((found), (expected), (tolerance), __FILE__, __LINE__)

/// The call succeeds, or the test fails with its sentence.
#define expect_ok(call)                                                                            \
  do {                                                                                             \
    if ((call) == STC_OK) break;                                                                   \
    print_error("%s\n", stc_error_detail());                                                       \
    _fail(__FILE__, __LINE__);                                                                     \
  } while (0)

/// The call failed with `code` and its sentence holds `words`.
static inline void expect_failure_at(stc_error found, stc_error code, const char *words,
                                     const char *file, int line) {
  if (found == code && strstr(stc_error_detail(), words)) return;
  print_error("code %d instead of %d, '%s' wanted in '%s'\n", (int)found, (int)code, words,
              stc_error_detail());
  _fail(file, line);
}
#define expect_failure(call, code, words)                                                          \
  expect_failure_at((call), (code), (words), __FILE__, __LINE__)

/// A program of these tests: TEST_PROGRAM(cmocka_unit_test(first), cmocka_unit_test(second)).
#define TEST_PROGRAM(...)                                                                          \
  int main(void) {                                                                                 \
    const struct CMUnitTest tests[] = {__VA_ARGS__};                                               \
    return cmocka_run_group_tests(tests, NULL, NULL);                                              \
  }

#endif
