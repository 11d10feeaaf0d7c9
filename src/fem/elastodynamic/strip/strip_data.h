// What a strip holds. Unknowns are those of reduced nodes: first the contact nodes, then the nodes
// of the mesh, one for each set that is tied (periodic sides; the two faces of a layer of degree
// 0), and after them the bubbles across the layer, degree - 1 for each contact node.
#ifndef STC_FEM_STRIP_DATA_H
#define STC_FEM_STRIP_DATA_H

#include "../../../linalg/sparse_solver.h"
#include "../../motions.h"
#include "../../solid/element.h"
#include "../../solid/solid.h"
#include "interface.h"

/// A line across the layer, over a node of the mesh on Gamma_C: what is at the surface, and at the
/// other side of the layer. Without layer both are the node itself.
typedef struct stc_fibre {
  int node;          ///< of the mesh, on Gamma_C
  int inner;         ///< of the mesh, at the other side; the same node without layer, or where
                     ///< the layer is outside of the mesh
  int contact;       ///< number of the contact node: two fibres that are tied have one
  int low, high;     ///< reduced nodes of the ends
  double foot[3];    ///< place on the surface
  double head[3];    ///< at the other side
  double normal[3];  ///< into the body, of length 1
  double area;       ///< of the surface
  double along;      ///< of a plane mesh, length of the surface up to here
} stc_fibre;

enum { STC_FACE_FIBRES = 4 };

/// A cell of Gamma_C.
typedef struct stc_face {
  stc_cell_type type;
  int nodes;
  int fibre[STC_FACE_FIBRES];
  int body;    ///< cell behind it
  int region;  ///< that it belongs to
} stc_face;

/// A part of the body with what the solid does not know.
typedef struct stc_region {
  double C[STC_VOIGT][STC_VOIGT];
  stc_given scale, density, force[3];
  bool scaled, loaded;  ///< the stiffness depends on place; a force acts
  const char *group;
} stc_region;

/// Two fibres on a side of the layer, in the plane twice the same, and the face of Gamma_C they
/// belong to.
typedef struct stc_layer_edge {
  int fibre[2], face;
} stc_layer_edge;

typedef struct stc_layer_side {
  int count;
  stc_layer_edge *edge;
} stc_layer_side;

/// Theorem 1 along a run: the part of the motion that the contact forces drive, and its norms.
typedef struct stc_followed {
  bool on;
  stc_strip_estimate estimate;
  double integral;  ///< of |F|^2 on Gamma_C
  double *w, *w_t;  ///< [size]
  stc_csr H, L;     ///< size x size: Gram matrices of H1 and L2, with the places of K
  double *area;     ///< [size] of the contact nodes; 0 elsewhere
} stc_followed;

struct stc_strip {
  stc_arena arena;
  stc_strip_settings settings;  ///< lists are our own copies
  int dim;
  stc_mesh *grid;    ///< the mesh as it was made, a cylinder's with its own names of the sides
  stc_mesh mesh;     ///< the same with ours
  stc_solid *solid;  ///< groups, supports and tractions; matter is ours
  int regions;
  stc_region *region;
  bool loaded;     ///< a force acts on some region
  bool varies;     ///< with time
  double *weight;  ///< [size] of the forces that do not vary; NULL: none, or they vary

  int points[3];  ///< of a cylinder's grid along each axis, the depth last
  int *tie;       ///< [mesh.nodes] the node that stands for this one

  // Gamma_C and the layer.
  int faces, fibres;
  stc_face *face;
  stc_fibre *fibre;
  double above;   ///< how far the cells above the layer reach from it
  bool inside;    ///< the layer is a row of cells of the mesh
  bool *layered;  ///< [mesh.cells] cells of that row

  int *number;  ///< [mesh.nodes] reduced node
  int plain;    ///< reduced nodes that are not bubbles
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

  int contacts;
  int *contact;   ///< [contacts] reduced node
  double *frame;  ///< [contacts*dim*dim] rows: the normal into the body, then the tangents
  double *place;  ///< [contacts*(dim-1)]
  double *point;  ///< [contacts*dim]
  double *gap;    ///< [contacts] to the support before the body moves
  stc_interface surface;
  /// Rows of B A^-1, one for each component of the contact surface, without what is below rounding:
  /// the velocity there follows from the right-hand side of a step without solving for the rest.
  /// Without ptr: it would be no cheaper than to solve.
  stc_csr response;
  double *pressure, *traction;  ///< [contacts], [contacts*(dim-1)]

  // Sides of the layer, by supports and tractions.
  stc_layer_side *held, *pushed;  ///< [settings.supports], [settings.tractions]

  stc_followed followed;
  bool stepped;  ///< the contact problem of the last step is there

  double steps;  ///< made so far
  double energy;
  double *u, *v, *Ku, *Mv, *load, *mid;  ///< [size]; mid: velocity in the middle
  double *pull;                          ///< [size] of the contact forces
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

/// Mesh, solid, Gamma_C, numbers; then K and M.
stc_error stc_strip_make_mesh(stc_strip *strip);
stc_error stc_strip_make_surface(stc_strip *strip);
stc_error stc_strip_make_matrices(stc_strip *strip);

/// Copies of lists in the settings, the regions checked.
stc_error stc_strip_make_regions(stc_strip *strip);

/// How many entries the cells of the body and of the layer make; and the entries.
size_t stc_region_entries(const stc_strip *strip);
stc_error stc_region_add(const stc_strip *strip, bool norms, stc_triplets *triplets);
size_t stc_layer_entries(const stc_strip *strip);
stc_error stc_layer_add(const stc_strip *strip, bool norms, stc_triplets *triplets);

/// K and M; with `norms` the Gram matrices of H1 and L2 instead, with the places of K both.
stc_error stc_strip_make_forms(stc_strip *strip, bool norms, stc_csr *K, stc_csr *M);

/// A = factor_m M + factor_k K of the free unknowns.
void stc_strip_combine(stc_strip *strip, double factor_m, double factor_k);

/// Rigid motions that the supports leave.
int stc_strip_free_motions(const stc_strip *strip, stc_motions *motions);

/// Velocities of the middle of a step from `rhs` and the factors at hand, to `mid`.
stc_error stc_strip_solve(stc_strip *strip);

/// A step without contact forces: u, v and `steps` go on, `mid` has the velocity of the middle, the
/// surface its tau.
stc_error stc_strip_free_step(stc_strip *strip);

/// A step of a motion w, w_t [size] at rest on the supports that the forces `pull` alone drive;
/// `mid` has the velocity of its middle, `load` is work space.
stc_error stc_driven_step(stc_strip *strip, double *w, double *w_t);

/// After a step, whose contact forces are in `pull`: w, its norm and the bound.
stc_error stc_followed_advance(stc_strip *strip, stc_strip_report *report);

/// Adds body forces at t to `load` [size].
stc_error stc_region_load(const stc_strip *strip, double t, double *load);
stc_error stc_layer_load(const stc_strip *strip, double t, double *load);

/// Factor of the stiffness, and density, at x; the force there at t [dim].
stc_error stc_region_at(const stc_strip *strip, const stc_region *region, const double *x,
                        double *scale, double *density);
stc_error stc_region_force(const stc_strip *strip, const stc_region *region, double t,
                           const double *x, double *f);

/// What supports and tractions find of the layer at their sides.
stc_error stc_layer_find_sides(stc_strip *strip);

/// What tractions on the sides at t add to what the mesh does not have of the layer, to `load`
/// [size]; and functions there that a side holds: fixed, with their values, after those of the
/// nodes are there.
stc_error stc_layer_push_sides(const stc_strip *strip, double t, double *load);
stc_error stc_layer_hold_sides(stc_strip *strip, double t, double *value);

/// The bubbles of a fibre such that component i, whose ends stand in `out` [size], has the values
/// of a function at as many places between them.
typedef stc_error (*stc_layer_value)(void *user, const double *x, double *value);
stc_error stc_layer_fit(const stc_strip *strip, const stc_fibre *fibre, int i,
                        stc_layer_value value, void *user, double *out);

/// Displacement and velocity at t = 0 of what is not fixed.
stc_error stc_strip_begin(stc_strip *strip);

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

/// Axis k of a contact node's frame [dim].
static inline const double *stc_strip_axis(const stc_strip *s, int contact, int k) {
  return s->frame + (contact * s->dim + k) * s->dim;
}

/// Component k, in its frame, of a contact node of a vector [size].
static inline double stc_strip_component(const stc_strip *s, int contact, int k, const double *x) {
  const double *axis = stc_strip_axis(s, contact, k), *at = x + s->contact[contact] * s->dim;
  double sum = 0;
  for (int j = 0; j < s->dim; j++) sum += axis[j] * at[j];
  return sum;
}

/// Contact forces [contacts*parts], the normals first, as forces `pull` [size] on the unknowns.
void stc_strip_pull(const stc_strip *strip, int parts, const double *f, double *pull);

static inline bool stc_strip_has_layer(const stc_strip *s) { return s->settings.eps > 0; }

/// The layer is a part of the mesh, or there is none.
static inline bool stc_strip_is_inside(const stc_strip *s) {
  return s->inside || !stc_strip_has_layer(s);
}

/// Functions across the layer: 1 - s, s, and bubbles from the third on; 1 alone for degree 0.
static inline int stc_layer_functions(const stc_strip *s) { return s->settings.degree + 1; }

/// The reduced node of function j of a fibre.
static inline int stc_fibre_function(const stc_strip *s, const stc_fibre *f, int j) {
  if (j < 2) return j == 0 ? f->low : f->high;
  return s->plain + f->contact * (s->settings.degree - 1) + j - 2;
}

enum { STC_ACROSS_MAX = 9 };  // functions across a layer

/// Functions across the layer and their derivatives at s in [0, 1]; dN may be NULL.
void stc_layer_across(int degree, double s, double *N, double *dN);

/// The Gauss rule with `count` points on [0, 1].
void stc_gauss(int count, double *at, double *weight);

#endif
