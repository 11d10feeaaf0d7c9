// Our reader against libhdf5: datasets of random extent, type, layout, filters and fill value, some
// of them written in part, give the same numbers.
#include "fclib_support.h"

#include "base/random.h"
#include "problem/fclib/h5.h"

#include <stdio.h>
#include <unistd.h>

enum { DATASETS = 150, MOST = 4000, NAME_ROOM = 32, LARGE = 70000 };

static stc_random chance;

static int below(int n) { return (int)(stc_random_bits(&chance) % (uint64_t)n); }

// --- Random datasets ---

static hid_t random_type(void) {
  const hid_t types[] = {H5T_STD_I8LE,   H5T_STD_U8BE,   H5T_STD_I16BE,  H5T_STD_U16LE,
                         H5T_STD_I32LE,  H5T_STD_I32BE,  H5T_STD_U32LE,  H5T_STD_I64LE,
                         H5T_STD_I64BE,  H5T_STD_U64BE,  H5T_IEEE_F32LE, H5T_IEEE_F32BE,
                         H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F64LE, H5T_STD_I32LE};
  return types[below(sizeof types / sizeof *types)];
}

static void random_filters(hid_t create) {
  if (below(2)) H5Pset_shuffle(create);
  if (below(2)) H5Pset_deflate(create, (unsigned)below(10));
  if (below(3) == 0) H5Pset_fletcher32(create);
  if (below(8) == 0) H5Pset_deflate(create, 1);  // once more
}

// The extent, the greatest extent and the chunk; true if the dataset is chunked.
static bool random_shape(int rank, hsize_t *extent, hsize_t *most, hsize_t *chunk) {
  bool chunked = rank > 0 && below(4) > 0;
  for (int k = 0; k < rank; k++) {
    int length = rank == 1 ? below(10) == 0 ? 0 : 1 + below(MOST) : 1 + below(60);
    extent[k] = (hsize_t)length;
    most[k] = extent[k];
    if (chunked && below(3) == 0) most[k] = H5S_UNLIMITED;
    if (chunked && below(3) == 0) most[k] = extent[k] + (hsize_t)below(100);
    chunk[k] = 1 + (hsize_t)below(length + 2);
    if (most[k] != H5S_UNLIMITED && chunk[k] > most[k]) chunk[k] = most[k] ? most[k] : 1;
  }
  return chunked;
}

static hid_t random_creation(bool chunked, int rank, const hsize_t *chunk) {
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  int number = below(100);
  if (chunked) {
    H5Pset_chunk(create, rank, chunk);
    if (below(3)) random_filters(create);
    if (below(6) == 0) H5Pset_chunk_opts(create, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
    if (below(5) == 0) H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
  }
  if (below(2)) H5Pset_fill_value(create, H5T_NATIVE_INT, &number);
  return create;
}

// Everything, a part of it, or nothing.
static void write_some(hid_t data, hid_t space, int rank, const hsize_t *extent) {
  static double values[LARGE];
  hsize_t start[2] = {0, 0}, count[2] = {1, 1};
  for (int k = 0; k < LARGE; k++) values[k] = below(100);
  if (H5Sget_simple_extent_npoints(space) == 0) return;
  if (below(4) == 0) return;
  hid_t memory = H5S_ALL, part = H5S_ALL;
  if (rank > 0 && below(2)) {
    for (int k = 0; k < rank; k++) {
      start[k] = (hsize_t)below((int)extent[k]);
      count[k] = 1 + (hsize_t)below((int)(extent[k] - start[k]));
    }
    hsize_t all = count[0] * count[1];
    part = space;
    H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, count, NULL);
    memory = H5Screate_simple(1, &all, NULL);
  }
  assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, values) >= 0);
  if (memory != H5S_ALL) H5Sclose(memory);
}

static void put_random(hid_t file, const char *name) {
  hsize_t extent[2] = {1, 1}, most[2] = {1, 1}, chunk[2] = {1, 1};
  int rank = below(3);
  bool chunked = random_shape(rank, extent, most, chunk);
  hid_t space = rank ? H5Screate_simple(rank, extent, most) : H5Screate(H5S_SCALAR);
  hid_t create = random_creation(chunked, rank, chunk);
  hid_t data = H5Dcreate2(file, name, random_type(), space, H5P_DEFAULT, create, H5P_DEFAULT);
  assert_true(data >= 0);
  write_some(data, space, rank, extent);
  H5Dclose(data);
  H5Pclose(create);
  H5Sclose(space);
}

// --- Comparison ---

static void expect_as_libhdf5(hid_t file, stc_h5 *h5, const char *name) {
  static double theirs[LARGE], ours[LARGE];
  stc_h5_object object;
  hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
  hssize_t count = H5Sget_simple_extent_npoints(space);
  assert_true(count <= LARGE);
  assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, theirs) >= 0);
  stc_error error = stc_h5_find(h5, name, &object);
  if (!error) error = stc_h5_doubles(h5, &object, (uint64_t)count, ours);
  if (error) print_error("%s: %s\n", name, stc_error_detail());
  assert_int_equal(error, STC_OK);
  assert_int_equal(object.count, count);
  assert_memory_equal(ours, theirs, (size_t)count * sizeof *ours);
  H5Sclose(space);
  H5Dclose(data);
}

static hid_t create_file(const char *path, bool latest, hsize_t user_block) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
  if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_userblock(create, user_block);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
  assert_true(file >= 0);
  H5Pclose(create);
  H5Pclose(access);
  return file;
}

static const char *name_of(int k) {
  static char name[NAME_ROOM];
  snprintf(name, sizeof name, "dataset %d", k);
  return name;
}

// The names of this many datasets make a dense group in the newest format.
static void compare_random(bool latest, hsize_t user_block) {
  const char *path = fclib_path("random.hdf5");
  hid_t file = create_file(path, latest, user_block);
  for (int k = 0; k < DATASETS; k++) put_random(file, name_of(k));
  H5Fclose(file);
  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  stc_h5 h5;
  assert_int_equal(stc_h5_open(&h5, path), STC_OK);
  for (int k = 0; k < DATASETS; k++) expect_as_libhdf5(file, &h5, name_of(k));
  stc_h5_close(&h5);
  H5Fclose(file);
  fclib_expect_closed();
}

static void random_datasets_are_read_as_libhdf5_does(void **state) {
  chance = stc_random_seed(7);
  compare_random(false, 0);
  compare_random(true, 0);
  compare_random(false, 512);
  compare_random(true, 4096);
}

// --- Indices so large that they have pages, secondary blocks, inner nodes ---

static void put_large(hid_t file, const char *name, hsize_t most0, hsize_t most1, bool gzip) {
  const hsize_t extent[2] = {1, LARGE}, most[2] = {most0, most1}, chunk[2] = {1, 2};
  hid_t space = H5Screate_simple(2, extent, most), create = H5Pcreate(H5P_DATASET_CREATE);
  const double fill = 0.25;
  H5Pset_chunk(create, 2, chunk);
  H5Pset_fill_value(create, H5T_NATIVE_DOUBLE, &fill);
  if (gzip) H5Pset_deflate(create, 1);
  hid_t data = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  for (int k = 0; k < 40; k++) {  // a few places: most pages and blocks are never made
    hsize_t start[2] = {0, (hsize_t)below(LARGE - 8)}, count[2] = {1, 8}, eight = 8;
    double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    hid_t memory = H5Screate_simple(1, &eight, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0);
    H5Sclose(memory);
  }
  H5Dclose(data);
  H5Pclose(create);
  H5Sclose(space);
}

static void large_indices_are_read_as_libhdf5_does(void **state) {
  const char *path = fclib_path("large.hdf5");
  const hsize_t none = H5S_UNLIMITED;
  chance = stc_random_seed(8);
  for (int latest = 0; latest < 2; latest++) {
    const char *const names[] = {"fixed", "fixed2", "extensible", "extensible2", "tree", "tree2"};
    hid_t file = create_file(path, latest, 0);
    put_large(file, names[0], 1, LARGE, false);
    put_large(file, names[1], 2, LARGE + 3, true);
    put_large(file, names[2], 1, none, false);
    put_large(file, names[3], none, LARGE, true);
    put_large(file, names[4], none, none, false);
    put_large(file, names[5], none, none, true);
    H5Fclose(file);
    file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    stc_h5 h5;
    assert_int_equal(stc_h5_open(&h5, path), STC_OK);
    for (int k = 0; k < 6; k++) {
      stc_h5_object object;
      bool written = true;
      expect_as_libhdf5(file, &h5, names[k]);
      assert_int_equal(stc_h5_find(&h5, names[k], &object), STC_OK);
      assert_int_equal(stc_h5_is_written(&h5, &object, &written), STC_OK);
      assert_false(written);
    }
    stc_h5_close(&h5);
    H5Fclose(file);
  }
}

// --- What was not written and has no fill value ---

static void put_without_fill(hid_t file, const char *name, bool chunked) {
  const hsize_t extent = 10, chunk = 5;
  hid_t space = H5Screate_simple(1, &extent, NULL), create = H5Pcreate(H5P_DATASET_CREATE);
  if (chunked) H5Pset_chunk(create, 1, &chunk);
  H5Pset_fill_time(create, H5D_FILL_TIME_NEVER);
  H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT));
  H5Pclose(create);
  H5Sclose(space);
}

static void without_a_fill_value_it_is_refused(void **state) {
  const char *path = fclib_path("no_fill.hdf5");
  for (int latest = 0; latest < 2; latest++) {
    hid_t file = create_file(path, latest, 0);
    put_without_fill(file, "one piece", false);
    put_without_fill(file, "chunks", true);
    H5Fclose(file);
    stc_h5 h5;
    double values[10];
    assert_int_equal(stc_h5_open(&h5, path), STC_OK);
    for (int k = 0; k < 2; k++) {
      stc_h5_object object;
      assert_int_equal(stc_h5_find(&h5, k ? "chunks" : "one piece", &object), STC_OK);
      expect_failure(stc_h5_doubles(&h5, &object, 10, values), STC_ERR_FORMAT, "no fill value");
    }
    stc_h5_close(&h5);
  }
}

// --- Limits ---

// gzip makes at most 1032 bytes of one: nothing that a file holds is refused until 256 MB.
static void files_may_expand_as_far_as_gzip_does(void **state) {
  assert_true(stc_h5_limit(1000) >= 1032 * 1000);
  assert_true(stc_h5_limit(200000) >= UINT64_C(1032) * 200000);
  assert_true(stc_h5_limit(1 << 20) <= UINT64_C(1) << 29);
  assert_true(stc_h5_limit(UINT64_MAX) > UINT64_MAX / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_datasets_are_read_as_libhdf5_does),
                                     cmocka_unit_test(large_indices_are_read_as_libhdf5_does),
                                     cmocka_unit_test(without_a_fill_value_it_is_refused),
                                     cmocka_unit_test(files_may_expand_as_far_as_gzip_does)};
  return cmocka_run_group_tests(tests, fclib_setup, fclib_teardown);
}
