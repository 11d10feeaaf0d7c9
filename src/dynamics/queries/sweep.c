// Continuous bodies: their way is looked at. In each half of a step a flight ends where it would
// enter something by more than a part of the body's size, and the contact there, at the speed it
// has, does the rest; so it passes beside what it does not meet. Up to half a step of its way is
// lost at each impact. Rotation is not cast: it turns the body where it is.
#include "../bodies/world_data.h"

// A way may end this part of the body's size inside of what it meets: contacts take care of that.
static const double INSIDE = 0.1;  // [input]

/// A flight of a body, in the frame in which the other body stands.
typedef struct flight {
  stc_world *world;
  int body;
  const stc_place *from, *to;
  double fraction;  ///< of the way, so far
  double left[3];   ///< what is left of it, against what is met
} flight;

static stc_pose part_pose(const stc_world *world, int part, const stc_place *place) {
  int b = STC_PART_BODY(world)[part];
  stc_pose body = stc_node_pose(&STC_NODES(world)[b], &place[b]);
  return stc_pose_compose(&body, &STC_PARTS(world)[part].pose);
}

/// Whether the boxes of a part on its way and of another one meet.
static bool is_on_way(const stc_part *part, const stc_pose *pose, const double way[3],
                      const stc_part *other, const stc_pose *at) {
  double low[2][3], high[2][3];
  stc_shape_bounds(&part->shape, pose, low[0], high[0]);
  stc_shape_bounds(&other->shape, at, low[1], high[1]);
  for (int i = 0; i < 3; i++)
    if (low[0][i] + fmin(way[i], 0) > high[1][i] || high[0][i] + fmax(way[i], 0) < low[1][i])
      return false;
  return true;
}

/// Ends the flight where one part meets another one; what stays within INSIDE is left.
static void cut_flight(flight *f, int part, int other) {
  const stc_world *world = f->world;
  const stc_part *own = &STC_PARTS(world)[part], *met = &STC_PARTS(world)[other];
  const stc_body_data *node = &STC_NODES(world)[f->body];
  int b = STC_PART_BODY(world)[other];
  bool sensed;
  double way[3], moved[3];
  stc_cast_hit hit;
  if (own->sensor || !stc_parts_meet(own, met, &sensed) || sensed) return;
  if (stc_world_apart(world, f->body, b, false)) return;
  stc_sub3(f->to[f->body].x, f->from[f->body].x, way);
  stc_sub3(f->to[b].x, f->from[b].x, moved);
  stc_add3(way, -1, moved);
  stc_pose pose = part_pose(world, part, f->to), at = part_pose(world, other, f->to);
  stc_add3(pose.x, -1, way);
  if (!is_on_way(own, &pose, way, met, &at)) return;
  if (!stc_shape_cast(&own->shape, &pose, way, &met->shape, &at, &hit)) return;
  double depth = -stc_dot3(way, hit.normal) * (1 - hit.fraction);
  double size =
      isfinite(STC_NODES(world)[b].size) ? fmin(node->size, STC_NODES(world)[b].size) : node->size;
  if (!(depth > INSIDE * size && hit.fraction < f->fraction)) return;
  f->fraction = hit.fraction;
  stc_scale3(1 - hit.fraction, way, f->left);
}

void stc_world_sweep(stc_world *world, const stc_place *from, stc_place *to) {
  for (int b = 0; world->continuous > 0 && b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    bool joined = world->links > 0 && ((const int *)world->member.data)[b] >= 0;
    if (node->dof < 0 || !node->continuous || joined) continue;
    flight f = {.world = world, .body = b, .from = from, .to = to, .fraction = 1};
    for (int k = 0; k < node->parts; k++)
      for (int other = 0; other < world->parts; other++)
        cut_flight(&f, node->first_part + k, other);
    if (!(f.fraction < 1)) continue;
    stc_add3(to[b].x, -1, f.left);
    world->cut += node->mass * stc_dot3(world->settings.gravity, f.left);
  }
}
