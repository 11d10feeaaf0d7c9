// The truth about small problems whose cones stand over intervals or polygons, in rational
// arithmetic: each contact takes off, sticks, slips at a corner or along an edge; each combination
// is a linear feasibility problem over the half-lines that span its modes. Shares no code with the
// library.
#ifndef ORACLE_FACETS_H
#define ORACLE_FACETS_H

#include <stdbool.h>

enum { FACET_CONTACTS = 3, FACET_CORNERS = 6, FACET_DOFS = 4, FACET_SIZE = 3 * FACET_CONTACTS };

/// M v + f = H^T r, u = H v + w with a diagonal M; H by rows.
typedef struct facets_data {
  int dim, contacts, dofs;
  double M[FACET_DOFS], f[FACET_DOFS], H[FACET_SIZE * FACET_DOFS], w[FACET_SIZE];
  double mu[FACET_CONTACTS];
  int corners[FACET_CONTACTS];                       ///< 2 in the plane
  double corner[FACET_CONTACTS][2 * FACET_CORNERS];  ///< counterclockwise; (low, 0), (high, 0)
} facets_data;

typedef struct facets_truth {
  int modes;      ///< combinations that have a solution
  bool isolated;  ///< each of them has one only
  int solutions;  ///< different ones, where all are isolated
} facets_truth;

facets_truth facets_solve(const facets_data *data);

#endif
