// Impulses that hold a cluster of bodies at rest.
#ifndef STC_DYNAMICS_REST_BALANCE_H
#define STC_DYNAMICS_REST_BALANCE_H

#include "../../linalg/sparse_solver.h"
#include "world_data.h"

/// Bodies that touch each other or what does not move, and what acts on them.
typedef struct stc_cluster {
  stc_world *world;
  double eta;  ///< of the impulses that were found
  int bodies, contacts, links;
  int *body;         ///< [bodies] its bodies
  int *local;        ///< [bodies of the world] their numbers in the cluster; -1: not in it
  int *contact;      ///< [contacts] that touch it
  bool *free;        ///< [contacts of the world] whether the impulse may change
  int *link;         ///< [links] that hold it
  bool *link_free;   ///< [links of the world]
  double *r, *l;     ///< impulses of the world in the making
  double *e, *term;  ///< [dofs of the world] what is not balanced, and the sum of its terms
} stc_cluster;

/// Looks for impulses that balance the bodies, -M v_free = H^T r + G^T l to rounding, with every r
/// in its cone; `e` is what is left.
stc_error stc_cluster_balance(stc_cluster *cluster, bool *balanced);

/// Whether body b of the world is balanced with e.
bool stc_cluster_is_balanced(const stc_cluster *cluster, int b);

#endif
