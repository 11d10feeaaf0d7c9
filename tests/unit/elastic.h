// Stiffness matrices for the tests of linear solvers: a block of a mapped grid, one side clamped.
#ifndef STC_TEST_ELASTIC_H
#define STC_TEST_ELASTIC_H

#include "fem_support.h"

#include "linalg/sparse_solver.h"

typedef struct elastic {
  stc_mesh *mesh;
  int n, dim, modes;
  stc_csr K;
  int *node;
  double *mode;  // [modes][n]
} elastic;

/// Rigid motion m at x, component c.
static inline double rigid_motion(int dim, int m, int c, const double *x) {
  if (m < dim) return c == m;
  if (dim == 2) return c == 0 ? -x[1] : x[0];
  int a = (m - dim + 1) % 3, b = (m - dim + 2) % 3;
  return c == a ? -x[b] : c == b ? x[a] : 0;
}

static inline void keep_free(elastic *e, const stc_csr *pattern, const double *val,
                             const bool *fixed) {
  int size = pattern->rows, at = 0, *number = calloc((size_t)size, sizeof *number);
  for (int i = 0; i < size; i++) number[i] = fixed[i] ? -1 : e->n++;
  size_t n = (size_t)e->n, entries = (size_t)pattern->ptr[size];
  e->K = (stc_csr){e->n, e->n, calloc(n + 1, sizeof(int)), calloc(entries, sizeof(int)),
                   calloc(entries, sizeof(double))};
  e->modes = e->dim == 2 ? 3 : 6;
  e->node = calloc(n, sizeof *e->node);
  e->mode = calloc(n * (size_t)e->modes, sizeof *e->mode);
  for (int i = 0; i < size; i++) {
    int row = number[i];
    if (row < 0) continue;
    e->node[row] = i / e->dim;
    for (int m = 0; m < e->modes; m++)
      e->mode[(size_t)m * n + (size_t)row] =
          rigid_motion(e->dim, m, i % e->dim, e->mesh->x + i / e->dim * e->dim);
    for (int k = pattern->ptr[i]; k < pattern->ptr[i + 1]; k++)
      if (number[pattern->col[k]] >= 0) {
        e->K.col[at] = number[pattern->col[k]];
        e->K.val[at++] = val[k];
      }
    e->K.ptr[row + 1] = at;
  }
  free(number);
}

/// K of the grid, whose body is called "b", clamped on "b.s0".
static inline elastic make_elastic(const stc_grid *grid, double poisson) {
  elastic e = {.dim = stc_cell_dim(grid->type)};
  expect_ok(stc_mesh_grid(grid, &e.mesh));
  stc_body body = {.group = "b", .material = {.young = 1, .poisson = poisson}};
  stc_support support[3];
  for (int c = 0; c < 3; c++) support[c] = (stc_support){.group = "b.s0", .component = c};
  stc_fem_description d = describe(e.mesh, e.dim == 2 ? STC_PLANE_STRAIN : STC_SOLID, &body);
  d.supports = e.dim;
  d.support = support;
  stc_solid *solid = make_solid(&d);
  const stc_csr *pattern = stc_solid_pattern(solid);
  size_t size = (size_t)pattern->rows;
  double *u = calloc(size, sizeof *u), *F = calloc(size, sizeof *F);
  double *val = calloc((size_t)pattern->ptr[pattern->rows], sizeof *val);
  bool *fixed = calloc(size, sizeof *fixed);
  expect_ok(stc_solid_assemble(solid, u, F, val));
  expect_ok(stc_solid_supports(solid, 0, fixed, F));
  keep_free(&e, pattern, val, fixed);
  stc_solid_free(&solid);
  free(u), free(F), free(val), free(fixed);
  return e;
}

static inline stc_sparse_hints elastic_hints(const elastic *e, stc_sparse_kind kind, int threads) {
  return (stc_sparse_hints){.kind = kind,
                            .modes = e->modes,
                            .mode = e->mode,
                            .node = e->node,
                            .dim = e->dim,
                            .x = e->mesh->x,
                            .threads = threads};
}

static inline void free_elastic(elastic *e) {
  stc_mesh_free(&e->mesh);
  free(e->K.ptr), free(e->K.col), free(e->K.val), free(e->node), free(e->mode);
}

/// A vector without any pattern.
static inline double *scattered(size_t n) {
  double *x = calloc(n, sizeof *x);
  for (size_t i = 0; i < n; i++) x[i] = sin(1.3 * (double)i) + cos(0.7 * (double)(i * i % 1000));
  return x;
}

#endif
