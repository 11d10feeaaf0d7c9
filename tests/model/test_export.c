// Worlds and robots as MJCF: what is written and read again moves as before, and what it does not
// hold is named.
#include "unit/scene_support.h"

#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>

enum { MOST = 200000 };

/// The scene of what MJCF has of a model.
static char *through_mjcf(stc_model *model) {
  const char *mjcf, *scene;
  stc_model *again = NULL;
  expect_ok(stc_model_mjcf(model, &mjcf));
  expect_ok(stc_model_read_bytes("robot.xml", mjcf, strlen(mjcf), &again));
  expect_ok(stc_model_scene(again, &scene));
  char *copy = malloc(strlen(scene) + 1);
  strcpy(copy, scene);
  stc_model_free(&again);
  return copy;
}

/// A converted scene has the parameter t_end.
static void run_scene(const char *text, const char *more, const char *end, double *seen,
                      int count) {
  const stc_scene_options options = {.sets = strstr(text, "parameters") ? 1 : 0, .set = &end};
  char *all = malloc(MOST);
  stc_run *run = NULL;
  stc_scene *scene = NULL;
  int length = snprintf(all, MOST, "%s\n%s", text, more);
  assert_true(length < MOST);
  expect_ok(stc_scene_read_text("dir/test.lua", all, (size_t)length, &options, &scene));
  expect_ok(stc_run_create(scene, NULL, &run));
  run_to_end(run);
  for (int k = 0; k < count; k++) seen[k] = observe(run, k);
  expect_ok(stc_run_close(&run));
  stc_scene_free(&scene);
  free(all);
}

/// Both scenes see the same numbers, within `most`.
static void expect_same_motion(const char *text, const char *other, const char *more, int count,
                               const char *end, double most) {
  double seen[2][12];
  run_scene(text, more, end, seen[0], count);
  run_scene(other, more, end, seen[1], count);
  for (int k = 0; k < count; k++) expect_near(seen[1][k], seen[0][k], most);
}

static void expect_round_trip(const char *path, const char *more, int count) {
  stc_model *model = NULL;
  const char *scene;
  expect_ok(stc_model_read(path, &model));
  char *other = through_mjcf(model);
  expect_ok(stc_model_scene(model, &scene));
  expect_same_motion(scene, other, more, count, "t_end=0.15", 1e-6);
  free(other);
  stc_model_free(&model);
}

#define X(body) "function(s) return s.body('" body "').x[1] end"
#define Y(body) "function(s) return s.body('" body "').x[2] end"
#define Z(body) "function(s) return s.body('" body "').x[3] end"
#define HERE    "tests/model/robots/"

static void robots_come_back(void **state) {
  expect_round_trip(HERE "linkage.xml",
                    "observables { a = " X("crate") ", b = " Z("crate") ", c = " Z("lamp") " }", 3);
  expect_round_trip(HERE "hopper.xml",
                    "observables { a = " X("torso") ", b = " Y("torso") ", c = " Z("torso") " }",
                    3);
}

/// The world that a scene begins with, as a model.
static stc_model *model_of_scene(const char *text) {
  stc_scene *scene = need_scene(text);
  stc_run *run = NULL;
  stc_model *model = NULL;
  expect_ok(stc_run_create(scene, NULL, &run));
  assert_non_null(stc_run_bodies(run));
  expect_ok(stc_model_of_world(stc_run_bodies(run), &model));
  const char *words;
  expect_ok(stc_model_mjcf(model, &words));  // while its hulls are there
  char *kept = malloc(strlen(words) + 1);
  strcpy(kept, words);
  stc_model_free(&model);
  expect_ok(stc_run_close(&run));
  stc_scene_free(&scene);
  expect_ok(stc_model_read_bytes("world.xml", kept, strlen(kept), &model));
  free(kept);
  return model;
}

static void expect_same_world(const char *text, const char *more, int count, double most) {
  stc_model *model = model_of_scene(text);
  const char *scene;
  expect_ok(stc_model_scene(model, &scene));
  expect_same_motion(text, scene, more, count, "t_end=0.6", most);
  stc_model_free(&model);
}

#define RUN "run { h = 0.005, t_end = 0.6, tol = 1e-9, accept = 1e-6 }\n"

static void bodies_come_back(void **state) {
  // shapes with densities and given masses, a hull, friction by the larger of the two, groups, a
  // pair that is ignored, another gravity
  expect_same_world(
      "world { gravity = { 1, 0.2, -9 }, mu = 0.2 }\n"
      "rigid { name = 'floor', plane = true }\n"
      "rigid { name = 'box', box = { 0.2, 0.3, 0.1 }, at = { 0, 0, 0.05 } }\n"
      "rigid { name = 'ball', sphere = 0.1, mass = 2, at = { 0, 2, 0.4 }, surface = 'rough' }\n"
      "rigid { name = 'rod', capsule = { radius = 0.05, length = 0.3 }, at = { 0.1, -1, 0.5 },\n"
      "  rotation = { 0.8, 0, 0.6, 0 }, density = 500 }\n"
      "rigid { name = 'stone', hull = { { 0, 0, 0 }, { 0.2, 0, 0 }, { 0, 0.2, 0 }, { 0, 0, 0.2 } },"
      "  at = { -1, 0, 0.1 } }\n"
      "rigid { name = 'ghost', sphere = 0.1, at = { 0, 0, 0.5 }, group = 2, mask = { 2, 3 } }\n"
      "rigid { name = 'apart', sphere = 0.1, at = { -1, 0.05, 0.6 } }\n"
      "surface_pair { 'rough', mu = 0.7 }\nsurface_pair { 'rough', 'usual', mu = 0.7 }\n"
      "ignore { 'apart', 'stone' }\n" RUN,
      "observables { a = " X("box") ", b = " Y("ball") ", c = " Z("rod") ", d = " X(
          "stone") ",\n"
                   " e = " Z("ghost") ", f = " Z("apart") " }",
      6, 1e-6);
}

static void joints_come_back(void **state) {
  // each kind, hung from both of its sides, with what acts along it; a loop; a gear. Two bodies
  // that are fixed to each other may come back as one: their flights differ by h^2
  expect_same_world(
      "rigid { name = 'arm', box = { 0.6, 0.1, 0.1 }, at = { 0.3, 0, 2 } }\n"
      "rigid { name = 'fore', box = { 0.6, 0.1, 0.1 }, at = { 0.9, 0, 2 } }\n"
      "joint { kind = 'hinge', bodies = { 'arm' }, at = { 0, 0, 2 }, axis = { 0, 1, 0 },\n"
      "  limit = { -1, 0.3 }, friction = 0.4 }\n"
      "joint { kind = 'hinge', bodies = { 'arm', 'fore' }, at = { 0.6, 0, 2 },\n"
      "  axis = { 0, 1, 0 }, start = 0.2, spring = { stiffness = 30, damping = 1, rest = 0.1 } }\n"
      "rigid { name = 'slide', sphere = 0.1, at = { 0, 2, 1 } }\n"
      "joint { kind = 'prismatic', bodies = { 'slide' }, at = { 0, 2, 1 }, axis = { 0, 0, 1 },\n"
      "  motor = { position = 0, stiffness = 400, damping = 20, force = 60 } }\n"
      "rigid { name = 'swing', box = { 0.1, 0.1, 0.8 }, at = { 0, 4, 0.6 } }\n"
      "joint { kind = 'universal', bodies = { 'swing' }, at = { 0, 4, 1 }, axis = { 1, 0, 0 },\n"
      "  axis2 = { 0, 1, 0 }, coordinates = { { friction = 0.1 }, { limit = { -0.5, 0.5 } } } }\n"
      "rigid { name = 'bolt', box = { 0.1, 0.2, 0.3 }, at = { 0, 6, 1 }, density = 300 }\n"
      "joint { kind = 'cylindrical', bodies = { 'bolt' }, at = { 0, 6, 1 }, axis = { 0, 0.6, 0.8 } "
      "}\n"
      "rigid { name = 'puck', box = { 0.2, 0.2, 0.1 }, at = { 0, 8, 1 } }\n"
      "joint { kind = 'planar', bodies = { 'puck' }, at = { 0, 8, 1 }, axis = { 0.6, 0, 0.8 },\n"
      "  axis2 = { 0.8, 0, -0.6 } }\n"
      "rigid { name = 'lamp', sphere = 0.1, at = { 0.4, 10, 1 } }\n"
      "joint { kind = 'ball', bodies = { 'lamp' }, at = { 0, 10, 1 } }\n"
      "rigid { name = 'bulb', sphere = 0.1, at = { 0.7, 10, 1 } }\n"
      "joint { kind = 'fixed', bodies = { 'bulb', 'lamp' }, at = { 0.5, 10, 1 } }\n"
      "rigid { name = 'crank', box = { 0.4, 0.1, 0.1 }, at = { 0.2, 12, 1 } }\n"
      "rigid { name = 'link', box = { 0.6, 0.1, 0.1 }, at = { 0.7, 12, 1 } }\n"
      "joint { kind = 'hinge', bodies = { 'crank' }, at = { 0, 12, 1 }, axis = { 0, 1, 0 } }\n"
      "joint { kind = 'hinge', bodies = { 'link', 'crank' }, at = { 0.4, 12, 1 },\n"
      "  axis = { 0, 1, 0 } }\n"
      "rigid { name = 'rocker', box = { 0.1, 0.1, 0.6 }, at = { 1, 12, 0.7 } }\n"
      "joint { kind = 'hinge', bodies = { 'rocker' }, at = { 1, 12, 0.4 }, axis = { 0, -1, 0 } }\n"
      "joint { kind = 'ball', bodies = { 'link', 'rocker' }, at = { 1, 12, 1 } }\n"
      "rigid { name = 'wheel', cylinder = { radius = 0.3, length = 0.1, axis = { 0, 1, 0 } },\n"
      "  at = { 0, 14, 1 } }\n"
      "rigid { name = 'pinion', box = { 0.3, 0.1, 0.1 }, at = { 0.6, 14, 1 } }\n"
      "joint { kind = 'hinge', bodies = { 'wheel' }, at = { 0, 14, 1 }, axis = { 0, 1, 0 } }\n"
      "joint { kind = 'hinge', bodies = { 'pinion' }, at = { 0.5, 14, 1 }, axis = { 0, -1, 0 } }\n"
      "joint { kind = 'gear', bodies = { 'wheel', 'pinion' }, at = { 0, 0, 0 },\n"
      "  axis = { 0, 1, 0 }, ratio = 2 }\n" RUN,
      "observables { a = " X("arm") ", b = " Z("fore") ", c = " Z("slide") ", d = " X(
          "swing") ",\n"
                   " e = " Y("bolt") ", f = " X("puck") ", g = " Z(
                       "puck") ", h = function(s) return s.energy.kinetic / 100 end,\n"
                               " i = " X("link") ", j = " Z("rocker") ", k = " Z("pinion") " }",
      11, 1e-5);
}

static bool remarks_on(const stc_model *model, const char *words) {
  for (int k = 0; k < stc_model_remarks(model); k++)
    if (strstr(stc_model_remark(model, k), words)) return true;
  return false;
}

static void what_is_left_out_is_named(void **state) {
  stc_scene *scene =
      need_scene("world { mu = 0.3, restitution = 0.5 }\n"
                 "rigid { name = 'belt', box = { 1, 1, 0.1 }, drive = function(t) return 1 end }\n"
                 "rigid { name = 'ball', sphere = 0.1, at = { 0, 0, 1 }, velocity = { 1, 0, 0 } }\n"
                 "rigid { name = 'weight', sphere = 0.1, at = { 3, 0, 1 } }\n"
                 "joint { kind = 'distance', bodies = { 'weight' }, at = { 3, 0, 1 }, at2 = { 3, "
                 "0, 2 } }\n" RUN);
  stc_run *run = NULL;
  stc_model *model = NULL;
  expect_ok(stc_run_create(scene, NULL, &run));
  expect_ok(stc_model_of_world(stc_run_bodies(run), &model));
  assert_true(remarks_on(model, "driven body 'belt'") && remarks_on(model, "velocity of 'ball'"));
  assert_true(remarks_on(model, "a distance") && remarks_on(model, "restitution"));
  stc_model_free(&model);
  expect_ok(stc_run_close(&run));
  stc_scene_free(&scene);
}

TEST_PROGRAM(cmocka_unit_test(robots_come_back), cmocka_unit_test(bodies_come_back),
             cmocka_unit_test(joints_come_back), cmocka_unit_test(what_is_left_out_is_named))
