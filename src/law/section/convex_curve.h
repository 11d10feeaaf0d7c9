// A closed convex curve made of circular arcs, edges and corners, in the order of its outward
// normals: what the boundary of a section { r_T : (1, r_T) in K } is made of.
//   arc i   centre c_i, radius rho_i >= 0 (0: a corner), normals from n_i to n_i+1
//   edge    between the end of arc i - 1 and the start of arc i, both with the normal n_i
#ifndef STC_LAW_CONVEX_CURVE_H
#define STC_LAW_CONVEX_CURVE_H

#include "../../base/memory.h"

#include <stiction/law.h>

struct stc_cone_section {
  int dim;           ///< 2: the interval from low to high; 3: a curve
  double low, high;  ///< of the interval
  int arcs;
  double *centre;   ///< [2*arcs]
  double *radius;   ///< [arcs]
  double *normal;   ///< [2*(arcs+1)] where arcs start, unit vectors; the last is the first
  double *angle;    ///< [arcs+1] of these normals, increasing by 2 pi in all
  double *polar;    ///< [arcs] angles of the starts of arcs around `inner`, increasing
  double inner[2];  ///< a point inside
  stc_arena arena;  ///< holds the arrays
};

/// The curve with these arcs as they are, or without radii and normals the polygon with these
/// corners as they are, counterclockwise; checked like any other section.
stc_error stc_curve_create(int arcs, const double *centre, const double *radius,
                           const double *normal, stc_cone_section **section);

/// The same section once more.
stc_error stc_cone_section_copy(const stc_cone_section *from, stc_cone_section **to);

/// The nearest point of R S to x, and how it moves: with p = y / R and t across the normal,
///   dy/dx = stretch t t^T,   dy/dR = p - stretch (t . p) t,   d distance / dR = -normal . p.
typedef struct stc_curve_point {
  bool inside;  ///< x belongs to R S; the rest is not set
  double y[2], p[2];
  double normal[2];  ///< (x - y) / |x - y|
  double distance;   ///< |x - y|
  double stretch;    ///< in [0, 1]: rho R / (rho R + distance)
} stc_curve_point;

stc_curve_point stc_curve_nearest(const stc_cone_section *s, double R, const double x[2]);

/// The point of S farthest along d, and h(d) = d . p.
double stc_curve_support(const stc_cone_section *s, const double d[2], double p[2]);

/// Start and end of arc i.
void stc_curve_arc_start(const stc_cone_section *s, int i, double p[2]);
void stc_curve_arc_end(const stc_cone_section *s, int i, double p[2]);

#endif
