// The pattern of K: blocks dim x dim where two nodes share a cell, and the place of every cell's
// blocks in it.
#include "../../linalg/graph.h"
#include "solid_data.h"

#include <limits.h>

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
