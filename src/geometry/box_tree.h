// A tree of boxes, split at the middle of the longest side.
#ifndef STC_GEOMETRY_BOX_TREE_H
#define STC_GEOMETRY_BOX_TREE_H

#include <stiction/base.h>

/// A box of the tree: a leaf has `count` items from `first` of the order; otherwise its second
/// child is `first`, and the first follows it.
typedef struct stc_box_tree_node {
  double low[3], high[3];
  int first, count;
} stc_box_tree_node;

/// The arrays are their owner's.
typedef struct stc_box_tree {
  int items, nodes;
  int *order;               ///< [items], as the leaves hold them
  stc_box_tree_node *node;  ///< [2*items]
} stc_box_tree;

/// What is put into a tree.
typedef struct stc_box_tree_items {
  int count;
  const double *low, *high;  ///< [count*3] finite boxes
  const double *middle;      ///< [count*3] `weight` times a point of each, by which they are split
  double weight;
} stc_box_tree_items;

void stc_box_tree_build(stc_box_tree *tree, const stc_box_tree_items *items);

/// Calls `visit` for each item in a leaf whose box meets [low, high], always in the same order.
typedef void (*stc_box_tree_visit)(void *user, int item);
void stc_box_tree_query(const stc_box_tree *tree, const double low[3], const double high[3],
                        stc_box_tree_visit visit, void *user);

/// A search that begins with the most promising boxes. `bound` says how promising a box is at best,
/// less being better; boxes whose bound exceeds *limit are left out, and `meet` may lower *limit.
typedef struct stc_box_tree_search {
  double (*bound)(const void *user, const double low[3], const double high[3]);
  void (*meet)(void *user, int item);
  void *user;
  const double *limit;
} stc_box_tree_search;
void stc_box_tree_find(const stc_box_tree *tree, const stc_box_tree_search *search);

/// The distance of two boxes; where they meet, less the least depth along an axis.
double stc_box_distance(const double low[3], const double high[3], const double other_low[3],
                        const double other_high[3]);

#endif
