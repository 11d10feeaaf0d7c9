// CSR: every storage gives the same rows; every malformed matrix gives a sentence; products.
#include "expect.h"

#include "linalg/csr.h"

// A = [ 1 0 2 ]
//     [ 0 3 4 ]
static const int row_ptr[] = {0, 2, 4}, row_col[] = {0, 2, 1, 2};
static const double row_val[] = {1, 2, 3, 4};

static stc_matrix by_rows(void) {
  return (stc_matrix){2, 3, 4, STC_STORAGE_CSR, row_ptr, row_col, row_val};
}

static void expect_A(const stc_matrix *m) {
  stc_arena arena = {0};
  stc_csr A;
  assert_int_equal(stc_csr_from_matrix(&arena, "A", m, 2, 3, &A), STC_OK);
  assert_int_equal(A.rows, 2);
  assert_int_equal(A.cols, 3);
  assert_int_equal(stc_csr_entries(&A), 4);
  assert_memory_equal(A.ptr, row_ptr, sizeof row_ptr);
  assert_memory_equal(A.col, row_col, sizeof row_col);
  assert_memory_equal(A.val, row_val, sizeof row_val);
  stc_arena_free(&arena);
}

static void every_storage_gives_the_same_rows(void **state) {
  stc_matrix csr = by_rows();
  expect_A(&csr);
  const int col_ptr[] = {0, 1, 2, 4}, col_row[] = {0, 1, 0, 1};
  const double col_val[] = {1, 3, 2, 4};
  stc_matrix csc = {2, 3, 4, STC_STORAGE_CSC, col_ptr, col_row, col_val};
  expect_A(&csc);
  const int cols[] = {2, 0, 2, 1}, rows[] = {1, 0, 0, 1};  // out of order on purpose
  const double vals[] = {4, 1, 2, 3};
  stc_matrix triplet = {2, 3, 4, STC_STORAGE_TRIPLET, cols, rows, vals};
  expect_A(&triplet);
}

static void expect_refusal(stc_matrix m, stc_error code, const char *words) {
  stc_arena arena = {0};
  stc_csr A;
  expect_failure(stc_csr_from_matrix(&arena, "A", &m, 2, 3, &A), code, words);
  stc_arena_free(&arena);
}

static void malformed_compressed_matrices_are_named(void **state) {
  stc_matrix m = by_rows();
  m.rows = 3;
  expect_refusal(m, STC_ERR_DIMENSION, "A is 3 x 3, expected 2 x 3");
  m = by_rows(), m.entries = -1;
  expect_refusal(m, STC_ERR_DIMENSION, "-1 entries");
  m = by_rows(), m.x = NULL;
  expect_refusal(m, STC_ERR_ARGUMENT, "NULL");
  m = by_rows(), m.entries = 5;
  expect_refusal(m, STC_ERR_DIMENSION, "last row pointer is 4, expected 5");
  m = by_rows(), m.p = (const int[]){1, 2, 4};
  expect_refusal(m, STC_ERR_VALUE, "row pointer 0 is 1");
  m = by_rows(), m.p = (const int[]){0, 5, 4};
  expect_refusal(m, STC_ERR_VALUE, "row pointer 2 is 4, below the one before (5)");
  m = by_rows(), m.i = (const int[]){0, 3, 1, 2};
  expect_refusal(m, STC_ERR_VALUE, "index 3 in row 0 lies outside 0..2");
  m = by_rows(), m.i = (const int[]){0, 2, -1, 2};
  expect_refusal(m, STC_ERR_VALUE, "index -1 in row 1");
  m = by_rows(), m.i = (const int[]){0, 2, 2, 1};
  expect_refusal(m, STC_ERR_VALUE, "index 1 in row 1 comes after 2");
  m = by_rows(), m.i = (const int[]){0, 2, 2, 2};
  expect_refusal(m, STC_ERR_VALUE, "A(1, 2) is given twice");
  m = by_rows(), m.x = (const double[]){1, 2, NAN, 4};
  expect_refusal(m, STC_ERR_VALUE, "A(1, 1) = ");
  m = by_rows(), m.storage = (stc_storage)7;
  expect_refusal(m, STC_ERR_ARGUMENT, "storage 7");
}

static void malformed_columns_are_named_by_row_and_column(void **state) {
  const int ptr[] = {0, 1, 2, 4}, row[] = {0, 1, 0, 1};
  stc_matrix m = {2, 3, 4, STC_STORAGE_CSC, ptr, row, (const double[]){1, 3, 2, INFINITY}};
  expect_refusal(m, STC_ERR_VALUE, "A(1, 2) = inf");
  m.x = row_val, m.i = (const int[]){0, 1, 1, 1};
  expect_refusal(m, STC_ERR_VALUE, "A(1, 2) is given twice");
  m.i = (const int[]){0, 2, 0, 1};
  expect_refusal(m, STC_ERR_VALUE, "index 2 in column 1 lies outside 0..1");
}

static void malformed_triplets_are_named(void **state) {
  const int cols[] = {2, 0, 2, 1}, rows[] = {1, 0, 0, 1};
  stc_matrix m = {2, 3, 4, STC_STORAGE_TRIPLET, cols, rows, row_val};
  m.p = (const int[]){2, 0, 3, 1};
  expect_refusal(m, STC_ERR_VALUE, "triplet 2 is at (0, 3), outside 2 x 3");
  m.p = (const int[]){2, 0, 0, 1};
  expect_refusal(m, STC_ERR_VALUE, "A(0, 0) is given twice");
  m.p = cols, m.x = (const double[]){1, 2, -INFINITY, 4};
  expect_refusal(m, STC_ERR_VALUE, "A(0, 2) = -inf");
}

static void an_absent_matrix_may_stand_for_an_empty_one(void **state) {
  stc_arena arena = {0};
  stc_matrix none = {0};
  stc_csr A;
  assert_int_equal(stc_csr_from_matrix(&arena, "V", &none, 4, 0, &A), STC_OK);
  assert_int_equal(A.rows, 4);
  assert_int_equal(stc_csr_entries(&A), 0);
  assert_int_equal(stc_csr_from_matrix(&arena, "V", &none, 4, 1, &A), STC_ERR_DIMENSION);
  stc_arena_free(&arena);
}

static void transposing_twice_gives_the_matrix_back(void **state) {
  stc_arena arena = {0};
  stc_csr A, At, Att;
  stc_matrix m = by_rows();
  assert_int_equal(stc_csr_from_matrix(&arena, "A", &m, 2, 3, &A), STC_OK);
  assert_int_equal(stc_csr_transpose(&arena, &A, &At), STC_OK);
  assert_memory_equal(At.val, ((const double[]){1, 3, 2, 4}), 4 * sizeof(double));
  assert_int_equal(stc_csr_transpose(&arena, &At, &Att), STC_OK);
  m = stc_csr_view(&Att);
  expect_A(&m);
  stc_arena_free(&arena);
}

static void products(void **state) {
  stc_arena arena = {0};
  stc_csr A;
  stc_matrix m = by_rows();
  assert_int_equal(stc_csr_from_matrix(&arena, "A", &m, 2, 3, &A), STC_OK);
  const double x[] = {1, 10, 100}, z[] = {1, 10};
  double y[3] = {NAN, NAN, NAN};
  stc_csr_multiply(&A, x, 0, y);  // (1 + 200, 30 + 400), whatever y held
  assert_memory_equal(y, ((const double[]){201, 430}), 2 * sizeof(double));
  stc_csr_multiply(&A, x, 1, y);
  assert_memory_equal(y, ((const double[]){402, 860}), 2 * sizeof(double));
  stc_csr_multiply_transposed(&A, z, 0, y);  // (1, 30, 2 + 40)
  assert_memory_equal(y, ((const double[]){1, 30, 42}), sizeof y);
  stc_csr_multiply_transposed(&A, z, 1, y);
  assert_memory_equal(y, ((const double[]){2, 60, 84}), sizeof y);
  stc_arena_free(&arena);
}

static void asymmetry_finds_the_worst_pair(void **state) {
  // Pairs: (0,1) 2 against 2.5; (1,2) 7 against nothing: 7 is the worst.
  const int ptr[] = {0, 2, 4, 4}, col[] = {0, 1, 0, 2};
  double val[] = {1, 2, 2.5, 7};
  stc_csr A = {3, 3, (int *)ptr, (int *)col, val};
  int row = -1, column = -1;
  assert_true(stc_csr_asymmetry(&A, &row, &column) == 7);
  assert_int_equal(row, 1);
  assert_int_equal(column, 2);
  val[2] = 2, val[3] = 0;  // a stored zero equals an absent entry
  assert_true(stc_csr_asymmetry(&A, NULL, NULL) == 0);
}

static void asymmetry_is_measured_against_the_diagonal(void **state) {
  // A(0, 1) - A(1, 0) = 0.3 against sqrt(4 . 9) = 6: 0.05.
  int ptr[] = {0, 2, 4}, col[] = {0, 1, 0, 1}, row = -1, column = -1;
  double val[] = {4, 1.3, 1, 9};
  stc_csr A = {2, 2, ptr, col, val};
  assert_false(stc_csr_find_asymmetry(&A, 0.051, &row, &column));
  assert_int_equal(row, -1);
  assert_true(stc_csr_find_asymmetry(&A, 0.049, &row, &column));
  assert_int_equal(row, 0);
  assert_int_equal(column, 1);
  assert_true(stc_csr_largest(&A) == 9);
}

static void triplets_of_one_place_are_added(void **state) {
  // (1, 2) = 1e30 + 1 - 1e30 in this order is 0 in floating point: dropped where asked for. Row 0
  // has nothing, row 2 the sum 2 + 3 at column 0.
  const int row[] = {1, 2, 1, 1, 2, 1}, col[] = {2, 0, 2, 2, 0, 1};
  const double val[] = {1e30, 2, 1, -1e30, 3, 7};
  const stc_matrix triplets = {3, 3, 6, STC_STORAGE_TRIPLET, col, row, val};
  for (int drop = 0; drop < 2; drop++) {
    stc_arena arena = {0};
    stc_csr A;
    assert_int_equal(stc_csr_sum(&arena, &triplets, drop, &A), STC_OK);
    assert_int_equal(stc_csr_entries(&A), drop ? 2 : 3);
    assert_int_equal(A.ptr[1], 0);
    assert_int_equal(A.ptr[2], drop ? 1 : 2);
    assert_true(stc_csr_entry(&A, 1, 1) == 7 && stc_csr_entry(&A, 2, 0) == 5);
    stc_arena_free(&arena);
  }
}

static void the_lower_triangle_is_mirrored(void **state) {
  // [ . 9 . ; 2 . . ; 3 . 4 ] becomes [ 0 2 3 ; 2 0 . ; 3 . 4 ]: the diagonal is stored.
  int ptr[] = {0, 1, 2, 4}, col[] = {1, 0, 0, 2};
  double val[] = {9, 2, 3, 4};
  const stc_csr A = {3, 3, ptr, col, val};
  stc_arena arena = {0};
  stc_csr S;
  assert_int_equal(stc_csr_mirror(&arena, &A, &S), STC_OK);
  assert_memory_equal(S.ptr, ((const int[]){0, 3, 5, 7}), 4 * sizeof *ptr);
  assert_memory_equal(S.col, ((const int[]){0, 1, 2, 0, 1, 0, 2}), 7 * sizeof *col);
  assert_memory_equal(S.val, ((const double[]){0, 2, 3, 2, 0, 3, 4}), 7 * sizeof *val);
  stc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_storage_gives_the_same_rows),
      cmocka_unit_test(malformed_compressed_matrices_are_named),
      cmocka_unit_test(malformed_columns_are_named_by_row_and_column),
      cmocka_unit_test(malformed_triplets_are_named),
      cmocka_unit_test(an_absent_matrix_may_stand_for_an_empty_one),
      cmocka_unit_test(transposing_twice_gives_the_matrix_back),
      cmocka_unit_test(products),
      cmocka_unit_test(triplets_of_one_place_are_added),
      cmocka_unit_test(the_lower_triangle_is_mirrored),
      cmocka_unit_test(asymmetry_finds_the_worst_pair),
      cmocka_unit_test(asymmetry_is_measured_against_the_diagonal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
