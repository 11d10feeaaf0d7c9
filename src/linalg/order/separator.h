// Vertex separators of weighted graphs, by levels   [Karypis and Kumar 1998; Hendrickson and
// Rothberg 1998].
#ifndef STC_LINALG_SEPARATOR_H
#define STC_LINALG_SEPARATOR_H

#include "../../base/memory.h"
#include "../../base/random.h"

/// A symmetric graph without loops: neighbours adj[ptr[i]] .. adj[ptr[i+1]-1] of node i.
typedef struct stc_wgraph {
  int nodes;
  int *ptr, *adj;
  int *weight;  ///< [nodes]
  int *edge;    ///< [ptr[nodes]] weight of the edge to adj[e]
} stc_wgraph;

/// Where a node lies.
enum { STC_SIDE_A, STC_SIDE_B, STC_SEPARATOR };

/// side[k] of every node of a graph that has some, none of side A next to one of side B, with a
/// light separator and sides of about the same weight. Work space comes from `scratch`.
/// STC_ERR_CALLBACK where it was stopped.
stc_error stc_separate(stc_arena *scratch, const stc_wgraph *graph, unsigned char *side);

// --- Parts of it ---

/// One level up: pairs of nodes that heavy edges join become one, unless it is heavier than
/// `heaviest`. coarse_of [nodes]: of each node.
stc_error stc_wgraph_coarsen(stc_arena *arena, const stc_wgraph *fine, int heaviest,
                             stc_random *random, stc_wgraph *coarse, int **coarse_of);

/// Moves of nodes into and out of a separator, in graphs of up to a number of nodes.
typedef struct stc_refiner stc_refiner;

stc_error stc_refiner_create(stc_arena *arena, int most_nodes, stc_refiner **refiner);

/// Grows side A from node `seed` until it is as heavy as side B; replaces what `side` says.
void stc_refiner_grow(stc_refiner *r, const stc_wgraph *graph, int seed, unsigned char *side);

/// Makes the separator better by passes of moves, each rolled back to its best; what it costs, in
/// weights. Ends early where the scope of the caller does.
double stc_refiner_improve(stc_refiner *r, const stc_wgraph *graph, unsigned char *side);

#endif
