// Malformed, truncated and hostile FCLIB files: each gives a sentence that names the file and what
// is wrong with it, leaves nothing open and does not follow links elsewhere.
#include "fclib_support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// Writes a sound file, lets `spoil` change it with libhdf5, and expects the reader to refuse it.
typedef void (*spoiler)(hid_t file);

static void refuse_problem(stc_problem *(*make)(int, bool, bool), spoiler spoil, stc_error code,
                           const char *words) {
  const char *path = fclib_path("hostile.hdf5");
  stc_problem *problem = make(3, true, false), *read = (stc_problem *)path;  // not NULL
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  spoil(file);
  assert_true(H5Fclose(file) >= 0);
  stc_error error = stc_problem_read(path, &read);
  expect_failure(error, code, words);
  assert_non_null(strstr(stc_error_detail(), "hostile.hdf5: "));
  assert_null(read);
  fclib_expect_closed();
  stc_problem_free(&problem);
}

static void refuse(spoiler spoil, const char *words) {
  refuse_problem(fclib_local, spoil, STC_ERR_FORMAT, words);
}

static void drop(hid_t file, const char *name) {
  assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
}

static void replace_int(hid_t file, const char *name, int value) {
  drop(file, name);
  fclib_put_int(file, name, value);
}

// A dataset of any type and layout, never written.
static void replace_empty(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extent,
                          hid_t create) {
  drop(file, name);
  hid_t space = H5Screate_simple(rank, extent, NULL);
  hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
  assert_true(data >= 0);
  H5Dclose(data);
  H5Sclose(space);
}

// --- Files that are no HDF5 files ---

static void write_bytes(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  fclose(file);
}

static void refuse_path(const char *path, stc_error code, const char *words) {
  stc_problem *problem = NULL;
  stc_error error = stc_problem_read(path, &problem);
  expect_failure(error, code, words);
  assert_non_null(strstr(stc_error_detail(), path));
  fclib_expect_closed();
}

static void other_files_are_refused(void **state) {
  const char *path = fclib_path("other.txt"), *fifo = fclib_path("fifo");
  refuse_path(fclib_path("missing.hdf5"), STC_ERR_FILE, "No such file");
  refuse_path(fclib_path(""), STC_ERR_FILE, "not a regular file");
  write_bytes(path, "", 0);
  refuse_path(path, STC_ERR_FORMAT, "not an HDF5 file");
  write_bytes(path, "W = 1\nq = 2\n", 12);
  refuse_path(path, STC_ERR_FORMAT, "not an HDF5 file");
  write_bytes(path, "\x89HDF\r\n\x1a\n", 8);
  refuse_path(path, STC_ERR_FORMAT, "damaged");
  assert_int_equal(mkfifo(fifo, 0600), 0);
  refuse_path(fifo, STC_ERR_FILE, "not a regular file");  // and does not wait for a writer
  unlink(fifo);
}

static void a_file_cut_short_anywhere_is_refused(void **state) {
  enum { ROOM = 1 << 16, STEP = 61 };
  static char bytes[ROOM];
  stc_problem *problem = fclib_global(3, true, true), *read = NULL;
  const char *path = fclib_path("whole.hdf5"), *cut = fclib_path("cut.hdf5");
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, ROOM, file);
  fclose(file);
  for (size_t n = size - 1; n > STEP; n -= STEP) {
    write_bytes(cut, bytes, n);
    assert_int_equal(stc_problem_read(cut, &read), STC_ERR_FORMAT);
    if (n > 200) assert_non_null(strstr(stc_error_detail(), "truncated"));
  }
  fclib_expect_closed();
  stc_problem_free(&problem);
}

// --- Something is missing ---

static const char *name_to_drop;
static void drop_name(hid_t file) { drop(file, name_to_drop); }

static void what_is_missing_is_named(void **state) {
  static const char *const local[] = {"fclib_local",
                                      "fclib_local/spacedim",
                                      "fclib_local/W",
                                      "fclib_local/W/m",
                                      "fclib_local/W/n",
                                      "fclib_local/W/nz",
                                      "fclib_local/W/p",
                                      "fclib_local/W/i",
                                      "fclib_local/W/x",
                                      "fclib_local/vectors/q",
                                      "fclib_local/R",
                                      "fclib_local/V",
                                      "fclib_local/vectors/mu",
                                      "fclib_local/vectors/s",
                                      "fclib_local/V/x",
                                      "fclib_local/R/p"};
  static const char *const global[] = {"fclib_global/M",         "fclib_global/H",
                                       "fclib_global/vectors/f", "fclib_global/vectors/w",
                                       "fclib_global/vectors/b", "fclib_global/H/i",
                                       "fclib_global/G/n"};
  for (size_t k = 0; k < sizeof local / sizeof *local; k++) {
    name_to_drop = local[k];
    refuse_problem(fclib_local, drop_name, STC_ERR_FORMAT, local[k]);
  }
  for (size_t k = 0; k < sizeof global / sizeof *global; k++) {
    name_to_drop = global[k];
    refuse_problem(fclib_global, drop_name, STC_ERR_FORMAT, global[k]);
  }
}

// --- Wrong types and shapes ---

static void text_for_m(hid_t file) {
  drop(file, "fclib_local/W/m");
  fclib_put(file, "fclib_local/W/m", H5T_C_S1, H5T_C_S1, 1, "6");
}
static void fraction_for_m(hid_t file) {
  const double m = 6.5;
  drop(file, "fclib_local/W/m");
  fclib_put_doubles(file, "fclib_local/W/m", 1, &m);
}
static void wide_m(hid_t file) {
  const long long m = 1LL << 40;
  drop(file, "fclib_local/W/m");
  fclib_put(file, "fclib_local/W/m", H5T_STD_I64LE, H5T_NATIVE_LLONG, 1, &m);
}
static void two_m(hid_t file) {
  const int m[] = {6, 6};
  drop(file, "fclib_local/W/m");
  fclib_put_ints(file, "fclib_local/W/m", 2, m);
}
static void compound_q(hid_t file) {
  hsize_t six = 6;
  hid_t type = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(type, "re", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "im", 8, H5T_NATIVE_DOUBLE);
  replace_empty(file, "fclib_local/vectors/q", type, 1, &six, H5P_DEFAULT);
  H5Tclose(type);
}
static void odd_q(hid_t file) {  // 13 of 16 bits
  hsize_t six = 6;
  hid_t type = H5Tcopy(H5T_STD_I16LE);
  H5Tset_precision(type, 13);
  replace_empty(file, "fclib_local/vectors/q", type, 1, &six, H5P_DEFAULT);
  H5Tclose(type);
}
static void cubic_q(hid_t file) {
  const hsize_t extent[] = {1, 2, 3};
  replace_empty(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 3, extent, H5P_DEFAULT);
}
static void square_q(hid_t file) {
  const hsize_t extent[] = {2, 3};
  const double q[6] = {0};
  replace_empty(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 2, extent, H5P_DEFAULT);
  hid_t data = H5Dopen2(file, "fclib_local/vectors/q", H5P_DEFAULT);
  assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) >= 0);
  H5Dclose(data);
}
static void short_q(hid_t file) {
  const double q[3] = {0};
  drop(file, "fclib_local/vectors/q");
  fclib_put_doubles(file, "fclib_local/vectors/q", 3, q);
}
static void huge_q(hid_t file) {
  hsize_t many = (hsize_t)1 << 60;
  replace_empty(file, "fclib_local/vectors/q", H5T_STD_I8LE, 1, &many, H5P_DEFAULT);
}
static void group_for_q(hid_t file) {
  drop(file, "fclib_local/vectors/q");
  H5Gclose(H5Gcreate2(file, "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void number_for_W(hid_t file) {
  drop(file, "fclib_local/W");
  fclib_put_int(file, "fclib_local/W", 1);
}

static void wrong_types_and_shapes_are_refused(void **state) {
  refuse(text_for_m, "fclib_local/W/m is text");
  refuse(fraction_for_m, "fclib_local/W/m: element 0, 6.5, should be an integer");
  refuse(wide_m, "1099511627776, does not fit");
  refuse(two_m, "fclib_local/W/m has 2 elements");
  refuse(compound_q, "compound");
  refuse(odd_q, "unusual format");
  refuse(cubic_q, "3 dimensions");
  refuse(square_q, "a matrix where a vector");
  refuse(short_q, "fclib_local/vectors/q has 3 elements; it should have 6");
  refuse(huge_q, "more than the file can hold");
  refuse(group_for_q, "fclib_local/vectors/q is a group");
  refuse(number_for_W, "fclib_local/W is a dataset");
}

// --- Numbers that do not fit together ---

static void four_dimensions(hid_t file) { replace_int(file, "fclib_local/spacedim", 4); }
static void negative_m(hid_t file) { replace_int(file, "fclib_local/W/m", -6); }
static void huge_m(hid_t file) {
  replace_int(file, "fclib_local/W/m", 2147483647);
  replace_int(file, "fclib_local/W/n", 2147483647);
}
static void flat_W(hid_t file) { replace_int(file, "fclib_local/W/n", 5); }
static void odd_nz(hid_t file) { replace_int(file, "fclib_local/W/nz", -3); }
static void many_triplets(hid_t file) { replace_int(file, "fclib_local/W/nz", 37); }
static void most_triplets(hid_t file) { replace_int(file, "fclib_local/W/nz", 2147483647); }
static void two_dimensions(hid_t file) { replace_int(file, "fclib_local/spacedim", 2); }

static void replace_p(hid_t file, int at, int value) {
  int p[] = {0, 6, 12, 18, 24, 30, 36};
  p[at] = value;
  drop(file, "fclib_local/W/p");
  fclib_put_ints(file, "fclib_local/W/p", 7, p);
}
static void late_start(hid_t file) { replace_p(file, 0, 1); }
static void falling_p(hid_t file) { replace_p(file, 3, 5); }
static void long_p(hid_t file) { replace_p(file, 6, 37); }
static void negative_p(hid_t file) { replace_p(file, 1, -2147483647 - 1); }

static void replace_i(hid_t file, int value) {
  int i[36];
  for (int k = 0; k < 36; k++) i[k] = k % 6;
  i[17] = value;
  drop(file, "fclib_local/W/i");
  fclib_put_ints(file, "fclib_local/W/i", 36, i);
}
static void large_row(hid_t file) {  // as triplets, p and i are columns and rows
  int p[36] = {0};
  drop(file, "fclib_local/W/p");
  fclib_put_ints(file, "fclib_local/W/p", 36, p);
  replace_i(file, 6);
  replace_int(file, "fclib_local/W/nz", 36);
}
static void unsigned_m(hid_t file) {
  const int m = 200;  // -56 if it were signed
  drop(file, "fclib_local/W/m");
  drop(file, "fclib_local/W/n");
  fclib_put(file, "fclib_local/W/m", H5T_STD_U8LE, H5T_NATIVE_INT, 1, &m);
  fclib_put(file, "fclib_local/W/n", H5T_STD_U8LE, H5T_NATIVE_INT, 1, &m);
}
static void large_index(hid_t file) { replace_i(file, 6); }
static void negative_index(hid_t file) { replace_i(file, -1); }

static void not_a_number(hid_t file) {
  const double q[] = {0, NAN, 0, 0, 0, 0};
  drop(file, "fclib_local/vectors/q");
  fclib_put_doubles(file, "fclib_local/vectors/q", 6, q);
}
static void negative_mu(hid_t file) {
  const double mu[] = {0.5, -0.5};
  drop(file, "fclib_local/vectors/mu");
  fclib_put_doubles(file, "fclib_local/vectors/mu", 2, mu);
}
static void small_H(hid_t file) { replace_int(file, "fclib_global/H/m", 5); }
static void wide_G(hid_t file) { replace_int(file, "fclib_global/G/n", 3); }
static void both_forms(hid_t file) { fclib_put_int(file, "fclib_global/spacedim", 3); }

static void numbers_that_do_not_fit_are_named(void **state) {
  refuse(four_dimensions, "fclib_local/spacedim = 4");
  refuse(two_dimensions, "fclib_local/vectors/mu has 2 elements; it should have 3");
  refuse(negative_m, "fclib_local/W is -6 x 6");
  refuse(huge_m, "vectors/q has 6 elements; it should have 2147483647");
  refuse(flat_W, "fclib_local/W is 6 x 5");
  refuse(odd_nz, "fclib_local/W/nz = -3");
  refuse(many_triplets, "fclib_local/W/i has 36 elements; it should have 37");
  refuse(most_triplets, "fclib_local/W/i has 36 elements");
  refuse(late_start, "fclib_local/W/p[0] = 1");
  refuse(falling_p, "fclib_local/W/p[3] = 5");
  refuse(long_p, "fclib_local/W/p ends at 37");
  refuse(negative_p, "fclib_local/W/p[1] = -2147483648");
  refuse(large_index, "row 2, column 6, outside of 6 x 6");
  refuse(large_row, "row 6, column 0, outside of 6 x 6");
  refuse(unsigned_m, "it should have 200");
  refuse(negative_index, "row 2, column -1");
  refuse(both_forms, "a local and a global problem");
  refuse_problem(fclib_local, not_a_number, STC_ERR_VALUE, "q");
  refuse_problem(fclib_local, negative_mu, STC_ERR_VALUE, "mu");
  refuse_problem(fclib_global, small_H, STC_ERR_FORMAT, "fclib_global/H is 5 x 6");
  refuse_problem(fclib_global, wide_G, STC_ERR_FORMAT, "vectors/b has 2 elements");
}

static void mu2_in_2D_is_refused(void **state) {
  const double mu2[] = {0.1, 0.2};
  const char *path = fclib_path("flat.hdf5");
  stc_problem *problem = fclib_local(2, false, false);
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  fclib_put_doubles(file, "fclib_local/vectors/mu2", 2, mu2);
  H5Fclose(file);
  refuse_path(path, STC_ERR_FORMAT, "fclib_local/vectors/mu2 has no meaning in 2D");
  stc_problem_free(&problem);
}

// --- Data elsewhere, and features that FCLIB does not use ---

static void soft_q(hid_t file) {
  drop(file, "fclib_local/vectors/q");
  H5Lcreate_soft("/fclib_local/vectors/s", file, "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT);
}
static void external_q(hid_t file) {
  drop(file, "fclib_local/vectors/q");
  H5Lcreate_external("/etc/passwd", "/q", file, "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT);
}
static void stored_elsewhere(hid_t file) {
  hsize_t six = 6;
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(create, "/etc/passwd", 0, H5F_UNLIMITED);
  replace_empty(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 1, &six, create);
  H5Pclose(create);
}
static void virtual_q(hid_t file) {
  hsize_t six = 6;
  hid_t create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &six, NULL);
  H5Pset_virtual(create, space, "/etc/passwd", "q", space);
  replace_empty(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 1, &six, create);
  H5Sclose(space);
  H5Pclose(create);
}
// Elements of which nothing is in the file: more of them than a file of this size may stand for.
static void empty_q(hid_t file) {
  hsize_t many = 1 << 30, chunk = 1 << 20;
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(create, 1, &chunk);
  H5Pset_deflate(create, 9);
  replace_empty(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 1, &many, create);
  H5Pclose(create);
}
static void large_chunk(hid_t file) {
  hsize_t six = 6, most = H5S_UNLIMITED, chunk = 1 << 28;
  hid_t create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &six, &most);
  drop(file, "fclib_local/vectors/q");
  H5Pset_chunk(create, 1, &chunk);
  H5Dclose(H5Dcreate2(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create,
                      H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(create);
}

// q in two chunks with a filter.
static void filtered_q(hid_t file, void (*set)(hid_t create)) {
  static const double q[6] = {1, 2, 3, 4, 5, 6};
  hsize_t six = 6, three = 3;
  hid_t create = H5Pcreate(H5P_DATASET_CREATE), data;
  H5Pset_chunk(create, 1, &three);
  set(create);
  replace_empty(file, "fclib_local/vectors/q", H5T_IEEE_F64LE, 1, &six, create);
  data = H5Dopen2(file, "fclib_local/vectors/q", H5P_DEFAULT);
  assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) >= 0);
  H5Dclose(data);
  H5Pclose(create);
}
static void set_nbit(hid_t create) { H5Pset_nbit(create); }
static void set_gzip(hid_t create) { H5Pset_deflate(create, 9); }
static void set_checksum(hid_t create) { H5Pset_fletcher32(create); }
static void set_nothing(hid_t create) { (void)create; }
static void packed_q(hid_t file) { filtered_q(file, set_nbit); }

static void links_elsewhere_and_rare_features_are_refused(void **state) {
  refuse(soft_q, "'q' is a link to somewhere else");
  refuse(external_q, "'q' is a link to somewhere else");
  refuse(stored_elsewhere, "elements lie in another file");
  refuse(virtual_q, "h5repack");
  refuse(empty_q, "more than the file can hold");
  refuse(large_chunk, "more than the file can hold");
  refuse(packed_q, "compressed by filter 5, which is not read");
}

// --- Damaged chunks ---

enum { FILE_ROOM = 1 << 17 };
static uint8_t content[FILE_ROOM];

// A sound file with q in two chunks; its bytes are in `content`. Returns their number.
static size_t write_chunked(const char *path, void (*set)(hid_t create)) {
  stc_problem *problem = fclib_local(3, false, false), *read = NULL;
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  filtered_q(file, set);
  H5Fclose(file);
  assert_int_equal(stc_problem_read(path, &read), STC_OK);
  stc_problem_free(&read);
  stc_problem_free(&problem);
  FILE *in = fopen(path, "rb");
  size_t size = fread(content, 1, FILE_ROOM, in);
  fclose(in);
  assert_true(size < FILE_ROOM);
  return size;
}

// Where the tree of the chunks begins: the one node of type 1.
static uint8_t *tree_of_chunks(size_t size) {
  for (size_t at = 0; at + 24 < size; at += 8)
    if (memcmp(content + at, "TREE\1", 5) == 0) return content + at;
  fail_msg("no tree of chunks");
  return content;
}

// Keys of 24 bytes (bytes, mask, place, element) and addresses of 8 take turns.
enum { FIRST_KEY = 24, SECOND_KEY = FIRST_KEY + 32, PLACE = 8, ADDRESS = 24 };

static void damaged_chunks_are_noticed(void **state) {
  const char *path = fclib_path("chunks.hdf5");
  size_t size = write_chunked(path, set_nothing);
  uint8_t *tree = tree_of_chunks(size);
  memcpy(tree + SECOND_KEY + PLACE, tree + FIRST_KEY + PLACE, 8);
  write_bytes(path, content, size);
  refuse_path(path, STC_ERR_FORMAT, "two chunks at the same place");
  size = write_chunked(path, set_nothing);
  tree = tree_of_chunks(size);
  memset(tree + FIRST_KEY + ADDRESS, 0x7f, 6);
  write_bytes(path, content, size);
  refuse_path(path, STC_ERR_FORMAT, "a chunk past the end of the file");
  tree[5] = 1;  // a level above the leaves
  write_bytes(path, content, size);
  refuse_path(path, STC_ERR_FORMAT, "past the end of the file");
  void (*const sets[2])(hid_t) = {set_gzip, set_checksum};
  const char *const words[2] = {"a chunk is damaged (gzip)", "a chunk is damaged (fletcher32)"};
  for (int k = 0; k < 2; k++) {
    uint64_t address;
    size = write_chunked(path, sets[k]);
    memcpy(&address, tree_of_chunks(size) + FIRST_KEY + ADDRESS, 8);
    content[address + 9] ^= 1;
    write_bytes(path, content, size);
    refuse_path(path, STC_ERR_FORMAT, words[k]);
  }
}

// One bit of the root group's header, in the format that has checksums.
static void a_flipped_bit_in_the_newer_format_is_noticed(void **state) {
  enum { ROOM = 1 << 16 };
  static char bytes[ROOM];
  const char *path = fclib_path("newer.hdf5");
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t created = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  fclib_put_int(created, "fclib_local/spacedim", 2);
  H5Fclose(created);
  H5Pclose(access);
  refuse_path(path, STC_ERR_FORMAT, "fclib_local/W is missing");
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, ROOM, file), at = 0;
  fclose(file);
  while (at < size && memcmp(bytes + at, "OHDR", 4) != 0) at++;
  assert_true(at < size);
  bytes[at + 12] ^= 1;
  write_bytes(path, bytes, size);
  refuse_path(path, STC_ERR_FORMAT, "(checksum)");
  bytes[at + 12] ^= 1;
  bytes[9] ^= 1;  // sizes in the superblock
  write_bytes(path, bytes, size);
  refuse_path(path, STC_ERR_FORMAT, "checksum of the superblock");
}

// Puts a little-endian number of `width` bytes.
static void poke(char *at, uint64_t value, int width) {
  for (int k = 0; k < width; k++) at[k] = (char)(value >> 8 * k);
}

// A tree of nine levels whose nodes have 200 children, all of them the same node: 200^8 ways down.
// The root group gets this tree; a name that is not in it would be looked for forever.
static void a_tree_without_end_is_noticed(void **state) {
  enum { ROOM = 1 << 16, CHILDREN = 200, LEVELS = 9, NODE = 24 + (2 * CHILDREN + 1) * 8 };
  static char bytes[ROOM];
  const char *path = fclib_path("tree.hdf5");
  hid_t created = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  fclib_put_int(created, "fclib_local/spacedim", 2);
  H5Fclose(created);
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, ROOM, file);
  fclose(file);
  assert_true(size + LEVELS * NODE <= ROOM);
  uint64_t root = 0, child = 0;
  memcpy(&root, bytes + 80, 8);  // the superblock repeats where the tree of the root group is
  memcpy(&child, bytes + root + 32, 8);
  for (int level = 0; level < LEVELS; level++, child = size, size += NODE) {
    memcpy(bytes + size, "TREE", 4);
    poke(bytes + size + 5, (uint64_t)level, 1);
    poke(bytes + size + 6, CHILDREN, 2);
    for (int k = 0; k < CHILDREN; k++) poke(bytes + size + 32 + 16 * k, child, 8);
  }
  for (size_t at = 96; at + 8 <= root; at++)
    if (memcmp(bytes + at, &root, 8) == 0) poke(bytes + at, child, 8);
  write_bytes(path, bytes, size);
  refuse_path(path, STC_ERR_FORMAT, "in circles");
}

// --- Solutions and guesses ---

static void refuse_rest(spoiler spoil, bool guesses, const char *words) {
  double r[6] = {1};
  stc_solution given = {.r = r, .u = r}, found, *list = NULL;
  int count = -1;
  const char *path = fclib_path("rest.hdf5");
  stc_problem *problem = fclib_local(3, false, false);
  assert_int_equal(stc_problem_write(problem, &given, path), STC_OK);
  assert_int_equal(stc_guesses_write(path, problem, (stc_solution[]){given, given}, 2), STC_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  spoil(file);
  H5Fclose(file);
  stc_error error = guesses ? stc_guesses_read(path, problem, &list, &count)
                            : stc_solution_read(path, problem, &found);
  expect_failure(error, STC_ERR_FORMAT, words);
  if (guesses)
    assert_true(list == NULL && count == 0);
  else
    assert_null(found.r);
  fclib_expect_closed();
  stc_problem_free(&problem);
}

static void short_r(hid_t file) {
  const double r[2] = {0};
  drop(file, "solution/r");
  fclib_put_doubles(file, "solution/r", 2, r);
}
static void long_r(hid_t file) {
  const double r[7] = {0};
  drop(file, "solution/r");
  fclib_put_doubles(file, "solution/r", 7, r);
}
static void number_for_solution(hid_t file) {
  drop(file, "solution");
  fclib_put_int(file, "solution", 1);
}
static void no_count(hid_t file) { drop(file, "guesses/number_of_guesses"); }
static void too_many(hid_t file) { replace_int(file, "guesses/number_of_guesses", 3); }
static void far_too_many(hid_t file) { replace_int(file, "guesses/number_of_guesses", 2147483647); }
static void fewer_than_none(hid_t file) { replace_int(file, "guesses/number_of_guesses", -1); }
static void second_is_short(hid_t file) {
  const double r[2] = {0};
  drop(file, "guesses/2/u");
  fclib_put_doubles(file, "guesses/2/u", 2, r);
}

static void bad_solutions_and_guesses_are_named(void **state) {
  refuse_rest(short_r, false, "solution/r has 2 elements; it should have 6");
  refuse_rest(long_r, false, "solution/r has 7 elements; it should have 6");
  refuse_rest(number_for_solution, false, "solution is a dataset");
  refuse_rest(no_count, true, "guesses/number_of_guesses is missing");
  refuse_rest(too_many, true, "guesses/3 is missing");
  refuse_rest(far_too_many, true, "number_of_guesses = 2147483647");
  refuse_rest(fewer_than_none, true, "number_of_guesses = -1");
  refuse_rest(second_is_short, true, "guesses/2/u has 2 elements");
}

// A hundred contacts in 2D without coupling.
static stc_problem *long_problem(void) {
  enum { CONTACTS = 100, SIZE = 2 * CONTACTS };
  static int p[SIZE + 1], i[SIZE];
  static double x[SIZE], q[SIZE], mu[CONTACTS];
  stc_problem *problem = NULL;
  for (int k = 0; k < SIZE; k++) p[k + 1] = k + 1, i[k] = k, x[k] = 1;
  stc_local_data d = {.dim = 2,
                      .contacts = CONTACTS,
                      .W = {SIZE, SIZE, SIZE, STC_STORAGE_CSR, p, i, x},
                      .q = q,
                      .mu = mu};
  assert_int_equal(stc_problem_create_local(&d, &problem), STC_OK);
  return problem;
}

// 400 names for one guess of 1600 bytes would take 640 kB where the file has less than 60.
static void names_that_share_data_have_a_limit(void **state) {
  enum { NAMES = 400 };
  static double r[200];
  stc_solution guess = {.r = r, .u = r}, *list = NULL;
  int count = -1;
  char name[32];
  const char *path = fclib_path("shared.hdf5");
  stc_problem *problem = long_problem();
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  assert_int_equal(stc_guesses_write(path, problem, &guess, 1), STC_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  for (int k = 2; k <= NAMES; k++) {
    snprintf(name, sizeof name, "guesses/%d", k);
    H5Lcreate_hard(file, "guesses/1", file, name, H5P_DEFAULT, H5P_DEFAULT);
  }
  replace_int(file, "guesses/number_of_guesses", 2);
  H5Fclose(file);
  assert_int_equal(stc_guesses_read(path, problem, &list, &count), STC_OK);  // two are fine
  assert_int_equal(count, 2);
  stc_guesses_free(&list, count);
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  replace_int(file, "guesses/number_of_guesses", NAMES);
  H5Fclose(file);
  expect_failure(stc_guesses_read(path, problem, &list, &count), STC_ERR_FORMAT, "share");
  assert_true(list == NULL && count == 0);
  fclib_expect_closed();
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(a_file_cut_short_anywhere_is_refused),
      cmocka_unit_test(what_is_missing_is_named),
      cmocka_unit_test(wrong_types_and_shapes_are_refused),
      cmocka_unit_test(numbers_that_do_not_fit_are_named),
      cmocka_unit_test(mu2_in_2D_is_refused),
      cmocka_unit_test(links_elsewhere_and_rare_features_are_refused),
      cmocka_unit_test(damaged_chunks_are_noticed),
      cmocka_unit_test(a_flipped_bit_in_the_newer_format_is_noticed),
      cmocka_unit_test(a_tree_without_end_is_noticed),
      cmocka_unit_test(bad_solutions_and_guesses_are_named),
      cmocka_unit_test(names_that_share_data_have_a_limit),
  };
  return cmocka_run_group_tests(tests, fclib_setup, fclib_teardown);
}
