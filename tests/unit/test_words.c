// Sentences without printf: the same text as printf makes, cut off at the end of the room.
#include "expect.h"

#include "solve/append.h"

#include <limits.h>
#include <stdio.h>

static void numbers_read_as_printed(void **state) {
  (void)state;
  const long numbers[] = {0, 7, -1, 10, 123456789, LONG_MAX, LONG_MIN};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    char text[40] = "", printed[40];
    stc_words_add_number(text, sizeof text, numbers[k]);
    snprintf(printed, sizeof printed, "%ld", numbers[k]);
    assert_string_equal(text, printed);
  }
}

static void tenths_are_rounded(void **state) {
  (void)state;
  const double numbers[] = {0, 0.04, 0.06, 9.96, 35.21, -2.71, 1e6};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    char text[40] = "", printed[40];
    stc_words_add_tenths(text, sizeof text, numbers[k]);
    snprintf(printed, sizeof printed, "%.1f", numbers[k]);
    assert_string_equal(text, printed);
  }
}

static void what_does_not_fit_is_cut_off(void **state) {
  (void)state;
  char text[8] = "";
  stc_words_add(text, sizeof text, "abc");
  stc_words_add(text, sizeof text, "defg");
  assert_string_equal(text, "abcdefg");
  stc_words_add(text, sizeof text, "h");
  assert_string_equal(text, "abcdefg");
  text[5] = '\0';
  stc_words_add_number(text, sizeof text, 12345);
  assert_string_equal(text, "abcde12");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_read_as_printed),
      cmocka_unit_test(tenths_are_rounded),
      cmocka_unit_test(what_does_not_fit_is_cut_off),
  };
  return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
