// Pointers of the caller's on bodies, joints and surfaces, those of parts being in the parts; and
// what the caller says of pairs.
#include "../bodies/world_data.h"

#include <stiction/edit.h>

stc_error stc_world_set_body_user(stc_world *world, stc_body_id id, void *user) {
  int b;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "set_body_user needs a world");
  STC_TRY(stc_world_find_body(world, id, &b));
  STC_NODES(world)[b].user = user;
  return STC_OK;
}

void *stc_world_body_user(const stc_world *world, stc_body_id id) {
  return stc_world_has_body(world, id) ? STC_NODES(world)[id.index].user : NULL;
}

static stc_joint_slot *slot_of(const stc_world *world, stc_joint_id id) {
  return (stc_joint_slot *)world->joint_slot.data + id.index;
}

stc_error stc_world_set_joint_user(stc_world *world, stc_joint_id id, void *user) {
  int joint;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "set_joint_user needs a world");
  STC_TRY(stc_world_find_joint(world, id, &joint));
  slot_of(world, id)->user = user;
  return STC_OK;
}

void *stc_world_joint_user(const stc_world *world, stc_joint_id id) {
  return stc_world_has_joint(world, id) ? slot_of(world, id)->user : NULL;
}

stc_error stc_world_set_surface_user(stc_world *world, int surface, void *user) {
  if (!world || surface < 0 || surface >= STC_MOST_SURFACES)
    return stc_fail(STC_ERR_ARGUMENT, "set_surface_user needs a world and a surface from 0 to %d",
                    STC_MOST_SURFACES - 1);
  size_t known = (size_t)world->surface_users, wanted = (size_t)surface + 1;
  STC_TRY(stc_pool_grow(&world->surface_user, wanted, sizeof(void *), known));
  void **users = world->surface_user.data;
  for (; known < wanted; known++) users[known] = NULL;
  users[surface] = user;
  world->surface_users = (int)known;
  return STC_OK;
}

void *stc_world_surface_user(const stc_world *world, int surface) {
  if (!world || surface < 0 || surface >= world->surface_users) return NULL;
  return ((void **)world->surface_user.data)[surface];
}

stc_error stc_world_set_pair_filter(stc_world *world, stc_pair_filter *filter, void *user) {
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "set_pair_filter needs a world");
  world->filter = filter;
  world->filter_user = user;
  stc_islands_wake_all(world);
  stc_world_stir(world);
  return STC_OK;
}
