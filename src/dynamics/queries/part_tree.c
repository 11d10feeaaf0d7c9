// Places of parts and the tree over them, made at the first question after a step or an edit.
#include "part_tree.h"

/// How much more than when it was grown a search of a tree around moved boxes may cost.
static const double WORN = 1.5;  // [machine]

static stc_error make_room(stc_part_places *seen, size_t parts) {
  size_t grown = (size_t)seen->grown, nodes = (size_t)seen->nodes;
  STC_TRY(stc_pool_grow(&seen->pose, parts, sizeof(stc_pose), 0));
  STC_TRY(stc_pool_grow(&seen->item, parts, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&seen->kept, parts, sizeof(int), grown));
  STC_TRY(stc_pool_grow(&seen->low, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&seen->high, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&seen->middle, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&seen->order, parts, sizeof(int), grown));
  STC_TRY(stc_pool_grow(&seen->spot, parts, sizeof(stc_part_spot), 0));
  size_t room = stc_box_tree_room((int)parts);
  return stc_pool_grow(&seen->node, room, sizeof(stc_box_tree_node), nodes);
}

static bool is_finite_box(const double low[3], const double high[3]) {
  for (int k = 0; k < 3; k++)
    if (!isfinite(low[k]) || !isfinite(high[k])) return false;
  return true;
}

static stc_part_spot spot_of(const stc_world *world, int number, const stc_pose *pose) {
  const stc_part *part = &STC_PARTS(world)[number];
  return (stc_part_spot){.pose = *pose,
                         .shape = part->shape,
                         .group = part->group ? part->group : 1,
                         .part = number,
                         .sensor = part->sensor};
}

/// A part with its box, for the tree or beside it.
static void locate_part(stc_world *world, int part, const stc_pose *body) {
  stc_part_places *seen = &world->seen;
  size_t at = 3 * (size_t)seen->finite;
  double *low = (double *)seen->low.data + at, *high = (double *)seen->high.data + at;
  stc_pose *pose = (stc_pose *)seen->pose.data + seen->finite;
  *pose = stc_pose_compose(body, &STC_PARTS(world)[part].pose);
  stc_shape_bounds(&STC_PARTS(world)[part].shape, pose, low, high);
  if (is_finite_box(low, high)) {
    for (int k = 0; k < 3; k++)
      ((double *)seen->middle.data)[at + (size_t)k] = low[k] / 2 + high[k] / 2;
    ((int *)seen->item.data)[seen->finite++] = part;
  } else {
    int last = world->parts - 1 - seen->endless++;
    ((stc_part_spot *)seen->spot.data)[last] = spot_of(world, part, pose);
  }
}

static void locate_parts(stc_world *world) {
  world->seen.finite = world->seen.endless = 0;
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    if (node->out || node->parts == 0) continue;
    stc_pose pose = stc_node_pose(node, &STC_PLACES(world)[b]);
    for (int k = 0; k < node->parts; k++) locate_part(world, node->first_part + k, &pose);
  }
}

/// Whether the tree still serves the parts, which have moved.
static bool refit_tree(stc_part_places *seen, stc_box_tree *tree) {
  if (seen->grown != seen->finite || seen->grown == 0) return false;
  if (memcmp(seen->item.data, seen->kept.data, (size_t)seen->grown * sizeof(int)) != 0)
    return false;
  stc_box_tree_refit(tree, seen->low.data, seen->high.data);
  return stc_box_tree_cost(tree) <= WORN * seen->cost;
}

static void grow_tree(stc_part_places *seen, stc_box_tree *tree) {
  stc_box_tree_build(tree, &(stc_box_tree_items){.count = seen->finite,
                                                 .low = seen->low.data,
                                                 .high = seen->high.data,
                                                 .middle = seen->middle.data});
  seen->nodes = tree->nodes;
  seen->grown = seen->finite;
  seen->cost = stc_box_tree_cost(tree);
  if (seen->grown > 0) memcpy(seen->kept.data, seen->item.data, (size_t)seen->grown * sizeof(int));
}

stc_error stc_parts_locate(stc_world *world) {
  stc_part_places *seen = &world->seen;
  STC_TRY(stc_world_prepare(world));
  if (seen->known) return STC_OK;
  STC_TRY(make_room(seen, (size_t)world->parts));
  locate_parts(world);
  stc_box_tree tree = stc_parts_tree(seen);
  if (!refit_tree(seen, &tree)) grow_tree(seen, &tree);
  for (int k = 0; k < seen->finite; k++) {
    int item = tree.order[k];
    ((stc_part_spot *)seen->spot.data)[k] =
        spot_of(world, ((const int *)seen->item.data)[item], (stc_pose *)seen->pose.data + item);
  }
  seen->known = true;
  return STC_OK;
}
