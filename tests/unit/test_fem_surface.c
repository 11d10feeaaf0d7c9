// Contact candidates: rows on matching and other meshes, gaps, frames, edges, what is refused.
#include "contact_support.h"

#include "fem/contact/contact_surface.h"

// Two blocks, the upper one lifted by `lift` and moved aside by `aside` in the mesh itself.
static void apart(model *m, stc_cell_type type, stc_kinematics kinematics, int below, int above,
                  double lift, double aside) {
  stack_blocks(m, type, kinematics, below, above, 0.1);
  stc_mesh_free(&m->mesh);
  place where = {.dim = m->dim, .size = {1, 1, 1}, .skew = 0.1};
  stc_mesh *lower = block_mesh(type, "lower", below, &where);
  where.shift[m->dim - 1] = 1 + lift;
  where.shift[0] = aside;
  stc_mesh *upper = block_mesh(type, "upper", above, &where);
  const stc_mesh *both[] = {lower, upper};
  expect_ok(stc_mesh_join(2, both, &m->mesh));
  m->description.mesh = m->mesh;
  stc_mesh_free(&lower);
  stc_mesh_free(&upper);
}

static stc_surface *find(const model *m, const double *u) {
  stc_surface *surface = NULL;
  double *zero = test_calloc((size_t)m->mesh->nodes * (size_t)m->dim, sizeof *zero);
  expect_ok(stc_surface_create(&m->description, &surface));
  expect_ok(stc_surface_find(surface, 0, u ? u : zero));
  test_free(zero);
  return surface;
}

// Matching meshes: a row is the slave node and the one below it, weights 1 and -1, nothing else.
static void matching_nodes_pair_up(void **state) {
  static const stc_cell_type types[] = {STC_CELL_T3, STC_CELL_Q4, STC_CELL_T4, STC_CELL_H8};
  for (int t = 0; t < 4; t++) {
    model m;
    int dim = stc_cell_dim(types[t]);
    stack_blocks(&m, types[t], dim == 3 ? STC_SOLID : STC_PLANE_STRAIN, 3, 3, 0);
    stc_surface *s = find(&m, NULL);
    const stc_csr *H = stc_surface_rows(s);
    for (int k = 0; k < stc_surface_count(s); k++) {
      int row = k * dim, e = H->ptr[row];
      assert_int_equal(H->ptr[row + 1] - e, 2);
      expect_near(H->val[e], -1, 1e-12);
      expect_near(H->val[e + 1], 1, 1e-12);
      assert_int_equal(H->col[e + 1] / dim, stc_surface_candidates(s)[k].node);
    }
    stc_surface_free(&s);
    stc_surface_free(&s);  // twice is safe
    free_model(&m);
  }
}

// A block lifted by 0.25 is 0.25 away at every node, its areas add up to the face (to the circle
// about an axis), and a rigid translation of everything moves neither gap nor slip.
static void expect_distance(stc_cell_type type, stc_kinematics kinematics, bool finite) {
  model m;
  apart(&m, type, kinematics, 3, 4, 0.25, 0);
  m.pair.finite_sliding = finite;
  stc_surface *s = find(&m, NULL);
  int rows = stc_surface_count(s) * m.dim;
  double *u = test_calloc((size_t)m.mesh->nodes * (size_t)m.dim, sizeof *u), area = 0;
  double *v = test_calloc((size_t)rows, sizeof *v);
  for (int i = 0; i < m.mesh->nodes * m.dim; i++) u[i] = 0.3 + i % m.dim;
  stc_csr_multiply(stc_surface_rows(s), u, 0, v);
  for (int i = 0; i < rows; i++) expect_near(v[i], 0, 1e-12);
  for (int k = 0; k < stc_surface_count(s); k++) {
    const stc_candidate *c = &stc_surface_candidates(s)[k];
    assert_true(c->opposite);
    expect_near(c->gap, 0.25, 1e-13);
    expect_near(c->frame[0][m.dim - 1], 1, 1e-13);  // from the master to the slave
    area += c->area;
  }
  expect_near(area, kinematics == STC_AXISYMMETRIC ? 3.14159265358979323846 : 1, 1e-12);
  test_free(u), test_free(v);
  stc_surface_free(&s);
  free_model(&m);
}

static void gaps_are_distances(void **state) {
  static const stc_cell_type plane[] = {STC_CELL_T3, STC_CELL_Q4, STC_CELL_T6, STC_CELL_Q8};
  for (int t = 0; t < 4; t++)
    for (int finite = 0; finite < 2; finite++) {
      expect_distance(plane[t], STC_PLANE_STRAIN, finite);
      expect_distance(plane[t], STC_AXISYMMETRIC, finite);
    }
  expect_distance(STC_CELL_T4, STC_SOLID, false);
  expect_distance(STC_CELL_H8, STC_SOLID, true);
}

// Half of the upper block hangs over the edge: half of the area has something opposite, nodes far
// out have nothing.
static void overhang_is_not_counted(void **state) {
  static const stc_cell_type types[] = {STC_CELL_Q4, STC_CELL_Q8, STC_CELL_T4, STC_CELL_H8};
  for (int t = 0; t < 4; t++) {
    model m;
    int dim = stc_cell_dim(types[t]), alone = 0;
    apart(&m, types[t], dim == 3 ? STC_SOLID : STC_PLANE_STRAIN, 3, 4, 0, 0.5);
    stc_surface *s = find(&m, NULL);
    double area = 0;
    for (int k = 0; k < stc_surface_count(s); k++) {
      const stc_candidate *c = &stc_surface_candidates(s)[k];
      area += c->area;
      alone += !c->opposite;
      if (c->opposite) expect_near(c->gap, 0, 1e-13);
    }
    expect_near(area, 0.5, dim == 3 ? 0.02 : 1e-12);  // bent side faces in space
    assert_true(alone > 0);
    stc_surface_free(&s);
    free_model(&m);
  }
}

// u moves the nodes of a group by x along the first axis.
static void move_group(const model *m, const char *name, double x, double *u) {
  const stc_group *g = &m->mesh->group[stc_mesh_find(m->mesh, name)];
  for (int k = 0; k < g->cells; k++)
    for (int e = m->mesh->ptr[g->cell[k]]; e < m->mesh->ptr[g->cell[k] + 1]; e++)
      u[m->mesh->node[e] * m->dim] = x;
}

// Sliding over an edge, the rows change by as little as the place does.
static void rows_are_continuous(void **state) {
  static const stc_cell_type types[] = {STC_CELL_Q4, STC_CELL_Q8, STC_CELL_H8};
  for (int t = 0; t < 3; t++) {
    model m;
    int dim = stc_cell_dim(types[t]);
    stack_blocks(&m, types[t], dim == 3 ? STC_SOLID : STC_PLANE_STRAIN, 3, 4, 0);
    m.pair.finite_sliding = true;
    size_t size = (size_t)m.mesh->nodes * (size_t)dim;
    double *u = test_calloc(size, sizeof *u), *probe = test_calloc(size, sizeof *probe);
    double *before = NULL;
    for (size_t i = 0; i < size; i++) probe[i] = sin(1.0 + 3.0 * (double)i);
    for (int past = 0; past < 2; past++) {  // matching the edge, and just past it
      move_group(&m, "upper", 1e-6 * past, u);
      stc_surface *s = find(&m, u);
      int rows = stc_surface_count(s) * dim;
      double *v = test_calloc((size_t)rows, sizeof *v);
      stc_csr_multiply(stc_surface_rows(s), probe, 0, v);
      for (int i = 0; before && i < rows; i++) expect_near(v[i], before[i], 1e-3);
      if (before) test_free(before);
      before = v;
      stc_surface_free(&s);
    }
    test_free(u), test_free(probe), test_free(before);
    free_model(&m);
  }
}

static void refuse(const model *m, stc_error code, const char *words) {
  stc_surface *surface = NULL;
  expect_failure(stc_surface_create(&m->description, &surface), code, words);
  assert_null(surface);
}

static void mistakes_get_a_sentence(void **state) {
  model m;
  stack_blocks(&m, STC_CELL_Q4, STC_PLANE_STRAIN, 2, 2, 0);
  m.pair.mu = -1;
  refuse(&m, STC_ERR_VALUE, "mu = -1");
  m.pair.mu = 0;
  m.pair.master = NULL;
  refuse(&m, STC_ERR_ARGUMENT, "neither a master surface nor an obstacle");
  m.pair.master = "lower.t2";
  refuse(&m, STC_ERR_ARGUMENT, "did you mean 'lower.t");
  m.pair.master = "upper.s0";
  refuse(&m, STC_ERR_VALUE, "belongs to the slave and to the master");
  m.pair.master = "lower";
  refuse(&m, STC_ERR_UNSUPPORTED, "contact surfaces are made of L2 and L3");
  free_model(&m);
}

TEST_PROGRAM(cmocka_unit_test(matching_nodes_pair_up), cmocka_unit_test(gaps_are_distances),
             cmocka_unit_test(overhang_is_not_counted), cmocka_unit_test(rows_are_continuous),
             cmocka_unit_test(mistakes_get_a_sentence))
