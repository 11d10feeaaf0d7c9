// What a slave node sees of both surfaces: coefficients that sum to 1 on the slave and to -1 on the
// master,
//   c_k . u = int psi_k (u_slave - u_master) / int psi_k,
// psi_k dual to the shape functions of the slave: on matching meshes c_k is the node and its twin.
#ifndef STC_FEM_MORTAR_H
#define STC_FEM_MORTAR_H

#include "overlap.h"

/// The slave nodes of a pair, and which of them each slave cell has.
typedef struct stc_slaves {
  stc_sheet sheet;
  int count;
  int *node;  ///< [count]
  int *slot;  ///< [cells][STC_FACET_NODES]
} stc_slaves;

stc_error stc_slaves_create(stc_arena *arena, const stc_sheet *sheet, stc_slaves *slaves);

/// Mean outward unit normals of the slave nodes at x: [count][3].
stc_error stc_slaves_normals(const stc_slaves *slaves, const double *x, double (*normal)[3]);

/// Sparse rows over the nodes of the mesh.
typedef struct stc_weights {
  int *ptr;   ///< [count+1]
  int *node;  ///< rising in each row
  double *value;
  double *area;  ///< [count] int psi_k over the part that has something opposite; 0: none
} stc_weights;

/// Against a master surface, seen along `direction` or, if NULL, along the normals of the slave
/// cells. Taken from the arena.
stc_error stc_mortar_weights(stc_arena *arena, const stc_slaves *slaves, const stc_sheet *master,
                             const double *x, const double *direction, stc_area_measure measure,
                             stc_weights *weights);

/// Without a master: the tributary areas, and on L3 the mixing of the nodes of a cell.
stc_error stc_own_weights(stc_arena *arena, const stc_slaves *slaves, const double *x,
                          stc_area_measure measure, stc_weights *weights);

#endif
