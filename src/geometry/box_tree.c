// A tree of boxes over anything: triangles of a terrain, parts of bodies.
#include "box_tree.h"

#include <math.h>

enum { LEAF = 4 };  // items of a leaf: fewer cost more boxes than they save

// Moves items before the middle of the box to the front; half of them where that fails.
static int split_node(stc_box_tree *t, const stc_box_tree_items *items, int first, int count,
                      const stc_box_tree_node *node) {
  int axis = 0, front = first;
  for (int k = 1; k < 3; k++)
    if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis]) axis = k;
  double cut = items->weight / 2 * (node->low[axis] + node->high[axis]);
  for (int i = first; i < first + count; i++) {
    if (items->middle[3 * (size_t)t->order[i] + (size_t)axis] >= cut) continue;
    int swap = t->order[i];
    t->order[i] = t->order[front];
    t->order[front++] = swap;
  }
  int left = front - first;
  return left < count / 8 + 1 || left > count - count / 8 - 1 ? count / 2 : left;
}

static int grow_box(stc_box_tree *t, const stc_box_tree_items *items, int first, int count) {
  int number = t->nodes++;
  stc_box_tree_node *node = &t->node[number];
  for (int k = 0; k < 3; k++) node->low[k] = INFINITY, node->high[k] = -INFINITY;
  for (int i = first; i < first + count; i++)
    for (size_t k = 0, at = 3 * (size_t)t->order[i]; k < 3; k++) {
      node->low[k] = fmin(node->low[k], items->low[at + k]);
      node->high[k] = fmax(node->high[k], items->high[at + k]);
    }
  node->first = first;
  node->count = count;
  if (count <= LEAF) return number;
  int left = split_node(t, items, first, count, node);
  node->count = 0;
  grow_box(t, items, first, left);
  node->first = grow_box(t, items, first + left, count - left);
  return number;
}

void stc_box_tree_build(stc_box_tree *t, const stc_box_tree_items *items) {
  t->items = items->count;
  t->nodes = 0;
  for (int k = 0; k < items->count; k++) t->order[k] = k;
  if (items->count > 0) grow_box(t, items, 0, items->count);
}

static bool boxes_overlap(const stc_box_tree_node *node, const double low[3],
                          const double high[3]) {
  for (int k = 0; k < 3; k++)
    if (node->low[k] > high[k] || node->high[k] < low[k]) return false;
  return true;
}

void stc_box_tree_query(const stc_box_tree *t, const double low[3], const double high[3],
                        stc_box_tree_visit visit, void *user) {
  int stack[STC_BOX_TREE_DEEPEST], depth = 0;
  if (t->nodes > 0) stack[depth++] = 0;
  while (depth) {
    int number = stack[--depth];
    const stc_box_tree_node *node = &t->node[number];
    if (!boxes_overlap(node, low, high)) continue;
    for (int k = 0; k < node->count; k++) visit(user, t->order[node->first + k]);
    if (node->count) continue;
    stack[depth++] = node->first;
    stack[depth++] = number + 1;
  }
}

void stc_box_tree_find(const stc_box_tree *t, const stc_box_tree_search *s) {
  stc_box_tree_walk(t, *s);
}

double stc_box_distance(const double low[3], const double high[3], const double other_low[3],
                        const double other_high[3]) {
  double most = -INFINITY, square = 0;
  for (int k = 0; k < 3; k++) {
    double apart = fmax(low[k] - other_high[k], other_low[k] - high[k]);
    most = fmax(most, apart);
    if (apart > 0) square += apart * apart;
  }
  return most > 0 ? sqrt(square) : most;
}
