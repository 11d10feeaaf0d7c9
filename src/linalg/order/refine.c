// Refinement of a vertex separator: a node of the separator goes to one side and pulls its
// neighbours of the other side in; the lightest separator on the way is kept   [Fiduccia and
// Mattheyses 1982; Hendrickson and Rothberg 1998].
#include "separator.h"

#include "../../base/stop.h"

#include <string.h>

// Neither side is to be heavier than this part of the graph.
static const double HEAVIEST = 0.6;
// What a separator costs grows by this part of its weight with the ratio of the sides.
static const double UNLIKE = 0.2;
// Operations of a move.
static const double PER_MOVE = 100;
enum { PASSES = 8, VAIN = 300 };  // at most: passes, and moves without gain before one ends

/// Nodes of the separator by what is gained when they go to one side; the largest first.
typedef struct queue {
  int count;
  int *heap;   // nodes
  int *place;  // of a node in the heap; -1: not there
  int *gain;   // of a node
} queue;

struct stc_refiner {
  queue to[2];
  int *near[2];  ///< weight of a separator node's neighbours on either side
  bool *moved;
  int *boundary, bound;  ///< nodes that were in the separator since the pass began
  int *trail, *start;    ///< moves: the node, then what it pulled in; where each begins
  int moves, trailing;
  const stc_wgraph *graph;
  unsigned char *side;
  int heavy[3];  ///< weight of either side and of the separator
};

stc_error stc_refiner_create(stc_arena *arena, int most_nodes, stc_refiner **refiner) {
  size_t n = (size_t)most_nodes;
  stc_refiner *r = *refiner = STC_TAKE(arena, stc_refiner, 1);
  STC_TRY(stc_arena_check(arena));
  for (int s = 0; s < 2; s++) {
    r->to[s].heap = STC_TAKE_RAW(arena, int, n);
    r->to[s].place = STC_TAKE_RAW(arena, int, n);
    r->to[s].gain = STC_TAKE_RAW(arena, int, n);
    r->near[s] = STC_TAKE_RAW(arena, int, n);
  }
  r->moved = STC_TAKE(arena, bool, n);
  r->boundary = STC_TAKE_RAW(arena, int, n);
  r->trail = STC_TAKE_RAW(arena, int, 3 * n);
  r->start = STC_TAKE_RAW(arena, int, n + 1);
  STC_TRY(stc_arena_check(arena));
  for (int s = 0; s < 2; s++) memset(r->to[s].place, -1, n * sizeof(int));
  return STC_OK;
}

// --- Queues ---

static void put(queue *q, int at, int node) {
  q->heap[at] = node;
  q->place[node] = at;
}

static void rise(queue *q, int at) {
  int node = q->heap[at], gain = q->gain[node];
  for (int up; at > 0 && gain > q->gain[q->heap[up = (at - 1) / 2]]; at = up)
    put(q, at, q->heap[up]);
  put(q, at, node);
}

static void sink(queue *q, int at) {
  int node = q->heap[at], gain = q->gain[node];
  for (int down; (down = 2 * at + 1) < q->count; at = down) {
    if (down + 1 < q->count && q->gain[q->heap[down + 1]] > q->gain[q->heap[down]]) down++;
    if (gain >= q->gain[q->heap[down]]) break;
    put(q, at, q->heap[down]);
  }
  put(q, at, node);
}

static void enqueue(queue *q, int node, int gain) {
  q->gain[node] = gain;
  put(q, q->count++, node);
  rise(q, q->count - 1);
}

static void dequeue(queue *q, int node) {
  int at = q->place[node];
  if (at < 0) return;
  q->place[node] = -1;
  int last = q->heap[--q->count];
  if (last == node) return;
  put(q, at, last);
  rise(q, at);
  sink(q, q->place[last]);
}

static void change(queue *q, int node, int by) {
  int at = q->place[node];
  if (at < 0) return;
  q->gain[node] += by;
  if (by > 0)
    rise(q, at);
  else
    sink(q, at);
}

static void empty(queue *q) {
  for (int k = 0; k < q->count; k++) q->place[q->heap[k]] = -1;
  q->count = 0;
}

// --- Moves ---

static void look_around(stc_refiner *r, int node) {
  const stc_wgraph *g = r->graph;
  int near[3] = {0};
  for (int e = g->ptr[node]; e < g->ptr[node + 1]; e++)
    near[r->side[g->adj[e]]] += g->weight[g->adj[e]];
  r->near[0][node] = near[0];
  r->near[1][node] = near[1];
}

static int gain_of(const stc_refiner *r, int node, int to) {
  return r->graph->weight[node] - r->near[1 - to][node];
}

/// Node u of side `from` comes into the separator.
static void pull_in(stc_refiner *r, int u, int from) {
  const stc_wgraph *g = r->graph;
  int weight = g->weight[u];
  r->side[u] = STC_SEPARATOR;
  r->heavy[from] -= weight;
  r->heavy[STC_SEPARATOR] += weight;
  look_around(r, u);
  for (int e = g->ptr[u]; e < g->ptr[u + 1]; e++) {
    int j = g->adj[e];
    if (r->side[j] != STC_SEPARATOR) continue;
    r->near[from][j] -= weight;
    change(&r->to[1 - from], j, weight);
  }
}

/// A node of the separator goes to a side.
static void move(stc_refiner *r, int node, int to) {
  const stc_wgraph *g = r->graph;
  int weight = g->weight[node];
  dequeue(&r->to[0], node);
  dequeue(&r->to[1], node);
  r->moved[node] = true;
  r->side[node] = (unsigned char)to;
  r->heavy[STC_SEPARATOR] -= weight;
  r->heavy[to] += weight;
  r->start[r->moves++] = r->trailing;
  r->trail[r->trailing++] = node;
  for (int e = g->ptr[node]; e < g->ptr[node + 1]; e++) {
    int j = g->adj[e];
    if (r->side[j] == STC_SEPARATOR) {
      r->near[to][j] += weight;
      change(&r->to[1 - to], j, -weight);
    } else if (r->side[j] == 1 - to) {
      pull_in(r, j, 1 - to);
      r->trail[r->trailing++] = j;
      if (!r->moved[j]) {
        enqueue(&r->to[to], j, gain_of(r, j, to));
        r->boundary[r->bound++] = j;
      }
    }
  }
}

// --- Passes ---

static void start_on(stc_refiner *r, const stc_wgraph *graph, unsigned char *side) {
  r->graph = graph;
  r->side = side;
  r->heavy[0] = r->heavy[1] = r->heavy[2] = 0;
  for (int i = 0; i < r->graph->nodes; i++) r->heavy[r->side[i]] += r->graph->weight[i];
  r->bound = r->moves = r->trailing = 0;
  for (int i = 0; i < graph->nodes; i++)
    if (side[i] == STC_SEPARATOR) r->boundary[r->bound++] = i;
}

static void forget_moves(stc_refiner *r) {
  for (int k = 0; k < r->bound; k++) r->moved[r->boundary[k]] = false;
}

static void start_pass(stc_refiner *r) {
  int kept = 0;
  forget_moves(r);
  for (int k = 0; k < r->bound; k++)
    if (r->side[r->boundary[k]] == STC_SEPARATOR) r->boundary[kept++] = r->boundary[k];
  r->bound = kept;
  r->moves = r->trailing = 0;
  for (int k = 0; k < r->bound; k++) {
    int i = r->boundary[k];
    look_around(r, i);
    for (int s = 0; s < 2; s++) enqueue(&r->to[s], i, gain_of(r, i, s));
  }
}

/// Which side gains most, the lighter one among equals, and has room; -1: neither.
static int choose_side(const stc_refiner *r, int heaviest) {
  int best = -1, most = 0, lighter = r->heavy[1] < r->heavy[0];
  for (int k = 0; k < 2; k++) {
    int s = k ? 1 - lighter : lighter;
    const queue *q = &r->to[s];
    if (!q->count || r->heavy[s] + r->graph->weight[q->heap[0]] > heaviest) continue;
    int gain = q->gain[q->heap[0]];
    if (best >= 0 && gain <= most) continue;
    best = s;
    most = gain;
  }
  return best;
}

/// Among empty separators the one with sides more alike is the better.
static double cost_of(const stc_refiner *r) {
  double a = r->heavy[0], b = r->heavy[1], less = a < b ? a : b, more = a < b ? b : a;
  return r->heavy[STC_SEPARATOR] * (1 + UNLIKE * more / (less + 1)) + 1e-9 * (more - less);
}

/// One pass; whether it gained anything.
static bool improve_once(stc_refiner *r, int heaviest, double *cost) {
  start_pass(r);
  int kept = 0, vain = 2 * r->bound + 20 < VAIN ? 2 * r->bound + 20 : VAIN;
  while (r->moves - kept < vain) {
    int to = choose_side(r, heaviest);
    if (to < 0) break;
    move(r, r->to[to].heap[0], to);
    double now = cost_of(r);
    if (now >= *cost) continue;
    *cost = now;
    kept = r->moves;
  }
  empty(&r->to[0]);
  empty(&r->to[1]);
  // Undoes the moves behind the first `kept`; the sides they went to are those of the nodes now.
  while (r->moves > kept) {
    int first = r->start[--r->moves], node = r->trail[first], to = r->side[node];
    for (int k = first + 1; k < r->trailing; k++) {
      int weight = r->graph->weight[r->trail[k]];
      r->side[r->trail[k]] = (unsigned char)(1 - to);
      r->heavy[1 - to] += weight;
      r->heavy[STC_SEPARATOR] -= weight;
    }
    r->side[node] = STC_SEPARATOR;
    r->heavy[to] -= r->graph->weight[node];
    r->heavy[STC_SEPARATOR] += r->graph->weight[node];
    r->trailing = first;
  }
  return kept > 0;
}

double stc_refiner_improve(stc_refiner *r, const stc_wgraph *graph, unsigned char *side) {
  start_on(r, graph, side);
  double total = (double)r->heavy[0] + r->heavy[1] + r->heavy[2], cost = cost_of(r);
  int heaviest = (int)(HEAVIEST * total);
  for (int k = 0; k < PASSES && improve_once(r, heaviest, &cost); k++)
    if (stc_stop_due(PER_MOVE * (r->bound + r->moves))) break;
  forget_moves(r);
  return cost;
}

// --- A first separator ---

void stc_refiner_grow(stc_refiner *r, const stc_wgraph *graph, int seed, unsigned char *side) {
  memset(side, STC_SIDE_B, (size_t)graph->nodes);
  start_on(r, graph, side);
  while (r->heavy[0] < r->heavy[1]) {
    if (!r->to[0].count) {
      // The next node of side B from `from` on, all around.
      int from = seed;
      while (r->side[from] != STC_SIDE_B) from = from + 1 < r->graph->nodes ? from + 1 : 0;
      seed = from;
      pull_in(r, seed, STC_SIDE_B);
      enqueue(&r->to[0], seed, gain_of(r, seed, 0));
      r->boundary[r->bound++] = seed;
    }
    move(r, r->to[0].heap[0], STC_SIDE_A);
  }
  empty(&r->to[0]);
  forget_moves(r);
}
