// Places of parts and the tree over them, made at the first question after a step or an edit.
#include "part_tree.h"

static stc_error make_room(stc_part_places *seen, size_t parts) {
  STC_TRY(stc_pool_grow(&seen->pose, parts, sizeof(stc_pose), 0));
  STC_TRY(stc_pool_grow(&seen->item, parts, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&seen->far, parts, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&seen->low, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&seen->high, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&seen->middle, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&seen->order, parts, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&seen->box, 6 * parts, sizeof(double), 0));
  return stc_pool_grow(&seen->node, 2 * parts, sizeof(stc_box_tree_node), 0);
}

static bool is_finite_box(const double low[3], const double high[3]) {
  for (int k = 0; k < 3; k++)
    if (!isfinite(low[k]) || !isfinite(high[k])) return false;
  return true;
}

/// A part with its box, in the tree or beside it.
static void locate_part(stc_world *world, int part, const stc_pose *body) {
  stc_part_places *seen = &world->seen;
  size_t at = 3 * (size_t)seen->finite;
  double *low = (double *)seen->low.data + at, *high = (double *)seen->high.data + at;
  stc_pose *pose = (stc_pose *)seen->pose.data + part;
  *pose = stc_pose_compose(body, &STC_PARTS(world)[part].pose);
  stc_shape_bounds(&STC_PARTS(world)[part].shape, pose, low, high);
  if (!is_finite_box(low, high)) {
    ((int *)seen->far.data)[seen->endless++] = part;
    return;
  }
  for (int k = 0; k < 3; k++) ((double *)seen->middle.data)[at + (size_t)k] = low[k] + high[k];
  ((int *)seen->item.data)[seen->finite++] = part;
}

/// Boxes and part numbers in the order of the leaves: those of one leaf are next to each other.
static void sort_by_leaves(stc_part_places *seen) {
  double *box = seen->box.data;
  int *order = seen->order.data;
  for (int k = 0; k < seen->finite; k++) {
    memcpy(box + 6 * (size_t)k, (double *)seen->low.data + 3 * (size_t)order[k], 3 * sizeof *box);
    memcpy(box + 6 * (size_t)k + 3, (double *)seen->high.data + 3 * (size_t)order[k],
           3 * sizeof *box);
    order[k] = ((const int *)seen->item.data)[order[k]];
  }
}

stc_error stc_parts_locate(stc_world *world) {
  stc_part_places *seen = &world->seen;
  STC_TRY(stc_world_prepare(world));
  if (seen->known) return STC_OK;
  STC_TRY(make_room(seen, (size_t)world->parts));
  seen->finite = seen->endless = 0;
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    if (node->out || node->parts == 0) continue;
    stc_pose pose = stc_node_pose(node, &STC_PLACES(world)[b]);
    for (int k = 0; k < node->parts; k++) locate_part(world, node->first_part + k, &pose);
  }
  stc_box_tree tree = stc_parts_tree(seen);
  stc_box_tree_build(&tree, &(stc_box_tree_items){.count = seen->finite,
                                                  .low = seen->low.data,
                                                  .high = seen->high.data,
                                                  .middle = seen->middle.data,
                                                  .weight = 2});
  sort_by_leaves(seen);
  seen->nodes = tree.nodes;
  seen->known = true;
  return STC_OK;
}
