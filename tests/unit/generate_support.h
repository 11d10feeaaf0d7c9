// What the tests of the gallery share: making a problem, products with its matrices.
#ifndef TEST_GALLERY_SUPPORT_H
#define TEST_GALLERY_SUPPORT_H

#include "dynamics/generate/body_assembly.h"
#include "gallery.h"

static const double TINY = 1e-11;

// A kind with its sizes, regular and at rest.
static inline stc_generator regular(const char *kind, int n, int n2) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.n2 = n2;
  options.disorder = 0.0;
  options.param = 0.0;
  return options;
}

static inline bool is_rigid(const char *kind) {
  static const char *const theory[] = {"painleve", "wedge", "jammed", "multiple"};
  for (size_t k = 0; k < sizeof theory / sizeof *theory; k++)
    if (strncmp(kind, theory[k], strlen(theory[k])) == 0) return false;
  return true;
}

static inline bool near(double a, double b) { return fabs(a - b) <= TINY * (1.0 + fabs(b)); }

static inline void multiply(const stc_matrix *A, const double *x, double *y) {
  for (int i = 0; i < A->rows; i++) {
    y[i] = 0.0;
    for (int k = A->p[i]; k < A->p[i + 1]; k++) y[i] += A->x[k] * x[A->i[k]];
  }
}

static inline void multiply_transposed(const stc_matrix *A, const double *x, double *y) {
  memset(y, 0, (size_t)A->cols * sizeof *y);
  for (int i = 0; i < A->rows; i++)
    for (int k = A->p[i]; k < A->p[i + 1]; k++) y[A->i[k]] += A->x[k] * x[i];
}

static inline double *numbers(int count) { return calloc((size_t)count + 1, sizeof(double)); }

// The bodies that row i touches, in increasing order; returns how many (0, 1 or 2).
static inline int bodies_of(const stc_matrix *A, int i, int per_body, int body[2]) {
  int count = 0;
  for (int k = A->p[i]; k < A->p[i + 1]; k++) {
    int b = A->i[k] / per_body;
    if (count == 0 || b != body[count - 1]) {
      assert_true(count < 2);
      body[count++] = b;
    }
  }
  return count;
}

// Entries of row i on body b, dense.
static inline void row_of(const stc_matrix *A, int i, int per_body, int b, double *row) {
  memset(row, 0, (size_t)per_body * sizeof *row);
  for (int k = A->p[i]; k < A->p[i + 1]; k++)
    if (A->i[k] / per_body == b) row[A->i[k] % per_body] = A->x[k];
}

// Where corner c of a cube stands on a slope: 1 below its centre, -1 above.
static inline double side_of_corner(const stc_global_data *g, int c) {
  double row[6];
  row_of(&g->H, 3 * c, 6, 0, row);
  return row[4] < 0.0 ? 1.0 : -1.0;  // (x, y, z) x e_z has -x on the y axis
}

#endif
