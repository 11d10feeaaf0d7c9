// A cone of reactions that is polyhedral, in exact numbers: over an interval in the plane, over a
// polygon in space, or r_T = 0. It is spanned by the rays (1, p_k), p_k = mu times a corner of the
// section, in the order of their normals; edge k goes from corner k to corner k + 1.
//   slip at corner k   u_T.(p_k - p_j) <= 0 for all j,  r = r_N (1, p_k)
//   slip along edge k  the same for both its corners,   r between (1, p_k) and (1, p_k+1)
#ifndef STC_CERT_POLYGON_H
#define STC_CERT_POLYGON_H

#include "rational.h"

#include <stiction/law.h>

typedef struct stc_polygon {
  int corners;      ///< 0: the cone is round; 1: r_T = 0; 2: in the plane, the lower end first
  stc_rationals p;  ///< [2*corners]
} stc_polygon;

/// Corners of a section that certificates serve.
enum { STC_POLYGON_CORNERS = 256 };

/// Refuses the law of a contact that has no certificates: spin, rolling, dilatancy, a round
/// section, one that is not convex or does not hold 0 in exact numbers.
stc_error stc_polygon_serves(const stc_law *law, int contact);

/// The cone of a law that is served.
stc_error stc_polygon_create(const stc_law *law, stc_polygon *polygon);
void stc_polygon_free(stc_polygon *polygon);

/// Whether the cone is polyhedral and more than r_T = 0.
static inline bool stc_polygon_has_edges(const stc_polygon *polygon) {
  return polygon->corners > 1;
}

/// The number k of a corner or an edge, brought back into 0..corners-1.
static inline int stc_polygon_wrap(const stc_polygon *polygon, int k) {
  return (k % polygon->corners + polygon->corners) % polygon->corners;
}

/// e = p_k+1 - p_k.
void stc_polygon_edge(const stc_polygon *polygon, int k, stc_q x, stc_q y);

/// The corners first..last, at most, that a slip may take together: their normals span less than
/// half a circle. Returns the last of them; numbers may pass `corners`.
int stc_polygon_reach(const stc_polygon *polygon, int first, int last);

#endif
