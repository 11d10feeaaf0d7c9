// The methods behind stc_collide.
#ifndef STC_GEOMETRY_PAIRS_H
#define STC_GEOMETRY_PAIRS_H

#include "convex.h"
#include "terrain.h"

// The points of a contact: gathered, clipped and thinned.

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

/// Identity of a point that stands for no corner.
enum { STC_ALONE = 1 };

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

/// Distance of point p from a core of closed form (point, segment, box, cylinder), < 0 inside, and
/// the outward normal there.
double stc_point_distance(const stc_convex *core, const double p[3], double normal[3]);
bool stc_point_is_closed(stc_core core);

void stc_collide_point(const stc_convex *point, const stc_convex *b, stc_manifold *m);
void stc_collide_segments(const stc_convex *a, const stc_convex *b, stc_manifold *m);

/// The triangle as a core, in the frame of the terrain.
void stc_terrain_corners(const stc_terrain *terrain, int triangle, stc_convex *flat);

/// a is placed in the frame of the terrain.
void stc_collide_terrain(const stc_convex *a, const stc_terrain *terrain, stc_manifold *m);

#endif
