// A convex shape in its place: a core (point, segment, triangle, box, hull, cylinder or one known
// by its support function) and a radius by which it is rounded. Coordinates have the axes of the
// world and an origin near the pair.
#ifndef STC_GEOMETRY_CONVEX_H
#define STC_GEOMETRY_CONVEX_H

#include <stiction/geometry.h>

#include "../base/vec3.h"

typedef enum stc_core {
  STC_CORE_POINT,
  STC_CORE_SEGMENT,
  STC_CORE_TRIANGLE,
  STC_CORE_BOX,
  STC_CORE_HULL,
  STC_CORE_CYLINDER,
  STC_CORE_SMOOTH  ///< the support function of the shape's row; no faces, no edges
} stc_core;
enum { STC_CORES = STC_CORE_CYLINDER + 1 };

typedef struct stc_convex {
  stc_core core;
  double x[3], R[9];
  double half[3];       ///< box; segment and cylinder: half[2]
  double tube;          ///< radius of a cylinder
  double radius;        ///< of the rounding
  double size;          ///< no point of the core is farther from x
  double centre[3];     ///< a point inside
  double corner[3][3];  ///< of a triangle
  double normal[3];     ///< of a triangle
  const stc_hull *hull;
  const stc_shape *shape;  ///< it stands for; of a triangle: none
} stc_convex;

enum {
  STC_FEATURE = 64,  ///< corners of a feature; a face with more is thinned
  STC_RIM = 8        ///< corners of the polygon that stands for the end of a cylinder
};

/// The part of a core that faces a direction: 1 corner, 2 of an edge, or those of a face,
/// counter-clockwise around its normal.
typedef struct stc_feature {
  int count;
  double p[STC_FEATURE][3];
  int id[STC_FEATURE];  ///< numbers of the corners
  int face;             ///< number of the face; of an edge or point: -1
  double normal[3];     ///< of the face, outward
} stc_feature;

/// Numbers that are all finite; the pose of a in the frame of b.
bool stc_pose_is_finite(const stc_pose *pose);
stc_pose stc_pose_seen_from(const stc_pose *a, const stc_pose *b);

/// Shape (neither plane nor terrain) with its pose seen from `origin`.
void stc_convex_place(const stc_shape *shape, const stc_pose *pose, const double origin[3],
                      stc_convex *convex);
void stc_convex_triangle(double corner[3][3], stc_convex *convex);

/// Point of the core that is farthest along d.
void stc_convex_support(const stc_convex *c, const double d[3], double p[3]);

/// How far the core reaches along d: max d.p.
double stc_convex_reach(const stc_convex *c, const double d[3]);

/// The box around the core and its rounding.
void stc_convex_bounds(const stc_convex *c, double low[3], double high[3]);

/// Outward normals of flat faces, and directions of straight edges.
int stc_convex_faces(const stc_convex *c);
void stc_convex_face(const stc_convex *c, int k, double normal[3]);
int stc_convex_edges(const stc_convex *c);
void stc_convex_edge(const stc_convex *c, int k, double along[3]);

/// The face that meets the farthest point along d and faces it best; an edge or a point where the
/// core has no face there.
void stc_convex_feature(const stc_convex *c, const double d[3], stc_feature *feature);

#endif
