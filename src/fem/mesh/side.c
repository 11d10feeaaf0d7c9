// Surface cells and the bodies they belong to: owner and outward direction.
#include "../../base/fail.h"
#include "mesh.h"
#include "shape_functions.h"

void stc_mesh_centre(const stc_mesh *mesh, int cell, double *x) {
  int first = mesh->ptr[cell], count = mesh->ptr[cell + 1] - first;
  for (int i = 0; i < mesh->dim; i++) {
    double sum = 0;
    for (int k = 0; k < count; k++) sum += mesh->x[mesh->node[first + k] * mesh->dim + i];
    x[i] = sum / count;
  }
}

/// The area vector in the middle of a surface cell.
static void middle_area(const stc_mesh *mesh, int cell, double *n) {
  stc_cell_type type = mesh->type[cell];
  const stc_cell_row *row = stc_cell_of(type);
  double N[STC_CELL_MAX_NODES], dN[3 * STC_CELL_MAX_NODES], J[9], xi[3] = {0};
  for (int k = 0; k < row->dim; k++) {
    for (int a = 0; a < row->corners; a++) xi[k] += row->place[a * row->dim + k];
    xi[k] /= row->corners;
  }
  stc_cell_shape(type, xi, N, dN);
  stc_cell_jacobian(type, mesh->dim, mesh->x, mesh->node + mesh->ptr[cell], dN, J);
  stc_cell_area(mesh->dim, J, n);
}

stc_error stc_mesh_side(const stc_mesh *mesh, const stc_around *around, int cell, const char *what,
                        int *body, double *sign) {
  int owner[2] = {-1, -1}, owners = stc_mesh_owners(mesh, around, cell, owner);
  const char *name = stc_cell_name(mesh->type[cell]);
  if (owners == 0)
    return stc_fail(STC_ERR_VALUE,
                    "%s: cell %d (%s) is no face of a body; make the surface from the faces of the "
                    "cells below it",
                    what, cell, name);
  if (owners > 1)
    return stc_fail(STC_ERR_VALUE,
                    "%s: cell %d (%s) lies between the cells %d and %d; a surface has one body "
                    "behind it",
                    what, cell, name, owner[0], owner[1]);
  double n[3], face[3], inside[3], out = 0;
  middle_area(mesh, cell, n);
  stc_mesh_centre(mesh, cell, face);
  stc_mesh_centre(mesh, owner[0], inside);
  for (int i = 0; i < mesh->dim; i++) out += n[i] * (face[i] - inside[i]);
  *body = owner[0];
  *sign = out > 0 ? 1 : -1;
  return STC_OK;
}
