// Handles: what a caller holds is an index and the generation of what stood there; one that was
// removed, or never was, is refused with a sentence.
#include "../bodies/world_data.h"

stc_error stc_cookie_check(int cookie, const char *maker) {
  if (cookie == STC_COOKIE) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "the description was not begun with %s()", maker);
}

/// The sentence of a handle that is not that of one of the `slots` things, "body" or "joint".
static stc_error refuse_handle(const char *what, int index, unsigned generation, int slots) {
  if (generation == 0)
    return stc_fail(STC_ERR_ARGUMENT,
                    "the handle is that of no %s; take the one that stc_world_add_%s gives", what,
                    what);
  if (index < 0 || index >= slots)
    return stc_fail(STC_ERR_ARGUMENT, "there is no %s %d in this world, which has %d", what, index,
                    slots);
  return stc_fail(STC_ERR_ARGUMENT,
                  "the handle of %s %d (generation %u) is stale: that %s was removed", what, index,
                  generation, what);
}

// --- Bodies ---

bool stc_world_has_body(const stc_world *world, stc_body_id id) {
  return world && id.index >= 0 && id.index < world->bodies && id.generation > 0 &&
         id.generation == STC_NODES(world)[id.index].generation;
}

stc_error stc_world_find_body(const stc_world *world, stc_body_id id, int *body) {
  *body = id.index;
  if (stc_world_has_body(world, id)) return STC_OK;
  return refuse_handle("body", id.index, id.generation, world->bodies);
}

int stc_world_bodies(const stc_world *world) { return world->present; }
int stc_world_body_slots(const stc_world *world) { return world->bodies; }

stc_body_id stc_world_body_at(const stc_world *world, int index) {
  if (!world || index < 0 || index >= world->bodies || STC_NODES(world)[index].generation == 0)
    return (stc_body_id){0};
  return stc_world_id_of(world, index);
}

// --- Joints ---

static stc_joint_slot *slots_of(const stc_world *world) { return world->joint_slot.data; }

bool stc_world_has_joint(const stc_world *world, stc_joint_id id) {
  return world && id.index >= 0 && id.index < world->joint_slots && id.generation > 0 &&
         slots_of(world)[id.index].link >= 0 &&
         id.generation == STC_LINKS(world)[slots_of(world)[id.index].link].generation;
}

stc_error stc_world_find_joint(const stc_world *world, stc_joint_id id, int *joint) {
  if (!stc_world_has_joint(world, id))
    return refuse_handle("joint", id.index, id.generation, world->joint_slots);
  *joint = slots_of(world)[id.index].link;
  return STC_OK;
}

int stc_world_joint_slots(const stc_world *world) { return world->joint_slots; }

stc_joint_id stc_world_joint_at(const stc_world *world, int index) {
  if (!world || index < 0 || index >= world->joint_slots || slots_of(world)[index].link < 0)
    return (stc_joint_id){0};
  return stc_world_joint_id_of(world, slots_of(world)[index].link);
}

/// Joints lie in the order of their handles: those behind `from` have moved.
static void follow_links(stc_world *world, int from) {
  for (int j = from; j < world->links; j++) slots_of(world)[STC_LINKS(world)[j].slot].link = j;
  world->edited = true;
  stc_world_stir(world);
}

stc_error stc_world_put_link(stc_world *world, const stc_link *link, stc_joint_id *id) {
  size_t links = (size_t)world->links, slots = (size_t)world->joint_slots;
  int at = 0;
  STC_TRY(stc_pool_grow(&world->link, links + 1, sizeof *link, links));
  STC_TRY(stc_pool_grow(&world->joint_slot, slots + 1, sizeof(stc_joint_slot), slots));
  while (at < world->links && STC_LINKS(world)[at].slot == at) at++;
  if (at == world->joint_slots)
    slots_of(world)[world->joint_slots++] = (stc_joint_slot){.generation = 0};
  stc_link *to = &STC_LINKS(world)[at];
  memmove(to + 1, to, (links - (size_t)at) * sizeof *to);
  *to = *link;
  to->slot = at;
  unsigned *newest = &slots_of(world)[at].generation;
  slots_of(world)[at].user = NULL;
  *newest += *newest + 1 > 0 ? 1 : 2;  // 0 is nothing
  to->generation = *newest;
  world->links++;
  for (int k = 0; k < 2; k++)
    if (link->body[k] >= 0) stc_islands_wake(world, link->body[k]);
  follow_links(world, at);
  if (id) *id = stc_world_joint_id_of(world, at);
  return STC_OK;
}

void stc_world_take_link(stc_world *world, int joint) {
  stc_link *at = &STC_LINKS(world)[joint];
  slots_of(world)[at->slot].link = -1;
  memmove(at, at + 1, (size_t)(world->links - joint - 1) * sizeof *at);
  world->links--;
  follow_links(world, joint);
}
