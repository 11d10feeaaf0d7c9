// Surface cells of a contact pair, oriented by the bodies they belong to.
#include "../../base/fail.h"
#include "../../base/number.h"
#include "mortar.h"

#include <math.h>
#include <string.h>

static bool known_sheet(int dim, stc_cell_type type) {
  if (dim == 2) return type == STC_CELL_L2 || type == STC_CELL_L3;
  return type == STC_CELL_T3 || type == STC_CELL_Q4;
}

stc_error stc_sheet_create(stc_arena *arena, const stc_mesh *mesh, const stc_around *bodies,
                           const char *group, const char *what, int index, stc_sheet *sheet) {
  const stc_group *g = NULL;
  STC_TRY(stc_mesh_require(mesh, group, what, index, &g));
  if (!g->cells) return stc_fail(STC_ERR_VALUE, "%s %d: group '%s' is empty", what, index, group);
  *sheet = (stc_sheet){.mesh = mesh, .cells = g->cells, .cell = g->cell};
  sheet->sign = STC_TAKE(arena, double, g->cells);
  STC_TRY(stc_arena_check(arena));
  char place[160];
  stc_snprintf(place, sizeof place, "%s %d, group '%.100s'", what, index, group);
  for (int k = 0; k < g->cells; k++) {
    int c = g->cell[k], body;
    if (!known_sheet(mesh->dim, mesh->type[c]))
      return stc_fail(
          STC_ERR_UNSUPPORTED, "%s: cell %d is a %s; contact surfaces are made of %s in %dD", place,
          c, stc_cell_name(mesh->type[c]), mesh->dim == 2 ? "L2 and L3" : "T3 and Q4", mesh->dim);
    STC_TRY(stc_mesh_side(mesh, bodies, c, place, &body, &sheet->sign[k]));
  }
  return STC_OK;
}

// Area vector of the chord (right of a line) or of the polygon.
static void area_vector(const stc_facet *f, int dim, double n[3]) {
  memset(n, 0, 3 * sizeof *n);
  if (dim == 2) {
    n[0] = f->x[1][1] - f->x[0][1];
    n[1] = f->x[0][0] - f->x[1][0];
    return;
  }
  for (int a = 1; a + 1 < f->nodes; a++) {
    double p[3], q[3], c[3];
    for (int i = 0; i < 3; i++) {
      p[i] = f->x[a][i] - f->x[0][i];
      q[i] = f->x[a + 1][i] - f->x[0][i];
    }
    stc_cross3(p, q, c);
    for (int i = 0; i < 3; i++) n[i] += 0.5 * c[i];
  }
}

void stc_facet_place(const stc_sheet *sheet, int k, const double *x, stc_facet *facet) {
  const stc_mesh *mesh = sheet->mesh;
  int c = sheet->cell[k], dim = mesh->dim;
  *facet = (stc_facet){.type = mesh->type[c],
                       .nodes = mesh->ptr[c + 1] - mesh->ptr[c],
                       .node = mesh->node + mesh->ptr[c]};
  for (int a = 0; a < facet->nodes; a++)
    memcpy(facet->x[a], x + (ptrdiff_t)facet->node[a] * dim, (size_t)dim * sizeof *x);
  area_vector(facet, dim, facet->normal);
  facet->size = sqrt(stc_dot3(facet->normal, facet->normal));
  for (int i = 0; i < 3; i++) facet->normal[i] *= sheet->sign[k] / facet->size;
}

// dx/dxi at the ends and the middle of a line of three nodes.
static void curve_tangent(const stc_facet *f, int a, double t[2]) {
  static const double dN[3][3] = {{-1.5, -0.5, 2}, {0.5, 1.5, -2}, {-0.5, 0.5, 0}};
  for (int i = 0; i < 2; i++)
    t[i] = dN[a][0] * f->x[0][i] + dN[a][1] * f->x[1][i] + dN[a][2] * f->x[2][i];
}

void stc_facet_node_normal(const stc_facet *f, int a, double n[3]) {
  for (int i = 0; i < 3; i++) n[i] = f->size * f->normal[i];
  if (f->type != STC_CELL_L3) return;
  double t[2], chord[3];
  curve_tangent(f, a, t);
  memcpy(chord, n, sizeof chord);
  n[0] = 2 * t[1];  // dxi spans a length of 2
  n[1] = -2 * t[0];
  if (stc_dot3(n, chord) < 0)
    for (int i = 0; i < 2; i++) n[i] = -n[i];
}
