// The points of a contact: gathered, clipped and thinned.
#ifndef STC_GEOMETRY_MANIFOLD_H
#define STC_GEOMETRY_MANIFOLD_H

#include "convex.h"

enum { STC_MANIFOLD_ROOM = 64 };

typedef struct stc_manifold {
  double reach;     ///< points with larger gaps are left out
  double near;      ///< points nearer than this are one
  uint64_t family;  ///< goes into every identity
  int count;
  stc_contact_point point[STC_MANIFOLD_ROOM];
} stc_manifold;

/// A number for the features u and v, with those of `family`.
uint64_t stc_identity(uint64_t family, uint64_t u, uint64_t v);

/// Adds the point where pa on the core of a and pb on the core of b face each other along the unit
/// vector n, which points from b to a.
void stc_manifold_add(stc_manifold *m, const stc_convex *a, const stc_convex *b, const double n[3],
                      const double pa[3], const double pb[3], uint64_t identity);

/// Adds what faces of a and b have in common along n, or parallel edges; whether some were found.
/// Where a face looks along n, its plane measures the gaps.
bool stc_manifold_features(stc_manifold *m, const stc_convex *a, const stc_convex *b,
                           const double n[3]);

/// At most STC_MANIFOLD points: the outermost, then always the one farthest from those taken, and
/// the deepest.
int stc_manifold_thin(stc_manifold *m);

#endif
