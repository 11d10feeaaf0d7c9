// Anderson acceleration: x+ = g - sum c_j dg_j, c minimising |f - sum c_j df_j| in the weighted
// norm, f = g - x   [Anderson 1965; Walker and Ni 2011]. Large problems wait for the memory here:
// every array is read as seldom as can be.
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
  a->dg = STC_TAKE_RAW(arena, double, (size_t)memory *(size_t)size);
  a->df = STC_TAKE_RAW(arena, double, (size_t)memory *(size_t)size);
  a->gram = STC_TAKE_RAW(arena, stc_gram_row, memory);
  double **vectors[] = {&a->f, &a->image};
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

// The differences of g and f to those of the last point; f and g take their place.
static void take_differences(stc_anderson *a, const double *x, const double *g) {
  double *dg = row(a->dg, a, a->head), *df = row(a->df, a, a->head);
  for (int k = 0; k < a->size; k++) {
    double f = g[k] - x[k];
    dg[k] = g[k] - a->image[k];
    df[k] = f - a->f[k];
    a->image[k] = g[k];
    a->f[k] = f;
  }
}

// Stores the differences in the oldest slot and its row of the Gram matrix; c_j = <f, df_j>.
static void remember(stc_anderson *a, const double *x, const double *g, double *c) {
  const double *df = row(a->df, a, a->head);
  take_differences(a, x, g);
  if (a->count < a->memory) a->count++;
  for (int j = 0; j < a->count; j++) {
    const double *other = row(a->df, a, j);
    double product = 0, sum = 0;
    for (int k = 0; k < a->size; k++) {
      double weighted = a->weight[k] * other[k];
      product += weighted * df[k];
      sum += weighted * a->f[k];
    }
    a->gram[a->head][j] = a->gram[j][a->head] = product;
    c[j] = sum;
  }
  a->head = (a->head + 1) % a->memory;
}

// The first point after a reset has none to differ from.
static void begin(stc_anderson *a, const double *x, const double *g) {
  for (int k = 0; k < a->size; k++) a->f[k] = g[k] - x[k];
  memcpy(a->image, g, (size_t)a->size * sizeof *g);
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

static void leap(stc_anderson *a, double *c, double *x) {
  memcpy(x, a->image, (size_t)a->size * sizeof *x);
  a->leapt = a->count > 0 && solve_gram(a, c);
  for (int j = 0; a->leapt && j < a->count; j++) {
    const double *dg = row(a->dg, a, j);
    for (int k = 0; k < a->size; k++) x[k] -= c[j] * dg[k];
  }
}

static double distance(const stc_anderson *a, const double *x, const double *g) {
  double sum = 0;
  for (int k = 0; k < a->size; k++) sum += a->weight[k] * (g[k] - x[k]) * (g[k] - x[k]);
  return sqrt(sum);
}

void stc_anderson_step(stc_anderson *a, double *x, const double *g) {
  double norm = distance(a, x, g), c[STC_ANDERSON_MOST];
  if (a->leapt && !(norm <= GROWTH * a->norm)) {
    int rejected = a->rejected + 1;
    memcpy(x, a->image, (size_t)a->size * sizeof *x);
    stc_anderson_reset(a);
    a->rejected = rejected;
    return;
  }
  if (a->memory > 0 && isfinite(a->norm))
    remember(a, x, g, c);
  else
    begin(a, x, g);
  a->norm = norm;
  leap(a, c, x);
}
