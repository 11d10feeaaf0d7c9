// URDF: links and the tree of joints between them. Frames of joints are given in those of their
// parents, and links lie where the joints of value 0 put them.
#include "model_data.h"

#include "../base/vec3.h"

static stc_error need_text(const stc_model *m, const stc_xml *node, const char *name,
                           const char **text) {
  *text = stc_xml_get(node, name);
  return *text ? STC_OK : stc_model_refuse(m, node, "<%s> needs %s=\"...\"", node->name, name);
}

/// A number that may be absent: *x stays.
static stc_error take_number(const stc_model *m, const stc_xml *node, const char *name, double *x) {
  const char *text = stc_xml_get(node, name);
  return text ? stc_model_numbers(m, node, name, text, 1, x) : STC_OK;
}

/// <origin xyz rpy> below a node; absent: the identity.
static stc_error take_origin(const stc_model *m, const stc_xml *node, stc_pose *pose) {
  const stc_xml *origin = stc_xml_child(node, "origin");
  double rpy[3] = {0};
  *pose = stc_pose_identity();
  if (!origin) return STC_OK;
  const char *xyz = stc_xml_get(origin, "xyz"), *angles = stc_xml_get(origin, "rpy");
  if (xyz) STC_TRY(stc_model_numbers(m, origin, "xyz", xyz, 3, pose->x));
  if (angles) STC_TRY(stc_model_numbers(m, origin, "rpy", angles, 3, rpy));
  stc_model_euler("XYZ", rpy, pose->rotation);
  return STC_OK;
}

// --- Links ---

static stc_error take_geometry(stc_model *m, const stc_xml *collision, stc_shape *shape,
                               bool *known) {
  const stc_xml *geometry = stc_xml_child(collision, "geometry");
  const stc_xml *node = geometry ? stc_xml_child(geometry, NULL) : NULL;
  const char *text;
  if (!node) return stc_model_refuse(m, collision, "<collision> needs a <geometry> with a shape");
  *known = true;
  if (!strcmp(node->name, "box")) {
    shape->kind = STC_SHAPE_BOX;
    STC_TRY(need_text(m, node, "size", &text));
    STC_TRY(stc_model_numbers(m, node, "size", text, 3, shape->half));
    for (int k = 0; k < 3; k++) shape->half[k] /= 2;
  } else if (!strcmp(node->name, "sphere")) {
    shape->kind = STC_SHAPE_SPHERE;
    STC_TRY(take_number(m, node, "radius", &shape->radius));
  } else if (!strcmp(node->name, "cylinder") || !strcmp(node->name, "capsule")) {
    shape->kind = node->name[1] == 'y' ? STC_SHAPE_CYLINDER : STC_SHAPE_CAPSULE;
    STC_TRY(take_number(m, node, "radius", &shape->radius));
    STC_TRY(take_number(m, node, "length", &shape->half[2]));
    shape->half[2] /= 2;
  } else if (!strcmp(node->name, "mesh")) {
    double scale[3] = {1, 1, 1};
    const char *given = stc_xml_get(node, "scale");
    if (given) STC_TRY(stc_model_numbers(m, node, "scale", given, 3, scale));
    shape->kind = STC_SHAPE_HULL;
    STC_TRY(need_text(m, node, "filename", &text));
    STC_TRY(stc_model_mesh(m, node, text, scale, &shape->hull));
  } else {
    *known = false;
    return stc_model_remember(m, "line %d: a <%s> is not a shape that is known; it is left out",
                              node->line, node->name);
  }
  return stc_model_check_shape(m, node, shape);
}

static stc_error take_collision(stc_model *m, const stc_xml *node, int body) {
  stc_model_part part = {.body = body, .mu = -1, .type = {1, 1}};
  bool known = false;
  stc_xml_get(node, "name");
  STC_TRY(take_origin(m, node, &part.pose));
  STC_TRY(take_geometry(m, node, &part.shape, &known));
  if (!known) return STC_OK;
  stc_model_part *entry = stc_model_add_part(m);
  if (entry) *entry = part;
  return stc_arena_check(&m->arena);
}

/// In the frame of the link, until links are placed.
static stc_error take_inertial(stc_model *m, const stc_xml *node, stc_model_body *body) {
  static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "iyz", "ixz"};
  const stc_xml *mass = stc_xml_child(node, "mass"), *inertia = stc_xml_child(node, "inertia");
  stc_pose pose;
  double value = 0, six[6] = {0};
  STC_TRY(take_origin(m, node, &pose));
  if (!mass) return stc_model_refuse(m, node, "<inertial> needs a <mass>");
  STC_TRY(take_number(m, mass, "value", &value));
  if (value < 0) return stc_model_refuse(m, mass, "a mass of %g kg; give 0 or more", value);
  for (int k = 0; inertia && k < 6; k++) STC_TRY(take_number(m, inertia, names[k], &six[k]));
  body->mass = value;
  body->given = value > 0;
  stc_copy3(pose.x, body->centre);
  stc_model_rotate_inertia(pose.rotation, six, body->inertia);
  return STC_OK;
}

static stc_error take_link(stc_model *m, const stc_xml *node) {
  const char *name;
  STC_TRY(need_text(m, node, "name", &name));
  stc_model_body *body = stc_model_add_body(m);
  if (!body) return stc_arena_check(&m->arena);
  body->name = name;
  body->line = node->line;
  body->parent = -1;
  const stc_xml *inertial = stc_xml_child(node, "inertial");
  if (inertial) STC_TRY(take_inertial(m, inertial, body));
  int number = m->bodies - 1;
  for (const stc_xml *c = stc_xml_child(node, "collision"); c; c = stc_xml_next(c, "collision"))
    STC_TRY(take_collision(m, c, number));
  for (stc_xml *c = stc_xml_child(node, "visual"); c; c = stc_xml_next(c, "visual"))
    c->seen = false;
  return STC_OK;
}

// --- Joints ---

/// A joint of the tree, with its frame in that of the parent.
typedef struct urdf_joint {
  const stc_xml *node;
  const char *type;
  int parent, child;
  stc_pose origin;
  double axis[3];
} urdf_joint;

static stc_error find_link(stc_model *m, const stc_xml *node, const char *which, int *body) {
  const stc_xml *end = stc_xml_child(node, which);
  const char *name = end ? stc_xml_get(end, "link") : NULL;
  if (!name) return stc_model_refuse(m, node, "<joint> needs a <%s link=\"...\">", which);
  *body = stc_model_find(m, name);
  if (*body >= 0) return STC_OK;
  return stc_model_refuse(m, end, "there is no link '%.60s'", name);
}

static stc_error take_ends(stc_model *m, const stc_xml *node, urdf_joint *j) {
  const stc_xml *axis = stc_xml_child(node, "axis");
  *j = (urdf_joint){.node = node, .axis = {1, 0, 0}};
  STC_TRY(need_text(m, node, "type", &j->type));
  STC_TRY(find_link(m, node, "parent", &j->parent));
  STC_TRY(find_link(m, node, "child", &j->child));
  STC_TRY(take_origin(m, node, &j->origin));
  const char *text = axis ? stc_xml_get(axis, "xyz") : NULL;
  if (text) STC_TRY(stc_model_numbers(m, axis, "xyz", text, 3, j->axis));
  if (!(stc_norm3(j->axis) > 0)) return stc_model_refuse(m, axis, "the axis has no length");
  if (m->body[j->child].parent >= 0)
    return stc_model_refuse(m, node, "link '%.60s' is the child of two joints",
                            m->body[j->child].name);
  if (j->parent == j->child) return stc_model_refuse(m, node, "a joint joins a link with itself");
  m->body[j->child].parent = j->parent;
  return STC_OK;
}

/// Up from a link to one that is placed, and back; `joint_of` a link is that it hangs on, `above`
/// has room for the way.
static stc_error place_link(stc_model *m, const urdf_joint *list, const int *joint_of, bool *placed,
                            int *above, int link) {
  int depth = 0;
  for (int b = link; !placed[b]; b = list[joint_of[b]].parent) {
    if (depth == m->bodies)
      return stc_model_refuse(m, list[joint_of[link]].node,
                              "the joints of link '%.60s' run in a circle", m->body[link].name);
    above[depth++] = b;
  }
  while (depth > 0) {
    const urdf_joint *j = &list[joint_of[above[--depth]]];
    m->body[j->child].pose = stc_pose_compose(&m->body[j->parent].pose, &j->origin);
    placed[j->child] = true;
  }
  return STC_OK;
}

static stc_error place_links(stc_model *m, urdf_joint *list, int count) {
  STC_ARENA arena = {0};
  bool *placed = STC_TAKE(&arena, bool, m->bodies);
  int *joint_of = STC_TAKE(&arena, int, m->bodies), *above = STC_TAKE(&arena, int, m->bodies);
  STC_TRY(stc_arena_check(&arena));
  for (int k = 0; k < count; k++) joint_of[list[k].child] = k;
  for (int b = 0; b < m->bodies; b++) placed[b] = m->body[b].parent < 0;
  for (int b = 0; b < m->bodies; b++) STC_TRY(place_link(m, list, joint_of, placed, above, b));
  return STC_OK;
}

static stc_error take_action(stc_model *m, const stc_xml *node, bool limited,
                             stc_joint_coordinate *c) {
  const stc_xml *limit = stc_xml_child(node, "limit"), *own = stc_xml_child(node, "dynamics");
  if (own) STC_TRY(take_number(m, own, "damping", &c->damping));
  if (own) STC_TRY(take_number(m, own, "friction", &c->friction));
  if (c->damping < 0 || c->friction < 0)
    return stc_model_refuse(m, own, "damping and friction are not below 0");
  if (!limit || !limited) return STC_OK;
  c->least = c->greatest = 0;
  STC_TRY(take_number(m, limit, "lower", &c->least));
  STC_TRY(take_number(m, limit, "upper", &c->greatest));
  if (c->least <= c->greatest) return STC_OK;
  return stc_model_refuse(m, limit, "lower = %g is above upper = %g", c->least, c->greatest);
}

static stc_error make_joint(stc_model *m, const urdf_joint *j, const stc_model_joint *given) {
  const stc_pose *pose = &m->body[j->child].pose;
  stc_model_joint *joint = stc_model_add_joint(m);
  if (!joint) return stc_arena_check(&m->arena);
  joint->kind = given->kind;
  joint->name = joint->coordinate_name[0] = stc_xml_get(j->node, "name");
  joint->line = j->node->line;
  joint->body = j->child;
  joint->parent = j->parent;
  stc_copy3(pose->x, joint->anchor);
  stc_pose_direction(pose, j->axis, joint->axis);
  stc_unit3(joint->axis);
  bool limited = !strcmp(j->type, "revolute") || !strcmp(j->type, "prismatic");
  return take_action(m, j->node, limited, &joint->coordinate[0]);
}

/// Limits at the same value hold the joint, as they do where none are given.
static bool is_locked(const stc_model_joint *joint) {
  return joint->coordinate[0].least == joint->coordinate[0].greatest;
}

static stc_error take_joint(stc_model *m, const urdf_joint *j) {
  static const char *const moving[] = {"revolute", "continuous", "prismatic", "planar", NULL};
  static const stc_joint_kind kinds[] = {STC_JOINT_HINGE, STC_JOINT_HINGE, STC_JOINT_PRISMATIC,
                                         STC_JOINT_PLANAR};
  if (!strcmp(j->type, "floating")) return STC_OK;
  m->body[j->child].welded = true;
  for (int k = 0; moving[k]; k++) {
    if (strcmp(j->type, moving[k]) != 0) continue;
    STC_TRY(make_joint(m, j, &(stc_model_joint){.kind = kinds[k]}));
    m->body[j->child].welded = is_locked(&m->joint[m->joints - 1]);
    if (!m->body[j->child].welded) return STC_OK;
    m->joints--;
    return stc_model_remember(m, "line %d: link '%.60s' is fixed: its limits leave it no room",
                              j->node->line, m->body[j->child].name);
  }
  if (strcmp(j->type, "fixed") != 0)
    return stc_model_refuse(m, j->node, "'%.60s' is no type of a joint", j->type);
  stc_xml_get(j->node, "name");
  return STC_OK;
}

/// Mimics, once all joints are there.
static stc_error take_mimic(stc_model *m, const stc_xml *node) {
  const stc_xml *mimic = stc_xml_child(node, "mimic");
  const char *other, *name = stc_xml_get(node, "name");
  double multiplier = 1, offset = 0;
  if (!mimic) return STC_OK;
  STC_TRY(need_text(m, mimic, "joint", &other));
  STC_TRY(take_number(m, mimic, "multiplier", &multiplier));
  STC_TRY(take_number(m, mimic, "offset", &offset));
  return stc_model_couple(m, mimic, name ? name : "", other, multiplier, offset);
}

static void to_world(stc_model *m) {
  for (int k = 0; k < m->parts; k++)
    m->part[k].pose = stc_pose_compose(&m->body[m->part[k].body].pose, &m->part[k].pose);
  for (int b = 0; b < m->bodies; b++) {
    stc_model_body *body = &m->body[b];
    const double *J = body->inertia, six[6] = {J[0], J[4], J[8], J[1], J[5], J[2]};
    stc_pose_point(&body->pose, body->centre, body->centre);
    stc_model_rotate_inertia(body->pose.rotation, six, body->inertia);
  }
}

static stc_error choose_root(stc_model *m) {
  for (int b = 0; b < m->bodies; b++) {
    if (m->body[b].parent >= 0) continue;
    if (m->root >= 0)
      return stc_fail(STC_ERR_FORMAT, "%s:%d: links '%.60s' and '%.60s' are both without a parent",
                      m->path, m->body[b].line, m->body[m->root].name, m->body[b].name);
    m->root = b;
  }
  m->body[m->root].fixed = true;
  return STC_OK;
}

static stc_error take_joints(stc_model *m, const stc_xml *robot, urdf_joint *list, int count) {
  int k = 0;
  for (const stc_xml *j = stc_xml_child(robot, "joint"); j; j = stc_xml_next(j, "joint"))
    STC_TRY(take_ends(m, j, &list[k++]));
  STC_TRY(place_links(m, list, count));
  to_world(m);
  for (k = 0; k < count; k++) STC_TRY(take_joint(m, &list[k]));
  STC_TRY(stc_model_check_names(m, "links"));
  STC_TRY(choose_root(m));
  for (k = 0; k < count; k++) STC_TRY(take_mimic(m, list[k].node));
  return STC_OK;
}

stc_error stc_model_read_urdf(stc_model *m, stc_xml *robot) {
  STC_ARENA arena = {0};
  int joints = 0;
  const char *name = stc_xml_get(robot, "name");
  if (name) m->name = name;
  for (const stc_xml *l = stc_xml_child(robot, "link"); l; l = stc_xml_next(l, "link"))
    STC_TRY(take_link(m, l));
  if (m->bodies == 0) return stc_model_refuse(m, robot, "the robot has no links");
  for (const stc_xml *j = stc_xml_child(robot, "joint"); j; j = stc_xml_next(j, "joint")) joints++;
  urdf_joint *list = STC_TAKE(&arena, urdf_joint, joints);
  STC_TRY(stc_arena_check(&arena));
  return take_joints(m, robot, list, joints);
}
