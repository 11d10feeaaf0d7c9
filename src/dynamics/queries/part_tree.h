// Where all enabled parts of a world are, and a tree over their boxes.
#ifndef STC_DYNAMICS_PART_TREE_H
#define STC_DYNAMICS_PART_TREE_H

#include "../../geometry/box_tree.h"
#include "../bodies/world_data.h"

/// Makes what is known of the places at hand, where something has moved.
stc_error stc_parts_locate(stc_world *world);

/// All that a question needs of a part, next to those that are near it in space.
typedef struct stc_part_spot {
  stc_pose pose;
  stc_shape shape;
  uint64_t group;  ///< never 0
  int part;
  bool sensor;
} stc_part_spot;

static inline stc_box_tree stc_parts_tree(const stc_part_places *seen) {
  return (stc_box_tree){.items = seen->grown,
                        .nodes = seen->nodes,
                        .order = seen->order.data,
                        .node = seen->node.data};
}

static inline const stc_part_spot *stc_part_spot_at(const stc_world *world, int spot) {
  return (const stc_part_spot *)world->seen.spot.data + spot;
}

/// Searches the parts: those without a finite box first, in their order; `meet` gets the places of
/// parts among the spots.
STC_ALWAYS void stc_parts_search(const stc_world *world, const stc_box_tree_search search) {
  const stc_part_places *seen = &world->seen;
  const stc_box_tree tree = stc_parts_tree(seen);
  for (int k = 0; k < seen->endless; k++) search.meet(search.user, world->parts - 1 - k);
  stc_box_tree_walk(&tree, search);
}

#endif
