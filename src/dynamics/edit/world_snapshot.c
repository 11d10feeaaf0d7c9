// Snapshots: what a world holds and remembers, copied into memory of its own. What follows from it
// is rebuilt by the world that takes it over.
#include "../bodies/world_data.h"

#include <stiction/edit.h>

#include <stddef.h>

/// An array of the state, by offsets in the world.
typedef struct kept_pool {
  size_t pool, size, count;  ///< size: bytes of an element
  bool rows;                 ///< `dim` elements for each that is counted
} kept_pool;

#define KEPT(pool, type, count)                                                                    \
  { offsetof(stc_world, pool), sizeof(type), offsetof(stc_world, count), false }
#define KEPT_ROWS(pool, count)                                                                     \
  { offsetof(stc_world, pool), sizeof(double), offsetof(stc_world, count), true }
static const kept_pool kept[] = {
    KEPT(node, stc_body_data, bodies),
    KEPT(place, stc_place, bodies),
    KEPT(part, stc_part, all_parts),
    KEPT(part_body, int, all_parts),
    KEPT(link, stc_link, links),
    KEPT(given_pair, stc_given_surface_pair, given),
    KEPT(given_law, stc_given_surface_law, given_laws),
    KEPT(ignore, int[2], ignored),
    KEPT(loads.push, stc_push, loads.pushes),
    KEPT(loads.lasting, stc_lasting_load, loads.lasting_count),
    KEPT(last, stc_contact_pair, last_count),
    KEPT(event, stc_world_event, events),
    KEPT(surface_user, void *, surface_users),
    KEPT_ROWS(last_r, last_count),
    KEPT_ROWS(last_u, last_count),
};
enum { POOLS = sizeof kept / sizeof *kept };

struct stc_world_snapshot {
  stc_world world;  ///< its numbers and the arrays of its state; the rest is empty
};

static stc_pool *pool_of(stc_world *world, int k) {
  return (stc_pool *)(void *)((char *)world + kept[k].pool);
}

static size_t count_of(const stc_world *world, int k) {
  int count = *(const int *)(const void *)((const char *)world + kept[k].count);
  return (size_t)count * (kept[k].rows ? (size_t)world->dim : 1);
}

static void copy_numbers(stc_world *to, const stc_world *from) {
  to->settings = from->settings;
  to->bodies = from->bodies;
  to->links = from->links;
  to->present = from->present;
  to->vacant = from->vacant;
  to->parts = from->parts;
  to->all_parts = from->all_parts;
  to->given = from->given;
  to->given_laws = from->given_laws;
  to->ignored = from->ignored;
  to->filter = from->filter;
  to->filter_user = from->filter_user;
  to->loads.pushes = from->loads.pushes;
  to->loads.lasting_count = from->loads.lasting_count;
  to->fresh = from->fresh;
  to->dim = from->dim;
  to->started = from->started;
  to->start_time = from->start_time;
  to->steps = from->steps;
  stc_world_stir(to);
  to->asleep = from->asleep;
  to->rest = from->rest;
  to->cut_short = from->cut_short;
  to->account = from->account;
  to->stored = from->stored;
  to->last_count = from->last_count;
  to->events = from->events;
  to->sleepers = from->sleepers;
  to->still = from->still;
  to->still_events = from->still_events;
  to->regroup = from->regroup;
  to->fresh_sleep = from->fresh_sleep;
  to->settled = from->settled;
  to->surface_users = from->surface_users;
  to->edited = to->parts_edited = to->surfaces_edited = true;
}

/// Handles that were given since stay stale: generations never go back.
static stc_error take_generations(stc_world *to, const stc_world *from) {
  size_t bodies = (size_t)(to->ever > from->ever ? to->ever : from->ever);
  int slots = to->joint_slots > from->joint_slots ? to->joint_slots : from->joint_slots;
  STC_TRY(stc_pool_grow(&to->newest, bodies, sizeof(unsigned), (size_t)to->ever));
  STC_TRY(stc_pool_grow(&to->joint_slot, (size_t)slots, sizeof(stc_joint_slot),
                        (size_t)to->joint_slots));
  unsigned *newest = to->newest.data;
  stc_joint_slot *slot = to->joint_slot.data;
  for (int b = 0; b < from->ever; b++) {
    unsigned other = ((const unsigned *)from->newest.data)[b];
    newest[b] = b < to->ever && newest[b] > other ? newest[b] : other;
  }
  for (int j = 0; j < slots; j++) {
    stc_joint_slot none = {.link = -1};
    stc_joint_slot mine = j < to->joint_slots ? slot[j] : none;
    slot[j] = j < from->joint_slots ? ((const stc_joint_slot *)from->joint_slot.data)[j] : none;
    if (mine.generation > slot[j].generation) slot[j].generation = mine.generation;
  }
  to->ever = (int)bodies;
  to->joint_slots = slots;
  return STC_OK;
}

static stc_error copy_state(stc_world *to, stc_world *from) {
  for (int k = 0; k < POOLS; k++)
    STC_TRY(stc_pool_grow(pool_of(to, k), count_of(from, k), kept[k].size, count_of(to, k)));
  STC_TRY(take_generations(to, from));
  for (int k = 0; k < POOLS; k++) {
    size_t count = count_of(from, k);
    if (count) memcpy(pool_of(to, k)->data, pool_of(from, k)->data, count * kept[k].size);
  }
  copy_numbers(to, from);
  return STC_OK;
}

stc_error stc_world_snapshot_take(const stc_world *world, stc_world_snapshot **snapshot) {
  if (!world || !snapshot)
    return stc_fail(STC_ERR_ARGUMENT, "snapshot_take needs a world and a place for the snapshot");
  bool made = !*snapshot;
  if (made) *snapshot = stc_calloc(1, sizeof **snapshot);
  if (!*snapshot) return stc_fail(STC_ERR_MEMORY, "out of memory for a snapshot");
  stc_world view = *world;  // its arrays are only read
  (*snapshot)->world.ever = (*snapshot)->world.joint_slots = 0;
  stc_error error = copy_state(&(*snapshot)->world, &view);
  if (error) stc_world_snapshot_free(snapshot);
  return error;
}

/// Threads and what watches the solver are the world's own.
stc_error stc_world_snapshot_restore(const stc_world_snapshot *snapshot, stc_world *world) {
  if (!world || !snapshot)
    return stc_fail(STC_ERR_ARGUMENT, "snapshot_restore needs a snapshot and a world");
  stc_world view = snapshot->world;
  if (view.settings.plane != world->settings.plane)
    return stc_fail(STC_ERR_ARGUMENT, "the snapshot is of a world %s; restore it into such a one",
                    view.settings.plane ? "in the plane" : "in space");
  view.settings.threads = world->settings.threads;
  stc_world_forget_problem(world);
  return copy_state(world, &view);
}

stc_error stc_world_snapshot_branch(const stc_world_snapshot *snapshot, stc_world **world) {
  if (!world || !snapshot)
    return stc_fail(STC_ERR_ARGUMENT, "snapshot_branch needs a snapshot and a place for a world");
  STC_TRY(stc_world_create(&snapshot->world.settings, world));
  stc_error error = stc_world_snapshot_restore(snapshot, *world);
  if (error) stc_world_free(world);
  return error;
}

void stc_world_snapshot_free(stc_world_snapshot **snapshot) {
  if (!snapshot || !*snapshot) return;
  stc_world *world = &(*snapshot)->world;
  for (int k = 0; k < POOLS; k++) stc_release(&pool_of(world, k)->data);
  stc_release(&world->newest.data);
  stc_release(&world->joint_slot.data);
  stc_release(snapshot);
}
