// Scenes run to their end, and what they observe; STAGE_SCENES is their directory.
#ifndef STC_TEST_SCENE_STAGE_H
#define STC_TEST_SCENE_STAGE_H

#include "../unit/expect.h"

#include <stiction/scene.h>

#include <stdio.h>
#include <string.h>

typedef struct stage {
  stc_scene *scene;
  stc_run *run;
} stage;

/// Runs STAGE_SCENES/NAME.lua to its end; NULL ends the parameters.
static inline stage try_stage(const char *name, const char *const *set, stc_step_report *report) {
  char path[200];
  stage s = {0};
  stc_scene_options options = {.set = set};
  *report = (stc_step_report){.accepted = true};
  while (set[options.sets]) options.sets++;
  snprintf(path, sizeof path, STAGE_SCENES "/%s.lua", name);
  stc_error error = stc_scene_read(path, &options, &s.scene);
  if (!error) error = stc_run_create(s.scene, NULL, &s.run);
  while (!error && report->accepted && !stc_run_done(s.run)) error = stc_run_step(s.run, report);
  if (error) print_error("%s\n", stc_error_detail());
  assert_true(!error);
  return s;
}
#define TRY(report, name, ...) try_stage((name), (const char *const[]){__VA_ARGS__, NULL}, (report))

/// The same where every step is taken.
static inline stage begin_stage(const char *name, const char *const *set) {
  stc_step_report report;
  stage s = try_stage(name, set, &report);
  if (!report.accepted) print_error("%s: %s\n", name, report.reason);
  assert_true(report.accepted);
  return s;
}
#define BEGIN(name, ...) begin_stage((name), (const char *const[]){__VA_ARGS__, NULL})

static inline void end_stage(stage *s) {
  assert_int_equal(stc_run_close(&s->run), STC_OK);
  stc_scene_free(&s->scene);
}

static inline stc_observed observed(stage *s, const char *name) {
  stc_observed answer = {0};
  for (int k = 0; stc_scene_observable(s->scene, k); k++) {
    if (strcmp(stc_scene_observable(s->scene, k), name) != 0) continue;
    assert_int_equal(stc_run_observe(s->run, k, &answer), STC_OK);
    return answer;
  }
  fail_msg("there is no observable %s", name);
  return answer;
}

static inline double number(stage *s, const char *name) { return observed(s, name).number; }

static inline void expect_ratio(stage *s, const char *a, const char *b, double tolerance) {
  double ratio = number(s, a) / number(s, b);
  if (fabs(ratio - 1) > tolerance) print_error("%s / %s = %.9g\n", a, b, ratio);
  assert_true(fabs(ratio - 1) <= tolerance);
}

#endif
