// Integrals over the part of a slave facet that lies opposite to a master facet, seen along a
// direction d.
#ifndef STC_FEM_OVERLAP_H
#define STC_FEM_OVERLAP_H

#include "sheet.h"

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

#endif
