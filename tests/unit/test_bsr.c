// BSR: the blocks hold the entries of the CSR matrix, by columns, the diagonal always there.
#include "expect.h"

#include "base/random.h"
#include "linalg/bsr.h"

static void blocks_are_gathered_by_columns(void **state) {
  (void)state;
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
  (void)state;
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
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_gathered_by_columns),
      cmocka_unit_test(an_empty_matrix_has_no_blocks),
      cmocka_unit_test(the_product_equals_that_of_the_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
