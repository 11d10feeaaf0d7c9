// VTK's XML files: an unstructured grid (.vtu) for the bodies and one for the contact points of
// each row, and collections (.pvd) that give them their times. Arrays are base64 with their length
// in front [The VTK User's Guide, XML file formats].
#include "export.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_PATH = 4096 };

// VTK's numbers of the cells, in the order of stc_cell_type; Gmsh and VTK number their nodes alike.
static const unsigned char vtk_type[STC_CELL_TYPES] = {1, 3, 21, 5, 22, 9, 23, 10, 12};

// ---- base64

// Bytes on their way to letters, three by three.
typedef struct coder {
  FILE *out;
  unsigned char held[3];
  int count;
} coder;

static void put_three(const coder *c) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned word = (unsigned)c->held[0] << 16 | (unsigned)c->held[1] << 8 | c->held[2];
  char four[4];
  for (int k = 0; k < 4; k++) four[k] = letters[word >> (18 - 6 * k) & 63];
  for (int k = c->count + 1; k < 4; k++) four[k] = '=';
  fwrite(four, 1, 4, c->out);
}

static void put_bytes(coder *c, const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  for (size_t k = 0; k < count; k++) {
    c->held[c->count++] = byte[k];
    if (c->count < 3) continue;
    put_three(c);
    c->count = 0;
  }
}

static void end_bytes(coder *c) {
  if (c->count == 0) return;
  memset(c->held + c->count, 0, (size_t)(3 - c->count));
  put_three(c);
}

// ---- arrays

static bool is_big_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 0;
}

static coder begin_array(FILE *out, const char *type, const char *name, int components,
                         size_t bytes) {
  coder c = {.out = out};
  uint64_t length = bytes;
  fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
          type, name, components);
  put_bytes(&c, &length, sizeof length);
  return c;
}

static void end_array(coder *c) {
  end_bytes(c);
  fputs("</DataArray>\n", c->out);
}

// Vectors of `dim` numbers as three, which is what VTK draws.
static void put_vectors(FILE *out, const char *name, const double *x, long count, int dim) {
  coder c = begin_array(out, "Float64", name, 3, (size_t)count * 3 * sizeof *x);
  for (long k = 0; k < count; k++) {
    double three[3] = {0};
    memcpy(three, x + k * dim, (size_t)dim * sizeof *x);
    put_bytes(&c, three, sizeof three);
  }
  end_array(&c);
}

// ---- bodies

typedef struct vtu {
  const stc_snapshot *s;
  long cells;  // of the bodies
} vtu;

static bool is_body(const stc_mesh *mesh, int c) {
  return stc_cell_dim((stc_cell_type)mesh->type[c]) == mesh->dim;
}

static void put_connectivity(FILE *out, const stc_mesh *mesh) {
  size_t entries = 0;
  for (int c = 0; c < mesh->cells; c++) {
    if (is_body(mesh, c)) entries += (size_t)(mesh->ptr[c + 1] - mesh->ptr[c]);
  }
  coder array = begin_array(out, "Int32", "connectivity", 1, entries * sizeof(int32_t));
  for (int c = 0; c < mesh->cells; c++) {
    if (!is_body(mesh, c)) continue;
    for (int k = mesh->ptr[c]; k < mesh->ptr[c + 1]; k++) {
      int32_t node = mesh->node[k];
      put_bytes(&array, &node, sizeof node);
    }
  }
  end_array(&array);
}

static void put_offsets(FILE *out, const stc_mesh *mesh, long cells) {
  int32_t end = 0;
  coder array = begin_array(out, "Int32", "offsets", 1, (size_t)cells * sizeof end);
  for (int c = 0; c < mesh->cells; c++) {
    if (!is_body(mesh, c)) continue;
    end += mesh->ptr[c + 1] - mesh->ptr[c];
    put_bytes(&array, &end, sizeof end);
  }
  end_array(&array);
  array = begin_array(out, "UInt8", "types", 1, (size_t)cells);
  for (int c = 0; c < mesh->cells; c++) {
    if (is_body(mesh, c)) put_bytes(&array, &vtk_type[mesh->type[c]], 1);
  }
  end_array(&array);
}

static double mises(const double *s) {
  double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt((a * a + b * b + c * c) / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

static void put_stress(FILE *out, const vtu *v) {
  const stc_snapshot *s = v->s;
  size_t cells = (size_t)v->cells;
  coder array = begin_array(out, "Float64", "stress", 6, cells * 6 * sizeof(double));
  for (int c = 0; c < s->mesh.cells; c++) {
    if (is_body(&s->mesh, c)) put_bytes(&array, s->stress + 6 * (size_t)c, 6 * sizeof(double));
  }
  end_array(&array);
  array = begin_array(out, "Float64", "von Mises stress", 1, cells * sizeof(double));
  for (int c = 0; c < s->mesh.cells; c++) {
    double value = mises(s->stress + 6 * (size_t)c);
    if (is_body(&s->mesh, c)) put_bytes(&array, &value, sizeof value);
  }
  end_array(&array);
  array = begin_array(out, "Float64", "plastic strain", 1, cells * sizeof(double));
  for (int c = 0; c < s->mesh.cells; c++) {
    if (is_body(&s->mesh, c)) put_bytes(&array, s->alpha + c, sizeof(double));
  }
  end_array(&array);
}

// The number of the body that a cell belongs to, from 1; 0 if to none with a name.
static void put_body_numbers(FILE *out, const vtu *v) {
  const stc_mesh *mesh = &v->s->mesh;
  int32_t *body = calloc((size_t)mesh->cells + 1, sizeof *body), number = 0;
  for (int g = 0; body && g < mesh->groups; g++) {
    if (mesh->group[g].dim != mesh->dim) continue;
    number++;
    for (int k = 0; k < mesh->group[g].cells; k++) body[mesh->group[g].cell[k]] = number;
  }
  coder array = begin_array(out, "Int32", "body", 1, (size_t)v->cells * sizeof *body);
  for (int c = 0; c < mesh->cells; c++) {
    int32_t one = body ? body[c] : 0;
    if (is_body(mesh, c)) put_bytes(&array, &one, sizeof one);
  }
  end_array(&array);
  free(body);
}

static void begin_grid(FILE *out, long points, long cells) {
  fprintf(out,
          "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
          "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
          "<Piece NumberOfPoints=\"%ld\" NumberOfCells=\"%ld\">\n",
          is_big_endian() ? "BigEndian" : "LittleEndian", points, cells);
}

static void end_grid(FILE *out) { fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out); }

static void write_bodies(FILE *out, const void *user) {
  const vtu *v = user;
  const stc_mesh *mesh = &v->s->mesh;
  begin_grid(out, mesh->nodes, v->cells);
  fputs("<PointData Vectors=\"displacement\">\n", out);
  put_vectors(out, "displacement", v->s->displacement, mesh->nodes, mesh->dim);
  put_vectors(out, "reaction", v->s->reaction, mesh->nodes, mesh->dim);
  fputs("</PointData>\n<CellData Scalars=\"von Mises stress\">\n", out);
  put_stress(out, v);
  put_body_numbers(out, v);
  fputs("</CellData>\n<Points>\n", out);
  put_vectors(out, "Points", mesh->x, mesh->nodes, mesh->dim);
  fputs("</Points>\n<Cells>\n", out);
  put_connectivity(out, mesh);
  put_offsets(out, mesh, v->cells);
  fputs("</Cells>\n", out);
  end_grid(out);
}

// ---- contact points

static void put_point_numbers(FILE *out, const stc_snapshot *s, const char *name, size_t offset) {
  int count = s->first[s->pairs];
  coder array = begin_array(out, "Float64", name, 1, (size_t)count * sizeof(double));
  for (int k = 0; k < count; k++) {
    double value;
    memcpy(&value, (const char *)&s->point[k] + offset, sizeof value);
    if (!isfinite(value)) value = NAN;  // a gap without anything opposite is drawn as missing
    put_bytes(&array, &value, sizeof value);
  }
  end_array(&array);
}

// A vector of the points: kind 0 place, 1 normal, 2 shear, 3 slip, the last two in space.
static void put_point_vectors(FILE *out, const stc_snapshot *s, const char *name, int kind) {
  int count = s->first[s->pairs];
  coder array = begin_array(out, "Float64", name, 3, (size_t)count * 3 * sizeof(double));
  for (int k = 0; k < count; k++) {
    const stc_contact_point *p = &s->point[k];
    const double *part = kind == 2 ? p->shear : p->slip;
    double x[3];
    for (int i = 0; i < 3; i++) {
      x[i] = kind == 0   ? p->x[i]
             : kind == 1 ? p->normal[i]
                         : part[0] * p->tangent[0][i] + part[1] * p->tangent[1][i];
    }
    put_bytes(&array, x, sizeof x);
  }
  end_array(&array);
}

static void put_integers(FILE *out, const stc_snapshot *s, const char *name, int kind) {
  int count = s->first[s->pairs], pair = 0;
  coder array = begin_array(out, "Int32", name, 1, (size_t)count * sizeof(int32_t));
  for (int k = 0; k < count; k++) {
    while (k >= s->first[pair + 1]) pair++;
    int32_t value = kind == 0   ? k
                    : kind == 1 ? k + 1
                    : kind == 2 ? (int)s->point[k].state
                                : pair + 1;
    put_bytes(&array, &value, sizeof value);
  }
  end_array(&array);
}

static void put_vertices(FILE *out, const stc_snapshot *s) {
  int count = s->first[s->pairs];
  put_integers(out, s, "connectivity", 0);
  put_integers(out, s, "offsets", 1);
  coder array = begin_array(out, "UInt8", "types", 1, (size_t)count);
  for (int k = 0; k < count; k++) put_bytes(&array, &vtk_type[STC_CELL_P1], 1);
  end_array(&array);
}

static void write_points(FILE *out, const void *user) {
  const stc_snapshot *s = ((const vtu *)user)->s;
  int count = s->first[s->pairs];
  begin_grid(out, count, count);
  fputs("<PointData Scalars=\"pressure\">\n", out);
  put_point_numbers(out, s, "pressure", offsetof(stc_contact_point, pressure));
  put_point_numbers(out, s, "gap", offsetof(stc_contact_point, gap));
  put_point_numbers(out, s, "area", offsetof(stc_contact_point, area));
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
  end_grid(out);
}

// ---- collections

typedef struct collection {
  const char *stem;    // of the files it names
  const double *time;  // [rows]
  long rows;
} collection;

static void write_collection(FILE *out, const void *user) {
  const collection *c = user;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        out);
  for (long k = 0; k < c->rows; k++) {
    fprintf(out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%04ld.vtu\"/>\n", c->time[k],
            c->stem, k);
  }
  fputs("</Collection>\n</VTKFile>\n", out);
}

static int save_collection(const char *directory, const collection *c) {
  char path[MAX_PATH];
  snprintf(path, sizeof path, "%.4000s/%s.pvd", directory, c->stem);
  return cli_save(path, write_collection, c);
}

static int save_row(const stc_snapshot *s, const char *directory, long row) {
  char path[MAX_PATH];
  vtu v = {.s = s};
  for (int c = 0; c < s->mesh.cells; c++) v.cells += is_body(&s->mesh, c);
  snprintf(path, sizeof path, "%.4000s/bodies_%04ld.vtu", directory, row);
  int status = cli_save(path, write_bodies, &v);
  if (status || s->pairs == 0) return status;
  snprintf(path, sizeof path, "%.4000s/contacts_%04ld.vtu", directory, row);
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
  if (!status) status = save_collection(directory, &(collection){"bodies", time, s->rows});
  if (!status && s->pairs > 0) {
    status = save_collection(directory, &(collection){"contacts", time, s->rows});
  }
  return status;
}

static int save_directory(stc_snapshot *s, const char *directory) {
  if (mkdir(directory, 0777) && errno != EEXIST) {
    return cli_complain("%s: cannot be made: %s", directory, strerror(errno));
  }
  double *time = calloc((size_t)s->rows, sizeof *time);
  int status = time ? save_all(s, directory, time) : cli_complain("out of memory");
  free(time);
  return status;
}

// One row into one file.
static int save_file(stc_snapshot *s, const char *path, long row) {
  vtu v = {.s = s};
  stc_error error = stc_snapshot_load(s, row < 0 ? s->rows - 1 : row);
  if (error) return cli_complain_library(error);
  for (int c = 0; c < s->mesh.cells; c++) v.cells += is_body(&s->mesh, c);
  return cli_save(path, write_bodies, &v);
}

int export_vtk(stc_snapshot *snapshot, const char *out, long row) {
  size_t length = strlen(out);
  bool is_file = length > 4 && !strcmp(out + length - 4, ".vtu");
  return is_file ? save_file(snapshot, out, row) : save_directory(snapshot, out);
}
