// The table of cells, and the Jacobians of their maps.
#include "shape_functions.h"

#include <stiction/fem.h>
#include <string.h>

#define ROW(name) [STC_CELL_##name] = &stc_cell_##name,
static const stc_cell_row *const cells[STC_CELL_TYPES] = {STC_CELLS(ROW)};
#undef ROW

static bool known_cell(stc_cell_type type) { return (unsigned)type < STC_CELL_TYPES; }

const char *stc_cell_name(stc_cell_type type) { return known_cell(type) ? cells[type]->name : "?"; }

const char *stc_cell_summary(stc_cell_type type) {
  return known_cell(type) ? cells[type]->summary : NULL;
}

int stc_cell_dim(stc_cell_type type) { return known_cell(type) ? cells[type]->dim : -1; }

int stc_cell_nodes(stc_cell_type type) { return known_cell(type) ? cells[type]->nodes : 0; }

int stc_cell_vtk(stc_cell_type type) { return known_cell(type) ? cells[type]->vtk : 0; }

bool stc_cell_in_grid(stc_cell_type type) { return known_cell(type) && cells[type]->grid; }

const stc_cell_row *stc_cell_of(stc_cell_type type) { return cells[type]; }

void stc_cell_node_place(stc_cell_type type, int a, double *xi) {
  const stc_cell_row *cell = cells[type];
  for (int k = 0; k < cell->dim; k++) xi[k] = cell->place[a * cell->dim + k];
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
