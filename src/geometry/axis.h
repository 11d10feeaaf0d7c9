// The direction in which two convex cores are nearest or least overlapping.
#ifndef STC_GEOMETRY_AXIS_H
#define STC_GEOMETRY_AXIS_H

#include "convex.h"

// Distance of two convex cores [Gilbert, Johnson and Keerthi 1988].

typedef struct stc_nearest {
  double distance;      ///< 0: they overlap
  double normal[3];     ///< from b to a; unit where they are apart
  double pa[3], pb[3];  ///< nearest points of the cores, a in its own place
} stc_nearest;

/// Distance of a, moved by `shift`, and b.
void stc_gjk(const stc_convex *a, const stc_convex *b, const double shift[3], stc_nearest *nearest);

typedef struct stc_axis {
  double normal[3];  ///< unit, from b to a
  double gap;        ///< of the cores along it: > 0 apart
  bool face;         ///< it is the normal of a face
} stc_axis;

/// Whether the faces and edges of both are few enough to be tried one by one.
bool stc_axis_is_listed(const stc_convex *a, const stc_convex *b);

/// The separating axis of greatest gap among normals of faces and products of edges; false where
/// the cores are farther apart than `reach`.
bool stc_axis_listed(const stc_convex *a, const stc_convex *b, double reach, stc_axis *axis);

/// The same for any cores: from the best of some directions, the gap is increased until it stays.
bool stc_axis_general(const stc_convex *a, const stc_convex *b, double reach, stc_axis *axis);

/// The gap of the cores along the unit vector n; and from an axis up to the direction, near it, of
/// greatest gap, where shapes whose nearest points are hard to find are still 1e-3 apart.
double stc_axis_gap(const stc_convex *a, const stc_convex *b, const double n[3]);
void stc_axis_climb(const stc_convex *a, const stc_convex *b, stc_axis *axis);

/// Points of the cores that face each other along the axis, whether they overlap or not.
void stc_axis_witness(const stc_convex *a, const stc_convex *b, const stc_axis *axis,
                      stc_nearest *nearest);

/// Makes a normal that is that of a face up to rounding exactly this.
void stc_axis_snap(const stc_convex *a, const stc_convex *b, stc_axis *axis);

#endif
