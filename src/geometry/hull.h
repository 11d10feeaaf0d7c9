// A convex hull: its corners, the triangles over them, and flat faces made of coplanar triangles.
#ifndef STC_GEOMETRY_HULL_H
#define STC_GEOMETRY_HULL_H

#include <stiction/geometry.h>

#include "../base/memory.h"

struct stc_hull {
  stc_arena arena;
  int points, triangles, faces, edges;
  double *point;      ///< [points*3]
  int *triangle;      ///< [triangles*3], outward
  double *normal;     ///< [faces*3], outward, unit
  int *face_start;    ///< [faces+1] into face_corner
  int *face_corner;   ///< corners of each face, counter-clockwise from outside
  int *around_start;  ///< [points+1] into around
  int *around;        ///< faces that meet at each corner
  double *edge;       ///< [edges*3]: unit directions, parallel ones once
  double centre[3];   ///< a point well inside
  double extent;      ///< greatest distance of a corner from the centre
};

/// Number of the corner that is farthest along d.
int stc_hull_support(const stc_hull *hull, const double d[3]);

/// Flat faces, neighbours and edges from points and triangles that are already there.
stc_error stc_hull_finish(stc_hull *hull);

#endif
