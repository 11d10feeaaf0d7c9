// What a solid holds.
#ifndef STC_FEM_SOLID_DATA_H
#define STC_FEM_SOLID_DATA_H

#include "../../base/fail.h"
#include "../../base/team.h"
#include "../mesh/mesh.h"
#include "element.h"
#include "solid.h"

/// A support with the nodes of its group.
typedef struct stc_held {
  char *group;
  int component;
  stc_given given;
  int nodes;
  int *node;  ///< [nodes] each once
} stc_held;

/// A traction with the cells of its group.
typedef struct stc_pushed {
  char *group;
  int component;  ///< -1: a pressure
  stc_given given;
  int cells;
  int *cell;     ///< [cells]
  double *sign;  ///< [cells] of the outward normal
} stc_pushed;

/// What a body is made of.
typedef struct stc_matter {
  stc_response response;
  double density;
  double force[3];  ///< per volume
} stc_matter;

/// Parts of the work that threads share. Blocks of one colour have no node in common, and colours
/// follow one another: sums have one order, whatever the number of threads.
typedef struct stc_schedule {
  int blocks;
  int *first;  ///< [blocks+1] cells of a block: first[k] .. first[k+1]-1
  int colours;
  int *colour;  ///< [colours+1] into block
  int *block;   ///< [blocks] by colours
} stc_schedule;

struct stc_solid {
  stc_arena arena;
  const stc_mesh *mesh;
  int dim, size;
  stc_kinematics kinematics;
  stc_space_measure measure;
  stc_table table[STC_CELL_TYPES];

  int bodies;
  stc_matter *matter;  ///< [bodies]
  bool elastic;        ///< all of them

  int cells;             ///< of bodies
  int *cell;             ///< [cells] their numbers in the mesh
  int *place;            ///< [cells of the mesh] the inverse; -1: a surface
  int *body;             ///< [cells]
  size_t *history;       ///< [cells+1] where the history of a cell begins
  double *kept, *trial;  ///< [history[cells]]
  double *u;             ///< [size] of the last assembled state
  const double *alpha;   ///< [cells of the mesh] thermal expansion; NULL: none
  const double *warmth;  ///< [nodes]

  stc_csr K;          ///< the pattern; no values
  size_t *block_ptr;  ///< [cells+1] into block_at
  int *block_at;      ///< place of the block (a, b) of a cell in the rows of a, in blocks
  stc_schedule schedule;
  int *failed;  ///< [blocks] a cell without stress; -1: none
  stc_team *team;

  double *young, *length;          ///< [nodes] scales
  double *weight;                  ///< [size] body forces; NULL: none
  stc_table face[STC_CELL_TYPES];  ///< of surface cells
  int helds, pushes;
  stc_held *held;
  stc_pushed *push;
};

/// Makes K, block_ptr and block_at; the blocks of cells and their colours.
stc_error stc_solid_make_pattern(stc_solid *solid);
stc_error stc_solid_make_schedule(stc_solid *solid);

stc_error stc_solid_make_supports(stc_solid *solid, const stc_fem_description *description);
stc_error stc_solid_make_loads(stc_solid *solid, const stc_fem_description *description);
stc_error stc_solid_make_scales(stc_solid *solid);

/// Nodes, coordinates [nodes*dim] and displacements of a body cell.
static inline const int *stc_solid_nodes(const stc_solid *solid, int k) {
  return solid->mesh->node + solid->mesh->ptr[solid->cell[k]];
}

static inline const stc_table *stc_solid_table(const stc_solid *solid, int k) {
  return &solid->table[solid->mesh->type[solid->cell[k]]];
}

/// Takes the thermal strain off the strain of point q of a body cell.
static inline void stc_solid_cool(const stc_solid *solid, int k, int q, double *strain) {
  if (!solid->alpha) return;
  const stc_table *t = stc_solid_table(solid, k);
  const int *node = stc_solid_nodes(solid, k);
  double warmth = 0;
  for (int a = 0; a < t->nodes; a++) warmth += t->N[q][a] * solid->warmth[node[a]];
  for (int i = 0; i < 3; i++) strain[i] -= solid->alpha[solid->cell[k]] * warmth;
}

static inline void stc_solid_gather(const stc_solid *solid, int k, const double *from, double *to) {
  const int *node = stc_solid_nodes(solid, k);
  int nodes = stc_solid_table(solid, k)->nodes, dim = solid->dim;
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < dim; i++) to[a * dim + i] = from[node[a] * dim + i];
}

#endif
