// Bodies, joints and pairs that change between two steps. What follows from them is made anew at
// the next step; handles, contacts and the ledger are right at once.
#include "../joints/joints.h"
#include "../loads/body_loads.h"

#include "../../base/number.h"

#include <stiction/edit.h>

/// Contacts of the last step without those of body b.
static void drop_contacts(stc_world *world, int b) {
  int kept = 0, still = 0;
  stc_contact_pair *last = world->last.data;
  size_t dim = (size_t)world->dim, bytes = dim * sizeof(double);
  double *r = world->last_r.data, *u = world->last_u.data;
  for (int c = 0; c < world->last_count; c++) {
    if (last[c].body[0] == b || last[c].body[1] == b) continue;
    if (kept < c) {
      last[kept] = last[c];
      memcpy(r + (size_t)kept * dim, r + (size_t)c * dim, bytes);
      memcpy(u + (size_t)kept * dim, u + (size_t)c * dim, bytes);
    }
    if (c < world->still) still++;
    kept++;
  }
  world->last_count = kept;
  world->still = still;
  stc_islands_drop(world, b);
}

static void begin_edit(stc_world *world, int b) {
  stc_islands_wake_around(world, b);
  drop_contacts(world, b);
  stc_world_forget_problem(world);
  world->edited = true;
  stc_world_stir(world);
  stc_world_book_edit(world, b, -1);
}

// --- Removing ---

/// Ignored pairs without those of body b.
static void drop_ignored(stc_world *world, int b) {
  int *pair = world->ignore.data, kept = 0;
  for (int k = 0; k < world->ignored; k++) {
    if (pair[2 * k] == b || pair[2 * k + 1] == b) continue;
    pair[2 * kept] = pair[2 * k], pair[2 * kept + 1] = pair[2 * k + 1];
    kept++;
  }
  world->ignored = kept;
}

static bool is_held(const stc_link *link, int b) {
  return link->body[0] == b || link->body[1] == b;
}

stc_error stc_world_remove_body(stc_world *world, stc_body_id id) {
  int b;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "remove_body needs a world");
  STC_TRY(stc_world_find_body(world, id, &b));
  stc_world_book_springs(world, -1);
  begin_edit(world, b);
  for (int j = world->links - 1; j >= 0; j--)
    if (is_held(&STC_LINKS(world)[j], b)) stc_world_take_link(world, j);
  stc_world_book_springs(world, 1);
  drop_ignored(world, b);
  stc_loads_forget(world, b);
  world->parts_edited = world->parts_edited || STC_NODES(world)[b].parts > 0;
  STC_NODES(world)[b] = (stc_body_data){.mobility = STC_MOBILITY_FIXED, .dof = -1};
  STC_PLACES(world)[b] = (stc_place){.rotation = {1, 0, 0, 0}};
  world->present--;
  if (b < world->vacant) world->vacant = b;
  return STC_OK;
}

stc_error stc_world_remove_joint(stc_world *world, stc_joint_id id) {
  int joint;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "remove_joint needs a world");
  STC_TRY(stc_world_find_joint(world, id, &joint));
  stc_world_forget_problem(world);
  stc_world_book_springs(world, -1);
  stc_world_take_link(world, joint);
  stc_world_book_springs(world, 1);
  return STC_OK;
}

// --- Changing ---

stc_error stc_world_describe_body(const stc_world *world, stc_body_id id, stc_rigid_body *body) {
  int b;
  if (!world || !body) return stc_fail(STC_ERR_ARGUMENT, "describe_body needs a world and room");
  STC_TRY(stc_world_find_body(world, id, &b));
  const stc_body_data *node = &STC_NODES(world)[b];
  const stc_place *place = &STC_PLACES(world)[b];
  *body = stc_default_body();
  body->mobility = node->mobility;
  body->parts = node->parts;
  body->part = node->parts ? STC_PARTS(world) + node->first_part : NULL;
  body->pose = stc_node_pose(node, place);
  memcpy(body->velocity, place->v, sizeof body->velocity);
  stc_world_rate(world, place, b, body->omega);
  body->mass = node->given_mass;
  memcpy(body->centre, node->given_centre, sizeof body->centre);
  memcpy(body->inertia, node->given_inertia, sizeof body->inertia);
  body->surface = node->surface;
  body->continuous = node->continuous;
  body->drive = node->drive;
  body->user = node->user;
  return STC_OK;
}

/// A body that stands still leaves nothing that moves to a joint.
static stc_error check_held(const stc_world *world, int b) {
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    char text[200];
    if (!is_held(link, b)) continue;
    int other = link->body[link->body[0] == b ? 1 : 0];
    if (other >= 0 && stc_body_is_free(&STC_NODES(world)[other])) continue;
    stc_joint_describe(world, j, text, sizeof text);
    return stc_fail(STC_ERR_ARGUMENT,
                    "body %s: %s would join nothing that moves; remove it before the body stands",
                    STC_NODES(world)[b].name, text);
  }
  return STC_OK;
}

/// Anchors stay where they are on a body whose centre moves by `shift` in its own axes.
static void shift_anchors(stc_world *world, int b, const double shift[3]) {
  for (int j = 0; j < world->links; j++) {
    stc_link *link = &STC_LINKS(world)[j];
    if (!is_held(link, b)) continue;
    for (int k = 0; k < 2; k++)
      if (link->body[k] == b && link->kind != STC_JOINT_GEAR) stc_add3(link->anchor[k], -1, shift);
    link->reach = stc_joint_reach(world, link);
  }
}

stc_error stc_world_replace_body(stc_world *world, stc_body_id id, const stc_rigid_body *body) {
  int b;
  stc_body_data node;
  stc_place place;
  double shift[3];
  if (!world || !body) return stc_fail(STC_ERR_ARGUMENT, "replace_body needs a world and a body");
  STC_TRY(stc_world_find_body(world, id, &b));
  if (body->mobility != STC_MOBILITY_FREE) STC_TRY(check_held(world, b));
  STC_TRY(stc_world_make_body(world, body, b, &node, &place));
  const stc_body_data *old = &STC_NODES(world)[b];
  node.generation = old->generation;
  node.out = old->out;
  if (!body->name) memcpy(node.name, old->name, sizeof node.name);
  stc_sub3(node.centre, old->centre, shift);
  stc_world_book_springs(world, -1);
  begin_edit(world, b);
  world->parts_edited = world->parts_edited || node.parts + old->parts > 0;
  if (node.mobility != STC_MOBILITY_FREE) stc_loads_forget(world, b);
  stc_world_put_body_data(world, b, &node, &place);
  shift_anchors(world, b, shift);
  stc_world_book_springs(world, 1);
  return STC_OK;
}

/// Fields that are not given keep their bits.
static void keep_place(const stc_place *old, const stc_body_data *node, const stc_pose *pose,
                       const double *omega, stc_place *place) {
  bool moves = node->mobility == STC_MOBILITY_FREE;
  if (!pose) memcpy(place->x, old->x, sizeof place->x);
  if (!pose) memcpy(place->rotation, old->rotation, sizeof place->rotation);
  if (!moves) memcpy(place->v, old->v, sizeof place->v);
  if (!moves || (!omega && !pose)) memcpy(place->omega, old->omega, sizeof place->omega);
}

stc_error stc_world_move_body(stc_world *world, stc_body_id id, const stc_pose *pose,
                              const double velocity[3], const double omega[3]) {
  int b;
  stc_rigid_body body;
  stc_place place;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "move_body needs a world");
  STC_TRY(stc_world_find_body(world, id, &b));
  stc_body_data *node = &STC_NODES(world)[b];
  STC_TRY(stc_world_describe_body(world, id, &body));
  if ((velocity || omega) && node->mobility != STC_MOBILITY_FREE)
    return stc_fail(STC_ERR_ARGUMENT, "body %s is %s; velocities are those of free bodies",
                    node->name, node->mobility == STC_MOBILITY_FIXED ? "fixed" : "driven");
  if (pose) body.pose = *pose;
  if (velocity) memcpy(body.velocity, velocity, sizeof body.velocity);
  if (omega) memcpy(body.omega, omega, sizeof body.omega);
  STC_TRY(stc_world_place_body(world, &body, node, &place));
  stc_islands_wake_around(world, b);
  keep_place(&STC_PLACES(world)[b], node, pose, omega, &place);
  stc_world_book_springs(world, -1);
  stc_world_book_edit(world, b, -1);
  STC_PLACES(world)[b] = place;
  stc_world_book_edit(world, b, 1);
  stc_world_book_springs(world, 1);
  node->fresh = node->fresh || pose;
  world->fresh = world->fresh || pose;
  stc_world_stir(world);
  return STC_OK;
}

// --- Disabling ---

stc_error stc_world_enable_body(stc_world *world, stc_body_id id, bool enabled) {
  int b;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "enable_body needs a world");
  STC_TRY(stc_world_find_body(world, id, &b));
  stc_body_data *node = &STC_NODES(world)[b];
  for (int j = 0; !enabled && j < world->links; j++) {
    char text[200];
    if (!is_held(&STC_LINKS(world)[j], b)) continue;
    stc_joint_describe(world, j, text, sizeof text);
    return stc_fail(STC_ERR_ARGUMENT, "body %s cannot be disabled: remove %s first", node->name,
                    text);
  }
  if (node->out != enabled) return STC_OK;
  begin_edit(world, b);
  node->out = !enabled;
  node->fresh = enabled;
  world->fresh = world->fresh || enabled;
  world->parts_edited = true;
  stc_world_book_edit(world, b, 1);
  return STC_OK;
}

bool stc_world_is_enabled(const stc_world *world, stc_body_id id) {
  return stc_world_has_body(world, id) && !STC_NODES(world)[id.index].out;
}

// --- Pairs that never touch ---

static stc_error find_ignored(const stc_world *world, stc_body_id a, stc_body_id b, int pair[2],
                              int *at) {
  int first, second;
  STC_TRY(stc_world_find_body(world, a, &first));
  STC_TRY(stc_world_find_body(world, b, &second));
  const int *list = world->ignore.data;
  pair[0] = first < second ? first : second;
  pair[1] = first < second ? second : first;
  *at = 0;
  while (*at < world->ignored && (list[2 * *at] != pair[0] || list[2 * *at + 1] != pair[1])) ++*at;
  return STC_OK;
}

stc_error stc_world_ignore(stc_world *world, stc_body_id a, stc_body_id b) {
  int pair[2], at;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "ignore needs a world");
  STC_TRY(find_ignored(world, a, b, pair, &at));
  if (at < world->ignored) return STC_OK;
  STC_TRY(stc_pool_grow(&world->ignore, (size_t)at + 1, sizeof pair, (size_t)at));
  memcpy((int *)world->ignore.data + 2 * (size_t)at, pair, sizeof pair);
  for (int k = 0; k < 2; k++) stc_islands_wake(world, pair[k]);
  world->ignored++;
  world->edited = true;
  stc_world_stir(world);
  return STC_OK;
}

stc_error stc_world_unignore(stc_world *world, stc_body_id a, stc_body_id b) {
  int pair[2], at;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "unignore needs a world");
  STC_TRY(find_ignored(world, a, b, pair, &at));
  if (at == world->ignored) return STC_OK;
  int *list = world->ignore.data, last = --world->ignored;
  memmove(list + 2 * at, list + 2 * last, sizeof pair);
  for (int k = 0; k < 2; k++) {
    STC_NODES(world)[pair[k]].fresh = true;
    stc_islands_wake(world, pair[k]);
  }
  world->fresh = world->edited = true;
  stc_world_stir(world);
  return STC_OK;
}
