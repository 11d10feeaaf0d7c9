// Rigid bodies in scenes: words and their sentences, what a scene sees, run files that go on with
// the same bits, and their replay.
#include "scene_support.h"

#include "../scratch.h"

#include <stdio.h>
#include <unistd.h>

#define RUN   "run { h = 0.01, t_end = 0.5 }\n"
#define FLOOR "rigid { name = 'floor', plane = true }\n"
#define BOX   "rigid { name = 'box', box = { 1, 1, 1 }, at = { 0, 0, 0.5 } }\n"

// --- What is said ---

static void bodies_are_checked(void **state) {
  static const refusal wrong[] = {
      {"\nrigid { bax = { 1, 1, 1 } }", "2", "rigid has no entry 'bax'; did you mean 'box'?"},
      {"rigid { name = 'a' }", "1", "rigid 'a' needs one shape"},
      {"rigid { box = { 1, 1, 1 }, sphere = 1 }", "1", "has a box and a sphere"},
      {"rigid { box = { 1, 1, 1 }, parts = { { sphere = 1 } } }", "1", "not both"},
      {"rigid { parts = { { at = { 0, 0, 0 } } } }", "1", "rigid 1: part 1 needs a shape"},
      {"rigid { parts = {} }", "1", "parts has 0 entries"},
      {"rigid { box = { 1, 1 } }", "1", "box has 2 entries"},
      {"rigid { box = { 1, -1, 1 } }", "1", "rigid 1: box"},
      {"rigid { sphere = 0 }", "1", "sphere = 0"},
      {"rigid { sphere = 1, group = 65 }", "1", "a number from 1 to 64, or a list of them"},
      {"rigid { sphere = 1, mask = { 1, 0 } }", "1", "mask"},
      {"rigid { capsule = { radius = 1, lenght = 2 } }", "1", "did you mean 'length'?"},
      {"rigid { cylinder = { radius = 1, length = 2, axis = { 0, 0, 0 } } }", "1", "no length"},
      {"rigid { plane = false }", "1", "true, or the normal"},
      {FLOOR "rigid { name = 'floor', sphere = 1 }", "2", "there are two bodies 'floor'"},
      {"rigid { sphere = 1, at = { 0, 0 / 0, 0 } }", "1", "entry 2 of at is not a number"},
      {"rigid { sphere = 1, color = { 2, 0, 0 } }", "1", "from 0 to 1"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void hulls_and_terrains_are_checked(void **state) {
  static const refusal wrong[] = {
      {"rigid { hull = { { 0, 0, 0 }, { 1, 0, 0 } } }", "1", "hull has 2 points"},
      {"rigid { hull = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } } }", "1",
       "rigid 1: hull"},
      {"rigid { hull = '../secret.stl' }", "1", "is not allowed"},
      {"rigid { hull = '/secret.obj' }", "1", "is not allowed"},
      {"rigid { hull = 'stone.txt' }", "1", "is not allowed"},
      {"rigid { hull = 'no-such.stl' }", "1", "no-such.stl"},
      {"rigid { hull = 3 }", "1", "a list of points, or a file"},
      {"rigid { hull = { scale = 2 } }", "1", "rigid 1: hull needs an entry 'file'"},
      {"rigid { hull = { file = 'a.stl', scale = { 1, 0, 1 } } }", "1", "scale has a 0"},
      {"rigid { hull = { file = 'a.stl', scael = 2 } }", "1", "did you mean 'scale'?"},
      {"rigid { terrain = { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },\n"
       "  triangles = { { 1, 2, 4 } } } }",
       "1", "terrain"},
      {"rigid { terrain = { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },\n"
       "  triangles = { { 0, 1, 2 } } } }",
       "1", "number points from 1"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void masses_and_motions_are_checked(void **state) {
  static const refusal wrong[] = {
      {"rigid { sphere = 1, mass = 1, density = 2 }", "1", "has a mass and a density"},
      {"rigid { sphere = 1, mass = 0 }", "1", "mass = 0"},
      {"rigid { sphere = 1, density = -1 }", "1", "density = -1"},
      {"rigid { sphere = 1, inertia = { 1, 1, 1 } }", "1", "an inertia, but no mass"},
      {"rigid { sphere = 1, mass = 1, centre = { 1, 0, 0 } }", "1", "a mass and an inertia"},
      {"rigid { mass = 1 }", "1", "or a mass and an inertia"},
      {"rigid { sphere = 1, fixed = true, drive = function() end }", "1", "fixed and driven"},
      {"rigid { sphere = 1, fixed = true, velocity = { 1, 0, 0 } }", "1", "is fixed"},
      {"rigid { sphere = 1, rotation = 1 }", "1", "a quaternion"},
      {"rigid { sphere = 1, rotation = { angle = 1 } }", "1", "'axis' of some length"},
      {"rigid { sphere = 1, rotation = { 1, 0, 0 } }", "1", "rotation has 3 entries"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void the_rest_is_checked(void **state) {
  static const refusal wrong[] = {
      {FLOOR "world { mu = 1 }", "2", "describe the world first"},
      {"world { mu = -1 }", "1", "mu = -1"},
      {"world { grafity = { 0, 0, -1 } }", "1", "did you mean 'gravity'?"},
      {"world {}\nworld {}", "2", "a second time"},
      {FLOOR "surface_pair { mu = 1 }", "2", "surface_pair names 0"},
      {FLOOR "surface_pair { 'ice', nu = 1 }", "2", "did you mean 'mu'?"},
      {"rigid { sphere = 1, surface = 'ice' }\n" RUN "surface_pair { 'icy', 'usual', mu = 1 }", "3",
       "no body has the surface 'icy'; did you mean 'ice'?"},
      {FLOOR "ignore { 'floor' }", "2", "give two"},
      {FLOOR "ignore { 'floor', 'flour' }", "2", "no body 'flour'; did you mean 'floor'?"},
      {FLOOR "ignore { 1, 2 }", "2", "there is no body 2; there are 1"},
      {BOX "joint { bodies = { 'box' }, at = { 0, 0, 0 } }", "2", "needs an entry 'kind'"},
      {BOX "joint { kind = 'hing', bodies = { 'box' } }", "2", "did you mean 'hinge'?"},
      {BOX "joint { kind = 'ball', bodies = {}, at = { 0, 0, 0 } }", "2", "two bodies, or of one"},
      {BOX "joint { kind = 'ball', bodies = { 'box' } }", "2", "'at'"},
      {BOX "joint { kind = 'hinge', bodies = { 1 }, at = { 0, 0, 0 } }", "2", "'axis'"},
      {BOX "camera { from = { 0, 0, 1 }, to = { 0, 0, 0 } }", "2", "along the view"},
      {BOX "camera { to = { 0, 0, 0 } }", "2", "'from' and 'to'"},
      {BOX "camera { from = { 1, 0, 0 }, to = { 0, 0, 0 }, width = 1, angle = 3 }", "2",
       "give one"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void runs_are_checked(void **state) {
  static const refusal wrong[] = {
      {BOX, "1", "does not say how to run"},
      {"world {}\n" RUN, "1", "no bodies"},
      {BOX "run { t_end = 1 }", "2", "'h'"},
      {BOX "run { h = 0.1, t_end = 1, rest = 3 }", "2", "run has no entry 'rest'"},
      {BOX RUN RUN, "3", "a second time"},
      {RUN BOX, "2", "before it"},
      {BOX "system { mass = 1, q = { 0 } }", "2", "for a scene with a system"},
      {BOX "wall {}", "2", "this one describes a world"},
      {"system { mass = 1, q = { 0 } }\n" BOX, "2", "for a scene with a world"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

// --- What only a run finds ---

static void refuse_run(const char *text, const char *place, const char *words) {
  stc_scene *scene = need_scene(text);
  stc_run *run = NULL;
  stc_step_report report;
  stc_error error = stc_run_create(scene, NULL, &run);
  if (!error) error = stc_run_step(run, &report);
  assert_int_not_equal(error, STC_OK);
  if (strncmp(stc_error_detail(), place, strlen(place)) != 0 || !strstr(stc_error_detail(), words))
    fail_msg("'%s' instead of '%s ... %s'", stc_error_detail(), place, words);
  stc_run_close(&run);
  stc_scene_free(&scene);
}

static void a_run_names_the_line(void **state) {
  refuse_run(FLOOR "rigid { sphere = 1, rotation = { 2, 0, 0, 0 } }\n" RUN,
             "dir/test.lua:2:", "unit quaternion");
  refuse_run("world { plane = true }\nrigid { sphere = 1, omega = { 1, 0, 0 } }\n" RUN,
             "dir/test.lua:2:", "leaves the plane");
  refuse_run(FLOOR "rigid { name = 'low', sphere = 1, at = { 0, 0, 0.5 } }\n" RUN,
             "dir/test.lua:1:", "'low' overlap by 0.5 m");
  refuse_run(FLOOR "rigid { sphere = 1, drive = function(t)\n return nothing.x end }\n" RUN,
             "dir/test.lua:3:", "nothing");
  refuse_run(FLOOR "rigid { sphere = 1, drive = function(t) return 0 / 0 end }\n" RUN,
             "dir/test.lua:2:", "vx is not a number");
  refuse_run(FLOOR "rigid { sphere = 1, drive = function(t) return 1, 2, 3, 4, 5, 6, 7 end }\n" RUN,
             "dir/test.lua:2:", "at most 6");
  refuse_run(FLOOR "rigid { sphere = 1, mass = 1, inertia = { 1, 1, 9 }, at = { 0, 0, 1 } }\n" RUN,
             "dir/test.lua:2:", "belongs to no body");
}

// --- What a scene sees ---

static stc_run *start(stc_scene *scene) {
  stc_run *run = NULL;
  if (stc_run_create(scene, NULL, &run) != STC_OK) fail_msg("%s", stc_error_detail());
  return run;
}

// A box of 2 x 1 x 0.5 m with the usual density at rest: 1000 kg, 9810 N on four corners.
static void a_scene_sees_its_bodies(void **state) {
  stc_scene *scene = need_scene(
      FLOOR "local n = rigid { box = { 2, 1, 0.5 }, at = { 3, 0, 0.25 } }\n" RUN "observables {\n"
            "  a = function(s) return s.body(n).mass end,\n"
            "  b = function(s) return s.body(n).x[1] end,\n"
            "  c = function(s) return #s.contacts() end,\n"
            "  d = function(s)\n"
            "    local sum = 0\n"
            "    for _, c in ipairs(s.contacts()) do\n"
            "      assert(c.state == 'stick' and math.abs(c.normal[3]) == 1 and c.gap <= 0)\n"
            "      sum = sum + c.r[1] / s.h\n"
            "    end\n"
            "    return sum end,\n"
            "  e = function(s) return s.bodies end,\n"
            "  f = function(s) return s.body('floor').name == 'floor' end,\n"
            "  g = function(s) return s.report.contacts + s.report.largest_eta end,\n"
            "  h = function(s) return s.energy.potential end,\n"
            "  i = function(s) return s.body('flor') end }\n");
  stc_run *run = start(scene);
  run_to_end(run);
  expect_near(observe(run, 0), 1000, 1e-9);
  expect_near(observe(run, 1), 3, 1e-12);
  assert_true(observe(run, 2) == 4);
  expect_near(observe(run, 3), 9810, 1e-4);
  assert_true(observe(run, 4) == 2);
  assert_true(observe(run, 5) == 1);
  expect_near(observe(run, 6), 4, 1e-6);
  expect_near(observe(run, 7), 9810 * 0.25, 1e-6);
  stc_observed observed;
  assert_int_not_equal(stc_run_observe(run, 8, &observed), STC_OK);
  assert_non_null(strstr(stc_error_detail(), "did you mean 'floor'?"));
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// Two balls over a floor of group 2: one meets it, 1000 4/3 pi 0.1^3 g h on it in each step, the
// other (mask 1) falls past it through a sensor between z = -0.5 and 0.5, whose part weighs
// nothing.
static void groups_sensors_and_events(void **state) {
  stc_scene *scene = need_scene(
      "rigid { name = 'floor', plane = true, group = 2 }\n"
      "rigid { name = 'gate', fixed = true, mask = { 1, 3 },\n"
      "        parts = { { box = { 4, 4, 1 }, sensor = true } } }\n"
      "rigid { name = 'lies', sphere = 0.1, at = { 1, 0, 0.1 }, group = 3, mask = { 2, 3 } }\n"
      "rigid { name = 'falls', sphere = 0.1, at = { -1, 0, 0.1 }, mask = 1 }\n" RUN
      "observables {\n"
      "  n = function(s) return #s.events() end,\n"
      "  f = function(s) local e = s.events()[1]\n"
      "    assert(e.kind == 'persist' and e.a == 1 and e.b == 3 and not e.sensor)\n"
      "    assert(e.contacts == 1 and e.part_b == 1 and e.speed < 1e-9)\n"
      "    return -e.impulse[3] / s.h end,\n"
      "  z = function(s) return s.body('falls').x[3] end }");
  stc_run *run = start(scene);
  run_to_end(run);
  assert_true(observe(run, 1) == 1);  // mask {2, 3} leaves out the gate's group
  expect_near(observe(run, 0), 9810 * 4.0 / 3 * 3.14159265358979323846 * 1e-3, 1e-6);
  assert_true(observe(run, 2) < -1);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// In the plane: a triangle is a prism of depth 1 m, its rotation an angle, a drive vx, vy, w.
// A body without a shape whose centre of mass is 2 m along its y, held by a hinge at its origin: a
// pendulum with J = 3 + 5 2^2 = 23 kg m^2 about the hinge. Let go along x its angle begins with
// the rate -m g l / J = -5 10 2 / 23 rad/s^2; the centre is at R (0, 2, 0) = (2, 0, 0).
static void a_centre_may_be_away_from_the_origin(void **state) {
  stc_scene *scene = need_scene(
      "world { gravity = { 0, 0, -10 } }\n"
      "rigid { name = 'arm', mass = 5, inertia = { 3, 1, 3 }, centre = { 0, 2, 0 },\n"
      "        rotation = { axis = { 0, 0, 1 }, angle = -math.pi / 2 } }\n"
      "joint { kind = 'hinge', bodies = { 'arm' }, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }\n"
      "run { h = 1e-3, t_end = 1e-3 }\n"
      "observables { x = function(s) return s.body('arm').x[1] end,\n"
      "              rate = function(s) return s.body('arm').omega[2] / s.t end,\n"
      "              origin = function(s) return s.body('arm').at[1] end }");
  stc_run *run = NULL;
  expect_ok(stc_run_create(scene, NULL, &run));
  run_to_end(run);
  expect_near(observe(run, 2), 2, 1e-5);
  expect_near(observe(run, 1), 100.0 / 23, 1e-5);
  expect_near(observe(run, 0), 0, 1e-12);
  expect_ok(stc_run_close(&run));
  stc_scene_free(&scene);
}

static void the_plane_has_two_coordinates(void **state) {
  stc_scene *scene = need_scene("world { plane = true, mu = 0.3 }\n"
                                "rigid { plane = true }\n"
                                "rigid { name = 'wedge', hull = { { 0, 0 }, { 3, 0 }, { 0, 3 } }, "
                                "at = { 1, 0 }, density = 2 }\n"
                                "rigid { name = 'disc', sphere = 0.5, mass = 2, inertia = 0.25, at "
                                "= { -2, 0.5 }, rotation = 0.1,\n"
                                "  velocity = { 1, 0 }, omega = -2 }\n"
                                "rigid { name = 'arm', box = { 1, 1 }, at = { 0, 9 }, drive = "
                                "function(t) return 0, 1, 2 end }\n"
                                "run { h = 0.01, t_end = 1 }\n"
                                "observables {\n"
                                "  a = function(s) return s.body('wedge').mass end,\n"
                                "  b = function(s) return s.body('disc').x[1] end,\n"
                                "  c = function(s) return s.body('disc').angle end,\n"
                                "  d = function(s) return s.body('arm').x[2] end,\n"
                                "  e = function(s) return s.body('arm').angle end,\n"
                                "  f = function(s) return #s.contacts()[1].r end,\n"
                                "  g = function(s) return s.body('wedge').x[1] end }\n");
  stc_run *run = start(scene);
  run_to_end(run);
  expect_near(observe(run, 0), 9, 1e-12);    // 4.5 m^3
  expect_near(observe(run, 1), -1, 1e-9);    // it rolls
  expect_near(observe(run, 2), -1.9, 1e-4);  // Cayley's rotation is off by h^2
  expect_near(observe(run, 3), 10, 1e-12);
  expect_near(observe(run, 4), 2, 1e-4);
  assert_true(observe(run, 5) == 2);
  expect_near(observe(run, 6), 2, 1e-12);  // centre of the triangle
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// Surfaces: ice on anything slides, the pair that is given overrides the mixture sqrt(0.36 0.01).
static void surface_pairs_hold_as_given(void **state) {
  stc_scene *scene =
      need_scene("world { gravity = { 3, 0, -10 }, mu = 0.36 }\n" FLOOR
                 "rigid { name = 'a', box = { 1, 1, 0.2 }, at = { 0, 0, 0.1 } }\n"
                 "rigid { name = 'b', box = { 1, 1, 0.2 }, at = { 0, 2, 0.1 }, surface = 'ice' }\n"
                 "rigid { name = 'c', box = { 1, 1, 0.2 }, at = { 0, 4, 0.1 }, surface = 'wax' }\n"
                 "surface_pair { 'ice', mu = 0.01 }\n"
                 "surface_pair { 'wax', 'usual', mu = 0.2 }\n"
                 "run { h = 0.01, t_end = 0.5, exact = true }\n"
                 "observables {\n"
                 "  a = function(s) return s.body('a').velocity[1] end,\n"
                 "  b = function(s) return s.body('b').velocity[1] end,\n"
                 "  c = function(s) return s.body('c').velocity[1] end }\n");
  stc_run *run = start(scene);
  run_to_end(run);
  assert_true(observe(run, 0) == 0);
  expect_near(observe(run, 1), (3 - 0.6) * 0.5, 1e-7);
  expect_near(observe(run, 2), (3 - 2) * 0.5, 1e-7);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// A box on a slope stands where mu >= tan a = 0.75 / 1; at mu = 0 nothing leaning does, and what
// nothing holds falls. Bodies nearer than 1e-5 of their size touch.
static void equilibrium_is_decided(void **state) {
  static const char *const worlds[] = {
      "world { gravity = { 7.5, 0, -10 } }\nrigid { plane = true }\n"
      "rigid { name = 'box', box = { 1, 1, 0.1 }, at = { 0, 0, 0.05 }, velocity = { 1, 0, 0 } }\n",
      "world { plane = true, gravity = { 7.5, -10 } }\nrigid { plane = true }\n"
      "rigid { name = 'box', box = { 1, 0.1 }, at = { 0, 0.050002 }, velocity = { 1, 0 } }\n"};
  for (int k = 0; k < 4; k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "%s%s" RUN "observables {\n"
             "  a = function(s) return s.equilibrium(0.7500001) end,\n"
             "  b = function(s) return s.equilibrium(0.7499999) end,\n"
             "  c = function(s) return s.equilibrium(1e9) end,\n"
             "  d = function(s) return s.equilibrium(1, 'start') end,\n"
             "  e = function(s) return s.equilibrium(-1) end }\n",
             worlds[k % 2],
             k < 2    ? ""
             : k == 2 ? "rigid { sphere = 1, at = { 9, 9, 9 } }\n"
                      : "rigid { sphere = 1, at = { 9, 9 } }\n");
    stc_scene *scene = need_scene(text);
    stc_run *run = start(scene);
    bool held = k < 2;
    for (int j = 0; j < 4; j++) assert_true(observe(run, j) == (held && j != 1));
    double value;
    assert_int_not_equal(stc_run_observable(run, 4, &value), STC_OK);
    assert_int_equal(stc_run_close(&run), STC_OK);
    stc_scene_free(&scene);
  }
}

// --- Files ---

// Things that fall, slide, rotate, bounce, are driven and joined; memory for three contacts only.
#define MANY                                                                                       \
  "local p = parameters { n = 6, memory = 3 }\n"                                                   \
  "world { mu = 0.4, restitution = 0.2 }\n" FLOOR "for k = 1, p.n do\n"                            \
  "  rigid { name = 'b' .. k, box = { 0.3, 0.2, 0.1 }, at = { 0.02 * k, 0, 0.13 * k }, omega = "   \
  "{ 0, 0, k } }\n"                                                                                \
  "end\n"                                                                                          \
  "rigid { sphere = 0.1, at = { 0.5, 0, 0.3 }, velocity = { -2, 0.1, 0 }, color = { 1, 0, 0 } }\n" \
  "rigid { name = 'arm', capsule = { radius = 0.05, length = 1 }, at = { 0, 1, 1 },\n"             \
  "  drive = function(t) return 0, -1, 0, 0, 0, math.sin(t) end }\n"                               \
  "rigid { name = 'bob', sphere = 0.1, at = { 0, 2, 1 } }\n"                                       \
  "joint { kind = 'ball', bodies = { 'bob' }, at = { 0, 2, 2 } }\n"                                \
  "run { h = 0.004, t_end = 0.6, store_every = 5, memory = p.memory }\n"                           \
  "camera { from = { 3, 3, 2 }, to = { 0, 0, 0 }, width = 4 }\n"                                   \
  "memory { most = 0 }\n"                                                                          \
  "step(function(s, m) m.most = math.max(m.most, s.report.contacts) end)\n"                        \
  "series { z = function(s) return s.body('b1').x[3] end }\n"                                      \
  "observables { most = function(s, m) return m.most end }\n"

static void run_file(const char *path, int threads, double until, bool resume) {
  stc_scene *scene = need_scene(MANY);
  stc_run_settings settings = {.output = path,
                               .threads = threads,
                               .resume = resume,
                               .until_given = until > 0,
                               .until = until};
  stc_run *run = NULL;
  if (stc_run_create(scene, &settings, &run) != STC_OK) fail_msg("%s", stc_error_detail());
  run_to_end(run);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

static stc_trajectory *rows_of(const char *path) {
  stc_trajectory *t = NULL;
  if (stc_trajectory_read(path, &t) != STC_OK) fail_msg("%s", stc_error_detail());
  assert_true(t->rigid);
  assert_int_equal(t->blocks, 0);
  return t;
}

static void same_rows(const char *a, const char *b) {
  stc_trajectory *x = rows_of(a), *y = rows_of(b);
  assert_true(x->rows == 31 && y->rows == 31);
  assert_int_equal(x->columns, y->columns);
  assert_memory_equal(x->value, y->value, (size_t)(x->rows * x->columns) * sizeof *x->value);
  assert_true(x->observed[0].number > 3);  // more contacts than are remembered
  assert_true(x->observed[0].number == y->observed[0].number);
  stc_trajectory_free(&x);
  stc_trajectory_free(&y);
}

static void the_same_bits_follow(void **state) {
  char whole[200], parts[200], threads[200];
  scratch_path(whole, sizeof whole, "rigid_whole.h5");
  scratch_path(parts, sizeof parts, "rigid_parts.h5");
  scratch_path(threads, sizeof threads, "rigid_threads.h5");
  run_file(whole, 0, 0, false);
  for (int k = 1; k <= 3; k++) run_file(parts, k, 0.2 * k, k > 1);
  run_file(threads, 4, 0, false);
  same_rows(whole, parts);
  same_rows(whole, threads);
  unlink(whole);
  unlink(parts);
  unlink(threads);
}

static void columns_name_the_bodies_that_move(void **state) {
  char path[200];
  scratch_path(path, sizeof path, "rigid_columns.h5");
  run_file(path, 1, 0.02, false);
  stc_trajectory *t = rows_of(path);
  const char *const names[] = {"t",         "contacts", "eta",    "overlap",
                               "joint_gap", "relaxed",  "kinetic"};
  for (int k = 0; k < 7; k++) assert_string_equal(t->name[k], names[k]);
  assert_string_equal(t->name[14], "b1_x");
  assert_string_equal(t->name[14 + 3 * 6 + 1], "body8_y");
  assert_string_equal(t->name[14 + 3 * 7 + 2], "arm_z");
  assert_string_equal(t->name[t->series], "z");
  assert_true(t->value[14 + 2] == 0.13 && t->value[t->series] == 0.13);
  stc_snapshot *snapshot = NULL;
  assert_int_not_equal(stc_snapshot_open(path, &snapshot), STC_OK);
  assert_non_null(strstr(stc_error_detail(), "rigid bodies"));
  stc_trajectory_free(&t);
  unlink(path);
}

// --- Replay ---

static void a_run_is_replayed(void **state) {
  char path[200];
  scratch_path(path, sizeof path, "rigid_replay.h5");
  run_file(path, 1, 0, false);
  stc_trajectory *t = rows_of(path);
  stc_replay *replay = NULL;
  stc_world_report report;
  stc_body_state body;
  stc_camera camera;
  double rgb[3];
  if (stc_replay_open(path, &replay) != STC_OK) fail_msg("%s", stc_error_detail());
  assert_true(stc_replay_rows(replay) == 31 && stc_replay_row(replay) == 30);
  for (long row = 30; row >= 0; row -= 6) {
    assert_int_equal(stc_replay_load(replay, row), STC_OK);
    const double *values = t->value + row * t->columns;
    assert_true(fabs(stc_replay_time(replay) - values[0]) <= 1e-12);
    const stc_world *world = stc_replay_world(replay);
    assert_int_equal(stc_world_body(world, stc_world_body_at(world, 1), &body), STC_OK);
    assert_memory_equal(body.centre, values + 14, sizeof body.centre);
  }
  assert_int_equal(stc_replay_load(replay, 30), STC_OK);
  assert_int_equal(stc_replay_step(replay, &report), STC_OK);
  assert_true(report.accepted && report.contacts > 3);
  assert_int_equal(stc_world_contacts(stc_replay_world(replay)), report.contacts);
  assert_true(stc_replay_camera(replay, &camera) && camera.width == 4 && camera.angle == 0);
  assert_false(stc_replay_color(replay, 0, rgb));
  assert_true(stc_replay_color(replay, 7, rgb) && rgb[0] == 1 && rgb[1] == 0);
  assert_string_equal(stc_replay_name(replay, 0), "floor");
  assert_null(stc_replay_name(replay, 7));
  expect_failure(stc_replay_load(replay, 31), STC_ERR_ARGUMENT, "rows 0 to 30");
  stc_replay_free(&replay);
  stc_trajectory_free(&t);
  unlink(path);
}

// From the row before it, a step between two rows repeats what the run did, up to the tolerance.
static void any_step_becomes_a_problem(void **state) {
  char path[200], file[200];
  scratch_path(path, sizeof path, "rigid_dump.h5");
  scratch_path(file, sizeof file, "rigid_problem.h5");
  run_file(path, 1, 0, false);
  stc_replay *replay = NULL;
  stc_problem *problem = NULL;
  assert_int_equal(stc_replay_open(path, &replay), STC_OK);
  if (stc_replay_write_problem(replay, 100, file) != STC_OK) fail_msg("%s", stc_error_detail());
  assert_int_equal(stc_problem_read(file, &problem), STC_OK);
  assert_int_equal(stc_problem_contacts(problem), stc_world_contacts(stc_replay_world(replay)));
  assert_int_equal(stc_problem_equalities(problem), 3);
  assert_non_null(strstr(stc_problem_get_text(problem).description, "step 100 of dir/test.lua"));
  stc_problem_free(&problem);
  expect_failure(stc_replay_write_problem(replay, 0, file), STC_ERR_ARGUMENT, "steps 1 to");
  expect_failure(stc_replay_write_problem(replay, 156, file), STC_ERR_ARGUMENT, "steps 1 to 155");
  stc_replay_free(&replay);
  unlink(path);
  unlink(file);
}

static void other_runs_are_not_replayed(void **state) {
  char path[200];
  scratch_path(path, sizeof path, "rigid_other.h5");
  stc_scene *scene = need_scene(BLOCK "run { h = 0.1, t_end = 0.3 }");
  stc_run *run = NULL;
  stc_replay *replay = NULL;
  assert_int_equal(stc_run_create(scene, &(stc_run_settings){.output = path}, &run), STC_OK);
  run_to_end(run);
  assert_int_equal(stc_run_close(&run), STC_OK);
  expect_failure(stc_replay_open(path, &replay), STC_ERR_FORMAT, "the run of a system");
  expect_failure(stc_replay_open("no-such-file", &replay), STC_ERR_FILE, "no-such-file");
  stc_scene_free(&scene);
  unlink(path);
}

// --- Steps that are not taken ---

// Two driven plates close on a box: nothing can keep them apart.
static void a_step_that_fails_leaves_a_capsule(void **state) {
  char path[200];
  scratch_path(path, sizeof path, "rigid_capsule.h5");
  stc_scene *scene = need_scene(
      "world { mu = 0.3 }\n"
      "rigid { name = 'low', box = { 1, 1, 1 }, drive = function(t) return 0, 0, 1 end }\n"
      "rigid { name = 'mid', box = { 1, 1, 1 }, at = { 0, 0, 1 } }\n"
      "rigid { name = 'top', box = { 1, 1, 1 }, at = { 0, 0, 2 },\n"
      "  drive = function(t) return 0, 0, -1 end }\n" RUN);
  stc_run *run = start(scene);
  stc_step_report report;
  stc_problem *problem = NULL;
  assert_int_equal(stc_run_step(run, &report), STC_OK);
  assert_false(report.accepted);
  assert_non_null(strstr(report.reason, "'mid'"));
  assert_true(stc_run_steps(run) == 0);
  if (stc_run_capsule(run, path) != STC_OK) fail_msg("%s", stc_error_detail());
  assert_int_equal(stc_problem_read(path, &problem), STC_OK);
  assert_int_equal(stc_problem_contacts(problem), 8);
  assert_non_null(strstr(stc_problem_get_text(problem).description, "step 1"));
  stc_problem_free(&problem);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
  unlink(path);
}

// ... and six boxes stand on a floor beside them: the squeezed pairs err most, and come first.
static void the_worst_contacts_are_named(void **state) {
  stc_scene *scene = need_scene(
      "world { mu = 0.3 }\n"
      "rigid { name = 'floor', plane = true, at = { 0, 0, -0.5 } }\n"
      "for k = 1, 6 do rigid { name = 'b' .. k, box = { 1, 1, 1 }, at = { 2 * k, 0, 0 } } end\n"
      "rigid { name = 'low', box = { 1, 1, 1 }, at = { 0, 0, 5 },\n"
      "  drive = function(t) return 0, 0, 1 end }\n"
      "rigid { name = 'mid', box = { 1, 1, 1 }, at = { 0, 0, 6 } }\n"
      "rigid { name = 'top', box = { 1, 1, 1 }, at = { 0, 0, 7 },\n"
      "  drive = function(t) return 0, 0, -1 end }\n" RUN);
  stc_run *run = start(scene);
  stc_step_report report;
  assert_int_equal(stc_run_step(run, &report), STC_OK);
  assert_false(report.accepted);
  const char *mid = strstr(report.reason, "'mid'"), *top = strstr(report.reason, "'top'");
  const char *other = strstr(report.reason, "'floor'");
  assert_true(mid && top && (!other || (mid < other && top < other)));
  assert_null(strstr(top + 1, "'top'"));  // four contacts, one pair
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_are_checked),
      cmocka_unit_test(hulls_and_terrains_are_checked),
      cmocka_unit_test(masses_and_motions_are_checked),
      cmocka_unit_test(the_rest_is_checked),
      cmocka_unit_test(runs_are_checked),
      cmocka_unit_test(a_run_names_the_line),
      cmocka_unit_test(a_scene_sees_its_bodies),
      cmocka_unit_test(groups_sensors_and_events),
      cmocka_unit_test(a_centre_may_be_away_from_the_origin),
      cmocka_unit_test(the_plane_has_two_coordinates),
      cmocka_unit_test(surface_pairs_hold_as_given),
      cmocka_unit_test(equilibrium_is_decided),
      cmocka_unit_test(the_same_bits_follow),
      cmocka_unit_test(columns_name_the_bodies_that_move),
      cmocka_unit_test(a_run_is_replayed),
      cmocka_unit_test(any_step_becomes_a_problem),
      cmocka_unit_test(other_runs_are_not_replayed),
      cmocka_unit_test(a_step_that_fails_leaves_a_capsule),
      cmocka_unit_test(the_worst_contacts_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
