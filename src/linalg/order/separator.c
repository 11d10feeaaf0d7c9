// A separator by levels: the graph is coarsened, separated where it is small, and the separator
// refined on the way back. The upper levels are gone through several times, and the best is kept.
#include "separator.h"

#include "../../base/stop.h"

#include <string.h>

// A graph this small is separated directly, from several seeds.
enum { COARSE = 120, SEEDS = 4 };
// Larger ones than this: from a fifteenth of the nodes on there are several runs.
enum { LARGE = 1000, SHRUNK = 15, RUNS = 5 };
enum { LEVELS = 60 };
// A level that keeps more than this part of the nodes is the last one.
static const double STALLED = 0.95;

typedef struct hierarchy {
  int levels;
  stc_wgraph graph[LEVELS];
  int *coarse_of[LEVELS];  ///< from level k to k + 1
} hierarchy;

/// Levels until there are at most `least` nodes.
static stc_error coarsen_to(stc_arena *scratch, hierarchy *h, int least, stc_random *random) {
  double total = 0;
  for (int i = 0; i < h->graph[0].nodes; i++) total += h->graph[0].weight[i];
  int heaviest = (int)(1.5 * total / COARSE) + 1;
  for (h->levels = 1; h->levels < LEVELS; h->levels++) {
    const stc_wgraph *fine = &h->graph[h->levels - 1];
    stc_wgraph *coarse = &h->graph[h->levels];
    if (fine->nodes <= least) break;
    STC_TRY(
        stc_wgraph_coarsen(scratch, fine, heaviest, random, coarse, &h->coarse_of[h->levels - 1]));
    if (coarse->nodes > STALLED * fine->nodes) break;
  }
  return STC_OK;
}

/// The separator of the last level, refined on all others; what it costs on the first.
static stc_error refine_levels(stc_refiner *r, const hierarchy *h, unsigned char *side,
                               unsigned char *finer, double *cost) {
  for (int k = h->levels - 2; k >= 0; k--) {
    const stc_wgraph *g = &h->graph[k];
    for (int i = 0; i < g->nodes; i++) finer[i] = side[h->coarse_of[k][i]];
    memcpy(side, finer, (size_t)g->nodes);
    *cost = stc_refiner_improve(r, g, side);
    STC_TRY(stc_stop_try(2.0 * g->nodes));
  }
  return STC_OK;
}

static stc_error separate_small(stc_refiner *r, const stc_wgraph *g, stc_random *random,
                                unsigned char *side, unsigned char *trial, double *cost) {
  for (int k = 0; k < SEEDS; k++) {
    int seed = (int)(stc_random_bits(random) % (unsigned)g->nodes);
    stc_refiner_grow(r, g, seed, trial);
    double found = stc_refiner_improve(r, g, trial);
    STC_TRY(stc_stop_try(10.0 * g->ptr[g->nodes]));
    if (k > 0 && found >= *cost) continue;
    *cost = found;
    memcpy(side, trial, (size_t)g->nodes);
  }
  return STC_OK;
}

static stc_error separate_once(stc_arena *scratch, stc_refiner *r, const stc_wgraph *g,
                               stc_random *random, unsigned char *side, double *cost) {
  hierarchy h = {.graph = {*g}};
  unsigned char *work = STC_TAKE_RAW(scratch, unsigned char, g->nodes);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(coarsen_to(scratch, &h, COARSE, random));
  STC_TRY(separate_small(r, &h.graph[h.levels - 1], random, side, work, cost));
  return refine_levels(r, &h, side, work, cost);
}

/// The best of several runs.
static stc_error separate_often(stc_arena *scratch, stc_refiner *r, const stc_wgraph *g, int runs,
                                stc_random *random, unsigned char *side) {
  unsigned char *trial = STC_TAKE_RAW(scratch, unsigned char, g->nodes);
  double best = 0, cost;
  STC_TRY(stc_arena_check(scratch));
  for (int k = 0; k < runs; k++) {
    stc_arena own = {0};
    stc_error error = separate_once(&own, r, g, random, trial, &cost);
    stc_arena_free(&own);
    STC_TRY(error);
    if (k > 0 && cost >= best) continue;
    best = cost;
    memcpy(side, trial, (size_t)g->nodes);
  }
  return STC_OK;
}

stc_error stc_separate(stc_arena *scratch, const stc_wgraph *graph, unsigned char *side) {
  hierarchy h = {.graph = {*graph}};
  stc_random random = stc_random_seed(1);
  stc_refiner *r;
  int n = graph->nodes, least = n / SHRUNK > COARSE ? n / SHRUNK : COARSE;
  unsigned char *work = STC_TAKE_RAW(scratch, unsigned char, n);
  double cost;
  STC_TRY(stc_refiner_create(scratch, n, &r));
  STC_TRY(coarsen_to(scratch, &h, least, &random));
  int runs = n >= LARGE ? RUNS : 1;
  STC_TRY(separate_often(scratch, r, &h.graph[h.levels - 1], runs, &random, side));
  return refine_levels(r, &h, side, work, &cost);
}
