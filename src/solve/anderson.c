// Anderson acceleration: x+ = g - sum c_j (dx_j + df_j), c minimising |f - sum c_j df_j| in the
// weighted norm   [Anderson 1965; Walker and Ni 2011].
#include "anderson.h"

#include <math.h>
#include <string.h>

// A leap may let the residual grow by this factor; less is too timid, more loses the linear rate.
static const double GROWTH = 2;
// Tikhonov term relative to the trace of the Gram matrix: differences become parallel at the end.
static const double RIDGE = 1e-12;

stc_error stc_anderson_create(stc_arena *arena, int size, int memory, const double *weight,
                              stc_anderson *a) {
  *a = (stc_anderson){.size = size, .memory = memory, .weight = weight};
  a->dx = STC_TAKE_RAW(arena, double, (size_t)memory *(size_t)size);
  a->df = STC_TAKE_RAW(arena, double, (size_t)memory *(size_t)size);
  a->gram = STC_TAKE_RAW(arena, stc_gram_row, memory);
  double **vectors[] = {&a->x, &a->f, &a->image};
  STC_TAKE_VECTORS(arena, size, vectors);
  stc_anderson_reset(a);
  return stc_arena_check(arena);
}

void stc_anderson_reset(stc_anderson *a) {
  a->count = a->head = a->rejected = 0;
  a->norm = INFINITY;
  a->leapt = false;
}

static double *row(double *base, const stc_anderson *a, int k) {
  return base + (ptrdiff_t)k * a->size;
}

static double dot(const stc_anderson *a, const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < a->size; k++) sum += a->weight[k] * x[k] * y[k];
  return sum;
}

// Stores the differences to the last point in the oldest slot and its row of the Gram matrix.
static void remember(stc_anderson *a, const double *x, const double *g) {
  double *dx = row(a->dx, a, a->head), *df = row(a->df, a, a->head);
  for (int k = 0; k < a->size; k++) {
    dx[k] = x[k] - a->x[k];
    df[k] = g[k] - x[k] - a->f[k];
  }
  if (a->count < a->memory) a->count++;
  for (int j = 0; j < a->count; j++)
    a->gram[a->head][j] = a->gram[j][a->head] = dot(a, df, row(a->df, a, j));
  a->head = (a->head + 1) % a->memory;
}

// c = (Gram + ridge)^-1 b by Cholesky; false where the matrix is not positive.
static bool solve_gram(const stc_anderson *a, double *c) {
  double L[STC_ANDERSON_MOST][STC_ANDERSON_MOST], trace = 0;
  int n = a->count;
  for (int i = 0; i < n; i++) trace += a->gram[i][i];
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      double sum = a->gram[i][j] + (i == j ? RIDGE * trace : 0);
      for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      if (i == j && !(sum > 0)) return false;
      L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
    }
    for (int k = 0; k < j; k++) c[j] -= L[j][k] * c[k];
    c[j] /= L[j][j];
  }
  for (int j = n - 1; j >= 0; j--) {
    for (int k = j + 1; k < n; k++) c[j] -= L[k][j] * c[k];
    c[j] /= L[j][j];
  }
  return true;
}

static void leap(stc_anderson *a, double *x, const double *g) {
  double c[STC_ANDERSON_MOST];
  for (int j = 0; j < a->count; j++) c[j] = dot(a, a->f, row(a->df, a, j));
  memcpy(x, g, (size_t)a->size * sizeof *x);
  a->leapt = a->count > 0 && solve_gram(a, c);
  for (int j = 0; a->leapt && j < a->count; j++) {
    const double *dx = row(a->dx, a, j), *df = row(a->df, a, j);
    for (int k = 0; k < a->size; k++) x[k] -= c[j] * (dx[k] + df[k]);
  }
}

static double distance(const stc_anderson *a, const double *x, const double *g) {
  double sum = 0;
  for (int k = 0; k < a->size; k++) sum += a->weight[k] * (g[k] - x[k]) * (g[k] - x[k]);
  return sqrt(sum);
}

void stc_anderson_step(stc_anderson *a, double *x, const double *g) {
  size_t bytes = (size_t)a->size * sizeof *x;
  double norm = distance(a, x, g);
  if (a->leapt && !(norm <= GROWTH * a->norm)) {
    int rejected = a->rejected + 1;
    memcpy(x, a->image, bytes);
    stc_anderson_reset(a);
    a->rejected = rejected;
    return;
  }
  if (a->memory > 0 && isfinite(a->norm)) remember(a, x, g);
  memcpy(a->x, x, bytes);
  for (int k = 0; k < a->size; k++) a->f[k] = g[k] - x[k];
  memcpy(a->image, g, bytes);
  a->norm = norm;
  leap(a, x, g);
}
