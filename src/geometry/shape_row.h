// What a shape is, and the list of shapes.
#ifndef STC_GEOMETRY_SHAPE_ROW_H
#define STC_GEOMETRY_SHAPE_ROW_H

#include "convex.h"

/// Where the ray from + t way, t >= 0, in the shape's frame, enters: sets fraction and normal,
/// leaves both where it begins inside.
typedef bool stc_ray(const stc_shape *shape, const double from[3], const double way[3],
                     stc_cast_hit *hit);
stc_ray stc_ray_sphere, stc_ray_box, stc_ray_capsule, stc_ray_cylinder, stc_ray_hull, stc_ray_plane,
    stc_ray_terrain;

typedef struct stc_shape_row {
  const char *name;
  stc_error (*check)(const stc_shape *shape);  ///< its sizes; NULL: nothing
  /// Half sizes of the box around it with its axes rotated by R; NULL: stc_shape_bounds knows it.
  void (*bounds)(const stc_shape *shape, const double R[9], double half[3]);
  /// Volume; moves centre and inertia (xx, yy, zz, xy, yz, zx), which are 0. NULL: it has no mass.
  double (*mass)(const stc_shape *shape, double centre[3], double inertia[6]);
  /// Sets core, size and radius of a convex shape; NULL: it is a plane or terrain.
  void (*place)(const stc_shape *shape, stc_convex *c);
  /// For STC_CORE_SMOOTH: the point of the shape farthest along d, in its own frame. Iteration
  /// finds the gaps of such a shape to about 1e-4 of its size.
  void (*support)(const stc_shape *shape, const double d[3], double p[3]);
  stc_ray *ray;  ///< NULL: found by the support function
} stc_shape_row;

/// SHAPE(kind, name): the kind STC_SHAPE_... and its row stc_..._row.
#define STC_SHAPES(SHAPE)                                                                          \
  SHAPE(SPHERE, sphere)                                                                            \
  SHAPE(BOX, box)                                                                                  \
  SHAPE(CAPSULE, capsule)                                                                          \
  SHAPE(CYLINDER, cylinder)                                                                        \
  SHAPE(HULL, hull)                                                                                \
  SHAPE(PLANE, plane)                                                                              \
  SHAPE(TERRAIN, terrain)

#define STC_SHAPE_ROW(kind, name) extern const stc_shape_row stc_##name##_row;
STC_SHAPES(STC_SHAPE_ROW)
#undef STC_SHAPE_ROW

/// STC_SHAPE_IS(name, .name = "...", .check = ..., ...): the row.
#define STC_SHAPE_IS(name, ...) const stc_shape_row stc_##name##_row = {__VA_ARGS__}

const stc_shape_row *stc_shape_of(stc_shape_kind kind);

/// Refuses a size that is not positive and finite.
stc_error stc_check_size(const stc_shape *shape, const char *what, double size);

#endif
