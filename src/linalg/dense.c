// Dense kernels: C = A B and C -= A B in register tiles of 8 x 4 over packed blocks that stay in
// the cache; LU and triangular solves by halves, so that nearly all of their work is such products.
#include "dense.h"

#include "../base/stop.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LANES = 4, TILE_ROWS = 2 * LANES, TILE_COLS = 4, PANEL = 16 };
// Blocks of A, BLOCK_ROWS x DEPTH, are copied tile by tile (96 KiB, a tenth of the second-level
// cache) where A spreads over more than NEAR doubles and the copy serves WIDE columns or more.
enum { BLOCK_ROWS = 8 * TILE_ROWS, DEPTH = 192, NEAR = 16384, WIDE = 12 };

// Nanoseconds of a multiplication in a product: several go side by side.
static const double OPERATION = 0.2;

typedef double vec __attribute__((vector_size(LANES * sizeof(double))));

static inline __attribute__((always_inline)) void load(vec *v, const double *x) {
  memcpy(v, x, sizeof *v);
}

// What becomes of a product: C = A B, C += A B or C -= A B.
enum sum { SET, ADD, SUBTRACT };

static inline __attribute__((always_inline)) void put(double *x, const vec *v, enum sum sum) {
  vec old, out;
  memcpy(&old, x, sizeof old);
  out = sum == SUBTRACT ? old - *v : sum == ADD ? old + *v : *v;
  memcpy(x, &out, sizeof out);
}

// A tile of 4 * vecs rows and `cols` columns, both known to the compiler; the sums stay in
// registers.
static inline __attribute__((always_inline)) void tile(int vecs, int cols, int k, const double *A,
                                                       int lda, const double *B, int ldb, double *C,
                                                       int ldc, enum sum sum) {
  vec c[TILE_COLS][TILE_ROWS / LANES];
  memset(c, 0, sizeof c);
  for (int p = 0; p < k; p++) {
    vec a[TILE_ROWS / LANES];
    for (int v = 0; v < vecs; v++) load(&a[v], A + (ptrdiff_t)p * lda + v * LANES);
    for (int j = 0; j < cols; j++) {
      double b = B[p + (ptrdiff_t)j * ldb];
      vec bb = {b, b, b, b};
      for (int v = 0; v < vecs; v++) c[j][v] += a[v] * bb;
    }
  }
  for (int j = 0; j < cols; j++)
    for (int v = 0; v < vecs; v++) put(C + (ptrdiff_t)j * ldc + v * LANES, &c[j][v], sum);
}

// The last rows, fewer than LANES.
static inline __attribute__((always_inline)) void edge(int m, int cols, int k, const double *A,
                                                       int lda, const double *B, int ldb, double *C,
                                                       int ldc, enum sum sum) {
  for (int j = 0; j < cols; j++) {
    double c[LANES] = {0}, *out = C + (ptrdiff_t)j * ldc;
    for (int p = 0; p < k; p++)
      for (int i = 0; i < m; i++) c[i] += A[i + (ptrdiff_t)p * lda] * B[p + (ptrdiff_t)j * ldb];
    for (int i = 0; i < m; i++)
      out[i] = sum == SUBTRACT ? out[i] - c[i] : sum == ADD ? out[i] + c[i] : c[i];
  }
}

// All rows of `cols` columns. The tiles of A begin `next` doubles apart.
static inline __attribute__((always_inline)) void columns(int cols, int m, int k, const double *A,
                                                          ptrdiff_t next, int lda, const double *B,
                                                          int ldb, double *C, int ldc,
                                                          enum sum sum) {
  int i = 0;
  for (; i + TILE_ROWS <= m; i += TILE_ROWS, A += next)
    tile(2, cols, k, A, lda, B, ldb, C + i, ldc, sum);
  if (i + LANES <= m) {
    tile(1, cols, k, A, lda, B, ldb, C + i, ldc, sum);
    i += LANES;
    A += LANES;
  }
  if (i < m) edge(m - i, cols, k, A, lda, B, ldb, C + i, ldc, sum);
}

static inline __attribute__((always_inline)) void tiles(int m, int n, int k, const double *A,
                                                        ptrdiff_t next, int lda, const double *B,
                                                        int ldb, double *C, int ldc, enum sum sum) {
  int j = 0;
  for (; j + TILE_COLS <= n; j += TILE_COLS)
    columns(TILE_COLS, m, k, A, next, lda, B + (ptrdiff_t)j * ldb, ldb, C + (ptrdiff_t)j * ldc, ldc,
            sum);
  for (; j < n; j++)
    columns(1, m, k, A, next, lda, B + (ptrdiff_t)j * ldb, ldb, C + (ptrdiff_t)j * ldc, ldc, sum);
}

static int lesser(int a, int b) { return a < b ? a : b; }

// Tile after tile, each 8 x k by columns.
static void pack_tiles(int m, int k, const double *A, int lda, double *to) {
  for (int i = 0; i < m; i += TILE_ROWS) {
    int rows = lesser(TILE_ROWS, m - i);
    for (int p = 0; p < k; p++, to += TILE_ROWS)
      for (int r = 0; r < rows; r++) to[r] = A[i + r + (ptrdiff_t)p * lda];
  }
}

static inline __attribute__((always_inline)) void product(int m, int n, int k, const double *A,
                                                          int lda, const double *B, int ldb,
                                                          double *C, int ldc, enum sum sum) {
  if (n < WIDE || (ptrdiff_t)lda * k <= NEAR) {
    tiles(m, n, k, A, TILE_ROWS, lda, B, ldb, C, ldc, sum);
    return;
  }
  double pack[BLOCK_ROWS * DEPTH];
  for (int k0 = 0; k0 < k; k0 += DEPTH) {
    int depth = lesser(DEPTH, k - k0);
    for (int i0 = 0; i0 < m; i0 += BLOCK_ROWS) {
      int rows = lesser(BLOCK_ROWS, m - i0);
      if (stc_stop_due(OPERATION * rows * n * depth)) return;
      pack_tiles(rows, depth, A + i0 + (ptrdiff_t)k0 * lda, lda, pack);
      tiles(rows, n, depth, pack, (ptrdiff_t)TILE_ROWS * depth, TILE_ROWS, B + k0, ldb, C + i0, ldc,
            sum);
    }
    if (sum == SET) sum = ADD;
  }
}

#define KERNELS(suffix, target)                                                                    \
  target static void multiply_##suffix(int m, int n, int k, const double *A, int lda,              \
                                       const double *B, int ldb, double *C, int ldc) {             \
    product(m, n, k, A, lda, B, ldb, C, ldc, SET);                                                 \
  }                                                                                                \
  target static void subtract_##suffix(int m, int n, int k, const double *A, int lda,              \
                                       const double *B, int ldb, double *C, int ldc) {             \
    product(m, n, k, A, lda, B, ldb, C, ldc, SUBTRACT);                                            \
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

// Column strips are whole tiles, and none is narrower than what is packed, so that their borders
// change no sum: the last takes the columns that are left over.
enum { STRIP = 16 * TILE_COLS };
_Static_assert((int)STRIP >= (int)WIDE, "a strip is packed where the whole is");
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
  int first = strip * STRIP, rest = j->n - first, cols = rest < 2 * STRIP ? rest : STRIP;
  j->kernel(j->m, cols, j->k, j->A, j->lda, j->B + (ptrdiff_t)first * j->ldb, j->ldb,
            j->C + (ptrdiff_t)first * j->ldc, j->ldc);
}

void stc_dense_share(const stc_dense *dense, stc_team *team, bool subtract, int m, int n, int k,
                     const double *A, int lda, const double *B, int ldb, double *C, int ldc) {
  product_job job = {subtract ? dense->subtract : dense->multiply, m, n, k, lda, ldb, ldc, A, B, C};
  bool worth = team && (double)m * n * k > WORTH_SHARING;
  if (worth)
    stc_team_run(team, multiply_strip, &job, n < STRIP ? 1 : n / STRIP);
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
  for (; j < m; j++) {
    // b = L^-1 b with the unit lower triangle of rows and columns k0 .. k1.
    double *b = B + (ptrdiff_t)j * ldb;
    for (int k = k0; k < k1; k++)
      for (int i = k + 1; i < k1; i++) b[i] -= A[i + (ptrdiff_t)k * lda] * b[k];
  }
}

// The first part of a range that is cut in two, a whole number of panels.
static int half(int n) { return (n / 2 + PANEL - 1) / PANEL * PANEL; }

// B = L^-1 B with the unit lower triangle of A, both from row 0 on.
static void unit_lower(const stc_dense *dense, stc_team *team, int n, int m, const double *A,
                       int lda, double *B, int ldb) {
  if (n <= PANEL) {
    solve_unit_lower_columns(0, n, m, A, lda, B, ldb);
    return;
  }
  int h = half(n);
  unit_lower(dense, team, h, m, A, lda, B, ldb);
  stc_dense_share(dense, team, true, n - h, m, h, A + h, lda, B, ldb, B + h, ldb);
  unit_lower(dense, team, n - h, m, A + h + (ptrdiff_t)h * lda, lda, B + h, ldb);
}

typedef struct dense_lu {
  const stc_dense *dense;
  stc_team *team;
  int n, lda;
  double *A;
  double tiny;
  int *pivot, *sign;
} dense_lu;

// Columns k0 .. k1, those before eliminated.
static int factorise_columns(const dense_lu *f, int k0, int k1) {
  if (k1 - k0 <= PANEL)
    return factorise_panel(f->n, k0, k1, f->A, f->lda, f->tiny, f->pivot, f->sign);
  int mid = k0 + half(k1 - k0), replaced = factorise_columns(f, k0, mid);
  double *left = f->A + (ptrdiff_t)k0 * f->lda, *right = f->A + (ptrdiff_t)mid * f->lda;
  unit_lower(f->dense, f->team, mid - k0, k1 - mid, left + k0, f->lda, right + k0, f->lda);
  stc_dense_share(f->dense, f->team, true, f->n - mid, k1 - mid, mid - k0, left + mid, f->lda,
                  right + k0, f->lda, right + mid, f->lda);
  return replaced + factorise_columns(f, mid, k1);
}

int stc_dense_lu(const stc_dense *dense, stc_team *team, int n, double *A, int lda, double tiny,
                 int *pivot, int *sign) {
  dense_lu f = {dense, team, n, lda, A, tiny, pivot, sign};
  return factorise_columns(&f, 0, n);
}

void stc_dense_lower(const stc_dense *dense, int n, int m, const double *A, int lda,
                     const int *pivot, double *B, int ldb) {
  for (int k = 0; k < n; k++)
    if (pivot[k] != k) swap_rows(B + k, B + pivot[k], m, ldb);
  unit_lower(dense, NULL, n, m, A, lda, B, ldb);
}

static void solve_upper_right(int n, int m, const double *A, int lda, double *B, int ldb) {
  for (int k = 0; k < n; k++) {
    double *b = B + (ptrdiff_t)k * ldb, inverse = 1 / A[k + (ptrdiff_t)k * lda];
    for (int j = 0; j < k; j++) {
      double a = A[j + (ptrdiff_t)k * lda];
      const double *bj = B + (ptrdiff_t)j * ldb;
      for (int i = 0; i < m; i++) b[i] -= bj[i] * a;
    }
    for (int i = 0; i < m; i++) b[i] *= inverse;
  }
}

void stc_dense_upper_right(const stc_dense *dense, int n, int m, const double *A, int lda,
                           double *B, int ldb) {
  if (n <= PANEL) {
    solve_upper_right(n, m, A, lda, B, ldb);
    return;
  }
  int h = half(n);
  double *right = B + (ptrdiff_t)h * ldb;
  stc_dense_upper_right(dense, h, m, A, lda, B, ldb);
  dense->subtract(m, n - h, h, B, ldb, A + (ptrdiff_t)h * lda, lda, right, ldb);
  stc_dense_upper_right(dense, n - h, m, A + h + (ptrdiff_t)h * lda, lda, right, ldb);
}

void stc_dense_upper(int n, const double *A, int lda, double *x) {
  for (int k = n - 1; k >= 0; k--) {
    const double *column = A + (ptrdiff_t)k * lda;
    x[k] /= column[k];
    for (int i = 0; i < k; i++) x[i] -= column[i] * x[k];
  }
}
