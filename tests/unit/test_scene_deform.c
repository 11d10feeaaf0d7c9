// Scenes with deformable bodies: what they may say, what they see, what is kept of them.
#include "scene/fem/fem_scene.h"
#include "scene_support.h"

#include <lauxlib.h>
#include <stdio.h>
#include <unistd.h>

static const char path[] = "test_scene_deform.h5";

// A square of side 1 between a floor and a lid that comes down by 0.1 t, free to widen. Plane
// stress: the stress is -E 0.1 t all over, the force on the lid as much, the stored energy E (0.1
// t)^2 / 2.
#define GRID  "grid { element = 'Q4', cells = { 4, 2 }, body = 'a' }\n"
#define SOLID "solid { kinematics = 'plane_stress' }\n"
#define BODY  "body { group = 'a', young = 100, poisson = 0.25 }\n"
#define SIDE  "support { group = 'a.s0', component = 'x', value = 0 }\n"
#define LID   "support { group = 'a.t1', component = 'y', value = function(t) return -0.1 * t end }\n"
#define CONTACT                                                                                    \
  "contact { name = 'floor', slave = 'a.t0', obstacle = plane { point = { 0, 0 }, normal = { 0, "  \
  "1 "                                                                                             \
  "} } }\n"
#define STEPS   "steps { times = { 1, 2 } }\n"
#define SQUARE  GRID SOLID BODY SIDE LID CONTACT STEPS
#define LOOK(f) SQUARE "observables { x = function(s, m) " f " end }"

// --- What is refused ---

static void test_mesh_words(void **state) {
  static const refusal wrong[] = {
      {"grid { element = 'Q5', cells = { 1, 1 }, body = 'a' }", "1", "did you mean 'Q4'"},
      {"grid { element = 'Q4', cells = { 1 }, body = 'a' }", "1",
       "cells has 1 entries; Q4 wants 2"},
      {"grid { element = 'Q4', cells = { 1, 0 }, body = 'a' }", "1", "a whole number from 1 on"},
      {"grid { element = 'H8', cells = { 1, 1 }, body = 'a' }", "1", "H8 wants 3"},
      {"grid { element = 'Q4', body = 'a' }", "1", "needs an entry 'cells' or 'lists'"},
      {"grid { element = 'Q4', lists = { { 0, 1 }, { 0, 0.5, 0.5, 1 } }, body = 'a' }", "1",
       "the list must rise"},
      {"grid { element = 'Q4', cells = { 1, 1 } }", "1", "grid needs an entry 'body'"},
      {"grid { element = 'Q4', cells = { 99999, 99999 }, body = 'a' }", "1",
       "nodes that this scene"},
      {"grid { element = 'Q4', cells = { 1, 1 }, body = 'a',\n map = function(s) return s end }",
       "1", "map must return x, y"},
      {"grid { element = 'Q4', cells = { 1, 1 }, body = 'a',\n map = function(s) return s.x end }",
       "2", "attempt to index"},
      {"grid { element = 'Q4', cells = { 1, 1 }, body = 'a', map = function(s, t) return -s, t "
       "end }",
       "1", "inverted"},
      {"graded { zone = 2, fine = 2, coarse = 2, length = 1 }", "1", "zone"},
      {"graded { zone = 1, fine = 0, coarse = 2, length = 2 }", "1", "fine"},
      {"mirrored(3)", "1", "list of places"},
      {"mesh { 3 }", "1", "give what grid { } or gmsh { } returned"},
      {"gmsh { file = '/etc/a.msh' }", "1", "next to the scene or below"},
      {"gmsh { file = '../a.msh' }", "1", "next to the scene or below"},
      {"gmsh { file = 'a/../../b.msh' }", "1", "next to the scene or below"},
      {"gmsh { file = 'scene.lua' }", "1", "name a .msh file"},
      {"gmsh { file = 'not-there.msh' }", "1", "dir/not-there.msh"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

// Two cells of 1 and two that double, 2 and 4, reach 8: places 0, 1, 2, 4, 8 over 8; the scene
// itself compares.
static void test_graded(void **state) {
  static const char text[] = "local a = graded { zone = 2, fine = 2, coarse = 2, length = 8 }\n"
                             "local b = mirrored(a)\n"
                             "for k, x in ipairs { 0, 1, 2, 4, 8 } do\n"
                             "  assert(math.abs(a[k] - x / 8) < 1e-14, 'graded')\n"
                             "  assert(math.abs(b[6 - k] - (1 - x / 8)) < 1e-14, 'mirrored')\n"
                             "end\n" SQUARE;
  stc_scene *scene = NULL;
  assert_int_equal(stc_scene_read_text("dir/scene.lua", text, sizeof text - 1, NULL, &scene),
                   STC_OK);
  stc_scene_free(&scene);
}

static void test_body_words(void **state) {
  static const refusal wrong[] = {
      {GRID "solid { kinematics = 'plane_strian' }", "2", "did you mean 'plane_strain'"},
      {GRID "solid { kinematics = 'solid' }" BODY STEPS, "2", "for space, the mesh is plane"},
      {GRID SOLID SOLID, "3", "a second time"},
      {GRID SOLID "body { group = 'a', yuong = 1, poisson = 0 }", "3", "did you mean 'young'"},
      {GRID SOLID "body { group = 'a', young = 1, poisson = 0.5 }", "3", "both excluded"},
      {GRID SOLID "body { group = 'a', young = 1, poisson = 0, hardening = 1 }", "3", "give yield"},
      {GRID SOLID "body { group = 'a.t0', young = 1, poisson = 0 }\n" STEPS, "3", "is a surface"},
      {GRID SOLID "body { group = 'b', young = 1, poisson = 0 }\n" STEPS, "3", "no group 'b'"},
      {SQUARE "support { group = 'a.t5', component = 'x', value = 0 }", "8", "did you mean 'a.t0'"},
      {SQUARE "support { group = 'a.t1', component = 'z', value = 0 }", "8", "x, y, all"},
      {SQUARE "support { group = 'a.t1', component = 'r', value = 0 }", "8", "x, y, all"},
      {SQUARE "support { group = 'a.t1', component = 'x' }", "8", "needs an entry 'value'"},
      {SQUARE "pressure { group = 'a', value = 1 }", "8", "is no surface"},
      {SQUARE "pressure { group = 'a.t1', component = 'x', value = 1 }", "8",
       "no entry 'component'"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void test_other_words(void **state) {
  static const refusal wrong[] = {
      {GRID SOLID BODY "steps { times = { 1, 1 } }", "4", "times must rise"},
      {GRID SOLID BODY "steps { times = { 0 } }", "4", "first be above 0"},
      {GRID SOLID BODY "steps { count = 3, times = { 1 } }", "4", "not both"},
      {GRID SOLID BODY "steps { times = { 1 }, method = 'adaptd' }", "4", "did you mean 'adapted'"},
      {GRID SOLID BODY "steps { times = { 1 }, tol = 7 }", "4", "give a number from"},
      {SQUARE "contact { name = 'b', slave = 'a.s1' }", "8", "'master', a surface, or 'obstacle'"},
      {SQUARE "contact { name = 'floor', slave = 'a.s1', master = 'a.s0' }", "8", "two contacts"},
      {SQUARE "contact { name = 'b', slave = 'a.s1', obstacle = 3 }", "8", "sphere { }"},
      {SQUARE "contact { name = 'b', slave = 'a', master = 'a.s0' }", "8", "is no surface"},
      {SQUARE "contact { name = 'b', slave = 'a.s1', obstacle = sphere { center = { 0, 0, 0 }, "
              "radius = 1 } }",
       "8", "the obstacle has 3 dimensions, the mesh 2"},
      {SQUARE "plane { point = { 0, 0 }, normal = { 0, 0 } }", "8", "give a direction"},
      {SQUARE "plot { name = 'p', contact = 'flor', range = { 0, 1 } }", "8", "'floor'?"},
      {SQUARE "wall { f = 1 }", "8", "this one describes a solid"},
      {"system { mass = 1, q = { 0 } }\n" GRID, "2", "this one describes a system"},
      {GRID, "1", "but no solid"},
      {GRID SOLID, "2", "but no body"},
      {GRID SOLID BODY, "2", "but no steps"},
      {GRID GRID SOLID BODY STEPS, "3", "say which meshes count"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

/// The scene runs until a function of it fails with these words.
static void fails_running_at(const char *text, const char *words, int line) {
  stc_scene *scene = need_scene(text);
  stc_run *run = NULL;
  stc_observed observed;
  stc_error error = stc_run_create(scene, NULL, &run);
  if (!error) error = stc_run_step(run, NULL);
  if (!error) error = stc_run_observe(run, 0, &observed);
  if (!error || !strstr(stc_error_detail(), words)) {
    print_error("'%s' instead of '%s'\n", error ? stc_error_detail() : "no error", words);
    _fail(__FILE__, line);
  }
  stc_run_close(&run);
  stc_scene_free(&scene);
}
#define fails_running(text, words) fails_running_at((text), (words), __LINE__)

static void test_failing_functions(void **state) {
  fails_running(
      GRID SOLID BODY SIDE
      "support { group = 'a.t1', component = 'y', value = function() return 'x' end }\n" STEPS,
      "dir/test.lua:5: support of 'a.t1': value is a string; give a number");
  fails_running(GRID SOLID BODY SIDE LID
                "contact { slave = 'a.t0', obstacle = function() return 1 end }\n" STEPS,
                "obstacle: the distance or the normal behind it is nil");
  fails_running(LOOK("return s.contact('flor')"), "did you mean 'floor'");
  fails_running(LOOK("return s.force('a.t2')"), "the mesh has no group 'a.t2'");
  fails_running(LOOK("return s.cells('a.t1')"), "is a surface; name a body");
  fails_running(LOOK("return s.displacement(99)"), "there is no node");
  fails_running(LOOK("return { 1, 'x' }"), "give a number");
  fails_running(LOOK("return s.force"), "a number, a list of numbers or a text");
}

// --- What a scene sees ---

static stc_run *need_run(stc_scene *scene, const stc_run_settings *settings) {
  stc_run *run = NULL;
  if (stc_run_create(scene, settings, &run) != STC_OK) print_error("%s\n", stc_error_detail());
  assert_non_null(run);
  return run;
}

/// The number that a function answers at the end.
static double answer(const char *text) {
  stc_scene *scene = need_scene(text);
  stc_run *run = need_run(scene, NULL);
  run_to_end(run);
  double value = observe(run, 0);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
  return value;
}

static void test_view(void **state) {
  expect_near(answer(LOOK("return s.t")), 2, 0);
  expect_near(answer(LOOK("return s.step")), 2, 0);
  expect_near(answer(LOOK("return select(2, s.force('a.t1'))")), -20, 1e-9);
  expect_near(answer(LOOK("return s.energy.stored")), 100 * 0.2 * 0.2 / 2, 1e-10);
  expect_near(answer(LOOK("return s.energy.friction + s.energy.plastic")), 0, 1e-12);
  expect_near(answer(LOOK("return s.contact('floor')[1].pressure")), 20, 1e-9);
  expect_near(answer(LOOK("return #s.contact('floor')")), 5, 0);
  expect_near(answer(LOOK("return s.contact()[5].at[1]")), 1, 1e-15);
  expect_near(answer(LOOK("return s.contact()[5].x[1]")), 1 + 0.25 * 0.2, 1e-9);
  expect_near(answer(LOOK("return s.cells('a')[3].yy")), -20, 1e-9);
  expect_near(answer(LOOK("return s.cells('a')[3].xx")), 0, 1e-9);
  expect_near(answer(LOOK("return #s.nodes('a.t0')")), 5, 0);
  expect_near(answer(LOOK("return s.nodes('a.s1')[1].u[1]")), 0.25 * 0.2, 1e-10);
  expect_near(answer(LOOK("return (s.displacement(1, 0.5))")), 0.25 * 0.2, 1e-10);
  expect_near(answer(LOOK("return s.closed")), 5, 0);
  expect_near(answer(LOOK("return s.dofs")), 15 * 2 - 3 - 5, 0);
  expect_near(answer(LOOK("return #s.iterations")), 2, 0);
}

// A pressure on top instead of the lid, a traction on the side, a force in the bulk.
static void test_loads(void **state) {
#define LOADED(load, f)                                                                            \
  GRID SOLID BODY SIDE "support { group = 'a.t0', component = 'y', value = 0 }\n" load STEPS       \
                       "observables { x = function(s) " f " end }"
  expect_near(
      answer(LOADED("pressure { group = 'a.t1', value = function(t, x) return 5 * t end }\n",
                    "return s.cells('a')[1].yy")),
      -10, 1e-10);
  expect_near(answer(LOADED("traction { group = 'a.s1', component = 'x', value = 7 }\n",
                            "return s.cells('a')[1].xx")),
              7, 1e-10);
  expect_near(answer(GRID SOLID
                     "body { group = 'a', young = 1, poisson = 0, force = { 0, -3 } }\n"
                     "support { group = 'a.t0', component = 'all', value = 0 }\n" STEPS
                     "observables { x = function(s) return select(2, s.force('a.t0')) end }"),
              3, 1e-12);
}

static void test_kinds_of_observables(void **state) {
  stc_scene *scene = need_scene(SQUARE "observables { a = function(s) return s.iterations end,\n"
                                       " b = function() return 'word' end, c = function() end }");
  stc_run *run = need_run(scene, NULL);
  stc_observed list, text, none;
  double number;
  run_to_end(run);
  assert_int_equal(stc_run_observe(run, 0, &list), STC_OK);
  assert_int_equal(stc_run_observe(run, 1, &text), STC_OK);
  assert_int_equal(stc_run_observe(run, 2, &none), STC_OK);
  assert_int_equal(list.kind, STC_OBSERVED_LIST);
  assert_int_equal(list.count, 2);
  assert_true(list.list[0] >= 1 && list.list[1] >= 1);
  assert_int_equal(text.kind, STC_OBSERVED_TEXT);
  assert_string_equal(text.text, "word");
  assert_int_equal(none.kind, STC_OBSERVED_NUMBER);
  assert_true(isnan(none.number));
  assert_int_equal(stc_run_observable(run, 0, &number), STC_ERR_VALUE);
  assert_non_null(strstr(stc_error_detail(), "observable 'a' is no number"));
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// --- Obstacles ---

static stc_scene_obstacle shape(stc_obstacle_shape kind, int dim) {
  stc_scene_obstacle o = {.shape = kind, .dim = dim, .radius = 2};
  o.distance.ref = o.motion.ref = LUA_NOREF;
  o.axis[dim - 1] = kind == STC_OBSTACLE_BALL ? 0 : 1;
  return o;
}

static void expect_distance(stc_scene_obstacle *o, const double *x, double gap, const double *n) {
  stc_obstacle obstacle = stc_deform_obstacle(o);
  double found = NAN, normal[3] = {0};
  assert_true(obstacle.distance(obstacle.user, 0, x, &found, normal));
  expect_near(found, gap, 1e-14);
  for (int k = 0; k < o->dim; k++) expect_near(normal[k], n[k], 1e-14);
  assert_null(obstacle.motion);
}

static void test_obstacles(void **state) {
  stc_scene_obstacle plane = shape(STC_OBSTACLE_PLANE, 2), ball = shape(STC_OBSTACLE_BALL, 3),
                     rod = shape(STC_OBSTACLE_ROD, 3);
  plane.centre[1] = 1;
  expect_distance(&plane, (double[]){7, 3}, 2, (double[]){0, 1});
  expect_distance(&plane, (double[]){7, 0.5}, -0.5, (double[]){0, 1});
  expect_distance(&ball, (double[]){0, 3, 4}, 3, (double[]){0, 0.6, 0.8});
  expect_distance(&rod, (double[]){3, 4, 9}, 3, (double[]){0.6, 0.8, 0});
  ball.hollow = rod.hollow = true;
  expect_distance(&ball, (double[]){0, 0, 0.5}, 1.5, (double[]){0, 0, -1});
  expect_distance(&rod, (double[]){0, -0.5, 3}, 1.5, (double[]){0, 1, 0});
}

// A floor that rises by 0.1 t does what a lid that comes down does.
static void test_moving_obstacle(void **state) {
#define RISING(obstacle)                                                                           \
  GRID SOLID BODY SIDE "support { group = 'a.t1', component = 'y', value = 0 }\n"                  \
                       "contact { name = 'floor', slave = 'a.t0', obstacle = " obstacle            \
                       " }\n" STEPS                                                                \
                       "observables { x = function(s) return s.contact()[2].pressure end }"
  expect_near(answer(RISING("plane { point = { 0, 0 }, normal = { 0, 2 },"
                            " motion = function(t) return 0, 0.1 * t end }")),
              20, 1e-9);
  expect_near(answer(RISING("function(t, x) return x[2] - 0.1 * t, 0, 1 end")), 20, 1e-9);
}

// --- The file ---

static stc_trajectory *run_in_parts(const char *text, const double *until, int parts) {
  stc_scene *scene = NULL;
  stc_run *run = NULL;
  unlink(path);
  for (int k = 0; k < parts; k++) {
    stc_run_settings settings = {
        .output = path, .resume = k > 0, .until_given = true, .until = until[k]};
    scene = need_scene(text);
    run = need_run(scene, &settings);
    run_to_end(run);
    assert_int_equal(stc_run_close(&run), STC_OK);
    stc_scene_free(&scene);
  }
  stc_trajectory *trajectory = NULL;
  assert_int_equal(stc_trajectory_read(path, &trajectory), STC_OK);
  return trajectory;
}

// A plastic square that is sheared over a rough floor: history of both kinds.
#define ROUGH                                                                                      \
  "grid { element = 'Q4', cells = { 4, 2 }, body = 'a' }\n"                                        \
  "solid { kinematics = 'plane_strain' }\n"                                                        \
  "body { group = 'a', young = 100, poisson = 0.25, yield = 5, hardening = 20 }\n"                 \
  "support { group = 'a.t1', component = 'y', value = function(t) return -0.05 * t end }\n"        \
  "support { group = 'a.t1', component = 'x', value = function(t) return 0.03 * t * t end }\n"     \
  "contact { name = 'floor', slave = 'a.t0', mu = 0.3,\n"                                          \
  "  obstacle = plane { point = { 0, 0 }, normal = { 0, 1 } } }\n"                                 \
  "steps { count = 6, t_end = 3 }\n"                                                               \
  "memory { n = 0 } step(function(s, m) m.n = m.n + 1 end)\n"                                      \
  "series { f = function(s) return (s.force('a.t1')) end }\n"                                      \
  "plot { name = 'p', contact = 'floor', range = { 0, 1 }, points = 5,\n"                          \
  "  curves = { line = function(s, x) return s.t + x end } }\n"                                    \
  "observables { it = function(s) return s.iterations end, n = function(s, m) return m.n end,\n"   \
  "  word = function() return 'a,b' end }"

static void test_resume_gives_the_same_bits(void **state) {
  const double whole[] = {9}, parts[] = {0.5, 0.5, 1.7, 9};
  stc_trajectory *a = run_in_parts(ROUGH, whole, 1);
  stc_snapshot *one = NULL, *two = NULL;
  assert_int_equal(stc_snapshot_open(path, &one), STC_OK);
  stc_trajectory *b = run_in_parts(ROUGH, parts, 4);
  assert_int_equal(stc_snapshot_open(path, &two), STC_OK);
  size_t size = (size_t)one->mesh.nodes * 2 * sizeof(double);
  assert_int_equal(a->rows, 7);
  assert_int_equal(b->rows, 7);
  assert_memory_equal(a->value, b->value, 7 * (size_t)a->columns * sizeof(double));
  for (int row = 6; row >= 0; row--) {
    assert_int_equal(stc_snapshot_load(one, row), STC_OK);
    assert_int_equal(stc_snapshot_load(two, row), STC_OK);
    assert_memory_equal(one->displacement, two->displacement, size);
    assert_memory_equal(one->stress, two->stress, (size_t)one->mesh.cells * 6 * sizeof(double));
    assert_memory_equal(one->point, two->point, 5 * sizeof *one->point);
  }
  assert_int_equal(b->observed[0].kind, STC_OBSERVED_LIST);
  assert_int_equal(b->observed[0].count, 6);
  for (int k = 0; k < 6; k++) expect_near(b->observed[0].list[k], a->observed[0].list[k], 0);
  expect_near(b->observed[1].number, 6, 0);
  assert_string_equal(b->observed[2].text, "a,b");
  stc_snapshot_free(&one);
  stc_snapshot_free(&two);
  stc_trajectory_free(&a);
  stc_trajectory_free(&b);
}

static void test_snapshot(void **state) {
  const double end = 9;
  stc_trajectory *t = run_in_parts(ROUGH, &end, 1);
  stc_snapshot *s = NULL;
  assert_int_equal(stc_snapshot_open(path, &s), STC_OK);
  assert_int_equal(s->rows, 7);
  expect_near(s->t, 3, 1e-15);
  assert_int_equal(s->mesh.nodes, 15);
  assert_int_equal(s->mesh.cells, 8 + 12);
  assert_true(stc_mesh_find(&s->mesh, "a.t0") >= 0);
  assert_int_equal(s->pairs, 1);
  assert_string_equal(s->pair[0], "floor");
  assert_int_equal(s->first[1], 5);
  double pressed = 0, f = 0;
  for (int k = 0; k < 5; k++) pressed += s->point[k].pressure * s->point[k].area;
  for (int k = 10; k < 15; k++) f += s->reaction[2 * k + 1];
  expect_near(pressed, -f, 1e-8 * pressed);
  assert_true(s->alpha[0] > 0 && s->alpha[19] == 0);
  assert_int_equal(s->curves, 1);
  assert_string_equal(s->curve[0].plot, "p");
  assert_string_equal(s->curve[0].name, "line");
  assert_string_equal(s->curve[0].pair, "floor");
  assert_string_equal(s->curve[0].along, "x");
  assert_string_equal(s->curve[0].quantity, "pressure");
  assert_int_equal(s->curve[0].count, 5);
  expect_near(s->curve[0].x[4], 1, 0);
  expect_near(s->curve[0].y[2], 3.5, 1e-15);
  assert_int_equal(stc_snapshot_load(s, 0), STC_OK);
  expect_near(s->displacement[20], 0, 0);
  expect_near(s->curve[0].y[2], 0.5, 1e-15);
  assert_int_equal(stc_snapshot_load(s, 7), STC_ERR_ARGUMENT);
  stc_snapshot_free(&s);
  stc_snapshot_free(&s);
  stc_trajectory_free(&t);
}

static void test_mesh_file(void **state) {
  static const char text[] =
      "gmsh { file = 'test_scene_deform.msh' }\n" SOLID BODY SIDE LID CONTACT STEPS;
  stc_grid grid = {.type = STC_CELL_Q4, .count = {3, 3}, .body = "a"};
  stc_mesh *mesh = NULL;
  stc_scene *scene = NULL;
  stc_run *run = NULL;
  stc_run_settings settings = {.output = path, .until_given = true, .until = 1};
  assert_int_equal(stc_mesh_grid(&grid, &mesh), STC_OK);
  assert_int_equal(stc_mesh_write("test_scene_deform.msh", mesh), STC_OK);
  assert_int_equal(stc_scene_read_text("test.lua", text, strlen(text), NULL, &scene), STC_OK);
  run = need_run(scene, &settings);
  run_to_end(run);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
  // the same text with another mesh of the same size is not the same scene
  ((double *)mesh->x)[8] += 0.125;
  assert_int_equal(stc_mesh_write("test_scene_deform.msh", mesh), STC_OK);
  assert_int_equal(stc_scene_read_text("test.lua", text, strlen(text), NULL, &scene), STC_OK);
  settings = (stc_run_settings){.output = path, .resume = true};
  assert_int_equal(stc_run_create(scene, &settings, &run), STC_ERR_VALUE);
  assert_non_null(strstr(stc_error_detail(), "begun with another mesh"));
  stc_scene_free(&scene);
  stc_mesh_free(&mesh);
  unlink("test_scene_deform.msh");
}

// --- Steps that are not taken ---

static bool stop_progress(void *user, const char *stage, double done) {
  int *calls = user;
  assert_non_null(stage);
  assert_true(done >= 0 && done <= 1);
  return ++*calls < 3;
}

static void test_interruption(void **state) {
  int calls = 0;
  stc_scene *scene = need_scene(ROUGH);
  stc_run *run =
      need_run(scene, &(stc_run_settings){.progress = stop_progress, .progress_user = &calls});
  stc_step_report report = {.accepted = true};
  while (report.accepted) assert_int_equal(stc_run_step(run, &report), STC_OK);
  assert_int_equal(report.status, STC_STATUS_INTERRUPTED);
  assert_false(stc_run_done(run));
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// Perfectly plastic, under twice the pressure it can bear.
static void test_capsule(void **state) {
  stc_scene *scene = need_scene(
      GRID SOLID "body { group = 'a', young = 100, poisson = 0.3, yield = 1 }\n" SIDE
                 "pressure { group = 'a.t1', value = function(t) return t end }\n" CONTACT
                 "steps { times = { 0.5, 2 }, max_cuts = 2, max_iterations = 15 }");
  stc_run *run = need_run(scene, NULL);
  stc_step_report report;
  stc_problem *problem = NULL;
  assert_int_equal(stc_run_step(run, &report), STC_OK);
  assert_true(report.accepted);
  assert_int_equal(stc_run_step(run, &report), STC_OK);
  assert_false(report.accepted);
  assert_int_equal(report.status, STC_STATUS_MAX_ITERATIONS);
  assert_true(strlen(report.reason) > 20);
  expect_near(stc_run_time(run), 0.5, 0);
  assert_int_equal(stc_run_capsule(run, path), STC_OK);
  assert_int_equal(stc_problem_read(path, &problem), STC_OK);
  assert_int_equal(stc_problem_contacts(problem), 5);
  stc_problem_free(&problem);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

static int clean_up(void **state) {
  unlink(path);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mesh_words),
                                     cmocka_unit_test(test_graded),
                                     cmocka_unit_test(test_body_words),
                                     cmocka_unit_test(test_other_words),
                                     cmocka_unit_test(test_failing_functions),
                                     cmocka_unit_test(test_view),
                                     cmocka_unit_test(test_loads),
                                     cmocka_unit_test(test_kinds_of_observables),
                                     cmocka_unit_test(test_obstacles),
                                     cmocka_unit_test(test_moving_obstacle),
                                     cmocka_unit_test(test_resume_gives_the_same_bits),
                                     cmocka_unit_test(test_snapshot),
                                     cmocka_unit_test(test_mesh_file),
                                     cmocka_unit_test(test_interruption),
                                     cmocka_unit_test(test_capsule)};
  return cmocka_run_group_tests(tests, NULL, clean_up);
}
