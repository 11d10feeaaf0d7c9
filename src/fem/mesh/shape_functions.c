// Shape functions: products of one-dimensional ones on lines, quadrilaterals and hexahedra, of
// barycentric coordinates on triangles and tetrahedra.
#include "shape_functions.h"

#include <stiction/fem.h>
#include <string.h>

// Cell types: names, dimensions, numbers of nodes.

static const struct {
  const char *name;
  int dim, nodes, corners;
} cells[STC_CELL_TYPES] = {
    [STC_CELL_P1] = {"P1", 0, 1, 1}, [STC_CELL_L2] = {"L2", 1, 2, 2},
    [STC_CELL_L3] = {"L3", 1, 3, 2}, [STC_CELL_T3] = {"T3", 2, 3, 3},
    [STC_CELL_T6] = {"T6", 2, 6, 3}, [STC_CELL_Q4] = {"Q4", 2, 4, 4},
    [STC_CELL_Q8] = {"Q8", 2, 8, 4}, [STC_CELL_T4] = {"T4", 3, 4, 4},
    [STC_CELL_H8] = {"H8", 3, 8, 8},
};

static bool known_cell(stc_cell_type type) { return (unsigned)type < STC_CELL_TYPES; }

const char *stc_cell_name(stc_cell_type type) { return known_cell(type) ? cells[type].name : "?"; }

int stc_cell_dim(stc_cell_type type) { return known_cell(type) ? cells[type].dim : -1; }

int stc_cell_nodes(stc_cell_type type) { return known_cell(type) ? cells[type].nodes : 0; }

int stc_cell_corners(stc_cell_type type) { return known_cell(type) ? cells[type].corners : 0; }

/// Nodes of the reference square and cube, corners first.
static const double square[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1},
                                    {0, -1},  {1, 0},  {0, 1}, {-1, 0}};
static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const double line[3] = {-1, 1, 0};
static const double triangle[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
static const double tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void stc_cell_node_place(stc_cell_type type, int a, double *xi) {
  const double *from = NULL;
  switch (type) {
  case STC_CELL_L2:
  case STC_CELL_L3:
    from = &line[a];
    break;
  case STC_CELL_T3:
  case STC_CELL_T6:
    from = triangle[a];
    break;
  case STC_CELL_Q4:
  case STC_CELL_Q8:
    from = square[a];
    break;
  case STC_CELL_T4:
    from = tetrahedron[a];
    break;
  case STC_CELL_H8:
    from = cube[a];
    break;
  default:
    return;  // a point has no coordinates
  }
  memcpy(xi, from, (size_t)stc_cell_dim(type) * sizeof *xi);
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

void stc_cell_shape(stc_cell_type type, const double *xi, double *N, double *dN) {
  static void (*const shape[STC_CELL_TYPES])(const double *xi, double *N, double *dN) = {
      [STC_CELL_L2] = shape_L2, [STC_CELL_L3] = shape_L3, [STC_CELL_T6] = shape_T6,
      [STC_CELL_Q4] = shape_Q4, [STC_CELL_Q8] = shape_Q8, [STC_CELL_H8] = shape_H8};
  if (type == STC_CELL_T3 || type == STC_CELL_T4)
    shape_simplex(stc_cell_dim(type), xi, N, dN);
  else if (shape[type])
    shape[type](xi, N, dN);
  else
    N[0] = 1;
}

// --- Geometry ---

void stc_cell_jacobian(stc_cell_type type, int dim, const double *x, const int *node,
                       const double *dN, double *J) {
  int nodes = stc_cell_nodes(type), local = stc_cell_dim(type);
  for (int k = 0; k < dim * local; k++) J[k] = 0;
  for (int a = 0; a < nodes; a++) {
    const double *xa = x + (size_t)node[a] * (size_t)dim;
    for (int i = 0; i < dim; i++)
      for (int k = 0; k < local; k++) J[i * local + k] += xa[i] * dN[a * local + k];
  }
}

double stc_cell_det(int dim, const double *J) {
  if (dim == 2) return J[0] * J[3] - J[1] * J[2];
  return J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
         J[2] * (J[3] * J[7] - J[4] * J[6]);
}

void stc_cell_area(int dim, const double *J, double *n) {
  if (dim == 2) {
    n[0] = J[1], n[1] = -J[0];
    return;
  }
  for (int i = 0; i < 3; i++) {  // the columns of J are the tangents
    int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = J[2 * j] * J[2 * k + 1] - J[2 * k] * J[2 * j + 1];
  }
}
