// Surfaces of shapes as faces over points, for VTK and for pictures.
#ifndef STC_RENDER_BODY_SURFACE_H
#define STC_RENDER_BODY_SURFACE_H

#include <stiction/geometry.h>

/// A corner of a face: points on an edge that is to be seen stand in the list once for each side.
typedef struct surface_vertex {
  double x[3];
  double n[3];  ///< unit, outward
} surface_vertex;

/// Zero-initialise it; free with surface_free.
typedef struct surface {
  surface_vertex *vertex;
  int vertices;
  int *corner;  ///< vertices of the faces, counterclockwise seen from outside
  int corners;
  int *first;  ///< [faces+1] into corner
  int faces;
  int vertex_room, corner_room, face_room;
  bool failed;  ///< out of memory: what was added since is lost
} surface;

/// Adds a shape in a pose, round ones with so many sides. A plane has no end: see
/// surface_add_square.
void surface_add(surface *s, const stc_shape *shape, const stc_pose *pose, int sides);

/// A rectangle [low, high] of the plane z = 0 of a pose.
void surface_add_square(surface *s, const stc_pose *pose, const double low[2],
                        const double high[2]);

void surface_free(surface *s);

/// Room for one more of `count` entries; false if there is no memory.
bool surface_grow(void *address_of_array, int *room, int count, size_t size);

#endif
