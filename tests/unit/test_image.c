// The writer of HDF5 files: libhdf5 reads every dataset of groups of any size and can add to them,
// our reader finds the same, and every allocation that fails is an error with a sentence.
#include "fclib_support.h"

#include "problem/fclib/h5.h"
#include "problem/fclib/h5_image.h"

#include <stdio.h>
#include <sys/stat.h>

enum {
  SECTOR = 512,
  MOST = 8200,  // names in a group: more than 8 x 32 x 32 make a tree of three levels
  NAME_ROOM = 32,
  FAILURES = 200  // allocations of one call, at most
};

// --- Allocations that fail: the linker sends calloc and malloc of the library here ---

static int allocations, failing = -1;  // the failing one counts from 0; -1: none

void *__real_calloc(size_t count, size_t size);
void *__real_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_calloc(size_t count, size_t size) {
  return allocations++ == failing ? NULL : __real_calloc(count, size);
}

void *__wrap_malloc(size_t size) { return allocations++ == failing ? NULL : __real_malloc(size); }

static void fail_at(int number) {
  allocations = 0;
  failing = number;
}

// --- Groups of any size ---

static const char *name_of(int k) {
  static char name[NAME_ROOM];
  snprintf(name, sizeof name, "group/n%d", k);
  return name;
}

static void write_names(const char *path, int count) {
  stc_image image = {0};
  for (int k = 0; k < count; k++) stc_image_int(&image, "group", name_of(k) + 6, k);
  assert_int_equal(stc_image_save(&image, path), STC_OK);
  stc_image_close(&image);
}

static void expect_libhdf5_finds(hid_t file, int k) {
  int value = -1;
  hid_t data = H5Dopen2(file, name_of(k), H5P_DEFAULT);
  assert_true(data >= 0);
  assert_true(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
  H5Dclose(data);
  assert_int_equal(value, k);
}

static void expect_we_find(stc_h5 *h5, int k) {
  stc_h5_object object;
  int value = -1;
  assert_int_equal(stc_h5_find(h5, name_of(k), &object), STC_OK);
  assert_int_equal(object.kind, STC_H5_DATASET);
  assert_int_equal(stc_h5_ints(h5, &object, 1, &value), STC_OK);
  assert_int_equal(value, k);
}

// Nodes of the tree that are full, one more than full, one level more than that.
static void groups_of_any_size_are_read(void **state) {
  const int counts[] = {1, 7, 8, 9, 256, 257, MOST};
  const char *path = fclib_path("names.hdf5");
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
    int count = counts[n], step = count > 1000 ? 997 : 1;
    H5G_info_t info;
    write_names(path, count);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0 && H5Gget_info_by_name(file, "group", &info, H5P_DEFAULT) >= 0);
    assert_int_equal(info.nlinks, count);
    for (int k = 0; k < count; k++) expect_libhdf5_finds(file, k);
    H5Fclose(file);
    stc_h5 h5;
    assert_int_equal(stc_h5_open(&h5, path), STC_OK);
    for (int k = 0; k < count; k += step) expect_we_find(&h5, k);
    stc_h5_close(&h5);
  }
}

// libhdf5 splits the full nodes of our tree.
static void libhdf5_adds_names(void **state) {
  const int before = 300, after = 700;
  const char *path = fclib_path("added.hdf5");
  write_names(path, before);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  for (int k = before; k < after; k++) fclib_put_int(file, name_of(k), k);
  H5Fclose(file);
  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (int k = 0; k < after; k++) expect_libhdf5_finds(file, k);
  H5Fclose(file);
  stc_h5 h5;
  assert_int_equal(stc_h5_open(&h5, path), STC_OK);
  for (int k = 0; k < after; k += 13) expect_we_find(&h5, k);
  stc_h5_close(&h5);
}

// --- Kinds of datasets ---

static void put_samples(stc_image *image) {
  static const double matrix[6] = {1, 2, 3, 4, 5, 6};
  static const char texts[] = "ab\0cd";
  stc_image_put(image, "a/b/matrix",
                &(stc_image_array){STC_IMAGE_DOUBLE, sizeof *matrix, 2, {2, 3}, matrix});
  stc_image_put(image, "a/b/rows", &(stc_image_array){STC_IMAGE_DOUBLE, 8, 2, {0, 3}, NULL});
  stc_image_ints(image, "a", "empty", 0, NULL);
  stc_image_texts(image, "", "texts", 2, 3, texts);
  stc_image_text(image, "a", "text", "");
  stc_image_double(image, "a/b", "pi", 3.25);
}

static void libhdf5_reads_every_kind(void **state) {
  stc_image image = {0};
  const char *path = fclib_path("kinds.hdf5");
  double matrix[6], pi = 0;
  char texts[6], text = 'x';
  put_samples(&image);
  assert_int_equal(stc_image_save(&image, path), STC_OK);
  stc_image_close(&image);
  fclib_get_doubles(path, "a/b/matrix", 6, matrix);
  for (int k = 0; k < 6; k++) expect_near(matrix[k], k + 1, 0);
  fclib_get_doubles(path, "a/b/pi", 1, &pi);
  expect_near(pi, 3.25, 0);
  fclib_get_doubles(path, "a/b/rows", 0, matrix);
  fclib_get_ints(path, "a/empty", 0, NULL);
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 3);
  fclib_get(path, "texts", type, 2, texts);
  assert_memory_equal(texts, "ab\0cd", 6);
  H5Tset_size(type, 1);
  fclib_get(path, "a/text", type, 1, &text);
  assert_int_equal(text, 0);
  H5Tclose(type);
}

// Words of a header are changed on the disk while a run goes on: none may lie in two sectors.
static void headers_lie_within_a_sector(void **state) {
  const char *path = fclib_path("sectors.hdf5");
  write_names(path, 100);
  stc_h5 h5;
  assert_int_equal(stc_h5_open(&h5, path), STC_OK);
  for (int k = 0; k < 100; k++) {
    stc_h5_object object;
    assert_int_equal(stc_h5_find(&h5, name_of(k), &object), STC_OK);
    assert_true(object.extent_at < object.place_at);
    assert_int_equal(object.extent_at / SECTOR, (object.place_at + 15) / SECTOR);
  }
  stc_h5_close(&h5);
}

static size_t load_file(const char *path, char *bytes, size_t room) {
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  size_t count = fread(bytes, 1, room, in);
  fclose(in);
  return count;
}

static void same_content_same_bytes(void **state) {
  static char bytes[2][1 << 14];
  size_t count[2];
  for (int k = 0; k < 2; k++) {
    stc_problem *problem = fclib_global(3, true, true);
    const char *path = fclib_path("same.hdf5");
    assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
    count[k] = load_file(path, bytes[k], sizeof bytes[k]);
    stc_problem_free(&problem);
  }
  assert_true(count[0] == count[1] && count[0] < sizeof bytes[0]);
  assert_memory_equal(bytes[0], bytes[1], count[0]);
}

// --- Memory ---

// Writes until no allocation fails any more; returns how many did.
static int write_with_failures(const stc_problem *problem, const stc_solution *solution,
                               const char *path) {
  for (int n = 0; n < FAILURES; n++) {
    fail_at(n);
    stc_error error = stc_problem_write(problem, solution, path);
    bool reached = allocations > n;
    fail_at(-1);
    if (!reached) return n;
    assert_int_equal(error, STC_ERR_MEMORY);
    assert_non_null(strstr(stc_error_detail(), path));
  }
  fail_msg("allocations without end");
  return 0;
}

static int read_with_failures(const char *path, const stc_problem *expected) {
  for (int n = 0; n < FAILURES; n++) {
    stc_problem *problem = NULL;
    fail_at(n);
    stc_error error = stc_problem_read(path, &problem);
    bool reached = allocations > n;
    fail_at(-1);
    if (!reached) {
      fclib_expect_same(problem, expected);
      stc_problem_free(&problem);
      return n;
    }
    assert_int_equal(error, STC_ERR_MEMORY);
    assert_non_null(strstr(stc_error_detail(), path));
    assert_null(problem);
  }
  fail_msg("allocations without end");
  return 0;
}

// The vector of a file again, in two compressed chunks of which one is not written.
static void chunk_again(const char *path, const char *name) {
  hsize_t six = 6, three = 3, start = 0;
  double values[3] = {1, 2, 3};
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), create = H5Pcreate(H5P_DATASET_CREATE);
  hid_t space = H5Screate_simple(1, &six, NULL), part = H5Screate_simple(1, &three, NULL);
  H5Ldelete(file, name, H5P_DEFAULT);
  H5Pset_chunk(create, 1, &three);
  H5Pset_shuffle(create);
  H5Pset_deflate(create, 9);
  hid_t data = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &three, NULL);
  assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, part, space, H5P_DEFAULT, values) >= 0);
  H5Dclose(data);
  H5Sclose(part);
  H5Sclose(space);
  H5Pclose(create);
  H5Fclose(file);
}

static void failing_allocations_for_chunks_are_errors(void **state) {
  const char *path = fclib_path("chunks.hdf5");
  stc_problem *problem = fclib_local(3, false, false), *chunked = NULL;
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  int plain = read_with_failures(path, problem);
  chunk_again(path, "fclib_local/vectors/q");
  assert_int_equal(stc_problem_read(path, &chunked), STC_OK);
  const double q[6] = {1, 2, 3, 0, 0, 0};
  assert_memory_equal(stc_problem_local_data(chunked).q, q, sizeof q);
  assert_true(read_with_failures(path, chunked) > plain + 2);
  stc_problem_free(&chunked);
  stc_problem_free(&problem);
}

static void every_failing_allocation_is_an_error(void **state) {
  double r[6] = {1, 2, 3, 4, 5, 6}, l[2] = {7, 8};
  const char *path = fclib_path("memory.hdf5");
  stc_problem *problems[] = {fclib_local(3, true, true), fclib_global(3, true, false)};
  for (int k = 0; k < 2; k++) {
    stc_solution solution = {.r = r, .u = r, .l = l, .v = k ? r : NULL};
    int files = fclib_files();
    assert_true(write_with_failures(problems[k], &solution, path) > 2);
    assert_int_equal(fclib_files(), files + (k == 0));  // the file, and nothing left beside it
    assert_true(read_with_failures(path, problems[k]) > 2);
    stc_problem_free(&problems[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_of_any_size_are_read),
      cmocka_unit_test(libhdf5_adds_names),
      cmocka_unit_test(libhdf5_reads_every_kind),
      cmocka_unit_test(headers_lie_within_a_sector),
      cmocka_unit_test(same_content_same_bytes),
      cmocka_unit_test(every_failing_allocation_is_an_error),
      cmocka_unit_test(failing_allocations_for_chunks_are_errors),
  };
  return cmocka_run_group_tests(tests, fclib_setup, fclib_teardown);
}
