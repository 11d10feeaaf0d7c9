// VTK's XML files: unstructured grids (.vtu) and collections (.pvd) that give them their times.
// Arrays are base64 with their length in front [The VTK User's Guide, XML file formats].
#include "vtu.h"

#include <stdint.h>
#include <string.h>

// ---- base64

static void put_three(const vtu_array *c) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned word = (unsigned)c->held[0] << 16 | (unsigned)c->held[1] << 8 | c->held[2];
  char four[4];
  for (int k = 0; k < 4; k++) four[k] = letters[word >> (18 - 6 * k) & 63];
  for (int k = c->count + 1; k < 4; k++) four[k] = '=';
  fwrite(four, 1, 4, c->out);
}

void vtu_put(vtu_array *c, const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  for (size_t k = 0; k < count; k++) {
    c->held[c->count++] = byte[k];
    if (c->count < 3) continue;
    put_three(c);
    c->count = 0;
  }
}

static void end_bytes(vtu_array *c) {
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

vtu_array vtu_begin_array(FILE *out, const char *type, const char *name, int components,
                          size_t bytes) {
  vtu_array c = {.out = out};
  uint64_t length = bytes;
  fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
          type, name, components);
  vtu_put(&c, &length, sizeof length);
  return c;
}

void vtu_end_array(vtu_array *c) {
  end_bytes(c);
  fputs("</DataArray>\n", c->out);
}

void vtu_put_vectors(FILE *out, const char *name, const double *x, long count, int dim) {
  vtu_array c = vtu_begin_array(out, "Float64", name, 3, (size_t)count * 3 * sizeof *x);
  for (long k = 0; k < count; k++) {
    double three[3] = {0};
    memcpy(three, x + k * dim, (size_t)dim * sizeof *x);
    vtu_put(&c, three, sizeof three);
  }
  vtu_end_array(&c);
}

// ---- grids

void vtu_begin_grid(FILE *out, long points, long cells) {
  fprintf(out,
          "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
          "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
          "<Piece NumberOfPoints=\"%ld\" NumberOfCells=\"%ld\">\n",
          is_big_endian() ? "BigEndian" : "LittleEndian", points, cells);
}

void vtu_end_grid(FILE *out) { fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out); }

// ---- files

typedef struct collection {
  const char *stem;    // of the files it names
  const double *time;  // of row `first` and those after it
  long first, rows;
} collection;

static void write_collection(FILE *out, const void *user) {
  const collection *c = user;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        out);
  for (long k = 0; k < c->rows; k++) {
    fprintf(out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%04ld.vtu\"/>\n", c->time[k],
            c->stem, c->first + k);
  }
  fputs("</Collection>\n</VTKFile>\n", out);
}

int vtu_save_collection(const char *directory, const char *stem, const double *time, long first,
                        long rows) {
  char path[VTU_MAX_PATH];
  snprintf(path, sizeof path, "%.4000s/%.50s.pvd", directory, stem);
  return cli_save(path, write_collection, &(collection){stem, time, first, rows});
}

void vtu_row_path(char path[VTU_MAX_PATH], const char *directory, const char *stem, long row) {
  snprintf(path, VTU_MAX_PATH, "%.4000s/%.50s_%04ld.vtu", directory, stem, row);
}

bool vtu_is_file(const char *out) {
  size_t length = strlen(out);
  return length > 4 && !strcmp(out + length - 4, ".vtu");
}
