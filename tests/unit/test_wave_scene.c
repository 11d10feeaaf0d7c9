// Columns, bars and strips in scenes: words, answers, run files and pictures.
#include "scene_support.h"
#include "scratch.h"

#include "problem/fclib/h5.h"
#include "scene/store_file.h"

#include <stdio.h>
#include <stiction/elastodynamic.h>
#include <unistd.h>

#define LAW    "mu_s = 0.6, mu_d = 0.2, v_c = 0.1"
#define COLUMN "column { " LAW ", rate = 0.1, t_turn = 8, threshold = 0.2"
#define STEPS  "elastodynamic { dt = 0.05, t_end = 16 }\n"
#define STRIP                                                                                      \
  "strip { " LAW ", size = { 2, 1 }, cells = { 6, 3 }, eps = 0.2, eta_n = 0.01, eta_t = 1e-4,\n"   \
  "  pressed = true, tau = function(t) return 0.1 * t end, threshold = 0.05, supports = {\n"       \
  "  { side = 'top', component = 'x', value = 0 },\n"                                              \
  "  { side = 'top', component = 'y', value = function(t, x) return -0.2 end } } }\n"

// --- What is said ---

static void words_are_checked(void **state) {
  refuse("column { mu_s = 0.6, mu_d = 0.2 }", "1", "v_c");
  refuse("column { mu_s = 0.1, mu_d = 0.2, v_c = 1, rate = 1 }", "1", "above mu_s");
  refuse("column { " LAW ", rate = 1, layer = 0.1 }", "1", "give threshold");
  refuse("column { " LAW ", rate = 1, leyer = 0.1 }", "1", "layer");
  refuse("\nbar { " LAW ", depth = 1, elements = 4 }", "2", "'tau'");
  refuse("bar { " LAW ", depth = 1, elements = 4, tau = 'x' }", "1", "a function of t");
  refuse("bar { " LAW ", depth = 1, elements = 4, tau = 1, rule = 'mox' }", "1",
         "there is no rule 'mox'; did you mean 'max'?");
  refuse("strip { " LAW ", tau = 1, size = { 1 }, cells = { 1, 1 } }", "1", "2 in the plane");
  refuse("strip { " LAW ", tau = 1, size = { 1, 1 }, cells = { 1, 1, 1 } }", "1",
         "different lengths");
  refuse("strip { " LAW ", tau = 1, size = { 1, 1 }, cells = { 1, 1e9 } }", "1",
         "nodes that this scene has memory for");
  refuse("strip { " LAW ", tau = 1, size = { 1, 1 }, cells = { 1, 1 }, dt = 1 }", "1",
         "elastodynamic");
  refuse("strip { " LAW ", tau = 1, size = { 1, 1 }, cells = { 1, 1 },\n"
         "  supports = { { side = 'top', component = 'z', value = 0 } } }",
         "1", "'component': x, y");
  refuse("strip { " LAW ", tau = { 1, 2 }, size = { 1, 1 }, cells = { 1, 1 } }", "1",
         "more entries than the support has directions");
}

static void members_fit_together(void **state) {
  refuse(COLUMN " }\n", "1", "the scene needs elastodynamic");
  refuse(STEPS, "1", "no column, bar or strip");
  refuse(COLUMN " }\n" COLUMN " }", "2", "two members 'column'");
  refuse(STEPS STEPS, "2", "a second time");
  refuse(COLUMN " }\nsystem { mass = 1, q = { 0 } }", "2", "is for a scene with a system");
  refuse(COLUMN " }\npicture { title = 'a|b' }", "2", "has a |");
  refuse(COLUMN " }\npicture { title = 'a', curves = { { 1, 'b' } } }", "2", "function(u)");
}

#define RING                                                                                       \
  "local m = grid { element = 'Q4', cells = { 8, 2 }, body = 'b', map = function(s, t)\n"          \
  "  return (1 + t) * math.sin(s), (1 + t) * math.cos(s) end }\n"
#define BODY "strip { mesh = m, contact = 'b.t0', tau = { 0.1, -0.1 }, "

static void meshes_are_checked(void **state) {
  refuse(RING BODY LAW ", size = { 1, 1 } }", "3", "size is for a cylinder");
  refuse(RING "strip { mesh = m, tau = 1, " LAW " }", "3", "needs an entry 'contact'");
  refuse("strip { mesh = 3, contact = 'b', tau = 1, " LAW " }", "1", "grid { } or gmsh { }");
  refuse(RING BODY "mu = 0.3, mu_s = 0.2 }", "3", "mu and mu_s are two coefficients");
  refuse(RING BODY "mu = function(v) return 1 end }", "3", "'steepest'");
  refuse(RING BODY "mu = { speed = { 0, 1 }, mu = { 1 } } }", "3", "mu");
  refuse(RING BODY LAW ", u0 = { 1, 2, 3 } }", "3", "u0 has 3 entries in 2 dimensions");
  refuse(RING BODY LAW ", regions = { { group = 'b', stiffness = { { 1 } } } } }", "3",
         "stiffness");
  refuse(RING BODY LAW ", regions = { { group = 'b', lambda = 1 } } }", "3", "'shear'");
  refuse(RING BODY LAW ", regions = 3 }", "3", "regions");
  refuse(RING "system { mass = 1, q = { 0 } }", "3", "is for a scene with a system");
  refuse(RING BODY LAW " }\nsolid { kinematics = 'plane_strain' }", "4",
         "this one describes an elastodynamic run");
}

static void expect_run_refused(const char *text, const char *words) {
  stc_scene *scene = need_scene(text);
  stc_run *run = NULL;
  assert_int_not_equal(stc_run_create(scene, NULL, &run), STC_OK);
  if (!strstr(stc_error_detail(), words)) fail_msg("%s", stc_error_detail());
  stc_scene_free(&scene);
}

// What only the mesh can tell is refused when the run begins, with file, line and member.
static void bodies_are_refused_with_their_line(void **state) {
  expect_run_refused(RING BODY LAW
                     ", supports = { { group = 'c', component = 'x', value = 0 } } }\n" STEPS,
                     ":3: strip 'strip': ");
  expect_run_refused(RING BODY "mu = { speed = { 1, 2 }, mu = { 1, 1 } } }\n" STEPS,
                     ":3: strip 'strip': the table of mu begins at the speed 1");
  expect_run_refused(RING BODY LAW ", regions = { { group = 'b', stiffness = { { 1, 2, 0 }, "
                                   "{ 2, 1, 0 }, { 0, 0, 1 } } } } }\n" STEPS,
                     "not positive definite");
}

static void run_ring(const char *ends, double *numbers) {
  char text[1500];
  stc_run *run = NULL;
  snprintf(text, sizeof text,
           RING "strip { mesh = m, contact = 'b.t0', eta_n = 0.01, eta_t = 1e-3, eps = 0.1,\n"
                "  degree = 3, pressed = true, tau = { function(t, x) return t * x[2] end,\n"
                "    function(t, x) return -t * x[1] end },\n"
                "  supports = { { group = 'b.t1', component = 'x', value = function(t, x)\n"
                "    return -0.02 * x[1] end }, { group = 'b.t1', component = 'y',\n"
                "    value = function(t, x) return -0.02 * x[2] end } },\n%s }\n"
                "elastodynamic { dt = 0.02, t_end = 1 }\n"
                "observables { a = function(s) return s.strip.w end,\n"
                "  b = function(s) return s.strip.friction_y end,\n"
                "  c = function(s) local n = s.strip.nodes()[3]\n"
                "    return n.slip[1] * n.normal[1] + n.slip[2] * n.normal[2] end,\n"
                "  d = function(s) return s.strip.energy_error end }\n",
           ends);
  stc_scene *scene = need_scene(text);
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
  run_to_end(run);
  for (int k = 0; k < 4; k++) numbers[k] = observe(run, k);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// A cylinder that is read from a Gmsh file beside the built-in one: the same to the last digits.
static void a_gmsh_file_is_a_cylinder(void **state) {
  static const char format[] =
      "local function both(e)\n"
      "  e.mu, e.eps, e.degree, e.eta_n, e.eta_t, e.pressed = 0.4, 0.1, 3, 1e-2, 1e-3, true\n"
      "  e.tau = function(t) return t end\n"
      "  e.supports = { { group = 'top', component = 'x', value = 0 },\n"
      "    { group = 'top', component = 'y', value = -0.2 } }\n"
      "  strip(e) end\n"
      "both { name = 'a', size = { 2, 1 }, cells = { 6, 3 } }\n"
      "both { name = 'b', mesh = gmsh { file = '%ld.cylinder.msh' }, contact = 'bottom' }\n"
      "elastodynamic { dt = 0.02, t_end = 1 }\n"
      "observables { a = function(s) return s.a.w end, b = function(s) return s.b.w end,\n"
      "  c = function(s) return s.a.friction - s.b.friction end }\n";
  stc_strip_settings s = stc_default_strip_settings();
  stc_strip *strip = NULL;
  stc_run *run = NULL;
  s.size[0] = 2, s.cells[0] = 6, s.cells[1] = 3, s.eps = 0.1;
  assert_int_equal(stc_strip_create(&s, &strip), STC_OK);
  char text[1200], mesh[300], place[300];
  scratch_path(mesh, sizeof mesh, "cylinder.msh");
  scratch_path(place, sizeof place, "cylinder.lua");
  snprintf(text, sizeof text, format, (long)getpid());
  assert_int_equal(stc_mesh_write(mesh, stc_strip_mesh(strip)), STC_OK);
  stc_strip_free(&strip);
  stc_scene *scene = NULL;
  assert_int_equal(stc_scene_read_text(place, text, strlen(text), NULL, &scene), STC_OK);
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
  run_to_end(run);
  assert_true(observe(run, 0) > 0.1);
  expect_near(observe(run, 1), observe(run, 0), 1e-10);
  expect_near(observe(run, 2), 0, 1e-10);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
  unlink(mesh);
}

// One coefficient in three words; slip lies in the surface; energy balances.
static void a_coefficient_has_many_words(void **state) {
  double law[4], table[4], function[4];
  run_ring("mu_s = 0.3, mu_d = 0.3, v_c = 1", law);
  run_ring("mu = { speed = { 0, 1 }, mu = { 0.3, 0.3 } }", table);
  run_ring("mu = function(v) return 0.3 end, steepest = 0, greatest = 0.3", function);
  for (int k = 0; k < 2; k++) {
    expect_near(table[k], law[k], 1e-9);
    expect_near(function[k], law[k], 1e-9);
  }
  assert_true(law[0] > 0.01 && law[1] < 0);
  expect_near(law[2], 0, 1e-15);
  assert_true(law[3] < 1e-12);
}

// A line of a picture that no column has, a map that no strip has: refused when the run begins.
static void side_of_no_strip_is_refused(void **state) {
  stc_scene *scene = need_scene(COLUMN " }\n" STEPS "picture { title = 'a', map = 'column' }");
  stc_run *run = NULL;
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_ERR_FORMAT);
  assert_non_null(strstr(stc_error_detail(), "there is no strip 'column'"));
  stc_scene_free(&scene);
}

// --- Answers ---

// 0.1 t reaches 0.6 at 6 and is back at the fold, 0.3 + 0.1 ln 4, at 16 - 10 (0.3 + 0.1 ln 4).
static void column_answers(void **state) {
  stc_scene *scene = need_scene(COLUMN " }\n" STEPS "local h = curve { " LAW " }\n"
                                       "observables {\n"
                                       "  a = function(s) return s.column.jump_up end,\n"
                                       "  b = function(s) return s.column.jump_down end,\n"
                                       "  c = function() return h.w_fold end,\n"
                                       "  d = function() return h.roots(0.5)[3] end,\n"
                                       "  e = function(s) return s.column.slip end }\n");
  stc_run *run = NULL;
  stc_step_report report;
  stc_elastodynamic_report wave;
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
  for (int k = 0; k < 100; k++) assert_int_equal(stc_run_step(run, &report), STC_OK);
  assert_true(isnan(observe(run, 0)));  // at t = 5 it has not happened yet
  run_to_end(run);
  expect_near(observe(run, 0), 6, 1e-12);
  expect_near(observe(run, 1), 13 - log(4.0), 1e-12);
  expect_near(observe(run, 2), 0.1 * log(4.0), 1e-15);
  expect_near(observe(run, 3), 0.274231613466, 1e-12);
  assert_true(observe(run, 4) > 2 && stc_run_q(run)[0] == observe(run, 4));
  assert_true(stc_run_elastodynamic(run, 0, &wave) && !stc_run_elastodynamic(run, 1, &wave));
  expect_near(wave.uniqueness, 4, 1e-12);
  assert_int_equal(wave.roots, 3);
  assert_true(wave.several > 50 && wave.several < 80);  // 1.6 of 16 s twice, of 320 steps
  assert_string_equal(wave.rule, "delay");
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

// With a layer the rows do not change the events: 6.021487195 and 11.723311688 for eps = 0.01.
static void rows_do_not_change_the_layer(void **state) {
  static const char *const dt[] = {"0.5", "0.01", "0.0133"};
  for (int k = 0; k < 3; k++) {
    char text[400];
    snprintf(text, sizeof text,
             COLUMN ", layer = 0.01 }\nelastodynamic { dt = %s, t_end = 16 }\nobservables {\n"
                    "  a = function(s) return s.column.jump_up end,\n"
                    "  b = function(s) return s.column.jump_down end }\n",
             dt[k]);
    stc_scene *scene = need_scene(text);
    stc_run *run = NULL;
    assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
    run_to_end(run);
    expect_near(observe(run, 0), 6.021487195, 2e-9);
    expect_near(observe(run, 1), 11.723311688, 2e-9);
    stc_run_close(&run);
    stc_scene_free(&scene);
  }
}

// A row shows w at its time, however far it is from the row before: 0.496842 at t = 7 for eps =
// 0.1, as fine elements have it.
static void rows_are_on_time(void **state) {
  static const char *const dt[] = {"0.5", "0.01"};
  const stc_run_settings settings = {.until_given = true, .until = 7};
  double w[2];
  for (int k = 0; k < 2; k++) {
    char text[400];
    snprintf(text, sizeof text,
             COLUMN ", layer = 0.1 }\nelastodynamic { dt = %s, t_end = 9 }\n"
                    "observables { a = function(s) return s.column.w end }\n",
             dt[k]);
    stc_scene *scene = need_scene(text);
    stc_run *run = NULL;
    assert_int_equal(stc_run_create(scene, &settings, &run), STC_OK);
    run_to_end(run);
    w[k] = observe(run, 0);
    stc_run_close(&run);
    stc_scene_free(&scene);
  }
  expect_near(w[0], 0.496842, 2e-6);
  expect_near(w[1], w[0], 1e-11);
}

// w = 0.445344645 in window 6, from t = 12 to 14, nothing before: slip 0.89069 at t = 20. Steps of
// 0.3 cross the borders of windows.
static void reflections_slip_window_by_window(void **state) {
  stc_scene *scene = need_scene("reflections { " LAW ", depth = 1, V = 0.05 }\n"
                                "elastodynamic { dt = 0.3, t_end = 19.8 }\n"
                                "observables { a = function(s) return s.reflections.slip end }\n");
  stc_run *run = NULL;
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
  run_to_end(run);
  expect_near(observe(run, 0), 2 * 0.4453446454, 1e-9);
  stc_run_close(&run);
  stc_scene_free(&scene);
}

// A function of the scene that fails stops the run with its line.
static void failing_speed_is_told(void **state) {
  stc_scene *scene = need_scene("bar { " LAW ", depth = 1, elements = 4,\n"
                                "  tau = function(t) return t < 0.2 and 0 or nil end }\n" STEPS);
  stc_run *run = NULL;
  stc_step_report report;
  stc_error error = stc_run_create(scene, NULL, &run);
  for (int k = 0; !error && k < 10; k++) error = stc_run_step(run, &report);
  assert_int_not_equal(error, STC_OK);
  assert_non_null(strstr(stc_error_detail(), "dir/test.lua:2:"));
  stc_run_close(&run);
  stc_scene_free(&scene);
}

static void strip_shows_its_nodes(void **state) {
  stc_scene *scene = need_scene(STRIP "elastodynamic { dt = 0.02, t_end = 0.4 }\nobservables {\n"
                                      "  a = function(s) return #s.strip.nodes() end,\n"
                                      "  b = function(s) return s.strip.nodes()[7].x[1] end,\n"
                                      "  c = function(s) return s.strip.unconverged end,\n"
                                      "  d = function(s) return s.strip.energy_error end,\n"
                                      "  e = function(s) return s.strip.stuck end }\n");
  stc_run *run = NULL;
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
  run_to_end(run);
  expect_near(observe(run, 0), 7, 0);
  expect_near(observe(run, 1), 2, 1e-14);
  expect_near(observe(run, 2), 0, 0);
  assert_true(observe(run, 3) < 1e-12);
  assert_true(observe(run, 4) > 0);
  stc_run_close(&run);
  stc_scene_free(&scene);
}

// A place of a strip in the plane has two numbers, also beside a block in space.
static void places_have_their_length(void **state) {
  stc_scene *scene =
      need_scene("strip { " LAW ", size = { 2, 1 }, cells = { 2, 2 }, tau = 0, force = { 0, 9 },\n"
                 "  supports = { { side = 'top', component = 'x', value = 0 },\n"
                 "    { side = 'top', component = 'y', value = function(t, x) assert(#x == 2)\n"
                 "      return 0 end } } }\n"
                 "strip { name = 'block', " LAW ", size = { 1, 1, 1 }, cells = { 1, 1, 1 },\n"
                 "  tau = { 0, 0 }, force = { 0, 0, 9 }, supports = {\n"
                 "    { side = 'top', component = 'z', value = function(t, x) assert(#x == 3)\n"
                 "      return 0 end } } }\n"
                 "elastodynamic { dt = 0.05, t_end = 0.2 }\n");
  stc_run *run = NULL;
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
  run_to_end(run);
  stc_run_close(&run);
  stc_scene_free(&scene);
}

// --- Files ---

static const char path[] = "test_wave_scene.h5";

#define MEMBERS                                                                                    \
  COLUMN ", layer = 0.05 }\n" STRIP "bar { " LAW ", depth = 2, elements = 20, layer = 0.1,\n"      \
         "  tau = function(t) return t end }\nelastodynamic { dt = 0.02, t_end = 2 }\n"            \
         "picture { title = 'line', lines = { { 't', 'bar_w' } },\n"                               \
         "  curves = { { function(u) return u, u ^ 2 end, 'square' } }, range = { 0, 2 },\n"       \
         "  points = 5 }\npicture { title = 'map', map = 'strip' }\n"                              \
         "observables { w = function(s) return s.bar.w + s.strip.w end }\n"

static double run_file(bool resume, double until) {
  stc_scene *scene = need_scene(MEMBERS);
  stc_run *run = NULL;
  const stc_run_settings settings = {
      .output = path, .resume = resume, .until_given = until > 0, .until = until};
  assert_int_equal(stc_run_create(scene, &settings, &run), STC_OK);
  assert_int_equal(stc_run_resumed(run), resume ? 50 : 0);
  run_to_end(run);
  double w = observe(run, 0);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
  return w;
}

static stc_trajectory *read_rows(void) {
  stc_trajectory *rows = NULL;
  assert_int_equal(stc_trajectory_read(path, &rows), STC_OK);
  assert_int_equal(rows->rows, 101);
  return rows;
}

// A run that was broken off in the middle gives, resumed, the same bits.
static void resumed_run_has_the_same_bits(void **state) {
  double whole = run_file(false, 0);
  stc_trajectory *first = read_rows();
  run_file(false, 1);
  assert_true(run_file(true, 0) == whole);
  stc_trajectory *second = read_rows();
  assert_int_equal(first->columns, second->columns);
  assert_memory_equal(first->value, second->value,
                      (size_t)first->columns * 101 * sizeof *first->value);
  stc_trajectory_free(&first);
  stc_trajectory_free(&second);
  unlink(path);
}

static void pictures_come_back(void **state) {
  stc_album *album = NULL;
  stc_snapshot *bodies = NULL;
  run_file(false, 0);
  assert_int_equal(stc_album_read(path, &album), STC_OK);
  assert_int_equal(album->pictures, 2);
  const stc_picture *line = &album->picture[0], *map = &album->picture[1];
  assert_string_equal(line->title, "line");
  assert_int_equal(line->lines, 2);
  assert_string_equal(line->line[0].label, "square");
  assert_int_equal(line->line[0].count, 5);
  assert_true(line->line[0].x[3] == 1.5 && line->line[0].y[3] == 2.25);
  assert_string_equal(line->line[1].label, "bar_w");
  assert_int_equal(line->line[1].count, 101);
  expect_near(line->line[1].x[100 * line->line[1].stride], 2, 1e-12);
  assert_int_equal(map->places, 7);
  assert_int_equal(map->times, 101);
  expect_near(map->place[6], 2, 1e-14);
  double mean = 0;  // the ends have half the area
  for (int k = 0; k < 7; k++) mean += map->map[100 * 7 + k] * (k == 0 || k == 6 ? 0.5 : 1) / 6;
  stc_trajectory *rows = read_rows();
  int column = 0;
  while (strcmp(rows->name[column], "strip_w") != 0) column++;
  expect_near(mean, rows->value[100 * rows->columns + column], 1e-12);
  stc_trajectory_free(&rows);
  stc_album_free(&album);
  stc_album_free(&album);
  assert_int_not_equal(stc_snapshot_open(path, &bodies), STC_OK);
  assert_non_null(strstr(stc_error_detail(), "an elastodynamic run"));
  unlink(path);
}

// A block whose support moves along y: in the file the slip rate of a node is a length, beside its
// components.
static void a_block_slides_across(void **state) {
  enum { NODES = 9, FIELDS = 4, NUMBERS = NODES * FIELDS };
  stc_scene *scene =
      need_scene("strip { " LAW ", size = { 1, 1, 1 }, cells = { 2, 2, 2 }, pressed = true,\n"
                 "  eps = 0.1, eta_n = 0.01, threshold = 0.05,\n"
                 "  tau = { 0, function(t) return 0.2 * math.min(t, 1) end }, supports = {\n"
                 "  { side = 'top', component = 'x', value = 0 },\n"
                 "  { side = 'top', component = 'y', value = 0 },\n"
                 "  { side = 'top', component = 'z', value = -0.1 } } }\n"
                 "elastodynamic { dt = 0.05, t_end = 2 }\n"
                 "observables { w = function(s) return s.strip.w end }\n");
  stc_run *run = NULL;
  assert_int_equal(stc_run_create(scene, &(stc_run_settings){.output = path}, &run), STC_OK);
  run_to_end(run);
  double w = observe(run, 0), most = 0;
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_h5 h5;
  stc_h5_object rows;
  expect_ok(stc_h5_open(&h5, path));
  expect_ok(stc_h5_find(&h5, STC_RUN_STEPS, &rows));
  double *all = calloc(rows.count, sizeof *all);
  expect_ok(stc_h5_doubles(&h5, &rows, rows.count, all));
  const double *rate = all + rows.count - NUMBERS, *pressure = rate + NODES, *x = pressure + NODES;
  for (int i = 0; i < NODES; i++) {
    const double *y = x + NODES;
    assert_true(pressure[i] >= 0 && y[i] >= fabs(x[i]));
    expect_near(rate[i], hypot(x[i], y[i]), 1e-15);
    most = fmax(most, rate[i]);
  }
  assert_true(most > 0.1 && w > 0.05 && w < most);  // some stick
  free(all);
  stc_h5_close(&h5);
  stc_scene_free(&scene);
  unlink(path);
}

TEST_PROGRAM(cmocka_unit_test(words_are_checked), cmocka_unit_test(members_fit_together),
             cmocka_unit_test(meshes_are_checked),
             cmocka_unit_test(bodies_are_refused_with_their_line),
             cmocka_unit_test(a_coefficient_has_many_words),
             cmocka_unit_test(a_gmsh_file_is_a_cylinder),
             cmocka_unit_test(side_of_no_strip_is_refused), cmocka_unit_test(column_answers),
             cmocka_unit_test(rows_do_not_change_the_layer), cmocka_unit_test(rows_are_on_time),
             cmocka_unit_test(reflections_slip_window_by_window),
             cmocka_unit_test(failing_speed_is_told), cmocka_unit_test(strip_shows_its_nodes),
             cmocka_unit_test(places_have_their_length),
             cmocka_unit_test(resumed_run_has_the_same_bits), cmocka_unit_test(pictures_come_back),
             cmocka_unit_test(a_block_slides_across))
