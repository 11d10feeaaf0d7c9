// Compressed sparse rows that own their arrays.
#ifndef STC_LINALG_CSR_H
#define STC_LINALG_CSR_H

#include "../base/memory.h"

#include <stiction/linalg.h>

/// Rows of (column, value) pairs, columns strictly increasing in each row.
typedef struct stc_csr {
  int rows;
  int cols;
  int *ptr;     ///< [rows+1]
  int *col;     ///< [entries]
  double *val;  ///< [entries]
} stc_csr;

/// Takes the arrays of a matrix: ptr is zero, col and val are raw.
stc_error stc_csr_take(stc_arena *arena, int rows, int cols, size_t entries, stc_csr *csr);

/// Copies any storage into CSR with sorted rows. Refuses, naming the first bad entry by `name`:
/// sizes other than rows x cols, pointers that decrease, indices out of range, unsorted or
/// duplicate indices, values that are not finite.
stc_error stc_csr_from_matrix(stc_arena *arena, const char *name, const stc_matrix *matrix,
                              int rows, int cols, stc_csr *csr);

/// Triplets in any order, those of one place added in the order they come; with `drop` sums of 0
/// are left out. Indices are those of the caller's own making: they are not checked.
stc_error stc_csr_sum(stc_arena *arena, const stc_matrix *triplets, bool drop, stc_csr *csr);
stc_error stc_csr_transpose(stc_arena *arena, const stc_csr *A, stc_csr *At);

/// S = the symmetric matrix whose lower triangle is A's, both triangles stored, with a full
/// diagonal.
stc_error stc_csr_mirror(stc_arena *arena, const stc_csr *A, stc_csr *S);
stc_matrix stc_csr_view(const stc_csr *A);
int stc_csr_entries(const stc_csr *A);

/// Sorts columns into increasing order; the second by insertion, with their values.
void stc_csr_sort(int *col, int count);
void stc_csr_sort_row(int count, int *col, double *val);

/// Position of the first number of list[first] .. list[end - 1], which rises, that is x or more.
static inline int stc_first_from(const int *list, int first, int end, int x) {
  while (first < end) {
    int middle = first + (end - first) / 2;
    if (list[middle] < x)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/// Position of x there; -1 where it is not in the list.
int stc_csr_find(const int *list, int first, int end, int x);

/// A_ij by bisection; 0 where nothing is stored.
double stc_csr_entry(const stc_csr *A, int i, int j);

/// y = beta y + A x, and y = beta y + A^T x; beta is 0 or 1.
void stc_csr_multiply(const stc_csr *A, const double *x, double beta, double *y);
void stc_csr_multiply_transposed(const stc_csr *A, const double *x, double beta, double *y);

/// Largest |A_ij|; 0 without entries.
double stc_csr_largest(const stc_csr *A);

/// Largest |A_ij - A_ji| and its position, where row and col are not NULL; 0 for a symmetric
/// matrix.
double stc_csr_asymmetry(const stc_csr *A, int *row, int *col);

/// Assembly in another order moves a symmetric matrix by some rounding errors; this is far above
/// them and far below any difference that is meant.
#define STC_SYMMETRY_TOLERANCE 1e-10

/// Finds the first |A_ij - A_ji| > tolerance sqrt(A_ii A_jj); the diagonal of A is positive. False,
/// and row and col untouched, if there is none.
bool stc_csr_find_asymmetry(const stc_csr *A, double tolerance, int *row, int *col);

/// Frees a matrix whose arrays are on the heap.
static inline void stc_csr_release(stc_csr *A) {
  stc_release(&A->ptr);
  stc_release(&A->col);
  stc_release(&A->val);
}

#endif
