// A temporary directory, sample problems and libhdf5 in short form, for the tests of FCLIB files.
#define _XOPEN_SOURCE 700  // nftw
#include "fclib_support.h"

#include "../scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

static char directory[256];
static int first_number;

// The next file to be opened gets this number: it grows where files stay open.
static int next_number(void) {
  int fd = open("/dev/null", O_RDONLY);
  close(fd);
  return fd;
}

int fclib_setup(void **state) {
  scratch_path(directory, sizeof directory, "stiction");
  first_number = next_number();
  return mkdir(directory, 0700);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  return remove(path);
}

int fclib_teardown(void **state) { return nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

const char *fclib_path(const char *name) {
  static char paths[4][512];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

int fclib_files(void) {
  int count = 0;
  DIR *d = opendir(directory);
  for (struct dirent *entry; d && (entry = readdir(d));) count += entry->d_name[0] != '.';
  if (d) closedir(d);
  return count;
}

// --- Problems ---

static const double mu[] = {0.3, 0.7}, mu2[] = {0.6, 0.1};

// A matrix without zeros, as triplets; symmetric and diagonally dominant where square.
typedef struct full {
  int row[64], col[64];
  double x[64];
} full;

static stc_matrix fill(full *store, int rows, int cols) {
  for (int k = 0; k < rows * cols; k++) {
    int i = k / cols, j = k % cols;
    store->row[k] = i;
    store->col[k] = j;
    store->x[k] = rows == cols ? (i == j ? 10.0 : 1.0 / (1 + i + j)) : 1.0 / 3 + i - 2.5 * j;
  }
  return (stc_matrix){rows,       cols,       rows * cols, STC_STORAGE_TRIPLET,
                      store->col, store->row, store->x};
}

static void set_texts(stc_problem *problem) {
  stc_problem_text text = {"Two contacts", "for the tests\nof files", "W is positive definite"};
  assert_int_equal(stc_problem_set_text(problem, &text), STC_OK);
}

stc_problem *fclib_local(int dim, bool joints, bool elliptic) {
  static const double q[] = {-1, 1.0 / 3, 0.25, 1e-300, -0.0, 5}, s[] = {0.1, -7};
  full W, V, R;
  stc_problem *problem = NULL;
  stc_local_data d = {.dim = dim, .contacts = 2, .W = fill(&W, 2 * dim, 2 * dim), .q = q, .mu = mu};
  if (elliptic) d.mu2 = mu2;
  if (joints) {
    d.equalities = 2;
    d.V = fill(&V, 2 * dim, 2);
    d.R = fill(&R, 2, 2);
    d.s = s;
  }
  assert_int_equal(stc_problem_create_local(&d, &problem), STC_OK);
  set_texts(problem);
  return problem;
}

stc_problem *fclib_global(int dim, bool joints, bool elliptic) {
  static const double f[] = {1, -2, 3, -4, 5, -6}, w[] = {-1, 1.0 / 3, 0.25, 1e-300, 4, 5};
  static const double b[] = {0.1, -7};
  full M, H, G;
  stc_problem *problem = NULL;
  stc_global_data d = {.dim = dim,
                       .contacts = 2,
                       .dofs = 2 * dim,
                       .M = fill(&M, 2 * dim, 2 * dim),
                       .H = fill(&H, 2 * dim, 2 * dim),
                       .f = f,
                       .w = w,
                       .mu = mu};
  H.x[1] = 17;  // H is not symmetric
  if (elliptic) d.mu2 = mu2;
  if (joints) {
    d.equalities = 2;
    d.G = fill(&G, 2, 2 * dim);
    d.b = b;
  }
  assert_int_equal(stc_problem_create_global(&d, &problem), STC_OK);
  set_texts(problem);
  return problem;
}

static void same_vector(const double *a, const double *b, int n) {
  assert_true((a == NULL) == (b == NULL));
  if (a) assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

static void same_matrix(const stc_matrix *a, const stc_matrix *b) {
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(a->cols, b->cols);
  assert_int_equal(a->entries, b->entries);
  assert_int_equal(a->storage, b->storage);
  if (a->entries == 0) return;
  assert_memory_equal(a->p, b->p, (size_t)(a->rows + 1) * sizeof *a->p);
  assert_memory_equal(a->i, b->i, (size_t)a->entries * sizeof *a->i);
  same_vector(a->x, b->x, a->entries);
}

static void same_local(const stc_problem *a, const stc_problem *b) {
  stc_local_data x = stc_problem_local_data(a), y = stc_problem_local_data(b);
  same_matrix(&x.W, &y.W);
  same_matrix(&x.V, &y.V);
  same_matrix(&x.R, &y.R);
  same_vector(x.q, y.q, x.dim * x.contacts);
  same_vector(x.s, y.s, x.equalities);
  same_vector(x.mu, y.mu, x.contacts);
  same_vector(x.mu2, y.mu2, x.contacts);
}

static void same_global(const stc_problem *a, const stc_problem *b) {
  stc_global_data x = stc_problem_global_data(a), y = stc_problem_global_data(b);
  same_matrix(&x.M, &y.M);
  same_matrix(&x.H, &y.H);
  same_matrix(&x.G, &y.G);
  same_vector(x.f, y.f, x.dofs);
  same_vector(x.w, y.w, x.dim * x.contacts);
  same_vector(x.b, y.b, x.equalities);
  same_vector(x.mu, y.mu, x.contacts);
  same_vector(x.mu2, y.mu2, x.contacts);
}

void fclib_expect_same(const stc_problem *a, const stc_problem *b) {
  stc_problem_text s = stc_problem_get_text(a), t = stc_problem_get_text(b);
  assert_int_equal(stc_problem_form(a), stc_problem_form(b));
  assert_int_equal(stc_problem_dim(a), stc_problem_dim(b));
  assert_int_equal(stc_problem_contacts(a), stc_problem_contacts(b));
  assert_int_equal(stc_problem_dofs(a), stc_problem_dofs(b));
  assert_int_equal(stc_problem_equalities(a), stc_problem_equalities(b));
  assert_string_equal(s.title, t.title);
  assert_string_equal(s.description, t.description);
  assert_string_equal(s.math_info, t.math_info);
  if (stc_problem_form(a) == STC_FORM_LOCAL)
    same_local(a, b);
  else
    same_global(a, b);
}

// --- libhdf5 ---

void fclib_put(hid_t file, const char *name, hid_t stored, hid_t given, hsize_t count,
               const void *values) {
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &count, NULL);
  H5Pset_create_intermediate_group(links, 1);
  hid_t data = H5Dcreate2(file, name, stored, space, links, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(data >= 0);
  if (count) assert_true(H5Dwrite(data, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(links);
}

void fclib_put_int(hid_t file, const char *name, int value) {
  fclib_put(file, name, H5T_NATIVE_INT, H5T_NATIVE_INT, 1, &value);
}

void fclib_put_doubles(hid_t file, const char *name, int count, const double *values) {
  fclib_put(file, name, H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, (hsize_t)count, values);
}

void fclib_put_ints(hid_t file, const char *name, int count, const int *values) {
  fclib_put(file, name, H5T_NATIVE_INT, H5T_NATIVE_INT, (hsize_t)count, values);
}

void fclib_get(const char *path, const char *name, hid_t type, int count, void *values) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

void fclib_get_ints(const char *path, const char *name, int count, int *values) {
  fclib_get(path, name, H5T_NATIVE_INT, count, values);
}

void fclib_get_doubles(const char *path, const char *name, int count, double *values) {
  fclib_get(path, name, H5T_NATIVE_DOUBLE, count, values);
}

void fclib_expect_closed(void) { assert_int_equal(next_number(), first_number); }
