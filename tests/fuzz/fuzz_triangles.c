// Feeds arbitrary bytes to the readers of STL and OBJ files, and makes hulls and terrains of what
// they accept. Whatever the bytes are, every call returns, and a failure leaves a sentence.
#include <stiction/geometry.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_POINTS = 2000 };  // larger hulls only take longer

static int succeeded(stc_error error) {
  must(!error || strlen(stc_error_detail()) > 0, "a failure without a sentence");
  return !error;
}

// A small ball where the shape is, and what it touches there.
static void point(const stc_shape *shape, const double *point) {
  stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 1};
  stc_pose pose = stc_pose_identity(), at = pose;
  stc_contact_point found[STC_MANIFOLD];
  memcpy(at.x, point, sizeof at.x);
  int count = stc_collide(&ball, &at, shape, &pose, 0.1, found);
  must(count >= 0 && count <= STC_MANIFOLD, "the number of points");
  for (int k = 0; k < count; k++) {
    const double *n = found[k].normal;
    must(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-12, "a normal is not unit");
  }
}

static void use(const stc_triangle_mesh *mesh) {
  stc_shape shape = {.kind = STC_SHAPE_HULL};
  stc_hull *hull = NULL;
  stc_terrain *terrain = NULL;
  double volume, centre[3], inertia[6];
  for (int i = 0; i < 3 * mesh->triangles; i++)
    must(mesh->triangle[i] >= 0 && mesh->triangle[i] < mesh->points, "a corner is no point");
  if (mesh->points > MOST_POINTS) return;
  if (succeeded(stc_hull_create(mesh->points, mesh->point, &hull))) {
    shape.hull = hull;
    succeeded(stc_shape_mass(&shape, &volume, centre, inertia));
    point(&shape, mesh->point);
  }
  if (succeeded(stc_terrain_create(mesh->points, mesh->point, mesh->triangles, mesh->triangle,
                                   &terrain))) {
    shape = (stc_shape){.kind = STC_SHAPE_TERRAIN, .terrain = terrain};
    point(&shape, mesh->point);
  }
  stc_hull_free(&hull);
  stc_terrain_free(&terrain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const path[] = {"mesh.stl", "mesh.obj"};
  for (int k = 0; k < 2; k++) {
    stc_triangle_mesh mesh;
    stc_error error = stc_triangle_mesh_read_bytes(path[k], data, size, &mesh);
    must(!error || strstr(stc_error_detail(), path[k]) != NULL, stc_error_detail());
    if (!error) use(&mesh);
    stc_triangle_mesh_free(&mesh);
  }
  return 0;
}
