// Dense kernels against sums in the plainest order, at sizes inside and across their blocks.
#include "expect.h"

#include "base/random.h"
#include "linalg/dense.h"

static double *random_matrix(stc_random *random, int rows, int cols) {
  size_t count = (size_t)rows * (size_t)cols;
  double *A = calloc(count, sizeof *A);
  for (size_t k = 0; k < count; k++) A[k] = stc_random_normal(random);
  return A;
}

// Row i of A (m x k) times column j of B (k x n).
static double dot(int k, const double *A, int lda, int i, const double *B, int ldb, int j) {
  double sum = 0;
  for (int p = 0; p < k; p++) sum += A[i + p * lda] * B[p + j * ldb];
  return sum;
}

// m x n x k, the leading dimensions three more than the rows. Blocks are 64 rows and 192 deep, and
// products with k (m + 3) <= 16384 or fewer than 12 columns are not copied.
static void products_agree_with_plain_sums(void **state) {
  static const int SIZE[][3] = {{1, 1, 1},     {6, 6, 6},      {7, 5, 3},      {12, 12, 12},
                                {13, 11, 300}, {131, 9, 400},  {131, 13, 400}, {64, 16, 384},
                                {65, 17, 385}, {200, 14, 192}, {203, 70, 193}};
  const stc_dense *dense = stc_dense_kernels();
  stc_random random = stc_random_seed(1);
  for (size_t s = 0; s < sizeof SIZE / sizeof *SIZE; s++) {
    int m = SIZE[s][0], n = SIZE[s][1], k = SIZE[s][2], lead = m + 3, ldb = k + 3;
    double *A = random_matrix(&random, lead, k), *B = random_matrix(&random, ldb, n);
    double *C = random_matrix(&random, lead, n), *D = random_matrix(&random, lead, n);
    size_t bytes = (size_t)lead * (size_t)n * sizeof *C;
    memcpy(D, C, bytes);
    dense->multiply(m, n, k, A, lead, B, ldb, C, lead);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < lead; i++) {
        double *c = C + i + j * lead, old = D[i + j * lead];
        expect_near(*c, i < m ? dot(k, A, lead, i, B, ldb, j) : old, i < m ? 1e-12 * k : 0);
      }
    dense->subtract(m, n, k, A, lead, B, ldb, D, lead);
    memcpy(C, D, bytes);
    dense->subtract(m, n, k, A, lead, B, ldb, C, lead);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        expect_near(D[i + j * lead] - C[i + j * lead], dot(k, A, lead, i, B, ldb, j), 1e-12 * k);
    free(A), free(B), free(C), free(D);
  }
}

// A x for the n x n matrix kept in `kept`.
static void expect_solution(int n, const double *kept, const double *x, const double *b) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += kept[i + j * n] * x[j];
    expect_near(sum, b[i], 1e-9);
  }
}

// P A = L U: L^-1 P b and then U^-1 of it solve A x = b; b is one of eight columns.
static void factors_solve(void **state) {
  const stc_dense *dense = stc_dense_kernels();
  stc_random random = stc_random_seed(2);
  enum { COLUMNS = 8 };
  static const int SIZE[] = {1, 5, 16, 17, 40, 129, 260};
  for (size_t s = 0; s < sizeof SIZE / sizeof *SIZE; s++) {
    int n = SIZE[s], sign = 1;
    double *A = random_matrix(&random, n, n), *b = random_matrix(&random, n, COLUMNS);
    double *kept = calloc((size_t)(n * n), sizeof *kept),
           *x = calloc((size_t)n * COLUMNS, sizeof *x);
    int *pivot = calloc((size_t)n, sizeof *pivot);
    memcpy(kept, A, (size_t)(n * n) * sizeof *A);
    memcpy(x, b, (size_t)n * COLUMNS * sizeof *x);
    assert_int_equal(stc_dense_lu(dense, NULL, n, A, n, 1e-30, pivot, &sign), 0);
    stc_dense_lower(dense, n, COLUMNS, A, n, pivot, x, n);
    for (int c = 0; c < COLUMNS; c++) {
      stc_dense_upper(n, A, n, x + c * n);
      expect_solution(n, kept, x + c * n, b + c * n);
    }
    free(A), free(b), free(kept), free(x), free(pivot);
  }
}

// (B U^-1) U = B for the upper triangle of a matrix with a strong diagonal.
static void division_by_the_upper_triangle(void **state) {
  const stc_dense *dense = stc_dense_kernels();
  stc_random random = stc_random_seed(3);
  for (int n = 7; n < 200; n = 3 * n + 1) {
    int m = n + 5;
    double *U = random_matrix(&random, n, n), *B = random_matrix(&random, m, n);
    double *X = calloc((size_t)(m * n), sizeof *X);
    for (int k = 0; k < n; k++) U[k + k * n] = n + 10;
    memcpy(X, B, (size_t)(m * n) * sizeof *X);
    stc_dense_upper_right(dense, n, m, U, n, X, m);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) expect_near(dot(j + 1, X, m, i, U, n, j), B[i + j * m], 1e-11);
    free(U), free(B), free(X);
  }
}

// Strips are cut where tiles are: a team leaves the same bits.
static void a_team_changes_no_bit(void **state) {
  enum { N = 330 };
  const stc_dense *dense = stc_dense_kernels();
  stc_random random = stc_random_seed(4);
  stc_team *team = NULL;
  double *A = random_matrix(&random, N, N), *B = calloc(N * N, sizeof *B);
  int pivot[2][N], sign[2] = {1, 1};
  memcpy(B, A, N * N * sizeof *B);
  assert_int_equal(stc_team_create(2, &team), STC_OK);
  stc_dense_lu(dense, NULL, N, A, N, 1e-30, pivot[0], &sign[0]);
  stc_dense_lu(dense, team, N, B, N, 1e-30, pivot[1], &sign[1]);
  assert_memory_equal(A, B, N * N * sizeof *A);
  assert_memory_equal(pivot[0], pivot[1], sizeof pivot[0]);
  assert_int_equal(sign[0], sign[1]);
  stc_team_free(&team);
  free(A), free(B);
}

// 197 columns are three strips and five that are left: too few to be packed by themselves.
static void a_team_multiplies_to_the_last_column(void **state) {
  enum { M = 200, N = 197, K = 400 };
  const stc_dense *dense = stc_dense_kernels();
  stc_random random = stc_random_seed(5);
  stc_team *team = NULL;
  double *A = random_matrix(&random, M, K), *B = random_matrix(&random, K, N);
  double *C = calloc(M * N, sizeof *C), *D = calloc(M * N, sizeof *D);
  assert_int_equal(stc_team_create(2, &team), STC_OK);
  stc_dense_share(dense, NULL, false, M, N, K, A, M, B, K, C, M);
  stc_dense_share(dense, team, false, M, N, K, A, M, B, K, D, M);
  assert_memory_equal(C, D, M * N * sizeof *C);
  stc_team_free(&team);
  free(A), free(B), free(C), free(D);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_agree_with_plain_sums),
      cmocka_unit_test(factors_solve),
      cmocka_unit_test(division_by_the_upper_triangle),
      cmocka_unit_test(a_team_changes_no_bit),
      cmocka_unit_test(a_team_multiplies_to_the_last_column),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
