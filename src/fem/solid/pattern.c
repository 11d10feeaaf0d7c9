// The pattern of K: blocks dim x dim where two nodes share a cell, and the place of every cell's
// blocks in it.
#include "../../linalg/graph.h"
#include "solid_data.h"

#include <limits.h>
#include <stdint.h>

// Which cells may be assembled at the same time: blocks of cells, coloured so that blocks of one
// colour share no node.

/// Cells of a block: enough work to be worth handing out, few enough to leave many blocks.
#define BLOCK 32

/// Colours that blocks can have at the same time; what finds none free runs alone at the end.
#define COLOURS 64

static int choose_colour(const stc_solid *s, int block, uint64_t *used, int alone) {
  // The colours that the nodes of a block have already.
  uint64_t taken = 0;
  for (int k = s->schedule.first[block]; k < s->schedule.first[block + 1]; k++)
    for (int a = 0; a < stc_solid_table(s, k)->nodes; a++) taken |= used[stc_solid_nodes(s, k)[a]];
  int colour = 0;
  while (colour < COLOURS && (taken >> colour & 1)) colour++;
  if (colour == COLOURS) return COLOURS + alone;
  for (int k = s->schedule.first[block]; k < s->schedule.first[block + 1]; k++)
    for (int a = 0; a < stc_solid_table(s, k)->nodes; a++)
      used[stc_solid_nodes(s, k)[a]] |= (uint64_t)1 << colour;
  return colour;
}

static stc_error make_schedule(stc_solid *s, stc_arena *work) {
  stc_schedule *p = &s->schedule;
  p->blocks = (s->cells + BLOCK - 1) / BLOCK;
  p->first = STC_TAKE(&s->arena, int, (size_t)p->blocks + 1);
  p->block = STC_TAKE(&s->arena, int, p->blocks);
  s->failed = STC_TAKE(&s->arena, int, p->blocks);
  int *colour = STC_TAKE(work, int, p->blocks), alone = 0;
  uint64_t *used = STC_TAKE(work, uint64_t, s->mesh->nodes);
  STC_TRY(stc_arena_check(&s->arena));
  STC_TRY(stc_arena_check(work));
  for (int k = 0; k <= s->schedule.blocks; k++)
    s->schedule.first[k] = k * BLOCK < s->cells ? k * BLOCK : s->cells;
  for (int k = 0; k < p->blocks; k++) {
    colour[k] = choose_colour(s, k, used, alone);
    alone += colour[k] >= COLOURS;
    if (colour[k] >= p->colours) p->colours = colour[k] + 1;
  }
  p->colour = STC_TAKE(&s->arena, int, (size_t)p->colours + 2);
  STC_TRY(stc_arena_check(&s->arena));
  // Blocks by colours; those of colour COLOURS and above are alone in theirs.
  for (int k = 0; k < p->blocks; k++) p->colour[colour[k] + 1]++;
  for (int c = 0; c < p->colours; c++) p->colour[c + 1] += p->colour[c];
  for (int k = p->blocks - 1; k >= 0; k--) p->block[--p->colour[colour[k] + 1]] = k;
  for (int c = 0; c < p->colours; c++) p->colour[c] = p->colour[c + 1];
  p->colour[p->colours] = p->blocks;
  return STC_OK;
}

stc_error stc_solid_make_schedule(stc_solid *solid) {
  stc_arena work = {0};
  stc_error error = make_schedule(solid, &work);
  stc_arena_free(&work);
  return error;
}

/// The graph of the nodes.
typedef struct node_graph {
  int *ptr;   ///< [nodes+1]
  int *node;  ///< [ptr[nodes]] neighbours, themselves included, rising
} node_graph;

static stc_error expand_graph(stc_solid *s, const node_graph *g) {
  int dim = s->dim, nodes = s->mesh->nodes;
  stc_csr *K = &s->K;
  *K = (stc_csr){.rows = s->size, .cols = s->size};
  K->ptr = STC_TAKE(&s->arena, int, (size_t)s->size + 1);
  K->col = STC_TAKE_RAW(&s->arena, int, (size_t)g->ptr[nodes] * (size_t)(dim * dim));
  STC_TRY(stc_arena_check(&s->arena));
  int at = 0;
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < dim; i++) {
      for (int k = g->ptr[a]; k < g->ptr[a + 1]; k++)
        for (int j = 0; j < dim; j++) K->col[at++] = g->node[k] * dim + j;
      K->ptr[a * dim + i + 1] = at;
    }
  return STC_OK;
}

static stc_error place_blocks(stc_solid *s, const node_graph *g) {
  s->block_ptr = STC_TAKE(&s->arena, size_t, (size_t)s->cells + 1);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < s->cells; k++) {
    size_t nodes = (size_t)stc_solid_table(s, k)->nodes;
    s->block_ptr[k + 1] = s->block_ptr[k] + nodes * nodes;
  }
  s->block_at = STC_TAKE_RAW(&s->arena, int, s->block_ptr[s->cells]);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < s->cells; k++) {
    const int *node = stc_solid_nodes(s, k);
    int nodes = stc_solid_table(s, k)->nodes, *at = s->block_at + s->block_ptr[k];
    for (int a = 0; a < nodes; a++)
      for (int b = 0; b < nodes; b++)
        *at++ =
            stc_csr_find(g->node, g->ptr[node[a]], g->ptr[node[a] + 1], node[b]) - g->ptr[node[a]];
  }
  return STC_OK;
}

static stc_error make_pattern(stc_solid *s, stc_arena *work) {
  const stc_mesh *m = s->mesh;
  stc_around around;
  node_graph g = {0};
  STC_TRY(stc_mesh_around(work, m, s->dim, &around));
  const stc_incidence cells = {m->nodes, around.ptr, around.cell, m->ptr, m->node, NULL};
  STC_TRY(stc_graph_neighbours(work, &cells, INT_MAX / (s->dim * s->dim), &g.ptr, &g.node));
  STC_TRY(expand_graph(s, &g));
  return place_blocks(s, &g);
}

stc_error stc_solid_make_pattern(stc_solid *solid) {
  stc_arena work = {0};
  stc_error error = make_pattern(solid, &work);
  stc_arena_free(&work);
  return error;
}
