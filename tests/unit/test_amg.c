// Multigrid on elastic bodies: iterations that hardly grow with refinement, stretched and graded
// cells, nearly incompressible material, planes, tetrahedra, supports that leave parts of nodes.
#include "elastic.h"

static double stretch;  // of a grid's last direction

static bool scale_last(void *user, const double *s, double *x) {
  int dim = *(const int *)user;
  for (int i = 0; i < dim; i++) x[i] = s[i];
  x[dim - 1] *= stretch;
  return true;
}

/// Conjugate gradients to 1e-8 from zero, and the answer is right.
static int iterations(const elastic *e, stc_sparse_hints hints) {
  size_t n = (size_t)e->n;
  double *b = scattered(n), *x = calloc(n, sizeof *x), *r = calloc(n, sizeof *r);
  stc_sparse_solver *spd = NULL;
  stc_sparse_report report;
  expect_ok(stc_sparse_create(&e->K, &hints, &spd));
  expect_ok(stc_sparse_factorise(spd, e->K.val));
  expect_ok(stc_sparse_solve(spd, 1, b, x, 1e-8, &report));
  double sum = 0, size = 0;
  stc_csr_multiply(&e->K, x, 0, r);
  for (size_t i = 0; i < n; i++) sum += (b[i] - r[i]) * (b[i] - r[i]), size += b[i] * b[i];
  assert_true(sqrt(sum / size) <= 1.01e-8);  // judged here, not by the solver
  expect_near(report.residual, sqrt(sum / size), 1e-12);
  stc_sparse_free(&spd);
  free(b), free(x), free(r);
  return report.iterations;
}

static int count(stc_grid grid, double poisson) {
  int dim = stc_cell_dim(grid.type);
  grid.body = "b";
  grid.map = scale_last;
  grid.user = &dim;
  elastic e = make_elastic(&grid, poisson);
  int found = iterations(&e, elastic_hints(&e, STC_SPARSE_AMG, 1));
  free_elastic(&e);
  return found;
}

static void expect_at_most(int found, int most) {
  if (found <= most) return;
  print_error("%d iterations, at most %d\n", found, most);
  fail();
}

static void refinement_costs_few_iterations(void **state) {
  // Two levels each: smoothing alone would take twice as many for cells of half the size.
  stretch = 1;
  int coarse = count((stc_grid){.type = STC_CELL_H8, .count = {11, 11, 11}}, 0.3);
  expect_at_most(coarse, 14);
  expect_at_most(count((stc_grid){.type = STC_CELL_H8, .count = {16, 16, 16}}, 0.3), coarse + 3);
  expect_at_most(count((stc_grid){.type = STC_CELL_H8, .count = {20, 20, 20}}, 0.3), coarse + 5);
}

static void stretched_cells_are_coarsened_where_they_are_short(void **state) {
  stretch = 0.02;
  expect_at_most(count((stc_grid){.type = STC_CELL_H8, .count = {13, 13, 13}}, 0.3), 25);
  stretch = 50;
  expect_at_most(count((stc_grid){.type = STC_CELL_H8, .count = {13, 13, 13}}, 0.3), 35);
}

static void graded_cells_cost_few_iterations(void **state) {
  double list[15];
  for (int k = 0; k < 15; k++) list[k] = (pow(100, k / 14.0) - 1) / 99;
  stretch = 1;
  stc_grid grid = {.type = STC_CELL_H8, .count = {15, 15, 15}, .list = {list, list, list}};
  expect_at_most(count(grid, 0.3), 35);
}

static void nearly_incompressible_bodies_converge(void **state) {
  stretch = 1;
  expect_at_most(count((stc_grid){.type = STC_CELL_H8, .count = {13, 13, 13}}, 0.45), 25);
}

static void every_cell_converges(void **state) {
  stretch = 1;
  expect_at_most(count((stc_grid){.type = STC_CELL_T4, .count = {11, 11, 11}}, 0.3), 25);
  expect_at_most(count((stc_grid){.type = STC_CELL_Q4, .count = {40, 40}}, 0.3), 20);
  expect_at_most(count((stc_grid){.type = STC_CELL_T3, .count = {40, 40}}, 0.3), 25);
  expect_at_most(count((stc_grid){.type = STC_CELL_Q8, .count = {25, 25}}, 0.3), 35);
  expect_at_most(count((stc_grid){.type = STC_CELL_T6, .count = {25, 25}}, 0.3), 35);
}

static void unknowns_without_places_or_modes_converge(void **state) {
  // Laplace's equation on a line of 6000 nodes, each unknown alone, the constants its only mode.
  enum { N = 6000 };
  static int ptr[N + 1], col[3 * N];
  static double val[3 * N], b[N], x[N];
  int used = 0;
  for (int i = 0; i < N; i++) {
    if (i > 0) col[used] = i - 1, val[used++] = -1;
    col[used] = i, val[used++] = 2;
    if (i < N - 1) col[used] = i + 1, val[used++] = -1;
    ptr[i + 1] = used;
    b[i] = 2;  // x_i = (i + 1)(N - i): the second difference of a parabola
  }
  stc_csr A = {N, N, ptr, col, val};
  stc_sparse_solver *spd = NULL;
  stc_sparse_report report;
  expect_ok(stc_sparse_create(&A, &(stc_sparse_hints){.kind = STC_SPARSE_AMG}, &spd));
  expect_ok(stc_sparse_factorise(spd, val));
  expect_ok(stc_sparse_solve(spd, 1, b, x, 1e-10, &report));
  expect_at_most(report.iterations, 40);
  double largest = (N + 1.0) * (N + 1.0) / 4;
  for (int i = 0; i < N; i++) expect_near(x[i], (i + 1.0) * (N - i), 1e-4 * largest);
  stc_sparse_free(&spd);
}

static void a_good_guess_saves_iterations(void **state) {
  elastic e =
      make_elastic(&(stc_grid){.type = STC_CELL_H8, .count = {10, 10, 10}, .body = "b"}, 0.3);
  size_t n = (size_t)e.n;
  double *b = scattered(n), *x = calloc(n, sizeof *x);
  stc_sparse_hints hints = elastic_hints(&e, STC_SPARSE_AMG, 1);
  stc_sparse_solver *spd = NULL;
  stc_sparse_report cold, warm;
  expect_ok(stc_sparse_create(&e.K, &hints, &spd));
  expect_ok(stc_sparse_factorise(spd, e.K.val));
  expect_ok(stc_sparse_solve(spd, 1, b, x, 1e-6, &cold));
  expect_ok(stc_sparse_solve(spd, 1, b, x, 1e-6, &warm));
  assert_int_equal(warm.iterations, 0);  // it is the answer already
  for (size_t i = 0; i < n; i++) b[i] *= 1 + 1e-4;
  expect_ok(stc_sparse_solve(spd, 1, b, x, 1e-6, &warm));
  assert_true(warm.iterations < cold.iterations);
  stc_sparse_free(&spd);
  free(b), free(x);
  free_elastic(&e);
}

TEST_PROGRAM(cmocka_unit_test(refinement_costs_few_iterations),
             cmocka_unit_test(stretched_cells_are_coarsened_where_they_are_short),
             cmocka_unit_test(graded_cells_cost_few_iterations),
             cmocka_unit_test(nearly_incompressible_bodies_converge),
             cmocka_unit_test(every_cell_converges),
             cmocka_unit_test(unknowns_without_places_or_modes_converge),
             cmocka_unit_test(a_good_guess_saves_iterations))
