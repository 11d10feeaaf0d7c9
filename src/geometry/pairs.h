// The methods behind stc_collide.
#ifndef STC_GEOMETRY_PAIRS_H
#define STC_GEOMETRY_PAIRS_H

#include "manifold.h"
#include "terrain.h"

/// Distance of point p from a core of closed form (point, segment, box, cylinder), < 0 inside, and
/// the outward normal there.
double stc_point_distance(const stc_convex *core, const double p[3], double normal[3]);
bool stc_point_is_closed(stc_core core);

void stc_collide_point(const stc_convex *point, const stc_convex *b, stc_manifold *m);
void stc_collide_segments(const stc_convex *a, const stc_convex *b, stc_manifold *m);
void stc_collide_convex(const stc_convex *a, const stc_convex *b, stc_manifold *m);

/// With the half space behind point x with normal n.
void stc_collide_plane(const stc_convex *a, const double x[3], const double n[3], stc_manifold *m);

/// a is placed in the frame of the terrain.
void stc_collide_terrain(const stc_convex *a, const stc_terrain *terrain, stc_manifold *m);

#endif
