// What casts share: two convex shapes one of which moves, and a box on the way.
#ifndef STC_GEOMETRY_CAST_H
#define STC_GEOMETRY_CAST_H

#include "convex.h"

/// The fraction at which from + t way, t >= 0, enters the box; INFINITY: never. Rounding never
/// makes it miss, nor late by more than a few units in the last place.
double stc_way_reaches(const double from[3], const double way[3], const double low[3],
                       const double high[3]);

/// The fraction, at most `limit`, at which a, moving along `way`, meets b; false: not at all. Where
/// they overlap at the beginning, 0 and a normal against the way; x is on b.
bool stc_cast_convex(const stc_convex *a, const stc_convex *b, const double way[3], double limit,
                     stc_cast_hit *hit);

/// Nearest points of a and b, or those of least overlap, on their rounded surfaces.
void stc_closest_convex(const stc_convex *a, const stc_convex *b, stc_closest *closest);

#endif
