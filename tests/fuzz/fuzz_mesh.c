// Feeds arbitrary bytes to the reader of meshes. Whatever the bytes are it returns; a failure
// leaves a sentence that names the file, and what is accepted passes the check again.
#include <stiction/fem.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stc_mesh *mesh = NULL;
  stc_error error = stc_mesh_read_bytes("some.msh", data, size, &mesh);
  if (error) {
    must(strstr(stc_error_detail(), "some.msh") != NULL, stc_error_detail());
    must(mesh == NULL, "a mesh after a failure");
  } else {
    must(!stc_mesh_check(mesh), stc_error_detail());
  }
  stc_mesh_free(&mesh);
  return 0;
}
