// Isoparametric cells: the matrix B by its non-zeros, node by node,
//   plane and axis   xx: g_x,  yy: g_y,  zz: N/r,  xy: (g_y, g_x)
//   space            xx: g_x,  yy: g_y,  zz: g_z,  xy: (g_y, g_x),  yz: (g_z, g_y),  zx: (g_z, g_x)
#include "element.h"

#include "../../base/vec3.h"

static const double two_pi = 6.283185307179586;

void stc_table_create(stc_cell_type type, stc_rule_kind kind, stc_table *table) {
  *table = (stc_table){.type = type, .nodes = stc_cell_nodes(type), .dim = stc_cell_dim(type)};
  table->rule = stc_cell_of(type)->rule[kind];
  for (int q = 0; q < table->rule.points; q++)
    stc_cell_shape(type, table->rule.xi + q * table->dim, table->N[q], table->dN[q]);
}

double stc_space_measure_depth(const stc_space_measure *measure, double r) {
  return measure->axisymmetric ? two_pi * r : measure->thickness;
}

// --- Gradients ---

static void plane_point(const stc_table *t, int q, const double *x,
                        const stc_space_measure *measure, stc_point *point) {
  double J[4] = {0}, inverse[4], r = 0;
  const double *dN = t->dN[q], *N = t->N[q];
  for (int a = 0; a < t->nodes; a++) {
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < 2; k++) J[2 * i + k] += x[2 * a + i] * dN[2 * a + k];
    r += N[a] * x[2 * a];
  }
  double det = J[0] * J[3] - J[1] * J[2];
  inverse[0] = J[3] / det, inverse[1] = -J[1] / det;
  inverse[2] = -J[2] / det, inverse[3] = J[0] / det;
  point->weight = t->rule.weight[q] * det * stc_space_measure_depth(measure, r);
  for (int a = 0; a < t->nodes; a++) {
    const double *d = dN + 2 * a;
    point->grad[a][0] = d[0] * inverse[0] + d[1] * inverse[2];
    point->grad[a][1] = d[0] * inverse[1] + d[1] * inverse[3];
    point->hoop[a] = measure->axisymmetric ? N[a] / r : 0;
  }
}

static void space_point(const stc_table *t, int q, const double *x, stc_point *point) {
  double J[9] = {0}, inverse[9];
  const double *dN = t->dN[q];
  for (int a = 0; a < t->nodes; a++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) J[3 * i + k] += x[3 * a + i] * dN[3 * a + k];
  point->weight = t->rule.weight[q] * stc_invert3(J, inverse);
  for (int a = 0; a < t->nodes; a++)
    for (int i = 0; i < 3; i++)
      point->grad[a][i] =
          dN[3 * a] * inverse[i] + dN[3 * a + 1] * inverse[3 + i] + dN[3 * a + 2] * inverse[6 + i];
}

void stc_point_at(const stc_table *table, int q, const double *x, const stc_space_measure *measure,
                  stc_point *point) {
  if (table->dim == 2)
    plane_point(table, q, x, measure, point);
  else
    space_point(table, q, x, point);
}

// --- Strain and force ---

void stc_point_strain(const stc_table *table, const stc_point *point, const double *u, double *e) {
  for (int i = 0; i < STC_VOIGT; i++) e[i] = 0;
  for (int a = 0; a < table->nodes; a++) {
    const double *g = point->grad[a], *v = u + a * table->dim;
    e[0] += g[0] * v[0];
    e[1] += g[1] * v[1];
    e[3] += g[1] * v[0] + g[0] * v[1];
    if (table->dim == 2) {
      e[2] += point->hoop[a] * v[0];
    } else {
      e[2] += g[2] * v[2];
      e[4] += g[2] * v[1] + g[1] * v[2];
      e[5] += g[2] * v[0] + g[0] * v[2];
    }
  }
}

void stc_point_add_force(const stc_table *table, const stc_point *point, const double *stress,
                         double *F) {
  double s[STC_VOIGT];
  for (int i = 0; i < (table->dim == 2 ? 4 : 6); i++) s[i] = point->weight * stress[i];
  for (int a = 0; a < table->nodes; a++) {
    const double *g = point->grad[a];
    double *f = F + a * table->dim;
    if (table->dim == 2) {
      f[0] += g[0] * s[0] + g[1] * s[3] + point->hoop[a] * s[2];
      f[1] += g[1] * s[1] + g[0] * s[3];
    } else {
      f[0] += g[0] * s[0] + g[1] * s[3] + g[2] * s[5];
      f[1] += g[1] * s[1] + g[0] * s[3] + g[2] * s[4];
      f[2] += g[2] * s[2] + g[1] * s[4] + g[0] * s[5];
    }
  }
}

// --- Stiffness ---

/// w D B by columns of B, node after node.
static void plane_DB(const stc_table *t, const stc_point *p, double (*D)[STC_VOIGT],
                     double (*DB)[STC_CELL_MAX_DOFS]) {
  for (int i = 0; i < 4; i++)
    for (int b = 0; b < t->nodes; b++) {
      const double *g = p->grad[b];
      DB[i][2 * b] = p->weight * (D[i][0] * g[0] + D[i][3] * g[1] + D[i][2] * p->hoop[b]);
      DB[i][2 * b + 1] = p->weight * (D[i][1] * g[1] + D[i][3] * g[0]);
    }
}

static void space_DB(const stc_table *t, const stc_point *p, double (*D)[STC_VOIGT],
                     double (*DB)[STC_CELL_MAX_DOFS]) {
  for (int i = 0; i < 6; i++)
    for (int b = 0; b < t->nodes; b++) {
      const double *g = p->grad[b];
      DB[i][3 * b] = p->weight * (D[i][0] * g[0] + D[i][3] * g[1] + D[i][5] * g[2]);
      DB[i][3 * b + 1] = p->weight * (D[i][1] * g[1] + D[i][3] * g[0] + D[i][4] * g[2]);
      DB[i][3 * b + 2] = p->weight * (D[i][2] * g[2] + D[i][4] * g[1] + D[i][5] * g[0]);
    }
}

/// row += x X + y Y + z Z from column `first` on.
static void add_rows(int first, int last, double x, const double *restrict X, double y,
                     const double *restrict Y, double z, const double *restrict Z,
                     double *restrict row) {
  for (int j = first; j < last; j++) row[j] += x * X[j] + y * Y[j] + z * Z[j];
}

void stc_point_add_stiffness(const stc_table *t, const stc_point *p, double (*D)[STC_VOIGT],
                             double (*K)[STC_CELL_MAX_DOFS]) {
  double DB[STC_VOIGT][STC_CELL_MAX_DOFS];
  int dofs = t->nodes * t->dim;
  if (t->dim == 2)
    plane_DB(t, p, D, DB);
  else
    space_DB(t, p, D, DB);
  for (int a = 0; a < t->nodes; a++) {
    const double *g = p->grad[a];
    int first = a * t->dim;
    double(*row)[STC_CELL_MAX_DOFS] = K + first;
    if (t->dim == 2) {
      add_rows(first, dofs, g[0], DB[0], g[1], DB[3], p->hoop[a], DB[2], row[0]);
      add_rows(first, dofs, g[1], DB[1], g[0], DB[3], 0, DB[2], row[1]);
    } else {
      add_rows(first, dofs, g[0], DB[0], g[1], DB[3], g[2], DB[5], row[0]);
      add_rows(first, dofs, g[1], DB[1], g[0], DB[3], g[2], DB[4], row[1]);
      add_rows(first, dofs, g[2], DB[2], g[1], DB[4], g[0], DB[5], row[2]);
    }
  }
}
