// FCLIB files: what is written is read back to the last bit, in every form, storage and number
// type; files of other writers; atomic writing.
#include "fclib_support.h"

#include "problem/fclib/fclib_convert.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Round trips ---

static void expect_read_back(const char *path, const stc_problem *problem) {
  stc_problem *again = NULL;
  assert_int_equal(stc_problem_read(path, &again), STC_OK);
  fclib_expect_same(problem, again);
  fclib_expect_closed();
  stc_problem_free(&again);
}

static void round_trip(stc_problem *problem) {
  const char *path = fclib_path("round.hdf5");
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  expect_read_back(path, problem);
  stc_problem_free(&problem);
}

static void every_problem_comes_back_to_the_last_bit(void **state) {
  for (int joints = 0; joints < 2; joints++) {
    round_trip(fclib_local(2, joints, false));
    round_trip(fclib_local(3, joints, false));
    round_trip(fclib_local(3, joints, true));
    round_trip(fclib_global(2, joints, false));
    round_trip(fclib_global(3, joints, false));
    round_trip(fclib_global(3, joints, true));
  }
}

// No text is an empty text, in the file too: so-bogus reads all three without asking.
static void empty_texts_are_written(void **state) {
  stc_problem *problem = fclib_local(2, false, false), *again = NULL;
  const char *path = fclib_path("empty.hdf5");
  stc_problem_set_text(problem, &(stc_problem_text){"", "", ""});
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  assert_int_equal(stc_problem_read(path, &again), STC_OK);
  assert_string_equal(stc_problem_get_text(again).math_info, "");
  stc_problem_free(&problem);
  stc_problem_free(&again);
}

// The same problem gives the same bytes: no time stamps, no memory left over.
static void the_same_problem_gives_the_same_bytes(void **state) {
  enum { ROOM = 1 << 16 };
  static char a[ROOM], b[ROOM];
  stc_problem *problem = fclib_global(3, true, true);
  size_t n[2];
  for (int k = 0; k < 2; k++) {
    const char *path = fclib_path("bytes.hdf5");
    assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
    FILE *file = fopen(path, "rb");
    n[k] = fread(k ? b : a, 1, ROOM, file);
    fclose(file);
    if (k == 0) sleep(1);  // a time stamp would count seconds
  }
  assert_true(n[0] > 1000 && n[0] < ROOM && n[0] == n[1]);
  assert_memory_equal(a, b, n[0]);
  stc_problem_free(&problem);
}

// --- The two conventions ---

// Ours: f = (1, -2, ...), H(0, 1) = 17. FCLIB: M v = H r + f, u = H^T v + w, so that
// f = (-1, 2, ...) and row 1, column 0 of H is 17; triplets have rows in i and columns in p.
static void the_file_has_the_signs_of_fclib(void **state) {
  stc_problem *problem = fclib_global(2, true, false);
  const char *path = fclib_path("signs.hdf5");
  int i[16], p[16], nz = 0;
  double f[4], x[16], v = 0;
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  fclib_get_doubles(path, "fclib_global/vectors/f", 4, f);
  for (int k = 0; k < 4; k++) assert_true(f[k] == (k % 2 ? k + 1 : -(k + 1)));
  fclib_get_ints(path, "fclib_global/H/nz", 1, &nz);
  assert_int_equal(nz, 16);
  fclib_get_ints(path, "fclib_global/H/i", 16, i);
  fclib_get_ints(path, "fclib_global/H/p", 16, p);
  fclib_get_doubles(path, "fclib_global/H/x", 16, x);
  for (int k = 0; k < 16; k++)
    if (i[k] == 1 && p[k] == 0) v = x[k];
  assert_true(v == 17);
  fclib_get_ints(path, "fclib_global/G/m", 1, &nz);
  assert_int_equal(nz, 4);  // G is dofs x equalities in FCLIB
  stc_problem_free(&problem);
}

// One body of mass 2, f = 3 in our sign: it falls with v = -f/M = -1.5. In FCLIB's form with the
// same r = l = 0, M v = f gives v = -1.5 exactly when its f is -3. Twice the conversion is nothing.
static void the_conversion_is_its_own_inverse(void **state) {
  const int p[] = {0, 1, 2}, i[] = {0, 0};
  const double x[] = {5, 6}, f[] = {3};
  stc_arena arena = {0};
  stc_global_data ours = {.dofs = 1, .H = {2, 1, 2, STC_STORAGE_CSR, p, i, x}, .f = f}, theirs,
                  back;
  assert_int_equal(stc_fclib_convert(&arena, &ours, &theirs), STC_OK);
  assert_true(theirs.f[0] == -3);
  assert_int_equal(theirs.H.rows, 1);
  assert_int_equal(theirs.H.cols, 2);
  assert_int_equal(theirs.H.storage, STC_STORAGE_CSC);
  assert_int_equal(stc_fclib_convert(&arena, &theirs, &back), STC_OK);
  assert_true(back.f[0] == 3);
  assert_int_equal(back.H.storage, STC_STORAGE_CSR);
  assert_int_equal(back.H.rows, 2);
  stc_arena_free(&arena);
}

// --- Files of other writers ---

// W = [10 1; 2 20], one contact in 2D, q = (-1, 0.5), mu = 0.5. The matrix comes in many storages.
typedef struct stored {
  int nz, pointers, indices, values;
  int p[8], i[8];
  double x[8];
} stored;

static void put_small(hid_t file) {
  const double q[] = {-1, 0.5}, mu[] = {0.5};
  fclib_put_int(file, "fclib_local/spacedim", 2);
  fclib_put_int(file, "fclib_local/W/m", 2);
  fclib_put_int(file, "fclib_local/W/n", 2);
  fclib_put_doubles(file, "fclib_local/vectors/q", 2, q);
  fclib_put_doubles(file, "fclib_local/vectors/mu", 1, mu);
}

static void expect_small(const char *path) {
  stc_problem *problem = NULL;
  stc_error error = stc_problem_read(path, &problem);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
  stc_local_data d = stc_problem_local_data(problem);
  const double W[] = {10, 1, 2, 20};
  assert_int_equal(d.W.entries, 4);
  assert_memory_equal(d.W.x, W, sizeof W);
  assert_true(d.q[0] == -1 && d.q[1] == 0.5 && d.mu[0] == 0.5);
  stc_problem_free(&problem);
  fclib_expect_closed();
}

static void every_storage_is_the_same_matrix(void **state) {
  const stored all[] = {
      {-2, 3, 4, 4, {0, 2, 4}, {0, 1, 0, 1}, {10, 1, 2, 20}},              // rows
      {-1, 3, 4, 4, {0, 2, 4}, {0, 1, 0, 1}, {10, 2, 1, 20}},              // columns
      {4, 4, 4, 4, {0, 1, 0, 1}, {0, 0, 1, 1}, {10, 1, 2, 20}},            // triplets: p columns
      {-2, 3, 4, 4, {0, 2, 4}, {1, 0, 1, 0}, {1, 10, 20, 2}},              // unsorted rows
      {4, 4, 4, 4, {1, 0, 1, 0}, {1, 1, 0, 0}, {20, 2, 1, 10}},            // triplets backwards
      {5, 5, 5, 5, {0, 1, 0, 1, 1}, {0, 0, 1, 1, 1}, {10, 1, 2, 15, 5}},   // repeated: added up
      {-2, 3, 5, 5, {0, 3, 5}, {0, 1, 0, 0, 1}, {4, 1, 6, 2, 20}},         // the same by rows
      {-2, 3, 6, 6, {0, 2, 4}, {0, 1, 0, 1, 7, 7}, {10, 1, 2, 20, 7, 7}},  // room for more: nzmax
      {4, 4, 4, 6, {0, 1, 0, 1}, {0, 0, 1, 1}, {10, 1, 2, 20, 7, 7}},  // FCLIB of 2011: x longer
      {-2, 3, 4, 4, {0, 0, 0}, {0, 0, 0, 0}, {10, 1, 2, 20}},          // old Siconos: dense
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const char *path = fclib_path("storage.hdf5");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_small(file);
    fclib_put_int(file, "fclib_local/W/nz", all[k].nz);
    fclib_put_int(file, "fclib_local/W/nzmax", all[k].values);
    fclib_put_ints(file, "fclib_local/W/p", all[k].pointers, all[k].p);
    fclib_put_ints(file, "fclib_local/W/i", all[k].indices, all[k].i);
    fclib_put_doubles(file, "fclib_local/W/x", all[k].values, all[k].x);
    H5Fclose(file);
    expect_small(path);
  }
}

// The first FCLIB stored more about a matrix; nzmax need not be there.
static void other_datasets_are_passed_over(void **state) {
  const stored s = {-2, 3, 4, 4, {0, 2, 4}, {0, 1, 0, 1}, {10, 1, 2, 20}};
  const char *path = fclib_path("other.hdf5");
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_small(file);
  fclib_put_int(file, "fclib_local/W/nz", s.nz);
  fclib_put_ints(file, "fclib_local/W/p", 3, s.p);
  fclib_put_ints(file, "fclib_local/W/i", 4, s.i);
  fclib_put_doubles(file, "fclib_local/W/x", 4, s.x);
  fclib_put_int(file, "fclib_local/W/info", 1);
  fclib_put_int(file, "fclib_local/W/comment_length", 0);
  fclib_put_doubles(file, "fclib_local/W/sparsity", 1, s.x);
  fclib_put_doubles(file, "fclib_local/W/conditioning", 1, s.x);
  fclib_put_doubles(file, "notes/of/others", 4, s.x);
  hid_t info = H5Gcreate2(file, "fclib_local/info", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute =
      H5Acreate2(info, "numberOfDegreeOfFreedom", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &s.nz);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Gclose(info);
  H5Fclose(file);
  expect_small(path);
}

// The same numbers as h5py, MATLAB or a big-endian machine may store them.
static void put_foreign(hid_t file, hid_t integer, hid_t index, hid_t real) {
  const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1}, two = 2, rows = -2;
  const double x[] = {10, 1, 2, 20}, q[] = {-1, 0.5}, mu[] = {0.5};
  fclib_put(file, "fclib_local/spacedim", integer, H5T_NATIVE_INT, 1, &two);
  fclib_put(file, "fclib_local/W/m", index, H5T_NATIVE_INT, 1, &two);
  fclib_put(file, "fclib_local/W/n", index, H5T_NATIVE_INT, 1, &two);
  fclib_put(file, "fclib_local/W/nz", integer, H5T_NATIVE_INT, 1, &rows);
  fclib_put(file, "fclib_local/W/p", index, H5T_NATIVE_INT, 3, p);
  fclib_put(file, "fclib_local/W/i", index, H5T_NATIVE_INT, 4, i);
  fclib_put(file, "fclib_local/W/x", real, H5T_NATIVE_DOUBLE, 4, x);
  fclib_put(file, "fclib_local/vectors/q", real, H5T_NATIVE_DOUBLE, 2, q);
  fclib_put(file, "fclib_local/vectors/mu", real, H5T_NATIVE_DOUBLE, 1, mu);
}

static void every_number_type_is_read(void **state) {
  const hid_t types[][3] = {{H5T_STD_I64LE, H5T_STD_U64LE, H5T_IEEE_F64LE},
                            {H5T_STD_I64BE, H5T_STD_U32BE, H5T_IEEE_F64BE},
                            {H5T_STD_I8LE, H5T_STD_U8LE, H5T_IEEE_F32LE},
                            {H5T_STD_I16BE, H5T_STD_U16BE, H5T_IEEE_F32BE},
                            {H5T_STD_I32BE, H5T_STD_U32LE, H5T_IEEE_F64LE}};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    for (int latest = 0; latest < 2; latest++) {
      const char *path = fclib_path("types.hdf5");
      hid_t access = H5Pcreate(H5P_FILE_ACCESS);
      if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
      put_foreign(file, types[k][0], types[k][1], types[k][2]);
      H5Fclose(file);
      H5Pclose(access);
      expect_small(path);
    }
}

// A scalar where FCLIB has one element, a matrix of one row where it has a vector.
static void scalars_and_rows_are_vectors(void **state) {
  const double q[] = {-1, 0.5};
  const int two = 2;
  const hsize_t row[] = {1, 2};
  const char *path = fclib_path("shapes.hdf5");
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_foreign(file, H5T_NATIVE_INT, H5T_NATIVE_INT, H5T_NATIVE_DOUBLE);
  H5Ldelete(file, "fclib_local/spacedim", H5P_DEFAULT);
  H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
  hid_t spaces[] = {H5Screate(H5S_SCALAR), H5Screate_simple(2, row, NULL)};
  hid_t a = H5Dcreate2(file, "fclib_local/spacedim", H5T_NATIVE_INT, spaces[0], H5P_DEFAULT,
                       H5P_DEFAULT, H5P_DEFAULT);
  hid_t b = H5Dcreate2(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, spaces[1], H5P_DEFAULT,
                       H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(a, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &two);
  H5Dwrite(b, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q);
  H5Dclose(a);
  H5Dclose(b);
  H5Sclose(spaces[0]);
  H5Sclose(spaces[1]);
  H5Fclose(file);
  expect_small(path);
}

// Texts of fixed length padded with zeros, and of variable length: "" and longer ones.
static void texts_of_every_kind_are_read(void **state) {
  static const char *const names[] = {"title", "description", "math_info"};
  const char *given[] = {"", "two of them\nfrom h5py", "x"}, *path = fclib_path("texts.hdf5");
  stc_problem *problem = NULL;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_foreign(file, H5T_NATIVE_INT, H5T_NATIVE_INT, H5T_NATIVE_DOUBLE);
  hid_t group = H5Gcreate2(file, "fclib_local/info", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate(H5S_SCALAR);
  for (int k = 0; k < 3; k++) {
    bool variable = k < 2;
    const void *values = variable ? (const void *)&given[k] : given[k];
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, variable ? H5T_VARIABLE : 1);
    if (!variable) H5Tset_strpad(type, H5T_STR_NULLPAD);
    hid_t data = H5Dcreate2(group, names[k], type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data);
    H5Tclose(type);
  }
  H5Sclose(space);
  H5Gclose(group);
  H5Fclose(file);
  assert_int_equal(stc_problem_read(path, &problem), STC_OK);
  stc_problem_text text = stc_problem_get_text(problem);
  assert_string_equal(text.title, given[0]);
  assert_string_equal(text.description, given[1]);
  assert_string_equal(text.math_info, given[2]);
  stc_problem_free(&problem);
}

// --- Solutions and guesses ---

static void a_solution_comes_back(void **state) {
  double r[6] = {1, 2, 3, 4, 5, 1.0 / 3}, u[6] = {-1, 0, 0, 0, 0, 1e-17}, v[6] = {7}, l[2] = {8, 9};
  stc_problem *problem = fclib_global(3, true, false);
  stc_solution given = {.r = r, .u = u, .v = v, .l = l}, found;
  const char *path = fclib_path("solution.hdf5");
  assert_int_equal(stc_problem_write(problem, &given, path), STC_OK);
  assert_int_equal(stc_solution_read(path, problem, &found), STC_OK);
  assert_memory_equal(found.r, r, sizeof r);
  assert_memory_equal(found.u, u, sizeof u);
  assert_memory_equal(found.v, v, sizeof v);
  assert_memory_equal(found.l, l, sizeof l);
  stc_solution_free(&found);
  assert_null(found.r);
  stc_solution_free(&found);  // twice is safe
  stc_problem_free(&problem);
}

static void what_is_not_stored_is_null(void **state) {
  double r[4] = {1, 2, 3, 4};
  stc_problem *problem = fclib_local(2, false, false);
  stc_solution given = {.r = r}, found;
  const char *path = fclib_path("partial.hdf5");
  assert_int_equal(stc_problem_write(problem, &given, path), STC_OK);
  assert_int_equal(stc_solution_read(path, problem, &found), STC_OK);
  assert_memory_equal(found.r, r, sizeof r);
  assert_true(!found.u && !found.v && !found.l);
  stc_solution_free(&found);
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  assert_int_equal(stc_solution_read(path, problem, &found), STC_OK);
  assert_null(found.r);
  stc_problem_free(&problem);
}

static void expect_guesses(const char *path, const stc_problem *problem, int count, double first) {
  stc_solution *guesses = NULL;
  int found = -1;
  assert_int_equal(stc_guesses_read(path, problem, &guesses, &found), STC_OK);
  assert_int_equal(found, count);
  for (int k = 0; k < count; k++) assert_true(guesses[k].r[0] == first + k);
  stc_guesses_free(&guesses, found);
  assert_null(guesses);
}

static void guesses_are_added_and_replaced(void **state) {
  enum { MANY = 40 };  // more than one node of HDF5's tables holds
  double r[MANY][4] = {{0}}, answer[4] = {9, 8, 7, 6};
  stc_solution guesses[MANY], given = {.r = answer, .u = answer}, found;
  stc_problem *problem = fclib_local(2, true, false), *again = NULL;
  const char *path = fclib_path("guesses.hdf5");
  for (int k = 0; k < MANY; k++) {
    r[k][0] = 100 + k;
    guesses[k] = (stc_solution){.r = r[k], .u = k % 2 ? r[k] : NULL};
  }
  assert_int_equal(stc_problem_write(problem, &given, path), STC_OK);
  expect_guesses(path, problem, 0, 0);
  assert_int_equal(stc_guesses_write(path, problem, guesses, MANY), STC_OK);
  expect_guesses(path, problem, MANY, 100);
  assert_int_equal(stc_guesses_write(path, problem, guesses + 3, 2), STC_OK);
  expect_guesses(path, problem, 2, 103);
  assert_int_equal(stc_guesses_write(path, problem, NULL, 0), STC_OK);
  expect_guesses(path, problem, 0, 0);
  assert_int_equal(stc_problem_read(path, &again), STC_OK);  // the rest is as it was
  fclib_expect_same(problem, again);
  assert_int_equal(stc_solution_read(path, problem, &found), STC_OK);
  assert_memory_equal(found.r, answer, sizeof answer);
  stc_solution_free(&found);
  stc_problem_free(&problem);
  stc_problem_free(&again);
}

static void guesses_of_another_problem_are_refused(void **state) {
  double r[6] = {0};
  stc_solution guess = {.r = r};
  stc_problem *small = fclib_local(2, false, false), *large = fclib_local(3, false, false);
  const char *path = fclib_path("mismatch.hdf5");
  assert_int_equal(stc_problem_write(small, NULL, path), STC_OK);
  expect_failure(stc_guesses_write(path, large, &guess, 1), STC_ERR_DIMENSION, "differ in size");
  expect_failure(stc_guesses_write(path, small, &(stc_solution){0}, 1), STC_ERR_ARGUMENT,
                 "guess 0");
  stc_problem_free(&small);
  stc_problem_free(&large);
}

// --- Writing ---

static void a_file_can_be_written_over_itself(void **state) {
  stc_problem *problem = fclib_local(3, false, false), *again = NULL;
  const char *path = fclib_path("itself.hdf5");
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(stc_problem_read(path, &again), STC_OK);
    assert_int_equal(stc_problem_write(again, NULL, path), STC_OK);
    stc_problem_free(&again);
  }
  assert_int_equal(stc_problem_read(path, &again), STC_OK);
  fclib_expect_same(problem, again);
  stc_problem_free(&problem);
  stc_problem_free(&again);
}

static void links_and_permissions_are_kept(void **state) {
  struct stat status;
  stc_problem *problem = fclib_local(2, false, false);
  const char *path = fclib_path("target.hdf5"), *link = fclib_path("link.hdf5");
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(symlink("target.hdf5", link), 0);
  assert_int_equal(stc_problem_write(problem, NULL, link), STC_OK);
  assert_int_equal(lstat(link, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0640);
  stc_problem_free(&problem);
}

// A disk that takes 1024 bytes only: the old file stays, and nothing else.
static void a_full_disk_leaves_the_old_file(void **state) {
  stc_problem *problem = fclib_local(3, false, false);
  const char *path = fclib_path("full.hdf5");
  struct rlimit old, small = {1024, 1024};
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  int files = fclib_files();
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small.rlim_max = old.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  stc_error error = stc_problem_write(problem, NULL, path);
  setrlimit(RLIMIT_FSIZE, &old);
  expect_failure(error, STC_ERR_FILE, "full.hdf5: cannot write");
  assert_int_equal(fclib_files(), files);
  expect_read_back(path, problem);
  stc_problem_free(&problem);
}

static void places_that_cannot_be_written_are_named(void **state) {
  stc_problem *problem = fclib_local(2, false, false);
  expect_failure(stc_problem_write(problem, NULL, fclib_path("no/such/x.hdf5")), STC_ERR_FILE,
                 "no/such/x.hdf5: cannot write: No such file or directory");
  const char *fifo = fclib_path("fifo");  // stands for every device: none may be replaced by a file
  assert_int_equal(mkfifo(fifo, 0600), 0);
  expect_failure(stc_problem_write(problem, NULL, fifo), STC_ERR_FILE, "no regular file");
  unlink(fifo);
  expect_failure(stc_problem_write(problem, NULL, fclib_path("")), STC_ERR_FILE, "no regular file");
  fclib_expect_closed();
  stc_problem_free(&problem);
}

static void missing_arguments_are_named(void **state) {
  stc_problem *problem = fclib_local(2, false, false), *none = NULL;
  stc_solution empty = {0};
  expect_failure(stc_problem_read(NULL, &none), STC_ERR_ARGUMENT, "stc_problem_read");
  expect_failure(stc_problem_read("x", NULL), STC_ERR_ARGUMENT, "stc_problem_read");
  expect_failure(stc_problem_write(problem, NULL, NULL), STC_ERR_ARGUMENT, "stc_problem_write");
  expect_failure(stc_problem_write(NULL, NULL, "x"), STC_ERR_ARGUMENT, "stc_problem_write");
  expect_failure(stc_problem_write(problem, &empty, "x"), STC_ERR_ARGUMENT, "without r");
  expect_failure(stc_solution_read("x", NULL, &empty), STC_ERR_ARGUMENT, "stc_solution_read");
  expect_failure(stc_guesses_read("x", problem, NULL, NULL), STC_ERR_ARGUMENT, "stc_guesses_read");
  expect_failure(stc_guesses_write("x", problem, NULL, 1), STC_ERR_ARGUMENT, "stc_guesses_write");
  stc_problem_free(&problem);
}

// UTF-16, as MATLAB stores text: a letter, a sign, a pair of units, and half of a pair.
static void text_of_MATLAB_is_read(void **state) {
  static const unsigned short units[] = {0x00dc, ',', 0x2211, 0xd83e, 0xddf1, 0xd83e, '!'};
  const char *path = fclib_path("matlab.hdf5");
  stc_problem *problem = fclib_local(2, false, false), *read = NULL;
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "fclib_local/info/title", H5P_DEFAULT);
  fclib_put(file, "fclib_local/info/title", H5T_STD_U16LE, H5T_NATIVE_USHORT, 7, units);
  H5Fclose(file);
  assert_int_equal(stc_problem_read(path, &read), STC_OK);
  assert_string_equal(stc_problem_get_text(read).title, "\xc3\x9c,\xe2\x88\x91\xf0\x9f\xa7\xb1?!");
  stc_problem_free(&read);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_of_MATLAB_is_read),
      cmocka_unit_test(every_problem_comes_back_to_the_last_bit),
      cmocka_unit_test(empty_texts_are_written),
      cmocka_unit_test(the_same_problem_gives_the_same_bytes),
      cmocka_unit_test(the_file_has_the_signs_of_fclib),
      cmocka_unit_test(the_conversion_is_its_own_inverse),
      cmocka_unit_test(every_storage_is_the_same_matrix),
      cmocka_unit_test(other_datasets_are_passed_over),
      cmocka_unit_test(every_number_type_is_read),
      cmocka_unit_test(scalars_and_rows_are_vectors),
      cmocka_unit_test(texts_of_every_kind_are_read),
      cmocka_unit_test(a_solution_comes_back),
      cmocka_unit_test(what_is_not_stored_is_null),
      cmocka_unit_test(guesses_are_added_and_replaced),
      cmocka_unit_test(guesses_of_another_problem_are_refused),
      cmocka_unit_test(a_file_can_be_written_over_itself),
      cmocka_unit_test(links_and_permissions_are_kept),
      cmocka_unit_test(a_full_disk_leaves_the_old_file),
      cmocka_unit_test(places_that_cannot_be_written_are_named),
      cmocka_unit_test(missing_arguments_are_named),
  };
  return cmocka_run_group_tests(tests, fclib_setup, fclib_teardown);
}
