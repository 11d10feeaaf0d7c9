// Deformable bodies for VTK: a grid for the bodies and one for the contact points of each row.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../output.h"
#include "vtk_file.h"

// A row, and the cells of its bodies: the mesh has those of surfaces too.
typedef struct fem_row {
  stc_snapshot *s;
  int cells, corners;
  int *cell, *end;  // [cells] number in the mesh, and where its corners end
  int *node;        // [corners]
  int *body;        // [cells of the mesh] number of the body it belongs to, from 1; 0: to none
} fem_row;

// ---- bodies

typedef struct node_numbers {
  double place[3], displacement[3], reaction[3], temperature, potential;
} node_numbers;

static void fill_node(const void *user, long k, void *numbers) {
  const stc_snapshot *s = ((const fem_row *)user)->s;
  node_numbers *n = numbers;
  size_t first = (size_t)k * (size_t)s->mesh.dim, bytes = (size_t)s->mesh.dim * sizeof(double);
  memcpy(n->place, s->mesh.x + first, bytes);
  memcpy(n->displacement, s->displacement + first, bytes);
  memcpy(n->reaction, s->reaction + first, bytes);
  n->temperature = s->temperature ? s->temperature[k] : 0;
  n->potential = s->potential ? s->potential[k] : 0;
}

typedef struct cell_corner {
  double node;
} cell_corner;

static void fill_cell_corner(const void *user, long k, void *numbers) {
  ((cell_corner *)numbers)->node = ((const fem_row *)user)->node[k];
}

typedef struct cell_numbers {
  double stress[6], mises, plastic, body, end, type;
} cell_numbers;

static void fill_cell(const void *user, long k, void *numbers) {
  const fem_row *v = user;
  cell_numbers *n = numbers;
  int cell = v->cell[k];
  memcpy(n->stress, v->s->stress + 6 * (size_t)cell, sizeof n->stress);
  double a = n->stress[0] - n->stress[1], b = n->stress[1] - n->stress[2],
         c = n->stress[2] - n->stress[0];
  n->mises = sqrt((a * a + b * b + c * c) / 2 +
                  3 * (n->stress[3] * n->stress[3] + n->stress[4] * n->stress[4] +
                       n->stress[5] * n->stress[5]));
  n->plastic = v->s->alpha[cell];
  n->body = v->body[cell];
  n->end = v->end[k];
  n->type = stc_cell_vtk(v->s->mesh.type[cell]);
}

static void count_cells(const void *user, long count[3]) {
  const fem_row *v = user;
  count[VTK_POINTS] = v->s->mesh.nodes, count[VTK_CELLS] = v->cells;
  count[VTK_CORNERS] = v->corners;
}

#define NODES    "PointData Vectors=\"displacement\""
#define STRESSES "CellData Scalars=\"von Mises stress\""
static const vtk_array heat_arrays[] = {
    {NODES, "temperature", VTK_FLOAT64, 1, VTK_POINTS, offsetof(node_numbers, temperature)},
    {NODES, "potential", VTK_FLOAT64, 1, VTK_POINTS, offsetof(node_numbers, potential)},
    {NODES, "displacement", VTK_FLOAT64, 3, VTK_POINTS, offsetof(node_numbers, displacement)},
    {NODES, "reaction", VTK_FLOAT64, 3, VTK_POINTS, offsetof(node_numbers, reaction)},
    {STRESSES, "stress", VTK_FLOAT64, 6, VTK_CELLS, offsetof(cell_numbers, stress)},
    {STRESSES, "von Mises stress", VTK_FLOAT64, 1, VTK_CELLS, offsetof(cell_numbers, mises)},
    {STRESSES, "plastic strain", VTK_FLOAT64, 1, VTK_CELLS, offsetof(cell_numbers, plastic)},
    {STRESSES, "body", VTK_INT32, 1, VTK_CELLS, offsetof(cell_numbers, body)},
    {"Points", "Points", VTK_FLOAT64, 3, VTK_POINTS, offsetof(node_numbers, place)},
    VTK_CELL_LISTS(cell_corner, node, cell_numbers)};
enum { HEAT_ARRAYS = 2, ALL_ARRAYS = sizeof heat_arrays / sizeof *heat_arrays };
static const vtk_grid heat_grid = {
    heat_arrays, ALL_ARRAYS, count_cells, {fill_node, fill_cell, fill_cell_corner}};
static const vtk_grid fem_grid = {heat_arrays + HEAT_ARRAYS,
                                  ALL_ARRAYS - HEAT_ARRAYS,
                                  count_cells,
                                  {fill_node, fill_cell, fill_cell_corner}};

// ---- contact points

typedef struct point_numbers {
  double place[3], normal[3], shear[3], slip[3], pressure, gap, area, state, pair;
  vtk_vertex vertex;
} point_numbers;

// A gap without anything opposite is drawn as missing.
static void fill_point(const void *user, long k, void *numbers) {
  const stc_snapshot *s = ((const fem_row *)user)->s;
  const stc_fem_contact_point *p = &s->point[k];
  point_numbers *n = numbers;
  for (int i = 0; i < 3; i++) {
    n->place[i] = p->x[i], n->normal[i] = p->normal[i];
    n->shear[i] = p->shear[0] * p->tangent[0][i] + p->shear[1] * p->tangent[1][i];
    n->slip[i] = p->slip[0] * p->tangent[0][i] + p->slip[1] * p->tangent[1][i];
  }
  n->pressure = p->pressure, n->area = p->area, n->state = p->state;
  n->gap = isfinite(p->gap) ? p->gap : NAN;
  for (int pair = 0; pair < s->pairs && k >= s->first[pair]; pair++) n->pair = pair + 1;
  n->vertex = vtk_vertex_at(k);
}

static void count_contacts(const void *user, long count[3]) {
  const stc_snapshot *s = ((const fem_row *)user)->s;
  count[VTK_POINTS] = count[VTK_CELLS] = s->first[s->pairs];
}

#define PRESSURES "PointData Scalars=\"pressure\""
static const vtk_array point_arrays[] = {
    {PRESSURES, "pressure", VTK_FLOAT64, 1, VTK_POINTS, offsetof(point_numbers, pressure)},
    {PRESSURES, "gap", VTK_FLOAT64, 1, VTK_POINTS, offsetof(point_numbers, gap)},
    {PRESSURES, "area", VTK_FLOAT64, 1, VTK_POINTS, offsetof(point_numbers, area)},
    {PRESSURES, "normal", VTK_FLOAT64, 3, VTK_POINTS, offsetof(point_numbers, normal)},
    {PRESSURES, "shear", VTK_FLOAT64, 3, VTK_POINTS, offsetof(point_numbers, shear)},
    {PRESSURES, "slip", VTK_FLOAT64, 3, VTK_POINTS, offsetof(point_numbers, slip)},
    {PRESSURES, "state", VTK_INT32, 1, VTK_POINTS, offsetof(point_numbers, state)},
    {PRESSURES, "contact", VTK_INT32, 1, VTK_POINTS, offsetof(point_numbers, pair)},
    {"Points", "Points", VTK_FLOAT64, 3, VTK_POINTS, offsetof(point_numbers, place)},
    VTK_VERTICES(point_numbers, vertex)};
static const vtk_grid point_grid = {
    point_arrays, sizeof point_arrays / sizeof *point_arrays, count_contacts, {fill_point}};

// ---- rows

static void list_cells(fem_row *v) {
  const stc_mesh *mesh = &v->s->mesh;
  for (int c = 0; c < mesh->cells; c++) {
    if (stc_cell_dim((stc_cell_type)mesh->type[c]) != mesh->dim) continue;
    for (int k = mesh->ptr[c]; k < mesh->ptr[c + 1]; k++) v->node[v->corners++] = mesh->node[k];
    v->cell[v->cells] = c;
    v->end[v->cells++] = v->corners;
  }
  for (int g = 0, number = 0; g < mesh->groups; g++) {
    if (mesh->group[g].dim != mesh->dim) continue;
    number++;
    for (int k = 0; k < mesh->group[g].cells; k++) v->body[mesh->group[g].cell[k]] = number;
  }
}

static bool load_snapshot(void *user, long row, double *time) {
  fem_row *v = user;
  if (!render_succeeds(stc_snapshot_load(v->s, row))) return false;
  *time = v->s->t;
  return true;
}

bool vtk_save_fem(stc_snapshot *s, const char *out, long row) {
  size_t cells = (size_t)s->mesh.cells + 1, corners = (size_t)s->mesh.ptr[s->mesh.cells] + 1;
  int *room = calloc(3 * cells + corners, sizeof *room);
  if (!room) return render_fails("out of memory for the cells of the bodies");
  fem_row v = {s, 0, 0, room, room + cells, room + 3 * cells, room + 2 * cells};
  list_cells(&v);
  vtk_run run = {&v,
                 s->rows,
                 load_snapshot,
                 NULL,
                 s->temperature ? &heat_grid : &fem_grid,
                 s->pairs ? &point_grid : NULL};
  bool good = vtk_save(&run, out, row);
  free(room);
  return good;
}
