// One cell: gradients at its points, strain, and what stress and tangent add to force and
// stiffness.
//   strain = B u,   F += w B^T stress,   K += w B^T D B
#ifndef STC_FEM_ELEMENT_H
#define STC_FEM_ELEMENT_H

#include <stiction/fem.h>

#include "../mesh/shape_functions.h"

// What a material point answers to a strain: stress, tangent and history. strain and stress (xx,
// yy, zz, xy[, yz, zx]), shear strains are the angles gamma = 2 eps

#define STC_VOIGT 6

/// A material under given kinematics.
typedef struct stc_response {
  stc_kinematics kinematics;
  int components;  ///< of strain: 4 in the plane, 6 in space
  double young, poisson, shear, bulk;
  double yield, hardening;  ///< yield = 0: elastic
  double C[STC_VOIGT][STC_VOIGT];
} stc_response;

/// Refuses constants without meaning, with "body `index` ('group'): " before the sentence.
stc_error stc_response_create(const stc_body *body, int index, stc_kinematics kinematics,
                              stc_response *response);

/// Numbers of history at a point: plastic strain and alpha; 0 if elastic.
int stc_response_history(const stc_response *response);

/// Stress and, where D is not NULL, D = d(stress)/d(strain), symmetric; `trial` is the history that
/// follows from `kept` (both NULL if elastic). False where there is no finite answer.
bool stc_response_stress(const stc_response *response, const double *strain, const double *kept,
                         double *trial, double *stress, double (*D)[STC_VOIGT]);

/// The stress of a strain and the history that belongs to it.
void stc_response_recall(const stc_response *response, const double *strain, const double *history,
                         double *stress);

/// Energy per volume of an elastic strain and of hardening, and work lost in plastic flow, for a
/// strain and the history that belongs to it.
void stc_response_energy(const stc_response *response, const double *strain, const double *history,
                         double *stored, double *plastic);

#define STC_CELL_MAX_POINTS 9
#define STC_CELL_MAX_DOFS   24

/// Shape functions of a type of cell at the points of a rule.
typedef struct stc_table {
  stc_cell_type type;
  int nodes, dim;
  stc_rule rule;
  double N[STC_CELL_MAX_POINTS][STC_CELL_MAX_NODES];
  double dN[STC_CELL_MAX_POINTS][3 * STC_CELL_MAX_NODES];
} stc_table;

void stc_table_create(stc_cell_type type, stc_rule_kind kind, stc_table *table);

/// How space is measured: the volume of a point of a plane mesh is its area times this.
typedef struct stc_space_measure {
  bool axisymmetric;
  double thickness;
} stc_space_measure;

/// Volume per area at a point with first coordinate r.
double stc_space_measure_depth(const stc_space_measure *measure, double r);

/// A quadrature point in space.
typedef struct stc_point {
  double weight;                       ///< its volume
  double grad[STC_CELL_MAX_NODES][3];  ///< dN/dx
  double hoop[STC_CELL_MAX_NODES];     ///< N / r about an axis, 0 otherwise
} stc_point;

/// Point q of a cell with nodes at x [nodes][dim].
void stc_point_at(const stc_table *table, int q, const double *x, const stc_space_measure *measure,
                  stc_point *point);

void stc_point_strain(const stc_table *table, const stc_point *point, const double *u,
                      double *strain);
void stc_point_add_force(const stc_table *table, const stc_point *point, const double *stress,
                         double *F);

/// Adds to the blocks on and right of the diagonal of K [nodes*dim][STC_CELL_MAX_DOFS].
void stc_point_add_stiffness(const stc_table *table, const stc_point *point, double (*D)[STC_VOIGT],
                             double (*K)[STC_CELL_MAX_DOFS]);

#endif
