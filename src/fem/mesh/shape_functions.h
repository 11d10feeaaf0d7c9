// Reference cells: shape functions, quadrature, Jacobians.
//   x(xi) = sum_a N_a(xi) x_a,   xi in [-1,1]^d (L, Q, H) or in the unit simplex (T), as in Gmsh
#ifndef STC_FEM_SHAPE_FUNCTIONS_H
#define STC_FEM_SHAPE_FUNCTIONS_H

#include <stiction/fem.h>

#define STC_CELL_MAX_NODES 8

int stc_cell_corners(stc_cell_type type);  ///< the first nodes of a cell

/// xi [dim of the cell] of node a.
void stc_cell_node_place(stc_cell_type type, int a, double *xi);

/// N [nodes] and, where it is not NULL, dN [nodes][dim of the cell] at xi.
void stc_cell_shape(stc_cell_type type, const double *xi, double *N, double *dN);

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

/// Quadrilaterals, hexahedra and lines have one rule: Q4 2x2, Q8 3x3, H8 2x2x2, L2 2, L3 3 points.
stc_rule stc_cell_rule(stc_cell_type type, stc_rule_kind kind);

/// J [space dim][cell dim] = dx/dxi at a point with derivatives dN; nodes of the cell in `node`.
void stc_cell_jacobian(stc_cell_type type, int dim, const double *x, const int *node,
                       const double *dN, double *J);

/// det J of a cell that fills space.
double stc_cell_det(int dim, const double *J);

/// The vector of a surface cell's area in the plane (dim 2) or in space: the normal of its node
/// order, right of a line, times |dx/dxi|.
void stc_cell_area(int dim, const double *J, double *n);

#endif
