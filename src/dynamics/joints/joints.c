// Joints as they are described, checked and added, and what is asked about them.
#include "joints.h"
#include "../../base/number.h"

#include <stiction/edit.h>

// --- What acts along a coordinate ---

#define FIELD_DEFAULT(type, name, initial, least, greatest, meaning) .name = initial,

stc_joint stc_default_joint(void) {
  const stc_joint_coordinate nothing = {.motor = STC_MOTOR_NONE,
                                        STC_JOINT_COORDINATE_FIELDS(FIELD_DEFAULT)};
  stc_joint joint = {
      .cookie = STC_COOKIE, .ratio = 1, .break_force = INFINITY, .break_torque = INFINITY};
  for (int k = 0; k < STC_JOINT_COORDINATES; k++) joint.coordinate[k] = nothing;
  return joint;
}

/// Whether something acts along a coordinate.
static bool acts(const stc_joint_coordinate *c) {
  return isfinite(c->least) || isfinite(c->greatest) || c->stiffness > 0 || c->damping > 0 ||
         c->motor != STC_MOTOR_NONE || c->friction > 0 || c->friction_ratio > 0;
}

static stc_error check_field(int joint, int k, const char *name, double value, double least,
                             double greatest) {
  if (value >= least && value <= greatest) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "joint %d: %s = %g of coordinate %d; give a number from %g to %g",
                  joint, name, value, k, least, greatest);
}

static stc_error check_coordinate(int joint, int k, const stc_joint_coordinate *c) {
#define FIELD_CHECK(type, name, initial, low, high, meaning)                                       \
  STC_TRY(check_field(joint, k, #name, c->name, low, high));
  STC_JOINT_COORDINATE_FIELDS(FIELD_CHECK)
  if (!(c->least < c->greatest))
    return stc_fail(STC_ERR_VALUE,
                    "joint %d: the limits of coordinate %d are %g and %g; the first must be less",
                    joint, k, c->least, c->greatest);
  if (c->motor < STC_MOTOR_NONE || c->motor > STC_MOTOR_POSITION)
    return stc_fail(STC_ERR_ARGUMENT, "joint %d: there is no motor %d", joint, (int)c->motor);
  if (c->motor == STC_MOTOR_POSITION && !(c->motor_stiffness + c->motor_damping > 0))
    return stc_fail(STC_ERR_VALUE,
                    "joint %d: the position motor of coordinate %d needs a motor_stiffness", joint,
                    k);
  return STC_OK;
}

/// The value at hand lies between the limits.
static stc_error check_limits(const stc_link *link, int joint) {
  for (int k = 0; k < link->coordinates; k++) {
    const stc_joint_coordinate *c = &link->action[k];
    if (!(link->value[k] >= c->least - STC_SAME && link->value[k] <= c->greatest + STC_SAME))
      return stc_fail(STC_ERR_VALUE,
                      "joint %d: coordinate %d is %g, outside its limits %g and %g; change them, "
                      "or `start`",
                      joint, k, link->value[k], c->least, c->greatest);
  }
  return STC_OK;
}

/// A distance is a rod only where nothing acts along it.
void stc_joint_count(const stc_world *world, stc_link *link) {
  link->rows = link->acting = 0;
  if (link->broken) return;
  for (int k = 0; k < link->coordinates; k++)
    if (acts(&link->action[k])) link->acts_on[link->acting++] = k;
  bool rod = link->kind != STC_JOINT_DISTANCE || link->acting == 0;
  if (rod) link->rows = stc_joint_size_of((int)link->kind, world->settings.plane).rows;
}

static stc_error take_actions(const stc_world *world, stc_link *link, int joint) {
  for (int k = 0; k < link->coordinates; k++) STC_TRY(check_coordinate(joint, k, &link->action[k]));
  stc_joint_count(world, link);
  if (link->rows + link->acting == 0)
    return stc_fail(STC_ERR_ARGUMENT,
                    "joint %d holds nothing: a planar joint in the plane needs a spring, a motor, "
                    "friction or a limit",
                    joint);
  return check_limits(link, joint);
}

// --- Adding ---

/// The bodies of a joint by their indices; -1: the world.
static stc_error find_bodies(const stc_world *world, const stc_joint *joint, int body[2]) {
  for (int k = 0; k < 2; k++) {
    body[k] = -1;
    if (joint->body[k].index == 0 && joint->body[k].generation == 0) continue;
    if (stc_world_find_body(world, joint->body[k], &body[k]))
      return stc_fail(STC_ERR_ARGUMENT, "joint %d: %s", world->links, stc_error_detail());
  }
  return STC_OK;
}

static stc_error check_joint(const stc_world *world, const stc_joint *joint, const int body[2]) {
  if (!stc_joint_name((int)joint->kind))
    return stc_fail(STC_ERR_ARGUMENT, "joint %d: there is no kind %d", world->links,
                    (int)joint->kind);
  bool moves = false;
  for (int k = 0; k < 2; k++)
    moves = moves || (body[k] >= 0 && stc_body_is_free(&STC_NODES(world)[body[k]]));
  if (!moves || body[0] == body[1])
    return stc_fail(STC_ERR_ARGUMENT,
                    "joint %d joins nothing that moves; give two bodies, one of them free",
                    world->links);
  for (int i = 0; i < 3; i++)
    if (!isfinite(joint->anchor[i]) || !isfinite(joint->anchor2[i]))
      return stc_fail(STC_ERR_VALUE,
                      "joint %d: anchor[%d] = %g, anchor2[%d] = %g; give finite numbers",
                      world->links, i, joint->anchor[i], i, joint->anchor2[i]);
  if (!(joint->break_force > 0 && joint->break_torque > 0))
    return stc_fail(STC_ERR_VALUE,
                    "joint %d breaks at %g N or %g N m; give numbers > 0, or infinity",
                    world->links, joint->break_force, joint->break_torque);
  return STC_OK;
}

/// A gear is between two bodies, and has a ratio; a distance is not 0.
static stc_error check_gear(const stc_world *world, const stc_joint *joint, const int body[2]) {
  bool gear = joint->kind == STC_JOINT_GEAR;
  if (gear && (body[0] < 0 || body[1] < 0))
    return stc_fail(STC_ERR_ARGUMENT, "joint %d: a gear is between two bodies", world->links);
  if (gear && !(joint->ratio != 0 && isfinite(joint->ratio)))
    return stc_fail(STC_ERR_VALUE, "joint %d: ratio = %g; give a finite number, not 0",
                    world->links, joint->ratio);
  double length = stc_distance3(joint->anchor, joint->anchor2);
  if (joint->kind == STC_JOINT_DISTANCE && !(length > 0 && isfinite(length)))
    return stc_fail(STC_ERR_VALUE, "joint %d: the two anchors of a distance are the same point",
                    world->links);
  if (world->settings.plane && joint->kind == STC_JOINT_DISTANCE &&
      (joint->anchor[2] != 0 || joint->anchor2[2] != 0))
    return stc_fail(STC_ERR_VALUE, "joint %d: an anchor leaves the plane; its z must be 0",
                    world->links);
  return STC_OK;
}

/// A given direction of length 1; refuses none, and one that leaves the plane.
static stc_error take_direction(const stc_world *world, const char *name, const double given[3],
                                double axis[3]) {
  double norm = stc_norm3(given);
  if (!(norm > 0 && isfinite(norm)))
    return stc_fail(STC_ERR_VALUE, "joint %d: the %s (%g, %g, %g) has no direction", world->links,
                    name, given[0], given[1], given[2]);
  if (world->settings.plane && given[2] != 0)
    return stc_fail(STC_ERR_VALUE, "joint %d: the %s leaves the plane; its z must be 0",
                    world->links, name);
  for (int i = 0; i < 3; i++) axis[i] = given[i] / norm;
  return STC_OK;
}

/// The second direction of universal and planar joints, across the first one.
static stc_error take_across(const stc_world *world, const stc_joint *joint, double axis[9]) {
  if (stc_norm3(joint->axis2) == 0) return STC_OK;
  STC_TRY(take_direction(world, "axis2", joint->axis2, axis + 3));
  if (!(fabs(stc_dot3(axis, axis + 3)) <= STC_SAME))
    return stc_fail(STC_ERR_VALUE, "joint %d: axis2 is not at a right angle to the axis",
                    world->links);
  stc_cross3(axis, axis + 3, axis + 6);
  return STC_OK;
}

/// The axes of a joint, or of one side of a gear.
static stc_error take_axis(const stc_world *world, const stc_joint *joint, int side,
                           double axis[9]) {
  bool gear = joint->kind == STC_JOINT_GEAR, plane = world->settings.plane;
  bool crossed = joint->kind == STC_JOINT_UNIVERSAL || joint->kind == STC_JOINT_PLANAR;
  memcpy(axis, (double[]){0, 0, 1}, 3 * sizeof *axis);
  bool needed = stc_joint_has_axis((int)joint->kind, plane);
  bool other = gear && side == 1 && stc_norm3(joint->axis2) > 0;
  if (needed)
    STC_TRY(
        take_direction(world, other ? "axis2" : "axis", other ? joint->axis2 : joint->axis, axis));
  stc_frame3(axis, axis + 3, axis + 6);
  if (crossed && (needed || joint->kind == STC_JOINT_PLANAR))
    return take_across(world, joint, axis);
  if (!needed || !plane) return STC_OK;
  memcpy(axis + 3, (double[]){-axis[1], axis[0], 0}, 3 * sizeof *axis);  // across, in the plane
  memcpy(axis + 6, (double[]){0, 0, 1}, 3 * sizeof *axis);
  return STC_OK;
}

double stc_joint_reach(const stc_world *world, const stc_link *link) {
  double reach = 0;
  for (int k = 0; k < 2; k++) {
    const stc_body_data *node = link->body[k] < 0 ? NULL : &STC_NODES(world)[link->body[k]];
    if (!node || !stc_body_is_free(node)) continue;
    reach = fmax(reach, node->size);
    if (link->kind != STC_JOINT_GEAR) reach = fmax(reach, stc_norm3(link->anchor[k]));
    reach = fmax(reach, sqrt(node->inertia[8] / node->mass));
  }
  return reach;
}

/// The joint in the frame of its body `k`.
static stc_error place_side(const stc_world *world, const stc_joint *joint, int k, stc_link *link) {
  double axis[9], R[9], lever[3];
  stc_place place = {.rotation = {1, 0, 0, 0}};
  if (link->body[k] >= 0) place = STC_PLACES(world)[link->body[k]];
  bool second = k == 1 && joint->kind == STC_JOINT_DISTANCE;
  STC_TRY(take_axis(world, joint, k, axis));
  stc_rotation_matrix(place.rotation, R);
  stc_sub3(second ? joint->anchor2 : joint->anchor, place.x, lever);
  stc_mul3_transposed(R, lever, link->anchor[k]);
  if (joint->kind == STC_JOINT_GEAR) memcpy(link->anchor[k], axis + 3, sizeof link->anchor[k]);
  for (int i = 0; i < 3; i++) stc_mul3_transposed(R, axis + 3 * i, link->axis[k] + 3 * i);
  return STC_OK;
}

stc_error stc_world_add_joint(stc_world *world, const stc_joint *joint, stc_joint_id *id) {
  int body[2];
  if (!world || !joint) return stc_fail(STC_ERR_ARGUMENT, "add_joint needs a world and a joint");
  STC_TRY(stc_cookie_check(joint->cookie, "stc_default_joint"));
  STC_TRY(find_bodies(world, joint, body));
  STC_TRY(check_joint(world, joint, body));
  STC_TRY(check_gear(world, joint, body));
  stc_link link = {.kind = joint->kind,
                   .body = {body[0], body[1]},
                   .ratio = joint->ratio,
                   .breaks = {joint->break_force, joint->break_torque}};
  for (int k = 0; k < 2; k++) STC_TRY(place_side(world, joint, k, &link));
  if (joint->kind == STC_JOINT_DISTANCE) link.length = stc_distance3(joint->anchor, joint->anchor2);
  link.coordinates = stc_joint_coordinates((int)joint->kind, world->settings.plane);
  memcpy(link.action, joint->coordinate, sizeof link.action);
  for (int k = 0; k < link.coordinates; k++) link.value[k] = link.action[k].start;
  stc_joint_keep_values(world, &link, STC_PLACES(world));
  STC_TRY(take_actions(world, &link, world->links));
  link.reach = stc_joint_reach(world, &link);
  stc_world_book_springs(world, -1);
  STC_TRY(stc_world_put_link(world, &link, id));
  stc_world_book_springs(world, 1);
  return STC_OK;
}

void stc_joint_describe(const stc_world *world, int joint, char *text, size_t size) {
  const stc_link *link = &STC_LINKS(world)[joint];
  const char *name[2];
  for (int k = 0; k < 2; k++)
    name[k] = link->body[k] < 0 ? "the world" : STC_NODES(world)[link->body[k]].name;
  stc_snprintf(text, size, "joint %d (%s of %s and %s)", link->slot,
               stc_joint_name((int)link->kind), name[0], name[1]);
}

// --- After a step ---

/// A joint that carried more than it can holds nothing any more; the energy of its springs goes.
static void break_joint(stc_world *world, stc_link *link) {
  stc_world_book_springs(world, -1);
  link->broken = true;
  stc_joint_count(world, link);
  stc_world_book_springs(world, 1);
  world->edited = true;
}

bool stc_world_keep_joints(stc_world *world) {
  bool same = true;
  for (int j = 0; j < world->links; j++) {
    stc_link *link = &STC_LINKS(world)[j];
    const double *reaction = (const double *)world->reaction.data + 6 * j;
    same =
        same && (link->acting == 0 || memcmp(link->reaction, reaction, sizeof link->reaction) == 0);
    memcpy(link->reaction, reaction, sizeof link->reaction);
    stc_joint_keep_values(world, link, STC_PLACES(world));
    double force = stc_norm3(link->reaction), torque = stc_norm3(link->reaction + 3);
    bool holds = force <= link->breaks[0] * world->settings.h &&
                 torque <= link->breaks[1] * world->settings.h;
    if (holds || link->broken) continue;
    break_joint(world, link);
    same = false;
  }
  return same;
}

void stc_world_forget_joints(stc_world *world) {
  for (int j = 0; j < world->links; j++) {
    stc_link *link = &STC_LINKS(world)[j];
    memset(link->impulse, 0, sizeof link->impulse);
    stc_joint_keep_values(world, link, STC_PLACES(world));
  }
}

// --- Asking ---

static stc_error find_coordinate(const stc_world *world, stc_joint_id id, int coordinate,
                                 stc_link **link) {
  int joint;
  STC_TRY(stc_world_find_joint(world, id, &joint));
  *link = &STC_LINKS(world)[joint];
  if (coordinate >= 0 && coordinate < (*link)->coordinates) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "joint %d has no coordinate %d; it has %d", (*link)->slot,
                  coordinate, (*link)->coordinates);
}

stc_error stc_world_joint_coordinate(const stc_world *world, stc_joint_id id, int coordinate,
                                     stc_joint_coordinate *action) {
  stc_link *link;
  if (!world || !action)
    return stc_fail(STC_ERR_ARGUMENT, "joint_coordinate needs a world and room for the answer");
  STC_TRY(find_coordinate(world, id, coordinate, &link));
  *action = link->action[coordinate];
  return STC_OK;
}

/// `start` stays what it was where the joint was added. The rows of the joint change only where
/// something begins or ceases to act.
stc_error stc_world_set_joint_coordinate(stc_world *world, stc_joint_id id, int coordinate,
                                         const stc_joint_coordinate *action) {
  stc_link *link;
  if (!world || !action)
    return stc_fail(STC_ERR_ARGUMENT, "set_joint_coordinate needs a world and an action");
  STC_TRY(find_coordinate(world, id, coordinate, &link));
  stc_link changed = *link;
  changed.action[coordinate] = *action;
  changed.action[coordinate].start = link->action[coordinate].start;
  if (changed.broken)
    return stc_fail(STC_ERR_ARGUMENT, "joint %d is broken; nothing acts along it", link->slot);
  stc_joint_keep_values(world, &changed, STC_PLACES(world));
  STC_TRY(take_actions(world, &changed, link->slot));
  stc_world_book_springs(world, -1);
  bool same = changed.acting == link->acting && changed.rows == link->rows &&
              memcmp(changed.acts_on, link->acts_on, sizeof changed.acts_on) == 0;
  *link = changed;
  stc_world_book_springs(world, 1);
  world->edited = world->edited || !same;
  stc_world_stir(world);
  return STC_OK;
}

/// What the last step left along the coordinates, as forces.
static void state_coordinates(const stc_world *world, const stc_link *link,
                              stc_joint_state *state) {
  double h = world->settings.h;
  for (int k = 0; k < link->coordinates; k++) {
    const double *impulse = link->impulse[k];
    stc_joint_row row;
    stc_joint_value_row(world, link, k, STC_PLACES(world), &row);
    state->value[k] = stc_joint_value(world, link, k, STC_PLACES(world));
    state->rate[k] = stc_joint_rate(world, link, &row, STC_PLACES(world), false);
    state->limit[k] = (impulse[STC_ACT_LEAST] + impulse[STC_ACT_GREATEST]) / h;
    state->spring[k] = impulse[STC_ACT_SPRING] / h;
    state->motor[k] = impulse[STC_ACT_MOTOR] / h;
    state->friction[k] = impulse[STC_ACT_FRICTION] / h;
  }
}

stc_error stc_world_joint(const stc_world *world, stc_joint_id id, stc_joint_state *state) {
  int joint;
  if (!world || !state)
    return stc_fail(STC_ERR_ARGUMENT, "joint needs a world and room for the state");
  STC_TRY(stc_world_find_joint(world, id, &joint));
  const stc_link *link = &STC_LINKS(world)[joint];
  *state = (stc_joint_state){
      .kind = link->kind, .broken = link->broken, .coordinates = link->coordinates};
  for (int k = 0; k < 2; k++)
    if (link->body[k] >= 0) state->body[k] = stc_world_id_of(world, link->body[k]);
  for (int i = 0; i < 3; i++) {
    state->force[i] = link->reaction[i] / world->settings.h;
    state->torque[i] = link->reaction[3 + i] / world->settings.h;
  }
  state_coordinates(world, link, state);
  return STC_OK;
}

/// Where the anchor of side k is, and a row of its axes, in the world.
static void side_in_world(const stc_world *world, const stc_link *link, int k, int row,
                          double anchor[3], double axis[3]) {
  stc_place place = {.rotation = {1, 0, 0, 0}};
  double R[9];
  if (link->body[k] >= 0) place = STC_PLACES(world)[link->body[k]];
  stc_rotation_matrix(place.rotation, R);
  stc_mul3(R, link->anchor[k], anchor);
  for (int i = 0; i < 3; i++) anchor[i] += place.x[i];
  stc_mul3(R, link->axis[k] + 3 * (ptrdiff_t)row, axis);
}

stc_error stc_world_describe_joint(const stc_world *world, stc_joint_id id, stc_joint *joint) {
  int j;
  double other[3];
  if (!world || !joint)
    return stc_fail(STC_ERR_ARGUMENT, "describe_joint needs a world and room for the answer");
  STC_TRY(stc_world_find_joint(world, id, &j));
  const stc_link *link = &STC_LINKS(world)[j];
  bool gear = link->kind == STC_JOINT_GEAR, universal = link->kind == STC_JOINT_UNIVERSAL;
  bool across = universal || link->kind == STC_JOINT_PLANAR;
  *joint = stc_default_joint();
  joint->kind = link->kind;
  joint->ratio = link->ratio;
  joint->break_force = link->breaks[0], joint->break_torque = link->breaks[1];
  for (int k = 0; k < 2; k++)
    if (link->body[k] >= 0) joint->body[k] = stc_world_id_of(world, link->body[k]);
  side_in_world(world, link, 1, gear ? 0 : 1, joint->anchor2, joint->axis2);
  side_in_world(world, link, universal || gear ? 0 : 1, 0, other, joint->axis);
  side_in_world(world, link, 0, 0, joint->anchor, other);
  if (gear) memset(joint->anchor, 0, sizeof joint->anchor);
  if (!across && !gear) memset(joint->axis2, 0, sizeof joint->axis2);
  if (link->kind != STC_JOINT_DISTANCE) memset(joint->anchor2, 0, sizeof joint->anchor2);
  memcpy(joint->coordinate, link->action, sizeof joint->coordinate);
  for (int k = 0; k < link->coordinates; k++)
    joint->coordinate[k].start = stc_joint_value(world, link, k, STC_PLACES(world));
  return STC_OK;
}
