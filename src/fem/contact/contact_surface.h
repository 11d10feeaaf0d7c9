// Contact candidates: slave nodes, where they meet the master, and the rows that turn displacements
// into gaps and slips.
//   g = g0 + H_N u,   slip = H_T u
#ifndef STC_FEM_CONTACT_SURFACE_H
#define STC_FEM_CONTACT_SURFACE_H

#include <stiction/fem.h>

#include "../../linalg/csr.h"

typedef struct stc_surface stc_surface;  ///< all pairs of a model

/// Copies what it needs of the description but the mesh.
stc_error stc_surface_create(const stc_fem_description *description, stc_surface **surface);
void stc_surface_free(stc_surface **surface);

int stc_surface_count(const stc_surface *surface);  ///< slave nodes of all pairs
int stc_surface_first(const stc_surface *surface, int pair);

/// Finds where every slave node meets its master with the displacements u at time t: frames, gaps,
/// rows. Where the pair slides by little the place is that of the reference configuration.
stc_error stc_surface_find(stc_surface *surface, double t, const double *u);

/// A candidate after stc_surface_find.
typedef struct stc_candidate {
  int node;
  int pair;
  bool opposite;  ///< false: the master is nowhere below it; never closed
  double mu;
  const stc_layer *layer;  ///< NULL: none
  double gap;              ///< at u
  double area;             ///< tributary
  double frame[3][3];      ///< n, t1, t2
} stc_candidate;

const stc_candidate *stc_surface_candidates(const stc_surface *surface);

/// H, dim rows (N, T1[, T2]) per candidate over all nodes*dim unknowns: d(gap)/du, d(slip)/du.
const stc_csr *stc_surface_rows(const stc_surface *surface);

/// What a candidate sees of a scalar: weights that sum to 1 on the slave and to -1 on the master.
typedef struct stc_jump {
  int count;
  const int *node;
  const double *weight;
} stc_jump;

stc_jump stc_surface_jump(const stc_surface *surface, int k);

/// Raised by stc_surface_find whenever the rows differ from those before.
int stc_surface_version(const stc_surface *surface);

/// What obstacles add to the slip between t0 and t, in the frames of the candidates: [count*dim].
stc_error stc_surface_drive(const stc_surface *surface, double t0, double t, double *w);

#endif
