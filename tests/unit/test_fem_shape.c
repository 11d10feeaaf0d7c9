// Reference cells: shape functions are 1 at their node and 0 at the others, sum to 1, reproduce
// linear fields; derivatives agree with differences; rules are exact to their degree.
#include "expect.h"

#include "fem/mesh/shape_functions.h"

static void at_nodes_shape_functions_are_0_or_1(void **state) {
  for (stc_cell_type type = STC_CELL_P1; type < STC_CELL_TYPES; type++)
    for (int a = 0; a < stc_cell_nodes(type); a++) {
      double xi[3] = {0}, N[STC_CELL_MAX_NODES];
      stc_cell_node_place(type, a, xi);
      stc_cell_shape(type, xi, N, NULL);
      for (int b = 0; b < stc_cell_nodes(type); b++) expect_near(N[b], a == b, 1e-15);
    }
}

/// A point inside every reference cell.
static const double inside[3] = {0.23, 0.31, 0.17};

static void they_reproduce_constants_and_coordinates(void **state) {
  for (stc_cell_type type = STC_CELL_L2; type < STC_CELL_TYPES; type++) {
    double N[STC_CELL_MAX_NODES], sum = 0, x[3] = {0};
    int dim = stc_cell_dim(type);
    stc_cell_shape(type, inside, N, NULL);
    for (int a = 0; a < stc_cell_nodes(type); a++) {
      double xi[3];
      stc_cell_node_place(type, a, xi);
      sum += N[a];
      for (int i = 0; i < dim; i++) x[i] += N[a] * xi[i];
    }
    expect_near(sum, 1, 1e-15);
    for (int i = 0; i < dim; i++) expect_near(x[i], inside[i], 1e-15);
  }
}

static void derivatives_agree_with_differences(void **state) {
  const double h = 1e-5;  // central differences of quadratics are exact but for rounding
  for (stc_cell_type type = STC_CELL_L2; type < STC_CELL_TYPES; type++) {
    double N[STC_CELL_MAX_NODES], dN[3 * STC_CELL_MAX_NODES];
    double up[STC_CELL_MAX_NODES], down[STC_CELL_MAX_NODES];
    int dim = stc_cell_dim(type);
    stc_cell_shape(type, inside, N, dN);
    for (int k = 0; k < dim; k++) {
      double xi[3] = {inside[0], inside[1], inside[2]};
      xi[k] = inside[k] + h, stc_cell_shape(type, xi, up, NULL);
      xi[k] = inside[k] - h, stc_cell_shape(type, xi, down, NULL);
      for (int a = 0; a < stc_cell_nodes(type); a++)
        expect_near(dN[a * dim + k], (up[a] - down[a]) / (2 * h), 1e-9);
    }
  }
}

// --- Quadrature ---

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Integral of x^i y^j z^k: products of 2/(i+1) for even powers on cubes,
/// i! j! k! / (i + j + k + dim)! on simplices.
static double exact(stc_cell_type type, const int *power) {
  int dim = stc_cell_dim(type), total = dim;
  bool simplex = type == STC_CELL_T3 || type == STC_CELL_T6 || type == STC_CELL_T4;
  double product = 1;
  for (int i = 0; i < dim; i++) {
    if (simplex)
      product *= factorial(power[i]);
    else
      product *= power[i] % 2 ? 0 : 2. / (power[i] + 1);
    total += power[i];
  }
  return simplex ? product / factorial(total) : product;
}

static void expect_degree(stc_cell_type type, stc_rule_kind kind, int points, int degree) {
  stc_rule rule = stc_cell_of(type)->rule[kind];
  int dim = stc_cell_dim(type);
  assert_int_equal(rule.points, points);
  for (int code = 0; code < 1000; code++) {
    int power[3] = {code % 10, code / 10 % 10, code / 100};
    if (power[0] + power[1] + power[2] > degree) continue;
    if ((dim < 3 && power[2]) || (dim < 2 && power[1])) continue;
    double sum = 0;
    for (int q = 0; q < rule.points; q++) {
      double term = rule.weight[q];
      for (int i = 0; i < dim; i++)
        for (int k = 0; k < power[i]; k++) term *= rule.xi[q * dim + i];
      sum += term;
    }
    expect_near(sum, exact(type, power), 1e-15);
  }
}

static void rules_are_exact_to_their_degree(void **state) {
  static const struct {
    stc_cell_type type;
    stc_rule_kind rule;
    int points, degree;
  } row[] = {{STC_CELL_L2, STC_RULE_MASS, 2, 3},      {STC_CELL_L3, STC_RULE_MASS, 3, 5},
             {STC_CELL_T3, STC_RULE_STIFFNESS, 1, 1}, {STC_CELL_T3, STC_RULE_RADIAL, 3, 2},
             {STC_CELL_T3, STC_RULE_MASS, 6, 4},      {STC_CELL_T6, STC_RULE_STIFFNESS, 3, 2},
             {STC_CELL_T6, STC_RULE_RADIAL, 6, 4},    {STC_CELL_T6, STC_RULE_MASS, 7, 5},
             {STC_CELL_Q4, STC_RULE_STIFFNESS, 4, 3}, {STC_CELL_Q8, STC_RULE_STIFFNESS, 9, 5},
             {STC_CELL_T4, STC_RULE_STIFFNESS, 1, 1}, {STC_CELL_T4, STC_RULE_MASS, 4, 2},
             {STC_CELL_H8, STC_RULE_STIFFNESS, 8, 3}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++)
    expect_degree(row[k].type, row[k].rule, row[k].points, row[k].degree);
}

// --- Geometry ---

static void area_vectors_point_right_of_a_line_and_up_from_a_face(void **state) {
  // The line from (0, 0) to (2, 0), body on its left, above: outward is -y; |dx/dxi| = 1.
  const double line[] = {0, 0, 2, 0}, face[] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
  const int node[] = {0, 1, 2};
  double N[8], dN[24], J[9], n[3];
  stc_cell_shape(STC_CELL_L2, inside, N, dN);
  stc_cell_jacobian(STC_CELL_L2, 2, line, node, dN, J);
  stc_cell_area(2, J, n);
  expect_near(n[0], 0, 0);
  expect_near(n[1], -1, 0);
  // Counter-clockwise in the plane seen from above: up, twice the area of the triangle.
  stc_cell_shape(STC_CELL_T3, inside, N, dN);
  stc_cell_jacobian(STC_CELL_T3, 3, face, node, dN, J);
  stc_cell_area(3, J, n);
  expect_near(n[0], 0, 0);
  expect_near(n[1], 0, 0);
  expect_near(n[2], 2, 0);
}

static void names_and_sizes(void **state) {
  assert_string_equal(stc_cell_name(STC_CELL_H8), "H8");
  assert_string_equal(stc_cell_name(STC_CELL_TYPES), "?");
  assert_int_equal(stc_cell_nodes(STC_CELL_Q8), 8);
  assert_int_equal(stc_cell_of(STC_CELL_Q8)->corners, 4);
  assert_int_equal(stc_cell_dim(STC_CELL_T4), 3);
  assert_int_equal(stc_cell_dim((stc_cell_type)200), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_nodes_shape_functions_are_0_or_1),
      cmocka_unit_test(they_reproduce_constants_and_coordinates),
      cmocka_unit_test(derivatives_agree_with_differences),
      cmocka_unit_test(rules_are_exact_to_their_degree),
      cmocka_unit_test(area_vectors_point_right_of_a_line_and_up_from_a_face),
      cmocka_unit_test(names_and_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
