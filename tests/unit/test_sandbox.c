// Hostile scenes: each tries to take time or memory in a way of its own, while the scene is read
// and from each of its functions. With small limits every one is stopped soon, with a sentence that
// names the file; and what a scene may do still works.
#include "base/clock.h"
#include "scene_support.h"
#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  INSTRUCTIONS = 400000,
  MEMORY = 24 << 20,  // bytes
  TEXT_ROOM = 4000
};
static const double SECONDS = 0.1;  // of the processor in one call
static const double MOST_SECONDS =
    2;  // that a case may take: creation, a few calls, the sanitizers

static const stc_scene_options limits = {
    .instructions = INSTRUCTIONS, .memory = MEMORY, .seconds = SECONDS};

// What attacks work on: a list of 10 000 numbers and texts of half a megabyte.
static const char data[] = "local t, u, s, z = {}, {}, 'abcdefgh', ''\n"
                           "for i = 1, 10000 do t[i] = i * 7919 % 10007 end\n"
                           "for i = 1, 16 do s = s .. s end\n"
                           "for i = 1, 16 do z = z .. 'y' end\n"
                           "local v = s .. 'x'; local w = s .. 'x'\n";

static const char *const attacks[] = {
    "while true do end",
    "for i = 1, 1e18 do end",
    "::a:: goto a",
    "local function f() return f() end f()",
    "local function f() return 1 + f() end f()",
    "local function f(...) return f(1, ...) end f()",
    "local function f(...) local x = { ... } return f(x, ...) end f()",
    "while true do table.insert(t, 1, 0) end",
    "while true do table.insert(t, 1, table.remove(t, 1)) end",
    "while true do table.remove(t, 1) table.insert(t, 1) end",
    "while true do table.sort(t) end",
    "while true do table.sort(t, function(a, b) return a > b end) end",
    "while true do table.sort(t, function(a, b) return true end) end",
    "table.sort(t, function(a, b) while true do end end)",
    "for i = 1, 20 do u[i] = s .. i end while true do table.sort(u) end",
    "while true do local x = table.concat(t) end",
    "while true do local x = table.concat(t, z) end",
    "while true do table.concat(t, 'x', 1, 2 ^ 53) end",
    "while true do local x = table.concat({ s, s }) end",
    "while true do local x = table.pack(table.unpack(t)) end",
    "while true do table.unpack(t) end",
    "while true do table.unpack(t, 1, 1e6 - 10) end",
    "while true do select('#', table.unpack(t)) end",
    "while true do select(-1, table.unpack(t)) end",
    "while true do math.max(table.unpack(t)) end",
    "while true do assert(table.unpack(t)) end",
    "while true do local x = { table.unpack(t) } end",
    "while true do string.char(table.unpack(u)) end",
    "while true do s:byte(1, 20000) end",
    "while true do local x = s:lower() end",
    "while true do local x = s:upper() end",
    "while true do local x = s:reverse() end",
    "while true do local x = s:sub(2) end",
    "while true do local x = string.format('%s', s) end",
    "while true do local x = string.format('%s%s', s, s) end",
    "while true do local x = string.format('%q', s) end",
    "while true do local x = string.format('%99.99f', 1e308) end",
    "while true do local x = s .. i end",
    "local x = 'a' while true do x = x .. x end",
    "local x = {} while true do x[#x + 1] = s .. #x end",
    "while true do local x = v < w end",
    "while true do local x = v == w end",
    "while true do local x = v <= w and v >= w end",
    "while true do u[v] = 1 end",
    "while true do u[s .. 1] = 1 end",
    "while true do tonumber(s) end",
    "while true do tonumber(s, 36) end",
    "while true do tostring(s) end",
    "while true do for k in pairs(t) do break end end",
    "while true do for k, x in pairs(t) do t[k] = x end end",
    "while true do for k, x in ipairs(t) do t[k] = x end end",
    "for i = 1, 2000 do u[s .. i] = i end for k in pairs(u) do end",
    "while true do u[#u + 1] = {} end",
    "while true do u[#u + 1] = function() return u end end",
    "while true do u = { u } end",
    "for i = 1, 1e9 do u[i * 1048575] = i end",
    "for i = 1, 1e9 do u[i + 0.5] = i end",
    "for i = 1, 1e9 do u[-i] = i end",
    "while true do u[z .. #u] = s; u[#u + 1] = 1 end",
    "while true do coulomb { mu = 0.5 } end",
    "while true do tabulated { speed = t, mu = t } end",
    "while true do local x = #s .. #t end",
    "for i = 1, 1e9 do local x = i // 1 % 7 ^ 2 end",
};
enum { ATTACKS = sizeof attacks / sizeof *attacks };

// Attacks that only a text which is read can make.
static const char *const readings[] = {
    "error(s)",
    "error(t)",
    "error()",
    "x.y.z = 1",
    "for i = 1, 1e9 do rigid { sphere = 1, at = { i, 0, 0 }, density = 1 } end",
    "for i = 1, 1e9 do rigid { name = 'b' .. i, plane = true } end",
    "for i = 1, 1e9 do rigid { box = { 1, 1, 1 }, at = { i, 0, 0 }, density = 1 } end",
    "local p = {} for i = 1, 200 do p[i] = { math.sin(i), math.cos(3 * i), math.sin(7 * i) } end\n"
    "while true do rigid { hull = p, density = 1 } end",
    "local p = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }\n"
    "while true do rigid { terrain = { points = p, triangles = { { 1, 2, 3 } } } } end",
    "while true do joint { kind = 'ball', a = 1, b = 2, at = { 0, 0, 0 } } end",
    "while true do grid { element = 'Q4', cells = { 20, 20 }, body = 'b' } end",
    "grid { element = 'Q4', cells = { 4000, 4000 }, body = 'b' }",
    "grid { element = 'Q4', cells = { 9, 9 }, body = 'b', map = function() while true do end end }",
    "while true do graded { zone = 1, fine = 10000, coarse = 10000, length = 2 } end",
    "local l = graded { zone = 1, fine = 9000, coarse = 9, length = 2 }\n"
    "while true do l = mirrored(l) end",
    "system { mass = 1, q = { 0 } } while true do\n"
    "  wall { f = function() return -1 end, gradient = { 1 }, tangents = { { 1 } } } end",
    "local q = {} for i = 1, 1000 do q[i] = 0 end\n"
    "local m = {} for i = 1, 1000 do m[i] = q end while true do system { mass = m, q = q } end",
    "local q = {} for i = 1, 1e6 do q['n' .. i] = i end parameters(q)",
    "local q = {} for i = 1, 1e6 do q['n' .. i] = function() end end series(q)",
    "while true do column { name = 'c', mu = function() return 1 end } end",
};
enum { READINGS = sizeof readings / sizeof *readings };

// Where the functions of a scene are called from.
static const char *const places[] = {
    "system { mass = 1, q = { 0 }, force = function(t, q, u) attack() return { 0 } end }\n",
    "system { mass = function(t, q) attack() return { { 1 } } end, q = { 0 } }\n",
    "system { mass = 1, q = { 0 }, force = function() return { 0 } end,\n"
    "         potential = function() attack() return 0 end }\n",
    "system { mass = 1, q = { 0, 0 }, force = { 0, -1 } }\n"
    "wall { f = function(t, q) attack() return -q[2] end, gradient = { 0, -1 } }\n",
    "system { mass = 1, q = { 0, 0 }, u = { 1, 0 }, force = { 0, -1 } }\n"
    "wall { f = function(t, q) return -q[2] end, gradient = { 0, -1 },\n"
    "       friction = coulomb { mu = function() attack() return 1 end } }\n",
    "system { mass = 1, q = { 0 } }\nstep(function() attack() end)\n",
    "system { mass = 1, q = { 0 } }\nobservables { x = function() attack() return 1 end }\n",
};
enum { PLACES = sizeof places / sizeof *places };

// The first failure of reading, of three steps, of the observables.
static stc_error try_scene(const char *text) {
  stc_scene *scene = NULL;
  stc_run *run = NULL;
  stc_step_report report;
  double value;
  stc_error error = stc_scene_read_text("dir/test.lua", text, strlen(text), &limits, &scene);
  if (!error) error = stc_run_create(scene, &(stc_run_settings){0}, &run);
  for (int k = 0; !error && k < 3; k++) error = stc_run_step(run, &report);
  if (!error && stc_scene_observable(scene, 0)) error = stc_run_observable(run, 0, &value);
  char sentence[200];
  snprintf(sentence, sizeof sentence, "%s", stc_error_detail());
  stc_run_close(&run);
  stc_scene_free(&scene);
  if (error && !strstr(sentence, "dir/test.lua:")) print_error("no place in '%s'\n", sentence);
  assert_true(!error || strstr(sentence, "dir/test.lua:"));
  return error;
}

static void expect_stopped(const char *text) {
  double began = stc_cpu_clock();
  stc_error error = try_scene(text);
  double took = stc_cpu_clock() - began;
  if (!error || took > MOST_SECONDS) print_error("%.2f s, error %d:\n%s\n", took, error, text);
  assert_int_not_equal(error, STC_OK);
  assert_true(took <= MOST_SECONDS);
}

static void test_reading(void **state) {
  char text[TEXT_ROOM];
  for (int k = 0; k < ATTACKS + READINGS; k++) {
    const char *attack = k < ATTACKS ? attacks[k] : readings[k - ATTACKS];
    snprintf(text, sizeof text, "%slocal i = 0\n%s\n", data, attack);
    expect_stopped(text);
  }
}

// One attack from each place, and each attack from one place.
static void test_functions(void **state) {
  char text[TEXT_ROOM];
  for (int k = 0; k < ATTACKS + PLACES; k++) {
    const char *place = places[k % PLACES], *attack = attacks[k < ATTACKS ? k : 0];
    snprintf(text, sizeof text,
             "%slocal i = 0\nlocal function attack()\n%s\nend\n%s"
             "run { h = 0.1, t_end = 1 }\n",
             data, attack, place);
    expect_stopped(text);
  }
}

// Each function of C that can work for long counts its work, so that it is stopped at the same
// place everywhere, and not by the clock: as often as it is called here the 10 000 entries of t, or
// the bytes of s (8192 instructions' worth), are more than the instructions allowed. Those that
// also allocate, or are given the entries of t by unpack, are called less often: what is counted
// there does not suffice alone.
static void test_counted_work(void **state) {
  static const char *const works[] = {"for i = 1, 100 do table.sort(t) end",
                                      "for i = 1, 100 do table.concat(t) end",
                                      "for i = 1, 60 do table.insert(t, 1, 0) end",
                                      "for i = 1, 60 do table.remove(t, 1) end",
                                      "for i = 1, 60 do table.unpack(t) end",
                                      "for i = 1, 28 do table.pack(table.unpack(t)) end",
                                      "for i = 1, 1000 do string.format('%.1s', s) end",
                                      "for i = 1, 100 do s:byte(1) end",
                                      "for i = 1, 28 do string.char(table.unpack(u)) end",
                                      "for i = 1, 40 do s:lower() end",
                                      "for i = 1, 40 do s:upper() end",
                                      "for i = 1, 40 do s:reverse() end",
                                      "for i = 1, 40 do s:sub(2) end",
                                      "for i = 1, 1000 do select('#', s, s) end",
                                      "for i = 1, 100 do assert(true, s) end",
                                      "for i = 1, 100 do tonumber(s) end",
                                      "for i = 1, 100 do tostring(s) end",
                                      "for i = 1, 30 do math.max(table.unpack(t)) end",
                                      "for i = 1, 30 do math.min(table.unpack(t)) end"};
  const stc_scene_options counted = {.instructions = 500000, .memory = MEMORY, .seconds = 1000};
  char text[TEXT_ROOM];
  for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
    stc_scene *scene = NULL;
    snprintf(text, sizeof text,
             "%sfor i = 1, 10000 do u[i] = 65 end\n%s\nrun { h = 0.1, t_end = 1 }\n", data,
             works[k]);
    stc_error error = stc_scene_read_text("dir/test.lua", text, strlen(text), &counted, &scene);
    if (!error || !strstr(stc_error_detail(), "instructions"))
      fail_msg("%s is not stopped by its count: %s", works[k], error ? stc_error_detail() : "done");
    stc_scene_free(&scene);
  }
}

// The clock ends what the count lets go on: a loop, and a text that is compiled, where no
// instruction runs.
static void test_clock(void **state) {
  const stc_scene_options timed = {
      .instructions = 1000000000000000, .memory = MEMORY, .seconds = 0.02};
  const size_t room = 4 << 20;
  char *text = malloc(room);
  assert_non_null(text);
  for (int compiled = 0; compiled < 2; compiled++) {
    stc_scene *scene = NULL;
    size_t used = (size_t)snprintf(text, room, "while true do end");
    for (size_t k = used = compiled ? 0 : used; compiled && used + 64 < room; k++)
      used += (size_t)snprintf(text + used, room - used, "::a%zu:: x = 1\n", k);
    assert_int_not_equal(stc_scene_read_text("dir/test.lua", text, used, &timed, &scene), STC_OK);
    if (!strstr(stc_error_detail(), "takes too long")) fail_msg("%s", stc_error_detail());
    stc_scene_free(&scene);
  }
  free(text);
}

// Texts that take long to compile: labels are looked up one by one.
static void test_compiling(void **state) {
  static const char *const parts[] = {"::a", "local x", "(", "{", "x = x .. ", "if x then ", "f'"};
  const size_t room = 12 << 20;
  char *text = malloc(room);
  assert_non_null(text);
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
    size_t used = 0;
    for (size_t k = 0; used + 64 < room; k++)
      used += (size_t)(p == 0 ? snprintf(text + used, room - used, "%s%zu::\n", parts[p], k)
                              : snprintf(text + used, room - used, "%s", parts[p]));
    expect_stopped(text);
  }
  free(text);
}

// Memory in C counts as memory in Lua does: bodies stop where the account is full, and so do meshes
// and hulls of which each alone has room.
static void test_one_account(void **state) {
  static const struct {
    const char *text, *words;
  } full[] = {
      {"for i = 1, 1e7 do rigid { sphere = 1, at = { i, 0, 0 }, density = 1 } end",
       "test.lua:1: the scene needs more than the 8 MB it may use"},
      {"for i = 1, 40 do grid { element = 'Q4', cells = { 40, 40 }, body = 'b' } end",
       "nodes that this scene has memory for"},
      {"local p = {} for i = 1, 1000 do p[i] = { math.sin(i), math.cos(3 * i), math.sin(7 * i) } "
       "end "
       "for i = 1, 40 do rigid { terrain = { points = p, triangles = { { 1, 2, 3 } } } } end",
       "test.lua:1: the scene needs more than the 8 MB it may use"}};
  stc_scene_options options = {.instructions = 1000000000, .memory = 8 << 20};
  for (size_t k = 0; k < sizeof full / sizeof *full; k++) {
    const char *text = full[k].text;
    stc_scene *scene = NULL;
    expect_failure(stc_scene_read_text("dir/test.lua", text, strlen(text), &options, &scene),
                   STC_ERR_FORMAT, full[k].words);
  }
}

// 40 000 corners on a sphere, 79 996 faces of one triangle each: the time of a hull grows like that
// of sorting. It was 5 s when each face looked through all triangles.
static void test_large_hull(void **state) {
  double began = stc_cpu_clock();
  stc_scene *scene = need_scene(
      "local p, n = {}, 40000\n"
      "for i = 1, n do local a, b = i * 2.399963, math.acos(1 - 2 * (i - 0.5) / n)\n"
      "  p[i] = { math.cos(a) * math.sin(b), math.sin(a) * math.sin(b), math.cos(b) } end\n"
      "rigid { hull = p, density = 1 }\nrun { h = 0.1, t_end = 1 }\n");
  assert_true(stc_cpu_clock() - began <= MOST_SECONDS);
  stc_scene_free(&scene);
}

// n spheres at one place are n (n - 1) / 2 contacts: 2000 of them would take 2 GB, 6000 fill the
// list of pairs.
static void test_crowds(void **state) {
  static const struct {
    int spheres;
    const char *words;
  } crowd[] = {{2000, "more than 300000 contacts between 2000 shapes"},
               {6000, "pairs of shapes are near each other"}};
  char text[TEXT_ROOM];
  for (size_t k = 0; k < sizeof crowd / sizeof *crowd; k++) {
    stc_run *run = NULL;
    snprintf(text, sizeof text,
             "for i = 1, %d do rigid { sphere = 1, density = 1, at = { 0, 0, 2 } } end\n"
             "run { h = 0.1, t_end = 1 }\n",
             crowd[k].spheres);
    stc_scene *scene = need_scene(text);
    expect_failure(stc_run_create(scene, &(stc_run_settings){0}, &run), STC_ERR_VALUE,
                   crowd[k].words);
    stc_scene_free(&scene);
  }
}

// Each joint of a body is coupled with every other one there: 20 000 would take 3 GB.
static void test_joints_of_one_body(void **state) {
  stc_run *run = NULL;
  stc_scene *scene = need_scene(
      "for k = 0, 1 do rigid { name = 'b' .. k, sphere = 0.1, density = 1, at = { k, 0, 0 } } end\n"
      "for i = 1, 20000 do joint { kind = 'ball', bodies = { 'b0', 'b1' }, at = { 0, 0, 0 } } end\n"
      "run { h = 0.1, t_end = 1 }\n");
  expect_failure(stc_run_create(scene, &(stc_run_settings){0}, &run), STC_ERR_VALUE,
                 "holds 20000 joints; at most 1000");
  stc_scene_free(&scene);
}

static void test_marks(void **state) {
  stc_scene *scene = need_scene("\xEF\xBB\xBF" BLOCK "run { h = 0.1, t_end = 1 }\r\n");
  stc_scene_free(&scene);
  refuse("\xFF\xFEx", "1", "UTF-16");
  refuse("\xFE\xFFx", "1", "UTF-16");
  refuse_at("\x89HDF\r\n\x1a\n", "dir/test.lua: ", "an HDF5 file", __FILE__, __LINE__);
}

// A sort that is stable and the same in every run; what is compared badly ends all the same.
static void test_sort(void **state) {
  stc_scene *scene = need_scene(
      "local t = {} for i = 1, 1000 do t[i] = { i * 7919 % 101, i } end\n"
      "table.sort(t, function(a, b) return a[1] < b[1] end)\n"
      "for i = 2, 1000 do\n"
      "  local a, b = t[i - 1], t[i]\n"
      "  assert(a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]), 'not stable')\n"
      "end\n"
      "local words = { 'b', 'a', 'C', '10', '9' }\n"
      "table.sort(words)\n"
      "assert(table.concat(words, ' ') == '10 9 C a b')\n"
      "local one, none = { 1 }, {}\n"
      "table.sort(one) table.sort(none)\n"
      "table.sort(t, function() return true end)\n" BLOCK "run { h = 0.1, t_end = 1 }\n");
  stc_scene_free(&scene);
  refuse("table.sort({ 1, 'a' })", "1", "attempt to compare");
  refuse("table.sort({ 1, 2 }, 3)", "1", "function expected");
}

// --- Files ---

static const char stl[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                          "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

// The sentence with which a scene in `inside` is refused that takes its terrain from `file`; NULL
// if it is not.
static const char *refusal_of(const char *file) {
  char text[300];
  stc_scene *scene = NULL;
  snprintf(
      text, sizeof text,
      "rigid { terrain = '%s' }\nrigid { sphere = 1, density = 1 }\nrun { h = 0.1, t_end = 1 }\n",
      file);
  stc_error error = stc_scene_read_text("inside/scene.lua", text, strlen(text), &limits, &scene);
  stc_scene_free(&scene);
  return error ? stc_error_detail() : NULL;
}

static void expect_refused(const char *file, const char *words) {
  const char *found = refusal_of(file);
  if (!found || !strstr(found, words)) print_error("%s: %s\n", file, found ? found : "accepted");
  assert_non_null(found);
  assert_non_null(strstr(found, words));
  assert_null(strstr(found, "secret"));
}

static const char *const made[] = {
    "inside/a.stl",  "inside/deep/a.stl", "inside/bad.stl",  "inside/link.stl", "inside/other.stl",
    "inside/way",    "inside/same.stl",   "inside/pipe.stl", "inside/deep",     "inside",
    "outside/a.stl", "outside/b.stl",     "outside"};

static void make_files(void) {
  assert_int_equal(mkdir("inside", 0777) | mkdir("inside/deep", 0777) | mkdir("outside", 0777), 0);
  write_text("outside/a.stl", stl);
  write_text("outside/b.stl", "secret: do not show\n");
  write_text("inside/a.stl", stl);
  write_text("inside/deep/a.stl", stl);
  write_text("inside/bad.stl", "solid\nfacet nonsense\n");
  assert_int_equal(symlink("../outside/a.stl", "inside/link.stl"), 0);
  assert_int_equal(symlink("../outside/b.stl", "inside/other.stl"), 0);
  assert_int_equal(symlink("../outside", "inside/way"), 0);
  assert_int_equal(symlink("a.stl", "inside/same.stl"), 0);
  assert_int_equal(mkfifo("inside/pipe.stl", 0666), 0);
}

static void test_files(void **state) {
  char path[300], before[1000];
  scratch_path(path, sizeof path, "sandbox");
  assert_non_null(getcwd(before, sizeof before));
  assert_int_equal(mkdir(path, 0777) | chdir(path), 0);
  make_files();
  assert_null(refusal_of("a.stl"));
  assert_null(refusal_of("deep/a.stl"));
  assert_null(refusal_of("./deep//a.stl"));
  expect_refused("link.stl", "links are not followed");
  expect_refused("other.stl", "links are not followed");
  expect_refused("same.stl", "links are not followed");
  expect_refused("way/a.stl", "links are not followed");
  expect_refused("way/b.stl", "links are not followed");
  expect_refused("../outside/a.stl", "is not allowed");
  expect_refused("deep/../../outside/a.stl", "is not allowed");
  expect_refused("/etc/a.stl", "is not allowed");
  expect_refused("a.txt", "is not allowed");
  expect_refused(".stl", "is not allowed");
  expect_refused("none.stl", "none.stl: cannot open");
  expect_refused("pipe.stl", "not a regular file");
  expect_refused("bad.stl", "inside/bad.stl:3");
  for (size_t k = 0; k < sizeof made / sizeof *made; k++) assert_int_equal(remove(made[k]), 0);
  assert_int_equal(chdir(before) | rmdir(path), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reading),   cmocka_unit_test(test_functions),
      cmocka_unit_test(test_compiling), cmocka_unit_test(test_one_account),
      cmocka_unit_test(test_marks),     cmocka_unit_test(test_sort),
      cmocka_unit_test(test_files),     cmocka_unit_test(test_counted_work),
      cmocka_unit_test(test_clock),     cmocka_unit_test(test_large_hull),
      cmocka_unit_test(test_crowds),    cmocka_unit_test(test_joints_of_one_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
