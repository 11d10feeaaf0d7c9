// Anderson acceleration: x+ = g - sum c_j dg_j, c minimising |f - sum c_j df_j| in the weighted
// norm, f = g - x   [Anderson 1965; Walker and Ni 2011]. Large problems wait for the memory here:
// every array is read as seldom as can be.
#include "anderson.h"

#include "../../base/variants.h"
#include "../../linalg/small.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Tikhonov term relative to the trace of the Gram matrix, far above its rounding: differences
// become parallel at the end.
static const double RIDGE = 4096 * DBL_EPSILON;

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

// What threads share: the vectors in pieces, each with its own sums.
typedef struct step_job {
  stc_anderson *a;
  double *x;
  const double *g;
  double *c;  // coefficients of the leap
  stc_pieces pieces;
  double square[STC_PIECES];
  stc_gram_row product[STC_PIECES], sum[STC_PIECES];
} step_job;

static void run(step_job *j, void (*task)(void *, int)) {
  stc_team_run(j->a->team, task, j, j->pieces.count);
}

// Sums are kept by lanes and added in their order, so that the compiler uses vector instructions.
enum { LANES = 4 };  // [machine]

STC_ALWAYS double total(const double *lane) { return (lane[0] + lane[1]) + (lane[2] + lane[3]); }

// The differences of g and f to those of the last point; f and g take their place.
STC_ALWAYS void take_differences(int count, const double *restrict x, const double *restrict g,
                                 double *restrict dg, double *restrict df, double *restrict image,
                                 double *restrict last) {
  for (int k = 0; k < count; k++) {
    double f = g[k] - x[k];
    dg[k] = g[k] - image[k];
    df[k] = f - last[k];
    image[k] = g[k];
    last[k] = f;
  }
}

// Sums of w x y and w x z.
STC_ALWAYS void multiply(int count, const double *w, const double *x, const double *y,
                         const double *z, double *xy, double *xz) {
  double product[LANES] = {0}, sum[LANES] = {0};
  for (int k = 0; k < count - count % LANES; k += LANES)
    for (int l = 0; l < LANES; l++) {
      double weighted = w[k + l] * x[k + l];
      product[l] += weighted * y[k + l];
      sum[l] += weighted * z[k + l];
    }
  for (int k = count - count % LANES, l = 0; k < count; k++, l++) {
    product[l] += w[k] * x[k] * y[k];
    sum[l] += w[k] * x[k] * z[k];
  }
  *xy = total(product);
  *xz = total(sum);
}

STC_ALWAYS void remember_piece_of(void *argument, int piece) {
  step_job *s = argument;
  const stc_anderson *a = s->a;
  int first = stc_piece_first(&s->pieces, piece);
  int count = stc_piece_first(&s->pieces, piece + 1) - first;
  double *df = row(a->df, a, a->head) + first;
  take_differences(count, s->x + first, s->g + first, row(a->dg, a, a->head) + first, df,
                   a->image + first, a->f + first);
  for (int j = 0; j < a->count; j++)
    multiply(count, a->weight + first, row(a->df, a, j) + first, df, a->f + first,
             &s->product[piece][j], &s->sum[piece][j]);
}

STC_JOB_VARIANTS(remember_piece)

// Stores the differences in the oldest slot and its row of the Gram matrix; c_j = <f, df_j>.
static void remember(step_job *s) {
  stc_anderson *a = s->a;
  if (a->count < a->memory) a->count++;
  run(s, remember_piece);
  for (int j = 0; j < a->count; j++) {
    double product = 0, sum = 0;
    for (int k = 0; k < s->pieces.count; k++) {
      product += s->product[k][j];
      sum += s->sum[k][j];
    }
    a->gram[a->head][j] = a->gram[j][a->head] = product;
    s->c[j] = sum;
  }
  a->head = (a->head + 1) % a->memory;
}

// The first point after a reset has none to differ from.
static void begin_piece(void *argument, int piece) {
  const step_job *j = argument;
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int k = stc_piece_first(&j->pieces, piece); k < end; k++) {
    j->a->f[k] = j->g[k] - j->x[k];
    j->a->image[k] = j->g[k];
  }
}

// c = (Gram + ridge)^-1 b by Cholesky; false where the matrix is not positive.
static bool solve_gram(const stc_anderson *a, double *c) {
  double L[STC_ANDERSON_MOST * STC_ANDERSON_MOST], trace = 0;
  int n = a->count;
  for (int i = 0; i < n; i++) trace += a->gram[i][i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) L[i * n + j] = a->gram[i][j] + (i == j ? RIDGE * trace : 0);
  if (stc_small_cholesky(n, L, 0) >= 0) return false;
  stc_small_cholesky_solve(n, L, c);
  return true;
}

STC_ALWAYS void subtract(int count, double c, const double *restrict y, double *restrict x) {
  for (int k = 0; k < count; k++) x[k] -= c * y[k];
}

STC_ALWAYS void leap_piece_of(void *argument, int piece) {
  const step_job *s = argument;
  const stc_anderson *a = s->a;
  int first = stc_piece_first(&s->pieces, piece);
  int count = stc_piece_first(&s->pieces, piece + 1) - first;
  memcpy(s->x + first, a->image + first, (size_t)count * sizeof *s->x);
  for (int j = 0; a->leapt && j < a->count; j++)
    subtract(count, s->c[j], row(a->dg, a, j) + first, s->x + first);
}

STC_JOB_VARIANTS(leap_piece)

static void leap(step_job *j) {
  j->a->leapt = j->a->count > 0 && solve_gram(j->a, j->c);
  run(j, leap_piece);
}

STC_ALWAYS void distance_piece_of(void *argument, int piece) {
  step_job *j = argument;
  int first = stc_piece_first(&j->pieces, piece);
  int count = stc_piece_first(&j->pieces, piece + 1) - first;
  const double *w = j->a->weight + first, *x = j->x + first, *g = j->g + first;
  double sum[LANES] = {0};
  for (int k = 0; k < count - count % LANES; k += LANES)
    for (int l = 0; l < LANES; l++)
      sum[l] += w[k + l] * (g[k + l] - x[k + l]) * (g[k + l] - x[k + l]);
  for (int k = count - count % LANES, l = 0; k < count; k++, l++)
    sum[l] += w[k] * (g[k] - x[k]) * (g[k] - x[k]);
  j->square[piece] = total(sum);
}

STC_JOB_VARIANTS(distance_piece)

static double distance(step_job *j) {
  double sum = 0;
  run(j, distance_piece);
  for (int k = 0; k < j->pieces.count; k++) sum += j->square[k];
  return sqrt(sum);
}

void stc_anderson_step(stc_anderson *a, double *x, const double *g) {
  double c[STC_ANDERSON_MOST];
  step_job job;
  job.a = a;
  job.x = x;
  job.g = g;
  job.c = c;
  job.pieces = stc_pieces_of(a->size, STC_PIECE_NUMBERS);
  double norm = distance(&job);
  if (a->leapt && !(norm <= 2 * a->norm)) {  // less is too timid, more loses the linear rate
    int rejected = a->rejected + 1;
    stc_team_copy(a->team, x, a->image, a->size);
    stc_anderson_reset(a);
    a->rejected = rejected;
    return;
  }
  if (a->memory > 0 && isfinite(a->norm))
    remember(&job);
  else
    run(&job, begin_piece);
  a->norm = norm;
  leap(&job);
}
