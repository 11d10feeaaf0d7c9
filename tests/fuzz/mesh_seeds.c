// Writes small meshes into a directory: where the fuzzer of the mesh reader starts from.
//   mesh_seeds DIRECTORY
#include <stiction/fem.h>

#include <stdio.h>
#include <stdlib.h>

#include "gmsh_sample.h"
#include "must.h"

static void write_sample(const char *directory, const char *name, void (*make)(sample *)) {
  char path[4096];
  sample s = {.length = 0};
  make(&s);
  snprintf(path, sizeof path, "%s/%s.msh", directory, name);
  FILE *out = fopen(path, "wb");
  must(out && fwrite(s.bytes, 1, s.length, out) == s.length && fclose(out) == 0, path);
}

static void write_grid(const char *directory, stc_cell_type type) {
  char path[4096];
  stc_mesh *mesh = NULL;
  stc_grid grid = {.type = type, .count = {2, 3, 2}, .body = "block"};
  must(!stc_mesh_grid(&grid, &mesh), stc_error_detail());
  snprintf(path, sizeof path, "%s/grid%s.msh", directory, stc_cell_name(type));
  must(!stc_mesh_write(path, mesh), stc_error_detail());
  stc_mesh_free(&mesh);
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: mesh_seeds DIRECTORY\n"), 1;
  write_sample(argv[1], "text2", sample_text2);
  write_sample(argv[1], "text4", sample_text4);
  write_sample(argv[1], "binary2", sample_binary2);
  write_sample(argv[1], "binary4", sample_binary4);
  for (stc_cell_type type = STC_CELL_T3; type < STC_CELL_TYPES; type++) write_grid(argv[1], type);
  return 0;
}
