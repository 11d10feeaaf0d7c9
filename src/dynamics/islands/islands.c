// Islands that sleep: bodies that hold each other by contacts, and stay where they are while others
// move. They are not part of the step; their contacts and events come first in the lists of the
// world, and stay. What meets them, or is done to them, wakes all of an island.
#include "../bodies/world_data.h"

#include <stdlib.h>
#include <stiction/edit.h>

bool stc_world_sleeps(const stc_world *world, stc_body_id id) {
  return stc_world_has_body(world, id) && (world->asleep || STC_NODES(world)[id.index].sleeps) &&
         stc_body_is_free(&STC_NODES(world)[id.index]);
}

// --- Waking ---

static void wake_island(stc_world *world, int island) {
  for (int b = 0; b < world->bodies; b++) {
    stc_body_data *node = &STC_NODES(world)[b];
    if (!node->sleeps || (island >= 0 && node->island != island)) continue;
    node->sleeps = false;
    world->sleepers--;
    world->regroup = true;
  }
  stc_world_stir(world);
}

void stc_islands_wake(stc_world *world, int body) {
  const stc_body_data *node = &STC_NODES(world)[body];
  if (world->sleepers > 0 && node->sleeps) wake_island(world, node->island);
}

void stc_islands_wake_around(stc_world *world, int body) {
  const stc_contact_pair *m = world->last.data;
  if (world->sleepers == 0) return;
  stc_islands_wake(world, body);
  for (int c = 0; c < world->still; c++)
    for (int k = 0; k < 2; k++)
      if (m[c].body[k] == body) stc_islands_wake(world, m[c].body[1 - k]);
}

void stc_islands_wake_all(stc_world *world) {
  if (world->sleepers > 0) wake_island(world, -1);
}

stc_error stc_islands_disturb(stc_world *world, bool *woke) {
  *woke = false;
  if (world->sleepers == 0) return STC_OK;
  for (int c = 0; c < world->count; c++) {
    const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    for (int k = 0; k < 2; k++) stc_islands_wake(world, m->body[k]);
  }
  *woke = world->regroup;
  return *woke ? stc_islands_regroup(world) : STC_OK;
}

// --- Sleeping islands stand first ---

/// The place of a contact or an event: those that sleep, then by parts, then as they were.
typedef struct rank {
  int awake, key[4], number;
} rank;

static int compare_ranks(const void *a, const void *b) {
  const rank *x = a, *y = b;
  if (x->awake != y->awake) return x->awake - y->awake;
  for (int k = 0; k < 4; k++)
    if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
  return x->number - y->number;
}

static bool is_awake(const stc_world *world, int body) {
  return body >= world->bodies || !STC_NODES(world)[body].sleeps;
}

/// How many sleep.
static int sort_ranks(stc_world *world, int count) {
  rank *list = world->rank.data;
  int still = 0;
  if (count) qsort(list, (size_t)count, sizeof *list, compare_ranks);
  while (still < count && !list[still].awake) still++;
  return still;
}

/// The elements of `size` bytes in the order of the ranks.
static void permute(const stc_world *world, int count, size_t size, void *data, void *work) {
  const rank *list = world->rank.data;
  for (int k = 0; k < count; k++)
    memcpy((char *)work + (size_t)k * size, (char *)data + (size_t)list[k].number * size, size);
  if (count) memcpy(data, work, (size_t)count * size);
}

static void sort_contacts(stc_world *world) {
  const stc_contact_pair *m = world->last.data;
  rank *list = world->rank.data;
  size_t row = (size_t)world->dim * sizeof(double);
  for (int c = 0; c < world->last_count; c++)
    list[c] = (rank){.awake = is_awake(world, m[c].body[0]) && is_awake(world, m[c].body[1]),
                     .key = {m[c].part[0], m[c].part[1]},
                     .number = c};
  world->still = sort_ranks(world, world->last_count);
  permute(world, world->last_count, sizeof *m, world->last.data, world->aside.data);
  permute(world, world->last_count, row, world->last_r.data, world->rows_aside.data);
  permute(world, world->last_count, row, world->last_u.data, world->rows_aside.data);
}

/// The first contact of event k: both parts of the list are sorted by parts.
static void point_event(const stc_world *world, int k) {
  stc_world_event *e = (stc_world_event *)world->event.data + k;
  const stc_contact_pair *m = world->last.data;
  const stc_body_data *node = STC_NODES(world);
  if (e->contacts == 0) return;
  bool awake = k >= world->still_events;
  int low = awake ? world->still : 0, high = awake ? world->last_count : world->still;
  int part[2] = {node[e->body[0].index].first_part + e->part[0],
                 node[e->body[1].index].first_part + e->part[1]};
  while (low < high) {
    int middle = low + (high - low) / 2;
    const int *at = m[middle].part;
    if (at[0] < part[0] || (at[0] == part[0] && at[1] < part[1]))
      low = middle + 1;
    else
      high = middle;
  }
  e->first = low;
}

/// Events of contacts follow them.
static void sort_events(stc_world *world) {
  stc_world_event *event = world->event.data;
  rank *list = world->rank.data;
  for (int k = 0; k < world->events; k++) {
    const stc_world_event *e = &event[k];
    bool awake = is_awake(world, e->body[0].index) && is_awake(world, e->body[1].index);
    list[k] = (rank){.awake = awake || e->sensor || e->kind == STC_EVENT_END,
                     .key = {e->body[0].index, e->part[0], e->body[1].index, e->part[1]},
                     .number = k};
  }
  world->still_events = sort_ranks(world, world->events);
  permute(world, world->events, sizeof *event, event, world->aside.data);
  for (int k = 0; k < world->events; k++) point_event(world, k);
  world->fresh_sleep = true;
}

void stc_islands_drop(stc_world *world, int body) {
  stc_world_event *event = world->event.data;
  for (int k = 0; k < world->events; k++) {
    stc_world_event *e = &event[k];
    if (body < 0 || e->body[0].index == body || e->body[1].index == body)
      e->contacts = e->first = 0;
    point_event(world, k);
  }
}

static stc_error make_sorting_room(stc_world *world, int contacts, int events) {
  size_t count = (size_t)contacts, most = count > (size_t)events ? count : (size_t)events;
  size_t each = sizeof(stc_contact_pair) > sizeof(stc_world_event) ? sizeof(stc_contact_pair)
                                                                   : sizeof(stc_world_event);
  STC_TRY(stc_pool_grow(&world->rank, most, sizeof(rank), 0));
  STC_TRY(stc_pool_grow(&world->aside, most, each, 0));
  return stc_pool_grow(&world->rows_aside, count * (size_t)world->dim, sizeof(double), 0);
}

void stc_islands_sort(stc_world *world) {
  sort_contacts(world);
  sort_events(world);
  stc_world_number_dofs(world);
  world->regroup = false;
}

stc_error stc_islands_regroup(stc_world *world) {
  STC_TRY(make_sorting_room(world, world->last_count, world->events));
  STC_TRY(stc_pool_grow(&world->owner, (size_t)world->bodies, sizeof(int), 0));
  stc_islands_sort(world);
  return STC_OK;
}

stc_error stc_islands_make_room(stc_world *world) {
  size_t still = (size_t)world->still, contacts = still + (size_t)world->count;
  STC_TRY(
      stc_pool_grow(&world->last, contacts, sizeof(stc_contact_pair), (size_t)world->last_count));
  STC_TRY(stc_pool_grow(&world->root, 2 * (size_t)world->bodies, sizeof(int), 0));
  return make_sorting_room(world, (int)contacts, world->still_events + world->next_events);
}
