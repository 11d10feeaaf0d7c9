// Growing patches over the graph of contacts, two of which are neighbours if one moves the other.
#include "cover.h"

#include "../../base/fail.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A set of contacts that grows; all of it is in the scratch arena.
typedef struct growth {
  const stc_reduced *problem;
  int *order;    ///< [contacts] all of them, neighbours near each other
  int *core_of;  ///< [contacts] -1: in no core yet
  int *met;      ///< [contacts] number of the set that met it last
  int *spread;   ///< [bodies] number of the set that has its contacts already
  int set;       ///< number of the set that grows now, from 1
  int *list;     ///< [contacts] the set
  int count, most;
  bool free_only;  ///< takes only contacts that are in no core
} growth;

static void meet(growth *g, int c) {
  if (g->count == g->most || g->met[c] == g->set || (g->free_only && g->core_of[c] >= 0)) return;
  g->met[c] = g->set;
  g->list[g->count++] = c;
}

static void meet_body(growth *g, int b) {
  const stc_bodies *bodies = &g->problem->bodies;
  if (g->spread[b] == g->set) return;
  g->spread[b] = g->set;
  for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++)
    meet(g, bodies->touch_contact[bodies->on_touch[k]]);
}

static void meet_neighbours(growth *g, int c) {
  const stc_bodies *bodies = &g->problem->bodies;
  const stc_bsr *W = &g->problem->W;
  if (bodies->count > 0)
    for (int t = bodies->touch_ptr[c]; t < bodies->touch_ptr[c + 1]; t++)
      meet_body(g, bodies->touch_body[t]);
  else
    for (int e = W->ptr[c]; e < W->ptr[c + 1]; e++) meet(g, W->col[e]);
}

static void begin_set(growth *g, int most, bool free_only) {
  g->set++;
  g->count = 0;
  g->most = most;
  g->free_only = free_only;
}

/// All contacts, breadth first; what begins anew is a component.
static void order_contacts(growth *g) {
  int contacts = g->problem->contacts, next = 0;
  begin_set(g, contacts, false);
  for (int head = 0; g->count < contacts || head < g->count; head++) {
    for (; head == g->count && next < contacts; next++) meet(g, next);
    meet_neighbours(g, g->list[head]);
  }
  memcpy(g->order, g->list, (size_t)contacts * sizeof *g->order);
}

/// A core from the first contact in order that has none; small components share one.
static void grow_core(growth *g, int number, int core, int *next) {
  int contacts = g->problem->contacts;
  begin_set(g, core, true);
  for (int head = 0; g->count < core; head++) {
    for (; head == g->count && *next < contacts; ++*next) meet(g, g->order[*next]);
    if (head == g->count) break;
    meet_neighbours(g, g->list[head]);
  }
  for (int k = 0; k < g->count; k++) g->core_of[g->list[k]] = number;
}

/// Rings around the set that is there.
static void grow_rings(growth *g, int rings, int most) {
  int core = g->count;
  begin_set(g, most > core ? most : core, false);
  for (int k = 0; k < core; k++) meet(g, g->list[k]);
  for (int ring = 0, head = 0; ring < rings; ring++)
    for (int end = g->count; head < end; head++) meet_neighbours(g, g->list[head]);
}

static int increasing(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static stc_error keep(stc_arena *arena, growth *g, stc_patch *patch) {
  patch->contacts = g->count;
  patch->contact = STC_TAKE_RAW(arena, int, g->count);
  STC_TRY(stc_arena_check(arena));
  memcpy(patch->contact, g->list, (size_t)g->count * sizeof *patch->contact);
  qsort(patch->contact, (size_t)g->count, sizeof *patch->contact, increasing);
  return STC_OK;
}

// --- Colours ---

// Patches beyond so many colours are alone in theirs.
enum { SHARED = 64 };

static uint64_t colours_around(const stc_bodies *bodies, const stc_patch *p, const uint64_t *on) {
  uint64_t used = 0;
  for (int c = 0; c < p->contacts; c++)
    for (int t = bodies->touch_ptr[p->contact[c]]; t < bodies->touch_ptr[p->contact[c] + 1]; t++)
      used |= on[bodies->touch_body[t]];
  return used;
}

static void paint(const stc_bodies *bodies, const stc_patch *p, int colour, uint64_t *on) {
  for (int c = 0; c < p->contacts; c++)
    for (int t = bodies->touch_ptr[p->contact[c]]; t < bodies->touch_ptr[p->contact[c] + 1]; t++)
      on[bodies->touch_body[t]] |= (uint64_t)1 << colour;
}

static int first_free(uint64_t used) {
  int k = 0;
  while (k < SHARED && (used >> k & 1)) k++;
  return k;
}

/// Without bodies every patch has a colour of its own.
static void choose_colours(const stc_reduced *p, stc_cover *cover, uint64_t *on, int *colour) {
  cover->colours = 0;
  for (int k = 0; k < cover->patches; k++) {
    colour[k] = SHARED;
    if (p->bodies.count == 0) continue;
    colour[k] = first_free(colours_around(&p->bodies, &cover->patch[k], on));
    if (colour[k] == SHARED) continue;
    paint(&p->bodies, &cover->patch[k], colour[k], on);
    if (colour[k] >= cover->colours) cover->colours = colour[k] + 1;
  }
  for (int k = 0; k < cover->patches; k++)
    if (colour[k] == SHARED) colour[k] = cover->colours++;
}

static void sort_by_colour(stc_cover *cover, const int *colour) {
  for (int k = 0; k < cover->patches; k++) cover->ptr[colour[k] + 1]++;
  for (int k = 0; k < cover->colours; k++) cover->ptr[k + 1] += cover->ptr[k];
  for (int k = 0; k < cover->patches; k++) cover->order[cover->ptr[colour[k]]++] = k;
  for (int k = cover->colours; k > 0; k--) cover->ptr[k] = cover->ptr[k - 1];
  cover->ptr[0] = 0;
}

static stc_error colour_patches(stc_arena *arena, stc_arena *scratch, const stc_reduced *p,
                                stc_cover *cover) {
  uint64_t *on = STC_TAKE(scratch, uint64_t, p->bodies.count + 1);
  int *colour = STC_TAKE_RAW(scratch, int, cover->patches);
  STC_TRY(stc_arena_check(scratch));
  choose_colours(p, cover, on, colour);
  cover->ptr = STC_TAKE(arena, int, cover->colours + 1);
  cover->order = STC_TAKE_RAW(arena, int, cover->patches);
  STC_TRY(stc_arena_check(arena));
  sort_by_colour(cover, colour);
  return STC_OK;
}

// --- The cover ---

static stc_error start(stc_arena *scratch, const stc_reduced *p, growth *g) {
  *g = (growth){.problem = p};
  g->order = STC_TAKE_RAW(scratch, int, p->contacts);
  g->core_of = STC_TAKE_RAW(scratch, int, p->contacts);
  g->met = STC_TAKE(scratch, int, p->contacts);
  g->spread = STC_TAKE(scratch, int, p->bodies.count + 1);
  g->list = STC_TAKE_RAW(scratch, int, p->contacts);
  STC_TRY(stc_arena_check(scratch));
  for (int c = 0; c < p->contacts; c++) g->core_of[c] = -1;
  return STC_OK;
}

static stc_error grow_all(stc_arena *arena, stc_arena *scratch, const stc_reduced *p, int core,
                          int rings, int most, stc_cover *cover) {
  growth g;
  STC_TRY(start(scratch, p, &g));
  order_contacts(&g);
  for (int k = 0, next = 0; k < cover->patches; k++) {
    grow_core(&g, k, core, &next);
    grow_rings(&g, rings, most);
    STC_TRY(keep(arena, &g, &cover->patch[k]));
  }
  return colour_patches(arena, scratch, p, cover);
}

stc_error stc_cover_create(stc_arena *arena, const stc_reduced *p, int core, int rings, int most,
                           stc_cover *cover) {
  *cover = (stc_cover){.patches = (p->contacts + core - 1) / core};
  cover->patch = STC_TAKE(arena, stc_patch, cover->patches);
  STC_TRY(stc_arena_check(arena));
  stc_arena scratch = {0};
  stc_error error = grow_all(arena, &scratch, p, core, rings, most, cover);
  stc_arena_free(&scratch);
  return error;
}
