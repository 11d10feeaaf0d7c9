// What the tests of scenes share: a scene from a text, and its sentence.
#ifndef STC_TEST_SCENE_SUPPORT_H
#define STC_TEST_SCENE_SUPPORT_H

#include "expect.h"

#include <stdio.h>
#include <stiction/scene.h>

/// A block on a plane, with room for more text behind it.
#define BLOCK                                                                                      \
  "system { mass = 1, q = { 0, 0 }, u = { 2, 0 }, force = { 0, -10 } }\n"                          \
  "wall { name = 'floor', f = function(t, q) return -q[2] end, gradient = { 0, -1 },\n"            \
  "       friction = coulomb { mu = 0.5 } }\n"

static inline stc_error read_scene(const char *text, stc_scene **scene) {
  return stc_scene_read_text("dir/test.lua", text, strlen(text), NULL, scene);
}

static inline stc_scene *need_scene(const char *text) {
  stc_scene *scene = NULL;
  if (read_scene(text, &scene) != STC_OK) print_error("%s\n", stc_error_detail());
  assert_non_null(scene);
  return scene;
}

/// The text is refused with a sentence that begins with the place and holds `words`.
static inline void refuse_at(const char *text, const char *place, const char *words,
                             const char *file, int line) {
  stc_scene *scene = NULL;
  stc_error error = read_scene(text, &scene);
  const char *found = stc_error_detail();
  if (error && !scene && !strncmp(found, place, strlen(place)) && strstr(found, words)) return;
  print_error("error %d: '%s' instead of '%s ... %s'\n", (int)error, found, place, words);
  stc_scene_free(&scene);
  _fail(file, line);
}
#define refuse(text, line, words)                                                                  \
  refuse_at((text), "dir/test.lua:" line ":", (words), __FILE__, __LINE__)

/// A text, the line it is refused at and words of the sentence.
typedef struct refusal {
  const char *text, *line, *words;
} refusal;

static inline void refuse_all(const refusal *wrong, size_t count) {
  char place[40];
  for (size_t k = 0; k < count; k++) {
    snprintf(place, sizeof place, "dir/test.lua:%s:", wrong[k].line);
    refuse_at(wrong[k].text, place, wrong[k].words, __FILE__, __LINE__);
  }
}

/// Steps to the end; the run stays open.
static inline void run_to_end(stc_run *run) {
  stc_step_report report;
  while (!stc_run_done(run)) {
    expect_ok(stc_run_step(run, &report));
    assert_true(report.accepted);
  }
}

static inline double observe(stc_run *run, int k) {
  double value = NAN;
  expect_ok(stc_run_observable(run, k, &value));
  return value;
}

#endif
