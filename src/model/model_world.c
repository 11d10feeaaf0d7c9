// A model of a world as it is: bodies where they are, parts, joints, what acts along them, pairs
// that never touch.
#include "model_data.h"

#include "../base/number.h"
#include "../dynamics/bodies/world_data.h"

#include <stiction/edit.h>

enum { MOST_TYPES = 31 };  // bits of contype, the last one spared

/// Groups and masks that occur, each a bit of contype.
typedef struct part_types {
  int count;
  uint64_t group[MOST_TYPES], mask[MOST_TYPES];
} part_types;

/// What a world is read with.
typedef struct reading {
  stc_world *world;
  stc_model *model;
  int *number;  ///< [bodies of the world] in the model; -1: not there
  part_types types;
} reading;

// --- Groups ---

static uint64_t bits_of(uint64_t given, uint64_t usual) { return given ? given : usual; }

/// The type of a part; -1: there are too many.
static int type_of_part(part_types *t, const stc_part *part) {
  uint64_t group = bits_of(part->group, 1), mask = bits_of(part->mask, UINT64_MAX);
  for (int k = 0; k < t->count; k++)
    if (t->group[k] == group && t->mask[k] == mask) return k;
  if (t->count == MOST_TYPES) return -1;
  t->group[t->count] = group;
  t->mask[t->count] = mask;
  return t->count++;
}

static stc_error list_types(reading *r) {
  bool all = true;
  for (int p = 0; p < r->world->parts; p++)
    all = type_of_part(&r->types, &STC_PARTS(r->world)[p]) >= 0 && all;
  if (all) return STC_OK;
  return stc_model_remember(r->model, "more than %d kinds of groups and masks; some are left out",
                            MOST_TYPES);
}

/// contype is the bit of the type, conaffinity has those of the types it meets.
static void set_type(reading *r, const stc_part *part, stc_model_part *to) {
  part_types *t = &r->types;
  int own = type_of_part(t, part);
  to->type[0] = to->type[1] = part->sensor ? 0 : 1;
  if (part->sensor || own < 0) return;
  to->type[0] = UINT64_C(1) << own;
  to->type[1] = 0;
  for (int k = 0; k < t->count; k++)
    if ((t->group[own] & t->mask[k]) && (t->group[k] & t->mask[own]))
      to->type[1] |= UINT64_C(1) << k;
}

// --- Bodies ---

static stc_error read_part(reading *r, int b, const stc_part *part) {
  const stc_model_body *body = &r->model->body[r->number[b]];
  const stc_world *world = r->world;
  if (part->shape.kind == STC_SHAPE_TERRAIN)
    return stc_model_remember(r->model, "the terrain of '%s' is left out: MJCF has no triangles",
                              body->name);
  if (part->sensor)
    STC_TRY(stc_model_remember(r->model, "the sensor of '%s' is a geom that meets nothing",
                               body->name));
  stc_model_part *to = stc_model_add_part(r->model);
  if (!to) return stc_arena_check(&r->model->arena);
  to->body = r->number[b];
  to->shape = part->shape;
  to->pose = stc_pose_compose(&body->pose, &part->pose);
  to->density = part->sensor ? 0 : part->density;
  to->mu = stc_world_surface_pair_of(world, b, b)->mu;
  set_type(r, part, to);
  return STC_OK;
}

/// Mass, centre and inertia as they were given.
static void read_mass(const stc_rigid_body *given, stc_model_body *body) {
  if (!(given->mass > 0)) return;
  body->given = true;
  body->mass = given->mass;
  stc_pose_point(&body->pose, given->centre, body->centre);
  stc_model_rotate_inertia(body->pose.rotation, given->inertia, body->inertia);
}

static stc_error remark_on_body(const reading *r, const stc_rigid_body *given, const char *name) {
  if (given->mobility == STC_MOBILITY_DRIVEN)
    STC_TRY(stc_model_remember(r->model, "driven body '%s' stands where it is", name));
  if (given->mobility == STC_MOBILITY_FREE &&
      stc_norm3(given->velocity) + stc_norm3(given->omega) > 0)
    return stc_model_remember(r->model, "the velocity of '%s' is left out: set qvel", name);
  return STC_OK;
}

/// A name without the quotes that sentences have it in.
static const char *plain_name(stc_model *m, const char *name) {
  char text[sizeof((stc_body_data *)NULL)->name];
  size_t length = strlen(name);
  bool quoted = length > 2 && name[0] == '\'' && name[length - 1] == '\'';
  stc_snprintf(text, sizeof text, "%.*s", (int)(quoted ? length - 2 : length), name + quoted);
  return stc_model_copy(m, text);
}

static stc_error read_body(reading *r, int b) {
  stc_rigid_body given;
  STC_TRY(stc_world_describe_body(r->world, stc_world_id_of(r->world, b), &given));
  stc_model_body *body = stc_model_add_body(r->model);
  if (!body) return stc_arena_check(&r->model->arena);
  body->name = plain_name(r->model, STC_NODES(r->world)[b].name);
  STC_TRY(stc_arena_check(&r->model->arena));
  body->parent = -1;
  body->fixed = given.mobility != STC_MOBILITY_FREE;
  body->pose = given.pose;
  read_mass(&given, body);
  STC_TRY(remark_on_body(r, &given, body->name));
  for (int p = 0; p < given.parts; p++) STC_TRY(read_part(r, b, &given.part[p]));
  return STC_OK;
}

static stc_error read_bodies(reading *r) {
  const stc_body_data *node = STC_NODES(r->world);
  for (int b = 0; b < r->world->bodies; b++) {
    r->number[b] = -1;
    if (node[b].generation == 0) continue;
    if (node[b].out) {
      STC_TRY(stc_model_remember(r->model, "disabled body '%s' is left out", node[b].name));
      continue;
    }
    r->number[b] = r->model->bodies;
    STC_TRY(read_body(r, b));
  }
  return STC_OK;
}

// --- Joints ---

static stc_error remark_on_joint(const reading *r, const stc_joint *given, int slot) {
  bool bounces = false, carried = false;
  for (int k = 0; k < STC_JOINT_COORDINATES; k++) {
    bounces = bounces || given->coordinate[k].restitution > 0;
    carried = carried || given->coordinate[k].friction_ratio > 0;
  }
  if (bounces || carried)
    STC_TRY(stc_model_remember(r->model, "joint %d: %s is left out", slot,
                               bounces ? "the restitution of its limits"
                                       : "friction by what the joint carries"));
  if (isinf(given->break_force) && isinf(given->break_torque)) return STC_OK;
  return stc_model_remember(r->model, "joint %d: that it breaks is left out", slot);
}

static int number_of(const reading *r, stc_body_id id) {
  return id.generation ? r->number[id.index] : -1;
}

static stc_error read_joint(reading *r, stc_joint_id id) {
  stc_joint given;
  stc_joint_state state;
  STC_TRY(stc_world_joint(r->world, id, &state));
  STC_TRY(stc_world_describe_joint(r->world, id, &given));
  if (state.broken) return STC_OK;
  STC_TRY(remark_on_joint(r, &given, id.index));
  if (given.kind == STC_JOINT_DISTANCE)
    return stc_model_remember(r->model, "joint %d, a distance, is left out", id.index);
  stc_model_joint *joint = stc_model_add_joint(r->model);
  if (!joint) return stc_arena_check(&r->model->arena);
  joint->kind = given.kind;
  joint->body = number_of(r, given.body[0]);
  joint->parent = number_of(r, given.body[1]);
  joint->ratio = given.ratio;
  memcpy(joint->anchor, given.anchor, sizeof joint->anchor);
  memcpy(joint->axis, given.axis, sizeof joint->axis);
  memcpy(joint->axis2, given.axis2, sizeof joint->axis2);
  memcpy(joint->coordinate, given.coordinate, sizeof joint->coordinate);
  return STC_OK;
}

static stc_error read_joints(reading *r) {
  for (int j = 0; j < stc_world_joint_slots(r->world); j++) {
    stc_joint_id id = stc_world_joint_at(r->world, j);
    if (id.generation) STC_TRY(read_joint(r, id));
  }
  return STC_OK;
}

// --- Surfaces and pairs ---

static stc_error remark_on_pair(const reading *r, int a, int b) {
  const stc_world *w = r->world;
  const stc_surface_pair *pair = &w->surface_pair[a * w->surfaces + b];
  double own = w->surface_pair[a * w->surfaces + a].mu,
         other = w->surface_pair[b * w->surfaces + b].mu;
  if (pair->mu != fmax(own, other))
    STC_TRY(stc_model_remember(r->model,
                               "surfaces %d and %d have mu = %g; MJCF takes the larger one, %g", a,
                               b, pair->mu, fmax(own, other)));
  bool more = pair->restitution + pair->rolling + pair->spinning + pair->compliance > 0;
  if (!more) return STC_OK;
  return stc_model_remember(
      r->model, "restitution, rolling, spinning and compliance of surfaces %d and %d are left out",
      a, b);
}

static stc_error read_pairs(reading *r) {
  const int *ignore = r->world->ignore.data;
  for (int a = 0; a < r->world->surfaces; a++)
    for (int b = 0; b <= a; b++) STC_TRY(remark_on_pair(r, a, b));
  for (int k = 0; k < r->world->ignored; k++) {
    int a = r->number[ignore[2 * k]], b = r->number[ignore[2 * k + 1]];
    if (a >= 0 && b >= 0) STC_TRY(stc_model_add_ignored(r->model, a, b));
  }
  return STC_OK;
}

// --- The whole ---

static stc_error read_world(reading *r) {
  STC_TRY(stc_world_prepare(r->world));
  r->number = STC_TAKE_RAW(&r->model->arena, int, r->world->bodies + 1);
  STC_TRY(stc_arena_check(&r->model->arena));
  if (r->world->settings.plane)
    STC_TRY(stc_model_remember(r->model, "the world moves in a plane; MJCF has all of space"));
  if (r->world->loads.pushes + r->world->loads.lasting_count > 0)
    STC_TRY(stc_model_remember(r->model, "loads and damping of bodies are left out"));
  STC_TRY(list_types(r));
  STC_TRY(read_bodies(r));
  STC_TRY(read_joints(r));
  return read_pairs(r);
}

stc_error stc_model_of_world(stc_world *world, stc_model **model) {
  if (!world || !model) return stc_fail(STC_ERR_ARGUMENT, "a model needs a world and a place");
  *model = NULL;
  stc_model *made = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "out of memory for a model");
  made->root = -1;
  made->name = "";
  made->path = "a world";
  made->h = world->settings.h;
  memcpy(made->gravity, world->settings.gravity, sizeof made->gravity);
  stc_error error = read_world(&(reading){.world = world, .model = made});
  if (error) stc_model_free(&made);
  *model = made;
  return error;
}
