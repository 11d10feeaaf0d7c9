// What follows from the bodies, joints and surfaces of a world: the order of parts, degrees of
// freedom, pairs that never touch, rows of joints and mechanisms. It depends on what is there, not
// on the edits that led to it: bodies go by their indices, joints and parts too.
#include "../joints/mechanism.h"
#include "../soft/soft_contacts.h"

#include <stdlib.h>

// Bodies that overlap by more than this part of the smaller one's size were placed wrongly.
static const double MOST_OVERLAP = 0.01;  // [input]

// The same of those whose contact yields: more energy than its spring is meant for.
static const double MOST_SOFT_OVERLAP = 0.1;  // [input]

// --- Parts ---

/// Contacts follow their parts, which begin at `first` [bodies] now.
static void move_contacts(stc_world *world, const int *first) {
  for (int c = 0; c < world->last_count; c++) {
    stc_contact_pair *m = (stc_contact_pair *)world->last.data + c;
    for (int k = 0; k < 2; k++)
      m->part[k] += first[m->body[k]] - STC_NODES(world)[m->body[k]].first_part;
  }
}

/// By bodies, those of disabled ones last; what is left of others is gone.
static stc_error sort_parts(stc_world *world) {
  STC_ARENA arena = {0};
  int *first = STC_TAKE_RAW(&arena, int, world->bodies), count = 0;
  stc_part *part = STC_TAKE_RAW(&arena, stc_part, world->all_parts);
  STC_TRY(stc_arena_check(&arena));
  for (int out = 0; out < 2; out++) {
    for (int b = 0; b < world->bodies; b++) {
      const stc_body_data *node = &STC_NODES(world)[b];
      if (node->out != (out == 1)) continue;
      first[b] = count;
      for (int k = 0; k < node->parts; k++) part[count++] = STC_PARTS(world)[node->first_part + k];
    }
    if (out == 0) world->parts = count;
  }
  world->all_parts = count;
  if (count) memcpy(world->part.data, part, (size_t)count * sizeof *part);
  move_contacts(world, first);
  for (int b = 0; b < world->bodies; b++) {
    stc_body_data *node = &STC_NODES(world)[b];
    node->first_part = first[b];
    for (int k = 0; k < node->parts; k++) STC_PART_BODY(world)[first[b] + k] = b;
  }
  return STC_OK;
}

// --- Degrees of freedom and rows ---

void stc_world_number_dofs(stc_world *world) {
  int per = stc_body_dofs(world);
  world->dofs = world->continuous = 0;
  for (int b = 0; b < world->bodies; b++) {
    stc_body_data *node = &STC_NODES(world)[b];
    node->dof = stc_body_is_awake(node) ? world->dofs : -1;
    world->continuous += node->dof >= 0 && node->continuous;
    if (node->dof < 0) continue;
    ((int *)world->owner.data)[world->dofs / per] = b;
    world->dofs += per;
  }
}

static stc_error number_rows(stc_world *world) {
  world->equalities = 0;
  for (int j = 0; j < world->links; j++) {
    STC_LINKS(world)[j].first_row = world->equalities;
    world->equalities += STC_LINKS(world)[j].rows;
  }
  stc_mechanisms_free(world);
  return stc_mechanisms_create(world);
}

// --- Bodies that never touch ---

static int compare_pairs(const void *a, const void *b) {
  const int *p = a, *q = b;
  for (int k = 0; k < 2; k++)
    if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
  return 0;
}

static bool nobody_moves(const stc_body_data *a, const stc_body_data *b, bool sensed) {
  if (sensed) return a->mobility == STC_MOBILITY_FIXED && b->mobility == STC_MOBILITY_FIXED;
  if (a->sleeps || b->sleeps)  // a driven body wakes what it meets
    return a->dof < 0 && b->dof < 0 && a->mobility != STC_MOBILITY_DRIVEN &&
           b->mobility != STC_MOBILITY_DRIVEN;
  return a->dof < 0 && b->dof < 0;
}

bool stc_world_apart(const stc_world *world, int body_a, int body_b, bool sensed) {
  const stc_body_data *node = STC_NODES(world);
  if (body_a == body_b || nobody_moves(&node[body_a], &node[body_b], sensed)) return true;
  if (world->apart_pairs == 0) return false;
  int pair[2] = {body_a < body_b ? body_a : body_b, body_a < body_b ? body_b : body_a};
  return bsearch(pair, world->apart.data, (size_t)world->apart_pairs, sizeof pair, compare_pairs);
}

/// Pairs that are ignored, and joined bodies.
static stc_error list_apart(stc_world *world) {
  size_t most = (size_t)world->ignored + (size_t)world->links, bytes = 2 * sizeof(int);
  STC_TRY(stc_pool_grow(&world->apart, most, bytes, 0));
  int *pair = world->apart.data;
  if (world->ignored) memcpy(pair, world->ignore.data, (size_t)world->ignored * bytes);
  world->apart_pairs = world->ignored;
  for (int j = 0; j < world->links; j++) {
    const int *body = STC_LINKS(world)[j].body;
    if (body[0] < 0 || body[1] < 0 || !stc_link_holds(&STC_LINKS(world)[j])) continue;
    int *to = pair + 2 * (size_t)world->apart_pairs++;
    to[0] = body[0] < body[1] ? body[0] : body[1];
    to[1] = body[0] < body[1] ? body[1] : body[0];
  }
  if (world->apart_pairs) qsort(pair, (size_t)world->apart_pairs, bytes, compare_pairs);
  return STC_OK;
}

// --- The whole ---

stc_error stc_world_prepare(stc_world *world) {
  int dim = world->dim;
  if (!world->edited) return world->regroup ? stc_islands_regroup(world) : STC_OK;
  if (world->surfaces_edited) STC_TRY(stc_world_make_surface_pairs(world));
  if (world->dim != dim) {  // their impulses have other components
    stc_islands_wake_all(world);
    world->last_count = world->still = 0;
    stc_islands_drop(world, -1);
  }
  world->surfaces_edited = false;
  if (world->parts_edited) STC_TRY(sort_parts(world));
  world->parts_edited = false;
  STC_TRY(stc_pool_grow(&world->owner, (size_t)world->bodies, sizeof(int), 0));
  if (world->regroup) STC_TRY(stc_islands_regroup(world));
  stc_world_number_dofs(world);
  STC_TRY(list_apart(world));
  STC_TRY(number_rows(world));
  STC_TRY(stc_pool_grow(&world->next, (size_t)world->bodies, sizeof(stc_place), 0));
  world->edited = false;
  return STC_OK;
}

stc_error stc_world_check_overlaps(const stc_world *world) {
  for (int c = 0; c < world->count; c++) {
    const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    const stc_body_data *a = &STC_NODES(world)[m->body[0]], *b = &STC_NODES(world)[m->body[1]];
    bool yields = stc_contact_yields(m);
    double most = (yields ? MOST_SOFT_OVERLAP : MOST_OVERLAP) * fmin(a->size, b->size);
    if ((a->fresh || b->fresh) && -m->point.gap > most)
      return stc_fail(STC_ERR_VALUE,
                      "bodies %s and %s overlap by %g m, more than a %s of their size; move them "
                      "apart or ignore the pair",
                      a->name, b->name, -m->point.gap, yields ? "tenth" : "hundredth");
  }
  return STC_OK;
}

stc_error stc_world_start(stc_world *world, double t) {
  if (!world || !isfinite(t))
    return stc_fail(STC_ERR_ARGUMENT, "a world starts at a time that is finite");
  if (world->started) return stc_fail(STC_ERR_ARGUMENT, "the world has started already");
  if (world->present == 0) return stc_fail(STC_ERR_ARGUMENT, "the world is empty; add bodies");
  stc_fail(STC_OK, "%s", "");  // a drive that stops the run may leave its own sentence
  STC_TRY(stc_world_prepare(world));
  STC_TRY(stc_world_drive(world, t, STC_PLACES(world)));
  memcpy(world->next.data, world->place.data, (size_t)world->bodies * sizeof(stc_place));
  STC_TRY(stc_world_gather(world));
  STC_TRY(stc_world_check_overlaps(world));
  stc_soft_open(world);
  world->start_time = t;
  world->count = world->last_count = 0;
  for (int b = 0; b < world->bodies; b++) STC_NODES(world)[b].fresh = false;
  world->fresh = false;
  stc_world_ledger_open(world);
  world->started = true;
  return STC_OK;
}
