// Questions to a world, through the tree over its parts. Among parts that are as good as each other
// the one with the lowest number is the answer, in whichever order the tree is searched.
#include "part_tree.h"

#include <float.h>
#include <stiction/queries.h>

/// Room for rounding in the bound of a box, in units in the last place.
static const double ROOM = 8 * DBL_EPSILON;

/// A question in progress; the best answer so far is of `part` (-1: none).
typedef struct question {
  stc_world *world;
  stc_query query;
  const double *from, *way;  ///< of a ray, or of the middle of a shape's box
  double inverse[3];         ///< 1 / way, or a number that is greater than any
  double first[3], last[3];  ///< `from`, shifted so that the boxes need not be widened
  const stc_shape *shape;
  const stc_pose *pose;
  double low[3], high[3];  ///< of the shape
  double half[3];          ///< of its box
  double limit;
  int part;
  stc_cast_hit cast;
  stc_closest closest;
  // several answers
  int most, count;
  stc_world_hit *hit;
  stc_world_part *overlap;
} question;

// --- What is asked ---

static bool all_finite(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static stc_error open_question(stc_world *world, const stc_query *query, const void *answer,
                               question *q) {
  if (!world || !answer)
    return stc_fail(STC_ERR_ARGUMENT, "a query needs a world and room for the answer");
  *q = (question){.world = world, .part = -1, .limit = 1};
  if (query) q->query = *query;
  return stc_parts_locate(world);
}

static stc_error take_way(question *q, const double from[3], const double way[3]) {
  if (!from || !way || !all_finite(from) || !all_finite(way))
    return stc_fail(STC_ERR_VALUE, "a query needs a beginning and a way that are finite");
  q->from = from;
  q->way = way;
  for (int k = 0; k < 3; k++) {
    double half = way[k] < 0 ? -q->half[k] : q->half[k];
    q->inverse[k] = way[k] != 0 ? 1 / way[k] : DBL_MAX;
    q->first[k] = from[k] + half;
    q->last[k] = from[k] - half;
  }
  return STC_OK;
}

static stc_error take_shape(question *q, const stc_shape *shape, const stc_pose *pose) {
  if (!shape || !pose) return stc_fail(STC_ERR_ARGUMENT, "a query needs a shape and its pose");
  STC_TRY(stc_shape_check(shape));
  double norm = 0;
  for (int k = 0; k < 4; k++) norm += pose->rotation[k] * pose->rotation[k];
  if (!all_finite(pose->x) || !(norm > 0 && isfinite(norm)))
    return stc_fail(STC_ERR_VALUE, "a query needs a pose that is finite");
  if (stc_shape_is_endless(shape->kind))
    return stc_fail(STC_ERR_ARGUMENT, "a query takes a shape that is neither plane nor terrain");
  q->shape = shape;
  q->pose = pose;
  stc_shape_bounds(shape, pose, q->low, q->high);
  return STC_OK;
}

static stc_body_id body_of(const question *q, int part, int *number) {
  int b = STC_PART_BODY(q->world)[part];
  *number = part - STC_NODES(q->world)[b].first_part;
  return stc_world_id_of(q->world, b);
}

/// Bodies are looked up where the question is about them only: it costs a miss of the cache.
static bool is_seen(const question *q, const stc_part_spot *spot) {
  const stc_query *query = &q->query;
  if (query->mask && !(query->mask & spot->group)) return false;
  if (spot->sensor && !query->sensors) return false;
  if (query->except.generation == 0 && !query->sees) return true;
  int number;
  stc_body_id id = body_of(q, spot->part, &number);
  if (id.index == query->except.index && id.generation == query->except.generation) return false;
  return !query->sees || query->sees(query->user, id, number);
}

// --- Casts ---

typedef double two __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long two_masks __attribute__((vector_size(16), aligned(8), may_alias));

/// a where the mask is set, else b.
#define PICK(mask, a, b) ((two)(((mask) & (two_masks)(a)) | (~(mask) & (two_masks)(b))))

/// The fractions at which the way enters two boxes, widened by that of the shape; INFINITY: never.
/// Written so that a NaN keeps the box.
STC_ALWAYS void enter_two(const question *q, const stc_box_tree_node *node, int c, double *bound) {
  const two never = {INFINITY, INFINITY};
  two in = {0}, out = {DBL_MAX, DBL_MAX};
  for (int k = 0; k < 3; k++) {
    const double *low = node->low[k] + c, *high = node->high[k] + c;
    bool back = q->inverse[k] < 0;
    two near = (*(const two *)(back ? high : low) - q->first[k]) * q->inverse[k];
    two far = (*(const two *)(back ? low : high) - q->last[k]) * q->inverse[k];
    in = PICK(near > in, near, in);
    out = PICK(far < out, far, out);
  }
  *(two *)bound = PICK(in <= out * (1 + ROOM), in * (1 - ROOM), never);
}

STC_ALWAYS void enter_boxes(const void *user, const stc_box_tree_node *node, double *bound) {
  for (int c = 0; c < STC_BOX_TREE_WIDTH; c += 2) enter_two(user, node, c, bound + c);
}

static bool cast_at(const question *q, const stc_part_spot *spot, stc_cast_hit *hit) {
  if (!is_seen(q, spot)) return false;
  return q->shape ? stc_shape_cast(q->shape, q->pose, q->way, &spot->shape, &spot->pose, hit)
                  : stc_shape_cast_ray(&spot->shape, &spot->pose, q->from, q->way, hit);
}

static void meet_first(void *user, int at) {
  question *q = user;
  const stc_part_spot *spot = stc_part_spot_at(q->world, at);
  stc_cast_hit hit;
  if (!cast_at(q, spot, &hit) || hit.fraction > q->limit) return;
  if (hit.fraction == q->limit && q->part >= 0 && q->part < spot->part) return;
  q->limit = hit.fraction;
  q->part = spot->part;
  q->cast = hit;
}

static void answer_hit(const question *q, stc_world_hit *hit) {
  *hit = (stc_world_hit){.cast = q->cast};
  if (q->part >= 0) hit->body = body_of(q, q->part, &hit->part);
}

static void search_first(question *q) {
  stc_parts_search(q->world, (stc_box_tree_search){enter_boxes, meet_first, q, &q->limit});
}

stc_error stc_world_cast_ray(stc_world *world, const double from[3], const double way[3],
                             const stc_query *query, stc_world_hit *hit) {
  question q;
  STC_TRY(open_question(world, query, hit, &q));
  STC_TRY(take_way(&q, from, way));
  search_first(&q);
  answer_hit(&q, hit);
  return STC_OK;
}

stc_error stc_world_cast_shape(stc_world *world, const stc_shape *shape, const stc_pose *pose,
                               const double way[3], const stc_query *query, stc_world_hit *hit) {
  question q;
  double middle[3];
  STC_TRY(open_question(world, query, hit, &q));
  STC_TRY(take_shape(&q, shape, pose));
  for (int k = 0; k < 3; k++) {
    middle[k] = (q.low[k] + q.high[k]) / 2;
    q.half[k] = (q.high[k] - q.low[k]) / 2 * (1 + ROOM) + ROOM * fabs(middle[k]);
  }
  STC_TRY(take_way(&q, middle, way));
  search_first(&q);
  answer_hit(&q, hit);
  return STC_OK;
}

// --- All on the way ---

static bool comes_before(const stc_world_hit *a, const stc_world_hit *b) {
  if (a->cast.fraction != b->cast.fraction) return a->cast.fraction < b->cast.fraction;
  if (a->body.index != b->body.index) return a->body.index < b->body.index;
  return a->part < b->part;
}

/// Keeps the first `most`; a full list lowers the limit.
static void meet_each(void *user, int place) {
  question *q = user;
  const stc_part_spot *spot = stc_part_spot_at(q->world, place);
  stc_world_hit hit = {0};
  if (!cast_at(q, spot, &hit.cast) || hit.cast.fraction > q->limit) return;
  hit.body = body_of(q, spot->part, &hit.part);
  int at = q->count;
  while (at > 0 && comes_before(&hit, &q->hit[at - 1])) at--;
  if (at >= q->most) return;
  if (q->count < q->most) q->count++;
  memmove(q->hit + at + 1, q->hit + at, (size_t)(q->count - at - 1) * sizeof hit);
  q->hit[at] = hit;
  if (q->count == q->most) q->limit = q->hit[q->most - 1].cast.fraction;
}

stc_error stc_world_cast_ray_through(stc_world *world, const double from[3], const double way[3],
                                     const stc_query *query, int most, stc_world_hit *hit,
                                     int *count) {
  question q;
  STC_TRY(open_question(world, query, count, &q));
  STC_TRY(take_way(&q, from, way));
  if (most < 0 || (most > 0 && !hit))
    return stc_fail(STC_ERR_ARGUMENT, "room for %d hits; give 0 or more, and the room", most);
  q.most = most;
  q.hit = hit;
  if (most > 0)
    stc_parts_search(world, (stc_box_tree_search){enter_boxes, meet_each, &q, &q.limit});
  *count = q.count;
  return STC_OK;
}

// --- Overlap ---

static double outside_box(const void *user, const double low[3], const double high[3]) {
  const question *q = user;
  for (int k = 0; k < 3; k++)
    if (low[k] > q->high[k] || high[k] < q->low[k]) return INFINITY;
  return 0;
}

static void overlap_bounds(const void *user, const stc_box_tree_node *node, double *bound) {
  stc_box_tree_bound_each(node, outside_box, user, bound);
}

static bool part_before(const stc_world_part *a, const stc_world_part *b) {
  if (a->body.index != b->body.index) return a->body.index < b->body.index;
  return a->part < b->part;
}

static void meet_overlap(void *user, int place) {
  question *q = user;
  const stc_part_spot *spot = stc_part_spot_at(q->world, place);
  stc_world_part found;
  if (!is_seen(q, spot)) return;
  if (!stc_shape_overlap(q->shape, q->pose, &spot->shape, &spot->pose)) return;
  found.body = body_of(q, spot->part, &found.part);
  int listed = q->count < q->most ? q->count : q->most, at = listed;
  q->count++;
  while (at > 0 && part_before(&found, &q->overlap[at - 1])) at--;
  if (at >= q->most) return;
  int moved = (listed < q->most ? listed : q->most - 1) - at;
  memmove(q->overlap + at + 1, q->overlap + at, (size_t)moved * sizeof found);
  q->overlap[at] = found;
}

stc_error stc_world_overlap(stc_world *world, const stc_shape *shape, const stc_pose *pose,
                            const stc_query *query, int most, stc_world_part *part, int *count) {
  question q;
  STC_TRY(open_question(world, query, count, &q));
  STC_TRY(take_shape(&q, shape, pose));
  if (most < 0 || (most > 0 && !part))
    return stc_fail(STC_ERR_ARGUMENT, "room for %d parts; give 0 or more, and the room", most);
  q.most = most;
  q.overlap = part;
  stc_parts_search(world, (stc_box_tree_search){overlap_bounds, meet_overlap, &q, &q.limit});
  *count = q.count;
  return STC_OK;
}

// --- Nearest ---

/// No point of the box is nearer.
static double near_box(const void *user, const double low[3], const double high[3]) {
  const question *q = user;
  double apart = stc_box_distance(low, high, q->low, q->high);
  return apart > 0 ? apart * (1 - ROOM) : apart;
}

static void near_bounds(const void *user, const stc_box_tree_node *node, double *bound) {
  stc_box_tree_bound_each(node, near_box, user, bound);
}

static void meet_nearest(void *user, int at) {
  question *q = user;
  const stc_part_spot *spot = stc_part_spot_at(q->world, at);
  stc_closest own;
  if (!is_seen(q, spot)) return;
  if (!stc_shape_closest(q->shape, q->pose, &spot->shape, &spot->pose, &own)) return;
  if (!(own.distance <= q->limit)) return;
  if (own.distance == q->limit && q->part >= 0 && q->part < spot->part) return;
  q->limit = own.distance;
  q->part = spot->part;
  q->closest = own;
}

stc_error stc_world_closest(stc_world *world, const stc_shape *shape, const stc_pose *pose,
                            double reach, const stc_query *query, stc_world_nearest *nearest) {
  question q;
  STC_TRY(open_question(world, query, nearest, &q));
  STC_TRY(take_shape(&q, shape, pose));
  if (!(reach >= 0)) return stc_fail(STC_ERR_VALUE, "reach = %g m; give one from 0 on", reach);
  q.limit = reach;
  stc_parts_search(world, (stc_box_tree_search){near_bounds, meet_nearest, &q, &q.limit});
  *nearest = (stc_world_nearest){.closest = q.closest};
  if (q.part >= 0) nearest->body = body_of(&q, q.part, &nearest->part);
  return STC_OK;
}

// --- Two bodies ---

static bool closest_parts(const stc_world *world, const int body[2], stc_closest *closest) {
  const stc_body_data *a = &STC_NODES(world)[body[0]], *b = &STC_NODES(world)[body[1]];
  stc_pose at = stc_node_pose(a, &STC_PLACES(world)[body[0]]),
           there = stc_node_pose(b, &STC_PLACES(world)[body[1]]);
  bool found = false;
  for (int i = 0; i < a->parts; i++)
    for (int j = 0; j < b->parts; j++) {
      const stc_part *p = &STC_PARTS(world)[a->first_part + i],
                     *o = &STC_PARTS(world)[b->first_part + j];
      stc_pose first = stc_pose_compose(&at, &p->pose), second = stc_pose_compose(&there, &o->pose);
      stc_closest own;
      if (p->sensor || o->sensor) continue;
      if (!stc_shape_closest(&p->shape, &first, &o->shape, &second, &own)) continue;
      if (!found || own.distance < closest->distance) *closest = own;
      found = true;
    }
  return found;
}

stc_error stc_world_distance(const stc_world *world, stc_body_id a, stc_body_id b,
                             stc_closest *closest) {
  int body[2];
  if (!world || !closest)
    return stc_fail(STC_ERR_ARGUMENT, "distance needs a world and room for the answer");
  STC_TRY(stc_world_find_body(world, a, &body[0]));
  STC_TRY(stc_world_find_body(world, b, &body[1]));
  if (closest_parts(world, body, closest)) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "bodies %s and %s have no parts with a distance between them",
                  STC_NODES(world)[body[0]].name, STC_NODES(world)[body[1]].name);
}
