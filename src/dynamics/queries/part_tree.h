// Where all enabled parts of a world are, and a tree over their boxes.
#ifndef STC_DYNAMICS_PART_TREE_H
#define STC_DYNAMICS_PART_TREE_H

#include "../../geometry/box_tree.h"
#include "../bodies/world_data.h"

/// Makes what is known of the places at hand, where something has moved.
stc_error stc_parts_locate(stc_world *world);

static inline const stc_pose *stc_part_pose(const stc_world *world, int part) {
  return (const stc_pose *)world->seen.pose.data + part;
}

static inline stc_box_tree stc_parts_tree(const stc_part_places *seen) {
  return (stc_box_tree){.items = seen->finite,
                        .nodes = seen->nodes,
                        .order = seen->order.data,
                        .node = seen->node.data,
                        .box = seen->box.data};
}

/// Searches the parts: those without a finite box first, in their order; `meet` gets part numbers.
static inline void stc_parts_search(const stc_world *world, const stc_box_tree_search search) {
  const stc_part_places *seen = &world->seen;
  const stc_box_tree tree = stc_parts_tree(seen);
  for (int k = 0; k < seen->endless; k++)
    search.meet(search.user, ((const int *)seen->far.data)[k]);
  stc_box_tree_walk(&tree, search);
}

#endif
