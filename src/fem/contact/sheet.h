// One side of a contact pair: surface cells of a group, which way is out, where their nodes are.
#ifndef STC_FEM_SHEET_H
#define STC_FEM_SHEET_H

#include "../../base/vec3.h"
#include "../mesh/mesh.h"

enum { STC_FACET_NODES = 4 };  ///< most nodes of a surface cell here: L2, L3, T3, Q4

typedef struct stc_sheet {
  const stc_mesh *mesh;
  int cells;
  const int *cell;  ///< [cells] numbers in the mesh
  double *sign;     ///< [cells] 1 where the node order's normal points out of the body, else -1
} stc_sheet;

/// `what` and `index` name who asks, in sentences.
stc_error stc_sheet_create(stc_arena *arena, const stc_mesh *mesh, const stc_around *bodies,
                           const char *group, const char *what, int index, stc_sheet *sheet);

/// A surface cell with the places of its nodes.
typedef struct stc_facet {
  stc_cell_type type;
  int nodes;
  const int *node;
  double x[STC_FACET_NODES][3];  ///< z = 0 in the plane
  double normal[3];              ///< unit, out of the body; of the chord or of the mean plane
  double size;                   ///< length or area
} stc_facet;

/// Facet k with nodes at x [nodes*dim].
void stc_facet_place(const stc_sheet *sheet, int k, const double *x, stc_facet *facet);

/// Outward area vector of a facet seen from its node a; in the plane that of the curve there.
void stc_facet_node_normal(const stc_facet *facet, int a, double n[3]);

#endif
