// A terrain: triangles, a tree of boxes over them, and what lies across their edges.
#ifndef STC_GEOMETRY_TERRAIN_H
#define STC_GEOMETRY_TERRAIN_H

#include <stiction/geometry.h>

#include "../base/memory.h"

/// A box of the tree: a leaf has `count` triangles from `first` of the order; otherwise its second
/// child is `first`, and the first follows it.
typedef struct stc_terrain_node {
  double low[3], high[3];
  int first, count;
} stc_terrain_node;

struct stc_terrain {
  stc_arena arena;
  int points, triangles, nodes;
  double *point;   ///< [points*3]
  int *triangle;   ///< [triangles*3]
  double *normal;  ///< [triangles*3], unit
  int *beyond;     ///< [triangles*3]: triangle across the edge from corner k to the next; -1: none
  int *order;      ///< [triangles], as the leaves hold them
  stc_terrain_node *node;
};

/// Calls `visit` for each triangle whose box meets [low, high], always in the same order.
typedef void (*stc_terrain_visit)(void *user, int triangle);
void stc_terrain_query(const stc_terrain *terrain, const double low[3], const double high[3],
                       stc_terrain_visit visit, void *user);

/// A search that begins with the most promising boxes. `bound` says how promising a box is at best,
/// less being better; boxes and triangles whose bound exceeds *limit are left out, and `meet` may
/// lower *limit.
typedef struct stc_terrain_search {
  double (*bound)(const void *user, const double low[3], const double high[3]);
  void (*meet)(void *user, int triangle);
  void *user;
  const double *limit;
} stc_terrain_search;
void stc_terrain_find(const stc_terrain *terrain, const stc_terrain_search *search);

#endif
