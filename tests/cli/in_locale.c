// in_locale: whole trips through the library in the locale of the environment. Numbers are printed
// as their bits, so that what is printed depends on the library alone; files go to the working
// directory. `in_locale --comma` succeeds where the locale writes a comma.
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <stiction/stiction.h>

static int failures;

static void need_ok(stc_error error, const char *what) {
  if (!error) return;
  printf("%s fails: %s\n", what, stc_error_detail());
  failures++;
}

static void show(const char *name, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  printf("%s %016" PRIx64 "\n", name, bits);
}

static void try_settings(void) {
  stc_settings s = stc_default_settings();
  need_ok(stc_settings_set(&s, "tol", "2.5e-7"), "settings");
  need_ok(stc_settings_set(&s, "nsgs.omega", "0x1.4p-1"), "settings");
  show("tol", s.tol);
  show("nsgs.omega", s.nsgs.omega);
  printf("comma %s\n", stc_settings_set(&s, "tol", "2,5e-7") ? stc_error_detail() : "accepted");
  printf("range %s\n", stc_settings_set(&s, "tol", "-0.5") ? stc_error_detail() : "accepted");
}

static const char scene_text[] =
    "local p = parameters { mu = 0.3, u0 = 1.25, name = 'a' }\n"
    "assert(tostring(0.5) == '0.5' and string.format('%.2f %g', 1.5, 0.1) == '1.50 0.1')\n"
    "assert(tonumber('0.25') == 0.25 and tonumber('0,25') == nil and 'Z' < 'a')\n"
    "system { mass = 1, q = { 0, 0 }, u = { p.u0, 0 }, force = { 0, -9.81 } }\n"
    "wall { f = function(t, q) return -q[2] end, gradient = { 0, -1 },\n"
    "       friction = coulomb { mu = p.mu } }\n"
    "run { h = 0.0625, t_end = 0.5, solver = { ['nsgs.omega'] = 0.75 } }\n"
    "series { x = function(s) return s.q[1] end }\n"
    "observables { x = function(s) return s.q[1] end, list = function() return { 0.1, 0.2 } end "
    "}\n";

static void show_scene(stc_scene *scene) {
  stc_parameter p;
  for (int k = 0; stc_scene_parameter(scene, k, &p); k++) printf("%s = %s\n", p.name, p.value);
}

static void step_to(stc_scene *scene, double until, bool resume) {
  stc_run *run = NULL;
  stc_step_report report;
  stc_run_settings settings = {
      .output = "run.h5", .until_given = true, .until = until, .resume = resume};
  need_ok(stc_run_create(scene, &settings, &run), "run");
  while (run && !stc_run_done(run) && stc_run_step(run, &report) == STC_OK)
    ;
  if (run) {
    show("x", stc_run_q(run)[0]);
    printf("%s\n", stc_run_replay(run));
  }
  need_ok(stc_run_close(&run), "run file");
}

static void try_scene(void) {
  const char *const set[] = {"mu=0.125", "u0=2.5"};
  stc_scene_options options = {.sets = 2, .set = set};
  stc_scene *scene = NULL;
  need_ok(stc_scene_read_text("s.lua", scene_text, strlen(scene_text), &options, &scene), "scene");
  if (!scene) return;
  show_scene(scene);
  step_to(scene, 0.25, false);
  step_to(scene, 0.5, true);
  stc_scene_free(&scene);
  stc_trajectory *t = NULL;
  need_ok(stc_trajectory_read("run.h5", &t), "trajectory");
  if (t) printf("%ld rows, %s, %s\n", t->rows, t->parameter[0], t->parameter[1]);
  stc_trajectory_free(&t);
}

static void refuse_scene(const char *text) {
  stc_scene *scene = NULL;
  stc_error error = stc_scene_read_text("s.lua", text, strlen(text), NULL, &scene);
  printf("%s\n", error ? stc_error_detail() : "accepted");
  stc_scene_free(&scene);
}

// A wedge that jams: W = ((1, 2.5), (2.5, 1)) / 2 and the like; what is proved is written down.
static void try_certificate(void) {
  stc_generator options = stc_default_generator("wedge");
  stc_problem *problem = NULL;
  stc_certificate *certificate = NULL;
  stc_certify_settings settings = stc_default_certify_settings();
  need_ok(stc_generate(&options, &problem), "gallery");
  if (problem) printf("%s\n", stc_problem_get_text(problem).description);
  if (problem) need_ok(stc_problem_write(problem, NULL, "wedge.hdf5"), "fclib");
  if (problem) need_ok(stc_certify(problem, &settings, &certificate), "certify");
  if (certificate) need_ok(stc_certificate_write(certificate, "wedge.json"), "certificate");
  if (certificate) printf("%s\n", stc_certificate_reason(certificate));
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

static void try_mesh(void) {
  static const char text[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1.5 0 0\n3 0 0.25 0\n$EndNodes\n"
      "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";
  stc_mesh *mesh = NULL;
  need_ok(stc_mesh_read_bytes("m.msh", text, strlen(text), &mesh), "mesh");
  if (!mesh) return;
  for (int k = 0; k < mesh->nodes * mesh->dim; k++) show("node", mesh->x[k]);
  need_ok(stc_mesh_write("m.msh", mesh), "mesh");
  stc_mesh_free(&mesh);
}

static void try_triangles(const char *name, const char *text) {
  stc_triangle_mesh mesh = {0};
  stc_error error = stc_triangle_mesh_read_bytes(name, text, strlen(text), &mesh);
  need_ok(error, name);
  for (int k = 0; !error && k < 3 * mesh.points; k++) show("point", mesh.point[k]);
  stc_triangle_mesh_free(&mesh);
}

int main(int argc, char **argv) {
  setlocale(LC_ALL, "");
  if (argc == 2 && !strcmp(argv[1], "--comma")) return localeconv()->decimal_point[0] != ',';
  try_settings();
  try_scene();
  refuse_scene("parameters { mu = 0.3 }\nsystem { mass = 0.5, q = { 0.5 }, u = { 1.5, 2.5 } }\n");
  refuse_scene("system { mass = -0.5, q = { 0.5 } }\n");
  refuse_scene("error('at ' .. 1.5)\n");
  try_certificate();
  try_mesh();
  try_triangles("a.obj", "v 0 0 0\nv 1.5 0 0\nv 0 2.5e-1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\n");
  try_triangles("a.stl", "SOLID A\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1.5 0 0\n"
                         "VERTEX 0 0.25 0\nENDLOOP\nENDFACET\nENDSOLID A\n");
  printf("host %d\n", localeconv()->decimal_point[0] != 0);
  return failures;
}
