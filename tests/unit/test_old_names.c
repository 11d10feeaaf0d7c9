// Names of the version before: scenes that use them give the same numbers, and one remark per name.
#include "scene_support.h"

// A box that slides on an inclined slab, seen through the entry that holds its rotation.
#define SLIDE(pair, key)                                                                           \
  "world { gravity = { 0, 0, -10 } }\n"                                                            \
  "rigid { name = 'slab', box = { 9, 9, 1 }, fixed = true, surface = 'ice',\n"                     \
  "        " key " = { axis = { 0, 1, 0 }, angle = 0.3 } }\n"                                      \
  "rigid { name = 'box', at = { 0, 0, 1.1 },\n"                                                    \
  "        parts = { { box = { 1, 1, 1 }, " key                                                    \
  " = { axis = { 0, 1, 0 }, angle = 0.3 } } } }\n" pair " { 'ice', 'usual', mu = 0.1 }\n"          \
  "run { h = 1e-2, t_end = 0.2 }\n"                                                                \
  "observables { a = function(s) return s.body('box').x[1] end,\n"                                 \
  "              b = function(s) return s.body('box')." key "[3] end }\n"

#define COLUMN                                                                                     \
  "column { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, rate = 0.1, t_turn = 8 }\n"                         \
  "observables { a = function(s) return s.column.jump_up end,\n"                                   \
  "              b = function(s) return s.column.slip end }\n"

static void answers(const char *text, double answer[2], const char *remarks[3]) {
  stc_scene *scene = need_scene(text);
  stc_run *run = NULL;
  assert_int_equal(stc_run_create(scene, NULL, &run), STC_OK);
  run_to_end(run);
  for (int k = 0; k < 2; k++) answer[k] = observe(run, k);
  int count = 0;
  for (; count < 3 && remarks[count]; count++) {
    const char *found = stc_scene_remark(scene, count);
    assert_non_null(found);
    assert_string_equal(found, remarks[count]);
  }
  assert_null(stc_scene_remark(scene, count));
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
}

static void same_answers(const char *old, const char *now, const char *remarks[3]) {
  const char *none[3] = {NULL};
  double before[2], after[2];
  answers(old, before, remarks);
  answers(now, after, none);
  assert_memory_equal(before, after, sizeof before);
  assert_true(before[0] != 0 && before[1] != 0);
}

// `turn` stands in lines 2, 5 and 8 and gets one remark, `rub` another; the numbers are the same.
static void bodies_keep_their_answers(void **state) {
  const char *remarks[3] = {
      "dir/test.lua:2: `turn` is now `rotation`; the old name works in this version only",
      "dir/test.lua:6: `rub` is now `surface_pair`; the old name works in this version only", NULL};
  same_answers(SLIDE("rub", "turn"), SLIDE("surface_pair", "rotation"), remarks);
}

// A function that runs only while the scene is stepped remarks then.
static void views_remark_while_they_run(void **state) {
  double answer[2];
  const char *remarks[3] = {
      "dir/test.lua:3: `turn` is now `rotation`; the old name works in this version only", NULL};
  answers("rigid { name = 'a', sphere = 1 }\nrun { h = 1e-2, t_end = 0.02 }\n"
          "observables { a = function(s) return s.body('a').turn[1] end,\n"
          "              b = function(s) return s.body('a').none == nil end }\n",
          answer, remarks);
  assert_true(answer[0] == 1 && answer[1] == 1);
}

static void elastodynamic_runs_keep_their_answers(void **state) {
  const char *remarks[3] = {
      "dir/test.lua:4: `march` is now `elastodynamic`; the old name works in this version only",
      NULL};
  same_answers(COLUMN "march { dt = 0.1, t_end = 9 }\n",
               COLUMN "elastodynamic { dt = 0.1, t_end = 9 }\n", remarks);
}

static void both_names_are_refused(void **state) {
  refuse("rigid { sphere = 1, turn = { 1, 0, 0, 0 },\n  rotation = { 1, 0, 0, 0 } }", "1",
         "`turn` is the old name of `rotation`");
}

// Suggestions are names that last.
static void old_names_are_not_suggested(void **state) {
  refuse("ruby { }", "1", "a scene has no 'ruby'");
  refuse("world { turn = 1 }", "1", "world has no entry 'turn'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_keep_their_answers), cmocka_unit_test(views_remark_while_they_run),
      cmocka_unit_test(elastodynamic_runs_keep_their_answers),
      cmocka_unit_test(both_names_are_refused), cmocka_unit_test(old_names_are_not_suggested)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
