// MJCF: settings of the compiler, defaults, and the tree of bodies.
#include "mjcf.h"

#include "../base/vec3.h"

static const double PI = 3.14159265358979323846;

double stc_mjcf_angle(stc_mjcf *f, double angle) { return f->degrees ? angle * PI / 180 : angle; }

// --- Numbers ---

stc_error stc_mjcf_numbers(stc_mjcf *f, const stc_xml *node, const char *childclass,
                           const char *name, int least, int most, double *x, int *found) {
  const char *text = stc_mjcf_get(f, node, childclass, name);
  double given[16];
  *found = 0;
  if (!text) return STC_OK;
  int count = stc_xml_numbers(text, most < 16 ? most : 16, given);
  if (count < least)
    return stc_model_refuse(f->model, node, "%s of <%s> is '%.60s'; give %d number%s", name,
                            node->name, text, least, least == 1 ? "" : "s or more");
  memcpy(x, given, (size_t)count * sizeof *x);
  *found = count;
  return STC_OK;
}

stc_error stc_mjcf_number(stc_mjcf *f, const stc_xml *node, const char *childclass,
                          const char *name, double *x) {
  int found;
  return stc_mjcf_numbers(f, node, childclass, name, 1, 1, x, &found);
}

// --- Poses ---

stc_error stc_mjcf_pose(stc_mjcf *f, const stc_xml *node, const char *childclass, stc_pose *pose) {
  double x[6];
  int found;
  *pose = stc_pose_identity();
  STC_TRY(stc_mjcf_numbers(f, node, childclass, "pos", 3, 3, pose->x, &found));
  STC_TRY(stc_mjcf_numbers(f, node, childclass, "quat", 4, 4, x, &found));
  if (found) {
    double *q = pose->rotation;
    double norm = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    if (!(norm > 1e-6)) return stc_model_refuse(f->model, node, "a quaternion without a length");
    for (int k = 0; k < 4; k++) q[k] = x[k] / norm;
    return STC_OK;
  }
  STC_TRY(stc_mjcf_numbers(f, node, childclass, "euler", 3, 3, x, &found));
  for (int k = 0; k < found; k++) x[k] = stc_mjcf_angle(f, x[k]);
  if (found) stc_model_euler(f->eulerseq, x, pose->rotation);
  STC_TRY(stc_mjcf_numbers(f, node, childclass, "axisangle", 4, 4, x, &found));
  if (found) stc_model_about(x, stc_mjcf_angle(f, x[3]), pose->rotation);
  STC_TRY(stc_mjcf_numbers(f, node, childclass, "xyaxes", 6, 6, x, &found));
  if (found) stc_model_from_axes(x, x + 3, pose->rotation);
  STC_TRY(stc_mjcf_numbers(f, node, childclass, "zaxis", 3, 3, x, &found));
  if (found) stc_model_to_axis(x, pose->rotation);
  for (int k = 0; k < 4; k++)
    if (!isfinite(pose->rotation[k]))
      return stc_model_refuse(f->model, node, "the axes of <%s> give no rotation", node->name);
  return STC_OK;
}

// --- Bodies ---

static stc_error take_inertial(stc_mjcf *f, const stc_xml *node, stc_model_body *body) {
  double mass = 0, six[6] = {0}, J[9], full[6];
  stc_pose pose;
  int found;
  STC_TRY(stc_mjcf_pose(f, node, NULL, &pose));
  STC_TRY(stc_mjcf_number(f, node, NULL, "mass", &mass));
  STC_TRY(stc_mjcf_numbers(f, node, NULL, "diaginertia", 3, 3, six, &found));
  STC_TRY(stc_mjcf_numbers(f, node, NULL, "fullinertia", 6, 6, full, &found));
  if (found)
    memcpy(six, (double[]){full[0], full[1], full[2], full[3], full[5], full[4]}, sizeof six);
  if (!(mass > 0)) return stc_model_refuse(f->model, node, "a mass of %g kg; give one > 0", mass);
  pose = stc_pose_compose(&body->pose, &pose);
  stc_model_rotate_inertia(pose.rotation, six, J);
  stc_model_add_mass(body, mass, pose.x, J);
  return STC_OK;
}

/// A body in the making, and what it hands on to those in it.
typedef struct body_frame {
  const stc_xml *node;
  int body;
  const char *childclass;
} body_frame;

static stc_error take_contents(stc_mjcf *f, const body_frame *frame) {
  const stc_pose here = stc_pose_identity();
  for (const stc_xml *g = stc_xml_child(frame->node, "geom"); g; g = stc_xml_next(g, "geom"))
    STC_TRY(stc_mjcf_geom(f, g, frame->childclass, frame->body,
                          frame->body < 0 ? &here : &f->model->body[frame->body].pose));
  return STC_OK;
}

static stc_error take_body(stc_mjcf *f, const stc_xml *node, const body_frame *outer,
                           body_frame *own) {
  stc_model *m = f->model;
  stc_pose pose;
  const char *class = stc_xml_get(node, "childclass"), *name = stc_xml_get(node, "name");
  *own = (body_frame){node, m->bodies, class ? class : outer->childclass};
  STC_TRY(stc_mjcf_pose(f, node, NULL, &pose));
  if (outer->body >= 0) pose = stc_pose_compose(&m->body[outer->body].pose, &pose);
  STC_TRY(stc_mjcf_check_class(f, node, "childclass"));
  stc_model_body *body = stc_model_add_body(m);
  if (!body) return stc_arena_check(&m->arena);
  body->name = name;
  body->line = node->line;
  body->parent = outer->body;
  body->pose = pose;
  const stc_xml *inertial = stc_xml_child(node, "inertial");
  if (inertial && !f->from_geoms) STC_TRY(take_inertial(f, inertial, body));
  STC_TRY(stc_mjcf_joints(f, node, own->childclass, own->body, outer->body));
  return take_contents(f, own);
}

/// All bodies, those in others after them; the depth is that of the file.
static stc_error take_body_tree(stc_mjcf *f, const body_frame *outer) {
  for (const stc_xml *b = stc_xml_child(outer->node, "body"); b; b = stc_xml_next(b, "body")) {
    body_frame own;
    STC_TRY(take_body(f, b, outer, &own));
    STC_TRY(take_body_tree(f, &own));
  }
  return STC_OK;
}

// --- Settings ---

static bool is_true(const char *text) { return text && !strcmp(text, "true"); }

static stc_error take_compiler(stc_mjcf *f, const stc_xml *node) {
  const char *angle = stc_xml_get(node, "angle"), *order = stc_xml_get(node, "eulerseq"),
             *limits = stc_xml_get(node, "autolimits"), *place = stc_xml_get(node, "coordinate"),
             *assets = stc_xml_get(node, "assetdir"), *meshes = stc_xml_get(node, "meshdir");
  if (angle) f->degrees = strcmp(angle, "radian") != 0;
  if (limits) f->autolimits = is_true(limits);
  if (assets) f->meshdir = assets;
  if (meshes) f->meshdir = meshes;
  f->from_geoms = is_true(stc_xml_get(node, "inertiafromgeom"));
  if (place && strcmp(place, "local") != 0)
    return stc_model_refuse(f->model, node, "coordinate=\"%.20s\" is not read; use local ones",
                            place);
  if (!order) return STC_OK;
  if (strlen(order) != 3 || strspn(order, "xyzXYZ") != 3)
    return stc_model_refuse(f->model, node, "eulerseq is '%.20s'; give three of x, y, z", order);
  f->eulerseq = order;
  return STC_OK;
}

static stc_error take_settings(stc_mjcf *f, stc_xml *mujoco) {
  for (const stc_xml *c = stc_xml_child(mujoco, "compiler"); c; c = stc_xml_next(c, "compiler"))
    STC_TRY(take_compiler(f, c));
  for (const stc_xml *o = stc_xml_child(mujoco, "option"); o; o = stc_xml_next(o, "option")) {
    int found;
    STC_TRY(stc_mjcf_numbers(f, o, NULL, "gravity", 3, 3, f->model->gravity, &found));
    STC_TRY(stc_mjcf_number(f, o, NULL, "timestep", &f->model->h));
  }
  if (f->model->h < 0 || f->model->h > 10)
    return stc_model_refuse(f->model, mujoco, "a timestep of %g s; give one above 0", f->model->h);
  return STC_OK;
}

/// What is included may be anything: a model without it is another one.
static stc_error refuse_includes(const stc_model *m, const stc_xml *mujoco) {
  for (const stc_xml *n = mujoco; n;) {
    if (!strcmp(n->name, "include"))
      return stc_model_refuse(m, n, "<include> is not read; put what it names into this file");
    if (n->child) {
      n = n->child;
      continue;
    }
    while (n && n != mujoco && !n->next) n = n->parent;
    n = n == mujoco || !n ? NULL : n->next;
  }
  return STC_OK;
}

stc_error stc_model_read_mjcf(stc_model *m, stc_xml *mujoco) {
  stc_mjcf f = {.model = m,
                .root = mujoco,
                .degrees = true,
                .autolimits = true,
                .eulerseq = "xyz",
                .meshdir = ""};
  const char *name = stc_xml_get(mujoco, "model");
  if (name) m->name = name;
  STC_TRY(refuse_includes(m, mujoco));
  STC_TRY(take_settings(&f, mujoco));
  STC_TRY(stc_mjcf_list_classes(&f, mujoco));
  stc_mjcf_list_meshes(&f, mujoco);
  for (const stc_xml *w = stc_xml_child(mujoco, "worldbody"); w; w = stc_xml_next(w, "worldbody")) {
    body_frame world = {w, -1, NULL};
    STC_TRY(take_contents(&f, &world));
    STC_TRY(take_body_tree(&f, &world));
  }
  if (m->bodies + m->parts == 0)
    return stc_model_refuse(m, mujoco, "there are no bodies: <worldbody> is empty");
  STC_TRY(stc_model_check_names(m, "bodies"));
  return stc_mjcf_relations(&f, mujoco);
}
