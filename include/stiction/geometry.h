// Shapes, their masses, and where they touch: geometry only, no forces. Lengths in m.
//   a pair of shapes -> a manifold of at most STC_MANIFOLD points with normals, gaps and identities
#ifndef STICTION_GEOMETRY_H
#define STICTION_GEOMETRY_H

#include <stdint.h>

#include <stiction/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stc_shape_kind {
  STC_SHAPE_SPHERE,
  STC_SHAPE_BOX,
  STC_SHAPE_CAPSULE,   ///< a segment along z, rounded
  STC_SHAPE_CYLINDER,  ///< axis along z
  STC_SHAPE_HULL,      ///< convex, of points
  STC_SHAPE_PLANE,     ///< half space z <= 0
  STC_SHAPE_TERRAIN,   ///< triangles, seen from the side their normals point to
  STC_SHAPE_KINDS
} stc_shape_kind;

STC_API const char *stc_shape_name(stc_shape_kind kind);  ///< "sphere", ...
STC_API bool stc_shape_is_endless(stc_shape_kind kind);   ///< a plane or terrain: never moves

typedef struct stc_hull stc_hull;        ///< faces and edges of a convex hull
typedef struct stc_terrain stc_terrain;  ///< triangles and a tree of boxes over them

/// A shape in its own frame. The hull or terrain is borrowed.
typedef struct stc_shape {
  stc_shape_kind kind;
  double radius;   ///< sphere, capsule, cylinder
  double half[3];  ///< box: half sizes; capsule and cylinder: half[2], half the length of the axis
  const stc_hull *hull;
  const stc_terrain *terrain;
} stc_shape;

/// Refuses sizes that are not positive and finite, by name.
STC_API stc_error stc_shape_check(const stc_shape *shape);

/// Convex hull of points [count*3]. Refuses points that are not finite, or that lie in a plane
/// within rounding, naming what is wrong.
STC_API stc_error stc_hull_create(int count, const double *point, stc_hull **hull);
STC_API void stc_hull_free(stc_hull **hull);
STC_API int stc_hull_points(const stc_hull *hull, const double **point);
STC_API int stc_hull_triangles(const stc_hull *hull, const int **triangle);  ///< outward

/// Triangles [triangles*3] over points [count*3].
STC_API stc_error stc_terrain_create(int count, const double *point, int triangles,
                                     const int *triangle, stc_terrain **terrain);
STC_API void stc_terrain_free(stc_terrain **terrain);
STC_API int stc_terrain_points(const stc_terrain *terrain, const double **point);
STC_API int stc_terrain_triangles(const stc_terrain *terrain, const int **triangle);

/// Points and triangles of an STL (text or binary) or OBJ file; free both with
/// stc_triangle_mesh_free. A failure names file and line.
typedef struct stc_triangle_mesh {
  int points, triangles;
  double *point;  ///< [points*3]; equal points of an STL are one
  int *triangle;  ///< [triangles*3]
} stc_triangle_mesh;

STC_API stc_error stc_triangle_mesh_read(const char *path, stc_triangle_mesh *mesh);
STC_API stc_error stc_triangle_mesh_read_bytes(const char *path, const void *bytes, size_t length,
                                               stc_triangle_mesh *mesh);
STC_API void stc_triangle_mesh_free(stc_triangle_mesh *mesh);

/// Where a frame is: x and the unit quaternion (w, x, y, z) that rotates it.
typedef struct stc_pose {
  double x[3];
  double rotation[4];
} stc_pose;

STC_API stc_pose stc_pose_identity(void);
STC_API void stc_pose_point(const stc_pose *pose, const double local[3], double world[3]);
STC_API void stc_pose_direction(const stc_pose *pose, const double local[3], double world[3]);
STC_API stc_pose stc_pose_compose(const stc_pose *outer, const stc_pose *inner);

/// Volume, centre and inertia about the centre (xx, yy, zz, xy, yz, zx) of a shape with density 1.
/// A plane or terrain has none: STC_ERR_ARGUMENT.
STC_API stc_error stc_shape_mass(const stc_shape *shape, double *volume, double centre[3],
                                 double inertia[6]);

/// The point p of a shape, neither plane nor terrain, that is farthest along d, in its own frame.
STC_API void stc_shape_support(const stc_shape *shape, const double d[3], double p[3]);

/// Box [low, high] around a shape in a pose; a plane's is infinite.
STC_API void stc_shape_bounds(const stc_shape *shape, const stc_pose *pose, double low[3],
                              double high[3]);

enum { STC_MANIFOLD = 8 };

/// A point where two shapes touch or nearly do.
typedef struct stc_contact_point {
  double x[3];        ///< in the middle of the gap
  double normal[3];   ///< unit, from the second shape to the first
  double gap;         ///< > 0 apart, < 0 overlapping
  uint64_t identity;  ///< the same features of the same pair have the same one from step to step
} stc_contact_point;

/// Points with gap <= reach, at most STC_MANIFOLD: a face on a face gives the corners of their
/// common polygon (the widest, if there are more), so that a box rests on 4 points. Deterministic;
/// the other order of the shapes reverses the normals, and of two parallel faces of the same kind
/// of shape, that of the first measures the gaps: keep the order of a pair from step to step. Pairs
/// of two planes or terrains touch nowhere, nor does a shape whose pose is not finite. Gaps are
/// exact to rounding, or to a millionth of the sizes where two faces compete; in deep overlaps (a
/// tenth of the sizes) of cylinders or large hulls another direction may be shorter. Does not
/// allocate.
STC_API int stc_collide(const stc_shape *a, const stc_pose *pose_a, const stc_shape *b,
                        const stc_pose *pose_b, double reach,
                        stc_contact_point point[STC_MANIFOLD]);

/// Whether a pair of kinds is served by a closed form, by clipping of faces, or by the general
/// method.
STC_API const char *stc_collide_method(stc_shape_kind a, stc_shape_kind b);

// --- Questions ---

/// What a ray or a moving shape meets first.
typedef struct stc_cast_hit {
  double fraction;  ///< of the way, 0 to 1
  double x[3];  ///< where, in the world; of shapes that overlap at the beginning: in what is met
  double normal[3];  ///< unit, out of what is met; against the way where it begins inside
  int triangle;      ///< of a terrain; -1: of none
} stc_cast_hit;

/// What is met first on the way from `from` to from + way; false: nothing. A way that begins inside
/// has met at fraction 0. Triangles of a terrain are met from the side their normals point to; a
/// ray through an edge does not slip between two triangles. Closed forms, exact to rounding.
STC_API bool stc_shape_cast_ray(const stc_shape *shape, const stc_pose *pose, const double from[3],
                                const double way[3], stc_cast_hit *hit);

/// The same for a shape (neither plane nor terrain) that moves along `way` without rotation: exact
/// to 1e-12 of the sizes, where it does not graze. Triangles behind which its middle begins are not
/// met.
STC_API bool stc_shape_cast(const stc_shape *moving, const stc_pose *pose, const double way[3],
                            const stc_shape *other, const stc_pose *at, stc_cast_hit *hit);

/// The nearest points of two shapes.
typedef struct stc_closest {
  double distance;   ///< < 0: minus the depth of the overlap
  double x[2][3];    ///< on the first and on the second shape; x[0] - x[1] = distance normal
  double normal[3];  ///< unit, from the second to the first
} stc_closest;

/// The nearest points of two shapes; of shapes that overlap, those that face each other along the
/// direction in which they overlap least (see stc_collide). A terrain is its triangles, seen from
/// both sides. False: both are planes or terrains, or a pose is not finite.
STC_API bool stc_shape_closest(const stc_shape *a, const stc_pose *pose_a, const stc_shape *b,
                               const stc_pose *pose_b, stc_closest *closest);

/// Whether two shapes have a point in common; false for two planes or terrains.
STC_API bool stc_shape_overlap(const stc_shape *a, const stc_pose *pose_a, const stc_shape *b,
                               const stc_pose *pose_b);

/// Pairs of boxes that overlap, found in a time linear in their number in practice.
typedef struct stc_broad stc_broad;

STC_API stc_error stc_broad_create(stc_broad **broad);
STC_API void stc_broad_free(stc_broad **broad);

/// All pairs i < j, sorted, of overlapping boxes [count*3]; moving[i] false: i is an obstacle, and
/// two obstacles make no pair. The list lives until the next call. Allocates only while it grows.
STC_API stc_error stc_broad_find(stc_broad *broad, int count, const double *low, const double *high,
                                 const bool *moving, int *pairs, const int **pair);

#ifdef __cplusplus
}
#endif
#endif
