// Joints of MJCF. Those of one body act one after the other; some are together a joint that is
// known: two hinges a universal joint, a slide and a hinge along it a cylindrical one, two slides
// and a hinge across them a planar one. Others have light bodies between them.
#include "mjcf.h"

#include "../base/vec3.h"

enum { MOST = 6 };

// Directions that differ by less are the same, in sines.
static const double SAME = 1e-6;

/// One <joint>.
typedef struct single {
  const stc_xml *node;
  char type;  ///< 'h', 's', 'b', 'f': hinge, slide, ball, free
  double axis[3], at[3];
  stc_joint_coordinate action;
} single;

static stc_error take_range(stc_mjcf *f, const char *class, single *s) {
  const char *limited = stc_mjcf_get(f, s->node, class, "limited");
  double range[2];
  int found;
  STC_TRY(stc_mjcf_numbers(f, s->node, class, "range", 2, 2, range, &found));
  bool on = limited && strcmp(limited, "auto") != 0 ? !strcmp(limited, "true") : f->autolimits;
  if (!found || !on) return STC_OK;
  if (range[0] >= range[1])
    return stc_model_refuse(f->model, s->node, "the range begins at %g, not below its end %g",
                            range[0], range[1]);
  s->action.least = s->type == 'h' ? stc_mjcf_angle(f, range[0]) : range[0];
  s->action.greatest = s->type == 'h' ? stc_mjcf_angle(f, range[1]) : range[1];
  return STC_OK;
}

static stc_error take_action(stc_mjcf *f, const char *class, single *s) {
  stc_joint_coordinate *c = &s->action;
  STC_TRY(take_range(f, class, s));
  STC_TRY(stc_mjcf_number(f, s->node, class, "damping", &c->damping));
  STC_TRY(stc_mjcf_number(f, s->node, class, "stiffness", &c->stiffness));
  STC_TRY(stc_mjcf_number(f, s->node, class, "frictionloss", &c->friction));
  STC_TRY(stc_mjcf_number(f, s->node, class, "springref", &c->rest));
  STC_TRY(stc_mjcf_number(f, s->node, class, "ref", &c->start));
  if (s->type == 'h') {
    c->rest = stc_mjcf_angle(f, c->rest);
    c->start = stc_mjcf_angle(f, c->start);
  }
  if (c->damping < 0 || c->stiffness < 0 || c->friction < 0)
    return stc_model_refuse(f->model, s->node,
                            "damping, stiffness and frictionloss are not below 0");
  return STC_OK;
}

/// A ball has no coordinates along which something could act.
static stc_error name_action(stc_mjcf *f, const char *class, const single *s) {
  static const char *const names[] = {"range", "damping", "stiffness", "frictionloss"};
  for (size_t k = 0; s->type == 'b' && k < sizeof names / sizeof *names; k++)
    if (stc_mjcf_get(f, s->node, class, names[k]))
      STC_TRY(stc_model_remember(f->model, "line %d: %s of a ball joint is left out", s->node->line,
                                 names[k]));
  return STC_OK;
}

/// The first letter of the type.
static stc_error take_type(stc_mjcf *f, const stc_xml *node, const char *class, char *type) {
  static const char *const types[] = {"hinge", "slide", "ball", "free"};
  const char *text = stc_mjcf_get(f, node, class, "type");
  *type = text ? '\0' : 'h';
  for (size_t k = 0; text && k < sizeof types / sizeof *types; k++)
    if (!strcmp(text, types[k])) *type = text[0];
  if (*type) return STC_OK;
  return stc_model_refuse(f->model, node, "'%.40s' is no type of a joint", text);
}

static stc_error take_single(stc_mjcf *f, const stc_xml *node, const char *class, int body,
                             single *s) {
  const stc_pose *pose = &f->model->body[body].pose;
  const stc_joint usual = stc_default_joint();
  int found;
  *s = (single){.node = node, .axis = {0, 0, 1}, .action = usual.coordinate[0]};
  STC_TRY(stc_mjcf_check_class(f, node, "class"));
  STC_TRY(take_type(f, node, class, &s->type));
  STC_TRY(stc_mjcf_numbers(f, node, class, "axis", 3, 3, s->axis, &found));
  STC_TRY(stc_mjcf_numbers(f, node, class, "pos", 3, 3, s->at, &found));
  if (!(stc_norm3(s->axis) > 0)) return stc_model_refuse(f->model, node, "the axis has no length");
  stc_pose_point(pose, s->at, s->at);
  stc_pose_direction(pose, s->axis, s->axis);
  stc_unit3(s->axis);
  return s->type == 'h' || s->type == 's' ? take_action(f, class, s) : name_action(f, class, s);
}

// --- Several as one ---

static bool across(const single *a, const single *b) {
  return fabs(stc_dot3(a->axis, b->axis)) <= SAME;
}

/// The kinds of joints that are known by their types; *first is the one with the axis.
static bool choose_kind(const single *s, int count, stc_joint_kind *kind, int *first) {
  char types[MOST + 1] = {0};
  for (int k = 0; k < count; k++) types[k] = s[k].type;
  *first = 0;
  *kind = s->type == 'b' ? STC_JOINT_BALL : s->type == 's' ? STC_JOINT_PRISMATIC : STC_JOINT_HINGE;
  if (count == 1) return true;
  *kind = STC_JOINT_UNIVERSAL;
  if (!strcmp(types, "hh")) return across(&s[0], &s[1]) && stc_distance3(s[0].at, s[1].at) <= SAME;
  *kind = STC_JOINT_CYLINDRICAL;
  if (!strcmp(types, "sh") || !strcmp(types, "hs")) {
    *first = types[0] == 's' ? 0 : 1;
    const single *a = &s[0];
    const single *b = &s[1];
    double c[3];
    stc_cross3(a->axis, b->axis, c);
    return stc_norm3(c) <= SAME;
  }
  *kind = STC_JOINT_PLANAR;
  *first = 2;
  return !strcmp(types, "ssh") && across(&s[0], &s[1]) && across(&s[0], &s[2]) &&
         across(&s[1], &s[2]);
}

/// Which of the joints is which coordinate; the second of a planar joint may run backwards.
static void assign_coordinates(const single *s, int count, stc_model_joint *joint) {
  int order[MOST] = {0, 1, 2};
  if (joint->kind == STC_JOINT_CYLINDRICAL && s[0].type == 'h') order[0] = 1, order[1] = 0;
  for (int k = 0; k < count && k < STC_JOINT_COORDINATES; k++) {
    joint->coordinate[k] = s[order[k]].action;
    joint->coordinate_name[k] = stc_xml_get(s[order[k]].node, "name");
  }
}

static void reverse_coordinate(stc_joint_coordinate *c) {
  double least = c->least;
  c->least = -c->greatest, c->greatest = -least;
  c->rest = -c->rest, c->start = -c->start;
}

static void orient(const single *s, stc_model_joint *joint) {
  double third[3];
  if (joint->kind == STC_JOINT_UNIVERSAL) {
    // the first hinge rotates the body of the second one: its axis is the parent's
    stc_copy3(s[1].axis, joint->axis);
    stc_copy3(s[0].axis, joint->axis2);
    stc_joint_coordinate swap = joint->coordinate[0];
    joint->coordinate[0] = joint->coordinate[1];
    joint->coordinate[1] = swap;
    const char *name = joint->coordinate_name[0];
    joint->coordinate_name[0] = joint->coordinate_name[1];
    joint->coordinate_name[1] = name;
  }
  if (joint->kind == STC_JOINT_PLANAR) {
    stc_copy3(s[0].axis, joint->axis2);
    stc_cross3(joint->axis, s[0].axis, third);
    if (stc_dot3(third, s[1].axis) < 0) reverse_coordinate(&joint->coordinate[1]);
  }
  if (joint->kind == STC_JOINT_CYLINDRICAL && stc_dot3(s[0].axis, s[1].axis) < 0)
    reverse_coordinate(&joint->coordinate[1]);
}

static stc_model_joint *add_joint(stc_mjcf *f, const single *s, stc_joint_kind kind) {
  stc_model_joint *joint = stc_model_add_joint(f->model);
  if (!joint) return NULL;
  joint->kind = kind;
  joint->name = stc_xml_get(s->node, "name");
  joint->line = s->node->line;
  return joint;
}

/// One joint after the other, with light bodies between them.
static stc_error put_series(stc_mjcf *f, const single *s, int count, int body, int parent) {
  stc_model *m = f->model;
  const char *name = m->body[body].name;
  for (int k = 0, up = parent; k < count; k++) {
    stc_joint_kind kind = s[k].type == 'b'   ? STC_JOINT_BALL
                          : s[k].type == 's' ? STC_JOINT_PRISMATIC
                                             : STC_JOINT_HINGE;
    int down = k == count - 1 ? body : stc_model_add_light(m, body, up);
    stc_model_joint *joint = add_joint(f, &s[k], kind);
    STC_TRY(stc_arena_check(&m->arena));
    joint->body = down;
    joint->parent = up;
    stc_copy3(s[k].at, joint->anchor);
    stc_copy3(s[k].axis, joint->axis);
    joint->coordinate[0] = s[k].action;
    joint->coordinate_name[0] = joint->name;
    up = down;
  }
  if (parent >= 0) STC_TRY(stc_model_add_ignored(m, body, parent));
  return stc_model_remember(m,
                            "line %d: %d joints of body '%.60s' follow each other: a hundredth of "
                            "its mass is between two of them",
                            s[0].node->line, count, name ? name : "");
}

static stc_error combine(stc_mjcf *f, const single *s, int count, int body, int parent) {
  stc_joint_kind kind;
  int first;
  if (!choose_kind(s, count, &kind, &first)) return put_series(f, s, count, body, parent);
  stc_model_joint *joint = add_joint(f, &s[0], kind);
  if (!joint) return stc_arena_check(&f->model->arena);
  joint->body = body;
  joint->parent = parent;
  stc_copy3(s[first].at, joint->anchor);
  stc_copy3(s[first].axis, joint->axis);
  assign_coordinates(s, count, joint);
  orient(s, joint);
  return STC_OK;
}

stc_error stc_mjcf_joints(stc_mjcf *f, const stc_xml *node, const char *class, int body,
                          int parent) {
  single s[MOST];
  int count = 0;
  stc_model_body *own = &f->model->body[body];
  if (stc_xml_child(node, "freejoint")) {
    const stc_xml *free = stc_xml_child(node, "freejoint");
    stc_xml_get(free, "name");
    return parent < 0 ? STC_OK
                      : stc_model_refuse(f->model, free, "a free joint is for bodies of the world");
  }
  for (const stc_xml *j = stc_xml_child(node, "joint"); j; j = stc_xml_next(j, "joint")) {
    if (count == MOST) return stc_model_refuse(f->model, j, "a body has more than %d joints", MOST);
    STC_TRY(take_single(f, j, class, body, &s[count++]));
    if (s[count - 1].type == 'f' && (count > 1 || parent >= 0))
      return stc_model_refuse(f->model, j, "a free joint is alone, and for bodies of the world");
  }
  if (count == 0) {
    own->welded = parent >= 0;
    own->fixed = parent < 0;
    return STC_OK;
  }
  return s[0].type == 'f' ? STC_OK : combine(f, s, count, body, parent);
}
