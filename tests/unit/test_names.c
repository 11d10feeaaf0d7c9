// The name nearest by spelling.
#include "expect.h"

static const char *const names[] = {"force",    "friction",   "gradient",
                                    "max-iter", "nsgs.omega", NULL};

static const char *name_of(const void *user, int k) { return names[k]; }

static const char *nearest(const char *word) { return stc_nearest_name(word, name_of, NULL); }

static void slips_of_the_finger_are_understood(void **state) {
  assert_string_equal(nearest("frce"), "force");         // a letter left out
  assert_string_equal(nearest("fforce"), "force");       // one too many
  assert_string_equal(nearest("gradeint"), "gradient");  // two swapped
  assert_string_equal(nearest("FRICTION"), "friction");
  assert_string_equal(nearest("max"), "max-iter");      // the beginning
  assert_string_equal(nearest("omega"), "nsgs.omega");  // the end behind a dot
}

static void what_is_far_has_no_neighbour(void **state) {
  char longest[200];
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = 0;
  assert_null(nearest("zebra"));
  assert_null(nearest(""));
  assert_null(nearest(longest));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slips_of_the_finger_are_understood),
                                     cmocka_unit_test(what_is_far_has_no_neighbour)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
