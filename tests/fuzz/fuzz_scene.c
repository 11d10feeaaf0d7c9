// Feeds arbitrary bytes to the reader of scenes, and runs what it accepts for a few steps, none of
// them for long. Whatever the bytes are, every call returns, and a failure leaves a sentence that
// names the file.
#include <stiction/scene.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
  STEPS = 10,
  SECONDS = 2,      // that long steps may take together
  MOST_DOFS = 150,  // larger ones only take longer; a rigid body has 13
  MOST_WALLS = 4,
  INSTRUCTIONS = 100000,
  MEMORY = 8 << 20
};

// A failure comes with a sentence that names the scene.
static int succeeded(stc_error error) {
  must(!error || strstr(stc_error_detail(), "scene.lua"), stc_error_detail());
  return !error;
}

static void observe(const stc_scene *scene, stc_run *run) {
  stc_observed observed;
  for (int k = 0; stc_scene_observable(scene, k); k++)
    succeeded(stc_run_observe(run, k, &observed));
}

static bool go_on(void *began, const char *stage, double done) {
  (void)stage;
  (void)done;
  return clock() - *(const clock_t *)began < SECONDS * CLOCKS_PER_SEC;
}

static void run_scene(stc_scene *scene) {
  clock_t began = clock();
  const stc_run_settings settings = {.progress = go_on, .progress_user = &began};
  stc_run *run = NULL;
  stc_step_report report = {.accepted = true};
  if (stc_scene_dofs(scene) > MOST_DOFS || stc_scene_wall(scene, MOST_WALLS)) return;
  int good = succeeded(stc_run_create(scene, &settings, &run));
  for (int k = 0;
       good && k < STEPS && report.accepted && !stc_run_done(run) && go_on(&began, NULL, 0); k++)
    good = succeeded(stc_run_step(run, &report));
  if (good) observe(scene, run);
  succeeded(stc_run_close(&run));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const set[] = {"h=0.01"};
  stc_scene_options options = {.sets = data && size && data[0] == '-' ? 1 : 0,
                               .set = set,
                               .memory = MEMORY,
                               .instructions = INSTRUCTIONS};
  stc_scene *scene = NULL;
  stc_error error =
      stc_scene_read_text("scene.lua", size ? (const char *)data : "", size, &options, &scene);
  if (succeeded(error)) run_scene(scene);
  stc_scene_free(&scene);
  return 0;
}
