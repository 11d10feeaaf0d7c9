// Writes run files into a directory: where the fuzzer starts from.  run_seeds DIRECTORY
#include <stiction/scene.h>

#include <stdio.h>
#include <string.h>

static const char SCENE[] = "parameters { h = 0.1 }\n"
                            "system { mass = 1, q = { 0, 0 }, force = { 1, 0 } }\n"
                            "run { h = 0.1, t_end = %s }\n"
                            "series { x = function(s) return s.q[1] end }\n"
                            "observables { x = function(s) return s.q[1] end }\n";

static stc_error write_run(const char *directory, const char *name, const char *t_end) {
  char path[4096], text[400];
  stc_scene *scene = NULL;
  stc_run *run = NULL;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  snprintf(text, sizeof text, SCENE, t_end);
  stc_error error = stc_scene_read_text("scene.lua", text, strlen(text), NULL, &scene);
  if (!error) error = stc_run_create(scene, &(stc_run_settings){.output = path}, &run);
  while (!error && !stc_run_done(run)) error = stc_run_step(run, NULL);
  stc_error closing = stc_run_close(&run);
  stc_scene_free(&scene);
  return error ? error : closing;
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: run_seeds DIRECTORY\n"), 1;
  stc_error error = write_run(argv[1], "short.h5", "0");
  if (!error) error = write_run(argv[1], "ten.h5", "1");
  if (error) fprintf(stderr, "run_seeds: %s\n", stc_error_detail());
  return error != STC_OK;
}
