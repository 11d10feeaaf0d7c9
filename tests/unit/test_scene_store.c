// The file of a run at the moments when it could be cut: libhdf5 and our reader find a whole file
// with the rows declared so far, and a half-written checkpoint is told from a whole one.
#include "expect.h"

#include "scene/store.h"

#include <stiction/scene.h>

#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS = 3, PAYLOAD = 4, SLOT = 3 + PAYLOAD };

static char path[64], copy_path[64];

static const char *const no_texts[] = {NULL};
static const char *const columns[] = {"t", "x", "y", NULL};
static const char *const observables[] = {"answer", NULL};

static const stc_store_head HEAD = {.scene = "scene.lua",
                                    .text = "-- text",
                                    .parameters = no_texts,
                                    .columns = columns,
                                    .observables = observables,
                                    .columns_count = COLUMNS,
                                    .observables_count = 1,
                                    .first_series = 1,
                                    .payload = PAYLOAD};

static int make_paths(void **state) {
  snprintf(path, sizeof path, "/tmp/stiction-store-%ld.h5", (long)getpid());
  snprintf(copy_path, sizeof copy_path, "/tmp/stiction-copy-%ld.h5", (long)getpid());
  return 0;
}

static int remove_files(void **state) {
  unlink(path);
  unlink(copy_path);
  return 0;
}

// --- A file after n flushes of two rows each: row k is (k, 10 k, -k), checkpoint n is (n, n, n, n)

static void add_rows(stc_store *store) {
  for (int k = 0; k < 2; k++) {
    double t = (double)stc_store_rows(store);
    stc_store_add(store, (double[COLUMNS]){t, 10 * t, -t});
  }
}

static stc_store *write_flushes(int count) {
  stc_store *store = NULL;
  assert_int_equal(stc_store_create(path, &HEAD, &store), STC_OK);
  for (int n = 1; n <= count; n++) {
    const double payload[PAYLOAD] = {n, n, n, n};
    add_rows(store);
    assert_int_equal(stc_store_flush(store, payload), STC_OK);
  }
  return store;
}

static size_t load(const char *name, uint8_t **bytes) {
  struct stat status;
  assert_int_equal(stat(name, &status), 0);
  *bytes = malloc((size_t)status.st_size);
  FILE *in = fopen(name, "rb");
  assert_int_equal(fread(*bytes, 1, (size_t)status.st_size, in), (size_t)status.st_size);
  fclose(in);
  return (size_t)status.st_size;
}

static void save(const char *name, const uint8_t *bytes, size_t count) {
  FILE *out = fopen(name, "wb");
  assert_int_equal(fwrite(bytes, 1, count, out), count);
  assert_int_equal(fclose(out), 0);
}

// Rows that libhdf5 finds, each checked; -1 if it cannot read the file.
static long rows_by_libhdf5(const char *name) {
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return -1;
  hid_t data = H5Dopen2(file, "steps", H5P_DEFAULT), space = H5Dget_space(data);
  hsize_t extent[2] = {0, 0};
  assert_int_equal(H5Sget_simple_extent_dims(space, extent, NULL), 2);
  double values[100 * COLUMNS];
  assert_true(extent[0] <= 100 && extent[1] == COLUMNS);
  bool good = extent[0] == 0 ||
              H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  for (hsize_t k = 0; good && k < extent[0]; k++)
    expect_near(values[COLUMNS * k + 1], 10.0 * (double)k, 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return good ? (long)extent[0] : -1;
}

static long rows_by_us(const char *name) {
  stc_trajectory *t = NULL;
  if (stc_trajectory_read(name, &t) != STC_OK) return -1;
  long rows = t->rows;
  for (long k = 0; k < rows; k++) expect_near(t->value[COLUMNS * k + 2], -(double)k, 0);
  stc_trajectory_free(&t);
  return rows;
}

static void every_flush_leaves_a_whole_file(void **state) {
  stc_store *store = NULL;
  assert_int_equal(stc_store_create(path, &HEAD, &store), STC_OK);
  assert_int_equal(rows_by_libhdf5(path), 0);
  assert_int_equal(rows_by_us(path), 0);
  for (int n = 1; n <= 5; n++) {
    add_rows(store);
    assert_int_equal(stc_store_flush(store, (double[PAYLOAD]){n, n, n, n}), STC_OK);
    assert_int_equal(rows_by_libhdf5(path), 2 * n);
    assert_int_equal(rows_by_us(path), 2 * n);
  }
  assert_int_equal(stc_store_observe(store, &(stc_observed){.number = 42}), STC_OK);
  stc_store_close(&store);
  stc_trajectory *t = NULL;
  assert_int_equal(stc_trajectory_read(path, &t), STC_OK);
  expect_near(t->observed[0].number, 42, 0);
  stc_trajectory_free(&t);
}

// --- Cut between two writes ---

// While it watches, every write of the library comes through here instead of libc's pwrite. A write
// of eight bytes within a sector is one; a longer one is taken in two halves. After each of them
// the file must be whole, with at least the rows declared before.
static bool watching;
static long rows_seen;
static int looks;

static void look(void) {
  long by_libhdf5 = rows_by_libhdf5(path), by_us = rows_by_us(path);
  assert_true(by_libhdf5 >= rows_seen);
  assert_int_equal(by_us, by_libhdf5);
  rows_seen = by_libhdf5;
  looks++;
}

static void put_part(int fd, const char *bytes, size_t count, off_t at) {
  assert_int_equal(lseek(fd, at, SEEK_SET), at);
  assert_int_equal(write(fd, bytes, count), count);
  if (watching) look();
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  bool one = count == 8;
  if (one) assert_int_equal(at / 512, (at + 7) / 512);
  size_t half = one ? count : count / 2;
  put_part(fd, bytes, half, at);
  if (!one) put_part(fd, (const char *)bytes + half, count - half, at + (off_t)half);
  return (ssize_t)count;
}

static void a_cut_between_two_writes_harms_nothing(void **state) {
  stc_store *store = write_flushes(1);
  watching = true;
  rows_seen = 2;
  for (int n = 2; n <= 4; n++) {
    add_rows(store);
    assert_int_equal(stc_store_flush(store, (double[PAYLOAD]){n, n, n, n}), STC_OK);
    assert_int_equal(rows_seen, 2 * n);
  }
  watching = false;
  stc_store_close(&store);
  assert_int_equal(looks, 3 * (2 + 5 + 2));  // rows, declaration, checkpoint
}

// --- Checkpoints ---

static double payload_found(bool *found, long *rows) {
  double payload[PAYLOAD] = {0};
  stc_store *store = NULL;
  assert_int_equal(stc_store_open(path, &HEAD, payload, found, &store), STC_OK);
  *rows = stc_store_rows(store);
  stc_store_close(&store);
  return payload[PAYLOAD - 1];
}

// Where the checkpoint with this number lies: seven doubles, the number first, its payload last.
static size_t find_slot(const uint8_t *bytes, size_t size, double number) {
  for (size_t k = 0; k + SLOT * sizeof(double) <= size; k++) {
    double slot[SLOT];
    memcpy(slot, bytes + k, sizeof slot);
    bool same = slot[0] == number && slot[2] == 2 * number;
    for (int i = 3; i < SLOT; i++) same = same && slot[i] == number;
    if (same) return k;
  }
  fail_msg("no checkpoint %g", number);
  return 0;
}

static void the_newest_whole_checkpoint_counts(void **state) {
  bool found;
  long rows;
  uint8_t *bytes = NULL;
  stc_store *store = write_flushes(3);
  stc_store_close(&store);
  expect_near(payload_found(&found, &rows), 3, 0);
  assert_true(found);
  assert_int_equal(rows, 6);
  size_t size = load(path, &bytes), at = find_slot(bytes, size, 3);
  for (size_t byte = 0; byte < SLOT * sizeof(double); byte += 3) {  // any byte of it damaged
    bytes[at + byte] ^= 0x10;
    save(path, bytes, size);
    expect_near(payload_found(&found, &rows), 2, 0);
    assert_int_equal(rows, 4);
    bytes[at + byte] ^= 0x10;
  }
  bytes[at] ^= 0x10;
  bytes[find_slot(bytes, size, 2)] ^= 0x10;
  save(path, bytes, size);
  payload_found(&found, &rows);
  assert_false(found);
  assert_int_equal(rows, 0);
  free(bytes);
}

// Rows after the checkpoint are written anew at the same place, and those declared stay declared.
static void going_on_overwrites_what_follows(void **state) {
  bool found;
  double payload[PAYLOAD];
  stc_store *store = write_flushes(2);
  add_rows(store);
  assert_int_equal(stc_store_flush(store, NULL), STC_OK);  // rows without a checkpoint
  stc_store_close(&store);
  assert_int_equal(rows_by_us(path), 6);
  assert_int_equal(stc_store_open(path, &HEAD, payload, &found, &store), STC_OK);
  assert_int_equal(stc_store_rows(store), 4);
  assert_int_equal(rows_by_us(path), 6);
  add_rows(store);
  add_rows(store);
  assert_int_equal(stc_store_flush(store, (double[PAYLOAD]){3, 3, 3, 3}), STC_OK);
  stc_store_close(&store);
  assert_int_equal(rows_by_us(path), 8);
  assert_int_equal(rows_by_libhdf5(path), 8);
}

static void other_files_are_refused(void **state) {
  bool found;
  double payload[PAYLOAD];
  stc_store *store = write_flushes(1);
  stc_store_close(&store);
  stc_store_head other = HEAD;
  other.text = "-- other text";
  expect_failure(stc_store_open(path, &other, payload, &found, &store), STC_ERR_VALUE,
                 "another text");
  other = HEAD;
  other.payload = PAYLOAD + 1;
  double more[PAYLOAD + 1];
  expect_failure(stc_store_open(path, &other, more, &found, &store), STC_ERR_FORMAT,
                 "another version");
  save(path, (const uint8_t *)"no HDF5", 7);
  stc_trajectory *t = NULL;
  expect_failure(stc_trajectory_read(path, &t), STC_ERR_FORMAT, "not an HDF5 file");
  expect_failure(stc_trajectory_read("/tmp", &t), STC_ERR_FILE, "/tmp: not a regular file");
  assert_null(t);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_flush_leaves_a_whole_file, make_paths, remove_files),
      cmocka_unit_test_setup_teardown(a_cut_between_two_writes_harms_nothing, make_paths,
                                      remove_files),
      cmocka_unit_test_setup_teardown(the_newest_whole_checkpoint_counts, make_paths, remove_files),
      cmocka_unit_test_setup_teardown(going_on_overwrites_what_follows, make_paths, remove_files),
      cmocka_unit_test_setup_teardown(other_files_are_refused, make_paths, remove_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
