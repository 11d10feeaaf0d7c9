// Handles: what a caller holds is an index and the generation of what stood there; one that was
// removed, or never was, is refused with a sentence.
#include "world_data.h"

stc_error stc_cookie_check(int cookie, const char *maker) {
  if (cookie == STC_COOKIE) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "the description was not begun with %s()", maker);
}

static bool has_body(const stc_world *world, stc_body_id id) {
  return id.index >= 0 && id.index < world->bodies && id.generation > 0 &&
         id.generation == STC_NODES(world)[id.index].generation;
}

stc_error stc_world_find_body(const stc_world *world, stc_body_id id, int *body) {
  *body = id.index;
  if (has_body(world, id)) return STC_OK;
  if (id.generation == 0)
    return stc_fail(STC_ERR_ARGUMENT,
                    "the handle is that of no body; take the one that stc_world_add_body gives");
  if (id.index < 0 || id.index >= world->bodies)
    return stc_fail(STC_ERR_ARGUMENT, "there is no body %d in this world, which has %d", id.index,
                    world->bodies);
  return stc_fail(STC_ERR_ARGUMENT,
                  "the handle of body %d (generation %u) is stale: that body was removed", id.index,
                  id.generation);
}

// --- Asking ---

int stc_world_bodies(const stc_world *world) { return world->bodies; }
int stc_world_body_slots(const stc_world *world) { return world->bodies; }
int stc_world_joint_slots(const stc_world *world) { return world->links; }

stc_body_id stc_world_body_at(const stc_world *world, int index) {
  if (!world || index < 0 || index >= world->bodies) return (stc_body_id){0};
  return stc_world_id_of(world, index);
}

stc_joint_id stc_world_joint_at(const stc_world *world, int index) {
  if (!world || index < 0 || index >= world->links) return (stc_joint_id){0};
  return stc_world_joint_id_of(world, index);
}

bool stc_world_has_body(const stc_world *world, stc_body_id id) {
  return world && has_body(world, id);
}

bool stc_world_has_joint(const stc_world *world, stc_joint_id id) {
  return world && id.index >= 0 && id.index < world->links && id.generation > 0 &&
         id.generation == STC_LINKS(world)[id.index].generation;
}
