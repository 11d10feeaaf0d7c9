// The equations of a problem solved densely from its public arrays, by Gaussian elimination:
//   global  [M -G^T; G 0] (v, l) = (H^T r - f, -b),  u = H v + w
//   local   R l = -(V^T r + s),                      u = W r + V l + q
// Nothing of the library's linear algebra is used: what a method returns is judged from outside.
#ifndef STC_CONFORM_INDEPENDENT_H
#define STC_CONFORM_INDEPENDENT_H

#include "oracle/textbook.h"
#include "unit/expect.h"

#include <stiction/problem.h>

/// y += factor A x, or A^T x; A by rows.
static inline void independent_add(const stc_matrix *A, bool transposed, double factor,
                                   const double *x, double *y) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->entries ? A->p[i] : 0; A->entries && k < A->p[i + 1]; k++) {
      int from = transposed ? i : A->i[k], to = transposed ? A->i[k] : i;
      y[to] += factor * A->x[k] * x[from];
    }
}

/// Writes factor A, or A^T, into the dense square matrix `to` of order n at (row, col).
static inline void independent_place(const stc_matrix *A, bool transposed, double factor,
                                     double *to, int n, int row, int col) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->entries ? A->p[i] : 0; A->entries && k < A->p[i + 1]; k++) {
      int down = transposed ? A->i[k] : i, across = transposed ? i : A->i[k];
      to[(row + down) * n + col + across] = factor * A->x[k];
    }
}

static inline void independent_swap(double *x, double *y, int n) {
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = y[k];
    y[k] = t;
  }
}

/// Solves A X = B in place: A [n*n] by rows is destroyed, B [n*m] by rows becomes X.
static inline void independent_eliminate(double *A, int n, double *B, int m) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[p * n + k])) p = i;
    assert_true(fabs(A[p * n + k]) > 0);
    independent_swap(A + p * n, A + k * n, n);
    independent_swap(B + p * m, B + k * m, m);
    for (int i = k + 1; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      if (factor == 0) continue;
      for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      for (int j = 0; j < m; j++) B[i * m + j] -= factor * B[k * m + j];
    }
  }
  for (int k = n - 1; k >= 0; k--)
    for (int j = 0; j < m; j++) {
      for (int i = k + 1; i < n; i++) B[k * m + j] -= A[k * n + i] * B[i * m + j];
      B[k * m + j] /= A[k * n + k];
    }
}

/// The rows of H (or V^T) and the masses they act on, ready to be eliminated: `forces` gets one
/// column per component of r and a last one for f (or s).
typedef struct independent_system {
  int order, size;
  double *matrix;  ///< [order*order]
  double *forces;  ///< [order*(size+1)]
} independent_system;

static inline independent_system independent_assemble(const stc_problem *problem) {
  int size = stc_problem_size(problem), dofs = stc_problem_dofs(problem);
  int equalities = stc_problem_equalities(problem), n = dofs + equalities, m = size + 1;
  independent_system a = {.order = n, .size = size};
  a.matrix = calloc((size_t)(n * n) + 1, sizeof *a.matrix);
  a.forces = calloc((size_t)(n * m) + 1, sizeof *a.forces);
  assert_non_null(a.matrix);
  assert_non_null(a.forces);
  stc_global_data g = stc_problem_global_data(problem);
  stc_local_data l = stc_problem_local_data(problem);
  independent_place(&g.M, false, 1, a.matrix, n, 0, 0);
  independent_place(&g.G, true, -1, a.matrix, n, 0, dofs);
  independent_place(&g.G, false, 1, a.matrix, n, dofs, 0);
  independent_place(&l.R, false, 1, a.matrix, n, 0, 0);
  const stc_matrix *rows = stc_problem_form(problem) == STC_FORM_GLOBAL ? &g.H : &l.V;
  bool by_row = rows == &g.H;
  for (int i = 0; i < rows->rows; i++)
    for (int k = rows->entries ? rows->p[i] : 0; rows->entries && k < rows->p[i + 1]; k++)
      a.forces[rows->i[k] * m + i] = by_row ? rows->x[k] : -rows->x[k];
  for (int k = 0; g.f && k < dofs; k++) a.forces[k * m + size] = -g.f[k];
  for (int k = 0; g.b && k < equalities; k++) a.forces[(dofs + k) * m + size] = -g.b[k];
  for (int k = 0; l.s && k < equalities; k++) a.forces[k * m + size] = -l.s[k];
  return a;
}

/// W [size*size] by rows with the joints eliminated, and q [size].
static inline void independent_local(const stc_problem *problem, double *W, double *q) {
  if (stc_problem_form(problem) == STC_FORM_BODIES) {
    stc_problem *global = NULL;
    assert_int_equal(stc_problem_to_global(problem, &global), STC_OK);
    independent_local(global, W, q);
    stc_problem_free(&global);
    return;
  }
  independent_system a = independent_assemble(problem);
  int n = a.size, m = n + 1;
  independent_eliminate(a.matrix, a.order, a.forces, m);
  bool global = stc_problem_form(problem) == STC_FORM_GLOBAL;
  stc_global_data g = stc_problem_global_data(problem);
  stc_local_data l = stc_problem_local_data(problem);
  const stc_matrix *rows = global ? &g.H : &l.V;
  memset(W, 0, (size_t)(n * n) * sizeof *W);
  if (!global) independent_place(&l.W, false, 1, W, n, 0, 0);
  for (int i = 0; i < n; i++) {
    q[i] = global ? g.w[i] : l.q[i];
    for (int k = rows->entries ? rows->p[i] : 0; rows->entries && k < rows->p[i + 1]; k++) {
      const double *from = a.forces + rows->i[k] * m;
      for (int j = 0; j < n; j++) W[i * n + j] += rows->x[k] * from[j];
      q[i] += rows->x[k] * from[n];
    }
  }
  free(a.matrix);
  free(a.forces);
}

static inline double independent_norm(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum = hypot(sum, x[k]);
  return sum;
}

/// Largest distance of a contact from the textbook law, velocities relative to the largest |u_i| or
/// |q_i|. A reaction whose own velocity W_ii r_i is below `noise` of that is taken as none.
static inline double independent_distance(const stc_problem *problem, const double *r,
                                          double noise) {
  int d = stc_problem_dim(problem), n = stc_problem_size(problem);
  double *W = calloc((size_t)(n * n) + 1, sizeof *W), *q = calloc((size_t)n + 1, sizeof *q);
  double *u = calloc((size_t)n + 1, sizeof *u), speed = 0, worst = 0;
  independent_local(problem, W, q);
  for (int i = 0; i < n; i++) {
    u[i] = q[i];
    for (int j = 0; j < n; j++) u[i] += W[i * n + j] * r[j];
  }
  for (int i = 0; i < n; i += d)
    speed = fmax(speed, fmax(independent_norm(u + i, d), independent_norm(q + i, d)));
  for (int i = 0; i < n; i += d) {
    const stc_law *law = stc_problem_law(problem, i / d);
    double own[STC_MAX_DIM] = {0}, kept[STC_MAX_DIM] = {0};
    for (int k = 0; k < d; k++)
      for (int j = 0; j < d; j++) own[k] += W[(i + k) * n + i + j] * r[i + j];
    bool some = independent_norm(own, d) > noise * speed;
    for (int k = 0; k < d; k++) kept[k] = some ? r[i + k] : 0;
    textbook_mode mode;
    worst = fmax(worst, textbook_distance(d, law->mu, speed > 0 ? speed : 1, u + i, kept, &mode));
  }
  free(W);
  free(q);
  free(u);
  return worst;
}

#endif
