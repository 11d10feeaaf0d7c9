// A model as MJCF. Joints make a tree from what stands and from bodies that float; a joint that
// closes a loop becomes an equality. Angles are in radians, places local.
#include "model_data.h"

#include "../base/vec3.h"

/// How far apart the two points are that hold a hinge which closes a loop, m.
static const double HINGE_ARM = 0.1;

enum { MOST_INDENT = 40 };

// What stands for an open side of a limit: it is never reached.
static const double OPEN_SIDE = 1e10;

/// The tree.
typedef struct tree {
  stc_model *model;
  int *joint;            ///< [bodies] on which each hangs; -1: none
  int *up;               ///< [bodies] what it hangs on; -1: the world
  bool *reached, *used;  ///< [bodies], [joints]
  int *first, *next;     ///< [bodies + 1], [2 joints]: ends of joints at the world and at bodies,
                         ///< end e is of joint e / 2; later children of them, [bodies]
  int *queue;            ///< [bodies + 1]
  stc_text *t;
  int depth;
} tree;

// --- Words ---

static void put_list(stc_text *t, const char *name, const double *x, int count) {
  stc_text_put(t, " %s=\"", name);
  for (int k = 0; k < count; k++) stc_text_put(t, "%s%.17g", k ? " " : "", x[k] + 0.0);
  stc_text_put(t, "\"");
}

static void put_number(stc_text *t, const char *name, double x) { put_list(t, name, &x, 1); }

/// As an attribute has it.
static void put_escaped(stc_text *t, const char *text) {
  for (const char *end = text; *text; text = end) {
    while ((unsigned char)*end >= ' ' && !strchr("<>&\"", *end)) end++;
    stc_text_put(t, "%.*s", (int)(end - text), text);
    if (*end) stc_text_put(t, "&#%d;", (unsigned char)*end < ' ' ? ' ' : *end);
    if (*end) end++;
  }
}

/// Names of bodies are different: those that are missing or repeat others are numbered.
static void put_body_name(const tree *a, const char *attribute, int b) {
  stc_model *m = a->model;
  const char *name = m->body[b].name;
  stc_text_put(a->t, " %s=\"", attribute);
  if (name && *name && stc_model_find(m, name) == b && strcmp(name, "world") != 0)
    put_escaped(a->t, name);
  else
    stc_text_put(a->t, "body %d", b + 1);
  stc_text_put(a->t, "\"");
}

static void open_line(const tree *a) {
  stc_text_put(a->t, "\n");
  for (int k = 0; k < a->depth && k < MOST_INDENT; k++) stc_text_put(a->t, "  ");
}

/// A section that stays empty is taken back.
static size_t open_section(const tree *a, const char *name) {
  stc_text_put(a->t, "\n  <%s>", name);
  return a->t->length;
}

static void close_section(const tree *a, const char *name, size_t opened) {
  stc_text *t = a->t;
  if (t->length > opened) {
    stc_text_put(t, "\n  </%s>", name);
  } else if (!t->failed) {
    t->length -= strlen(name) + 5;
    t->at[t->length] = '\0';
  }
}

// --- The tree ---

static bool is_hung(stc_joint_kind kind) {
  return kind != STC_JOINT_GEAR && kind != STC_JOINT_DISTANCE;
}

/// The body that the joint would hang on what was reached; -1: none. The shifts of a planar joint
/// are those of its first body.
static int next_body(const tree *a, const stc_model_joint *j, int *up) {
  bool first = j->body < 0 || a->reached[j->body], second = j->parent < 0 || a->reached[j->parent];
  *up = first ? j->body : j->parent;
  if (!is_hung(j->kind) || first == second) return -1;
  return first ? (j->kind == STC_JOINT_PLANAR ? -1 : j->parent) : j->body;
}

static void list_ends(const tree *a) {
  const stc_model *m = a->model;
  for (int b = 0; b <= m->bodies; b++) a->first[b] = -1;
  for (int e = 2 * m->joints - 1; e >= 0; e--) {
    const stc_model_joint *j = &m->joint[e / 2];
    int *first = &a->first[(e % 2 ? j->parent : j->body) + 1];
    a->next[e] = *first;
    *first = e;
  }
}

/// Hangs all bodies that joints reach from those in the queue.
static void hang_bodies(const tree *a, int count) {
  for (int k = 0; k < count; k++)
    for (int e = a->first[a->queue[k] + 1]; e >= 0; e = a->next[e]) {
      int up, j = e / 2, b = a->used[j] ? -1 : next_body(a, &a->model->joint[j], &up);
      if (b < 0) continue;
      a->joint[b] = j;
      a->up[b] = up;
      a->reached[b] = a->used[j] = true;
      a->queue[count++] = b;
    }
}

/// Children of the world and of each body, in their order, in the place of the ends of joints.
static void list_children(const tree *a) {
  const stc_model *m = a->model;
  for (int b = 0; b <= m->bodies; b++) a->first[b] = -1;
  for (int b = m->bodies - 1; b >= 0; b--) {
    if (m->body[b].welded) continue;
    a->next[b] = a->first[a->up[b] + 1];
    a->first[a->up[b] + 1] = b;
  }
}

static void grow_tree(const tree *a) {
  const stc_model *m = a->model;
  int count = 0;
  list_ends(a);
  a->queue[count++] = -1;
  for (int b = 0; b < m->bodies; b++) {
    a->joint[b] = a->up[b] = -1;
    a->reached[b] = m->body[b].welded || m->body[b].fixed;
    if (a->reached[b]) a->queue[count++] = b;
  }
  hang_bodies(a, count);
  for (int b = 0; b < m->bodies; b++) {
    if (a->reached[b]) continue;
    a->reached[b] = true;  // it floats
    a->queue[0] = b;
    hang_bodies(a, 1);
  }
  list_children(a);
}

// --- Geoms ---

static stc_pose seen_from_body(const tree *a, int b, const stc_pose *pose) {
  const stc_pose origin = stc_pose_identity();
  const stc_pose *at = b < 0 ? &origin : &a->model->body[b].pose;
  const double *q = at->rotation;
  const stc_pose back = {.rotation = {q[0], -q[1], -q[2], -q[3]}};
  stc_pose shifted = *pose;
  stc_sub3(pose->x, at->x, shifted.x);
  return stc_pose_compose(&back, &shifted);
}

static void put_place(stc_text *t, const stc_pose *pose) {
  if (stc_norm3(pose->x) > 0) put_list(t, "pos", pose->x, 3);
  if (fabs(pose->rotation[0]) != 1) put_list(t, "quat", pose->rotation, 4);
}

static void put_size(stc_text *t, const stc_shape *s, int part) {
  static const double plane[3] = {0, 0, 1};
  double round[2] = {s->radius, s->half[2]};
  switch (s->kind) {
  case STC_SHAPE_BOX:
    put_list(t, "size", s->half, 3);
    return;
  case STC_SHAPE_SPHERE:
    put_list(t, "size", round, 1);
    return;
  case STC_SHAPE_PLANE:
    put_list(t, "size", plane, 3);
    return;
  case STC_SHAPE_HULL:
    stc_text_put(t, " mesh=\"hull %d\"", part + 1);
    return;
  default:
    put_list(t, "size", round, 2);
  }
}

static void put_geom(const tree *a, int b, int part) {
  const stc_model_part *p = &a->model->part[part];
  const stc_model_body *body = p->body < 0 ? NULL : &a->model->body[p->body];
  stc_pose pose = seen_from_body(a, b, &p->pose);
  bool hull = p->shape.kind == STC_SHAPE_HULL;
  open_line(a);
  stc_text_put(a->t, "<geom type=\"%s\"", hull ? "mesh" : stc_shape_name(p->shape.kind));
  put_size(a->t, &p->shape, part);
  put_place(a->t, &pose);
  if (p->mu >= 0) put_number(a->t, "friction", p->mu);
  if (body && !body->given && !body->fixed) put_number(a->t, "density", p->density);
  if (p->type[0] != 1 || p->type[1] != 1)
    stc_text_put(a->t, " contype=\"%llu\" conaffinity=\"%llu\"", (unsigned long long)p->type[0],
                 (unsigned long long)p->type[1]);
  stc_text_put(a->t, "/>");
}

/// Planes belong to the world.
static bool is_worlds(const tree *a, const stc_model_part *p) {
  return p->body < 0 || (a->model->body[p->body].fixed && p->shape.kind == STC_SHAPE_PLANE);
}

static void put_meshes(const tree *a) {
  const stc_model *m = a->model;
  size_t opened = open_section(a, "asset");
  for (int p = 0; p < m->parts; p++) {
    const double *point;
    if (m->part[p].shape.kind != STC_SHAPE_HULL) continue;
    int count = stc_hull_points(m->part[p].shape.hull, &point);
    stc_text_put(a->t, "\n    <mesh name=\"hull %d\"", p + 1);
    put_list(a->t, "vertex", point, 3 * count);
    stc_text_put(a->t, "/>");
  }
  close_section(a, "asset", opened);
}

// --- Joints of bodies ---

static void put_action(stc_text *t, const stc_joint_coordinate *c) {
  double range[2] = {fmax(c->least, -OPEN_SIDE), fmin(c->greatest, OPEN_SIDE)};
  if (isfinite(c->least) || isfinite(c->greatest)) {
    stc_text_put(t, " limited=\"true\"");
    put_list(t, "range", range, 2);
  }
  if (c->start != 0) put_number(t, "ref", c->start);
  if (c->stiffness > 0) put_number(t, "stiffness", c->stiffness);
  if (c->stiffness > 0 && c->rest != 0) put_number(t, "springref", c->rest);
  if (c->damping > 0) put_number(t, "damping", c->damping);
  if (c->friction > 0) put_number(t, "frictionloss", c->friction);
}

/// Coordinate k of the joint that body b hangs on, about or along an axis in the world.
static void put_single(const tree *a, int b, const char *type, const double axis[3], int k) {
  const stc_model_joint *j = &a->model->joint[a->joint[b]];
  const stc_pose at = {.x = {j->anchor[0], j->anchor[1], j->anchor[2]}, .rotation = {1, 0, 0, 0}};
  stc_pose place = seen_from_body(a, b, &at), turned = a->model->body[b].pose;
  double own[3], sign = j->body == b ? 1 : -1;
  for (int i = 1; i < 4; i++) turned.rotation[i] = -turned.rotation[i];
  stc_pose_direction(&turned, axis, own);
  for (int i = 0; i < 3; i++) own[i] *= sign;
  open_line(a);
  stc_text_put(a->t, "<joint name=\"joint %d.%d\" type=\"%s\"", a->joint[b] + 1, k + 1, type);
  put_list(a->t, "pos", place.x, 3);
  put_list(a->t, "axis", own, 3);
  put_action(a->t, &j->coordinate[k]);
  stc_text_put(a->t, "/>");
}

/// What is listed first is nearer to what the body hangs on.
static void put_universal(const tree *a, int b) {
  const stc_model_joint *j = &a->model->joint[a->joint[b]];
  bool first = j->body == b;
  put_single(a, b, "hinge", first ? j->axis2 : j->axis, first ? 1 : 0);
  put_single(a, b, "hinge", first ? j->axis : j->axis2, first ? 0 : 1);
}

static void put_planar(const tree *a, int b) {
  const stc_model_joint *j = &a->model->joint[a->joint[b]];
  double across[3];
  stc_cross3(j->axis, j->axis2, across);
  put_single(a, b, "slide", j->axis2, 0);
  put_single(a, b, "slide", across, 1);
  put_single(a, b, "hinge", j->axis, 2);
}

static void put_ball(const tree *a, int b) {
  static const double axis[3] = {0, 0, 1};
  put_single(a, b, "ball", axis, 0);
}

static void put_body_joints(const tree *a, int b) {
  int j = a->joint[b];
  if (j < 0) {
    open_line(a);
    stc_text_put(a->t, "<freejoint/>");
    return;
  }
  const stc_model_joint *joint = &a->model->joint[j];
  if (joint->kind == STC_JOINT_BALL) put_ball(a, b);
  if (joint->kind == STC_JOINT_HINGE) put_single(a, b, "hinge", joint->axis, 0);
  if (joint->kind == STC_JOINT_PRISMATIC || joint->kind == STC_JOINT_CYLINDRICAL)
    put_single(a, b, "slide", joint->axis, 0);
  if (joint->kind == STC_JOINT_CYLINDRICAL) put_single(a, b, "hinge", joint->axis, 1);
  if (joint->kind == STC_JOINT_UNIVERSAL) put_universal(a, b);
  if (joint->kind == STC_JOINT_PLANAR) put_planar(a, b);
}

// --- Bodies ---

static void put_inertial(const tree *a, int b) {
  const stc_model_body *body = &a->model->body[b];
  const double *q = body->pose.rotation, back[4] = {q[0], -q[1], -q[2], -q[3]}, *J = body->inertia;
  const double six[6] = {J[0], J[4], J[8], J[1], J[5], J[2]};
  const stc_pose at = {.x = {body->centre[0], body->centre[1], body->centre[2]},
                       .rotation = {1, 0, 0, 0}};
  stc_pose centre = seen_from_body(a, b, &at);
  double own[9];
  stc_model_rotate_inertia(back, six, own);
  const double full[6] = {own[0], own[4], own[8], own[1], own[2], own[5]};
  open_line(a);
  stc_text_put(a->t, "<inertial");
  put_list(a->t, "pos", centre.x, 3);
  put_number(a->t, "mass", body->mass);
  put_list(a->t, "fullinertia", full, 6);
  stc_text_put(a->t, "/>");
}

static void open_body(tree *a, int b) {
  const stc_model_body *body = &a->model->body[b];
  stc_pose pose = seen_from_body(a, a->up[b], &body->pose);
  open_line(a);
  stc_text_put(a->t, "<body");
  put_body_name(a, "name", b);
  put_place(a->t, &pose);
  stc_text_put(a->t, ">");
  a->depth++;
  if (body->given && !body->fixed) put_inertial(a, b);
  if (!body->fixed) put_body_joints(a, b);
  for (int p = stc_model_first_part(a->model, b); p >= 0; p = a->model->next_part[p])
    if (!is_worlds(a, &a->model->part[p])) put_geom(a, b, p);
}

static void close_body(tree *a) {
  a->depth--;
  open_line(a);
  stc_text_put(a->t, "</body>");
}

/// Down the tree and back without a stack: a chain may be long.
static void put_bodies(tree *a) {
  int b = a->first[0];
  while (b >= 0) {
    open_body(a, b);
    int child = a->first[b + 1];
    while (child < 0 && b >= 0) {
      close_body(a);
      child = a->next[b];
      b = a->up[b];
    }
    b = child;
  }
}

// --- What is no tree ---

static void put_connection(const tree *a, const char *element, const stc_model_joint *j,
                           const double anchor[3]) {
  int body = j->body >= 0 ? j->body : j->parent, other = j->body >= 0 ? j->parent : -1;
  stc_pose at = {.x = {anchor[0], anchor[1], anchor[2]}, .rotation = {1, 0, 0, 0}};
  stc_pose place = seen_from_body(a, body, &at);
  stc_text_put(a->t, "\n    <%s", element);
  put_body_name(a, "body1", body);
  if (other >= 0) put_body_name(a, "body2", other);
  put_list(a->t, "anchor", place.x, 3);
  stc_text_put(a->t, "/>");
}

/// The joint of a body whose only coordinate is an angle; -1: it has none.
static int hinge_of(const tree *a, int b) {
  int j = b < 0 ? -1 : a->joint[b];
  return j >= 0 && a->model->joint[j].kind == STC_JOINT_HINGE ? j : -1;
}

/// 1 or -1, as the axis of a gear runs along that of the hinge, whose sign is that of its body.
static double sense(const tree *a, int joint, int b, const double axis[3]) {
  const stc_model_joint *j = &a->model->joint[joint];
  double along = stc_dot3(j->axis, axis) / (stc_norm3(j->axis) * stc_norm3(axis));
  return (along < 0 ? -1 : 1) * (j->body == b ? 1 : -1);
}

static stc_error put_gear(const tree *a, int k) {
  const stc_model_joint *j = &a->model->joint[k];
  int first = hinge_of(a, j->body), second = hinge_of(a, j->parent);
  if (first < 0 || second < 0)
    return stc_model_remember(a->model, "gear %d is left out: its bodies are on no hinges", k + 1);
  const double *axis2 = stc_norm3(j->axis2) > 0 ? j->axis2 : j->axis;
  double ratio = j->ratio * sense(a, first, j->body, j->axis) * sense(a, second, j->parent, axis2);
  stc_text_put(a->t,
               "\n    <joint joint1=\"joint %d.1\" joint2=\"joint %d.1\" polycoef=\"0 %.17g 0 0 "
               "0\"/>",
               first + 1, second + 1, -ratio);
  return STC_OK;
}

static bool acts_somewhere(const stc_model_joint *j) {
  for (int k = 0; k < STC_JOINT_COORDINATES; k++) {
    const stc_joint_coordinate *c = &j->coordinate[k];
    if (isfinite(c->least) || isfinite(c->greatest) || c->stiffness > 0 || c->damping > 0 ||
        c->friction > 0 || c->motor)
      return true;
  }
  return false;
}

static stc_error put_loop(const tree *a, int k) {
  const stc_model_joint *j = &a->model->joint[k];
  double end[3] = {j->anchor[0], j->anchor[1], j->anchor[2]};
  if (j->kind == STC_JOINT_GEAR) return put_gear(a, k);
  if (j->kind != STC_JOINT_BALL && j->kind != STC_JOINT_HINGE && j->kind != STC_JOINT_FIXED)
    return stc_model_remember(a->model, "joint %d, %s, closes a loop and is left out", k + 1,
                              stc_joint_name((int)j->kind));
  if (acts_somewhere(j))
    STC_TRY(stc_model_remember(
        a->model, "joint %d closes a loop; what acts along its coordinates is left out", k + 1));
  put_connection(a, j->kind == STC_JOINT_FIXED ? "weld" : "connect", j, j->anchor);
  if (j->kind != STC_JOINT_HINGE) return STC_OK;
  stc_add3(end, HINGE_ARM / stc_norm3(j->axis), j->axis);
  put_connection(a, "connect", j, end);
  return STC_OK;
}

static stc_error put_loops(const tree *a) {
  size_t opened = open_section(a, "equality");
  for (int k = 0; k < a->model->joints; k++)
    if (!a->used[k]) STC_TRY(put_loop(a, k));
  close_section(a, "equality", opened);
  return STC_OK;
}

static void put_exclusion(const tree *a, int first, int second) {
  if (first < 0 || second < 0) return;
  stc_text_put(a->t, "\n    <exclude");
  put_body_name(a, "body1", first);
  put_body_name(a, "body2", second);
  stc_text_put(a->t, "/>");
}

/// Joined bodies do not touch here; in MJCF a body and what it hangs on, if that moves.
static void put_exclusions(const tree *a) {
  const stc_model *m = a->model;
  size_t opened = open_section(a, "contact");
  for (int k = 0; k < m->ignored; k++) put_exclusion(a, m->ignore[k].body[0], m->ignore[k].body[1]);
  for (int j = 0; j < m->joints; j++) {
    int first = m->joint[j].body, second = m->joint[j].parent;
    bool stands = (first >= 0 && m->body[first].fixed) || (second >= 0 && m->body[second].fixed);
    if (!a->used[j] || stands) put_exclusion(a, first, second);
  }
  close_section(a, "contact", opened);
}

static stc_error put_motor(const tree *a, int j, int k) {
  const stc_joint_coordinate *c = &a->model->joint[j].coordinate[k];
  if (c->motor == STC_MOTOR_VELOCITY)
    return stc_model_remember(
        a->model, "the velocity motor of joint %d is left out: MJCF has none that holds", j + 1);
  if (c->target != 0)
    STC_TRY(stc_model_remember(a->model, "the target %g of the motor of joint %d is a control",
                               c->target, j + 1));
  double kp = c->motor_stiffness, bias[3] = {0, -kp, -c->motor_damping};
  stc_text_put(a->t, "\n    <general joint=\"joint %d.%d\" biastype=\"affine\"", j + 1, k + 1);
  put_number(a->t, "gainprm", kp);
  put_list(a->t, "biasprm", bias, 3);
  const double range[2] = {-c->motor_force, c->motor_force};
  if (isfinite(c->motor_force)) {
    stc_text_put(a->t, " forcelimited=\"true\"");
    put_list(a->t, "forcerange", range, 2);
  }
  stc_text_put(a->t, "/>");
  return STC_OK;
}

static stc_error put_motors(const tree *a) {
  size_t opened = open_section(a, "actuator");
  for (int j = 0; j < a->model->joints; j++)
    for (int k = 0; k < STC_JOINT_COORDINATES; k++)
      if (a->used[j] && a->model->joint[j].coordinate[k].motor) STC_TRY(put_motor(a, j, k));
  close_section(a, "actuator", opened);
  return STC_OK;
}

// --- The whole ---

static void put_world(tree *a) {
  const stc_model *m = a->model;
  stc_text_put(a->t, "<mujoco model=\"");
  put_escaped(a->t, *m->name ? m->name : "stiction");
  stc_text_put(a->t, "\">\n  <compiler angle=\"radian\" autolimits=\"true\"/>\n  <option");
  put_list(a->t, "gravity", m->gravity, 3);
  if (m->h > 0) put_number(a->t, "timestep", m->h);
  stc_text_put(a->t, "/>");
  put_meshes(a);
  stc_text_put(a->t, "\n  <worldbody>");
  a->depth = 2;
  for (int p = 0; p < m->parts; p++)
    if (is_worlds(a, &m->part[p])) put_geom(a, -1, p);
  put_bodies(a);
  stc_text_put(a->t, "\n  </worldbody>");
}

stc_error stc_model_mjcf(stc_model *m, const char **text) {
  if (!m || !text) return stc_fail(STC_ERR_ARGUMENT, "MJCF needs a model and a place");
  STC_ARENA arena = {0};
  tree a = {.model = m,
            .joint = STC_TAKE_RAW(&arena, int, m->bodies + 1),
            .up = STC_TAKE_RAW(&arena, int, m->bodies + 1),
            .reached = STC_TAKE(&arena, bool, m->bodies + 1),
            .used = STC_TAKE(&arena, bool, m->joints + 1),
            .first = STC_TAKE_RAW(&arena, int, m->bodies + 1),
            .next = STC_TAKE_RAW(&arena, int, 2 * (size_t)m->joints + (size_t)m->bodies + 1),
            .queue = STC_TAKE_RAW(&arena, int, m->bodies + 1),
            .t = &m->text};
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_model_list_parts(m));
  stc_text_free(a.t);
  grow_tree(&a);
  put_world(&a);
  STC_TRY(put_loops(&a));
  put_exclusions(&a);
  STC_TRY(put_motors(&a));
  stc_text_put(a.t, "\n</mujoco>\n");
  if (a.t->failed) return stc_fail(STC_ERR_MEMORY, "out of memory for MJCF");
  *text = a.t->at;
  return STC_OK;
}
