// The end of reading: bodies that are fixed on others become parts of them, gears are made, and
// what was passed over is named.
#include "model_data.h"

#include "../base/number.h"
#include "../base/vec3.h"

// --- Welded bodies ---

/// What body b is a part of, in the end; -1: the world. `carrier` has it for those that were asked
/// about, which are their own or stand; others are to be looked for.
static int find_carrier(const stc_model *m, int *carrier, int b) {
  int end = b;
  while (end >= 0 && m->body[end].welded && carrier[end] == end) end = m->body[end].parent;
  if (end >= 0 && m->body[end].welded) end = carrier[end];
  while (b >= 0 && m->body[b].welded && carrier[b] == b) {
    int next = m->body[b].parent;
    carrier[b] = end;
    b = next;
  }
  return end;
}

static stc_error merge_welded(stc_model *m) {
  int *carrier = STC_TAKE_RAW(&m->arena, int, m->bodies + 1);
  STC_TRY(stc_arena_check(&m->arena));
  for (int b = 0; b < m->bodies; b++) carrier[b] = b;
  for (int b = 0; b < m->bodies; b++) {
    int on = find_carrier(m, carrier, b);
    if (on == b || on < 0 || !m->body[b].given) continue;
    stc_model_add_mass(&m->body[on], m->body[b].mass, m->body[b].centre, m->body[b].inertia);
  }
  for (int k = 0; k < m->parts; k++) {
    int on = find_carrier(m, carrier, m->part[k].body);
    if (on >= 0) m->part[k].body = on;
  }
  for (int j = 0; j < m->joints; j++) {
    stc_model_joint *joint = &m->joint[j];
    joint->body = find_carrier(m, carrier, joint->body);
    joint->parent = find_carrier(m, carrier, joint->parent);
  }
  for (int k = 0; k < m->ignored; k++)
    for (int i = 0; i < 2; i++)
      m->ignore[k].body[i] = find_carrier(m, carrier, m->ignore[k].body[i]);
  return STC_OK;
}

/// The root of a URDF may be let go where it weighs something, with what is fixed on it.
static stc_error open_root(stc_model *m) {
  if (m->root < 0) return STC_OK;
  const stc_model_body *root = &m->body[m->root];
  if (root->given && strcmp(root->name, "world") != 0)
    return stc_model_remember(m, "link '%s' stands; run with --set fixed_base=false to let it go",
                              root->name);
  m->root = -1;
  return STC_OK;
}

static bool has_density(const stc_model *m, int b) {
  for (int k = stc_model_first_part(m, b); k >= 0; k = m->next_part[k])
    if (m->part[k].density > 0) return true;
  return false;
}

/// The mass of a body that its parts give, as its own.
static stc_error weigh_parts(stc_model *m, int b) {
  for (int k = stc_model_first_part(m, b); k >= 0; k = m->next_part[k]) {
    const stc_model_part *part = &m->part[k];
    double volume, centre[3], six[6], J[9];
    if (!(part->density > 0)) continue;
    STC_TRY(stc_shape_mass(&part->shape, &volume, centre, six));
    for (int i = 0; i < 6; i++) six[i] *= part->density;
    stc_pose_point(&part->pose, centre, centre);
    stc_model_rotate_inertia(part->pose.rotation, six, J);
    stc_model_add_mass(&m->body[b], part->density * volume, centre, J);
  }
  return STC_OK;
}

/// What light bodies weigh is taken from those they serve: where the joints begin nothing changes.
static stc_error weigh_light_bodies(stc_model *m) {
  static const double LIGHT = 0.01;
  for (int b = 0; b < m->bodies; b++) {
    stc_model_body *light = &m->body[b], *own = &m->body[light->serves - (light->serves > 0)];
    if (light->serves == 0) continue;
    if (!own->given) STC_TRY(weigh_parts(m, light->serves - 1));
    if (!own->given) continue;  // check_masses names it
    light->given = true;
    light->mass = LIGHT * own->mass;
    stc_copy3(own->centre, light->centre);
    for (int k = 0; k < 9; k++) light->inertia[k] = LIGHT * own->inertia[k];
    for (int k = 0; k < 9; k++) own->inertia[k] -= light->inertia[k];
    own->mass -= light->mass;
  }
  return STC_OK;
}

static stc_error check_masses(const stc_model *m) {
  for (int b = 0; b < m->bodies; b++) {
    const stc_model_body *body = &m->body[b];
    if (body->fixed || body->welded || body->given || has_density(m, b)) continue;
    return stc_fail(STC_ERR_FORMAT,
                    "%s:%d: '%.60s' moves, but has no mass; give it an <inertial> with one",
                    m->path, body->line, body->name);
  }
  return STC_OK;
}

// --- Joints that follow others ---

static const stc_model_joint *find_joint(stc_model *m, const char *name) {
  int k, j = stc_model_find_joint(m, name, &k);
  return j < 0 ? NULL : &m->joint[j];
}

static bool turns_in_place(const stc_model *m, const stc_model_joint *j) {
  int parent = j->parent;
  while (parent >= 0 && m->body[parent].welded) parent = m->body[parent].parent;
  return j->kind == STC_JOINT_HINGE && (parent < 0 || m->body[parent].fixed);
}

stc_error stc_model_couple(stc_model *m, const stc_xml *node, const char *name, const char *other,
                           double multiplier, double offset) {
  const stc_model_joint *follows = find_joint(m, name), *leads = find_joint(m, other);
  if (!leads) return stc_model_refuse(m, node, "there is no joint '%.60s' to follow", other);
  if (!follows) return stc_model_refuse(m, node, "there is no joint '%.60s'", name);
  if (follows == leads) return stc_model_refuse(m, node, "joint '%.60s' follows itself", name);
  bool gear = turns_in_place(m, follows) && turns_in_place(m, leads) && multiplier != 0;
  if (!gear)
    return stc_model_remember(m,
                              "line %d: joint '%s' does not follow '%s': gears are between hinges "
                              "on bodies that stand",
                              node->line, name, other);
  if (offset != 0)
    STC_TRY(stc_model_remember(m, "line %d: the offset %g of joint '%s' is left out", node->line,
                               offset, name));
  stc_model_joint made = *follows;
  made.kind = STC_JOINT_GEAR;
  made.name = NULL;
  memset(made.coordinate_name, 0, sizeof made.coordinate_name);
  made.parent = leads->body;
  made.ratio = -multiplier;  // angle - multiplier other angle stays the same
  stc_copy3(leads->axis, made.axis2);
  stc_model_joint *gear_joint = stc_model_add_joint(m);
  if (!gear_joint) return stc_arena_check(&m->arena);
  made.coordinate[0] = gear_joint->coordinate[0];
  *gear_joint = made;
  return STC_OK;
}

// --- What was not read ---

/// How often an element of that name, or that attribute of it, was passed over below a node.
typedef struct passed {
  const char *element, *attribute;
  int count, line;
} passed;

static bool is_same(const char *a, const char *b) {
  return (!a && !b) || (a && b && !strcmp(a, b));
}

static bool note_passed(stc_arena *arena, passed **list, int *count, int *room, const passed *p) {
  enum { MOST = 200 };
  for (int k = 0; k < *count; k++)
    if (is_same((*list)[k].element, p->element) && is_same((*list)[k].attribute, p->attribute))
      return (*list)[k].count++, true;
  if (*count == MOST) return true;
  passed *more = stc_arena_more(arena, *list, *count, room, sizeof *p);
  if (!more) return false;
  *list = more;
  (*list)[(*count)++] = *p;
  return true;
}

/// Walks the tree; an element that is passed over is so with all that is in it.
static stc_error list_passed(stc_xml *root, stc_arena *arena, passed **list, int *count) {
  int room = 0;
  for (stc_xml *n = root; n;) {
    passed p = {.element = n->name, .count = 1, .line = n->line};
    if (!n->seen) note_passed(arena, list, count, &room, &p);
    for (int k = 0; n->seen && k < n->attributes; k++) {
      p.attribute = n->attribute[k].name;
      if (!n->attribute[k].seen) note_passed(arena, list, count, &room, &p);
    }
    if (n->seen && n->child) {
      n = n->child;
      continue;
    }
    while (n && n != root && !n->next) n = n->parent;
    n = n == root || !n ? NULL : n->next;
  }
  return stc_arena_check(arena);
}

static stc_error name_passed(stc_model *m, stc_xml *root) {
  STC_ARENA arena = {0};
  passed *list = NULL;
  int count = 0;
  STC_TRY(list_passed(root, &arena, &list, &count));
  for (int k = 0; k < count; k++) {
    const passed *p = &list[k];
    char more[40] = "";
    if (p->count > 1) stc_snprintf(more, sizeof more, " and %d more", p->count - 1);
    if (p->attribute)
      STC_TRY(stc_model_remember(m, "line %d%s: %.60s of <%.60s> is not read", p->line, more,
                                 p->attribute, p->element));
    else
      STC_TRY(stc_model_remember(m, "line %d%s: <%.60s> is not read", p->line, more, p->element));
  }
  return STC_OK;
}

stc_error stc_model_finish(stc_model *m, stc_xml *root) {
  STC_TRY(merge_welded(m));
  STC_TRY(open_root(m));
  STC_TRY(stc_model_list_parts(m));
  STC_TRY(weigh_light_bodies(m));
  STC_TRY(check_masses(m));
  return name_passed(m, root);
}
