// Questions to a world: what a ray or a moving shape meets, what overlaps a shape, what is nearest.
// They are about the places at hand, through a tree that is made at the first question after
// something moved. One at a time: a question may make the tree. Units are SI.
#ifndef STICTION_QUERIES_H
#define STICTION_QUERIES_H

#include <stiction/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which parts a question is about. Zeros: all but sensors.
typedef struct stc_query {
  uint64_t mask;       ///< bits of the groups that are seen; 0: all
  bool sensors;        ///< sensors are seen too
  stc_body_id except;  ///< a body that is not seen; zeros: none
  bool (*sees)(void *user, stc_body_id body, int part);  ///< NULL: all of these
  void *user;
} stc_query;

typedef struct stc_world_hit {
  stc_body_id body;  ///< zeros: nothing was met
  int part;          ///< its number among the parts of the body
  stc_cast_hit cast;
} stc_world_hit;

/// What is met first on the way from `from` to from + way, see stc_shape_cast_ray; of parts that
/// are met at the same place the one with the lowest numbers. NULL as a query: zeros.
STC_API stc_error stc_world_cast_ray(stc_world *world, const double from[3], const double way[3],
                                     const stc_query *query, stc_world_hit *hit);

/// The first `most` parts on that way, one hit each, in the order in which they are met.
STC_API stc_error stc_world_cast_ray_through(stc_world *world, const double from[3],
                                             const double way[3], const stc_query *query, int most,
                                             stc_world_hit *hit, int *count);

/// What a shape (neither plane nor terrain) in a pose meets first on its way, see stc_shape_cast.
STC_API stc_error stc_world_cast_shape(stc_world *world, const stc_shape *shape,
                                       const stc_pose *pose, const double way[3],
                                       const stc_query *query, stc_world_hit *hit);

typedef struct stc_world_part {
  stc_body_id body;
  int part;
} stc_world_part;

/// All parts that have a point in common with a shape, sorted; *count is how many there are, of
/// which the first `most` are listed.
STC_API stc_error stc_world_overlap(stc_world *world, const stc_shape *shape, const stc_pose *pose,
                                    const stc_query *query, int most, stc_world_part *part,
                                    int *count);

typedef struct stc_world_nearest {
  stc_body_id body;  ///< zeros: nothing is within reach
  int part;
  stc_closest closest;  ///< from the part to the shape that asks: x[0] and normal are the shape's
} stc_world_nearest;

/// The part nearest to a shape within `reach` (m, may be INFINITY), see stc_shape_closest.
STC_API stc_error stc_world_closest(stc_world *world, const stc_shape *shape, const stc_pose *pose,
                                    double reach, const stc_query *query,
                                    stc_world_nearest *nearest);

/// Nearest points of two bodies with parts, sensors left out.
STC_API stc_error stc_world_distance(const stc_world *world, stc_body_id a, stc_body_id b,
                                     stc_closest *closest);

#ifdef __cplusplus
}
#endif
#endif
