// Relations of MJCF between bodies and joints: equalities, excluded pairs, actuators.
#include "mjcf.h"

#include "../base/vec3.h"

/// The body that an attribute names; absent: the world where that is allowed.
static stc_error find_body(stc_mjcf *f, const stc_xml *node, const char *name, bool world,
                           int *body) {
  const char *text = stc_xml_get(node, name);
  *body = -1;
  if (world && (!text || !strcmp(text, "world"))) return STC_OK;
  if (text) *body = stc_model_find(f->model, text);
  if (*body >= 0) return STC_OK;
  return stc_model_refuse(f->model, node, "%s of <%s> names no body: '%.60s'", name, node->name,
                          text ? text : "");
}

static stc_error take_connection(stc_mjcf *f, const stc_xml *node, stc_joint_kind kind) {
  int body[2], found;
  double anchor[3] = {0};
  if (!stc_xml_get(node, "body1"))
    return stc_model_remember(f->model, "line %d: a <%s> between sites is not read", node->line,
                              node->name);
  STC_TRY(find_body(f, node, "body1", false, &body[0]));
  STC_TRY(find_body(f, node, "body2", true, &body[1]));
  STC_TRY(stc_mjcf_numbers(f, node, NULL, "anchor", 3, 3, anchor, &found));
  stc_model_joint *joint = stc_model_add_joint(f->model);
  if (!joint) return stc_arena_check(&f->model->arena);
  joint->kind = kind;
  joint->line = node->line;
  joint->body = body[0];
  joint->parent = body[1];
  joint->axis[2] = 1;
  stc_pose_point(&f->model->body[body[0]].pose, anchor, joint->anchor);
  return STC_OK;
}

static stc_error take_coupling(stc_mjcf *f, const stc_xml *node) {
  const char *joint = stc_xml_get(node, "joint1"), *other = stc_xml_get(node, "joint2");
  double polynomial[5] = {0, 1};
  int found;
  STC_TRY(stc_mjcf_numbers(f, node, NULL, "polycoef", 1, 5, polynomial, &found));
  if (!joint || !other)
    return stc_model_remember(f->model, "line %d: a joint that is held is not read; use a weld",
                              node->line);
  for (int k = 2; k < found; k++)
    if (polynomial[k] != 0)
      return stc_model_remember(f->model,
                                "line %d: joint '%.60s' does not follow '%.60s' in a curve",
                                node->line, joint, other);
  return stc_model_couple(f->model, node, joint, other, polynomial[1], polynomial[0]);
}

static stc_error take_equalities(stc_mjcf *f, const stc_xml *list) {
  for (const stc_xml *n = stc_xml_child(list, "connect"); n; n = stc_xml_next(n, "connect"))
    STC_TRY(take_connection(f, n, STC_JOINT_BALL));
  for (const stc_xml *n = stc_xml_child(list, "weld"); n; n = stc_xml_next(n, "weld"))
    STC_TRY(take_connection(f, n, STC_JOINT_FIXED));
  for (const stc_xml *n = stc_xml_child(list, "joint"); n; n = stc_xml_next(n, "joint"))
    STC_TRY(take_coupling(f, n));
  return STC_OK;
}

static stc_error take_exclusions(stc_mjcf *f, const stc_xml *list) {
  for (const stc_xml *n = stc_xml_child(list, "exclude"); n; n = stc_xml_next(n, "exclude")) {
    int body[2];
    stc_xml_get(n, "name");
    STC_TRY(find_body(f, n, "body1", false, &body[0]));
    STC_TRY(find_body(f, n, "body2", false, &body[1]));
    STC_TRY(stc_model_add_ignored(f->model, body[0], body[1]));
  }
  return STC_OK;
}

// --- Actuators ---

/// NULL: there is no joint of that name, or it has no coordinates; *ball tells which.
static stc_joint_coordinate *find_coordinate(stc_model *m, const char *name, bool *ball) {
  int k = 0, j = name ? stc_model_find_joint(m, name, &k) : -1;
  *ball = j >= 0 && k >= stc_joint_coordinates((int)m->joint[j].kind, false);
  return j < 0 || *ball ? NULL : &m->joint[j].coordinate[k];
}

static stc_error take_servo(stc_mjcf *f, const stc_xml *n, stc_joint_coordinate *c) {
  bool velocity = n->name[0] == 'v';
  double kp = velocity ? 0 : 1, kv = velocity ? 1 : 0, range[2];
  int found;
  if (!velocity) STC_TRY(stc_mjcf_number(f, n, NULL, "kp", &kp));
  STC_TRY(stc_mjcf_number(f, n, NULL, "kv", &kv));
  STC_TRY(stc_mjcf_numbers(f, n, NULL, "forcerange", 2, 2, range, &found));
  if (found) c->motor_force = fmax(fabs(range[0]), fabs(range[1]));
  if (!(kp >= 0 && kv >= 0))
    return stc_model_refuse(f->model, n, "kp = %g, kv = %g; give gains from 0 on", kp, kv);
  c->motor = kp + kv > 0 ? STC_MOTOR_POSITION : STC_MOTOR_NONE;
  c->motor_stiffness = kp;
  c->motor_damping = kv;
  return STC_OK;
}

/// A general actuator whose force is kp (control - x) - kv rate.
static stc_error take_general(stc_mjcf *f, const stc_xml *n, stc_joint_coordinate *c, bool *servo) {
  const char *bias_type = stc_xml_get(n, "biastype");
  double gain[3] = {1}, bias[3] = {0}, range[2];
  int found;
  STC_TRY(stc_mjcf_numbers(f, n, NULL, "gainprm", 1, 3, gain, &found));
  STC_TRY(stc_mjcf_numbers(f, n, NULL, "biasprm", 1, 3, bias, &found));
  STC_TRY(stc_mjcf_numbers(f, n, NULL, "forcerange", 2, 2, range, &found));
  *servo = bias_type && !strcmp(bias_type, "affine") && bias[0] == 0 && gain[0] >= 0 &&
           bias[1] == -gain[0] && bias[2] <= 0;
  if (!*servo) return STC_OK;
  stc_xml_get(n, "forcelimited");
  c->motor = gain[0] - bias[2] > 0 ? STC_MOTOR_POSITION : STC_MOTOR_NONE;
  c->motor_stiffness = gain[0];
  c->motor_damping = -bias[2];
  if (found) c->motor_force = fmax(fabs(range[0]), fabs(range[1]));
  return STC_OK;
}

static stc_error take_actuator(stc_mjcf *f, const stc_xml *n) {
  const char *joint = stc_xml_get(n, "joint"), *name = stc_xml_get(n, "name");
  double gear[6] = {1};
  int found;
  STC_TRY(stc_mjcf_check_class(f, n, "class"));
  bool ball;
  stc_joint_coordinate *c = find_coordinate(f->model, joint, &ball);
  if (joint && !c && !ball)
    return stc_model_refuse(f->model, n, "there is no joint '%.60s'", joint);
  STC_TRY(stc_mjcf_numbers(f, n, NULL, "gear", 1, 6, gear, &found));
  if (!c)
    return stc_model_remember(f->model,
                              "line %d: actuator '%.60s' acts on no hinge or slide; it is left out",
                              n->line, name ? name : "");
  bool servo = strcmp(n->name, "motor") != 0 && gear[0] == 1;
  if (servo && strcmp(n->name, "general") != 0) return take_servo(f, n, c);
  if (servo) STC_TRY(take_general(f, n, c, &servo));
  if (servo) return STC_OK;
  return stc_model_remember(
      f->model,
      "line %d: %s '%.60s' of joint '%.60s' is left out: apply its torque as a "
      "load, or make it a position servo",
      n->line, n->name, name ? name : "", joint);
}

static stc_error take_actuators(stc_mjcf *f, const stc_xml *list) {
  static const char *const kinds[] = {"motor", "position", "velocity", "general", NULL};
  for (int k = 0; kinds[k]; k++)
    for (const stc_xml *n = stc_xml_child(list, kinds[k]); n; n = stc_xml_next(n, kinds[k]))
      STC_TRY(take_actuator(f, n));
  return STC_OK;
}

stc_error stc_mjcf_relations(stc_mjcf *f, const stc_xml *mujoco) {
  for (const stc_xml *n = stc_xml_child(mujoco, "equality"); n; n = stc_xml_next(n, "equality"))
    STC_TRY(take_equalities(f, n));
  for (const stc_xml *n = stc_xml_child(mujoco, "contact"); n; n = stc_xml_next(n, "contact"))
    STC_TRY(take_exclusions(f, n));
  for (const stc_xml *n = stc_xml_child(mujoco, "actuator"); n; n = stc_xml_next(n, "actuator"))
    STC_TRY(take_actuators(f, n));
  return STC_OK;
}
