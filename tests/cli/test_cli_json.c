// The JSON writer of the command line: every byte of what it writes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../cli/cli.h"

// What was written to `file`, which is closed.
static void assert_written(FILE *file, const char *expected) {
  char text[1000];
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  assert_string_equal(text, expected);
}

static void check_text(const char *text, const char *expected) {
  char whole[500];
  FILE *file = tmpfile();
  assert_non_null(file);
  cli_json json = cli_json_begin(file);
  cli_json_text(&json, "a", text);
  cli_json_end(&json);
  snprintf(whole, sizeof whole, "{\n  \"a\": %s\n}\n", expected);
  assert_written(file, whole);
}

static void strings(void **state) {
  check_text("", "\"\"");
  check_text(NULL, "null");
  check_text("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
  check_text("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"");
  check_text("\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"");
  check_text("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
}

// Each byte that belongs to no character becomes U+FFFD; what follows is kept.
static void broken_utf8(void **state) {
  check_text("a\xFF"
             "b",
             "\"a\\ufffdb\"");
  check_text("\x80", "\"\\ufffd\"");  // continuation alone
  check_text("\xC3", "\"\\ufffd\"");  // cut short by the end
  check_text("\xE2\x82", "\"\\ufffd\\ufffd\"");
  check_text("\xC0\xAF", "\"\\ufffd\\ufffd\"");                        // overlong '/'
  check_text("\xE0\x80\xAF", "\"\\ufffd\\ufffd\\ufffd\"");             // overlong, three bytes
  check_text("\xED\xA0\x80", "\"\\ufffd\\ufffd\\ufffd\"");             // surrogate U+D800
  check_text("\xF4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");  // above U+10FFFF
}

static void numbers(void **state) {
  FILE *file = tmpfile();
  assert_non_null(file);
  cli_json json = cli_json_begin(file);
  cli_json_real(&json, "tenth", 0.1);  // 17 digits read back to the same double
  cli_json_real(&json, "nan", NAN);
  cli_json_real(&json, "inf", -INFINITY);
  cli_json_int(&json, "int", -7);
  cli_json_bool(&json, "yes", true);
  cli_json_end(&json);
  assert_written(file, "{\n  \"tenth\": 0.10000000000000001,\n  \"nan\": null,\n  \"inf\": null,\n"
                       "  \"int\": -7,\n  \"yes\": true\n}\n");
}

static void nesting(void **state) {
  FILE *file = tmpfile();
  assert_non_null(file);
  cli_json json = cli_json_begin(file);
  cli_json_open(&json, "empty", '[');
  cli_json_close(&json, ']');
  cli_json_open(&json, "list", '[');
  cli_json_open(&json, NULL, '{');
  cli_json_int(&json, "a", 1);
  cli_json_close(&json, '}');
  cli_json_int(&json, NULL, 2);
  cli_json_close(&json, ']');
  cli_json_end(&json);
  assert_written(file, "{\n  \"empty\": [],\n  \"list\": [\n    {\n      \"a\": 1\n    },\n"
                       "    2\n  ]\n}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strings), cmocka_unit_test(broken_utf8),
                                     cmocka_unit_test(numbers), cmocka_unit_test(nesting)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
