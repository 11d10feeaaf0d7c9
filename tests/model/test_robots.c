// Robots from files: three that use what such files have are read, become scenes and run; masses,
// frames, joints, limits, defaults, groups and gears are what the files say; hostile XML gets a
// sentence.
#include "unit/scene_support.h"

#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>

#define HERE "tests/model/robots/"

static const double PI = 3.14159265358979323846;

static stc_model *need_model(const char *path) {
  stc_model *model = NULL;
  expect_ok(stc_model_read(path, &model));
  return model;
}

static stc_model *model_of(const char *text) {
  stc_model *model = NULL;
  expect_ok(stc_model_read_bytes("robot.xml", text, strlen(text), &model));
  return model;
}

static bool remarks_on(const stc_model *model, const char *words) {
  for (int k = 0; k < stc_model_remarks(model); k++)
    if (strstr(stc_model_remark(model, k), words)) return true;
  return false;
}

/// A run of the scene of a model with more text behind it.
typedef struct motion {
  stc_scene *scene;
  stc_run *run;
} motion;

static motion move(stc_model *model, const char *more) {
  const char *text;
  char all[60000];
  motion m = {0};
  expect_ok(stc_model_scene(model, &text));
  assert_true(strlen(text) + strlen(more) < sizeof all);
  snprintf(all, sizeof all, "%s\n%s", text, more);
  m.scene = need_scene(all);
  expect_ok(stc_run_create(m.scene, NULL, &m.run));
  run_to_end(m.run);
  return m;
}

static void end(motion *m, stc_model **model) {
  expect_ok(stc_run_close(&m->run));
  stc_scene_free(&m->scene);
  stc_model_free(model);
}

static void an_arm_runs(void **state) {
  // five links, one of which is fixed on another; the shoulder falls onto its limit at 1.2 rad, and
  // the rail onto one of its
  stc_model *model = need_model(HERE "arm.urdf");
  assert_int_equal(stc_model_bodies(model), 5);
  assert_int_equal(stc_model_joints(model), 3);
  assert_true(remarks_on(model, "convex hull") && remarks_on(model, "<transmission> is not read"));
  assert_true(remarks_on(model, "effort of <limit> is not read") && !remarks_on(model, "mass"));
  motion m = move(model, "observables {\n"
                         "  a = function(s) return s.joint(1).value[1] end,\n"
                         "  b = function(s) return s.joint(3).value[1] end,\n"
                         "  c = function(s) return s.body('slide').mass end,\n"
                         "  d = function(s) return s.report.largest_joint_gap end }");
  double shoulder = observe(m.run, 0), rail = observe(m.run, 1);
  assert_true(shoulder <= 1.2 + 1e-8 && shoulder >= -1.5 - 1e-8);
  assert_true(rail >= -1e-8 && rail <= 0.1 + 1e-8);
  expect_near(observe(m.run, 2), 0.3, 1e-15);
  assert_true(observe(m.run, 3) < 1e-9);
  end(&m, &model);
}

static void frames_of_links_are_composed(void **state) {
  // a rod of 3 kg, its centre 0.4 m along x of its link, below a fixed joint that turns by 90
  // degrees about z and a hinge whose frame turns by 30 about y: it points along y in space, 30
  // degrees below the horizontal; J = 0.2 + 3 0.4^2 = 0.68 about the hinge, and its rate grows by
  // m g l cos(30) / J
  stc_model *model = model_of(
      "<robot name='p'><link name='world'/><link name='frame'/><link name='rod'>\n"
      "<inertial><origin xyz='0.4 0 0'/><mass value='3'/>\n"
      "<inertia ixx='0.01' iyy='0.2' izz='0.2' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
      "<joint name='f' type='fixed'><parent link='world'/><child link='frame'/>\n"
      "<origin xyz='0 0 2' rpy='0 0 1.5707963267948966'/></joint>\n"
      "<joint name='h' type='continuous'><parent link='frame'/><child link='rod'/>\n"
      "<origin rpy='0 0.5235987755982988 0'/><axis xyz='0 1 0'/></joint></robot>");
  const char *text;
  char all[4000];
  expect_ok(stc_model_scene(model, &text));
  snprintf(all, sizeof all, "%s", text);
  char *run = strstr(all, "\nrun {");
  assert_non_null(run);
  snprintf(run, 400,
           "\nrun { h = 1e-4, t_end = 1e-4 }\nobservables {\n"
           "  a = function(s) return s.joint(1).rate[1] / s.t end,\n"
           "  b = function(s) return s.body('rod').x[2] end,\n"
           "  c = function(s) return s.body('rod').x[3] end }\n");
  motion once = {.scene = need_scene(all)};
  expect_ok(stc_run_create(once.scene, NULL, &once.run));
  run_to_end(once.run);
  expect_near(observe(once.run, 0), 3 * 9.81 * 0.4 * cos(PI / 6) / 0.68, 1e-5);
  expect_near(observe(once.run, 1), 0.4 * cos(PI / 6), 1e-6);
  expect_near(observe(once.run, 2), 2 - 0.4 * sin(PI / 6), 1e-6);
  end(&once, &model);
}

static void a_hopper_runs(void **state) {
  // it stays in its plane, its knee within its range; what touches is the floor alone
  stc_model *model = need_model(HERE "hopper.xml");
  assert_int_equal(stc_model_bodies(model), 4);
  assert_int_equal(stc_model_joints(model), 4);
  assert_true(remarks_on(model, "motor 'hip'") && remarks_on(model, "<sensor> is not read"));
  motion m =
      move(model, "observables {\n"
                  "  a = function(s) return math.abs(s.body('torso').x[2]) end,\n"
                  "  b = function(s) return s.joint(3).value[1] end,\n"
                  "  c = function(s) local n = 0\n"
                  "    for _, c in ipairs(s.contacts()) do if c.a ~= 1 then n = n + 1 end end\n"
                  "    return n end,\n"
                  "  d = function(s) return s.body('torso').mass end }");
  assert_true(observe(m.run, 0) < 1e-8);
  double knee = observe(m.run, 1);
  assert_true(knee <= 1e-8 && knee >= -150 * PI / 180 - 1e-8);
  assert_true(observe(m.run, 2) == 0);
  // a capsule of radius 0.05 and length 0.4 with 1000 kg/m^3
  expect_near(observe(m.run, 3), 1000 * PI * (0.0025 * 0.4 + 4.0 / 3 * 0.000125), 1e-9);
  end(&m, &model);
}

static void a_linkage_runs(void **state) {
  // the loop stays closed, the wheels turn against each other with the ratio of the equality, the
  // bulb is a part of the lamp, the crate has the mass it was given
  stc_model *model = need_model(HERE "linkage.xml");
  assert_true(remarks_on(model, "ellipsoid") && remarks_on(model, "armature"));
  motion m =
      move(model, "observables {\n"
                  "  a = function(s) return s.report.largest_joint_gap end,\n"
                  "  b = function(s) return s.joint(5).value[1] + 0.5 * s.joint(4).value[1] end,\n"
                  "  c = function(s) return s.joint(4).value[1] end,\n"
                  "  d = function(s) return s.body('crate').mass end,\n"
                  "  e = function(s) return s.body('lamp').mass end,\n"
                  "  f = function(s) return s.joint(1).value[1] end }");
  assert_true(observe(m.run, 0) < 1e-8);
  expect_near(observe(m.run, 1), 0, 1e-8);
  assert_true(fabs(observe(m.run, 2)) > 0.1);
  expect_near(observe(m.run, 3), 10, 1e-12);
  expect_near(observe(m.run, 4), 1000 * 4.0 / 3 * PI * (0.000125 + 0.000008), 1e-9);
  assert_true(fabs(observe(m.run, 5)) > 0.1);
  end(&m, &model);
}

static void a_humanoid_runs(void **state) {
  // classes in classes, three hinges at the hip, two of the ankle at two points: each a joint with
  // its limits, one after the other; the thigh, a capsule of radius 0.06 between (0, 0, 0) and
  // (0, 0.01, -0.34), has its mass but for a hundredth, twice, that is between its hinges
  stc_model *model = need_model(HERE "humanoid.xml");
  assert_int_equal(stc_model_joints(model), 10);
  assert_true(remarks_on(model, "3 joints of body 'right_thigh' follow each other"));
  assert_true(remarks_on(model, "2 joints of body 'right_foot' follow each other"));
  assert_true(remarks_on(model, "<tendon> is not read") && remarks_on(model, "armature"));
  assert_true(remarks_on(model, "<keyframe> is not read") && remarks_on(model, "'ham'"));
  motion m = move(model, "observables {\n"
                         "  a = function(s) return s.joint(3).value[1] end,\n"
                         "  b = function(s) return s.joint(5).value[1] end,\n"
                         "  c = function(s) return s.joint(8).value[1] end,\n"
                         "  d = function(s) return s.report.largest_joint_gap end,\n"
                         "  e = function(s) return s.body('right_thigh').mass end,\n"
                         "  f = function(s) return s.body('torso').x[3] end }");
  const double degree = PI / 180, volume = 0.0036 * hypot(0.01, 0.34) + 4.0 / 3 * 0.000216;
  assert_true(observe(m.run, 0) >= -25 * degree - 1e-8 && observe(m.run, 0) <= 5 * degree + 1e-8);
  assert_true(observe(m.run, 1) >= -110 * degree - 1e-8 && observe(m.run, 1) <= 20 * degree + 1e-8);
  assert_true(fabs(observe(m.run, 2)) <= 50 * degree + 1e-8);
  assert_true(observe(m.run, 3) < 1e-8);
  expect_near(observe(m.run, 4), 0.99 * 0.99 * 1000 * PI * volume, 1e-9);
  assert_true(observe(m.run, 5) < 1.2 && observe(m.run, 5) > 0);  // it falls, not through the floor
  end(&m, &model);
}

static void joints_that_follow_each_other_move_as_one(void **state) {
  // a ball of 0.1 m, its centre 0.5 m along x of three hinges about x, z and y: it falls about the
  // third one with m g l / (m l^2 + 2/5 m r^2), whatever is between them
  stc_model *model = model_of("<mujoco><option timestep='1e-4'/><worldbody><body name='b'>\n"
                              "<joint axis='1 0 0'/><joint axis='0 0 1'/><joint axis='0 1 0'/>\n"
                              "<geom size='0.1' pos='0.5 0 0'/></body></worldbody></mujoco>");
  const char *text;
  char all[6000];
  expect_ok(stc_model_scene(model, &text));
  snprintf(all, sizeof all, "%s", text);
  char *run = strstr(all, "\nrun {");
  assert_non_null(run);
  snprintf(run, 400,
           "\nrun { h = 1e-4, t_end = 1e-4 }\nobservables {\n"
           "  a = function(s) return s.joint(3).rate[1] / s.t end,\n"
           "  b = function(s) return s.joint(1).rate[1] end }\n");
  motion once = {.scene = need_scene(all)};
  expect_ok(stc_run_create(once.scene, NULL, &once.run));
  run_to_end(once.run);
  expect_near(observe(once.run, 0), 9.81 * 0.5 / (0.25 + 0.4 * 0.01), 1e-5);
  expect_near(observe(once.run, 1), 0, 1e-12);
  end(&once, &model);
}

static void velocity_servos_brake(void **state) {
  // 10 kg on a slide, kv = 3 N s/m: after t = 2 s at m g / kv (1 - exp(-kv t / m)); a joint whose
  // limits are equal is fixed
  stc_model *model = model_of(
      "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='0.1' mass='10'/></body>\n"
      "</worldbody><actuator><velocity joint='j' kv='3'/></actuator></mujoco>");
  motion m = move(model, "observables { v = function(s) return s.joint(1).rate[1] end }");
  expect_near(observe(m.run, 0), -10 * 9.81 / 3 * (1 - exp(-0.6)), 1e-4);
  end(&m, &model);
  model = model_of(
      "<robot><link name='a'/><link name='b'><inertial><mass value='1'/></inertial></link>\n"
      "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n"
      "<limit effort='1' velocity='1'/></joint></robot>");
  assert_int_equal(stc_model_joints(model), 0);
  assert_true(remarks_on(model, "link 'b' is fixed: its limits leave it no room"));
  stc_model_free(&model);
}

static void grippers_and_carts_run(void **state) {
  // fingers that slide cannot follow each other, which is named; a cart on a link without a mass
  // may be let go, for what is fixed on that weighs something
  stc_model *model = need_model(HERE "gripper.urdf");
  assert_true(remarks_on(model, "'right_joint' does not follow 'left_joint'"));
  assert_true(remarks_on(model, "<gazebo> is not read") && remarks_on(model, "velocity of"));
  assert_true(!remarks_on(model, "fixed_base"));
  motion m = move(model, "observables {\n"
                         "  a = function(s) return s.joint(2).value[1] end,\n"
                         "  b = function(s) return s.body('wrist').mass end }");
  assert_true(fabs(observe(m.run, 0)) <= 0.02 + 1e-8);
  expect_near(observe(m.run, 1), 0.8, 1e-15);
  end(&m, &model);
  const char *scene;
  model = need_model(HERE "cart.urdf");
  assert_true(remarks_on(model, "'base_footprint' stands"));
  expect_ok(stc_model_scene(model, &scene));
  assert_non_null(strstr(scene, "fixed = p.fixed_base"));
  assert_non_null(strstr(scene, "mass = 6.1,"));
  stc_model_free(&model);
}

static void mimics_are_gears_or_named(void **state) {
  static const char text[] =
      "<robot name='g'><link name='base'/>\n"
      "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>\n"
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>\n"
      "<joint name='ja' type='continuous'><parent link='base'/><child link='a'/></joint>\n"
      "<joint name='jb' type='%s'><parent link='base'/><child link='b'/>\n"
      "<limit lower='0' upper='1'/><mimic joint='ja' multiplier='2'/></joint></robot>";
  char all[1000];
  const char *scene;
  snprintf(all, sizeof all, text, "continuous");
  stc_model *model = model_of(all);
  expect_ok(stc_model_scene(model, &scene));
  assert_non_null(strstr(scene, "kind = \"gear\""));
  assert_non_null(strstr(scene, "ratio = -2"));
  stc_model_free(&model);
  snprintf(all, sizeof all, text, "prismatic");
  model = model_of(all);
  assert_true(remarks_on(model, "'jb' does not follow 'ja'"));
  stc_model_free(&model);
}

static void refuse_model(const char *text, const char *words) {
  stc_model *model = NULL;
  stc_error error = stc_model_read_bytes("dir/robot.xml", text, strlen(text), &model);
  if (!error || model || !strstr(stc_error_detail(), words) ||
      strncmp(stc_error_detail(), "dir/robot.xml:", 14) != 0)
    print_error("'%s' instead of '%s'\n", error ? stc_error_detail() : "nothing", words);
  assert_true(error != STC_OK && !model && strstr(stc_error_detail(), words));
}

static void hostile_files_get_a_sentence(void **state) {
  static const char *const wrong[][2] = {
      {"", "not XML"},
      {"<robot", "not XML"},
      {"<robot><link></robot>", "mismatched tag"},
      {"<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><robot>&b;</robot>",
       "document type"},
      {"<!DOCTYPE r SYSTEM 'file:///etc/passwd'><robot/>", "document type"},
      {"<html/>", "neither <robot> (URDF) nor <mujoco> (MJCF)"},
      {"<robot/>", "no links"},
      {"<mujoco/>", "no bodies"},
      {"<robot><link/></robot>", "<link> needs name"},
      {"<robot><link name='a'/><link name='a'/></robot>", "two links 'a'"},
      {"<robot><link name='a'/><joint type='fixed'><parent link='a'/><child "
       "link='x'/></joint></robot>",
       "no link 'x'"},
      {"<robot><link name='a'/><joint type='fixed'><parent link='a'/></joint></robot>",
       "needs a <child"},
      {"<robot><link name='a'/><joint type='fixed'><parent link='a'/><child "
       "link='a'/></joint></robot>",
       "itself"},
      {"<robot><link name='a'/><link name='b'/><joint type='fixed'><parent link='a'/>"
       "<child link='b'/></joint><joint type='fixed'><parent link='b'/><child link='a'/></joint>"
       "</robot>",
       "in a circle"},
      {"<robot><link name='a'/><link name='b'/></robot>", "both without a parent"},
      {"<robot><link name='a'/><link name='b'/><joint type='spin'><parent link='a'/>"
       "<child link='b'/></joint></robot>",
       "'spin' is no type"},
      {"<robot><link name='a'/><link name='b'/><joint type='continuous'><parent link='a'/>"
       "<child link='b'/></joint></robot>",
       "'b' moves, but has no mass"},
      {"<robot><link name='a'><collision><geometry><box size='1 nan 1'/></geometry></collision>"
       "</link></robot>",
       "give 3 numbers"},
      {"<robot><link name='a'><collision><geometry><box size='1 1e400 1'/></geometry></collision>"
       "</link></robot>",
       "give 3 numbers"},
      {"<robot><link name='a'><collision><geometry><box size='1 -1 1'/></geometry></collision>"
       "</link></robot>",
       "<box>"},
      {"<robot><link name='a'><collision><geometry><mesh filename='../../../../etc/passwd'/>"
       "</geometry></collision></link></robot>",
       "is not there"},
      {"<robot><link name='a'><inertial><mass value='-1'/></inertial></link></robot>", "-1 kg"},
      {"<mujoco><include file='x.xml'/></mujoco>", "<include> is not read"},
      {"<mujoco><compiler coordinate='global'/></mujoco>", "use local ones"},
      {"<mujoco><compiler eulerseq='abc'/></mujoco>", "three of x, y, z"},
      {"<mujoco><worldbody><body><joint type='warp'/></body></worldbody></mujoco>", "no type"},
      {"<mujoco><worldbody><body><joint type='hello'/></body></worldbody></mujoco>", "no type"},
      {"<mujoco><worldbody><geom class='a' size='1'/></worldbody></mujoco>", "no class 'a'"},
      {"<mujoco><worldbody><body childclass='b'/></worldbody></mujoco>", "no class 'b'"},
      {"<mujoco><default><default/></default></mujoco>", "needs a class"},
      {"<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body>"
       "<body name='a'/></worldbody></mujoco>",
       "two bodies 'a'"},
      {"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body>"
       "<body><joint name='j'/><geom size='1'/></body></worldbody></mujoco>",
       "two joints 'j'"},
      {"<robot><link name='a'/><link name='b'/><joint type='continuous'><parent link='a'/>"
       "<child link='b'/><dynamics friction='-1'/></joint></robot>",
       "not below 0"},
      {"<mujoco><worldbody><body><geom type='sphere' size='1e30'/></body></worldbody></mujoco>",
       "size of <geom>"},
      {"<mujoco><worldbody><body><geom type='plane' size='1 1 1'/></body></worldbody></mujoco>",
       "belongs to the world"},
      {"<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "has no mass"},
      {"<mujoco><worldbody><body quat='0 0 0 0'><geom size='1'/></body></worldbody></mujoco>",
       "without a length"},
      {"<mujoco><worldbody><body name='a'><geom size='1'/></body></worldbody>"
       "<actuator><motor joint='x'/></actuator></mujoco>",
       "no joint 'x'"},
      {"<mujoco><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>", "no mesh 'm'"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) refuse_model(wrong[k][0], wrong[k][1]);
  enum { DEEP = 100000 };
  char *deep = malloc(7 * DEEP + 1);
  for (int k = 0; k < DEEP; k++) memcpy(deep + 7 * k, "<robot>", 7);
  deep[7 * DEEP] = '\0';
  refuse_model(deep, "nested too deeply");
  free(deep);
}

static void many_links_in_any_order(void **state) {
  // a chain of links that are fixed on each other, the last joint first, 1 kg each: one body; and
  // as many geoms as classes of defaults
  enum { LINKS = 40000 };
  char *text = malloc(200 * LINKS), *at = text;
  const char *scene;
  at += sprintf(at, "<robot><link name='l0'/>");
  for (int k = 1; k < LINKS; k++)
    at += sprintf(at, "<link name='l%d'><inertial><mass value='1'/></inertial></link>\n", k);
  for (int k = LINKS - 1; k > 0; k--)
    at += sprintf(at, "<joint type='%s'><parent link='l%d'/><child link='l%d'/></joint>\n",
                  k == 1 ? "floating" : "fixed", k - 1, k);
  sprintf(at, "</robot>");
  stc_model *model = model_of(text);
  expect_ok(stc_model_scene(model, &scene));
  assert_non_null(strstr(scene, "mass = 39999,"));
  stc_model_free(&model);
  at = text + sprintf(text, "<mujoco><default>");
  for (int k = 0; k < LINKS; k++)
    at += sprintf(at, "<default class='c%d'><geom size='%d'/></default>\n", k, k + 1);
  at += sprintf(at, "</default><worldbody>");
  for (int k = LINKS - 1; k >= 0; k--) at += sprintf(at, "<geom class='c%d'/>\n", k);
  sprintf(at, "</worldbody></mujoco>");
  model = model_of(text);
  expect_ok(stc_model_scene(model, &scene));
  assert_non_null(strstr(scene, "{ sphere = 40000 }"));
  stc_model_free(&model);
  free(text);
}

static void names_are_quoted(void **state) {
  // a name may hold anything: it ends up as a text of the scene, nothing else
  stc_model *model = model_of(
      "<mujoco model='x&#10;os.exit()'><worldbody>\n"
      "<body name='a&quot; }&#10;error(&quot;out&quot;) --'><freejoint/><geom size='0.1'/></body>\n"
      "</worldbody></mujoco>");
  motion m = move(model, "observables { n = function(s) return s.bodies end }");
  assert_true(observe(m.run, 0) == 1);
  end(&m, &model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_arm_runs),
                                     cmocka_unit_test(frames_of_links_are_composed),
                                     cmocka_unit_test(a_hopper_runs),
                                     cmocka_unit_test(a_linkage_runs),
                                     cmocka_unit_test(names_are_quoted),
                                     cmocka_unit_test(many_links_in_any_order),
                                     cmocka_unit_test(mimics_are_gears_or_named),
                                     cmocka_unit_test(a_humanoid_runs),
                                     cmocka_unit_test(joints_that_follow_each_other_move_as_one),
                                     cmocka_unit_test(grippers_and_carts_run),
                                     cmocka_unit_test(velocity_servos_brake),
                                     cmocka_unit_test(hostile_files_get_a_sentence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
