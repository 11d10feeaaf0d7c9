// Nested dissection   [George 1973]: a separator is eliminated last, what it separates before it,
// each part in the same way. Within small parts and separators, which come in the order of the
// dissection, the order is that of minimum degree in the whole.
#include "order.h"

#include "../../base/memory.h"
#include "../../base/stop.h"
#include "../graph.h"
#include "separator.h"

#include <string.h>

// A part of so few nodes is not cut.
enum { LEAF = 500 };
// Minimum degree cannot be stopped: it takes what has at most this many entries, about a twentieth
// of a second.
enum { UNIT = 1000000 };
// Nodes with the same neighbours are eliminated as one where they are more than this part.
static const double ALIKE = 0.15;
// Operations per entry of a graph that is copied, and that minimum degree orders.
static const double COPYING = 4, ORDERING = 80;

/// Nodes list[first] .. list[last-1], eliminated at these places; cut from a unit or not.
typedef struct part {
  int first, last;
  bool inside;
} part;

typedef struct dissection {
  const stc_wgraph *graph;
  int *list;    ///< [nodes] by elimination, once all parts are cut
  int *local;   ///< [nodes] number of a node in the part at hand; -1: not in it
  int *queue;   ///< [nodes]
  bool *group;  ///< [nodes] whether a small part or a separator begins at a place
  bool *unit;   ///< [nodes] whether something that minimum degree orders alone begins there
  part *open;   ///< [nodes+1] parts to be cut
  int parts;
} dissection;

static void open_part(dissection *d, int first, int last, bool inside) {
  if (last > first) d->open[d->parts++] = (part){first, last, inside};
}

// --- The graph of a part ---

/// Numbers its nodes; how many entries they have, those outside it included.
static int enter_part(dissection *d, part p) {
  int entries = 0;
  for (int k = p.first; k < p.last; k++) {
    int i = d->list[k];
    d->local[i] = k - p.first;
    entries += d->graph->ptr[i + 1] - d->graph->ptr[i];
  }
  return entries;
}

static void leave_part(dissection *d, part p) {
  for (int k = p.first; k < p.last; k++) d->local[d->list[k]] = -1;
}

static stc_error copy_part(stc_arena *scratch, const dissection *d, part p, int entries,
                           stc_wgraph *sub) {
  const stc_wgraph *g = d->graph;
  int at = 0;
  sub->nodes = p.last - p.first;
  sub->ptr = STC_TAKE_RAW(scratch, int, (size_t)sub->nodes + 1);
  sub->weight = STC_TAKE_RAW(scratch, int, sub->nodes);
  sub->adj = STC_TAKE_RAW(scratch, int, entries);
  sub->edge = STC_TAKE_RAW(scratch, int, entries);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_stop_try(COPYING * ((double)entries + sub->nodes)));
  for (int k = 0; k < sub->nodes; k++) {
    int i = d->list[p.first + k];
    sub->ptr[k] = at;
    sub->weight[k] = g->weight[i];
    for (int e = g->ptr[i]; e < g->ptr[i + 1]; e++) {
      if (d->local[g->adj[e]] < 0) continue;
      sub->adj[at] = d->local[g->adj[e]];
      sub->edge[at++] = 1;
    }
  }
  sub->ptr[sub->nodes] = at;
  return STC_OK;
}

// --- Cuts ---

/// Appends what is connected with `start` in the part at hand to the queue; its new end.
static int walk_component(dissection *d, int start, int tail) {
  const stc_wgraph *g = d->graph;
  int head = tail;
  d->queue[tail++] = start;
  d->local[start] = -1;
  for (; head < tail; head++)
    for (int i = d->queue[head], e = g->ptr[i]; e < g->ptr[i + 1]; e++) {
      if (d->local[g->adj[e]] < 0) continue;
      d->local[g->adj[e]] = -1;
      d->queue[tail++] = g->adj[e];
    }
  return tail;
}

/// Opens the components of the part that was entered, small ones together, and leaves it. False
/// where it is connected: nothing is opened.
static bool split_components(dissection *d, part p) {
  int begin = 0, tail = 0;  // of the component, or of the small ones so far; of the queue
  for (int k = p.first; k < p.last; k++) {
    if (d->local[d->list[k]] < 0) continue;
    int end = walk_component(d, d->list[k], tail);
    if (end == p.last - p.first && tail == 0) return false;
    if (end - begin > LEAF) {
      open_part(d, p.first + begin, p.first + tail, p.inside);
      begin = tail;
    }
    tail = end;
  }
  open_part(d, p.first + begin, p.last, p.inside);
  memcpy(d->list + p.first, d->queue, (size_t)tail * sizeof *d->list);
  return true;
}

/// Side A, side B, separator.
static stc_error cut_part(stc_arena *scratch, dissection *d, part p, const stc_wgraph *sub) {
  unsigned char *side = STC_TAKE_RAW(scratch, unsigned char, sub->nodes);
  int end[4] = {0};
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_separate(scratch, sub, side));
  for (int k = 0; k < sub->nodes; k++) end[side[k] + 1]++;
  for (int s = 0; s < 3; s++) end[s + 1] += end[s];
  int a = p.first + end[1], b = p.first + end[2];
  for (int k = 0; k < sub->nodes; k++) d->queue[end[side[k]]++] = d->list[p.first + k];
  memcpy(d->list + p.first, d->queue, (size_t)sub->nodes * sizeof *d->list);
  open_part(d, p.first, a, p.inside);
  open_part(d, a, b, p.inside);
  if (b < p.last) {
    d->group[b] = true;
    if (!p.inside) d->unit[b] = true;
  }
  return STC_OK;
}

static stc_error handle_part(stc_arena *scratch, dissection *d, part p) {
  stc_wgraph sub;
  int entries = enter_part(d, p);
  bool small = p.last - p.first <= LEAF;
  if (!p.inside && (small || entries <= UNIT)) p.inside = d->unit[p.first] = true;
  if (small) {
    d->group[p.first] = true;
    leave_part(d, p);
    return STC_OK;
  }
  if (split_components(d, p)) return stc_stop_try(COPYING * entries);
  enter_part(d, p);
  stc_error error = copy_part(scratch, d, p, entries, &sub);
  leave_part(d, p);
  return error ? error : cut_part(scratch, d, p, &sub);
}

// --- Minimum degree ---

/// The places first .. last-1 of a unit.
static stc_error order_unit(stc_arena *scratch, dissection *d, part p) {
  stc_wgraph sub;
  int entries = enter_part(d, p), groups = -1;
  stc_error error = copy_part(scratch, d, p, entries, &sub);
  leave_part(d, p);
  STC_TRY(error);
  int n = sub.nodes, *work = STC_TAKE_RAW(scratch, int, stc_order_work(n, sub.ptr[n]));
  int *group = STC_TAKE_RAW(scratch, int, n), *order = STC_TAKE_RAW(scratch, int, n);
  STC_TRY(stc_arena_check(scratch));
  for (int k = 0; k < n; k++) group[k] = groups += d->group[p.first + k] || k == 0;
  STC_TRY(stc_stop_try(ORDERING * ((double)sub.ptr[n] + n)));
  stc_order_within_groups(n, sub.ptr, sub.adj, group, work, order);
  for (int k = 0; k < n; k++) order[k] = d->list[p.first + order[k]];
  memcpy(d->list + p.first, order, (size_t)n * sizeof *order);
  return STC_OK;
}

// --- The whole ---

static stc_error take_lists(stc_arena *arena, dissection *d) {
  int n = d->graph->nodes;
  d->local = STC_TAKE_RAW(arena, int, n);
  d->queue = STC_TAKE_RAW(arena, int, n);
  d->group = STC_TAKE(arena, bool, n);
  d->unit = STC_TAKE(arena, bool, n);
  d->open = STC_TAKE_RAW(arena, part, (size_t)n + 1);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < n; i++) {
    d->list[i] = i;
    d->local[i] = -1;
  }
  return STC_OK;
}

static stc_error with_scratch(stc_error (*task)(stc_arena *, dissection *, part), dissection *d,
                              part p) {
  stc_arena scratch = {0};
  stc_error error = task(&scratch, d, p);
  stc_arena_free(&scratch);
  return error;
}

static stc_error dissect(stc_arena *arena, const stc_wgraph *graph, int *order) {
  dissection d = {.graph = graph, .list = order};
  int n = graph->nodes;
  STC_TRY(take_lists(arena, &d));
  open_part(&d, 0, n, false);
  while (d.parts > 0) {
    part p = d.open[--d.parts];
    STC_TRY(with_scratch(handle_part, &d, p));
  }
  for (part p = {0}; p.last < n;) {
    // The unit that begins at a place.
    int first = p.last;
    int last = first + 1;
    while (last < d.graph->nodes && !d.unit[last]) last++;
    p = (part){first, last, true};
    STC_TRY(with_scratch(order_unit, &d, p));
  }
  return STC_OK;
}

// --- Nodes that are alike ---

typedef struct groups {
  int count;
  int *of;     ///< [n] group of a node
  int *start;  ///< [count+2] into member
  int *member;
} groups;

static stc_error group_nodes(stc_arena *arena, int n, const int *ptr, const int *adj, groups *g) {
  g->of = STC_TAKE_RAW(arena, int, n);
  int *work = STC_TAKE_RAW(arena, int, 4 * (size_t)n);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(stc_stop_try(COPYING * ((double)ptr[n] + n)));
  g->count = stc_order_twins(n, ptr, adj, work, g->of);
  bool alike = n - g->count > ALIKE * n;
  for (int i = 0; !alike && i < n; i++) g->of[i] = i;
  if (!alike) g->count = n;
  g->start = STC_TAKE(arena, int, (size_t)g->count + 2);
  g->member = STC_TAKE_RAW(arena, int, n);
  STC_TRY(stc_arena_check(arena));
  stc_graph_list_members(n, g->of, g->count, g->start, g->member);
  return STC_OK;
}

/// The graph of groups, by the neighbours of their first members.
static stc_error gather_graph(stc_arena *arena, const groups *t, const int *ptr, const int *adj,
                              const int *size, stc_wgraph *g) {
  int n = g->nodes = t->count, at = 0, *seen = STC_TAKE_RAW(arena, int, n);
  g->ptr = STC_TAKE_RAW(arena, int, (size_t)n + 1);
  g->weight = STC_TAKE(arena, int, n);
  g->adj = STC_TAKE_RAW(arena, int, ptr[t->start[n]]);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < n; k++) seen[k] = -1;
  for (int k = 0; k < n; k++) {
    int first = t->member[t->start[k]];
    g->ptr[k] = at;
    seen[k] = k;
    for (int m = t->start[k]; m < t->start[k + 1]; m++)
      g->weight[k] += size && size[t->member[m]] > 1 ? size[t->member[m]] : 1;
    for (int e = ptr[first]; e < ptr[first + 1]; e++) {
      int other = t->of[adj[e]];
      if (seen[other] == k) continue;
      seen[other] = k;
      g->adj[at++] = other;
    }
  }
  g->ptr[n] = at;
  return STC_OK;
}

static stc_error order_groups(stc_arena *arena, int n, const int *ptr, const int *adj,
                              const int *size, int *order) {
  groups t;
  stc_wgraph g = {0};
  STC_TRY(group_nodes(arena, n, ptr, adj, &t));
  STC_TRY(gather_graph(arena, &t, ptr, adj, size, &g));
  int *list = STC_TAKE_RAW(arena, int, g.nodes), at = 0;
  STC_TRY(stc_arena_check(arena));
  STC_TRY(dissect(arena, &g, list));
  for (int k = 0; k < g.nodes; k++)
    for (int m = t.start[list[k]]; m < t.start[list[k] + 1]; m++) order[at++] = t.member[m];
  return STC_OK;
}

stc_error stc_order_dissection(int n, const int *ptr, const int *adj, const int *size, int *order) {
  stc_arena arena = {0};
  stc_error error = n > 0 ? order_groups(&arena, n, ptr, adj, size, order) : STC_OK;
  stc_arena_free(&arena);
  return error;
}
