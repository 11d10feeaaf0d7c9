// Deformable bodies for VTK: a grid for the bodies and one for the contact points of each row.
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vtu.h"

// VTK's numbers of the cells, in the order of stc_cell_type; Gmsh and VTK number their nodes alike.
static const unsigned char vtk_type[STC_CELL_TYPES] = {1, 3, 21, 5, 22, 9, 23, 10, 12};

// ---- bodies

typedef struct grid {
  const stc_snapshot *s;
  long cells;     // of the bodies
  int32_t *body;  // [cells of the mesh] the number of the body it belongs to, from 1; 0: to none
} grid;

static bool is_body(const stc_mesh *mesh, int c) {
  return stc_cell_dim((stc_cell_type)mesh->type[c]) == mesh->dim;
}

static void put_connectivity(FILE *out, const stc_mesh *mesh) {
  size_t entries = 0;
  for (int c = 0; c < mesh->cells; c++) {
    if (is_body(mesh, c)) entries += (size_t)(mesh->ptr[c + 1] - mesh->ptr[c]);
  }
  vtu_array array = vtu_begin_array(out, "Int32", "connectivity", 1, entries * sizeof(int32_t));
  for (int c = 0; c < mesh->cells; c++) {
    if (!is_body(mesh, c)) continue;
    for (int k = mesh->ptr[c]; k < mesh->ptr[c + 1]; k++) {
      int32_t node = mesh->node[k];
      vtu_put(&array, &node, sizeof node);
    }
  }
  vtu_end_array(&array);
}

static void put_offsets(FILE *out, const stc_mesh *mesh, long cells) {
  int32_t end = 0;
  vtu_array array = vtu_begin_array(out, "Int32", "offsets", 1, (size_t)cells * sizeof end);
  for (int c = 0; c < mesh->cells; c++) {
    if (!is_body(mesh, c)) continue;
    end += mesh->ptr[c + 1] - mesh->ptr[c];
    vtu_put(&array, &end, sizeof end);
  }
  vtu_end_array(&array);
  array = vtu_begin_array(out, "UInt8", "types", 1, (size_t)cells);
  for (int c = 0; c < mesh->cells; c++) {
    if (is_body(mesh, c)) vtu_put(&array, &vtk_type[mesh->type[c]], 1);
  }
  vtu_end_array(&array);
}

static double mises(const double *s) {
  double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt((a * a + b * b + c * c) / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

static void put_stress(FILE *out, const grid *v) {
  const stc_snapshot *s = v->s;
  size_t cells = (size_t)v->cells;
  vtu_array array = vtu_begin_array(out, "Float64", "stress", 6, cells * 6 * sizeof(double));
  for (int c = 0; c < s->mesh.cells; c++) {
    if (is_body(&s->mesh, c)) vtu_put(&array, s->stress + 6 * (size_t)c, 6 * sizeof(double));
  }
  vtu_end_array(&array);
  array = vtu_begin_array(out, "Float64", "von Mises stress", 1, cells * sizeof(double));
  for (int c = 0; c < s->mesh.cells; c++) {
    double value = mises(s->stress + 6 * (size_t)c);
    if (is_body(&s->mesh, c)) vtu_put(&array, &value, sizeof value);
  }
  vtu_end_array(&array);
  array = vtu_begin_array(out, "Float64", "plastic strain", 1, cells * sizeof(double));
  for (int c = 0; c < s->mesh.cells; c++) {
    if (is_body(&s->mesh, c)) vtu_put(&array, s->alpha + c, sizeof(double));
  }
  vtu_end_array(&array);
}

// The cells of the bodies and whose they are.
static int make_grid(const stc_snapshot *s, grid *v) {
  const stc_mesh *mesh = &s->mesh;
  *v = (grid){.s = s, .body = calloc((size_t)mesh->cells + 1, sizeof *v->body)};
  if (!v->body) return cli_complain("out of memory for the numbers of %d cells", mesh->cells);
  for (int c = 0; c < mesh->cells; c++) v->cells += is_body(mesh, c);
  for (int g = 0, number = 0; g < mesh->groups; g++) {
    if (mesh->group[g].dim != mesh->dim) continue;
    number++;
    for (int k = 0; k < mesh->group[g].cells; k++) v->body[mesh->group[g].cell[k]] = number;
  }
  return CLI_DONE;
}

static void put_body_numbers(FILE *out, const grid *v) {
  const stc_mesh *mesh = &v->s->mesh;
  vtu_array array = vtu_begin_array(out, "Int32", "body", 1, (size_t)v->cells * sizeof *v->body);
  for (int c = 0; c < mesh->cells; c++)
    if (is_body(mesh, c)) vtu_put(&array, &v->body[c], sizeof *v->body);
  vtu_end_array(&array);
}

static void write_bodies(FILE *out, const void *user) {
  const grid *v = user;
  const stc_mesh *mesh = &v->s->mesh;
  vtu_begin_grid(out, mesh->nodes, v->cells);
  fputs("<PointData Vectors=\"displacement\">\n", out);
  vtu_put_vectors(out, "displacement", v->s->displacement, mesh->nodes, mesh->dim);
  vtu_put_vectors(out, "reaction", v->s->reaction, mesh->nodes, mesh->dim);
  fputs("</PointData>\n<CellData Scalars=\"von Mises stress\">\n", out);
  put_stress(out, v);
  put_body_numbers(out, v);
  fputs("</CellData>\n<Points>\n", out);
  vtu_put_vectors(out, "Points", mesh->x, mesh->nodes, mesh->dim);
  fputs("</Points>\n<Cells>\n", out);
  put_connectivity(out, mesh);
  put_offsets(out, mesh, v->cells);
  fputs("</Cells>\n", out);
  vtu_end_grid(out);
}

// ---- contact points

static void put_point_numbers(FILE *out, const stc_snapshot *s, const char *name, size_t offset) {
  int count = s->first[s->pairs];
  vtu_array array = vtu_begin_array(out, "Float64", name, 1, (size_t)count * sizeof(double));
  for (int k = 0; k < count; k++) {
    double value;
    memcpy(&value, (const char *)&s->point[k] + offset, sizeof value);
    if (!isfinite(value)) value = NAN;  // a gap without anything opposite is drawn as missing
    vtu_put(&array, &value, sizeof value);
  }
  vtu_end_array(&array);
}

// A vector of the points: kind 0 place, 1 normal, 2 shear, 3 slip, the last two in space.
static void put_point_vectors(FILE *out, const stc_snapshot *s, const char *name, int kind) {
  int count = s->first[s->pairs];
  vtu_array array = vtu_begin_array(out, "Float64", name, 3, (size_t)count * 3 * sizeof(double));
  for (int k = 0; k < count; k++) {
    const stc_fem_contact_point *p = &s->point[k];
    const double *part = kind == 2 ? p->shear : p->slip;
    double x[3];
    for (int i = 0; i < 3; i++) {
      x[i] = kind == 0   ? p->x[i]
             : kind == 1 ? p->normal[i]
                         : part[0] * p->tangent[0][i] + part[1] * p->tangent[1][i];
    }
    vtu_put(&array, x, sizeof x);
  }
  vtu_end_array(&array);
}

static void put_integers(FILE *out, const stc_snapshot *s, const char *name, int kind) {
  int count = s->first[s->pairs], pair = 0;
  vtu_array array = vtu_begin_array(out, "Int32", name, 1, (size_t)count * sizeof(int32_t));
  for (int k = 0; k < count; k++) {
    while (k >= s->first[pair + 1]) pair++;
    int32_t value = kind == 0   ? k
                    : kind == 1 ? k + 1
                    : kind == 2 ? (int)s->point[k].state
                                : pair + 1;
    vtu_put(&array, &value, sizeof value);
  }
  vtu_end_array(&array);
}

static void put_vertices(FILE *out, const stc_snapshot *s) {
  int count = s->first[s->pairs];
  put_integers(out, s, "connectivity", 0);
  put_integers(out, s, "offsets", 1);
  vtu_array array = vtu_begin_array(out, "UInt8", "types", 1, (size_t)count);
  for (int k = 0; k < count; k++) vtu_put(&array, &vtk_type[STC_CELL_P1], 1);
  vtu_end_array(&array);
}

static void write_points(FILE *out, const void *user) {
  const stc_snapshot *s = ((const grid *)user)->s;
  int count = s->first[s->pairs];
  vtu_begin_grid(out, count, count);
  fputs("<PointData Scalars=\"pressure\">\n", out);
  put_point_numbers(out, s, "pressure", offsetof(stc_fem_contact_point, pressure));
  put_point_numbers(out, s, "gap", offsetof(stc_fem_contact_point, gap));
  put_point_numbers(out, s, "area", offsetof(stc_fem_contact_point, area));
  put_point_vectors(out, s, "normal", 1);
  put_point_vectors(out, s, "shear", 2);
  put_point_vectors(out, s, "slip", 3);
  put_integers(out, s, "state", 2);
  put_integers(out, s, "contact", 3);
  fputs("</PointData>\n<Points>\n", out);
  put_point_vectors(out, s, "Points", 0);
  fputs("</Points>\n<Cells>\n", out);
  put_vertices(out, s);
  fputs("</Cells>\n", out);
  vtu_end_grid(out);
}

// ---- files

static int save_row(const stc_snapshot *s, const char *directory, long row) {
  char path[VTU_MAX_PATH];
  grid v;
  int status = make_grid(s, &v);
  vtu_row_path(path, directory, "bodies", row);
  if (!status) status = cli_save(path, write_bodies, &v);
  free(v.body);
  if (status || s->pairs == 0) return status;
  vtu_row_path(path, directory, "contacts", row);
  return cli_save(path, write_points, &v);
}

static int save_all(stc_snapshot *s, const char *directory, double *time) {
  int status = CLI_DONE;
  for (long k = 0; k < s->rows && !status; k++) {
    stc_error error = stc_snapshot_load(s, k);
    if (error) return cli_complain_library(error);
    time[k] = s->t;
    status = save_row(s, directory, k);
  }
  if (!status) status = vtu_save_collection(directory, "bodies", time, 0, s->rows);
  if (!status && s->pairs > 0) {
    status = vtu_save_collection(directory, "contacts", time, 0, s->rows);
  }
  return status;
}

static int save_directory(stc_snapshot *s, const char *directory) {
  int status = cli_make_directory(directory);
  if (status) return status;
  double *time = calloc((size_t)s->rows, sizeof *time);
  status = time ? save_all(s, directory, time) : cli_complain("out of memory");
  free(time);
  return status;
}

// One row into one file.
static int save_file(stc_snapshot *s, const char *path, long row) {
  grid v;
  stc_error error = stc_snapshot_load(s, row < 0 ? s->rows - 1 : row);
  if (error) return cli_complain_library(error);
  int status = make_grid(s, &v);
  if (!status) status = cli_save(path, write_bodies, &v);
  free(v.body);
  return status;
}

int export_vtk(stc_snapshot *snapshot, const char *out, long row) {
  return vtu_is_file(out) ? save_file(snapshot, out, row) : save_directory(snapshot, out);
}
