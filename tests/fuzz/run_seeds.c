// Writes run files into a directory: where the fuzzer starts from.  run_seeds DIRECTORY
#include <stiction/scene.h>

#include <stdio.h>
#include <string.h>

static const char SCENE[] = "parameters { h = 0.1 }\n"
                            "system { mass = 1, q = { 0, 0 }, force = { 1, 0 } }\n"
                            "run { h = 0.1, t_end = %s }\n"
                            "series { x = function(s) return s.q[1] end }\n"
                            "observables { x = function(s) return s.q[1] end }\n";

static const char BODIES[] =
    "grid { element = 'Q4', cells = { 2, 1 }, body = 'a' }\n"
    "solid { kinematics = 'plane_strain' }\n"
    "body { group = 'a', young = 10, poisson = 0.3 }\n"
    "support { group = 'a.s0', component = 'x', value = 0 }\n"
    "support { group = 'a.t1', component = 'y', value = function(t) return -0.1 * t end }\n"
    "contact { name = 'floor', slave = 'a.t0', obstacle = plane { point = { 0, 0 }, normal = { 0, "
    "1 "
    "} } }\n"
    "steps { times = { %s } }\n"
    "plot { name = 'p', contact = 'floor', range = { 0, 1 }, points = 3,\n"
    "  curves = { line = function(s, x) return x end } }\n"
    "observables { list = function(s) return s.iterations end, word = function() return 'a' end "
    "}\n";

static const char WAVES[] =
    "column { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, rate = 0.1 }\n"
    "strip { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, size = { 1, 1 }, cells = { 2, 1 }, eps = 0.1,\n"
    "  eta_n = 0.01, tau = 0.1, pressed = true, supports = {\n"
    "  { side = 'top', component = 'x', value = 0 },\n"
    "  { side = 'top', component = 'y', value = -0.1 } } }\n"
    "elastodynamic { dt = 0.1, t_end = %s }\n"
    "picture { title = 'a', curves = { { function(u) return u, u end, 'b' } }, points = 3,\n"
    "  lines = { { 't', 'strip_w', 'c' } }, map = 'strip' }\n";

static const char RIGID[] =
    "rigid { name = 'floor', plane = true }\n"
    "rigid { name = 'box', box = { 1, 1, 1 }, at = { 0, 0, 0.51 }, color = { 1, 0, 0 } }\n"
    "rigid { sphere = 1, at = { 3, 0, 1 }, velocity = { -1, 0, 0 } }\n"
    "run { h = 0.02, t_end = %s, store_every = 2, memory = 8 }\n"
    "camera { from = { 9, 0, 0 }, to = { 0, 0, 0 } }\n";

static stc_error write_run(const char *directory, const char *name, const char *format,
                           const char *t_end) {
  char path[4096], text[1000];
  stc_scene *scene = NULL;
  stc_run *run = NULL;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  snprintf(text, sizeof text, format, t_end);
  stc_error error = stc_scene_read_text("scene.lua", text, strlen(text), NULL, &scene);
  if (!error) error = stc_run_create(scene, &(stc_run_settings){.output = path}, &run);
  while (!error && !stc_run_done(run)) error = stc_run_step(run, NULL);
  stc_error closing = stc_run_close(&run);
  stc_scene_free(&scene);
  return error ? error : closing;
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: run_seeds DIRECTORY\n"), 1;
  stc_error error = write_run(argv[1], "short.h5", SCENE, "0");
  if (!error) error = write_run(argv[1], "ten.h5", SCENE, "1");
  if (!error) error = write_run(argv[1], "bodies.h5", BODIES, "1, 2");
  if (!error) error = write_run(argv[1], "waves.h5", WAVES, "0.3");
  if (!error) error = write_run(argv[1], "rigid.h5", RIGID, "0.1");
  if (error) fprintf(stderr, "run_seeds: %s\n", stc_error_detail());
  return error != STC_OK;
}
