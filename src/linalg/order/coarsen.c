// Coarser graphs: heavy edges are contracted   [Karypis and Kumar 1998].
#include "separator.h"

#include "../../base/stop.h"

// Operations per entry of a graph that is matched and contracted.
static const double CONTRACTING = 8;
enum { DEGREES = 32 };  // more neighbours than these are not told apart

/// A number from 0 to n-1.
static int draw_index(stc_random *random, int n) {
  return (int)(((stc_random_bits(random) >> 32) * (uint64_t)n) >> 32);
}

// --- Which nodes become one ---

typedef struct matching {
  const stc_wgraph *graph;
  int heaviest;
  stc_random *random;
  int *mate;   // [nodes] the node that becomes one with this one; -1: none yet
  int *order;  // [nodes] in which they choose
  int *work;   // [nodes]
} matching;

static int degree_of(const stc_wgraph *g, int i) {
  int degree = g->ptr[i + 1] - g->ptr[i];
  return degree < DEGREES ? degree : DEGREES;
}

/// The free neighbour behind the heaviest edge, the lightest among equals, from anywhere on; -1:
/// none.
static int best_mate(const matching *m, int i) {
  const stc_wgraph *g = m->graph;
  int begin = g->ptr[i], end = g->ptr[i + 1], best = -1, edge = 0;
  if (begin == end) return -1;
  for (int k = begin, e = begin + draw_index(m->random, end - begin); k < end; k++, e++) {
    if (e == end) e = begin;
    int j = g->adj[e];
    if (m->mate[j] >= 0 || g->weight[i] + g->weight[j] > m->heaviest) continue;
    if (g->edge[e] < edge) continue;
    if (g->edge[e] == edge && g->weight[j] >= g->weight[best]) continue;
    best = j;
    edge = g->edge[e];
  }
  return best;
}

static void join(matching *m, int i, int j) {
  m->mate[i] = j;
  m->mate[j] = i;
}

/// Nodes left alone become one with another such node that shares a neighbour: the leaves of a
/// star.
static void match_around(matching *m) {
  enum { FEW = 4 };  // neighbours of such a leaf that are asked
  const stc_wgraph *g = m->graph;
  int *waiting = m->work;  // at a neighbour; -1: none
  for (int i = 0; i < g->nodes; i++) waiting[i] = -1;
  for (int i = 0; i < g->nodes; i++) {
    int end = g->ptr[i + 1] < g->ptr[i] + FEW ? g->ptr[i + 1] : g->ptr[i] + FEW;
    for (int e = g->ptr[i]; m->mate[i] < 0 && e < end; e++) {
      int other = waiting[g->adj[e]];
      waiting[g->adj[e]] = i;
      if (other < 0 || other == i || m->mate[other] >= 0) continue;
      if (g->weight[i] + g->weight[other] <= m->heaviest) join(m, i, other);
    }
  }
}

static void match_nodes(matching *m) {
  int n = m->graph->nodes, alone = 0;
  // Nodes by rising degree, and at random where it is equal: those with few neighbours would be
  // left alone.
  const stc_wgraph *g = m->graph;
  int next[DEGREES + 2] = {0}, *shuffled = m->work;
  for (int i = 0; i < g->nodes; i++) {
    int k = draw_index(m->random, i + 1);
    if (k < i) shuffled[i] = shuffled[k];
    shuffled[k] = i;
    next[degree_of(g, i) + 1]++;
  }
  for (int d = 0; d <= DEGREES; d++) next[d + 1] += next[d];
  for (int k = 0; k < g->nodes; k++) m->order[next[degree_of(g, shuffled[k])]++] = shuffled[k];
  for (int i = 0; i < n; i++) m->mate[i] = -1;
  for (int k = 0; k < n; k++) {
    int i = m->order[k], j = m->mate[i] < 0 ? best_mate(m, i) : -1;
    if (j >= 0)
      join(m, i, j);
    else
      alone += m->mate[i] < 0;
  }
  if (alone > n / 10) match_around(m);
  for (int i = 0; i < n; i++)
    if (m->mate[i] < 0) m->mate[i] = i;
}

// --- The coarser graph ---

typedef struct contraction {
  const stc_wgraph *fine;
  stc_wgraph *coarse;
  const int *coarse_of;
  int *place;  // [coarse nodes] of a neighbour in the list being made, if not before its start
  int used;    // entries made
} contraction;

/// The edges of node i become those of coarse node c.
static void add_edges(contraction *t, int c, int i) {
  stc_wgraph *to = t->coarse;
  for (int e = t->fine->ptr[i]; e < t->fine->ptr[i + 1]; e++) {
    int j = t->coarse_of[t->fine->adj[e]];
    if (j == c) continue;
    if (t->place[j] < to->ptr[c]) {
      t->place[j] = t->used++;
      to->adj[t->place[j]] = j;
      to->edge[t->place[j]] = 0;
    }
    to->edge[t->place[j]] += t->fine->edge[e];
  }
}

static void contract(contraction *t, const int *mate) {
  stc_wgraph *to = t->coarse;
  for (int c = 0; c < to->nodes; c++) t->place[c] = -1;
  to->ptr[0] = 0;
  for (int i = 0, c = 0; i < t->fine->nodes; i++) {
    int j = mate[i];
    if (j < i) continue;
    to->weight[c] = t->fine->weight[i] + (j > i ? t->fine->weight[j] : 0);
    add_edges(t, c, i);
    if (j > i) add_edges(t, c, j);
    to->ptr[++c] = t->used;
  }
}

stc_error stc_wgraph_coarsen(stc_arena *arena, const stc_wgraph *fine, int heaviest,
                             stc_random *random, stc_wgraph *coarse, int **coarse_of) {
  int n = fine->nodes, entries = fine->ptr[n], *of = *coarse_of = STC_TAKE_RAW(arena, int, n);
  matching m = {.graph = fine, .heaviest = heaviest, .random = random, .order = of};
  m.mate = STC_TAKE_RAW(arena, int, n);
  m.work = STC_TAKE_RAW(arena, int, n);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(stc_stop_try(CONTRACTING * ((double)entries + n)));
  match_nodes(&m);
  *coarse = (stc_wgraph){0};
  for (int i = 0; i < n; i++) of[i] = m.mate[i] < i ? of[m.mate[i]] : coarse->nodes++;
  coarse->ptr = STC_TAKE_RAW(arena, int, (size_t)coarse->nodes + 1);
  coarse->weight = STC_TAKE_RAW(arena, int, coarse->nodes);
  coarse->adj = STC_TAKE_RAW(arena, int, entries);
  coarse->edge = STC_TAKE_RAW(arena, int, entries);
  STC_TRY(stc_arena_check(arena));
  contract(&(contraction){.fine = fine, .coarse = coarse, .coarse_of = of, .place = m.work},
           m.mate);
  return STC_OK;
}
