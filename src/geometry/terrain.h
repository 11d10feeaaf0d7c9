// A terrain: triangles, a tree of boxes over them, and what lies across their edges.
#ifndef STC_GEOMETRY_TERRAIN_H
#define STC_GEOMETRY_TERRAIN_H

#include <stiction/geometry.h>

#include "../base/memory.h"
#include "box_tree.h"

struct stc_terrain {
  stc_arena arena;
  int points, triangles;
  double *point;   ///< [points*3]
  int *triangle;   ///< [triangles*3]
  double *normal;  ///< [triangles*3], unit
  int *beyond;     ///< [triangles*3]: triangle across the edge from corner k to the next; -1: none
  stc_box_tree tree;  ///< over the triangles
};

#endif
