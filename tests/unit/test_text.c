// A text that grows past its first room and keeps what was put.
#include "base/text.h"
#include "expect.h"

static void grows(void **state) {
  stc_text text = {0};
  for (int k = 0; k < 1000; k++) stc_text_put(&text, "%d,", k);
  assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4);  // digits and a comma each
  assert_int_equal(strlen(text.at), text.length);
  assert_string_equal(text.at + text.length - 8, "998,999,");
  assert_memory_equal(text.at, "0,1,2,", 6);
  stc_text_free(&text);
  assert_null(text.at);
  stc_text_free(&text);
}

// After a failure nothing is put any more.
static void fails_once_for_all(void **state) {
  stc_text text = {0};
  stc_text_put(&text, "kept");
  text.failed = true;
  assert_false(stc_text_reserve(&text, 1));
  stc_text_put(&text, "lost");
  assert_string_equal(text.at, "kept");
  stc_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grows), cmocka_unit_test(fails_once_for_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
