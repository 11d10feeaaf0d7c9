// Dense kernels: C = A B and C -= A B in register tiles of 8 x 4, triangular solves in panels.
#include "dense.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { TILE_ROWS = 8, TILE_COLS = 4, PANEL = 16 };

typedef double vec __attribute__((vector_size(32)));  // four doubles

static inline __attribute__((always_inline)) void load(vec *v, const double *x) {
  memcpy(v, x, sizeof *v);
}

static inline __attribute__((always_inline)) void put(double *x, const vec *v, bool minus) {
  vec old, out;
  memcpy(&old, x, sizeof old);
  out = minus ? old - *v : *v;
  memcpy(x, &out, sizeof out);
}

// One full tile, the sums kept in registers.
static inline __attribute__((always_inline)) void
tile(int k, const double *A, int lda, const double *B, int ldb, double *C, int ldc, bool minus) {
  vec c[TILE_COLS][2];
  memset(c, 0, sizeof c);
  for (int p = 0; p < k; p++) {
    vec a0, a1;
    load(&a0, A + (ptrdiff_t)p * lda);
    load(&a1, A + (ptrdiff_t)p * lda + 4);
    for (int j = 0; j < TILE_COLS; j++) {
      double b = B[p + (ptrdiff_t)j * ldb];
      vec bb = {b, b, b, b};
      c[j][0] += a0 * bb;
      c[j][1] += a1 * bb;
    }
  }
  for (int j = 0; j < TILE_COLS; j++) {
    put(C + (ptrdiff_t)j * ldc, &c[j][0], minus);
    put(C + (ptrdiff_t)j * ldc + 4, &c[j][1], minus);
  }
}

// What does not fill a tile: m x n with m < 8 or n < 4.
static inline __attribute__((always_inline)) void edge(int m, int n, int k, const double *A,
                                                       int lda, const double *B, int ldb, double *C,
                                                       int ldc, bool minus) {
  for (int j = 0; j < n; j++) {
    double c[TILE_ROWS] = {0};
    for (int p = 0; p < k; p++) {
      double b = B[p + (ptrdiff_t)j * ldb];
      const double *a = A + (ptrdiff_t)p * lda;
      for (int i = 0; i < m; i++) c[i] += a[i] * b;
    }
    double *out = C + (ptrdiff_t)j * ldc;
    for (int i = 0; i < m; i++) out[i] = minus ? out[i] - c[i] : c[i];
  }
}

static inline __attribute__((always_inline)) void product(int m, int n, int k, const double *A,
                                                          int lda, const double *B, int ldb,
                                                          double *C, int ldc, bool minus) {
  for (int j = 0; j < n; j += TILE_COLS) {
    const double *Bj = B + (ptrdiff_t)j * ldb;
    double *Cj = C + (ptrdiff_t)j * ldc;
    int cols = n - j < TILE_COLS ? n - j : TILE_COLS, i = 0;
    if (cols == TILE_COLS)
      for (; i + TILE_ROWS <= m; i += TILE_ROWS) tile(k, A + i, lda, Bj, ldb, Cj + i, ldc, minus);
    for (; i < m; i += TILE_ROWS) {
      int rows = m - i < TILE_ROWS ? m - i : TILE_ROWS;
      edge(rows, cols, k, A + i, lda, Bj, ldb, Cj + i, ldc, minus);
    }
  }
}

#define KERNELS(suffix, target)                                                                    \
  target static void multiply_##suffix(int m, int n, int k, const double *A, int lda,              \
                                       const double *B, int ldb, double *C, int ldc) {             \
    product(m, n, k, A, lda, B, ldb, C, ldc, false);                                               \
  }                                                                                                \
  target static void subtract_##suffix(int m, int n, int k, const double *A, int lda,              \
                                       const double *B, int ldb, double *C, int ldc) {             \
    product(m, n, k, A, lda, B, ldb, C, ldc, true);                                                \
  }                                                                                                \
  static const stc_dense dense_##suffix = {multiply_##suffix, subtract_##suffix};

KERNELS(plain, )
#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2,fma"))))
#endif

const stc_dense *stc_dense_kernels(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &dense_avx2;
#endif
  return &dense_plain;
}

// Column strips are whole tiles, so that their borders change no sum.
enum { STRIP = 16 * TILE_COLS };
// Multiplications below which waking the team costs more than it saves.
static const double WORTH_SHARING = 4e6;

typedef struct product_job {
  void (*kernel)(int, int, int, const double *, int, const double *, int, double *, int);
  int m, n, k, lda, ldb, ldc;
  const double *A, *B;
  double *C;
} product_job;

static void multiply_strip(void *argument, int strip) {
  const product_job *j = argument;
  int first = strip * STRIP, cols = j->n - first < STRIP ? j->n - first : STRIP;
  j->kernel(j->m, cols, j->k, j->A, j->lda, j->B + (ptrdiff_t)first * j->ldb, j->ldb,
            j->C + (ptrdiff_t)first * j->ldc, j->ldc);
}

void stc_dense_share(const stc_dense *dense, stc_team *team, bool subtract, int m, int n, int k,
                     const double *A, int lda, const double *B, int ldb, double *C, int ldc) {
  product_job job = {subtract ? dense->subtract : dense->multiply, m, n, k, lda, ldb, ldc, A, B, C};
  bool worth = team && (double)m * n * k > WORTH_SHARING;
  if (worth)
    stc_team_run(team, multiply_strip, &job, (n + STRIP - 1) / STRIP);
  else
    job.kernel(m, n, k, A, lda, B, ldb, C, ldc);
}

static void swap_rows(double *a, double *b, int n, int lda) {
  for (int j = 0; j < n; j++) {
    double t = a[(ptrdiff_t)j * lda];
    a[(ptrdiff_t)j * lda] = b[(ptrdiff_t)j * lda];
    b[(ptrdiff_t)j * lda] = t;
  }
}

static int largest_row(const double *column, int from, int n) {
  int best = from;
  for (int i = from + 1; i < n; i++)
    if (fabs(column[i]) > fabs(column[best])) best = i;
  return best;
}

// Columns k0 .. k1 of an n-row matrix; row swaps reach all n columns.
static int factorise_panel(int n, int k0, int k1, double *A, int lda, double tiny, int *pivot,
                           int *sign) {
  int replaced = 0;
  for (int k = k0; k < k1; k++) {
    double *column = A + (ptrdiff_t)k * lda;
    int p = pivot[k] = largest_row(column, k, n);
    if (p != k) {
      swap_rows(A + k, A + p, n, lda);
      *sign = -*sign;
    }
    if (!(fabs(column[k]) >= tiny)) {
      column[k] = copysign(tiny, column[k]);
      replaced++;
    }
    if (column[k] < 0) *sign = -*sign;
    double inverse = 1 / column[k];
    for (int i = k + 1; i < n; i++) column[i] *= inverse;
    for (int j = k + 1; j < k1; j++) {
      double *other = A + (ptrdiff_t)j * lda, a = other[k];
      for (int i = k + 1; i < n; i++) other[i] -= column[i] * a;
    }
  }
  return replaced;
}

// b = L^-1 b with the unit lower triangle of rows and columns k0 .. k1.
static void solve_unit_lower(int k0, int k1, const double *A, int lda, double *b) {
  for (int k = k0; k < k1; k++)
    for (int i = k + 1; i < k1; i++) b[i] -= A[i + (ptrdiff_t)k * lda] * b[k];
}

// The same for four columns side by side: each entry of L is read once.
static void solve_unit_lower_4(int k0, int k1, const double *restrict A, int lda,
                               double *restrict b, int ldb) {
  double *restrict b1 = b + ldb, *restrict b2 = b1 + ldb, *restrict b3 = b2 + ldb;
  for (int k = k0; k < k1; k++) {
    const double *column = A + (ptrdiff_t)k * lda;
    double x0 = b[k], x1 = b1[k], x2 = b2[k], x3 = b3[k];
    for (int i = k + 1; i < k1; i++) {
      double a = column[i];
      b[i] -= a * x0;
      b1[i] -= a * x1;
      b2[i] -= a * x2;
      b3[i] -= a * x3;
    }
  }
}

static void solve_unit_lower_columns(int k0, int k1, int m, const double *A, int lda, double *B,
                                     int ldb) {
  int j = 0;
  for (; j + 4 <= m; j += 4) solve_unit_lower_4(k0, k1, A, lda, B + (ptrdiff_t)j * ldb, ldb);
  for (; j < m; j++) solve_unit_lower(k0, k1, A, lda, B + (ptrdiff_t)j * ldb);
}

int stc_dense_lu(const stc_dense *dense, stc_team *team, int n, double *A, int lda, double tiny,
                 int *pivot, int *sign) {
  int replaced = 0;
  for (int k0 = 0; k0 < n; k0 += PANEL) {
    int k1 = k0 + PANEL < n ? k0 + PANEL : n;
    replaced += factorise_panel(n, k0, k1, A, lda, tiny, pivot, sign);
    for (int j = k1; j < n; j++) solve_unit_lower(k0, k1, A, lda, A + (ptrdiff_t)j * lda);
    if (k1 < n)
      stc_dense_share(dense, team, true, n - k1, n - k1, k1 - k0, A + k1 + (ptrdiff_t)k0 * lda, lda,
                      A + k0 + (ptrdiff_t)k1 * lda, lda, A + k1 + (ptrdiff_t)k1 * lda, lda);
  }
  return replaced;
}

void stc_dense_lower(const stc_dense *dense, int n, int m, const double *A, int lda,
                     const int *pivot, double *B, int ldb) {
  for (int k = 0; k < n; k++)
    if (pivot[k] != k) swap_rows(B + k, B + pivot[k], m, ldb);
  for (int k0 = 0; k0 < n; k0 += PANEL) {
    int k1 = k0 + PANEL < n ? k0 + PANEL : n;
    solve_unit_lower_columns(k0, k1, m, A, lda, B, ldb);
    if (k1 < n)
      dense->subtract(n - k1, m, k1 - k0, A + k1 + (ptrdiff_t)k0 * lda, lda, B + k0, ldb, B + k1,
                      ldb);
  }
}

void stc_dense_upper_right(const stc_dense *dense, int n, int m, const double *A, int lda,
                           double *B, int ldb) {
  for (int k0 = 0; k0 < n; k0 += PANEL) {
    int k1 = k0 + PANEL < n ? k0 + PANEL : n;
    if (k0 > 0)
      dense->subtract(m, k1 - k0, k0, B, ldb, A + (ptrdiff_t)k0 * lda, lda, B + (ptrdiff_t)k0 * ldb,
                      ldb);
    for (int k = k0; k < k1; k++) {
      double *b = B + (ptrdiff_t)k * ldb, inverse = 1 / A[k + (ptrdiff_t)k * lda];
      for (int j = k0; j < k; j++) {
        double a = A[j + (ptrdiff_t)k * lda];
        const double *bj = B + (ptrdiff_t)j * ldb;
        for (int i = 0; i < m; i++) b[i] -= bj[i] * a;
      }
      for (int i = 0; i < m; i++) b[i] *= inverse;
    }
  }
}

void stc_dense_upper(int n, const double *A, int lda, double *x) {
  for (int k = n - 1; k >= 0; k--) {
    const double *column = A + (ptrdiff_t)k * lda;
    x[k] /= column[k];
    for (int i = 0; i < k; i++) x[i] -= column[i] * x[k];
  }
}
