// libfclib reads what is written here, and what libfclib writes is read here, number by number.
#include "fclib_support.h"

#include <fclib.h>

#include <unistd.h>

// --- Ours, read by libfclib ---

// Entry (i, j) of a matrix of libfclib, in CSparse's convention for triplets.
static double entry(const struct fclib_matrix *A, int i, int j) {
  double sum = 0;
  for (int k = 0; k < A->nz; k++)
    if (A->i[k] == i && A->p[k] == j) sum += A->x[k];
  if (A->nz >= 0) return sum;
  int major = A->nz == -1 ? j : i, minor = A->nz == -1 ? i : j;
  for (int k = A->p[major]; k < A->p[major + 1]; k++)
    if (A->i[k] == minor) sum += A->x[k];
  return sum;
}

static double our_entry(const stc_matrix *A, int i, int j) {
  for (int k = A->p[i]; k < A->p[i + 1]; k++)
    if (A->i[k] == j) return A->x[k];
  return 0;
}

// A = B, or the transpose of B.
static void expect_matrix(const struct fclib_matrix *A, const stc_matrix *B, bool transposed) {
  assert_int_equal(A->m, transposed ? B->cols : B->rows);
  assert_int_equal(A->n, transposed ? B->rows : B->cols);
  for (int i = 0; i < A->m; i++)
    for (int j = 0; j < A->n; j++)
      assert_true(entry(A, i, j) == (transposed ? our_entry(B, j, i) : our_entry(B, i, j)));
}

static void expect_vector(const double *found, const double *expected, int n) {
  assert_memory_equal(found, expected, (size_t)n * sizeof *found);
}

static void libfclib_reads_our_local_problem(void **state) {
  stc_problem *problem = fclib_local(3, true, true);
  stc_local_data d = stc_problem_local_data(problem);
  double r[6] = {1, 2, 3, 4, 5, 6}, u[6] = {6, 5, 4, 3, 2, 1}, l[2] = {7, 8};
  stc_solution solution = {.r = r, .u = u, .l = l};
  const char *path = fclib_path("ours_local.hdf5");
  assert_int_equal(stc_problem_write(problem, &solution, path), STC_OK);
  struct fclib_local *f = fclib_read_local(path);
  assert_int_equal(f->spacedim, 3);
  expect_matrix(f->W, &d.W, false);
  expect_matrix(f->V, &d.V, false);
  expect_matrix(f->R, &d.R, false);
  expect_vector(f->q, d.q, 6);
  expect_vector(f->s, d.s, 2);
  expect_vector(f->mu, d.mu, 2);
  assert_string_equal(f->info->title, "Two contacts");
  assert_string_equal(f->info->math_info, "W is positive definite");
  struct fclib_solution *s = fclib_read_solution(path);
  expect_vector(s->r, r, 6);
  expect_vector(s->u, u, 6);
  expect_vector(s->l, l, 2);
  assert_null(s->v);
  fclib_delete_solutions(s, 1);
  fclib_delete_local(f);
  free(f);
  stc_problem_free(&problem);
}

static void libfclib_reads_our_global_problem(void **state) {
  stc_problem *problem = fclib_global(2, true, false);
  stc_global_data d = stc_problem_global_data(problem);
  double r[4] = {1, 2, 3, 4}, v[4] = {4, 3, 2, 1}, l[2] = {7, 8};
  stc_solution guesses[2] = {{r, v, v, l}, {v, r, r, l}};
  const char *path = fclib_path("ours_global.hdf5");
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  assert_int_equal(stc_guesses_write(path, problem, guesses, 2), STC_OK);
  struct fclib_global *f = fclib_read_global(path);
  assert_int_equal(f->spacedim, 2);
  expect_matrix(f->M, &d.M, false);
  expect_matrix(f->H, &d.H, true);
  expect_matrix(f->G, &d.G, true);
  for (int k = 0; k < 4; k++) assert_true(f->f[k] == -d.f[k]);
  expect_vector(f->w, d.w, 4);
  expect_vector(f->b, d.b, 2);
  expect_vector(f->mu, d.mu, 2);
  int count = 0;
  struct fclib_solution *s = fclib_read_guesses(path, &count);
  assert_int_equal(count, 2);
  expect_vector(s[1].r, v, 4);
  expect_vector(s[1].v, r, 4);
  expect_vector(s[0].l, l, 2);
  fclib_delete_solutions(s, 2);
  fclib_delete_global(f);
  free(f);
  stc_problem_free(&problem);
}

// --- libfclib's, read by us ---

// A matrix of ours in one of the storages of libfclib; the arrays are filled here.
typedef struct arrays {
  int p[64], i[64];
  double x[64];
} arrays;

static struct fclib_matrix theirs(const stc_matrix *A, bool transposed, int storage, arrays *a) {
  int m = transposed ? A->cols : A->rows, n = transposed ? A->rows : A->cols, count = 0;
  int majors = storage == -1 ? n : m, minors = storage == -1 ? m : n;
  for (int k = 0; k < majors; k++) {
    if (storage < 0) a->p[k] = count;
    for (int e = 0; e < minors; e++, count++) {
      int i = storage == -1 ? e : k, j = storage == -1 ? k : e;
      a->x[count] = transposed ? our_entry(A, j, i) : our_entry(A, i, j);
      a->i[count] = storage < 0 ? e : i;
      if (storage >= 0) a->p[count] = j;
    }
  }
  if (storage < 0) a->p[majors] = count;
  return (struct fclib_matrix){.nzmax = count,
                               .m = m,
                               .n = n,
                               .p = a->p,
                               .i = a->i,
                               .x = a->x,
                               .nz = storage < 0 ? storage : count};
}

static struct fclib_info info(void) {
  return (struct fclib_info){"Two contacts", "for the tests\nof files", "W is positive definite"};
}

static void expect_file(const char *path, const stc_problem *expected) {
  stc_problem *problem = NULL;
  stc_error error = stc_problem_read(path, &problem);
  if (error) print_error("%s\n", stc_error_detail());
  assert_int_equal(error, STC_OK);
  fclib_expect_same(problem, expected);
  stc_problem_free(&problem);
}

static void we_read_local_problems_of_libfclib(void **state) {
  stc_problem *problem = fclib_local(3, true, false);
  stc_local_data d = stc_problem_local_data(problem);
  for (int storage = -2; storage <= 0; storage++) {
    arrays a, b, c;
    struct fclib_matrix W = theirs(&d.W, false, storage, &a), V = theirs(&d.V, false, storage, &b);
    struct fclib_matrix R = theirs(&d.R, false, storage, &c);
    struct fclib_matrix_info about = {"dense", 1.5, 2.5, 6};
    struct fclib_info texts = info();
    W.info = &about;
    struct fclib_local f = {&W, &V, &R, (double *)d.mu, (double *)d.q, (double *)d.s, 3, &texts};
    const char *path = fclib_path("theirs_local.hdf5");
    unlink(path);
    assert_int_equal(fclib_write_local(&f, path), 1);
    expect_file(path, problem);
  }
  stc_problem_free(&problem);
}

static void we_read_global_problems_of_libfclib(void **state) {
  stc_problem *problem = fclib_global(2, true, false);
  stc_global_data d = stc_problem_global_data(problem);
  double f[4];
  for (int k = 0; k < 4; k++) f[k] = -d.f[k];  // M v = H r + G l + f
  for (int storage = -2; storage <= 0; storage++) {
    arrays a, b, c;
    struct fclib_matrix M = theirs(&d.M, false, storage, &a), H = theirs(&d.H, true, storage, &b);
    struct fclib_matrix G = theirs(&d.G, true, storage, &c);
    struct fclib_info texts = info();
    struct fclib_global g = {&M, &H,    &G, (double *)d.mu, f, (double *)d.b, (double *)d.w,
                             2,  &texts};
    const char *path = fclib_path("theirs_global.hdf5");
    unlink(path);
    assert_int_equal(fclib_write_global(&g, path), 1);
    expect_file(path, problem);
  }
  stc_problem_free(&problem);
}

static void we_read_solutions_and_guesses_of_libfclib(void **state) {
  stc_problem *problem = fclib_global(3, true, false);
  double r[6] = {1, 2, 3, 4, 5, 6}, u[6] = {6}, v[6] = {7}, l[2] = {8, 9};
  struct fclib_solution given = {v, u, r, l}, list[2] = {given, {u, v, u, l}};
  stc_solution found, *guesses = NULL;
  int count = 0;
  const char *path = fclib_path("rest.hdf5");
  assert_int_equal(stc_problem_write(problem, NULL, path), STC_OK);
  assert_int_equal(fclib_write_solution(&given, path), 1);  // libfclib adds to a file of ours
  assert_int_equal(fclib_write_guesses(2, list, path), 1);
  assert_int_equal(stc_solution_read(path, problem, &found), STC_OK);
  expect_vector(found.r, r, 6);
  expect_vector(found.u, u, 6);
  expect_vector(found.v, v, 6);
  expect_vector(found.l, l, 2);
  assert_int_equal(stc_guesses_read(path, problem, &guesses, &count), STC_OK);
  assert_int_equal(count, 2);
  expect_vector(guesses[1].r, u, 6);
  expect_vector(guesses[1].u, v, 6);
  stc_guesses_free(&guesses, count);
  stc_solution_free(&found);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(libfclib_reads_our_local_problem),
      cmocka_unit_test(libfclib_reads_our_global_problem),
      cmocka_unit_test(we_read_local_problems_of_libfclib),
      cmocka_unit_test(we_read_global_problems_of_libfclib),
      cmocka_unit_test(we_read_solutions_and_guesses_of_libfclib),
  };
  return cmocka_run_group_tests(tests, fclib_setup, fclib_teardown);
}
