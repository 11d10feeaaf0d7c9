// What a strip holds. Unknowns are those of reduced nodes: nodes of the mesh, one for each set that
// is tied (periodic sides; the two faces of a layer of degree 0), and after them one for each
// bubble across a layer of degree 2.
#ifndef STC_FEM_STRIP_DATA_H
#define STC_FEM_STRIP_DATA_H

#include "../../../linalg/sparse_solver.h"
#include "../../solid/solid.h"
#include "interface.h"

struct stc_strip {
  stc_arena arena;
  stc_strip_settings settings;  ///< supports and tractions are the solid's
  int dim;
  stc_mesh *grid;  ///< the mesh with its own names of the sides
  stc_mesh mesh;   ///< the same with ours
  stc_solid *solid;

  int points[3];  ///< of the grid along each axis, the depth last
  int level;      ///< points of one level of the depth
  int *number;    ///< [mesh.nodes] reduced node
  int plain;      ///< reduced nodes that are not bubbles
  int reduced;
  int size;       ///< reduced*dim
  bool *fixed;    ///< [size]
  int *equation;  ///< [size] -1: fixed
  int *unknown;   ///< [free] the inverse
  int free;

  stc_csr K, M;            ///< size x size
  stc_csr A;               ///< free x free: 2 M/dt + dt K/2
  stc_csr beside;          ///< free x size: the same, columns of the fixed
  stc_sparse_solver *spd;  ///< of A
  double *bubble_load;     ///< [size]

  int contacts;
  int *contact;   ///< [contacts] reduced node
  double *place;  ///< [contacts*(dim-1)]
  stc_interface surface;
  /// Rows of B A^-1, one for each component of the contact surface, without what is below rounding:
  /// the velocity there follows from the right-hand side of a step without solving for the rest.
  /// Without ptr: it would be no cheaper than to solve.
  stc_csr response;
  double *pressure, *traction;  ///< [contacts], [contacts*(dim-1)]

  double steps;  ///< made so far
  double energy;
  double *u, *v, *Ku, *Mv, *load, *mid;  ///< [size]; mid: velocity in the middle
  double *rhs, *x;                       ///< [free]
  bool *mesh_fixed;                      ///< [mesh.nodes*dim]
  double *mesh_value;                    ///< [mesh.nodes*dim]
};

/// Entries of K and M in any order; those of one place are added.
typedef struct stc_triplets {
  int count;
  int *row, *col;  ///< room for all of them
  double *k, *m;
} stc_triplets;

static inline void stc_triplets_add(stc_triplets *t, int row, int col, double k, double m) {
  t->row[t->count] = row;
  t->col[t->count] = col;
  t->k[t->count] = k;
  t->m[t->count++] = m;
}

/// How many entries the bubbles of the layer make, and the entries; their body forces.
size_t stc_layer_entries(const stc_strip *strip);
void stc_layer_add(const stc_strip *strip, stc_triplets *triplets);
stc_error stc_layer_load(stc_strip *strip);

/// What tractions on the sides at t add to the bubbles, to `load` [size]; and bubbles on supported
/// sides: fixed, with their values, after those of the nodes are there.
stc_error stc_layer_push_sides(const stc_strip *strip, double t, double *load);
stc_error stc_layer_hold_sides(stc_strip *strip, double t, double *value);

/// Mesh, solid, numbers, K and M.
stc_error stc_strip_make_mesh(stc_strip *strip);
stc_error stc_strip_make_matrices(stc_strip *strip);

/// The surface's W from the factors at hand: of `dim` components of each node, the normal first.
/// With `response` those rows are kept too, if they are cheap.
stc_error stc_strip_condense(stc_strip *strip, stc_interface *surface, bool response);

/// Values of the supports at t, to the fixed entries of `value` [size].
stc_error stc_strip_supports(stc_strip *strip, double t, double *value);

/// External forces at t [size].
stc_error stc_strip_load(stc_strip *strip, double t, double *load);

/// Refuses contact nodes whose height u + lever mid is given and below the support, unless contact
/// is rounded.
stc_error stc_strip_check_held(const stc_strip *strip, double lever);

/// Refuses a state whose numbers are beyond those of the machine.
stc_error stc_strip_check_finite(const stc_strip *strip);

/// Ku, Mv and the energy of u and v.
void stc_strip_refresh(stc_strip *strip);

/// Component of a reduced node that is component k of the surface: the depth is the normal.
static inline int stc_strip_component(const stc_strip *s, int contact, int k) {
  return s->contact[contact] * s->dim + (k == 0 ? s->dim - 1 : k - 1);
}

static inline bool stc_strip_has_layer(const stc_strip *s) { return s->settings.eps > 0; }
static inline bool stc_strip_has_bubbles(const stc_strip *s) {
  return stc_strip_has_layer(s) && s->settings.degree == 2;
}

#endif
