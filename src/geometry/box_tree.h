// A tree of boxes, each node with up to four children whose boxes lie side by side, cut where the
// areas of the boxes, weighted with what they hold, are least   [MacDonald and Booth 1990].
#ifndef STC_GEOMETRY_BOX_TREE_H
#define STC_GEOMETRY_BOX_TREE_H

#include <stiction/base.h>

#include "../base/variants.h"

#include <stddef.h>

/// Each cut leaves an eighth on each side at least: 2^28 items make 146 levels, and a search leaves
/// three children behind on each.
enum { STC_BOX_TREE_WIDTH = 4, STC_BOX_TREE_DEEPEST = 512 };

typedef struct stc_box_tree_node {
  double low[3][STC_BOX_TREE_WIDTH], high[3][STC_BOX_TREE_WIDTH];  ///< of lanes not used: as the
                                                                   ///< first
  int child[STC_BOX_TREE_WIDTH];  ///< a node, or the item at -1 - child of the order
  int children;
} stc_box_tree_node;

/// The arrays are their owner's.
typedef struct stc_box_tree {
  int items, nodes;
  int *order;               ///< [items], as searches find them
  stc_box_tree_node *node;  ///< [stc_box_tree_room(items)]
} stc_box_tree;

/// What is put into a tree.
typedef struct stc_box_tree_items {
  int count;
  const double *low, *high;  ///< [count*3] finite boxes
  const double *middle;      ///< [count*3] some multiple of a point of each, by which they are cut
} stc_box_tree_items;

/// Nodes of a tree, at most: below those with two or three items all have four children.
static inline size_t stc_box_tree_room(int items) { return 2 * (size_t)items / 3 + 2; }

void stc_box_tree_build(stc_box_tree *tree, const stc_box_tree_items *items);

/// The same tree around boxes that have moved.
void stc_box_tree_refit(stc_box_tree *tree, const double *low, const double *high);

/// Sum of the areas of all boxes in parts of the largest: what a search costs.
double stc_box_tree_cost(const stc_box_tree *tree);

/// Calls `visit` for each item whose box meets [low, high], always in the same order.
typedef void (*stc_box_tree_visit)(void *user, int item);
void stc_box_tree_query(const stc_box_tree *tree, const double low[3], const double high[3],
                        stc_box_tree_visit visit, void *user);

/// A search that begins with the most promising boxes. `bounds` says how promising those of a node
/// are at best, less being better; boxes whose bound exceeds *limit are left out, and `meet` may
/// lower *limit.
typedef struct stc_box_tree_search {
  void (*bounds)(const void *user, const stc_box_tree_node *node, double *bound);
  void (*meet)(void *user, int item);
  void *user;
  const double *limit;
} stc_box_tree_search;
void stc_box_tree_find(const stc_box_tree *tree, const stc_box_tree_search *search);

typedef double stc_box_bound(const void *user, const double low[3], const double high[3]);

/// Bounds of a node, one box after the other.
static inline void stc_box_tree_bound_each(const stc_box_tree_node *n, stc_box_bound *bound_of,
                                           const void *user, double *bound) {
  for (int c = 0; c < n->children; c++) {
    const double low[3] = {n->low[0][c], n->low[1][c], n->low[2][c]};
    const double high[3] = {n->high[0][c], n->high[1][c], n->high[2][c]};
    bound[c] = bound_of(user, low, high);
  }
}

typedef struct stc_box_tree_visit_later {
  int child;
  double bound;
} stc_box_tree_visit_later;

/// The search where it counts: with functions that the compiler knows it is a loop without calls.
/// `meet` gets places of the order.
STC_ALWAYS void stc_box_tree_walk(const stc_box_tree *t, const stc_box_tree_search s) {
  stc_box_tree_visit_later stack[STC_BOX_TREE_DEEPEST];
  int depth = 0;
  if (t->nodes > 0) stack[depth++] = (stc_box_tree_visit_later){0, *s.limit};
  while (depth) {
    stc_box_tree_visit_later top = stack[--depth];
    if (!(top.bound <= *s.limit)) continue;
    if (top.child < 0) {
      s.meet(s.user, -1 - top.child);
      continue;
    }
    const stc_box_tree_node *node = &t->node[top.child];
    double bound[STC_BOX_TREE_WIDTH];
    int base = depth;
    s.bounds(s.user, node, bound);
    for (int c = 0; c < node->children; c++) {  // the best one on top
      int at = depth;
      if (!(bound[c] <= *s.limit)) continue;
      for (; at > base && stack[at - 1].bound < bound[c]; at--) stack[at] = stack[at - 1];
      stack[at] = (stc_box_tree_visit_later){node->child[c], bound[c]};
      depth++;
    }
  }
}

/// The distance of two boxes; where they meet, less the least depth along an axis.
double stc_box_distance(const double low[3], const double high[3], const double other_low[3],
                        const double other_high[3]);

#endif
