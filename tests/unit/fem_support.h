// What the tests of deformable bodies share: small grids, and a solid solved by a dense Cholesky
// factorisation of its own.
#ifndef STC_TEST_FEM_SUPPORT_H
#define STC_TEST_FEM_SUPPORT_H

#include "expect.h"

#include "fem/solid/solid.h"

static const stc_cell_type body_types[] = {STC_CELL_T3, STC_CELL_T6, STC_CELL_Q4,
                                           STC_CELL_Q8, STC_CELL_T4, STC_CELL_H8};
#define BODY_TYPES 6

/// x = s + a wave that is 0 on the sides of the unit square or cube.
static inline bool distort(void *user, const double *s, double *x) {
  int dim = *(const int *)user;
  double bump = 0.25;
  for (int i = 0; i < dim; i++) bump *= 4 * s[i] * (1 - s[i]) * (1 + s[i] / 3);
  static const double direction[3] = {0.3, -0.2, 0.25};
  for (int i = 0; i < dim; i++) x[i] = s[i] + bump * direction[i];
  return true;
}

/// The unit square or cube in `count` - 1 distorted cells along each side, called "b".
static inline stc_mesh *distorted_grid(stc_cell_type type, int count) {
  int dim = stc_cell_dim(type);
  stc_grid grid = {.type = type, .count = {count, count, count}, .body = "b", .map = distort};
  grid.user = &dim;
  stc_mesh *mesh = NULL;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  return mesh;
}

static inline stc_mesh *plain_grid(stc_cell_type type, int across, int up, int deep) {
  stc_grid grid = {.type = type, .count = {across, up, deep}, .body = "b"};
  stc_mesh *mesh = NULL;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  return mesh;
}

/// One body "b" with the given material; the description points to `body`.
static inline stc_fem_description describe(const stc_mesh *mesh, stc_kinematics kinematics,
                                           const stc_body *body) {
  return (stc_fem_description){.mesh = mesh, .kinematics = kinematics, .bodies = 1, .body = body};
}

static inline stc_solid *make_solid(const stc_fem_description *description) {
  stc_solid *solid = NULL;
  expect_ok(stc_solid_create(description, 1, &solid));
  return solid;
}

// --- Samples: every type of cell with every kinematics it can have ---

static const stc_material steel = {.young = 2e5, .poisson = 0.3, .density = 7.8};
static const stc_material soft = {
    .young = 2e5, .poisson = 0.3, .yield = 300, .hardening = 2000, .density = 7.8};

static const struct {
  stc_cell_type type;
  stc_kinematics kinematics;
} cases[] = {
    {STC_CELL_T3, STC_PLANE_STRAIN}, {STC_CELL_T3, STC_PLANE_STRESS},
    {STC_CELL_T3, STC_AXISYMMETRIC}, {STC_CELL_T6, STC_PLANE_STRAIN},
    {STC_CELL_T6, STC_PLANE_STRESS}, {STC_CELL_T6, STC_AXISYMMETRIC},
    {STC_CELL_Q4, STC_PLANE_STRAIN}, {STC_CELL_Q4, STC_PLANE_STRESS},
    {STC_CELL_Q4, STC_AXISYMMETRIC}, {STC_CELL_Q8, STC_PLANE_STRAIN},
    {STC_CELL_Q8, STC_PLANE_STRESS}, {STC_CELL_Q8, STC_AXISYMMETRIC},
    {STC_CELL_T4, STC_SOLID},        {STC_CELL_H8, STC_SOLID},
};
#define CASES ((int)(sizeof cases / sizeof *cases))

/// One case on a distorted grid with one material.
typedef struct sample {
  stc_mesh *mesh;
  stc_body body;
  stc_fem_description description;
  stc_solid *solid;
  int size;
} sample;

static inline void make_sample(sample *s, int k, const stc_material *material) {
  s->mesh = distorted_grid(cases[k].type, 3);
  s->body = (stc_body){.group = "b", .material = *material};
  s->description = describe(s->mesh, cases[k].kinematics, &s->body);
  s->solid = make_solid(&s->description);
  s->size = stc_solid_size(s->solid);
}

static inline void free_sample(sample *s) {
  stc_solid_free(&s->solid);
  stc_solid_free(&s->solid);  // twice is safe
  stc_mesh_free(&s->mesh);
}

static inline double *vector(int size) { return test_calloc((size_t)size, sizeof(double)); }

/// x = A^-1 b for A [n][n] positive definite, in place.
static inline void cholesky_solve(int n, double *A, double *b) {
  for (int j = 0; j < n; j++) {
    double *row = A + (size_t)j * (size_t)n;
    for (int i = 0; i <= j; i++) {
      const double *other = A + (size_t)i * (size_t)n;
      double sum = row[i];
      for (int k = 0; k < i; k++) sum -= row[k] * other[k];
      if (i == j) assert_true(sum > 0);
      row[i] = i == j ? sqrt(sum) : sum / other[i];
    }
    double sum = b[j];
    for (int k = 0; k < j; k++) sum -= row[k] * b[k];
    b[j] = sum / row[j];
  }
  for (int j = n - 1; j >= 0; j--) {
    for (int k = j + 1; k < n; k++) b[j] -= A[(size_t)k * (size_t)n + (size_t)j] * b[k];
    b[j] /= A[(size_t)j * (size_t)n + (size_t)j];
  }
}

/// One Newton step of F(u) = load for the unknowns that are not fixed; returns the largest
/// |F - load| among them before it.
static inline double newton_step(stc_solid *solid, const double *load, const bool *fixed,
                                 double *u) {
  const stc_csr *K = stc_solid_pattern(solid);
  int size = stc_solid_size(solid), n = 0;
  double *F = vector(size), *val = vector(stc_csr_entries(K)), largest = 0;
  int *number = test_calloc((size_t)size, sizeof *number);
  expect_ok(stc_solid_assemble(solid, u, F, val));
  for (int i = 0; i < size; i++) number[i] = fixed[i] ? -1 : n++;
  double *A = test_calloc((size_t)n * (size_t)n, sizeof *A), *b = vector(n);
  for (int i = 0; i < size; i++) {
    if (fixed[i]) continue;
    b[number[i]] = load[i] - F[i];
    largest = fmax(largest, fabs(load[i] - F[i]));
    for (int k = K->ptr[i]; k < K->ptr[i + 1]; k++)
      if (!fixed[K->col[k]]) A[(size_t)number[i] * (size_t)n + (size_t)number[K->col[k]]] = val[k];
  }
  cholesky_solve(n, A, b);
  for (int i = 0; i < size; i++)
    if (!fixed[i]) u[i] += b[number[i]];
  test_free(F), test_free(val), test_free(number), test_free(A), test_free(b);
  return largest;
}

/// Solves at time t by `steps` Newton steps from u; the last state is assembled but not kept.
static inline void solve_at(stc_solid *solid, double t, int steps, double *u) {
  int size = stc_solid_size(solid);
  double *load = vector(size), *value = vector(size), *F = vector(size);
  bool *fixed = test_calloc((size_t)size, sizeof *fixed);
  expect_ok(stc_solid_load(solid, t, load));
  expect_ok(stc_solid_supports(solid, t, fixed, value));
  for (int i = 0; i < size; i++)
    if (fixed[i]) u[i] = value[i];
  for (int k = 0; k < steps; k++) newton_step(solid, load, fixed, u);
  expect_ok(stc_solid_assemble(solid, u, F, NULL));
  test_free(load), test_free(value), test_free(fixed), test_free(F);
}

#endif
