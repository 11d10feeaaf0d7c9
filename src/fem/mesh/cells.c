// The cells of the library: shape functions as products of one-dimensional ones on lines,
// quadrilaterals and hexahedra, of barycentric coordinates on triangles and tetrahedra; products of
// Gauss-Legendre rules, the symmetric rules of degree 1, 2, 4 and 5 for triangles [Dunavant 1985],
// of degree 1 and 2 for tetrahedra.
#include "shape_functions.h"

#include <string.h>

/// Nodes of the reference square and cube, corners first.
static const double square[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1},
                                    {0, -1},  {1, 0},  {0, 1}, {-1, 0}};
static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const double line[3] = {-1, 1, 0};
static const double triangle[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
static const double tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void shape_P1(const double *xi, double *N, double *dN) {
  (void)xi, (void)dN;
  N[0] = 1;
}

// --- Lines ---

static void shape_L2(const double *xi, double *N, double *dN) {
  for (int a = 0; a < 2; a++) {
    N[a] = (1 + line[a] * xi[0]) / 2;
    if (dN) dN[a] = line[a] / 2;
  }
}

static void shape_L3(const double *xi, double *N, double *dN) {
  double x = xi[0];
  N[0] = x * (x - 1) / 2, N[1] = x * (x + 1) / 2, N[2] = (1 - x) * (1 + x);
  if (dN) dN[0] = x - 0.5, dN[1] = x + 0.5, dN[2] = -2 * x;
}

// --- Triangles and tetrahedra ---

/// N_0 = 1 - sum xi, N_k = xi_k.
static void shape_simplex(int dim, const double *xi, double *N, double *dN) {
  N[0] = 1;
  for (int k = 0; k < dim; k++) N[0] -= xi[k], N[k + 1] = xi[k];
  for (int a = 0; dN && a <= dim; a++)
    for (int k = 0; k < dim; k++) dN[a * dim + k] = a == 0 ? -1 : a == k + 1;
}

static void shape_T3(const double *xi, double *N, double *dN) { shape_simplex(2, xi, N, dN); }

static void shape_T4(const double *xi, double *N, double *dN) { shape_simplex(3, xi, N, dN); }

/// Corners L (2 L - 1), middles 4 L L'.
static void shape_T6(const double *xi, double *N, double *dN) {
  double L[3], dL[3][2];
  shape_simplex(2, xi, L, dL[0]);
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3;
    N[a] = L[a] * (2 * L[a] - 1);
    N[a + 3] = 4 * L[a] * L[b];
    for (int k = 0; dN && k < 2; k++) {
      dN[2 * a + k] = (4 * L[a] - 1) * dL[a][k];
      dN[2 * (a + 3) + k] = 4 * (dL[a][k] * L[b] + L[a] * dL[b][k]);
    }
  }
}

// --- Quadrilaterals and hexahedra ---

static void shape_Q4(const double *xi, double *N, double *dN) {
  for (int a = 0; a < 4; a++) {
    double p = 1 + square[a][0] * xi[0], q = 1 + square[a][1] * xi[1];
    N[a] = p * q / 4;
    if (dN) dN[2 * a] = square[a][0] * q / 4, dN[2 * a + 1] = square[a][1] * p / 4;
  }
}

static void shape_Q8(const double *xi, double *N, double *dN) {
  double x = xi[0], y = xi[1];
  for (int a = 0; a < 8; a++) {
    double s = square[a][0], t = square[a][1], p = 1 + s * x, q = 1 + t * y;
    double d[2];
    if (a < 4) {
      N[a] = p * q * (s * x + t * y - 1) / 4;
      d[0] = s * q * (2 * s * x + t * y) / 4, d[1] = t * p * (s * x + 2 * t * y) / 4;
    } else if (s == 0) {
      N[a] = (1 - x * x) * q / 2;
      d[0] = -x * q, d[1] = t * (1 - x * x) / 2;
    } else {
      N[a] = p * (1 - y * y) / 2;
      d[0] = s * (1 - y * y) / 2, d[1] = -y * p;
    }
    if (dN) memcpy(dN + 2 * a, d, sizeof d);
  }
}

static void shape_H8(const double *xi, double *N, double *dN) {
  for (int a = 0; a < 8; a++) {
    const double *s = cube[a];
    double p = 1 + s[0] * xi[0], q = 1 + s[1] * xi[1], r = 1 + s[2] * xi[2];
    N[a] = p * q * r / 8;
    if (!dN) continue;
    dN[3 * a] = s[0] * q * r / 8;
    dN[3 * a + 1] = s[1] * p * r / 8;
    dN[3 * a + 2] = s[2] * p * q / 8;
  }
}

// --- Quadrature ---

#define G2 0.57735026918962576451  // sqrt(1/3)
#define G3 0.77459666924148337704  // sqrt(3/5)

static const double line_2[] = {-G2, G2}, line_2_w[] = {1, 1};
static const double line_3[] = {-G3, 0, G3}, line_3_w[] = {5. / 9, 8. / 9, 5. / 9};

static const double square_4[] = {-G2, -G2, G2, -G2, G2, G2, -G2, G2};
static const double square_4_w[] = {1, 1, 1, 1};
static const double square_9[] = {-G3, -G3, 0, -G3, G3, -G3, -G3, 0,  0,
                                  0,   G3,  0, -G3, G3, 0,   G3,  G3, G3};
static const double square_9_w[] = {25. / 81, 40. / 81, 25. / 81, 40. / 81, 64. / 81,
                                    40. / 81, 25. / 81, 40. / 81, 25. / 81};

static const double cube_8[] = {-G2, -G2, -G2, G2, -G2, -G2, G2, G2, -G2, -G2, G2, -G2,
                                -G2, -G2, G2,  G2, -G2, G2,  G2, G2, G2,  -G2, G2, G2};
static const double cube_8_w[] = {1, 1, 1, 1, 1, 1, 1, 1};

static const double triangle_1[] = {1. / 3, 1. / 3}, triangle_1_w[] = {1. / 2};
static const double triangle_3[] = {1. / 6, 1. / 6, 2. / 3, 1. / 6, 1. / 6, 2. / 3};
static const double triangle_3_w[] = {1. / 6, 1. / 6, 1. / 6};

/// The three points with barycentric coordinates (a, a, b), b = 1 - 2 a.
#define ORBIT(a, b) a, a, b, a, a, b

static const double triangle_6[] = {ORBIT(0.44594849091596488632, 0.10810301816807022736),
                                    ORBIT(0.09157621350977074346, 0.81684757298045851308)};
#define A6 0.11169079483900573285
#define B6 0.054975871827660933819
static const double triangle_6_w[] = {A6, A6, A6, B6, B6, B6};

static const double triangle_7[] = {1. / 3, 1. / 3,
                                    ORBIT(0.1012865073234563388, 0.7974269853530873224),
                                    ORBIT(0.47014206410511508977, 0.059715871789769820459)};
#define A7 0.062969590272413576298
#define B7 0.066197076394253090369
static const double triangle_7_w[] = {9. / 80, A7, A7, A7, B7, B7, B7};

static const double tetrahedron_1[] = {1. / 4, 1. / 4, 1. / 4}, tetrahedron_1_w[] = {1. / 6};
#define A4 0.13819660112501051518  // (5 - sqrt 5) / 20
#define B4 0.58541019662496845446
static const double tetrahedron_4[] = {A4, A4, A4, B4, A4, A4, A4, B4, A4, A4, A4, B4};
static const double tetrahedron_4_w[] = {1. / 24, 1. / 24, 1. / 24, 1. / 24};

static const double point_1[] = {0}, point_1_w[] = {1};

#define RULE(name)                                                                                 \
  { sizeof name##_w / sizeof(double), name, name##_w }

// --- Rows ---

// clang-format off
const stc_cell_row stc_cell_P1 = {"P1", "point", 0, 1, 1, 15, 1, false, NULL, shape_P1,
    {RULE(point_1), RULE(point_1), RULE(point_1)}};
const stc_cell_row stc_cell_L2 = {"L2", "line, 2 nodes", 1, 2, 2, 1, 3, false, line, shape_L2,
    {RULE(line_2), RULE(line_2), RULE(line_2)}};
const stc_cell_row stc_cell_L3 = {"L3", "line, 3 nodes", 1, 3, 2, 8, 21, false, line, shape_L3,
    {RULE(line_3), RULE(line_3), RULE(line_3)}};
const stc_cell_row stc_cell_T3 = {"T3", "triangle of the plane, 3 nodes", 2, 3, 3, 2, 5, true,
    triangle[0], shape_T3, {RULE(triangle_1), RULE(triangle_3), RULE(triangle_6)}};
const stc_cell_row stc_cell_T6 = {"T6", "triangle of the plane, 6 nodes, quadratic", 2, 6, 3, 9, 22,
    true, triangle[0], shape_T6, {RULE(triangle_3), RULE(triangle_6), RULE(triangle_7)}};
const stc_cell_row stc_cell_Q4 = {"Q4", "quadrilateral of the plane, 4 nodes", 2, 4, 4, 3, 9, true,
    square[0], shape_Q4, {RULE(square_4), RULE(square_4), RULE(square_4)}};
const stc_cell_row stc_cell_Q8 = {"Q8", "quadrilateral of the plane, 8 nodes, quadratic", 2, 8, 4, 16,
    23, true, square[0], shape_Q8, {RULE(square_9), RULE(square_9), RULE(square_9)}};
const stc_cell_row stc_cell_T4 = {"T4", "tetrahedron, 4 nodes", 3, 4, 4, 4, 10, true,
    tetrahedron[0], shape_T4, {RULE(tetrahedron_1), RULE(tetrahedron_1), RULE(tetrahedron_4)}};
const stc_cell_row stc_cell_H8 = {"H8", "hexahedron, 8 nodes", 3, 8, 8, 5, 12, true,
    cube[0], shape_H8, {RULE(cube_8), RULE(cube_8), RULE(cube_8)}};
// clang-format on
