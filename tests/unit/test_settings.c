// The settings table: defaults, ranges, setting by text, and the tables of docs/solvers that show
// it.
#include "expect.h"

#include "solve/settings.h"

#include <stdio.h>

static int field_count(void) {
  stc_setting field;
  int n = 0;
  while (stc_settings_field(n, &field)) n++;
  return n;
}

static void defaults_are_those_of_the_table(void **state) {
  stc_settings s = stc_default_settings();
  assert_true(s.tol == 1e-8);
  assert_int_equal(s.threads, 1);
  assert_int_equal(s.regions, 0);
  assert_true(s.nsgs.omega == 1);
  assert_int_equal(s.nsgs.matrix_free, -1);
  assert_string_equal(s.method, "auto");
  assert_null(s.progress);
  assert_null(s.log);
  assert_int_equal(stc_settings_check(&s), STC_OK);
}

static void the_table_ends_and_makes_sense(void **state) {
  stc_setting field, other;
  assert_false(stc_settings_field(-1, &field));
  assert_true(field_count() >= 10);
  for (int k = 0; stc_settings_field(k, &field); k++) {
    assert_true(field.least <= field.initial && field.initial <= field.greatest);
    assert_true(strlen(field.meaning) > 5);
    for (int j = 0; j < k; j++) {
      assert_true(stc_settings_field(j, &other));
      assert_string_not_equal(field.name, other.name);
    }
  }
}

// First and last byte in which two settings differ.
static void difference(const stc_settings *a, const stc_settings *b, size_t *first, size_t *last) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  *first = sizeof *a;
  *last = 0;
  for (size_t k = 0; k < sizeof *a; k++) {
    if (x[k] == y[k]) continue;
    if (*first == sizeof *a) *first = k;
    *last = k;
  }
}

// Each name reaches a place of its own, and nothing else moves.
static void a_name_sets_one_field(void **state) {
  stc_setting field;
  unsigned char taken[sizeof(stc_settings)] = {0};
  for (int k = 0; stc_settings_field(k, &field); k++) {
    stc_settings before, after;
    before = stc_default_settings();
    memcpy(&after, &before, sizeof after);
    char text[40];
    double value = field.initial != field.least ? field.least : field.greatest;
    snprintf(text, sizeof text, "%.17g", value);
    assert_int_equal(stc_settings_set(&after, field.name, text), STC_OK);
    size_t first, last;
    difference(&before, &after, &first, &last);
    assert_true(first <= last && last - first < sizeof(double));
    for (size_t b = first; b <= last; b++) assert_false(taken[b]++);
    assert_int_equal(stc_settings_check(&after), STC_OK);
  }
}

static void text_becomes_numbers(void **state) {
  stc_settings s = stc_default_settings();
  assert_int_equal(stc_settings_set(&s, "tol", "1e-5"), STC_OK);
  assert_true(s.tol == 1e-5);
  assert_int_equal(stc_settings_set(&s, "max_iterations", "1e9"), STC_OK);
  assert_int_equal(s.max_iterations, 1000000000);
  assert_int_equal(stc_settings_set(&s, "nsgs.anderson", "0"), STC_OK);
  assert_int_equal(s.nsgs.anderson, 0);
  assert_int_equal(stc_settings_set(&s, "fixed-point.alpha", "0.5"), STC_OK);
  assert_true(s.fixed_point.alpha == 0.5);
}

static void bad_text_is_refused_and_changes_nothing(void **state) {
  const struct {
    const char *name, *text, *words;
    stc_error error;
  } bad[] = {
      {"tol", "", "not a number", STC_ERR_VALUE},
      {"tol", "small", "not a number", STC_ERR_VALUE},
      {"tol", "1e-8x", "not a number", STC_ERR_VALUE},
      {"tol", "nan", "not between", STC_ERR_VALUE},
      {"tol", "1e400", "not between", STC_ERR_VALUE},
      {"tol", "-1e-8", "not between 0 and 1", STC_ERR_VALUE},
      {"threads", "0", "not between 1 and 256", STC_ERR_VALUE},
      {"threads", "1.5", "whole number", STC_ERR_VALUE},
      {"nsgs.omega", "2.5", "nsgs.omega", STC_ERR_VALUE},
      {"omega", "1", "no setting 'omega'", STC_ERR_ARGUMENT},
      {"", "1", "no setting ''", STC_ERR_ARGUMENT},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    stc_settings before = stc_default_settings(), s;
    memcpy(&s, &before, sizeof s);
    expect_failure(stc_settings_set(&s, bad[k].name, bad[k].text), bad[k].error, bad[k].words);
    assert_memory_equal(&s, &before, sizeof s);
  }
}

static void the_check_names_the_field(void **state) {
  stc_settings s = stc_default_settings();
  s.newton.alpha = 0;
  expect_failure(stc_settings_check(&s), STC_ERR_VALUE, "newton.alpha");
  s = stc_default_settings();
  s.time_limit = NAN;
  expect_failure(stc_settings_check(&s), STC_ERR_VALUE, "time_limit");
  stc_settings forgotten = {.tol = 1e-8, .max_iterations = 10, .time_limit = 1, .threads = 1};
  expect_failure(stc_settings_check(&forgotten), STC_ERR_ARGUMENT, "stc_default_settings");
}

static void methods_have_names_and_summaries(void **state) {
  assert_null(stc_method_name(-1));
  assert_null(stc_method_summary(-1));
  assert_string_equal(stc_method_name(0), "auto");
  int n = 0;
  for (; stc_method_name(n); n++) {
    assert_true(strlen(stc_method_summary(n)) > 10);
    for (int j = 0; j < n; j++) assert_string_not_equal(stc_method_name(n), stc_method_name(j));
  }
  assert_null(stc_method_summary(n));
}

// ---- the pages ----

static char *read_page(const char *name) {
  char path[200];
  snprintf(path, sizeof path, "docs/solvers/%.100s.md", name);
  FILE *file = fopen(path, "r");
  if (!file) print_error("%s is missing\n", path);
  assert_non_null(file);
  enum { MOST = 100000 };
  char *text = calloc(MOST, 1);
  assert_non_null(text);
  size_t length = fread(text, 1, MOST - 1, file);
  assert_true(length > 0 && length < MOST - 1);
  fclose(file);
  return text;
}

// The page of a setting: that of its group, or the overview.
static void page_of(const char *setting, char *page, size_t size) {
  const char *dot = strchr(setting, '.');
  snprintf(page, size, "%.*s", dot ? (int)(dot - setting) : 40, dot ? setting : "README");
}

// A row whose first cell is a name with a dot, such as `nsgs.omega`, must be in the table.
static void expect_no_stranger(const char *text) {
  for (const char *at = strstr(text, "\n| `"); at; at = strstr(at + 1, "\n| `")) {
    char name[60] = "";
    bool known = false;
    stc_setting field;
    for (int k = 0; k < 59 && at[k + 4] != '`' && at[k + 4]; k++) name[k] = at[k + 4];
    for (int k = 0; stc_settings_field(k, &field); k++)
      known = known || strcmp(field.name, name) == 0;
    if (!known && strchr(name, '.')) print_error("there is no setting %s\n", name);
    assert_true(known || !strchr(name, '.'));
  }
}

static void pages_show_the_table(void **state) {
  stc_setting field;
  for (int k = 0; stc_settings_field(k, &field); k++) {
    char page[60], row[300];
    page_of(field.name, page, sizeof page);
    snprintf(row, sizeof row, "\n| `%s` | %g | %g to %g | %s |\n", field.name, field.initial,
             field.least, field.greatest, field.meaning);
    char *text = read_page(page);
    if (!strstr(text, row)) print_error("docs/solvers/%s.md lacks%s", page, row);
    assert_non_null(strstr(text, row));
    expect_no_stranger(text);
    free(text);
  }
}

static void every_method_has_a_page(void **state) {
  char *overview = read_page("README");
  for (int k = 0; stc_method_name(k); k++) {
    char link[100];
    snprintf(link, sizeof link, "(%.40s.md)", stc_method_name(k));
    free(read_page(stc_method_name(k)));
    if (!strstr(overview, link)) print_error("docs/solvers/README.md lacks %s\n", link);
    assert_non_null(strstr(overview, link));
  }
  free(overview);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_those_of_the_table),
      cmocka_unit_test(the_table_ends_and_makes_sense),
      cmocka_unit_test(a_name_sets_one_field),
      cmocka_unit_test(text_becomes_numbers),
      cmocka_unit_test(bad_text_is_refused_and_changes_nothing),
      cmocka_unit_test(the_check_names_the_field),
      cmocka_unit_test(methods_have_names_and_summaries),
      cmocka_unit_test(pages_show_the_table),
      cmocka_unit_test(every_method_has_a_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
