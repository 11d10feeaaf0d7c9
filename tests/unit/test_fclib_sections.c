// Sections in files: what is read has the same name as what was written, also in another form and
// after the file's problem is gone; what is hostile is refused with a sentence.
#include "fclib_support.h"

#include <math.h>
#include <string.h>

// Three contacts: the first and the last with the section, the one between with Coulomb's law.
static stc_problem *with_section(int dim, const stc_cone_section *section) {
  stc_problem *plain = fclib_global(dim, false, false), *problem = NULL;
  stc_global_data data = stc_problem_global_data(plain);
  stc_law law[2] = {stc_law_coulomb(dim, 0.25), stc_law_section(section)};
  law[1].mu[0] = law[1].mu[1] = 0.75;
  assert_int_equal(data.contacts, 2);
  data.law = law;
  assert_int_equal(stc_problem_create_global(&data, &problem), STC_OK);
  stc_problem_free(&plain);
  return problem;
}

static void expect_same_name(const stc_problem *a, const stc_problem *b) {
  char name[2][33];
  stc_problem_fingerprint(a, name[0]);
  stc_problem_fingerprint(b, name[1]);
  assert_string_equal(name[0], name[1]);
}

static void goes_round(stc_cone_section *section) {
  const char *path = fclib_path("section.hdf5"), *other = fclib_path("local.hdf5");
  stc_problem *p = with_section(stc_cone_section_dim(section), section), *read = NULL;
  stc_problem *local = NULL, *again = NULL;
  assert_int_equal(stc_problem_write(p, NULL, path), STC_OK);
  if (stc_problem_read(path, &read)) fail_msg("%s", stc_error_detail());
  expect_same_name(p, read);
  assert_int_equal(stc_problem_law(read, 0)->kind, STC_LAW_COULOMB);
  assert_true(stc_problem_law(read, 1)->mu[0] == 0.75);
  assert_ptr_not_equal(stc_problem_law(read, 1)->section, section);
  // The local form has sections of its own: it outlives what it was made of.
  assert_int_equal(stc_problem_to_local(read, &local), STC_OK);
  stc_problem_free(&read);
  stc_problem_free(&p);
  stc_cone_section_free(&section);
  assert_int_equal(stc_problem_write(local, NULL, other), STC_OK);
  assert_int_equal(stc_problem_read(other, &again), STC_OK);
  expect_same_name(local, again);
  stc_problem_free(&again);
  stc_problem_free(&local);
  fclib_expect_closed();
}

static double lens(void *user, double x, double y) { return hypot(0.5 * x, 0.25 * y) + 0.1 * x; }

static void every_section_goes_round(void **state) {
  const double corner[] = {0.6, 0.0, 0.1, 0.4, -0.2, 0.0, 0.0, -0.4};
  const double point[] = {0.5, 0.0, 0.3, 0.4, -0.3, 0.3, -0.4, 0.0, 0.0, -0.5};
  const stc_superellipse shape = {0.5, 0.2, 3.0, 0.3, {0.1, 0.05}};
  stc_cone_section *section = NULL;
  assert_int_equal(stc_cone_section_interval(0.2, 0.6, &section), STC_OK);
  goes_round(section);
  assert_int_equal(stc_cone_section_polygon(4, corner, &section), STC_OK);
  goes_round(section);
  assert_int_equal(stc_cone_section_curve(5, point, &section), STC_OK);
  goes_round(section);
  assert_int_equal(stc_cone_section_superellipse(&shape, &section), STC_OK);
  goes_round(section);
  assert_int_equal(stc_cone_section_support(lens, NULL, &section), STC_OK);
  goes_round(section);
}

// A section that two contacts share is stored once.
static void shared_sections_are_stored_once(void **state) {
  const char *path = fclib_path("shared.hdf5");
  stc_cone_section *section = NULL;
  stc_problem *plain = fclib_global(2, false, false), *p = NULL;
  int of[2], corners[1];
  assert_int_equal(stc_cone_section_interval(0.2, 0.6, &section), STC_OK);
  stc_global_data data = stc_problem_global_data(plain);
  stc_law law[2] = {stc_law_section(section), stc_law_section(section)};
  data.law = law;
  assert_int_equal(stc_problem_create_global(&data, &p), STC_OK);
  assert_int_equal(stc_problem_write(p, NULL, path), STC_OK);
  fclib_get_ints(path, "stiction_sections/section_of", 2, of);
  fclib_get_ints(path, "stiction_sections/corners", 1, corners);
  assert_true(of[0] == 0 && of[1] == 0 && corners[0] == 2);
  stc_problem_free(&p);
  stc_problem_free(&plain);
  stc_cone_section_free(&section);
}

// --- Hostile files ---

typedef void (*spoiler)(hid_t file);

static void drop_dataset(hid_t file, const char *name) {
  assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
}

static void replace_ints(hid_t file, const char *name, int count, const int *values) {
  drop_dataset(file, name);
  fclib_put_ints(file, name, count, values);
}

static void replace_doubles(hid_t file, const char *name, int count, const double *values) {
  drop_dataset(file, name);
  fclib_put_doubles(file, name, count, values);
}

#define GROUP "stiction_sections/"

static void refuse_section(bool round, spoiler spoil, const char *words) {
  const char *path = fclib_path("hostile_section.hdf5");
  const double corner[] = {0.6, 0.0, 0.0, 0.4, -0.2, 0.0, 0.0, -0.4};
  const double point[] = {0.5, 0.0, 0.0, 0.5, -0.5, 0.0, 0.0, -0.5};
  stc_cone_section *section = NULL;
  assert_int_equal((round ? stc_cone_section_curve
                          : stc_cone_section_polygon)(4, round ? point : corner, &section),
                   STC_OK);
  stc_problem *p = with_section(3, section), *read = NULL;
  assert_int_equal(stc_problem_write(p, NULL, path), STC_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  spoil(file);
  assert_true(H5Fclose(file) >= 0);
  expect_failure(stc_problem_read(path, &read), STC_ERR_FORMAT, words);
  assert_null(read);
  fclib_expect_closed();
  stc_problem_free(&p);
  stc_cone_section_free(&section);
}

static void names_a_section_that_is_not_there(hid_t file) {
  replace_ints(file, GROUP "section_of", 2, (int[]){-1, 1});
}

static void names_a_section_below(hid_t file) {
  replace_ints(file, GROUP "section_of", 2, (int[]){-2, 0});
}

static void has_no_corners(hid_t file) {
  replace_ints(file, GROUP "corners", 1, (int[]){0});
  drop_dataset(file, GROUP "corner");
}

static void has_less_than_no_corners(hid_t file) {
  replace_ints(file, GROUP "corners", 1, (int[]){-4});
}

static void has_more_corners(hid_t file) {
  replace_ints(file, GROUP "corners", 1, (int[]){2147483647});
}

static void is_dented(hid_t file) {
  replace_doubles(file, GROUP "corner", 8, (double[]){0.6, 0.0, 0.0, 0.4, 0.3, 0.0, 0.0, -0.4});
}

static void goes_clockwise(hid_t file) {
  replace_doubles(file, GROUP "corner", 8, (double[]){0.6, 0.0, 0.0, -0.4, -0.2, 0.0, 0.0, 0.4});
}

static void goes_round_twice(hid_t file) {
  replace_ints(file, GROUP "corners", 1, (int[]){5});
  replace_doubles(file, GROUP "corner", 10,
                  (double[]){1.0, 0.0, -0.8, 0.6, 0.3, -0.95, 0.3, 0.95, -0.8, -0.6});
}

static void leaves_0_outside(hid_t file) {
  replace_doubles(file, GROUP "corner", 8, (double[]){1.6, 0.0, 1.0, 0.4, 0.8, 0.0, 1.0, -0.4});
}

static void holds_nan(hid_t file) {
  replace_doubles(file, GROUP "corner", 8, (double[]){0.6, NAN, 0.0, 0.4, -0.2, 0.0, 0.0, -0.4});
}

static void repeats_a_corner(hid_t file) {
  replace_doubles(file, GROUP "corner", 8, (double[]){0.6, 0.0, 0.6, 0.0, -0.2, 0.0, 0.0, -0.4});
}

static void change_arc(hid_t file, int at, double by) {
  double arc[40];
  hid_t data = H5Dopen2(file, GROUP "arc", H5P_DEFAULT);
  assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, arc) >= 0);
  arc[at] += by;
  assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, arc) >= 0);
  H5Dclose(data);
}

static void has_an_arc_elsewhere(hid_t file) { change_arc(file, 5, 0.1); }
static void has_an_arc_inside_out(hid_t file) { change_arc(file, 7, -1.0); }
static void has_a_long_normal(hid_t file) { change_arc(file, 8, 0.5); }

static void hostile_sections_are_refused(void **state) {
  refuse_section(false, names_a_section_that_is_not_there,
                 "section_of[1] = 1; there are 1 sections");
  refuse_section(false, names_a_section_below, "section_of[0] = -2");
  refuse_section(false, has_no_corners, "0 corners and 0 arcs");
  refuse_section(false, has_less_than_no_corners, "corners[0] = -4");
  refuse_section(false, has_more_corners, "stiction_sections/corner");
  refuse_section(false, is_dented, "no part of a convex curve");
  refuse_section(false, goes_clockwise, "section");
  refuse_section(false, goes_round_twice, "go round 2 times");
  refuse_section(false, leaves_0_outside, "0 lies outside");
  refuse_section(false, holds_nan, "is not bounded");
  refuse_section(false, repeats_a_corner, "no part of a convex curve");
  refuse_section(true, has_an_arc_elsewhere, "no part of a convex curve");
  refuse_section(true, has_an_arc_inside_out, "no part of a convex curve");
  refuse_section(true, has_a_long_normal, "no part of a convex curve");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_section_goes_round),
                                     cmocka_unit_test(shared_sections_are_stored_once),
                                     cmocka_unit_test(hostile_sections_are_refused)};
  return cmocka_run_group_tests(tests, fclib_setup, fclib_teardown);
}
