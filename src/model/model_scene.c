// A model as the text of a scene: bodies with their parts in the frames of the file, joints,
// friction as surfaces, groups from the types of contact.
#include "model_data.h"

#include "../base/number.h"
#include "../base/vec3.h"

/// Kinds of contact (contype, conaffinity) and coefficients of friction that occur.
typedef struct kinds {
  int types, frictions;
  uint64_t type[64][2];
  double friction[64];
} kinds;

enum { MOST_KINDS = 62, NOBODY = 64, UNSEEN = 63 };  // groups; those that meet nothing

// --- Words ---

static void put_numbers(stc_text *t, const double *x, int count) {
  stc_text_put(t, "{ ");
  for (int k = 0; k < count; k++) stc_text_put(t, "%s%.15g", k ? ", " : "", x[k] + 0.0);
  stc_text_put(t, " }");
}

/// Names are 39 letters at most, and different: what is long or missing is numbered.
static void put_name(stc_model *m, stc_text *t, int b) {
  const char *name = b < 0 ? "world" : m->body[b].name;
  char made[48];
  stc_snprintf(made, sizeof made, "body %d", b + 1);
  bool fits = name && *name && strlen(name) < 40;
  if (fits && b < 0 && stc_model_find(m, name) >= 0) fits = false;
  // In quotes, as Lua reads it.
  const char *text = fits ? name : made;
  stc_text_put(t, "\"");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ' || c == 127)
      stc_text_put(t, "\\%03d", c);
    else
      stc_text_put(t, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
  }
  stc_text_put(t, "\"");
}

static void put_comment(stc_text *t, const char *before, const char *text) {
  stc_text_put(t, "-- %s", before);
  while (*text) {
    size_t line = strcspn(text, "\r\n");
    stc_text_put(t, "%.*s%s", (int)line, text, text[line] ? " " : "");
    text += line + (text[line] != '\0');
  }
  stc_text_put(t, "\n");
}

// --- Kinds of contact ---

static int type_of(kinds *k, const uint64_t type[2]) {
  for (int i = 0; i < k->types; i++)
    if (k->type[i][0] == type[0] && k->type[i][1] == type[1]) return i;
  if (k->types == MOST_KINDS) return 0;
  memcpy(k->type[k->types], type, sizeof k->type[0]);
  return k->types++;
}

static int friction_of(kinds *k, double mu) {
  for (int i = 0; i < k->frictions; i++)
    if (k->friction[i] == mu) return i;
  if (k->frictions == MOST_KINDS) return 0;
  k->friction[k->frictions] = mu;
  return k->frictions++;
}

static bool types_meet(const kinds *k, int a, int b) {
  return (k->type[a][0] & k->type[b][1]) || (k->type[b][0] & k->type[a][1]);
}

static bool meets_nothing(const kinds *k, int type) {
  for (int i = 0; i < k->types; i++)
    if (types_meet(k, type, i)) return false;
  return true;
}

/// A part is in the group of its type and meets those that its type meets.
static void put_groups(stc_text *t, kinds *k, const stc_model_part *part) {
  int own = type_of(k, part->type);
  if (k->types == 1 && types_meet(k, 0, 0)) return;
  if (meets_nothing(k, own)) {
    stc_text_put(t, ", group = %d, mask = %d", UNSEEN, NOBODY);
    return;
  }
  stc_text_put(t, ", group = %d, mask = { ", own + 1);
  for (int i = 0, put = 0; i < k->types; i++)
    if (types_meet(k, own, i)) stc_text_put(t, "%s%d", put++ ? ", " : "", i + 1);
  stc_text_put(t, " }");
}

// --- Bodies ---

static stc_pose seen_from(const stc_pose *at, const stc_pose *pose) {
  stc_pose back = {
      .rotation = {at->rotation[0], -at->rotation[1], -at->rotation[2], -at->rotation[3]}};
  double shifted[3];
  stc_sub3(pose->x, at->x, shifted);
  stc_pose origin = {.rotation = {1, 0, 0, 0}};
  memcpy(origin.x, shifted, sizeof shifted);
  memcpy(origin.rotation, pose->rotation, sizeof origin.rotation);
  return stc_pose_compose(&back, &origin);
}

static void put_pose(stc_text *t, const stc_pose *pose) {
  if (stc_norm3(pose->x) > 0) stc_text_put(t, ", at = "), put_numbers(t, pose->x, 3);
  if (fabs(pose->rotation[0]) == 1) return;
  stc_text_put(t, ", rotation = ");
  put_numbers(t, pose->rotation, 4);
}

static void put_hull(stc_text *t, const stc_hull *hull) {
  const double *point;
  int count = stc_hull_points(hull, &point);
  stc_text_put(t, "hull = {");
  for (int k = 0; k < count; k++) {
    stc_text_put(t, "%s", k % 4 ? " " : "\n      ");
    put_numbers(t, point + 3 * k, 3);
    stc_text_put(t, ",");
  }
  stc_text_put(t, " }");
}

static void put_shape(stc_text *t, const stc_shape *s) {
  const double whole[3] = {2 * s->half[0], 2 * s->half[1], 2 * s->half[2]};
  switch (s->kind) {
  case STC_SHAPE_BOX:
    stc_text_put(t, "box = ");
    put_numbers(t, whole, 3);
    return;
  case STC_SHAPE_SPHERE:
    stc_text_put(t, "sphere = %.15g", s->radius);
    return;
  case STC_SHAPE_PLANE:
    stc_text_put(t, "plane = true");
    return;
  case STC_SHAPE_HULL:
    put_hull(t, s->hull);
    return;
  default:
    stc_text_put(t, "%s = { radius = %.15g, length = %.15g }", stc_shape_name(s->kind), s->radius,
                 whole[2]);
  }
}

static void put_part(const stc_model *m, stc_text *t, kinds *k, const stc_model_part *part) {
  const stc_pose here = stc_pose_identity();
  const stc_model_body *body = part->body < 0 ? NULL : &m->body[part->body];
  stc_pose pose = seen_from(body ? &body->pose : &here, &part->pose);
  bool weighs = part->density > 0 && body && !body->given && !body->fixed;
  stc_text_put(t, "    { ");
  put_shape(t, &part->shape);
  put_pose(t, &pose);
  if (weighs) stc_text_put(t, ", density = %.15g", part->density);
  put_groups(t, k, part);
  stc_text_put(t, " },\n");
}

/// The parts of a body with one friction; a body has one surface.
static void put_parts(const stc_model *m, stc_text *t, kinds *k, int b, double *mu) {
  int count = 0;
  for (int p = stc_model_first_part(m, b); p >= 0; p = m->next_part[p]) {
    if (count++ == 0) stc_text_put(t, ",\n  parts = {\n");
    *mu = fmax(*mu, m->part[p].mu);
    put_part(m, t, k, &m->part[p]);
  }
  if (count) stc_text_put(t, "  }");
}

static void put_body(stc_model *m, stc_text *t, kinds *k, int b) {
  const stc_model_body *body = b < 0 ? NULL : &m->body[b];
  double mu = -1;
  stc_text_put(t, "rigid { name = ");
  put_name(m, t, b);
  if (b >= 0) put_pose(t, &body->pose);
  if (b >= 0 && b == m->root)
    stc_text_put(t, ", fixed = p.fixed_base");
  else if (b < 0 || body->fixed)
    stc_text_put(t, ", fixed = true");
  if (body && body->given && (!body->fixed || b == m->root)) {
    // Mass, centre and inertia in the frame of the body.
    const double *q = body->pose.rotation, *J = body->inertia;
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    const double six[6] = {J[0], J[4], J[8], J[1], J[5], J[2]};
    const stc_pose at = {.x = {body->centre[0], body->centre[1], body->centre[2]},
                         .rotation = {1, 0, 0, 0}};
    stc_pose centre = seen_from(&body->pose, &at);
    double own[9];
    stc_model_rotate_inertia(back, six, own);
    const double given[6] = {own[0], own[4], own[8], own[1], own[5], own[2]};
    stc_text_put(t, ",\n  mass = %.15g, centre = ", body->mass);
    put_numbers(t, centre.x, 3);
    stc_text_put(t, ", inertia = ");
    put_numbers(t, given, 6);
  }
  put_parts(m, t, k, b, &mu);
  if (mu >= 0) stc_text_put(t, ",\n  surface = \"mu %.15g\"", mu);
  stc_text_put(t, " }\n");
}

/// A fixed body without parts is nowhere in a scene.
static bool is_there(const stc_model *m, int b) {
  if (b >= 0 && m->body[b].welded) return false;
  if (b >= 0 && (!m->body[b].fixed || b == m->root)) return true;
  return stc_model_first_part(m, b) >= 0;
}

// --- Joints ---

/// A side of a limit that may be open.
static void put_side(stc_text *t, double x) {
  if (isfinite(x))
    stc_text_put(t, "%.15g", x + 0.0);
  else
    stc_text_put(t, "%smath.huge", x < 0 ? "-" : "");
}

/// What acts along a coordinate; whether anything does.
static bool put_coordinate(stc_text *t, const stc_joint_coordinate *c) {
  size_t before = t->length;
  if (c->start != 0) stc_text_put(t, " start = %.15g,", c->start);
  if (isfinite(c->least) || isfinite(c->greatest)) {
    stc_text_put(t, " limit = { ");
    put_side(t, c->least);
    stc_text_put(t, ", ");
    put_side(t, c->greatest);
    stc_text_put(t, " },");
  }
  if (c->stiffness > 0 || c->damping > 0)
    stc_text_put(t, " spring = { stiffness = %.15g, damping = %.15g, rest = %.15g },", c->stiffness,
                 c->damping, c->rest);
  if (c->motor) {
    stc_text_put(t, " motor = { %s = %.15g, stiffness = %.15g, damping = %.15g",
                 c->motor == STC_MOTOR_POSITION ? "position" : "velocity", c->target,
                 c->motor_stiffness, c->motor_damping);
    if (isfinite(c->motor_force)) stc_text_put(t, ", force = %.15g", c->motor_force);
    stc_text_put(t, " },");
  }
  if (c->friction > 0) stc_text_put(t, " friction = %.15g,", c->friction);
  return t->length > before;
}

static void put_coordinates(stc_text *t, const stc_model_joint *joint) {
  int count = stc_joint_coordinates((int)joint->kind, false);
  bool acts = false;
  stc_text text = {0};
  for (int k = 0; k < count; k++) {
    stc_text_put(&text, "%s{", k ? ", " : "");
    acts = put_coordinate(&text, &joint->coordinate[k]) || acts;
    stc_text_put(&text, " }");
  }
  if (acts) stc_text_put(t, ",\n  coordinates = { %s }", text.at);
  stc_text_free(&text);
}

static void put_joint(stc_model *m, stc_text *t, const stc_model_joint *joint) {
  if (joint->name) put_comment(t, "", joint->name);
  stc_text_put(t, "joint { kind = \"%s\", bodies = { ", stc_joint_name((int)joint->kind));
  put_name(m, t, joint->body);
  if (is_there(m, joint->parent)) {
    stc_text_put(t, ", ");
    put_name(m, t, joint->parent);
  }
  stc_text_put(t, " }, at = ");
  put_numbers(t, joint->anchor, 3);
  if (joint->kind != STC_JOINT_BALL && joint->kind != STC_JOINT_FIXED)
    stc_text_put(t, ", axis = "), put_numbers(t, joint->axis, 3);
  if (stc_norm3(joint->axis2) > 0) stc_text_put(t, ", axis2 = "), put_numbers(t, joint->axis2, 3);
  if (joint->kind == STC_JOINT_GEAR) stc_text_put(t, ", ratio = %.15g", joint->ratio);
  put_coordinates(t, joint);
  stc_text_put(t, " }\n");
}

// --- The whole ---

static void put_head(const stc_model *m, stc_text *t) {
  put_comment(t, "Converted from ", m->path);
  if (*m->name) put_comment(t, "", m->name);
  for (int k = 0; k < m->remarks; k++) put_comment(t, "Note: ", m->remark[k]);
  stc_text_put(t, "local p = parameters { h = %.15g, t_end = 2%s }\n\n", m->h > 0 ? m->h : 2e-3,
               m->root >= 0 ? ", fixed_base = true" : "");
  stc_text_put(t, "world { gravity = ");
  put_numbers(t, m->gravity, 3);
  stc_text_put(t, " }\n");
}

/// Coefficients in the order of the parts; the largest of a body stands for it.
static void list_kinds(const stc_model *m, kinds *k, double *largest) {
  for (int b = 0; b <= m->bodies; b++) largest[b] = -1;
  for (int p = 0; p < m->parts; p++) {
    double *own = &largest[m->part[p].body + 1];
    *own = fmax(*own, m->part[p].mu);
  }
  for (int p = 0; p < m->parts; p++) {
    double mu = largest[m->part[p].body + 1];
    type_of(k, m->part[p].type);
    if (mu >= 0) friction_of(k, mu);
  }
}

static void put_ignored(stc_model *m, stc_text *t) {
  for (int i = 0; i < m->ignored; i++) {
    if (!is_there(m, m->ignore[i].body[0]) || !is_there(m, m->ignore[i].body[1])) continue;
    stc_text_put(t, "ignore { ");
    put_name(m, t, m->ignore[i].body[0]);
    stc_text_put(t, ", ");
    put_name(m, t, m->ignore[i].body[1]);
    stc_text_put(t, " }\n");
  }
}

stc_error stc_model_scene(stc_model *m, const char **text) {
  if (!m || !text) return stc_fail(STC_ERR_ARGUMENT, "a scene needs a model and a place");
  STC_ARENA arena = {0};
  stc_text *t = &m->text;
  kinds *k = STC_TAKE(&arena, kinds, 1);
  double *largest = STC_TAKE_RAW(&arena, double, m->bodies + 1);
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_model_list_parts(m));
  stc_text_free(t);
  list_kinds(m, k, largest);
  put_head(m, t);
  for (int a = 0; a < k->frictions; a++)
    for (int b = 0; b <= a; b++)
      stc_text_put(t, "surface_pair { \"mu %.15g\", \"mu %.15g\", mu = %.15g }\n", k->friction[b],
                   k->friction[a], fmax(k->friction[a], k->friction[b]));
  stc_text_put(t, "\n");
  for (int b = -1; b < m->bodies; b++)
    if (is_there(m, b)) put_body(m, t, k, b);
  for (int j = 0; j < m->joints; j++) put_joint(m, t, &m->joint[j]);
  put_ignored(m, t);
  stc_text_put(t, "\nrun { h = p.h, t_end = p.t_end, tol = 1e-6, accept = 1e-4 }\n");
  if (t->failed) return stc_fail(STC_ERR_MEMORY, "out of memory for a scene");
  *text = t->at;
  return STC_OK;
}
