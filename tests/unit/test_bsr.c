// BSR: the blocks hold the entries of the CSR matrix, by columns, the diagonal always there.
#include "expect.h"

#include "base/random.h"
#include "linalg/bsr.h"

static void blocks_are_gathered_by_columns(void **state) {
  // 4 x 4, dim 2: block (0,0) = [1 0; 2 3], block (0,1) = [0 4; 0 0], block (1,1) empty but there.
  int ptr[] = {0, 2, 4, 4, 4}, col[] = {0, 3, 0, 1};
  double val[] = {1, 4, 2, 3};
  stc_csr A = {4, 4, ptr, col, val};
  stc_arena arena = {0};
  stc_bsr B;
  assert_int_equal(stc_bsr_from_csr(&arena, &A, 2, &B), STC_OK);
  assert_int_equal(B.rows, 2);
  assert_memory_equal(B.ptr, ((const int[]){0, 2, 3}), 3 * sizeof(int));
  assert_memory_equal(B.col, ((const int[]){0, 1, 1}), 3 * sizeof(int));
  assert_memory_equal(B.diag, ((const int[]){0, 2}), 2 * sizeof(int));
  const double blocks[] = {1, 2, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0};
  assert_memory_equal(B.val, blocks, sizeof blocks);
  stc_arena_free(&arena);
}

static void an_empty_matrix_has_no_blocks(void **state) {
  int ptr[] = {0};
  stc_csr A = {.ptr = ptr};
  stc_arena arena = {0};
  stc_bsr B;
  assert_int_equal(stc_bsr_from_csr(&arena, &A, 3, &B), STC_OK);
  assert_int_equal(B.ptr[0], 0);
  stc_bsr_multiply(&B, NULL, 0, NULL);
  stc_arena_free(&arena);
}

enum { N = 12, MAX_ENTRIES = N * N };

/// A random pattern with integer values: both products are exact, so they must agree to the bit.
static void random_matrix(stc_random *random, stc_csr *A) {
  int entries = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      if (stc_random_uniform(random) > 0.25) continue;
      A->col[entries] = j;
      A->val[entries++] = floor(20 * stc_random_uniform(random)) - 10;
    }
    A->ptr[i + 1] = entries;
  }
}

static void the_product_equals_that_of_the_rows(void **state) {
  stc_random random = stc_random_seed(1);
  int ptr[N + 1] = {0}, col[MAX_ENTRIES];
  double val[MAX_ENTRIES], x[N], expected[N], y[N];
  for (int i = 0; i < N; i++) x[i] = floor(9 * stc_random_uniform(&random)) - 4;
  for (int k = 0; k < 20; k++) {
    stc_csr A = {N, N, ptr, col, val};
    random_matrix(&random, &A);
    stc_arena arena = {0};
    stc_bsr B;
    assert_int_equal(stc_bsr_from_csr(&arena, &A, 2 + k % 2, &B), STC_OK);
    for (int i = 0; i < N; i++) expected[i] = y[i] = NAN;
    for (int beta = 0; beta < 2; beta++) {
      stc_csr_multiply(&A, x, beta, expected);
      stc_bsr_multiply(&B, x, beta, y);
      for (int i = 0; i < N; i++) assert_true(y[i] == expected[i]);
    }
    for (int i = 0; i < B.rows; i++) assert_int_equal(B.col[B.diag[i]], i);
    stc_arena_free(&arena);
  }
}

/// Columns in order, the diagonal among them, entries where they belong, zeros past the end.
static void expect_values(const stc_csr *A, const stc_bsr *B) {
  int d = B->dim;
  for (int i = 0; i < B->rows; i++) {
    for (int k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
      assert_true(k == B->ptr[i] || B->col[k] > B->col[k - 1]);
      for (int l = 0; l < d * d; l++) {
        int row = i * d + l % d, col = B->col[k] * d + l / d;
        assert_true(B->val[k * d * d + l] == stc_csr_entry(A, row, col));
      }
    }
    assert_int_equal(B->col[B->diag[i]], i);
  }
  int last = B->ptr[B->rows] * d * d;
  for (int k = 0; k < STC_BSR_PAD; k++) assert_true(B->val[last + k] == 0);
}

static void whole_blocks_and_all_but_one_entry(void **state) {
  // A full matrix has 12 / dim blocks per row; without its last entry it has as many.
  for (int dim = 2; dim <= 4; dim++)
    for (int missing = 0; missing < 2; missing++) {
      int ptr[N + 1] = {0}, col[MAX_ENTRIES], entries = 0;
      double val[MAX_ENTRIES];
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N - (missing && i == N - 1); j++) {
          col[entries] = j;
          val[entries++] = 100 * i + j + 1;
        }
        ptr[i + 1] = entries;
      }
      stc_csr A = {N, N, ptr, col, val};
      stc_arena arena = {0};
      stc_bsr B;
      assert_int_equal(stc_bsr_from_csr(&arena, &A, dim, &B), STC_OK);
      assert_int_equal(B.ptr[B.rows], (N / dim) * (N / dim));
      expect_values(&A, &B);
      stc_arena_free(&arena);
    }
}

static void neighbours_are_not_a_block(void **state) {
  // Columns 0, 1 and 3, 4 in both rows, dim 2: three blocks, not two. The others are whole.
  int ptr[] = {0, 4, 8, 10, 12, 14, 16};
  int col[] = {0, 1, 3, 4, 0, 1, 3, 4, 2, 3, 2, 3, 4, 5, 4, 5};
  double val[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  stc_csr A = {6, 6, ptr, col, val};
  stc_arena arena = {0};
  stc_bsr B;
  assert_int_equal(stc_bsr_from_csr(&arena, &A, 2, &B), STC_OK);
  assert_memory_equal(B.ptr, ((const int[]){0, 3, 4, 5}), 4 * sizeof(int));
  expect_values(&A, &B);
  stc_arena_free(&arena);
}

static void columns_of_long_rows_are_sorted(void **state) {
  // Row 0 has an entry in every even block column and row 1 in every odd one: 50 blocks.
  enum { BLOCKS = 50, SIZE = 2 * BLOCKS };
  int ptr[SIZE + 1] = {0}, col[BLOCKS];
  double val[BLOCKS];
  for (int k = 0; k < BLOCKS; k++) {
    int block = k < BLOCKS / 2 ? 2 * k : 2 * (k - BLOCKS / 2) + 1;
    col[k] = 2 * block + k % 2;
    val[k] = k + 1;
  }
  ptr[1] = BLOCKS / 2;
  for (int i = 2; i <= SIZE; i++) ptr[i] = BLOCKS;
  stc_csr A = {SIZE, SIZE, ptr, col, val};
  stc_arena arena = {0};
  stc_bsr B;
  assert_int_equal(stc_bsr_from_csr(&arena, &A, 2, &B), STC_OK);
  assert_int_equal(B.ptr[1], BLOCKS);
  assert_int_equal(B.ptr[BLOCKS], 2 * BLOCKS - 1);  // and the diagonal of every other row
  expect_values(&A, &B);
  stc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_gathered_by_columns),
      cmocka_unit_test(an_empty_matrix_has_no_blocks),
      cmocka_unit_test(the_product_equals_that_of_the_rows),
      cmocka_unit_test(whole_blocks_and_all_but_one_entry),
      cmocka_unit_test(neighbours_are_not_a_block),
      cmocka_unit_test(columns_of_long_rows_are_sorted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
