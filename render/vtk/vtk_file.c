// VTK's XML files: unstructured grids (.vtu) and collections (.pvd) that give them their times.
// Arrays are base64 with their length in front [The VTK User's Guide, XML file formats].
#include "vtk_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../output.h"

enum { VTK_MAX_PATH = 4096 };

// ---- base64

// Bytes on their way to letters, three by three.
typedef struct base64 {
  FILE *out;
  unsigned char held[3];
  int count;
} base64;

static void put_three(const base64 *c) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned word = (unsigned)c->held[0] << 16 | (unsigned)c->held[1] << 8 | c->held[2];
  char four[4];
  for (int k = 0; k < 4; k++) four[k] = letters[word >> (18 - 6 * k) & 63];
  for (int k = c->count + 1; k < 4; k++) four[k] = '=';
  fwrite(four, 1, 4, c->out);
}

static void put_bytes(base64 *c, const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  for (size_t k = 0; k < count; k++) {
    c->held[c->count++] = byte[k];
    if (c->count < 3) continue;
    put_three(c);
    c->count = 0;
  }
}

static void end_bytes(base64 *c) {
  if (c->count == 0) return;
  memset(c->held + c->count, 0, (size_t)(3 - c->count));
  put_three(c);
}

// ---- arrays

static const struct {
  const char *name;
  size_t bytes;
} types[] = {[VTK_FLOAT32] = {"Float32", 4},
             [VTK_FLOAT64] = {"Float64", 8},
             [VTK_INT32] = {"Int32", 4},
             [VTK_UINT8] = {"UInt8", 1}};

static void put_value(base64 *c, vtk_type type, double value) {
  float single = (float)value;
  int32_t whole = type == VTK_INT32 ? (int32_t)value : 0;
  unsigned char byte = type == VTK_UINT8 ? (unsigned char)value : 0;
  const void *const as[] = {
      [VTK_FLOAT32] = &single, [VTK_FLOAT64] = &value, [VTK_INT32] = &whole, [VTK_UINT8] = &byte};
  put_bytes(c, as[type], types[type].bytes);
}

static void put_array(FILE *out, const vtk_grid *grid, const vtk_array *a, long count,
                      const void *user) {
  base64 c = {.out = out};
  uint64_t length = (uint64_t)count * (uint64_t)a->components * types[a->type].bytes;
  fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
          types[a->type].name, a->name, a->components);
  put_bytes(&c, &length, sizeof length);
  for (long k = 0; k < count; k++) {
    double number[VTK_MOST_NUMBERS] = {0}, *value = number + a->offset / sizeof *number;
    grid->fill[a->count](user, k, number);
    for (int i = 0; i < a->components; i++) put_value(&c, a->type, value[i]);
  }
  end_bytes(&c);
  fputs("</DataArray>\n", out);
}

vtk_vertex vtk_vertex_at(long k) {
  enum { VERTEX = 1 };  // VTK's number of the cell
  return (vtk_vertex){(double)k, (double)k + 1, VERTEX};
}

// ---- grids

static bool is_big_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 0;
}

// A grid and where its numbers come from.
typedef struct filled_grid {
  const vtk_grid *grid;
  const void *user;
} filled_grid;

static bool write_grid(FILE *out, const void *user) {
  const filled_grid *f = user;
  long count[3] = {0};
  f->grid->count(f->user, count);
  fprintf(out,
          "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
          "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
          "<Piece NumberOfPoints=\"%ld\" NumberOfCells=\"%ld\">\n",
          is_big_endian() ? "BigEndian" : "LittleEndian", count[VTK_POINTS], count[VTK_CELLS]);
  for (int k = 0; k < f->grid->arrays; k++) {
    const vtk_array *a = &f->grid->array[k];
    bool last = k + 1 == f->grid->arrays || strcmp(a->section, a[1].section) != 0;
    if (k == 0 || strcmp(a->section, a[-1].section) != 0) fprintf(out, "<%s>\n", a->section);
    put_array(out, f->grid, a, count[a->count], f->user);
    if (last) fprintf(out, "</%.*s>\n", (int)strcspn(a->section, " "), a->section);
  }
  fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
  return true;
}

// ---- files

typedef struct collection {
  const char *stem;    // of the files it names
  const double *time;  // of row `first` and those after it
  long first, rows;
} collection;

static bool write_collection(FILE *out, const void *user) {
  const collection *c = user;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        out);
  for (long k = 0; k < c->rows; k++) {
    fprintf(out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%04ld.vtu\"/>\n", c->time[k],
            c->stem, c->first + k);
  }
  fputs("</Collection>\n</VTKFile>\n", out);
  return true;
}

static bool save_collection(const char *directory, collection c) {
  char path[VTK_MAX_PATH];
  snprintf(path, sizeof path, "%.4000s/%.50s.pvd", directory, c.stem);
  return render_save(path, write_collection, &c);
}

static bool save_grid(const vtk_run *run, const vtk_grid *grid, const char *directory,
                      const char *stem, long row) {
  char path[VTK_MAX_PATH];
  snprintf(path, sizeof path, "%.4000s/%.50s_%04ld.vtu", directory, stem, row);
  return render_save(path, write_grid, &(filled_grid){grid, run->user});
}

static bool save_row(const vtk_run *run, const char *directory, long row, double *time) {
  return run->load(run->user, row, time) && save_grid(run, run->bodies, directory, "bodies", row) &&
         (!run->contacts || ((!run->load_contacts || run->load_contacts(run->user)) &&
                             save_grid(run, run->contacts, directory, "contacts", row)));
}

static bool save_rows(const vtk_run *run, const char *directory, long first, long rows) {
  if (!render_make_directory(directory)) return false;
  double *time = calloc((size_t)rows + 1, sizeof *time);
  if (!time) return render_fails("out of memory for %ld rows", rows);
  bool good = true;
  for (long k = 0; k < rows && good; k++) good = save_row(run, directory, first + k, time + k);
  good = good && save_collection(directory, (collection){"bodies", time, first, rows});
  if (run->contacts)
    good = good && save_collection(directory, (collection){"contacts", time, first, rows});
  free(time);
  return good;
}

bool vtk_save(const vtk_run *run, const char *out, long row) {
  size_t length = strlen(out);
  double time;
  if (length <= 4 || strcmp(out + length - 4, ".vtu") != 0)
    return save_rows(run, out, row < 0 ? 0 : row, row < 0 ? run->rows : 1);
  return run->load(run->user, row < 0 ? run->rows - 1 : row, &time) &&
         render_save(out, write_grid, &(filled_grid){run->bodies, run->user});
}
