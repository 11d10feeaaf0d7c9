// Distance of two convex cores [Gilbert, Johnson and Keerthi 1988].
#ifndef STC_GEOMETRY_GJK_H
#define STC_GEOMETRY_GJK_H

#include "convex.h"

typedef struct stc_nearest {
  double distance;      ///< 0: they overlap
  double normal[3];     ///< from b to a; unit where they are apart
  double pa[3], pb[3];  ///< nearest points of the cores, a in its own place
} stc_nearest;

/// Distance of a, moved by `shift`, and b.
void stc_gjk(const stc_convex *a, const stc_convex *b, const double shift[3], stc_nearest *nearest);

#endif
