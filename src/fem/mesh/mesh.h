// What the layers of meshes share: meshes that own their arrays, groups by name, neighbours.
#ifndef STC_FEM_MESH_H
#define STC_FEM_MESH_H

#include "../../base/memory.h"

#include <stiction/fem.h>

/// A mesh and the arena its arrays live in; stc_mesh_free frees it by the address of `mesh`.
typedef struct stc_owned_mesh {
  stc_mesh mesh;  ///< first: both have one address
  stc_arena arena;
} stc_owned_mesh;

/// An empty one; NULL with a sentence if out of memory.
stc_owned_mesh *stc_owned_mesh_create(void);

/// A deep copy of a mesh made of anybody's arrays; checks nothing.
stc_error stc_mesh_copy(const stc_mesh *view, stc_mesh **mesh);

/// A copy of a text in the arena; NULL as stc_arena_take.
char *stc_arena_text(stc_arena *arena, const char *text);

/// The group called `name`, which `what` and its number `index` ask for: "support 2: ...".
stc_error stc_mesh_require(const stc_mesh *mesh, const char *name, const char *what, int index,
                           const stc_group **group);

/// Cells around every node.
typedef struct stc_around {
  int *ptr;   ///< [nodes+1]
  int *cell;  ///< [ptr[nodes]] rising
} stc_around;

/// Of the cells of dimension `dim` only.
stc_error stc_mesh_around(stc_arena *arena, const stc_mesh *mesh, int dim, stc_around *around);

/// The cells of `around` that hold all nodes of a cell: how many, and the first two in `owner`.
int stc_mesh_owners(const stc_mesh *mesh, const stc_around *around, int cell, int owner[2]);

/// The body cell a surface cell is a face of; `sign` = 1 if the normal of its node order points out
/// of the body, -1 if into it. `around` holds the body cells. Refuses cells that are neither face
/// nor lie between two body cells, with `what` before the sentence.
stc_error stc_mesh_side(const stc_mesh *mesh, const stc_around *around, int cell, const char *what,
                        int *body, double *sign);

/// Mean of a cell's nodes.
void stc_mesh_centre(const stc_mesh *mesh, int cell, double *x);

#endif
