// Compressed sparse rows: checked copies of what the caller holds, products, symmetry.
#include "csr.h"

#include "../base/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Up to here sorting by insertion is the faster way.
enum { SHORT = 32 };

// --- Checking and copying ---

static stc_error check_sizes(const char *name, const stc_matrix *m, int rows, int cols) {
  if (m->rows != rows || m->cols != cols)
    return stc_fail(STC_ERR_DIMENSION, "%s is %d x %d, expected %d x %d", name, m->rows, m->cols,
                    rows, cols);
  if (m->entries < 0)
    return stc_fail(STC_ERR_DIMENSION, "%s has %d entries; give a number >= 0", name, m->entries);
  if (m->entries > 0 && (!m->i || !m->p || !m->x))
    return stc_fail(STC_ERR_ARGUMENT, "%s has %d entries but an array i, p or x is NULL", name,
                    m->entries);
  return STC_OK;
}

/// Row and column of entry k, which lies in row (column) `major` of a compressed matrix.
static void position(const stc_matrix *m, int major, int k, int *row, int *col) {
  bool by_rows = m->storage == STC_STORAGE_CSR;
  *row = by_rows ? major : m->i[k];
  *col = by_rows ? m->i[k] : major;
}

static stc_error check_value(const char *name, double x, int row, int col) {
  if (isfinite(x)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s(%d, %d) = %g; every entry must be finite", name, row, col, x);
}

static stc_error check_pointers(const char *name, const stc_matrix *m, int majors,
                                const char *word) {
  if (majors > 0 && !m->p)
    return stc_fail(STC_ERR_ARGUMENT, "%s has no %s pointers: p is NULL", name, word);
  if (majors == 0) return STC_OK;
  if (m->p[0] != 0)
    return stc_fail(STC_ERR_VALUE, "%s: %s pointer 0 is %d, it must be 0", name, word, m->p[0]);
  for (int k = 0; k < majors; k++)
    if (m->p[k + 1] < m->p[k])
      return stc_fail(STC_ERR_VALUE, "%s: %s pointer %d is %d, below the one before (%d)", name,
                      word, k + 1, m->p[k + 1], m->p[k]);
  if (m->p[majors] != m->entries)
    return stc_fail(STC_ERR_DIMENSION, "%s: the last %s pointer is %d, expected %d entries", name,
                    word, m->p[majors], m->entries);
  return STC_OK;
}

/// Indices of one row (column): in range, strictly increasing; values finite.
static stc_error check_slice(const char *name, const stc_matrix *m, int major, int minors,
                             const char *word) {
  for (int k = m->p[major]; k < m->p[major + 1]; k++) {
    int row, col;
    position(m, major, k, &row, &col);
    if (m->i[k] < 0 || m->i[k] >= minors)
      return stc_fail(STC_ERR_VALUE, "%s: index %d in %s %d lies outside 0..%d", name, m->i[k],
                      word, major, minors - 1);
    if (k > m->p[major] && m->i[k] == m->i[k - 1])
      return stc_fail(STC_ERR_VALUE, "%s(%d, %d) is given twice; add the two entries", name, row,
                      col);
    if (k > m->p[major] && m->i[k] < m->i[k - 1])
      return stc_fail(STC_ERR_VALUE, "%s: index %d in %s %d comes after %d; sort each %s", name,
                      m->i[k], word, major, m->i[k - 1], word);
    STC_TRY(check_value(name, m->x[k], row, col));
  }
  return STC_OK;
}

static stc_error check_compressed(const char *name, const stc_matrix *m) {
  bool by_rows = m->storage == STC_STORAGE_CSR;
  int majors = by_rows ? m->rows : m->cols, minors = by_rows ? m->cols : m->rows;
  const char *word = by_rows ? "row" : "column";
  STC_TRY(check_pointers(name, m, majors, word));
  if (majors == 0 && m->entries > 0)
    return stc_fail(STC_ERR_DIMENSION, "%s has no %ss but %d entries", name, word, m->entries);
  for (int k = 0; k < majors; k++) STC_TRY(check_slice(name, m, k, minors, word));
  return STC_OK;
}

stc_error stc_csr_take(stc_arena *arena, int rows, int cols, size_t entries, stc_csr *csr) {
  *csr = (stc_csr){.rows = rows, .cols = cols};
  csr->ptr = STC_TAKE(arena, int, (size_t)rows + 1);
  csr->col = STC_TAKE_RAW(arena, int, entries);
  csr->val = STC_TAKE_RAW(arena, double, entries);
  return stc_arena_check(arena);
}

static void copy_array(void *to, const void *from, size_t bytes) {
  if (bytes) memcpy(to, from, bytes);
}

/// From counts at ptr[k + 1] to starts at ptr[k].
static void accumulate(int *ptr, int n) {
  for (int k = 0; k < n; k++) ptr[k + 1] += ptr[k];
}

/// After filling, ptr[k] points at the end of slice k: moves every pointer back to the start.
static void restore_starts(int *ptr, int n) {
  for (int k = n; k > 0; k--) ptr[k] = ptr[k - 1];
  ptr[0] = 0;
}

/// Sorts triplets by column, keeping their order inside a column: order[] lists their numbers.
static stc_error sort_by_column(stc_arena *arena, const stc_matrix *m, int **order) {
  int *ptr = STC_TAKE(arena, int, (size_t)m->cols + 1);
  *order = STC_TAKE(arena, int, m->entries);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < m->entries; k++) ptr[m->p[k] + 1]++;
  accumulate(ptr, m->cols);
  for (int k = 0; k < m->entries; k++) (*order)[ptr[m->p[k]]++] = k;
  return STC_OK;
}

static void place_triplets(const stc_matrix *m, const int *order, stc_csr *csr) {
  for (int k = 0; k < m->entries; k++) csr->ptr[m->i[k] + 1]++;
  accumulate(csr->ptr, csr->rows);
  for (int k = 0; k < m->entries; k++) {
    int from = order[k], to = csr->ptr[m->i[from]]++;
    csr->col[to] = m->p[from];
    csr->val[to] = m->x[from];
  }
  restore_starts(csr->ptr, csr->rows);
}

/// Rows with rising columns; triplets of one place follow one another in the order they come.
static stc_error sort_triplets(stc_arena *arena, const stc_matrix *m, int rows, int cols,
                               stc_csr *csr) {
  STC_TRY(stc_csr_take(arena, rows, cols, (size_t)m->entries, csr));
  stc_arena scratch = {0};
  int *order = NULL;
  stc_error error = sort_by_column(&scratch, m, &order);
  if (!error) place_triplets(m, order, csr);
  stc_arena_free(&scratch);
  return error;
}

static stc_error copy_triplets(stc_arena *arena, const char *name, const stc_matrix *m, int rows,
                               int cols, stc_csr *csr) {
  for (int k = 0; k < m->entries; k++) {
    if (m->i[k] < 0 || m->i[k] >= m->rows || m->p[k] < 0 || m->p[k] >= m->cols)
      return stc_fail(STC_ERR_VALUE, "%s: triplet %d is at (%d, %d), outside %d x %d", name, k,
                      m->i[k], m->p[k], m->rows, m->cols);
    STC_TRY(check_value(name, m->x[k], m->i[k], m->p[k]));
  }
  STC_TRY(sort_triplets(arena, m, rows, cols, csr));
  for (int i = 0; i < csr->rows; i++)
    for (int k = csr->ptr[i] + 1; k < csr->ptr[i + 1]; k++)
      if (csr->col[k] == csr->col[k - 1])
        return stc_fail(STC_ERR_VALUE, "%s(%d, %d) is given twice; add the two entries", name, i,
                        csr->col[k]);
  return STC_OK;
}

stc_error stc_csr_sum(stc_arena *arena, const stc_matrix *triplets, bool drop, stc_csr *csr) {
  STC_TRY(sort_triplets(arena, triplets, triplets->rows, triplets->cols, csr));
  int at = 0;
  for (int i = 0, k = 0; i < csr->rows; i++) {
    int end = csr->ptr[i + 1];
    csr->ptr[i] = at;
    while (k < end) {
      int col = csr->col[k];
      double sum = 0;
      for (; k < end && csr->col[k] == col; k++) sum += csr->val[k];
      if (drop && sum == 0) continue;
      csr->col[at] = col;
      csr->val[at++] = sum;
    }
  }
  csr->ptr[csr->rows] = at;
  return STC_OK;
}

/// A compressed matrix read as rows: of itself for CSR, of its transpose for CSC. Never written to.
static stc_csr read_only(const stc_matrix *m, int rows, int cols, const int *empty) {
  return (stc_csr){.rows = rows,
                   .cols = cols,
                   .ptr = (int *)(m->p ? m->p : empty),
                   .col = (int *)m->i,
                   .val = (double *)m->x};
}

stc_error stc_csr_from_matrix(stc_arena *arena, const char *name, const stc_matrix *matrix,
                              int rows, int cols, stc_csr *csr) {
  static const int no_entries[1] = {0};
  const stc_matrix *m = matrix;
  stc_matrix empty = {.rows = rows, .cols = cols, .storage = STC_STORAGE_TRIPLET};
  bool absent = m->rows == 0 && m->cols == 0 && m->entries == 0;
  if (absent && (rows == 0 || cols == 0)) m = &empty;
  STC_TRY(check_sizes(name, m, rows, cols));
  switch (m->storage) {
  case STC_STORAGE_CSR:
    STC_TRY(check_compressed(name, m));
    STC_TRY(stc_csr_take(arena, rows, cols, (size_t)m->entries, csr));
    if (rows) copy_array(csr->ptr, m->p, ((size_t)rows + 1) * sizeof *m->p);
    copy_array(csr->col, m->i, (size_t)m->entries * sizeof *m->i);
    copy_array(csr->val, m->x, (size_t)m->entries * sizeof *m->x);
    return STC_OK;
  case STC_STORAGE_CSC: {
    STC_TRY(check_compressed(name, m));
    stc_csr transposed = read_only(m, cols, rows, no_entries);
    return stc_csr_transpose(arena, &transposed, csr);
  }
  case STC_STORAGE_TRIPLET:
    return copy_triplets(arena, name, m, rows, cols, csr);
  }
  return stc_fail(STC_ERR_ARGUMENT, "%s: storage %d is none of CSR, CSC, triplet", name,
                  (int)m->storage);
}

stc_error stc_csr_transpose(stc_arena *arena, const stc_csr *A, stc_csr *At) {
  int entries = stc_csr_entries(A);
  STC_TRY(stc_csr_take(arena, A->cols, A->rows, (size_t)entries, At));
  for (int k = 0; k < entries; k++) At->ptr[A->col[k] + 1]++;
  accumulate(At->ptr, At->rows);
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      int to = At->ptr[A->col[k]]++;
      At->col[to] = i;
      At->val[to] = A->val[k];
    }
  restore_starts(At->ptr, At->rows);
  return STC_OK;
}

/// Entries of the mirrored rows, at ptr[row + 1].
static void count_mirrored(const stc_csr *A, int *ptr) {
  for (int i = 0; i < A->rows; i++) {
    ptr[i + 1]++;
    for (int k = A->ptr[i]; k < A->ptr[i + 1] && A->col[k] < i; k++) {
      ptr[i + 1]++;
      ptr[A->col[k] + 1]++;
    }
  }
}

stc_error stc_csr_mirror(stc_arena *arena, const stc_csr *A, stc_csr *S) {
  assert(A->rows == A->cols);
  *S = (stc_csr){.rows = A->rows, .cols = A->rows};
  S->ptr = STC_TAKE(arena, int, (size_t)A->rows + 1);
  STC_TRY(stc_arena_check(arena));
  count_mirrored(A, S->ptr);
  accumulate(S->ptr, S->rows);
  S->col = STC_TAKE_RAW(arena, int, S->ptr[S->rows]);
  S->val = STC_TAKE_RAW(arena, double, S->ptr[S->rows]);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < A->rows; i++) {
    int k = A->ptr[i], end = A->ptr[i + 1];
    for (; k < end && A->col[k] < i; k++) {
      int lower = S->ptr[i]++, upper = S->ptr[A->col[k]]++;
      S->col[lower] = A->col[k];
      S->col[upper] = i;
      S->val[lower] = S->val[upper] = A->val[k];
    }
    S->col[S->ptr[i]] = i;
    S->val[S->ptr[i]++] = k < end && A->col[k] == i ? A->val[k] : 0;
  }
  restore_starts(S->ptr, S->rows);
  return STC_OK;
}

stc_matrix stc_csr_view(const stc_csr *A) {
  if (!A->ptr) return (stc_matrix){0};
  return (stc_matrix){.rows = A->rows,
                      .cols = A->cols,
                      .entries = stc_csr_entries(A),
                      .storage = STC_STORAGE_CSR,
                      .p = A->ptr,
                      .i = A->col,
                      .x = A->val};
}

int stc_csr_entries(const stc_csr *A) { return A->ptr ? A->ptr[A->rows] : 0; }

// --- Products ---

void stc_csr_multiply(const stc_csr *A, const double *x, double beta, double *y) {
  assert(beta == 0 || beta == 1);
  for (int i = 0; i < A->rows; i++) {
    double sum = beta != 0 ? y[i] : 0;
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) sum += A->val[k] * x[A->col[k]];
    y[i] = sum;
  }
}

void stc_csr_multiply_transposed(const stc_csr *A, const double *x, double beta, double *y) {
  assert(beta == 0 || beta == 1);
  if (beta == 0)
    for (int j = 0; j < A->cols; j++) y[j] = 0;
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) y[A->col[k]] += A->val[k] * x[i];
}

// --- Entries ---

static int compare_columns(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

void stc_csr_sort(int *col, int count) {
  if (count > SHORT) {
    qsort(col, (size_t)count, sizeof *col, compare_columns);
    return;
  }
  for (int k = 1; k < count; k++) {
    int x = col[k], m = k;
    for (; m > 0 && col[m - 1] > x; m--) col[m] = col[m - 1];
    col[m] = x;
  }
}

void stc_csr_sort_row(int count, int *col, double *val) {
  for (int i = 1; i < count; i++) {
    int c = col[i], j = i;
    double v = val[i];
    for (; j > 0 && col[j - 1] > c; j--) col[j] = col[j - 1], val[j] = val[j - 1];
    col[j] = c;
    val[j] = v;
  }
}

double stc_csr_largest(const stc_csr *A) {
  double largest = 0;
  for (int k = 0; k < stc_csr_entries(A); k++) largest = fmax(largest, fabs(A->val[k]));
  return largest;
}

int stc_csr_find(const int *list, int first, int end, int x) {
  int low = stc_first_from(list, first, end, x);
  return low < end && list[low] == x ? low : -1;
}

double stc_csr_entry(const stc_csr *A, int i, int j) {
  int at = stc_csr_find(A->col, A->ptr[i], A->ptr[i + 1], j);
  return at < 0 ? 0 : A->val[at];
}

double stc_csr_asymmetry(const stc_csr *A, int *row, int *col) {
  assert(A->rows == A->cols);
  double largest = 0;
  int at_row = 0, at_col = 0;
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      double gap = fabs(A->val[k] - stc_csr_entry(A, A->col[k], i));
      if (!(gap > largest)) continue;
      largest = gap;
      at_row = i;
      at_col = A->col[k];
    }
  if (row) *row = at_row;
  if (col) *col = at_col;
  return largest;
}

bool stc_csr_find_asymmetry(const stc_csr *A, double tolerance, int *row, int *col) {
  assert(A->rows == A->cols);
  for (int i = 0; i < A->rows; i++) {
    double root = sqrt(stc_csr_entry(A, i, i));
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      int j = A->col[k];
      double gap = fabs(A->val[k] - stc_csr_entry(A, j, i));
      if (gap == 0 || gap <= tolerance * root * sqrt(stc_csr_entry(A, j, j))) continue;
      *row = i;
      *col = j;
      return true;
    }
  }
  return false;
}
