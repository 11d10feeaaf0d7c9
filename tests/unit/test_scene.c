// Reading scenes: every wrong entry is refused with file, line and remedy; nothing a scene does
// takes control away.
#include "scene_support.h"

#include <stdio.h>

#define RUN "run { h = 0.1, t_end = 1 }\n"

static void entries_that_are_missing_or_misspelt(void **state) {
  static const refusal wrong[] = {
      {"", "1", "does not describe its system"},
      {BLOCK, "1", "does not describe its run"},
      {"\nsystem { mas = 1, q = { 0 } }", "2", "no entry 'mas'; did you mean 'mass'?"},
      {"system { mass = 1, q = { 0 }, zebra = 1 }", "1", "'zebra'; it has: mass, q"},
      {"system { q = { 0 } }", "1", "needs an entry 'mass'"},
      {"system { mass = 1 }", "1", "q is nil"},
      {"system { mass = 1, q = {} }", "1", "1 to 1000 coordinates"},
      {"system { 1, 2 }", "1", "named entries only"},
      {"system 'x'", "1", "needs a table"},
      {"sistem { mass = 1 }", "1", "no 'sistem'; did you mean 'system'?"},
      {BLOCK "run { t_end = 1 }", "4", "needs an entry 'h'"},
      {BLOCK "run { h = 0, t_end = 1 }", "4", "h = 0; give a number from"},
      {BLOCK "run { h = 0.1, t_end = -1 }", "4", "t_end = -1"},
      {BLOCK RUN RUN, "5", "second time"},
      {"wall { f = 1 }", "1", "describe the system first"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void walls(void **state) {
  static const refusal wrong[] = {
      {BLOCK "wall { f = function() return 0 end }", "4", "wall 'wall2' needs an entry 'gradient'"},
      {BLOCK "wall { gradient = { 0, 1 } }", "4", "needs an entry 'f'"},
      {BLOCK "wall { name = 'floor', f = print }", "4", "no 'print'"},
      {BLOCK "wall { name = 'floor' }", "4", "two walls 'floor'"},
      {BLOCK "wall { f = function() end, gradient = { 0 } }", "4",
       "gradient has 1 entries; give one for each of the 2 coordinates"},
      {BLOCK "wall { f = function() end, gradient = { 0, 'x' } }", "4",
       "entry 2 of gradient is a string"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, restitution = 2 }", "4",
       "restitution = 2; give a number from 0 to 1"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, friction = 'rough' }", "4",
       "friction is a string; give a law"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, friction = -1 }", "4", "mu = -1"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, friction = coulomb { mu = -1 } }",
       "4", "mu = -1"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, friction = coulomb { nu = 1 } }", "4",
       "coulomb has no entry 'nu'; did you mean 'mu'?"},
      {BLOCK
       "wall { f = function() end, gradient = { 0, 1 }, friction = contensou { mu = 1, radius "
       "= 1, hertz = { R = 1, E = 1 } } }",
       "4", "give a radius, or hertz"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, friction = contensou { mu = 1, hertz "
             "= { R = 1, E = 0 } } }",
       "4", "hertz: E = 0"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, friction = contensou { mu = 1, hertz "
             "= { R = 1 } } }",
       "4", "hertz needs an entry 'E'"},
      {"system { mass = 1, q = { 0, 0, 0, 0 } }\n"
       "wall { f = function() return 0 end, gradient = { 0, 0, 1, 0 },\n"
       "  tangents = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } },\n"
       "  friction = contensou { mu = 1, hertz = { R = 1, E = 1 } } }\n"
       "run { h = 0.1, t_end = 1, scheme = 'extrapolated' }\n",
       "2", "a radius that stays"},
      {BLOCK "wall { f = function() end, gradient = { 0, 1 }, friction = elliptic { mu1 = 1, mu2 "
             "= 1 } }\n" RUN,
       "2", "tangents"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

#define SECTION(keys)                                                                              \
  "system { mass = 1, q = { 0, 0, 0 } }\nwall { f = function() return -1 end, gradient = { 0, 0, " \
  "1 },\n  friction = section { " keys " } }\n" RUN

static void wrong_sections_are_refused(void **state) {
  static const refusal wrong[] = {
      {SECTION(""), "3", "section needs polygon, curve, superellipse, support, or back and forth"},
      {SECTION("polygon = {}, curve = {}"), "3", "polygon and curve; give one of them"},
      {SECTION("polygone = {}"), "3", "no entry 'polygone'; did you mean 'polygon'?"},
      {SECTION("polygon = { { 1, 0 }, { 0, 1 } }"), "3", "polygon"},
      {SECTION("polygon = { { 1, 0 }, { 0, 1 }, { 0 } }"), "3", "polygon has 1 entries"},
      {SECTION("polygon = { { 1, 0 }, { 0, 1 }, { 'x', 0 } }"), "3", "is a string"},
      {SECTION("polygon = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, 0.5 } }"), "3", "not convex"},
      {SECTION("polygon = { { 1, 0 }, { 2, 1 }, { 2, 0 } }"), "3", "0 lies outside"},
      {SECTION("curve = { { 1, 0 }, { 2, 0 }, { 3, 0 } }"), "3", "span no area"},
      {SECTION("superellipse = 2"), "3", "superellipse is a number"},
      {SECTION("superellipse = { a = 1, b = 1, exponent = 0.5 }"), "3", "exponent"},
      {SECTION("superellipse = { a = 1, b = 1, center = { 0, 0 } }"), "3",
       "did you mean 'centre'?"},
      {SECTION("support = 1"), "3", "support is a number"},
      {SECTION("support = function(x, y) return 'far' end"), "3", "give finite numbers"},
      {SECTION("support = function(x, y) return x.y end"), "3", "attempt to index"},
      {SECTION("support = function() while true do end end"), "3", "instructions"},
      {SECTION("back = 1, forth = -1"), "3", "forth = -1"},
      {SECTION("polygon = { { 1, 0 }, { 0, 1 }, { -1, -1 } }, mu = -1"), "3", "mu = -1"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void numbers_that_are_none(void **state) {
  static const refusal wrong[] = {
      {"system { mass = 0/0, q = { 0 } }", "1", "mass is not a number (nan)"},
      {"system { mass = 1/0, q = { 0 } }", "1", "mass is infinite"},
      {"system { mass = -1, q = { 0 } }", "1", "mass of coordinate 1 is -1"},
      {"system { mass = { 1, 0 }, q = { 0, 0 } }", "1", "mass of coordinate 2 is 0"},
      {"system { mass = { { 1 } }, q = { 0, 0 } }", "1", "mass has 1 rows; give 2"},
      {"system { mass = 1, q = { 0/0 } }", "1", "entry 1 of q is not a number"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

static void the_sandbox_holds(void **state) {
  static const refusal wrong[] = {{"while true do end", "1", "instructions"},
                                  {"local t = {}\nfor i = 1, 1e9 do\nt[i] = i end", "3", "MB"},
                                  {"local s = 'x'\nwhile true do\ns = s .. s\nend", "3", "MB"},
                                  {"local function f() return 1 + f() end\nf()", "1", "overflow"},
                                  {"error({})", "1", "called with a table"},
                                  {"\nerror()", "2", "called with a nil"},
                                  {"error('sentence', 0)", "1", "sentence"},
                                  {"\033Lua", "1", "compiled Lua"},
                                  {"x = ", "1", "unexpected symbol"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
  static const char *const gone[] = {
      "load",   "dofile",    "require",        "io",           "os",
      "debug",  "coroutine", "pcall",          "setmetatable", "getmetatable",
      "rawset", "next",      "collectgarbage", "package",      "print"};
  for (size_t k = 0; k < sizeof gone / sizeof *gone; k++) {
    char text[100];
    snprintf(text, sizeof text, "local x = %s", gone[k]);
    refuse(text, "1", gone[k]);
  }
  static const char *const fields[] = {"string.dump", "string.rep",  "string.find", "string.gsub",
                                       "table.move",  "math.random", "('x').rep"};
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
    char text[100];
    snprintf(text, sizeof text, "if %s then error('it is there') end error('gone')", fields[k]);
    refuse(text, "1", "gone");
  }
}

// pairs goes through numbers, then texts, in rising order: the sum of 0.1, 0.2 and 1e16 has other
// bits in another order.
static void pairs_is_sorted(void **state) {
  refuse("local t, s = { b = 2, a = 1, c = 3, [2] = 20, [1] = 10 }, ''\n"
         "for k, v in pairs(t) do s = s .. k .. '=' .. v .. ' ' end error(s)",
         "2", "1=10 2=20 a=1 b=2 c=3 ");
  refuse("for k in pairs({ [{}] = 1 }) do end", "1", "numbers or strings");
}

static void parameters_keep_their_type(void **state) {
  static const char text[] =
      "local p = parameters { mu = 0.3, n = 2, name = 'a', on = true }\n"
      "if p.on then error('on') end\n" BLOCK "run { h = p.mu, t_end = p.n }\n";
  const char *sets[] = {"mu=0.1", "n=7", "name=b=c", "on=false", "mu=0.25"};
  stc_scene_options options = {.sets = 5, .set = sets};
  stc_scene *scene = NULL;
  stc_parameter p;
  assert_int_equal(stc_scene_read_text("test.lua", text, strlen(text), &options, &scene), STC_OK);
  const char *expected[][3] = {{"mu", "number", "0.25"},
                               {"n", "number", "7"},
                               {"name", "string", "b=c"},
                               {"on", "boolean", "false"}};
  for (int k = 0; k < 4; k++) {
    assert_true(stc_scene_parameter(scene, k, &p));
    assert_string_equal(p.name, expected[k][0]);
    assert_string_equal(p.type, expected[k][1]);
    assert_string_equal(p.value, expected[k][2]);
  }
  assert_false(stc_scene_parameter(scene, 4, &p));
  expect_near(stc_scene_end(scene), 7, 0);
  stc_scene_free(&scene);
}

static void expect_set_refused(const char *text, const char *set, const char *words) {
  stc_scene_options options = {.sets = 1, .set = &set};
  stc_scene *scene = NULL;
  stc_error error = stc_scene_read_text("test.lua", text, strlen(text), &options, &scene);
  assert_true(error != STC_OK);
  if (!strstr(stc_error_detail(), words)) print_error("'%s'\n", stc_error_detail());
  assert_non_null(strstr(stc_error_detail(), words));
  assert_null(scene);
}

static void parameters_that_are_not_there(void **state) {
  static const char text[] = "\nparameters { mu = 0.3, speed = 1, on = true }\n" BLOCK RUN;
  expect_set_refused(text, "nu=1", "test.lua:2: there is no parameter 'nu'; did you mean 'mu'?");
  expect_set_refused(text, "zebra=1", "there are: mu, on, speed");
  expect_set_refused(text, "mu=fast", "parameter mu is a number, and 'fast' is not");
  expect_set_refused(text, "mu=nan", "'nan' is not");
  expect_set_refused(text, "on=2", "true or false");
  expect_set_refused(text, "mu", "sets nothing");
  expect_set_refused(BLOCK RUN, "mu=1", "no parameters");
}

static void memory_and_answers(void **state) {
  static const refusal wrong[] = {
      {BLOCK RUN "memory { x = 'a' }", "5", "x is a string; give a number"},
      {BLOCK RUN "observables { x = 1 }", "5", "x is a number; give a function"},
      {BLOCK RUN "series { ['a b'] = function() end }", "5", "'a b' is no name"},
      {BLOCK RUN "step(1)", "5", "give a function"},
      {BLOCK "run { h = 0.1, t_end = 1, solver = { omega = 1 } }", "4", "omega"},
      {BLOCK "run { h = 0.1, t_end = 1, solver = { method = 'nsg' } }", "4",
       "did you mean 'nsgs'?"},
      {BLOCK "run { h = 0.1, t_end = 1, scheme = 'euler' }", "4", "moreau, extrapolated"}};
  refuse_all(wrong, sizeof wrong / sizeof *wrong);
}

// What is wrong in a function shows when it is called, with its line.
static void expect_step_fails(const char *text, const char *words) {
  stc_scene *scene = need_scene(text);
  stc_run *run = NULL;
  stc_step_report report;
  stc_error error = stc_run_create(scene, NULL, &run);
  for (int k = 0; !error && k < 3; k++) error = stc_run_step(run, &report);
  assert_true(error != STC_OK);
  if (!strstr(stc_error_detail(), words)) print_error("'%s'\n", stc_error_detail());
  assert_non_null(strstr(stc_error_detail(), words));
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

static void functions_that_fail(void **state) {
  static const char *const cases[][2] = {
      {"system { mass = 1, q = { 0, 0 },\nforce = function(t, q, u) return { 0 } end }\n" RUN,
       "dir/test.lua:2: system: force has 1 entries"},
      {"system { mass = 1, q = { 0, 0 },\nforce = function(t, q, u) return { 0, q.x.y } end "
       "}\n" RUN,
       "dir/test.lua:2: attempt to index"},
      {"system { mass = 1, q = { 0, 0 },\nforce = function() return { 0, 0/0 } end }\n" RUN,
       "dir/test.lua:2: system: entry 2 of force is not a number"},
      {"system { q = { 0, 0 },\nmass = function() return { 1, 'x' } end }\n" RUN,
       "dir/test.lua:2: system: entry 2 of mass is a string"},
      {BLOCK RUN "step(function(s, m)\nwhile true do end end)", "dir/test.lua:6: more than"},
      {BLOCK RUN "step(function(s, m) m.x = 1 end)", "dir/test.lua:5: m has no number 'x'"},
      {BLOCK RUN "memory { x = 0 }\nstep(function(s, m) m.x = nil end)",
       "dir/test.lua:6: m.x is nil"},
      {"system { mass = 1, q = { 0, 0 }, force = { 0, -1 } }\n"
       "wall { f = function(t, q) return -q[2] end, gradient = { 0, -1 },\n"
       "friction = function(speed) return -1 end }\n" RUN,
       "dir/test.lua:3: wall 'wall1': mu = -1"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    expect_step_fails(cases[k][0], cases[k][1]);
}

static void limits_can_be_set(void **state) {
  static const char text[] = "for i = 1, 1e6 do end\n" BLOCK RUN;
  stc_scene_options options = {.instructions = 10000};
  stc_scene *scene = NULL;
  expect_failure(stc_scene_read_text("test.lua", text, strlen(text), &options, &scene),
                 STC_ERR_FORMAT, "test.lua:1: more than");
  options = (stc_scene_options){.memory = 1000};
  expect_failure(stc_scene_read_text("test.lua", text, strlen(text), &options, &scene),
                 STC_ERR_MEMORY, "test.lua");
  assert_null(scene);
  stc_scene_free(&scene);
  stc_scene_free(NULL);
}

static void files_that_are_no_scenes(void **state) {
  stc_scene *scene = NULL;
  expect_failure(stc_scene_read("/", NULL, &scene), STC_ERR_FILE, "/: it is a directory");
  expect_failure(stc_scene_read("/dev/null", NULL, &scene), STC_ERR_FILE, "not a regular file");
  expect_failure(stc_scene_read("no/such.lua", NULL, &scene), STC_ERR_FILE, "no/such.lua: cannot");
  expect_failure(stc_scene_read(NULL, NULL, &scene), STC_ERR_ARGUMENT, "path");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(entries_that_are_missing_or_misspelt),
                                     cmocka_unit_test(walls),
                                     cmocka_unit_test(wrong_sections_are_refused),
                                     cmocka_unit_test(numbers_that_are_none),
                                     cmocka_unit_test(the_sandbox_holds),
                                     cmocka_unit_test(pairs_is_sorted),
                                     cmocka_unit_test(parameters_keep_their_type),
                                     cmocka_unit_test(parameters_that_are_not_there),
                                     cmocka_unit_test(memory_and_answers),
                                     cmocka_unit_test(functions_that_fail),
                                     cmocka_unit_test(limits_can_be_set),
                                     cmocka_unit_test(files_that_are_no_scenes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
