// What the tests of elastic bodies on meshes share.
#ifndef STC_TEST_WAVE_SUPPORT_H
#define STC_TEST_WAVE_SUPPORT_H

#include "expect.h"

#include <stiction/stiction.h>

/// A mapped grid with the body "body" and its sides "body.s0", "body.s1", "body.t0", ...
static inline stc_mesh *grid_of(int dim, const int *cells, stc_cell_type type, void *user,
                                bool (*map)(void *, const double *, double *)) {
  stc_mesh *mesh = NULL;
  stc_grid grid = {.type = type, .body = "body", .map = map, .user = user};
  for (int i = 0; i < dim; i++) grid.count[i] = cells[i] + 1;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  return mesh;
}

#endif
