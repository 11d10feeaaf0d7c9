// Sentences without printf: the same text as printf makes, cut off at the end of the room.
#include "expect.h"

#include "solve/append.h"

#include <limits.h>
#include <stdio.h>

static void numbers_read_as_printed(void **state) {
  const long whole[] = {0, 7, -1, 10, 123456789, LONG_MAX, LONG_MIN};
  const double real[] = {0, 0.04, 0.06, 9.96, 35.21, -2.71, 1e6};
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
    char text[2][40] = {"", ""}, printed[2][40];
    stc_words_add_number(text[0], sizeof text[0], whole[k]);
    stc_words_add_tenths(text[1], sizeof text[1], real[k]);  // rounded
    snprintf(printed[0], sizeof printed[0], "%ld", whole[k]);
    snprintf(printed[1], sizeof printed[1], "%.1f", real[k]);
    assert_string_equal(text[0], printed[0]);
    assert_string_equal(text[1], printed[1]);
  }
}

static void what_does_not_fit_is_cut_off(void **state) {
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
      cmocka_unit_test(what_does_not_fit_is_cut_off),
  };
  return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
