// The bodies as unknowns: mesh, materials, history, supports and loads; knows no contact.
//   F(u) = sum over cells of integral B^T sigma(B u),   K = dF/du
#ifndef STC_FEM_SOLID_H
#define STC_FEM_SOLID_H

#include <stiction/fem.h>

#include "../../base/tape.h"
#include "../../linalg/csr.h"

typedef struct stc_solid stc_solid;

/// Checks mesh, bodies, supports and loads against each other and makes the pattern of K.
stc_error stc_solid_create(const stc_fem_description *description, int threads, stc_solid **solid);
void stc_solid_free(stc_solid **solid);

const stc_mesh *stc_solid_mesh(const stc_solid *solid);
int stc_solid_dim(const stc_solid *solid);   ///< displacement components of a node
int stc_solid_size(const stc_solid *solid);  ///< nodes*dim: supports are among them

/// No body can yield: K does not depend on u.
bool stc_solid_is_elastic(const stc_solid *solid);

/// K's pattern: full symmetric CSR over all nodes*dim unknowns; val is left alone by others.
const stc_csr *stc_solid_pattern(const stc_solid *solid);

/// F(u) [size] and, where `val` is not NULL, K(u) [entries of the pattern], from the history that
/// was last kept. STC_ERR_NUMERIC where the stress of a point cannot be found.
stc_error stc_solid_assemble(stc_solid *solid, const double *u, double *F, double *val);

/// Thermal strain alpha * warmth is taken off the strain from now on: alpha [cells of the mesh],
/// warmth [nodes], both kept by address.
void stc_solid_expand(stc_solid *solid, const double *alpha, const double *warmth);

/// dF/d(warmth) of body cell k at u: B [nodes*dim][nodes of the cell], by rows of
/// STC_CELL_MAX_NODES; its nodes and how many. False for a surface.
bool stc_solid_expansion(const stc_solid *solid, int cell, const double *u, double *B,
                         const int **node, int *nodes);

/// The history of the last assembled state is kept: the step was taken.
void stc_solid_keep(stc_solid *solid);

/// External force [size] at time t.
stc_error stc_solid_load(const stc_solid *solid, double t, double *F);

/// The value at x; `what` and `group` name it in sentences.
stc_error stc_given_value(const stc_given *given, double t, const double *x, int dim,
                          const char *what, const char *group, double *value);

/// Marks and values of the supported unknowns at time t: fixed [size], value [size]. The radial
/// displacement on the axis of symmetry is among them. Supports that contradict each other are
/// named.
stc_error stc_solid_supports(const stc_solid *solid, double t, bool *fixed, double *value);

/// The consistent mass matrix on the pattern of K. A body without density is refused.
stc_error stc_solid_mass(const stc_solid *solid, double *val);

/// A stiffness and a length of the surroundings of a node, for scales: E and the size of the least
/// cell there.
void stc_solid_scales(const stc_solid *solid, int node, double *young, double *length);

/// The body of the description that a cell of the mesh belongs to; -1: a surface.
int stc_solid_body(const stc_solid *solid, int cell);

/// The largest strain and rotation of the last assembled state, and the cells that have them. From
/// the displacement gradient D at the points of all cells: the largest |principal value| of
/// (D + D^T)/2, the hoop strain about an axis included; the angle, in radians, of the rotation R of
/// I + D = R U, pi where the cell is turned inside out.
typedef struct stc_deformation {
  double strain, rotation;
  int strain_cell, rotation_cell;
} stc_deformation;

stc_deformation stc_solid_deformation(const stc_solid *solid);

/// Means over the points of a cell, of the last assembled state.
void stc_solid_stress(const stc_solid *solid, int cell, double stress[6], double *alpha);
void stc_solid_energy(const stc_solid *solid, double *stored, double *plastic);

/// Everything later calls depend on, as numbers: displacements, history kept and of the last
/// assembly.
void stc_solid_pass(stc_tape *tape, stc_solid *solid);

#endif
