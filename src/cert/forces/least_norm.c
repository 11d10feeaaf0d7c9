// The reactions of least norm that leave every velocity as it is:
//   min |r|^2 / 2,   A x = b,   r in C,    x = (r, l),  A = (H^T, G^T).
// Alternating directions with penalty 1: x minimises |r|^2 / 2 + |x - z + y|^2 / 2 on A x = b, z is
// the projection of x + y on C, y grows by x - z.
#include "force_range.h"

#include "../../linalg/sparse_solver.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 20000, LOOK_EVERY = 25 };

static const double TOLERANCE = 1e-10;  // |x - z| and the change of z, relative to |z|
static const double SHIFT = 1e-12;      // of A A^T, which is singular where bodies move freely

typedef struct iteration {
  const stc_freedom *f;
  int size, all;      // reactions, and joints too
  double *x, *y, *z;  // [all]
  double *residual;   // [dofs]
  double *step;       // [dofs]
  double *old;        // [all]
  stc_sparse_solver *factor;
} iteration;

/// Weight of the metric: 2 for reactions (norm and penalty), 1 for joints.
static double weight(const iteration *it, int k) { return k < it->size ? 2 : 1; }

/// x -= (weight)^-1 A^T s.
static void correct(const iteration *it, const double *s, double *x) {
  const stc_problem *p = it->f->problem;
  for (int k = 0; k < it->all; k++) {
    const stc_csr *A = k < it->size ? &p->H : &p->G;
    int i = k < it->size ? k : k - it->size;
    double sum = 0;
    for (int l = A->ptr[i]; l < A->ptr[i + 1]; l++) sum += A->val[l] * s[A->col[l]];
    x[k] -= sum / weight(it, k);
  }
}

static stc_error update_x(iteration *it) {
  for (int k = 0; k < it->all; k++) it->x[k] = (it->z[k] - it->y[k]) / weight(it, k);
  // value = A x - b.
  const double *x = it->x;
  double *value = it->residual;
  const stc_problem *p = it->f->problem;
  stc_csr_multiply_transposed(&p->H, x, 0, value);
  if (p->equalities) stc_csr_multiply_transposed(&p->G, x + it->size, 1, value);
  for (int j = 0; j < p->dofs; j++) value[j] -= it->f->b[j];
  STC_TRY(stc_sparse_solve(it->factor, 1, it->residual, it->step, 0, NULL));
  correct(it, it->step, it->x);
  return STC_OK;
}

static void update_z(iteration *it) {
  int d = it->f->problem->dim;
  memcpy(it->old, it->z, (size_t)it->all * sizeof *it->z);
  for (int k = 0; k < it->all; k++) it->z[k] = it->x[k] + it->y[k];
  for (int c = 0; c < it->f->problem->contacts; c++)
    stc_freedom_project(it->f, c, it->z + c * d, it->z + c * d);
  for (int k = 0; k < it->all; k++) it->y[k] += it->x[k] - it->z[k];
}

static bool settled(const iteration *it) {
  double gap = 0, change = 0, norm = 0;
  for (int k = 0; k < it->size; k++) {
    gap = hypot(gap, it->x[k] - it->z[k]);
    change = hypot(change, it->z[k] - it->old[k]);
    norm = hypot(norm, it->z[k]);
  }
  return fmax(gap, change) <= TOLERANCE * norm;
}

/// Row j of S += share A^T A, dense; mark lists the columns that are not zero.
typedef struct sparse_row {
  double *value;  // [dofs]
  bool *there;    // [dofs]
  int *column;    // [dofs]
  int count;
} sparse_row;

static void add_square(const stc_csr *A, const stc_csr *At, double share, int j, sparse_row *row) {
  for (int k = At->ptr[j]; k < At->ptr[j + 1]; k++) {
    int i = At->col[k];
    for (int l = A->ptr[i]; l < A->ptr[i + 1]; l++) {
      int col = A->col[l];
      if (!row->there[col]) row->column[row->count++] = col;
      row->there[col] = true;
      row->value[col] += share * At->val[k] * A->val[l];
    }
  }
}

/// Appends the row to S, sorted, with its diagonal, and clears it.
static void store(sparse_row *row, int j, stc_csr *S) {
  int at = S->ptr[j];
  if (!row->there[j]) row->column[row->count++] = j;
  stc_csr_sort(row->column, row->count);
  for (int k = 0; k < row->count; k++) {
    int col = row->column[k];
    S->col[at] = col;
    S->val[at++] = row->value[col];
    row->value[col] = 0;
    row->there[col] = false;
  }
  S->ptr[j + 1] = at;
  row->count = 0;
}

/// Entries that row j of A^T A has at most.
static size_t count_entries(const stc_csr *A, const stc_csr *At, int j) {
  size_t count = 0;
  for (int k = At->ptr[j]; k < At->ptr[j + 1]; k++)
    count += (size_t)(A->ptr[At->col[k] + 1] - A->ptr[At->col[k]]);
  return count;
}

/// The factor of H^T H / 2 + G^T G.
static stc_error factorise(iteration *it, stc_arena *arena, stc_sparse_solver **factor) {
  const stc_problem *p = it->f->problem;
  int n = p->dofs;
  stc_csr Ht, Gt = {0}, S;
  STC_TRY(stc_csr_transpose(arena, &p->H, &Ht));
  if (p->equalities) STC_TRY(stc_csr_transpose(arena, &p->G, &Gt));
  size_t entries = (size_t)n;
  for (int j = 0; j < n; j++) {
    size_t most = count_entries(&p->H, &Ht, j) + (p->equalities ? count_entries(&p->G, &Gt, j) : 0);
    entries += most < (size_t)n ? most : (size_t)n;
  }
  sparse_row row = {.value = STC_TAKE(arena, double, n),
                    .there = STC_TAKE(arena, bool, n),
                    .column = STC_TAKE(arena, int, n + 1)};
  STC_TRY(stc_csr_take(arena, n, n, entries, &S));
  for (int j = 0; j < n; j++) {
    add_square(&p->H, &Ht, 1 / weight(it, 0), j, &row);
    if (p->equalities) add_square(&p->G, &Gt, 1 / weight(it, it->size), j, &row);
    store(&row, j, &S);
  }
  STC_TRY(stc_sparse_factor(&S, "H^T H", NULL, SHIFT, factor));
  it->factor = *factor;
  return STC_OK;
}

stc_error stc_freedom_least_norm(const stc_freedom *f, double *norm) {
  const stc_problem *p = f->problem;
  iteration it = {.f = f, .size = p->size, .all = p->size + p->equalities};
  STC_ARENA arena = {0};
  STC_RELEASED_BY(stc_sparse_free) stc_sparse_solver *factor = NULL;
  double **vectors[] = {&it.x, &it.y, &it.z, &it.old};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    *vectors[k] = STC_TAKE(&arena, double, it.all);
  it.residual = STC_TAKE(&arena, double, p->dofs);
  it.step = STC_TAKE(&arena, double, p->dofs);
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(factorise(&it, &arena, &factor));
  memcpy(it.z, f->r, (size_t)p->size * sizeof *it.z);
  for (int k = 1; k <= ITERATIONS; k++) {
    STC_TRY(update_x(&it));
    update_z(&it);
    if (k % LOOK_EVERY == 0 && settled(&it)) break;
  }
  memcpy(norm, it.z, (size_t)p->size * sizeof *norm);
  return STC_OK;
}
