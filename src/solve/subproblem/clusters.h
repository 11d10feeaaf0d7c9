// Clusters: where the contacts of a problem obey their laws least, cut out ring by ring.
#ifndef STC_SOLVE_CLUSTERS_H
#define STC_SOLVE_CLUSTERS_H

#include "../../problem/reduced.h"

/// The worst contacts are seeds: those that hold `share` of the sum of squares that eta is made of,
/// at most `seeds`. A cluster has `rings` of neighbours around its seeds and at most `most`
/// contacts.
typedef struct stc_cluster_size {
  double share;
  int seeds, rings, most;
} stc_cluster_size;

typedef struct stc_grade {
  double term;
  int contact;
} stc_grade;

typedef struct stc_clusters {
  int count;
  int *ptr;          ///< [contacts+1] contacts of each cluster
  int *contact;      ///< [contacts] by cluster, increasing in each
  double *term;      ///< [contacts] of eta
  stc_grade *grade;  ///< the worst contacts, the seeds among them, the worst first
  int *owner;        ///< [contacts] its cluster, from 1; 0: none
  int *body_owner;   ///< [bodies] the same
  int *ring;         ///< [contacts] distance from the seeds, -1: further than the rings
} stc_clusters;

stc_error stc_clusters_create(stc_arena *arena, const stc_reduced *problem, stc_clusters *clusters);

/// The clusters of (r, u). No two of them move one another: they have no body in common (without
/// bodies, no block of W couples them).
void stc_clusters_find(stc_clusters *clusters, const stc_reduced *problem, const double *r,
                       const double *u, const stc_cluster_size *size);

#endif
