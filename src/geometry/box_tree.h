// A tree of boxes, split at the middle of the longest side.
#ifndef STC_GEOMETRY_BOX_TREE_H
#define STC_GEOMETRY_BOX_TREE_H

#include <stiction/base.h>

#include <stddef.h>

/// An eighth goes to each side at least: 2^28 items make 146 levels.
enum { STC_BOX_TREE_DEEPEST = 256 };

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
  const double *box;        ///< [items*6] low and high, in that order; NULL: not looked at
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

typedef struct stc_box_tree_visit_later {
  int node;
  double bound;
} stc_box_tree_visit_later;

/// The same where it counts: with functions that the compiler knows it is a loop without calls.
static inline void stc_box_tree_walk(const stc_box_tree *t, const stc_box_tree_search s) {
  stc_box_tree_visit_later stack[STC_BOX_TREE_DEEPEST];
  int depth = 0;
  if (t->nodes > 0)
    stack[depth++] =
        (stc_box_tree_visit_later){0, s.bound(s.user, t->node[0].low, t->node[0].high)};
  while (depth) {
    stc_box_tree_visit_later top = stack[--depth];
    const stc_box_tree_node *node = &t->node[top.node];
    if (!(top.bound <= *s.limit)) continue;
    for (int k = node->first; k < node->first + node->count; k++) {
      const double *box = t->box ? t->box + 6 * (size_t)k : NULL;
      if (!box || s.bound(s.user, box, box + 3) <= *s.limit) s.meet(s.user, t->order[k]);
    }
    if (node->count) continue;
    int child[2] = {top.node + 1, node->first};
    double bound[2];
    for (int k = 0; k < 2; k++)
      bound[k] = s.bound(s.user, t->node[child[k]].low, t->node[child[k]].high);
    int later = bound[1] < bound[0] ? 0 : 1;
    if (bound[later] <= *s.limit)
      stack[depth++] = (stc_box_tree_visit_later){child[later], bound[later]};
    stack[depth++] = (stc_box_tree_visit_later){child[1 - later], bound[1 - later]};
  }
}

/// The distance of two boxes; where they meet, less the least depth along an axis.
double stc_box_distance(const double low[3], const double high[3], const double other_low[3],
                        const double other_high[3]);

#endif
