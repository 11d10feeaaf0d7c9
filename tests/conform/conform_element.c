// Every cell that fills the plane or space, distorted: its table is complete, linear fields are
// exact in it, its stiffness knows no force for a rigid motion, and a file of Gmsh keeps it.
#include "unit/fem_support.h"

#include "base/random.h"
#include "fem/solid/element.h"

#include "scratch.h"

static void each_element(void (*fact)(stc_cell_type type)) {
  int count = 0;
  for (stc_cell_type type = 0; type < STC_CELL_TYPES; type++)
    if (stc_cell_dim(type) > 1) fact(type), count++;
  assert_true(count > 0);
}

// Nodes of the reference cell, 2 to 3 times as large and moved by a tenth.
static void place_distorted(stc_cell_type type, double *x) {
  stc_random random = stc_random_seed(4);
  int dim = stc_cell_dim(type);
  for (int a = 0; a < stc_cell_nodes(type); a++) {
    stc_cell_node_place(type, a, x + a * dim);
    for (int i = 0; i < dim; i++)
      x[a * dim + i] = (2 + 0.5 * i) * x[a * dim + i] + 5 + 0.1 * stc_random_uniform(&random);
  }
}

static void has_a_row(stc_cell_type type) {
  const stc_cell_row *row = stc_cell_of(type);
  assert_true(row->name[0] && row->summary[0] && row->gmsh > 0 && row->vtk > 0);
  assert_true(row->corners > row->dim && row->corners <= row->nodes);
  assert_true(row->nodes <= STC_CELL_MAX_NODES);
  for (int k = 0; k < 3; k++)
    assert_true(row->rule[k].points > 0 && row->rule[k].points <= STC_CELL_MAX_POINTS);
  for (stc_cell_type other = 0; other < type; other++)
    assert_true(stc_cell_of(other)->gmsh != row->gmsh && strcmp(stc_cell_name(other), row->name));
}

// N_a is 1 at node a and 0 at the others.
static void shape_functions_belong_to_nodes(stc_cell_type type) {
  for (int a = 0; a < stc_cell_nodes(type); a++) {
    double xi[3] = {0}, N[STC_CELL_MAX_NODES];
    stc_cell_node_place(type, a, xi);
    stc_cell_shape(type, xi, N, NULL);
    for (int b = 0; b < stc_cell_nodes(type); b++) expect_near(N[b], a == b, 1e-14);
  }
}

static double field(int dim, const double *x) {
  return 3 + 2 * x[0] - x[1] + (dim == 3 ? 4 * x[2] : 0);
}

// u = 3 + 2 x - y + 4 z: sum N_a = 1, and the gradient is (2, -1, 4) at the points of every rule.
static void linear_fields_are_exact(stc_cell_type type) {
  static const double gradient[3] = {2, -1, 4};
  const stc_space_measure measure = {.thickness = 1};
  double x[STC_CELL_MAX_DOFS];
  int dim = stc_cell_dim(type);
  place_distorted(type, x);
  for (int kind = 0; kind < 3; kind++) {
    stc_table table;
    stc_table_create(type, (stc_rule_kind)kind, &table);
    for (int q = 0; q < table.rule.points; q++) {
      stc_point point;
      double sum = 0, slope[3] = {0};
      stc_point_at(&table, q, x, &measure, &point);
      for (int a = 0; a < table.nodes; a++) {
        sum += table.N[q][a];
        for (int i = 0; i < dim; i++) slope[i] += point.grad[a][i] * field(dim, x + a * dim);
      }
      assert_true(point.weight > 0);
      expect_near(sum, 1, 1e-14);
      for (int i = 0; i < dim; i++) expect_near(slope[i], gradient[i], 1e-12);
    }
  }
}

static double volume(stc_cell_type type, stc_rule_kind kind, const double *x) {
  const stc_space_measure measure = {.thickness = 1};
  stc_table table;
  double sum = 0;
  stc_table_create(type, kind, &table);
  for (int q = 0; q < table.rule.points; q++) {
    stc_point point;
    stc_point_at(&table, q, x, &measure, &point);
    sum += point.weight;
  }
  return sum;
}

// The Jacobian of a mildly distorted cell is nearly linear: the rules agree on the volume.
static void rules_agree_on_the_volume(stc_cell_type type) {
  double x[STC_CELL_MAX_DOFS];
  place_distorted(type, x);
  double one = volume(type, STC_RULE_STIFFNESS, x);
  for (int kind = 1; kind < 3; kind++)
    expect_near(volume(type, (stc_rule_kind)kind, x) / one, 1, 1e-3);
}

// A Gmsh file of one cell gives the cell back.
static void gmsh_keeps_it(stc_cell_type type) {
  double x[STC_CELL_MAX_DOFS];
  const unsigned char types[] = {(unsigned char)type};
  const int cell[] = {0}, ptr[] = {0, stc_cell_nodes(type)};
  int node[STC_CELL_MAX_NODES];
  for (int a = 0; a < STC_CELL_MAX_NODES; a++) node[a] = a;
  place_distorted(type, x);
  const stc_group group = {.name = "b", .dim = stc_cell_dim(type), .cells = 1, .cell = cell};
  const stc_mesh mesh = {.dim = stc_cell_dim(type),
                         .nodes = stc_cell_nodes(type),
                         .x = x,
                         .cells = 1,
                         .type = types,
                         .ptr = ptr,
                         .node = node,
                         .groups = 1,
                         .group = &group};
  char path[128];
  stc_mesh *read = NULL;
  snprintf(path, sizeof path, "%s/conform_%s.msh", scratch_directory(), stc_cell_name(type));
  expect_ok(stc_mesh_write(path, &mesh));
  expect_ok(stc_mesh_read(path, &read));
  remove(path);
  assert_int_equal(read->cells, 1);
  assert_int_equal(read->type[0], type);
  assert_int_equal(read->nodes, mesh.nodes);
  for (int k = 0; k < mesh.nodes * mesh.dim; k++) expect_near(read->x[k], x[k], 1e-15 * fabs(x[k]));
  stc_mesh_free(&read);
}

// Clamped at x >= 5 by rollers and stretched: K u = 0 for every rigid motion.
static void rigid_motions_need_no_force(stc_cell_type type) {
  const stc_space_measure measure = {.thickness = 1};
  int dim = stc_cell_dim(type), size = dim * stc_cell_nodes(type);
  double x[STC_CELL_MAX_DOFS], D[STC_VOIGT][STC_VOIGT] = {{0}};
  double K[STC_CELL_MAX_DOFS][STC_CELL_MAX_DOFS] = {{0}};
  for (int i = 0; i < STC_VOIGT; i++)
    for (int j = 0; j < STC_VOIGT; j++) D[i][j] = i == j ? (i < 3 ? 3 : 1) : i < 3 && j < 3;
  stc_table table;
  stc_table_create(type, STC_RULE_STIFFNESS, &table);
  place_distorted(type, x);
  for (int q = 0; q < table.rule.points; q++) {
    stc_point point;
    stc_point_at(&table, q, x, &measure, &point);
    stc_point_add_stiffness(&table, &point, D, K);
  }
  for (int i = 0; i < size; i++) {
    double slide = 0, rotate = 0;
    for (int j = 0; j < size; j++) {
      double k = j / dim < i / dim ? K[j][i] : K[i][j];
      slide += j % dim == 0 ? k : 0;
      rotate += j % dim == 0 ? -k * x[j + 1] : j % dim == 1 ? k * x[j - 1] : 0;
    }
    assert_true(K[i][i] > 0);
    expect_near(slide, 0, 1e-12);
    expect_near(rotate, 0, 1e-11);
  }
}

#define FACT(name)                                                                                 \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    each_element(name);                                                                            \
  }
FACT(has_a_row)
FACT(shape_functions_belong_to_nodes)
FACT(linear_fields_are_exact)
FACT(rules_agree_on_the_volume)
FACT(gmsh_keeps_it)
FACT(rigid_motions_need_no_force)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_has_a_row),
      cmocka_unit_test(test_shape_functions_belong_to_nodes),
      cmocka_unit_test(test_linear_fields_are_exact),
      cmocka_unit_test(test_rules_agree_on_the_volume),
      cmocka_unit_test(test_gmsh_keeps_it),
      cmocka_unit_test(test_rigid_motions_need_no_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
