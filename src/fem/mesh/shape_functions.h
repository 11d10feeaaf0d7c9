// Reference cells: shape functions, quadrature, Jacobians.
//   x(xi) = sum_a N_a(xi) x_a,   xi in [-1,1]^d (L, Q, H) or in the unit simplex (T), as in Gmsh
#ifndef STC_FEM_SHAPE_FUNCTIONS_H
#define STC_FEM_SHAPE_FUNCTIONS_H

#include <stiction/fem.h>

#define STC_CELL_MAX_NODES 8

/// xi [dim of the cell] of node a.
void stc_cell_node_place(stc_cell_type type, int a, double *xi);

/// Points and weights on the reference cell.
typedef struct stc_rule {
  int points;
  const double *xi;      ///< [points][dim of the cell]
  const double *weight;  ///< [points]
} stc_rule;

typedef enum stc_rule_kind {
  STC_RULE_STIFFNESS,  ///< exact for the stiffness of a straight cell: T3 1, T6 3, T4 1 points
  STC_RULE_RADIAL,     ///< the same with a radius as factor: T3 3, T6 6 points
  STC_RULE_MASS        ///< exact for the mass of a straight cell with a radius as factor
} stc_rule_kind;

/// What a cell is.
typedef struct stc_cell_row {
  const char *name, *summary;
  int dim, nodes, corners;  ///< corners: the first of the nodes
  int gmsh, vtk;            ///< its numbers there
  bool grid;                ///< stc_mesh_grid makes it
  const double *place;      ///< [nodes][dim] in the reference cell
  /// N [nodes] and, where it is not NULL, dN [nodes][dim] at xi.
  void (*shape)(const double *xi, double *N, double *dN);
  stc_rule rule[3];  ///< by stc_rule_kind, at most 9 points; lines, Q and H have one rule
} stc_cell_row;

/// CELL(name): the types STC_CELL_... and their rows stc_cell_...
#define STC_CELLS(CELL)                                                                            \
  CELL(P1) CELL(L2) CELL(L3) CELL(T3) CELL(T6) CELL(Q4) CELL(Q8) CELL(T4) CELL(H8)

#define STC_CELL_ROW(name) extern const stc_cell_row stc_cell_##name;
STC_CELLS(STC_CELL_ROW)
#undef STC_CELL_ROW

const stc_cell_row *stc_cell_of(stc_cell_type type);

static inline void stc_cell_shape(stc_cell_type type, const double *xi, double *N, double *dN) {
  stc_cell_of(type)->shape(xi, N, dN);
}

/// J [space dim][cell dim] = dx/dxi at a point with derivatives dN; nodes of the cell in `node`.
void stc_cell_jacobian(stc_cell_type type, int dim, const double *x, const int *node,
                       const double *dN, double *J);

/// det J of a cell that fills space.
double stc_cell_det(int dim, const double *J);

/// The vector of a surface cell's area in the plane (dim 2) or in space: the normal of its node
/// order, right of a line, times |dx/dxi|.
void stc_cell_area(int dim, const double *J, double *n);

#endif
