// The pattern of K: blocks dim x dim where two nodes share a cell, and the place of every cell's
// blocks in it.
#include "solid_data.h"

#include <limits.h>

/// Neighbours of nodes, themselves included.
typedef struct graph {
  int *ptr;   ///< [nodes+1]
  int *node;  ///< [ptr[nodes]]
} graph;

/// Appends what node a shares cells with to `list`, where it is not NULL; returns how many.
static int find_neighbours(const stc_mesh *m, const stc_around *around, int a, int *mark,
                           int *list) {
  int count = 0;
  for (int k = around->ptr[a]; k < around->ptr[a + 1]; k++) {
    int c = around->cell[k];
    for (int l = m->ptr[c]; l < m->ptr[c + 1]; l++) {
      int b = m->node[l];
      if (mark[b] == a + 1) continue;
      mark[b] = a + 1;
      if (list) list[count] = b;
      count++;
    }
  }
  return count;
}

static stc_error make_graph(stc_arena *arena, const stc_mesh *m, const stc_around *around,
                            graph *g) {
  size_t nodes = (size_t)m->nodes;
  int *mark = STC_TAKE(arena, int, nodes), *again = STC_TAKE(arena, int, nodes);
  g->ptr = STC_TAKE(arena, int, nodes + 1);
  STC_TRY(stc_arena_check(arena));
  long long total = 0;
  for (int a = 0; a < m->nodes; a++) {
    total += find_neighbours(m, around, a, mark, NULL);
    if (total * m->dim * m->dim > INT_MAX)
      return stc_fail(STC_ERR_DIMENSION,
                      "the stiffness matrix has more than %d entries: the mesh "
                      "of %d nodes is too large",
                      INT_MAX, m->nodes);
    g->ptr[a + 1] = (int)total;
  }
  g->node = STC_TAKE_RAW(arena, int, total);
  STC_TRY(stc_arena_check(arena));
  for (int a = 0; a < m->nodes; a++) find_neighbours(m, around, a, again, g->node + g->ptr[a]);
  return STC_OK;
}

/// The graph is symmetric: its transpose has the same lists, in rising order.
static stc_error sort_graph(stc_arena *arena, int nodes, graph *g) {
  int *next = STC_TAKE_RAW(arena, int, nodes), *sorted = STC_TAKE_RAW(arena, int, g->ptr[nodes]);
  STC_TRY(stc_arena_check(arena));
  for (int a = 0; a < nodes; a++) next[a] = g->ptr[a];
  for (int a = 0; a < nodes; a++)
    for (int k = g->ptr[a]; k < g->ptr[a + 1]; k++) sorted[next[g->node[k]]++] = a;
  g->node = sorted;
  return STC_OK;
}

static stc_error expand(stc_solid *s, const graph *g) {
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

/// Place of b in the rising list of a.
static int place_of(const graph *g, int a, int b) {
  int low = g->ptr[a], high = g->ptr[a + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (g->node[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return low - g->ptr[a];
}

static stc_error place_blocks(stc_solid *s, const graph *g) {
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
      for (int b = 0; b < nodes; b++) *at++ = place_of(g, node[a], node[b]);
  }
  return STC_OK;
}

static stc_error make(stc_solid *s, stc_arena *work) {
  stc_around around;
  graph g = {0};
  STC_TRY(stc_mesh_around(work, s->mesh, s->dim, &around));
  STC_TRY(make_graph(work, s->mesh, &around, &g));
  STC_TRY(sort_graph(work, s->mesh->nodes, &g));
  STC_TRY(expand(s, &g));
  return place_blocks(s, &g);
}

stc_error stc_solid_make_pattern(stc_solid *solid) {
  stc_arena work = {0};
  stc_error error = make(solid, &work);
  stc_arena_free(&work);
  return error;
}
