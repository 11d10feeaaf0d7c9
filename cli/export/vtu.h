// VTK's XML files, array by array.
#ifndef STICTION_CLI_VTU_H
#define STICTION_CLI_VTU_H

#include "../cli.h"

enum { VTU_MAX_PATH = 4096 };

/// An array whose bytes are on their way to letters, three by three.
typedef struct vtu_array {
  FILE *out;
  unsigned char held[3];
  int count;
} vtu_array;

/// An array of so many bytes in all; type "Float64", "Int32", "UInt8", ...
vtu_array vtu_begin_array(FILE *out, const char *type, const char *name, int components,
                          size_t bytes);
void vtu_put(vtu_array *array, const void *bytes, size_t count);
void vtu_end_array(vtu_array *array);

/// Vectors of `dim` numbers as three, which is what VTK draws.
void vtu_put_vectors(FILE *out, const char *name, const double *x, long count, int dim);

void vtu_begin_grid(FILE *out, long points, long cells);
void vtu_end_grid(FILE *out);

/// DIRECTORY/STEM.pvd for rows from `first` on; time [rows].
int vtu_save_collection(const char *directory, const char *stem, const double *time, long first,
                        long rows);
/// DIRECTORY/STEM_0012.vtu
void vtu_row_path(char path[VTU_MAX_PATH], const char *directory, const char *stem, long row);

/// Whether a name is that of a single file, not of a directory.
bool vtu_is_file(const char *out);

#endif
