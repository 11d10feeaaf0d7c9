// Block sparse matrices: Z = X Y row by row with a table of marks [Gustavson 1978], transposes,
// products with vectors.
#include "bmat.h"

#include "../../base/fail.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

// Rows in a piece of work, and multiplications below which waking the team costs more than it
// saves.
enum { RANGE = 1024 };
static const double WORTH_SHARING = 5e4;

stc_error stc_crew_tell(const stc_crew *crew, const char *stage, double done) {
  if (!crew->progress || crew->progress(crew->user, stage, done)) return STC_OK;
  return stc_fail(STC_ERR_CALLBACK, "the progress callback stopped the run");
}

// --- Ranges ---

typedef struct range_job {
  void (*task)(void *, int, int);
  void *argument;
  int rows;
} range_job;

static void run_range(void *argument, int k) {
  const range_job *j = argument;
  int first = k * RANGE, last = j->rows - first < RANGE ? j->rows : first + RANGE;
  j->task(j->argument, first, last);
}

static int ranges(int rows) { return rows / RANGE + (rows % RANGE != 0); }

void stc_crew_rows(const stc_crew *crew, double work, int rows, void (*task)(void *, int, int),
                   void *argument) {
  range_job job = {task, argument, rows};
  stc_team_run(work > WORTH_SHARING ? crew->team : NULL, run_range, &job, ranges(rows));
}

enum { DOT_RANGE = 8192, DOT_RANGES = 64 };

typedef struct dot_job {
  size_t n, length;  // of a range
  const double *x, *y;
  double sum[DOT_RANGES];
} dot_job;

static void dot_range(void *argument, int k) {
  dot_job *j = argument;
  size_t i = (size_t)k * j->length, end = j->n - i < j->length ? j->n : i + j->length;
  double s[4] = {0};
  for (; i + 4 <= end; i += 4)
    for (size_t l = 0; l < 4; l++) s[l] += j->x[i + l] * j->y[i + l];
  for (; i < end; i++) s[0] += j->x[i] * j->y[i];
  j->sum[k] = (s[0] + s[1]) + (s[2] + s[3]);
}

double stc_crew_dot(const stc_crew *crew, size_t n, const double *x, const double *y) {
  dot_job job = {.n = n, .x = x, .y = y};
  job.length = n / DOT_RANGES + 1 > DOT_RANGE ? n / DOT_RANGES + 1 : DOT_RANGE;
  int count = (int)((n + job.length - 1) / job.length);
  stc_team_run((double)n > WORTH_SHARING ? crew->team : NULL, dot_range, &job, count);
  double sum = 0;
  for (int k = 0; k < count; k++) sum += job.sum[k];
  return sum;
}

// --- Memory ---

void stc_bmat_free(stc_bmat *A) {
  stc_release(&A->ptr);
  stc_release(&A->col);
  stc_release(&A->val);
}

static size_t block_size(const stc_bmat *A) { return (size_t)A->br * (size_t)A->bc; }

double stc_bmat_bytes(const stc_bmat *A) {
  double entry = 8 * (double)block_size(A) + sizeof *A->col;
  return A->ptr ? entry * A->ptr[A->rows] + sizeof *A->ptr * (double)A->rows : 0;
}

stc_error stc_bmat_take(stc_bmat *A) {
  size_t entries = (size_t)A->ptr[A->rows];
  A->col = stc_calloc(entries, sizeof *A->col);
  A->val = stc_calloc(entries * block_size(A), sizeof *A->val);
  if (A->col && A->val) return STC_OK;
  stc_bmat_free(A);
  return stc_fail(STC_ERR_MEMORY, "out of memory for a matrix of %zu blocks", entries);
}

static stc_error take_pointers(stc_bmat *A) {
  A->col = NULL;
  A->val = NULL;
  A->ptr = stc_calloc((size_t)A->rows + 1, sizeof *A->ptr);
  return A->ptr ? STC_OK : stc_fail(STC_ERR_MEMORY, "out of memory for %d rows", A->rows);
}

// --- Z = X Y ---

typedef struct product_job {
  const stc_bmat *X, *Y;
  stc_bmat *Z;
  int tables;
  atomic_flag *busy;  // [tables]
  int *mark;          // [tables][cols of Y]: 1 + place in the current row's entries, or 0
} product_job;

static int enter_table(product_job *j) {
  for (int k = 0;; k = (k + 1) % j->tables)
    if (!atomic_flag_test_and_set(&j->busy[k])) return k;
}

/// Entries of rows first .. last of Z.
static void count_rows(void *argument, int first, int last) {
  product_job *j = argument;
  int table = enter_table(j), *mark = j->mark + (ptrdiff_t)table * j->Y->cols;
  for (int i = first; i < last; i++) {
    int count = 0;
    for (int pass = 0; pass < 2; pass++)  // the second one wipes the marks
      for (int e = j->X->ptr[i]; e < j->X->ptr[i + 1]; e++)
        for (int f = j->Y->ptr[j->X->col[e]]; f < j->Y->ptr[j->X->col[e] + 1]; f++) {
          int *seen = &mark[j->Y->col[f]];
          if (!pass && !*seen) count++;
          *seen = !pass;
        }
    j->Z->ptr[i + 1] = count;
  }
  atomic_flag_clear(&j->busy[table]);
}

static inline __attribute__((always_inline)) void add_fixed(int br, int bk, int bc, const double *x,
                                                            const double *y, double *z) {
  for (int r = 0; r < br; r++)
    for (int k = 0; k < bk; k++)
      for (int c = 0; c < bc; c++) z[r * bc + c] += x[r * bk + k] * y[k * bc + c];
}

/// z += x y for blocks br x bk and bk x bc.
static void add_block(int br, int bk, int bc, const double *x, const double *y, double *z) {
  if (br == 3 && bk == 3 && bc == 6)
    add_fixed(3, 3, 6, x, y, z);
  else if (br == 6 && bk == 3 && bc == 6)
    add_fixed(6, 3, 6, x, y, z);
  else if (br == 6 && bk == 6 && bc == 6)
    add_fixed(6, 6, 6, x, y, z);
  else
    add_fixed(br, bk, bc, x, y, z);
}

static void fill_product_row(const product_job *j, int i, int *mark) {
  const stc_bmat *X = j->X, *Y = j->Y;
  stc_bmat *Z = j->Z;
  size_t nx = block_size(X), ny = block_size(Y), nz = block_size(Z);
  int next = Z->ptr[i];
  for (int e = X->ptr[i]; e < X->ptr[i + 1]; e++)
    for (int f = Y->ptr[X->col[e]]; f < Y->ptr[X->col[e] + 1]; f++) {
      int *place = &mark[Y->col[f]];
      if (!*place) {
        Z->col[next] = Y->col[f];
        *place = ++next;
      }
      add_block(X->br, X->bc, Y->bc, X->val + (size_t)e * nx, Y->val + (size_t)f * ny,
                Z->val + (size_t)(*place - 1) * nz);
    }
  for (int e = Z->ptr[i]; e < next; e++) mark[Z->col[e]] = 0;
}

static void fill_rows(void *argument, int first, int last) {
  product_job *j = argument;
  int table = enter_table(j), *mark = j->mark + (ptrdiff_t)table * j->Y->cols;
  for (int i = first; i < last; i++) fill_product_row(j, i, mark);
  atomic_flag_clear(&j->busy[table]);
}

static stc_error sum_pointers(stc_bmat *A) {
  long total = 0;
  for (int i = 0; i < A->rows; i++) {
    total += A->ptr[i + 1];
    if (total > INT_MAX)
      return stc_fail(STC_ERR_MEMORY, "a product of %d rows has more than 2^31 blocks", A->rows);
    A->ptr[i + 1] = (int)total;
  }
  return STC_OK;
}

static stc_error multiply(const stc_crew *crew, product_job *j) {
  double work = 27.0 * j->X->ptr[j->X->rows];
  stc_crew_rows(crew, work, j->X->rows, count_rows, j);
  STC_TRY(sum_pointers(j->Z));
  STC_TRY(stc_bmat_take(j->Z));
  stc_crew_rows(crew, work, j->X->rows, fill_rows, j);
  return STC_OK;
}

stc_error stc_bmat_product(const stc_crew *crew, const stc_bmat *X, const stc_bmat *Y,
                           stc_bmat *Z) {
  *Z = (stc_bmat){.rows = X->rows, .cols = Y->cols, .br = X->br, .bc = Y->bc};
  STC_TRY(take_pointers(Z));
  product_job j = {.X = X, .Y = Y, .Z = Z, .tables = crew->threads};
  j.busy = stc_calloc((size_t)crew->threads, sizeof *j.busy);
  j.mark = stc_calloc((size_t)crew->threads * (size_t)Y->cols, sizeof *j.mark);
  for (int k = 0; j.busy && k < j.tables; k++) atomic_flag_clear(&j.busy[k]);
  stc_error error = j.busy && j.mark ? multiply(crew, &j)
                                     : stc_fail(STC_ERR_MEMORY, "out of memory for a product");
  stc_release(&j.busy);
  stc_release(&j.mark);
  if (error) stc_bmat_free(Z);
  return error;
}

// --- A^T ---

static void flip_block(int br, int bc, const double *from, double *to) {
  for (int k = 0; k < br; k++)
    for (int l = 0; l < bc; l++) to[l * br + k] = from[k * bc + l];
}

stc_error stc_bmat_transpose(const stc_bmat *A, stc_bmat *At) {
  *At = (stc_bmat){.rows = A->cols, .cols = A->rows, .br = A->bc, .bc = A->br};
  STC_TRY(take_pointers(At));
  for (int e = 0; e < A->ptr[A->rows]; e++) At->ptr[A->col[e] + 1]++;
  for (int i = 0; i < At->rows; i++) At->ptr[i + 1] += At->ptr[i];
  STC_TRY(stc_bmat_take(At));
  size_t n = block_size(A);
  for (int i = 0; i < A->rows; i++)
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) {
      int to = At->ptr[A->col[e]]++;
      At->col[to] = i;
      flip_block(A->br, A->bc, A->val + (size_t)e * n, At->val + (size_t)to * n);
    }
  for (int i = At->rows; i > 0; i--) At->ptr[i] = At->ptr[i - 1];
  At->ptr[0] = 0;
  return STC_OK;
}

// --- A x ---

typedef struct vector_job {
  const stc_bmat *A;
  double alpha, beta;
  const double *x;
  double *y;
} vector_job;

static inline __attribute__((always_inline)) void multiply_fixed(const vector_job *j, int br,
                                                                 int bc, int first, int last) {
  const stc_bmat *A = j->A;
  for (int i = first; i < last; i++) {
    double sum[STC_BMAT_MOST] = {0};
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) {
      const double *a = A->val + (size_t)e * (size_t)(br * bc),
                   *x = j->x + (size_t)A->col[e] * (size_t)bc;
      for (int k = 0; k < br; k++)
        for (int l = 0; l < bc; l++) sum[k] += a[k * bc + l] * x[l];
    }
    double *y = j->y + (size_t)i * (size_t)br;
    for (int k = 0; k < br; k++) y[k] = (j->beta != 0 ? y[k] : 0) + j->alpha * sum[k];
  }
}

static void multiply_range(void *argument, int first, int last) {
  const vector_job *j = argument;
  int br = j->A->br, bc = j->A->bc;
  if (br == 3 && bc == 3)
    multiply_fixed(j, 3, 3, first, last);
  else if (br == 6 && bc == 6)
    multiply_fixed(j, 6, 6, first, last);
  else if (br == 2 && bc == 2)
    multiply_fixed(j, 2, 2, first, last);
  else
    multiply_fixed(j, br, bc, first, last);
}

void stc_bmat_multiply(const stc_crew *crew, double alpha, const stc_bmat *A, const double *x,
                       double beta, double *y) {
  vector_job job = {A, alpha, beta, x, y};
  double work = (double)block_size(A) * A->ptr[A->rows];
  stc_crew_rows(crew, work, A->rows, multiply_range, &job);
}
