// Aggregates of strongly connected nodes and the near-null vectors on them:
//   i and j are strongly connected where |x_i - x_j|^2 <= reach^2 h_i h_j, h the distance to the
//   nearest neighbour, or, where the places are not known, |A_ij|^2 > theta^2 |A_ii| |A_jj|.
// Distances tell stretched cells; the norms of their blocks do not.
#include "amg_data.h"

#include "../../base/fail.h"
#include "../graph.h"

#include <math.h>
#include <string.h>

// Neighbours farther away than this, against the nearest one, are coarsened later: cells are made
// as long as wide before they are coarsened all around.
static const double REACH = 3;
static const double THETA = 0.02;
// A mode of which the others on an aggregate leave less than this share is spanned by them.
static const double SPANNED = 1e-9;

// --- Strength ---

typedef struct strength_job {
  const stc_bmat *A;
  int dim;
  const double *place;
  double *measure;  // [rows] |A_ii|, or the square of the distance to the nearest neighbour
  unsigned char *strong;
} strength_job;

static double norm2(int n, const double *a) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * a[k];
  return sum;
}

static double distance2(const strength_job *j, int a, int b) {
  const double *x = j->place + (size_t)a * (size_t)j->dim,
               *y = j->place + (size_t)b * (size_t)j->dim;
  double sum = 0;
  for (int k = 0; k < j->dim; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}

static void measure_diagonal(void *argument, int first, int last) {
  strength_job *j = argument;
  int n = j->A->br * j->A->bc;
  for (int i = first; i < last; i++)
    for (int e = j->A->ptr[i]; e < j->A->ptr[i + 1]; e++)
      if (j->A->col[e] == i) j->measure[i] = sqrt(norm2(n, j->A->val + (size_t)e * (size_t)n));
}

static void compare_norms(void *argument, int first, int last) {
  strength_job *j = argument;
  int n = j->A->br * j->A->bc;
  for (int i = first; i < last; i++)
    for (int e = j->A->ptr[i]; e < j->A->ptr[i + 1]; e++) {
      double size = norm2(n, j->A->val + (size_t)e * (size_t)n);
      j->strong[e] = size > THETA * THETA * j->measure[i] * j->measure[j->A->col[e]];
    }
}

static void measure_nearest(void *argument, int first, int last) {
  strength_job *j = argument;
  for (int i = first; i < last; i++) {
    j->measure[i] = INFINITY;
    for (int e = j->A->ptr[i]; e < j->A->ptr[i + 1]; e++)
      if (j->A->col[e] != i) j->measure[i] = fmin(j->measure[i], distance2(j, i, j->A->col[e]));
  }
}

static void compare_distances(void *argument, int first, int last) {
  strength_job *j = argument;
  for (int i = first; i < last; i++)
    for (int e = j->A->ptr[i]; e < j->A->ptr[i + 1]; e++) {
      int other = j->A->col[e];
      double reach = REACH * REACH * sqrt(j->measure[i] * j->measure[other]);
      j->strong[e] = other == i || distance2(j, i, other) <= reach;
    }
}

// --- Aggregation in three passes ---

typedef struct groups {
  const stc_bmat *A;
  const unsigned char *strong;
  int *of, count;
} groups;

enum { FREE = -2, ALONE = -1 };

/// A node none of whose strong neighbours is taken makes an aggregate with all of them.
static void found(groups *g, int i) {
  int neighbours = 0;
  for (int e = g->A->ptr[i]; e < g->A->ptr[i + 1]; e++) {
    if (!g->strong[e] || g->A->col[e] == i) continue;
    neighbours++;
    if (g->of[g->A->col[e]] != FREE) return;
  }
  if (neighbours == 0) {
    g->of[i] = ALONE;
    return;
  }
  g->of[i] = g->count;
  for (int e = g->A->ptr[i]; e < g->A->ptr[i + 1]; e++)
    if (g->strong[e]) g->of[g->A->col[e]] = g->count;
  g->count++;
}

static void pass(groups *g, int *before) {
  int rows = g->A->rows;
  for (int i = 0; i < rows; i++)
    if (g->of[i] == FREE) found(g, i);
  memcpy(before, g->of, (size_t)rows * sizeof *before);
  for (int i = 0; i < rows; i++)
    if (g->of[i] == FREE) {
      // A node left over joins the aggregate of its strongest neighbour that has one, by `before`.
      int n = g->A->br * g->A->bc;
      double best = 0;
      for (int e = g->A->ptr[i]; e < g->A->ptr[i + 1]; e++) {
        int other = before[g->A->col[e]];
        if (!g->strong[e] || other < 0) continue;
        double size = norm2(n, g->A->val + (size_t)e * (size_t)n);
        if (size > best) {
          best = size;
          g->of[i] = other;
        }
      }
    }
  for (int i = 0; i < rows; i++)
    if (g->of[i] == FREE) {
      // What is still left makes aggregates of its own.
      g->of[i] = g->count;
      for (int e = g->A->ptr[i]; e < g->A->ptr[i + 1]; e++)
        if (g->strong[e] && g->of[g->A->col[e]] == FREE) g->of[g->A->col[e]] = g->count;
      g->count++;
    }
}

stc_error stc_amg_aggregate(const stc_crew *crew, const stc_bmat *A, int dim, const double *place,
                            unsigned char *strong, int *aggregate, int *count) {
  stc_arena scratch = {0};
  strength_job j = {.A = A, .dim = dim, .place = place, .strong = strong};
  j.measure = STC_TAKE(&scratch, double, A->rows);
  int *before = STC_TAKE_RAW(&scratch, int, A->rows);
  stc_error error = stc_arena_check(&scratch);
  if (!error) {
    double work = (double)j.A->br * j.A->bc * j.A->ptr[j.A->rows];
    stc_crew_rows(crew, work, j.A->rows, j.place ? measure_nearest : measure_diagonal, &j);
    stc_crew_rows(crew, work, j.A->rows, j.place ? compare_distances : compare_norms, &j);
    for (int i = 0; i < A->rows; i++) aggregate[i] = FREE;
    groups g = {.A = A, .strong = strong, .of = aggregate};
    pass(&g, before);
    *count = g.count;
  }
  stc_arena_free(&scratch);
  return error;
}

// --- Near-null vectors on the aggregates ---

typedef struct tentative_job {
  int b, modes;
  const double *mode;
  const int *start, *member;  // rows of an aggregate
  double *Q, *coarse;
} tentative_job;

static double inner(const tentative_job *j, int aggregate, int k, int l) {
  double sum = 0;
  for (int m = j->start[aggregate]; m < j->start[aggregate + 1]; m++) {
    const double *q = j->Q + (size_t)j->member[m] * (size_t)(j->b * j->modes);
    for (int c = 0; c < j->b; c++) sum += q[c * j->modes + k] * q[c * j->modes + l];
  }
  return sum;
}

/// Column k of Q plus a times column l.
static void add_column(const tentative_job *j, int aggregate, int k, double a, int l) {
  for (int m = j->start[aggregate]; m < j->start[aggregate + 1]; m++) {
    double *q = j->Q + (size_t)j->member[m] * (size_t)(j->b * j->modes);
    for (int c = 0; c < j->b; c++) q[c * j->modes + k] += a * q[c * j->modes + l];
  }
}

/// Q R by Gram and Schmidt, twice, since rotations about a far point are almost translations.
static void orthonormalise(const tentative_job *j, int aggregate) {
  double *R = j->coarse + (size_t)aggregate * (size_t)(j->modes * j->modes);
  for (int k = 0; k < j->modes; k++) {
    double before = sqrt(inner(j, aggregate, k, k));
    for (int again = 0; again < 2; again++)
      for (int l = 0; l < k; l++) {
        double a = inner(j, aggregate, l, k);
        add_column(j, aggregate, k, -a, l);
        R[l * j->modes + k] += a;
      }
    double after = sqrt(inner(j, aggregate, k, k));
    bool spanned = !(after > SPANNED * before);
    R[k * j->modes + k] = spanned ? 0 : after;
    double a = spanned ? 0 : 1 / after;
    for (int m = j->start[aggregate]; m < j->start[aggregate + 1]; m++) {
      double *q = j->Q + (size_t)j->member[m] * (size_t)(j->b * j->modes);
      for (int c = 0; c < j->b; c++) q[c * j->modes + k] *= a;
    }
  }
}

static void orthonormalise_range(void *argument, int first, int last) {
  for (int k = first; k < last; k++) orthonormalise(argument, k);
}

stc_error stc_amg_tentative(const stc_crew *crew, int rows, int b, int modes, const double *mode,
                            const int *aggregate, int count, double *Q, double *coarse) {
  stc_arena scratch = {0};
  int *start = STC_TAKE(&scratch, int, (size_t)count + 2);
  int *member = STC_TAKE(&scratch, int, rows);
  stc_error error = stc_arena_check(&scratch);
  if (!error) {
    stc_graph_list_members(rows, aggregate, count, start, member);
    memcpy(Q, mode, (size_t)rows * (size_t)(b * modes) * sizeof *Q);
    tentative_job j = {b, modes, mode, start, member, Q, coarse};
    stc_crew_rows(crew, (double)rows * b * modes * modes, count, orthonormalise_range, &j);
  }
  stc_arena_free(&scratch);
  return error;
}
