// What a slave node sees of both surfaces: coefficients that sum to 1 on the slave and to -1 on the
// master,
//   c_k . u = int psi_k (u_slave - u_master) / int psi_k,
// psi_k dual to the shape functions of the slave: on matching meshes c_k is the node and its twin.
#ifndef STC_FEM_MORTAR_H
#define STC_FEM_MORTAR_H

#include "../../base/memory.h"
#include "../../base/vec3.h"
#include "../mesh/mesh.h"

// Boxes in a grid of buckets: which boxes may meet a given one.

typedef struct stc_bucket_box {
  double low[3], high[3];
} stc_bucket_box;

typedef struct stc_buckets {
  stc_bucket_box all;  ///< around every box
  int count[3];        ///< buckets along each axis
  double width[3];     ///< of one
  int *ptr, *item;     ///< boxes of each bucket
  int *stamp;          ///< [boxes] query that saw it last
  int query;
  int *found;  ///< [boxes] answer of the last query
  const stc_bucket_box *box;
  int boxes;
} stc_buckets;

// One side of a contact pair: surface cells of a group, which way is out, where their nodes are.

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

// Integrals over the part of a slave facet that lies opposite to a master facet, seen along a
// direction d.

/// T_k is the test function of slave node k: its shape function, or on an L3 the hat on the two
/// halves; N_j and M_l are the shape functions of slave and master.
typedef struct stc_overlap {
  double area;
  double gap;                                       ///< mean of d . (x_master - x_slave)
  double test[STC_FACET_NODES];                     ///< int T_k
  double slave[STC_FACET_NODES][STC_FACET_NODES];   ///< int T_k N_j
  double master[STC_FACET_NODES][STC_FACET_NODES];  ///< int T_k M_l
} stc_overlap;

/// How areas are measured.
typedef struct stc_area_measure {
  double factor;  ///< thickness, or 2 pi
  bool radial;    ///< times the radius x
} stc_area_measure;

/// False where nothing overlaps or the facets do not face each other. Lines in the plane, and
/// triangles and quadrilaterals in space: a quadrilateral is the four triangles around the mean of
/// its nodes, which has the loads of the bilinear one under a uniform pressure exactly.
bool stc_overlap_lines(const stc_facet *slave, const stc_facet *master, const double d[3],
                       stc_area_measure measure, stc_overlap *overlap);
bool stc_overlap_faces(const stc_facet *slave, const stc_facet *master, const double d[3],
                       stc_overlap *overlap);

/// The same over the whole slave facet without a master: area, test, slave.
void stc_overlap_own_line(const stc_facet *slave, stc_area_measure measure, stc_overlap *overlap);
void stc_overlap_own_face(const stc_facet *slave, stc_overlap *overlap);

/// Facets face each other if their normals have at least this cosine with d, on opposite sides.
#define STC_FACING 0.1

/// Overlaps below this part of the slave facet are rounding errors of nodes that meet.
#define STC_SLIVER 1e-10

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
