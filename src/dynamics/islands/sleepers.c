// Which islands begin to sleep: those whose bodies the step left where they were, at rest, with the
// contacts that they had before it, under no load of their own, in no joint and with nothing that
// is driven. Their velocities stay a solution of every later step, whatever the others do, until
// something meets them. Where all of the world rests it sleeps as a whole.
#include "../surfaces/contact_laws.h"

static int *roots_of(const stc_world *world) { return world->root.data; }

/// Whether a body, and after join_islands the root of an island, does not sleep now.
static int *unsteady_of(const stc_world *world) { return roots_of(world) + world->bodies; }

static int root_of(int *root, int b) {
  while (root[b] != b) b = root[b] = root[root[b]];
  return b;
}

static bool has_load(const stc_world *world, int b) {
  const stc_lasting_load *lasting = world->loads.lasting.data;
  const stc_push *push = world->loads.push.data;
  for (int k = 0; k < world->loads.pushes; k++)
    if (push[k].body == b) return true;
  return b < world->loads.lasting_count && lasting[b].load;
}

/// Velocities are zero and the place is that before the step.
static bool stayed(const stc_world *world, int b) {
  const stc_place *now = &STC_PLACES(world)[b];
  for (int i = 0; i < 3; i++)
    if (now->v[i] != 0 || now->omega[i] != 0) return false;
  return memcmp(now, &STC_NEXT(world)[b], sizeof *now) == 0;
}

/// Every body is an island of its own; how many are steady.
static int begin_islands(const stc_world *world) {
  int *root = roots_of(world), *unsteady = unsteady_of(world), steady = 0;
  for (int b = 0; b < world->bodies; b++) {
    root[b] = b;
    unsteady[b] = STC_NODES(world)[b].dof < 0 || !stayed(world, b) || has_load(world, b);
    steady += !unsteady[b];
  }
  for (int j = 0; j < world->links; j++)
    for (int k = 0; k < 2; k++)
      if (STC_LINKS(world)[j].body[k] >= 0) unsteady[STC_LINKS(world)[j].body[k]] = true;
  return steady;
}

/// Below, at or above 0: the place of a contact in the lists.
static int compare_places(const stc_contact_pair *a, const stc_contact_pair *b) {
  for (int k = 0; k < 2; k++)
    if (a->part[k] != b->part[k]) return a->part[k] < b->part[k] ? -1 : 1;
  return a->point.identity == b->point.identity ? 0 : -1;
}

/// Bodies that won or lost a contact in the step, or have one whose law may change, are unsteady.
static void compare_contacts(const stc_world *world) {
  const stc_contact_pair *now = STC_CONTACT_PAIRS(world);
  const stc_contact_pair *old = (const stc_contact_pair *)world->last.data + world->still;
  int *unsteady = unsteady_of(world), before = world->last_count - world->still;
  for (int c = 0, o = 0; c < world->count || o < before;) {
    int order = c == world->count ? 1 : o == before ? -1 : compare_places(&now[c], &old[o]);
    const stc_contact_pair *m = order > 0 ? &old[o] : &now[c];
    bool steady = order == 0 && !stc_contact_law_moves(world, &now[c], &old[o]);
    for (int k = 0; !steady && k < 2; k++) unsteady[m->body[k]] = true;
    c += order <= 0;
    o += order >= 0;
  }
}

static void join_islands(const stc_world *world) {
  const stc_body_data *node = STC_NODES(world);
  int *root = roots_of(world), *unsteady = unsteady_of(world);
  for (int c = 0; c < world->count; c++) {
    const int *b = STC_CONTACT_PAIRS(world)[c].body;
    for (int k = 0; k < 2; k++)
      if (node[b[1 - k]].mobility == STC_MOBILITY_DRIVEN) unsteady[b[k]] = true;
    if (node[b[0]].dof >= 0 && node[b[1]].dof >= 0) root[root_of(root, b[0])] = root_of(root, b[1]);
  }
  for (int b = 0; b < world->bodies; b++)
    if (unsteady[b]) unsteady[root_of(root, b)] = true;
}

/// Whether some bodies that are awake go on, and how many fall asleep.
static bool count_sleepers(const stc_world *world, int *falling) {
  int *root = roots_of(world), *unsteady = unsteady_of(world);
  bool moves = false;
  *falling = 0;
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    moves = moves || (node->mobility == STC_MOBILITY_DRIVEN && !node->out);
    if (node->dof < 0) continue;
    if (unsteady[root_of(root, b)])
      moves = true;
    else
      ++*falling;
  }
  return moves;
}

static void fall_asleep(stc_world *world) {
  int *root = roots_of(world), *unsteady = unsteady_of(world);
  for (int b = 0; b < world->bodies; b++) {
    stc_body_data *node = &STC_NODES(world)[b];
    int island = root_of(root, b);
    if (node->dof < 0 || unsteady[island]) continue;
    node->sleeps = true;
    node->island = island;
    world->sleepers++;
  }
}

bool stc_islands_find(stc_world *world) {
  int falling;
  if (world->asleep || begin_islands(world) == 0) return false;
  compare_contacts(world);
  join_islands(world);
  if (!count_sleepers(world, &falling) || falling == 0) return false;
  fall_asleep(world);
  return true;
}
