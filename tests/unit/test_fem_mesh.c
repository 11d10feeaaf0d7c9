// Meshes in memory: grids fill their square or cube and are closed by outward sides, joins keep
// bodies apart, every broken mesh gets its sentence.
#include "fem_support.h"

#include "fem/mesh/mesh.h"
#include "fem/mesh/shape_functions.h"

// --- Grids ---

/// Area or volume of a body cell.
static double content(const stc_mesh *m, int c) {
  stc_rule rule = stc_cell_of(m->type[c])->rule[STC_RULE_MASS];
  double sum = 0;
  for (int q = 0; q < rule.points; q++) {
    double N[8], dN[24], J[9];
    stc_cell_shape(m->type[c], rule.xi + q * m->dim, N, dN);
    stc_cell_jacobian(m->type[c], m->dim, m->x, m->node + m->ptr[c], dN, J);
    sum += rule.weight[q] * stc_cell_det(m->dim, J);
  }
  return sum;
}

/// Adds the integral of the area vector of a surface cell to `area` and of x . n to `flux`.
static void add_surface(const stc_mesh *m, int c, double *area, double *flux) {
  stc_rule rule = stc_cell_of(m->type[c])->rule[STC_RULE_MASS];
  const int *node = m->node + m->ptr[c];
  for (int q = 0; q < rule.points; q++) {
    double N[8], dN[24], J[9], n[3];
    stc_cell_shape(m->type[c], rule.xi + q * (m->dim - 1), N, dN);
    stc_cell_jacobian(m->type[c], m->dim, m->x, node, dN, J);
    stc_cell_area(m->dim, J, n);
    for (int i = 0; i < m->dim; i++) {
      area[i] += rule.weight[q] * n[i];
      for (int a = 0; a < stc_cell_nodes(m->type[c]); a++)
        *flux += rule.weight[q] * n[i] * N[a] * m->x[node[a] * m->dim + i];
    }
  }
}

static void grids_fill_the_cube_and_sides_point_outward(void **state) {
  for (int k = 0; k < BODY_TYPES; k++) {
    stc_mesh *m = distorted_grid(body_types[k], 4);
    double volume = 0, flux = 0, area[3] = {0};
    for (int c = 0; c < m->cells; c++) {
      if (stc_cell_dim(m->type[c]) == m->dim)
        volume += content(m, c);
      else
        add_surface(m, c, area, &flux);
    }
    expect_near(volume, 1, 1e-14);                               // the map moves inner points only
    for (int i = 0; i < 3; i++) expect_near(area[i], 0, 1e-14);  // closed
    expect_near(flux, m->dim, 1e-14);  // Gauss: the integral of div x; -dim if turned inward
    assert_int_equal(m->groups, 1 + 2 * m->dim);
    stc_mesh_free(&m);
  }
}

static void sides_lie_where_their_names_say(void **state) {
  static const char *const side[] = {"b.s0", "b.s1", "b.t0", "b.t1", "b.w0", "b.w1"};
  for (int k = 0; k < BODY_TYPES; k++) {
    stc_mesh *m = distorted_grid(body_types[k], 3);
    for (int s = 0; s < 2 * m->dim; s++) {
      int g = stc_mesh_find(m, side[s]);
      assert_true(g > 0);
      for (int l = 0; l < m->group[g].cells; l++) {
        int c = m->group[g].cell[l];
        for (int at = m->ptr[c]; at < m->ptr[c + 1]; at++)
          expect_near(m->x[m->node[at] * m->dim + s / 2], s % 2, 1e-15);
      }
    }
    assert_int_equal(stc_mesh_find(m, "b.x0"), -1);
    stc_mesh_free(&m);
  }
}

/// Every face of a side has one body behind it, and its normal points out of it.
static void sides_belong_to_body_cells(void **state) {
  for (int k = 0; k < BODY_TYPES; k++) {
    stc_mesh *m = distorted_grid(body_types[k], 3);
    stc_arena arena = {0};
    stc_around around;
    expect_ok(stc_mesh_around(&arena, m, m->dim, &around));
    for (int c = 0; c < m->cells; c++) {
      if (stc_cell_dim(m->type[c]) == m->dim) continue;
      int body;
      double sign;
      expect_ok(stc_mesh_side(m, &around, c, "side", &body, &sign));
      expect_near(sign, 1, 0);
    }
    stc_arena_free(&arena);
    stc_mesh_free(&m);
  }
}

/// How many body cells hold all the nodes but one of cell c.
static int cells_at_face(const stc_mesh *m, const stc_around *around, int c, int without) {
  const int *node = m->node + m->ptr[c];
  int first = node[without == 0 ? 1 : 0], count = 0;
  for (int k = around->ptr[first]; k < around->ptr[first + 1]; k++) {
    const int *other = m->node + m->ptr[around->cell[k]];
    int shared = 0;
    for (int a = 0; a <= m->dim; a++)
      for (int b = 0; b <= m->dim; b++) shared += a != without && node[a] == other[b];
    count += shared == m->dim;
  }
  return count;
}

/// A face of a triangle or tetrahedron belongs to two cells, or to one and a side.
static void simplices_meet_face_to_face(void **state) {
  for (int k = 0; k < 2; k++) {
    stc_mesh *m = distorted_grid(k ? STC_CELL_T4 : STC_CELL_T3, 4);
    stc_arena arena = {0};
    stc_around around;
    int outer = 0, sides = 0;
    expect_ok(stc_mesh_around(&arena, m, m->dim, &around));
    for (int c = 0; c < m->cells; c++) {
      sides += stc_cell_dim(m->type[c]) < m->dim;
      for (int a = 0; stc_cell_dim(m->type[c]) == m->dim && a <= m->dim; a++) {
        int cells = cells_at_face(m, &around, c, a);
        assert_true(cells == 1 || cells == 2);
        outer += cells == 1;
      }
    }
    assert_int_equal(outer, sides);
    stc_arena_free(&arena), stc_mesh_free(&m);
  }
}

static void grids_count(void **state) {
  // 3 x 2 squares: Q4 has 12 nodes, Q8 12 + 17 edges, T6 those and 6 middles.
  stc_mesh *m = plain_grid(STC_CELL_Q4, 4, 3, 0);
  assert_int_equal(m->nodes, 12), assert_int_equal(m->cells, 6 + 10), stc_mesh_free(&m);
  m = plain_grid(STC_CELL_Q8, 4, 3, 0);
  assert_int_equal(m->nodes, 29), assert_int_equal(m->cells, 6 + 10), stc_mesh_free(&m);
  m = plain_grid(STC_CELL_T6, 4, 3, 0);
  assert_int_equal(m->nodes, 35), assert_int_equal(m->cells, 12 + 10), stc_mesh_free(&m);
  m = plain_grid(STC_CELL_T4, 2, 2, 3);  // two bricks of six, ten faces of two
  assert_int_equal(m->nodes, 12), assert_int_equal(m->cells, 12 + 20), stc_mesh_free(&m);
}

static bool stop_map(void *user, const double *s, double *x) { return false; }

static bool turn_over(void *user, const double *s, double *x) {
  x[0] = -s[0], x[1] = s[1];
  return true;
}

static void grids_that_cannot_be_made_are_refused(void **state) {
  stc_mesh *m = NULL;
  stc_grid good = {.type = STC_CELL_Q4, .count = {3, 3}, .body = "b"}, g = good;
  g.body = NULL;
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_ARGUMENT, "no name");
  g = good, g.type = STC_CELL_L2;
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_ARGUMENT, "made of L2");
  g = good, g.count[1] = 1;
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_ARGUMENT, "1 numbers along t");
  g = good, g.list[0] = (const double[]){0, 0.5, 0.5};
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_VALUE, "number 2 along s is 0.5, after 0.5");
  g = good, g.list[0] = (const double[]){0, 0.5, NAN};
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_VALUE, "number 2 along s");
  g = good, g.count[0] = g.count[1] = 100000;
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_DIMENSION, "too many");
  g = good, g.map = stop_map;
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_CALLBACK, "the map stopped at (0, 0");
  g = good, g.map = turn_over;
  expect_failure(stc_mesh_grid(&g, &m), STC_ERR_VALUE, "grid 'b': cell 0 (Q4) is inverted");
  assert_null(m);
}

// --- Joining ---

static void joined_meshes_stand_side_by_side(void **state) {
  stc_mesh *a = plain_grid(STC_CELL_Q4, 3, 3, 0), *b = plain_grid(STC_CELL_T3, 2, 2, 0), *all;
  const stc_mesh *both[] = {a, b};
  expect_ok(stc_mesh_join(2, both, &all));
  assert_int_equal(all->nodes, 9 + 4);
  assert_int_equal(all->groups, 5);  // the names are the same
  expect_ok(stc_mesh_check(all));
  const stc_group *body = &all->group[stc_mesh_find(all, "b")];
  assert_int_equal(body->cells, 4 + 2);
  int last = body->cell[5];  // the last triangle of b
  assert_int_equal(all->type[last], STC_CELL_T3);
  for (int k = 0; k < 3; k++)
    assert_int_equal(all->node[all->ptr[last] + k], b->node[b->ptr[1] + k] + 9);
  stc_mesh_free(&all), stc_mesh_free(&b);
  stc_mesh_free(&b);  // twice is safe
  // A name of the second mesh alone keeps its own cells: number 12 of all, after the first's.
  const stc_group part = {"part", 2, 1, (const int[]){0}};
  stc_mesh second = *a;
  second.groups = 1, second.group = &part;
  expect_ok(stc_mesh_join(2, (const stc_mesh *[]){a, &second}, &all));
  assert_int_equal(all->group[stc_mesh_find(all, "part")].cell[0], 4 + 8);
  stc_mesh_free(&all), stc_mesh_free(&a);
}

static void meshes_that_do_not_fit_are_not_joined(void **state) {
  stc_mesh *a = plain_grid(STC_CELL_Q4, 2, 2, 0), *b = plain_grid(STC_CELL_H8, 2, 2, 2), *all;
  const stc_mesh *both[] = {a, b};
  expect_failure(stc_mesh_join(2, both, &all), STC_ERR_DIMENSION, "mesh 1 has dimension 3");
  expect_failure(stc_mesh_join(0, both, &all), STC_ERR_ARGUMENT, "at least one");
  stc_group line = {"b", 1, 1, (const int[]){1}};
  stc_mesh odd = *a;
  odd.groups = 1, odd.group = &line;
  expect_failure(stc_mesh_join(2, (const stc_mesh *[]){a, &odd}, &all), STC_ERR_DIMENSION,
                 "two meshes have a group 'b', of dimension 2 and 1");
  assert_null(all);
  stc_mesh_free(&a), stc_mesh_free(&b);
}

// --- Checking: a square of two triangles with a side, broken one way at a time ---

static const double square_x[] = {0, 0, 1, 0, 1, 1, 0, 1};
static const unsigned char square_type[] = {STC_CELL_T3, STC_CELL_T3, STC_CELL_L2};
static const int square_ptr[] = {0, 3, 6, 8};
static const int square_node[] = {0, 1, 2, 0, 2, 3, 0, 1};
static const int square_cell[] = {0, 1, 2};
static const stc_group square_group[] = {{"body", 2, 2, square_cell},
                                         {"side", 1, 1, square_cell + 2}};

static stc_mesh square_mesh(void) {
  return (stc_mesh){2, 4, square_x, 3, square_type, square_ptr, square_node, 2, square_group};
}

static void sound_meshes_pass(void **state) {
  stc_mesh m = square_mesh();
  expect_ok(stc_mesh_check(&m));
}

static void broken_arrays_are_named(void **state) {
  stc_mesh m = square_mesh();
  m.dim = 4;
  expect_failure(stc_mesh_check(&m), STC_ERR_DIMENSION, "dimension 4");
  m = square_mesh(), m.cells = 0;
  expect_failure(stc_mesh_check(&m), STC_ERR_DIMENSION, "0 cells");
  m = square_mesh(), m.x = NULL;
  expect_failure(stc_mesh_check(&m), STC_ERR_ARGUMENT, "NULL");
  m = square_mesh(), m.x = (const double[]){0, 0, 1, INFINITY, 1, 1, 0, 1};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "node 1: coordinate y is inf");
  m = square_mesh(), m.node = (const int[]){0, 1, 2, 0, 2, 4, 0, 1};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "cell 1 (T3) names node 4; there are 4");
  m = square_mesh(), m.node = (const int[]){0, 1, 2, 0, 2, 2, 0, 1};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "cell 1 (T3) has node 2 twice");
  m = square_mesh(), m.ptr = (const int[]){0, 3, 5, 8};
  expect_failure(stc_mesh_check(&m), STC_ERR_DIMENSION, "cell 1 (T3) has 2 nodes instead of 3");
  m = square_mesh(), m.type = (const unsigned char[]){STC_CELL_T3, 99, STC_CELL_L2};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "cell 1 has the unknown type 99");
  m = square_mesh(), m.cells = 2, m.groups = 0;
  m.type = (const unsigned char[]){STC_CELL_T4, STC_CELL_T4}, m.ptr = (const int[]){0, 4, 8};
  m.node = (const int[]){0, 1, 2, 3, 0, 1, 2, 3};
  expect_failure(stc_mesh_check(&m), STC_ERR_DIMENSION, "a T4 of dimension 3 in a mesh of");
}

static void broken_cells_are_named(void **state) {
  stc_mesh m = square_mesh();
  m.node = (const int[]){0, 1, 2, 0, 3, 2, 0, 1};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE,
                 "cell 1 (T3) is inverted (det J = -1): list its nodes (0, 3, 2) the other way");
  m = square_mesh(), m.x = (const double[]){0, 0, 1, 0, 1, 1, 0.5, 0.5};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "cell 1 (T3) is degenerate");
  // A quadrilateral with a corner pushed through its diagonal is folded there.
  m = square_mesh(), m.cells = 1, m.groups = 0, m.x = (const double[]){0, 0, 1, 0, 0.2, 0.2, 0, 1};
  m.type = (const unsigned char[]){STC_CELL_Q4}, m.ptr = (const int[]){0, 4};
  m.node = (const int[]){0, 1, 2, 3};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "cell 0 (Q4) is folded at node 2");
  m = square_mesh(), m.cells = 1, m.groups = 0, m.type = (const unsigned char[]){STC_CELL_L2};
  m.ptr = (const int[]){0, 2};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "there is no body");
}

static void broken_neighbours_are_named(void **state) {
  stc_mesh m = square_mesh();
  m.nodes = 5, m.x = (const double[]){0, 0, 1, 0, 1, 1, 0, 1, 7, 8};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "node 4 at (7, 8) belongs to no body");
  m = square_mesh(), m.groups = 0, m.cells = 3, m.ptr = (const int[]){0, 3, 6, 9};
  m.type = (const unsigned char[]){STC_CELL_T3, STC_CELL_T3, STC_CELL_T3};
  m.node = (const int[]){0, 1, 2, 0, 2, 3, 2, 0, 1};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "the cells 0 and 2 (T3) have the same nodes");
}

static void broken_groups_are_named(void **state) {
  stc_mesh m = square_mesh();
  stc_group bad = {"bad", 1, 1, (const int[]){7}};
  m.groups = 1, m.group = &bad;
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "group 'bad' names cell 7; there are 3");
  bad = (stc_group){"bad", 1, 2, (const int[]){2, 1}};
  expect_failure(stc_mesh_check(&m), STC_ERR_DIMENSION, "group 'bad' of dimension 1 holds cell 1");
  bad = (stc_group){"bad", 1, 2, (const int[]){2, 2}};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE, "group 'bad' names cell 2 twice");
  bad = (stc_group){NULL, 1, 1, (const int[]){2}};
  expect_failure(stc_mesh_check(&m), STC_ERR_ARGUMENT, "no name");
}

static void surfaces_that_branch_are_named(void **state) {
  // Three lines meet at node 0: two sides and the diagonal.
  stc_mesh m = square_mesh();
  stc_group fork = {"fork", 1, 3, (const int[]){2, 3, 4}};
  m.cells = 5, m.groups = 1, m.group = &fork;
  m.type = (const unsigned char[]){STC_CELL_T3, STC_CELL_T3, STC_CELL_L2, STC_CELL_L2, STC_CELL_L2};
  m.ptr = (const int[]){0, 3, 6, 8, 10, 12};
  m.node = (const int[]){0, 1, 2, 0, 2, 3, 0, 1, 3, 0, 0, 2};
  expect_failure(stc_mesh_check(&m), STC_ERR_VALUE,
                 "group 'fork' is no surface: the cells 2, 3 and 4 meet at node 0");
  // The two sides of a cube and a face between two bricks meet in an edge of three.
  stc_mesh *cube = plain_grid(STC_CELL_H8, 3, 2, 2);
  int cells = cube->cells, *ptr = test_calloc((size_t)cells + 2, sizeof *ptr);
  int *node = test_calloc((size_t)cube->ptr[cells] + 4, sizeof *node);
  unsigned char *type = test_calloc((size_t)cells + 1, 1);
  memcpy(ptr, cube->ptr, ((size_t)cells + 1) * sizeof *ptr);
  memcpy(node, cube->node, (size_t)ptr[cells] * sizeof *node);
  memcpy(type, cube->type, (size_t)cells);
  const int wall[] = {1, 4, 10, 7};  // the nodes at s = 1/2
  memcpy(node + ptr[cells], wall, sizeof wall);
  type[cells] = STC_CELL_Q4, ptr[cells + 1] = ptr[cells] + 4;
  const stc_group *floor = &cube->group[stc_mesh_find(cube, "b.w0")];
  stc_group tee = {"tee", 2, 3, (const int[]){floor->cell[0], floor->cell[1], cells}};
  stc_mesh broken = {3, cube->nodes, cube->x, cells + 1, type, ptr, node, 1, &tee};
  expect_failure(stc_mesh_check(&broken), STC_ERR_VALUE, "meet at the edge (1, 4)");
  test_free(ptr), test_free(node), test_free(type);
  stc_mesh_free(&cube);
}

static void unknown_groups_get_the_nearest_name(void **state) {
  stc_mesh m = square_mesh();
  const stc_group *group;
  expect_failure(stc_mesh_require(&m, "bodi", "support", 2, &group), STC_ERR_ARGUMENT,
                 "support 2: the mesh has no group 'bodi'; did you mean 'body'?");
  expect_failure(stc_mesh_require(&m, NULL, "support", 2, &group), STC_ERR_ARGUMENT, "NULL");
  expect_failure(stc_mesh_require(&m, "qqqqqqqq", "body", 0, &group), STC_ERR_ARGUMENT,
                 "it has 2, the first is 'body'");
  expect_ok(stc_mesh_require(&m, "side", "support", 2, &group));
  assert_ptr_equal(group, &square_group[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_fill_the_cube_and_sides_point_outward),
      cmocka_unit_test(sides_lie_where_their_names_say),
      cmocka_unit_test(sides_belong_to_body_cells),
      cmocka_unit_test(simplices_meet_face_to_face),
      cmocka_unit_test(grids_count),
      cmocka_unit_test(grids_that_cannot_be_made_are_refused),
      cmocka_unit_test(joined_meshes_stand_side_by_side),
      cmocka_unit_test(meshes_that_do_not_fit_are_not_joined),
      cmocka_unit_test(sound_meshes_pass),
      cmocka_unit_test(broken_arrays_are_named),
      cmocka_unit_test(broken_cells_are_named),
      cmocka_unit_test(broken_neighbours_are_named),
      cmocka_unit_test(broken_groups_are_named),
      cmocka_unit_test(surfaces_that_branch_are_named),
      cmocka_unit_test(unknown_groups_get_the_nearest_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
