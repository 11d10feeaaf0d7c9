// M in blocks: the partition, solves with small and large blocks, the row of a bad pivot.
#include "expect.h"

#include "linalg/condense.h"

#include <stdio.h>

enum { CHAIN = 100, DOFS = CHAIN + 4 };

/// Degrees of freedom 0 and 2 form the block [4 2; 2 3], 1 is alone with mass 5, 3 with mass 2, and
/// 4 .. 103 form the chain (-1, 2, -1), too large for a dense factor. Stored zeros lie between 1
/// and 3 and between 3 and 4: they join nothing.
static stc_csr mixed(stc_arena *arena) {
  stc_csr M = {DOFS, DOFS, STC_TAKE(arena, int, DOFS + 1), STC_TAKE(arena, int, 3 * DOFS),
               STC_TAKE(arena, double, 3 * DOFS)};
  const int ptr[] = {0, 2, 4, 6, 9}, col[] = {0, 2, 1, 3, 0, 2, 1, 3, 4};
  const double val[] = {4, 2, 5, 0, 2, 3, 0, 2, 0};
  memcpy(M.ptr, ptr, sizeof ptr);
  memcpy(M.col, col, sizeof col);
  memcpy(M.val, val, sizeof val);
  int k = 9;
  for (int i = 4; i < DOFS; i++) {
    M.col[k] = i - 1, M.val[k++] = i == 4 ? 0 : -1;
    M.col[k] = i, M.val[k++] = 2;
    if (i < DOFS - 1) M.col[k] = i + 1, M.val[k++] = -1;
    M.ptr[i + 1] = k;
  }
  return M;
}

static void blocks_are_found_and_solved(void **state) {
  stc_arena arena = {0};
  stc_csr M = mixed(&arena);
  stc_blocks *blocks = NULL;
  assert_int_equal(stc_blocks_create(&M, &blocks), STC_OK);
  assert_int_equal(blocks->count, 4);
  assert_memory_equal(blocks->ptr, ((const int[]){0, 2, 3, 4, DOFS}), 5 * sizeof(int));
  assert_memory_equal(blocks->dof, ((const int[]){0, 2, 1, 3, 4}), 5 * sizeof(int));
  // M x = f with x = (1, 2, 3, 4, chain (i + 1)(CHAIN - i)): f = (10, 10, 11, 8, 2 ... 2).
  double f[DOFS] = {10, 10, 11, 8}, x[DOFS];
  for (int i = 4; i < DOFS; i++) f[i] = 2;
  assert_int_equal(stc_condense_solve(blocks, f, x), STC_OK);
  for (int i = 0; i < 4; i++) expect_near(x[i], i + 1, 1e-14);
  for (int i = 0; i < CHAIN; i++) expect_near(x[i + 4], (i + 1.0) * (CHAIN - i), 1e-8);
  stc_blocks_free(&blocks);
  assert_null(blocks);
  stc_blocks_free(&blocks);
  stc_arena_free(&arena);
}

/// The row named is that of M, in a small block as in a large one.
static void a_bad_row_is_named(void **state) {
  stc_arena arena = {0};
  stc_csr M = mixed(&arena);
  stc_blocks *blocks = NULL;
  M.val[5] = 1;  // [4 2; 2 1]: singular, seen at the second row, which is row 2 of M
  expect_failure(stc_blocks_create(&M, &blocks), STC_ERR_NUMERIC, "pivot of row 2 ");
  assert_null(blocks);
  M.val[5] = 3;
  for (int i = 4; i < DOFS; i++)  // -M over the whole chain: any of its rows is bad
    for (int k = M.ptr[i]; k < M.ptr[i + 1]; k++) M.val[k] = -M.val[k];
  expect_failure(stc_blocks_create(&M, &blocks), STC_ERR_NUMERIC, "M is not positive definite");
  int row = -1;
  assert_int_equal(sscanf(strstr(stc_error_detail(), "pivot of row"), "pivot of row %d", &row), 1);
  assert_in_range(row, 4, DOFS - 1);
  stc_arena_free(&arena);
}

static void a_singular_block_is_refused_whatever_rounding_leaves(void **state) {
  // M = m m^T has the second pivot 0; rounding makes of it a small number of either sign.
  for (int k = 1; k <= 30; k++) {
    const double m[] = {0.7 * k, 0.1};
    int ptr[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
    double val[] = {m[0] * m[0], m[0] * m[1], m[1] * m[0], m[1] * m[1]};
    stc_csr M = {2, 2, ptr, col, val};
    stc_blocks *blocks = NULL;
    expect_failure(stc_blocks_create(&M, &blocks), STC_ERR_NUMERIC, "pivot of row 1 ");
  }
}

static void a_symmetric_block_has_a_symmetric_inverse(void **state) {
  // M_ij = min(i, j) + 1 is the product of the triangles of ones: its inverse is the chain with 2
  // on the diagonal but 1 at the end, and -1 beside it.
  enum { N = 12 };
  int ptr[N + 1], col[N * N];
  double val[N * N], inverse[N * N];
  for (int k = 0; k < N * N; k++) {
    col[k] = k % N;
    val[k] = (k / N < k % N ? k / N : k % N) + 1;
  }
  for (int i = 0; i <= N; i++) ptr[i] = i * N;
  stc_csr M = {N, N, ptr, col, val};
  stc_blocks *blocks = NULL;
  assert_int_equal(stc_blocks_create(&M, &blocks), STC_OK);
  stc_envelope_invert(&blocks->dense[0], inverse);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double expected = i == j ? (i == N - 1 ? 1 : 2) : abs(i - j) == 1 ? -1 : 0;
      expect_near(inverse[j * N + i], expected, 1e-13);
      assert_true(inverse[j * N + i] == inverse[i * N + j]);
    }
  stc_blocks_free(&blocks);
}

static void the_condensed_matrix_of_a_chain(void **state) {
  // A picks one degree of freedom per row: S is then a part of M^-1. Block [4 2; 2 3] has the
  // inverse [3 -2; -2 4] / 8; the chain of n = 100 has M^-1_ij = (i + 1)(n - j) / (n + 1), i <= j.
  stc_arena arena = {0};
  stc_csr M = mixed(&arena), S;
  stc_blocks *blocks = NULL;
  assert_int_equal(stc_blocks_create(&M, &blocks), STC_OK);
  // The last row touches the chain with a stored zero only, that is not at all.
  int ptr[] = {0, 1, 2, 3, 4, 5}, col[] = {103, 0, 4, 2, 50};
  double val[] = {1, 1, 1, 1, 0};
  stc_csr A = {5, DOFS, ptr, col, val};
  assert_int_equal(stc_condense(&arena, blocks, &A, &S), STC_OK);
  expect_near(stc_csr_entry(&S, 0, 0), 100.0 / 101, 1e-13);
  expect_near(stc_csr_entry(&S, 0, 2), 1.0 / 101, 1e-13);
  expect_near(stc_csr_entry(&S, 1, 1), 3.0 / 8, 1e-15);
  expect_near(stc_csr_entry(&S, 3, 1), -2.0 / 8, 1e-15);
  assert_memory_equal(S.ptr, ((const int[]){0, 2, 4, 6, 8, 8}), 6 * sizeof(int));
  assert_true(stc_csr_asymmetry(&S, NULL, NULL) == 0);
  stc_blocks_free(&blocks);
  stc_arena_free(&arena);
}

static void rows_that_touch_the_same_block_go_side_by_side(void **state) {
  // Six rows in the second half of the chain, then three in [4 2; 2 3], then one more in the chain
  // and one in both: S is M^-1 between the degrees of freedom they pick, and their sum in the last.
  enum { ROWS = 11 };
  stc_arena arena = {0};
  stc_csr M = mixed(&arena), S;
  stc_blocks *blocks = NULL;
  assert_int_equal(stc_blocks_create(&M, &blocks), STC_OK);
  int ptr[ROWS + 1] = {0}, col[] = {64, 80, 61, 99, 61, 70, 0, 2, 0, 66, 2, 90};
  double val[ROWS + 1], inverse[ROWS + 1][ROWS + 1];
  for (int i = 0; i <= ROWS; i++) val[i] = 1, ptr[i] = i;
  ptr[ROWS] = ROWS + 1;
  for (int i = 0; i <= ROWS; i++)
    for (int j = 0; j <= ROWS; j++) {
      int a = col[i] < col[j] ? col[i] : col[j], b = col[i] < col[j] ? col[j] : col[i];
      bool small = b < 4, apart = a < 4 && !small;
      double pair = a == 0 && b == 0 ? 3.0 / 8 : a == 0 ? -2.0 / 8 : 4.0 / 8;
      inverse[i][j] = apart ? 0 : small ? pair : (a - 4 + 1.0) * (CHAIN - (b - 4)) / (CHAIN + 1);
    }
  stc_csr A = {ROWS, DOFS, ptr, col, val};
  assert_int_equal(stc_condense(&arena, blocks, &A, &S), STC_OK);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++) {
      double expected = inverse[i][j];
      if (i == ROWS - 1) expected += inverse[ROWS][j];
      if (j == ROWS - 1) expected += inverse[i][ROWS];
      if (i == ROWS - 1 && j == ROWS - 1) expected += inverse[ROWS][ROWS];
      expect_near(stc_csr_entry(&S, i, j), expected, 1e-12);
    }
  assert_true(stc_csr_asymmetry(&S, NULL, NULL) == 0);
  assert_int_equal(stc_csr_entries(&S), 7 * 7 + 3 * 3 + 2 * 10 + 1);  // nothing between the two
  stc_blocks_free(&blocks);
  stc_arena_free(&arena);
}

/// Three degrees of freedom: [2 1 0; -1 2 0] and 5 alone.
static stc_csr gyroscope(int *ptr, int *col, double *val) {
  const int pointers[] = {0, 2, 4, 5}, columns[] = {0, 1, 0, 1, 2};
  const double values[] = {2, 1, -1, 2, 5};
  memcpy(ptr, pointers, sizeof pointers);
  memcpy(col, columns, sizeof columns);
  memcpy(val, values, sizeof values);
  return (stc_csr){3, 3, ptr, col, val};
}

static void an_asymmetric_block_is_solved(void **state) {
  // [2 1; -1 2]^-1 = [2 -1; 1 2] / 5. With A = I, S is M^-1, and not its transpose.
  int ptr[4], col[5], one_ptr[] = {0, 1, 2, 3}, one_col[] = {0, 1, 2};
  double val[5], ones[] = {1, 1, 1}, x[3];
  stc_csr M = gyroscope(ptr, col, val), A = {3, 3, one_ptr, one_col, ones}, S;
  stc_arena arena = {0};
  stc_blocks *blocks = NULL;
  assert_int_equal(stc_blocks_create(&M, &blocks), STC_OK);
  assert_false(blocks->symmetric);
  assert_int_equal(stc_condense_solve(blocks, (const double[]){4, 3, 15}, x), STC_OK);
  for (int i = 0; i < 3; i++) expect_near(x[i], i + 1, 1e-15);
  double block[4];
  stc_envelope_invert(&blocks->dense[0], block);  // by columns
  const double by_columns[] = {0.4, 0.2, -0.2, 0.4};
  for (int k = 0; k < 4; k++) expect_near(block[k], by_columns[k], 1e-16);
  assert_int_equal(stc_condense(&arena, blocks, &A, &S), STC_OK);
  const double inverse[] = {0.4, -0.2, 0, 0.2, 0.4, 0, 0, 0, 0.2};
  for (int k = 0; k < 9; k++) expect_near(stc_csr_entry(&S, k / 3, k % 3), inverse[k], 1e-16);
  assert_int_equal(stc_csr_entries(&S), 5);
  stc_blocks_free(&blocks);
  stc_arena_free(&arena);
}

static void an_asymmetric_block_must_be_definite_and_small(void **state) {
  // The symmetric part of [2 5; 0 2] is [2 2.5; 2.5 2], indefinite though both pivots are 2.
  int ptr[4], col[5];
  double val[5];
  stc_csr M = gyroscope(ptr, col, val);
  stc_blocks *blocks = NULL;
  val[1] = 5, val[2] = 0;
  expect_failure(stc_blocks_create(&M, &blocks), STC_ERR_NUMERIC, "pivot of row 1 ");
  stc_arena arena = {0};
  M = mixed(&arena);
  M.val[M.ptr[50]] = -0.99;  // M(50, 49), in the chain of 100
  expect_failure(stc_blocks_create(&M, &blocks), STC_ERR_UNSUPPORTED, "row 4 has 100 rows");
  stc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_found_and_solved),
      cmocka_unit_test(a_bad_row_is_named),
      cmocka_unit_test(a_singular_block_is_refused_whatever_rounding_leaves),
      cmocka_unit_test(an_asymmetric_block_is_solved),
      cmocka_unit_test(an_asymmetric_block_must_be_definite_and_small),
      cmocka_unit_test(a_symmetric_block_has_a_symmetric_inverse),
      cmocka_unit_test(the_condensed_matrix_of_a_chain),
      cmocka_unit_test(rows_that_touch_the_same_block_go_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
