// Cutting contacts into slices by levels: bodies at the same distance from one that lies far out,
// over the graph in which bodies that touch are neighbours. A contact belongs to the lesser level
// of its bodies, which differ by one at most; slices are levels in a row, so that contacts of
// slices with another between them touch different bodies.
#include "slices.h"

#include <string.h>

// A slice of fewer contacts is not worth another thread's while; fewer slices than these leave two
// threads waiting for each other.
enum { LEAST = 2500, FEWEST = 4 };  // [machine]

int stc_slices_most(int contacts) {
  int most = contacts / LEAST < STC_SLICES ? contacts / LEAST : STC_SLICES;
  return most < FEWEST ? 1 : most;
}

stc_error stc_slices_take(stc_arena *arena, const stc_reduced *p, stc_slices *s) {
  int bodies = stc_slices_most(p->contacts) > 1 ? p->bodies.count : 0;
  s->first = STC_TAKE_RAW(arena, int, STC_SLICES + 1);
  s->contact = STC_TAKE_RAW(arena, int, p->contacts);
  s->level = STC_TAKE_RAW(arena, int, bodies);
  s->queue = STC_TAKE_RAW(arena, int, bodies);
  s->load = STC_TAKE_RAW(arena, int, bodies);
  return stc_arena_check(arena);
}

// --- Levels ---

static void meet_slices(stc_slices *s, int body, int level, int *end) {
  if (s->level[body] >= 0) return;
  s->level[body] = level;
  s->queue[(*end)++] = body;
}

/// Levels of all bodies that hang together with the root, which has this one; they are in the queue
/// from `begin` to the place returned.
static int spread(const stc_bodies *b, stc_slices *s, int root, int level, int begin) {
  int end = begin;
  meet_slices(s, root, level, &end);
  for (int head = begin; head < end; head++) {
    int body = s->queue[head];
    for (int k = b->on_ptr[body]; k < b->on_ptr[body + 1]; k++) {
      int c = b->touch_contact[b->on_touch[k]];
      for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++)
        meet_slices(s, b->touch_body[t], s->level[body] + 1, &end);
    }
  }
  return end;
}

/// Returns how many levels there are. Where bodies hang together the levels begin from the one that
/// is last from the first.
static int find_levels(const stc_bodies *b, stc_slices *s) {
  int levels = 0, begin = 0;
  for (int k = 0; k < b->count; k++) s->level[k] = -1;
  for (int root = 0; root < b->count; root++) {
    if (s->level[root] >= 0) continue;
    int end = spread(b, s, root, 0, begin), far = s->queue[end - 1];
    for (int k = begin; k < end; k++) s->level[s->queue[k]] = -1;
    spread(b, s, far, levels, begin);
    levels = s->level[s->queue[end - 1]] + 1;
    begin = end;
  }
  return levels;
}

static int level_of(const stc_bodies *b, const stc_slices *s, int c) {
  int least = 0;
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    int level = s->level[b->touch_body[t]];
    if (t == b->touch_ptr[c] || level < least) least = level;
  }
  return least;
}

// --- Slices ---

/// Gives each level its slice, in place of the contacts it has; returns how many slices.
static int number_slices(stc_slices *s, int levels, int contacts, int most) {
  int slice = 0;
  long met = 0;
  for (int l = 0; l < levels; l++) {
    met += s->load[l];
    s->load[l] = slice;
    if (met * most >= (long)contacts * (slice + 1) && l + 1 < levels) slice++;
  }
  return slice + 1;
}

void stc_slices_cut(const stc_reduced *p, stc_slices *s) {
  int most = stc_slices_most(p->contacts);
  s->count = 1;
  s->first[0] = 0;
  s->first[1] = p->contacts;
  for (int c = 0; c < p->contacts; c++) s->contact[c] = c;
  if (most == 1) return;
  int levels = find_levels(&p->bodies, s);
  memset(s->load, 0, (size_t)levels * sizeof *s->load);
  for (int c = 0; c < p->contacts; c++) s->load[level_of(&p->bodies, s, c)]++;
  int count = number_slices(s, levels, p->contacts, most);
  if (count < FEWEST) return;
  s->count = count;
  memset(s->first, 0, (STC_SLICES + 1) * sizeof *s->first);
  for (int c = 0; c < p->contacts; c++) s->first[s->load[level_of(&p->bodies, s, c)] + 1]++;
  for (int k = 0; k < s->count; k++) s->first[k + 1] += s->first[k];
  for (int c = 0; c < p->contacts; c++)
    s->contact[s->first[s->load[level_of(&p->bodies, s, c)]]++] = c;
  memmove(s->first + 1, s->first, (size_t)s->count * sizeof *s->first);
  s->first[0] = 0;
}
